/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which method learns most from the sculpts: leave-one-out over the layers of the project.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "measure/measure.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "task/task.h"

enum { SNW_SCULPTS_MOST_PARTS = 12 };

enum { LEARNS_FROM_SCULPTS = SNW_NEEDS_EXAMPLES | SNW_NEEDS_SAMPLES };

/* ---- what all learn over ------------------------------------------------------------------------------------------------- */

static bool has_learned_from_sculpts(const snw_layer *layer, const snw_deformer *deformer) {
	return deformer && layer->model != SNW_NONE && !(deformer->descriptor->traits & SNW_BINDS) &&
		   snw_samples_include_examples(deformer->descriptor->needs, layer->samples);
}

/* The blend that shows where none is left: the highest of those that have not learned from sculpts. */
static void unmute_blend(const snw_scene *scene, const snw_registry *registry, snw_arena *arena, snw_layer *layers) {
	snw_scene others = *scene;
	uint32_t *indices = SNW_NEW_ARRAY(arena, uint32_t, scene->layer_count + 1u);
	snw_layer *kept = SNW_NEW_ARRAY(arena, snw_layer, scene->layer_count + 1u);
	others.layers = kept;
	others.layer_count = 0;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (!has_learned_from_sculpts(&layers[i], snw_registry_find(registry, layers[i].deformer))) {
			indices[others.layer_count] = i;
			kept[others.layer_count++] = layers[i];
		}
	}
	const uint32_t blend = snw_fit_base_blend(&others, registry, others.layer_count);
	if (blend != SNW_NONE) {
		layers[indices[blend]].muted = false;
	}
}

snw_layer *snw_layers_before_sculpts(const snw_scene *scene, const snw_registry *registry, const snw_deformer *method,
									 snw_arena *arena, uint32_t *its_layer) {
	snw_layer *layers = SNW_NEW_ARRAY(arena, snw_layer, scene->layer_count + 1u);
	*its_layer = SNW_NONE;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		layers[i] = scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(registry, layers[i].deformer);
		layers[i].muted = layers[i].muted || has_learned_from_sculpts(&layers[i], deformer);
		*its_layer = method && deformer == method ? i : *its_layer;
	}
	unmute_blend(scene, registry, arena, layers);
	if (*its_layer != SNW_NONE) {
		layers[*its_layer].muted = false;
	}
	return layers;
}

/* ---- the sculpts --------------------------------------------------------------------------------------------------------- */

/* The sculpts of one mesh. */
typedef struct sculpted_mesh {
	uint32_t mesh;
	uint32_t *examples; /* [series.frame_count] */
	snw_scored_series scored;
} sculpted_mesh;

typedef struct sculpts_run {
	const snw_scene *scene; /* with the layers before sculpts, and unedited points placed */
	const snw_scene *given; /* whose layers a method's its_layer is taken from */
	const snw_registry *registry;
	const snw_task *task;
	snw_arena *arena; /* of the result */
	uint32_t mesh_count, part_count, fits, fits_done;
	sculpted_mesh *meshes;
	uint32_t *parts; /* [example_count]: which part leaves it out; SNW_NONE: it is muted */
	snw_sculpts_comparison *made;
} sculpts_run;

static snw_status open_sculpts(sculpts_run *run, snw_arena *scratch, snw_error *error) {
	const snw_scene *scene = run->scene;
	snw_status status = SNW_OK;
	run->meshes = SNW_NEW_ARRAY(scratch, sculpted_mesh, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		sculpted_mesh *mesh = &run->meshes[run->mesh_count];
		uint32_t count = 0;
		*mesh = (sculpted_mesh){.mesh = m, .examples = SNW_NEW_ARRAY(scratch, uint32_t, scene->example_count)};
		for (uint32_t e = 0; e < scene->example_count; e++) {
			if (scene->examples[e].mesh == m && !scene->examples[e].muted) {
				mesh->examples[count++] = e;
			}
		}
		snw_series series;
		if (count > 0) {
			status = snw_series_of_examples(scene, m, scratch, &series, error);
			run->mesh_count++;
		}
		if (count > 0 && !snw_failed(status)) {
			mesh->scored = snw_scored_series_make(&series);
			run->made->diagonal = fmax(run->made->diagonal, series.diagonal);
		}
	}
	return status;
}

/* Dealt out in turn: sculpts that stand side by side are often of one joint. */
static void deal_parts(sculpts_run *run, snw_arena *scratch) {
	const uint32_t sculpts = snw_scene_active_example_count(run->scene);
	run->part_count = sculpts < SNW_SCULPTS_MOST_PARTS ? sculpts : SNW_SCULPTS_MOST_PARTS;
	run->parts = SNW_NEW_ARRAY(scratch, uint32_t, run->scene->example_count);
	for (uint32_t e = 0, dealt = 0; e < run->scene->example_count; e++) {
		run->parts[e] = run->scene->examples[e].muted ? SNW_NONE : dealt++ % run->part_count;
	}
	run->made->part_count = run->part_count;
	run->made->sculpt_count = sculpts;
}

