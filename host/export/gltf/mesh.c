/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a mesh: vertices shared by its materials, triangles by material, and morph targets with normals.
 */
#include <string.h>

#include "export/gltf/writer.h"
#include "export/plan/plan.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- tangents ------------------------------------------------------------------------------------------------------------ */

/* dest [vertices->count][3]: the mesh's tangents, each a combination of two edges of its face, with the edges of `points`
 * [point_count][3] in place of those of `points_rest`. The sum over the corners of a vertex, not normalised; zero for a vertex
 * without a tangent. The same edges give the same bits. */
static void vertex_tangents(const snw_mesh *mesh, const snw_vertices *vertices, const double *points_rest, const float *points,
							double *dest) {
	memset(dest, 0, 3 * sizeof *dest * vertices->count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - begin;
		for (uint32_t c = 0; c < count; c++) {
			const uint32_t corner[3] = {mesh->face_points[begin + (c + count - 1) % count], mesh->face_points[begin + c],
										mesh->face_points[begin + (c + 1) % count]};
			const float *tangent = mesh->corner_tangents + 4 * (size_t)(begin + c);
			if (tangent[3] != 0) {
				snw_tangent_add_posed(points_rest, points, corner, tangent,
									  dest + 3 * (size_t)vertices->corner_vertices[begin + c]);
			}
		}
	}
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* One mesh being written. A rigid mesh is written in its joint's space. */
typedef struct mesh_writer {
	snw_gltf_writer *file;
	snw_gltf_document *document;
	const snw_plan_mesh *mesh;
	snw_arena *arena;
	snw_vertices vertices;
	double to_node[12];   /* rest space → the node's */
	double from_node[12]; /* its inverse, for normals */
	snw_normal_plan *normal_plan;
	float *points;                     /* [point_count][3] */
	float *corners;                    /* [corner_count][3]: normals at rest */
	float *posed;                      /* likewise, with a morph target at its full weight */
	float *values;                     /* [vertices][4] */
	double *tangents, *posed_tangents; /* [vertices][3], as vertex_tangents gives them; NULL without tangents */
} mesh_writer;

static uint32_t corner_count(const snw_mesh *mesh) {
	return mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
}

/* Maps a normal by the inverse transpose. A missing one becomes (0, 1, 0), because glTF requires unit normals. */
static void node_normal(const mesh_writer *w, const float normal[3], double dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = 0;
		for (int r = 0; r < 3; r++) {
			dest[c] += w->from_node[4 * r + c] * (double)normal[r];
		}
	}
	snw_normalize3(dest);
	if (!(snw_dot3(dest, dest) > 0.5)) {
		dest[0] = dest[2] = 0;
		dest[1] = 1;
	}
}

/* A tangent in the node's space, made a unit vector at a right angle to the corner's normal; zero if it has no such part. */
static void node_tangent(const mesh_writer *w, const double tangent[3], const float normal[3], double dest[3]) {
	double unit[3];
	node_normal(w, normal, unit);
	snw_mat34_vector(w->to_node, tangent, dest);
	const double along = snw_dot3(dest, unit);
	for (int c = 0; c < 3; c++) {
		dest[c] -= along * unit[c];
	}
	snw_normalize3(dest);
}

static uint32_t write_positions(const mesh_writer *w) {
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		double point[3];
		snw_mat34_point(w->to_node, w->mesh->points_rest + 3 * (size_t)w->vertices.points[v], point);
		for (int c = 0; c < 3; c++) {
			w->values[3 * (size_t)v + (size_t)c] = (float)point[c];
		}
	}
	return snw_gltf_vectors(w->document, 3, w->vertices.count, w->values, SNW_GRID_BITS, true);
}

static uint32_t write_normals(const mesh_writer *w) {
	static const float none[3];
	const float *source = w->mesh->mesh->corner_normals ? w->mesh->mesh->corner_normals : w->corners;
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		const uint32_t corner = w->vertices.corners[v];
		double normal[3];
		node_normal(w, corner == SNW_NONE ? none : source + 3 * (size_t)corner, normal);
		for (int c = 0; c < 3; c++) {
			w->values[3 * (size_t)v + (size_t)c] = (float)normal[c];
		}
	}
	return snw_gltf_units(w->document, 3, w->vertices.count, w->values);
}

