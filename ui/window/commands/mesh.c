/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the meshes of the character: which one is worked on, which are shown, and which are locked. They change the view
 * alone.
 */
#include <stdio.h>
#include <string.h>

#include "window/session/session.h"

/* The named mesh, or the one that is worked on if `name` is empty; SNW_NONE with a message. */
static uint32_t mesh_of(snw_session *session, const char *name) {
	const snw_scene *scene = session->document->scene;
	const uint32_t mesh = name[0] ? snw_scene_find_mesh(scene, name) : snw_session_mesh(session);
	if (mesh >= scene->mesh_count) {
		snw_view_state_warn(&session->state, name[0] ? "No mesh has this name." : "There is no mesh; open a character first.");
		return SNW_NONE;
	}
	return mesh;
}

void snw_do_mesh(snw_session *session, const snw_command *command) {
	const uint32_t mesh = mesh_of(session, command->text);
	if (mesh != SNW_NONE) {
		session->state.mesh = mesh;
		snw_sculpting_take_mesh(session, mesh);
	}
}

static void show_changed(snw_session *session) {
	session->display.is_stale = true;
}

void snw_do_mesh_hide(snw_session *session, const snw_command *command) {
	const uint32_t mesh = mesh_of(session, command->text);
	if (mesh != SNW_NONE) {
		session->display.hidden[mesh] = !session->display.hidden[mesh];
		show_changed(session);
	}
}

/* If the mesh is the only one that is shown, all are shown again. */
void snw_do_mesh_isolate(snw_session *session, const snw_command *command) {
	const uint32_t mesh = mesh_of(session, command->text), count = session->document->scene->mesh_count;
	bool *hidden = session->display.hidden;
	bool is_alone = mesh != SNW_NONE && !hidden[mesh];
	for (uint32_t m = 0; m < count && mesh != SNW_NONE; m++) {
		is_alone = is_alone && (m == mesh || hidden[m]);
	}
	for (uint32_t m = 0; m < count && mesh != SNW_NONE; m++) {
		hidden[m] = m != mesh && !is_alone;
	}
	show_changed(session);
}

void snw_do_mesh_lock(snw_session *session, const snw_command *command) {
	const uint32_t mesh = mesh_of(session, command->text);
	if (mesh != SNW_NONE) {
		session->display.locked[mesh] = !session->display.locked[mesh];
	}
}

void snw_do_mesh_show_all(snw_session *session, const snw_command *command) {
	(void)command;
	memset(session->display.hidden, 0, session->document->scene->mesh_count * sizeof *session->display.hidden);
	show_changed(session);
}
