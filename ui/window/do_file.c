/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on files: open, import, save, save as.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "sample/sample.h"
#include "window/errands.h"
#include "window/session.h"
#include "worker/worker.h"

typedef struct file_order {
	char path[2048];
	const char *folder; /* for projects that are made, where the file's own cannot be written */
	bool read_only;     /* the answer: it can be looked at, not changed */
} file_order;

/* ---- opening ------------------------------------------------------------------------------------------------------ */

/* The project at `path` takes the place of the one that is open. One that cannot be written is opened to be looked at. */
static snw_status switch_to(snw_desk_space *desk, const char *path, file_order *order, snw_error *error) {
	snw_project *project = NULL;
	snw_error fault = {0};
	snw_status status = snw_project_open(path, false, &project, error);
	if (status < 0 && snw_project_open(path, true, &project, &fault) >= 0) {
		status = SNW_OK;
		order->read_only = true;
	}
	if (status >= 0) {
		snw_project_close(desk->project);
		desk->project = project;
		desk->look = (snw_document_look){0};
		snprintf(desk->path, sizeof desk->path, "%s", path);
		snprintf(order->path, sizeof order->path, "%s", path);
	}
	return status;
}

/* FOLDER/stem.sinew, with a number where that is taken. */
static void free_path(const char *folder, const char *stem, char *path, size_t size) {
	snprintf(path, size, "%s/%s.sinew", folder, stem);
	for (int i = 2; snw_file_exists(path); i++) {
		snprintf(path, size, "%s/%s-%d.sinew", folder, stem, i);
	}
}

static void place_of_import(const file_order *order, char *path, size_t size) {
	char folder[2048], stem[300];
	const char *name = snw_path_name(order->path), *dot = strrchr(name, '.');
	snprintf(folder, sizeof folder, "%.*s", (int)(name - order->path), order->path);
	snprintf(stem, sizeof stem, "%.*s", dot && dot != name ? (int)(dot - name) : (int)strlen(name), name);
	if (access(folder[0] ? folder : ".", W_OK) != 0) {
		snprintf(folder, sizeof folder, "%s", order->folder);
	} else if (folder[0] && folder[1]) {
		folder[strlen(folder) - 1] = '\0'; /* the slash */
	} else if (!folder[0]) {
		snprintf(folder, sizeof folder, ".");
	}
	free_path(folder, stem, path, size);
}

static bool is_project(const char *path) {
	return strcasecmp(snw_path_extension(path), "sinew") == 0;
}

static snw_status open_file(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)errand;
	file_order *order = given;
	if (is_project(order->path)) {
		return switch_to(desk, order->path, order, error);
	}
	char path[2400];
	const snw_import_request request = {.file = order->path};
	const snw_worker_limits limits = {0};
	place_of_import(order, path, sizeof path);
	const snw_status status = snw_worker_import(&request, path, &limits, desk->task, error);
	return status < 0 || status == SNW_CANCELLED ? status : switch_to(desk, path, order, error);
}

static void opened(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const file_order *order = given;
	const bool fell = snw_preferences_opened(&session->preferences, session->document->path);
	const uint32_t changes = session->document->changes;
	snw_clerk_progress(session->clerk, &session->progress);
	if (order->read_only) {
		snw_view_state_warn(&session->state, "This project can be looked at but not changed: its file or folder is read-only. "
											 "Save as… goes on in a copy.");
	} else if (fell && changes > 0) {
		snprintf(session->recovered, sizeof session->recovered, "%u", changes);
		snw_session_open_dialog(session, SNW_DIALOG_RECOVER);
	} else if (session->progress.notice[0]) {
		snw_view_state_warn(&session->state, session->progress.notice);
	} else {
		snw_view_state_say(&session->state, "%s is open.", session->document->title);
	}
}

static void send_open(snw_session *session, const char *path) {
	snw_errand *errand = snw_errand_make("opening", sizeof(file_order));
	file_order *order = errand->order;
	char *whole = realpath(path, NULL);
	snprintf(order->path, sizeof order->path, "%s", whole ? whole : path);
	free(whole);
	order->folder = snw_arena_text(errand->arena, snw_preferences_data_folder(&session->preferences));
	errand->what = snw_arena_format(errand->arena, is_project(path) ? "opening %s" : "importing %s", snw_path_name(path));
	errand->is_long = true;
	errand->run = open_file;
	errand->done = opened;
	snw_session_send(session, errand);
}