/* Any unit vector at a right angle to a normal, for vertices without a tangent among others that have one. */
static void make_perpendicular(const double normal[3], double dest[3]) {
	const double axis[3] = {fabs(normal[0]) < 0.5, fabs(normal[0]) >= 0.5, 0};
	snw_cross3(normal, axis, dest);
	snw_normalize3(dest);
}

static uint32_t write_tangents(const mesh_writer *w) {
	const snw_mesh *mesh = w->mesh->mesh;
	const float *normals = mesh->corner_normals ? mesh->corner_normals : w->corners;
	const bool is_mirrored = snw_mat34_determinant(w->to_node) < 0;
	static const float none[4];
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		const uint32_t corner = w->vertices.corners[v];
		const float *from = corner == SNW_NONE ? none : mesh->corner_tangents + 4 * (size_t)corner;
		double tangent[3] = {(double)from[0], (double)from[1], (double)from[2]}, mapped[3], normal[3];
		snw_mat34_vector(w->to_node, tangent, mapped);
		snw_normalize3(mapped);
		if (from[3] == 0) {
			node_normal(w, corner == SNW_NONE ? none : normals + 3 * (size_t)corner, normal);
			make_perpendicular(normal, mapped);
		}
		for (int c = 0; c < 3; c++) {
			w->values[4 * (size_t)v + (size_t)c] = (float)mapped[c];
		}
		w->values[4 * (size_t)v + 3] = (from[3] < 0) != is_mirrored ? -1 : 1;
	}
	return snw_gltf_units(w->document, 4, w->vertices.count, w->values);
}

static void gather_corner_floats(const mesh_writer *w, const float *source, uint32_t width, float largest) {
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		const uint32_t corner = w->vertices.corners[v];
		for (uint32_t c = 0; c < width; c++) {
			const float value = corner == SNW_NONE ? 0 : source[(size_t)corner * width + c];
			w->values[(size_t)v * width + c] = largest > 0 ? fminf(fmaxf(value, 0), largest) : value;
		}
	}
}

static uint32_t write_corner_floats(const mesh_writer *w, const float *source, uint32_t width, float largest) {
	gather_corner_floats(w, source, width, largest);
	return snw_gltf_vectors(w->document, width, w->vertices.count, w->values, SNW_GRID_BITS, false);
}

/* Influences begin to begin + 3 of every vertex. */
static void write_influences(const mesh_writer *w, cJSON *attributes, const uint32_t *places, uint32_t begin) {
	const snw_plan_mesh *mesh = w->mesh;
	uint32_t *joints = SNW_NEW_ARRAY(w->arena, uint32_t, 4 * (size_t)w->vertices.count), largest = 0;
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		for (uint32_t i = 0; i < 4; i++) {
			const size_t at = (size_t)w->vertices.points[v] * mesh->width + begin + i;
			joints[4 * (size_t)v + i] = mesh->weights[at] > 0 ? places[mesh->slots[at]] : 0;
			largest = joints[4 * (size_t)v + i] > largest ? joints[4 * (size_t)v + i] : largest;
			w->values[4 * (size_t)v + i] = mesh->weights[at];
		}
	}
	snw_gltf_put_number(w->document, attributes, begin == 0 ? "JOINTS_0" : "JOINTS_1",
						snw_gltf_integers(w->document, SNW_GLTF_VERTICES, 4, w->vertices.count, joints, largest));
	snw_gltf_put_number(w->document, attributes, begin == 0 ? "WEIGHTS_0" : "WEIGHTS_1",
						snw_gltf_weights(w->document, w->vertices.count, w->values, w->file->plan->report.has_rounded_weights));
}

uint32_t snw_gltf_count_uv_sets(const snw_mesh *mesh) {
	uint32_t count = mesh->corner_uvs != NULL;
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		count += mesh->attributes[i].is_uv;
	}
	return count;
}

