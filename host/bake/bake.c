/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bake/bake.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/variants.h"
#include "base/error.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "pose/pose.h"
#include "task/task.h"

/* ---- requests ------------------------------------------------------------------------------------------------------------ */

/* What a bake is asked for, and whether the project can be baked. */

void snw_bake_take_all_clips(const snw_scene *scene, snw_arena *arena, snw_bake_request *request) {
	uint32_t *clips = SNW_NEW_ARRAY(arena, uint32_t, scene->clip_count);
	request->clip_count = 0;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (snw_clip_moves_joints(&scene->clips[c])) {
			clips[request->clip_count++] = c;
		}
	}
	request->clips = clips;
}

/* The clips that the bake of a layer was given; none if they are all gone. */
static void take_clips_again(const snw_scene *scene, const snw_layer *layer, snw_arena *arena, snw_bake_request *request) {
	uint32_t *clips = SNW_NEW_ARRAY(arena, uint32_t, scene->clip_count);
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (snw_samples_have_clip(layer->samples, scene->clips[c].name) && snw_clip_moves_joints(&scene->clips[c])) {
			clips[request->clip_count++] = c;
		}
	}
	request->clips = clips;
	request->names_clips = request->clip_count > 0;
}

void snw_bake_request_complete(const snw_scene *scene, snw_arena *arena, snw_bake_request *request) {
	const uint32_t first = snw_scene_first_baked(scene);
	const snw_layer *layer = first == SNW_NONE ? NULL : &scene->layers[first];
	const snw_bake_record record = layer ? snw_bake_record_read(layer, arena) : (snw_bake_record){0};
	if (request->budget.influences == 0 &&
		snw_failed(snw_budget_parse(record.budget ? record.budget : "", &request->budget, NULL))) {
		(void)snw_budget_parse("", &request->budget, NULL);
	}
	request->engine = request->engine == snw_engine_any() ? NULL
					  : !request->engine && record.engine ? snw_engine_find(record.engine)
														  : request->engine;
	request->method = request->method ? request->method : record.method;
	if (request->clip_count == 0 && record.names_clips) {
		take_clips_again(scene, layer, arena, request);
	}
	if (request->clip_count == 0) {
		snw_bake_take_all_clips(scene, arena, request);
	}
}

/* ---- the project --------------------------------------------------------------------------------------------------------- */

static snw_status check_names(const snw_scene *scene, snw_error *error) {
	static const char *const names[] = {SNW_BAKE_BLEND, SNW_BAKE_MORPHS};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const uint32_t layer = snw_scene_find_layer(scene, names[i]);
		if (layer != SNW_NONE && !snw_layer_is_baked(&scene->layers[layer])) {
			return snw_fail(
				error, SNW_ERROR_CONFLICT,
				"the project has a layer '%s', which no bake made; 'sinew stack P.sinew remove %s' makes room for one",
				names[i], names[i]);
		}
	}
	return SNW_OK;
}

snw_status snw_bake_check(const snw_scene *scene, snw_error *error) {
	const uint32_t first = snw_scene_first_baked(scene);
	snw_status status = check_names(scene, error);
	if (snw_failed(status) || first == SNW_NONE) {
		return status;
	}
	snw_arena *scratch = snw_arena_create();
	snw_scene below;
	bool any = false;
	snw_scene_below_bake(scene, scratch, &below);
	for (uint32_t i = 0; i < below.layer_count; i++) {
		any = any || !below.layers[i].muted;
	}
	snw_arena_destroy(scratch);
	return any ? SNW_OK
			   : snw_fail(
					 error, SNW_ERROR_CONFLICT,
					 "the project is baked, and the layers below '%s' are muted; unmute those that are to be baked again, with "
					 "'sinew stack P.sinew unmute LAYER'",
					 scene->layers[first].name);
}

/* ---- budgets ------------------------------------------------------------------------------------------------------------- */

enum { INFLUENCES, JOINTS, HELPERS, PROXIES, MORPHS, BYTES, PARTS };

/* The most influences that a glTF file of ours has; as many joints and targets as its formats can count. */
static const struct {
	const char *key, *expected;
	double least, most;
} budget_parts[PARTS] = {
	[INFLUENCES] = {"influences", "1 to 8", 1, 8}, [JOINTS] = {"joints", "1 to 65536", 1, 65536},
	[HELPERS] = {"helpers", "0 to 1024", 0, 1024}, [PROXIES] = {"proxies", "0 to 320", 0, 320},
	[MORPHS] = {"morphs", "0 to 4096", 0, 4096},   [BYTES] = {"bytes", "1 or more, as 500k or 2M", 1, 4e9}};

