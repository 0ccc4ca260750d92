/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shapes that are written for morph targets. A morph target whose weight leaves 0 to 1 is split into sides with weights of
 * 0 to 1, because packers and many engines clamp them. For an engine that does not, it is written whole, as `extras` describes
 * its weight; on meshes with proxy joints a driven one is split all the same. A displacement without a name whose coefficient
 * is always 1 (a method's rest shape) is added to the mesh.
 */
#include <math.h>
#include <string.h>

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

/* A displacement that is 1 in every pose is where the mesh is at rest. */
static void add_to_rest(const snw_plan *plan, snw_plan_mesh *mesh, snw_plan_morph *morph) {
	const size_t numbers = 3 * (size_t)mesh->mesh->point_count;
	double *points = SNW_NEW_ARRAY(plan->arena, double, numbers);
	memcpy(points, mesh->points_rest, numbers * sizeof *points);
	for (uint32_t i = 0; i < morph->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			points[3 * (size_t)morph->points[i] + c] += morph->vectors[3 * (size_t)i + c];
		}
	}
	mesh->points_rest = points;
	morph->count = 0;
}

static void add_shapes(const snw_plan *plan, snw_plan_mesh *mesh, uint32_t t) {
	double least, most;
	find_range(plan, mesh->first_weight + t, &least, &most);
	if (least == 1 && most == 1 && mesh->morphs[t].channel == SNW_NONE && !mesh->morphs[t].model_name) {
		add_to_rest(plan, mesh, &mesh->morphs[t]);
		return;
	}
	const snw_engine *engine = plan->request->engine ? plan->request->engine : snw_engine_any();
	const bool may_leave = mesh->proxy_count == 0 && !engine->clamps_weights;
	const bool is_import = mesh->morphs[t].channel != SNW_NONE;
	const double beyond = is_import ? SNW_PLAN_CHANNEL_CLAMPED : SNW_PLAN_CLAMPED;
	const bool whole = may_leave || (is_import && !mesh->splits_channels) || (least >= -beyond && most <= 1 + beyond);
	if (whole) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.morph = t, .reach = 1};
		return;
	}
	if (most > SNW_PLAN_CLAMPED) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.morph = t, .reach = most, .is_side = true};
	}
	if (least < -SNW_PLAN_CLAMPED) {
		mesh->shapes[mesh->shape_count++] = (snw_plan_shape){.morph = t, .reach = least, .is_side = true};
	}
}

/* Each point that a shape moves has an index, a displacement and a normal. */
static uint64_t count_bytes(const snw_plan_mesh *mesh) {
	enum { POINT_BYTES = sizeof(uint32_t) + 6 * sizeof(float) };
	uint64_t bytes = 0;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		bytes += POINT_BYTES * (uint64_t)mesh->morphs[mesh->shapes[s].morph].count;
	}
	return bytes;
}

static uint64_t count_source_bytes(const snw_plan *plan) {
	uint64_t bytes = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		for (uint32_t t = 0; t < plan->scene->target_count; t++) {
			const snw_target *target = &plan->scene->targets[t];
			const bool is_of_mesh = target->mesh == plan->meshes[m].index;
			bytes += is_of_mesh ? 3 * sizeof(float) * (uint64_t)target->frame_count * plan->meshes[m].mesh->point_count : 0;
		}
	}
	return bytes;
}

void snw_plan_choose_shapes(snw_plan *plan) {
	plan->report.morph_count = plan->report.most_morphs = 0;
	plan->report.morph_bytes = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		mesh->shapes = SNW_NEW_ARRAY(plan->arena, snw_plan_shape, 2 * (size_t)mesh->morph_count);
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			add_shapes(plan, mesh, t);
		}
		plan->report.morph_count += mesh->shape_count;
		plan->report.morph_bytes += count_bytes(mesh);
		if (mesh->shape_count > plan->report.most_morphs) {
			plan->report.most_morphs = mesh->shape_count;
		}
	}
	plan->report.source_bytes = count_source_bytes(plan);
	if (plan->request->path && plan->report.source_bytes > 0 && plan->report.morph_bytes > plan->report.source_bytes) {
		snw_task_notice(
			plan->task, SNW_LOG_WARNING,
			"larger than the animation: about %.1f MB of morph targets, where its frames take %.1f MB; 'sinew bake' makes "
			"a smaller skin",
			1e-6 * (double)plan->report.morph_bytes, 1e-6 * (double)plan->report.source_bytes);
	}
}

double snw_plan_shape_weight(const snw_plan_shape *shape, double weight) {
	return shape->is_side ? fmax(0, weight / shape->reach) : weight;
}

const char *snw_plan_shape_name(const snw_plan_mesh *mesh, const snw_plan_shape *shape, snw_arena *arena) {
	const char *name = mesh->morphs[shape->morph].name;
	return shape->is_side ? snw_arena_format(arena, "%s %s", name, shape->reach > 0 ? "+" : "-") : name;
}
