/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers between two joints that move points together: one is halfway, two are at thirds, and so on. The pair whose next
 * helper saves most is given it, until none saves enough. What it saves is the squared error of the pair's points, each with
 * the best weights over its joints and all helpers between them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "helper-joints/helper-joints.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/status.h"

/* ---- sliding ------------------------------------------------------------------------------------------------------------- */

/* Helpers that slide. What smooths a skin takes a point to the mean of places around it, and each joint takes another part of
 * them: at an elbow the upper arm takes places further up the arm, the forearm places further down. So between joints p and q a
 * point lacks (T_p − T_q) δ, which no weights give, with δ along the limb, in rest space. A helper in the middle that slides by
 * Δ along p, and by −Δ along q,
 *
 *     H = ½ T_p (I + Δ) + ½ T_q (I − Δ),
 *
 * has it for all points with δ along Δ: with the weight w beside the joints' weights, it adds w (T_p − T_q) Δ / 2. */

static const double slide_ridge = 1e-3; /* of the mean of the diagonal: what the samples do not say of δ */
static const double most_weight = 0.5;  /* of the helper in the point with the longest δ */

static void lacking(const mesh_fit *f, uint32_t sample, uint32_t point, double error[3]) {
	double posed[3];
	snk_blend_point(f->skin.offsets, f->skin.slots, f->skin.weights, f->samples[sample].pose->palette, point,
					f->mesh->points_rest + 3 * (size_t)point, posed);
	snk_sample_point(&f->samples[sample], point, error);
	for (int c = 0; c < 3; c++) {
		error[c] -= posed[c];
	}
}

/* δ of a point by least squares over the samples, between two slots. */
static void find_delta(const mesh_fit *f, uint32_t first, uint32_t second, uint32_t point, double delta[3]) {
	double normal[12] = {0}, right[3] = {0}, inverse[12];
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const double *palette = f->samples[s].pose->palette;
		double error[3], apart[9];
		lacking(f, s, point, error);
		for (int i = 0; i < 9; i++) {
			const int at = 4 * (i / 3) + i % 3;
			apart[i] = palette[12 * (size_t)first + at] - palette[12 * (size_t)second + at];
		}
		for (int i = 0; i < 9; i++) {
			const int r = i / 3, c = i % 3;
			normal[4 * r + c] += apart[r] * apart[c] + apart[3 + r] * apart[3 + c] + apart[6 + r] * apart[6 + c];
			right[c] += apart[i] * error[r];
		}
	}
	const double pull = slide_ridge * (normal[0] + normal[5] + normal[10]) / 3;
	for (int c = 0; c < 3; c++) {
		normal[5 * c] += pull;
		delta[c] = 0;
	}
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, delta);
	}
}

/* Δ for points that two slots move, by the samples that the skin without helpers leaves; `deltas` [count] is scratch. */
static void find_slide(const mesh_fit *f, uint32_t first, uint32_t second, uint32_t count, const uint32_t *points,
					   double (*deltas)[3], double slide[3]) {
	double most = 0;
	memset(slide, 0, 3 * sizeof *slide);
	for (uint32_t n = 0; n < count; n++) {
		find_delta(f, first, second, points[n], deltas[n]);
		for (int c = 0; c < 3; c++) {
			slide[c] += deltas[n][c];
		}
	}
	const double length = snw_length3(slide);
	for (uint32_t n = 0; n < count && length > 0; n++) {
		most = fmax(most, snw_dot3(deltas[n], slide) / length);
	}
	for (int c = 0; c < 3 && length > 0; c++) {
		slide[c] *= 2 * most / (most_weight * length);
	}
}

void slide_matrix(const double first[12], const double second[12], const double slide[3], double matrix[12]) {
	double by[3], other[3];
	snw_mat34_vector(first, slide, by);
	snw_mat34_vector(second, slide, other);
	for (int i = 0; i < 12; i++) {
		matrix[i] = 0.5 * (first[i] + second[i]) + (i % 4 == 3 ? 0.5 * (by[i / 4] - other[i / 4]) : 0);
	}
}

