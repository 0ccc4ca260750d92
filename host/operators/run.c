/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/operator.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "worker/worker.h"

/* ---- reports ------------------------------------------------------------------------------------------------------------- */

static void add_fact(snw_operator_report *report, snw_fact fact) {
	report->facts = snw_arena_grow(report->arena, report->facts, report->fact_count, &report->fact_room, sizeof fact);
	fact.name = snw_arena_text(report->arena, fact.name);
	fact.text = snw_arena_text(report->arena, fact.text);
	fact.list = report->list;
	fact.row = report->row;
	report->facts[report->fact_count++] = fact;
}

void snw_report_made(snw_operator_report *report, snw_noun noun, const char *name) {
	uint32_t index;
	const bool is_new = snw_failed(snw_noun_find(report->scene, noun, name, &index, NULL));
	add_fact(report, (snw_fact){.kind = is_new ? SNW_FACT_MADE : SNW_FACT_CHANGED, .noun = noun, .name = name});
}

void snw_report_changed(snw_operator_report *report, snw_noun noun, const char *name) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_CHANGED, .noun = noun, .name = name});
}

void snw_report_removed(snw_operator_report *report, snw_noun noun, const char *name) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_REMOVED, .noun = noun, .name = name});
}

void snw_report_refused(snw_operator_report *report, snw_noun noun, const char *name, const char *why) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_REFUSED, .noun = noun, .name = name, .text = why});
}

void snw_report_number(snw_operator_report *report, const char *key, double number) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_NUMBER, .name = key, .number = number});
}

void snw_report_text(snw_operator_report *report, const char *key, const char *text) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_TEXT, .name = key, .text = text});
}

static void add_line(snw_arena *arena, snw_report_lines *lines, const char *format, va_list arguments) {
	char line[1000];
	vsnprintf(line, sizeof line, format, arguments);
	lines->list = snw_arena_grow(arena, lines->list, lines->count, &lines->room, sizeof *lines->list);
	lines->list[lines->count++] = snw_arena_text(arena, line);
}

void snw_report_say(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	add_line(report->arena, &report->sentences, format, arguments);
	va_end(arguments);
}

void snw_report_row(snw_operator_report *report, const char *list, uint32_t row) {
	report->list = list;
	report->row = row;
}

void snw_report_detail(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	add_line(report->arena, &report->details, format, arguments);
	va_end(arguments);
}

void snw_report_warn(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	add_line(report->arena, &report->warnings, format, arguments);
	va_end(arguments);
}

/* The operator has left everything as it was. What an operator without such facts says, it knew that it would change
 * nothing. */
static void report_unchanged(snw_operator_report *report) {
	uint32_t kept = 0;
	for (uint32_t i = 0; i < report->fact_count; i++) {
		if (report->facts[i].kind >= SNW_FACT_REFUSED) {
			report->facts[kept++] = report->facts[i];
		}
	}
	if (kept < report->fact_count || report->sentences.count == 0) {
		report->sentences.count = report->details.count = 0;
		snw_report_say(report, "nothing to change");
	}
	report->fact_count = kept;
}

const char *snw_fact_word(snw_fact_kind kind) {
	static const char *const words[] = {
		[SNW_FACT_MADE] = "made",       [SNW_FACT_CHANGED] = "changed", [SNW_FACT_REMOVED] = "removed",
		[SNW_FACT_REFUSED] = "refused", [SNW_FACT_NUMBER] = "",         [SNW_FACT_TEXT] = ""};
	return words[kind];
}

const char *snw_fact_sentence(const snw_fact *fact, snw_arena *arena) {
	return snw_arena_format(arena, "%s %s: %s%s%s", snw_noun_word(fact->noun), fact->name, snw_fact_word(fact->kind),
							fact->text ? ": " : "", fact->text ? fact->text : "");
}

/* ---- runs ---------------------------------------------------------------------------------------------------------------- */

/* Runs a call: its words become values of the scene, its function changes the project in one step, and what is fast is fitted
 * again. */

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static const char *shown_name(const snw_argument *argument, snw_arena *arena) {
	return argument->flags & SNW_ARGUMENT_BARE ? argument->value : snw_arena_format(arena, "--%s", argument->name);
}

