/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matches the joints, channels and meshes of the old scene with those of the new one.
 */
#include "transfer/transfer.h"

#include <math.h>
#include <string.h>

#include "transfer/transfer_internal.h"

/* ---- joints and channels ------------------------------------------------------------------------------------------------- */

static uint32_t find_channel(const snw_scene *scene, const char *name) {
	for (uint32_t i = 0; i < scene->channel_count; i++) {
		if (strcmp(scene->channels[i].name, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

/* Equal within the rounding of a file of floats; `reach` is the size of the character. */
static bool same_matrix(const double a[12], const double b[12], double reach) {
	for (int i = 0; i < 12; i++) {
		if (fabs(a[i] - b[i]) > SNW_TRANSFER_STILL * (i % 4 == 3 ? reach : 1)) {
			return false;
		}
	}
	return true;
}

static void match_joints(snw_transfer_state *c) {
	const snw_skeleton *old = &c->old->skeleton, *fresh = &c->fresh->skeleton;
	c->joints = SNW_NEW_ARRAY(c->arena, uint32_t, old->joint_count);
	c->channels = SNW_NEW_ARRAY(c->arena, uint32_t, c->old->channel_count);
	const double reach = snw_scene_diagonal(c->old, SNW_NONE);
	uint32_t same = 0;
	for (uint32_t j = 0; j < old->joint_count; j++) {
		const uint32_t place = snw_scene_find_joint(c->fresh, old->names[j]);
		c->joints[j] = place;
		if (place == SNW_NONE) {
			c->result->joints_gone++;
			continue;
		}
		same++;
		c->result->joints_moved +=
			!same_matrix(old->rest_global + 12 * (size_t)j, fresh->rest_global + 12 * (size_t)place, reach);
	}
	c->result->joints_added = fresh->joint_count - same;
	for (uint32_t i = 0; i < c->old->channel_count; i++) {
		c->channels[i] = find_channel(c->fresh, c->old->channels[i].name);
	}
}

/* ---- appearance ---------------------------------------------------------------------------------------------------------- */

/* Rows with the same name match. */
static void transfer_looks(snw_transfer_state *c) {
	const snw_scene *old = c->old, *fresh = c->fresh;
	snw_image *images = SNW_NEW_ARRAY(c->arena, snw_image, fresh->image_count);
	snw_material *materials = SNW_NEW_ARRAY(c->arena, snw_material, fresh->material_count);
	for (uint32_t i = 0; i < fresh->image_count; i++) {
		images[i] = fresh->images[i];
		images[i].id = i < old->image_count && strcmp(old->images[i].name, images[i].name) == 0 ? old->images[i].id : 0;
	}
	for (uint32_t i = 0; i < fresh->material_count; i++) {
		materials[i] = fresh->materials[i];
		materials[i].id =
			i < old->material_count && strcmp(old->materials[i].name, materials[i].name) == 0 ? old->materials[i].id : 0;
	}
	c->result->scene.images = images;
	c->result->scene.materials = materials;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static snw_status check_topology(const snw_mesh *old, const snw_mesh *fresh, snw_error *error) {
	static const char advice[] =
		"sculpts and targets need the same points; import it as a new project, or export it with the old points and faces";
	if (old->point_count != fresh->point_count || old->face_count != fresh->face_count) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "mesh '%s' has %u points and %u faces, but had %u and %u: %s", old->name,
						fresh->point_count, fresh->face_count, old->point_count, old->face_count, advice);
	}
	for (uint32_t f = 0; f < old->face_count; f++) {
		const uint32_t begin = old->face_offsets[f], corners = old->face_offsets[f + 1] - begin;
		if (fresh->face_offsets[f] != begin || fresh->face_offsets[f + 1] != begin + corners ||
			memcmp(old->face_points + begin, fresh->face_points + begin, corners * sizeof *old->face_points) != 0) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"mesh '%s' has other faces, or its points in another order (face %u): %s", old->name, f, advice);
		}
	}
	return SNW_OK;
}

static bool is_used(const snw_scene *scene, uint32_t mesh) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].mesh == mesh) {
			return true;
		}
	}
	for (uint32_t i = 0; i < scene->target_count; i++) {
		if (scene->targets[i].mesh == mesh) {
			return true;
		}
	}
	return false;
}

/* The weight of a joint, by name, at a point. */
static double weight_at(const snw_scene *scene, const snw_mesh *mesh, uint32_t point, const char *joint) {
	double weight = 0;
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		if (strcmp(scene->skeleton.names[scene->slot_joints[mesh->influence_slots[i]]], joint) == 0) {
			weight += mesh->influence_weights[i];
		}
	}
	return weight;
}

