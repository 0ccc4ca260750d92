/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/assimp/assimp.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "file/file.h"
#include "import/assimp/assimp_internal.h"
#include "import/common/arrival.h"

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
	return !snw_assimp_ply_is_whole(text, bytes.count);
}

/* Loads the file without post-processing: nothing is triangulated, joined or dropped. */
static snw_status load(snw_assimp *a) {
	if (is_cut_ply(a)) {
		return snw_assimp_fail(a, SNW_ERROR_DATA,
							   "its header, a list or an element is longer than the file; it is damaged: export it again");
	}
	const char *extension = snw_path_extension(a->path);
	const bool is_collada = strcasecmp(extension, "dae") == 0;
	snw_status status = snw_assimp_check_lost(a);
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