/* UV sets count on from those that the mesh has. What a program means by its numbers is not known, so they are exact. */
static void write_kept_attributes(const mesh_writer *w, cJSON *attributes) {
	const snw_mesh *mesh = w->mesh->mesh;
	uint32_t uv_sets = mesh->corner_uvs != NULL;
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		const snw_attribute *attribute = &mesh->attributes[i];
		if (attribute->is_uv) {
			snw_gltf_put_number(w->document, attributes, snw_arena_format(w->arena, "TEXCOORD_%u", uv_sets++),
								write_corner_floats(w, attribute->values, 2, 0));
		} else {
			gather_corner_floats(w, attribute->values, attribute->width, 0);
			snw_gltf_put_number(
				w->document, attributes, attribute->name,
				snw_gltf_floats(w->document, SNW_GLTF_VERTICES, attribute->width, w->vertices.count, w->values, false));
		}
	}
}

static cJSON *write_attributes(const mesh_writer *w, const uint32_t *places) {
	const snw_mesh *mesh = w->mesh->mesh;
	cJSON *attributes = cJSON_CreateObject();
	if (!attributes) {
		return NULL;
	}
	snw_gltf_put_number(w->document, attributes, "POSITION", write_positions(w));
	if (mesh->face_count > 0) {
		snw_gltf_put_number(w->document, attributes, "NORMAL", write_normals(w));
	}
	if (w->tangents) {
		snw_gltf_put_number(w->document, attributes, "TANGENT", write_tangents(w));
	}
	if (mesh->corner_uvs) {
		snw_gltf_put_number(w->document, attributes, "TEXCOORD_0", write_corner_floats(w, mesh->corner_uvs, 2, 0));
	}
	if (mesh->corner_colors) {
		snw_gltf_put_number(w->document, attributes, "COLOR_0", write_corner_floats(w, mesh->corner_colors, 4, 1));
	}
	write_kept_attributes(w, attributes);
	for (uint32_t begin = 0; places && begin < w->mesh->width; begin += 4) {
		write_influences(w, attributes, places, begin);
	}
	return attributes;
}

/* ---- morph targets ------------------------------------------------------------------------------------------------------- */

static uint32_t write_morph_positions(const mesh_writer *w, const snw_plan_shape *shape) {
	const snw_plan_morph *morph = &w->mesh->morphs[shape->morph];
	const uint32_t points = w->mesh->mesh->point_count;
	float *vectors = SNW_NEW_ARRAY(w->arena, float, 3 * (size_t)points);
	for (uint32_t i = 0; i < morph->count; i++) {
		double vector[3];
		snw_mat34_vector(w->to_node, morph->vectors + 3 * (size_t)i, vector);
		for (int c = 0; c < 3; c++) {
			vectors[3 * (size_t)morph->points[i] + (size_t)c] = (float)(shape->reach * vector[c]);
		}
	}
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		memcpy(w->values + 3 * (size_t)v, vectors + 3 * (size_t)w->vertices.points[v], 3 * sizeof *vectors);
	}
	return snw_gltf_sparse(w->document, w->vertices.count, w->values, SNW_GRID_BITS, true);
}

/* The change of tangents from rest to the morph target at its full weight, whose points are in w->points and normals in
 * w->posed. glTF displaces the direction; the sign stays. */
static uint32_t write_morph_tangents(const mesh_writer *w) {
	vertex_tangents(w->mesh->mesh, &w->vertices, w->mesh->points_rest, w->points, w->posed_tangents);
	memset(w->values, 0, 3 * sizeof *w->values * w->vertices.count);
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		const uint32_t corner = w->vertices.corners[v];
		const double *before = w->tangents + 3 * (size_t)v, *after = w->posed_tangents + 3 * (size_t)v;
		if (corner == SNW_NONE || memcmp(before, after, 3 * sizeof *before) == 0) {
			continue;
		}
		double from[3], to[3];
		node_tangent(w, before, w->corners + 3 * (size_t)corner, from);
		node_tangent(w, after, w->posed + 3 * (size_t)corner, to);
		for (int c = 0; c < 3; c++) {
			w->values[3 * (size_t)v + (size_t)c] = (float)(to[c] - from[c]);
		}
	}
	return snw_gltf_sparse(w->document, w->vertices.count, w->values, SNW_GRID_NORMAL_BITS, false);
}

/* The change of normals from rest to the morph target at its full weight. Leaves the morph target's points in w->points and its
 * normals in w->posed. */
