/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes: neighbours, triangles, points that are merged, normals, tangents, and mirror images.
 */
#ifndef SINEW_HOST_MESH_MESH_H
#define SINEW_HOST_MESH_MESH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"
#include "task/task.h"

/* ---- adjacency ----------------------------------------------------------------------------------------------------------- */

/* The corners, faces, triangles and neighbours around each point of a mesh, in compressed rows: those of point p are at
 * starts[p] up to starts[p + 1]. Any mesh that snw_scene_check accepts is valid: edges with many faces, faces that use a point
 * twice, points without faces. Results are in `arena`. Any thread. */

/* The face of each corner: [corner_count]; NULL without faces. */
uint32_t *snw_corner_faces(const snw_mesh *mesh, snw_arena *arena);

/* The corners at each point. */
typedef struct snw_point_corners {
	uint32_t *starts;  /* [point_count + 1] */
	uint32_t *corners; /* [corner_count], at each point ascending */
	uint32_t *faces;   /* [corner_count]: their faces; a face that uses a point twice appears twice */
} snw_point_corners;
snw_point_corners snw_point_corners_make(const snw_mesh *mesh, snw_arena *arena);

/* The other two points of a triangle around a point. */
typedef struct snw_wedge {
	uint32_t next, last;
} snw_wedge;

typedef struct snw_adjacency {
	uint32_t *face_starts; /* [point_count + 1] */
	uint32_t *faces;       /* around each point, ascending, each once */
	/* Faces as fans of triangles from their first corner; triangles that use a point twice are left out. */
	uint32_t *wedge_starts;
	snw_wedge *wedges;
	/* Along edges of faces. With a mirror map, the neighbours of a point and those of its partner are in the same
	 * order, so that sums over them are reflections of each other to the last bit. */
	uint32_t *neighbour_starts;
	uint32_t *neighbours;
	bool *on_border; /* [point_count]: it has an edge with one face only */
} snw_adjacency;

/* `partners` may be NULL. */
snw_adjacency snw_adjacency_make(const snw_mesh *mesh, const uint32_t *partners, snw_arena *arena);

/* ---- element set --------------------------------------------------------------------------------------------------------- */

/* A set of points or faces, by index. One byte for each element says whether it is in the set, and one for each block of 64
 * whether any is. So clearing, joining and listing take time for the elements in the set, not for the whole mesh, and lists
 * are in the order of the indices, which is the order in memory. */

enum { SNW_SET_BLOCK = 64 };

typedef struct snw_set {
	uint32_t block_count;
	unsigned char *has;     /* [block_count][SNW_SET_BLOCK] */
	unsigned char *is_used; /* [block_count] */
} snw_set;

/* An empty set of indices below `count`. */
snw_set snw_set_make(uint32_t count, snw_arena *arena);
void snw_set_clear(snw_set *set);

static inline void snw_set_add(snw_set *set, uint32_t item) {
	set->has[item] = 1;
	set->is_used[item / SNW_SET_BLOCK] = 1;
}

static inline bool snw_set_has(const snw_set *set, uint32_t item) {
	return set->has[item];
}

/* Adds the elements of another set of the same size. */
void snw_set_join(snw_set *set, const snw_set *other);

/* Lists the elements in ascending order and returns their number. `items` needs room for one more. */
uint32_t snw_set_list(const snw_set *set, uint32_t *items);

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

/* Triangulates polygons, concave ones included, for rendering and for files. */

/* One polygon of `count` ≥ 3 corners, whose points are points[3 · polygon[i]]: fills triangles [count − 2][3] with indices
 * below `count`, in the order of the polygon. Quads are cut along the diagonal that folds neither half over, the shorter one if
 * neither does; larger polygons by ear clipping, roundest first. `scratch` is [count]. */
void snw_polygon_triangulate(const double *points, const uint32_t *polygon, uint32_t count, uint32_t *triangles,
							 uint32_t *scratch);

/* Converts points and polygons to vertices and triangles, for formats that have nothing else. A point becomes a vertex for each
 * combination of UV, normal, tangent and colour around it. Vertices are in point order, so that a file that is read back keeps
 * the order of the points. */

typedef struct snw_vertices {
	uint32_t count;
	uint32_t *points;          /* [count] */
	uint32_t *corners;         /* [count]: one of its corners; SNW_NONE for a point without faces */
	uint32_t *corner_vertices; /* [corner_count] */
} snw_vertices;
void snw_vertices_split(const snw_mesh *mesh, snw_arena *arena, snw_vertices *vertices);

/* The triangles of one face as indices of its corners, [face's corners − 2][3]; `scratch` is [face's corners]. */
void snw_face_triangulate(const snw_mesh *mesh, uint32_t face, uint32_t *triangles, uint32_t *scratch);

/* ---- merged points ------------------------------------------------------------------------------------------------------- */

