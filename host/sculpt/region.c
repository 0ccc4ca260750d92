/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points under a brush: through the air by the index, along the surface by a walk; and their partners.
 */
#include "sculpt/session.h"

#include "base/parallel.h"
#include "sinew/algebra.h"

static void weigh(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	const snw_brush *brush = &own->stroke.brush;
	for (uint32_t i = begin; i < end; i++) {
		own->region.weights[i] = snw_falloff_weight(brush->falloff, brush->hardness, own->region.distances[i], brush->radius);
	}
}

/* Adds the partners of what is there, with no weight of their own, and links the two. */
static void add_partners(snw_sculpt *own) {
	snw_region *region = &own->region;
	const uint32_t count = region->count;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t partner = own->mirror.partners[region->points[i]];
		if (partner == SNW_NONE) {
			region->partners[i] = SNW_NONE;
			continue;
		}
		uint32_t place = region->places[partner];
		if (place >= region->count || region->points[place] != partner) {
			place = region->count++;
			region->points[place] = partner;
			region->places[partner] = place;
			region->distances[place] = region->distances[i];
			region->weights[place] = 0;
			region->partners[place] = i;
		}
		region->partners[i] = place;
	}
}

/* Where each side is worked on by itself, both have the greater weight of the two. */
static void share_weights(snw_region *region) {
	for (uint32_t i = 0; i < region->count; i++) {
		const uint32_t partner = region->partners[i];
		if (partner != SNW_NONE && region->weights[partner] > region->weights[i]) {
			region->weights[i] = region->weights[partner];
		}
	}
}

bool snw_region_find(snw_sculpt *own, const snw_brush *brush, const snw_pick *pick) {
	snw_region *region = &own->region;
	region->count = 0;
	if (brush->volume) {
		region->count = snw_index_ball(own->index, pick->position, brush->radius, region->points, region->distances);
	} else if (pick->face != SNW_NONE) {
		region->count =
			snw_walk_from(own->walk, own->points, pick->position, pick->face, brush->radius, region->points, region->distances);
	}
	/* Not cleared between dabs: a place is right where it leads back to its point. */
	for (uint32_t i = 0; i < region->count; i++) {
		region->places[region->points[i]] = i;
	}
	own->stroke.brush = *brush;
	snw_parallel_for(region->count, SNW_SCULPT_GRAIN, weigh, own);
	if (brush->symmetric && own->mirror.partners) {
		add_partners(own);
		if (!snw_brush_is_carried(brush->kind)) {
			share_weights(region);
		}
	}
	return region->count > 0;
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
