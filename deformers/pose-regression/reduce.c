/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduces the regressions of single points to displacements whose coefficients many points share.
 *
 * Points with the same first joint are a region. With B the regression of its points, one column for each of their numbers, and
 * C = L Lᵀ the mean of φ φᵀ over the samples, the best displacements are the leading eigenvectors U of Lᵀ B Bᵀ L: coefficients
 * Uᵀ L⁻¹ φ, displacements Uᵀ Lᵀ B. An eigenvalue is the squared distance, over all points, that its displacement gains.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pose-regression/pose-regression.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* Added to C, because later poses have rotations that the samples lack. */
static const double unseen = 1e-4;

/* Points at which a displacement is shorter than this part of the diagonal are omitted from it. */
static const double negligible = 1e-7;

/* A displacement that gains less than this part of the best one is rounding error. */
static const double worthless = 1e-12;

/* A region, with its eigenvectors. Its columns are the features of its joints, then 1. */
typedef struct region {
	uint32_t first_joint, point_count, joint_count, column_count, kept;
	const uint32_t *points;
	uint32_t *places;   /* [joint_count of the skeleton]: of a joint among the region's; SNW_NONE */
	uint32_t *features; /* [column_count] */
	double *lower;      /* L */
	double *vectors;    /* [column_count][column_count]: U by rows, most important first */
	double *worth;      /* [column_count] */
} region;

static const char *name_of(const mesh_fit *f, uint32_t joint, uint32_t number, snw_pool *pool) {
	const char *joint_name = joint == SNW_NONE ? "constant" : f->joints[joint].name;
	const size_t bytes = strlen(joint_name) + 12;
	char *name = SNW_POOL_ARRAY(pool, char, bytes);
	if (name) {
		snprintf(name, bytes, joint == SNW_NONE ? "%s" : "%s/%u", joint_name, number);
	}
	return name;
}

/* ---- all of it ----------------------------------------------------------------------------------------------------------- */

/* The place of a feature in a point's columns, or SNW_NONE. */
static uint32_t column_of(const mesh_fit *f, const point_regression *p, uint32_t feature) {
	if (feature == f->feature_count - 1) {
		return JOINT_FEATURES * p->joint_count;
	}
	for (uint32_t k = 0; k < p->joint_count; k++) {
		if (p->joints[k] == feature / JOINT_FEATURES) {
			return JOINT_FEATURES * k + feature % JOINT_FEATURES;
		}
	}
	return SNW_NONE;
}

static int is_negligible(const mesh_fit *f, const double v[3]) {
	return !(fabs(v[0]) + fabs(v[1]) + fabs(v[2]) > negligible * f->diagonal);
}

/* Counts the points that a feature moves; writes them unless `points` is NULL. */
static uint32_t list_feature(const mesh_fit *f, uint32_t feature, uint32_t *points, double *vectors) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const point_regression *p = &f->points[i];
		const uint32_t column = column_of(f, p, feature);
		if (column == SNW_NONE || is_negligible(f, p->numbers[column])) {
			continue;
		}
		if (points) {
			points[count] = i;
			memcpy(vectors + 3 * (size_t)count, p->numbers[column], sizeof p->numbers[column]);
		}
		count++;
	}
	return count;
}

