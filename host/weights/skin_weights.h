/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Base skins edited as a whole: copied, mirrored, normalised, pruned; with joints whose weights are locked.
 *
 * Each function gives the mesh with its new skin, in `arena`. Weights sum to 1.
 */
#ifndef SINEW_HOST_WEIGHTS_SKIN_WEIGHTS_H
#define SINEW_HOST_WEIGHTS_SKIN_WEIGHTS_H

#include "mesh/mirror/mirror.h"
#include "pose/mirror_joints.h"
#include "scene/scene.h"
#include "task/task.h"

/* Divides the weights of each point by their sum. */
snw_mesh snw_skin_normalise(const snw_mesh *mesh, snw_arena *arena);

/* Keeps the `most` largest influences of each point, and of these only weights of at least `least`. Locked joints stay and
 * count among the `most`. Where they leave something of 1, the largest other stays too, because something must take it. */
snw_mesh snw_skin_prune(const snw_scene *scene, const snw_mesh *mesh, uint32_t most, double least, uint32_t lock_count,
						const uint32_t *locked, snw_arena *arena);

/* The side on which coordinates are larger (`from_larger`), or the other, gets its weights onto the other side, for the
 * partners of its joints. Points in the middle get the mean of their weights and of these mirrored. Points and joints without a
 * partner stay. A joint that should get weights and has no slot is refused: SNW_ERROR_MISSING, with its name. */
snw_status snw_skin_mirror(const snw_scene *scene, const snw_mesh *mesh, const snw_mirror_map *map,
						   const snw_mirror_joints *joints, bool from_larger, snw_arena *arena, snw_mesh *result,
						   snw_error *error);

/* Each point gets the weights of the place on the other mesh that is nearest to it at rest: on the faces around the nearest
 * point. SNW_ERROR_MISSING if the other mesh has no points. */
snw_status snw_skin_from_mesh(const snw_mesh *mesh, const snw_mesh *from, const snw_task *task, snw_arena *arena,
							  snw_mesh *result, snw_error *error);

/* The skin `wanted` in which the locked joints have their weights of `mesh`; the others share what remains. Where locked
 * weights sum to more than 1, the point stays as it is in `mesh`. A mesh without a skin has nothing to lock. */
snw_mesh snw_skin_lock(const snw_scene *scene, const snw_mesh *mesh, const snw_mesh *wanted, uint32_t lock_count,
					   const uint32_t *locked, snw_arena *arena);

/* The skin `wanted` where the mask [point_count] is 1, that of `mesh` where it is 0, both to the last bit, and their mix
 * between. A mesh without a skin has nothing to mix. */
snw_mesh snw_skin_mix(const snw_mesh *mesh, const snw_mesh *wanted, const double *mask, snw_arena *arena);

/* The most influences of a point; 0 without a skin. */
uint32_t snw_skin_most_influences(const snw_mesh *mesh);

#endif
