/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The iterations of a dense decomposition.
 */
#include <math.h>
#include <string.h>

#include "motion/decompose.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

enum { DENSE_MEMORY = 8 };

typedef struct dense_fit {
	const snk_dense_options *options;
	const snk_motion *motion;
	const snk_lane_kernels *kernels;
	uint32_t joints;
	double *weights;           /* [point_count][joints] */
	snk_lanes *values;         /* [block_count][joints][12] */
	double *squares;           /* [point_count] */
	double *matrix;            /* [4 joints][4 joints]: Σ w w v̂ v̂ᵀ */
	double *rights;            /* [3 frames][4 joints] */
	double squares_sum;        /* of the last weights; HUGE_VAL if it is not finite */
	unsigned char *has_failed; /* [parts] */
} dense_fit;

/* The transforms that iterations began with and ended with, the last ones. */
typedef struct extrapolation {
	size_t length;
	uint32_t count, next;                            /* stored, at most DENSE_MEMORY; the place of the next */
	double *ends[DENSE_MEMORY], *gaps[DENSE_MEMORY]; /* [length]: ends, and ends − beginnings */
} extrapolation;

/* How many numbers the transforms have. */
static inline size_t dense_value_count(const dense_fit *d) {
	return (size_t)12 * SNK_LANES * d->joints * d->motion->block_count;
}

/* ---- weights and transforms ---------------------------------------------------------------------------------------------- */

/* The two linear fits of a dense decomposition. */

enum { GRAIN = 64 };

/* Relative to the mean of the diagonal: where the frames determine nothing, weights are nearly equal, and transforms small. */
static const double weight_ridge = 1e-11, transform_ridge = 1e-12;

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* With the factor L: x = (L Lᵀ)⁻¹ x, by rows of L alone, because there may be hundreds of joints and this runs for each
 * point. */
static void solve_by_rows(uint32_t n, const double *factor, double *x) {
	for (uint32_t r = 0; r < n; r++) {
		const double *row = factor + (size_t)r * n;
		for (uint32_t k = 0; k < r; k++) {
			x[r] -= row[k] * x[k];
		}
		x[r] /= row[r];
	}
	for (uint32_t r = n; r-- > 0;) {
		const double *row = factor + (size_t)r * n;
		x[r] /= row[r];
		for (uint32_t k = 0; k < r; k++) {
			x[k] -= row[k] * x[r];
		}
	}
}

/* With errors E of the point under each joint alone, the weights that sum to 1 are least in wᵀ Eᵀ E w where Eᵀ E w is the same
 * for all joints. */
static void fit_point(const dense_fit *d, uint32_t point, snk_lanes *columns, double *gram) {
	const uint32_t n = d->joints;
	const size_t length = 3 * (size_t)d->motion->block_count;
	double *weights = d->weights + (size_t)point * n, trace = 0, sum = 0, reached = 0;
	d->kernels->linear_columns(d->motion, d->values, n, point, n, NULL, columns);
	d->kernels->column_gram(length, n, columns, NULL, gram);
	for (uint32_t k = 0; k < n; k++) {
		trace += gram[(size_t)k * (n + 1)];
		weights[k] = 1;
	}
	for (uint32_t k = 0; k < n; k++) {
		gram[(size_t)k * (n + 1)] += weight_ridge * trace / n + 1e-200;
	}
	snk_cholesky_factor(n, gram);
	solve_by_rows(n, gram, weights);
	for (uint32_t k = 0; k < n; k++) {
		sum += weights[k];
	}
	for (uint32_t k = 0; k < n; k++) {
		weights[k] /= sum;
	}
	for (size_t i = 0; i < length; i++) {
		snk_lanes residual = {0};
		for (uint32_t k = 0; k < n; k++) {
			residual += columns[k * length + i] * weights[k];
		}
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			reached += residual[lane] * residual[lane];
		}
	}
	d->squares[point] = reached;
}