/* ---- pairs of joints ----------------------------------------------------------------------------------------------------- */

enum { MOST_PAIRS = 24, MOST_BETWEEN = 4, GRAIN = 8, MOST_COLUMNS = 40, RANKING_SAMPLES = 64 };

static const double least_weight = 0.01; /* of both joints in a point of a pair */
static const double least_saved = 0.02;  /* of the squared error: a helper elsewhere does more */

/* A point that two joints move. */
typedef struct meeting {
	uint32_t parent, toward; /* slots; the joint of the parent is not above the other's */
	uint32_t point;
	double product; /* of the weights */
} meeting;

typedef struct pair {
	uint32_t parent, toward;
	uint32_t count;          /* points */
	const meeting *meetings; /* [count] */
	uint32_t helpers;
	double slide[3];   /* of its helper; zero: none slides */
	double *matrices;  /* [MOST_BETWEEN (MOST_BETWEEN + 1) / 2][sample_count][12]: of one helper, of two … */
	double square;     /* how far the joints take the points apart: where it is small, there is nothing to save */
	double saves;      /* by its next helper, at most */
	int is_up_to_date; /* saves is what it does save */
} pair;

typedef struct between {
	mesh_fit *f;
	uint32_t pair_count;
	pair *pairs; /* [pair_count] */
	uint32_t meeting_count;
	meeting *meetings;     /* [meeting_count], by pair */
	double *errors;        /* [point_count]: mean squares over samples */
	double *found;         /* [point_count]: likewise, of a trial */
	uint32_t tried;        /* a pair with one helper more; SNW_NONE: none */
	const uint32_t *order; /* [point_count + 1]: pairs_of_point from order[i] */
	const uint32_t *pairs_of_point;
	uint32_t *counts, *slots; /* [point_count], [point_count][influences]: the skin that is found */
	double *weights;
} between;

/* A mesh at a new rest is taken to places beside its points: its helpers slide, and one between two joints is enough. */
static int is_sliding(const mesh_fit *f) {
	return snk_is_at_new_rest(f->new_rest, f->mesh_index);
}

static uint32_t most_between(const mesh_fit *f) {
	return is_sliding(f) ? 1 : MOST_BETWEEN;
}

static uint32_t most_influences(const mesh_fit *f) {
	return (uint32_t)f->input->values[INFLUENCES].numbers[0];
}

/* Of the k-th of n helpers, from the parent. */
static double share_of(uint32_t k, uint32_t n) {
	return (k + 1.0) / (n + 1.0);
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

static uint32_t depth_of(const mesh_fit *f, uint32_t slot) {
	const uint32_t *parents = f->input->character->skeleton->parents;
	uint32_t depth = 0;
	for (uint32_t j = f->input->character->slot_joints[slot]; parents[j] != SNW_NONE; j = parents[j]) {
		depth++;
	}
	return depth;
}

static void add_meeting(between *b, uint32_t point, uint32_t k, uint32_t l) {
	const mesh_fit *f = b->f;
	const uint32_t *joints = f->input->character->slot_joints;
	const uint32_t first = f->skin.slots[k], second = f->skin.slots[l];
	const double least = fmin(f->skin.weights[k], f->skin.weights[l]);
	if (least < least_weight || joints[first] == joints[second]) {
		return;
	}
	const uint32_t depth = depth_of(f, first), other = depth_of(f, second);
	const int is_first = depth > other || (depth == other && first > second);
	b->meetings[b->meeting_count++] = (meeting){.parent = is_first ? first : second,
												.toward = is_first ? second : first,
												.point = point,
												.product = f->skin.weights[k] * f->skin.weights[l]};
}

static int compare_meetings(const void *a, const void *b) {
	const meeting *first = a, *second = b;
	const uint32_t one[] = {first->parent, first->toward, first->point};
	const uint32_t other[] = {second->parent, second->toward, second->point};
	int order = 0;
	for (int i = 0; i < 3 && order == 0; i++) {
		order = (one[i] > other[i]) - (one[i] < other[i]);
	}
	return order;
}

static snw_status find_meetings(between *b, snw_pool *pool) {
	const mesh_fit *f = b->f;
	size_t most = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const size_t n = f->skin.offsets[i + 1] - f->skin.offsets[i];
		most += n * (n > 0 ? n - 1 : 0) / 2;
	}
	b->meetings = SNW_POOL_ARRAY(pool, meeting, most);
	if (!b->meetings) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		for (uint32_t k = f->skin.offsets[i]; k < f->skin.offsets[i + 1]; k++) {
			for (uint32_t l = f->skin.offsets[i]; l < k; l++) {
				add_meeting(b, i, k, l);
			}
		}
	}
	qsort(b->meetings, b->meeting_count, sizeof *b->meetings, compare_meetings);
	return SNW_OK;
}

