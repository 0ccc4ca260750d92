/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores a whole character: materials, skeleton, channels, meshes, clips and poses. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_STORE_CHARACTER_H
#define SINEW_HOST_PROJECT_STORE_CHARACTER_H

#include "project/database/database.h"

/* Ids by the scene's indices. */
typedef struct snw_character_ids {
	int64_t *images, *materials, *joints, *channels, *meshes, *clips, *poses;
} snw_character_ids;

/* All 0, for new rows. */
snw_character_ids snw_character_ids_make(const snw_scene *scene, snw_arena *arena);

/* On entry, `ids` are the rows to replace, 0 for new ones; on return, the ids of the rows. Nothing is checked or removed. */
snw_status snw_store_character(snw_project *project, const snw_scene *scene, const snw_character_ids *ids, snw_error *error);

#endif
