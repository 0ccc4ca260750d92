/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "subdivision/subdivide.h"

#include <math.h>
#include <string.h>

#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "program/program.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

/* ---- subdivision error --------------------------------------------------------------------------------------------------- */

enum { MOMENTS_OF_A_CLIP = 24 };

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

/* The program by which the stack blends a mesh; NULL if it does not. */
static const snw_program *subdivision_program(const snw_stack *stack, uint32_t mesh) {
	const snw_program *program = snw_stack_segment_count(stack, mesh) > 0 ? snw_stack_segment(stack, mesh, 0).program : NULL;
	return program && program->blend != SNW_BLEND_NONE ? program : NULL;
}

/* Linear blend by the subdivided weights over the subdivided rest. */
static snw_status naive_program(const snw_program *program, const snw_refinement *refinement, const snw_task *task,
								snw_arena *arena, snw_program *naive, snw_error *error) {
	const uint32_t influences = program->influence_offsets[program->point_count];
	double *weights = SNW_NEW_ARRAY(arena, double, influences);
	for (uint32_t k = 0; k < influences; k++) {
		weights[k] = snw_program_weight(program, k);
	}
	const snw_influences from = {program->influence_offsets, program->influence_slots, weights};
	snw_influences to;
	const snw_status status =
		snw_refined_influences(&refinement->points, &from, program->slot_count, 1, task, arena, &to, error);
	if (snw_failed(status)) {
		return status;
	}
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)refinement->points.count);
	snw_stencils_apply(&refinement->points, program->points_rest, 3, rest);
	*naive = (snw_program){.point_count = refinement->points.count,
						   .blend = SNW_BLEND_LINEAR,
						   .slot_count = program->slot_count,
						   .points_rest = rest,
						   .influence_offsets = to.offsets,
						   .influence_slots = to.slots,
						   .influence_weights = to.values};
	return SNW_OK;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

typedef struct error_sums {
	double squares; /* of distances over half the diagonal of their mesh */
	double most;    /* the largest distance over the diagonal */
	double points;  /* in all poses */
	uint32_t poses;
} error_sums;

/* Adds one mesh at one pose: what it was made of, subdivided, against what it is. `expected` is working memory. */
static void add_mesh(error_sums *sums, double diagonal, const snw_stencils *stencils, const double *coarse,
					 const double *actual, double *expected) {
	snw_stencils_apply(stencils, coarse, 3, expected);
	for (size_t p = 0; p < stencils->count; p++) {
		const double gap[3] = {expected[3 * p] - actual[3 * p], expected[3 * p + 1] - actual[3 * p + 1],
							   expected[3 * p + 2] - actual[3 * p + 2]};
		sums->squares += 4 * snw_dot3(gap, gap) / (diagonal * diagonal);
		sums->most = fmax(sums->most, snw_length3(gap) / diagonal);
	}
	sums->points += stencils->count;
}

static void finish(const error_sums *sums, snw_subdivision_error *measured) {
	*measured = (snw_subdivision_error){.erms = sums->points > 0 ? 1000 * sqrt(sums->squares / (3 * sums->points)) : 0,
										.max_percent = 100 * sums->most,
										.pose_count = sums->poses};
}

