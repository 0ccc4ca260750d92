/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points against a surface: the nearest place, and how often the surface goes round a point.
 */
#include <math.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "mesh/surface.h"
#include "sinew/algebra.h"

/* Twice the area, along the normal. */
static void area_vector(const snw_triangle *at, double vector[3]) {
	double sides[2][3];
	for (int c = 0; c < 3; c++) {
		sides[0][c] = at->corners[1][c] - at->corners[0][c];
		sides[1][c] = at->corners[2][c] - at->corners[0][c];
	}
	snw_cross3(sides[0], sides[1], vector);
}

/* ---- the nearest place --------------------------------------------------------------------------------------------------- */

/* Of squared distances: places of two triangles that are one, on their common edge or point. */
#define SAME_PLACE 1e-9
/* A share of a corner that is none: the place is on the edge across. */
#define NO_SHARE 1e-9

typedef struct search {
	snw_contact_mesh_pose *pose;
	const double *point;
	snw_contact_counts *counts;
	const void *context;
	double best; /* squared */
	uint32_t triangle;
	snw_triangle at; /* that triangle */
	double shares[3];
} search;

/* The squared distance of a point from a box; INFINITY from an empty one. */
static double box_distance2(const row_box *box, const double point[3]) {
	double squares = 0;
	for (int c = 0; c < 3; c++) {
		const double below = (double)box->lower[c] - point[c], above = point[c] - (double)box->upper[c];
		const double away = below > above ? below : above;
		squares += away > 0 ? away * away : 0;
	}
	return squares;
}

static void try_triangle(search *s, uint32_t ordered) {
	const uint32_t triangle = s->pose->tree->order[ordered];
	if (s->counts && !s->counts(s->context, triangle)) {
		return;
	}
	const snw_triangle at = contact_triangle(s->pose, ordered);
	const double *const pointers[3] = {at.corners[0], at.corners[1], at.corners[2]};
	double shares[3];
	const double squares = snw_triangle_nearest(s->point, pointers, shares);
	if (squares < s->best || (squares == s->best && triangle < s->triangle)) {
		s->best = squares;
		s->triangle = triangle;
		s->at = at;
		memcpy(s->shares, shares, sizeof shares);
	}
}

/* Calls for the leaves whose boxes are within a squared distance, which may shrink, the nearer ones first. */
static void visit_leaves(search *s, const double *within, double slack, void (*leaf)(search *s, uint32_t ordered)) {
	snw_contact_mesh_pose *pose = s->pose;
	uint32_t pending[DEEPEST + 2], count = 0;
	if (pose->tree->node_count > 0) {
		pending[count++] = 0;
	}
	while (count > 0) {
		const uint32_t n = pending[--count];
		const tree_node *node = &pose->tree->nodes[n];
		if (box_distance2(contact_box(pose, n), s->point) > *within * (1 + slack)) {
			continue;
		}
		if (contact_open(pose, n) && box_distance2(contact_box(pose, n), s->point) > *within * (1 + slack)) {
			continue;
		}
		if (node->right == SNW_NONE) {
			for (uint32_t i = node->begin; i < node->end; i++) {
				leaf(s, i);
			}
			continue;
		}
		const bool is_right_nearer =
			box_distance2(contact_box(pose, node->right), s->point) < box_distance2(contact_box(pose, n + 1), s->point);
		pending[count++] = is_right_nearer ? n + 1 : node->right;
		pending[count++] = is_right_nearer ? node->right : n + 1;
	}
}

/* The sum of the unit normals of the triangles at the place, each once. */
typedef struct normal_sum {
	search base;
	double place[3], within, normal[3];
} normal_sum;

static void add_normal(search *s, uint32_t ordered) {
	normal_sum *sum = (normal_sum *)s;
	double shares[3], normal[3];
	if (s->counts && !s->counts(s->context, s->pose->tree->order[ordered])) {
		return;
	}
	const snw_triangle at = contact_triangle(s->pose, ordered);
	const double *const pointers[3] = {at.corners[0], at.corners[1], at.corners[2]};
	if (!(snw_triangle_nearest(sum->place, pointers, shares) <= sum->within)) {
		return;
	}
	area_vector(&at, normal);
	const double length = snw_length3(normal);
	for (int c = 0; c < 3 && length > 0; c++) {
		sum->normal[c] += normal[c] / length;
	}
}