static void SNW_CALL fit_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dense_fit *d = argument;
	snw_pool pool = snw_pool_open(d->options->host);
	snk_lanes *columns = SNW_POOL_ARRAY(&pool, snk_lanes, 3 * (size_t)d->motion->block_count * d->joints);
	double *gram = SNW_POOL_ARRAY(&pool, double, (size_t)d->joints * d->joints);
	for (uint32_t i = begin; i < end; i++) {
		if (pool.failed) {
			d->squares[i] = -1;
		} else {
			fit_point(d, i, columns, gram);
		}
	}
	snw_pool_release(&pool);
}

/* The weights of all points for the current transforms, and the squared error. */
static snw_status dense_fit_weights(dense_fit *d) {
	snk_ranges_run(d->options->host, d->motion->point_count, GRAIN, fit_points, d);
	d->squares_sum = 0;
	for (uint32_t i = 0; i < d->motion->point_count; i++) {
		if (d->squares[i] < 0) {
			return SNW_ERROR_MEMORY;
		}
		d->squares_sum += d->squares[i];
	}
	d->squares_sum = d->squares_sum < HUGE_VAL ? d->squares_sum : HUGE_VAL;
	return SNW_OK;
}

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

/* The rows of the matrix that belong to some joints, up to their diagonal. */
static void SNW_CALL sum_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dense_fit *d = argument;
	const size_t n = 4 * (size_t)d->joints;
	for (uint32_t k = begin; k < end; k++) {
		memset(d->matrix + 4 * k * n, 0, 4 * n * sizeof *d->matrix);
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double *weights = d->weights + (size_t)i * d->joints, *rest = d->motion->points_rest + 3 * (size_t)i;
			const double place[4] = {rest[0], rest[1], rest[2], 1};
			for (size_t r = 0; r < 4; r++) {
				double *row = d->matrix + (4 * (size_t)k + r) * n;
				const double factor = weights[k] * place[r];
				for (uint32_t l = 0; l <= k; l++) {
					for (size_t c = 0; c < 4; c++) {
						row[4 * (size_t)l + c] += factor * weights[l] * place[c];
					}
				}
			}
		}
	}
}

/* The right sides of some blocks of frames: Σ v' w v̂ᵀ. */
static void SNW_CALL sum_rights(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dense_fit *d = argument;
	const size_t n = 4 * (size_t)d->joints;
	snw_pool pool = snw_pool_open(d->options->host);
	snk_lanes *sums = SNW_POOL_ARRAY(&pool, snk_lanes, 3 * n);
	for (uint32_t block = begin; block < end; block++) {
		d->has_failed[block] = (unsigned char)pool.failed;
		if (pool.failed) {
			continue;
		}
		memset(sums, 0, 3 * n * sizeof *sums);
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double *weights = d->weights + (size_t)i * d->joints, *rest = d->motion->points_rest + 3 * (size_t)i;
			const snk_float_lanes *posed = snk_motion_point(d->motion, block, i);
			for (size_t c = 0; c < 3; c++) {
				const snk_lanes at = __builtin_convertvector(posed[c], snk_lanes);
				const snk_lanes moments[4] = {at * rest[0], at * rest[1], at * rest[2], at};
				snk_lanes *to = sums + c * n;
				for (size_t k = 0; k < n; k++) {
					to[k] += moments[k % 4] * weights[k / 4];
				}
			}
		}
		for (uint32_t lane = 0; lane < snk_motion_lanes(d->motion, block); lane++) {
			for (size_t k = 0; k < 3 * n; k++) {
				d->rights[((size_t)block * SNK_LANES + lane) * 3 * n + k] = sums[k][lane];
			}
		}
	}
	snw_pool_release(&pool);
}

/* Fillers of the last block repeat the last frame. */
static void read_solution(const dense_fit *d) {
	const size_t n = 4 * (size_t)d->joints;
	for (uint32_t frame = 0; frame < d->motion->block_count * SNK_LANES; frame++) {
		const uint32_t from = frame < d->motion->frame_count ? frame : d->motion->frame_count - 1;
		snk_lanes *values = d->values + (size_t)12 * d->joints * (frame / SNK_LANES);
		for (size_t k = 0; k < n; k++) {
			for (size_t r = 0; r < 3; r++) {
				values[12 * (k / 4) + 4 * r + k % 4][frame % SNK_LANES] = d->rights[(3 * (size_t)from + r) * n + k];
			}
		}
	}
}