/* The sums over the sculpts of each mesh. */
typedef struct sculpts_tally {
	snw_tally *of_mesh; /* [mesh_count] */
} sculpts_tally;

static sculpts_tally begin_tally(const sculpts_run *run, snw_arena *scratch) {
	sculpts_tally tally = {SNW_NEW_ARRAY(scratch, snw_tally, run->mesh_count)};
	for (uint32_t m = 0; m < run->mesh_count; m++) {
		tally.of_mesh[m] = snw_tally_begin(&run->meshes[m].scored, scratch);
	}
	return tally;
}

/* Adds the errors at the sculpts of a part (SNW_NONE: at all). */
static snw_status tally_part(const sculpts_run *run, const snw_stack *stack, uint32_t part, sculpts_tally *tally,
							 snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < run->mesh_count; m++) {
		const sculpted_mesh *mesh = &run->meshes[m];
		for (uint32_t f = 0; f < mesh->scored.series.frame_count && !snw_failed(status); f++) {
			if (part == SNW_NONE || run->parts[mesh->examples[f]] == part) {
				status = snw_tally_frames(&tally->of_mesh[m], stack, mesh->mesh, f, f + 1, NULL, error);
			}
		}
	}
	return status;
}

/* Of all meshes together. */
static snw_measure finish_tally(const sculpts_run *run, const sculpts_tally *tally, snw_arena *scratch) {
	snw_measure *measures = SNW_NEW_ARRAY(scratch, snw_measure, run->mesh_count);
	uint32_t farthest;
	for (uint32_t m = 0; m < run->mesh_count; m++) {
		measures[m] = snw_tally_score(&tally->of_mesh[m]).measure;
	}
	return snw_measure_together(run->mesh_count, measures, &farthest);
}

/* The points of the pictured sculpt's mesh in its pose. */
static snw_status keep_picture(const sculpts_run *run, const snw_stack *stack, float **picture, snw_error *error) {
	const snw_example *example = &run->scene->examples[run->made->example];
	const size_t numbers = 3 * (size_t)run->scene->meshes[example->mesh].point_count;
	snw_arena *scratch = snw_arena_create();
	double *points = SNW_NEW_ARRAY(scratch, double, numbers);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_status status =
		snw_stack_drive(stack, snw_pose_view_make(run->scene, &run->scene->poses[example->pose], scratch), evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, example->mesh, NULL, points, error);
	*picture = SNW_NEW_ARRAY(run->arena, float, numbers);
	for (size_t i = 0; i < numbers; i++) {
		(*picture)[i] = (float)points[i];
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(scratch);
	return snw_failed(status) ? status : SNW_OK;
}

/* ---- what all learn over ------------------------------------------------------------------------------------------------- */

/* The sculpt with the largest distance from the stack, over the edited points. */
static snw_status choose_pictured(const sculpts_run *run, const snw_stack *stack, snw_error *error) {
	double most = -1;
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < run->mesh_count; m++) {
		const sculpted_mesh *mesh = &run->meshes[m];
		for (uint32_t f = 0; f < mesh->scored.series.frame_count && !snw_failed(status); f++) {
			snw_arena *scratch = snw_arena_create();
			snw_tally tally = snw_tally_begin(&mesh->scored, scratch);
			status = snw_tally_frames(&tally, stack, mesh->mesh, f, f + 1, NULL, error);
			if (!snw_failed(status) && tally.sums.max_distance > most) {
				most = tally.sums.max_distance;
				run->made->example = mesh->examples[f];
			}
			snw_arena_destroy(scratch);
		}
	}
	return status;
}

static void keep_sculpt(const sculpts_run *run) {
	const snw_example *example = &run->scene->examples[run->made->example];
	const size_t numbers = 3 * (size_t)run->scene->meshes[example->mesh].point_count;
	run->made->sculpt = SNW_NEW_ARRAY(run->arena, float, numbers);
	for (size_t i = 0; i < numbers; i++) {
		run->made->sculpt[i] = (float)example->points_posed[i];
	}
}

