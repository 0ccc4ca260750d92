/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "subdivision/subdivide.h"

#include <string.h>

#include "fit/fit.h"
#include "fit/sculpt_reference.h"
#include "fit/stale.h"
#include "fit/transfer_model.h"
#include "scene/copy.h"
#include "subdivision/refined_scene.h"

typedef struct subdividing {
	const snw_scene *scene; /* with the unedited points of examples in place */
	const snw_registry *registry;
	const snw_task *task;
	snw_arena *arena;
	snw_stack *stack;          /* up to the base */
	const snw_deformer *taker; /* of the rows */
	snw_subdivided *made;
	snw_error *error;
} subdividing;

/* ---- the base blend ------------------------------------------------------------------------------------------------------ */

/* Whether the base's points are no rows over joints: a black box, a palette of its own, or dual quaternions. */
static bool is_base_without_rows(const subdividing *s, uint32_t mesh) {
	const uint32_t count = snw_stack_segment_count(s->stack, mesh);
	if (count == 0) {
		return false;
	}
	const snw_segment_info base = snw_stack_segment(s->stack, mesh, count - 1);
	const bool blends = base.program && base.program->blend != SNW_BLEND_NONE;
	return !base.is_program || (blends && (base.has_palette || base.program->blend == SNW_BLEND_DUAL_QUATERNION));
}

static snw_status check_segments(const subdividing *s, uint32_t mesh) {
	const uint32_t count = snw_stack_segment_count(s->stack, mesh);
	return count > 1 ? snw_fail(s->error, SNW_ERROR_UNSUPPORTED,
								"mesh '%s' has a black box below layer '%s', whose points no rows can follow; mute what is "
								"below that layer",
								s->scene->meshes[mesh].name, s->scene->layers[s->made->base].name)
					 : SNW_OK;
}

static snw_status find_base(subdividing *s) {
	snw_stack *whole = NULL;
	snw_status status = snw_stack_build(s->scene, s->registry, NULL, s->task, &whole, s->error);
	if (snw_failed(status)) {
		return status;
	}
	const char *name = snw_stack_base_blend(whole);
	s->made->base = name ? snw_scene_find_layer(s->scene, name) : SNW_NONE;
	snw_stack_destroy(whole);
	if (s->made->base == SNW_NONE) {
		return snw_fail(s->error, SNW_ERROR_MISSING, "no layer of the stack blends joints; add one with 'stack add %s'",
						snw_registry_trait_name(s->registry, SNW_BASELINE));
	}
	const snw_stack_options options = {.only_below = true, .below_layer = s->made->base + 1};
	status = snw_stack_build(s->scene, s->registry, &options, s->task, &s->stack, s->error);
	for (uint32_t m = 0; !snw_failed(status) && m < s->scene->mesh_count; m++) {
		s->made->keeps_base = s->made->keeps_base || is_base_without_rows(s, m);
	}
	for (uint32_t m = 0; !snw_failed(status) && !s->made->keeps_base && m < s->scene->mesh_count; m++) {
		status = check_segments(s, m);
	}
	return status;
}

/* ---- refining ------------------------------------------------------------------------------------------------------------ */

snw_status snw_refinements_make(const snw_scene *scene, snw_subdivision_scheme scheme, uint32_t levels, const snw_task *task,
								snw_refinement *refinements, snw_error *error) {
	snw_status status = SNW_OK;
	uint32_t refined = 0;
	for (uint32_t m = 0; !snw_failed(status) && m < scene->mesh_count; m++) {
		if (!snw_task_progress(task, (double)m / scene->mesh_count, "subdividing")) {
			return snw_fail(error, SNW_CANCELLED, "subdividing was cancelled");
		}
		if (scene->meshes[m].face_count > 0) {
			status = snw_refinement_make(&scene->meshes[m], scheme, levels, &refinements[m], error);
			refined++;
		}
	}
	return snw_failed(status) || refined > 0
			   ? status
			   : snw_fail(error, SNW_ERROR_MISSING, "no mesh of the project has faces to subdivide");
}

