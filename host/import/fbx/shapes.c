/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Geometries: points, polygons, and what the corners of polygons have.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/common/reading.h"
#include "import/fbx/fbx_internal.h"
#include "pose/pose.h"
#include "program/program.h"
#include "sinew/algebra.h"

/* ---- blends -------------------------------------------------------------------------------------------------------------- */

/* How skins blend. A skin of FBX blends its points linearly, by dual quaternions, or each point between both by a weight of
 * its own. A character has one blend here, so files that have both get the one that is nearer to them over their clips. */

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static bool read_shares(snw_fbx *f, const snw_fbx_node *skin, snw_fbx_shape *shape) {
	snw_arena *arena = snw_arena_create();
	uint32_t count;
	const double *weights = snw_fbx_numbers(f, snw_fbx_child(skin, "BlendWeights"), arena, &count);
	for (uint32_t p = 0; weights && p < shape->point_count; p++) {
		shape->dual_shares[p] = p < count && weights[p] > 0 ? fmin(weights[p], 1) : 0;
	}
	snw_arena_destroy(arena);
	return weights != NULL;
}

static bool read_shape_skin(snw_fbx *f, const snw_fbx_node *skin, snw_fbx_shape *shape) {
	const snw_fbx_node *type = snw_fbx_child(skin, "SkinningType");
	const bool is_dual = snw_fbx_text_is(type, 0, "DualQuaternion");
	if (!is_dual && !snw_fbx_text_is(type, 0, "Blend")) {
		return true;
	}
	if (!shape->dual_shares && !snw_reading_reserve(&f->reading, shape->point_count, sizeof(double))) {
		return false;
	}
	shape->dual_shares =
		shape->dual_shares ? shape->dual_shares : SNW_NEW_ARRAY(f->reading.scratch, double, shape->point_count);
	for (uint32_t p = 0; is_dual && p < shape->point_count; p++) {
		shape->dual_shares[p] = 1;
	}
	return is_dual || read_shares(f, skin, shape);
}

bool snw_fbx_read_blend(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_shape *shape) {
	uint32_t at = 0, skin;
	bool ok = true;
	while (ok && (skin = snw_fbx_next_source(objects, shape->object, "Deformer", "Skin", NULL, &at)) != SNW_NONE) {
		ok = read_shape_skin(f, objects->objects[skin].node, shape);
	}
	return ok;
}

/* ---- the error of either ------------------------------------------------------------------------------------------------- */

/* How far points would be off, in metres. */
typedef struct blend_error {
	double linear_sum, dual_sum; /* squared */
	double linear_most, dual_most;
} blend_error;

/* A point's place is between the two by its share, so its distance from each is a share of that between them. */
static void compare_skin(const snw_fbx_skin *skin, const snw_scene *scene, const snw_pose_view *view, snw_arena *arena,
						 blend_error *error) {
	const snw_mesh *mesh = &skin->mesh;
	snw_program program = {.point_count = mesh->point_count,
						   .blend = SNW_BLEND_LINEAR,
						   .slot_count = scene->slot_count,
						   .points_rest = mesh->points_rest,
						   .influence_offsets = mesh->influence_offsets,
						   .influence_slots = mesh->influence_slots,
						   .influence_weights = mesh->influence_weights};
	const snw_program_input input = {.matrices = view->palette};
	double *linear = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	double *dual = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	snw_program_reference(&program, &input, NULL, linear);
	program.blend = SNW_BLEND_DUAL_QUATERNION;
	snw_program_reference(&program, &input, NULL, dual);
	for (size_t p = 0; p < mesh->point_count; p++) {
		const double share = skin->shape->dual_shares ? skin->shape->dual_shares[p] : 0;
		const double apart = sqrt(snw_squared_distance3(linear + 3 * p, dual + 3 * p));
		const double from_linear = share * apart, from_dual = (1 - share) * apart;
		error->linear_sum += from_linear * from_linear;
		error->dual_sum += from_dual * from_dual;
		error->linear_most = fmax(error->linear_most, from_linear);
		error->dual_most = fmax(error->dual_most, from_dual);
	}
}

