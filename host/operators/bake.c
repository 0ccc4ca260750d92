/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bakes: any stack as a skin that engines play, within a budget. Its layers go over the others, which are muted.
 */
#include "bake/bake.h"

#include <string.h>

#include "fit/stale.h"
#include "operators/arguments.h"

static const snw_argument bake_arguments[] = {
	{"budget", SNW_ARGUMENT_TEXT, "KEY=N,…",
	 "influences=N of a point (default: 4), joints=N that move points (255), helpers=N of these joints that are made for it "
	 "(0), proxies=N joints made for a mesh in place of the rig's (0), morphs=N morph targets of a mesh (0), bytes=N of the "
	 "glTF file, as 500k or 2M (any); without --budget: that of the bake before",
	 .flags = 0},
	{"for", SNW_ARGUMENT_CHOICE, "ENGINE",
	 "the engine whose file has to keep to the budget, or any (default: that of the bake before, otherwise any: the file that "
	 "all of them play)",
	 .choices = "any|" SNW_ENGINE_NAMES, .initial = SNW_NO_DEFAULT},
	{"clip", SNW_ARGUMENT_THING, "CLIP,…",
	 "a clip to fit to (default: those of the bake before, otherwise all that move joints)", .flags = SNW_ARGUMENT_MANY,
	 .noun = SNW_NOUN_CLIP},
	{"method", SNW_ARGUMENT_TEXT, "METHOD",
	 "which method or layer to bake (default: that of the bake before, otherwise 'stack', the whole stack)", .flags = 0},
	{"skin", SNW_ARGUMENT_TEXT, "NAME", "which skin of the table to keep (default: the best within the budget)", .flags = 0},
	{0},
};

/* ---- the request --------------------------------------------------------------------------------------------------------- */

static snw_status read_budget(const snw_operation *o, snw_budget *budget, snw_error *error) {
	const char *text = snw_operation_text(o, "budget");
	snw_error cause = {0};
	const snw_status status = text ? snw_budget_parse(text, budget, &cause) : SNW_OK;
	return snw_failed(status) ? snw_fail(error, status, "--budget %s", cause.text) : SNW_OK;
}

/* "any" stands against the engine of the bake before. */
static const snw_engine *chosen_engine(const snw_operation *o) {
	const char *name = snw_operation_text(o, "for");
	return !name ? NULL : strcmp(name, "any") == 0 ? snw_engine_any() : snw_engine_find(name);
}

static snw_status read_bake_request(const snw_operation *o, snw_bake_request *request, snw_error *error) {
	*request = (snw_bake_request){.engine = chosen_engine(o), .method = snw_operation_text(o, "method")};
	request->clips = snw_operation_things(o, "clip", &request->clip_count);
	request->names_clips = request->clip_count > 0;
	const snw_status status = read_budget(o, &request->budget, error);
	if (!snw_failed(status)) {
		snw_bake_request_complete(o->scene, o->arena, request);
	}
	return status;
}

/* About the layers that are baked, and those that lie over a bake: they stay, and neither its sizes nor its errors have
 * them. */
static void warn_about_layers(const snw_operation *o) {
	snw_scene below;
	snw_scene_below_bake(o->scene, o->arena, &below);
	for (uint32_t i = 0; i < below.layer_count; i++) {
		const uint32_t stale = below.layers[i].muted ? 0 : snw_layer_stale(o->scene, o->in->registry, i);
		if (stale != 0 && stale != SNW_STALE_UNKNOWN) {
			snw_report_warn(o->report, "layer %s was baked as it is, but %s since it was fitted; fit it and bake again",
							below.layers[i].name, snw_stale_words(stale, o->arena));
		}
	}
	for (uint32_t i = below.layer_count; i < o->scene->layer_count; i++) {
		const snw_layer *layer = &o->scene->layers[i];
		if (!snw_layer_is_baked(layer) && !layer->muted) {
			snw_report_warn(o->report, "layer %s lies over the bake: it stays there, and the sizes and errors are without it",
							layer->name);
		}
	}
}

/* ---- the skins ----------------------------------------------------------------------------------------------------------- */

static const char *skin_name(const snw_baked *baked, uint32_t index, snw_arena *arena) {
	char name[100];
	snw_bake_variant_name(&baked->variants[index], name, sizeof name);
	return snw_arena_text(arena, name);
}

static snw_status choose_skin(const snw_operation *o, snw_baked *baked, snw_error *error) {
	const char *wanted = snw_operation_text(o, "skin"), *names = "";
	for (uint32_t v = 0; wanted && v < baked->variant_count; v++) {
		const char *name = skin_name(baked, v, o->arena);
		if (strcmp(name, wanted) == 0) {
			baked->best = v;
			return SNW_OK;
		}
		names = snw_arena_format(o->arena, "%s%s'%s'", names, v ? ", " : "", name);
	}
	return wanted ? snw_fail(error, SNW_ERROR_ARGUMENT, "--skin %s: the bake has %s", wanted, names) : SNW_OK;
}

/* What the bake has read: the character, the poses of clips, and the layers below, which make the points of its frames. */
static uint64_t *find_reads(const snw_operation *o, const snw_scene *after, uint32_t index) {
	const snw_layer *layer = &after->layers[index];
	uint64_t *reads = SNW_NEW_ARRAY(o->arena, uint64_t, SNW_READ_KINDS);
	snw_fit_reads(after, o->in->registry, snw_registry_find(o->in->registry, layer->deformer), layer, index, true, reads);
	reads[SNW_READ_EXAMPLES] = reads[SNW_READ_GROUPS] = 0;
	return reads;
}

