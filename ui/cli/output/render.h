/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of sinew render: the poses, their ground truth, and the grid of views.
 */
#ifndef SINEW_UI_CLI_OUTPUT_RENDER_H
#define SINEW_UI_CLI_OUTPUT_RENDER_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"
#include "measure/measured_frames.h"
#include "render/render.h"

/* A pose that is drawn. */
typedef struct snw_pictured_pose {
	const snw_pose *pose;
	snw_moment moment;
	const char *label; /* "elbow-130", "bend: frame 12" */
} snw_pictured_pose;

/* The poses given by --pose, or by --clip and --frame; the rest if none are given. In the call's arena. */
snw_status snw_render_poses(const snw_call *call, const snw_scene *scene, snw_pictured_pose **poses, uint32_t *count,
							snw_error *error);

/* The ground truth at a moment, [mesh_count]. False if no mesh has one. */
bool snw_render_ground_truth(const snw_scene *scene, const snw_moment *moment, snw_ground_truth *truth);

/* Adds the heat map given by --heat to the views that have a stack, all on one scale; poses[i] is the pose of views[i]. */
snw_status snw_render_heat(const snw_call *call, const snw_scene *scene, const snw_pictured_pose *const *poses, snw_view *views,
						   uint32_t count, snw_error *error);

/* One camera for all views, from the yaw and pitch of the first: framed on the part given by --focus, magnified by --zoom,
 * moved by --pan. Views get the points of their black boxes. */
snw_status snw_render_aim(const snw_call *call, snw_view *views, uint32_t count, uint32_t width, uint32_t height,
						  snw_camera *camera, snw_error *error);

/* Adds to the answer where another program has to look from for the same picture. */
void snw_answer_camera(const snw_call *call, const snw_camera *camera, double aspect);

/* Draws the poses from left to right, a row for each method, from one camera; for a single pose, the methods from left to
 * right. */
snw_status snw_render_grid(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
						   uint32_t height, const char *path, snw_error *error);

#endif
