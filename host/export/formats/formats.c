/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Export from the top: the format follows from the extension.
 */
#include "export/export.h"

#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "export/gltf/gltf.h"
#include "export/points/obj.h"
#include "export/points/sequence.h"
#include "pose/pose.h"

/* The mesh of a format that holds one. */
static snw_status choose_mesh(const snw_scene *scene, const snw_export_request *request, uint32_t *mesh, snw_error *error) {
	if (request->mesh != SNW_NONE) {
		*mesh = request->mesh;
		return request->mesh < scene->mesh_count
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no mesh number %u", request->path, request->mesh);
	}
	if (scene->mesh_count != 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: this format holds one mesh, and the project has %u; name one with --on",
						request->path, scene->mesh_count);
	}
	*mesh = 0;
	return SNW_OK;
}

/* One .obj holds a pose; a name with a star stands for numbered ones. */
static bool is_one_obj(const char *path) {
	return strcasecmp(snw_path_extension(path), "obj") == 0 && !strchr(snw_path_name(path), '*');
}

/* What was asked for and would be left out is refused: a clip in one .obj, a pose in anything else. */
static snw_status check_moment(const snw_export_request *request, snw_error *error) {
	if (is_one_obj(request->path) && request->clip != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: one .obj holds a pose, not a clip; write numbered files ('frame*.obj'), .pc2 or .mdd",
						request->path);
	}
	if (!is_one_obj(request->path) && request->pose) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: a pose is exported as a single .obj; name an .obj, or leave out --pose",
						request->path);
	}
	return SNW_OK;
}

/* One pose as .obj; the rest, where there is no pose, as the stack leaves it. */
static snw_status export_pose(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, uint32_t mesh,
							  snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_stack_frame *frame = snw_stack_frame_create(stack);
	const snw_pose *pose = request->pose ? request->pose : snw_pose_rest(scene, arena);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)scene->meshes[mesh].point_count);
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), frame, error);
	if (status >= 0) {
		status = snw_stack_truth(stack, frame, mesh, NULL, points, error);
	}
	if (status >= 0) {
		status = snw_export_obj(request->path, &scene->meshes[mesh], points, error);
	}
	snw_stack_frame_destroy(frame);
	snw_arena_destroy(arena);
	return status;
}

static snw_status export_points(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
								const snw_task *task, snw_export_report *report, snw_error *error) {
	uint32_t mesh = 0, frame_count = 1;
	snw_status status = choose_mesh(scene, request, &mesh, error);
	if (status < 0) {
		return status;
	}
	if (is_one_obj(request->path)) {
		status = export_pose(scene, stack, request, mesh, error);
	} else {
		status = snw_export_frames(scene, stack, request, mesh, task, &frame_count, error);
	}
	if (status == SNW_OK) {
		*report = (snw_export_report){.mesh_count = 1, .frame_count = frame_count};
	}
	return status;
}

snw_status snw_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const snw_task *task,
					  snw_export_report *report, snw_error *error) {
	const char *extension = snw_path_extension(request->path);
	if (request->clip != SNW_NONE && request->clip >= scene->clip_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no clip number %u", request->path, request->clip);
	}
	const snw_status status = check_moment(request, error);
	if (status != SNW_OK) {
		return status;
	}
	if (strcasecmp(extension, "glb") == 0 || strcasecmp(extension, "gltf") == 0) {
		if (request->influences != 4 && request->influences != 8) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %u influences per point; glTF takes 4 or 8", request->path,
							request->influences);
		}
		return snw_gltf_export(scene, stack, request, task, report, error);
	}
	if (strcasecmp(extension, "obj") == 0 || strcasecmp(extension, "pc2") == 0 || strcasecmp(extension, "mdd") == 0) {
		return export_points(scene, stack, request, task, report, error);
	}
	return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: \".%s\" is no format to export to; use .glb, .gltf, .obj, .pc2 or .mdd",
					request->path, extension);
}
