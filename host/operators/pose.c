/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses. In the window 'add' stores the pose that is shown, and 'set' changes it.
 */
#include "pose/pose.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "example/mirror.h"
#include "operators/arguments.h"
#include "operators/nouns.h"
#include "pose/joint_limits.h"
#include "pose/mirror_joints.h"
#include "sculpt/symmetry_plane.h"

#define POSE                                                                                                                   \
	{                                                                                                                          \
		"pose", SNW_ARGUMENT_THING, "POSE", "the pose",                                                                        \
			.flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_POSE                      \
	}
#define FROM(initial)                                                                                                          \
	{ "from", SNW_ARGUMENT_TEXT, "POSE", "start from a pose: NAME, or CLIP:SECONDS (default: " initial ")", .flags = 0 }
#define CHANGES                                                                                                                \
	{"reset",                                                                                                                  \
	 SNW_ARGUMENT_THING,                                                                                                       \
	 "JOINT",                                                                                                                  \
	 "return a joint to rest, before the other changes",                                                                       \
	 .flags = SNW_ARGUMENT_MANY,                                                                                               \
	 .noun = SNW_NOUN_JOINT},                                                                                                  \
		{"rotate",                                                                                                             \
		 SNW_ARGUMENT_THING_PLACE,                                                                                             \
		 "JOINT=X,Y,Z",                                                                                                        \
		 "rotate a joint away from rest, by a rotation vector in radians",                                                     \
		 .flags = SNW_ARGUMENT_MANY,                                                                                           \
		 .noun = SNW_NOUN_JOINT},                                                                                              \
		{"move",                                                                                                               \
		 SNW_ARGUMENT_THING_PLACE,                                                                                             \
		 "JOINT=X,Y,Z",                                                                                                        \
		 "move a joint away from rest along its parent's axes, in metres, where it may",                                       \
		 .flags = SNW_ARGUMENT_MANY,                                                                                           \
		 .noun = SNW_NOUN_JOINT},                                                                                              \
		{"shape",                                                                                                              \
		 SNW_ARGUMENT_THING_NUMBER,                                                                                            \
		 "NAME=WEIGHT",                                                                                                        \
		 "the weight of a blend shape, such as smile=0.5",                                                                     \
		 .flags = SNW_ARGUMENT_MANY,                                                                                           \
		 .noun = SNW_NOUN_SHAPE,                                                                                               \
		 .least = -1e6,                                                                                                        \
		 .most = 1e6},                                                                                                         \
		SNW_SWITCH_ARGUMENT("mirror", "swap left and right, after the other changes")

static const snw_argument add_arguments[] = {
	{"name", SNW_ARGUMENT_TEXT, "NAME", "its name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED, .noun = SNW_NOUN_POSE},
	{"file", SNW_ARGUMENT_FILE, "POSE.json",
	 "{\"local_rotations_xyzw\": {\"JOINT\": [x, y, z, w]}}: rotations after the rest rotation", .flags = 0},
	FROM("rest"),
	SNW_SWITCH_ARGUMENT("replace", "replace the pose of this name, if there is one"),
	CHANGES,
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument set_arguments[] = {POSE, FROM("as it is"), CHANGES, {0}};
static const snw_argument name_arguments[] = {
	POSE,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument mirror_arguments[] = {
	POSE,
	{"name", SNW_ARGUMENT_TEXT, "NEW", "name of the new pose (default: the old name with its sides exchanged)", .flags = 0},
	SNW_PLANE_ARGUMENTS,
	{0},
};
static const snw_argument remove_arguments[] = {POSE, {0}};

/* ---- changes ------------------------------------------------------------------------------------------------------------- */

static void rotate_joint(const snw_operation *o, const snw_argument_value *given, snw_pose *pose) {
	if (snw_pose_rotate_joint(o->scene, pose, given->index, given->place)) {
		snw_report_warn(o->report, "joint %s is rotated to its limit of %.4g degrees; 'joint limit' changes it",
						o->scene->skeleton.names[given->index], snw_joint_limit(o->scene, given->index) * 180 / M_PI);
	}
}

static snw_status move_joint(const snw_operation *o, const snw_argument_value *given, snw_pose *pose, snw_error *error) {
	const uint32_t joint = given->index;
	if (!snw_joint_moves(o->scene, joint)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "joint '%s' only rotates; 'joint moves %s on' lets it move",
						o->scene->skeleton.names[joint], o->scene->skeleton.names[joint]);
	}
	for (size_t c = 0; c < 3; c++) {
		pose->local[joint].translation[c] = o->scene->skeleton.rest_local[joint].translation[c] + given->place[c];
	}
	return SNW_OK;
}

/* Left and right swapped; joints without a partner stay at rest. */
static snw_status swap_sides(const snw_operation *o, snw_pose **pose, snw_error *error) {
	const snw_mirror_plane plane = snw_character_plane(o->scene);
	snw_mirror_joints joints;
	snw_mirror_joints_find(o->scene, &plane, 0, o->arena, &joints);
	if (joints.pair_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "no joint has a mirrored counterpart; 'joint name' gives one its name");
	}
	*pose = snw_mirror_pose(o->scene, &joints, *pose, o->arena);
	return SNW_OK;
}

static void reset_joint(const snw_operation *o, const snw_argument_value *given, snw_pose *pose) {
	pose->local[given->index] = o->scene->skeleton.rest_local[given->index];
	memset(&pose->rotation_vectors[(size_t)3 * given->index], 0, 3 * sizeof(double));
}

/* A pose that changes is no longer the moment of a clip. */
static snw_status change(const snw_operation *o, snw_pose **changed, snw_error *error) {
	const snw_argument_values *resets = snw_operation_values(o, "reset"), *rotations = snw_operation_values(o, "rotate"),
							  *moves = snw_operation_values(o, "move"), *shapes = snw_operation_values(o, "shape");
	const bool mirrors = snw_operation_has(o, "mirror");
	snw_pose *pose = *changed;
	snw_status status = SNW_OK;
	pose->clip = resets->count + rotations->count + moves->count + shapes->count + mirrors > 0 ? 0 : pose->clip;
	for (uint32_t i = 0; i < resets->count; i++) {
		reset_joint(o, &resets->at[i], pose);
	}
	for (uint32_t i = 0; i < rotations->count; i++) {
		rotate_joint(o, &rotations->at[i], pose);
	}
	for (uint32_t i = 0; i < moves->count && !snw_failed(status); i++) {
		status = move_joint(o, &moves->at[i], pose, error);
	}
	for (uint32_t i = 0; i < shapes->count; i++) {
		pose->channels[shapes->at[i].index] = shapes->at[i].number;
	}
	return snw_failed(status) || !mirrors ? status : swap_sides(o, changed, error);
}

/* The rest is the bind. Joints that a clip does not animate are in the default pose, so changing that would change every
 * clip. */
static snw_status refuse_fixed(const char *name, uint32_t index, snw_error *error) {
	if (index == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"%s: the rest pose is the bind pose and cannot be changed; add a pose with another name", name);
	}
	return strcmp(name, "default") != 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT,
						  "default: this is the pose that came with the file, and clips start from it; choose another name");
}

