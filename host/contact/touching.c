/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "mesh/surface.h"
#include "sinew/algebra.h"

/* ---- folds --------------------------------------------------------------------------------------------------------------- */

static int compare_folds(const void *a, const void *b) {
	const snw_contact_pair *x = a, *y = b;
	const int first = x->triangles[0] < y->triangles[0] ? -1 : x->triangles[0] > y->triangles[0];
	return first ? first : x->triangles[1] < y->triangles[1] ? -1 : x->triangles[1] > y->triangles[1];
}

typedef struct pair_list {
	snw_arena *arena;
	uint32_t count, room;
	snw_contact_pair *pairs;
} pair_list;

static bool list_pair(void *context, uint32_t first, uint32_t second, double distance) {
	pair_list *list = context;
	list->pairs = snw_arena_grow(list->arena, list->pairs, list->count, &list->room, sizeof *list->pairs);
	list->pairs[list->count++] = (snw_contact_pair){{first, second}, distance};
	return list->count < SNW_CONTACT_MOST_PAIRS;
}

snw_meeting snw_meeting_at_rest(snw_contact_mesh_pose *first, snw_contact_mesh_pose *second, snw_arena *arena) {
	pair_list list = {.arena = arena};
	if (second) {
		snw_contact_pairs(first, second, 0, list_pair, &list);
	} else {
		snw_contact_self_pairs(first, 0, list_pair, &list);
	}
	if (list.count > 0) {
		qsort(list.pairs, list.count, sizeof *list.pairs, compare_folds);
	}
	return (snw_meeting){list.count, list.pairs};
}

typedef struct marking {
	const snw_meeting *meeting;
	const snw_contact_tree *trees[2];
	bool *marks[2];
} marking;

static bool mark_pair(void *context, uint32_t first, uint32_t second, double distance) {
	const marking *m = context;
	const snw_contact_pair pair = {{first, second}, distance};
	const snw_meeting *meeting = m->meeting;
	if (meeting->count > 0 && bsearch(&pair, meeting->at_rest, meeting->count, sizeof pair, compare_folds)) {
		return true;
	}
	for (int k = 0; k < 6; k++) {
		m->marks[k / 3][snw_contact_tree_corners(m->trees[k / 3], pair.triangles[k / 3])[k % 3]] = true;
	}
	return true;
}

void snw_meeting_mark(const snw_meeting *meeting, snw_contact_mesh_pose *first, snw_contact_mesh_pose *second,
					  bool *first_marks, bool *second_marks) {
	marking m = {meeting, {first->tree, second->tree}, {first_marks, second_marks}};
	if (first == second) {
		snw_contact_self_pairs(first, 0, mark_pair, &m);
	} else {
		snw_contact_pairs(first, second, 0, mark_pair, &m);
	}
}

void snw_folds_mark(const snw_meeting *meeting, snw_contact_mesh_pose *pose, snw_contact_neighbours *neighbours,
					uint32_t point_count, bool *marks) {
	snw_arena *scratch = snw_arena_create();
	bool *meets = SNW_NEW_ARRAY(scratch, bool, point_count);
	snw_meeting_mark(meeting, pose, pose, meets, meets);
	memcpy(marks, meets, point_count * sizeof *marks);
	for (uint32_t p = 0; p < point_count; p++) {
		const uint32_t *near, count = meets[p] ? snw_contact_neighbours_of(neighbours, p, &near) : 0;
		for (uint32_t i = 0; i < count; i++) {
			marks[near[i]] = true;
		}
	}
	snw_arena_destroy(scratch);
}

/* ---- own patch ----------------------------------------------------------------------------------------------------------- */

enum { MOST_CROSSINGS = 16 };
static const double BEFORE_ITS_PLACE = 1e-4, BEYOND = 1e-7; /* of the way */

