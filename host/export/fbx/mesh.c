/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes: a model in the middle of the scene, its polygons with what their corners have, the clusters that bind it to joints,
 * and its shapes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/fbx/writer.h"
#include "export/gltf/writer.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- in betweens --------------------------------------------------------------------------------------------------------- */

#define SHAPE_TOLERANCE 1e-4 /* of the mesh's diagonal */
#define LEAST_WEIGHT 1e-6    /* a smaller one is none */

/* The last shape with a weight: the channel is before its end. 0 without any. */
static uint32_t last_weighted(const snw_fbx_joined *joined, const double *weights) {
	uint32_t last = joined->count - 1;
	while (last > 0 && fabs(weights[last]) < LEAST_WEIGHT) {
		last--;
	}
	return last;
}

double snw_fbx_joined_percent(const snw_fbx_joined *joined, const double *weights) {
	const uint32_t last = last_weighted(joined, weights);
	const double begin = last > 0 ? joined->percents[last - 1] : 0;
	return begin + weights[last] * (joined->percents[last] - begin);
}

static double largest_displacement(const snw_plan_morph *morph) {
	double largest = 0;
	for (size_t i = 0; i < morph->count; i++) {
		largest = fmax(largest, snw_length3(morph->vectors + 3 * i));
	}
	return largest;
}

static const snw_plan_morph *morph_of(const snw_fbx_joined *joined, uint32_t t) {
	return &joined->mesh->morphs[joined->mesh->shapes[joined->first + t].morph];
}

/* Whether the channel moves points as the weights do: the shape before the last weighted one has the rest of its weight, the
 * others none. */
static bool are_of_one_channel(const snw_fbx_joined *joined, const double *weights) {
	const uint32_t last = last_weighted(joined, weights);
	double off = 0;
	for (uint32_t t = 0; t < last; t++) {
		const double expected = t + 1 == last ? 1 - weights[last] : 0;
		off = fmax(off, fabs(weights[t] - expected) * largest_displacement(morph_of(joined, t)));
	}
	return off <= SHAPE_TOLERANCE * joined->mesh->diagonal;
}

static void gather_weights(const snw_fbx_joined *joined, const double *all, double *weights) {
	for (uint32_t t = 0; t < joined->count; t++) {
		weights[t] = all[joined->mesh->first_weight + joined->mesh->shapes[joined->first + t].morph];
	}
}

/* At rest and in all clips. */
static bool are_joined_everywhere(const snw_plan *plan, const snw_fbx_joined *joined, snw_arena *arena) {
	double *weights = SNW_NEW_ARRAY(arena, double, joined->count);
	gather_weights(joined, plan->rest_weights, weights);
	bool all = are_of_one_channel(joined, weights);
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		for (uint32_t i = 0; i < plan->samples[c].count && all; i++) {
			gather_weights(joined, plan->samples[c].weights + (size_t)i * plan->weight_count, weights);
			all = are_of_one_channel(joined, weights);
		}
	}
	return all;
}

/* The percent at which a shape is whole on the channel of the next; 0 for one that is no in-between. */
static double in_between_percent(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t shape) {
	const uint32_t channel = mesh->morphs[mesh->shapes[shape].morph].channel;
	return channel == SNW_NONE || mesh->shapes[shape].is_side ? 0 : plan->scene->channels[channel].in_between_percent;
}

/* In-betweens with rising percents, then a whole shape of the file. */
static uint32_t count_shapes(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t shape) {
	uint32_t count = 1;
	for (uint32_t s = shape; in_between_percent(plan, mesh, s) > 0; s++, count++) {
		const bool is_followed = s + 1 < mesh->shape_count && !mesh->shapes[s + 1].is_side &&
								 mesh->morphs[mesh->shapes[s + 1].morph].channel != SNW_NONE;
		const double next = is_followed ? in_between_percent(plan, mesh, s + 1) : 0;
		if (!is_followed || (next > 0 && next <= in_between_percent(plan, mesh, s))) {
			return 1;
		}
	}
	return count;
}

