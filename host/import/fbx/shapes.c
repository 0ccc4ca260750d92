/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Geometries: points, polygons, and what the corners of polygons have.
 */
#include <math.h>
#include <string.h>

#include "import/common/names.h"
#include "import/fbx/fbx_internal.h"

/* ---- polygons ------------------------------------------------------------------------------------------------------------ */

/* The last corner of a polygon is stored as -1 - its point. */
static uint32_t corner_point(int32_t corner) {
	return corner < 0 ? (uint32_t)~corner : (uint32_t)corner;
}

static bool check_corners(snw_fbx *f, const int32_t *corners, uint32_t count, uint32_t point_count) {
	for (uint32_t c = 0; c < count; c++) {
		if (corner_point(corners[c]) >= point_count) {
			return snw_reading_fail(&f->reading, SNW_ERROR_DATA,
									"a polygon refers to point %u of a mesh with %u; the file is damaged: export it again",
									corner_point(corners[c]), point_count);
		}
	}
	return true;
}

/* Polygons as they are in the file: what belongs to polygons and corners is found by their numbers there, so those of one or
 * two corners stay until the mesh is made. Corners after the last end belong to none. */
static void list_polygons(snw_fbx *f, const int32_t *corners, uint32_t count, snw_fbx_shape *shape) {
	for (uint32_t c = 0; c < count; c++) {
		shape->face_count += corners[c] < 0;
		shape->corner_count = corners[c] < 0 ? c + 1 : shape->corner_count;
	}
	shape->face_offsets = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, (size_t)shape->face_count + 1);
	shape->face_points = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, shape->corner_count);
	uint32_t face = 0;
	for (uint32_t c = 0; c < shape->corner_count; c++) {
		shape->face_points[c] = corner_point(corners[c]);
		if (corners[c] < 0) {
			shape->face_offsets[++face] = c + 1;
		}
	}
}

static void measure_box(snw_fbx_shape *shape) {
	for (int i = 0; i < 3; i++) {
		shape->box[0][i] = INFINITY;
		shape->box[1][i] = -INFINITY;
	}
	for (size_t i = 0; i < 3 * (size_t)shape->point_count; i++) {
		shape->box[0][i % 3] = fmin(shape->box[0][i % 3], shape->points[i]);
		shape->box[1][i % 3] = fmax(shape->box[1][i % 3], shape->points[i]);
	}
}

static bool read_points(snw_fbx *f, const snw_fbx_node *geometry, const snw_fbx_space *space, snw_fbx_shape *shape) {
	uint32_t count;
	shape->points = snw_fbx_numbers(f, snw_fbx_child(geometry, "Vertices"), f->reading.scratch, &count);
	if (!shape->points) {
		return false;
	}
	shape->point_count = count / 3;
	for (size_t i = 0; i < 3 * (size_t)shape->point_count; i++) {
		if (!isfinite(shape->points[i])) {
			return snw_reading_fail(&f->reading, SNW_ERROR_DATA, "point %zu of a mesh is not finite; export it again", i / 3);
		}
	}
	for (size_t p = 0; p < shape->point_count; p++) {
		snw_fbx_space_point(space, shape->points + 3 * p, shape->points + 3 * p);
	}
	measure_box(shape);
	return true;
}

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

static bool read_face_materials(snw_fbx *f, const snw_fbx_node *geometry, snw_fbx_shape *shape) {
	const snw_fbx_node *element = snw_fbx_child(geometry, "LayerElementMaterial");
	const snw_fbx_node *mapping = snw_fbx_child(element, "MappingInformationType");
	const bool by_polygon = snw_fbx_text_is(mapping, 0, "ByPolygon");
	uint32_t count;
	const int32_t *materials = snw_fbx_integers(f, snw_fbx_child(element, "Materials"), f->reading.scratch, &count);
	if (!materials || !snw_reading_reserve(&f->reading, shape->face_count, sizeof(uint32_t))) {
		return false;
	}
	/* Without a list, all faces have the model's first material. */
	shape->face_materials = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, shape->face_count);
	for (uint32_t i = 0; i < shape->face_count; i++) {
		const uint32_t at = by_polygon ? i : 0;
		shape->face_materials[i] = at < count   ? materials[at] < 0 ? SNW_NONE : (uint32_t)materials[at]
									 : by_polygon ? SNW_NONE
												: 0;
	}
	return true;
}

/* UVs at each corner; NULL if the element has none. */
static bool read_uvs(snw_fbx *f, const snw_fbx_node *element, const int32_t *corners, const snw_fbx_shape *shape, float **uvs) {
	if (!snw_fbx_read_corners(f, element, "UV", "UVIndex", 2, corners, shape, uvs)) {
		return false;
	}
	for (size_t c = 0; *uvs && c < shape->corner_count; c++) {
		(*uvs)[2 * c + 1] = 1 - (*uvs)[2 * c + 1]; /* v points down in a scene */
	}
	return true;
}

