/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/examples.h"

#include <math.h>
#include <string.h>

#include "example/groups.h"
#include "fit/samples.h"
#include "mesh/surface.h"
#include "pose/pose.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"

/* A point that moves less, as a share of the mesh's diagonal, was not edited: a reflection rounds. */
static const double MIRROR_TOLERANCE = 1e-9;
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
static snw_status check_pose_name(const snw_scene *scene, uint32_t old, const snw_pose *other, const char *except,
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

static bool same_places(const snw_scene *scene, const snw_pose *a, const snw_pose *b) {
	const double tolerance = TOLERANCE * (scene->mesh_count > 0 ? snw_scene_diagonal(scene, 0) : 1);
	bool same = memcmp(a->channels, b->channels, scene->channel_count * sizeof *a->channels) == 0;
	for (uint32_t j = 0; same && j < scene->skeleton.joint_count; j++) {
		for (size_t c = 0; c < 3; c++) {
			same = same && fabs(a->local[j].translation[c] - b->local[j].translation[c]) <= tolerance &&
				   fabs(a->local[j].scale[c] - b->local[j].scale[c]) <= TOLERANCE;
		}
	}
	return same;
}

/* Another pose that is the mirror image of one already, under whatever name; SNW_NONE for none. */
static uint32_t find_image(const snw_scene *scene, uint32_t pose, const snw_pose *image) {
	for (uint32_t p = 0; p < scene->pose_count; p++) {
		if (p != pose && same_rotations(scene, &scene->poses[p], image) && same_places(scene, &scene->poses[p], image)) {
			return p;
		}
	}
	return SNW_NONE;
}

/* The mirrored pose, with the example of that name that will be in it (NULL: none), for which there may be a pose already. */
static snw_status put_mirrored_pose(snw_project *project, const snw_scene *scene, uint32_t pose, const char *name,
									const char *example, snw_arena *arena, snw_mirrored *mirrored, snw_pose **made, int64_t *id,
									snw_error *error) {
	snw_pose *other = snw_mirror_pose(scene, &mirrored->joints, &scene->poses[pose], arena);
	const uint32_t same = example ? find_image(scene, pose, other) : SNW_NONE;
	other->name = name ? name : same != SNW_NONE ? scene->poses[same].name : other_name(scene->poses[pose].name, arena);
	*made = other;
	snw_status status = check_rotated(scene, &scene->poses[pose], other, error);
	if (!snw_failed(status) && same != SNW_NONE) {
		*id = scene->poses[same].id;
		return SNW_OK;
	}
	if (strcmp(other->name, "rest") == 0 || strcmp(other->name, "default") == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: this pose belongs to the imported character; choose another name",
						other->name);
	}
	const uint32_t old = snw_scene_find_pose(scene, other->name);
	other->id = old == SNW_NONE ? 0 : scene->poses[old].id;
	status = snw_failed(status) ? status : check_pose_name(scene, old, other, example, error);
	return snw_failed(status) ? status : snw_project_put_pose(project, other, id, error);
}

