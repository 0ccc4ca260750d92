/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/push_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "example/driver.h"
#include "example/push_frames.h"
#include "example/sides.h"
#include "example/store_sculpt.h"
#include "fit/commit.h"
#include "fit/fit.h"
#include "fit/sculpt_reference.h"
#include "pose/pose.h"
#include "pose/pose_sets.h"
#include "sculpt/symmetry_plane.h"
#include "sinew/algebra.h"

enum { MOST_JOINTS = 12, MOST_STEPS = 16, HALVINGS = 4, MOST_OTHER_FRAMES = 60 };
static const double FIRST_WEIGHT = 0.3, STRONGER = 4; /* of what rows lack; stronger where it stops helping */
static const double ENOUGH = 0.98;                    /* a step that leaves more is none */
static const double SAME_ANGLE = 0.05;                /* radians: poses that are less apart are one */
static const double TRIAL = 1e-3;                     /* of the diagonal: a sculpt whose shape does not matter */

/* What drives the examples on a side. */
typedef struct push_side {
	const char *group; /* NULL: nothing bends there */
	uint32_t joint_count, joints[MOST_JOINTS];
	double *coefficients; /* [frame_count][example_count] */
} push_side;

typedef struct pushing {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_push_request *request;
	const snw_task *task;
	snw_arena *arena;
	const snw_mesh *mesh;
	double diagonal;
	uint32_t corrective; /* a layer; SNW_NONE: there is none yet */
	snw_stack *stack;
	uint32_t moment_count, frame_count;
	snw_contact_moment *moments; /* of all clips that move joints */
	snw_push_frame *frames;      /* moments of the clips that were asked for, and some of the others */
	snw_push_frames *all;
	const double *is_left;  /* [point_count]: 0 to 1 */
	snw_mirror_plane plane; /* between the sides */
	uint32_t *chosen;       /* frames, those of the examples */
	bool *excluded;         /* [frame_count]: the drivers cannot tell it from rest or from a chosen one */
	uint32_t chosen_count;
	push_side sides[2]; /* left, right; of one that both share the first */
	snw_push_out push;
	double *displacements;
} pushing;

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

static bool is_asked(const snw_push_request *request, uint32_t clip) {
	bool is = false;
	for (uint32_t c = 0; c < request->clip_count; c++) {
		is = is || request->clips[c] == clip;
	}
	return is;
}

static void list_frames(pushing *p) {
	uint32_t room = 0, other_count = 0, other = 0;
	for (uint32_t c = 0; c < p->scene->clip_count; c++) {
		if (snw_clip_moves_joints(&p->scene->clips[c])) {
			snw_contact_moments_add_clip(p->scene, c, p->arena, &p->moments, &p->moment_count, &room);
		}
	}
	for (uint32_t m = 0; m < p->moment_count; m++) {
		other_count += !is_asked(p->request, p->moments[m].clip);
	}
	p->frames = SNW_NEW_ARRAY(p->arena, snw_push_frame, p->moment_count);
	for (uint32_t m = 0; m < p->moment_count; m++) {
		const bool asked = is_asked(p->request, p->moments[m].clip);
		const bool is_every =
			other_count <= MOST_OTHER_FRAMES || (uint64_t)other * MOST_OTHER_FRAMES % other_count < MOST_OTHER_FRAMES;
		other += !asked;
		if (asked || is_every) {
			p->frames[p->frame_count++] = (snw_push_frame){.moment = &p->moments[m], .is_asked = asked};
		}
	}
}

/* How far a joint is rotated between two poses, at most, radians; NULL is the rest. */
static double angle_between(const pushing *p, const snw_pose_view *one, const snw_pose_view *other) {
	double most = 0;
	for (size_t j = 0; j < p->scene->skeleton.joint_count; j++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = one->rotation_vectors[3 * j + c] - (other ? other->rotation_vectors[3 * j + c] : 0);
		}
		most = fmax(most, snw_length3(gap));
	}
	return most;
}

static snw_pose *pose_of_frame(const pushing *p, uint32_t frame) {
	const snw_contact_moment *moment = p->frames[frame].moment;
	return snw_pose_sample(p->scene, moment->clip, moment->seconds, p->arena);
}

