/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_line/verb.h"
#include "operators/arguments.h"
#include "operators/operator.h"

/* ---- help ---------------------------------------------------------------------------------------------------------------- */

/* A name, and what it means in the column beside it, or below it if the name is too long. */
static void print_row(const snw_call *call, const char *name, const char *meaning) {
	enum { COLUMNS = 28 };
	const char *padded = snw_padded(call, name, COLUMNS);
	const bool fits = padded[strlen(padded) - 1] == ' ';
	printf("  %s%s%s\n", fits ? padded : name, fits ? " " : "\n                               ", meaning);
}

static void print_options(const snw_call *call, const snw_option *options) {
	for (; options->name; options++) {
		const char *value = options->value ? options->value : "";
		print_row(call, snw_arena_format(call->arena, "%s%s%s", options->name, value[0] ? " " : "", value), options->help);
	}
}

static void print_formats(const snw_call *call, snw_file_formats *formats, uint32_t holds) {
	const snw_file_format *format;
	printf("\nformats:\n");
	for (uint32_t i = 0; (format = formats(i)); i++) {
		if (format->holds & holds) {
			print_row(call, snw_arena_format(call->arena, "%s%s", format->is_numbered ? "frame*." : ".", format->extensions),
					  format->label);
		}
	}
}

const char *snw_usage_alternatives(const char *usage, const char *separator, snw_arena *arena) {
	const char *text = "", *begin = usage;
	int depth = 0;
	for (const char *at = usage; *at; at++) {
		depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
		if (depth == 0 && strncmp(at, " | ", 3) == 0) {
			text = snw_arena_format(arena, "%s%.*s%s", text, (int)(at - begin), begin, separator);
			begin = at + 3;
		}
	}
	return snw_arena_format(arena, "%s%s", text, begin);
}

const char *snw_argument_meaning(const snw_argument *argument, snw_arena *arena) {
	const bool has_choice =
		argument->kind == SNW_ARGUMENT_CHOICE && !isnan(argument->initial) && !(argument->flags & SNW_ARGUMENT_NEEDED);
	const bool has_number = (argument->kind == SNW_ARGUMENT_NUMBER || argument->kind == SNW_ARGUMENT_COUNT) &&
							!isnan(argument->initial) && !(argument->flags & SNW_ARGUMENT_NEEDED);
	const char *help = argument->help;
	if (has_choice) {
		help = snw_arena_format(arena, "%s (default: %.*s)", help, (int)strcspn(argument->choices, "|"), argument->choices);
	} else if (has_number) {
		help = snw_arena_format(arena, "%s (default: %g)", help, argument->initial);
	}
	return argument->flags & SNW_ARGUMENT_MANY ? snw_arena_format(arena, "%s; may be repeated", help) : help;
}

const char *snw_argument_form(const snw_argument *argument, snw_arena *arena) {
	const bool is_bare = argument->flags & SNW_ARGUMENT_BARE;
	return snw_arena_format(arena, "%s%s%s%s", is_bare ? "" : "--", is_bare ? "" : argument->name,
							argument->value && !is_bare ? " " : "", argument->value ? argument->value : "");
}

/* Of a verb that is an operator itself. */
static void print_arguments(const snw_call *call) {
	for (const snw_argument *argument = call->verb->noun->operators->arguments; argument->name; argument++) {
		print_row(call, snw_argument_form(argument, call->arena), snw_argument_meaning(argument, call->arena));
	}
}

static void print_operators(const snw_call *call) {
	for (const snw_operator *row = call->verb->noun->operators; row->name; row++) {
		const char *usage = snw_operator_usage(row, call->arena);
		printf("  sinew %s P.sinew %s%s%s\n      %s\n", call->verb->noun->name, row->name, usage[0] ? " " : "", usage,
			   row->help);
		for (const snw_argument *argument = row->arguments; argument->name; argument++) {
			printf("      %s %s\n", snw_padded(call, snw_argument_form(argument, call->arena), 22),
				   snw_argument_meaning(argument, call->arena));
		}
	}
}