/* What the distances between the two joints' places of a point make of a blend's error, as far as its weights say. */
static double square_of(const mesh_fit *f, const pair *p) {
	const uint32_t step = f->sample_count / RANKING_SAMPLES + 1;
	double sum = 0;
	for (uint32_t n = 0; n < p->count; n++) {
		const meeting *at = &p->meetings[n];
		const double *rest = f->mesh->points_rest + 3 * (size_t)at->point;
		for (uint32_t s = 0; s < f->sample_count; s += step) {
			double first[3], second[3];
			snw_mat34_point(f->samples[s].pose->palette + 12 * (size_t)p->parent, rest, first);
			snw_mat34_point(f->samples[s].pose->palette + 12 * (size_t)p->toward, rest, second);
			sum += at->product * at->product * snw_squared_distance3(first, second);
		}
	}
	return sum;
}

/* Keeps the pairs with the largest squares, in descending order. */
static void keep_pair(between *b, pair p) {
	uint32_t at = b->pair_count < MOST_PAIRS ? b->pair_count++ : MOST_PAIRS;
	for (; at > 0 && b->pairs[at - 1].square < p.square; at--) {
		if (at < MOST_PAIRS) {
			b->pairs[at] = b->pairs[at - 1];
		}
	}
	if (at < MOST_PAIRS) {
		b->pairs[at] = p;
	}
}

static void find_pairs(between *b) {
	for (uint32_t first = 0, next; first < b->meeting_count; first = next) {
		const meeting *at = &b->meetings[first];
		for (next = first;
			 next < b->meeting_count && b->meetings[next].parent == at->parent && b->meetings[next].toward == at->toward;
			 next++) {
		}
		pair p = {.parent = at->parent, .toward = at->toward, .count = next - first, .meetings = at, .saves = INFINITY};
		p.square = square_of(b->f, &p);
		if (p.square > 0) {
			keep_pair(b, p);
		}
	}
}

/* ---- what they do to points ---------------------------------------------------------------------------------------------- */

static helper make_helper(const mesh_fit *f, const pair *p, uint32_t k, uint32_t n) {
	const snw_character_view *character = f->input->character;
	helper made = {
		.parent = character->slot_joints[p->parent], .toward = character->slot_joints[p->toward], .share = share_of(k, n)};
	for (size_t c = 0; c < 3; c++) {
		made.place[c] = character->skeleton->rest_global[12 * (size_t)made.parent + 4 * c + 3];
	}
	return made;
}

static double *matrices_of(const between *b, const pair *p, uint32_t k, uint32_t n) {
	return p->matrices + 12 * (size_t)b->f->sample_count * (n * (n - 1) / 2 + k);
}

static snw_status pose_helpers(const between *b, pair *p, snw_pool *pool) {
	const mesh_fit *f = b->f;
	p->matrices = SNW_POOL_ARRAY(pool, double, (size_t)6 * MOST_BETWEEN * (MOST_BETWEEN + 1) * f->sample_count);
	for (uint32_t n = 1; p->matrices && n <= most_between(f); n++) {
		for (uint32_t k = 0; k < n; k++) {
			const helper one = make_helper(f, p, k, n);
			for (uint32_t s = 0; s < f->sample_count; s++) {
				const double *palette = f->samples[s].pose->palette;
				double *matrix = matrices_of(b, p, k, n) + 12 * (size_t)s;
				if (is_sliding(f)) {
					slide_matrix(palette + 12 * (size_t)p->parent, palette + 12 * (size_t)p->toward, p->slide, matrix);
				} else {
					helper_base(f->model, &one, f->samples[s].pose, matrix);
				}
			}
		}
	}
	return p->matrices ? SNW_OK : SNW_ERROR_MEMORY;
}

