/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/animation.h"
#include "rotational-regression/fit.h"
#include "rotational-regression/rotational-regression.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

/* Parts of the skeleton: what is left of it without the joints that no sample moves. Each begins with such a joint. What a
 * sample cannot show, a reduction must not decide: clusters, blends and predictors stay within a part. A point keeps the slots
 * of other parts that it follows, and where no joint of its own part moves, all of its slots. */

/* Less of another part than this is left to the proxies. */
static const double least_kept = 1e-3;

uint32_t part_of_joint(const mesh_fit *f, uint32_t joint) {
	while (f->is_moved[joint] && f->model->joints[joint].parent != SNW_NONE) {
		joint = f->model->joints[joint].parent;
	}
	return joint;
}

static uint32_t part_of_slot(const mesh_fit *f, uint32_t slot) {
	return part_of_joint(f, f->input->character->slot_joints[slot]);
}

/* The joint of a part that moves as one of another does in all samples; SNW_NONE. */
static uint32_t joint_within(const mesh_fit *f, uint32_t joint, uint32_t part) {
	const regressed_joint *joints = f->model->joints;
	uint32_t above = joint, below = part;
	while (!f->is_moved[above] && joints[above].parent != SNW_NONE && part_of_joint(f, above) != part) {
		above = joints[above].parent;
	}
	while (!f->is_moved[below] && joints[below].parent != SNW_NONE && below != joint) {
		below = joints[below].parent;
	}
	return part_of_joint(f, above) == part ? above : below == joint ? part : SNW_NONE;
}

uint32_t slot_within(const mesh_fit *f, uint32_t slot, uint32_t part) {
	const snw_character_view *character = f->input->character;
	const uint32_t joint = joint_within(f, character->slot_joints[slot], part);
	uint32_t found = 0;
	while (found < character->slot_count && character->slot_joints[found] != joint) {
		found++;
	}
	return part_of_slot(f, slot) == part || found == character->slot_count ? slot : found;
}

/* The weight that a point has over a part. */
static double weight_over(const mesh_fit *f, uint32_t point, uint32_t part) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	double weight = 0;
	for (uint32_t k = skin->offsets[point]; k < skin->offsets[point + 1]; k++) {
		weight += part_of_slot(f, skin->slots[k]) == part ? skin->weights[k] : 0;
	}
	return weight;
}

/* The part that has most of a point. */
static uint32_t part_of_point(const mesh_fit *f, uint32_t point) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	uint32_t found = 0;
	double most = -1;
	for (uint32_t k = skin->offsets[point]; k < skin->offsets[point + 1]; k++) {
		const uint32_t part = part_of_slot(f, skin->slots[k]);
		const double weight = weight_over(f, point, part);
		found = weight > most ? part : found;
		most = weight > most ? weight : most;
	}
	return found;
}

snw_status keep_unmoved(mesh_fit *f, snw_pool *pool) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	const uint32_t points = f->mesh->point_count;
	const int keeps = f->model->is_reduced && f->model->anchors == ANCHORS_SOFT;
	uint32_t *parts = SNW_POOL_ARRAY(pool, uint32_t, points), *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, skin->offsets[points]), at = 0;
	double *weights = SNW_POOL_ARRAY(pool, double, skin->offsets[points]);
	for (uint32_t i = 0; !pool->failed && i < points; i++) {
		parts[i] = part_of_point(f, i);
		const int is_shared = keeps && 1 - weight_over(f, i, parts[i]) >= least_kept;
		for (uint32_t k = skin->offsets[i]; is_shared && k < skin->offsets[i + 1]; k++) {
			slots[at] = skin->slots[k];
			weights[at] = skin->weights[k];
			at += part_of_slot(f, skin->slots[k]) != parts[i];
		}
		offsets[i + 1] = at;
	}
	f->parts = parts;
	f->kept = (snk_base_skin_mesh){points, offsets, slots, weights};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

double proxy_share(const mesh_fit *f, uint32_t point) {
	double share = 1;
	for (uint32_t k = f->kept.offsets[point]; k < f->kept.offsets[point + 1]; k++) {
		share -= f->kept.weights[k];
	}
	return share;
}

