/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of loading a scene, in the order in which they need each other. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_LOAD_LOAD_H
#define SINEW_HOST_PROJECT_LOAD_LOAD_H

#include "project/database/rows.h"

/* A load under way: the scene so far, and which id stands where in it. */
typedef struct snw_load {
	snw_project *project;
	snw_scene *scene;
	const snw_task *task;
	snw_arena *scratch;
	snw_id_map images, materials, joints, channels, meshes, clips, poses, fields, examples, targets, models;
	snw_error *error;
} snw_load;

/* The rows of a table, as a count that fits the scene. */
snw_status snw_load_count(snw_load *load, const char *table, uint32_t *count);
/* The rows of a table that belong to one row of another. */
snw_status snw_load_count_of(snw_load *load, const char *table, const char *owner, int64_t id, uint32_t *count);
/* Rows for this load, into the scene's arena. */
snw_rows snw_load_rows(snw_load *load, const char *table, const char *sql, const snw_cell *cells, size_t cell_count);

snw_status snw_load_looks(snw_load *load);    /* images, materials */
snw_status snw_load_skeleton(snw_load *load); /* joints, slots, channels */
snw_status snw_load_meshes(snw_load *load);   /* meshes, morphs, fields */
snw_status snw_load_motion(snw_load *load);   /* clips, poses */
snw_status snw_load_shapes(snw_load *load);   /* examples, groups, targets */
snw_status snw_load_stack(snw_load *load);    /* models, layers */

/* Puts the points that no example edits where the base skin has them. The scene has been checked. */
void snw_load_fill_examples(snw_load *load);

#endif