typedef struct slide_search {
	between *b;
	uint32_t *points;    /* [meeting_count], by pair */
	double (*deltas)[3]; /* [meeting_count] */
} slide_search;

static void SNW_CALL slide_pairs(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const slide_search *search = argument;
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		pair *p = &search->b->pairs[i];
		const size_t first = (size_t)(p->meetings - search->b->meetings);
		for (uint32_t n = 0; n < p->count; n++) {
			search->points[first + n] = p->meetings[n].point;
		}
		find_slide(search->b->f, p->parent, p->toward, p->count, search->points + first, search->deltas + first, p->slide);
	}
}

static snw_status find_slides(between *b, snw_pool *pool) {
	slide_search search = {b, SNW_POOL_ARRAY(pool, uint32_t, b->meeting_count),
						   (double(*)[3])snw_pool_acquire(pool, b->meeting_count, sizeof(double[3]))};
	if (!pool->failed && is_sliding(b->f)) {
		snk_ranges_run(b->f->host, b->pair_count, 1, slide_pairs, &search);
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* What may move a point: slots, and helpers of the pairs that it is in. */
typedef struct column {
	const double *matrices; /* of the first sample; NULL: the slot's */
	uint32_t slot;          /* a helper's: behind all slots, MOST_BETWEEN for each pair */
	double weight;          /* before */
} column;

static uint32_t list_columns(const between *b, uint32_t point, column columns[MOST_COLUMNS]) {
	const mesh_fit *f = b->f;
	uint32_t count = 0;
	for (uint32_t k = f->skin.offsets[point]; k < f->skin.offsets[point + 1] && count < MOST_COLUMNS; k++) {
		columns[count++] = (column){NULL, f->skin.slots[k], f->skin.weights[k]};
	}
	for (uint32_t at = b->order[point]; at < b->order[point + 1]; at++) {
		const uint32_t index = b->pairs_of_point[at];
		const pair *p = &b->pairs[index];
		const uint32_t n = p->helpers + (index == b->tried);
		for (uint32_t k = 0; k < n && count < MOST_COLUMNS; k++) {
			columns[count++] = (column){matrices_of(b, p, k, n), f->input->character->slot_count + MOST_BETWEEN * index + k, 0};
		}
	}
	return count;
}

static void make_gram(const mesh_fit *f, uint32_t point, uint32_t count, const column *columns, double *gram) {
	const double *rest = f->mesh->points_rest + 3 * (size_t)point;
	double residuals[MOST_COLUMNS][3];
	memset(gram, 0, (size_t)count * count * sizeof *gram);
	for (uint32_t s = 0; s < f->sample_count; s++) {
		double wanted[3];
		snk_sample_point(&f->samples[s], point, wanted);
		for (uint32_t a = 0; a < count; a++) {
			const double *matrix = columns[a].matrices ? columns[a].matrices + 12 * (size_t)s
													   : f->samples[s].pose->palette + 12 * (size_t)columns[a].slot;
			snw_mat34_point(matrix, rest, residuals[a]);
			for (int c = 0; c < 3; c++) {
				residuals[a][c] -= wanted[c];
			}
			for (uint32_t k = 0; k <= a; k++) {
				gram[a * count + k] += snw_dot3(residuals[a], residuals[k]) / f->sample_count;
			}
		}
	}
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t k = 0; k < a; k++) {
			gram[k * count + a] = gram[a * count + k];
		}
	}
}

