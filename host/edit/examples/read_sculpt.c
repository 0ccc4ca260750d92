/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/examples/read_sculpt.h"

#include <string.h>

#include "sinew/algebra.h"

/* If the edges of a sculpt are this many times longer or shorter than at rest, it has other units, or its points are in
 * another order. */
static const double MOST_STRETCH = 3;

/* The mean length of a mesh's edges with its points at `points`. */
static double edge_length(const snw_mesh *mesh, const double *points) {
	double sum = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f], last = mesh->face_offsets[f + 1] - 1; c < mesh->face_offsets[f + 1];
			 last = c++) {
			const double *a = points + 3 * (size_t)mesh->face_points[last], *b = points + 3 * (size_t)mesh->face_points[c];
			sum += snw_length3((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
		}
	}
	return sum / mesh->face_offsets[mesh->face_count];
}

snw_status snw_sculpt_read(const char *path, const snw_mesh *mesh, const snw_worker_limits *limits, const snw_task *task,
						   snw_arena *arena, const double **points, snw_error *error) {
	snw_mesh sculpt = {0};
	const snw_status status = snw_worker_read_mesh(path, limits, task, arena, &sculpt, error);
	if (snw_failed(status)) {
		return status;
	}
	if (sculpt.point_count != mesh->point_count) {
		return snw_fail(
			error, SNW_ERROR_DATA,
			"%s: it has %u points, but mesh %s has %u; export the pose as .obj, sculpt that file, and keep its points in order",
			path, sculpt.point_count, mesh->name, mesh->point_count);
	}
	const bool same_faces =
		sculpt.face_count == mesh->face_count &&
		memcmp(sculpt.face_offsets, mesh->face_offsets, ((size_t)mesh->face_count + 1) * sizeof *mesh->face_offsets) == 0 &&
		memcmp(sculpt.face_points, mesh->face_points,
			   (size_t)mesh->face_offsets[mesh->face_count] * sizeof *mesh->face_points) == 0;
	if (!same_faces) {
		snw_task_notice(task, SNW_LOG_INFO,
						"%s: it has %u polygons, but mesh %s has %u; the point counts match, so its points are used in order",
						path, sculpt.face_count, mesh->name, mesh->face_count);
	}
	const double stretch = edge_length(mesh, sculpt.points_rest) / edge_length(mesh, mesh->points_rest);
	if (!(stretch > 1 / MOST_STRETCH && stretch < MOST_STRETCH)) {
		snw_task_notice(task, SNW_LOG_WARNING,
						"%s: its edges are %.3g times as long as at rest; check the units and the order of the points", path,
						stretch);
	}
	*points = sculpt.points_rest;
	return SNW_OK;
}
