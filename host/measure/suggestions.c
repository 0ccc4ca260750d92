/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What measuring advises: which layers to fit over, and which pose to sculpt next.
 */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#include "fit/fit.h"
#include "fit/stale.h"
#include "parameter/parameters.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "task/task.h"

/* ---- which base ---------------------------------------------------------------------------------------------------------- */

/* A layer that can be in a base. */
typedef struct base_part {
	snw_layer layer; /* without a name: no layer */
	bool in_scene;   /* otherwise a layer that the scene would get */
} base_part;

typedef struct choice {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_fit_request *request;
	const char *layer; /* the corrective's */
	snw_arena *arena;
	uint32_t blend_count, over_count;
	base_part *blends, *overs; /* the scene's layers, then methods without a layer; the first over is none */
} choice;

enum { NOT_A_PART = 0, BLEND = 1, OVER = 2 };

/* The role of a layer of this method in a base. */
static int role_of(const snw_deformer *deformer) {
	const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
	return traits & SNW_REPLACES_BLEND ? BLEND : traits & SNW_BINDS ? OVER : NOT_A_PART;
}

/* The role of a layer of the scene. */
static int role_in_scene(const choice *c, const snw_layer *layer) {
	return strcmp(layer->name, c->layer) == 0 ? NOT_A_PART : role_of(snw_registry_find(c->registry, layer->deformer));
}

static bool has_layer_of(const snw_scene *scene, const snw_deformer *deformer) {
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (strcmp(scene->layers[i].deformer, deformer->descriptor->id) == 0) {
			return true;
		}
	}
	return false;
}

static void add_part(choice *c, int role, const base_part *added) {
	if (role == BLEND) {
		c->blends[c->blend_count++] = *added;
	} else if (role == OVER) {
		c->overs[c->over_count++] = *added;
	}
}

/* A layer of the scene can be called like a method that it does not have, and so can the corrective. */
static const char *free_layer_name(const choice *c, const char *name) {
	const uint32_t count = c->scene->layer_count;
	snw_layer *layers = SNW_NEW_ARRAY(c->arena, snw_layer, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		layers[i] = c->scene->layers[i];
	}
	layers[count] = (snw_layer){.name = c->layer};
	const snw_scene taken = {.layer_count = count + 1, .layers = layers};
	return snw_scene_free_name(&taken, snw_scene_find_layer, name, c->arena);
}

static void find_parts(choice *c) {
	const uint32_t methods = snw_registry_count(c->registry);
	c->blends = SNW_NEW_ARRAY(c->arena, base_part, (size_t)c->scene->layer_count + methods);
	c->overs = SNW_NEW_ARRAY(c->arena, base_part, (size_t)c->scene->layer_count + methods + 1);
	c->overs[c->over_count++] = (base_part){0};
	for (uint32_t i = 0; i < c->scene->layer_count; i++) {
		const snw_layer *layer = &c->scene->layers[i];
		add_part(c, role_in_scene(c, layer), &(base_part){.layer = *layer, .in_scene = true});
	}
	for (uint32_t i = 0; i < methods; i++) {
		const snw_deformer *deformer = snw_registry_get(c->registry, i)->deformer;
		if (deformer && deformer->descriptor->traits & SNW_BINDS && !has_layer_of(c->scene, deformer)) {
			const snw_layer layer = {.name = free_layer_name(c, deformer->descriptor->short_name),
									 .deformer = deformer->descriptor->id,
									 .deformer_version = deformer->descriptor->version,
									 .model = SNW_NONE};
			add_part(c, role_of(deformer), &(base_part){.layer = layer});
		}
	}
}

/* The parts of one kind: those of the scene, and the chosen one, which alone is active. */
static void put_parts(const base_part *parts, uint32_t count, uint32_t chosen, snw_base *base) {
	for (uint32_t i = 0; i < count; i++) {
		if (parts[i].layer.name && (i == chosen || parts[i].in_scene)) {
			snw_layer *layer = &base->layers[base->layer_count++];
			*layer = parts[i].layer;
			layer->muted = i != chosen;
		}
	}
}

