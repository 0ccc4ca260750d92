/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/joints/edit_joints.h"

#include <math.h>
#include <string.h>

#include "edit/joints/joint_settings.h"
#include "edit/joints/joint_slots.h"
#include "pose/pose.h"
#include "scene/check.h"
#include "scene/skeleton.h"
#include "sinew/algebra.h"
#include "transfer/transfer.h"

/* A transform read back from a matrix may differ by this part of the matrix; by more, the matrix has no such form. */
static const double unskewed = 1e-6;

typedef struct joint_edit {
	snw_project *project;
	const snw_scene *scene;
	snw_arena *arena;
	snw_scene fresh; /* with the changed skeleton, slots and meshes */
	snw_error *error;
} joint_edit;

static const double *global_of(const snw_scene *scene, uint32_t joint) {
	return scene->skeleton.rest_global + 12 * (size_t)joint;
}

/* ---- one change ---------------------------------------------------------------------------------------------------------- */

/* A copy of the skeleton with room for one joint more. */
static joint_edit open_edit(snw_project *project, const snw_scene *scene, snw_error *error) {
	joint_edit e = {.project = project, .scene = scene, .arena = snw_arena_create(), .fresh = *scene, .error = error};
	const snw_skeleton *old = &scene->skeleton;
	snw_skeleton *s = &e.fresh.skeleton;
	const size_t room = (size_t)old->joint_count + 1;
	s->names = SNW_NEW_ARRAY(e.arena, const char *, room);
	s->parents = SNW_NEW_ARRAY(e.arena, uint32_t, room);
	s->rest_local = SNW_NEW_ARRAY(e.arena, snw_transform, room);
	for (uint32_t j = 0; j < old->joint_count; j++) {
		s->names[j] = old->names[j];
		s->parents[j] = old->parents[j];
		s->rest_local[j] = old->rest_local[j];
	}
	return e;
}

/* Puts the changed character and closes the edit. `old` is the scene, or what is left of it where something goes with the
 * change. */
static snw_status close_edit(joint_edit *e, const snw_scene *old, snw_status status) {
	snw_transfer *transfer = SNW_NEW(e->arena, snw_transfer);
	status = snw_failed(status) ? status : snw_skeleton_finish(&e->fresh.skeleton, e->arena, e->error);
	if (!snw_failed(status)) {
		e->fresh.clip_count = 0; /* all clips and poses but the rest are the old ones */
		e->fresh.poses = snw_pose_rest(&e->fresh, e->arena);
		e->fresh.pose_count = 1;
		status = snw_scene_transfer(old, &e->fresh, e->arena, transfer, e->error);
	}
	status = snw_failed(status) ? status : snw_project_put_character(e->project, transfer, e->error);
	snw_arena_destroy(e->arena);
	return status;
}

/* ---- places -------------------------------------------------------------------------------------------------------------- */

static snw_status check_place(const char *name, const double place[3], snw_error *error) {
	return snw_check_numbers("joint", name, "place", place, 3, error);
}

/* From the rest space to the axes of a joint; of the rest space itself for SNW_NONE. */
static snw_status into_joint(const joint_edit *e, uint32_t joint, double inverse[12]) {
	snw_mat34_identity(inverse);
	return joint == SNW_NONE || snw_mat34_invert(global_of(e->scene, joint), inverse)
			   ? SNW_OK
			   : snw_fail(e->error, SNW_ERROR_CONFLICT,
						  "joint '%s' has a scale of 0 at rest, so nothing can be placed below it",
						  e->scene->skeleton.names[joint]);
}

