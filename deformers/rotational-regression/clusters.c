/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clusters of points that move alike (section 5.1), by greedy joins of neighbours: cluster A joins cluster B where B's
 * transforms leave A's points least. A queue holds an error for each pair of neighbours. It is brought up to date when the pair
 * comes first: an error only grows while a cluster grows, so until then it is a lower bound.
 *
 * We begin with the points, each with the mean gradient of its triangles, where the paper begins with the triangles. A
 * cluster's points enter by their moments, so that an error costs the same for any number of them. Transforms are fitted again
 * each time half of the clusters are gone. Shells that do not touch are joined last.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum { MOST_SAMPLES = 40 /* spread over all */, NEAREST = 8, MOMENTS = 10 };

/* Holds a transform to the one before, in directions in which the points are flat; by their spread. */
static const double against_change = 1e-2;

/* One cluster in one sample. */
typedef struct motion {
	double transform[12]; /* for points relative to the mesh's centre */
	double product[12];   /* Σ v' v̂ᵀ */
} motion;

typedef struct cluster {
	uint32_t parent; /* the cluster that it joined; itself while it is there */
	uint32_t version, size;
	double moments[MOMENTS]; /* Σ v̂ v̂ᵀ: xx xy xz x yy yz y zz z 1 */
	double squares;          /* Σ |v'|² over samples */
	motion *motions;         /* [sample_count] */
} cluster;

typedef struct join {
	double error;
	uint32_t from, into, version; /* of `from` */
} join;

struct clustering {
	const mesh_fit *f;
	uint32_t sample_count, count, remaining;
	uint32_t samples[MOST_SAMPLES];
	double centre[3];
	snk_adjacency rings;
	cluster *clusters; /* [count], one a point */
	uint32_t join_count, join_room;
	join *joins; /* a heap, the least error first */
};

/* ---- one join ------------------------------------------------------------------------------------------------------------ */

static uint32_t root_of(cluster *all, uint32_t c) {
	while (all[c].parent != c) {
		all[c].parent = all[all[c].parent].parent;
		c = all[c].parent;
	}
	return c;
}

static void full_moments(const double m[MOMENTS], double matrix[16]) {
	static const int places[16] = {0, 1, 2, 3, 1, 4, 5, 6, 2, 5, 7, 8, 3, 6, 8, 9};
	for (int i = 0; i < 16; i++) {
		matrix[i] = m[places[i]];
	}
}

/* Σ over samples and points of |v' − T v̂|², with the transforms of another cluster. */
static double join_error(const clustering *c, uint32_t from, uint32_t into) {
	const cluster *a = &c->clusters[from], *b = &c->clusters[into];
	double moments[16], error = a->squares;
	full_moments(a->moments, moments);
	for (uint32_t s = 0; s < c->sample_count; s++) {
		const double *product = a->motions[s].product;
		for (size_t r = 0; r < 3; r++) {
			const double *t = b->motions[s].transform + 4 * r;
			for (size_t k = 0; k < 4; k++) {
				const double *m = moments + 4 * k;
				error += t[k] * (t[0] * m[0] + t[1] * m[1] + t[2] * m[2] + t[3] * m[3] - 2 * product[4 * r + k]);
			}
		}
	}
	return fmax(error, 0);
}

static void do_join(clustering *c, uint32_t from, uint32_t into) {
	cluster *a = &c->clusters[from], *b = &c->clusters[into];
	a->parent = into;
	b->size += a->size;
	b->squares += a->squares;
	b->version++;
	for (int i = 0; i < MOMENTS; i++) {
		b->moments[i] += a->moments[i];
	}
	for (uint32_t s = 0; s < c->sample_count; s++) {
		for (int i = 0; i < 12; i++) {
			b->motions[s].product[i] += a->motions[s].product[i];
		}
	}
	c->remaining--;
}

/* ---- the queue ----------------------------------------------------------------------------------------------------------- */

