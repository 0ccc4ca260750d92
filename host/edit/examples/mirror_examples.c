/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/examples/mirror_examples.h"

#include <math.h>
#include <string.h>

#include "fit/sculpt_reference.h"
#include "pose/base_blend.h"

/* A point that moves less, as a share of the mesh's diagonal, was not edited: a reflection rounds. */
static const double EDIT_TOLERANCE = 1e-9;
/* Mask values, and rotation vectors in radians, that differ by less are equal. */
static const double TOLERANCE = 1e-6;

static const char *other_name(const char *name, snw_arena *arena) {
	const char *other = snw_mirror_name(name, arena);
	return other ? other : snw_arena_format(arena, "%s-mirrored", name);
}

static bool same_rotations(const snw_scene *scene, const snw_pose *a, const snw_pose *b) {
	bool same = true;
	for (size_t i = 0; same && i < 3 * (size_t)scene->skeleton.joint_count; i++) {
		same = fabs(a->rotation_vectors[i] - b->rotation_vectors[i]) <= TOLERANCE;
	}
	return same;
}

/* Fails if the name belongs to a different pose that has sculpts: changing it would invalidate them. */
static snw_status check_name(const snw_scene *scene, uint32_t old, const snw_pose *other, const char *except,
							 snw_error *error) {
	for (uint32_t e = 0; old != SNW_NONE && e < scene->example_count; e++) {
		const snw_example *example = &scene->examples[e];
		if (example->pose == old && (!except || strcmp(example->name, except) != 0) &&
			!same_rotations(scene, &scene->poses[old], other)) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"%s: a pose of that name exists, and example %s was sculpted in it; rename the pose first",
							other->name, example->name);
		}
	}
	return SNW_OK;
}

/* Fails if the mirrored pose is the rest pose although the pose is not: none of its rotated joints has a partner. */
static snw_status check_rotated(const snw_scene *scene, const snw_pose *pose, const snw_pose *other, snw_error *error) {
	if (scene->pose_count > 0 && same_rotations(scene, &scene->poses[0], other) &&
		!same_rotations(scene, &scene->poses[0], pose)) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"%s: no joint that this pose rotates has a partner on the other side or lies in the middle, so it "
						"cannot be mirrored",
						pose->name);
	}
	return SNW_OK;
}

static snw_status put_pose(snw_project *project, const snw_scene *scene, uint32_t pose, const char *name, const char *example,
						   snw_arena *arena, snw_mirrored *mirrored, snw_pose **made, int64_t *id, snw_error *error) {
	snw_pose *other = snw_mirror_pose(scene, &mirrored->joints, &scene->poses[pose], arena);
	other->name = name ? name : other_name(scene->poses[pose].name, arena);
	if (strcmp(other->name, "rest") == 0 || strcmp(other->name, "default") == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: this pose belongs to the imported character; choose another name",
						other->name);
	}
	const uint32_t old = snw_scene_find_pose(scene, other->name);
	other->id = old == SNW_NONE ? 0 : scene->poses[old].id;
	*made = other;
	snw_status status = check_rotated(scene, &scene->poses[pose], other, error);
	status = snw_failed(status) ? status : check_name(scene, old, other, example, error);
	return snw_failed(status) ? status : snw_project_put_pose(project, other, id, error);
}

snw_status snw_project_put_mirrored_pose(snw_project *project, const snw_scene *scene, const snw_mirror_plane *plane,
										 uint32_t pose, const char *name, snw_arena *arena, snw_mirrored *mirrored,
										 snw_error *error) {
	snw_pose *made = NULL;
	*mirrored = (snw_mirrored){0};
	snw_mirror_joints_find(scene, plane, 0, arena, &mirrored->joints);
	const snw_status status = put_pose(project, scene, pose, name, NULL, arena, mirrored, &made, &mirrored->id, error);
	mirrored->name = made ? made->name : NULL;
	return status;
}

/* ---- groups ------------------------------------------------------------------------------------------------------------------ */

/* The mask of the other side: an existing field with the same values, otherwise a new field. */
static snw_status put_mask(snw_project *project, const snw_scene *scene, const snw_mirror_map *map, uint32_t field,
						   snw_arena *arena, int64_t *id, snw_error *error) {
	snw_field mask = scene->fields[field];
	double *values = SNW_NEW_ARRAY(arena, double, mask.count);
	snw_mirror_values(map, mask.values, values);
	for (uint32_t f = 0; f < scene->field_count; f++) {
		const snw_field *known = &scene->fields[f];
		bool same = known->mesh == mask.mesh && known->domain == mask.domain && known->components == 1;
		for (uint32_t i = 0; same && i < mask.count; i++) {
			same = fabs(known->values[i] - values[i]) <= TOLERANCE;
		}
		if (same) {
			*id = known->id;
			return SNW_OK;
		}
	}
	mask.id = 0;
	mask.values = values;
	mask.name = other_name(mask.name, arena);
	if (snw_scene_find_field(scene, mask.mesh, mask.name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"mask '%s': the field '%s' is not its mirror image; rename or remove that field",
						scene->fields[field].name, mask.name);
	}
	return snw_project_put_field(project, &mask, scene->meshes[mask.mesh].id, id, error);
}

static uint32_t partner_of(const snw_mirrored *mirrored, uint32_t joint) {
	const uint32_t partner = mirrored->joints.partners[joint];
	return partner == SNW_NONE ? joint : partner;
}

