/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew joint: the joints of the skeleton, drawn at rest.
 */
#include "edit/joints/edit_joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "cli/command_line/actions.h"
#include "edit/joints/joint_values.h"

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

/* limit JOINT DEGREES|none */
static snw_status limit(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *text;
	snw_status status = snw_call_argument(call, 3, "the limit", &text, error);
	if (snw_failed(status)) {
		return status;
	}
	char *end;
	const bool is_none = strcmp(text, "none") == 0;
	const double degrees = is_none ? 0 : strtod(text, &end);
	if (!is_none && (end == text || *end != '\0' || !(degrees > 0 && degrees <= 3600))) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: expected degrees above 0, or none", text);
	}
	return snw_project_put_joint_value(opened->project, opened->scene, SNW_JOINT_LIMITS, index, degrees * M_PI / 180, error);
}

/* moves JOINT on|off */
static snw_status set_moves(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *text;
	const snw_status status = snw_call_argument(call, 3, "on or off", &text, error);
	if (snw_failed(status)) {
		return status;
	}
	if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: expected on or off", text);
	}
	return snw_project_put_joint_value(opened->project, opened->scene, SNW_JOINT_MOVES, index, strcmp(text, "on") == 0, error);
}

static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE, NULL},
	{"add", add, SNW_ACTION_CHANGES & ~SNW_ACTION_NAMED, "add joint"},
	{"move", move, SNW_ACTION_CHANGES, "move joint"},
	{"parent", set_parent, SNW_ACTION_CHANGES, "parent joint"},
	{"name", rename_joint, SNW_ACTION_CHANGES, "rename joint"},
	{"limit", limit, SNW_ACTION_CHANGES, "limit joint"},
	{"moves", set_moves, SNW_ACTION_CHANGES, "change joint"},
	{"remove", remove_joint, SNW_ACTION_CHANGES, "delete joint"},
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
			 "JOINT NEW | limit JOINT DEGREES|none | moves JOINT on|off | remove JOINT",
	.help = "Lists, adds, moves, parents, renames and removes the joints of the skeleton, at rest; and sets what they may do "
			"in poses.",
	.table = &joints,
	.least_arguments = 1,
	.most_arguments = 4,
	.options = options,
};
