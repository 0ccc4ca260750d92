/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies where: a tree of boxes over points and faces. It is built once and *refitted* as points move: the boxes follow, the
 * tree stays. So answers never depend on how it was refitted, only how soon they come.
 */
#ifndef SINEW_HOST_MESH_SPATIAL_INDEX_H
#define SINEW_HOST_MESH_SPATIAL_INDEX_H

#include "mesh/ray.h"
#include "scene/scene.h"

typedef struct snw_spatial_index snw_spatial_index;

/* `points` [point_count][3] is read by every call below; mesh, points and arena must outlive the index. */
snw_spatial_index *snw_spatial_index_make(const snw_mesh *mesh, const double *points, snw_arena *arena);

/* These points have moved. `faces`: all that name one of them. No allocation. */
void snw_spatial_index_refit(snw_spatial_index *index, uint32_t point_count, const uint32_t *changed, uint32_t face_count,
							 const uint32_t *faces);
void snw_spatial_index_refit_all(snw_spatial_index *index);

/* As snw_sculpt_pick, all but `point`. */
snw_pick snw_spatial_index_pick(const snw_spatial_index *index, const snw_ray *ray);

/* The points nearer to the centre than the radius, in the order of the tree, with their distances. */
uint32_t snw_spatial_index_ball(const snw_spatial_index *index, const double center[3], double radius, uint32_t *points,
								double *distances);

#endif
