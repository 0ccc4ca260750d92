/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of Assimp's reader, in the order in which they run: nodes, placements, skeleton, meshes, clips, materials. Private
 * to this folder.
 */
#ifndef SINEW_HOST_IMPORT_ASSIMP_ASSIMP_INTERNAL_H
#define SINEW_HOST_IMPORT_ASSIMP_ASSIMP_INTERNAL_H

#include <assimp/scene.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/import.h"
#include "scene/scene.h"

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

/* collada.c: loads a .dae, and lists its morph targets, whose nodes are not known yet. The file is NULL if Assimp cannot read
 * it. SNW_ERROR_DATA for one that it would read without an end. */
snw_status snw_assimp_load_collada(snw_assimp *a);

/* nodes.c: the tree, in metres and Y up; finding nodes by name; the shapes, and which nodes become joints. */
snw_status snw_assimp_read_nodes(snw_assimp *a);
uint32_t snw_assimp_find_node(const snw_assimp *a, const char *name);
snw_status snw_assimp_list_shapes(snw_assimp *a);

/* nodes.c: the placement of each skin, the skeleton at rest, and the default pose. */
void snw_assimp_choose_placements(snw_assimp *a);
snw_status snw_assimp_make_skeleton(snw_assimp *a);
void snw_assimp_make_poses(snw_assimp *a);
/* The slot of a node's joint with that inverse bind; added if it is new. */
uint32_t snw_assimp_slot(snw_assimp *a, uint32_t node, const double inverse_bind[12]);

/* meshes.c */
snw_status snw_assimp_read_meshes(snw_assimp *a);
void snw_assimp_read_materials(snw_assimp *a);

/* clips.c */
snw_status snw_assimp_read_clips(snw_assimp *a);

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

/* ---- collada text -------------------------------------------------------------------------------------------------------- */

/* The text of a Collada file: its tags, their attributes, and the words between them. */

/* A piece of the file's text. */
typedef struct snw_span {
	const char *begin, *end;
} snw_span;

typedef struct snw_tag {
	snw_span whole, name;   /* from '<' to behind '>'; "skin" */
	bool closes, is_single; /* </skin>; <skin/> */
} snw_tag;

bool snw_span_is_same(snw_span a, snw_span b);
bool snw_span_is(snw_span a, const char *text);

/* The next tag of an element, behind which *at is then. False at the end. */
bool snw_next_tag(const char **at, const char *end, snw_tag *t);
/* The value of an attribute; empty without it. */
snw_span snw_tag_attribute(const snw_tag *t, const char *name);
/* Of a reference in the same file, "#body", without its first letter. */
snw_span snw_tag_reference(const snw_tag *t, const char *name);

bool snw_next_word(snw_span *text, snw_span *word);

int snw_span_compare(snw_span a, snw_span b);

/* A text being written, which ends with a zero. It begins as {.arena = …}. */
typedef struct snw_written_text {
	snw_arena *arena;
	char *text;
	size_t count, room;
} snw_written_text;

void snw_write_span(snw_written_text *written, snw_span text);
void snw_write_text(snw_written_text *written, const char *text);

/* Where ids are in a list; sorted, so that large files take no longer than they must. */
typedef struct snw_id_row {
	snw_span id;
	uint32_t index;
} snw_id_row;

typedef struct snw_id_table {
	uint32_t count;
	snw_id_row *rows;
} snw_id_table;

/* `ids` is that of the first of `count` members, which are `stride` bytes apart. Empty ids are left out. */
snw_id_table snw_id_table_make(const void *ids, uint32_t count, size_t stride, snw_arena *arena);
/* The last member with an id; SNW_NONE if there is none. */
uint32_t snw_id_table_find(const snw_id_table *table, snw_span id);

/* ---- collada animations -------------------------------------------------------------------------------------------------- */

/* Animations of a Collada file. Assimp 5.2 ignores tangents and <animation_clip>, and makes a clip of each <animation>,
 * which for some programs is one number of one node. So they are written again for it: an <animation> for each clip, in
 * which each curve has a sampler of its own. A file without clips has one, with all curves; or one for each outer
 * <animation>, if these move the same things. Bezier and Hermite curves become straight lines between 8 to 64 moments from
 * key to key. */

/* A curve and what it moves: "node/rotateZ.ANGLE", or "controller/weights(2)". */
typedef struct snw_collada_curve {
	snw_span target;
	bool is_of_morph; /* the caller says so: it is not for Assimp */
	snw_span sampler;
	uint32_t animation;
} snw_collada_curve;

typedef struct snw_collada_animations snw_collada_animations;

snw_collada_animations *snw_collada_animations_read(snw_assimp *a, const char *begin, const char *end);
snw_collada_curve *snw_collada_curves(const snw_collada_animations *animations, uint32_t *count);
/* The keys of a curve of one number. Its key_count is 0 if there are none. */
void snw_collada_read_keys(snw_collada_animations *animations, uint32_t curve, snw_assimp_curve *dest);
/* The libraries of animations and clips for Assimp; NULL without curves. Lists the clips in snw_assimp. */
const char *snw_collada_animations_write(snw_collada_animations *animations);

#endif