static bool read_uv_sets(snw_fbx *f, const snw_fbx_node *geometry, const int32_t *corners, snw_fbx_shape *shape) {
	uint32_t count = 0;
	for (const snw_fbx_node *child = geometry->child; child; child = child->next) {
		count += snw_fbx_is(child, "LayerElementUV");
	}
	shape->uv_sets = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_uv_set, count);
	for (const snw_fbx_node *child = geometry->child; child; child = child->next) {
		float *uvs;
		if (!snw_fbx_is(child, "LayerElementUV")) {
			continue;
		}
		if (!read_uvs(f, child, corners, shape, &uvs)) {
			return false;
		}
		if (uvs) {
			const snw_fbx_node *name = snw_fbx_child(child, "Name");
			const char *text = name ? snw_fbx_text(f, name, 0) : NULL;
			shape->uv_sets[shape->uv_set_count++] =
				(snw_fbx_uv_set){snw_name_clean(f->reading.scratch, text, f->reading.task), uvs};
		}
	}
	return true;
}

static bool read_layers(snw_fbx *f, const snw_fbx_node *geometry, const snw_fbx_space *space, const int32_t *corners,
						snw_fbx_shape *shape) {
	if (!snw_fbx_read_corners(f, snw_fbx_child(geometry, "LayerElementNormal"), "Normals", "NormalsIndex", 3, corners, shape,
							  &shape->normals) ||
		!read_uv_sets(f, geometry, corners, shape) ||
		!snw_fbx_read_corners(f, snw_fbx_child(geometry, "LayerElementColor"), "Colors", "ColorIndex", 4, corners, shape,
							  &shape->colors) ||
		!read_face_materials(f, geometry, shape)) {
		return false;
	}
	for (size_t c = 0; shape->normals && c < shape->corner_count; c++) {
		const double file[3] = {(double)shape->normals[3 * c], (double)shape->normals[3 * c + 1],
								(double)shape->normals[3 * c + 2]};
		double normal[3];
		snw_fbx_space_direction(space, file, normal);
		for (size_t i = 0; i < 3; i++) {
			shape->normals[3 * c + i] = (float)normal[i];
		}
	}
	return shape->normals || snw_fbx_read_smoothing(f, geometry, shape);
}

static bool read_shape(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_shape *shape) {
	const snw_fbx_node *geometry = objects->objects[shape->object].node;
	snw_arena *arena = snw_arena_create();
	uint32_t count;
	const int32_t *corners = snw_fbx_integers(f, snw_fbx_child(geometry, "PolygonVertexIndex"), arena, &count);
	bool ok = corners && read_points(f, geometry, space, shape) && check_corners(f, corners, count, shape->point_count) &&
			  snw_reading_reserve(&f->reading, count, 2 * sizeof(uint32_t));
	if (ok) {
		list_polygons(f, corners, count, shape);
		ok = read_layers(f, geometry, space, corners, shape) && snw_fbx_read_channels(f, objects, space, shape);
	}
	snw_arena_destroy(arena);
	return ok;
}

/* The first mesh that is connected to a model. */
static uint32_t find_geometry(const snw_fbx_objects *objects, uint32_t model) {
	uint32_t at = 0, geometry = snw_fbx_next_source(objects, model, "Geometry", "Mesh", NULL, &at);
	while (geometry != SNW_NONE && !snw_fbx_child(objects->objects[geometry].node, "PolygonVertexIndex")) {
		geometry = snw_fbx_next_source(objects, model, "Geometry", "Mesh", NULL, &at);
	}
	return geometry;
}

bool snw_fbx_read_shapes(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_models *models,
						 snw_fbx_shapes *shapes) {
	uint32_t *of_objects = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, objects->count); /* 1 + the shape of each */
	*shapes = (snw_fbx_shapes){.shapes = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_shape, models->count)};
	for (uint32_t m = 0; m < models->count; m++) {
		const uint32_t object = find_geometry(objects, models->models[m].object);
		if (object == SNW_NONE) {
			continue;
		}
		if (of_objects[object] == 0) {
			snw_fbx_shape *shape = &shapes->shapes[shapes->count++];
			of_objects[object] = shapes->count;
			shape->object = object;
			if (!snw_reading_progress(&f->reading, 0.1 + 0.3 * m / models->count, "meshes") ||
				!read_shape(f, objects, space, shape)) {
				return false;
			}
		}
		models->models[m].geometry = of_objects[object] - 1;
	}
	return true;
}
