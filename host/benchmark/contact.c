/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact of two characters that are posed on demand, beside posing all and refitting the same tree; of a character with
 * itself; points inside one; and what a drag changes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "benchmark/benchmark.h"
#include "contact/contact.h"
#include "measure/contact_moments.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "program/program.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"
#include "task/task.h"

enum { POSES = 12, ROUNDS = 3, MOST_FRAMES = 60, INSIDE_POINTS = 10000 };
static const double LEAST_MOVED = 0.01; /* of the points, by a joint that is dragged */
#define TOUCHING 0.01                   /* pairs of triangles that meet, of all triangles */

/* The two characters: the same one at two poses. */
typedef struct contact_bench {
	const snw_scene *scene;
	snw_arena *arena;
	uint32_t mesh;
	const snw_program *program;
	snw_packed_program *packed[2]; /* one for each thread: a packed program holds what is computed from its input */
	snw_contact_tree *tree;
	snw_contact_mesh_pose *lazy[2], *whole[2];
	float *points, *rest;               /* [point_count][3] */
	snw_program_input inputs[2][POSES]; /* of the second, at no distance */
	double *matrices;                   /* of the second, moved */
	double seconds[4];                  /* of the last measurement: posing, refitting, traversing, on demand */
} contact_bench;

static bool count_pair(void *context, uint32_t first, uint32_t second, double distance) {
	(void)first;
	(void)second;
	(void)distance;
	++*(uint32_t *)context;
	return true;
}

/* The input of the second character, moved along x. */
static snw_program_input moved_input(const contact_bench *b, uint32_t pose, double by) {
	snw_program_input input = b->inputs[1][pose];
	memcpy(b->matrices, input.matrices, 12 * (size_t)b->program->slot_count * sizeof *b->matrices);
	for (size_t s = 0; s < b->program->slot_count; s++) {
		b->matrices[12 * s + 3] += by;
	}
	input.matrices = b->matrices;
	return input;
}

/* Poses everything and refits; adds the seconds of both. From the rest, so that all has moved. */
static void pose_whole(contact_bench *b, int side, const snw_program_input *input) {
	snw_contact_pose_points(b->whole[side], b->rest);
	const double begun = snk_clock_thread_seconds();
	snw_program_run(b->packed[0], input, NULL, b->points);
	const double posed = snk_clock_thread_seconds();
	snw_contact_pose_points(b->whole[side], b->points);
	b->seconds[0] += posed - begun;
	b->seconds[1] += snk_clock_thread_seconds() - posed;
}

static uint32_t run_whole(contact_bench *b, uint32_t pose, double by) {
	const snw_program_input second = moved_input(b, pose, by);
	uint32_t count = 0;
	pose_whole(b, 0, &b->inputs[0][pose]);
	pose_whole(b, 1, &second);
	const double begun = snk_clock_thread_seconds();
	snw_contact_pairs(b->whole[0], b->whole[1], 0, count_pair, &count);
	b->seconds[2] += snk_clock_thread_seconds() - begun;
	return count;
}

static uint32_t run_lazy(contact_bench *b, uint32_t pose, double by) {
	const snw_program_input second = moved_input(b, pose, by);
	uint32_t count = 0;
	const double begun = snk_clock_thread_seconds();
	snw_contact_pose_program(b->lazy[0], &b->inputs[0][pose]);
	snw_contact_pose_program(b->lazy[1], &second);
	snw_contact_pairs(b->lazy[0], b->lazy[1], 0, count_pair, &count);
	b->seconds[3] += snk_clock_thread_seconds() - begun;
	return count;
}

/* All posed by the tree itself: the float evaluator rounds otherwise. */
static uint32_t run_posed(contact_bench *b, uint32_t pose, double by) {
	const snw_program_input second = moved_input(b, pose, by), *inputs[2] = {&b->inputs[0][pose], &second};
	uint32_t count = 0;
	for (int side = 0; side < 2; side++) {
		snw_contact_pose_program(b->whole[side], inputs[side]);
		snw_contact_pose_all(b->whole[side]);
	}
	snw_contact_pairs(b->whole[0], b->whole[1], 0, count_pair, &count);
	return count;
}

/* How far the second character has to be moved for at most so many pairs, by bisection. */
static double find_distance(contact_bench *b, uint32_t pose, uint32_t most) {
	double near = 0, far = 2 * snw_scene_diagonal(b->scene, b->mesh);
	for (int i = 0; i < 24; i++) {
		const double middle = (near + far) / 2;
		*(run_lazy(b, pose, middle) > most ? &near : &far) = middle;
	}
	return far;
}

