/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/cost.h"

#include <math.h>

#include "sinew/kit/clock.h"
#include "task/parallel.h"

enum { POSES = 4, ROUNDS = 15 };
static const double ENOUGH_SECONDS = 1.5; /* of one stack at one pose; slow stacks get fewer rounds */

/* ---- counts ------------------------------------------------------------------------------------------------------------ */

/* Operations of a blend: for each influence, and for each point. A linear blend sums weighted 3×4 matrices, then applies the
 * sum; an affine one applies each matrix to its own vector; dual quaternions are summed, normalised and applied. */
typedef struct blend_operations {
	uint32_t influence, point, influence_floats;
} blend_operations;

static const blend_operations operations_of[] = {
	[SNW_BLEND_NONE] = {0, 0, 0},
	[SNW_BLEND_LINEAR] = {24, 18, 2},
	[SNW_BLEND_AFFINE] = {24, 0, 5},
	[SNW_BLEND_DUAL_QUATERNION] = {16, 70, 2},
};

static void count_program(const snw_program *program, snw_compare_cost *cost) {
	enum { DISPLACED_REST = 6, DISPLACED_POSED = 24, COMBINED = 6 };
	const blend_operations *blend = &operations_of[program->blend];
	const uint64_t influences = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	const uint64_t rest = program->rest.count > 0 ? program->rest.offsets[program->rest.count] : 0;
	const uint64_t posed = program->posed.count > 0 ? program->posed.offsets[program->posed.count] : 0;
	const uint64_t slots = program->slot_count;
	const uint64_t dense = program->combined ? 4 * slots * program->combined_count : 0;
	const uint64_t sparse = program->combined_slots ? 4 * (uint64_t)program->combined_slots->offsets[slots] : 0;
	cost->influences += influences;
	cost->displaced += rest + posed;
	cost->combined += dense + sparse;
	cost->operations += influences * blend->influence + (uint64_t)program->point_count * blend->point + rest * DISPLACED_REST +
						posed * DISPLACED_POSED + (dense + sparse) * COMBINED;
	cost->bytes += 4 * (3 * (uint64_t)program->point_count + influences * blend->influence_floats + 4 * (rest + posed) + dense +
						sparse + sparse / 4);
}

static void count(const snw_stack *stack, uint32_t mesh, snw_compare_cost *cost) {
	cost->is_counted = true;
	for (uint32_t s = 0; s < snw_stack_segment_count(stack, mesh); s++) {
		const snw_segment_info info = snw_stack_segment(stack, mesh, s);
		cost->is_counted = cost->is_counted && info.is_program;
		if (info.program) {
			count_program(info.program, cost);
		}
	}
}

/* ---- seconds ----------------------------------------------------------------------------------------------------------- */

typedef struct timed_stack {
	const snw_stack *stack;
	snw_evaluation *evaluation;
	double shortest, all; /* seconds, at the current pose */
} timed_stack;

static snw_status run_once(timed_stack *timed, const snw_pose_view *pose, uint32_t mesh, float *points, snw_error *error) {
	const double before = snk_clock_seconds();
	snw_status status = snw_stack_drive(timed->stack, pose, timed->evaluation, error);
	status = snw_failed(status) ? status : snw_stack_run(timed->stack, timed->evaluation, mesh, points, error);
	const double seconds = snk_clock_seconds() - before;
	timed->shortest = fmin(timed->shortest, seconds);
	timed->all += seconds;
	return status;
}

snw_status snw_compare_cost_find(const snw_stack *stack, const snw_stack *baseline, uint32_t mesh, const snw_series *series,
								 snw_compare_cost *cost, snw_error *error) {
	timed_stack timed[2] = {{.stack = baseline, .evaluation = snw_evaluation_create(baseline)},
							{.stack = stack, .evaluation = snw_evaluation_create(stack)}};
	snw_arena *arena = snw_arena_create();
	float *points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)series->mesh->point_count);
	const uint32_t poses = series->frame_count < POSES ? series->frame_count : POSES;
	double sums[2] = {0};
	snw_status status = SNW_OK;
	const uint32_t threads = snw_parallel_thread_count();
	*cost = (snw_compare_cost){0};
	count(stack, mesh, cost);
	snw_parallel_threads(1); /* several would wait for what else the machine does */
	for (uint32_t p = 0; p < poses && !snw_failed(status); p++) {
		const snw_pose_view *pose = series->frames[(uint64_t)p * series->frame_count / poses].pose;
		timed[0].shortest = timed[1].shortest = INFINITY;
		timed[0].all = timed[1].all = 0;
		for (int round = 0; round < ROUNDS && !snw_failed(status) && timed[1].all * poses < ENOUGH_SECONDS; round++) {
			for (int t = 0; t < 2 && !snw_failed(status); t++) {
				status = run_once(&timed[t], pose, mesh, points, error);
			}
		}
		sums[0] += timed[0].shortest;
		sums[1] += timed[1].shortest;
	}
	snw_parallel_threads(threads);
	cost->seconds = sums[1] / poses;
	cost->ratio = sums[1] / sums[0];
	snw_evaluation_destroy(timed[0].evaluation);
	snw_evaluation_destroy(timed[1].evaluation);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}
