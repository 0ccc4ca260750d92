/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Morph targets: Assimp stores them as whole meshes, the scene as sparse displacements of the rest points.
 */
#include <math.h>
#include <string.h>

#include "import/assimp/assimp_internal.h"
#include "import/common/names.h"
#include "sinew/algebra.h"

/* Relative to the mesh's size. Shorter displacements are rounding errors of positions in single precision. */
static const double ROUNDING = 5e-7;

static double measure_size(const snw_mesh *mesh) {
	double size = 0;
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		size = fmax(size, fabs(mesh->points_rest[i]));
	}
	return size;
}

/* Adds the displacements of one morph in one part; returns the new number of points. */
static uint32_t add_part(const struct aiMesh *part, const struct aiAnimMesh *target, const double placement[12],
						 double threshold, uint32_t base, uint32_t count, uint32_t *points, double *vectors) {
	for (unsigned v = 0; v < part->mNumVertices; v++) {
		const struct aiVector3D *from = &part->mVertices[v], *to = &target->mVertices[v];
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

/* Assimp 5.2 gives every morph of an FBX file a weight of 1, whatever the file has; in nearly all files they are 0. */
static bool has_morph_weights(const struct aiScene *file) {
	const struct aiMetadata *meta = file->mMetaData;
	for (unsigned i = 0; meta && i < meta->mNumProperties; i++) {
		const struct aiMetadataEntry *entry = &meta->mValues[i];
		if (strcmp(meta->mKeys[i].data, "SourceAsset_Format") == 0 && entry->mType == AI_AISTRING && entry->mData) {
			return !strstr(((const struct aiString *)entry->mData)->data, "FBX");
		}
	}
	return true;
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
			weight = has_morph_weights(a->file) && isfinite(target->mWeight) ? (double)target->mWeight : 0;
		}
		if (target && target->mVertices && part->mVertices && target->mNumVertices == part->mNumVertices) {
			count = add_part(part, target, shape->placement, threshold, base, count, points, vectors);
		}
		base += part->mVertices ? part->mNumVertices : 0;
	}
	const uint32_t channel = a->scene->channel_count++;
	a->channels[channel] = (snw_channel){.name = name, .initial = weight};
	a->channel_nodes[channel] = shape->node;
	a->channel_indices[channel] = index;
	*morph = (snw_morph){.name = name, .channel = channel, .count = count, .points = points, .vectors = vectors};
}

snw_status snw_assimp_read_morphs(snw_assimp *a, const snw_assimp_shape *shape, snw_mesh *mesh) {
	uint32_t count = 0;
	for (unsigned p = 0; p < a->nodes[shape->node].node->mNumMeshes; p++) {
		const struct aiMesh *part = snw_assimp_part(a, shape, p);
		count = part->mNumAnimMeshes > count ? part->mNumAnimMeshes : count;
	}
	snw_morph *morphs = SNW_NEW_ARRAY(a->arena, snw_morph, count);
	const double threshold = count > 0 ? ROUNDING * measure_size(mesh) : 0;
	const char **names = SNW_NEW_ARRAY(a->scratch, const char *, count);
	for (uint32_t m = 0; m < count; m++) {
		read_morph(a, shape, m, threshold, mesh, &morphs[m]);
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
