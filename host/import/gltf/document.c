/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document: the .glb container or the JSON alone, its version and extensions, its arrays and its buffers.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/common/reading.h"
#include "import/gltf/gltf_internal.h"

/* ---- json ---------------------------------------------------------------------------------------------------------------- */

/* Checked access to the members of a glTF document. A member of a wrong type or range is an error. */

const cJSON *snw_gltf_member(const cJSON *object, const char *key) {
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *snw_gltf_text(const cJSON *object, const char *key) {
	return cJSON_GetStringValue(snw_gltf_member(object, key));
}

bool snw_gltf_flag(const cJSON *object, const char *key) {
	return cJSON_IsTrue(snw_gltf_member(object, key));
}

/* An array of objects at `key`, or an empty list. */
static bool gltf_list_read(snw_gltf *g, const char *key, const char *noun, snw_gltf_list *list) {
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

/* ---- the container ------------------------------------------------------------------------------------------------------- */

static uint32_t read_u32(const unsigned char *at) {
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BINARY 0x004e4942u

/* Finds the JSON and, if there is one, the binary chunk of a .glb. */
static bool split_chunks(snw_gltf *g, snw_bytes file, snw_bytes *json) {
	const uint32_t version = file.count >= 20 ? read_u32(file.data + 4) : 0;
	if (version == 1) {
		return snw_reading_fail(&g->reading, SNW_ERROR_UNSUPPORTED, "is glTF 1.0; export it as glTF 2.0");
	}
	if (version != 2) {
		return snw_reading_fail(&g->reading, SNW_ERROR_UNSUPPORTED, "not a binary glTF of version 2; export it as glTF 2.0");
	}
	const size_t total = read_u32(file.data + 8);
	if (total > file.count) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "truncated: %zu of %zu bytes; copy it again", file.count, total);
	}
	*json = (snw_bytes){0};
	for (size_t at = 12; total >= 8 && at <= total - 8;) {
		const size_t length = read_u32(file.data + at);
		const uint32_t kind = read_u32(file.data + at + 4);
		if (length > total - at - 8) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
									"a chunk extends past the end of the file; the file is damaged");
		}
		const snw_bytes chunk = {file.data + at + 8, length};
		if (kind == CHUNK_JSON && !json->data) {
			*json = chunk;
		} else if (kind == CHUNK_BINARY && !g->binary.data) {
			g->binary = chunk;
		}
		at += 8 + length;
	}
	if (!json->data) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "has no JSON chunk; the file is damaged");
	}
	return true;
}

static bool parse_json(snw_gltf *g, snw_bytes json) {
	const char *end = NULL;
	g->root = cJSON_ParseWithLengthOpts((const char *)json.data, json.count, &end, 0);
	if (!g->root) {
		const size_t at = end ? (size_t)(end - (const char *)json.data) : 0;
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "invalid JSON near byte %zu of %zu; the file is damaged", at,
								json.count);
	}
	const cJSON *asset = snw_gltf_member(g->root, "asset");
	const char *version = snw_gltf_text(asset, "version"), *least = snw_gltf_text(asset, "minVersion");
	/* Version 1.0 need not say its version; it lists things by name where 2.0 has arrays. */
	const bool is_old =
		!version && (cJSON_IsObject(snw_gltf_member(g->root, "meshes")) || cJSON_IsObject(snw_gltf_member(g->root, "nodes")));
	if (is_old) {
		return snw_reading_fail(&g->reading, SNW_ERROR_UNSUPPORTED, "is glTF 1.0; export it as glTF 2.0");
	}
	if (!version) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "its JSON has no glTF version; it is not glTF, or damaged");
	}
	if (strncmp(version, "2.", 2) != 0 || (least && strcmp(least, "2.0") != 0)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_UNSUPPORTED, "is glTF %.20s; export it as glTF 2.0",
								least ? least : version);
	}
	return true;
}

/* ---- extensions ---------------------------------------------------------------------------------------------------------- */

/* KHR_mesh_quantization needs no support: all accessors can have integers. */
static bool is_read_extension(const char *name) {
	return strcmp(name, "KHR_mesh_quantization") == 0 || strcmp(name, "EXT_meshopt_compression") == 0 ||
		   strcmp(name, "KHR_materials_pbrSpecularGlossiness") == 0 || strcmp(name, "MSFT_lod") == 0 ||
		   strcmp(name, "KHR_lights_punctual") == 0;
}

/* Without these a file looks different, but has the same points and weights. */
static bool is_extension_of_looks(const char *name) {
	static const char *const beginnings[] = {"KHR_materials_", "KHR_lights_", "EXT_lights_", "KHR_texture_transform"};
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) {
			return true;
		}
	}
	return false;
}

