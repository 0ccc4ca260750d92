/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bake/variants.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "export/export.h"
#include "measure/measure.h"
#include "parameter/parameters.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "task/task.h"

/* ---- scenes -------------------------------------------------------------------------------------------------------------- */

static const double RATE = 24; /* of the clips' keys, a second */

typedef struct making {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_task *task;
	snw_arena *arena;
	snw_bake_scenes *made;
	snw_clip *clips;     /* those of the project, then those of the sets */
	snw_target *targets; /* of the sets alone */
	uint32_t clip_count, target_count;
	snw_error *error;
} making;

/* ---- what the stack makes of poses --------------------------------------------------------------------------------------- */

/* All meshes at one pose, as frame `frame` of `points`. */
static snw_status pose_one(const making *m, const snw_stack *stack, snw_evaluation *evaluation, const snw_pose *pose,
						   uint32_t frame, float **points, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(m->scene, pose, scratch), evaluation, error);
	for (uint32_t i = 0; i < m->scene->mesh_count && !snw_failed(status); i++) {
		const size_t numbers = 3 * (size_t)m->scene->meshes[i].point_count;
		status = numbers > 0 ? snw_stack_run(stack, evaluation, i, points[i] + frame * numbers, error) : SNW_OK;
	}
	snw_arena_destroy(scratch);
	return status;
}

static snw_status report(const making *m, double fraction) {
	return snw_task_progress(m->task, fraction, "posing the stack") ? SNW_OK
																	: snw_fail(m->error, SNW_CANCELLED, "baking was cancelled");
}

