/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bake/variants.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "export/export.h"
#include "plugin/deformer_calls.h"
#include "scene/copy.h"
#include "sinew/bake.h"
#include "task/subtask.h"

enum { HALVES = 3, JOINT_HALVES = 2 };

/* The part of the room left that morph targets are counted to fill: their sizes differ, and so do the sides of their weights. */
static const double filled = 0.97;

/* ---- the methods ----------------------------------------------------------------------------------------------------------- */

/* What a method learns. */
typedef enum learned { BLEND, HELPERS, PROXIES, DISPLACEMENTS } learned;

/* The keys of a method's limits: of influences or displacements, of the joints that it makes, and of the character's joints. */
enum { FIRST_LIMIT, MADE_LIMIT, JOINT_LIMIT, LIMITS };

/* NULL where it does not have one. */
static bool read_limits(const snw_deformer *deformer, learned kind, const char *keys[LIMITS]) {
	const snw_bake_limits *limits = snw_deformer_extension(deformer, SNW_BAKE);
	const bool blends = deformer->descriptor->traits & SNW_REPLACES_BLEND;
	memset(keys, 0, LIMITS * sizeof *keys);
	if (!limits || blends != (kind != DISPLACEMENTS)) {
		return false;
	}
	const char *helpers = SNW_HAS(limits, helpers) ? limits->helpers : NULL;
	const char *proxies = SNW_HAS(limits, proxies) ? limits->proxies : NULL;
	keys[FIRST_LIMIT] = blends ? limits->influences : SNW_HAS(limits, displacements) ? limits->displacements : NULL;
	keys[MADE_LIMIT] = kind == PROXIES ? proxies : helpers;
	keys[JOINT_LIMIT] = blends && SNW_HAS(limits, joints) ? limits->joints : NULL;
	return keys[FIRST_LIMIT] && (kind == HELPERS) == (helpers != NULL) && (kind == PROXIES) == (proxies != NULL);
}

/* The first method by name that learns this, and the keys of its limits. */
static const snw_deformer *find_method(const snw_baking *b, learned kind, const char *keys[LIMITS]) {
	const snw_deformer *found = NULL;
	for (uint32_t i = 0; i < snw_registry_count(b->registry); i++) {
		const snw_deformer *deformer = snw_registry_get(b->registry, i)->deformer;
		const char *limits[LIMITS];
		if (deformer && read_limits(deformer, kind, limits) &&
			(!found || strcmp(deformer->descriptor->short_name, found->descriptor->short_name) < 0)) {
			found = deformer;
			memcpy(keys, limits, sizeof limits);
		}
	}
	return found;
}

/* Fits a method to the bake's frames over the layers of *scene, which becomes the scene with its layer. Limits of 0 are not set. */
static snw_status learn(const snw_baking *b, snw_scene **scene, learned kind, const uint32_t limits[LIMITS],
						const snw_task *task, snw_fit_outcome *outcome) {
	static const char *const names[] = {"a blend", "helper joints", "proxy joints", "morph targets"};
	const char *keys[LIMITS] = {NULL};
	const snw_deformer *deformer = find_method(b, kind, keys);
	if (!deformer) {
		return snw_fail(b->error, SNW_ERROR_MISSING,
						"no method that learns %s for engines is loaded; 'sinew plugins' shows why", names[kind]);
	}
	snw_setting settings[LIMITS];
	uint32_t setting_count = 0;
	for (int i = 0; i < LIMITS; i++) {
		if (keys[i] && limits[i] > 0) {
			settings[setting_count++] = (snw_setting){keys[i], SNW_NUMBER((double)limits[i])};
		}
	}
	const snw_fit_request request = {.method = deformer->descriptor->id,
									 .layer = kind == DISPLACEMENTS ? "baked-morphs" : "baked",
									 .setting_count = setting_count,
									 .settings = settings,
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

static snw_status measure_sets(const snw_baking *b, const snw_scene *scene, const char *method, const snw_task *task,
							   snw_bake_errors *errors) {
	snw_status status = measure_set(b, scene, method, SNW_BAKE_HELD_OUT, task, &errors->stack);
	status = snw_failed(status) ? status : measure_set(b, scene, method, SNW_BAKE_RANGE, task, &errors->range);
	return snw_failed(status) ? status : measure_set(b, scene, method, SNW_BAKE_TRUTH, task, &errors->truth);
}

snw_status snw_bake_measure(const snw_baking *b, const snw_scene *scene, const char *method, snw_bake_errors *errors) {
	return measure_sets(b, scene, method, b->task, errors);
}

/* Adds to `moves` the slots with a weight; returns how many are new. */
static uint32_t count_moving(const snw_program *program, uint32_t first, bool *moves) {
	const uint32_t count = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	uint32_t found = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t slot = program->influence_slots[i];
		if (slot >= first && program->influence_weights[i] > 0 && !moves[slot]) {
			moves[slot] = true;
			found++;
		}
	}
	return found;
}

/* A palette of the layer's own, without helper joints in it: its slots are the mesh's proxies. */
static void count_proxies(const snw_program *program, snw_arena *scratch, snw_bake_variant *variant) {
	const uint32_t count = count_moving(program, 0, SNW_NEW_ARRAY(scratch, bool, program->slot_count));
	variant->joint_count += count;
	variant->proxy_count = count > variant->proxy_count ? count : variant->proxy_count;
}

/* Of all programs. Those of a plug-in may have more than the skeleton. */
static size_t most_slots(const snw_stack *stack, uint32_t mesh_count) {
	size_t most = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		for (uint32_t s = 0; s < snw_stack_segment_count(stack, m); s++) {
			const snw_program *program = snw_stack_segment(stack, m, s).program;
			most = program && program->slot_count > most ? program->slot_count : most;
		}
	}
	return most;
}

