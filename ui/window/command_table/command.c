/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table, commands as text, and the queue.
 */
#include "window/command_table/command.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "operators/operator.h"

/* ---- command ------------------------------------------------------------------------------------------------------------- */

#define INFO(id, handler, name, form, when, keys, menu, title, help)                                                           \
	{snw_do_##handler, NULL, name, form, when, keys, menu, title, help},
#define OPERATOR(id, line, name, form, when, keys, menu, title)                                                                \
	{snw_do_operator, line, name, form, when, keys, menu, title, NULL},
#define COMPLETED(id, handler, line, name, form, when, keys, menu, title, help)                                                \
	{snw_do_##handler, line, name, form, when, keys, menu, title, help},
const snw_command_info snw_command_infos[SNW_DO_COUNT] = {SNW_COMMANDS(INFO, OPERATOR, COMPLETED)};
#undef COMPLETED
#undef OPERATOR
#undef INFO

/* The operator that a row names. */
static const snw_operator *operator_of(const snw_command_info *info) {
	char noun[40], name[40];
	const int found = info->line ? sscanf(info->line, "%39s %39s", noun, name) : 0;
	return found == 2 ? snw_operator_find(snw_operator_noun_find(noun), name) : NULL;
}

_Static_assert((int)SNW_DO_BRUSH_BLUR - (int)SNW_DO_BRUSH_GRAB + 1 == (int)SNW_BRUSH_COUNT, "a row for each brush");

const snw_brush_info *snw_command_brush(snw_command_id id) {
	const bool is_brush = id >= SNW_DO_BRUSH_GRAB && id <= SNW_DO_BRUSH_BLUR;
	return is_brush ? &snw_brush_infos[id - SNW_DO_BRUSH_GRAB] : NULL;
}

const char *snw_command_title(snw_command_id id) {
	const snw_command_info *info = &snw_command_infos[id];
	const snw_brush_info *brush = snw_command_brush(id);
	return info->title ? info->title : brush ? brush->label : operator_of(info)->title;
}

const char *snw_command_help(snw_command_id id) {
	const snw_command_info *info = &snw_command_infos[id];
	const snw_brush_info *brush = snw_command_brush(id);
	return info->help ? info->help : brush ? brush->help : operator_of(info)->help;
}

bool snw_command_is_plain(snw_command_id id) {
	for (const char *form = snw_command_infos[id].form; *form; form++) {
		if (islower((unsigned char)*form)) {
			return false;
		}
	}
	return true;
}

/* Whether a dialog asks for its text: as in other programs, its title then ends with an ellipsis. */
static bool command_asks(const snw_command *command) {
	static const char ellipsis[] = "…";
	const char *title = snw_command_title(command->id);
	const size_t length = strlen(title);
	return !command->text[0] && length >= strlen(ellipsis) && strcmp(title + length - strlen(ellipsis), ellipsis) == 0;
}

/* ---- what it does -------------------------------------------------------------------------------------------------------- */

const snw_operator *snw_command_operator(const snw_command *command) {
	return command->call ? command->call->row : operator_of(&snw_command_infos[command->id]);
}

/* Whether the row of an operator calls for the pose that is shown. */
static bool takes_pose(const snw_operator *row) {
	bool takes = row->flags & SNW_OPERATOR_SHOWN;
	for (const snw_argument *argument = row->arguments; argument->name; argument++) {
		takes = takes || (argument->flags & SNW_ARGUMENT_CHOSEN && argument->noun == SNW_NOUN_POSE);
	}
	return takes;
}

bool snw_command_has(const snw_command *command, snw_command_flag flag) {
	const snw_operator *row = flag == SNW_COMMAND_TAKES_POSE ? snw_command_operator(command) : NULL;
	return strchr(snw_command_infos[command->id].when + 2, (int)flag) || (row && takes_pose(row));
}

snw_noun snw_command_place(const snw_command *command) {
	const char *line = snw_command_infos[command->id].line;
	const snw_operator *row = snw_command_operator(command);
	return line && strstr(line, "--to=$1") && row ? row->arguments[0].noun : SNW_NOUN_COUNT;
}

bool snw_command_continues(snw_command_id last, snw_command_id id) {
	const snw_command_info *info = &snw_command_infos[last];
	return strchr(info->when + 2, SNW_COMMAND_DRAGS) &&
		   (id == last || strcmp(info->name + strlen("try-"), snw_command_infos[id].name) == 0);
}

/* ---- as text ------------------------------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *text) {
	return text + strspn(text, " \t");
}

/* By its name, which has this length. */
static bool command_find(const char *name, size_t length, snw_command_id *id) {
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		if (strlen(snw_command_infos[i].name) == length && strncmp(snw_command_infos[i].name, name, length) == 0) {
			*id = (snw_command_id)i;
			return true;
		}
	}
	return false;
}

/* Parses a line of a script, without the word 'window'. False, with a message in `fault`, if it is invalid. */
static bool command_parse(const char *line, snw_command *command, char *fault, size_t fault_size) {
	line = skip_blanks(line);
	const size_t length = strcspn(line, " \t\r\n");
	*command = (snw_command){0};
	if (!command_find(line, length, &command->id)) {
		snprintf(fault, fault_size, "there is no command 'window %.*s'", (int)length, line);
		return false;
	}
	const snw_command_info *info = &snw_command_infos[command->id];
	const char *at = line + length;
	int numbers = 0;
	for (const char *form = info->form; *form; form++) {
		at = skip_blanks(at);
		const bool needed = islower((unsigned char)*form), has_text = at[strcspn(at, "\r\n")] != *at && *at;
		if (tolower((unsigned char)*form) == 'n') {
			char *end;
			const double value = strtod(at, &end);
			if (end == at && needed) {
				snprintf(fault, fault_size, "%s: a number is missing (%s)", info->name, snw_command_help(command->id));
				return false;
			}
			if (!isfinite(value)) {
				snprintf(fault, fault_size, "%s: %.*s is no number to work with", info->name, (int)(end - at), at);
				return false;
			}
			command->n[numbers++] = value;
			at = end;
		} else if (needed && !has_text) {
			snprintf(fault, fault_size, "%s: its text is missing (%s)", info->name, snw_command_help(command->id));
			return false;
		} else {
			snprintf(command->text, sizeof command->text, "%.*s", (int)strcspn(at, "\r\n"), at);
			at += strlen(at);
		}
	}
	return true;
}

void snw_command_write_number(double value, char *text, size_t size) {
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, value);
		if (strtod(text, NULL) == value) {
			break;
		}
	}
}