void snw_do_open(snw_session *session, const snw_command *command) {
	if (command->text[0]) {
		send_open(session, command->text);
	} else {
		snw_session_open_dialog(session, SNW_DIALOG_OPEN);
	}
}

void snw_do_recent(snw_session *session, const snw_command *command) {
	const double at = command->n[0];
	if (at >= 0 && at < session->preferences.recent_count) {
		send_open(session, session->preferences.recent[(uint32_t)at]);
	}
}

/* A sculpt goes to the chosen example; anything else is opened. */
void snw_do_drop(snw_session *session, const snw_command *command) {
	const bool has_example = session->state.example < session->document->scene->example_count;
	if (strcasecmp(snw_path_extension(command->text), "obj") == 0 && has_example) {
		snw_emit_text(&session->queue, SNW_DO_EXAMPLE_FILE, command->text);
	} else {
		snw_emit_text(&session->queue, SNW_DO_OPEN, command->text);
	}
}

static snw_status make_sample(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)errand;
	file_order *order = given;
	char path[2400];
	snw_scene *scene = NULL;
	free_path(order->folder, "arm", path, sizeof path);
	snw_status status = snw_sample_make("arm", &scene, error);
	status = status < 0 ? status : snw_project_write(path, scene, "sample arm", error);
	snw_scene_destroy(scene);
	return status < 0 ? status : switch_to(desk, path, order, error);
}

void snw_do_sample(snw_session *session, const snw_command *command) {
	(void)command;
	snw_errand *errand = snw_errand_make("making the sample arm", sizeof(file_order));
	((file_order *)errand->order)->folder = snw_arena_text(errand->arena, snw_preferences_data_folder(&session->preferences));
	errand->run = make_sample;
	errand->done = opened;
	snw_session_send(session, errand);
}

/* ---- saving ------------------------------------------------------------------------------------------------------- */

static snw_status save(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	(void)errand, (void)order;
	return snw_project_checkpoint(desk->project, error);
}

static void saved(snw_session *session, const snw_errand *errand, void *order) {
	(void)errand, (void)order;
	snw_view_state_say(&session->state, "Saved. Every change was in the file already; this is a place to come back to.");
}

void snw_do_save(snw_session *session, const snw_command *command) {
	(void)command;
	if (!session->document->path) {
		snw_view_state_say(&session->state, "There is nothing to save yet.");
		return;
	}
	snw_errand *errand = snw_errand_make("saving", 0);
	errand->run = save;
	errand->done = saved;
	snw_session_send(session, errand);
}

static snw_status save_copy(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)errand;
	file_order *order = given;
	snw_file_write *file = NULL;
	if (strcmp(order->path, desk->path) == 0) {
		return snw_project_checkpoint(desk->project, error);
	}
	snw_status status = snw_file_write_begin(order->path, &file, error);
	if (status < 0) {
		return status;
	}
	const char *copy = snw_file_write_path(file);
	status = snw_project_copy(desk->path, copy, error);
	status = status < 0 ? status : snw_project_move(copy, order->path, error);
	snw_file_write_abandon(file); /* what has moved is not there to be removed */
	status = status < 0 ? status : switch_to(desk, order->path, order, error);
	return status < 0 ? status : snw_project_checkpoint(desk->project, error);
}

static void saved_copy(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand, (void)given;
	(void)snw_preferences_opened(&session->preferences, session->document->path);
	snw_view_state_say(&session->state, "Saved; you go on in %s.", snw_path_name(session->document->path));
}

void snw_do_save_as(snw_session *session, const snw_command *command) {
	if (!session->document->path) {
		snw_view_state_say(&session->state, "There is nothing to save yet.");
		return;
	}
	if (!command->text[0]) {
		snw_session_open_dialog(session, SNW_DIALOG_SAVE_AS);
		return;
	}
	snw_errand *errand = snw_errand_make("saving", sizeof(file_order));
	file_order *order = errand->order;
	snprintf(order->path, sizeof order->path, "%s%s", command->text, is_project(command->text) ? "" : ".sinew");
	errand->renames = true;
	errand->run = save_copy;
	errand->done = saved_copy;
	snw_session_send(session, errand);
}

void snw_do_quit(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.finished = true;
}