static bool refuse_extension(snw_gltf *g, const char *name) {
	static const struct {
		const char *name, *what, *instead;
	} known[] = {
		{"KHR_draco_mesh_compression", "meshes compressed by Draco", "without compression"},
		{"KHR_texture_basisu", "Basis Universal pictures", "with PNG or JPEG pictures"},
		{"EXT_texture_webp", "WebP pictures", "with PNG or JPEG pictures"},
		{"EXT_texture_avif", "AVIF pictures", "with PNG or JPEG pictures"},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strcmp(name, known[i].name) == 0) {
			return snw_reading_fail(&g->reading, SNW_ERROR_UNSUPPORTED, "has %s (%s), which are not read; export it %s",
									known[i].what, name, known[i].instead);
		}
	}
	return snw_reading_fail(&g->reading, SNW_ERROR_UNSUPPORTED,
							"requires the extension %.100s, which is not supported; export without it", name);
}

static void tell_kept(const snw_gltf *g, const char *name) {
	const char *what = strcmp(name, "KHR_texture_transform") == 0 ? "applied to the UVs"
					   : is_read_extension(name) ? "shown as metal and roughness, and kept for the glTF that you export"
												 : "not shown, and kept for the glTF that you export";
	snw_task_notice(g->reading.task, SNW_LOG_INFO, "the extension %.100s is %s", name, what);
}

static bool check_extensions(snw_gltf *g) {
	const cJSON *required = snw_gltf_member(g->root, "extensionsRequired");
	for (const cJSON *item = required ? required->child : NULL; item; item = item->next) {
		const char *name = cJSON_GetStringValue(item);
		if (name && !is_read_extension(name) && !is_extension_of_looks(name)) {
			return refuse_extension(g, name);
		}
	}
	const cJSON *used = snw_gltf_member(g->root, "extensionsUsed");
	for (const cJSON *item = used ? used->child : NULL; item; item = item->next) {
		const char *name = cJSON_GetStringValue(item);
		if (name && (strcmp(name, "KHR_texture_transform") == 0 || snw_gltf_keeps_extension(name))) {
			tell_kept(g, name);
		} else if (name && !is_read_extension(name)) {
			snw_task_notice(g->reading.task, SNW_LOG_WARNING, "the extension %.100s is not supported and is ignored%s", name,
							is_extension_of_looks(name) ? "; it changes only the look" : "");
		}
	}
	return true;
}

/* ---- arrays and buffers -------------------------------------------------------------------------------------------------- */

static bool read_lists(snw_gltf *g) {
	return gltf_list_read(g, "buffers", "buffer", &g->buffer_list) &&
		   gltf_list_read(g, "bufferViews", "buffer view", &g->views) &&
		   gltf_list_read(g, "accessors", "accessor", &g->accessors) && gltf_list_read(g, "nodes", "node", &g->nodes) &&
		   gltf_list_read(g, "meshes", "mesh", &g->meshes) && gltf_list_read(g, "skins", "skin", &g->skins) &&
		   gltf_list_read(g, "animations", "animation", &g->animations) &&
		   gltf_list_read(g, "materials", "material", &g->materials) &&
		   gltf_list_read(g, "textures", "texture", &g->textures) && gltf_list_read(g, "images", "image", &g->images) &&
		   gltf_list_read(g, "samplers", "sampler", &g->samplers) && gltf_list_read(g, "scenes", "scene", &g->scenes);
}

static bool read_buffers(snw_gltf *g) {
	g->buffers = SNW_NEW_ARRAY(g->reading.scratch, snw_bytes, g->buffer_list.count);
	g->decoded = SNW_NEW_ARRAY(g->reading.scratch, snw_bytes, g->views.count);
	for (uint32_t i = 0; i < g->buffer_list.count; i++) {
		const snw_gltf_place place = {"buffer", i};
		const cJSON *object = g->buffer_list.items[i];
		const char *uri = snw_gltf_text(object, "uri");
		snw_bytes *bytes = &g->buffers[i];
		uint64_t length = 0;
		if (!snw_gltf_integer(g, place, object, "byteLength", &length)) {
			return false;
		}
		if (!uri && i == 0 && g->binary.data) {
			*bytes = g->binary;
		} else if (!uri && snw_gltf_flag(snw_gltf_compression_of(object), "fallback")) {
			continue;
		} else if (!uri) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "buffer %u: has no bytes; the file is damaged", i);
		} else if (!snw_gltf_resolve(g, uri, place, bytes)) {
			return false;
		}
		if (bytes->count < length) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "buffer %u: %zu of %llu bytes; copy the file again", i,
									bytes->count, (unsigned long long)length);
		}
		bytes->count = (size_t)length;
	}
	return true;
}

bool snw_gltf_open(snw_gltf *g) {
	snw_bytes file, json = {0};
	const snw_status status = snw_file_read(g->reading.path, g->reading.scratch, &file, g->reading.error);
	if (snw_failed(status)) {
		g->reading.status = status;
		return false;
	}
	snw_reading_add_file(&g->reading, file.count);
	if (file.count >= 4 && memcmp(file.data, "glTF", 4) == 0) {
		if (!split_chunks(g, file, &json)) {
			return false;
		}
	} else {
		json = file;
	}
	return parse_json(g, json) && check_extensions(g) && read_lists(g) && read_buffers(g);
}

void snw_gltf_close(snw_gltf *g) {
	cJSON_Delete(g->root);
	g->root = NULL;
}

