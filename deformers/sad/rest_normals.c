/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The faces around each point, and the normals of the rest.
 */
#include "sad/fit.h"
#include "sinew/kit/mesh/adjacency.h"
#include "sinew/kit/status.h"

snw_status find_mesh_normals(mesh_fit *f) {
	const snw_mesh_view *mesh = f->input->character->meshes[f->mesh];
	const snk_faces faces = snk_faces_of(mesh);
	const uint32_t corner_count = snk_faces_corner_count(&faces);
	double *normals = SNW_POOL_ARRAY(&f->current.pool, double, (size_t)3 * mesh->point_count);
	uint32_t *offsets = SNW_POOL_ARRAY(&f->current.pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *corners = SNW_POOL_ARRAY(&f->current.pool, uint32_t, corner_count);
	uint32_t *around = SNW_POOL_ARRAY(&f->current.pool, uint32_t, corner_count);
	if (f->current.pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	snk_point_corners(&faces, offsets, corners, around);
	snk_point_normals(&faces, mesh->points_rest, normals);
	f->mesh_normals = (snk_mesh_normals){offsets, around, mesh->face_offsets, mesh->face_points, normals};
	return SNW_OK;
}