void snw_print_verb_help(const snw_call *call) {
	const snw_verb *verb = call->verb;
	printf("%s\n\n", snw_verb_help(verb));
	const char *usage = snw_usage_alternatives(snw_verb_usage(verb, call->arena), "\n    ", call->arena);
	printf("usage: sinew %s%s%s\n\n", verb->name, usage[0] ? " " : "", usage);
	if (snw_verb_is_operator(verb)) {
		print_arguments(call);
	} else if (verb->noun) {
		print_operators(call);
		putchar('\n');
	}
	print_options(call, verb->options);
	print_options(call, snw_common_options);
	if (verb->formats) {
		print_formats(call, verb->formats, verb->formats_hold ? verb->formats_hold : UINT32_MAX);
	}
}

const char *snw_verb_heading(const snw_verb *const *verb) {
	static const char *const headings[] = {
		[SNW_VERB_MAKES] = "Make or import a character",
		[SNW_VERB_SCULPTS] = "Pose and sculpt",
		[SNW_VERB_FITS] = "Fit and measure",
		[SNW_VERB_SHOWS] = "Look and show",
		[SNW_VERB_EXPORTS] = "Export",
		[SNW_VERB_RECORDS] = "History and scripts",
		[SNW_VERB_EXTENDS] = "Develop plug-ins",
	};
	return verb > snw_verbs && verb[-1]->part == verb[0]->part ? NULL : headings[verb[0]->part];
}

void snw_print_help(void) {
	printf("sinew " SINEW_VERSION ": example-based character skinning\n\nusage: sinew VERB …\n");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		const char *heading = snw_verb_heading(verb);
		if (heading) {
			printf("\n%s:\n", heading);
		}
		const char *sentence = snw_verb_help(*verb), *end = strstr(sentence, ". ");
		printf("  %-10s %.*s\n", (*verb)->name, end ? (int)(end - sentence) + 1 : (int)strlen(sentence), sentence);
	}
	printf("\n'sinew VERB --help' shows the arguments and options of a verb, 'sinew help --markdown' those of all.\n"
		   "'sinew help --man FOLDER' writes them as manual pages.\n");
}

/* ---- as markdown --------------------------------------------------------------------------------------------------------- */

/* In a table '|' would end a cell. */
static void print_cell(const char *text) {
	for (; *text; text++) {
		if (*text == '|') {
			putchar('\\');
		}
		putchar(*text);
	}
}

static void print_markdown_row(const char *name, const char *value, const char *help) {
	printf("| `");
	print_cell(name);
	printf("%s", value ? " " : "");
	print_cell(value ? value : "");
	printf("` | ");
	print_cell(help);
	printf(" |\n");
}

static void print_markdown_arguments(const snw_operator *row, snw_arena *arena) {
	for (const snw_argument *argument = row->arguments; argument->name; argument++) {
		print_markdown_row(snw_argument_form(argument, arena), NULL, snw_argument_meaning(argument, arena));
	}
}

static void print_markdown_operator(const snw_operator_noun *noun, const snw_operator *row, snw_arena *arena) {
	const char *usage = snw_operator_usage(row, arena);
	printf("### %s %s\n\n%s\n\n    sinew %s P.sinew %s%s%s\n\n", noun->name, row->name, row->help, noun->name, row->name,
		   usage[0] ? " " : "", usage);
	if (row->arguments[0].name) {
		printf("| argument | meaning |\n|---|---|\n");
	}
	print_markdown_arguments(row, arena);
	putchar('\n');
}

static void print_markdown_verb(const snw_verb *verb, snw_arena *arena) {
	const bool is_operator = snw_verb_is_operator(verb), has_table = is_operator || verb->options->name;
	printf("## %s\n\n%s\n\n    sinew %s %s\n\n%s", verb->name, snw_verb_help(verb), verb->name, snw_verb_usage(verb, arena),
		   has_table ? "| option | meaning |\n|---|---|\n" : "");
	if (is_operator) {
		print_markdown_arguments(verb->noun->operators, arena);
	}
	for (const snw_option *option = verb->options; option->name; option++) {
		print_markdown_row(option->name, option->value, option->help);
	}
	if (has_table) {
		putchar('\n');
	}
	for (const snw_operator *row = verb->noun && !is_operator ? verb->noun->operators : NULL; row && row->name; row++) {
		print_markdown_operator(verb->noun, row, arena);
	}
}

