/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proxies of a mesh: the weights of its points over them, and their key gradients.
 */
#include <math.h>
#include <string.h>

#include "motion/decompose.h"
#include "rotational-regression/fit.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* The proxies of a mesh and the weights of its points over them (section 5.1): from the clusters, transforms and weights in
 * turn. A point depends on the proxy of its cluster and on those of the clusters beside it alone, which keeps proxies from
 * explaining points elsewhere that move alike by chance. */

enum { GRAIN = 64, ROUNDS = 3, MOST_BESIDE = 16, MOST_PROXIES = 320 };

/* While the error stays small enough, each try has this part of the proxies of the one before: one that has become too few
 * costs as much as any other, and clusters cannot be parted again. */
static const double fewer = 0.8;

/* Without an error given, one is small enough that is below this part of the learned blend's. With fixed anchors, as in the
 * paper, the number stays as it was given: it is also that of the key gradients, to which nothing is fitted afterwards. */
static const double unnoticed = 0.01;

/* A proxy is for so many points at least: beyond that it costs more than it blends. */
enum { POINTS_PER_PROXY = 3 };

typedef struct proxy_fit {
	mesh_fit *f;
	const snk_motion *motion;
	const snk_lane_kernels *kernels;
	uint32_t count, influences;
	const uint32_t *clusters;
	const unsigned char *beside; /* [count][count] */
	snk_transforms transforms;
	uint32_t *counts; /* [point_count] */
	uint32_t (*joints)[MOST_INFLUENCES];
	double (*weights)[MOST_INFLUENCES];
	double *squares; /* [point_count], over all samples */
} proxy_fit;

/* ---- weights of one point ------------------------------------------------------------------------------------------------ */

/* The point's proxy, and those beside it under which it comes out best. */
static uint32_t list_candidates(const proxy_fit *p, uint32_t point, snk_lanes *columns, uint32_t *candidates) {
	const uint32_t cluster = p->clusters[point];
	double errors[MOST_BESIDE];
	uint32_t count = 1;
	candidates[0] = cluster;
	errors[0] = -1;
	for (uint32_t k = 0; k < p->count; k++) {
		double error;
		if (k == cluster || !p->beside[(size_t)cluster * p->count + k]) {
			continue;
		}
		p->kernels->linear_columns(p->motion, p->transforms.values, p->count, point, 1, &k, columns);
		p->kernels->column_gram(3 * (size_t)p->motion->block_count, 1, columns, NULL, &error);
		if (count == MOST_BESIDE && error >= errors[count - 1]) {
			continue;
		}
		uint32_t at = count < MOST_BESIDE ? count++ : MOST_BESIDE - 1;
		for (; errors[at - 1] > error; at--) {
			errors[at] = errors[at - 1];
			candidates[at] = candidates[at - 1];
		}
		errors[at] = error;
		candidates[at] = k;
	}
	return count;
}

static void fit_point(const proxy_fit *p, uint32_t point, snk_lanes *columns) {
	uint32_t candidates[MOST_BESIDE];
	double gram[MOST_BESIDE * MOST_BESIDE];
	const uint32_t count = list_candidates(p, point, columns, candidates);
	p->kernels->linear_columns(p->motion, p->transforms.values, p->count, point, count, candidates, columns);
	p->kernels->column_gram(3 * (size_t)p->motion->block_count, count, columns, NULL, gram);
	const snk_nnls_problem problem = {.count = count, .gram = gram};
	const snk_nnls_support start = {.count = 1};
	snk_nnls_solution solution;
	const uint32_t kept = p->f->kept.offsets[point + 1] - p->f->kept.offsets[point];
	snk_nnls_search(&problem, p->influences - kept, 1, &start, &solution);
	p->counts[point] = solution.count;
	p->squares[point] = solution.cost;
	for (uint32_t k = 0; k < solution.count; k++) {
		p->joints[point][k] = candidates[solution.support[k]];
		p->weights[point][k] = solution.weights[k];
	}
}

