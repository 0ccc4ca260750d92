/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/compare.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/samples.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "task/task.h"

/* What all contenders share. */
typedef struct compare_run {
	const snw_scene *scene; /* its sculpts with their unedited points placed */
	const snw_registry *registry;
	const snw_compare_request *request;
	snw_arena *arena; /* of the result */
	uint32_t mesh, test_clip;
	const char *samples; /* the training clip */
	snw_scored_series train, test, sculpts;
	uint32_t sculpt_count; /* of the project, on the mesh; 0: frames of the training clip are the sculpts */
	snw_scene *bare;       /* the baseline alone, for the cost */
	snw_stack *baseline;
	uint32_t picture_count;
	uint32_t *picture_frames;
} compare_run;

/* One contender at work. */
typedef struct entry {
	const compare_run *run;
	const snw_contender *contender;
	const snw_task *task; /* of this contender */
	uint32_t fits, fits_done;
	snw_compare_row *row;
} entry;

static bool learns_from_project_alone(const entry *e) {
	return e->contender->reads_sculpts && !e->contender->reads_frames && e->run->sculpt_count > 0;
}

static bool learns(const snw_contender *contender) {
	return contender->reads_frames || contender->reads_sculpts;
}

/* ---- one fit ------------------------------------------------------------------------------------------------------------- */

/* A set of training data: a scene, which frames of it, and how many of them become sculpts where the project has none. */
typedef struct training_set {
	const snw_scene *scene;
	snw_frame_choice frames;
	uint32_t sculpt_count;
	uint32_t left_out_example;
} training_set;

static uint32_t sculpts_from_frames(const compare_run *run) {
	return run->request->sculpt_count > 0 ? run->request->sculpt_count : SNW_COMPARE_SCULPTS;
}

static training_set whole_set(const compare_run *run, const snw_scene *scene) {
	return (training_set){.scene = scene, .sculpt_count = sculpts_from_frames(run), .left_out_example = SNW_NONE};
}

/* Fits the contender and builds its stack. */
static snw_status fit_on(const entry *e, const training_set *set, const snw_task *task, snw_scene **fitted, snw_stack **stack,
						 double *seconds, const char **caveat, snw_error *error) {
	const compare_run *run = e->run;
	snw_arena *arena = snw_arena_create();
	snw_scene scene = *set->scene;
	snw_status status = SNW_OK;
	if (e->contender->reads_sculpts && run->sculpt_count == 0) {
		status = snw_scene_with_sculpts(set->scene, run->request->train, set->sculpt_count, task, arena, &scene, error);
	}
	const snw_training training = {.scene = &scene,
								   .samples = snw_samples_with_frames(run->samples, set->frames, arena),
								   .left_out_example = set->left_out_example};
	*fitted = NULL;
	*stack = NULL;
	status = snw_failed(status)
				 ? status
				 : snw_contender_fit(e->contender, run->registry, &training, task, run->arena, fitted, seconds, caveat, error);
	if (!snw_failed(status)) {
		const snw_stack_options options = {.below_layer = (*fitted)->layer_count};
		status = snw_stack_build(*fitted, run->registry, &options, NULL, stack, error);
	}
	if (snw_failed(status)) {
		snw_scene_destroy(*fitted);
		*fitted = NULL;
	}
	snw_arena_destroy(arena);
	return status;
}

/* The range of progress of the next fit. */
static snw_subtask next_part(entry *e) {
	const double begin = (double)e->fits_done / e->fits, end = (e->fits_done + 1.0) / e->fits;
	e->fits_done++;
	return (snw_subtask){e->task, begin, end};
}

