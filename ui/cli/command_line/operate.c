/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/verb.h"

#include <string.h>

#include "parameter/parameters.h"

/* ---- operate ------------------------------------------------------------------------------------------------------------- */

bool snw_verb_is_operator(const snw_verb *verb) {
	return verb->noun && !verb->noun->operators[0].name[0];
}

const snw_operator *snw_verb_operator(const snw_verb *verb, int count, char *const *words) {
	if (snw_verb_is_operator(verb)) {
		return verb->noun->operators;
	}
	return verb->noun && count > 1 && words[0][0] != '-' ? snw_operator_find(verb->noun, words[1]) : NULL;
}

/* ---- reports ------------------------------------------------------------------------------------------------------------- */

/* {"made": [{"joint": "elbow"}], …, "points": 12}. */
static void answer_fact(cJSON *answer, const snw_fact *fact) {
	if (answer && fact->list && fact->kind >= SNW_FACT_NUMBER) {
		cJSON *list = cJSON_GetObjectItem(answer, fact->list);
		list = list ? list : snw_answer_list(answer, fact->list);
		answer = cJSON_GetArrayItem(list, (int)fact->row);
		answer = answer ? answer : snw_answer_row(list);
	}
	if (fact->kind == SNW_FACT_NUMBER) {
		snw_answer_number(answer, fact->name, fact->number);
	} else if (fact->kind == SNW_FACT_TEXT) {
		snw_answer_text(answer, fact->name, fact->text);
	} else if (answer) {
		const char *key = snw_fact_word(fact->kind);
		cJSON *list = cJSON_GetObjectItem(answer, key), *row = snw_answer_row(list ? list : snw_answer_list(answer, key));
		snw_answer_text(row, snw_noun_word(fact->noun), fact->name);
		if (fact->text) {
			snw_answer_text(row, "why", fact->text);
		}
	}
}

static void answer_refits(const snw_call *call, const snw_operator_report *report) {
	cJSON *list = cJSON_GetObjectItem(call->answer, "refitted"); /* of what was refitted before */
	list = list ? list : snw_answer_list(call->answer, "refitted");
	for (uint32_t i = 0; i < report->refitted_count; i++) {
		snw_say(call, "refitted %s", report->refitted[i]);
		if (list) {
			cJSON_AddItemToArray(list, cJSON_CreateString(report->refitted[i]));
		}
	}
	for (uint32_t i = 0; i < report->failed_count; i++) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "a layer could not be refitted and stays stale: %s", report->failed[i]);
	}
}

static void print_report(const snw_call *call, const snw_operator_report *report) {
	for (uint32_t i = 0; i < report->fact_count; i++) {
		const snw_fact *fact = &report->facts[i];
		answer_fact(call->answer, fact);
		if (fact->kind < SNW_FACT_REFUSED && report->sentences.count == 0) {
			snw_say(call, "%s", snw_fact_sentence(fact, call->arena));
		}
	}
	for (uint32_t i = 0; i < report->details.count; i++) {
		snw_say(call, "%s", report->details.list[i]);
	}
	for (uint32_t i = 0; i < report->sentences.count; i++) {
		snw_say(call, "%s", report->sentences.list[i]);
	}
	for (uint32_t i = 0; i < report->warnings.count; i++) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "%s", report->warnings.list[i]);
	}
	answer_refits(call, report);
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

/* A Ctrl-C that ends the work early with a result ends nothing else. */
static void stop_early(snw_call *call, const snw_operator_work *work) {
	if (work && work->outcome && work->outcome->status > 0) {
		call->stopped_early = snw_terminal_forget_stop() || work->outcome->was_stopped;
	}
}

/* Layers that are stale are fitted first, so that what follows reads them as they should be. */
static snw_status refit_first(const snw_call *call, snw_opened *opened, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_opened_refit(call, opened, error);
	status = snw_failed(status) ? status : snw_project_scene(opened->project, &scene, error);
	if (!snw_failed(status)) {
		snw_scene_destroy(opened->scene);
		opened->scene = scene;
	}
	return status;
}

