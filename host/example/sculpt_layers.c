/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/sculpts.h"

#include <math.h>
#include <string.h>

#include "fit/samples.h"
#include "pose/pose.h"

/* A point counts as edited if it is farther from the skin than this share of the mesh's diagonal, along an axis. */
static const double EDIT_TOLERANCE = 1e-9;

uint32_t snw_sculpt_layer_find(const snw_example *example, const char *name) {
	for (uint32_t i = 0; i < example->layer_count; i++) {
		if (strcmp(example->layers[i].name, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

uint32_t snw_sculpt_layer_of_id(const snw_example *example, int64_t id) {
	for (uint32_t i = 0; i < example->layer_count; i++) {
		if (example->layers[i].id == id) {
			return i;
		}
	}
	return example->layer_count > 0 ? example->layer_count - 1 : SNW_NONE;
}

double snw_sculpt_layer_amount(const snw_sculpt_layer *layer) {
	return layer->muted ? 0 : layer->opacity;
}

/* ---- a change ------------------------------------------------------------------------------------------------------------ */

/* An example and what changes in it. */
typedef struct layer_change {
	snw_project *project;
	const snw_scene *scene;
	const snw_mesh *mesh;
	snw_example example; /* its points and layers are copies in `arena` */
	snw_sculpt_layer *layers;
	double *points, *below; /* [point_count][3]: of the example, and of the skin without sculpts */
	snw_arena *arena;
} layer_change;

static snw_status begin(layer_change *c, snw_project *project, const snw_scene *scene, const snw_registry *registry,
						uint32_t example, snw_error *error) {
	const snw_example *old = &scene->examples[example];
	*c = (layer_change){.project = project, .scene = scene, .mesh = &scene->meshes[old->mesh], .example = *old};
	c->arena = snw_arena_create();
	const size_t numbers = 3 * (size_t)c->mesh->point_count;
	c->below = SNW_NEW_ARRAY(c->arena, double, numbers);
	c->layers = snw_arena_array(c->arena, (size_t)old->layer_count + 2, sizeof *c->layers);
	if (old->layer_count > 0) {
		memcpy(c->layers, old->layers, old->layer_count * sizeof *c->layers);
	}
	const snw_pose *pose = &scene->poses[old->pose];
	const snw_status status = snw_reference_points(scene, registry, old->mesh, 1, &pose, &c->below, error);
	if (!snw_failed(status)) {
		c->points = snw_arena_copy(c->arena, c->below, numbers * sizeof *c->points);
		snw_example_apply_edited(old, c->mesh->point_count, c->points);
	}
	return status;
}

/* Adds a multiple of a layer to the points. */
static void add_to_points(layer_change *c, const snw_sculpt_layer *layer, double factor) {
	for (size_t i = 0; i < layer->count && factor != 0; i++) {
		for (size_t k = 0; k < 3; k++) {
			c->points[3 * (size_t)layer->points[i] + k] += factor * layer->vectors[3 * i + k];
		}
	}
}

static snw_status end(layer_change *c, snw_status status, snw_error *error) {
	const uint32_t count = c->mesh->point_count;
	const double tolerance = EDIT_TOLERANCE * snw_scene_diagonal(c->scene, c->example.mesh);
	if (!snw_failed(status)) {
		c->example.points_posed = c->points;
		c->example.layers = c->layers;
		snw_example_find_edited(&c->example, count, c->below, tolerance, c->arena);
		int64_t id;
		status = snw_project_put_example(c->project, &c->example, c->scene->poses[c->example.pose].id, c->mesh->id, count, &id,
										 error);
	}
	snw_arena_destroy(c->arena);
	return status;
}

/* ---- the changes --------------------------------------------------------------------------------------------------------- */

static const char *free_layer_name(const layer_change *c) {
	const char *name = "layer";
	for (unsigned i = 2; snw_sculpt_layer_find(&c->example, name) != SNW_NONE; i++) {
		name = snw_arena_format(c->arena, "layer-%u", i);
	}
	return name;
}

static snw_status check_free(const snw_example *example, const char *name, snw_error *error) {
	return snw_sculpt_layer_find(example, name) == SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s: example %s has a sculpt layer with this name; choose another", name,
						  example->name);
}

snw_status snw_project_add_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, const char *name, snw_error *error) {
	layer_change c;
	snw_status status = begin(&c, project, scene, registry, example, error);
	const double tolerance = EDIT_TOLERANCE * snw_scene_diagonal(scene, scene->examples[example].mesh);
	if (!snw_failed(status) && c.example.layer_count == 0) {
		c.layers[c.example.layer_count++] = (snw_sculpt_layer){.name = "base", .opacity = 1};
		c.example.layers = c.layers;
		snw_sculpt_layer_add_change(&c.example, 0, c.mesh->point_count, c.below, c.points, tolerance, c.arena);
		c.layers[0] = c.example.layers[0];
		c.example.layers = c.layers;
	}
	status = snw_failed(status) || !name[0] ? status : check_free(&c.example, name, error);
	if (!snw_failed(status)) {
		const snw_sculpt_layer added = {.name = name[0] ? name : free_layer_name(&c), .opacity = 1};
		c.layers[c.example.layer_count++] = added;
	}
	return end(&c, status, error);
}

snw_status snw_project_set_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, uint32_t layer, const snw_sculpt_layer *changed, snw_error *error) {
	layer_change c;
	snw_status status = begin(&c, project, scene, registry, example, error);
	snw_sculpt_layer *row = &c.layers[layer];
	if (!snw_failed(status) && strcmp(row->name, changed->name) != 0) {
		status = check_free(&c.example, changed->name, error);
	}
	if (!snw_failed(status)) {
		const double before = snw_sculpt_layer_amount(row);
		row->name = changed->name;
		row->opacity = changed->opacity;
		row->muted = changed->muted;
		add_to_points(&c, row, snw_sculpt_layer_amount(row) - before);
	}
	return end(&c, status, error);
}

snw_status snw_project_remove_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t example, uint32_t layer, snw_error *error) {
	layer_change c;
	const snw_status status = begin(&c, project, scene, registry, example, error);
	if (!snw_failed(status)) {
		add_to_points(&c, &c.layers[layer], -snw_sculpt_layer_amount(&c.layers[layer]));
		c.example.layer_count--;
		memmove(&c.layers[layer], &c.layers[layer + 1], (c.example.layer_count - layer) * sizeof *c.layers);
	}
	return end(&c, status, error);
}

