/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The regression of each point. All samples are summed once, in Gram matrices over all features; each point uses a few of their
 * rows and columns.
 */
#include <math.h>
#include <string.h>

#include "pose-regression/pose-regression.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- candidate joints ---------------------------------------------------------------------------------------------------- */

/* The candidate joints of a point: those that move it, and their parents and children, because the skin near a joint depends on
 * its rotation even if the joint does not move it. A joint above all of the skin is not a candidate: it moves the character as
 * a whole, and what it seems to explain in the samples is chance. */

static void add_candidate(const mesh_fit *f, uint32_t joint, candidate_list *list) {
	uint32_t at = 0;
	while (at < list->count && list->joints[at] != joint) {
		at++;
	}
	if (at == list->count && at < MOST_CANDIDATES && joint != SNW_NONE && f->bends[joint]) {
		list->joints[list->count++] = joint;
	}
}

candidate_list find_candidates(const mesh_fit *f, uint32_t point) {
	const snw_mesh_view *mesh = f->mesh;
	const snw_character_view *character = f->input->character;
	const uint32_t *parents = character->skeleton->parents;
	const uint32_t first = mesh->influence_offsets ? mesh->influence_offsets[point] : 0;
	const uint32_t end = mesh->influence_offsets ? mesh->influence_offsets[point + 1] : 0;
	candidate_list list = {.count = 0};
	for (int beside = 0; beside < 2; beside++) {
		for (uint32_t k = first; k < end; k++) {
			const uint32_t joint = character->slot_joints[mesh->influence_slots[k]];
			if (!(mesh->influence_weights[k] > 0)) {
				continue;
			}
			add_candidate(f, beside ? parents[joint] : joint, &list);
			for (uint32_t j = 0; beside && j < f->joint_count; j++) {
				if (parents[j] == joint) {
					add_candidate(f, j, &list);
				}
			}
		}
	}
	return list;
}

/* ---- regression ---------------------------------------------------------------------------------------------------------- */

enum {
	CANDIDATE_COLUMNS = MOST_CANDIDATES * JOINT_FEATURES + 1,
	RIDGES = 7,
	GRAIN = 32,
	SLAB = 1024,             /* points between two looks at whether to go on */
	VALIDATED_SLAB = 256,    /* the same while the ridge is chosen: each of these points is solved many times */
	VALIDATED_POINTS = 2000, /* about as many of them choose the ridge */
};

static const double ridges[RIDGES] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10};

/* The ridge for choosing joints, and for the regression if nothing can be held out. */
static const double first_ridge = 1e-3;

/* Samples whose features have a smaller square are at rest: all joints together rotate by less than about a degree. */
static const double at_rest = 1e-3;

/* A joint is chosen only if it explains this part of the error that the joints before it leave. */
static const double least_gain = 0.01;

/* The part of the regression's progress that choosing the ridge is. */
static const double ridge_share = 0.4;

/* What the samples say of one point, over the features of its candidates, then 1. */
typedef struct point_problem {
	uint32_t point;
	candidate_list candidates;
	double rights[SIDES][MOST_BLOCKS + 1][CANDIDATE_COLUMNS][3]; /* the last is the sum of all blocks */
	double squares[SIDES][MOST_BLOCKS + 1];
} point_problem;

/* A subset of the candidates: their columns among all features, and among the candidates'. */
typedef struct columns {
	uint32_t count;
	uint32_t features[MOST_COLUMNS], candidates[MOST_COLUMNS];
} columns;

/* ---- features ------------------------------------------------------------------------------------------------------------ */

/* Features mirrored from the other side: R' = X R X; a rotation vector is mirrored as an axial vector. Those of a joint without
 * a partner stay 0; no point that it corrects reads them. */
