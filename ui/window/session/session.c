/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beginning and ending a session, and taking up new documents.
 */
#include "window/session/session.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit/commit_sculpt.h"
#include "pose/pose.h"
#include "window/session/background.h"
#include "window/session/painted_values.h"

/* ---- life --------------------------------------------------------------------------------------------------------- */

snw_status snw_session_create(const snw_registry *registry, snw_renderer *renderer, uint32_t wake_event, snw_session *session,
							  snw_error *error) {
	*session = (snw_session){.registry = registry, .renderer = renderer};
	session->state = (snw_view_state){.clip = SNW_NONE,
									  .flags = SNW_VIEW_GRID | SNW_VIEW_DARK | SNW_VIEW_SKELETON,
									  .speed = 1,
									  .loop = true,
									  .camera = {.yaw = 0.6, .pitch = 0.25, .distance = 3}};
	snw_preferences_load(&session->preferences);
	snw_sculpting_start(&session->sculpting);
	session->survey = snw_survey_create(wake_event);
	snw_status status = snw_document_load(NULL, NULL, NULL, registry, NULL, &session->document, NULL, error);
	if (status >= 0) {
		snw_view_state_start(&session->state, session->document);
		status = snw_studio_create(session->document, renderer, &session->studio, error);
	}
	status = status < 0 ? status : snw_clerk_create(registry, wake_event, &session->aide, error);
	return status < 0 ? status : snw_clerk_create(registry, wake_event, &session->clerk, error);
}

void snw_session_destroy(snw_session *session) {
	snw_clerk_destroy(session->clerk);
	snw_aside_end(session);
	for (uint32_t i = 0; i < session->waiting_count; i++) {
		snw_errand_destroy(session->waiting[i]);
	}
	if (session->coming) {
		snw_studio_destroy(&session->coming_studio);
		snw_errand_destroy(session->coming);
	}
	snw_survey_destroy(session->survey);
	snw_sculpting_end(&session->sculpting);
	if (session->studio.arena) {
		snw_studio_destroy(&session->studio);
	}
	if (session->offer.is_made) {
		remove(session->offer.waiting);
	}
	snw_document_destroy(session->document);
	snw_arena_destroy(session->hand_arena);
	snw_arena_destroy(session->copied_arena);
	snw_preferences_forget_open(&session->preferences);
	free(session->record);
}

/* ---- the hand ----------------------------------------------------------------------------------------------------- */

void snw_session_drop_hand(snw_session *session) {
	snw_arena_destroy(session->hand_arena);
	session->hand_arena = NULL;
	session->hand = NULL;
	session->studio.hand = NULL;
	session->hand_is_trial = false;
	session->studio.is_stale = true;
}

snw_pose *snw_session_take_hand(snw_session *session) {
	if (!session->hand) {
		const snw_pose *shown = snw_studio_pose(&session->studio, &session->state);
		if (!shown || session->document->scene->skeleton.joint_count == 0) {
			return NULL;
		}
		session->hand_arena = snw_arena_create();
		session->hand = snw_pose_copy(session->document->scene, shown, session->hand_arena);
		session->hand->clip = 0;
		session->studio.hand = session->hand;
	}
	session->studio.is_stale = true;
	return session->hand;
}

/* ---- what is shown ------------------------------------------------------------------------------------------------ */

void snw_session_choose_clip(snw_session *session, uint32_t clip) {
	snw_session_drop_hand(session);
	snw_sculpting_leave(session);
	session->state.clip = clip;
	session->state.playing = session->state.playing && clip != SNW_NONE;
	snw_studio_choose_clip(&session->studio, clip);
	snw_survey_begin(session->survey, session);
}

void snw_session_choose_pose(snw_session *session, uint32_t pose) {
	if (pose < session->document->scene->pose_count) {
		session->state.pose = pose;
		snw_session_choose_clip(session, SNW_NONE);
	}
}