static void SNW_CALL fit_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const proxy_fit *p = argument;
	snw_pool pool = snw_pool_open(p->f->host);
	snk_lanes *columns = SNW_POOL_ARRAY(&pool, snk_lanes, MOST_BESIDE * 3 * (size_t)p->motion->block_count);
	for (uint32_t i = begin; i < end; i++) {
		if (columns && p->clusters[i] != SNW_NONE) {
			fit_point(p, i, columns);
		} else {
			p->squares[i] = columns ? 0 : (double)NAN;
		}
	}
	snw_pool_release(&pool);
}

/* ---- all points ---------------------------------------------------------------------------------------------------------- */

static snw_status pack(const proxy_fit *p, snw_pool *pool, snk_influences *all) {
	const uint32_t points = p->motion->point_count;
	uint32_t count = 0;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *joints = SNW_POOL_ARRAY(pool, uint32_t, MOST_INFLUENCES * (size_t)points);
	double *weights = SNW_POOL_ARRAY(pool, double, MOST_INFLUENCES *(size_t)points);
	for (uint32_t i = 0; !pool->failed && i < points; i++) {
		memcpy(joints + count, p->joints[i], p->counts[i] * sizeof *joints);
		memcpy(weights + count, p->weights[i], p->counts[i] * sizeof *weights);
		count += p->counts[i];
		offsets[i + 1] = count;
	}
	*all = (snk_influences){points, p->count, offsets, joints, weights};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status fit_transforms(proxy_fit *p, const snk_influences *influences) {
	snk_blend_graph graph;
	snw_status status = snk_blend_graph_make(p->f->host, p->motion->points_rest, influences, &graph);
	if (!snk_failed(status)) {
		const snk_transform_fit fit = {.host = p->f->host, .motion = p->motion, .graph = &graph};
		status = snk_transforms_fit(&fit, &p->transforms);
		snk_blend_graph_drop(&graph);
	}
	return status;
}

static void find_beside(const proxy_fit *p, unsigned char *beside) {
	const snk_faces *triangles = &p->f->triangles;
	for (size_t n = 0; n < 3 * (size_t)triangles->face_count; n++) {
		const uint32_t a = p->clusters[triangles->points[n]], b = p->clusters[triangles->points[n % 3 == 2 ? n - 2 : n + 1]];
		if (a != SNW_NONE && b != SNW_NONE) {
			beside[(size_t)a * p->count + b] = beside[(size_t)b * p->count + a] = 1;
		}
	}
}

static snw_status open_proxies(proxy_fit *p, snw_pool *pool) {
	const size_t points = p->motion->point_count;
	unsigned char *beside = SNW_POOL_ARRAY(pool, unsigned char, (size_t)p->count * p->count);
	p->kernels = snk_lane_kernels_best();
	p->counts = SNW_POOL_ARRAY(pool, uint32_t, points);
	p->joints = snw_pool_acquire(pool, points, sizeof *p->joints);
	p->weights = snw_pool_acquire(pool, points, sizeof *p->weights);
	p->squares = SNW_POOL_ARRAY(pool, double, points);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	find_beside(p, beside);
	p->beside = beside;
	return snk_transforms_make(pool, SNK_TRANSFORMS_AFFINE, p->count, p->motion, &p->transforms);
}

/* Each point follows the proxy of its cluster. */
static void begin_influences(const proxy_fit *p) {
	for (uint32_t i = 0; i < p->motion->point_count; i++) {
		p->counts[i] = p->clusters[i] != SNW_NONE;
		p->joints[i][0] = p->clusters[i];
		p->weights[i][0] = 1;
	}
}

/* Proxies get what points do not keep. */
static void scale_weights(const mesh_fit *f, snk_influences *influences) {
	double *weights = (double *)influences->weights;
	for (uint32_t i = 0; i < influences->point_count; i++) {
		for (uint32_t k = influences->offsets[i]; k < influences->offsets[i + 1]; k++) {
			weights[k] *= proxy_share(f, i);
		}
	}
}

static snw_status fit_rounds(proxy_fit *p, snw_pool *pool, reduction *r) {
	snk_influences influences;
	begin_influences(p);
	snw_status status = pack(p, pool, &influences);
	for (int round = 0; !snk_failed(status) && round < ROUNDS; round++) {
		const snk_stretch stretch = {p->f->progress, p->f->progress, "fitting proxies"};
		if (!snw_report_progress(p->f->host, p->f->progress, stretch.activity)) {
			return SNW_CANCELLED;
		}
		status = fit_transforms(p, &influences);
		if (!snk_failed(status)) {
			status = snk_ranges_run_reported(p->f->host, p->motion->point_count, GRAIN, fit_points, p, &stretch);
		}
		status = snk_failed(status) ? status : pack(p, pool, &influences);
	}
	double squares = 0;
	for (uint32_t i = 0; !snk_failed(status) && i < p->motion->point_count; i++) {
		squares += p->squares[i];
	}
	if (!snk_failed(status)) {
		scale_weights(p->f, &influences);
	}
	r->influences = influences;
	r->proxy_error = sqrt(squares / ((double)p->motion->frame_count * p->motion->point_count));
	return snk_failed(status) || isfinite(squares) ? status : SNW_ERROR_MEMORY;
}

static snw_status try_count(mesh_fit *f, clustering *c, const snk_motion *motion, uint32_t count, snw_pool *pool,
							reduction *r) {
	uint32_t *labels = SNW_POOL_ARRAY(pool, uint32_t, motion->point_count);
	snw_status status = labels ? join_clusters(c, count, labels, &r->count) : SNW_ERROR_MEMORY;
	proxy_fit p = {.f = f,
				   .motion = motion,
				   .count = r->count,
				   .influences = (uint32_t)f->input->values[INFLUENCES].numbers[0],
				   .clusters = labels};
	status = snk_failed(status) ? status : open_proxies(&p, pool);
	r->clusters = labels;
	return snk_failed(status) ? status : fit_rounds(&p, pool, r);
}

/* The distance of points that is an erms of 1, metres. */
static double unit_error(const mesh_fit *f) {
	return sqrt(3) * f->diagonal / 2000;
}

static void report_unreachable(const mesh_fit *f, const reduction *r) {
	snw_report_line(f->host, SNW_LOG_WARNING,
					"mesh '%s': no number of proxies has the error %g that was asked for; the most, %u, have %.3g",
					f->mesh->name, f->input->values[ERROR].numbers[0], r->count, r->proxy_error / unit_error(f));
}

snw_status find_proxies(mesh_fit *f, const snk_motion *motion, snw_pool *pool, reduction *r) {
	const double asked = f->input->values[ERROR].numbers[0] * unit_error(f);
	const double small = f->model->anchors == ANCHORS_SOFT ? unnoticed * mean_residual(f) : 0;
	const double threshold = f->proxy_count > 0 ? 0 : asked > 0 ? asked : small;
	const uint32_t wanted = f->proxy_count > 0 ? f->proxy_count
							: asked > 0        ? MOST_PROXIES
											   : (uint32_t)f->input->values[PROXIES].numbers[0];
	const uint32_t most = f->mesh->point_count / POINTS_PER_PROXY + 1;
	clustering *c = NULL;
	snw_status status = open_clusters(f, pool, &c);
	status = snk_failed(status) ? status : try_count(f, c, motion, wanted < most ? wanted : most, pool, r);
	if (!snk_failed(status) && asked > 0 && !f->is_trial && !(r->proxy_error < asked)) {
		report_unreachable(f, r);
	}
	while (!snk_failed(status) && r->proxy_error < threshold && r->count > 1) {
		reduction next = *r;
		status = try_count(f, c, motion, (uint32_t)(fewer * r->count), pool, &next);
		if (!snk_failed(status) && !(next.proxy_error < threshold)) {
			break;
		}
		*r = next;
	}
	return status;
}

/* ---- key gradients ------------------------------------------------------------------------------------------------------- */

/* Key gradients (section 5.2): a gradient for each proxy, and for each triangle the blend of them that comes nearest to its
 * own, by coordinate descent. The squared distance of a triangle's gradients counts by its area. When the keys have predictors,
 * the blends are fitted again to what these predict.
 *
 * We begin with the mean of the gradients around each proxy, and ridge the keys to it, where the paper begins with the linear
 * parts of the proxies' transforms: flat proxies leave these undetermined, and joints do not predict such keys. */

enum {
	NUMBERS = 9,
	MOST_SAMPLES = 48 /* for weights, spread over all */,
	PER_REPORT = 1024 /* triangles */
};

/* Holds the key gradients where they are, by the area of their triangles. */
static const double against_change = 0.03;

typedef struct key_fit {
	const mesh_fit *f;
	reduction *r;
	unsigned char *failed; /* by part */
} key_fit;

/* The keys of the proxies that a triangle's corners follow. */
static uint32_t list_keys(const key_fit *k, uint32_t triangle, uint32_t keys[MOST_KEYS]) {
	const snk_influences *all = &k->r->influences;
	uint32_t count = 0;
	for (size_t corner = 0; corner < 3; corner++) {
		const uint32_t point = k->f->triangles.points[3 * (size_t)triangle + corner];
		for (uint32_t n = all->offsets[point]; n < all->offsets[point + 1]; n++) {
			uint32_t at = 0;
			while (at < count && keys[at] != all->joints[n]) {
				at++;
			}
			if (at == count && count < MOST_KEYS) {
				keys[count++] = all->joints[n];
			}
		}
	}
	return count;
}

/* The triangle's blends of the keys that choose the pull. */
static void store_blended(const key_fit *k, uint32_t triangle) {
	const mesh_fit *f = k->f;
	for (uint32_t n = 0; n < f->validated_count; n++) {
		float *dest = f->held_out[triangle * (size_t)f->validated_count + n];
		for (int i = 0; i < NUMBERS; i++) {
			double sum = 0;
			for (uint32_t a = 0; a < k->r->key_counts[triangle]; a++) {
				const size_t key = k->r->keys[triangle][a];
				sum += k->r->key_weights[triangle][a] * k->r->gradients[key * f->sample_count + validated_sample(f, n)][i];
			}
			dest[i] = (float)sum;
		}
	}
}

/* Weights that blend the keys into the gradients of a triangle. */
static void fit_weights(const key_fit *k, uint32_t triangle, const double (*gradients)[9]) {
	const uint32_t samples = k->f->sample_count, stride = samples / MOST_SAMPLES + 1;
	uint32_t keys[MOST_KEYS];
	const uint32_t count = list_keys(k, triangle, keys);
	double gram[MOST_KEYS * MOST_KEYS] = {0};
	for (uint32_t s = 0; s < samples; s += stride) {
		double gaps[MOST_KEYS][NUMBERS];
		for (uint32_t a = 0; a < count; a++) {
			const double *key = k->r->gradients[(size_t)keys[a] * samples + s];
			for (int i = 0; i < NUMBERS; i++) {
				gaps[a][i] = key[i] - gradients[s][i];
			}
			for (uint32_t b = 0; b <= a; b++) {
				double sum = 0;
				for (int i = 0; i < NUMBERS; i++) {
					sum += gaps[a][i] * gaps[b][i];
				}
				gram[a * count + b] += sum;
			}
		}
	}
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			gram[b * count + a] = gram[a * count + b];
		}
	}
	const snk_nnls_problem problem = {.count = count, .gram = gram};
	snk_nnls_solution solution;
	snk_nnls_solve(&problem, 0, NULL, &solution);
	k->r->key_counts[triangle] = solution.count;
	const uint32_t used = (samples - 1) / stride + 1;
	k->f->gradient_squares[triangle] = solution.cost / used;
	for (uint32_t n = 0; n < solution.count; n++) {
		k->r->keys[triangle][n] = keys[solution.support[n]];
		k->r->key_weights[triangle][n] = solution.weights[n];
	}
	store_blended(k, triangle);
}