static snw_status measure_before(sculpts_run *run, snw_sculpts_row *row, snw_error *error) {
	snw_stack *stack = NULL;
	snw_arena *scratch = snw_arena_create();
	sculpts_tally tally = begin_tally(run, scratch);
	const snw_stack_options options = {.below_layer = run->scene->layer_count};
	snw_status status = snw_stack_build(run->scene, run->registry, &options, NULL, &stack, error);
	status = snw_failed(status) ? status : tally_part(run, stack, SNW_NONE, &tally, error);
	status = snw_failed(status) ? status : choose_pictured(run, stack, error);
	if (!snw_failed(status)) {
		row->left_out = row->learned = finish_tally(run, &tally, scratch);
		keep_sculpt(run);
		status = keep_picture(run, stack, &row->picture, error);
	}
	snw_stack_destroy(stack);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- one method ---------------------------------------------------------------------------------------------------------- */

/* The scene of a fit: with the method's its_layer layer, and without the sculpts of a part. */
static snw_scene training_scene(const sculpts_run *run, const snw_deformer *deformer, uint32_t part, snw_arena *scratch,
								snw_fit_request *request) {
	snw_scene scene = *run->scene;
	uint32_t its_layer;
	scene.layers = snw_layers_before_sculpts(run->given, run->registry, deformer, scratch, &its_layer);
	snw_example *examples = SNW_NEW_ARRAY(scratch, snw_example, scene.example_count);
	for (uint32_t e = 0; e < scene.example_count; e++) {
		examples[e] = run->scene->examples[e];
		examples[e].muted = examples[e].muted || (part != SNW_NONE && run->parts[e] == part);
	}
	scene.examples = examples;
	const snw_descriptor *descriptor = deformer->descriptor;
	*request = (snw_fit_request){
		.method = descriptor->id,
		.layer = its_layer != SNW_NONE ? scene.layers[its_layer].name
									   : snw_scene_free_name(&scene, snw_scene_find_layer, descriptor->short_name, scratch),
		.samples = descriptor->needs & SNW_NEEDS_SAMPLES ? "examples" : NULL,
		.left_out_example = SNW_NONE,
	};
	return scene;
}

/* Fits without a part (SNW_NONE: to all), and adds the errors there. */
static snw_status fit_part(sculpts_run *run, const snw_deformer *deformer, uint32_t part, sculpts_tally *tally,
						   snw_sculpts_row *row, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_subtask share = {run->task, (double)run->fits_done / run->fits, (run->fits_done + 1.0) / run->fits};
	const snw_task silent = {.context = &share, .progress = snw_task_of_subtask(&share).progress}; /* a notice for each fit */
	snw_fit_request request;
	const snw_scene scene = training_scene(run, deformer, part, scratch, &request);
	snw_fit_outcome outcome = {.arena = scratch};
	snw_scene *fitted = NULL;
	snw_stack *stack = NULL;
	run->fits_done++;
	snw_status status = snw_fit_run(&scene, run->registry, &request, &silent, &outcome, error);
	status = snw_failed(status) ? status : snw_fit_apply(&scene, &outcome, &fitted, error);
	if (!snw_failed(status)) {
		const snw_stack_options options = {.below_layer = fitted->layer_count};
		status = snw_stack_build(fitted, run->registry, &options, NULL, &stack, error);
	}
	status = snw_failed(status) ? status : tally_part(run, stack, part, tally, error);
	if (!snw_failed(status) && part == SNW_NONE) {
		row->seconds = outcome.seconds;
		row->caveat = outcome.caveat ? snw_arena_text(run->arena, outcome.caveat) : NULL;
	} else if (!snw_failed(status) && run->parts[run->made->example] == part) {
		status = keep_picture(run, stack, &row->picture, error);
	}
	snw_stack_destroy(stack);
	snw_scene_destroy(fitted);
	snw_arena_destroy(scratch);
	return snw_failed(status) ? status : SNW_OK;
}

/* SNW_CANCELLED, or OK: another failure is the row's. */
static snw_status compare_method(sculpts_run *run, const snw_deformer *deformer, snw_sculpts_row *row, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	sculpts_tally learned = begin_tally(run, scratch), left_out = begin_tally(run, scratch);
	const uint32_t fits_done = run->fits_done;
	snw_error reason = {0};
	*row = (snw_sculpts_row){.method = snw_arena_text(run->arena, deformer->descriptor->short_name)};
	snw_status status = fit_part(run, deformer, SNW_NONE, &learned, row, &reason);
	for (uint32_t part = 0; part < run->part_count && !snw_failed(status); part++) {
		status = fit_part(run, deformer, part, &left_out, row, &reason);
	}
	if (!snw_failed(status)) {
		row->learned = finish_tally(run, &learned, scratch);
		row->left_out = finish_tally(run, &left_out, scratch);
		if (!isfinite(row->left_out.erms)) {
			status = snw_fail(&reason, SNW_ERROR_DATA, "its error is not a finite number");
		}
	}
	snw_arena_destroy(scratch);
	run->fits_done = fits_done + 1 + run->part_count;
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "the comparison was cancelled");
	}
	if (snw_failed(status)) {
		*row = (snw_sculpts_row){.method = row->method, .failure = snw_arena_text(run->arena, reason.text)};
	}
	return SNW_OK;
}