void snw_print_markdown(void) {
	snw_arena *arena = snw_arena_create();
	printf("# The verbs of sinew " SINEW_VERSION "\n\nEvery verb also takes:\n\n| option | meaning |\n|---|---|\n");
	for (const snw_option *option = snw_common_options; option->name; option++) {
		print_markdown_row(option->name, option->value, option->help);
	}
	putchar('\n');
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		const char *heading = snw_verb_heading(verb);
		if (heading) {
			printf("# %s\n\n", heading);
		}
		print_markdown_verb(*verb, arena);
	}
	snw_arena_destroy(arena);
}

/* ---- actions ------------------------------------------------------------------------------------------------------------- */

static snw_status act(const snw_call *call, const snw_opened *opened, const snw_action_table *table, const snw_action *action,
					  snw_error *error) {
	const char *name;
	uint32_t index = SNW_NONE;
	snw_status status = SNW_OK;
	if (action->flags & SNW_ACTION_NAMED) {
		status = snw_call_argument(call, 2, snw_arena_format(call->arena, "the %s's name", snw_noun_word(table->noun)), &name,
								   error);
		status = snw_failed(status) ? status : snw_noun_find(opened->scene, table->noun, name, &index, error);
	}
	return snw_failed(status) ? status : action->act(call, opened, index, error);
}

static snw_status run_table(const snw_call *call, const snw_action_table *table, snw_error *error) {
	const snw_action *action = table->actions;
	while (call->argument_count > 1 && action->name && strcmp(action->name, call->arguments[1]) != 0) {
		action++;
	}
	if (!action->name) {
		return snw_call_unknown_action(call, call->arguments[1], error);
	}
	snw_opened opened;
	snw_status status = snw_open_project(call->arguments[0], action->flags, &call->task, &opened, error);
	if (!snw_failed(status)) {
		status = act(call, &opened, table, action, error);
		snw_opened_close(&opened);
	}
	return status;
}

snw_status snw_verb_run(snw_call *call, snw_error *error) {
	if (call->operation && !(snw_verb_is_operator(call->verb) && call->verb->run)) {
		return snw_operate(call, error);
	}
	return call->verb->table ? run_table(call, call->verb->table, error) : call->verb->run(call, error);
}

const char *snw_verb_actions(const snw_verb *verb, snw_arena *arena) {
	const char *names = verb->actions ? verb->actions : "";
	for (const snw_action *action = verb->table ? verb->table->actions : NULL; action && action->name; action++) {
		names = snw_arena_format(arena, "%s%s%s", names, names[0] ? "|" : "", action->name);
	}
	for (const snw_operator *row = verb->noun ? verb->noun->operators : NULL; row && row->name && row->name[0]; row++) {
		names = snw_arena_format(arena, "%s%s%s", names, names[0] ? "|" : "", row->name);
	}
	return names;
}

const char *snw_verb_help(const snw_verb *verb) {
	return verb->help ? verb->help : verb->noun->help;
}

/* "METHOD P.sinew [--layer NAME] … [-o OUT.sinew]": the operator's arguments, the project at its place, the verb's options. */
static const char *operator_usage(const snw_verb *verb, snw_arena *arena) {
	const char *rest = snw_operator_usage(verb->noun->operators, arena), *usage = "";
	for (int i = 0; i < verb->project_place; i++) {
		const size_t length = strcspn(rest, " ");
		usage = snw_arena_format(arena, "%s%.*s ", usage, (int)length, rest);
		rest += length + strspn(rest + length, " ");
	}
	usage = snw_arena_format(arena, "%sP.sinew %s", usage, rest);
	for (const snw_option *option = verb->options; option->name; option++) {
		usage = snw_arena_format(arena, "%s [%s%s%s]", usage, option->name, option->value ? " " : "",
								 option->value ? option->value : "");
	}
	return usage;
}

