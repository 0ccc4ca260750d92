/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/examples.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "example/groups.h"
#include "fit/samples.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- names --------------------------------------------------------------------------------------------------------------- */

#define STILL_DEGREES 0.5 /* a joint that is rotated less is not named */
#define MOSTLY_TWIST 0.9  /* of the rotation is about the bone */

static const double *posed_rotation(const snw_pose *pose, uint32_t joint) {
	return pose->rotation_vectors + 3 * (size_t)joint;
}

static double degrees_of(const snw_pose *pose, uint32_t joint) {
	return snw_length3(posed_rotation(pose, joint)) * 180 / M_PI;
}

/* The direction of the bone at rest, in the joint's axes: to its first child, or of a last joint that of the bone before it.
 * False for a joint alone. */
static bool find_bone(const snw_skeleton *skeleton, uint32_t joint, double bone[3]) {
	const double *place = NULL;
	for (uint32_t j = skeleton->joint_count; j-- > 0;) {
		const bool is_child = skeleton->parents[j] == joint && snw_length3(skeleton->rest_local[j].translation) > 0;
		place = is_child ? skeleton->rest_local[j].translation : place;
	}
	double back[4], matrix[12];
	const double none[] = {0, 0, 0, 1};
	snw_quat_conjugate(place ? none : skeleton->rest_local[joint].rotation, back);
	snw_quat_to_mat34(back, matrix);
	if (!place && skeleton->parents[joint] != SNW_NONE) {
		place = skeleton->rest_local[joint].translation;
	} else if (!place) {
		return false;
	}
	snw_mat34_vector(matrix, place, bone);
	snw_normalize3(bone);
	return snw_length3(bone) > 0;
}

static bool is_twist(const snw_skeleton *skeleton, const snw_pose *pose, uint32_t joint) {
	double bone[3];
	const double *rotation = posed_rotation(pose, joint);
	return find_bone(skeleton, joint, bone) && fabs(snw_dot3(rotation, bone)) > MOSTLY_TWIST * snw_length3(rotation);
}

/* Where the end of the bone goes, as a word; NULL if the joint has no bone. */
static const char *find_direction(const snw_skeleton *skeleton, const snw_pose *pose, uint32_t joint) {
	const double *rest = skeleton->rest_global + 12 * (size_t)joint;
	double bone[3], rotation[4], matrix[12], change[3], direction[3];
	if (!find_bone(skeleton, joint, bone)) {
		return NULL;
	}
	snw_quat_from_rotation_vector(posed_rotation(pose, joint), rotation);
	snw_quat_to_mat34(rotation, matrix);
	snw_mat34_vector(matrix, bone, change);
	for (size_t c = 0; c < 3; c++) {
		change[c] -= bone[c];
	}
	snw_mat34_vector(rest, change, direction);
	if (fabs(direction[1]) >= fmax(fabs(direction[0]), fabs(direction[2]))) {
		return direction[1] > 0 ? "up" : "down";
	}
	if (fabs(direction[2]) >= fabs(direction[0])) {
		return direction[2] > 0 ? "forward" : "back";
	}
	return direction[0] > 0 ? "to the left" : "to the right";
}

/* The length of a title without the number after its words: of "Left elbow 1" that of "Left elbow". */
static size_t words_of_title(const char *title) {
	size_t length = strlen(title);
	const size_t whole = length;
	while (length > 0 && isdigit((unsigned char)title[length - 1])) {
		length--;
	}
	return length > 1 && length < whole && title[length - 1] == ' ' ? length - 1 : whole;
}

/* The joint's title; without its number where no other joint has the same words. */
static const char *find_title(const snw_skeleton *skeleton, uint32_t joint, snw_arena *arena) {
	const char *title = snw_joint_title(skeleton, joint, arena);
	const size_t words = words_of_title(title);
	bool is_alone = words < strlen(title);
	for (uint32_t j = 0; j < skeleton->joint_count && is_alone; j++) {
		const char *other = j == joint ? "" : snw_joint_title(skeleton, j, arena);
		is_alone = words_of_title(other) != words || strncmp(other, title, words) != 0;
	}
	return is_alone ? snw_arena_format(arena, "%.*s", (int)words, title) : title;
}

