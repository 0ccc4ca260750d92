/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lod/lod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lod/level_skin.h"
#include "lod/lod_internal.h"
#include "mesh/mesh.h"
#include "motion/motion.h"
#include "pose/pose.h"
#include "program/program.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* Triangles of a leaf; boxes that wait in a query; points of one thread. */
enum { LEAF = 4, DEPTH = 64, ERROR_GRAIN = 256 };

static const double uv_share = 8; /* of a distance in UV against one at rest */
enum { MOST_TRIED = 1024 /* triangles that may have equal UV with a corner */ };

typedef struct node {
	float least[3], most[3];
	uint32_t begin, end; /* of the triangles; the left child is the next node */
	uint32_t right;      /* SNW_NONE in a leaf */
} node;

struct lod_tree {
	uint32_t triangle_count, node_count;
	uint32_t (*points)[3], (*corners)[3];
	node *nodes;
	const float *places;
};

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

typedef struct center {
	double at[3];
	uint32_t triangle;
} center;

static uint32_t sort_axis(const center *centers, uint32_t count) {
	double least[3], most[3];
	for (int c = 0; c < 3; c++) {
		least[c] = most[c] = centers[0].at[c];
		for (uint32_t i = 1; i < count; i++) {
			least[c] = fmin(least[c], centers[i].at[c]);
			most[c] = fmax(most[c], centers[i].at[c]);
		}
	}
	const double x = most[0] - least[0], y = most[1] - least[1], z = most[2] - least[2];
	return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static bool is_less(const center *a, const center *b, uint32_t axis) {
	return a->at[axis] != b->at[axis] ? a->at[axis] < b->at[axis] : a->triangle < b->triangle;
}

/* Puts the half with the smaller centres first (C. Hoare, Find, 1961). */
static void part_at(center *centers, int64_t count, int64_t middle, uint32_t axis) {
	for (int64_t low = 0, high = count - 1; low < high;) {
		const center pivot = centers[(low + high) / 2];
		int64_t i = low, j = high;
		while (i <= j) {
			for (; is_less(&centers[i], &pivot, axis); i++) {
			}
			for (; is_less(&pivot, &centers[j], axis); j--) {
			}
			if (i <= j) {
				const center swapped = centers[i];
				centers[i++] = centers[j];
				centers[j--] = swapped;
			}
		}
		low = middle > j ? i : low;
		high = middle < i ? j : high;
	}
}

static void build(lod_tree *tree, center *centers, uint32_t begin, uint32_t end) {
	const uint32_t at = tree->node_count++;
	tree->nodes[at] = (node){.begin = begin, .end = end, .right = SNW_NONE};
	if (end - begin > LEAF) {
		const uint32_t middle = (begin + end) / 2;
		part_at(centers + begin, end - begin, middle - begin, sort_axis(centers + begin, end - begin));
		build(tree, centers, begin, middle);
		tree->nodes[at].right = tree->node_count;
		build(tree, centers, middle, end);
	}
}

lod_tree *lod_tree_make(const snw_mesh *mesh, snw_arena *arena) {
	lod_tree *tree = SNW_NEW(arena, lod_tree);
	snw_arena *scratch = snw_arena_create();
	uint32_t most = 3, count = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t corners = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		most = corners > most ? corners : most;
		count += corners - 2;
	}
	uint32_t *corners = SNW_NEW_ARRAY(scratch, uint32_t, 3 * (size_t)count + 3);
	uint32_t *space = SNW_NEW_ARRAY(scratch, uint32_t, most);
	center *centers = SNW_NEW_ARRAY(scratch, center, count);
	for (uint32_t f = 0, t = 0; f < mesh->face_count; t += mesh->face_offsets[f + 1] - mesh->face_offsets[f] - 2, f++) {
		snw_face_triangulate(mesh, f, corners + 3 * (size_t)t, space);
		for (uint32_t k = 3 * t; k < 3 * (t + mesh->face_offsets[f + 1] - mesh->face_offsets[f] - 2); k++) {
			corners[k] += mesh->face_offsets[f];
		}
	}
	for (uint32_t t = 0; t < count; t++) {
		centers[t].triangle = t;
		for (uint32_t k = 0; k < 9; k++) {
			centers[t].at[k % 3] += mesh->points_rest[3 * (size_t)mesh->face_points[corners[3 * (size_t)t + k / 3]] + k % 3];
		}
	}
	tree->triangle_count = count;
	tree->points = snw_arena_array(arena, count, sizeof *tree->points);
	tree->corners = snw_arena_array(arena, count, sizeof *tree->corners);
	tree->nodes = SNW_NEW_ARRAY(arena, node, 2 * (size_t)count + 1);
	if (count > 0) {
		build(tree, centers, 0, count);
	}
	for (uint32_t t = 0; t < count; t++) {
		for (uint32_t k = 0; k < 3; k++) {
			tree->corners[t][k] = corners[3 * (size_t)centers[t].triangle + k];
			tree->points[t][k] = mesh->face_points[tree->corners[t][k]];
		}
	}
	snw_arena_destroy(scratch);
	return tree;
}

