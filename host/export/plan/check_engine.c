/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether an engine plays a plan, and what to do if not.
 */
#include "export/plan/plan.h"

/* What comes before a limit: "Bevy plays". */
static const char *who_plays(const snw_plan *plan, snw_arena *arena) {
	const snw_engine *engine = plan->request->engine;
	return engine ? snw_arena_format(arena, "%s plays", engine->label) : "not every engine plays more than";
}

/* An export that names no engine can name one that plays more. */
static const char *way_out(const snw_plan *plan) {
	return plan->request->engine ? "" : ", or name the engine with --for";
}

/* A bake that has few enough. */
static const char *bake(const snw_plan *plan, uint32_t joints, uint32_t morphs) {
	const snw_engine *engine = plan->request->engine;
	return snw_arena_format(plan->arena, "run 'sinew bake P.sinew%s%s --budget influences=%u,joints=%u,morphs=%u'",
							engine ? " --for " : "", engine ? engine->name : "", plan->request->influences, joints, morphs);
}

static snw_status check_joints(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_engine *engine, snw_error *error) {
	const uint32_t joints = mesh->skin_set == SNW_NONE ? 0 : plan->skin_sets[mesh->skin_set].count;
	if (joints <= engine->joints) {
		return SNW_OK;
	}
	const uint32_t morphs = mesh->shape_count < engine->morphs ? mesh->shape_count : engine->morphs;
	const char *remedy = mesh->proxy_count > 0 ? "fit it with fewer joints" : bake(plan, engine->joints, morphs);
	return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s: its skin has %u joints, and %s %u; %s%s", mesh->mesh->name, joints,
					who_plays(plan, plan->arena), engine->joints, remedy, way_out(plan));
}

/* A bake keeps the morph targets that came with the character, and makes no more of a mesh without a skeleton. */
static const char *fewer_morphs(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_engine *engine) {
	uint32_t imported = 0;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		imported += mesh->morphs[mesh->shapes[s].morph].channel != SNW_NONE;
	}
	if (imported > engine->morphs) {
		return snw_arena_format(plan->arena, "%u came with the character: import it with fewer", imported);
	}
	if (mesh->proxy_count > 0 || mesh->skin_set == SNW_NONE) {
		return "fit fewer displacements or mute sculpts";
	}
	return bake(plan, plan->skin_sets[mesh->skin_set].count, engine->morphs);
}

static snw_status check_morphs(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_engine *engine, snw_error *error) {
	if (mesh->shape_count <= engine->morphs) {
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s: it has %u morph targets, and %s %u; %s%s", mesh->mesh->name,
					mesh->shape_count, who_plays(plan, plan->arena), engine->morphs, fewer_morphs(plan, mesh, engine),
					way_out(plan));
}

snw_status snw_plan_check_engine(const snw_plan *plan, snw_error *error) {
	const snw_engine *engine = plan->request->engine ? plan->request->engine : snw_engine_any();
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		status = check_joints(plan, &plan->meshes[m], engine, error);
		status = snw_failed(status) ? status : check_morphs(plan, &plan->meshes[m], engine, error);
	}
	return status;
}
