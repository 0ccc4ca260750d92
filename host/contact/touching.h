/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which points of a character are in contact, kept up to date while it moves: those of triangles that meet and do not meet at
 * rest. Triangles of one mesh that are near each other along its surface do not count, as in measure/contact_moments.h. So are
 * all points of a piece of which no triangle meets, but which is all on the wrong side (contact/pieces.h). That is found when
 * all is tested.
 *
 * While a joint is dragged most of the character moves together: all that is below the joint, and all that stands still. Only
 * what moved differently is tested again (contact/moves.h); the other pairs stay as they were found. What moves by no more than
 * floats are off at once counts as standing still, and triangles that touch by no more than rounding may be found or not. So
 * all is to be tested once the character rests.
 *
 * One thread at a time.
 */
#ifndef SINEW_HOST_CONTACT_TOUCHING_H
#define SINEW_HOST_CONTACT_TOUCHING_H

#include "contact/contact.h"

typedef struct snw_touching snw_touching;

/* The scene must outlive it. `neighbours`: metres along the surface; `patch`: metres (contact/own_patch.h). */
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

#endif