static int compare_numbers(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values, uint32_t count) {
	qsort(values, count, sizeof *values, compare_numbers);
	return count > 0 ? (values[(count - 1) / 2] + values[count / 2]) / 2 : 0;
}

/* The fastest of several rounds of both, in turn, at one pair of poses. */
static void measure_pose(contact_bench *b, uint32_t pose, double by, double best[4], snw_bench_contact_row *row) {
	for (int i = 0; i < 4; i++) {
		best[i] = INFINITY;
	}
	for (int round = 0; round < ROUNDS; round++) {
		memset(b->seconds, 0, sizeof b->seconds);
		(void)run_whole(b, pose, by);
		row->pairs = run_lazy(b, pose, by);
		for (int i = 0; i < 4; i++) {
			best[i] = fmin(best[i], b->seconds[i]);
		}
	}
	row->same_pairs = row->same_pairs && run_posed(b, pose, by) == row->pairs;
	const snw_contact_cost costs[2] = {snw_contact_mesh_cost(b->lazy[0]), snw_contact_mesh_cost(b->lazy[1])};
	row->bounded += (double)(costs[0].bounded + costs[1].bounded) / POSES;
	row->skinned += (double)(costs[0].skinned + costs[1].skinned) / POSES;
}

/* `gap`: beyond where they part, metres; NaN: where they touch. */
static void measure_row(contact_bench *b, const char *placement, double gap, snw_bench_contact_row *row) {
	double values[4][POSES];
	*row = (snw_bench_contact_row){
		.placement = placement, .points = b->program->point_count, .gap_mm = 1000 * gap, .same_pairs = true};
	for (uint32_t pose = 0; pose < POSES; pose++) {
		const uint32_t most = isnan(gap) ? (uint32_t)(TOUCHING * snw_contact_tree_triangles(b->tree)) : 0;
		const double by = find_distance(b, pose, most) + (isnan(gap) ? 0 : gap);
		double best[4];
		measure_pose(b, pose, by, best, row);
		for (int i = 0; i < 4; i++) {
			values[i][pose] = best[i];
		}
	}
	row->pose_seconds = median(values[0], POSES);
	row->refit_seconds = median(values[1], POSES);
	row->traverse_seconds = median(values[2], POSES);
	row->seconds = median(values[3], POSES);
	const double all = row->pose_seconds + row->refit_seconds + row->traverse_seconds;
	row->ratio = all / row->seconds;
	row->ceiling = all / row->traverse_seconds;
}

/* ---- a character alone --------------------------------------------------------------------------------------------------- */

static snw_status pose_at(const contact_bench *b, const snw_stack *stack, snw_evaluation *evaluation, uint32_t clip,
						  double seconds, snw_program_input *input, snw_error *error) {
	const snw_pose *pose = snw_pose_sample(b->scene, clip, seconds, b->arena);
	const snw_status status = snw_stack_drive(stack, snw_pose_view_make(b->scene, pose, b->arena), evaluation, error);
	if (!snw_failed(status)) {
		*input = *snw_stack_program_input(evaluation, b->mesh, 0);
		input->matrices = snw_arena_copy(b->arena, input->matrices, 12 * (size_t)b->program->slot_count * sizeof(double));
		input->d = snw_arena_copy(b->arena, input->d, b->program->d_count * sizeof *input->d);
		input->e = snw_arena_copy(b->arena, input->e, b->program->e_count * sizeof *input->e);
		input->rotations = snw_arena_copy(b->arena, input->rotations, 9 * (size_t)b->program->posed.count * sizeof(double));
	}
	return status;
}

/* Frames that two threads share. */
typedef struct shared_frames {
	contact_bench *b;
	const snw_program_input *inputs;
	float *points[2];
	double seconds[2];
	uint32_t pairs[2];
} shared_frames;

static void find_shared(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	shared_frames *of = argument;
	const double begun = snk_clock_thread_seconds();
	for (uint32_t f = begin; f < end; f++) {
		snw_contact_mesh_pose *whole = of->b->whole[thread];
		snw_program_run(of->b->packed[thread], &of->inputs[f], NULL, of->points[thread]);
		snw_contact_pose_points(whole, of->points[thread]);
		snw_contact_self_pairs(whole, 0, count_pair, &of->pairs[thread]);
	}
	of->seconds[thread] += snk_clock_thread_seconds() - begun;
}

