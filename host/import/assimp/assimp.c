/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collada and the other formats that Assimp reads. Assimp aborts or reads out of bounds on malformed files, so this runs
 * in the worker process only.
 *
 * Assimp converts Collada to metres and Y up. It gives each corner its own vertex, so points of equal position, skin and
 * displacements are merged again, in the order of first appearance. All keys are linear, because Assimp drops interpolation
 * modes.
 */
#include "import/import.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "file/file.h"
#include "import/assimp/assimp_internal.h"
#include "import/common/reading.h"

/* ---- lost ---------------------------------------------------------------------------------------------------------------- */

/* Skeletons that Assimp 5.2 does not read: those of Inter-Quake and MilkShape models. It gives the mesh without a word. */

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

/* assimp.c: SNW_ERROR_UNSUPPORTED for a file whose skeleton Assimp loses, unless losses are accepted. */
static snw_status assimp_check_lost(const snw_assimp *a) {
	const char *extension = snw_path_extension(a->path);
	const bool is_iqm = strcasecmp(extension, "iqm") == 0;
	snw_bytes bytes;
	if ((!is_iqm && strcasecmp(extension, "ms3d") != 0) || snw_failed(snw_file_read(a->path, a->scratch, &bytes, NULL))) {
		return SNW_OK;
	}
	const skeleton_size size = is_iqm ? size_of_iqm(bytes) : size_of_ms3d(bytes);
	return size.joints > 0 ? report(a, size) : SNW_OK;
}

/* ---- ply sizes ----------------------------------------------------------------------------------------------------------- */

/* Whether a PLY file has what its header and its lists say. Assimp reads on where a file ends: a list of 2^32 numbers that
 * are not there takes it hours. */

enum { MOST_ELEMENTS = 64, MOST_PROPERTIES = 256 };

typedef struct property {
	unsigned count_bytes; /* of the length of a list; 0: a number */
	unsigned bytes;       /* of a number */
} property;

typedef struct element {
	uint64_t count;
	uint32_t first, property_count;
} element;

typedef struct ply {
	const char *at, *end;
	bool is_text, is_big_endian;
	bool is_unknown; /* the header has what this does not know; Assimp says what is wrong with it */
	element elements[MOST_ELEMENTS];
	property properties[MOST_PROPERTIES];
	uint32_t element_count, property_count;
} ply;

static unsigned bytes_of_type(const char *name) {
	static const struct {
		const char *names;
		unsigned bytes;
	} types[] = {{" char uchar int8 uint8 ", 1},
				 {" short ushort int16 uint16 ", 2},
				 {" int uint int32 uint32 float float32 ", 4},
				 {" double float64 ", 8}};
	char wanted[20];
	snprintf(wanted, sizeof wanted, " %.16s ", name);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strstr(types[i].names, wanted)) {
			return types[i].bytes;
		}
	}
	return 0;
}

static bool read_ply_property(ply *p, const char *line) {
	char type[17] = "", length[17] = "";
	if (p->element_count == 0 || p->property_count == MOST_PROPERTIES) {
		return false;
	}
	property *added = &p->properties[p->property_count];
	if (sscanf(line, "property list %16s %16s", length, type) == 2) {
		*added = (property){bytes_of_type(length), bytes_of_type(type)};
	} else if (sscanf(line, "property %16s", type) == 1) {
		*added = (property){0, bytes_of_type(type)};
	}
	p->property_count++;
	p->elements[p->element_count - 1].property_count++;
	return added->bytes > 0 && (!length[0] || added->count_bytes > 0);
}

/* False if it does not end. */
static bool read_header(ply *p) {
	char line[200];
	while (p->at < p->end) {
		const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
		const char *next = newline ? newline + 1 : p->end;
		snprintf(line, sizeof line, "%.*s", (int)(next - p->at < 199 ? next - p->at : 199), p->at);
		p->at = next;
		unsigned long long count;
		if (strncmp(line, "end_header", 10) == 0 && strchr(" \t\r\n", line[10])) {
			return true;
		} else if (strncmp(line, "format", 6) == 0) {
			p->is_text = strstr(line, "ascii") != NULL;
			p->is_big_endian = strstr(line, "big_endian") != NULL;
		} else if (sscanf(line, "element %*s %llu", &count) == 1) {
			p->is_unknown = p->is_unknown || p->element_count == MOST_ELEMENTS;
			p->elements[p->is_unknown ? 0 : p->element_count++] = (element){.count = count, .first = p->property_count};
		} else if (strncmp(line, "property", 8) == 0) {
			p->is_unknown = p->is_unknown || !read_ply_property(p, line);
		}
	}
	return false;
}

