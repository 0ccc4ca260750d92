/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Subspace iteration for eigen-displacements.
 */
#include "math/eigen_details.h"

#include <math.h>
#include <string.h>

enum { SPARE = 10, EXACT = 48, PASSES = 6, CHUNKS = 32, SWEEPS = 40 };
enum { TILE = 16, TILE_BLOCKS = 1024 };
/* Of inverses: none to speak of where there is a course for every frame, and so nothing to choose. */
static const double ridge_of_few = 0.05, ridge_of_all = 1e-9;

typedef struct subspace {
	const snw_host *host;
	const snw_lane_kernels *kernels;
	const snw_error_source *source;
	uint32_t size, blocks, grain;
	double ridge;
	snw_lanes *courses;  /* [size][blocks] */
	snw_lanes *products; /* [CHUNKS][size][blocks] */
	double *details;     /* [size][point_count][3]; NULL while the subspace is sought */
	unsigned char failed[CHUNKS + 1];
} subspace;

/* Room for a few points in all frames at once: as many as stay near the processor. */
typedef struct tile {
	snw_pool pool;
	uint32_t most;
	snw_lanes *gaps, *errors, *linear;
	double (*along)[3];
} tile;

static void open_tile(const subspace *s, tile *t) {
	const uint32_t fits = TILE_BLOCKS / (s->blocks > 0 ? s->blocks : 1);
	*t = (tile){.pool = snw_pool_open(s->host), .most = fits > TILE ? TILE : fits > 0 ? fits : 1};
	const size_t count = (size_t)t->most * s->blocks;
	t->gaps = SNW_POOL_ARRAY(&t->pool, snw_lanes, 3 * count);
	t->errors = SNW_POOL_ARRAY(&t->pool, snw_lanes, 3 * count);
	t->linear = SNW_POOL_ARRAY(&t->pool, snw_lanes, 9 * count);
	t->along = snw_pool_acquire(&t->pool, s->size, sizeof *t->along);
}

static void visit_tile(const subspace *s, const tile *t, uint32_t begin, uint32_t end, snw_lanes *products) {
	const size_t points = s->source->point_count;
	s->source->gaps(s->source->context, begin, end, t->gaps, t->linear);
	s->kernels->rest_errors((size_t)(end - begin) * s->blocks, t->linear, s->ridge, t->gaps, t->errors);
	for (uint32_t i = begin; i < end; i++) {
		const size_t at = (size_t)s->blocks * (i - begin);
		s->kernels->along_courses(s->blocks, s->size, s->courses, t->errors + 3 * at, products, t->along);
		if (s->details && !s->source->turns) {
			s->kernels->fit_details(s->blocks, t->linear + 9 * at, s->size, s->courses, t->gaps + 3 * at, t->along);
		}
		for (uint32_t k = 0; s->details && k < s->size; k++) {
			memcpy(s->details + 3 * (k * points + i), t->along[k], sizeof t->along[k]);
		}
	}
}

static void pass_chunk(void *argument, uint32_t begin, uint32_t end) {
	subspace *s = argument;
	const uint32_t chunk = begin / s->grain;
	snw_lanes *products = s->details ? NULL : s->products + (size_t)chunk * s->size * s->blocks;
	tile t;
	open_tile(s, &t);
	s->failed[chunk] = (unsigned char)t.pool.failed;
	for (uint32_t i = begin; i < end && !t.pool.failed; i += t.most) {
		visit_tile(s, &t, i, end - i < t.most ? end : i + t.most, products);
	}
	snw_pool_release(&t.pool);
}

static snw_status run_pass(subspace *s) {
	const snw_parallel_service *parallel = s->host->service(s->host, SNW_SERVICE_PARALLEL);
	const size_t numbers = (size_t)s->size * s->blocks;
	memset(s->products, 0, CHUNKS * numbers * sizeof *s->products);
	parallel->run(s->host, s->source->point_count, s->grain, pass_chunk, s);
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

static double dot(uint32_t blocks, const snw_lanes *a, const snw_lanes *b) {
	double sum = 0;
	for (uint32_t block = 0; block < blocks; block++) {
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			sum += a[block][lane] * b[block][lane];
		}
	}
	return sum;
}