static double diagonal_of(const snw_scene *scene, uint32_t mesh) {
	const double diagonal = snw_scene_diagonal(scene, mesh);
	return diagonal > 0 ? diagonal : 1;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

typedef snw_status pose_visitor(void *argument, const snw_pose *pose, snw_error *error);

/* The poses of the scene, and moments of its clips. */
static snw_status visit_poses(const snw_scene *scene, const snw_task *task, pose_visitor *visit, void *argument,
							  snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->pose_count; i++) {
		status = visit(argument, &scene->poses[i], error);
	}
	for (uint32_t c = 0; !snw_failed(status) && c < scene->clip_count; c++) {
		uint32_t count = 0;
		double *seconds = NULL;
		snw_clip_times(scene, c, scratch, &seconds, &count);
		const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, c, scratch);
		const uint32_t moments = count < MOMENTS_OF_A_CLIP ? count : MOMENTS_OF_A_CLIP;
		for (uint32_t k = 0; !snw_failed(status) && k < moments; k++) {
			const uint32_t at = moments > 1 ? (uint32_t)((uint64_t)k * (count - 1) / (moments - 1)) : 0;
			status = visit(argument, snw_clip_sampler_pose(sampler, seconds[at], scratch), error);
			if (!snw_failed(status) && !snw_task_progress(task, (c + (double)k / moments) / scene->clip_count, "measuring")) {
				status = snw_fail(error, SNW_CANCELLED, "measuring was cancelled");
			}
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- the naive way ------------------------------------------------------------------------------------------------------- */

typedef struct naive_measuring {
	const snw_scene *scene;
	const snw_stack *stack;
	const snw_refinement *refinements;
	snw_evaluation *evaluation;
	snw_arena *arena;
	snw_program *naive;                 /* [mesh_count] */
	double *coarse, *actual, *expected; /* for the largest mesh */
	error_sums sums;
} naive_measuring;

static snw_status visit_naive(void *argument, const snw_pose *pose, snw_error *error) {
	naive_measuring *m = argument;
	snw_arena *scratch = snw_arena_create();
	const snw_status status = snw_stack_drive(m->stack, snw_pose_view_make(m->scene, pose, scratch), m->evaluation, error);
	for (uint32_t mesh = 0; !snw_failed(status) && mesh < m->scene->mesh_count; mesh++) {
		const snw_program *program = subdivision_program(m->stack, mesh);
		if (program && m->refinements[mesh].face_count > 0) {
			snw_program plain = *program; /* of the blend alone */
			plain.rest = (snw_displacements){.size = sizeof plain.rest};
			plain.posed = (snw_displacements){.size = sizeof plain.posed};
			const snw_program_input *input = snw_stack_program_input(m->evaluation, mesh, 0);
			snw_program_reference(&plain, input, NULL, m->coarse);
			snw_program_reference(&m->naive[mesh], input, NULL, m->actual);
			add_mesh(&m->sums, diagonal_of(m->scene, mesh), &m->refinements[mesh].points, m->coarse, m->actual, m->expected);
		}
	}
	m->sums.poses++;
	snw_arena_destroy(scratch);
	return status;
}

/* Points of the largest mesh, as it is and refined. */
static void find_largest(const snw_scene *scene, const snw_refinement *refinements, size_t *coarse, size_t *fine) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		*coarse = scene->meshes[m].point_count > *coarse ? scene->meshes[m].point_count : *coarse;
		*fine = refinements[m].points.count > *fine ? refinements[m].points.count : *fine;
	}
}

/* Linear blend with the subdivided weights over the subdivided rest. `stack` goes up to the base blend. */
static snw_status subdivision_measure_naive(const snw_scene *scene, const snw_stack *stack, const snw_refinement *refinements,
											const snw_task *task, snw_subdivision_error *measured, snw_error *error) {
	naive_measuring m = {.scene = scene, .stack = stack, .refinements = refinements, .arena = snw_arena_create()};
	size_t coarse = 0, fine = 0;
	find_largest(scene, refinements, &coarse, &fine);
	m.coarse = SNW_NEW_ARRAY(m.arena, double, 3 * coarse);
	m.actual = SNW_NEW_ARRAY(m.arena, double, 3 * fine);
	m.expected = SNW_NEW_ARRAY(m.arena, double, 3 * fine);
	m.naive = SNW_NEW_ARRAY(m.arena, snw_program, scene->mesh_count);
	snw_status status = SNW_OK;
	for (uint32_t mesh = 0; mesh < scene->mesh_count && !snw_failed(status); mesh++) {
		const snw_program *program = subdivision_program(stack, mesh);
		if (program && refinements[mesh].face_count > 0) {
			status = naive_program(program, &refinements[mesh], task, m.arena, &m.naive[mesh], error);
		}
	}
	m.evaluation = snw_evaluation_create_reference(stack);
	status = snw_failed(status) ? status : visit_poses(scene, task, visit_naive, &m, error);
	finish(&m.sums, measured);
	snw_evaluation_destroy(m.evaluation);
	snw_arena_destroy(m.arena);
	return status;
}

