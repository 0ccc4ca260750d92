/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Undo, redo, the history, and closing what is open.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pose/pose.h"
#include "window/document/changed_place.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct step_request {
	int64_t entry; /* undo or redo up to this one; 0: one step */
	int64_t mesh;  /* the active one */
	char label[200];
	uint32_t undone, redone; /* how many steps that were */
	snw_changed_place place;
} step_request;

static snw_status undo(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	step_request *request = data;
	const char *label = NULL;
	const snw_status status = snw_project_undo(context->project, &label, error);
	snprintf(request->label, sizeof request->label, "%s", label ? label : "");
	return status;
}

static snw_status redo(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	step_request *request = data;
	const char *label = NULL;
	const snw_status status = snw_project_redo(context->project, &label, error);
	snprintf(request->label, sizeof request->label, "%s", label ? label : "");
	return status;
}

static void find_place(void *data, const snw_document *old, const snw_document *next) {
	step_request *request = data;
	request->place = snw_document_changed_place(old, next, request->mesh);
}

/* Whether the pose of the place is shown already: then a moment of a clip and a pose of its own are the same. */
static bool is_pose_shown(const snw_session *session, const snw_changed_place *place) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *shown = snw_display_pose(&session->display, &session->state);
	const bool is_moment = session->state.clip != SNW_NONE && session->state.clip == place->clip;
	return shown && ((place->pose != SNW_NONE && snw_pose_is_same(scene, shown, &scene->poses[place->pose])) ||
					 (is_moment && shown->seconds == place->seconds));
}

/* Shows what was undone or redone: its pose or its moment of a clip, and its mesh. */
static void go_to(snw_session *session, const snw_changed_place *place) {
	snw_view_state *state = &session->state;
	if (place->clip != SNW_NONE && !is_pose_shown(session, place)) {
		snw_session_choose_clip(session, place->clip);
		state->playing = false;
		state->seconds = place->seconds;
	} else if (place->pose != SNW_NONE && !is_pose_shown(session, place)) {
		snw_session_choose_pose(session, place->pose);
	}
	state->example = place->example != SNW_NONE ? place->example : state->example;
	if (place->mesh != SNW_NONE) {
		state->mesh = place->mesh;
		snw_sculpting_take_mesh(session, place->mesh);
	}
}

static void report_step(snw_session *session, const char *done, const step_request *request) {
	const uint32_t mesh = request->place.mesh;
	const bool is_hidden = mesh != SNW_NONE && session->display.hidden[mesh];
	go_to(session, &request->place);
	snw_view_state_say(&session->state, "%s: %s%s%s%s", done, request->label, is_hidden ? ". It is on " : "",
					   is_hidden ? session->document->scene->meshes[mesh].name : "", is_hidden ? ", which is hidden." : "");
}

static void report_undo(void *owner, const snw_job *job, void *request) {
	(void)job;
	report_step(owner, "Undone", request);
}

static void report_redo(void *owner, const snw_job *job, void *request) {
	(void)job;
	report_step(owner, "Redone", request);
}

/* Sends a job that changes what the history says is done. */
static void send_restoration(snw_session *session, snw_job *job) {
	const uint32_t mesh = snw_session_mesh(session);
	step_request *request = job->request;
	request->mesh = mesh == SNW_NONE ? 0 : session->document->scene->meshes[mesh].id;
	job->compare = find_place;
	session->is_restoring = true;
	snw_session_send(session, job);
}

/* In a stroke or a drag, Undo is about that alone. */
void snw_do_undo(snw_session *session, const snw_command *command) {
	if (snw_sculpting_is_stroking(&session->sculpting) || session->edit_is_trial) {
		snw_do_drag_cancel(session, command);
		return;
	}
	if (!session->document->undo) {
		snw_view_state_say(&session->state, "Nothing to undo.");
		return;
	}
	snw_job *job = snw_job_create("undo", sizeof(step_request));
	job->run = undo;
	job->done = report_undo;
	send_restoration(session, job);
}

