/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eigen-displacements of normals (Kavan et al. 2007, end of section 5): what the normals' own blend leaves of them, taken back to the
 * rest by its inverse, D'ₙ and K'ₙ. Linear maps do not keep lengths, and the host makes normals unit after the blend: there the
 * normal aimed at is as long as the one that the blend makes.
 */
#include <math.h>

#include "math/lane_algebra.h"
#include "sad/fit.h"

enum { GRAIN = 256 };

typedef struct normal_errors {
	const mesh_fit *f;
	const snw_lane_kernels *kernels;
	double *chunk_squares; /* of angles */
} normal_errors;

/* The blend of the normals' transforms at a point, as a linear map. */
static void blend_map(const mesh_fit *f, uint32_t block, uint32_t point, snw_lanes map[9]) {
	const snw_influences *all = &f->influences;
	const size_t width = f->transforms.kind == SNW_TRANSFORMS_DUAL_QUATERNION ? 4 : 9;
	const snw_lanes *values = f->normal_values + width * all->joint_count * block;
	snw_lanes sum[9];
	memset(sum, 0, sizeof sum);
	for (uint32_t k = all->offsets[point]; k < all->offsets[point + 1]; k++) {
		for (size_t i = 0; i < width; i++) {
			sum[i] += values[width * all->joints[k] + i] * all->weights[k];
		}
	}
	if (width == 9) {
		memcpy(map, sum, sizeof sum);
	} else {
		const snw_lanes square = lane_dot3(sum, sum) + sum[3] * sum[3];
		lane_turn(sum, 2.0 / lane_max(square, square * 0 + 1e-200), map);
	}
}

static void find_target(const normal_errors *e, uint32_t block, uint32_t point, snw_lanes normal[3]) {
	const mesh_fit *f = e->f;
	const snw_mesh_view *mesh = &f->input->character->meshes[f->mesh];
	const uint32_t first = f->ring_offsets[point];
	e->kernels->point_normal(&f->motion, block, f->ring_offsets[point + 1] - first, f->ring_faces + first, mesh->face_offsets,
							 mesh->face_points, normal);
}

/* What the blend leaves of the normal: aimed at, less made. */
static void find_gap(const normal_errors *e, uint32_t block, uint32_t point, const snw_lanes map[9], snw_lanes gap[3]) {
	const double *rest = e->f->normals_rest + (size_t)3 * point;
	snw_lanes made[3];
	find_target(e, block, point, gap);
	for (int r = 0; r < 3; r++) {
		made[r] = map[3 * r] * rest[0] + map[3 * r + 1] * rest[1] + map[3 * r + 2] * rest[2];
	}
	const snw_lanes length = lane_sqrt(lane_dot3(made, made)), wanted = lane_dot3(gap, gap);
	for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
		/* A point whose faces have no area there asks for nothing. */
		const int is_frame = lane < snw_motion_lanes(&e->f->motion, block) && wanted[lane] > 0;
		for (int c = 0; c < 3; c++) {
			gap[c][lane] = is_frame ? length[lane] * gap[c][lane] - made[c][lane] : 0;
		}
	}
}

static void gaps_of_normal(const void *context, uint32_t point, snw_lanes *gaps, snw_lanes *linear) {
	const normal_errors *e = context;
	for (uint32_t block = 0; block < e->f->motion.block_count; block++) {
		blend_map(e->f, block, point, linear + (size_t)9 * block);
		find_gap(e, block, point, linear + (size_t)9 * block, gaps + (size_t)3 * block);
	}
}

/* The normal that the model gives. */
static void find_made(const mesh_fit *f, uint32_t block, uint32_t point, snw_lanes made[3]) {
	const snw_eigen_details *details = &f->normal_details;
	snw_lanes map[9], n[3];
	for (size_t c = 0; c < 3; c++) {
		n[c] = (snw_lanes){0} + f->normals_rest[(size_t)3 * point + c];
		for (size_t k = 0; k < details->count; k++) {
			n[c] += details->courses[f->motion.block_count * k + block] *
					details->vectors[3 * (k * f->motion.point_count + point) + c];
		}
	}
	blend_map(f, block, point, map);
	for (size_t r = 0; r < 3; r++) {
		made[r] = lane_dot3(map + 3 * r, n);
	}
	const snw_lanes length = lane_sqrt(lane_dot3(made, made)), scale = 1.0 / lane_max(length, length * 0 + 1e-200);
	for (int r = 0; r < 3; r++) {
		made[r] *= scale;
	}
}

static void measure_chunk(void *argument, uint32_t begin, uint32_t end) {
	const normal_errors *e = argument;
	const snw_motion *motion = &e->f->motion;
	double sum = 0;
	for (uint32_t i = begin; i < end; i++) {
		for (uint32_t block = 0; block < motion->block_count; block++) {
			snw_lanes target[3], made[3];
			find_target(e, block, i, target);
			find_made(e->f, block, i, made);
			const snw_lanes dot = lane_dot3(target, made), wanted = lane_dot3(target, target);
			for (uint32_t lane = 0; lane < snw_motion_lanes(motion, block); lane++) {
				const double angle = wanted[lane] > 0 ? acos(fmax(-1, fmin(1, dot[lane]))) : 0;
				sum += angle * angle;
			}
		}
	}
	e->chunk_squares[begin / GRAIN] = sum;
}

snw_status find_normal_details(mesh_fit *f) {
	const uint32_t wanted = (uint32_t)f->input->values[EIGEN];
	const snw_parallel_service *parallel = f->host->service(f->host, SNW_SERVICE_PARALLEL);
	const size_t chunks = (size_t)f->motion.point_count / GRAIN + 1;
	snw_pool scratch = snw_pool_open(f->host);
	normal_errors errors = {f, snw_lane_kernels_best(), SNW_POOL_ARRAY(&scratch, double, chunks)};
	const snw_error_source source = {.point_count = f->motion.point_count,
									 .frame_count = f->motion.frame_count,
									 .gaps = gaps_of_normal,
									 .turns = f->transforms.kind == SNW_TRANSFORMS_DUAL_QUATERNION,
									 .context = &errors};
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK && wanted > 0) {
		status = snw_eigen_details_find(f->host, &source, wanted, &f->found, &f->normal_details);
	}
	if (status == SNW_OK) {
		parallel->run(f->host, f->motion.point_count, GRAIN, measure_chunk, &errors);
		double sum = 0;
		for (size_t chunk = 0; chunk < chunks; chunk++) {
			sum += errors.chunk_squares[chunk];
		}
		f->normal_angle = sqrt(sum / f->motion.point_count / f->motion.frame_count);
	}
	snw_pool_release(&scratch);
	return status;
}
