/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Creates and ends a session, and replaces its document.
 */
#include "window/session/session.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit/samples.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "render/view/view.h"
#include "window/document/document.h"
#include "window/session/sculpting.h"

/* ---- background ---------------------------------------------------------------------------------------------------------- */

/* A second job thread with a queue without limit: a document whose disposal was dropped would never be freed, or be freed
 * while a job reads it. */

static void send_next_in_background(snw_session *session) {
	if (session->background_queue.first && !snw_job_thread_is_busy(session->background)) {
		snw_job_thread_send(session->background, snw_job_queue_take(&session->background_queue), session->document,
							session->state.subdivision);
	}
}

void snw_background_send(snw_session *session, snw_job *job) {
	job->reloads = false;
	job->number = session->document->number;
	job->shape = session->document->shape;
	snw_job_queue_add(&session->background_queue, job);
	send_next_in_background(session);
}

/* Finishes jobs that are done, and starts the next. */
static void background_collect(snw_session *session) {
	snw_job *job = snw_job_thread_collect(session->background);
	if (job) {
		snw_redraw_times_name(&session->redraw_times, job->label);
		if (snw_failed(job->status) && job->status != SNW_CANCELLED) {
			snw_view_state_warn(&session->state, job->error.text);
		}
		if (job->done) {
			job->done(session, job, job->request);
		}
		snw_job_destroy(job);
	}
	send_next_in_background(session);
}

static bool background_is_busy(const snw_session *session) {
	return session->background_queue.first || snw_job_thread_is_busy(session->background);
}

/* Ends the thread and frees the waiting jobs. */
static void background_end(snw_session *session) {
	snw_job_thread_destroy(session->background);
	snw_job_queue_clear(&session->background_queue);
}

/* ---- documents ----------------------------------------------------------------------------------------------------------- */

static void free_document(void *request) {
	snw_document **document = request;
	snw_document_destroy(*document);
	*document = NULL;
}

static snw_status tidy(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)context, (void)job, (void)error;
	free_document(request);
	return SNW_OK;
}