void snw_do_redo(snw_session *session, const snw_command *command) {
	(void)command;
	if (!session->document->redo) {
		snw_view_state_say(&session->state, "Nothing to redo.");
		return;
	}
	snw_job *job = snw_job_create("redo", sizeof(step_request));
	job->run = redo;
	job->done = report_redo;
	send_restoration(session, job);
}

/* ---- history ------------------------------------------------------------------------------------------------------------- */

static snw_status jump(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	step_request *request = data;
	snw_history_entry *entries;
	uint32_t count, current = 0, place = SNW_NONE;
	snw_status status = snw_project_history(context->project, job->arena, &entries, &count, error);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		current += !entries[i].undone;
		place = entries[i].id == request->entry ? i + 1 : place;
	}
	if (!snw_failed(status) && place == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "the history no longer has this entry");
	}
	const char *label;
	for (; !snw_failed(status) && current > place; current--) {
		status = snw_project_undo(context->project, &label, error);
		request->undone += !snw_failed(status);
	}
	for (; !snw_failed(status) && current < place; current++) {
		status = snw_project_redo(context->project, &label, error);
		request->redone += !snw_failed(status);
	}
	return status;
}

/* Steps mean the same in every project; the numbers of entries do not. */
static void record_jump(void *owner, const snw_job *job, void *data) {
	const step_request *request = data;
	for (uint32_t i = 0; i < request->undone + request->redone; i++) {
		snw_session_record_step(owner, i < request->undone ? "undo" : "redo");
	}
	if (!snw_failed(job->status)) {
		go_to(owner, &request->place);
	}
}

static void send_jump(snw_session *session, int64_t entry) {
	snw_job *job = snw_job_create("undoing or redoing", sizeof(step_request));
	((step_request *)job->request)->entry = entry;
	job->run = jump;
	job->done = job->failed = record_jump;
	send_restoration(session, job);
}

void snw_do_history(snw_session *session, const snw_command *command) {
	send_jump(session, llround(command->n[0]));
}

void snw_do_revert(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_document *document = session->document;
	int64_t saved = 0;
	for (uint32_t i = 0; i < document->entry_count && !document->entries[i].undone; i++) {
		saved = i == 0 || document->entries[i].checkpoint ? document->entries[i].id : saved;
	}
	if (saved) {
		send_jump(session, saved);
	}
}

/* ---- cancelling ----------------------------------------------------------------------------------------------------- */

void snw_do_drag_cancel(snw_session *session, const snw_command *command) {
	(void)command;
	const bool is_stroking = snw_sculpting_is_stroking(&session->sculpting);
	if (snw_session_cancel_drag(session)) {
		snw_view_state_say(&session->state, is_stroking                     ? "Stroke undone."
											: session->state.drawing_joints ? "Move undone."
																			: "Rotation undone.");
	}
}

/* ---- Escape -------------------------------------------------------------------------------------------------------------- */

void snw_do_escape(snw_session *session, const snw_command *command) {
	(void)command;
	snw_view_state *state = &session->state;
	if (state->dialog != SNW_DIALOG_NONE) {
		if (state->dialog == SNW_DIALOG_REPORT) {
			snw_emit(&session->queue, SNW_DO_EXPORT_DROP); /* which closes it */
		} else if (state->dialog == SNW_DIALOG_FIT) {
			snw_emit(&session->queue, SNW_DO_FIT_DROP);
		} else {
			state->dialog = SNW_DIALOG_NONE;
		}
	} else if (snw_session_cancel_drag(session)) {
		return;
	} else if (state->playing) {
		state->playing = false;
	} else if (state->sculpting && session->sculpting.outline != SNW_OUTLINE_NONE) {
		session->sculpting.outline = SNW_OUTLINE_NONE;
	} else if (state->sculpting) {
		snw_sculpting_leave(session);
	} else if (state->joint == SNW_NONE) {
		state->drawing_joints = false;
	} else {
		state->joint = SNW_NONE;
	}
}