/* A number with k, M or G behind it; NaN for anything else. */
static double read_number(const char *text, size_t length) {
	char copy[32] = "", *end;
	if (length == 0 || length >= sizeof copy) {
		return (double)NAN;
	}
	memcpy(copy, text, length);
	const double number = strtod(copy, &end);
	const char *units = "kMG", *unit = *end ? strchr(units, *end) : NULL;
	if (unit && end[1] == 0) {
		return number * pow(1000, (double)(unit - units) + 1);
	}
	return *end || end == copy ? (double)NAN : number;
}

static int find_part(const char *text, size_t length) {
	for (int p = 0; p < PARTS; p++) {
		if (strlen(budget_parts[p].key) == length && strncmp(budget_parts[p].key, text, length) == 0) {
			return p;
		}
	}
	return -1;
}

snw_status snw_budget_parse(const char *text, snw_budget *budget, snw_error *error) {
	double values[PARTS] = {4, 255, 0, 0, 0, 0};
	bool is_given[PARTS] = {false};
	while (*text) {
		const size_t length = strcspn(text, ","), key = strcspn(text, "=,");
		const int part = find_part(text, key);
		if (part < 0 || key == length || is_given[part]) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"'%.*s': expected influences=N, joints=N, helpers=N, proxies=N, morphs=N or bytes=N, each once",
							(int)length, text);
		}
		const double value = read_number(text + key + 1, length - key - 1);
		const bool is_whole = part == BYTES || value == floor(value);
		if (!(value >= budget_parts[part].least && value <= budget_parts[part].most) || !is_whole) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "'%.*s': expected %s", (int)length, text, budget_parts[part].expected);
		}
		values[part] = value;
		is_given[part] = true;
		text += length + (text[length] == ',');
	}
	*budget = (snw_budget){.influences = (uint32_t)values[INFLUENCES],
						   .joints = (uint32_t)values[JOINTS],
						   .helpers = (uint32_t)values[HELPERS],
						   .proxies = (uint32_t)values[PROXIES],
						   .morphs = (uint32_t)values[MORPHS],
						   .bytes = (uint64_t)values[BYTES]};
	return SNW_OK;
}

const char *snw_budget_text(const snw_budget *budget, snw_arena *arena) {
	const char *bytes = budget->bytes > 0 ? snw_arena_format(arena, ",bytes=%llu", (unsigned long long)budget->bytes) : "";
	return snw_arena_format(arena, "influences=%u,joints=%u,helpers=%u,proxies=%u,morphs=%u%s", budget->influences,
							budget->joints, budget->helpers, budget->proxies, budget->morphs, bytes);
}

/* ---- the curve of variants ----------------------------------------------------------------------------------------------- */

static const double negligible = 1e-3; /* percent of the diagonal */

/* "2 helpers", or nothing. */
static void write_made(const snw_bake_variant *variant, char *words, size_t size) {
	words[0] = 0;
	if (variant->helpers > 0) {
		snprintf(words, size, "%u helper%s", variant->helpers, snw_plural(variant->helpers));
	} else if (variant->proxies > 0) {
		snprintf(words, size, "%u prox%s", variant->proxies, variant->proxies == 1 ? "y" : "ies");
	}
}

void snw_bake_variant_name(const snw_bake_variant *variant, char *name, size_t size) {
	char made[40];
	write_made(variant, made, sizeof made);
	snprintf(name, size, "%u influence%s%s%s, %u morph%s", variant->influences, snw_plural(variant->influences),
			 made[0] ? ", " : "", made, variant->morph_count, snw_plural(variant->morph_count));
}

void snw_bake_variant_parts(const snw_bake_variant *variant, char *name, size_t size) {
	char made[40];
	write_made(variant, made, sizeof made);
	if (variant->morphs > 0) {
		snprintf(name, size, "%s%s%u morph%s", made, made[0] ? ", " : "", variant->morph_count,
				 snw_plural(variant->morph_count));
	} else if (made[0]) {
		snprintf(name, size, "%s", made);
	} else {
		snprintf(name, size, "%u influence%s", variant->influences, snw_plural(variant->influences));
	}
}

