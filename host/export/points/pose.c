/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/points/pose.h"

#include "export/points/choose_mesh.h"
#include "export/points/file_normals.h"
#include "export/points/obj.h"
#include "pose/pose.h"

static snw_status write_posed(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, uint32_t mesh,
							  snw_export_report *report, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	const snw_pose *pose = request->pose ? request->pose : snw_pose_rest(scene, arena);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)scene->meshes[mesh].point_count);
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, error);
	if (!snw_failed(status)) {
		status = snw_stack_reference(stack, evaluation, mesh, NULL, points, error);
	}
	if (!snw_failed(status)) {
		status = snw_export_obj(request->path, &scene->meshes[mesh], points, error);
	}
	if (!snw_failed(status)) {
		snw_file_normals *normals = snw_file_normals_create(&scene->meshes[mesh], arena);
		*report = (snw_export_report){.mesh_count = 1, .frame_count = 1};
		snw_file_normals_add(normals, points, stack, evaluation, mesh);
		snw_file_normals_report(normals, report);
		snw_file_normals_destroy(normals);
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return status;
}

static snw_status write_pose(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	(void)task; /* one mesh takes no time */
	uint32_t mesh = 0;
	snw_status status = snw_export_choose_mesh(scene, request, &mesh, error);
	return snw_failed(status) ? status : write_posed(scene, stack, request, mesh, report, error);
}

const snw_export_format snw_export_obj_pose = {
	.file = {.extensions = "obj", .label = "OBJ: one pose", .holds = SNW_FILE_MESH | SNW_FILE_POSE},
	.write = write_pose,
};