/* A pose that could have an example: of a clip that was asked for, away from rest and from those that have one. */
static bool may_choose(const pushing *p, uint32_t frame) {
	const snw_pose_view *pose = p->frames[frame].moment->pose;
	bool may = p->frames[frame].is_asked && !p->excluded[frame] && angle_between(p, pose, NULL) > SAME_ANGLE;
	for (uint32_t k = 0; k < p->chosen_count && may; k++) {
		may = angle_between(p, pose, p->frames[p->chosen[k]].moment->pose) > SAME_ANGLE;
	}
	return may && snw_sculpt_example(p->scene, p->request->mesh, pose_of_frame(p, frame)) == SNW_NONE;
}

/* The deepest frame that could have an example; SNW_NONE for none. */
static uint32_t choose_frame(const pushing *p) {
	uint32_t found = SNW_NONE;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		const bool is_deeper = p->frames[f].deepest > (found == SNW_NONE ? p->request->deepest : p->frames[found].deepest);
		if (is_deeper && may_choose(p, f)) {
			found = f;
		}
	}
	return found;
}

static double deepest_asked(const pushing *p) {
	double deepest = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		deepest = p->frames[f].is_asked ? fmax(deepest, p->frames[f].deepest) : deepest;
	}
	return deepest;
}

/* ---- what drives the examples -------------------------------------------------------------------------------------------- */

/* Adds the joints that drive what is deep on a side at a frame. */
static snw_status add_drivers(pushing *p, uint32_t frame, uint32_t side, snw_error *error) {
	const size_t points = p->mesh->point_count;
	push_side *to = &p->sides[side];
	double *pushed = snw_arena_copy(p->arena, p->mesh->points_rest, 3 * points * sizeof *pushed);
	double *depths = SNW_NEW_ARRAY(p->arena, double, points);
	bool is_any = false;
	snw_push_frames_depths(p->all, frame, depths);
	for (size_t i = 0; i < points; i++) {
		const bool is_of_side = (p->is_left[i] >= 0.5) == (side == 0);
		pushed[3 * i] += is_of_side ? depths[i] : 0; /* only how far counts */
		is_any = is_any || (is_of_side && depths[i] > p->request->deepest);
	}
	const snw_driver_query query = {p->request->mesh, pose_of_frame(p, frame), pushed, p->mesh->points_rest, p->corrective};
	snw_driver *drivers;
	uint32_t count = 0;
	const snw_status status =
		is_any ? snw_find_drivers(p->scene, p->registry, &query, p->arena, &drivers, &count, error) : SNW_OK;
	for (uint32_t i = 0; i < count && to->joint_count < MOST_JOINTS; i++) {
		bool is_new = drivers[i].share >= SNW_LEAST_DRIVEN || (i == 0 && to->joint_count == 0);
		for (uint32_t j = 0; j < to->joint_count; j++) {
			is_new = is_new && to->joints[j] != drivers[i].joint;
		}
		if (is_new) {
			to->joints[to->joint_count++] = drivers[i].joint;
		}
	}
	return status;
}

static bool has_joint(const push_side *side, uint32_t joint) {
	bool has = false;
	for (uint32_t j = 0; j < side->joint_count; j++) {
		has = has || side->joints[j] == joint;
	}
	return has;
}

/* One group is enough where one side bends alone, or both by the same joints. */
static void name_groups(pushing *p) {
	push_side *left = &p->sides[0], *right = &p->sides[1];
	const bool is_right_alone = left->joint_count == 0;
	bool are_same = left->joint_count == right->joint_count;
	for (uint32_t j = 0; j < right->joint_count; j++) {
		are_same = are_same && has_joint(left, right->joints[j]);
	}
	if (is_right_alone) {
		*left = *right;
	}
	right->joint_count = are_same || is_right_alone ? 0 : right->joint_count;
	for (uint32_t side = 0; side < 2; side++) {
		const char *where = right->joint_count == 0 ? "" : side == 0 ? " left" : " right";
		const char *name = snw_arena_format(p->arena, "push out %s%s", p->mesh->name, where);
		p->sides[side].group =
			p->sides[side].joint_count == 0 ? NULL : snw_scene_free_name(p->scene, snw_scene_find_group, name, p->arena);
	}
}

/* The frame of those that were asked for at which a side is deepest. */
static uint32_t deepest_of_side(const pushing *p, uint32_t side) {
	double *depths = SNW_NEW_ARRAY(p->arena, double, p->mesh->point_count), deepest = 0;
	uint32_t found = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		snw_push_frames_depths(p->all, f, depths);
		for (uint32_t i = 0; i < p->mesh->point_count && p->frames[f].is_asked; i++) {
			if ((p->is_left[i] >= 0.5) == (side == 0) && depths[i] > deepest) {
				deepest = depths[i];
				found = f;
			}
		}
	}
	return found;
}

