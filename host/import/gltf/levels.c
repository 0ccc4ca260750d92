/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of detail: MSFT_lod of a node with a mesh names the nodes that stand in its place from afar, finest first. Each mesh
 * of these becomes a level. Such a file does not say how the points of a level follow from those of the mesh: each gets the
 * place on the faces of the mesh that is nearest to it at rest.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/gltf/gltf_internal.h"
#include "mesh/surface.h"
#include "sinew/algebra.h"

/* ---- which nodes --------------------------------------------------------------------------------------------------------- */

static const cJSON *extension_of(const snw_gltf *g, uint32_t node) {
	return snw_gltf_member(snw_gltf_member(g->nodes.items[node], "extensions"), "MSFT_lod");
}

static bool list_levels(snw_gltf *g, uint32_t node, uint32_t **ids, uint32_t *count) {
	return snw_gltf_indices(g, (snw_gltf_place){"node", node}, extension_of(g, node), "ids", &g->nodes, ids, count);
}

const char *snw_gltf_name_of_levels(snw_gltf *g, uint32_t node, const char *name) {
	const size_t length = name ? strlen(name) : 0;
	return length > 5 && extension_of(g, node) && strcmp(name + length - 5, "_LOD0") == 0
			   ? snw_arena_format(g->reading.arena, "%.*s", (int)length - 5, name)
			   : name;
}

/* A node is a level of one mesh at most, and a level has none itself. */
bool snw_gltf_mark_levels(snw_gltf *g, snw_rig *nodes) {
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		uint32_t *ids, count;
		if (!list_levels(g, n, &ids, &count)) {
			return false;
		}
		if (count > 0 && node->is_shown && node->mesh == SNW_NONE) {
			snw_task_notice(g->reading.task, SNW_LOG_WARNING,
							"node %u: its levels of detail are left out; only those of a node with a mesh are read", n);
			continue;
		}
		for (uint32_t i = 0; i < count && node->is_shown; i++) {
			snw_rig_node *level = &nodes->nodes[ids[i]];
			if (ids[i] != n && level->mesh != SNW_NONE && level->level_of == SNW_NONE) {
				level->level_of = n;
				level->is_shown = false;
			}
		}
	}
	return true;
}

/* ---- their meshes -------------------------------------------------------------------------------------------------------- */

typedef struct level_reader {
	snw_gltf *g;
	const snw_rig *nodes;
	const snw_gltf_shape *shapes;
	const snw_rig_skin *skins;
	const uint32_t *mesh_nodes;
	snw_rig_slots *slots;
	bool keep_points;
	snw_scene *scene;
	snw_level *levels;
} level_reader;

/* A level that the file names: the node at a place in the list of its mesh's node. */
typedef struct named_level {
	uint32_t number, mesh, node, index;
} named_level;

/* Below what share of the screen a level is shown: 0 where the file does not say it. */
static double read_share(const level_reader *r, uint32_t node, uint32_t index) {
	const cJSON *extras = snw_gltf_member(r->g->nodes.items[node], "extras");
	const cJSON *shares = snw_gltf_member(extras, "MSFT_screencoverage");
	const cJSON *share = cJSON_IsArray(shares) ? shares->child : NULL;
	for (uint32_t i = 0; i < index && share; i++) {
		share = share->next;
	}
	return cJSON_IsNumber(share) && share->valuedouble > 0 ? fmin(share->valuedouble, 1) : 0;
}

/* A rigid level is where its own node puts it, beside the node of the mesh. False where that node has no inverse. */
static bool find_moved(const snw_rig_node *of, const snw_rig_node *node, double own_place[12]) {
	double from[12], to[12];
	snw_transform_to_mat34(&of->local, from);
	snw_transform_to_mat34(&node->local, to);
	if (!snw_mat34_invert(from, own_place)) {
		return false;
	}
	snw_mat34_multiply(own_place, to, own_place);
	return true;
}

static bool find_stencils(const level_reader *r, snw_level *level) {
	const uint32_t count = level->shape.point_count;
	const snw_mesh *of = &r->scene->meshes[level->mesh];
	if (!snw_reading_reserve(&r->g->reading, count, sizeof(snw_surface_place) + 64)) {
		return false;
	}
	snw_surface_place *places = SNW_NEW_ARRAY(r->g->reading.scratch, snw_surface_place, count);
	uint32_t *offsets = SNW_NEW_ARRAY(r->g->reading.arena, uint32_t, (size_t)count + 1);
	uint32_t *points = SNW_NEW_ARRAY(r->g->reading.arena, uint32_t, 3 * (size_t)count);
	double *weights = SNW_NEW_ARRAY(r->g->reading.arena, double, 3 * (size_t)count);
	snw_error error = {0};
	const snw_status status = snw_surface_places_find(count, level->shape.points_rest, of, of->points_rest, "levels of detail",
													  r->g->reading.task, places, &error);
	if (snw_failed(status)) {
		return snw_reading_fail(&r->g->reading, status, "%s", error.text);
	}
	for (uint32_t p = 0; p < count; p++) {
		offsets[p + 1] = offsets[p];
		for (int k = 0; k < 3; k++) {
			if (places[p].shares[k] > 0) {
				points[offsets[p + 1]] = places[p].points[k];
				weights[offsets[p + 1]++] = places[p].shares[k];
			}
		}
	}
	level->stencil_offsets = offsets;
	level->stencil_points = points;
	level->stencil_weights = weights;
	return true;
}

