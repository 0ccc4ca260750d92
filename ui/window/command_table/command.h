/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command table: everything that can be done in the window, in one place. Menu, keys, palette, help, scripts and traces
 * are generated from it. Panels and the mouse queue commands, and only commands change anything.
 *
 * A script has two kinds of lines. What changes the project is an operator's (operators/operator.h), with the names of what it
 * is for. What is the window's own begins with 'window': its name, its numbers, and a text up to the end of the line:
 * "window stroke 0.5 0.5 1".
 */
#ifndef SINEW_UI_WINDOW_COMMAND_TABLE_COMMAND_H
#define SINEW_UI_WINDOW_COMMAND_TABLE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "operators/operator.h"
#include "render/view/view.h"
#include "sculpt/brush.h"
#include "window/command_table/rows.h"

/* ---- choices ------------------------------------------------------------------------------------------------------------- */

/* What is chosen in the window, for commands that act on it. A command that waits keeps what was chosen when it was given,
 * whatever is chosen later: by another command, or because a job has made something. */

/* Each kind of choice has an index in the scene of the document; SNW_NONE for none. */
typedef enum snw_choice {
	SNW_CHOICE_MESH = 0,
	SNW_CHOICE_JOINT,
	SNW_CHOICE_EXAMPLE,
	SNW_CHOICE_GROUP,
	SNW_CHOICE_LAYER,
	SNW_CHOICE_COUNT
} snw_choice;

typedef struct snw_choices {
	uint32_t at[SNW_CHOICE_COUNT];
	int64_t sculpt_layer; /* the id of the chosen one */
} snw_choices;

/* ---- command ------------------------------------------------------------------------------------------------------------- */

enum { SNW_COMMAND_NUMBERS = 5, SNW_COMMAND_WORDS = 2000, SNW_QUEUE_MOST = 128 };

/* ROW(id, handler, name, form, when, keys, menu, title, help): what the window does itself.
 * DO(id, line, name, form, when, keys, menu, title): an operator (operators/operator.h) with some of its values.
 * BY(id, handler, line, name, form, when, keys, menu, title, help): an operator whose values the handler finds.
 *
 * form   a letter for each value: n a number, t a text; capital if it may be omitted
 * when   its keys act: a always, p while posing, s while sculpting; it changes: v the view alone; e the project, so that it
 *        waits for changes in progress. Letters after these: snw_command_flag
 * keys   the default keys, separated by spaces. A key that acts until it is released: "hold:B"
 * menu   its menu; "" for commands of the mouse and of scripts; a leading '-' draws a line above it
 * title  in menus; NULL: the operator's, or the brush's
 * line   NOUN OPERATOR and values: $1 to $5 are the command's numbers, $t is its text. What the row of the operator calls
 *        chosen is added (operate.c). Of BY: NOUN OPERATOR */
#define SNW_COMMANDS(ROW, DO, BY)                                                                                              \
	SNW_COMMANDS_FILE(ROW, DO, BY)                                                                                             \
	SNW_COMMANDS_EDIT(ROW, DO, BY)                                                                                             \
	SNW_COMMANDS_POSE(ROW, DO, BY)                                                                                             \
	SNW_COMMANDS_SCULPT(ROW, DO, BY)                                                                                           \
	SNW_COMMANDS_BRUSH(ROW, DO, BY)                                                                                            \
	SNW_COMMANDS_EXAMPLE(ROW, DO, BY)                                                                                          \
	SNW_COMMANDS_GROUP(ROW, DO, BY)                                                                                            \
	SNW_COMMANDS_STACK(ROW, DO, BY)                                                                                            \
	SNW_COMMANDS_TIME(ROW, DO, BY)                                                                                             \
	SNW_COMMANDS_VIEW(ROW, DO, BY)                                                                                             \
	SNW_COMMANDS_HELP(ROW, DO, BY)

/* What others wait for, and what a script and the message line keep of it. */
typedef enum snw_command_flag {
	SNW_COMMAND_STROKES = 's',            /* it needs the sculpt */
	SNW_COMMAND_TAKES_MESHES = 'm',       /* after it other meshes are sculpted */
	SNW_COMMAND_RESTORES = 'r',           /* it undoes or redoes */
	SNW_COMMAND_TAKES_POSE = 't',         /* it changes the pose that is shown, or stores it or its skin */
	SNW_COMMAND_LEAVES_POSE = 'l',        /* it shows another pose, or another moment of a clip */
	SNW_COMMAND_CHOOSES = 'c',            /* it chooses something, for itself or for what follows */
	SNW_COMMAND_DRAGS = 'd',              /* one of many in a drag, which it or the command without "try-" ends */
	SNW_COMMAND_QUIET = 'q',              /* it prints no message and leaves the last one */
	SNW_COMMAND_TAKES_SCULPT_LAYER = 'y', /* it changes the active sculpt layer */
	SNW_COMMAND_OPERATES = 'o',           /* it records what it has changed as lines of its own */
} snw_command_flag;

