/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a whole project with its stacks.
 */
#include "window/document/document.h"

#include <string.h>

#include "bake/bake.h"
#include "file/file.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "isolation/isolated_deformer.h"
#include "lod/lod.h"
#include "scene/scene.h"
#include "stack/stack.h"

/* ---- preview ------------------------------------------------------------------------------------------------------------- */

/* What is shown without being stored in the project: one example alone, by a corrective that is fitted from it; a parameter
 * that is being dragged; a skin of a bake; and the stack without the layers that have failed. */

static uint32_t example_of(const snw_scene *scene, int64_t id) {
	uint32_t i = 0;
	while (i < scene->example_count && scene->examples[i].id != id) {
		i++;
	}
	return i < scene->example_count ? i : SNW_NONE;
}

/* Mutes every other example. */
static void mute_others(snw_scene *scene, uint32_t example) {
	snw_example *examples = snw_arena_copy(scene->arena, scene->examples, scene->example_count * sizeof *examples);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		examples[i].muted = i != example;
	}
	scene->examples = examples;
}

static bool is_left_out(const snw_preview *preview, int64_t layer) {
	bool found = false;
	for (int i = 0; i < SNW_LEFT_OUT_MOST && layer; i++) {
		found = found || preview->left_out[i] == layer;
	}
	return found;
}

bool snw_preview_leave_out(snw_preview *preview, int64_t layer) {
	bool is_done = is_left_out(preview, layer);
	for (int i = 0; i < SNW_LEFT_OUT_MOST && !is_done; i++) {
		is_done = !preview->left_out[i];
		preview->left_out[i] = is_done ? layer : preview->left_out[i];
	}
	return is_done;
}

void snw_preview_include(snw_preview *preview, int64_t layer) {
	for (int i = 0; i < SNW_LEFT_OUT_MOST; i++) {
		preview->left_out[i] = preview->left_out[i] == layer ? 0 : preview->left_out[i];
	}
}

/* Finds the layers that are left out; false if there are none. */
static bool list_left_out(const snw_preview *preview, const snw_scene *scene, bool *left_out) {
	bool any = false;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		left_out[i] = preview && !scene->layers[i].muted && is_left_out(preview, scene->layers[i].id);
		any = any || left_out[i];
	}
	return any;
}

static void mute_left_out(snw_scene *scene, const bool *left_out) {
	snw_layer *layers = snw_arena_copy(scene->arena, scene->layers, scene->layer_count * sizeof *layers);
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		layers[i].muted = layers[i].muted || left_out[i];
	}
	scene->layers = layers;
}

/* Gives the layer the setting that is being dragged. */
static void try_setting(snw_scene *scene, const snw_preview *preview) {
	snw_layer *layers = snw_arena_copy(scene->arena, scene->layers, scene->layer_count * sizeof *layers);
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		snw_layer *layer = &layers[i];
		if (layer->id != preview->layer) {
			continue;
		}
		snw_setting *settings = SNW_NEW_ARRAY(scene->arena, snw_setting, layer->setting_count + 1u);
		uint32_t count = 0;
		for (uint32_t s = 0; s < layer->setting_count; s++) {
			if (strcmp(layer->settings[s].key, preview->key) != 0) {
				settings[count++] = layer->settings[s];
			}
		}
		settings[count++] = (snw_setting){snw_arena_text(scene->arena, preview->key), preview->value};
		layer->settings = settings;
		layer->setting_count = count;
	}
	scene->layers = layers;
}

/* Fits the layer from the examples that are not muted. */
static snw_status fit(const snw_scene *scene, const snw_registry *registry, const snw_task *task, snw_scene **fitted,
					  snw_error *error) {
	const uint32_t layer = snw_reference_layer(scene, registry);
	if (layer == SNW_NONE || scene->layers[layer].model == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "nothing has been fitted from the examples yet");
	}
	const snw_fit_request options = {
		.method = scene->layers[layer].deformer, .layer = scene->layers[layer].name, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_status status = snw_fit_run(scene, registry, &options, task, &outcome, error);
	status = snw_failed(status) ? status : snw_fit_apply(scene, &outcome, fitted, error);
	snw_arena_destroy(outcome.arena);
	return status;
}

