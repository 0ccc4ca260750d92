/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact: which triangles of posed meshes meet or are near each other, what is nearest to a point, and what is inside.
 *
 * A tree over the triangles is built at rest, once a mesh. Its lower parts are clusters of at most 128 triangles. A mesh at a
 * pose either comes with all its points, and the whole tree is refitted to them; or with the input of its skin program, and
 * then nothing is posed until a query reaches it (Kavan and Žára, "Fast collision detection for skeletally deformable models",
 * 2005): nodes above the clusters get boxes from the palette alone (program/bounds), which contain their points whatever the
 * pose is, and a cluster that a query reaches is skinned and refitted exactly, in one go. Both ways give the same triangles the
 * same places, to the bit, so they give the same pairs.
 *
 * Triangles are counted face after face, each face cut as it is drawn and exported (mesh/triangulate.h), as in the contact
 * service of the ABI. Points are floats, as the fast evaluators write them. A point that is not finite is no part of any
 * triangle. Queries allocate nothing; a mesh at a pose serves one thread at a time.
 */
#ifndef SINEW_HOST_CONTACT_CONTACT_H
#define SINEW_HOST_CONTACT_CONTACT_H

#include "program/program.h"
#include "scene/scene.h"
#include "sinew/host.h"

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

typedef struct snw_contact_tree snw_contact_tree;
/* In `arena`; the mesh must outlive it, and so must the program: NULL for a mesh that is posed by points alone. A mesh may have
 * no faces. */
snw_contact_tree *snw_contact_tree_make(const snw_mesh *mesh, const snw_program *program, snw_arena *arena);
uint32_t snw_contact_tree_triangles(const snw_contact_tree *tree);
/* The mesh's points of a triangle, and its face. */
const uint32_t *snw_contact_tree_corners(const snw_contact_tree *tree, uint32_t triangle);

/* No edge has one face only. */
bool snw_contact_tree_is_closed(const snw_contact_tree *tree);

typedef struct snw_triangle {
	double corners[3][3];
} snw_triangle;

/* A mesh at a pose: the state of a tree. */
typedef struct snw_contact_mesh_pose snw_contact_mesh_pose;
snw_contact_mesh_pose *snw_contact_mesh_pose_make(const snw_contact_tree *tree, snw_arena *arena);
/* Poses everything: `points` is [point_count][3], and is not kept. Clusters of which no point has moved keep their boxes. */
void snw_contact_pose_points(snw_contact_mesh_pose *pose, const float *points);
/* Poses nothing yet. The tree has a program; its input must live until the next pose. */
void snw_contact_pose_program(snw_contact_mesh_pose *pose, const snw_program_input *input);
/* Poses what no query has reached. */
void snw_contact_pose_all(snw_contact_mesh_pose *pose);

/* What the queries of a pose have cost. */
typedef struct snw_contact_cost {
	uint32_t bounded;   /* nodes with boxes from the palette */
	uint32_t unbounded; /* of which the palette could not bound (opposite dual quaternions): their parts were asked instead */
	uint32_t skinned;   /* points */
} snw_contact_cost;
snw_contact_cost snw_contact_mesh_cost(const snw_contact_mesh_pose *pose);

/* How many places of triangles are outside of the boxes that the palette gives, and how many such boxes there are. Nothing has
 * asked the first since it was posed with a program; the second is of the same tree and input, all posed. */
uint64_t snw_contact_places_outside(snw_contact_mesh_pose *pose, const snw_contact_mesh_pose *all_posed, uint32_t *boxes);

/* A triangle where it is posed, if a query has reached it. */
snw_triangle snw_contact_mesh_triangle(const snw_contact_mesh_pose *pose, uint32_t triangle);

/* Whether two triangles have a place in common; a touch counts. False where a number is not finite. */
bool snw_triangles_meet(const snw_triangle *a, const snw_triangle *b);
/* The distance between two triangles; 0 if they meet. */
double snw_triangles_distance(const snw_triangle *a, const snw_triangle *b);

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

/* Gets each pair, in the order of the trees; false stops the query. `distance` is 0 for triangles that meet. */
typedef bool snw_contact_found(void *context, uint32_t first, uint32_t second, double distance);

/* Pairs of triangles of two meshes that meet or, if `distance` is above 0, are at most so far from each other. */
void snw_contact_pairs(snw_contact_mesh_pose *first, snw_contact_mesh_pose *second, double distance, snw_contact_found *found,
					   void *context);