snw_status list_all(const mesh_fit *f, snw_pool *pool, reduced *all) {
	uint32_t *counts = SNW_POOL_ARRAY(pool, uint32_t, f->feature_count);
	uint64_t total = 0;
	*all = (reduced){.count = 0};
	for (uint32_t k = 0; counts && k < f->feature_count; k++) {
		counts[k] = list_feature(f, k, NULL, NULL);
		all->count += counts[k] > 0;
		total += counts[k];
	}
	all->names = (const char **)snw_pool_acquire(pool, all->count, sizeof *all->names);
	all->rows = SNW_POOL_ARRAY(pool, double, (size_t)all->count * f->feature_count);
	all->offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)all->count + 1);
	all->points = SNW_POOL_ARRAY(pool, uint32_t, total);
	all->vectors = SNW_POOL_ARRAY(pool, double, 3 * total);
	if (pool->failed || total > UINT32_MAX) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	for (uint32_t feature = 0, k = 0; feature < f->feature_count; feature++) {
		if (counts[feature] > 0) {
			const uint32_t joint = feature + 1 < f->feature_count ? feature / JOINT_FEATURES : SNW_NONE;
			all->names[k] = name_of(f, joint, feature % JOINT_FEATURES + 1, pool);
			all->rows[(size_t)k * f->feature_count + feature] = 1;
			all->offsets[k + 1] = all->offsets[k] + list_feature(f, feature, all->points + all->offsets[k],
																 all->vectors + 3 * (size_t)all->offsets[k]);
			k++;
		}
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- regions ------------------------------------------------------------------------------------------------------------- */

/* The points that have joints, in the order of their first joint: those of joint j from offsets[j] on. */
typedef struct regrouped {
	uint32_t *points, *offsets; /* [joint_count + 1] */
} regrouped;

static snw_status regroup_points(const mesh_fit *f, snw_pool *pool, regrouped *all) {
	all->points = SNW_POOL_ARRAY(pool, uint32_t, f->mesh->point_count);
	all->offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)f->joint_count + 1);
	uint32_t *ends = SNW_POOL_ARRAY(pool, uint32_t, f->joint_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		if (f->points[i].joint_count > 0) {
			all->offsets[f->points[i].joints[0] + 1]++;
		}
	}
	for (uint32_t j = 0; j < f->joint_count; j++) {
		ends[j] = all->offsets[j];
		all->offsets[j + 1] += all->offsets[j];
	}
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		if (f->points[i].joint_count > 0) {
			all->points[ends[f->points[i].joints[0]]++] = i;
		}
	}
	return SNW_OK;
}