void snw_session_frame(snw_session *session, const double *points, size_t count) {
	snw_arena *scratch = snw_arena_create();
	double *shown = NULL;
	if (count == 0) {
		count = snw_studio_points(&session->studio, &session->state, scratch, &shown);
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

void snw_session_mark(snw_session *session, uint32_t hovered_joint) {
	snw_studio *studio = &session->studio;
	const snw_view_state *state = &session->state;
	const snw_sculpting *s = &session->sculpting;
	snw_sculpt_values_follow(session);
	const uint32_t joints = session->document->scene->skeleton.joint_count;
	memset(studio->marks, 0, joints);
	if (state->joint < joints) {
		studio->marks[state->joint] = SNW_JOINT_SELECTED;
	}
	if (hovered_joint < joints && hovered_joint != state->joint) {
		studio->marks[hovered_joint] = SNW_JOINT_HOVERED;
	}
	studio->view.joint_marks = studio->marks;
	if (state->sculpting || state->playing) {
		studio->view.flags &= ~(uint32_t)(state->sculpting ? SNW_VIEW_SKELETON : 0);
	}
	studio->view.brush = (snw_brush_ring){.color = {0.93f, 0.66f, 0.28f, 1}};
	if (state->sculpting && s->is_over) {
		memcpy(studio->view.brush.place, s->under.position, sizeof s->under.position);
		studio->view.brush.radius = s->brush.radius;
		studio->view.brush.core = 0.5;
		if (s->has_other) {
			memcpy(studio->view.brush.other, s->other, sizeof s->other);
			studio->view.brush.other_radius = s->brush.radius;
		}
	}
}

uint32_t snw_session_example(snw_session *session, const char *name) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = name[0] ? snw_scene_find_example(scene, name) : session->state.example;
	if (example >= scene->example_count) {
		snw_view_state_warn(&session->state, name[0] ? "There is no example of that name." : "Choose an example first.");
		return SNW_NONE;
	}
	return example;
}

uint32_t snw_session_example_here(const snw_session *session, uint32_t mesh) {
	const bool is_named = session->state.clip == SNW_NONE && !session->hand;
	return is_named ? snw_sculpt_example(session->document->scene, mesh, session->state.pose) : SNW_NONE;
}

void snw_session_open_dialog(snw_session *session, snw_dialog dialog) {
	session->state.dialog = dialog;
	session->dialog_is_fresh = true;
}

bool snw_session_asks(snw_session *session, const snw_command *command, const char *given) {
	if (!command->text[0]) {
		session->asking = *command;
		snprintf(session->asking.text, sizeof session->asking.text, "%s", given);
		snw_session_open_dialog(session, SNW_DIALOG_NAME);
	}
	return !command->text[0];
}

/* ---- documents ---------------------------------------------------------------------------------------------------- */

/* What was asked for about another character, by a stroke while it was being replaced, counts points, joints and meshes that are
 * no longer there. */
static void drop_waiting(snw_session *session) {
	snw_sculpting_leave(session);
	while (session->waiting_count > 0) {
		snw_errand_destroy(session->waiting[--session->waiting_count]);
	}
}

/* The next document takes the place of the one there is. */
static void take_up(snw_session *session, snw_document *next, bool renames) {
	snw_document *old = session->document;
	const bool is_other = !renames && (!old->path || !next->path || strcmp(old->path, next->path) != 0);
	snw_studio made;
	snw_survey_leave(session->survey, session);
	if (next->follows) {
		snw_studio_succeed(&session->studio, next, &made);
	} else {
		made = session->coming_studio;
	}
	snw_session_drop_hand(session);
	snw_studio_destroy(&session->studio);
	session->studio = made;
	session->document = next;
	if (session->waiting_count > 0 && !renames && !snw_document_same_counts(old, next)) {
		drop_waiting(session);
	}
	if (is_other) {
		snw_sculpting_leave(session);
		snw_view_state_start(&session->state, next);
		session->error_row_count = session->errors_before = 0;
		session->fitted[0] = '\0';
		snw_arena_destroy(session->copied_arena);
		session->copied_arena = NULL;
		session->copied = NULL;
	} else {
		snw_view_state_follow(&session->state, old, next);
	}
	snw_studio_choose_clip(&session->studio, session->state.clip);
	snw_sculpting_follow(session, is_other);
	snw_aside_dispose(session, old);
	if (is_other) {
		snw_session_frame(session, NULL, 0);
	}
	snw_survey_begin(session->survey, session);
}

static void send_waiting(snw_session *session) {
	if (session->waiting_count > 0 && !session->coming && !snw_clerk_is_busy(session->clerk)) {
		snw_clerk_send(session->clerk, session->waiting[0], session->document, session->state.subdivision);
		session->waiting_count--;
		memmove(session->waiting, session->waiting + 1, session->waiting_count * sizeof(snw_errand *));
	}
}

void snw_session_send(snw_session *session, snw_errand *errand) {
	if (session->waiting_count == sizeof session->waiting / sizeof *session->waiting) {
		snw_view_state_warn(&session->state, "Too much is waiting to be done; this was left out.");
		snw_errand_destroy(errand);
		return;
	}
	session->waiting[session->waiting_count++] = errand;
	send_waiting(session);
}

static bool holds_edits(const snw_session *session) {
	return session->waiting_count > 0 || session->coming || snw_clerk_is_busy(session->clerk);
}

bool snw_session_is_busy(const snw_session *session) {
	return holds_edits(session) || session->studio.is_uploading || snw_aside_is_busy(session);
}

bool snw_session_is_uploading(const snw_session *session) {
	return session->coming || session->studio.is_uploading;
}

/* A document of another shape is shown once its meshes are on the graphics card; until then the one before is. */
static bool is_there(snw_session *session, snw_errand *errand) {
	snw_document *document = errand->document;
	if (!document || document->follows) {
		return true;
	}
	if (!session->coming) {
		const snw_status status = snw_studio_create(document, session->renderer, &session->coming_studio, &errand->error);
		if (status < 0) {
			errand->status = status;
			snw_document_destroy(document);
			errand->document = NULL;
			return true;
		}
		session->coming = errand;
	}
	return snw_studio_upload(&session->coming_studio);
}

static void take_back(snw_session *session, snw_errand *errand) {
	const snw_status status = errand->status;
	const uint32_t waiting = session->waiting_count;
	const bool is_new = errand->document;
	if (errand->document) {
		take_up(session, errand->document, errand->renames);
		errand->document = NULL;
	}
	const bool too_late = session->waiting_count < waiting;
	if (status == SNW_CANCELLED) {
		snw_view_state_say(&session->state, "%s was cancelled; %s", errand->what,
						   is_new ? "what was done by then is in the history" : "nothing has changed");
	} else if (status < 0) {
		snw_view_state_warn(&session->state, errand->error.text);
	}
	if (status < 0 || status == SNW_CANCELLED) {
		snw_session_drop_hand(session);
		snw_sculpting_follow(session, false);
	} else if (errand->done) {
		errand->done(session, errand, errand->order);
	}
	if (errand->caveat.text[0]) {
		snw_view_state_warn(&session->state, errand->caveat.text);
	}
	if (too_late) {
		snw_view_state_warn(&session->state, "A stroke was left out: the character was replaced before it could be kept.");
	}
	snw_errand_destroy(errand);
}

void snw_session_collect(snw_session *session) {
	snw_errand *errand = session->coming ? session->coming : snw_clerk_collect(session->clerk);
	if (session->studio.is_uploading && snw_studio_upload(&session->studio)) {
		session->studio.is_stale = true;
	}
	if (errand && is_there(session, errand)) {
		session->coming = NULL;
		snw_pace_name(&session->pace, errand->what);
		take_back(session, errand);
	}
	send_waiting(session);
	snw_aside_collect(session);
}

/* ---- commands ----------------------------------------------------------------------------------------------------- */

/* A script that does the same again. */
static void record(snw_session *session, const snw_command *command) {
	char line[SNW_COMMAND_WORDS + 100];
	snw_command_write(command, line, sizeof line);
	const size_t length = strlen(line) + 1;
	if (session->record_used + length + 1 > session->record_size) {
		const size_t size = 2 * session->record_size + length + 4096;
		char *larger = realloc(session->record, size);
		if (!larger) {
			return;
		}
		session->record = larger;
		session->record_size = size;
	}
	memcpy(session->record + session->record_used, line, length);
	session->record[session->record_used + length - 1] = '\n';
	session->record[session->record_used + length] = '\0';
	session->record_used += length;
}

/* A stroke that is begun while the mesh is made ready for it is not lost. */
static bool waits_for_sculpt(const snw_session *session, snw_command_id id) {
	static const snw_command_id strokes[] = {SNW_DO_STROKE, SNW_DO_DAB, SNW_DO_STROKE_END, SNW_DO_MASK_CLEAR,
											 SNW_DO_MASK_INVERT};
	bool is_one = false;
	for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
		is_one = is_one || id == strokes[i];
	}
	return is_one && snw_sculpting_is_preparing(session);
}

