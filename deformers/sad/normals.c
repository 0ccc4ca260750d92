/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals by separate transforms (Kavan et al. 2007, end of sections 4.1 and 4.2), fitted to the normals of the frames' faces
 * with the weights of the points: linear maps under linear blend, which the host makes unit after the blend; rotations beside
 * dual quaternions, by the same linear system with no dual parts. Or rotations beside any blend, the hybrid that section 4.3
 * mentions.
 */
#include <math.h>

#include "motion/kernels.h"
#include "sad/sad.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/status.h"

/* The faces around points, and the normals of the rest. */
static snw_status find_mesh_normals(mesh_fit *f) {
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

/* ---- eigen-displacements ------------------------------------------------------------------------------------------------- */

/* Eigen-displacements of normals (Kavan et al. 2007, end of section 5): what the normals' own blend leaves of them, taken back
 * to the rest by its inverse, D'ₙ and K'ₙ. Linear maps do not keep lengths, and the host makes normals unit after the blend:
 * there the normal aimed at is as long as the one that the blend makes. */

enum { GRAIN = 256 };

typedef struct normal_errors {
	const mesh_fit *f;
	const snk_lane_kernels *kernels;
	uint32_t width;        /* of a normal's transform */
	double *chunk_squares; /* of angles */
} normal_errors;

static void gaps_of_normals(const void *context, uint32_t begin, uint32_t end, snk_lanes *gaps, snk_lanes *linear) {
	const normal_errors *e = context;
	e->kernels->normal_gaps(&e->f->motion, &e->f->mesh_normals, &e->f->current.influences, e->width, e->f->normal_values, begin,
							end, gaps, linear);
}

static void SNW_CALL measure_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const normal_errors *e = argument;
	const mesh_fit *f = e->f;
	const snk_eigen_details *details = &f->normal_details;
	snk_lanes cosines[GRAIN];
	double sum = 0;
	for (uint32_t block = 0; block < f->motion.block_count; block++) {
		e->kernels->normal_cosines(&f->motion, &f->mesh_normals, &f->current.influences, e->width, f->normal_values, block,
								   begin, end, details->count, details->courses, details->vectors, cosines);
		for (uint32_t i = 0; i < end - begin; i++) {
			for (uint32_t lane = 0; lane < snk_motion_lanes(&f->motion, block); lane++) {
				const double angle = acos(fmax(-1, fmin(1, cosines[i][lane])));
				sum += angle * angle;
			}
		}
	}
	e->chunk_squares[begin / GRAIN] = sum;
}

static snw_status measure_angle(mesh_fit *f, normal_errors *errors) {
	const size_t chunks = (size_t)f->motion.point_count / GRAIN + 1;
	snw_pool scratch = snw_pool_open(f->host);
	errors->chunk_squares = SNW_POOL_ARRAY(&scratch, double, chunks);
	const snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		snk_ranges_run(f->host, f->motion.point_count, GRAIN, measure_chunk, errors);
		double sum = 0;
		for (size_t chunk = 0; chunk < chunks; chunk++) {
			sum += errors->chunk_squares[chunk];
		}
		f->normal_angle = sqrt(sum / f->motion.point_count / f->motion.frame_count);
	}
	snw_pool_release(&scratch);
	return status;
}

/* The requested number of eigen-displacements of the normals, and the remaining angle. */
static snw_status find_normal_details(mesh_fit *f) {
	const uint32_t wanted = (uint32_t)f->input->values[EIGEN].numbers[0];
	normal_errors errors = {f, snk_lane_kernels_best(), f->normal_width, NULL};
	const snk_error_source source = {.point_count = f->motion.point_count,
									 .frame_count = f->motion.frame_count,
									 .gaps = gaps_of_normals,
									 .are_rotations = f->normal_width == 4,
									 .context = &errors};
	snw_status status = SNW_OK;
	if (wanted > 0) {
		const snk_steps steps = begin_part(f, 0.3, 1, "fitting eigen-displacements of normals");
		status = snk_eigen_details_find(f->host, &source, wanted, &steps, &f->current.pool, &f->normal_details);
		status = status == SNW_CANCELLED ? status_of_stop(f) : status;
	}
	return snk_failed(status) ? status : measure_angle(f, &errors);
}

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

/* How strongly a joint's map is pulled toward the points' transform, in directions that its normals do not determine. */
static const double prior_weight = 1e-4;

