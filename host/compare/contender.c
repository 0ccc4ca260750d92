/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/compare.h"

#include <math.h>
#include <string.h>

#include "export/export.h"
#include "fit/fit.h"
#include "plugin/registry.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "sinew/kit/clock.h"
#include "task/task.h"

/* ---- what it learns from ------------------------------------------------------------------------------------------------- */

snw_status snw_scene_with_sculpts(const snw_scene *scene, uint32_t target, uint32_t most, const snw_task *task,
								  snw_arena *arena, snw_scene *with, snw_error *error) {
	const snw_target *from = &scene->targets[target];
	const size_t numbers = 3 * (size_t)scene->meshes[from->mesh].point_count;
	snw_subtask part = {task, 0, 0};
	const snw_task choosing = snw_task_of_subtask(&part);
	uint32_t *frames, count;
	const snw_status status =
		snw_frames_choose(scene, from, (snw_frame_choice){SNW_FRAMES_COVER, most}, &choosing, arena, &frames, &count, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_pose *poses = SNW_NEW_ARRAY(arena, snw_pose, scene->pose_count + count);
	snw_example *examples = SNW_NEW_ARRAY(arena, snw_example, count);
	*with = *scene;
	memcpy(poses, scene->poses, scene->pose_count * sizeof *poses);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = snw_arena_format(arena, "%s frame %u", from->name, frames[i]);
		double *points = SNW_NEW_ARRAY(arena, double, numbers);
		for (size_t n = 0; n < numbers; n++) {
			points[n] = (double)from->points_posed[frames[i] * numbers + n];
		}
		snw_pose *pose = &poses[with->pose_count];
		*pose = *snw_pose_sample(scene, snw_target_clip(scene, from), from->seconds[frames[i]], arena);
		pose->name = snw_scene_free_name(scene, snw_scene_find_pose, name, arena);
		pose->id = 0;
		examples[i] = (snw_example){.name = name, .pose = with->pose_count++, .mesh = from->mesh, .points_posed = points};
	}
	with->poses = poses;
	with->example_count = count;
	with->examples = examples;
	with->groups = NULL;
	with->group_count = 0;
	return SNW_OK;
}

/* ---- contenders ---------------------------------------------------------------------------------------------------------- */

enum { READS_FRAMES = SNW_NEEDS_TARGETS | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES };

/* ---- which methods ------------------------------------------------------------------------------------------------------- */

static void add_method(snw_contender *contender, const snw_deformer *deformer) {
	const uint32_t needs = deformer->descriptor->needs;
	contender->methods[contender->method_count++] = deformer;
	contender->reads_frames = contender->reads_frames || (needs & READS_FRAMES);
	contender->reads_sculpts = contender->reads_sculpts || (!(needs & READS_FRAMES) && (needs & SNW_NEEDS_EXAMPLES));
}

snw_status snw_contender_parse(const snw_registry *registry, const char *text, snw_arena *arena, snw_contender *contender,
							   snw_error *error) {
	*contender = (snw_contender){.name = snw_arena_text(arena, text),
								 .methods = SNW_NEW_ARRAY(arena, const snw_deformer *, strlen(text) + 1)};
	for (const char *at = text; at; at = strchr(at, '+') ? strchr(at, '+') + 1 : NULL) {
		const char *name = snw_arena_format(arena, "%.*s", (int)strcspn(at, "+"), at);
		const snw_deformer *deformer = snw_registry_find(registry, name);
		if (!deformer) {
			return snw_fail(error, SNW_ERROR_MISSING, "'%s': no method '%s'; 'sinew plugins' lists them", text, name);
		}
		if (snw_proposes_only(deformer->descriptor)) {
			return snw_fail(error, SNW_ERROR_MISSING, "'%s': %s makes %s for the project, not a layer that could be compared",
							text, name, deformer->descriptor->traits & SNW_MAKES_SKELETON ? "a skeleton" : "weights");
		}
		add_method(contender, deformer);
	}
	return SNW_OK;
}

/* Methods that learn without a skeleton play the frames that they saw, and no others. */
static bool can_compete(const snw_scene *scene, const snw_deformer *deformer) {
	const uint32_t traits = deformer->descriptor->traits, needs = deformer->descriptor->needs;
	snw_descriptor frames_for_sculpts = *deformer->descriptor;
	frames_for_sculpts.needs &= ~(uint32_t)SNW_NEEDS_EXAMPLES;
	return !snw_proposes_only(deformer->descriptor) && ((traits & SNW_BINDS) || (needs & SNW_NEEDS_SKELETON)) &&
		   !snw_failed(snw_needs_check(scene, &frames_for_sculpts, NULL));
}

