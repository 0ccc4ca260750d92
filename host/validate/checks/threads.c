/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the number of threads shows in the result: in the stack, and in the model of a fit.
 */
#include <string.h>

#include "fit/fit.h"
#include "plugin/deformer_calls.h"
#include "plugin/memory_sink.h"
#include "plugin/requirements.h"
#include "task/parallel.h"
#include "validate/checks/checks.h"
#include "validate/trial/trial_stack.h"

enum { THREADS = 4 };

/* ---- in the stack -------------------------------------------------------------------------------------------------------- */

/* Poses evaluated one by one, or all at once, each with its own evaluation. */
typedef struct thread_run {
	const harness *b;
	const snw_stack *stack;
	double **points; /* [pose_count], the points of all meshes in order */
	snw_status statuses[64];
} thread_run;

static void run_poses(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	thread_run *run = argument;
	for (uint32_t p = begin; p < end; p++) {
		snw_evaluation *evaluation = snw_evaluation_create_reference(run->stack);
		double *points = run->points[p];
		run->statuses[p] = snw_stack_drive(run->stack, run->b->poses[p], evaluation, NULL);
		for (uint32_t m = 0; run->statuses[p] >= 0 && m < run->b->scene->mesh_count; m++) {
			run->statuses[p] = snw_stack_reference(run->stack, evaluation, m, NULL, points, NULL);
			points += (size_t)3 * run->b->scene->meshes[m].point_count;
		}
		snw_evaluation_destroy(evaluation);
	}
}

static snw_status compare_threads(const harness *b, const snw_stack *stack, snw_error *finding) {
	size_t numbers = 0;
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		numbers += (size_t)3 * b->scene->meshes[m].point_count;
	}
	const uint32_t poses = b->scene->pose_count;
	thread_run runs[3];
	snw_arena *arena = b->scene->arena;
	for (int r = 0; r < 3; r++) {
		runs[r] = (thread_run){.b = b, .stack = stack, .points = SNW_NEW_ARRAY(arena, double *, poses)};
		for (uint32_t p = 0; p < poses; p++) {
			runs[r].points[p] = SNW_NEW_ARRAY(arena, double, numbers);
		}
		snw_parallel_threads(r == 0 ? 1 : THREADS);
		if (r < 2) {
			run_poses(&runs[r], 0, poses, 0); /* threads within a pose */
		} else {
			snw_parallel_for(poses, 1, run_poses, &runs[r]); /* poses on threads */
		}
	}
	for (uint32_t p = 0; p < poses; p++) {
		for (int r = 0; r < 3; r++) {
			if (runs[r].statuses[p] < 0 || memcmp(runs[r].points[p], runs[0].points[p], numbers * sizeof(double)) != 0) {
				return snw_fail(finding, SNW_ERROR_INTERNAL, "pose '%s' %s %d threads %s", b->scene->poses[p].name,
								runs[r].statuses[p] < 0 ? "fails on" : "gets different bits on", r == 0 ? 1 : THREADS,
								r == 2 ? "that each take a pose" : "");
			}
		}
	}
	return snw_fail(finding, SNW_OK, "1 and %d threads give the same bits", THREADS);
}

static bool same_skins(const snw_scene *one, const snw_scene *many) {
	bool is_same = true;
	for (uint32_t m = 0; m < one->mesh_count && is_same; m++) {
		const snw_mesh *a = &one->meshes[m], *b = &many->meshes[m];
		const uint32_t count = a->influence_offsets ? a->influence_offsets[a->point_count] : 0;
		is_same = !a->influence_offsets == !b->influence_offsets &&
				  (count == 0 || (memcmp(a->influence_offsets, b->influence_offsets,
										 ((size_t)a->point_count + 1) * sizeof *a->influence_offsets) == 0 &&
								  memcmp(a->influence_slots, b->influence_slots, count * sizeof *a->influence_slots) == 0 &&
								  memcmp(a->influence_weights, b->influence_weights, count * sizeof(double)) == 0));
	}
	return is_same;
}

