/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The side of a point is where it is at rest, as for contact (contact/touching.h). All is posed by points, so that rays write
 * nothing and run on any thread.
 */
#include "sculpt/walls.h"

#include <math.h>
#include <string.h>

#include "contact/touching.h"
#include "sculpt/sculpt_internal.h"
#include "sinew/algebra.h"

enum { MOST_CROSSINGS = 16 };
static const double GAP = 1e-5; /* of the mesh's diagonal */

static snw_contact_mesh_pose *pose_mesh(const snw_contact_tree *tree, uint32_t count, const double *points, snw_arena *arena) {
	snw_contact_mesh_pose *pose = snw_contact_mesh_pose_make(tree, arena);
	float *single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		single[i] = (float)points[i];
	}
	snw_contact_pose_points(pose, single);
	return pose;
}

static int8_t *find_sides(const snw_mesh *mesh, const snw_contact_tree *tree, const snw_mesh *wall, double patch,
						  snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	int8_t *sides = SNW_NEW_ARRAY(arena, int8_t, mesh->point_count);
	snw_contact_mesh_pose *rest = pose_mesh(tree, wall->point_count, wall->points_rest, scratch);
	snw_contact_make_dipoles(rest);
	const snw_contact_tree *sculpted = snw_contact_tree_make(mesh, NULL, scratch);
	const snw_contact_mesh_pose *sculpted_rest = pose_mesh(sculpted, mesh->point_count, mesh->points_rest, scratch);
	const snw_rest_place *places = snw_rest_places_find(sculpted_rest, rest, patch, scratch);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		sides[p] = (int8_t)((places[p].height > 0) - (places[p].height < 0));
	}
	snw_arena_destroy(scratch);
	return sides;
}

void snw_sculpt_set_walls(snw_sculpt *sculpt, uint32_t count, const snw_sculpt_wall *walls, double patch) {
	snw_arena_destroy(sculpt->walls.arena);
	sculpt->walls = (snw_walls){.gap = GAP * sculpt->view.longest};
	if (count == 0) {
		return;
	}
	snw_arena *arena = snw_arena_create();
	sculpt->walls.arena = arena;
	sculpt->walls.poses = SNW_NEW_ARRAY(arena, snw_contact_mesh_pose *, count);
	sculpt->walls.sides = SNW_NEW_ARRAY(arena, int8_t *, count);
	for (uint32_t w = 0; w < count; w++) {
		const snw_contact_tree *tree = snw_contact_tree_make(walls[w].mesh, NULL, arena);
		sculpt->walls.poses[w] = pose_mesh(tree, walls[w].mesh->point_count, walls[w].points_posed, arena);
		sculpt->walls.sides[w] = find_sides(sculpt->mesh, tree, walls[w].mesh, patch, arena);
	}
	sculpt->walls.count = count;
}

/* How far along the way a wall stops the point: 1 if it does not. */
static double find_stop(snw_contact_mesh_pose *wall, int8_t side, const double from[3], const double way[3]) {
	double origin[3] = {from[0], from[1], from[2]}, done = 0;
	for (int i = 0; i < MOST_CROSSINGS; i++) {
		const snw_contact_hit hit = snw_contact_ray(wall, origin, way, 1 - done, NULL, NULL);
		if (hit.triangle == SNW_NONE) {
			return 1;
		}
		done += hit.along;
		if (side == 0 || snw_dot3(hit.normal, way) * side < 0) {
			return done;
		}
		done += 1e-9;
		for (int c = 0; c < 3; c++) {
			origin[c] = from[c] + done * way[c];
		}
	}
	return done;
}

void snw_walls_stop(const snw_walls *walls, uint32_t point, const double from[3], double to[3]) {
	const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, length = snw_length3(way);
	double least = 1;
	for (uint32_t w = 0; w < walls->count && length > 0; w++) {
		/* Beyond its end, so that a point never ends nearer to the wall than the gap. */
		double longer[3];
		for (int c = 0; c < 3; c++) {
			longer[c] = way[c] * (1 + walls->gap / length);
		}
		const double stop = find_stop(walls->poses[w], walls->sides[w][point], from, longer);
		least = stop < 1 ? fmin(least, fmax(stop * (1 + walls->gap / length) - walls->gap / length, 0)) : least;
	}
	for (int c = 0; c < 3 && least < 1; c++) {
		to[c] = from[c] + least * way[c];
	}
}
