/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/subdivision/subdivide.h"

#include <string.h>

#include "edit/subdivision/subdivision_error.h"
#include "fit/fit.h"
#include "fit/sculpt_reference.h"
#include "fit/stale.h"
#include "scene/copy.h"
#include "subdivision/refined_scene.h"

typedef struct subdividing {
	snw_project *project;
	const snw_scene *scene; /* with the unedited points of examples in place */
	const snw_registry *registry;
	const snw_task *task;
	const char *label;
	snw_arena *arena;
	snw_refinement *refinements; /* [mesh_count] */
	uint32_t base;               /* the layer whose skin is subdivided */
	snw_stack *stack;            /* up to that layer */
	snw_scene refined;
	const snw_deformer *taker; /* of the rows */
	snw_layer layer;           /* the new one */
	int32_t position;          /* its place in the stack */
	snw_saved_model model;
	snw_subdivision_report *report;
	snw_error *error;
} subdividing;

/* ---- the base blend ------------------------------------------------------------------------------------------------------ */

static snw_status check_segments(const subdividing *s, uint32_t mesh) {
	const char *name = s->scene->layers[s->base].name;
	const uint32_t count = snw_stack_segment_count(s->stack, mesh);
	const snw_segment_info segment = count > 0 ? snw_stack_segment(s->stack, mesh, 0) : (snw_segment_info){.is_program = true};
	if (count > 1 || !segment.is_program) {
		return snw_fail(s->error, SNW_ERROR_UNSUPPORTED,
						"mesh '%s' has a black box below layer '%s', whose points no rows can follow; mute that layer",
						s->scene->meshes[mesh].name, name);
	}
	if (!segment.program || segment.program->blend == SNW_BLEND_NONE) {
		return SNW_OK;
	}
	if (segment.program->blend == SNW_BLEND_DUAL_QUATERNION || segment.has_palette) {
		return snw_fail(
			s->error, SNW_ERROR_UNSUPPORTED,
			"layer '%s' is no linear blend of the joints, so a subdivided skin cannot equal it; mute it, and unmute or "
			"add %s",
			name, snw_registry_trait_name(s->registry, SNW_BASELINE));
	}
	return SNW_OK;
}

static snw_status find_base(subdividing *s) {
	snw_stack *whole = NULL;
	snw_status status = snw_stack_build(s->scene, s->registry, NULL, s->task, &whole, s->error);
	if (snw_failed(status)) {
		return status;
	}
	const char *name = snw_stack_base_blend(whole);
	s->base = name ? snw_scene_find_layer(s->scene, name) : SNW_NONE;
	snw_stack_destroy(whole);
	if (s->base == SNW_NONE) {
		return snw_fail(s->error, SNW_ERROR_MISSING,
						"no layer of the stack blends joints; add one with 'sinew stack P.sinew add %s'",
						snw_registry_trait_name(s->registry, SNW_BASELINE));
	}
	const snw_stack_options options = {.only_below = true, .below_layer = s->base + 1};
	status = snw_stack_build(s->scene, s->registry, &options, s->task, &s->stack, s->error);
	for (uint32_t m = 0; !snw_failed(status) && m < s->scene->mesh_count; m++) {
		status = check_segments(s, m);
	}
	return status;
}

/* ---- refining ------------------------------------------------------------------------------------------------------------ */

static snw_status refine(subdividing *s, snw_subdivision_scheme scheme, uint32_t levels) {
	const snw_scene *scene = s->scene;
	snw_status status = SNW_OK;
	uint32_t refined = 0;
	for (uint32_t m = 0; !snw_failed(status) && m < scene->mesh_count; m++) {
		if (!snw_task_progress(s->task, (double)m / scene->mesh_count, "subdividing")) {
			return snw_fail(s->error, SNW_CANCELLED, "subdividing was cancelled");
		}
		if (scene->meshes[m].face_count > 0) {
			status = snw_refinement_make(&scene->meshes[m], scheme, levels, &s->refinements[m], s->error);
			refined++;
		}
	}
	if (!snw_failed(status) && refined == 0) {
		return snw_fail(s->error, SNW_ERROR_MISSING, "no mesh of the project has faces to subdivide");
	}
	return snw_failed(status) ? status : snw_refined_scene(scene, s->refinements, s->task, s->arena, &s->refined, s->error);
}

