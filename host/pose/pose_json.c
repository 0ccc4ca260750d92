/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads poses of other tools from POSE.json, by joint name.
 */
#include <cjson/cJSON.h>

#include "file/file.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

typedef struct reader {
	const char *path;
	snw_arena *arena;
	const cJSON *root;
	snw_pose_values *values;
	uint32_t capacity;
	snw_error *error;
} reader;

/* Reads the value of one joint or channel. */
typedef snw_status read_value(reader *r, const char *name, const cJSON *value);

static double *add_value(reader *r, snw_pose_property property, const char *name) {
	snw_pose_values *values = r->values;
	if (values->count == r->capacity) {
		r->capacity = r->capacity > 0 ? 2 * r->capacity : 64;
		snw_pose_value *grown = SNW_NEW_ARRAY(r->arena, snw_pose_value, r->capacity);
		if (values->count > 0) {
			memcpy(grown, values->items, values->count * sizeof *grown);
		}
		values->items = grown;
	}
	snw_pose_value *value = &values->items[values->count++];
	*value = (snw_pose_value){.property = property, .name = snw_arena_text(r->arena, name)};
	return value->numbers;
}

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

static snw_status read_rotation(reader *r, const char *name, const cJSON *value) {
	double *given = add_value(r, SNW_POSE_ROTATION, name);
	const snw_status status = read_numbers(r, name, value, 4, given);
	if (snw_failed(status)) {
		return status;
	}
	return snw_quat_dot(given, given) > 1e-12
			   ? SNW_OK
			   : snw_fail(r->error, SNW_ERROR_DATA, "%s: the rotation of '%s' has length zero; the identity is 0 0 0 1",
						  r->path, name);
}

static snw_status read_translation(reader *r, const char *name, const cJSON *value) {
	return read_numbers(r, name, value, 3, add_value(r, SNW_POSE_TRANSLATION, name));
}

static snw_status read_channel(reader *r, const char *name, const cJSON *value) {
	if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: the value of channel '%s' must be a number", r->path, name);
	}
	add_value(r, SNW_POSE_CHANNEL, name)[0] = value->valuedouble;
	return SNW_OK;
}

/* Reads a property, by name ({"elbow": …}) or in the order of "joints". */
static snw_status read_property(reader *r, const char *key, read_value *read) {
	const cJSON *property = cJSON_GetObjectItemCaseSensitive(r->root, key);
	if (property == NULL) {
		return SNW_OK;
	}
	snw_status status = SNW_OK;
	if (cJSON_IsObject(property)) {
		for (const cJSON *item = property->child; item != NULL && !snw_failed(status); item = item->next) {
			status = read(r, item->string, item);
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
		status = read(r, name->valuestring, item);
	}
	return status;
}

static snw_status read_values(reader *r) {
	if (!cJSON_IsObject(r->root)) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: is not a JSON object", r->path);
	}
	static const struct {
		const char *key;
		read_value *read;
	} properties[] = {
		{"local_rotations_xyzw", read_rotation},
		{"translations", read_translation},
		{"channels", read_channel},
	};
	bool any = false;
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		any = any || cJSON_GetObjectItemCaseSensitive(r->root, properties[i].key) != NULL;
		const snw_status status = read_property(r, properties[i].key, properties[i].read);
		if (snw_failed(status)) {
			return status;
		}
	}
	return any ? SNW_OK
			   : snw_fail(r->error, SNW_ERROR_DATA, "%s: no pose in it; \"local_rotations_xyzw\" is required", r->path);
}

snw_status snw_pose_values_read(const char *path, snw_arena *arena, snw_pose_values *values, snw_error *error) {
	snw_bytes bytes;
	snw_status status = snw_file_read(path, arena, &bytes, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *root = cJSON_ParseWithLength((const char *)bytes.data, bytes.count);
	if (root == NULL) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: is not JSON", path);
	}
	*values = (snw_pose_values){0};
	reader r = {.path = path, .arena = arena, .root = root, .values = values, .error = error};
	status = read_values(&r);
	cJSON_Delete(root);
	return status;
}

/* ---- applying values ----------------------------------------------------------------------------------------------------- */

/* False if the character has no such joint or channel. */
static bool apply(const snw_scene *scene, const snw_pose_value *value, snw_pose *pose) {
	if (value->property == SNW_POSE_CHANNEL) {
		for (uint32_t i = 0; i < scene->channel_count; i++) {
			if (strcmp(scene->channels[i].name, value->name) == 0) {
				pose->channels[i] = value->numbers[0];
				return true;
			}
		}
		return false;
	}
	const uint32_t joint = snw_scene_find_joint(scene, value->name);
	if (joint != SNW_NONE && value->property == SNW_POSE_TRANSLATION) {
		memcpy(pose->local[joint].translation, value->numbers, sizeof pose->local[joint].translation);
	} else if (joint != SNW_NONE) {
		double rotation[4];
		memcpy(rotation, value->numbers, sizeof rotation);
		snw_quat_normalize(rotation);
		snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, rotation, pose->local[joint].rotation);
	}
	return joint != SNW_NONE;
}

/* Appends a name that the character does not have. */
static const char *list_unknown(const char *names, uint32_t count, const char *name, snw_arena *arena) {
	enum { NAMED = 10 };
	return count == 0       ? name
		   : count < NAMED  ? snw_arena_format(arena, "%s, %s", names, name)
		   : count == NAMED ? snw_arena_format(arena, "%s and others", names)
							: names;
}

snw_status snw_pose_from_values(const snw_scene *scene, const char *path, const snw_pose_values *values, snw_arena *arena,
								snw_pose **pose, snw_error *error) {
	snw_pose *result = snw_pose_rest(scene, arena);
	const char *unknown = NULL;
	uint32_t unknown_count = 0;
	for (uint32_t i = 0; i < values->count; i++) {
		if (!apply(scene, &values->items[i], result)) {
			unknown = list_unknown(unknown, unknown_count++, values->items[i].name, arena);
		}
	}
	if (unknown) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the character has no %s; rename them in the file", path, unknown);
	}
	snw_pose_unwind(scene, result);
	result->name = snw_arena_text(arena, snw_path_name(path));
	*pose = result;
	return SNW_OK;
}

snw_status snw_pose_read_json(const snw_scene *scene, const char *path, snw_arena *arena, snw_pose **pose, snw_error *error) {
	snw_pose_values values;
	const snw_status status = snw_pose_values_read(path, arena, &values, error);
	return snw_failed(status) ? status : snw_pose_from_values(scene, path, &values, arena, pose, error);
}