/* Frees a document that is no longer shown. */
static void background_dispose(snw_session *session, snw_document *document) {
	snw_job *job = snw_job_create("freeing memory", sizeof(snw_document *));
	*(snw_document **)job->request = document;
	job->run = tidy;
	job->free_request = free_document;
	snw_background_send(session, job);
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

snw_status snw_session_create(const snw_registry *registry, snw_renderer *renderer, uint32_t wake_event, snw_session *session,
							  snw_error *error) {
	*session = (snw_session){.registry = registry, .renderer = renderer};
	session->state = (snw_view_state){.clip = SNW_NONE,
									  .flags = SNW_VIEW_GRID | SNW_VIEW_DARK | SNW_VIEW_SKELETON,
									  .speed = 1,
									  .loop = true,
									  .camera = {.yaw = 0.6, .pitch = 0.25, .distance = 3}};
	snw_renewed_plugins_start(&session->renewed_plugins);
	snw_preferences_load(&session->preferences);
	snw_sculpting_start(&session->sculpting);
	session->error_curve = snw_error_curve_create(wake_event);
	session->contact_watch = snw_contact_watch_create(wake_event);
	snw_status status = snw_document_load(NULL, NULL, NULL, registry, NULL, &session->document, NULL, error);
	if (!snw_failed(status)) {
		snw_view_state_start(&session->state, session->document);
		snw_bake_record_take(session);
		status = snw_display_create(session->document, renderer, &session->display, error);
	}
	status = snw_failed(status) ? status : snw_job_thread_create(registry, wake_event, &session->background, error);
	return snw_failed(status) ? status : snw_job_thread_create(registry, wake_event, &session->job_thread, error);
}

void snw_pending_fit_drop(snw_pending_fit *pending) {
	snw_arena_destroy(pending->arena);
	*pending = (snw_pending_fit){0};
}

void snw_session_destroy(snw_session *session) {
	snw_job_thread_destroy(session->job_thread);
	background_end(session);
	snw_job_queue_clear(&session->job_queue);
	if (session->uploading_job) {
		snw_display_destroy(&session->uploading_display);
		snw_job_destroy(session->uploading_job);
	}
	snw_error_curve_destroy(session->error_curve);
	snw_contact_watch_destroy(session->contact_watch);
	snw_sculpting_end(&session->sculpting);
	snw_arena_destroy(session->sculpting.alpha_arena);
	snw_drivers_forget(session);
	snw_arena_destroy(session->sculpt_distances.arena);
	snw_pending_fit_drop(&session->pending_fit);
	snw_method_comparison_drop(session);
	snw_method_pictures_drop(session);
	snw_arena_destroy(session->error_arena);
	snw_shown_bake_drop(session);
	if (session->display.arena) {
		snw_display_destroy(&session->display);
	}
	if (session->pending_export.is_made) {
		remove(session->pending_export.temporary);
	}
	snw_document_destroy(session->document);
	snw_arena_destroy(session->edited_pose_arena);
	snw_arena_destroy(session->copied_arena);
	snw_preferences_forget_open(&session->preferences);
	snw_renewed_plugins_end(&session->renewed_plugins); /* after all that was made with them */
	free(session->record);
	free(session->kept_view);
}

/* ---- the edited pose ----------------------------------------------------------------------------------------------------- */

void snw_session_discard_pose(snw_session *session) {
	snw_arena_destroy(session->edited_pose_arena);
	session->edited_pose_arena = NULL;
	session->edited_pose = NULL;
	session->display.edited_pose = NULL;
	session->edit_is_trial = false;
	session->display.is_stale = true;
}

snw_pose *snw_session_edit_pose(snw_session *session) {
	if (!session->edited_pose) {
		const snw_pose *shown = snw_display_pose(&session->display, &session->state);
		if (!shown || session->document->scene->skeleton.joint_count + session->document->scene->channel_count == 0) {
			return NULL;
		}
		session->edited_pose_arena = snw_arena_create();
		session->edited_pose = snw_pose_copy(session->document->scene, shown, session->edited_pose_arena);
		session->edited_pose->id = session->edited_pose->clip = 0;
		session->display.edited_pose = session->edited_pose;
	}
	session->display.is_stale = true;
	return session->edited_pose;
}

bool snw_session_cancel_drag(snw_session *session) {
	const bool is_stroking = snw_sculpting_is_stroking(&session->sculpting), is_trial = session->edit_is_trial;
	if (is_stroking) {
		snw_sculpting_abort(session);
		snw_sculpting_rest(session);
	} else if (is_trial) { /* of a pose, or of a joint at rest */
		snw_session_discard_pose(session);
	}
	return is_stroking || is_trial;
}

/* ---- what is shown ------------------------------------------------------------------------------------------------------- */

void snw_session_choose_clip(snw_session *session, uint32_t clip) {
	snw_session_discard_pose(session);
	session->state.drawing_joints = false;
	session->state.clip = clip;
	session->state.playing = session->state.playing && clip != SNW_NONE;
	snw_display_choose_clip(&session->display, clip);
	snw_error_curve_begin(session->error_curve, session);
}

void snw_session_choose_pose(snw_session *session, uint32_t pose) {
	if (pose < session->document->scene->pose_count) {
		session->state.pose = pose;
		snw_session_choose_clip(session, SNW_NONE);
	}
}

/* Whether the layer plays frames of its clips alone, whatever the joints do, and these are of other clips. */
static bool lacks_frames(const snw_session *session, const snw_layer *layer) {
	const snw_scene *scene = session->document->scene;
	const snw_deformer *deformer = snw_registry_find(session->registry, layer->deformer);
	const uint32_t needs = deformer ? deformer->descriptor->needs : 0;
	bool is = !layer->muted && needs & SNW_NEEDS_FRAMES && !(needs & (SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN));
	for (uint32_t t = 0; is && t < scene->target_count && session->state.clip != SNW_NONE; t++) {
		is = snw_target_clip(scene, &scene->targets[t]) != session->state.clip;
	}
	return is;
}

void snw_session_say_no_frames(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const bool is_rest = session->state.clip == SNW_NONE && session->state.pose == 0;
	char title[200];
	for (uint32_t i = 0; i < scene->layer_count && !is_rest && scene->skeleton.joint_count > 0; i++) {
		if (lacks_frames(session, &scene->layers[i])) {
			snw_view_state_say(
				&session->state,
				"%s has no frames of this and moves its meshes by the joints alone, if at all. Mute it and unmute "
				"the blend below to see that.",
				snw_layer_title(session->registry, &scene->layers[i], title, sizeof title));
			return;
		}
	}
}

void snw_session_fit_camera(snw_session *session, const double *points, size_t count) {
	snw_arena *scratch = snw_arena_create();
	double *shown = NULL;
	if (count == 0) {
		count = snw_display_points(&session->display, &session->state, scratch, &shown);
		points = shown;
	}
	snw_camera_fit(&session->state.camera, points, count, 1);
	snw_arena_destroy(scratch);
}

snw_ray snw_session_ray(const snw_session *session, double x, double y) {
	const snw_camera *camera = &session->state.camera;
	const double aspect = session->aspect > 0 ? session->aspect : 1, tangent = snw_camera_tangent(camera, aspect);
	double axes[3][3];
	snw_ray ray;
	snw_camera_axes(camera, axes);
	const double u = (2 * x - 1) * tangent * aspect, v = (1 - 2 * y) * tangent;
	for (int c = 0; c < 3; c++) {
		ray.origin[c] = camera->target[c] + camera->distance * axes[2][c];
		ray.direction[c] = u * axes[0][c] + v * axes[1][c] - axes[2][c];
	}
	return ray;
}

bool snw_session_limb_middle(const snw_session *session, double x, double y, double place[3]) {
	const snw_scene *scene = session->document->scene;
	const double aspect = session->aspect > 0 ? session->aspect : 1;
	const snw_view_ray ray = snw_camera_ray(&session->state.camera, (snw_picture_size){aspect, 1}, x * aspect, y);
	double distance = (double)INFINITY;
	bool is_found = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		is_found = (!session->display.hidden[m] && snw_pick_middle(&scene->meshes[m], &ray, &distance, place)) || is_found;
	}
	return is_found;
}

