/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts a bake into the project.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_BAKE_H
#define SINEW_HOST_EDIT_COMMIT_BAKE_H

#include "bake/bake.h"
#include "project/project.h"

/* The scene with its layers muted and those of a variant on top. In a project that is baked already, these take the place of
 * the baked ones; layers above them stay. Shares the scene's data and the bake's. In `arena`. */
void snw_scene_after_bake(const snw_scene *scene, const snw_baked *baked, uint32_t variant, snw_arena *arena, snw_scene *after);

/* As one command: the project becomes the scene above, with the best variant. Its layers are stale when a layer below them, the
 * mesh, its weights, the skeleton or one of the bake's clips has changed. The errors of snw_bake_check. */
snw_status snw_project_commit_bake(snw_project *project, const snw_scene *scene, const snw_registry *registry,
								   const snw_baked *baked, const char *label, snw_arena *arena, snw_error *error);

#endif