/* The shapes from `shape` on that are one channel in the file: several only if the engine plays them, and if their weights
 * are those of one channel wherever the file plays them; if they are not, that is told. In `arena`. */
static snw_fbx_joined fbx_join_shapes(const snw_plan *plan, uint32_t m, uint32_t shape, snw_arena *arena) {
	const snw_plan_mesh *mesh = &plan->meshes[m];
	const snw_export_request *request = plan->request;
	const bool joins = request->joins_in_betweens || (request->engine && request->engine->plays_in_betweens);
	snw_fbx_joined joined = {.mesh = mesh, .first = shape, .count = joins ? count_shapes(plan, mesh, shape) : 1};
	joined.percents = SNW_NEW_ARRAY(arena, double, joined.count);
	for (uint32_t t = 0; t + 1 < joined.count; t++) {
		joined.percents[t] = in_between_percent(plan, mesh, shape + t);
	}
	joined.percents[joined.count - 1] = 100;
	if (joined.count > 1 && !are_joined_everywhere(plan, &joined, arena)) {
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"mesh %s: the in-betweens of %s have channels of their own, because their weights are not those of one "
						"channel",
						mesh->mesh->name, morph_of(&joined, joined.count - 1)->name);
		joined.count = 1;
		joined.percents[0] = 100;
	}
	return joined;
}

/* ---- mesh ---------------------------------------------------------------------------------------------------------------- */

/* One mesh being written. What is large and done with after it is in `scratch`. */
typedef struct geometry_writer {
	snw_fbx_writer *file;
	snw_fbx_document *document;
	const snw_plan_mesh *mesh;
	snw_arena *scratch;
	uint32_t corner_count;
	int64_t model, geometry;
	snw_normal_plan *normal_plan;
	float *points;   /* [point_count][3] */
	float *corners;  /* [corner_count][3]: normals at rest */
	double *numbers; /* room for 4 numbers of each corner, or 3 of each point */
} geometry_writer;

/* ---- polygons ------------------------------------------------------------------------------------------------------------ */

static void write_points(const geometry_writer *w, snw_fbx_open *geometry) {
	for (size_t i = 0; i < 3 * (size_t)w->mesh->mesh->point_count; i++) {
		w->numbers[i] = w->file->scale * w->mesh->points_rest[i];
	}
	snw_fbx_put_numbers(w->document, geometry, "Vertices", w->numbers, 3 * (size_t)w->mesh->mesh->point_count);
}

/* The last corner of a polygon is stored as -1 - its point. */
static void write_polygons(const geometry_writer *w, snw_fbx_open *geometry) {
	const snw_mesh *mesh = w->mesh->mesh;
	int32_t *corners = SNW_NEW_ARRAY(w->scratch, int32_t, w->corner_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const int32_t point = (int32_t)mesh->face_points[c];
			corners[c] = c + 1 == mesh->face_offsets[f + 1] ? ~point : point;
		}
	}
	snw_fbx_put_integers(w->document, geometry, "PolygonVertexIndex", corners, w->corner_count);
}

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

/* A node with the number of a layer. */
static snw_fbx_open put_of_layer(const geometry_writer *w, snw_fbx_open *geometry, const char *kind, uint32_t layer,
								 int32_t version) {
	snw_fbx_open element = snw_fbx_put_node(w->document, geometry, kind);
	snw_fbx_value *index = SNW_NEW(w->document->arena, snw_fbx_value);
	*index = (snw_fbx_value){.kind = SNW_FBX_INTEGER, .type = 'I', .integer = layer};
	element.node->values = index;
	element.node->value_count = 1;
	snw_fbx_put_integer(w->document, &element, "Version", version);
	return element;
}

static snw_fbx_open put_layer_element(const geometry_writer *w, snw_fbx_open *geometry, const char *kind, uint32_t layer,
									  const char *name, const char *mapping, const char *reference) {
	snw_fbx_open element = put_of_layer(w, geometry, kind, layer, 101);
	snw_fbx_put_text(w->document, &element, "Name", name);
	snw_fbx_put_text(w->document, &element, "MappingInformationType", mapping);
	snw_fbx_put_text(w->document, &element, "ReferenceInformationType", reference);
	return element;
}