/* "Right shoulder 80°"; "Right index finger 2 at 80°", so that two numbers do not meet. */
static const char *describe(const snw_scene *scene, const snw_pose *pose, uint32_t joint, snw_arena *arena) {
	const char *title = find_title(&scene->skeleton, joint, arena);
	const double degrees = degrees_of(pose, joint);
	if (degrees < STILL_DEGREES) {
		return snw_arena_format(arena, "%s moved", title);
	}
	const bool twists = is_twist(&scene->skeleton, pose, joint), has_number = words_of_title(title) < strlen(title);
	return snw_arena_format(arena, "%s%s %.0f°", title, twists ? " twist" : has_number ? " at" : "", degrees);
}

static uint32_t find_either(const snw_scene *scene, const char *name) {
	const uint32_t example = snw_scene_find_example(scene, name);
	return example != SNW_NONE ? example : snw_scene_find_pose(scene, name);
}

const char *snw_sculpt_example_name(const snw_scene *scene, const snw_pose *pose, uint32_t joint, snw_arena *arena) {
	const char *name = describe(scene, pose, joint, arena);
	const char *direction = degrees_of(pose, joint) < STILL_DEGREES || is_twist(&scene->skeleton, pose, joint)
								? NULL
								: find_direction(&scene->skeleton, pose, joint);
	if (direction && find_either(scene, name) != SNW_NONE) {
		name = snw_arena_format(arena, "%s %s", name, direction);
	}
	return snw_scene_free_name(scene, find_either, name, arena);
}

const char *snw_sculpt_pose_name(const snw_scene *scene, const snw_pose *pose, const char *example, uint32_t joint,
								 snw_arena *arena) {
	const uint32_t clip_count = pose->clip != 0 ? scene->clip_count : 0;
	uint32_t others = 0, other = SNW_NONE;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (j != joint && degrees_of(pose, j) >= STILL_DEGREES) {
			others++;
			other = j;
		}
	}
	const char *name = others == 0   ? example
					   : others == 1 ? snw_arena_format(arena, "%s, %s", example, describe(scene, pose, other, arena))
									 : snw_arena_format(arena, "%s and %u joints", example, others);
	for (uint32_t c = 0; c < clip_count; c++) {
		if (scene->clips[c].id == pose->clip) {
			name = snw_arena_format(arena, "%s %.4g s", scene->clips[c].name, pose->seconds);
		}
	}
	return snw_scene_free_name(scene, snw_scene_find_pose, name, arena);
}

bool snw_sculpt_is_named_after(const snw_scene *scene, const snw_pose *pose, uint32_t joint, const char *name) {
	snw_arena *scratch = snw_arena_create();
	const char *stem = describe(scene, pose, joint, scratch);
	const bool is_so = strncmp(name, stem, strlen(stem)) == 0;
	snw_arena_destroy(scratch);
	return is_so;
}

/* The name of an example in a pose on the way to that of another: if the other is called after a joint, the same with the
 * angle on the way ("Right shoulder 40°"), else with a share of the way in percent ("fist-60"). No example and no pose has
 * it, unless it is of the second kind. In `arena`. */
static const char *sculpt_between_name(const snw_scene *scene, const snw_example *other, const snw_pose *between, double share,
									   snw_arena *arena) {
	const snw_pose *pose = &scene->poses[other->pose];
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (degrees_of(pose, j) >= STILL_DEGREES && snw_sculpt_is_named_after(scene, pose, j, other->name)) {
			const char *after = other->name + strlen(describe(scene, pose, j, arena)); /* " up", "-shirt" */
			return snw_scene_free_name(scene, find_either,
									   snw_arena_format(arena, "%s%s", describe(scene, between, j, arena), after), arena);
		}
	}
	return snw_arena_format(arena, "%s-%.4g", other->name, 100 * share);
}

bool snw_pose_is_unnamed(const char *name) {
	return strncmp(name, SNW_UNNAMED_POSE, strlen(SNW_UNNAMED_POSE)) == 0;
}

/* ---- new examples -------------------------------------------------------------------------------------------------------- */

/* A point that is nearer to the skin without sculpts, as a share of the mesh's diagonal, is not edited; in sculpts from files,
 * which are rounded, and in the skin of the stack. */
static const double FILE_TOLERANCE = 2e-6, SKIN_TOLERANCE = 1e-9;

