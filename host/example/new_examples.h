/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New examples made from those that are there, within an open command: in-betweens and combinations. Both begin as the skin of
 * the whole stack in their pose, so at first they change nothing; the artist sculpts from there.
 */
#ifndef SINEW_HOST_EXAMPLE_NEW_EXAMPLES_H
#define SINEW_HOST_EXAMPLE_NEW_EXAMPLES_H

#include "plugin/registry.h"
#include "project/project.h"

/* An example that was made. Names are in the caller's arena: the scene is replaced by the command that made it. */
typedef struct snw_new_example {
	const char *name, *pose, *group;
	uint32_t mesh, edited_count;
	int64_t id;
} snw_new_example;

/* An example on the way from rest to the pose of another (an index), at a share between 0 and 1, both exclusively:
 * SNW_ERROR_ARGUMENT. It joins the groups of that example under the same masks. `name` NULL: "elbow-50". Its pose has the same
 * name. `sculpt`: its points, or NULL for the skin; SNW_ERROR_CONFLICT if an example or a pose of that name exists. */
snw_status snw_project_put_between(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t example,
								   double share, const char *name, const double *sculpt, snw_arena *arena,
								   snw_new_example *made, snw_error *error);

/* A group over the joints of two groups (indices), with an example in a pose where one example of each is fully on: `examples`,
 * or for SNW_NONE those whose pose rotates the joints of their group most. It acts after all others, so it adds what both
 * together lack. The group, the pose and the example are called `name` (NULL: "elbow+wrist"). Each further mesh that one of the
 * groups moves has an example too, "elbow+wrist-sleeve". SNW_ERROR_CONFLICT if the same joints drive both, or if one has no
 * examples. */
snw_status snw_project_put_combination(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   const uint32_t groups[2], const uint32_t examples[2], const char *name, snw_arena *arena,
									   snw_new_example *made, snw_error *error);

#endif
