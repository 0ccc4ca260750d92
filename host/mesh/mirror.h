/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Left and right: which point stands for which on the other side of a plane, found in the rest alone, never in a pose; and sculpts
 * mirrored by that. pose/mirror_joints.h does the same for joints and poses.
 */
#ifndef SINEW_HOST_MESH_MIRROR_H
#define SINEW_HOST_MESH_MIRROR_H

#include "base/task.h"
#include "scene/scene.h"

/* Perpendicular to an axis. */
typedef struct snw_mirror_plane {
	uint32_t axis; /* 0 x, 1 y, 2 z */
	double offset; /* metres */
} snw_mirror_plane;

static inline double snw_mirror_coordinate(const snw_mirror_plane *plane, double coordinate) {
	return 2 * plane->offset - coordinate;
}

/* The reflection of a point. */
void snw_mirror_reflect(const snw_mirror_plane *plane, const double point[3], double reflected[3]);

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

/* A mirrored sculpt: what it adds to `below` (the character without it, in its pose) is added, reflected and at the partners,
 * to `below_mirrored` (the same in the mirrored pose). All [point_count][3]; points without a partner stay as they are below. */
void snw_mirror_sculpt(const snw_mirror_map *map, const double *below, const double *sculpt, const double *below_mirrored,
					   double *mirrored);

/* A value for each point (a mask), at its partners; 0 where there is none. */
void snw_mirror_values(const snw_mirror_map *map, const double *values, double *mirrored);

#endif