/* Whether all of a triangle is in a patch. */
static bool is_in_patch(const snw_contact_tree *tree, const snw_rest_place *rest, double radius, uint32_t triangle) {
	const uint32_t *corners = tree->corners[triangle];
	bool is_in = true;
	for (int k = 0; k < 3; k++) {
		is_in = is_in && snw_squared_distance3(rest->place, tree->mesh->points_rest + 3 * (size_t)corners[k]) < radius * radius;
	}
	return is_in;
}

/* The distance with the sign of the side of the surface on which a point is; 0 where that is not known. */
static double height_over(const snw_contact_place *place, const double point[3]) {
	if (place->triangle == SNW_NONE || place->on_border) {
		return 0;
	}
	const double away[3] = {point[0] - place->place[0], point[1] - place->place[1], point[2] - place->place[2]};
	const double height = snw_dot3(away, place->normal);
	return height > 0 ? place->distance : height < 0 ? -place->distance : 0;
}

/* The sum of the area vectors of the triangles around a point; 0 without any. */
static void find_area(const snw_contact_mesh_pose *mesh, uint32_t point, double area[3]) {
	const snw_contact_tree *tree = mesh->tree;
	memset(area, 0, 3 * sizeof *area);
	for (uint32_t i = tree->around_starts[point]; i < tree->around_starts[point + 1]; i++) {
		const snw_triangle at = snw_contact_mesh_triangle(mesh, tree->around[i]);
		double edges[2][3], cross[3];
		for (int c = 0; c < 3; c++) {
			edges[0][c] = at.corners[1][c] - at.corners[0][c];
			edges[1][c] = at.corners[2][c] - at.corners[0][c];
		}
		snw_cross3(edges[0], edges[1], cross);
		for (int c = 0; c < 3; c++) {
			area[c] += cross[c];
		}
	}
}

static double facing_of(const snw_posed_point *point, const snw_contact_place *place) {
	double area[3];
	find_area(point->mesh, point->point, area);
	const double facing = snw_dot3(area, place->normal);
	return (facing > 0) - (facing < 0);
}

/* Where the place is on a part of a closed mesh that lies in another part, its side says nothing. */
static snw_rest_place find_place(snw_contact_mesh_pose *other, const snw_posed_point *point, double radius) {
	const snw_contact_tree *tree = other->tree;
	const snw_contact_place found = snw_contact_nearest(other, point->at, radius, NULL, NULL);
	snw_rest_place rest = {.height = height_over(&found, point->at), .triangle = found.triangle};
	rest.is_inside = snw_contact_is_inside(other, point->at, false);
	rest.height = tree->is_closed && rest.is_inside != (rest.height < 0) ? 0 : rest.height;
	memcpy(rest.place, found.place, sizeof rest.place);
	if (found.triangle != SNW_NONE) {
		const snw_triangle at = snw_contact_mesh_triangle(other, found.triangle);
		const double *const corners[3] = {at.corners[0], at.corners[1], at.corners[2]};
		snw_triangle_nearest(found.place, corners, rest.shares);
		rest.facing = facing_of(point, &found);
	}
	return rest;
}

snw_rest_place *snw_rest_places_find(const snw_contact_mesh_pose *mesh, snw_contact_mesh_pose *other, double radius,
									 snw_arena *arena) {
	const uint32_t point_count = mesh->tree->mesh->point_count;
	snw_rest_place *places = SNW_NEW_ARRAY(arena, snw_rest_place, point_count);
	uint32_t above = 0, below = 0;
	for (uint32_t p = 0; p < point_count; p++) {
		const double *rest = mesh->tree->mesh->points_rest + 3 * (size_t)p;
		const snw_posed_point point = {mesh, p, {(double)(float)rest[0], (double)(float)rest[1], (double)(float)rest[2]}};
		places[p] = find_place(other, &point, radius);
		above += places[p].height > 0;
		below += places[p].height < 0;
	}
	for (uint32_t p = 0; p < point_count; p++) {
		const bool is_rare = above > below ? places[p].height < 0 : above < below && places[p].height > 0;
		places[p].height = is_rare ? 0 : places[p].height;
	}
	return places;
}