static void push(clustering *c, join added) {
	uint32_t at = c->join_count++;
	for (; at > 0 && c->joins[(at - 1) / 2].error > added.error; at = (at - 1) / 2) {
		c->joins[at] = c->joins[(at - 1) / 2];
	}
	c->joins[at] = added;
}

static join pop(clustering *c) {
	const join first = c->joins[0], last = c->joins[--c->join_count];
	uint32_t at = 0;
	for (uint32_t child = 1; child < c->join_count; child = 2 * at + 1) {
		child += child + 1 < c->join_count && c->joins[child + 1].error < c->joins[child].error;
		if (!(c->joins[child].error < last.error)) {
			break;
		}
		c->joins[at] = c->joins[child];
		at = child;
	}
	if (c->join_count > 0) {
		c->joins[at] = last;
	}
	return first;
}

/* Not across a joint that no sample moves: their motions are alike by chance. */
static void push_pair(clustering *c, uint32_t from, uint32_t into) {
	if (c->join_count < c->join_room && c->f->parts[from] == c->f->parts[into]) {
		push(c, (join){join_error(c, from, into), from, into, c->clusters[from].version});
	}
}

/* Whether proxies move a point. */
static bool is_there(const clustering *c, uint32_t point) {
	return !is_left_out(c->f, point);
}

static bool is_cluster(const clustering *c, uint32_t point) {
	return c->clusters[point].parent == point && is_there(c, point);
}

/* Both joins of each edge between two clusters. */
static void push_neighbours(clustering *c) {
	c->join_count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		for (uint32_t k = c->rings.offsets[i]; is_there(c, i) && k < c->rings.offsets[i + 1]; k++) {
			const uint32_t a = root_of(c->clusters, i), b = root_of(c->clusters, c->rings.neighbours[k]);
			if (a != b && is_there(c, c->rings.neighbours[k])) {
				push_pair(c, a, b);
			}
		}
	}
}

static double squared_distance(const cluster *a, const cluster *b) {
	double sum = 0;
	static const int means[3] = {3, 6, 8};
	for (int k = 0; k < 3; k++) {
		const double gap = a->moments[means[k]] / a->size - b->moments[means[k]] / b->size;
		sum += gap * gap;
	}
	return sum;
}

/* For shells that do not touch: the joins of each cluster into those nearest to it. */
static void push_nearest(clustering *c) {
	for (uint32_t a = 0; a < c->count; a++) {
		uint32_t near[NEAREST], count = 0;
		double distances[NEAREST];
		for (uint32_t b = 0; is_cluster(c, a) && b < c->count; b++) {
			if (b == a || !is_cluster(c, b) || c->f->parts[a] != c->f->parts[b]) {
				continue;
			}
			const double distance = squared_distance(&c->clusters[a], &c->clusters[b]);
			if (count == NEAREST && distance >= distances[NEAREST - 1]) {
				continue;
			}
			uint32_t at = count < NEAREST ? count++ : NEAREST - 1;
			for (; at > 0 && distances[at - 1] > distance; at--) {
				distances[at] = distances[at - 1];
				near[at] = near[at - 1];
			}
			distances[at] = distance;
			near[at] = b;
		}
		for (uint32_t k = 0; k < count; k++) {
			push_pair(c, a, near[k]);
		}
	}
}

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

/* Inverse of a symmetric positive definite matrix [4][4], by Gauss and Jordan. */
static void invert4(double m[16]) {
	for (size_t k = 0; k < 4; k++) {
		const double pivot = 1 / m[5 * k];
		m[5 * k] = 1;
		for (size_t j = 0; j < 4; j++) {
			m[4 * k + j] *= pivot;
		}
		for (size_t i = 0; i < 4; i++) {
			const double factor = m[4 * i + k];
			if (i == k) {
				continue;
			}
			m[4 * i + k] = 0;
			for (size_t j = 0; j < 4; j++) {
				m[4 * i + j] -= factor * m[4 * k + j];
			}
		}
	}
}

/* The transforms T that leave least, with λ Σ |v − mean|² |T − T₀|² over their linear parts added: T (M + λ P) = Σ v' v̂ᵀ + λ
 * T₀ P. */
