/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of a transfer. Private to host/transfer.
 */
#ifndef SINEW_HOST_TRANSFER_TRANSFER_INTERNAL_H
#define SINEW_HOST_TRANSFER_TRANSFER_INTERNAL_H

#include "transfer/transfer.h"

/* A smaller difference, as a share of the diagonal of the box, is rounding: files store floats. Also for weights. */
#define SNW_TRANSFER_STILL 1e-6

typedef struct snw_transfer_state {
	const snw_scene *old, *fresh;
	snw_arena *arena;
	snw_transfer *result;
	uint32_t *joints;   /* [old joint]: its index in the new skeleton; SNW_NONE if it was removed */
	uint32_t *channels; /* [old channel] */
	uint32_t *meshes;   /* [old mesh]: its index in the new scene */
	snw_error *error;
} snw_transfer_state;

/* Transfers clips and poses: those of the new scene, and those of the old one that it lacks. */
snw_status snw_transfer_motion(snw_transfer_state *c);
/* Transfers examples, fields and groups. Call it after the motion, since sculpts need the transferred poses. */
snw_status snw_transfer_sculpts(snw_transfer_state *c);

#endif