void lod_tree_refit(lod_tree *tree, const float *places) {
	tree->places = places;
	for (uint32_t n = tree->node_count; n-- > 0;) { /* children come after their parents */
		node *at = &tree->nodes[n];
		for (int c = 0; c < 3; c++) {
			at->least[c] = INFINITY;
			at->most[c] = -INFINITY;
		}
		if (at->right != SNW_NONE) {
			const node *children[2] = {at + 1, &tree->nodes[at->right]};
			for (int c = 0; c < 3; c++) {
				at->least[c] = fminf(children[0]->least[c], children[1]->least[c]);
				at->most[c] = fmaxf(children[0]->most[c], children[1]->most[c]);
			}
			continue;
		}
		for (uint32_t t = at->begin; t < at->end; t++) {
			for (int k = 0; k < 3; k++) {
				const float *place = places + 3 * (size_t)tree->points[t][k];
				for (int c = 0; c < 3; c++) {
					at->least[c] = fminf(at->least[c], place[c]);
					at->most[c] = fmaxf(at->most[c], place[c]);
				}
			}
		}
	}
}

/* ---- queries ------------------------------------------------------------------------------------------------------------- */

/* The nearest place of a triangle (C. Ericson, Real-time collision detection, 2004, 5.1.5): squared distance and shares. */
static double nearest_on_triangle(const float *place, const float *const corners[3], double shares[3]) {
	double ab[3], ac[3], ap[3], bp[3], cp[3];
	for (int c = 0; c < 3; c++) {
		ab[c] = (double)corners[1][c] - (double)corners[0][c];
		ac[c] = (double)corners[2][c] - (double)corners[0][c];
		ap[c] = (double)place[c] - (double)corners[0][c];
		bp[c] = ap[c] - ab[c];
		cp[c] = ap[c] - ac[c];
	}
	const double d1 = snw_dot3(ab, ap), d2 = snw_dot3(ac, ap), d3 = snw_dot3(ab, bp), d4 = snw_dot3(ac, bp),
				 d5 = snw_dot3(ab, cp), d6 = snw_dot3(ac, cp);
	const double a = d3 * d6 - d5 * d4, b = d5 * d2 - d1 * d6, c = d1 * d4 - d3 * d2;
	double v, w;
	if (d1 <= 0 && d2 <= 0) {
		v = w = 0;
	} else if (d3 >= 0 && d4 <= d3) {
		v = 1, w = 0;
	} else if (d6 >= 0 && d5 <= d6) {
		v = 0, w = 1;
	} else if (c <= 0 && d1 >= 0 && d3 <= 0) {
		v = d1 / (d1 - d3), w = 0;
	} else if (b <= 0 && d2 >= 0 && d6 <= 0) {
		v = 0, w = d2 / (d2 - d6);
	} else if (a <= 0 && d4 >= d3 && d5 >= d6) {
		w = (d4 - d3) / (d4 - d3 + d5 - d6), v = 1 - w;
	} else {
		v = b / (a + b + c), w = c / (a + b + c);
	}
	shares[0] = 1 - v - w;
	shares[1] = v;
	shares[2] = w;
	double squares = 0;
	for (int i = 0; i < 3; i++) {
		const double apart = ap[i] - v * ab[i] - w * ac[i];
		squares += apart * apart;
	}
	return squares;
}

static void try_triangle(const lod_tree *tree, uint32_t triangle, const float *place, lod_nearest *best) {
	const float *corners[3];
	double shares[3];
	for (int k = 0; k < 3; k++) {
		corners[k] = tree->places + 3 * (size_t)tree->points[triangle][k];
	}
	const double squares = nearest_on_triangle(place, corners, shares);
	if (squares < best->squares) {
		best->squares = squares;
		best->triangle = triangle;
		memcpy(best->shares, shares, sizeof shares);
	}
}