void add_kept(const mesh_fit *f, uint32_t sample, uint32_t point, double sign, double dest[3]) {
	const double *rest = f->mesh->points_rest + 3 * (size_t)point;
	for (uint32_t k = f->kept.offsets[point]; k < f->kept.offsets[point + 1]; k++) {
		double place[3];
		snw_mat34_point(f->samples[sample].pose->palette + 12 * (size_t)f->kept.slots[k], rest, place);
		for (int c = 0; c < 3; c++) {
			dest[c] += sign * f->kept.weights[k] * place[c];
		}
	}
}

/* Marks the points in whose part no joint moves. */
static void fix_unlearned(const mesh_fit *f, unsigned char *fixed) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		fixed[i] = 1;
		for (uint32_t j = 0; fixed[i] && j < f->model->joint_count; j++) {
			fixed[i] = !f->model->joints[j].bends || !f->is_moved[j] || part_of_joint(f, j) != f->parts[i];
		}
	}
}

/* ---- anchors ------------------------------------------------------------------------------------------------------------- */

/* How points are held to the learned blend: which ones are fixed (section 4.2), those that it predicts best over the samples
 * and the best of each shell, which without one could be anywhere; or how strongly it draws each of them. */

/* Pulls stay within these. */
#define WEAKEST_PULL 1e-3

#define STRONGEST_PULL 100.0

/* ---- the pull on the whole ----------------------------------------------------------------------------------------------- */

/* How strongly the learned blend draws the points, on the whole: the pull under which the Poisson system comes nearest to
 * samples whose scale and shear are predicted by regressions that have not seen them. Rotations and the learned blend have seen
 * them. */

enum { FACTORS = 7 };
static const double factors[FACTORS] = {0.01, 0.03, 0.1, 0.2, 0.4, 1, 3};

/* Arrays of points are [validated_count][3][point_count]. */
typedef struct pull_fit {
	const mesh_fit *f;
	const double *ratios; /* [point_count]: pulls with factor 1 */
	/* The system without pulls: its lower triangle in compressed columns, each with the diagonal first. */
	uint32_t *offsets, *rows;
	double *values;
	double *rights; /* without pulls */
	double *blend;  /* the points under the learned blend */
	double *pulled_values, *solution;
} pull_fit;

uint32_t validated_sample(const mesh_fit *f, uint32_t n) {
	return (uint32_t)((2 * (uint64_t)n + 1) * f->sample_count / (2 * (uint64_t)f->validated_count));
}

static snw_status list_entries(pull_fit *p, const snk_adjacency *adjacency, snw_pool *pool) {
	const uint32_t count = adjacency->point_count;
	uint32_t at = 0;
	p->offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)count + 1);
	p->rows = SNW_POOL_ARRAY(pool, uint32_t, (size_t)count + adjacency->offsets[count]);
	for (uint32_t i = 0; !pool->failed && i < count; i++) {
		p->rows[at++] = i;
		for (uint32_t k = adjacency->offsets[i]; k < adjacency->offsets[i + 1]; k++) {
			if (adjacency->neighbours[k] > i) {
				p->rows[at++] = adjacency->neighbours[k];
			}
		}
		p->offsets[i + 1] = at;
	}
	p->values = SNW_POOL_ARRAY(pool, double, at);
	p->pulled_values = SNW_POOL_ARRAY(pool, double, at);
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void add_entry(const pull_fit *p, uint32_t a, uint32_t b, double value) {
	const uint32_t column = a < b ? a : b, row = a < b ? b : a;
	uint32_t at = p->offsets[column];
	while (p->rows[at] != row) {
		at++;
	}
	p->values[at] += value;
}

/* One edge of a triangle, and what the predicted gradients make of it. */
static void add_edge(const pull_fit *p, uint32_t triangle, uint32_t a, uint32_t b, double weight) {
	const mesh_fit *f = p->f;
	const size_t points = f->mesh->point_count;
	double edge[3];
	for (size_t c = 0; c < 3; c++) {
		edge[c] = weight * (f->mesh->points_rest[3 * (size_t)b + c] - f->mesh->points_rest[3 * (size_t)a + c]);
	}
	add_entry(p, a, a, weight);
	add_entry(p, b, b, weight);
	add_entry(p, a, b, -weight);
	for (size_t n = 0; n < f->validated_count; n++) {
		const float *gradient = f->held_out[triangle * (size_t)f->validated_count + n];
		for (size_t c = 0; c < 3; c++) {
			const double image = (double)gradient[3 * c] * edge[0] + (double)gradient[3 * c + 1] * edge[1] +
								 (double)gradient[3 * c + 2] * edge[2];
			p->rights[(3 * n + c) * points + b] += image;
			p->rights[(3 * n + c) * points + a] -= image;
		}
	}
}

