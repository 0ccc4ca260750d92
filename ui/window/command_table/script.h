/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded list of commands to be replayed: for tests, bug reports and the pictures of the documentation. A line is that of
 * an operator (operators/script.h) or, after the word 'window', a command of the window's own (command.h). Each waits until the
 * previous one is done.
 */
#ifndef SINEW_UI_WINDOW_COMMAND_TABLE_SCRIPT_H
#define SINEW_UI_WINDOW_COMMAND_TABLE_SCRIPT_H

#include "base/arena.h"
#include "base/error.h"
#include "window/command_table/command.h"

typedef struct snw_script {
	const char *name;
	uint32_t count, next;
	const snw_command *commands;
	const uint32_t *lines; /* their line numbers in the file */
} snw_script;

/* The whole script is checked first. SNW_ERROR_DATA names the line. */
snw_status snw_script_read(const char *path, snw_arena *arena, snw_script *script, snw_error *error);

#endif