/* The best weights of a point; returns its mean square. */
static double solve_point(const between *b, uint32_t point, column columns[MOST_COLUMNS], snk_nnls_solution *solution) {
	double gram[MOST_COLUMNS * MOST_COLUMNS], pulled[MOST_COLUMNS * MOST_COLUMNS], right[MOST_COLUMNS], square = 0;
	const uint32_t count = list_columns(b, point, columns);
	const double pull = helped_ridge * b->f->diagonal * b->f->diagonal;
	make_gram(b->f, point, count, columns, gram);
	memcpy(pulled, gram, (size_t)count * count * sizeof *gram);
	for (uint32_t a = 0; a < count; a++) {
		pulled[a * count + a] += pull;
		right[a] = pull * columns[a].weight;
	}
	snk_nnls_search(&(snk_nnls_problem){count, pulled, right}, most_influences(b->f), 0, NULL, solution);
	for (uint32_t a = 0; a < solution->count; a++) {
		for (uint32_t k = 0; k < solution->count; k++) {
			square += solution->weights[a] * solution->weights[k] * gram[solution->support[a] * count + solution->support[k]];
		}
	}
	return square;
}

typedef struct trial {
	between *b;
	const pair *p;
} trial;

static void SNW_CALL try_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const trial *t = argument;
	(void)thread;
	for (uint32_t n = begin; n < end; n++) {
		column columns[MOST_COLUMNS];
		snk_nnls_solution solution;
		t->b->found[n] = solve_point(t->b, t->p->meetings[n].point, columns, &solution);
	}
}

/* What the next helper of a pair saves, of the mean squares; `is_kept`: it is given to the pair. */
static double try_helper(between *b, uint32_t index, int is_kept) {
	pair *p = &b->pairs[index];
	double saved = 0;
	b->tried = index;
	snk_ranges_run(b->f->host, p->count, GRAIN, try_points, &(trial){b, p});
	b->tried = SNW_NONE;
	for (uint32_t n = 0; n < p->count; n++) {
		double *error = &b->errors[p->meetings[n].point];
		saved += *error - b->found[n];
		*error = is_kept ? b->found[n] : *error;
	}
	p->helpers += (uint32_t)is_kept;
	return saved;
}

/* The pair whose next helper saves most; SNW_NONE if none saves enough. A helper of another pair seldom makes it save more, so
 * a saving that is not up to date is nearly a bound. */
static uint32_t find_best(between *b, double square) {
	for (;;) {
		uint32_t best = SNW_NONE;
		for (uint32_t i = 0; i < b->pair_count; i++) {
			if (b->pairs[i].helpers < most_between(b->f) && (best == SNW_NONE || b->pairs[i].saves > b->pairs[best].saves)) {
				best = i;
			}
		}
		if (best == SNW_NONE || b->pairs[best].saves < least_saved * square) {
			return SNW_NONE;
		}
		if (b->pairs[best].is_up_to_date) {
			return best;
		}
		b->pairs[best].saves = try_helper(b, best, 0);
		b->pairs[best].is_up_to_date = 1;
	}
}

static uint32_t choose_helpers(between *b) {
	uint32_t count = 0;
	double square = 0;
	for (uint32_t i = 0; i < b->f->mesh->point_count; i++) {
		square += b->errors[i];
	}
	while (count < b->f->helper_count) {
		const uint32_t best = find_best(b, square);
		if (best == SNW_NONE) {
			break;
		}
		square -= try_helper(b, best, 1);
		for (uint32_t i = 0; i < b->pair_count; i++) {
			b->pairs[i].is_up_to_date = 0;
		}
		b->pairs[best].saves = INFINITY;
		count++;
	}
	return count;
}

/* ---- the skin with them -------------------------------------------------------------------------------------------------- */

static void SNW_CALL solve_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	between *b = argument;
	mesh_fit *f = b->f;
	const uint32_t most = most_influences(f);
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		uint32_t *slots = b->slots + (size_t)most * i;
		double *weights = b->weights + (size_t)most * i;
		column columns[MOST_COLUMNS];
		snk_nnls_solution solution;
		b->errors[i] = solve_point(b, i, columns, &solution);
		b->counts[i] = solution.count;
		for (uint32_t k = 0; k < solution.count; k++) {
			slots[k] = columns[solution.support[k]].slot;
			weights[k] = solution.weights[k];
		}
	}
}

