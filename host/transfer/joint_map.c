/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transfer/joint_map.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "file/file.h"

static snw_status read_pairs(const char *path, const cJSON *root, const snw_scene *source, const snw_scene *target,
							 const snw_task *task, uint32_t *sources, snw_error *error) {
	uint32_t missing_count = 0;
	const char *missing = "";
	for (const cJSON *item = root->child; item; item = item->next) {
		const char *name = cJSON_GetStringValue(item);
		const uint32_t joint = name ? snw_scene_find_joint(target, name) : SNW_NONE;
		const uint32_t from = snw_scene_find_joint(source, item->string);
		if (joint == SNW_NONE) {
			return name
					   ? snw_fail(error, SNW_ERROR_DATA,
								  "%s: the character has no joint '%.120s', which '%.120s' is said to be; 'sinew joint P list' "
								  "lists its joints",
								  path, name, item->string)
					   : snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' must have the name of a joint of the character", path,
								  item->string);
		}
		if (from == SNW_NONE) {
			missing = missing_count++ == 0 ? item->string : missing;
			continue;
		}
		if (sources[joint] != SNW_NONE && sources[joint] != from) {
			return snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' and '%.120s' both become '%.120s'; name one of them", path,
							source->skeleton.names[sources[joint]], item->string, name);
		}
		for (uint32_t j = 0; j < target->skeleton.joint_count; j++) {
			if (sources[j] == from && j != joint) {
				return snw_fail(error, SNW_ERROR_DATA, "%s: '%.120s' is there twice; leave one of them", path, item->string);
			}
		}
		sources[joint] = from;
	}
	if (missing_count > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "%s: %u of its joints are not in the file, such as '%.120s'", path,
						missing_count, missing);
	}
	return SNW_OK;
}

snw_status snw_joint_map_read(const char *path, const snw_scene *source, const snw_scene *target, const snw_task *task,
							  uint32_t *sources, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_bytes bytes;
	for (uint32_t j = 0; j < target->skeleton.joint_count; j++) {
		sources[j] = SNW_NONE;
	}
	snw_status status = snw_file_read(path, scratch, &bytes, error);
	cJSON *root = snw_failed(status) ? NULL : cJSON_ParseWithLength((const char *)bytes.data, bytes.count);
	if (!snw_failed(status)) {
		status = cJSON_IsObject(root) ? read_pairs(path, root, source, target, task, sources, error)
									  : snw_fail(error, SNW_ERROR_DATA,
												 "%s: expected a JSON of joint names: {\"joint of the file\": \"joint of the "
												 "character\"}",
												 path);
	}
	cJSON_Delete(root);
	snw_arena_destroy(scratch);
	return status;
}