const char *snw_verb_usage(const snw_verb *verb, snw_arena *arena) {
	return verb->usage                  ? verb->usage
		   : snw_verb_is_operator(verb) ? operator_usage(verb, arena)
										: snw_arena_format(arena, "P.sinew %s …", snw_verb_actions(verb, arena));
}

/* ---- verbs --------------------------------------------------------------------------------------------------------------- */

/* The verbs, part by part, in the order of a typical workflow. */

#define VERBS(ROW)                                                                                                             \
	ROW(sample)                                                                                                                \
	ROW(import)                                                                                                                \
	ROW(reimport)                                                                                                              \
	ROW(mesh)                                                                                                                  \
	ROW(joint)                                                                                                                 \
	ROW(skeleton)                                                                                                              \
	ROW(bind)                                                                                                                  \
	ROW(weights)                                                                                                               \
	ROW(unwrap)                                                                                                                \
	ROW(pose)                                                                                                                  \
	ROW(example)                                                                                                               \
	ROW(group)                                                                                                                 \
	ROW(shape)                                                                                                                 \
	ROW(clip)                                                                                                                  \
	ROW(target)                                                                                                                \
	ROW(track)                                                                                                                 \
	ROW(stack)                                                                                                                 \
	ROW(fit)                                                                                                                   \
	ROW(measure)                                                                                                               \
	ROW(contact)                                                                                                               \
	ROW(compare)                                                                                                               \
	ROW(info)                                                                                                                  \
	ROW(view)                                                                                                                  \
	ROW(render)                                                                                                                \
	ROW(report)                                                                                                                \
	ROW(bake)                                                                                                                  \
	ROW(lod)                                                                                                                   \
	ROW(normal_map)                                                                                                            \
	ROW(export)                                                                                                                \
	ROW(undo)                                                                                                                  \
	ROW(redo)                                                                                                                  \
	ROW(history)                                                                                                               \
	ROW(do)                                                                                                                    \
	ROW(completion)                                                                                                            \
	ROW(plugin)                                                                                                                \
	ROW(plugins)                                                                                                               \
	ROW(validate)                                                                                                              \
	ROW(bench)

#define DECLARE(name) extern const snw_verb snw_verb_##name;
VERBS(DECLARE)
#undef DECLARE

static const snw_option no_options[] = {{NULL, NULL, NULL}};

/* A verb whose actions are all operators. */
#define NOUN(noun_name, its_part)                                                                                              \
	const snw_verb snw_verb_##noun_name = {.name = #noun_name,                                                                 \
										   .part = (its_part),                                                                 \
										   .noun = &snw_operators_##noun_name,                                                 \
										   .options = no_options,                                                              \
										   .least_arguments = 2,                                                               \
										   .most_arguments = 2};
NOUN(lod, SNW_VERB_EXPORTS)
NOUN(mesh, SNW_VERB_MAKES)
NOUN(target, SNW_VERB_SCULPTS)
NOUN(weights, SNW_VERB_MAKES)
#undef NOUN

const snw_verb snw_verb_normal_map = {
	.name = "normal-map", .part = SNW_VERB_EXPORTS, .noun = &snw_operators_normal_map, .options = no_options};
const snw_verb snw_verb_unwrap = {
	.name = "unwrap", .part = SNW_VERB_MAKES, .noun = &snw_operators_unwrap, .options = no_options};

#define POINT(name) &snw_verb_##name,
const snw_verb *const snw_verbs[] = {VERBS(POINT) NULL};
#undef POINT

/* ---- completion ---------------------------------------------------------------------------------------------------------- */

/* sinew completion: a script for the shell, generated from the tables of verbs and operators. */

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/* What stands after an option: words to choose from, or the name of a file or folder. */
typedef struct completed_value {
	const char *words; /* " flat tree skeleton"; "" for none */
	bool is_file, is_folder;
} completed_value;

