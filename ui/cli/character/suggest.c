/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose suggest: which poses to sculpt next, and how much each would reduce the error over a clip with a target.
 */
#include "cli/character/suggest.h"

#include <math.h>
#include <string.h>

#include "cli/character/add_suggested.h"
#include "measure/suggest_pose.h"
#include "scene/nouns.h"

/* The target of the clip given by --clip. */
static snw_status find_target(const snw_call *call, const snw_scene *scene, uint32_t *target, snw_error *error) {
	const char *name = snw_call_option(call, "--clip");
	if (!name) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the clip is missing; name one that has a target with --clip NAME");
	}
	uint32_t clip;
	const snw_status status = snw_noun_find(scene, SNW_NOUN_CLIP, name, &clip, error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t i = 0; i < scene->target_count; i++) {
		if (scene->targets[i].clip == clip) {
			*target = i;
			return SNW_OK;
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING,
					"--clip %s: this clip has no target to measure against; add one with 'sinew target'", name);
}

/* A method that learns from examples, and its topmost layer. */
static snw_status find_method(const snw_call *call, const snw_opened *opened, snw_suggest_request *request, snw_error *error) {
	const char *name = snw_call_option(call, "--method");
	const char *method = name ? name : snw_registry_trait_name(opened->registry, SNW_CORRECTS);
	if (!method) {
		return snw_fail(error, SNW_ERROR_MISSING, "no corrective plug-in was found; name a method with --method");
	}
	for (uint32_t i = opened->scene->layer_count; i-- > 0 && !request->layer;) {
		const snw_layer *layer = &opened->scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(opened->registry, layer->deformer);
		if (deformer && (strcmp(layer->name, method) == 0 || strcmp(deformer->descriptor->short_name, method) == 0)) {
			request->layer = layer;
			method = deformer->descriptor->short_name;
		}
	}
	const snw_deformer *deformer = snw_registry_find(opened->registry, method);
	if (!deformer || !(deformer->descriptor->needs & SNW_NEEDS_EXAMPLES)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--method %s: %s", method,
						deformer ? "it does not learn from examples" : "no such method or layer; 'sinew plugins' lists them");
	}
	request->method = method;
	return SNW_OK;
}

static const char *group_names(const snw_call *call, const snw_suggestion *suggestion) {
	const char *names = "";
	for (uint32_t g = 0; g < suggestion->group_count; g++) {
		names = snw_arena_format(call->arena, "%s %s", names, suggestion->groups[g]);
	}
	return names;
}

static void report(const snw_call *call, const snw_opened *opened, const char *clip, uint32_t count,
				   const snw_suggestions *found) {
	const snw_scene *scene = opened->scene;
	snw_say(call, "%-28s %12s %12s", "examples", "erms of clip", "change");
	snw_say(call, "%-28s %12.4f", "all", found->erms);
	snw_answer_number(call->answer, "erms", found->erms);
	cJSON *without = snw_answer_list(call->answer, "without"), *poses = snw_answer_list(call->answer, "suggested");
	for (uint32_t i = 0; i < found->example_count; i++) {
		if (!isnan(found->erms_without[i])) {
			snw_say(call, "%-28s %12.4f %+12.4f", snw_arena_format(call->arena, "without %s", scene->examples[i].name),
					found->erms_without[i], found->erms_without[i] - found->erms);
			cJSON *row = snw_answer_row(without);
			snw_answer_text(row, "example", scene->examples[i].name);
			snw_answer_number(row, "erms", found->erms_without[i]);
		}
	}
	double before = found->erms;
	for (uint32_t i = 0; i < found->count; i++) {
		const snw_suggestion *one = &found->list[i];
		const char *pose = snw_arena_format(call->arena, "%s:%.9g", clip, one->seconds);
		snw_say(call, "%-28s %12.4f %+12.4f  (before: %.4f; groups%s)", snw_arena_format(call->arena, "with %s", pose),
				one->erms, one->erms - before, one->erms_before, group_names(call, one));
		cJSON *row = snw_answer_row(poses);
		snw_answer_text(row, "pose", pose);
		snw_answer_number(row, "seconds", one->seconds);
		snw_answer_number(row, "erms_before", one->erms_before);
		snw_answer_number(row, "erms", one->erms);
		cJSON *groups = snw_answer_list(row, "groups");
		for (uint32_t g = 0; g < one->group_count && groups; g++) {
			cJSON_AddItemToArray(groups, cJSON_CreateString(one->groups[g]));
		}
		before = one->erms;
	}
	if (found->count < count) {
		snw_say(call, "no further example from this clip would lower the error");
	}
}

snw_status snw_suggest_poses(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	snw_suggest_request request = {0};
	snw_suggestions found;
	double count = 0;
	if (snw_call_option(call, "--from-target") && !snw_call_option(call, "--add")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--from-target: it says what to add; give --add too");
	}
	snw_status status = find_target(call, opened->scene, &request.target, error);
	status = snw_failed(status) ? status : find_method(call, opened, &request, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--count", 1, 1000, 1, &count, error);
	if (!snw_failed(status)) {
		request.count = (uint32_t)count;
		status = snw_suggest(opened->scene, opened->registry, &request, &call->task, call->arena, &found, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	report(call, opened, snw_call_option(call, "--clip"), request.count, &found);
	return snw_call_option(call, "--add") ? snw_add_suggested(call, opened, request.target, &found, error) : SNW_OK;
}
