/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/own_patch.h"

#include <string.h>

#include "contact/contact_internal.h"
#include "sinew/algebra.h"

typedef struct patch {
	const snw_contact_tree *tree;
	const double *middle;
	double squared_radius;
	uint32_t piece;
} patch;

/* How many corners of a triangle are in a patch. */
static int corners_in_patch(const patch *of, uint32_t triangle) {
	const uint32_t *corners = of->tree->corners[triangle];
	int count = 0;
	for (int k = 0; k < 3; k++) {
		count += snw_squared_distance3(of->middle, of->tree->mesh->points_rest + 3 * (size_t)corners[k]) < of->squared_radius;
	}
	return count;
}

static bool is_in_patch(const void *context, uint32_t triangle) {
	const patch *of = context;
	return of->tree->pieces[of->tree->corners[triangle][0]] == of->piece && corners_in_patch(of, triangle) > 0;
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

/* Where the place is on a part of a closed mesh that lies in another part, its side says nothing. */
static snw_rest_place find_place(snw_contact_mesh_pose *other, const double point[3], double radius) {
	const snw_contact_tree *tree = other->tree;
	const snw_contact_place found = snw_contact_nearest(other, point, radius, NULL, NULL);
	snw_rest_place rest = {.height = height_over(&found, point)};
	rest.is_inside = tree->is_closed && snw_contact_winding(other, point, SNW_CONTACT_INSIDE) > SNW_CONTACT_INSIDE;
	rest.height = tree->is_closed && rest.is_inside != (rest.height < 0) ? 0 : rest.height;
	rest.piece = found.triangle == SNW_NONE ? SNW_NONE : tree->pieces[tree->corners[found.triangle][0]];
	memcpy(rest.place, found.place, sizeof rest.place);
	return rest;
}

snw_rest_place *snw_rest_places_find(const snw_mesh *mesh, snw_contact_mesh_pose *other, double radius, snw_arena *arena) {
	snw_rest_place *places = SNW_NEW_ARRAY(arena, snw_rest_place, mesh->point_count);
	uint32_t above = 0, below = 0;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const double *rest = mesh->points_rest + 3 * (size_t)p;
		const double at[3] = {(double)(float)rest[0], (double)(float)rest[1], (double)(float)rest[2]};
		places[p] = find_place(other, at, radius);
		above += places[p].height > 0;
		below += places[p].height < 0;
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const bool is_rare = above > below ? places[p].height < 0 : above < below && places[p].height > 0;
		places[p].height = is_rare ? 0 : places[p].height;
	}
	return places;
}

bool snw_own_patch_height(snw_contact_mesh_pose *other, const snw_rest_place *rest, double radius, double within,
						  const double point[3], snw_contact_place *place, double *height) {
	const patch of = {other->tree, rest->place, radius * radius, rest->piece};
	if (rest->height == 0) {
		return false;
	}
	*place = snw_contact_nearest(other, point, within, is_in_patch, &of);
	if (place->triangle == SNW_NONE || corners_in_patch(&of, place->triangle) < 3) {
		return false;
	}
	*height = rest->height > 0 ? height_over(place, point) : -height_over(place, point);
	return *height != 0;
}
