/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#include "fit/stale.h"
#include "parameter/parameters.h"
#include "task/task.h"

/* A layer that can be in a base. */
typedef struct base_part {
	snw_layer layer; /* without a name: no layer */
	bool in_scene;   /* otherwise a layer that the scene would get */
} base_part;

typedef struct choice {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_fit_request *request;
	const char *layer; /* the corrective's */
	snw_arena *arena;
	uint32_t blend_count, over_count;
	base_part *blends, *overs; /* the scene's layers, then methods without a layer; the first over is none */
} choice;

enum { NOT_A_PART = 0, BLEND = 1, OVER = 2 };

/* The role of a layer of this method in a base. */
static int role_of(const snw_deformer *deformer) {
	const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
	return traits & SNW_REPLACES_BLEND ? BLEND : traits & SNW_BINDS ? OVER : NOT_A_PART;
}

/* The role of a layer of the scene. */
static int role_in_scene(const choice *c, const snw_layer *layer) {
	return strcmp(layer->name, c->layer) == 0 ? NOT_A_PART : role_of(snw_registry_find(c->registry, layer->deformer));
}

static bool has_layer_of(const snw_scene *scene, const snw_deformer *deformer) {
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (strcmp(scene->layers[i].deformer, deformer->descriptor->id) == 0) {
			return true;
		}
	}
	return false;
}

static void add_part(choice *c, int role, const base_part *added) {
	if (role == BLEND) {
		c->blends[c->blend_count++] = *added;
	} else if (role == OVER) {
		c->overs[c->over_count++] = *added;
	}
}

/* A layer of the scene can be called like a method that it does not have, and so can the corrective. */
static const char *free_layer_name(const choice *c, const char *name) {
	const uint32_t count = c->scene->layer_count;
	snw_layer *layers = SNW_NEW_ARRAY(c->arena, snw_layer, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		layers[i] = c->scene->layers[i];
	}
	layers[count] = (snw_layer){.name = c->layer};
	const snw_scene taken = {.layer_count = count + 1, .layers = layers};
	return snw_scene_free_name(&taken, snw_scene_find_layer, name, c->arena);
}

static void find_parts(choice *c) {
	const uint32_t methods = snw_registry_count(c->registry);
	c->blends = SNW_NEW_ARRAY(c->arena, base_part, (size_t)c->scene->layer_count + methods);
	c->overs = SNW_NEW_ARRAY(c->arena, base_part, (size_t)c->scene->layer_count + methods + 1);
	c->overs[c->over_count++] = (base_part){0};
	for (uint32_t i = 0; i < c->scene->layer_count; i++) {
		const snw_layer *layer = &c->scene->layers[i];
		add_part(c, role_in_scene(c, layer), &(base_part){.layer = *layer, .in_scene = true});
	}
	for (uint32_t i = 0; i < methods; i++) {
		const snw_deformer *deformer = snw_registry_get(c->registry, i)->deformer;
		if (deformer && deformer->descriptor->traits & SNW_BINDS && !has_layer_of(c->scene, deformer)) {
			const snw_layer layer = {.name = free_layer_name(c, deformer->descriptor->short_name),
									 .deformer = deformer->descriptor->id,
									 .deformer_version = deformer->descriptor->version,
									 .model = SNW_NONE};
			add_part(c, role_of(deformer), &(base_part){.layer = layer});
		}
	}
}

/* The parts of one kind: those of the scene, and the chosen one, which alone is active. */
static void put_parts(const base_part *parts, uint32_t count, uint32_t chosen, snw_base *base) {
	for (uint32_t i = 0; i < count; i++) {
		if (parts[i].layer.name && (i == chosen || parts[i].in_scene)) {
			snw_layer *layer = &base->layers[base->layer_count++];
			*layer = parts[i].layer;
			layer->muted = i != chosen;
		}
	}
}

/* The layers that belong to no base, in their order. */
static void put_others(const choice *c, snw_base *base) {
	for (uint32_t i = 0; i < c->scene->layer_count; i++) {
		const snw_layer *layer = &c->scene->layers[i];
		if (role_in_scene(c, layer) == NOT_A_PART) {
			base->layers[base->layer_count] = *layer;
			base->layers[base->layer_count++].muted = layer->muted && strcmp(layer->name, c->layer) != 0;
		}
	}
}

static snw_base make_base(const choice *c, uint32_t blend, uint32_t over) {
	snw_base base = {.name = snw_arena_text(c->arena, c->blends[blend].layer.name)};
	if (c->overs[over].layer.name) {
		base.name = snw_arena_format(c->arena, "%s, %s", base.name, c->overs[over].layer.name);
	}
	/* The scene's layers, and at most one new part of each kind. */
	base.layers = SNW_NEW_ARRAY(c->arena, snw_layer, (size_t)c->scene->layer_count + 2);
	put_parts(c->blends, c->blend_count, blend, &base);
	put_parts(c->overs, c->over_count, over, &base);
	put_others(c, &base);
	return base;
}

