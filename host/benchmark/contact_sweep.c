/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmark/benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

static const double LARGEST_ANGLE = 3, LARGEST_STRETCH = 0.15, FARTHEST = 0.1; /* radians; a share; of the diagonal */

typedef struct sweep_bench {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	uint32_t mesh;
	const snw_contact_tree *tree;
	snw_contact_mesh_pose *lazy[2], *whole[2];
	uint64_t random;
} sweep_bench;

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static double random_number(uint64_t *random, double low, double high) {
	return low + (high - low) * (double)(snw_random_next(random) >> 11) * 0x1p-53;
}

/* The rest with every joint rotated, and stretched if so. */
static const snw_pose *random_joints(sweep_bench *b, bool is_stretched, snw_arena *arena) {
	const snw_skeleton *skeleton = &b->scene->skeleton;
	snw_pose *pose = snw_pose_copy(b->scene, snw_pose_rest(b->scene, arena), arena);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		double *vector = pose->rotation_vectors + 3 * (size_t)j, rotation[4];
		for (int c = 0; c < 3; c++) {
			vector[c] = random_number(&b->random, -LARGEST_ANGLE, LARGEST_ANGLE) / sqrt(3);
			pose->local[j].scale[c] *= is_stretched ? random_number(&b->random, 1 - LARGEST_STRETCH, 1 + LARGEST_STRETCH) : 1;
		}
		snw_quat_from_rotation_vector(vector, rotation);
		snw_quat_multiply(skeleton->rest_local[j].rotation, rotation, pose->local[j].rotation);
	}
	return pose;
}

static snw_status random_input(sweep_bench *b, bool is_stretched, double by, snw_arena *arena, snw_program_input *input,
							   snw_error *error) {
	const snw_program *program = snw_stack_segment(b->stack, b->mesh, 0).program;
	const snw_pose *pose = random_joints(b, is_stretched, arena);
	const snw_status status = snw_stack_drive(b->stack, snw_pose_view_make(b->scene, pose, arena), b->evaluation, error);
	if (!snw_failed(status)) {
		*input = *snw_stack_program_input(b->evaluation, b->mesh, 0);
		double *matrices = snw_arena_copy(arena, input->matrices, 12 * (size_t)program->slot_count * sizeof *matrices);
		for (size_t s = 0; s < program->slot_count; s++) {
			matrices[12 * s + 3] += by;
		}
		input->matrices = matrices;
		input->d = snw_arena_copy(arena, input->d, program->d_count * sizeof *input->d);
		input->e = snw_arena_copy(arena, input->e, program->e_count * sizeof *input->e);
	}
	return status;
}

/* ---- the sweep ----------------------------------------------------------------------------------------------------------- */

typedef struct swept_pairs {
	snw_arena *arena;
	snw_contact_list list;
} swept_pairs;

static bool take_swept_pair(void *context, uint32_t first, uint32_t second, double distance) {
	swept_pairs *to = context;
	snw_contact_list *list = &to->list;
	list->pairs = snw_arena_grow(to->arena, list->pairs, list->count, &list->capacity, sizeof *list->pairs);
	return snw_contact_list_take(list, first, second, distance);
}

typedef struct swept_triangle {
	double low[3], high[3];
	uint32_t triangle;
} swept_triangle;

static int compare_swept(const void *a, const void *b) {
	const swept_triangle *x = a, *y = b;
	return (x->low[0] > y->low[0]) - (x->low[0] < y->low[0]);
}

/* By where they begin along x. */
static swept_triangle *list_swept(const snw_contact_mesh_pose *pose, uint32_t count, snw_arena *arena) {
	swept_triangle *list = SNW_NEW_ARRAY(arena, swept_triangle, count);
	for (uint32_t t = 0; t < count; t++) {
		const snw_triangle at = snw_contact_mesh_triangle(pose, t);
		list[t].triangle = t;
		for (int c = 0; c < 3; c++) {
			list[t].low[c] = fmin(fmin(at.corners[0][c], at.corners[1][c]), at.corners[2][c]);
			list[t].high[c] = fmax(fmax(at.corners[0][c], at.corners[1][c]), at.corners[2][c]);
		}
	}
	qsort(list, count, sizeof *list, compare_swept);
	return list;
}

static bool have_common_point(const snw_contact_tree *tree, uint32_t a, uint32_t b) {
	const uint32_t *first = snw_contact_tree_corners(tree, a), *second = snw_contact_tree_corners(tree, b);
	bool is_common = false;
	for (int k = 0; k < 9; k++) {
		is_common = is_common || first[k / 3] == second[k % 3];
	}
	return is_common;
}

