/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that run an operator (operators/operator.h): their row has its line, and what is chosen in the window completes it.
 * Each is one step of the journal, and is recorded with all its values. What the operator says is shown, and what it made is
 * selected.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example/sculpts.h"
#include "operators/operator.h"
#include "pose/pose.h"
#include "window/commands/commands.h"
#include "window/document/document.h"
#include "window/jobs/job_thread.h"
#include "window/session/session.h"

/* ---- operate ------------------------------------------------------------------------------------------------------------- */

typedef struct operator_request {
	snw_operator_call call; /* its texts are in the job's arena */
	snw_operator_report report;
	const char *label; /* of the history; NULL: the row's */
} operator_request;

/* ---- the line ------------------------------------------------------------------------------------------------------------ */

/* A word with the command's values in place of $1 to $5 and $t; NULL if it needs a text and the command has none. */
static const char *expand(const char *word, const snw_command *command, snw_arena *arena) {
	const char *result = "";
	for (const char *dollar; (dollar = strchr(word, '$')) != NULL; word = dollar + 2) {
		if (dollar[1] == 't' && !command->text[0]) {
			return NULL;
		}
		const char *before = snw_arena_format(arena, "%s%.*s", result, (int)(dollar - word), word);
		result = dollar[1] == 't' ? snw_arena_format(arena, "%s%s", before, command->text)
								  : snw_arena_format(arena, "%s%.17g", before, command->n[dollar[1] - '1']);
	}
	return snw_arena_format(arena, "%s%s", result, word);
}

