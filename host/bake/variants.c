/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bake/variants.h"

#include <string.h>

#include "export/export.h"
#include "plugin/deformer_calls.h"
#include "scene/copy.h"
#include "sinew/bake.h"
#include "task/subtask.h"

enum { MOST_VARIANTS = 12, HALVES = 3 };

/* ---- the methods ----------------------------------------------------------------------------------------------------------- */

/* The first method by name that learns a blend, or displacements over one, within a limit; and the key of that limit. */
static const snw_deformer *find_method(const snw_baking *b, bool blends, const char **key) {
	const snw_deformer *found = NULL;
	for (uint32_t i = 0; i < snw_registry_count(b->registry); i++) {
		const snw_deformer *deformer = snw_registry_get(b->registry, i)->deformer;
		const snw_bake_limits *limits = deformer ? snw_deformer_extension(deformer, SNW_BAKE) : NULL;
		if (!limits || blends != ((deformer->descriptor->traits & SNW_REPLACES_BLEND) != 0)) {
			continue;
		}
		const char *limit = blends ? limits->influences : SNW_HAS(limits, displacements) ? limits->displacements : NULL;
		if (limit && (!found || strcmp(deformer->descriptor->short_name, found->descriptor->short_name) < 0)) {
			found = deformer;
			*key = limit;
		}
	}
	return found;
}

/* Fits a method to the bake's frames over the layers of *scene, which becomes the scene with its layer. */
static snw_status learn(const snw_baking *b, snw_scene **scene, bool blends, uint32_t limit, const snw_task *task,
						snw_fit_outcome *outcome) {
	const char *key = NULL;
	const snw_deformer *deformer = find_method(b, blends, &key);
	if (!deformer) {
		return snw_fail(b->error, SNW_ERROR_MISSING,
						"no method that learns %s for engines is loaded; 'sinew plugins' shows why",
						blends ? "a blend" : "morph targets");
	}
	const snw_setting setting = {key, SNW_NUMBER((double)limit)};
	const snw_fit_request request = {.method = deformer->descriptor->id,
									 .layer = blends ? "baked" : "baked-morphs",
									 .setting_count = 1,
									 .settings = &setting,
									 .samples = b->scenes->source.clips[b->scenes->clips[SNW_BAKE_FITTED]].name,
									 .left_out_example = SNW_NONE};
	snw_scene *after = NULL;
	outcome->arena = b->arena;
	snw_status status = snw_fit_run(*scene, b->registry, &request, task, outcome, b->error);
	status = snw_failed(status) ? status : snw_fit_apply(*scene, outcome, &after, b->error);
	if (!snw_failed(status)) {
		snw_scene_destroy(*scene);
		*scene = after;
	}
	return snw_failed(status) ? status : SNW_OK;
}

/* ---- its errors and its size ----------------------------------------------------------------------------------------------- */

/* Against the target of a set for the measured mesh. */
static snw_status measure_set(const snw_baking *b, const snw_scene *scene, const char *method, snw_bake_set set,
							  const snw_task *task, snw_measure *measure) {
	const uint32_t first = b->scenes->first_targets[set];
	for (uint32_t t = first; t < first + b->scenes->target_counts[set]; t++) {
		if (scene->targets[t].mesh == b->baked->mesh) {
			const snw_measure_request request = {.mesh = b->baked->mesh, .target = t, .method = method};
			return snw_measure_run(scene, b->registry, &request, task, measure, b->error);
		}
	}
	return SNW_OK;
}

static snw_status measure_both(const snw_baking *b, const snw_scene *scene, const char *method, const snw_task *task,
							   snw_bake_errors *errors) {
	const snw_status status = measure_set(b, scene, method, SNW_BAKE_HELD_BACK, task, &errors->stack);
	return snw_failed(status) ? status : measure_set(b, scene, method, SNW_BAKE_TRUTH, task, &errors->truth);
}

snw_status snw_bake_measure(const snw_baking *b, const snw_scene *scene, const char *method, snw_bake_errors *errors) {
	return measure_both(b, scene, method, b->task, errors);
}

/* The joints that move points, and the most displacements of a mesh. */
static void count_parts(const snw_scene *scene, const snw_stack *stack, snw_bake_variant *variant) {
	snw_arena *scratch = snw_arena_create();
	bool *moves = SNW_NEW_ARRAY(scratch, bool, scene->slot_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; s < snw_stack_segment_count(stack, m); s++) {
			const snw_program *program = snw_stack_segment(stack, m, s).program;
			const uint32_t count = program && program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
			for (uint32_t i = 0; i < count; i++) {
				variant->joint_count += program->influence_weights[i] > 0 && !moves[program->influence_slots[i]];
				moves[program->influence_slots[i]] = moves[program->influence_slots[i]] || program->influence_weights[i] > 0;
			}
			const uint32_t morphs = program ? program->rest.count : 0;
			variant->morph_count = morphs > variant->morph_count ? morphs : variant->morph_count;
		}
	}
	snw_arena_destroy(scratch);
}

