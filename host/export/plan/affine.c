/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Converts an affine blend, v = Σ_s T_s p_s with a 4-vector for each influence, to a linear blend, v = Σ_s w_s T_s (r, 1),
 * with at most K non-negative weights that sum to 1, and a refined rest point r.
 *
 * With q_s = w_s (r, 1) and M_st = Σ_f T_sᵀ T_t over the exported moments, the sum of a point's squared distances is Σ_st
 * (q_s − p_s)ᵀ M_st (q_t − p_t), independent of the number of moments. So M is summed once (affine_sums), and each point is
 * solved separately (affine_point), alternating between the weights with r fixed (a small quadratic program) and r with the
 * weights fixed (three equations).
 *
 * The affine blend adds a rest displacement x to row s in proportion to its fourth number: a_s (x, 0). It becomes L x, with
 * the best L in the same sense.
 */
#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- affine sums --------------------------------------------------------------------------------------------------------- */

typedef struct snw_affine_sums {
	uint32_t slot_count, pair_count, moment_count;
	uint32_t *pairs;       /* [slot_count][slot_count]: into the blocks; SNW_NONE for slots that share no point */
	uint32_t *pair_slots;  /* [pair_count][2] */
	double *blocks;        /* [pair_count][16]: M_st */
	const double *palette; /* [slot_count][12]: of the current moment */
} snw_affine_sums;

/* The influences of one point that can have weight: those of its rows and, for a joint palette, those of the base skin. */
typedef struct snw_affine_candidates {
	uint32_t count, capacity;
	uint32_t *slots;     /* [count], each once */
	double *rows;        /* [count][4]: p_s, zero for influences of the base skin alone */
	double *base_weight; /* [count]: in the base skin */
} snw_affine_candidates;

enum { PAIRS_AT_ONCE = 64 };

static uint32_t find_candidate(snw_affine_candidates *list, uint32_t slot) {
	uint32_t at = 0;
	while (at < list->count && list->slots[at] != slot) {
		at++;
	}
	if (at == list->count) {
		list->slots[at] = slot;
		list->base_weight[at] = 0;
		memset(list->rows + 4 * (size_t)at, 0, 4 * sizeof *list->rows);
		list->count++;
	}
	return at;
}

static void affine_gather(const snw_plan_mesh *mesh, uint32_t point, snw_affine_candidates *list) {
	const snw_program *program = mesh->program;
	const snw_mesh *base = mesh->mesh;
	list->count = 0;
	for (uint32_t i = program->influence_offsets[point]; i < program->influence_offsets[point + 1]; i++) {
		double *row = list->rows + 4 * (size_t)find_candidate(list, program->influence_slots[i]);
		for (size_t c = 0; c < 4; c++) {
			row[c] += program->influence_rows[4 * (size_t)i + c];
		}
	}
	if (!mesh->runs_on_joints || !base->influence_offsets) {
		return;
	}
	for (uint32_t i = base->influence_offsets[point]; i < base->influence_offsets[point + 1]; i++) {
		list->base_weight[find_candidate(list, base->influence_slots[i])] += fmax(0, base->influence_weights[i]);
	}
}

/* Allocates the candidates of any point of a mesh. */
static snw_affine_candidates affine_candidates_make(const snw_plan_mesh *mesh, snw_arena *arena) {
	uint32_t most = 0;
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		uint32_t count = mesh->program->influence_offsets[p + 1] - mesh->program->influence_offsets[p];
		if (mesh->mesh->influence_offsets) {
			count += mesh->mesh->influence_offsets[p + 1] - mesh->mesh->influence_offsets[p];
		}
		most = count > most ? count : most;
	}
	return (snw_affine_candidates){.capacity = most,
								   .slots = SNW_NEW_ARRAY(arena, uint32_t, most),
								   .rows = SNW_NEW_ARRAY(arena, double, 4 * (size_t)most),
								   .base_weight = SNW_NEW_ARRAY(arena, double, most)};
}

