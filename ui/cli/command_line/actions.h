/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verbs of several actions: "sinew group P.sinew move GROUP PLACE". Each has a table of them, and one way through.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_ACTIONS_H
#define SINEW_UI_CLI_COMMAND_LINE_ACTIONS_H

#include "cli/command_line/open_project.h"

typedef struct snw_action {
	const char *name;
	/* `thing` is the index of what the third word names; SNW_NONE without SNW_ACTION_FINDS. */
	snw_status (*act)(const snw_call *call, const snw_desk *desk, uint32_t thing, snw_error *error);
	int does; /* how the desk is opened (SNW_DESK_…), and SNW_ACTION_… */
} snw_action;

enum {
	SNW_ACTION_FINDS = 1 << 4,  /* the third word names a thing that is there */
	SNW_ACTION_STEPS = 1 << 5,  /* all that it does is one step of the history, "VERB ACTION NAME" */
	SNW_ACTION_TELLS = 1 << 6,  /* at the end a line says what was done to which thing, and so does the answer */
	SNW_ACTION_REFITS = 1 << 7, /* what it changes may make layers stale (snw_desk_refresh) */
	/* What most do that change something that is there. */
	SNW_ACTION_CHANGES =
		SNW_DESK_WRITE | SNW_DESK_PLUGINS | SNW_ACTION_FINDS | SNW_ACTION_STEPS | SNW_ACTION_TELLS | SNW_ACTION_REFITS,
};

/* What the actions of a verb act on. */
typedef struct snw_things {
	const char *noun;      /* "layer": in errors, and the answer's key */
	const char *listed_by; /* "stack list" */
	uint32_t (*find)(const snw_scene *scene, const char *name);
	const char *name_option;   /* the option that names a new one where the third word does not; NULL for none */
	const snw_action *actions; /* the first is what a call without an action does; ends with a NULL name */
} snw_things;

/* Runs the action that the call's second word names, on the project that its first word names. */
snw_status snw_actions_run(const snw_call *call, const snw_things *things, snw_error *error);

#endif
