/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joins the primitives of a glTF mesh, which are lists, strips or fans of triangles with shared or separate vertices, to one
 * shape with a material for each face.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/common/reading.h"
#include "import/gltf/gltf_internal.h"

enum { TRIANGLES = 4, TRIANGLE_STRIP = 5, TRIANGLE_FAN = 6 };
enum { LARGEST_SET_COUNT = 64 }; /* of JOINTS_n and WEIGHTS_n: 256 influences for each point */

/* A primitive, and the place of its vertices in the shape. */
typedef struct primitive {
	const cJSON *object, *attributes;
	uint32_t position, indices, material;
	uint64_t mode;
	uint32_t set_count;
	uint32_t first_point, point_count;
	bool is_drawn;      /* as triangles */
	bool shares_points; /* with the previous primitive, which has the same attributes */
} primitive;

/* ---- primitives ---------------------------------------------------------------------------------------------------------- */

static const char *set_name(char buffer[32], const char *word, uint32_t set) {
	snprintf(buffer, 32, "%s_%u", word, set);
	return buffer;
}

static bool count_influence_sets(snw_gltf *g, snw_gltf_place place, primitive *p) {
	char joints[32], weights[32];
	while (snw_gltf_member(p->attributes, set_name(joints, "JOINTS", p->set_count)) &&
		   snw_gltf_member(p->attributes, set_name(weights, "WEIGHTS", p->set_count))) {
		if (++p->set_count > LARGEST_SET_COUNT) {
			return snw_reading_fail(&g->reading, SNW_ERROR_LIMIT,
									"%s %u: more than %u influences per point; export it with fewer", place.noun, place.index,
									4 * LARGEST_SET_COUNT);
		}
	}
	return true;
}

static bool read_primitive(snw_gltf *g, snw_gltf_place place, const cJSON *object, primitive *p) {
	*p = (primitive){.object = object, .attributes = snw_gltf_member(object, "attributes"), .mode = TRIANGLES};
	uint64_t count = 0;
	if (!snw_gltf_integer(g, place, object, "mode", &p->mode) ||
		!snw_gltf_index(g, place, object, "indices", &g->accessors, &p->indices) ||
		!snw_gltf_index(g, place, object, "material", &g->materials, &p->material) ||
		!snw_gltf_index(g, place, p->attributes, "POSITION", &g->accessors, &p->position)) {
		return false;
	}
	p->is_drawn = p->mode >= TRIANGLES && p->mode <= TRIANGLE_FAN && p->position != SNW_NONE;
	if (!p->is_drawn) {
		return true;
	}
	if (!snw_gltf_integer(g, (snw_gltf_place){"accessor", p->position}, g->accessors.items[p->position], "count", &count) ||
		!count_influence_sets(g, place, p) || !snw_reading_reserve(&g->reading, count, 3 * sizeof(double))) {
		return false;
	}
	p->point_count = (uint32_t)count;
	return true;
}

/* Whether two objects have the same keys and numbers in the same order. */
static bool members_are_same(const cJSON *a, const cJSON *b) {
	const cJSON *x = a ? a->child : NULL, *y = b ? b->child : NULL;
	for (; x && y; x = x->next, y = y->next) {
		if (!x->string || !y->string || strcmp(x->string, y->string) != 0 || !cJSON_IsNumber(x) || !cJSON_IsNumber(y) ||
			x->valuedouble != y->valuedouble) {
			return false;
		}
	}
	return !x && !y;
}

/* Primitives with the same accessors have the same vertices. */
static bool attributes_are_same(const primitive *a, const primitive *b) {
	const cJSON *targets_a = snw_gltf_member(a->object, "targets"), *targets_b = snw_gltf_member(b->object, "targets");
	const cJSON *x = targets_a ? targets_a->child : NULL, *y = targets_b ? targets_b->child : NULL;
	for (; x && y && members_are_same(x, y); x = x->next, y = y->next) {
	}
	return !x && !y && members_are_same(a->attributes, b->attributes);
}