/* The transforms of all frames for the current weights. */
static snw_status dense_fit_transforms(dense_fit *d) {
	const snw_host *host = d->options->host;
	const size_t n = 4 * (size_t)d->joints;
	snk_factor factor = {0};
	double trace = 0;
	snk_ranges_run(host, d->joints, 1, sum_rows, d);
	snk_ranges_run(host, d->motion->block_count, 1, sum_rights, d);
	for (uint32_t block = 0; block < d->motion->block_count; block++) {
		if (d->has_failed[block]) {
			return SNW_ERROR_MEMORY;
		}
	}
	for (size_t r = 0; r < n; r++) {
		trace += d->matrix[r * (n + 1)];
		for (size_t c = 0; c < r; c++) {
			d->matrix[c * n + r] = d->matrix[r * n + c];
		}
	}
	for (size_t r = 0; r < n; r++) {
		d->matrix[r * (n + 1)] += transform_ridge * trace / (double)n;
	}
	snw_status status = snk_factor_dense(host, (uint32_t)n, d->matrix, NULL, &factor);
	status = snk_failed(status) ? status : snk_factor_solve(&factor, 3 * d->motion->frame_count, d->rights);
	if (!snk_failed(status)) {
		read_solution(d);
	}
	snk_factor_release(&factor);
	return status;
}

/* ---- extrapolation ------------------------------------------------------------------------------------------------------- */

/* Anderson's extrapolation: near the solution an iteration is nearly linear, so the combination of the last iterations whose
 * gap is least is nearer to the solution than the last of them. */

/* Relative to the mean of the diagonal. */
static const double ridge = 1e-10;

static snw_status extrapolation_open(size_t length, snw_pool *pool, extrapolation *e) {
	*e = (extrapolation){.length = length};
	for (int i = 0; i < DENSE_MEMORY; i++) {
		e->ends[i] = SNW_POOL_ARRAY(pool, double, length);
		e->gaps[i] = SNW_POOL_ARRAY(pool, double, length);
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void extrapolation_forget(extrapolation *e) {
	e->count = e->next = 0;
}

/* Of differences between gaps and the last of them. */
static double product_of(const extrapolation *e, uint32_t a, uint32_t b, uint32_t last) {
	double sum = 0;
	for (size_t i = 0; i < e->length; i++) {
		sum += (e->gaps[a][i] - e->gaps[last][i]) * (b == last ? -e->gaps[last][i] : e->gaps[b][i] - e->gaps[last][i]);
	}
	return sum;
}

/* matrix x = right by Cholesky factorisation, in place. Returns 0 if the matrix is not positive. */
static int solve(uint32_t n, double matrix[DENSE_MEMORY][DENSE_MEMORY], double right[DENSE_MEMORY]) {
	for (uint32_t r = 0; r < n; r++) {
		for (uint32_t c = 0; c <= r; c++) {
			double sum = matrix[r][c];
			for (uint32_t k = 0; k < c; k++) {
				sum -= matrix[r][k] * matrix[c][k];
			}
			if (r == c && !(sum > 0)) {
				return 0;
			}
			matrix[r][c] = r == c ? sqrt(sum) : sum / matrix[c][c];
		}
		for (uint32_t k = 0; k < r; k++) {
			right[r] -= matrix[r][k] * right[k];
		}
		right[r] /= matrix[r][r];
	}
	for (uint32_t r = n; r-- > 0;) {
		for (uint32_t k = r + 1; k < n; k++) {
			right[r] -= matrix[k][r] * right[k];
		}
		right[r] /= matrix[r][r];
	}
	return 1;
}

/* Stores an iteration, and replaces `values` by the combination of ends whose gap is least. */
static void extrapolation_add(extrapolation *e, const double *begin, const double *end, double *values) {
	const uint32_t last = e->next;
	double matrix[DENSE_MEMORY][DENSE_MEMORY], shares[DENSE_MEMORY], trace = 0;
	uint32_t others[DENSE_MEMORY], n = 0;
	for (size_t i = 0; i < e->length; i++) {
		e->ends[last][i] = end[i];
		e->gaps[last][i] = end[i] - begin[i];
	}
	e->next = (last + 1) % DENSE_MEMORY;
	e->count += e->count < DENSE_MEMORY;
	for (uint32_t i = 0; i < e->count; i++) {
		if (i != last) {
			others[n++] = i;
		}
	}
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b <= a; b++) {
			matrix[a][b] = product_of(e, others[a], others[b], last);
		}
		shares[a] = product_of(e, others[a], last, last);
		trace += matrix[a][a];
	}
	for (uint32_t a = 0; a < n; a++) {
		matrix[a][a] += ridge * trace / n;
	}
	memcpy(values, end, e->length * sizeof *values);
	const int is_solved = n > 1 && solve(n, matrix, shares);
	for (uint32_t a = 0; is_solved && a < n; a++) {
		for (size_t i = 0; i < e->length; i++) {
			values[i] += shares[a] * (e->ends[others[a]][i] - e->ends[last][i]);
		}
	}
}