static bool is_another(const void *context, uint32_t triangle) {
	return triangle != *(const uint32_t *)context;
}

/* Whether a point is on the side of the surface on which it was at rest: on the way to its place at rest it goes through the
 * surface an even number of times, counting that it arrives there from the other side. */
static bool is_on_its_side(snw_contact_mesh_pose *other, const snw_rest_place *rest, const double point[3]) {
	const snw_triangle at = snw_contact_mesh_triangle(other, rest->triangle);
	double way[3], edges[2][3], normal[3], from[3] = {point[0], point[1], point[2]}, done = 0;
	for (int c = 0; c < 3; c++) {
		way[c] = -point[c];
		for (int k = 0; k < 3; k++) {
			way[c] += rest->shares[k] * at.corners[k][c];
		}
		edges[0][c] = at.corners[1][c] - at.corners[0][c];
		edges[1][c] = at.corners[2][c] - at.corners[0][c];
	}
	snw_cross3(edges[0], edges[1], normal);
	bool is_on = (snw_dot3(way, normal) < 0) == (rest->height > 0);
	for (int i = 0; i < MOST_CROSSINGS; i++) {
		const snw_contact_hit hit = snw_contact_ray(other, from, way, 1 - done - BEFORE_ITS_PLACE, is_another, &rest->triangle);
		if (hit.triangle == SNW_NONE) {
			return is_on;
		}
		is_on = !is_on;
		done += hit.along + BEYOND;
		for (int c = 0; c < 3; c++) {
			from[c] = point[c] + done * way[c];
		}
	}
	return is_on;
}

bool snw_own_patch_height(const snw_posed_point *point, snw_contact_mesh_pose *other, const snw_rest_place *rest, double radius,
						  snw_contact_place *place, double *height) {
	if (rest->height == 0) {
		return false;
	}
	*place = snw_contact_nearest_from(other, rest->triangle, point->at);
	if (place->triangle == SNW_NONE || !is_in_patch(other->tree, rest, radius, place->triangle)) {
		return false;
	}
	*height = rest->height > 0 ? height_over(place, point->at) : -height_over(place, point->at);
	return *height > 0 || (*height < 0 && !is_on_its_side(other, rest, point->at) && facing_of(point, place) == rest->facing);
}

/* ---- pieces -------------------------------------------------------------------------------------------------------------- */

/* A few points that are spread over a piece, the samples: at most SNW_MOST_SAMPLES. */
enum { SNW_MOST_SAMPLES = 16 };

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

static uint32_t piece_sample_count(const snw_contact_pieces *pieces, uint32_t piece) {
	const uint32_t count = pieces->starts[piece + 1] - pieces->starts[piece];
	return count < SNW_MOST_SAMPLES ? count : SNW_MOST_SAMPLES;
}

static uint32_t point_of_sample(const snw_contact_pieces *pieces, uint32_t piece, uint32_t sample) {
	const uint32_t first = pieces->starts[piece], count = pieces->starts[piece + 1] - first;
	return pieces->points[first + (uint64_t)sample * count / piece_sample_count(pieces, piece)];
}

bool snw_piece_in_contact(const snw_contact_pieces *pieces, uint32_t piece, snw_point_in_contact *is_in, const void *context) {
	const uint32_t samples = piece_sample_count(pieces, piece);
	uint32_t found = 0;
	for (uint32_t i = 0; i < samples && 2 * (found + samples - i) > samples; i++) {
		found += is_in(context, point_of_sample(pieces, piece, i), i);
	}
	return 2 * found > samples;
}

/* ---- touching ------------------------------------------------------------------------------------------------------------ */

enum { SNW_MOST_MOTIONS = 8 };

enum { MOST_KEPT = 1000000 }; /* pairs of triangles of two meshes */
/* Of the character's diagonal: how far floats may be off a motion. */
static const double SLACK = 2e-6;