/* The layers that belong to no base, in their order. */
static void put_others(const choice *c, snw_base *base) {
	for (uint32_t i = 0; i < c->scene->layer_count; i++) {
		const snw_layer *layer = &c->scene->layers[i];
		if (role_in_scene(c, layer) == NOT_A_PART) {
			base->layers[base->layer_count] = *layer;
			base->layers[base->layer_count++].muted = layer->muted && strcmp(layer->name, c->layer) != 0;
		}
	}
}

static snw_base make_base(const choice *c, uint32_t blend, uint32_t over) {
	snw_base base = {.name = snw_arena_text(c->arena, c->blends[blend].layer.name)};
	if (c->overs[over].layer.name) {
		base.name = snw_arena_format(c->arena, "%s, %s", base.name, c->overs[over].layer.name);
	}
	/* The scene's layers, and at most one new part of each kind. */
	base.layers = SNW_NEW_ARRAY(c->arena, snw_layer, (size_t)c->scene->layer_count + 2);
	put_parts(c->blends, c->blend_count, blend, &base);
	put_parts(c->overs, c->over_count, over, &base);
	put_others(c, &base);
	return base;
}

/* The stack that is measured: the base with the corrective, on top if it is new, with the settings of the request. */
static void put_corrective(const choice *c, const snw_base *base, snw_scene *scene) {
	const snw_fit_request *request = c->request;
	const snw_descriptor *descriptor = snw_registry_find(c->registry, request->method)->descriptor;
	snw_layer *layers = SNW_NEW_ARRAY(c->arena, snw_layer, (size_t)base->layer_count + 1);
	memcpy(layers, base->layers, base->layer_count * sizeof *layers);
	layers[base->layer_count] =
		(snw_layer){.name = c->layer, .deformer = descriptor->id, .deformer_version = descriptor->version, .model = SNW_NONE};
	scene->layers = layers;
	scene->layer_count = base->layer_count + 1;
	const uint32_t place = snw_scene_find_layer(scene, c->layer);
	scene->layer_count -= place < base->layer_count;
	const snw_layer before = layers[place];
	snw_setting *settings = SNW_NEW_ARRAY(c->arena, snw_setting, (size_t)before.setting_count + request->setting_count);
	for (uint32_t i = 0; i < before.setting_count; i++) {
		settings[i] = before.settings[i];
	}
	for (uint32_t i = 0; i < request->setting_count; i++) {
		settings[before.setting_count + i] = request->settings[i]; /* if a key is repeated, the last one counts */
	}
	layers[place].settings = settings;
	layers[place].setting_count = before.setting_count + request->setting_count;
}

static void fail_base(const choice *c, const char *failure, snw_base *base) {
	base->failure = snw_arena_text(c->arena, failure);
	base->erms = HUGE_VAL;
}

static snw_status measure_base(const choice *c, const snw_task *task, snw_base *base) {
	snw_scene scene = *c->scene;
	snw_error error = {0};
	put_corrective(c, base, &scene);
	snw_measure *measures = SNW_NEW_ARRAY(c->arena, snw_measure, scene.example_count);
	const snw_status status = snw_measure_leave_one_out(&scene, c->registry, c->layer, task, measures, &error);
	if (snw_failed(status)) {
		fail_base(c, error.text, base);
		return status;
	}
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene.example_count; i++) {
		count += !scene.examples[i].muted;
		base->erms += measures[i].erms * measures[i].erms;
		base->max_percent = fmax(base->max_percent, measures[i].max_percent);
	}
	base->erms = sqrt(base->erms / count);
	if (!isfinite(base->erms)) {
		fail_base(c, "its error is not a finite number", base);
	}
	return SNW_OK;
}