snw_status snw_project_put_mirrored_pose(snw_project *project, const snw_scene *scene, const snw_mirror_plane *plane,
										 uint32_t pose, const char *name, snw_arena *arena, snw_mirrored *mirrored,
										 snw_error *error) {
	snw_pose *made = NULL;
	*mirrored = (snw_mirrored){0};
	snw_mirror_joints_find(scene, plane, 0, arena, &mirrored->joints);
	const snw_status status = put_mirrored_pose(project, scene, pose, name, NULL, arena, mirrored, &made, &mirrored->id, error);
	mirrored->name = made ? made->name : NULL;
	return status;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* The mesh that has the mirror image of what is on `mesh`: across x its counterpart (sculpt/sculpt.h) if it has one,
 * otherwise itself. */
static uint32_t mirrored_mesh(const snw_scene *scene, uint32_t mesh, const snw_mirror_plane *plane) {
	snw_arena *scratch = snw_arena_create();
	bool *takes_part = SNW_NEW_ARRAY(scratch, bool, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		takes_part[m] = plane->axis == 0;
	}
	const uint32_t counterpart = snw_counterpart_of(scene, mesh, plane, takes_part);
	snw_arena_destroy(scratch);
	return counterpart == SNW_NONE ? mesh : counterpart;
}

/* For the points of the image that have no partner: the places of the example's mesh nearest to their reflections. `both` has
 * the points of the map. */
static snw_status find_nearest(const snw_mesh *mesh, const snw_mesh *both, snw_arena *arena, snw_mirrored *mirrored,
							   snw_error *error) {
	const snw_mirror_map *map = &mirrored->map;
	const uint32_t first = mirrored->is_other_mesh ? mesh->point_count : 0, count = map->point_count - first;
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *reflections = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	for (uint32_t i = 0; i < count; i++) {
		if (map->partners[first + i] == SNW_NONE) {
			const uint32_t k = mirrored->nearest_count++;
			snw_mirror_reflect(&map->plane, both->points_rest + 3 * (size_t)(first + i), reflections + 3 * (size_t)k);
			points[k] = i;
		}
	}
	snw_surface_place *places = SNW_NEW_ARRAY(arena, snw_surface_place, mirrored->nearest_count);
	mirrored->nearest_points = points;
	mirrored->nearest = places;
	return mirrored->nearest_count == 0 ? SNW_OK
										: snw_surface_places_find(mirrored->nearest_count, reflections, mesh, mesh->points_rest,
																  "finding the nearest places", NULL, places, error);
}

/* Pairs the points of a mesh with those of its mirror image, if that is another mesh, by a map of the two as one. */
static snw_status pair_points(const snw_scene *scene, uint32_t mesh, const snw_mirror_options *options, snw_arena *arena,
							  snw_mirrored *mirrored, snw_error *error) {
	mirrored->mesh = mirrored_mesh(scene, mesh, &options->plane);
	mirrored->is_other_mesh = mirrored->mesh != mesh;
	const uint32_t meshes[2] = {mesh, mirrored->mesh}, count = scene->meshes[mesh].point_count;
	const snw_mesh *both = mirrored->mesh == mesh
							   ? &scene->meshes[mesh]
							   : snw_counterpart_align(scene, mesh, mirrored->mesh, &options->plane,
													   snw_join_meshes(scene, 2, meshes, arena), count, arena);
	const snw_status status = snw_mirror_map_build(both, options, arena, &mirrored->map, error);
	mirrored->is_unpaired = status == SNW_ERROR_MISSING;
	return snw_failed(status) ? status : find_nearest(&scene->meshes[mesh], both, arena, mirrored, error);
}

/* Fills the points of the image that have no partner: with the values [][width] of the example's mesh at the nearest places.
 * `dest` begins with the image's first point. */
static void fill_unpaired(const snw_mirrored *mirrored, const double *values, uint32_t width, double *dest) {
	for (uint32_t k = 0; k < mirrored->nearest_count; k++) {
		snw_surface_place_value(&mirrored->nearest[k], values, width, dest + width * (size_t)mirrored->nearest_points[k]);
	}
}

static bool *find_moving(const snw_scene *scene, const snw_mesh *mesh, snw_arena *arena) {
	bool *moves = SNW_NEW_ARRAY(arena, bool, scene->skeleton.joint_count);
	for (uint32_t k = 0; mesh->influence_offsets && k < mesh->influence_offsets[mesh->point_count]; k++) {
		bool *is_moving = &moves[scene->slot_joints[mesh->influence_slots[k]]];
		*is_moving = *is_moving || mesh->influence_weights[k] > 0;
	}
	return moves;
}

/* Fails if the mesh has a plane of its own and the joints of one side alone move it: in the mirrored pose it would be at rest.
 * What has no skin is where it is in any pose, or a layer moves it. */
static snw_status check_moved(const snw_scene *scene, uint32_t mesh, const snw_mirrored *mirrored, snw_arena *arena,
							  snw_error *error) {
	const bool *moves = find_moving(scene, &scene->meshes[mesh], arena);
	const bool *moves_image = find_moving(scene, &scene->meshes[mirrored->mesh], arena);
	bool is = mirrored->map.plane.offset == 0 || !scene->meshes[mesh].influence_offsets;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const uint32_t partner = mirrored->joints.partners[j];
		is = is || (moves[j] && partner != SNW_NONE && moves_image[partner]);
	}
	return is ? SNW_OK
			  : snw_fail(error, SNW_ERROR_MISSING,
						 "mesh %s: the joints of one side alone move it, so it has no mirror image on the other side",
						 scene->meshes[mesh].name);
}

