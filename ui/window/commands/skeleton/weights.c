/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locked joints, whose weights no edit changes, and the weights of one point.
 */
#include <stdio.h>
#include <stdlib.h>

#include "window/session/painted_values.h"
#include "window/session/session.h"

void snw_do_joint_lock(snw_session *session, const snw_command *command) {
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (joint == SNW_NONE) {
		return;
	}
	session->display.locked_joints[joint] = !session->display.locked_joints[joint];
	for (int i = 0; i < SNW_PAINTED_MESHES; i++) { /* they were made for other locks */
		session->display.paintings[i].skin = NULL;
	}
}

/* ---- one point ----------------------------------------------------------------------------------------------------------- */

void snw_do_weights_point(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	char *end = NULL, words[20];
	const unsigned long typed = strtoul(command->text, &end, 10);
	const bool is_typed = end != command->text, is_under = s->is_over && s->under_mesh == s->mesh_index;
	const unsigned long point = is_typed ? typed : is_under ? s->under.point : SNW_NONE;
	if (!s->mesh || point >= s->point_count) {
		snw_view_state_warn(&session->state, is_typed ? "The mesh has no such point."
													  : "Move the mouse over the skin to list the weights of a point.");
		return;
	}
	if (!is_typed) { /* as a command with the index, so that a script repeats it without a mouse */
		snprintf(words, sizeof words, "%lu", point);
		snw_emit_text(&session->queue, SNW_DO_WEIGHTS_POINT, words);
		return;
	}
	s->chosen_point = (uint32_t)point;
	if (snw_brush_changes(s->brush.kind) != SNW_BRUSH_FIELD) { /* the list is among the settings of brushes that paint */
		static const snw_command paint = {.id = SNW_DO_BRUSH, .text = "paint"};
		snw_do_brush(session, &paint);
	}
	if (!s->paints_weights) {
		snw_do_paint_weights(session, &(snw_command){.id = SNW_DO_PAINT_WEIGHTS});
	}
}

void snw_do_weight(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const snw_sculpting *s = &session->sculpting;
	const uint32_t joint = snw_scene_find_joint(scene, command->text);
	if (joint >= scene->skeleton.joint_count || !s->sculpt || s->chosen_point == SNW_NONE) {
		snw_view_state_warn(&session->state, "List the weights of a point first, and name one of its joints.");
		return;
	}
	char line[80];
	snprintf(line, sizeof line, "weights set --point=%u --joint=$t --weight=$1", s->chosen_point);
	snw_session_operate(session, command, line);
}
