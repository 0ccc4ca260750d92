/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh of the scene for each model that has a geometry: places its shape at rest, binds it to slots, and gives its blend
 * shapes channels.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "import/common/reading.h"
#include "import/fbx/fbx_internal.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* A mesh under construction. `world` maps the space of its shape to rest space. */
typedef struct instance {
	snw_fbx *f;
	const snw_fbx_shape *shape;
	double world[12];
	bool is_reversed; /* its polygons are seen from behind */
	snw_mesh *mesh;
	uint32_t *corners;    /* of each corner of the mesh, in the shape; NULL: the same */
	uint32_t *shown_sets; /* of each face of the mesh: the UV set of its material's colour; NULL: the first */
} instance;

/* ---- points, faces and corners ------------------------------------------------------------------------------------------- */

static void place_points(const instance *in) {
	double *points = SNW_NEW_ARRAY(in->f->reading.arena, double, 3 * (size_t)in->shape->point_count);
	for (size_t p = 0; p < in->shape->point_count; p++) {
		snw_mat34_point(in->world, in->shape->points + 3 * p, points + 3 * p);
	}
	in->mesh->point_count = in->shape->point_count;
	in->mesh->points_rest = points;
}

static uint32_t shape_corner(const instance *in, uint32_t corner) {
	return in->corners ? in->corners[corner] : corner;
}

static bool are_corners_kept(const instance *in) {
	bool are_kept = !in->is_reversed;
	for (uint32_t face = 0; face < in->shape->face_count; face++) {
		are_kept = are_kept && in->shape->face_offsets[face + 1] - in->shape->face_offsets[face] >= 3;
	}
	return are_kept;
}

/* Polygons of fewer than three corners are left out. The first corner of a polygon stays its first. */
static void place_faces(instance *in, const uint32_t *materials, uint32_t material_count) {
	const snw_fbx_shape *shape = in->shape;
	uint32_t *offsets = SNW_NEW_ARRAY(in->f->reading.arena, uint32_t, (size_t)shape->face_count + 1);
	uint32_t *points = SNW_NEW_ARRAY(in->f->reading.arena, uint32_t, shape->corner_count);
	uint32_t *face_materials = material_count > 0 ? SNW_NEW_ARRAY(in->f->reading.arena, uint32_t, shape->face_count) : NULL;
	uint32_t faces = 0, corners = 0;
	bool has_materials = false;
	in->corners = are_corners_kept(in) ? NULL : SNW_NEW_ARRAY(in->f->reading.scratch, uint32_t, shape->corner_count);
	for (uint32_t face = 0; face < shape->face_count; face++) {
		const uint32_t first = shape->face_offsets[face], count = shape->face_offsets[face + 1] - first;
		if (count < 3) {
			continue;
		}
		for (uint32_t c = 0; c < count; c++) {
			const uint32_t corner = first + (in->is_reversed ? (count - c) % count : c);
			points[corners] = shape->face_points[corner];
			if (in->corners) {
				in->corners[corners] = corner;
			}
			corners++;
		}
		if (face_materials) {
			const uint32_t material = shape->face_materials[face];
			face_materials[faces] = material < material_count ? materials[material] : SNW_NONE;
			has_materials |= face_materials[faces] != SNW_NONE;
		}
		offsets[++faces] = corners;
	}
	in->mesh->face_count = faces;
	in->mesh->face_offsets = offsets;
	in->mesh->face_points = points;
	in->mesh->face_materials = has_materials ? face_materials : NULL;
}

static float *corner_values(const instance *in, const float *values, uint32_t width) {
	const uint32_t count = in->mesh->face_offsets[in->mesh->face_count];
	float *corners = values ? SNW_NEW_ARRAY(in->f->reading.arena, float, (size_t)width *count) : NULL;
	for (uint32_t c = 0; corners && c < count; c++) {
		memcpy(corners + (size_t)width * c, values + (size_t)width * shape_corner(in, c), width * sizeof(float));
	}
	return corners;
}

