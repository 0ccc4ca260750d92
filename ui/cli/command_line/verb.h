/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A verb of the command line: a file for each, and a row of help.c. Help and shell completion are generated from the rows.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_VERB_H
#define SINEW_UI_CLI_COMMAND_LINE_VERB_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "file/file_format.h"
#include "operators/operator.h"
#include "task/task.h"

typedef struct snw_option {
	const char *name;  /* "--group" */
	const char *value; /* "NAME": its value in the usage; NULL for a switch */
	const char *help;
} snw_option;

typedef struct snw_call snw_call;
struct snw_operator_work;

typedef struct snw_verb {
	const char *name;
	const char *usage;    /* the arguments: "P.sinew list|add …"; NULL: those of the noun's operators */
	const char *help;     /* one sentence; NULL: the noun's */
	const char *actions;  /* the values of the second argument, separated by '|', if there is no table; "" for none */
	bool is_action_first; /* they are those of the first argument: no project comes before */
	const struct snw_action_table *table; /* the actions, which run instead of `run` (open_project.h); NULL for none */
	const struct snw_operator_noun *noun; /* whose operators are actions as well (operate.h); NULL for none */
	int project_place;                    /* of a verb that is an operator itself: which of the plain words is the project */
	/* What it prints after such an operator, of the project at `path`; NULL for nothing more. */
	snw_status (*show)(snw_call *call, const char *path, const struct snw_operator_work *work, snw_error *error);
	int least_arguments, most_arguments;
	/* It is not started again without a layer whose plug-in has ended (open_project.h), so what it prints is not held
	 * back. */
	bool runs_once;
	/* With --json it prints an object a line: those of the list "lines" of its answer. An error is in the last one. */
	bool answers_lines;
	const snw_option *options; /* ends with a NULL name */
	snw_file_formats *formats; /* of the files that it reads or writes, for its help; NULL for none */
	uint32_t formats_hold;     /* those alone that hold any of these contents; 0 for all */
	/* SNW_OK; an error with a message; SNW_ERROR_ARGUMENT for wrong usage (exit status 2). Of a verb that is an operator
	 * itself: what checks options of its own, and then runs that (snw_operate); NULL without such. */
	snw_status (*run)(snw_call *call, snw_error *error);
} snw_verb;

/* A command line, parsed by the verb's options. */
struct snw_call {
	const snw_verb *verb;
	snw_arena *arena; /* freed after the call */
	int argument_count;
	const char **arguments;              /* positional, after the verb */
	struct snw_operator_call *operation; /* the operator and its values; NULL for none */
	int option_count;
	const char **option_names;
	const char **option_values;
	bool json, quiet, help;
	bool stopped_early; /* by Ctrl-C, with a result that is kept (exit status 3) */
	cJSON *answer;      /* with --json: the object that is printed at the end; NULL otherwise */
	snw_task task;      /* progress bar, Ctrl-C, notices */
};

extern const snw_verb *const snw_verbs[]; /* ends with NULL */
extern const snw_option snw_common_options[];

snw_status snw_call_parse(snw_call *call, int count, char **given, snw_error *error);

/* The value of an option, the last if it is repeated; NULL if absent; "" for a switch that is given. */
const char *snw_call_option(const snw_call *call, const char *name);
/* The index-th value of an option that may be repeated, or NULL. */
const char *snw_call_option_at(const snw_call *call, const char *name, int index);
/* The number given by an option; `otherwise` if absent. SNW_ERROR_ARGUMENT names the option and its range. */
snw_status snw_call_number(const snw_call *call, const char *name, double least, double most, double otherwise, double *value,
						   snw_error *error);
/* The same for the index-th value of an option that may be repeated. */
snw_status snw_call_number_at(const snw_call *call, const char *name, int index, double least, double most, double otherwise,
							  double *value, snw_error *error);
/* A positional argument; if it is missing, a wrong-usage error that shows the verb's usage and calls the argument `meaning`. */
snw_status snw_call_argument(const snw_call *call, int index, const char *meaning, const char **argument, snw_error *error);
/* One sentence; and the arguments. */
const char *snw_verb_help(const snw_verb *verb);
const char *snw_verb_usage(const snw_verb *verb, snw_arena *arena);
/* The values of the argument that says what to do, separated by '|'. */
const char *snw_verb_actions(const snw_verb *verb, snw_arena *arena);
/* Runs the verb of the call: its table of actions, or its function. */
snw_status snw_verb_run(snw_call *call, snw_error *error);
snw_status snw_call_unknown_action(const snw_call *call, const char *action, snw_error *error);

/* A line for people on standard output, unless --quiet or --json. */
void snw_say(const snw_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text on one line, without characters that could control a terminal: names of files come from other people too. */
const char *snw_without_control(snw_arena *arena, const char *text);

/* The text padded with blanks to this number of columns: printf counts bytes, and a character may have several. */
const char *snw_padded(const snw_call *call, const char *text, int columns);

/* Members of the answer; they do nothing without --json. NaN becomes null. */
void snw_answer_text(cJSON *object, const char *key, const char *text);
void snw_answer_number(cJSON *object, const char *key, double number);
void snw_answer_bool(cJSON *object, const char *key, bool value);
cJSON *snw_answer_list(cJSON *object, const char *key);
cJSON *snw_answer_row(cJSON *list);
/* Prints JSON. Names of files may have bytes that are not UTF-8, and characters that could control a terminal. */
void snw_print_json(const char *text);

/* The task of the process: a progress bar on a terminal, or JSON objects for programs, Ctrl-C, notices on standard error. */
snw_task snw_terminal_task(bool quiet, bool as_json);
/* Forgets a Ctrl-C that was handled, so that the following work continues. True if there was one. */
bool snw_terminal_forget_stop(void);
void snw_terminal_clear(void); /* removes the progress bar, if any */

/* ---- help ---------------------------------------------------------------------------------------------------------------- */

/* Help, from the tables of verbs, options and operators. */

/* The verbs, a line each. */
void snw_print_help(void);
/* The arguments and options of the call's verb. */
void snw_print_verb_help(const snw_call *call);
/* Every verb and operator with its arguments, as a page. */
void snw_print_markdown(void);
/* The same as manual pages in a folder, which is made if it is missing: sinew.1, and sinew-VERB.1 for each verb (manual.c). */
snw_status snw_write_manual(const char *folder, snw_error *error);

/* "--influences K", "MESH". */
const char *snw_argument_form(const snw_argument *argument, snw_arena *arena);
/* "the most joints (default: 4)". */
const char *snw_argument_meaning(const snw_argument *argument, snw_arena *arena);
/* "P.sinew list | add NAME [--from A | --to B]" with `separator` between the alternatives, except those in brackets. */
const char *snw_usage_alternatives(const char *usage, const char *separator, snw_arena *arena);

#endif
