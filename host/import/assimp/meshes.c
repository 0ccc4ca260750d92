/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes: joins the parts of each node, merges their points, and binds them to joints.
 */
#include <assimp/cimport.h>
#include <assimp/material.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "import/assimp/assimp_internal.h"
#include "import/common/reading.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- morph targets ------------------------------------------------------------------------------------------------------- */

/* Morph targets: Assimp stores them as whole meshes, the scene as sparse displacements of the rest points. */

/* Relative to the mesh's size. Shorter displacements are rounding errors of positions in single precision. */
static const double ROUNDING = 5e-7;

static double measure_size(const snw_mesh *mesh) {
	double size = 0;
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		size = fmax(size, fabs(mesh->points_rest[i]));
	}
	return size;
}

/* Adds the displacements of one morph in one part; returns the new number of points. The vertices of a relative one are
 * displacements. */
static uint32_t add_part(const struct aiMesh *part, const struct aiAnimMesh *target, bool is_relative,
						 const double placement[12], double threshold, uint32_t base, uint32_t count, uint32_t *points,
						 double *vectors) {
	for (unsigned v = 0; v < part->mNumVertices; v++) {
		static const struct aiVector3D none = {0};
		const struct aiVector3D *from = is_relative ? &none : &part->mVertices[v], *to = &target->mVertices[v];
		double *vector = vectors + (size_t)3 * count;
		const double offset[3] = {(double)to->x - (double)from->x, (double)to->y - (double)from->y,
								  (double)to->z - (double)from->z};
		snw_mat34_vector(placement, offset, vector);
		const double length = snw_length3(vector);
		if (isfinite(length) && length > threshold) {
			points[count++] = base + v;
		}
	}
	return count;
}

static void read_morph(snw_assimp *a, const snw_assimp_shape *shape, unsigned index, double threshold, const snw_mesh *mesh,
					   snw_morph *morph) {
	uint32_t *points = SNW_NEW_ARRAY(a->arena, uint32_t, mesh->point_count);
	double *vectors = SNW_NEW_ARRAY(a->arena, double, (size_t)3 * mesh->point_count + 3);
	uint32_t base = 0, count = 0;
	const char *name = NULL;
	double weight = 0;
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		const struct aiAnimMesh *target = index < part->mNumAnimMeshes ? part->mAnimMeshes[index] : NULL;
		if (target && !name) {
			name = snw_name_clean(a->arena, target->mName.data, a->task);
			weight = isfinite(target->mWeight) ? (double)target->mWeight : 0;
		}
		if (target && target->mVertices && part->mVertices && target->mNumVertices == part->mNumVertices) {
			count = add_part(part, target, false, shape->placement, threshold, base, count, points, vectors);
		}
		base += part->mVertices ? part->mNumVertices : 0;
	}
	const uint32_t channel = a->scene->channel_count++;
	a->channels[channel] = (snw_channel){.name = name, .initial = weight};
	a->channel_nodes[channel] = shape->node;
	a->channel_indices[channel] = index;
	*morph = (snw_morph){.name = name, .channel = channel, .count = count, .points = points, .vectors = vectors};
}

/* Whether a shape is the mesh of a morph target of Collada, with the same parts. */
static bool has_target(const snw_assimp *a, const snw_assimp_shape *shape, const snw_assimp_target *target) {
	const struct aiNode *node = a->nodes[shape->node].node;
	const struct aiNode *other = target->node == SNW_NONE ? NULL : a->nodes[target->node].node;
	if (strcmp(snw_assimp_part(a, shape, 0)->mName.data, target->base) != 0) {
		return false;
	}
	bool is_same = other && other->mNumMeshes == node->mNumMeshes;
	for (unsigned p = 0; is_same && p < node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		is_same = other->mMeshes[p] < a->file->mNumMeshes && part->mVertices &&
				  a->file->mMeshes[other->mMeshes[p]]->mVertices &&
				  a->file->mMeshes[other->mMeshes[p]]->mNumVertices == part->mNumVertices;
	}
	if (!is_same) {
		snw_task_notice(a->task, SNW_LOG_WARNING, "morph target %s is left out: it does not have the polygons of its mesh",
						target->name);
	}
	return is_same;
}

