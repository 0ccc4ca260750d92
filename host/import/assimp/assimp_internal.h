/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of Assimp's reader, in the order in which they run: nodes, placements, skeleton, meshes, clips, materials. Private
 * to this folder.
 */
#ifndef SINEW_HOST_IMPORT_ASSIMP_ASSIMP_INTERNAL_H
#define SINEW_HOST_IMPORT_ASSIMP_ASSIMP_INTERNAL_H

#include <assimp/scene.h>

#include "import/import.h"

/* A node of the file. Matrices are in metres and Y up. */
typedef struct snw_assimp_node {
	const struct aiNode *node;
	uint32_t parent;              /* SNW_NONE at the root */
	double local[12], global[12]; /* in the file's default pose */
	bool has_bind;
	double bind_global[12]; /* of a skin's joint, at rest */
	bool is_joint;
	uint32_t joint;      /* SNW_NONE if the node is not a joint */
	uint32_t first_slot; /* of its joint; the others follow by slot_next */
} snw_assimp_node;

/* A node's meshes: parts of one mesh, split by material. */
typedef struct snw_assimp_shape {
	uint32_t node;
	bool is_skinned;
	double placement[12]; /* from the vertices' space to the scene, at rest */
} snw_assimp_shape;

/* The weight of a morph target over time: curve `index` of the file (collada_animations.c). */
typedef struct snw_assimp_curve {
	uint32_t index, key_count;
	double *seconds, *weights;
	bool is_stepped;
	struct snw_assimp_curve *next;
} snw_assimp_curve;

/* A clip of a Collada file. */
typedef struct snw_assimp_clip {
	const char *assimp_name, *name;  /* of Assimp's animation, which may be missing; "" for none */
	double from_seconds, to_seconds; /* the part of it that the clip is; the same: all of it */
	const bool *has_curves;          /* by their indices */
} snw_assimp_clip;

/* A morph target of a Collada file: see collada.c. */
typedef struct snw_assimp_target {
	const char *node_name;
	uint32_t node;    /* that has its vertices; SNW_NONE if Assimp has not made it */
	const char *base; /* the id of the mesh that it belongs to */
	const char *name;
	double weight;
	bool is_relative; /* its vertices are displacements */
	snw_assimp_curve *curves;
	struct snw_assimp_target *next;
} snw_assimp_target;

typedef struct snw_assimp {
	const char *path;
	const snw_import_request *request;
	const snw_task *task;
	snw_error *error;
	const struct aiScene *file;
	snw_scene *scene;
	snw_arena *arena;   /* the scene's */
	snw_arena *scratch; /* lives as long as the import */
	uint32_t node_count;
	snw_assimp_node *nodes; /* parents first */
	uint32_t *names;        /* [node_count]: nodes sorted by name */
	uint32_t shape_count;
	snw_assimp_shape *shapes;
	uint32_t slot_limit;
	uint32_t *slot_joints, *slot_next; /* [slot_limit] */
	double *slot_inverse_binds;
	uint32_t target_count;
	snw_assimp_target *targets, **targets_end;
	uint32_t collada_clip_count; /* 0 for other files: Assimp's animations are the clips */
	snw_assimp_clip *collada_clips;
	uint32_t channel_limit;
	snw_channel *channels;
	uint32_t *channel_nodes;                   /* [channel_limit]: the node whose mesh has the morph */
	uint32_t *channel_indices;                 /* [channel_limit]: the morph's index in that mesh */
	const snw_assimp_target **channel_targets; /* [channel_limit]: of Collada; NULL for another */
} snw_assimp;

snw_status snw_assimp_fail(const snw_assimp *a, snw_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* lost.c: SNW_ERROR_UNSUPPORTED for a file whose skeleton Assimp loses, unless losses are accepted. */
snw_status snw_assimp_check_lost(const snw_assimp *a);

/* collada.c: loads a .dae, and lists its morph targets, whose nodes are not known yet. The file is NULL if Assimp cannot read
 * it. SNW_ERROR_DATA for one that it would read without an end. */
snw_status snw_assimp_load_collada(snw_assimp *a);

/* nodes.c: the tree, in metres and Y up; finding nodes by name; the shapes, and which nodes become joints. */
snw_status snw_assimp_read_nodes(snw_assimp *a);
uint32_t snw_assimp_find_node(const snw_assimp *a, const char *name);
snw_status snw_assimp_list_shapes(snw_assimp *a);

/* rest_pose.c: the placement of each skin, the skeleton at rest, and the default pose. */
void snw_assimp_choose_placements(snw_assimp *a);
snw_status snw_assimp_make_skeleton(snw_assimp *a);
void snw_assimp_make_poses(snw_assimp *a);
/* The slot of a node's joint with that inverse bind; added if it is new. */
uint32_t snw_assimp_slot(snw_assimp *a, uint32_t node, const double inverse_bind[12]);

/* meshes.c, morph_targets.c */
snw_status snw_assimp_read_meshes(snw_assimp *a);

/* clips.c, materials.c */
snw_status snw_assimp_read_clips(snw_assimp *a);
void snw_assimp_read_materials(snw_assimp *a);

/* ply_sizes.c: false if a list or an element of a PLY file is longer than the file. `bytes` end with a zero. */
bool snw_assimp_ply_is_whole(const char *bytes, size_t count);

static inline const struct aiMesh *snw_assimp_part(const snw_assimp *a, const snw_assimp_shape *shape, unsigned part) {
	return a->file->mMeshes[a->nodes[shape->node].node->mMeshes[part]];
}

static inline void snw_assimp_matrix(const struct aiMatrix4x4 *m, double dest[12]) {
	const double rows[12] = {(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4, (double)m->b1, (double)m->b2,
							 (double)m->b3, (double)m->b4, (double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4};
	for (int i = 0; i < 12; i++) {
		dest[i] = rows[i];
	}
}

#endif
