/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A slot of the joint becomes a slot of its parent that has the same transform at rest, so that no point of the rest moves.
 * There is one in nearly every file; otherwise the parent gets one.
 */
#include "weights/joint_weights.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "sinew/algebra.h"

/* Transforms at rest that differ by less than this part of the character's size are the same. */
static const double same = 1e-6;

typedef struct slot_change {
	const snw_scene *scene;
	uint32_t joint, parent;
	uint32_t *places; /* [slot_count]: the new slot */
	uint32_t count, *joints;
	double *inverse_binds; /* [count][12] */
} slot_change;

static uint32_t moved_points(const snw_scene *scene, uint32_t joint) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		for (uint32_t i = 0; mesh->influence_offsets && i < mesh->point_count; i++) {
			uint32_t at = mesh->influence_offsets[i];
			const uint32_t end = mesh->influence_offsets[i + 1];
			while (at < end && scene->slot_joints[mesh->influence_slots[at]] != joint) {
				at++;
			}
			count += at < end;
		}
	}
	return count;
}

static uint32_t index_after(const slot_change *c, uint32_t joint) {
	return joint < c->joint ? joint : joint - 1;
}

/* What a slot does to the rest. */
static void rest_transform(const snw_scene *scene, uint32_t slot, double dest[12]) {
	snw_mat34_multiply(scene->skeleton.rest_global + 12 * (size_t)scene->slot_joints[slot],
					   scene->slot_inverse_binds + 12 * (size_t)slot, dest);
}

static bool is_same(const double a[12], const double b[12], double reach) {
	for (int i = 0; i < 12; i++) {
		if (fabs(a[i] - b[i]) > same * (i % 4 == 3 ? reach : 1)) {
			return false;
		}
	}
	return true;
}

/* The new slot of the parent for one of the joint. */
static snw_status find_slot(slot_change *c, uint32_t slot, snw_error *error) {
	const snw_scene *scene = c->scene;
	double wanted[12], found[12], inverse[12];
	rest_transform(scene, slot, wanted);
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == c->parent) {
			rest_transform(scene, s, found);
			if (is_same(wanted, found, snw_scene_diagonal(scene, SNW_NONE))) {
				c->places[slot] = c->places[s];
				return SNW_OK;
			}
		}
	}
	if (!snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)c->parent, inverse)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "joint '%s' has a scale of 0 at rest, so it can take no weights",
						scene->skeleton.names[c->parent]);
	}
	snw_mat34_multiply(inverse, wanted, c->inverse_binds + 12 * (size_t)c->count);
	c->joints[c->count] = index_after(c, c->parent);
	c->places[slot] = c->count++;
	return SNW_OK;
}

static snw_status place_slots(slot_change *c, bool moves_points, snw_error *error) {
	const snw_scene *scene = c->scene;
	snw_status status = SNW_OK;
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] != c->joint) {
			memcpy(c->inverse_binds + 12 * (size_t)c->count, scene->slot_inverse_binds + 12 * (size_t)s, 12 * sizeof(double));
			c->joints[c->count] = index_after(c, scene->slot_joints[s]);
			c->places[s] = c->count++;
		}
	}
	for (uint32_t s = 0; moves_points && !snw_failed(status) && s < scene->slot_count; s++) {
		status = scene->slot_joints[s] == c->joint ? find_slot(c, s, error) : SNW_OK;
	}
	return status;
}

/* Influences that fall together are added. */
static void place_weights(const slot_change *c, snw_arena *arena, snw_mesh *mesh) {
	const snw_mesh old = *mesh;
	const uint32_t most = old.influence_offsets[old.point_count];
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)old.point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, most), count = 0;
	double *weights = SNW_NEW_ARRAY(arena, double, most);
	for (uint32_t i = 0; i < old.point_count; i++) {
		offsets[i] = count;
		for (uint32_t k = old.influence_offsets[i]; k < old.influence_offsets[i + 1]; k++) {
			const uint32_t slot = c->places[old.influence_slots[k]];
			uint32_t at = offsets[i];
			while (at < count && slots[at] != slot) {
				at++;
			}
			slots[at] = slot;
			weights[at] = (at < count ? weights[at] : 0) + old.influence_weights[k];
			count += at == count;
		}
	}
	offsets[old.point_count] = count;
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

snw_status snw_joint_weights_to_parent(const snw_scene *scene, uint32_t joint, snw_arena *arena, snw_scene *fresh,
									   uint32_t *point_count, snw_error *error) {
	const size_t room = 2 * (size_t)scene->slot_count;
	slot_change c = {.scene = scene,
					 .joint = joint,
					 .parent = scene->skeleton.parents[joint],
					 .places = SNW_NEW_ARRAY(arena, uint32_t, scene->slot_count),
					 .joints = SNW_NEW_ARRAY(arena, uint32_t, room),
					 .inverse_binds = SNW_NEW_ARRAY(arena, double, 12 * room)};
	*point_count = moved_points(scene, joint);
	if (c.parent == SNW_NONE && *point_count > 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"joint '%s' is a root and moves %u point%s, which no joint could take over; give it a parent first",
						scene->skeleton.names[joint], *point_count, snw_plural(*point_count));
	}
	const snw_status status = place_slots(&c, *point_count > 0, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_mesh *meshes = snw_arena_copy(arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (meshes[m].influence_offsets) {
			place_weights(&c, arena, &meshes[m]);
		}
	}
	fresh->meshes = meshes;
	fresh->slot_count = c.count;
	fresh->slot_joints = c.joints;
	fresh->slot_inverse_binds = c.inverse_binds;
	return SNW_OK;
}
