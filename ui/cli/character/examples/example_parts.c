/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/examples/example_parts.h"

#include <string.h>

#include "base/plural.h"
#include "cli/command_line/options/mask.h"
#include "edit/examples/split_merge.h"

/* The values of --name: one for each part; NULL if there are none. */
static const char *const *part_names(const snw_call *call, uint32_t *count) {
	const char **names = SNW_NEW_ARRAY(call->arena, const char *, SNW_MOST_PARTS);
	*count = 0;
	while (*count < SNW_MOST_PARTS && snw_call_option_at(call, "--name", (int)*count)) {
		names[*count] = snw_call_option_at(call, "--name", (int)*count);
		(*count)++;
	}
	return *count > 0 ? names : NULL;
}

snw_status snw_example_split(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const char *spec = snw_call_option(call, "--mask");
	uint32_t name_count;
	snw_split split;
	const double *mask = NULL;
	snw_status status = spec ? snw_mask_values(call, scene, scene->examples[example].mesh, spec, &mask, error) : SNW_OK;
	if (snw_failed(status)) {
		return status;
	}
	const char *name = scene->examples[example].name;
	const char *const *names = part_names(call, &name_count);
	status = snw_project_begin(opened->project, snw_arena_format(call->arena, "split example %s", name), error);
	status = snw_failed(status) ? status
								: snw_project_put_split(opened->project, scene, opened->registry, example, mask, name_count,
														names, call->arena, &split, error);
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	cJSON *list = snw_failed(status) ? NULL : snw_answer_list(call->answer, "parts");
	for (uint32_t i = 0; !snw_failed(status) && i < split.count; i++) {
		snw_say(call, "%-24s %u point%s edited", split.names[i], split.edited_counts[i], snw_plural(split.edited_counts[i]));
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "name", split.names[i]);
		snw_answer_number(row, "edited", split.edited_counts[i]);
	}
	return status;
}

snw_status snw_example_merge(const snw_call *call, const snw_opened *opened, uint32_t first, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const char *with;
	uint32_t edited = 0;
	snw_status status = snw_call_argument(call, 3, "the other example's name", &with, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t second = snw_scene_find_example(scene, with);
	if (second == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no such example; 'example list' lists them", with);
	}
	const char *label = snw_arena_format(call->arena, "merge examples %s and %s", scene->examples[first].name, with);
	status = snw_project_begin(opened->project, label, error);
	status = snw_failed(status) ? status
								: snw_project_put_merged(opened->project, scene, opened->registry, first, second,
														 snw_call_option(call, "--name"), call->arena, &edited, error);
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	if (!snw_failed(status)) {
		snw_say(call, "%u point%s edited", edited, snw_plural(edited));
		snw_answer_number(call->answer, "edited", edited);
	}
	return status;
}