static void mirror_features(const mesh_fit *f, const double *from, double *dest) {
	static const double of_matrix[JOINT_FEATURES] = {1, -1, -1, -1, 1, 1, -1, 1, 1},
						of_vector[JOINT_FEATURES] = {1, -1, -1, 1, 1, 1, -1, 1, -1};
	const double *signs = f->kind == FEATURES_MATRICES ? of_matrix : of_vector;
	for (size_t j = 0; j < f->joint_count; j++) {
		for (size_t i = 0; f->mirror.joints[j] != SNW_NONE && i < JOINT_FEATURES; i++) {
			dest[JOINT_FEATURES * j + i] = signs[i] * from[JOINT_FEATURES * (size_t)f->mirror.joints[j] + i];
		}
	}
	dest[f->feature_count - 1] = 1;
}

static int side_count(const mesh_fit *f) {
	return f->mirror.joints ? SIDES : 1;
}

static uint32_t block_begin(const mesh_fit *f, uint32_t block) {
	return block > 0 ? f->block_ends[block - 1] : 0;
}

/* Rows of the Gram matrix of one side's block. */
typedef struct gram_rows {
	const mesh_fit *f;
	int side;
	uint32_t block;
} gram_rows;

static void SNW_CALL sum_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const gram_rows *rows = argument;
	const mesh_fit *f = rows->f;
	const size_t n = f->feature_count;
	double *gram = f->grams[rows->side] + rows->block * n * n, *all = f->grams[rows->side] + f->block_count * n * n;
	for (size_t s = block_begin(f, rows->block); s < f->block_ends[rows->block]; s++) {
		const double *values = f->features[rows->side] + s * n;
		for (size_t r = begin; r < end; r++) {
			for (size_t c = 0; values[r] != 0 && c < n; c++) {
				gram[r * n + c] += values[r] * values[c];
			}
		}
	}
	for (size_t i = begin * n; i < end * n; i++) {
		all[i] += gram[i];
	}
}

static void fill_features(const mesh_fit *f, int side) {
	const size_t n = f->feature_count;
	for (size_t s = 0; s < f->sample_count; s++) {
		if (side == 0) {
			pose_features(f->kind, f->joint_count, f->joints, f->samples[s].pose, 0, f->features[0] + s * n);
		} else {
			mirror_features(f, f->features[0] + s * n, f->features[1] + s * n);
		}
	}
}

static int has_rest(const mesh_fit *f) {
	int found = 0;
	for (size_t s = 0; s < f->sample_count && !found; s++) {
		const double *values = f->features[0] + s * f->feature_count;
		double square = 0;
		for (size_t i = 0; i + 1 < f->feature_count; i++) {
			square += f->bends[i / JOINT_FEATURES] ? values[i] * values[i] : 0;
		}
		found = square < at_rest;
	}
	return found;
}

/* The rest is known: nothing but the last column, and no offset. It is in no block, so that it is never held out. It counts as
 * much as all samples together: what is wrong at rest is seen first. */
static void add_rest(const mesh_fit *f, int side) {
	const size_t n = f->feature_count;
	f->grams[side][(f->block_count + 1) * n * n - 1] += f->sample_count;
}

snw_status find_features(mesh_fit *f, snw_pool *pool, double progress, double share) {
	const size_t n = f->feature_count;
	f->block_count = f->sample_count < MOST_BLOCKS ? f->sample_count : MOST_BLOCKS;
	for (uint32_t b = 0; b < f->block_count; b++) {
		f->block_ends[b] =
			(uint32_t)(((uint64_t)f->sample_count * (b + 1) + f->block_count - 1) / f->block_count); /* as they are dealt */
	}
	const int sides = side_count(f);
	for (int side = 0; side < sides; side++) {
		f->features[side] = SNW_POOL_ARRAY(pool, double, f->sample_count *n);
		f->grams[side] = SNW_POOL_ARRAY(pool, double, (f->block_count + 1) * n * n);
		if (pool->failed) {
			return SNW_ERROR_MEMORY;
		}
		fill_features(f, side);
		for (gram_rows rows = {f, side, 0}; rows.block < f->block_count; rows.block++) {
			const double done = (side + (double)rows.block / f->block_count) / sides;
			if (!snw_report_progress(f->host, progress + share * done, "summing up the samples")) {
				return SNW_CANCELLED;
			}
			snk_ranges_run(f->host, f->feature_count, GRAIN, sum_rows, &rows);
		}
		f->adds_rest = !has_rest(f); /* mirrored samples rotate by as much */
		if (f->adds_rest) {
			add_rest(f, side);
		}
	}
	return SNW_OK;
}

