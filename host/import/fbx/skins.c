/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins. A cluster moves points with a model, its link: v becomes G · Transform · geometric · v, with G the link's global
 * transform and Transform the mesh seen from the link at bind. Poses of kind BindPose say the same again, or something else;
 * players follow the clusters.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "import/fbx/fbx_internal.h"
#include "sinew/algebra.h"

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