/* v points up in FBX. Programs expect UVs by an index. */
static void write_uvs(const geometry_writer *w, snw_fbx_open *geometry, uint32_t layer, const char *name, const float *uvs) {
	int32_t *indices = SNW_NEW_ARRAY(w->scratch, int32_t, w->corner_count);
	for (uint32_t c = 0; c < w->corner_count; c++) {
		w->numbers[2 * (size_t)c] = (double)uvs[2 * (size_t)c];
		w->numbers[2 * (size_t)c + 1] = 1 - (double)uvs[2 * (size_t)c + 1];
		indices[c] = (int32_t)c;
	}
	snw_fbx_open element = put_layer_element(w, geometry, "LayerElementUV", layer, name, "ByPolygonVertex", "IndexToDirect");
	snw_fbx_put_numbers(w->document, &element, "UV", w->numbers, 2 * (size_t)w->corner_count);
	snw_fbx_put_integers(w->document, &element, "UVIndex", indices, w->corner_count);
}

static void write_corners(const geometry_writer *w, snw_fbx_open *geometry, const char *kind, const char *name,
						  const float *values, size_t width) {
	for (size_t i = 0; i < width * w->corner_count; i++) {
		w->numbers[i] = (double)values[i];
	}
	snw_fbx_open element = put_layer_element(w, geometry, kind, 0, "", "ByPolygonVertex", "Direct");
	snw_fbx_put_numbers(w->document, &element, name, w->numbers, width * w->corner_count);
}

/* Faces count the materials of the model in the order of their connections. Faces without one get one of their own. */
static void write_materials(const geometry_writer *w, snw_fbx_open *geometry) {
	const snw_mesh *mesh = w->mesh->mesh;
	const uint32_t all = w->file->plan->scene->material_count;
	int32_t *places = SNW_NEW_ARRAY(w->scratch, int32_t, (size_t)all + 1), count = 0;
	int32_t *faces = SNW_NEW_ARRAY(w->scratch, int32_t, mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t material = mesh->face_materials[f];
		int32_t *place = &places[material == SNW_NONE ? all : material]; /* from 1 */
		if (*place == 0) {
			int64_t id;
			if (material == SNW_NONE) {
				snw_fbx_open object = snw_fbx_put_object(w->document, "Material", "none", "Material", "", &id);
				snw_fbx_put_text(w->document, &object, "ShadingModel", "lambert");
			} else {
				id = snw_fbx_write_material(w->file, material, mesh);
			}
			snw_fbx_connect(w->document, id, w->model, NULL);
			*place = ++count;
		}
		faces[f] = *place - 1;
	}
	snw_fbx_open element = put_layer_element(w, geometry, "LayerElementMaterial", 0, "", "ByPolygon", "IndexToDirect");
	snw_fbx_put_integers(w->document, &element, "Materials", faces, mesh->face_count);
}

static void list_element(const geometry_writer *w, snw_fbx_open *layer, const char *kind, uint32_t index) {
	snw_fbx_open element = snw_fbx_put_node(w->document, layer, "LayerElement");
	snw_fbx_put_text(w->document, &element, "Type", kind);
	snw_fbx_put_integer(w->document, &element, "TypedIndex", (int32_t)index);
}

static bool has_uv_set(const snw_mesh *mesh, const char *name) {
	bool has = false;
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		has = has || strcmp(mesh->attributes[i].name, name) == 0;
	}
	return has;
}

/* A set without a name gets one by its number. Steps of the count keep those names apart. */
const char *snw_fbx_uv_set_name(const snw_fbx_writer *w, const snw_mesh *mesh, uint32_t set) {
	if (set > 0 && set <= mesh->attribute_count && mesh->attributes[set - 1].name[0]) {
		return mesh->attributes[set - 1].name;
	}
	const char *name = snw_arena_format(w->arena, "map%u", set + 1);
	for (uint32_t number = set + 1; has_uv_set(mesh, name); name = snw_arena_format(w->arena, "map%u", number)) {
		number += mesh->attribute_count + 1;
	}
	return name;
}

