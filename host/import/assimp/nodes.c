/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of nodes, and which of them become joints: those of skins, those with a rigid mesh, those with keys, and all their
 * parents.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/assimp_internal.h"
#include "sinew/algebra.h"

/* ---- metres, Y up -------------------------------------------------------------------------------------------------------- */

static const struct aiMetadataEntry *find_meta(const struct aiScene *file, const char *key) {
	const struct aiMetadata *meta = file->mMetaData;
	for (unsigned i = 0; meta && i < meta->mNumProperties; i++) {
		if (strcmp(meta->mKeys[i].data, key) == 0) {
			return meta->mValues[i].mData ? &meta->mValues[i] : NULL;
		}
	}
	return NULL;
}

static double meta_number(const struct aiScene *file, const char *key, double initial) {
	const struct aiMetadataEntry *entry = find_meta(file, key);
	switch (entry ? entry->mType : AI_META_MAX) {
	case AI_INT32:
		return *(const int32_t *)entry->mData;
	case AI_FLOAT:
		return (double)*(const float *)entry->mData;
	case AI_DOUBLE:
		return *(const double *)entry->mData;
	default:
		return initial;
	}
}

/* From the file's space to metres and Y up. FBX files have a unit in centimetres and axes, which Assimp does not apply. For
 * Collada it applies them to the root. Other formats have neither. */