/* ---- what the samples say of a point ------------------------------------------------------------------------------------- */

static size_t feature_of(const mesh_fit *f, const point_problem *p, uint32_t column) {
	return column == JOINT_FEATURES * p->candidates.count
			   ? f->feature_count - 1
			   : JOINT_FEATURES * (size_t)p->candidates.joints[column / JOINT_FEATURES] + column % JOINT_FEATURES;
}

/* The offset in a sample, or the mirrored one of the partner. */
static void read_offset(const mesh_fit *f, int side, uint32_t point, uint32_t sample, double offset[3]) {
	const uint32_t from = side == 0 ? point : f->mirror.points[point];
	const float *values = f->offsets + 3 * ((size_t)from * f->sample_count + sample);
	for (int c = 0; c < 3; c++) {
		offset[c] = side == 1 && c == 0 ? -(double)values[c] : (double)values[c];
	}
}

static int has_side(const mesh_fit *f, int side, uint32_t point) {
	return side == 0 || (f->mirror.points && f->mirror.points[point] != SNW_NONE);
}

static void sum_side(const mesh_fit *f, int side, point_problem *p) {
	const uint32_t n = JOINT_FEATURES * p->candidates.count + 1;
	size_t features[CANDIDATE_COLUMNS];
	for (uint32_t i = 0; i < n; i++) {
		features[i] = feature_of(f, p, i);
	}
	for (uint32_t b = 0, s = 0; b < f->block_count; b++) {
		for (; s < f->block_ends[b]; s++) {
			const double *values = f->features[side] + (size_t)s * f->feature_count;
			double offset[3];
			read_offset(f, side, p->point, s, offset);
			for (uint32_t i = 0; i < n; i++) {
				const double value = values[features[i]];
				for (int c = 0; c < 3; c++) {
					p->rights[side][b][i][c] += value * offset[c];
				}
			}
			p->squares[side][b] += offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
		}
		for (uint32_t i = 0; i < n; i++) {
			for (int c = 0; c < 3; c++) {
				p->rights[side][f->block_count][i][c] += p->rights[side][b][i][c];
			}
		}
		p->squares[side][f->block_count] += p->squares[side][b];
	}
}

static void read_point(const mesh_fit *f, uint32_t point, point_problem *p) {
	memset(p->rights, 0, sizeof p->rights);
	memset(p->squares, 0, sizeof p->squares);
	p->point = point;
	p->candidates = find_candidates(f, point);
	for (int side = 0; side < SIDES; side++) {
		if (has_side(f, side, point)) {
			sum_side(f, side, p);
		}
	}
}

/* ---- ridge regression ---------------------------------------------------------------------------------------------------- */

/* The features of some candidates, then 1. */
static columns columns_of(const mesh_fit *f, const point_problem *p, uint32_t count, const uint32_t *chosen) {
	columns list = {.count = 0};
	for (uint32_t k = 0; k <= count; k++) {
		const uint32_t first = JOINT_FEATURES * (k < count ? chosen[k] : p->candidates.count);
		for (uint32_t i = 0; i < (k < count ? JOINT_FEATURES : 1u); i++) {
			list.candidates[list.count] = first + i;
			list.features[list.count++] = (uint32_t)feature_of(f, p, first + i);
		}
	}
	return list;
}

/* Adds `sign` times the sums of a block. */
static void add_block(const mesh_fit *f, const point_problem *p, const columns *list, int side, uint32_t block, double sign,
					  double *gram, double (*right)[3]) {
	const size_t n = f->feature_count;
	const double *from = f->grams[side] + block * n * n;
	for (uint32_t r = 0; r < list->count; r++) {
		for (uint32_t c = 0; c <= r; c++) {
			gram[r * list->count + c] += sign * from[list->features[r] * n + list->features[c]];
		}
		for (int c = 0; c < 3; c++) {
			right[r][c] += sign * p->rights[side][block][list->candidates[r]][c];
		}
	}
}

