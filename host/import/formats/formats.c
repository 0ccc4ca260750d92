/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "file/file.h"
#include "import/common/reading.h"
#include "import/import.h"
#include "mesh/mesh.h"

/* The table of import formats. A file is read by the first row that recognises it, so rows that check the content come before
 * those that check the extension. */

static const snw_import_format *const formats[] = {
	&snw_import_gltf,   &snw_import_obj, &snw_import_fbx, &snw_import_bvh,
	&snw_import_assimp, &snw_import_pc2, &snw_import_mdd, &snw_import_numbered_obj,
};

const snw_file_format *snw_import_formats(uint32_t index) {
	return index < sizeof formats / sizeof *formats ? &formats[index]->file : NULL;
}

#define HEAD_COUNT 4096 /* bytes: enough to recognise any format */

static snw_status read_head(const char *path, unsigned char head[HEAD_COUNT], size_t *count, snw_error *error) {
	struct stat info;
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: not a regular file; name one", path);
	}
	FILE *stream = fopen(path, "rbe");
	if (!stream) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
	}
	*count = fread(head, 1, HEAD_COUNT, stream);
	fclose(stream);
	if (*count == 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the file is empty; export it again", path);
	}
	return SNW_OK;
}

static bool begins_with(const unsigned char *head, size_t count, const char *text) {
	return count >= strlen(text) && memcmp(head, text, strlen(text)) == 0;
}

/* Files that are known but not read, each with what to do. */
static snw_status refuse_known(const char *path, const unsigned char *head, size_t count, snw_error *error) {
	if (snw_is_lfs_pointer(head, count)) {
		return snw_fail_lfs_pointer(path, error);
	}
	if ((begins_with(head, count, "\xff\xfe") || begins_with(head, count, "\xfe\xff")) &&
		snw_path_has_extension(path, "bvh|fbx|gltf|obj")) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: is UTF-16 text, which is not read; save it as UTF-8", path);
	}
	if (begins_with(head, count, "3DMO") || begins_with(head, count, "3dmo")) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: is a Model 3D file (.m3d), which is not read; export it as .glb",
						path);
	}
	if (begins_with(head, count, "Ogawa") || snw_path_has_extension(path, "abc")) {
		return snw_fail(
			error, SNW_ERROR_UNSUPPORTED,
			"%s: is an Alembic cache, which is not read; export the rest as .obj and the frames as .pc2 or .mdd, then "
			"'sinew import --sequence FRAMES.pc2 --rest REST.obj'",
			path);
	}
	if (begins_with(head, count, "SNWSKIN") || snw_path_has_extension(path, "snwskin")) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"%s: is a skin for players, without what it was made of; import the character it was exported from",
						path);
	}
	if (snw_path_has_extension(path, "sinew")) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: is a project already; 'sinew info %s' shows it", path, path);
	}
	if (snw_path_has_extension(path, "usd|usda|usdc|usdz|ma|mb|max|c4d")) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: .%s is not read; export it as .glb or .fbx", path,
						snw_path_extension(path));
	}
	return SNW_OK;
}

/* A character needs a mesh, and a motion a clip. */
static snw_status read_as(const snw_import_format *format, const snw_import_request *request, const snw_task *task,
						  snw_scene *scene, snw_error *error) {
	const snw_status status = format->read(request->file, request, task, scene, error);
	if (snw_failed(status)) {
		return status;
	}
	if (!request->is_motion && scene->mesh_count == 0) {
		return scene->clip_count > 0
				   ? snw_fail(error, SNW_ERROR_DATA,
							  "%s: has clips but no mesh; 'sinew clip CHARACTER.sinew add %s' brings them to a character",
							  request->file, request->file)
				   : snw_fail(error, SNW_ERROR_DATA, "%s: no mesh in the file; export the character with its mesh",
							  request->file);
	}
	if (request->is_motion && scene->clip_count == 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: no clip that moves joints in the file; export it with its animation",
						request->file);
	}
	if (request->is_motion) {
		scene->mesh_count = scene->level_count = scene->material_count = scene->image_count = scene->layer_count = 0;
		scene->kept_node_count = 0;
	}
	return SNW_OK;
}

static snw_status import_file(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error) {
	unsigned char head[HEAD_COUNT];
	size_t head_count = 0;
	snw_status status = read_head(request->file, head, &head_count, error);
	status = snw_failed(status) ? status : refuse_known(request->file, head, head_count, error);
	if (snw_failed(status)) {
		return status;
	}
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (formats[i]->recognizes && formats[i]->recognizes(request->file, head, head_count)) {
			return read_as(formats[i], request, task, scene, error);
		}
	}
	const snw_file_format *format = snw_file_format_of(snw_import_formats, request->file);
	if (format && !(format->holds & SNW_FILE_MESH)) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"%s: a point cache has no faces; import it as --sequence with --rest FILE.obj", request->file);
	}
	return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: unknown file format; export it as .glb", request->file);
}