/* Of a mesh with itself: each pair once, the lower triangle first. Triangles that share a point are none. */
void snw_contact_self_pairs(snw_contact_mesh_pose *pose, double distance, snw_contact_found *found, void *context);

/* A list of at most `capacity` pairs: those that are lowest by their triangles. It counts all of them, up to a limit at which
 * the query stops. */
enum { SNW_CONTACT_MOST_PAIRS = 10000000 };
typedef struct snw_contact_list {
	uint32_t capacity, count; /* of all pairs that were found */
	snw_contact_pair *pairs;  /* [capacity] */
	bool is_limited;          /* there were more than SNW_CONTACT_MOST_PAIRS */
} snw_contact_list;
snw_contact_found snw_contact_list_take; /* the context is the list */
/* By their triangles, rising. Returns how many the list has. */
uint32_t snw_contact_list_sort(snw_contact_list *list);

/* Which triangles of a mesh are neighbours: those with points that are near each other along its rest surface. Folds of elbows
 * and knees touch there in every pose. */
typedef struct snw_contact_neighbours snw_contact_neighbours;
snw_contact_neighbours *snw_contact_neighbours_make(const snw_contact_tree *tree, double distance, snw_arena *arena);
/* One thread at a time; the answer does not depend on what was asked before. */
bool snw_contact_are_neighbours(snw_contact_neighbours *neighbours, uint32_t first, uint32_t second);
/* The points within the distance of a point of a triangle, until the next call. */
uint32_t snw_contact_neighbours_of(snw_contact_neighbours *neighbours, uint32_t point, const uint32_t **points);

/* ---- places -------------------------------------------------------------------------------------------------------------- */

/* The nearest place of a surface. */
typedef struct snw_contact_place {
	uint32_t triangle; /* SNW_NONE: none is so near */
	double distance;
	double place[3];
	double normal[3]; /* of the surface there, unit: of the triangle, or of all that meet at an edge or a point; else 0 */
	bool on_border;   /* on an edge with one face only: the point has no side */
} snw_contact_place;

/* Triangles that count: NULL for all. */
typedef bool snw_contact_counts(const void *context, uint32_t triangle);

/* The nearest place nearer than `distance`; of equally near triangles the lowest. */
snw_contact_place snw_contact_nearest(snw_contact_mesh_pose *pose, const double point[3], double distance,
									  snw_contact_counts *counts, const void *context);

/* The nearest place that a walk from a triangle reaches over triangles that share points, each step nearer to the point. It
 * stays on its sheet of the surface where another one comes nearer. Everything has to be posed. */
snw_contact_place snw_contact_nearest_from(snw_contact_mesh_pose *pose, uint32_t triangle, const double point[3]);

/* Where a ray meets the surface first. */
typedef struct snw_contact_hit {
	uint32_t triangle; /* SNW_NONE: nowhere */
	double along;      /* in lengths of the direction */
	double place[3];
	double normal[3]; /* of the triangle, unit */
} snw_contact_hit;

/* At most so many lengths of the direction away, from either side. Of triangles at the same place the lowest; those whose plane
 * the ray lies in are not met. No ray passes between two triangles with a common edge. */
snw_contact_hit snw_contact_ray(snw_contact_mesh_pose *pose, const double origin[3], const double direction[3], double most,
								snw_contact_counts *counts, const void *context);

/* How often the surface goes round a point: 1 inside a closed surface, 2 where it is inside twice, 0 outside (Barill, Dickson,
 * Schmidt, Levin and Jacobson, "Fast winding numbers for soups and clouds", 2018). Parts far from the point count as dipoles;
 * all count exactly where the sum so found is within 0.2 of `threshold`. Everything has to be posed, and the dipoles made. */
void snw_contact_make_dipoles(snw_contact_mesh_pose *pose);
double snw_contact_winding(const snw_contact_mesh_pose *pose, const double point[3], double threshold);
#define SNW_CONTACT_INSIDE 0.5
#define SNW_CONTACT_INSIDE_TWICE 1.5
/* Whether the surface is closed and a point is inside it. A point of the surface itself is inside if another part of the
 * surface goes round it. */
bool snw_contact_is_inside(const snw_contact_mesh_pose *pose, const double point[3], bool is_of_surface);

#endif
