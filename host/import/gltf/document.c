/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document: the .glb container or the JSON alone, its version and extensions, its arrays and its buffers.
 */
#include "import/gltf/document.h"

#include <string.h>

#include "import/gltf/gltf_internal.h"

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
	return snw_gltf_list_read(g, "buffers", "buffer", &g->buffer_list) &&
		   snw_gltf_list_read(g, "bufferViews", "buffer view", &g->views) &&
		   snw_gltf_list_read(g, "accessors", "accessor", &g->accessors) && snw_gltf_list_read(g, "nodes", "node", &g->nodes) &&
		   snw_gltf_list_read(g, "meshes", "mesh", &g->meshes) && snw_gltf_list_read(g, "skins", "skin", &g->skins) &&
		   snw_gltf_list_read(g, "animations", "animation", &g->animations) &&
		   snw_gltf_list_read(g, "materials", "material", &g->materials) &&
		   snw_gltf_list_read(g, "textures", "texture", &g->textures) && snw_gltf_list_read(g, "images", "image", &g->images) &&
		   snw_gltf_list_read(g, "samplers", "sampler", &g->samplers) && snw_gltf_list_read(g, "scenes", "scene", &g->scenes);
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
