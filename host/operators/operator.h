/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators, which change a project, and the reports that they fill.
 */
#ifndef SINEW_HOST_OPERATORS_OPERATOR_H
#define SINEW_HOST_OPERATORS_OPERATOR_H

#include "base/arena.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "scene/scene.h"
#include "track/track.h"
#include "worker/worker.h"

/* ---- reports ------------------------------------------------------------------------------------------------------------- */

/* What an operator has done, as typed facts. The terminal and the window show its sentences, `--json` its facts, and the window
 * selects what was made. */

typedef enum snw_fact_kind {
	SNW_FACT_MADE,
	SNW_FACT_CHANGED,
	SNW_FACT_REMOVED,
	SNW_FACT_REFUSED, /* one of several that could not be done; its text says why, and so do the sentences or warnings */
	SNW_FACT_NUMBER,
	SNW_FACT_TEXT,
} snw_fact_kind;

typedef struct snw_fact {
	snw_fact_kind kind;
	snw_noun noun;    /* of what was made, changed, removed or refused */
	const char *name; /* its name; or the key of a number or text: "points" */
	const char *text; /* of a text; why something was refused */
	double number;
	const char *list; /* of a number or text of one thing among many: the list's name; NULL */
	uint32_t row;     /* which one, from 0 */
} snw_fact;

typedef struct snw_report_lines {
	uint32_t count, room;
	const char **list;
} snw_report_lines;

typedef struct snw_operator_report {
	snw_arena *arena;
	const snw_scene *scene; /* before the operator */
	uint32_t fact_count, fact_room;
	snw_fact *facts;
	snw_report_lines sentences; /* one fact each, without a full stop */
	snw_report_lines details;   /* one for each thing among many, for the terminal alone */
	snw_report_lines warnings;  /* what the user should see to, as sentences */
	uint32_t refitted_count, failed_count;
	const char *const *refitted; /* layers that were fitted again */
	const char *const *failed;   /* "LAYER: why": layers that could not be, and stay stale */
	const char *list;            /* that the next numbers and texts belong to, and which row of it */
	uint32_t row;
} snw_operator_report;

