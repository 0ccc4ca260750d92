/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on poses. Rotating a joint changes the pose that is shown. If that is the rest pose, a moment of a clip or the
 * pose of an example, a copy is changed: the pose "unnamed", which is replaced by the next copy unless it is named, by Add
 * or by its first example. What changes becomes values of an operator, by name: "pose set --pose=bent --rotate=elbow=0,0,1".
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "example/examples.h"
#include "fit/samples.h"
#include "mesh/mesh.h"
#include "operators/operator.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"
#include "window/commands/commands.h"
#include "window/document/document.h"
#include "window/jobs/job_thread.h"
#include "window/session/session.h"

/* ---- rotating together --------------------------------------------------------------------------------------------------- */

/* Joints rotated together: what is done to the chosen joint is done to the others that are selected. */

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

/* Rotates a joint of the pose, in rotations away from rest, up to its limit. The other selected joints rotate as far about
 * the same axes: their own, their parent's or the world's. Radians. Returns how many others there are. */
static uint32_t rotate_joints(snw_session *session, snw_pose *pose, uint32_t joint, const double rotation[3]) {
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

/* ---- storing ------------------------------------------------------------------------------------------------------------- */

/* The pose that is shown, without what a drag changes; NULL if there is none. */
static const snw_pose *stored_pose(snw_session *session) {
	const snw_pose *edited = session->display.edited_pose;
	session->display.edited_pose = NULL;
	const snw_pose *stored = snw_display_pose(&session->display, &session->state);
	session->display.edited_pose = edited;
	return stored;
}

static const char *number_words(double number, snw_arena *arena) {
	char words[40];
	snw_command_write_number(number, words, sizeof words);
	return snw_arena_text(arena, words);
}

/* "NAME" or "CLIP:SECONDS", of a pose that is shown. */
static const char *source_of(const snw_session *session, const snw_pose *pose, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	return session->state.clip == SNW_NONE
			   ? pose->name
			   : snw_arena_format(arena, "%s:%s", scene->clips[session->state.clip].name, number_words(pose->seconds, arena));
}

static void give_place(snw_operator_call *call, const char *argument, const char *joint, const double place[3],
					   snw_arena *arena) {
	snw_operator_give_named(call, argument,
							snw_arena_format(arena, "%s=%s,%s,%s", joint, number_words(place[0], arena),
											 number_words(place[1], arena), number_words(place[2], arena)),
							arena);
}

/* What makes one pose of another at a joint. False if no operator can: it moves or scales a joint that only rotates. */
static bool give_joint(snw_operator_call *call, const snw_scene *scene, uint32_t joint, const snw_pose *from,
					   const snw_pose *pose, snw_arena *arena) {
	const snw_transform *old = &from->local[joint], *new = &pose->local[joint], *rest = &scene->skeleton.rest_local[joint];
	const double *old_vector = from->rotation_vectors + 3 * (size_t)joint, *vector = pose->rotation_vectors + 3 * (size_t)joint;
	const char *name = scene->skeleton.names[joint];
	const bool keeps_vector = memcmp(old_vector, vector, 3 * sizeof *vector) == 0;
	const bool moves = memcmp(old->translation, new->translation, sizeof new->translation) != 0;
	if (keeps_vector && memcmp(old, new, sizeof *new) == 0) {
		return true;
	}
	if (memcmp(new, rest, sizeof *rest) == 0 && snw_length3(vector) == 0) {
		snw_operator_give_named(call, "reset", name, arena);
		return true;
	}
	if (!keeps_vector || memcmp(old->rotation, new->rotation, sizeof new->rotation) != 0) {
		give_place(call, "rotate", name, vector, arena);
	}
	if (moves) {
		const double *to = new->translation, *at = rest->translation;
		give_place(call, "move", name, (const double[]){to[0] - at[0], to[1] - at[1], to[2] - at[2]}, arena);
	}
	return (!moves || snw_joint_moves(scene, joint)) && memcmp(old->scale, new->scale, sizeof new->scale) == 0;
}

static bool give_changes(snw_operator_call *call, const snw_scene *scene, const snw_pose *from, const snw_pose *pose,
						 snw_arena *arena) {
	bool is_possible = true;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		is_possible = give_joint(call, scene, j, from, pose, arena) && is_possible;
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		if (from->channels[c] != pose->channels[c]) {
			const char *weight = number_words(pose->channels[c], arena);
			snw_operator_give_named(call, "shape", snw_arena_format(arena, "%s=%s", scene->channels[c].name, weight), arena);
		}
	}
	return is_possible;
}