/* Finds the pairs of slots that are candidates of one point, for `slot_count` slots. */
static void affine_find_pairs(const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_arena *arena) {
	snw_affine_candidates list = affine_candidates_make(mesh, arena);
	const size_t slots = sums->slot_count;
	sums->pairs = SNW_NEW_ARRAY(arena, uint32_t, slots * slots);
	memset(sums->pairs, 0xff, slots * slots * sizeof *sums->pairs);
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		affine_gather(mesh, p, &list);
		for (uint32_t a = 0; a < list.count; a++) {
			for (uint32_t b = 0; b < list.count; b++) {
				uint32_t *pair = &sums->pairs[list.slots[a] * slots + list.slots[b]];
				*pair = *pair == SNW_NONE ? sums->pair_count++ : *pair;
			}
		}
	}
	sums->pair_slots = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)sums->pair_count);
	sums->blocks = SNW_NEW_ARRAY(arena, double, 16 * (size_t)sums->pair_count);
	for (size_t i = 0; i < slots * slots; i++) {
		if (sums->pairs[i] != SNW_NONE) {
			sums->pair_slots[2 * (size_t)sums->pairs[i]] = (uint32_t)(i / slots);
			sums->pair_slots[2 * (size_t)sums->pairs[i] + 1] = (uint32_t)(i % slots);
		}
	}
}

static void add_blocks(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_affine_sums *sums = argument;
	for (size_t pair = begin; pair < end; pair++) {
		const double *a = sums->palette + 12 * (size_t)sums->pair_slots[2 * pair];
		const double *b = sums->palette + 12 * (size_t)sums->pair_slots[2 * pair + 1];
		double *block = sums->blocks + 16 * pair;
		for (int r = 0; r < 4; r++) {
			for (int c = 0; c < 4; c++) {
				block[4 * r + c] += a[r] * b[c] + a[4 + r] * b[4 + c] + a[8 + r] * b[8 + c];
			}
		}
	}
}

static snw_status add_moment(const snw_plan *plan, const snw_plan_mesh *mesh, const snw_pose *pose, snw_affine_sums *sums,
							 snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_status status = snw_plan_drive(plan, pose, arena, &view, error);
	if (!snw_failed(status)) {
		sums->palette = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment)->matrices;
		sums->moment_count++;
		snw_parallel_for(sums->pair_count, PAIRS_AT_ONCE, add_blocks, sums);
	}
	snw_arena_destroy(arena);
	return status;
}

/* Adds the rest pose, the pose of the nodes, and the moments of all exported clips, or the scene's poses without clips. */
static snw_status affine_add_moments(const snw_plan *plan, const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_status status = add_moment(plan, mesh, snw_pose_rest(plan->scene, arena), sums, error);
	status = !snw_failed(status) ? add_moment(plan, mesh, plan->rest, sums, error) : status;
	for (uint32_t p = 0; p < plan->scene->pose_count && plan->clip_count == 0 && !snw_failed(status); p++) {
		status = plan->is_playable[p] ? add_moment(plan, mesh, &plan->scene->poses[p], sums, error) : SNW_OK;
	}
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		double *seconds;
		uint32_t count;
		snw_plan_moments(plan, plan->clips[c], arena, &seconds, &count);
		for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
			const double part = (c + (double)i / count) / plan->clip_count;
			status = snw_plan_progress(plan, SNW_PLAN_FITS_BLENDS, (mesh - plan->meshes + 0.5 * part) / plan->mesh_count)
						 ? add_moment(plan, mesh, snw_clip_sampler_pose(plan->samplers[c], seconds[i], arena), sums, error)
						 : SNW_CANCELLED;
		}
	}
	snw_arena_destroy(arena);
	return status;
}

/* ---- affine point -------------------------------------------------------------------------------------------------------- */

/* A point's weights and rest position. */
typedef struct snw_affine_solution {
	double loss; /* Σ over moments of the squared distance */
	double rest[3];
	double *weights; /* [count] */
} snw_affine_solution;

typedef struct snw_affine_point {
	const snw_affine_sums *sums;
	snw_affine_candidates list;
	double *goal;      /* [count][4]: Σ_t M_st p_t */
	double energy;     /* Σ_st p_sᵀ M_st p_t */
	double *matrix;    /* [count][count]: of the weights with the rest point fixed */
	double *right;     /* [count] */
	double *begin;     /* [count]: the initial weights */
	double *gradients; /* [count] */
	bool *is_open;     /* [count]: may have weight */
} snw_affine_point;

enum { MOST_ROUNDS = 100, MOST_TRANSFERS = 400 };
/* The strength of the pull towards the initial solution, which decides if the moments do not. */
static const double ANCHOR = 1e-10;
/* The smallest gain of a round, relative to the loss; and the loss that is rounding error, relative to the motion. */
static const double LEAST_GAIN = 1e-4, ROUNDING = 1e-15;

