/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts a bake into the project.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_BAKE_H
#define SINEW_HOST_EDIT_COMMIT_BAKE_H

#include "bake/bake.h"
#include "project/project.h"

/* The scene with its layers muted and those of a variant on top; shares the scene's data and the bake's. In `arena`. */
void snw_scene_after_bake(const snw_scene *scene, const snw_baked *baked, uint32_t variant, snw_arena *arena, snw_scene *after);

/* As one command: the layers of the scene are muted, and those of the best variant are put on top of them. These are stale when a layer
 * below them, the mesh, its weights, the skeleton or one of the bake's clips has changed. SNW_ERROR_CONFLICT if the project has a layer of such a name. */
snw_status snw_project_commit_bake(snw_project *project, const snw_scene *scene, const snw_registry *registry,
								   const snw_baked *baked, const char *label, snw_arena *arena, snw_error *error);

#endif
