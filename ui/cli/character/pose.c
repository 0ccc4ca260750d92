/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose: the poses of a project.
 */
#include "pose/pose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "cli/character/mirror.h"
#include "cli/character/suggest.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/options/worker_limits.h"
#include "pose/joint_limits.h"
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

/* Parses JOINT=X,Y,Z. */
static snw_status read_joint(const snw_scene *scene, const char *option, const char *text, const char *meaning, uint32_t *joint,
							 double v[3], snw_error *error) {
	const char *equals = strrchr(text, '=');
	int end = 0;
	if (!equals || sscanf(equals + 1, "%lf,%lf,%lf%n", &v[0], &v[1], &v[2], &end) != 3 || equals[1 + end] != '\0' ||
		!isfinite(v[0] + v[1] + v[2])) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: expected JOINT=X,Y,Z, %s", option, text, meaning);
	}
	char name[256];
	snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
	*joint = snw_scene_find_joint(scene, name);
	return *joint != SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "%s %s: no joint is named %s; 'sinew info' lists them", option, text, name);
}

/* The joint's rotation away from rest as a rotation vector in radians. It may be longer than π. */
static snw_status rotate_joint(const snw_call *call, const snw_scene *scene, const char *text, snw_pose *pose,
							   snw_error *error) {
	uint32_t joint;
	double v[3], q[4];
	const snw_status status = read_joint(scene, "--rotate", text, "a rotation vector in radians", &joint, v, error);
	if (snw_failed(status)) {
		return status;
	}
	if (snw_joint_limit_rotation(scene, joint, v)) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "%s: rotated to its limit of %.4g degrees; 'sinew joint' changes it",
						scene->skeleton.names[joint], snw_joint_limit(scene, joint) * 180 / M_PI);
	}
	snw_quat_from_rotation_vector(v, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
	snw_quat_normalize(pose->local[joint].rotation);
	memcpy(&pose->rotation_vectors[(size_t)3 * joint], v, sizeof v);
	return SNW_OK;
}

/* --move JOINT=X,Y,Z: away from rest along the parent's axes, metres. */
static snw_status move_joint(const snw_scene *scene, const char *text, snw_pose *pose, snw_error *error) {
	uint32_t joint;
	double offset[3];
	const snw_status status = read_joint(scene, "--move", text, "metres along the parent's axes", &joint, offset, error);
	if (snw_failed(status)) {
		return status;
	}
	if (!snw_joint_moves(scene, joint)) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"--move %s: this joint only rotates; 'sinew joint P moves %s on' lets it move", text,
						scene->skeleton.names[joint]);
	}
	for (size_t c = 0; c < 3; c++) {
		pose->local[joint].translation[c] = scene->skeleton.rest_local[joint].translation[c] + offset[c];
	}
	return SNW_OK;
}

/* --shape NAME=WEIGHT */
static snw_status set_shape(const snw_scene *scene, const char *text, snw_pose *pose, snw_error *error) {
	const char *equals = strrchr(text, '=');
	char *end = NULL;
	const double weight = equals ? strtod(equals + 1, &end) : 0;
	if (!equals || end == equals + 1 || *end != '\0' || !isfinite(weight)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--shape %s: expected NAME=WEIGHT, such as smile=0.5", text);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		if (strlen(scene->channels[c].name) == (size_t)(equals - text) &&
			strncmp(scene->channels[c].name, text, (size_t)(equals - text)) == 0) {
			pose->channels[c] = weight;
			return SNW_OK;
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING, "--shape %s: no blend shape has this name; 'sinew info' lists them", text);
}

static snw_status rotate_joints(const snw_call *call, const snw_scene *scene, snw_pose *pose, snw_error *error) {
	snw_status status = SNW_OK;
	const char *text;
	for (int i = 0; !snw_failed(status) && (text = snw_call_option_at(call, "--rotate", i)); i++) {
		status = rotate_joint(call, scene, text, pose, error);
	}
	for (int i = 0; !snw_failed(status) && (text = snw_call_option_at(call, "--move", i)); i++) {
		status = move_joint(scene, text, pose, error);
	}
	for (int i = 0; !snw_failed(status) && (text = snw_call_option_at(call, "--shape", i)); i++) {
		status = set_shape(scene, text, pose, error);
	}
	return status;
}

/* The rest is the bind. Joints that a clip does not animate are in the default pose, so changing that would change every
 * clip. */
static snw_status refuse_fixed(const char *name, uint32_t index, snw_error *error) {
	if (index == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"%s: the rest pose is the bind pose and cannot be changed; add a pose with another name", name);
	}
	return strcmp(name, "default") != 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT,
						  "default: this is the pose that came with the file, and clips start from it; choose another name");
}