/* Fits on a set and adds the errors at some frames of the tally's series. */
static snw_status fit_and_tally(entry *e, const training_set *set, snw_tally *tally, snw_frame_part held_out,
								snw_error *error) {
	snw_subtask part = next_part(e);
	const snw_task task = snw_task_of_subtask(&part);
	snw_scene *fitted;
	snw_stack *stack;
	double seconds;
	const char *caveat;
	snw_status status = fit_on(e, set, &task, &fitted, &stack, &seconds, &caveat, error);
	for (uint32_t frame = held_out.begin; held_out.step > 1 && frame < held_out.end && !snw_failed(status);
		 frame += held_out.step) {
		status = snw_tally_frames(tally, stack, e->run->mesh, frame, frame + 1, &task, error);
	}
	if (held_out.step == 1 && !snw_failed(status)) {
		status = snw_tally_frames(tally, stack, e->run->mesh, held_out.begin, held_out.end, &task, error);
	}
	snw_stack_destroy(stack);
	snw_scene_destroy(fitted);
	return status;
}

/* ---- figures of the whole training set ----------------------------------------------------------------------------------- */

static snw_status score_clip(const entry *e, const snw_scored_series *scored, const snw_stack *stack, const snw_task *task,
							 snw_compare_score *score, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_tally tally = snw_tally_begin(scored, arena);
	const snw_status status = snw_tally_frames(&tally, stack, e->run->mesh, 0, scored->series.frame_count, task, error);
	if (!snw_failed(status)) {
		*score = snw_tally_score(&tally);
	}
	snw_arena_destroy(arena);
	return status;
}