/* ---- the basis ----------------------------------------------------------------------------------------------------------- */

/* The same blend by other joints. Dense weights determine the transforms only up to an affine map among them, so they may be
 * large and cancel each other. Here each joint becomes the motion of a point of the mesh: of those whose weights are farthest
 * apart. The weights are then 1 at these points and mostly between 0 and 1 at the others. */

/* Points are too near to each other if the squared distance is less than this part of the first's. */
static const double too_near = 1e-10;

/* The points whose weights are farthest from what those chosen before span. `residuals` [point_count][joints]: the weights;
 * overwritten. Returns how many there are. */
static uint32_t choose_points(const dense_fit *d, double *residuals, uint32_t *chosen) {
	const size_t n = d->joints;
	double first = 0;
	for (uint32_t j = 0; j < d->joints; j++) {
		double most = -1;
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double square = snk_dot(n, residuals + i * n, residuals + i * n);
			if (square > most) {
				most = square;
				chosen[j] = i;
			}
		}
		first = j == 0 ? most : first;
		if (!(most > too_near * first)) {
			return j;
		}
		const double *axis = residuals + chosen[j] * n;
		for (uint32_t i = 0; i < d->motion->point_count; i++) {
			const double along = i == chosen[j] ? 0 : snk_dot(n, residuals + i * n, axis) / most;
			for (size_t k = 0; k < n; k++) {
				residuals[i * n + k] -= along * axis[k];
			}
		}
		memset(residuals + chosen[j] * n, 0, n * sizeof *residuals);
	}
	return d->joints;
}

/* The transforms of the chosen points. `corners` [joints][joints]: their weights. */
static void blend_transforms(const dense_fit *d, const double *corners, snk_lanes *blended) {
	const size_t n = d->joints;
	for (uint32_t block = 0; block < d->motion->block_count; block++) {
		snk_lanes *values = d->values + 12 * n * block;
		memset(blended, 0, 12 * n * sizeof *blended);
		for (size_t j = 0; j < n; j++) {
			for (size_t k = 0; k < 12 * n; k++) {
				blended[12 * j + k % 12] += values[k] * corners[j * n + k / 12];
			}
		}
		memcpy(values, blended, 12 * n * sizeof *values);
	}
}

/* Replaces weights and transforms by others of the same blend. */
static snw_status dense_choose_basis(dense_fit *d) {
	const size_t n = d->joints, points = d->motion->point_count;
	snw_pool pool = snw_pool_open(d->options->host);
	double *residuals = SNW_POOL_ARRAY(&pool, double, points *n), *corners = SNW_POOL_ARRAY(&pool, double, n *n);
	double *transposed = SNW_POOL_ARRAY(&pool, double, n *n);
	snk_lanes *blended = SNW_POOL_ARRAY(&pool, snk_lanes, 12 * n);
	uint32_t *chosen = SNW_POOL_ARRAY(&pool, uint32_t, n);
	snk_factor factor = {0};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		memcpy(residuals, d->weights, points * n * sizeof *residuals);
	}
	if (!snk_failed(status) && choose_points(d, residuals, chosen) == d->joints) {
		for (size_t j = 0; j < n; j++) {
			memcpy(corners + j * n, d->weights + chosen[j] * n, n * sizeof *corners);
			for (size_t k = 0; k < n; k++) {
				transposed[k * n + j] = corners[j * n + k];
			}
		}
		status = snk_factor_dense(d->options->host, d->joints, transposed, NULL, &factor);
		status = snk_failed(status) ? status : snk_factor_solve(&factor, (uint32_t)points, d->weights);
		if (!snk_failed(status)) {
			blend_transforms(d, corners, blended);
		}
	}
	snk_factor_release(&factor);
	snw_pool_release(&pool);
	return status;
}

