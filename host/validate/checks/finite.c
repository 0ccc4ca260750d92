/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether finite input can come out as NaN or infinity: at random poses, with random values of the parameters, and, for a black
 * box, with points from below that no character has at rest.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "plugin/requirements.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "validate/checks/checks.h"
#include "validate/checks/draw_values.h"
#include "validate/trial/trial_stack.h"

static const double pi = 3.14159265358979323846;

/* ---- random poses -------------------------------------------------------------------------------------------------------- */

/* The harness's own poses, while it has more. */
typedef struct more_poses {
	snw_arena *arena;
	const snw_pose *poses;
	const snw_pose_view **views;
	uint32_t count;
} more_poses;

/* Rotations up to one and a half turns, often none or exactly that; now and then a joint that is scaled, mirrored or
 * flattened. */
static void draw_joint_pose(uint64_t *random, const snw_transform *rest, snw_transform *local, double *rotation_vector) {
	static const double scales[] = {0, -1, 3};
	double q[4], length = 0;
	for (int c = 0; c < 3; c++) {
		rotation_vector[c] = draw_number(random, -1, 1);
		length += rotation_vector[c] * rotation_vector[c];
	}
	const double angle = draw_number(random, 0, 3 * pi);
	for (int c = 0; c < 3; c++) {
		rotation_vector[c] *= length > 0 ? angle / sqrt(length) : 0;
	}
	snw_quat_from_rotation_vector(rotation_vector, q);
	snw_quat_multiply(rest->rotation, q, local->rotation);
	if (snw_random_next(random) % 4 == 0) {
		local->translation[snw_random_next(random) % 3] += draw_number(random, -1, 1);
	}
	if (snw_random_next(random) % 8 == 0) {
		local->scale[snw_random_next(random) % 3] = scales[snw_random_next(random) % 3];
	}
}

static snw_pose draw_pose(uint64_t *random, const snw_scene *scene, uint32_t index, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, &scene->poses[snw_random_next(random) % scene->pose_count], arena);
	pose->name = snw_arena_format(arena, "random %u", index);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		draw_joint_pose(random, &scene->skeleton.rest_local[j], &pose->local[j], pose->rotation_vectors + (size_t)3 * j);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		pose->channels[c] = draw_number(random, -1, 2);
	}
	if (scene->skeleton.joint_count == 0) {
		pose->seconds = draw_number(random, -1, 3);
	}
	return *pose;
}

static more_poses add_poses(harness *b, uint64_t *random, uint32_t count) {
	const more_poses before = {snw_arena_create(), b->scene->poses, b->poses, b->scene->pose_count};
	const uint32_t all = before.count + count;
	snw_pose *poses = SNW_NEW_ARRAY(before.arena, snw_pose, all);
	b->poses = SNW_NEW_ARRAY(before.arena, const snw_pose_view *, all);
	for (uint32_t p = 0; p < all; p++) {
		poses[p] = p < before.count ? before.poses[p] : draw_pose(random, b->scene, p - before.count, before.arena);
		b->poses[p] = p < before.count ? before.views[p] : snw_pose_view_make(b->scene, &poses[p], before.arena);
	}
	b->scene->poses = poses;
	b->scene->pose_count = all;
	return before;
}

static void remove_poses(harness *b, const more_poses *before) {
	b->scene->poses = before->poses;
	b->scene->pose_count = before->count;
	b->poses = before->views;
	snw_arena_destroy(before->arena);
}

/* ---- points from below --------------------------------------------------------------------------------------------------- */

typedef enum shape { AT_REST, SHAKEN, IN_A_PLANE, IN_ONE_POINT, SHAPES } shape;
static const char *const shape_words[] = {"", ", with shaken points", ", with all points in a plane",
										  ", with all points in one place"};

static void draw_points(uint64_t *random, shape kind, const snw_mesh *mesh, double *points) {
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		const double rest = mesh->points_rest[i];
		points[i] = kind == SHAKEN                     ? rest + draw_number(random, -0.1, 0.1)
					: kind == IN_ONE_POINT             ? 0.25
					: kind == IN_A_PLANE && i % 3 == 1 ? 0
													   : rest;
	}
}

/* ---- evaluation ---------------------------------------------------------------------------------------------------------- */

static snw_status check_points(const harness *b, uint32_t pose, uint32_t mesh, const char *what, shape kind,
							   const double *points, snw_error *finding) {
	for (size_t i = 0; i < (size_t)3 * b->scene->meshes[mesh].point_count; i++) {
		if (!isfinite(points[i])) {
			return snw_fail(finding, SNW_ERROR_INTERNAL,
							"%s gives point %zu of mesh '%s' coordinates that are not finite at pose '%s'%s", what, i / 3,
							b->scene->meshes[mesh].name, b->scene->poses[pose].name, shape_words[kind]);
		}
	}
	return SNW_OK;
}