/* Merges points that a file had to split at seams: glTF and FBX have one UV, normal and colour for each point, so a point with
 * several of them is repeated. */

/* Merges points of equal position, influences and morph displacements, in the order of first appearance, and returns the number
 * of points removed. Corners keep their UV, normal and colour. If all corners of such points are equal (and of one material),
 * the file split them for another reason, such as two shells that touch, and they are not merged; unless `corners_may_match`,
 * for formats that repeat each point at each corner. Points without faces are unchanged. Arrays are replaced by new ones in
 * `arena`; the influences of each point must be in ascending order of slots. */
uint32_t snw_mesh_merge_points(snw_mesh *mesh, bool corners_may_match, snw_arena *arena);

/* Removes corners that repeat the previous point, then faces with fewer than three corners; returns the number of faces
 * removed. */
uint32_t snw_mesh_drop_degenerate_faces(snw_mesh *mesh, snw_arena *arena);

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

/* Normals of a deformed mesh, from its faces, in floats and on all threads, for each redraw (fits take snk_point_normals, in
 * doubles). Points and normals are in the same space. */

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

/* The faces around each point, and scratch memory. Sums are in the order of the faces, so normals do not depend on threads. A
 * plan is created once for a mesh, which must outlive it, and used by one call at a time. */
typedef struct snw_normal_plan snw_normal_plan;
snw_normal_plan *snw_normal_plan_create(const snw_mesh *mesh);
void snw_normal_plan_destroy(snw_normal_plan *plan); /* NULL does nothing */

/* Area-weighted normals of the points, unit (zero where all faces are degenerate): [point_count][3]. Does not allocate. */
void snw_normals_of_points(snw_normal_plan *plan, const float *points, float *normals);

/* Normals of the corners [corner_count][3]: the mesh's custom normals rotated with their point's axes from rest to posed,
 * otherwise the points' normals. A point's axes are its normal and the direction of its longest edge at rest, made
 * perpendicular to the normal; a custom normal of a point without axes, at rest or posed, is unchanged. Does not allocate. */
void snw_normals_of_corners(snw_normal_plan *plan, const float *points, float *normals);

/* The far end of each point's longest edge at rest, [point_count] in `arena`, the first of several; SNW_NONE for a point
 * without one. The shaders compute axes from it too, so that they agree with snw_normals_of_corners. */
uint32_t *snw_longest_edges(const snw_mesh *mesh, snw_arena *arena);

/* ---- face normal --------------------------------------------------------------------------------------------------------- */

/* The unit normal of a face, for files whose corners lack one. */

/* Scales a vector to unit length, also one whose squares would underflow or overflow. False, with v unchanged, if it has no
 * direction. */
static inline bool snw_unit_vector(double v[3]) {
	const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
	if (!(largest > 0) || !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		v[i] /= largest;
	}
	snw_normalize3(v);
	return true;
}

/* Arguments as snk_face_area. A face without area has (0, 1, 0). */
static inline void snw_face_normal(const double *points, const uint32_t *corners, uint32_t count, double normal[3]) {
	snk_face_area(points, corners, count, normal);
	if (!snw_unit_vector(normal)) {
		normal[0] = normal[2] = 0;
		normal[1] = 1;
	}
}

/* ---- tangents ------------------------------------------------------------------------------------------------------------ */

/* Tangents of corners: made from UVs, and as they are in a pose. */

/* The tangents of a mesh with UVs, as snw_mesh.corner_tangents has them, [corner_count][4] in `arena`. They are those of
 * MikkTSpace, by which normal maps are baked and read nearly everywhere (M. Mikkelsen, Simulation of wrinkled surfaces
 * revisited, 2008, and the code that he published with it): each triangle has the direction of rising u; around a vertex,
 * triangles that share edges and have UVs of the same orientation are one group, whose directions are averaged by angle in the
 * plane of the normal. Polygons are taken as their triangles; a corner of several has the tangent of the first. Floats, as
 * there: sums are in the same order. The sign is that of glTF, whose v is down.
 *
 * `normals` [corner_count][3] are unit. A corner that has no group has the tangent (1, 0, 0), as there. */
float *snw_tangents_make(const snw_mesh *mesh, const float *normals, snw_arena *arena);

/* Adds a tangent in a pose: the combination of two edges of its face that it is at rest, in `points` [point_count][3]; as it is
 * if the edges are parallel. `corner` is the point before it in its face, its own, and the one after. The same edges give the
 * same bits. */
void snw_tangent_add_posed(const double *points_rest, const float *points, const uint32_t corner[3], const float *tangent,
						   double dest[3]);

/* ---- mirror images ------------------------------------------------------------------------------------------------------- */

/* Mirror maps: the partner of each point on the other side of a plane, found in the rest pose; and sculpts mirrored with such a
 * map. pose/pose.h does the same for joints and poses. */

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
