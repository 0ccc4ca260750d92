/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

/* ---- 3×3 matrices -------------------------------------------------------------------------------------------------------- */

/* Singular values of a 3×3 matrix. */

static double column_dot(const double a[9], int p, int q) {
	return a[p] * a[q] + a[3 + p] * a[3 + q] + a[6 + p] * a[6 + q];
}

static void rotate_columns(double a[9], int p, int q, double cosine, double sine) {
	for (int r = 0; r < 3; r++) {
		const double x = a[3 * r + p], y = a[3 * r + q];
		a[3 * r + p] = cosine * x - sine * y;
		a[3 * r + q] = sine * x + cosine * y;
	}
}

/* Makes columns p and q of a orthogonal, and applies the same rotation to v. Returns 0 if they already are. */
static int orthogonalize(double a[9], double v[9], int p, int q) {
	const double alpha = column_dot(a, p, p), beta = column_dot(a, q, q), gamma = column_dot(a, p, q);
	if (fabs(gamma) <= DBL_EPSILON * sqrt(alpha * beta)) {
		return 0;
	}
	const double zeta = (beta - alpha) / (2 * gamma);
	const double tangent = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
	const double cosine = 1 / sqrt(1 + tangent * tangent);
	rotate_columns(a, p, q, cosine, cosine * tangent);
	rotate_columns(v, p, q, cosine, cosine * tangent);
	return 1;
}

static void swap_columns(double a[9], int p, int q) {
	for (int r = 0; r < 3; r++) {
		const double x = a[3 * r + p];
		a[3 * r + p] = a[3 * r + q];
		a[3 * r + q] = x;
	}
}

/* Column c of u becomes a unit vector orthogonal to the columns before it. */
static void complete_column(double u[9], int c) {
	if (c == 2) {
		u[2] = u[3] * u[7] - u[6] * u[4];
		u[5] = u[6] * u[1] - u[0] * u[7];
		u[8] = u[0] * u[4] - u[3] * u[1];
		return;
	}
	int axis = 0; /* for c = 1, the axis furthest from column 0 */
	for (int r = 1; c == 1 && r < 3; r++) {
		axis = fabs(u[3 * r]) < fabs(u[3 * axis]) ? r : axis;
	}
	const double along = c == 1 ? u[3 * axis] : 0;
	double length = 0;
	for (int r = 0; r < 3; r++) {
		u[3 * r + c] = (r == axis ? 1 : 0) - (c == 1 ? along * u[3 * r] : 0);
		length += u[3 * r + c] * u[3 * r + c];
	}
	for (int r = 0; r < 3; r++) {
		u[3 * r + c] /= sqrt(length);
	}
}

void snk_svd3_compute(const double matrix[9], snk_svd3 *svd) {
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	double a[9];
	double size = 0;
	for (int i = 0; i < 9; i++) {
		size = fmax(size, fabs(matrix[i]));
	}
	/* Scaled, so that squares neither overflow nor underflow. */
	for (int i = 0; i < 9; i++) {
		a[i] = size > 0 ? matrix[i] / size : 0;
	}
	memcpy(svd->v, identity, sizeof identity);
	for (int sweep = 0; sweep < 30; sweep++) {
		const int rotated = orthogonalize(a, svd->v, 0, 1) + orthogonalize(a, svd->v, 0, 2) + orthogonalize(a, svd->v, 1, 2);
		if (rotated == 0) {
			break;
		}
	}
	double lengths[3];
	for (int c = 0; c < 3; c++) {
		lengths[c] = sqrt(column_dot(a, c, c));
	}
	for (int c = 0; c < 2; c++) {
		for (int other = c + 1; other < 3; other++) {
			if (lengths[other] > lengths[c]) {
				const double length = lengths[c];
				lengths[c] = lengths[other];
				lengths[other] = length;
				swap_columns(a, c, other);
				swap_columns(svd->v, c, other);
			}
		}
	}
	for (int c = 0; c < 3; c++) {
		svd->s[c] = size * lengths[c];
		if (lengths[c] > 1e-14) {
			for (int r = 0; r < 3; r++) {
				svd->u[3 * r + c] = a[3 * r + c] / lengths[c];
			}
		} else {
			complete_column(svd->u, c);
		}
	}
}