static snw_status find_sides(pushing *p, snw_error *error) {
	snw_status status = SNW_OK;
	memset(p->sides, 0, sizeof p->sides);
	for (uint32_t side = 0; side < 2; side++) {
		status = snw_failed(status) ? status : add_drivers(p, deepest_of_side(p, side), side, error);
		for (uint32_t k = 0; k < p->chosen_count && !snw_failed(status); k++) {
			status = add_drivers(p, p->chosen[k], side, error);
		}
	}
	if (!snw_failed(status) && p->sides[0].joint_count + p->sides[1].joint_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "no joint bends %.120s where it is deep, so nothing can drive a push",
						p->mesh->name);
	}
	name_groups(p);
	return status;
}

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

/* "walk-0.5", or the pose of that name if it is this one. */
static const char *name_pose(const pushing *p, const snw_scene *scene, uint32_t frame, const snw_pose *pose) {
	const snw_contact_moment *moment = p->frames[frame].moment;
	const char *name = snw_arena_format(p->arena, "%s-%.6g", p->scene->clips[moment->clip].name, moment->seconds);
	const uint32_t found = snw_scene_find_pose(scene, name);
	return found != SNW_NONE && snw_pose_is_same(scene, &scene->poses[found], pose)
			   ? name
			   : snw_scene_free_name(scene, snw_scene_find_pose, name, p->arena);
}

/* The example at a chosen frame, over those before it. */
static snw_sculpt_commit make_commit(const pushing *p, const snw_scene *scene, uint32_t frame, const double *points,
									 const double *original) {
	const push_side *left = &p->sides[0], *right = &p->sides[1];
	snw_pose *pose = pose_of_frame(p, frame);
	pose->name = name_pose(p, scene, frame, pose);
	return (snw_sculpt_commit){.example = snw_example_name_in_pose(scene, pose, p->request->mesh, p->arena),
							   .mesh = p->request->mesh,
							   .points_posed = points,
							   .points_original = original,
							   .pose = pose,
							   .group = left->group,
							   .joint_count = left->joint_count,
							   .joints = snw_arena_copy(p->arena, left->joints, sizeof left->joints),
							   .other_group = right->group,
							   .other_joint_count = right->joint_count,
							   .other_joints = snw_arena_copy(p->arena, right->joints, sizeof right->joints),
							   .plane = p->plane,
							   .corrective = SNW_NONE};
}

static snw_fit_request fit_request(const snw_scene *scene, const snw_registry *registry, uint32_t corrective) {
	const snw_layer *layer = corrective == SNW_NONE ? NULL : &scene->layers[corrective];
	return (snw_fit_request){.method = layer ? layer->deformer : snw_registry_trait_name(registry, SNW_CORRECTS),
							 .layer = layer ? layer->name : NULL,
							 .setting_count = layer ? layer->setting_count : 0,
							 .settings = layer ? layer->settings : NULL,
							 .left_out_example = SNW_NONE};
}

/* The stack of a scene whose corrective is fitted anew. */
typedef struct fitted_stack {
	snw_scene *scene;
	snw_stack *stack;
	snw_evaluation *evaluation;
} fitted_stack;

static snw_status open_fitted(const pushing *p, const snw_scene *scene, const snw_task *task, fitted_stack *fitted,
							  snw_error *error) {
	const snw_task silent = {.context = task->context, .progress = task->progress};
	const snw_fit_request request = fit_request(scene, p->registry, p->corrective);
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	*fitted = (fitted_stack){0};
	snw_status status = request.method ? snw_fit_run(scene, p->registry, &request, &silent, &outcome, error)
									   : snw_fail(error, SNW_ERROR_MISSING, "no method that learns from sculpts is loaded");
	status = snw_failed(status) ? status : snw_fit_apply(scene, &outcome, &fitted->scene, error);
	const snw_stack_options options = {0};
	status =
		snw_failed(status) ? status : snw_stack_build(fitted->scene, p->registry, &options, &silent, &fitted->stack, error);
	fitted->evaluation = snw_failed(status) ? NULL : snw_evaluation_create_reference(fitted->stack);
	snw_arena_destroy(outcome.arena);
	return status;
}

static void close_fitted(fitted_stack *fitted) {
	snw_evaluation_destroy(fitted->evaluation);
	snw_stack_destroy(fitted->stack);
	snw_scene_destroy(fitted->scene);
}

