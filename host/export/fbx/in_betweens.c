/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/fbx/in_betweens.h"

#include <math.h>

#include "sinew/algebra.h"

#define SHAPE_TOLERANCE 1e-4 /* of the mesh's diagonal */
#define LEAST_WEIGHT 1e-6    /* a smaller one is none */

/* The last shape with a weight: the channel is before its end. 0 without any. */
static uint32_t last_weighted(const snw_fbx_joined *joined, const double *weights) {
	uint32_t last = joined->count - 1;
	while (last > 0 && fabs(weights[last]) < LEAST_WEIGHT) {
		last--;
	}
	return last;
}

double snw_fbx_joined_percent(const snw_fbx_joined *joined, const double *weights) {
	const uint32_t last = last_weighted(joined, weights);
	const double begin = last > 0 ? joined->percents[last - 1] : 0;
	return begin + weights[last] * (joined->percents[last] - begin);
}

static double largest_displacement(const snw_plan_morph *morph) {
	double largest = 0;
	for (size_t i = 0; i < morph->count; i++) {
		largest = fmax(largest, snw_length3(morph->vectors + 3 * i));
	}
	return largest;
}

static const snw_plan_morph *morph_of(const snw_fbx_joined *joined, uint32_t t) {
	return &joined->mesh->morphs[joined->mesh->shapes[joined->first + t].morph];
}

/* Whether the channel moves points as the weights do: the shape before the last weighted one has the rest of its weight, the
 * others none. */
static bool are_of_one_channel(const snw_fbx_joined *joined, const double *weights) {
	const uint32_t last = last_weighted(joined, weights);
	double off = 0;
	for (uint32_t t = 0; t < last; t++) {
		const double expected = t + 1 == last ? 1 - weights[last] : 0;
		off = fmax(off, fabs(weights[t] - expected) * largest_displacement(morph_of(joined, t)));
	}
	return off <= SHAPE_TOLERANCE * joined->mesh->diagonal;
}

static void gather_weights(const snw_fbx_joined *joined, const double *all, double *weights) {
	for (uint32_t t = 0; t < joined->count; t++) {
		weights[t] = all[joined->mesh->first_weight + joined->mesh->shapes[joined->first + t].morph];
	}
}

/* At rest and in all clips. */
static bool are_joined_everywhere(const snw_plan *plan, const snw_fbx_joined *joined, snw_arena *arena) {
	double *weights = SNW_NEW_ARRAY(arena, double, joined->count);
	gather_weights(joined, plan->rest_weights, weights);
	bool all = are_of_one_channel(joined, weights);
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		for (uint32_t i = 0; i < plan->samples[c].count && all; i++) {
			gather_weights(joined, plan->samples[c].weights + (size_t)i * plan->weight_count, weights);
			all = are_of_one_channel(joined, weights);
		}
	}
	return all;
}

/* The percent at which a shape is whole on the channel of the next; 0 for one that is no in-between. */
static double in_between_percent(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t shape) {
	const uint32_t channel = mesh->morphs[mesh->shapes[shape].morph].channel;
	return channel == SNW_NONE || mesh->shapes[shape].is_side ? 0 : plan->scene->channels[channel].in_between_percent;
}

/* In-betweens with rising percents, then a whole shape of the file. */
static uint32_t count_shapes(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t shape) {
	uint32_t count = 1;
	for (uint32_t s = shape; in_between_percent(plan, mesh, s) > 0; s++, count++) {
		const bool is_followed = s + 1 < mesh->shape_count && !mesh->shapes[s + 1].is_side &&
								 mesh->morphs[mesh->shapes[s + 1].morph].channel != SNW_NONE;
		const double next = is_followed ? in_between_percent(plan, mesh, s + 1) : 0;
		if (!is_followed || (next > 0 && next <= in_between_percent(plan, mesh, s))) {
			return 1;
		}
	}
	return count;
}

snw_fbx_joined snw_fbx_join_shapes(const snw_plan *plan, uint32_t m, uint32_t shape, snw_arena *arena) {
	const snw_plan_mesh *mesh = &plan->meshes[m];
	const snw_export_request *request = plan->request;
	const bool joins = request->joins_in_betweens || (request->engine && request->engine->plays_in_betweens);
	snw_fbx_joined joined = {.mesh = mesh, .first = shape, .count = joins ? count_shapes(plan, mesh, shape) : 1};
	joined.percents = SNW_NEW_ARRAY(arena, double, joined.count);
	for (uint32_t t = 0; t + 1 < joined.count; t++) {
		joined.percents[t] = in_between_percent(plan, mesh, shape + t);
	}
	joined.percents[joined.count - 1] = 100;
	if (joined.count > 1 && !are_joined_everywhere(plan, &joined, arena)) {
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"mesh %s: the in-betweens of %s have channels of their own, because their weights are not those of one "
						"channel",
						mesh->mesh->name, morph_of(&joined, joined.count - 1)->name);
		joined.count = 1;
		joined.percents[0] = 100;
	}
	return joined;
}
