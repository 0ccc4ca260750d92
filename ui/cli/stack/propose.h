/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verbs of methods that make proposals for the project, and no layer (SNW_MAKES_SKELETON, SNW_MAKES_WEIGHTS): the method is
 * found by its trait, fitted in the worker, and what it makes is committed as one step.
 */
#ifndef SINEW_UI_CLI_STACK_PROPOSE_H
#define SINEW_UI_CLI_STACK_PROPOSE_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"
#include "fit/fit.h"

typedef struct snw_proposing_verb {
	uint32_t trait;
	const char *made; /* by its methods, for messages: "skeleton" */
	/* Refuses a call that cannot succeed, and adds to the request and the settings. */
	snw_status (*prepare)(snw_call *call, const snw_opened *opened, const snw_descriptor *descriptor, snw_fit_request *request,
						  snw_error *error);
	snw_status (*commit)(const snw_call *call, const snw_opened *opened, snw_fit_outcome *outcome, snw_error *error);
	/* Prints what was made. `scene`: the project's after the commit. */
	void (*print)(const snw_call *call, const snw_scene *scene, const snw_fit_outcome *outcome);
} snw_proposing_verb;

/* The whole verb, for the project that the call's first argument names. Refits stale layers, and prints the errors where there
 * is a ground truth. */
snw_status snw_propose(snw_call *call, const snw_proposing_verb *verb, snw_error *error);

#endif
