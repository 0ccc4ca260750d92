/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting and measuring. A fit that makes the examples or a target worse is kept only if the user says so.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit/samples.h"
#include "fit/stale.h"
#include "measure/measure.h"
#include "sinew/algebra.h"
#include "window/commands/commands.h"
#include "window/document/document.h"
#include "window/jobs/job_thread.h"
#include "window/session/session.h"
#include "window/units/units.h"
#include "worker/worker.h"

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

/* A fit asks if the error at the examples or over a target grows by this share, and by more than rounding. */
#define WORSE 1.05
#define LEAST_ERMS 0.01

/* ---- measuring ----------------------------------------------------------------------------------------------------------- */

typedef struct fit_request {
	const char *method, *layer; /* of a fit; NULL: the method's */
	uint32_t count, before, room;
	snw_error_row *rows; /* [count], room for more, in the job's arena */
	snw_arena *arena;    /* of the job */
	char fitted[160];
	snw_pending_fit pending; /* a fit that is not in the project; it owns its arena */
	snw_operator_report report;
} fit_request;

static snw_job *make_job(const char *label, fit_request **request) {
	snw_job *job = snw_job_create(label, sizeof(fit_request));
	*request = job->request;
	(*request)->arena = job->arena;
	job->is_long = true;
	return job;
}

static void add_row(fit_request *request, const snw_error_row *row) {
	if (request->count == request->room) {
		request->room = 2 * request->room + 8;
		snw_error_row *more = SNW_NEW_ARRAY(request->arena, snw_error_row, request->room);
		if (request->count > 0) {
			memcpy(more, request->rows, request->count * sizeof *more);
		}
		request->rows = more;
	}
	request->rows[request->count++] = *row;
}

static bool has_active_examples(const snw_scene *scene, uint32_t mesh) {
	bool has = false;
	for (uint32_t e = 0; e < scene->example_count; e++) {
		has = has || (scene->examples[e].mesh == mesh && !scene->examples[e].muted);
	}
	return has;
}

/* Measures the whole stack against the examples of a mesh or against a target (SNW_NONE: the examples), and the baseline too if
 * `baseline` is true. */
static snw_status measure_subject(const snw_scene *scene, const snw_job_context *context, uint32_t mesh, uint32_t target,
								  bool baseline, fit_request *request, snw_error *error) {
	const char *const methods[] = {snw_registry_trait_name(context->registry, SNW_BASELINE), NULL};
	const bool has_others = target == SNW_NONE && scene->mesh_count > 1;
	const bool is_held_out = target != SNW_NONE && snw_samples_hold_out(scene, context->registry, &scene->targets[target]);
	for (int m = baseline && methods[0] ? 0 : 1; m < 2; m++) {
		const snw_measure_request options = {.mesh = mesh, .target = target, .method = methods[m]};
		snw_error_row row = {
			.diagonal = snw_scene_diagonal(scene, mesh), .of_examples = target == SNW_NONE, .of_stack = !methods[m]};
		const snw_status status = snw_measure_run(scene, context->registry, &options, context->task, &row.measure, error);
		if (snw_failed(status) && m == 0) {
			continue; /* it has no skin */
		}
		if (snw_failed(status)) {
			return status;
		}
		snprintf(row.subject, sizeof row.subject, "%.64s%s%.64s", target != SNW_NONE ? scene->targets[target].name : "Examples",
				 has_others    ? " of "
				 : is_held_out ? ", held out"
							   : "",
				 has_others ? scene->meshes[mesh].name : "");
		snprintf(row.method, sizeof row.method, "%s",
				 methods[m] ? snw_method_title(context->registry, methods[m]) : "The stack");
		add_row(request, &row);
	}
	return SNW_OK;
}

/* Against the examples of each mesh and against each target. */
static snw_status measure(const snw_scene *scene, const snw_job_context *context, bool baseline, fit_request *request,
						  snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		if (has_active_examples(scene, m)) {
			status = measure_subject(scene, context, m, SNW_NONE, baseline, request, error);
		}
	}
	for (uint32_t t = 0; t < scene->target_count && !snw_failed(status); t++) {
		status = measure_subject(scene, context, scene->targets[t].mesh, t, baseline, request, error);
	}
	return status;
}

static snw_status run_measure(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job;
	return measure(context->document->scene, context, true, request, error);
}

