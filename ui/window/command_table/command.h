/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command table: everything that can be done in the window, in one place. Menu, keys, palette, help, scripts and traces
 * are generated from it. Panels and the mouse queue commands, and only commands change anything.
 *
 * As text a command is its name, its numbers, and a text up to the end of the line: "rotate 0 0 90 elbow".
 */
#ifndef SINEW_UI_WINDOW_COMMAND_TABLE_COMMAND_H
#define SINEW_UI_WINDOW_COMMAND_TABLE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/command_table/choices.h"

enum { SNW_COMMAND_NUMBERS = 5, SNW_COMMAND_WORDS = 2000, SNW_QUEUE_MOST = 128 };

/* ROW(id, handler, name, form, when, keys, menu, title, help): what the window does itself.
 * DO(id, line, name, form, when, keys, menu, title): an operator (operators/operator.h) with some of its values.
 *
 * form   a letter for each value: n a number, t a text; capital if it may be omitted
 * when   its keys act: a always, p while posing, s while sculpting; it changes: v the view alone; e the project, so that it
 * waits for
 *        changes in progress
 * keys   the default keys, separated by spaces. A key that acts until it is released: "hold:B"
 * menu   its menu; "" for commands of the mouse and of scripts; a leading '-' draws a line above it
 * title  in menus; NULL: the operator's
 * line   NOUN OPERATOR and values: $1 to $5 are the command's numbers, $t is its text. What the row of the operator calls
 * chosen is added
 *        (operate.c) */
#define SNW_COMMANDS(ROW, DO)                                                                                                  \
	SNW_COMMANDS_FILE(ROW, DO)                                                                                                 \
	SNW_COMMANDS_EDIT(ROW, DO)                                                                                                 \
	SNW_COMMANDS_POSE(ROW, DO)                                                                                                 \
	SNW_COMMANDS_SCULPT(ROW, DO)                                                                                               \
	SNW_COMMANDS_EXAMPLE(ROW, DO)                                                                                              \
	SNW_COMMANDS_GROUP(ROW, DO)                                                                                                \
	SNW_COMMANDS_STACK(ROW, DO)                                                                                                \
	SNW_COMMANDS_TIME(ROW, DO)                                                                                                 \
	SNW_COMMANDS_VIEW(ROW, DO)                                                                                                 \
	SNW_COMMANDS_HELP(ROW, DO)

#include "window/command_table/rows.h"

#define SNW_COMMAND_ID(id, ...) SNW_DO_##id,
typedef enum snw_command_id { SNW_COMMANDS(SNW_COMMAND_ID, SNW_COMMAND_ID) SNW_DO_COUNT } snw_command_id;
#undef SNW_COMMAND_ID

typedef struct snw_command {
	snw_command_id id;
	double n[SNW_COMMAND_NUMBERS];
	char text[SNW_COMMAND_WORDS];
	bool waits, has_lost; /* has_lost: what was chosen when it was given has been deleted, at least in part */
	snw_choices kept;     /* while it waits: what was chosen when it was given */
} snw_command;

struct snw_session;
typedef void snw_command_handler(struct snw_session *session, const snw_command *command);

/* The handlers, in files by subject: snw_do_…. */
#define SNW_COMMAND_HANDLER(id, handler, ...) void snw_do_##handler(struct snw_session *session, const snw_command *command);
#define SNW_NO_HANDLER(...)
SNW_COMMANDS(SNW_COMMAND_HANDLER, SNW_NO_HANDLER)
#undef SNW_NO_HANDLER
#undef SNW_COMMAND_HANDLER
/* Runs the operator of a command's row. */
snw_command_handler snw_do_operator;

typedef struct snw_command_info {
	snw_command_handler *apply;
	const char *line; /* of an operator; NULL for a command of the window's own */
	const char *name, *form, *when, *keys, *menu, *title, *help;
} snw_command_info;
extern const snw_command_info snw_command_infos[SNW_DO_COUNT];
/* The row's own, or the operator's. */
const char *snw_command_title(snw_command_id id);
const char *snw_command_help(snw_command_id id);

static inline bool snw_command_edits(snw_command_id id) {
	return snw_command_infos[id].when[1] == 'e';
}
/* Whether it can run without values: from a menu, a key, the palette. */
bool snw_command_is_plain(snw_command_id id);

/* Parses one line of a script. False, with a message in `fault`, if it is invalid. */
bool snw_command_parse(const char *line, snw_command *command, char *fault, size_t fault_size);
/* Formats it as such a line. */
void snw_command_write(const snw_command *command, char *line, size_t size);

/* Commands to run, in order. If the queue is full, further commands are dropped. */
typedef struct snw_command_queue {
	uint32_t count;
	snw_command commands[SNW_QUEUE_MOST];
} snw_command_queue;
void snw_queue_add(snw_command_queue *queue, const snw_command *command);
/* Before the command at the index; false if the queue is full. */
bool snw_queue_insert(snw_command_queue *queue, uint32_t index, const snw_command *command);
void snw_queue_take(snw_command_queue *queue, uint32_t index, snw_command *command);
/* Drops commands that stand between two others of their kind, until no more than `most` are left or none stands so: first those
 * that change the path through their first three numbers least. */
void snw_queue_thin(snw_command_queue *queue, snw_command_id id, uint32_t most);

/* Adds a command to a queue, from its parts. */
void snw_emit(snw_command_queue *queue, snw_command_id id);
void snw_emit_number(snw_command_queue *queue, snw_command_id id, double a);
void snw_emit_numbers(snw_command_queue *queue, snw_command_id id, double a, double b);
void snw_emit_text(snw_command_queue *queue, snw_command_id id, const char *text);
void snw_emit_with(snw_command_queue *queue, snw_command_id id, const double *numbers, uint32_t count, const char *text);

#endif
