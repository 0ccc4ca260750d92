/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the tests of deformers: fits a scene with the real host, and evaluates it at poses.
 */
#ifndef SINEW_TESTS_DEFORMERS_FITTING_H
#define SINEW_TESTS_DEFORMERS_FITTING_H

#include "check.h"

#include "fit/fit.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

/* Lines that plug-ins logged since the test began. */
static char fitting_log[16][1000];
static uint32_t fitting_log_count;

static inline void fitting_notice(void *context, snw_log_level level, const char *line) {
	(void)context;
	(void)level;
	snprintf(fitting_log[fitting_log_count++ % 16], sizeof fitting_log[0], "%s", line);
}

static inline int fitting_logged(const char *words) {
	int found = 0;
	for (uint32_t i = 0; i < 16; i++) {
		found |= strstr(fitting_log[i], words) != NULL;
	}
	return found;
}

static inline void fitting_clear_log(void) {
	memset(fitting_log, 0, sizeof fitting_log);
	fitting_log_count = 0;
}

/* The scene with a layer of the method fitted on top; NULL and the error's line if the fit fails. */
static inline snw_scene *fitting_try(const snw_scene *scene, const snw_registry *registry, const char *method, uint32_t count,
									 const snw_setting *settings, snw_error *error) {
	const snw_task task = {.notice = fitting_notice};
	const snw_fit_request request = {
		.method = method, .setting_count = count, .settings = settings, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_scene *result = NULL;
	*error = (snw_error){0};
	if (!snw_failed(snw_fit_run(scene, registry, &request, &task, &outcome, error))) {
		snw_fit_apply(scene, &outcome, &result, error);
	}
	snw_arena_destroy(outcome.arena);
	return result;
}

static inline snw_scene *fitting_run(const snw_scene *scene, const snw_registry *registry, const char *method) {
	snw_error error;
	snw_scene *result = fitting_try(scene, registry, method, 0, NULL, &error);
	if (!result) {
		fail_msg("%s", error.text);
	}
	return result;
}

/* A stack and its evaluation. */
typedef struct fitting_stack {
	snw_stack *stack;
	snw_evaluation *evaluation;
} fitting_stack;

static inline fitting_stack fitting_stack_of(const snw_scene *scene, const snw_registry *registry, const char *method) {
	fitting_stack stack = {0};
	const snw_stack_options options = {.method = method, .below_layer = SNW_NONE};
	snw_error error;
	check_ok(snw_stack_build(scene, registry, method ? &options : NULL, NULL, &stack.stack, &error), error);
	stack.evaluation = snw_evaluation_create(stack.stack);
	return stack;
}

static inline void fitting_stack_drop(fitting_stack *stack) {
	snw_evaluation_destroy(stack->evaluation);
	snw_stack_destroy(stack->stack);
}

/* The mesh at a pose by the truth, [point_count][3]. */
static inline void fitting_truth(const fitting_stack *stack, const snw_pose_view *pose, uint32_t mesh, double *points) {
	snw_error error;
	check_ok(snw_stack_drive(stack->stack, pose, stack->evaluation, &error), error);
	check_ok(snw_stack_reference(stack->stack, stack->evaluation, mesh, NULL, points, &error), error);
}

static inline double fitting_distance(uint32_t point_count, const double *a, const double *b) {
	double most = 0;
	for (size_t i = 0; i < 3 * (size_t)point_count; i += 3) {
		const double gap[3] = {a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]};
		most = fmax(most, snw_length3(gap));
	}
	return most;
}

#endif
