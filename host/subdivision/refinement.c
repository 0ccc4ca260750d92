/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "subdivision/subdivide.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/field.h"

/* ---- refinement ---------------------------------------------------------------------------------------------------------- */

/* At least as many entries as the stencils of all levels have. A refined point follows from the points around the corners of
 * its face, so many faces at one point make many entries. */
static double count_entries(const snw_mesh *mesh, uint32_t levels) {
	snw_arena *arena = snw_arena_create();
	double *around = SNW_NEW_ARRAY(arena, double, mesh->point_count), entries = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
			double near = 0;
			for (uint32_t c = begin; c < end; c++) {
				double *of_point = &around[mesh->face_points[c]];
				*of_point += pass == 0 ? end - begin - 2.0 : 0;
				near += *of_point;
			}
			entries += pass == 0 ? 0 : (end - begin) * near;
		}
	}
	snw_arena_destroy(arena);
	return ldexp(entries, 2 * (int)levels - 2) * 4 / 3; /* four times as many faces a level; the levels together */
}

/* Whether the scheme can refine every face, and how many corners and entries there will be. */
static snw_status check(const snw_mesh *mesh, snw_subdivision_scheme scheme, uint32_t levels, snw_error *error) {
	const uint64_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	if (mesh->face_count == 0 || levels > 12 || corners << 2 * levels >= UINT32_MAX / 8) {
		return snw_fail(error, SNW_ERROR_LIMIT, "mesh '%s' cannot be subdivided: it has %s", mesh->name,
						mesh->face_count ? "too many faces; ask for fewer levels" : "no faces");
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		if (scheme == SNW_LOOP && end - begin != 3) {
			return snw_fail(error, SNW_ERROR_DATA,
							"mesh '%s' cannot be subdivided by Loop's scheme: face %u has %u corners; use catmull-clark",
							mesh->name, f, end - begin);
		}
		for (uint32_t i = begin + 1; i < end; i++) {
			if (mesh->face_points[i] == mesh->face_points[i - 1] || mesh->face_points[i] == mesh->face_points[begin]) {
				return snw_fail(error, SNW_ERROR_DATA, "mesh '%s' cannot be subdivided: face %u has a point twice", mesh->name,
								f);
			}
		}
	}
	if (count_entries(mesh, levels) > INT_MAX) { /* OpenSubdiv counts them in an int */
		return snw_fail(error, SNW_ERROR_LIMIT,
						"mesh '%s' cannot be subdivided: it has too many faces, or too many at one point; ask for fewer levels",
						mesh->name);
	}
	return SNW_OK;
}

snw_status snw_refinement_make(const snw_mesh *mesh, snw_subdivision_scheme scheme, uint32_t levels, snw_refinement *refinement,
							   snw_error *error) {
	const snw_status status = check(mesh, scheme, levels, error);
	if (snw_failed(status)) {
		return status;
	}
	switch (snw_opensubdiv_refine(mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points, scheme, levels,
								  refinement)) {
	case SNW_REFINED:
		return SNW_OK;
	case SNW_REFINED_NO_MEMORY:
		return snw_fail(error, SNW_ERROR_MEMORY, "mesh '%s' cannot be subdivided: memory ran out; ask for fewer levels",
						mesh->name);
	case SNW_REFINED_TOO_LARGE:
		return snw_fail(error, SNW_ERROR_LIMIT, "mesh '%s' cannot be subdivided: it has too many faces; ask for fewer levels",
						mesh->name);
	case SNW_REFINED_BAD_FACES:
		break;
	}
	return snw_fail(error, SNW_ERROR_DATA,
					"mesh '%s' cannot be subdivided: OpenSubdiv does not accept its faces; an edge may have more than two",
					mesh->name);
}

void snw_stencils_apply(const snw_stencils *stencils, const double *values, size_t width, double *made) {
	for (size_t p = 0; p < stencils->count; p++) {
		for (size_t i = 0; i < width; i++) {
			double sum = 0;
			for (uint32_t j = stencils->offsets[p]; j < stencils->offsets[p + 1]; j++) {
				sum += stencils->weights[j] * values[width * stencils->indices[j] + i];
			}
			made[width * p + i] = sum;
		}
	}
}