snw_status snw_operate_on(snw_call *call, snw_opened *opened, const snw_operator_call *operation, const char *step,
						  snw_operator_work **work, snw_error *error) {
	const uint32_t flags = operation->row->flags;
	snw_operator_report report;
	snw_status status = flags & SNW_OPERATOR_LONG && opened->registry
							? snw_stack_check_required(opened->scene, opened->registry, error)
							: SNW_OK;
	status = !snw_failed(status) && flags & SNW_OPERATOR_CURRENT ? refit_first(call, opened, error) : status;
	const snw_worker_limits limits = {.in_process = snw_call_option(call, "--in-process") != NULL};
	snw_operator_context context = {.project = opened->project,
									.path = opened->path,
									.name = opened->name,
									.scene = opened->scene,
									.registry = opened->registry,
									.limits = &limits,
									.task = &call->task,
									.arena = call->arena,
									.step = step};
	*work = NULL;
	if (!snw_failed(status) && flags & SNW_OPERATOR_LONG) {
		status = snw_operator_do_work(operation, &context, work, &report, error);
		context.work = *work;
		stop_early(call, *work);
	}
	status = snw_failed(status) ? status : snw_operator_run(operation, &context, &report, error);
	if (!snw_failed(status)) {
		print_report(call, &report);
	}
	return status;
}

static int open_flags(uint32_t flags) {
	return (flags & SNW_OPERATOR_READS ? SNW_OPEN_READ : SNW_OPEN_WRITE) |
		   (flags & (SNW_OPERATOR_PLUGINS | SNW_OPERATOR_REFITS) ? SNW_OPEN_PLUGINS : 0) |
		   (flags & SNW_OPERATOR_LONG ? SNW_OPEN_LONG : 0);
}

static snw_status operate_in(snw_call *call, const char *path, void *work, snw_error *error) {
	snw_opened opened;
	snw_status status = snw_open_project(path, open_flags(call->operation->row->flags), &call->task, &opened, error);
	if (!snw_failed(status)) {
		const char *out = snw_call_option(call, "-o");
		opened.name = out ? out : path;
		status = snw_operate_on(call, &opened, call->operation, NULL, work, error);
		snw_opened_close(&opened);
	}
	return status;
}

snw_status snw_operate(snw_call *call, snw_error *error) {
	const char *path = call->arguments[0], *out = snw_call_option(call, "-o");
	const bool copies = out && strcmp(out, path) != 0;
	snw_operator_work *work = NULL;
	snw_status status = copies ? snw_output_project(call, out, error) : SNW_OK;
	if (!snw_failed(status)) {
		status = copies ? snw_work_in_copy(call, path, out, operate_in, &work, error) : operate_in(call, path, &work, error);
	}
	return snw_failed(status) || !work || !call->verb->show ? status : call->verb->show(call, out ? out : path, work, error);
}

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

static const snw_parameter *find_parameter(const snw_deformer *deformer, const char *key) {
	const uint32_t index = deformer ? snw_parameter_of_key(deformer->descriptor, key, NULL) : SNW_NONE;
	return index == SNW_NONE ? NULL : deformer->descriptor->parameters[index];
}

const char *snw_settings_text(const snw_call *call, const snw_deformer *deformer, const snw_layer *layer) {
	const char *all = "";
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		const char *text = snw_parameter_text(find_parameter(deformer, setting->key), &setting->value, call->arena);
		const char *quote = strchr(text, ' ') || !*text ? "\"" : "";
		all = snw_arena_format(call->arena, "%s %s=%s%s%s", all, setting->key, quote, text, quote);
	}
	return all;
}

void snw_answer_settings(cJSON *row, const snw_deformer *deformer, const snw_layer *layer) {
	cJSON *values = row ? cJSON_AddObjectToObject(row, "settings") : NULL;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		snw_answer_value(values, setting->key, find_parameter(deformer, setting->key), &setting->value);
	}
}

void snw_answer_value(cJSON *object, const char *key, const snw_parameter *parameter, const snw_value *value) {
	const double *numbers = value->numbers;
	const bool is_triple = parameter ? parameter->kind == SNW_PARAMETER_VECTOR || parameter->kind == SNW_PARAMETER_COLOR
									 : numbers[1] != 0 || numbers[2] != 0;
	if (parameter ? snw_parameter_has_text(parameter) : value->text != NULL) {
		snw_answer_text(object, key, value->text ? value->text : "");
	} else if (is_triple && object) {
		cJSON_AddItemToObject(object, key, cJSON_CreateDoubleArray(numbers, 3));
	} else {
		snw_answer_number(object, key, numbers[0]);
	}
}

/* ---- worker limits ------------------------------------------------------------------------------------------------------- */

snw_status snw_call_limits(const snw_call *call, snw_worker_limits *limits, snw_error *error) {
	double memory_gib = 0;
	*limits = (snw_worker_limits){.in_process = snw_call_option(call, "--in-process") != NULL};
	snw_status status = snw_call_number(call, "--memory", 0.05, 1024, 0, &memory_gib, error);
	limits->memory_bytes = snw_failed(status) ? 0 : (uint64_t)(memory_gib * (1u << 30));
	return snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.01, 1e6, 0, &limits->total_seconds, error);
}
