/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "lod/lod_internal.h"
#include "measure/point_metric.h"
#include "motion/motion.h"
#include "pose/pose.h"
#include "task/task.h"

enum { MOST_ROWS = 64, MOST_STAYING = 8, ROW_GRAIN = 64, MOST_PALETTE = 1024 };
#define ROW_RIDGE 1e-4     /* against the metric, which is about 1 for what a slot rotates */
#define WEIGHT_LENGTH 0.05 /* of the diagonal: what a weight counts beside a length */
#define LEAST_STAYING 0.1  /* weight of the rows that stay, for them to be made larger */

/* A point's rows, one a slot. */
typedef struct point_rows {
	uint32_t count, slots[MOST_ROWS];
	double rows[MOST_ROWS][4];
	bool stays[MOST_ROWS];
} point_rows;

typedef struct row_fit {
	const snw_program *program;
	const snw_level *level;
	snw_point_metric metric; /* of slots in place of joints */
	const bool *moves;       /* [slot_count]: the level's skin has the slot */
	uint32_t most;           /* rows of a point */
	double length;           /* metres */
	uint32_t *counts;        /* [point_count] */
	uint32_t *slots;         /* [point_count][most] */
	double *rows;            /* [point_count][most][4] */
} row_fit;

/* ---- the metric ---------------------------------------------------------------------------------------------------------- */

/* Adds Gᵀ G of a pose. */
static void add_pose(const snw_point_metric *metric, const double *matrices, double share) {
	for (uint32_t a = 0; a < metric->joint_count; a++) {
		for (uint32_t b = 0; b < metric->joint_count; b++) {
			const double *s = matrices + 12 * (size_t)a, *t = matrices + 12 * (size_t)b;
			double *block = snw_metric_block(metric, a, b);
			for (int i = 0; i < 16; i++) {
				block[i] += share * (s[i / 4] * t[i % 4] + s[4 + i / 4] * t[4 + i % 4] + s[8 + i / 4] * t[8 + i % 4]);
			}
		}
	}
}

static bool find_metric(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, uint32_t clip_count,
						const uint32_t *clips, snw_point_metric *metric, snw_arena *scratch) {
	uint32_t pose_count;
	snw_pose **poses;
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	double *global = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->skeleton.joint_count);
	double *palette = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->slot_count);
	snw_status status = SNW_OK;
	snw_motion_choose_poses(scene, clip_count, clips, scratch, &pose_count, &poses);
	for (uint32_t p = 0; p < pose_count && !snw_failed(status); p++) {
		snw_pose_view view;
		snw_pose_solve(scene, poses[p], global, palette, &view);
		status = snw_stack_drive(stack, &view, evaluation, NULL);
		if (!snw_failed(status)) {
			add_pose(metric, snw_stack_program_input(evaluation, mesh, 0)->matrices, 1.0 / pose_count);
		}
	}
	snw_evaluation_destroy(evaluation);
	return !snw_failed(status);
}

/* ---- a point ------------------------------------------------------------------------------------------------------------- */

static double *row_of(point_rows *of, uint32_t slot) {
	for (uint32_t i = 0; i < of->count; i++) {
		if (of->slots[i] == slot) {
			return of->rows[i];
		}
	}
	if (of->count == MOST_ROWS) {
		return NULL;
	}
	of->slots[of->count] = slot;
	of->stays[of->count] = false;
	memset(of->rows[of->count], 0, sizeof of->rows[of->count]);
	return of->rows[of->count++];
}

/* Σ_j a_j p_j. False for too many slots. */
static bool combine_rows(const row_fit *fit, uint32_t point, point_rows *of) {
	const snw_level *level = fit->level;
	const snw_program *program = fit->program;
	bool has_room = true;
	of->count = 0;
	for (uint32_t j = level->stencil_offsets[point]; j < level->stencil_offsets[point + 1]; j++) {
		const uint32_t source = level->stencil_points[j];
		for (uint32_t k = program->influence_offsets[source]; k < program->influence_offsets[source + 1]; k++) {
			double *row = row_of(of, program->influence_slots[k]);
			for (int c = 0; c < 4 && row; c++) {
				row[c] += level->stencil_weights[j] * program->influence_rows[4 * (size_t)k + (size_t)c];
			}
			has_room = has_room && row;
		}
	}
	return has_room;
}