/* A triangle of points that are left out has no keys: the pull is chosen with its gradients as they are. */
static int is_triangle_left_out(const key_fit *k, uint32_t triangle) {
	const uint32_t *corners = k->f->triangles.points + 3 * (size_t)triangle;
	return is_left_out(k->f, corners[0]) && is_left_out(k->f, corners[1]) && is_left_out(k->f, corners[2]);
}

static void SNW_CALL fit_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const key_fit *k = argument;
	snw_pool pool = snw_pool_open(k->f->host);
	double(*gradients)[9] = snw_pool_acquire(&pool, k->f->sample_count, sizeof *gradients);
	k->failed[begin / GRAIN] = gradients == NULL;
	for (uint32_t t = begin; gradients && t < end; t++) {
		k->r->key_counts[t] = 0;
		if (!find_gradients(k->f, t, gradients)) {
			continue;
		}
		if (is_triangle_left_out(k, t)) {
			store_validated(k->f, t, (const double(*)[9])gradients);
		} else {
			fit_weights(k, t, (const double(*)[9])gradients);
		}
	}
	snw_pool_release(&pool);
}

snw_status blend_key_gradients(const mesh_fit *f, snk_stretch stretch, snw_pool *pool, reduction *r) {
	const uint32_t triangles = f->triangles.face_count, parts = snk_ranges_count(triangles, GRAIN);
	key_fit k = {.f = f, .r = r, .failed = SNW_POOL_ARRAY(pool, unsigned char, parts)};
	snw_status status = k.failed ? SNW_OK : SNW_ERROR_MEMORY;
	if (!snk_failed(status)) {
		status = snk_ranges_run_reported(f->host, triangles, GRAIN, fit_range, &k, &stretch);
	}
	for (uint32_t part = 0; !snk_failed(status) && part < parts; part++) {
		status = k.failed[part] ? SNW_ERROR_MEMORY : SNW_OK;
	}
	return status;
}

