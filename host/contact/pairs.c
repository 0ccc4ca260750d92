/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Both trees at once, from their roots: two nodes whose boxes are apart have no pairs, else the one with more triangles is
 * opened. Where it is a cluster that is not posed yet, it is skinned then, and its box becomes exact.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "mesh/mesh.h"
#include "mesh/surface.h"
#include "sinew/algebra.h"

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

/* Two nodes, each of its tree. A node beside itself stands for the pairs within it. */
typedef struct node_pair {
	uint32_t first, second;
} node_pair;

typedef struct traversal {
	snw_contact_mesh_pose *first, *second;
	const snw_contact_moves *first_moves, *second_moves; /* what has moved together is passed over; NULL: nothing is */
	bool is_self;
	float distance;
	double limit; /* the distance, as it was asked */
	snw_contact_found *found;
	void *context;
	bool is_stopped;
	uint32_t pending_count;
	node_pair pending[4 * DEEPEST]; /* each split leaves one more, or two within a node */
} traversal;

typedef int32_t row_mask __attribute__((vector_size(16), may_alias));
typedef int64_t row_bits __attribute__((vector_size(16), may_alias));

/* Four comparisons at once: this is most of the time of a query. */
static inline bool are_apart(const row_box *a, const row_box *b, float distance) {
	const row_bits apart = (row_bits)((row_mask)(a->lower - distance > b->upper) | (row_mask)(b->lower - distance > a->upper));
	return (apart[0] | apart[1]) != 0;
}

static void push(traversal *t, uint32_t first, uint32_t second) {
	t->pending[t->pending_count++] = (node_pair){first, second};
}

static row_box box_of_triangle(const snw_contact_mesh_pose *pose, uint32_t ordered) {
	const uint32_t *places = pose->tree->places[ordered];
	row_box box = {pose->places[places[0]], pose->places[places[0]]};
	for (int k = 1; k < 3; k++) {
		box.lower = least_row(pose->places[places[k]], box.lower);
		box.upper = most_row(pose->places[places[k]], box.upper);
	}
	return box;
}

static bool share_a_point(const uint32_t a[3], const uint32_t b[3]) {
	bool shared = false;
	for (int i = 0; i < 3; i++) {
		shared = shared || a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
	}
	return shared;
}

/* Two triangles in the orders of their trees, whose boxes are not apart. */
static void test_triangles(traversal *t, uint32_t first, uint32_t second) {
	uint32_t a = t->first->tree->order[first], b = t->second->tree->order[second];
	if (t->first_moves && moved_together(t->first_moves->triangles[first], t->second_moves->triangles[second])) {
		return;
	}
	if (t->is_self && share_a_point(t->first->tree->corners[a], t->first->tree->corners[b])) {
		return;
	}
	const bool is_turned = t->is_self && a > b; /* the lower one is the first, and so the bits do not depend on the tree */
	snw_triangle pair[2];
	pair[is_turned] = contact_triangle(t->first, first);
	pair[!is_turned] = contact_triangle(t->second, second);
	double distance = 0;
	if (t->limit > 0) {
		distance = snw_triangles_distance(&pair[0], &pair[1]);
	} else if (!snw_triangles_meet(&pair[0], &pair[1])) {
		return;
	}
	if (distance <= t->limit) {
		t->is_stopped = !t->found(t->context, is_turned ? b : a, is_turned ? a : b, distance);
	}
}

/* The triangles of a leaf whose boxes are not apart from a box. */
typedef struct near_triangles {
	uint32_t count, ordered[LEAF_TRIANGLES];
	row_box boxes[LEAF_TRIANGLES];
} near_triangles;

static void list_near(const snw_contact_mesh_pose *pose, const tree_node *leaf, const row_box *other, float distance,
					  near_triangles *list) {
	for (uint32_t i = leaf->begin; i < leaf->end; i++) {
		list->boxes[list->count] = box_of_triangle(pose, i);
		list->ordered[list->count] = i;
		list->count += !are_apart(&list->boxes[list->count], other, distance);
	}
}