/* ---- decomposition ------------------------------------------------------------------------------------------------------- */

/* The fit stalls if so many iterations reduce the squared error by less than this part of it. */
enum { STALL_AFTER = 40, TRIAL = 20, MOST_ITERATIONS = 600 };
static const double stalled = 0.01;

/* An extrapolation may make the squared error larger by this part: the next iterations often make up for it. */
static const double tolerated = 1e-4;

typedef struct best_fit {
	double squares;
	double *weights;
	double *values;
} best_fit;

static void put_start(const snk_influences *start, dense_fit *d) {
	memset(d->weights, 0, (size_t)start->point_count * d->joints * sizeof *d->weights);
	for (uint32_t i = 0; i < start->point_count; i++) {
		for (uint32_t k = start->offsets[i]; k < start->offsets[i + 1]; k++) {
			d->weights[(size_t)i * d->joints + start->joints[k]] = start->weights[k];
		}
	}
}

static void keep_best(const dense_fit *d, best_fit *best) {
	if (d->squares_sum < best->squares) {
		best->squares = d->squares_sum;
		memcpy(best->weights, d->weights, (size_t)d->motion->point_count * d->joints * sizeof *d->weights);
		memcpy(best->values, d->values, dense_value_count(d) * sizeof *best->values);
	}
}

/* A fit in progress. */
typedef struct progress {
	dense_fit *d;
	snk_dense_fit *fit;
	extrapolation e;
	double *begin, *end; /* the transforms of an iteration */
	best_fit best;
	uint32_t most, all; /* iterations from a start, and of all starts */
} progress;

/* The weights of an iteration, from its transforms. */
static snw_status begin_iteration(progress *p) {
	dense_fit *d = p->d;
	memcpy(p->begin, d->values, dense_value_count(d) * sizeof *p->begin);
	const snw_status status = dense_fit_weights(d);
	if (!snk_failed(status)) {
		keep_best(d, &p->best);
		p->fit->iterations++;
		p->fit->stopped = !snk_steps_go_on(&d->options->steps, (double)p->fit->iterations / p->all);
	}
	return status;
}

/* Weights of the transforms, then transforms of the weights: each iteration begins and ends with transforms. */
static snw_status iterate(progress *p, uint32_t most) {
	dense_fit *d = p->d;
	double last = HUGE_VAL, before = HUGE_VAL;
	extrapolation_forget(&p->e);
	snw_status status = dense_fit_transforms(d);
	for (uint32_t i = 0; !snk_failed(status) && i < most; i++) {
		status = begin_iteration(p);
		if (snk_failed(status) || p->fit->stopped) {
			break;
		}
		if (i % STALL_AFTER == 0) {
			if (d->options->iterations == 0 && !(p->best.squares < (1 - stalled) * before)) {
				break;
			}
			before = p->best.squares;
		}
		if (p->e.count > 0 && d->squares_sum > (1 + tolerated) * last) {
			memcpy(d->values, p->end, dense_value_count(d) * sizeof *p->end);
			extrapolation_forget(&p->e);
			last = HUGE_VAL;
			continue;
		}
		if (!(d->squares_sum < HUGE_VAL)) {
			break; /* nothing can be fitted to such weights */
		}
		last = d->squares_sum;
		status = dense_fit_transforms(d);
		memcpy(p->end, d->values, dense_value_count(d) * sizeof *p->end);
		extrapolation_add(&p->e, p->begin, p->end, (double *)d->values);
	}
	return status;
}

