/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "unwrap/unwrapping.h"

/* ---- segment ------------------------------------------------------------------------------------------------------------- */

/* Charts by greedy merging of neighbouring faces (B. Merry, thesis 2007, section 5.2): those that face one way over the
 * poses, with short borders.
 *
 * The metric of a chart is (area + ρ perimeter² / 4π) / projected area (5.4), the projected area being the length of the sum
 * of its faces' area vectors, ρ = 0.2. All are means over poses: an elbow counts as it bends. A merge is the one that adds
 * least to the sum of metric · area (5.5). Only discs are made. */

/* Poses that count. */
enum { UNWRAP_SEGMENT_POSES = 7 };

typedef struct unwrap_segmentation unwrap_segmentation;

static const double perimeter_share = 0.2; /* ρ */
static const double four_pi = 12.566370614359172;

/* A face, or two charts merged. */
typedef struct node {
	uint32_t children[2];         /* SNW_NONE of a face */
	uint32_t parent;              /* of a chart: SNW_NONE */
	double area, perimeter, cost; /* cost: metric · area */
	double normals[UNWRAP_SEGMENT_POSES][3];
	uint32_t border_to; /* while borders of another chart are merged: the one that leads here */
	uint32_t borders;   /* the first end in its list */
	uint32_t parted;    /* the first end in its list */
	bool is_good;
} node;

/* Edges between two charts, as a list of corners of the first or the second. Each border is in the lists of both. */
typedef struct border {
	uint32_t charts[2], next[2], previous[2]; /* of the lists: 2 · border + side; SNW_NONE */
	uint32_t corner, last;                    /* the first and last of its corners, by next_corner */
	double length;
	bool is_gone;
} border;

/* A merge that may be made; out of date where the cost is another by now. */
typedef struct candidate {
	double cost;
	uint32_t border;
} candidate;

struct unwrap_segmentation {
	const unwrap_surface *surface;
	const bool *seams;
	snw_arena *arena;
	uint32_t pose_count, node_count, node_room, chart_count, border_count;
	node *nodes;            /* [node_count] */
	uint32_t *face_charts;  /* [face_count], of faces the chart; found by the parents */
	double *corner_lengths; /* [corner_count]: mean lengths of edges */
	uint32_t *next_corner;  /* [corner_count]: in a border's list */
	uint32_t *marks, mark;  /* [point_count]: of the border that was walked last */
	border *borders;
	candidate *heap;
	uint32_t heap_count, heap_room;
	bool is_taken_back; /* since face_charts were found */
	/* Merges that were taken back: nothing that has both children is made again. Each is in the lists of both charts. */
	struct parted {
		uint32_t children[2], next[2]; /* of the lists: 2 · parted + side; SNW_NONE */
	} * parted;
	uint32_t parted_count, parted_room;
	double *charts;
};

/* ---- measures ------------------------------------------------------------------------------------------------------------ */

static double cost_of(const unwrap_segmentation *s, double area, double perimeter, const double (*normals)[3]) {
	double projected = 0;
	for (uint32_t p = 0; p < s->pose_count; p++) {
		projected += sqrt(snw_dot3(normals[p], normals[p])) / s->pose_count;
	}
	return area * (area + perimeter_share * perimeter * perimeter / four_pi) / fmax(projected, 1e-6 * area + 1e-300);
}

static double cost_of_merge(const unwrap_segmentation *s, const border *b) {
	const node *x = &s->nodes[b->charts[0]], *y = &s->nodes[b->charts[1]];
	double normals[UNWRAP_SEGMENT_POSES][3];
	for (uint32_t p = 0; p < s->pose_count; p++) {
		for (int c = 0; c < 3; c++) {
			normals[p][c] = x->normals[p][c] + y->normals[p][c];
		}
	}
	const double merged =
		cost_of(s, x->area + y->area, x->perimeter + y->perimeter - 2 * b->length, (const double(*)[3])normals);
	return merged - x->cost - y->cost;
}