static void fit_transforms(const clustering *c, cluster *a) {
	const double n = a->size, diagonal = c->f->diagonal;
	const double mean[3] = {a->moments[3] / n, a->moments[6] / n, a->moments[8] / n};
	const double spread = fmax(a->moments[0] + a->moments[4] + a->moments[7] - n * snw_dot3(mean, mean), 0);
	const double ridge = against_change * spread + 1e-12 * diagonal * diagonal;
	double matrix[16];
	full_moments(a->moments, matrix);
	for (size_t i = 0; i < 3; i++) {
		matrix[5 * i] += ridge;
	}
	invert4(matrix);
	for (uint32_t s = 0; s < c->sample_count; s++) {
		motion *m = &a->motions[s];
		for (size_t r = 0; r < 3; r++) {
			double right[4], *t = m->transform + 4 * r;
			for (size_t k = 0; k < 4; k++) {
				right[k] = m->product[4 * r + k] + (k < 3 ? ridge * t[k] : 0);
			}
			for (size_t k = 0; k < 4; k++) {
				t[k] = right[0] * matrix[k] + right[1] * matrix[4 + k] + right[2] * matrix[8 + k] + right[3] * matrix[12 + k];
			}
		}
	}
}

/* ---- progress ------------------------------------------------------------------------------------------------------------ */

enum { PER_REPORT = 256 }; /* points, triangles or joins */