static snw_status read_line(const snw_command *command, const char *line, snw_arena *arena, snw_operator_call *call,
							snw_error *error) {
	uint32_t count, used, kept = 0;
	const char **words;
	const snw_operator_noun *noun;
	const snw_status status = snw_words_split(line, arena, &count, &words, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_operator *row = snw_operator_of_words(count, words, &noun, &used);
	for (uint32_t i = used; i < count; i++) {
		const char *word = expand(words[i], command, arena);
		if (word) {
			words[kept++] = word;
		}
	}
	return snw_operator_parse(noun, row, kept, words, arena, call, error);
}

/* ---- what is chosen ------------------------------------------------------------------------------------------------------ */

/* Whether the line refers to the command's text by an argument. */
static bool takes_text(const char *line, const snw_argument *argument) {
	char form[60];
	snprintf(form, sizeof form, "--%s=$t", argument->name);
	return strstr(line, form) != NULL;
}

const snw_argument *snw_command_asked_argument(const snw_command *command) {
	const char *line = snw_command_infos[command->id].line;
	const snw_operator *row = line ? snw_command_operator(command) : NULL;
	for (const snw_argument *argument = row ? row->arguments : NULL; argument && argument->name; argument++) {
		if (takes_text(line, argument)) {
			return argument;
		}
	}
	return NULL;
}

/* The name of the active sculpt layer; NULL for none. */
static const char *active_sculpt_layer(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t at = session->state.example;
	const uint32_t layer =
		at < scene->example_count ? snw_sculpt_layer_of_id(&scene->examples[at], session->state.sculpt_layer) : SNW_NONE;
	return layer == SNW_NONE ? NULL : scene->examples[at].layers[layer].name;
}

static void give_locked(const snw_session *session, snw_operator_call *call, uint32_t argument, snw_arena *arena) {
	const uint32_t *locked, count = snw_display_locked_joints(&session->display, arena, &locked);
	for (uint32_t i = 0; i < count; i++) {
		snw_operator_give(call, argument, session->document->scene->skeleton.names[locked[i]], arena);
	}
}

/* The name of what is chosen for an argument; NULL if nothing is. */
static const char *chosen_name(const snw_session *session, const snw_argument *argument) {
	const snw_scene *scene = session->document->scene;
	if (argument->flags & SNW_ARGUMENT_SCULPT_LAYER) {
		return active_sculpt_layer(session);
	}
	const uint32_t at = argument->flags & SNW_ARGUMENT_CHOSEN ? snw_session_chosen(session, argument->noun) : SNW_NONE;
	return at < snw_noun_count(scene, argument->noun) ? snw_noun_name(scene, argument->noun, at) : NULL;
}

/* Completes the call by what is chosen. A text that the line takes from the command and that is empty stays so. A line of a
 * script (NULL) means the same without a window: it gets only what it needs. */
static void give_chosen(const snw_session *session, const char *line, snw_operator_call *call, snw_arena *arena) {
	for (uint32_t a = 0; call->row->arguments[a].name; a++) {
		const snw_argument *argument = &call->row->arguments[a];
		const bool stays_empty = line ? argument->kind == SNW_ARGUMENT_TEXT && takes_text(line, argument)
									  : !(argument->flags & (SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_ONLY));
		if (snw_operator_is_given(call, a) || stays_empty) {
			continue;
		}
		if (argument->flags & SNW_ARGUMENT_LOCKED) {
			give_locked(session, call, a, arena);
		} else if (chosen_name(session, argument)) {
			snw_operator_give(call, a, chosen_name(session, argument), arena);
		}
	}
}

/* What a dialog that asks for an argument begins with: the present name or parent of what is chosen, a name that is free, or
 * nothing. */
static const char *proposal(const snw_session *session, const snw_operator_call *call, const snw_argument *argument,
							snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	const snw_argument *first = &call->row->arguments[0];
	const uint32_t at = first->kind == SNW_ARGUMENT_THING ? snw_session_chosen(session, first->noun) : SNW_NONE;
	if (argument->proposed) {
		return argument->proposed;
	}
	if (argument->kind == SNW_ARGUMENT_THING && first->noun == SNW_NOUN_JOINT && at < scene->skeleton.joint_count) {
		const uint32_t parent = scene->skeleton.parents[at];
		return parent == SNW_NONE ? "" : scene->skeleton.names[parent];
	}
	if (argument->kind == SNW_ARGUMENT_THING) {
		const uint32_t other = snw_session_chosen(session, argument->noun) == 0 ? 1 : 0;
		return other < snw_noun_count(scene, argument->noun) ? snw_noun_name(scene, argument->noun, other) : "";
	}
	if (argument->kind == SNW_ARGUMENT_NUMBER) {
		return snw_arena_format(arena, "%g", argument->initial);
	}
	if (argument->kind == SNW_ARGUMENT_TEXT && !(argument->flags & (SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_NEW))) {
		return "";
	}
	return at < snw_noun_count(scene, first->noun) ? snw_noun_name(scene, first->noun, at)
												   : snw_noun_free_name(scene, first->noun, call->noun->name, arena);
}

/* Whether a value is missing: what is to be chosen, which a message asks for, or a text, which a dialog asks for. */
static bool lacks_value(snw_session *session, const snw_command *command, const char *line, const snw_operator_call *call,
						snw_arena *arena) {
	for (uint32_t a = 0; call->row->arguments[a].name; a++) {
		const snw_argument *argument = &call->row->arguments[a];
		const bool is_missing = argument->flags & SNW_ARGUMENT_NEEDED && !snw_operator_is_given(call, a);
		if (is_missing && argument->flags & SNW_ARGUMENT_CHOSEN) {
			return snw_session_find(session, argument->noun, "") == SNW_NONE;
		}
		if (is_missing && !line) {
			snw_error error;
			(void)snw_operator_expect_complete(call, arena, &error);
			snw_view_state_warn(&session->state, error.text);
			return true;
		}
		const bool is_asked = line && takes_text(line, argument) && !snw_operator_is_given(call, a) &&
							  !(argument->flags & (SNW_ARGUMENT_CHOSEN | SNW_ARGUMENT_SCULPT_LAYER)) &&
							  snw_command_infos[command->id].menu[0];
		if (is_missing || is_asked) {
			if (argument->flags & (SNW_ARGUMENT_FOLDER | SNW_ARGUMENT_PROJECT)) {
				const bool is_folder = argument->flags & SNW_ARGUMENT_FOLDER;
				return snw_session_asks_path(session, command, is_folder ? SNW_DIALOG_FOLDER : SNW_DIALOG_PROJECT);
			}
			/* What is shown is meant, not what a clip shows when the dialog closes. */
			session->state.playing = session->state.playing && !(call->row->flags & SNW_OPERATOR_SHOWN);
			return snw_session_asks(session, command, proposal(session, call, argument, arena));
		}
	}
	return false;
}

/* ---- the job ------------------------------------------------------------------------------------------------------------- */

/* A layer that has failed and is changed is tried again. */
static void try_again(snw_job_context *context, const snw_operator_report *report) {
	const snw_scene *scene = context->document->scene;
	for (uint32_t i = 0; i < report->fact_count; i++) {
		const snw_fact *fact = &report->facts[i];
		const bool is_layer = fact->kind == SNW_FACT_CHANGED && fact->noun == SNW_NOUN_LAYER;
		const uint32_t layer = is_layer ? snw_scene_find_layer(scene, fact->name) : SNW_NONE;
		if (layer != SNW_NONE) {
			snw_preview_include(&context->preview, scene->layers[layer].id);
		}
	}
}

snw_operator_context snw_job_operator_context(const snw_job_context *context, snw_arena *arena) {
	return (snw_operator_context){.project = context->project,
								  .path = context->path,
								  .name = context->path,
								  .folder = context->document->scene->folder,
								  .scene = context->document->scene,
								  .registry = context->registry,
								  .refits_here = true,
								  .shows_stale = true,
								  .task = context->task,
								  .arena = arena};
}

snw_status snw_job_operate(snw_job_context *context, snw_job *job, const snw_operator_call *call,
						   const snw_operator_context *on, snw_operator_report *report, snw_error *error) {
	const snw_status status = snw_operator_run(call, on, report, error);
	if (!snw_failed(status) && report->failed_count > 0) {
		snprintf(job->caveat.text, sizeof job->caveat.text, "%s", report->failed[0]);
	}
	if (!snw_failed(status)) {
		try_again(context, report);
	}
	return status;
}

static snw_status run(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	operator_request *request = data;
	snw_operator_context on = snw_job_operator_context(context, job->arena);
	on.label = request->label;
	return snw_job_operate(context, job, &request->call, &on, &request->report, error);
}

static void choose_made(snw_session *session, snw_noun noun, uint32_t index) {
	snw_view_state *state = &session->state;
	switch (noun) {
	case SNW_NOUN_JOINT:
		state->joint = index;
		break;
	case SNW_NOUN_POSE:
		snw_session_choose_pose(session, index);
		break;
	case SNW_NOUN_EXAMPLE:
		state->example = index;
		break;
	case SNW_NOUN_GROUP:
		state->group = index;
		break;
	case SNW_NOUN_LAYER:
		state->layer = index;
		break;
	default:
		break;
	}
}

/* Whether a fact selects something: what was made, and what was changed where nothing is chosen or the row says so. */
static bool selects(const snw_session *session, uint32_t flags, const snw_fact *fact) {
	const bool selects_changed = flags & SNW_OPERATOR_CHOOSES || snw_session_chosen(session, fact->noun) == SNW_NONE;
	return (fact->kind == SNW_FACT_MADE && !(flags & SNW_OPERATOR_STAYS)) ||
		   (fact->kind == SNW_FACT_CHANGED && selects_changed);
}

/* Selects what was made or changed, and shows what the operator says. */
static void report(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const operator_request *request = data;
	const snw_operator_report *made = &request->report;
	const char *words = "";
	for (uint32_t i = 0; i < made->fact_count; i++) {
		const snw_fact *fact = &made->facts[i];
		uint32_t index;
		if (selects(session, request->call.row->flags, fact) &&
			!snw_failed(snw_noun_find(session->document->scene, fact->noun, fact->name, &index, NULL))) {
			choose_made(session, fact->noun, index);
		}
	}
	const snw_report_lines *said = &made->sentences, *warned = &made->warnings;
	for (uint32_t i = 0; i < said->count + warned->count; i++) {
		const char *next = i < said->count ? said->list[i] : warned->list[i - said->count];
		words = snw_arena_format(job->arena, "%s%s%s", words, i ? "; " : "", next);
	}
	if (words[0]) {
		words = snw_arena_format(job->arena, "%s: %s.", job->label, words);
		if (warned->count > 0) {
			snw_view_state_warn(&session->state, words);
		} else {
			snw_view_state_say(&session->state, "%s", words);
		}
	}
}

static void forget(void *owner, const snw_job *job, void *data) {
	(void)job;
	snw_session_forget_record(owner, &((operator_request *)data)->call);
}

void snw_session_send_operator(snw_session *session, const snw_operator_call *call, const char *label) {
	snw_job *job = snw_job_create(call->row->step, sizeof(operator_request));
	operator_request *request = job->request;
	request->call = (snw_operator_call){.noun = call->noun, .row = call->row};
	for (uint32_t i = 0; i < call->count; i++) {
		snw_operator_give(&request->call, call->given[i].argument, snw_arena_text(job->arena, call->given[i].text), job->arena);
	}
	request->label = label ? snw_arena_text(job->arena, label) : NULL;
	job->label = label ? request->label : snw_operator_step(&request->call, job->arena);
	snw_session_record(session, call);
	job->is_long = call->row->flags & SNW_OPERATOR_LONG;
	job->run = run;
	job->done = report;
	job->failed = forget;
	session->edit_is_trial = false;
	snw_session_send(session, job);
}

/* `line`: as in the row of the command; NULL: the call is of a script. */
static void complete(snw_session *session, const snw_command *command, const char *line, snw_operator_call *call,
					 snw_arena *arena) {
	const char *label = NULL;
	if (call->row->flags & SNW_OPERATOR_SHOWN && !snw_display_pose(&session->display, &session->state)) {
		snw_view_state_warn(&session->state, "There is nothing to pose.");
		return;
	}
	if (call->row->flags & SNW_OPERATOR_SHOWN) {
		label = snw_operator_step(call, arena);
		snw_session_name_shown(session, call, arena);
	}
	give_chosen(session, line, call, arena);
	if (!lacks_value(session, command, line, call, arena)) {
		snw_session_send_operator(session, call, label);
	}
}

void snw_session_operate(snw_session *session, const snw_command *command, const char *line) {
	snw_arena *arena = snw_arena_create();
	snw_operator_call call;
	snw_error error;
	if (snw_failed(read_line(command, line, arena, &call, &error))) {
		snw_view_state_warn(&session->state, error.text);
	} else {
		complete(session, command, line, &call, arena);
	}
	snw_arena_destroy(arena);
}

void snw_do_operate(snw_session *session, const snw_command *command) {
	snw_arena *arena = snw_arena_create();
	snw_operator_call call = {.noun = command->call->noun, .row = command->call->row};
	for (uint32_t i = 0; i < command->call->count; i++) {
		snw_operator_give(&call, command->call->given[i].argument, command->call->given[i].text, arena);
	}
	complete(session, command, NULL, &call, arena);
	snw_arena_destroy(arena);
}

void snw_do_operator(snw_session *session, const snw_command *command) {
	snw_session_operate(session, command, snw_command_infos[command->id].line);
}

/* ---- edit ---------------------------------------------------------------------------------------------------------------- */

/* Undo, redo, the history, and closing what is open. */

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

/* ---- cancelling ---------------------------------------------------------------------------------------------------------- */

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
