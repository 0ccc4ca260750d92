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
	snk_adjacency adjacency;
	double *normals = SNW_POOL_ARRAY(&f->current.pool, double, (size_t)3 * mesh->point_count);
	const snw_status status =
		normals ? snk_adjacency_find(&faces, SNK_NEIGHBOURS_AROUND, &f->current.pool, &adjacency) : SNW_ERROR_MEMORY;
	if (snk_failed(status)) {
		return status;
	}
	snk_point_normals(&faces, mesh->points_rest, normals);
	f->mesh_normals =
		(snk_mesh_normals){adjacency.face_offsets, adjacency.faces, mesh->face_offsets, mesh->face_points, normals};
	return SNW_OK;
}