static snw_status check_new_name(const snw_scene *scene, const char *name, snw_error *error) {
	if (snw_scene_find_example(scene, name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: an example with this name exists; choose another name", name);
	}
	return snw_scene_find_pose(scene, name) == SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s: a pose with this name exists; choose another name", name);
}

/* Stores the pose, and an example of this name in it: of the mesh of another, whose driver it has. */
static snw_status put_example_like(snw_project *project, const snw_scene *scene, const snw_registry *registry,
								   const snw_example *like, const snw_pose *pose, const char *name, const double *sculpt,
								   snw_arena *arena, snw_new_example *made, snw_error *error) {
	const uint32_t mesh = like->mesh, count = scene->meshes[mesh].point_count;
	double *points = NULL, *original = NULL;
	int64_t pose_id;
	snw_status status = snw_sculpt_points(scene, registry, mesh, pose, SNW_NONE, snw_reference_layer(scene, registry), arena,
										  &points, &original, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_example example = {
		.name = name, .points_posed = sculpt ? sculpt : points, .has_chosen_driver = like->has_chosen_driver};
	const double tolerance = (sculpt ? FILE_TOLERANCE : SKIN_TOLERANCE) * snw_scene_diagonal(scene, mesh);
	snw_example_find_edited(&example, count, original, tolerance, arena);
	made->name = snw_arena_text(arena, name);
	made->pose = snw_arena_text(arena, pose->name);
	made->mesh = mesh;
	made->edited_count = example.edited ? example.edited_count : count;
	status = snw_project_put_pose(project, pose, &pose_id, error);
	return snw_failed(status)
			   ? status
			   : snw_project_put_example(project, &example, pose_id, scene->meshes[mesh].id, count, &made->id, error);
}

/* Adds a member, which is not in the scene yet, to a copy of a group; `mask` is a field's id or 0. */
static snw_status put_member(snw_project *project, const snw_scene *scene, const snw_group *group, int64_t example,
							 int64_t mask, snw_arena *arena, snw_error *error) {
	snw_group longer = *group;
	int64_t *examples = SNW_NEW_ARRAY(arena, int64_t, group->member_count + 1u), id;
	int64_t *masks = SNW_NEW_ARRAY(arena, int64_t, group->member_count + 1u);
	for (uint32_t m = 0; m < group->member_count; m++) {
		const snw_member *member = &group->members[m];
		examples[m] = scene->examples[member->example].id;
		masks[m] = member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
	}
	examples[longer.member_count] = example;
	masks[longer.member_count++] = mask;
	return snw_project_put_group(project, &longer, examples, masks, &id, error);
}

/* ---- in-betweens --------------------------------------------------------------------------------------------------------- */

snw_status snw_project_put_between(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t index,
								   double share, const char *name, const double *sculpt, snw_arena *arena,
								   snw_new_example *made, snw_error *error) {
	const snw_example *example = &scene->examples[index];
	*made = (snw_new_example){0};
	if (!(share > 0 && share < 1)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"an in-between is at more than 0 %% and less than 100 %% of the way, not at %g %%", 100 * share);
	}
	snw_pose *pose = snw_pose_along(scene, &scene->poses[example->pose], share, arena);
	pose->name = name ? name : sculpt_between_name(scene, example, pose, share, arena);
	snw_status status = check_new_name(scene, pose->name, error);
	status = snw_failed(status)
				 ? status
				 : put_example_like(project, scene, registry, example, pose, pose->name, sculpt, arena, made, error);
	for (uint32_t g = 0; g < scene->group_count && !snw_failed(status); g++) {
		const snw_group *group = &scene->groups[g];
		const uint32_t member = snw_group_member(group, index);
		if (member != SNW_NONE) {
			const uint32_t mask = group->members[member].mask;
			made->group = snw_arena_text(arena, group->name);
			status = put_member(project, scene, group, made->id, mask == SNW_NONE ? 0 : scene->fields[mask].id, arena, error);
		}
	}
	return status;
}

/* ---- combinations -------------------------------------------------------------------------------------------------------- */

/* One of the two groups: the example that is on, and the joints. */
typedef struct combined_half {
	const snw_group *group;
	uint32_t example, joint_count;
	const uint32_t *joints;
} combined_half;

static double rotation_sum(const snw_scene *scene, const snw_group *group, uint32_t example) {
	const snw_pose *pose = &scene->poses[scene->examples[example].pose];
	const uint32_t count = group->joint_count > 0 ? group->joint_count : scene->skeleton.joint_count;
	double sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t joint = group->joint_count > 0 ? group->joints[i] : i;
		sum += snw_length3(pose->rotation_vectors + 3 * (size_t)joint);
	}
	return sum;
}