static void show_rows(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const fit_request *request = data;
	snw_arena_destroy(session->error_arena);
	session->error_arena = snw_arena_create();
	session->error_rows =
		request->count > 0 ? snw_arena_copy(session->error_arena, request->rows, request->count * sizeof *request->rows) : NULL;
	session->error_row_count = request->count;
	session->errors_before = request->before;
	snprintf(session->fitted, sizeof session->fitted, "%s", request->fitted);
	session->state.tab = SNW_TAB_STACK;
	if (request->count == 0) {
		snw_view_state_say(&session->state, "There is no example or target to measure against.");
	}
}

void snw_do_measure(snw_session *session, const snw_command *command) {
	(void)command;
	fit_request *request;
	snw_job *job = make_job("measuring", &request);
	job->reloads = false;
	job->run = run_measure;
	job->done = show_rows;
	snw_session_send(session, job);
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

/* "fit METHOD --layer=NAME", in the arena of the pending fit. */
static void make_call(fit_request *request) {
	snw_pending_fit *pending = &request->pending;
	const snw_operator_noun *noun = snw_operator_noun_find("fit");
	pending->call = (snw_operator_call){.noun = noun, .row = noun->operators};
	snw_operator_give_named(&pending->call, "method", request->method, pending->arena);
	if (request->layer) {
		snw_operator_give_named(&pending->call, "layer", request->layer, pending->arena);
	}
}

/* Fits; `after` becomes the scene with it. */
static snw_status fit(const snw_job_context *context, const snw_scene *scene, fit_request *request, snw_scene **after,
					  snw_error *error) {
	snw_pending_fit *pending = &request->pending;
	pending->arena = snw_arena_create();
	make_call(request);
	snw_operator_context on = snw_job_operator_context(context, pending->arena);
	on.scene = scene;
	const snw_status status = snw_operator_do_work(&pending->call, &on, &pending->work, &request->report, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_fit_outcome *outcome = pending->work->outcome;
	snprintf(request->fitted, sizeof request->fitted, "%.120s in %.2f s", snw_method_title(context->registry, request->method),
			 outcome->seconds);
	return snw_scene_after_fit(scene, context->registry, outcome, context->task, after, error);
}

/* Whether the error at the examples of a mesh or over a target has grown; `pending` gets both errors of the subject where it
 * has grown most. */
static bool is_worse(fit_request *request) {
	snw_pending_fit *pending = &request->pending;
	uint32_t after = request->before;
	double most = 0;
	for (uint32_t i = 0; i < request->before; i++) {
		const snw_error_row *row = &request->rows[i];
		if (!row->of_stack || after >= request->count) {
			continue;
		}
		const double erms_after = request->rows[after++].measure.erms, growth = erms_after - row->measure.erms;
		if (erms_after > WORSE * row->measure.erms + LEAST_ERMS && growth > most) {
			most = growth;
			memcpy(pending->subject, row->subject, sizeof pending->subject);
			pending->is_of_examples = row->of_examples;
			pending->erms_before = row->measure.erms;
			pending->erms_after = erms_after;
			pending->diagonal = row->diagonal;
		}
	}
	return most > 0;
}

/* Changes that were made during the fit are kept, and may make the layer stale. */
static snw_status commit_fit(snw_job_context *context, snw_job *job, const snw_scene *scene, fit_request *request,
							 snw_error *error) {
	snw_operator_context on = snw_job_operator_context(context, job->arena);
	on.scene = scene;
	on.work = request->pending.work;
	return snw_job_operate(context, job, &request->pending.call, &on, &request->report, error);
}

/* Measures the scene as the fit of the layer sees it: below a bake, over the muted layers that the bake reads. */
static snw_status measure_fit(const snw_scene *scene, const snw_job_context *context, bool baseline, fit_request *request,
							  snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_scene *seen = snw_scene_of_layer(scene, request->layer ? request->layer : request->method, scratch);
	const snw_status status = measure(seen, context, baseline, request, error);
	snw_arena_destroy(scratch);
	return status;
}

/* Measures, fits, and measures again. */
static snw_status run_fit(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	fit_request *request = data;
	snw_scene *scene = NULL, *after = NULL;
	snw_status status = measure_fit(context->document->scene, context, true, request, error);
	request->before = request->count;
	status = snw_failed(status) ? status : snw_project_scene(context->project, &scene, error);
	status = snw_failed(status) ? status : fit(context, scene, request, &after, error);
	if (!snw_failed(status) && after) {
		(void)measure_fit(after, context, false, request, &job->caveat);
	}
	request->pending.is_made = !snw_failed(status) && is_worse(request);
	if (!snw_failed(status) && !request->pending.is_made) {
		status = commit_fit(context, job, scene, request, error);
	}
	snw_scene_destroy(after);
	snw_scene_destroy(scene);
	return status;
}

static void free_fit(void *data) {
	snw_arena_destroy(((fit_request *)data)->pending.arena);
}

/* The lowest stale layer from `first` on: those above see what is below them. Returns whether there is one. */
static bool fit_stale_layer(snw_session *session, uint32_t first) {
	const snw_document *document = session->document;
	for (uint32_t i = first; session->fits_stale && i < document->scene->layer_count; i++) {
		const snw_layer *layer = &document->scene->layers[i];
		if (document->stale[i] && !layer->muted && !snw_layer_is_baked(layer)) {
			snw_emit_text(&session->queue, SNW_DO_FIT, layer->name);
			return true;
		}
	}
	session->fits_stale = false;
	return false;
}

static void stop_fitting(void *owner, const snw_job *job, void *data) {
	(void)job, (void)data;
	((snw_session *)owner)->fits_stale = false;
}

/* Selects the layer, and says what was fitted or what to see to. */
static void show_fitted(snw_session *session, const fit_request *request) {
	snw_session_record(session, &request->pending.call);
	const uint32_t layer = snw_scene_find_layer(session->document->scene, request->pending.work->outcome->layer.name);
	session->state.layer = layer != SNW_NONE ? layer : session->state.layer;
	if (request->report.warnings.count > 0) {
		snw_view_state_warn(&session->state, request->report.warnings.list[0]);
	} else {
		snw_view_state_say(&session->state, "Fitted %s.", request->fitted);
	}
	(void)fit_stale_layer(session, layer != SNW_NONE ? layer + 1 : session->document->scene->layer_count);
}

static void show_fit(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	fit_request *request = data;
	show_rows(session, job, data);
	if (request->pending.is_made) {
		snw_pending_fit_drop(&session->pending_fit);
		session->pending_fit = request->pending;
		memcpy(session->pending_fit.fitted, request->fitted, sizeof request->fitted);
		request->pending.arena = NULL; /* the dialog follows */
		return;
	}
	show_fitted(session, request);
}

/* ---- a fit that makes something worse ------------------------------------------------------------------------------------ */

static snw_status commit_pending(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	return commit_fit(context, job, context->document->scene, data, error);
}

static void show_kept(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const fit_request *request = data;
	(void)job;
	show_fitted(session, request);
}

void snw_do_fit_keep(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.dialog = session->state.dialog == SNW_DIALOG_FIT ? SNW_DIALOG_NONE : session->state.dialog;
	if (!session->pending_fit.is_made) {
		return;
	}
	fit_request *request;
	snw_job *job = make_job("storing the fit", &request);
	job->is_long = false;
	request->pending = session->pending_fit;
	memcpy(request->fitted, session->pending_fit.fitted, sizeof request->fitted);
	session->pending_fit = (snw_pending_fit){0};
	job->run = commit_pending;
	job->done = show_kept;
	job->free_request = free_fit;
	snw_session_send(session, job);
}

void snw_do_fit_drop(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.dialog = session->state.dialog == SNW_DIALOG_FIT ? SNW_DIALOG_NONE : session->state.dialog;
	if (session->pending_fit.is_made) {
		snw_pending_fit_drop(&session->pending_fit);
		session->error_row_count = session->errors_before; /* what it would have given */
		session->errors_before = 0;
		session->fitted[0] = '\0';
		session->fits_stale = false;
		snw_view_state_say(&session->state, "The fit was discarded.");
	}
}

/* ---- the Fit button ------------------------------------------------------------------------------------------------------ */

/* No fit reads what a bake reads. */
static bool is_baked(const snw_session *session, const char *name) {
	const snw_scene *scene = session->document->scene;
	const uint32_t layer = name[0] ? snw_scene_find_layer(scene, name) : session->state.layer;
	return layer < scene->layer_count && snw_layer_is_baked(&scene->layers[layer]);
}

/* Without a name, where none is stale: the chosen layer if it can be fitted, else the topmost corrective, else a new one. */
static void choose_method(const snw_session *session, const char *name, fit_request *request, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	uint32_t layer = name[0] ? snw_scene_find_layer(scene, name) : session->state.layer;
	if (!name[0] && (layer >= scene->layer_count || scene->layers[layer].model == SNW_NONE)) {
		layer = snw_reference_layer(scene, session->registry);
	}
	request->method = snw_arena_text(arena, name[0] ? name : snw_registry_trait_name(session->registry, SNW_CORRECTS));
	if (layer < scene->layer_count) {
		const snw_layer *row = &scene->layers[layer];
		request->method = snw_arena_text(arena, row->deformer);
		request->layer = snw_arena_text(arena, row->name);
	}
}

void snw_do_fit(snw_session *session, const snw_command *command) {
	session->fits_stale = session->fits_stale || !command->text[0];
	if (!command->text[0] && fit_stale_layer(session, 0)) {
		return;
	}
	if (is_baked(session, command->text)) {
		session->state.tab = SNW_TAB_STACK;
		snw_view_state_warn(&session->state, "This layer is baked from the layers below it; press Bake to bake them again.");
		return;
	}
	fit_request *request;
	snw_job *job = make_job("fitting", &request);
	choose_method(session, command->text, request, job->arena);
	if (!request->method) {
		snw_view_state_warn(&session->state, "No loaded plug-in corrects a skin from examples.");
		snw_job_destroy(job);
		return;
	}
	job->label = snw_arena_format(job->arena, "fitting %s", request->layer ? request->layer : request->method);
	job->run = run_fit;
	job->done = show_fit;
	job->failed = stop_fitting;
	job->free_request = free_fit;
	session->state.tab = SNW_TAB_STACK;
	snw_session_send(session, job);
}

void snw_do_cancel(snw_session *session, const snw_command *command) {
	(void)command;
	snw_job_thread_cancel(session->job_thread);
}

/* ---- suggest ------------------------------------------------------------------------------------------------------------- */

/* Suggests which pose to sculpt next: by trying the frames of a clip that has a target, else by leaving out each example. */

#define SAME_POSE 0.01 /* radians */

/* ---- over a clip with a target ------------------------------------------------------------------------------------------- */

typedef struct clip_request {
	const char *clip;
	uint32_t layer; /* SNW_NONE: there is none yet */
	snw_suggest_request suggestion;
	double diagonal; /* of the target's mesh */
	snw_suggestions found;
} clip_request;

static snw_status try_frames(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	clip_request *request = data;
	const snw_scene *scene = context->document->scene;
	request->suggestion.layer = request->layer == SNW_NONE ? NULL : &scene->layers[request->layer];
	request->diagonal = snw_scene_diagonal(scene, scene->targets[request->suggestion.target].mesh);
	return snw_suggest(scene, context->registry, &request->suggestion, context->task, job->arena, &request->found, error);
}

static void show_frame(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const clip_request *request = data;
	const uint32_t clip = snw_scene_find_clip(session->document->scene, request->clip);
	if (request->found.count == 0 || clip == SNW_NONE) {
		snw_view_state_say(&session->state, "No frame of %s would reduce the error.", request->clip);
		return;
	}
	const snw_suggestion *best = &request->found.list[0];
	snw_session_choose_clip(session, clip);
	session->state.playing = false;
	session->state.seconds = best->seconds;
	char before[40], after[40];
	snw_error_write(session, request->found.erms, request->diagonal, before, sizeof before);
	snw_error_write(session, best->erms, request->diagonal, after, sizeof after);
	snw_view_state_say(&session->state,
					   "Sculpt %s at %.3g s: of the frames tried, it helps most. The %s of the clip would fall from %s to %s.",
					   request->clip, best->seconds, snw_error_name(session), before, after);
}

static void send_clip(snw_session *session, uint32_t target) {
	const snw_scene *scene = session->document->scene;
	snw_job *job = snw_job_create("trying frames of the clip as examples", sizeof(clip_request));
	clip_request *request = job->request;
	request->clip = snw_arena_text(job->arena, scene->clips[scene->targets[target].clip].name);
	request->layer = snw_reference_layer(scene, session->registry);
	const snw_deformer *deformer =
		request->layer == SNW_NONE ? NULL : snw_registry_find(session->registry, scene->layers[request->layer].deformer);
	request->suggestion = (snw_suggest_request){.target = target,
												.method = deformer ? deformer->descriptor->short_name
																   : snw_registry_trait_name(session->registry, SNW_CORRECTS),
												.count = 1};
	if (!request->suggestion.method) {
		snw_view_state_warn(&session->state, "No loaded plug-in corrects a skin from examples.");
		snw_job_destroy(job);
		return;
	}
	job->is_long = true;
	job->reloads = false;
	job->run = try_frames;
	job->done = show_frame;
	snw_session_send(session, job);
}

/* ---- among the examples -------------------------------------------------------------------------------------------------- */

typedef struct example_request {
	const char *layer;
	double metres; /* the largest error */
	char name[200];
} example_request;

static snw_status leave_out(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	example_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_measure *measures = SNW_NEW_ARRAY(job->arena, snw_measure, scene->example_count);
	const snw_status status =
		snw_measure_leave_one_out(scene, context->registry, request->layer, context->task, measures, error);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->example_count; i++) {
		const double metres = measures[i].max_percent / 100 * snw_scene_diagonal(scene, scene->examples[i].mesh);
		if (metres > request->metres) {
			request->metres = metres;
			snprintf(request->name, sizeof request->name, "%s", scene->examples[i].name);
		}
	}
	return status;
}

static void show_example(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const example_request *request = data;
	const uint32_t example = snw_scene_find_example(session->document->scene, request->name);
	if (example != SNW_NONE) {
		session->state.example = example;
		snw_session_choose_pose(session, session->document->scene->examples[example].pose);
		char error[40];
		snw_length_write(session, request->metres, error, sizeof error);
		snw_view_state_say(&session->state, "The other examples predict %s worst, by up to %s: sculpt a pose near it.",
						   request->name, error);
	}
}

static void send_examples(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t layer = snw_reference_layer(scene, session->registry);
	if (layer == SNW_NONE || snw_scene_active_example_count(scene) < 2) {
		snw_view_state_warn(&session->state, "A suggestion needs two fitted examples, or a clip with a target.");
		return;
	}
	snw_job *job = snw_job_create("leaving out each example", sizeof(example_request));
	((example_request *)job->request)->layer = snw_arena_text(job->arena, scene->layers[layer].name);
	job->is_long = true;
	job->reloads = false;
	job->run = leave_out;
	job->done = show_example;
	snw_session_send(session, job);
}

/* ---- the next frame ------------------------------------------------------------------------------------------------------ */

/* How far a pose is from the nearest sculpted one of the mesh, or from rest: the largest difference of a joint, radians. */
static double distance_from_sculpts(const snw_scene *scene, uint32_t mesh, const snw_pose *pose) {
	double nearest = (double)INFINITY;
	for (uint32_t i = 0; i <= scene->example_count; i++) {
		const bool is_rest = i == scene->example_count;
		double most = 0;
		if (!is_rest && scene->examples[i].mesh != mesh) {
			continue;
		}
		const snw_pose *other = &scene->poses[is_rest ? 0 : scene->examples[i].pose];
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			const double *a = pose->rotation_vectors + 3 * (size_t)j, *b = other->rotation_vectors + 3 * (size_t)j;
			most = fmax(most, snw_length3((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]}));
		}
		nearest = fmin(nearest, most);
	}
	return nearest;
}