/* Replaces `*scene` by the previewed scene. */
static snw_status make(snw_scene **scene, const snw_preview *preview, uint32_t solo, const snw_registry *registry,
					   const snw_task *task, snw_error *error) {
	snw_scene *fitted = NULL;
	if (preview->layer) {
		try_setting(*scene, preview);
	}
	if (solo == SNW_NONE) {
		return SNW_OK;
	}
	mute_others(*scene, solo);
	const snw_status status = fit(*scene, registry, task, &fitted, error);
	if (fitted) {
		snw_scene_destroy(*scene);
		*scene = fitted;
	}
	return status;
}

/* Whether the skin was baked from the project as it is. */
static bool shows_bake(const snw_document *document, const snw_preview *preview) {
	const snw_shown_bake *bake = preview ? preview->bake : NULL;
	return bake && document->path && strcmp(bake->path, document->path) == 0 && bake->change == document->change;
}

static snw_scene *copy_baked(const snw_document *document, const snw_preview *preview) {
	snw_arena *scratch = snw_arena_create();
	snw_scene after;
	snw_scene_after_bake(document->scene, &preview->bake->baked, preview->variant, scratch, &after);
	snw_scene *copy = snw_scene_copy(&after);
	snw_arena_destroy(scratch);
	return copy;
}

/* Gives the document's first method the stack of the previewed scene. */
static bool show(snw_document *document, const snw_preview *preview, uint32_t solo, const snw_registry *registry,
				 const snw_task *task, snw_error *error) {
	const snw_stack_options options = {0};
	const bool is_baked = shows_bake(document, preview);
	snw_scene *scene = is_baked ? copy_baked(document, preview) : snw_scene_copy(document->scene);
	snw_stack_owner *stacks = NULL;
	const snw_stack *stack = NULL;
	snw_status status = SNW_OK;
	if (!is_baked) {
		mute_left_out(scene, document->left_out);
		status = make(&scene, preview, solo, registry, task, error);
	}
	if (!snw_failed(status)) {
		stacks = snw_stack_owner_create(scene, registry);
		status = snw_stack_borrow(scene, registry, &options, task, &stack, error);
	}
	if (snw_failed(status)) {
		snw_stack_owner_destroy(stacks);
		snw_scene_destroy(scene);
		return false;
	}
	snw_stack_make_bounds(stack);
	document->methods[0].stack = stack;
	document->shown = scene;
	document->shown_stacks = stacks;
	document->solo = is_baked ? SNW_NONE : solo;
	document->variant = is_baked ? preview->variant : SNW_NONE;
	return true;
}

/* While loading: builds the first method's stack for the preview; if that fails, without the example or the parameter that
 * is tried, but never with a layer that is left out. Returns false if the project's own stack is to be built. */
static bool document_apply_preview(snw_document *document, const snw_preview *preview, const snw_registry *registry,
								   const snw_task *task, snw_error *error) {
	const uint32_t solo = preview && preview->solo ? example_of(document->scene, preview->solo) : SNW_NONE;
	bool *left_out = SNW_NEW_ARRAY(document->arena, bool, document->scene->layer_count);
	const bool leaves_out = list_left_out(preview, document->scene, left_out);
	const bool tries = solo != SNW_NONE || (preview && preview->layer) || shows_bake(document, preview);
	document->left_out = left_out;
	if (!tries && !leaves_out) {
		return false;
	}
	if (show(document, preview, solo, registry, task, error) || !leaves_out) {
		return document->shown != NULL;
	}
	if (tries) { /* the layers that have failed are left out all the same */
		const snw_preview rest = {0};
		(void)show(document, &rest, SNW_NONE, registry, task, NULL);
	}
	return true;
}