/* ---- the data ------------------------------------------------------------------------------------------------------------ */

static bool skip_words(ply *p, uint64_t count) {
	for (; count > 0; count--) {
		while (p->at < p->end && strchr(" \t\r\n", *p->at)) {
			p->at++;
		}
		if (p->at == p->end) {
			return false;
		}
		while (p->at < p->end && !strchr(" \t\r\n", *p->at)) {
			p->at++;
		}
	}
	return true;
}

static bool skip_bytes(ply *p, uint64_t count, unsigned bytes) {
	if (count > (uint64_t)(p->end - p->at) / bytes) {
		return false;
	}
	p->at += count * bytes;
	return true;
}

static bool skip_list(ply *p, const property *list) {
	const unsigned char *place = (const unsigned char *)p->at;
	uint64_t count = 0;
	if (p->is_text) {
		count = strtoull(p->at, NULL, 10);
		return skip_words(p, 1) && count <= (uint64_t)(p->end - p->at) && skip_words(p, count);
	}
	if (!skip_bytes(p, 1, list->count_bytes)) {
		return false;
	}
	for (unsigned i = 0; i < list->count_bytes; i++) {
		count |= (uint64_t)place[p->is_big_endian ? list->count_bytes - 1 - i : i] << 8 * i;
	}
	return skip_bytes(p, count, list->bytes);
}

static bool skip_elements(ply *p, const element *e) {
	bool is_there = e->count <= (uint64_t)(p->end - p->at);
	for (uint64_t i = 0; i < e->count && is_there; i++) {
		for (uint32_t k = 0; k < e->property_count && is_there; k++) {
			const property *one = &p->properties[e->first + k];
			is_there = one->count_bytes > 0 ? skip_list(p, one) : p->is_text ? skip_words(p, 1) : skip_bytes(p, 1, one->bytes);
		}
	}
	return is_there;
}

/* assimp.c: false if a list or an element of a PLY file is longer than the file. `bytes` end with a zero. */
static bool assimp_ply_is_whole(const char *bytes, size_t count) {
	ply p = {.at = bytes, .end = bytes + count};
	bool is_whole = read_header(&p);
	for (uint32_t e = 0; e < p.element_count && is_whole && !p.is_unknown; e++) {
		is_whole = skip_elements(&p, &p.elements[e]);
	}
	return is_whole;
}

/* ---- assimp -------------------------------------------------------------------------------------------------------------- */

snw_status snw_assimp_fail(const snw_assimp *a, snw_status status, const char *format, ...) {
	char text[800];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return snw_fail(a->error, status, "%s: %s", a->path, text);
}

static bool is_assimp(const char *path, const unsigned char *head, size_t head_count) {
	(void)head, (void)head_count;
	char extension[16];
	const int length = snprintf(extension, sizeof extension, ".%s", snw_path_extension(path));
	return length > 1 && (size_t)length < sizeof extension && aiIsExtensionSupported(extension) == AI_TRUE;
}

/* Assimp 5.2 writes past the end of an array for a RAW file with more than one group. Without the lines that name groups, all
 * triangles are in one, and keep their materials. */
static const struct aiScene *load_raw(const snw_assimp *a) {
	snw_bytes bytes;
	if (snw_failed(snw_file_read(a->path, a->scratch, &bytes, NULL)) || bytes.count > UINT_MAX) {
		return NULL;
	}
	char *text = snw_arena_acquire(a->scratch, bytes.count + 1); /* zeroed: it ends */
	memcpy(text, bytes.data, bytes.count);
	for (char *line = text; line < text + bytes.count; line += strcspn(line, "\n") + 1) {
		const char first = line[strspn(line, " \t")];
		if (first && !strchr("+-.0123456789\r\n", first)) {
			memset(line, ' ', strcspn(line, "\n"));
		}
	}
	return aiImportFileFromMemory(text, (unsigned)bytes.count, 0, "raw");
}

