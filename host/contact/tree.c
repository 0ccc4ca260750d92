/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree at rest: triangles are halved along the longest side of the box of their middles until few are left.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "contact/contact_internal.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- tree ---------------------------------------------------------------------------------------------------------------- */

#define WEIGHT_ROUNDING 1e-6 /* sums of weights that are stored in floats */
#define MOST_FARTHER 4       /* than the points: places of an affine blend that have a box for each slot */

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

static void list_triangles(snw_contact_tree *tree, snw_arena *arena, snw_arena *scratch) {
	const snw_mesh *mesh = tree->mesh;
	uint32_t most = 3;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		tree->triangle_count += count - 2;
		most = count > most ? count : most;
	}
	tree->corners = snw_arena_array(arena, tree->triangle_count, sizeof *tree->corners);
	tree->faces = SNW_NEW_ARRAY(arena, uint32_t, tree->triangle_count);
	uint32_t *space = SNW_NEW_ARRAY(scratch, uint32_t, most), t = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *points = mesh->face_points + mesh->face_offsets[f];
		const uint32_t end = t + mesh->face_offsets[f + 1] - mesh->face_offsets[f] - 2;
		snw_face_triangulate(mesh, f, tree->corners[t], space);
		for (; t < end; t++) {
			tree->faces[t] = f;
			for (int k = 0; k < 3; k++) {
				tree->corners[t][k] = points[tree->corners[t][k]];
			}
		}
	}
}

typedef struct half_edge {
	uint32_t low, high, triangle;
	uint8_t edge;
} half_edge;

static int compare_edges(const void *a, const void *b) {
	const half_edge *x = a, *y = b;
	if (x->low != y->low) {
		return x->low < y->low ? -1 : 1;
	}
	return x->high != y->high ? (x->high < y->high ? -1 : 1) : 0;
}

/* Edges with one triangle. */
static void find_borders(snw_contact_tree *tree, snw_arena *arena, snw_arena *scratch) {
	const size_t count = 3 * (size_t)tree->triangle_count;
	half_edge *edges = SNW_NEW_ARRAY(scratch, half_edge, count);
	tree->borders = SNW_NEW_ARRAY(arena, uint8_t, tree->triangle_count);
	tree->at_border = SNW_NEW_ARRAY(arena, bool, tree->mesh->point_count);
	tree->is_closed = count > 0;
	for (uint32_t t = 0; t < tree->triangle_count; t++) {
		for (uint8_t e = 0; e < 3; e++) {
			const uint32_t a = tree->corners[t][e], b = tree->corners[t][(e + 1) % 3];
			edges[3 * (size_t)t + e] = (half_edge){a < b ? a : b, a < b ? b : a, t, e};
		}
	}
	if (count > 0) {
		qsort(edges, count, sizeof *edges, compare_edges);
	}
	for (size_t i = 0; i < count; i++) {
		const bool has_twin = (i > 0 && compare_edges(&edges[i - 1], &edges[i]) == 0) ||
							  (i + 1 < count && compare_edges(&edges[i + 1], &edges[i]) == 0);
		if (!has_twin) {
			tree->borders[edges[i].triangle] |= (uint8_t)(1U << edges[i].edge);
			tree->at_border[edges[i].low] = tree->at_border[edges[i].high] = true;
			tree->is_closed = false;
		}
	}
}

static void list_around(snw_contact_tree *tree, snw_arena *arena) {
	const uint32_t point_count = tree->mesh->point_count;
	uint32_t *starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)point_count + 2);
	tree->around = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)tree->triangle_count);
	for (uint32_t i = 0; i < 3 * tree->triangle_count; i++) {
		starts[tree->corners[i / 3][i % 3] + 2]++;
	}
	for (uint32_t p = 0; p < point_count; p++) {
		starts[p + 2] += starts[p + 1];
	}
	for (uint32_t i = 0; i < 3 * tree->triangle_count; i++) {
		tree->around[starts[tree->corners[i / 3][i % 3] + 1]++] = i / 3;
	}
	tree->around_starts = starts;
}

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