void snw_stencils_apply_floats(const snw_stencils *stencils, const float *values, size_t width, float *made) {
	for (size_t p = 0; p < stencils->count; p++) {
		for (size_t i = 0; i < width; i++) {
			double sum = 0;
			for (uint32_t j = stencils->offsets[p]; j < stencils->offsets[p + 1]; j++) {
				sum += stencils->weights[j] * (double)values[width * stencils->indices[j] + i];
			}
			made[width * p + i] = (float)sum;
		}
	}
}

/* `width` numbers for each corner of the refined faces. */
static const float *refine_corners(const snw_refinement *refinement, const float *values, size_t width, snw_arena *arena) {
	if (!values) {
		return NULL;
	}
	const size_t corners = (size_t)refinement->face_size * refinement->face_count;
	snw_arena *scratch = snw_arena_create();
	float *rows = SNW_NEW_ARRAY(scratch, float, width * refinement->corners.count);
	float *made = SNW_NEW_ARRAY(arena, float, width *corners);
	snw_stencils_apply_floats(&refinement->corners, values, width, rows);
	for (size_t c = 0; c < corners; c++) {
		for (size_t i = 0; i < width; i++) {
			made[width * c + i] = rows[width * refinement->face_corners[c] + i];
		}
	}
	snw_arena_destroy(scratch);
	return made;
}

static const snw_attribute *refine_attributes(const snw_refinement *refinement, const snw_mesh *mesh, snw_arena *arena) {
	snw_attribute *made = SNW_NEW_ARRAY(arena, snw_attribute, mesh->attribute_count);
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		made[i] = mesh->attributes[i];
		made[i].name = snw_arena_text(arena, made[i].name);
		made[i].corner_count = refinement->face_size * refinement->face_count;
		made[i].values = refine_corners(refinement, made[i].values, made[i].width, arena);
	}
	return made;
}

snw_mesh snw_refined_mesh(const snw_refinement *refinement, const snw_mesh *mesh, snw_arena *arena) {
	const size_t points = refinement->points.count, faces = refinement->face_count, size = refinement->face_size;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, faces + 1);
	uint32_t *materials = mesh->face_materials ? SNW_NEW_ARRAY(arena, uint32_t, faces) : NULL;
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * points);
	for (size_t f = 0; f < faces; f++) {
		offsets[f + 1] = (uint32_t)(size * (f + 1));
		if (materials) {
			materials[f] = mesh->face_materials[refinement->parents[f]];
		}
	}
	snw_stencils_apply(&refinement->points, mesh->points_rest, 3, rest);
	return (snw_mesh){.id = mesh->id,
					  .name = snw_arena_text(arena, mesh->name),
					  .point_count = (uint32_t)points,
					  .points_rest = rest,
					  .face_count = (uint32_t)faces,
					  .face_offsets = offsets,
					  .face_points = snw_arena_copy(arena, refinement->faces, size * faces * sizeof *refinement->faces),
					  .face_materials = materials,
					  .corner_uvs = refine_corners(refinement, mesh->corner_uvs, 2, arena),
					  .corner_colors = refine_corners(refinement, mesh->corner_colors, 4, arena),
					  .attribute_count = mesh->attribute_count,
					  .attributes = refine_attributes(refinement, mesh, arena)};
}

/* ---- refined scene ------------------------------------------------------------------------------------------------------- */

enum { POINTS_OF_A_REPORT = 4096 };

/* ---- influences ---------------------------------------------------------------------------------------------------------- */

