/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A random subspace for eigen-displacements.
 */
#include <math.h>
#include <string.h>

#include "motion/decompose.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/status.h"

enum { SPARE = 10, PASSES = 3, CHUNKS = 32 };
enum { TILE = 16, TILE_BLOCKS = 1024 };
/* The ridge of inverses: negligible if there is a course for every frame, so that nothing is left out. */
static const double ridge_of_few = 0.05, ridge_of_all = 1e-9;

typedef struct subspace {
	const snw_host *host;
	const snk_lane_kernels *kernels;
	const snk_error_source *source;
	uint32_t size, blocks, grain;
	double ridge;
	snk_lanes *courses;  /* [size][blocks] */
	snk_lanes *products; /* [CHUNKS][size][blocks]; the first becomes the sum */
	double *details;     /* [size][point_count][3]; NULL while the subspace is computed */
	unsigned char failed[CHUNKS + 1];
} subspace;

/* Memory for a few points in all frames: as many as fit the cache. */
typedef struct tile {
	snw_pool pool;
	uint32_t most;
	snk_lanes *gaps, *errors, *linear, *scratch;
	double (*along)[3];
} tile;

static void open_tile(const subspace *s, tile *t) {
	const uint32_t fits = TILE_BLOCKS / (s->blocks > 0 ? s->blocks : 1);
	*t = (tile){.pool = snw_pool_open(s->host), .most = fits > TILE ? TILE : fits > 0 ? fits : 1};
	const size_t count = (size_t)t->most * s->blocks;
	t->gaps = SNW_POOL_ARRAY(&t->pool, snk_lanes, 3 * count);
	t->errors = SNW_POOL_ARRAY(&t->pool, snk_lanes, 3 * count);
	t->linear = SNW_POOL_ARRAY(&t->pool, snk_lanes, 9 * count);
	t->scratch = SNW_POOL_ARRAY(&t->pool, snk_lanes, (size_t)12 * s->blocks);
	t->along = snw_pool_acquire(&t->pool, s->size, sizeof *t->along);
}

static void visit_tile(const subspace *s, const tile *t, uint32_t begin, uint32_t end, snk_lanes *products) {
	const size_t points = s->source->point_count;
	s->source->gaps(s->source->context, begin, end, t->gaps, t->linear);
	s->kernels->rest_errors((size_t)(end - begin) * s->blocks, t->linear, s->ridge, t->gaps, t->errors);
	for (uint32_t i = begin; i < end; i++) {
		const size_t at = (size_t)s->blocks * (i - begin);
		s->kernels->along_courses(s->blocks, s->size, s->courses, t->errors + 3 * at, products, t->along);
		if (s->details && !s->source->are_rotations) {
			s->kernels->fit_details(s->blocks, t->linear + 9 * at, s->size, s->courses, t->gaps + 3 * at, t->scratch, t->along);
		}
		for (uint32_t k = 0; s->details && k < s->size; k++) {
			memcpy(s->details + 3 * (k * points + i), t->along[k], sizeof t->along[k]);
		}
	}
}

static void SNW_CALL pass_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	subspace *s = argument;
	const uint32_t chunk = begin / s->grain;
	snk_lanes *products = s->details ? NULL : s->products + (size_t)chunk * s->size * s->blocks;
	tile t;
	open_tile(s, &t);
	s->failed[chunk] = (unsigned char)t.pool.failed;
	for (uint32_t i = begin; i < end && !t.pool.failed; i += t.most) {
		visit_tile(s, &t, i, end - i < t.most ? end : i + t.most, products);
	}
	snw_pool_release(&t.pool);
}

static snw_status run_pass(subspace *s) {
	const size_t numbers = (size_t)s->size * s->blocks;
	memset(s->products, 0, CHUNKS * numbers * sizeof *s->products);
	snk_ranges_run(s->host, s->source->point_count, s->grain, pass_chunk, s);
	for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
		if (s->failed[chunk]) {
			return SNW_ERROR_MEMORY;
		}
		for (size_t i = 0; chunk > 0 && i < numbers; i++) {
			s->products[i] += s->products[chunk * numbers + i];
		}
	}
	return SNW_OK;
}

