/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a fit leaves alone, from its settings: points outside a painted mask, and locked joints.
 */
#ifndef SINEW_DEFORMERS_MOTION_WEIGHTS_HELD_POINTS_H
#define SINEW_DEFORMERS_MOTION_WEIGHTS_HELD_POINTS_H

#include "sinew/deformer.h"
#include "sinew/pool.h"

/* The mask of a mesh [point_count], from 0 (held) to 1 (fitted): the field that row `parameter` names, clamped; its first
 * component. A mesh without the field is held: nothing is painted there. *mask is NULL where the row names none. The pool's.
 * SNW_ERROR_MEMORY. */
snw_status snk_mask_read(const snw_fit_input *input, uint32_t parameter, uint32_t mesh, snw_pool *pool, const double **mask);

/* Whether the joint of each slot is locked [slot_count]: the value of row `parameter` for the joint is not 0. *locked is NULL
 * where none is. The pool's. SNW_ERROR_MEMORY. */
snw_status snk_locked_slots_read(const snw_fit_input *input, uint32_t parameter, snw_pool *pool, const unsigned char **locked);

#endif
