/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applies a dab: it moves points or sets the mask or a field, then updates the index and the normals around moved points.
 */
#include "sculpt/sculpt_internal.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/mesh/face_area.h"
#include "task/parallel.h"

enum { FACE_GRAIN = 2048 };

/* Erase and morph snap a point to where they move it within this share of the mesh's diagonal. */
static const double SNAP_DISTANCE = 1e-7;

/* ---- normals ------------------------------------------------------------------------------------------------------------ */

static void find_area(const snw_sculpt *sculpt, uint32_t face) {
	const uint32_t begin = sculpt->mesh->face_offsets[face], end = sculpt->mesh->face_offsets[face + 1];
	snk_face_area(sculpt->points, sculpt->mesh->face_points + begin, end - begin, sculpt->areas + 3 * (size_t)face);
}

static void sum_areas(const snw_sculpt *sculpt, const uint32_t *starts, const uint32_t *faces, uint32_t point,
					  double normal[3]) {
	normal[0] = normal[1] = normal[2] = 0;
	for (uint32_t k = starts[point]; k < starts[point + 1]; k++) {
		const double *area = sculpt->areas + 3 * (size_t)faces[k];
		for (int i = 0; i < 3; i++) {
			normal[i] += area[i];
		}
	}
	snw_normalize3(normal);
}

/* Brushes have the normal of the welded mesh. What is drawn has that of the split one, so that hard edges stay hard. */
static void find_normal(snw_sculpt *sculpt, uint32_t point) {
	double *normal = sculpt->normals + 3 * (size_t)point, drawn[3];
	sum_areas(sculpt, sculpt->around.face_starts, sculpt->around.faces, point, normal);
	memcpy(drawn, normal, sizeof drawn);
	if (sculpt->weld.first) {
		sum_areas(sculpt, sculpt->split_starts, sculpt->split_faces, point, drawn);
	}
	for (size_t i = 0; i < 3; i++) {
		sculpt->normals_single[3 * (size_t)point + i] = (float)drawn[i];
		sculpt->points_single[3 * (size_t)point + i] = (float)sculpt->points[3 * (size_t)point + i];
	}
}

static void find_areas_listed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_area(sculpt, sculpt->faces.items[i]);
	}
}

static void find_normals_listed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_normal(sculpt, sculpt->ring.items[i]);
	}
}

static void find_areas(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t f = begin; f < end; f++) {
		find_area(sculpt, f);
	}
}

static void find_normals(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_normal(sculpt, i);
	}
}

void snw_refresh_all(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->mesh->face_count, FACE_GRAIN, find_areas, sculpt);
	snw_parallel_for(sculpt->mesh->point_count, SNW_SCULPT_GRAIN, find_normals, sculpt);
	snw_spatial_index_refit_all(sculpt->index);
}

void snw_refresh_region(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->faces.count, FACE_GRAIN, find_areas_listed, sculpt);
	snw_parallel_for(sculpt->ring.count, SNW_SCULPT_GRAIN, find_normals_listed, sculpt);
	snw_spatial_index_refit(sculpt->index, sculpt->region.count, sculpt->region.points, sculpt->faces.count,
							sculpt->faces.items);
	snw_set_join(&sculpt->changes.set, &sculpt->ring.set);
}

/* ---- a dab -------------------------------------------------------------------------------------------------------------- */

static bool is_hidden(const snw_sculpt *sculpt, uint32_t point) {
	return sculpt->hidden_faces && snw_set_has(&sculpt->hidden_points, point);
}

static void move_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	const snw_brush_kind kind = sculpt->stroke.brush.kind;
	const bool morphs = kind == SNW_BRUSH_MORPH && !sculpt->stroke.brush.invert;
	const double *goals = morphs ? sculpt->goal : sculpt->original;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = sculpt->region.points[i];
		double *place = sculpt->points + 3 * (size_t)point;
		const double *from = snw_brush_drags(kind) ? sculpt->before + 3 * (size_t)point : place;
		const double *step = sculpt->result + 3 * (size_t)i, *goal = goals + 3 * (size_t)point;
		const double mask = sculpt->mask[sculpt->weld.first ? sculpt->weld.first[point] : point];
		const double free = is_hidden(sculpt, point) ? 0 : 1 - mask;
		const double start[3] = {from[0], from[1], from[2]};
		bool is_near = (morphs || kind == SNW_BRUSH_ERASE) && free > 0;
		for (int c = 0; c < 3; c++) {
			place[c] = from[c] + free * step[c];
			is_near = is_near && fabs(place[c] - goal[c]) <= SNAP_DISTANCE * sculpt->view.longest;
		}
		if (is_near) {
			memcpy(place, goal, 3 * sizeof *place);
		}
		if (sculpt->stroke.brush.stays_outside) {
			snw_walls_stop(&sculpt->walls, point, start, place);
		}
	}
}

static void set_values(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	const bool is_mask = snw_brush_changes(sculpt->stroke.brush.kind) == SNW_BRUSH_MASKING;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = sculpt->region.points[i];
		const double value = sculpt->result[3 * (size_t)i], free = 1 - sculpt->mask[point];
		double *current = is_mask ? &sculpt->mask[point] : &sculpt->field[point];
		if (!snw_set_has(&sculpt->stroked, point)) {
			sculpt->value_before[point] = *current;
		}
		if (is_hidden(sculpt, point)) {
			continue;
		}
		if (is_mask) {
			*current = value < 0 ? 0 : value > 1 ? 1 : value;
		} else {
			*current = free == 1 ? value : *current + free * (value - *current);
		}
	}
}

void snw_apply(snw_sculpt *sculpt) {
	const bool moves = snw_brush_changes(sculpt->stroke.brush.kind) == SNW_BRUSH_POINTS;
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, moves ? move_points : set_values, sculpt);
	snw_set_join(&sculpt->stroked, &sculpt->region.set);
	if (moves) {
		snw_refresh_region(sculpt);
	} else {
		snw_set_join(&sculpt->changes.set, &sculpt->region.set);
	}
}
