/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/skin/by_point.h"

snw_by_point snw_displacements_by_point(const snw_displacements *list, uint32_t points, snw_entry_index index,
										snw_arena *arena) {
	const size_t count = list->count ? list->offsets[list->count] : 0;
	float *entries = SNW_NEW_ARRAY(arena, float, 4 * count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points + 1);
	for (size_t i = 0; i < count; i++) {
		offsets[list->points[i] + 1]++;
	}
	for (uint32_t p = 0; p < points; p++) {
		offsets[p + 1] += offsets[p];
	}
	uint32_t *next = snw_arena_copy(arena, offsets, ((size_t)points + 1) * sizeof *offsets);
	for (uint32_t k = 0; k < list->count; k++) {
		for (uint64_t i = list->offsets[k]; i < list->offsets[k + 1]; i++) {
			float *entry = entries + 4 * (size_t)next[list->points[i]]++;
			for (size_t c = 0; c < 3; c++) {
				entry[c] = (float)list->vectors[3 * i + c];
			}
			entry[3] = (float)(index == SNW_ENTRY_COEFFICIENT ? list->coefficients[k] : k);
		}
	}
	return (snw_by_point){.count = count, .entries = entries, .offsets = offsets};
}