/* The posed points at the frames that are pictured. */
static snw_status keep_pictures(const entry *e, const snw_stack *stack, snw_error *error) {
	const compare_run *run = e->run;
	const size_t numbers = 3 * (size_t)run->test.series.mesh->point_count;
	snw_arena *arena = snw_arena_create();
	double *points = SNW_NEW_ARRAY(arena, double, numbers);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_status status = SNW_OK;
	e->row->pictures = SNW_NEW_ARRAY(run->arena, float *, run->picture_count);
	for (uint32_t p = 0; p < run->picture_count && !snw_failed(status); p++) {
		status = snw_stack_drive(stack, run->test.series.frames[run->picture_frames[p]].pose, evaluation, error);
		status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, run->mesh, NULL, points, error);
		e->row->pictures[p] = SNW_NEW_ARRAY(run->arena, float, numbers);
		for (size_t i = 0; i < numbers; i++) {
			e->row->pictures[p][i] = (float)points[i];
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return status;
}

static const char *trained_on(const entry *e, const snw_scene *fitted) {
	const compare_run *run = e->run;
	const uint32_t frames = run->train.series.frame_count;
	const uint32_t sculpts = run->sculpt_count > 0 ? run->sculpt_count : fitted->example_count;
	const char *frame_words = snw_arena_format(run->arena, "%u frame%s", frames, snw_plural(frames));
	const char *sculpt_words = snw_arena_format(run->arena, "%u %s", sculpts, run->sculpt_count > 0 ? "sculpts" : "frames");
	return !learns(e->contender)          ? NULL
		   : !e->contender->reads_sculpts ? frame_words
		   : !e->contender->reads_frames  ? sculpt_words
										  : snw_arena_format(run->arena, "%s, %s", frame_words, sculpt_words);
}

static snw_status score_whole(const entry *e, const snw_scene *fitted, const snw_stack *stack, const snw_task *task,
							  snw_error *error) {
	const compare_run *run = e->run;
	snw_compare_row *row = e->row;
	for (uint32_t i = 0; i < fitted->model_count; i++) {
		row->model_bytes += fitted->models[i].byte_count;
	}
	row->trained_on = trained_on(e, fitted);
	snw_status status = score_clip(e, &run->train, stack, task, &row->train, error);
	status = snw_failed(status) ? status : score_clip(e, &run->test, stack, task, &row->test, error);
	status = snw_failed(status) ? status
								: snw_compare_cost_find(stack, run->baseline, run->mesh, &run->test.series, &row->cost, error);
	status = snw_failed(status) ? status : keep_pictures(e, stack, error);
	return snw_failed(status) ? status
							  : snw_compare_loss_find(fitted, stack, run->test_clip, task, run->arena, &row->loss, error);
}

static snw_status fit_whole(entry *e, snw_error *error) {
	snw_subtask part = next_part(e);
	const snw_task task = snw_task_of_subtask(&part);
	const training_set set = whole_set(e->run, e->run->scene);
	snw_scene *fitted;
	snw_stack *stack;
	snw_status status = fit_on(e, &set, &task, &fitted, &stack, &e->row->train_seconds, &e->row->caveat, error);
	if (!snw_failed(status)) {
		status = score_whole(e, fitted, stack, &task, error);
	}
	snw_stack_destroy(stack);
	snw_scene_destroy(fitted);
	return status;
}

/* ---- leave-one-out ------------------------------------------------------------------------------------------------------- */

static uint32_t fold_count(const compare_run *run) {
	const uint32_t frames = run->train.series.frame_count, folds = run->request->fold_count;
	return folds < frames ? folds : frames;
}

/* Parts of the training clip. */
static snw_status leave_out_frames(entry *e, snw_tally *tally, snw_error *error) {
	const compare_run *run = e->run;
	const uint32_t folds = fold_count(run), frames = run->train.series.frame_count;
	const bool is_set = run->scene->targets[run->request->train].is_set;
	snw_status status = SNW_OK;
	for (uint32_t fold = 0; fold < folds && !snw_failed(status); fold++) {
		snw_arena *arena = snw_arena_create();
		const snw_frame_part part = snw_frame_part_of(frames, folds, fold, is_set);
		const snw_scene without = snw_scene_without_frames(run->scene, run->request->train, part, arena);
		const training_set set = whole_set(run, &without);
		status = fit_and_tally(e, &set, tally, part, error);
		snw_arena_destroy(arena);
	}
	e->row->left_out_words = folds == frames
								 ? snw_arena_format(run->arena, "each of %u %s", frames, is_set ? "poses" : "frames")
								 : snw_arena_format(run->arena, is_set ? "%u parts of the set" : "%u parts of the clip", folds);
	return status;
}

/* Each sculpt of the project. */
static snw_status leave_out_sculpts(entry *e, snw_tally *tally, snw_error *error) {
	const compare_run *run = e->run;
	snw_status status = SNW_OK;
	for (uint32_t i = 0, frame = 0; i < run->scene->example_count && !snw_failed(status); i++) {
		if (run->scene->examples[i].mesh == run->mesh && !run->scene->examples[i].muted) {
			training_set set = whole_set(run, run->scene);
			set.left_out_example = i;
			status = fit_and_tally(e, &set, tally, (snw_frame_part){frame, frame + 1, 1}, error);
			frame++;
		}
	}
	e->row->left_out_words = snw_arena_format(run->arena, "each of %u sculpts", run->sculpt_count);
	return status;
}

static snw_status leave_folds_out(entry *e, snw_error *error) {
	const compare_run *run = e->run;
	const bool of_sculpts = learns_from_project_alone(e);
	if (run->request->fold_count == 0) {
		return SNW_OK;
	}
	if (!learns(e->contender)) {
		e->row->left_out = e->row->train;
		e->row->left_out_words = "it needs no fit";
		return SNW_OK;
	}
	if (of_sculpts ? run->sculpt_count < 2 : fold_count(run) < 2) {
		e->row->left_out_words = "nothing would remain to learn from";
		return SNW_OK;
	}
	snw_arena *arena = snw_arena_create();
	snw_tally tally = snw_tally_begin(of_sculpts ? &run->sculpts : &run->train, arena);
	snw_error reason = {0};
	const snw_status status = of_sculpts ? leave_out_sculpts(e, &tally, &reason) : leave_out_frames(e, &tally, &reason);
	if (!snw_failed(status)) {
		e->row->left_out = snw_tally_score(&tally);
	} else {
		e->row->left_out_words = snw_arena_text(run->arena, reason.text);
	}
	snw_arena_destroy(arena);
	return status == SNW_CANCELLED ? snw_fail(error, status, "the comparison was cancelled") : SNW_OK;
}

/* ---- the curve over training poses --------------------------------------------------------------------------------------- */

static snw_status draw_curve(entry *e, snw_error *error) {
	const compare_run *run = e->run;
	const uint32_t frames = run->train.series.frame_count;
	snw_compare_row *row = e->row;
	row->curve = SNW_NEW_ARRAY(run->arena, snw_compare_curve_point, run->request->curve_count + 1u);
	if (run->request->train == run->request->test) { /* no pose is left to test it */
		return SNW_OK;
	}
	for (uint32_t i = 0; i < run->request->curve_count && learns(e->contender) && !learns_from_project_alone(e); i++) {
		const uint32_t count = run->request->curve[i];
		if (count >= frames) {
			continue;
		}
		snw_arena *arena = snw_arena_create();
		training_set set = whole_set(run, run->scene);
		set.frames = (snw_frame_choice){SNW_FRAMES_COVER, count};
		set.sculpt_count = count;
		snw_tally tally = snw_tally_begin(&run->test, arena);
		snw_error reason = {0};
		const snw_status status = fit_and_tally(e, &set, &tally, (snw_frame_part){0, run->test.series.frame_count, 1}, &reason);
		row->curve[row->curve_count++] =
			(snw_compare_curve_point){count, snw_failed(status) ? (double)NAN : snw_tally_score(&tally).measure.erms};
		snw_arena_destroy(arena);
		if (status == SNW_CANCELLED) {
			return snw_fail(error, status, "the comparison was cancelled");
		}
	}
	if (e->contender->reads_frames) { /* and the whole clip */
		row->curve[row->curve_count++] = (snw_compare_curve_point){frames, row->test.measure.erms};
	}
	return SNW_OK;
}

/* ---- the rows ------------------------------------------------------------------------------------------------------------ */

static uint32_t count_fits(const compare_run *run, const snw_contender *contender) {
	return learns(contender) ? 1 + run->request->fold_count + run->request->curve_count : 1;
}

/* SNW_CANCELLED, or OK: another failure is the row's. */
static snw_status run_contender(const compare_run *run, const snw_contender *contender, const snw_task *task,
								snw_compare_row *row, snw_error *error) {
	entry e = {.run = run, .contender = contender, .task = task, .fits = count_fits(run, contender), .row = row};
	snw_error reason = {0};
	*row = (snw_compare_row){.name = contender->name};
	snw_status status = fit_whole(&e, &reason);
	status = snw_failed(status) ? status : leave_folds_out(&e, &reason);
	status = snw_failed(status) ? status : draw_curve(&e, &reason);
	if (run->request->train == run->request->test && row->left_out.is_known) {
		row->test = row->left_out;
	}
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "the comparison was cancelled");
	}
	if (snw_failed(status)) {
		*row = (snw_compare_row){.name = contender->name, .failure = snw_arena_text(run->arena, reason.text)};
	}
	return SNW_OK;
}