static snw_status read_number(const snw_argument *argument, const char *text, snw_arena *arena, double *number,
							  snw_error *error) {
	char *end;
	*number = strtod(text, &end);
	const bool is_whole = argument->kind != SNW_ARGUMENT_COUNT || *number == floor(*number);
	if (end == text || *end || !is_whole || !(*number >= argument->least && *number <= argument->most)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: expected a %snumber from %g to %g: %s", shown_name(argument, arena),
						snw_text_short(text, arena), argument->kind == SNW_ARGUMENT_COUNT ? "whole " : "", argument->least,
						argument->most, argument->help);
	}
	return SNW_OK;
}

/* The place of a word among "x|y|z". */
static snw_status read_choice(const snw_argument *argument, const char *text, snw_arena *arena, double *number,
							  snw_error *error) {
	uint32_t index = 0;
	for (const char *at = argument->choices; at; index++) {
		const size_t length = strcspn(at, "|");
		if (strlen(text) == length && strncmp(at, text, length) == 0) {
			*number = index;
			return SNW_OK;
		}
		at = at[length] ? at + length + 1 : NULL;
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: expected one of %s", shown_name(argument, arena),
					snw_text_short(text, arena), argument->choices);
}

static bool is_place(const char *text, double place[3]) {
	int end = 0;
	return sscanf(text, "%lf,%lf,%lf%n", &place[0], &place[1], &place[2], &end) == 3 && text[end] == '\0' &&
		   isfinite(place[0] + place[1] + place[2]);
}

/* NAME=NUMBER or NAME=X,Y,Z. Names may have '=' in them: the last one counts. */
static snw_status read_pair(const snw_scene *scene, const snw_argument *argument, snw_argument_value *value, snw_arena *arena,
							snw_error *error) {
	const char *equals = strrchr(value->text, '=');
	char *end = NULL;
	bool is_valid = equals;
	if (equals && argument->kind == SNW_ARGUMENT_THING_PLACE) {
		is_valid = is_place(equals + 1, value->place);
	} else if (equals) {
		value->number = strtod(equals + 1, &end);
		is_valid = end != equals + 1 && *end == '\0' && value->number >= argument->least && value->number <= argument->most;
	}
	if (!is_valid) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: expected %s", shown_name(argument, arena),
						snw_text_short(value->text, arena), argument->value);
	}
	const char *name = snw_arena_format(arena, "%.*s", (int)(equals - value->text), value->text);
	return snw_noun_find(scene, argument->noun, name, &value->index, error);
}

static snw_status read_value(const snw_scene *scene, const snw_argument *argument, snw_argument_value *value, snw_arena *arena,
							 snw_error *error) {
	switch (argument->kind) {
	case SNW_ARGUMENT_NUMBER:
	case SNW_ARGUMENT_COUNT:
		return read_number(argument, value->text, arena, &value->number, error);
	case SNW_ARGUMENT_CHOICE:
		return read_choice(argument, value->text, arena, &value->number, error);
	case SNW_ARGUMENT_THING:
		return snw_noun_find(scene, argument->noun, value->text, &value->index, error);
	case SNW_ARGUMENT_PLACE:
		return is_place(value->text, value->place) ? SNW_OK
												   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: expected X,Y,Z",
															  shown_name(argument, arena), snw_text_short(value->text, arena));
	case SNW_ARGUMENT_THING_NUMBER:
	case SNW_ARGUMENT_THING_PLACE:
		return read_pair(scene, argument, value, arena, error);
	case SNW_ARGUMENT_SWITCH:
	case SNW_ARGUMENT_TEXT:
	case SNW_ARGUMENT_FILE:
		return SNW_OK;
	}
	return SNW_OK;
}

/* Things may be given as A,B unless a thing has that name. */
static snw_status add_value(const snw_scene *scene, const snw_argument *argument, const char *text, snw_argument_values *values,
							snw_argument_value *list, snw_arena *arena, snw_error *error) {
	const bool are_many = argument->kind == SNW_ARGUMENT_THING && argument->flags & SNW_ARGUMENT_MANY;
	uint32_t whole;
	char *rest =
		are_many && snw_failed(snw_noun_find(scene, argument->noun, text, &whole, NULL)) ? snw_arena_text(arena, text) : NULL;
	snw_status status = SNW_OK;
	do {
		snw_argument_value *value = &list[values->count++];
		value->text = rest ? strsep(&rest, ",") : text;
		status = read_value(scene, argument, value, arena, error);
	} while (rest && !snw_failed(status));
	return status;
}