void snw_refinements_free(snw_refinement *refinements, uint32_t count) {
	for (uint32_t m = 0; m < count; m++) {
		snw_refinement_free(&refinements[m]);
	}
}

static snw_status refine(const subdividing *s, snw_subdivision_scheme scheme, uint32_t levels) {
	snw_subdivided *made = s->made;
	const snw_status status = snw_refinements_make(s->scene, scheme, levels, s->task, made->refinements, s->error);
	for (uint32_t m = 0; !snw_failed(status) && m < s->scene->mesh_count; m++) {
		made->has_custom_normals =
			made->has_custom_normals || (made->refinements[m].face_count > 0 && s->scene->meshes[m].corner_normals);
	}
	return snw_failed(status) ? status
							  : snw_refined_scene(s->scene, made->refinements, s->task, s->arena, &made->scene, s->error);
}

/* ---- the skin as rows ---------------------------------------------------------------------------------------------------- */

/* The rows of a mesh's program, as they are or through the stencils. */
static snw_status make_rows(const subdividing *s, uint32_t mesh, snw_rows_view *view) {
	*view = (snw_rows_view){.size = sizeof *view};
	snw_status status = SNW_OK;
	const snw_program *program = snw_subdivision_program(s->stack, mesh);
	if (program) {
		snw_influences rows = snw_program_rows(program, s->arena);
		if (s->made->refinements[mesh].face_count > 0) {
			const snw_influences coarse = rows;
			status = snw_refined_influences(&s->made->refinements[mesh].points, &coarse, program->slot_count, 4, s->task,
											s->arena, &rows, s->error);
		}
		view->influence_offsets = rows.offsets;
		view->influence_slots = rows.slots;
		view->influence_rows = rows.values;
	}
	return status;
}

/* Whether a layer's model is of the old mesh, and no one fits it again. */
static bool is_of_old_mesh(const subdividing *s, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(s->registry, layer->deformer);
	return layer->model != SNW_NONE && (!deformer || !(deformer->descriptor->traits & SNW_REFITS));
}

/* The layers that may stay, with room for a new one directly above a base that binds, otherwise in its place; without where the
 * base is kept. */
static snw_layer *list_layers(subdividing *s) {
	snw_subdivided *made = s->made;
	snw_layer *layers = SNW_NEW_ARRAY(s->arena, snw_layer, (size_t)s->scene->layer_count + 1);
	uint32_t count = 0;
	for (uint32_t i = 0; i < s->scene->layer_count; i++) {
		const bool is_replaced = i == made->base && !made->keeps_base;
		made->removed[i] = is_replaced && is_of_old_mesh(s, &s->scene->layers[i]);
		if (!made->removed[i]) {
			layers[count] = s->scene->layers[i];
			layers[count++].muted |= is_replaced;
		}
		if (is_replaced) {
			made->position = (int32_t)count++;
		}
	}
	made->scene.layers = layers;
	made->scene.layer_count = count;
	return layers;
}

/* The new layer; it keeps the name and the settings of a base of its method. */
static void place_layer(subdividing *s) {
	snw_subdivided *made = s->made;
	const snw_layer *base = &s->scene->layers[made->base];
	snw_layer *layers = list_layers(s);
	layers[made->position].name = ""; /* free for now */
	if (strcmp(base->deformer, s->taker->descriptor->id) == 0) {
		made->layer = *base; /* with its name and settings */
	} else {
		const snw_descriptor *descriptor = s->taker->descriptor;
		made->layer = (snw_layer){
			.name = snw_scene_free_name(&made->scene, snw_scene_find_layer, descriptor->short_name, s->arena),
			.deformer = descriptor->id,
			.deformer_version = descriptor->version,
		};
	}
	made->layer.id = 0;
	made->layer.model = SNW_NONE;
	layers[made->position] = made->layer;
}