void snw_command_write(const snw_command *command, char *line, size_t size) {
	if (command->call) {
		snw_arena *scratch = snw_arena_create();
		snprintf(line, size, "%s", snw_operator_line(command->call, scratch));
		snw_arena_destroy(scratch);
		return;
	}
	const snw_command_info *info = &snw_command_infos[command->id];
	int used = snprintf(line, size, "%s", info->name), numbers = 0;
	for (const char *form = info->form; *form && used > 0 && (size_t)used < size; form++) {
		if (tolower((unsigned char)*form) == 'n') {
			char number[40];
			snw_command_write_number(command->n[numbers++], number, sizeof number);
			used += snprintf(line + used, size - (size_t)used, " %s", number);
		} else if (command->text[0]) {
			used += snprintf(line + used, size - (size_t)used, " %s", command->text);
		}
	}
}

/* ---- the queue ----------------------------------------------------------------------------------------------------------- */

void snw_queue_add(snw_command_queue *queue, const snw_command *command) {
	if (queue->count < SNW_QUEUE_MOST) {
		queue->commands[queue->count++] = *command;
	}
}

bool snw_queue_insert(snw_command_queue *queue, uint32_t index, const snw_command *command) {
	if (queue->count == SNW_QUEUE_MOST) {
		return false;
	}
	memmove(queue->commands + index + 1, queue->commands + index, (queue->count - index) * sizeof *queue->commands);
	queue->commands[index] = *command;
	queue->count++;
	return true;
}

void snw_queue_take(snw_command_queue *queue, uint32_t index, snw_command *command) {
	*command = queue->commands[index];
	queue->count--;
	memmove(queue->commands + index, queue->commands + index + 1, (queue->count - index) * sizeof *queue->commands);
}

uint32_t snw_queue_asking(const snw_command_queue *queue) {
	uint32_t i = 0;
	while (i < queue->count && !command_asks(&queue->commands[i])) {
		i++;
	}
	return i;
}

static double distance(const snw_command *a, const snw_command *b) {
	return hypot(hypot(a->n[0] - b->n[0], a->n[1] - b->n[1]), a->n[2] - b->n[2]);
}