/* Reused for all points of a mesh: gather the candidates of a point into `list`, then fit. */
static snw_affine_point affine_point_make(const snw_plan_mesh *mesh, const snw_affine_sums *sums, snw_arena *arena) {
	snw_affine_point point = {.sums = sums, .list = affine_candidates_make(mesh, arena)};
	const size_t most = point.list.capacity;
	point.goal = SNW_NEW_ARRAY(arena, double, 4 * most);
	point.matrix = SNW_NEW_ARRAY(arena, double, most *most);
	point.right = SNW_NEW_ARRAY(arena, double, most);
	point.begin = SNW_NEW_ARRAY(arena, double, most);
	point.gradients = SNW_NEW_ARRAY(arena, double, most);
	point.is_open = SNW_NEW_ARRAY(arena, bool, most);
	return point;
}

static const double *block_of(const snw_affine_point *f, uint32_t a, uint32_t b) {
	const snw_affine_sums *sums = f->sums;
	return sums->blocks + 16 * (size_t)sums->pairs[(size_t)f->list.slots[a] * sums->slot_count + f->list.slots[b]];
}

static double product4(const double a[4], const double block[16], const double b[4]) {
	double sum = 0;
	for (int r = 0; r < 4; r++) {
		for (int c = 0; c < 4; c++) {
			sum += a[r] * block[4 * r + c] * b[c];
		}
	}
	return sum;
}

static void find_goal(snw_affine_point *f) {
	f->energy = 0;
	memset(f->goal, 0, 4 * (size_t)f->list.count * sizeof *f->goal);
	for (uint32_t a = 0; a < f->list.count; a++) {
		for (uint32_t b = 0; b < f->list.count; b++) {
			const double *block = block_of(f, a, b), *row = f->list.rows + 4 * (size_t)b;
			for (size_t r = 0; r < 4; r++) {
				for (size_t c = 0; c < 4; c++) {
					f->goal[4 * a + r] += block[4 * r + c] * row[c];
				}
			}
		}
		for (size_t c = 0; c < 4; c++) {
			f->energy += f->list.rows[4 * a + c] * f->goal[4 * a + c];
		}
	}
}

/* The quadratic form of the weights for a rest point; returns the mean of its diagonal. */
static double make_system(snw_affine_point *f, const double rest[3]) {
	const double x[4] = {rest[0], rest[1], rest[2], 1};
	const uint32_t count = f->list.count;
	double trace = 0;
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			f->matrix[(size_t)a * count + b] = product4(x, block_of(f, a, b), x);
		}
		f->right[a] = f->goal[4 * (size_t)a] * x[0] + f->goal[4 * (size_t)a + 1] * x[1] + f->goal[4 * (size_t)a + 2] * x[2] +
					  f->goal[4 * (size_t)a + 3];
		trace += f->matrix[(size_t)a * count + a];
	}
	return trace / count;
}

static double find_loss(const snw_affine_point *f, const double *weights) {
	double loss = f->energy;
	for (uint32_t a = 0; a < f->list.count; a++) {
		double product = 0;
		for (uint32_t b = 0; b < f->list.count; b++) {
			product += f->matrix[(size_t)a * f->list.count + b] * weights[b];
		}
		loss += weights[a] * (product - 2 * f->right[a]);
	}
	return fmax(0, loss);
}

/* Moves weight from the candidate with the largest gradient to the one with the smallest, by the best amount for the two, until
 * that gains nothing. So the weights stay non-negative, and their sum stays 1. */