static snw_status open_region(const mesh_fit *f, const regrouped *all, uint32_t joint, snw_pool *pool, region *r) {
	*r = (region){.first_joint = joint,
				  .point_count = all->offsets[joint + 1] - all->offsets[joint],
				  .points = all->points + all->offsets[joint],
				  .places = SNW_POOL_ARRAY(pool, uint32_t, f->joint_count)};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	memset(r->places, 0xff, f->joint_count * sizeof *r->places);
	for (uint32_t i = 0; i < r->point_count; i++) {
		const point_regression *p = &f->points[r->points[i]];
		for (uint32_t k = 0; k < p->joint_count; k++) {
			if (r->places[p->joints[k]] == SNW_NONE) {
				r->places[p->joints[k]] = r->joint_count++;
			}
		}
	}
	r->column_count = JOINT_FEATURES * r->joint_count + 1;
	const size_t n = r->column_count;
	r->features = SNW_POOL_ARRAY(pool, uint32_t, n);
	r->lower = SNW_POOL_ARRAY(pool, double, n *n);
	r->vectors = SNW_POOL_ARRAY(pool, double, n *n);
	r->worth = SNW_POOL_ARRAY(pool, double, n);
	for (uint32_t j = 0; !pool->failed && j < f->joint_count; j++) {
		for (uint32_t i = 0; r->places[j] != SNW_NONE && i < JOINT_FEATURES; i++) {
			r->features[JOINT_FEATURES * r->places[j] + i] = JOINT_FEATURES * j + i;
		}
	}
	if (!pool->failed) {
		r->features[n - 1] = f->feature_count - 1;
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static uint32_t region_column(const region *r, const point_regression *p, uint32_t column) {
	return column == JOINT_FEATURES * p->joint_count
			   ? r->column_count - 1
			   : JOINT_FEATURES * r->places[p->joints[column / JOINT_FEATURES]] + column % JOINT_FEATURES;
}

/* L of C, by Cholesky. */
static void find_lower(const mesh_fit *f, region *r) {
	const size_t n = r->column_count, all = f->feature_count;
	const size_t samples = (size_t)f->sample_count * (f->uses_mirrored ? 2 : 1);
	for (size_t a = 0; a < n; a++) {
		for (size_t b = 0; b <= a; b++) {
			double sum = a == b ? unseen : 0;
			for (int side = 0; side <= f->uses_mirrored; side++) {
				sum += f->grams[side][(f->block_count * all + r->features[a]) * all + r->features[b]] / (double)samples;
			}
			for (size_t k = 0; k < b; k++) {
				sum -= r->lower[a * n + k] * r->lower[b * n + k];
			}
			r->lower[a * n + b] = a == b ? sqrt(fmax(sum, unseen * 1e-6)) : sum / r->lower[b * n + b];
		}
	}
}

/* Lᵀ B Bᵀ L into `matrix` [n][n]; `product` is as large. */
static void find_matrix(const mesh_fit *f, const region *r, double *product, double *matrix) {
	const size_t n = r->column_count;
	memset(matrix, 0, n * n * sizeof *matrix);
	memset(product, 0, n * n * sizeof *product);
	for (uint32_t i = 0; i < r->point_count; i++) {
		const point_regression *p = &f->points[r->points[i]];
		for (uint32_t a = 0; a <= JOINT_FEATURES * p->joint_count; a++) {
			for (uint32_t b = 0; b <= JOINT_FEATURES * p->joint_count; b++) {
				const double *x = p->numbers[a], *y = p->numbers[b];
				matrix[region_column(r, p, a) * n + region_column(r, p, b)] += x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
			}
		}
	}
	for (size_t a = 0; a < n; a++) { /* product = B Bᵀ L */
		for (size_t k = 0; k < n; k++) {
			for (size_t b = 0; b <= k; b++) {
				product[a * n + b] += matrix[a * n + k] * r->lower[k * n + b];
			}
		}
	}
	memset(matrix, 0, n * n * sizeof *matrix);
	for (size_t k = 0; k < n; k++) {
		for (size_t a = 0; a <= k; a++) {
			for (size_t b = 0; b < n; b++) {
				matrix[a * n + b] += r->lower[k * n + a] * product[k * n + b];
			}
		}
	}
}

static snw_status find_vectors(const mesh_fit *f, region *r) {
	const size_t n = r->column_count;
	snw_pool pool = snw_pool_open(f->host);
	double *matrix = SNW_POOL_ARRAY(&pool, double, n *n), *product = SNW_POOL_ARRAY(&pool, double, n *n);
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		find_lower(f, r);
		find_matrix(f, r, product, matrix);
		snk_symmetric_eigen_sorted(r->column_count, matrix, r->vectors, r->worth);
	}
	snw_pool_release(&pool);
	return status;
}

/* The regions that have points, with their eigenvectors. */
static snw_status find_regions(const mesh_fit *f, double progress, double share, snw_pool *pool, region *regions,
							   uint32_t *count) {
	regrouped all;
	snw_status status = regroup_points(f, pool, &all);
	for (uint32_t j = 0; !snk_failed(status) && j < f->joint_count; j++) {
		if (all.offsets[j + 1] == all.offsets[j]) {
			continue;
		}
		if (!snw_report_progress(f->host, progress + share * j / f->joint_count, "reducing the regression")) {
			return SNW_CANCELLED;
		}
		status = open_region(f, &all, j, pool, &regions[*count]);
		status = snk_failed(status) ? status : find_vectors(f, &regions[(*count)++]);
	}
	return status;
}

/* ---- the best of all regions --------------------------------------------------------------------------------------------- */

static uint32_t share_out(uint32_t most, uint32_t count, region *regions) {
	uint32_t total = 0;
	double least = 0;
	for (; total < most; total++) {
		region *best = NULL;
		for (uint32_t r = 0; r < count; r++) {
			region *other = &regions[r];
			if (other->kept < other->column_count && other->worth[other->kept] > least &&
				(!best || other->worth[other->kept] > best->worth[best->kept])) {
				best = other;
			}
		}
		if (!best) {
			break;
		}
		least = fmax(least, worthless * best->worth[best->kept]);
		best->kept++;
	}
	return total;
}

/* Row Uᵀ L⁻¹ of displacement k over all features. */
static void write_row(const region *r, uint32_t k, double *scratch, double *row) {
	const size_t n = r->column_count;
	for (size_t a = n; a-- > 0;) { /* Lᵀ x = u */
		double sum = r->vectors[k * n + a];
		for (size_t b = a + 1; b < n; b++) {
			sum -= r->lower[b * n + a] * scratch[b];
		}
		scratch[a] = sum / r->lower[a * n + a];
		row[r->features[a]] = scratch[a];
	}
}

/* Displacement Uᵀ Lᵀ B at the region's points, from offsets[at] on. */
static void write_displacement(const mesh_fit *f, const region *r, uint32_t k, double *scratch, reduced *best, uint32_t at) {
	const size_t n = r->column_count;
	for (size_t a = 0; a < n; a++) {
		scratch[a] = 0;
		for (size_t b = 0; b <= a; b++) {
			scratch[a] += r->lower[a * n + b] * r->vectors[k * n + b];
		}
	}
	uint32_t next = best->offsets[at];
	for (uint32_t i = 0; i < r->point_count; i++) {
		const point_regression *p = &f->points[r->points[i]];
		double v[3] = {0};
		for (uint32_t column = 0; column <= JOINT_FEATURES * p->joint_count; column++) {
			const double factor = scratch[region_column(r, p, column)];
			for (int c = 0; c < 3; c++) {
				v[c] += factor * p->numbers[column][c];
			}
		}
		if (!is_negligible(f, v)) {
			best->points[next] = r->points[i];
			memcpy(best->vectors + 3 * (size_t)next++, v, sizeof v);
		}
	}
	best->offsets[at + 1] = next;
}

static snw_status write_best(const mesh_fit *f, uint32_t region_count, const region *regions, snw_pool *pool, reduced *best) {
	uint64_t total = 0;
	uint32_t widest = 0;
	for (uint32_t r = 0; r < region_count; r++) {
		total += (uint64_t)regions[r].kept * regions[r].point_count;
		widest = regions[r].column_count > widest ? regions[r].column_count : widest;
	}
	best->names = (const char **)snw_pool_acquire(pool, best->count, sizeof *best->names);
	best->rows = SNW_POOL_ARRAY(pool, double, (size_t)best->count * f->feature_count);
	best->offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)best->count + 1);
	best->points = SNW_POOL_ARRAY(pool, uint32_t, total);
	best->vectors = SNW_POOL_ARRAY(pool, double, 3 * total);
	double *scratch = SNW_POOL_ARRAY(pool, double, widest);
	if (pool->failed || total > UINT32_MAX) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	uint32_t at = 0;
	for (uint32_t r = 0; r < region_count; r++) {
		for (uint32_t k = 0; k < regions[r].kept; k++, at++) {
			best->names[at] = name_of(f, regions[r].first_joint, k + 1, pool);
			write_row(&regions[r], k, scratch, best->rows + (size_t)at * f->feature_count);
			write_displacement(f, &regions[r], k, scratch, best, at);
		}
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status reduce(const mesh_fit *f, uint32_t most, double progress, double share, snw_pool *pool, reduced *best) {
	snw_pool scratch = snw_pool_open(f->host);
	region *regions = SNW_POOL_ARRAY(&scratch, region, f->joint_count);
	uint32_t count = 0;
	snw_status status = regions ? find_regions(f, progress, share, &scratch, regions, &count) : SNW_ERROR_MEMORY;
	*best = (reduced){.count = 0};
	if (!snk_failed(status)) {
		best->count = share_out(most, count, regions);
		status = write_best(f, count, regions, pool, best);
	}
	snw_pool_release(&scratch);
	return status;
}
