/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread for each clip. It measures every eighth frame first and then fills the gaps. A thread that is no longer needed
 * finishes its current frame; a background job joins it, so that the window does not wait.
 */
#include "window/session/error_curve.h"

#include <SDL.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "pose/clip_times.h"
#include "window/session/background.h"
#include "window/session/session.h"

enum { WAKE_EVERY = 16 };

/* The errors of one clip. */
typedef struct curve_run {
	uint32_t event;
	pthread_t thread;
	atomic_bool leaving;
	snw_arena *arena; /* of this struct and its arrays */
	const snw_scene *scene;
	const snw_stack *stack;
	uint32_t count;
	double *seconds;
	uint32_t clip;
	snw_pose **poses; /* [count]; sampled by the thread */
	const snw_target **targets;
	uint32_t *frames;
	_Atomic float *errors; /* [count] */
} curve_run;

struct snw_error_curve {
	uint32_t event;
	curve_run *run; /* NULL if nothing runs */
};

snw_error_curve *snw_error_curve_create(uint32_t wake_event) {
	snw_error_curve *curve = SDL_calloc(1, sizeof *curve);
	if (curve) {
		curve->event = wake_event;
	}
	return curve;
}

void snw_error_curve_destroy(snw_error_curve *curve) {
	if (curve) {
		snw_error_curve_end(curve);
		SDL_free(curve);
	}
}

/* ---- the thread --------------------------------------------------------------------------------------------------- */

static void wake(const curve_run *curve) {
	SDL_Event event = {.type = curve->event};
	SDL_PushEvent(&event);
}

/* Below 0 if the stack gives no points. */
static float error_of(const curve_run *curve, uint32_t frame, snw_evaluation *evaluation, float *points) {
	const snw_target *target = curve->targets[frame];
	const uint32_t count = curve->scene->meshes[target->mesh].point_count;
	const float *truth = target->points_posed + 3 * (size_t)curve->frames[frame] * count;
	snw_arena *scratch = snw_arena_create();
	const snw_pose_view *view = snw_pose_view_make(curve->scene, curve->poses[frame], scratch);
	double most = 0;
	if (snw_failed(snw_stack_drive(curve->stack, view, evaluation, NULL)) ||
		snw_failed(snw_stack_run(curve->stack, evaluation, target->mesh, points, NULL))) {
		snw_arena_destroy(scratch);
		return -1;
	}
	for (size_t p = 0; p < count; p++) {
		double squared = 0;
		for (size_t c = 3 * p; c < 3 * p + 3; c++) {
			const double away = (double)points[c] - (double)truth[c];
			squared += away * away;
		}
		most = fmax(most, squared);
	}
	snw_arena_destroy(scratch);
	return (float)(1000 * sqrt(most));
}

static void *measure_curve(void *context) {
	curve_run *curve = context;
	snw_evaluation *evaluation = snw_evaluation_create(curve->stack);
	uint32_t most = 0, done = 0;
	for (uint32_t m = 0; m < curve->scene->mesh_count; m++) {
		most = curve->scene->meshes[m].point_count > most ? curve->scene->meshes[m].point_count : most;
	}
	float *points = SNW_NEW_ARRAY(curve->arena, float, 3 * (size_t)most);
	snw_pose_sample_series(curve->scene, curve->clip, curve->count, curve->seconds, curve->arena, curve->poses);
	for (uint32_t stride = 8; stride > 0; stride /= 2) {
		for (uint32_t f = 0; f < curve->count && !atomic_load(&curve->leaving); f += stride) {
			if (atomic_load(&curve->errors[f]) < 0) {
				atomic_store(&curve->errors[f], error_of(curve, f, evaluation, points));
				if (++done % WAKE_EVERY == 0) {
					wake(curve);
				}
			}
		}
	}
	snw_evaluation_destroy(evaluation);
	wake(curve);
	return NULL;
}

/* ---- ending ------------------------------------------------------------------------------------------------------- */

static void finish_curve(curve_run *run) {
	atomic_store(&run->leaving, true);
	pthread_join(run->thread, NULL);
	snw_arena_destroy(run->arena);
}

void snw_error_curve_end(snw_error_curve *curve) {
	if (curve && curve->run) {
		finish_curve(curve->run);
		curve->run = NULL;
	}
}

static void free_curve(void *request) {
	curve_run **run = request;
	if (*run) {
		finish_curve(*run);
		*run = NULL;
	}
}

static snw_status finish_curve_in_background(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)context, (void)job, (void)error;
	free_curve(request);
	return SNW_OK;
}

void snw_error_curve_leave(snw_error_curve *curve, snw_session *session) {
	if (!curve || !curve->run) {
		return;
	}
	atomic_store(&curve->run->leaving, true);
	snw_job *job = snw_job_create("ending the error curve", sizeof(curve_run *));
	*(curve_run **)job->request = curve->run;
	curve->run = NULL;
	job->run = finish_curve_in_background;
	job->free_request = free_curve;
	snw_background_send(session, job);
}

/* ---- beginning ---------------------------------------------------------------------------------------------------- */

/* The first target of the clip on each of its frames. */
static void list_frames(curve_run *curve) {
	const snw_scene *scene = curve->scene;
	for (uint32_t i = 0; i < scene->target_count && curve->count == 0; i++) {
		const snw_target *target = &scene->targets[i];
		if (snw_target_clip(scene, target) != curve->clip) {
			continue;
		}
		curve->seconds = SNW_NEW_ARRAY(curve->arena, double, target->frame_count);
		curve->poses = SNW_NEW_ARRAY(curve->arena, snw_pose *, target->frame_count);
		curve->targets = SNW_NEW_ARRAY(curve->arena, const snw_target *, target->frame_count);
		curve->frames = SNW_NEW_ARRAY(curve->arena, uint32_t, target->frame_count);
		curve->errors = snw_arena_array(curve->arena, target->frame_count, sizeof *curve->errors);
		for (uint32_t f = 0; f < target->frame_count; f++) {
			curve->seconds[f] = target->seconds[f];
			curve->targets[f] = target;
			curve->frames[f] = f;
			atomic_init(&curve->errors[f], -1);
		}
		curve->count = target->frame_count;
	}
}

void snw_error_curve_begin(snw_error_curve *curve, snw_session *session) {
	if (!curve) {
		return;
	}
	snw_error_curve_leave(curve, session);
	const snw_document *document = session->document;
	const snw_stack *stack = document->method_count > 0 ? document->methods[0].stack : NULL;
	if (session->state.clip == SNW_NONE || !stack || !session->display.sampled.arena) {
		return;
	}
	snw_arena *arena = snw_arena_create();
	curve_run *run = SNW_NEW(arena, curve_run);
	run->event = curve->event;
	run->arena = arena;
	run->scene = document->scene;
	run->stack = stack;
	run->clip = session->state.clip;
	atomic_init(&run->leaving, false);
	list_frames(run);
	if (run->count == 0 || pthread_create(&run->thread, NULL, measure_curve, run) != 0) {
		snw_arena_destroy(arena);
		return;
	}
	curve->run = run;
}

uint32_t snw_error_curve_read(snw_error_curve *curve, uint32_t most, double *seconds, float *millimetres) {
	const curve_run *run = curve ? curve->run : NULL;
	const uint32_t count = run ? (run->count < most ? run->count : most) : 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t f = (uint32_t)((uint64_t)i * run->count / count);
		seconds[i] = run->seconds[f];
		millimetres[i] = atomic_load(&run->errors[f]);
	}
	return count;
}
