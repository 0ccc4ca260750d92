/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A verb of the command line: one file each in this folder, one row each in the table of main.c, from which help and shell
 * completion come too.
 */
#ifndef SINEW_UI_CLI_VERB_H
#define SINEW_UI_CLI_VERB_H

#include <stdbool.h>

#include "base/error.h"
#include "base/task.h"

struct cJSON;

typedef struct snw_option {
	const char *name;  /* "--group" */
	const char *value; /* "NAME": what stands behind it; NULL for a switch */
	const char *help;
} snw_option;

/* The words of one call, parsed against the verb's options. */
typedef struct snw_call {
	int word_count;
	const char *const *words; /* positional words behind the verb */
	bool json, quiet;
	struct cJSON *answer; /* --json: one object, printed when the verb returns 0; NULL otherwise */
	const snw_task *task; /* progress bar, Ctrl-C, notices */
	void *parsed;
} snw_call;

/* The value of an option, the last if given twice; NULL where absent ("" for a switch that is present). */
const char *snw_call_option(const snw_call *call, const char *name);
/* All values of an option that may be repeated: the index-th, or NULL. */
const char *snw_call_option_at(const snw_call *call, const char *name, int index);

typedef struct snw_verb {
	const char *name;
	const char *usage;         /* "P.sinew list|add|update|remove …" */
	const char *help;          /* one sentence */
	const snw_option *options; /* ends with a NULL name */
	/* SNW_OK; an error with its line; SNW_ERROR_ARGUMENT for wrong usage (exit status 2). */
	snw_status (*run)(snw_call *call, snw_error *error);
} snw_verb;

/* A line for people on standard output, unless --quiet or --json. */
void snw_say(const snw_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