#define SNW_COMMAND_ID(id, ...) SNW_DO_##id,
typedef enum snw_command_id { SNW_COMMANDS(SNW_COMMAND_ID, SNW_COMMAND_ID, SNW_COMMAND_ID) SNW_DO_COUNT } snw_command_id;
#undef SNW_COMMAND_ID

typedef struct snw_command {
	snw_command_id id;
	double n[SNW_COMMAND_NUMBERS];
	char text[SNW_COMMAND_WORDS];
	const snw_operator_call *call; /* of an operator in a script, whose arena it is in; else NULL */
	bool waits, has_lost;          /* has_lost: what was chosen when it was given has been deleted, at least in part */
	snw_choices kept;              /* while it waits: what was chosen when it was given */
	/* Of a command with a drawing in its text that waits: the view that it was drawn in. */
	bool has_view;
	snw_camera camera;
	double aspect;
} snw_command;

struct snw_session;
typedef void snw_command_handler(struct snw_session *session, const snw_command *command);

/* The handlers, in files by subject: snw_do_…. */
#define SNW_COMMAND_HANDLER(id, handler, ...) void snw_do_##handler(struct snw_session *session, const snw_command *command);
#define SNW_NO_HANDLER(...)
SNW_COMMANDS(SNW_COMMAND_HANDLER, SNW_NO_HANDLER, SNW_COMMAND_HANDLER)
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
/* The brush whose row it is; NULL for every other command. */
const snw_brush_info *snw_command_brush(snw_command_id id);
/* The row's own, or the operator's or the brush's. */
const char *snw_command_title(snw_command_id id);
const char *snw_command_help(snw_command_id id);

static inline bool snw_command_edits(snw_command_id id) {
	return snw_command_infos[id].when[1] == 'e';
}
/* Whether it can run without values: from a menu, a key, the palette. */
bool snw_command_is_plain(snw_command_id id);

/* The operator that it runs; NULL for a command of the window's own. */
const snw_operator *snw_command_operator(const snw_command *command);
/* By the table, or because of what its operator takes. */
bool snw_command_has(const snw_command *command, snw_command_flag flag);
/* Whether a command goes on with the drag of the one before it. */
bool snw_command_continues(snw_command_id last, snw_command_id id);
/* Whose place in their list its first number is; SNW_NOUN_COUNT: it is no place. */
snw_noun snw_command_place(const snw_command *command);

/* As few digits as reproduce the number exactly, so that a script repeats a session to the last bit. */
void snw_command_write_number(double value, char *text, size_t size);
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
/* The first command that will open a dialog, once what it waits for is done; the count if there is none. */
uint32_t snw_queue_asking(const snw_command_queue *queue);
/* Drops commands that stand between two others of their kind, until no more than `most` are left or none stands so: first those
 * that change the path through their first three numbers least. */
void snw_queue_thin(snw_command_queue *queue, snw_command_id id, uint32_t most);

/* Adds a command to a queue, from its parts. */
void snw_emit(snw_command_queue *queue, snw_command_id id);
void snw_emit_number(snw_command_queue *queue, snw_command_id id, double a);
void snw_emit_numbers(snw_command_queue *queue, snw_command_id id, double a, double b);
void snw_emit_text(snw_command_queue *queue, snw_command_id id, const char *text);
void snw_emit_with(snw_command_queue *queue, snw_command_id id, const double *numbers, uint32_t count, const char *text);

/* ---- script -------------------------------------------------------------------------------------------------------------- */

/* A recorded list of commands to be replayed: for tests, bug reports and the pictures of the documentation. A line is that
 * of an operator (operators/operator.h) or, after the word 'window', a command of the window's own (command.h). Each waits
 * until the previous one is done. */

typedef struct snw_script {
	const char *name;
	uint32_t count, next;
	const snw_command *commands;
	const uint32_t *lines; /* their line numbers in the file */
} snw_script;

/* The whole script is checked first. SNW_ERROR_DATA names the line. */
snw_status snw_script_read(const char *path, snw_arena *arena, snw_script *script, snw_error *error);

#endif
