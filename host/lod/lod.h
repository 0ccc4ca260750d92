/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of detail: coarser meshes of a character that hold in every pose.
 *
 *   motion    each point as its places in about 100 poses of the whole stack (motion/motion.h)
 *   collapse  edges collapse where the motion loses least (lod/lod_internal.h)
 *   skin      weights that move the points as the stack would, fitted over the same poses
 *   error     each level against the mesh, surface to surface both ways, in poses that were held out
 *
 * A level plays the drive of its mesh: displacements of correctives and morph targets go through its stencils.
 */
#ifndef SINEW_HOST_LOD_LOD_H
#define SINEW_HOST_LOD_LOD_H

#include "plugin/registry.h"
#include "scene/scene.h"
#include "stack/stack.h"

/* What one level is asked for. */
typedef struct snw_lod_limits {
	uint32_t triangles; /* of all meshes together; 0: the share */
	double share;       /* of the triangles of the original, 0 to 1 */
	uint32_t influences;
	uint32_t joints; /* that move points; 0: any number */
} snw_lod_limits;

/* "triangles=25%,influences=2,joints=30", or "triangles=3000": parts in any order; influences are 4 and joints any without
 * them. SNW_ERROR_ARGUMENT names the part and what is expected. */
snw_status snw_lod_limits_parse(const char *text, snw_lod_limits *limits, snw_error *error);

typedef struct snw_lod_request {
	uint32_t level_count;
	const snw_lod_limits *levels; /* the finest first */
	const char *const *texts;     /* [level_count]: as they were given */
	const char *protect;          /* a field over points that keeps what it covers; NULL for none */
	uint32_t mesh;                /* the only one that is made coarser; SNW_NONE: all */
	uint32_t clip_count;          /* whose poses are taken; 0: the project's named poses */
	const uint32_t *clips;
} snw_lod_request;

typedef struct snw_lod_made {
	uint32_t count; /* one for each level and mesh, level by level; number and mesh say which */
	snw_level *levels;
	uint32_t asked_count;  /* of levels: those of the request */
	const uint32_t *goals; /* of each level of the request: its triangles, of all meshes together */
	double left_percent;   /* what the axes of the motion leave out */
	uint32_t axis_count, pose_count, held_count;
} snw_lod_made;

/* All in `arena`. A cancelled task keeps the levels that are finished: SNW_CANCELLED only without one. SNW_ERROR_MISSING
 * without faces; the errors of the stack. */
snw_status snw_lod_make(const snw_scene *scene, const snw_registry *registry, const snw_lod_request *request,
						const snw_task *task, snw_arena *arena, snw_lod_made *made, snw_error *error);

/* Fills anew what is told of levels, which have all been made from the same: over frames of a clip, or over poses that were
 * held out of those that they were made from (SNW_NONE). In `arena`. */
snw_status snw_lod_measure(const snw_scene *scene, const snw_registry *registry, uint32_t clip, uint32_t count,
						   snw_level *levels, const snw_task *task, snw_arena *arena, snw_error *error);

/* Whether what the level was made from has changed; false for one from a file. */
bool snw_level_is_stale(const snw_scene *scene, const snw_registry *registry, const snw_level *level);

/* The program of a level: its skin in place of the blend, and displacements through the stencils; of a mesh whose stack is
 * not one program its skin over the pose's palette. In place of an affine blend it has rows (lod_internal.h), unless it came
 * in a file. In `arena`. */
snw_program snw_lod_program(const snw_scene *scene, const snw_stack *stack, const snw_level *level, snw_arena *arena);

/* Triangles of a mesh, as they are drawn. */
uint32_t snw_triangle_count(const snw_mesh *mesh);
/* About how many bytes a level takes on the graphics card, and the most influences of a point. */
size_t snw_level_bytes(const snw_level *level);
uint32_t snw_level_influences(const snw_level *level);

#endif
