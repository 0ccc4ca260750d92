/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared: one registry for a test program, fits that must succeed, and their distance from a target.
 */
#ifndef SINEW_TESTS_DEFORMERS_MUST_FIT_H
#define SINEW_TESTS_DEFORMERS_MUST_FIT_H

#include "fitting.h"

#include "one_registry.h"
#include "parameter/parameters.h"
#include "scene/scene.h"
#include "task/task.h"

/* Words "key=value" between spaces as settings, 8 at most; their texts are valid until the next call. Returns how many there
 * are. */
static inline uint32_t settings_of(const char *method, const char *text, snw_setting settings[8]) {
	static char words[200];
	uint32_t count = 0;
	snw_error error = {0};
	const snw_descriptor *descriptor = snw_registry_find(registry, method)->descriptor;
	snprintf(words, sizeof words, "%s", text);
	for (char *rest, *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		uint32_t index;
		snw_value value;
		assert_true(count < 8);
		check_ok(snw_parameter_parse(descriptor, word, &index, &value, &error), error);
		settings[count++] = (snw_setting){descriptor->parameters[index]->key, value};
	}
	return count;
}

static inline snw_scene *must_fit(const snw_scene *scene, const char *method, const char *text) {
	snw_setting settings[8];
	snw_error error;
	const uint32_t count = settings_of(method, text, settings);
	fitting_clear_log();
	snw_scene *fitted = fitting_try(scene, registry, method, count, settings, &error);
	if (!fitted) {
		fail_msg("%s: %s", text, error.text);
	}
	return fitted;
}

/* The scene with its layer of the method refitted. */
static inline snw_scene *must_refit(const snw_scene *scene, const char *method) {
	const snw_task task = {.notice = fitting_notice};
	const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE, .refits = true};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_scene *refitted = NULL;
	snw_error error = {0};
	check_ok(snw_fit_run(scene, registry, &request, &task, &outcome, &error), error);
	check_ok(snw_fit_apply(scene, &outcome, &refitted, &error), error);
	snw_arena_destroy(outcome.arena);
	return refitted;
}

/* A fit that reports to `progress`, which may stop it. The outcome's arena is the caller's. */
static inline snw_status fit_watched(const snw_scene *scene, const char *method, const char *text,
									 bool (*progress)(void *, double, const char *), void *context, snw_fit_outcome *outcome) {
	snw_setting settings[8];
	snw_error error = {0};
	const snw_fit_request request = {.method = method,
									 .left_out_example = SNW_NONE,
									 .setting_count = settings_of(method, text, settings),
									 .settings = settings};
	const snw_task task = {.progress = progress, .context = context};
	*outcome = (snw_fit_outcome){.arena = snw_arena_create()};
	const snw_status status = snw_fit_run(scene, registry, &request, &task, outcome, &error);
	if (snw_failed(status) && status != SNW_CANCELLED) {
		fail_msg("%s: %s", text, error.text);
	}
	return status;
}

static inline bool stops_at(void *context, double fraction, const char *activity) {
	(void)fraction;
	return strcmp(activity, context) != 0;
}

/* A fit that is stopped at an activity leaves nothing. */
static inline void must_stop_at(const snw_scene *scene, const char *method, const char *text, const char *activity) {
	snw_fit_outcome outcome;
	if (fit_watched(scene, method, text, stops_at, (void *)(uintptr_t)activity, &outcome) != SNW_CANCELLED) {
		fail_msg("the fit does not stop at '%s'", activity);
	}
	assert_null(outcome.model.bytes);
	snw_arena_destroy(outcome.arena);
}

/* With a smoothing layer below its blend, a scene of one layer is refused. */
static inline void must_refuse_a_black_box(const snw_scene *arm, const char *method) {
	snw_scene *scene = snw_scene_copy(arm);
	const snw_layer layers[2] = {
		{.name = "smooth", .deformer = "org.sinew.smooth", .deformer_version = "1.0", .model = SNW_NONE}, scene->layers[0]};
	scene->layers = layers;
	scene->layer_count = 2;
	snw_error error;
	assert_null(fitting_try(scene, registry, method, 0, NULL, &error));
	assert_non_null(strstr(error.text, "black box"));
	assert_non_null(strstr(error.text, method));
	snw_scene_destroy(scene);
}

/* A fit warns of samples in poses whose morph channel is not 0, and of no others. */
static inline void must_report_morphs(const snw_scene *scene, const char *method) {
	static const char words[] = "morph channels";
	snw_scene_destroy(must_fit(scene, method, ""));
	assert_false(fitting_logged(words));
	snw_scene *morphed = snw_scene_copy(scene);
	snw_channel *channel = SNW_NEW(morphed->arena, snw_channel);
	channel->name = "smile";
	channel->initial = 0.5;
	morphed->channels = channel;
	morphed->channel_count = 1;
	snw_pose *poses = snw_arena_copy(morphed->arena, morphed->poses, morphed->pose_count * sizeof *poses);
	for (uint32_t i = 0; i < morphed->pose_count; i++) {
		poses[i].channels = SNW_NEW_ARRAY(morphed->arena, double, 1);
	}
	morphed->poses = poses;
	snw_scene_destroy(must_fit(morphed, method, ""));
	assert_true(fitting_logged(words));
	snw_scene_destroy(morphed);
}

/* The models of two fitted scenes have the same bits. */
static inline void must_have_one_model(const snw_scene *one, const snw_scene *other) {
	const snw_saved_model *a = one->models, *b = other->models;
	assert_int_equal(a->byte_count, b->byte_count);
	assert_memory_equal(a->bytes, b->bytes, a->byte_count);
}

/* One thread and three make the same model. */
static inline void check_threads(const snw_scene *scene, const char *method, const char *text) {
	snw_scene *fitted[2];
	for (int i = 0; i < 2; i++) {
		snw_parallel_threads(i == 0 ? 1 : 3);
		fitted[i] = must_fit(scene, method, text);
	}
	snw_parallel_threads(0);
	must_have_one_model(fitted[0], fitted[1]);
	snw_scene_destroy(fitted[0]);
	snw_scene_destroy(fitted[1]);
}

/* Distances to a target over its points and frames: the root of their mean square, and the largest. */
typedef struct distances {
	double rms, most;
} distances;

/* Of the scene by a method, NULL for its whole stack, by the host's own evaluator. */
static inline distances distances_to(const snw_target *target, const snw_scene *scene, const char *method) {
	const uint32_t points = scene->meshes[target->mesh].point_count;
	double *posed = malloc(sizeof *posed * 3 * points), *wanted = malloc(sizeof *wanted * 3 * points), sum = 0;
	distances found = {0};
	fitting_stack stack = fitting_stack_of(scene, registry, method);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const uint32_t clip = target->clip == SNW_NONE ? 0 : target->clip;
		const snw_pose *pose = snw_pose_sample(scene, clip, target->seconds[f], scene->arena);
		fitting_truth(&stack, snw_pose_view_make(scene, pose, scene->arena), target->mesh, posed);
		for (size_t i = 0; i < (size_t)3 * points; i++) {
			wanted[i] = (double)target->points_posed[(size_t)3 * points * f + i];
			sum += (posed[i] - wanted[i]) * (posed[i] - wanted[i]);
		}
		found.most = fmax(found.most, fitting_distance(points, posed, wanted));
	}
	fitting_stack_drop(&stack);
	free(posed);
	free(wanted);
	found.rms = sqrt(sum / points / target->frame_count);
	return found;
}

#endif
