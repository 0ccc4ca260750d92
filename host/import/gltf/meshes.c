/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh of the scene for each node that has one: places its shape at rest, binds it to slots, gives its morph targets
 * channels, and merges its points.
 */
#include <math.h>
#include <string.h>

#include "import/common/reading.h"
#include "import/gltf/gltf_internal.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* An instance under construction. `world` maps the space of its shape to rest space. */
typedef struct instance {
	snw_gltf *g;
	const snw_gltf_shape *shape;
	const snw_rig_node *node;
	double world[12];
	bool is_mirrored;
	snw_mesh *mesh;
} instance;

/* ---- placement at rest --------------------------------------------------------------------------------------------------- */

static void place_points(const instance *in) {
	double *points = SNW_NEW_ARRAY(in->g->reading.arena, double, 3 * (size_t)in->shape->point_count);
	for (size_t p = 0; p < in->shape->point_count; p++) {
		snw_mat34_point(in->world, in->shape->points + 3 * p, points + 3 * p);
	}
	in->mesh->point_count = in->shape->point_count;
	in->mesh->points_rest = points;
}

/* ---- faces and corners --------------------------------------------------------------------------------------------------- */

/* If the placement mirrors, the corners of faces are reversed to keep their orientation. */
static void place_faces(const instance *in) {
	const snw_gltf_shape *shape = in->shape;
	const uint32_t count = shape->face_count;
	uint32_t *offsets = SNW_NEW_ARRAY(in->g->reading.arena, uint32_t, (size_t)count + 1);
	uint32_t *points = SNW_NEW_ARRAY(in->g->reading.arena, uint32_t, 3 * (size_t)count);
	for (uint32_t f = 0; f < count; f++) {
		const uint32_t *face = shape->face_points + 3 * (size_t)f;
		offsets[f + 1] = 3 * (f + 1);
		points[3 * f] = face[0];
		points[3 * f + 1] = face[in->is_mirrored ? 2 : 1];
		points[3 * f + 2] = face[in->is_mirrored ? 1 : 2];
	}
	in->mesh->face_count = count;
	in->mesh->face_offsets = offsets;
	in->mesh->face_points = points;
	in->mesh->face_materials =
		shape->has_materials ? snw_arena_copy(in->g->reading.arena, shape->face_materials, count * sizeof(uint32_t)) : NULL;
}

static float *corner_values(const instance *in, const float *values, uint32_t width) {
	const uint32_t corner_count = in->mesh->face_offsets[in->mesh->face_count];
	float *corners = values ? SNW_NEW_ARRAY(in->g->reading.arena, float, (size_t)width *corner_count) : NULL;
	for (uint32_t c = 0; corners && c < corner_count; c++) {
		memcpy(corners + (size_t)width * c, values + (size_t)width * in->mesh->face_points[c], width * sizeof(float));
	}
	return corners;
}

static void place_attributes(const instance *in) {
	const snw_gltf_shape *shape = in->shape;
	snw_attribute *attributes = SNW_NEW_ARRAY(in->g->reading.arena, snw_attribute, shape->attribute_count);
	for (uint32_t i = 0; i < shape->attribute_count; i++) {
		const snw_gltf_attribute *from = &shape->attributes[i];
		const bool is_uv = from->key[0] != '_';
		attributes[i] = (snw_attribute){
			.name = is_uv ? "" : snw_name_clean(in->g->reading.arena, from->key, in->g->reading.task),
			.is_uv = is_uv,
			.width = from->width,
			.corner_count = in->mesh->face_offsets[in->mesh->face_count],
			.values = corner_values(in, from->values, from->width),
		};
	}
	in->mesh->attribute_count = shape->attribute_count;
	in->mesh->attributes = attributes;
}

/* Normals are mapped by the inverse transpose. A corner without one, or with one of no length, gets that of its face. */
static void place_normals(const instance *in) {
	const snw_gltf_shape *shape = in->shape;
	snw_mesh *mesh = in->mesh;
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	double inverse[12];
	if (!shape->normals || !snw_mat34_invert(in->world, inverse)) {
		return;
	}
	float *normals = SNW_NEW_ARRAY(in->g->reading.arena, float, 3 * (size_t)corner_count);
	for (uint32_t c = 0; c < corner_count; c++) {
		const double *n = shape->normals + 3 * (size_t)mesh->face_points[c];
		double normal[3];
		for (int i = 0; i < 3; i++) {
			normal[i] = inverse[i] * n[0] + inverse[4 + i] * n[1] + inverse[8 + i] * n[2];
		}
		snw_normalize3(normal);
		if (!(fabs(snw_length3(normal) - 1) < 1e-6)) {
			snw_face_normal(mesh->points_rest, mesh->face_points + (size_t)3 * (c / 3), 3, normal);
		}
		for (int i = 0; i < 3; i++) {
			normals[3 * (size_t)c + (size_t)i] = (float)normal[i];
		}
	}
	mesh->corner_normals = normals;
}