static void read_target(snw_assimp *a, const snw_assimp_shape *shape, const snw_assimp_target *target, uint32_t index,
						double threshold, const snw_mesh *mesh, snw_morph *morph) {
	uint32_t *points = SNW_NEW_ARRAY(a->arena, uint32_t, mesh->point_count);
	double *vectors = SNW_NEW_ARRAY(a->arena, double, (size_t)3 * mesh->point_count + 3);
	uint32_t base = 0, count = 0;
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		const struct aiMesh *other = a->file->mMeshes[a->nodes[target->node].node->mMeshes[p]];
		struct aiAnimMesh vertices = {.mVertices = other->mVertices, .mNumVertices = other->mNumVertices};
		count = add_part(part, &vertices, target->is_relative, shape->placement, threshold, base, count, points, vectors);
		base += part->mNumVertices;
	}
	const uint32_t channel = a->scene->channel_count++;
	const char *name = snw_name_clean(a->arena, target->name, a->task);
	a->channels[channel] = (snw_channel){.name = name, .initial = target->weight};
	a->channel_targets[channel] = target;
	a->channel_nodes[channel] = shape->node;
	a->channel_indices[channel] = index;
	*morph = (snw_morph){.name = name, .channel = channel, .count = count, .points = points, .vectors = vectors};
}

static snw_status read_morphs(snw_assimp *a, const snw_assimp_shape *shape, snw_mesh *mesh) {
	uint32_t count = 0;
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		count = part->mNumAnimMeshes > count ? part->mNumAnimMeshes : count;
	}
	snw_morph *morphs = SNW_NEW_ARRAY(a->arena, snw_morph, count + a->target_count);
	const double threshold = count + a->target_count > 0 ? ROUNDING * measure_size(mesh) : 0;
	const char **names = SNW_NEW_ARRAY(a->scratch, const char *, count + a->target_count);
	for (uint32_t m = 0; m < count; m++) {
		read_morph(a, shape, m, threshold, mesh, &morphs[m]);
	}
	for (const snw_assimp_target *target = a->targets; target; target = target->next) {
		if (has_target(a, shape, target)) {
			read_target(a, shape, target, count, threshold, mesh, &morphs[count]);
			count++;
		}
	}
	for (uint32_t m = 0; m < count; m++) {
		names[m] = morphs[m].name;
	}
	snw_names_make_unique(a->arena, names, count, "morph", a->task);
	for (uint32_t m = 0; m < count; m++) {
		morphs[m].name = names[m];
	}
	mesh->morphs = morphs;
	mesh->morph_count = count;
	return SNW_OK;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* The totals of a shape's parts. It has normals if all parts have them; UVs and colours if any part has them. */
typedef struct tally {
	uint64_t points, faces, corners, weights;
	bool uvs, normals, colors;
} tally;

static tally count_parts(const snw_assimp *a, const snw_assimp_shape *shape) {
	tally t = {.normals = true};
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		t.points += part->mVertices ? part->mNumVertices : 0;
		for (unsigned f = 0; f < part->mNumFaces; f++) {
			const unsigned corners = part->mFaces[f].mNumIndices;
			t.faces += corners >= 3;
			t.corners += corners >= 3 ? corners : 0;
		}
		for (unsigned b = 0; b < part->mNumBones; b++) {
			t.weights += part->mBones[b]->mNumWeights;
		}
		t.uvs = t.uvs || part->mTextureCoords[0];
		t.normals = t.normals && part->mNormals;
		t.colors = t.colors || part->mColors[0];
	}
	return t;
}

/* ---- points and corners -------------------------------------------------------------------------------------------------- */

/* The arrays of a mesh under construction. */
typedef struct mesh_arrays {
	double *points;
	uint32_t *offsets, *face_points, *materials;
	float *uvs, *normals, *colors;
	uint32_t faces, corners;
	double normal_matrix[12]; /* maps normals: the inverse transpose of the placement */
} mesh_arrays;

static void make_normal_matrix(const double placement[12], double normal_matrix[12]) {
	double inverse[12];
	snw_mat34_identity(normal_matrix);
	if (snw_mat34_invert(placement, inverse)) {
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) {
				normal_matrix[4 * r + c] = inverse[4 * c + r];
			}
		}
	}
}