/* The first method that makes a model of rows; NULL if there is none. */
static const snw_deformer *find_taker(const snw_registry *registry) {
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (deformer && deformer->reskin) {
			return deformer;
		}
	}
	return NULL;
}

/* The model that has the rows, made by the method that takes them. Nothing else of the project is read. */
static snw_status make_model(subdividing *s) {
	const uint32_t meshes = s->scene->mesh_count;
	snw_rows_view *views = SNW_NEW_ARRAY(s->arena, snw_rows_view, meshes);
	const snw_rows_view **rows = SNW_NEW_ARRAY(s->arena, const snw_rows_view *, meshes);
	for (uint32_t m = 0; m < meshes; m++) {
		const snw_status made = make_rows(s, m, &views[m]);
		if (snw_failed(made)) {
			return made;
		}
		rows[m] = &views[m];
	}
	snw_scene bare = s->made->scene;
	bare.layer_count = bare.example_count = bare.group_count = bare.target_count = 0;
	const snw_fit_request request = {.method = s->taker->descriptor->id,
									 .layer = s->made->layer.name,
									 .setting_count = s->made->layer.setting_count,
									 .settings = s->made->layer.settings,
									 .left_out_example = SNW_NONE,
									 .rows = rows};
	snw_fit_outcome outcome = {.arena = s->arena};
	const snw_status status = snw_fit_run(&bare, s->registry, &request, s->task, &outcome, s->error);
	if (status != SNW_OK) {
		return snw_failed(status)
				   ? status
				   : snw_fail(s->error, SNW_ERROR_INTERNAL, "%s did not take the rows it was given", request.method);
	}
	uint64_t *reads = SNW_NEW_ARRAY(s->arena, uint64_t, SNW_READ_KINDS);
	snw_fit_reads(&s->made->scene, s->registry, s->taker, &s->made->layer, (uint32_t)s->made->position, false, reads);
	reads[SNW_READ_EXAMPLES] = reads[SNW_READ_GROUPS] = reads[SNW_READ_FRAMES] = 0;
	s->made->model = outcome.model;
	s->made->model.reads = reads;
	return SNW_OK;
}

/* ---- models that follow -------------------------------------------------------------------------------------------------- */

static const snw_stencils_view *const *view_stencils(const subdividing *s) {
	const uint32_t meshes = s->scene->mesh_count;
	snw_stencils_view *views = SNW_NEW_ARRAY(s->arena, snw_stencils_view, meshes);
	const snw_stencils_view **stencils = SNW_NEW_ARRAY(s->arena, const snw_stencils_view *, meshes);
	for (uint32_t m = 0; m < meshes; m++) {
		const snw_refinement *refinement = &s->made->refinements[m];
		views[m] = (snw_stencils_view){.size = sizeof *views, .source_count = s->scene->meshes[m].point_count};
		if (refinement->face_count > 0) {
			views[m].offsets = refinement->points.offsets;
			views[m].sources = refinement->points.indices;
			views[m].shares = refinement->points.weights;
		}
		stencils[m] = &views[m];
	}
	return stencils;
}

/* The models of the new stack, for what layers above them read: the original's, the new layer's, then those that follow. */
static snw_saved_model *list_models(subdividing *s) {
	snw_scene *scene = &s->made->scene;
	const uint32_t before = s->scene->model_count;
	snw_saved_model *models = SNW_NEW_ARRAY(s->arena, snw_saved_model, (size_t)before + 1 + s->scene->layer_count);
	for (uint32_t i = 0; i < before; i++) {
		models[i] = s->scene->models[i];
	}
	models[before] = s->made->model;
	scene->models = models;
	scene->model_count = before + 1;
	return models;
}