/* The sign that glTF gives with a tangent changes where the placement mirrors. A corner whose tangent has no length gets
 * none. */
static void place_tangents(const instance *in) {
	const snw_gltf_shape *shape = in->shape;
	snw_mesh *mesh = in->mesh;
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	if (!shape->tangents || !mesh->corner_normals) {
		return;
	}
	float *tangents = SNW_NEW_ARRAY(in->g->reading.arena, float, 4 * (size_t)corner_count);
	for (uint32_t c = 0; c < corner_count; c++) {
		const double *from = shape->tangents + 4 * (size_t)mesh->face_points[c];
		float *dest = tangents + 4 * (size_t)c;
		double tangent[3];
		snw_mat34_vector(in->world, from, tangent);
		snw_normalize3(tangent);
		if (fabs(snw_length3(tangent) - 1) < 1e-6) {
			for (int i = 0; i < 3; i++) {
				dest[i] = (float)tangent[i];
			}
			dest[3] = (from[3] < 0) != in->is_mirrored ? -1 : 1;
		}
	}
	mesh->corner_tangents = tangents;
}

/* ---- influences ---------------------------------------------------------------------------------------------------------- */

static bool bind_skin(const instance *in, const snw_rig_skin *skin) {
	const snw_gltf_shape *shape = in->shape;
	const size_t limit = (size_t)shape->point_count * shape->influence_width;
	if (limit >= SNW_NONE / 2) {
		return snw_reading_fail(&in->g->reading, SNW_ERROR_LIMIT, "mesh %s: has more influences than %u; split it",
								in->mesh->name, SNW_NONE / 2);
	}
	snw_arena *arena = snw_arena_create();
	snw_influence *list = SNW_NEW_ARRAY(arena, snw_influence, limit);
	size_t count = 0;
	bool ok = true;
	for (size_t i = 0; ok && i < limit; i++) {
		const double weight = shape->weights[i];
		const uint32_t joint = shape->joints[i];
		if (weight == 0) {
			continue;
		}
		if (joint >= skin->joint_count) {
			ok = snw_reading_fail(&in->g->reading, SNW_ERROR_DATA,
								  "mesh %s: vertex %zu refers to joint %u of a skin with %u; the file is damaged",
								  in->mesh->name, i / shape->influence_width, joint, skin->joint_count);
			break;
		}
		list[count++] = (snw_influence){(uint32_t)(i / shape->influence_width), skin->slots[joint], weight};
	}
	if (ok) {
		snw_mesh_bind(in->mesh, list, count, skin->slots[skin->top], in->g->reading.arena, in->g->reading.task);
	}
	snw_arena_destroy(arena);
	return ok;
}

/* ---- morph targets ------------------------------------------------------------------------------------------------------- */

static void place_morphs(const instance *in) {
	const snw_gltf_shape *shape = in->shape;
	snw_morph *morphs = SNW_NEW_ARRAY(in->g->reading.arena, snw_morph, shape->target_count);
	for (uint32_t t = 0; t < shape->target_count; t++) {
		const snw_morph *from = &shape->targets[t];
		double *vectors = SNW_NEW_ARRAY(in->g->reading.arena, double, 3 * (size_t)from->count);
		for (size_t i = 0; i < from->count; i++) {
			snw_mat34_vector(in->world, from->vectors + 3 * i, vectors + 3 * i);
		}
		morphs[t] = (snw_morph){
			.name = shape->target_names[t] ? snw_arena_text(in->g->reading.arena, shape->target_names[t])
										   : snw_arena_format(in->g->reading.arena, "morph-%u", t),
			.channel = in->node->first_channel + t,
			.count = from->count,
			.points = snw_arena_copy(in->g->reading.arena, from->points, from->count * sizeof from->points[0]),
			.vectors = vectors,
		};
	}
	in->mesh->morph_count = shape->target_count;
	in->mesh->morphs = morphs;
}

