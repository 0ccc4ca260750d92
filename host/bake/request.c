/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a bake is asked for, and whether the project can be baked.
 */
#include <string.h>

#include "bake/bake.h"
#include "fit/baked_layers.h"
#include "fit/samples/pose_sets.h"
#include "fit/samples/samples.h"

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
