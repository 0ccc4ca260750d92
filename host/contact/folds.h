/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Triangles that meet in a pose and do not meet at rest, and the folds of a mesh: the points of such triangles of its own, and
 * what is within a distance of them along the surface. Unlike contact of a mesh with itself (measure/contact_moments.h) that
 * has the folds of elbows and knees. What lies in such a fold, as a sleeve in the crook of an arm, has no room there. */
#ifndef SINEW_HOST_CONTACT_FOLDS_H
#define SINEW_HOST_CONTACT_FOLDS_H

#include "contact/contact.h"

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

#endif
