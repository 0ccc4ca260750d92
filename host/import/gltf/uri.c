/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of URIs, which are data in the document or files beside it, and of buffer views. A document cannot read files
 * outside its folder.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/common/picture.h"
#include "import/gltf/document.h"

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
	uint32_t buffer;
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