static float squares_to_box(const node *at, const float *place) {
	float squares = 0;
	for (int c = 0; c < 3; c++) {
		const float below = at->least[c] - place[c], above = place[c] - at->most[c];
		const float apart = below > 0 ? below : above > 0 ? above : 0;
		squares += apart * apart;
	}
	return squares * 0.999999F; /* rounding hides no nearer triangle */
}

lod_nearest lod_tree_nearest(const lod_tree *tree, const float place[3], uint32_t hint) {
	lod_nearest best = {.squares = (double)INFINITY, .triangle = SNW_NONE};
	uint32_t waiting[DEPTH], count = 0;
	float distances[DEPTH];
	if (hint != SNW_NONE) {
		try_triangle(tree, hint, place, &best);
	}
	if (tree->node_count > 0) {
		distances[count] = 0;
		waiting[count++] = 0;
	}
	while (count > 0) {
		count--;
		const node *at = &tree->nodes[waiting[count]];
		if ((double)distances[count] >= best.squares) {
			continue;
		}
		if (at->right == SNW_NONE) {
			for (uint32_t t = at->begin; t < at->end; t++) {
				try_triangle(tree, t, place, &best);
			}
			continue;
		}
		const uint32_t children[2] = {(uint32_t)(at - tree->nodes) + 1, at->right};
		const float squares[2] = {squares_to_box(&tree->nodes[children[0]], place),
								  squares_to_box(&tree->nodes[children[1]], place)};
		const int nearer = squares[1] < squares[0];
		for (int k = 0; k < 2; k++) {
			const int child = k == 0 ? !nearer : nearer;
			if ((double)squares[child] < best.squares) {
				distances[count] = squares[child];
				waiting[count++] = children[child];
			}
		}
	}
	if (best.triangle != SNW_NONE) {
		memcpy(best.corners, tree->corners[best.triangle], sizeof best.corners);
	}
	return best;
}

/* ---- one level in one pose ----------------------------------------------------------------------------------------------- */

/* A mesh, or a level of it, as it is posed. */
typedef struct posed_mesh {
	const snw_mesh *mesh;
	lod_tree *tree;
	float *points;    /* [point_count][3] */
	double *areas;    /* [point_count]: a third of those of the faces around it */
	uint32_t *hints;  /* [point_count]: triangles of the other surface that were near before */
	double *squares;  /* [point_count]: to the other surface */
	double sum, area; /* over all poses */
} posed_mesh;

typedef struct measured_level {
	snw_level *level;
	snw_program program;
	bool plays_stack; /* its program takes the input of the stack's */
	posed_mesh fine, coarse;
	/* Of the fine mesh's corners: the place of equal UV, the nearest at rest; NULL without UVs that have an area. */
	lod_nearest *uv_places;
	double uv_sum, uv_area;
	double largest, uv_largest; /* squared */
} measured_level;

typedef struct search {
	const posed_mesh *from, *to;
} search;

static void find_nearest(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const search *s = argument;
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		if (s->from->areas[i] > 0) { /* it is on a face */
			const lod_nearest found = lod_tree_nearest(s->to->tree, s->from->points + 3 * (size_t)i, s->from->hints[i]);
			s->from->hints[i] = found.triangle;
			s->from->squares[i] = found.squares;
		}
	}
}

static void find_areas(posed_mesh *posed) {
	const snw_mesh *mesh = posed->mesh;
	memset(posed->areas, 0, mesh->point_count * sizeof *posed->areas);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t k = mesh->face_offsets[f] + 2; k < mesh->face_offsets[f + 1]; k++) {
			const uint32_t corners[3] = {mesh->face_points[mesh->face_offsets[f]], mesh->face_points[k - 1],
										 mesh->face_points[k]};
			double ab[3], ac[3], normal[3];
			for (int c = 0; c < 3; c++) {
				const double from = (double)posed->points[3 * (size_t)corners[0] + (size_t)c];
				ab[c] = (double)posed->points[3 * (size_t)corners[1] + (size_t)c] - from;
				ac[c] = (double)posed->points[3 * (size_t)corners[2] + (size_t)c] - from;
			}
			snw_cross3(ab, ac, normal);
			for (int c = 0; c < 3; c++) {
				posed->areas[corners[c]] += snw_length3(normal) / 6;
			}
		}
	}
}