static void solve_weights(snw_affine_point *f, double anchor, double *weights) {
	const uint32_t count = f->list.count;
	const double *m = f->matrix;
	for (uint32_t a = 0; a < count; a++) {
		f->gradients[a] = anchor * (weights[a] - f->begin[a]) - f->right[a];
		for (uint32_t b = 0; b < count; b++) {
			f->gradients[a] += m[(size_t)a * count + b] * weights[b];
		}
	}
	for (int i = 0; i < MOST_TRANSFERS; i++) {
		uint32_t from = SNW_NONE, to = SNW_NONE;
		for (uint32_t a = 0; a < count; a++) {
			to = f->is_open[a] && (to == SNW_NONE || f->gradients[a] < f->gradients[to]) ? a : to;
			from = weights[a] > 0 && (from == SNW_NONE || f->gradients[a] > f->gradients[from]) ? a : from;
		}
		if (to == SNW_NONE || from == SNW_NONE) {
			return;
		}
		const double gain = f->gradients[from] - f->gradients[to];
		const double curve =
			m[(size_t)from * count + from] + m[(size_t)to * count + to] - 2 * m[(size_t)from * count + to] + 2 * anchor;
		if (!(gain > ROUNDING * f->energy) || !(curve > 0)) {
			return;
		}
		const double amount = fmin(weights[from], gain / curve);
		weights[to] += amount;
		weights[from] -= amount;
		for (uint32_t a = 0; a < count; a++) {
			f->gradients[a] += amount * (m[(size_t)a * count + to] - m[(size_t)a * count + from]);
		}
		f->gradients[to] += anchor * amount;
		f->gradients[from] -= anchor * amount;
	}
}

/* The best rest point for these weights, held near its current position as weakly as they are. */
static void solve_rest(const snw_affine_point *f, const double *weights, double rest[3]) {
	double m[16] = {0}, normal[12] = {0}, inverse[12], right[3], best[3];
	for (uint32_t a = 0; a < f->list.count; a++) {
		for (uint32_t b = 0; b < f->list.count && weights[a] > 0; b++) {
			const double *block = block_of(f, a, b), both = weights[a] * weights[b];
			for (int i = 0; i < 16 && both > 0; i++) {
				m[i] += both * block[i];
			}
		}
	}
	const double anchor = ANCHOR * (m[0] + m[5] + m[10]) / 3;
	for (int r = 0; r < 3; r++) {
		right[r] = anchor * rest[r] - m[4 * r + 3];
		for (uint32_t a = 0; a < f->list.count; a++) {
			right[r] += weights[a] * f->goal[4 * (size_t)a + (size_t)r];
		}
		for (int c = 0; c < 3; c++) {
			normal[4 * r + c] = m[4 * r + c] + (r == c ? anchor : 0);
		}
	}
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, best);
		memcpy(rest, best, sizeof best);
	}
}

/* Alternates between weights and rest point until a round gains nothing. */
static void alternate(snw_affine_point *f, snw_affine_solution *s) {
	memcpy(f->begin, s->weights, f->list.count * sizeof *f->begin);
	make_system(f, s->rest);
	s->loss = find_loss(f, s->weights);
	for (int round = 0; round < MOST_ROUNDS && s->loss > ROUNDING * f->energy; round++) {
		const double before = s->loss;
		double rest[3];
		solve_weights(f, ANCHOR * make_system(f, s->rest), s->weights);
		memcpy(rest, s->rest, sizeof rest);
		solve_rest(f, s->weights, rest);
		make_system(f, rest);
		const double loss = find_loss(f, s->weights);
		if (!(loss < before)) {
			break;
		}
		memcpy(s->rest, rest, sizeof rest);
		s->loss = loss;
		if (before - loss < LEAST_GAIN * loss) {
			break;
		}
	}
}

static uint32_t count_positive(const double *weights, uint32_t count) {
	uint32_t positive = 0;
	for (uint32_t a = 0; a < count; a++) {
		positive += weights[a] > 0;
	}
	return positive;
}

/* Keeps the largest `most` weights, and excludes all others. */
static void keep_largest_weights(snw_affine_point *f, uint32_t most, double *weights) {
	const uint32_t count = f->list.count;
	for (uint32_t positive = count_positive(weights, count); positive > most; positive--) {
		uint32_t least = SNW_NONE;
		for (uint32_t a = 0; a < count; a++) {
			least = weights[a] > 0 && (least == SNW_NONE || weights[a] < weights[least]) ? a : least;
		}
		weights[least] = 0;
	}
	double sum = 0;
	for (uint32_t a = 0; a < count; a++) {
		f->is_open[a] = weights[a] > 0;
		sum += weights[a];
	}
	for (uint32_t a = 0; a < count; a++) {
		weights[a] /= sum;
	}
}

/* Makes weights non-negative with a sum of 1; false if none is positive. */
static bool normalise(const double *from, size_t stride, uint32_t count, double *weights) {
	double sum = 0;
	for (uint32_t a = 0; a < count; a++) {
		weights[a] = fmax(0, from[a * stride]);
		sum += weights[a];
	}
	for (uint32_t a = 0; a < count && sum > 0; a++) {
		weights[a] /= sum;
	}
	return sum > 0;
}