/* The local transform of a joint that is at `global`, below a parent. */
static snw_status place_below(const joint_edit *e, uint32_t joint, uint32_t parent, const double global[12],
							  snw_transform *local) {
	double inverse[12], wanted[12], found[12], size = 0, apart = 0;
	const snw_status status = into_joint(e, parent, inverse);
	if (snw_failed(status)) {
		return status;
	}
	snw_mat34_multiply(inverse, global, wanted);
	snw_transform_from_mat34(wanted, local);
	snw_transform_to_mat34(local, found);
	for (int i = 0; i < 12; i++) {
		size = fmax(size, fabs(wanted[i]));
		apart = fmax(apart, fabs(wanted[i] - found[i]));
	}
	return apart <= unskewed * size
			   ? SNW_OK
			   : snw_fail(e->error, SNW_ERROR_CONFLICT,
						  "joint '%s' would be skewed there, because '%s' has a different scale along each axis at rest; "
						  "choose a different parent",
						  e->scene->skeleton.names[joint], parent == SNW_NONE ? "" : e->scene->skeleton.names[parent]);
}

/* ---- added, moved -------------------------------------------------------------------------------------------------------- */

static snw_status check_free_name(const snw_scene *scene, const char *name, snw_error *error) {
	const snw_status status = snw_check_name("joint", name, error);
	return snw_failed(status) || snw_scene_find_joint(scene, name) == SNW_NONE
			   ? status
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s: a joint with this name exists; choose another name", name);
}

static snw_status add(joint_edit *e, const char *name, uint32_t parent, const double place[3]) {
	snw_skeleton *s = &e->fresh.skeleton;
	snw_transform *local = &s->rest_local[s->joint_count];
	double inverse[12];
	const snw_status status = into_joint(e, parent, inverse);
	*local = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	if (parent != SNW_NONE && !snw_failed(status)) {
		snw_transform above;
		snw_transform_from_mat34(global_of(e->scene, parent), &above);
		snw_quat_conjugate(above.rotation, local->rotation);
	}
	snw_mat34_point(inverse, place, local->translation);
	s->names[s->joint_count] = name;
	s->parents[s->joint_count++] = parent;
	return status;
}

snw_status snw_project_add_joint(snw_project *project, const snw_scene *scene, const char *name, uint32_t parent,
								 const double place[3], snw_error *error) {
	snw_status status = check_free_name(scene, name, error);
	status = snw_failed(status) ? status : check_place(name, place, error);
	if (snw_failed(status)) {
		return status;
	}
	joint_edit e = open_edit(project, scene, error);
	return close_edit(&e, scene, add(&e, name, parent, place));
}

/* The axes of the joint stay, so what is below it needs another translation and nothing else. */
static snw_status move(joint_edit *e, uint32_t joint, const double place[3]) {
	snw_skeleton *s = &e->fresh.skeleton;
	double inverse[12], global[12], *binds;
	snw_status status = into_joint(e, s->parents[joint], inverse);
	snw_mat34_point(inverse, place, s->rest_local[joint].translation);
	memcpy(global, global_of(e->scene, joint), sizeof global);
	for (int c = 0; c < 3; c++) {
		global[4 * c + 3] = place[c];
	}
	if (!snw_failed(status) && !snw_mat34_invert(global, inverse)) {
		status = into_joint(e, joint, inverse); /* which says why */
	}
	for (uint32_t j = 0; !snw_failed(status) && j < s->joint_count; j++) {
		if (s->parents[j] == joint) {
			const double *below = global_of(e->scene, j), stays[3] = {below[3], below[7], below[11]};
			snw_mat34_point(inverse, stays, s->rest_local[j].translation);
		}
	}
	binds = snw_arena_copy(e->arena, e->scene->slot_inverse_binds, 12 * (size_t)e->scene->slot_count * sizeof *binds);
	for (uint32_t i = 0; !snw_failed(status) && i < e->scene->slot_count; i++) {
		if (e->scene->slot_joints[i] == joint) {
			double rest[12];
			snw_mat34_multiply(global_of(e->scene, joint), binds + 12 * (size_t)i, rest);
			snw_mat34_multiply(inverse, rest, binds + 12 * (size_t)i);
		}
	}
	e->fresh.slot_inverse_binds = binds;
	return status;
}

snw_status snw_project_move_joint(snw_project *project, const snw_scene *scene, uint32_t joint, const double place[3],
								  snw_error *error) {
	const snw_status status = check_place(scene->skeleton.names[joint], place, error);
	if (snw_failed(status)) {
		return status;
	}
	joint_edit e = open_edit(project, scene, error);
	return close_edit(&e, scene, move(&e, joint, place));
}