void snw_session_mark(snw_session *session, uint32_t hovered_joint) {
	snw_display *display = &session->display;
	const snw_view_state *state = &session->state;
	const snw_sculpting *s = &session->sculpting;
	snw_painted_values_follow(session);
	snw_drivers_follow(session);
	snw_sculpt_distances_follow(session);
	const uint32_t joints = session->document->scene->skeleton.joint_count;
	for (uint32_t j = 0; j < joints; j++) {
		display->marks[j] = display->selected_joints[j] ? SNW_JOINT_SELECTED : 0;
	}
	if (state->joint < joints) {
		display->marks[state->joint] = SNW_JOINT_SELECTED;
	}
	if (hovered_joint < joints && hovered_joint != state->joint) {
		display->marks[hovered_joint] = SNW_JOINT_HOVERED;
	}
	display->view.joint_marks = display->marks;
	display->view.brush = (snw_brush_ring){.color = {0.93f, 0.66f, 0.28f, 1}};
	if (state->sculpting && s->is_over) {
		memcpy(display->view.brush.place, s->under.position, sizeof s->under.position);
		display->view.brush.radius = s->brush.radius;
		display->view.brush.core = 0.5;
		if (s->has_other) {
			memcpy(display->view.brush.other, s->other, sizeof s->other);
			display->view.brush.other_radius = s->brush.radius;
		}
	}
}

uint32_t snw_session_chosen(const snw_session *session, snw_noun noun) {
	const snw_view_state *state = &session->state;
	switch (noun) {
	case SNW_NOUN_MESH:
		return snw_session_mesh(session);
	case SNW_NOUN_JOINT:
		return state->joint;
	case SNW_NOUN_POSE:
		return state->clip == SNW_NONE ? state->pose : SNW_NONE;
	case SNW_NOUN_CLIP:
		return state->clip;
	case SNW_NOUN_EXAMPLE:
		return state->example;
	case SNW_NOUN_GROUP:
		return state->group;
	case SNW_NOUN_LAYER:
		return state->layer;
	default:
		return SNW_NONE;
	}
}