/* Runs a few iterations from each start, and continues from the best. */
static snw_status run(progress *p, uint32_t count, const snk_influences *starts) {
	dense_fit *d = p->d;
	const uint32_t quarter = p->most / 4 > 0 ? p->most / 4 : 1, trial = quarter < TRIAL ? quarter : TRIAL;
	snw_status status = SNW_OK;
	p->all = p->most + count * trial;
	for (uint32_t i = 0; !snk_failed(status) && !p->fit->stopped && i < count; i++) {
		put_start(&starts[i], d);
		status = iterate(p, trial);
	}
	status = !snk_failed(status) && !(p->best.squares < HUGE_VAL) ? SNW_ERROR_DATA : status;
	if (!snk_failed(status) && !p->fit->stopped) {
		memcpy(d->weights, p->best.weights, (size_t)d->motion->point_count * d->joints * sizeof *d->weights);
		status = iterate(p, p->most);
	}
	return status;
}

static snw_status pack(dense_fit *d, const best_fit *best, snw_pool *pool, snk_dense_fit *fit) {
	const uint32_t points = d->motion->point_count;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *joints = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points * d->joints);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < points; i++) {
		offsets[i + 1] = offsets[i] + d->joints;
		for (uint32_t k = 0; k < d->joints; k++) {
			joints[offsets[i] + k] = k;
		}
	}
	memcpy(d->values, best->values, dense_value_count(d) * sizeof *best->values);
	d->weights = best->weights;
	const snw_status status = dense_choose_basis(d);
	if (snk_failed(status)) {
		return status;
	}
	fit->influences = (snk_influences){points, d->joints, offsets, joints, best->weights};
	fit->squares = fit->transforms.squares = best->squares;
	return SNW_OK;
}

snw_status snk_dense_decompose(const snk_dense_options *options, uint32_t start_count, const snk_influences *starts,
							   snw_pool *pool, snk_dense_fit *fit) {
	const snk_motion *motion = options->motion;
	const uint32_t joints = options->joint_count;
	const size_t weights = (size_t)motion->point_count * joints, n = 4 * (size_t)joints;
	*fit = (snk_dense_fit){.squares = HUGE_VAL};
	if (joints > SNK_DENSE_JOINTS || weights > UINT32_MAX) {
		return SNW_ERROR_LIMIT;
	}
	snw_pool scratch = snw_pool_open(options->host);
	snw_status status = snk_transforms_make(pool, SNK_TRANSFORMS_AFFINE, joints, motion, &fit->transforms);
	dense_fit d = {.options = options,
				   .motion = motion,
				   .kernels = snk_lane_kernels_best(),
				   .joints = joints,
				   .weights = SNW_POOL_ARRAY(&scratch, double, weights),
				   .values = fit->transforms.values,
				   .squares = SNW_POOL_ARRAY(&scratch, double, motion->point_count),
				   .matrix = SNW_POOL_ARRAY(&scratch, double, n *n),
				   .rights = SNW_POOL_ARRAY(&scratch, double, 3 * n * motion->frame_count),
				   .has_failed = SNW_POOL_ARRAY(&scratch, unsigned char, motion->block_count)};
	progress p = {.d = &d,
				  .fit = fit,
				  .begin = SNW_POOL_ARRAY(&scratch, double, dense_value_count(&d)),
				  .end = SNW_POOL_ARRAY(&scratch, double, dense_value_count(&d)),
				  .best = {.squares = HUGE_VAL,
						   .weights = SNW_POOL_ARRAY(pool, double, weights),
						   .values = SNW_POOL_ARRAY(&scratch, double, dense_value_count(&d))},
				  .most = options->iterations > 0 ? options->iterations : MOST_ITERATIONS};
	status = snk_failed(status) ? status : extrapolation_open(dense_value_count(&d), &scratch, &p.e);
	status = !snk_failed(status) && pool->failed ? SNW_ERROR_MEMORY : status;
	status = snk_failed(status) ? status : run(&p, start_count, starts);
	status = snk_failed(status) ? status : pack(&d, &p.best, pool, fit);
	snw_pool_release(&scratch);
	return status;
}
