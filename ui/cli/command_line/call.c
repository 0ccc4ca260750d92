/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses the arguments of a call.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_line/operate.h"
#include "cli/command_line/verb.h"
#include "operators/operator.h"

const snw_option snw_common_options[] = {
	{"--json", NULL, "print one JSON object on standard output"},
	{"--quiet", NULL, "print nothing but errors"},
	{"--strict", NULL, "fail, and write nothing, where a layer would be left out whose plug-in fails or is missing"},
	{"--progress", NULL, "print progress as JSON objects on standard error, one a line"},
	{"--trace", "FILE", "write every call of a plug-in to FILE, for Perfetto or chrome://tracing"},
	{"--help", NULL, "show this help"},
	{NULL, NULL, NULL},
};

static const snw_option *find_option(const snw_option *options, const char *name, size_t length) {
	for (; options->name; options++) {
		if (strlen(options->name) == length && strncmp(options->name, name, length) == 0) {
			return options;
		}
	}
	return NULL;
}

/* Reads the option at given[*i], with its value after '=' or in the next argument. */
static snw_status take_option(snw_call *call, int count, char **given, int *i, snw_error *error) {
	const char *text = given[*i];
	const char *equals = strchr(text, '=');
	const size_t length = equals ? (size_t)(equals - text) : strlen(text);
	const snw_option *option = find_option(call->verb->options, text, length);
	if (!option) {
		option = find_option(snw_common_options, text, length);
	}
	const char *name = snw_arena_format(call->arena, "%.*s", (int)length, text);
	if (!option && snw_operator_renamed(call->verb->name, name)) {
		return snw_call_unknown_action(call, name, error);
	}
	if (!option && call->verb->noun && call->argument_count < 2 && !snw_verb_is_operator(call->verb)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: say first what to do: sinew %s P.sinew %s …", name, call->verb->name,
						snw_verb_actions(call->verb, call->arena));
	}
	if (!option) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "unknown option '%s'; 'sinew %s --help' lists the options",
						snw_text_short(name, call->arena), call->verb->name);
	}
	const char *value = "";
	if (option->value && equals) {
		value = equals + 1;
	} else if (option->value) {
		if (*i + 1 >= count) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s needs a value: %s", option->name, option->value);
		}
		value = given[++*i];
	} else if (equals) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s takes no value", option->name);
	}
	call->option_names[call->option_count] = option->name;
	call->option_values[call->option_count++] = value;
	return SNW_OK;
}

/* Whether an argument has the file extension of an option's value: the shell has expanded a pattern, and the option got only
 * the first name. */
static bool is_expanded_pattern(const snw_call *call, const char *argument) {
	const char *extension = strrchr(argument, '.');
	for (int i = 0; i < call->option_count && extension; i++) {
		const char *other = strrchr(call->option_values[i], '.');
		if (other && strcmp(other, extension) == 0) {
			return true;
		}
	}
	return false;
}

static snw_status check_argument_count(const snw_call *call, snw_error *error) {
	const snw_verb *verb = call->verb;
	if (call->argument_count < verb->least_arguments) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "missing argument; usage: sinew %s %s", verb->name,
						snw_verb_usage(verb, call->arena));
	}
	if (call->argument_count > 1 && ((!verb->table && !verb->run) || snw_operator_renamed(verb->name, call->arguments[1]))) {
		return snw_call_unknown_action(call, call->arguments[1], error);
	}
	if (call->argument_count <= verb->most_arguments) {
		return SNW_OK;
	}
	const char *extra = call->arguments[verb->most_arguments];
	return snw_fail(error, SNW_ERROR_ARGUMENT, "unexpected argument '%s'%s; usage: sinew %s %s",
					snw_text_short(extra, call->arena),
					is_expanded_pattern(call, extra) ? " (put a pattern with a * in quotes)" : "", verb->name,
					snw_verb_usage(verb, call->arena));
}

/* The words of an operation that are not the command line's own: the value of an option stays with it. */
typedef struct operation_words {
	uint32_t count;
	const char **list;
} operation_words;

/* PROJECT OPERATOR …: the words beside the common options are the operator's. */
static snw_status sort_words(snw_call *call, int count, char **given, operation_words *words, snw_error *error) {
	snw_status status = SNW_OK;
	for (int i = 2; i < count && !snw_failed(status); i++) {
		if (find_option(snw_common_options, given[i], strcspn(given[i], "="))) {
			status = take_option(call, count, given, &i, error);
		} else {
			words->list[words->count++] = given[i];
		}
	}
	call->arguments[call->argument_count++] = given[0];
	return status;
}

/* Of a verb that is an operator itself, one of the plain words is the project, and the verb has options of its own. */
static snw_status sort_verb_words(snw_call *call, const snw_operator *row, int count, char **given, operation_words *words,
								  snw_error *error) {
	bool options_end = false;
	int plain = 0;
	for (int i = 0; i < count; i++) {
		const size_t length = strcspn(given[i], "=");
		const snw_argument *argument = options_end ? NULL : snw_operator_argument(row, given[i]);
		const bool is_plain = options_end || given[i][0] != '-' || !given[i][1];
		if (is_plain && plain++ == call->verb->project_place) {
			call->arguments[call->argument_count++] = given[i];
		} else if (!options_end &&
				   (find_option(snw_common_options, given[i], length) || find_option(call->verb->options, given[i], length))) {
			const snw_status status = take_option(call, count, given, &i, error);
			if (snw_failed(status)) {
				return status;
			}
		} else {
			options_end = options_end || strcmp(given[i], "--") == 0;
			words->list[words->count++] = given[i];
			if (argument && argument->kind != SNW_ARGUMENT_SWITCH && !given[i][length] && i + 1 < count) {
				words->list[words->count++] = given[++i];
			}
		}
	}
	return SNW_OK;
}