/* Whether two points are at one place in a file, which has floats. */
static bool are_together(const snw_mesh *mesh, uint32_t a, uint32_t b) {
	const double *p = mesh->points_rest + 3 * (size_t)a, *q = mesh->points_rest + 3 * (size_t)b;
	return (float)p[0] == (float)q[0] && (float)p[1] == (float)q[1] && (float)p[2] == (float)q[2];
}

static bool has_triangle(const snw_mesh *mesh, uint32_t face, snw_arena *scratch) {
	const uint32_t first = mesh->face_offsets[face], corners = mesh->face_offsets[face + 1] - first;
	const uint32_t *points = mesh->face_points + first;
	uint32_t *triangles = SNW_NEW_ARRAY(scratch, uint32_t, 3 * (size_t)corners);
	bool any = false;
	if (corners >= 3) {
		snw_face_triangulate(mesh, face, triangles, SNW_NEW_ARRAY(scratch, uint32_t, corners));
	}
	for (uint32_t t = 0; t + 2 < corners && !any; t++) {
		const uint32_t a = points[triangles[3 * t]], b = points[triangles[3 * t + 1]], c = points[triangles[3 * t + 2]];
		any = !are_together(mesh, a, b) && !are_together(mesh, b, c) && !are_together(mesh, c, a);
	}
	return any;
}

static bool has_triangles(const snw_mesh *mesh) {
	snw_arena *scratch = snw_arena_create();
	bool any = false;
	for (uint32_t f = 0; f < mesh->face_count && !any; f++) {
		any = has_triangle(mesh, f, scratch);
	}
	snw_arena_destroy(scratch);
	return any;
}

/* The levels of meshes that are kept; `kept` [mesh_count] says as which. */
static void keep_levels(snw_scene *scene, const uint32_t *kept) {
	snw_level *levels = SNW_NEW_ARRAY(scene->arena, snw_level, scene->level_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->level_count; i++) {
		if (kept[scene->levels[i].mesh] != SNW_NONE) {
			levels[count] = scene->levels[i];
			levels[count++].mesh = kept[scene->levels[i].mesh];
		}
	}
	scene->levels = levels;
	scene->level_count = count;
}

/* A mesh without faces cannot be shown or exported; nor can one whose triangles all vanish where equal points are merged, as
 * they are where an exported file is read again. */
static snw_status drop_faceless_meshes(snw_scene *scene, const snw_task *task, snw_error *error) {
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, scene->mesh_count);
	uint32_t *kept = SNW_NEW_ARRAY(scene->arena, uint32_t, scene->mesh_count), count = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		kept[i] = has_triangles(&scene->meshes[i]) ? count : SNW_NONE;
		if (kept[i] != SNW_NONE) {
			meshes[count++] = scene->meshes[i];
		} else {
			snw_task_notice(task, SNW_LOG_WARNING, "mesh %s is left out: it has no faces with an area", scene->meshes[i].name);
		}
	}
	if (count == 0 && scene->mesh_count > 0) {
		return snw_fail(error, SNW_ERROR_DATA, "no mesh has faces with an area; export the character with its polygons");
	}
	keep_levels(scene, kept);
	scene->meshes = meshes;
	scene->mesh_count = count;
	return SNW_OK;
}

snw_status snw_import(const snw_import_request *request, const snw_task *task, snw_scene **scene, snw_error *error) {
	if (!request->file == !request->sequence) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "give one file or one sequence");
	}
	snw_scene *result = snw_scene_create();
	snw_status status =
		request->file ? import_file(request, task, result, error) : snw_import_sequence(request, task, result, error);
	if (!snw_failed(status)) {
		snw_error reason = {0};
		/* A sequence's target refers to its mesh by index; the reader has refused a mesh without faces already. */
		status = request->file && !request->is_motion ? drop_faceless_meshes(result, task, &reason) : SNW_OK;
		if (result->slot_count > 0 && result->layer_count == 0 && !request->is_motion) {
			snw_scene_add_baseline(result); /* it deforms as in its file */
		}
		status = snw_failed(status) ? status : snw_scene_check(result, &reason);
		if (!snw_failed(status)) {
			snw_check_rest_places(result, task);
		} else {
			snw_fail(error, status, "%s: %s", request->file ? request->file : request->sequence, reason.text);
		}
	}
	if (snw_failed(status)) {
		snw_scene_destroy(result);
		return status;
	}
	*scene = result;
	return SNW_OK;
}
