/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/stack/propose.h"

#include "cli/command_line/options/settings.h"
#include "cli/command_line/options/worker_limits.h"
#include "cli/stack/error_table.h"

/* The method that --method names, or the first with the trait. */
static snw_status find_method(const snw_call *call, const snw_opened *opened, const snw_proposing_verb *verb,
							  const snw_deformer **deformer, snw_error *error) {
	const char *name = snw_call_option(call, "--method");
	*deformer = name ? snw_registry_find(opened->registry, name) : snw_registry_find_trait(opened->registry, verb->trait);
	if (!*deformer) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s; 'sinew plugins' lists the methods",
						name ? snw_arena_format(call->arena, "%s: no such method", name)
							 : snw_arena_format(call->arena, "no method that makes %s is loaded", verb->made));
	}
	return (*deformer)->descriptor->traits & verb->trait
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s makes no %s; run 'sinew fit %s' to fit it", name, verb->made, name);
}

static snw_status propose(snw_call *call, const snw_opened *opened, const snw_proposing_verb *verb, snw_fit_outcome *outcome,
						  snw_error *error) {
	const snw_deformer *deformer;
	snw_fit_request request = {.left_out_example = SNW_NONE};
	snw_status status = find_method(call, opened, verb, &deformer, error);
	status = snw_failed(status) ? status : verb->prepare(call, opened, deformer->descriptor, &request, error);
	if (snw_failed(status)) {
		return status;
	}
	request.method = deformer->descriptor->short_name;
	status = snw_settings_parse(call, opened->scene, deformer->descriptor, &request.setting_count, &request.settings, error);
	snw_worker_limits limits;
	status = snw_failed(status) ? status : snw_call_limits(call, &limits, error);
	if (!snw_failed(status)) {
		outcome->arena = call->arena;
		status = snw_worker_fit(opened->path, &request, &limits, &call->task, outcome, error);
	}
	return snw_failed(status) ? status : verb->commit(call, opened, outcome, error);
}

snw_status snw_propose(snw_call *call, const snw_proposing_verb *verb, snw_error *error) {
	const char *path = call->arguments[0];
	snw_fit_outcome outcome = {0};
	snw_opened opened;
	snw_status status = snw_open_project(path, SNW_OPEN_WRITE | SNW_OPEN_LONG | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = propose(call, &opened, verb, &outcome, error);
	status = snw_failed(status) ? status : snw_opened_refit(call, &opened, error);
	snw_opened_close(&opened);
	status =
		snw_failed(status) ? status : snw_open_project(path, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (!snw_failed(status)) {
		verb->print(call, opened.scene, &outcome);
		status = opened.scene->example_count + opened.scene->target_count > 0
					 ? snw_error_table_print(call, &opened, NULL, 0, NULL, error)
					 : SNW_OK;
		snw_opened_close(&opened);
	}
	return status;
}
