/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Undo, redo, the history; and leaving what is open. The journal is the host's.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct step_order {
	int64_t entry; /* up to this one; 0: a single step */
	char label[200];
} step_order;

static snw_status undo(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)errand;
	step_order *order = given;
	const char *label = NULL;
	if (!desk->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	const snw_status status = snw_project_undo(desk->project, &label, error);
	snprintf(order->label, sizeof order->label, "%s", label ? label : "");
	return status;
}

static snw_status redo(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)errand;
	step_order *order = given;
	const char *label = NULL;
	if (!desk->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	const snw_status status = snw_project_redo(desk->project, &label, error);
	snprintf(order->label, sizeof order->label, "%s", label ? label : "");
	return status;
}

static void tell_undo(snw_session *session, const snw_errand *errand, void *order) {
	(void)errand;
	snw_view_state_say(&session->state, "Undone: %s", ((step_order *)order)->label);
}

static void tell_redo(snw_session *session, const snw_errand *errand, void *order) {
	(void)errand;
	snw_view_state_say(&session->state, "Done again: %s", ((step_order *)order)->label);
}

void snw_do_undo(snw_session *session, const snw_command *command) {
	(void)command;
	if (!session->document->undo) {
		snw_view_state_say(&session->state, "There is nothing to undo.");
		return;
	}
	snw_errand *errand = snw_errand_make("undo", sizeof(step_order));
	errand->run = undo;
	errand->done = tell_undo;
	snw_session_send(session, errand);
}

void snw_do_redo(snw_session *session, const snw_command *command) {
	(void)command;
	if (!session->document->redo) {
		snw_view_state_say(&session->state, "There is nothing to redo.");
		return;
	}
	snw_errand *errand = snw_errand_make("redo", sizeof(step_order));
	errand->run = redo;
	errand->done = tell_redo;
	snw_session_send(session, errand);
}

/* ---- jumping ------------------------------------------------------------------------------------------------------ */

static snw_status jump(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	const step_order *order = given;
	snw_history_entry *entries;
	uint32_t count, standing = 0, wanted = SNW_NONE;
	if (!desk->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	snw_status status = snw_project_history(desk->project, errand->arena, &entries, &count, error);
	for (uint32_t i = 0; status >= 0 && i < count; i++) {
		standing += !entries[i].undone;
		wanted = entries[i].id == order->entry ? i + 1 : wanted;
	}
	if (status >= 0 && wanted == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "the history has no such entry any more");
	}
	const char *label;
	for (; status >= 0 && standing > wanted; standing--) {
		status = snw_project_undo(desk->project, &label, error);
	}
	for (; status >= 0 && standing < wanted; standing++) {
		status = snw_project_redo(desk->project, &label, error);
	}
	return status;
}

static void send_jump(snw_session *session, int64_t entry) {
	snw_errand *errand = snw_errand_make("going through the history", sizeof(step_order));
	((step_order *)errand->order)->entry = entry;
	errand->run = jump;
	snw_session_send(session, errand);
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

/* ---- leaving ------------------------------------------------------------------------------------------------------ */

void snw_do_escape(snw_session *session, const snw_command *command) {
	(void)command;
	snw_view_state *state = &session->state;
	if (state->dialog != SNW_DIALOG_NONE) {
		if (state->dialog == SNW_DIALOG_REPORT) {
			snw_emit(&session->queue, SNW_DO_EXPORT_DROP);
		}
		state->dialog = SNW_DIALOG_NONE;
	} else if (snw_sculpting_is_stroking(&session->sculpting)) {
		snw_sculpting_abort(session);
	} else if (session->hand_is_trial) {
		snw_session_drop_hand(session);
	} else if (state->playing) {
		state->playing = false;
	} else if (state->sculpting) {
		snw_sculpting_leave(session);
	} else {
		state->joint = SNW_NONE;
	}
}