/* A channel for each target of each node; a node can override the weights. If several meshes have targets, their names include
 * the mesh's. */
static bool list_channels(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, const uint32_t *mesh_nodes,
						  const snw_mesh *meshes, uint32_t mesh_count, snw_scene *scene) {
	uint64_t count = 0;
	uint32_t morphed_count = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		const uint32_t targets = shapes[nodes->nodes[mesh_nodes[m]].mesh].target_count;
		count += targets;
		morphed_count += targets > 0;
	}
	if (count >= SNW_NONE || !snw_reading_reserve(&g->reading, count, 256)) {
		return false;
	}
	snw_channel *channels = SNW_NEW_ARRAY(g->reading.arena, snw_channel, count);
	const char **names = SNW_NEW_ARRAY(g->reading.scratch, const char *, count);
	double *weights = SNW_NEW_ARRAY(g->reading.scratch, double, count);
	uint32_t next = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		snw_rig_node *node = &nodes->nodes[mesh_nodes[m]];
		const snw_gltf_shape *shape = &shapes[node->mesh];
		node->first_channel = shape->target_count > 0 ? next : SNW_NONE;
		memcpy(weights + next, shape->target_weights, shape->target_count * sizeof weights[0]);
		if (shape->target_count > 0 &&
			!snw_gltf_numbers(g, (snw_gltf_place){"node", mesh_nodes[m]}, g->nodes.items[mesh_nodes[m]], "weights",
							  shape->target_count, weights + next)) {
			return false;
		}
		for (uint32_t t = 0; t < shape->target_count; t++) {
			const char *text =
				shape->target_names[t] ? shape->target_names[t] : snw_arena_format(g->reading.scratch, "morph-%u", t);
			names[next++] = morphed_count > 1 ? snw_arena_format(g->reading.arena, "%s.%s", meshes[m].name, text)
											  : snw_arena_text(g->reading.arena, text);
		}
	}
	snw_names_make_unique(g->reading.arena, names, next, "channel", g->reading.task);
	for (uint32_t c = 0; c < next; c++) {
		channels[c] = (snw_channel){.name = names[c], .initial = weights[c]};
	}
	scene->channels = channels;
	scene->channel_count = next;
	return true;
}

/* ---- all meshes ---------------------------------------------------------------------------------------------------------- */

bool snw_gltf_make_mesh(snw_gltf *g, const snw_gltf_shape *shape, const snw_rig_node *node, const double *own_place,
						const snw_rig_skin *skin, const snw_scene *scene, snw_rig_slots *slots, bool keep_points,
						snw_mesh *mesh) {
	instance made = {.g = g, .shape = shape, .node = node, .mesh = mesh}, *in = &made;
	const uint64_t point_bytes = 100 + 24 * (uint64_t)shape->influence_width;
	if (!snw_reading_reserve(&in->g->reading, shape->point_count, point_bytes) ||
		!snw_reading_reserve(&in->g->reading, shape->face_count, 200)) {
		return false;
	}
	uint32_t slot = SNW_NONE;
	if (skin) {
		memcpy(in->world, skin->placement, sizeof in->world);
	} else {
		slot = snw_rig_rigid_slot(in->node, scene, slots, in->world);
		if (own_place) {
			snw_mat34_multiply(in->world, own_place, in->world);
		}
	}
	in->is_mirrored = snw_mat34_determinant(in->world) < 0;
	place_points(in);
	place_faces(in);
	in->mesh->corner_uvs = corner_values(in, shape->uvs, 2);
	in->mesh->corner_colors = corner_values(in, shape->colors, 4);
	place_attributes(in);
	if (!snw_gltf_place_uvs(in->g, in->mesh)) {
		return false;
	}
	place_normals(in);
	place_tangents(in);
	place_morphs(in);
	if (!skin) {
		snw_rig_bind_rigid(in->mesh, slot, in->g->reading.arena);
	} else if (!bind_skin(in, skin)) {
		return false;
	}
	snw_mesh_finish(in->mesh, keep_points, shape->repeats_points, in->g->reading.arena, in->g->reading.task);
	return true;
}