snw_status snw_bases_measure(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
							 const snw_task *task, snw_arena *arena, snw_bases *bases, snw_error *error) {
	const snw_descriptor *descriptor = snw_registry_find(registry, request->method)->descriptor;
	choice c = {.scene = scene,
				.registry = registry,
				.request = request,
				.layer = request->layer ? request->layer : descriptor->short_name,
				.arena = arena};
	if (!(descriptor->traits & SNW_CORRECTS)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s does not correct the layers below it; --base is for correctives",
						descriptor->short_name);
	}
	const uint32_t existing = snw_scene_find_layer(scene, c.layer);
	if (existing != SNW_NONE && strcmp(scene->layers[existing].deformer, descriptor->id) != 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "layer '%s' belongs to %s, not to %s; give the new layer another name",
						c.layer, scene->layers[existing].deformer, descriptor->short_name);
	}
	if (snw_scene_active_example_count(scene) < 2) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"--base auto needs at least two examples to hold one out; this project has %u",
						snw_scene_active_example_count(scene));
	}
	/* A baked skin would be tried as a base, and moved away from the layers above it. */
	const uint32_t baked = snw_scene_first_baked(scene);
	if (baked != SNW_NONE) {
		return snw_fail(
			error, SNW_ERROR_CONFLICT,
			"the project is baked, and --base auto is for one that is not; 'sinew undo P.sinew' takes the bake back, "
			"or 'sinew stack P.sinew remove %s' removes it",
			scene->layers[baked].name);
	}
	find_parts(&c);
	*bases = (snw_bases){.count = c.blend_count * c.over_count};
	bases->list = SNW_NEW_ARRAY(arena, snw_base, bases->count);
	for (uint32_t i = 0; i < bases->count; i++) {
		snw_subtask part = {task, (double)i / bases->count, (i + 1.0) / bases->count};
		const snw_task quiet = {.context = &part, .progress = snw_task_of_subtask(&part).progress}; /* notices: one a fit */
		bases->list[i] = make_base(&c, i / c.over_count, i % c.over_count);
		if (measure_base(&c, &quiet, &bases->list[i]) == SNW_CANCELLED) {
			return snw_fail(error, SNW_CANCELLED, "cancelled");
		}
		bases->best = bases->list[i].erms < bases->list[bases->best].erms ? i : bases->best;
	}
	return bases->count > 0 && isfinite(bases->list[bases->best].erms)
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "no base could be measured: %s",
						  bases->count > 0 ? bases->list[0].failure : "no method that blends was found");
}

/* ---- which pose ---------------------------------------------------------------------------------------------------------- */

/* The number of frames that are tried in each round, and the least distance between two of them, as a share of the clip's
 * frames. */
enum { TRIED_A_ROUND = 8, APART = 32 };
static const double LEAST_ROTATION = 0.02; /* radians: what is nearer counts as one place */

typedef struct search {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_suggest_request *request;
	const snw_task *task;
	snw_series series;
	uint32_t mesh;
	uint32_t done, trials; /* counts fits, for the progress */
	snw_arena *arena;      /* freed after the search */
	snw_arena *kept;       /* of the result */
	snw_error *error;
} search;

static snw_status tick(search *s) {
	const double fraction = fmin(1, (double)s->done++ / s->trials);
	return snw_task_progress(s->task, fraction, "trying poses") ? SNW_OK
																: snw_fail(s->error, SNW_CANCELLED, "suggesting was cancelled");
}

/* ---- the clip's error with the examples of a scene ----------------------------------------------------------------------- */