static void count_elements(const subdividing *s) {
	snw_subdivision_report *report = s->report;
	for (uint32_t m = 0; m < s->scene->mesh_count; m++) {
		report->points_before += s->scene->meshes[m].point_count;
		report->faces_before += s->scene->meshes[m].face_count;
		report->points += s->refined.meshes[m].point_count;
		report->faces += s->refined.meshes[m].face_count;
		report->has_custom_normals =
			report->has_custom_normals || (s->refinements[m].face_count > 0 && s->scene->meshes[m].corner_normals);
	}
}

/* ---- the skin as rows ---------------------------------------------------------------------------------------------------- */

/* The rows of a mesh's program, as they are or through the stencils. */
static snw_status make_rows(const subdividing *s, uint32_t mesh, snw_rows_view *view) {
	*view = (snw_rows_view){.size = sizeof *view};
	snw_status status = SNW_OK;
	const snw_program *program = subdivision_program(s->stack, mesh);
	if (program) {
		snw_influences rows = snw_program_rows(program, s->arena);
		if (s->refinements[mesh].face_count > 0) {
			const snw_influences coarse = rows;
			status = snw_refined_influences(&s->refinements[mesh].points, &coarse, program->slot_count, 4, s->task, s->arena,
											&rows, s->error);
		}
		view->influence_offsets = rows.offsets;
		view->influence_slots = rows.slots;
		view->influence_rows = rows.values;
	}
	return status;
}

/* A layer whose model is of the old mesh, and that no one fits again. */
static bool has_to_go(const subdividing *s, uint32_t index) {
	const snw_layer *layer = &s->scene->layers[index];
	const snw_deformer *deformer = snw_registry_find(s->registry, layer->deformer);
	return layer->model != SNW_NONE && (!deformer || !(deformer->descriptor->traits & SNW_REFITS));
}

/* The new layer directly above a base that binds, otherwise in its place. */
static void place_layer(subdividing *s) {
	const snw_layer *base = &s->scene->layers[s->base];
	const bool keeps_base = base->model == SNW_NONE;
	snw_layer *layers = SNW_NEW_ARRAY(s->arena, snw_layer, (size_t)s->scene->layer_count + 1);
	uint32_t count = 0;
	for (uint32_t i = 0; i < s->scene->layer_count; i++) {
		if (!has_to_go(s, i)) {
			layers[count++] = s->scene->layers[i];
		}
		if (i == s->base) {
			if (keeps_base) {
				layers[count - 1].muted = true;
			}
			s->position = (int32_t)count++;
		}
	}
	s->refined.layers = layers;
	s->refined.layer_count = count;
	layers[s->position].name = ""; /* free for now */
	if (strcmp(base->deformer, s->taker->descriptor->id) == 0) {
		s->layer = *base; /* with its name and settings */
	} else {
		const snw_descriptor *descriptor = s->taker->descriptor;
		s->layer = (snw_layer){
			.name = snw_scene_free_name(&s->refined, snw_scene_find_layer, descriptor->short_name, s->arena),
			.deformer = descriptor->id,
			.deformer_version = descriptor->version,
		};
	}
	s->layer.id = 0;
	s->layer.model = SNW_NONE;
	layers[s->position] = s->layer;
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
	snw_scene bare = s->refined;
	bare.layer_count = bare.example_count = bare.group_count = bare.target_count = 0;
	const snw_fit_request request = {.method = s->taker->descriptor->id,
									 .layer = s->layer.name,
									 .setting_count = s->layer.setting_count,
									 .settings = s->layer.settings,
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
	snw_fit_reads(&s->refined, s->registry, s->taker, &s->layer, (uint32_t)s->position, false, reads);
	reads[SNW_READ_EXAMPLES] = reads[SNW_READ_GROUPS] = reads[SNW_READ_FRAMES] = 0;
	s->model = outcome.model;
	s->model.reads = reads;
	return SNW_OK;
}

/* ---- the step ------------------------------------------------------------------------------------------------------------ */

static snw_status put_points(const subdividing *s) {
	const snw_scene *scene = &s->refined;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		if (field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES) {
			status = snw_project_put_field(s->project, field, scene->meshes[field->mesh].id, NULL, s->error);
		}
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		const snw_mesh *mesh = &scene->meshes[target->mesh];
		const int64_t clip = target->clip == SNW_NONE ? 0 : scene->clips[target->clip].id;
		if (!snw_task_progress(s->task, (double)i / scene->target_count, "saving targets")) {
			return snw_fail(s->error, SNW_CANCELLED, "subdividing was cancelled");
		}
		status = snw_project_put_target(s->project, target, mesh->id, mesh->point_count, clip, NULL, s->error);
	}
	return status;
}

