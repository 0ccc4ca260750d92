/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on poses. Turning a joint changes the pose that is shown where it is nobody else's; at rest, in a clip, or where a
 * sculpt was made, it goes to the pose "unnamed", which keeps until another takes its place or it gets a name: by Add, or with the
 * first example in it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mesh/mirror.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct pose_order {
	snw_pose *pose;
	int64_t id; /* of the row that it replaces or that is removed; 0: a new one */
} pose_order;

static const char UNNAMED[] = "unnamed";

/* ---- which row ---------------------------------------------------------------------------------------------------- */

static bool is_sculpted(const snw_scene *scene, uint32_t pose) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].pose == pose) {
			return true;
		}
	}
	return false;
}

/* What everybody counts on: the rest, the file's own pose, and those of examples. */
static bool is_kept(const snw_scene *scene, uint32_t pose) {
	return pose >= scene->pose_count || pose == 0 || strcmp(scene->poses[pose].name, "default") == 0 ||
		   is_sculpted(scene, pose);
}

uint32_t snw_session_unnamed(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t shown = session->state.clip == SNW_NONE && !session->hand ? session->state.pose : SNW_NONE;
	return !is_kept(scene, shown) && snw_pose_is_unnamed(scene->poses[shown].name) ? shown : SNW_NONE;
}

bool snw_pose_is_unnamed(const char *name) {
	return strncmp(name, UNNAMED, strlen(UNNAMED)) == 0;
}

static void choose_row(const snw_session *session, pose_order *order, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	const uint32_t shown = session->state.clip == SNW_NONE ? session->state.pose : SNW_NONE;
	const uint32_t unnamed = snw_scene_find_pose(scene, UNNAMED);
	const uint32_t row = !is_kept(scene, shown) ? shown : !is_kept(scene, unnamed) ? unnamed : SNW_NONE;
	order->id = row == SNW_NONE ? 0 : scene->poses[row].id;
	order->pose->name = snw_arena_text(arena, row == SNW_NONE ? snw_free_name(scene, snw_scene_find_pose, UNNAMED, arena)
															  : scene->poses[row].name);
}

/* ---- storing ------------------------------------------------------------------------------------------------------ */

static snw_status put(snw_desk_space *desk, void *given, snw_error *error) {
	pose_order *order = given;
	order->pose->id = order->id;
	return snw_project_put_pose(desk->project, order->pose, &order->id, error);
}

static snw_status store(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, put, order, error);
}

static void show(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const pose_order *order = given;
	snw_session_choose_pose(session, snw_scene_find_pose(session->document->scene, order->pose->name));
}

/* Keeps a pose as a row of its own choice, or by a name. */
static void send(snw_session *session, const char *what, const snw_pose *pose, const char *name, int64_t id) {
	snw_errand *errand = snw_errand_make(what, sizeof(pose_order));
	pose_order *order = errand->order;
	order->pose = snw_pose_copy(session->document->scene, pose, errand->arena);
	order->pose->clip = 0;
	if (name) {
		order->pose->name = snw_arena_text(errand->arena, name);
		order->id = id;
	} else {
		choose_row(session, order, errand->arena);
	}
	errand->run = store;
	errand->done = show;
	snw_session_send(session, errand);
}

/* ---- turning ------------------------------------------------------------------------------------------------------ */

static void set_turn(const snw_scene *scene, snw_pose *pose, uint32_t joint, const double turn[3]) {
	double q[4];
	snw_quat_from_rotation_vector(turn, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
	snw_quat_normalize(pose->local[joint].rotation);
	memcpy(pose->rotation_vectors + 3 * (size_t)joint, turn, 3 * sizeof(double));
}

static snw_pose *turn_hand(snw_session *session, const snw_command *command, uint32_t *joint) {
	const snw_scene *scene = session->document->scene;
	*joint = snw_scene_find_joint(scene, command->text);
	if (*joint == SNW_NONE) {
		snw_view_state_warn(&session->state, "There is no joint of that name.");
		return NULL;
	}
	snw_pose *pose = snw_session_take_hand(session);
	if (pose) {
		const double turn[3] = {command->n[0] * M_PI / 180, command->n[1] * M_PI / 180, command->n[2] * M_PI / 180};
		set_turn(scene, pose, *joint, turn);
	}
	return pose;
}

void snw_do_try_turn(snw_session *session, const snw_command *command) {
	uint32_t joint;
	session->hand_is_trial = turn_hand(session, command, &joint) != NULL;
}

void snw_do_turn(snw_session *session, const snw_command *command) {
	uint32_t joint;
	snw_sculpting_leave(session);
	const snw_pose *pose = turn_hand(session, command, &joint);
	if (pose) {
		char what[200];
		snprintf(what, sizeof what, "turn %s", session->document->scene->skeleton.names[joint]);
		session->hand_is_trial = false;
		session->state.joint = joint;
		send(session, what, pose, NULL, 0);
	}
}

void snw_do_joint_reset(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = command->text[0] ? snw_scene_find_joint(scene, command->text) : session->state.joint;
	snw_pose *pose = joint < scene->skeleton.joint_count ? snw_session_take_hand(session) : NULL;
	if (!pose) {
		snw_view_state_warn(&session->state, "Choose a joint first.");
		return;
	}
	char what[200];
	snprintf(what, sizeof what, "reset %s", scene->skeleton.names[joint]);
	pose->local[joint] = scene->skeleton.rest_local[joint];
	memset(pose->rotation_vectors + 3 * (size_t)joint, 0, 3 * sizeof(double));
	send(session, what, pose, NULL, 0);
}

void snw_do_pose_reset(snw_session *session, const snw_command *command) {
	(void)command;
	snw_pose *pose = snw_session_take_hand(session);
	if (pose) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose *rest = snw_pose_rest(session->document->scene, scratch);
		send(session, "reset all joints", rest, NULL, 0);
		snw_arena_destroy(scratch);
	}
}

