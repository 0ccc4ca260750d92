/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blend shapes. A channel has a weight in percent and one or more shapes, each with the weight at which it is full. Between two
 * of them the displacements go from one to the other; beyond the last they go on as they did.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/common/names.h"
#include "import/fbx/fbx_internal.h"

/* The points that a shape moves, ascending; the last of several displacements of a point is its own. */
static bool read_displacements(snw_fbx *f, const snw_fbx_node *node, const snw_fbx_space *space, uint32_t point_count,
							   snw_arena *arena, snw_morph *morph) {
	uint32_t index_count, number_count;
	const int32_t *indices = snw_fbx_integers(f, snw_fbx_child(node, "Indexes"), arena, &index_count);
	const double *numbers = indices ? snw_fbx_numbers(f, snw_fbx_child(node, "Vertices"), arena, &number_count) : NULL;
	if (!numbers || !snw_reading_reserve(&f->reading, point_count, sizeof(uint32_t)) ||
		!snw_reading_reserve(&f->reading, index_count, 28)) {
		return false;
	}
	uint32_t *places = SNW_NEW_ARRAY(arena, uint32_t, point_count); /* 1 + the displacement of each point */
	for (uint32_t i = 0; i < index_count && i < number_count / 3; i++) {
		if (indices[i] < 0 || (uint32_t)indices[i] >= point_count) {
			return snw_reading_fail(&f->reading, SNW_ERROR_DATA,
									"a blend shape moves point %d of a mesh with %u; the file is damaged: export it again",
									indices[i], point_count);
		}
		places[indices[i]] = i + 1;
	}
	uint32_t *points = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, index_count);
	double *vectors = SNW_NEW_ARRAY(f->reading.scratch, double, 3 * (size_t)index_count);
	for (uint32_t p = 0; p < point_count; p++) {
		const double *from = numbers + 3 * (size_t)(places[p] > 0 ? places[p] - 1 : 0);
		if (places[p] == 0 || !(isfinite(from[0]) && isfinite(from[1]) && isfinite(from[2])) ||
			(from[0] == 0 && from[1] == 0 && from[2] == 0)) {
			continue;
		}
		snw_fbx_space_point(space, from, vectors + 3 * (size_t)morph->count);
		points[morph->count++] = p;
	}
	morph->points = points;
	morph->vectors = vectors;
	return true;
}

static int compare_targets(const void *a, const void *b) {
	const snw_fbx_target *x = a, *y = b;
	return (x->full_weight > y->full_weight) - (x->full_weight < y->full_weight);
}

/* Targets at a weight of 0, or at the same weight as another, cannot be reached. */
static void sort_targets(snw_fbx *f, snw_fbx_channel *channel) {
	uint32_t used = 0;
	qsort(channel->targets, channel->target_count, sizeof *channel->targets, compare_targets);
	for (uint32_t t = 0; t < channel->target_count; t++) {
		const double weight = channel->targets[t].full_weight;
		if (weight > 0 && (used == 0 || weight > channel->targets[used - 1].full_weight)) {
			channel->targets[used++] = channel->targets[t];
		}
	}
	if (used < channel->target_count) {
		snw_task_notice(f->reading.task, SNW_LOG_WARNING,
						"blend shape channel %s: %u of its shapes have no weight of their own and are "
						"left out",
						channel->name ? channel->name : "", channel->target_count - used);
	}
	channel->target_count = used;
}

static bool read_channel(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, uint32_t point_count,
						 snw_fbx_channel *channel) {
	const snw_fbx_object *object = &objects->objects[channel->object];
	snw_arena *arena = snw_arena_create();
	uint32_t weight_count, at = 0, shape;
	const double *weights = snw_fbx_numbers(f, snw_fbx_child(object->node, "FullWeights"), arena, &weight_count);
	bool ok = weights && snw_reading_reserve(&f->reading, object->source_count, sizeof(snw_fbx_target));
	channel->targets = ok ? SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_target, object->source_count) : NULL;
	while (ok && (shape = snw_fbx_next_source(objects, channel->object, "Geometry", "Shape", NULL, &at)) != SNW_NONE) {
		const uint32_t t = channel->target_count++;
		snw_fbx_target *target = &channel->targets[t];
		target->full_weight = t < weight_count && isfinite(weights[t]) ? weights[t] : 100;
		target->name = snw_name_clean(f->reading.scratch, snw_fbx_object_name(f, objects, shape), f->reading.task);
		ok = read_displacements(f, objects->objects[shape].node, space, point_count, arena, &target->morph);
	}
	snw_arena_destroy(arena);
	if (ok) {
		const double stored = snw_fbx_number(snw_fbx_child(object->node, "DeformPercent"), 0, 0);
		channel->weight = snw_fbx_property_number(objects, channel->object, "DeformPercent", stored);
		channel->name = snw_name_clean(f->reading.scratch, snw_fbx_object_name(f, objects, channel->object), f->reading.task);
		sort_targets(f, channel);
	}
	return ok;
}

/* Goes through the channels of all blend shapes of a geometry; fills `channels` unless it is NULL. Returns their number. */
static uint32_t list_channels(const snw_fbx_objects *objects, uint32_t geometry, snw_fbx_channel *channels) {
	uint32_t count = 0, at = 0, blend;
	while ((blend = snw_fbx_next_source(objects, geometry, "Deformer", "BlendShape", NULL, &at)) != SNW_NONE) {
		uint32_t channel_at = 0, channel;
		while ((channel = snw_fbx_next_source(objects, blend, "Deformer", "BlendShapeChannel", NULL, &channel_at)) !=
			   SNW_NONE) {
			if (channels) {
				channels[count].object = channel;
			}
			count++;
		}
	}
	return count;
}

bool snw_fbx_read_channels(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_shape *shape) {
	shape->channel_count = list_channels(objects, shape->object, NULL);
	if (!snw_reading_reserve(&f->reading, shape->channel_count, sizeof(snw_fbx_channel))) {
		return false;
	}
	shape->channels = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_channel, shape->channel_count);
	list_channels(objects, shape->object, shape->channels);
	for (uint32_t c = 0; c < shape->channel_count; c++) {
		if (!read_channel(f, objects, space, shape->point_count, &shape->channels[c])) {
			return false;
		}
		shape->target_count += shape->channels[c].target_count;
	}
	return true;
}
