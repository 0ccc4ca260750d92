/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose: the poses of a project, by name.
 */
#include "scene/pose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "cli/open.h"
#include "cli/sides.h"
#include "cli/suggest.h"
#include "cli/verb.h"
#include "sinew/algebra.h"

static snw_status list(const snw_call *call, const snw_desk *desk, snw_error *error) {
	(void)error;
	cJSON *rows = snw_answer_list(call->answer, "poses");
	for (uint32_t i = 0; i < desk->scene->pose_count; i++) {
		const snw_pose *pose = &desk->scene->poses[i];
		uint32_t turned = 0;
		for (uint32_t j = 0; j < desk->scene->skeleton.joint_count; j++) {
			turned += snw_length3(&pose->turns[3 * j]) > 1e-6;
		}
		snw_say(call, "%s %u joint%s turned", snw_padded(call, pose->name, 24), turned, snw_plural(turned));
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", pose->name);
		snw_answer_number(row, "joints_turned", turned);
	}
	return SNW_OK;
}

/* Applies JOINT=X,Y,Z: the joint's turn away from rest as a rotation vector in radians. It may be longer than π. */
static snw_status turn(const snw_scene *scene, const char *text, snw_pose *pose, snw_error *error) {
	const char *equals = strrchr(text, '=');
	double v[3];
	int end = 0;
	if (!equals || sscanf(equals + 1, "%lf,%lf,%lf%n", &v[0], &v[1], &v[2], &end) != 3 || equals[1 + end] != '\0' ||
		!isfinite(v[0] + v[1] + v[2])) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--turn %s: it takes JOINT=X,Y,Z, a rotation vector in radians", text);
	}
	char name[256];
	snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
	const uint32_t joint = snw_scene_find_joint(scene, name);
	if (joint == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "--turn %s: no joint is named %s; 'sinew info' lists them", text, name);
	}
	double q[4];
	snw_quat_from_turn(v, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
	snw_quat_normalize(pose->local[joint].rotation);
	memcpy(&pose->turns[(size_t)3 * joint], v, sizeof v);
	return SNW_OK;
}

static snw_status turn_all(const snw_call *call, const snw_scene *scene, snw_pose *pose, snw_error *error) {
	const char *text;
	for (int i = 0; (text = snw_call_option_at(call, "--turn", i)); i++) {
		const snw_status status = turn(scene, text, pose, error);
		if (status != SNW_OK) {
			return status;
		}
	}
	return SNW_OK;
}

static snw_status store(const snw_call *call, const snw_desk *desk, const snw_pose *pose, const char *verb, snw_error *error) {
	int64_t id;
	snw_status status = snw_project_begin(desk->project, snw_arena_format(call->arena, "pose %s %s", verb, pose->name), error);
	if (status == SNW_OK) {
		status = snw_project_put_pose(desk->project, pose, &id, error);
	}
	if (status == SNW_OK) {
		status = snw_project_commit(desk->project, error);
	}
	if (status == SNW_OK) {
		snw_say(call, "pose %s", pose->name);
		snw_answer_text(call->answer, "pose", pose->name);
	}
	return status;
}

/* What a clip leaves alone stands as in this pose: changing it would change every clip. */
static snw_status refuse_default(const char *name, snw_error *error) {
	return strcmp(name, "default") != 0
			   ? SNW_OK
			   : snw_fail(
					 error, SNW_ERROR_CONFLICT,
					 "default: it is the file's own pose, in which clips leave what they do not move; choose another name");
}

static snw_status add(const snw_call *call, const snw_desk *desk, snw_error *error) {
	const char *name, *file = snw_call_option(call, "--file"), *from = snw_call_option(call, "--from");
	snw_status status = snw_call_word(call, 2, "the pose's name", &name, error);
	if (status != SNW_OK) {
		return status;
	}
	status = refuse_default(name, error);
	if (status != SNW_OK) {
		return status;
	}
	if (file && from) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--file and --from: take one of them");
	}
	if (snw_scene_find_pose(desk->scene, name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: there is a pose of that name; 'pose set' changes it", name);
	}
	snw_pose *pose = NULL;
	status = file ? snw_pose_read_json(desk->scene, file, call->arena, &pose, error)
				  : snw_pose_resolve(desk->scene, from ? from : "rest", call->arena, &pose, error);
	if (status == SNW_OK) {
		status = turn_all(call, desk->scene, pose, error);
	}
	if (status != SNW_OK) {
		return status;
	}
	pose->name = name;
	pose->id = 0;
	return store(call, desk, pose, "add", error);
}