/* A triangle's middle along the axis that is being halved. */
typedef struct sorted_triangle {
	double along;
	uint32_t triangle;
} sorted_triangle;

typedef struct growth {
	snw_contact_tree *tree;
	double (*middles)[3]; /* [triangle_count], times 3 */
	sorted_triangle *sorted;
} growth;

static int compare_triangles(const void *a, const void *b) {
	const sorted_triangle *x = a, *y = b;
	if (x->along != y->along) {
		return x->along < y->along ? -1 : 1;
	}
	return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

/* Puts the triangles of [begin, end) in the order of their longest side. */
static void sort_along(const growth *g, uint32_t begin, uint32_t end) {
	uint32_t *order = g->tree->order;
	snw_box box = snw_box_empty();
	for (uint32_t i = begin; i < end; i++) {
		snw_box_add(&box, g->middles[order[i]]);
	}
	int axis = 0;
	for (int c = 1; c < 3; c++) {
		axis = box.upper[c] - box.lower[c] > box.upper[axis] - box.lower[axis] ? c : axis;
	}
	for (uint32_t i = begin; i < end; i++) {
		g->sorted[i] = (sorted_triangle){g->middles[order[i]][axis], order[i]};
	}
	qsort(g->sorted + begin, end - begin, sizeof *g->sorted, compare_triangles);
	for (uint32_t i = begin; i < end; i++) {
		order[i] = g->sorted[i].triangle;
	}
}

/* The subtree of triangles [begin, end), in a cluster or SNW_NONE above. */
static void grow(growth *g, uint32_t begin, uint32_t end, uint32_t cluster) {
	snw_contact_tree *tree = g->tree;
	const uint32_t at = tree->node_count++;
	const bool is_cluster = cluster == SNW_NONE && end - begin <= CLUSTER_TRIANGLES;
	cluster = is_cluster ? tree->cluster_count++ : cluster;
	tree->nodes[at] = (tree_node){.right = SNW_NONE, .begin = begin, .end = end, .cluster = cluster, .set = SNW_NONE};
	if (end - begin > LEAF_TRIANGLES) {
		const uint32_t middle = begin + (end - begin) / 2;
		sort_along(g, begin, end);
		grow(g, begin, middle, cluster);
		tree->nodes[at].right = tree->node_count;
		grow(g, middle, end, cluster);
	}
	if (is_cluster) {
		tree->clusters[cluster] = (tree_cluster){.node = at, .node_end = tree->node_count};
	}
}

static void grow_tree(snw_contact_tree *tree, snw_arena *arena, snw_arena *scratch) {
	const uint32_t count = tree->triangle_count;
	growth g = {tree, snw_arena_array(scratch, count, sizeof *g.middles), SNW_NEW_ARRAY(scratch, sorted_triangle, count)};
	tree->order = SNW_NEW_ARRAY(arena, uint32_t, count);
	tree->ordered_at = SNW_NEW_ARRAY(arena, uint32_t, count);
	tree->nodes = SNW_NEW_ARRAY(arena, tree_node, (size_t)count + 1); /* a leaf has two triangles at least */
	tree->clusters = SNW_NEW_ARRAY(arena, tree_cluster, (size_t)count / (CLUSTER_TRIANGLES / 2) + 1);
	for (uint32_t t = 0; t < count; t++) {
		tree->order[t] = t;
		for (int k = 0; k < 3; k++) {
			for (int c = 0; c < 3; c++) {
				g.middles[t][c] += tree->mesh->points_rest[3 * (size_t)tree->corners[t][k] + (size_t)c];
			}
		}
	}
	if (count > 0) {
		grow(&g, 0, count, SNW_NONE);
	}
	for (uint32_t i = 0; i < count; i++) {
		tree->ordered_at[tree->order[i]] = i;
	}
}

/* Gives the points of each cluster places, in the order in which its triangles meet them. */
static void assign_places(snw_contact_tree *tree, snw_arena *arena, snw_arena *scratch) {
	uint32_t *last = SNW_NEW_ARRAY(scratch, uint32_t, tree->mesh->point_count),
			 *place_of = SNW_NEW_ARRAY(scratch, uint32_t, tree->mesh->point_count);
	uint32_t *points = SNW_NEW_ARRAY(scratch, uint32_t, 3 * (size_t)tree->triangle_count);
	tree->places = snw_arena_array(arena, tree->triangle_count, sizeof *tree->places);
	for (uint32_t g = 0; g < tree->cluster_count; g++) {
		tree_cluster *cluster = &tree->clusters[g];
		cluster->place = tree->place_count;
		for (uint32_t i = tree->nodes[cluster->node].begin; i < tree->nodes[cluster->node].end; i++) {
			for (int k = 0; k < 3; k++) {
				const uint32_t point = tree->corners[tree->order[i]][k];
				if (last[point] != g + 1) {
					last[point] = g + 1;
					place_of[point] = tree->place_count;
					points[tree->place_count++] = point;
				}
				tree->places[i][k] = place_of[point];
			}
		}
		cluster->place_end = tree->place_count;
	}
	tree->points = snw_arena_copy(arena, points, tree->place_count * sizeof *points);
}

/* ---- the program --------------------------------------------------------------------------------------------------------- */

static void take_rest_places(snw_contact_tree *tree, snw_arena *arena) {
	tree->rest = SNW_NEW_ARRAY(arena, row4, tree->place_count);
	for (uint32_t p = 0; p < tree->place_count; p++) {
		for (int c = 0; c < 3; c++) {
			const double at = tree->program->points_rest[3 * (size_t)tree->points[p] + (size_t)c];
			tree->rest[p][c] = (float)at;
			tree->largest_rest = at > tree->largest_rest ? at : -at > tree->largest_rest ? -at : tree->largest_rest;
		}
	}
}

static void take_row(snw_contact_tree *tree, uint32_t to, const double row[4], double sums[2]) {
	double largest = 0;
	for (int c = 0; c < 4; c++) {
		tree->influence_rows[to][c] = (float)row[c];
		largest = c < 3 && fabs(row[c]) > largest ? fabs(row[c]) : largest;
	}
	sums[0] += largest;
	sums[1] += fabs(row[3]);
}

static void take_influences(snw_contact_tree *tree, snw_arena *arena) {
	const snw_program *program = tree->program;
	const bool has_rows = program->blend == SNW_BLEND_AFFINE;
	uint32_t count = 0;
	tree->influence_begins = SNW_NEW_ARRAY(arena, uint32_t, (size_t)tree->place_count + 1);
	for (uint32_t p = 0; p < tree->place_count; p++) {
		count += program->influence_offsets[tree->points[p] + 1] - program->influence_offsets[tree->points[p]];
		tree->influence_begins[p + 1] = count;
	}
	tree->influence_slots = SNW_NEW_ARRAY(arena, uint32_t, count);
	tree->influence_weights = SNW_NEW_ARRAY(arena, float, has_rows ? 0 : count);
	tree->influence_rows = SNW_NEW_ARRAY(arena, row4, has_rows ? count : 0);
	for (uint32_t p = 0; p < tree->place_count; p++) {
		const uint32_t from = program->influence_offsets[tree->points[p]], to = tree->influence_begins[p];
		double sums[2] = {0};
		for (uint32_t k = 0; k < tree->influence_begins[p + 1] - to; k++) {
			tree->influence_slots[to + k] = program->influence_slots[from + k];
			if (has_rows) {
				take_row(tree, to + k, program->influence_rows + 4 * (size_t)(from + k), sums);
			} else {
				tree->influence_weights[to + k] = (float)program->influence_weights[from + k];
			}
		}
		tree->largest_rest = fmax(tree->largest_rest, sums[0]);
		tree->largest_weights = fmax(tree->largest_weights, sums[1]);
	}
}

/* The entries of displacements by clusters, and at a place in the order of the program, as the evaluators add them. */
static place_displacements take_displacements(const snw_contact_tree *tree, const snw_displacements *source, snw_arena *arena,
											  snw_arena *scratch) {
	place_displacements made = {source, SNW_NEW_ARRAY(arena, uint32_t, (size_t)tree->cluster_count + 1), NULL};
	const snw_point_displacements by_point = snw_point_displacements_list(source, tree->mesh->point_count, scratch);
	uint32_t count = 0, room = 0;
	for (uint32_t g = 0; g < tree->cluster_count; g++) {
		for (uint32_t p = tree->clusters[g].place; p < tree->clusters[g].place_end; p++) {
			for (uint32_t e = by_point.starts[tree->points[p]]; e < by_point.starts[tree->points[p] + 1]; e++) {
				const double *vector = source->vectors + 3 * by_point.entries[e];
				made.list = snw_arena_grow(arena, made.list, count, &room, sizeof *made.list);
				made.list[count++] = (place_displacement){
					.displacement = by_point.displacements[e],
					.place = p,
					.vector = {(float)vector[0], (float)vector[1], (float)vector[2]},
				};
			}
		}
		made.begins[g + 1] = count;
	}
	return made;
}

/* The points of a node, each once, into `points`; `last` [point_count] marks them with `mark`. */
static uint32_t list_points(const snw_contact_tree *tree, const tree_node *node, uint32_t mark, uint32_t *last,
							uint32_t *points) {
	uint32_t count = 0;
	for (uint32_t i = node->begin; i < node->end; i++) {
		for (int k = 0; k < 3; k++) {
			const uint32_t point = tree->corners[tree->order[i]][k];
			if (last[point] != mark) {
				last[point] = mark;
				points[count++] = point;
			}
		}
	}
	return count;
}

/* Whether more than MOST_SLOTS slots move these points. */
static bool has_many_slots(const snw_program *program, const uint32_t *points, uint32_t count) {
	uint32_t slots[MOST_SLOTS], slot_count = 0;
	for (uint32_t i = 0; i < count && program->influence_offsets; i++) {
		for (uint32_t k = program->influence_offsets[points[i]]; k < program->influence_offsets[points[i] + 1]; k++) {
			uint32_t s = 0;
			while (s < slot_count && slots[s] != program->influence_slots[k]) {
				s++;
			}
			if (s == MOST_SLOTS) {
				return true;
			}
			slots[s] = program->influence_slots[k];
			slot_count = s == slot_count ? slot_count + 1 : slot_count;
		}
	}
	return false;
}

/* A slot of a node, while its points are met. */
typedef struct met_slot {
	uint32_t slot, count; /* points */
	double least, most;
	snw_box box;
} met_slot;

static met_slot *meet_slot(met_slot slots[MOST_SLOTS], uint32_t *count, uint32_t slot) {
	for (uint32_t s = 0; s < *count; s++) {
		if (slots[s].slot == slot) {
			return &slots[s];
		}
	}
	if (*count == MOST_SLOTS) {
		return NULL;
	}
	slots[*count] = (met_slot){.slot = slot, .least = INFINITY, .most = -INFINITY, .box = snw_box_empty()};
	return &slots[(*count)++];
}

/* The weight of an influence, and the place that its slot moves: the rest point, or the row of an affine blend without its
 * weight. False where there is no such place, or the weight is negative. */
static bool take_weighted(const snw_program *program, uint32_t point, uint32_t influence, double *weight, double place[3]) {
	const double *row = program->influence_rows + 4 * (size_t)influence, *rest = program->points_rest + 3 * (size_t)point;
	const bool has_rows = program->blend == SNW_BLEND_AFFINE;
	*weight = has_rows ? row[3] : program->influence_weights[influence];
	for (int c = 0; c < 3; c++) {
		place[c] = has_rows && *weight > 0 ? row[c] / *weight : rest[c];
	}
	return *weight > 0 || (*weight == 0 && (!has_rows || (row[0] == 0 && row[1] == 0 && row[2] == 0)));
}

/* False where the weights of a point are not positive, do not add up to 1, name a slot twice, or too many slots are met. */
static bool meet_point(const snw_program *program, uint32_t point, met_slot slots[MOST_SLOTS], uint32_t *count) {
	double sum = 0;
	for (uint32_t k = program->influence_offsets[point]; k < program->influence_offsets[point + 1]; k++) {
		double weight, place[3];
		met_slot *met = meet_slot(slots, count, program->influence_slots[k]);
		for (uint32_t i = program->influence_offsets[point]; i < k && met; i++) {
			met = program->influence_slots[i] == program->influence_slots[k] ? NULL : met;
		}
		if (!met || !take_weighted(program, point, k, &weight, place)) {
			return false;
		}
		met->count++;
		met->least = weight < met->least ? weight : met->least;
		met->most = weight > met->most ? weight : met->most;
		snw_box_add(&met->box, place);
		sum += weight;
	}
	return fabs(sum - 1) < WEIGHT_ROUNDING;
}

/* The places of an affine blend may be far from the points; then the boxes of the bounds are smaller. */
static bool is_near(const met_slot *met, const snw_box *points) {
	double sizes[2] = {0};
	for (int c = 0; c < 3; c++) {
		const double middle = (points->lower[c] + points->upper[c]) / 2;
		sizes[0] = fmax(sizes[0], fmax(met->box.upper[c] - middle, middle - met->box.lower[c]));
		sizes[1] = fmax(sizes[1], points->upper[c] - middle);
	}
	return sizes[0] <= MOST_FARTHER * sizes[1];
}

/* Rounded outwards. */
static node_slot slot_of(const met_slot *met, uint32_t point_count) {
	node_slot made = {.slot = met->slot,
					  .least = met->count < point_count ? 0 : (float)(met->least - WEIGHT_ROUNDING),
					  .most = (float)(met->most + WEIGHT_ROUNDING)};
	for (int c = 0; c < 3; c++) {
		made.middle[c] = (float)((met->box.lower[c] + met->box.upper[c]) / 2);
		const double above = met->box.upper[c] - (double)made.middle[c], below = (double)made.middle[c] - met->box.lower[c];
		made.half[c] = nextafterf((float)(above > below ? above : below), INFINITY);
	}
	made.least = made.least > 0 ? made.least : 0;
	return made;
}

/* The slots of a node into `made`, that of the largest weight first. 0 where the bounds have to do it. */
static uint32_t list_slots(const snw_contact_tree *tree, const uint32_t *points, uint32_t point_count,
						   node_slot made[MOST_SLOTS]) {
	met_slot slots[MOST_SLOTS];
	uint32_t count = 0, first = 0;
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < point_count; i++) {
		if (!meet_point(tree->program, points[i], slots, &count)) {
			return 0;
		}
		snw_box_add(&box, tree->program->points_rest + 3 * (size_t)points[i]);
	}
	for (uint32_t s = 0; s < count; s++) {
		if (!is_near(&slots[s], &box)) {
			return 0;
		}
		made[s] = slot_of(&slots[s], point_count);
		first = made[s].most > made[first].most ? s : first;
	}
	const node_slot swapped = made[0];
	made[0] = made[first];
	made[first] = swapped;
	return count;
}

