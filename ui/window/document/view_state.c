/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The initial view, and how the view follows its document.
 */
#include "window/document/view_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lod/level_scene.h"

void snw_view_state_say(snw_view_state *state, const char *format, ...) {
	va_list values;
	va_start(values, format);
	vsnprintf(state->message, sizeof state->message, format, values);
	va_end(values);
	state->alarmed = false;
}

void snw_view_state_warn(snw_view_state *state, const char *words) {
	snprintf(state->message, sizeof state->message, "%s", words);
	state->alarmed = true;
}

const char *snw_heat_name(const snw_document *document, uint32_t heat) {
	static const char *const names[SNW_HEAT_FIELDS] = {"none", "error", "influences", "sculpt", "level"};
	return heat < SNW_HEAT_FIELDS ? names[heat] : document->fields[heat - SNW_HEAT_FIELDS];
}

const char *snw_plot_name(const snw_document *document, uint32_t plot) {
	return plot < SNW_PLOT_FIELDS ? "largest error" : document->plots[plot - SNW_PLOT_FIELDS];
}

/* ---- following the document --------------------------------------------------------------------------------------- */

void snw_view_state_start(snw_view_state *state, const snw_document *document) {
	const bool has_rest = document->scene->skeleton.joint_count > 0 && document->scene->pose_count > 0;
	state->clip = document->scene->clip_count > 0 && !has_rest ? 0 : SNW_NONE;
	state->pose = 0;
	state->seconds = 0;
	state->playing = state->before = state->sculpting = state->drawing_joints = false;
	state->method = state->heat = state->plot = state->level = 0;
	state->mesh = state->joint = state->example = state->group = state->layer = SNW_NONE;
}

static snw_view_side used_side(const snw_view_state *state) {
	return (snw_view_side){state->camera, state->flags, state->lights, state->light_turn};
}

snw_view_side snw_view_state_side(const snw_view_state *state, uint32_t side) {
	return state->is_split && side != state->side ? state->other : used_side(state);
}

void snw_view_state_use_side(snw_view_state *state, uint32_t side) {
	if (!state->is_split || side == state->side) {
		return;
	}
	const snw_view_side used = used_side(state), next = state->other;
	state->camera = next.camera;
	state->flags = next.flags;
	state->lights = next.lights;
	state->light_turn = next.light_turn;
	state->other = used;
	state->side = side;
}

void snw_view_state_copy_side(snw_view_state *state) {
	state->other = used_side(state);
	snw_camera_orbit(&state->other.camera, M_PI / 2, 0);
}

static uint32_t find_name(const char *const *names, uint32_t count, const char *name) {
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

/* The index in `list` (of `count`) of the row with the id that `former` (of `former_count`) has at `at`. */
#define FOLLOW(kind)                                                                                                           \
	static uint32_t follow_##kind(const snw_scene *former, const snw_scene *next, uint32_t at) {                               \
		for (uint32_t i = 0; at < former->kind##_count && i < next->kind##_count; i++) {                                       \
			if (next->kind##s[i].id == former->kind##s[at].id) {                                                               \
				return i;                                                                                                      \
			}                                                                                                                  \
		}                                                                                                                      \
		return SNW_NONE;                                                                                                       \
	}
FOLLOW(clip)
FOLLOW(pose)
FOLLOW(example)
FOLLOW(group)
FOLLOW(layer)
#undef FOLLOW

static uint32_t follow_shown_mesh(const snw_scene *former, const snw_scene *next, uint32_t at) {
	for (uint32_t i = 0; at < former->mesh_count && i < next->mesh_count; i++) {
		if (next->meshes[i].id == former->meshes[at].id) {
			return i;
		}
	}
	return SNW_NONE;
}

static uint32_t follow_method(const snw_document *old, const snw_document *next, uint32_t at) {
	for (uint32_t i = 0; at > 0 && at < old->method_count && i < next->method_count; i++) {
		if (strcmp(next->methods[i].name, old->methods[at].name) == 0 && next->methods[i].stack) {
			return i;
		}
	}
	return 0;
}

static uint32_t follow_joint(const snw_skeleton *former, const snw_skeleton *next, uint32_t at) {
	return at < former->joint_count ? find_name(next->names, next->joint_count, former->names[at]) : SNW_NONE;
}

snw_choices snw_view_state_choices(const snw_view_state *state) {
	return (snw_choices){.at = {state->mesh, state->joint, state->example, state->group, state->layer},
						 .sculpt_layer = state->sculpt_layer};
}

void snw_view_state_choose(snw_view_state *state, const snw_choices *choices) {
	state->mesh = choices->at[SNW_CHOICE_MESH];
	state->joint = choices->at[SNW_CHOICE_JOINT];
	state->example = choices->at[SNW_CHOICE_EXAMPLE];
	state->group = choices->at[SNW_CHOICE_GROUP];
	state->layer = choices->at[SNW_CHOICE_LAYER];
	state->sculpt_layer = choices->sculpt_layer;
}

void snw_choices_follow(snw_choices *choices, const snw_document *old, const snw_document *next) {
	const snw_scene *former = old->scene, *scene = next->scene;
	uint32_t *at = choices->at;
	at[SNW_CHOICE_MESH] = follow_shown_mesh(former, scene, at[SNW_CHOICE_MESH]);
	at[SNW_CHOICE_JOINT] = follow_joint(&former->skeleton, &scene->skeleton, at[SNW_CHOICE_JOINT]);
	at[SNW_CHOICE_EXAMPLE] = follow_example(former, scene, at[SNW_CHOICE_EXAMPLE]);
	at[SNW_CHOICE_GROUP] = follow_group(former, scene, at[SNW_CHOICE_GROUP]);
	at[SNW_CHOICE_LAYER] = follow_layer(former, scene, at[SNW_CHOICE_LAYER]);
}

void snw_view_state_follow(snw_view_state *state, const snw_document *old, const snw_document *next) {
	const snw_scene *old_scene = old->scene, *scene = next->scene;
	const uint32_t clip = state->clip;
	state->clip = follow_clip(old_scene, scene, state->clip);
	if (clip != SNW_NONE && state->clip == SNW_NONE) {
		state->playing = false;
	}
	state->pose = follow_pose(old_scene, scene, state->pose);
	state->pose = state->pose == SNW_NONE ? 0 : state->pose;
	snw_choices choices = snw_view_state_choices(state);
	snw_choices_follow(&choices, old, next);
	snw_view_state_choose(state, &choices);
	state->method = follow_method(old, next, state->method);
	if (state->level == SNW_LEVEL_BY_SIZE ? scene->level_count == 0 : !snw_scene_has_level(scene, state->level)) {
		state->level = 0;
	}
	state->shape = old_scene->channel_count == scene->channel_count ? state->shape : 0;
	if (state->heat >= SNW_HEAT_FIELDS) {
		const uint32_t at = find_name(next->fields, next->field_count, old->fields[state->heat - SNW_HEAT_FIELDS]);
		state->heat = at == SNW_NONE ? SNW_HEAT_NONE : at + SNW_HEAT_FIELDS;
	}
	if (state->plot >= SNW_PLOT_FIELDS) {
		const uint32_t at = find_name(next->plots, next->plot_count, old->plots[state->plot - SNW_PLOT_FIELDS]);
		state->plot = at == SNW_NONE ? SNW_PLOT_ERROR : at + SNW_PLOT_FIELDS;
	}
}
