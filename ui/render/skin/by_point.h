/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Displacements sorted by point, as shaders read them. Indices are stored as whole numbers in floats, exact up to 2^24.
 */
#ifndef SINEW_UI_RENDER_SKIN_BY_POINT_H
#define SINEW_UI_RENDER_SKIN_BY_POINT_H

#include "base/arena.h"
#include "sinew/program.h"

/* The fourth number of each entry, after the vector. */
typedef enum snw_entry_index { SNW_ENTRY_COEFFICIENT, SNW_ENTRY_DISPLACEMENT } snw_entry_index;

typedef struct snw_by_point {
	size_t count;            /* entries */
	const float *entries;    /* [count][4]: vector, index; sorted by point, then in the order of the displacements */
	const uint32_t *offsets; /* [points + 1]: where the entries of each point begin */
} snw_by_point;

snw_by_point snw_displacements_by_point(const snw_displacements *list, uint32_t points, snw_entry_index index,
										snw_arena *arena);

#endif