/* The set of a name; the first if there is none. */
static uint32_t find_uv_set(const snw_fbx_shape *shape, const char *name) {
	uint32_t set = 0;
	while (name && set < shape->uv_set_count && (!shape->uv_sets[set].name || strcmp(shape->uv_sets[set].name, name) != 0)) {
		set++;
	}
	return set < shape->uv_set_count ? set : 0;
}

static void choose_uv_sets(instance *in, const snw_fbx_materials *materials) {
	const uint32_t *faces = in->mesh->face_materials;
	if (!faces || in->shape->uv_set_count < 2) {
		return;
	}
	in->shown_sets = SNW_NEW_ARRAY(in->f->reading.scratch, uint32_t, in->mesh->face_count);
	for (uint32_t face = 0; face < in->mesh->face_count; face++) {
		in->shown_sets[face] = face > 0 && faces[face] == faces[face - 1] ? in->shown_sets[face - 1]
							   : faces[face] != SNW_NONE ? find_uv_set(in->shape, materials->uv_sets[faces[face]])
														 : 0;
	}
}

/* A set of the scene: the first is the one that is shown, which leaves its place to the file's first. */
static float *uv_values(const instance *in, uint32_t set) {
	const snw_mesh *mesh = in->mesh;
	float *uvs = SNW_NEW_ARRAY(in->f->reading.arena, float, 2 * (size_t)mesh->face_offsets[mesh->face_count]);
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		const uint32_t shown = in->shown_sets ? in->shown_sets[face] : 0, from = set == 0 ? shown : set == shown ? 0 : set;
		for (uint32_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
			memcpy(uvs + 2 * (size_t)c, in->shape->uv_sets[from].uvs + 2 * (size_t)shape_corner(in, c), 2 * sizeof *uvs);
		}
	}
	return uvs;
}

static void place_uv_sets(const instance *in) {
	const snw_fbx_shape *shape = in->shape;
	snw_arena *arena = in->f->reading.arena;
	const uint32_t shown = in->shown_sets && in->mesh->face_count > 0 ? in->shown_sets[0] : 0;
	if (shape->uv_set_count == 0) {
		return;
	}
	snw_attribute *attributes = SNW_NEW_ARRAY(arena, snw_attribute, shape->uv_set_count - 1);
	in->mesh->corner_uvs = uv_values(in, 0);
	for (uint32_t set = 1; set < shape->uv_set_count; set++) {
		const char *name = snw_name_clean(arena, shape->uv_sets[set == shown ? 0 : set].name, in->f->reading.task);
		attributes[set - 1] = (snw_attribute){
			.name = name ? name : "",
			.is_uv = true,
			.width = 2,
			.corner_count = in->mesh->face_offsets[in->mesh->face_count],
			.values = uv_values(in, set),
		};
	}
	in->mesh->attribute_count = shape->uv_set_count - 1;
	in->mesh->attributes = attributes;
}

/* Normals are mapped by the inverse transpose. A corner whose normal has no length gets that of its face. */
static void place_normals(const instance *in) {
	float *normals = corner_values(in, in->shape->normals, 3);
	const snw_mesh *mesh = in->mesh;
	double inverse[12];
	if (!normals || !snw_mat34_invert(in->world, inverse)) {
		return;
	}
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		const uint32_t first = mesh->face_offsets[face], count = mesh->face_offsets[face + 1] - first;
		for (size_t c = first; c < first + count; c++) {
			double normal[3];
			for (int i = 0; i < 3; i++) {
				normal[i] = inverse[i] * (double)normals[3 * c] + inverse[4 + i] * (double)normals[3 * c + 1] +
							inverse[8 + i] * (double)normals[3 * c + 2];
			}
			snw_normalize3(normal);
			if (!(fabs(snw_length3(normal) - 1) < 1e-6)) {
				snw_face_normal(mesh->points_rest, mesh->face_points + first, count, normal);
			}
			for (size_t i = 0; i < 3; i++) {
				normals[3 * c + i] = (float)normal[i];
			}
		}
	}
	in->mesh->corner_normals = normals;
}

/* ---- influences and morphs ----------------------------------------------------------------------------------------------- */