static void measure_face(unwrap_segmentation *s, uint32_t face, const float *const *posed) {
	const unwrap_surface *surface = s->surface;
	node *n = &s->nodes[face];
	*n = (node){
		.children = {SNW_NONE, SNW_NONE}, .parent = SNW_NONE, .border_to = SNW_NONE, .borders = SNW_NONE, .parted = SNW_NONE};
	for (uint32_t p = 0; p < s->pose_count; p++) {
		for (uint32_t t = surface->triangle_offsets[face]; t < surface->triangle_offsets[face + 1]; t++) {
			double squares[3], normal[3];
			unwrap_triangle_squares(surface, t, posed[p], squares, normal);
			n->area += sqrt(snw_dot3(normal, normal)) / (2 * s->pose_count);
			for (int c = 0; c < 3; c++) {
				n->normals[p][c] += normal[c] / 2;
			}
		}
		for (uint32_t c = surface->mesh->face_offsets[face]; c < surface->mesh->face_offsets[face + 1]; c++) {
			const float *a = posed[p] + 3 * (size_t)surface->mesh->face_points[c];
			const float *b = posed[p] + 3 * (size_t)surface->mesh->face_points[unwrap_next_corner(surface, c)];
			const double edge[3] = {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1], (double)b[2] - (double)a[2]};
			s->corner_lengths[c] += sqrt(snw_dot3(edge, edge)) / s->pose_count;
		}
	}
	for (uint32_t c = surface->mesh->face_offsets[face]; c < surface->mesh->face_offsets[face + 1]; c++) {
		n->perimeter += s->corner_lengths[c];
	}
	n->cost = cost_of(s, n->area, n->perimeter, (const double(*)[3])n->normals);
}

/* ---- the queue ----------------------------------------------------------------------------------------------------------- */

static bool is_before(const candidate *a, const candidate *b) {
	return a->cost != b->cost ? a->cost < b->cost : a->border < b->border;
}

static void push(unwrap_segmentation *s, uint32_t index) {
	const candidate made = {cost_of_merge(s, &s->borders[index]), index};
	s->heap = snw_arena_grow(s->arena, s->heap, s->heap_count, &s->heap_room, sizeof *s->heap);
	uint32_t at = s->heap_count++;
	while (at > 0 && is_before(&made, &s->heap[(at - 1) / 2])) {
		s->heap[at] = s->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	s->heap[at] = made;
}

static candidate pop(unwrap_segmentation *s) {
	const candidate first = s->heap[0], last = s->heap[--s->heap_count];
	uint32_t at = 0;
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= s->heap_count) {
			break;
		}
		child += child + 1 < s->heap_count && is_before(&s->heap[child + 1], &s->heap[child]);
		if (!is_before(&s->heap[child], &last)) {
			break;
		}
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = last;
	return first;
}

/* ---- borders ------------------------------------------------------------------------------------------------------------- */

/* The chart that a node has become a part of. */
static uint32_t top_of(const unwrap_segmentation *s, uint32_t at) {
	while (s->nodes[at].parent != SNW_NONE) {
		at = s->nodes[at].parent;
	}
	return at;
}

/* Once merges were taken back, the charts of faces are found anew. */
static void refresh_charts(unwrap_segmentation *s) {
	for (uint32_t f = 0; f < s->surface->mesh->face_count && s->is_taken_back; f++) {
		s->face_charts[f] = f;
	}
	s->is_taken_back = false;
}

static uint32_t chart_of(unwrap_segmentation *s, uint32_t face) {
	return s->face_charts[face] = top_of(s, s->face_charts[face]);
}

static void link_border(unwrap_segmentation *s, uint32_t index, uint32_t side) {
	border *b = &s->borders[index];
	node *n = &s->nodes[b->charts[side]];
	const uint32_t end = 2 * index + side;
	b->previous[side] = SNW_NONE;
	b->next[side] = n->borders;
	if (n->borders != SNW_NONE) {
		s->borders[n->borders / 2].previous[n->borders % 2] = end;
	}
	n->borders = end;
}

