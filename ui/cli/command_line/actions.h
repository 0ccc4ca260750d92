/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verbs that show something, such as "sinew example P.sinew layers EXAMPLE". Each has a table of actions: the second argument
 * names one (without it the first runs), on the project that the first argument names. What changes a project is an operator
 * (operate.h).
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_ACTIONS_H
#define SINEW_UI_CLI_COMMAND_LINE_ACTIONS_H

#include "cli/command_line/open_project.h"
#include "scene/scene.h"

typedef struct snw_action {
	const char *name;
	/* `index` is that of the thing named by the third argument; SNW_NONE without SNW_ACTION_NAMED. */
	snw_status (*act)(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error);
	int flags; /* SNW_OPEN_… and SNW_ACTION_… */
} snw_action;

enum { SNW_ACTION_NAMED = 1 << 4 /* the third argument names a thing */ };

/* The actions of a verb, and the kind of thing that they are about. */
typedef struct snw_action_table {
	snw_noun noun;
	const snw_action *actions; /* the first is the default; ends with a NULL name */
} snw_action_table;

#endif