/* The deformers of the registry that may compete and have all traits of `with` and none of `without`. */
static uint32_t list_deformers(const snw_scene *scene, const snw_registry *registry, uint32_t with, uint32_t without,
							   const snw_deformer **list) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
		if (deformer && (traits & with) == with && !(traits & without) && can_compete(scene, deformer)) {
			list[count++] = deformer;
		}
	}
	return count;
}

/* `upper` NULL: one method alone. */
static snw_contender make_contender(const snw_deformer *lower, const snw_deformer *upper, snw_arena *arena) {
	snw_contender made = {.methods = SNW_NEW_ARRAY(arena, const snw_deformer *, 2)};
	made.name = upper ? snw_arena_format(arena, "%s+%s", lower->descriptor->short_name, upper->descriptor->short_name)
					  : snw_arena_text(arena, lower->descriptor->short_name);
	add_method(&made, lower);
	if (upper) {
		add_method(&made, upper);
	}
	return made;
}

void snw_contenders_of_registry(const snw_scene *scene, const snw_registry *registry, snw_arena *arena,
								snw_contender **contenders, uint32_t *count) {
	const uint32_t plugins = snw_registry_count(registry);
	const snw_deformer **lower = SNW_NEW_ARRAY(arena, const snw_deformer *, plugins),
					   **upper = SNW_NEW_ARRAY(arena, const snw_deformer *, plugins);
	uint32_t lower_count = list_deformers(scene, registry, SNW_BASELINE, 0, lower);
	lower_count += list_deformers(scene, registry, 0, SNW_BASELINE, lower + lower_count);
	*contenders = SNW_NEW_ARRAY(arena, snw_contender, (size_t)plugins * (plugins + 1));
	*count = 0;
	for (uint32_t i = 0; i < lower_count; i++) {
		(*contenders)[(*count)++] = make_contender(lower[i], NULL, arena);
	}
	const uint32_t upper_count = list_deformers(scene, registry, SNW_CORRECTS, 0, upper);
	lower_count = list_deformers(scene, registry, SNW_BINDS | SNW_REPLACES_BLEND, SNW_BASELINE, lower);
	for (uint32_t i = 0; i < lower_count * upper_count; i++) {
		(*contenders)[(*count)++] = make_contender(lower[i / upper_count], upper[i % upper_count], arena);
	}
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

typedef struct climb {
	const snw_registry *registry;
	const snw_training *training;
	snw_arena *arena;
	snw_scene *scene; /* with the methods up to here */
	double seconds;
	const char *caveat;
} climb;

/* The training scene with the baseline's blend as its only layer. */
static snw_scene *copy_bare(const snw_scene *scene) {
	snw_arena *arena = snw_arena_create();
	snw_scene bare = *scene;
	bare.arena = arena;
	bare.model_count = 0;
	snw_scene_add_baseline(&bare);
	snw_scene *copy = snw_scene_copy(&bare);
	snw_arena_destroy(arena);
	return copy;
}

/* A layer that needs no fit: on top, or in place of the base blend. */
static void bind(climb *c, const snw_deformer *deformer) {
	const snw_descriptor *descriptor = deformer->descriptor;
	snw_scene *scene = c->scene;
	snw_layer *layers = SNW_NEW_ARRAY(scene->arena, snw_layer, scene->layer_count + 1u);
	memcpy(layers, scene->layers, scene->layer_count * sizeof *layers);
	for (uint32_t i = 0; i < scene->layer_count && descriptor->traits & SNW_REPLACES_BLEND; i++) {
		const snw_deformer *other = snw_registry_find(c->registry, layers[i].deformer);
		layers[i].muted = layers[i].muted || (other && other->descriptor->traits & SNW_REPLACES_BLEND);
	}
	layers[scene->layer_count] = (snw_layer){
		.name = snw_scene_free_name(scene, snw_scene_find_layer, descriptor->short_name, scene->arena),
		.deformer = snw_arena_text(scene->arena, descriptor->id),
		.deformer_version = snw_arena_text(scene->arena, descriptor->version),
		.model = SNW_NONE,
	};
	scene->layers = layers;
	scene->layer_count++;
}

static snw_status learn(climb *c, const snw_deformer *deformer, const snw_task *task, snw_error *error) {
	const snw_descriptor *descriptor = deformer->descriptor;
	const snw_fit_request request = {
		.method = descriptor->id,
		.layer = snw_scene_free_name(c->scene, snw_scene_find_layer, descriptor->short_name, c->arena),
		.samples = descriptor->needs & READS_FRAMES ? c->training->samples : NULL,
		.left_out_example = c->training->left_out_example,
	};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_scene *after = NULL;
	snw_status status = snw_fit_run(c->scene, c->registry, &request, task, &outcome, error);
	status = snw_failed(status) ? status : snw_fit_apply(c->scene, &outcome, &after, error);
	if (!snw_failed(status)) {
		snw_scene_destroy(c->scene);
		c->scene = after;
		c->seconds += outcome.seconds;
		c->caveat = outcome.caveat ? snw_arena_format(c->arena, "%s%s%s: %s", c->caveat ? c->caveat : "", c->caveat ? "; " : "",
													  descriptor->short_name, outcome.caveat)
								   : c->caveat;
	}
	snw_arena_destroy(outcome.arena);
	return snw_failed(status) ? status : SNW_OK;
}

snw_status snw_contender_fit(const snw_contender *contender, const snw_registry *registry, const snw_training *training,
							 const snw_task *task, snw_arena *arena, snw_scene **fitted, double *seconds, const char **caveat,
							 snw_error *error) {
	climb c = {.registry = registry, .training = training, .arena = arena, .scene = copy_bare(training->scene)};
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < contender->method_count && !snw_failed(status); i++) {
		const snw_deformer *deformer = contender->methods[i];
		snw_subtask part = {task, (double)i / contender->method_count, (i + 1.0) / contender->method_count};
		const snw_task silent = {.context = &part, .progress = snw_task_of_subtask(&part).progress}; /* a notice for each fit */
		const uint32_t traits = deformer->descriptor->traits;
		if (!(traits & SNW_BINDS)) {
			status = learn(&c, deformer, &silent, error);
		} else if (!(traits & SNW_BASELINE) || i > 0) {
			bind(&c, deformer);
		}
	}
	if (snw_failed(status)) {
		snw_scene_destroy(c.scene);
		return status;
	}
	*fitted = c.scene;
	*seconds = c.seconds;
	*caveat = c.caveat;
	return SNW_OK;
}

