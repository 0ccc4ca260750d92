/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the meshes of the character: which one is active, which and which of their faces are shown, and which are locked;
 * and what the menu in the viewport is for. They change the view alone.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/view/view.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

#define MASKED 0.5 /* a point counts as masked from here on */

void snw_do_mesh(snw_session *session, const snw_command *command) {
	const uint32_t mesh = snw_session_find(session, SNW_NOUN_MESH, command->text);
	if (mesh != SNW_NONE) {
		session->state.mesh = mesh;
		snw_sculpting_take_mesh(session, mesh);
	}
}

static void show_changed(snw_session *session) {
	session->display.is_stale = true;
}

void snw_do_mesh_hide(snw_session *session, const snw_command *command) {
	const uint32_t mesh = snw_session_find(session, SNW_NOUN_MESH, command->text);
	if (mesh != SNW_NONE) {
		session->display.hidden[mesh] = !session->display.hidden[mesh];
		show_changed(session);
		snw_sculpting_take_parts(session);
	}
}

/* If the mesh is the only one that is shown, all are shown again. */
void snw_do_mesh_isolate(snw_session *session, const snw_command *command) {
	const uint32_t mesh = snw_session_find(session, SNW_NOUN_MESH, command->text), count = session->document->scene->mesh_count;
	bool *hidden = session->display.hidden;
	bool is_alone = mesh != SNW_NONE && !hidden[mesh];
	for (uint32_t m = 0; m < count && mesh != SNW_NONE; m++) {
		is_alone = is_alone && (m == mesh || hidden[m]);
	}
	for (uint32_t m = 0; m < count && mesh != SNW_NONE; m++) {
		hidden[m] = m != mesh && !is_alone;
	}
	show_changed(session);
	snw_sculpting_take_parts(session);
}

void snw_do_mesh_lock(snw_session *session, const snw_command *command) {
	const uint32_t mesh = snw_session_find(session, SNW_NOUN_MESH, command->text);
	if (mesh != SNW_NONE) {
		session->display.locked[mesh] = !session->display.locked[mesh];
		snw_sculpting_take_parts(session);
	}
}

void snw_do_mesh_frame(snw_session *session, const snw_command *command) {
	const uint32_t mesh = snw_session_find(session, SNW_NOUN_MESH, command->text);
	if (mesh == SNW_NONE || snw_failed(snw_display_update(&session->display, &session->state, NULL))) {
		return;
	}
	const snw_box box = snw_viewport_box(session->display.viewport, mesh);
	double corners[8][3];
	for (int i = 0; i < 8 && !snw_box_is_empty(&box); i++) {
		snw_box_corner(&box, i, corners[i]);
	}
	if (!snw_box_is_empty(&box)) {
		snw_session_fit_camera(session, corners[0], 8);
	}
}

/* ---- the menu in the viewport -------------------------------------------------------------------------------------------- */

/* The joint that moves a point most; SNW_NONE for a mesh without a skin. */
static uint32_t joint_of(const snw_scene *scene, uint32_t mesh, uint32_t point) {
	const snw_mesh *skin = &scene->meshes[mesh];
	uint32_t joint = SNW_NONE;
	double most = 0;
	for (uint32_t k = skin->influence_offsets ? skin->influence_offsets[point] : 0;
		 skin->influence_offsets && k < skin->influence_offsets[point + 1]; k++) {
		if (skin->influence_weights[k] > most) {
			most = skin->influence_weights[k];
			joint = scene->slot_joints[skin->influence_slots[k]];
		}
	}
	return joint;
}

void snw_do_view_menu(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const snw_picture_size size = {session->aspect > 0 ? session->aspect : 1, 1};
	snw_hit hit;
	if (!session->document->path) {
		return;
	}
	const bool is_hit = scene->mesh_count > 0 && !session->display.is_uploading &&
						snw_viewport_pick(session->display.viewport, &session->state.camera, size, command->n[0] * size.width,
										  command->n[1], session->display.hidden, &hit);
	const uint32_t named = command->text[0] ? snw_scene_find_joint(scene, command->text) : SNW_NONE;
	session->view_menu = (snw_view_menu){.is_requested = true,
										 .mesh = is_hit ? hit.mesh : SNW_NONE,
										 .joint = named != SNW_NONE ? named
												  : is_hit          ? joint_of(scene, hit.mesh, hit.point)
																	: SNW_NONE};
}

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

/* The faces cannot change while they are uploaded or stroked. */
static bool may_hide_faces(snw_session *session) {
	const bool may = !session->display.is_uploading && !snw_sculpting_is_stroking(&session->sculpting);
	if (!may) {
		snw_view_state_say(&session->state, "Sinew is busy; try again in a moment.");
	}
	return may;
}

static void hide_faces(snw_session *session) {
	snw_display_hide_faces(&session->display);
	snw_sculpting_hide_faces(session, SNW_BRUSH_POINTS);
	show_changed(session);
}

void snw_do_joint_hide(snw_session *session, const snw_command *command) {
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (joint != SNW_NONE && may_hide_faces(session)) {
		session->display.hidden_joints[joint] = !session->display.hidden_joints[joint];
		hide_faces(session);
	}
}

/* The points of a mesh that are masked, added to those that are hidden already. Returns whether there are any. */
static bool hide_masked(snw_session *session, uint32_t mesh) {
	const snw_sculpting *s = &session->sculpting;
	const double *mask = s->sculpt && s->mesh_index == mesh
							 ? snw_sculpt_get_view(s->sculpt)->mask
							 : snw_painted_values_stored(session->document->scene, mesh, SNW_SCULPT_MASK);
	const uint32_t count = session->document->scene->meshes[mesh].point_count;
	const bool *before = session->display.hidden_points[mesh];
	snw_arena *scratch = snw_arena_create();
	bool *points = SNW_NEW_ARRAY(scratch, bool, count), any = false;
	for (uint32_t p = 0; p < count; p++) {
		const bool is_masked = mask && mask[p] >= MASKED;
		points[p] = is_masked || (before && before[p]);
		any = any || is_masked;
	}
	if (any) {
		snw_display_hide_points(&session->display, mesh, points);
	}
	snw_arena_destroy(scratch);
	return any;
}

void snw_do_mask_hide(snw_session *session, const snw_command *command) {
	(void)command;
	bool any = false;
	if (!may_hide_faces(session)) {
		return;
	}
	for (uint32_t m = 0; m < session->document->scene->mesh_count; m++) {
		any = hide_masked(session, m) || any;
	}
	if (any) {
		hide_faces(session);
	} else {
		snw_view_state_say(&session->state, "Nothing is masked. Mask what to hide first.");
	}
}

void snw_do_mesh_show_all(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	memset(session->display.hidden, 0, scene->mesh_count * sizeof *session->display.hidden);
	show_changed(session);
	if (may_hide_faces(session)) {
		memset(session->display.hidden_joints, 0, scene->skeleton.joint_count * sizeof *session->display.hidden_joints);
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			snw_display_hide_points(&session->display, m, NULL);
		}
		hide_faces(session);
	}
	snw_sculpting_take_parts(session);
}
