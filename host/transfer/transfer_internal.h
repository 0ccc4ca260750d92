/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of a transfer share. Private to host/transfer.
 */
#ifndef SINEW_HOST_TRANSFER_TRANSFER_INTERNAL_H
#define SINEW_HOST_TRANSFER_TRANSFER_INTERNAL_H

#include "transfer/transfer.h"

/* What is nearer than this, of the diagonal of the box, has not moved: files round to floats. Of weights, too. */
#define SNW_TRANSFER_STILL 1e-6

typedef struct snw_transfer_state {
	const snw_scene *old, *fresh;
	snw_arena *arena;
	snw_transfer *result;
	uint32_t *joints;   /* [old joint]: its place in the new skeleton, SNW_NONE where it is gone */
	uint32_t *channels; /* [old channel] */
	uint32_t *meshes;   /* [old mesh]: its place in the new scene */
	snw_error *error;
} snw_transfer_state;

/* Clips and poses: those of the new scene, and those of the old one that it does not have. */
snw_status snw_transfer_motion(snw_transfer_state *c);
/* Examples, fields and groups. After the motion, since sculpts need the transferred poses. */
snw_status snw_transfer_sculpts(snw_transfer_state *c);

#endif
