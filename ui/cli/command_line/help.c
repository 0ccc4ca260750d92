/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/help.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_line/operate.h"

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

void snw_print_help(void) {
	printf("sinew " SINEW_VERSION ": example-based character skinning\n\nusage: sinew VERB …\n\n");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		printf("  %-10s %s\n", (*verb)->name, snw_verb_help(*verb));
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
		print_markdown_verb(*verb, arena);
	}
	snw_arena_destroy(arena);
}