static snw_status list_contenders(const compare_run *run, snw_contender **contenders, uint32_t *count, snw_error *error) {
	const snw_compare_request *request = run->request;
	if (request->method_count == 0) {
		snw_contenders_of_registry(run->scene, run->registry, run->arena, contenders, count);
		return SNW_OK;
	}
	snw_status status = SNW_OK;
	*contenders = SNW_NEW_ARRAY(run->arena, snw_contender, request->method_count);
	*count = request->method_count;
	for (uint32_t i = 0; i < request->method_count && !snw_failed(status); i++) {
		status = snw_contender_parse(run->registry, request->methods[i], run->arena, &(*contenders)[i], error);
	}
	return status;
}

static snw_status run_contenders(const compare_run *run, const snw_task *task, snw_comparison *comparison, snw_error *error) {
	snw_contender *contenders = NULL;
	snw_status status = list_contenders(run, &contenders, &comparison->row_count, error);
	double all = 0, before = 0;
	for (uint32_t i = 0; i < comparison->row_count && !snw_failed(status); i++) {
		all += count_fits(run, &contenders[i]);
	}
	comparison->rows = SNW_NEW_ARRAY(run->arena, snw_compare_row, comparison->row_count);
	for (uint32_t i = 0; i < comparison->row_count && !snw_failed(status); i++) {
		const double fits = count_fits(run, &contenders[i]);
		snw_subtask part = {task, before / all, (before + fits) / all};
		const snw_task contender_task = snw_task_of_subtask(&part);
		before += fits;
		status = snw_task_progress(task, part.begin, contenders[i].name)
					 ? run_contender(run, &contenders[i], &contender_task, &comparison->rows[i], error)
					 : snw_fail(error, SNW_CANCELLED, "the comparison was cancelled");
	}
	return status;
}

