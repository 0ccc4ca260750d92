/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lod/level_skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "program/program.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/nnls.h"
#include "task/task.h"

/* Points of one thread; slots that a point may follow; times that weights and rest are fitted in turn. */
enum { SKIN_GRAIN = 64, CANDIDATES = 20, ROUNDS = 2, MOST_ANCESTORS = 3 };

static const double rest_ridge = 1e-3; /* toward the rest of the stencils */

/* ---- what the stack plays ------------------------------------------------------------------------------------------------ */

bool lod_is_one_program(const snw_stack *stack, uint32_t mesh) {
	if (snw_stack_segment_count(stack, mesh) != 1) {
		return false;
	}
	const snw_segment_info info = snw_stack_segment(stack, mesh, 0);
	return info.is_program && !info.program->dual_quaternion_palette;
}

typedef struct program_run {
	const snw_program *program;
	snw_program_input input;
	double *points;
} program_run;

static void run_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const program_run *r = argument;
	(void)thread;
	snw_program_reference_range(r->program, &r->input, begin, end, NULL, r->points);
}

/* The nearest joint above each slot's that has a slot: the first slot of a joint stands for it. */
static const uint32_t *find_slot_parents(const snw_scene *scene, uint32_t slot_count, snw_arena *arena) {
	uint32_t *parents = SNW_NEW_ARRAY(arena, uint32_t, slot_count);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, scene->skeleton.joint_count);
	memset(parents, 0xFF, slot_count * sizeof *parents);
	memset(slots, 0xFF, scene->skeleton.joint_count * sizeof *slots);
	for (uint32_t s = scene->slot_count < slot_count ? scene->slot_count : slot_count; s-- > 0;) {
		slots[scene->slot_joints[s]] = s;
	}
	for (uint32_t s = 0; s < slot_count && s < scene->slot_count; s++) {
		uint32_t joint = scene->skeleton.parents[scene->slot_joints[s]];
		while (joint != SNW_NONE && slots[joint] == SNW_NONE) {
			joint = scene->skeleton.parents[joint];
		}
		parents[s] = joint == SNW_NONE ? SNW_NONE : slots[joint];
	}
	return parents;
}

/* Weights of an affine blend are those of its rows. */
static const double *weights_of(const snw_program *program, snw_arena *arena) {
	if (program->blend != SNW_BLEND_AFFINE) {
		return program->influence_weights;
	}
	const uint32_t count = program->influence_offsets[program->point_count];
	double *weights = SNW_NEW_ARRAY(arena, double, count);
	for (uint32_t k = 0; k < count; k++) {
		weights[k] = snw_program_weight(program, k);
	}
	return weights;
}

static snw_status play_pose(const snw_stack *stack, uint32_t mesh, snw_evaluation *evaluation, const snw_program *program,
							const double *zeros, double *doubles, float *points, snw_error *error) {
	if (!program) {
		return snw_stack_run(stack, evaluation, mesh, points, error);
	}
	program_run run = {program, *snw_stack_program_input(evaluation, mesh, 0), doubles};
	run.input.d = run.input.e = zeros;
	snw_parallel_for(program->point_count, SKIN_GRAIN, run_range, &run);
	for (size_t i = 0; i < 3 * (size_t)program->point_count; i++) {
		points[i] = (float)doubles[i];
	}
	return SNW_OK;
}