/* What is known of a piece's sample at rest. */
typedef struct piece_sample {
	snw_rest_place place; /* on another mesh */
	bool was_inside;      /* its own mesh */
} piece_sample;

/* The pieces of a mesh against another one, or against each other. */
typedef struct touching_pieces {
	uint32_t *starts; /* [count + 1]; NULL where none has to be asked */
	piece_sample *samples;
	bool *is_in; /* [count]: all of it is on the wrong side, as was found last */
} touching_pieces;

typedef struct touching_pair {
	uint32_t meshes[2];        /* the same: a mesh with itself */
	touching_pieces pieces[2]; /* of each of the two; of a mesh with itself the first */
	uint32_t rest_count, rest_room, count, room;
	snw_contact_pair *at_rest; /* rising */
	snw_contact_pair *pairs;
} touching_pair;

typedef struct touching_mesh {
	snw_contact_tree *tree;
	snw_contact_pieces pieces;
	snw_contact_mesh_pose *pose;
	snw_contact_moves *moves;
	snw_contact_neighbours *neighbours;
	float *points; /* of the last call */
} touching_mesh;

struct snw_touching {
	snw_arena *arena;
	const snw_scene *scene;
	double slack, patch;
	touching_mesh *meshes;
	uint32_t pair_count;
	touching_pair *pairs;
	bool *is_met;   /* [most pieces] */
	double *global; /* of the last call */
	uint32_t motion_count;
	double (*motions)[12];
};

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b) {
	const snw_contact_pair *x = a, *y = b;
	const int first = x->triangles[0] < y->triangles[0] ? -1 : x->triangles[0] > y->triangles[0];
	return first ? first : x->triangles[1] < y->triangles[1] ? -1 : x->triangles[1] > y->triangles[1];
}

typedef struct taking {
	snw_touching *touching;
	touching_pair *of;
} taking;

static bool take_rest_pair(void *context, uint32_t first, uint32_t second, double distance) {
	const taking *t = context;
	touching_pair *of = t->of;
	of->at_rest = snw_arena_grow(t->touching->arena, of->at_rest, of->rest_count, &of->rest_room, sizeof *of->at_rest);
	of->at_rest[of->rest_count++] = (snw_contact_pair){{first, second}, distance};
	return of->rest_count < MOST_KEPT;
}

static bool take(void *context, uint32_t first, uint32_t second, double distance) {
	const taking *t = context;
	touching_pair *of = t->of;
	const snw_contact_pair pair = {{first, second}, distance};
	const bool is_self = of->meshes[0] == of->meshes[1];
	if ((of->rest_count > 0 && bsearch(&pair, of->at_rest, of->rest_count, sizeof pair, compare_pairs)) ||
		(is_self && snw_contact_are_neighbours(t->touching->meshes[of->meshes[0]].neighbours, first, second))) {
		return true;
	}
	of->pairs = snw_arena_grow(t->touching->arena, of->pairs, of->count, &of->room, sizeof *of->pairs);
	of->pairs[of->count++] = pair;
	return of->count < MOST_KEPT;
}

static void find_all(snw_touching *touching, touching_pair *of, snw_contact_found *found) {
	taking t = {touching, of};
	snw_contact_mesh_pose *first = touching->meshes[of->meshes[0]].pose, *second = touching->meshes[of->meshes[1]].pose;
	if (first == second) {
		snw_contact_self_pairs(first, 0, found, &t);
	} else {
		snw_contact_pairs(first, second, 0, found, &t);
	}
}

/* Keeps what has moved together, and tests the rest. */
static void find_moved(snw_touching *touching, touching_pair *of) {
	const touching_mesh *first = &touching->meshes[of->meshes[0]], *second = &touching->meshes[of->meshes[1]];
	uint32_t kept = 0;
	for (uint32_t i = 0; i < of->count; i++) {
		const snw_contact_pair pair = of->pairs[i];
		if (snw_contact_moved_together(first->moves, pair.triangles[0], second->moves, pair.triangles[1])) {
			of->pairs[kept++] = pair;
		}
	}
	of->count = kept;
	taking t = {touching, of};
	if (first == second) {
		snw_contact_moved_self_pairs(first->pose, first->moves, 0, take, &t);
	} else {
		snw_contact_moved_pairs(first->pose, first->moves, second->pose, second->moves, 0, take, &t);
	}
}

