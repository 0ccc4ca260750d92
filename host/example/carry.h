/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Carries sculpts of a mesh to the meshes over it, such as from a body to its clothes, within an open command.
 *
 * Each point takes the motion of the nearest place on the sculpted mesh at rest: the way that the sculpt moves this place, and
 * the turn that it gives to the surface's normal there, which what is off the surface follows. That fades from half the reach
 * on, and is nothing beyond it.
 */
#ifndef SINEW_HOST_EXAMPLE_CARRY_H
#define SINEW_HOST_EXAMPLE_CARRY_H

#include "plugin/registry.h"
#include "project/project.h"

/* An example of another mesh that got a sculpt. */
typedef struct snw_carried_example {
	const char *name, *from; /* its name, and that of the example that was carried */
	uint32_t mesh, moved_count;
	double most;     /* the largest move, metres */
	bool is_updated; /* the mesh had an example in that pose: where the sculpt reaches, its own edits gave way */
} snw_carried_example;

typedef struct snw_carry {
	/* In. */
	uint32_t example_count;
	const char *const *examples; /* names */
	uint32_t mesh_count;         /* that may get them; 0: all others */
	const uint32_t *meshes;
	double reach; /* metres */
	/* Out, in the caller's arena. */
	uint32_t carried_count;
	snw_carried_example *carried;
} snw_carry;

/* The usual reach: 3 % of the diagonal of the largest mesh. */
double snw_carry_usual_reach(const snw_scene *scene);

/* A new example is in the pose and the groups of the one that it comes from, under the masks of the same sides. */
snw_status snw_project_put_carried(snw_project *project, const snw_registry *registry, const snw_task *task, snw_arena *arena,
								   snw_carry *order, snw_error *error);

#endif
