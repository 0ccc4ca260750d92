/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/moves.h"

#include <string.h>

#include "contact/contact_internal.h"
#include "sinew/algebra.h"

snw_contact_moves *snw_contact_moves_make(const snw_contact_tree *tree, snw_arena *arena) {
	snw_contact_moves *moves = SNW_NEW(arena, snw_contact_moves);
	*moves = (snw_contact_moves){.tree = tree,
								 .points = SNW_NEW_ARRAY(arena, uint8_t, tree->mesh->point_count),
								 .triangles = SNW_NEW_ARRAY(arena, uint8_t, tree->triangle_count),
								 .nodes = SNW_NEW_ARRAY(arena, uint8_t, tree->node_count)};
	return moves;
}

static bool is_moved_by(const double motion[12], const float before[3], const float after[3], double slack) {
	double squares = 0;
	for (int r = 0; r < 3; r++) {
		const double *row = motion + 4 * (ptrdiff_t)r;
		const double away =
			row[0] * (double)before[0] + row[1] * (double)before[1] + row[2] * (double)before[2] + row[3] - (double)after[r];
		squares += away * away;
	}
	return squares <= slack * slack;
}

static void find_points(snw_contact_moves *moves, const float *before, const float *after, uint32_t motion_count,
						const double (*motions)[12], double slack) {
	for (size_t p = 0; p < moves->tree->mesh->point_count; p++) {
		const float *from = before + 3 * p, *to = after + 3 * p;
		uint8_t found = MOVED_APART;
		for (uint8_t i = 0; i < motion_count && found == MOVED_APART; i++) {
			found = is_moved_by(motions[i], from, to, slack) ? i : found;
		}
		moves->points[p] = found;
	}
}

static uint8_t joined(uint8_t a, uint8_t b) {
	return a == b ? a : MOVED_APART;
}

void snw_contact_moves_find(snw_contact_moves *moves, const float *before, const float *after, uint32_t motion_count,
							const double (*motions)[12], double slack) {
	const snw_contact_tree *tree = moves->tree;
	find_points(moves, before, after, motion_count, motions, slack);
	for (uint32_t i = 0; i < tree->triangle_count; i++) {
		const uint32_t *corners = tree->corners[tree->order[i]];
		moves->triangles[i] = joined(joined(moves->points[corners[0]], moves->points[corners[1]]), moves->points[corners[2]]);
	}
	for (uint32_t n = tree->node_count; n-- > 0;) {
		const tree_node *node = &tree->nodes[n];
		uint8_t all =
			node->right == SNW_NONE ? moves->triangles[node->begin] : joined(moves->nodes[n + 1], moves->nodes[node->right]);
		for (uint32_t i = node->begin + 1; i < node->end && node->right == SNW_NONE; i++) {
			all = joined(all, moves->triangles[i]);
		}
		moves->nodes[n] = all;
	}
}

bool snw_contact_moved_together(const snw_contact_moves *first, uint32_t first_triangle, const snw_contact_moves *second,
								uint32_t second_triangle) {
	return moved_together(first->triangles[first->tree->ordered_at[first_triangle]],
						  second->triangles[second->tree->ordered_at[second_triangle]]);
}