static bool is_cut_ply(const snw_assimp *a) {
	snw_bytes bytes;
	if (strcasecmp(snw_path_extension(a->path), "ply") != 0 || snw_failed(snw_file_read(a->path, a->scratch, &bytes, NULL))) {
		return false;
	}
	char *text = snw_arena_acquire(a->scratch, bytes.count + 1); /* zeroed: it ends */
	memcpy(text, bytes.data, bytes.count);
	return !assimp_ply_is_whole(text, bytes.count);
}

/* Loads the file without post-processing: nothing is triangulated, joined or dropped. */
static snw_status load(snw_assimp *a) {
	if (is_cut_ply(a)) {
		return snw_assimp_fail(a, SNW_ERROR_DATA,
							   "its header, a list or an element is longer than the file; it is damaged: export it again");
	}
	const char *extension = snw_path_extension(a->path);
	const bool is_collada = strcasecmp(extension, "dae") == 0;
	snw_status status = assimp_check_lost(a);
	status = snw_failed(status) || !is_collada ? status : snw_assimp_load_collada(a);
	if (snw_failed(status)) {
		return status;
	}
	if (!is_collada) {
		a->file = strcasecmp(extension, "raw") == 0 ? load_raw(a) : aiImportFile(a->path, 0);
	}
	if (a->file && a->file->mRootNode) {
		return SNW_OK;
	}
	char text[300];
	snprintf(text, sizeof text, "%.290s", aiGetErrorString());
	(void)snw_text_clean(text, ' ');
	if (strstr(text, "bad_alloc")) {
		return snw_assimp_fail(a, SNW_ERROR_LIMIT,
							   "the import exceeds its memory limit; make the file smaller, or raise the limit with --memory");
	}
	return snw_assimp_fail(a, SNW_ERROR_DATA, "Assimp cannot read it (%s); open it in another program and export it as .glb",
						   text);
}

typedef struct step {
	snw_status (*run)(snw_assimp *a);
	const char *activity;
} step;

static snw_status make_rest(snw_assimp *a) {
	snw_assimp_choose_placements(a);
	return snw_assimp_make_skeleton(a);
}

static snw_status finish(snw_assimp *a) {
	snw_assimp_make_poses(a);
	snw_assimp_read_materials(a);
	return SNW_OK;
}

/* What the file has; and whether it has no mesh, for which Assimp makes one of its joints. */
static void check_arrival(const snw_assimp *a) {
	snw_arrival contents = {.clips = a->file->mNumAnimations};
	for (unsigned m = 0; m < a->file->mNumMeshes; m++) {
		contents.skinned_joints += a->file->mMeshes[m]->mNumBones;
		contents.shapes += a->file->mMeshes[m]->mNumAnimMeshes;
	}
	snw_check_arrival(a->scene, &contents, a->task);
	for (uint32_t m = 0; m < a->scene->material_count; m++) {
		if (strcmp(a->scene->materials[m].name, "SkeletonMaterial") == 0) {
			snw_task_notice(a->task, SNW_LOG_WARNING, "the file has no mesh; Assimp made one of its joints, to show them");
		}
	}
}

static snw_status read_assimp(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
							  snw_error *error) {
	static const step steps[] = {
		{load, "reading"},       {snw_assimp_read_nodes, "nodes"},   {snw_assimp_list_shapes, "nodes"},
		{make_rest, "skeleton"}, {snw_assimp_read_meshes, "meshes"}, {snw_assimp_read_clips, "clips"},
		{finish, "materials"},
	};
	enum { STEPS = sizeof steps / sizeof steps[0] };
	snw_assimp a = {
		.path = path,
		.request = request,
		.task = task,
		.error = error,
		.scene = scene,
		.arena = scene->arena,
		.scratch = snw_arena_create(),
	};
	snw_status status = SNW_OK;
	for (size_t i = 0; i < STEPS && !snw_failed(status); i++) {
		status = snw_task_progress(task, (double)i / STEPS, steps[i].activity)
					 ? steps[i].run(&a)
					 : snw_fail(error, SNW_CANCELLED, "%s: cancelled", path);
	}
	if (!snw_failed(status)) {
		check_arrival(&a);
	}
	aiReleaseImport(a.file);
	snw_arena_destroy(a.scratch);
	return status;
}

const snw_import_format snw_import_assimp = {
	.file = {.extensions = "dae", .label = "Collada and others", .holds = SNW_FILE_MESH | SNW_FILE_SKIN | SNW_FILE_ANIMATION},
	.recognizes = is_assimp,
	.read = read_assimp,
};