/* The joints that move points. */
static void count_parts(const snw_scene *scene, const snw_stack *stack, snw_bake_variant *variant) {
	snw_arena *scratch = snw_arena_create();
	bool *moves = SNW_NEW_ARRAY(scratch, bool, most_slots(stack, scene->mesh_count));
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; s < snw_stack_segment_count(stack, m); s++) {
			const snw_segment_info segment = snw_stack_segment(stack, m, s);
			if (segment.program && segment.has_palette && variant->proxies > 0) {
				count_proxies(segment.program, scratch, variant);
			} else if (segment.program) {
				const uint32_t helpers = count_moving(segment.program, scene->slot_count, moves);
				variant->helper_count += helpers;
				variant->joint_count += helpers + count_moving(segment.program, 0, moves);
			}
		}
	}
	snw_arena_destroy(scratch);
}

/* The size of the file that an export writes by default, with the project's clips, without those of the bake. */
static snw_status find_size(const snw_baking *b, const snw_scene *scene, const snw_stack *stack, const snw_task *task,
							snw_bake_variant *variant) {
	const snw_engine *engine = b->request->engine ? b->request->engine : snw_engine_any();
	const snw_engine file = {"", "a file", 8, UINT32_MAX, UINT32_MAX, engine->clamps_weights}; /* the budget has the limits */
	snw_export_request request = {.mesh = SNW_NONE,
								  .clip = SNW_NONE,
								  .influences = variant->influences > 4 ? 8 : 4,
								  .engine = &file,
								  .rounds_weights = true,
								  .unmeasured = true};
	snw_export_report report = {0};
	const snw_status status = snw_export_size(scene, stack, &request, task, &report, b->error);
	variant->bytes = report.byte_count;
	variant->morph_count = report.most_morphs;
	if (snw_failed(status) || variant->helpers + variant->proxies == 0) {
		return status;
	}
	/* Nodes cannot always move as helper joints do, nor between keys as proxy joints do. The weights are as they are, since rounding them
	 * moves every skin. */
	request.rounds_weights = request.unmeasured = false;
	const snw_status measured = snw_export_losses(scene, stack, &request, task, &report, b->error);
	variant->lost_erms = report.playback_erms;
	variant->lost_max_percent = report.playback_max_percent;
	return measured;
}

static snw_status find_parts_and_size(const snw_baking *b, const snw_scene *scene, const snw_task *task,
									  snw_bake_variant *variant) {
	snw_scene trimmed = *scene;
	trimmed.clip_count = b->scene->clip_count;
	trimmed.target_count = 0;
	const snw_task silent = {.context = task->context, .progress = task->progress};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(&trimmed, b->registry, NULL, &silent, &stack, b->error);
	if (!snw_failed(status)) {
		count_parts(&trimmed, stack, variant);
		status = find_size(b, &trimmed, stack, &silent, variant);
	}
	snw_stack_destroy(stack);
	return status;
}