/* What only proposes runs nothing: its proposals are the same on any number of threads. */
static snw_status compare_proposals(harness *b, snw_error *finding) {
	const snw_fit_request request = {.method = b->deformer->descriptor->id, .left_out_example = SNW_NONE};
	snw_scene *made[2] = {NULL, NULL};
	snw_status status = SNW_OK;
	for (int i = 0; !snw_failed(status) && i < 2; i++) {
		snw_fit_outcome outcome = {.arena = b->scene->arena};
		snw_parallel_threads(i == 0 ? 1 : THREADS);
		status = snw_fit_run(b->scene, b->registry, &request, NULL, &outcome, finding);
		status = snw_failed(status) ? status : snw_fit_apply(b->scene, &outcome, &made[i], finding);
	}
	if (!snw_failed(status)) {
		const snw_skeleton *one = &made[0]->skeleton, *many = &made[1]->skeleton;
		const bool is_same = one->joint_count == many->joint_count &&
							 memcmp(one->rest_global, many->rest_global, (size_t)12 * one->joint_count * sizeof(double)) == 0 &&
							 same_skins(made[0], made[1]);
		status = is_same ? snw_fail(finding, SNW_OK, "1 and %d threads give the same proposals", THREADS)
						 : snw_fail(finding, SNW_ERROR_INTERNAL, "%d threads give other proposals than 1", THREADS);
	}
	snw_scene_destroy(made[0]);
	snw_scene_destroy(made[1]);
	return status;
}

/* Whether the fit proposed what its model runs on. */
static bool proposes_a_rig(const snw_proposals *p) {
	return p->has_skeleton || p->skin_count > 0 || p->pose_count > 0 || p->track_count > 0;
}

/* The path of a fit in the host: into bytes, into a scene, onto a stack. */
static snw_status compare_fitted(harness *b, snw_error *finding) {
	const char *method = b->deformer->descriptor->id;
	const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = b->scene->arena};
	snw_scene *after = NULL;
	snw_stack *stack = NULL;
	snw_status status = snw_fit_run(b->scene, b->registry, &request, NULL, &outcome, finding);
	status = snw_failed(status) ? status : snw_fit_apply(b->scene, &outcome, &after, finding);
	const snw_stack_options options = {.method = method};
	status = snw_failed(status) ? status : snw_stack_build(after, b->registry, &options, NULL, &stack, finding);
	status = snw_failed(status) ? status : compare_threads(b, stack, finding);
	snw_stack_destroy(stack);
	snw_scene_destroy(after);
	return status;
}

/* With the model that is there already. */
static snw_status compare_model(const harness *b, snw_error *finding) {
	trial_stack stack;
	snw_status status = trial_stack_open(&stack, b, false, finding);
	status = snw_failed(status) ? status : compare_threads(b, stack.whole, finding);
	trial_stack_close(&stack);
	return status;
}

snw_status snw_validate_threads(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	return snw_proposes_only(b->deformer->descriptor) ? compare_proposals(b, finding)
		   : proposes_a_rig(&b->proposals)            ? compare_fitted(b, finding)
													  : compare_model(b, finding);
}

/* ---- of a fit ------------------------------------------------------------------------------------------------------------ */

static snw_status compare_bytes(const harness *b, const harness *again, snw_error *finding) {
	snw_memory_sink first, second;
	snw_status status = harness_save(b, b->model, &first, finding);
	if (snw_failed(status)) {
		return status;
	}
	status = harness_save(again, again->model, &second, finding);
	if (!snw_failed(status)) {
		if (first.count != second.count || memcmp(first.bytes, second.bytes, first.count) != 0) {
			status = snw_fail(finding, SNW_ERROR_INTERNAL, "a second fit, on %d threads, saves other bytes", THREADS);
		}
		snw_memory_sink_close(&second);
	}
	snw_memory_sink_close(&first);
	return status;
}

/* Fits once more, with another number of threads. */
snw_status snw_validate_repeat(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	harness again = *b;
	again.instance = NULL;
	again.model = NULL;
	trial_host_open(&again.trial, b->trial.real);
	harness_forget_proposals(b);
	snw_parallel_threads(THREADS);
	snw_status status = harness_fit_whole(&again, finding);
	if (!snw_failed(status) && b->deformer->save && b->deformer->load) {
		status = compare_bytes(b, &again, finding);
	}
	status = snw_failed(status) ? status : snw_validate_same_evaluation(b, again.model, "the model of a second fit", finding);
	if (again.model) {
		b->deformer->release(again.model);
	}
	if (again.instance) {
		b->deformer->destroy(again.instance);
	}
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "a second fit, on %d threads, gives the same bits", THREADS);
}
