/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which points of a character are in contact, kept up to date while it moves: those of triangles that meet and do not meet at
 * rest. Triangles of one mesh that are near each other along its surface do not count, as in measure/contact_moments.h. So are
 * all points of a piece of which no triangle meets, but which is all on the wrong side (contact/touching.h). That is found when
 * all is tested.
 *
 * While a joint is dragged most of the character moves together: all that is below the joint, and all that stands still. Only
 * what moved differently is tested again (contact/contact_internal.h); the other pairs stay as they were found. What moves by
 * no more than floats are off at once counts as standing still, and triangles that touch by no more than rounding may be found
 * or not. So all is to be tested once the character rests.
 *
 * One thread at a time.
 */
#ifndef SINEW_HOST_CONTACT_TOUCHING_H
#define SINEW_HOST_CONTACT_TOUCHING_H

#include "contact/contact.h"

typedef struct snw_touching snw_touching;

/* The scene must outlive it. `neighbours`: metres along the surface; `patch`: metres (contact/touching.h). */
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

#endif