/* The shown nodes that have a mesh with points, and names for the meshes. */
static uint32_t list_mesh_nodes(snw_gltf *g, const snw_rig *nodes, const snw_gltf_shape *shapes, uint32_t *mesh_nodes,
								const char **names) {
	uint32_t count = 0;
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		if (node->is_shown && node->mesh != SNW_NONE && shapes[node->mesh].point_count > 0) {
			char *name = snw_name_clean(g->reading.arena, snw_gltf_text(g->nodes.items[n], "name"), g->reading.task);
			name = name ? name
						: snw_name_clean(g->reading.arena, snw_gltf_text(g->meshes.items[node->mesh], "name"), g->reading.task);
			names[count] = snw_gltf_name_of_levels(g, n, name);
			mesh_nodes[count++] = n;
		}
	}
	snw_names_make_unique(g->reading.arena, names, count, "mesh", g->reading.task);
	return count;
}

bool snw_gltf_meshes(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, const snw_rig_skin *skins, snw_rig_slots *slots,
					 bool keep_points, snw_scene *scene) {
	uint32_t *mesh_nodes = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, nodes->count);
	const char **names = SNW_NEW_ARRAY(g->reading.scratch, const char *, nodes->count);
	const uint32_t count = list_mesh_nodes(g, nodes, shapes, mesh_nodes, names);
	snw_mesh *meshes = SNW_NEW_ARRAY(g->reading.arena, snw_mesh, count);
	for (uint32_t m = 0; m < count; m++) {
		meshes[m].name = names[m];
	}
	if (!list_channels(g, nodes, shapes, mesh_nodes, meshes, count, scene)) {
		return false;
	}
	for (uint32_t m = 0; m < count; m++) {
		const snw_rig_node *node = &nodes->nodes[mesh_nodes[m]];
		if (!snw_reading_progress(&g->reading, 0.5 + 0.3 * m / count, meshes[m].name) ||
			!snw_gltf_make_mesh(g, &shapes[node->mesh], node, NULL, node->skin == SNW_NONE ? NULL : &skins[node->skin], scene,
								slots, keep_points, &meshes[m])) {
			return false;
		}
	}
	scene->meshes = meshes;
	scene->mesh_count = count;
	if (!snw_gltf_levels(g, nodes, shapes, skins, mesh_nodes, slots, keep_points, scene)) {
		return false;
	}
	scene->slot_count = slots->count;
	scene->slot_joints = slots->joints;
	scene->slot_inverse_binds = slots->inverse_binds;
	return true;
}

/* ---- morph targets ------------------------------------------------------------------------------------------------------- */

/* Morph targets: sparse displacements of points, names and default weights. Displaced normals and tangents are not read:
 * normals follow from the deformed faces, or rotate with their points. */

static const cJSON *targets_of(const cJSON *primitive) {
	const cJSON *targets = snw_gltf_member(primitive, "targets");
	return cJSON_IsArray(targets) ? targets->child : NULL;
}

static uint32_t count_targets(const cJSON *primitives) {
	uint32_t largest = 0;
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		uint32_t count = 0;
		for (const cJSON *target = targets_of(primitive); target; target = target->next) {
			count++;
		}
		largest = count > largest ? count : largest;
	}
	return largest;
}

/* The displacements of one primitive in one target, appended to the morph. */
static bool read_part(snw_gltf *g, uint32_t mesh, const cJSON *target, uint32_t first_point, uint32_t count, snw_morph *morph,
					  uint32_t *points, double *vectors) {
	uint32_t accessor, found = 0;
	double *values = NULL;
	if (!snw_gltf_index(g, (snw_gltf_place){"mesh", mesh}, target, "POSITION", &g->accessors, &accessor)) {
		return false;
	}
	if (accessor == SNW_NONE) {
		return true;
	}
	snw_arena *arena = snw_arena_create();
	bool ok = snw_gltf_read_numbers(g, accessor, 3, arena, &values, &found, NULL);
	if (ok && found != count) {
		ok = snw_reading_fail(&g->reading, SNW_ERROR_DATA,
							  "mesh %u: a morph target has %u displacements for %u vertices; the file is damaged", mesh, found,
							  count);
	}
	for (uint32_t i = 0; ok && i < count; i++) {
		const double *v = values + 3 * (size_t)i;
		if (v[0] != 0 || v[1] != 0 || v[2] != 0) {
			memcpy(vectors + 3 * (size_t)morph->count, v, 3 * sizeof v[0]);
			points[morph->count++] = first_point + i;
		}
	}
	snw_arena_destroy(arena);
	return ok;
}

