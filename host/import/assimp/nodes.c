/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of nodes, and which of them become joints: those of skins, those with a rigid mesh, those with keys, and all their
 * parents.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/assimp_internal.h"
#include "import/common/reading.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

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

static snw_status check_size(const snw_assimp *a) {
	snw_error reason = {0};
	uint32_t joint_count = 0;
	for (uint32_t i = 0; i < a->node_count; i++) {
		joint_count += a->nodes[i].is_joint;
	}
	const snw_status status = snw_scene_check_size(joint_count, a->shape_count, &reason);
	return snw_failed(status) ? snw_assimp_fail(a, status, "%s", reason.text) : SNW_OK;
}

/* Whether a node only has the vertices of a morph target. */
static bool is_target(const snw_assimp *a, uint32_t node) {
	bool is = false;
	for (snw_assimp_target *target = a->targets; target; target = target->next) {
		if (strcmp(target->node_name, a->nodes[node].node->mName.data) == 0) {
			target->node = node;
			is = true;
		}
	}
	return is;
}

snw_status snw_assimp_list_shapes(snw_assimp *a) {
	a->shapes = SNW_NEW_ARRAY(a->scratch, snw_assimp_shape, a->node_count);
	for (uint32_t i = 0; i < a->node_count; i++) {
		snw_assimp_shape shape = {.node = i};
		if (a->nodes[i].node->mNumMeshes > 0 && !is_target(a, i) && mark_skin(a, &shape)) {
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
	return check_size(a);
}

/* ---- rest and default pose ----------------------------------------------------------------------------------------------- */

/* The rest pose is the bind pose. Assimp's offset matrix maps a mesh's vertices to the space of a bone at the bind. With G the
 * global transform of the bone, a vertex v is posed at G · offset · v, whichever node its mesh belongs to.
 *
 * A skin is placed by one matrix A, from its vertices to the scene: rest points are A v, inverse binds offset · A⁻¹, and a
 * joint rests at A · offset⁻¹. If the default pose is the bind pose, all G · offset are equal, and A is that matrix. Otherwise
 * a skin that shares joints with an earlier one is placed so that these joints rest at the same place; and any other skin by
 * the transform of its mesh's node, where exporters bind. */

/* Tolerances for equal matrices, relative to the size of what they move: for bones that should agree, and for rounding to
 * single precision. */
static const double SAME = 1e-4, ROUNDED = 1e-6;

static bool are_same(const double a[12], const double b[12], const double extent[3], double tolerance) {
	for (int r = 0; r < 3; r++) {
		double size = 1e-9;
		for (int k = 0; k < 3; k++) {
			size += fabs(b[4 * k]) * extent[0] + fabs(b[4 * k + 1]) * extent[1] + fabs(b[4 * k + 2]) * extent[2];
		}
		const double off = fabs(a[4 * r] - b[4 * r]) * extent[0] + fabs(a[4 * r + 1] - b[4 * r + 1]) * extent[1] +
						   fabs(a[4 * r + 2] - b[4 * r + 2]) * extent[2] + fabs(a[4 * r + 3] - b[4 * r + 3]);
		if (!(off <= tolerance * size)) {
			return false;
		}
	}
	return true;
}

/* The largest distance of the vertices from the origin along each axis. */
static void measure_extent(const snw_assimp *a, const snw_assimp_shape *shape, double extent[3]) {
	memset(extent, 0, 3 * sizeof *extent);
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		for (unsigned v = 0; part->mVertices && v < part->mNumVertices; v++) {
			extent[0] = fmax(extent[0], fabs((double)part->mVertices[v].x));
			extent[1] = fmax(extent[1], fabs((double)part->mVertices[v].y));
			extent[2] = fmax(extent[2], fabs((double)part->mVertices[v].z));
		}
	}
}

/* ---- placements ---------------------------------------------------------------------------------------------------------- */

/* Finds the matrix by which all bones of a shape place its vertices. A bone is at its bind if an earlier skin has set it (with
 * `bound_only`, other bones are skipped), otherwise in the default pose. False if the bones do not agree. */
static bool find_common(const snw_assimp *a, const snw_assimp_shape *shape, bool bound_only, const double extent[3],
						double common[12]) {
	bool found = false;
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		for (unsigned b = 0; b < part->mNumBones; b++) {
			const uint32_t n = snw_assimp_find_node(a, part->mBones[b]->mName.data);
			if (n == SNW_NONE || (bound_only && !a->nodes[n].has_bind)) {
				continue;
			}
			double offset[12], matrix[12];
			snw_assimp_matrix(&part->mBones[b]->mOffsetMatrix, offset);
			snw_mat34_multiply(a->nodes[n].has_bind ? a->nodes[n].bind_global : a->nodes[n].global, offset, matrix);
			if (found && !are_same(matrix, common, extent, SAME)) {
				return false;
			}
			if (!found) {
				memcpy(common, matrix, sizeof matrix);
				found = true;
			}
		}
	}
	return found && fabs(snw_mat34_determinant(common)) > 1e-18 && isfinite(snw_mat34_determinant(common));
}

