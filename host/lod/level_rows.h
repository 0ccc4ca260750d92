/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a level whose mesh is skinned by an affine blend, v = Σ_s T_s p_s: its points are combinations of the
 * mesh's points, so their rows are Σ_j a_j p_js, over the slots of all of these. Those that are too many are taken away
 * as in B. Merry, Animation space, thesis 2007, section 6.3: the rows that stay change by s, which is −p where a slot
 * goes, weighs nothing together, and is the shortest by the norm L2,2, √(sᵀ P s) with P = E[Gᵀ G] over poses of the
 * clips (measure/point_metric.h).
 *
 * Departures: which slots stay is known from the level's linear blend, which files need anyway. As P is singular wherever
 * joints have fixed lengths, a ridge draws the rows that stay toward the old ones, made larger to weigh 1.
 */
#ifndef SINEW_HOST_LOD_LEVEL_ROWS_H
#define SINEW_HOST_LOD_LEVEL_ROWS_H

#include "lod/lod.h"

/* Puts influences and rows into the program of a level, whose mesh is one program with an affine blend. The metric is that of
 * these clips; of all without any. In `arena`. Nothing is put where the stack cannot be posed. */
void lod_rows_put(const snw_scene *scene, const snw_stack *stack, const snw_level *level, uint32_t clip_count,
				  const uint32_t *clips, snw_arena *arena, snw_program *made);

#endif
