/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/touching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/moves.h"
#include "contact/own_patch.h"
#include "contact/pieces.h"
#include "sinew/algebra.h"

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
		made->starts[i + 1] = made->starts[i] + snw_piece_sample_count(&mesh->pieces, i);
	}
	made->samples = SNW_NEW_ARRAY(touching->arena, piece_sample, made->starts[mesh->pieces.count]);
	for (uint32_t i = 0; i < mesh->pieces.count; i++) {
		for (uint32_t s = made->starts[i]; s < made->starts[i + 1]; s++) {
			const uint32_t point = snw_piece_sample(&mesh->pieces, i, s - made->starts[i]);
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