/* The edited points of an example that have no partner. */
static uint32_t count_unpaired(const snw_scene *scene, const snw_example *example, const snw_mirror_map *map) {
	const uint32_t count = example->edited ? example->edited_count : scene->meshes[example->mesh].point_count;
	uint32_t unpaired = 0;
	for (uint32_t i = 0; i < count; i++) {
		unpaired += map->partners[example->edited ? example->edited[i] : i] == SNW_NONE;
	}
	return unpaired;
}

/* Its first point in the map. */
static size_t first_of_image(const snw_scene *scene, const snw_mirrored *mirrored) {
	return mirrored->map.point_count - scene->meshes[mirrored->mesh].point_count;
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* The mask of the other side: an existing field with the same values, otherwise a new field. */
static snw_status put_mirrored_mask(snw_project *project, const snw_scene *scene, const snw_mirrored *mirrored, uint32_t field,
									snw_arena *arena, int64_t *id, snw_error *error) {
	const uint32_t all = mirrored->map.point_count;
	snw_field mask = scene->fields[field];
	snw_half half = {.mesh = mirrored->mesh, .plane = mirrored->map.plane};
	if (snw_mask_is_half(scene, field, &half.plane, &half.is_left)) { /* whose reflection need not be exact */
		half.is_left = !half.is_left;
		const uint32_t found = snw_half_find(scene, &half);
		const snw_field made = snw_half_make(scene, &half, arena);
		*id = found == SNW_NONE ? 0 : scene->fields[found].id;
		return found != SNW_NONE ? SNW_OK : snw_project_put_field(project, &made, scene->meshes[half.mesh].id, id, error);
	}
	double *from = SNW_NEW_ARRAY(arena, double, all), *to = SNW_NEW_ARRAY(arena, double, all);
	memcpy(from, mask.values, mask.count * sizeof *from);
	snw_mirror_values(&mirrored->map, from, to);
	fill_unpaired(mirrored, from, 1, to + first_of_image(scene, mirrored));
	mask.mesh = mirrored->mesh;
	mask.count = scene->meshes[mask.mesh].point_count;
	mask.values = to + first_of_image(scene, mirrored);
	for (uint32_t f = 0; f < scene->field_count; f++) {
		const snw_field *known = &scene->fields[f];
		bool same = known->mesh == mask.mesh && known->domain == mask.domain && known->components == 1;
		for (uint32_t i = 0; same && i < mask.count; i++) {
			same = fabs(known->values[i] - mask.values[i]) <= TOLERANCE;
		}
		if (same) {
			*id = known->id;
			return SNW_OK;
		}
	}
	mask.id = 0;
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

/* Fails if the mirror image would be an example of the same pose in the same groups: each already takes its half of this
 * one. */
static snw_status check_other_side(const snw_scene *scene, const snw_mirrored *mirrored, uint32_t index, const snw_pose *other,
								   snw_arena *arena, snw_error *error) {
	const snw_example *example = &scene->examples[index];
	const snw_pose *pose = &scene->poses[example->pose];
	const bool is_own =
		example->mesh == mirrored->mesh && same_rotations(scene, pose, other) && same_places(scene, pose, other);
	for (uint32_t g = 0; is_own && g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		const uint32_t image = snw_scene_find_group(scene, find_group_name(mirrored, group, arena));
		if (snw_group_member(group, index) != SNW_NONE && image != SNW_NONE &&
			snw_group_member(&scene->groups[image], index) != SNW_NONE) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"%s: it has both sides already: its pose is the same on both, and so are its groups",
							example->name);
		}
	}
	return SNW_OK;
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
		status = put_mirrored_mask(project, scene, mirrored, mask, arena, &masks[group.member_count], error);
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

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

/* The sculpt at the points of the image that have no partner. */
static void displace_unpaired(snw_mirrored *mirrored, uint32_t count, const double *from, const double *edited,
							  const double *below, double *sculpt, snw_arena *arena) {
	double *displaced = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		displaced[i] = edited[i] - from[i];
	}
	fill_unpaired(mirrored, displaced, 3, sculpt);
	for (uint32_t k = 0; k < mirrored->nearest_count; k++) {
		double *point = sculpt + 3 * (size_t)mirrored->nearest_points[k];
		mirrored->guessed_count += snw_length3(point) > 0;
		point[mirrored->map.plane.axis] *= -1;
		for (size_t c = 0; c < 3; c++) {
			point[c] += below[3 * (size_t)mirrored->nearest_points[k] + c];
		}
	}
}

