/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/engines/limits.h"

/* What comes before a limit: "Bevy plays". */
static const char *who_plays(const snw_plan *plan, snw_arena *arena) {
	const snw_engine *engine = plan->request->engine;
	return engine ? snw_arena_format(arena, "%s plays", engine->label) : "not every engine plays more than";
}

/* An export that names no engine can name one that plays more. */
static const char *way_out(const snw_plan *plan) {
	return plan->request->engine ? "" : ", or name the engine with --for";
}

static snw_status check_joints(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t most, snw_error *error) {
	const uint32_t joints = mesh->skin_set == SNW_NONE ? 0 : plan->skin_sets[mesh->skin_set].count;
	if (joints <= most) {
		return SNW_OK;
	}
	const char *remedy = mesh->proxy_count > 0 ? "fit it with fewer joints" : "give the weights of some joints to others";
	return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s: its skin has %u joints, and %s %u; %s%s", mesh->mesh->name, joints,
					who_plays(plan, plan->arena), most, remedy, way_out(plan));
}

static snw_status check_targets(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t most, snw_error *error) {
	if (mesh->shape_count <= most) {
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_LIMIT,
					"mesh %s: it has %u morph targets, and %s %u; fit fewer displacements or mute "
					"sculpts%s",
					mesh->mesh->name, mesh->shape_count, who_plays(plan, plan->arena), most, way_out(plan));
}

snw_status snw_engine_check(const snw_plan *plan, snw_error *error) {
	const snw_engine *engine = plan->request->engine ? plan->request->engine : snw_engine_any();
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		status = check_joints(plan, &plan->meshes[m], engine->joints, error);
		status = snw_failed(status) ? status : check_targets(plan, &plan->meshes[m], engine->targets, error);
	}
	return status;
}
