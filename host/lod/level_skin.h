/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The skin of a level: linear blend weights, and a rest, that move its points as combinations of the mesh's points move.
 */
#ifndef SINEW_HOST_LOD_LEVEL_SKIN_H
#define SINEW_HOST_LOD_LEVEL_SKIN_H

#include "lod/lod.h"
#include "lod/lod_internal.h"

/* What a mesh's points do in the poses of a motion, displacements left out where the stack is one program; and the palettes. */
typedef struct lod_play {
	uint32_t pose_count, slot_count;
	const double *pose_weights;   /* [pose_count]: what each counts */
	const uint32_t *slot_parents; /* [slot_count]: the slot of the nearest joint above, SNW_NONE */
	const double *palettes;       /* [pose_count][slot_count][12] */
	uint32_t point_count;
	float *points; /* [pose_count][point_count][3] */
	/* The influences of the mesh's points: slots that may move a combination of them. */
	const uint32_t *influence_offsets, *influence_slots;
	const double *influence_weights;
} lod_play;

/* Whether the stack of a mesh is one program with matrices, so that displacements can go through stencils. */
bool lod_is_one_program(const snw_stack *stack, uint32_t mesh);

/* Runs the poses. The weights and what is made are in `arena`. */
snw_status lod_play_make(const snw_stack *stack, const snw_scene *scene, uint32_t mesh, uint32_t pose_count,
						 snw_pose *const *poses, const double *pose_weights, const snw_task *task, snw_arena *arena,
						 lod_play *play, snw_error *error);

/* Fits the skin of a level's meshes [mesh_count], together because `joints` counts what moves any of them: influences and rests
 * are set. A mesh without influences in its play gets none. In `arena`. */
snw_status lod_skin_fit(const snw_scene *scene, uint32_t mesh_count, const lod_play *plays, lod_level_mesh *meshes,
						const snw_lod_limits *limits, const snw_task *task, snw_arena *arena, uint32_t *joint_count,
						snw_error *error);

#endif