static int by_slot(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* The slots of a refined point, ascending. `marks` [slot_count] has no mark of this point yet. */
static uint32_t gather_slots(const snw_stencils *stencils, uint32_t point, const snw_influences *from, uint32_t *marks,
							 uint32_t *slots) {
	uint32_t count = 0;
	for (uint32_t j = stencils->offsets[point]; j < stencils->offsets[point + 1]; j++) {
		const uint32_t source = stencils->indices[j];
		for (uint32_t k = from->offsets[source]; k < from->offsets[source + 1]; k++) {
			if (marks[from->slots[k]] != point + 1) {
				marks[from->slots[k]] = point + 1;
				slots[count++] = from->slots[k];
			}
		}
	}
	qsort(slots, count, sizeof *slots, by_slot);
	return count;
}

/* The numbers of a refined point's influences; `places` [slot_count] is working memory. */
static void add_values(const snw_stencils *stencils, uint32_t point, const snw_influences *from, size_t width, uint32_t count,
					   const uint32_t *slots, uint32_t *places, double *values) {
	for (uint32_t n = 0; n < count; n++) {
		places[slots[n]] = n;
	}
	for (uint32_t j = stencils->offsets[point]; j < stencils->offsets[point + 1]; j++) {
		const uint32_t source = stencils->indices[j];
		for (uint32_t k = from->offsets[source]; k < from->offsets[source + 1]; k++) {
			for (size_t i = 0; i < width; i++) {
				values[width * places[from->slots[k]] + i] += stencils->weights[j] * from->values[width * k + i];
			}
		}
	}
}

/* Reports a point of the first or the second pass over all of them. */
static snw_status report_point(const snw_task *task, const snw_stencils *stencils, uint32_t point, int pass, snw_error *error) {
	return point % POINTS_OF_A_REPORT == 0 &&
				   !snw_task_progress(task, (pass + (double)point / stencils->count) / 2, "subdividing the skin")
			   ? snw_fail(error, SNW_CANCELLED, "subdividing was cancelled")
			   : SNW_OK;
}

snw_status snw_refined_influences(const snw_stencils *stencils, const snw_influences *from, uint32_t slot_count, size_t width,
								  const snw_task *task, snw_arena *arena, snw_influences *refined, snw_error *error) {
	snw_status status = SNW_OK;
	snw_arena *scratch = snw_arena_create();
	uint32_t *marks = SNW_NEW_ARRAY(scratch, uint32_t, slot_count), *places = SNW_NEW_ARRAY(scratch, uint32_t, slot_count);
	uint32_t *found = SNW_NEW_ARRAY(scratch, uint32_t, slot_count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)stencils->count + 1);
	for (uint32_t p = 0; p < stencils->count && !snw_failed(status); p++) {
		offsets[p + 1] = offsets[p] + gather_slots(stencils, p, from, marks, found);
		status = report_point(task, stencils, p, 0, error);
	}
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, offsets[stencils->count]);
	double *values = SNW_NEW_ARRAY(arena, double, width *offsets[stencils->count]);
	for (uint32_t s = 0; s < slot_count; s++) {
		marks[s] = 0;
	}
	for (uint32_t p = 0; p < stencils->count && !snw_failed(status); p++) {
		const uint32_t count = gather_slots(stencils, p, from, marks, slots + offsets[p]);
		add_values(stencils, p, from, width, count, slots + offsets[p], places, values + width * offsets[p]);
		status = report_point(task, stencils, p, 1, error);
	}
	snw_arena_destroy(scratch);
	*refined = (snw_influences){offsets, slots, values};
	return status;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static snw_status refine_skin(const snw_mesh *mesh, const snw_stencils *stencils, uint32_t slot_count, const snw_task *task,
							  snw_arena *arena, snw_mesh *refined, snw_error *error) {
	if (!mesh->influence_offsets) {
		return SNW_OK;
	}
	const snw_influences from = {mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights};
	snw_influences to;
	const snw_status status = snw_refined_influences(stencils, &from, slot_count, 1, task, arena, &to, error);
	if (snw_failed(status)) {
		return status;
	}
	double *weights = snw_arena_copy(arena, to.values, to.offsets[stencils->count] * sizeof *weights);
	for (uint32_t p = 0; p < stencils->count; p++) {
		double sum = 0;
		for (uint32_t k = to.offsets[p]; k < to.offsets[p + 1]; k++) {
			sum += weights[k];
		}
		for (uint32_t k = to.offsets[p]; k < to.offsets[p + 1]; k++) {
			weights[k] /= sum; /* 1 but for rounding; a single weight may be negative, or above 1 */
		}
	}
	refined->influence_offsets = to.offsets;
	refined->influence_slots = to.slots;
	refined->influence_weights = weights;
	return SNW_OK;
}