static snw_status add(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	const char *name, *file = snw_call_option(call, "--file"), *from = snw_call_option(call, "--from");
	snw_status status = snw_call_argument(call, 2, "the pose's name", &name, error);
	if (snw_failed(status)) {
		return status;
	}
	status = refuse_fixed(name, SNW_NONE, error);
	if (snw_failed(status)) {
		return status;
	}
	if (file && from) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--file and --from exclude each other; give one");
	}
	if (snw_scene_find_pose(opened->scene, name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: a pose with this name exists; 'pose set' changes it", name);
	}
	snw_pose *pose = NULL;
	snw_worker_limits limits;
	status = snw_call_limits(call, &limits, error);
	if (snw_failed(status)) {
		return status;
	}
	status = file ? snw_worker_read_pose(opened->scene, file, &limits, &call->task, call->arena, &pose, error)
				  : snw_pose_resolve(opened->scene, from ? from : "rest", call->arena, &pose, error);
	if (!snw_failed(status)) {
		status = rotate_joints(call, opened->scene, pose, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	pose->name = name;
	pose->id = 0;
	int64_t id;
	return snw_project_put_pose(opened->project, pose, &id, error);
}

static snw_status set(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const snw_pose *old = &opened->scene->poses[index];
	snw_pose *pose = NULL;
	snw_status status = refuse_fixed(old->name, index, error);
	status = snw_failed(status) ? status : snw_pose_resolve(opened->scene, old->name, call->arena, &pose, error);
	status = snw_failed(status) ? status : rotate_joints(call, opened->scene, pose, error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t i = 0; i < opened->scene->example_count; i++) {
		if (opened->scene->examples[i].pose == index) {
			snw_task_notice(
				&call->task, SNW_LOG_WARNING,
				"example %s was sculpted in this pose and is now a sculpt of the changed pose; 'sinew undo' takes that back",
				opened->scene->examples[i].name);
		}
	}
	pose->name = old->name;
	pose->id = old->id;
	int64_t id;
	return snw_project_put_pose(opened->project, pose, &id, error);
}

static snw_status remove_pose(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const snw_pose *pose = &opened->scene->poses[index];
	const snw_status status = refuse_fixed(pose->name, index, error);
	(void)call;
	return snw_failed(status) ? status : snw_project_remove(opened->project, SNW_PROJECT_POSE, pose->id, error);
}

/* Layers can only become stale if an existing pose changes. */
static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE, NULL},
	{"add", add, SNW_OPEN_WRITE | SNW_ACTION_ONE_STEP | SNW_ACTION_REPORTS, "add pose"},
	{"set", set, SNW_OPEN_WRITE | SNW_ACTION_NAMED | SNW_ACTION_ONE_STEP | SNW_ACTION_REPORTS | SNW_ACTION_REFITS,
	 "change pose"},
	{"mirror", snw_pose_mirror, SNW_OPEN_WRITE | SNW_ACTION_NAMED | SNW_ACTION_REFITS, NULL},
	{"remove", remove_pose, SNW_OPEN_WRITE | SNW_ACTION_NAMED | SNW_ACTION_ONE_STEP | SNW_ACTION_REPORTS, "delete pose"},
	{"suggest", snw_suggest_poses, SNW_OPEN_WRITE | SNW_OPEN_PLUGINS, NULL},
	{0},
};

static const snw_action_table poses = {
	.noun = "pose", .listed_by = "pose list", .find = snw_scene_find_pose, .actions = actions};

static const snw_option options[] = {
	{"--file", "POSE.json", "{\"local_rotations_xyzw\": {\"JOINT\": [x, y, z, w]}}: rotations after the rest rotation"},
	{"--from", "POSE", "start from a pose: NAME, or CLIP:SECONDS (default: rest)"},
	{"--rotate", "JOINT=X,Y,Z", "rotate a joint away from rest, by a rotation vector in radians; may be repeated"},
	{"--move", "JOINT=X,Y,Z", "move a joint away from rest along its parent's axes, in metres, where it may; may be repeated"},
	{"--shape", "NAME=WEIGHT", "the weight of a blend shape; may be repeated"},
	{"--clip", "NAME", "suggest: the clip whose target is the ground truth"},
	{"--count", "N", "suggest: how many poses, one after another (default: 1)"},
	{"--method", "METHOD",
	 "suggest: the method that learns from the examples, or a layer of it (default: the one that fits sculpts)"},
	{"--name", "NEW", "mirror: name of the new pose (default: the old name with its sides exchanged)"},
	SNW_SIDE_OPTIONS,
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--add", NULL, "suggest: add the poses, named CLIP-SECONDS"},
	{"--from-target", NULL, "suggest --add: add them as examples too, with the target's points as their sculpts"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_pose = {
	.name = "pose",
	.usage = "P.sinew list | add NAME [--file POSE.json | --from POSE] [--rotate JOINT=X,Y,Z]… [--move JOINT=X,Y,Z]… [--shape "
			 "NAME=WEIGHT]… | set NAME --rotate … | mirror NAME "
			 "[--name NEW] "
			 "| remove NAME "
			 "| suggest --clip NAME [--count N] [--add [--from-target]]",
	.help = "Lists, adds, changes, mirrors and removes poses, and suggests which to sculpt next.",
	.table = &poses,
	.least_arguments = 1,
	.most_arguments = 3,
	.options = options,
};