static void give_value(snw_argument_values *values, const char *text, snw_arena *arena) {
	snw_argument_value *value = SNW_NEW(arena, snw_argument_value);
	*value = (snw_argument_value){.text = text};
	*values = (snw_argument_values){1, value};
}

/* "joint-1", or the next that is free. */
static const char *free_name(const snw_scene *scene, snw_noun noun, snw_arena *arena) {
	return snw_noun_free_name(scene, noun, snw_arena_format(arena, "%s-1", snw_noun_word(noun)), arena);
}

/* Of a thing that was not named: the only one there is. */
static snw_status take_only(const snw_scene *scene, const snw_argument *argument, snw_argument_values *values, snw_arena *arena,
							snw_error *error) {
	const char *word = snw_noun_word(argument->noun), *names = "";
	const uint32_t count = snw_noun_count(scene, argument->noun);
	if (count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "the project has no %s", word);
	}
	for (uint32_t i = 0; count > 1 && i < count; i++) {
		names = snw_arena_format(arena, "%s%s%s", names, i ? ", " : "", snw_noun_name(scene, argument->noun, i));
	}
	if (count > 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "which %s? choose one with %s: %s", word, shown_name(argument, arena),
						names);
	}
	give_value(values, snw_noun_name(scene, argument->noun, 0), arena);
	return SNW_OK;
}

static snw_status read_argument(const snw_operator_call *call, uint32_t a, const snw_scene *scene, snw_argument_values *values,
								snw_arena *arena, snw_error *error) {
	const snw_argument *argument = &call->row->arguments[a];
	size_t room = 0;
	for (uint32_t i = 0; i < call->count; i++) {
		room += call->given[i].argument == a ? strlen(call->given[i].text) + 1 : 0;
	}
	snw_argument_value *list = SNW_NEW_ARRAY(arena, snw_argument_value, room);
	snw_status status = SNW_OK;
	*values = (snw_argument_values){.at = list};
	for (uint32_t i = 0; i < call->count && !snw_failed(status); i++) {
		if (call->given[i].argument == a) {
			status = add_value(scene, argument, call->given[i].text, values, list, arena, error);
		}
	}
	if (room == 0 && argument->flags & SNW_ARGUMENT_NEW) {
		give_value(values, free_name(scene, argument->noun, arena), arena);
	}
	return room == 0 && argument->flags & SNW_ARGUMENT_ONLY ? take_only(scene, argument, values, arena, error) : status;
}

static uint32_t argument_count(const snw_operator *row) {
	uint32_t count = 0;
	while (row->arguments[count].name) {
		count++;
	}
	return count;
}

static snw_status read_values(const snw_operator_call *call, const snw_scene *scene, snw_arena *arena,
							  const snw_argument_values **values, snw_error *error) {
	const uint32_t count = argument_count(call->row);
	snw_argument_values *list = SNW_NEW_ARRAY(arena, snw_argument_values, (size_t)count + 1);
	snw_status status = SNW_OK;
	for (uint32_t a = 0; a < count && !snw_failed(status); a++) {
		status = read_argument(call, a, scene, &list[a], arena, error);
	}
	*values = list;
	return status;
}

/* ---- for the functions of rows ------------------------------------------------------------------------------------------- */

static const snw_argument_value *last_value(const snw_operation *operation, const char *name) {
	const snw_argument_values *values = snw_operation_values(operation, name);
	return values->count > 0 ? &values->at[values->count - 1] : NULL;
}

bool snw_operation_has(const snw_operation *operation, const char *name) {
	return snw_operation_values(operation, name)->count > 0;
}

const snw_argument_values *snw_operation_values(const snw_operation *operation, const char *name) {
	return &operation->values[snw_operator_argument_index(operation->row, name)];
}

double snw_operation_number(const snw_operation *operation, const char *name) {
	const snw_argument_value *value = last_value(operation, name);
	return value ? value->number : operation->row->arguments[snw_operator_argument_index(operation->row, name)].initial;
}

uint32_t snw_operation_count(const snw_operation *operation, const char *name) {
	return (uint32_t)snw_operation_number(operation, name);
}

const char *snw_operation_text(const snw_operation *operation, const char *name) {
	const snw_argument_value *value = last_value(operation, name);
	return value ? value->text : NULL;
}