static uint32_t farthest_example(const snw_scene *scene, const snw_group *group) {
	uint32_t found = SNW_NONE;
	double most = -1;
	for (uint32_t m = 0; m < group->member_count; m++) {
		const uint32_t example = group->members[m].example;
		const double rotation = scene->examples[example].muted ? -1 : rotation_sum(scene, group, example);
		found = rotation > most ? example : found;
		most = fmax(most, rotation);
	}
	return found;
}

/* The joints of a group; if the method chooses them, the one that drives its example best. */
static snw_status find_joints(const snw_scene *scene, const snw_registry *registry, combined_half *h, snw_arena *arena,
							  snw_error *error) {
	h->joint_count = h->group->joint_count;
	h->joints = h->group->joints;
	if (h->joint_count > 0) {
		return SNW_OK;
	}
	const snw_example *example = &scene->examples[h->example];
	const snw_pose *pose = &scene->poses[example->pose];
	const uint32_t corrective = snw_reference_layer(scene, registry);
	double *points = NULL, *original = NULL;
	snw_driver *drivers = NULL;
	snw_status status =
		snw_sculpt_points(scene, registry, example->mesh, pose, h->example, corrective, arena, &points, &original, error);
	const snw_driver_query query = {example->mesh, pose, points, original, corrective};
	status = snw_failed(status) ? status : snw_find_drivers(scene, registry, &query, arena, &drivers, &h->joint_count, error);
	if (!snw_failed(status) && h->joint_count == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "group %s: no joint drives its example %s; choose its joints first",
						h->group->name, example->name);
	}
	if (!snw_failed(status)) {
		uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, 1);
		joints[0] = drivers[0].joint;
		h->joints = joints;
		h->joint_count = 1;
	}
	return status;
}

static bool half_has_joint(const combined_half *h, uint32_t joint) {
	bool is_there = false;
	for (uint32_t i = 0; i < h->joint_count; i++) {
		is_there = is_there || h->joints[i] == joint;
	}
	return is_there;
}

/* The joints of the second that do not drive the first, [*count] in `arena`. */
static uint32_t *other_joints(const combined_half halves[2], snw_arena *arena, uint32_t *count) {
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, halves[1].joint_count + 1u);
	*count = 0;
	for (uint32_t i = 0; i < halves[1].joint_count; i++) {
		if (!half_has_joint(&halves[0], halves[1].joints[i])) {
			joints[(*count)++] = halves[1].joints[i];
		}
	}
	return joints;
}

static snw_status find_half(const snw_scene *scene, const snw_registry *registry, uint32_t group, uint32_t example,
							combined_half *h, snw_arena *arena, snw_error *error) {
	h->group = &scene->groups[group];
	h->example = example != SNW_NONE ? example : farthest_example(scene, h->group);
	if (h->example == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"group %s has no examples that are not muted, so nothing can be combined with it", h->group->name);
	}
	return find_joints(scene, registry, h, arena, error);
}

static bool has_mesh(const snw_scene *scene, const snw_group *group, uint32_t mesh) {
	bool has = false;
	for (uint32_t i = 0; i < group->member_count; i++) {
		const snw_example *example = &scene->examples[group->members[i].example];
		has = has || (!example->muted && example->mesh == mesh);
	}
	return has;
}

/* A group of these joints, with an example in the pose of every mesh that one of the halves moves: `made` is that of the first
 * half. */
static snw_status put_together(snw_project *project, const snw_scene *scene, const snw_registry *registry,
							   const combined_half halves[2], const snw_group *named, const snw_pose *pose, snw_arena *arena,
							   snw_new_example *made, snw_error *error) {
	const snw_example *first = &scene->examples[halves[0].example];
	int64_t *examples = SNW_NEW_ARRAY(arena, int64_t, scene->mesh_count), id;
	int64_t *masks = SNW_NEW_ARRAY(arena, int64_t, scene->mesh_count);
	snw_group group = *named;
	snw_status status = put_example_like(project, scene, registry, first, pose, pose->name, NULL, arena, made, error);
	examples[group.member_count++] = made->id;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		if (m != first->mesh && (has_mesh(scene, halves[0].group, m) || has_mesh(scene, halves[1].group, m))) {
			snw_example like = *first;
			snw_new_example other;
			like.mesh = m;
			const char *name = snw_scene_free_name(scene, snw_scene_find_example,
												   snw_arena_format(arena, "%s-%s", pose->name, scene->meshes[m].name), arena);
			status = put_example_like(project, scene, registry, &like, pose, name, NULL, arena, &other, error);
			examples[group.member_count++] = other.id;
		}
	}
	made->group = made->name;
	return snw_failed(status) ? status : snw_project_put_group(project, &group, examples, masks, &id, error);
}

