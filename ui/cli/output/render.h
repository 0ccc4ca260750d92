/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of sinew render: which moments, what they should look like, and views of them side by side.
 */
#ifndef SINEW_UI_CLI_OUTPUT_RENDER_H
#define SINEW_UI_CLI_OUTPUT_RENDER_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"
#include "render/render.h"

/* A pose that is drawn. */
typedef struct snw_moment {
	const snw_pose *pose;
	uint32_t clip;     /* index, where it is a moment of a clip; else SNW_NONE */
	const char *label; /* "elbow-130", "bend: frame 12" */
} snw_moment;

/* What --pose, or --clip and --frame, name; the rest where they name nothing. In the call's arena. */
snw_status snw_render_moments(const snw_call *call, const snw_scene *scene, snw_moment **moments, uint32_t *count,
							  snw_error *error);

/* What the meshes should look like then: an example's sculpt, or a target's frame; [mesh_count], NULL entries where nothing says
 * so. False where nothing says anything. */
bool snw_render_wanted(const snw_call *call, const snw_scene *scene, const snw_moment *moment, const double **wanted);

/* Puts what --heat names on the views that have a stack, all on one scale; moments[i] is what views[i] shows. */
snw_status snw_render_heat(const snw_call *call, const snw_scene *scene, const snw_moment *const *moments, snw_view *views,
						   uint32_t count, snw_error *error);

/* One camera for all the views, from the yaw and pitch of the first: on what --focus names, as near as --zoom says, moved
 * by --pan. */
snw_status snw_render_aim(const snw_call *call, const snw_view *views, uint32_t count, uint32_t width, uint32_t height,
						  snw_camera *camera, snw_error *error);

/* Draws the moments from left to right, a row for each method, from one camera; one moment: the methods from left to right. */
snw_status snw_render_grid(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
						   uint32_t height, const char *path, snw_error *error);

#endif