static double share_frames(contact_bench *b, const snw_program_input *inputs, uint32_t count, uint32_t *pairs) {
	shared_frames of = {.b = b, .inputs = inputs};
	for (int i = 0; i < 2; i++) {
		of.points[i] = SNW_NEW_ARRAY(b->arena, float, 3 * (size_t)b->program->point_count);
	}
	snw_parallel_threads(2);
	snw_parallel_for(count, 1, find_shared, &of);
	snw_parallel_threads(1);
	*pairs = of.pairs[0] + of.pairs[1];
	return fmax(of.seconds[0], of.seconds[1]);
}

static snw_status measure_self(contact_bench *b, const snw_stack *stack, snw_evaluation *evaluation, uint32_t clip,
							   snw_bench_contact_self *self, snw_error *error) {
	double *times;
	uint32_t count;
	snw_program_input inputs[MOST_FRAMES];
	snw_status status = SNW_OK;
	snw_clip_times(b->scene, clip, b->arena, &times, &count);
	*self = (snw_bench_contact_self){.clip = b->scene->clips[clip].name, .points = b->program->point_count};
	for (; self->frames < count && self->frames < MOST_FRAMES && !snw_failed(status); self->frames++) {
		status = pose_at(b, stack, evaluation, clip, times[self->frames], &inputs[self->frames], error);
	}
	if (snw_failed(status)) {
		return status;
	}
	uint32_t pairs;
	self->two_threads_seconds = share_frames(b, inputs, self->frames, &pairs);
	memset(b->seconds, 0, sizeof b->seconds);
	for (uint32_t f = 0; f < self->frames; f++) {
		pose_whole(b, 0, &inputs[f]);
		const double begun = snk_clock_thread_seconds();
		snw_contact_self_pairs(b->whole[0], 0, count_pair, &self->pairs);
		self->traverse_seconds += snk_clock_thread_seconds() - begun;
	}
	self->seconds = b->seconds[0] + b->seconds[1] + self->traverse_seconds;
	self->same_pairs = self->pairs == pairs;
	return status;
}

/* Points in the box of the mesh at its last pose. */
static void measure_inside(contact_bench *b, snw_bench_contact_self *self) {
	uint64_t random = 1;
	double low[3], high[3];
	for (int c = 0; c < 3; c++) {
		low[c] = INFINITY;
		high[c] = -INFINITY;
		for (size_t p = 0; p < b->program->point_count; p++) {
			low[c] = fmin(low[c], (double)b->points[3 * p + (size_t)c]);
			high[c] = fmax(high[c], (double)b->points[3 * p + (size_t)c]);
		}
	}
	double begun = snk_clock_thread_seconds();
	snw_contact_make_dipoles(b->whole[0]);
	self->dipole_seconds = snk_clock_thread_seconds() - begun;
	begun = snk_clock_thread_seconds();
	for (int i = 0; i < INSIDE_POINTS; i++) {
		double point[3];
		for (int c = 0; c < 3; c++) {
			point[c] = low[c] + (high[c] - low[c]) * (double)(snw_random_next(&random) >> 11) / 9007199254740992.0;
		}
		self->inside += snw_contact_winding(b->whole[0], point, SNW_CONTACT_INSIDE) > SNW_CONTACT_INSIDE;
	}
	self->inside_seconds = snk_clock_thread_seconds() - begun;
}

/* ---- drags --------------------------------------------------------------------------------------------------------------- */

/* The scene with the measured mesh alone. */
typedef struct drag_bench {
	snw_scene scene;
	const contact_bench *of;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	snw_touching *touching;
	const snw_pose_view *poses[2]; /* before and after the drag */
	float *points[2];
} drag_bench;

static snw_status pose_drag(drag_bench *d, int which, snw_error *error) {
	const snw_status status = snw_stack_drive(d->stack, d->poses[which], d->evaluation, error);
	return snw_failed(status) ? status : snw_stack_run(d->stack, d->evaluation, d->of->mesh, d->points[which], error);
}

/* `joint` rotated by 5 degrees more. */
static void bend(drag_bench *d, const snw_pose *pose, uint32_t joint) {
	snw_pose *bent = snw_pose_copy(d->of->scene, pose, d->of->arena);
	double by[4], rotation[4];
	snw_quat_from_rotation_vector((const double[3]){0, 0, M_PI / 36}, by);
	snw_quat_multiply(bent->local[joint].rotation, by, rotation);
	memcpy(bent->local[joint].rotation, rotation, sizeof rotation);
	d->poses[1] = snw_pose_view_make(d->of->scene, bent, d->of->arena);
}