/* Assigns the points of each primitive, and counts the shape's. */
static bool place_primitives(snw_gltf *g, uint32_t mesh, primitive *primitives, uint32_t count, snw_gltf_shape *shape) {
	uint64_t next = 0;
	const primitive *previous = NULL; /* primitives that share vertices are consecutive in practice */
	for (uint32_t i = 0; i < count; i++) {
		primitive *p = &primitives[i];
		if (!p->is_drawn) {
			continue;
		}
		p->shares_points = previous && previous->position == p->position && attributes_are_same(previous, p);
		p->first_point = p->shares_points ? previous->first_point : (uint32_t)next;
		next += p->shares_points ? 0 : p->point_count;
		if (next >= SNW_NONE / 4) {
			return snw_reading_fail(&g->reading, SNW_ERROR_LIMIT, "mesh %u: has more than %u vertices; split it", mesh,
									SNW_NONE / 4);
		}
		previous = p;
	}
	shape->point_count = (uint32_t)next;
	return true;
}

/* ---- vertices ------------------------------------------------------------------------------------------------------------ */

/* The numbers of one attribute of a primitive; *values is NULL if it has none. */
static bool read_attribute(snw_gltf *g, snw_gltf_place place, const primitive *p, const char *key, uint32_t width,
						   snw_arena *arena, double **values, uint32_t *actual_width) {
	uint32_t accessor, count;
	*values = NULL;
	if (!snw_gltf_index(g, place, p->attributes, key, &g->accessors, &accessor)) {
		return false;
	}
	if (accessor == SNW_NONE) {
		return true;
	}
	if (!snw_gltf_read_numbers(g, accessor, width, arena, values, &count, actual_width)) {
		return false;
	}
	if (count != p->point_count) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: %s has %u elements for %u vertices; the file is damaged",
								place.noun, place.index, key, count, p->point_count);
	}
	return true;
}

/* Copies the values of a primitive, `width` numbers for each vertex, to an array for the whole shape, made on demand. */
static bool put_numbers(snw_gltf *g, const primitive *p, const snw_gltf_shape *shape, uint32_t width, const double *values,
						double **all) {
	if (values && !*all) {
		if (!snw_reading_reserve(&g->reading, shape->point_count, width * sizeof(double))) {
			return false;
		}
		*all = SNW_NEW_ARRAY(g->reading.scratch, double, width *(size_t)shape->point_count);
	}
	if (values) {
		memcpy(*all + width * (size_t)p->first_point, values, width * sizeof(double) * p->point_count);
	}
	return true;
}

/* Tangents without normals mean nothing, as glTF says. */
static bool read_points(snw_gltf *g, snw_gltf_place place, const primitive *p, snw_arena *arena, snw_gltf_shape *shape) {
	double *points, *normals, *tangents = NULL;
	if (!read_attribute(g, place, p, "POSITION", 3, arena, &points, NULL) ||
		!read_attribute(g, place, p, "NORMAL", 3, arena, &normals, NULL) ||
		(normals && !read_attribute(g, place, p, "TANGENT", 4, arena, &tangents, NULL))) {
		return false;
	}
	memcpy(shape->points + 3 * (size_t)p->first_point, points, 3 * sizeof(double) * p->point_count);
	return put_numbers(g, p, shape, 3, normals, &shape->normals) && put_numbers(g, p, shape, 4, tangents, &shape->tangents);
}

static bool read_uvs(snw_gltf *g, snw_gltf_place place, const primitive *p, snw_arena *arena, snw_gltf_shape *shape) {
	double *uvs;
	if (!read_attribute(g, place, p, "TEXCOORD_0", 2, arena, &uvs, NULL)) {
		return false;
	}
	if (uvs && !shape->uvs) {
		if (!snw_reading_reserve(&g->reading, shape->point_count, 2 * sizeof(float))) {
			return false;
		}
		shape->uvs = SNW_NEW_ARRAY(g->reading.scratch, float, 2 * (size_t)shape->point_count);
	}
	for (size_t i = 0; uvs && i < 2 * (size_t)p->point_count; i++) {
		shape->uvs[2 * (size_t)p->first_point + i] = (float)uvs[i];
	}
	return true;
}

static bool read_colors(snw_gltf *g, snw_gltf_place place, const primitive *p, snw_arena *arena, snw_gltf_shape *shape) {
	double *colors;
	uint32_t width = 0;
	if (!read_attribute(g, place, p, "COLOR_0", 0, arena, &colors, &width)) {
		return false;
	}
	if (!colors || (width != 3 && width != 4)) {
		return !colors || snw_reading_fail(&g->reading, SNW_ERROR_DATA,
										   "%s %u: COLOR_0 has %u numbers per vertex, not 3 or 4; the file is damaged",
										   place.noun, place.index, width);
	}
	if (!shape->colors) {
		if (!snw_reading_reserve(&g->reading, shape->point_count, 4 * sizeof(float))) {
			return false;
		}
		shape->colors = SNW_NEW_ARRAY(g->reading.scratch, float, 4 * (size_t)shape->point_count);
		for (size_t i = 0; i < 4 * (size_t)shape->point_count; i++) {
			shape->colors[i] = 1;
		}
	}
	for (size_t i = 0; i < p->point_count; i++) {
		for (uint32_t c = 0; c < width; c++) {
			shape->colors[4 * (p->first_point + i) + c] = (float)colors[width * i + c];
		}
	}
	return true;
}