static const snw_pose *pose_of(const snw_operation *o) {
	return &o->scene->poses[snw_operation_thing(o, "pose")];
}

/* As a row of the project: 0 for a new one. */
static snw_status put(const snw_operation *o, snw_pose *pose, const char *name, int64_t id, snw_error *error) {
	pose->name = name;
	pose->id = id;
	return snw_project_put_pose(o->project, pose, &id, error);
}

/* ---- operators ----------------------------------------------------------------------------------------------------------- */

static snw_status read_pose(const snw_operation *o, snw_pose **pose, snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(o);
	return snw_worker_read_pose(o->scene, snw_operation_text(o, "file"), &limits, o->in->task, o->arena, pose, error);
}

/* The pose that a new one begins with. */
static snw_status first_pose(const snw_operation *o, snw_pose **pose, snw_error *error) {
	const char *from = snw_operation_text(o, "from");
	if (snw_operation_has(o, "file")) {
		return from ? snw_fail(error, SNW_ERROR_ARGUMENT, "--file and --from exclude each other; give one")
					: read_pose(o, pose, error);
	}
	return snw_pose_resolve(o->scene, from ? from : "rest", o->arena, pose, error);
}

static snw_status refuse_sculpted(const snw_operation *o, uint32_t pose, snw_error *error) {
	for (uint32_t i = 0; i < o->scene->example_count; i++) {
		if (o->scene->examples[i].pose == pose) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "example '%s' was sculpted in pose '%s'; remove that example first",
							o->scene->examples[i].name, o->scene->poses[pose].name);
		}
	}
	return SNW_OK;
}