/* From one surface to the other; whether the largest distance of the level grew. */
static bool measure_way(posed_mesh *from, const posed_mesh *to, measured_level *m) {
	search s = {from, to};
	bool grew = false;
	snw_parallel_for(from->mesh->point_count, ERROR_GRAIN, find_nearest, &s);
	for (uint32_t i = 0; i < from->mesh->point_count; i++) {
		if (from->areas[i] > 0) {
			from->sum += from->areas[i] * from->squares[i];
			from->area += from->areas[i];
			if (from->squares[i] > m->largest) {
				m->largest = from->squares[i];
				memcpy(m->level->worst_place, from->mesh->points_rest + 3 * (size_t)i, 3 * sizeof(double));
				grew = true;
			}
		}
	}
	return grew;
}

/* How far places of equal UV are from each other. */
static void measure_uvs(measured_level *m) {
	const snw_mesh *fine = m->fine.mesh, *coarse = m->coarse.mesh;
	for (uint32_t c = 0; m->uv_places && c < fine->face_offsets[fine->face_count]; c++) {
		const lod_nearest *place = &m->uv_places[c];
		const uint32_t point = fine->face_points[c];
		double squares = 0;
		for (size_t i = 0; i < 3; i++) {
			double at = 0;
			for (int k = 0; k < 3; k++) {
				at += place->shares[k] * (double)m->coarse.points[3 * (size_t)coarse->face_points[place->corners[k]] + i];
			}
			const double apart = at - (double)m->fine.points[3 * (size_t)point + i];
			squares += apart * apart;
		}
		m->uv_sum += m->fine.areas[point] * squares;
		m->uv_area += m->fine.areas[point];
		m->uv_largest = fmax(m->uv_largest, squares);
	}
}

static void measure_pose(measured_level *m, const snw_pose *pose) {
	lod_tree_refit(m->coarse.tree, m->coarse.points);
	find_areas(&m->coarse);
	const bool there = measure_way(&m->fine, &m->coarse, m), back = measure_way(&m->coarse, &m->fine, m);
	m->level->worst_pose = there || back ? pose->name : m->level->worst_pose;
	measure_uvs(m);
}

/* ---- all levels ---------------------------------------------------------------------------------------------------------- */

/* A corner of the fine mesh in UV, and where it is at rest. */
typedef struct uv_query {
	const lod_tree *flat; /* the level's faces, as they lie in UV */
	const snw_mesh *coarse;
	const float *uv;
	const double *point;
	double weight; /* of squares in UV against those at rest */
	uint32_t tried;
	lod_nearest best; /* `squares` of both together */
} uv_query;

static void try_uv_triangle(uv_query *query, uint32_t triangle) {
	const float *corners[3];
	lod_nearest found = {.triangle = triangle};
	memcpy(found.corners, query->flat->corners[triangle], sizeof found.corners);
	for (int k = 0; k < 3; k++) {
		corners[k] = query->flat->places + 3 * (size_t)query->flat->points[triangle][k];
	}
	found.squares = query->weight * nearest_on_triangle(query->uv, corners, found.shares);
	for (size_t i = 0; i < 3; i++) {
		double apart = -query->point[i];
		for (int k = 0; k < 3; k++) {
			const uint32_t point = query->coarse->face_points[found.corners[k]];
			apart += found.shares[k] * query->coarse->points_rest[3 * (size_t)point + i];
		}
		found.squares += apart * apart;
	}
	query->best = found.squares < query->best.squares ? found : query->best;
	query->tried++;
}

/* Where UVs overlap, several places of the level have equal UV and show the same of a texture: the nearest of them at rest. */
static lod_nearest nearest_of_equal_uv(uv_query *query, uint32_t hint) {
	const lod_tree *flat = query->flat;
	uint32_t waiting[DEPTH], count = 1;
	query->best.squares = (double)INFINITY;
	try_uv_triangle(query, hint);
	for (waiting[0] = 0; count > 0 && query->tried < MOST_TRIED;) {
		const node *at = &flat->nodes[waiting[--count]];
		if (query->weight * (double)squares_to_box(at, query->uv) >= query->best.squares) {
			continue;
		}
		for (uint32_t t = at->begin; t < at->end && at->right == SNW_NONE; t++) {
			try_uv_triangle(query, t);
		}
		if (at->right != SNW_NONE) {
			const uint32_t children[2] = {(uint32_t)(at - flat->nodes) + 1, at->right};
			const int farther =
				squares_to_box(&flat->nodes[children[1]], query->uv) > squares_to_box(&flat->nodes[children[0]], query->uv);
			waiting[count++] = children[farther];
			waiting[count++] = children[1 - farther];
		}
	}
	return query->best;
}