/* Sets the bind of the shape's joints, unless an earlier shape has. */
static void set_binds(snw_assimp *a, const snw_assimp_shape *shape) {
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		for (unsigned b = 0; b < part->mNumBones; b++) {
			const uint32_t n = snw_assimp_find_node(a, part->mBones[b]->mName.data);
			double offset[12], bind[12];
			snw_assimp_matrix(&part->mBones[b]->mOffsetMatrix, offset);
			if (n != SNW_NONE && !a->nodes[n].has_bind && snw_mat34_invert(offset, bind)) {
				snw_mat34_multiply(shape->placement, bind, a->nodes[n].bind_global);
				a->nodes[n].has_bind = true;
			}
		}
	}
}

/* A scale of zero hides a mesh. It is placed as it was modelled instead. */
static void replace_zero_scale(snw_assimp_shape *shape) {
	const double determinant = snw_mat34_determinant(shape->placement);
	if (determinant == 0 || !isfinite(determinant)) {
		snw_mat34_identity(shape->placement);
	}
}

void snw_assimp_choose_placements(snw_assimp *a) {
	for (uint32_t i = 0; i < a->shape_count; i++) {
		snw_assimp_shape *shape = &a->shapes[i];
		double extent[3];
		if (!shape->is_skinned) {
			continue;
		}
		measure_extent(a, shape, extent);
		if (!find_common(a, shape, true, extent, shape->placement) && !find_common(a, shape, false, extent, shape->placement)) {
			memcpy(shape->placement, a->nodes[shape->node].global, sizeof shape->placement);
		}
		replace_zero_scale(shape);
		set_binds(a, shape);
	}
}

/* ---- the skeleton -------------------------------------------------------------------------------------------------------- */

/* The local transform at rest of a joint under a parent that rests at `parent` (NULL for a root). */
static void rest_local(const snw_assimp_node *node, const double *parent, snw_transform *local) {
	double inverse[12], matrix[12];
	snw_transform_from_mat34(node->local, local);
	if (!node->has_bind || (parent && !snw_mat34_invert(parent, inverse))) {
		return;
	}
	memcpy(matrix, node->bind_global, sizeof matrix);
	if (parent) {
		snw_mat34_multiply(inverse, node->bind_global, matrix);
	}
	const double extent[3] = {1, 1, 1};
	if (!are_same(matrix, node->local, extent, ROUNDED)) {
		snw_transform_from_mat34(matrix, local);
	}
}

/* A mesh without a skin is placed by the rest transform of its node's joint, which may differ from the default pose. */
static void place_rigid_shapes(snw_assimp *a) {
	for (uint32_t i = 0; i < a->shape_count; i++) {
		snw_assimp_shape *shape = &a->shapes[i];
		if (!shape->is_skinned) {
			const uint32_t joint = a->nodes[shape->node].joint;
			memcpy(shape->placement, a->scene->skeleton.rest_global + (size_t)12 * joint, sizeof shape->placement);
			replace_zero_scale(shape);
		}
	}
}