/* Without a tree: each triangle against all that it overlaps along x. */
static void find_by_sweep(const sweep_bench *b, const snw_contact_mesh_pose *second, swept_pairs *to) {
	const snw_contact_mesh_pose *first = b->whole[0];
	const uint32_t count = snw_contact_tree_triangles(b->tree);
	const bool is_self = first == second;
	const swept_triangle *one = list_swept(first, count, to->arena), *other = list_swept(second, count, to->arena);
	double longest = 0;
	for (uint32_t t = 0; t < count; t++) {
		longest = fmax(longest, other[t].high[0] - other[t].low[0]);
	}
	for (uint32_t i = 0, begin = 0; i < count; i++) {
		const swept_triangle *a = &one[i];
		const snw_triangle at = snw_contact_mesh_triangle(first, a->triangle);
		for (; begin < count && other[begin].low[0] < a->low[0] - longest; begin++) {
		}
		for (const swept_triangle *c = other + begin; c < other + count && c->low[0] <= a->high[0]; c++) {
			const bool is_apart = c->high[0] < a->low[0] || c->high[1] < a->low[1] || c->low[1] > a->high[1] ||
								  c->high[2] < a->low[2] || c->low[2] > a->high[2];
			if (is_apart || (is_self && (a->triangle >= c->triangle || have_common_point(b->tree, a->triangle, c->triangle)))) {
				continue;
			}
			const snw_triangle of = snw_contact_mesh_triangle(second, c->triangle);
			if (snw_triangles_meet(&at, &of)) {
				take_swept_pair(to, a->triangle, c->triangle, 0);
			}
		}
	}
}

/* What one list has and the other has not. */
static void compare_lists(swept_pairs *found, swept_pairs *expected, snw_bench_contact_sweep *answer) {
	const uint32_t counts[2] = {snw_contact_list_sort(&found->list), snw_contact_list_sort(&expected->list)};
	for (uint32_t i = 0, j = 0; i < counts[0] || j < counts[1];) {
		const uint32_t none[2] = {SNW_NONE, SNW_NONE}, *a = i < counts[0] ? found->list.pairs[i].triangles : none,
					   *b = j < counts[1] ? expected->list.pairs[j].triangles : none;
		const bool is_extra = a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
		const bool is_missed = b[0] < a[0] || (a[0] == b[0] && b[1] < a[1]);
		answer->extra += is_extra;
		answer->missed += is_missed;
		i += !is_missed;
		j += !is_extra;
	}
}

/* ---- all ----------------------------------------------------------------------------------------------------------------- */

static snw_status sweep_pose(sweep_bench *b, bool is_stretched, snw_bench_contact_sweep *answer, snw_arena *arena,
							 snw_error *error) {
	snw_program_input inputs[2];
	swept_pairs lists[4] = {{.arena = arena}, {.arena = arena}, {.arena = arena}, {.arena = arena}};
	const double most = FARTHEST * snw_scene_diagonal(b->scene, b->mesh);
	for (int side = 0; side < 2; side++) {
		uint32_t boxes;
		const double by = side * random_number(&b->random, 0, most);
		const snw_status status = random_input(b, is_stretched, by, arena, &inputs[side], error);
		if (snw_failed(status)) {
			return status;
		}
		snw_contact_pose_program(b->lazy[side], &inputs[side]);
		snw_contact_pose_program(b->whole[side], &inputs[side]);
		snw_contact_pose_all(b->whole[side]);
		answer->outside += snw_contact_places_outside(b->lazy[side], b->whole[side], &boxes);
		snw_contact_pose_program(b->lazy[side], &inputs[side]);
	}
	snw_contact_pairs(b->lazy[0], b->lazy[1], 0, take_swept_pair, &lists[0]);
	find_by_sweep(b, b->whole[1], &lists[1]);
	compare_lists(&lists[0], &lists[1], answer);
	snw_contact_self_pairs(b->lazy[0], 0, take_swept_pair, &lists[2]);
	find_by_sweep(b, b->whole[0], &lists[3]);
	compare_lists(&lists[2], &lists[3], answer);
	answer->pairs += lists[1].list.count;
	answer->self_pairs += lists[3].list.count;
	return SNW_OK;
}

snw_status snw_bench_contact_sweep_run(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, uint64_t random,
									   uint32_t poses, const snw_task *task, snw_bench_contact_sweep *answer,
									   snw_error *error) {
	snw_arena *arena = snw_arena_create();
	sweep_bench b = {.scene = scene,
					 .stack = stack,
					 .evaluation = snw_evaluation_create_reference(stack),
					 .mesh = mesh,
					 .tree = snw_contact_tree_make(&scene->meshes[mesh], snw_stack_segment(stack, mesh, 0).program, arena),
					 .random = random};
	for (int i = 0; i < 2; i++) {
		b.lazy[i] = snw_contact_mesh_pose_make(b.tree, arena);
		b.whole[i] = snw_contact_mesh_pose_make(b.tree, arena);
	}
	*answer =
		(snw_bench_contact_sweep){.points = scene->meshes[mesh].point_count, .triangles = snw_contact_tree_triangles(b.tree)};
	snw_status status = SNW_OK;
	for (; answer->poses < poses && !snw_failed(status); answer->poses++) {
		const bool is_stretched = answer->poses % 4 == 0;
		snw_arena *of_pose = snw_arena_create();
		status = snw_task_progress(task, (double)answer->poses / poses, "random poses")
					 ? sweep_pose(&b, is_stretched, answer, of_pose, error)
					 : snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
		answer->stretched += is_stretched;
		snw_arena_destroy(of_pose);
	}
	snw_evaluation_destroy(b.evaluation);
	snw_arena_destroy(arena);
	return status;
}