uint32_t snw_operation_thing(const snw_operation *operation, const char *name) {
	const snw_argument_value *value = last_value(operation, name);
	return value ? value->index : SNW_NONE;
}

const uint32_t *snw_operation_things(const snw_operation *operation, const char *name, uint32_t *count) {
	const snw_argument_values *values = snw_operation_values(operation, name);
	uint32_t *indices = SNW_NEW_ARRAY(operation->arena, uint32_t, (size_t)values->count + 1);
	for (uint32_t i = 0; i < values->count; i++) {
		indices[i] = values->at[i].index;
	}
	*count = values->count;
	return indices;
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

/* The history names what the call is for, given or found. */
static const char *step_label(const snw_operation *operation) {
	const char *texts[2] = {NULL, NULL};
	if (operation->work && operation->work->label) {
		return operation->work->label;
	}
	for (uint32_t a = 0; a < 2 && operation->row->arguments[a].name; a++) {
		texts[a] = operation->values[a].count > 0 ? operation->values[a].at[0].text : NULL;
	}
	return snw_operator_label(operation->row, texts[0], texts[1], operation->arena);
}

/* Of several calls that are one step, the first that changes something begins it. */
static snw_status begin(const snw_operation *operation, snw_error *error) {
	const snw_operator_context *context = operation->in;
	const bool beside = operation->work && operation->work->is_beside;
	if (!context->step) {
		const char *label = context->label ? context->label : step_label(operation);
		return beside ? snw_project_begin_beside(context->project, label, error)
					  : snw_project_begin(context->project, label, error);
	}
	const snw_status status = snw_project_begin_amend(context->project, error);
	return status == SNW_ERROR_MISSING ? snw_project_begin(context->project, context->step, error) : status;
}

static snw_status refit(const snw_operator_context *context, snw_operator_report *report, snw_error *error) {
	static const snw_worker_limits here = {.in_process = true};
	snw_refresh refresh = {0};
	if (!context->registry) {
		return SNW_OK;
	}
	const snw_status status =
		snw_worker_refresh(context->project, context->path, context->registry, context->refits_here ? &here : context->limits,
						   context->task, context->arena, &refresh, error);
	report->refitted_count = refresh.fitted_count;
	report->refitted = refresh.fitted;
	report->failed_count = refresh.failed_count;
	report->failed = refresh.failed;
	return status;
}

/* The step is made: what cannot be reported on it is a warning. */
static void report_after(snw_operation *operation) {
	snw_error error = {0};
	const snw_status status = operation->after(operation, &error);
	if (snw_failed(status)) {
		snw_report_warn(operation->report, "the change is made, but its error was not measured: %s", error.text);
	}
}

/* Reads the values of a call, and does the work that comes before its step. */
static snw_status prepare(const snw_operator_call *call, const snw_operator_context *context, snw_operation *operation,
						  snw_operator_report *report, snw_error *error) {
	*operation = (snw_operation){.row = call->row,
								 .in = context,
								 .scene = context->scene,
								 .project = context->project,
								 .arena = context->arena,
								 .work = context->work,
								 .report = report};
	*report = context->work ? *report : (snw_operator_report){0};
	report->arena = context->arena;
	report->scene = context->scene;
	snw_status status = snw_operator_expect_complete(call, context->arena, error);
	status = snw_failed(status) ? status : read_values(call, context->scene, context->arena, &operation->values, error);
	if (snw_failed(status) || !(call->row->flags & SNW_OPERATOR_LONG) || context->work) {
		return status;
	}
	operation->work = SNW_NEW(context->arena, snw_operator_work);
	*operation->work = (snw_operator_work){0};
	return call->row->run(operation, error);
}

snw_status snw_operator_do_work(const snw_operator_call *call, const snw_operator_context *context, snw_operator_work **work,
								snw_operator_report *report, snw_error *error) {
	snw_operation operation;
	const snw_status status = prepare(call, context, &operation, report, error);
	*work = snw_failed(status) ? NULL : operation.work;
	return status;
}

/* In a step, with what is fast and was fitted again. */
static snw_status run_step(snw_operation *operation, snw_operator_function *write, snw_error *error) {
	const snw_operator_context *context = operation->in;
	snw_status status = begin(operation, error);
	status = snw_failed(status) ? status : write(operation, error);
	if (!snw_failed(status) && operation->label && !context->step) {
		status = snw_project_relabel(context->project, operation->label, error);
	}
	if (snw_failed(status)) {
		snw_project_rollback(context->project);
		return status;
	}
	status = snw_project_commit(context->project, error);
	if (snw_failed(status) || !snw_project_has_changed(context->project)) {
		report_unchanged(operation->report);
		return status;
	}
	const bool refits = operation->row->flags & SNW_OPERATOR_REFITS && !operation->is_unread;
	status = refits ? refit(context, operation->report, error) : SNW_OK;
	if (!snw_failed(status) && operation->after) {
		report_after(operation);
	}
	return status;
}

snw_status snw_operator_run(const snw_operator_call *call, const snw_operator_context *context, snw_operator_report *report,
							snw_error *error) {
	snw_operation operation;
	snw_status status = prepare(call, context, &operation, report, error);
	snw_operator_work *work = operation.work;
	snw_operator_function *write = work ? work->write : call->row->run;
	if (!snw_failed(status) && write) {
		status = call->row->flags & SNW_OPERATOR_READS ? write(&operation, error) : run_step(&operation, write, error);
	}
	if (work && work->end) {
		work->end(work);
	}
	return status;
}

/* ---- scripts ------------------------------------------------------------------------------------------------------------- */

static const char *const own_words[] = {[SNW_SCRIPT_UNDO] = "undo", [SNW_SCRIPT_REDO] = "redo", [SNW_SCRIPT_SAVE] = "save"};

bool snw_script_is_step(const char *word, snw_script_step *step) {
	for (snw_script_step s = SNW_SCRIPT_UNDO; s <= SNW_SCRIPT_SAVE; s++) {
		const size_t length = strlen(own_words[s]);
		if (strncmp(word, own_words[s], length) == 0 && word[length + strspn(word + length, " \t\r")] == '\0') {
			*step = s;
			return true;
		}
	}
	return false;
}

/* If a later line fails, all is taken back. */
static snw_status expect_taken_back(const snw_operator_call *call, snw_arena *arena, snw_error *error) {
	for (uint32_t i = 0; i < call->count; i++) {
		const snw_argument *argument = &call->row->arguments[call->given[i].argument];
		if (argument->flags & SNW_ARGUMENT_LASTS) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"'%s' writes '%s', which could not be taken back with the other lines; leave out --as-one",
							snw_operator_name(call->noun, call->row, arena), snw_text_short(call->given[i].text, arena));
		}
	}
	return SNW_OK;
}