static void bind_skin(const instance *in, const snw_rig_skin *rig_skin, const snw_fbx_skin *skin) {
	snw_arena *arena = snw_arena_create();
	snw_influence *list = snw_arena_copy(arena, skin->influences, skin->influence_count * sizeof *list);
	for (uint32_t i = 0; i < skin->influence_count; i++) {
		list[i].slot = rig_skin->slots[list[i].slot];
	}
	snw_mesh_bind(in->mesh, list, skin->influence_count, rig_skin->slots[rig_skin->top], in->f->reading.arena,
				  in->f->reading.task);
	snw_arena_destroy(arena);
}

/* The last target of a channel has its name; in-betweens add their weight: "smile-50". */
static const char *target_name(snw_fbx *f, const snw_fbx_channel *channel, uint32_t target, uint32_t index) {
	const snw_fbx_target *t = &channel->targets[target];
	const bool is_last = target + 1 == channel->target_count;
	const char *name = channel->name ? channel->name : t->name;
	name = name ? name : snw_arena_format(f->reading.arena, "morph-%u", index);
	return is_last ? snw_arena_text(f->reading.arena, name) : snw_arena_format(f->reading.arena, "%s-%g", name, t->full_weight);
}

static void place_morphs(const instance *in, uint32_t first_channel) {
	snw_morph *morphs = SNW_NEW_ARRAY(in->f->reading.arena, snw_morph, in->shape->target_count);
	uint32_t next = 0;
	for (uint32_t c = 0; c < in->shape->channel_count; c++) {
		const snw_fbx_channel *channel = &in->shape->channels[c];
		for (uint32_t t = 0; t < channel->target_count; t++) {
			const snw_morph *from = &channel->targets[t].morph;
			double *vectors = SNW_NEW_ARRAY(in->f->reading.arena, double, 3 * (size_t)from->count);
			for (size_t i = 0; i < from->count; i++) {
				snw_mat34_vector(in->world, from->vectors + 3 * i, vectors + 3 * i);
			}
			morphs[next] = (snw_morph){
				.name = target_name(in->f, channel, t, next),
				.channel = first_channel + next,
				.count = from->count,
				.points = snw_arena_copy(in->f->reading.arena, from->points, from->count * sizeof from->points[0]),
				.vectors = vectors,
			};
			next++;
		}
	}
	in->mesh->morph_count = next;
	in->mesh->morphs = morphs;
}

/* ---- channels ------------------------------------------------------------------------------------------------------------ */

double snw_fbx_target_weight(const snw_fbx_channel *channel, uint32_t target, double percent) {
	const snw_fbx_target *targets = channel->targets;
	const uint32_t last = channel->target_count - 1;
	uint32_t above = 0; /* the target at the end of the interval that has the weight; the first begins at 0, without any */
	while (above < last && percent > targets[above].full_weight) {
		above++;
	}
	const double begin = above > 0 ? targets[above - 1].full_weight : 0;
	const double along = (percent - begin) / (targets[above].full_weight - begin);
	return target == above ? along : target + 1 == above ? 1 - along : 0;
}

/* A channel of the scene for each target of each mesh. If several meshes have targets, their names include the mesh's. */
static bool list_channels(snw_fbx *f, const snw_fbx_shapes *shapes, snw_rig *rig, const uint32_t *mesh_nodes,
						  const snw_mesh *meshes, uint32_t mesh_count, snw_scene *scene) {
	uint64_t count = 0;
	uint32_t morphed_count = 0, next = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		const uint32_t targets = shapes->shapes[rig->nodes[mesh_nodes[m]].mesh].target_count;
		count += targets;
		morphed_count += targets > 0;
	}
	if (count >= SNW_NONE || !snw_reading_reserve(&f->reading, count, 256)) {
		return false;
	}
	snw_channel *channels = SNW_NEW_ARRAY(f->reading.arena, snw_channel, count);
	const char **names = SNW_NEW_ARRAY(f->reading.scratch, const char *, count);
	for (uint32_t m = 0; m < mesh_count; m++) {
		snw_rig_node *node = &rig->nodes[mesh_nodes[m]];
		const snw_fbx_shape *shape = &shapes->shapes[node->mesh];
		node->first_channel = shape->target_count > 0 ? next : SNW_NONE;
		for (uint32_t c = 0; c < shape->channel_count; c++) {
			const snw_fbx_channel *channel = &shape->channels[c];
			for (uint32_t t = 0; t < channel->target_count; t++) {
				const char *name = target_name(f, channel, t, next - node->first_channel);
				const bool is_last = t + 1 == channel->target_count;
				const double full = channel->targets[channel->target_count - 1].full_weight;
				channels[next].initial = snw_fbx_target_weight(channel, t, channel->weight);
				channels[next].in_between_percent = is_last ? 0 : 100 * channel->targets[t].full_weight / full;
				names[next++] = morphed_count > 1 ? snw_arena_format(f->reading.arena, "%s.%s", meshes[m].name, name) : name;
			}
		}
	}
	snw_names_make_unique(f->reading.arena, names, next, "channel", f->reading.task);
	for (uint32_t c = 0; c < next; c++) {
		channels[c].name = names[c];
	}
	scene->channels = channels;
	scene->channel_count = next;
	return true;
}