snw_status snw_project_merge_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										  uint32_t example, uint32_t layer, snw_error *error) {
	const snw_example *old = &scene->examples[example];
	if (layer == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s is the lowest sculpt layer of %s: there is none below to merge it with",
						old->layers[layer].name, old->name);
	}
	if (old->layers[layer].muted || old->layers[layer - 1].muted) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a muted sculpt layer cannot be merged; unmute %s first",
						old->layers[old->layers[layer].muted ? layer : layer - 1].name);
	}
	layer_change c;
	const snw_status status = begin(&c, project, scene, registry, example, error);
	if (!snw_failed(status)) {
		const size_t numbers = 3 * (size_t)c.mesh->point_count;
		snw_sculpt_layer *lower = &c.layers[layer - 1];
		double *points = c.points, *none = SNW_NEW_ARRAY(c.arena, double, numbers),
			   *sum = SNW_NEW_ARRAY(c.arena, double, numbers);
		c.points = sum;
		add_to_points(&c, lower, lower->opacity);
		add_to_points(&c, &c.layers[layer], c.layers[layer].opacity);
		c.points = points;
		lower->opacity = 1;
		lower->count = 0;
		c.example.layers = c.layers;
		snw_sculpt_layer_add_change(&c.example, layer - 1, c.mesh->point_count, none, sum, 0, c.arena);
		*lower = c.example.layers[layer - 1];
		c.example.layer_count--;
		memmove(&c.layers[layer], &c.layers[layer + 1], (c.example.layer_count - layer) * sizeof *c.layers);
	}
	return end(&c, status, error);
}

/* ---- strokes ------------------------------------------------------------------------------------------------------------- */

void snw_sculpt_layer_add_change(snw_example *example, uint32_t layer, uint32_t point_count, const double *before,
								 const double *after, double tolerance, snw_arena *arena) {
	snw_sculpt_layer *layers = snw_arena_copy(arena, example->layers, example->layer_count * sizeof *layers);
	const snw_sculpt_layer *old = &example->layers[layer];
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)point_count + 1), count = 0, next = 0;
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count + 1);
	for (uint32_t p = 0; p < point_count; p++) {
		const double *a = before + 3 * (size_t)p, *b = after + 3 * (size_t)p;
		double *vector = vectors + 3 * (size_t)count;
		const bool was_in = next < old->count && old->points[next] == p;
		const bool changes = fabs(b[0] - a[0]) > tolerance || fabs(b[1] - a[1]) > tolerance || fabs(b[2] - a[2]) > tolerance;
		for (size_t k = 0; k < 3; k++) {
			vector[k] = (was_in ? old->vectors[3 * (size_t)next + k] : 0) + (changes ? (b[k] - a[k]) / old->opacity : 0);
		}
		next += was_in;
		if (was_in || changes) {
			points[count++] = p;
		}
	}
	layers[layer].count = count;
	layers[layer].points = points;
	layers[layer].vectors = vectors;
	example->layers = layers;
}