/* For each corner the place of equal UV on the level. */
static lod_nearest *find_uv_places(const snw_mesh *fine, const snw_mesh *coarse, snw_arena *arena) {
	const double scale = fine->corner_uvs ? uv_share * lod_uv_scale(fine) : 0;
	if (!(scale > 0) || !coarse->corner_uvs || coarse->face_count == 0) {
		return NULL;
	}
	snw_arena *scratch = snw_arena_create();
	const uint32_t count = coarse->face_offsets[coarse->face_count], corners = fine->face_offsets[fine->face_count];
	snw_mesh flat = {.point_count = count, .face_count = coarse->face_count, .face_offsets = coarse->face_offsets};
	uint32_t *selves = SNW_NEW_ARRAY(scratch, uint32_t, count);
	double *rest = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)count);
	float *places = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)count);
	for (uint32_t c = 0; c < count; c++) {
		selves[c] = c;
		for (size_t i = 0; i < 2; i++) {
			places[3 * (size_t)c + i] = coarse->corner_uvs[2 * (size_t)c + i];
			rest[3 * (size_t)c + i] = (double)places[3 * (size_t)c + i];
		}
	}
	flat.face_points = selves;
	flat.points_rest = rest;
	lod_tree *tree = lod_tree_make(&flat, scratch);
	lod_tree_refit(tree, places);
	lod_nearest *found = SNW_NEW_ARRAY(arena, lod_nearest, corners);
	for (uint32_t c = 0; c < corners; c++) {
		const float place[3] = {fine->corner_uvs[2 * (size_t)c], fine->corner_uvs[2 * (size_t)c + 1], 0};
		uv_query query = {.flat = tree,
						  .coarse = coarse,
						  .uv = place,
						  .point = fine->points_rest + 3 * (size_t)fine->face_points[c],
						  .weight = scale * scale};
		found[c] = nearest_of_equal_uv(&query, c > 0 ? found[c - 1].triangle : 0);
	}
	snw_arena_destroy(scratch);
	return found;
}

static posed_mesh make_posed(const snw_mesh *mesh, snw_arena *arena) {
	posed_mesh made = {.mesh = mesh,
					   .tree = lod_tree_make(mesh, arena),
					   .points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count),
					   .areas = SNW_NEW_ARRAY(arena, double, mesh->point_count),
					   .hints = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
					   .squares = SNW_NEW_ARRAY(arena, double, mesh->point_count)};
	memset(made.hints, 0xFF, mesh->point_count * sizeof *made.hints);
	return made;
}

static measured_level *make_measured(const snw_scene *scene, const snw_stack *stack, uint32_t count, snw_level *levels,
									 snw_arena *arena) {
	measured_level *made = SNW_NEW_ARRAY(arena, measured_level, count);
	for (uint32_t i = 0; i < count; i++) {
		measured_level *m = &made[i];
		const snw_mesh *mesh = &scene->meshes[levels[i].mesh];
		m->level = &levels[i];
		m->plays_stack = lod_is_one_program(stack, levels[i].mesh);
		m->program = snw_lod_program(scene, stack, &levels[i], arena);
		m->fine = make_posed(mesh, arena);
		m->coarse = make_posed(&levels[i].shape, arena);
		m->uv_places = find_uv_places(mesh, &levels[i].shape, arena);
	}
	return made;
}

/* A mesh animation that no layer moves: the level's points are combinations of the frame's. */
static void play_frame(measured_level *m, const float *frame) {
	const snw_level *level = m->level;
	memcpy(m->fine.points, frame, 3 * (size_t)m->fine.mesh->point_count * sizeof *frame);
	for (uint32_t p = 0; p < level->shape.point_count; p++) {
		double sum[3] = {0};
		for (uint32_t j = level->stencil_offsets[p]; j < level->stencil_offsets[p + 1]; j++) {
			for (size_t c = 0; c < 3; c++) {
				sum[c] += level->stencil_weights[j] * (double)frame[3 * (size_t)level->stencil_points[j] + c];
			}
		}
		for (size_t c = 0; c < 3; c++) {
			m->coarse.points[3 * (size_t)p + c] = (float)sum[c];
		}
	}
	lod_tree_refit(m->fine.tree, m->fine.points);
	find_areas(&m->fine);
}