static normal_sum begin_normal(const search *found, const snw_contact_place *place) {
	double size = 0;
	for (int k = 0; k < 3; k++) {
		size = fmax(size, snw_squared_distance3(found->at.corners[k], found->at.corners[(k + 1) % 3]));
	}
	normal_sum sum = {.base = *found, .within = SAME_PLACE * SAME_PLACE * size};
	memcpy(sum.place, place->place, sizeof sum.place);
	return sum;
}

static void end_normal(const normal_sum *sum, snw_contact_place *place) {
	const double length = snw_length3(sum->normal);
	for (int c = 0; c < 3; c++) {
		place->normal[c] = length > 0 ? sum->normal[c] / length : 0;
	}
}

static void find_normal(const search *found, snw_contact_place *place) {
	normal_sum sum = begin_normal(found, place);
	sum.base.point = sum.place;
	visit_leaves(&sum.base, &sum.within, 0, add_normal);
	end_normal(&sum, place);
}

static bool is_on_border(const search *found) {
	const uint8_t borders = found->pose->tree->borders[found->triangle];
	bool is_on = false;
	for (unsigned e = 0; e < 3; e++) { /* edge e is across from corner e + 2 */
		is_on = is_on || ((borders >> e & 1U) && found->shares[(e + 2) % 3] < NO_SHARE);
	}
	const snw_contact_tree *tree = found->pose->tree;
	for (unsigned k = 0; k < 3; k++) { /* at a corner that other triangles have an edge of the border at */
		const bool is_at = found->shares[(k + 1) % 3] < NO_SHARE && found->shares[(k + 2) % 3] < NO_SHARE;
		is_on = is_on || (is_at && tree->at_border[tree->corners[found->triangle][k]]);
	}
	return is_on;
}

/* Without its normal. */
static snw_contact_place place_of(const search *s) {
	snw_contact_place place = {.triangle = s->triangle, .distance = INFINITY};
	if (s->triangle == SNW_NONE) {
		return place;
	}
	place.distance = sqrt(s->best);
	for (int c = 0; c < 3; c++) {
		for (int k = 0; k < 3; k++) {
			place.place[c] += s->shares[k] * s->at.corners[k][c];
		}
	}
	place.on_border = is_on_border(s);
	return place;
}

snw_contact_place snw_contact_nearest(snw_contact_mesh_pose *pose, const double point[3], double distance,
									  snw_contact_counts *counts, const void *context) {
	search s = {.pose = pose, .point = point, .counts = counts, .context = context, .best = distance * distance};
	s.triangle = SNW_NONE;
	visit_leaves(&s, &s.best, 1e-6, try_triangle);
	snw_contact_place place = place_of(&s);
	if (place.triangle != SNW_NONE) {
		find_normal(&s, &place);
	}
	return place;
}

/* Whether a triangle has one of the first corners of another. */
static bool has_corner(const snw_contact_tree *tree, uint32_t triangle, uint32_t other, int first_count) {
	bool has = false;
	for (int k = 0; k < 3 * first_count; k++) {
		has = has || tree->corners[triangle][k % 3] == tree->corners[other][k / 3];
	}
	return has;
}

/* Calls for the triangles that share a point with one, each once. */
static void visit_around(search *s, uint32_t triangle, void (*around)(search *s, uint32_t ordered)) {
	const snw_contact_tree *tree = s->pose->tree;
	for (int k = 0; k < 3; k++) {
		const uint32_t point = tree->corners[triangle][k];
		for (uint32_t i = tree->around_starts[point]; i < tree->around_starts[point + 1]; i++) {
			if (!has_corner(tree, tree->around[i], triangle, k)) {
				around(s, tree->ordered_at[tree->around[i]]);
			}
		}
	}
}

snw_contact_place snw_contact_nearest_from(snw_contact_mesh_pose *pose, uint32_t triangle, const double point[3]) {
	search s = {.pose = pose, .point = point, .best = INFINITY, .triangle = SNW_NONE};
	uint32_t from = SNW_NONE;
	try_triangle(&s, pose->tree->ordered_at[triangle]);
	while (s.triangle != from) {
		from = s.triangle;
		visit_around(&s, from, try_triangle);
	}
	snw_contact_place place = place_of(&s);
	if (place.triangle != SNW_NONE) {
		normal_sum sum = begin_normal(&s, &place);
		visit_around(&sum.base, place.triangle, add_normal);
		end_normal(&sum, &place);
	}
	return place;
}

