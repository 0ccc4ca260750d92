/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Following the state.
 */
#include "window/studio.h"

#include <string.h>

#define LINEAR_BLEND "linear-blend"

/* ---- methods ------------------------------------------------------------------------------------------------------ */

static void add_method(snw_studio *studio, const char *name, const char *method) {
	studio->methods[studio->method_count++] = (snw_studio_method){.name = name, .method = method};
}

/* The whole stack first, then what each layer leaves when it is the last, then what binds to any character by itself. */
static void list_methods(snw_studio *studio) {
	const snw_scene *scene = studio->scene;
	const uint32_t plugins = snw_registry_count(studio->registry);
	studio->methods = SNW_NEW_ARRAY(studio->arena, snw_studio_method, 2 + scene->layer_count + plugins);
	add_method(studio, "the whole stack", NULL);
	for (uint32_t i = 0; i + 1 < scene->layer_count; i++) {
		add_method(studio, snw_arena_format(studio->arena, "up to %s", scene->layers[i].name), scene->layers[i].name);
	}
	for (uint32_t i = 0; i < plugins; i++) {
		const snw_plugin_info *info = snw_registry_get(studio->registry, i);
		const snw_descriptor *descriptor = info->deformer ? info->deformer->descriptor : NULL;
		bool known = !descriptor || !(descriptor->traits & SNW_BINDS);
		for (uint32_t l = 0; !known && l < scene->layer_count; l++) {
			known = strcmp(scene->layers[l].deformer, descriptor->id) == 0;
		}
		if (!known) {
			add_method(studio, descriptor->short_name, descriptor->short_name);
		}
	}
}

snw_status snw_studio_ready(snw_studio *studio, uint32_t method, snw_error *error) {
	snw_studio_method *chosen = &studio->methods[method];
	const snw_stack_options options = {.method = chosen->method};
	return chosen->stack ? SNW_OK
						 : snw_stack_build(studio->scene, studio->registry, &options, studio->task, &chosen->stack, error);
}

/* Before and after are one key apart, so both are there from the start. Without a skin there is no linear blend. */
static void find_linear(snw_studio *studio) {
	studio->linear = SNW_NONE;
	for (uint32_t i = 0; i < studio->method_count; i++) {
		const snw_studio_method *method = &studio->methods[i];
		if (method->method && strcmp(method->method, LINEAR_BLEND) == 0) {
			studio->linear = i;
		}
	}
	if (studio->linear == SNW_NONE) {
		studio->linear = studio->method_count;
		add_method(studio, LINEAR_BLEND, LINEAR_BLEND);
	}
	if (snw_studio_ready(studio, studio->linear, NULL) < 0) {
		studio->linear = SNW_NONE;
	}
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

static void list_fields(snw_studio *studio) {
	const snw_scene *scene = studio->scene;
	studio->fields = SNW_NEW_ARRAY(studio->arena, const char *, scene->field_count);
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		bool known = field->domain != SNW_DOMAIN_POINTS || field->components != 1;
		for (uint32_t k = 0; k < studio->field_count && !known; k++) {
			known = strcmp(studio->fields[k], field->name) == 0;
		}
		if (!known) {
			studio->fields[studio->field_count++] = field->name;
		}
	}
}

static void make_buffers(snw_studio *studio) {
	const snw_scene *scene = studio->scene;
	uint32_t most = 0;
	studio->global = SNW_NEW_ARRAY(studio->arena, double, 12 * (size_t)scene->skeleton.joint_count);
	studio->palette = SNW_NEW_ARRAY(studio->arena, double, 12 * (size_t)scene->slot_count);
	studio->distances = SNW_NEW_ARRAY(studio->arena, double *, scene->mesh_count);
	studio->shown = SNW_NEW_ARRAY(studio->arena, const double *, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		studio->distances[m] = SNW_NEW_ARRAY(studio->arena, double, count);
		most = count > most ? count : most;
	}
	studio->points = SNW_NEW_ARRAY(studio->arena, float, 3 * (size_t)most);
}

snw_status snw_studio_create(const snw_scene *scene, const snw_registry *registry, const snw_task *task, snw_renderer *renderer,
							 snw_studio *studio, snw_error *error) {
	*studio = (snw_studio){.scene = scene, .registry = registry, .task = task, .arena = snw_arena_create()};
	list_methods(studio);
	list_fields(studio);
	make_buffers(studio);
	snw_status status = snw_studio_ready(studio, 0, error);
	if (status >= 0) {
		find_linear(studio);
		status = snw_viewport_create(renderer, scene, studio->method_count + 1, &studio->viewport, error);
	}
	if (status < 0) {
		snw_studio_destroy(studio);
	}
	return status;
}

void snw_studio_destroy(snw_studio *studio) {
	snw_viewport_destroy(studio->viewport);
	for (uint32_t i = 0; i < studio->method_count; i++) {
		snw_stack_destroy(studio->methods[i].stack);
	}
	snw_clip_reel_free(&studio->reel);
	snw_arena_destroy(studio->arena);
	*studio = (snw_studio){0};
}

/* ---- following ---------------------------------------------------------------------------------------------------- */

void snw_studio_choose_clip(snw_studio *studio, uint32_t clip) {
	if (clip == SNW_NONE) {
		snw_clip_reel_free(&studio->reel);
	} else if (!studio->reel.arena || studio->reel.clip != clip) {
		snw_clip_reel_load(&studio->reel, studio->scene, clip);
	}
	snw_studio_rescale(studio);
}

void snw_studio_rescale(snw_studio *studio) {
	studio->posed = NULL;
	studio->error_scale = 0;
}

/* While errors are shown, time stands at the moments that have a truth. */
static const snw_pose *pose_of(const snw_studio *studio, const snw_view_state *state) {
	const snw_clip_reel *reel = &studio->reel;
	if (!reel->arena) {
		return state->pose < studio->scene->pose_count ? &studio->scene->poses[state->pose] : NULL;
	}
	double seconds = state->seconds;
	if (state->heat == SNW_HEAT_ERROR && reel->truth_count > 0) {
		seconds = reel->truth_seconds[snw_latest_time(reel->truth_seconds, reel->truth_count, seconds)];
	}
	return reel->poses[snw_clip_reel_at(reel, seconds)];
}

snw_status snw_studio_update(snw_studio *studio, const snw_view_state *state, snw_error *error) {
	const uint32_t method = state->before && studio->linear != SNW_NONE ? studio->linear : state->method;
	const snw_stack *stack = studio->methods[method].stack;
	const snw_pose *pose = pose_of(studio, state);
	studio->view.scene = studio->scene;
	studio->view.camera = state->camera;
	studio->view.flags = state->flags;
	if (studio->posed && pose == studio->posed && stack == studio->view.stack && state->heat == studio->heat) {
		return SNW_OK;
	}
	studio->view.stack = pose ? stack : NULL;
	studio->view.pose = pose ? &studio->pose : NULL;
	if (pose) {
		snw_pose_solve(studio->scene, pose, studio->global, studio->palette, &studio->pose);
	}
	const snw_status status = snw_viewport_pose(studio->viewport, &studio->view, error);
	if (status < 0) {
		return status;
	}
	studio->posed = pose;
	studio->heat = state->heat;
	snw_studio_find_heat(studio, state);
	snw_viewport_heat(studio->viewport, &studio->view);
	return SNW_OK;
}
