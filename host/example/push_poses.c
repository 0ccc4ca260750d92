/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The poses of a push, what drives them, and the displacements that all frames constrain.
 */
#include <math.h>
#include <string.h>

#include "example/groups.h"
#include "example/push_out_internal.h"
#include "example/sculpts.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "pose/pose.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"

enum { MOST_STEPS = 24, MOST_FAILURES = 4, MOST_OTHER_FRAMES = 60 };
/* How much what rows lack counts against smoothness: more with each step that helps. */
static const double FIRST_WEIGHT = 1, GROWING = 1.5, LAST_WEIGHT = 1000;
/* How much a change counts, in these weights: less after a step that helps, more after one that does not. */
static const double FIRST_DAMPING = 0.1, LESS = 0.25, MORE = 8;
static const double LEAST_SHARE = 0.2; /* rows that lack little count as if they lacked so much of the most */
static const double ENOUGH = 0.99;     /* a step that leaves more is none */
static const double SAME_ANGLE = 0.05; /* radians: poses that are less apart are one */
static const double TRIAL = 1e-3;      /* of the diagonal: a sculpt whose shape does not matter */

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

bool snw_pushing_asks(const snw_push_request *request, uint32_t clip) {
	bool is = false;
	for (uint32_t c = 0; c < request->clip_count; c++) {
		is = is || request->clips[c] == clip;
	}
	return is;
}

void snw_pushing_list_frames(snw_pushing *p) {
	uint32_t room = 0, other_count = 0, other = 0;
	for (uint32_t c = 0; c < p->scene->clip_count; c++) {
		if (snw_clip_moves_joints(&p->scene->clips[c])) {
			snw_contact_moments_add_clip(p->scene, c, p->arena, &p->moments, &p->moment_count, &room);
		}
	}
	for (uint32_t m = 0; m < p->moment_count; m++) {
		other_count += !snw_pushing_asks(p->request, p->moments[m].clip);
	}
	p->frames = SNW_NEW_ARRAY(p->arena, snw_push_frame, p->moment_count);
	for (uint32_t m = 0; m < p->moment_count; m++) {
		const bool asked = snw_pushing_asks(p->request, p->moments[m].clip);
		const bool is_every =
			other_count <= MOST_OTHER_FRAMES || (uint64_t)other * MOST_OTHER_FRAMES % other_count < MOST_OTHER_FRAMES;
		other += !asked;
		if (asked || is_every) {
			p->frames[p->frame_count++] = (snw_push_frame){.moment = &p->moments[m], .is_asked = asked};
		}
	}
}

/* How far a joint is rotated between two poses, at most, radians; NULL is the rest. */
static double angle_between(const snw_pushing *p, const snw_pose_view *one, const snw_pose_view *other) {
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

snw_pose *snw_pushing_pose(const snw_pushing *p, uint32_t frame) {
	const snw_contact_moment *moment = p->frames[frame].moment;
	return snw_pose_sample(p->scene, moment->clip, moment->seconds, p->arena);
}

/* A pose that could have an example: of a clip that was asked for, away from rest and from those that have one. */
static bool may_choose(const snw_pushing *p, uint32_t frame) {
	const snw_pose_view *pose = p->frames[frame].moment->pose;
	bool may = p->frames[frame].is_asked && !p->excluded[frame] && angle_between(p, pose, NULL) > SAME_ANGLE;
	for (uint32_t k = 0; k < p->chosen_count && may; k++) {
		may = angle_between(p, pose, p->frames[p->chosen[k]].moment->pose) > SAME_ANGLE;
	}
	return may && snw_sculpt_example(p->scene, p->request->mesh, snw_pushing_pose(p, frame)) == SNW_NONE;
}

/* The deepest frame that could have an example; SNW_NONE for none. */
static uint32_t choose_frame(const snw_pushing *p) {
	uint32_t found = SNW_NONE;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		const bool is_deeper = p->frames[f].deepest > (found == SNW_NONE ? p->request->deepest : p->frames[found].deepest);
		if (is_deeper && may_choose(p, f)) {
			found = f;
		}
	}
	return found;
}

