/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew joint: the joints of the skeleton, drawn at rest.
 */
#include "edit/joints/edit_joints.h"

#include <math.h>
#include <stdio.h>

#include "base/plural.h"
#include "cli/command_line/actions.h"

static snw_status list(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
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
		place = snw_answer_list(row, "place");
		for (int c = 0; place && c < 3; c++) {
			cJSON_AddItemToArray(place, cJSON_CreateNumber(global[4 * c + 3]));
		}
	}
	return SNW_OK;
}

static snw_status read_place(const snw_call *call, double place[3], snw_error *error) {
	const char *text = snw_call_option(call, "--at");
	int end = 0;
	if (!text) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the joint's place is missing; give it with --at X,Y,Z, in metres");
	}
	return sscanf(text, "%lf,%lf,%lf%n", &place[0], &place[1], &place[2], &end) == 3 && text[end] == '\0' &&
				   isfinite(place[0] + place[1] + place[2])
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "--at %s: expected X,Y,Z, a place at rest in metres", text);
}

static snw_status find_joint(const snw_scene *scene, const char *name, uint32_t *joint, snw_error *error) {
	*joint = snw_scene_find_joint(scene, name);
	return *joint != SNW_NONE ? SNW_OK : snw_fail(error, SNW_ERROR_MISSING, "%s: no such joint; 'joint list' lists them", name);
}

static snw_status add(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	const char *name, *above = snw_call_option(call, "--parent");
	uint32_t parent = SNW_NONE;
	double place[3];
	snw_status status = snw_call_argument(call, 2, "the joint's name", &name, error);
	status = snw_failed(status) ? status : read_place(call, place, error);
	status = snw_failed(status) || !above ? status : find_joint(opened->scene, above, &parent, error);
	return snw_failed(status) ? status : snw_project_add_joint(opened->project, opened->scene, name, parent, place, error);
}

static snw_status move(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	double place[3];
	const snw_status status = read_place(call, place, error);
	return snw_failed(status) ? status : snw_project_move_joint(opened->project, opened->scene, index, place, error);
}

static snw_status set_parent(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *name;
	uint32_t parent = SNW_NONE;
	snw_status status = SNW_OK;
	if (!snw_call_option(call, "--root")) {
		status = snw_call_argument(call, 3, "the parent's name, or --root,", &name, error);
		status = snw_failed(status) ? status : find_joint(opened->scene, name, &parent, error);
	} else if (call->argument_count > 3) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "give a parent or --root, not both");
	}
	return snw_failed(status) ? status : snw_project_parent_joint(opened->project, opened->scene, index, parent, error);
}

static snw_status rename_joint(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *name;
	const snw_status status = snw_call_argument(call, 3, "the new name", &name, error);
	return snw_failed(status) ? status
							  : snw_project_rename_joint(opened->project, opened->scene, opened->registry, index, name, error);
}

static snw_status remove_joint(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const snw_skeleton *skeleton = &opened->scene->skeleton;
	snw_joint_removal removal;
	const snw_status status =
		snw_project_remove_joint(opened->project, opened->scene, opened->registry, index, &removal, error);
	if (snw_failed(status)) {
		return status;
	}
	if (removal.point_count > 0) {
		snw_say(call, "its weights at %u point%s are now those of '%s'", removal.point_count, snw_plural(removal.point_count),
				skeleton->names[skeleton->parents[index]]);
	}
	if (removal.clip_count > 0) {
		snw_say(call, "its keys in %u clip%s are removed", removal.clip_count, snw_plural(removal.clip_count));
	}
	snw_answer_number(call->answer, "points", removal.point_count);
	snw_answer_number(call->answer, "clips", removal.clip_count);
	return SNW_OK;
}

static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{"add", add, SNW_ACTION_CHANGES & ~SNW_ACTION_NAMED},
	{"move", move, SNW_ACTION_CHANGES},
	{"parent", set_parent, SNW_ACTION_CHANGES},
	{"name", rename_joint, SNW_ACTION_CHANGES},
	{"remove", remove_joint, SNW_ACTION_CHANGES},
	{0},
};

static const snw_action_table joints = {
	.noun = "joint", .listed_by = "joint list", .find = snw_scene_find_joint, .actions = actions};

static const snw_option options[] = {
	{"--at", "X,Y,Z", "add, move: a place at rest, in metres"},
	{"--parent", "JOINT", "add: the joint above it (default: none, a root)"},
	{"--root", NULL, "parent: no joint above it"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_joint = {
	.name = "joint",
	.usage = "P.sinew list | add JOINT --at X,Y,Z [--parent JOINT] | move JOINT --at X,Y,Z | parent JOINT PARENT|--root | name "
			 "JOINT NEW | remove JOINT",
	.help = "Lists, adds, moves, parents, renames and removes the joints of the skeleton, at rest.",
	.table = &joints,
	.least_arguments = 1,
	.most_arguments = 4,
	.options = options,
};