snw_status lod_play_make(const snw_stack *stack, const snw_scene *scene, uint32_t mesh, uint32_t pose_count,
						 snw_pose *const *poses, const double *pose_weights, const snw_task *task, snw_arena *arena,
						 lod_play *play, snw_error *error) {
	const snw_mesh *from = &scene->meshes[mesh];
	const snw_program *program = lod_is_one_program(stack, mesh) ? snw_stack_segment(stack, mesh, 0).program : NULL;
	const uint32_t slot_count = program ? program->slot_count : scene->slot_count;
	double *palettes = SNW_NEW_ARRAY(arena, double, 12 * (size_t)slot_count * pose_count);
	*play = (lod_play){.pose_count = pose_count,
					   .pose_weights = pose_weights,
					   .slot_count = slot_count,
					   .slot_parents = find_slot_parents(scene, slot_count, arena),
					   .palettes = palettes,
					   .point_count = from->point_count,
					   .points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)from->point_count * pose_count),
					   .influence_offsets = program ? program->influence_offsets : from->influence_offsets,
					   .influence_slots = program ? program->influence_slots : from->influence_slots,
					   .influence_weights = program ? weights_of(program, arena) : from->influence_weights};
	snw_arena *scratch = snw_arena_create();
	snw_evaluation *evaluation = program ? snw_evaluation_create_reference(stack) : snw_evaluation_create(stack);
	double *global = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->skeleton.joint_count);
	double *palette = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->slot_count);
	double *doubles = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)from->point_count);
	const size_t zero_count = program ? (size_t)program->d_count + program->e_count : 0;
	const double *zeros = SNW_NEW_ARRAY(scratch, double, zero_count);
	snw_status status = SNW_OK;
	for (uint32_t p = 0; p < pose_count && !snw_failed(status); p++) {
		snw_pose_view view;
		snw_pose_solve(scene, poses[p], global, palette, &view);
		status = snw_stack_drive(stack, &view, evaluation, error);
		status = snw_failed(status) ? status
									: play_pose(stack, mesh, evaluation, program, zeros, doubles,
												play->points + 3 * (size_t)p * from->point_count, error);
		if (!snw_failed(status) && slot_count > 0) {
			const double *matrices = program ? snw_stack_program_input(evaluation, mesh, 0)->matrices : palette;
			memcpy(palettes + 12 * (size_t)slot_count * p, matrices, 12 * (size_t)slot_count * sizeof *palettes);
		}
		if (!snw_failed(status) && !snw_task_progress(task, (double)p / pose_count, "posing the character")) {
			status = snw_fail(error, SNW_CANCELLED, "making levels was cancelled");
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- one point ----------------------------------------------------------------------------------------------------------- */

typedef struct skin_point {
	uint32_t candidate_count, candidates[CANDIDATES]; /* slots, ascending */
	double rest[3];                                   /* of the stencils */
	double refined[3];
	double gram[CANDIDATES * CANDIDATES];
	uint32_t count, slots[SNK_NNLS_INFLUENCES]; /* the skin */
	double shares[SNK_NNLS_INFLUENCES];
} skin_point;

typedef struct skin_fit {
	const lod_play *play;
	const lod_level_mesh *mesh;
	float *points; /* [pose_count][point_count of the level][3] */
	skin_point *at;
	const bool *moves;      /* [slot_count]: slots that move points of some mesh */
	const bool *is_dropped; /* [slot_count]: joints that move no point; NULL: none */
	uint32_t influences;
	uint32_t dropped; /* the slot whose cost is asked for */
	double *costs;    /* [point_count] */
} skin_fit;

typedef struct candidate {
	uint32_t slot;
	double weight;
} candidate;

static int by_weight(const void *a, const void *b) {
	const candidate *x = a, *y = b;
	return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : (x->slot > y->slot) - (x->slot < y->slot);
}

static int by_slot(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static uint32_t add_candidate(candidate *found, uint32_t count, uint32_t slot, double weight) {
	for (uint32_t i = 0; i < count; i++) {
		if (found[i].slot == slot) {
			found[i].weight += weight;
			return count;
		}
	}
	if (count < 256) {
		found[count++] = (candidate){slot, weight};
	}
	return count;
}

/* The slots of the points of the stencil, those of the most weight; and, where joints are to be dropped, those above. */
static void find_candidates(const skin_fit *fit, uint32_t point, bool with_ancestors) {
	const lod_play *play = fit->play;
	const snw_stencils *stencils = &fit->mesh->stencils;
	skin_point *at = &fit->at[point];
	candidate found[256];
	uint32_t count = 0;
	for (uint32_t j = stencils->offsets[point]; j < stencils->offsets[point + 1]; j++) {
		const uint32_t source = stencils->indices[j];
		for (uint32_t k = play->influence_offsets[source]; k < play->influence_offsets[source + 1]; k++) {
			count =
				add_candidate(found, count, play->influence_slots[k], fabs(stencils->weights[j] * play->influence_weights[k]));
		}
	}
	qsort(found, count, sizeof *found, by_weight);
	const uint32_t most = with_ancestors ? CANDIDATES - MOST_ANCESTORS : CANDIDATES, near = count < most ? count : most;
	count = near;
	uint32_t slot = near > 0 ? found[0].slot : SNW_NONE;
	for (uint32_t n = 0; with_ancestors && slot != SNW_NONE && count < CANDIDATES && n < MOST_ANCESTORS; n++) {
		do {
			slot = play->slot_parents[slot];
		} while (slot != SNW_NONE && !fit->moves[slot]);
		count = slot == SNW_NONE ? count : add_candidate(found, count, slot, 0);
	}
	at->candidate_count = count;
	for (uint32_t i = 0; i < count; i++) {
		at->candidates[i] = found[i].slot;
	}
	qsort(at->candidates, count, sizeof *at->candidates, by_slot);
}

/* The Gram matrix of what each slot alone would leave. */
static void fill_gram(const skin_fit *fit, uint32_t point) {
	skin_point *at = &fit->at[point];
	const uint32_t count = at->candidate_count, level_points = fit->mesh->mesh.point_count;
	double residuals[CANDIDATES][3];
	memset(at->gram, 0, sizeof at->gram);
	for (uint32_t p = 0; p < fit->play->pose_count; p++) {
		const double *palette = fit->play->palettes + 12 * (size_t)fit->play->slot_count * p;
		const float *goal = fit->points + 3 * ((size_t)p * level_points + point);
		for (uint32_t c = 0; c < count; c++) {
			snw_mat34_point(palette + 12 * (size_t)at->candidates[c], at->refined, residuals[c]);
			for (int i = 0; i < 3; i++) {
				residuals[c][i] -= (double)goal[i];
			}
		}
		for (uint32_t c = 0; c < count; c++) {
			for (uint32_t d = 0; d <= c; d++) {
				at->gram[c * count + d] += fit->play->pose_weights[p] * snw_dot3(residuals[c], residuals[d]);
			}
		}
	}
	for (uint32_t c = 0; c < count; c++) {
		for (uint32_t d = 0; d < c; d++) {
			at->gram[d * count + c] = at->gram[c * count + d];
		}
	}
}

/* The candidates whose joints stay, but for one. */
static uint32_t list_kept(const skin_fit *fit, const skin_point *at, uint32_t without, uint32_t *kept) {
	uint32_t count = 0;
	for (uint32_t c = 0; c < at->candidate_count; c++) {
		const uint32_t slot = at->candidates[c];
		if (slot != without && !(fit->is_dropped && fit->is_dropped[slot])) {
			kept[count++] = c;
		}
	}
	return count;
}

/* The Gram matrix of the kept candidates alone. */
static void keep_gram(const skin_point *at, uint32_t count, const uint32_t *kept, double *gram) {
	for (uint32_t c = 0; c < count; c++) {
		for (uint32_t d = 0; d < count; d++) {
			gram[c * count + d] = at->gram[kept[c] * at->candidate_count + kept[d]];
		}
	}
}

static void fit_weights(const skin_fit *fit, uint32_t point) {
	skin_point *at = &fit->at[point];
	uint32_t kept[CANDIDATES];
	double gram[CANDIDATES * CANDIDATES];
	const uint32_t count = list_kept(fit, at, SNW_NONE, kept);
	if (count == 0) {
		return; /* nothing moves it */
	}
	snk_nnls_solution solution;
	keep_gram(at, count, kept, gram);
	snk_nnls_search(&(snk_nnls_problem){count, gram, NULL}, fit->influences, 0, NULL, &solution);
	at->count = solution.count;
	for (uint32_t i = 0; i < solution.count; i++) {
		at->slots[i] = at->candidates[kept[solution.support[i]]];
		at->shares[i] = solution.weights[i];
	}
}

/* The rest that the weights bring nearest to the goals. */
static void fit_rest(const skin_fit *fit, uint32_t point) {
	skin_point *at = &fit->at[point];
	const lod_play *play = fit->play;
	double normal[9] = {0}, side[3];
	const double firm = rest_ridge * play->pose_count;
	for (int i = 0; i < 3; i++) {
		normal[4 * i] = firm;
		side[i] = firm * at->rest[i];
	}
	for (uint32_t p = 0; p < play->pose_count; p++) {
		const double *palette = play->palettes + 12 * (size_t)play->slot_count * p;
		const float *goal = fit->points + 3 * ((size_t)p * fit->mesh->mesh.point_count + point);
		double m[12] = {0};
		for (uint32_t k = 0; k < at->count; k++) {
			for (int i = 0; i < 12; i++) {
				m[i] += at->shares[k] * palette[12 * (size_t)at->slots[k] + (size_t)i];
			}
		}
		const double weight = play->pose_weights[p];
		for (int r = 0; r < 3; r++) {
			const double left = (double)goal[r] - m[4 * r + 3];
			for (int i = 0; i < 3; i++) {
				side[i] += weight * m[4 * r + i] * left;
				for (int j = 0; j < 3; j++) {
					normal[3 * i + j] += weight * m[4 * r + i] * m[4 * r + j];
				}
			}
		}
	}
	if (snw_solve_positive(3, 1, normal, side)) {
		memcpy(at->refined, side, sizeof side);
	}
}

static void fit_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const skin_fit *fit = argument;
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		for (int round = 0; round < ROUNDS; round++) {
			if (round > 0 || fit->is_dropped == NULL) { /* where joints were dropped it is there already */
				fill_gram(fit, i);
			}
			fit_weights(fit, i);
			fit_rest(fit, i);
		}
	}
}

/* ---- fewer joints -------------------------------------------------------------------------------------------------------- */

static double least_cost(const skin_fit *fit, const skin_point *at, uint32_t without) {
	uint32_t kept[CANDIDATES];
	double gram[CANDIDATES * CANDIDATES];
	const uint32_t count = list_kept(fit, at, without, kept);
	if (count == 0) {
		return (double)INFINITY;
	}
	snk_nnls_solution solution;
	keep_gram(at, count, kept, gram);
	snk_nnls_solve(&(snk_nnls_problem){count, gram, NULL}, 0, NULL, &solution);
	return solution.cost;
}

/* What a point's error grows by without a slot. */
static void score_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const skin_fit *fit = argument;
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		const skin_point *at = &fit->at[i];
		bool has = false;
		for (uint32_t c = 0; c < at->candidate_count; c++) {
			has = has || at->candidates[c] == fit->dropped;
		}
		fit->costs[i] = has ? least_cost(fit, at, fit->dropped) - least_cost(fit, at, SNW_NONE) : 0;
	}
}