static snw_status fill_points(const snw_assimp *a, const snw_assimp_shape *shape, const struct aiMesh *part, double *points) {
	for (unsigned v = 0; v < part->mNumVertices; v++) {
		const double p[3] = {(double)part->mVertices[v].x, (double)part->mVertices[v].y, (double)part->mVertices[v].z};
		snw_mat34_point(shape->placement, p, points + (size_t)3 * v);
		for (int i = 0; i < 3; i++) {
			if (!isfinite(points[(size_t)3 * v + (size_t)i])) {
				return snw_assimp_fail(a, SNW_ERROR_DATA, "mesh %.100s: point %u is not finite; export it again",
									   part->mName.data, v + 1);
			}
		}
	}
	return SNW_OK;
}

/* A corner whose normal has no direction gets the normal of its face. */
static void fill_normal(mesh_arrays *f, const struct aiVector3D *vector, uint32_t corner, uint32_t first, uint32_t count) {
	double normal[3] = {(double)vector->x, (double)vector->y, (double)vector->z};
	snw_mat34_vector(f->normal_matrix, normal, normal);
	if (!snw_unit_vector(normal)) {
		snw_face_normal(f->points, f->face_points + first, count, normal);
	}
	for (int i = 0; i < 3; i++) {
		f->normals[(size_t)3 * corner + (size_t)i] = (float)normal[i];
	}
}

static float finite_or_zero(float value) {
	return isfinite(value) ? value : 0;
}

static void fill_corner(mesh_arrays *f, const struct aiMesh *part, uint32_t vertex, uint32_t corner) {
	if (f->uvs && part->mTextureCoords[0]) {
		const struct aiVector3D *uv = &part->mTextureCoords[0][vertex];
		f->uvs[(size_t)2 * corner] = finite_or_zero(uv->x);
		f->uvs[(size_t)2 * corner + 1] = finite_or_zero(1 - uv->y); /* v points down in a scene */
	}
	if (f->colors) {
		static const struct aiColor4D white = {1, 1, 1, 1};
		const struct aiColor4D *c = part->mColors[0] ? &part->mColors[0][vertex] : &white;
		const float color[4] = {finite_or_zero(c->r), finite_or_zero(c->g), finite_or_zero(c->b), finite_or_zero(c->a)};
		memcpy(f->colors + (size_t)4 * corner, color, sizeof color);
	}
}

static snw_status fill_part_faces(const snw_assimp *a, const struct aiMesh *part, uint32_t base, mesh_arrays *f) {
	for (unsigned i = 0; i < part->mNumFaces; i++) {
		const struct aiFace *face = &part->mFaces[i];
		if (face->mNumIndices < 3) {
			continue; /* points and lines */
		}
		const uint32_t first = f->corners;
		for (unsigned c = 0; c < face->mNumIndices; c++) {
			if (face->mIndices[c] >= part->mNumVertices) {
				return snw_assimp_fail(a, SNW_ERROR_DATA, "mesh %.100s: face %u refers to vertex %u of %u; the file is damaged",
									   part->mName.data, i + 1, face->mIndices[c] + 1, part->mNumVertices);
			}
			f->face_points[f->corners] = base + face->mIndices[c];
			fill_corner(f, part, face->mIndices[c], f->corners++);
		}
		for (unsigned c = 0; f->normals && c < face->mNumIndices; c++) {
			fill_normal(f, &part->mNormals[face->mIndices[c]], first + c, first, face->mNumIndices);
		}
		f->materials[f->faces++] = part->mMaterialIndex < a->file->mNumMaterials ? part->mMaterialIndex : SNW_NONE;
		f->offsets[f->faces] = f->corners;
	}
	return SNW_OK;
}