/* Reads one target of all primitives. `parts` [primitives] is this target in each; they advance to the next. */
static bool read_target(snw_gltf *g, uint32_t mesh, const cJSON **parts, uint32_t part_count, const uint32_t *first_points,
						const uint32_t *counts, uint32_t point_count, snw_morph *morph) {
	if (!snw_reading_reserve(&g->reading, point_count, sizeof(uint32_t) + 3 * sizeof(double))) {
		return false;
	}
	snw_arena *arena = snw_arena_create();
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, point_count);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	bool ok = true;
	for (uint32_t p = 0; ok && p < part_count; p++) {
		if (parts[p] && counts[p] > 0) {
			ok = read_part(g, mesh, parts[p], first_points[p], counts[p], morph, points, vectors);
		}
		parts[p] = parts[p] ? parts[p]->next : NULL;
	}
	morph->points = snw_arena_copy(g->reading.scratch, points, morph->count * sizeof points[0]);
	morph->vectors = snw_arena_copy(g->reading.scratch, vectors, 3 * morph->count * sizeof vectors[0]);
	snw_arena_destroy(arena);
	return ok;
}

/* The targetNames of an object's extras, for targets that have no name yet. */
static void name_from_extras(snw_gltf *g, const cJSON *object, snw_gltf_shape *shape) {
	const cJSON *names = snw_gltf_member(snw_gltf_member(object, "extras"), "targetNames");
	uint32_t i = 0;
	for (const cJSON *name = names ? names->child : NULL; name && i < shape->target_count; name = name->next, i++) {
		if (!shape->target_names[i]) {
			shape->target_names[i] = snw_name_clean(g->reading.scratch, cJSON_GetStringValue(name), g->reading.task);
		}
	}
}

/* The name in the "extra" of each target, for targets that have no name yet. */
static void name_from_targets(snw_gltf *g, const cJSON *primitive, snw_gltf_shape *shape) {
	uint32_t i = 0;
	for (const cJSON *target = targets_of(primitive); target && i < shape->target_count; target = target->next, i++) {
		const cJSON *name = snw_gltf_member(snw_gltf_member(target, "extra"), "name");
		if (!shape->target_names[i] && cJSON_IsString(name)) {
			shape->target_names[i] = snw_name_clean(g->reading.scratch, cJSON_GetStringValue(name), g->reading.task);
		}
	}
}

/* glTF has no names of targets. Its convention is mesh.extras.targetNames; VRM files of UniVRM have them in the extras of the
 * primitives, and before its version 0.36 in each target's "extra". */
static void read_names(snw_gltf *g, const cJSON *mesh, const cJSON *primitives, snw_gltf_shape *shape) {
	name_from_extras(g, mesh, shape);
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		name_from_extras(g, primitive, shape);
	}
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		name_from_targets(g, primitive, shape);
	}
}

bool snw_gltf_read_targets(snw_gltf *g, uint32_t mesh, const uint32_t *first_points, const uint32_t *counts,
						   snw_gltf_shape *shape) {
	const cJSON *object = g->meshes.items[mesh], *array = snw_gltf_member(object, "primitives");
	const cJSON *primitives = array ? array->child : NULL;
	const uint32_t count = shape->point_count > 0 ? count_targets(primitives) : 0;
	shape->target_count = count;
	shape->target_names = SNW_NEW_ARRAY(g->reading.scratch, const char *, count);
	shape->target_weights = SNW_NEW_ARRAY(g->reading.scratch, double, count);
	shape->targets = SNW_NEW_ARRAY(g->reading.scratch, snw_morph, count);
	read_names(g, object, primitives, shape);
	uint32_t part_count = 0;
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		part_count++;
	}
	const cJSON **parts = SNW_NEW_ARRAY(g->reading.scratch, const cJSON *, part_count);
	part_count = 0;
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		parts[part_count++] = targets_of(primitive);
	}
	for (uint32_t t = 0; t < count; t++) {
		if (!read_target(g, mesh, parts, part_count, first_points, counts, shape->point_count, &shape->targets[t])) {
			return false;
		}
	}
	return count == 0 || snw_gltf_numbers(g, (snw_gltf_place){"mesh", mesh}, object, "weights", count, shape->target_weights);
}
