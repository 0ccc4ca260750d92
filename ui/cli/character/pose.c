/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose: lists the poses of a project, and suggests some. Its operators change them.
 */
#include "base/plural.h"
#include "cli/character/suggest.h"
#include "cli/command_line/actions.h"
#include "operators/nouns.h"
#include "sinew/algebra.h"

static snw_status list(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
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

static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE, NULL},
	{"suggest", snw_suggest_poses, SNW_OPEN_WRITE | SNW_OPEN_PLUGINS, NULL},
	{0},
};

static const snw_action_table poses = {.noun = "pose", .actions = actions};

static const snw_option options[] = {
	{"--clip", "NAME", "suggest: the clip whose target is the ground truth"},
	{"--count", "N", "suggest: how many poses, one after another (default: 1)"},
	{"--method", "METHOD",
	 "suggest: the method that learns from the examples, or a layer of it (default: the one that fits sculpts)"},
	{"--add", NULL, "suggest: add the poses, named CLIP-SECONDS"},
	{"--from-target", NULL, "suggest --add: add them as examples too, with the target's points as their sculpts"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_pose = {
	.name = "pose",
	.table = &poses,
	.noun = &snw_operators_pose,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = options,
};