/* Over some moments of each of the first clips. */
static blend_error measure(const snw_fbx_skins *skins, const snw_scene *scene) {
	enum { CLIPS = 16, MOMENTS = 5 };
	blend_error error = {0};
	for (uint32_t c = 0; c < scene->clip_count && c < CLIPS; c++) {
		snw_arena *arena = snw_arena_create();
		const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, c, arena);
		for (int m = 0; m < MOMENTS; m++) {
			snw_arena *scratch = snw_arena_create();
			const double seconds = scene->clips[c].duration_seconds * m / (MOMENTS - 1);
			const snw_pose_view *view = snw_pose_view_make(scene, snw_clip_sampler_pose(sampler, seconds, scratch), scratch);
			for (uint32_t s = 0; s < skins->count; s++) {
				compare_skin(&skins->skins[s], scene, view, scratch, &error);
			}
			snw_arena_destroy(scratch);
		}
		snw_arena_destroy(arena);
	}
	return error;
}

/* ---- the choice ---------------------------------------------------------------------------------------------------------- */

void snw_fbx_choose_blend(snw_fbx *f, const snw_fbx_skins *skins, snw_scene *scene) {
	double points = 0, dual = 0;
	for (uint32_t s = 0; s < skins->count; s++) {
		const snw_fbx_shape *shape = skins->skins[s].shape;
		points += shape->point_count;
		for (uint32_t p = 0; shape->dual_shares && p < shape->point_count; p++) {
			dual += shape->dual_shares[p];
		}
	}
	if (dual == 0) {
		return;
	}
	bool is_dual = dual > points / 2;
	if (dual < points) {
		const blend_error error = measure(skins, scene);
		is_dual = error.dual_sum == error.linear_sum ? is_dual : error.dual_sum < error.linear_sum;
		const char *chosen = is_dual ? "with dual quaternions" : "linearly";
		const double diagonal = snw_scene_diagonal(scene, SNW_NONE);
		snw_task_notice(
			f->reading.task, SNW_LOG_WARNING,
			"the file blends %.0f %% of the skin's points with dual quaternions and the rest linearly; all are blended "
			"%s, up to %.2g %% of the diagonal off in its clips",
			100 * dual / points, chosen, diagonal > 0 ? 100 * (is_dual ? error.dual_most : error.linear_most) / diagonal : 0);
	}
	if (is_dual) {
		snw_scene_add_dual_quaternions(scene);
	}
}

/* ---- blend shapes -------------------------------------------------------------------------------------------------------- */

/* Blend shapes. A channel has a weight in percent and one or more shapes, each with the weight at which it is full. Between
 * two of them the displacements go from one to the other; beyond the last they go on as they did. */

/* The points that a shape moves, ascending; the last of several displacements of a point is its own. */
static bool read_displacements(snw_fbx *f, const snw_fbx_node *node, const snw_fbx_space *space, uint32_t point_count,
							   snw_arena *arena, snw_morph *morph) {
	uint32_t index_count, number_count;
	const int32_t *indices = snw_fbx_integers(f, snw_fbx_child(node, "Indexes"), arena, &index_count);
	const double *numbers = indices ? snw_fbx_numbers(f, snw_fbx_child(node, "Vertices"), arena, &number_count) : NULL;
	if (!numbers || !snw_reading_reserve(&f->reading, point_count, sizeof(uint32_t)) ||
		!snw_reading_reserve(&f->reading, index_count, 28)) {
		return false;
	}
	uint32_t *places = SNW_NEW_ARRAY(arena, uint32_t, point_count); /* 1 + the displacement of each point */
	for (uint32_t i = 0; i < index_count && i < number_count / 3; i++) {
		if (indices[i] < 0 || (uint32_t)indices[i] >= point_count) {
			return snw_reading_fail(&f->reading, SNW_ERROR_DATA,
									"a blend shape moves point %d of a mesh with %u; the file is damaged: export it again",
									indices[i], point_count);
		}
		places[indices[i]] = i + 1;
	}
	uint32_t *points = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, index_count);
	double *vectors = SNW_NEW_ARRAY(f->reading.scratch, double, 3 * (size_t)index_count);
	for (uint32_t p = 0; p < point_count; p++) {
		const double *from = numbers + 3 * (size_t)(places[p] > 0 ? places[p] - 1 : 0);
		if (places[p] == 0 || !(isfinite(from[0]) && isfinite(from[1]) && isfinite(from[2])) ||
			(from[0] == 0 && from[1] == 0 && from[2] == 0)) {
			continue;
		}
		snw_fbx_space_point(space, from, vectors + 3 * (size_t)morph->count);
		points[morph->count++] = p;
	}
	morph->points = points;
	morph->vectors = vectors;
	return true;
}