static void unlink_border(unwrap_segmentation *s, uint32_t index, uint32_t side) {
	border *b = &s->borders[index];
	if (b->previous[side] == SNW_NONE) {
		s->nodes[b->charts[side]].borders = b->next[side];
	} else {
		s->borders[b->previous[side] / 2].next[b->previous[side] % 2] = b->next[side];
	}
	if (b->next[side] != SNW_NONE) {
		s->borders[b->next[side] / 2].previous[b->next[side] % 2] = b->previous[side];
	}
}

/* Adds the edges of `from` to `to`, which is between the same charts. */
static void join_borders(unwrap_segmentation *s, border *to, const border *from) {
	s->next_corner[to->last] = from->corner;
	to->last = from->last;
	to->length += from->length;
}

/* Borders of a chart's list that lead to the same chart become one. */
static void merge_borders(unwrap_segmentation *s, uint32_t chart) {
	for (uint32_t end = s->nodes[chart].borders, next; end != SNW_NONE; end = next) {
		border *b = &s->borders[end / 2];
		const uint32_t side = end % 2, other = b->charts[1 - side];
		next = b->next[side];
		if (s->nodes[other].border_to == SNW_NONE) {
			s->nodes[other].border_to = end / 2;
			continue;
		}
		join_borders(s, &s->borders[s->nodes[other].border_to], b);
		unlink_border(s, end / 2, 0);
		unlink_border(s, end / 2, 1);
		b->is_gone = true;
	}
	for (uint32_t end = s->nodes[chart].borders; end != SNW_NONE; end = s->borders[end / 2].next[end % 2]) {
		s->nodes[s->borders[end / 2].charts[1 - end % 2]].border_to = SNW_NONE;
	}
}

static void list_parted(unwrap_segmentation *s) {
	for (uint32_t i = 0; i < s->parted_count; i++) {
		for (uint32_t side = 0; side < 2; side++) {
			node *chart = &s->nodes[top_of(s, s->parted[i].children[side])];
			s->parted[i].next[side] = chart->parted;
			chart->parted = 2 * i + side;
		}
	}
}

/* All borders and candidates from the charts as they are. */
static void begin(unwrap_segmentation *s) {
	const unwrap_surface *surface = s->surface;
	s->border_count = s->heap_count = 0;
	refresh_charts(s);
	for (uint32_t n = 0; n < s->node_count; n++) {
		s->nodes[n].borders = s->nodes[n].parted = SNW_NONE;
	}
	list_parted(s);
	for (uint32_t c = 0; c < surface->corner_count; c++) {
		const uint32_t twin = surface->twins[c];
		if (s->seams[c] || twin < c) {
			continue;
		}
		const uint32_t a = chart_of(s, surface->corner_faces[c]), b = chart_of(s, surface->corner_faces[twin]);
		if (a != b) {
			s->next_corner[c] = SNW_NONE;
			s->borders[s->border_count] = (border){.charts = {a, b}, .corner = c, .last = c, .length = s->corner_lengths[c]};
			link_border(s, s->border_count, 0);
			link_border(s, s->border_count++, 1);
		}
	}
	for (uint32_t n = 0; n < s->node_count; n++) {
		merge_borders(s, n);
	}
	for (uint32_t b = 0; b < s->border_count; b++) {
		if (!s->borders[b].is_gone) {
			push(s, b);
		}
	}
}

/* ---- merging ------------------------------------------------------------------------------------------------------------- */

/* The next edge around a chart's border. */
static uint32_t next_on_border(unwrap_segmentation *s, uint32_t corner, uint32_t chart) {
	uint32_t next = unwrap_next_corner(s->surface, corner);
	while (!s->seams[next] && chart_of(s, s->surface->corner_faces[s->surface->twins[next]]) == chart) {
		next = unwrap_next_corner(s->surface, s->surface->twins[next]);
	}
	return next;
}