static bool is_within(const snw_budget *budget, const snw_bake_variant *variant) {
	return variant->joint_count <= budget->joints && variant->helper_count <= budget->helpers &&
		   variant->proxy_count <= budget->proxies && variant->morph_count <= budget->morphs &&
		   (budget->bytes == 0 || variant->bytes <= budget->bytes);
}

/* ---- variants -------------------------------------------------------------------------------------------------------------- */

/* Adds the variant of a scene whose layers are fitted. */
static snw_status add_variant(const snw_baking *b, const snw_scene *scene, snw_bake_variant variant, const snw_task *task) {
	snw_subtask measuring = {task, 0.6, 1};
	const snw_task measures = snw_task_of_subtask(&measuring);
	snw_status status = find_parts_and_size(b, scene, task, &variant);
	status = snw_failed(status) ? status : measure_sets(b, scene, NULL, &measures, &variant.errors);
	variant.is_within = is_within(&b->request->budget, &variant);
	for (uint32_t i = 0; i < variant.outcome_count; i++) {
		variant.seconds += variant.outcomes[i].seconds;
	}
	if (!snw_failed(status)) {
		b->baked->variants[b->baked->variant_count++] = variant;
	}
	return status;
}

/* A blend of that many influences, and of `made` joints that its method makes, in *scene. */
static snw_status make_blend(const snw_baking *b, learned kind, uint32_t influences, uint32_t made, const snw_task *task,
							 snw_scene **scene) {
	snw_bake_variant variant = {.influences = influences,
								.helpers = kind == HELPERS ? made : 0,
								.proxies = kind == PROXIES ? made : 0,
								.outcome_count = 1};
	const uint32_t most = b->request->budget.joints - variant.helpers;
	const uint32_t limits[LIMITS] = {influences, made, b->baked->rig_joints > most ? most : 0};
	snw_subtask fitting = {task, 0, 0.5};
	const snw_task fits = snw_task_of_subtask(&fitting);
	snw_scene_destroy(*scene);
	*scene = snw_scene_copy(b->scenes->plain);
	const snw_status status = learn(b, scene, kind, limits, &fits, &variant.outcomes[0]);
	return snw_failed(status) ? status : add_variant(b, *scene, variant, task);
}

/* Displacements over the blend of the variant at `below`, whose scene is `blended`. */
static snw_status make_morphs(const snw_baking *b, uint32_t morphs, uint32_t below, const snw_scene *blended,
							  const snw_task *task) {
	snw_bake_variant variant = b->baked->variants[below];
	variant.morphs = morphs;
	variant.joint_count = variant.helper_count = variant.proxy_count = variant.morph_count = 0;
	variant.seconds = 0;
	snw_subtask fitting = {task, 0, 0.5};
	const snw_task fits = snw_task_of_subtask(&fitting);
	snw_scene *scene = snw_scene_copy(blended);
	snw_status status =
		learn(b, &scene, DISPLACEMENTS, (const uint32_t[LIMITS]){morphs}, &fits, &variant.outcomes[variant.outcome_count++]);
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

/* The limits of all variants, and how many there are. */
typedef struct course {
	const snw_baking *b;
	uint32_t blend_count, helper_count, proxy_count, morph_count, all, done;
	uint32_t blends[HALVES + 1], helpers[HALVES + 1], proxies[HALVES + 1], morphs[HALVES + 1];
} course;

static snw_task next_part(course *c, snw_subtask *part) {
	*part = (snw_subtask){c->b->task, (double)c->done / c->all, (c->done + 1.0) / c->all};
	c->done++;
	return snw_task_of_subtask(part);
}

/* How many displacements over `blend` the budget has room for, by what those of `most` take. */
static double count_room(const snw_budget *budget, const snw_bake_variant *blend, const snw_bake_variant *most) {
	const double made = most->morphs;
	const double shapes = (double)most->morph_count - (double)blend->morph_count;
	const double bytes = (double)most->bytes - (double)blend->bytes;
	const double by_shapes = shapes > 0 ? ((double)budget->morphs - (double)blend->morph_count) / shapes : 0;
	const double by_bytes = bytes > 0 ? ((double)budget->bytes - (double)blend->bytes) / bytes : 0;
	const bool fits = most->morph_count <= budget->morphs;
	const double part = fits ? 1 : filled * by_shapes;
	return floor(made * (budget->bytes > 0 && filled * by_bytes < part ? filled * by_bytes : part));
}

/* As many morph targets over the variant at `below` as the budget has room for; if there is room for all, or for none, nothing. */
static snw_status fill_budget(course *c, uint32_t below, const snw_scene *blended) {
	const snw_baked *baked = c->b->baked;
	const snw_bake_variant *blend = &baked->variants[below], *most = &baked->variants[baked->variant_count - 1];
	const double count = count_room(&c->b->request->budget, blend, most);
	snw_subtask part;
	const snw_task task = next_part(c, &part);
	bool is_new = count >= 1 && count < c->b->request->budget.morphs;
	for (uint32_t i = 0; i < c->morph_count; i++) {
		is_new = is_new && count != c->morphs[i];
	}
	return is_new ? make_morphs(c->b, (uint32_t)count, below, blended, &task) : SNW_OK;
}

/* Morph targets over the last variant. */
static snw_status make_all_morphs(course *c, const snw_scene *blended) {
	const uint32_t below = c->b->baked->variant_count - 1;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < c->morph_count && !snw_failed(status); i++) {
		snw_subtask part;
		const snw_task task = next_part(c, &part);
		status = make_morphs(c->b, c->morphs[i], below, blended, &task);
	}
	return snw_failed(status) || c->morph_count == 0 ? status : fill_budget(c, below, blended);
}