static bool is_displaced(const snw_contact_tree *tree, const tree_node *node) {
	bool displaced = false;
	for (uint32_t g = 0; g < tree->cluster_count; g++) {
		const tree_node *root = &tree->nodes[tree->clusters[g].node];
		const bool is_inside = root->begin >= node->begin && root->end <= node->end;
		displaced = displaced || (is_inside && (tree->displaced_rest.begins[g] < tree->displaced_rest.begins[g + 1] ||
												tree->displaced_posed.begins[g] < tree->displaced_posed.begins[g + 1]));
	}
	return displaced;
}

/* For nodes that have a set. */
static void take_slots(snw_contact_tree *tree, snw_arena *arena, snw_arena *scratch) {
	uint32_t *last = SNW_NEW_ARRAY(scratch, uint32_t, tree->mesh->point_count);
	uint32_t *points = SNW_NEW_ARRAY(scratch, uint32_t, tree->place_count), count = 0, room = 0;
	const bool has_displacements = tree->program->rest.count > 0 || tree->program->posed.count > 0;
	for (uint32_t n = 0; n < tree->node_count && tree->influence_begins; n++) {
		tree_node *node = &tree->nodes[n];
		node_slot made[MOST_SLOTS];
		if (node->set == SNW_NONE || (has_displacements && is_displaced(tree, node))) {
			continue;
		}
		const uint32_t point_count = list_points(tree, node, n + 1, last, points);
		const uint32_t slot_count = list_slots(tree, points, point_count, made);
		node->slot_begin = count;
		for (uint32_t s = 0; s < slot_count; s++) {
			tree->slots = snw_arena_grow(arena, tree->slots, count, &room, sizeof *tree->slots);
			tree->slots[count++] = made[s];
		}
		node->slot_end = count;
	}
}