/* Those of the level's skin, and, up to as many as there may be, those with the largest weights. */
static uint32_t choose_staying(const row_fit *fit, uint32_t point, point_rows *of) {
	const snw_mesh *shape = &fit->level->shape;
	uint32_t count = 0;
	for (uint32_t k = shape->influence_offsets[point]; k < shape->influence_offsets[point + 1]; k++) {
		for (uint32_t i = 0; i < of->count; i++) {
			const bool is_it = of->slots[i] == shape->influence_slots[k] && !of->stays[i] && count < fit->most;
			of->stays[i] = of->stays[i] || is_it;
			count += is_it;
		}
	}
	for (uint32_t best = 0; best != SNW_NONE && count < fit->most;) {
		best = SNW_NONE;
		for (uint32_t i = 0; i < of->count; i++) {
			const bool may = !of->stays[i] && fit->moves[of->slots[i]];
			best = may && (best == SNW_NONE || fabs(of->rows[i][3]) > fabs(of->rows[best][3])) ? i : best;
		}
		if (best != SNW_NONE) {
			of->stays[best] = true;
			count++;
		}
	}
	return count;
}

/* The change of the rows that stay, `of`'s in their order: minimises sᵀ P s and the ridge, at the weight of what goes. */
typedef struct row_change {
	uint32_t count, at[MOST_STAYING]; /* rows that stay */
	double matrix[16 * MOST_STAYING * MOST_STAYING];
	double sides[2 * 4 * MOST_STAYING]; /* the changes without a condition, and what the condition adds */
} row_change;

/* As numbers of the row (x, w) in a frame at the point: x − w r, and w times a length. */
static void add_ridge(const row_fit *fit, const double rest[3], const point_rows *of, double larger, row_change *to) {
	const size_t n = 4 * (size_t)to->count;
	double block[16] = {0};
	for (int c = 0; c < 3; c++) {
		block[5 * c] = ROW_RIDGE;
		block[4 * c + 3] = block[12 + c] = -ROW_RIDGE * rest[c];
	}
	block[15] = ROW_RIDGE * (snw_dot3(rest, rest) + fit->length * fit->length);
	for (uint32_t a = 0; a < to->count; a++) {
		for (size_t i = 0; i < 16; i++) {
			const double goal = larger * of->rows[to->at[a]][i % 4];
			to->matrix[(4 * a + i / 4) * n + 4 * a + i % 4] += block[i];
			to->sides[4 * a + i / 4] += block[i] * goal;
		}
	}
}

static void fill_change(const row_fit *fit, const point_rows *of, row_change *to) {
	const size_t n = 4 * (size_t)to->count;
	for (uint32_t a = 0; a < to->count; a++) {
		for (uint32_t b = 0; b < of->count; b++) {
			const double *block = snw_metric_block(&fit->metric, of->slots[to->at[a]], of->slots[b]);
			for (size_t i = 0; i < 16 && !of->stays[b]; i++) {
				to->sides[4 * a + i / 4] += block[i] * of->rows[b][i % 4];
			}
		}
		for (uint32_t b = 0; b < to->count; b++) {
			const double *block = snw_metric_block(&fit->metric, of->slots[to->at[a]], of->slots[to->at[b]]);
			for (size_t i = 0; i < 16; i++) {
				to->matrix[(4 * a + i / 4) * n + 4 * b + i % 4] = block[i];
			}
		}
	}
}

/* Changes the rows that stay in place of those that go. */
static void take_away(const row_fit *fit, uint32_t point, point_rows *of) {
	row_change to = {0};
	double gone = 0, found = 0, by_condition = 0;
	for (uint32_t i = 0; i < of->count; i++) {
		gone += of->stays[i] ? 0 : of->rows[i][3];
		if (of->stays[i]) {
			to.at[to.count++] = i;
		}
	}
	const size_t n = 4 * (size_t)to.count;
	const double left = 1 - gone;
	fill_change(fit, of, &to);
	add_ridge(fit, fit->level->shape.points_rest + 3 * (size_t)point, of, left > LEAST_STAYING ? 1 / left - 1 : 0, &to);
	for (uint32_t a = 0; a < to.count; a++) {
		to.sides[n + 4 * a + 3] = 1;
	}
	if (!snw_solve_positive(n, 2, to.matrix, to.sides)) {
		return;
	}
	for (uint32_t a = 0; a < to.count; a++) {
		found += to.sides[4 * a + 3];
		by_condition += to.sides[n + 4 * a + 3];
	}
	const double multiple = (gone - found) / by_condition;
	for (uint32_t a = 0; a < to.count; a++) {
		for (size_t c = 0; c < 4; c++) {
			of->rows[to.at[a]][c] += to.sides[4 * a + c] + multiple * to.sides[n + 4 * a + c];
		}
	}
}

