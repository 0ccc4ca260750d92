/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread for each document and stack. The session's thread leaves a copy of the pose under the lock, and takes copies of what
 * was found.
 */
#include "window/session/session.h"

#include <SDL.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "contact/contact.h"
#include "measure/contact_moments.h"
#include "sinew/kit/clock.h"

enum {
	POSE_REST_MILLISECONDS = 40, /* without another pose until all is tested */
	IDLE_MILLISECONDS = 400      /* and from then until the clip is */
};

/* A pose, and points in place of the stack's. */
typedef struct watched_pose {
	snw_pose_view view; /* of the arrays below */
	snw_transform *local;
	double *rotation_vectors, *global, *palette, *channels;
	float **points;   /* [mesh_count] */
	bool *has_points; /* [mesh_count]: sculpted */
	bool *hidden;     /* [mesh_count] */
	uint32_t clip;
} watched_pose;

typedef struct watch_run {
	uint32_t event;
	snw_arena *arena; /* of this struct and its arrays */
	const snw_scene *scene;
	const snw_stack *stack;
	pthread_t thread;
	SDL_mutex *lock;
	SDL_cond *wake;
	/* Under the lock. */
	atomic_bool leaving;
	_Atomic uint64_t sent; /* poses */
	double sent_at;        /* seconds, the last of them */
	watched_pose pose;
	uint64_t found;        /* how often */
	bool is_whole;         /* all was tested, of the last pose that was sent */
	double **marks;        /* [mesh_count][point_count] */
	uint64_t measured;     /* how often the clip was */
	snw_arena *clip_arena; /* of the next */
	snw_contact_marks clip_marks;
	/* The thread's. */
	watched_pose taken;
	snw_evaluation *evaluation;
	snw_touching *touching;
	float **posed; /* [mesh_count][point_count][3] */
	double **made; /* marks */
	uint64_t answered;
	uint32_t clip; /* that was measured; SNW_NONE: none */
} watch_run;

struct snw_contact_watch {
	uint32_t event;
	watch_run *run; /* NULL if nothing runs */
	/* What was taken from the thread. */
	snw_arena *arena;
	uint32_t mesh_count, *point_counts, touching;
	double **marks;
	uint64_t found, measured;
	double seconds;
	snw_arena *clip_arena;
	snw_contact_marks clip_marks;
};

snw_contact_watch *snw_contact_watch_create(uint32_t wake_event) {
	snw_contact_watch *watch = SDL_calloc(1, sizeof *watch);
	if (watch) {
		watch->event = wake_event;
	}
	return watch;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static void pose_open(watched_pose *pose, const snw_scene *scene, snw_arena *arena) {
	const size_t joints = scene->skeleton.joint_count, meshes = scene->mesh_count;
	*pose = (watched_pose){.local = SNW_NEW_ARRAY(arena, snw_transform, joints),
						   .rotation_vectors = SNW_NEW_ARRAY(arena, double, 3 * joints),
						   .global = SNW_NEW_ARRAY(arena, double, 12 * joints),
						   .palette = SNW_NEW_ARRAY(arena, double, 12 * (size_t)scene->slot_count),
						   .channels = SNW_NEW_ARRAY(arena, double, scene->channel_count),
						   .points = SNW_NEW_ARRAY(arena, float *, meshes),
						   .has_points = SNW_NEW_ARRAY(arena, bool, meshes),
						   .hidden = SNW_NEW_ARRAY(arena, bool, meshes),
						   .clip = SNW_NONE};
	for (size_t m = 0; m < meshes; m++) {
		pose->points[m] = SNW_NEW_ARRAY(arena, float, 3 * (size_t)scene->meshes[m].point_count);
	}
}

/* Copies, and says whether anything differs. */
static bool put(void *dest, const void *from, size_t bytes) {
	if (bytes == 0 || memcmp(dest, from, bytes) == 0) {
		return false;
	}
	memcpy(dest, from, bytes);
	return true;
}

/* Points its view at its own arrays. */
static void bind(watched_pose *pose) {
	pose->view.local = pose->local;
	pose->view.rotation_vectors = pose->rotation_vectors;
	pose->view.global = pose->global;
	pose->view.palette = pose->palette;
	pose->view.channels = pose->channels;
}

static bool put_view(watched_pose *pose, const snw_pose_view *view) {
	bool differs = view->clip != pose->view.clip || view->seconds != pose->view.seconds;
	differs |= put(pose->local, view->local, view->joint_count * sizeof *view->local);
	differs |= put(pose->rotation_vectors, view->rotation_vectors, 3 * (size_t)view->joint_count * sizeof(double));
	differs |= put(pose->global, view->global, 12 * (size_t)view->joint_count * sizeof(double));
	differs |= put(pose->palette, view->palette, 12 * (size_t)view->slot_count * sizeof(double));
	differs |= put(pose->channels, view->channels, view->channel_count * sizeof(double));
	pose->view = *view;
	bind(pose);
	return differs;
}

static bool put_points(watched_pose *pose, const snw_scene *scene, const float *const *points) {
	bool differs = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bool has = points && points[m];
		differs |= has != pose->has_points[m];
		pose->has_points[m] = has;
		differs |= has && put(pose->points[m], points[m], 3 * (size_t)scene->meshes[m].point_count * sizeof(float));
	}
	return differs;
}