/* ---- pieces -------------------------------------------------------------------------------------------------------------- */

static void take_posed_point(const float *points, uint32_t point, double at[3]) {
	for (size_t c = 0; c < 3; c++) {
		at[c] = (double)points[3 * (size_t)point + c];
	}
}

/* At rest, with dipoles: the samples of the pieces of a mesh of the pair. */
static void list_samples(snw_touching *touching, touching_pair *of, int side) {
	const touching_mesh *mesh = &touching->meshes[of->meshes[side]], *other = &touching->meshes[of->meshes[1 - side]];
	const bool is_self = mesh == other;
	touching_pieces *made = &of->pieces[side];
	if (is_self && (mesh->pieces.count < 2 || !snw_contact_tree_is_closed(mesh->tree))) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	const snw_rest_place *places = is_self ? NULL : snw_rest_places_find(mesh->pose, other->pose, touching->patch, scratch);
	made->starts = SNW_NEW_ARRAY(touching->arena, uint32_t, (size_t)mesh->pieces.count + 1);
	made->is_in = SNW_NEW_ARRAY(touching->arena, bool, mesh->pieces.count);
	for (uint32_t i = 0; i < mesh->pieces.count; i++) {
		made->starts[i + 1] = made->starts[i] + piece_sample_count(&mesh->pieces, i);
	}
	made->samples = SNW_NEW_ARRAY(touching->arena, piece_sample, made->starts[mesh->pieces.count]);
	for (uint32_t i = 0; i < mesh->pieces.count; i++) {
		for (uint32_t s = made->starts[i]; s < made->starts[i + 1]; s++) {
			const uint32_t point = point_of_sample(&mesh->pieces, i, s - made->starts[i]);
			double at[3];
			take_posed_point(mesh->points, point, at);
			if (places) {
				made->samples[s].place = places[point];
			}
			made->samples[s].was_inside = places ? places[point].is_inside : snw_contact_is_inside(mesh->pose, at, true);
		}
	}
	snw_arena_destroy(scratch);
}

/* A piece that is asked. */
typedef struct asked_piece {
	const touching_mesh *mesh, *other;
	const piece_sample *samples;
	double patch;
} asked_piece;

/* A snw_point_in_contact, as contact over time has it: it has gone through its patch, or is inside another part. */
static bool is_sample_in_contact(const void *context, uint32_t point, uint32_t sample) {
	const asked_piece *of = context;
	const piece_sample *rest = &of->samples[sample];
	const bool is_self = of->mesh == of->other;
	snw_posed_point posed = {.mesh = of->mesh->pose, .point = point};
	snw_contact_place place;
	double height = 0;
	take_posed_point(of->mesh->points, point, posed.at);
	const bool has_height = !is_self && snw_own_patch_height(&posed, of->other->pose, &rest->place, of->patch, &place, &height);
	return (has_height && height < 0) || (!rest->was_inside && snw_contact_is_inside(of->other->pose, posed.at, is_self));
}

/* Which pieces no pair leads to, and which of them are on the wrong side. Everything has to be posed, with dipoles. */
static void test_pieces(snw_touching *touching, touching_pair *of, int side) {
	const touching_mesh *mesh = &touching->meshes[of->meshes[side]];
	const touching_pieces *pieces = &of->pieces[side];
	if (!pieces->starts) {
		return;
	}
	memset(touching->is_met, false, mesh->pieces.count * sizeof *touching->is_met);
	for (uint32_t i = 0; i < 2 * of->count; i++) {
		if (of->meshes[i % 2] == of->meshes[side]) {
			const uint32_t *corners = snw_contact_tree_corners(mesh->tree, of->pairs[i / 2].triangles[i % 2]);
			touching->is_met[mesh->pieces.of[corners[0]]] = true;
		}
	}
	for (uint32_t i = 0; i < mesh->pieces.count; i++) {
		const asked_piece asked = {mesh, &touching->meshes[of->meshes[1 - side]], pieces->samples + pieces->starts[i],
								   touching->patch};
		pieces->is_in[i] = !touching->is_met[i] && snw_piece_in_contact(&mesh->pieces, i, is_sample_in_contact, &asked);
	}
}