static double deepest_asked(const snw_pushing *p) {
	double deepest = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		deepest = p->frames[f].is_asked ? fmax(deepest, p->frames[f].deepest) : deepest;
	}
	return deepest;
}

/* ---- what drives the examples -------------------------------------------------------------------------------------------- */

/* Adds the joints that drive what is deep on a side at a frame. */
static snw_status add_drivers(snw_pushing *p, uint32_t frame, uint32_t side, snw_error *error) {
	const size_t points = p->mesh->point_count;
	snw_push_side *to = &p->sides[side];
	double *pushed = snw_arena_copy(p->arena, p->mesh->points_rest, 3 * points * sizeof *pushed);
	double *depths = SNW_NEW_ARRAY(p->arena, double, points);
	bool is_any = false;
	snw_push_frames_depths(p->all, frame, depths);
	for (size_t i = 0; i < points; i++) {
		const bool is_of_side = (p->is_left[i] >= 0.5) == (side == 0);
		pushed[3 * i] += is_of_side ? depths[i] : 0; /* only how far counts */
		is_any = is_any || (is_of_side && depths[i] > p->request->deepest);
	}
	const snw_driver_query query = {p->request->mesh, snw_pushing_pose(p, frame), pushed, p->mesh->points_rest, p->corrective};
	snw_driver *drivers;
	uint32_t count = 0;
	const snw_status status =
		is_any ? snw_find_drivers(p->scene, p->registry, &query, p->arena, &drivers, &count, error) : SNW_OK;
	for (uint32_t i = 0; i < count && to->joint_count < SNW_MOST_PUSH_JOINTS; i++) {
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

static bool side_has_joint(const snw_push_side *side, uint32_t joint) {
	bool has = false;
	for (uint32_t j = 0; j < side->joint_count; j++) {
		has = has || side->joints[j] == joint;
	}
	return has;
}

/* One group is enough where one side bends alone, or both by the same joints. */
static void name_groups(snw_pushing *p) {
	snw_push_side *left = &p->sides[0], *right = &p->sides[1];
	const bool is_right_alone = left->joint_count == 0;
	bool are_same = left->joint_count == right->joint_count;
	for (uint32_t j = 0; j < right->joint_count; j++) {
		are_same = are_same && side_has_joint(left, right->joints[j]);
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
static uint32_t deepest_of_side(const snw_pushing *p, uint32_t side) {
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

static snw_status find_pushed_sides(snw_pushing *p, snw_error *error) {
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
static const char *name_pose(const snw_pushing *p, const snw_scene *scene, uint32_t frame, const snw_pose *pose) {
	const snw_contact_moment *moment = p->frames[frame].moment;
	const char *name = snw_arena_format(p->arena, "%s-%.6g", p->scene->clips[moment->clip].name, moment->seconds);
	const uint32_t found = snw_scene_find_pose(scene, name);
	return found != SNW_NONE && snw_pose_is_same(scene, &scene->poses[found], pose)
			   ? name
			   : snw_scene_free_name(scene, snw_scene_find_pose, name, p->arena);
}

/* The example at a chosen frame, over those before it. */
snw_sculpt_commit snw_pushing_commit(const snw_pushing *p, const snw_scene *scene, uint32_t frame, const double *points,
									 const double *original) {
	const snw_push_side *left = &p->sides[0], *right = &p->sides[1];
	snw_pose *pose = snw_pushing_pose(p, frame);
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

snw_fit_request snw_pushing_fit_request(const snw_scene *scene, const snw_registry *registry, uint32_t corrective) {
	const snw_layer *layer = corrective == SNW_NONE ? NULL : &scene->layers[corrective];
	return (snw_fit_request){.method = layer ? layer->deformer : snw_registry_trait_name(registry, SNW_CORRECTS),
							 .layer = layer ? layer->name : NULL,
							 .setting_count = layer ? layer->setting_count : 0,
							 .settings = layer ? layer->settings : NULL,
							 .left_out_example = SNW_NONE};
}

snw_status snw_fitted_open(const snw_pushing *p, const snw_scene *scene, const snw_task *task, snw_fitted_stack *fitted,
						   snw_error *error) {
	const snw_task silent = {.context = task->context, .progress = task->progress};
	const snw_fit_request request = snw_pushing_fit_request(scene, p->registry, p->corrective);
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	*fitted = (snw_fitted_stack){0};
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

void snw_fitted_close(snw_fitted_stack *fitted) {
	snw_evaluation_destroy(fitted->evaluation);
	snw_stack_destroy(fitted->stack);
	snw_scene_destroy(fitted->scene);
}

/* ---- coefficients -------------------------------------------------------------------------------------------------------- */

/* The scene with examples of any shape at the chosen frames. */
static void make_trial(const snw_pushing *p, snw_scene *trial) {
	const size_t numbers = 3 * (size_t)p->mesh->point_count;
	double *points = SNW_NEW_ARRAY(p->arena, double, numbers);
	for (size_t i = 0; i < numbers; i++) {
		points[i] = p->mesh->points_rest[i] + TRIAL * p->diagonal;
	}
	*trial = *p->scene;
	for (uint32_t k = 0; k < p->chosen_count; k++) {
		const snw_scene before = *trial;
		const snw_sculpt_commit commit = snw_pushing_commit(p, &before, p->chosen[k], points, p->mesh->points_rest);
		snw_sculpt_scene_after(&before, &commit, p->arena, trial);
	}
}

/* Of one side, by a fit in which its group is the only new one. */
static snw_status find_coefficients(snw_pushing *p, const snw_scene *trial, uint32_t side, const snw_task *task,
									snw_error *error) {
	snw_scene scene = *trial;
	snw_group *groups = SNW_NEW_ARRAY(p->arena, snw_group, (size_t)p->scene->group_count + 1);
	memcpy(groups, trial->groups, p->scene->group_count * sizeof *groups);
	groups[p->scene->group_count] = trial->groups[p->scene->group_count + side];
	scene.groups = groups;
	scene.group_count = p->scene->group_count + 1;
	snw_fitted_stack fitted;
	double *weights = SNW_NEW_ARRAY(p->arena, double, trial->example_count);
	double *coefficients = SNW_NEW_ARRAY(p->arena, double, (size_t)p->frame_count * p->chosen_count);
	snw_status status = snw_fitted_open(p, &scene, task, &fitted, error);
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
	snw_fitted_close(&fitted);
	p->sides[side].coefficients = coefficients;
	return status;
}

/* ---- the push ------------------------------------------------------------------------------------------------------------ */

static uint32_t count_rows(const snw_pushing *p) {
	uint32_t count = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		count += p->frames[f].row_count;
	}
	return count;
}

/* What lacks most counts most, as in the sum of fourth powers. */
static void weigh_rows(snw_push_row *rows, uint32_t count) {
	double most = 0;
	for (uint32_t r = 0; r < count; r++) {
		most = fmax(most, rows[r].weight);
	}
	for (uint32_t r = 0; r < count; r++) {
		const double share = fmax(most > 0 ? rows[r].weight / most : 1, LEAST_SHARE);
		rows[r].weight = share * share;
	}
}

static snw_push_row *gather_rows(const snw_pushing *p, snw_arena *scratch) {
	snw_push_row *rows = SNW_NEW_ARRAY(scratch, snw_push_row, count_rows(p));
	uint32_t count = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		if (p->frames[f].row_count > 0) {
			memcpy(rows + count, p->frames[f].rows, p->frames[f].row_count * sizeof *rows);
			count += p->frames[f].row_count;
		}
	}
	weigh_rows(rows, count);
	return rows;
}

static double excess(const snw_pushing *p) {
	double sum = 0;
	for (uint32_t f = 0; f < p->frame_count; f++) {
		sum += p->frames[f].excess;
	}
	return sum;
}

/* No point goes farther than a step. */
static void limit_change(const snw_pushing *p, const double *from, double *to) {
	const double most = SNW_PUSH_STEP * p->request->most;
	for (size_t i = 0; i < 3 * (size_t)p->mesh->point_count * p->push.example_count; i += 3) {
		const double length = sqrt(snw_squared_distance3(from + i, to + i));
		for (size_t c = 0; c < 3 && length > most; c++) {
			to[i + c] = from[i + c] + (to[i + c] - from[i + c]) * most / length;
		}
	}
}

/* What a step begins with. */
typedef struct push_step {
	double damping, excess;
	uint32_t row_count;
	const snw_push_row *rows;
	snw_arena *scratch;
} push_step;

/* From the displacements and their rows to better ones, if there are: where a step makes something else deep, a second one
 * from there may repair that. */
static snw_status try_step(snw_pushing *p, const push_step *from, const snw_task *task, double *to, bool *is_better,
						   snw_error *error) {
	const size_t count = 3 * (size_t)p->mesh->point_count * p->push.example_count;
	const snw_push_row *rows = from->rows;
	uint32_t row_count = from->row_count;
	snw_status status = SNW_OK;
	*is_better = false;
	memcpy(to, p->displacements, count * sizeof *to);
	for (int step = 0; step < 2 && !*is_better && !snw_failed(status); step++) {
		snw_subtask part = {task, step / 2.0, (step + 1) / 2.0}, at_end = {task, part.end, part.end};
		const snw_task stepping = snw_task_of_subtask(&part), trying = snw_task_of_subtask(&at_end);
		status = snw_push_out_solve(&p->push, row_count, rows, p->weight, p->weight * from->damping, &stepping, to, error);
		limit_change(p, p->displacements, to);
		snw_push_out_limit(&p->push, to);
		status = snw_failed(status) ? status : snw_push_frames_find(p->all, &p->push, to, &trying, error);
		*is_better = !snw_failed(status) && excess(p) < ENOUGH * from->excess;
		rows = gather_rows(p, from->scratch);
		row_count = count_rows(p);
	}
	return status;
}

/* A pushed mesh is nearest to other places: rows are found anew after each step, and a step that does not help is tried again,
 * shorter. Where nothing is deep any more, one such step is enough. */
static snw_status solve(snw_pushing *p, const snw_task *task, snw_error *error) {
	const size_t count = 3 * (size_t)p->mesh->point_count * p->push.example_count;
	snw_arena *scratch = snw_arena_create();
	double *to = SNW_NEW_ARRAY(scratch, double, count);
	int failures = 0, most_failures = MOST_FAILURES;
	snw_subtask first = {task, 0, 0};
	const snw_task finding = snw_task_of_subtask(&first);
	snw_status status = snw_push_frames_find(p->all, &p->push, p->displacements, &finding, error);
	push_step from = {FIRST_DAMPING, excess(p), count_rows(p), snw_failed(status) ? NULL : gather_rows(p, scratch), scratch};
	for (int step = 0; step < MOST_STEPS && failures < most_failures && !snw_failed(status); step++) {
		snw_subtask part = {task, (double)step / MOST_STEPS, (step + 1.0) / MOST_STEPS};
		const snw_task stepping = snw_task_of_subtask(&part);
		bool is_better;
		status = try_step(p, &from, &stepping, to, &is_better, error);
		if (is_better) {
			memcpy(p->displacements, to, count * sizeof *to);
			from = (push_step){from.damping, excess(p), count_rows(p), gather_rows(p, scratch), scratch};
			most_failures = deepest_asked(p) > 0 ? MOST_FAILURES : 1;
		}
		p->weight = fmin(GROWING * p->weight, LAST_WEIGHT);
		from.damping *= is_better ? LESS : MORE;
		failures = is_better ? 0 : failures + 1;
	}
	snw_arena_destroy(scratch);
	snw_subtask end = {task, 1, 1};
	const snw_task last = snw_task_of_subtask(&end);
	return snw_failed(status) ? status : snw_push_frames_find(p->all, &p->push, p->displacements, &last, error);
}

/* One displacement for all moments. */
static snw_status find_still(snw_pushing *p, const snw_task *task, snw_error *error) {
	double *ones = SNW_NEW_ARRAY(p->arena, double, p->frame_count);
	for (uint32_t f = 0; f < p->frame_count; f++) {
		ones[f] = 1;
	}
	p->push = (snw_push_out){.point_count = p->mesh->point_count,
							 .frame_count = p->frame_count,
							 .example_count = 1,
							 .around = snw_push_frames_around(p->all),
							 .coefficients = {ones},
							 .most = p->request->most};
	p->displacements = SNW_NEW_ARRAY(p->arena, double, 3 * (size_t)p->mesh->point_count);
	p->weight = FIRST_WEIGHT;
	const snw_status status = solve(p, task, error);
	p->still = p->displacements;
	p->still_deepest = deepest_asked(p);
	return status;
}

/* Those of the poses before the last as they are; the last begins with the one for all moments, if that is found. */
static double *begin_displacements(const snw_pushing *p) {
	const size_t set = 3 * (size_t)p->mesh->point_count, before = set * (p->chosen_count - 1);
	double *made = SNW_NEW_ARRAY(p->arena, double, set * p->chosen_count);
	if (before > 0) {
		memcpy(made, p->displacements, before * sizeof *made);
	}
	if (p->still) {
		memcpy(made + before, p->still, set * sizeof *made);
	}
	return made;
}

/* One pose more: the drivers, the coefficients and the push. */
static snw_status add_pose(snw_pushing *p, uint32_t frame, const snw_task *task, snw_error *error) {
	snw_scene trial;
	p->chosen[p->chosen_count++] = frame;
	p->displacements = begin_displacements(p);
	snw_status status = find_pushed_sides(p, error);
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
	uint32_t count, *chosen;
	snw_push_side sides[2];
	const double *displacements;
} best_push;

/* Poses are added where it is deepest, until nothing is deeper than asked; from this frame on. */
static snw_status add_until_enough(snw_pushing *p, uint32_t frame, uint32_t most_poses, const snw_task *task, best_push *best,
								   snw_error *error) {
	const double least_gain = 1e-6 * p->diagonal;
	snw_status status = SNW_OK;
	p->chosen_count = 0;
	p->weight = FIRST_WEIGHT;
	while (frame != SNW_NONE && p->chosen_count < most_poses && !snw_failed(status)) {
		snw_subtask part = {task, (double)p->chosen_count / most_poses, (p->chosen_count + 1.0) / most_poses};
		const snw_task adding = snw_task_of_subtask(&part);
		const snw_pushing before = *p;
		status = add_pose(p, frame, &adding, error);
		if (status == SNW_ERROR_CONFLICT) {
			*p = before;
			p->excluded[frame] = true;
			status = SNW_OK;
		}
		const double deepest = snw_failed(status) ? best->deepest : deepest_asked(p);
		if (deepest < best->deepest - least_gain) {
			*best = (best_push){deepest,
								p->chosen_count,
								snw_arena_copy(p->arena, p->chosen, p->chosen_count * sizeof *p->chosen),
								{p->sides[0], p->sides[1]},
								p->displacements};
		}
		frame = snw_failed(status) || deepest <= p->request->deepest ? SNW_NONE : choose_frame(p);
	}
	return status;
}

/* One pose is tried alone. Where it is not enough, one displacement for all moments is found, and poses begin with that: each
 * for itself, they get stuck. */
snw_status snw_pushing_add_poses(snw_pushing *p, snw_error *error) {
	best_push best = {.deepest = deepest_asked(p)};
	const double asked = p->request->deepest;
	const uint32_t frame = choose_frame(p);
	snw_subtask parts[3] = {{p->task, 0, 0.1}, {p->task, 0.1, 0.4}, {p->task, 0.4, 1}};
	const snw_task one = snw_task_of_subtask(&parts[0]), still = snw_task_of_subtask(&parts[1]),
				   all = snw_task_of_subtask(&parts[2]);
	if (frame == SNW_NONE && best.deepest > asked) {
		return snw_fail(error, SNW_ERROR_MISSING, "%.120s has an example at each moment at which it is deep; sculpt these",
						p->mesh->name);
	}
	p->still_deepest = (double)NAN;
	snw_status status = add_until_enough(p, frame, 1, &one, &best, error);
	if (!snw_failed(status) && frame != SNW_NONE && best.deepest > asked) {
		status = find_still(p, &still, error);
		status = snw_failed(status) ? status : add_until_enough(p, frame, p->request->most_poses, &all, &best, error);
	}
	p->chosen_count = best.count;
	memcpy(p->chosen, best.chosen, best.count * sizeof *p->chosen);
	p->displacements = (double *)(uintptr_t)best.displacements;
	p->sides[0] = best.sides[0];
	p->sides[1] = best.sides[1];
	return status;
}