/* Whether other meshes are hidden. */
static bool copy_pose(watched_pose *dest, const watched_pose *from, const snw_scene *scene) {
	put_view(dest, &from->view);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		dest->has_points[m] = from->has_points[m];
		if (from->has_points[m]) {
			memcpy(dest->points[m], from->points[m], 3 * (size_t)scene->meshes[m].point_count * sizeof(float));
		}
	}
	dest->clip = from->clip;
	return put(dest->hidden, from->hidden, scene->mesh_count * sizeof *dest->hidden);
}

/* ---- the thread ---------------------------------------------------------------------------------------------------------- */

static void wake_window(const watch_run *run) {
	SDL_Event event = {.type = run->event};
	SDL_PushEvent(&event);
}

/* False if a layer fails: then what was found last stays. */
static bool pose_meshes(watch_run *run) {
	bool is_posed = !snw_failed(snw_stack_drive(run->stack, &run->taken.view, run->evaluation, NULL));
	for (uint32_t m = 0; m < run->scene->mesh_count && is_posed; m++) {
		if (run->taken.has_points[m]) {
			memcpy(run->posed[m], run->taken.points[m], 3 * (size_t)run->scene->meshes[m].point_count * sizeof(float));
		} else {
			is_posed = !snw_failed(snw_stack_run(run->stack, run->evaluation, m, run->posed[m], NULL));
		}
	}
	return is_posed;
}

static void publish(watch_run *run, bool is_whole) {
	snw_touching_mark(run->touching, run->taken.hidden, run->made);
	SDL_LockMutex(run->lock);
	double **marks = run->marks;
	run->marks = run->made;
	run->made = marks;
	run->is_whole = is_whole && run->sent == run->answered;
	run->found++;
	SDL_UnlockMutex(run->lock);
	wake_window(run);
}

static void test_pose(watch_run *run, bool is_whole) {
	if (pose_meshes(run)) {
		(is_whole ? snw_touching_test : snw_touching_move)(run->touching, (const float *const *)run->posed,
														   run->taken.view.global);
		publish(run, is_whole);
	}
}

static bool goes_on(void *context, double fraction, const char *activity) {
	(void)fraction, (void)activity;
	const watch_run *run = context;
	return !atomic_load(&run->leaving) && atomic_load(&run->sent) == run->answered;
}