static void test_leaves(traversal *t, uint32_t first, uint32_t second) {
	const bool is_same = t->is_self && first == second;
	near_triangles one = {.count = 0}, other = {.count = 0};
	list_near(t->first, &t->first->tree->nodes[first], contact_box(t->second, second), t->distance, &one);
	list_near(t->second, &t->second->tree->nodes[second], contact_box(t->first, first), t->distance, &other);
	for (uint32_t i = 0; i < one.count; i++) {
		for (uint32_t j = is_same ? i + 1 : 0; j < other.count && !t->is_stopped; j++) {
			if (!are_apart(&one.boxes[i], &other.boxes[j], t->distance)) {
				test_triangles(t, one.ordered[i], other.ordered[j]);
			}
		}
	}
}

/* The pairs within a node. */
static void visit_self(traversal *t, uint32_t at) {
	const tree_node *node = &t->first->tree->nodes[at];
	contact_open(t->first, at);
	if (node->right == SNW_NONE) {
		test_leaves(t, at, at);
		return;
	}
	push(t, at + 1, node->right);
	push(t, node->right, node->right);
	push(t, at + 1, at + 1);
}

static void visit(traversal *t, node_pair at) {
	const tree_node *first = &t->first->tree->nodes[at.first], *second = &t->second->tree->nodes[at.second];
	if (are_apart(contact_box(t->first, at.first), contact_box(t->second, at.second), t->distance)) {
		return;
	}
	const uint32_t first_count = first->end - first->begin, second_count = second->end - second->begin;
	const bool is_leaf = first->right == SNW_NONE && second->right == SNW_NONE;
	const bool opens_first = second->right == SNW_NONE || (first->right != SNW_NONE && first_count >= second_count);
	const bool has_changed = (is_leaf || opens_first ? contact_open(t->first, at.first) : false) |
							 (is_leaf || !opens_first ? contact_open(t->second, at.second) : false);
	if (has_changed && are_apart(contact_box(t->first, at.first), contact_box(t->second, at.second), t->distance)) {
		return;
	}
	if (is_leaf) {
		test_leaves(t, at.first, at.second);
	} else if (opens_first) {
		push(t, first->right, at.second);
		push(t, at.first + 1, at.second);
	} else {
		push(t, at.first, second->right);
		push(t, at.first, at.second + 1);
	}
}

static void traverse(traversal *t) {
	if (t->first->tree->node_count == 0 || t->second->tree->node_count == 0) {
		return;
	}
	t->distance = t->limit > 0 ? nextafterf((float)t->limit, INFINITY) : 0;
	push(t, 0, 0);
	while (t->pending_count > 0 && !t->is_stopped) {
		const node_pair at = t->pending[--t->pending_count];
		if (t->first_moves && moved_together(t->first_moves->nodes[at.first], t->second_moves->nodes[at.second])) {
			continue;
		}
		if (t->is_self && at.first == at.second) {
			visit_self(t, at.first);
		} else {
			visit(t, at);
		}
	}
}

void snw_contact_pairs(snw_contact_mesh_pose *first, snw_contact_mesh_pose *second, double distance, snw_contact_found *found,
					   void *context) {
	traversal t = {.first = first, .second = second, .limit = distance, .found = found, .context = context};
	traverse(&t);
}

void snw_contact_self_pairs(snw_contact_mesh_pose *pose, double distance, snw_contact_found *found, void *context) {
	traversal t = {.first = pose, .second = pose, .is_self = true, .limit = distance, .found = found, .context = context};
	traverse(&t);
}

void snw_contact_moved_pairs(snw_contact_mesh_pose *first, const snw_contact_moves *first_moves, snw_contact_mesh_pose *second,
							 const snw_contact_moves *second_moves, double distance, snw_contact_found *found, void *context) {
	traversal t = {.first = first,
				   .second = second,
				   .first_moves = first_moves,
				   .second_moves = second_moves,
				   .limit = distance,
				   .found = found,
				   .context = context};
	traverse(&t);
}

