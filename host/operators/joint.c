/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints of the skeleton, at rest, and what they may do in poses.
 */
#include "edit/joints/edit_joints.h"

#include <math.h>

#include "base/plural.h"
#include "edit/joints/joint_values.h"
#include "operators/arguments.h"
#include "operators/nouns.h"

#define JOINT                                                                                                                  \
	{                                                                                                                          \
		"joint", SNW_ARGUMENT_THING, "JOINT", "the joint",                                                                     \
			.flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_JOINT                     \
	}
#define AT                                                                                                                     \
	{ "at", SNW_ARGUMENT_PLACE, "X,Y,Z", "a place at rest, in metres", .flags = SNW_ARGUMENT_NEEDED }

static const snw_argument add_arguments[] = {
	{"name", SNW_ARGUMENT_TEXT, "NAME", "its name (default: the next free one)", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEW,
	 .noun = SNW_NOUN_JOINT},
	AT,
	{"parent", SNW_ARGUMENT_THING, "JOINT", "the joint above it (default: none, a root)", .flags = SNW_ARGUMENT_CHOSEN,
	 .noun = SNW_NOUN_JOINT},
	{0},
};
static const snw_argument move_arguments[] = {JOINT, AT, {0}};
static const snw_argument parent_arguments[] = {
	JOINT,
	{"parent", SNW_ARGUMENT_THING, "PARENT", "the joint above it", .flags = SNW_ARGUMENT_BARE, .noun = SNW_NOUN_JOINT},
	SNW_SWITCH_ARGUMENT("root", "no joint above it"),
	{0},
};
static const snw_argument name_arguments[] = {
	JOINT,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument limit_arguments[] = {
	JOINT,
	{"degrees", SNW_ARGUMENT_NUMBER, "DEGREES", "the largest rotation away from rest; 0: no limit",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED, .least = 0, .most = 3600},
	{0},
};
static const snw_argument moves_arguments[] = {
	JOINT,
	{"moves", SNW_ARGUMENT_CHOICE, "toggle|on|off", "whether it may be moved as well as rotated", .flags = SNW_ARGUMENT_BARE,
	 .choices = "toggle|on|off"},
	{0},
};
static const snw_argument remove_arguments[] = {JOINT, SNW_LOCK_ARGUMENT, {0}};

static const char *name_of(const snw_operation *o, uint32_t joint) {
	return o->scene->skeleton.names[joint];
}

static snw_status add(snw_operation *o, snw_error *error) {
	const char *name = snw_operation_text(o, "name");
	const uint32_t parent = snw_operation_thing(o, "parent");
	snw_report_made(o->report, SNW_NOUN_JOINT, name);
	snw_report_say(o->report, "joint %s is %s%s", name, parent == SNW_NONE ? "a root" : "below ",
				   parent == SNW_NONE ? "" : name_of(o, parent));
	return snw_project_add_joint(o->project, o->scene, name, parent, snw_operation_values(o, "at")->at[0].place, error);
}

static snw_status move(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint");
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of(o, joint));
	return snw_project_move_joint(o->project, o->scene, joint, snw_operation_values(o, "at")->at[0].place, error);
}

static snw_status set_parent(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint");
	if (snw_operation_has(o, "parent") == snw_operation_has(o, "root")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "joint '%s' needs either a parent or --root", name_of(o, joint));
	}
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of(o, joint));
	return snw_project_parent_joint(o->project, o->scene, joint, snw_operation_thing(o, "parent"), error);
}

static snw_status rename_joint(snw_operation *o, snw_error *error) {
	const char *name = snw_operation_text(o, "new");
	snw_report_changed(o->report, SNW_NOUN_JOINT, name);
	return snw_project_rename_joint(o->project, o->scene, o->in->registry, snw_operation_thing(o, "joint"), name, error);
}

static snw_status limit(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint");
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of(o, joint));
	return snw_project_put_joint_value(o->project, o->scene, SNW_JOINT_LIMITS, joint,
									   snw_operation_number(o, "degrees") * M_PI / 180, error);
}

