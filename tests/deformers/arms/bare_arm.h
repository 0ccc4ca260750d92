/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample arm, of few points, without its sculpts, to be given others.
 */
#ifndef SINEW_TESTS_DEFORMERS_ARMS_BARE_ARM_H
#define SINEW_TESTS_DEFORMERS_ARMS_BARE_ARM_H

#include "tiny_arm.h"

#include "deformers/fitting.h"
#include "sample/sample.h"
#include "scene/scene.h"

enum { STAGE_SHOULDER, STAGE_ELBOW, STAGE_WRIST, STAGE_MOST = 8 };

typedef struct arm_fixture {
	snw_scene *scene;
	snw_pose poses[1 + STAGE_MOST];
	snw_example examples[STAGE_MOST];
	snw_group groups[STAGE_MOST];
	snw_field fields[STAGE_MOST];
} arm_fixture;

/* The fixture must stay where it is while its scene is used. */
static inline void arm_open_of(arm_fixture *fixture, snw_scene *scene) {
	memset(fixture, 0, sizeof *fixture);
	fixture->scene = scene;
	fixture->poses[0] = fixture->scene->poses[0];
	fixture->scene->poses = fixture->poses;
	fixture->scene->examples = fixture->examples;
	fixture->scene->groups = fixture->groups;
	fixture->scene->fields = fixture->fields;
	fixture->scene->pose_count = 1;
	fixture->scene->example_count = fixture->scene->group_count = fixture->scene->field_count = fixture->scene->target_count =
		0;
}

static inline void arm_open(arm_fixture *fixture) {
	arm_open_of(fixture, tiny_arm());
}

static inline void arm_close(arm_fixture *fixture) {
	snw_scene_destroy(fixture->scene);
}

static inline snw_pose *arm_pose(const arm_fixture *fixture, double shoulder, double bend, double twist) {
	snw_pose *pose = snw_pose_rest(fixture->scene, fixture->scene->arena);
	const double vectors[3][3] = {{0, shoulder, 0}, {0, 0, bend}, {twist, 0, 0}};
	for (uint32_t j = 0; j < 3; j++) {
		memcpy(pose->rotation_vectors + 3 * (size_t)j, vectors[j], sizeof vectors[j]);
		snw_quat_from_rotation_vector(vectors[j], pose->local[j].rotation);
	}
	return pose;
}

static inline const snw_pose_view *arm_view(const arm_fixture *fixture, const snw_pose *pose) {
	return snw_pose_view_make(fixture->scene, pose, fixture->scene->arena);
}

/* A sculpt at the pose: the arm's ground truth, with a dent of `dent` metres at x. Returns the example's index. */
static inline uint32_t arm_example(arm_fixture *fixture, const char *name, double bend, double twist, double dent, double x) {
	snw_scene *scene = fixture->scene;
	const snw_mesh *mesh = &scene->meshes[0];
	double *points = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *rest = mesh->points_rest + 3 * (size_t)i, t = (rest[0] - x) / 0.03;
		snw_arm_ground_truth(bend, twist, rest, points + 3 * (size_t)i);
		points[3 * (size_t)i + 2] += dent * exp(-t * t);
	}
	fixture->poses[scene->pose_count] = *arm_pose(fixture, 0, bend, twist);
	fixture->poses[scene->pose_count].name = name;
	fixture->examples[scene->example_count] =
		(snw_example){.name = name, .pose = scene->pose_count++, .mesh = 0, .points_posed = points};
	return scene->example_count++;
}

/* A mask over the arm: 1 below `from` in y, 0 above `to`, or the other way round. */
static inline uint32_t arm_mask(arm_fixture *fixture, const char *name, double from, double to, bool reverse) {
	snw_scene *scene = fixture->scene;
	const snw_mesh *mesh = &scene->meshes[0];
	double *values = SNW_NEW_ARRAY(scene->arena, double, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double y = mesh->points_rest[3 * (size_t)i + 1];
		const double share = to > from ? fmin(fmax((to - y) / (to - from), 0), 1) : y < from;
		values[i] = reverse ? 1 - share : share;
	}
	fixture->fields[scene->field_count] =
		(snw_field){.name = name, .domain = SNW_DOMAIN_POINTS, .components = 1, .count = mesh->point_count, .values = values};
	return scene->field_count++;
}

static inline void arm_group(arm_fixture *fixture, const char *name, uint32_t count, const snw_member *members) {
	snw_scene *scene = fixture->scene;
	fixture->groups[scene->group_count++] = (snw_group){
		.name = name, .member_count = count, .members = snw_arena_copy(scene->arena, members, count * sizeof *members)};
}

/* The largest distance of any example from the fitted scene at its pose, in units of the box. */
static inline double arm_worst_example(const snw_scene *scene, const snw_registry *registry) {
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	double worst = 0;
	for (uint32_t e = 0; e < scene->example_count; e++) {
		const snw_example *example = &scene->examples[e];
		const uint32_t count = scene->meshes[example->mesh].point_count;
		snw_arena *arena = snw_arena_create();
		double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
		fitting_truth(&stack, snw_pose_view_make(scene, &scene->poses[example->pose], arena), example->mesh, points);
		worst = fmax(worst, fitting_distance(count, points, example->points_posed) / snw_scene_diagonal(scene, example->mesh));
		snw_arena_destroy(arena);
	}
	fitting_stack_drop(&stack);
	return worst;
}

/* The coefficients of the fitted scene's top layer at a pose; returns their number. */
static inline uint32_t arm_coefficients(const snw_scene *scene, const snw_registry *registry, const snw_pose_view *pose,
										double coefficients[STAGE_MOST]) {
	const snw_saved_model *saved = &scene->models[scene->layers[scene->layer_count - 1].model];
	const snw_deformer *deformer = snw_registry_find(registry, saved->deformer);
	snw_arena *arena = snw_arena_create();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_model *model = NULL;
	const snw_character_view *character = snw_character_view_make(scene, arena);
	assert_int_equal(
		snw_deformer_load(deformer, snw_services_host(services), character, saved->bytes, saved->byte_count, &model), SNW_OK);
	const snw_model_layout layout = snw_deformer_layout(deformer, model);
	assert_in_range(layout.d_count, 1, STAGE_MOST);
	double e[STAGE_MOST];
	snw_drive_output output = {.size = sizeof output, .d = coefficients, .e = e};
	const snw_drive_call call = {.size = sizeof call,
								 .model = model,
								 .pose = pose,
								 .scratch = snw_arena_acquire(arena, layout.scratch_bytes),
								 .output = &output};
	assert_int_equal(deformer->drive(&call), SNW_OK);
	deformer->release(model);
	snw_services_destroy(services);
	snw_arena_destroy(arena);
	return layout.d_count;
}

#endif
