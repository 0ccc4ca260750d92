/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verbs with several actions, such as "sinew group P.sinew move GROUP POSITION". Each has a table of actions: the second
 * argument names one (without it the first runs), on the project that the first argument names.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_ACTIONS_H
#define SINEW_UI_CLI_COMMAND_LINE_ACTIONS_H

#include "cli/command_line/open_project.h"

typedef struct snw_action {
	const char *name;
	/* `index` is that of the object named by the third argument; SNW_NONE without SNW_ACTION_NAMED. */
	snw_status (*act)(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error);
	int flags;        /* SNW_OPEN_… and SNW_ACTION_… */
	const char *step; /* of SNW_ACTION_ONE_STEP: the entry of the history, in the window's words, before the name: "add pose" */
} snw_action;

enum {
	SNW_ACTION_NAMED = 1 << 4,    /* the third argument names an existing object */
	SNW_ACTION_ONE_STEP = 1 << 5, /* everything it does is one step of the history */
	SNW_ACTION_REPORTS = 1 << 6,  /* a line, and the answer, say at the end which object was changed */
	SNW_ACTION_REFITS = 1 << 7,   /* its change may make layers stale (snw_opened_refit) */
	/* For most actions that change an existing object. */
	SNW_ACTION_CHANGES =
		SNW_OPEN_WRITE | SNW_OPEN_PLUGINS | SNW_ACTION_NAMED | SNW_ACTION_ONE_STEP | SNW_ACTION_REPORTS | SNW_ACTION_REFITS,
};

/* The actions of a verb, and the kind of object that they act on. */
typedef struct snw_action_table {
	const char *noun;      /* "target": in errors, and the answer's key */
	const char *listed_by; /* "group list" */
	uint32_t (*find)(const snw_scene *scene, const char *name);
	const snw_action *actions; /* the first is the default; ends with a NULL name */
} snw_action_table;

#endif
