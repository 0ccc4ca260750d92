/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree and its state at a pose. Private to host/contact.
 */
#ifndef SINEW_HOST_CONTACT_CONTACT_INTERNAL_H
#define SINEW_HOST_CONTACT_CONTACT_INTERNAL_H

#include "contact/contact.h"
#include "program/bounds/bounds.h"

/* ---- what moved together ------------------------------------------------------------------------------------------------- */

/* Which parts of meshes have moved together from one pose to another: triangles that one rigid motion has taken along meet
 * after it where they met before. Only pairs that have not moved together have to be tested again. */

typedef struct snw_contact_moves snw_contact_moves;
snw_contact_moves *snw_contact_moves_make(const snw_contact_tree *tree, snw_arena *arena);

/* From the points before and after, [point_count][3]. A point has moved with the first motion, a 3×4 matrix, that takes it to
 * within `slack` metres of where it is. At most SNW_MOST_MOTIONS, in the same order for all meshes. */
void snw_contact_moves_find(snw_contact_moves *moves, const float *before, const float *after, uint32_t motion_count,
							const double (*motions)[12], double slack);

/* Whether one motion has taken both triangles along. */
bool snw_contact_moved_together(const snw_contact_moves *first, uint32_t first_triangle, const snw_contact_moves *second,
								uint32_t second_triangle);

/* As snw_contact_pairs and snw_contact_self_pairs, but for those that have moved together. */
void snw_contact_moved_pairs(snw_contact_mesh_pose *first, const snw_contact_moves *first_moves, snw_contact_mesh_pose *second,
							 const snw_contact_moves *second_moves, double distance, snw_contact_found *found, void *context);
void snw_contact_moved_self_pairs(snw_contact_mesh_pose *pose, const snw_contact_moves *moves, double distance,
								  snw_contact_found *found, void *context);

/* ---- contact internal ---------------------------------------------------------------------------------------------------- */

enum {
	CLUSTER_TRIANGLES = 128,
	LEAF_TRIANGLES = 8,
	MOST_SLOTS = 8, /* of a node with a box of its own from the palette; with more slots that is too wide to be worth it */
	DEEPEST = 48    /* triangles are halved: 32 at most */
};

/* x, y, z, and nothing. */
typedef float row4 __attribute__((vector_size(16), may_alias));

typedef struct row_box {
	row4 lower, upper;
} row_box;

/* What a slot moves of a node: the box of those points at rest, and its least and largest weight in the node. */
typedef struct node_slot {
	uint32_t slot;
	float least, most;
	row4 middle, half;
} node_slot;

/* Nodes are in preorder: the left child is the next. */
typedef struct tree_node {
	uint32_t right;                /* SNW_NONE for a leaf */
	uint32_t begin, end;           /* triangles in the tree's order */
	uint32_t cluster;              /* that it belongs to; SNW_NONE above */
	uint32_t set;                  /* of the bounds; SNW_NONE for none */
	uint32_t slot_begin, slot_end; /* the first has the largest weight; none where the bounds have to do it */
} tree_node;

/* Triangles that are skinned together. Their points have places side by side; a point of several clusters has several. */
typedef struct tree_cluster {
	uint32_t node, node_end; /* its nodes; the first contains all */
	uint32_t place, place_end;
} tree_cluster;

/* A displacement of a place. */
typedef struct place_displacement {
	uint32_t displacement, place;
	row4 vector;
} place_displacement;

typedef struct place_displacements {
	const snw_displacements *source;
	uint32_t *begins; /* [cluster_count + 1] */
	place_displacement *list;
} place_displacements;

