/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/push_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "example/groups.h"
#include "example/push_out_internal.h"
#include "example/sculpts.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "pose/pose.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"

/* ---- the examples -------------------------------------------------------------------------------------------------------- */

/* The sculpt of a chosen frame: the skin there, with the displaced points where the stack takes them. */
static snw_status make_sculpt(const snw_pushing *p, uint32_t k, double **points, double **original, snw_error *error) {
	const size_t numbers = 3 * (size_t)p->mesh->point_count;
	const double *displacements = p->displacements + numbers * k;
	double *skin, *rest = SNW_NEW_ARRAY(p->arena, double, numbers), *posed = SNW_NEW_ARRAY(p->arena, double, numbers);
	const snw_pose *pose = snw_pushing_pose(p, p->chosen[k]);
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

static void count_moves(const snw_pushing *p, snw_pushed_example *example) {
	for (size_t i = 0; i < 3 * (size_t)p->mesh->point_count; i += 3) {
		const double length =
			sqrt(snw_squared_distance3(example->commit.points_posed + i, example->commit.points_original + i));
		example->moved_count += length > 0;
		example->most = fmax(example->most, length);
	}
}

static snw_status make_examples(const snw_pushing *p, snw_pushed_out *pushed, snw_scene *after, snw_error *error) {
	snw_status status = SNW_OK;
	*after = *p->scene;
	pushed->examples = SNW_NEW_ARRAY(p->arena, snw_pushed_example, p->chosen_count);
	for (uint32_t k = 0; k < p->chosen_count && !snw_failed(status); k++) {
		const snw_scene before = *after;
		double *points, *original;
		status = make_sculpt(p, k, &points, &original, error);
		if (!snw_failed(status)) {
			snw_pushed_example *example = &pushed->examples[pushed->count++];
			example->commit = snw_pushing_commit(p, &before, p->chosen[k], points, original);
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
static snw_push_figures find_figures(const snw_pushing *p, const snw_contact_moments *found, uint32_t clip) {
	snw_push_figures figures = {0};
	double *depths = SNW_NEW_ARRAY(p->arena, double, p->moment_count);
	uint32_t count = 0;
	for (uint32_t f = 0; f < p->moment_count; f++) {
		double share = 0;
		if (clip == SNW_NONE ? !snw_pushing_asks(p->request, p->moments[f].clip) : p->moments[f].clip != clip) {
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

static snw_status find_contact(const snw_pushing *p, const snw_stack *stack, double begin, double end,
							   snw_contact_moments *found, snw_error *error) {
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
static snw_status find_most(const snw_pushing *p, const snw_fitted_stack *after, double *most, snw_error *error) {
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

static void list_clips(const snw_pushing *p, const snw_contact_moments *before, const snw_contact_moments *after,
					   snw_pushed_out *pushed) {
	pushed->clips = SNW_NEW_ARRAY(p->arena, snw_push_clip, p->scene->clip_count);
	pushed->before = find_figures(p, before, SNW_NONE);
	pushed->after = find_figures(p, after, SNW_NONE);
	for (uint32_t c = 0; c < p->scene->clip_count; c++) {
		if (snw_clip_moves_joints(&p->scene->clips[c])) {
			pushed->clips[pushed->clip_count++] =
				(snw_push_clip){c, snw_pushing_asks(p->request, c), find_figures(p, before, c), find_figures(p, after, c)};
		}
	}
}

/* With the examples in place; without them, if they make nothing less deep. */
static snw_status measure(const snw_pushing *p, const snw_contact_moments *before, const snw_scene *scene,
						  snw_pushed_out *pushed, snw_error *error) {
	snw_contact_moments after = *before;
	snw_fitted_stack fitted = {0};
	snw_status status = SNW_OK;
	if (pushed->count > 0) {
		snw_subtask part = {p->task, 0.9, 0.92};
		const snw_task fitting = snw_task_of_subtask(&part);
		status = snw_fitted_open(p, scene, &fitting, &fitted, error);
		status = snw_failed(status) ? status : find_contact(p, fitted.stack, 0.92, 1, &after, error);
		status = snw_failed(status) ? status : find_most(p, &fitted, &pushed->most, error);
		snw_fitted_close(&fitted);
	}
	if (!snw_failed(status)) {
		list_clips(p, before, &after, pushed);
	}
	if (!snw_failed(status) && pushed->count > 0 && pushed->after.deepest >= pushed->before.deepest) {
		*pushed = (snw_pushed_out){.still_deepest = p->still_deepest};
		list_clips(p, before, before, pushed);
	}
	return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static void open_pushing(snw_pushing *p) {
	p->mesh = &p->scene->meshes[p->request->mesh];
	p->diagonal = snw_scene_diagonal(p->scene, SNW_NONE);
	p->corrective = snw_reference_layer(p->scene, p->registry);
	p->plane = snw_symmetry_plane(p->scene, p->request->mesh);
	const snw_half half = {.mesh = p->request->mesh, .plane = p->plane, .is_left = true};
	p->is_left = snw_half_make(p->scene, &half, p->arena).values;
	p->chosen = SNW_NEW_ARRAY(p->arena, uint32_t, p->request->most_poses);
	snw_pushing_list_frames(p);
	p->excluded = SNW_NEW_ARRAY(p->arena, bool, p->frame_count);
}

static snw_status check_affine(const snw_pushing *p, snw_error *error) {
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

static snw_status find(snw_pushing *p, snw_pushed_out *pushed, snw_error *error) {
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
	status = snw_failed(status) ? status : snw_pushing_add_poses(p, error);
	p->task = whole;
	pushed->still_deepest = p->still_deepest;
	status = snw_failed(status) ? status : make_examples(p, pushed, &after, error);
	return snw_failed(status) ? status : measure(p, &before, &after, pushed, error);
}

snw_status snw_push_out_find(const snw_scene *scene, const snw_registry *registry, const snw_push_request *request,
							 const snw_task *task, snw_arena *arena, snw_pushed_out *pushed, snw_error *error) {
	snw_pushing p = {.scene = scene, .registry = registry, .request = request, .task = task, .arena = arena};
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
		const snw_fit_request request = snw_pushing_fit_request(scene, registry, SNW_NONE);
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