double snk_svd3_condition(const snk_svd3 *svd) {
	return svd->s[2] > 1e-12 * svd->s[0] ? svd->s[0] / svd->s[2] : 1e12;
}

/* The squared length of the filtered solution; b is in the basis of u, so is x in that of v. */
static double filter(const snk_svd3 *svd, double lambda, const double b[3], double x[3]) {
	double squared = 0;
	for (int c = 0; c < 3; c++) {
		const double s = svd->s[c], l = lambda * lambda, sum = s * s + l;
		x[c] = sum > 0 ? b[c] * s * (sum + l) / (sum * sum) : 0;
		squared += x[c] * x[c];
	}
	return squared;
}

void snk_svd3_solve(const snk_svd3 *svd, double ratio, double longest, const double b[3], double x[3]) {
	double rotated[3], found[3], squared = 0;
	for (int c = 0; c < 3; c++) {
		rotated[c] = svd->u[c] * b[0] + svd->u[3 + c] * b[1] + svd->u[6 + c] * b[2];
		squared += rotated[c] * rotated[c];
	}
	if (svd->s[0] > 0) {
		const double limit = longest * longest * squared / (svd->s[0] * svd->s[0]);
		double low = fmax(ratio, 1e-15) * svd->s[0];
		if (filter(svd, low, rotated, found) > limit) {
			double high = svd->s[0]; /* its solution is no longer than ‖b‖ / s[0] */
			for (int i = 0; i < 60; i++) {
				const double middle = sqrt(low * high);
				*(filter(svd, middle, rotated, found) > limit ? &low : &high) = middle;
			}
			filter(svd, high, rotated, found);
		}
	} else {
		memset(found, 0, sizeof found);
	}
	for (int r = 0; r < 3; r++) {
		x[r] = svd->v[3 * r] * found[0] + svd->v[3 * r + 1] * found[1] + svd->v[3 * r + 2] * found[2];
	}
}

double snk_determinant3(const double m[9]) {
	return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static double squared_sum(const double m[9]) {
	double sum = 0;
	for (int i = 0; i < 9; i++) {
		sum += m[i] * m[i];
	}
	return sum;
}

int snk_svd3_inverse(const double matrix[9], double ratio, double longest, double inverse[9]) {
	const double *m = matrix, volume = snk_determinant3(m);
	/* What the filter changes is (ratio · condition)⁴. The product of Frobenius norms is no less than the condition. */
	const double most = fmin(fmin(20, longest), 3e-3 / fmax(ratio, 1e-15));
	const double cofactors[9] = {
		m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
		m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
		m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
	};
	if (!(squared_sum(m) * squared_sum(cofactors) <= most * most * volume * volume && volume != 0)) {
		return 0;
	}
	for (int i = 0; i < 9; i++) {
		inverse[i] = cofactors[i] / volume;
	}
	return 1;
}

/* From the eigenvalues of AᵀA by cosines (O. K. Smith, Eigenvalues of a symmetric 3 × 3 matrix, 1961). */
double snk_svd3_condition_of(const double matrix[9]) {
	double gram[9];
	for (int p = 0; p < 3; p++) {
		for (int q = 0; q < 3; q++) {
			gram[3 * p + q] = column_dot(matrix, p, q);
		}
	}
	const double mean = (gram[0] + gram[4] + gram[8]) / 3;
	gram[0] -= mean;
	gram[4] -= mean;
	gram[8] -= mean;
	const double spread = sqrt(squared_sum(gram) / 6);
	if (spread <= DBL_EPSILON * mean) {
		return 1;
	}
	const double cosine = snk_determinant3(gram) / (2 * spread * spread * spread);
	const double angle = acos(fmin(fmax(cosine, -1), 1)) / 3, root = cos(angle);
	/* cos(angle + 2π/3), its sine by that of an angle of at most a third of π. */
	const double third = -0.5 * root - 0.86602540378443864676 * sqrt(fmax(1 - root * root, 0));
	return sqrt((mean + 2 * spread * root) / (mean + 2 * spread * third));
}

void snk_nearest_rotation(const double matrix[9], double rotation[9]) {
	snk_svd3 svd;
	snk_svd3_compute(matrix, &svd);
	/* The last singular vector is negated if the matrix mirrors. */
	const double last = snk_determinant3(svd.u) * snk_determinant3(svd.v) < 0 ? -1 : 1;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			rotation[3 * r + c] =
				svd.u[3 * r] * svd.v[3 * c] + svd.u[3 * r + 1] * svd.v[3 * c + 1] + last * svd.u[3 * r + 2] * svd.v[3 * c + 2];
		}
	}
}