static snw_status fill_mesh(const snw_assimp *a, const snw_assimp_shape *shape, const tally *t, snw_mesh *mesh) {
	mesh_arrays f = {
		.points = SNW_NEW_ARRAY(a->arena, double, 3 * t->points),
		.offsets = SNW_NEW_ARRAY(a->arena, uint32_t, t->faces + 1),
		.face_points = SNW_NEW_ARRAY(a->arena, uint32_t, t->corners),
		.materials = SNW_NEW_ARRAY(a->arena, uint32_t, t->faces),
		.uvs = t->uvs ? SNW_NEW_ARRAY(a->arena, float, 2 * t->corners) : NULL,
		.normals = t->normals ? SNW_NEW_ARRAY(a->arena, float, 3 * t->corners) : NULL,
		.colors = t->colors ? SNW_NEW_ARRAY(a->arena, float, 4 * t->corners) : NULL,
	};
	make_normal_matrix(shape->placement, f.normal_matrix);
	uint32_t base = 0;
	snw_status status = SNW_OK;
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes && !snw_failed(status); p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		if (!part->mVertices) {
			continue;
		}
		status = fill_points(a, shape, part, f.points + (size_t)3 * base);
		if (!snw_failed(status)) {
			status = fill_part_faces(a, part, base, &f);
		}
		base += part->mNumVertices;
	}
	mesh->point_count = base;
	mesh->points_rest = f.points;
	mesh->face_count = f.faces;
	mesh->face_offsets = f.offsets;
	mesh->face_points = f.face_points;
	mesh->face_materials = f.materials;
	mesh->corner_uvs = f.uvs;
	mesh->corner_normals = f.normals;
	mesh->corner_colors = f.colors;
	return status;
}

/* ---- binding ------------------------------------------------------------------------------------------------------------- */

static snw_status list_influences(snw_assimp *a, const snw_assimp_shape *shape, const double inverse_placement[12],
								  snw_influence *list, size_t *count, uint32_t *fallback) {
	uint32_t base = 0;
	*fallback = SNW_NONE;
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		for (unsigned b = 0; b < part->mNumBones && part->mVertices; b++) {
			const struct aiBone *bone = part->mBones[b];
			const uint32_t node = snw_assimp_find_node(a, bone->mName.data);
			if (node == SNW_NONE) {
				continue;
			}
			double inverse_bind[12];
			snw_assimp_matrix(&bone->mOffsetMatrix, inverse_bind);
			snw_mat34_multiply(inverse_bind, inverse_placement, inverse_bind);
			const uint32_t slot = snw_assimp_slot(a, node, inverse_bind);
			*fallback = *fallback == SNW_NONE ? slot : *fallback;
			for (unsigned w = 0; w < bone->mNumWeights; w++) {
				if (bone->mWeights[w].mVertexId >= part->mNumVertices) {
					return snw_assimp_fail(
						a, SNW_ERROR_DATA, "mesh %.100s: joint %.100s has a weight for vertex %u of %u; the file is damaged",
						part->mName.data, bone->mName.data, bone->mWeights[w].mVertexId + 1, part->mNumVertices);
				}
				list[(*count)++] = (snw_influence){base + bone->mWeights[w].mVertexId, slot, (double)bone->mWeights[w].mWeight};
			}
		}
		base += part->mVertices ? part->mNumVertices : 0;
	}
	return SNW_OK;
}

/* Binds a mesh to the joints of its skin; without a skin, to the joint of its node. */
static snw_status bind(snw_assimp *a, const snw_assimp_shape *shape, const tally *t, snw_mesh *mesh) {
	double inverse_placement[12];
	if (!snw_mat34_invert(shape->placement, inverse_placement)) {
		return snw_assimp_fail(a, SNW_ERROR_DATA, "mesh %s has a scale of zero; export it again", mesh->name);
	}
	size_t count = 0;
	uint32_t fallback = SNW_NONE;
	snw_influence *list = SNW_NEW_ARRAY(a->scratch, snw_influence, t->weights + mesh->point_count);
	if (shape->is_skinned) {
		const snw_status status = list_influences(a, shape, inverse_placement, list, &count, &fallback);
		if (snw_failed(status)) {
			return status;
		}
	} else {
		fallback = snw_assimp_slot(a, shape->node, inverse_placement);
		for (; count < mesh->point_count; count++) {
			list[count] = (snw_influence){(uint32_t)count, fallback, 1};
		}
	}
	snw_mesh_bind(mesh, list, count, fallback, a->arena, a->task);
	return SNW_OK;
}

/* ---- all meshes ---------------------------------------------------------------------------------------------------------- */

static const char *shape_name(const snw_assimp *a, const snw_assimp_shape *shape) {
	const char *name = snw_name_clean(a->arena, a->nodes[shape->node].node->mName.data, a->task);
	return name ? name : snw_name_clean(a->arena, snw_assimp_part(a, shape, 0)->mName.data, a->task);
}

