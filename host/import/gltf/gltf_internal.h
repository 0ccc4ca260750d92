/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps from a glTF document to a scene, in this order: nodes, shapes, skins, skeleton, meshes, clips, materials. Private
 * to the reader. Everything here is in the document's scratch arena; the scene's data are in the scene's.
 */
#ifndef SINEW_HOST_IMPORT_GLTF_GLTF_INTERNAL_H
#define SINEW_HOST_IMPORT_GLTF_GLTF_INTERNAL_H

#include "import/gltf/document.h"

/* ---- nodes (nodes.c) ----------------------------------------------------------------------------------------------------- */

typedef struct snw_gltf_node {
	uint32_t parent; /* SNW_NONE at a root */
	uint32_t mesh, skin;
	snw_transform local; /* the file's default pose */
	double global[12];
	bool is_shown;          /* in the file's default scene */
	uint32_t joint;         /* into the scene's joints; SNW_NONE for none */
	uint32_t first_channel; /* of its mesh's morph targets; SNW_NONE for none */
	/* From the skins: the joint's transform at bind, in rest space. */
	bool has_bind;
	bool bind_is_default; /* within an invisible tolerance */
	double bind_global[12];
	uint32_t slot; /* the first of its joint; SNW_NONE without one */
} snw_gltf_node;

typedef struct snw_gltf_nodes {
	uint32_t count;
	snw_gltf_node *nodes;
	uint32_t *order; /* parents first */
	uint32_t joint_count;
	uint32_t *joint_nodes;
} snw_gltf_nodes;

bool snw_gltf_read_nodes(snw_gltf *g, snw_gltf_nodes *nodes);
/* Sets the names and parents of the scene's joints; their rest transforms follow from the skins. */
bool snw_gltf_choose_joints(snw_gltf *g, snw_gltf_nodes *nodes, snw_scene *scene);

/* ---- shapes (primitives.c) ----------------------------------------------------------------------------------------------- */

/* A glTF mesh before it is placed by a node: the triangles of all primitives, with one point for each vertex. Vertices that
 * primitives share appear once. */
typedef struct snw_gltf_shape {
	uint32_t point_count;
	double *points;   /* [point_count][3] */
	double *normals;  /* [point_count][3], zero for a primitive without normals; NULL if none has them */
	double *tangents; /* [point_count][4], zero for a primitive without tangents or without normals; NULL if none has them */
	float *uvs;       /* [point_count][2]; NULL */
	float *colors;    /* [point_count][4]; NULL */
	uint32_t face_count;
	uint32_t *face_points; /* [face_count][3] */
	uint32_t *face_materials;
	bool has_materials;
	bool repeats_points; /* a primitive without indices repeats each point at every corner */
	/* JOINTS_n and WEIGHTS_n, [point_count][influence_width]; 0 for none */
	uint32_t influence_width;
	uint32_t *joints; /* into the skin's joints */
	double *weights;
	uint32_t target_count;
	const char **target_names; /* [target_count]; NULL for a target without a name */
	double *target_weights;    /* [target_count] */
	snw_morph *targets;        /* [target_count]: points and vectors */
	double box[2][3];
} snw_gltf_shape;

/* A shape for each mesh of a shown node; the others stay empty. [g->meshes.count] */
bool snw_gltf_read_shapes(snw_gltf *g, const snw_gltf_nodes *nodes, snw_gltf_shape **shapes);
/* The morph displacements of a shape (morph_targets.c). `first_points` and `counts` are the points of each primitive. */
bool snw_gltf_read_targets(snw_gltf *g, uint32_t mesh, const uint32_t *first_points, const uint32_t *counts,
						   snw_gltf_shape *shape);

/* ---- skins (skins.c) ----------------------------------------------------------------------------------------------------- */

/* A skin that a shown mesh uses. `placement` maps its bind space to rest space. */
typedef struct snw_gltf_skin {
	bool is_used;
	uint32_t joint_count;
	uint32_t *nodes;       /* [joint_count] */
	double *inverse_binds; /* [joint_count][12], as in the file */
	uint32_t *slots;       /* [joint_count] */
	uint32_t top;          /* the first joint without another joint of the skin above it */
	double placement[12];
	double box[2][3]; /* of the meshes that use it */
} snw_gltf_skin;

/* [g->skins.count]. Chooses the placement of each, and sets the bind of its nodes. */
bool snw_gltf_read_skins(snw_gltf *g, snw_gltf_nodes *nodes, const snw_gltf_shape *shapes, snw_gltf_skin **skins);

/* The largest distance between the corners of a box as two matrices map them, relative to its size; infinite if it is not
 * finite. */
double snw_gltf_distance(const double a[12], const double b[12], const double box[2][3]);
/* Matrices within this distance are equal up to the rounding of a file's floats. */
#define SNW_GLTF_IDENTICAL 1e-5

/* ---- the rest (rest_pose.c) ---------------------------------------------------------------------------------------------- */

typedef struct snw_gltf_slots {
	uint32_t count;
	uint32_t *joints;
	double *inverse_binds;
} snw_gltf_slots;

/* Finishes the skeleton, whose rest pose is the bind pose. */
bool snw_gltf_rest(snw_gltf *g, const snw_gltf_nodes *nodes, snw_scene *scene);
/* Lists the slots of the skins, each pair of joint and inverse bind once, with room for one more for each node. If a joint
 * rests at its bind up to the file's rounding, the inverse bind becomes the inverse of the rest transform, so that the rest
 * pose is exact. */
bool snw_gltf_list_slots(snw_gltf *g, snw_gltf_nodes *nodes, snw_gltf_skin *skins, const snw_scene *scene,
						 snw_gltf_slots *slots);
/* The poses "rest" and, if the file's pose differs, "default". Needs the scene's channels. */
void snw_gltf_poses(snw_gltf *g, const snw_gltf_nodes *nodes, snw_scene *scene);

/* ---- meshes (meshes.c) --------------------------------------------------------------------------------------------------- */

/* A mesh for each shown node that has one, and the channels of their morph targets. */
bool snw_gltf_meshes(snw_gltf *g, snw_gltf_nodes *nodes, const snw_gltf_shape *shapes, const snw_gltf_skin *skins,
					 snw_gltf_slots *slots, bool keep_points, snw_scene *scene);

/* ---- clips and materials (clips.c, materials.c) -------------------------------------------------------------------------- */

bool snw_gltf_clips(snw_gltf *g, const snw_gltf_nodes *nodes, const snw_gltf_shape *shapes, snw_scene *scene);
bool snw_gltf_read_materials(snw_gltf *g, snw_scene *scene);

#endif
