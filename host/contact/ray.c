/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a ray meets a surface first. A triangle is met where the three volumes that the ray spans with its edges have one sign
 * (Woop, Benthin and Wald, "Watertight ray/triangle intersection", 2013): triangles with a common edge have the same number
 * there, so no ray passes between them.
 */
#include <math.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "sinew/algebra.h"

typedef struct shot {
	snw_contact_mesh_pose *pose;
	const double *origin, *direction;
	snw_contact_counts *counts;
	const void *context;
	snw_contact_hit hit;
} shot;

/* Where the ray enters a box, as a multiple of the direction; INFINITY if it does not before `most`. The box is widened by what
 * rounding may lose. */
static double enter(const shot *s, const row_box *box) {
	double from = 0, to = s->hit.along;
	for (int c = 0; c < 3; c++) {
		const double slack = 1e-6 * (fabs((double)box->lower[c]) + fabs((double)box->upper[c]) + fabs(s->origin[c]));
		const double below = (double)box->lower[c] - slack - s->origin[c], above = (double)box->upper[c] + slack - s->origin[c];
		if (s->direction[c] == 0) {
			from = below <= 0 && above >= 0 ? from : (double)INFINITY;
			continue;
		}
		const double one = below / s->direction[c], other = above / s->direction[c];
		from = fmax(from, fmin(one, other));
		to = fmin(to, fmax(one, other));
	}
	return from <= to ? from : (double)INFINITY;
}

/* Six times the volume of the ray's direction and an edge, as seen from the origin. */
static double volume(const double direction[3], const double a[3], const double b[3]) {
	double across[3];
	snw_cross3(a, b, across);
	return snw_dot3(direction, across);
}

static void meet(shot *s, uint32_t ordered) {
	const uint32_t triangle = s->pose->tree->order[ordered];
	const snw_triangle at = contact_triangle(s->pose, ordered);
	double seen[3][3], sides[2][3], normal[3];
	for (int k = 0; k < 3; k++) {
		for (int c = 0; c < 3; c++) {
			seen[k][c] = at.corners[k][c] - s->origin[c];
		}
	}
	const double volumes[3] = {volume(s->direction, seen[1], seen[2]), volume(s->direction, seen[2], seen[0]),
							   volume(s->direction, seen[0], seen[1])};
	const bool is_met =
		(volumes[0] >= 0 && volumes[1] >= 0 && volumes[2] >= 0) || (volumes[0] <= 0 && volumes[1] <= 0 && volumes[2] <= 0);
	for (int c = 0; c < 3; c++) {
		sides[0][c] = at.corners[1][c] - at.corners[0][c];
		sides[1][c] = at.corners[2][c] - at.corners[0][c];
	}
	snw_cross3(sides[0], sides[1], normal);
	const double facing = snw_dot3(s->direction, normal), along = snw_dot3(seen[0], normal) / facing;
	const bool is_nearer = along < s->hit.along || (along == s->hit.along && triangle < s->hit.triangle);
	if (!is_met || facing == 0 || !(along >= 0) || !is_nearer || (s->counts && !s->counts(s->context, triangle))) {
		return;
	}
	s->hit.along = along;
	s->hit.triangle = triangle;
	snw_normalize3(normal);
	memcpy(s->hit.normal, normal, sizeof normal);
}

snw_contact_hit snw_contact_ray(snw_contact_mesh_pose *pose, const double origin[3], const double direction[3], double most,
								snw_contact_counts *counts, const void *context) {
	shot s = {.pose = pose, .origin = origin, .direction = direction, .counts = counts, .context = context};
	uint32_t pending[DEEPEST + 2], count = 0;
	s.hit = (snw_contact_hit){.triangle = SNW_NONE, .along = most};
	if (pose->tree->node_count > 0) {
		pending[count++] = 0;
	}
	while (count > 0) {
		const uint32_t n = pending[--count];
		const tree_node *node = &pose->tree->nodes[n];
		if (isinf(enter(&s, contact_box(pose, n))) || (contact_open(pose, n) && isinf(enter(&s, contact_box(pose, n))))) {
			continue;
		}
		for (uint32_t i = node->begin; i < node->end && node->right == SNW_NONE; i++) {
			meet(&s, i);
		}
		if (node->right != SNW_NONE) {
			const bool is_right_nearer = enter(&s, contact_box(pose, node->right)) < enter(&s, contact_box(pose, n + 1));
			pending[count++] = is_right_nearer ? n + 1 : node->right;
			pending[count++] = is_right_nearer ? node->right : n + 1;
		}
	}
	for (int c = 0; c < 3 && s.hit.triangle != SNW_NONE; c++) {
		s.hit.place[c] = origin[c] + s.hit.along * direction[c];
	}
	return s.hit;
}
