/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose: lists the poses of a project, and suggests some. Its operators change them.
 */
#include <math.h>

#include "base/error.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/operate.h"
#include "measure/suggest_pose.h"
#include "operators/nouns.h"
#include "sinew/algebra.h"

static snw_status list_poses(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	cJSON *rows = snw_answer_list(call->answer, "poses");
	for (uint32_t i = 0; i < opened->scene->pose_count; i++) {
		const snw_pose *pose = &opened->scene->poses[i];
		uint32_t rotated = 0;
		for (uint32_t j = 0; j < opened->scene->skeleton.joint_count; j++) {
			rotated += snw_length3(&pose->rotation_vectors[3 * j]) > 1e-6;
		}
		snw_say(call, "%s %u joint%s rotated", snw_padded(call, pose->name, 24), rotated, snw_plural(rotated));
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", pose->name);
		snw_answer_number(row, "joints_turned", rotated);
	}
	return SNW_OK;
}

static const snw_action pose_actions[] = {
	{"list", list_poses, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table pose_table = {.noun = SNW_NOUN_POSE, .actions = pose_actions};

/* ---- suggest ------------------------------------------------------------------------------------------------------------- */

static const char *group_names(const snw_call *call, const snw_suggestion *suggestion) {
	const char *names = "";
	for (uint32_t g = 0; g < suggestion->group_count; g++) {
		names = snw_arena_format(call->arena, "%s %s", names, suggestion->groups[g]);
	}
	return names;
}

static void show_without(const snw_call *call, const snw_suggestions *found) {
	cJSON *rows = snw_answer_list(call->answer, "without");
	for (uint32_t i = 0; i < found->example_count; i++) {
		if (!isnan(found->erms_without[i])) {
			snw_say(call, "%-28s %12.4f %+12.4f", snw_arena_format(call->arena, "without %s", found->examples[i]),
					found->erms_without[i], found->erms_without[i] - found->erms);
			cJSON *row = snw_answer_row(rows);
			snw_answer_text(row, "example", found->examples[i]);
			snw_answer_number(row, "erms", found->erms_without[i]);
		}
	}
}

static void show_with(const snw_call *call, const snw_suggestion *one, double before, cJSON *row) {
	snw_say(call, "%-28s %12.4f %+12.4f  (before: %.4f; groups%s)", snw_arena_format(call->arena, "with %s", one->pose),
			one->erms, one->erms - before, one->erms_before, group_names(call, one));
	snw_answer_text(row, "pose", one->pose);
	snw_answer_number(row, "seconds", one->seconds);
	snw_answer_number(row, "erms_before", one->erms_before);
	snw_answer_number(row, "erms", one->erms);
	cJSON *groups = snw_answer_list(row, "groups");
	for (uint32_t g = 0; g < one->group_count && groups; g++) {
		cJSON_AddItemToArray(groups, cJSON_CreateString(one->groups[g]));
	}
}

static snw_status show_pose(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	(void)path, (void)error;
	const snw_suggestions *found = work->suggested;
	snw_say(call, "%-28s %12s %12s", "examples", "erms of clip", "change");
	snw_say(call, "%-28s %12.4f", "all", found->erms);
	snw_answer_number(call->answer, "erms", found->erms);
	show_without(call, found);
	cJSON *rows = snw_answer_list(call->answer, "suggested");
	for (uint32_t i = 0; i < found->count; i++) {
		show_with(call, &found->list[i], i > 0 ? found->list[i - 1].erms : found->erms, snw_answer_row(rows));
	}
	return SNW_OK;
}

static const snw_option pose_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_pose = {
	.name = "pose",
	.table = &pose_table,
	.noun = &snw_operators_pose,
	.show = show_pose,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = pose_options,
};
