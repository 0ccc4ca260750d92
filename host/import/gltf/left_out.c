/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the file has and the scene has no place for, in one line.
 */
#include <string.h>

#include "import/gltf/gltf_internal.h"

typedef struct left_out {
	uint32_t empty_nodes, extras, attributes, normals;
	const char *attribute; /* the first */
} left_out;

static void count_extras(const snw_gltf_list *list, left_out *l) {
	for (uint32_t i = 0; i < list->count; i++) {
		const cJSON *extras = snw_gltf_member(list->items[i], "extras");
		const bool has_names_alone =
			snw_gltf_member(extras, "targetNames") && cJSON_GetArraySize(extras) == 1; /* read as the names of targets */
		l->extras +=
			extras && !cJSON_IsNull(extras) && !has_names_alone && cJSON_GetArraySize(extras) + !cJSON_IsObject(extras) > 0;
	}
}

/* Attributes that are read, or kept. */
static bool is_taken(const snw_gltf *g, const cJSON *attribute) {
	static const char *const read[] = {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0"};
	for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
		if (strcmp(attribute->string, read[i]) == 0) {
			return true;
		}
	}
	return strncmp(attribute->string, "JOINTS_", 7) == 0 || strncmp(attribute->string, "WEIGHTS_", 8) == 0 ||
		   snw_gltf_keeps_attribute(g, attribute);
}

static void count_primitive(const snw_gltf *g, const cJSON *primitive, bool has[2], left_out *l) {
	const cJSON *attributes = snw_gltf_member(primitive, "attributes"), *targets = snw_gltf_member(primitive, "targets");
	for (const cJSON *a = attributes ? attributes->child : NULL; a; a = a->next) {
		if (a->string && !is_taken(g, a)) {
			has[0] = true;
			l->attribute = l->attribute ? l->attribute : a->string;
		}
	}
	for (const cJSON *target = targets ? targets->child : NULL; target; target = target->next) {
		has[1] |= snw_gltf_member(target, "NORMAL") != NULL;
	}
}

static void count_meshes(const snw_gltf *g, left_out *l) {
	for (uint32_t m = 0; m < g->meshes.count; m++) {
		bool has[2] = {false, false};
		const cJSON *primitives = snw_gltf_member(g->meshes.items[m], "primitives");
		for (const cJSON *p = primitives ? primitives->child : NULL; p; p = p->next) {
			count_primitive(g, p, has, l);
		}
		l->attributes += has[0];
		l->normals += has[1];
	}
}

/* Nodes with nothing on them or below them, which are not joints. */
static void count_nodes(const snw_gltf *g, const snw_rig *nodes, left_out *l) {
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		l->empty_nodes +=
			node->is_shown && node->joint == SNW_NONE && node->mesh == SNW_NONE && !snw_gltf_has_camera_or_light(g, n);
	}
}

/* Appends "2 cameras" to a list of them. */
static const char *listed(snw_arena *arena, const char *words, uint32_t count, const char *one, const char *many) {
	return count == 0 ? words
					  : snw_arena_format(arena, "%s%s%u %s", words, words[0] ? ", " : "", count, count == 1 ? one : many);
}

void snw_gltf_tell_left_out(snw_gltf *g, const snw_rig *nodes) {
	left_out l = {0};
	snw_arena *arena = g->reading.scratch;
	const snw_gltf_list *with_extras[] = {&g->nodes, &g->meshes, &g->skins, &g->animations, &g->scenes};
	for (size_t i = 0; i < sizeof with_extras / sizeof *with_extras; i++) {
		count_extras(with_extras[i], &l);
	}
	count_meshes(g, &l);
	count_nodes(g, nodes, &l);
	const char *words =
		listed(arena, "", l.empty_nodes, "empty node that is below no joint", "empty nodes that are below no joint");
	words = listed(arena, words, l.extras, "object's extras", "objects' extras");
	if (l.attributes > 0) {
		const char *attributes = snw_arena_format(arena, "with attributes such as %.60s", l.attribute);
		words = listed(arena, words, l.attributes, snw_arena_format(arena, "mesh %s", attributes),
					   snw_arena_format(arena, "meshes %s", attributes));
	}
	words = listed(arena, words, l.normals, "mesh's normals of morph targets, which are made anew",
				   "meshes' normals of morph targets, which are made anew");
	if (words[0]) {
		snw_task_notice(g->reading.task, SNW_LOG_INFO, "left out: %s", words);
	}
}