/* The regression over all samples but those of some blocks, a bit each. Without a joint it is zero: nothing can drive it. */
static void solve_without(const mesh_fit *f, const point_problem *p, const columns *list, uint32_t blocks, double ridge,
						  int uses_mirrored, double (*solution)[3]) {
	double gram[MOST_COLUMNS * MOST_COLUMNS] = {0};
	uint32_t samples = 0;
	memset(solution, 0, list->count * sizeof *solution);
	if (list->count == 1) {
		return;
	}
	for (int side = 0; side <= uses_mirrored; side++) {
		if (!has_side(f, side, p->point)) {
			continue;
		}
		add_block(f, p, list, side, f->block_count, 1, gram, solution);
		samples += f->sample_count;
		for (uint32_t b = 0; b < f->block_count; b++) {
			if (blocks >> b & 1) {
				add_block(f, p, list, side, b, -1, gram, solution);
				samples -= f->block_ends[b] - block_begin(f, b);
			}
		}
	}
	for (uint32_t r = 0; r < list->count; r++) {
		gram[r * list->count + r] += ridge * samples;
	}
	snk_cholesky_factor(list->count, gram);
	snk_cholesky_solve(list->count, gram, 3, solution[0]);
}

/* Over a block as it is, not mirrored: how long the predictions of a solution are, and how far they agree with the offsets. */
static void sum_predicted(const mesh_fit *f, const point_problem *p, const columns *list, uint32_t block, double (*solution)[3],
						  double *predicted, double *both) {
	const size_t n = f->feature_count;
	const double *gram = f->grams[0] + block * n * n;
	*predicted = *both = 0;
	for (uint32_t r = 0; r < list->count; r++) {
		double image[3] = {0};
		for (uint32_t c = 0; c < list->count; c++) {
			const double value = gram[list->features[r] * n + list->features[c]];
			for (int axis = 0; axis < 3; axis++) {
				image[axis] += value * solution[c][axis];
			}
		}
		*predicted += snw_dot3(solution[r], image);
		*both += snw_dot3(solution[r], p->rights[0][block][list->candidates[r]]);
	}
}

static double error_over(const mesh_fit *f, const point_problem *p, const columns *list, uint32_t block,
						 double (*solution)[3]) {
	double predicted, both;
	sum_predicted(f, p, list, block, solution, &predicted, &both);
	return fmax(p->squares[0][block] - 2 * both + predicted, 0);
}

/* The part of it that the added rest has: there the last feature is 1 and the others are 0. */
static double error_at_rest(const mesh_fit *f, const columns *list, double (*solution)[3]) {
	double square = 0;
	for (uint32_t r = 0; f->adds_rest && r < list->count; r++) {
		square += list->features[r] == f->feature_count - 1 ? snw_dot3(solution[r], solution[r]) : 0;
	}
	return (double)f->sample_count * square;
}

typedef struct joint_choice {
	const mesh_fit *f;
	const point_problem *p;
	int uses_mirrored;
} joint_choice;

/* Of all samples. */
static double SNW_CALL residual_with(void *context, uint32_t count, const uint32_t *chosen) {
	const joint_choice *from = context;
	double solution[MOST_COLUMNS][3];
	const columns list = columns_of(from->f, from->p, count, chosen);
	solve_without(from->f, from->p, &list, 0, first_ridge, from->uses_mirrored, solution);
	return error_over(from->f, from->p, &list, from->f->block_count, solution);
}

/* Returns how many. */
static uint32_t choose_joints(const mesh_fit *f, const point_problem *p, int uses_mirrored, uint32_t chosen[MOST_JOINTS]) {
	joint_choice from = {f, p, uses_mirrored};
	const snk_forward_choice choice = {.candidate_count = p->candidates.count,
									   .most = (uint32_t)f->input->values[JOINTS].numbers[0],
									   .before = p->squares[0][f->block_count],
									   .least_gain = least_gain,
									   .residual = residual_with,
									   .context = &from};
	return snk_choose_forward(&choice, chosen);
}