/* ---- coefficients -------------------------------------------------------------------------------------------------------- */

/* The scene with examples of any shape at the chosen frames. */
static void make_trial(const pushing *p, snw_scene *trial) {
	const size_t numbers = 3 * (size_t)p->mesh->point_count;
	double *points = SNW_NEW_ARRAY(p->arena, double, numbers);
	for (size_t i = 0; i < numbers; i++) {
		points[i] = p->mesh->points_rest[i] + TRIAL * p->diagonal;
	}
	*trial = *p->scene;
	for (uint32_t k = 0; k < p->chosen_count; k++) {
		const snw_scene before = *trial;
		const snw_sculpt_commit commit = make_commit(p, &before, p->chosen[k], points, p->mesh->points_rest);
		snw_sculpt_scene_after(&before, &commit, p->arena, trial);
	}
}

/* Of one side, by a fit in which its group is the only new one. */
static snw_status find_coefficients(pushing *p, const snw_scene *trial, uint32_t side, const snw_task *task, snw_error *error) {
	snw_scene scene = *trial;
	snw_group *groups = SNW_NEW_ARRAY(p->arena, snw_group, (size_t)p->scene->group_count + 1);
	memcpy(groups, trial->groups, p->scene->group_count * sizeof *groups);
	groups[p->scene->group_count] = trial->groups[p->scene->group_count + side];
	scene.groups = groups;
	scene.group_count = p->scene->group_count + 1;
	fitted_stack fitted;
	double *weights = SNW_NEW_ARRAY(p->arena, double, trial->example_count);
	double *coefficients = SNW_NEW_ARRAY(p->arena, double, (size_t)p->frame_count * p->chosen_count);
	snw_status status = open_fitted(p, &scene, task, &fitted, error);
	for (uint32_t f = 0; f < p->frame_count && !snw_failed(status); f++) {
		status = snw_stack_drive(fitted.stack, p->frames[f].moment->pose, fitted.evaluation, error);
		snw_stack_example_weights(fitted.evaluation, weights);
		for (uint32_t k = 0; k < p->chosen_count && !snw_failed(status); k++) {
			const double weight = weights[p->scene->example_count + k];
			coefficients[(size_t)f * p->chosen_count + k] = weight;
			status = isnan(weight) ? snw_fail(error, SNW_ERROR_UNSUPPORTED,
											  "the layer that learns from examples has no weight for each of them, so a push "
											  "cannot be fitted to it; see 'sinew stack'")
								   : status;
		}
	}
	close_fitted(&fitted);
	p->sides[side].coefficients = coefficients;
	return status;
}

/* ---- the push ------------------------------------------------------------------------------------------------------------ */

static uint32_t count_rows(const pushing *p) {
	uint32_t count = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		count += p->frames[f].row_count;
	}
	return count;
}

static snw_push_row *gather_rows(const pushing *p, snw_arena *scratch) {
	snw_push_row *rows = SNW_NEW_ARRAY(scratch, snw_push_row, count_rows(p));
	uint32_t count = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		if (p->frames[f].row_count > 0) {
			memcpy(rows + count, p->frames[f].rows, p->frames[f].row_count * sizeof *rows);
			count += p->frames[f].row_count;
		}
	}
	return rows;
}

static double excess(const pushing *p) {
	double sum = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		sum += p->frames[f].excess;
	}
	return sum;
}

/* From displacements towards others, half as far each time, until less is deep. False, and nothing changes, if that never
 * is. */
static snw_status search(pushing *p, const double *to, const snw_task *task, snw_arena *scratch, bool *is_better,
						 snw_error *error) {
	const size_t count = 3 * (size_t)p->mesh->point_count * p->chosen_count;
	const double before = excess(p), *from = p->displacements;
	double *tried = SNW_NEW_ARRAY(scratch, double, count), share = 1;
	snw_status status = SNW_OK;
	*is_better = false;
	for (int n = 0; n < HALVINGS && !*is_better && !snw_failed(status); n++, share /= 2) {
		for (size_t i = 0; i < count; i++) {
			tried[i] = from[i] + share * (to[i] - from[i]);
		}
		snw_push_out_limit(&p->push, tried);
		status = snw_push_frames_find(p->all, &p->push, tried, task, error);
		*is_better = !snw_failed(status) && excess(p) < ENOUGH * before;
	}
	if (*is_better) {
		memcpy(p->displacements, tried, count * sizeof *tried);
	}
	return status;
}

