/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/own_patch.h"

#include <string.h>

#include "contact/contact_internal.h"
#include "mesh/surface_place.h"
#include "sinew/algebra.h"

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
