/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/points/choose_mesh.h"

snw_status snw_export_choose_mesh(const snw_scene *scene, const snw_export_request *request, uint32_t *mesh, snw_error *error) {
	if (request->mesh != SNW_NONE) {
		*mesh = request->mesh;
		return request->mesh < scene->mesh_count
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no mesh number %u", request->path, request->mesh);
	}
	if (scene->mesh_count != 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: this format holds one mesh, and the project has %u; choose one with --on", request->path,
						scene->mesh_count);
	}
	*mesh = 0;
	return SNW_OK;
}