void snw_contact_moved_self_pairs(snw_contact_mesh_pose *pose, const snw_contact_moves *moves, double distance,
								  snw_contact_found *found, void *context) {
	traversal t = {.first = pose,
				   .second = pose,
				   .first_moves = moves,
				   .second_moves = moves,
				   .is_self = true,
				   .limit = distance,
				   .found = found,
				   .context = context};
	traverse(&t);
}

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b) {
	const snw_contact_pair *x = a, *y = b;
	for (int k = 0; k < 2; k++) {
		if (x->triangles[k] != y->triangles[k]) {
			return x->triangles[k] < y->triangles[k] ? -1 : 1;
		}
	}
	return 0;
}

/* Lets the pair at `at` of a heap, the highest at its top, sink to its place. */
static void sink(snw_contact_pair *heap, uint32_t count, uint32_t at) {
	const snw_contact_pair sinking = heap[at];
	for (size_t child = 2 * (size_t)at + 1; child < count; child = 2 * (size_t)at + 1) {
		child += child + 1 < count && compare_pairs(&heap[child], &heap[child + 1]) < 0;
		if (compare_pairs(&heap[child], &sinking) <= 0) {
			break;
		}
		heap[at] = heap[child];
		at = (uint32_t)child;
	}
	heap[at] = sinking;
}

bool snw_contact_list_take(void *context, uint32_t first, uint32_t second, double distance) {
	snw_contact_list *list = context;
	const snw_contact_pair pair = {{first, second}, distance};
	if (list->count == SNW_CONTACT_MOST_PAIRS) {
		list->is_limited = true;
		return false;
	}
	if (list->count < list->capacity) {
		list->pairs[list->count] = pair;
	} else if (list->capacity > 0) {
		for (uint32_t i = list->capacity / 2; i-- > 0 && list->count == list->capacity;) {
			sink(list->pairs, list->capacity, i); /* full for the first time: from here on it is a heap */
		}
		if (compare_pairs(&pair, &list->pairs[0]) < 0) {
			list->pairs[0] = pair;
			sink(list->pairs, list->capacity, 0);
		}
	}
	list->count++;
	return true;
}

uint32_t snw_contact_list_sort(snw_contact_list *list) {
	const uint32_t count = list->count < list->capacity ? list->count : list->capacity;
	if (count > 0) {
		qsort(list->pairs, count, sizeof *list->pairs, compare_pairs);
	}
	return count;
}

/* ---- neighbours ---------------------------------------------------------------------------------------------------------- */

enum { KNOWN = 1 << 14 };

typedef struct known_pair {
	uint32_t first, second; /* the same twice: none */
	bool are_neighbours;
} known_pair;

struct snw_contact_neighbours {
	const snw_contact_tree *tree;
	double distance;
	snw_adjacency around;
	snw_surface_walk *walk;
	uint32_t *points; /* [point_count] */
	double *distances;
	known_pair *known; /* [KNOWN], by a hash */
};

snw_contact_neighbours *snw_contact_neighbours_make(const snw_contact_tree *tree, double distance, snw_arena *arena) {
	snw_contact_neighbours *made = SNW_NEW(arena, snw_contact_neighbours);
	*made = (snw_contact_neighbours){
		.tree = tree,
		.distance = distance,
		.around = snw_adjacency_make(tree->mesh, NULL, arena),
		.points = SNW_NEW_ARRAY(arena, uint32_t, tree->mesh->point_count),
		.distances = SNW_NEW_ARRAY(arena, double, tree->mesh->point_count),
		.known = SNW_NEW_ARRAY(arena, known_pair, KNOWN),
	};
	made->walk = snw_surface_walk_make(tree->mesh, &made->around, arena);
	return made;
}