/* Σ ‖P − P'‖² of every frame, for the layer over the layers below it. */
static snw_status square_frames(const search *s, const snw_scene *fitted, const char *layer, double *squares) {
	const snw_stack_options options = {.method = layer, .below_layer = fitted->layer_count};
	const snw_task silent = {0};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(fitted, s->registry, &options, &silent, &stack, s->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	const size_t numbers = 3 * (size_t)s->series.mesh->point_count;
	double *expected = SNW_NEW_ARRAY(arena, double, numbers), *actual = SNW_NEW_ARRAY(arena, double, numbers);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	for (uint32_t f = 0; !snw_failed(status) && f < s->series.frame_count; f++) {
		snw_measure_sums sums = {0};
		status = snw_stack_drive(stack, s->series.frames[f].pose, evaluation, s->error);
		status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, s->mesh, NULL, actual, s->error);
		if (!snw_failed(status)) {
			snw_series_points(&s->series, f, expected);
			snw_measure_add(&s->series, f, expected, actual, &sums);
			squares[f] = sums.squares;
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

static double erms_of(const search *s, uint32_t count, const double *squares) {
	snw_measure_sums sums = {0};
	for (uint32_t f = 0; f < count; f++) {
		sums.squares += squares[f];
	}
	return snw_measure_finish(&s->series, count, &sums, 0, 0).erms;
}

/* Fits the examples of a scene and measures every frame. */
static snw_status fit_and_square(search *s, const snw_scene *scene, uint32_t left_out, double *squares) {
	snw_status status = tick(s);
	if (snw_failed(status)) {
		return status;
	}
	const snw_layer *layer = s->request->layer;
	const snw_fit_request request = {
		.method = s->request->method,
		.layer = layer ? layer->name : NULL,
		.setting_count = layer ? layer->setting_count : 0,
		.settings = layer ? layer->settings : NULL,
		.left_out_example = left_out,
	};
	const snw_task progress_alone = {0};
	snw_arena *arena = snw_arena_create();
	snw_fit_outcome outcome = {.arena = arena};
	snw_scene *fitted = NULL;
	status = snw_fit_run(scene, s->registry, &request, &progress_alone, &outcome, s->error);
	if (!snw_failed(status)) {
		status = snw_fit_apply(scene, &outcome, &fitted, s->error);
	}
	if (!snw_failed(status)) {
		status = square_frames(s, fitted, outcome.layer.name, squares);
	}
	snw_scene_destroy(fitted);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

/* ---- a scene with one more example --------------------------------------------------------------------------------------- */

/* Whether the group has examples of the mesh. */
static bool is_of_mesh(const search *s, const snw_scene *scene, const snw_group *group) {
	return group->member_count > 0 && scene->examples[group->members[0].example].mesh == s->mesh;
}

/* Whether a pose moves a group's joints away from the rest and from all of its examples: else the group would have two examples
 * in one place. A group without joints of its own chooses them by its examples. */
static bool moves_group(const snw_scene *scene, const snw_group *group, const snw_pose *pose) {
	for (uint32_t m = 0; m <= group->member_count && group->joint_count > 0; m++) {
		const snw_pose *other = m > 0 ? &scene->poses[scene->examples[group->members[m - 1].example].pose] : NULL;
		double farthest = 0;
		for (uint32_t i = 0; i < group->joint_count; i++) {
			const size_t joint = group->joints[i];
			for (size_t c = 0; c < 3; c++) {
				const double there = other ? other->rotation_vectors[3 * joint + c] : 0;
				farthest = fmax(farthest, fabs(pose->rotation_vectors[3 * joint + c] - there));
			}
		}
		if (!(farthest > LEAST_ROTATION)) {
			return false;
		}
	}
	return true;
}

static void join_groups(const search *s, snw_scene *scene, uint32_t example) {
	const snw_pose *pose = &scene->poses[scene->examples[example].pose];
	snw_group *groups = SNW_NEW_ARRAY(s->arena, snw_group, scene->group_count + 1u);
	bool joined = false;
	if (scene->group_count > 0) {
		memcpy(groups, scene->groups, scene->group_count * sizeof *groups);
	}
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (is_of_mesh(s, scene, &groups[g]) && moves_group(scene, &groups[g], pose)) {
			snw_member *members = SNW_NEW_ARRAY(s->arena, snw_member, groups[g].member_count + 1u);
			memcpy(members, groups[g].members, groups[g].member_count * sizeof *members);
			members[groups[g].member_count++] = (snw_member){example, members[0].mask};
			groups[g].members = members;
			joined = true;
		}
	}
	if (!joined) {
		const char *name = snw_scene_free_name(scene, snw_scene_find_group, "suggested", s->arena);
		groups[scene->group_count++] =
			(snw_group){.name = name,
						.member_count = 1,
						.members = snw_arena_copy(s->arena, &(snw_member){example, SNW_NONE}, sizeof(snw_member))};
	}
	scene->groups = groups;
}

/* A copy of `scene` with a frame of the clip as an additional example; it shares everything else. */
static snw_scene with_frame(const search *s, const snw_scene *scene, uint32_t frame) {
	const snw_target *target = &s->scene->targets[s->request->target];
	snw_scene more = *scene;
	snw_pose *poses = SNW_NEW_ARRAY(s->arena, snw_pose, scene->pose_count + 1u);
	snw_example *examples = SNW_NEW_ARRAY(s->arena, snw_example, scene->example_count + 1u);
	double *points = SNW_NEW_ARRAY(s->arena, double, 3 * (size_t)s->series.mesh->point_count);
	if (scene->pose_count > 0) {
		memcpy(poses, scene->poses, scene->pose_count * sizeof *poses);
	}
	if (scene->example_count > 0) {
		memcpy(examples, scene->examples, scene->example_count * sizeof *examples);
	}
	snw_series_points(&s->series, frame, points);
	poses[scene->pose_count] = *snw_pose_sample(s->scene, target->clip, target->seconds[frame], s->arena);
	examples[scene->example_count] =
		(snw_example){.name = s->series.frames[frame].name, .pose = scene->pose_count, .mesh = s->mesh, .points_posed = points};
	more.poses = poses;
	more.pose_count++;
	more.examples = examples;
	more.example_count++;
	join_groups(s, &more, scene->example_count);
	return more;
}

/* ---- the greedy search --------------------------------------------------------------------------------------------------- */

/* The frames with the largest error, none too close to another or to one that was chosen. */
static uint32_t worst_frames(const search *s, const double *squares, const snw_suggestion *chosen, uint32_t chosen_count,
							 uint32_t *worst) {
	const uint32_t count = s->series.frame_count, gap = count / APART;
	uint32_t found = 0;
	while (found < TRIED_A_ROUND) {
		uint32_t best = SNW_NONE;
		for (uint32_t f = 0; f < count; f++) {
			bool free = squares[f] > 0 && (best == SNW_NONE || squares[f] > squares[best]);
			for (uint32_t i = 0; free && i < found; i++) {
				free = (f > worst[i] ? f - worst[i] : worst[i] - f) > gap;
			}
			for (uint32_t i = 0; free && i < chosen_count; i++) {
				free = f != chosen[i].frame;
			}
			best = free ? f : best;
		}
		if (best == SNW_NONE) {
			break;
		}
		worst[found++] = best;
	}
	return found;
}

/* The groups that an example of a scene is in. */
static void list_groups(const search *s, const snw_scene *scene, uint32_t example, snw_suggestion *suggestion) {
	suggestion->groups = SNW_NEW_ARRAY(s->kept, const char *, scene->group_count);
	for (uint32_t g = 0; g < scene->group_count; g++) {
		for (uint32_t m = 0; m < scene->groups[g].member_count; m++) {
			if (scene->groups[g].members[m].example == example) {
				suggestion->groups[suggestion->group_count++] = snw_arena_text(s->kept, scene->groups[g].name);
			}
		}
	}
}

/* One round: `current` becomes the scene with the best of the tried frames, `squares` its errors. */
static snw_status choose(search *s, snw_scene *current, double *squares, snw_suggestions *dest) {
	const uint32_t frames = s->series.frame_count;
	uint32_t worst[TRIED_A_ROUND];
	const uint32_t tried = worst_frames(s, squares, dest->list, dest->count, worst);
	double *trial = SNW_NEW_ARRAY(s->arena, double, frames), *best = SNW_NEW_ARRAY(s->arena, double, frames);
	snw_suggestion *chosen = &dest->list[dest->count];
	*chosen = (snw_suggestion){.frame = SNW_NONE,
							   .erms = erms_of(s, frames, squares)}; /* a frame that does not reduce the error is not chosen */
	snw_scene taken = *current;
	for (uint32_t i = 0; i < tried; i++) {
		const snw_scene more = with_frame(s, current, worst[i]);
		const snw_status status = fit_and_square(s, &more, SNW_NONE, trial);
		if (status == SNW_CANCELLED) {
			return status;
		}
		if (snw_failed(status)) {
			continue; /* it contradicts another example of a group */
		}
		if (erms_of(s, frames, trial) < chosen->erms) {
			*chosen = (snw_suggestion){.frame = worst[i],
									   .seconds = s->scene->targets[s->request->target].seconds[worst[i]],
									   .erms_before = erms_of(s, 1, &squares[worst[i]]),
									   .erms = erms_of(s, frames, trial)};
			memcpy(best, trial, frames * sizeof *best);
			taken = more;
		}
	}
	if (chosen->frame != SNW_NONE) {
		list_groups(s, &taken, current->example_count, chosen);
		*current = taken;
		memcpy(squares, best, frames * sizeof *squares);
		dest->count++;
	}
	return SNW_OK;
}

/* The value of each of the scene's examples: the error of the clip without it. */
static snw_status value_examples(search *s, snw_suggestions *dest) {
	double *squares = SNW_NEW_ARRAY(s->arena, double, s->series.frame_count);
	snw_status status = SNW_OK;
	for (uint32_t e = 0; !snw_failed(status) && e < s->scene->example_count; e++) {
		dest->erms_without[e] = NAN;
		const snw_example *example = &s->scene->examples[e];
		if (example->mesh == s->mesh && !example->muted && snw_scene_active_example_count(s->scene) > 1) {
			status = fit_and_square(s, s->scene, e, squares);
			dest->erms_without[e] = snw_failed(status) ? (double)NAN : erms_of(s, s->series.frame_count, squares);
		}
	}
	return status;
}

static snw_status search_in(search *s, snw_suggestions *dest) {
	double *squares = SNW_NEW_ARRAY(s->arena, double, s->series.frame_count);
	snw_scene current = *s->scene;
	snw_status status = snw_scene_active_example_count(s->scene) > 0 ? fit_and_square(s, s->scene, SNW_NONE, squares)
																	 : square_frames(s, s->scene, NULL, squares);
	if (!snw_failed(status)) {
		dest->erms = erms_of(s, s->series.frame_count, squares);
		status = value_examples(s, dest);
	}
	for (uint32_t round = 0; !snw_failed(status) && round < s->request->count && dest->count == round; round++) {
		status = choose(s, &current, squares, dest);
	}
	return status;
}

snw_status snw_suggest(const snw_scene *scene, const snw_registry *registry, const snw_suggest_request *request,
					   const snw_task *task, snw_arena *arena, snw_suggestions *suggestions, snw_error *error) {
	const snw_target *target = &scene->targets[request->target];
	const snw_deformer *deformer = snw_registry_find(registry, request->method);
	const char *layer = request->layer ? request->layer->name : deformer ? deformer->descriptor->short_name : NULL;
	snw_arena *scratch = snw_arena_create();
	*suggestions = (snw_suggestions){
		.example_count = scene->example_count,
		.examples = SNW_NEW_ARRAY(arena, const char *, scene->example_count),
		.erms_without = SNW_NEW_ARRAY(arena, double, scene->example_count),
		.list = SNW_NEW_ARRAY(arena, snw_suggestion, request->count),
	};
	search s = {.scene = snw_scene_of_layer(scene, layer, scratch), /* as its fits see it */
				.registry = registry,
				.request = request,
				.task = task,
				.mesh = target->mesh,
				.trials = 1 + scene->example_count + request->count * TRIED_A_ROUND,
				.arena = scratch,
				.kept = arena,
				.error = error};
	snw_status status = target->clip == SNW_NONE
							? snw_fail(error, SNW_ERROR_ARGUMENT,
									   "'%s' is a sequence: it has no skeleton, so no poses can be suggested", target->name)
							: snw_series_of_target(scene, request->target, s.arena, &s.series, error);
	status = snw_failed(status) ? status : search_in(&s, suggestions);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		suggestions->examples[i] = snw_arena_text(arena, scene->examples[i].name);
	}
	for (uint32_t i = 0; i < suggestions->count; i++) {
		suggestions->list[i].pose =
			snw_arena_format(arena, "%s:%.9g", scene->clips[target->clip].name, suggestions->list[i].seconds);
	}
	snw_arena_destroy(scratch);
	return status;
}
