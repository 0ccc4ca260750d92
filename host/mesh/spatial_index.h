/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree of bounding boxes over points and faces. It is built once and *refitted* as points move: the boxes change, the tree
 * does not. Refitting affects the speed of queries, not their results.
 */
#ifndef SINEW_HOST_MESH_SPATIAL_INDEX_H
#define SINEW_HOST_MESH_SPATIAL_INDEX_H

#include <stdint.h>

#include "scene/scene.h"

/* Rays, and their hits on a mesh. */

typedef struct snw_ray {
	double origin[3];
	double direction[3]; /* of any length but 0 */
} snw_ray;

typedef struct snw_pick {
	uint32_t face;  /* SNW_NONE: nothing was hit */
	uint32_t point; /* the face's point nearest to the hit */
	double position[3];
	double normal[3]; /* of the face, unit, towards the ray's origin */
	double distance;  /* from the origin, metres */
} snw_pick;

typedef struct snw_spatial_index snw_spatial_index;

/* `points` [point_count][3] is read by every call below; mesh, points and arena must outlive the index. */
snw_spatial_index *snw_spatial_index_make(const snw_mesh *mesh, const double *points, snw_arena *arena);

/* Call it after the `changed` points have moved. `faces` are all faces that use one of them. Does not allocate. */
void snw_spatial_index_refit(snw_spatial_index *index, uint32_t point_count, const uint32_t *changed, uint32_t face_count,
							 const uint32_t *faces);
void snw_spatial_index_refit_all(snw_spatial_index *index);

/* Faces that picking passes over, [face_count], borrowed; NULL: none. */
void snw_spatial_index_hide(snw_spatial_index *index, const bool *faces);

/* As snw_sculpt_pick, but `point` is not set. */
snw_pick snw_spatial_index_pick(const snw_spatial_index *index, const snw_ray *ray);

/* The points nearer to the centre than the radius, in the order of the tree, with their distances. */
uint32_t snw_spatial_index_ball(const snw_spatial_index *index, const double center[3], double radius, uint32_t *points,
								double *distances);

/* The nearest point; of equally near ones the first. SNW_NONE without points. */
uint32_t snw_spatial_index_nearest(const snw_spatial_index *index, const double place[3]);

#endif