static snw_status set_moves(snw_operation *o, snw_error *error) {
	enum { TOGGLE, ON };
	const uint32_t joint = snw_operation_thing(o, "joint"), wished = snw_operation_count(o, "moves");
	const bool moves = wished == TOGGLE ? !(snw_joint_value(o->scene, SNW_JOINT_MOVES, joint) > 0) : wished == ON;
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of(o, joint));
	snw_report_say(o->report, "joint %s %s", name_of(o, joint), moves ? "may move as well as rotate" : "only rotates");
	return snw_project_put_joint_value(o->project, o->scene, SNW_JOINT_MOVES, joint, moves, error);
}

static bool has_weights(const snw_scene *scene, uint32_t joint) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t k = 0; k < count; k++) {
			if (mesh->influence_weights[k] != 0 && scene->slot_joints[mesh->influence_slots[k]] == joint) {
				return true;
			}
		}
	}
	return false;
}

/* A joint's weights go to its parent: neither may be locked. */
static snw_status expect_unlocked(const snw_operation *o, uint32_t joint, snw_error *error) {
	const snw_argument_values *locked = snw_operation_values(o, "lock");
	for (uint32_t k = 0; k < locked->count; k++) {
		const uint32_t holder = locked->at[k].index;
		if ((holder == joint || holder == o->scene->skeleton.parents[joint]) && has_weights(o->scene, joint)) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "the weights of joint '%s' are locked; unlock them to delete '%s'",
							name_of(o, holder), name_of(o, joint));
		}
	}
	return SNW_OK;
}

static snw_status remove_joint(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint"), parent = o->scene->skeleton.parents[joint];
	snw_joint_removal removal;
	snw_status status = expect_unlocked(o, joint, error);
	status =
		snw_failed(status) ? status : snw_project_remove_joint(o->project, o->scene, o->in->registry, joint, &removal, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_removed(o->report, SNW_NOUN_JOINT, name_of(o, joint));
	if (parent != SNW_NONE) {
		snw_report_changed(o->report, SNW_NOUN_JOINT, name_of(o, parent));
	}
	if (removal.point_count > 0) {
		snw_report_say(o->report, "the weights of %s at %u point%s are now those of %s", name_of(o, joint), removal.point_count,
					   snw_plural(removal.point_count), name_of(o, parent));
	}
	if (removal.clip_count > 0) {
		snw_report_say(o->report, "its keys in %u clip%s are removed", removal.clip_count, snw_plural(removal.clip_count));
	}
	snw_report_number(o->report, "points", removal.point_count);
	snw_report_number(o->report, "clips", removal.clip_count);
	return status;
}

enum { CHANGES = SNW_OPERATOR_REFITS | SNW_OPERATOR_PLUGINS };

static const snw_operator operators[] = {
	{"add", "Add joint", "Adds a joint at rest. It moves no points until it has weights.", "add joint", CHANGES, add_arguments,
	 add},
	{"move", "Move joint", "Moves a joint at rest. Those below it stay.", "move joint", CHANGES, move_arguments, move},
	{"parent", "Parent joint", "Puts a joint below another one, or makes it a root; it stays in place.", "parent joint",
	 CHANGES, parent_arguments, set_parent},
	{"name", "Rename joint", "Renames a joint, also in clips, groups and settings.", "rename joint", CHANGES, name_arguments,
	 rename_joint},
	{"limit", "Limit joint", "Sets the largest rotation away from rest.", "limit joint", CHANGES, limit_arguments, limit},
	{"moves", "Joint may move", "Lets a joint be moved as well as rotated in poses, or only rotated. Roots may always move.",
	 "change joint", CHANGES, moves_arguments, set_moves},
	{"remove", "Delete joint", "Deletes a joint. Its parent takes over its weights and what is below it; its keys are removed.",
	 "delete joint", CHANGES, remove_arguments, remove_joint},
	{0},
};

const snw_operator_noun snw_operators_joint = {
	"joint",
	"Lists, adds, moves, parents, renames and removes the joints of the skeleton, at rest; and sets what they may do in poses.",
	operators};
