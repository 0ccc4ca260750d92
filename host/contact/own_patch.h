/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of another surface that belongs to a point: its patch, the triangles within a radius at rest of the place that is
 * nearest to the point then. In a pose the nearest place of the patch is looked for by a walk from there: in the crook of an
 * arm the upper arm's sleeve stays over the upper arm, where the forearm comes nearer. A point that is on the other side of
 * its patch than at rest has gone through it. Where a patch has turned over in a crease, and faces the point's own surface as
 * it does not at rest, its sides say nothing.
 *
 * A point has no patch if the place is farther than the radius or on a border; if it is on a part of the mesh that lies in
 * another part, as the end of a sleeve lies in a shirt; or if the point has gone through at rest: it is on the other side than
 * most points of its mesh. That is contact at rest.
 *
 * Any thread, with poses of its own.
 */
#ifndef SINEW_HOST_CONTACT_OWN_PATCH_H
#define SINEW_HOST_CONTACT_OWN_PATCH_H

#include "contact/contact.h"

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

#endif