/* False if the fit is to stop. Asks at some of the steps. */
static bool report_step(const clustering *c, uint32_t step) {
	return step % PER_REPORT != 0 || snw_report_progress(c->f->host, c->f->progress, "joining points");
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

/* The mean gradient of the triangles at each point, by area. */
static snw_status add_gradients(clustering *c, double *areas) {
	const mesh_fit *f = c->f;
	snw_pool pool = snw_pool_open(f->host);
	double(*gradients)[9] = snw_pool_acquire(&pool, f->sample_count, sizeof *gradients);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t t = 0; !snk_failed(status) && t < f->triangles.face_count; t++) {
		status = report_step(c, t) ? SNW_OK : SNW_CANCELLED;
		if (!find_gradients(f, t, gradients)) {
			continue;
		}
		for (size_t k = 0; k < 3; k++) {
			const uint32_t point = f->triangles.points[3 * (size_t)t + k];
			areas[point] += f->areas[t];
			for (uint32_t s = 0; s < c->sample_count; s++) {
				for (int i = 0; i < 9; i++) {
					c->clusters[point].motions[s].transform[4 * (i / 3) + i % 3] += f->areas[t] * gradients[c->samples[s]][i];
				}
			}
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* A cluster of one point, whose transforms take it exactly to its place in each sample. */
static void open_cluster(clustering *c, uint32_t point, double area) {
	const mesh_fit *f = c->f;
	cluster *a = &c->clusters[point];
	double v[4] = {0, 0, 0, 1};
	for (size_t k = 0; k < 3; k++) {
		v[k] = f->mesh->points_rest[3 * (size_t)point + k] - c->centre[k];
	}
	const double moments[MOMENTS] = {v[0] * v[0], v[0] * v[1], v[0] * v[2], v[0], v[1] * v[1],
									 v[1] * v[2], v[1],        v[2] * v[2], v[2], 1};
	memcpy(a->moments, moments, sizeof moments);
	a->parent = point;
	a->size = 1;
	for (uint32_t s = 0; s < c->sample_count; s++) {
		double posed[3];
		snk_sample_point(&f->samples[c->samples[s]], point, posed);
		for (size_t r = 0; r < 3; r++) {
			double *t = a->motions[s].transform + 4 * r;
			posed[r] -= c->centre[r];
			for (size_t k = 0; k < 3; k++) {
				t[k] = area > 0 ? t[k] / area : (double)(k == r);
			}
			t[3] = posed[r] - snw_dot3(t, v);
			for (size_t k = 0; k < 4; k++) {
				a->motions[s].product[4 * r + k] = posed[r] * v[k];
			}
		}
		a->squares += snw_dot3(posed, posed);
	}
}

static void choose_samples(clustering *c) {
	const uint32_t all = c->f->sample_count;
	c->sample_count = all < MOST_SAMPLES ? all : MOST_SAMPLES;
	for (uint32_t s = 0; s < c->sample_count; s++) {
		c->samples[s] = (uint32_t)((uint64_t)s * all / c->sample_count);
	}
}

snw_status open_clusters(const mesh_fit *f, snw_pool *pool, clustering **made) {
	clustering *c = SNW_POOL_ARRAY(pool, clustering, 1);
	const uint32_t points = f->mesh->point_count;
	const snk_faces faces = snk_faces_of(f->mesh);
	if (!c) {
		return SNW_ERROR_MEMORY;
	}
	*c = (clustering){.f = f, .count = points};
	for (uint32_t i = 0; i < points; i++) {
		c->remaining += is_there(c, i);
	}
	choose_samples(c);
	const snw_status status = snk_adjacency_find(&faces, pool, &c->rings);
	if (snk_failed(status)) {
		return status;
	}
	const uint32_t edges = c->rings.offsets[points];
	c->join_room = edges + NEAREST * points;
	c->clusters = SNW_POOL_ARRAY(pool, cluster, points);
	c->joins = SNW_POOL_ARRAY(pool, join, c->join_room);
	motion *motions = SNW_POOL_ARRAY(pool, motion, (size_t)points * c->sample_count);
	double *areas = SNW_POOL_ARRAY(pool, double, points);
	for (uint32_t i = 0; !pool->failed && i < points; i++) {
		c->clusters[i].motions = motions + (size_t)i * c->sample_count;
		for (size_t k = 0; k < 3; k++) {
			c->centre[k] += f->mesh->points_rest[3 * (size_t)i + k] / points;
		}
	}
	const snw_status gathered = pool->failed ? SNW_ERROR_MEMORY : add_gradients(c, areas);
	for (uint32_t i = 0; !snk_failed(gathered) && i < points; i++) {
		open_cluster(c, i, areas[i]);
	}
	*made = c;
	return gathered;
}

/* Joins until `count` remain or the queue is empty. */
static snw_status join_queued(clustering *c, uint32_t count) {
	for (uint32_t step = 0; c->remaining > count && c->join_count > 0; step++) {
		if (!report_step(c, step)) {
			return SNW_CANCELLED;
		}
		const join first = pop(c);
		const uint32_t from = root_of(c->clusters, first.from), into = root_of(c->clusters, first.into);
		if (from == into) {
			continue;
		}
		if (from == first.from && into == first.into && c->clusters[from].version == first.version) {
			do_join(c, from, into);
		} else {
			push_pair(c, from, into);
		}
	}
	return SNW_OK;
}

static void fit_all(clustering *c) {
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->clusters[i].parent == i && c->clusters[i].size > 1) {
			fit_transforms(c, &c->clusters[i]);
		}
	}
}

snw_status join_clusters(clustering *c, uint32_t count, uint32_t *labels, uint32_t *label_count) {
	while (c->remaining > count) {
		const uint32_t half = c->remaining / 2 > count ? c->remaining / 2 : count, before = c->remaining;
		if (!snw_report_progress(c->f->host, c->f->progress, "joining points")) {
			return SNW_CANCELLED;
		}
		push_neighbours(c);
		snw_status status = join_queued(c, half);
		if (!snk_failed(status) && c->remaining == before) {
			push_nearest(c);
			status = join_queued(c, half);
		}
		if (snk_failed(status)) {
			return status;
		}
		fit_all(c);
		if (c->remaining == before) {
			break; /* what is left are parts */
		}
	}
	*label_count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		labels[i] = is_cluster(c, i) ? (*label_count)++ : SNW_NONE;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		labels[i] = labels[root_of(c->clusters, i)];
	}
	return SNW_OK;
}