/* ---- what all contenders share ------------------------------------------------------------------------------------------- */

/* A sequence has poses once a fit has found a skeleton. */
static bool has_poses(const snw_scene *scene, const snw_target *target) {
	const uint32_t clip = snw_target_clip(scene, target);
	return scene->skeleton.joint_count > 0 && clip != SNW_NONE && scene->clips[clip].track_count > 0;
}

/* Whether a set is both: each of its poses is tested with fits that have not read it. */
static bool tests_left_out(const snw_scene *scene, const snw_compare_request *request) {
	return request->train == request->test && scene->targets[request->train].is_set && request->fold_count > 1;
}

static snw_status check_request(const snw_scene *scene, const snw_compare_request *request, snw_error *error) {
	const snw_target *train = &scene->targets[request->train], *test = &scene->targets[request->test];
	if (!has_poses(scene, train) || !has_poses(scene, test)) {
		return snw_fail(
			error, SNW_ERROR_ARGUMENT,
			"'%s' has no poses: methods are compared by what they make of them; 'sinew skeleton' finds a skeleton and "
			"poses for a sequence",
			has_poses(scene, train) ? test->name : train->name);
	}
	if (train->mesh != test->mesh) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "targets '%s' and '%s' are of different meshes; choose one with --mesh",
						train->name, test->name);
	}
	const uint32_t clip = snw_target_clip(scene, train);
	if (clip == snw_target_clip(scene, test) && !tests_left_out(scene, request)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"'%s' is the clip of both the fits and the test: errors at frames that a fit has read say nothing "
						"about others; name "
						"another clip with --test",
						scene->clips[clip].name);
	}
	return SNW_OK;
}

static snw_status open_trained(compare_run *run, snw_arena *scratch, snw_error *error) {
	const uint32_t targets[] = {run->request->train, run->request->test};
	snw_scored_series *scored[] = {&run->train, &run->test};
	snw_status status = SNW_OK;
	for (int i = 0; i < 2 && !snw_failed(status); i++) {
		snw_series series;
		status = snw_series_of_target(run->scene, targets[i], scratch, &series, error);
		if (!snw_failed(status)) {
			*scored[i] = snw_scored_series_make(&series);
		}
	}
	for (uint32_t i = 0; i < run->scene->example_count && run->request->sculpt_count == 0; i++) {
		run->sculpt_count += run->scene->examples[i].mesh == run->mesh && !run->scene->examples[i].muted;
	}
	if (!snw_failed(status) && run->sculpt_count > 0) {
		snw_series series;
		status = snw_series_of_examples(run->scene, run->mesh, scratch, &series, error);
		if (!snw_failed(status)) {
			run->sculpts = snw_scored_series_make(&series);
		}
	}
	return status;
}

/* The frames of the test clip that cover its poses best, in the order of time. If no pose has another shape than the rest,
 * frames at equal distances. */
