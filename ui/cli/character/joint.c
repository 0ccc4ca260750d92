/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew joint: lists the joints of the skeleton at rest. Its operators change them.
 */
#include <math.h>

#include "cli/command_line/actions.h"
#include "operators/nouns.h"
#include "pose/reach.h"

static snw_status list_joints(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_skeleton *skeleton = &opened->scene->skeleton;
	cJSON *rows = snw_answer_list(call->answer, "joints");
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const double *global = skeleton->rest_global + 12 * (size_t)j;
		const char *parent = skeleton->parents[j] == SNW_NONE ? "" : skeleton->names[skeleton->parents[j]];
		snw_say(call, "%s %s %.4f %.4f %.4f", snw_padded(call, skeleton->names[j], 24), snw_padded(call, parent, 24), global[3],
				global[7], global[11]);
		cJSON *row = snw_answer_row(rows), *place;
		snw_answer_text(row, "name", skeleton->names[j]);
		snw_answer_text(row, "parent", parent);
		const double most = snw_joint_limit(opened->scene, j);
		snw_answer_number(row, "limit_degrees", isfinite(most) ? most * 180 / M_PI : 0);
		snw_answer_bool(row, "moves", snw_joint_moves(opened->scene, j));
		place = snw_answer_list(row, "place");
		for (int c = 0; place && c < 3; c++) {
			cJSON_AddItemToArray(place, cJSON_CreateNumber(global[4 * c + 3]));
		}
	}
	return SNW_OK;
}

static const snw_action joint_actions[] = {
	{"list", list_joints, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table joint_table = {.noun = SNW_NOUN_JOINT, .actions = joint_actions};

static const snw_option joint_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_joint = {
	.name = "joint",
	.table = &joint_table,
	.noun = &snw_operators_joint,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = joint_options,
};
