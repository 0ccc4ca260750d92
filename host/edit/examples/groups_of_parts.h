/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups of the parts of a split example, within an open command.
 *
 * A part is in those groups of the whole whose masks reach it: of a symmetric sculpt each side stays with the joint that drives
 * it. A group can have one example of a mesh in a pose. So a further part that a group's mask reaches gets a group of its own,
 * with the same joints and settings, under the same mask on its points alone: a group reproduces its examples, and would take
 * the other parts away. The shape in the pose stays as it was, because no two parts edit the same point.
 */
#ifndef SINEW_HOST_EDIT_EXAMPLES_GROUPS_OF_PARTS_H
#define SINEW_HOST_EDIT_EXAMPLES_GROUPS_OF_PARTS_H

#include "plugin/registry.h"
#include "project/project.h"

typedef struct snw_example_part {
	int64_t id;
	uint32_t edited_count;
	const uint32_t *edited; /* [edited_count] */
} snw_example_part;

/* `whole` is an index in `scene`, which is from before the split; the first part has its row, and so its places in groups. */
snw_status snw_project_put_groups_of_parts(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t whole, uint32_t count, const snw_example_part *parts, snw_arena *arena,
										   snw_error *error);

#endif
