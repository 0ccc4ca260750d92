/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons that Assimp 5.2 does not read: those of Inter-Quake and MilkShape models. It gives the mesh without a word.
 */
#include <string.h>
#include <strings.h>

#include "base/plural.h"
#include "file/file.h"
#include "import/assimp/assimp_internal.h"

typedef struct skeleton_size {
	uint32_t joints, clips;
} skeleton_size;

static uint32_t little_endian(const unsigned char *bytes, size_t count) {
	uint32_t value = 0;
	for (size_t i = count; i-- > 0;) {
		value = value << 8 | bytes[i];
	}
	return value;
}

/* The header has numbers of all things, four bytes each. */
static skeleton_size size_of_iqm(snw_bytes bytes) {
	enum { JOINTS = 68, CLIPS = 84, HEADER = 124 };
	static const char magic[] = "INTERQUAKEMODEL";
	if (bytes.count < HEADER || memcmp(bytes.data, magic, sizeof magic) != 0) {
		return (skeleton_size){0};
	}
	return (skeleton_size){little_endian(bytes.data + JOINTS, 4), little_endian(bytes.data + CLIPS, 4)};
}

/* Passes a list of elements of one size, with their number before them. */
static bool pass(snw_bytes bytes, size_t *at, size_t element_bytes) {
	if (bytes.count < 2 || *at > bytes.count - 2) {
		return false;
	}
	*at += 2 + element_bytes * little_endian(bytes.data + *at, 2);
	return true;
}

/* Vertices, triangles, groups with a list of triangles each, materials; then times and the joints. */
static skeleton_size size_of_ms3d(snw_bytes bytes) {
	enum { HEADER = 14, VERTEX = 15, TRIANGLE = 70, GROUP_NAME = 33, MATERIAL = 361, TIMES = 12 };
	size_t at = HEADER;
	if (!pass(bytes, &at, VERTEX) || !pass(bytes, &at, TRIANGLE) || at > bytes.count || bytes.count - at < 2) {
		return (skeleton_size){0};
	}
	uint32_t groups = little_endian(bytes.data + at, 2);
	at += 2;
	for (; groups > 0; groups--) {
		at += GROUP_NAME;
		if (!pass(bytes, &at, 2)) {
			return (skeleton_size){0};
		}
		at++; /* its material */
	}
	if (!pass(bytes, &at, MATERIAL) || at + TIMES + 2 > bytes.count) {
		return (skeleton_size){0};
	}
	const uint32_t joints = little_endian(bytes.data + at + TIMES, 2);
	return (skeleton_size){joints, joints > 0};
}

static snw_status report(const snw_assimp *a, skeleton_size size) {
	const char *clips =
		size.clips > 0 ? snw_arena_format(a->scratch, " and %u clip%s", size.clips, snw_plural(size.clips)) : "";
	if (a->request->is_lossy) {
		snw_task_notice(a->task, SNW_LOG_WARNING, "%u joint%s%s of the file are left out", size.joints, snw_plural(size.joints),
						clips);
		return SNW_OK;
	}
	return snw_assimp_fail(a, SNW_ERROR_UNSUPPORTED,
						   "has %u joint%s%s, which are not read from .%s; export it as .glb or .fbx, or take the mesh alone "
						   "with --lossy",
						   size.joints, snw_plural(size.joints), clips, snw_path_extension(a->path));
}

snw_status snw_assimp_check_lost(const snw_assimp *a) {
	const char *extension = snw_path_extension(a->path);
	const bool is_iqm = strcasecmp(extension, "iqm") == 0;
	snw_bytes bytes;
	if ((!is_iqm && strcasecmp(extension, "ms3d") != 0) || snw_failed(snw_file_read(a->path, a->scratch, &bytes, NULL))) {
		return SNW_OK;
	}
	const skeleton_size size = is_iqm ? size_of_iqm(bytes) : size_of_ms3d(bytes);
	return size.joints > 0 ? report(a, size) : SNW_OK;
}
