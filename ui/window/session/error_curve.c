/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One thread for one clip: it goes over the frames coarsely first, then fills in. One that is no longer wanted still finishes the
 * frame under way, which the window does not wait for: its end is waited for beside.
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

/* Over one clip. */
typedef struct round_trip {
	uint32_t event;
	pthread_t thread;
	atomic_bool leaving;
	snw_arena *arena; /* its own, of all below too */
	const snw_scene *scene;
	const snw_stack *stack;
	uint32_t count;
	double *seconds;
	uint32_t clip;
	snw_pose **poses; /* [count]; sampled by the thread */
	const snw_target **targets;
	uint32_t *frames;
	_Atomic float *errors; /* [count] */
} round_trip;

struct snw_survey {
	uint32_t event;
	round_trip *trip; /* NULL: none */
};

snw_survey *snw_survey_create(uint32_t wake_event) {
	snw_survey *survey = SDL_calloc(1, sizeof *survey);
	if (survey) {
		survey->event = wake_event;
	}
	return survey;
}

void snw_survey_destroy(snw_survey *survey) {
	if (survey) {
		snw_survey_end(survey);
		SDL_free(survey);
	}
}

/* ---- the thread --------------------------------------------------------------------------------------------------- */

static void wake(const round_trip *survey) {
	SDL_Event event = {.type = survey->event};
	SDL_PushEvent(&event);
}

/* Below 0 where the stack gives nothing. */
static float error_of(const round_trip *survey, uint32_t frame, snw_stack_frame *driven, float *points) {
	const snw_target *target = survey->targets[frame];
	const uint32_t count = survey->scene->meshes[target->mesh].point_count;
	const float *wanted = target->points_posed + 3 * (size_t)survey->frames[frame] * count;
	snw_arena *scratch = snw_arena_create();
	const snw_pose_view *view = snw_pose_view_make(survey->scene, survey->poses[frame], scratch);
	double most = 0;
	if (snw_stack_drive(survey->stack, view, driven, NULL) < 0 ||
		snw_stack_run(survey->stack, driven, target->mesh, points, NULL) < 0) {
		snw_arena_destroy(scratch);
		return -1;
	}
	for (size_t p = 0; p < count; p++) {
		double square = 0;
		for (size_t c = 3 * p; c < 3 * p + 3; c++) {
			const double away = (double)points[c] - (double)wanted[c];
			square += away * away;
		}
		most = fmax(most, square);
	}
	snw_arena_destroy(scratch);
	return (float)(1000 * sqrt(most));
}

static void *work(void *context) {
	round_trip *survey = context;
	snw_stack_frame *driven = snw_stack_frame_create(survey->stack);
	uint32_t most = 0, done = 0;
	for (uint32_t m = 0; m < survey->scene->mesh_count; m++) {
		most = survey->scene->meshes[m].point_count > most ? survey->scene->meshes[m].point_count : most;
	}
	float *points = SNW_NEW_ARRAY(survey->arena, float, 3 * (size_t)most);
	snw_pose_sample_series(survey->scene, survey->clip, survey->count, survey->seconds, survey->arena, survey->poses);
	for (uint32_t stride = 8; stride > 0; stride /= 2) {
		for (uint32_t f = 0; f < survey->count && !atomic_load(&survey->leaving); f += stride) {
			if (atomic_load(&survey->errors[f]) < 0) {
				atomic_store(&survey->errors[f], error_of(survey, f, driven, points));
				if (++done % WAKE_EVERY == 0) {
					wake(survey);
				}
			}
		}
	}
	snw_stack_frame_destroy(driven);
	wake(survey);
	return NULL;
}

/* ---- ending ------------------------------------------------------------------------------------------------------- */

static void finish(round_trip *trip) {
	atomic_store(&trip->leaving, true);
	pthread_join(trip->thread, NULL);
	snw_arena_destroy(trip->arena);
}

void snw_survey_end(snw_survey *survey) {
	if (survey && survey->trip) {
		finish(survey->trip);
		survey->trip = NULL;
	}
}

static void drop_trip(void *order) {
	round_trip **trip = order;
	if (*trip) {
		finish(*trip);
		*trip = NULL;
	}
}

static snw_status finish_beside(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	(void)desk, (void)errand, (void)error;
	drop_trip(order);
	return SNW_OK;
}

void snw_survey_leave(snw_survey *survey, snw_session *session) {
	if (!survey || !survey->trip) {
		return;
	}
	atomic_store(&survey->trip->leaving, true);
	snw_errand *errand = snw_errand_make("ending the survey", sizeof(round_trip *));
	*(round_trip **)errand->order = survey->trip;
	survey->trip = NULL;
	errand->run = finish_beside;
	errand->drop = drop_trip;
	snw_aside_send(session, errand);
}

/* ---- beginning ---------------------------------------------------------------------------------------------------- */

/* The first target of the clip on each of its frames. */
static void list_frames(round_trip *survey) {
	const snw_scene *scene = survey->scene;
	for (uint32_t i = 0; i < scene->target_count && survey->count == 0; i++) {
		const snw_target *target = &scene->targets[i];
		if (snw_target_clip(scene, target) != survey->clip) {
			continue;
		}
		survey->seconds = SNW_NEW_ARRAY(survey->arena, double, target->frame_count);
		survey->poses = SNW_NEW_ARRAY(survey->arena, snw_pose *, target->frame_count);
		survey->targets = SNW_NEW_ARRAY(survey->arena, const snw_target *, target->frame_count);
		survey->frames = SNW_NEW_ARRAY(survey->arena, uint32_t, target->frame_count);
		survey->errors = snw_arena_array(survey->arena, target->frame_count, sizeof *survey->errors);
		for (uint32_t f = 0; f < target->frame_count; f++) {
			survey->seconds[f] = target->seconds[f];
			survey->targets[f] = target;
			survey->frames[f] = f;
			atomic_init(&survey->errors[f], -1);
		}
		survey->count = target->frame_count;
	}
}

void snw_survey_begin(snw_survey *survey, snw_session *session) {
	if (!survey) {
		return;
	}
	snw_survey_leave(survey, session);
	const snw_document *document = session->document;
	const snw_stack *stack = document->method_count > 0 ? document->methods[0].stack : NULL;
	if (session->state.clip == SNW_NONE || !stack || !session->studio.reel.arena) {
		return;
	}
	snw_arena *arena = snw_arena_create();
	round_trip *trip = SNW_NEW(arena, round_trip);
	trip->event = survey->event;
	trip->arena = arena;
	trip->scene = document->scene;
	trip->stack = stack;
	trip->clip = session->state.clip;
	atomic_init(&trip->leaving, false);
	list_frames(trip);
	if (trip->count == 0 || pthread_create(&trip->thread, NULL, work, trip) != 0) {
		snw_arena_destroy(arena);
		return;
	}
	survey->trip = trip;
}

uint32_t snw_survey_read(snw_survey *survey, uint32_t most, double *seconds, float *millimetres) {
	const round_trip *trip = survey ? survey->trip : NULL;
	const uint32_t count = trip ? (trip->count < most ? trip->count : most) : 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t f = (uint32_t)((uint64_t)i * trip->count / count);
		seconds[i] = trip->seconds[f];
		millimetres[i] = atomic_load(&trip->errors[f]);
	}
	return count;
}
