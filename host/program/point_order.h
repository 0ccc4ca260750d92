/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of each point in the packed form: points that share their set of palette entries are next to each other.
 */
#ifndef SINEW_HOST_PROGRAM_POINT_ORDER_H
#define SINEW_HOST_PROGRAM_POINT_ORDER_H

#include "program/packed.h"

/* The influences of each point sorted by their entries, so that equal sets compare equal. */
typedef struct snw_point_sets {
	const uint32_t *offsets; /* [point_count + 1]; NULL: all sets are empty */
	uint32_t *entries;
	uint32_t *influences; /* the program's */
} snw_point_sets;

uint32_t snw_point_set_size(const snw_point_sets *sets, uint32_t point);

/* Fills the packed program's places and blocks, all but `entry` and `influence`. */
void snw_place_points(const snw_point_sets *sets, snw_packed_program *packed);

#endif