/* The points of the mesh and those of the level. */
static snw_status pose_level(const snw_stack *stack, snw_evaluation *evaluation, const float *frame, const double *palette,
							 double *doubles, measured_level *m, snw_error *error) {
	const uint32_t mesh = m->level->mesh;
	if (frame && snw_stack_segment_count(stack, mesh) == 0) {
		play_frame(m, frame);
		return SNW_OK;
	}
	const snw_program_input posed = {.matrices = palette};
	snw_program_reference(&m->program, m->plays_stack ? snw_stack_program_input(evaluation, mesh, 0) : &posed, NULL, doubles);
	for (size_t i = 0; i < 3 * (size_t)m->level->shape.point_count; i++) {
		m->coarse.points[i] = (float)doubles[i];
	}
	const snw_status status = snw_stack_run(stack, evaluation, mesh, m->fine.points, error);
	if (!snw_failed(status)) {
		lod_tree_refit(m->fine.tree, m->fine.points);
		find_areas(&m->fine);
	}
	return status;
}

static double percent(double squares, double diagonal) {
	return diagonal > 0 ? 100 * sqrt(squares) / diagonal : 0;
}

/* The largest is one pixel of 1080 where the character's longest side takes this share of the screen's height. */
static double screen_share(const snw_scene *scene, double largest) {
	const snw_box box = snw_scene_box(scene, SNW_NONE);
	double side = 0;
	for (int c = 0; c < 3; c++) {
		side = fmax(side, box.upper[c] - box.lower[c]);
	}
	return largest > 0 ? fmin(side / (1080 * largest), 1) : 1;
}

static void tell(const snw_scene *scene, const measured_level *m) {
	const double diagonal = snw_scene_diagonal(scene, SNW_NONE), area = m->fine.area + m->coarse.area;
	m->level->rms_percent = percent(area > 0 ? (m->fine.sum + m->coarse.sum) / area : 0, diagonal);
	m->level->largest_percent = percent(m->largest, diagonal);
	m->level->uv_rms_percent = percent(m->uv_area > 0 ? m->uv_sum / m->uv_area : 0, diagonal);
	m->level->uv_largest_percent = percent(m->uv_largest, diagonal);
	m->level->screen_share = screen_share(scene, sqrt(m->largest));
}

snw_status lod_levels_measure(const snw_scene *scene, const snw_stack *stack, uint32_t *pose_count, snw_pose *const *poses,
							  uint32_t count, snw_level *levels, const snw_task *task, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	measured_level *measured = make_measured(scene, stack, count, levels, scratch);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double *global = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->skeleton.joint_count);
	double *palette = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->slot_count);
	size_t most = 0;
	for (uint32_t i = 0; i < count; i++) {
		most = levels[i].shape.point_count > most ? levels[i].shape.point_count : most;
	}
	double *doubles = SNW_NEW_ARRAY(scratch, double, 3 * most);
	snw_status status = SNW_OK;
	for (uint32_t p = 0; p < *pose_count && !snw_failed(status); p++) {
		snw_pose_view view;
		snw_pose_solve(scene, poses[p], global, palette, &view);
		status = snw_stack_drive(stack, &view, evaluation, error);
		for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
			const float *frame = snw_motion_frame(scene, levels[i].mesh, poses[p]);
			status = pose_level(stack, evaluation, frame, palette, doubles, &measured[i], error);
			if (!snw_failed(status)) {
				measure_pose(&measured[i], poses[p]);
			}
		}
		if (!snw_failed(status) && !snw_task_progress(task, (double)(p + 1) / *pose_count, "measuring levels")) {
			*pose_count = p + 1;
			status = snw_fail(error, SNW_CANCELLED, "measuring levels was cancelled");
		}
	}
	for (uint32_t i = 0; i < count && (!snw_failed(status) || status == SNW_CANCELLED); i++) {
		tell(scene, &measured[i]);
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(scratch);
	return status;
}