/* Whether the joints that drive a group are those of both sides, or the method chooses them. */
static bool is_own_image(const snw_mirrored *mirrored, const snw_group *group) {
	bool is_own = true;
	for (uint32_t i = 0; i < group->joint_count && is_own; i++) {
		is_own = false;
		for (uint32_t j = 0; j < group->joint_count; j++) {
			is_own = is_own || group->joints[j] == partner_of(mirrored, group->joints[i]);
		}
	}
	return is_own;
}

/* The name of the group of the other side. */
static const char *find_group_name(const snw_mirrored *mirrored, const snw_group *group, snw_arena *arena) {
	const bool has_side = snw_mirror_name(group->name, arena) != NULL;
	return has_side || !is_own_image(mirrored, group) ? other_name(group->name, arena) : group->name;
}

/* Adds a member to the group of the other side; a new group is driven by the joints of the other side. */
static snw_status join_group(snw_project *project, const snw_scene *scene, const snw_mirrored *mirrored, const snw_group *from,
							 uint32_t mask, int64_t example, snw_arena *arena, snw_error *error) {
	const char *name = find_group_name(mirrored, from, arena);
	const uint32_t found = snw_scene_find_group(scene, name);
	snw_group group = found == SNW_NONE ? (snw_group){.name = name} : scene->groups[found];
	int64_t *examples = SNW_NEW_ARRAY(arena, int64_t, group.member_count + 1u), id;
	int64_t *masks = SNW_NEW_ARRAY(arena, int64_t, group.member_count + 1u);
	for (uint32_t m = 0; m < group.member_count; m++) {
		examples[m] = scene->examples[group.members[m].example].id;
		masks[m] = group.members[m].mask == SNW_NONE ? 0 : scene->fields[group.members[m].mask].id;
	}
	if (found == SNW_NONE) {
		uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, from->joint_count);
		for (uint32_t j = 0; j < from->joint_count; j++) {
			joints[j] = partner_of(mirrored, from->joints[j]);
		}
		group.joints = joints;
		group.joint_count = from->joint_count;
	}
	snw_status status = SNW_OK;
	if (mask != SNW_NONE) {
		status = put_mask(project, scene, &mirrored->map, mask, arena, &masks[group.member_count], error);
	}
	examples[group.member_count++] = example;
	return snw_failed(status) ? status : snw_project_put_group(project, &group, examples, masks, &id, error);
}

static snw_status join_groups(snw_project *project, const snw_scene *scene, const snw_mirrored *mirrored, uint32_t example,
							  snw_arena *arena, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t g = 0; g < scene->group_count; g++) {
		for (uint32_t m = 0; !snw_failed(status) && m < scene->groups[g].member_count; m++) {
			const snw_member *member = &scene->groups[g].members[m];
			if (member->example == example) {
				status = join_group(project, scene, mirrored, &scene->groups[g], member->mask, mirrored->id, arena, error);
			}
		}
	}
	return status;
}

/* ---- examples ---------------------------------------------------------------------------------------------------------------- */

snw_status snw_project_put_mirrored_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
											const snw_mirror_options *options, uint32_t index, const char *name,
											snw_arena *arena, snw_mirrored *mirrored, snw_error *error) {
	const snw_example *example = &scene->examples[index];
	const snw_mesh *mesh = &scene->meshes[example->mesh];
	double *points[2], *posed, *sculpt = snw_arena_array(arena, mesh->point_count, 3 * sizeof *sculpt);
	snw_pose *other = NULL;
	int64_t pose_id = 0;
	*mirrored = (snw_mirrored){.name = name ? name : other_name(example->name, arena)};
	snw_status status = snw_mirror_map_build(mesh, options, arena, &mirrored->map, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_mirror_joints_find(scene, &options->plane, 0, arena, &mirrored->joints);
	status = put_pose(project, scene, example->pose, NULL, mirrored->name, arena, mirrored, &other, &pose_id, error);
	if (snw_failed(status)) {
		return status;
	}
	for (int i = 0; i < 2; i++) {
		points[i] = snw_arena_array(arena, mesh->point_count, 3 * sizeof *points[i]);
	}
	const snw_pose *const poses[] = {&scene->poses[example->pose], other};
	status = snw_reference_points(scene, registry, example->mesh, 2, poses, points, error);
	if (snw_failed(status)) {
		return status;
	}
	posed = snw_arena_copy(arena, points[0], 3 * (size_t)mesh->point_count * sizeof *posed);
	snw_example_apply_edited(example, mesh->point_count, posed);
	snw_mirror_sculpt(&mirrored->map, points[0], posed, points[1], sculpt);
	const uint32_t old = snw_scene_find_example(scene, mirrored->name);
	snw_example made = {.id = old == SNW_NONE ? 0 : scene->examples[old].id, .name = mirrored->name, .points_posed = sculpt};
	made.muted = old == SNW_NONE ? example->muted : scene->examples[old].muted;
	snw_example_find_edited(&made, mesh->point_count, points[1], EDIT_TOLERANCE * snw_scene_diagonal(scene, example->mesh),
							arena);
	mirrored->edited_count = made.edited ? made.edited_count : mesh->point_count;
	mirrored->pose = other->name;
	if (mirrored->edited_count == 0 && (!example->edited || example->edited_count > 0)) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"%s: none of its edited points has a partner on the other side; give a larger --tolerance",
						example->name);
	}
	status = snw_project_put_example(project, &made, pose_id, mesh->id, mesh->point_count, &mirrored->id, error);
	return snw_failed(status) || old != SNW_NONE ? status : join_groups(project, scene, mirrored, index, arena, error);
}
