/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "subdivision/subdivision_error.h"

#include <math.h>
#include <string.h>

#include "pose/clip_times.h"
#include "pose/pose.h"
#include "program/reference_evaluator.h"
#include "sinew/algebra.h"

enum { MOMENTS_OF_A_CLIP = 24 };

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

const snw_program *snw_subdivision_program(const snw_stack *stack, uint32_t mesh) {
	const snw_program *program = snw_stack_segment_count(stack, mesh) > 0 ? snw_stack_segment(stack, mesh, 0).program : NULL;
	return program && program->blend != SNW_BLEND_NONE ? program : NULL;
}

/* Linear blend by the subdivided weights over the subdivided rest. */
static snw_status naive_program(const snw_program *program, const snw_refinement *refinement, const snw_task *task,
								snw_arena *arena, snw_program *naive, snw_error *error) {
	const uint32_t influences = program->influence_offsets[program->point_count];
	double *weights = SNW_NEW_ARRAY(arena, double, influences);
	for (uint32_t k = 0; k < influences; k++) {
		weights[k] = snw_program_weight(program, k);
	}
	const snw_influences from = {program->influence_offsets, program->influence_slots, weights};
	snw_influences to;
	const snw_status status =
		snw_refined_influences(&refinement->points, &from, program->slot_count, 1, task, arena, &to, error);
	if (snw_failed(status)) {
		return status;
	}
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)refinement->points.count);
	snw_stencils_apply(&refinement->points, program->points_rest, 3, rest);
	*naive = (snw_program){.point_count = refinement->points.count,
						   .blend = SNW_BLEND_LINEAR,
						   .slot_count = program->slot_count,
						   .points_rest = rest,
						   .influence_offsets = to.offsets,
						   .influence_slots = to.slots,
						   .influence_weights = to.values};
	return SNW_OK;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

typedef struct error_sums {
	double squares; /* of distances over half the diagonal of their mesh */
	double most;    /* the largest distance over the diagonal */
	double points;  /* in all poses */
	uint32_t poses;
} error_sums;

/* Adds one mesh at one pose: what it was made of, subdivided, against what it is. `expected` is working memory. */
static void add_mesh(error_sums *sums, double diagonal, const snw_stencils *stencils, const double *coarse,
					 const double *actual, double *expected) {
	snw_stencils_apply(stencils, coarse, 3, expected);
	for (size_t p = 0; p < stencils->count; p++) {
		const double gap[3] = {expected[3 * p] - actual[3 * p], expected[3 * p + 1] - actual[3 * p + 1],
							   expected[3 * p + 2] - actual[3 * p + 2]};
		sums->squares += 4 * snw_dot3(gap, gap) / (diagonal * diagonal);
		sums->most = fmax(sums->most, snw_length3(gap) / diagonal);
	}
	sums->points += stencils->count;
}

static void finish(const error_sums *sums, snw_subdivision_error *measured) {
	*measured = (snw_subdivision_error){.erms = sums->points > 0 ? 1000 * sqrt(sums->squares / (3 * sums->points)) : 0,
										.max_percent = 100 * sums->most,
										.pose_count = sums->poses};
}