/* The part of a proxy in a triangle, by the influences of its corners. */
static double part_of(const reduction *r, const uint32_t corners[3], uint32_t proxy) {
	double part = 0;
	for (int k = 0; k < 3; k++) {
		for (uint32_t n = r->influences.offsets[corners[k]]; n < r->influences.offsets[corners[k] + 1]; n++) {
			part += r->influences.joints[n] == proxy ? r->influences.weights[n] / 3 : 0;
		}
	}
	return part;
}

/* Whether a loop over triangles goes on. */
static int may_go_on(const key_fit *k, double done, uint32_t triangle) {
	return triangle % PER_REPORT != 0 || snw_report_progress(k->f->host, done, "fitting key gradients");
}

/* Each key is the mean of the gradients around its proxy. */
static snw_status find_means(const mesh_fit *f, double done, snw_pool *pool, reduction *r) {
	const key_fit k = {.f = f, .r = r};
	const size_t samples = f->sample_count;
	snw_pool scratch = snw_pool_open(f->host);
	double(*gradients)[9] = snw_pool_acquire(&scratch, samples, sizeof *gradients);
	double *weights = SNW_POOL_ARRAY(&scratch, double, r->count);
	r->gradients = snw_pool_acquire(pool, r->count * samples, sizeof *r->gradients);
	snw_status status = scratch.failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t t = 0; !snk_failed(status) && t < f->triangles.face_count; t++) {
		uint32_t keys[MOST_KEYS];
		status = may_go_on(&k, done, t) ? SNW_OK : SNW_CANCELLED;
		const uint32_t count = find_gradients(f, t, gradients) ? list_keys(&k, t, keys) : 0;
		for (uint32_t n = 0; n < count; n++) {
			const double weight = f->areas[t] * part_of(r, f->triangles.points + 3 * (size_t)t, keys[n]);
			weights[keys[n]] += weight;
			for (size_t i = 0; i < samples * NUMBERS; i++) {
				r->gradients[keys[n] * samples + i / NUMBERS][i % NUMBERS] += weight * gradients[i / NUMBERS][i % NUMBERS];
			}
		}
	}
	for (size_t i = 0; !snk_failed(status) && i < r->count * samples * NUMBERS; i++) {
		double *number = &r->gradients[i / NUMBERS][i % NUMBERS];
		const double weight = weights[i / NUMBERS / samples];
		*number = weight > 0 ? *number / weight : (double)(i % NUMBERS % 4 == 0);
	}
	snw_pool_release(&scratch);
	return status;
}