/* Names and texts are copied. What was made in place of something of its name has changed that. */
void snw_report_made(snw_operator_report *report, snw_noun noun, const char *name);
void snw_report_changed(snw_operator_report *report, snw_noun noun, const char *name);
void snw_report_removed(snw_operator_report *report, snw_noun noun, const char *name);
void snw_report_refused(snw_operator_report *report, snw_noun noun, const char *name, const char *why);
void snw_report_number(snw_operator_report *report, const char *key, double number);
void snw_report_text(snw_operator_report *report, const char *key, const char *text);
/* The numbers and texts that follow are of row `row` of a list; NULL ends that. */
void snw_report_row(snw_operator_report *report, const char *list, uint32_t row);
void snw_report_detail(snw_operator_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void snw_report_say(snw_operator_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was done, but has to be seen to. */
void snw_report_warn(snw_operator_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a fact says where the operator has no sentence of its own: "joint elbow: changed". */
const char *snw_fact_sentence(const snw_fact *fact, snw_arena *arena);
/* "made", "changed", "removed", "refused". */
const char *snw_fact_word(snw_fact_kind kind);

/* ---- operators ----------------------------------------------------------------------------------------------------------- */

/* Operators: every edit of a project, once. The command line, scripts ('sinew do') and the window run the same rows: they
 * differ in where the values come from and in how the report is shown.
 *
 * A row says what an operator is called, what it takes and what it needs; its function makes the change. A file of this folder
 * has the rows of one noun and their functions, and begins with the rows' arguments. */

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

typedef enum snw_argument_kind {
	SNW_ARGUMENT_SWITCH, /* given or not; it has no value */
	SNW_ARGUMENT_NUMBER,
	SNW_ARGUMENT_COUNT,        /* a whole number */
	SNW_ARGUMENT_CHOICE,       /* one of `choices` */
	SNW_ARGUMENT_TEXT,         /* such as the name of something new */
	SNW_ARGUMENT_FILE,         /* a path, relative to the caller's folder */
	SNW_ARGUMENT_THING,        /* the name of something in the scene, of the kind `noun` */
	SNW_ARGUMENT_PLACE,        /* X,Y,Z */
	SNW_ARGUMENT_THING_NUMBER, /* NAME=NUMBER, of something of the kind `noun` */
	SNW_ARGUMENT_THING_PLACE,  /* NAME=X,Y,Z */
} snw_argument_kind;

enum {
	SNW_ARGUMENT_BARE = 1 << 0,   /* its value stands without its name, in the order of the row */
	SNW_ARGUMENT_NEEDED = 1 << 1, /* without it the operator is refused */
	SNW_ARGUMENT_MANY = 1 << 2,   /* it may be given several times; things also as A,B */
	SNW_ARGUMENT_ONLY = 1 << 3,   /* a thing: without it, the only one in the scene */
	SNW_ARGUMENT_NEW = 1 << 4,    /* a text: the name of a new thing; without it, the next free one ("joint-1") */
	SNW_ARGUMENT_LASTS = 1 << 10, /* what is written to it is no part of the step, and stays when that is taken back */
	/* A file: */
	SNW_ARGUMENT_FOLDER = 1 << 8,  /* it is a folder */
	SNW_ARGUMENT_PROJECT = 1 << 9, /* it is a project */
	/* What it is in the window without it: */
	SNW_ARGUMENT_CHOSEN = 1 << 5,       /* a thing: the chosen one */
	SNW_ARGUMENT_LOCKED = 1 << 6,       /* joints: those whose weights are locked */
	SNW_ARGUMENT_SCULPT_LAYER = 1 << 7, /* a text: the active sculpt layer */
};

/* A number without a default: whether it was given is asked with snw_operation_has. */
#define SNW_NO_DEFAULT ((double)NAN)

typedef struct snw_argument {
	const char *name; /* "influences", given as --influences */
	snw_argument_kind kind;
	const char *value; /* of the usage: "K"; NULL for a switch */
	const char *help;
	uint32_t flags;              /* SNW_ARGUMENT_… */
	snw_noun noun;               /* of a thing, or of what is new */
	double least, most, initial; /* of a number: its range and its default */
	const char *choices;         /* "x|y|z"; the first is the default */
	const char *not_with;        /* "fps|times": none of these may be given with it; NULL for none */
	const char *only_with;       /* the argument that it needs; NULL for none */
	const char *proposed;        /* what a dialog that asks for a text begins with; NULL for a name */
} snw_argument;

typedef struct snw_operation snw_operation;
typedef snw_status snw_operator_function(snw_operation *operation, snw_error *error);

enum {
	SNW_OPERATOR_REFITS = 1 << 0,  /* layers may become stale; what is fast is fitted again, as a part of the step */
	SNW_OPERATOR_PLUGINS = 1 << 1, /* it asks for deformers */
	/* It may take seconds: shown with progress. Its function changes nothing: it leaves in operation->work what is written in a
	 * step that begins then. Until then other programs can change the project, and a caller can look at what there is. */
	SNW_OPERATOR_LONG = 1 << 2,
	SNW_OPERATOR_SHOWN = 1 << 3,   /* in the window it is for the pose that is shown, unless another is named */
	SNW_OPERATOR_READS = 1 << 4,   /* it changes nothing */
	SNW_OPERATOR_STAYS = 1 << 5,   /* in the window, what it made is not chosen */
	SNW_OPERATOR_CHOOSES = 1 << 6, /* in the window, what it changed is chosen, such as the group that an example joined */
	SNW_OPERATOR_CURRENT = 1 << 7, /* on the command line, layers that are stale and fast are fitted again before it */
};

typedef struct snw_operator {
	const char *name;  /* "prune"; "" for the only operator of a noun that is a verb itself, such as fit */
	const char *title; /* "Prune weights": in menus */
	const char *help;  /* one sentence */
	/* The entry of the history, before the value of the first argument: "prune weights of". In it $1 is the value of the
	 * argument after that. */
	const char *step;
	uint32_t flags;                /* SNW_OPERATOR_… */
	const snw_argument *arguments; /* ends with a NULL name */
	snw_operator_function *run;
} snw_operator;

/* The operators of a noun: a verb of the command line. */
typedef struct snw_operator_noun {
	const char *name; /* "weights" */
	const char *help;
	const snw_operator *operators; /* ends with a NULL name */
} snw_operator_noun;

/* The index-th noun; NULL beyond the last. */
const snw_operator_noun *snw_operator_noun_at(uint32_t index);
const snw_operator_noun *snw_operator_noun_find(const char *name);
const snw_operator *snw_operator_find(const snw_operator_noun *noun, const char *name);
/* The operator that the words NOUN NAME … name, or NOUN … of a noun that is a verb itself; NULL for none. `used` is how many
 * words that are. */
const snw_operator *snw_operator_of_words(uint32_t count, const char *const *words, const snw_operator_noun **noun,
										  uint32_t *used);
/* "weights prune", "fit". */
const char *snw_operator_name(const snw_operator_noun *noun, const snw_operator *row, snw_arena *arena);
/* The argument that a word such as "--influences" or "--influences=4" names; NULL for none. */
const snw_argument *snw_operator_argument(const snw_operator *row, const char *word);
/* "MESH [--influences K] [--lock JOINT]…", for help and errors. */
const char *snw_operator_usage(const snw_operator *row, snw_arena *arena);

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

/* An operator with the values that were given, as text. It needs no scene, so a script is checked before it runs. */
typedef struct snw_given {
	uint32_t argument;
	const char *text; /* "" for a switch */
} snw_given;
typedef struct snw_operator_call {
	const snw_operator_noun *noun;
	const snw_operator *row;
	uint32_t count, room;
	snw_given *given;
} snw_operator_call;

/* From words such as "--influences", "4"; bare arguments may also be named. SNW_ERROR_ARGUMENT for unknown names, missing
 * values, words too many, and arguments that exclude each other. */
snw_status snw_operator_parse(const snw_operator_noun *noun, const snw_operator *row, uint32_t count, const char *const *words,
							  snw_arena *arena, snw_operator_call *call, snw_error *error);
/* SNW_ERROR_ARGUMENT if an argument that is needed is not given. */
snw_status snw_operator_expect_complete(const snw_operator_call *call, snw_arena *arena, snw_error *error);
/* The words of a line, quoted as in sh. */
snw_status snw_words_split(const char *line, snw_arena *arena, uint32_t *count, const char ***words, snw_error *error);
/* The word as it is, or in quotes where sh would not take it as one. */
const char *snw_word_quoted(const char *word, snw_arena *arena);
/* From such a line: NOUN NAME …. It may lack values. */
snw_status snw_operator_parse_line(const char *line, snw_arena *arena, snw_operator_call *call, snw_error *error);
/* The entry of the history: "prune weights of arm". Values that were not given are NULL; a choice then has its default. Of a
 * path the history has the name alone. */
const char *snw_operator_label(const snw_operator *row, const char *first, const char *second, snw_arena *arena);
const char *snw_operator_step(const snw_operator_call *call, snw_arena *arena);
/* The call as such a line, each value with its name. */
const char *snw_operator_line(const snw_operator_call *call, snw_arena *arena);
/* Adds a value; the texts stay the caller's. */
void snw_operator_give(snw_operator_call *call, uint32_t argument, const char *text, snw_arena *arena);
bool snw_operator_is_given(const snw_operator_call *call, uint32_t argument);
/* The same by the argument's name, which must be one of the row. The first text; NULL if it was not given. */
uint32_t snw_operator_argument_index(const snw_operator *row, const char *name);
void snw_operator_give_named(snw_operator_call *call, const char *name, const char *text, snw_arena *arena);
const char *snw_operator_given_text(const snw_operator_call *call, const char *name);

/* ---- running ------------------------------------------------------------------------------------------------------------- */

/* What a row with SNW_OPERATOR_LONG has made before its step, in the arena of its context. */
typedef struct snw_operator_work {
	snw_operator_function *write;  /* into the project, as the step; NULL: there is nothing to write */
	const char *label;             /* the entry of the history; NULL: the row's */
	bool is_beside;                /* another program may have changed the project meanwhile (snw_project_begin_beside) */
	snw_fit_outcome *outcome;      /* of a fit */
	const struct snw_bases *bases; /* what a fit has tried below itself, and the best of them; NULL */
	const struct snw_base *base;
	const struct snw_lod_made *levels; /* of detail */
	const struct snw_unwrapped *unwrapped;
	const struct snw_level_maps *normal_maps;
	const struct snw_baked *baked; /* the skins of a bake; the best of them is kept */
	const struct snw_tracked_motion *tracked;
	const struct snw_pushed_out *pushed; /* examples */
	const struct snw_suggestions *suggested;
	const snw_target *target; /* new frames */
	const struct snw_training_clip *training;
	const struct snw_added_clips *clips;
	const snw_mesh *skin; /* a mesh with other weights */
	struct snw_subdivided *subdivided;
	void (*end)(struct snw_operator_work *work); /* frees what is not in the arena; NULL: nothing */
} snw_operator_work;

/* What an operator works on. */
typedef struct snw_operator_context {
	snw_project *project;
	const char *path;   /* of the project */
	const char *name;   /* the path that the user knows, for messages: that of the result, if this is a copy */
	const char *folder; /* that relative paths are in; NULL: the current one */
	const snw_scene *scene;
	const snw_registry *registry;    /* NULL only if the row does not ask for deformers and the scene has no models */
	const snw_worker_limits *limits; /* of the processes that it starts; NULL: the usual ones */
	bool refits_here;                /* what is fast is fitted again in this process */
	/* The user sees which layers are stale or muted: a fit is kept, as a stale layer, if what it has read has changed
	 * meanwhile. */
	bool shows_stale;
	const snw_task *task;
	snw_arena *arena;
	const char *label; /* the entry of the history; NULL: as the row says */
	/* Likewise, but the call becomes a part of that entry if it is the last one. NULL: an entry of its own. */
	const char *step;
	snw_operator_work *work; /* what the same call has made by snw_operator_do_work; NULL: it works now */
} snw_operator_context;

/* The work of a row with SNW_OPERATOR_LONG alone, which changes nothing; NULL of another row. */
snw_status snw_operator_do_work(const snw_operator_call *call, const snw_operator_context *context, snw_operator_work **work,
								snw_operator_report *report, snw_error *error);

/* Runs a call as one step of the history, and fits what is fast again. The report is filled also with what was refitted; with
 * `context->work` it goes on with that of the work. If it fails, nothing is changed. */
snw_status snw_operator_run(const snw_operator_call *call, const snw_operator_context *context, snw_operator_report *report,
							snw_error *error);

/* ---- for the functions of rows ------------------------------------------------------------------------------------------- */

typedef struct snw_argument_value {
	const char *text; /* as given */
	double number;    /* of a number or count; of a choice its index */
	uint32_t index;   /* of a thing, or of what is new */
	double place[3];
} snw_argument_value;

typedef struct snw_argument_values {
	uint32_t count;
	const snw_argument_value *at;
} snw_argument_values;

struct snw_operation {
	const snw_operator *row;
	const snw_operator_context *in;
	const snw_scene *scene; /* in->scene */
	snw_project *project;   /* in->project, with an open command once it is written */
	snw_arena *arena;       /* in->arena */
	const snw_argument_values *values;
	snw_operator_work *work; /* of a row with SNW_OPERATOR_LONG */
	snw_operator_report *report;
	/* What the row's function may set: it reports on the step when that is made and what is fast is fitted again, and changes
	 * nothing. */
	snw_operator_function *after;
	const char *label; /* the entry of the history, where the values do not give its name */
	bool is_unread;    /* no layer reads what has changed: nothing is fitted again */
};

/* By the argument's name, which must be one of the row. Of several values the last; without one the default. */
bool snw_operation_has(const snw_operation *operation, const char *name);
const snw_argument_values *snw_operation_values(const snw_operation *operation, const char *name);
double snw_operation_number(const snw_operation *operation, const char *name);
uint32_t snw_operation_count(const snw_operation *operation, const char *name);   /* also the index of a choice */
const char *snw_operation_text(const snw_operation *operation, const char *name); /* NULL if it was not given */
uint32_t snw_operation_thing(const snw_operation *operation, const char *name);   /* SNW_NONE if it was not given */
/* The indices of several things, in the arena. */
const uint32_t *snw_operation_things(const snw_operation *operation, const char *name, uint32_t *count);

/* ---- scripts ------------------------------------------------------------------------------------------------------------- */

/* Scripts of operators: a line each, its words quoted as in sh. Empty lines and those that begin with # are ignored. The lines
 * undo, redo and save move in the history. Lines that begin with 'window' are for 'sinew view --script' alone. */

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

/* Checks all lines. SNW_ERROR_ARGUMENT names the line that is refused. */
snw_status snw_operator_script_read(const char *text, uint32_t flags, snw_arena *arena, snw_operator_script *script,
									snw_error *error);
/* Whether the word, which blanks may follow, is one that moves in the history. */
bool snw_script_is_step(const char *word, snw_script_step *step);

/* ---- tracking ------------------------------------------------------------------------------------------------------------ */

/* What the operator track has found, for those who show it. */

typedef struct snw_tracked_motion {
	const char *name;
	snw_track_request request; /* the frames */
	const double *seconds;     /* [request.frame_count] */
	bool is_stored;            /* the frames are a sequence of the project, and become its clip */
	snw_tracked found;
	double took; /* seconds */
} snw_tracked_motion;

/* "pose-3", the name of an example, or "frame 2". */
const char *snw_tracked_frame_label(const snw_tracked_motion *motion, uint32_t frame, snw_arena *arena);

#endif
