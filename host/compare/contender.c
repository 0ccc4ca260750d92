/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/contender.h"

#include <string.h>

#include "fit/fit.h"
#include "plugin/requirements.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "scene/copy.h"
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
