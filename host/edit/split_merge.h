/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpts taken apart and put together, in an open command.
 */
#ifndef SINEW_HOST_EDIT_SPLIT_MERGE_H
#define SINEW_HOST_EDIT_SPLIT_MERGE_H

#include "plugin/registry.h"
#include "project/project.h"

/* The examples that a split left, in the caller's arena: the first is the old one, renamed. */
typedef struct snw_split {
	uint32_t count;
	const char **names;
	uint32_t *edited_counts;
} snw_split;

/* Splits an example (an index) in two by a mask, [point_count]: what was edited where it is 0.5 or more, and the rest; or, with a
 * NULL mask, by the regions that faces hold together. Each part is an example of the same pose, named NAME-1, NAME-2, … (or by
 * `names`, as many as there are parts; NULL), in the same groups. SNW_ERROR_CONFLICT where that leaves it in one part, or in more
 * than SNW_MOST_PARTS, or where a name is taken. */
enum { SNW_MOST_PARTS = 64 };
snw_status snw_project_put_split(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t example,
								 const double *mask, uint32_t name_count, const char *const *names, snw_arena *arena,
								 snw_split *split, snw_error *error);

/* Makes of two examples of one mesh and pose one, named `name` (NULL: as the first), in the groups of both: where both were
 * edited, what both add to the skin is added. The second is gone. */
snw_status snw_project_put_merged(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t first,
								  uint32_t second, const char *name, snw_arena *arena, uint32_t *edited_count,
								  snw_error *error);

#endif