/* Sets for the clusters, and for the nodes above them that few slots move: a box over many slots would be too wide. */
static void bound_nodes(snw_contact_tree *tree, snw_arena *arena, snw_arena *scratch) {
	uint32_t *last = SNW_NEW_ARRAY(scratch, uint32_t, tree->mesh->point_count);
	uint32_t *points = SNW_NEW_ARRAY(scratch, uint32_t, tree->place_count), *begins = NULL, *all = NULL;
	uint32_t set_count = 0, count = 0, room = 0, begin_room = 0;
	begins = snw_arena_grow(scratch, begins, 0, &begin_room, sizeof *begins);
	begins[0] = 0;
	for (uint32_t n = 0; n < tree->node_count; n++) {
		tree_node *node = &tree->nodes[n];
		const bool is_cluster = node->cluster != SNW_NONE && tree->clusters[node->cluster].node == n;
		if (node->cluster != SNW_NONE && !is_cluster) {
			continue;
		}
		const uint32_t point_count = list_points(tree, node, n + 1, last, points);
		if (!is_cluster && has_many_slots(tree->program, points, point_count)) {
			continue;
		}
		for (uint32_t i = 0; i < point_count; i++) {
			all = snw_arena_grow(scratch, all, count, &room, sizeof *all);
			all[count++] = points[i];
		}
		node->set = set_count++;
		begins = snw_arena_grow(scratch, begins, set_count, &begin_room, sizeof *begins);
		begins[set_count] = count;
	}
	take_slots(tree, arena, scratch);
	tree->bounds = snw_program_bounds_make_sets(tree->program, set_count, begins, all, arena);
}

