/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an exported file of a stack would lose.
 */
#ifndef SINEW_HOST_COMPARE_LOSS_H
#define SINEW_HOST_COMPARE_LOSS_H

#include "compare/compare.h"
#include "stack/stack.h"

/* Over one clip. An export that fails is a loss that is not known, with its reason; only SNW_CANCELLED is returned as a
 * failure. The words are in `arena`. */
snw_status snw_compare_loss_find(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								 snw_arena *arena, snw_compare_loss *loss, snw_error *error);

#endif