/* ---- symmetric matrices -------------------------------------------------------------------------------------------------- */

enum { SWEEPS = 40 };

static void rotate_rows(uint32_t n, double cosine, double sine, double *a, double *b) {
	for (uint32_t i = 0; i < n; i++) {
		const double x = a[i], y = b[i];
		a[i] = cosine * x - sine * y;
		b[i] = sine * x + cosine * y;
	}
}

void snk_symmetric_eigen(uint32_t n, double *matrix, double *eigenvectors) {
	memset(eigenvectors, 0, (size_t)n * n * sizeof *eigenvectors);
	for (size_t i = 0; i < n; i++) {
		eigenvectors[i * n + i] = 1;
	}
	/* What a product of rows is where rounding alone makes it; and the squared length of a row that is nothing but rounding. */
	const double rounding = n * DBL_EPSILON, none = rounding * rounding * snk_dot(n * n, matrix, matrix);
	int changed = 1;
	for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
		changed = 0;
		for (size_t p = 0; p < n; p++) {
			for (size_t q = p + 1; q < n; q++) {
				double *a = matrix + p * n, *b = matrix + q * n;
				const double along = snk_dot(n, a, b), of_a = snk_dot(n, a, a), of_b = snk_dot(n, b, b);
				if (!(of_a > none && of_b > none && fabs(along) > rounding * sqrt(of_a * of_b))) {
					continue;
				}
				const double zeta = (of_b - of_a) / (2 * along);
				const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta)), cosine = 1 / sqrt(1 + t * t);
				rotate_rows(n, cosine, cosine * t, a, b);
				rotate_rows(n, cosine, cosine * t, eigenvectors + p * n, eigenvectors + q * n);
				changed = 1;
			}
		}
	}
}

static void swap_numbers(uint32_t n, double *a, double *b) {
	for (uint32_t i = 0; i < n; i++) {
		const double before = a[i];
		a[i] = b[i];
		b[i] = before;
	}
}

void snk_symmetric_eigen_sorted(uint32_t n, double *matrix, double *eigenvectors, double *eigenvalues) {
	snk_symmetric_eigen(n, matrix, eigenvectors);
	for (size_t k = 0; k < n; k++) {
		eigenvalues[k] = sqrt(snk_dot(n, matrix + k * n, matrix + k * n));
		for (size_t at = k; at > 0 && eigenvalues[at] > eigenvalues[at - 1]; at--) {
			swap_numbers(1, &eigenvalues[at], &eigenvalues[at - 1]);
			swap_numbers(n, matrix + at * n, matrix + (at - 1) * n);
			swap_numbers(n, eigenvectors + at * n, eigenvectors + (at - 1) * n);
		}
	}
}

/* ---- principal components ------------------------------------------------------------------------------------------------ */

enum { GRAIN = 4 };

/* A squared deviation that is less than this part of the largest is rounding error. */
static const double rounding = 1e-12;

/* Deviations from the mean, and the products of their rows, or of their columns if there are fewer of these. */
typedef struct products {
	size_t count, width, size;
	const double *deviations; /* [count][width] */
	double *matrix;           /* [size][size] */
} products;