/* The share of the points that the drag has moved. */
static double share_moved(const drag_bench *d) {
	const uint32_t count = d->of->scene->meshes[d->of->mesh].point_count;
	uint32_t displaced = 0;
	for (size_t p = 0; p < count; p++) {
		displaced += memcmp(d->points[0] + 3 * p, d->points[1] + 3 * p, 3 * sizeof(float)) != 0;
	}
	return (double)displaced / count;
}

/* Seconds of posing, of the drag with it, and of a test of everything with it. */
static snw_status time_drag(drag_bench *d, double best[3], snw_bench_contact_drag *drag, snw_error *error) {
	snw_status status = SNW_OK;
	best[0] = best[1] = best[2] = INFINITY;
	for (int round = 0; round < ROUNDS && !snw_failed(status); round++) {
		snw_touching_test(d->touching, (const float *const *)&d->points[0], d->poses[0]->global);
		double begun = snk_clock_thread_seconds();
		status = pose_drag(d, 1, error);
		const double posed = snk_clock_thread_seconds() - begun;
		snw_touching_move(d->touching, (const float *const *)&d->points[1], d->poses[1]->global);
		best[0] = fmin(best[0], posed);
		best[1] = fmin(best[1], snk_clock_thread_seconds() - begun);
		drag->pairs = snw_touching_pairs(d->touching);
		begun = snk_clock_thread_seconds();
		snw_touching_test(d->touching, (const float *const *)&d->points[1], d->poses[1]->global);
		best[2] = fmin(best[2], posed + snk_clock_thread_seconds() - begun);
		drag->same_pairs = drag->same_pairs && snw_touching_pairs(d->touching) == drag->pairs;
	}
	return status;
}

/* Joints that move a hundredth of the points or more, spread over the skeleton. */
static snw_status measure_drags(drag_bench *d, const snw_pose *pose, snw_bench_contact_drag *drag, snw_error *error) {
	const snw_skeleton *skeleton = &d->of->scene->skeleton;
	double values[3][POSES] = {{0}};
	uint32_t *joints = SNW_NEW_ARRAY(d->of->arena, uint32_t, skeleton->joint_count), count = 0;
	d->poses[0] = snw_pose_view_make(d->of->scene, pose, d->of->arena);
	snw_status status = pose_drag(d, 0, error);
	for (uint32_t j = 0; j < skeleton->joint_count && !snw_failed(status); j++) {
		bend(d, pose, j);
		status = pose_drag(d, 1, error);
		joints[count] = j;
		count += share_moved(d) >= LEAST_MOVED;
	}
	const uint32_t most = count < POSES ? count : POSES;
	*drag = (snw_bench_contact_drag){.points = d->of->program->point_count, .same_pairs = true, .slowest = ""};
	for (; drag->joints < most && !snw_failed(status); drag->joints++) {
		const uint32_t joint = joints[(uint64_t)drag->joints * count / most];
		double best[3];
		bend(d, pose, joint);
		status = time_drag(d, best, drag, error);
		for (int i = 0; i < 3; i++) {
			values[i][drag->joints] = best[i];
		}
		if (best[1] > drag->slowest_seconds) {
			drag->slowest_seconds = best[1];
			drag->slowest = skeleton->names[joint];
		}
	}
	drag->pose_seconds = median(values[0], most);
	drag->seconds = median(values[1], most);
	drag->all_seconds = median(values[2], most);
	return status;
}

static snw_status measure_drag(const contact_bench *b, const snw_stack *stack, snw_bench_contact_drag *drag, snw_error *error) {
	drag_bench d = {.scene = *b->scene, .of = b, .stack = stack, .evaluation = snw_evaluation_create(stack)};
	d.scene.meshes = b->scene->meshes + b->mesh;
	d.scene.mesh_count = 1;
	for (int i = 0; i < 2; i++) {
		d.points[i] = SNW_NEW_ARRAY(b->arena, float, 3 * (size_t)b->program->point_count);
	}
	d.touching = snw_touching_create(&d.scene, snw_contact_default_neighbours(b->scene), snw_contact_default_patch(b->scene));
	const snw_clip *clip = &b->scene->clips[b->scene->clip_count - 1];
	const snw_pose *pose = snw_pose_sample(b->scene, b->scene->clip_count - 1, clip->duration_seconds / 2, b->arena);
	const snw_status status = measure_drags(&d, pose, drag, error);
	snw_touching_destroy(d.touching);
	snw_evaluation_destroy(d.evaluation);
	return status;
}

