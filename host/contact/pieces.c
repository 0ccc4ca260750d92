/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/pieces.h"

#include <string.h>

#include "contact/contact_internal.h"

/* Adds a point and all that edges connect it with. */
static uint32_t add_piece(const snw_contact_tree *tree, snw_contact_pieces *pieces, uint32_t first, uint32_t listed) {
	pieces->of[first] = pieces->count;
	pieces->points[listed++] = first;
	for (uint32_t i = listed - 1; i < listed; i++) { /* `listed` grows */
		const uint32_t point = pieces->points[i];
		for (uint32_t t = tree->around_starts[point]; t < tree->around_starts[point + 1]; t++) {
			for (int k = 0; k < 3; k++) {
				const uint32_t next = tree->corners[tree->around[t]][k];
				if (pieces->of[next] == SNW_NONE) {
					pieces->of[next] = pieces->count;
					pieces->points[listed++] = next;
				}
			}
		}
	}
	return listed;
}

snw_contact_pieces snw_contact_pieces_list(const snw_contact_tree *tree, snw_arena *arena) {
	const uint32_t count = tree->mesh->point_count;
	snw_contact_pieces pieces = {.starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1),
								 .points = SNW_NEW_ARRAY(arena, uint32_t, count),
								 .of = SNW_NEW_ARRAY(arena, uint32_t, count)};
	memset(pieces.of, 0xff, count * sizeof *pieces.of);
	uint32_t listed = 0;
	for (uint32_t p = 0; p < count; p++) {
		if (pieces.of[p] == SNW_NONE && tree->around_starts[p] < tree->around_starts[p + 1]) {
			listed = add_piece(tree, &pieces, p, listed);
			pieces.starts[++pieces.count] = listed;
		}
	}
	return pieces;
}

uint32_t snw_piece_sample_count(const snw_contact_pieces *pieces, uint32_t piece) {
	const uint32_t count = pieces->starts[piece + 1] - pieces->starts[piece];
	return count < SNW_MOST_SAMPLES ? count : SNW_MOST_SAMPLES;
}

uint32_t snw_piece_sample(const snw_contact_pieces *pieces, uint32_t piece, uint32_t sample) {
	const uint32_t first = pieces->starts[piece], count = pieces->starts[piece + 1] - first;
	return pieces->points[first + (uint64_t)sample * count / snw_piece_sample_count(pieces, piece)];
}

bool snw_piece_in_contact(const snw_contact_pieces *pieces, uint32_t piece, snw_point_in_contact *is_in, const void *context) {
	const uint32_t samples = snw_piece_sample_count(pieces, piece);
	uint32_t found = 0;
	for (uint32_t i = 0; i < samples && 2 * (found + samples - i) > samples; i++) {
		found += is_in(context, snw_piece_sample(pieces, piece, i), i);
	}
	return 2 * found > samples;
}