/* The alternatives of a value that stand for themselves, such as those of "extension|files|N": N does not. */
static const char *literal_words(const char *value, snw_arena *arena) {
	const char *words = "";
	const bool any = strchr(value, '|') && !strpbrk(value, " =[]");
	while (any && value[0]) {
		const size_t length = strcspn(value, "|");
		if (!isupper((unsigned char)value[0])) {
			words = snw_arena_format(arena, "%s %.*s", words, (int)length, value);
		}
		value += length + (value[length] == '|');
	}
	return words;
}

static completed_value option_value(const snw_option *option, snw_arena *arena) {
	static const char *const files[] = {"FILE", "FRAMES", "OUT", "PATH"};
	completed_value value = {literal_words(option->value, arena), strchr(option->value, '.') != NULL,
							 strcmp(option->value, "FOLDER") == 0};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		value.is_file = value.is_file || strcmp(option->value, files[i]) == 0;
	}
	return value;
}

static completed_value argument_value(const snw_argument *argument, snw_arena *arena) {
	const bool is_folder = argument->flags & SNW_ARGUMENT_FOLDER;
	return (completed_value){argument->kind == SNW_ARGUMENT_CHOICE ? literal_words(argument->choices, arena) : "",
							 argument->kind == SNW_ARGUMENT_FILE && !is_folder, is_folder};
}

static const char *action_words(const snw_verb *verb, snw_arena *arena) {
	const char *actions = snw_verb_actions(verb, arena);
	return actions[0] ? literal_words(snw_arena_format(arena, "%s|", actions), arena) : "";
}

/* What the first argument of a verb may be: its actions where no project comes before them, or the words of its usage. */
static const char *first_words(const snw_verb *verb, snw_arena *arena) {
	const char *usage = snw_verb_usage(verb, arena);
	return verb->is_action_first ? action_words(verb, arena)
								 : literal_words(snw_arena_format(arena, "%.*s", (int)strcspn(usage, " "), usage), arena);
}

/* What the second may be. */
static const char *second_words(const snw_verb *verb, snw_arena *arena) {
	return verb->is_action_first ? "" : action_words(verb, arena);
}

static bool takes_project_first(const snw_verb *verb, snw_arena *arena) {
	return strncmp(snw_verb_usage(verb, arena), "P.sinew", 7) == 0;
}

/* ---- bash and zsh -------------------------------------------------------------------------------------------------------- */

static const char *joined_options(const snw_option *options, snw_arena *arena) {
	const char *names = "";
	for (; options->name; options++) {
		names = snw_arena_format(arena, "%s %s", names, options->name);
	}
	return names;
}

static const char *joined_arguments(const snw_operator *row, snw_arena *arena) {
	const char *names = "";
	for (const snw_argument *argument = row->arguments; argument->name; argument++) {
		names = argument->flags & SNW_ARGUMENT_BARE ? names : snw_arena_format(arena, "%s --%s", names, argument->name);
	}
	return names;
}

/* Of a noun's operators together, each once. */
static const char *joined_noun_arguments(const snw_operator_noun *noun, snw_arena *arena) {
	const char *all = " ";
	for (const snw_operator *row = noun->operators; row->name; row++) {
		for (const snw_argument *argument = row->arguments; argument->name; argument++) {
			const char *name = snw_arena_format(arena, " --%s ", argument->name);
			if (!(argument->flags & SNW_ARGUMENT_BARE) && !strstr(all, name)) {
				all = snw_arena_format(arena, "%s%s", all, name + 1);
			}
		}
	}
	return all;
}

/* A row of the script's table of values: for the words VERB ACTION OPTION. */
static void print_value_row(FILE *out, const char *verb, const char *action, const char *option, completed_value value) {
	const char *kind = value.words[0] ? "choice" : value.is_file ? "file" : value.is_folder ? "folder" : "none";
	fprintf(out, "    '%s %s %s') kind=%s choices='%s' ;;\n", verb, action[0] ? action : "'*'", option, kind, value.words);
}

