/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The influences of a point whose weight was not painted are copied unchanged.
 */
#include "edit/paint_weights.h"

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

/* The painted weights and the new skin. */
typedef struct repaint {
	const snw_scene *scene;
	const snw_mesh *mesh;
	uint32_t joint, slot, parent_slot; /* SNW_NONE for none */
	uint32_t count;                    /* of influences so far */
	uint32_t *slots;
	double *weights;
} repaint;

static void add(repaint *job, uint32_t slot, double weight) {
	if (weight != 0) {
		job->slots[job->count] = slot;
		job->weights[job->count++] = weight;
	}
}

static void copy_point(repaint *job, uint32_t point) {
	for (uint32_t k = job->mesh->influence_offsets[point]; k < job->mesh->influence_offsets[point + 1]; k++) {
		job->slots[job->count] = job->mesh->influence_slots[k];
		job->weights[job->count++] = job->mesh->influence_weights[k];
	}
}

static void paint_point(repaint *job, uint32_t point, double old, double wanted) {
	const double rest = 1 - old;
	const bool has_others = fabs(rest) > TOLERANCE;
	if (!has_others && job->parent_slot == SNW_NONE) {
		copy_point(job, point);
		return;
	}
	add(job, job->slot, wanted);
	if (!has_others) {
		add(job, job->parent_slot, 1 - wanted);
		return;
	}
	for (uint32_t k = job->mesh->influence_offsets[point]; k < job->mesh->influence_offsets[point + 1]; k++) {
		const uint32_t slot = job->mesh->influence_slots[k];
		if (job->scene->slot_joints[slot] != job->joint) {
			add(job, slot, job->mesh->influence_weights[k] * ((1 - wanted) / rest));
		}
	}
}

snw_status snw_sculpt_weights_apply(const snw_scene *scene, uint32_t mesh, uint32_t joint, const double *values,
									snw_arena *arena, snw_mesh *skin, snw_error *error) {
	const snw_mesh *old = &scene->meshes[mesh];
	if (!old->influence_offsets) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no skin weights to paint", old->name);
	}
	repaint job = {.scene = scene, .mesh = old, .joint = joint, .slot = slot_of(scene, old, joint)};
	if (job.slot == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "joint '%s' has no bind matrix, so it cannot move the skin; choose another",
						scene->skeleton.names[joint]);
	}
	const uint32_t parent = scene->skeleton.parents[joint];
	job.parent_slot = parent == SNW_NONE ? SNW_NONE : slot_of(scene, old, parent);
	/* A point gains at most two influences: the joint's and its parent's. */
	const size_t most = (size_t)old->influence_offsets[old->point_count] + 2 * (size_t)old->point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)old->point_count + 1);
	job.slots = SNW_NEW_ARRAY(arena, uint32_t, most);
	job.weights = SNW_NEW_ARRAY(arena, double, most);
	double *before = SNW_NEW_ARRAY(arena, double, old->point_count);
	snw_sculpt_weights(scene, mesh, joint, before);
	for (uint32_t i = 0; i < old->point_count; i++) {
		const double wanted = fmin(1, fmax(0, values[i]));
		if (isfinite(wanted) && fabs(values[i] - before[i]) > TOLERANCE) {
			paint_point(&job, i, before[i], wanted);
		} else {
			copy_point(&job, i);
		}
		offsets[i + 1] = job.count;
	}
	*skin = *old;
	skin->influence_offsets = offsets;
	skin->influence_slots = job.slots;
	skin->influence_weights = job.weights;
	return SNW_OK;
}

snw_status snw_sculpt_commit_weights(snw_project *project, const snw_scene *scene, const char *label, uint32_t mesh,
									 uint32_t joint, const double *values, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_mesh skin = {0};
	snw_status status = snw_sculpt_weights_apply(scene, mesh, joint, values, arena, &skin, error);
	status = snw_failed(status) ? status : snw_project_begin(project, label, error);
	if (!snw_failed(status)) {
		status = snw_project_put_skin(project, skin.id, skin.point_count, skin.influence_offsets, skin.influence_slots,
									  skin.influence_weights, error);
		if (!snw_failed(status)) {
			status = snw_project_commit(project, error);
		} else {
			snw_project_rollback(project);
		}
	}
	snw_arena_destroy(arena);
	return status;
}