static void mark_pieces(const snw_contact_pieces *of, const touching_pieces *pieces, double *marks) {
	for (uint32_t i = 0; i < of->count && pieces->starts; i++) {
		for (uint32_t p = of->starts[i]; p < of->starts[i + 1] && pieces->is_in[i]; p++) {
			marks[of->points[p]] = 1;
		}
	}
}

/* ---- motions ------------------------------------------------------------------------------------------------------------- */

/* The rest, by which joints are compared, is about so large. */
static bool are_same_motion(const snw_touching *touching, const double a[12], const double b[12], double size) {
	double most = 0;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			most = fmax(most, fabs(a[4 * r + c] - b[4 * r + c]) * (c < 3 ? size : 1));
		}
	}
	return most < touching->slack / 4;
}

/* The motions of the joints since the last call, each once; the first is none at all. */
static void find_motions(snw_touching *touching, const double *global) {
	const uint32_t joint_count = touching->scene->skeleton.joint_count;
	const double size = touching->slack / SLACK;
	snw_mat34_identity(touching->motions[0]);
	touching->motion_count = 1;
	for (uint32_t j = 0; j < joint_count && touching->motion_count < SNW_MOST_MOTIONS; j++) {
		double back[12], motion[12];
		if (!snw_mat34_invert(touching->global + 12 * (size_t)j, back)) {
			continue;
		}
		snw_mat34_multiply(global + 12 * (size_t)j, back, motion);
		bool is_known = false;
		for (uint32_t i = 0; i < touching->motion_count; i++) {
			is_known = is_known || are_same_motion(touching, motion, touching->motions[i], size);
		}
		if (!is_known) {
			memcpy(touching->motions[touching->motion_count++], motion, sizeof motion);
		}
	}
}

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

static void take_points(snw_touching *touching, const float *const *points) {
	for (uint32_t m = 0; m < touching->scene->mesh_count; m++) {
		memcpy(touching->meshes[m].points, points[m],
			   3 * (size_t)touching->scene->meshes[m].point_count * sizeof *touching->meshes[m].points);
		snw_contact_pose_points(touching->meshes[m].pose, points[m]);
	}
}

static void take_global(snw_touching *touching, const double *global) {
	const size_t count = 12 * (size_t)touching->scene->skeleton.joint_count;
	if (count > 0) {
		memcpy(touching->global, global, count * sizeof *global);
	}
}