static snw_status read_mesh(snw_assimp *a, const snw_assimp_shape *shape, snw_mesh *mesh) {
	const tally t = count_parts(a, shape);
	if (t.points > INT32_MAX || t.corners > INT32_MAX || t.weights + t.points > INT32_MAX) {
		return snw_assimp_fail(a, SNW_ERROR_LIMIT, "mesh %s is too large; export it in parts", mesh->name);
	}
	snw_status status = fill_mesh(a, shape, &t, mesh);
	if (!snw_failed(status)) {
		status = bind(a, shape, &t, mesh);
	}
	if (!snw_failed(status)) {
		status = read_morphs(a, shape, mesh);
	}
	if (!snw_failed(status)) {
		/* Assimp gives each corner its own point. */
		snw_mesh_finish(mesh, a->request->keep_points, true, a->arena, a->task);
	}
	return status;
}

/* Allocates the slots that all bones and rigid meshes can need, and a channel for each morph. */
static void allocate_slots_and_channels(snw_assimp *a) {
	for (uint32_t i = 0; i < a->shape_count; i++) {
		uint32_t morphs = 0;
		for (unsigned p = 0; p < a->nodes[a->shapes[i].node].node->mNumMeshes; p++) {
			const struct aiMesh *part = snw_assimp_part(a, &a->shapes[i], p);
			a->slot_limit += part->mNumBones;
			morphs = part->mNumAnimMeshes > morphs ? part->mNumAnimMeshes : morphs;
		}
		a->slot_limit++;
		a->channel_limit += morphs + a->target_count;
	}
	a->slot_joints = SNW_NEW_ARRAY(a->arena, uint32_t, a->slot_limit);
	a->slot_inverse_binds = SNW_NEW_ARRAY(a->arena, double, (size_t)12 * a->slot_limit);
	a->slot_next = SNW_NEW_ARRAY(a->scratch, uint32_t, a->slot_limit);
	a->channels = SNW_NEW_ARRAY(a->arena, snw_channel, a->channel_limit);
	a->channel_nodes = SNW_NEW_ARRAY(a->scratch, uint32_t, a->channel_limit);
	a->channel_targets = SNW_NEW_ARRAY(a->scratch, const snw_assimp_target *, a->channel_limit);
	a->channel_indices = SNW_NEW_ARRAY(a->scratch, uint32_t, a->channel_limit);
}

static void make_channel_names_unique(snw_assimp *a) {
	const char **names = SNW_NEW_ARRAY(a->scratch, const char *, a->scene->channel_count);
	for (uint32_t c = 0; c < a->scene->channel_count; c++) {
		names[c] = a->channels[c].name;
	}
	snw_names_make_unique(a->arena, names, a->scene->channel_count, "morph", a->task);
	for (uint32_t c = 0; c < a->scene->channel_count; c++) {
		a->channels[c].name = names[c];
	}
}

static void tell_further_uvs(const snw_assimp *a) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < a->shape_count; i++) {
		bool has = false;
		for (unsigned p = 0; p < a->nodes[a->shapes[i].node].node->mNumMeshes; p++) {
			has |= snw_assimp_part(a, &a->shapes[i], p)->mTextureCoords[1] != NULL;
		}
		count += has;
	}
	if (count > 0) {
		snw_task_notice(a->task, SNW_LOG_INFO, "left out: %u %s UV sets beyond the first", count,
						count == 1 ? "mesh's" : "meshes'");
	}
}

snw_status snw_assimp_read_meshes(snw_assimp *a) {
	allocate_slots_and_channels(a);
	snw_mesh *meshes = SNW_NEW_ARRAY(a->arena, snw_mesh, a->shape_count);
	const char **names = SNW_NEW_ARRAY(a->scratch, const char *, a->shape_count);
	for (uint32_t i = 0; i < a->shape_count; i++) {
		names[i] = shape_name(a, &a->shapes[i]);
	}
	snw_names_make_unique(a->arena, names, a->shape_count, "mesh", a->task);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < a->shape_count && !snw_failed(status); i++) {
		meshes[i].name = names[i];
		status = read_mesh(a, &a->shapes[i], &meshes[i]);
	}
	make_channel_names_unique(a);
	tell_further_uvs(a);
	a->scene->meshes = meshes;
	a->scene->mesh_count = a->shape_count;
	a->scene->slot_joints = a->slot_joints;
	a->scene->slot_inverse_binds = a->slot_inverse_binds;
	a->scene->channels = a->channels;
	return status;
}