static void sum_edges(const pull_fit *p) {
	const mesh_fit *f = p->f;
	for (uint32_t t = 0; t < f->triangles.face_count; t++) {
		const uint32_t *corners = f->triangles.points + 3 * (size_t)t;
		for (uint32_t e = 0; e < 3; e++) {
			if (corners[e] != corners[(e + 1) % 3]) {
				add_edge(p, t, corners[e], corners[(e + 1) % 3], f->edge_weights[3 * (size_t)t + e]);
			}
		}
	}
}

static void blend_samples(const pull_fit *p, double *posed) {
	const mesh_fit *f = p->f;
	const size_t points = f->mesh->point_count;
	for (uint32_t n = 0; n < f->validated_count; n++) {
		const double *palette = f->samples[validated_sample(f, n)].pose->palette;
		blend_points(&f->dest->skin, palette, f->mesh->points_rest, 0, f->mesh->point_count, posed);
		for (size_t i = 0; i < 3 * points; i++) {
			p->blend[(3 * (size_t)n + i % 3) * points + i / 3] = posed[i];
		}
	}
}

static double pull_of(double factor, double ratio) {
	return fmin(fmax(factor * ratio, WEAKEST_PULL), STRONGEST_PULL);
}

/* The squared distance of the solution from the samples. */
static double distance_to_samples(const pull_fit *p) {
	const mesh_fit *f = p->f;
	const size_t points = f->mesh->point_count;
	double sum = 0;
	for (uint32_t n = 0; n < f->validated_count; n++) {
		for (uint32_t i = 0; i < points; i++) {
			double posed[3];
			snk_sample_point(&f->samples[validated_sample(f, n)], i, posed);
			for (size_t c = 0; c < 3; c++) {
				const double gap = p->solution[(3 * (size_t)n + c) * points + i] - posed[c];
				sum += gap * gap;
			}
		}
	}
	return sum;
}

static snw_status try_factor(const pull_fit *p, double factor, double *squares) {
	const mesh_fit *f = p->f;
	const uint32_t points = f->mesh->point_count, count = 3 * f->validated_count;
	snk_factor system = {0};
	memcpy(p->pulled_values, p->values, p->offsets[points] * sizeof *p->values);
	for (uint32_t i = 0; i < points; i++) {
		p->pulled_values[p->offsets[i]] += pull_of(factor, p->ratios[i]);
	}
	for (size_t k = 0; k < (size_t)count * points; k++) {
		p->solution[k] = p->rights[k] + pull_of(factor, p->ratios[k % points]) * p->blend[k];
	}
	snw_status status = snk_factor_sparse(f->host, points, p->offsets, p->rows, p->pulled_values, &system);
	status = snk_failed(status) ? status : snk_factor_solve(&system, count, p->solution);
	*squares = snk_failed(status) ? (double)INFINITY : distance_to_samples(p);
	snk_factor_release(&system);
	return status;
}

static snw_status open_fit(pull_fit *p, snw_pool *pool) {
	const mesh_fit *f = p->f;
	const size_t numbers = 3 * (size_t)f->validated_count * f->mesh->point_count;
	snk_adjacency adjacency;
	snw_status status = snk_adjacency_find(&f->triangles, pool, &adjacency);
	status = snk_failed(status) ? status : list_entries(p, &adjacency, pool);
	p->rights = SNW_POOL_ARRAY(pool, double, numbers);
	p->blend = SNW_POOL_ARRAY(pool, double, numbers);
	p->solution = SNW_POOL_ARRAY(pool, double, numbers);
	double *posed = SNW_POOL_ARRAY(pool, double, 3 * (size_t)f->mesh->point_count);
	if (snk_failed(status) || pool->failed) {
		return snk_failed(status) ? status : SNW_ERROR_MEMORY;
	}
	sum_edges(p);
	blend_samples(p, posed);
	return SNW_OK;
}