static snw_status add(snw_operation *o, snw_error *error) {
	const char *name = snw_operation_text(o, "name");
	const uint32_t old = snw_operation_has(o, "replace") ? snw_scene_find_pose(o->scene, name) : SNW_NONE;
	snw_pose *pose = NULL;
	snw_status status = refuse_fixed(name, old, error);
	status = snw_failed(status) ? status : refuse_sculpted(o, old, error);
	status = snw_failed(status) || old != SNW_NONE ? status : snw_noun_expect_free(o->scene, SNW_NOUN_POSE, name, error);
	status = snw_failed(status) ? status : first_pose(o, &pose, error);
	status = snw_failed(status) ? status : change(o, &pose, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_made(o->report, SNW_NOUN_POSE, name);
	return put(o, pose, name, old == SNW_NONE ? 0 : o->scene->poses[old].id, error);
}

static snw_status set(snw_operation *o, snw_error *error) {
	const snw_pose *old = pose_of(o);
	const uint32_t index = snw_operation_thing(o, "pose");
	const char *from = snw_operation_text(o, "from");
	snw_pose *pose = NULL;
	snw_status status = refuse_fixed(old->name, index, error);
	status = snw_failed(status) ? status : snw_pose_resolve(o->scene, from ? from : old->name, o->arena, &pose, error);
	status = snw_failed(status) ? status : change(o, &pose, error);
	if (snw_failed(status)) {
		return status;
	}
	o->is_unread = true;
	for (uint32_t i = 0; i < o->scene->example_count; i++) {
		if (o->scene->examples[i].pose == index) {
			o->is_unread = false;
			snw_report_warn(
				o->report, "example %s was sculpted in this pose and is now a sculpt of the changed pose; undo takes that back",
				o->scene->examples[i].name);
		}
	}
	snw_report_changed(o->report, SNW_NOUN_POSE, old->name);
	return put(o, pose, old->name, old->id, error);
}

static snw_status rename_pose(snw_operation *o, snw_error *error) {
	const snw_pose *old = pose_of(o);
	const char *name = snw_operation_text(o, "new");
	const bool is_same = strcmp(name, old->name) == 0;
	snw_status status = refuse_fixed(old->name, snw_operation_thing(o, "pose"), error);
	status = snw_failed(status) || is_same ? status : snw_noun_expect_free(o->scene, SNW_NOUN_POSE, name, error);
	snw_report_changed(o->report, SNW_NOUN_POSE, name);
	return snw_failed(status) ? status : put(o, snw_pose_copy(o->scene, old, o->arena), name, old->id, error);
}

static const char *joint_name(const snw_scene *scene, uint32_t joint) {
	return joint == SNW_NONE ? "none" : scene->skeleton.names[joint];
}

/* The new pose may replace one of its name. */
static snw_status mirror(snw_operation *o, snw_error *error) {
	const snw_mirror_plane plane = snw_operation_plane(o, snw_character_plane(o->scene));
	snw_mirrored mirrored;
	const snw_status status = snw_project_put_mirrored_pose(o->project, o->scene, &plane, snw_operation_thing(o, "pose"),
															snw_operation_text(o, "name"), o->arena, &mirrored, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_mirror_joints *joints = &mirrored.joints;
	snw_report_made(o->report, SNW_NOUN_POSE, mirrored.name);
	snw_report_say(o->report, "pose %s is %s mirrored", mirrored.name, pose_of(o)->name);
	snw_report_say(o->report, "%u pair%s of joints (%u by name), %u in the middle; the largest mismatch at rest is %.3g m (%s)",
				   joints->pair_count, snw_plural(joints->pair_count), joints->named_count, joints->middle_count,
				   joints->largest_mismatch, joint_name(o->scene, joints->worst_joint));
	if (joints->unpaired_count > 0) {
		snw_report_say(o->report, "%u joint%s without a partner stay at rest", joints->unpaired_count,
					   snw_plural(joints->unpaired_count));
	}
	snw_report_number(o->report, "pairs", joints->pair_count);
	snw_report_number(o->report, "by_name", joints->named_count);
	snw_report_number(o->report, "middle", joints->middle_count);
	snw_report_number(o->report, "unpaired", joints->unpaired_count);
	snw_report_number(o->report, "largest_mismatch", joints->largest_mismatch);
	return status;
}

static snw_status remove_pose(snw_operation *o, snw_error *error) {
	const snw_pose *pose = pose_of(o);
	const uint32_t index = snw_operation_thing(o, "pose");
	snw_status status = refuse_fixed(pose->name, index, error);
	status = snw_failed(status) ? status : refuse_sculpted(o, index, error);
	snw_report_removed(o->report, SNW_NOUN_POSE, pose->name);
	return snw_failed(status) ? status : snw_project_remove(o->project, SNW_PROJECT_POSE, pose->id, error);
}

/* Layers can only become stale if an existing pose changes. */
static const snw_operator operators[] = {
	{"add", "Add pose", "Stores a pose under a name: in the window the one that is shown.", "add pose", SNW_OPERATOR_SHOWN,
	 add_arguments, add},
	{"set", "Change pose", "Rotates, moves and resets joints of a pose, sets its blend shapes, and mirrors it.", "change pose",
	 SNW_OPERATOR_SHOWN | SNW_OPERATOR_REFITS | SNW_OPERATOR_CHOOSES, set_arguments, set},
	{"name", "Rename pose", "Renames a pose.", "rename pose", 0, name_arguments, rename_pose},
	{"mirror", "Mirror pose", "Adds the mirror image of a pose.", "mirror pose", SNW_OPERATOR_REFITS, mirror_arguments, mirror},
	{"remove", "Delete pose", "Deletes a pose.", "delete pose", 0, remove_arguments, remove_pose},
	{0},
};

const snw_operator_noun snw_operators_pose = {
	"pose", "Lists, adds, changes, mirrors, renames and removes poses, and suggests which to sculpt next.", operators};