/* Two discs make a disc where the edges between them follow one another, and they meet at no other point: then they share one
 * point more than edges. */
static bool makes_disc(unwrap_segmentation *s, const border *b) {
	const unwrap_surface *surface = s->surface;
	const uint32_t *points = surface->mesh->face_points, twin = surface->twins[b->corner];
	const uint32_t chart = chart_of(s, surface->corner_faces[b->corner]), other = chart_of(s, surface->corner_faces[twin]);
	uint32_t edges = 0, shared = 0, at = b->corner;
	for (uint32_t corner = b->corner; corner != SNW_NONE; corner = s->next_corner[corner]) {
		edges++;
	}
	s->mark++;
	do {
		s->marks[points[at]] = s->mark;
		at = next_on_border(s, at, chart);
	} while (at != b->corner);
	at = twin;
	do {
		shared += s->marks[points[at]] == s->mark;
		at = next_on_border(s, at, other);
	} while (at != twin);
	return shared == edges + 1;
}

static bool may_merge(const unwrap_segmentation *s, uint32_t a, uint32_t b) {
	for (uint32_t end = s->nodes[a].parted; end != SNW_NONE; end = s->parted[end / 2].next[end % 2]) {
		if (top_of(s, s->parted[end / 2].children[1 - end % 2]) == b) {
			return false;
		}
	}
	return true;
}

/* The lists of both children as one, the second at the end of the first. */
static uint32_t join_parted(const unwrap_segmentation *s, const uint32_t children[2]) {
	const uint32_t first = s->nodes[children[0]].parted, second = s->nodes[children[1]].parted;
	uint32_t last = first;
	if (first == SNW_NONE) {
		return second;
	}
	while (s->parted[last / 2].next[last % 2] != SNW_NONE) {
		last = s->parted[last / 2].next[last % 2];
	}
	s->parted[last / 2].next[last % 2] = second;
	return first;
}

static void merge(unwrap_segmentation *s, uint32_t index) {
	const border between = s->borders[index];
	s->nodes = snw_arena_grow(s->arena, s->nodes, s->node_count, &s->node_room, sizeof *s->nodes);
	const uint32_t made = s->node_count++;
	node *n = &s->nodes[made];
	*n = (node){
		.children = {between.charts[0], between.charts[1]}, .parent = SNW_NONE, .border_to = SNW_NONE, .borders = SNW_NONE};
	n->parted = join_parted(s, n->children);
	unlink_border(s, index, 0);
	unlink_border(s, index, 1);
	s->borders[index].is_gone = true;
	for (int k = 0; k < 2; k++) {
		node *child = &s->nodes[between.charts[k]];
		child->parent = made;
		n->area += child->area;
		n->perimeter += child->perimeter;
		for (uint32_t p = 0; p < s->pose_count; p++) {
			for (int c = 0; c < 3; c++) {
				n->normals[p][c] += child->normals[p][c];
			}
		}
		for (uint32_t end = child->borders, next; end != SNW_NONE; end = next) {
			next = s->borders[end / 2].next[end % 2];
			s->borders[end / 2].charts[end % 2] = made;
			link_border(s, end / 2, end % 2);
		}
	}
	n->perimeter -= 2 * between.length;
	n->cost = cost_of(s, n->area, n->perimeter, (const double(*)[3])n->normals);
	merge_borders(s, made);
	for (uint32_t end = n->borders; end != SNW_NONE; end = s->borders[end / 2].next[end % 2]) {
		push(s, end / 2);
	}
	s->chart_count--;
}

/* Its charts and edges are those that it was pushed with. */
static bool is_current(const unwrap_segmentation *s, const candidate *c) {
	const border *b = &s->borders[c->border];
	return !b->is_gone && c->cost == cost_of_merge(s, b);
}