static snw_status choose_pictures(compare_run *run, const snw_task *task, snw_error *error) {
	const snw_target *test = &run->scene->targets[run->request->test];
	const uint32_t most =
		run->request->picture_count < SNW_COMPARE_MOST_PICTURES ? run->request->picture_count : SNW_COMPARE_MOST_PICTURES;
	if (most == 0) {
		return SNW_OK;
	}
	snw_status status = snw_frames_choose(run->scene, test, (snw_frame_choice){SNW_FRAMES_COVER, most}, task, run->arena,
										  &run->picture_frames, &run->picture_count, error);
	if (status == SNW_ERROR_MISSING) {
		const snw_frame_choice even = {SNW_FRAMES_EVERY, (test->frame_count + most - 1) / most};
		status = snw_frames_choose(run->scene, test, even, task, run->arena, &run->picture_frames, &run->picture_count, error);
	}
	return status;
}

static snw_status build_baseline(compare_run *run, snw_error *error) {
	const char *name = snw_registry_trait_name(run->registry, SNW_BASELINE);
	snw_contender baseline;
	const snw_training training = {.scene = run->scene, .left_out_example = SNW_NONE};
	double seconds;
	const char *caveat;
	if (!name) {
		return snw_fail(error, SNW_ERROR_MISSING, "no plug-in shows the character with its original skin");
	}
	snw_status status = snw_contender_parse(run->registry, name, run->arena, &baseline, error);
	status = snw_failed(status) ? status
								: snw_contender_fit(&baseline, run->registry, &training, NULL, run->arena, &run->bare, &seconds,
													&caveat, error);
	const snw_stack_options options = {.below_layer = 1};
	return snw_failed(status) ? status : snw_stack_build(run->bare, run->registry, &options, NULL, &run->baseline, error);
}

static snw_status compare_contenders(compare_run *run, const snw_task *task, snw_comparison *comparison, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_target *train = &run->scene->targets[run->request->train];
	run->samples = run->scene->clips[snw_target_clip(run->scene, train)].name;
	snw_status status = open_trained(run, scratch, error);
	status = snw_failed(status) ? status : build_baseline(run, error);
	if (!snw_failed(status)) {
		snw_subtask part = {task, 0, 0}; /* soon done: the fits are what takes time */
		const snw_task choosing = snw_task_of_subtask(&part);
		status = choose_pictures(run, &choosing, error);
	}
	if (!snw_failed(status)) {
		*comparison = (snw_comparison){.mesh = run->mesh,
									   .picture_count = run->picture_count,
									   .picture_frames = run->picture_frames,
									   .train_rigid_erms = snw_scored_series_rigid_erms(&run->train),
									   .test_rigid_erms = snw_scored_series_rigid_erms(&run->test)};
		status = run_contenders(run, task, comparison, error);
	}
	snw_stack_destroy(run->baseline);
	snw_scene_destroy(run->bare);
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_compare_run(const snw_scene *scene, const snw_registry *registry, const snw_compare_request *request,
						   const snw_task *task, snw_arena *arena, snw_comparison *comparison, snw_error *error) {
	snw_status status = check_request(scene, request, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_scene *copy = snw_scene_copy(scene);
	compare_run run = {.scene = copy,
					   .registry = registry,
					   .request = request,
					   .arena = arena,
					   .mesh = scene->targets[request->train].mesh,
					   .test_clip = snw_target_clip(scene, &scene->targets[request->test])};
	snw_comparison made = {0};
	status = snw_examples_place_unedited(copy, registry, error);
	status = snw_failed(status) ? status : compare_contenders(&run, task, &made, error);
	if (!snw_failed(status)) {
		*comparison = made;
	}
	snw_scene_destroy(copy);
	return status;
}

snw_status snw_comparison_check(const snw_comparison *comparison, bool are_chosen, snw_error *error) {
	const snw_compare_row *first = NULL;
	uint32_t count = 0;
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		if (comparison->rows[r].failure) {
			first = first ? first : &comparison->rows[r];
			count++;
		}
	}
	if (comparison->row_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "no method that is loaded can be compared; 'sinew plugins' shows why");
	}
	if (count == 0 || (!are_chosen && count < comparison->row_count)) {
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_DATA, "%u of %u methods failed; %s: %s", count, comparison->row_count, first->name,
					first->failure);
}