static uint32_t write_morph_normals(const mesh_writer *w, const snw_plan_shape *shape) {
	const snw_plan_morph *morph = &w->mesh->morphs[shape->morph];
	const double *rest = w->mesh->points_rest;
	for (size_t i = 0; i < 3 * (size_t)w->mesh->mesh->point_count; i++) {
		w->points[i] = (float)rest[i];
	}
	for (uint32_t i = 0; i < morph->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			const size_t at = 3 * (size_t)morph->points[i] + c;
			w->points[at] = (float)(rest[at] + shape->reach * morph->vectors[3 * (size_t)i + c]);
		}
	}
	snw_normals_of_corners(w->normal_plan, w->points, w->posed);
	float *fitted = SNW_NEW_ARRAY(w->arena, float, 3 * (size_t)w->mesh->mesh->point_count); /* only skinned meshes have them */
	for (size_t i = 0; i < shape->normal_count; i++) {
		memcpy(fitted + 3 * (size_t)shape->normal_points[i], shape->normal_changes + 3 * i, 3 * sizeof *fitted);
	}
	for (uint32_t v = 0; v < w->vertices.count; v++) {
		const uint32_t corner = w->vertices.corners[v];
		float *delta = w->values + 3 * (size_t)v;
		memset(delta, 0, 3 * sizeof *delta);
		if (corner == SNW_NONE) {
			continue;
		}
		const float *before = w->corners + 3 * (size_t)corner, *after = w->posed + 3 * (size_t)corner;
		if (memcmp(before, after, 3 * sizeof *before) == 0) {
			continue;
		}
		double from[3], to[3];
		node_normal(w, before, from);
		node_normal(w, after, to);
		const float *added = fitted + 3 * (size_t)w->vertices.points[v];
		for (int c = 0; c < 3; c++) {
			delta[c] = (float)(to[c] - from[c]) + added[c];
		}
	}
	return snw_gltf_sparse(w->document, w->vertices.count, w->values, SNW_GRID_NORMAL_BITS, false);
}

static cJSON *write_morphs(const mesh_writer *w) {
	cJSON *morphs = cJSON_CreateArray();
	for (uint32_t t = 0; t < w->mesh->shape_count && morphs; t++) {
		cJSON *object = snw_gltf_put_object(w->document, morphs, NULL);
		snw_gltf_put_number(w->document, object, "POSITION", write_morph_positions(w, &w->mesh->shapes[t]));
		if (w->mesh->mesh->face_count > 0) {
			snw_gltf_put_number(w->document, object, "NORMAL", write_morph_normals(w, &w->mesh->shapes[t]));
		}
		if (w->tangents) {
			snw_gltf_put_number(w->document, object, "TANGENT", write_morph_tangents(w));
		}
	}
	return morphs;
}

/* ---- primitives ---------------------------------------------------------------------------------------------------------- */

/* Vertex indices of the triangles of all faces with this material. */
static uint32_t *gather_triangles(const mesh_writer *w, uint32_t material, uint32_t *count) {
	const snw_mesh *mesh = w->mesh->mesh;
	uint32_t most = 3;
	size_t all = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t corners = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		const bool is_of = (mesh->face_materials ? mesh->face_materials[f] : SNW_NONE) == material;
		most = corners > most ? corners : most;
		all += is_of ? 3 * (size_t)(corners - 2) : 0;
	}
	uint32_t *indices = SNW_NEW_ARRAY(w->arena, uint32_t, all), *scratch = SNW_NEW_ARRAY(w->arena, uint32_t, most);
	*count = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], corners = mesh->face_offsets[f + 1] - begin;
		if ((mesh->face_materials ? mesh->face_materials[f] : SNW_NONE) != material) {
			continue;
		}
		uint32_t *places = indices + *count;
		snw_face_triangulate(mesh, f, places, scratch);
		for (uint32_t i = 0; i < 3 * (corners - 2); i++) {
			places[i] = w->vertices.corner_vertices[begin + places[i]];
		}
		*count += 3 * (corners - 2);
	}
	if (w->file->plan->request->compresses) {
		snw_gltf_order_triangles(indices, *count, w->vertices.count);
	}
	return indices;
}

/* Materials in the order in which faces use them. */
static uint32_t list_materials(const mesh_writer *w, uint32_t *list) {
	const snw_mesh *mesh = w->mesh->mesh;
	uint32_t count = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t material = mesh->face_materials ? mesh->face_materials[f] : SNW_NONE;
		uint32_t at = 0;
		while (at < count && list[at] != material) {
			at++;
		}
		if (at == count) {
			list[count++] = material;
		}
	}
	return count;
}

