/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the points under a brush, with the spatial index for straight distances or a walk for distances along the surface; then
 * their partners and their ring. Lists are in ascending order, so that memory is read in order.
 */
#include "sculpt/sculpt_internal.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "task/parallel.h"

/* Elastic fades by itself; its weight only ends it, between two radii and three. */
static double weight_at(const snw_brush *brush, double distance) {
	return brush->kind == SNW_BRUSH_ELASTIC ? snw_falloff_weight(SNW_FALLOFF_SMOOTH, 2.0 / 3, distance, snw_brush_reach(brush))
											: snw_falloff_weight(brush->falloff, brush->hardness, distance, brush->radius);
}

/* What the brush's alpha leaves of the strength at a point. */
static double alpha_at(const snw_sculpt *sculpt, const snw_brush *brush, uint32_t point) {
	const snw_region *region = &sculpt->region;
	double offset[3];
	for (size_t c = 0; c < 3; c++) {
		offset[c] = (sculpt->points[3 * (size_t)point + c] - region->place[c]) / brush->radius;
	}
	return snw_brush_alpha_at(brush->alpha, snw_dot3(offset, region->right), snw_dot3(offset, region->up));
}

/* For brushes that work on each side separately, a point reached only through its partner has the partner's weight. */
static void weigh(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	snw_region *region = &sculpt->region;
	const snw_brush *brush = &sculpt->stroke.brush;
	const bool shares = region->is_mirrored && !snw_brush_is_mirrored(brush->kind);
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = region->points[i];
		const uint32_t partner = shares ? sculpt->mirror.partners[point] : SNW_NONE;
		uint32_t reached = point;
		double distance = region->distances[point];
		if (partner != SNW_NONE && region->distances[partner] < distance) {
			distance = region->distances[partner];
			reached = partner;
		}
		region->weights[i] = weight_at(brush, distance) * (brush->alpha ? alpha_at(sculpt, brush, reached) : 1);
		region->places[point] = i;
	}
}

/* Adds the partners of the reached points, at an infinite distance. */
static void add_partners(snw_sculpt *sculpt, uint32_t count) {
	snw_region *region = &sculpt->region;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t partner = sculpt->mirror.partners[region->points[i]];
		if (partner != SNW_NONE && !snw_set_has(&region->set, partner)) {
			snw_set_add(&region->set, partner);
			region->distances[partner] = INFINITY;
		}
	}
}

/* Adds the other points of the places of the reached points, at the least distance of each place. */
static void add_seams(snw_sculpt *sculpt, uint32_t count) {
	snw_region *region = &sculpt->region;
	const uint32_t *next = sculpt->weld.next;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t point = region->points[i];
		double least = region->distances[point];
		for (uint32_t other = next[point]; other != point; other = next[other]) {
			least = snw_set_has(&region->set, other) ? fmin(least, region->distances[other]) : least;
		}
		region->distances[point] = least;
		for (uint32_t other = next[point]; other != point; other = next[other]) {
			snw_set_add(&region->set, other);
			region->distances[other] = least;
		}
	}
}

/* Adds partners and the other points of seams. On a split mesh each may bring the other, until the region has them all. */
static void complete(snw_sculpt *sculpt, uint32_t count) {
	snw_region *region = &sculpt->region;
	do {
		region->count = count;
		if (region->is_mirrored) {
			add_partners(sculpt, count);
		}
		if (sculpt->weld.first) {
			count = snw_set_list(&region->set, region->points);
			add_seams(sculpt, count);
		}
		count = snw_set_list(&region->set, region->points);
	} while (sculpt->weld.first && count != region->count);
	region->count = count;
}

void snw_region_keep_together(snw_sculpt *sculpt) {
	const snw_region *region = &sculpt->region;
	for (uint32_t i = 0; i < region->count && sculpt->weld.first; i++) {
		const uint32_t first = sculpt->weld.first[region->points[i]];
		memmove(sculpt->result + 3 * (size_t)i, sculpt->result + 3 * (size_t)region->places[first], 3 * sizeof *sculpt->result);
	}
}