void snw_do_sculpt_next(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	const uint32_t mesh = snw_session_mesh(session);
	if (scene->clip_count == 0 || mesh == SNW_NONE || scene->pose_count == 0) {
		snw_view_state_warn(&session->state, "There is no clip with frames to sculpt. Clips come with an imported character.");
		return;
	}
	if (session->state.clip == SNW_NONE) {
		snw_session_choose_clip(session, 0); /* which Space plays, too */
	}
	const snw_sampled_clip *sampled = &session->display.sampled;
	double most = SAME_POSE, seconds = -1;
	for (uint32_t k = 0; k < sampled->key_count; k++) {
		const double away = distance_from_sculpts(scene, mesh, snw_sampled_clip_pose(sampled, sampled->key_seconds[k]));
		if (away > most) {
			most = away;
			seconds = sampled->key_seconds[k];
		}
	}
	if (seconds < 0) {
		snw_view_state_say(&session->state, "Every frame of %s is like a pose that is sculpted, or like rest.",
						   scene->clips[session->state.clip].name);
		return;
	}
	snw_session_discard_pose(session);
	session->state.playing = false;
	session->state.seconds = seconds;
	if (!session->state.sculpting) {
		snw_sculpting_enter(session);
	}
}

/* ---- the command --------------------------------------------------------------------------------------------------------- */

uint32_t snw_session_clip_target(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t i = 0; i < scene->target_count && session->state.clip != SNW_NONE; i++) {
		if (scene->targets[i].clip == session->state.clip) {
			return i;
		}
	}
	return SNW_NONE;
}

void snw_do_suggest(snw_session *session, const snw_command *command) {
	(void)command;
	const uint32_t target = snw_session_clip_target(session);
	if (target != SNW_NONE) {
		send_clip(session, target);
	} else {
		send_examples(session);
	}
}