/* The deepest of each moment, over the visible meshes. */
static void take_moments(watch_run *run, const snw_contact_request *request, const snw_contact_moments *found,
						 snw_arena *arena) {
	double *seconds = SNW_NEW_ARRAY(arena, double, request->moment_count),
		   *deepest = SNW_NEW_ARRAY(arena, double, request->moment_count);
	snw_contact_marks marks = {.clip = run->clip, .count = request->moment_count, .seconds = seconds, .deepest = deepest};
	for (uint32_t i = 0; i < request->moment_count * request->pair_count; i++) {
		const uint32_t m = i / request->pair_count;
		const snw_mesh_pair *pair = &request->pairs[i % request->pair_count];
		const snw_contact_depth *depths[2] = {&found->found[i].through, &found->found[i].inside};
		seconds[m] = request->moments[m].seconds;
		for (int k = 0; k < 2 && !run->taken.hidden[pair->first] && !run->taken.hidden[pair->second]; k++) {
			const bool is_worst = depths[k]->deepest > deepest[marks.worst];
			deepest[m] = depths[k]->deepest > deepest[m] ? depths[k]->deepest : deepest[m];
			if (is_worst) {
				marks.worst = m;
				memcpy(marks.place, depths[k]->place, sizeof marks.place);
			}
		}
	}
	SDL_LockMutex(run->lock);
	snw_arena_destroy(run->clip_arena);
	run->clip_arena = arena;
	run->clip_marks = marks;
	run->measured++;
	SDL_UnlockMutex(run->lock);
	wake_window(run);
}

/* Stops at once if another pose is sent, and is begun again later. */
static void measure_clip(watch_run *run) {
	snw_arena *arena = snw_arena_create(), *scratch = snw_arena_create();
	snw_contact_moment *moments = NULL;
	uint32_t room = 0;
	snw_contact_moments found;
	snw_contact_request request = {.neighbours = snw_contact_default_neighbours(run->scene),
								   .patch = snw_contact_default_patch(run->scene)};
	const uint32_t clip = run->taken.clip;
	const snw_task task = {.context = run, .progress = goes_on};
	snw_contact_moments_add_clip(run->scene, clip, scratch, &moments, &request.moment_count, &room);
	request.moments = moments;
	request.pairs = snw_mesh_pairs_list(run->scene, true, true, scratch, &request.pair_count);
	if (request.moment_count > 0 && request.pair_count > 0 &&
		!snw_failed(snw_contact_moments_find(run->scene, run->stack, &request, &task, scratch, &found, NULL))) {
		run->clip = clip;
		take_moments(run, &request, &found, arena);
	} else {
		snw_arena_destroy(arena);
		run->clip = atomic_load(&run->sent) == run->answered ? clip : run->clip; /* it failed: not again */
	}
	snw_arena_destroy(scratch);
}

/* Waits until a pose is sent or it leaves, at most so long; 0: without end. Takes the pose. False: no pose was sent. */
static bool wait_for_pose(watch_run *run, uint32_t milliseconds) {
	int result = 0;
	SDL_LockMutex(run->lock);
	while (!run->leaving && run->sent == run->answered && result != SDL_MUTEX_TIMEDOUT) {
		result =
			milliseconds > 0 ? SDL_CondWaitTimeout(run->wake, run->lock, milliseconds) : SDL_CondWait(run->wake, run->lock);
	}
	const bool is_sent = run->sent != run->answered && !run->leaving;
	if (is_sent) {
		if (copy_pose(&run->taken, &run->pose, run->scene)) {
			run->clip = SNW_NONE;
		}
		run->answered = run->sent;
	}
	SDL_UnlockMutex(run->lock);
	return is_sent;
}

static void *watch_poses(void *context) {
	watch_run *run = context;
	run->evaluation = snw_evaluation_create(run->stack);
	run->touching =
		snw_touching_create(run->scene, snw_contact_default_neighbours(run->scene), snw_contact_default_patch(run->scene));
	bool is_tested = false, is_first = true;
	while (!atomic_load(&run->leaving)) {
		const bool needs_clip = run->answered > 0 && run->taken.clip != SNW_NONE && run->taken.clip != run->clip;
		const uint32_t patience = run->answered == 0 ? 0
								  : !is_tested       ? POSE_REST_MILLISECONDS
								  : needs_clip       ? IDLE_MILLISECONDS
													 : 0;
		if (wait_for_pose(run, patience)) {
			test_pose(run, is_first);
			is_tested = is_first;
			is_first = false;
		} else if (!atomic_load(&run->leaving) && !is_tested) {
			test_pose(run, true);
			is_tested = true;
		} else if (!atomic_load(&run->leaving)) {
			measure_clip(run);
		}
	}
	snw_touching_destroy(run->touching);
	snw_evaluation_destroy(run->evaluation);
	return NULL;
}

