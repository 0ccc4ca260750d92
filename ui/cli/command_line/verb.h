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
#include "file/file.h"
#include "operators/operator.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "task/task.h"
#include "worker/worker.h"

typedef struct snw_option {
	const char *name;  /* "--group" */
	const char *value; /* "NAME": its value in the usage; NULL for a switch */
	const char *help;
} snw_option;

typedef struct snw_call snw_call;
struct snw_operator_work;

/* What a user does with a verb: a heading of the help. */
typedef enum snw_verb_part {
	SNW_VERB_MAKES,
	SNW_VERB_SCULPTS,
	SNW_VERB_FITS,
	SNW_VERB_SHOWS,
	SNW_VERB_EXPORTS,
	SNW_VERB_RECORDS,
	SNW_VERB_EXTENDS,
} snw_verb_part;

typedef struct snw_verb {
	const char *name;
	snw_verb_part part;
	const char *usage;    /* the arguments: "P.sinew list|add …"; NULL: those of the noun's operators */
	const char *help;     /* a sentence, which the list of verbs has, and maybe more; NULL: the noun's */
	const char *actions;  /* the values of the second argument, separated by '|', if there is no table; "" for none */
	bool is_action_first; /* they are those of the first argument: no project comes before */
	const struct snw_action_table *table; /* the actions, which run instead of `run` (below); NULL for none */
	const struct snw_operator_noun *noun; /* whose operators are actions as well (below); NULL for none */
	int project_place;                    /* of a verb that is an operator itself: which of the plain words is the project */
	/* What it prints after such an operator, of the project at `path`; NULL for nothing more. */
	snw_status (*show)(snw_call *call, const char *path, const struct snw_operator_work *work, snw_error *error);
	int least_arguments, most_arguments;
	/* It is not started again without a layer whose plug-in has ended (below), so what it prints is not held
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
/* The heading above a verb of snw_verbs; NULL where it is that of the one before. */
const char *snw_verb_heading(const snw_verb *const *verb);
/* What it does; and the arguments. */
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

/* ---- projects ------------------------------------------------------------------------------------------------------------ */

/* What most verbs begin and end with: opening a project, loading its scene, finding deformers; and fitting stale layers
 * again after a change. */

typedef struct snw_opened {
	const char *path; /* as given */
	const char *name; /* in messages: the path, or where the copy that this is will be */
	snw_project *project;
	snw_scene *scene;
	snw_registry *registry; /* NULL unless asked for */
	/* Whose meshes stacks pose in place of the project's: its scene is the one above (snw_opened_at_level). NULL */
	const struct snw_level_scene *levels;
	int queue_lock; /* a locked file descriptor: one command at a time changes the project; -1 if none */
} snw_opened;

enum {
	SNW_OPEN_READ = 0,
	SNW_OPEN_WRITE = 1 << 0, /* waits for other commands that change the project, up to 30 seconds */
	SNW_OPEN_PLUGINS = 1 << 1,
	SNW_OPEN_LONG = 1 << 2,    /* with SNW_OPEN_WRITE: other commands need not wait for this one */
	SNW_OPEN_OUTLINE = 1 << 3, /* to read: without the points of frames and the bytes of pictures (snw_project_open_outline) */
};

/* `flags`: SNW_OPEN_…. `task` gets progress for each frame of mesh animations that is read. On failure `opened` is empty. */
snw_status snw_open_project(const char *path, int flags, const snw_task *task, snw_opened *opened, snw_error *error);
void snw_opened_close(snw_opened *opened);

/* The mesh that --mesh names, or the only one. SNW_ERROR_ARGUMENT, with a list of the meshes, if there are several. */
snw_status snw_opened_mesh(const snw_call *call, const snw_opened *opened, uint32_t *mesh, snw_error *error);

/* Adds a warning that names the layers whose plug-ins are missing. */
snw_status snw_opened_stack(const snw_call *call, const snw_opened *opened, const char *method, snw_stack **stack,
							snw_error *error);

/* The same project, at a level of detail. SNW_ERROR_MISSING without it. */
snw_status snw_opened_at_level(const snw_call *call, const snw_opened *opened, uint32_t number, snw_opened *at_level,
							   snw_error *error);

/* Warns of each stale layer of a method's stack (NULL: the whole stack). snw_opened_stack includes this. */
void snw_opened_warn_stale(const snw_call *call, const snw_opened *opened, const char *method);

/* After a commit: fits stale layers again (worker/worker.h) and prints their names. */
snw_status snw_opened_refit(const snw_call *call, const snw_opened *opened, snw_error *error);

/* ", stale: the examples changed" for a layer; "" if it is current. Needs SNW_OPEN_PLUGINS. */
const char *snw_opened_stale_text(const snw_call *call, const snw_opened *opened, uint32_t layer);

/* ---- output path --------------------------------------------------------------------------------------------------------- */

/* Checks output paths: a verb never overwrites its input, nor a project with changes by mistake. */

/* A path for a new project: it ends in .sinew, is none of the files that the call names, and is not a project with changes
 * unless --replace is given; its folder exists and is writable. SNW_ERROR_ARGUMENT, SNW_ERROR_CONFLICT or SNW_ERROR_IO, with
 * a message. */
snw_status snw_output_project(const snw_call *call, const char *path, snw_error *error);

/* A path for any other file: it has one of the `endings` ("png" or "glb|gltf|obj"), is none of the files that the call
 * names, and its folder exists and is writable. */
snw_status snw_output_file(const snw_call *call, const char *path, const char *endings, snw_error *error);

/* ---- work in copy -------------------------------------------------------------------------------------------------------- */

/* -o OUT.sinew of verbs that change a project: the work is done in a copy, which gets its name when it is done. */

/* Changes the project at `path`. */
typedef snw_status snw_project_work(snw_call *call, const char *path, void *context, snw_error *error);

/* Copies the project at `path`, works in the copy, and renames it to `out`. After an error nothing has changed. */
snw_status snw_work_in_copy(snw_call *call, const char *path, const char *out, snw_project_work *work, void *context,
							snw_error *error);

/* ---- run with plugins ---------------------------------------------------------------------------------------------------- */

/* Runs a verb with plug-ins that may end in the middle of it. */

/* Plug-ins that do not ship with Sinew get processes of their own. If that of a layer ends, one line says so, and the verb
 * starts again without the layer, unless it has changed a file or is one that runs once. */
snw_status snw_run_with_plugins(snw_call *call, snw_error *error);

/* ---- actions ------------------------------------------------------------------------------------------------------------- */

/* Verbs that show something, such as "sinew example P.sinew layers EXAMPLE". Each has a table of actions: the second
 * argument names one (without it the first runs), on the project that the first argument names. What changes a project is an
 * operator. */

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

/* ---- operators ----------------------------------------------------------------------------------------------------------- */

/* Operators (operators/operator.h) as actions of a verb: "sinew weights P.sinew prune --influences 4". Their arguments, help
 * and answers come from their rows. */

/* Whether a verb is an operator itself, such as fit: "sinew fit METHOD P.sinew". */
bool snw_verb_is_operator(const snw_verb *verb);
/* The operator that the words PROJECT OPERATOR … name, or that the verb is; NULL for none. */
const snw_operator *snw_verb_operator(const snw_verb *verb, int count, char *const *words);

/* Runs the call's operator on its project; with -o OUT.sinew on a copy of it. */
snw_status snw_operate(snw_call *call, snw_error *error);

/* Runs one operator on an open project, and reports it. The scene of `opened` is that from before. `step`:
 * snw_operator_context. `work`: what an operator with SNW_OPERATOR_LONG has made. */
snw_status snw_operate_on(snw_call *call, snw_opened *opened, const snw_operator_call *operation, const char *step,
						  snw_operator_work **work, snw_error *error);

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

/* Parameters of a deformer, as they are printed. */

/* All settings of a layer, each as " key=value", in the form for people if the deformer (which may be NULL) is known; in the
 * call's arena. */
const char *snw_settings_text(const snw_call *call, const snw_deformer *deformer, const snw_layer *layer);
/* The same as a member "settings" of an answer. */
void snw_answer_settings(cJSON *row, const snw_deformer *deformer, const snw_layer *layer);

/* A value as a member of an answer: a number, a list of three, or a text. NULL parameter: the deformer is missing. */
void snw_answer_value(cJSON *object, const char *key, const snw_parameter *parameter, const snw_value *value);

/* ---- worker limits ------------------------------------------------------------------------------------------------------- */

/* The limits of the worker, given by options: the same for each verb that starts one. */

/* --memory, --seconds and --in-process. */
snw_status snw_call_limits(const snw_call *call, snw_worker_limits *limits, snw_error *error);

#endif