/* Whether each corner of the faces with a material has a tangent. */
static bool has_tangents(const mesh_writer *w, uint32_t material) {
	const snw_mesh *mesh = w->mesh->mesh;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			if ((mesh->face_materials ? mesh->face_materials[f] : SNW_NONE) == material &&
				mesh->corner_tangents[4 * (size_t)c + 3] == 0) {
				return false;
			}
		}
	}
	return true;
}

static void leave_out_tangents(cJSON *attributes, const cJSON *morphs) {
	cJSON_DeleteItemFromObjectCaseSensitive(attributes, "TANGENT");
	for (cJSON *morph = morphs ? morphs->child : NULL; morph; morph = morph->next) {
		cJSON_DeleteItemFromObjectCaseSensitive(morph, "TANGENT");
	}
}

static void write_primitive(const mesh_writer *w, cJSON *list, cJSON *attributes, cJSON *morphs, uint32_t material) {
	cJSON *primitive = snw_gltf_put_object(w->document, list, NULL);
	cJSON *its_attributes = cJSON_Duplicate(attributes, true), *its_morphs = cJSON_Duplicate(morphs, true);
	if (w->tangents && !has_tangents(w, material)) {
		leave_out_tangents(its_attributes, its_morphs);
	}
	snw_gltf_put_item(w->document, primitive, "attributes", its_attributes);
	if (w->mesh->mesh->face_count == 0) {
		snw_gltf_put_number(w->document, primitive, "mode", 0);
	} else {
		uint32_t count = 0;
		const uint32_t *indices = gather_triangles(w, material, &count);
		snw_gltf_put_number(w->document, primitive, "indices",
							snw_gltf_integers(w->document, SNW_GLTF_INDICES, 1, count, indices, w->vertices.count - 1));
	}
	if (material != SNW_NONE) {
		snw_gltf_put_number(w->document, primitive, "material",
							snw_gltf_write_material(w->file, material, snw_gltf_count_uv_sets(w->mesh->mesh)));
	}
	if (w->mesh->shape_count > 0) {
		snw_gltf_put_item(w->document, primitive, "targets", its_morphs);
	} else {
		cJSON_Delete(its_morphs);
	}
}

static void write_rest_weights(const mesh_writer *w, cJSON *object) {
	double *weights = SNW_NEW_ARRAY(w->arena, double, w->mesh->shape_count);
	for (uint32_t s = 0; s < w->mesh->shape_count; s++) {
		const snw_plan_shape *shape = &w->mesh->shapes[s];
		weights[s] = snw_plan_shape_weight(shape, w->file->plan->rest_weights[w->mesh->first_weight + shape->morph]);
	}
	snw_gltf_put_numbers(w->document, object, "weights", weights, w->mesh->shape_count);
}

static void write_parts(const mesh_writer *w, const uint32_t *places, uint32_t *index) {
	cJSON *object = snw_gltf_entry(w->document, "meshes", index);
	snw_gltf_put_text(w->document, object, "name", w->mesh->mesh->name);
	cJSON *attributes = write_attributes(w, places), *morphs = write_morphs(w);
	cJSON *primitives = snw_gltf_put_array(w->document, object, "primitives");
	uint32_t *materials = SNW_NEW_ARRAY(w->arena, uint32_t, (size_t)w->file->plan->scene->material_count + 1);
	const uint32_t count = list_materials(w, materials);
	for (uint32_t m = 0; m < count; m++) {
		write_primitive(w, primitives, attributes, morphs, materials[m]);
	}
	if (count == 0) {
		write_primitive(w, primitives, attributes, morphs, SNW_NONE);
	}
	if (w->mesh->shape_count > 0) {
		write_rest_weights(w, object);
	}
	snw_gltf_write_morph_names(w->file, w->mesh, object);
	cJSON_Delete(attributes);
	cJSON_Delete(morphs);
}

