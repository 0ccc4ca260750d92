/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of nodes, the file's default pose, and which nodes become joints: those of skins, those with a rigid mesh,
 * those with keys, all their parents, and empty nodes below these: sockets and the ends of limbs. The node of a skinned mesh
 * does not move it (glTF ignores its transform).
 */
#include <math.h>
#include <string.h>

#include "import/common/names.h"
#include "import/gltf/gltf_internal.h"
#include "sinew/algebra.h"

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

#define SHEAR_TOLERANCE 1e-4

static bool read_matrix(snw_gltf *g, snw_gltf_place place, const cJSON *object, snw_transform *local) {
	double columns[16] = {0}, matrix[12], recomposed[12];
	if (!snw_gltf_numbers(g, place, object, "matrix", 16, columns)) {
		return false;
	}
	double size = 0, off = 0;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			matrix[4 * r + c] = columns[4 * c + r];
		}
	}
	snw_transform_from_mat34(matrix, local);
	snw_transform_to_mat34(local, recomposed);
	for (int i = 0; i < 12; i++) {
		size = fmax(size, i % 4 < 3 ? fabs(matrix[i]) : 0);
		off = fmax(off, fabs(matrix[i] - recomposed[i]));
	}
	if (off > SHEAR_TOLERANCE * size) {
		snw_task_notice(g->reading.task, SNW_LOG_WARNING,
						"node %u: its matrix has shear, which joints do not support; the nearest rotation and scale are used",
						place.index);
	}
	return true;
}

static bool read_local(snw_gltf *g, uint32_t index, snw_transform *local) {
	const snw_gltf_place place = {"node", index};
	const cJSON *object = g->nodes.items[index];
	*local = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	if (snw_gltf_member(object, "matrix")) {
		return read_matrix(g, place, object, local);
	}
	if (!snw_gltf_numbers(g, place, object, "translation", 3, local->translation) ||
		!snw_gltf_numbers(g, place, object, "rotation", 4, local->rotation) ||
		!snw_gltf_numbers(g, place, object, "scale", 3, local->scale)) {
		return false;
	}
	snw_quat_normalize(local->rotation);
	return true;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

static bool read_children(snw_gltf *g, uint32_t index, snw_rig *nodes) {
	uint32_t *children, count;
	if (!snw_gltf_indices(g, (snw_gltf_place){"node", index}, g->nodes.items[index], "children", &g->nodes, &children,
						  &count)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *parent = &nodes->nodes[children[i]].parent;
		if (*parent != SNW_NONE) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "node %u: is a child of nodes %u and %u; the file is damaged",
									children[i], *parent, index);
		}
		*parent = index;
	}
	return true;
}

/* Marks the nodes of the default scene, which is the first if none is given; all nodes if the file has no scenes. */
static bool mark_shown(snw_gltf *g, snw_rig *nodes) {
	uint32_t shown, *roots, root_count;
	if (!snw_gltf_index(g, (snw_gltf_place){"glTF", 2}, g->root, "scene", &g->scenes, &shown)) {
		return false;
	}
	shown = shown == SNW_NONE ? 0 : shown;
	if (g->scenes.count > 0) {
		if (!snw_gltf_indices(g, (snw_gltf_place){"scene", shown}, g->scenes.items[shown], "nodes", &g->nodes, &roots,
							  &root_count)) {
			return false;
		}
		for (uint32_t i = 0; i < root_count; i++) {
			nodes->nodes[roots[i]].is_shown = true;
		}
	}
	for (uint32_t i = 0; i < nodes->count; i++) {
		snw_rig_node *node = &nodes->nodes[nodes->order[i]];
		node->is_shown |= g->scenes.count == 0 || (node->parent != SNW_NONE && nodes->nodes[node->parent].is_shown);
	}
	if (g->scenes.count > 1) {
		snw_task_notice(g->reading.task, SNW_LOG_WARNING, "the file has %u scenes; scene %u is imported", g->scenes.count,
						shown);
	}
	return true;
}