static void fit_from(snw_affine_point *f, uint32_t most, snw_affine_solution *s) {
	for (uint32_t a = 0; a < f->list.count; a++) {
		f->is_open[a] = true;
	}
	alternate(f, s);
	if (count_positive(s->weights, f->list.count) > most) {
		keep_largest_weights(f, most, s->weights);
		alternate(f, s);
	}
}

/* Fits at most `most` weights. Starts from the rows, which may be a linear blend already, and from the base skin over
 * `points_rest`; `best` is the better result. `other` is scratch. */
static void affine_fit_point(snw_affine_point *f, const double points_rest[3], uint32_t most, snw_affine_solution *best,
							 snw_affine_solution *other) {
	const uint32_t count = f->list.count;
	double sums[4] = {0};
	for (uint32_t a = 0; a < count; a++) {
		for (size_t c = 0; c < 4; c++) {
			sums[c] += f->list.rows[4 * a + c];
		}
	}
	find_goal(f);
	if (!normalise(f->list.rows + 3, 4, count, best->weights) && !normalise(f->list.base_weight, 1, count, best->weights)) {
		best->weights[0] = 1;
	}
	for (size_t c = 0; c < 3; c++) {
		best->rest[c] = fabs(sums[3]) > 1e-3 ? sums[c] / sums[3] : points_rest[c];
	}
	fit_from(f, most, best);
	if (best->loss > ROUNDING * f->energy && normalise(f->list.base_weight, 1, count, other->weights)) {
		memcpy(other->rest, points_rest, sizeof other->rest);
		fit_from(f, most, other);
		if (other->loss < best->loss) {
			best->loss = other->loss;
			memcpy(best->rest, other->rest, sizeof best->rest);
			memcpy(best->weights, other->weights, count * sizeof *best->weights);
		}
	}
}

/* L, 3×3: maps a rest displacement so that it acts with these weights as it does with the rows. */
static void affine_displacement_map(const snw_affine_point *f, const double *weights, double map[9]) {
	double normal[12] = {0}, goal[9] = {0}, inverse[12];
	for (uint32_t a = 0; a < f->list.count; a++) {
		for (uint32_t b = 0; b < f->list.count && weights[a] > 0; b++) {
			const double *block = block_of(f, a, b), fitted = weights[a] * weights[b];
			const double affine = weights[a] * f->list.rows[4 * (size_t)b + 3];
			for (int r = 0; r < 3; r++) {
				for (int c = 0; c < 3; c++) {
					normal[4 * r + c] += fitted * block[4 * r + c];
					goal[3 * r + c] += affine * block[4 * r + c];
				}
			}
		}
	}
	memset(map, 0, 9 * sizeof *map);
	map[0] = map[4] = map[8] = 1;
	if (!snw_mat34_invert(normal, inverse)) {
		return;
	}
	for (int c = 0; c < 3; c++) {
		const double column[3] = {goal[c], goal[3 + c], goal[6 + c]};
		double dest[3];
		snw_mat34_vector(inverse, column, dest);
		for (int r = 0; r < 3; r++) {
			map[3 * r + c] = dest[r];
		}
	}
}

/* ---- affine blend -------------------------------------------------------------------------------------------------------- */

/* Fits linear blends to affine blends, for all points of a mesh in parallel. */

enum { POINTS_AT_ONCE = 64, RANGES_A_THREAD = 4 }; /* between two reports */

typedef struct blend_fit {
	const snw_plan_mesh *mesh;
	const snw_affine_sums *sums;
	uint32_t most;    /* influences of a point */
	uint32_t *counts; /* [point_count] */
	uint32_t *slots;  /* [point_count][most] */
	double *weights;  /* [point_count][most] */
	double *rest;     /* [point_count][3] */
	double *maps;     /* [point_count][9] */
	uint32_t first;   /* point of the current ranges */
} blend_fit;

static void store_point(const blend_fit *f, uint32_t point, const snw_affine_candidates *list, const snw_affine_solution *s) {
	uint32_t count = 0;
	for (uint32_t a = 0; a < list->count; a++) {
		if (s->weights[a] > 0) {
			f->slots[(size_t)point * f->most + count] = list->slots[a];
			f->weights[(size_t)point * f->most + count++] = s->weights[a];
		}
	}
	f->counts[point] = count;
	memcpy(f->rest + 3 * (size_t)point, s->rest, sizeof s->rest);
}

