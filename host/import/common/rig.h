/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A rig on its way from a file to a scene: the file's nodes, which of them become joints, its skins, and the rest pose. A
 * skin's joint j moves a vertex v to G_j · (its inverse bind) · v, with G_j the global transform of its node: so glTF says,
 * and so clusters of FBX can be written.
 *
 * A reader fills in nodes and skins, and calls the functions in this order.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_RIG_H
#define SINEW_HOST_IMPORT_COMMON_RIG_H

#include "scene/scene.h"
#include "task/task.h"

typedef struct snw_rig_node {
	uint32_t parent;     /* SNW_NONE at a root */
	uint32_t mesh, skin; /* of the file; SNW_NONE for none */
	snw_transform local; /* the file's default pose */
	double global[12];
	bool is_shown;          /* in the file's default scene */
	uint32_t level_of;      /* the node whose mesh this one's is a level of; SNW_NONE for none: then it is not shown */
	uint32_t joint;         /* into the scene's joints; SNW_NONE for none */
	uint32_t first_channel; /* of its mesh's morph targets; SNW_NONE for none */
	/* From the skins: the joint's transform at bind, in rest space. */
	bool has_bind;
	bool bind_is_default; /* within an invisible tolerance */
	double bind_global[12];
	uint32_t slot; /* the first of its joint; SNW_NONE without one */
} snw_rig_node;

typedef struct snw_rig {
	snw_arena *scratch; /* lives as long as the import */
	snw_arena *arena;   /* the scene's */
	const snw_task *task;
	uint32_t count;
	snw_rig_node *nodes;
	uint32_t *order; /* parents first */
	uint32_t joint_count;
	uint32_t *joint_nodes;
} snw_rig;

/* A skin that a shown mesh uses. `placement` maps its bind space to rest space. */
typedef struct snw_rig_skin {
	bool is_used;
	uint32_t joint_count;
	uint32_t *nodes;       /* [joint_count] */
	double *inverse_binds; /* [joint_count][12], as in the file */
	uint32_t *slots;       /* [joint_count] */
	uint32_t top;          /* the first joint without another joint of the skin above it */
	double placement[12];
	double box[2][3]; /* of the meshes that use it */
	bool knows_bind;  /* the file says where the skin was bound in the world: `bind_world` */
	double bind_world[12];
} snw_rig_skin;

typedef struct snw_rig_slots {
	uint32_t count;
	uint32_t *joints;
	double *inverse_binds;
} snw_rig_slots;

/* ---- nodes (rig.c) ------------------------------------------------------------------------------------------------------- */

/* Nodes without parents, meshes, skins, joints and slots. */
void snw_rig_begin(snw_rig *rig, uint32_t node_count);
/* Fills `order` from the parents. Returns a node among its own ancestors; SNW_NONE if there is none. */
uint32_t snw_rig_order(snw_rig *rig);
/* The globals of the default pose. */
void snw_rig_solve(snw_rig *rig);
/* The joints are the nodes that `chosen` marks, those with a rigid mesh, and all their parents. Sets the names and parents of
 * the scene's joints, names[] of nodes being clean or NULL; their rest transforms follow from the skins. */
void snw_rig_choose_joints(snw_rig *rig, bool *chosen, const char *const *names, snw_scene *scene);

/* ---- skins (rig.c) ------------------------------------------------------------------------------------------------------- */

/* Finds the top joint of a skin whose joints are known. `positions` are the nodes' places in the order. */
uint32_t *snw_rig_positions(const snw_rig *rig);
void snw_rig_find_top(const uint32_t *positions, snw_rig_skin *skin);
/* Chooses the placement of a skin, and sets the bind of its nodes unless an earlier skin has. */
void snw_rig_place_skin(snw_rig *rig, snw_rig_skin *skin);

/* ---- the rest (rig.c) ---------------------------------------------------------------------------------------------------- */

/* Finishes the skeleton, whose rest pose is the bind pose. */
snw_status snw_rig_rest(const snw_rig *rig, snw_scene *scene, snw_error *error);
/* The most slots that skins and rigid meshes can need: reserve 13 · 8 bytes for each. */
uint64_t snw_rig_slot_limit(const snw_rig *rig, const snw_rig_skin *skins, uint32_t skin_count);
/* Lists the slots of the skins, each pair of joint and inverse bind once, with room for one more for each node. If a joint
 * rests at its bind up to the file's rounding, the inverse bind becomes the inverse of the rest transform, so that the rest
 * pose is exact. Returns a skin whose placement has no inverse; SNW_NONE if there is none. */
uint32_t snw_rig_list_slots(snw_rig *rig, snw_rig_skin *skins, uint32_t skin_count, const snw_scene *scene,
							snw_rig_slots *slots);
/* A mesh without a skin follows its node: its slot, and in `world` the matrix that places its points at rest. */
uint32_t snw_rig_rigid_slot(const snw_rig_node *node, const snw_scene *scene, snw_rig_slots *slots, double world[12]);
/* Binds all points of a mesh to one slot. */
void snw_rig_bind_rigid(snw_mesh *mesh, uint32_t slot, snw_arena *arena);
/* The poses "rest" and, if the file's pose differs, "default". Needs the scene's channels. */
void snw_rig_poses(const snw_rig *rig, snw_scene *scene);

#endif