/* The size of the file with the project's clips, without those of the bake. */
static snw_status find_size(const snw_baking *b, const snw_scene *scene, const snw_task *task, snw_bake_variant *variant) {
	snw_scene trimmed = *scene;
	trimmed.clip_count = b->scene->clip_count;
	trimmed.target_count = 0;
	const snw_task silent = {.context = task->context, .progress = task->progress};
	const snw_engine none = {"", "a file", 8, UINT32_MAX, UINT32_MAX, false}; /* the export tells what an engine plays */
	const snw_export_request request = {
		.mesh = SNW_NONE, .clip = SNW_NONE, .influences = variant->influences > 4 ? 8 : 4, .engine = &none};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(&trimmed, b->registry, NULL, &silent, &stack, b->error);
	if (!snw_failed(status)) {
		count_parts(&trimmed, stack, variant);
		status = snw_export_size(&trimmed, stack, &request, &silent, &variant->bytes, b->error);
	}
	snw_stack_destroy(stack);
	return status;
}

static bool is_within(const snw_budget *budget, const snw_bake_variant *variant) {
	return variant->joint_count <= budget->joints && variant->morph_count <= budget->morphs &&
		   (budget->bytes == 0 || variant->bytes <= budget->bytes);
}

/* ---- variants -------------------------------------------------------------------------------------------------------------- */

/* Adds the variant of a scene whose layers are fitted. */
static snw_status add_variant(const snw_baking *b, const snw_scene *scene, snw_bake_variant variant, const snw_task *task) {
	snw_subtask measuring = {task, 0.6, 1};
	const snw_task measures = snw_task_of_subtask(&measuring);
	snw_status status = find_size(b, scene, task, &variant);
	status = snw_failed(status) ? status : measure_both(b, scene, NULL, &measures, &variant.errors);
	variant.is_within = is_within(&b->request->budget, &variant);
	for (uint32_t i = 0; i < variant.outcome_count; i++) {
		variant.seconds += variant.outcomes[i].seconds;
	}
	if (!snw_failed(status)) {
		b->baked->variants[b->baked->variant_count++] = variant;
	}
	return status;
}

/* A blend of that many influences, in *scene. */
static snw_status make_blend(const snw_baking *b, uint32_t influences, const snw_task *task, snw_scene **scene) {
	snw_bake_variant variant = {.influences = influences, .outcome_count = 1};
	snw_subtask fitting = {task, 0, 0.5};
	const snw_task fits = snw_task_of_subtask(&fitting);
	*scene = snw_scene_copy(b->scenes->plain);
	const snw_status status = learn(b, scene, true, influences, &fits, &variant.outcomes[0]);
	return snw_failed(status) ? status : add_variant(b, *scene, variant, task);
}

/* Displacements over the blend of the variant at `below`, whose scene is `blended`. */
static snw_status make_morphs(const snw_baking *b, uint32_t morphs, uint32_t below, const snw_scene *blended,
							  const snw_task *task) {
	snw_bake_variant variant = b->baked->variants[below];
	variant.morphs = morphs;
	variant.joint_count = variant.morph_count = 0;
	variant.seconds = 0;
	snw_subtask fitting = {task, 0, 0.5};
	const snw_task fits = snw_task_of_subtask(&fitting);
	snw_scene *scene = snw_scene_copy(blended);
	snw_status status = learn(b, &scene, false, morphs, &fits, &variant.outcomes[variant.outcome_count++]);
	status = snw_failed(status) ? status : add_variant(b, scene, variant, task);
	snw_scene_destroy(scene);
	return status;
}

/* Ascending numbers up to the limit, each half the next one. */
static uint32_t list_halves(uint32_t limit, uint32_t halves, uint32_t *list) {
	uint32_t count = 0;
	for (uint32_t i = halves + 1; i-- > 0;) {
		if (limit >> i > 0 && (count == 0 || list[count - 1] != limit >> i)) {
			list[count++] = limit >> i;
		}
	}
	return count;
}

snw_status snw_bake_make_variants(const snw_baking *b) {
	uint32_t blends[HALVES + 1], morphs[HALVES + 1];
	const uint32_t blend_count = list_halves(b->request->budget.influences, HALVES, blends);
	const uint32_t morph_count = list_halves(b->request->budget.morphs, HALVES, morphs), all = blend_count + morph_count;
	b->baked->variants = SNW_NEW_ARRAY(b->arena, snw_bake_variant, MOST_VARIANTS);
	snw_scene *blended = NULL;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < blend_count && !snw_failed(status); i++) {
		snw_subtask part = {b->task, (double)i / all, (i + 1.0) / all};
		const snw_task task = snw_task_of_subtask(&part);
		snw_scene_destroy(blended);
		status = make_blend(b, blends[i], &task, &blended);
	}
	for (uint32_t i = 0; i < morph_count && !snw_failed(status); i++) {
		snw_subtask part = {b->task, (double)(blend_count + i) / all, (blend_count + i + 1.0) / all};
		const snw_task task = snw_task_of_subtask(&part);
		status = make_morphs(b, morphs[i], blend_count - 1, blended, &task);
	}
	snw_scene_destroy(blended);
	return status;
}
