/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Masks from text: which points a group's part of an example may move.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_MASK_H
#define SINEW_UI_CLI_COMMAND_LINE_MASK_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* "field:NAME" is a field that is there. "x+" and "x-" are the two sides of the rest's plane of symmetry (one half on it), so
 * for y and z. "joints:A,B" is the weight that the skin gives to those joints and all below them. New masks are stored as the
 * field "mask SPEC" within the command in hand; an equal one that is there is used again. */
snw_status snw_mask_store(const snw_call *call, const snw_opened *opened, uint32_t mesh, const char *spec, int64_t *field,
						  snw_error *error);

/* The same values for a moment: nothing is stored. */
snw_status snw_mask_values(const snw_call *call, const snw_scene *scene, uint32_t mesh, const char *spec, const double **values,
						   snw_error *error);

#endif