static void print_verb_rows(FILE *out, const snw_verb *verb, snw_arena *arena) {
	for (const snw_operator *row = verb->noun ? verb->noun->operators : NULL; row && row->name; row++) {
		for (const snw_argument *argument = row->arguments; argument->name; argument++) {
			if (argument->value && !(argument->flags & SNW_ARGUMENT_BARE)) {
				print_value_row(out, verb->name, row->name, snw_arena_format(arena, "--%s", argument->name),
								argument_value(argument, arena));
			}
		}
	}
	for (const snw_option *option = verb->options; option->name; option++) {
		if (option->value) {
			print_value_row(out, verb->name, "", option->name, option_value(option, arena));
		}
	}
}

/* What both shells take alike. Of the line it reads `verb`, `action`, and `before`, the word before the one that is completed;
 * it sets `flags`; `first` and `second`, words that may stand in these places; `kind` and `choices` of a value; `project`. */
static void print_tables(FILE *out, snw_arena *arena) {
	fprintf(out, "  case $verb in\n    help) first=' --markdown --man' ;;\n");
	for (const snw_verb *const *at = snw_verbs; *at; at++) {
		const snw_verb *verb = *at;
		fprintf(out, "    %s) flags='%s%s%s' first='%s' second='%s' project=%s ;;\n", verb->name,
				joined_options(verb->options, arena), joined_options(snw_common_options, arena),
				verb->noun ? joined_noun_arguments(verb->noun, arena) : "", first_words(verb, arena), second_words(verb, arena),
				takes_project_first(verb, arena) ? "yes" : "no");
	}
	fprintf(out, "  esac\n  case \"$verb $action\" in\n");
	for (const snw_verb *const *at = snw_verbs; *at; at++) {
		const snw_verb *verb = *at;
		for (const snw_operator *row = verb->noun ? verb->noun->operators : NULL; row && row->name && row->name[0]; row++) {
			fprintf(out, "    '%s %s') flags='%s%s%s' ;;\n", verb->name, row->name, joined_arguments(row, arena),
					joined_options(verb->options, arena), joined_options(snw_common_options, arena));
		}
	}
	fprintf(out, "  esac\n  case \"$verb $action $before\" in\n");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		print_verb_rows(out, *verb, arena);
	}
	fprintf(out, "    *' --trace') kind=file ;;\n    'help '*' --man') kind=folder ;;\n  esac\n");
}

static void print_bash(FILE *out, snw_arena *arena) {
	fprintf(out, "# Completion of sinew for bash: eval \"$(sinew completion bash)\"\n"
				 "_sinew() {\n"
				 "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} action=''\n"
				 "  local flags='' first='' second='' kind='' choices='' project=no\n"
				 "  local IFS=$' \\t\\n'\n"
				 "  # --option=value is three words here.\n"
				 "  if [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; elif [ \"$word\" = = ]; then word=''; fi\n"
				 "  [ \"$COMP_CWORD\" -gt 3 ] && action=${COMP_WORDS[3]}\n"
				 "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
				 "    COMPREPLY=($(compgen -W 'help --help --version");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		fprintf(out, " %s", (*verb)->name);
	}
	fprintf(out, "' -- \"$word\"))\n    return\n  fi\n");
	print_tables(out, arena);
	fprintf(out, "  if [ -z \"$kind\" ]; then\n"
				 "    if [[ $word == -* ]]; then kind=choice choices=$flags\n"
				 "    elif [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$first\" ]; then kind=choice choices=$first\n"
				 "    elif [ \"$COMP_CWORD\" -eq 3 ] && [ -n \"$second\" ]; then kind=choice choices=$second\n"
				 "    elif [ \"$COMP_CWORD\" -eq 2 ] && [ \"$project\" = yes ]; then kind=project\n"
				 "    else kind=file\n"
				 "    fi\n"
				 "  fi\n"
				 "  COMPREPLY=()\n"
				 "  case $kind in\n"
				 "    choice) COMPREPLY=($(compgen -W \"$choices\" -- \"$word\")) ;;\n"
				 "    file) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
				 "    folder) mapfile -t COMPREPLY < <(compgen -d -- \"$word\") ;;\n"
				 "    project) mapfile -t COMPREPLY < <(compgen -d -- \"$word\"; compgen -f -X '!*.sinew' -- \"$word\") ;;\n"
				 "  esac\n"
				 "}\n"
				 "complete -o filenames -F _sinew sinew\n");
}