/* ---- winding numbers ----------------------------------------------------------------------------------------------------- */

/* How many radii away a node counts as a dipole, and within how much of a threshold the sum is not trusted. */
#define FAR_AWAY 2.0
#define NOT_TRUSTED 0.2

/* Adds a triangle's area vector, and its middle by the area. */
static void add_area(const snw_contact_mesh_pose *pose, uint32_t ordered, double area[3], double middle[3], double *sum) {
	const snw_triangle at = contact_triangle(pose, ordered);
	double vector[3];
	area_vector(&at, vector);
	const double size = snw_length3(vector) / 2;
	for (int c = 0; c < 3 && isfinite(size); c++) {
		area[c] += vector[c] / 2;
		middle[c] += size * (at.corners[0][c] + at.corners[1][c] + at.corners[2][c]) / 3;
	}
	*sum += isfinite(size) ? size : 0;
}

static void make_dipole(snw_contact_mesh_pose *pose, uint32_t n) {
	const tree_node *node = &pose->tree->nodes[n];
	double area[3] = {0}, middle[3] = {0}, sum = 0, radius = 0;
	for (uint32_t i = node->begin; i < node->end && node->right == SNW_NONE; i++) {
		add_area(pose, i, area, middle, &sum);
	}
	for (int side = 0; side < 2 && node->right != SNW_NONE; side++) {
		const dipole *part = &pose->dipoles[side ? node->right : n + 1];
		for (int c = 0; c < 3; c++) {
			area[c] += (double)part->area[c];
			middle[c] += (double)part->area[3] * (double)part->middle[c];
		}
		sum += (double)part->area[3];
	}
	const row_box *box = contact_box(pose, n);
	dipole *made = &pose->dipoles[n];
	for (int c = 0; c < 3; c++) {
		made->area[c] = (float)area[c];
		made->middle[c] = (float)(sum > 0 ? middle[c] / sum : 0);
		const double reach =
			fmax((double)box->upper[c] - (double)made->middle[c], (double)made->middle[c] - (double)box->lower[c]);
		radius += reach * reach;
	}
	made->area[3] = (float)sum; /* the weight of the middle */
	made->radius = sum > 0 ? (float)sqrt(radius) : 0;
}

void snw_contact_make_dipoles(snw_contact_mesh_pose *pose) {
	for (uint32_t n = pose->tree->node_count; n-- > 0;) {
		make_dipole(pose, n);
	}
}

static double sum_windings(const snw_contact_mesh_pose *pose, const double point[3], double far_away) {
	uint32_t pending[DEEPEST + 2], count = 0;
	double winding = 0;
	if (pose->tree->node_count > 0) {
		pending[count++] = 0;
	}
	while (count > 0) {
		const uint32_t n = pending[--count];
		const tree_node *node = &pose->tree->nodes[n];
		const dipole *of = &pose->dipoles[n];
		double squares = 0, facing = 0;
		for (int c = 0; c < 3; c++) {
			const double away = (double)of->middle[c] - point[c];
			squares += away * away;
			facing += away * (double)of->area[c];
		}
		const double reach = far_away * (double)of->radius;
		if (squares > reach * reach) {
			winding += squares > 0 ? facing / (4 * M_PI * squares * sqrt(squares)) : 0;
		} else if (node->right != SNW_NONE) {
			pending[count++] = node->right;
			pending[count++] = n + 1;
		} else {
			for (uint32_t i = node->begin; i < node->end; i++) {
				const snw_triangle at = contact_triangle(pose, i);
				const double angle = snw_triangle_solid_angle(&at, point);
				winding += isfinite(angle) ? angle : 0;
			}
		}
	}
	return winding;
}

double snw_contact_winding(const snw_contact_mesh_pose *pose, const double point[3], double threshold) {
	const double winding = sum_windings(pose, point, FAR_AWAY);
	return fabs(winding - threshold) < NOT_TRUSTED ? sum_windings(pose, point, INFINITY) : winding;
}

/* At a point of the surface itself the number is between 0 and 1 without the part that goes round it. */
bool snw_contact_is_inside(const snw_contact_mesh_pose *pose, const double point[3], bool is_of_surface) {
	const double threshold = is_of_surface ? 1 : SNW_CONTACT_INSIDE;
	return pose->tree->is_closed && snw_contact_winding(pose, point, threshold) > threshold;
}
