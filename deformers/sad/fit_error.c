/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error of a fit: for each point, for each frame, and as in the literature.
 */
#include <math.h>

#include "sad/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/bounds.h"
#include "sinew/kit/status.h"

enum { GRAIN = 256 };
static const double least_motion = 1e-7; /* of a point, relative to the mesh's size: frames are floats */

typedef struct measuring {
	mesh_fit *f;
	const snk_lane_kernels *kernels;
	double *chunk_squares; /* [chunks][frame_count] */
	double *chunk_spread;  /* [chunks]: Σ |v' − its mean over frames|² */
	double *chunk_largest; /* [chunks]: squared */
} measuring;

/* The distances of a point's frames from their mean. */
static double spread_of(const snk_motion *motion, uint32_t point) {
	double sum[3] = {0, 0, 0}, squares = 0;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snk_float_lanes *posed = snk_motion_point(motion, block, point);
		for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
			for (int c = 0; c < 3; c++) {
				sum[c] += (double)posed[c][lane];
				squares += (double)posed[c][lane] * (double)posed[c][lane];
			}
		}
	}
	return squares - (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / motion->frame_count;
}

static void SNW_CALL measure_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const measuring *m = argument;
	mesh_fit *f = m->f;
	const snk_motion *motion = &f->motion;
	double *squares = m->chunk_squares + (size_t)(begin / GRAIN) * motion->frame_count;
	snk_lanes distances[GRAIN];
	for (uint32_t block = 0; block < motion->block_count; block++) {
		m->kernels->detailed_distances(motion, &f->current.influences, snk_transform_width(f->current.transforms.kind),
									   snk_transforms_block(&f->current.transforms, block), block, begin, end,
									   f->current.details.count, f->current.details.courses, f->current.details.vectors,
									   distances);
		for (uint32_t i = begin; i < end; i++) {
			for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
				f->current.residuals[i] += distances[i - begin][lane];
				squares[block * SNK_LANES + lane] += distances[i - begin][lane];
				m->chunk_largest[begin / GRAIN] = fmax(m->chunk_largest[begin / GRAIN], distances[i - begin][lane]);
			}
		}
	}
	for (uint32_t i = begin; i < end; i++) {
		m->chunk_spread[begin / GRAIN] += f->spread < 0 ? spread_of(motion, i) : 0;
		f->current.residuals[i] = sqrt(f->current.residuals[i] / motion->frame_count);
	}
}

/* The distances of the frames from the rest. */
static double offset_of(const snk_motion *motion) {
	double squares = 0;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		for (uint32_t i = 0; i < motion->point_count; i++) {
			const snk_float_lanes *posed = snk_motion_point(motion, block, i);
			for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
				const double at[3] = {(double)posed[0][lane], (double)posed[1][lane], (double)posed[2][lane]};
				squares += snw_squared_distance3(at, motion->points_rest + 3 * (size_t)i);
			}
		}
	}
	return squares;
}

/* In percent of the motion over frames or, for the search of a number of joints if nothing moves, of the distance from the
 * rest. NaN if both are zero. */
static void find_percents(mesh_fit *f, double all, double spread, double size) {
	const snk_motion *motion = &f->motion;
	const double unseen = least_motion * size * least_motion * size * motion->point_count * motion->frame_count;
	if (f->spread < 0) {
		f->is_still = motion->frame_count < 2 || !(spread > unseen);
		f->spread = f->is_still ? offset_of(motion) : spread;
	}
	f->current.error_percent = f->spread > unseen ? 100 * sqrt(all / f->spread) : (double)NAN;
	f->current.distortion = f->is_still ? (double)NAN : f->current.error_percent;
}

snw_status measure_fit(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const snk_motion *motion = &f->motion;
	const size_t chunks = (size_t)motion->point_count / GRAIN + 1;
	snw_pool scratch = snw_pool_open(f->host);
	measuring m = {
		.f = f,
		.kernels = snk_lane_kernels_best(),
		.chunk_squares = SNW_POOL_ARRAY(&scratch, double, chunks * motion->frame_count),
		.chunk_spread = SNW_POOL_ARRAY(&scratch, double, chunks),
		.chunk_largest = SNW_POOL_ARRAY(&scratch, double, chunks),
	};
	f->current.residuals = SNW_POOL_ARRAY(&f->current.pool, double, motion->point_count);
	f->current.squares = SNW_POOL_ARRAY(&f->current.pool, double, motion->frame_count);
	const snw_status status = scratch.failed || f->current.pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		snk_ranges_run(f->host, motion->point_count, GRAIN, measure_chunk, &m);
		double all = 0, spread = 0, largest = 0;
		for (size_t chunk = 0; chunk < chunks; chunk++) {
			spread += m.chunk_spread[chunk];
			largest = fmax(largest, m.chunk_largest[chunk]);
			for (uint32_t frame = 0; frame < motion->frame_count; frame++) {
				f->current.squares[frame] += m.chunk_squares[chunk * motion->frame_count + frame];
				all += m.chunk_squares[chunk * motion->frame_count + frame];
			}
		}
		const double half = snk_bounds_diagonal(motion->points_rest, motion->point_count) / 2;
		find_percents(f, all, spread, 2 * half);
		f->current.largest = half > 0 ? 50 * sqrt(largest) / half : 0;
		f->current.erms = half > 0 ? 1000 * sqrt(all / (3.0 * motion->point_count * motion->frame_count)) / half : 0;
	}
	snw_pool_release(&scratch);
	f->seconds.measuring += snk_clock_seconds() - begun;
	return status;
}