/* Blends of these influences, or with these numbers of joints made for them, and morph targets over the last. */
static snw_status make_kind(course *c, learned kind, uint32_t count, const uint32_t *list, snw_scene **blended) {
	const uint32_t influences = c->b->request->budget.influences;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		snw_subtask part;
		const snw_task task = next_part(c, &part);
		status = kind == BLEND ? make_blend(c->b, kind, list[i], 0, &task, blended)
							   : make_blend(c->b, kind, influences, list[i], &task, blended);
	}
	return snw_failed(status) || count == 0 ? status : make_all_morphs(c, *blended);
}

static snw_status make_all(course *c, snw_scene **blended) {
	snw_status status = make_kind(c, BLEND, c->blend_count, c->blends, blended);
	status = snw_failed(status) ? status : make_kind(c, HELPERS, c->helper_count, c->helpers, blended);
	return snw_failed(status) ? status : make_kind(c, PROXIES, c->proxy_count, c->proxies, blended);
}

/* The slots that move points. */
static uint32_t count_rig_joints(const snw_scene *scene) {
	snw_arena *scratch = snw_arena_create();
	bool *moves = SNW_NEW_ARRAY(scratch, bool, scene->slot_count);
	uint32_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		for (uint32_t k = 0; mesh->influence_offsets && k < mesh->influence_offsets[mesh->point_count]; k++) {
			bool *slot = &moves[mesh->influence_slots[k]];
			count += mesh->influence_weights[k] > 0 && !*slot;
			*slot = *slot || mesh->influence_weights[k] > 0;
		}
	}
	snw_arena_destroy(scratch);
	return count;
}

static uint32_t count_skinned_meshes(const snw_scene *scene) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		count += scene->meshes[m].influence_offsets != NULL;
	}
	return count;
}

snw_status snw_bake_make_variants(const snw_baking *b) {
	const snw_budget *budget = &b->request->budget;
	course c = {.b = b};
	c.blend_count = list_halves(budget->influences, HALVES, c.blends);
	const uint32_t room = budget->joints - 1; /* helper joints have a joint of the rig above them */
	c.helper_count = list_halves(budget->helpers < room ? budget->helpers : room, JOINT_HALVES, c.helpers);
	const uint32_t meshes = count_skinned_meshes(b->scene);
	assert(meshes > 0); /* the measured one is */
	const uint32_t of_mesh = budget->joints / meshes;
	c.proxy_count = list_halves(budget->proxies < of_mesh ? budget->proxies : of_mesh, JOINT_HALVES, c.proxies);
	c.morph_count = list_halves(budget->morphs, HALVES, c.morphs);
	const uint32_t kinds = 1 + (c.helper_count > 0) + (c.proxy_count > 0);
	c.all = c.blend_count + c.helper_count + c.proxy_count + (c.morph_count + 1) * kinds;
	b->baked->rig_joints = count_rig_joints(b->scene);
	b->baked->variants = SNW_NEW_ARRAY(b->arena, snw_bake_variant, c.all);
	snw_scene *blended = NULL;
	const snw_status status = make_all(&c, &blended);
	snw_scene_destroy(blended);
	return status;
}