typedef struct normal_fit {
	mesh_fit *f;
	const snk_lane_kernels *kernels;
	snk_lanes *factor;    /* of linear maps: the same for all frames */
	snk_transforms rigid; /* dual quaternions, where rotations start */
	unsigned char *failed;
} normal_fit;

/* ---- linear maps --------------------------------------------------------------------------------------------------------- */

static void factor_maps(normal_fit *n) {
	const mesh_fit *f = n->f;
	const snk_influences *all = &f->current.influences;
	const snk_blend_graph *graph = &f->current.graph;
	for (uint32_t i = 0; i < all->point_count; i++) {
		const double *rest = f->mesh_normals.normals_rest + (size_t)3 * i;
		for (uint32_t a = all->offsets[i]; a < all->offsets[i + 1]; a++) {
			for (uint32_t b = all->offsets[i]; b < all->offsets[i + 1]; b++) {
				const uint32_t row = graph->places[all->joints[a]], column = graph->places[all->joints[b]];
				snk_lanes *block = n->factor + (size_t)9 * graph->blocks[(size_t)row * graph->joint_count + column];
				for (int c = 0; column <= row && c < 9; c++) {
					block[c] += all->weights[a] * all->weights[b] * rest[c / 3] * rest[c % 3];
				}
			}
		}
	}
	for (uint32_t place = 0; place < graph->joint_count; place++) {
		for (size_t c = 0; c < 9; c += 4) {
			n->factor[(size_t)9 * place + c] += prior_weight * graph->masses[graph->order[place]];
		}
	}
	n->kernels->factor(graph, 3, n->factor);
}

/* The map for normals: the matrix's cofactors, scaled like a rotation. */
static void find_cofactors(const snk_lanes *m, snk_lanes dest[9]) {
	for (int r = 0; r < 3; r++) {
		const snk_lanes *a = m + (size_t)4 * (size_t)((r + 1) % 3), *b = m + (size_t)4 * (size_t)((r + 2) % 3);
		for (int c = 0; c < 3; c++) {
			dest[3 * r + c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
		}
	}
	snk_lanes squared = {0};
	for (int i = 0; i < 9; i++) {
		squared += dest[i] * dest[i];
	}
	const snk_lanes scale = 1.0 / lane_max(lane_sqrt(squared / 3), squared * 0 + 1e-200);
	for (int i = 0; i < 9; i++) {
		dest[i] *= scale;
	}
}

static void fit_maps(const normal_fit *n, uint32_t block, snk_lanes *right) {
	const mesh_fit *f = n->f;
	const snk_blend_graph *graph = &f->current.graph;
	const size_t joints = graph->joint_count;
	for (uint32_t j = 0; j < joints; j++) {
		snk_lanes prior[9];
		find_cofactors(snk_transforms_block(&f->current.transforms, block) + (size_t)12 * j, prior);
		for (size_t i = 0; i < 9; i++) {
			right[(i / 3 * joints + graph->places[j]) * 3 + i % 3] = prior_weight * graph->masses[j] * prior[i];
		}
	}
	n->kernels->normal_maps(&f->motion, &f->mesh_normals, graph, block, right);
	n->kernels->solve(graph, 3, n->factor, 3, right);
	snk_lanes *dest = f->normal_values + (size_t)9 * joints * block;
	for (size_t j = 0; j < joints; j++) {
		for (size_t i = 0; i < 9; i++) {
			dest[9 * j + i] = right[(i / 3 * joints + graph->places[j]) * 3 + i % 3];
		}
	}
}

/* ---- rotations ----------------------------------------------------------------------------------------------------------- */

/* Dual quaternions: those of the points or, under linear blend, others for the same weights, which agree about signs. */
static snw_status find_rigid(mesh_fit *f, normal_fit *n, snw_pool *scratch) {
	n->rigid = f->current.transforms;
	if (n->rigid.kind == SNK_TRANSFORMS_DUAL_QUATERNION) {
		return SNW_OK;
	}
	const snk_transform_fit how = {.host = f->host, .motion = &f->motion, .graph = &f->current.graph, .linear_only = 1};
	snw_status status =
		snk_transforms_make(scratch, SNK_TRANSFORMS_DUAL_QUATERNION, f->current.influences.joint_count, &f->motion, &n->rigid);
	return snk_failed(status) ? status : snk_transforms_fit(&how, &n->rigid);
}

static void start_rotations(const normal_fit *n, uint32_t block, snk_lanes *rotations) {
	for (uint32_t j = 0; j < n->f->current.influences.joint_count; j++) {
		const snk_lanes *q = snk_transforms_block(&n->rigid, block) + (size_t)8 * j;
		const snk_lanes squared = lane_dot3(q, q) + q[3] * q[3];
		const snk_lanes scale = 1.0 / lane_max(lane_sqrt(squared), squared * 0 + 1e-200);
		for (int i = 0; i < 4; i++) {
			rotations[4 * j + (uint32_t)i] = q[i] * scale;
		}
	}
}

static void fit_rotations(const normal_fit *n, uint32_t block, snk_lanes *blocks, snk_lanes *right) {
	const mesh_fit *f = n->f;
	const snk_blend_graph *graph = &f->current.graph;
	snk_lanes *rotations = f->normal_values + (size_t)4 * graph->joint_count * block;
	start_rotations(n, block, rotations);
	n->kernels->normal_rotations(&f->motion, &f->mesh_normals, graph, block, rotations, blocks, right);
	for (uint32_t place = 0; place < graph->joint_count; place++) {
		for (size_t c = 0; c < 9; c += 4) {
			blocks[(size_t)9 * place + c] += 4 * prior_weight * graph->masses[graph->order[place]];
		}
	}
	n->kernels->factor(graph, 3, blocks);
	n->kernels->solve(graph, 3, blocks, 1, right);
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const snk_lanes *a = right + (size_t)3 * graph->places[j];
		const snk_lanes x[4] = {a[0], a[1], a[2], a[0] * 0 + 1};
		snk_lanes rotated[4];
		lane_multiply(x, rotations + (size_t)4 * j, rotated);
		memcpy(rotations + (size_t)4 * j, rotated, sizeof rotated);
	}
}