static snw_status put_layers(const subdividing *s) {
	const snw_scene *before = s->scene;
	snw_status status = SNW_OK;
	int64_t model = 0;
	for (uint32_t i = 0; !snw_failed(status) && i < before->layer_count; i++) {
		if (has_to_go(s, i)) {
			status = snw_project_remove(s->project, SNW_PROJECT_LAYER, before->layers[i].id, s->error);
		} else if (i == s->base) {
			snw_layer muted = before->layers[i];
			muted.muted = true;
			status = snw_project_put_layer(s->project, &muted, 0, -1, NULL, s->error);
		}
	}
	status = snw_failed(status) ? status : snw_project_put_model(s->project, &s->model, &model, s->error);
	return snw_failed(status) ? status : snw_project_put_layer(s->project, &s->layer, model, s->position, NULL, s->error);
}

static snw_status put_all(const subdividing *s) {
	snw_transfer transfer = {.scene = s->refined, .example_moved = SNW_NEW_ARRAY(s->arena, bool, s->refined.example_count)};
	for (uint32_t i = 0; i < s->refined.example_count; i++) {
		transfer.example_moved[i] = true;
	}
	snw_status status = snw_project_put_character(s->project, &transfer, s->error);
	status = snw_failed(status) ? status : put_points(s);
	return snw_failed(status) ? status : put_layers(s);
}

static snw_status commit(const subdividing *s) {
	snw_status status = snw_project_begin(s->project, s->label, s->error);
	if (!snw_failed(status)) {
		status = put_all(s);
		status = snw_failed(status) ? status : snw_project_commit(s->project, s->error);
		snw_project_rollback(s->project);
	}
	return status;
}

static void report_layers(const subdividing *s) {
	snw_subdivision_report *report = s->report;
	report->base = snw_arena_text(s->arena, s->scene->layers[s->base].name);
	report->layer = snw_arena_text(s->arena, s->layer.name);
	report->removed = SNW_NEW_ARRAY(s->arena, const char *, s->scene->layer_count);
	for (uint32_t i = 0; i < s->scene->layer_count; i++) {
		if (i != s->base && has_to_go(s, i)) {
			report->removed[report->removed_count++] = snw_arena_text(s->arena, s->scene->layers[i].name);
		}
	}
}

static snw_status subdivide(subdividing *s, snw_subdivision_scheme scheme, uint32_t levels) {
	s->taker = find_taker(s->registry);
	if (!s->taker) {
		return snw_fail(s->error, SNW_ERROR_MISSING,
						"no method that takes the rows of a skin is loaded; 'sinew plugins' shows why");
	}
	snw_status status = find_base(s);
	status = snw_failed(status) ? status : refine(s, scheme, levels);
	if (snw_failed(status)) {
		return status;
	}
	count_elements(s);
	place_layer(s);
	status = make_model(s);
	status = snw_failed(status)
				 ? status
				 : subdivision_measure_naive(s->scene, s->stack, s->refinements, s->task, &s->report->naive, s->error);
	status = snw_failed(status) ? status : commit(s);
	if (!snw_failed(status)) {
		report_layers(s);
	}
	return status;
}

snw_status snw_project_subdivide(snw_project *project, const snw_scene *scene, const snw_registry *registry,
								 snw_subdivision_scheme scheme, uint32_t levels, const snw_task *task, snw_arena *arena,
								 snw_subdivision_report *report, snw_error *error) {
	snw_scene *placed = snw_scene_copy(scene);
	*report = (snw_subdivision_report){0};
	subdividing s = {.project = project,
					 .scene = placed,
					 .registry = registry,
					 .task = task,
					 .label = snw_arena_format(arena, "subdivide by %s, %u level%s",
											   scheme == SNW_LOOP ? "loop" : "catmull-clark", levels, levels == 1 ? "" : "s"),
					 .arena = arena,
					 .refinements = SNW_NEW_ARRAY(arena, snw_refinement, scene->mesh_count),
					 .report = report,
					 .error = error};
	report->refinements = s.refinements;
	snw_status status = snw_examples_place_unedited(placed, registry, error);
	status = snw_failed(status) ? status : subdivide(&s, scheme, levels);
	snw_stack_destroy(s.stack);
	snw_scene_destroy(placed);
	if (snw_failed(status)) {
		snw_subdivision_report_free(report, scene->mesh_count);
	}
	return status;
}

void snw_subdivision_report_free(snw_subdivision_report *report, uint32_t mesh_count) {
	for (uint32_t m = 0; report->refinements && m < mesh_count; m++) {
		snw_refinement refinement = report->refinements[m];
		snw_refinement_free(&refinement);
	}
	report->refinements = NULL;
}