snw_status snw_project_put_combination(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   const uint32_t groups[2], const uint32_t examples[2], const char *name, snw_arena *arena,
									   snw_new_example *made, snw_error *error) {
	combined_half halves[2];
	*made = (snw_new_example){0};
	snw_status status = SNW_OK;
	for (int i = 0; i < 2 && !snw_failed(status); i++) {
		status = find_half(scene, registry, groups[i], examples ? examples[i] : SNW_NONE, &halves[i], arena, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	uint32_t other_count;
	const uint32_t *others = other_joints(halves, arena, &other_count);
	if (groups[0] == groups[1] || other_count == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"%s and %s are driven by the same joints, so they cannot be on independently", halves[0].group->name,
						halves[1].group->name);
	}
	const snw_example *first = &scene->examples[halves[0].example], *second = &scene->examples[halves[1].example];
	snw_pose *pose =
		snw_pose_combine(scene, &scene->poses[first->pose], &scene->poses[second->pose], other_count, others, arena);
	pose->name = name ? name : snw_arena_format(arena, "%s+%s", halves[0].group->name, halves[1].group->name);
	status = check_new_name(scene, pose->name, error);
	if (!snw_failed(status) && snw_scene_find_group(scene, pose->name) != SNW_NONE) {
		status = snw_fail(error, SNW_ERROR_CONFLICT, "%s: a group with this name exists; choose another name", pose->name);
	}
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, halves[0].joint_count + other_count);
	for (uint32_t i = 0; i < halves[0].joint_count + other_count; i++) {
		joints[i] = i < halves[0].joint_count ? halves[0].joints[i] : others[i - halves[0].joint_count];
	}
	const snw_group group = {.name = pose->name, .joint_count = halves[0].joint_count + other_count, .joints = joints};
	return snw_failed(status) ? status : put_together(project, scene, registry, halves, &group, pose, arena, made, error);
}

/* ---- morph target -------------------------------------------------------------------------------------------------------- */

/* A weight nearer to 0 would magnify every stroke. */
static const double LEAST_WEIGHT = 0.05;
/* A point that a shape moves by less, as a share of the mesh's diagonal, is not part of it. */
static const double STILL = 1e-9;

uint32_t snw_mesh_shape(const snw_mesh *mesh, uint32_t channel) {
	for (uint32_t i = 0; i < mesh->morph_count; i++) {
		if (mesh->morphs[i].channel == channel) {
			return i;
		}
	}
	return SNW_NONE;
}

snw_status snw_project_put_shape_sculpt(snw_project *project, const snw_scene *scene, uint32_t index, uint32_t channel,
										double weight, const double *wanted, const double *shown, uint32_t *count,
										snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[index];
	const uint32_t at = snw_mesh_shape(mesh, channel);
	if (at == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh %s has no morph target %s", mesh->name, scene->channels[channel].name);
	}
	if (!(fabs(weight) >= LEAST_WEIGHT)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: its weight is %g; set it to 1 to edit the shape",
						scene->channels[channel].name, weight);
	}
	snw_arena *scratch = snw_arena_create();
	const snw_morph *old = &mesh->morphs[at];
	double *vectors = snw_arena_array(scratch, mesh->point_count, 3 * sizeof *vectors);
	uint32_t *points = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);
	memset(vectors, 0, 3 * (size_t)mesh->point_count * sizeof *vectors);
	for (uint32_t k = 0; k < old->count; k++) {
		memcpy(vectors + 3 * (size_t)old->points[k], old->vectors + 3 * (size_t)k, 3 * sizeof *vectors);
	}
	const double least = STILL * snw_scene_diagonal(scene, index);
	snw_morph morph = *old;
	morph.count = 0;
	for (size_t i = 0; i < mesh->point_count; i++) {
		double vector[3];
		for (size_t c = 0; c < 3; c++) {
			vector[c] = vectors[3 * i + c] + (wanted[3 * i + c] - shown[3 * i + c]) / weight;
		}
		if (snw_length3(vector) > least) {
			memcpy(vectors + 3 * (size_t)morph.count, vector, sizeof vector);
			points[morph.count++] = (uint32_t)i;
		}
	}
	morph.points = points;
	morph.vectors = vectors;
	if (count) {
		*count = morph.count;
	}
	const snw_status status = snw_project_put_morph(project, mesh->id, mesh->point_count, at, &morph, error);
	snw_arena_destroy(scratch);
	return status;
}