/* ---- the whole stack ----------------------------------------------------------------------------------------------------- */

typedef struct whole_measuring {
	const snw_scene *scenes[2]; /* the original, the subdivided one */
	snw_stack *stacks[2];
	snw_evaluation *evaluations[2];
	const snw_refinement *refinements;
	double *points[2], *expected;
	error_sums sums;
} whole_measuring;

static snw_status visit_whole(void *argument, const snw_pose *pose, snw_error *error) {
	whole_measuring *m = argument;
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (int i = 0; !snw_failed(status) && i < 2; i++) {
		status = snw_stack_drive(m->stacks[i], snw_pose_view_make(m->scenes[i], pose, scratch), m->evaluations[i], error);
	}
	for (uint32_t mesh = 0; !snw_failed(status) && mesh < m->scenes[0]->mesh_count; mesh++) {
		for (int i = 0; !snw_failed(status) && i < 2; i++) {
			status = snw_stack_reference(m->stacks[i], m->evaluations[i], mesh, NULL, m->points[i], error);
		}
		if (!snw_failed(status) && m->refinements[mesh].face_count > 0) {
			add_mesh(&m->sums, diagonal_of(m->scenes[0], mesh), &m->refinements[mesh].points, m->points[0], m->points[1],
					 m->expected);
		}
	}
	m->sums.poses++;
	snw_arena_destroy(scratch);
	return status;
}

/* Whether a scene is the original with refined meshes. Another shell may have changed it since. */
static bool is_refined_of(const snw_scene *original, const snw_scene *subdivided, const snw_refinement *refinements) {
	const snw_skeleton *before = &original->skeleton, *after = &subdivided->skeleton;
	bool is_same = original->mesh_count == subdivided->mesh_count && before->joint_count == after->joint_count &&
				   original->channel_count == subdivided->channel_count;
	for (uint32_t m = 0; is_same && m < original->mesh_count; m++) {
		const snw_mesh *mesh = &original->meshes[m];
		const uint32_t count = refinements[m].face_count > 0 ? refinements[m].points.count : mesh->point_count;
		is_same = subdivided->meshes[m].id == mesh->id && subdivided->meshes[m].point_count == count;
	}
	for (uint32_t j = 0; is_same && j < before->joint_count; j++) {
		is_same = before->parents[j] == after->parents[j] && strcmp(before->names[j], after->names[j]) == 0;
	}
	return is_same;
}

snw_status snw_subdivision_measure(const snw_scene *original, const snw_scene *subdivided, const snw_registry *registry,
								   const snw_refinement *refinements, const snw_task *task, snw_subdivision_error *measured,
								   snw_error *error) {
	if (!is_refined_of(original, subdivided, refinements)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "the character was changed after it was subdivided");
	}
	whole_measuring m = {.scenes = {original, subdivided}, .refinements = refinements};
	snw_arena *arena = snw_arena_create();
	size_t coarse = 0, fine = 0;
	find_largest(original, refinements, &coarse, &fine);
	const size_t most = coarse > fine ? coarse : fine;
	m.expected = SNW_NEW_ARRAY(arena, double, 3 * most);
	snw_status status = SNW_OK;
	for (int i = 0; !snw_failed(status) && i < 2; i++) {
		m.points[i] = SNW_NEW_ARRAY(arena, double, 3 * most);
		status = snw_stack_build(m.scenes[i], registry, NULL, task, &m.stacks[i], error);
		m.evaluations[i] = snw_failed(status) ? NULL : snw_evaluation_create_reference(m.stacks[i]);
	}
	status = snw_failed(status) ? status : visit_poses(original, task, visit_whole, &m, error);
	finish(&m.sums, measured);
	for (int i = 0; i < 2; i++) {
		snw_evaluation_destroy(m.evaluations[i]);
		snw_stack_destroy(m.stacks[i]);
	}
	snw_arena_destroy(arena);
	return status;
}

/* ---- subdivide ----------------------------------------------------------------------------------------------------------- */

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
	const snw_program *program = subdivision_program(s->stack, mesh);
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
			   : subdivision_measure_naive(s->scene, s->stack, s->made->refinements, s->task, &s->made->naive, s->error);
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