static snw_morph refine_morph(const snw_morph *morph, uint32_t point_count, const snw_stencils *stencils, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	double *before = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)point_count);
	double *after = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)stencils->count);
	for (uint32_t n = 0; n < morph->count; n++) {
		for (size_t c = 0; c < 3; c++) {
			before[3 * (size_t)morph->points[n] + c] = morph->vectors[3 * (size_t)n + c];
		}
	}
	snw_stencils_apply(stencils, before, 3, after);
	uint32_t *points = SNW_NEW_ARRAY(scratch, uint32_t, stencils->count), count = 0;
	for (uint32_t p = 0; p < stencils->count; p++) {
		const double *v = after + 3 * (size_t)p;
		if (v[0] != 0 || v[1] != 0 || v[2] != 0) {
			points[count++] = p;
		}
	}
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	for (uint32_t n = 0; n < count; n++) {
		for (size_t c = 0; c < 3; c++) {
			vectors[3 * (size_t)n + c] = after[3 * (size_t)points[n] + c];
		}
	}
	const snw_morph made = {.name = morph->name,
							.channel = morph->channel,
							.count = count,
							.points = snw_arena_copy(arena, points, count * sizeof *points),
							.vectors = vectors};
	snw_arena_destroy(scratch);
	return made;
}

static snw_status refine_mesh(const snw_scene *scene, const snw_mesh *mesh, const snw_refinement *refinement,
							  const snw_task *task, snw_arena *arena, snw_mesh *made, snw_error *error) {
	snw_mesh refined = snw_refined_mesh(refinement, mesh, arena);
	const snw_status status = refine_skin(mesh, &refinement->points, scene->slot_count, task, arena, &refined, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_morph *morphs = SNW_NEW_ARRAY(arena, snw_morph, mesh->morph_count);
	for (uint32_t i = 0; i < mesh->morph_count; i++) {
		morphs[i] = refine_morph(&mesh->morphs[i], mesh->point_count, &refinement->points, arena);
	}
	refined.morph_count = mesh->morph_count;
	refined.morphs = morphs;
	*made = refined;
	return SNW_OK;
}

/* ---- what lies over points ----------------------------------------------------------------------------------------------- */

static snw_field refine_field(const snw_field *field, const snw_refinement *refinement, snw_arena *arena) {
	snw_field refined = *field;
	const bool of_points = field->domain == SNW_DOMAIN_POINTS;
	refined.count = of_points ? refinement->points.count : refinement->face_count;
	double *values = SNW_NEW_ARRAY(arena, double, (size_t)refined.count * field->components);
	if (of_points) {
		snw_stencils_apply(&refinement->points, field->values, field->components, values);
	}
	for (size_t f = 0; !of_points && f < refined.count; f++) {
		for (size_t i = 0; i < field->components; i++) {
			values[f * field->components + i] = field->values[(size_t)refinement->parents[f] * field->components + i];
		}
	}
	refined.values = values;
	return refined;
}

static void refine_edited(const snw_example *example, uint32_t point_count, const snw_stencils *stencils, snw_arena *arena,
						  snw_example *refined) {
	snw_arena *scratch = snw_arena_create();
	bool *was = SNW_NEW_ARRAY(scratch, bool, point_count);
	uint32_t *edited = SNW_NEW_ARRAY(arena, uint32_t, stencils->count), count = 0;
	for (uint32_t n = 0; n < example->edited_count; n++) {
		was[example->edited[n]] = true;
	}
	for (uint32_t p = 0; p < stencils->count; p++) {
		bool is = false;
		for (uint32_t j = stencils->offsets[p]; j < stencils->offsets[p + 1]; j++) {
			is = is || was[stencils->indices[j]];
		}
		if (is) {
			edited[count++] = p;
		}
	}
	refined->edited = edited;
	refined->edited_count = count;
	snw_arena_destroy(scratch);
}

/* Stencils are linear, so that the layers still add up. */
static void refine_sculpt_layers(const snw_example *example, uint32_t point_count, const snw_stencils *stencils,
								 snw_arena *arena, snw_example *refined) {
	snw_sculpt_layer *layers = snw_arena_copy(arena, example->layers, example->layer_count * sizeof *layers);
	snw_arena *scratch = snw_arena_create();
	double *dense = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)point_count);
	double *finer = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)stencils->count);
	for (uint32_t l = 0; l < example->layer_count; l++) {
		const snw_sculpt_layer *layer = &example->layers[l];
		memset(dense, 0, 3 * (size_t)point_count * sizeof *dense);
		for (uint32_t i = 0; i < layer->count; i++) {
			memcpy(dense + 3 * (size_t)layer->points[i], layer->vectors + 3 * (size_t)i, 3 * sizeof *dense);
		}
		snw_stencils_apply(stencils, dense, 3, finer);
		uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)stencils->count + 1);
		double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)stencils->count + 1);
		layers[l].count = 0;
		for (uint32_t p = 0; p < stencils->count; p++) {
			const double *vector = finer + 3 * (size_t)p;
			if (vector[0] != 0 || vector[1] != 0 || vector[2] != 0) {
				memcpy(vectors + 3 * (size_t)layers[l].count, vector, 3 * sizeof *vector);
				points[layers[l].count++] = p;
			}
		}
		layers[l].points = points;
		layers[l].vectors = vectors;
	}
	refined->layers = layers;
	snw_arena_destroy(scratch);
}