/* ---- uri ----------------------------------------------------------------------------------------------------------------- */

/* The bytes of URIs, which are data in the document or files beside it, and of buffer views. A document cannot read files
 * outside its folder. */

/* ---- data URIs ----------------------------------------------------------------------------------------------------------- */

/* Decodes up to the padding. False for a character that is not base64. */
static bool decode_base64(const char *text, snw_arena *arena, snw_bytes *bytes) {
	const size_t length = strlen(text);
	snw_base64 state = {.dest = SNW_NEW_ARRAY(arena, unsigned char, length / 4 * 3 + 4)};
	const bool ok = snw_base64_decode(&state, text, length);
	*bytes = (snw_bytes){state.dest, state.count};
	return ok;
}

static bool resolve_data(snw_gltf *g, const char *uri, snw_gltf_place place, snw_bytes *bytes) {
	const char *comma = strchr(uri, ',');
	static const char marker[] = ";base64";
	const size_t marker_length = sizeof marker - 1;
	if (!comma || (size_t)(comma - uri) < marker_length || strncasecmp(comma - marker_length, marker, marker_length) != 0 ||
		!decode_base64(comma + 1, g->reading.scratch, bytes)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: its data URI is not base64; the file is damaged",
								place.noun, place.index);
	}
	return true;
}

/* ---- files beside the document ------------------------------------------------------------------------------------------- */

static int hex_value(char c) {
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes %20 and the like; NULL for %00 and for invalid ones. */
static char *decode_percent(snw_arena *arena, const char *uri) {
	char *decoded = snw_arena_text(arena, uri), *to = decoded;
	for (const char *from = uri; *from; from++) {
		if (*from == '%') {
			const int high = hex_value(from[1]), low = high < 0 ? -1 : hex_value(from[2]);
			if (low < 0 || 16 * high + low == 0) {
				return NULL;
			}
			*to++ = (char)(16 * high + low);
			from += 2;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	return decoded;
}

/* Whether a path is relative, without a scheme or "..". */
static bool path_stays_below(const char *path) {
	if (path[0] == '\0' || path[0] == '/' || strchr(path, ':') || strchr(path, '\\')) {
		return false;
	}
	for (const char *part = path; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) {
			return false;
		}
	}
	return true;
}

bool snw_gltf_resolve(snw_gltf *g, const char *uri, snw_gltf_place place, snw_bytes *bytes) {
	if (strncasecmp(uri, "data:", 5) == 0) {
		return resolve_data(g, uri, place, bytes);
	}
	const char *path = decode_percent(g->reading.scratch, uri);
	if (!path || !path_stays_below(path)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"%s %u: \"%.200s\" is not in the folder of this file; copy it there, or export as .glb",
								place.noun, place.index, uri);
	}
	const char *folder = snw_path_folder(g->reading.path, g->reading.scratch),
			   *file = snw_path_join(g->reading.scratch, folder, path);
	snw_error reason;
	const snw_status found = snw_below_folder(folder, file, &reason);
	if (snw_failed(found)) {
		return snw_reading_fail(&g->reading, found, "%s %u: %s, or export as .glb", place.noun, place.index, reason.text);
	}
	const snw_status status = snw_file_read(file, g->reading.scratch, bytes, g->reading.error);
	if (snw_failed(status)) {
		g->reading.status = status;
		return false;
	}
	snw_reading_add_file(&g->reading, bytes->count);
	if (g->reading.file_bytes > SNW_FILE_LIMIT) {
		return snw_reading_fail(&g->reading, SNW_ERROR_LIMIT,
								"this file and those it refers to are larger than %zu GiB together; split it",
								SNW_FILE_LIMIT >> 30);
	}
	return true;
}

/* ---- views --------------------------------------------------------------------------------------------------------------- */

bool snw_gltf_view_bytes(snw_gltf *g, uint32_t view, snw_bytes *bytes, uint32_t *stride) {
	const snw_gltf_place place = {"buffer view", view};
	const cJSON *object = g->views.items[view];
	uint32_t buffer = 0;
	uint64_t offset = 0, length = 0, step = 0;
	if (!snw_gltf_required_index(g, place, object, "buffer", &g->buffer_list, &buffer) ||
		!snw_gltf_integer(g, place, object, "byteOffset", &offset) ||
		!snw_gltf_integer(g, place, object, "byteLength", &length) ||
		!snw_gltf_integer(g, place, object, "byteStride", &step)) {
		return false;
	}
	const snw_bytes *whole = &g->buffers[buffer];
	if (step <= 252 && snw_gltf_compression_of(object)) {
		*stride = (uint32_t)step;
		return snw_gltf_decompress(g, view, bytes);
	}
	if (offset > whole->count || length > whole->count - offset) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"buffer view %u: extends past the end of buffer %u; the file is damaged", view, buffer);
	}
	if (step > 252) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"buffer view %u: a stride of %llu bytes is more than glTF's 252; the file is damaged", view,
								(unsigned long long)step);
	}
	*bytes = (snw_bytes){whole->data + offset, (size_t)length};
	*stride = (uint32_t)step;
	return true;
}