/* Several skins may have slots of one joint. A slot behind the scene's has a joint of its own. */
static uint32_t joint_of(const snw_scene *scene, uint32_t slot) {
	return slot < scene->slot_count ? scene->slot_joints[slot] : scene->skeleton.joint_count + slot;
}

/* Counts the joints of the slots that are marked. `slots` [joint_count of the scene + slot_count]: how many each has. */
static uint32_t count_joints(const snw_scene *scene, uint32_t slot_count, const bool *marked, uint32_t *slots) {
	uint32_t count = 0;
	memset(slots, 0, ((size_t)scene->skeleton.joint_count + slot_count) * sizeof *slots);
	for (uint32_t s = 0; s < slot_count; s++) {
		if (marked[s]) {
			count += slots[joint_of(scene, s)]++ == 0;
		}
	}
	return count;
}

/* Marks the slots that move points of the meshes. */
static void find_moving(uint32_t mesh_count, const lod_play *plays, bool *used) {
	for (uint32_t m = 0; m < mesh_count; m++) {
		const lod_play *play = &plays[m];
		const uint32_t all = play->influence_offsets ? play->influence_offsets[play->point_count] : 0;
		for (uint32_t k = 0; k < all; k++) {
			used[play->influence_slots[k]] = used[play->influence_slots[k]] || play->influence_weights[k] != 0;
		}
	}
}