/* ---- all methods --------------------------------------------------------------------------------------------------------- */

static bool can_learn_from_sculpts(const snw_scene *scene, const snw_deformer *deformer) {
	const snw_descriptor *descriptor = deformer->descriptor;
	return !snw_proposes_only(descriptor) && !(descriptor->traits & SNW_BINDS) && descriptor->needs & LEARNS_FROM_SCULPTS &&
		   !snw_failed(snw_needs_check(scene, descriptor, NULL));
}

static snw_status list_named(const sculpts_run *run, uint32_t count, const char *const *methods, const snw_deformer **list,
							 snw_error *error) {
	for (uint32_t i = 0; i < count; i++) {
		list[i] = snw_registry_find(run->registry, methods[i]);
		if (!list[i]) {
			return snw_fail(error, SNW_ERROR_MISSING, "no method '%s'; 'sinew plugins' lists them", methods[i]);
		}
		if (!can_learn_from_sculpts(run->scene, list[i])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s does not learn from sculpts; name a clip with --train to compare it",
							methods[i]);
		}
	}
	return SNW_OK;
}

static uint32_t list_all(const sculpts_run *run, const snw_deformer **list) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < snw_registry_count(run->registry); i++) {
		const snw_deformer *deformer = snw_registry_get(run->registry, i)->deformer;
		if (deformer && can_learn_from_sculpts(run->scene, deformer)) {
			list[count++] = deformer;
		}
	}
	return count;
}

/* Those that failed are last. */
static int order_rows(const void *a, const void *b) {
	const snw_sculpts_row *one = a, *other = b;
	if (one->failure || other->failure) {
		return (one->failure != NULL) - (other->failure != NULL);
	}
	return (one->left_out.erms > other->left_out.erms) - (one->left_out.erms < other->left_out.erms);
}

static snw_status compare_all(sculpts_run *run, uint32_t method_count, const char *const *methods, snw_arena *scratch,
							  snw_error *error) {
	const snw_deformer **list =
		SNW_NEW_ARRAY(scratch, const snw_deformer *, (size_t)snw_registry_count(run->registry) + method_count);
	snw_status status = list_named(run, method_count, methods, list, error);
	const uint32_t count = method_count > 0 ? method_count : list_all(run, list);
	snw_sculpts_comparison *made = run->made;
	status = snw_failed(status) ? status : open_sculpts(run, scratch, error);
	if (snw_failed(status)) {
		return status;
	}
	deal_parts(run, scratch);
	run->fits = count * (1 + run->part_count);
	made->rows = SNW_NEW_ARRAY(run->arena, snw_sculpts_row, count + 1u);
	status = measure_before(run, &made->rows[0], error);
	for (made->row_count = 1; made->row_count <= count && !snw_failed(status); made->row_count++) {
		const snw_deformer *deformer = list[made->row_count - 1];
		status = snw_task_progress(run->task, (double)run->fits_done / run->fits, deformer->descriptor->short_name)
					 ? compare_method(run, deformer, &made->rows[made->row_count], error)
					 : snw_fail(error, SNW_CANCELLED, "the comparison was cancelled");
	}
	if (!snw_failed(status)) {
		qsort(made->rows + 1, made->row_count - 1, sizeof *made->rows, order_rows);
	}
	return status;
}

static snw_status check_sculpts(const snw_scene *scene, snw_error *error) {
	const uint32_t sculpts = snw_scene_active_example_count(scene), baked = snw_scene_first_baked(scene);
	if (sculpts < 2) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"methods are compared at sculpts that a fit has not read, so there must be two; this project has %u",
						sculpts);
	}
	return baked == SNW_NONE ? SNW_OK
							 : snw_fail(error, SNW_ERROR_CONFLICT,
										"the project is baked; remove layer '%s' to compare what learns from the sculpts",
										scene->layers[baked].name);
}

snw_status snw_compare_sculpts(const snw_scene *scene, const snw_registry *registry, uint32_t method_count,
							   const char *const *methods, const snw_task *task, snw_arena *arena,
							   snw_sculpts_comparison *comparison, snw_error *error) {
	snw_status status = check_sculpts(scene, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *scratch = snw_arena_create();
	snw_scene *copy = snw_scene_copy(scene);
	snw_sculpts_comparison made = {0};
	uint32_t its_layer;
	copy->layers = snw_layers_before_sculpts(scene, registry, NULL, scratch, &its_layer);
	sculpts_run run = {.scene = copy, .given = scene, .registry = registry, .task = task, .arena = arena, .made = &made};
	status = snw_examples_place_unedited(copy, registry, error);
	status = snw_failed(status) ? status : compare_all(&run, method_count, methods, scratch, error);
	if (!snw_failed(status)) {
		*comparison = made;
	}
	snw_scene_destroy(copy);
	snw_arena_destroy(scratch);
	return status;
}
