/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which reader takes a file. The first row of the table whose `takes` says yes reads it; rows that know a file by its content
 * stand before those that go by its extension.
 */
#include "import/import.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "import/assimp/assimp.h"
#include "import/gltf/gltf.h"
#include "import/obj/obj.h"
#include "import/sequence/read_sequence.h"

typedef struct format {
	bool (*takes)(const char *path, const unsigned char *head, size_t head_count);
	snw_status (*read)(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
					   snw_error *error);
} format;

static const format formats[] = {
	{snw_import_is_gltf, snw_import_gltf},
	{snw_import_is_obj, snw_import_obj},
	{snw_import_is_assimp, snw_import_assimp},
};

#define HEAD_COUNT 4096 /* bytes, enough to know a format by */

static snw_status read_head(const char *path, unsigned char head[HEAD_COUNT], size_t *count, snw_error *error) {
	struct stat info;
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: not a plain file; name one", path);
	}
	FILE *stream = fopen(path, "rbe");
	if (!stream) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
	}
	*count = fread(head, 1, HEAD_COUNT, stream);
	fclose(stream);
	if (*count == 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the file is empty; export it anew", path);
	}
	return SNW_OK;
}

static snw_status import_file(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error) {
	unsigned char head[HEAD_COUNT];
	size_t head_count = 0;
	const snw_status status = read_head(request->file, head, &head_count, error);
	if (status < 0) {
		return status;
	}
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (formats[i].takes(request->file, head, head_count)) {
			return formats[i].read(request->file, request, task, scene, error);
		}
	}
	bool is_cache;
	if (snw_frames_kind(request->file, &is_cache, NULL) == SNW_OK && is_cache) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"%s: a point cache has no faces; import it as --sequence with --rest FILE.obj", request->file);
	}
	return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: no reader knows this kind of file; export it as .glb", request->file);
}

snw_status snw_import(const snw_import_request *request, const snw_task *task, snw_scene **scene, snw_error *error) {
	if (!request->file == !request->sequence) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "import: name one file or one sequence");
	}
	snw_scene *made = snw_scene_create();
	snw_status status =
		request->file ? import_file(request, task, made, error) : snw_import_sequence(request, task, made, error);
	if (status == SNW_OK) {
		if (made->slot_count > 0) {
			snw_scene_add_baseline(made); /* it is deformed the way it came, whatever the format */
		}
		snw_error reason = {0};
		status = snw_scene_check(made, &reason);
		if (status != SNW_OK) {
			snw_fail(error, status, "%s: %s", request->file ? request->file : request->sequence, reason.text);
		}
	}
	if (status != SNW_OK) {
		snw_scene_destroy(made);
		return status;
	}
	*scene = made;
	return SNW_OK;
}