/* The mesh of the mirror image in its pose: without the sculpt (`below`), and with it. */
static snw_status mirror_points(const snw_scene *scene, const snw_registry *registry, const snw_example *example,
								const snw_pose *other, snw_mirrored *mirrored, snw_arena *arena, double **below,
								double **sculpt, snw_error *error) {
	const uint32_t all = mirrored->map.point_count, count = scene->meshes[example->mesh].point_count;
	const snw_pose *pose = &scene->poses[example->pose];
	const size_t first = 3 * first_of_image(scene, mirrored), bytes = 3 * sizeof(double);
	double *from = snw_arena_array(arena, all, bytes), *to = snw_arena_array(arena, all, bytes);
	double *edited = snw_arena_array(arena, all, bytes), *result = snw_arena_array(arena, all, bytes);
	*below = to + first;
	*sculpt = result + first;
	snw_status status = snw_reference_points(scene, registry, example->mesh, 1, &pose, &from, error);
	status = snw_failed(status) ? status : snw_reference_points(scene, registry, mirrored->mesh, 1, &other, below, error);
	if (!snw_failed(status)) {
		memcpy(edited, from, count * bytes);
		snw_example_apply_edited(example, count, edited);
		snw_mirror_sculpt(&mirrored->map, from, edited, to, result);
		displace_unpaired(mirrored, count, from, edited, *below, *sculpt, arena);
	}
	return status;
}

/* Fails if an example of the name is another mesh's. */
static snw_status check_mesh(const snw_scene *scene, uint32_t old, const snw_mirrored *mirrored, snw_error *error) {
	if (old == SNW_NONE || scene->examples[old].mesh == mirrored->mesh) {
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_CONFLICT,
					"%s: an example of that name exists for the mesh %s, but its mirror image is on %s; choose another name",
					mirrored->name, scene->meshes[scene->examples[old].mesh].name, scene->meshes[mirrored->mesh].name);
}

snw_status snw_project_put_mirrored_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
											const snw_mirror_options *options, uint32_t index, const char *name,
											snw_arena *arena, snw_mirrored *mirrored, snw_error *error) {
	const snw_example *example = &scene->examples[index];
	snw_pose *other = NULL;
	double *below = NULL, *sculpt = NULL;
	int64_t pose_id = 0;
	*mirrored = (snw_mirrored){.name = name ? name : other_name(example->name, arena)};
	const uint32_t old = snw_scene_find_example(scene, mirrored->name);
	snw_status status = pair_points(scene, example->mesh, options, arena, mirrored, error);
	status = snw_failed(status) ? status : check_mesh(scene, old, mirrored, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_mirror_joints_find(scene, &options->plane, 0, arena, &mirrored->joints);
	status = check_moved(scene, example->mesh, mirrored, arena, error);
	mirrored->is_unpaired = snw_failed(status);
	status = snw_failed(status) ? status
								: put_mirrored_pose(project, scene, example->pose, NULL, mirrored->name, arena, mirrored,
													&other, &pose_id, error);
	status = snw_failed(status) ? status : check_other_side(scene, mirrored, index, other, arena, error);
	status =
		snw_failed(status) ? status : mirror_points(scene, registry, example, other, mirrored, arena, &below, &sculpt, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_mesh *mesh = &scene->meshes[mirrored->mesh];
	snw_example made = {.id = old == SNW_NONE ? 0 : scene->examples[old].id, .name = mirrored->name, .points_posed = sculpt};
	const snw_example *like = old == SNW_NONE ? example : &scene->examples[old];
	made.muted = like->muted;
	made.has_chosen_driver = like->has_chosen_driver;
	snw_example_find_edited(&made, mesh->point_count, below, MIRROR_TOLERANCE * snw_scene_diagonal(scene, mirrored->mesh),
							arena);
	mirrored->edited_count = made.edited ? made.edited_count : mesh->point_count;
	mirrored->left_count = count_unpaired(scene, example, &mirrored->map);
	mirrored->pose = other->name;
	if (mirrored->edited_count == 0 && (!example->edited || example->edited_count > 0)) {
		mirrored->is_unpaired = true;
		return snw_fail(error, SNW_ERROR_MISSING,
						"%s: none of its edited points has a partner on the other side; give a larger --tolerance",
						example->name);
	}
	status = snw_project_put_example(project, &made, pose_id, mesh->id, mesh->point_count, &mirrored->id, error);
	return snw_failed(status) || old != SNW_NONE ? status : join_groups(project, scene, mirrored, index, arena, error);
}

/* ---- the name of the image ----------------------------------------------------------------------------------------------- */

#define ALIKE 1e-6 /* radians: rotations that differ by less are the same */

/* The joint that drives the example; SNW_NONE if the method chooses it. */
static uint32_t find_driver(const snw_scene *scene, uint32_t example) {
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (scene->groups[g].joint_count > 0 && snw_group_member(&scene->groups[g], example) != SNW_NONE) {
			return scene->groups[g].joints[0];
		}
	}
	return SNW_NONE;
}

/* Whether a group of the example is driven by the joint: each may take a part of the sculpt. */
static bool is_driven_by(const snw_scene *scene, uint32_t example, uint32_t joint) {
	bool is = false;
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		is = is || (group->joint_count > 0 && group->joints[0] == joint && snw_group_member(group, example) != SNW_NONE);
	}
	return is;
}