/* Merges down to `most` charts, and on while that lowers the sum. At most `merges`, and none of a chart that the same call
 * has made, unless it is SNW_NONE. Returns the number of merges. */
static uint32_t unwrap_segmentation_merge(unwrap_segmentation *s, uint32_t most, uint32_t merges) {
	const uint32_t first_made = s->node_count, before = s->chart_count;
	begin(s);
	while (s->heap_count > 0 && before - s->chart_count < merges && (s->chart_count > most || s->heap[0].cost < 0)) {
		const candidate c = pop(s);
		if (is_current(s, &c)) {
			const uint32_t *charts = s->borders[c.border].charts;
			const bool is_tried = merges == SNW_NONE || (charts[0] < first_made && charts[1] < first_made);
			if (is_tried && may_merge(s, charts[0], charts[1]) && makes_disc(s, &s->borders[c.border])) {
				merge(s, c.border);
			}
		}
	}
	return before - s->chart_count;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

/* Each face a chart. `seams` are never crossed. `posed` are `pose_count` (at most UNWRAP_SEGMENT_POSES) poses,
 * [point_count][3] each. In `arena`. */
static unwrap_segmentation *unwrap_segmentation_make(const unwrap_surface *surface, const bool *seams, uint32_t pose_count,
													 const float *const *posed, snw_arena *arena) {
	unwrap_segmentation *s = SNW_NEW(arena, unwrap_segmentation);
	const uint32_t face_count = surface->mesh->face_count;
	*s = (unwrap_segmentation){.surface = surface, .seams = seams, .arena = arena, .pose_count = pose_count};
	s->node_count = s->chart_count = face_count;
	s->node_room = 2 * face_count;
	s->nodes = SNW_NEW_ARRAY(arena, node, s->node_room);
	s->face_charts = SNW_NEW_ARRAY(arena, uint32_t, face_count);
	s->corner_lengths = SNW_NEW_ARRAY(arena, double, surface->corner_count);
	s->next_corner = SNW_NEW_ARRAY(arena, uint32_t, surface->corner_count);
	s->marks = SNW_NEW_ARRAY(arena, uint32_t, surface->mesh->point_count);
	s->borders = SNW_NEW_ARRAY(arena, border, surface->corner_count / 2 + 1);
	s->charts = SNW_NEW_ARRAY(arena, double, face_count);
	for (uint32_t f = 0; f < face_count; f++) {
		s->face_charts[f] = f;
		measure_face(s, f, posed);
	}
	return s;
}

/* [face_count]: the chart of each face. A number always means the same faces. */
static const double *unwrap_segmentation_charts(unwrap_segmentation *s) {
	refresh_charts(s);
	for (uint32_t f = 0; f < s->surface->mesh->face_count; f++) {
		s->charts[f] = chart_of(s, f);
	}
	return s->charts;
}

/* Takes back the merge that made a chart; what it has joined is not joined again. A single face stays. */
static void unwrap_segmentation_take_back(unwrap_segmentation *s, uint32_t chart) {
	const uint32_t *children = s->nodes[chart].children;
	if (children[0] == SNW_NONE) {
		return;
	}
	s->nodes[children[0]].parent = s->nodes[children[1]].parent = SNW_NONE;
	s->chart_count++;
	s->parted = snw_arena_grow(s->arena, s->parted, s->parted_count, &s->parted_room, sizeof *s->parted);
	s->parted[s->parted_count++] = (struct parted){.children = {children[0], children[1]}};
	s->is_taken_back = true;
}

static bool unwrap_segmentation_is_good(const unwrap_segmentation *s, uint32_t chart) {
	return s->nodes[chart].is_good;
}

/* Notes that a chart holds when it is flattened; and whether one does. */
static void unwrap_segmentation_keep(unwrap_segmentation *s, uint32_t chart) {
	s->nodes[chart].is_good = true;
}

/* ---- merge faces --------------------------------------------------------------------------------------------------------- */

enum {
	FINER = 4,  /* times the charts, before they are tried */
	LEAST = 32, /* before they are tried: a few that a whole limb is in would all be taken back */
	MERGES = 8, /* tried together at least */
	ROUNDS = 32 /* of many charts this share of those that are too many is tried together */
};

/* The rest, and others evenly. */
static uint32_t choose_poses(const unwrap_run *u, const unwrap_sheet *s, const float **posed) {
	const size_t numbers = 3 * (size_t)s->surface.mesh->point_count;
	const uint32_t all = u->request->at_rest ? 1 : u->motion.pose_count;
	const uint32_t count = all < UNWRAP_SEGMENT_POSES ? all : UNWRAP_SEGMENT_POSES;
	for (uint32_t i = 0; i < count; i++) {
		posed[i] = u->motion.posed[s->mesh] + numbers * ((uint64_t)i * all / count);
	}
	return count;
}

static double most_stretch(const unwrap_run *u) {
	return u->request->most_stretch > 0 ? u->request->most_stretch : SNW_UNWRAP_STRETCH;
}

static bool is_good(const unwrap_run *u, const unwrap_sheet *s, uint32_t chart) {
	return !snw_failed(s->statuses[chart]) && !s->flats[chart].is_crossed &&
		   unwrap_stretch_value(&s->flats[chart].stretch) <= most_stretch(u);
}

/* Takes back merges whose charts stretch too far, or cross themselves. Returns how many. */
static uint32_t take_back(const unwrap_run *u, const unwrap_sheet *s, const double *numbers,
						  unwrap_segmentation *segmentation) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < s->charts.count; i++) {
		const uint32_t face = s->charts.faces[s->charts.offsets[i]];
		if (s->is_needed[i] && is_good(u, s, i)) {
			unwrap_segmentation_keep(segmentation, (uint32_t)numbers[face]);
		} else if (s->is_needed[i] && s->charts.offsets[i + 1] - s->charts.offsets[i] > 1) {
			unwrap_segmentation_take_back(segmentation, (uint32_t)numbers[face]);
			count++;
		}
	}
	return count;
}

