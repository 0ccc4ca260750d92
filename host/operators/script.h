/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scripts of operators: a line each, its words quoted as in sh. Empty lines and those that begin with # are ignored. The lines
 * undo, redo and save move in the history.
 */
#ifndef SINEW_HOST_OPERATORS_SCRIPT_H
#define SINEW_HOST_OPERATORS_SCRIPT_H

#include "operators/operator.h"

typedef enum snw_script_step { SNW_SCRIPT_OPERATOR, SNW_SCRIPT_UNDO, SNW_SCRIPT_REDO, SNW_SCRIPT_SAVE } snw_script_step;

typedef struct snw_script_line {
	uint32_t number; /* from 1 */
	const char *text;
	snw_script_step step;
	snw_operator_call call; /* of an operator */
} snw_script_line;

typedef struct snw_operator_script {
	uint32_t count;
	const snw_script_line *lines;
} snw_operator_script;

/* Checks all lines. With `as_one` those that move in the history are refused. SNW_ERROR_ARGUMENT names the line. */
snw_status snw_operator_script_read(const char *text, bool as_one, snw_arena *arena, snw_operator_script *script,
									snw_error *error);

#endif
