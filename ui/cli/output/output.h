/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands that write share.
 */
#ifndef SINEW_UI_CLI_OUTPUT_OUTPUT_H
#define SINEW_UI_CLI_OUTPUT_OUTPUT_H

#include "cli/command_line/verb.h"
#include "measure/measure.h"
#include "render/draw/gpu_crowd.h"
#include "render/render.h"

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

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

/* The parts of sinew render: the poses, their ground truth, and the grid of views. */

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

/* Views of an opened project: a pose drawn with a stack, the sculpt of an example, an error map. */

/* Posed points of every mesh by the truth: [mesh_count], each [point_count][3], in the call's arena. */
snw_status snw_picture_points(const snw_call *call, const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose,
							  double ***points, snw_error *error);

float *snw_picture_floats(const snw_call *call, const double *values, size_t count); /* in the call's arena */

/* Distances in millimetres from the ground truth: zero on meshes of which none is known. `truth` is [mesh_count]. The
 * largest is returned in *most. */
double **snw_picture_distances(const snw_call *call, const snw_scene *scene, double *const *points,
							   const snw_ground_truth *truth, double *most);

/* Renders and writes the sheet. SNW_ERROR_LIMIT where it would be larger than 2^28 pixels. */
snw_status snw_picture_write(const snw_view *views, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height,
							 const char *path, const snw_call *call, snw_error *error);

/* A row of SNW_EXAMPLE_COLUMNS views for each of the examples (named by --example, else all; 24 at most), which *count is. They
 * refer to both stacks. The scene is the base's. */
enum { SNW_EXAMPLE_COLUMNS = 6 };
snw_status snw_picture_example_views(const snw_call *call, const snw_view *base, const snw_stack *linear,
									 const snw_stack *result, uint32_t width, uint32_t height, snw_view **views,
									 uint32_t *count, snw_error *error);

/* A sheet with a row for each example (named by --example, else all): rest, linear blend, sculpt, result, and the errors before
 * and after on one scale. */
snw_status snw_picture_sheet(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
							 uint32_t height, const char *path, snw_error *error);

/* ---- render -------------------------------------------------------------------------------------------------------------- */

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

/* One camera for all views, from the yaw and pitch of the first: framed on the part given by --focus, magnified by --zoom,
 * moved by --pan. Views get the points of their black boxes. */
snw_status snw_render_aim(const snw_call *call, snw_view *views, uint32_t count, uint32_t width, uint32_t height,
						  snw_camera *camera, snw_error *error);

/* Adds to the answer where another program has to look from for the same picture. */
void snw_answer_camera(const snw_call *call, const snw_camera *camera, double aspect);

#endif