bool snw_region_find(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick) {
	snw_region *region = &sculpt->region;
	double *found = region->weights; /* holds distances in the order in which points were found, until `weigh` */
	uint32_t count = 0;
	if (brush->volume) {
		count = snw_spatial_index_ball(sculpt->index, pick->position, snw_brush_reach(brush), region->points, found);
	} else if (pick->face != SNW_NONE) {
		count = snw_surface_walk_from(sculpt->walk, sculpt->points, pick->position, pick->face, snw_brush_reach(brush),
									  region->points, found);
	}
	memcpy(region->place, pick->position, sizeof region->place);
	snw_brush_alpha_axes(pick->normal, region->right, region->up);
	snw_set_clear(&region->set);
	for (uint32_t i = 0; i < count; i++) {
		snw_set_add(&region->set, region->points[i]);
		region->distances[region->points[i]] = found[i];
	}
	region->is_mirrored = brush->symmetric && sculpt->mirror.partners;
	sculpt->stroke.brush = *brush;
	complete(sculpt, count);
	snw_parallel_for(region->count, SNW_SCULPT_GRAIN, weigh, sculpt);
	return region->count > 0;
}

void snw_region_take(snw_sculpt *sculpt, const snw_set *points) {
	snw_set_clear(&sculpt->region.set);
	snw_set_join(&sculpt->region.set, points);
	sculpt->region.count = snw_set_list(&sculpt->region.set, sculpt->region.points);
}

/* Adds a corner to the ring, with the other points of its place: neighbours are first points, and all have the same normal. */
static void add_place(snw_sculpt *sculpt, uint32_t corner) {
	snw_set_add(&sculpt->ring.set, corner);
	for (uint32_t other = sculpt->weld.next ? sculpt->weld.next[corner] : corner; other != corner;
		 other = sculpt->weld.next[other]) {
		snw_set_add(&sculpt->ring.set, other);
	}
}

void snw_region_surround(snw_sculpt *sculpt) {
	const snw_region *region = &sculpt->region;
	const snw_adjacency *around = &sculpt->around;
	const uint32_t *offsets = sculpt->mesh->face_offsets, *corners = sculpt->mesh->face_points;
	snw_set_clear(&sculpt->faces.set);
	for (uint32_t i = 0; i < region->count; i++) {
		const uint32_t point = region->points[i];
		for (uint32_t k = around->face_starts[point]; k < around->face_starts[point + 1]; k++) {
			snw_set_add(&sculpt->faces.set, around->faces[k]);
		}
	}
	sculpt->faces.count = snw_set_list(&sculpt->faces.set, sculpt->faces.items);
	snw_set_clear(&sculpt->ring.set);
	snw_set_join(&sculpt->ring.set, &region->set); /* includes points without faces */
	for (uint32_t i = 0; i < sculpt->faces.count; i++) {
		const uint32_t face = sculpt->faces.items[i];
		for (uint32_t c = offsets[face]; c < offsets[face + 1]; c++) {
			add_place(sculpt, corners[c]);
		}
	}
	sculpt->ring.count = snw_set_list(&sculpt->ring.set, sculpt->ring.items);
}

bool snw_region_mean(const snw_sculpt *sculpt, double center[3], double normal[3]) {
	const snw_region *region = &sculpt->region;
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		center[c] = normal[c] = 0;
	}
	for (uint32_t i = 0; i < region->count; i++) {
		const uint32_t point = region->points[i];
		const double weight =
			sculpt->weld.first && sculpt->weld.first[point] != point ? 0 : region->weights[i]; /* each place once */
		sum += weight;
		for (size_t c = 0; c < 3; c++) {
			center[c] += weight * sculpt->points[3 * (size_t)point + c];
			normal[c] += weight * sculpt->normals[3 * (size_t)point + c];
		}
	}
	if (!(sum > 0)) {
		return false;
	}
	for (int c = 0; c < 3; c++) {
		center[c] /= sum;
	}
	snw_normalize3(normal);
	return snw_dot3(normal, normal) > 0;
}