/* A pushed mesh is nearest to other places: rows are found anew after each step. */
static snw_status solve(pushing *p, const snw_task *task, snw_error *error) {
	const size_t count = 3 * (size_t)p->mesh->point_count * p->chosen_count;
	snw_status status = SNW_OK;
	int failures = 0;
	double weight = FIRST_WEIGHT;
	for (int step = 0; step < MOST_STEPS && failures < 2 && !snw_failed(status); step++) {
		snw_arena *scratch = snw_arena_create();
		double *to = snw_arena_copy(scratch, p->displacements, count * sizeof *to);
		snw_subtask part = {task, (double)step / MOST_STEPS, (step + 1.0) / MOST_STEPS}, end = {task, part.end, part.end};
		const snw_task stepping = snw_task_of_subtask(&part), searching = snw_task_of_subtask(&end);
		bool is_better = false;
		status = snw_push_frames_find(p->all, &p->push, p->displacements, &stepping, error);
		status = snw_failed(status)
					 ? status
					 : snw_push_out_solve(&p->push, count_rows(p), gather_rows(p, scratch), weight, &stepping, to, error);
		status = snw_failed(status) ? status : search(p, to, &searching, scratch, &is_better, error);
		snw_arena_destroy(scratch);
		failures = is_better ? 0 : failures + 1;
		weight *= is_better ? 1 : STRONGER;
	}
	snw_subtask end = {task, 1, 1};
	const snw_task last = snw_task_of_subtask(&end);
	return snw_failed(status) ? status : snw_push_frames_find(p->all, &p->push, p->displacements, &last, error);
}

/* The displacements at the chosen frames, as the poses before the last make them. */
static double *displacements_of_chosen(const pushing *p) {
	const size_t set = 3 * (size_t)p->mesh->point_count;
	double *made = SNW_NEW_ARRAY(p->arena, double, set * p->chosen_count);
	for (uint32_t k = 0; k < p->chosen_count && p->chosen_count > 1; k++) {
		snw_push_out_at(&p->push, p->displacements, p->chosen[k], made + set * k);
	}
	return made;
}

/* One pose more: the drivers, the coefficients and the push. */
static snw_status add_pose(pushing *p, uint32_t frame, const snw_task *task, snw_error *error) {
	snw_scene trial;
	p->chosen[p->chosen_count++] = frame;
	p->displacements = displacements_of_chosen(p);
	snw_status status = find_sides(p, error);
	if (snw_failed(status)) {
		return status;
	}
	make_trial(p, &trial);
	for (uint32_t side = 0; side < 2 && !snw_failed(status); side++) {
		snw_subtask part = {task, 0.1 * side, 0.1 * (side + 1)};
		const snw_task fitting = snw_task_of_subtask(&part);
		status = p->sides[side].group ? find_coefficients(p, &trial, side, &fitting, error) : SNW_OK;
	}
	p->push = (snw_push_out){.point_count = p->mesh->point_count,
							 .frame_count = p->frame_count,
							 .example_count = p->chosen_count,
							 .around = snw_push_frames_around(p->all),
							 .coefficients = {p->sides[0].coefficients, p->sides[1].coefficients},
							 .shares = p->is_left,
							 .most = p->request->most};
	snw_subtask part = {task, 0.2, 1};
	const snw_task solving = snw_task_of_subtask(&part);
	return snw_failed(status) ? status : solve(p, &solving, error);
}

/* The best push so far. */
typedef struct best_push {
	double deepest;
	uint32_t count;
	push_side sides[2];
	const double *displacements;
} best_push;

/* Poses are added where it is deepest, until nothing is deeper than asked. */
static snw_status add_poses(pushing *p, snw_error *error) {
	best_push best = {.deepest = deepest_asked(p)};
	const double asked = p->request->deepest, least_gain = 1e-6 * p->diagonal;
	snw_status status = SNW_OK;
	uint32_t frame = choose_frame(p);
	if (frame == SNW_NONE && best.deepest > asked) {
		return snw_fail(error, SNW_ERROR_MISSING, "%.120s has an example at each moment at which it is deep; sculpt these",
						p->mesh->name);
	}
	while (frame != SNW_NONE && p->chosen_count < p->request->most_poses && !snw_failed(status)) {
		const double poses = p->request->most_poses;
		snw_subtask part = {p->task, p->chosen_count / poses, (p->chosen_count + 1) / poses};
		const snw_task adding = snw_task_of_subtask(&part);
		const pushing before = *p;
		status = add_pose(p, frame, &adding, error);
		if (status == SNW_ERROR_CONFLICT) {
			*p = before;
			p->excluded[frame] = true;
			status = SNW_OK;
		}
		const double deepest = snw_failed(status) ? best.deepest : deepest_asked(p);
		if (deepest < best.deepest - least_gain) {
			best = (best_push){deepest, p->chosen_count, {p->sides[0], p->sides[1]}, p->displacements};
		}
		frame = snw_failed(status) || deepest <= asked ? SNW_NONE : choose_frame(p);
	}
	p->chosen_count = best.count;
	p->displacements = (double *)(uintptr_t)best.displacements;
	p->sides[0] = best.sides[0];
	p->sides[1] = best.sides[1];
	return status;
}

