/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eigen-displacements of normals (Kavan et al. 2007, end of section 5): what the normals' own blend leaves of them, taken back
 * to the rest by its inverse, D'ₙ and K'ₙ. Linear maps do not keep lengths, and the host makes normals unit after the blend:
 * there the normal aimed at is as long as the one that the blend makes.
 */
#include <math.h>

#include "sad/fit.h"
#include "sinew/kit/status.h"

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

snw_status find_normal_details(mesh_fit *f) {
	const uint32_t wanted = (uint32_t)f->input->values[EIGEN].numbers[0];
	const int are_rotations = f->current.transforms.kind == SNK_TRANSFORMS_DUAL_QUATERNION;
	normal_errors errors = {f, snk_lane_kernels_best(), are_rotations ? 4 : 9, NULL};
	const snk_error_source source = {.point_count = f->motion.point_count,
									 .frame_count = f->motion.frame_count,
									 .gaps = gaps_of_normals,
									 .are_rotations = are_rotations,
									 .context = &errors};
	snw_status status = SNW_OK;
	if (wanted > 0) {
		const snk_steps steps = begin_part(f, 0.3, 1, "fitting eigen-displacements of normals");
		status = snk_eigen_details_find(f->host, &source, wanted, &steps, &f->current.pool, &f->normal_details);
		status = status == SNW_CANCELLED ? status_of_stop(f) : status;
	}
	return snk_failed(status) ? status : measure_angle(f, &errors);
}