snw_status snw_assimp_make_skeleton(snw_assimp *a) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < a->node_count; i++) {
		a->nodes[i].joint = a->nodes[i].is_joint ? count++ : SNW_NONE;
	}
	snw_skeleton *skeleton = &a->scene->skeleton;
	skeleton->joint_count = count;
	skeleton->names = SNW_NEW_ARRAY(a->arena, const char *, count);
	skeleton->parents = SNW_NEW_ARRAY(a->arena, uint32_t, count);
	skeleton->rest_local = SNW_NEW_ARRAY(a->arena, snw_transform, count);
	double *globals = SNW_NEW_ARRAY(a->scratch, double, (size_t)12 * count);
	for (uint32_t i = 0; i < a->node_count; i++) {
		const snw_assimp_node *node = &a->nodes[i];
		const uint32_t j = node->joint;
		if (j == SNW_NONE) {
			continue;
		}
		skeleton->names[j] = snw_name_clean(a->arena, node->node->mName.data, a->task);
		skeleton->parents[j] = node->parent == SNW_NONE ? SNW_NONE : a->nodes[node->parent].joint;
		const double *parent = skeleton->parents[j] == SNW_NONE ? NULL : globals + (size_t)12 * skeleton->parents[j];
		rest_local(node, parent, &skeleton->rest_local[j]);
		snw_transform_to_mat34(&skeleton->rest_local[j], globals + (size_t)12 * j);
		if (parent) {
			snw_mat34_multiply(parent, globals + (size_t)12 * j, globals + (size_t)12 * j);
		}
	}
	snw_names_make_unique(a->arena, skeleton->names, count, "joint", a->task);
	snw_error error = {0};
	const snw_status status = snw_skeleton_finish(skeleton, a->arena, &error);
	if (snw_failed(status)) {
		return snw_assimp_fail(a, status, "%s", error.text);
	}
	place_rigid_shapes(a);
	return SNW_OK;
}

uint32_t snw_assimp_slot(snw_assimp *a, uint32_t node, const double inverse_bind[12]) {
	const double extent[3] = {1, 1, 1};
	const uint32_t joint = a->nodes[node].joint;
	double matrix[12];
	/* If the file's inverse bind is the inverse of the rest transform up to rounding, use the latter: then the palette at rest
	 * is exactly the identity. */
	if (!snw_mat34_invert(a->scene->skeleton.rest_global + (size_t)12 * joint, matrix) ||
		!are_same(matrix, inverse_bind, extent, ROUNDED)) {
		memcpy(matrix, inverse_bind, sizeof matrix);
	}
	for (uint32_t s = a->nodes[node].first_slot; s != SNW_NONE; s = a->slot_next[s]) {
		if (memcmp(a->slot_inverse_binds + (size_t)12 * s, matrix, sizeof matrix) == 0) {
			return s;
		}
	}
	const uint32_t slot = a->scene->slot_count++;
	a->slot_joints[slot] = joint;
	memcpy(a->slot_inverse_binds + (size_t)12 * slot, matrix, sizeof matrix);
	a->slot_next[slot] = a->nodes[node].first_slot;
	a->nodes[node].first_slot = slot;
	return slot;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static void fill_pose(const snw_assimp *a, const char *name, const snw_transform *local, snw_pose *pose) {
	const snw_skeleton *skeleton = &a->scene->skeleton;
	*pose = (snw_pose){
		.name = name,
		.local = snw_arena_copy(a->arena, local, skeleton->joint_count * sizeof *local),
		.rotation_vectors = SNW_NEW_ARRAY(a->arena, double, (size_t)3 * skeleton->joint_count),
		.channels = SNW_NEW_ARRAY(a->arena, double, a->scene->channel_count),
	};
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		double inverse_rest[4], change[4];
		snw_quat_conjugate(skeleton->rest_local[j].rotation, inverse_rest);
		snw_quat_multiply(inverse_rest, local[j].rotation, change);
		snw_quat_to_rotation_vector(change, pose->rotation_vectors + (size_t)3 * j);
	}
	for (uint32_t c = 0; c < a->scene->channel_count; c++) {
		pose->channels[c] = a->scene->channels[c].initial;
	}
}

void snw_assimp_make_poses(snw_assimp *a) {
	const snw_skeleton *skeleton = &a->scene->skeleton;
	snw_transform *locals = SNW_NEW_ARRAY(a->scratch, snw_transform, skeleton->joint_count);
	for (uint32_t i = 0; i < a->node_count; i++) {
		if (a->nodes[i].joint != SNW_NONE) {
			snw_transform_from_mat34(a->nodes[i].local, &locals[a->nodes[i].joint]);
		}
	}
	const bool differs = memcmp(locals, skeleton->rest_local, skeleton->joint_count * sizeof *locals) != 0;
	snw_pose *poses = SNW_NEW_ARRAY(a->arena, snw_pose, 2);
	fill_pose(a, "rest", skeleton->rest_local, &poses[0]);
	if (differs) {
		fill_pose(a, "default", locals, &poses[1]);
	}
	a->scene->poses = poses;
	a->scene->pose_count = differs ? 2 : 1;
}