static void fit_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const row_fit *fit = argument;
	(void)thread;
	for (uint32_t p = begin; p < end; p++) {
		point_rows of;
		if (!combine_rows(fit, p, &of)) {
			continue; /* none: its points are those of the linear blend */
		}
		if (choose_staying(fit, p, &of) < of.count) {
			take_away(fit, p, &of);
		}
		for (uint32_t i = 0; i < of.count; i++) {
			if (of.stays[i]) {
				const size_t to = (size_t)p * fit->most + fit->counts[p]++;
				fit->slots[to] = of.slots[i];
				memcpy(fit->rows + 4 * to, of.rows[i], sizeof of.rows[i]);
			}
		}
	}
}

/* ---- a level ------------------------------------------------------------------------------------------------------------- */

/* The rows of the linear blend, where a point has no others. */
static void take_linear(const row_fit *fit, uint32_t point) {
	const snw_mesh *shape = &fit->level->shape;
	for (uint32_t k = shape->influence_offsets[point]; k < shape->influence_offsets[point + 1]; k++) {
		const size_t to = (size_t)point * fit->most + fit->counts[point]++;
		fit->slots[to] = shape->influence_slots[k];
		for (size_t c = 0; c < 4; c++) {
			fit->rows[4 * to + c] = shape->influence_weights[k] * (c < 3 ? shape->points_rest[3 * (size_t)point + c] : 1);
		}
	}
}

static void put_rows(const row_fit *fit, snw_arena *arena, snw_program *made) {
	const uint32_t points = fit->level->shape.point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points * fit->most);
	double *rows = SNW_NEW_ARRAY(arena, double, 4 * (size_t)points * fit->most);
	double *weights = SNW_NEW_ARRAY(arena, double, (size_t)points * fit->most);
	for (uint32_t p = 0; p < points; p++) {
		const size_t from = (size_t)p * fit->most;
		offsets[p + 1] = offsets[p] + fit->counts[p];
		memcpy(slots + offsets[p], fit->slots + from, fit->counts[p] * sizeof *slots);
		memcpy(rows + 4 * (size_t)offsets[p], fit->rows + 4 * from, 4 * fit->counts[p] * sizeof *rows);
	}
	for (uint32_t k = 0; k < offsets[points]; k++) {
		weights[k] = rows[4 * (size_t)k + 3];
	}
	made->blend = SNW_BLEND_AFFINE;
	made->influence_offsets = offsets;
	made->influence_slots = slots;
	made->influence_weights = weights;
	made->influence_rows = rows;
}

void lod_rows_put(const snw_scene *scene, const snw_stack *stack, const snw_level *level, uint32_t clip_count,
				  const uint32_t *clips, snw_arena *arena, snw_program *made) {
	const snw_program *program = snw_stack_segment(stack, level->mesh, 0).program;
	const snw_mesh *shape = &level->shape;
	const uint32_t count = program->slot_count, most = snw_level_influences(level);
	if (count != level->slot_count || count > MOST_PALETTE || most == 0 || most > MOST_STAYING) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	bool *moves = SNW_NEW_ARRAY(scratch, bool, count);
	for (uint32_t k = 0; k < shape->influence_offsets[shape->point_count]; k++) {
		moves[shape->influence_slots[k]] = true;
	}
	row_fit fit = {.program = program,
				   .level = level,
				   .metric = {.joint_count = count, .blocks = SNW_NEW_ARRAY(scratch, double, 16 * (size_t)count * count)},
				   .moves = moves,
				   .most = most,
				   .length = WEIGHT_LENGTH * snw_scene_diagonal(scene, SNW_NONE),
				   .counts = SNW_NEW_ARRAY(scratch, uint32_t, shape->point_count),
				   .slots = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)shape->point_count * most),
				   .rows = SNW_NEW_ARRAY(scratch, double, 4 * (size_t)shape->point_count * most)};
	if (find_metric(scene, stack, level->mesh, clip_count, clips, &fit.metric, scratch)) {
		snw_parallel_for(shape->point_count, ROW_GRAIN, fit_rows, &fit);
		for (uint32_t p = 0; p < shape->point_count; p++) {
			if (fit.counts[p] == 0) {
				take_linear(&fit, p);
			}
		}
		put_rows(&fit, arena, made);
	}
	snw_arena_destroy(scratch);
}