static snw_status set(const snw_call *call, const snw_desk *desk, snw_error *error) {
	const char *name;
	snw_pose *pose = NULL;
	snw_status status = snw_call_word(call, 2, "the pose's name", &name, error);
	const uint32_t index = status == SNW_OK ? snw_scene_find_pose(desk->scene, name) : SNW_NONE;
	if (status == SNW_OK && index == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no such pose; 'pose list' names them", name);
	}
	if (status == SNW_OK && index == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: the rest is the bind and cannot be changed", name);
	}
	if (status == SNW_OK) {
		status = refuse_default(name, error);
	}
	if (status == SNW_OK) {
		status = snw_pose_resolve(desk->scene, name, call->arena, &pose, error);
	}
	if (status == SNW_OK) {
		status = turn_all(call, desk->scene, pose, error);
	}
	if (status != SNW_OK) {
		return status;
	}
	for (uint32_t i = 0; i < desk->scene->example_count; i++) {
		if (desk->scene->examples[i].pose == index) {
			snw_task_notice(
				&call->task, SNW_LOG_WARNING,
				"example %s was sculpted in this pose and is now taken as a sculpt of the changed one; 'sinew undo' "
				"takes that back",
				desk->scene->examples[i].name);
		}
	}
	pose->name = name;
	pose->id = desk->scene->poses[index].id;
	return store(call, desk, pose, "set", error);
}

static snw_status remove_pose(const snw_call *call, const snw_desk *desk, snw_error *error) {
	const char *name;
	snw_status status = snw_call_word(call, 2, "the pose's name", &name, error);
	if (status != SNW_OK) {
		return status;
	}
	const uint32_t index = snw_scene_find_pose(desk->scene, name);
	if (index == SNW_NONE || index == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no pose of that name can be removed; 'pose list' names them", name);
	}
	status = refuse_default(name, error);
	if (status == SNW_OK) {
		status = snw_project_begin(desk->project, snw_arena_format(call->arena, "pose remove %s", name), error);
	}
	if (status == SNW_OK) {
		status = snw_project_remove(desk->project, SNW_PROJECT_POSE, desk->scene->poses[index].id, error);
	}
	return status == SNW_OK ? snw_project_commit(desk->project, error) : status;
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *action = call->word_count > 1 ? call->words[1] : "list";
	static const struct {
		const char *name;
		snw_status (*act)(const snw_call *, const snw_desk *, snw_error *);
		int desk;
	} actions[] = {
		{"list", list, SNW_DESK_READ},
		{"add", add, SNW_DESK_WRITE},
		{"set", set, SNW_DESK_WRITE},
		{"mirror", snw_pose_mirror, SNW_DESK_WRITE},
		{"remove", remove_pose, SNW_DESK_WRITE},
		{"suggest", snw_suggest_poses, SNW_DESK_WRITE | SNW_DESK_PLUGINS},
	};
	size_t found = 0;
	while (found < sizeof actions / sizeof *actions && strcmp(actions[found].name, action) != 0) {
		found++;
	}
	if (found == sizeof actions / sizeof *actions) {
		return snw_call_unknown_action(call, action, error);
	}
	snw_desk desk;
	snw_status status = snw_desk_open(call->words[0], actions[found].desk, &desk, error);
	if (status == SNW_OK) {
		status = actions[found].act(call, &desk, error);
		if (status == SNW_OK && (actions[found].act == set || actions[found].act == snw_pose_mirror)) {
			status = snw_desk_refresh(call, &desk, error);
		}
		snw_desk_close(&desk);
	}
	return status;
}

static const snw_option options[] = {
	{"--file", "POSE.json", "{\"local_rotations_xyzw\": {\"JOINT\": [x, y, z, w]}}: turns after the rest rotation"},
	{"--from", "POSE", "start from a pose: NAME, or CLIP:SECONDS (rest)"},
	{"--turn", "JOINT=X,Y,Z", "the joint's turn away from rest, a rotation vector in radians; may be repeated"},
	{"--clip", "NAME", "suggest: the clip whose target says what is right"},
	{"--count", "N", "suggest: how many poses, one after another (1)"},
	{"--method", "METHOD", "suggest: what learns from the examples, or a layer of it (inverse-psd)"},
	{"--name", "NEW", "mirror: the new pose's name (the sides in the old one exchanged)"},
	SNW_SIDE_OPTIONS,
	{"--add", NULL, "suggest: and add them, named CLIP-SECONDS"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_pose = {
	.name = "pose",
	.usage = "P.sinew list | add NAME [--file POSE.json | --from POSE] [--turn JOINT=X,Y,Z]… | set NAME --turn … | mirror NAME "
			 "[--name NEW] "
			 "| remove NAME "
			 "| suggest --clip NAME [--count N] [--add]",
	.help = "Lists, adds, changes, mirrors and removes poses, and suggests which to sculpt next.",
	.actions = "list|add|set|mirror|remove|suggest",
	.least_words = 1,
	.most_words = 3,
	.options = options,
	.run = run,
};