static double diagonal_of(const snw_scene *scene, uint32_t mesh) {
	const double diagonal = snw_scene_diagonal(scene, mesh);
	return diagonal > 0 ? diagonal : 1;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

typedef snw_status pose_visitor(void *argument, const snw_pose *pose, snw_error *error);

/* The poses of the scene, and moments of its clips. */
static snw_status visit_poses(const snw_scene *scene, const snw_task *task, pose_visitor *visit, void *argument,
							  snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->pose_count; i++) {
		status = visit(argument, &scene->poses[i], error);
	}
	for (uint32_t c = 0; !snw_failed(status) && c < scene->clip_count; c++) {
		uint32_t count = 0;
		double *seconds = NULL;
		snw_clip_times(scene, c, scratch, &seconds, &count);
		const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, c, scratch);
		const uint32_t moments = count < MOMENTS_OF_A_CLIP ? count : MOMENTS_OF_A_CLIP;
		for (uint32_t k = 0; !snw_failed(status) && k < moments; k++) {
			const uint32_t at = moments > 1 ? (uint32_t)((uint64_t)k * (count - 1) / (moments - 1)) : 0;
			status = visit(argument, snw_clip_sampler_pose(sampler, seconds[at], scratch), error);
			if (!snw_failed(status) && !snw_task_progress(task, (c + (double)k / moments) / scene->clip_count, "measuring")) {
				status = snw_fail(error, SNW_CANCELLED, "measuring was cancelled");
			}
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- the naive way ------------------------------------------------------------------------------------------------------- */

typedef struct naive_measuring {
	const snw_scene *scene;
	const snw_stack *stack;
	const snw_refinement *refinements;
	snw_evaluation *evaluation;
	snw_arena *arena;
	snw_program *naive;                 /* [mesh_count] */
	double *coarse, *actual, *expected; /* for the largest mesh */
	error_sums sums;
} naive_measuring;

static snw_status visit_naive(void *argument, const snw_pose *pose, snw_error *error) {
	naive_measuring *m = argument;
	snw_arena *scratch = snw_arena_create();
	const snw_status status = snw_stack_drive(m->stack, snw_pose_view_make(m->scene, pose, scratch), m->evaluation, error);
	for (uint32_t mesh = 0; !snw_failed(status) && mesh < m->scene->mesh_count; mesh++) {
		const snw_program *program = snw_subdivision_program(m->stack, mesh);
		if (program && m->refinements[mesh].face_count > 0) {
			snw_program plain = *program; /* of the blend alone */
			plain.rest = (snw_displacements){.size = sizeof plain.rest};
			plain.posed = (snw_displacements){.size = sizeof plain.posed};
			const snw_program_input *input = snw_stack_program_input(m->evaluation, mesh, 0);
			snw_program_reference(&plain, input, NULL, m->coarse);
			snw_program_reference(&m->naive[mesh], input, NULL, m->actual);
			add_mesh(&m->sums, diagonal_of(m->scene, mesh), &m->refinements[mesh].points, m->coarse, m->actual, m->expected);
		}
	}
	m->sums.poses++;
	snw_arena_destroy(scratch);
	return status;
}

/* Points of the largest mesh, as it is and refined. */
static void find_largest(const snw_scene *scene, const snw_refinement *refinements, size_t *coarse, size_t *fine) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		*coarse = scene->meshes[m].point_count > *coarse ? scene->meshes[m].point_count : *coarse;
		*fine = refinements[m].points.count > *fine ? refinements[m].points.count : *fine;
	}
}

snw_status snw_subdivision_measure_naive(const snw_scene *scene, const snw_stack *stack, const snw_refinement *refinements,
										 const snw_task *task, snw_subdivision_error *measured, snw_error *error) {
	naive_measuring m = {.scene = scene, .stack = stack, .refinements = refinements, .arena = snw_arena_create()};
	size_t coarse = 0, fine = 0;
	find_largest(scene, refinements, &coarse, &fine);
	m.coarse = SNW_NEW_ARRAY(m.arena, double, 3 * coarse);
	m.actual = SNW_NEW_ARRAY(m.arena, double, 3 * fine);
	m.expected = SNW_NEW_ARRAY(m.arena, double, 3 * fine);
	m.naive = SNW_NEW_ARRAY(m.arena, snw_program, scene->mesh_count);
	snw_status status = SNW_OK;
	for (uint32_t mesh = 0; mesh < scene->mesh_count && !snw_failed(status); mesh++) {
		const snw_program *program = snw_subdivision_program(stack, mesh);
		if (program && refinements[mesh].face_count > 0) {
			status = naive_program(program, &refinements[mesh], task, m.arena, &m.naive[mesh], error);
		}
	}
	m.evaluation = snw_evaluation_create_reference(stack);
	status = snw_failed(status) ? status : visit_poses(scene, task, visit_naive, &m, error);
	finish(&m.sums, measured);
	snw_evaluation_destroy(m.evaluation);
	snw_arena_destroy(m.arena);
	return status;
}

