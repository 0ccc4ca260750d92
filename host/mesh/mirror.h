/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mirror maps: the partner of each point on the other side of a plane, found in the rest pose; and sculpts mirrored with such a
 * map. pose/mirror_joints.h does the same for joints and poses.
 */
#ifndef SINEW_HOST_MESH_MIRROR_H
#define SINEW_HOST_MESH_MIRROR_H

#include "scene/scene.h"
#include "task/task.h"

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
	SNW_MIRROR_AUTO = 0,     /* by position, or by topology if that pairs more points */
	SNW_MIRROR_POSITION = 1, /* points nearest to each other's reflections, within the tolerance */
	SNW_MIRROR_TOPOLOGY = 2, /* a walk over the faces, from edges on the plane or those that match best by position */
} snw_mirror_method;

typedef struct snw_mirror_options {
	snw_mirror_method method;
	snw_mirror_plane plane;
	double tolerance; /* metres; 0: a thousandth of the mesh's diagonal */
} snw_mirror_options;

/* The map and its quality. */
typedef struct snw_mirror_map {
	snw_mirror_method method; /* the one that was used; never AUTO */
	snw_mirror_plane plane;
	uint32_t point_count;
	const uint32_t *partners; /* [point_count]: partners[partners[i]] == i; itself on the plane; SNW_NONE for none */
	uint32_t pair_count;      /* of two points each */
	uint32_t middle_count;    /* points that are their own partner */
	uint32_t unpaired_count;
	double largest_mismatch; /* metres between a point's reflection and its partner */
	uint32_t worst_point;    /* the point that has it; SNW_NONE if nothing is paired */
} snw_mirror_map;

/* The map is in `arena`. SNW_ERROR_MISSING if no point has a partner; the message says what to try. SNW_ERROR_ARGUMENT for
 * topology without faces. Deterministic. Any thread. */
snw_status snw_mirror_map_build(const snw_mesh *mesh, const snw_mirror_options *options, snw_arena *arena, snw_mirror_map *map,
								snw_error *error);

/* Mirrors a sculpt. Its difference from `below` (the character without the sculpt, in its pose) is reflected and added at the
 * partners to `below_mirrored` (the character in the mirrored pose). All [point_count][3]; points without a partner are as in
 * `below_mirrored`. */
void snw_mirror_sculpt(const snw_mirror_map *map, const double *below, const double *sculpt, const double *below_mirrored,
					   double *mirrored);

/* Mirrors a value for each point (a mask); 0 for points without a partner. */
void snw_mirror_values(const snw_mirror_map *map, const double *values, double *mirrored);

#endif