static double dot(uint32_t blocks, const snk_lanes *a, const snk_lanes *b) {
	double sum = 0;
	for (uint32_t block = 0; block < blocks; block++) {
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			sum += a[block][lane] * b[block][lane];
		}
	}
	return sum;
}

/* Gram-Schmidt of the courses [first, end) against all previous ones, twice because of rounding. A linearly dependent course
 * becomes 0. */
static void make_orthonormal(uint32_t first, uint32_t end, uint32_t blocks, snk_lanes *courses) {
	for (uint32_t k = first; k < end; k++) {
		snk_lanes *lanes = courses + (size_t)blocks * k;
		const double before = dot(blocks, lanes, lanes);
		for (int twice = 0; twice < 2; twice++) {
			for (uint32_t other = 0; other < k; other++) {
				const snk_lanes *from = courses + (size_t)blocks * other;
				const double along = dot(blocks, lanes, from);
				for (uint32_t block = 0; block < blocks; block++) {
					lanes[block] -= along * from[block];
				}
			}
		}
		const double squared = dot(blocks, lanes, lanes);
		const double scale = squared > 1e-24 * before && squared > 0 ? 1 / sqrt(squared) : 0;
		for (uint32_t block = 0; block < blocks; block++) {
			lanes[block] *= scale;
		}
	}
}

static void fill_at_random(const subspace *s) {
	uint64_t state = 0x9e3779b97f4a7c15u;
	for (uint32_t k = 0; k < s->size; k++) {
		for (uint32_t frame = 0; frame < s->source->frame_count; frame++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			s->courses[(size_t)s->blocks * k + frame / SNK_LANES][frame % SNK_LANES] = (double)(state >> 11) * 0x1p-53 - 0.5;
		}
	}
}

/* A subspace of courses, and their products with EᵀE. */
typedef struct span {
	uint32_t size;
	snk_lanes *courses, *products; /* [size][blocks] */
	double *small, *eigenvectors;  /* [size][size] */
	double *eigenvalues;           /* [size] */
} span;

/* The eigenvectors of EᵀE within the subspace (W. Ritz), largest first. */
static void find_eigenvectors(uint32_t blocks, const span *all, uint32_t count, snk_eigen_details *details) {
	const size_t n = all->size;
	for (size_t a = 0; a < n; a++) {
		for (size_t b = 0; b < n; b++) {
			all->small[a * n + b] = 0.5 * (dot(blocks, all->courses + blocks * a, all->products + blocks * b) +
										   dot(blocks, all->courses + blocks * b, all->products + blocks * a));
		}
	}
	snk_symmetric_eigen_sorted(all->size, all->small, all->eigenvectors, all->eigenvalues);
	for (uint32_t k = 0; k < count; k++) {
		details->squares[k] = all->eigenvalues[k];
		for (size_t a = 0; a < n; a++) {
			for (uint32_t block = 0; block < blocks; block++) {
				details->courses[(size_t)blocks * k + block] += all->eigenvectors[k * n + a] * all->courses[blocks * a + block];
			}
		}
	}
}

/* Random courses, their products with EᵀE, and the products of those: each block is made orthogonal to the previous ones. */
static snw_status grow_span(subspace *s, uint32_t passes, const snk_steps *steps, span *all) {
	const size_t numbers = (size_t)s->size * s->blocks;
	snw_status status = SNW_OK;
	s->courses = all->courses;
	fill_at_random(s);
	for (uint32_t pass = 0; !snk_failed(status) && pass < passes; pass++) {
		s->courses = all->courses + pass * numbers;
		make_orthonormal(pass * s->size, (pass + 1) * s->size, s->blocks, all->courses);
		status = snk_steps_go_on(steps, (double)pass / (passes + 1)) ? run_pass(s) : SNW_CANCELLED;
		memcpy(all->products + pass * numbers, s->products, numbers * sizeof *s->products);
		if (pass + 1 < passes) {
			memcpy(s->courses + numbers, s->products, numbers * sizeof *s->products);
		}
	}
	return status;
}