struct snw_contact_tree {
	const snw_mesh *mesh;
	const snw_program *program; /* NULL: posed by points */
	uint32_t triangle_count;
	uint32_t (*corners)[3];  /* [triangle_count]: the mesh's points */
	uint32_t *faces;         /* [triangle_count] */
	uint8_t *borders;        /* [triangle_count]: bit e, of the edge after corner e, if it has one face only */
	bool *at_border;         /* [point_count]: such an edge ends there */
	uint32_t *around_starts; /* [point_count + 1] */
	uint32_t *around;        /* the triangles around each point, rising */
	bool is_closed;
	uint32_t *order;       /* [triangle_count]: triangles in the tree's order */
	uint32_t *ordered_at;  /* [triangle_count]: the inverse */
	uint32_t (*places)[3]; /* [triangle_count]: of the corners, in the tree's order */
	uint32_t node_count, cluster_count, place_count;
	tree_node *nodes;
	tree_cluster *clusters;
	uint32_t *points; /* [place_count]: the mesh's point */
	/* Of a program. */
	snw_program_bounds *bounds;
	node_slot *slots; /* of nodes of a linear blend whose weights add up to 1, where no displacement moves a point */
	snw_program without_displacements; /* for blends that run by the reference evaluator */
	row4 *rest;                        /* [place_count] */
	uint32_t *influence_begins;        /* [place_count + 1], of a linear or affine blend */
	uint32_t *influence_slots;
	float *influence_weights;             /* of a linear one */
	row4 *influence_rows;                 /* of an affine one */
	double largest_rest, largest_weights; /* sums of what is blended at a place, for what floats lose */
	place_displacements displaced_rest, displaced_posed;
};

/* The area vectors of a node's triangles, as one dipole. */
typedef struct dipole {
	row4 area, middle;
	float radius;
} dipole;

struct snw_contact_mesh_pose {
	const snw_contact_tree *tree;
	uint32_t number; /* the number of the pose */
	row_box *boxes;
	uint32_t *made;    /* [node_count]: the pose whose box the node has */
	uint32_t *skinned; /* [cluster_count]: the pose that its places are at */
	row4 *places;      /* [place_count] */
	dipole *dipoles;   /* [node_count] */
	const snw_program_input *input;
	snw_program_bounds_scratch *scratch;
	row4 (*magnitudes)[3]; /* [slot_count]: the same without signs */
	row4 (*matrices)[4];   /* [slot_count]: columns, of a linear or affine blend */
	double (*doubles)[3];  /* [places of the largest cluster] */
	float rounding;        /* what floats may lose at this pose */
	snw_contact_cost cost;
};

/* The index of the motion of each part; MOVED_APART where its points have moved by different ones, or by none. */
#define MOVED_APART 255
struct snw_contact_moves {
	const snw_contact_tree *tree;
	uint8_t *points;    /* [point_count] */
	uint8_t *triangles; /* [triangle_count], in the tree's order */
	uint8_t *nodes;     /* [node_count] */
};

static inline bool moved_together(uint8_t a, uint8_t b) {
	return a == b && a != MOVED_APART;
}

/* A coordinate that is not a number leaves the other one. */
static inline row4 least_row(row4 a, row4 b) {
	row4 least;
	for (int c = 0; c < 4; c++) {
		least[c] = a[c] < b[c] ? a[c] : b[c];
	}
	return least;
}

static inline row4 most_row(row4 a, row4 b) {
	row4 most;
	for (int c = 0; c < 4; c++) {
		most[c] = a[c] > b[c] ? a[c] : b[c];
	}
	return most;
}

/* The box of a node, made if need be. */
void snw_contact_make_box(snw_contact_mesh_pose *pose, uint32_t node);
static inline const row_box *contact_box(snw_contact_mesh_pose *pose, uint32_t node) {
	if (pose->made[node] != pose->number) {
		snw_contact_make_box(pose, node);
	}
	return &pose->boxes[node];
}

/* Before the children or the triangles of a node are used: its cluster, if it is in one, is at the pose. True if that changed
 * the node's box. */
void snw_contact_skin_cluster(snw_contact_mesh_pose *pose, uint32_t cluster);
static inline bool contact_open(snw_contact_mesh_pose *pose, uint32_t node) {
	const uint32_t cluster = pose->tree->nodes[node].cluster;
	if (cluster == SNW_NONE || pose->skinned[cluster] == pose->number) {
		return false;
	}
	snw_contact_skin_cluster(pose, cluster);
	return true;
}

/* A triangle in the tree's order. */
static inline snw_triangle contact_triangle(const snw_contact_mesh_pose *pose, uint32_t ordered) {
	snw_triangle made;
	for (int k = 0; k < 3; k++) {
		const row4 place = pose->places[pose->tree->places[ordered][k]];
		for (int c = 0; c < 3; c++) {
			made.corners[k][c] = (double)place[c];
		}
	}
	return made;
}

/* Of the full sphere, how much of it a triangle covers as seen from a point: positive from behind. */
double snw_triangle_solid_angle(const snw_triangle *triangle, const double point[3]);

#endif