/* Helpers one after another, and their slots with them. `numbers` [pair_count]: the first helper of each pair. */
static void number_helpers(between *b, uint32_t numbers[MOST_PAIRS]) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < b->pair_count; i++) {
		numbers[i] = count;
		for (uint32_t k = 0; k < b->pairs[i].helpers; k++) {
			memcpy(b->f->slides[count], b->pairs[i].slide, sizeof *b->f->slides);
			b->f->helpers[count++] = make_helper(b->f, &b->pairs[i], k, b->pairs[i].helpers);
		}
	}
}

static snw_status write_skin(between *b, snw_pool *pool) {
	mesh_fit *f = b->f;
	const uint32_t points = f->mesh->point_count, most = most_influences(f), slots = f->input->character->slot_count;
	uint32_t numbers[MOST_PAIRS] = {0};
	b->counts = SNW_POOL_ARRAY(pool, uint32_t, points);
	b->slots = SNW_POOL_ARRAY(pool, uint32_t, (size_t)most * points);
	b->weights = SNW_POOL_ARRAY(pool, double, (size_t)most *points);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	snk_ranges_run(f->host, points, GRAIN, solve_points, b);
	number_helpers(b, numbers);
	for (uint32_t i = 0; i < points; i++) {
		for (uint32_t k = 0; k < b->counts[i]; k++) {
			const uint32_t slot = b->slots[(size_t)most * i + k], of_pair = slot - slots;
			b->slots[offsets[i] + k] = slot < slots ? slot : slots + numbers[of_pair / MOST_BETWEEN] + of_pair % MOST_BETWEEN;
			b->weights[offsets[i] + k] = b->weights[(size_t)most * i + k];
		}
		offsets[i + 1] = offsets[i] + b->counts[i];
		f->residuals[i] = sqrt(fmax(b->errors[i], 0));
	}
	f->skin = (snk_base_skin_mesh){points, offsets, b->slots, b->weights};
	return SNW_OK;
}

/* The pairs of each point. */
static snw_status index_points(between *b, snw_pool *pool) {
	const uint32_t points = b->f->mesh->point_count;
	uint32_t *order = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 2);
	uint32_t *pairs = SNW_POOL_ARRAY(pool, uint32_t, b->meeting_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < b->pair_count; i++) {
		for (uint32_t n = 0; n < b->pairs[i].count; n++) {
			order[b->pairs[i].meetings[n].point + 2]++;
		}
	}
	for (uint32_t i = 0; i < points; i++) {
		order[i + 2] += order[i + 1];
	}
	for (uint32_t i = 0; i < b->pair_count; i++) {
		for (uint32_t n = 0; n < b->pairs[i].count; n++) {
			pairs[order[b->pairs[i].meetings[n].point + 1]++] = i;
		}
	}
	b->order = order;
	b->pairs_of_point = pairs;
	return SNW_OK;
}

snw_status place_between(mesh_fit *f, snw_pool *pool, uint32_t *count) {
	const uint32_t points = f->mesh->point_count;
	between b = {.f = f, .tried = SNW_NONE};
	b.pairs = SNW_POOL_ARRAY(pool, pair, MOST_PAIRS);
	b.errors = SNW_POOL_ARRAY(pool, double, points);
	b.found = SNW_POOL_ARRAY(pool, double, points);
	snw_status status = pool->failed ? SNW_ERROR_MEMORY : find_meetings(&b, pool);
	if (snk_failed(status)) {
		return status;
	}
	find_pairs(&b);
	status = find_slides(&b, pool);
	for (uint32_t i = 0; i < b.pair_count && !snk_failed(status); i++) {
		status = pose_helpers(&b, &b.pairs[i], pool);
	}
	status = snk_failed(status) ? status : index_points(&b, pool);
	if (snk_failed(status)) {
		return status;
	}
	for (uint32_t i = 0; i < points; i++) {
		b.errors[i] = f->residuals[i] * f->residuals[i];
	}
	*count = choose_helpers(&b);
	return *count > 0 ? write_skin(&b, pool) : SNW_OK;
}