static snw_status pose_all(const making *m, const snw_stack *stack, const snw_pose_set *poses, double begin, double end,
						   float **points) {
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_status status = SNW_OK;
	for (uint32_t f = 0; f < poses->count && !snw_failed(status); f++) {
		status = report(m, begin + (end - begin) * f / poses->count);
		status = snw_failed(status) ? status : pose_one(m, stack, evaluation, poses->list[f], f, points, m->error);
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

/* Poses at which the stack fails are taken out. */
static snw_status pose_those_that_work(const making *m, const snw_stack *stack, snw_pose_set *poses, double begin, double end,
									   float **points) {
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	const uint32_t count = poses->count;
	snw_status status = SNW_OK;
	poses->count = 0;
	for (uint32_t f = 0; f < count && !snw_failed(status); f++) {
		snw_error unused = {0};
		status = report(m, begin + (end - begin) * f / count);
		if (!snw_failed(status) && !snw_failed(pose_one(m, stack, evaluation, poses->list[f], poses->count, points, &unused))) {
			poses->list[poses->count++] = poses->list[f];
		}
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

static float **make_room(const making *m, uint32_t frames) {
	float **points = SNW_NEW_ARRAY(m->arena, float *, m->scene->mesh_count);
	for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
		points[i] = SNW_NEW_ARRAY(m->arena, float, 3 * (size_t)m->scene->meshes[i].point_count * frames);
	}
	return points;
}

/* ---- clips and targets --------------------------------------------------------------------------------------------------- */

/* A clip of poses, and a target of it for each mesh that has `points`. */
static void add_set(making *m, snw_bake_set set, const char *name, uint32_t count, snw_pose **poses, float **points) {
	const snw_training_clip keys = {.pose_count = count, .poses = poses};
	snw_scene named = *m->scene;
	named.clips = m->clips;
	named.clip_count = m->clip_count;
	const char *free_name = snw_scene_free_name(&named, snw_scene_find_clip, name, m->arena);
	m->made->clips[set] = m->clip_count;
	m->clips[m->clip_count++] = snw_training_clip_keys(m->scene, &keys, free_name, RATE, m->arena);
	m->made->first_targets[set] = m->target_count;
	double *seconds = SNW_NEW_ARRAY(m->arena, double, count);
	for (uint32_t f = 0; f < count; f++) {
		seconds[f] = f / RATE;
	}
	for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
		if (points[i] && m->scene->meshes[i].point_count > 0) {
			m->targets[m->target_count++] = (snw_target){.name = snw_arena_format(m->arena, "%s %u", free_name, i),
														 .mesh = i,
														 .clip = m->made->clips[set],
														 .frame_count = count,
														 .seconds = seconds,
														 .points_posed = points[i]};
		}
	}
	m->made->target_counts[set] = m->target_count - m->made->first_targets[set];
}

/* The held-out frames at which every mesh with points has a ground truth. A scene with channels has none: the frames of a bake
 * are without their shapes. */
static void add_truth(making *m, const snw_pose_set *held_out) {
	snw_pose **poses = SNW_NEW_ARRAY(m->arena, snw_pose *, held_out->frame_count);
	float **points = make_room(m, held_out->frame_count);
	uint32_t count = 0;
	m->made->truth_names = SNW_NEW_ARRAY(m->arena, const char *, held_out->frame_count);
	for (uint32_t f = 0; f < held_out->frame_count && m->scene->channel_count == 0; f++) {
		const snw_moment moment = {SNW_NONE, held_out->clips[f], held_out->list[f]->seconds};
		bool is_known = moment.clip != SNW_NONE;
		for (uint32_t i = 0; i < m->scene->mesh_count && is_known; i++) {
			const size_t numbers = 3 * (size_t)m->scene->meshes[i].point_count;
			const float *frame = numbers > 0 ? snw_ground_truth_at(m->scene, &moment, i).frame : NULL;
			is_known = numbers == 0 || frame;
			if (frame) {
				memcpy(points[i] + count * numbers, frame, numbers * sizeof *frame);
			}
		}
		poses[count] = held_out->list[f];
		m->made->truth_names[count] = snw_arena_text(m->arena, held_out->list[f]->name);
		count += is_known;
	}
	if (count > 0) {
		add_set(m, SNW_BAKE_TRUTH, "ground truth", count, poses, points);
	}
}

/* ---- the scenes ---------------------------------------------------------------------------------------------------------- */

/* As the contenders of a comparison begin (compare/contender.c): the baseline's blend is the only layer. */
static snw_scene *copy_bare(const snw_scene *scene) {
	snw_arena *arena = snw_arena_create();
	snw_scene bare = *scene;
	bare.arena = arena;
	bare.model_count = bare.example_count = bare.group_count = 0;
	snw_scene_add_baseline(&bare);
	snw_scene *copy = snw_scene_copy(&bare);
	snw_arena_destroy(arena);
	return copy;
}

static snw_status add_sets(making *m, const snw_stack *stack, const snw_pose_set *fitted, const snw_pose_set *held_out,
						   snw_pose_set *range) {
	float **points = make_room(m, fitted->count), **held_points = make_room(m, held_out->count);
	float **range_points = make_room(m, range->count);
	snw_status status = pose_all(m, stack, fitted, 0, 0.5, points);
	status = snw_failed(status) ? status : pose_all(m, stack, held_out, 0.5, 0.7, held_points);
	status = snw_failed(status) ? status : pose_those_that_work(m, stack, range, 0.7, 1, range_points);
	if (!snw_failed(status)) {
		add_set(m, SNW_BAKE_FITTED, "bake", fitted->count, fitted->list, points);
		add_set(m, SNW_BAKE_HELD_OUT, "held out", held_out->count, held_out->list, held_points);
		add_truth(m, held_out);
		if (range->count > 0) {
			add_set(m, SNW_BAKE_RANGE, "range of motion", range->count, range->list, range_points);
		}
	}
	return status;
}

snw_status snw_bake_scenes_make(const snw_scene *scene, const snw_registry *registry, const char *method,
								const snw_pose_set *fitted, const snw_pose_set *held_out, snw_pose_set *range,
								const snw_task *task, snw_arena *arena, snw_bake_scenes *made, snw_error *error) {
	making m = {.scene = scene, .registry = registry, .task = task, .arena = arena, .made = made, .error = error};
	m.clips = SNW_NEW_ARRAY(arena, snw_clip, (size_t)scene->clip_count + SNW_BAKE_SETS);
	m.targets = SNW_NEW_ARRAY(arena, snw_target, (size_t)scene->mesh_count * SNW_BAKE_SETS);
	m.clip_count = scene->clip_count;
	if (scene->clip_count > 0) {
		memcpy(m.clips, scene->clips, scene->clip_count * sizeof *m.clips);
	}
	*made = (snw_bake_scenes){.source = *scene};
	const snw_stack_options options = {.method = method};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, registry, &options, task, &stack, error);
	status = snw_failed(status) ? status : add_sets(&m, stack, fitted, held_out, range);
	snw_stack_destroy(stack);
	if (!snw_failed(status)) {
		made->source.clips = m.clips;
		made->source.clip_count = m.clip_count;
		made->source.targets = m.targets;
		made->source.target_count = m.target_count;
		made->plain = copy_bare(&made->source);
	}
	return status;
}

void snw_bake_scenes_free(snw_bake_scenes *scenes) {
	snw_scene_destroy(scenes->plain);
}

/* ---- variants ------------------------------------------------------------------------------------------------------------ */

enum { HALVES = 3, JOINT_HALVES = 2 };

/* The part of the room left that morph targets are counted to fill: their sizes differ, and so do the sides of their
 * weights. */
static const double filled_share = 0.97;

/* ---- the methods --------------------------------------------------------------------------------------------------------- */

/* What a method learns. */
typedef enum learned { LEARNS_BLEND, LEARNS_HELPERS, LEARNS_PROXIES, LEARNS_DISPLACEMENTS } learned;

/* A method's limits: of influences or displacements, of the joints that it makes, and of the character's joints. */
enum { FIRST_LIMIT, MADE_LIMIT, JOINT_LIMIT, LIMITS };

static const char *key_of(const snw_descriptor *descriptor, snw_role role) {
	const snw_parameter *parameter = snw_parameter_of_role(descriptor, role);
	return parameter ? parameter->key : NULL;
}

/* The keys of its limits, NULL where it does not have one. False if it does not learn this. */
static bool read_limits(const snw_descriptor *descriptor, learned kind, const char *keys[LIMITS]) {
	const bool blends = descriptor->traits & SNW_REPLACES_BLEND;
	const char *helpers = key_of(descriptor, SNW_ROLE_HELPERS), *proxies = key_of(descriptor, SNW_ROLE_PROXIES);
	keys[FIRST_LIMIT] = key_of(descriptor, blends ? SNW_ROLE_INFLUENCES : SNW_ROLE_DISPLACEMENTS);
	keys[MADE_LIMIT] = kind == LEARNS_PROXIES ? proxies : helpers;
	keys[JOINT_LIMIT] = blends ? key_of(descriptor, SNW_ROLE_JOINTS) : NULL;
	return descriptor->needs & SNW_NEEDS_SAMPLES && blends == (kind != LEARNS_DISPLACEMENTS) && keys[FIRST_LIMIT] &&
		   (kind == LEARNS_HELPERS) == (helpers != NULL) && (kind == LEARNS_PROXIES) == (proxies != NULL);
}

/* The first method by name that learns this, and the keys of its limits. */
static const snw_deformer *find_method(const snw_baking *b, learned kind, const char *keys[LIMITS]) {
	const snw_deformer *found = NULL;
	for (uint32_t i = 0; i < snw_registry_count(b->registry); i++) {
		const snw_deformer *deformer = snw_registry_get(b->registry, i)->deformer;
		const char *limits[LIMITS];
		if (deformer && read_limits(deformer->descriptor, kind, limits) &&
			(!found || strcmp(deformer->descriptor->short_name, found->descriptor->short_name) < 0)) {
			found = deformer;
			memcpy(keys, limits, sizeof limits);
		}
	}
	return found;
}

/* Fits a method to the bake's frames over the layers of *scene, which becomes the scene with its layer. Limits of 0 are not
 * set. */
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
			settings[setting_count++] = (snw_setting){keys[i], SNW_VALUE((double)limits[i])};
		}
	}
	const snw_fit_request request = {.method = deformer->descriptor->id,
									 .layer = kind == LEARNS_DISPLACEMENTS ? SNW_BAKE_MORPHS : SNW_BAKE_BLEND,
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

/* ---- its errors and its size --------------------------------------------------------------------------------------------- */

/* The target of a set for a mesh; SNW_NONE without one. */
static uint32_t find_target(const snw_baking *b, const snw_scene *scene, snw_bake_set set, uint32_t mesh) {
	const uint32_t first = b->scenes->first_targets[set];
	for (uint32_t t = first; t < first + b->scenes->target_counts[set]; t++) {
		if (scene->targets[t].mesh == mesh) {
			return t;
		}
	}
	return SNW_NONE;
}

/* Against the targets of a set for the measured meshes; a set has one of each mesh, or none. */
static snw_status measure_set(const snw_baking *b, const snw_scene *scene, const char *method, snw_bake_set set,
							  const snw_task *task, snw_bake_error *found) {
	const snw_baked *baked = b->baked;
	snw_measure *measures = SNW_NEW_ARRAY(b->arena, snw_measure, baked->mesh_count);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < baked->mesh_count && !snw_failed(status); i++) {
		const snw_measure_request request = {
			.mesh = baked->meshes[i], .target = find_target(b, scene, set, baked->meshes[i]), .method = method};
		if (request.target == SNW_NONE) {
			return SNW_OK;
		}
		snw_subtask part = {task, (double)i / baked->mesh_count, (i + 1.0) / baked->mesh_count};
		const snw_task measuring = snw_task_of_subtask(&part);
		status = snw_measure_run(scene, b->registry, &request, &measuring, &measures[i], b->error);
	}
	if (!snw_failed(status)) {
		found->all = snw_measure_together(baked->mesh_count, measures, &found->farthest);
		found->meshes = measures;
	}
	return status;
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
	const snw_engine file = {"",   "a file", 8, UINT32_MAX, UINT32_MAX, engine->clamps_weights,
							 false}; /* the budget has the limits */
	snw_export_request request = {
		.mesh = SNW_NONE, .clip = SNW_NONE, .influences = variant->influences > 4 ? 8 : 4, .engine = &file, .unmeasured = true};
	snw_export_report report = {0};
	const snw_status status = snw_export_binary(scene, stack, &request, task, &report, b->error);
	variant->bytes = report.byte_count;
	variant->morph_count = report.most_morphs;
	if (snw_failed(status) || variant->helpers + variant->proxies == 0) {
		return status;
	}
	/* Nodes cannot always move as helper joints do, nor between keys as proxy joints do. */
	request.unmeasured = false;
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

/* ---- variants ------------------------------------------------------------------------------------------------------------ */

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

/* A blend of that many influences, for which its method is asked to make `asked` of `made` joints. */
static snw_status try_blend(const snw_baking *b, learned kind, uint32_t influences, uint32_t made, uint32_t asked,
							const snw_task *task) {
	snw_bake_variant variant = {.influences = influences,
								.helpers = kind == LEARNS_HELPERS ? made : 0,
								.proxies = kind == LEARNS_PROXIES ? made : 0,
								.outcome_count = 1};
	const uint32_t most = b->request->budget.joints - variant.helpers;
	const uint32_t limits[LIMITS] = {influences, asked, b->baked->rig_joints > most ? most : 0};
	snw_subtask fitting = {task, 0, 0.5};
	const snw_task fits = snw_task_of_subtask(&fitting);
	snw_scene *scene = snw_scene_copy(b->scenes->plain);
	snw_status status = learn(b, &scene, kind, limits, &fits, &variant.outcomes[0]);
	status = snw_failed(status) ? status : add_variant(b, scene, variant, task);
	snw_scene_destroy(scene);
	return status;
}

/* A method may keep joints of the rig beside its proxies, where its samples move none. They count, so beyond the budget it is
 * asked for as many proxies fewer; but never for less than half, which would be another skin. */
static snw_status make_blend(const snw_baking *b, learned kind, uint32_t influences, uint32_t made, const snw_task *task) {
	const snw_budget *budget = &b->request->budget;
	snw_subtask trying = {task, 0, kind == LEARNS_PROXIES ? 0.5 : 1}, again = {task, 0.5, 1};
	const snw_task tries = snw_task_of_subtask(&trying), repeats = snw_task_of_subtask(&again);
	snw_status status = try_blend(b, kind, influences, made, made, &tries);
	snw_bake_variant *last = snw_failed(status) ? NULL : &b->baked->variants[b->baked->variant_count - 1];
	if (last && kind == LEARNS_PROXIES && last->proxy_count > made &&
		(last->proxy_count > budget->proxies || last->joint_count > budget->joints)) {
		const uint32_t kept = last->proxy_count - made;
		if (kept <= made / 2) {
			b->baked->variant_count--;
			status = try_blend(b, kind, influences, made, made - kept, &repeats);
		}
	}
	if (!snw_failed(status) && kind == LEARNS_PROXIES) {
		last->proxies = last->proxy_count;
		/* Asked for fewer, it may make the skin before it again. */
		const bool is_first = b->baked->variant_count == 1;
		b->baked->variant_count -= !is_first && last->proxies == last[-1].proxies && last->influences == last[-1].influences;
	}
	return status;
}

/* Displacements over the blend of the variant at `below`. */
static snw_status make_morphs(const snw_baking *b, uint32_t morphs, uint32_t below, const snw_task *task) {
	snw_bake_variant variant = b->baked->variants[below];
	variant.morphs = morphs;
	variant.joint_count = variant.helper_count = variant.proxy_count = variant.morph_count = 0;
	variant.seconds = 0;
	snw_subtask fitting = {task, 0, 0.5};
	const snw_task fits = snw_task_of_subtask(&fitting);
	snw_scene *scene = NULL;
	snw_status status = snw_fit_apply(b->scenes->plain, &variant.outcomes[0], &scene, b->error);
	if (!snw_failed(status)) {
		status = learn(b, &scene, LEARNS_DISPLACEMENTS, (const uint32_t[LIMITS]){morphs}, &fits,
					   &variant.outcomes[variant.outcome_count++]);
		status = snw_failed(status) ? status : add_variant(b, scene, variant, task);
	}
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

/* The limits of all variants, and how many there are at most. */
typedef struct course {
	const snw_baking *b;
	uint32_t blend_count, helper_count, proxy_count, morph_count, all, done;
	uint32_t blends[HALVES + 1], helpers[HALVES + 1], proxies[HALVES + 1], morphs[HALVES + 1];
} course;

enum { EXTRAS = 3 }; /* of a kind at most: joints that fill the bytes, and morph targets that do, over two of its blends */

static snw_task next_part(course *c, snw_subtask *part) {
	*part = (snw_subtask){c->b->task, (double)c->done / c->all, (c->done + 1.0) / c->all};
	c->done++;
	return snw_task_of_subtask(part);
}

static snw_status make_next_morphs(course *c, uint32_t morphs, uint32_t below) {
	snw_subtask part;
	const snw_task task = next_part(c, &part);
	return make_morphs(c->b, morphs, below, &task);
}

static snw_status make_next_blend(course *c, learned kind, uint32_t influences, uint32_t made) {
	snw_subtask part;
	const snw_task task = next_part(c, &part);
	return make_blend(c->b, kind, influences, made, &task);
}

static const snw_bake_variant *last_variant(const course *c) {
	return &c->b->baked->variants[c->b->baked->variant_count - 1];
}

/* How many displacements over `below` the budget has room for, by what those of `most` take over `blend`. */
static uint32_t count_room(const snw_budget *budget, const snw_bake_variant *below, const snw_bake_variant *blend,
						   const snw_bake_variant *most) {
	const double shapes = ((double)most->morph_count - (double)blend->morph_count) / most->morphs;
	const double bytes = ((double)most->bytes - (double)blend->bytes) / most->morphs;
	double room = budget->morphs;
	if (shapes > 0) {
		room = fmin(room, (shapes > 1 ? filled_share : 1) * ((double)budget->morphs - (double)below->morph_count) / shapes);
	}
	if (budget->bytes > 0 && bytes > 0) {
		room = fmin(room, filled_share * ((double)budget->bytes - (double)below->bytes) / bytes);
	}
	return room > 0 ? (uint32_t)floor(room) : 0;
}

/* Over the blend at `below`, whose halves up to the variant `most` are made: as many morph targets as the budget has room for,
 * and over the blend before it, which is smaller, if there is room for more of them there. `first` is the first blend of the
 * kind. */
static snw_status fill_with_morphs(course *c, uint32_t first, uint32_t below, uint32_t most) {
	const snw_bake_variant *variants = c->b->baked->variants;
	const snw_budget *budget = &c->b->request->budget;
	const uint32_t fitted = variants[most].morphs;
	const uint32_t count = count_room(budget, &variants[below], &variants[below], &variants[most]);
	bool is_new = count > 0 && count < fitted;
	for (uint32_t i = 0; i < c->morph_count; i++) {
		is_new = is_new && count != c->morphs[i];
	}
	snw_status status = is_new ? make_next_morphs(c, count, below) : SNW_OK;
	if (!snw_failed(status) && below > first) {
		const uint32_t more = count_room(budget, &variants[below - 1], &variants[below], &variants[most]);
		status = more > count ? make_next_morphs(c, more, below - 1) : SNW_OK;
	}
	return status;
}

/* Morph targets over the blend at `below`, up to the first number of them that is over the budget. */
static snw_status make_all_morphs(course *c, uint32_t first, uint32_t below) {
	for (uint32_t i = 0; i < c->morph_count; i++) {
		const snw_status status = make_next_morphs(c, c->morphs[i], below);
		if (snw_failed(status)) {
			return status;
		}
		if (!last_variant(c)->is_within) {
			return fill_with_morphs(c, first, below, c->b->baked->variant_count - 1);
		}
	}
	return SNW_OK;
}

static uint32_t made_joints(const snw_bake_variant *variant) {
	return variant->helpers + variant->proxies;
}

/* Between a blend within the bytes and the next larger one, which is not: with as many joints as there is room for. */
static snw_status fill_with_joints(course *c, learned kind, uint32_t within, uint32_t beyond) {
	const snw_bake_variant *a = &c->b->baked->variants[within], *b = &c->b->baked->variants[beyond];
	const double bytes = (double)b->bytes - (double)a->bytes, joints = made_joints(b) - made_joints(a);
	const double room = (double)c->b->request->budget.bytes - (double)a->bytes;
	if (c->b->request->budget.bytes == 0 || room <= 0 || room >= bytes) {
		return SNW_OK;
	}
	const uint32_t count = made_joints(a) + (uint32_t)floor(filled_share * room / bytes * joints);
	return count > made_joints(a) ? make_next_blend(c, kind, a->influences, count) : SNW_OK;
}

/* The last of `count` variants from `first` that is within the budget; SNW_NONE if none is. */
static uint32_t last_within(const course *c, uint32_t first, uint32_t count) {
	while (count > 0 && !c->b->baked->variants[first + count - 1].is_within) {
		count--;
	}
	return count > 0 ? first + count - 1 : SNW_NONE;
}

/* Blends of these influences, or with these numbers of joints made for them, and morph targets over the last that is within the
 * budget: over a larger one none would be. */
static snw_status make_kind(course *c, learned kind, uint32_t count, const uint32_t *list) {
	const uint32_t influences = c->b->request->budget.influences, first = c->b->baked->variant_count;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		status = kind == LEARNS_BLEND ? make_next_blend(c, kind, list[i], 0) : make_next_blend(c, kind, influences, list[i]);
	}
	count = c->b->baked->variant_count - first;
	if (snw_failed(status) || count == 0) {
		return status;
	}
	const uint32_t within = last_within(c, first, count);
	/* Helper joints are added to the last blend of the rig's joints. */
	const uint32_t without = kind == LEARNS_HELPERS ? last_within(c, 0, c->blend_count) : SNW_NONE;
	const uint32_t below = within == SNW_NONE ? without : within, above = within == SNW_NONE ? first : within + 1;
	if (kind != LEARNS_BLEND && below != SNW_NONE && above < first + count) {
		status = fill_with_joints(c, kind, below, above);
	}
	return snw_failed(status) || within == SNW_NONE ? status : make_all_morphs(c, first, within);
}

static snw_status make_all(course *c) {
	snw_status status = make_kind(c, LEARNS_BLEND, c->blend_count, c->blends);
	status = snw_failed(status) ? status : make_kind(c, LEARNS_HELPERS, c->helper_count, c->helpers);
	return snw_failed(status) ? status : make_kind(c, LEARNS_PROXIES, c->proxy_count, c->proxies);
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
	assert(meshes > 0); /* the measured ones are */
	const uint32_t of_mesh = budget->joints / meshes;
	c.proxy_count = list_halves(budget->proxies < of_mesh ? budget->proxies : of_mesh, JOINT_HALVES, c.proxies);
	c.morph_count = list_halves(budget->morphs, HALVES, c.morphs);
	const uint32_t kinds = 1 + (c.helper_count > 0) + (c.proxy_count > 0);
	c.all = c.blend_count + c.helper_count + c.proxy_count + (c.morph_count + EXTRAS) * kinds;
	b->baked->rig_joints = count_rig_joints(b->scene);
	b->baked->variants = SNW_NEW_ARRAY(b->arena, snw_bake_variant, c.all);
	return make_all(&c);
}