/* ---- the examples -------------------------------------------------------------------------------------------------------- */

/* The sculpt of a chosen frame: the skin there, with the displaced points where the stack takes them. */
static snw_status make_sculpt(const pushing *p, uint32_t k, double **points, double **original, snw_error *error) {
	const size_t numbers = 3 * (size_t)p->mesh->point_count;
	const double *displacements = p->displacements + numbers * k;
	double *skin, *rest = SNW_NEW_ARRAY(p->arena, double, numbers), *posed = SNW_NEW_ARRAY(p->arena, double, numbers);
	const snw_pose *pose = pose_of_frame(p, p->chosen[k]);
	snw_status status = snw_sculpt_points(p->scene, p->registry, p->request->mesh, pose, SNW_NONE, p->corrective, p->arena,
										  &skin, original, error);
	for (size_t i = 0; i < numbers; i++) {
		rest[i] = p->mesh->points_rest[i] + displacements[i];
	}
	snw_evaluation *evaluation = snw_evaluation_create_reference(p->stack);
	status = snw_failed(status) ? status : snw_stack_drive(p->stack, p->frames[p->chosen[k]].moment->pose, evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(p->stack, evaluation, p->request->mesh, rest, posed, error);
	snw_evaluation_destroy(evaluation);
	for (size_t i = 0; i < numbers && !snw_failed(status); i += 3) {
		const bool is_moved = snw_length3(displacements + i) > SNW_NO_PUSH * p->diagonal;
		memcpy(posed + i, is_moved ? posed + i : *original + i, 3 * sizeof *posed);
	}
	*points = posed;
	return status;
}

static void count_moves(const pushing *p, snw_pushed_example *example) {
	for (size_t i = 0; i < 3 * (size_t)p->mesh->point_count; i += 3) {
		const double length =
			sqrt(snw_squared_distance3(example->commit.points_posed + i, example->commit.points_original + i));
		example->moved_count += length > 0;
		example->most = fmax(example->most, length);
	}
}

static snw_status make_examples(const pushing *p, snw_pushed_out *pushed, snw_scene *after, snw_error *error) {
	snw_status status = SNW_OK;
	*after = *p->scene;
	pushed->examples = SNW_NEW_ARRAY(p->arena, snw_pushed_example, p->chosen_count);
	for (uint32_t k = 0; k < p->chosen_count && !snw_failed(status); k++) {
		const snw_scene before = *after;
		double *points, *original;
		status = make_sculpt(p, k, &points, &original, error);
		if (!snw_failed(status)) {
			snw_pushed_example *example = &pushed->examples[pushed->count++];
			example->commit = make_commit(p, &before, p->chosen[k], points, original);
			snw_sculpt_scene_after(&before, &example->commit, p->arena, after);
			count_moves(p, example);
		}
	}
	return status;
}

/* ---- figures ------------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Over the moments of a clip; SNW_NONE: of all that were asked for. */
static snw_push_figures find_figures(const pushing *p, const snw_contact_moments *found, uint32_t clip) {
	snw_push_figures figures = {0};
	double *depths = SNW_NEW_ARRAY(p->arena, double, p->moment_count);
	uint32_t count = 0;
	for (uint32_t f = 0; f < p->moment_count; f++) {
		double share = 0;
		if (clip == SNW_NONE ? !is_asked(p->request, p->moments[f].clip) : p->moments[f].clip != clip) {
			continue;
		}
		for (uint32_t o = 0; o < p->request->other_count; o++) {
			const snw_pair_contact *contact = &found->found[(size_t)f * p->request->other_count + o];
			depths[count] = fmax(depths[count], contact->through.deepest);
			figures.outside_folds = fmax(figures.outside_folds, contact->outside_folds);
			figures.inside = fmax(figures.inside, contact->inside.deepest);
			share = fmax(share, contact->share);
		}
		figures.deepest = fmax(figures.deepest, depths[count++]);
		figures.share += share;
	}
	qsort(depths, count, sizeof *depths, compare_numbers);
	figures.median = count > 0 ? (depths[(count - 1) / 2] + depths[count / 2]) / 2 : 0;
	figures.share /= count > 0 ? count : 1;
	return figures;
}

static snw_status find_contact(const pushing *p, const snw_stack *stack, double begin, double end, snw_contact_moments *found,
							   snw_error *error) {
	snw_mesh_pair *pairs = SNW_NEW_ARRAY(p->arena, snw_mesh_pair, p->request->other_count);
	bool *folding = SNW_NEW_ARRAY(p->arena, bool, p->scene->mesh_count);
	for (uint32_t o = 0; o < p->request->other_count; o++) {
		pairs[o] = (snw_mesh_pair){p->request->others[o], p->request->mesh};
		folding[p->request->others[o]] = true;
	}
	const snw_contact_request request = {.moment_count = p->moment_count,
										 .moments = p->moments,
										 .pair_count = p->request->other_count,
										 .pairs = pairs,
										 .neighbours = snw_contact_default_neighbours(p->scene),
										 .patch = snw_contact_default_patch(p->scene),
										 .folding = folding};
	snw_subtask part = {p->task, begin, end};
	const snw_task finding = snw_task_of_subtask(&part);
	return snw_contact_moments_find(p->scene, stack, &request, &finding, p->arena, found, error);
}

/* The largest move at any moment. */
static snw_status find_most(const pushing *p, const fitted_stack *after, double *most, snw_error *error) {
	const size_t numbers = 3 * (size_t)p->mesh->point_count;
	double *points[2] = {SNW_NEW_ARRAY(p->arena, double, numbers), SNW_NEW_ARRAY(p->arena, double, numbers)};
	snw_evaluation *evaluation = snw_evaluation_create_reference(p->stack), *both[2] = {evaluation, after->evaluation};
	const snw_stack *stacks[2] = {p->stack, after->stack};
	snw_status status = SNW_OK;
	for (uint32_t f = 0; f < p->moment_count && !snw_failed(status); f++) {
		for (int i = 0; i < 2 && !snw_failed(status); i++) {
			status = snw_stack_drive(stacks[i], p->moments[f].pose, both[i], error);
			status =
				snw_failed(status) ? status : snw_stack_reference(stacks[i], both[i], p->request->mesh, NULL, points[i], error);
		}
		for (size_t i = 0; i < numbers && !snw_failed(status); i += 3) {
			*most = fmax(*most, sqrt(snw_squared_distance3(points[0] + i, points[1] + i)));
		}
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

static void list_clips(const pushing *p, const snw_contact_moments *before, const snw_contact_moments *after,
					   snw_pushed_out *pushed) {
	pushed->clips = SNW_NEW_ARRAY(p->arena, snw_push_clip, p->scene->clip_count);
	pushed->before = find_figures(p, before, SNW_NONE);
	pushed->after = find_figures(p, after, SNW_NONE);
	for (uint32_t c = 0; c < p->scene->clip_count; c++) {
		if (snw_clip_moves_joints(&p->scene->clips[c])) {
			pushed->clips[pushed->clip_count++] =
				(snw_push_clip){c, is_asked(p->request, c), find_figures(p, before, c), find_figures(p, after, c)};
		}
	}
}

/* With the examples in place; without them, if they make nothing less deep. */
static snw_status measure(const pushing *p, const snw_contact_moments *before, const snw_scene *scene, snw_pushed_out *pushed,
						  snw_error *error) {
	snw_contact_moments after = *before;
	fitted_stack fitted = {0};
	snw_status status = SNW_OK;
	if (pushed->count > 0) {
		snw_subtask part = {p->task, 0.9, 0.92};
		const snw_task fitting = snw_task_of_subtask(&part);
		status = open_fitted(p, scene, &fitting, &fitted, error);
		status = snw_failed(status) ? status : find_contact(p, fitted.stack, 0.92, 1, &after, error);
		status = snw_failed(status) ? status : find_most(p, &fitted, &pushed->most, error);
		close_fitted(&fitted);
	}
	if (!snw_failed(status)) {
		list_clips(p, before, &after, pushed);
	}
	if (!snw_failed(status) && pushed->count > 0 && pushed->after.deepest >= pushed->before.deepest) {
		*pushed = (snw_pushed_out){0};
		list_clips(p, before, before, pushed);
	}
	return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static void open_pushing(pushing *p) {
	p->mesh = &p->scene->meshes[p->request->mesh];
	p->diagonal = snw_scene_diagonal(p->scene, SNW_NONE);
	p->corrective = snw_reference_layer(p->scene, p->registry);
	p->plane = snw_symmetry_plane(p->scene, p->request->mesh);
	const snw_half half = {.mesh = p->request->mesh, .plane = p->plane, .is_left = true};
	p->is_left = snw_half_make(p->scene, &half, p->arena).values;
	p->chosen = SNW_NEW_ARRAY(p->arena, uint32_t, p->request->most_poses);
	list_frames(p);
	p->excluded = SNW_NEW_ARRAY(p->arena, bool, p->frame_count);
}

static snw_status check_affine(const pushing *p, snw_error *error) {
	for (uint32_t s = 0; s < snw_stack_segment_count(p->stack, p->request->mesh); s++) {
		const snw_segment_info segment = snw_stack_segment(p->stack, p->request->mesh, s);
		if (!segment.is_program) {
			return snw_fail(
				error, SNW_ERROR_UNSUPPORTED,
				"layer %.100s moves the points of %.100s together, and a push needs the motion of each; mute it, push "
				"out, and unmute it",
				segment.layers, p->mesh->name);
		}
	}
	return SNW_OK;
}

static snw_status find(pushing *p, snw_pushed_out *pushed, snw_error *error) {
	const snw_stack_options options = {0};
	const snw_push_out none = {0};
	snw_contact_moments before;
	snw_scene after;
	snw_subtask first = {p->task, 0, 0.02}, part = {p->task, 0.1, 0.9};
	const snw_task building = snw_task_of_subtask(&first), pushing_task = snw_task_of_subtask(&part), *whole = p->task;
	snw_status status = snw_stack_build(p->scene, p->registry, &options, &building, &p->stack, error);
	status = snw_failed(status) ? status : check_affine(p, error);
	status = snw_failed(status) ? status : find_contact(p, p->stack, 0.02, 0.1, &before, error);
	if (snw_failed(status)) {
		return status;
	}
	p->all = snw_push_frames_create(p->scene, p->stack, p->request, p->frame_count, p->frames);
	p->task = &pushing_task;
	status = snw_push_frames_find(p->all, &none, NULL, p->task, error);
	status = snw_failed(status) ? status : add_poses(p, error);
	p->task = whole;
	status = snw_failed(status) ? status : make_examples(p, pushed, &after, error);
	return snw_failed(status) ? status : measure(p, &before, &after, pushed, error);
}

snw_status snw_push_out_find(const snw_scene *scene, const snw_registry *registry, const snw_push_request *request,
							 const snw_task *task, snw_arena *arena, snw_pushed_out *pushed, snw_error *error) {
	pushing p = {.scene = scene, .registry = registry, .request = request, .task = task, .arena = arena};
	*pushed = (snw_pushed_out){0};
	open_pushing(&p);
	const snw_status status = find(&p, pushed, error);
	snw_push_frames_destroy(p.all);
	snw_stack_destroy(p.stack);
	return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

/* A layer of the method that learns from sculpts, over the project as it is in the open command. */
static snw_status fit_first(snw_project *project, const snw_registry *registry, const snw_task *task, snw_error *error) {
	snw_scene *scene = NULL;
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_status status = snw_project_scene(project, &scene, error);
	if (!snw_failed(status) && snw_reference_layer(scene, registry) == SNW_NONE) {
		const snw_fit_request request = fit_request(scene, registry, SNW_NONE);
		status = snw_fit_run(scene, registry, &request, task, &outcome, error);
		status = snw_failed(status) ? status : snw_project_put_fit(project, scene, &outcome, error);
	}
	snw_scene_destroy(scene);
	snw_arena_destroy(outcome.arena);
	return status;
}

snw_status snw_project_put_pushed(snw_project *project, const snw_registry *registry, const snw_pushed_out *pushed,
								  const snw_task *task, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t k = 0; k < pushed->count && !snw_failed(status); k++) {
		snw_scene *scene = NULL;
		status = snw_project_scene(project, &scene, error);
		status = snw_failed(status) ? status : snw_sculpt_put_example(project, scene, &pushed->examples[k].commit, error);
		snw_scene_destroy(scene);
	}
	return snw_failed(status) ? status : fit_first(project, registry, task, error);
}
