/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/commands/rotate_joints.h"

#include <stdio.h>
#include <string.h>

#include "pose/clip.h"
#include "pose/reach.h"
#include "sinew/algebra.h"
#include "window/commands/store_pose.h"
#include "window/session/session.h"

/* ---- rotating together --------------------------------------------------------------------------------------------------- */

/* The rotation of a joint's parent in the world, as shown. */
static void parent_rotation(const snw_session *session, uint32_t joint, double dest[4]) {
	const uint32_t parent = session->document->scene->skeleton.parents[joint];
	snw_transform above = {.rotation = {0, 0, 0, 1}};
	if (parent != SNW_NONE) {
		snw_transform_from_mat34(session->display.global + 12 * (size_t)parent, &above);
	}
	memcpy(dest, above.rotation, sizeof above.rotation);
}

/* dest = a · b · a⁻¹, or a⁻¹ · b · a. */
static void conjugate_by(const double a[4], bool is_inverse, const double b[4], double dest[4]) {
	double back[4], half[4];
	snw_quat_conjugate(a, back);
	snw_quat_multiply(is_inverse ? back : a, b, half);
	snw_quat_multiply(half, is_inverse ? a : back, dest);
}

/* Rotates another joint as the first was: `before` and `after` are the first's local rotations. */
static void follow(const snw_session *session, snw_pose *pose, uint32_t joint, uint32_t other, const double before[4],
				   const double after[4]) {
	const snw_scene *scene = session->document->scene;
	double back[4], step[4], q[4], above[4], *vector = pose->rotation_vectors + 3 * (size_t)other, rotation[3];
	const double *local = pose->local[other].rotation;
	snw_quat_conjugate(before, back);
	if (session->state.space == SNW_SPACE_LOCAL) {
		snw_quat_multiply(back, after, step);
		snw_quat_multiply(local, step, q);
	} else {
		snw_quat_multiply(after, back, step);
		if (session->state.space == SNW_SPACE_WORLD) {
			double world[4];
			parent_rotation(session, joint, above);
			conjugate_by(above, false, step, world);
			parent_rotation(session, other, above);
			conjugate_by(above, true, world, step);
		}
		snw_quat_multiply(step, local, q);
	}
	snw_quat_conjugate(scene->skeleton.rest_local[other].rotation, back);
	snw_quat_multiply(back, q, step);
	snw_quat_normalize(step);
	snw_rotation_vector_nearest(step, vector, rotation);
	(void)snw_pose_rotate_joint(scene, pose, other, rotation);
}

uint32_t snw_rotate_joints(snw_session *session, snw_pose *pose, uint32_t joint, const double rotation[3]) {
	const snw_scene *scene = session->document->scene;
	double before[4], after[4];
	uint32_t count = 0;
	memcpy(before, pose->local[joint].rotation, sizeof before);
	(void)snw_pose_rotate_joint(scene, pose, joint, rotation);
	memcpy(after, pose->local[joint].rotation, sizeof after);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (j != joint && session->display.selected_joints[j]) {
			follow(session, pose, joint, j, before, after);
			count++;
		}
	}
	return count;
}

void snw_do_joint_also(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text), chosen = session->state.joint;
	bool *selected = session->display.selected_joints;
	if (joint == SNW_NONE || joint == chosen) {
		return;
	}
	if (chosen >= scene->skeleton.joint_count) {
		session->state.joint = joint;
		return;
	}
	selected[joint] = !selected[joint];
	uint32_t count = 1;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		count += j != chosen && selected[j];
	}
	snw_view_state_say(&session->state, count > 1 ? "%u joints are selected: they rotate together." : "%u joint is selected.",
					   count);
}

/* ---- moving -------------------------------------------------------------------------------------------------------------- */

static const snw_pose *move_joint(snw_session *session, const snw_command *command, uint32_t *joint) {
	const snw_scene *scene = session->document->scene;
	*joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (*joint == SNW_NONE) {
		return NULL;
	}
	if (!snw_joint_moves(scene, *joint)) {
		snw_view_state_warn(&session->state, "This joint only rotates. Turn on 'Joint may move' to move it.");
		return NULL;
	}
	snw_pose *pose = snw_session_edit_pose(session);
	for (size_t c = 0; pose && c < 3; c++) {
		pose->local[*joint].translation[c] = scene->skeleton.rest_local[*joint].translation[c] + command->n[c] / 100;
	}
	return pose;
}

void snw_do_try_translate(snw_session *session, const snw_command *command) {
	uint32_t joint;
	session->edit_is_trial = move_joint(session, command, &joint) != NULL;
}

void snw_do_translate(snw_session *session, const snw_command *command) {
	uint32_t joint;
	snw_sculpting_leave(session);
	const snw_pose *pose = move_joint(session, command, &joint);
	if (pose) {
		char label[200];
		snprintf(label, sizeof label, "move %.180s", session->document->scene->skeleton.names[joint]);
		session->edit_is_trial = false;
		session->state.joint = joint;
		snw_store_edited_pose(session, label, pose);
	}
}
