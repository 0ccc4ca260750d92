/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses the arguments of a call.
 */
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/numbers.h"
#include "cli/command_line/verb.h"
#include "operators/operator.h"
#include "sinew/kit/clock.h"

/* ---- call ---------------------------------------------------------------------------------------------------------------- */

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
	if (call->argument_count > 1 && !verb->table && !verb->run) {
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
	return snw_fail(error, SNW_ERROR_ARGUMENT, "unknown action '%s', expected one of %s; usage: sinew %s %s",
					snw_text_short(action, call->arena), snw_verb_actions(call->verb, call->arena), call->verb->name,
					snw_verb_usage(call->verb, call->arena));
}

/* ---- answer -------------------------------------------------------------------------------------------------------------- */

/* Output: lines for people, or one JSON object for scripts. */

const char *snw_without_control(snw_arena *arena, const char *text) {
	char *clean = snw_arena_format(arena, "%s", text);
	snw_text_clean(clean, '_');
	return clean;
}

static char *format_list(snw_arena *arena, const char *format, va_list arguments) {
	va_list again;
	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *text = SNW_NEW_ARRAY(arena, char, (size_t)(length > 0 ? length : 0) + 1);
	vsnprintf(text, (size_t)(length > 0 ? length : 0) + 1, format, arguments);
	return text;
}

void snw_say(const snw_call *call, const char *format, ...) {
	if (call->quiet || call->json) {
		return;
	}
	snw_terminal_clear();
	va_list arguments;
	va_start(arguments, format);
	char *line = format_list(call->arena, format, arguments);
	va_end(arguments);
	for (char *end; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end) {
			*end = '\0';
		}
		snw_text_clean(line, '_');
		puts(line);
	}
}

void snw_print_json(const char *text) {
	while (*text) {
		const size_t control = *text == '\n' || *text == '\t' ? 0 : snw_text_control(text), letter = snw_text_letter(text);
		if (control) { /* U+007F to U+009F: JSON would allow these */
			printf("\\u%04x", (unsigned char)text[control - 1]);
		} else if (letter == 0) {
			printf("\\ufffd");
		} else {
			fwrite(text, 1, letter, stdout);
		}
		text += letter ? letter : 1;
	}
	putchar('\n');
}

const char *snw_padded(const snw_call *call, const char *text, int columns) {
	int used = 0;
	for (const char *at = text; *at; at++) {
		used += ((unsigned char)*at & 0xc0) != 0x80; /* the first byte of each letter */
	}
	return snw_arena_format(call->arena, "%s%*s", text, used < columns ? columns - used : 0, "");
}

void snw_answer_text(cJSON *object, const char *key, const char *text) {
	if (object && text) {
		cJSON_AddStringToObject(object, key, text);
	} else if (object) {
		cJSON_AddNullToObject(object, key);
	}
}

void snw_answer_number(cJSON *object, const char *key, double number) {
	if (object && isfinite(number)) {
		cJSON_AddNumberToObject(object, key, number);
	} else if (object) {
		cJSON_AddNullToObject(object, key);
	}
}

void snw_answer_bool(cJSON *object, const char *key, bool value) {
	if (object) {
		cJSON_AddBoolToObject(object, key, value);
	}
}

cJSON *snw_answer_list(cJSON *object, const char *key) {
	return object ? cJSON_AddArrayToObject(object, key) : NULL;
}

cJSON *snw_answer_row(cJSON *list) {
	if (!list) {
		return NULL;
	}
	cJSON *row = cJSON_CreateObject();
	cJSON_AddItemToArray(list, row);
	return row;
}

/* ---- terminal ------------------------------------------------------------------------------------------------------------ */

/* The terminal: a progress bar if standard error is one, Ctrl-C as a request to stop, notices. */

enum { BAR_WIDTH = 30 };

static volatile sig_atomic_t stop_requested;
static bool bar_drawn;

static void request_stop(int signal_number) {
	(void)signal_number;
	stop_requested = 1;
}

