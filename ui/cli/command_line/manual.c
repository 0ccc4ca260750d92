/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help as manual pages, in the macros of man(7): sinew(1), and a page for each verb. Text is UTF-8.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/command_line/verb.h"
#include "file/file.h"

/* ---- roff ---------------------------------------------------------------------------------------------------------------- */

/* A line of roff must not begin with a dot or a quote, and some ASCII is typographic. */
static void put_word(FILE *out, const char *word, size_t length) {
	static const char characters[] = "\\-'`^~\"";
	static const char *const roff[] = {"\\(rs", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti", "\\(dq"};
	if (length > 0 && word[0] == '.') {
		fputs("\\&", out);
	}
	for (size_t i = 0; i < length; i++) {
		const char *special = strchr(characters, word[i]);
		if (special) {
			fputs(roff[special - characters], out);
		} else {
			putc(word[i], out);
		}
	}
}

/* In lines of about LONGEST bytes. */
static void put_line(FILE *out, const char *text) {
	enum { LONGEST = 60 };
	size_t column = 0;
	while (text[0]) {
		const size_t length = strcspn(text, " ");
		if (column > 0) {
			const bool fits = column + length < LONGEST;
			putc(fits ? ' ' : '\n', out);
			column = fits ? column + 1 : 0;
		}
		put_word(out, text, length);
		column += length;
		text += length + strspn(text + length, " ");
	}
	putc('\n', out);
}

/* ".B sinew weights". */
static void put_macro(FILE *out, const char *macro, const char *text) {
	fprintf(out, ".%s ", macro);
	put_word(out, text, strlen(text));
	putc('\n', out);
}

/* A term, and what it means. */
static void put_term(FILE *out, const char *term, const char *meaning) {
	fputs(".TP\n", out);
	put_macro(out, "B", term);
	put_line(out, meaning);
}

/* ---- parts of a page ----------------------------------------------------------------------------------------------------- */

/* That of the source where a package is built, so that builds can be reproduced; otherwise today's. */
static void put_title(FILE *out, const char *name) {
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	const time_t seconds = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm day;
	char date[16] = "";
	if (gmtime_r(&seconds, &day)) {
		strftime(date, sizeof date, "%Y-%m-%d", &day);
	}
	fputs(".TH ", out);
	for (; *name; name++) {
		fprintf(out, "%s%c", *name == '-' ? "\\" : "", *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
	}
	fprintf(out, " 1 \"%s\" \"sinew " SINEW_VERSION "\" \"User Commands\"\n.ad l\n", date);
}

static void put_manual_name(FILE *out, const char *name, const char *help, snw_arena *arena) {
	const size_t length = strlen(help);
	fputs(".SH NAME\n", out);
	put_word(out, name, strlen(name));
	fputs(" \\- ", out);
	put_line(out, snw_arena_format(arena, "%.*s", (int)(length - (length > 0 && help[length - 1] == '.')), help));
}

static void put_manual_options(FILE *out, const snw_option *options, snw_arena *arena) {
	for (; options->name; options++) {
		const char *value = options->value ? options->value : "";
		put_term(out, snw_arena_format(arena, "%s%s%s", options->name, value[0] ? " " : "", value), options->help);
	}
}

static void put_manual_arguments(FILE *out, const snw_operator *row, snw_arena *arena) {
	for (const snw_argument *argument = row->arguments; argument->name; argument++) {
		put_term(out, snw_argument_form(argument, arena), snw_argument_meaning(argument, arena));
	}
}

static void put_manual_operators(FILE *out, const snw_verb *verb, snw_arena *arena) {
	fputs(".SH OPERATORS\nWhat changes the project is one step of its history.\n.BR sinew\\-undo (1)\ntakes it back.\n", out);
	for (const snw_operator *row = verb->noun->operators; row->name; row++) {
		fputs(".SS ", out);
		put_line(out, row->name);
		put_macro(out, "B", snw_arena_format(arena, "sinew %s P.sinew %s", verb->name, row->name));
		const char *usage = snw_operator_usage(row, arena);
		if (usage[0]) {
			put_line(out, usage);
		}
		fputs(".PP\n", out);
		put_line(out, row->help);
		put_manual_arguments(out, row, arena);
	}
}

static void put_manual_formats(FILE *out, const snw_verb *verb, snw_arena *arena) {
	const uint32_t holds = verb->formats_hold ? verb->formats_hold : UINT32_MAX;
	const snw_file_format *format;
	fputs(".SH FORMATS\n", out);
	for (uint32_t i = 0; (format = verb->formats(i)); i++) {
		if (format->holds & holds) {
			put_term(out, snw_arena_format(arena, "%s%s", format->is_numbered ? "frame*." : ".", format->extensions),
					 format->label);
		}
	}
}

/* ---- pages --------------------------------------------------------------------------------------------------------------- */

static void put_verb(FILE *out, const snw_verb *verb, snw_arena *arena) {
	const char *command = snw_arena_format(arena, "sinew %s", verb->name),
			   *name = snw_arena_format(arena, "sinew-%s", verb->name);
	const bool is_operator = snw_verb_is_operator(verb);
	put_title(out, name);
	put_manual_name(out, name, snw_verb_help(verb), arena);
	fputs(".SH SYNOPSIS\n", out);
	put_macro(out, "B", command);
	const char *usage = snw_usage_alternatives(snw_verb_usage(verb, arena), "\n", arena);
	while (usage[0]) {
		const size_t length = strcspn(usage, "\n");
		put_line(out, snw_arena_format(arena, "%.*s", (int)length, usage));
		usage += length;
		if (usage[0] == '\n') {
			usage++;
			fputs(".br\n", out);
			put_macro(out, "B", command);
		}
	}
	fputs(".SH DESCRIPTION\n", out);
	put_line(out, snw_verb_help(verb));
	if (verb->noun && !is_operator) {
		put_manual_operators(out, verb, arena);
	}
	fputs(".SH OPTIONS\n", out);
	if (is_operator) {
		put_manual_arguments(out, verb->noun->operators, arena);
	}
	put_manual_options(out, verb->options, arena);
	put_manual_options(out, snw_common_options, arena);
	if (verb->formats) {
		put_manual_formats(out, verb, arena);
	}
	fputs(".SH SEE ALSO\n.BR sinew (1)\n", out);
}

static void put_statuses(FILE *out) {
	static const char *const statuses[][2] = {
		{"0", "The command did all that was asked."},
		{"1", "It failed, or was stopped without a result. Existing files are as before."},
		{"2", "It was used wrongly: an unknown verb or option, a missing argument, a value out of range."},
		{"3", "It was stopped early, by Ctrl-C or a time limit, and kept its best result so far."},
		{"4", "It did all that was asked, but without a layer whose plug-in failed or is missing. With --strict that is 1."}};
	fputs(".SH EXIT STATUS\n", out);
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
		put_term(out, statuses[i][0], statuses[i][1]);
	}
}

static void put_environment(FILE *out) {
	fputs(".SH ENVIRONMENT\n", out);
	put_term(out, "SINEW_PLUGIN_PATH",
			 "Folders of plug-ins, and single shared objects, as absolute paths with a colon between. "
			 "They are looked at after those that ship.");
	put_term(out, "SINEW_PLUGIN_SECONDS", "How long a call of a plug-in may compute; 0 sets no limit.");
	put_term(out, "SINEW_LOG", "With the value debug, lines that are of use to authors of plug-ins are printed too.");
	fputs(".SH FILES\n", out);
	put_term(out, "~/.local/share/sinew/plugins", "Plug-ins of the user. It is in $XDG_DATA_HOME where that is set.");
}

static void put_program(FILE *out, snw_arena *arena) {
	put_title(out, "sinew");
	put_manual_name(out, "sinew", "example-based character skinning", arena);
	fputs(".SH SYNOPSIS\n", out);
	put_macro(out, "B", "sinew");
	put_line(out, "VERB …");
	put_term(out, "sinew help --markdown", "prints the arguments and options of all verbs as a page.");
	put_term(out, "sinew help --man FOLDER", "writes them as manual pages.");
	put_term(out, "sinew --version", "prints the version, the build, and the versions of the libraries.");
	fputs(".SH DESCRIPTION\n", out);
	put_line(out, "Sinew learns how the skin of a character moves from examples: poses that an artist has sculpted, or a mesh "
				  "animation. It shows the skin in a window, measures it, and exports it for game engines. A project is a file "
				  "that ends in .sinew.");
	fputs(".SH VERBS\nEach has a page:\n.BR sinew\\-sample (1)\nand so on.\n", out);
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		const char *heading = snw_verb_heading(verb);
		if (heading) {
			put_macro(out, "SS", heading);
		}
		put_term(out, (*verb)->name, snw_verb_help(*verb));
	}
	fputs(".SH OPTIONS\nEvery verb takes these.\n", out);
	put_manual_options(out, snw_common_options, arena);
	put_statuses(out);
	put_environment(out);
	fputs(".SH SEE ALSO\n", out);
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		put_macro(out, "BR", snw_arena_format(arena, "sinew-%s (1)%s", (*verb)->name, verb[1] ? "," : ""));
	}
}

/* The page of a verb; NULL: that of the program. */
static snw_status write_manual_page(const char *folder, const snw_verb *verb, snw_arena *arena, snw_error *error) {
	const char *name = verb ? snw_arena_format(arena, "sinew-%s.1", verb->name) : "sinew.1";
	snw_file_write *file;
	const snw_status status = snw_file_write_begin(snw_path_join(arena, folder, name), &file, error);
	if (snw_failed(status)) {
		return status;
	}
	if (verb) {
		put_verb(snw_file_write_stream(file), verb, arena);
	} else {
		put_program(snw_file_write_stream(file), arena);
	}
	return snw_file_write_commit(file, error);
}

snw_status snw_write_manual(const char *folder, snw_error *error) {
	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		return snw_fail(error, SNW_ERROR_IO, "%s: the folder cannot be made: %s", folder, strerror(errno));
	}
	snw_arena *arena = snw_arena_create();
	snw_status status = write_manual_page(folder, NULL, arena, error);
	for (const snw_verb *const *verb = snw_verbs; *verb && !snw_failed(status); verb++) {
		status = write_manual_page(folder, *verb, arena, error);
	}
	snw_arena_destroy(arena);
	return status;
}
