/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/script.h"

#include <string.h>

/* The step of a line that is one word. */
static bool read_history_step(const char *line, snw_script_step *step) {
	static const char *const words[] = {[SNW_SCRIPT_UNDO] = "undo", [SNW_SCRIPT_REDO] = "redo", [SNW_SCRIPT_SAVE] = "save"};
	for (snw_script_step s = SNW_SCRIPT_UNDO; s <= SNW_SCRIPT_SAVE; s++) {
		const size_t length = strlen(words[s]);
		if (strncmp(line, words[s], length) == 0 && line[length + strspn(line + length, " \t\r")] == '\0') {
			*step = s;
			return true;
		}
	}
	return false;
}

static snw_status read_line(snw_script_line *line, bool as_one, snw_arena *arena, snw_error *error) {
	snw_error fault;
	if (strncmp(line->text, "window", 6) == 0 && strchr(" \t\r", line->text[6])) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "line %u: lines of the window need one; 'sinew view --script' runs them",
						line->number);
	}
	if (read_history_step(line->text, &line->step)) {
		return !as_one ? SNW_OK
					   : snw_fail(error, SNW_ERROR_ARGUMENT, "line %u: %s cannot be a part of one step; leave out --as-one",
								  line->number, line->text);
	}
	const snw_status status = snw_operator_parse_line(line->text, arena, &line->call, &fault);
	return snw_failed(status) ? snw_fail(error, status, "line %u: %s", line->number, fault.text) : SNW_OK;
}

snw_status snw_operator_script_read(const char *text, bool as_one, snw_arena *arena, snw_operator_script *script,
									snw_error *error) {
	uint32_t number = 0, room = 0, count = 0;
	snw_script_line *lines = NULL;
	char *rest = snw_arena_text(arena, text), *line;
	while ((line = strsep(&rest, "\n")) != NULL) {
		number++;
		line += strspn(line, " \t\r");
		if (!*line || *line == '#') {
			continue;
		}
		lines = snw_arena_grow(arena, lines, count, &room, sizeof *lines);
		lines[count] = (snw_script_line){.number = number, .text = line};
		const snw_status status = read_line(&lines[count++], as_one, arena, error);
		if (snw_failed(status)) {
			return status;
		}
	}
	*script = (snw_operator_script){count, lines};
	return SNW_OK;
}
