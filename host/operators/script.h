/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scripts of operators: a line each, its words quoted as in sh. Empty lines and those that begin with # are ignored. The lines
 * undo, redo and save move in the history. Lines that begin with 'window' are for 'sinew view --script' alone.
 */
#ifndef SINEW_HOST_OPERATORS_SCRIPT_H
#define SINEW_HOST_OPERATORS_SCRIPT_H

#include "operators/operator.h"

typedef enum snw_script_step {
	SNW_SCRIPT_OPERATOR,
	SNW_SCRIPT_UNDO,
	SNW_SCRIPT_REDO,
	SNW_SCRIPT_SAVE,
	SNW_SCRIPT_WINDOW,
} snw_script_step;

enum {
	SNW_SCRIPT_AS_ONE = 1 << 0,    /* lines that move in the history are refused */
	SNW_SCRIPT_IN_WINDOW = 1 << 1, /* lines of the window are taken, and what is chosen completes operators */
};

typedef struct snw_script_line {
	uint32_t number;  /* from 1 */
	const char *text; /* of a line of the window: after that word */
	snw_script_step step;
	snw_operator_call call; /* of an operator */
} snw_script_line;

typedef struct snw_operator_script {
	uint32_t count;
	const snw_script_line *lines;
} snw_operator_script;

/* Checks all lines. SNW_ERROR_ARGUMENT names the line that is refused, which is then the last one of the script. */
snw_status snw_operator_script_read(const char *text, uint32_t flags, snw_arena *arena, snw_operator_script *script,
									snw_error *error);
/* Whether the word, which blanks may follow, is one that moves in the history. */
bool snw_script_is_step(const char *word, snw_script_step *step);

#endif