/* Morph targets go through the stencils, and tangents are made by engines. */
static bool read_level(const level_reader *r, const named_level *named) {
	const uint32_t mesh = named->mesh;
	const snw_rig_node *of = &r->nodes->nodes[r->mesh_nodes[mesh]], *node = &r->nodes->nodes[named->node];
	snw_gltf_shape shape = r->shapes[node->mesh];
	const uint32_t skin = node->skin == SNW_NONE ? of->skin : node->skin;
	double own_place[12];
	if (skin == SNW_NONE && !find_moved(of, node, own_place)) {
		snw_task_notice(r->g->reading.task, SNW_LOG_WARNING,
						"mesh %s: a level of detail is left out, since the transform of its node has no inverse",
						r->scene->meshes[mesh].name);
		return true;
	}
	snw_level *level = &r->levels[r->scene->level_count];
	*level = (snw_level){
		.mesh = mesh, .number = named->number, .request = "from its file", .shape.name = r->scene->meshes[mesh].name};
	shape.target_count = shape.attribute_count = 0;
	if (!snw_gltf_make_mesh(r->g, &shape, of, skin == SNW_NONE ? own_place : NULL, skin == SNW_NONE ? NULL : &r->skins[skin],
							r->scene, r->slots, r->keep_points, &level->shape)) {
		return false;
	}
	level->shape.morphs = NULL;
	level->shape.corner_tangents = NULL;
	level->screen_share = read_share(r, r->mesh_nodes[mesh], named->index);
	level->worst_pose = "";
	r->scene->level_count += level->shape.face_count > 0;
	return level->shape.face_count == 0 || find_stencils(r, level);
}

static int by_number(const void *a, const void *b) {
	const named_level *x = a, *y = b;
	return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
								  : (x->mesh > y->mesh) - (x->mesh < y->mesh);
}

/* Those that have points, each once, by number, then by mesh: the order of a scene. */
static bool name_levels(const level_reader *r, named_level *named, uint32_t *named_count) {
	bool *is_named = SNW_NEW_ARRAY(r->g->reading.scratch, bool, r->nodes->count);
	*named_count = 0;
	for (uint32_t m = 0; m < r->scene->mesh_count; m++) {
		const uint32_t of = r->mesh_nodes[m];
		uint32_t *ids, count, number = 0;
		if (!list_levels(r->g, of, &ids, &count)) {
			return false;
		}
		for (uint32_t i = 0; i < count && r->scene->meshes[m].point_count > 0; i++) {
			const snw_rig_node *node = &r->nodes->nodes[ids[i]];
			if (node->level_of == of && !is_named[ids[i]] && r->shapes[node->mesh].face_count > 0) {
				is_named[ids[i]] = true;
				named[(*named_count)++] = (named_level){++number, m, ids[i], i};
			}
		}
	}
	qsort(named, *named_count, sizeof *named, by_number);
	return true;
}

/* Joints that move points of a level's meshes: of those from `begin` on that have the same number. Returns where they end. */
static uint32_t count_joints(const level_reader *r, uint32_t begin, uint32_t *moved_by) {
	uint32_t end = begin, count = 0;
	for (; end < r->scene->level_count && r->levels[end].number == r->levels[begin].number; end++) {
		const snw_mesh *shape = &r->levels[end].shape;
		for (uint32_t k = 0; shape->influence_offsets && k < shape->influence_offsets[shape->point_count]; k++) {
			const uint32_t joint = r->slots->joints[shape->influence_slots[k]];
			count += moved_by[joint] != r->levels[end].number;
			moved_by[joint] = r->levels[end].number;
		}
	}
	for (uint32_t i = begin; i < end; i++) {
		r->levels[i].joint_count = count;
		r->levels[i].slot_count = r->slots->count;
	}
	return end;
}

bool snw_gltf_levels(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, const snw_rig_skin *skins,
					 const uint32_t *mesh_nodes, snw_rig_slots *slots, bool keep_points, snw_scene *scene) {
	uint32_t most = 1, count;
	for (uint32_t n = 0; n < nodes->count; n++) {
		most += nodes->nodes[n].level_of != SNW_NONE;
	}
	snw_level *levels = SNW_NEW_ARRAY(g->reading.arena, snw_level, most);
	named_level *named = SNW_NEW_ARRAY(g->reading.scratch, named_level, most);
	const level_reader r = {g, nodes, shapes, skins, mesh_nodes, slots, keep_points, scene, levels};
	if (!name_levels(&r, named, &count)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!read_level(&r, &named[i])) {
			return false;
		}
	}
	uint32_t *moved_by = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, (size_t)nodes->count + 1);
	for (uint32_t i = 0; i < scene->level_count;) {
		i = count_joints(&r, i, moved_by);
	}
	scene->levels = levels;
	return true;
}