static snw_example refine_example(const snw_example *example, uint32_t point_count, const snw_stencils *stencils,
								  snw_arena *arena) {
	snw_example refined = *example;
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)stencils->count);
	snw_stencils_apply(stencils, example->points_posed, 3, points);
	refined.points_posed = points;
	if (example->edited) {
		refine_edited(example, point_count, stencils, arena, &refined);
	}
	refine_sculpt_layers(example, point_count, stencils, arena, &refined);
	return refined;
}

static snw_status refine_target(const snw_target *target, uint32_t point_count, const snw_stencils *stencils,
								const snw_task *task, snw_arena *arena, snw_target *refined, snw_error *error) {
	const size_t before = 3 * (size_t)point_count, after = 3 * (size_t)stencils->count;
	float *points = SNW_NEW_ARRAY(arena, float, after * target->frame_count);
	for (size_t f = 0; f < target->frame_count; f++) {
		if (!snw_task_progress(task, (double)f / target->frame_count, "subdividing targets")) {
			return snw_fail(error, SNW_CANCELLED, "subdividing was cancelled");
		}
		snw_stencils_apply_floats(stencils, target->points_posed + before * f, 3, points + after * f);
	}
	*refined = *target;
	refined->points_posed = points;
	return SNW_OK;
}

/* ---- the scene ----------------------------------------------------------------------------------------------------------- */

static bool is_refined(const snw_refinement *refinements, uint32_t mesh) {
	return mesh != SNW_NONE && refinements[mesh].face_count > 0;
}

snw_status snw_refined_scene(const snw_scene *scene, const snw_refinement *refinements, const snw_task *task, snw_arena *arena,
							 snw_scene *refined, snw_error *error) {
	snw_status status = SNW_OK;
	snw_mesh *meshes = snw_arena_copy(arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	snw_field *fields = snw_arena_copy(arena, scene->fields, scene->field_count * sizeof *fields);
	snw_example *examples = snw_arena_copy(arena, scene->examples, scene->example_count * sizeof *examples);
	snw_target *targets = snw_arena_copy(arena, scene->targets, scene->target_count * sizeof *targets);
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		if (is_refined(refinements, m)) {
			status = refine_mesh(scene, &scene->meshes[m], &refinements[m], task, arena, &meshes[m], error);
		}
	}
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		if (is_refined(refinements, field->mesh) && (field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES)) {
			fields[i] = refine_field(field, &refinements[field->mesh], arena);
		}
	}
	for (uint32_t i = 0; i < scene->example_count && !snw_failed(status); i++) {
		const uint32_t mesh = scene->examples[i].mesh;
		if (!snw_task_progress(task, (double)i / scene->example_count, "subdividing sculpts")) {
			return snw_fail(error, SNW_CANCELLED, "subdividing was cancelled");
		}
		if (is_refined(refinements, mesh)) {
			examples[i] =
				refine_example(&scene->examples[i], scene->meshes[mesh].point_count, &refinements[mesh].points, arena);
		}
	}
	for (uint32_t i = 0; i < scene->target_count && !snw_failed(status); i++) {
		const uint32_t mesh = scene->targets[i].mesh;
		if (is_refined(refinements, mesh)) {
			status = refine_target(&scene->targets[i], scene->meshes[mesh].point_count, &refinements[mesh].points, task, arena,
								   &targets[i], error);
		}
	}
	*refined = *scene;
	refined->meshes = meshes;
	refined->fields = fields;
	refined->examples = examples;
	refined->targets = targets;
	return status;
}