static snw_status read_line(snw_script_line *line, uint32_t flags, snw_arena *arena, snw_error *error) {
	if (strncmp(line->text, "window", 6) == 0 && strchr(" \t\r", line->text[6])) {
		line->step = SNW_SCRIPT_WINDOW;
		line->text += 6;
		return flags & SNW_SCRIPT_IN_WINDOW
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_ARGUMENT, "lines of the window need one; 'sinew view --script' runs them");
	}
	if (snw_script_is_step(line->text, &line->step)) {
		return !(flags & SNW_SCRIPT_AS_ONE)
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s cannot be a part of one step; leave out --as-one",
							  own_words[line->step]);
	}
	snw_status status = snw_operator_parse_line(line->text, arena, &line->call, error);
	status = snw_failed(status) || !(flags & SNW_SCRIPT_AS_ONE) ? status : expect_taken_back(&line->call, arena, error);
	return snw_failed(status) || flags & SNW_SCRIPT_IN_WINDOW ? status
															  : snw_operator_expect_complete(&line->call, arena, error);
}

snw_status snw_operator_script_read(const char *text, uint32_t flags, snw_arena *arena, snw_operator_script *script,
									snw_error *error) {
	uint32_t number = 0, room = 0, count = 0;
	snw_script_line *lines = NULL;
	snw_status status = SNW_OK;
	snw_error fault;
	char *rest = snw_arena_text(arena, text), *line;
	while (!snw_failed(status) && (line = strsep(&rest, "\n")) != NULL) {
		number++;
		line += strspn(line, " \t\r");
		if (*line && *line != '#') {
			lines = snw_arena_grow(arena, lines, count, &room, sizeof *lines);
			lines[count] = (snw_script_line){.number = number, .text = line};
			status = read_line(&lines[count++], flags, arena, &fault);
		}
	}
	*script = (snw_operator_script){count, lines};
	return snw_failed(status) ? snw_fail(error, status, "line %u: %s", number, fault.text) : SNW_OK;
}