/* A failure is no NaN: the layer is left out, and the host says so. */
static snw_status check_mesh(const harness *b, const trial_stack *stack, uint32_t pose, const harness_driven *driven,
							 uint32_t m, shape kind, uint64_t *random, snw_error *finding) {
	const snw_mesh *mesh = &b->scene->meshes[m];
	const size_t bytes = (size_t)3 * mesh->point_count * sizeof(double);
	double *from = malloc(bytes), *to = malloc(bytes);
	const bool is_black_box = harness_is_black_box(b, b->model, m);
	draw_points(random, kind, mesh, from);
	snw_status status = is_black_box ? harness_deform(b, b->model, pose, driven, m, from, to)
									 : snw_stack_reference(stack->whole, stack->whole_evaluation, m, from, to, NULL);
	status = snw_failed(status)
				 ? SNW_OK
				 : check_points(b, pose, m, is_black_box ? "deform" : "the program that it lowers to", kind, to, finding);
	free(from);
	free(to);
	return status;
}

static snw_status check_poses(const harness *b, const trial_stack *stack, uint32_t named_count, uint64_t *random,
							  snw_error *finding) {
	harness_driven driven;
	snw_status status = harness_driven_make(b, b->model, &driven, finding);
	for (uint32_t p = 0; p < b->scene->pose_count && !snw_failed(status); p++) {
		snw_error fault = {0};
		const snw_status drove = harness_drive(b, b->model, p, 0, &driven, &fault);
		if (drove == SNW_ERROR_INTERNAL) {
			status = snw_fail(finding, drove, "%.900s", fault.text);
		}
		const bool runs =
			!snw_failed(drove) && !snw_failed(snw_stack_drive(stack->whole, b->poses[p], stack->whole_evaluation, NULL));
		const shape kind = p < named_count ? AT_REST : (shape)((p - named_count) % SHAPES);
		for (uint32_t m = 0; m < b->scene->mesh_count && runs && !snw_failed(status); m++) {
			status = check_mesh(b, stack, p, &driven, m, kind, random, finding);
		}
	}
	harness_driven_free(&driven);
	return status;
}

snw_status snw_validate_finite_poses(harness *b, uint64_t *random, uint32_t count, snw_error *finding) {
	if (snw_proposes_only(b->deformer->descriptor)) {
		return SNW_OK;
	}
	trial_stack stack;
	snw_status status = trial_stack_open(&stack, b, false, finding);
	const more_poses before = add_poses(b, random, count);
	status = snw_failed(status) ? status : check_poses(b, &stack, before.count, random, finding);
	remove_poses(b, &before);
	trial_stack_close(&stack);
	return status;
}

/* ---- the check ----------------------------------------------------------------------------------------------------------- */

/* The model with its own values; with others for lowering and driving; and, last, one that was fitted with others. */
snw_status snw_validate_finite(harness *b, const check_settings *settings, snw_error *finding) {
	if (snw_proposes_only(b->deformer->descriptor)) {
		return snw_fail(finding, SNW_OK, "it proposes and moves no points");
	}
	static const uint32_t pose_counts[] = {[SNW_VALIDATE_QUICK] = 8, [SNW_VALIDATE_NORMAL] = 24, [SNW_VALIDATE_THOROUGH] = 120};
	static const uint32_t draw_counts[] = {[SNW_VALIDATE_QUICK] = 2, [SNW_VALIDATE_NORMAL] = 4, [SNW_VALIDATE_THOROUGH] = 20};
	const uint32_t poses = pose_counts[settings->level], draws = draw_counts[settings->level];
	uint64_t random = settings->seed;
	uint32_t refused = 0;
	drawn_files files = draw_files(b);
	snw_status status = snw_validate_finite_poses(b, &random, poses, finding);
	for (uint32_t draw = 0; draw < draws && !snw_failed(status); draw++) {
		draw_values(&random, b, SNW_STAGE_LOWER, &files);
		status = snw_validate_finite_poses(b, &random, poses, finding);
		draw_files_close(&files);
	}
	if (!snw_failed(status) && b->deformer->descriptor->parameter_count > 0) {
		status = harness_release(b, finding);
		draw_values(&random, b, SNW_STAGE_FIT, &files);
		status = snw_failed(status) ? status : snw_validate_try_values(b, &random, &refused, finding);
		draw_files_close(&files);
	}
	return snw_failed(status) ? status
							  : snw_fail(finding, SNW_OK, "every number is finite at %u random poses, with %u draws of values",
										 poses, draws + 1);
}
