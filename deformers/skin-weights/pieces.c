/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The connected pieces of a mesh's surface, and which of them are inside out.
 */
#include <math.h>

#include "sinew/algebra.h"
#include "sinew/kit/mesh/pieces.h"
#include "sinew/kit/status.h"
#include "skin-weights/fit.h"

/* A piece is inside out if its volume is negative and larger than this part of its area to the power of 3/2. What encloses less
 * is a sheet, whose sides the volume does not tell apart. */
static const double least_volume = 1e-3;

/* of_point, first as the first point of each piece, then as the number of the piece. */
static void number_pieces(const snw_mesh_view *mesh, surface_pieces *pieces) {
	const snk_faces faces = snk_faces_of(mesh);
	uint32_t *firsts = pieces->of_point;
	snk_pieces_find(&faces, firsts);
	for (uint32_t i = 0; i < mesh->point_count; i++) { /* what comes before a point has its number */
		pieces->of_point[i] = firsts[i] == i ? pieces->count++ : pieces->of_point[firsts[i]];
	}
}

static uint32_t piece_of_face(const snw_mesh_view *mesh, const surface_pieces *pieces, uint32_t face) {
	return pieces->of_point[mesh->face_points[mesh->face_offsets[face]]];
}

/* Faces of one piece together, in their order. */
static void sort_faces(const snw_mesh_view *mesh, surface_pieces *pieces, uint32_t *next) {
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		pieces->offsets[piece_of_face(mesh, pieces, face) + 1]++;
	}
	for (uint32_t p = 0; p < pieces->count; p++) {
		pieces->offsets[p + 1] += pieces->offsets[p];
		next[p] = pieces->offsets[p];
	}
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		pieces->faces[next[piece_of_face(mesh, pieces, face)]++] = face;
	}
}

/* Six times the volume and twice the area under a face, as seen from `centre`. */
static void add_face(const snw_mesh_view *mesh, uint32_t face, const double centre[3], double *volume, double *area) {
	const uint32_t begin = mesh->face_offsets[face], end = mesh->face_offsets[face + 1];
	for (uint32_t k = begin + 2; k < end; k++) {
		const uint32_t three[3] = {begin, k - 1, k};
		double v[3][3], ab[3], ac[3], cross[3];
		for (int i = 0; i < 3; i++) {
			for (size_t c = 0; c < 3; c++) {
				v[i][c] = mesh->points_rest[3 * (size_t)mesh->face_points[three[i]] + c] - centre[c];
			}
		}
		for (int c = 0; c < 3; c++) {
			ab[c] = v[1][c] - v[0][c];
			ac[c] = v[2][c] - v[0][c];
		}
		snw_cross3(ab, ac, cross);
		*area += snw_length3(cross);
		*volume += snw_dot3(v[0], cross);
	}
}

static int is_inside_out(const snw_mesh_view *mesh, const surface_pieces *pieces, uint32_t piece) {
	double centre[3] = {0, 0, 0}, corners = 0, volume = 0, area = 0;
	for (uint32_t n = pieces->offsets[piece]; n < pieces->offsets[piece + 1]; n++) {
		const uint32_t face = pieces->faces[n];
		for (uint32_t k = mesh->face_offsets[face]; k < mesh->face_offsets[face + 1]; k++, corners++) {
			for (size_t c = 0; c < 3; c++) {
				centre[c] += mesh->points_rest[3 * (size_t)mesh->face_points[k] + c];
			}
		}
	}
	for (int c = 0; c < 3; c++) {
		centre[c] /= fmax(corners, 1);
	}
	for (uint32_t n = pieces->offsets[piece]; n < pieces->offsets[piece + 1]; n++) {
		add_face(mesh, pieces->faces[n], centre, &volume, &area);
	}
	return volume / 6 < -least_volume * pow(area / 2, 1.5);
}

static snw_status find_mesh_pieces(snw_pool *pool, const snw_mesh_view *mesh, surface_pieces *pieces) {
	pieces->of_point = SNW_POOL_ARRAY(pool, uint32_t, mesh->point_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	number_pieces(mesh, pieces);
	uint32_t *next = SNW_POOL_ARRAY(pool, uint32_t, pieces->count);
	pieces->offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)pieces->count + 1);
	pieces->faces = SNW_POOL_ARRAY(pool, uint32_t, mesh->face_count);
	pieces->signs = SNW_POOL_ARRAY(pool, double, pieces->count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	sort_faces(mesh, pieces, next);
	for (uint32_t p = 0; p < pieces->count; p++) {
		pieces->signs[p] = is_inside_out(mesh, pieces, p) ? -1 : 1;
	}
	return SNW_OK;
}

snw_status find_pieces(weights_fit *f) {
	const snw_character_view *character = f->input->character;
	snw_status status = SNW_OK;
	f->pieces = SNW_POOL_ARRAY(&f->pool, surface_pieces, character->mesh_count);
	for (uint32_t m = 0; f->pieces && !snk_failed(status) && m < character->mesh_count; m++) {
		status = find_mesh_pieces(&f->pool, character->meshes[m], &f->pieces[m]);
	}
	return f->pieces ? status : SNW_ERROR_MEMORY;
}