/* In the file, about: what the skin and its nodes lose adds up as squares do. */
static double played_error(const snw_bake_variant *variant) {
	return hypot(variant->errors.stack.all.erms, variant->lost_erms);
}

/* The least error against the stack of those within the budget; SNW_NONE if there is none. */
static uint32_t find_best(const snw_baked *baked) {
	uint32_t best = SNW_NONE;
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		const snw_bake_variant *variant = &baked->variants[v];
		if (variant->is_within && (best == SNW_NONE || played_error(variant) < played_error(&baked->variants[best]))) {
			best = v;
		}
	}
	return best;
}

/* No variant is within the budget: what was reached. The first has the fewest influences, and neither morph targets nor joints
 * made for it, unless its method has some whatever it is asked for; proxies are counted only where they were asked for. */
static snw_status fail_over_budget(const snw_baking *b) {
	const snw_bake_request *request = b->request;
	const snw_bake_variant *least = &b->baked->variants[0];
	snw_error *error = b->error;
	const double erms = least->errors.stack.all.erms;
	if (least->joint_count > request->budget.joints) {
		return snw_fail(
			error, SNW_ERROR_LIMIT,
			"no skin of %u joints: %u joints move points, with an erms of %.4f; allow as many with joints=%u, or give the "
			"weights of some to others",
			request->budget.joints, least->joint_count, erms, least->joint_count);
	}
	if (least->helper_count > request->budget.helpers) {
		const snw_deformer *method = snw_registry_find(b->registry, least->outcomes[0].model.deformer);
		return snw_fail(
			error, SNW_ERROR_LIMIT,
			"no skin of %u helper joints: '%s' moves points by %u joints of its own, with an erms of %.4f; allow them "
			"with helpers=%u",
			request->budget.helpers, method->descriptor->short_name, least->helper_count, erms, least->helper_count);
	}
	if (least->morph_count > request->budget.morphs) {
		return snw_fail(
			error, SNW_ERROR_LIMIT,
			"no skin of %u morph targets: the character came with %u, and reaches an erms of %.4f with them; allow them "
			"with morphs=%u",
			request->budget.morphs, least->morph_count, erms, least->morph_count + request->budget.morphs);
	}
	return snw_fail(error, SNW_ERROR_LIMIT,
					"no skin of %.4g kB: the smallest takes %.4g kB, with an erms of %.4f; allow more bytes, or export fewer "
					"clips",
					(double)request->budget.bytes / 1000, (double)least->bytes / 1000, erms);
}

/* The names of poses, in order. */
static const char *const *list_names(const snw_pose_set *poses, snw_arena *arena) {
	const char **names = SNW_NEW_ARRAY(arena, const char *, poses->count);
	for (uint32_t i = 0; i < poses->count; i++) {
		names[i] = snw_arena_text(arena, poses->list[i]->name);
	}
	return names;
}

static void tell_poses(const snw_pose_set *fitted, const snw_pose_set *held_out, const snw_pose_set *range, snw_arena *arena,
					   snw_baked *baked) {
	baked->fitted_frames = fitted->frame_count;
	baked->fitted_shuffles = fitted->count - fitted->frame_count;
	baked->held_frames = held_out->frame_count;
	baked->held_shuffles = held_out->count - held_out->frame_count;
	baked->range_count = range->count;
	baked->held_names = list_names(held_out, arena);
	baked->range_names = list_names(range, arena);
}

/* The others stay in their order. */
static void put_densest_first(const snw_scene *scene, uint32_t *meshes, uint32_t count) {
	uint32_t densest = 0;
	for (uint32_t i = 1; i < count; i++) {
		densest = scene->meshes[meshes[i]].point_count > scene->meshes[meshes[densest]].point_count ? i : densest;
	}
	for (uint32_t i = densest; i > 0; i--) {
		const uint32_t before = meshes[i - 1];
		meshes[i - 1] = meshes[i];
		meshes[i] = before;
	}
}

static void set_meshes(const snw_scene *scene, uint32_t *meshes, uint32_t count, snw_arena *arena, snw_baked *baked) {
	const char **names = SNW_NEW_ARRAY(arena, const char *, count);
	put_densest_first(scene, meshes, count);
	for (uint32_t i = 0; i < count; i++) {
		names[i] = snw_arena_text(arena, scene->meshes[meshes[i]].name);
	}
	baked->meshes = meshes;
	baked->mesh_count = count;
	baked->mesh_names = names;
}

