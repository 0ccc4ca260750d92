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
 * Triangles are counted face after face, each face cut as it is drawn and exported (mesh/mesh.h), as in the contact
 * service of the ABI. Points are floats, as the fast evaluators write them. A point that is not finite is no part of any
 * triangle. Queries allocate nothing; a mesh at a pose serves one thread at a time.
 */
#ifndef SINEW_HOST_CONTACT_CONTACT_H
#define SINEW_HOST_CONTACT_CONTACT_H

#include "base/error.h"
#include "mesh/mesh.h"
#include "program/program.h"
#include "scene/scene.h"
#include "sinew/host.h"
#include "task/task.h"

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

/* ---- what touches -------------------------------------------------------------------------------------------------------- */

/* Which points of a character are in contact, kept up to date while it moves: those of triangles that meet and do not meet at
 * rest. Triangles of one mesh that are near each other along its surface do not count, as in measure/contact_moments.h. So are
 * all points of a piece of which no triangle meets, but which is all on the wrong side (contact/contact.h). That is found when
 * all is tested.
 *
 * While a joint is dragged most of the character moves together: all that is below the joint, and all that stands still. Only
 * what moved differently is tested again (contact/contact_internal.h); the other pairs stay as they were found. What moves by
 * no more than floats are off at once counts as standing still, and triangles that touch by no more than rounding may be found
 * or not. So all is to be tested once the character rests.
 *
 * One thread at a time. */

typedef struct snw_touching snw_touching;

/* The scene must outlive it. `neighbours`: metres along the surface; `patch`: metres (contact/contact.h). */
snw_touching *snw_touching_create(const snw_scene *scene, double neighbours, double patch);
void snw_touching_destroy(snw_touching *touching); /* NULL: does nothing */

/* Tests at new points, [mesh_count][point_count][3], everything, pieces too. `global` are the joints' matrices there,
 * [joint_count][12]. */
void snw_touching_test(snw_touching *touching, const float *const *points, const double *global);
/* The same, but pairs that have moved together since the last call stay as they are, and so do pieces. */
void snw_touching_move(snw_touching *touching, const float *const *points, const double *global);

/* Of the last call. */
uint32_t snw_touching_pairs(const snw_touching *touching);
/* [mesh_count][point_count]: 1 for points in contact, else 0. Pairs of which a mesh is hidden do not count; NULL: none is. */
void snw_touching_mark(const snw_touching *touching, const bool *hidden, double *const *marks);

/* ---- folds --------------------------------------------------------------------------------------------------------------- */

/* Triangles that meet in a pose and do not meet at rest, and the folds of a mesh: the points of such triangles of its own,
 * and what is within a distance of them along the surface. Unlike contact of a mesh with itself (measure/contact_moments.h)
 * that has the folds of elbows and knees. What lies in such a fold, as a sleeve in the crook of an arm, has no room there. */

/* The pairs of triangles that meet at rest, rising: of a mesh with itself, or of two. */
typedef struct snw_meeting {
	uint32_t count;
	const snw_contact_pair *at_rest;
} snw_meeting;

/* Both at rest; the second NULL: the first with itself. In `arena`. */
snw_meeting snw_meeting_at_rest(snw_contact_mesh_pose *first, snw_contact_mesh_pose *second, snw_arena *arena);

/* Marks the points of the triangles that meet, and do not at rest; marks [point_count] of each mesh are not cleared. */
void snw_meeting_mark(const snw_meeting *meeting, snw_contact_mesh_pose *first, snw_contact_mesh_pose *second,
					  bool *first_marks, bool *second_marks);

/* Fills marks [point_count] of a mesh with its folds. The neighbours are within that distance; one thread at a time. */
void snw_folds_mark(const snw_meeting *meeting, snw_contact_mesh_pose *pose, snw_contact_neighbours *neighbours,
					uint32_t point_count, bool *marks);

/* ---- own patch ----------------------------------------------------------------------------------------------------------- */

/* The part of another surface that belongs to a point: its patch, the triangles within a radius at rest of the place that is
 * nearest to the point then. In a pose the nearest place of the patch is looked for by a walk from there: in the crook of an
 * arm the upper arm's sleeve stays over the upper arm, where the forearm comes nearer. A point that is on the other side of
 * its patch than at rest has gone through it. Where a patch has turned over in a crease, and faces the point's own surface
 * as it does not at rest, its sides say nothing.
 *
 * A point has no patch if the place is farther than the radius or on a border; if it is on a part of the mesh that lies in
 * another part, as the end of a sleeve lies in a shirt; or if the point has gone through at rest: it is on the other side
 * than most points of its mesh. That is contact at rest.
 *
 * Any thread, with poses of its own. */