/* ---- what it costs to run ------------------------------------------------------------------------------------------------ */

enum { POSES = 4, ROUNDS = 15 };
static const double ENOUGH_SECONDS = 1.5; /* of one stack at one pose; slow stacks get fewer rounds */

/* ---- counts -------------------------------------------------------------------------------------------------------------- */

/* Operations of a blend: for each influence, and for each point. A linear blend sums weighted 3×4 matrices, then applies the
 * sum; an affine one applies each matrix to its own vector; dual quaternions are summed, normalised and applied. */
typedef struct blend_operations {
	uint32_t influence, point, influence_floats;
} blend_operations;

static const blend_operations operations_of[] = {
	[SNW_BLEND_NONE] = {0, 0, 0},
	[SNW_BLEND_LINEAR] = {24, 18, 2},
	[SNW_BLEND_AFFINE] = {24, 0, 5},
	[SNW_BLEND_DUAL_QUATERNION] = {16, 70, 2},
};

static void count_program(const snw_program *program, snw_compare_cost *cost) {
	enum { DISPLACED_REST = 6, DISPLACED_POSED = 24, COMBINED = 6 };
	const blend_operations *blend = &operations_of[program->blend];
	const uint64_t influences = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	const uint64_t rest = program->rest.count > 0 ? program->rest.offsets[program->rest.count] : 0;
	const uint64_t posed = program->posed.count > 0 ? program->posed.offsets[program->posed.count] : 0;
	const uint64_t slots = program->slot_count;
	const uint64_t dense = program->combined ? 4 * slots * program->combined_count : 0;
	const uint64_t sparse = program->combined_slots ? 4 * (uint64_t)program->combined_slots->offsets[slots] : 0;
	cost->influences += influences;
	cost->displaced += rest + posed;
	cost->combined += dense + sparse;
	cost->operations += influences * blend->influence + (uint64_t)program->point_count * blend->point + rest * DISPLACED_REST +
						posed * DISPLACED_POSED + (dense + sparse) * COMBINED;
	cost->bytes += 4 * (3 * (uint64_t)program->point_count + influences * blend->influence_floats + 4 * (rest + posed) + dense +
						sparse + sparse / 4);
}