/* Whether all points follow one slot alone. */
static bool is_rigid(const snw_mesh *mesh) {
	bool is = true;
	for (uint32_t k = 0; k < mesh->influence_offsets[mesh->point_count]; k++) {
		is = is && (mesh->influence_weights[k] == 0 || mesh->influence_slots[k] == mesh->influence_slots[0]);
	}
	return is;
}

/* A rigid mesh that plain linear blend poses as the stack does is right in every skin, and would only make the errors look
 * small. */
static snw_status leave_out_rigid_meshes(const snw_baking *b) {
	const snw_scene *scene = b->scene;
	snw_baked *baked = b->baked;
	uint32_t rigid = 0, count = 0, *kept = SNW_NEW_ARRAY(b->arena, uint32_t, baked->mesh_count);
	for (uint32_t i = 0; i < baked->mesh_count; i++) {
		rigid += is_rigid(&scene->meshes[baked->meshes[i]]);
	}
	if (rigid == 0 || baked->mesh_count == 1) {
		return SNW_OK;
	}
	snw_bake_errors errors = {0};
	const snw_status status = snw_bake_measure(b, b->scenes->plain, NULL, &errors);
	for (uint32_t i = 0; i < baked->mesh_count && !snw_failed(status); i++) {
		const bool is_right = errors.stack.meshes[i].max_percent < negligible;
		if (!is_right || !is_rigid(&scene->meshes[baked->meshes[i]])) {
			kept[count++] = baked->meshes[i];
		}
	}
	if (count > 0) {
		set_meshes(scene, kept, count, b->arena, baked);
	}
	return status;
}

static snw_status run(const snw_baking *b) {
	snw_baked *baked = b->baked;
	snw_subtask first = {b->task, 0.1, 0.2}, then = {b->task, 0.2, 1};
	const snw_task measuring = snw_task_of_subtask(&first), fitting = snw_task_of_subtask(&then);
	snw_baking part = *b;
	part.task = &measuring;
	snw_status status = leave_out_rigid_meshes(&part);
	status = snw_failed(status) ? status : snw_bake_measure(&part, &b->scenes->source, b->request->method, &baked->source);
	status = snw_failed(status) ? status : snw_bake_measure(&part, b->scenes->plain, NULL, &baked->plain);
	part.task = &fitting;
	status = snw_failed(status) ? status : snw_bake_make_variants(&part);
	if (!snw_failed(status) && (baked->best = find_best(baked)) == SNW_NONE) {
		status = fail_over_budget(b);
	}
	return status;
}

/* A budget is of what an engine plays. One that names none is of what each plays, as an export is; that can have 8 influences
 * all the same. */
static snw_status check_engine(const snw_bake_request *request, snw_error *error) {
	const snw_budget *budget = &request->budget;
	const snw_engine *engine = request->engine ? request->engine : snw_engine_any();
	const struct {
		const char *key;
		uint32_t budget, plays;
	} limits[] = {{"joints", budget->joints, engine->joints},
				  {"morphs", budget->morphs, engine->morphs},
				  {"influences", budget->influences, request->engine ? engine->influences : UINT32_MAX}};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (limits[i].budget > limits[i].plays && request->engine) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s=%u: %s plays %u", limits[i].key, limits[i].budget, engine->label,
							limits[i].plays);
		}
		if (limits[i].budget > limits[i].plays) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s=%u: not every engine plays more than %u; name the engine with --for",
							limits[i].key, limits[i].budget, limits[i].plays);
		}
	}
	return SNW_OK;
}

/* Those with skin weights. */
static void list_meshes(const snw_scene *scene, snw_arena *arena, snw_baked *baked) {
	uint32_t count = 0, *meshes = SNW_NEW_ARRAY(arena, uint32_t, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		if (mesh->influence_offsets && mesh->point_count > 0) {
			meshes[count++] = m;
		}
	}
	set_meshes(scene, meshes, count, arena, baked);
}

/* What the project lacks for a bake. */
static snw_status check_project(const snw_scene *scene, const snw_bake_request *request, const snw_baked *baked,
								snw_error *error) {
	if (baked->mesh_count == 0 || scene->skeleton.joint_count == 0) {
		return snw_fail(
			error, SNW_ERROR_MISSING,
			"the project has no mesh with skin weights for joints; import a rigged character, or run 'sinew skeleton' "
			"or 'sinew bind'");
	}
	if (request->budget.proxies > 0 && scene->clip_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"proxies=%u: files play proxy joints in clips, and the project has none; import one, or take helpers=N",
						request->budget.proxies);
	}
	return check_engine(request, error);
}