static void take_program(snw_contact_tree *tree, snw_arena *arena, snw_arena *scratch) {
	const snw_program *program = tree->program;
	tree->without_displacements = *program;
	tree->without_displacements.rest.count = tree->without_displacements.posed.count = 0;
	take_rest_places(tree, arena);
	tree->largest_weights = 1;
	if (program->blend == SNW_BLEND_LINEAR || program->blend == SNW_BLEND_AFFINE) {
		take_influences(tree, arena);
	}
	tree->displaced_rest = take_displacements(tree, &program->rest, arena, scratch);
	tree->displaced_posed = take_displacements(tree, &program->posed, arena, scratch);
	bound_nodes(tree, arena, scratch);
}

snw_contact_tree *snw_contact_tree_make(const snw_mesh *mesh, const snw_program *program, snw_arena *arena) {
	snw_contact_tree *tree = SNW_NEW(arena, snw_contact_tree);
	snw_arena *scratch = snw_arena_create();
	tree->mesh = mesh;
	tree->program = program;
	list_triangles(tree, arena, scratch);
	find_borders(tree, arena, scratch);
	list_around(tree, arena);
	grow_tree(tree, arena, scratch);
	assign_places(tree, arena, scratch);
	if (program) {
		take_program(tree, arena, scratch);
	}
	snw_arena_destroy(scratch);
	return tree;
}

uint32_t snw_contact_tree_triangles(const snw_contact_tree *tree) {
	return tree->triangle_count;
}

const uint32_t *snw_contact_tree_corners(const snw_contact_tree *tree, uint32_t triangle) {
	return tree->corners[triangle];
}

bool snw_contact_tree_is_closed(const snw_contact_tree *tree) {
	return tree->is_closed;
}

/* ---- ray ----------------------------------------------------------------------------------------------------------------- */

/* Where a ray meets a surface first. A triangle is met where the three volumes that the ray spans with its edges have one
 * sign (Woop, Benthin and Wald, "Watertight ray/triangle intersection", 2013): triangles with a common edge have the same
 * number there, so no ray passes between them. */

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