static int compare_targets(const void *a, const void *b) {
	const snw_fbx_target *x = a, *y = b;
	return (x->full_weight > y->full_weight) - (x->full_weight < y->full_weight);
}

/* Targets at a weight of 0, or at the same weight as another, cannot be reached. */
static void sort_targets(snw_fbx *f, snw_fbx_channel *channel) {
	uint32_t used = 0;
	qsort(channel->targets, channel->target_count, sizeof *channel->targets, compare_targets);
	for (uint32_t t = 0; t < channel->target_count; t++) {
		const double weight = channel->targets[t].full_weight;
		if (weight > 0 && (used == 0 || weight > channel->targets[used - 1].full_weight)) {
			channel->targets[used++] = channel->targets[t];
		}
	}
	if (used < channel->target_count) {
		snw_task_notice(f->reading.task, SNW_LOG_WARNING,
						"blend shape channel %s: %u of its shapes have no weight of their own and are "
						"left out",
						channel->name ? channel->name : "", channel->target_count - used);
	}
	channel->target_count = used;
}

static bool read_channel(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, uint32_t point_count,
						 snw_fbx_channel *channel) {
	const snw_fbx_object *object = &objects->objects[channel->object];
	snw_arena *arena = snw_arena_create();
	uint32_t weight_count, at = 0, shape;
	const double *weights = snw_fbx_numbers(f, snw_fbx_child(object->node, "FullWeights"), arena, &weight_count);
	bool ok = weights && snw_reading_reserve(&f->reading, object->source_count, sizeof(snw_fbx_target));
	channel->targets = ok ? SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_target, object->source_count) : NULL;
	while (ok && (shape = snw_fbx_next_source(objects, channel->object, "Geometry", "Shape", NULL, &at)) != SNW_NONE) {
		const uint32_t t = channel->target_count++;
		snw_fbx_target *target = &channel->targets[t];
		target->full_weight = t < weight_count && isfinite(weights[t]) ? weights[t] : 100;
		target->name = snw_name_clean(f->reading.scratch, snw_fbx_object_name(f, objects, shape), f->reading.task);
		ok = read_displacements(f, objects->objects[shape].node, space, point_count, arena, &target->morph);
	}
	snw_arena_destroy(arena);
	if (ok) {
		const double stored = snw_fbx_number(snw_fbx_child(object->node, "DeformPercent"), 0, 0);
		channel->weight = snw_fbx_property_number(objects, channel->object, "DeformPercent", stored);
		channel->name = snw_name_clean(f->reading.scratch, snw_fbx_object_name(f, objects, channel->object), f->reading.task);
		sort_targets(f, channel);
	}
	return ok;
}

/* Goes through the channels of all blend shapes of a geometry; fills `channels` unless it is NULL. Returns their number. */
static uint32_t list_shape_channels(const snw_fbx_objects *objects, uint32_t geometry, snw_fbx_channel *channels) {
	uint32_t count = 0, at = 0, blend;
	while ((blend = snw_fbx_next_source(objects, geometry, "Deformer", "BlendShape", NULL, &at)) != SNW_NONE) {
		uint32_t channel_at = 0, channel;
		while ((channel = snw_fbx_next_source(objects, blend, "Deformer", "BlendShapeChannel", NULL, &channel_at)) !=
			   SNW_NONE) {
			if (channels) {
				channels[count].object = channel;
			}
			count++;
		}
	}
	return count;
}

/* The blend shape channels of a geometry (shapes.c). */
static bool fbx_read_channels(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_shape *shape) {
	shape->channel_count = list_shape_channels(objects, shape->object, NULL);
	if (!snw_reading_reserve(&f->reading, shape->channel_count, sizeof(snw_fbx_channel))) {
		return false;
	}
	shape->channels = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_channel, shape->channel_count);
	list_shape_channels(objects, shape->object, shape->channels);
	for (uint32_t c = 0; c < shape->channel_count; c++) {
		if (!read_channel(f, objects, space, shape->point_count, &shape->channels[c])) {
			return false;
		}
		shape->target_count += shape->channels[c].target_count;
	}
	return true;
}

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
		ok = read_layers(f, geometry, space, corners, shape) && fbx_read_channels(f, objects, space, shape);
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
