/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The faces around each point, and the normals of the rest.
 */
#include "sad/fit.h"
#include "sinew/algebra.h"

static void list_faces(const snw_mesh_view *mesh, uint32_t *offsets, uint32_t *faces) {
	const size_t corners = mesh->face_offsets[mesh->face_count];
	for (size_t k = 0; k < corners; k++) {
		offsets[mesh->face_points[k] + 1]++;
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		offsets[i + 1] += offsets[i];
	}
	/* offsets[i] runs to the end of point i's faces, which is where the next one's begin. */
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		for (uint32_t k = mesh->face_offsets[face]; k < mesh->face_offsets[face + 1]; k++) {
			faces[offsets[mesh->face_points[k]]++] = face;
		}
	}
	for (uint32_t i = mesh->point_count; i > 0; i--) {
		offsets[i] = offsets[i - 1];
	}
	offsets[0] = 0;
}

/* Twice the area of a face, along its normal. */
static void face_area(const snw_mesh_view *mesh, uint32_t face, double area[3]) {
	const uint32_t first = mesh->face_offsets[face], end = mesh->face_offsets[face + 1];
	const double *origin = mesh->points_rest + (size_t)3 * mesh->face_points[first];
	memset(area, 0, 3 * sizeof *area);
	for (uint32_t k = first + 1; k + 1 < end; k++) {
		const double *p = mesh->points_rest + (size_t)3 * mesh->face_points[k];
		const double *q = mesh->points_rest + (size_t)3 * mesh->face_points[k + 1];
		double a[3], b[3], cross[3];
		for (int c = 0; c < 3; c++) {
			a[c] = p[c] - origin[c];
			b[c] = q[c] - origin[c];
		}
		snw_cross3(a, b, cross);
		for (int c = 0; c < 3; c++) {
			area[c] += cross[c];
		}
	}
}

snw_status find_rings(mesh_fit *f) {
	const snw_mesh_view *mesh = f->input->character->meshes[f->mesh];
	uint32_t *offsets = SNW_POOL_ARRAY(&f->now.pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *faces = SNW_POOL_ARRAY(&f->now.pool, uint32_t, mesh->face_offsets[mesh->face_count]);
	double *normals = SNW_POOL_ARRAY(&f->now.pool, double, (size_t)3 * mesh->point_count);
	if (f->now.pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	list_faces(mesh, offsets, faces);
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		double area[3];
		face_area(mesh, face, area);
		for (uint32_t k = mesh->face_offsets[face]; k < mesh->face_offsets[face + 1]; k++) {
			for (size_t c = 0; c < 3; c++) {
				normals[(size_t)3 * mesh->face_points[k] + c] += area[c];
			}
		}
	}
	for (size_t i = 0; i < mesh->point_count; i++) {
		snw_normalize3(normals + 3 * i);
	}
	f->rings = (snk_rings){offsets, faces, mesh->face_offsets, mesh->face_points, normals};
	return SNW_OK;
}
