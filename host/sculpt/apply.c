/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a dab leaves: points moved, or mask or field set; and around what moved, the index and the normals.
 */
#include "sculpt/session.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "sinew/algebra.h"

enum { FACE_GRAIN = 2048 };

/* A point that erase has brought this near to its original, of the mesh's size, is the original. */
static const double ERASED = 1e-7;

/* ---- normals ------------------------------------------------------------------------------------------------------------ */

/* Twice the area vector of a face. */
static void find_area(const snw_sculpt *own, uint32_t face, double area[3]) {
	const uint32_t *corners = own->mesh->face_points + own->mesh->face_offsets[face];
	const uint32_t count = own->mesh->face_offsets[face + 1] - own->mesh->face_offsets[face];
	const double *first = own->points + 3 * (size_t)corners[0];
	area[0] = area[1] = area[2] = 0;
	for (uint32_t k = 1; k + 1 < count; k++) {
		const double *b = own->points + 3 * (size_t)corners[k], *c = own->points + 3 * (size_t)corners[k + 1];
		const double to_b[3] = {b[0] - first[0], b[1] - first[1], b[2] - first[2]};
		const double to_c[3] = {c[0] - first[0], c[1] - first[1], c[2] - first[2]};
		double part[3];
		snw_cross3(to_b, to_c, part);
		for (int i = 0; i < 3; i++) {
			area[i] += part[i];
		}
	}
}

static void find_normal(snw_sculpt *own, uint32_t point) {
	double *normal = own->normals + 3 * (size_t)point;
	normal[0] = normal[1] = normal[2] = 0;
	for (uint32_t k = own->around.face_starts[point]; k < own->around.face_starts[point + 1]; k++) {
		const double *area = own->areas + 3 * (size_t)own->around.faces[k];
		for (int i = 0; i < 3; i++) {
			normal[i] += area[i];
		}
	}
	snw_normalize3(normal);
	for (size_t i = 0; i < 3; i++) {
		own->normals_single[3 * (size_t)point + i] = (float)normal[i];
		own->points_single[3 * (size_t)point + i] = (float)own->points[3 * (size_t)point + i];
	}
}

static void find_areas_listed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_area(own, own->faces.items[i], own->areas + 3 * (size_t)own->faces.items[i]);
	}
}

static void find_normals_listed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_normal(own, own->ring.items[i]);
	}
}

static void find_areas(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	for (uint32_t f = begin; f < end; f++) {
		find_area(own, f, own->areas + 3 * (size_t)f);
	}
}

static void find_normals(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_normal(own, i);
	}
}

void snw_apply_all(snw_sculpt *own) {
	snw_parallel_for(own->mesh->face_count, FACE_GRAIN, find_areas, own);
	snw_parallel_for(own->mesh->point_count, SNW_SCULPT_GRAIN, find_normals, own);
	snw_index_refit_all(own->index);
}

void snw_apply_moved(snw_sculpt *own, uint32_t count, const uint32_t *points) {
	snw_marked_clear(&own->faces);
	snw_marked_clear(&own->ring);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t point = points[i];
		snw_marked_add(&own->ring, point); /* one without faces as well */
		for (uint32_t k = own->around.face_starts[point]; k < own->around.face_starts[point + 1]; k++) {
			snw_marked_add(&own->faces, own->around.faces[k]);
		}
	}
	for (uint32_t i = 0; i < own->faces.count; i++) {
		const uint32_t face = own->faces.items[i];
		for (uint32_t c = own->mesh->face_offsets[face]; c < own->mesh->face_offsets[face + 1]; c++) {
			snw_marked_add(&own->ring, own->mesh->face_points[c]);
		}
	}
	snw_parallel_for(own->faces.count, FACE_GRAIN, find_areas_listed, own);
	snw_parallel_for(own->ring.count, SNW_SCULPT_GRAIN, find_normals_listed, own);
	snw_index_refit(own->index, count, points, own->faces.count, own->faces.items);
	for (uint32_t i = 0; i < own->ring.count; i++) {
		snw_marked_add(&own->changes, own->ring.items[i]);
	}
}

/* ---- a dab -------------------------------------------------------------------------------------------------------------- */

/* Remembers how each point of the region was as the stroke began. */
static void remember(snw_sculpt *own) {
	const snw_brush_target target = snw_brush_changes(own->stroke.brush.kind);
	for (uint32_t i = 0; i < own->region.count; i++) {
		const uint32_t point = own->region.points[i];
		if (own->stroked.has[point]) {
			continue;
		}
		snw_marked_add(&own->stroked, point);
		double *before = own->before + 3 * (size_t)point;
		if (target == SNW_BRUSH_POINTS) {
			memcpy(before, own->points + 3 * (size_t)point, 3 * sizeof *before);
		} else {
			*before = target == SNW_BRUSH_MASKING ? own->mask[point] : own->field[point];
		}
	}
}

static void move_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	const snw_brush_kind kind = own->stroke.brush.kind;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = own->region.points[i];
		double *place = own->points + 3 * (size_t)point;
		const double *from = kind == SNW_BRUSH_GRAB ? own->before + 3 * (size_t)point : place;
		const double *step = own->result + 3 * (size_t)i, *original = own->original + 3 * (size_t)point;
		const double free = 1 - own->mask[point];
		double left = 0;
		for (int c = 0; c < 3; c++) {
			place[c] = from[c] + free * step[c];
			left = fmax(left, fabs(place[c] - original[c]));
		}
		if (kind == SNW_BRUSH_ERASE && free > 0 && left <= ERASED * own->view.longest) {
			memcpy(place, original, 3 * sizeof *place);
		}
	}
}

static void set_values(snw_sculpt *own) {
	const bool is_mask = snw_brush_changes(own->stroke.brush.kind) == SNW_BRUSH_MASKING;
	for (uint32_t i = 0; i < own->region.count; i++) {
		const uint32_t point = own->region.points[i];
		const double value = own->result[3 * (size_t)i], free = 1 - own->mask[point];
		if (is_mask) {
			own->mask[point] = fmin(1, fmax(0, value));
		} else {
			own->field[point] = free == 1 ? value : own->field[point] + free * (value - own->field[point]);
		}
		snw_marked_add(&own->changes, point);
	}
}

void snw_apply(snw_sculpt *own) {
	remember(own);
	if (snw_brush_changes(own->stroke.brush.kind) != SNW_BRUSH_POINTS) {
		set_values(own);
		return;
	}
	snw_parallel_for(own->region.count, SNW_SCULPT_GRAIN, move_points, own);
	snw_apply_moved(own, own->region.count, own->region.points);
}
