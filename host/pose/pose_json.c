/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses from POSE.json: what another tool says of a pose, by joint name.
 */
#include <cjson/cJSON.h>

#include "file/file.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

typedef struct reader {
	const snw_scene *scene;
	const char *path;
	snw_arena *arena;
	const cJSON *root;
	const char *unknown; /* the first names that the scene does not have */
	uint32_t unknown_count;
	snw_pose *pose;
	snw_error *error;
} reader;

/* What one property does with the value that a joint (or channel) is given. */
typedef snw_status apply_value(reader *r, const char *name, const cJSON *value);

static snw_status read_numbers(reader *r, const char *name, const cJSON *array, int count, double *numbers) {
	if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != count) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: the value of '%s' must be an array of %d numbers", r->path, name, count);
	}
	int i = 0;
	for (const cJSON *item = array->child; item != NULL; item = item->next, i++) {
		if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) {
			return snw_fail(r->error, SNW_ERROR_DATA, "%s: the value of '%s' must be an array of %d numbers", r->path, name,
							count);
		}
		numbers[i] = item->valuedouble;
	}
	return SNW_OK;
}

static void note_unknown(reader *r, const char *name) {
	enum { NAMED = 10 };
	if (r->unknown_count == 0) {
		r->unknown = name;
	} else if (r->unknown_count < NAMED) {
		r->unknown = snw_arena_format(r->arena, "%s, %s", r->unknown, name);
	} else if (r->unknown_count == NAMED) {
		r->unknown = snw_arena_format(r->arena, "%s and others", r->unknown);
	}
	r->unknown_count++;
}

static snw_status apply_rotation(reader *r, const char *name, const cJSON *value) {
	double given[4];
	const snw_status status = read_numbers(r, name, value, 4, given);
	if (snw_failed(status)) {
		return status;
	}
	if (!(snw_quat_dot(given, given) > 1e-12)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: the rotation of '%s' has length zero; the identity is 0 0 0 1", r->path,
						name);
	}
	const uint32_t joint = snw_scene_find_joint(r->scene, name);
	if (joint == SNW_NONE) {
		note_unknown(r, name);
		return SNW_OK;
	}
	snw_quat_normalize(given);
	snw_quat_multiply(r->scene->skeleton.rest_local[joint].rotation, given, r->pose->local[joint].rotation);
	return SNW_OK;
}

static snw_status apply_translation(reader *r, const char *name, const cJSON *value) {
	double given[3];
	const snw_status status = read_numbers(r, name, value, 3, given);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t joint = snw_scene_find_joint(r->scene, name);
	if (joint == SNW_NONE) {
		note_unknown(r, name);
	} else {
		memcpy(r->pose->local[joint].translation, given, sizeof given);
	}
	return SNW_OK;
}

static snw_status apply_channel(reader *r, const char *name, const cJSON *value) {
	if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: the value of channel '%s' must be a number", r->path, name);
	}
	for (uint32_t i = 0; i < r->scene->channel_count; i++) {
		if (strcmp(r->scene->channels[i].name, name) == 0) {
			r->pose->channels[i] = value->valuedouble;
			return SNW_OK;
		}
	}
	note_unknown(r, name);
	return SNW_OK;
}

/* A property by name ({"elbow": …}) or in the order of "joints". */
static snw_status read_property(reader *r, const char *key, apply_value *apply) {
	const cJSON *property = cJSON_GetObjectItemCaseSensitive(r->root, key);
	if (property == NULL) {
		return SNW_OK;
	}
	snw_status status = SNW_OK;
	if (cJSON_IsObject(property)) {
		for (const cJSON *item = property->child; item != NULL && !snw_failed(status); item = item->next) {
			status = apply(r, item->string, item);
		}
		return status;
	}
	const cJSON *joints = cJSON_GetObjectItemCaseSensitive(r->root, "joints");
	if (!cJSON_IsArray(property) || !cJSON_IsArray(joints)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: \"%s\" must map names to values, or be an array beside \"joints\"",
						r->path, key);
	}
	if (cJSON_GetArraySize(property) != cJSON_GetArraySize(joints)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: \"%s\" has %d values, but there are %d \"joints\"", r->path, key,
						cJSON_GetArraySize(property), cJSON_GetArraySize(joints));
	}
	const cJSON *name = joints->child;
	for (const cJSON *item = property->child; item != NULL && !snw_failed(status); item = item->next, name = name->next) {
		if (!cJSON_IsString(name)) {
			return snw_fail(r->error, SNW_ERROR_DATA, "%s: \"joints\" must be an array of names", r->path);
		}
		status = apply(r, name->valuestring, item);
	}
	return status;
}

static snw_status read_pose(reader *r) {
	if (!cJSON_IsObject(r->root)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: is not a JSON object", r->path);
	}
	static const struct {
		const char *key;
		apply_value *apply;
	} properties[] = {
		{"local_rotations_xyzw", apply_rotation},
		{"translations", apply_translation},
		{"channels", apply_channel},
	};
	bool any = false;
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		any = any || cJSON_GetObjectItemCaseSensitive(r->root, properties[i].key) != NULL;
		const snw_status status = read_property(r, properties[i].key, properties[i].apply);
		if (snw_failed(status)) {
			return status;
		}
	}
	if (!any) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: no pose in it; \"local_rotations_xyzw\" is required", r->path);
	}
	if (r->unknown_count > 0) {
		return snw_fail(r->error, SNW_ERROR_MISSING, "%s: the character has no %s; rename them in the file", r->path,
						r->unknown);
	}
	snw_pose_unwind(r->scene, r->pose);
	return SNW_OK;
}

snw_status snw_pose_read_json(const snw_scene *scene, const char *path, snw_arena *arena, snw_pose **pose, snw_error *error) {
	snw_bytes bytes;
	snw_status status = snw_file_read(path, arena, &bytes, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *root = cJSON_ParseWithLength((const char *)bytes.data, bytes.count);
	if (root == NULL) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: is not JSON", path);
	}
	reader r = {
		.scene = scene, .path = path, .arena = arena, .root = root, .pose = snw_pose_rest(scene, arena), .error = error};
	status = read_pose(&r);
	if (!snw_failed(status)) {
		r.pose->name = snw_arena_text(arena, snw_path_name(path));
		*pose = r.pose;
	}
	cJSON_Delete(root);
	return status;
}