/* ---- copies ------------------------------------------------------------------------------------------------------- */

void snw_do_pose_copy(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_pose *shown = snw_studio_pose(&session->studio, &session->state);
	if (shown) {
		snw_arena_destroy(session->copied_arena);
		session->copied_arena = snw_arena_create();
		session->copied = snw_pose_copy(session->document->scene, shown, session->copied_arena);
		snw_view_state_say(&session->state, "The pose is copied.");
	}
}

void snw_do_pose_paste(snw_session *session, const snw_command *command) {
	(void)command;
	if (session->copied) {
		send(session, "paste a pose", session->copied, NULL, 0);
	} else {
		snw_view_state_warn(&session->state, "Copy a pose first.");
	}
}

void snw_do_pose_mirror(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	const snw_pose *shown = snw_studio_pose(&session->studio, &session->state);
	if (!shown) {
		return;
	}
	static const snw_mirror_plane middle = {0, 0};
	snw_arena *scratch = snw_arena_create();
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, &middle, 0, scratch, &joints);
	if (joints.pair_count == 0) {
		snw_view_state_warn(&session->state, "No joint has one that answers to it on the other side.");
	} else {
		send(session, "mirror the pose", snw_mirror_pose(scene, &joints, shown, scratch), NULL, 0);
	}
	snw_arena_destroy(scratch);
}

/* ---- names -------------------------------------------------------------------------------------------------------- */

void snw_do_pose(snw_session *session, const snw_command *command) {
	const uint32_t pose = snw_scene_find_pose(session->document->scene, command->text);
	if (pose == SNW_NONE) {
		snw_view_state_warn(&session->state, "There is no pose of that name.");
	} else {
		snw_session_choose_pose(session, pose);
	}
}

void snw_do_pose_rest(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_choose_pose(session, 0);
}

/* A pose without a name of its own gets one; any other is kept once more. */
void snw_do_pose_add(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *shown = snw_studio_pose(&session->studio, &session->state);
	if (!shown) {
		snw_view_state_warn(&session->state, "There is nothing to pose.");
		return;
	}
	snw_arena *scratch = snw_arena_create();
	const bool waits = snw_session_asks(session, command, snw_free_name(scene, snw_scene_find_pose, "pose-1", scratch));
	snw_arena_destroy(scratch);
	if (waits) {
		return;
	}
	if (snw_scene_find_pose(scene, command->text) != SNW_NONE) {
		snw_view_state_warn(&session->state, "There is a pose of that name already.");
		return;
	}
	const uint32_t unnamed = snw_session_unnamed(session);
	char what[SNW_COMMAND_WORDS + 20];
	snprintf(what, sizeof what, "pose add %s", command->text);
	send(session, what, shown, command->text, unnamed == SNW_NONE ? 0 : scene->poses[unnamed].id);
}

void snw_do_pose_name(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t pose = session->state.clip == SNW_NONE ? session->state.pose : SNW_NONE;
	if (pose >= scene->pose_count || pose == 0 || strcmp(scene->poses[pose].name, "default") == 0) {
		snw_view_state_warn(&session->state, "The rest and the file's own pose keep their names.");
		return;
	}
	if (snw_session_asks(session, command, scene->poses[pose].name)) {
		return;
	}
	char what[SNW_COMMAND_WORDS + 20];
	snprintf(what, sizeof what, "pose name %s", command->text);
	send(session, what, &scene->poses[pose], command->text, scene->poses[pose].id);
}

static snw_status take_away(snw_desk_space *desk, void *order, snw_error *error) {
	return snw_project_remove(desk->project, SNW_PROJECT_POSE, ((pose_order *)order)->id, error);
}

static snw_status remove_row(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, take_away, order, error);
}

void snw_do_pose_remove(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t shown = session->state.clip == SNW_NONE ? session->state.pose : SNW_NONE;
	const uint32_t pose = command->text[0] ? snw_scene_find_pose(scene, command->text) : shown;
	if (pose >= scene->pose_count || is_kept(scene, pose)) {
		snw_view_state_warn(&session->state, "The rest, the file's own pose and those of examples stay.");
		return;
	}
	char what[200];
	snprintf(what, sizeof what, "pose remove %.150s", scene->poses[pose].name);
	snw_errand *errand = snw_errand_make(what, sizeof(pose_order));
	((pose_order *)errand->order)->id = scene->poses[pose].id;
	errand->run = remove_row;
	snw_session_send(session, errand);
}

/* ---- what is chosen ----------------------------------------------------------------------------------------------- */

void snw_do_joint(snw_session *session, const snw_command *command) {
	session->state.joint = snw_scene_find_joint(session->document->scene, command->text);
}

void snw_do_space(snw_session *session, const snw_command *command) {
	static const char *const names[] = {"the joint's own", "its parent's", "the world's"};
	const int wished = (int)command->n[0];
	session->state.space = wished >= 1 && wished <= 3 ? (snw_gizmo_space)(wished - 1) : (session->state.space + 1) % 3;
	snw_view_state_say(&session->state, "The gizmo turns about %s axes.", names[session->state.space]);
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
