/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bake/bake.h"

#include <math.h>
#include <stdio.h>

#include "bake/poses.h"
#include "bake/variants.h"
#include "base/plural.h"
#include "task/subtask.h"

void snw_bake_take_all_clips(const snw_scene *scene, snw_arena *arena, snw_bake_request *request) {
	uint32_t *clips = SNW_NEW_ARRAY(arena, uint32_t, scene->clip_count);
	request->clip_count = 0;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (scene->clips[c].track_count > 0) {
			clips[request->clip_count++] = c;
		}
	}
	request->clips = clips;
}

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
	return hypot(variant->errors.stack.erms, variant->lost_erms);
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

/* No variant is within the budget: what was reached. The first has the fewest influences, and neither morph targets nor joints made
 * for it, unless its method has some whatever it is asked for; proxies are counted only where they were asked for. */
static snw_status fail_over_budget(const snw_baking *b) {
	const snw_bake_request *request = b->request;
	const snw_bake_variant *least = &b->baked->variants[0];
	snw_error *error = b->error;
	if (least->joint_count > request->budget.joints) {
		return snw_fail(
			error, SNW_ERROR_LIMIT,
			"no skin of %u joints: %u joints move points; allow as many with joints=%u, or give the weights of some "
			"to others",
			request->budget.joints, least->joint_count, least->joint_count);
	}
	if (least->helper_count > request->budget.helpers) {
		const snw_deformer *method = snw_registry_find(b->registry, least->outcomes[0].model.deformer);
		return snw_fail(error, SNW_ERROR_LIMIT,
						"no skin of %u helper joints: '%s' moves points by %u joints of its own; allow them with helpers=%u",
						request->budget.helpers, method->descriptor->short_name, least->helper_count, least->helper_count);
	}
	if (least->morph_count > request->budget.morphs) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"no skin of %u morph targets: the character came with %u; allow them with morphs=%u",
						request->budget.morphs, least->morph_count, least->morph_count + request->budget.morphs);
	}
	return snw_fail(error, SNW_ERROR_LIMIT,
					"no skin of %.4g kB: the smallest takes %.4g kB, with an erms of %.4f; allow more bytes, or export fewer "
					"clips",
					(double)request->budget.bytes / 1000, (double)least->bytes / 1000, least->errors.stack.erms);
}

static void tell_poses(const snw_bake_poses *fitted, const snw_bake_poses *held_out, const snw_bake_poses *range,
					   snw_arena *arena, snw_baked *baked) {
	const char **names = SNW_NEW_ARRAY(arena, const char *, range->count);
	for (uint32_t i = 0; i < range->count; i++) {
		names[i] = range->list[i]->name;
	}
	baked->fitted_frames = fitted->frame_count;
	baked->fitted_shuffles = fitted->count - fitted->frame_count;
	baked->held_frames = held_out->frame_count;
	baked->held_shuffles = held_out->count - held_out->frame_count;
	baked->range_count = range->count;
	baked->range_names = names;
}

static snw_status run(const snw_baking *b) {
	snw_baked *baked = b->baked;
	snw_subtask first = {b->task, 0.1, 0.2}, then = {b->task, 0.2, 1};
	const snw_task measuring = snw_task_of_subtask(&first), fitting = snw_task_of_subtask(&then);
	snw_baking part = *b;
	part.task = &measuring;
	snw_status status = snw_bake_measure(&part, &b->scenes->source, b->request->method, &baked->source);
	status = snw_failed(status) ? status : snw_bake_measure(&part, b->scenes->plain, NULL, &baked->plain);
	part.task = &fitting;
	status = snw_failed(status) ? status : snw_bake_make_variants(&part);
	if (!snw_failed(status) && (baked->best = find_best(baked)) == SNW_NONE) {
		status = fail_over_budget(b);
	}
	return status;
}

/* A budget is of what an engine plays. One that names none is of what each plays, as an export is; that can have 8 influences all the
 * same. */
static snw_status check_engine(const snw_bake_request *request, snw_error *error) {
	const snw_budget *budget = &request->budget;
	const snw_engine *engine = request->engine ? request->engine : snw_engine_any();
	const struct {
		const char *key;
		uint32_t budget, plays;
	} limits[] = {{"joints", budget->joints, engine->joints},
				  {"morphs", budget->morphs, engine->targets},
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

snw_status snw_bake_run(const snw_scene *scene, const snw_registry *registry, const snw_bake_request *request,
						const snw_task *task, snw_arena *arena, snw_baked *baked, snw_error *error) {
	*baked = (snw_baked){.mesh = snw_scene_largest_mesh(scene), .clip_count = request->clip_count, .clips = request->clips};
	if (baked->mesh == SNW_NONE || scene->skeleton.joint_count == 0 || !scene->meshes[baked->mesh].influence_offsets) {
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
	snw_bake_poses fitted, held_out, range;
	snw_bake_scenes scenes;
	snw_subtask posing = {task, 0, 0.1};
	const snw_task poses = snw_task_of_subtask(&posing);
	snw_status status = check_engine(request, error);
	status = snw_failed(status)
				 ? status
				 : snw_bake_poses_choose(scene, request->clip_count, request->clips, arena, &fitted, &held_out, error);
	snw_bake_range_of_motion(scene, arena, &range);
	status = snw_failed(status) ? status
								: snw_bake_scenes_make(scene, registry, request->method, &fitted, &held_out, &range, &poses,
													   arena, &scenes, error);
	if (!snw_failed(status)) {
		const snw_baking b = {scene, registry, request, &scenes, task, arena, baked, error};
		tell_poses(&fitted, &held_out, &range, arena, baked);
		status = run(&b);
		snw_bake_scenes_free(&scenes);
	}
	return status;
}