/* Gram and Schmidt, twice for what rounding leaves. A course that the others span becomes 0. */
static void make_orthonormal(uint32_t size, uint32_t blocks, snw_lanes *courses) {
	for (uint32_t k = 0; k < size; k++) {
		snw_lanes *own = courses + (size_t)blocks * k;
		const double before = dot(blocks, own, own);
		for (int twice = 0; twice < 2; twice++) {
			for (uint32_t other = 0; other < k; other++) {
				const snw_lanes *from = courses + (size_t)blocks * other;
				const double along = dot(blocks, own, from);
				for (uint32_t block = 0; block < blocks; block++) {
					own[block] -= along * from[block];
				}
			}
		}
		const double square = dot(blocks, own, own);
		const double scale = square > 1e-24 * before && square > 0 ? 1 / sqrt(square) : 0;
		for (uint32_t block = 0; block < blocks; block++) {
			own[block] *= scale;
		}
	}
}

static void start_at_random(subspace *s) {
	uint64_t state = 0x9e3779b97f4a7c15u;
	for (uint32_t k = 0; k < s->size; k++) {
		for (uint32_t frame = 0; frame < s->source->frame_count; frame++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			s->courses[(size_t)s->blocks * k + frame / SNW_LANES][frame % SNW_LANES] = (double)(state >> 11) * 0x1p-53 - 0.5;
		}
	}
	make_orthonormal(s->size, s->blocks, s->courses);
}

/* Eigenvectors of a symmetric matrix by Jacobi's rotations: columns of `turned`, values on the diagonal of `matrix`. */
static void diagonalise(uint32_t n, double *matrix, double *turned) {
	memset(turned, 0, (size_t)n * n * sizeof *turned);
	for (uint32_t i = 0; i < n; i++) {
		turned[i * n + i] = 1;
	}
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		int changed = 0;
		for (uint32_t p = 0; p < n; p++) {
			for (uint32_t q = p + 1; q < n; q++) {
				const double off = matrix[p * n + q];
				if (fabs(off) <= 1e-16 * sqrt(fabs(matrix[p * n + p] * matrix[q * n + q]))) {
					continue;
				}
				changed = 1;
				const double zeta = (matrix[q * n + q] - matrix[p * n + p]) / (2 * off);
				const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta)), c = 1 / sqrt(1 + t * t), s = c * t;
				for (uint32_t k = 0; k < n; k++) {
					const double x = matrix[k * n + p], y = matrix[k * n + q];
					matrix[k * n + p] = c * x - s * y;
					matrix[k * n + q] = s * x + c * y;
				}
				for (uint32_t k = 0; k < n; k++) {
					const double x = matrix[p * n + k], y = matrix[q * n + k];
					matrix[p * n + k] = c * x - s * y;
					matrix[q * n + k] = s * x + c * y;
				}
				for (uint32_t k = 0; k < n; k++) {
					const double x = turned[k * n + p], y = turned[k * n + q];
					turned[k * n + p] = c * x - s * y;
					turned[k * n + q] = s * x + c * y;
				}
			}
		}
		if (!changed) {
			return;
		}
	}
}

/* Within the subspace, the eigenvectors of EᵀE, the largest first (W. Ritz). `small` [size][size], `turned` likewise. */
static void turn_to_eigenvectors(const subspace *s, double *small, double *turned, uint32_t count, snw_eigen_details *details) {
	for (uint32_t a = 0; a < s->size; a++) {
		for (uint32_t b = 0; b < s->size; b++) {
			small[a * s->size + b] =
				0.5 * (dot(s->blocks, s->courses + (size_t)s->blocks * a, s->products + (size_t)s->blocks * b) +
					   dot(s->blocks, s->courses + (size_t)s->blocks * b, s->products + (size_t)s->blocks * a));
		}
	}
	diagonalise(s->size, small, turned);
	for (uint32_t k = 0; k < count; k++) {
		uint32_t most = 0;
		for (uint32_t a = 1; a < s->size; a++) {
			most = small[a * s->size + a] > small[most * s->size + most] ? a : most;
		}
		details->squares[k] = fmax(small[most * s->size + most], 0);
		small[most * s->size + most] = -INFINITY;
		for (uint32_t a = 0; a < s->size; a++) {
			for (uint32_t block = 0; block < s->blocks; block++) {
				details->courses[(size_t)s->blocks * k + block] +=
					turned[a * s->size + most] * s->courses[(size_t)s->blocks * a + block];
			}
		}
	}
}