/* The faces that are cut, and the seams that stay. */
typedef struct face_cutting {
	const bool *fixed;  /* [corner_count]: seams */
	const bool *is_cut; /* [face_count]: all faces of a chart, or none */
	unwrap_segmentation *segmentation;
} face_cutting;

/* [face_count]: those of the segmentation; −1 of all faces that are not cut, between whose charts are fixed seams. */
static const double *number_faces(const face_cutting *c, const unwrap_sheet *s) {
	const double *charts = unwrap_segmentation_charts(c->segmentation);
	double *numbers = SNW_NEW_ARRAY(s->arena, double, s->surface.mesh->face_count);
	for (uint32_t f = 0; f < s->surface.mesh->face_count; f++) {
		numbers[f] = c->is_cut[f] ? charts[f] : -1;
	}
	return numbers;
}

/* Flattens the charts that are new, or all to the end, and takes back those that do not hold. Charts that are not cut are not
 * flattened yet. The charts before are gone. */
static snw_status try_charts(unwrap_run *u, unwrap_sheet *s, const face_cutting *c, bool is_trial, const snw_task *task,
							 uint32_t *count) {
	snw_arena_destroy(s->arena);
	s->arena = snw_arena_create();
	const double *numbers = number_faces(c, s);
	s->seams = unwrap_seams_of_numbers(&s->surface, numbers, s->arena);
	for (uint32_t i = 0; i < s->surface.corner_count; i++) {
		s->seams[i] = s->seams[i] || c->fixed[i];
	}
	s->charts.count = 0;
	snw_status status = unwrap_sheet_cut(u, s);
	for (uint32_t i = 0; i < s->charts.count && !snw_failed(status); i++) {
		const uint32_t face = s->charts.faces[s->charts.offsets[i]];
		s->is_needed[i] =
			c->is_cut[face] && (!is_trial || !unwrap_segmentation_is_good(c->segmentation, (uint32_t)numbers[face]));
	}
	status = snw_failed(status) ? status : unwrap_sheet_flatten(u, s, is_trial, task);
	*count = snw_failed(status) ? 0 : take_back(u, s, numbers, c->segmentation);
	return status;
}