static snw_operator_call call_of(const char *name) {
	const snw_operator_noun *noun = snw_operator_noun_find("pose");
	return (snw_operator_call){.noun = noun, .row = snw_operator_find(noun, name)};
}

/* The call that stores changes, without them: "pose set" of the pose that is shown, or "pose add" of the unnamed one. `from`
 * is what they start from. */
static snw_operator_call begin_call(const snw_session *session, const char *from, bool replaces_shown, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	const uint32_t shown = replaces_shown && session->state.clip == SNW_NONE ? session->state.pose : SNW_NONE;
	const uint32_t unnamed = snw_scene_find_pose(scene, SNW_UNNAMED_POSE);
	const bool sets = !is_protected(scene, shown), replaces_unnamed = !is_protected(scene, unnamed);
	const char *name = sets               ? scene->poses[shown].name
					   : replaces_unnamed ? SNW_UNNAMED_POSE
										  : snw_scene_free_name(scene, snw_scene_find_pose, SNW_UNNAMED_POSE, arena);
	snw_operator_call call = call_of(sets ? "set" : "add");
	snw_operator_give_named(&call, sets ? "pose" : "name", name, arena);
	if (!sets || strcmp(from, name) != 0) {
		snw_operator_give_named(&call, "from", from, arena);
	}
	if (!sets && replaces_unnamed) {
		snw_operator_give_named(&call, "replace", "", arena);
	}
	return call;
}

/* Stores what is made of a pose that has this name, or is this moment of a clip. */
static void store(snw_session *session, const char *label, const char *source, const snw_pose *from, const snw_pose *pose,
				  bool replaces_shown) {
	snw_arena *arena = snw_arena_create();
	snw_operator_call call = begin_call(session, source, replaces_shown, arena);
	if (give_changes(&call, session->document->scene, from, pose, arena)) {
		snw_session_send_operator(session, &call, label);
	} else {
		snw_view_state_warn(&session->state, "What this pose was copied from has changed. Copy it again.");
	}
	snw_arena_destroy(arena);
}

void snw_store_edited_pose(snw_session *session, const char *label, const snw_pose *pose) {
	snw_arena *scratch = snw_arena_create();
	const snw_pose *stored = stored_pose(session);
	store(session, label, source_of(session, stored, scratch), stored, pose, true);
	snw_arena_destroy(scratch);
}

/* From rest: in place of the pose that is shown, or as the unnamed one. */
static void store_from_rest(snw_session *session, const char *label, const snw_pose *pose, bool replaces_shown) {
	const snw_pose *rest = &session->document->scene->poses[0];
	store(session, label, rest->name, rest, pose ? pose : rest, replaces_shown);
}

/* As the unnamed pose, whatever is shown. */
static void store_unnamed_pose(snw_session *session, const char *label, const snw_pose *pose) {
	store_from_rest(session, label, pose, false);
}

void snw_session_name_shown(snw_session *session, snw_operator_call *call, snw_arena *arena) {
	const char *source = source_of(session, stored_pose(session), arena);
	const uint32_t unnamed = snw_session_unnamed(session);
	const snw_operator_call given = *call;
	const bool sets = strcmp(call->row->name, "set") == 0;
	if (strcmp(call->noun->name, "pose") != 0) {
		if (!snw_operator_given_text(call, "pose")) {
			snw_operator_give_named(call, "pose", source, arena);
		}
	} else if (sets && !snw_operator_given_text(call, "pose")) {
		*call = begin_call(session, source, true, arena);
		for (uint32_t i = 0; i < given.count; i++) {
			snw_operator_give_named(call, given.row->arguments[given.given[i].argument].name, given.given[i].text, arena);
		}
	} else if (!sets && given.count == 1 && unnamed != SNW_NONE && snw_operator_given_text(call, "name")) {
		*call = call_of("name");
		snw_operator_give_named(call, "pose", session->document->scene->poses[unnamed].name, arena);
		snw_operator_give_named(call, "new", snw_operator_given_text(&given, "name"), arena);
	} else if (!sets && !snw_operator_given_text(call, "from") && !snw_operator_given_text(call, "file")) {
		snw_operator_give_named(call, "from", source, arena);
	}
}

