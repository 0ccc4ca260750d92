/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands that write share.
 */
#ifndef SINEW_UI_CLI_OUTPUT_OUTPUT_H
#define SINEW_UI_CLI_OUTPUT_OUTPUT_H

#include "cli/command_line/open_project.h"
#include "render/draw/gpu_crowd.h"

/* ---- crowds -------------------------------------------------------------------------------------------------------------- */

/* The crowd of a project, as options ask for it: for pictures, the window, benchmarks and exports. */

/* Of verbs with --crowd. */
#define SNW_CROWD_OPTIONS                                                                                                      \
	{"--seed", "N", "with --crowd: who stands where and plays what (default: 0)"}, {                                           \
		"--rate", "FRAMES", "with --crowd: frames of the clips that are kept, a second (default: 30)"                          \
	}

typedef struct snw_cli_crowd {
	snw_crowd crowd;
	snw_stack *stack;
	snw_crowd_character character;
} snw_cli_crowd;

/* The number of members that an option gives, 1 to SNW_CROWD_MOST. */
snw_status snw_crowd_number(const snw_call *call, const char *option, uint32_t otherwise, uint32_t *count, snw_error *error);

/* A crowd of `count` with --seed, --rate, and the clips that --clip names, in the call's arena. The stack is that of --method,
 * or the whole one with the project's levels of detail if `has_levels`. */
snw_status snw_cli_crowd_make(const snw_call *call, const snw_opened *opened, uint32_t count, bool has_levels,
							  snw_cli_crowd *made, snw_error *error);
void snw_cli_crowd_free(snw_cli_crowd *made);

/* Writes the crowd's files into a folder, with what plays them, after saying what they lose. */
snw_status snw_crowd_export(const snw_call *call, const snw_opened *opened, const char *folder, snw_error *error);

/* A picture of the crowd at --seconds, from the camera of the view, to `path`; says what it shows. */
snw_status snw_crowd_render(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
							uint32_t height, const char *path, snw_error *error);

#endif