/* Further UV sets, each in a layer of its own. */
static void write_uv_sets(const geometry_writer *w, snw_fbx_open *geometry) {
	const snw_mesh *mesh = w->mesh->mesh;
	for (uint32_t set = 1; set <= mesh->attribute_count && mesh->attributes[set - 1].is_uv; set++) {
		write_uvs(w, geometry, set, snw_fbx_uv_set_name(w->file, mesh, set), mesh->attributes[set - 1].values);
	}
}

static void list_uv_sets(const geometry_writer *w, snw_fbx_open *geometry) {
	const snw_mesh *mesh = w->mesh->mesh;
	for (uint32_t set = 1; set <= mesh->attribute_count && mesh->attributes[set - 1].is_uv; set++) {
		snw_fbx_open layer = put_of_layer(w, geometry, "Layer", set, 100);
		list_element(w, &layer, "LayerElementUV", set);
	}
}

static void write_layers(const geometry_writer *w, snw_fbx_open *geometry) {
	const snw_mesh *mesh = w->mesh->mesh;
	const struct {
		const char *kind;
		bool is_there;
	} elements[] = {{"LayerElementNormal", mesh->face_count > 0},
					{"LayerElementUV", mesh->corner_uvs},
					{"LayerElementColor", mesh->corner_colors},
					{"LayerElementMaterial", mesh->face_materials}};
	if (mesh->face_count > 0) {
		const float *normals = mesh->corner_normals ? mesh->corner_normals : w->corners;
		write_corners(w, geometry, "LayerElementNormal", "Normals", normals, 3);
	}
	if (mesh->corner_uvs) {
		write_uvs(w, geometry, 0, snw_fbx_uv_set_name(w->file, mesh, 0), mesh->corner_uvs);
	}
	write_uv_sets(w, geometry);
	if (mesh->corner_colors) {
		write_corners(w, geometry, "LayerElementColor", "Colors", mesh->corner_colors, 4);
	}
	if (mesh->face_materials) {
		write_materials(w, geometry);
	}
	snw_fbx_open layer = put_of_layer(w, geometry, "Layer", 0, 100);
	for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
		if (elements[i].is_there) {
			list_element(w, &layer, elements[i].kind, 0);
		}
	}
	list_uv_sets(w, geometry);
}

/* ---- skin ---------------------------------------------------------------------------------------------------------------- */

/* The points of a slot, and their weights. */
static void write_cluster(const geometry_writer *w, int64_t skin, uint32_t slot, const int32_t *points, const double *weights,
						  uint32_t count) {
	const snw_plan_rig *rig = &w->file->plan->rig;
	const double *inverse_bind = rig->slot_inverse_binds + 12 * (size_t)slot;
	const uint32_t joint = rig->slot_joints[slot];
	double sized[12], transform[12], link[12];
	int64_t id;
	for (int i = 0; i < 12; i++) {
		sized[i] = w->file->joint_scales[joint] * inverse_bind[i];
	}
	snw_fbx_scale_matrix(w->file, sized, transform);
	if (!snw_mat34_invert(transform, link)) {
		snw_mat34_identity(link); /* a bind that no joint can have */
	}
	snw_fbx_open cluster = snw_fbx_put_object(w->document, "Deformer", rig->names[joint], "SubDeformer", "Cluster", &id);
	snw_fbx_put_integer(w->document, &cluster, "Version", 100);
	snw_fbx_put_integers(w->document, &cluster, "Indexes", points, count);
	snw_fbx_put_numbers(w->document, &cluster, "Weights", weights, count);
	snw_fbx_put_matrix(w->document, &cluster, "Transform", transform);
	snw_fbx_put_matrix(w->document, &cluster, "TransformLink", link);
	snw_fbx_connect(w->document, id, skin, NULL);
	snw_fbx_connect(w->document, w->file->joints[joint], id, NULL);
}