uint32_t snw_session_find(snw_session *session, snw_noun noun, const char *name) {
	const snw_scene *scene = session->document->scene;
	uint32_t found = snw_session_chosen(session, noun);
	snw_error error;
	if (name[0] && snw_failed(snw_noun_find(scene, noun, name, &found, &error))) {
		snw_view_state_warn(&session->state, error.text);
		return SNW_NONE;
	}
	if (found >= snw_noun_count(scene, noun)) {
		snw_view_state_say(&session->state, "Select %s %s first.", snw_noun_article(noun), snw_noun_word(noun));
		session->state.alarmed = true;
		return SNW_NONE;
	}
	return found;
}

uint32_t snw_session_example(snw_session *session, const char *name) {
	return snw_session_find(session, SNW_NOUN_EXAMPLE, name);
}

uint32_t snw_session_mesh(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t chosen = session->state.mesh;
	return session->state.sculpting && session->sculpting.mesh ? session->sculpting.mesh_index
		   : chosen < scene->mesh_count                        ? chosen
															   : snw_scene_largest_mesh(scene);
}

uint32_t snw_session_example_here(const snw_session *session, uint32_t mesh) {
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	return pose ? snw_sculpt_example(session->document->scene, mesh, pose) : SNW_NONE;
}

bool snw_session_shows_example(const snw_session *session, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	return pose && example < scene->example_count &&
		   snw_pose_is_same(scene, pose, &scene->poses[scene->examples[example].pose]);
}

void snw_session_open_dialog(snw_session *session, snw_dialog dialog) {
	session->state.dialog = dialog;
	session->dialog_is_new = true;
}

bool snw_session_asks(snw_session *session, const snw_command *command, const char *initial) {
	if (!command->text[0]) {
		session->asking = *command;
		snprintf(session->asking.text, sizeof session->asking.text, "%s", initial);
		snw_session_open_dialog(session, SNW_DIALOG_NAME);
	}
	return !command->text[0];
}

bool snw_session_asks_path(snw_session *session, const snw_command *command, snw_dialog dialog) {
	if (!command->text[0]) {
		session->asking = *command;
		snw_session_open_dialog(session, dialog);
	}
	return !command->text[0];
}

/* ---- documents ----------------------------------------------------------------------------------------------------------- */

/* Drops requests for the previous character: they count points, joints and meshes that no longer exist. */
static void discard_queue(snw_session *session) {
	snw_sculpting_leave(session);
	snw_job_queue_clear(&session->job_queue);
}

/* Replaces the document. */
static void replace_document(snw_session *session, snw_document *next, bool renames) {
	snw_document *old = session->document;
	const bool is_other = !renames && (!old->path || !next->path || strcmp(old->path, next->path) != 0);
	snw_display made;
	snw_error_curve_leave(session->error_curve, session);
	snw_contact_watch_leave(session->contact_watch, session);
	if (next->follows) {
		snw_display_succeed(&session->display, next, &made);
	} else {
		made = session->uploading_display;
	}
	if (!is_other) {
		snw_display_follow_joints(&made, &session->display);
		snw_display_follow_meshes(&made, &session->display);
	}
	if (is_other == next->follows) { /* a viewport that follows hides what it has hidden */
		snw_display_hide_faces(&made);
	}
	snw_session_discard_pose(session);
	snw_display_destroy(&session->display);
	session->display = made;
	session->document = next;
	next->number = ++session->document_count;
	next->shape = next->follows ? old->shape : next->number;
	if (session->job_queue.first && !renames && !snw_document_same_counts(old, next)) {
		discard_queue(session);
	}
	snw_session_follow_commands(session, old, is_other ? NULL : next);
	if (is_other) {
		snw_sculpting_leave(session);
		snw_drivers_forget(session);
		snw_sculpt_distances_forget(session);
		session->sculpting.has_radius = false;
		snw_view_state_start(&session->state, next);
		snw_bake_record_take(session);
		snw_pending_fit_drop(&session->pending_fit);
		snw_method_comparison_drop(session);
		session->state.dialog = session->state.dialog == SNW_DIALOG_FIT ? SNW_DIALOG_NONE : session->state.dialog;
		session->error_row_count = session->errors_before = 0;
		session->fitted[0] = '\0';
		snw_arena_destroy(session->copied_arena);
		session->copied_arena = NULL;
		session->copied = NULL;
	} else {
		snw_live_fit_ask(session);
		snw_drivers_succeed(session, old);
		snw_view_state_follow(&session->state, old, next);
	}
	snw_display_choose_clip(&session->display, session->state.clip);
	snw_sculpting_follow(session, is_other);
	background_dispose(session, old);
	if (is_other) {
		snw_session_fit_camera(session, NULL, 0);
		snw_view_state_copy_side(&session->state);
	}
	snw_error_curve_begin(session->error_curve, session);
}

