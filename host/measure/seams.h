/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams: points at the same place whose skins differ, and how far poses pull them apart. Distances are those of the point
 * metric (point_metric.h), so no mesh is posed.
 */
#ifndef SINEW_HOST_MEASURE_SEAMS_H
#define SINEW_HOST_MEASURE_SEAMS_H

#include "stack/stack.h"
#include "task/task.h"

/* The seam between two meshes, or within one. Distances are those of the pair that is farthest apart in the clips. */
typedef struct snw_seam {
	uint32_t meshes[2];
	uint32_t pair_count;    /* pairs of points at the same place: each point with the first one of each mesh there */
	uint32_t opening_count; /* those that move apart by more than a millionth of the diagonal */
	uint32_t points[2];
	double clips;    /* root mean square over the poses of all clips, metres */
	double shuffled; /* the same where each joint is in a pose of its own: combinations that no clip shows */
	double bound;    /* the largest in any pose whose joints stay within their ranges in the clips */
} snw_seam;

/* A mesh whose points are not compared, and why. */
typedef struct snw_seam_omission {
	uint32_t mesh;
	const char *reason; /* "it is posed by dual quaternions" */
} snw_seam_omission;

typedef struct snw_seams {
	uint32_t count;
	snw_seam *list;
	uint32_t left_out_count;
	snw_seam_omission *left_out;
	uint32_t pose_count; /* of the clips; poses of the scene without any */
} snw_seams;

/* Compares the meshes that the stack poses by one linear or affine blend of the joints; the others are left out. In `arena`.
 * SNW_CANCELLED if the task is stopped. */
snw_status snw_seams_measure(const snw_scene *scene, const snw_stack *stack, const snw_task *task, snw_arena *arena,
							 snw_seams *seams, snw_error *error);

#endif