/* A rigid mesh is bound to its joint too: programs treat a mesh below a bone in ways of their own. */
static void write_skin(const geometry_writer *w) {
	const snw_plan_mesh *mesh = w->mesh;
	const uint32_t slots = w->file->plan->rig.slot_count, points = mesh->mesh->point_count;
	const bool is_rigid = mesh->placement == SNW_PLAN_RIGID;
	const size_t width = is_rigid ? 1 : mesh->width, all = points * width;
	size_t *begins = SNW_NEW_ARRAY(w->scratch, size_t, (size_t)slots + 2);
	int32_t *indices = SNW_NEW_ARRAY(w->scratch, int32_t, all);
	double *weights = SNW_NEW_ARRAY(w->scratch, double, all);
	for (size_t i = 0; i < all; i++) {
		begins[(is_rigid ? mesh->slot : mesh->slots[i]) + 2] += is_rigid || mesh->weights[i] > 0;
	}
	for (size_t s = 2; s <= slots + 1; s++) {
		begins[s] += begins[s - 1];
	}
	for (size_t i = 0; i < all; i++) {
		if (is_rigid || mesh->weights[i] > 0) {
			const size_t at = begins[(is_rigid ? mesh->slot : mesh->slots[i]) + 1]++;
			indices[at] = (int32_t)(i / width);
			weights[at] = is_rigid ? 1 : (double)mesh->weights[i];
		}
	}
	int64_t skin;
	snw_fbx_open object = snw_fbx_put_object(w->document, "Deformer", mesh->mesh->name, "Deformer", "Skin", &skin);
	snw_fbx_put_integer(w->document, &object, "Version", 101);
	snw_fbx_put_number(w->document, &object, "Link_DeformAcuracy", 50);
	snw_fbx_put_text(w->document, &object, "SkinningType", "Linear");
	snw_fbx_connect(w->document, skin, w->geometry, NULL);
	for (uint32_t slot = 0; slot < slots; slot++) {
		if (begins[slot + 1] > begins[slot]) {
			write_cluster(w, skin, slot, indices + begins[slot], weights + begins[slot],
						  (uint32_t)(begins[slot + 1] - begins[slot]));
		}
	}
}

/* ---- shapes -------------------------------------------------------------------------------------------------------------- */

/* [point_count][3]: the sum over the corners of each point, a unit vector. */
static void mean_normals(const snw_mesh *mesh, uint32_t corner_count, const float *corners, double *normals) {
	memset(normals, 0, 3 * (size_t)mesh->point_count * sizeof *normals);
	for (size_t i = 0; i < 3 * (size_t)corner_count; i++) {
		normals[3 * (size_t)mesh->face_points[i / 3] + i % 3] += (double)corners[i];
	}
	for (size_t p = 0; p < mesh->point_count; p++) {
		snw_normalize3(normals + 3 * p);
	}
}

/* The change of the points' normals from rest to the shape at its full weight, [count][3] for the shape's points. */
static double *normal_changes(const geometry_writer *w, const snw_plan_shape *shape, const double *rest, float *posed,
							  double *normals) {
	const snw_plan_morph *morph = &w->mesh->morphs[shape->morph];
	double *changes = SNW_NEW_ARRAY(w->scratch, double, 3 * (size_t)morph->count);
	for (size_t i = 0; i < 3 * (size_t)w->mesh->mesh->point_count; i++) {
		w->points[i] = (float)w->mesh->points_rest[i];
	}
	for (size_t i = 0; i < 3 * (size_t)morph->count; i++) {
		const size_t at = 3 * (size_t)morph->points[i / 3] + i % 3;
		w->points[at] = (float)(w->mesh->points_rest[at] + shape->reach * morph->vectors[i]);
	}
	snw_normals_of_corners(w->normal_plan, w->points, posed);
	mean_normals(w->mesh->mesh, w->corner_count, posed, normals);
	for (size_t i = 0; i < 3 * (size_t)morph->count; i++) {
		const size_t at = 3 * (size_t)morph->points[i / 3] + i % 3;
		changes[i] = normals[at] - rest[at];
	}
	return changes;
}

