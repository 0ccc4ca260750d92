/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Base skins edited as a whole: copied, mirrored, normalised, pruned; with joints whose weights are locked.
 *
 * Each function gives the mesh with its new skin, in `arena`. Weights sum to 1.
 */
#ifndef SINEW_HOST_WEIGHTS_SKIN_WEIGHTS_H
#define SINEW_HOST_WEIGHTS_SKIN_WEIGHTS_H

#include "mesh/mirror.h"
#include "plugin/registry.h"
#include "pose/mirror_joints.h"
#include "project/project.h"
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

/* The weights of a joint that is removed. */

/* Fills the slots and meshes of `fresh`, a copy of the scene, with those of the scene without a joint: its parent has its
 * weights. Slots name joints by their indices after the removal. *point_count: the points that the joint moved.
 * SNW_ERROR_CONFLICT if a root moves points. */
snw_status snw_joint_weights_to_parent(const snw_scene *scene, uint32_t joint, snw_arena *arena, snw_scene *fresh,
									   uint32_t *point_count, snw_error *error);

/* Learned weights made paintable: a fitted blend over the skeleton's joints gives its weights to the skin, and gives way to the
 * blend that it had replaced. Brushes then paint them. The layer stays in the stack, muted. It has read the former skin, so it
 * is stale: its next fit learns weights anew, and overrides nothing until the layer is unmuted. */

/* The topmost unmuted layer that blends by weights of its own, so that painted ones do not show; SNW_NONE if there is none. */
uint32_t snw_learned_blend(const snw_scene *scene, const snw_registry *registry);

/* Within an open command. Weights below 0 are left out, and the others normalised. SNW_ERROR_CONFLICT, with the reason, for a
 * layer whose weights are not those of the skeleton's joints, and if no layer below blends by the skin's weights. */
snw_status snw_project_take_weights(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t layer,
									snw_error *error);

#endif