static void make_world(const struct aiScene *file, double world[12]) {
	snw_mat34_identity(world);
	const double unit = meta_number(file, "UnitScaleFactor", 100) / 100;
	const double scale = isfinite(unit) && unit > 1e-9 && unit < 1e9 ? unit : 1;
	const int up = (int)fmax(-1, fmin(9, meta_number(file, "UpAxis", 1)));
	const double sign = meta_number(file, "UpAxisSign", 1) < 0 ? -1 : 1;
	if (up == 2) { /* Z, or -Z, becomes Y by 90 degrees about X */
		world[5] = world[10] = 0;
		world[6] = sign;
		world[9] = -sign;
	} else if (up == 0) { /* X becomes Y about Z */
		world[0] = world[5] = 0;
		world[1] = -sign;
		world[4] = sign;
	} else if (sign < 0) {
		world[5] = world[10] = -1;
	}
	for (int i = 0; i < 12; i++) {
		world[i] *= scale;
	}
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

static size_t count_nodes(const struct aiNode *root, snw_arena *scratch) {
	/* Not recursive: the nodes of a file can be nested more deeply than the call stack allows. */
	size_t capacity = 64, count = 1;
	const struct aiNode **list = SNW_NEW_ARRAY(scratch, const struct aiNode *, capacity);
	list[0] = root;
	for (size_t i = 0; i < count; i++) {
		for (unsigned c = 0; c < list[i]->mNumChildren; c++) {
			if (count == capacity) {
				const struct aiNode **grown = SNW_NEW_ARRAY(scratch, const struct aiNode *, 2 * capacity);
				memcpy(grown, list, count * sizeof *list);
				list = grown;
				capacity *= 2;
			}
			list[count++] = list[i]->mChildren[c];
		}
	}
	return count;
}

static snw_status place_node(snw_assimp *a, snw_assimp_node *node) {
	snw_assimp_matrix(&node->node->mTransformation, node->local);
	if (node->parent == SNW_NONE) {
		snw_mat34_multiply(a->world, node->local, node->local);
		memcpy(node->global, node->local, sizeof node->global);
	} else {
		snw_mat34_multiply(a->nodes[node->parent].global, node->local, node->global);
	}
	for (int i = 0; i < 12; i++) {
		if (!isfinite(node->global[i])) {
			return snw_assimp_fail(a, SNW_ERROR_DATA, "the transform of node %.100s is not finite; export it again",
								   node->node->mName.data);
		}
	}
	return SNW_OK;
}

static int compare_names(const void *x, const void *y, void *context) {
	const uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const snw_assimp_node *nodes = context;
	const int order = strcmp(nodes[i].node->mName.data, nodes[j].node->mName.data);
	return order ? order : (i > j) - (i < j);
}

static void sort_names(snw_assimp *a) {
	a->names = SNW_NEW_ARRAY(a->scratch, uint32_t, a->node_count);
	for (uint32_t i = 0; i < a->node_count; i++) {
		a->names[i] = i;
	}
	qsort_r(a->names, a->node_count, sizeof *a->names, compare_names, a->nodes);
}

snw_status snw_assimp_read_nodes(snw_assimp *a) {
	const size_t count = count_nodes(a->file->mRootNode, a->scratch);
	if (count > INT32_MAX / 16) {
		return snw_assimp_fail(a, SNW_ERROR_LIMIT, "%zu nodes are too many; export fewer", count);
	}
	make_world(a->file, a->world);
	a->nodes = SNW_NEW_ARRAY(a->scratch, snw_assimp_node, count);
	a->nodes[0] = (snw_assimp_node){.node = a->file->mRootNode, .parent = SNW_NONE};
	a->node_count = 1;
	for (uint32_t i = 0; i < a->node_count; i++) {
		snw_assimp_node *node = &a->nodes[i];
		node->joint = node->first_slot = SNW_NONE;
		const snw_status status = place_node(a, node);
		if (snw_failed(status)) {
			return status;
		}
		for (unsigned c = 0; c < node->node->mNumChildren; c++) {
			a->nodes[a->node_count++] = (snw_assimp_node){.node = node->node->mChildren[c], .parent = i};
		}
	}
	sort_names(a);
	return SNW_OK;
}

uint32_t snw_assimp_find_node(const snw_assimp *a, const char *name) {
	uint32_t begin = 0, end = a->node_count;
	while (begin < end) { /* the first of equal names */
		const uint32_t middle = begin + (end - begin) / 2;
		if (strcmp(a->nodes[a->names[middle]].node->mName.data, name) < 0) {
			begin = middle + 1;
		} else {
			end = middle;
		}
	}
	const bool found = begin < a->node_count && strcmp(a->nodes[a->names[begin]].node->mName.data, name) == 0;
	return found ? a->names[begin] : SNW_NONE;
}

/* ---- shapes and joints --------------------------------------------------------------------------------------------------- */

static bool has_faces(const struct aiMesh *mesh) {
	for (unsigned f = 0; f < mesh->mNumFaces; f++) {
		if (mesh->mFaces[f].mNumIndices >= 3) {
			return mesh->mVertices != NULL;
		}
	}
	return false;
}

/* Marks the joints of the shape's skin and sets is_skinned. True if the shape has faces. */
static bool mark_skin(snw_assimp *a, snw_assimp_shape *shape) {
	const struct aiNode *node = a->nodes[shape->node].node;
	bool any_faces = false;
	for (unsigned p = 0; p < node->mNumMeshes; p++) {
		if (node->mMeshes[p] >= a->file->mNumMeshes) {
			return false;
		}
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		any_faces = any_faces || has_faces(part);
		for (unsigned b = 0; b < part->mNumBones; b++) {
			const uint32_t bone = snw_assimp_find_node(a, part->mBones[b]->mName.data);
			if (bone != SNW_NONE) {
				a->nodes[bone].is_joint = true;
				shape->is_skinned = true;
			}
		}
	}
	return any_faces;
}

/* Marks nodes with keys. Keys of a skinned mesh's node have no effect on the mesh, so it is skipped. */
static void mark_keyed(snw_assimp *a) {
	bool *has_skin = SNW_NEW_ARRAY(a->scratch, bool, a->node_count);
	for (uint32_t i = 0; i < a->shape_count; i++) {
		has_skin[a->shapes[i].node] = a->shapes[i].is_skinned;
	}
	for (unsigned c = 0; c < a->file->mNumAnimations; c++) {
		const struct aiAnimation *clip = a->file->mAnimations[c];
		for (unsigned t = 0; t < clip->mNumChannels; t++) {
			const uint32_t node = snw_assimp_find_node(a, clip->mChannels[t]->mNodeName.data);
			if (node != SNW_NONE && !has_skin[node]) {
				a->nodes[node].is_joint = true;
			}
		}
	}
}

snw_status snw_assimp_list_shapes(snw_assimp *a) {
	a->shapes = SNW_NEW_ARRAY(a->scratch, snw_assimp_shape, a->node_count);
	for (uint32_t i = 0; i < a->node_count; i++) {
		snw_assimp_shape shape = {.node = i};
		if (a->nodes[i].node->mNumMeshes > 0 && mark_skin(a, &shape)) {
			a->nodes[i].is_joint = a->nodes[i].is_joint || !shape.is_skinned;
			a->shapes[a->shape_count++] = shape;
		}
	}
	if (a->shape_count == 0) {
		return snw_assimp_fail(a, SNW_ERROR_DATA, "no mesh with faces; export the character with its mesh");
	}
	mark_keyed(a);
	for (uint32_t i = a->node_count; i-- > 1;) { /* children come after their parents */
		if (a->nodes[i].is_joint) {
			a->nodes[a->nodes[i].parent].is_joint = true;
		}
	}
	return SNW_OK;
}