/* ---- attributes that are kept -------------------------------------------------------------------------------------------- */

static uint32_t width_of(const snw_gltf *g, const cJSON *attribute) {
	static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
	const double index = cJSON_IsNumber(attribute) ? attribute->valuedouble : -1;
	const char *type =
		index >= 0 && index < g->accessors.count ? snw_gltf_text(g->accessors.items[(uint32_t)index], "type") : NULL;
	for (uint32_t w = 0; type && w < sizeof types / sizeof *types; w++) {
		if (strcmp(type, types[w]) == 0) {
			return w + 1;
		}
	}
	return 0;
}

static bool is_further_uv_set(const char *key) {
	return strncmp(key, "TEXCOORD_", 9) == 0 && strcmp(key, "TEXCOORD_0") != 0;
}

bool snw_gltf_keeps_attribute(const snw_gltf *g, const cJSON *attribute) {
	const char *key = attribute->string ? attribute->string : "";
	return is_further_uv_set(key) ? width_of(g, attribute) == 2 : key[0] == '_' && width_of(g, attribute) > 0;
}

static snw_gltf_attribute *find_attribute(const snw_gltf_shape *shape, const char *key) {
	for (uint32_t i = 0; i < shape->attribute_count; i++) {
		if (strcmp(shape->attributes[i].key, key) == 0) {
			return &shape->attributes[i];
		}
	}
	return NULL;
}

static int compare_attributes(const void *a, const void *b) {
	const snw_gltf_attribute *x = a, *y = b;
	const bool x_is_uv = x->key[0] != '_', y_is_uv = y->key[0] != '_';
	return x_is_uv != y_is_uv ? y_is_uv - x_is_uv : snw_natural_compare(x->key, y->key);
}

/* Lists the attributes of all primitives, each key once; one that another primitive has with another width is left out
 * there. */
static bool list_attributes(snw_gltf *g, const primitive *primitives, uint32_t count, snw_gltf_shape *shape) {
	uint32_t most = 0;
	for (uint32_t i = 0; i < count; i++) {
		for (const cJSON *a = primitives[i].attributes ? primitives[i].attributes->child : NULL; a; a = a->next) {
			most += primitives[i].is_drawn && snw_gltf_keeps_attribute(g, a);
		}
	}
	shape->attributes = SNW_NEW_ARRAY(g->reading.scratch, snw_gltf_attribute, most);
	for (uint32_t i = 0; i < count; i++) {
		for (const cJSON *a = primitives[i].attributes ? primitives[i].attributes->child : NULL; a; a = a->next) {
			if (!primitives[i].is_drawn || !snw_gltf_keeps_attribute(g, a) || find_attribute(shape, a->string)) {
				continue;
			}
			snw_gltf_attribute *made = &shape->attributes[shape->attribute_count++];
			*made = (snw_gltf_attribute){.key = a->string, .width = width_of(g, a)};
			if (!snw_reading_reserve(&g->reading, shape->point_count, made->width * sizeof(float))) {
				return false;
			}
			made->values = SNW_NEW_ARRAY(g->reading.scratch, float, made->width *(size_t)shape->point_count);
		}
	}
	if (shape->attribute_count > 0) {
		qsort(shape->attributes, shape->attribute_count, sizeof *shape->attributes, compare_attributes);
	}
	return true;
}

static bool read_attributes(snw_gltf *g, snw_gltf_place place, const primitive *p, snw_arena *arena,
							const snw_gltf_shape *shape) {
	for (const cJSON *a = p->attributes ? p->attributes->child : NULL; a; a = a->next) {
		snw_gltf_attribute *to = snw_gltf_keeps_attribute(g, a) ? find_attribute(shape, a->string) : NULL;
		double *values;
		if (!to || to->width != width_of(g, a)) {
			continue;
		}
		if (!read_attribute(g, place, p, a->string, to->width, arena, &values, NULL)) {
			return false;
		}
		for (size_t i = 0; i < (size_t)to->width * p->point_count; i++) {
			to->values[(size_t)to->width * p->first_point + i] = (float)values[i];
		}
	}
	return true;
}

