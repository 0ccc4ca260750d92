/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/touching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/moves.h"
#include "sinew/algebra.h"

enum { MOST_KEPT = 1000000 }; /* pairs of triangles of two meshes */
/* Of the character's diagonal: how far floats may be off a motion. */
static const double SLACK = 2e-6;

typedef struct touching_pair {
	uint32_t meshes[2]; /* the same: a mesh with itself */
	uint32_t rest_count, rest_room, count, room;
	snw_contact_pair *at_rest; /* rising */
	snw_contact_pair *pairs;
} touching_pair;

typedef struct touching_mesh {
	snw_contact_tree *tree;
	snw_contact_mesh_pose *pose;
	snw_contact_moves *moves;
	snw_contact_neighbours *neighbours;
	float *points; /* of the last call */
} touching_mesh;

struct snw_touching {
	snw_arena *arena;
	const snw_scene *scene;
	double slack;
	touching_mesh *meshes;
	uint32_t pair_count;
	touching_pair *pairs;
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

snw_touching *snw_touching_create(const snw_scene *scene, double neighbours) {
	snw_arena *arena = snw_arena_create();
	snw_touching *touching = SNW_NEW(arena, snw_touching);
	const size_t count = scene->mesh_count;
	*touching = (snw_touching){.arena = arena,
							   .scene = scene,
							   .slack = SLACK * snw_scene_diagonal(scene, SNW_NONE),
							   .meshes = SNW_NEW_ARRAY(arena, touching_mesh, count),
							   .pairs = SNW_NEW_ARRAY(arena, touching_pair, count * (count + 1) / 2),
							   .global = SNW_NEW_ARRAY(arena, double, 12 * (size_t)scene->skeleton.joint_count),
							   .motions = snw_arena_array(arena, SNW_MOST_MOTIONS, sizeof *touching->motions)};
	for (uint32_t m = 0; m < count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		touching_mesh *made = &touching->meshes[m];
		made->tree = snw_contact_tree_make(mesh, NULL, arena);
		made->pose = snw_contact_mesh_pose_make(made->tree, arena);
		made->moves = snw_contact_moves_make(made->tree, arena);
		made->neighbours = snw_contact_neighbours_make(made->tree, neighbours, arena);
		made->points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			made->points[i] = (float)mesh->points_rest[i];
		}
		snw_contact_pose_points(made->pose, made->points);
	}
	for (uint32_t first = 0; first < count; first++) {
		for (uint32_t second = first; second < count; second++) {
			touching_pair *of = &touching->pairs[touching->pair_count++];
			*of = (touching_pair){.meshes = {first, second}};
			find_all(touching, of, take_rest_pair);
			if (of->rest_count > 0) {
				qsort(of->at_rest, of->rest_count, sizeof *of->at_rest, compare_pairs);
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
	for (uint32_t p = 0; p < touching->pair_count; p++) {
		touching->pairs[p].count = 0;
		find_all(touching, &touching->pairs[p], take);
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
	}
}