/* By how much to multiply the pulls. */
static snw_status choose_pull(const mesh_fit *f, const double *ratios, double *factor) {
	snw_pool pool = snw_pool_open(f->host);
	pull_fit p = {.f = f, .ratios = ratios};
	snw_status status = open_fit(&p, &pool);
	double least = INFINITY;
	for (int i = 0; !snk_failed(status) && i < FACTORS; i++) {
		double squares;
		if (!snw_report_progress(f->host, f->progress, "choosing the pull")) {
			status = SNW_CANCELLED;
			break;
		}
		status = try_factor(&p, factors[i], &squares);
		*factor = squares < least ? factors[i] : *factor;
		least = fmin(squares, least);
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

/* Points are fixed where the blend's error is below this part of its root mean square over all points. */
static const double fixed_below = 0.7;

/* The least error of the blend that a pull reckons with, relative to its mean. */
static const double least_residual = 0.1;

typedef struct ranked {
	double residual;
	uint32_t point;
} ranked;

static int compare(const void *a, const void *b) {
	const ranked *x = a, *y = b;
	return x->residual != y->residual ? (x->residual > y->residual) - (x->residual < y->residual)
									  : (x->point > y->point) - (x->point < y->point);
}

/* Shells as trees of points. What has no weight joins nothing: the equation does not have it. */
static void join_shells(const mesh_fit *f, uint32_t *parents) {
	for (uint32_t i = 0; i < f->triangles.point_count; i++) {
		parents[i] = i;
	}
	for (size_t t = 0; t < f->triangles.face_count; t++) {
		const uint32_t *corners = f->triangles.points + 3 * t;
		for (size_t e = 0; e < 3; e++) {
			if (f->edge_weights[3 * t + e] > 0) {
				snk_pieces_join(parents, corners[e], corners[(e + 1) % 3]);
			}
		}
	}
}

double mean_residual(const mesh_fit *f) {
	double squares = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		squares += f->blend_residuals[i] * f->blend_residuals[i];
	}
	return sqrt(squares / f->mesh->point_count);
}

/* ---- fixed points -------------------------------------------------------------------------------------------------------- */

snw_status choose_fixed(mesh_fit *f, snw_pool *pool) {
	const uint32_t count = f->mesh->point_count;
	unsigned char *fixed = SNW_POOL_ARRAY(pool, unsigned char, count);
	f->is_fixed = fixed;
	if (fixed && f->model->anchors == ANCHORS_SOFT && f->model->is_reduced) {
		fix_unlearned(f, fixed);
	}
	if (!fixed || f->model->anchors == ANCHORS_SOFT) {
		return fixed ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool scratch = snw_pool_open(f->host);
	ranked *all = SNW_POOL_ARRAY(&scratch, ranked, count);
	uint32_t *parents = SNW_POOL_ARRAY(&scratch, uint32_t, count);
	unsigned char *has_anchor = SNW_POOL_ARRAY(&scratch, unsigned char, count);
	for (uint32_t i = 0; !scratch.failed && i < count; i++) {
		all[i] = (ranked){f->blend_residuals[i], i};
	}
	const snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		const double most = fixed_below * mean_residual(f);
		qsort(all, count, sizeof *all, compare);
		join_shells(f, parents);
		for (uint32_t n = 0; n < count; n++) {
			const uint32_t shell = snk_piece_of(parents, all[n].point);
			fixed[all[n].point] = all[n].residual < most || !has_anchor[shell];
			has_anchor[shell] = 1;
		}
	}
	snw_pool_release(&scratch);
	return status;
}

/* ---- pulls --------------------------------------------------------------------------------------------------------------- */

/* Pulls with factor 1: by the mean squared error of the blend over that at the point. */
static void find_ratios(const mesh_fit *f, double *ratios) {
	const double mean = mean_residual(f);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const double relative = mean > 0 ? f->blend_residuals[i] / mean : 1;
		ratios[i] = is_left_out(f, i) ? (double)INFINITY : 1 / (relative * relative + least_residual * least_residual);
	}
}

snw_status find_pulls(mesh_fit *f, snw_pool *pool) {
	const uint32_t count = f->mesh->point_count;
	snw_pool scratch = snw_pool_open(f->host);
	double *pulls = SNW_POOL_ARRAY(pool, double, count);
	double *ratios = SNW_POOL_ARRAY(&scratch, double, count);
	snw_status status = pool->failed || scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	f->pull = f->pull > 0 ? f->pull : f->input->values[PULL].numbers[0];
	if (!snk_failed(status) && f->model->anchors == ANCHORS_SOFT) {
		find_ratios(f, ratios);
		status = f->pull > 0 ? SNW_OK : choose_pull(f, ratios, &f->pull);
		for (uint32_t i = 0; i < count; i++) {
			pulls[i] = pull_of(f->pull, ratios[i]);
		}
	}
	f->pulls = pulls;
	snw_pool_release(&scratch);
	return status;
}
