/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/joint_map.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "file/file.h"
#include "import/common/names.h"

/* The renamed joints among those of a scene: [joint_count], NULL where the table has no name. */
static snw_status read_names(const char *path, const cJSON *root, const snw_scene *scene, const char **given,
							 const snw_task *task, snw_error *error) {
	uint32_t missing_count = 0;
	const char *missing = "";
	for (const cJSON *item = root->child; item; item = item->next) {
		const uint32_t joint = snw_scene_find_joint(scene, item->string);
		const char *name = cJSON_IsString(item) ? snw_name_clean(scene->arena, item->valuestring, task) : NULL;
		if (!name) {
			return snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' must have the name of a joint of the character", path,
							item->string);
		}
		if (joint == SNW_NONE) {
			missing = missing_count++ == 0 ? item->string : missing;
			continue;
		}
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			if (j != joint && given[j] && strcmp(given[j], name) == 0) {
				return snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' and '%.120s' both become '%.120s'; name one of them", path,
								scene->skeleton.names[j], item->string, name);
			}
		}
		given[joint] = name;
	}
	if (missing_count > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "%s: %u of its joints are not in the file, such as '%.120s'", path,
						missing_count, missing);
	}
	return SNW_OK;
}

static void rename_joints(snw_scene *scene, const char *const *given, const snw_task *task) {
	snw_skeleton *skeleton = &scene->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const uint32_t other = given[j] ? snw_scene_find_joint(scene, given[j]) : SNW_NONE;
		if (other != SNW_NONE && !given[other]) {
			skeleton->names[other] = snw_arena_format(scene->arena, "joint-%u", other);
		}
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		skeleton->names[j] = given[j] ? given[j] : skeleton->names[j];
	}
	snw_names_make_unique(scene->arena, skeleton->names, skeleton->joint_count, "joint", task);
}

snw_status snw_joint_map_apply(const char *path, const snw_task *task, snw_scene *scene, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const char **given = SNW_NEW_ARRAY(scratch, const char *, scene->skeleton.joint_count);
	snw_bytes bytes;
	snw_status status = snw_file_read(path, scratch, &bytes, error);
	cJSON *root = snw_failed(status) ? NULL : cJSON_ParseWithLength((const char *)bytes.data, bytes.count);
	if (!snw_failed(status)) {
		status = cJSON_IsObject(root) ? read_names(path, root, scene, given, task, error)
									  : snw_fail(error, SNW_ERROR_DATA,
												 "%s: expected a JSON of joint names: {\"joint of the file\": \"joint of the "
												 "character\"}",
												 path);
	}
	if (!snw_failed(status)) {
		rename_joints(scene, given, task);
	}
	cJSON_Delete(root);
	snw_arena_destroy(scratch);
	return status;
}
