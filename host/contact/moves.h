/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which parts of meshes have moved together from one pose to another: triangles that one rigid motion has taken along meet
 * after it where they met before. Only pairs that have not moved together have to be tested again.
 */
#ifndef SINEW_HOST_CONTACT_MOVES_H
#define SINEW_HOST_CONTACT_MOVES_H

#include "contact/contact.h"

enum { SNW_MOST_MOTIONS = 8 };

typedef struct snw_contact_moves snw_contact_moves;
snw_contact_moves *snw_contact_moves_make(const snw_contact_tree *tree, snw_arena *arena);

/* From the points before and after, [point_count][3]. A point has moved with the first motion, a 3×4 matrix, that takes it to
 * within `slack` metres of where it is. At most SNW_MOST_MOTIONS, in the same order for all meshes. */
void snw_contact_moves_find(snw_contact_moves *moves, const float *before, const float *after, uint32_t motion_count,
							const double (*motions)[12], double slack);

/* Whether one motion has taken both triangles along. */
bool snw_contact_moved_together(const snw_contact_moves *first, uint32_t first_triangle, const snw_contact_moves *second,
								uint32_t second_triangle);

/* As snw_contact_pairs and snw_contact_self_pairs, but for those that have moved together. */
void snw_contact_moved_pairs(snw_contact_mesh_pose *first, const snw_contact_moves *first_moves, snw_contact_mesh_pose *second,
							 const snw_contact_moves *second_moves, double distance, snw_contact_found *found, void *context);
void snw_contact_moved_self_pairs(snw_contact_mesh_pose *pose, const snw_contact_moves *moves, double distance,
								  snw_contact_found *found, void *context);

#endif
