/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checked access to the members of a glTF document. A member of a wrong type or range is an error.
 */
#include <math.h>

#include "import/gltf/document.h"

const cJSON *snw_gltf_member(const cJSON *object, const char *key) {
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *snw_gltf_text(const cJSON *object, const char *key) {
	return cJSON_GetStringValue(snw_gltf_member(object, key));
}

bool snw_gltf_flag(const cJSON *object, const char *key) {
	return cJSON_IsTrue(snw_gltf_member(object, key));
}

bool snw_gltf_list_read(snw_gltf *g, const char *key, const char *noun, snw_gltf_list *list) {
	*list = (snw_gltf_list){.noun = noun};
	const cJSON *array = snw_gltf_member(g->root, key);
	if (!array) {
		return true;
	}
	if (!cJSON_IsArray(array)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "\"%s\" is not an array; the file is damaged", key);
	}
	size_t count = 0;
	for (const cJSON *item = array->child; item; item = item->next) {
		count++;
	}
	if (count >= SNW_NONE) {
		return snw_reading_fail(&g->reading, SNW_ERROR_LIMIT, "\"%s\" has more than %u members; split the file", key,
								SNW_NONE - 1);
	}
	list->items = SNW_NEW_ARRAY(g->reading.scratch, const cJSON *, count);
	for (const cJSON *item = array->child; item; item = item->next) {
		if (!cJSON_IsObject(item)) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u is not an object; the file is damaged", noun,
									list->count);
		}
		list->items[list->count++] = item;
	}
	return true;
}

/* True if the item is an integer in [0, limit). */
static bool integer_below(const cJSON *item, double limit, uint64_t *value) {
	const double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
	if (!(number >= 0 && number < limit) || number != floor(number)) {
		return false;
	}
	*value = (uint64_t)number;
	return true;
}

static bool item_index(snw_gltf *g, snw_gltf_place place, const char *key, const cJSON *item, const snw_gltf_list *list,
					   uint32_t *index) {
	uint64_t value;
	if (!integer_below(item, list->count, &value)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"%s %u: \"%s\" does not refer to a %s (of %u); the file is damaged", place.noun, place.index,
								key, list->noun, list->count);
	}
	*index = (uint32_t)value;
	return true;
}

bool snw_gltf_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					uint32_t *index) {
	const cJSON *item = snw_gltf_member(object, key);
	*index = SNW_NONE;
	return !item || item_index(g, place, key, item, list, index);
}

bool snw_gltf_required_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
							 uint32_t *index) {
	return item_index(g, place, key, snw_gltf_member(object, key), list, index);
}

bool snw_gltf_integer(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint64_t *value) {
	const cJSON *item = snw_gltf_member(object, key);
	if (item && !integer_below(item, 9007199254740992.0, value)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: \"%s\" is not a non-negative integer; the file is damaged",
								place.noun, place.index, key);
	}
	return true;
}

static bool item_is_finite(const cJSON *item) {
	return cJSON_IsNumber(item) && isfinite(item->valuedouble);
}

bool snw_gltf_number(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, double *value) {
	const cJSON *item = snw_gltf_member(object, key);
	if (item && !item_is_finite(item)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: \"%s\" is not a number; the file is damaged", place.noun,
								place.index, key);
	}
	*value = item ? item->valuedouble : *value;
	return true;
}

bool snw_gltf_numbers(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint32_t count, double *values) {
	const cJSON *array = snw_gltf_member(object, key);
	if (!array) {
		return true;
	}
	uint32_t found = 0;
	for (const cJSON *item = cJSON_IsArray(array) ? array->child : NULL; item; item = item->next) {
		if (found >= count || !item_is_finite(item)) {
			found = count + 1;
			break;
		}
		values[found++] = item->valuedouble;
	}
	if (found != count) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: \"%s\" is not an array of %u numbers; the file is damaged",
								place.noun, place.index, key, count);
	}
	return true;
}

bool snw_gltf_indices(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					  uint32_t **indices, uint32_t *count) {
	const cJSON *array = snw_gltf_member(object, key);
	uint32_t size = 0;
	for (const cJSON *item = array ? array->child : NULL; item && size < SNW_NONE; item = item->next) {
		size++;
	}
	uint32_t *found = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, size);
	*count = 0;
	for (const cJSON *item = array ? array->child : NULL; item && *count < size; item = item->next) {
		if (!item_index(g, place, key, item, list, &found[(*count)++])) {
			return false;
		}
	}
	*indices = found;
	return true;
}