/* The place of another mesh that is nearest to a point at rest. */
typedef struct snw_rest_place {
	double place[3];
	double height;     /* of the point above it: metres, below 0 inside; 0: there is no patch */
	uint32_t triangle; /* of the other mesh; SNW_NONE: the place is too far away */
	double shares[3];  /* of its corners, at the place */
	double facing;     /* 1: the surface there faces as the point's own does, -1: the other way, 0: the point has none */
	bool is_inside;    /* the other mesh is closed, and the point is in it */
} snw_rest_place;

/* Of all points of a mesh at rest on another at rest, with its dipoles. In `arena`. */
snw_rest_place *snw_rest_places_find(const snw_contact_mesh_pose *mesh, snw_contact_mesh_pose *other, double radius,
									 snw_arena *arena);

/* A point of a mesh in a pose. */
typedef struct snw_posed_point {
	const snw_contact_mesh_pose *mesh;
	uint32_t point;
	double at[3];
} snw_posed_point;

/* How high a point is above its patch in a pose, of which everything is posed: metres, below 0 where it has gone through.
 * False where that is not known: there is no patch, or the point is beyond it. Where the patch is cut off the surface goes on,
 * and the point may be in front of that. */
bool snw_own_patch_height(const snw_posed_point *point, snw_contact_mesh_pose *other, const snw_rest_place *rest, double radius,
						  snw_contact_place *place, double *height);

/* ---- pieces -------------------------------------------------------------------------------------------------------------- */

/* Pieces of a mesh that are connected by edges. A piece of which no triangle meets another surface is all on one side of it,
 * and that may be the wrong one: then no pair of triangles leads to it, and a few of its points are asked. */

/* Points without faces are in none. */
typedef struct snw_contact_pieces {
	uint32_t count;
	uint32_t *starts; /* [count + 1] */
	uint32_t *points; /* those of piece i at starts[i] up to starts[i + 1] */
	uint32_t *of;     /* [point_count]: the piece; SNW_NONE for none */
} snw_contact_pieces;
/* In `arena`. */
snw_contact_pieces snw_contact_pieces_list(const snw_contact_tree *tree, snw_arena *arena);

/* Whether a point is in contact: one of a piece's samples. */
typedef bool snw_point_in_contact(const void *context, uint32_t point, uint32_t sample);
/* Whether most samples of a piece are. */
bool snw_piece_in_contact(const snw_contact_pieces *pieces, uint32_t piece, snw_point_in_contact *is_in, const void *context);

/* ---- pushing out --------------------------------------------------------------------------------------------------------- */

/* Pushes a mesh out of others: displacements of its rest points, a set for each of a few examples, that together leave nothing
 * deep in many frames.
 *
 * At a frame f a point p is displaced by u = Σ_k c_fk x_kp: x are the displacements of the examples, c the coefficients by
 * which a corrective interpolates them. With two sides each has coefficients of its own, mixed by the share of the point.
 *
 * A row asks that a place of the mesh goes far enough along a direction at a frame: Σ_j vectors_j · u(points_j) ≥ least. All
 * rows are met at once, in the sense of least squares of what they lack, against the smoothness of each x (its umbrella
 * Laplacian) and a little of its size. No displacement is longer than `most`.
 *
 * Deterministic. Any thread. */

typedef struct snw_push_row {
	uint32_t frame;
	uint32_t points[3];
	double vectors[3][3]; /* the direction taken back to rest, times the share of the point in the place */
	double least;         /* metres */
	double weight;        /* against other rows */
} snw_push_row;

typedef struct snw_push_out {
	uint32_t point_count, frame_count, example_count;
	const snw_adjacency *around;
	const double *coefficients[2]; /* [frame_count][example_count] of each side; the second NULL: there is one side */
	const double *shares;          /* [point_count]: of the first side; NULL with one side */
	double most;                   /* metres */
} snw_push_out;

/* Improves displacements [example_count][point_count][3]. `weight` says how much what the rows lack counts against
 * smoothness, `damping` how much the change does. SNW_CANCELLED if the task stops. */
snw_status snw_push_out_solve(const snw_push_out *push, uint32_t row_count, const snw_push_row *rows, double weight,
							  double damping, const snw_task *task, double *displacements, snw_error *error);

/* Shortens them where a point goes farther than `most` in an example or at a frame. */
void snw_push_out_limit(const snw_push_out *push, double *displacements);

/* How far points are displaced at a frame, [point_count][3]. */
void snw_push_out_at(const snw_push_out *push, const double *displacements, uint32_t frame, double *displaced);

#endif