/* ---- vertices of a primitive --------------------------------------------------------------------------------------------- */

static bool read_influences(snw_gltf *g, snw_gltf_place place, const primitive *p, snw_arena *arena, snw_gltf_shape *shape) {
	char key[32];
	for (uint32_t s = 0; s < p->set_count; s++) {
		uint32_t accessor, count, *joints;
		double *weights;
		if (!snw_gltf_required_index(g, place, p->attributes, set_name(key, "JOINTS", s), &g->accessors, &accessor) ||
			!snw_gltf_read_integers(g, accessor, 4, arena, &joints, &count) ||
			!read_attribute(g, place, p, set_name(key, "WEIGHTS", s), 4, arena, &weights, NULL)) {
			return false;
		}
		if (count != p->point_count) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
									"%s %u: JOINTS_%u has %u elements for %u vertices; the file is damaged", place.noun,
									place.index, s, count, p->point_count);
		}
		for (size_t i = 0; i < p->point_count; i++) {
			const size_t to = (p->first_point + i) * shape->influence_width + 4 * s;
			memcpy(shape->joints + to, joints + 4 * i, 4 * sizeof joints[0]);
			memcpy(shape->weights + to, weights + 4 * i, 4 * sizeof weights[0]);
		}
	}
	return true;
}

static bool read_vertices(snw_gltf *g, snw_gltf_place place, const primitive *p, snw_gltf_shape *shape) {
	snw_arena *arena = snw_arena_create();
	const bool ok = read_points(g, place, p, arena, shape) && read_uvs(g, place, p, arena, shape) &&
					read_colors(g, place, p, arena, shape) && read_attributes(g, place, p, arena, shape) &&
					read_influences(g, place, p, arena, shape);
	snw_arena_destroy(arena);
	return ok;
}

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

/* The vertices of the primitive's triangle t, every other one of a strip reversed so that all face the same way. */
static void triangle_corners(const primitive *p, uint32_t t, uint32_t corners[3]) {
	const bool is_flipped = p->mode == TRIANGLE_STRIP && t % 2 == 1;
	const uint32_t begin = p->mode == TRIANGLES ? 3 * t : t;
	corners[0] = p->mode == TRIANGLE_FAN ? 0 : begin;
	corners[1] = p->mode == TRIANGLE_FAN ? t + 1 : begin + (is_flipped ? 2 : 1);
	corners[2] = p->mode == TRIANGLE_FAN ? t + 2 : begin + (is_flipped ? 1 : 2);
}

static bool read_faces(snw_gltf *g, snw_gltf_place place, const primitive *p, snw_gltf_shape *shape) {
	uint32_t *indices = NULL, count = p->point_count;
	if (p->indices != SNW_NONE && !snw_gltf_read_integers(g, p->indices, 1, g->reading.scratch, &indices, &count)) {
		return false;
	}
	const uint32_t face_count = p->mode == TRIANGLES ? count / 3 : count < 3 ? 0 : count - 2;
	if ((uint64_t)shape->face_count + face_count >= SNW_NONE / 4) {
		return snw_reading_fail(&g->reading, SNW_ERROR_LIMIT, "%s %u: has more than %u faces; split it", place.noun,
								place.index, SNW_NONE / 4);
	}
	for (uint32_t t = 0; t < face_count; t++) {
		uint32_t corners[3];
		triangle_corners(p, t, corners);
		uint32_t *face = shape->face_points + 3 * (size_t)shape->face_count;
		for (int c = 0; c < 3; c++) {
			const uint32_t vertex = indices ? indices[corners[c]] : corners[c];
			if (vertex >= p->point_count) {
				return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
										"%s %u: a triangle refers to vertex %u of %u; the file is damaged", place.noun,
										place.index, vertex, p->point_count);
			}
			face[c] = p->first_point + vertex;
		}
		shape->face_materials[shape->face_count++] = p->material;
	}
	shape->repeats_points |= !indices;
	return true;
}