/* ---- all blocks ---------------------------------------------------------------------------------------------------------- */

static void SNW_CALL fit_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	normal_fit *n = argument;
	const mesh_fit *f = n->f;
	for (uint32_t block = begin; block < end; block++) {
		snw_pool pool = snw_pool_open(f->host);
		snk_lanes *right = SNW_POOL_ARRAY(&pool, snk_lanes, (size_t)9 * f->current.influences.joint_count);
		snk_lanes *blocks = n->factor ? NULL : SNW_POOL_ARRAY(&pool, snk_lanes, (size_t)9 * f->current.graph.block_count);
		n->failed[block] = (unsigned char)pool.failed;
		if (!pool.failed && n->factor) {
			fit_maps(n, block, right);
		} else if (!pool.failed) {
			fit_rotations(n, block, blocks, right);
		}
		snw_pool_release(&pool);
	}
}

static snw_status fit_all_blocks(mesh_fit *f) {
	const int are_rotations = f->normal_width == 4;
	snw_pool scratch = snw_pool_open(f->host);
	normal_fit n = {.f = f, .kernels = snk_lane_kernels_best()};
	n.failed = SNW_POOL_ARRAY(&scratch, unsigned char, f->motion.block_count);
	n.factor = are_rotations ? NULL : SNW_POOL_ARRAY(&scratch, snk_lanes, (size_t)9 * f->current.graph.block_count);
	f->normal_values = SNW_POOL_ARRAY(&f->current.pool, snk_lanes,
									  (size_t)f->normal_width * f->current.influences.joint_count * f->motion.block_count);
	snw_status status = scratch.failed || f->current.pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	status = snk_failed(status) || !are_rotations ? status : find_rigid(f, &n, &scratch);
	if (!snk_failed(status)) {
		if (n.factor) {
			factor_maps(&n);
		}
		snk_ranges_run(f->host, f->motion.block_count, 1, fit_chunk, &n);
	}
	for (uint32_t block = 0; !snk_failed(status) && block < f->motion.block_count; block++) {
		status = n.failed[block] ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status fit_normals(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const int wanted = (int)f->input->values[NORMALS].numbers[0];
	if (f->choice.is_dense || wanted == NORMALS_OFF || f->input->character->meshes[f->mesh]->face_count == 0) {
		return SNW_OK;
	}
	f->normal_width = wanted == NORMALS_QUATERNIONS || f->choice.kind == SNK_TRANSFORMS_DUAL_QUATERNION ? 4 : 9;
	snw_status status = go_on(f, 0, "fitting normals");
	if (snk_failed(status) || !has_time(f)) {
		return status; /* then they are those of the posed faces */
	}
	status = find_mesh_normals(f);
	status = snk_failed(status) ? status : fit_all_blocks(f);
	status = snk_failed(status) ? status : find_normal_details(f);
	f->seconds.normals += snk_clock_seconds() - begun;
	return status;
}