/* Whether a corner of the second triangle is nearer than the distance along the surface to the middle of the first. */
static bool walk_to(snw_contact_neighbours *n, uint32_t first, uint32_t second) {
	const double *rest = n->tree->mesh->points_rest;
	const uint32_t *from = n->tree->corners[first], *to = n->tree->corners[second];
	double middle[3] = {0, 0, 0}, straight = INFINITY;
	for (int k = 0; k < 3; k++) {
		for (int c = 0; c < 3; c++) {
			middle[c] += rest[3 * (size_t)from[k] + (size_t)c] / 3;
		}
	}
	for (int k = 0; k < 3; k++) {
		straight = fmin(straight, snw_squared_distance3(middle, rest + 3 * (size_t)to[k]));
	}
	if (!(straight < n->distance * n->distance)) {
		return false;
	}
	const uint32_t count =
		snw_surface_walk_from(n->walk, rest, middle, n->tree->faces[first], n->distance, n->points, n->distances);
	bool is_reached = false;
	for (uint32_t i = 0; i < count; i++) {
		is_reached = is_reached || n->points[i] == to[0] || n->points[i] == to[1] || n->points[i] == to[2];
	}
	return is_reached;
}

bool snw_contact_are_neighbours(snw_contact_neighbours *neighbours, uint32_t first, uint32_t second) {
	const uint32_t low = first < second ? first : second, high = first < second ? second : first;
	if (!(neighbours->distance > 0) || low == high) {
		return low == high;
	}
	known_pair *known = &neighbours->known[(low * 2654435761U ^ high * 2246822519U) >> 18];
	if (known->first != low || known->second != high) {
		*known = (known_pair){low, high, walk_to(neighbours, low, high)};
	}
	return known->are_neighbours;
}

uint32_t snw_contact_neighbours_of(snw_contact_neighbours *neighbours, uint32_t point, const uint32_t **points) {
	const snw_adjacency *around = &neighbours->around;
	const double *rest = neighbours->tree->mesh->points_rest;
	*points = neighbours->points;
	return neighbours->distance > 0 ? snw_surface_walk_from(neighbours->walk, rest, rest + 3 * (size_t)point,
															around->faces[around->face_starts[point]], neighbours->distance,
															neighbours->points, neighbours->distances)
									: 0;
}

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

/* Two triangles, by separating axes: they are apart if there is a direction along which all of one comes before all of the
 * other, and for triangles it is enough to try their normals, the products of their edges, and the normals of their edges in
 * their planes, which decide where the two planes are one. */

static void subtract(const double a[3], const double b[3], double difference[3]) {
	for (int c = 0; c < 3; c++) {
		difference[c] = a[c] - b[c];
	}
}

/* A triangle with its edges and its normal. */
typedef struct edged_triangle {
	const snw_triangle *of;
	double edges[3][3], normal[3];
} edged_triangle;

static edged_triangle edged_of(const snw_triangle *triangle) {
	edged_triangle made = {.of = triangle};
	for (int k = 0; k < 3; k++) {
		subtract(triangle->corners[(k + 1) % 3], triangle->corners[k], made.edges[k]);
	}
	snw_cross3(made.edges[0], made.edges[1], made.normal);
	return made;
}

/* Along an axis, from a corner of `a` so that what is far from the origin loses no digits. */
static bool are_apart_along(const edged_triangle *a, const edged_triangle *b, const double axis[3]) {
	double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
	for (int k = 0; k < 3; k++) {
		double from[3], along[2];
		subtract(a->of->corners[k], a->of->corners[0], from);
		along[0] = snw_dot3(from, axis);
		subtract(b->of->corners[k], a->of->corners[0], from);
		along[1] = snw_dot3(from, axis);
		for (int t = 0; t < 2; t++) {
			least[t] = along[t] < least[t] ? along[t] : least[t];
			most[t] = along[t] > most[t] ? along[t] : most[t];
		}
	}
	return least[1] > most[0] || least[0] > most[1];
}

/* All of `b` is on one side of the plane of `a`. */
static bool is_beside_plane(const edged_triangle *a, const edged_triangle *b) {
	int above = 0, below = 0;
	for (int k = 0; k < 3; k++) {
		double from[3];
		subtract(b->of->corners[k], a->of->corners[0], from);
		const double height = snw_dot3(from, a->normal);
		above += height > 0;
		below += height < 0;
	}
	return above == 3 || below == 3;
}

