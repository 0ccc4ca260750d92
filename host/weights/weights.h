/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin weights: edited as a whole, and painted.
 */
#ifndef SINEW_HOST_WEIGHTS_WEIGHTS_H
#define SINEW_HOST_WEIGHTS_WEIGHTS_H

#include "mesh/mesh.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "project/project.h"
#include "scene/scene.h"
#include "task/task.h"

/* ---- skin weights -------------------------------------------------------------------------------------------------------- */

/* Base skins edited as a whole: copied, mirrored, normalised, pruned; with joints whose weights are locked.
 *
 * Each function gives the mesh with its new skin, in `arena`. Weights sum to 1. */

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

/* ---- painted weights ----------------------------------------------------------------------------------------------------- */

/* Painting the base skin: converts a joint's weights to a field of the mesh and back. */

/* The weight of a joint at each point, [point_count]: the sum over its slots; 0 for a mesh without a skin. */
void snw_sculpt_weights(const snw_scene *scene, uint32_t mesh, uint32_t joint, double *values);

/* A base skin that is painted: a mesh, one of its joints, and room for the result. In `arena`; the scene and `locked` must
 * outlive it. `locked` [joint_count], NULL for none: joints that keep their weights. SNW_ERROR_MISSING for a mesh without a
 * skin and for a joint without a slot, SNW_ERROR_CONFLICT for a joint that is locked. */
typedef struct snw_painted_skin snw_painted_skin;
snw_status snw_painted_skin_make(const snw_scene *scene, uint32_t mesh, uint32_t joint, const bool *locked, snw_arena *arena,
								 snw_painted_skin **painted, snw_error *error);
/* The skin in which the joint has these weights, clamped to what locked joints leave of 1, where they differ from what it has.
 * The other influences of such a point that are not locked share the rest in the proportions that they had; where there are
 * none the parent takes it, and where the parent moves no skin or is locked the point keeps its weights. Valid until the next
 * call; allocates nothing. */
const snw_mesh *snw_painted_skin_apply(snw_painted_skin *painted, const double *values);

/* What was painted on a mesh. */
typedef struct snw_painted_mesh {
	uint32_t mesh, joint; /* the joint's weights; SNW_NONE for a field */
	const double *values; /* [point_count] */
} snw_painted_mesh;

/* Commits such skins to the project, as one step: each of another mesh. */
snw_status snw_sculpt_commit_weights(snw_project *project, const snw_scene *scene, const char *label, const bool *locked,
									 uint32_t count, const snw_painted_mesh *painted, snw_error *error);

#endif