static double product_of(const products *p, size_t a, size_t b) {
	const int by_rows = p->size == p->count;
	double sum = 0;
	for (size_t i = 0; i < (by_rows ? p->width : p->count); i++) {
		sum += by_rows ? p->deviations[a * p->width + i] * p->deviations[b * p->width + i]
					   : p->deviations[i * p->width + a] * p->deviations[i * p->width + b];
	}
	return sum;
}

static void SNW_CALL multiply_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const products *p = (const products *)argument;
	for (size_t a = begin; a < end; a++) {
		for (size_t b = 0; b <= a; b++) {
			p->matrix[a * p->size + b] = product_of(p, a, b);
		}
	}
}

static void find_deviations(uint32_t count, uint32_t width, const double *observations, double *mean, double *deviations) {
	for (size_t i = 0; i < (size_t)count * width; i++) {
		mean[i % width] += observations[i] / count;
	}
	for (size_t i = 0; i < (size_t)count * width; i++) {
		deviations[i] = observations[i] - mean[i % width];
	}
}

/* The direction of an eigenvector: itself, or the deviations' sum by it. */
static void write_direction(const products *p, const double *eigenvector, double eigenvalue, double *direction) {
	for (size_t c = 0; c < p->width; c++) {
		direction[c] = p->size == p->count ? 0 : eigenvector[c];
		for (size_t r = 0; p->size == p->count && r < p->count; r++) {
			direction[c] += eigenvector[r] * p->deviations[r * p->width + c] / sqrt(eigenvalue);
		}
	}
}

/* The eigenvectors of the products are in `vectors`, their eigenvalues in `values`. */
static snw_status keep_components(const products *p, const double *vectors, const double *values, uint32_t most, snw_pool *pool,
								  snk_principal_components *found) {
	found->count = 0;
	while (found->count < most && found->count < p->size && values[found->count] > rounding * values[0]) {
		found->count++;
	}
	found->directions = SNW_POOL_ARRAY(pool, double, found->count * p->width);
	found->deviations = SNW_POOL_ARRAY(pool, double, found->count);
	for (size_t k = 0; !pool->failed && k < found->count; k++) {
		write_direction(p, vectors + k * p->size, values[k], found->directions + k * p->width);
		found->deviations[k] = sqrt(values[k] / (double)p->count);
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status snk_principal_components_find(const snw_host *host, uint32_t count, uint32_t width, const double *observations,
										 uint32_t most, snw_pool *pool, snk_principal_components *found) {
	const size_t size = count < width ? count : width;
	snw_pool scratch = snw_pool_open(host);
	double *deviations = SNW_POOL_ARRAY(&scratch, double, (size_t)count *width);
	products p = {.count = count,
				  .width = width,
				  .size = size,
				  .deviations = deviations,
				  .matrix = SNW_POOL_ARRAY(&scratch, double, size *size)};
	double *vectors = SNW_POOL_ARRAY(&scratch, double, size *size), *values = SNW_POOL_ARRAY(&scratch, double, size);
	const snk_principal_components made = {.width = width, .mean = SNW_POOL_ARRAY(pool, double, width)};
	snw_status status = scratch.failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	*found = made;
	if (!snk_failed(status)) {
		find_deviations(count, width, observations, found->mean, deviations);
		snk_ranges_run(host, (uint32_t)size, GRAIN, multiply_rows, &p);
		for (size_t a = 0; a < size; a++) {
			for (size_t b = a + 1; b < size; b++) {
				p.matrix[a * size + b] = p.matrix[b * size + a];
			}
		}
		snk_symmetric_eigen_sorted((uint32_t)size, p.matrix, vectors, values);
		status = keep_components(&p, vectors, values, most, pool, found);
	}
	snw_pool_release(&scratch);
	return status;
}

void snk_principal_weights(const snk_principal_components *components, const double *observation, double *weights) {
	for (size_t k = 0; k < components->count; k++) {
		weights[k] = 0;
		for (size_t c = 0; c < components->width; c++) {
			weights[k] += components->directions[k * components->width + c] * (observation[c] - components->mean[c]);
		}
	}
}