static void set_identity(double map[9]) {
	memset(map, 0, 9 * sizeof *map);
	map[0] = map[4] = map[8] = 1;
}

static void fit_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const blend_fit *f = argument;
	snw_arena *arena = snw_arena_create();
	snw_affine_point point = affine_point_make(f->mesh, f->sums, arena);
	const size_t most = point.list.capacity;
	snw_affine_solution best = {.weights = SNW_NEW_ARRAY(arena, double, most)};
	snw_affine_solution other = {.weights = SNW_NEW_ARRAY(arena, double, most)};
	for (uint32_t p = f->first + begin; p < f->first + end; p++) {
		const double *rest = f->mesh->mesh->points_rest + 3 * (size_t)p;
		affine_gather(f->mesh, p, &point.list);
		memcpy(f->rest + 3 * (size_t)p, rest, 3 * sizeof *rest);
		set_identity(f->maps + 9 * (size_t)p);
		if (point.list.count > 0) {
			affine_fit_point(&point, rest, f->most, &best, &other);
			store_point(f, p, &point.list, &best);
			affine_displacement_map(&point, best.weights, f->maps + 9 * (size_t)p);
		}
	}
	snw_arena_destroy(arena);
}

static snw_status fit_all_points(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t point_count, blend_fit *f) {
	const uint32_t most = POINTS_AT_ONCE * RANGES_A_THREAD * snw_parallel_thread_count();
	for (f->first = 0; f->first < point_count; f->first += most) {
		const uint32_t remaining = point_count - f->first;
		const double part = 0.5 + 0.5 * f->first / point_count;
		if (!snw_plan_progress(plan, SNW_PLAN_FITS_BLENDS, (mesh - plan->meshes + part) / plan->mesh_count)) {
			return SNW_CANCELLED;
		}
		snw_parallel_for(remaining < most ? remaining : most, POINTS_AT_ONCE, fit_points, f);
	}
	return SNW_OK;
}

/* Sets the mesh's skin and rest points to the fitted ones. */
static void store_blend(snw_plan *plan, snw_plan_mesh *mesh, const blend_fit *f) {
	const uint32_t points = mesh->mesh->point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points * f->most);
	double *weights = SNW_NEW_ARRAY(plan->arena, double, (size_t)points * f->most);
	for (uint32_t p = 0; p < points; p++) {
		memcpy(slots + offsets[p], f->slots + (size_t)p * f->most, f->counts[p] * sizeof *slots);
		memcpy(weights + offsets[p], f->weights + (size_t)p * f->most, f->counts[p] * sizeof *weights);
		offsets[p + 1] = offsets[p] + f->counts[p];
	}
	mesh->skin = (snw_plan_skin){offsets, slots, weights};
	mesh->points_rest = f->rest;
	mesh->displacement_maps = f->maps;
	plan->report.refined_count += points;
}

static snw_status fit_blend(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const size_t points = mesh->mesh->point_count, most = plan->request->influences;
	snw_affine_sums sums = {.slot_count = mesh->program->slot_count};
	affine_find_pairs(mesh, &sums, scratch);
	snw_status status = affine_add_moments(plan, mesh, &sums, error);
	if (!snw_failed(status)) {
		blend_fit f = {.mesh = mesh, .sums = &sums, .most = (uint32_t)most};
		f.counts = SNW_NEW_ARRAY(scratch, uint32_t, points);
		f.slots = SNW_NEW_ARRAY(scratch, uint32_t, points * most);
		f.weights = SNW_NEW_ARRAY(scratch, double, points *most);
		f.rest = SNW_NEW_ARRAY(plan->arena, double, 3 * points);
		f.maps = SNW_NEW_ARRAY(plan->arena, double, 9 * points);
		status = fit_all_points(plan, mesh, (uint32_t)points, &f);
		if (!snw_failed(status)) {
			store_blend(plan, mesh, &f);
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_plan_fit_affine_blends(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		const bool is_affine = mesh->program && mesh->program->blend == SNW_BLEND_AFFINE;
		if (is_affine && (mesh->runs_on_joints || plan->clip_count > 0)) {
			status = fit_blend(plan, mesh, error);
		}
	}
	return status;
}
