/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character that was changed in another program replaces the old one; poses, sculpts, groups, targets and layers are
 * transferred to it.
 *
 * Joints, meshes and clips match by name (if both scenes have one mesh, these match), points by the faces, or by their
 * places. Poses keep each joint's rotation, translation and scale relative to rest. A sculpt keeps its shape; a point that
 * the new rest or the new joints displace is displaced with them, by the weights of the old base skin. Changed weights
 * displace no sculpt.
 */
#ifndef SINEW_HOST_TRANSFER_TRANSFER_H
#define SINEW_HOST_TRANSFER_TRANSFER_H

#include "scene/scene.h"

typedef struct snw_transfer {
	/* The character of the new scene with the work from the old one. Unchanged rows keep their ids; new rows have the id 0.
	 * Its arrays are in `arena` or belong to the two scenes, which must outlive it. */
	snw_scene scene;
	bool *example_moved; /* [example_count]: the sculpt was displaced with the rig */

	uint32_t joints_added, joints_gone, joints_moved;
	uint32_t meshes_added, meshes_gone;
	uint32_t meshes_ordered;  /* whose points had another order, and were matched by their places */
	uint32_t meshes_replaced; /* with other points or faces, which nothing of the old scene needed */
	uint32_t points_moved;    /* of the rest */
	uint32_t skins_changed;   /* meshes whose influences or weights changed */
	uint32_t clips_renewed, clips_added, clips_kept;
	uint32_t examples_moved;
} snw_transfer;

/* SNW_ERROR_CONFLICT if something of the old scene cannot be transferred; the message says what and why: another topology of a
 * mesh that has sculpts, targets, fields or fitted layers, or a missing joint, mesh or channel that is in use. */
snw_status snw_scene_transfer(const snw_scene *old, const snw_scene *fresh, snw_arena *arena, snw_transfer *transfer,
							  snw_error *error);

/* Whether sculpts, targets, fields or models need the points of a mesh as they are. Where they do and a mesh has other faces,
 * the old scene is taken to these first (remesh/remesh.h). */
bool snw_transfer_needs_points(const snw_scene *scene, uint32_t mesh);

/* ---- rests that match ---------------------------------------------------------------------------------------------------- */

/* The rest of one character brought to the skeleton of another, so that places on their skins can be compared.
 *
 * Joints are paired by name. A joint maps the points that follow it by p' + s R (p − p₀), where p₀ and p' are where it is in
 * both characters, R is the least rotation that takes its bone to the other's direction, and s is the ratio of the bones'
 * lengths. A joint with several bones has the rotation of its parent; one without a bone, or without a partner, follows its
 * parent. */

typedef struct snw_rest_match {
	const snw_scene *from, *to;
	uint32_t *partners;      /* [from's joint_count]: the joint of `to`; SNW_NONE */
	double *joint_rotations; /* [from's joint_count][4]: R */
	double *joint_scales;    /* [from's joint_count]: s */
	double *maps;            /* [from's joint_count][12] */
	/* Of the mesh. */
	double *points;    /* [point_count][3]: where its rest points are here */
	double *rotations; /* [point_count][4], and the scale: what its skin makes of R and s */
	double *scales;    /* [point_count] */
} snw_rest_match;

/* In `arena`. Names are equal, or equal but for case and what stands before a ':' or '|' ("mixamorig:Hips", "hips");
 * no two joints have one partner. */
void snw_rest_match_make(const snw_scene *from, uint32_t mesh, const snw_scene *to, snw_arena *arena, snw_rest_match *match);

/* A pose of `from` as a pose of `to`, in `arena`: each joint rotates as its partner does, seen along its bone; other joints are
 * at rest. It has the name of the pose and no id. */
snw_pose *snw_rest_match_pose(const snw_rest_match *match, const snw_pose *pose, snw_arena *arena);

/* The rotation that the skin of a mesh gives each point in a pose, [point_count][4] in `arena`: the mean of those of its slots
 * by weight. */
double *snw_skin_rotations(const snw_scene *scene, uint32_t mesh, const snw_pose *pose, snw_arena *arena);

/* ---- match points -------------------------------------------------------------------------------------------------------- */

/* Meshes whose points are where they were, but in another order: another program wrote the file, or another reader read it. */

/* The new mesh that matches an old one: by name, or the only one of both; SNW_NONE. */
uint32_t snw_match_mesh(const snw_scene *old, uint32_t mesh, const snw_scene *fresh);

/* For each point of `old` the point of `fresh` in the same place, [point_count] in `arena`; NULL if there are not as many, or
 * not each has one of its own. */
uint32_t *snw_match_points(const snw_mesh *old, const snw_mesh *fresh, snw_arena *arena);
/* The mesh with its points in the order of `order`; arrays are in `arena`. */
snw_mesh snw_mesh_in_order(const snw_mesh *mesh, const uint32_t *order, snw_arena *arena);
/* Whether two meshes have the same faces, in any order and each from any of its corners on. */
bool snw_same_faces(const snw_mesh *a, const snw_mesh *b);

#endif