/* ---- all meshes ---------------------------------------------------------------------------------------------------------- */

/* The materials of a model in the order of their connections, which its faces count by. */
static uint32_t *list_materials(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_materials *materials, uint32_t model,
								uint32_t *count) {
	uint32_t *list = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, objects->objects[model].source_count), at = 0, material;
	*count = 0;
	while ((material = snw_fbx_next_source(objects, model, "Material", NULL, NULL, &at)) != SNW_NONE) {
		list[(*count)++] = materials->of_objects[material];
	}
	return list;
}

static bool make_mesh(instance *in, const snw_fbx_space *space, const snw_fbx_model *model,
					  const snw_fbx_materials *all_materials, const uint32_t *materials, uint32_t material_count,
					  const snw_rig_node *node, const snw_fbx_skins *skins, const snw_scene *scene, snw_rig_slots *slots,
					  bool keep_points) {
	const snw_fbx_shape *shape = in->shape;
	uint32_t slot = SNW_NONE;
	if (!snw_reading_reserve(&in->f->reading, shape->point_count, 150) ||
		!snw_reading_reserve(&in->f->reading, shape->corner_count, 60)) {
		return false;
	}
	if (node->skin != SNW_NONE) {
		memcpy(in->world, skins->rig_skins[node->skin].placement, sizeof in->world);
	} else {
		slot = snw_rig_rigid_slot(node, scene, slots, in->world);
		snw_mat34_multiply(in->world, model->geometric, in->world);
	}
	in->is_reversed = (snw_mat34_determinant(in->world) < 0) != space->is_mirrored;
	place_points(in);
	place_faces(in, materials, material_count);
	choose_uv_sets(in, all_materials);
	in->mesh->corner_colors = corner_values(in, shape->colors, 4);
	place_uv_sets(in);
	place_normals(in);
	place_morphs(in, node->first_channel);
	if (node->skin != SNW_NONE) {
		bind_skin(in, &skins->rig_skins[node->skin], &skins->skins[node->skin]);
	} else {
		snw_rig_bind_rigid(in->mesh, slot, in->f->reading.arena);
	}
	if (node->skin != SNW_NONE) {
		skins->skins[node->skin].mesh = *in->mesh;
	}
	snw_mesh_finish(in->mesh, keep_points, shape->point_count == shape->corner_count, in->f->reading.arena,
					in->f->reading.task);
	return true;
}

/* The models with polygons, and names for their meshes. */
static uint32_t list_meshes(snw_fbx *f, const snw_fbx_models *models, const snw_fbx_shapes *shapes, uint32_t *mesh_models,
							const char **names) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < models->count; m++) {
		const uint32_t geometry = models->models[m].geometry;
		if (geometry != SNW_NONE && shapes->shapes[geometry].face_count > 0) {
			mesh_models[count] = m;
			names[count++] = models->models[m].name;
		}
	}
	snw_names_make_unique(f->reading.arena, names, count, "mesh", f->reading.task);
	return count;
}

