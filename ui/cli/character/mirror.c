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

static void report_points(const snw_call *call, const snw_mirror_map *map) {
	const char *by = map->method == SNW_MIRROR_TOPOLOGY ? "topology" : "position";
	snw_say(
		call,
		"points: paired by %s across %c = %.4g m, %u pairs, %u in the middle, %u without a partner; the largest mismatch at "
		"rest is %.3g m (point %u)",
		by, "xyz"[map->plane.axis], map -> plane.offset, map->pair_count, map->middle_count, map->unpaired_count,
		map->largest_mismatch, map->worst_point);
	cJSON *object = call->answer ? cJSON_AddObjectToObject(call->answer, "points") : NULL;
	snw_answer_text(object, "by", by);
	snw_answer_number(object, "plane", map->plane.offset);
	snw_answer_number(object, "pairs", map->pair_count);
	snw_answer_number(object, "middle", map->middle_count);
	snw_answer_number(object, "unpaired", map->unpaired_count);
	snw_answer_number(object, "largest_mismatch", map->largest_mismatch);
	snw_answer_number(object, "worst_point", map->worst_point);
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

static snw_status read_options(const snw_call *call, snw_mirror_options *options, snw_error *error) {
	const char *by = snw_call_option(call, "--by");
	snw_status status = snw_call_mirror_plane(call, &options->plane, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--tolerance", 1e-9, 1e6, 0, &options->tolerance, error);
	if (!snw_failed(status) && by && strcmp(by, "topology") != 0 && strcmp(by, "position") != 0) {
		status = snw_fail(error, SNW_ERROR_ARGUMENT, "--by %s: expected topology or position", by);
	}
	options->method = !by ? SNW_MIRROR_AUTO : by[0] == 't' ? SNW_MIRROR_TOPOLOGY : SNW_MIRROR_POSITION;
	return status;
}

snw_status snw_example_mirror(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error) {
	const char *name = opened->scene->examples[example].name;
	snw_mirror_options options = {.plane = snw_symmetry_plane(opened->scene, opened->scene->examples[example].mesh)};
	snw_mirrored mirrored;
	snw_status status = read_options(call, &options, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_project_begin(opened->project, snw_arena_format(call->arena, "mirror example %s", name), error);
	status = snw_failed(status)
				 ? status
				 : snw_project_put_mirrored_example(opened->project, opened->scene, opened->registry, &options, example,
													snw_call_option(call, "--name"), call->arena, &mirrored, error);
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	if (!snw_failed(status)) {
		snw_say(call, "example %s in pose %s is %s mirrored: %u point%s edited", mirrored.name, mirrored.pose, name,
				mirrored.edited_count, snw_plural(mirrored.edited_count));
		snw_answer_text(call->answer, "mirrored", mirrored.name);
		if (mirrored.mesh != opened->scene->examples[example].mesh) {
			snw_say(call, "it is on the mesh %s", opened->scene->meshes[mirrored.mesh].name);
		}
		snw_answer_text(call->answer, "pose", mirrored.pose);
		snw_answer_text(call->answer, "mesh", opened->scene->meshes[mirrored.mesh].name);
		snw_answer_number(call->answer, "edited", mirrored.edited_count);
		report_points(call, &mirrored.map);
		report_joints(call, opened->scene, &mirrored.joints);
	}
	return status;
}