/* Orders the vertices as the triangles use them, which compresses better. */
static void order_vertices(mesh_writer *w) {
	const uint32_t vertices = w->vertices.count, corners = corner_count(w->mesh->mesh);
	uint32_t *materials = SNW_NEW_ARRAY(w->arena, uint32_t, (size_t)w->file->plan->scene->material_count + 1);
	const uint32_t material_count = list_materials(w, materials);
	uint32_t *all = SNW_NEW_ARRAY(w->arena, uint32_t, 3 * (size_t)corners), triangle_corners = 0;
	for (uint32_t m = 0; m < material_count; m++) {
		uint32_t count = 0;
		const uint32_t *indices = gather_triangles(w, materials[m], &count);
		memcpy(all + triangle_corners, indices, count * sizeof *indices);
		triangle_corners += count;
	}
	uint32_t *order = SNW_NEW_ARRAY(w->arena, uint32_t, vertices), *places = SNW_NEW_ARRAY(w->arena, uint32_t, vertices);
	snw_gltf_order_vertices(all, triangle_corners, vertices, order);
	const snw_vertices old = w->vertices;
	w->vertices.points = SNW_NEW_ARRAY(w->arena, uint32_t, vertices);
	w->vertices.corners = SNW_NEW_ARRAY(w->arena, uint32_t, vertices);
	for (uint32_t v = 0; v < vertices; v++) {
		w->vertices.points[v] = old.points[order[v]];
		w->vertices.corners[v] = old.corners[order[v]];
		places[order[v]] = v;
	}
	for (uint32_t c = 0; c < corners; c++) {
		w->vertices.corner_vertices[c] = places[old.corner_vertices[c]];
	}
}

snw_status snw_gltf_write_mesh(snw_gltf_writer *writer, uint32_t m, uint32_t *index, snw_error *error) {
	const snw_plan *plan = writer->plan;
	const snw_plan_mesh *mesh = &plan->meshes[m];
	const uint32_t skin = mesh->skin_set;
	mesh_writer w = {.file = writer, .document = writer->document, .mesh = mesh, .arena = snw_arena_create()};
	snw_status status = SNW_OK;
	snw_mat34_identity(w.to_node);
	snw_mat34_identity(w.from_node);
	if (mesh->placement == SNW_PLAN_RIGID) {
		memcpy(w.to_node, plan->rig.slot_inverse_binds + 12 * (size_t)mesh->slot, sizeof w.to_node);
		if (!snw_mat34_invert(w.to_node, w.from_node)) {
			status = snw_fail(error, SNW_ERROR_DATA,
							  "mesh %s: the inverse bind matrix of joint %s is singular; give the joint a non-zero scale",
							  mesh->mesh->name, plan->rig.names[plan->rig.slot_joints[mesh->slot]]);
			goto done;
		}
	}
	snw_vertices_split(mesh->mesh, w.arena, &w.vertices);
	if (plan->request->compresses && mesh->mesh->face_count > 0) {
		order_vertices(&w);
	}
	w.values = SNW_NEW_ARRAY(w.arena, float, 4 * (size_t)w.vertices.count);
	w.points = SNW_NEW_ARRAY(w.arena, float, 3 * (size_t)mesh->mesh->point_count);
	w.corners = SNW_NEW_ARRAY(w.arena, float, 3 * (size_t)corner_count(mesh->mesh));
	w.posed = SNW_NEW_ARRAY(w.arena, float, 3 * (size_t)corner_count(mesh->mesh));
	w.normal_plan = snw_normal_plan_create(mesh->mesh);
	for (size_t i = 0; i < 3 * (size_t)mesh->mesh->point_count; i++) {
		w.points[i] = (float)mesh->points_rest[i];
	}
	snw_normals_of_corners(w.normal_plan, w.points, w.corners);
	if (mesh->mesh->corner_tangents) {
		w.tangents = SNW_NEW_ARRAY(w.arena, double, 3 * (size_t)w.vertices.count);
		w.posed_tangents = SNW_NEW_ARRAY(w.arena, double, 3 * (size_t)w.vertices.count);
		vertex_tangents(mesh->mesh, &w.vertices, mesh->points_rest, w.points, w.tangents);
	}
	write_parts(&w, skin == SNW_NONE ? NULL : writer->skins[skin].places, index);
done:
	snw_normal_plan_destroy(w.normal_plan);
	snw_arena_destroy(w.arena);
	return status;
}
