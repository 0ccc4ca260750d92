/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/add_suggested.h"

#include <string.h>

#include "fit/sculpt_reference.h"
#include "pose/clip_times.h"
#include "pose/pose.h"

/* A point that moved less, as a share of the mesh's diagonal, was not edited: targets are floats. */
static const double TARGET_PRECISION = 2e-6;

typedef struct addition {
	const snw_call *call;
	const snw_opened *opened;
	const snw_target *target;
	const snw_suggestions *found;
	const char **names; /* [found->count]: of the poses, and of the examples */
	int64_t *examples;  /* [found->count] */
} addition;

/* The target's frame as an example of that pose. */
static snw_status put_example(addition *a, uint32_t i, const snw_pose *pose, int64_t pose_id, snw_error *error) {
	const snw_scene *scene = a->opened->scene;
	const snw_mesh *mesh = &scene->meshes[a->target->mesh];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	const float *frame = a->target->points_posed + numbers * a->found->list[i].frame;
	double *points = SNW_NEW_ARRAY(a->call->arena, double, numbers), *below = SNW_NEW_ARRAY(a->call->arena, double, numbers);
	for (size_t n = 0; n < numbers; n++) {
		points[n] = (double)frame[n];
	}
	snw_example example = {.name = pose->name, .points_posed = points};
	const snw_status status = snw_reference_points(scene, a->opened->registry, a->target->mesh, 1, &pose, &below, error);
	if (snw_failed(status)) {
		return status;
	}
	const double tolerance = TARGET_PRECISION * snw_scene_diagonal(scene, a->target->mesh);
	snw_example_find_edited(&example, mesh->point_count, below, tolerance, a->call->arena);
	return snw_project_put_example(a->opened->project, &example, pose_id, mesh->id, mesh->point_count, &a->examples[i], error);
}

static bool is_in_group(const snw_suggestion *suggestion, const char *name) {
	for (uint32_t g = 0; g < suggestion->group_count; g++) {
		if (strcmp(suggestion->groups[g], name) == 0) {
			return true;
		}
	}
	return false;
}

/* A group (or a new one) with all of the examples that were suggested for it, under the mask of its first member. */
static snw_status put_group(const addition *a, const char *name, snw_error *error) {
	const snw_scene *scene = a->opened->scene;
	const uint32_t place = snw_scene_find_group(scene, name);
	snw_group group = place == SNW_NONE ? (snw_group){.name = name} : scene->groups[place];
	const size_t most = (size_t)group.member_count + a->found->count;
	int64_t *examples = SNW_NEW_ARRAY(a->call->arena, int64_t, most), *masks = SNW_NEW_ARRAY(a->call->arena, int64_t, most), id;
	uint32_t count = 0;
	for (; count < group.member_count; count++) {
		const snw_member *member = &group.members[count];
		examples[count] = scene->examples[member->example].id;
		masks[count] = member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
	}
	for (uint32_t i = 0; i < a->found->count; i++) {
		if (is_in_group(&a->found->list[i], name)) {
			masks[count] = group.member_count > 0 ? masks[0] : 0;
			examples[count++] = a->examples[i];
		}
	}
	group.member_count = count;
	return snw_project_put_group(a->opened->project, &group, examples, masks, &id, error);
}

static snw_status put_groups(const addition *a, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < a->found->count; i++) {
		for (uint32_t g = 0; g < a->found->list[i].group_count && !snw_failed(status); g++) {
			const char *name = a->found->list[i].groups[g];
			bool is_done = false;
			for (uint32_t before = 0; before < i; before++) {
				is_done = is_done || is_in_group(&a->found->list[before], name);
			}
			status = is_done ? SNW_OK : put_group(a, name, error);
		}
	}
	return status;
}

static bool is_taken(const addition *a, uint32_t count, const char *name) {
	const snw_scene *scene = a->opened->scene;
	bool taken = snw_scene_find_pose(scene, name) != SNW_NONE || snw_scene_find_example(scene, name) != SNW_NONE;
	for (uint32_t i = 0; i < count && !taken; i++) {
		taken = strcmp(a->names[i], name) == 0;
	}
	return taken;
}

/* Names that no pose and no example has: after the clip and the time, with a number if that is taken. */
static void choose_names(const addition *a, const char *clip) {
	snw_arena *arena = a->call->arena;
	for (uint32_t i = 0; i < a->found->count; i++) {
		const double seconds = a->found->list[i].seconds;
		const char *name = snw_arena_format(arena, "%s-%.*g", clip, seconds < 1000 ? 4 : 9, seconds);
		a->names[i] = name;
		for (uint32_t number = 2; is_taken(a, i, a->names[i]); number++) {
			a->names[i] = snw_arena_format(arena, "%s-%u", name, number);
		}
	}
}

static snw_status put_all(addition *a, const char *clip, bool as_examples, snw_error *error) {
	const snw_scene *scene = a->opened->scene;
	snw_status status = SNW_OK;
	choose_names(a, clip);
	for (uint32_t i = 0; !snw_failed(status) && i < a->found->count; i++) {
		const double seconds = a->found->list[i].seconds;
		snw_pose *pose = snw_pose_sample(scene, snw_target_clip(scene, a->target), seconds, a->call->arena);
		pose->name = a->names[i];
		int64_t id = 0;
		status = snw_project_put_pose(a->opened->project, pose, &id, error);
		if (!snw_failed(status) && as_examples) {
			status = put_example(a, i, pose, id, error);
		}
	}
	return snw_failed(status) || !as_examples ? status : put_groups(a, error);
}

snw_status snw_add_suggested(const snw_call *call, const snw_opened *opened, uint32_t target, const snw_suggestions *found,
							 snw_error *error) {
	const char *clip = snw_call_option(call, "--clip");
	const bool as_examples = snw_call_option(call, "--from-target") != NULL;
	addition a = {.call = call,
				  .opened = opened,
				  .target = &opened->scene->targets[target],
				  .found = found,
				  .names = SNW_NEW_ARRAY(call->arena, const char *, found->count),
				  .examples = SNW_NEW_ARRAY(call->arena, int64_t, found->count)};
	snw_status status =
		snw_project_begin(opened->project, snw_arena_format(call->arena, "add suggested poses of %s", clip), error);
	status = snw_failed(status) ? status : put_all(&a, clip, as_examples, error);
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	return snw_failed(status) || !as_examples ? status : snw_opened_refit(call, opened, error);
}
