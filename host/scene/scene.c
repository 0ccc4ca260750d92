/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/deformer.h"

snw_scene *snw_scene_create(void) {
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = SNW_NEW(arena, snw_scene);
	scene->arena = arena;
	return scene;
}

void snw_scene_destroy(snw_scene *scene) {
	if (scene) {
		snw_arena_destroy(scene->arena); /* which contains the scene */
	}
}

/* Names are pointers at some offset in the elements of an array. */
static uint32_t find_name(const void *elements, uint32_t count, size_t element_bytes, size_t name_offset, const char *name) {
	for (uint32_t i = 0; i < count; i++) {
		const char *candidate;
		memcpy(&candidate, (const char *)elements + i * element_bytes + name_offset, sizeof candidate);
		if (strcmp(candidate, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

#define FIND(array, count, type, wanted) find_name((array), (count), sizeof(type), offsetof(type, name), (wanted))

uint32_t snw_scene_find_mesh(const snw_scene *scene, const char *name) {
	return FIND(scene->meshes, scene->mesh_count, snw_mesh, name);
}

uint32_t snw_scene_find_joint(const snw_scene *scene, const char *name) {
	return find_name(scene->skeleton.names, scene->skeleton.joint_count, sizeof(const char *), 0, name);
}

uint32_t snw_scene_find_clip(const snw_scene *scene, const char *name) {
	return FIND(scene->clips, scene->clip_count, snw_clip, name);
}

uint32_t snw_scene_find_pose(const snw_scene *scene, const char *name) {
	return FIND(scene->poses, scene->pose_count, snw_pose, name);
}

uint32_t snw_scene_find_example(const snw_scene *scene, const char *name) {
	return FIND(scene->examples, scene->example_count, snw_example, name);
}

uint32_t snw_scene_find_group(const snw_scene *scene, const char *name) {
	return FIND(scene->groups, scene->group_count, snw_group, name);
}

uint32_t snw_scene_find_target(const snw_scene *scene, const char *name) {
	return FIND(scene->targets, scene->target_count, snw_target, name);
}

uint32_t snw_scene_find_layer(const snw_scene *scene, const char *name) {
	return FIND(scene->layers, scene->layer_count, snw_layer, name);
}

uint32_t snw_scene_find_channel(const snw_scene *scene, const char *name) {
	return FIND(scene->channels, scene->channel_count, snw_channel, name);
}

uint32_t snw_scene_find_field(const snw_scene *scene, uint32_t mesh, const char *name) {
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (scene->fields[i].mesh == mesh && strcmp(scene->fields[i].name, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

uint32_t snw_scene_active_example_count(const snw_scene *scene) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		count += !scene->examples[i].muted;
	}
	return count;
}

const char *snw_scene_free_name(const snw_scene *scene, snw_scene_finder *find, const char *name, snw_arena *arena) {
	const char *dash = strrchr(name, '-'), *tried = name;
	char *end = NULL;
	const unsigned long number = dash ? strtoul(dash + 1, &end, 10) : 0;
	const bool numbered = number > 0 && *end == '\0';
	const int stem = numbered ? (int)(dash - name) : (int)strlen(name);
	for (unsigned long i = numbered ? number + 1 : 2; find(scene, tried) != SNW_NONE; i++) {
		tried = snw_arena_format(arena, "%.*s-%lu", stem, name, i);
	}
	return tried == name ? snw_arena_text(arena, name) : tried;
}

uint32_t snw_scene_largest_mesh(const snw_scene *scene) {
	uint32_t largest = scene->mesh_count > 0 ? 0 : SNW_NONE;
	for (uint32_t m = 1; m < scene->mesh_count; m++) {
		largest = scene->meshes[m].point_count > scene->meshes[largest].point_count ? m : largest;
	}
	return largest;
}

/* Scenes get this layer when no plug-ins are loaded, so it cannot be found by the trait SNW_BASELINE. The build says which
 * deformer it is (deformers/meson.build); tests/plugin/registry.c compares it with the trait. */
static void set_layer(snw_scene *scene, const char *name, const char *deformer, const char *version) {
	snw_layer *layer = SNW_NEW(scene->arena, snw_layer);
	*layer = (snw_layer){.name = name, .deformer = deformer, .deformer_version = version, .model = SNW_NONE};
	scene->layers = layer;
	scene->layer_count = 1;
}

void snw_scene_add_baseline(snw_scene *scene) {
	set_layer(scene, SINEW_BASELINE_NAME, SINEW_BASELINE_ID, SINEW_BASELINE_VERSION);
}

void snw_scene_add_dual_quaternions(snw_scene *scene) {
	set_layer(scene, SINEW_DUAL_QUATERNION_NAME, SINEW_DUAL_QUATERNION_ID, SINEW_DUAL_QUATERNION_VERSION);
}

double snw_scene_diagonal(const snw_scene *scene, uint32_t mesh) {
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (mesh != SNW_NONE && m != mesh) {
			continue;
		}
		const double *points = scene->meshes[m].points_rest;
		for (size_t i = 0; i < 3 * (size_t)scene->meshes[m].point_count; i++) {
			low[i % 3] = fmin(low[i % 3], points[i]);
			high[i % 3] = fmax(high[i % 3], points[i]);
		}
	}
	if (low[0] > high[0]) {
		return 0; /* no points */
	}
	const double extent[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
	return snw_length3(extent);
}
