/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels in place of their meshes, or beside them, for what shows and writes scenes.
 */
#ifndef SINEW_HOST_LOD_LEVEL_SCENE_H
#define SINEW_HOST_LOD_LEVEL_SCENE_H

#include "scene/scene.h"
#include "stack/stack.h"

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

#endif
