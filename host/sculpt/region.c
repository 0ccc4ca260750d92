/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points under a brush: through the air by the index, along the surface by a walk; their partners; and what lies around
 * them. All in the order of their numbers, so that what lies together is read together.
 */
#include "sculpt/session.h"

#include <math.h>

#include "base/parallel.h"
#include "sinew/algebra.h"

/* A point that is reached on the other side has the weight of its partner where each side is worked on by itself. */
static void weigh(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	snw_region *region = &own->region;
	const snw_brush *brush = &own->stroke.brush;
	const bool shares = region->is_mirrored && !snw_brush_is_carried(brush->kind);
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = region->points[i];
		const uint32_t partner = shares ? own->mirror.partners[point] : SNW_NONE;
		double distance = region->distances[point];
		if (partner != SNW_NONE && region->distances[partner] < distance) {
			distance = region->distances[partner];
		}
		region->weights[i] = snw_falloff_weight(brush->falloff, brush->hardness, distance, brush->radius);
		region->places[point] = i;
	}
}

/* Adds the partners of what was reached, themselves infinitely far. */
static void add_partners(snw_sculpt *own, uint32_t count) {
	snw_region *region = &own->region;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t partner = own->mirror.partners[region->points[i]];
		if (partner != SNW_NONE && !snw_set_has(&region->set, partner)) {
			snw_set_add(&region->set, partner);
			region->distances[partner] = INFINITY;
		}
	}
}

bool snw_region_find(snw_sculpt *own, const snw_brush *brush, const snw_pick *pick) {
	snw_region *region = &own->region;
	double *found = region->weights; /* until they are weighed: distances in the order in which points were found */
	uint32_t count = 0;
	if (brush->volume) {
		count = snw_index_ball(own->index, pick->position, brush->radius, region->points, found);
	} else if (pick->face != SNW_NONE) {
		count = snw_walk_from(own->walk, own->points, pick->position, pick->face, brush->radius, region->points, found);
	}
	snw_set_clear(&region->set);
	for (uint32_t i = 0; i < count; i++) {
		snw_set_add(&region->set, region->points[i]);
		region->distances[region->points[i]] = found[i];
	}
	region->is_mirrored = brush->symmetric && own->mirror.partners;
	if (region->is_mirrored) {
		add_partners(own, count);
	}
	own->stroke.brush = *brush;
	region->count = snw_set_list(&region->set, region->points);
	snw_parallel_for(region->count, SNW_SCULPT_GRAIN, weigh, own);
	return region->count > 0;
}

void snw_region_take(snw_sculpt *own, const snw_set *points) {
	snw_set_clear(&own->region.set);
	snw_set_join(&own->region.set, points);
	own->region.count = snw_set_list(&own->region.set, own->region.points);
}

void snw_region_surround(snw_sculpt *own) {
	const snw_region *region = &own->region;
	const snw_surroundings *around = &own->around;
	const uint32_t *offsets = own->mesh->face_offsets, *corners = own->mesh->face_points;
	snw_set_clear(&own->faces.set);
	for (uint32_t i = 0; i < region->count; i++) {
		const uint32_t point = region->points[i];
		for (uint32_t k = around->face_starts[point]; k < around->face_starts[point + 1]; k++) {
			snw_set_add(&own->faces.set, around->faces[k]);
		}
	}
	own->faces.count = snw_set_list(&own->faces.set, own->faces.items);
	snw_set_clear(&own->ring.set);
	snw_set_join(&own->ring.set, &region->set); /* points without faces as well */
	for (uint32_t i = 0; i < own->faces.count; i++) {
		const uint32_t face = own->faces.items[i];
		for (uint32_t c = offsets[face]; c < offsets[face + 1]; c++) {
			snw_set_add(&own->ring.set, corners[c]);
		}
	}
	own->ring.count = snw_set_list(&own->ring.set, own->ring.items);
}

bool snw_region_mean(const snw_sculpt *own, double center[3], double normal[3]) {
	const snw_region *region = &own->region;
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		center[c] = normal[c] = 0;
	}
	for (uint32_t i = 0; i < region->count; i++) {
		const double weight = region->weights[i];
		sum += weight;
		for (size_t c = 0; c < 3; c++) {
			center[c] += weight * own->points[3 * (size_t)region->points[i] + c];
			normal[c] += weight * own->normals[3 * (size_t)region->points[i] + c];
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
