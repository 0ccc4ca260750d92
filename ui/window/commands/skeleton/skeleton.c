/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons and skin weights made by a method for the project.
 */
#include "window/session/session.h"

/* The joints are drawn. */
static void make_skeleton(snw_session *session, const snw_command *command, const char *line) {
	session->state.drawing_joints = false;
	snw_session_operate(session, command, line);
}

void snw_do_skeleton_fit(snw_session *session, const snw_command *command) {
	if (session->document->scene->skeleton.joint_count > 0) {
		snw_view_state_warn(&session->state,
							"There are joints already. Use Skeleton from drawn joints to follow them, or delete them first.");
		return;
	}
	make_skeleton(session, command, "skeleton");
}

void snw_do_skeleton_follow(snw_session *session, const snw_command *command) {
	if (session->document->scene->skeleton.joint_count == 0) {
		snw_view_state_warn(&session->state, "Draw joints first: at least two, one below the other.");
		return;
	}
	make_skeleton(session, command, "skeleton --from-joints");
}

/* Whether each mesh has weights, so that there are only some to replace. */
static bool all_are_bound(const snw_scene *scene) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (!scene->meshes[m].influence_offsets) {
			return false;
		}
	}
	return true;
}

void snw_do_bind_skin(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->skeleton.joint_count == 0 || scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "Draw joints first: skin weights need a skeleton.");
		return;
	}
	make_skeleton(session, command, all_are_bound(scene) ? "bind --replace" : "bind");
}
