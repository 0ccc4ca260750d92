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
#include "task/task.h"

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

/* ---- scenes of a level --------------------------------------------------------------------------------------------------- */

/* Levels in place of their meshes, or beside them, for what shows and writes scenes. */

/* A scene with other meshes, and what they are. */
typedef struct snw_level_scene {
	const snw_scene *before;
	snw_scene scene;                /* without fields, examples and targets of what was replaced */
	const uint32_t *origins;        /* [mesh_count]: the meshes of the scene before */
	const snw_level *const *levels; /* [mesh_count]: NULL for one that is as it was */
} snw_level_scene;

/* The coarsest level of a mesh up to a number; NULL: none. */
const snw_level *snw_level_of_mesh(const snw_scene *scene, uint32_t mesh, uint32_t number);
/* Whether a mesh has a level of this number; and the largest number, 0 for none. */
bool snw_scene_has_level(const snw_scene *scene, uint32_t number);
uint32_t snw_level_most(const snw_scene *scene);

/* The coarsest level whose error is at most a pixel where the character's longest side is `pixels` long; 0: none. And how long
 * that side may be for a level; level 0: infinity. */
uint32_t snw_level_of_pixels(const snw_scene *scene, double pixels);
double snw_level_most_pixels(const snw_scene *scene, uint32_t number);
double snw_level_side(const snw_scene *scene); /* that side, of the rest, metres */

/* The scene at a level: a mesh without that level has its coarsest one before it, or stays as it is. In `arena`. */
snw_status snw_scene_at_level(const snw_scene *scene, uint32_t number, snw_arena *arena, snw_level_scene *made,
							  snw_error *error);

/* The scene with each level as a further mesh, NAME_LOD1 and so on, after its own, which are NAME_LOD0. In `arena`. */
void snw_scene_with_levels(const snw_scene *scene, snw_arena *arena, snw_level_scene *made);

/* Whether a mesh of such a scene is what a level shows of its mesh: the coarsest up to that level. */
bool snw_level_scene_shows(const snw_level_scene *made, uint32_t mesh, uint32_t number);

/* A stack of the scene before takes the meshes of the other: they play its drive. The other must outlive it. Before any
 * evaluation of it. SNW_ERROR_CONFLICT if a level is of another palette than its mesh has now. */
snw_status snw_stack_take_levels(snw_stack *stack, const snw_level_scene *made, snw_arena *arena, snw_error *error);

/* ---- errors of a level --------------------------------------------------------------------------------------------------- */

/* How far a level is from its mesh: both surfaces, posed, with the nearest place of each on the other. */

/* A tree of boxes over the triangles of a mesh, refitted as its points move. */
typedef struct lod_tree lod_tree;

/* The faces of the mesh are triangulated as at rest. In `arena`. */
lod_tree *lod_tree_make(const snw_mesh *mesh, snw_arena *arena);
/* To where the points [point_count][3] are; they have to outlive the queries. */
void lod_tree_refit(lod_tree *tree, const float *points);

typedef struct lod_nearest {
	double squares;      /* of the distance */
	uint32_t corners[3]; /* of the mesh: the triangle's */
	double shares[3];
	uint32_t triangle; /* of the tree */
} lod_nearest;

/* The nearest place. `hint` is a triangle that may be near, or SNW_NONE: it makes the search shorter and changes no distance.
 * */
lod_nearest lod_tree_nearest(const lod_tree *tree, const float place[3], uint32_t hint);

/* Fills what is told of each level: its errors in the poses, and the share of the screen. SNW_CANCELLED tells of the poses that
 * were measured before, to whose number it sets the count. */
snw_status lod_levels_measure(const snw_scene *scene, const snw_stack *stack, uint32_t *pose_count, snw_pose *const *poses,
							  uint32_t count, snw_level *levels, const snw_task *task, snw_error *error);

#endif
