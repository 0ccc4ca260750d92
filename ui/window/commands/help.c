/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The palette, the list of keys, preferences, and the recorded script for a bug report.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "window/preferences/keys.h"
#include "window/session/session.h"

void snw_do_palette(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_PALETTE);
}

void snw_do_keys(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_KEYS);
}

void snw_do_preferences(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_PREFERENCES);
}

void snw_do_prefer(snw_session *session, const snw_command *command) {
	if (!snw_preferences_set(&session->preferences, command->text) || session->preferences.fault[0]) {
		snw_view_state_warn(&session->state, session->preferences.fault);
		session->preferences.fault[0] = '\0';
	}
}

void snw_do_panel_width(snw_session *session, const snw_command *command) {
	snw_preferences *preferences = &session->preferences;
	*(command->n[0] == 0 ? &preferences->outliner_width : &preferences->side_width) = fmin(fmax(command->n[1], 1), 4000);
}

/* Whether two commands' keys act at the same time: always, while posing, or while sculpting. */
static bool act_together(snw_command_id one, snw_command_id other) {
	const char a = snw_command_infos[one].when[0], b = snw_command_infos[other].when[0];
	return one != other && (a == b || a == 'a' || b == 'a');
}

/* Warns of a key that two commands share: only the first in the list gets it. */
static void warn_shared_key(snw_session *session, snw_command_id id) {
	char keys[SNW_KEYS_SIZE], words[400], *cursor;
	snprintf(keys, sizeof keys, "%s", session->preferences.keys[id]);
	for (char *key = strtok_r(keys, " ", &cursor); key; key = strtok_r(NULL, " ", &cursor)) {
		for (int i = 0; i < SNW_DO_COUNT; i++) {
			if (act_together(id, (snw_command_id)i) && snw_keys_contain(session->preferences.keys[i], "", key)) {
				const int first = i < (int)id ? i : (int)id;
				snprintf(words, sizeof words,
						 "%s is bound to both \"%s\" and \"%s\", and only \"%s\" gets it. Change the key of the other.", key,
						 snw_command_infos[i].title, snw_command_infos[id].title, snw_command_infos[first].title);
				snw_view_state_warn(&session->state, words);
				return;
			}
		}
	}
}

void snw_do_bind(snw_session *session, const snw_command *command) {
	snw_command_id id;
	if (!snw_preferences_bind(&session->preferences, command->text, &id) || session->preferences.fault[0]) {
		snw_view_state_warn(&session->state, session->preferences.fault);
		session->preferences.fault[0] = '\0';
	} else {
		warn_shared_key(session, id);
	}
}

void snw_do_write_script(snw_session *session, const snw_command *command) {
	(void)command;
	char path[400];
	snw_error error = {0};
	snw_file_write *file = NULL;
	int number = 0;
	do {
		snprintf(path, sizeof path, "%s-session-%d.txt", session->document->title, ++number);
	} while (snw_file_exists(path));
	snw_status status = snw_file_write_begin(path, &file, &error);
	if (!snw_failed(status)) {
		FILE *stream = snw_file_write_stream(file);
		fprintf(stream, "# sinew view PROJECT --script THIS --size %dx%d\n", session->width, session->height);
		fwrite(session->record, 1, session->record_used, stream);
		status = snw_file_write_commit(file, &error);
	}
	if (snw_failed(status)) {
		snw_view_state_warn(&session->state, error.text);
	} else {
		snw_view_state_say(&session->state, "Saved %s; 'sinew view --script' repeats it.", path);
	}
}