/* Adds the triangles to the keys' normal equations: `matrix` [count][count], `rights` [sample][number][count]. */
static snw_status add_triangles(const key_fit *k, double done, double *matrix, double *rights) {
	const reduction *r = k->r;
	const size_t count = r->count;
	snw_pool pool = snw_pool_open(k->f->host);
	double(*gradients)[9] = snw_pool_acquire(&pool, k->f->sample_count, sizeof *gradients);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t t = 0; !snk_failed(status) && t < k->f->triangles.face_count; t++) {
		status = may_go_on(k, done, t) ? SNW_OK : SNW_CANCELLED;
		if (r->key_counts[t] == 0 || !find_gradients(k->f, t, gradients)) {
			continue;
		}
		for (uint32_t a = 0; a < r->key_counts[t]; a++) {
			const double weight = k->f->areas[t] * r->key_weights[t][a];
			const uint32_t key = r->keys[t][a];
			for (uint32_t b = 0; b < r->key_counts[t]; b++) {
				matrix[key * count + r->keys[t][b]] += weight * r->key_weights[t][b];
			}
			for (size_t s = 0; s < k->f->sample_count; s++) {
				for (size_t i = 0; i < NUMBERS; i++) {
					rights[(s * NUMBERS + i) * count + key] += weight * gradients[s][i];
				}
			}
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* The keys that leave least with the triangles' weights. */
static snw_status fit_keys(const key_fit *k, double done) {
	const reduction *r = k->r;
	const size_t count = r->count, samples = k->f->sample_count;
	snw_pool pool = snw_pool_open(k->f->host);
	double *matrix = SNW_POOL_ARRAY(&pool, double, count *count);
	double *rights = SNW_POOL_ARRAY(&pool, double, samples *NUMBERS *count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : add_triangles(k, done, matrix, rights);
	for (size_t key = 0; !snk_failed(status) && key < count; key++) {
		const double ridge = against_change * matrix[key * count + key] + 1e-12 * k->f->diagonal * k->f->diagonal;
		matrix[key * count + key] += ridge;
		for (size_t s = 0; s < samples; s++) {
			for (size_t i = 0; i < NUMBERS; i++) {
				rights[(s * NUMBERS + i) * count + key] += ridge * r->gradients[key * samples + s][i];
			}
		}
	}
	snk_factor factor = {0};
	status = snk_failed(status) ? status : snk_factor_dense(k->f->host, r->count, matrix, NULL, &factor);
	status = snk_failed(status) ? status : snk_factor_solve(&factor, (uint32_t)(samples * NUMBERS), rights);
	for (size_t key = 0; !snk_failed(status) && key < count; key++) {
		for (size_t s = 0; s < samples; s++) {
			for (size_t i = 0; i < NUMBERS; i++) {
				r->gradients[key * samples + s][i] = rights[(s * NUMBERS + i) * count + key];
			}
		}
	}
	snk_factor_release(&factor);
	snw_pool_release(&pool);
	return status;
}

snw_status find_key_gradients(const mesh_fit *f, snk_stretch stretch, snw_pool *pool, reduction *r) {
	const uint32_t triangles = f->triangles.face_count;
	r->key_counts = SNW_POOL_ARRAY(pool, uint32_t, triangles);
	r->keys = snw_pool_acquire(pool, triangles, sizeof *r->keys);
	r->key_weights = snw_pool_acquire(pool, triangles, sizeof *r->key_weights);
	const key_fit k = {.f = f, .r = r};
	snw_status status = pool->failed ? SNW_ERROR_MEMORY : find_means(f, stretch.begin, pool, r);
	for (int round = 0; !snk_failed(status) && round < ROUNDS; round++) {
		const double begin = stretch.begin + (stretch.end - stretch.begin) * round / ROUNDS;
		const double end = stretch.begin + (stretch.end - stretch.begin) * (round + 1) / ROUNDS;
		status = blend_key_gradients(f, (snk_stretch){begin, end, stretch.activity}, pool, r);
		status = snk_failed(status) ? status : fit_keys(&k, end);
	}
	return status;
}

/* ---- their predictors ---------------------------------------------------------------------------------------------------- */

/* A predictor for each key gradient, from the joints that move its cluster's points. The keys become what they predict with a
 * regression of shear that has not seen the sample, so that triangles are blended of those that predict well. */

typedef struct prediction {
	const mesh_fit *f;
	const reduction *r;
	joint_candidates *candidates; /* [keys] */
	predictor *predictors;
	double *errors;
} prediction;

static snw_status find_candidates(const prediction *p, snw_pool *pool) {
	const size_t joints = p->f->model->joint_count;
	double *weights = SNW_POOL_ARRAY(pool, double, p->r->count *joints);
	uint32_t *parts = SNW_POOL_ARRAY(pool, uint32_t, p->r->count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < p->f->mesh->point_count; i++) {
		if (p->r->clusters[i] != SNW_NONE) {
			parts[p->r->clusters[i]] = p->f->parts[i];
			add_weights(p->f, i, weights + p->r->clusters[i] * joints);
		}
	}
	for (size_t k = 0; k < p->r->count; k++) {
		choose_candidates(p->f, parts[k], weights + k * joints, &p->candidates[k]);
	}
	return SNW_OK;
}

static void SNW_CALL predict_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const prediction *p = argument;
	for (uint32_t k = begin; k < end; k++) {
		double(*gradients)[9] = p->r->gradients + (size_t)k * p->f->sample_count;
		p->errors[k] = fit_predictor(p->f, (const double(*)[9])gradients, &p->candidates[k], &p->predictors[k], gradients);
	}
}

snw_status predict_keys(mesh_fit *f, snk_stretch stretch, const reduction *r, snw_pool *model_pool) {
	snw_pool pool = snw_pool_open(f->host);
	const prediction p = {.f = f,
						  .r = r,
						  .candidates = SNW_POOL_ARRAY(&pool, joint_candidates, r->count),
						  .predictors = SNW_POOL_ARRAY(&pool, predictor, r->count),
						  .errors = SNW_POOL_ARRAY(&pool, double, r->count)};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : find_candidates(&p, &pool);
	if (!snk_failed(status)) {
		status = snk_ranges_run_reported(f->host, r->count, 1, predict_range, (void *)&p, &stretch);
	}
	for (uint32_t k = 0; !snk_failed(status) && k < r->count; k++) {
		status = p.errors[k] >= 0 ? SNW_OK : SNW_ERROR_MEMORY;
	}
	if (!snk_failed(status)) {
		f->dest->groups = group_predictors(f->model, r->count, p.predictors, model_pool);
		f->dest->predictor_count = r->count;
		status = f->dest->groups ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool_release(&pool);
	return status;
}