/* Adds the largest number of triangles that a primitive can have. */
static bool count_faces(snw_gltf *g, const primitive *p, uint64_t *count) {
	uint64_t corners = p->point_count;
	if (p->indices != SNW_NONE &&
		!snw_gltf_integer(g, (snw_gltf_place){"accessor", p->indices}, g->accessors.items[p->indices], "count", &corners)) {
		return false;
	}
	*count += p->mode == TRIANGLES ? corners / 3 : corners;
	return *count < SNW_NONE && snw_reading_reserve(&g->reading, corners, 4 * sizeof(uint32_t));
}

/* ---- a shape ------------------------------------------------------------------------------------------------------------- */

static bool allocate_shape(snw_gltf *g, const primitive *primitives, uint32_t count, snw_gltf_shape *shape) {
	uint64_t face_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const primitive *p = &primitives[i];
		if (p->is_drawn && !count_faces(g, p, &face_count)) {
			return snw_failed(g->reading.status)
					   ? false
					   : snw_reading_fail(&g->reading, SNW_ERROR_LIMIT, "has too many faces; split it");
		}
		shape->influence_width =
			p->is_drawn && 4 * p->set_count > shape->influence_width ? 4 * p->set_count : shape->influence_width;
	}
	const size_t influence_count = (size_t)shape->point_count * shape->influence_width;
	if (!snw_reading_reserve(&g->reading, influence_count, sizeof(uint32_t) + sizeof(double))) {
		return false;
	}
	shape->points = SNW_NEW_ARRAY(g->reading.scratch, double, 3 * (size_t)shape->point_count);
	shape->face_points = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, 3 * face_count);
	shape->face_materials = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, face_count);
	shape->joints = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, influence_count);
	shape->weights = SNW_NEW_ARRAY(g->reading.scratch, double, influence_count);
	return true;
}

static void measure_box(snw_gltf_shape *shape) {
	for (size_t i = 0; i < 3 * (size_t)shape->point_count; i++) {
		const double value = shape->points[i];
		double *low = &shape->box[0][i % 3], *high = &shape->box[1][i % 3];
		*low = i < 3 || value < *low ? value : *low;
		*high = i < 3 || value > *high ? value : *high;
	}
}

static bool read_shape(snw_gltf *g, uint32_t mesh, snw_gltf_shape *shape) {
	const snw_gltf_place place = {"mesh", mesh};
	const cJSON *array = snw_gltf_member(g->meshes.items[mesh], "primitives");
	uint32_t count = 0, ignored_count = 0;
	for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
		count++;
	}
	primitive *primitives = SNW_NEW_ARRAY(g->reading.scratch, primitive, count);
	uint32_t *first_points = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, count),
			 *counts = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, count);
	count = 0;
	for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
		if (!read_primitive(g, place, item, &primitives[count])) {
			return false;
		}
		ignored_count += !primitives[count++].is_drawn;
	}
	if (ignored_count > 0) {
		snw_task_notice(g->reading.task, SNW_LOG_WARNING,
						"mesh %u: %u of its %u primitives are points or lines and are left out", mesh, ignored_count, count);
	}
	if (!place_primitives(g, mesh, primitives, count, shape) || !allocate_shape(g, primitives, count, shape) ||
		!list_attributes(g, primitives, count, shape)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const primitive *p = &primitives[i];
		first_points[i] = p->first_point;
		counts[i] = p->shares_points ? 0 : p->point_count;
		if (p->is_drawn && ((!p->shares_points && !read_vertices(g, place, p, shape)) || !read_faces(g, place, p, shape))) {
			return false;
		}
		shape->has_materials |= p->is_drawn && p->material != SNW_NONE;
	}
	measure_box(shape);
	return snw_gltf_read_targets(g, mesh, first_points, counts, shape);
}

bool snw_gltf_read_shapes(snw_gltf *g, const snw_rig *nodes, snw_gltf_shape **shapes) {
	bool *is_read = SNW_NEW_ARRAY(g->reading.scratch, bool, g->meshes.count);
	*shapes = SNW_NEW_ARRAY(g->reading.scratch, snw_gltf_shape, g->meshes.count);
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		if ((!node->is_shown && node->level_of == SNW_NONE) || node->mesh == SNW_NONE || is_read[node->mesh]) {
			continue;
		}
		is_read[node->mesh] = true;
		if (!snw_reading_progress(&g->reading, 0.1 + 0.4 * n / nodes->count, "meshes") ||
			!read_shape(g, node->mesh, &(*shapes)[node->mesh])) {
			return false;
		}
	}
	return true;
}