/* ---- numbers and colours ------------------------------------------------------------------------------------------------- */

/* Materials and their textures: inside the file, beside it, or missing, which is reported. */

/* The pictures of the file, each once. */
typedef struct picture_list {
	snw_assimp *a;
	snw_image *images;
	const char **paths; /* as the file names them */
	uint32_t count, limit;
} picture_list;

static double unit(double value) {
	return isfinite(value) ? fmin(fmax(value, 0), 1) : 0;
}

static double read_number(const struct aiMaterial *m, const char *key, double initial) {
	ai_real value;
	unsigned count = 1;
	return aiGetMaterialFloatArray(m, key, 0, 0, &value, &count) == AI_SUCCESS && count == 1 && isfinite(value) ? (double)value
																												: initial;
}

static bool read_color(const struct aiMaterial *m, const char *key, double dest[4]) {
	struct aiColor4D color;
	if (aiGetMaterialColor(m, key, 0, 0, &color) != AI_SUCCESS) {
		return false;
	}
	dest[0] = unit((double)color.r);
	dest[1] = unit((double)color.g);
	dest[2] = unit((double)color.b);
	return true;
}

/* ---- textures ------------------------------------------------------------------------------------------------------------ */

static const struct aiTexture *find_embedded(const struct aiScene *file, const char *path) {
	if (path[0] == '*') {
		const unsigned long index = strtoul(path + 1, NULL, 10);
		return index < file->mNumTextures ? file->mTextures[index] : NULL;
	}
	for (unsigned t = 0; t < file->mNumTextures; t++) {
		const char *text = file->mTextures[t]->mFilename.data;
		if (text[0] && strcmp(snw_path_name(text), snw_path_name(path)) == 0) {
			return file->mTextures[t];
		}
	}
	return NULL;
}

static snw_status read_embedded(const picture_list *g, const struct aiTexture *texture, const char *name, snw_image *image,
								snw_error *error) {
	const unsigned char *bytes = (const unsigned char *)texture->pcData;
	const char *media = texture->mHeight == 0 && bytes ? snw_picture_media(bytes, texture->mWidth) : NULL;
	if (!media) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "neither PNG nor JPEG; convert it");
	}
	*image = (snw_image){
		.name = snw_arena_text(g->a->arena, name),
		.media = media,
		.bytes = snw_arena_copy(g->a->arena, bytes, texture->mWidth),
		.byte_count = texture->mWidth,
	};
	return SNW_OK;
}

static uint32_t read_texture(picture_list *g, const struct aiMaterial *m, enum aiTextureType type) {
	struct aiString text;
	if (aiGetMaterialTexture(m, type, 0, &text, NULL, NULL, NULL, NULL, NULL, NULL) != AI_SUCCESS || !text.data[0]) {
		return SNW_NONE;
	}
	char *path = snw_arena_text(g->a->scratch, text.data);
	for (char *c = path; *c; c++) {
		*c = *c == '\\' ? '/' : *c;
	}
	if (strspn(path, "./") == strlen(path)) {
		snw_task_notice(g->a->task, SNW_LOG_WARNING,
						"a texture is left out: the file has no path for it; export with embedded textures");
		return SNW_NONE;
	}
	for (uint32_t i = 0; i < g->count; i++) {
		if (strcmp(g->paths[i], path) == 0) {
			return i;
		}
	}
	snw_error error = {0};
	snw_image image;
	const struct aiTexture *embedded = find_embedded(g->a->file, path);
	const char *cleaned = snw_name_clean(g->a->arena, snw_path_name(path), g->a->task);
	const char *name = path[0] == '*' || !cleaned ? snw_arena_format(g->a->arena, "texture-%u", g->count) : cleaned;
	const snw_status status = embedded ? read_embedded(g, embedded, name, &image, &error)
									   : snw_picture_find(g->a->path, path, g->a->arena, &image, &error);
	if (snw_failed(status) || g->count == g->limit) {
		snw_task_notice(g->a->task, SNW_LOG_WARNING, "the texture %s is left out: %s", name,
						snw_failed(status) ? error.text : "there are too many");
		return SNW_NONE;
	}
	image.name = name;
	g->images[g->count] = image;
	g->paths[g->count] = path;
	return g->count++;
}

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* Roughness from a specular exponent of at most 100, as Blender converts it for FBX. */
static double roughness_of_shininess(double shininess) {
	return 1 - sqrt(fmin(fmax(shininess, 0), 100)) / 10;
}