/* Whether every weight of `a` is also in `b`. Since both sum to 1, `b` then has no others that matter. */
static bool same_skin(const snw_scene *old, const snw_mesh *a, const snw_scene *fresh, const snw_mesh *b) {
	if (!a->influence_offsets || !b->influence_offsets) {
		return !a->influence_offsets == !b->influence_offsets;
	}
	for (uint32_t p = 0; p < a->point_count; p++) {
		for (uint32_t i = a->influence_offsets[p]; i < a->influence_offsets[p + 1]; i++) {
			const char *joint = old->skeleton.names[old->slot_joints[a->influence_slots[i]]];
			if (fabs(weight_at(old, a, p, joint) - weight_at(fresh, b, p, joint)) > SNW_TRANSFER_STILL) {
				return false;
			}
		}
	}
	return true;
}

/* The new mesh, with the old values of everything that has not moved, to the last bit, so that a file's rounding makes no
 * model stale. */
static snw_mesh transfer_mesh(snw_transfer_state *c, uint32_t old_mesh, const snw_mesh *fresh) {
	const snw_mesh *old = &c->old->meshes[old_mesh];
	const double least = SNW_TRANSFER_STILL * snw_scene_diagonal(c->old, old_mesh);
	double *points = snw_arena_copy(c->arena, fresh->points_rest, 3 * (size_t)fresh->point_count * sizeof *points);
	for (uint32_t i = 0; i < old->point_count; i++) {
		const double *a = old->points_rest + 3 * (size_t)i;
		double *b = points + 3 * (size_t)i;
		if (fabs(a[0] - b[0]) > least || fabs(a[1] - b[1]) > least || fabs(a[2] - b[2]) > least) {
			c->result->points_moved++;
		} else {
			memcpy(b, a, 3 * sizeof *b);
		}
	}
	snw_mesh mesh = *fresh;
	mesh.id = old->id;
	mesh.points_rest = points;
	c->result->skins_changed += !same_skin(c->old, old, c->fresh, fresh);
	return mesh;
}

/* Old meshes first, in their order, which the project's indices use; then the new ones. */
static snw_status transfer_meshes(snw_transfer_state *c) {
	const snw_scene *old = c->old, *fresh = c->fresh;
	snw_mesh *meshes = SNW_NEW_ARRAY(c->arena, snw_mesh, fresh->mesh_count);
	bool *taken = SNW_NEW_ARRAY(c->arena, bool, fresh->mesh_count);
	uint32_t count = 0;
	c->meshes = SNW_NEW_ARRAY(c->arena, uint32_t, old->mesh_count);
	for (uint32_t m = 0; m < old->mesh_count; m++) {
		const bool only = old->mesh_count == 1 && fresh->mesh_count == 1;
		const uint32_t place = only ? 0 : snw_scene_find_mesh(fresh, old->meshes[m].name);
		c->meshes[m] = SNW_NONE;
		if (place == SNW_NONE) {
			if (is_used(old, m)) {
				return snw_fail(c->error, SNW_ERROR_CONFLICT,
								"mesh '%s' is gone, but examples or targets belong to it; remove those first",
								old->meshes[m].name);
			}
			c->result->meshes_gone++;
			continue;
		}
		const snw_status status = check_topology(&old->meshes[m], &fresh->meshes[place], c->error);
		if (snw_failed(status)) {
			return status;
		}
		c->meshes[m] = count;
		taken[place] = true;
		meshes[count++] = transfer_mesh(c, m, &fresh->meshes[place]);
	}
	for (uint32_t m = 0; m < fresh->mesh_count; m++) {
		if (!taken[m]) {
			c->result->meshes_added++;
			meshes[count] = fresh->meshes[m];
			meshes[count++].id = 0;
		}
	}
	c->result->scene.meshes = meshes;
	return SNW_OK;
}

snw_status snw_scene_transfer(const snw_scene *old, const snw_scene *fresh, snw_arena *arena, snw_transfer *result,
							  snw_error *error) {
	*result = (snw_transfer){.scene = *fresh};
	result->scene.arena = arena;
	snw_transfer_state c = {.old = old, .fresh = fresh, .arena = arena, .result = result, .error = error};
	match_joints(&c);
	transfer_looks(&c);
	snw_status status = transfer_meshes(&c);
	status = snw_failed(status) ? status : snw_transfer_motion(&c);
	return snw_failed(status) ? status : snw_transfer_sculpts(&c);
}