/* ---- rotating joints ----------------------------------------------------------------------------------------------------- */

static snw_pose *rotate_joint(snw_session *session, const snw_command *command, uint32_t *joint, uint32_t *others) {
	*joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	snw_pose *pose = *joint != SNW_NONE ? snw_session_edit_pose(session) : NULL;
	if (pose) {
		const double rotation[3] = {command->n[0] * M_PI / 180, command->n[1] * M_PI / 180, command->n[2] * M_PI / 180};
		*others = rotate_joints(session, pose, *joint, rotation);
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
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	snw_pose *pose = joint != SNW_NONE ? snw_session_edit_pose(session) : NULL;
	if (!pose) {
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
		store_from_rest(session, "reset all joints", NULL, true);
	}
}

/* ---- copying ------------------------------------------------------------------------------------------------------------- */

void snw_do_pose_copy(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_pose *shown = stored_pose(session);
	if (shown) {
		snw_arena_destroy(session->copied_arena);
		session->copied_arena = snw_arena_create();
		session->copied = snw_pose_copy(session->document->scene, shown, session->copied_arena);
		session->copied_from = snw_arena_text(session->copied_arena, source_of(session, shown, session->copied_arena));
		snw_view_state_say(&session->state, "Pose copied.");
	}
}

void snw_do_pose_paste(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	if (!session->copied) {
		snw_view_state_warn(&session->state, "Copy a pose first.");
		return;
	}
	snw_arena *scratch = snw_arena_create();
	const char *source = session->copied_from;
	snw_pose *from = NULL;
	if (snw_failed(snw_pose_resolve(scene, source, scratch, &from, NULL))) {
		source = "rest";
		from = snw_pose_rest(scene, scratch);
	}
	store(session, "paste a pose", source, from, session->copied, true);
	snw_arena_destroy(scratch);
}

void snw_do_pose_mirror(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	const snw_pose *shown = stored_pose(session);
	if (!shown) {
		return;
	}
	snw_arena *arena = snw_arena_create();
	snw_mirror_joints joints;
	const snw_mirror_plane plane = snw_character_plane(scene);
	snw_mirror_joints_find(scene, &plane, 0, arena, &joints);
	if (joints.pair_count == 0) {
		snw_view_state_warn(&session->state, "No joint has a mirrored counterpart.");
	} else {
		snw_operator_call call = begin_call(session, source_of(session, shown, arena), true, arena);
		snw_operator_give_named(&call, "mirror", "", arena);
		snw_session_send_operator(session, &call, "mirror the pose");
	}
	snw_arena_destroy(arena);
}

/* ---- going --------------------------------------------------------------------------------------------------------------- */

void snw_do_pose(snw_session *session, const snw_command *command) {
	const uint32_t pose = snw_session_find(session, SNW_NOUN_POSE, command->text);
	if (pose != SNW_NONE) {
		snw_session_choose_pose(session, pose);
		snw_session_say_no_frames(session);
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

/* ---- shape weights ------------------------------------------------------------------------------------------------------- */

/* The morph targets that came with the file: their weights, which are part of the pose, and strokes that change one. */

static const snw_pose *set_weight(snw_session *session, const snw_command *command) {
	const uint32_t channel = snw_session_find(session, SNW_NOUN_SHAPE, command->text);
	if (channel == SNW_NONE) {
		return NULL;
	}
	snw_pose *pose = snw_session_edit_pose(session);
	const snw_scene *scene = session->document->scene;
	const uint32_t first = snw_shape_first(scene, channel);
	for (uint32_t c = first; pose && c < scene->channel_count; c++) {
		pose->channels[c] = snw_shape_first(scene, c) == first ? command->n[0] : pose->channels[c];
	}
	return pose;
}

void snw_do_try_shape_weight(snw_session *session, const snw_command *command) {
	session->edit_is_trial = set_weight(session, command) != NULL;
}

void snw_do_shape_weight(snw_session *session, const snw_command *command) {
	snw_sculpting_leave(session);
	const snw_pose *pose = set_weight(session, command);
	if (pose) {
		char label[200];
		snprintf(label, sizeof label, "set morph target %.150s", command->text);
		session->edit_is_trial = false;
		snw_store_edited_pose(session, label, pose);
	}
}

void snw_do_shape_weights_reset(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	snw_pose *pose = scene->channel_count > 0 ? snw_session_edit_pose(session) : NULL;
	if (!pose) {
		snw_view_state_warn(&session->state, "The character has no morph targets.");
		return;
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		pose->channels[c] = scene->channels[c].initial;
	}
	snw_sculpting_leave(session);
	session->edit_is_trial = false;
	snw_store_edited_pose(session, "reset morph targets", pose);
}

/* ---- strokes on a shape -------------------------------------------------------------------------------------------------- */

/* The shape alone, at rest. */
void snw_do_shape_edit(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->channel_count == 0) {
		snw_view_state_warn(&session->state, "The character has no morph targets.");
		return;
	}
	if (snw_session_asks(session, command, scene->channels[0].name)) {
		return;
	}
	const uint32_t channel = snw_session_find(session, SNW_NOUN_SHAPE, command->text);
	if (channel == SNW_NONE) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	snw_pose *pose = snw_pose_rest(scene, scratch);
	pose->channels[channel] = 1;
	snw_sculpting_leave(session);
	store_unnamed_pose(session, "show a morph target", pose);
	snw_arena_destroy(scratch);
	session->state.shape = channel + 1;
	snw_view_state_say(&session->state, "Strokes now change %s, until you show another pose. Press Tab to sculpt.",
					   scene->channels[channel].name);
}

bool snw_is_editing_shape(const snw_session *session, uint32_t mesh) {
	const snw_scene *scene = session->document->scene;
	const uint32_t channel = session->state.shape - 1;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	return session->state.shape > 0 && channel < scene->channel_count && pose && session->state.clip == SNW_NONE &&
		   snw_pose_is_unnamed(pose->name) && snw_mesh_shape(&scene->meshes[mesh], channel) != SNW_NONE &&
		   pose->channels[channel] > 0.05 && snw_pose_has_joints_at_rest(scene, pose);
}

typedef struct shape_request {
	uint32_t mesh, channel, stroke;
	snw_pose *pose;
	const double *points;
} shape_request;

static snw_status put_stroke(snw_job_context *context, void *data, snw_error *error) {
	const shape_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_arena *scratch = snw_arena_create();
	double *shown, *original;
	snw_status status = snw_sculpt_points(scene, context->registry, request->mesh, request->pose, SNW_NONE,
										  snw_reference_layer(scene, context->registry), scratch, &shown, &original, error);
	status = snw_failed(status)
				 ? status
				 : snw_project_put_shape_sculpt(context->project, scene, request->mesh, request->channel,
												request->pose->channels[request->channel], request->points, shown, NULL, error);
	snw_arena_destroy(scratch);
	return status;
}

static snw_status commit_stroke(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_stroke, request, error);
}

static void settle_stroke(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	snw_sculpting_settle(&session->sculpting, SNW_BRUSH_POINTS, ((shape_request *)data)->stroke);
}

static void finish_stroke(void *owner, const snw_job *job, void *data) {
	settle_stroke(owner, job, data);
	snw_sculpting_follow(owner, false);
}

void snw_store_shape(snw_session *session, uint32_t mesh, const double *points, uint32_t stroke) {
	const snw_scene *scene = session->document->scene;
	snw_job *job = snw_job_create("shape", sizeof(shape_request));
	shape_request *request = job->request;
	request->mesh = mesh;
	request->channel = session->state.shape - 1;
	request->stroke = stroke;
	request->pose = snw_pose_copy(scene, snw_display_pose(&session->display, &session->state), job->arena);
	request->points = snw_arena_copy(job->arena, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double));
	job->label = snw_arena_format(job->arena, "sculpt morph target %s", scene->channels[request->channel].name);
	job->run = commit_stroke;
	job->done = finish_stroke;
	job->failed = settle_stroke;
	snw_session_send(session, job);
}
