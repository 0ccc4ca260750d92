/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character whose points are moved by fewer joints: slots merged into others, the one that matters least first.
 *
 * To give the weights of slot a to slot b moves the points by w_ia (T_b − T_a)(r_i, 1). The pair whose sum of squares over all
 * points and samples is the least is merged next: with M_a = Σ_i w_ia² (r_i, 1)(r_i, 1)ᵀ that is Σ_f tr((T_b − T_a) M_a (T_b −
 * T_a)ᵀ). b is the nearest joint above a, or below it, that still moves points. So fingers merge into a hand before a hand does
 * into an arm.
 */
#ifndef SINEW_DEFORMERS_MOTION_MERGE_SLOTS_H
#define SINEW_DEFORMERS_MOTION_MERGE_SLOTS_H

#include "sinew/deformer.h"
#include "sinew/pool.h"

/* The input with a character of at most `most` slots that move points; 0: as many as there are. `kept` [slot_count]: whether a
 * slot may move points; NULL if all may. All the pool's, or the input's. Learn weights from `fewer` to fit them to its slots.
 * SNW_CANCELLED; SNW_ERROR_MEMORY; SNW_ERROR_LIMIT. */
snw_status snk_merge_slots(const snw_host *host, const snw_fit_input *input, uint32_t most, snw_pool *pool,
						   snw_fit_input *fewer, const unsigned char **kept);

#endif