/* ---- cross-validation ---------------------------------------------------------------------------------------------------- */

/* Errors over blocks that were not solved for, by side and ridge; a part for each range of points. */
typedef struct validation {
	const mesh_fit *f;
	uint32_t stride, first;
	double (*errors)[SIDES][RIDGES];
	double *before; /* without the regression */
} validation;

/* The ridges to choose from: the one that was set, or the table. */
static uint32_t ridge_choices(const mesh_fit *f, const double **choices) {
	const double *given = f->input->values[RIDGE].numbers;
	*choices = *given > 0 ? given : ridges;
	return *given > 0 ? 1 : RIDGES;
}

static void validate_point(const mesh_fit *f, const point_problem *p, double errors[SIDES][RIDGES]) {
	const double *choices;
	const uint32_t choice_count = ridge_choices(f, &choices);
	for (int side = 0; side < side_count(f); side++) {
		uint32_t chosen[MOST_JOINTS];
		const columns list = columns_of(f, p, choose_joints(f, p, side, chosen), chosen);
		for (uint32_t k = 0; k < choice_count; k++) {
			for (uint32_t b = 0; b < f->block_count; b++) {
				double solution[MOST_COLUMNS][3];
				solve_without(f, p, &list, 1u << b, choices[k], side, solution);
				errors[side][k] += error_over(f, p, &list, b, solution);
			}
		}
	}
}

static void SNW_CALL validate_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const validation *v = argument;
	point_problem p;
	const uint32_t part = (v->first + begin) / GRAIN;
	for (uint32_t n = v->first + begin; n < v->first + end; n++) {
		read_point(v->f, n * v->stride, &p);
		validate_point(v->f, &p, v->errors[part]);
		v->before[part] += p.squares[0][v->f->block_count];
	}
}

static snw_status validate_all(validation *v, uint32_t count, double progress, double share) {
	for (v->first = 0; v->first < count; v->first += VALIDATED_SLAB) {
		const uint32_t remaining = count - v->first;
		if (!snw_report_progress(v->f->host, progress + share * v->first / count, "choosing the ridge")) {
			return SNW_CANCELLED;
		}
		snk_ranges_run(v->f->host, remaining < VALIDATED_SLAB ? remaining : VALIDATED_SLAB, GRAIN, validate_points, v);
	}
	return SNW_OK;
}

/* The side and the ridge with the least error over `samples` points of samples. */
static void take_best(const validation *v, uint32_t parts, double samples, mesh_fit *f) {
	const double *choices;
	const uint32_t choice_count = ridge_choices(f, &choices);
	double least = INFINITY, before = 0;
	for (uint32_t part = 0; part < parts; part++) {
		before += v->before[part];
	}
	for (int side = 0; side < side_count(f); side++) {
		for (uint32_t k = 0; k < choice_count; k++) {
			double error = 0;
			for (uint32_t part = 0; part < parts; part++) {
				error += v->errors[part][side][k];
			}
			if (error < least) {
				least = error;
				f->uses_mirrored = side;
				f->ridge = choices[k];
			}
		}
	}
	f->validated_before = before / samples;
	f->validated = least / samples;
}

/* By the error over blocks that were not solved for. */
static snw_status choose_ridge(mesh_fit *f, double progress, double share) {
	const double *choices;
	const uint32_t choice_count = ridge_choices(f, &choices);
	f->ridge = choice_count == 1 ? choices[0] : first_ridge;
	if (f->block_count < 2) {
		return SNW_OK;
	}
	snw_pool pool = snw_pool_open(f->host);
	const uint32_t stride = f->mesh->point_count / VALIDATED_POINTS + 1, count = (f->mesh->point_count - 1) / stride + 1;
	const uint32_t parts = snk_ranges_count(count, GRAIN);
	validation v = {.f = f,
					.stride = stride,
					.errors = snw_pool_acquire(&pool, parts, sizeof *v.errors),
					.before = SNW_POOL_ARRAY(&pool, double, parts)};
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : validate_all(&v, count, progress, share);
	if (!snk_failed(status)) {
		take_best(&v, parts, (double)count * f->sample_count, f);
	}
	snw_pool_release(&pool);
	return status;
}