static bool are_alike(const snw_scene *scene, const snw_pose *one, const snw_pose *other) {
	bool are = true;
	for (size_t i = 0; i < 3 * (size_t)scene->skeleton.joint_count; i++) {
		are = are && fabs(one->rotation_vectors[i] - other->rotation_vectors[i]) < ALIKE;
	}
	return are;
}

/* The example that is the mirror image of one already: in the mirrored pose, driven by the joint of the other side. SNW_NONE
 * for none. */
static uint32_t find_mirrored_example(const snw_scene *scene, uint32_t example, const snw_mirror_joints *joints,
									  const snw_pose *pose) {
	const snw_example *row = &scene->examples[example];
	const uint32_t mesh = mirrored_mesh(scene, row->mesh, &joints->plane);
	const uint32_t partner = joints->partners[find_driver(scene, example)];
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *other = &scene->examples[i];
		if (other->pose != row->pose && other->mesh == mesh && is_driven_by(scene, i, partner) &&
			are_alike(scene, &scene->poses[other->pose], pose)) {
			return i;
		}
	}
	return SNW_NONE;
}

/* The name of the mirrored pose if it has one that no example has; NULL otherwise. */
static const char *find_pose_name(const snw_scene *scene, const snw_pose *image) {
	for (uint32_t p = 1; p < scene->pose_count; p++) {
		const char *name = scene->poses[p].name;
		if (!snw_pose_is_unnamed(name) && are_alike(scene, &scene->poses[p], image) &&
			snw_scene_find_example(scene, name) == SNW_NONE) {
			return name;
		}
	}
	return NULL;
}

const char *snw_mirrored_example_name(const snw_scene *scene, const snw_mirror_plane *plane, uint32_t example,
									  snw_arena *arena) {
	const snw_example *row = &scene->examples[example];
	const char *exchanged = snw_mirror_name(row->name, arena);
	const uint32_t driver = find_driver(scene, example);
	if (driver == SNW_NONE || (exchanged && snw_scene_find_example(scene, exchanged) != SNW_NONE)) {
		return NULL;
	}
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, plane, 0, arena, &joints);
	const snw_pose *pose = snw_mirror_pose(scene, &joints, &scene->poses[row->pose], arena);
	const uint32_t image = find_mirrored_example(scene, example, &joints, pose), partner = joints.partners[driver];
	if (image != SNW_NONE || exchanged || partner == SNW_NONE) {
		return image != SNW_NONE ? scene->examples[image].name : NULL;
	}
	const char *name = find_pose_name(scene, pose);
	return name ? name : snw_sculpt_example_name(scene, pose, partner, arena);
}