static void count(const snw_stack *stack, uint32_t mesh, snw_compare_cost *cost) {
	cost->is_counted = true;
	for (uint32_t s = 0; s < snw_stack_segment_count(stack, mesh); s++) {
		const snw_segment_info info = snw_stack_segment(stack, mesh, s);
		cost->is_counted = cost->is_counted && info.is_program;
		if (info.program) {
			count_program(info.program, cost);
		}
	}
}

/* ---- seconds ------------------------------------------------------------------------------------------------------------- */

typedef struct timed_stack {
	const snw_stack *stack;
	snw_evaluation *evaluation;
	double shortest, all; /* seconds, at the current pose */
} timed_stack;

static snw_status run_once(timed_stack *timed, const snw_pose_view *pose, uint32_t mesh, float *points, snw_error *error) {
	const double before = snk_clock_seconds();
	snw_status status = snw_stack_drive(timed->stack, pose, timed->evaluation, error);
	status = snw_failed(status) ? status : snw_stack_run(timed->stack, timed->evaluation, mesh, points, error);
	const double seconds = snk_clock_seconds() - before;
	timed->shortest = fmin(timed->shortest, seconds);
	timed->all += seconds;
	return status;
}

snw_status snw_compare_cost_find(const snw_stack *stack, const snw_stack *baseline, uint32_t mesh, const snw_series *series,
								 snw_compare_cost *cost, snw_error *error) {
	timed_stack timed[2] = {{.stack = baseline, .evaluation = snw_evaluation_create(baseline)},
							{.stack = stack, .evaluation = snw_evaluation_create(stack)}};
	snw_arena *arena = snw_arena_create();
	float *points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)series->mesh->point_count);
	const uint32_t poses = series->frame_count < POSES ? series->frame_count : POSES;
	double sums[2] = {0};
	snw_status status = SNW_OK;
	const uint32_t threads = snw_parallel_thread_count();
	*cost = (snw_compare_cost){0};
	count(stack, mesh, cost);
	snw_parallel_threads(1); /* several would wait for what else the machine does */
	for (uint32_t p = 0; p < poses && !snw_failed(status); p++) {
		const snw_pose_view *pose = series->frames[(uint64_t)p * series->frame_count / poses].pose;
		timed[0].shortest = timed[1].shortest = INFINITY;
		timed[0].all = timed[1].all = 0;
		for (int round = 0; round < ROUNDS && !snw_failed(status) && timed[1].all * poses < ENOUGH_SECONDS; round++) {
			for (int t = 0; t < 2 && !snw_failed(status); t++) {
				status = run_once(&timed[t], pose, mesh, points, error);
			}
		}
		sums[0] += timed[0].shortest;
		sums[1] += timed[1].shortest;
	}
	snw_parallel_threads(threads);
	cost->seconds = sums[1] / poses;
	cost->ratio = sums[1] / sums[0];
	snw_evaluation_destroy(timed[0].evaluation);
	snw_evaluation_destroy(timed[1].evaluation);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

/* ---- what an export loses ------------------------------------------------------------------------------------------------ */

/* The notices of an export, and its progress passed on. */
typedef struct listener {
	const snw_task *task;
	snw_arena *arena;
	const char *words; /* NULL for none */
} listener;

static bool pass_progress(void *context, double fraction, const char *activity) {
	return snw_task_progress(((const listener *)context)->task, fraction, activity);
}

static void keep_notice(void *context, snw_log_level level, const char *line) {
	listener *l = context;
	(void)level;
	if (!l->words || !strstr(l->words, line)) {
		l->words = snw_arena_format(l->arena, "%s%s%s", l->words ? l->words : "", l->words ? "; " : "", line);
	}
}

snw_status snw_compare_loss_find(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								 snw_arena *arena, snw_compare_loss *loss, snw_error *error) {
	listener l = {.task = task, .arena = arena};
	const snw_task listening = {.context = &l, .progress = pass_progress, .notice = keep_notice};
	const snw_export_request request = {.mesh = SNW_NONE, .clip = clip, .influences = 4};
	snw_export_report report = {0};
	snw_error reason = {0};
	const snw_status status = snw_export_losses(scene, stack, &request, &listening, &report, &reason);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "the comparison was cancelled");
	}
	*loss = (snw_compare_loss){
		.is_known = !snw_failed(status),
		.erms = report.playback_erms,
		.max_percent = report.playback_max_percent,
		.normals_degrees = report.playback_normals_degrees,
		.source_erms = report.source_erms,
		.morph_count = report.morph_count,
		.proxy_count = report.proxy_count,
		.words = snw_failed(status) ? snw_arena_text(arena, reason.text) : l.words,
	};
	return SNW_OK;
}