/* The stack that is measured: the base with the corrective, on top if it is new, with the settings of the request. */
static void put_corrective(const choice *c, const snw_base *base, snw_scene *scene) {
	const snw_fit_request *request = c->request;
	const snw_descriptor *descriptor = snw_registry_find(c->registry, request->method)->descriptor;
	snw_layer *layers = SNW_NEW_ARRAY(c->arena, snw_layer, (size_t)base->layer_count + 1);
	memcpy(layers, base->layers, base->layer_count * sizeof *layers);
	layers[base->layer_count] =
		(snw_layer){.name = c->layer, .deformer = descriptor->id, .deformer_version = descriptor->version, .model = SNW_NONE};
	scene->layers = layers;
	scene->layer_count = base->layer_count + 1;
	const uint32_t place = snw_scene_find_layer(scene, c->layer);
	scene->layer_count -= place < base->layer_count;
	const snw_layer before = layers[place];
	snw_setting *settings = SNW_NEW_ARRAY(c->arena, snw_setting, (size_t)before.setting_count + request->setting_count);
	for (uint32_t i = 0; i < before.setting_count; i++) {
		settings[i] = before.settings[i];
	}
	for (uint32_t i = 0; i < request->setting_count; i++) {
		settings[before.setting_count + i] = request->settings[i]; /* if a key is repeated, the last one counts */
	}
	layers[place].settings = settings;
	layers[place].setting_count = before.setting_count + request->setting_count;
}

static void fail_base(const choice *c, const char *failure, snw_base *base) {
	base->failure = snw_arena_text(c->arena, failure);
	base->erms = HUGE_VAL;
}

static snw_status measure_base(const choice *c, const snw_task *task, snw_base *base) {
	snw_scene scene = *c->scene;
	snw_error error = {0};
	put_corrective(c, base, &scene);
	snw_measure *measures = SNW_NEW_ARRAY(c->arena, snw_measure, scene.example_count);
	const snw_status status = snw_measure_leave_one_out(&scene, c->registry, c->layer, task, measures, &error);
	if (snw_failed(status)) {
		fail_base(c, error.text, base);
		return status;
	}
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene.example_count; i++) {
		count += !scene.examples[i].muted;
		base->erms += measures[i].erms * measures[i].erms;
		base->max_percent = fmax(base->max_percent, measures[i].max_percent);
	}
	base->erms = sqrt(base->erms / count);
	if (!isfinite(base->erms)) {
		fail_base(c, "its error is not a finite number", base);
	}
	return SNW_OK;
}

snw_status snw_bases_measure(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
							 const snw_task *task, snw_arena *arena, snw_bases *bases, snw_error *error) {
	const snw_descriptor *descriptor = snw_registry_find(registry, request->method)->descriptor;
	choice c = {.scene = scene,
				.registry = registry,
				.request = request,
				.layer = request->layer ? request->layer : descriptor->short_name,
				.arena = arena};
	if (!(descriptor->traits & SNW_CORRECTS)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s does not correct the layers below it; --base is for correctives",
						descriptor->short_name);
	}
	const uint32_t existing = snw_scene_find_layer(scene, c.layer);
	if (existing != SNW_NONE && strcmp(scene->layers[existing].deformer, descriptor->id) != 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "layer '%s' belongs to %s, not to %s; give the new layer another name",
						c.layer, scene->layers[existing].deformer, descriptor->short_name);
	}
	if (snw_scene_active_example_count(scene) < 2) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"--base auto needs at least two examples to hold one out; this project has %u",
						snw_scene_active_example_count(scene));
	}
	/* A baked skin would be tried as a base, and moved away from the layers above it. */
	const uint32_t baked = snw_scene_first_baked(scene);
	if (baked != SNW_NONE) {
		return snw_fail(
			error, SNW_ERROR_CONFLICT,
			"the project is baked, and --base auto is for one that is not; 'sinew undo P.sinew' takes the bake back, "
			"or 'sinew stack P.sinew remove %s' removes it",
			scene->layers[baked].name);
	}
	find_parts(&c);
	*bases = (snw_bases){.count = c.blend_count * c.over_count};
	bases->list = SNW_NEW_ARRAY(arena, snw_base, bases->count);
	for (uint32_t i = 0; i < bases->count; i++) {
		snw_subtask part = {task, (double)i / bases->count, (i + 1.0) / bases->count};
		const snw_task quiet = {.context = &part, .progress = snw_task_of_subtask(&part).progress}; /* notices: one a fit */
		bases->list[i] = make_base(&c, i / c.over_count, i % c.over_count);
		if (measure_base(&c, &quiet, &bases->list[i]) == SNW_CANCELLED) {
			return snw_fail(error, SNW_CANCELLED, "cancelled");
		}
		bases->best = bases->list[i].erms < bases->list[bases->best].erms ? i : bases->best;
	}
	return bases->count > 0 && isfinite(bases->list[bases->best].erms)
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "no base could be measured: %s",
						  bases->count > 0 ? bases->list[0].failure : "no method that blends was found");
}