static int64_t write_shape(const geometry_writer *w, uint32_t s, const double *changes) {
	const snw_plan_shape *shape = &w->mesh->shapes[s];
	const snw_plan_morph *morph = &w->mesh->morphs[shape->morph];
	const char *name = snw_plan_shape_name(w->mesh, shape, w->file->arena);
	int32_t *points = SNW_NEW_ARRAY(w->scratch, int32_t, morph->count);
	double *vectors = SNW_NEW_ARRAY(w->scratch, double, 3 * (size_t)morph->count);
	for (uint32_t i = 0; i < morph->count; i++) {
		points[i] = (int32_t)morph->points[i];
	}
	for (size_t i = 0; i < 3 * (size_t)morph->count; i++) {
		vectors[i] = w->file->scale * shape->reach * morph->vectors[i];
	}
	int64_t geometry;
	snw_fbx_open object = snw_fbx_put_object(w->document, "Geometry", name, "Geometry", "Shape", &geometry);
	snw_fbx_put_integer(w->document, &object, "Version", 100);
	snw_fbx_put_integers(w->document, &object, "Indexes", points, morph->count);
	snw_fbx_put_numbers(w->document, &object, "Vertices", vectors, 3 * (size_t)morph->count);
	if (changes) {
		snw_fbx_put_numbers(w->document, &object, "Normals", changes, 3 * (size_t)morph->count);
	}
	return geometry;
}

/* A channel has the name of its last shape, whose in-betweens come before it. */
static int64_t write_shape_channel(const geometry_writer *w, int64_t blend, const snw_fbx_joined *joined) {
	const double *rest_weights = w->file->plan->rest_weights + w->mesh->first_weight;
	const snw_plan_shape *shapes = w->mesh->shapes + joined->first;
	const char *name = snw_plan_shape_name(w->mesh, &shapes[joined->count - 1], w->file->arena);
	double *weights = SNW_NEW_ARRAY(w->scratch, double, joined->count);
	for (uint32_t t = 0; t < joined->count; t++) {
		weights[t] = snw_plan_shape_weight(&shapes[t], rest_weights[shapes[t].morph]);
	}
	const double percent = snw_fbx_joined_percent(joined, weights);
	int64_t channel;
	snw_fbx_open object = snw_fbx_put_object(w->document, "Deformer", name, "SubDeformer", "BlendShapeChannel", &channel);
	snw_fbx_put_integer(w->document, &object, "Version", 100);
	snw_fbx_put_number(w->document, &object, "DeformPercent", percent);
	snw_fbx_put_numbers(w->document, &object, "FullWeights", joined->percents, joined->count);
	snw_fbx_open list = snw_fbx_put_node(w->document, &object, "Properties70");
	snw_fbx_put_property_numbers(w->document, &list, "DeformPercent", "Number", "", "A", &percent, 1);
	snw_fbx_connect(w->document, channel, blend, NULL);
	return channel;
}

