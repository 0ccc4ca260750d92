/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painting the base skin: converts a joint's weights to a field of the mesh and back.
 */
#ifndef SINEW_HOST_WEIGHTS_PAINT_WEIGHTS_H
#define SINEW_HOST_WEIGHTS_PAINT_WEIGHTS_H

#include "project/project.h"

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
