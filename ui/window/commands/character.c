/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the meshes, the skeleton and the weights of the character.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pose/pose.h"
#include "render/view/view.h"
#include "sinew/algebra.h"
#include "window/commands/commands.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* Commands on the meshes of the character: which one is active, which and which of their faces are shown, and which are locked;
 * and what the menu in the viewport is for. They change the view alone. */

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

/* ---- skeleton ------------------------------------------------------------------------------------------------------------ */

/* Skeletons and skin weights made by a method for the project. */

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

/* ---- joint --------------------------------------------------------------------------------------------------------------- */

/* Joints drawn on the skin at rest. */

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

/* ---- reach --------------------------------------------------------------------------------------------------------------- */

/* A joint dragged to a place: the joints above it rotate, up to their limits, but for those that are left out; a root, or a
 * joint that may move, moves. Pinned joints stay in place. */

static void place_of(const snw_session *session, uint32_t joint, double dest[3]) {
	for (size_t c = 0; c < 3; c++) {
		dest[c] = session->display.global[12 * (size_t)joint + 4 * c + 3];
	}
}

static bool is_below(const snw_skeleton *skeleton, uint32_t joint, uint32_t other) {
	uint32_t j = skeleton->parents[joint];
	while (j != SNW_NONE && j != other) {
		j = skeleton->parents[j];
	}
	return j == other;
}

/* Pinned joints below what rotates or moves: they stay where they are. */
static void add_pins(const snw_session *session, uint32_t dragged, bool *turning, snw_reach *reach, snw_reach_goal *goals) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count && reach->goal_count < SNW_REACH_MOST_GOALS; j++) {
		bool is_carried = session->display.pinned_joints[j] && j != dragged && !is_below(skeleton, dragged, j);
		bool moves = is_carried && snw_joint_moves(session->document->scene, dragged) && is_below(skeleton, j, dragged);
		for (uint32_t t = 0; t < skeleton->joint_count && is_carried && !moves; t++) {
			moves = turning[t] && is_below(skeleton, j, t);
		}
		if (!moves) {
			continue;
		}
		for (uint32_t t = skeleton->parents[j]; t != SNW_NONE && t != dragged && !turning[t]; t = skeleton->parents[t]) {
			turning[t] = true;
		}
		goals[reach->goal_count].joint = j;
		place_of(session, j, goals[reach->goal_count++].place);
	}
}

/* Whether any joint is left that may rotate. */
static bool leave_out_stiff(const snw_session *session, bool *turning) {
	bool is_any = false;
	for (uint32_t j = 0; j < session->document->scene->skeleton.joint_count; j++) {
		turning[j] = turning[j] && !session->display.stiff_joints[j];
		is_any = is_any || turning[j];
	}
	return is_any;
}

/* Moves a joint that may move. */
static void translate(const snw_session *session, snw_pose *pose, uint32_t joint, const double place[3]) {
	const uint32_t parent = session->document->scene->skeleton.parents[joint];
	double inverse[12];
	if (parent == SNW_NONE) {
		memcpy(pose->local[joint].translation, place, 3 * sizeof(double));
	} else if (snw_mat34_invert(session->display.global + 12 * (size_t)parent, inverse)) {
		snw_mat34_point(inverse, place, pose->local[joint].translation);
	}
}

/* The pose in which the joint is at the place, or as near as it gets; NULL with a message. */
static const snw_pose *find_pose(snw_session *session, const snw_command *command, uint32_t *joint) {
	const snw_scene *scene = session->document->scene;
	const snw_skeleton *skeleton = &scene->skeleton;
	*joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	snw_pose *pose = *joint != SNW_NONE && session->display.posed ? snw_session_edit_pose(session) : NULL;
	if (!pose) {
		return NULL;
	}
	snw_arena *scratch = snw_arena_create();
	bool *turning = SNW_NEW_ARRAY(scratch, bool, skeleton->joint_count);
	snw_reach_goal goals[SNW_REACH_MOST_GOALS];
	double axes[3][3], missed;
	snw_error error = {0};
	snw_camera_axes(&session->state.camera, axes);
	snw_reach reach = {.goals = goals, .turning = turning, .limits = snw_joint_limits(scene, scratch), .bend_axis = axes[2]};
	if (snw_joint_moves(scene, *joint)) {
		translate(session, pose, *joint, command->n);
	} else {
		snw_reach_chain(scene, *joint, session->display.pinned_joints, turning);
		goals[reach.goal_count].joint = *joint;
		memcpy(goals[reach.goal_count++].place, command->n, sizeof goals->place);
	}
	add_pins(session, *joint, turning, &reach, goals);
	if (!leave_out_stiff(session, turning) && reach.goal_count > 0) {
		snw_session_discard_pose(session);
		pose = NULL;
		snw_view_state_warn(&session->state, "Nothing rotates: the joints above are left out of IK.");
	} else if (reach.goal_count > 0 && snw_failed(snw_pose_reach(scene, &reach, pose, &missed, &error))) {
		snw_view_state_warn(&session->state, error.text);
	}
	snw_arena_destroy(scratch);
	return pose;
}

void snw_do_try_reach(snw_session *session, const snw_command *command) {
	uint32_t joint;
	session->edit_is_trial = find_pose(session, command, &joint) != NULL;
}

void snw_do_reach(snw_session *session, const snw_command *command) {
	uint32_t joint;
	const snw_pose *pose = find_pose(session, command, &joint);
	if (pose) {
		char label[200];
		snprintf(label, sizeof label, "drag %.180s", session->document->scene->skeleton.names[joint]);
		session->edit_is_trial = false;
		session->state.joint = joint;
		snw_store_edited_pose(session, label, pose);
	}
}

void snw_do_joint_pin(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (joint == SNW_NONE) {
		return;
	}
	session->display.pinned_joints[joint] = !session->display.pinned_joints[joint];
	snw_view_state_say(&session->state, "%s is %s.", scene->skeleton.names[joint],
					   session->display.pinned_joints[joint] ? "pinned: it stays in place while others are dragged" : "free");
}

void snw_do_joint_stiff(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (joint == SNW_NONE) {
		return;
	}
	bool *stiff = &session->display.stiff_joints[joint];
	*stiff = !*stiff;
	snw_view_state_say(&session->state, "%s %s while joints below it are dragged.", scene->skeleton.names[joint],
					   *stiff ? "does not rotate" : "rotates");
}

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* Locked joints, whose weights no edit changes, and the weights of one point. */

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