/* Quoted for fish, where only these two characters are special in single quotes; or for zsh, where the quote alone is. */
static void print_quoted(FILE *out, const char *text, bool is_fish) {
	putc('\'', out);
	for (; *text; text++) {
		if (*text == '\'' && !is_fish) {
			fputs("'\\'", out);
		} else if (*text == '\'' || (*text == '\\' && is_fish)) {
			putc('\\', out);
		}
		putc(*text, out);
	}
	putc('\'', out);
}

/* Both a file of $fpath, which is run when a completion is asked for, and a text for eval. */
static void print_zsh(FILE *out, snw_arena *arena) {
	fprintf(out, "#compdef sinew\n"
				 "# Completion of sinew for zsh: eval \"$(sinew completion zsh)\"\n"
				 "_sinew() {\n"
				 "  local verb=${words[2]} before=${words[CURRENT-1]} action='' place=$CURRENT\n"
				 "  local flags='' first='' second='' kind='' choices='' project=no\n"
				 "  local -a verbs\n"
				 "  (( CURRENT > 4 )) && action=${words[4]}\n"
				 "  if (( CURRENT == 2 )); then\n"
				 "    verbs=('help:Lists the verbs.' '--help:Lists the verbs.' '--version:Prints the version.'\n");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		fputs("      ", out);
		print_quoted(out, snw_arena_format(arena, "%s:%s", (*verb)->name, snw_verb_help(*verb)), false);
		putc('\n', out);
	}
	fprintf(out, "    )\n    _describe verb verbs\n    return\n  fi\n"
				 "  if [[ $PREFIX == --*=* ]]; then before=${PREFIX%%%%=*}; compset -P '*='; fi\n");
	print_tables(out, arena);
	fprintf(out, "  if [[ -z $kind ]]; then\n"
				 "    if [[ $PREFIX == -* ]]; then kind=choice choices=$flags\n"
				 "    elif (( place == 3 )) && [[ -n $first ]]; then kind=choice choices=$first\n"
				 "    elif (( place == 4 )) && [[ -n $second ]]; then kind=choice choices=$second\n"
				 "    elif (( place == 3 )) && [[ $project = yes ]]; then kind=project\n"
				 "    else kind=file\n"
				 "    fi\n"
				 "  fi\n"
				 "  case $kind in\n"
				 "    choice) compadd -- ${=choices} ;;\n"
				 "    file) _files ;;\n"
				 "    folder) _files -/ ;;\n"
				 "    project) _files -g '*.sinew' ;;\n"
				 "  esac\n"
				 "}\n"
				 "if [ \"$funcstack[1]\" = _sinew ]; then _sinew \"$@\"; else compdef _sinew sinew; fi\n");
}

/* ---- fish ---------------------------------------------------------------------------------------------------------------- */

static void print_fish_option(FILE *out, const char *condition, const char *name, const completed_value *value,
							  const char *help) {
	const char *bare = name + strspn(name, "-");
	fprintf(out, "complete -c sinew -n '%s' -%c %s", condition, bare - name == 1 ? 's' : 'l', bare);
	if (value && value->words[0]) {
		fprintf(out, " -x -a '%s'", value->words + 1);
	} else if (value && value->is_folder) {
		fputs(" -x -a '(__fish_complete_directories)'", out);
	} else if (value) {
		fputs(value->is_file ? " -r -F" : " -x", out);
	}
	fputs(" -d ", out);
	print_quoted(out, help, true);
	putc('\n', out);
}

static void print_fish_options(FILE *out, const char *condition, const snw_option *options, snw_arena *arena) {
	for (; options->name; options++) {
		const completed_value value = options->value ? option_value(options, arena) : (completed_value){0};
		print_fish_option(out, condition, options->name, options->value ? &value : NULL, options->help);
	}
}