/* ---- all ----------------------------------------------------------------------------------------------------------------- */

static void open_bench(contact_bench *b) {
	b->tree = snw_contact_tree_make(&b->scene->meshes[b->mesh], b->program, b->arena);
	for (int i = 0; i < 2; i++) {
		b->packed[i] = snw_program_pack(b->program);
		b->lazy[i] = snw_contact_mesh_pose_make(b->tree, b->arena);
		b->whole[i] = snw_contact_mesh_pose_make(b->tree, b->arena);
	}
	b->points = SNW_NEW_ARRAY(b->arena, float, 3 * (size_t)b->program->point_count);
	b->rest = SNW_NEW_ARRAY(b->arena, float, 3 * (size_t)b->program->point_count);
	for (size_t i = 0; i < 3 * (size_t)b->program->point_count; i++) {
		b->rest[i] = (float)b->program->points_rest[i];
	}
	b->matrices = SNW_NEW_ARRAY(b->arena, double, 12 * (size_t)b->program->slot_count);
}

/* Pairs of moments of the clips, spread over them. */
static snw_status take_poses(contact_bench *b, const snw_stack *stack, snw_evaluation *evaluation, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < 2 * POSES && !snw_failed(status); i++) {
		const uint32_t clip = i / 2 % b->scene->clip_count;
		const double seconds = b->scene->clips[clip].duration_seconds * (i + 0.5) / (2 * POSES);
		status = pose_at(b, stack, evaluation, clip, seconds, &b->inputs[i % 2][i / 2], error);
	}
	return status;
}

static snw_status measure(contact_bench *b, const snw_stack *stack, snw_evaluation *evaluation, const snw_task *task,
						  snw_bench_contact *answer, snw_error *error) {
	static const struct {
		const char *placement;
		double gap;
	} rows[SNW_BENCH_CONTACT_ROWS] = {{"far", 2}, {"5 cm", 0.05}, {"1 cm", 0.01}, {"touching", (double)NAN}};
	snw_status status = take_poses(b, stack, evaluation, error);
	for (int i = 0; i < SNW_BENCH_CONTACT_ROWS && !snw_failed(status); i++) {
		if (!snw_task_progress(task, (double)i / (SNW_BENCH_CONTACT_ROWS + 1), rows[i].placement)) {
			return snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
		}
		measure_row(b, rows[i].placement, rows[i].gap, &answer->rows[i]);
	}
	status = snw_failed(status) ? status : measure_self(b, stack, evaluation, b->scene->clip_count - 1, &answer->self, error);
	if (!snw_failed(status)) {
		measure_inside(b, &answer->self);
	}
	return snw_failed(status) ? status : measure_drag(b, stack, &answer->drag, error);
}

snw_status snw_bench_contact_run(const snw_scene *scene, const snw_registry *registry, uint32_t poses, const snw_task *task,
								 snw_bench_contact *answer, snw_error *error) {
	const snw_stack_options options = {0};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, registry, &options, task, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	contact_bench b = {.scene = scene, .arena = snw_arena_create(), .mesh = snw_scene_largest_mesh(scene)};
	if (scene->clip_count == 0 || b.mesh == SNW_NONE || snw_stack_segment_count(stack, b.mesh) != 1 ||
		!snw_stack_segment(stack, b.mesh, 0).is_program || scene->meshes[b.mesh].face_count == 0) {
		status = snw_fail(error, SNW_ERROR_MISSING,
						  "the benchmark needs a character with faces, a clip, and layers that lower to one program");
	} else {
		const uint32_t threads = snw_parallel_thread_count();
		snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
		b.program = snw_stack_segment(stack, b.mesh, 0).program;
		open_bench(&b);
		snw_parallel_threads(1);
		status = measure(&b, stack, evaluation, task, answer, error);
		if (!snw_failed(status)) {
			status = snw_bench_contact_sweep_run(scene, stack, b.mesh, 1, poses, task, &answer->sweep, error);
		}
		snw_parallel_threads(threads);
		snw_packed_program_destroy(b.packed[0]);
		snw_packed_program_destroy(b.packed[1]);
		snw_evaluation_destroy(evaluation);
	}
	snw_stack_destroy(stack);
	snw_arena_destroy(b.arena);
	return status;
}

/* ---- a sweep of pairs ---------------------------------------------------------------------------------------------------- */

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