/* What says nothing of its own, and goes on while what was said is read. */
static bool keeps_message(snw_command_id id) {
	static const snw_command_id quiet[] = {SNW_DO_REPORT, SNW_DO_REPORT_NOW, SNW_DO_PICTURE, SNW_DO_DAB,   SNW_DO_STROKE_END,
										   SNW_DO_ORBIT,  SNW_DO_PAN,        SNW_DO_ZOOM,    SNW_DO_BEFORE};
	bool found = false;
	for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
		found = found || id == quiet[i];
	}
	return found;
}

void snw_session_apply(snw_session *session, snw_command_queue *done) {
	snw_command_queue *queue = &session->queue;
	for (uint32_t i = 0; i < queue->count && !session->picture_wanted;) {
		const snw_command_id id = queue->commands[i].id;
		if ((snw_command_edits(id) && holds_edits(session)) || waits_for_sculpt(session, id)) {
			i++;
			continue;
		}
		snw_command command;
		snw_queue_take(queue, i, &command);
		if (done->count == 0 && !keeps_message(id)) {
			session->state.message[0] = '\0';
			session->state.alarmed = false;
		}
		if (!session->is_starting) {
			record(session, &command);
		}
		session->is_starting = false;
		snw_pace_name(&session->pace, snw_command_infos[id].name);
		snw_command_infos[id].apply(session, &command);
		snw_queue_add(done, &command);
	}
}
