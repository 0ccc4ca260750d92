/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The influences of a mesh in the file: the K largest of each point, normalised; and meshes that follow one slot.
 */
#include <string.h>

#include "export/plan/passes.h"

/* The influences to export: those of the program if it runs on joints, otherwise the mesh's base skin. Offsets are NULL for a
 * mesh that no joint moves. */
static snw_status choose_skin(const snw_plan *plan, const snw_plan_mesh *mesh, snw_plan_skin *source, snw_error *error) {
	const bool blends = mesh->program && mesh->program->blend != SNW_BLEND_NONE;
	const bool is_all = mesh->program && snw_stack_segment_count(plan->stack, mesh->index) == 1;
	*source = (snw_plan_skin){0};
	if (blends && (mesh->runs_on_joints || mesh->proxy_count > 0)) {
		*source = mesh->skin;
	} else if (mesh->mesh->influence_offsets && (blends || !is_all)) {
		*source = (snw_plan_skin){mesh->mesh->influence_offsets, mesh->mesh->influence_slots, mesh->mesh->influence_weights};
	} else if (blends) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"mesh %s: its proxy joints need a clip to be fitted to, and it has no other skin that %s can play; "
						"export .pc2, .mdd or numbered .obj",
						mesh->mesh->name, plan->format);
	}
	return SNW_OK;
}

typedef struct ranked_influence {
	uint32_t slot;
	double weight;
} ranked_influence;

/* The influences of one point, each slot once, largest first (equal ones by slot), without those of no positive weight. */
static uint32_t gather_influences(const snw_plan_skin *source, uint32_t point, ranked_influence *list, uint32_t *negative) {
	uint32_t count = 0;
	for (uint32_t i = source->offsets[point]; i < source->offsets[point + 1]; i++) {
		uint32_t at = 0;
		while (at < count && list[at].slot != source->slots[i]) {
			at++;
		}
		if (at == count) {
			list[count++] = (ranked_influence){source->slots[i], 0};
		}
		list[at].weight += source->weights[i];
	}
	uint32_t used = 0;
	for (uint32_t i = 0; i < count; i++) {
		const ranked_influence one = list[i];
		*negative += one.weight < 0;
		if (!(one.weight > 0)) {
			continue;
		}
		uint32_t at = used++;
		while (at > 0 &&
			   (list[at - 1].weight < one.weight || (list[at - 1].weight == one.weight && list[at - 1].slot > one.slot))) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = one;
	}
	return used;
}

/* Keeps the largest influences and normalises their weights. */
static void keep_largest(snw_plan *plan, snw_plan_mesh *mesh, const snw_plan_skin *source) {
	const uint32_t points = mesh->mesh->point_count;
	uint32_t most = 1;
	for (uint32_t p = 0; p < points; p++) {
		const uint32_t count = source->offsets[p + 1] - source->offsets[p];
		most = count > most ? count : most;
	}
	ranked_influence *list = SNW_NEW_ARRAY(plan->arena, ranked_influence, most);
	mesh->width = most > 4 ? plan->request->influences : 4;
	mesh->slots = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points * mesh->width);
	mesh->weights = SNW_NEW_ARRAY(plan->arena, float, (size_t)points * mesh->width);
	bool rigid = true;
	for (uint32_t p = 0; p < points; p++) {
		uint32_t *slots = mesh->slots + (size_t)p * mesh->width;
		float *weights = mesh->weights + (size_t)p * mesh->width;
		uint32_t count = gather_influences(source, p, list, &plan->report.dropped_influences);
		plan->report.dropped_influences += count > mesh->width ? count - mesh->width : 0;
		count = count > mesh->width ? mesh->width : count;
		double sum = 0;
		for (uint32_t i = 0; i < count; i++) {
			sum += list[i].weight;
		}
		for (uint32_t i = 0; i < count; i++) {
			slots[i] = mesh->proxy_count > 0 ? mesh->first_slot + mesh->proxy_of_slot[list[i].slot] : list[i].slot;
			weights[i] = (float)(list[i].weight / sum);
		}
		if (count == 0) {
			slots[0] = mesh->first_slot;
			weights[0] = 1; /* every point of a skin needs an influence */
		}
		rigid = rigid && count == 1 && slots[0] == mesh->slots[0];
	}
	mesh->placement = SNW_PLAN_SKINNED;
	mesh->slot = rigid ? mesh->slots[0] : SNW_NONE;
}

static bool blends_dual_quaternions(const snw_plan *plan, const snw_plan_mesh *mesh) {
	return plan->request->plays_dual_quaternions && mesh->program && mesh->program->blend == SNW_BLEND_DUAL_QUATERNION &&
		   mesh->program->sign_rule == SNW_SIGN_SHORTEST && mesh->runs_on_joints;
}

/* The program of the influences that were kept. */
static const snw_program *dual_quaternions_of(const snw_plan *plan, const snw_plan_mesh *mesh) {
	const uint32_t points = mesh->mesh->point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points * mesh->width);
	double *weights = SNW_NEW_ARRAY(plan->arena, double, (size_t)points * mesh->width);
	for (uint32_t p = 0; p < points; p++) {
		uint32_t end = offsets[p];
		for (size_t at = (size_t)p * mesh->width; at < ((size_t)p + 1) * mesh->width && mesh->weights[at] > 0; at++) {
			slots[end] = mesh->slots[at];
			weights[end++] = (double)mesh->weights[at];
		}
		offsets[p + 1] = end;
	}
	snw_program *program = SNW_NEW(plan->arena, snw_program);
	*program = (snw_program){.point_count = points,
							 .blend = SNW_BLEND_DUAL_QUATERNION,
							 .sign_rule = SNW_SIGN_SHORTEST,
							 .slot_count = mesh->program->slot_count,
							 .points_rest = mesh->points_rest,
							 .influence_offsets = offsets,
							 .influence_slots = slots,
							 .influence_weights = weights};
	return program;
}

snw_status snw_plan_keep_influences(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	snw_plan_skin source;
	const snw_status status = choose_skin(plan, mesh, &source, error);
	if (!snw_failed(status) && source.offsets) {
		keep_largest(plan, mesh, &source);
		mesh->dual_quaternions = blends_dual_quaternions(plan, mesh) ? dual_quaternions_of(plan, mesh) : NULL;
	}
	return status;
}

/* A mesh that follows one slot can be a node's mesh (it has the joint's name) or skinned like others (a head), and is exported
 * as it was imported. If no mesh needs a skin, none has one. */
void snw_plan_place_rigid_meshes(snw_plan *plan) {
	bool skins = false;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		skins = skins || (plan->meshes[m].placement == SNW_PLAN_SKINNED && plan->meshes[m].slot == SNW_NONE);
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		if (mesh->slot == SNW_NONE) {
			continue;
		}
		const char *joint = plan->rig.names[plan->rig.slot_joints[mesh->slot]];
		if (!skins || strcmp(joint, mesh->mesh->name) == 0) {
			mesh->placement = SNW_PLAN_RIGID;
		}
	}
}
