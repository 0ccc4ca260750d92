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

void snw_do_help(snw_session *session, const snw_command *command) {
	session->asking = *command;
	snw_session_open_dialog(session, SNW_DIALOG_PAGES);
}

void snw_do_about(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_ABOUT);
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

/* Whether the command may have these keys; if not, says what has one of them. */
static bool are_free(snw_session *session, snw_command_id id, const char *wanted) {
	char keys[SNW_KEYS_SIZE], words[400], *cursor;
	snprintf(keys, sizeof keys, "%s", wanted);
	for (char *word = strtok_r(keys, " ", &cursor); word; word = strtok_r(NULL, " ", &cursor)) {
		const char *key = strncmp(word, "hold:", 5) == 0 ? word + 5 : word;
		if (key[0] >= '1' && key[0] <= '9' && !key[1] && snw_command_infos[id].when[0] != 's') {
			snprintf(words, sizeof words, "%s selects a method. Choose another key for \"%s\".", key, snw_command_title(id));
			snw_view_state_warn(&session->state, words);
			return false;
		}
		for (int i = 0; i < SNW_DO_COUNT; i++) {
			const char *others = session->preferences.keys[i];
			if (act_together(id, (snw_command_id)i) &&
				(snw_keys_contain(others, "", key) || snw_keys_contain(others, "hold:", key))) {
				snprintf(words, sizeof words, "%s is the key of \"%s\". Change that one first, or choose another for \"%s\".",
						 key, snw_command_title(i), snw_command_title(id));
				snw_view_state_warn(&session->state, words);
				return false;
			}
		}
	}
	return true;
}

void snw_do_bind(snw_session *session, const snw_command *command) {
	snw_preferences *preferences = &session->preferences;
	snw_command_id id;
	char keys[SNW_KEYS_SIZE];
	if (!snw_preferences_read_keys(preferences, command->text, &id, keys)) {
		snw_view_state_warn(&session->state, preferences->fault);
	} else if (are_free(session, id, keys)) {
		snw_preferences_bind(preferences, id, keys);
		if (preferences->fault[0]) {
			snw_view_state_warn(&session->state, preferences->fault);
		} else {
			snw_view_state_say(&session->state, "%s: %s", snw_command_title(id), keys[0] ? keys : "no key");
		}
	}
	preferences->fault[0] = '\0';
}

void snw_do_key_preset(snw_session *session, const snw_command *command) {
	snw_preferences *preferences = &session->preferences;
	if (!snw_preferences_use_key_preset(preferences, command->text) || preferences->fault[0]) {
		snw_view_state_warn(&session->state, preferences->fault);
	} else {
		snw_view_state_say(&session->state, "All keys are those of the preset %s.", command->text);
	}
	preferences->fault[0] = '\0';
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