/* Of what it has read, nothing may have changed since, unless the user sees what is stale; what else has changed stays. */
static snw_status expect_unchanged(const snw_operation *o, const snw_scene *present, const snw_scene *after, snw_error *error) {
	snw_scene then;
	uint32_t changed = 0;
	if (snw_fit_place(present) != snw_fit_place(o->scene)) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"the character or its layers changed during the bake; nothing was written: bake again");
	}
	snw_scene_after_bake(o->scene, o->work->baked, o->work->baked->best, o->arena, &then);
	for (uint32_t i = 0; i < after->layer_count && !o->in->shows_stale; i++) {
		const bool is_baked = snw_layer_is_baked(&after->layers[i]);
		const uint64_t *present_reads = is_baked ? find_reads(o, after, i) : NULL,
					   *before = is_baked ? find_reads(o, &then, i) : NULL;
		for (uint32_t k = 0; k < SNW_READ_KINDS && is_baked; k++) {
			changed |= present_reads[k] != before[k] ? 1u << k : 0;
		}
	}
	return changed == 0 ? SNW_OK
						: snw_fail(error, SNW_ERROR_CONFLICT, "%s during the bake; nothing was written: bake again",
								   snw_stale_words(changed, o->arena));
}

/* One of the bake's, at its place. */
static snw_status put_baked(const snw_operation *o, const snw_scene *after, uint32_t index, snw_error *error) {
	snw_saved_model model = after->models[after->layers[index].model];
	int64_t id = 0;
	model.reads = find_reads(o, after, index);
	snw_report_made(o->report, SNW_NOUN_LAYER, after->layers[index].name);
	const snw_status status = snw_project_put_model(o->project, &model, &id, error);
	return snw_failed(status) ? status
							  : snw_project_put_layer(o->project, &after->layers[index], id, (int32_t)index, NULL, error);
}

/* The layers of the bake before, whose names may be those of the new ones. */
static snw_status remove_baked(const snw_operation *o, const snw_scene *present, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < present->layer_count && !snw_failed(status); i++) {
		if (snw_layer_is_baked(&present->layers[i])) {
			status = snw_project_remove(o->project, SNW_PROJECT_LAYER, present->layers[i].id, error);
		}
	}
	return status;
}

/* Its layers are stale when a layer below them, the mesh, its weights, the skeleton or one of the bake's clips has changed. */
static snw_status put_baked_layers(const snw_operation *o, const snw_scene *present, snw_error *error) {
	snw_scene after;
	snw_scene_after_bake(present, o->work->baked, o->work->baked->best, o->arena, &after);
	snw_status status = expect_unchanged(o, present, &after, error);
	status = snw_failed(status) ? status : remove_baked(o, present, error);
	for (uint32_t i = 0; i < after.layer_count && !snw_failed(status); i++) {
		const snw_layer *layer = &after.layers[i];
		const int64_t model = layer->model == SNW_NONE ? 0 : after.models[layer->model].id;
		if (snw_layer_is_baked(layer)) {
			status = put_baked(o, &after, i, error);
		} else if (layer->muted != present->layers[snw_scene_find_layer(present, layer->name)].muted) {
			status = snw_project_put_layer(o->project, layer, model, -1, NULL, error);
		}
	}
	return status;
}

static snw_status write_bake(snw_operation *o, snw_error *error) {
	const snw_baked *baked = o->work->baked;
	snw_scene *present = NULL;
	snw_status status = snw_project_scene(o->project, &present, error);
	status = snw_failed(status) ? status : put_baked_layers(o, present, error);
	snw_scene_destroy(present);
	snw_report_say(o->report, "baked a skin with %s; it plays in place of the other layers, which are muted",
				   skin_name(baked, baked->best, o->arena));
	return status;
}

static snw_status bake(snw_operation *o, snw_error *error) {
	snw_bake_request *request = SNW_NEW(o->arena, snw_bake_request);
	snw_baked *baked = SNW_NEW(o->arena, snw_baked);
	snw_status status = snw_bake_check(o->scene, error);
	status = snw_failed(status) ? status : read_bake_request(o, request, error);
	if (snw_failed(status)) {
		return status;
	}
	warn_about_layers(o);
	status = snw_bake_run(o->scene, o->in->registry, request, o->in->task, o->arena, baked, error);
	status = snw_failed(status) ? status : choose_skin(o, baked, error);
	if (!snw_failed(status)) {
		*o->work = (snw_operator_work){.write = write_bake,
									   .label = snw_arena_format(o->arena, "bake %s", skin_name(baked, baked->best, o->arena)),
									   .is_beside = true,
									   .baked = baked};
	}
	return status;
}

static const snw_operator bake_operators[] = {
	{"", "Bake for engines", "Bakes any stack into a skin that engines play, within a budget.", "bake",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_REFITS | SNW_OPERATOR_CURRENT, bake_arguments, bake},
	{0},
};

const snw_operator_noun snw_operators_bake = {
	"bake",
	"Bakes any stack into a skin that engines play, within a budget, and shows its error at held-out poses and joint by joint.",
	bake_operators};