static bool are_apart_by_edges(const edged_triangle *a, const edged_triangle *b) {
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			double axis[3];
			snw_cross3(a->edges[i], b->edges[j], axis);
			const double squares = snw_dot3(a->edges[i], a->edges[i]) * snw_dot3(b->edges[j], b->edges[j]);
			/* Of parallel edges the product is rounding, and no axis. */
			if (snw_dot3(axis, axis) > 1e-20 * squares && are_apart_along(a, b, axis)) {
				return true;
			}
		}
	}
	return false;
}

static bool are_apart_in_plane(const edged_triangle *a, const edged_triangle *b) {
	for (int k = 0; k < 3; k++) {
		double axis[3];
		snw_cross3(a->normal, a->edges[k], axis);
		if (are_apart_along(a, b, axis)) {
			return true;
		}
	}
	return false;
}

static bool is_finite(const edged_triangle *triangle) {
	/* A corner that is not finite makes the normal so too. */
	return isfinite(triangle->normal[0] + triangle->normal[1] + triangle->normal[2]);
}

bool snw_triangles_meet(const snw_triangle *a, const snw_triangle *b) {
	const edged_triangle first = edged_of(a), second = edged_of(b);
	if (is_beside_plane(&first, &second) || is_beside_plane(&second, &first)) {
		return false;
	}
	return is_finite(&first) && is_finite(&second) && !are_apart_by_edges(&first, &second) &&
		   !are_apart_in_plane(&first, &second) && !are_apart_in_plane(&second, &first);
}

/* The squared distance between the edges a + s d and b + t e (C. Ericson, Real-time collision detection, 2004, 5.1.9). */
static double edges_distance2(const double a[3], const double d[3], const double b[3], const double e[3]) {
	double r[3];
	subtract(a, b, r);
	const double aa = snw_dot3(d, d), ee = snw_dot3(e, e), f = snw_dot3(e, r), c = snw_dot3(d, r), de = snw_dot3(d, e);
	const double denominator = aa * ee - de * de;
	double s = denominator > 0 ? fmin(fmax((de * f - c * ee) / denominator, 0), 1) : 0;
	double t = ee > 0 ? (de * s + f) / ee : 0;
	if (!(t >= 0 && t <= 1)) {
		t = t > 1 ? 1 : 0;
		s = aa > 0 ? fmin(fmax((t * de - c) / aa, 0), 1) : 0;
	}
	double squares = 0;
	for (int k = 0; k < 3; k++) {
		const double away = r[k] + s * d[k] - t * e[k];
		squares += away * away;
	}
	return squares;
}

static double corners_distance2(const snw_triangle *from, const snw_triangle *to) {
	const double *const corners[3] = {to->corners[0], to->corners[1], to->corners[2]};
	double least = INFINITY;
	for (int k = 0; k < 3; k++) {
		double shares[3];
		least = fmin(least, snw_triangle_nearest(from->corners[k], corners, shares));
	}
	return least;
}

double snw_triangles_distance(const snw_triangle *a, const snw_triangle *b) {
	if (snw_triangles_meet(a, b)) {
		return 0;
	}
	const edged_triangle first = edged_of(a), second = edged_of(b);
	double least = fmin(corners_distance2(a, b), corners_distance2(b, a));
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			least = fmin(least, edges_distance2(a->corners[i], first.edges[i], b->corners[j], second.edges[j]));
		}
	}
	return sqrt(least);
}

/* A. Van Oosterom and J. Strackee, "The solid angle of a plane triangle", 1983. */
double snw_triangle_solid_angle(const snw_triangle *triangle, const double point[3]) {
	double to[3][3], lengths[3], across[3];
	for (int k = 0; k < 3; k++) {
		subtract(triangle->corners[k], point, to[k]);
		lengths[k] = snw_length3(to[k]);
	}
	snw_cross3(to[1], to[2], across);
	const double volume = snw_dot3(to[0], across);
	const double below = lengths[0] * lengths[1] * lengths[2] + snw_dot3(to[0], to[1]) * lengths[2] +
						 snw_dot3(to[1], to[2]) * lengths[0] + snw_dot3(to[2], to[0]) * lengths[1];
	const double angle = volume == 0 && below == 0 ? 0 : 2 * atan2(volume, below);
	return angle / (4 * M_PI);
}
