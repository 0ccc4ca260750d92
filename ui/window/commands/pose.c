/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on poses. Rotating a joint changes the pose that is shown. If that is the rest pose, a moment of a clip or the
 * pose of an example, a copy is changed: the pose "unnamed", which is replaced by the next copy unless it is named, by Add
 * or by its first example.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "example/names.h"
#include "mesh/mirror/mirror.h"
#include "pose/mirror_joints.h"
#include "pose/pose.h"
#include "sculpt/symmetry_plane.h"
#include "window/commands/rotate_joints.h"
#include "window/commands/store_pose.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct pose_request {
	snw_pose *pose;
	int64_t id; /* the pose that is replaced; 0: a new one */
} pose_request;

/* ---- lookup -------------------------------------------------------------------------------------------------------------- */

static bool is_sculpted(const snw_scene *scene, uint32_t pose) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].pose == pose) {
			return true;
		}
	}
	return false;
}

/* The rest pose, the file's default pose and the poses of examples cannot be replaced or removed. */
static bool is_protected(const snw_scene *scene, uint32_t pose) {
	return pose >= scene->pose_count || pose == 0 || strcmp(scene->poses[pose].name, "default") == 0 ||
		   is_sculpted(scene, pose);
}

uint32_t snw_session_unnamed(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t shown = session->state.clip == SNW_NONE && !session->edited_pose ? session->state.pose : SNW_NONE;
	return !is_protected(scene, shown) && snw_pose_is_unnamed(scene->poses[shown].name) ? shown : SNW_NONE;
}

static void choose_row(const snw_session *session, bool replaces_shown, pose_request *request, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	const uint32_t shown = replaces_shown && session->state.clip == SNW_NONE ? session->state.pose : SNW_NONE;
	const uint32_t unnamed = snw_scene_find_pose(scene, SNW_UNNAMED_POSE);
	const uint32_t row = !is_protected(scene, shown) ? shown : !is_protected(scene, unnamed) ? unnamed : SNW_NONE;
	request->id = row == SNW_NONE ? 0 : scene->poses[row].id;
	request->pose->name =
		snw_arena_text(arena, row == SNW_NONE ? snw_scene_free_name(scene, snw_scene_find_pose, SNW_UNNAMED_POSE, arena)
											  : scene->poses[row].name);
}

/* ---- storing ------------------------------------------------------------------------------------------------------ */

static snw_status put(snw_job_context *context, void *data, snw_error *error) {
	pose_request *request = data;
	request->pose->id = request->id;
	return snw_project_put_pose(context->project, request->pose, &request->id, error);
}

static snw_status store(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put, request, error);
}

static void show(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const pose_request *request = data;
	snw_session_choose_pose(session, snw_scene_find_pose(session->document->scene, request->pose->name));
}

static snw_job *make_job(const snw_session *session, const char *label, const snw_pose *pose) {
	snw_job *job = snw_job_create(label, sizeof(pose_request));
	pose_request *request = job->request;
	request->pose = snw_pose_copy(session->document->scene, pose, job->arena);
	request->pose->clip = 0;
	job->run = store;
	job->done = show;
	return job;
}

void snw_store_edited_pose(snw_session *session, const char *label, const snw_pose *pose) {
	snw_job *job = make_job(session, label, pose);
	choose_row(session, true, job->request, job->arena);
	snw_session_send(session, job);
}

void snw_store_unnamed_pose(snw_session *session, const char *label, const snw_pose *pose) {
	snw_job *job = make_job(session, label, pose);
	choose_row(session, false, job->request, job->arena);
	snw_session_send(session, job);
}

/* ---- rotating joints ----------------------------------------------------------------------------------------------------- */

static snw_pose *rotate_joint(snw_session *session, const snw_command *command, uint32_t *joint, uint32_t *others) {
	const snw_scene *scene = session->document->scene;
	*joint = snw_scene_find_joint(scene, command->text);
	if (*joint == SNW_NONE) {
		snw_view_state_warn(&session->state, "No joint has this name.");
		return NULL;
	}
	snw_pose *pose = snw_session_edit_pose(session);
	if (pose) {
		const double rotation[3] = {command->n[0] * M_PI / 180, command->n[1] * M_PI / 180, command->n[2] * M_PI / 180};
		*others = snw_rotate_joints(session, pose, *joint, rotation);
	}
	return pose;
}

void snw_do_try_rotate(snw_session *session, const snw_command *command) {
	uint32_t joint, others;
	session->edit_is_trial = rotate_joint(session, command, &joint, &others) != NULL;
}