static void print_fish_arguments(FILE *out, const snw_operator_noun *noun, snw_arena *arena) {
	for (const snw_operator *row = noun->operators; row->name; row++) {
		const char *condition = snw_arena_format(arena, "__fish_seen_subcommand_from %s%s%s", noun->name,
												 row->name[0] ? "; and __fish_seen_subcommand_from " : "", row->name);
		for (const snw_argument *argument = row->arguments; argument->name; argument++) {
			if (!(argument->flags & SNW_ARGUMENT_BARE)) {
				const completed_value value = argument_value(argument, arena);
				print_fish_option(out, condition, snw_arena_format(arena, "--%s", argument->name),
								  argument->value ? &value : NULL, argument->help);
			}
		}
	}
}

/* Words in the place after `count` words, where no file is offered. */
static void print_fish_words(FILE *out, const char *verb, int count, const char *words) {
	if (words[0]) {
		fprintf(
			out,
			"complete -c sinew -f -n '__fish_seen_subcommand_from %s; and test (count (commandline -opc)) -eq %d' -a '%s'\n",
			verb, count, words + 1);
	}
}

static void print_fish(FILE *out, snw_arena *arena) {
	fprintf(out, "# Completion of sinew for fish: sinew completion fish | source\n"
				 "complete -c sinew -f -n __fish_use_subcommand -a help -d 'Lists the verbs.'\n"
				 "complete -c sinew -n __fish_use_subcommand -l version -d 'Prints the version.'\n"
				 "complete -c sinew -n '__fish_seen_subcommand_from help' -l markdown -d 'Prints all verbs as a page.'\n"
				 "complete -c sinew -n '__fish_seen_subcommand_from help' -l man -x -a '(__fish_complete_directories)' "
				 "-d 'Writes manual pages into a folder.'\n");
	for (const snw_verb *const *at = snw_verbs; *at; at++) {
		const snw_verb *verb = *at;
		const char *condition = snw_arena_format(arena, "__fish_seen_subcommand_from %s", verb->name);
		fprintf(out, "complete -c sinew -f -n __fish_use_subcommand -a %s -d ", verb->name);
		print_quoted(out, snw_verb_help(verb), true);
		putc('\n', out);
		print_fish_options(out, condition, verb->options, arena);
		print_fish_options(out, condition, snw_common_options, arena);
		if (verb->noun) {
			print_fish_arguments(out, verb->noun, arena);
		}
		print_fish_words(out, verb->name, 2, first_words(verb, arena));
		print_fish_words(out, verb->name, 3, second_words(verb, arena));
		if (takes_project_first(verb, arena)) {
			fprintf(out,
					"complete -c sinew -f -n '%s; and test (count (commandline -opc)) -eq 2' -a '(__fish_complete_suffix "
					".sinew)'\n",
					condition);
		}
	}
}

/* -------------------------------------------------------------------------------------------------------------------------- */

static snw_status print_script(FILE *out, const char *shell, snw_arena *arena, snw_error *error) {
	if (strcmp(shell, "bash") == 0) {
		print_bash(out, arena);
	} else if (strcmp(shell, "zsh") == 0) {
		print_zsh(out, arena);
	} else if (strcmp(shell, "fish") == 0) {
		print_fish(out, arena);
	} else {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: unknown shell; expected bash, zsh or fish", shell);
	}
	return SNW_OK;
}

static snw_status run_completion(snw_call *call, snw_error *error) {
	if (!call->json) {
		return print_script(stdout, call->arguments[0], call->arena, error);
	}
	char *script = NULL;
	size_t count = 0;
	FILE *out = open_memstream(&script, &count);
	if (!out) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory");
	}
	const snw_status status = print_script(out, call->arguments[0], call->arena, error);
	fclose(out);
	if (!snw_failed(status)) {
		snw_answer_text(call->answer, "script", script);
	}
	free(script);
	return status;
}

static const snw_option completion_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_completion = {
	.name = "completion",
	.part = SNW_VERB_RECORDS,
	.usage = "bash|zsh|fish",
	.help = "Prints a completion script for the shell.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = completion_options,
	.run = run_completion,
};