static void send_next(snw_session *session) {
	if (session->job_queue.first && !session->uploading_job && !snw_job_thread_is_busy(session->job_thread)) {
		snw_job_thread_send(session->job_thread, snw_job_queue_take(&session->job_queue), session->document,
							session->state.subdivision);
	}
}

void snw_session_send(snw_session *session, snw_job *job) {
	snw_live_fit_yield(session);
	snw_job_queue_add(&session->job_queue, job);
	send_next(session);
}

bool snw_session_holds_edits(const snw_session *session) {
	return session->job_queue.first || session->uploading_job || snw_job_thread_is_busy(session->job_thread);
}

bool snw_session_is_busy(const snw_session *session) {
	return snw_session_holds_edits(session) || snw_session_is_uploading(session) || background_is_busy(session);
}

bool snw_session_is_uploading(const snw_session *session) {
	return session->uploading_job || session->display.is_uploading || snw_levels_are_uploading(session);
}

/* A document with other meshes is shown once they are on the graphics card. Until then the previous one is shown. */
static bool is_uploaded(snw_session *session, snw_job *job) {
	snw_document *document = job->document;
	if (!document || document->follows) {
		return true;
	}
	if (!session->uploading_job) {
		const snw_status status = snw_display_create(document, session->renderer, &session->uploading_display, &job->error);
		if (snw_failed(status)) {
			job->status = status;
			snw_document_destroy(document);
			job->document = NULL;
			return true;
		}
		session->uploading_job = job;
	}
	return snw_display_upload(&session->uploading_display);
}

static void finish_job(snw_session *session, snw_job *job) {
	const snw_status status = job->status;
	const bool had_queue = session->job_queue.first;
	const bool is_new = job->document;
	snw_session_keep_choices(session);
	if (job->document) {
		replace_document(session, job->document, job->renames);
		job->document = NULL;
	}
	const bool too_late = had_queue && !session->job_queue.first;
	if (status == SNW_CANCELLED) {
		snw_view_state_say(&session->state, "%s was cancelled; %s", job->label,
						   is_new ? "what was finished before is in the history" : "nothing was changed");
	} else if (snw_failed(status)) {
		snw_view_state_warn(&session->state, job->error.text);
	}
	if (snw_failed(status)) {
		snw_session_discard_pose(session);
		if (job->failed) {
			job->failed(session, job, job->request);
		}
		snw_sculpting_follow(session, false);
	} else if (job->done) {
		job->done(session, job, job->request);
	}
	if (job->caveat.text[0]) {
		snw_view_state_warn(&session->state, job->caveat.text);
	}
	if (too_late) {
		snw_view_state_warn(&session->state, "A stroke was lost because the character was replaced before it was stored.");
	}
	snw_job_destroy(job);
}

/* Asks about a fit or an export, once no other dialog is open: neither is lost to a dialog that was open first. */
static void ask_pending(snw_session *session) {
	if (session->state.dialog != SNW_DIALOG_NONE) {
		return;
	}
	if (session->pending_fit.is_made) {
		snw_session_open_dialog(session, SNW_DIALOG_FIT);
	} else if (session->pending_export.is_made) {
		snw_session_open_dialog(session, SNW_DIALOG_REPORT);
	}
}

void snw_session_collect(snw_session *session) {
	snw_job *job = session->uploading_job ? session->uploading_job : snw_job_thread_collect(session->job_thread);
	if (session->display.is_uploading && snw_display_upload(&session->display)) {
		session->display.is_stale = true;
	}
	if (job && is_uploaded(session, job)) {
		session->uploading_job = NULL;
		snw_redraw_times_name(&session->redraw_times, job->label);
		finish_job(session, job);
	}
	send_next(session);
	snw_live_fit_follow(session);
	background_collect(session);
	snw_levels_follow(session);
	ask_pending(session);
	session->is_restoring = session->is_restoring && snw_session_holds_edits(session);
}