bool snw_fbx_make_meshes(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
						 const snw_fbx_shapes *shapes, const snw_fbx_skins *skins, const snw_fbx_materials *materials,
						 snw_rig *rig, snw_rig_slots *slots, bool keep_points, snw_scene *scene) {
	uint32_t *mesh_models = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, models->count);
	uint32_t *mesh_nodes = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, models->count);
	const char **names = SNW_NEW_ARRAY(f->reading.scratch, const char *, models->count);
	const uint32_t count = list_meshes(f, models, shapes, mesh_models, names);
	if (!snw_reading_check_size(&f->reading, 0, count)) {
		return false;
	}
	snw_mesh *meshes = SNW_NEW_ARRAY(f->reading.arena, snw_mesh, count);
	for (uint32_t m = 0; m < count; m++) {
		meshes[m].name = names[m];
		mesh_nodes[m] = snw_fbx_full_node(models, mesh_models[m]);
	}
	if (!list_channels(f, shapes, rig, mesh_nodes, meshes, count, scene)) {
		return false;
	}
	for (uint32_t m = 0; m < count; m++) {
		const snw_fbx_model *model = &models->models[mesh_models[m]];
		instance in = {.f = f, .shape = &shapes->shapes[model->geometry], .mesh = &meshes[m]};
		uint32_t material_count;
		const uint32_t *face_materials = list_materials(f, objects, materials, model->object, &material_count);
		if (!snw_reading_progress(&f->reading, 0.5 + 0.3 * m / count, meshes[m].name) ||
			!make_mesh(&in, space, model, materials, face_materials, material_count, &rig->nodes[mesh_nodes[m]], skins, scene,
					   slots, keep_points)) {
			return false;
		}
	}
	scene->meshes = meshes;
	scene->mesh_count = count;
	scene->slot_count = slots->count;
	scene->slot_joints = slots->joints;
	scene->slot_inverse_binds = slots->inverse_binds;
	return true;
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

/* Skins. A cluster moves points with a model, its link: v becomes G · Transform · geometric · v, with G the link's global
 * transform and Transform the mesh seen from the link at bind. Poses of kind BindPose say the same again, or something else;
 * players follow the clusters. */

/* ---- clusters ------------------------------------------------------------------------------------------------------------ */

typedef struct cluster {
	uint32_t object, link; /* an object, a model */
} cluster;

/* Goes through the clusters of a geometry that have a link and points; fills `clusters` unless it is NULL. Returns their
 * number. */
static uint32_t list_clusters(const snw_fbx_objects *objects, const snw_fbx_models *models, uint32_t geometry,
							  cluster *clusters) {
	uint32_t count = 0, at = 0, skin;
	while ((skin = snw_fbx_next_source(objects, geometry, "Deformer", "Skin", NULL, &at)) != SNW_NONE) {
		uint32_t cluster_at = 0, object;
		while ((object = snw_fbx_next_source(objects, skin, "Deformer", "Cluster", NULL, &cluster_at)) != SNW_NONE) {
			uint32_t link_at = 0;
			const uint32_t link = snw_fbx_next_source(objects, object, "Model", NULL, NULL, &link_at);
			if (link == SNW_NONE || !snw_fbx_child(objects->objects[object].node, "Indexes")) {
				continue;
			}
			if (clusters) {
				clusters[count] = (cluster){object, models->of_objects[link]};
			}
			count++;
		}
	}
	return count;
}

/* A matrix by columns, into the scene's space. False if the node has none. */
static bool read_matrix(snw_fbx *f, const snw_fbx_node *node, const snw_fbx_space *space, snw_arena *arena, double dest[12]) {
	uint32_t count;
	const double *columns = snw_fbx_numbers(f, node, arena, &count);
	if (!columns || count != 16) {
		return false;
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			dest[4 * r + c] = columns[4 * c + r];
		}
	}
	snw_fbx_space_matrix(space, dest, dest);
	return snw_all_finite(dest, 12) ||
		   snw_reading_fail(&f->reading, SNW_ERROR_DATA,
							"a matrix of a cluster is not finite; the file is damaged: export it again");
}