/* ---- ending -------------------------------------------------------------------------------------------------------------- */

static void say_leave(watch_run *run) {
	SDL_LockMutex(run->lock);
	atomic_store(&run->leaving, true);
	SDL_CondSignal(run->wake);
	SDL_UnlockMutex(run->lock);
}

static void free_memory(watch_run *run) {
	SDL_DestroyCond(run->wake);
	SDL_DestroyMutex(run->lock);
	snw_arena_destroy(run->clip_arena);
	snw_arena_destroy(run->arena);
}

static void finish_watch(watch_run *run) {
	say_leave(run);
	pthread_join(run->thread, NULL);
	free_memory(run);
}

static void free_watch(void *request) {
	watch_run **run = request;
	if (*run) {
		finish_watch(*run);
		*run = NULL;
	}
}

static snw_status finish_watch_in_background(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)context, (void)job, (void)error;
	free_watch(request);
	return SNW_OK;
}

void snw_contact_watch_leave(snw_contact_watch *watch, snw_session *session) {
	if (!watch || !watch->run) {
		return;
	}
	say_leave(watch->run);
	snw_arena_destroy(watch->clip_arena);
	watch->clip_arena = NULL;
	watch->clip_marks = (snw_contact_marks){0};
	snw_job *job = snw_job_create("ending the search for contact", sizeof(watch_run *));
	*(watch_run **)job->request = watch->run;
	watch->run = NULL;
	job->run = finish_watch_in_background;
	job->free_request = free_watch;
	snw_background_send(session, job);
}

static void forget(snw_contact_watch *watch) {
	snw_arena_destroy(watch->arena);
	snw_arena_destroy(watch->clip_arena);
	*watch = (snw_contact_watch){.event = watch->event, .run = watch->run};
}

void snw_contact_watch_destroy(snw_contact_watch *watch) {
	if (watch) {
		free_watch(&watch->run);
		forget(watch);
		SDL_free(watch);
	}
}

/* ---- the session's thread ------------------------------------------------------------------------------------------------ */

static void begin(snw_contact_watch *watch, const snw_scene *scene, const snw_stack *stack) {
	snw_arena *arena = snw_arena_create();
	watch_run *run = SNW_NEW(arena, watch_run);
	*run = (watch_run){.event = watch->event,
					   .arena = arena,
					   .scene = scene,
					   .stack = stack,
					   .marks = SNW_NEW_ARRAY(arena, double *, scene->mesh_count),
					   .made = SNW_NEW_ARRAY(arena, double *, scene->mesh_count),
					   .posed = SNW_NEW_ARRAY(arena, float *, scene->mesh_count),
					   .clip = SNW_NONE};
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		run->marks[m] = SNW_NEW_ARRAY(arena, double, count);
		run->made[m] = SNW_NEW_ARRAY(arena, double, count);
		run->posed[m] = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	}
	pose_open(&run->pose, scene, arena);
	pose_open(&run->taken, scene, arena);
	run->lock = SDL_CreateMutex();
	run->wake = SDL_CreateCond();
	if (!run->lock || !run->wake || pthread_create(&run->thread, NULL, watch_poses, run) != 0) {
		free_memory(run);
		return;
	}
	watch->run = run;
	watch->found = watch->measured = 0;
}