bool snw_gltf_read_nodes(snw_gltf *g, snw_rig *nodes) {
	*nodes = (snw_rig){.scratch = g->reading.scratch, .arena = g->reading.arena, .task = g->reading.task};
	snw_rig_begin(nodes, g->nodes.count);
	for (uint32_t i = 0; i < nodes->count; i++) {
		const snw_gltf_place place = {"node", i};
		snw_rig_node *node = &nodes->nodes[i];
		if (!read_local(g, i, &node->local) || !read_children(g, i, nodes) ||
			!snw_gltf_index(g, place, g->nodes.items[i], "mesh", &g->meshes, &node->mesh) ||
			!snw_gltf_index(g, place, g->nodes.items[i], "skin", &g->skins, &node->skin)) {
			return false;
		}
	}
	const uint32_t looped = snw_rig_order(nodes);
	if (looped != SNW_NONE) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "node %u: is among its own ancestors; the file is damaged",
								looped);
	}
	snw_rig_solve(nodes);
	return mark_shown(g, nodes) && snw_gltf_mark_levels(g, nodes);
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

static bool mark_skins(snw_gltf *g, bool *chosen) {
	for (uint32_t s = 0; s < g->skins.count; s++) {
		uint32_t *joints, count;
		if (!snw_gltf_indices(g, (snw_gltf_place){"skin", s}, g->skins.items[s], "joints", &g->nodes, &joints, &count)) {
			return false;
		}
		for (uint32_t i = 0; i < count; i++) {
			chosen[joints[i]] = true;
		}
	}
	return true;
}

static bool mark_animated(snw_gltf *g, bool *chosen) {
	for (uint32_t a = 0; a < g->animations.count; a++) {
		const cJSON *channels = snw_gltf_member(g->animations.items[a], "channels");
		for (const cJSON *channel = channels ? channels->child : NULL; channel; channel = channel->next) {
			const cJSON *target = snw_gltf_member(channel, "target");
			const char *path = snw_gltf_text(target, "path");
			uint32_t node;
			if (!snw_gltf_index(g, (snw_gltf_place){"animation", a}, target, "node", &g->nodes, &node)) {
				return false;
			}
			if (node != SNW_NONE && path &&
				(strcmp(path, "translation") == 0 || strcmp(path, "rotation") == 0 || strcmp(path, "scale") == 0)) {
				chosen[node] = true;
			}
		}
	}
	return true;
}

/* Cameras and lights are kept apart (kept.c), unless there is more below them. */
static bool is_lone_camera_or_light(const snw_gltf *g, uint32_t n) {
	return snw_gltf_has_camera_or_light(g, n) && cJSON_GetArraySize(snw_gltf_member(g->nodes.items[n], "children")) == 0;
}

/* Parents come first, so a node below an empty one is marked too. */
static void mark_empty(const snw_gltf *g, const snw_rig *nodes, bool *chosen) {
	for (uint32_t i = 0; i < nodes->count; i++) {
		const uint32_t n = nodes->order[i];
		const snw_rig_node *node = &nodes->nodes[n];
		chosen[n] |= node->is_shown && node->mesh == SNW_NONE && node->parent != SNW_NONE && chosen[node->parent] &&
					 !is_lone_camera_or_light(g, n);
	}
}

static uint32_t count_shown_meshes(const snw_rig *nodes) {
	uint32_t count = 0;
	for (uint32_t n = 0; n < nodes->count; n++) {
		count += nodes->nodes[n].is_shown && nodes->nodes[n].mesh != SNW_NONE;
	}
	return count;
}

bool snw_gltf_choose_joints(snw_gltf *g, snw_rig *nodes, snw_scene *scene) {
	bool *chosen = SNW_NEW_ARRAY(g->reading.scratch, bool, nodes->count);
	const char **names = SNW_NEW_ARRAY(g->reading.scratch, const char *, nodes->count);
	if (!mark_skins(g, chosen) || !mark_animated(g, chosen)) {
		return false;
	}
	mark_empty(g, nodes, chosen);
	for (uint32_t n = 0; n < nodes->count; n++) {
		names[n] = snw_name_clean(g->reading.arena, snw_gltf_text(g->nodes.items[n], "name"), g->reading.task);
	}
	snw_rig_choose_joints(nodes, chosen, names, scene);
	return snw_reading_check_size(&g->reading, nodes->joint_count, count_shown_meshes(nodes));
}
