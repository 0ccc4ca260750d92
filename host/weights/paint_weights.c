/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The influences of a point whose weight was not painted are copied unchanged.
 */
#include "weights/weights.h"

#include <math.h>

/* A weight that differs by less was not painted: sums over several slots round. */
static const double TOLERANCE = 1e-12;

void snw_sculpt_weights(const snw_scene *scene, uint32_t mesh, uint32_t joint, double *values) {
	const snw_mesh *original = &scene->meshes[mesh];
	for (uint32_t i = 0; i < original->point_count; i++) {
		values[i] = 0;
		for (uint32_t k = original->influence_offsets ? original->influence_offsets[i] : 0;
			 original->influence_offsets && k < original->influence_offsets[i + 1]; k++) {
			values[i] += scene->slot_joints[original->influence_slots[k]] == joint ? original->influence_weights[k] : 0;
		}
	}
}

/* The slot through which a joint moves this mesh, otherwise any slot of the joint. SNW_NONE for none. */
static uint32_t slot_of(const snw_scene *scene, const snw_mesh *mesh, uint32_t joint) {
	for (uint32_t k = 0; k < mesh->influence_offsets[mesh->point_count]; k++) {
		if (scene->slot_joints[mesh->influence_slots[k]] == joint) {
			return mesh->influence_slots[k];
		}
	}
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == joint) {
			return s;
		}
	}
	return SNW_NONE;
}

struct snw_painted_skin {
	const snw_scene *scene;
	const snw_mesh *mesh;
	snw_mesh result;
	uint32_t joint, slot, parent_slot; /* SNW_NONE for none */
	const bool *locked;                /* [joint_count]; NULL for none */
	double *before;                    /* [point_count]: the joint's weights in the scene */
	/* Of the result; `count` influences so far. */
	uint32_t count;
	uint32_t *offsets, *slots;
	double *weights;
};

static void add_painted(snw_painted_skin *painted, uint32_t slot, double weight) {
	if (weight != 0) {
		painted->slots[painted->count] = slot;
		painted->weights[painted->count++] = weight;
	}
}

static void keep_point(snw_painted_skin *painted, uint32_t point) {
	for (uint32_t k = painted->mesh->influence_offsets[point]; k < painted->mesh->influence_offsets[point + 1]; k++) {
		painted->slots[painted->count] = painted->mesh->influence_slots[k];
		painted->weights[painted->count++] = painted->mesh->influence_weights[k];
	}
}

static bool is_painted_locked(const snw_painted_skin *painted, uint32_t slot) {
	return painted->locked && painted->locked[painted->scene->slot_joints[slot]];
}

/* The sum of the weights of locked joints. */
static double locked_share(const snw_painted_skin *painted, uint32_t point) {
	double share = 0;
	for (uint32_t k = painted->mesh->influence_offsets[point]; k < painted->mesh->influence_offsets[point + 1]; k++) {
		share += is_painted_locked(painted, painted->mesh->influence_slots[k]) ? painted->mesh->influence_weights[k] : 0;
	}
	return share;
}

static void paint_point(snw_painted_skin *painted, uint32_t point, double old, double wanted) {
	const double held = locked_share(painted, point), rest = 1 - old - held;
	const double painted_weight = fmin(wanted, fmax(0, 1 - held));
	const double remaining = painted_weight < wanted || 1 - painted_weight - held < TOLERANCE ? 0 : 1 - painted_weight - held;
	const bool has_others = fabs(rest) > TOLERANCE;
	const bool has_parent = painted->parent_slot != SNW_NONE && !is_painted_locked(painted, painted->parent_slot);
	if (!has_others && !has_parent) {
		keep_point(painted, point);
		return;
	}
	add_painted(painted, painted->slot, painted_weight);
	for (uint32_t k = painted->mesh->influence_offsets[point]; k < painted->mesh->influence_offsets[point + 1]; k++) {
		const uint32_t slot = painted->mesh->influence_slots[k];
		if (is_painted_locked(painted, slot)) {
			add_painted(painted, slot, painted->mesh->influence_weights[k]);
		} else if (has_others && painted->scene->slot_joints[slot] != painted->joint) {
			add_painted(painted, slot, painted->mesh->influence_weights[k] * (remaining / rest));
		}
	}
	if (!has_others) {
		add_painted(painted, painted->parent_slot, remaining);
	}
}

snw_status snw_painted_skin_make(const snw_scene *scene, uint32_t mesh, uint32_t joint, const bool *locked, snw_arena *arena,
								 snw_painted_skin **painted, snw_error *error) {
	const snw_mesh *old = &scene->meshes[mesh];
	if (!old->influence_offsets) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no skin weights to paint", old->name);
	}
	const uint32_t slot = slot_of(scene, old, joint), parent = scene->skeleton.parents[joint];
	if (slot == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "joint '%s' has no bind matrix, so it cannot move the skin; choose another",
						scene->skeleton.names[joint]);
	}
	if (locked && locked[joint]) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "joint '%s' is locked; unlock it to paint its weights",
						scene->skeleton.names[joint]);
	}
	snw_painted_skin *made = SNW_NEW(arena, snw_painted_skin);
	*made = (snw_painted_skin){.scene = scene, .mesh = old, .result = *old, .joint = joint, .slot = slot, .locked = locked};
	made->parent_slot = parent == SNW_NONE ? SNW_NONE : slot_of(scene, old, parent);
	/* A point gets at most two influences more: the joint's and its parent's. */
	const size_t most = (size_t)old->influence_offsets[old->point_count] + 2 * (size_t)old->point_count;
	made->before = SNW_NEW_ARRAY(arena, double, old->point_count);
	made->offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)old->point_count + 1);
	made->slots = SNW_NEW_ARRAY(arena, uint32_t, most);
	made->weights = SNW_NEW_ARRAY(arena, double, most);
	made->result.influence_offsets = made->offsets;
	made->result.influence_slots = made->slots;
	made->result.influence_weights = made->weights;
	snw_sculpt_weights(scene, mesh, joint, made->before);
	*painted = made;
	return SNW_OK;
}

const snw_mesh *snw_painted_skin_apply(snw_painted_skin *painted, const double *values) {
	painted->count = 0;
	for (uint32_t i = 0; i < painted->mesh->point_count; i++) {
		const double wanted = fmin(1, fmax(0, values[i]));
		if (isfinite(wanted) && fabs(values[i] - painted->before[i]) > TOLERANCE) {
			paint_point(painted, i, painted->before[i], wanted);
		} else {
			keep_point(painted, i);
		}
		painted->offsets[i + 1] = painted->count;
	}
	return &painted->result;
}

static snw_status put_painted_skin(snw_project *project, const snw_scene *scene, const bool *locked,
								   const snw_painted_mesh *painted, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_painted_skin *made = NULL;
	snw_status status = snw_painted_skin_make(scene, painted->mesh, painted->joint, locked, arena, &made, error);
	if (!snw_failed(status)) {
		const snw_mesh *skin = snw_painted_skin_apply(made, painted->values);
		status = snw_project_put_skin(project, skin->id, skin->point_count, skin->influence_offsets, skin->influence_slots,
									  skin->influence_weights, error);
	}
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_sculpt_commit_weights(snw_project *project, const snw_scene *scene, const char *label, const bool *locked,
									 uint32_t count, const snw_painted_mesh *painted, snw_error *error) {
	snw_status status = snw_project_begin(project, label, error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		status = put_painted_skin(project, scene, locked, &painted[i], error);
	}
	if (snw_failed(status)) {
		snw_project_rollback(project);
		return status;
	}
	return snw_project_commit(project, error);
}