void snw_contact_watch_send(snw_contact_watch *watch, snw_session *session) {
	const snw_display *display = &session->display;
	const snw_stack *stack = display->view.stack;
	if (!watch || !session->state.shows_contact || !display->view.pose || !stack) {
		return;
	}
	if (watch->run && (watch->run->scene != display->scene || watch->run->stack != stack)) {
		snw_contact_watch_leave(watch, session);
	}
	if (!watch->run) {
		begin(watch, display->scene, stack);
	}
	watch_run *run = watch->run;
	if (!run) {
		return;
	}
	SDL_LockMutex(run->lock);
	bool differs = run->sent == 0 || run->pose.clip != session->state.clip;
	differs |= put_view(&run->pose, display->view.pose);
	differs |= put_points(&run->pose, run->scene, display->view.points);
	differs |= put(run->pose.hidden, display->hidden, run->scene->mesh_count * sizeof *run->pose.hidden);
	run->pose.clip = session->state.clip;
	if (differs) {
		run->sent++;
		run->sent_at = snk_clock_seconds();
		watch->seconds = 0;
		SDL_CondSignal(run->wake);
	}
	SDL_UnlockMutex(run->lock);
}

static bool fits(const snw_contact_watch *watch, const snw_scene *scene) {
	bool does = watch->arena && watch->mesh_count == scene->mesh_count;
	for (uint32_t m = 0; does && m < scene->mesh_count; m++) {
		does = watch->point_counts[m] == scene->meshes[m].point_count;
	}
	return does;
}

/* Room for the marks of a scene. */
static void open_marks(snw_contact_watch *watch, const snw_scene *scene) {
	forget(watch);
	watch->arena = snw_arena_create();
	watch->mesh_count = scene->mesh_count;
	watch->point_counts = SNW_NEW_ARRAY(watch->arena, uint32_t, scene->mesh_count);
	watch->marks = SNW_NEW_ARRAY(watch->arena, double *, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		watch->point_counts[m] = scene->meshes[m].point_count;
		watch->marks[m] = SNW_NEW_ARRAY(watch->arena, double, scene->meshes[m].point_count);
	}
}

static void take_marks(snw_contact_watch *watch, watch_run *run) {
	if (!fits(watch, run->scene)) {
		open_marks(watch, run->scene);
	}
	watch->found = run->found;
	watch->seconds = run->is_whole ? snk_clock_seconds() - run->sent_at : 0;
	watch->touching = 0;
	for (uint32_t m = 0; m < watch->mesh_count; m++) {
		memcpy(watch->marks[m], run->marks[m], watch->point_counts[m] * sizeof **watch->marks);
		for (uint32_t p = 0; p < watch->point_counts[m]; p++) {
			watch->touching += watch->marks[m][p] > 0;
		}
	}
}

static void take_clip(snw_contact_watch *watch, watch_run *run) {
	snw_arena_destroy(watch->clip_arena);
	watch->clip_arena = run->clip_arena;
	watch->clip_marks = run->clip_marks;
	watch->measured = run->measured;
	run->clip_arena = NULL;
}

void snw_contact_watch_take(snw_contact_watch *watch, snw_session *session) {
	snw_display *display = &session->display;
	const double *const *before = display->contact;
	bool is_new = false;
	if (watch && watch->run && session->state.shows_contact) {
		SDL_LockMutex(watch->run->lock);
		is_new = watch->run->found != watch->found;
		if (is_new) {
			take_marks(watch, watch->run);
		}
		if (watch->run->measured != watch->measured) {
			take_clip(watch, watch->run);
		}
		SDL_UnlockMutex(watch->run->lock);
	} else if (watch && !session->state.shows_contact && (watch->run || watch->arena)) {
		snw_contact_watch_leave(watch, session);
		forget(watch);
	}
	const bool shows = watch && session->state.shows_contact && fits(watch, display->scene) && display->view.pose;
	display->contact = shows ? (const double *const *)watch->marks : NULL;
	display->is_stale = display->is_stale || is_new || display->contact != before;
}

snw_contact_marks snw_contact_watch_marks(const snw_contact_watch *watch) {
	return watch ? watch->clip_marks : (snw_contact_marks){0};
}

double snw_contact_watch_seconds(const snw_contact_watch *watch) {
	return watch ? watch->seconds : 0;
}

uint32_t snw_contact_watch_touching(const snw_contact_watch *watch) {
	return watch ? watch->touching : 0;
}