/* ---- scores -------------------------------------------------------------------------------------------------------------- */

snw_scored_series snw_scored_series_make(const snw_series *series) {
	snw_scored_series scored = {.series = *series, .spread = snw_series_spread(series)};
	snw_arena *arena = snw_arena_create();
	double *rigid = SNW_NEW_ARRAY(arena, double, series->frame_count);
	snw_series_rigid(series, rigid);
	for (uint32_t f = 0; f < series->frame_count; f++) {
		scored.rigid += rigid[f];
	}
	snw_arena_destroy(arena);
	return scored;
}

double snw_scored_series_rigid_erms(const snw_scored_series *scored) {
	const snw_measure_sums sums = {.squares = scored->rigid};
	return snw_measure_finish(&scored->series, scored->series.frame_count, &sums, 0, 0).erms;
}

snw_tally snw_tally_begin(const snw_scored_series *scored, snw_arena *arena) {
	return (snw_tally){.scored = scored, .point_squares = SNW_NEW_ARRAY(arena, double, scored->series.mesh->point_count)};
}

static void add_frame(snw_tally *tally, uint32_t frame, const double *expected, const double *actual, double *distances) {
	const uint32_t points = tally->scored->series.mesh->point_count;
	snw_measure_add(&tally->scored->series, frame, expected, actual, &tally->sums);
	snw_measure_distances(points, expected, actual, distances);
	for (uint32_t i = 0; i < points; i++) {
		tally->point_squares[i] += distances[i] * distances[i];
	}
	tally->frame_count++;
}

snw_status snw_tally_frames(snw_tally *tally, const snw_stack *stack, uint32_t mesh, uint32_t begin, uint32_t end,
							const snw_task *task, snw_error *error) {
	const snw_series *series = &tally->scored->series;
	const size_t points = series->mesh->point_count;
	snw_arena *arena = snw_arena_create();
	double *expected = SNW_NEW_ARRAY(arena, double, 3 * points), *actual = SNW_NEW_ARRAY(arena, double, 3 * points);
	double *distances = SNW_NEW_ARRAY(arena, double, points);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_normal_comparison *normals = snw_normal_comparison_create(series->mesh);
	snw_status status = SNW_OK;
	for (uint32_t f = begin; f < end && !snw_failed(status); f++) {
		if (!snw_task_progress(task, (double)(f - begin) / (end - begin), "measuring")) {
			status = snw_fail(error, SNW_CANCELLED, "the comparison was cancelled");
			break;
		}
		status = snw_stack_drive(stack, series->frames[f].pose, evaluation, error);
		status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, actual, error);
		if (!snw_failed(status)) {
			snw_series_points(series, f, expected);
			snw_measure_spare_unedited(series, f, actual, expected, &tally->sums);
			add_frame(tally, f, expected, actual, distances);
			snw_normal_angles_add_stack(normals, expected, actual, stack, evaluation, mesh, NULL, &tally->sums.normals);
		}
	}
	snw_normal_comparison_destroy(normals);
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

/* The mean of the points' errors and their standard deviation. */
static void spread_over_points(const snw_tally *tally, double *mean, double *spread) {
	const uint32_t points = tally->scored->series.mesh->point_count;
	double squares = 0;
	*mean = 0;
	for (uint32_t i = 0; i < points; i++) {
		*mean += sqrt(tally->point_squares[i] / tally->frame_count) / points;
		squares += tally->point_squares[i] / tally->frame_count / points;
	}
	*spread = sqrt(fmax(0, squares - *mean * *mean));
}

snw_compare_score snw_tally_score(const snw_tally *tally) {
	const snw_scored_series *scored = tally->scored;
	const snw_series *series = &scored->series;
	snw_compare_score score = {
		.is_known = true,
		.measure = snw_measure_finish(series, tally->frame_count, &tally->sums, scored->spread, scored->rigid),
	};
	const double rigid = sqrt(scored->rigid / series->frame_count / series->mesh->point_count);
	double mean, spread;
	spread_over_points(tally, &mean, &spread);
	score.point_mean_percent = rigid > 0 ? 100 * mean / rigid : (double)NAN;
	score.point_spread_percent = rigid > 0 ? 100 * spread / rigid : (double)NAN;
	return score;
}
