/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins: slots grouped by meshes, as far as the engine plays a skin of so many joints.
 */
#include <string.h>

#include "export/plan/passes.h"

/* A set being made. */
typedef struct growing_set {
	snw_plan_skin_set *set;
	uint32_t *of_joint; /* [joint_count]: a slot of this joint; SNW_NONE */
} growing_set;

static growing_set set_create(const snw_plan *plan) {
	growing_set made = {.set = SNW_NEW(plan->arena, snw_plan_skin_set)};
	made.set->has = SNW_NEW_ARRAY(plan->arena, bool, plan->rig.slot_count);
	made.of_joint = SNW_NEW_ARRAY(plan->arena, uint32_t, plan->rig.joint_count);
	memset(made.of_joint, 0xff, plan->rig.joint_count * sizeof *made.of_joint);
	return made;
}

static void set_add(const snw_plan *plan, growing_set *set, uint32_t slot) {
	set->set->count += !set->set->has[slot];
	set->set->has[slot] = true;
	set->of_joint[plan->rig.slot_joints[slot]] = slot;
}

static growing_set slots_of_mesh(const snw_plan *plan, const snw_plan_mesh *mesh) {
	growing_set set = set_create(plan);
	for (size_t i = 0; i < (size_t)mesh->mesh->point_count * mesh->width; i++) {
		if (mesh->weights[i] > 0) {
			set_add(plan, &set, mesh->slots[i]);
		}
	}
	return set;
}

static uint32_t most_joints(const snw_plan *plan) {
	return (plan->request->engine ? plan->request->engine : snw_engine_any())->joints;
}

/* Whether meshes can share a skin: they have common slots, no joint has different inverse binds, and the engine plays as
 * many. */
static bool can_share(const snw_plan *plan, const growing_set *a, const growing_set *b) {
	uint32_t both = 0;
	for (uint32_t s = 0; s < plan->rig.slot_count; s++) {
		if (!b->set->has[s]) {
			continue;
		}
		const uint32_t other = a->of_joint[plan->rig.slot_joints[s]];
		both += a->set->has[s];
		if (other != SNW_NONE && !a->set->has[s]) {
			return false;
		}
	}
	return both > 0 && a->set->count + b->set->count - both <= most_joints(plan);
}

static uint32_t group_meshes(snw_plan *plan, growing_set *sets) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		mesh->skin_set = SNW_NONE;
		if (mesh->placement != SNW_PLAN_SKINNED) {
			continue;
		}
		const growing_set set = slots_of_mesh(plan, mesh);
		uint32_t s = 0;
		while (s < count && !can_share(plan, &sets[s], &set)) {
			s++;
		}
		if (s == count) {
			sets[count++] = set;
		} else {
			for (uint32_t slot = 0; slot < plan->rig.slot_count; slot++) {
				if (set.set->has[slot]) {
					set_add(plan, &sets[s], slot);
				}
			}
		}
		mesh->skin_set = s;
	}
	return count;
}

static bool is_placed(const snw_plan *plan, const growing_set *sets, uint32_t count, uint32_t slot) {
	bool placed = false;
	for (uint32_t s = 0; s < count; s++) {
		placed = placed || sets[s].set->has[slot];
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		placed = placed || (plan->meshes[m].placement == SNW_PLAN_RIGID && plan->meshes[m].slot == slot);
	}
	return placed;
}

/* Whether the set has the parent or a child of a joint. */
static bool is_adjacent(const snw_plan *plan, const growing_set *set, uint32_t joint) {
	const uint32_t parent = plan->rig.parents[joint];
	bool adjacent = parent != SNW_NONE && set->of_joint[parent] != SNW_NONE;
	for (uint32_t j = 0; j < plan->rig.joint_count && !adjacent; j++) {
		adjacent = plan->rig.parents[j] == joint && set->of_joint[j] != SNW_NONE;
	}
	return adjacent;
}

/* Adds slots without weight to the skin that has the parent or a child of their joint, so that a skin has its whole skeleton,
 * as far as the engine plays so many. */
static void place_idle_slots(const snw_plan *plan, growing_set *sets, uint32_t count) {
	for (bool added = true; added;) {
		added = false;
		for (uint32_t slot = 0; slot < plan->rig.slot_count; slot++) {
			const uint32_t joint = plan->rig.slot_joints[slot];
			for (uint32_t s = 0; s < count && !is_placed(plan, sets, count, slot); s++) {
				if (sets[s].set->count < most_joints(plan) && sets[s].of_joint[joint] == SNW_NONE &&
					is_adjacent(plan, &sets[s], joint)) {
					set_add(plan, &sets[s], slot);
					added = true;
				}
			}
		}
	}
}

void snw_plan_group_skins(snw_plan *plan) {
	growing_set *sets = SNW_NEW_ARRAY(plan->arena, growing_set, plan->mesh_count);
	plan->skin_set_count = group_meshes(plan, sets);
	place_idle_slots(plan, sets, plan->skin_set_count);
	plan->skin_sets = SNW_NEW_ARRAY(plan->arena, snw_plan_skin_set, plan->skin_set_count);
	for (uint32_t s = 0; s < plan->skin_set_count; s++) {
		plan->skin_sets[s] = *sets[s].set;
	}
	plan->report.skin_count = plan->skin_set_count;
}