snw_status snk_eigen_details_find(const snw_host *host, const snk_error_source *source, uint32_t wanted, const snk_steps *steps,
								  snw_pool *pool, snk_eigen_details *details) {
	const uint32_t frames = source->frame_count, count = wanted < frames ? wanted : frames;
	const int is_whole = frames <= PASSES * (wanted + SPARE);
	const uint32_t passes = is_whole ? 1 : PASSES;
	snw_pool scratch = snw_pool_open(host);
	subspace s = {
		.host = host, .kernels = snk_lane_kernels_best(), .source = source, .size = is_whole ? frames : wanted + SPARE};
	s.ridge = source->are_rotations ? 0 : count < frames ? ridge_of_few : ridge_of_all;
	s.blocks = frames / SNK_LANES + (frames % SNK_LANES != 0);
	s.grain = source->point_count / CHUNKS + 1;
	s.products = SNW_POOL_ARRAY(&scratch, snk_lanes, (size_t)CHUNKS * s.size * s.blocks);
	span all = {.size = passes * s.size};
	all.courses = SNW_POOL_ARRAY(&scratch, snk_lanes, (size_t)all.size * s.blocks);
	all.products = SNW_POOL_ARRAY(&scratch, snk_lanes, (size_t)all.size * s.blocks);
	all.small = SNW_POOL_ARRAY(&scratch, double, (size_t)all.size *all.size);
	all.eigenvectors = SNW_POOL_ARRAY(&scratch, double, (size_t)all.size *all.size);
	all.eigenvalues = SNW_POOL_ARRAY(&scratch, double, all.size);
	*details = (snk_eigen_details){
		.courses = SNW_POOL_ARRAY(pool, snk_lanes, (size_t)count * s.blocks),
		.vectors = SNW_POOL_ARRAY(pool, double, (size_t)3 * count * source->point_count),
		.squares = SNW_POOL_ARRAY(pool, double, count),
	};
	snw_status status = scratch.failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	status = snk_failed(status) ? status : grow_span(&s, passes, steps, &all);
	if (!snk_failed(status)) {
		find_eigenvectors(s.blocks, &all, count, details);
		s.courses = details->courses;
		s.details = details->vectors;
		s.size = count;
		status = snk_steps_go_on(steps, passes / (passes + 1.0)) ? run_pass(&s) : SNW_CANCELLED;
	}
	details->count = snk_failed(status) ? 0 : count;
	snw_pool_release(&scratch);
	return status;
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

typedef struct point_blend {
	const snk_lane_kernels *kernels;
	const snk_motion *motion;
	const snk_influences *influences;
	const snk_transforms *transforms;
} point_blend;

static void gaps_of_points(const void *context, uint32_t begin, uint32_t end, snk_lanes *gaps, snk_lanes *linear) {
	const point_blend *b = context;
	b->kernels->blend_gaps(b->motion, b->influences, snk_transform_width(b->transforms->kind), b->transforms->values, begin,
						   end, gaps, linear);
}

snw_status snk_eigen_details_of_points(const snw_host *host, const snk_motion *motion, const snk_influences *influences,
									   const snk_transforms *transforms, uint32_t wanted, const snk_steps *steps,
									   snw_pool *pool, snk_eigen_details *details) {
	const point_blend blend = {snk_lane_kernels_best(), motion, influences, transforms};
	const snk_error_source source = {.point_count = motion->point_count,
									 .frame_count = motion->frame_count,
									 .gaps = gaps_of_points,
									 .are_rotations = transforms->kind == SNK_TRANSFORMS_DUAL_QUATERNION,
									 .context = &blend};
	return snk_eigen_details_find(host, &source, wanted, steps, pool, details);
}
