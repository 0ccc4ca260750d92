/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints drawn on the skin at rest.
 */
#include <string.h>

#include "render/view/pick.h"
#include "window/session/session.h"

void snw_do_draw_joints(snw_session *session, const snw_command *command) {
	(void)command;
	if (!session->document->path) {
		snw_view_state_warn(&session->state, "Open a character first.");
		return;
	}
	const bool begins = !session->state.drawing_joints;
	if (begins) {
		session->state.pose = 0;
		snw_session_choose_clip(session, SNW_NONE);
		snw_sculpting_leave(session);
		session->state.flags |= SNW_VIEW_SKELETON;
	}
	session->state.drawing_joints = begins;
}

void snw_do_joint_draw(snw_session *session, const snw_command *command) {
	snw_command add = {.id = SNW_DO_JOINT_ADD};
	if (snw_session_limb_middle(session, command->n[0], command->n[1], add.n)) {
		memcpy(add.text, command->text, sizeof add.text);
		snw_do_operator(session, &add);
	} else {
		snw_view_state_warn(&session->state, "There is no skin here. Click on the skin to draw a joint.");
	}
}

/* Only the bones follow the drag: no skin moves, because a bind follows its joint. */
void snw_do_try_joint_move(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = command->text[0] ? snw_scene_find_joint(scene, command->text) : session->state.joint;
	if (session->state.drawing_joints && joint < scene->skeleton.joint_count && session->display.posed) {
		double *global = session->display.global + 12 * (size_t)joint;
		for (int c = 0; c < 3; c++) {
			global[4 * c + 3] = command->n[c];
		}
		session->edit_is_trial = true;
	}
}