static double cost_of_slot(uint32_t mesh_count, skin_fit *fits, uint32_t slot) {
	double cost = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		if (fits[m].at) {
			fits[m].dropped = slot;
			snw_parallel_for(fits[m].mesh->mesh.point_count, SKIN_GRAIN, score_points, &fits[m]);
			for (uint32_t i = 0; i < fits[m].mesh->mesh.point_count; i++) {
				cost += fits[m].costs[i];
			}
		}
	}
	return cost;
}

/* Drops the slot that costs least, until there are as few joints as asked for. A cost only grows when others go, so that of
 * before tells which has to be found again (as lazy greedy selection does: M. Minoux, 1978). */
static snw_status drop_joints(const snw_scene *scene, uint32_t mesh_count, skin_fit *fits, uint32_t joints, uint32_t slot_count,
							  const bool *used, bool *is_dropped, const snw_task *task, snw_arena *scratch, snw_error *error) {
	uint32_t *slots = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)scene->skeleton.joint_count + slot_count);
	uint32_t count = count_joints(scene, slot_count, used, slots);
	bool *is_new = SNW_NEW_ARRAY(scratch, bool, slot_count);
	double *costs = SNW_NEW_ARRAY(scratch, double, slot_count);
	const uint32_t before = count;
	while (count > joints) {
		uint32_t best = SNW_NONE;
		memset(is_new, 0, slot_count * sizeof *is_new);
		for (;;) {
			best = SNW_NONE;
			for (uint32_t s = 0; s < slot_count; s++) {
				best = used[s] && !is_dropped[s] && (best == SNW_NONE || costs[s] < costs[best]) ? s : best;
			}
			if (is_new[best] || isinf(costs[best])) {
				break;
			}
			costs[best] = cost_of_slot(mesh_count, fits, best);
			is_new[best] = true;
		}
		if (isinf(costs[best])) {
			return SNW_OK; /* some point follows it alone */
		}
		is_dropped[best] = true;
		count -= --slots[joint_of(scene, best)] == 0;
		if (!snw_task_progress(task, (double)(before - count) / (before - joints), "dropping joints")) {
			return snw_fail(error, SNW_CANCELLED, "making levels was cancelled");
		}
	}
	return SNW_OK;
}