void snw_do_rotate(snw_session *session, const snw_command *command) {
	uint32_t joint, others;
	snw_sculpting_leave(session);
	const snw_pose *pose = rotate_joint(session, command, &joint, &others);
	if (pose) {
		char label[200], more[40] = "";
		if (others > 0) {
			snprintf(more, sizeof more, " and %u other%s", others, snw_plural(others));
		}
		snprintf(label, sizeof label, "rotate %.150s%s", session->document->scene->skeleton.names[joint], more);
		session->edit_is_trial = false;
		session->state.joint = joint;
		snw_store_edited_pose(session, label, pose);
	}
}

void snw_do_joint_reset(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = command->text[0] ? snw_scene_find_joint(scene, command->text) : session->state.joint;
	snw_pose *pose = joint < scene->skeleton.joint_count ? snw_session_edit_pose(session) : NULL;
	if (!pose) {
		snw_view_state_warn(&session->state, "Select a joint first.");
		return;
	}
	char label[200];
	snprintf(label, sizeof label, "reset %s", scene->skeleton.names[joint]);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (j == joint || (joint == session->state.joint && session->display.selected_joints[j])) {
			pose->local[j] = scene->skeleton.rest_local[j];
			memset(pose->rotation_vectors + 3 * (size_t)j, 0, 3 * sizeof(double));
		}
	}
	snw_store_edited_pose(session, label, pose);
}

void snw_do_pose_reset(snw_session *session, const snw_command *command) {
	(void)command;
	snw_pose *pose = snw_session_edit_pose(session);
	if (pose) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose *rest = snw_pose_rest(session->document->scene, scratch);
		snw_store_edited_pose(session, "reset all joints", rest);
		snw_arena_destroy(scratch);
	}
}

/* ---- copying ------------------------------------------------------------------------------------------------------------- */

void snw_do_pose_copy(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_pose *shown = snw_display_pose(&session->display, &session->state);
	if (shown) {
		snw_arena_destroy(session->copied_arena);
		session->copied_arena = snw_arena_create();
		session->copied = snw_pose_copy(session->document->scene, shown, session->copied_arena);
		snw_view_state_say(&session->state, "Pose copied.");
	}
}

void snw_do_pose_paste(snw_session *session, const snw_command *command) {
	(void)command;
	if (session->copied) {
		snw_store_edited_pose(session, "paste a pose", session->copied);
	} else {
		snw_view_state_warn(&session->state, "Copy a pose first.");
	}
}

void snw_do_pose_mirror(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	const snw_pose *shown = snw_display_pose(&session->display, &session->state);
	if (!shown) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	snw_mirror_joints joints;
	const snw_mirror_plane plane = snw_character_plane(scene);
	snw_mirror_joints_find(scene, &plane, 0, scratch, &joints);
	if (joints.pair_count == 0) {
		snw_view_state_warn(&session->state, "No joint has a mirrored counterpart.");
	} else {
		snw_store_edited_pose(session, "mirror the pose", snw_mirror_pose(scene, &joints, shown, scratch));
	}
	snw_arena_destroy(scratch);
}

/* ---- going -------------------------------------------------------------------------------------------------------- */

void snw_do_pose(snw_session *session, const snw_command *command) {
	const uint32_t pose = snw_scene_find_pose(session->document->scene, command->text);
	if (pose == SNW_NONE) {
		snw_view_state_warn(&session->state, "No pose has this name.");
	} else {
		snw_session_choose_pose(session, pose);
	}
}

void snw_do_pose_rest(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_choose_pose(session, 0);
}

/* ---- the gizmo ----------------------------------------------------------------------------------------------------------- */

void snw_do_joint(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	session->state.joint = snw_scene_find_joint(scene, command->text);
	memset(session->display.selected_joints, 0, scene->skeleton.joint_count * sizeof *session->display.selected_joints);
}

void snw_do_space(snw_session *session, const snw_command *command) {
	static const char *const names[] = {"the joint's", "its parent's", "the world's"};
	const int wished = (int)command->n[0];
	session->state.space = wished >= 1 && wished <= 3 ? (snw_gizmo_space)(wished - 1) : (session->state.space + 1) % 3;
	snw_view_state_say(&session->state, "The gizmo rotates about %s axes.", names[session->state.space]);
}

void snw_do_posing(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.tab = SNW_TAB_SHAPE;
	if (session->state.sculpting) {
		snw_sculpting_leave(session);
	} else {
		snw_sculpting_enter(session);
	}
}
