/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/mirror.h"

#include <string.h>

#include "base/plural.h"
#include "edit/examples/mirror_examples.h"
#include "sculpt/symmetry_plane.h"

snw_status snw_call_mirror_plane(const snw_call *call, snw_mirror_plane *plane, snw_error *error) {
	const char *axis = snw_call_option(call, "--axis");
	if (axis && (strlen(axis) != 1 || !strchr("xyz", axis[0]))) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--axis %s: expected x, y or z", axis);
	}
	if (axis && axis[0] != 'x') {
		*plane = (snw_mirror_plane){.axis = (uint32_t)(axis[0] - 'x')};
	}
	return snw_call_number(call, "--plane", -1e6, 1e6, plane->offset, &plane->offset, error);
}

static const char *joint_name(const snw_scene *scene, uint32_t joint) {
	return joint == SNW_NONE ? "none" : scene->skeleton.names[joint];
}

static void report_joints(const snw_call *call, const snw_scene *scene, const snw_mirror_joints *joints) {
	snw_say(
		call,
		"joints: %u pair%s (%u by name), %u in the middle, %u without a partner; the largest mismatch at rest is %.3g m (%s)",
		joints->pair_count, snw_plural(joints->pair_count), joints->named_count, joints->middle_count, joints->unpaired_count,
		joints->largest_mismatch, joint_name(scene, joints->worst_joint));
	cJSON *object = call->answer ? cJSON_AddObjectToObject(call->answer, "joints") : NULL;
	snw_answer_number(object, "pairs", joints->pair_count);
	snw_answer_number(object, "by_name", joints->named_count);
	snw_answer_number(object, "middle", joints->middle_count);
	snw_answer_number(object, "unpaired", joints->unpaired_count);
	snw_answer_number(object, "largest_mismatch", joints->largest_mismatch);
	if (joints->unpaired_count > 0) {
		const char *names = "";
		for (uint32_t j = 0, shown = 0; j < joints->joint_count && shown < 5; j++) {
			if (joints->partners[j] == SNW_NONE) {
				names = snw_arena_format(call->arena, "%s%s%s", names, shown++ ? ", " : "", scene->skeleton.names[j]);
			}
		}
		snw_task_notice(&call->task, SNW_LOG_WARNING, "joints without a partner stay at rest: %s%s", names,
						joints->unpaired_count > 5 ? ", …" : "");
	}
}

snw_status snw_pose_mirror(const snw_call *call, const snw_opened *opened, uint32_t pose, snw_error *error) {
	const char *name = opened->scene->poses[pose].name;
	snw_mirror_plane plane = snw_character_plane(opened->scene);
	snw_mirrored mirrored;
	snw_status status = snw_call_mirror_plane(call, &plane, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_project_begin(opened->project, snw_arena_format(call->arena, "mirror pose %s", name), error);
	status = snw_failed(status) ? status
								: snw_project_put_mirrored_pose(opened->project, opened->scene, &plane, pose,
																snw_call_option(call, "--name"), call->arena, &mirrored, error);
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	if (!snw_failed(status)) {
		snw_say(call, "pose %s is %s mirrored", mirrored.name, name);
		snw_answer_text(call->answer, "pose", mirrored.name);
		report_joints(call, opened->scene, &mirrored.joints);
	}
	return status;
}