/* ---- the whole stack ----------------------------------------------------------------------------------------------------- */

typedef struct whole_measuring {
	const snw_scene *scenes[2]; /* the original, the subdivided one */
	snw_stack *stacks[2];
	snw_evaluation *evaluations[2];
	const snw_refinement *refinements;
	double *points[2], *expected;
	error_sums sums;
} whole_measuring;

static snw_status visit_whole(void *argument, const snw_pose *pose, snw_error *error) {
	whole_measuring *m = argument;
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (int i = 0; !snw_failed(status) && i < 2; i++) {
		status = snw_stack_drive(m->stacks[i], snw_pose_view_make(m->scenes[i], pose, scratch), m->evaluations[i], error);
	}
	for (uint32_t mesh = 0; !snw_failed(status) && mesh < m->scenes[0]->mesh_count; mesh++) {
		for (int i = 0; !snw_failed(status) && i < 2; i++) {
			status = snw_stack_reference(m->stacks[i], m->evaluations[i], mesh, NULL, m->points[i], error);
		}
		if (!snw_failed(status) && m->refinements[mesh].face_count > 0) {
			add_mesh(&m->sums, diagonal_of(m->scenes[0], mesh), &m->refinements[mesh].points, m->points[0], m->points[1],
					 m->expected);
		}
	}
	m->sums.poses++;
	snw_arena_destroy(scratch);
	return status;
}

/* Whether a scene is the original with refined meshes. Another shell may have changed it since. */
static bool is_refined_of(const snw_scene *original, const snw_scene *subdivided, const snw_refinement *refinements) {
	const snw_skeleton *before = &original->skeleton, *after = &subdivided->skeleton;
	bool is_same = original->mesh_count == subdivided->mesh_count && before->joint_count == after->joint_count &&
				   original->channel_count == subdivided->channel_count;
	for (uint32_t m = 0; is_same && m < original->mesh_count; m++) {
		const snw_mesh *mesh = &original->meshes[m];
		const uint32_t count = refinements[m].face_count > 0 ? refinements[m].points.count : mesh->point_count;
		is_same = subdivided->meshes[m].id == mesh->id && subdivided->meshes[m].point_count == count;
	}
	for (uint32_t j = 0; is_same && j < before->joint_count; j++) {
		is_same = before->parents[j] == after->parents[j] && strcmp(before->names[j], after->names[j]) == 0;
	}
	return is_same;
}

snw_status snw_subdivision_measure(const snw_scene *original, const snw_scene *subdivided, const snw_registry *registry,
								   const snw_refinement *refinements, const snw_task *task, snw_subdivision_error *measured,
								   snw_error *error) {
	if (!is_refined_of(original, subdivided, refinements)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "the character was changed after it was subdivided");
	}
	whole_measuring m = {.scenes = {original, subdivided}, .refinements = refinements};
	snw_arena *arena = snw_arena_create();
	size_t coarse = 0, fine = 0;
	find_largest(original, refinements, &coarse, &fine);
	const size_t most = coarse > fine ? coarse : fine;
	m.expected = SNW_NEW_ARRAY(arena, double, 3 * most);
	snw_status status = SNW_OK;
	for (int i = 0; !snw_failed(status) && i < 2; i++) {
		m.points[i] = SNW_NEW_ARRAY(arena, double, 3 * most);
		status = snw_stack_build(m.scenes[i], registry, NULL, task, &m.stacks[i], error);
		m.evaluations[i] = snw_failed(status) ? NULL : snw_evaluation_create_reference(m.stacks[i]);
	}
	status = snw_failed(status) ? status : visit_poses(original, task, visit_whole, &m, error);
	finish(&m.sums, measured);
	for (int i = 0; i < 2; i++) {
		snw_evaluation_destroy(m.evaluations[i]);
		snw_stack_destroy(m.stacks[i]);
	}
	snw_arena_destroy(arena);
	return status;
}