/* ---- methods ------------------------------------------------------------------------------------------------------------- */

static void add_method(snw_document *document, const char *name, const char *method) {
	document->methods[document->method_count++] = (snw_method){.name = name, .method = method};
}

/* First the whole stack, then the stack up to each layer, then methods that bind to any character. */
static void list_methods(snw_document *document, const snw_registry *registry) {
	const snw_scene *scene = document->scene;
	const uint32_t plugins = snw_registry_count(registry);
	document->methods = SNW_NEW_ARRAY(document->arena, snw_method, 2 + scene->layer_count + plugins);
	add_method(document, "All layers", NULL);
	for (uint32_t i = 0; i + 1 < scene->layer_count; i++) {
		char words[200];
		const char *title = snw_layer_title(registry, &scene->layers[i], words, sizeof words);
		add_method(document, snw_arena_format(document->arena, "Up to %s", title), scene->layers[i].name);
	}
	for (uint32_t i = 0; i < plugins; i++) {
		const snw_plugin_info *info = snw_registry_get(registry, i);
		const snw_descriptor *descriptor = info->deformer ? info->deformer->descriptor : NULL;
		bool known = !descriptor || !(descriptor->traits & SNW_BINDS);
		for (uint32_t l = 0; !known && l < scene->layer_count; l++) {
			known = strcmp(scene->layers[l].deformer, descriptor->id) == 0;
		}
		if (!known) {
			add_method(document, descriptor->name, descriptor->short_name);
		}
	}
}

static snw_status build(const snw_document *document, snw_method *method, const snw_registry *registry, const snw_task *task,
						snw_error *error) {
	const snw_stack_options options = {.method = method->method};
	const snw_status status = snw_stack_borrow(document->scene, registry, &options, task, &method->stack, error);
	if (!snw_failed(status)) {
		snw_stack_make_bounds(method->stack);
	}
	return status;
}

/* Switching between before and after must be immediate, so both stacks are built at once. Without a skin there is no
 * baseline. */
static void find_baseline(snw_document *document, const snw_registry *registry, const snw_task *task) {
	const char *baseline = snw_registry_trait_name(registry, SNW_BASELINE);
	document->baseline = SNW_NONE;
	for (uint32_t i = 0; baseline && i < document->method_count; i++) {
		const snw_method *method = &document->methods[i];
		if (method->method && strcmp(method->method, baseline) == 0) {
			document->baseline = i;
		}
	}
	if (baseline && document->baseline == SNW_NONE) {
		document->baseline = document->method_count;
		add_method(document, snw_method_title(registry, baseline), baseline);
	}
	if (document->baseline != SNW_NONE &&
		snw_failed(build(document, &document->methods[document->baseline], registry, task, NULL))) {
		document->baseline = SNW_NONE;
	}
}

/* The names of the fields over the mesh or over frames, each once; two meshes may have fields of the same name. */
static const char **list_fields(const snw_document *document, bool over_frames, uint32_t *count) {
	const snw_scene *scene = document->scene;
	const char **names = SNW_NEW_ARRAY(document->arena, const char *, scene->field_count);
	*count = 0;
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		const bool over_mesh = field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES;
		bool known = !(over_frames ? field->domain == SNW_DOMAIN_FRAMES : over_mesh);
		for (uint32_t k = 0; k < *count && !known; k++) {
			known = strcmp(names[k], field->name) == 0;
		}
		if (!known) {
			names[(*count)++] = field->name;
		}
	}
	return names;
}

static void find_stale(snw_document *document, const snw_registry *registry) {
	const snw_scene *scene = document->scene;
	document->stale = SNW_NEW_ARRAY(document->arena, const char *, scene->layer_count);
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const uint32_t stale = snw_layer_stale(scene, registry, i);
		document->stale[i] = stale ? snw_stale_words(stale, document->arena) : NULL;
	}
	bool *are_stale = SNW_NEW_ARRAY(document->arena, bool, scene->level_count);
	for (uint32_t i = 0; i < scene->level_count; i++) {
		are_stale[i] = snw_level_is_stale(scene, registry, &scene->levels[i]);
	}
	document->level_is_stale = are_stale;
}