static snw_status run_below(const snw_scene *scene, const snw_registry *registry, const snw_bake_request *request,
							const snw_task *task, snw_arena *arena, snw_baked *baked, snw_error *error) {
	*baked = (snw_baked){.request = request};
	list_meshes(scene, arena, baked);
	snw_pose_set fitted, held_out, range;
	snw_bake_scenes scenes;
	snw_subtask posing = {task, 0, 0.1};
	const snw_task poses = snw_task_of_subtask(&posing);
	snw_status status = check_project(scene, request, baked, error);
	status = snw_failed(status)
				 ? status
				 : snw_pose_sets_choose(scene, request->clip_count, request->clips, arena, &fitted, &held_out, error);
	snw_pose_set_range_of_motion(scene, arena, &range);
	status = snw_failed(status) ? status
								: snw_bake_scenes_make(scene, registry, request->method, &fitted, &held_out, &range, &poses,
													   arena, &scenes, error);
	if (!snw_failed(status)) {
		const snw_baking b = {scene, registry, request, &scenes, task, arena, baked, error};
		tell_poses(&fitted, &held_out, &range, arena, baked);
		baked->truth_names = scenes.truth_names;
		status = run(&b);
		snw_bake_scenes_free(&scenes);
	}
	return status;
}

snw_status snw_bake_run(const snw_scene *scene, const snw_registry *registry, const snw_bake_request *request,
						const snw_task *task, snw_arena *arena, snw_baked *baked, snw_error *error) {
	const snw_status status = snw_bake_check(scene, error);
	snw_scene below;
	snw_scene_below_bake(scene, arena, &below);
	return snw_failed(status) ? status : run_below(&below, registry, request, task, arena, baked, error);
}

/* ---- the scene with a skin of the bake ----------------------------------------------------------------------------------- */

/* Puts the layers and models of the variant behind those that `after` has. */
static void append_variant(const snw_scene *scene, const snw_baked *baked, const snw_bake_variant *variant, snw_arena *arena,
						   snw_scene *after, snw_layer *layers, snw_saved_model *models) {
	snw_scene below;
	snw_scene_below_bake(scene, arena, &below);
	const snw_bake_request *request = baked->request;
	const snw_bake_record record = {.budget = snw_budget_text(&request->budget, arena),
									.engine = request->engine ? request->engine->name : NULL,
									.method = request->method,
									.names_clips = request->names_clips};
	/* The clip of the bake is not in the project; its poses are those of the project's clips. */
	const char *samples = snw_bake_record_write(&below, request->clip_count, request->clips, &record, arena);
	for (uint32_t i = 0; i < variant->outcome_count; i++) {
		snw_layer *layer = &layers[after->layer_count++];
		*layer = variant->outcomes[i].layer;
		layer->samples = samples;
		layer->model = after->model_count;
		models[after->model_count++] = variant->outcomes[i].model;
	}
}

void snw_scene_after_bake(const snw_scene *scene, const snw_baked *baked, uint32_t index, snw_arena *arena, snw_scene *after) {
	const snw_bake_variant *variant = &baked->variants[index];
	const uint32_t first = snw_scene_first_baked(scene), place = first == SNW_NONE ? scene->layer_count : first;
	snw_layer *layers = SNW_NEW_ARRAY(arena, snw_layer, (size_t)scene->layer_count + variant->outcome_count);
	snw_saved_model *models = SNW_NEW_ARRAY(arena, snw_saved_model, (size_t)scene->model_count + variant->outcome_count);
	*after = *scene;
	after->layers = layers;
	after->layer_count = 0;
	after->models = models;
	for (uint32_t i = 0; i < scene->model_count; i++) {
		models[i] = scene->models[i];
	}
	for (uint32_t i = 0; i < place; i++) {
		layers[after->layer_count] = scene->layers[i];
		layers[after->layer_count++].muted = true;
	}
	append_variant(scene, baked, variant, arena, after, layers, models);
	for (uint32_t i = place; i < scene->layer_count; i++) {
		if (!snw_layer_is_baked(&scene->layers[i])) {
			layers[after->layer_count++] = scene->layers[i];
		}
	}
}