/* Half of the room for charts is left to merges that are taken back. */
static uint32_t first_count(const unwrap_sheet *s, uint32_t most) {
	const uint32_t half = (UNWRAP_MOST_PARTS - s->charts.count) / 2;
	const uint32_t first = FINER * most > LEAST ? FINER * most : LEAST;
	return first < half ? first : half;
}

/* Those that are tried together. */
static uint32_t merges_of(const unwrap_sheet *s, uint32_t most) {
	const uint32_t share = s->charts.count > most ? (s->charts.count - most) / ROUNDS : 0;
	return share > MERGES ? share : MERGES;
}

/* Cuts faces by merging them: first many charts, then fewer, each of which is tried. */
static snw_status merge_faces(unwrap_run *u, unwrap_sheet *s, face_cutting *c, const snw_task *task) {
	const float *posed[UNWRAP_SEGMENT_POSES];
	const uint32_t pose_count = choose_poses(u, s, posed);
	const uint32_t most = u->request->most_charts > 0 ? u->request->most_charts : SNW_UNWRAP_CHARTS;
	bool *closed = SNW_NEW_ARRAY(u->scratch, bool, s->surface.corner_count);
	uint32_t others = 0, count = 1;
	for (uint32_t i = 0; i < s->surface.corner_count; i++) {
		closed[i] = c->fixed[i] || !c->is_cut[s->surface.corner_faces[i]];
	}
	for (uint32_t f = 0; f < s->surface.mesh->face_count; f++) {
		others += !c->is_cut[f];
	}
	c->segmentation = unwrap_segmentation_make(&s->surface, closed, pose_count, posed, u->scratch);
	unwrap_segmentation_merge(c->segmentation, first_count(s, most) + others, SNW_NONE);
	snw_status status = SNW_OK;
	while (count > 0 && !snw_failed(status)) {
		status = try_charts(u, s, c, true, task, &count);
	}
	for (count = 1; count > 0 && !snw_failed(status);) {
		while (!snw_failed(status) && unwrap_segmentation_merge(c->segmentation, most + others, merges_of(s, most)) > 0) {
			status = try_charts(u, s, c, true, task, &count);
		}
		status = snw_failed(status) ? status : try_charts(u, s, c, false, task, &count);
	}
	for (uint32_t i = 0; i < s->charts.count && !snw_failed(status); i++) {
		s->is_needed[i] = !c->is_cut[s->charts.faces[s->charts.offsets[i]]];
	}
	return status;
}

snw_status unwrap_sheet_merge(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task) {
	bool *is_cut = SNW_NEW_ARRAY(u->scratch, bool, s->surface.mesh->face_count);
	memset(is_cut, true, s->surface.mesh->face_count);
	return merge_faces(u, s, &(face_cutting){.fixed = seams, .is_cut = is_cut}, task);
}

snw_status unwrap_sheet_cut_closed(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task) {
	bool *is_cut = SNW_NEW_ARRAY(u->scratch, bool, s->surface.mesh->face_count);
	for (uint32_t i = 0; i < s->charts.count; i++) {
		snw_arena *scratch = snw_arena_create();
		const bool is_flat = unwrap_chart_make(&s->surface, seams, &s->charts, i, scratch).is_flat;
		snw_arena_destroy(scratch);
		s->made->cut_parts += !is_flat;
		for (uint32_t k = s->charts.offsets[i]; k < s->charts.offsets[i + 1]; k++) {
			is_cut[s->charts.faces[k]] = !is_flat;
		}
	}
	return s->made->cut_parts > 0 ? merge_faces(u, s, &(face_cutting){.fixed = seams, .is_cut = is_cut}, task) : SNW_OK;
}
