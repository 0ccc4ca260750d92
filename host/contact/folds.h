/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a mesh folds into itself in a pose: the points of triangles that meet and do not meet at rest, and what is within a
 * distance of them along the surface. Unlike contact of a mesh with itself (measure/contact_moments.h) that has the folds of
 * elbows and knees. What lies in such a fold, as a sleeve in the crook of an arm, has no room there.
 */
#ifndef SINEW_HOST_CONTACT_FOLDS_H
#define SINEW_HOST_CONTACT_FOLDS_H

#include "contact/contact.h"

/* The pairs of triangles of a mesh that meet at rest, rising. */
typedef struct snw_folds {
	uint32_t count;
	const snw_contact_pair *at_rest;
} snw_folds;

/* `rest` is the mesh at rest. In `arena`. */
snw_folds snw_folds_at_rest(snw_contact_mesh_pose *rest, snw_arena *arena);

/* Fills marks [point_count]. The neighbours are within that distance; one thread at a time. */
void snw_folds_mark(const snw_folds *folds, const snw_contact_tree *tree, snw_contact_mesh_pose *pose,
					snw_contact_neighbours *neighbours, uint32_t point_count, bool *marks);

#endif