static snw_status take_operation(snw_call *call, const snw_operator *row, int count, char **given, snw_error *error) {
	operation_words words = {.list = SNW_NEW_ARRAY(call->arena, const char *, (size_t)count + 1)};
	snw_status status =
		row->name[0] ? sort_words(call, count, given, &words, error) : sort_verb_words(call, row, count, given, &words, error);
	call->help = snw_call_option(call, "--help") != NULL;
	if (snw_failed(status) || call->help) {
		return status;
	}
	call->operation = SNW_NEW(call->arena, snw_operator_call);
	status = snw_operator_parse(call->verb->noun, row, words.count, words.list, call->arena, call->operation, error);
	if (!snw_failed(status) && call->argument_count == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "missing argument; usage: sinew %s %s", call->verb->name,
						snw_verb_usage(call->verb, call->arena));
	}
	return snw_failed(status) ? status : snw_operator_expect_complete(call->operation, call->arena, error);
}

static snw_status take_words(snw_call *call, int count, char **given, snw_error *error) {
	bool options_end = false;
	snw_status status = SNW_OK;
	for (int i = 0; i < count && !snw_failed(status); i++) {
		if (!options_end && strcmp(given[i], "--") == 0) {
			options_end = true;
		} else if (!options_end && given[i][0] == '-' && given[i][1] != '\0') {
			status = take_option(call, count, given, &i, error);
		} else {
			call->arguments[call->argument_count++] = given[i];
		}
	}
	return status;
}

snw_status snw_call_parse(snw_call *call, int count, char **given, snw_error *error) {
	const size_t room = (size_t)count + 1;
	call->arguments = SNW_NEW_ARRAY(call->arena, const char *, room);
	call->option_names = SNW_NEW_ARRAY(call->arena, const char *, room);
	call->option_values = SNW_NEW_ARRAY(call->arena, const char *, room);
	const snw_operator *row = snw_verb_operator(call->verb, count, given);
	const snw_status status = row ? take_operation(call, row, count, given, error) : take_words(call, count, given, error);
	if (snw_failed(status)) {
		return status;
	}
	call->json = snw_call_option(call, "--json") != NULL;
	call->quiet = snw_call_option(call, "--quiet") != NULL;
	call->help = snw_call_option(call, "--help") != NULL;
	return call->help || call->operation ? SNW_OK : check_argument_count(call, error);
}

const char *snw_call_option(const snw_call *call, const char *name) {
	const char *value = NULL;
	for (int i = 0; i < call->option_count; i++) {
		if (strcmp(call->option_names[i], name) == 0) {
			value = call->option_values[i];
		}
	}
	return value;
}

const char *snw_call_option_at(const snw_call *call, const char *name, int index) {
	for (int i = 0; i < call->option_count; i++) {
		if (strcmp(call->option_names[i], name) == 0 && index-- == 0) {
			return call->option_values[i];
		}
	}
	return NULL;
}

static snw_status read_number(const char *name, const char *text, double least, double most, double otherwise, double *value,
							  snw_error *error) {
	if (!text) {
		*value = otherwise;
		return SNW_OK;
	}
	char *end;
	const double number = strtod(text, &end);
	if (end == text || *end || !(number >= least && number <= most)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: expected a number from %g to %g", name, text, least, most);
	}
	*value = number;
	return SNW_OK;
}

snw_status snw_call_number(const snw_call *call, const char *name, double least, double most, double otherwise, double *value,
						   snw_error *error) {
	return read_number(name, snw_call_option(call, name), least, most, otherwise, value, error);
}

snw_status snw_call_number_at(const snw_call *call, const char *name, int index, double least, double most, double otherwise,
							  double *value, snw_error *error) {
	return read_number(name, snw_call_option_at(call, name, index), least, most, otherwise, value, error);
}

snw_status snw_call_argument(const snw_call *call, int index, const char *meaning, const char **argument, snw_error *error) {
	if (index >= call->argument_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s is missing; usage: sinew %s %s", meaning, call->verb->name,
						snw_verb_usage(call->verb, call->arena));
	}
	*argument = call->arguments[index];
	return SNW_OK;
}

snw_status snw_call_unknown_action(const snw_call *call, const char *action, snw_error *error) {
	const char *renamed = snw_operator_renamed(call->verb->name, action);
	if (renamed) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "'%s %s' is now '%s'", call->verb->name, action, renamed);
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "unknown action '%s', expected one of %s; usage: sinew %s %s",
					snw_text_short(action, call->arena), snw_verb_actions(call->verb, call->arena), call->verb->name,
					snw_verb_usage(call->verb, call->arena));
}
