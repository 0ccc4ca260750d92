/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/script.h"

#include <string.h>

#include "base/error.h"

static const char *const own_words[] = {[SNW_SCRIPT_UNDO] = "undo", [SNW_SCRIPT_REDO] = "redo", [SNW_SCRIPT_SAVE] = "save"};

bool snw_script_is_step(const char *word, snw_script_step *step) {
	for (snw_script_step s = SNW_SCRIPT_UNDO; s <= SNW_SCRIPT_SAVE; s++) {
		const size_t length = strlen(own_words[s]);
		if (strncmp(word, own_words[s], length) == 0 && word[length + strspn(word + length, " \t\r")] == '\0') {
			*step = s;
			return true;
		}
	}
	return false;
}

/* If a later line fails, all is taken back. */
static snw_status expect_taken_back(const snw_operator_call *call, snw_arena *arena, snw_error *error) {
	for (uint32_t i = 0; i < call->count; i++) {
		const snw_argument *argument = &call->row->arguments[call->given[i].argument];
		if (argument->flags & SNW_ARGUMENT_LASTS) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"'%s' writes '%s', which could not be taken back with the other lines; leave out --as-one",
							snw_operator_name(call->noun, call->row, arena), snw_text_short(call->given[i].text, arena));
		}
	}
	return SNW_OK;
}

static snw_status read_line(snw_script_line *line, uint32_t flags, snw_arena *arena, snw_error *error) {
	if (strncmp(line->text, "window", 6) == 0 && strchr(" \t\r", line->text[6])) {
		line->step = SNW_SCRIPT_WINDOW;
		line->text += 6;
		return flags & SNW_SCRIPT_IN_WINDOW
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_ARGUMENT, "lines of the window need one; 'sinew view --script' runs them");
	}
	if (snw_script_is_step(line->text, &line->step)) {
		return !(flags & SNW_SCRIPT_AS_ONE)
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s cannot be a part of one step; leave out --as-one",
							  own_words[line->step]);
	}
	snw_status status = snw_operator_parse_line(line->text, arena, &line->call, error);
	status = snw_failed(status) || !(flags & SNW_SCRIPT_AS_ONE) ? status : expect_taken_back(&line->call, arena, error);
	return snw_failed(status) || flags & SNW_SCRIPT_IN_WINDOW ? status
															  : snw_operator_expect_complete(&line->call, arena, error);
}

snw_status snw_operator_script_read(const char *text, uint32_t flags, snw_arena *arena, snw_operator_script *script,
									snw_error *error) {
	uint32_t number = 0, room = 0, count = 0;
	snw_script_line *lines = NULL;
	snw_status status = SNW_OK;
	snw_error fault;
	char *rest = snw_arena_text(arena, text), *line;
	while (!snw_failed(status) && (line = strsep(&rest, "\n")) != NULL) {
		number++;
		line += strspn(line, " \t\r");
		if (*line && *line != '#') {
			lines = snw_arena_grow(arena, lines, count, &room, sizeof *lines);
			lines[count] = (snw_script_line){.number = number, .text = line};
			status = read_line(&lines[count++], flags, arena, &fault);
		}
	}
	*script = (snw_operator_script){count, lines};
	return snw_failed(status) ? snw_fail(error, status, "line %u: %s", number, fault.text) : SNW_OK;
}