snw_touching *snw_touching_create(const snw_scene *scene, double neighbours, double patch) {
	snw_arena *arena = snw_arena_create();
	snw_touching *touching = SNW_NEW(arena, snw_touching);
	const size_t count = scene->mesh_count;
	uint32_t most_pieces = 0;
	*touching = (snw_touching){.arena = arena,
							   .scene = scene,
							   .slack = SLACK * snw_scene_diagonal(scene, SNW_NONE),
							   .patch = patch,
							   .meshes = SNW_NEW_ARRAY(arena, touching_mesh, count),
							   .pairs = SNW_NEW_ARRAY(arena, touching_pair, count * (count + 1) / 2),
							   .global = SNW_NEW_ARRAY(arena, double, 12 * (size_t)scene->skeleton.joint_count),
							   .motions = snw_arena_array(arena, SNW_MOST_MOTIONS, sizeof *touching->motions)};
	for (uint32_t m = 0; m < count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		touching_mesh *made = &touching->meshes[m];
		made->tree = snw_contact_tree_make(mesh, NULL, arena);
		made->pieces = snw_contact_pieces_list(made->tree, arena);
		most_pieces = made->pieces.count > most_pieces ? made->pieces.count : most_pieces;
		made->pose = snw_contact_mesh_pose_make(made->tree, arena);
		made->moves = snw_contact_moves_make(made->tree, arena);
		made->neighbours = snw_contact_neighbours_make(made->tree, neighbours, arena);
		made->points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			made->points[i] = (float)mesh->points_rest[i];
		}
		snw_contact_pose_points(made->pose, made->points);
		snw_contact_make_dipoles(made->pose);
	}
	touching->is_met = SNW_NEW_ARRAY(arena, bool, most_pieces);
	for (uint32_t first = 0; first < count; first++) {
		for (uint32_t second = first; second < count; second++) {
			touching_pair *of = &touching->pairs[touching->pair_count++];
			*of = (touching_pair){.meshes = {first, second}};
			find_all(touching, of, take_rest_pair);
			if (of->rest_count > 0) {
				qsort(of->at_rest, of->rest_count, sizeof *of->at_rest, compare_pairs);
			}
			list_samples(touching, of, 0);
			if (first != second) {
				list_samples(touching, of, 1);
			}
		}
	}
	return touching;
}

void snw_touching_destroy(snw_touching *touching) {
	if (touching) {
		snw_arena_destroy(touching->arena);
	}
}

void snw_touching_test(snw_touching *touching, const float *const *points, const double *global) {
	take_points(touching, points);
	take_global(touching, global);
	for (uint32_t m = 0; m < touching->scene->mesh_count; m++) {
		snw_contact_make_dipoles(touching->meshes[m].pose);
	}
	for (uint32_t p = 0; p < touching->pair_count; p++) {
		touching->pairs[p].count = 0;
		find_all(touching, &touching->pairs[p], take);
		test_pieces(touching, &touching->pairs[p], 0);
		test_pieces(touching, &touching->pairs[p], 1);
	}
}

void snw_touching_move(snw_touching *touching, const float *const *points, const double *global) {
	find_motions(touching, global);
	for (uint32_t m = 0; m < touching->scene->mesh_count; m++) {
		snw_contact_moves_find(touching->meshes[m].moves, touching->meshes[m].points, points[m], touching->motion_count,
							   (const double(*)[12])touching->motions, touching->slack);
	}
	take_points(touching, points);
	take_global(touching, global);
	for (uint32_t p = 0; p < touching->pair_count; p++) {
		find_moved(touching, &touching->pairs[p]);
	}
}

uint32_t snw_touching_pairs(const snw_touching *touching) {
	uint32_t count = 0;
	for (uint32_t p = 0; p < touching->pair_count; p++) {
		count += touching->pairs[p].count;
	}
	return count;
}

void snw_touching_mark(const snw_touching *touching, const bool *hidden, double *const *marks) {
	for (uint32_t m = 0; m < touching->scene->mesh_count; m++) {
		memset(marks[m], 0, touching->scene->meshes[m].point_count * sizeof *marks[m]);
	}
	for (uint32_t p = 0; p < touching->pair_count; p++) {
		const touching_pair *of = &touching->pairs[p];
		const bool is_hidden = hidden && (hidden[of->meshes[0]] || hidden[of->meshes[1]]);
		for (uint32_t i = 0; i < 2 * of->count && !is_hidden; i++) {
			const uint32_t mesh = of->meshes[i % 2];
			const uint32_t *corners = snw_contact_tree_corners(touching->meshes[mesh].tree, of->pairs[i / 2].triangles[i % 2]);
			for (int k = 0; k < 3; k++) {
				marks[mesh][corners[k]] = 1;
			}
		}
		for (int side = 0; side < 2 && !is_hidden; side++) {
			mark_pieces(&touching->meshes[of->meshes[side]].pieces, &of->pieces[side], marks[of->meshes[side]]);
		}
	}
}