snw_status snw_eigen_details_find(const snw_host *host, const snw_error_source *source, uint32_t wanted, const snw_steps *steps,
								  snw_pool *pool, snw_eigen_details *details) {
	const uint32_t frames = source->frame_count, count = wanted < frames ? wanted : frames;
	const uint32_t room = frames <= EXACT || wanted + SPARE > frames ? frames : wanted + SPARE;
	snw_pool scratch = snw_pool_open(host);
	subspace s = {.host = host, .kernels = snw_lane_kernels_best(), .source = source, .size = room};
	s.ridge = source->turns ? 0 : count < frames ? ridge_of_few : ridge_of_all;
	s.blocks = frames / SNW_LANES + (frames % SNW_LANES != 0);
	s.grain = source->point_count / CHUNKS + 1;
	s.courses = SNW_POOL_ARRAY(&scratch, snw_lanes, (size_t)s.size * s.blocks);
	s.products = SNW_POOL_ARRAY(&scratch, snw_lanes, (size_t)CHUNKS * s.size * s.blocks);
	double *small = SNW_POOL_ARRAY(&scratch, double, (size_t)2 * s.size * s.size);
	*details = (snw_eigen_details){
		.count = count,
		.courses = SNW_POOL_ARRAY(pool, snw_lanes, (size_t)count * s.blocks),
		.vectors = SNW_POOL_ARRAY(pool, double, (size_t)3 * count * source->point_count),
		.squares = SNW_POOL_ARRAY(pool, double, count),
	};
	snw_status status = scratch.failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK) {
		start_at_random(&s);
	}
	const int passes = room == frames ? 1 : PASSES;
	for (int pass = 0; status == SNW_OK && pass < passes; pass++) {
		status = snw_steps_go_on(steps, (double)pass / (passes + 1)) ? run_pass(&s) : SNW_CANCELLED;
		if (status == SNW_OK && pass + 1 < passes) {
			memcpy(s.courses, s.products, (size_t)s.size * s.blocks * sizeof *s.courses);
			make_orthonormal(s.size, s.blocks, s.courses);
		}
	}
	if (status == SNW_OK) {
		turn_to_eigenvectors(&s, small, small + (size_t)s.size * s.size, count, details);
		s.courses = details->courses;
		s.details = details->vectors;
		s.size = count;
		status = snw_steps_go_on(steps, passes / (passes + 1.0)) ? run_pass(&s) : SNW_CANCELLED;
	}
	details->count = status == SNW_OK ? count : 0;
	snw_pool_release(&scratch);
	return status;
}

/* ---- of the points --------------------------------------------------------------------------------------------------------- */

typedef struct point_blend {
	const snw_lane_kernels *kernels;
	const snw_motion *motion;
	const snw_influences *influences;
	const snw_transforms *transforms;
} point_blend;

static void gaps_of_points(const void *context, uint32_t begin, uint32_t end, snw_lanes *gaps, snw_lanes *linear) {
	const point_blend *b = context;
	b->kernels->blend_gaps(b->motion, b->influences, snw_transform_width(b->transforms->kind), b->transforms->values, begin,
						   end, gaps, linear);
}

snw_status snw_eigen_details_of_points(const snw_host *host, const snw_motion *motion, const snw_influences *influences,
									   const snw_transforms *transforms, uint32_t wanted, const snw_steps *steps,
									   snw_pool *pool, snw_eigen_details *details) {
	const point_blend blend = {snw_lane_kernels_best(), motion, influences, transforms};
	const snw_error_source source = {.point_count = motion->point_count,
									 .frame_count = motion->frame_count,
									 .gaps = gaps_of_points,
									 .turns = transforms->kind == SNW_TRANSFORMS_DUAL_QUATERNION,
									 .context = &blend};
	return snw_eigen_details_find(host, &source, wanted, steps, pool, details);
}
