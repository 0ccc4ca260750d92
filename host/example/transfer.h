/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes examples of another character to a mesh of this one, within an open command. The meshes may have any faces and points.
 *
 * Joints are paired by name. The other character's rest is brought to this skeleton: its skin follows its joints to where
 * theirs are here, with their bones' directions and lengths. Each point here then takes the edit of the nearest place on that
 * surface. An edit is rotated from the pose to rest by the other skin, from rest to rest by the bones, and from rest to the
 * pose by this skin.
 */
#ifndef SINEW_HOST_EXAMPLE_TRANSFER_H
#define SINEW_HOST_EXAMPLE_TRANSFER_H

#include "plugin/registry.h"
#include "project/project.h"

/* An example that was taken. */
typedef struct snw_taken_example {
	const char *name, *pose;
	bool is_updated; /* this project had an example of that name */
	uint32_t edited_count;
	double residual;         /* root mean square of what a transfer back loses, as a share of that of the sculpt */
	double residual_length;  /* the same over the points that the sculpt moves, metres */
	double residual_most;    /* of one point, metres */
	const char *worst_joint; /* which moves that point most, of the other character; "" for none */
} snw_taken_example;

typedef struct snw_example_transfer {
	/* In. */
	const snw_scene *from;
	uint32_t from_mesh, mesh;
	uint32_t example_count;   /* of `from`; 0: all on its mesh that are not muted */
	const uint32_t *examples; /* [example_count] */
	/* Out, in the caller's arena. */
	uint32_t taken_count;
	snw_taken_example *taken;
	uint32_t joint_count, paired_count;  /* joints of `from` that move its mesh or a pose; those that have a partner here */
	const char *unpaired;                /* the names of the first others, "" for none */
	double mean_distance, most_distance; /* from the points here to the other surface, at rest, metres */
} snw_example_transfer;

/* Examples keep their names, poses and groups; masks are taken too. An example of the same name is updated and stays in its
 * groups. A pose of the same name that differs is not changed: the new one gets a free name. SNW_ERROR_MISSING without examples
 * or common joints. */
snw_status snw_project_put_transferred(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   const snw_task *task, snw_arena *arena, snw_example_transfer *transfer,
									   snw_error *error);

#endif