/* Drawn at most ten times a second, and not at all if the work is done within a third of a second. */
static void draw_bar(double fraction, const char *step) {
	static double started, drawn;
	const double time = snk_clock_seconds();
	if (started == 0) {
		started = time;
	}
	if (time - started < 0.3 || time - drawn < 0.1) {
		return;
	}
	drawn = time;
	const int filled = fraction < 0 ? 0 : fraction > 1 ? BAR_WIDTH : (int)(fraction * BAR_WIDTH);
	char bar[BAR_WIDTH + 1];
	memset(bar, '#', (size_t)filled);
	memset(bar + filled, '.', (size_t)(BAR_WIDTH - filled));
	bar[BAR_WIDTH] = '\0';
	fprintf(stderr, "\r\033[K[%s] %3.0f %% %s", bar, 100 * fraction, step ? step : "");
	fflush(stderr);
	bar_drawn = true;
}

/* {"progress": 0.42, "activity": "fitting weights"}, at most ten times a second. */
static void print_json(double fraction, const char *step) {
	static double printed;
	const double time = snk_clock_seconds();
	if (time - printed < 0.1) {
		return;
	}
	printed = time;
	cJSON *line = cJSON_CreateObject();
	snw_answer_number(line, "progress", fraction < 0 ? 0 : fraction > 1 ? 1 : fraction);
	snw_answer_text(line, "activity", step ? step : "");
	char *text = cJSON_PrintUnformatted(line);
	if (text) {
		fprintf(stderr, "%s\n", text);
		cJSON_free(text);
	}
	cJSON_Delete(line);
}

void snw_terminal_clear(void) {
	if (bar_drawn) {
		fprintf(stderr, "\r\033[K");
		fflush(stderr);
		bar_drawn = false;
	}
}

/* What is printed besides the answer. */
typedef struct output_mode {
	bool quiet, as_json, shows_debug;
} output_mode;

static bool show_progress(void *context, double fraction, const char *step) {
	const output_mode *mode = context;
	if (mode->as_json) {
		print_json(fraction, step);
	} else if (!mode->quiet && isatty(STDERR_FILENO)) {
		draw_bar(fraction, step);
	}
	return !stop_requested;
}

/* Every stack that is built reports the layers that it leaves out; print each report once. */
static bool was_shown(const char *line) {
	static uint64_t shown[64];
	static unsigned next;
	snw_hash hash = {0};
	snw_hash_text(&hash, line);
	for (unsigned i = 0; i < sizeof shown / sizeof *shown; i++) {
		if (shown[i] == snw_hash_value(&hash)) {
			return true;
		}
	}
	shown[next++ % (sizeof shown / sizeof *shown)] = snw_hash_value(&hash);
	return false;
}

static void show_notice(void *context, snw_log_level level, const char *line) {
	const output_mode *mode = context;
	if ((level == SNW_LOG_DEBUG && !mode->shows_debug) || (mode->quiet && level < SNW_LOG_ERROR)) {
		return;
	}
	if (was_shown(line)) {
		return;
	}
	snw_terminal_clear();
	snw_arena *arena = snw_arena_create();
	fprintf(stderr, "%s: %s\n",
			level >= SNW_LOG_WARNING ? "warning"
			: level == SNW_LOG_DEBUG ? "debug"
									 : "note",
			snw_without_control(arena, line));
	snw_arena_destroy(arena);
}

bool snw_terminal_forget_stop(void) {
	const bool was_requested = stop_requested;
	struct sigaction action = {.sa_handler = request_stop, .sa_flags = (int)SA_RESETHAND};
	sigemptyset(&action.sa_mask);
	stop_requested = 0;
	sigaction(SIGINT, &action, NULL);
	return was_requested;
}

snw_task snw_terminal_task(bool quiet, bool as_json) {
	static output_mode mode;
	const char *log = getenv("SINEW_LOG");
	mode = (output_mode){quiet, as_json, log && strcmp(log, "debug") == 0};
	(void)snw_terminal_forget_stop();
	return (snw_task){.context = &mode, .progress = show_progress, .notice = show_notice};
}
