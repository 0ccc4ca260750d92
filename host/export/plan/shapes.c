/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shapes that are written for morph targets. Targets of meshes with proxy joints, and all for an engine that clamps weights, are
 * split into sides with weights of 0 to 1. Others are written whole, because `extras` describes their weights.
 */
#include <math.h>

#include "export/plan/passes.h"

static void find_range(const snw_plan *plan, uint32_t weight, double *least, double *most) {
	*least = *most = plan->rest_weights[weight];
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		const snw_plan_samples *samples = &plan->samples[c];
		for (uint32_t i = 0; i < samples->count; i++) {
			const double value = samples->weights[(size_t)i * plan->weight_count + weight];
			*least = fmin(*least, value);
			*most = fmax(*most, value);
		}
	}
}

static void add_shapes(const snw_plan *plan, snw_plan_mesh *mesh, uint32_t t) {
	double least, most;
	find_range(plan, mesh->first_weight + t, &least, &most);
	const bool may_leave = mesh->proxy_count == 0 && !(plan->request->engine && plan->request->engine->clamps_weights);
	const bool whole = may_leave || mesh->targets[t].channel != SNW_NONE || (least >= 0 && most <= 1);
	if (whole) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.target = t, .reach = 1};
		return;
	}
	if (most > 0) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.target = t, .reach = most, .is_side = true};
	}
	if (least < 0) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.target = t, .reach = least, .is_side = true};
	}
}

void snw_plan_choose_shapes(snw_plan *plan) {
	plan->report.morph_count = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		mesh->shapes = SNW_NEW_ARRAY(plan->arena, snw_plan_shape, 2 * (size_t)mesh->target_count);
		for (uint32_t t = 0; t < mesh->target_count; t++) {
			add_shapes(plan, mesh, t);
		}
		plan->report.morph_count += mesh->shape_count;
	}
}

double snw_plan_shape_weight(const snw_plan_shape *shape, double weight) {
	return shape->is_side ? fmax(0, weight / shape->reach) : weight;
}

const char *snw_plan_shape_name(const snw_plan_mesh *mesh, const snw_plan_shape *shape, snw_arena *arena) {
	const char *name = mesh->targets[shape->target].name;
	return shape->is_side ? snw_arena_format(arena, "%s %s", name, shape->reach > 0 ? "+" : "-") : name;
}