/* The mesh seen from the link at bind. A file without it means that the mesh is where it is now. */
static bool read_bind(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const cluster *from,
					  const snw_rig *rig, uint32_t mesh_node, uint32_t link_node, snw_arena *arena, double dest[12]) {
	const snw_fbx_node *node = objects->objects[from->object].node;
	double link[12];
	if (read_matrix(f, snw_fbx_child(node, "Transform"), space, arena, dest)) {
		return true;
	}
	if (snw_failed(f->reading.status)) {
		return false;
	}
	if (!read_matrix(f, snw_fbx_child(node, "TransformLink"), space, arena, link)) {
		memcpy(link, rig->nodes[link_node].global, sizeof link);
	}
	if (!snw_mat34_invert(link, dest)) {
		snw_mat34_identity(dest);
	}
	snw_mat34_multiply(dest, rig->nodes[mesh_node].global, dest);
	return !snw_failed(f->reading.status);
}

static bool read_weights(snw_fbx *f, const snw_fbx_objects *objects, const cluster *from, uint32_t joint, uint32_t point_count,
						 snw_arena *arena, snw_influence *influences, uint32_t *influence_count) {
	const snw_fbx_node *node = objects->objects[from->object].node;
	uint32_t index_count, weight_count;
	const int32_t *indices = snw_fbx_integers(f, snw_fbx_child(node, "Indexes"), arena, &index_count);
	const double *weights = indices ? snw_fbx_numbers(f, snw_fbx_child(node, "Weights"), arena, &weight_count) : NULL;
	if (!weights) {
		return false;
	}
	for (uint32_t i = 0; i < index_count && i < weight_count; i++) {
		if (indices[i] < 0 || (uint32_t)indices[i] >= point_count) {
			return snw_reading_fail(
				&f->reading, SNW_ERROR_DATA,
				"a cluster has a weight for point %d of a mesh with %u; the file is damaged: export it again", indices[i],
				point_count);
		}
		if (weights[i] != 0) {
			influences[(*influence_count)++] = (snw_influence){(uint32_t)indices[i], joint, weights[i]};
		}
	}
	return true;
}

/* ---- one skin ------------------------------------------------------------------------------------------------------------ */

static uint64_t count_weights(const snw_fbx_objects *objects, const cluster *clusters, uint32_t count) {
	uint64_t weights = 0;
	for (uint32_t c = 0; c < count; c++) {
		const snw_fbx_node *node = snw_fbx_child(objects->objects[clusters[c].object].node, "Indexes");
		weights += node->value_count == 0                  ? 0
				   : node->values[0].kind == SNW_FBX_ARRAY ? node->values[0].count
														   : node->value_count;
	}
	return weights;
}

/* Points that no cluster moves stay with the mesh's own node: a joint more, after the clusters. */
static void bind_loose_points(snw_fbx *f, const snw_fbx_shape *shape, uint32_t joint, snw_fbx_skin *skin) {
	bool *is_bound = SNW_NEW_ARRAY(f->reading.scratch, bool, shape->point_count);
	for (uint32_t i = 0; i < skin->influence_count; i++) {
		is_bound[skin->influences[i].point] |= isfinite(skin->influences[i].weight) && skin->influences[i].weight > 0;
	}
	for (uint32_t p = 0; p < shape->point_count; p++) {
		if (!is_bound[p]) {
			skin->influences[skin->influence_count++] = (snw_influence){p, joint, 1};
			skin->has_loose_points = true;
		}
	}
}

