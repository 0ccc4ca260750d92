/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a script.
 */
#include "window/command_table/script.h"

#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "operators/script.h"

/* How a line is spelled now whose first word is the name of a command: NULL if it is none. */
static const char *present_spelling(const char *line, snw_arena *arena) {
	const size_t length = strcspn(line, " \t\r");
	snw_command command = {0};
	snw_script_step step;
	if (!snw_command_find(line, length, &command.id) || command.id == SNW_DO_OPERATE) {
		return NULL;
	}
	const char *name = snw_command_infos[command.id].name, *words = snw_command_infos[command.id].line;
	if (!words) {
		return snw_script_is_step(name, &step) ? name : snw_arena_format(arena, "window %s", name);
	}
	const size_t noun = strcspn(words, " ");
	return snw_arena_format(arena, "%.*s", (int)(noun + 1 + strcspn(words + noun + 1, " ")), words);
}

/* A line that begins with 'window'; what belongs to operators is spelled without that word. */
static snw_status read_own(const char *text, snw_arena *arena, snw_command *command, snw_error *error) {
	char fault[400];
	if (!snw_command_parse(text, command, fault, sizeof fault)) {
		return snw_fail(error, SNW_ERROR_DATA, "%s", fault);
	}
	const char *present = present_spelling(snw_command_infos[command->id].name, arena);
	return present && strncmp(present, "window ", strlen("window ")) == 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_DATA, "'window %s' is '%s'", snw_command_infos[command->id].name,
						  present ? present : "NOUN OPERATOR");
}

static snw_status read_line(const snw_script_line *line, snw_arena *arena, snw_command *command, snw_error *error) {
	static const snw_command_id ids[] = {[SNW_SCRIPT_OPERATOR] = SNW_DO_OPERATE,
										 [SNW_SCRIPT_UNDO] = SNW_DO_UNDO,
										 [SNW_SCRIPT_REDO] = SNW_DO_REDO,
										 [SNW_SCRIPT_SAVE] = SNW_DO_SAVE};
	if (line->step == SNW_SCRIPT_WINDOW) {
		return read_own(line->text, arena, command, error);
	}
	*command = (snw_command){.id = ids[line->step], .call = line->step == SNW_SCRIPT_OPERATOR ? &line->call : NULL};
	return SNW_OK;
}

/* What is wrong with a line that is no operator's: it may be spelled as in earlier builds. */
static snw_status refuse(const char *name, const snw_operator_script *read, const snw_error *fault, snw_arena *arena,
						 snw_error *error) {
	const snw_script_line *last = &read->lines[read->count - 1];
	const char *present = last->call.row ? NULL : present_spelling(last->text, arena);
	return !present ? snw_fail(error, SNW_ERROR_DATA, "%s, %s", name, fault->text)
					: snw_fail(error, SNW_ERROR_DATA, "%s, line %u: '%.*s' is now '%s'", name, last->number,
							   (int)strcspn(last->text, " \t\r"), last->text, present);
}

snw_status snw_script_read(const char *path, snw_arena *arena, snw_script *script, snw_error *error) {
	snw_bytes bytes;
	snw_operator_script read;
	snw_error fault;
	snw_status status = snw_file_read(path, arena, &bytes, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *text = snw_arena_format(arena, "%.*s", (int)bytes.count, (const char *)bytes.data);
	*script = (snw_script){.name = snw_path_name(path)};
	if (snw_failed(snw_operator_script_read(text, SNW_SCRIPT_IN_WINDOW, arena, &read, &fault))) {
		return refuse(script->name, &read, &fault, arena, error);
	}
	snw_command *commands = SNW_NEW_ARRAY(arena, snw_command, (size_t)read.count + 1);
	uint32_t *lines = SNW_NEW_ARRAY(arena, uint32_t, (size_t)read.count + 1);
	for (uint32_t i = 0; i < read.count && !snw_failed(status); i++) {
		status = read_line(&read.lines[i], arena, &commands[i], &fault);
		lines[i] = read.lines[i].number;
		if (snw_failed(status)) {
			return snw_fail(error, status, "%s, line %u: %s", script->name, lines[i], fault.text);
		}
	}
	*script = (snw_script){.name = script->name, .count = read.count, .commands = commands, .lines = lines};
	return SNW_OK;
}