static void read_factors(const struct aiMaterial *file, snw_material *m) {
	if (!read_color(file, "$clr.base", m->base_color)) {
		(void)read_color(file, "$clr.diffuse", m->base_color);
	}
	m->base_color[3] = unit(read_number(file, "$mat.opacity", 1));
	m->metallic = unit(read_number(file, "$mat.metallicFactor", 0));
	const double shininess = read_number(file, "$mat.shininess", -1);
	m->roughness = shininess >= 0 ? roughness_of_shininess(shininess) : 0.5;
	m->roughness = unit(read_number(file, "$mat.roughnessFactor", m->roughness));
	double emissive[4];
	if (read_color(file, "$clr.emissive", emissive)) {
		memcpy(m->emissive, emissive, sizeof m->emissive);
	}
	m->alpha = m->base_color[3] < 1 ? 2 : 0;
}

static void read_textures(picture_list *g, const struct aiMaterial *file, snw_material *m) {
	m->base_color_image = read_texture(g, file, aiTextureType_BASE_COLOR);
	if (m->base_color_image == SNW_NONE) {
		m->base_color_image = read_texture(g, file, aiTextureType_DIFFUSE);
	}
	m->normal_image = read_texture(g, file, aiTextureType_NORMALS);
	m->emissive_image = read_texture(g, file, aiTextureType_EMISSIVE);
	if (m->base_color_image != SNW_NONE) {
		/* Collada does not multiply a texture by the colour. */
		m->base_color[0] = m->base_color[1] = m->base_color[2] = 1;
	}
	/* glTF keeps both in one picture, so they are read only if both refer to the same one. */
	const uint32_t metallic = read_texture(g, file, aiTextureType_METALNESS);
	const uint32_t roughness = read_texture(g, file, aiTextureType_DIFFUSE_ROUGHNESS);
	if (metallic != SNW_NONE && metallic == roughness) {
		m->metallic_roughness_image = metallic;
		m->metallic = m->roughness = 1;
	}
}

void snw_assimp_read_materials(snw_assimp *a) {
	const uint32_t count = a->file->mNumMaterials;
	const uint32_t limit = count < 1024 ? 6 * count : 6 * 1024;
	picture_list g = {
		.a = a,
		.images = SNW_NEW_ARRAY(a->arena, snw_image, limit),
		.paths = SNW_NEW_ARRAY(a->scratch, const char *, limit),
		.limit = limit,
	};
	snw_material *materials = SNW_NEW_ARRAY(a->arena, snw_material, count);
	const char **names = SNW_NEW_ARRAY(a->scratch, const char *, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct aiMaterial *file = a->file->mMaterials[i];
		struct aiString name;
		names[i] = aiGetMaterialString(file, "?mat.name", 0, 0, &name) == AI_SUCCESS
					   ? snw_name_clean(a->arena, name.data, a->task)
					   : NULL;
		int two_sided = 1;
		(void)aiGetMaterialIntegerArray(file, "$mat.twosided", 0, 0, &two_sided, NULL);
		materials[i] = (snw_material){
			.base_color = {0.8, 0.8, 0.8, 1},
			.metallic_roughness_image = SNW_NONE,
			.double_sided = two_sided != 0,
			.alpha_cutoff = 0.5,
		};
		read_factors(file, &materials[i]);
		read_textures(&g, file, &materials[i]);
	}
	snw_names_make_unique(a->arena, names, count, "material", a->task);
	for (uint32_t i = 0; i < count; i++) {
		materials[i].name = names[i];
	}
	a->scene->materials = materials;
	a->scene->material_count = count;
	a->scene->images = g.images;
	a->scene->image_count = g.count;
}