static bool read_skin(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
					  uint32_t model, const cluster *clusters, uint32_t count, snw_fbx_shape *shape, const snw_rig *rig,
					  snw_rig_skin *rig_skin, snw_fbx_skin *skin) {
	const uint64_t limit = count_weights(objects, clusters, count) + shape->point_count;
	if (limit >= SNW_NONE / 2) {
		return snw_reading_fail(&f->reading, SNW_ERROR_LIMIT, "a mesh has more influences than %u; split it", SNW_NONE / 2);
	}
	if (!snw_reading_reserve(&f->reading, limit, sizeof(snw_influence)) || !snw_reading_reserve(&f->reading, count + 1, 120)) {
		return false;
	}
	skin->influences = SNW_NEW_ARRAY(f->reading.scratch, snw_influence, limit);
	rig_skin->joint_count = count;
	rig_skin->nodes = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, (size_t)count + 1);
	rig_skin->inverse_binds = SNW_NEW_ARRAY(f->reading.scratch, double, 12 * ((size_t)count + 1));
	rig_skin->slots = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, (size_t)count + 1);
	memcpy(rig_skin->box, shape->box, sizeof rig_skin->box);
	const double *geometric = models->models[model].geometric;
	const uint32_t mesh_node = snw_fbx_full_node(models, model);
	bool ok = true;
	for (uint32_t c = 0; c < count && ok; c++) {
		snw_arena *arena = snw_arena_create();
		double *bind = rig_skin->inverse_binds + 12 * (size_t)c;
		rig_skin->nodes[c] = snw_fbx_full_node(models, clusters[c].link);
		ok = read_bind(f, objects, space, &clusters[c], rig, mesh_node, rig_skin->nodes[c], arena, bind) &&
			 read_weights(f, objects, &clusters[c], c, shape->point_count, arena, skin->influences, &skin->influence_count);
		snw_mat34_multiply(bind, geometric, bind);
		snw_arena_destroy(arena);
	}
	if (ok) {
		double link[12] = {0};
		snw_arena *arena = snw_arena_create();
		const snw_fbx_node *node = snw_fbx_child(objects->objects[clusters[0].object].node, "TransformLink");
		rig_skin->knows_bind = read_matrix(f, node, space, arena, link);
		snw_mat34_multiply(link, rig_skin->inverse_binds, rig_skin->bind_world);
		ok = !snw_failed(f->reading.status);
		snw_arena_destroy(arena);
	}
	rig_skin->nodes[count] = mesh_node;
	memcpy(rig_skin->inverse_binds + 12 * (size_t)count, geometric, 12 * sizeof *geometric);
	if (ok) {
		bind_loose_points(f, shape, count, skin);
	}
	return ok;
}

/* ---- all skins ----------------------------------------------------------------------------------------------------------- */

bool snw_fbx_read_skins(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
						snw_fbx_shapes *shapes, snw_rig *rig, snw_fbx_skins *skins) {
	*skins = (snw_fbx_skins){.rig_skins = SNW_NEW_ARRAY(f->reading.scratch, snw_rig_skin, models->count),
							 .skins = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_skin, models->count)};
	for (uint32_t m = 0; m < models->count; m++) {
		const uint32_t geometry = models->models[m].geometry;
		if (geometry == SNW_NONE) {
			continue;
		}
		snw_fbx_shape *shape = &shapes->shapes[geometry];
		snw_rig_node *node = &rig->nodes[snw_fbx_full_node(models, m)];
		const uint32_t count = list_clusters(objects, models, shape->object, NULL);
		node->mesh = geometry;
		if (count == 0 || shape->point_count == 0) {
			continue;
		}
		if (!snw_reading_reserve(&f->reading, count, sizeof(cluster))) {
			return false;
		}
		cluster *clusters = SNW_NEW_ARRAY(f->reading.scratch, cluster, count);
		list_clusters(objects, models, shape->object, clusters);
		snw_rig_skin *rig_skin = &skins->rig_skins[skins->count];
		if (!read_skin(f, objects, space, models, m, clusters, count, shape, rig, rig_skin, &skins->skins[skins->count])) {
			return false;
		}
		rig_skin->is_used = true;
		skins->skins[skins->count].shape = shape;
		node->skin = skins->count++;
		if (!snw_fbx_read_blend(f, objects, shape)) {
			return false;
		}
	}
	return true;
}

void snw_fbx_place_skins(snw_rig *rig, const snw_fbx_skins *skins) {
	const uint32_t *positions = snw_rig_positions(rig);
	for (uint32_t s = 0; s < skins->count; s++) {
		snw_rig_find_top(positions, &skins->rig_skins[s]);
		snw_rig_place_skin(rig, &skins->rig_skins[s]);
		/* The joint of loose points does not say where the skin was bound. */
		skins->rig_skins[s].joint_count += skins->skins[s].has_loose_points;
	}
}
