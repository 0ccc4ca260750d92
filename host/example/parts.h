/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Splits and merges sculpts, within an open command.
 */
#ifndef SINEW_HOST_EXAMPLE_PARTS_H
#define SINEW_HOST_EXAMPLE_PARTS_H

#include "plugin/registry.h"
#include "project/project.h"

/* The examples that a split made, in the caller's arena. The first is the old one, renamed. */
typedef struct snw_split {
	uint32_t count;
	const char **names;
	uint32_t *edited_counts;
} snw_split;

snw_status snw_project_put_split(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t example,
								 const double *mask, uint32_t name_count, const char *const *names, snw_arena *arena,
								 snw_split *split, snw_error *error);

/* Merges two examples of the same mesh and pose. The result is named `name` (NULL: as the first) and is in the groups of both,
 * except those of the second that have the joints of one of the first's and take no more. Where both were edited, their
 * displacements are added. The second example is removed. */
snw_status snw_project_put_merged(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t first,
								  uint32_t second, const char *name, snw_arena *arena, uint32_t *edited_count,
								  snw_error *error);

#endif
