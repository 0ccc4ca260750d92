/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact service, over host/contact. A mesh is posed whole, so queries of one mesh may run beside each other.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/adopt.h"
#include "contact/contact.h"
#include "mesh/adjacency.h"
#include "services/services_internal.h"

struct snw_contact_mesh {
	snw_arena *arena;
	uint32_t point_count;
	snw_contact_tree *tree;
	snw_contact_mesh_pose *pose;
	snw_adjacency around;
	float *points; /* [point_count][3] */
};

static void pose_mesh(snw_contact_mesh *contact, const double *points_posed) {
	for (size_t i = 0; i < 3 * (size_t)contact->point_count; i++) {
		contact->points[i] = (float)points_posed[i];
	}
	snw_contact_pose_points(contact->pose, contact->points);
	snw_contact_make_dipoles(contact->pose);
}

static snw_status contact_open(const snw_host *host, uint32_t mesh, snw_contact_mesh **contact) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.open")) {
		return SNW_ERROR_ARGUMENT;
	}
	const snw_scene *scene = snw_services_of(host)->scene;
	if (!contact || mesh >= scene->mesh_count) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "contact.open: there is no such mesh");
	}
	snw_arena *arena = snw_arena_create();
	snw_contact_mesh *made = SNW_NEW(arena, snw_contact_mesh);
	*made = (snw_contact_mesh){
		.arena = arena,
		.point_count = scene->meshes[mesh].point_count,
		.tree = snw_contact_tree_make(&scene->meshes[mesh], NULL, arena),
		.around = snw_adjacency_make(&scene->meshes[mesh], NULL, arena),
		.points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)scene->meshes[mesh].point_count),
	};
	made->pose = snw_contact_mesh_pose_make(made->tree, arena);
	pose_mesh(made, scene->meshes[mesh].points_rest);
	*contact = made;
	return SNW_OK;
}

static snw_status contact_pose(const snw_host *host, snw_contact_mesh *contact, const double *points_posed) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.pose")) {
		return SNW_ERROR_ARGUMENT;
	}
	if (!contact || !points_posed) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "contact.pose: a mesh and its points are needed");
	}
	pose_mesh(contact, points_posed);
	return SNW_OK;
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

/* The pairs of a mesh with itself that are not within so many rings of each other. */
typedef struct ringed_list {
	snw_contact_list list;
	const snw_contact_mesh *contact;
	uint32_t rings;
	uint32_t *marks; /* [point_count]: the search that reached a point last */
	uint32_t mark;
	uint32_t *reached; /* [point_count] */
} ringed_list;

static void reach(ringed_list *ringed, uint32_t point, uint32_t *count) {
	if (ringed->marks[point] != ringed->mark) {
		ringed->marks[point] = ringed->mark;
		ringed->reached[(*count)++] = point;
	}
}

static bool are_within_rings(ringed_list *ringed, uint32_t first, uint32_t second) {
	const snw_adjacency *around = &ringed->contact->around;
	const uint32_t *from = snw_contact_tree_corners(ringed->contact->tree, first);
	const uint32_t *to = snw_contact_tree_corners(ringed->contact->tree, second);
	uint32_t count = 0, begin = 0;
	ringed->mark++;
	for (int k = 0; k < 3; k++) {
		reach(ringed, from[k], &count);
	}
	for (uint32_t ring = 0; ring < ringed->rings && begin < count; ring++) {
		const uint32_t end = count;
		for (; begin < end; begin++) {
			const uint32_t point = ringed->reached[begin];
			for (uint32_t n = around->neighbour_starts[point]; n < around->neighbour_starts[point + 1]; n++) {
				reach(ringed, around->neighbours[n], &count);
			}
		}
	}
	return ringed->marks[to[0]] == ringed->mark || ringed->marks[to[1]] == ringed->mark || ringed->marks[to[2]] == ringed->mark;
}

static bool take_ringed(void *context, uint32_t first, uint32_t second, double distance) {
	ringed_list *ringed = context;
	return are_within_rings(ringed, first, second) || snw_contact_list_take(&ringed->list, first, second, distance);
}

static snw_status contact_pairs(const snw_host *host, const snw_contact_pairs_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.pairs")) {
		return SNW_ERROR_ARGUMENT;
	}
	snw_contact_pairs_call call;
	snw_adopt(&call, sizeof call, foreign);
	if (!call.first || !call.second || !call.count || (call.capacity > 0 && !call.pairs) || !(call.distance >= 0)) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT,
								 "contact.pairs: two meshes, a distance, and room for pairs are needed");
	}
	ringed_list ringed = {.list = {.capacity = call.capacity, .pairs = call.pairs}, .contact = call.first, .rings = call.rings};
	if (call.first != call.second) {
		snw_contact_pairs(call.first->pose, call.second->pose, call.distance, snw_contact_list_take, &ringed.list);
	} else if (call.rings == 0) {
		snw_contact_self_pairs(call.first->pose, call.distance, snw_contact_list_take, &ringed.list);
	} else {
		snw_arena *scratch = snw_arena_create();
		ringed.marks = SNW_NEW_ARRAY(scratch, uint32_t, call.first->point_count);
		ringed.reached = SNW_NEW_ARRAY(scratch, uint32_t, call.first->point_count);
		snw_contact_self_pairs(call.first->pose, call.distance, take_ringed, &ringed);
		snw_arena_destroy(scratch);
	}
	snw_contact_list_sort(&ringed.list);
	*call.count = ringed.list.count;
	if (ringed.list.is_limited) {
		return snw_services_fail(host, SNW_ERROR_DATA,
								 "contact.pairs: more than ten million triangles meet; the meshes coincide");
	}
	return SNW_OK;
}

/* ---- places -------------------------------------------------------------------------------------------------------------- */

static snw_status contact_nearest(const snw_host *host, const snw_contact_points_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.nearest")) {
		return SNW_ERROR_ARGUMENT;
	}
	snw_contact_points_call call;
	snw_adopt(&call, sizeof call, foreign);
	if (!call.mesh || (call.count > 0 && (!call.points || !call.triangles || !call.nearest)) || !(call.distance >= 0)) {
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, "contact.nearest: a mesh, points and room for places are needed");
	}
	for (size_t i = 0; i < call.count; i++) {
		const double *point = call.points + 3 * i;
		const snw_contact_place place = snw_contact_nearest(call.mesh->pose, point, call.distance, NULL, NULL);
		call.triangles[i] = place.triangle;
		memcpy(call.nearest + 3 * i, place.place, sizeof place.place);
		if (call.windings) {
			call.windings[i] = snw_contact_winding(call.mesh->pose, point, SNW_CONTACT_INSIDE);
		}
	}
	return SNW_OK;
}

static void contact_release(const snw_host *host, snw_contact_mesh *contact) {
	(void)host;
	if (snw_thread_allows(SNW_TAG_ANY_THREAD, "contact.release") && contact) {
		snw_arena_destroy(contact->arena);
	}
}

const snw_contact_service snw_contact_table = {sizeof snw_contact_table, contact_open,   contact_pose, contact_pairs,
											   contact_nearest,          contact_release};
