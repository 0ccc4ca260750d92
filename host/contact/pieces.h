/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of a mesh that are connected by edges. A piece of which no triangle meets another surface is all on one side of it,
 * and that may be the wrong one: then no pair of triangles leads to it, and a few of its points are asked.
 */
#ifndef SINEW_HOST_CONTACT_PIECES_H
#define SINEW_HOST_CONTACT_PIECES_H

#include "contact/contact.h"

/* Points without faces are in none. */
typedef struct snw_contact_pieces {
	uint32_t count;
	uint32_t *starts; /* [count + 1] */
	uint32_t *points; /* those of piece i at starts[i] up to starts[i + 1] */
	uint32_t *of;     /* [point_count]: the piece; SNW_NONE for none */
} snw_contact_pieces;
/* In `arena`. */
snw_contact_pieces snw_contact_pieces_list(const snw_contact_tree *tree, snw_arena *arena);

/* A few points that are spread over a piece, the samples: at most SNW_MOST_SAMPLES. */
enum { SNW_MOST_SAMPLES = 16 };
uint32_t snw_piece_sample_count(const snw_contact_pieces *pieces, uint32_t piece);
uint32_t snw_piece_sample(const snw_contact_pieces *pieces, uint32_t piece, uint32_t sample);

/* Whether a point is in contact: one of a piece's samples. */
typedef bool snw_point_in_contact(const void *context, uint32_t point, uint32_t sample);
/* Whether most samples of a piece are. */
bool snw_piece_in_contact(const snw_contact_pieces *pieces, uint32_t piece, snw_point_in_contact *is_in, const void *context);

#endif
