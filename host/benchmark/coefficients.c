/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmark/coefficients.h"

#include <math.h>

#include "base/random.h"
#include "fit/fit.h"
#include "pose/pose.h"
#include "scene/plugin_view.h"
#include "scene/skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"

enum { JOINTS = 12, EXAMPLES = 64, REPEATS = 20, ROUNDS = 400 };

/* A rotation vector, up to about 70 degrees about each axis. */
static double random_angle(uint64_t *state) {
	return 1.2 * ((double)(snw_random_next(state) >> 11) / 4503599627370496.0 - 1);
}

/* A chain, with a tenth of a metre from joint to joint. */
static snw_status make_skeleton(snw_scene *scene, snw_error *error) {
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	*skeleton = (snw_skeleton){.joint_count = JOINTS,
							   .names = SNW_NEW_ARRAY(arena, const char *, JOINTS),
							   .parents = SNW_NEW_ARRAY(arena, uint32_t, JOINTS),
							   .rest_local = SNW_NEW_ARRAY(arena, snw_transform, JOINTS)};
	for (uint32_t j = 0; j < JOINTS; j++) {
		skeleton->names[j] = snw_arena_format(arena, "joint-%u", j);
		skeleton->parents[j] = j == 0 ? SNW_NONE : j - 1;
		skeleton->rest_local[j] =
			(snw_transform){.translation = {j == 0 ? 0 : 0.1, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	return snw_skeleton_finish(skeleton, arena, error);
}

static snw_pose random_pose(const snw_scene *scene, const char *name, uint64_t *state) {
	snw_pose *pose = snw_pose_rest(scene, scene->arena);
	for (size_t j = 0; j < JOINTS; j++) {
		for (size_t c = 0; c < 3; c++) {
			pose->rotation_vectors[3 * j + c] = random_angle(state);
		}
		snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * j, pose->local[j].rotation);
	}
	pose->name = name;
	return *pose;
}

/* One triangle without a skin, which no example moves: the time of the coefficients does not depend on the mesh. */
static void make_examples(snw_scene *scene, uint64_t *state) {
	static const double triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	snw_arena *arena = scene->arena;
	snw_mesh *mesh = SNW_NEW(arena, snw_mesh);
	snw_pose *poses = SNW_NEW_ARRAY(arena, snw_pose, EXAMPLES + 2);
	snw_example *examples = SNW_NEW_ARRAY(arena, snw_example, EXAMPLES);
	snw_member *members = SNW_NEW_ARRAY(arena, snw_member, EXAMPLES);
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, JOINTS);
	snw_group *group = SNW_NEW(arena, snw_group);
	*mesh = (snw_mesh){.name = "triangle",
					   .point_count = 3,
					   .points_rest = triangle,
					   .face_count = 1,
					   .face_offsets = snw_arena_copy(arena, (uint32_t[]){0, 3}, 2 * sizeof(uint32_t)),
					   .face_points = snw_arena_copy(arena, (uint32_t[]){0, 1, 2}, 3 * sizeof(uint32_t))};
	poses[0] = *snw_pose_rest(scene, arena);
	for (uint32_t e = 0; e < EXAMPLES + 1; e++) {
		const char *name = snw_arena_format(arena, "pose-%u", e);
		poses[1 + e] = random_pose(scene, name, state);
		if (e < EXAMPLES) {
			examples[e] = (snw_example){.name = name, .pose = 1 + e, .points_posed = triangle};
			members[e] = (snw_member){e, SNW_NONE};
		}
	}
	for (uint32_t j = 0; j < JOINTS; j++) {
		joints[j] = j;
	}
	*group = (snw_group){.name = "all", .joint_count = JOINTS, .joints = joints, .member_count = EXAMPLES, .members = members};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->poses = poses;
	scene->pose_count = EXAMPLES + 2;
	scene->examples = examples;
	scene->example_count = EXAMPLES;
	scene->groups = group;
	scene->group_count = 1;
}

static snw_status time_drive(const snw_deformer *deformer, const snw_model *model, const snw_pose_view *pose, snw_arena *arena,
							 double *seconds) {
	const snw_model_layout layout = snw_deformer_layout(deformer, model);
	const snw_drive_output output = {.size = sizeof output,
									 .z = SNW_NEW_ARRAY(arena, double, layout.z_count),
									 .d = SNW_NEW_ARRAY(arena, double, layout.d_count),
									 .e = SNW_NEW_ARRAY(arena, double, layout.e_count)};
	void *scratch = snw_arena_acquire(arena, layout.scratch_bytes);
	const snw_drive_call call = {.size = sizeof call, .model = model, .pose = pose, .scratch = scratch, .output = &output};
	snw_status status = SNW_OK;
	*seconds = INFINITY;
	const snw_thread_call before = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = deformer->descriptor->short_name, .function = "drive"});
	for (int round = 0; round < ROUNDS && !snw_failed(status); round++) {
		const double begun = snk_clock_seconds();
		for (int n = 0; n < REPEATS && !snw_failed(status); n++) {
			status = deformer->drive(&call);
		}
		*seconds = fmin(*seconds, (snk_clock_seconds() - begun) / REPEATS);
	}
	snw_thread_leave(before);
	return status;
}

/* The model as loaded from a file, at a pose that is not an example's. */
static snw_status time_model(const snw_scene *scene, const snw_deformer *deformer, const snw_saved_model *saved,
							 double *seconds, snw_error *error) {
	snw_services *services = snw_services_create(NULL, scene, NULL, NULL);
	snw_arena *arena = snw_arena_create();
	snw_model *model = NULL;
	const snw_thread_call before = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = deformer->descriptor->short_name, .function = "load"});
	snw_status status = snw_deformer_load(deformer, snw_services_host(services), snw_character_view_make(scene, arena),
										  saved->bytes, saved->byte_count, &model);
	if (!snw_failed(status)) {
		status = time_drive(deformer, model, snw_pose_view_make(scene, &scene->poses[EXAMPLES + 1], arena), arena, seconds);
		deformer->release(model);
	}
	snw_thread_leave(before);
	snw_arena_destroy(arena);
	snw_services_destroy(services);
	return snw_failed(status) ? snw_fail(error, status, "driving the model of '%s' failed", saved->name) : status;
}

snw_status snw_bench_coefficients(const snw_registry *registry, const char *method, snw_bench_coefficients_row *row,
								  snw_error *error) {
	uint64_t state = 5;
	snw_scene *scene = snw_scene_create();
	snw_fit_outcome outcome = {.arena = scene->arena};
	*row = (snw_bench_coefficients_row){.examples = EXAMPLES, .joints = JOINTS};
	snw_status status = make_skeleton(scene, error);
	if (!snw_failed(status)) {
		make_examples(scene, &state);
		const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE};
		status = snw_fit_run(scene, registry, &request, NULL, &outcome, error);
	}
	if (!snw_failed(status)) {
		status = time_model(scene, snw_registry_find(registry, method), &outcome.model, &row->seconds, error);
	}
	snw_scene_destroy(scene);
	return status;
}