/* ---- parented ------------------------------------------------------------------------------------------------------------ */

snw_status snw_project_parent_joint(snw_project *project, const snw_scene *scene, uint32_t joint, uint32_t parent,
									snw_error *error) {
	if (parent != SNW_NONE && snw_skeleton_is_below(&scene->skeleton, parent, joint)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "joint '%s' cannot be below %s; choose a parent that is not below it",
						scene->skeleton.names[joint], parent == joint ? "itself" : scene->skeleton.names[parent]);
	}
	joint_edit e = open_edit(project, scene, error);
	e.fresh.skeleton.parents[joint] = parent;
	return close_edit(&e, scene, place_below(&e, joint, parent, global_of(scene, joint), &e.fresh.skeleton.rest_local[joint]));
}

/* ---- removed ------------------------------------------------------------------------------------------------------------- */

/* The scene without the joint's keys. */
static snw_scene without_keys(const joint_edit *e, uint32_t joint, snw_joint_removal *removal) {
	snw_scene old = *e->scene;
	snw_clip *clips = snw_arena_copy(e->arena, old.clips, old.clip_count * sizeof *clips);
	for (uint32_t i = 0; i < old.clip_count; i++) {
		snw_track *tracks = SNW_NEW_ARRAY(e->arena, snw_track, clips[i].track_count);
		uint32_t kept = 0;
		for (uint32_t t = 0; t < clips[i].track_count; t++) {
			if (clips[i].tracks[t].path == SNW_PATH_CHANNEL || clips[i].tracks[t].target != joint) {
				tracks[kept++] = clips[i].tracks[t];
			}
		}
		removal->clip_count += kept < clips[i].track_count;
		clips[i].tracks = tracks;
		clips[i].track_count = kept;
	}
	old.clips = clips;
	return old;
}

static snw_status drop_joint(joint_edit *e, uint32_t joint) {
	const snw_skeleton *old = &e->scene->skeleton;
	snw_skeleton *s = &e->fresh.skeleton;
	snw_status status = SNW_OK;
	uint32_t count = 0;
	for (uint32_t j = 0; !snw_failed(status) && j < old->joint_count; j++) {
		if (j == joint) {
			continue;
		}
		uint32_t parent = old->parents[j];
		s->rest_local[count] = old->rest_local[j];
		if (parent == joint) {
			parent = old->parents[joint];
			status = place_below(e, j, parent, global_of(e->scene, j), &s->rest_local[count]);
		}
		s->names[count] = old->names[j];
		s->parents[count++] = parent == SNW_NONE || parent < joint ? parent : parent - 1;
	}
	s->joint_count = count;
	return status;
}

snw_status snw_project_remove_joint(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t joint,
									snw_joint_removal *removal, snw_error *error) {
	joint_edit e = open_edit(project, scene, error);
	*removal = (snw_joint_removal){0};
	const snw_scene old = without_keys(&e, joint, removal);
	snw_status status = snw_joint_weights_to_parent(scene, joint, e.arena, &e.fresh, &removal->point_count, error);
	status = snw_failed(status) ? status : drop_joint(&e, joint);
	status = close_edit(&e, &old, status);
	return snw_failed(status) ? status
							  : snw_settings_rename_joint(project, scene, registry, scene->skeleton.names[joint], NULL, error);
}

/* ---- renamed ------------------------------------------------------------------------------------------------------------- */

snw_status snw_project_rename_joint(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t joint,
									const char *name, snw_error *error) {
	const char *old = scene->skeleton.names[joint];
	if (strcmp(old, name) == 0) {
		return SNW_OK;
	}
	snw_status status = check_free_name(scene, name, error);
	status = snw_failed(status) ? status : snw_project_put_joint_name(project, old, name, error);
	return snw_failed(status) ? status : snw_settings_rename_joint(project, scene, registry, old, name, error);
}
