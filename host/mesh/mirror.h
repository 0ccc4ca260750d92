/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Left and right: which joint and which point stands for which on the other side of a plane, found in the rest alone, never in
 * a pose; and poses and sculpts carried over by that.
 *
 * The plane stands square to an axis. R is the reflection in it; a rotation Q becomes R Q R, its rotation vector −R q.
 */
#ifndef SINEW_HOST_MESH_MIRROR_H
#define SINEW_HOST_MESH_MIRROR_H

#include "base/task.h"
#include "scene/scene.h"

typedef struct snw_mirror_plane {
	uint32_t axis; /* 0 x, 1 y, 2 z */
	double offset; /* metres */
} snw_mirror_plane;

static inline double snw_mirror_coordinate(const snw_mirror_plane *plane, double coordinate) {
	return 2 * plane->offset - coordinate;
}

/* ---- points --------------------------------------------------------------------------------------------------------------- */

typedef enum snw_mirror_method {
	SNW_MIRROR_AUTO = 0,     /* by position; by topology where that leaves points alone and a walk leaves fewer */
	SNW_MIRROR_POSITION = 1, /* each point to the one nearest to its reflection, and back, within the tolerance */
	SNW_MIRROR_TOPOLOGY = 2, /* a walk over the faces from edges on the plane, or from those that fit best by position */
} snw_mirror_method;

typedef struct snw_mirror_options {
	snw_mirror_method method;
	snw_mirror_plane plane;
	double tolerance; /* metres; 0: a thousandth of the mesh's diagonal */
} snw_mirror_options;

/* The map, with what it is worth. */
typedef struct snw_mirror_map {
	snw_mirror_method method; /* the one that made it: never AUTO */
	snw_mirror_plane plane;
	uint32_t point_count;
	const uint32_t *partners; /* [point_count]: partners[partners[i]] == i; itself on the plane; SNW_NONE for none */
	uint32_t pair_count;      /* of two points each */
	uint32_t middle_count;    /* points that are their own partner */
	uint32_t unpaired_count;
	double largest_mismatch; /* metres between a point's reflection and its partner */
	uint32_t worst_point;    /* where; SNW_NONE where nothing is paired */
} snw_mirror_map;

/* The map is in `arena`. SNW_ERROR_MISSING where no point has a partner, with what to try; SNW_ERROR_ARGUMENT for topology of a
 * mesh without faces. The same mesh gives the same map. Any thread. */
snw_status snw_mirror_map_build(const snw_mesh *mesh, const snw_mirror_options *options, snw_arena *arena, snw_mirror_map *map,
								snw_error *error);

/* A sculpt carried over: what it adds to `below` (the character without it, in its pose) is added, reflected and at the partners,
 * to `below_mirrored` (the same in the mirrored pose). All [point_count][3]; points without a partner stay as they are below. */
void snw_mirror_sculpt(const snw_mirror_map *map, const double *below, const double *sculpt, const double *below_mirrored,
					   double *mirrored);

/* A value for each point (a mask), at its partners; 0 where there is none. */
void snw_mirror_values(const snw_mirror_map *map, const double *values, double *mirrored);

/* ---- joints and poses ------------------------------------------------------------------------------------------------------ */

typedef struct snw_mirror_joints {
	snw_mirror_plane plane;
	uint32_t joint_count, channel_count;
	const uint32_t *partners; /* [joint_count]: itself in the middle, SNW_NONE for none */
	const uint32_t *channels; /* [channel_count]: itself where its name has no side, or the other side is not there */
	uint32_t pair_count, middle_count, unpaired_count;
	uint32_t named_count;    /* joints that were paired by their names; the others by rest position */
	double largest_mismatch; /* metres between a joint's reflection and its partner, at rest */
	uint32_t worst_joint;    /* SNW_NONE where nothing is paired */
} snw_mirror_joints;

/* By name (left and right, Left and Right, l and r or L and R where they stand apart: "arm.L", "l_arm", "mixamorig:LeftArm",
 * "lShoulder"), else by rest position within `tolerance` (metres; 0: a hundredth of the skeleton's diagonal). */
void snw_mirror_joints_find(const snw_scene *scene, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
							snw_mirror_joints *joints);

/* The pose of the other side, in `arena`, with no name, id or clip: each joint turns as its partner does, as often; joints
 * without a partner stand at rest. Where both sides are alike at rest, the character is the reflection of what it was. */
snw_pose *snw_mirror_pose(const snw_scene *scene, const snw_mirror_joints *joints, const snw_pose *pose, snw_arena *arena);

/* A name with its sides exchanged, in `arena`; NULL where it has none. */
char *snw_mirror_name(const char *name, snw_arena *arena);

#endif