/* The index of the command that is the shortest detour between its neighbours, all of this kind; the count if there is none. */
static uint32_t least_detour(const snw_command_queue *queue, snw_command_id id) {
	const snw_command *at = queue->commands;
	double least = (double)INFINITY;
	uint32_t found = queue->count;
	for (uint32_t i = 1; i + 1 < queue->count; i++) {
		if (at[i - 1].id == id && at[i].id == id && at[i + 1].id == id) {
			const double detour =
				distance(&at[i - 1], &at[i]) + distance(&at[i], &at[i + 1]) - distance(&at[i - 1], &at[i + 1]);
			found = detour < least ? i : found;
			least = fmin(detour, least);
		}
	}
	return found;
}

void snw_queue_thin(snw_command_queue *queue, snw_command_id id, uint32_t most) {
	snw_command dropped;
	for (uint32_t i = 0; queue->count > most && (i = least_detour(queue, id)) < queue->count;) {
		snw_queue_take(queue, i, &dropped);
	}
}

void snw_emit_with(snw_command_queue *queue, snw_command_id id, const double *numbers, uint32_t count, const char *text) {
	snw_command command = {.id = id};
	for (uint32_t i = 0; i < count && i < SNW_COMMAND_NUMBERS; i++) {
		command.n[i] = numbers[i];
	}
	snprintf(command.text, sizeof command.text, "%s", text ? text : "");
	snw_queue_add(queue, &command);
}

void snw_emit(snw_command_queue *queue, snw_command_id id) {
	snw_emit_with(queue, id, NULL, 0, NULL);
}

void snw_emit_number(snw_command_queue *queue, snw_command_id id, double a) {
	snw_emit_with(queue, id, &a, 1, NULL);
}

void snw_emit_numbers(snw_command_queue *queue, snw_command_id id, double a, double b) {
	snw_emit_with(queue, id, (const double[]){a, b}, 2, NULL);
}

void snw_emit_text(snw_command_queue *queue, snw_command_id id, const char *text) {
	snw_emit_with(queue, id, NULL, 0, text);
}

/* ---- script -------------------------------------------------------------------------------------------------------------- */

/* Reads a script. */

/* A line that begins with 'window'; what belongs to operators is spelled without that word. */
static snw_status read_own(const char *text, snw_command *command, snw_error *error) {
	char fault[400];
	snw_script_step step;
	if (!command_parse(text, command, fault, sizeof fault)) {
		return snw_fail(error, SNW_ERROR_DATA, "%s", fault);
	}
	const snw_command_info *info = &snw_command_infos[command->id];
	const char *line = command->id == SNW_DO_OPERATE           ? "NOUN OPERATOR"
					   : snw_script_is_step(info->name, &step) ? info->name
															   : info->line;
	if (!line) {
		return SNW_OK;
	}
	const size_t noun = strcspn(line, " "), name = line[noun] ? 1 + strcspn(line + noun + 1, " ") : 0;
	return snw_fail(error, SNW_ERROR_DATA, "'window %s' is '%.*s'", info->name, (int)(noun + name), line);
}

static snw_status read_line(const snw_script_line *line, snw_command *command, snw_error *error) {
	static const snw_command_id ids[] = {[SNW_SCRIPT_OPERATOR] = SNW_DO_OPERATE,
										 [SNW_SCRIPT_UNDO] = SNW_DO_UNDO,
										 [SNW_SCRIPT_REDO] = SNW_DO_REDO,
										 [SNW_SCRIPT_SAVE] = SNW_DO_SAVE};
	if (line->step == SNW_SCRIPT_WINDOW) {
		return read_own(line->text, command, error);
	}
	*command = (snw_command){.id = ids[line->step], .call = line->step == SNW_SCRIPT_OPERATOR ? &line->call : NULL};
	return SNW_OK;
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
		return snw_fail(error, SNW_ERROR_DATA, "%s, %s", script->name, fault.text);
	}
	snw_command *commands = SNW_NEW_ARRAY(arena, snw_command, (size_t)read.count + 1);
	uint32_t *lines = SNW_NEW_ARRAY(arena, uint32_t, (size_t)read.count + 1);
	for (uint32_t i = 0; i < read.count && !snw_failed(status); i++) {
		status = read_line(&read.lines[i], &commands[i], &fault);
		lines[i] = read.lines[i].number;
		if (snw_failed(status)) {
			return snw_fail(error, status, "%s, line %u: %s", script->name, lines[i], fault.text);
		}
	}
	*script = (snw_script){.name = script->name, .count = read.count, .commands = commands, .lines = lines};
	return SNW_OK;
}