/* What the last fit chose. */
static void keep_ridge(mesh_fit *f) {
	const double given = f->input->values[RIDGE].numbers[0];
	f->ridge = given > 0 ? given : f->kept->ridge;
	f->uses_mirrored = f->kept->uses_mirrored && f->mirror.joints;
}

/* ---- all points ---------------------------------------------------------------------------------------------------------- */

typedef struct slab {
	const mesh_fit *f;
	uint32_t first;
} slab;

static void SNW_CALL regress_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const slab *some = argument;
	const mesh_fit *f = some->f;
	point_problem p;
	for (uint32_t n = begin; n < end; n++) {
		const uint32_t point = some->first + n;
		uint32_t chosen[MOST_JOINTS];
		read_point(f, point, &p);
		point_regression *dest = &f->points[point];
		dest->joint_count = choose_joints(f, &p, f->uses_mirrored, chosen);
		const columns list = columns_of(f, &p, dest->joint_count, chosen);
		for (uint32_t k = 0; k < dest->joint_count; k++) {
			dest->joints[k] = p.candidates.joints[chosen[k]];
		}
		solve_without(f, &p, &list, 0, f->ridge, f->uses_mirrored, dest->numbers);
		sum_predicted(f, &p, &list, f->block_count, dest->numbers, &dest->predicted, &dest->both);
		dest->predicted -= error_at_rest(f, &list, dest->numbers);
		dest->squares = p.squares[0][f->block_count];
	}
}

snw_status regress(mesh_fit *f, double progress, double share) {
	snw_status status = SNW_OK;
	if (f->kept) {
		keep_ridge(f);
	} else {
		status = choose_ridge(f, progress, ridge_share * share);
	}
	const uint32_t count = f->mesh->point_count;
	progress += ridge_share * share;
	share -= ridge_share * share;
	for (slab some = {f, 0}; !snk_failed(status) && some.first < count; some.first += SLAB) {
		const uint32_t remaining = count - some.first, points = remaining < SLAB ? remaining : SLAB;
		if (!snw_report_progress(f->host, progress + share * some.first / count, "fitting the regression")) {
			return SNW_CANCELLED;
		}
		snk_ranges_run(f->host, points, GRAIN, regress_points, &some);
	}
	return status;
}

void measure_residuals(mesh_fit *f) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const point_regression *p = &f->points[i];
		const double error = fmax(p->squares - 2 * p->both + p->predicted, 0);
		f->residuals[i] = sqrt(error / f->sample_count);
		f->squares_before += p->squares;
		f->squares += error;
	}
}

/* ---- without some blocks ------------------------------------------------------------------------------------------------- */

typedef struct without_blocks {
	const mesh_fit *f;
	uint32_t blocks;
	point_regression *points;
} without_blocks;

/* The place of a joint among the candidates. */
static uint32_t place_of(const point_problem *p, uint32_t joint) {
	uint32_t at = 0;
	while (p->candidates.joints[at] != joint) {
		at++;
	}
	return at;
}

static void SNW_CALL regress_points_without(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const without_blocks *w = argument;
	point_problem p;
	for (uint32_t i = begin; i < end; i++) {
		point_regression *dest = &w->points[i];
		uint32_t chosen[MOST_JOINTS];
		*dest = w->f->points[i];
		read_point(w->f, i, &p);
		for (uint32_t k = 0; k < dest->joint_count; k++) {
			chosen[k] = place_of(&p, dest->joints[k]);
		}
		const columns list = columns_of(w->f, &p, dest->joint_count, chosen);
		solve_without(w->f, &p, &list, w->blocks, w->f->ridge, w->f->uses_mirrored, dest->numbers);
	}
}

void regress_without(const mesh_fit *f, uint32_t blocks, point_regression *points) {
	without_blocks w = {f, blocks, points};
	snk_ranges_run(f->host, f->mesh->point_count, GRAIN, regress_points_without, &w);
}