/* ---- history ------------------------------------------------------------------------------------------------------------- */

static snw_status read_history(snw_document *document, snw_project *project, snw_error *error) {
	const snw_status status = snw_project_history(project, document->arena, &document->entries, &document->entry_count, error);
	for (uint32_t i = 0; !snw_failed(status) && i < document->entry_count; i++) {
		const snw_history_entry *entry = &document->entries[i];
		if (!entry->undone) {
			document->undo = i > 0 ? entry->label : NULL;
			document->change = entry->id;
			document->changes = entry->checkpoint || i == 0 ? 0 : document->changes + 1;
			document->was_saved = document->was_saved || entry->checkpoint;
			document->is_saved = document->changes == 0;
		} else if (!document->redo) {
			document->redo = entry->label;
		}
	}
	return status;
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static const char *title_of(snw_arena *arena, const char *path) {
	char *name = snw_arena_text(arena, snw_path_name(path));
	char *dot = strrchr(name, '.');
	if (dot && dot != name) {
		*dot = '\0';
	}
	return name;
}

/* The layer of the first fault of a plug-in from `first` on; SNW_NONE if there is none. */
static uint32_t find_fault(const snw_scene *scene, uint32_t first, snw_plugin_fault *fault) {
	uint32_t layer = SNW_NONE;
	for (uint32_t i = first; i < snw_plugin_fault_count() && layer == SNW_NONE; i++) {
		*fault = snw_plugin_fault_at(i);
		layer = fault->costs_layer ? snw_scene_find_layer(scene, fault->layer) : SNW_NONE;
	}
	return layer;
}

/* Builds the stack that is shown first, without the layers whose plug-ins end meanwhile. */
static void build_shown(snw_document *document, snw_preview *preview, const snw_registry *registry, const snw_task *task,
						snw_error *caveat) {
	snw_plugin_fault fault = {.layer = ""};
	for (bool is_left_out = true; is_left_out;) {
		const uint32_t faults = snw_plugin_fault_count();
		if (!document_apply_preview(document, preview, registry, task, caveat)) {
			(void)build(document, &document->methods[0], registry, task, caveat);
		}
		snw_plugin_fault found;
		const uint32_t layer = document->methods[0].stack ? SNW_NONE : find_fault(document->scene, faults, &found);
		is_left_out = preview && layer != SNW_NONE && snw_preview_leave_out(preview, document->scene->layers[layer].id);
		fault = is_left_out ? found : fault;
	}
	if (fault.layer[0]) {
		snw_fail(caveat, SNW_ERROR_CRASH,
				 "Layer '%s' %s. This window leaves it out until you change it, or press Unmute in the Stack tab.", fault.layer,
				 fault.problem);
	}
}

snw_status snw_document_load(snw_project *project, const char *path, snw_preview *preview, const snw_registry *registry,
							 const snw_task *task, snw_document **document, snw_error *caveat, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_document *made = SNW_NEW(arena, snw_document);
	*made = (snw_document){
		.arena = arena, .baseline = SNW_NONE, .solo = SNW_NONE, .variant = SNW_NONE, .title = "Sinew", .is_saved = true};
	snw_status status = SNW_OK;
	if (project) {
		made->path = snw_arena_text(arena, path);
		made->title = title_of(arena, path);
		status = snw_project_scene(project, &made->scene, error);
	} else {
		made->scene = snw_scene_create();
	}
	if (!snw_failed(status)) {
		made->size = snw_scene_diagonal(made->scene, SNW_NONE);
		find_stale(made, registry);
		list_methods(made, registry);
		made->fields = list_fields(made, false, &made->field_count);
		made->plots = list_fields(made, true, &made->plot_count);
		status = project ? read_history(made, project, error) : SNW_OK;
	}
	if (snw_failed(status)) {
		snw_document_destroy(made);
		return status;
	}
	if (project) {
		made->stacks = snw_stack_owner_create(made->scene, registry);
		build_shown(made, preview, registry, task, caveat);
		find_baseline(made, registry, task);
	}
	*document = made;
	return SNW_OK;
}

void snw_document_destroy(snw_document *document) {
	if (document) {
		snw_stack_owner_destroy(document->shown_stacks);
		snw_stack_owner_destroy(document->stacks);
		snw_gpu_scene_data_destroy(document->gpu_data);
		snw_scene_destroy(document->shown);
		snw_scene_destroy(document->scene);
		snw_arena_destroy(document->arena);
	}
}

/* ---- comparison ---------------------------------------------------------------------------------------------------------- */

static bool same_data(const void *one, const void *other, size_t bytes) {
	return (!one && !other) || (one && other && memcmp(one, other, bytes) == 0);
}

static bool same_mesh(const snw_mesh *a, const snw_mesh *b) {
	if (a->id != b->id || a->point_count != b->point_count || a->face_count != b->face_count ||
		!same_data(a->face_offsets, b->face_offsets, ((size_t)a->face_count + 1) * sizeof *a->face_offsets)) {
		return false;
	}
	const size_t corners = a->face_offsets[a->face_count], points = a->point_count;
	return same_data(a->points_rest, b->points_rest, 3 * points * sizeof(double)) &&
		   same_data(a->face_points, b->face_points, corners * sizeof *a->face_points) &&
		   same_data(a->face_materials, b->face_materials, a->face_count * sizeof *a->face_materials) &&
		   same_data(a->corner_uvs, b->corner_uvs, 2 * corners * sizeof(float)) &&
		   same_data(a->corner_normals, b->corner_normals, 3 * corners * sizeof(float)) &&
		   same_data(a->corner_colors, b->corner_colors, 4 * corners * sizeof(float));
}

static bool same_shape(const snw_scene *a, const snw_scene *b) {
	bool alike = a->mesh_count == b->mesh_count && a->material_count == b->material_count && a->image_count == b->image_count;
	for (uint32_t i = 0; alike && i < a->mesh_count; i++) {
		alike = same_mesh(&a->meshes[i], &b->meshes[i]);
	}
	for (uint32_t i = 0; alike && i < a->material_count; i++) {
		alike = a->materials[i].base_color_image == b->materials[i].base_color_image &&
				a->materials[i].metallic_roughness_image == b->materials[i].metallic_roughness_image &&
				a->materials[i].alpha == b->materials[i].alpha;
	}
	for (uint32_t i = 0; alike && i < a->image_count; i++) {
		const size_t bytes = a->images[i].byte_count;
		alike = bytes == b->images[i].byte_count && same_data(a->images[i].bytes, b->images[i].bytes, bytes);
	}
	return alike;
}

void snw_document_prepare(snw_document *document, const snw_document *previous, uint32_t level) {
	document->follows = previous->path && same_shape(previous->scene, document->scene);
	if (!document->follows) {
		document->gpu_data = snw_gpu_scene_data_create(document->scene, level);
	}
}

bool snw_document_same_counts(const snw_document *one, const snw_document *other) {
	const snw_scene *a = one->scene, *b = other->scene;
	bool alike = one->path && other->path && strcmp(one->path, other->path) == 0 && a->mesh_count == b->mesh_count &&
				 a->skeleton.joint_count == b->skeleton.joint_count && a->channel_count == b->channel_count;
	for (uint32_t i = 0; alike && i < a->mesh_count; i++) {
		alike = a->meshes[i].id == b->meshes[i].id && a->meshes[i].point_count == b->meshes[i].point_count;
	}
	return alike;
}