static void write_shapes(const geometry_writer *w) {
	const size_t points = w->mesh->mesh->point_count;
	double *rest = SNW_NEW_ARRAY(w->scratch, double, 3 * points), *normals = SNW_NEW_ARRAY(w->scratch, double, 3 * points);
	float *posed = SNW_NEW_ARRAY(w->scratch, float, 3 * (size_t)w->corner_count);
	int64_t blend;
	snw_fbx_open object = snw_fbx_put_object(w->document, "Deformer", w->mesh->mesh->name, "Deformer", "BlendShape", &blend);
	snw_fbx_put_integer(w->document, &object, "Version", 100);
	snw_fbx_connect(w->document, blend, w->geometry, NULL);
	mean_normals(w->mesh->mesh, w->corner_count, w->corners, rest);
	const size_t m = (size_t)(w->mesh - w->file->plan->meshes);
	for (uint32_t s = 0; s < w->mesh->shape_count; s += w->file->joined[m][s].count) {
		snw_fbx_joined *joined = &w->file->joined[m][s];
		*joined = fbx_join_shapes(w->file->plan, (uint32_t)m, s, w->file->arena);
		joined->channel = write_shape_channel(w, blend, joined);
		for (uint32_t t = s; t < s + joined->count; t++) {
			const double *changes = w->corner_count > 0 ? normal_changes(w, &w->mesh->shapes[t], rest, posed, normals) : NULL;
			snw_fbx_connect(w->document, write_shape(w, t, changes), joined->channel, NULL);
		}
	}
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* The text of glTF's extras.sinew, without what counts joints of a skin; NULL if there is nothing to say. */
static char *describe(const geometry_writer *w, uint32_t m) {
	snw_gltf_writer writer = {.plan = w->file->plan, .document = snw_gltf_document_create(false), .arena = w->scratch};
	char *text = NULL;
	if (writer.document) {
		cJSON *sinew = snw_gltf_root(writer.document);
		snw_gltf_put_number(writer.document, sinew, "version", 1);
		text = snw_gltf_write_description(&writer, m, sinew) ? cJSON_PrintUnformatted(sinew) : NULL;
	}
	snw_gltf_document_destroy(writer.document);
	return text;
}

/* Some programs find what a clip moves by names, so that a mesh cannot have a joint's. */
static const char *model_name(const geometry_writer *w) {
	const snw_plan_rig *rig = &w->file->plan->rig;
	const char *name = w->mesh->mesh->name;
	for (uint32_t joint = 0; joint < rig->joint_count; joint++) {
		if (strcmp(rig->names[joint], name) == 0) {
			return snw_arena_format(w->file->arena, "%s-mesh", name);
		}
	}
	return name;
}

static void write_model(geometry_writer *w, uint32_t m) {
	snw_fbx_open object = snw_fbx_put_object(w->document, "Model", model_name(w), "Model", "Mesh", &w->file->meshes[m]);
	w->model = w->file->meshes[m];
	snw_fbx_put_integer(w->document, &object, "Version", 232);
	snw_fbx_open list = snw_fbx_put_node(w->document, &object, "Properties70");
	snw_fbx_put_property_integer(w->document, &list, "InheritType", "enum", "", SNW_FBX_RSRS);
	snw_fbx_put_property_integer(w->document, &list, "DefaultAttributeIndex", "int", "Integer", 0);
	char *description = describe(w, m);
	if (description) {
		snw_fbx_put_property_text(w->document, &list, "sinew", "U", description);
		free(description);
	}
	snw_fbx_connect(w->document, w->model, 0, NULL);
}

static void write_geometry(geometry_writer *w) {
	snw_fbx_open geometry = snw_fbx_put_object(w->document, "Geometry", w->mesh->mesh->name, "Geometry", "Mesh", &w->geometry);
	snw_fbx_put_integer(w->document, &geometry, "GeometryVersion", 124);
	write_points(w, &geometry);
	write_polygons(w, &geometry);
	write_layers(w, &geometry);
	snw_fbx_connect(w->document, w->geometry, w->model, NULL);
}

void snw_fbx_write_mesh(snw_fbx_writer *file, uint32_t m) {
	const snw_plan_mesh *mesh = &file->plan->meshes[m];
	geometry_writer w = {.file = file, .document = file->document, .mesh = mesh, .scratch = snw_arena_create()};
	const size_t points = mesh->mesh->point_count;
	w.corner_count = mesh->mesh->face_count > 0 ? mesh->mesh->face_offsets[mesh->mesh->face_count] : 0;
	w.points = SNW_NEW_ARRAY(w.scratch, float, 3 * points);
	w.corners = SNW_NEW_ARRAY(w.scratch, float, 3 * (size_t)w.corner_count);
	w.numbers = SNW_NEW_ARRAY(w.scratch, double, 4 * (size_t)w.corner_count + 3 * points);
	w.normal_plan = snw_normal_plan_create(mesh->mesh);
	file->joined[m] = SNW_NEW_ARRAY(file->arena, snw_fbx_joined, mesh->shape_count);
	for (size_t i = 0; i < 3 * points; i++) {
		w.points[i] = (float)mesh->points_rest[i];
	}
	snw_normals_of_corners(w.normal_plan, w.points, w.corners);
	write_model(&w, m);
	write_geometry(&w);
	if (mesh->placement != SNW_PLAN_STILL) {
		write_skin(&w);
	}
	if (mesh->shape_count > 0) {
		write_shapes(&w);
	}
	snw_normal_plan_destroy(w.normal_plan);
	snw_arena_destroy(w.scratch);
}