/* Whether layer `at` of the new stack, `index` of the original, stays: its model follows, or is none of the old mesh. */
static snw_status transfer_layer(subdividing *s, const snw_model_transfer *transfer, uint32_t index, uint32_t at, bool *stays) {
	snw_subdivided *made = s->made;
	const snw_layer *layer = &s->scene->layers[index];
	*stays = true;
	if (!is_of_old_mesh(s, layer)) {
		return SNW_OK;
	}
	snw_error why = {0};
	const snw_status status = snw_transfer_model(transfer, index, at, &made->models[index], &why);
	made->transferred[index] = status == SNW_OK;
	*stays = made->transferred[index];
	made->removed[index] = !*stays;
	return index == made->base && made->keeps_base && !*stays
			   ? snw_fail(s->error, SNW_ERROR_UNSUPPORTED, "%s; mute it, and unmute or add %s", why.text,
						  snw_registry_trait_name(s->registry, SNW_BASELINE))
			   : SNW_OK;
}

/* From the lowest layer on, so that each sees the models below it. */
static snw_status transfer_models(subdividing *s) {
	snw_subdivided *made = s->made;
	snw_scene *scene = &made->scene;
	snw_layer *layers = (snw_layer *)scene->layers;
	snw_saved_model *models = list_models(s);
	const snw_model_transfer transfer = {s->scene, scene, s->registry, view_stencils(s), s->task, s->arena};
	snw_status status = SNW_OK;
	uint32_t count = 0, from = 0;
	for (uint32_t i = 0; !snw_failed(status) && i < s->scene->layer_count; i++) {
		if (!made->removed[i]) {
			bool stays;
			layers[count] = layers[from++];
			status = transfer_layer(s, &transfer, i, count, &stays);
			if (made->transferred[i]) {
				layers[count].model = scene->model_count;
				models[scene->model_count++] = made->models[i];
			}
			count += stays;
		}
		if (i == made->base && !made->keeps_base) {
			made->position = (int32_t)count;
			layers[count] = layers[from++];
			layers[count++].model = s->scene->model_count;
		}
	}
	scene->layer_count = count;
	return status;
}

/* ---- all of it ----------------------------------------------------------------------------------------------------------- */

static snw_status subdivide(subdividing *s, snw_subdivision_scheme scheme, uint32_t levels) {
	snw_status status = find_base(s);
	status = snw_failed(status) ? status : refine(s, scheme, levels);
	if (snw_failed(status)) {
		return status;
	}
	if (s->made->keeps_base) {
		list_layers(s);
		return transfer_models(s);
	}
	s->taker = find_taker(s->registry);
	if (!s->taker) {
		return snw_fail(s->error, SNW_ERROR_MISSING,
						"no method that takes the rows of a skin is loaded; 'sinew plugins' shows why");
	}
	place_layer(s);
	status = make_model(s);
	status = snw_failed(status) ? status : transfer_models(s);
	return snw_failed(status)
			   ? status
			   : snw_subdivision_measure_naive(s->scene, s->stack, s->made->refinements, s->task, &s->made->naive, s->error);
}

snw_status snw_subdivide(const snw_scene *scene, const snw_registry *registry, snw_subdivision_scheme scheme, uint32_t levels,
						 const snw_task *task, snw_arena *arena, snw_subdivided *made, snw_error *error) {
	*made = (snw_subdivided){.original = snw_scene_copy(scene),
							 .removed = SNW_NEW_ARRAY(arena, bool, scene->layer_count),
							 .transferred = SNW_NEW_ARRAY(arena, bool, scene->layer_count),
							 .models = SNW_NEW_ARRAY(arena, snw_saved_model, scene->layer_count),
							 .refinements = SNW_NEW_ARRAY(arena, snw_refinement, scene->mesh_count)};
	subdividing s = {.scene = made->original, .registry = registry, .task = task, .arena = arena, .made = made, .error = error};
	snw_status status = snw_examples_place_unedited(made->original, registry, error);
	status = snw_failed(status) ? status : subdivide(&s, scheme, levels);
	snw_stack_destroy(s.stack);
	if (snw_failed(status)) {
		snw_subdivided_free(made);
	}
	return status;
}

void snw_subdivided_free(snw_subdivided *made) {
	snw_refinements_free(made->refinements, made->original->mesh_count);
	snw_scene_destroy(made->original);
}
