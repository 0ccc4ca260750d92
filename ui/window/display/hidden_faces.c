/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faces hidden by the influence of joints, or because they were masked.
 */
#include <string.h>

#include "window/display/display.h"

#define HIDING_WEIGHT 0.5 /* of a point's weights */

static bool is_mostly_hidden(const snw_display *display, const snw_mesh *mesh, uint32_t point) {
	double share = 0;
	if (!mesh->influence_offsets) {
		return false;
	}
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const uint32_t joint = display->scene->slot_joints[mesh->influence_slots[k]];
		share += display->hidden_joints[joint] ? mesh->influence_weights[k] : 0;
	}
	return share >= HIDING_WEIGHT;
}

/* Fills faces [face_count]; false if none is hidden. A face is hidden if all its points are. */
static bool find_hidden(const snw_display *display, uint32_t m, bool *points, bool *faces) {
	const snw_mesh *mesh = &display->scene->meshes[m];
	const bool *masked = display->hidden_points[m];
	bool any = false;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		points[p] = (masked && masked[p]) || is_mostly_hidden(display, mesh, p);
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		faces[f] = true;
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			faces[f] = faces[f] && points[mesh->face_points[c]];
		}
		any = any || faces[f];
	}
	return any;
}

void snw_display_hide_points(snw_display *display, uint32_t mesh, const bool *points) {
	const uint32_t count = display->scene->meshes[mesh].point_count;
	bool **room = &display->hidden_room[mesh];
	if (points) {
		*room = *room ? *room : SNW_NEW_ARRAY(display->arena, bool, count);
		memmove(*room, points, count * sizeof *points);
	}
	display->hidden_points[mesh] = points ? *room : NULL;
}

void snw_display_hide_faces(snw_display *display) {
	for (uint32_t m = 0; m < display->scene->mesh_count; m++) {
		const snw_mesh *mesh = &display->scene->meshes[m];
		snw_arena *scratch = snw_arena_create();
		bool *points = SNW_NEW_ARRAY(scratch, bool, mesh->point_count), *faces = SNW_NEW_ARRAY(scratch, bool, mesh->face_count);
		const bool any = find_hidden(display, m, points, faces);
		snw_viewport_hide_faces(display->viewport, m, any ? faces : NULL);
		snw_arena_destroy(scratch);
	}
}