/* ---- the skin of a level ------------------------------------------------------------------------------------------------- */

static void begin_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const skin_fit *fit = argument;
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		memcpy(fit->at[i].rest, fit->mesh->mesh.points_rest + 3 * (size_t)i, 3 * sizeof(double));
		memcpy(fit->at[i].refined, fit->at[i].rest, 3 * sizeof(double));
		find_candidates(fit, i, fit->is_dropped != NULL);
		if (fit->is_dropped) {
			fill_gram(fit, i);
		}
	}
}

static void put_skin(const skin_fit *fit, lod_level_mesh *to, snw_arena *arena) {
	snw_mesh *mesh = &to->mesh;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1), at = 0;
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		offsets[i + 1] = offsets[i] + fit->at[i].count;
		memcpy(rest + 3 * (size_t)i, fit->at[i].refined, 3 * sizeof *rest);
	}
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, offsets[mesh->point_count]);
	double *weights = SNW_NEW_ARRAY(arena, double, offsets[mesh->point_count]);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = 0; k < fit->at[i].count; k++, at++) {
			slots[at] = fit->at[i].slots[k];
			weights[at] = fit->at[i].shares[k];
		}
	}
	mesh->points_rest = rest;
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

snw_status lod_skin_fit(const snw_scene *scene, uint32_t mesh_count, const lod_play *plays, lod_level_mesh *meshes,
						const snw_lod_limits *limits, const snw_task *task, snw_arena *arena, uint32_t *joint_count,
						snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	skin_fit *fits = SNW_NEW_ARRAY(scratch, skin_fit, mesh_count);
	uint32_t slot_count = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		slot_count = plays[m].slot_count > slot_count ? plays[m].slot_count : slot_count;
	}
	bool *is_dropped = SNW_NEW_ARRAY(scratch, bool, slot_count), *used = SNW_NEW_ARRAY(scratch, bool, slot_count);
	bool *moves = SNW_NEW_ARRAY(scratch, bool, slot_count);
	find_moving(mesh_count, plays, moves);
	for (uint32_t m = 0; m < mesh_count; m++) {
		skin_fit *fit = &fits[m];
		const uint32_t points = meshes[m].mesh.point_count;
		*fit = (skin_fit){.play = &plays[m],
						  .mesh = &meshes[m],
						  .moves = moves,
						  .is_dropped = limits->joints > 0 ? is_dropped : NULL,
						  .influences = limits->influences};
		if (!plays[m].influence_offsets || points == 0) {
			continue;
		}
		fit->points = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)points * plays[m].pose_count);
		fit->at = SNW_NEW_ARRAY(scratch, skin_point, points);
		fit->costs = SNW_NEW_ARRAY(scratch, double, points);
		for (uint32_t p = 0; p < plays[m].pose_count; p++) {
			snw_stencils_apply_floats(&meshes[m].stencils, plays[m].points + 3 * (size_t)p * plays[m].point_count, 3,
									  fit->points + 3 * (size_t)p * points);
		}
		snw_parallel_for(points, SKIN_GRAIN, begin_points, fit);
	}
	snw_status status = limits->joints > 0 ? drop_joints(scene, mesh_count, fits, limits->joints, slot_count, moves, is_dropped,
														 task, scratch, error)
										   : SNW_OK;
	for (uint32_t m = 0; m < mesh_count && !snw_failed(status); m++) {
		if (fits[m].at) {
			snw_parallel_for(meshes[m].mesh.point_count, SKIN_GRAIN, fit_points, &fits[m]);
			put_skin(&fits[m], &meshes[m], arena);
		}
	}
	if (!snw_failed(status)) {
		for (uint32_t m = 0; m < mesh_count; m++) {
			const snw_mesh *mesh = &meshes[m].mesh;
			for (uint32_t k = 0; fits[m].at && k < mesh->influence_offsets[mesh->point_count]; k++) {
				used[mesh->influence_slots[k]] = true;
			}
		}
		uint32_t *slots = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)scene->skeleton.joint_count + slot_count);
		*joint_count = count_joints(scene, slot_count, used, slots);
	}
	snw_arena_destroy(scratch);
	return status;
}
