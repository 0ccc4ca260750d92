/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Corrective groups: their joints, their order and their falloffs. Their members are examples, whose operators put them in.
 */
#include "example/groups.h"

#include <string.h>

#include "example/new_examples.h"
#include "operators/arguments.h"
#include "operators/nouns.h"

#define GROUP                                                                                                                  \
	{                                                                                                                          \
		"group", SNW_ARGUMENT_THING, "GROUP", "the group",                                                                     \
			.flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_GROUP                     \
	}
#define JOINTS                                                                                                                 \
	{                                                                                                                          \
		"joints", SNW_ARGUMENT_THING, "A,B", "the joints that drive it (default: chosen by the method)",                       \
			.flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_JOINT                                                                 \
	}

static const snw_argument add_group_arguments[] = {
	{"name", SNW_ARGUMENT_TEXT, "GROUP", "its name (default: the next free one)", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEW,
	 .noun = SNW_NOUN_GROUP},
	JOINTS,
	{0},
};
static const snw_argument name_group_arguments[] = {
	GROUP,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument joints_arguments[] = {
	GROUP,
	JOINTS,
	{"toggle", SNW_ARGUMENT_THING, "JOINT", "a joint that is added to those that drive it, or removed", .noun = SNW_NOUN_JOINT,
	 .not_with = "joints"},
	{0},
};
static const snw_argument move_group_arguments[] = {
	GROUP,
	SNW_PLACE_ARGUMENTS("the first to act"),
	{0},
};
static const snw_argument falloff_arguments[] = {
	GROUP,
	{"falloff", SNW_ARGUMENT_TEXT, "FALLOFF", "the falloff that it gets", .flags = SNW_ARGUMENT_BARE, .not_with = "save"},
	{"save", SNW_ARGUMENT_TEXT, "NAME", "keep the one that it has under a name, for all your projects",
	 .flags = SNW_ARGUMENT_LASTS},
	{0},
};
static const snw_argument combine_arguments[] = {
	GROUP,
	{"other", SNW_ARGUMENT_THING, "OTHER", "the other group", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_GROUP},
	{"name", SNW_ARGUMENT_TEXT, "NAME", "name of the new group, its example and pose (default: GROUP+OTHER)", .flags = 0},
	{0},
};
static const snw_argument remove_group_arguments[] = {GROUP, {0}};

static const snw_group *group_of(const snw_operation *o) {
	return &o->scene->groups[snw_operation_thing(o, "group")];
}

static snw_status add_group(snw_operation *o, snw_error *error) {
	snw_group group = {.name = snw_operation_text(o, "name")};
	const snw_status status = snw_noun_expect_free(o->scene, SNW_NOUN_GROUP, group.name, error);
	group.joints = snw_operation_things(o, "joints", &group.joint_count);
	snw_report_made(o->report, SNW_NOUN_GROUP, group.name);
	return snw_failed(status) ? status : snw_project_put_group_of(o->project, o->scene, &group, NULL, error);
}

static snw_status rename_group(snw_operation *o, snw_error *error) {
	const char *name = snw_operation_text(o, "new");
	const bool is_same = strcmp(name, group_of(o)->name) == 0;
	const snw_status status = is_same ? SNW_OK : snw_noun_expect_free(o->scene, SNW_NOUN_GROUP, name, error);
	snw_report_changed(o->report, SNW_NOUN_GROUP, name);
	return snw_failed(status)
			   ? status
			   : snw_project_rename_group(o->project, o->scene, o->in->registry, snw_operation_thing(o, "group"), name, error);
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* The joints of a group with one more, or without it. */
static const uint32_t *toggled(const snw_group *group, uint32_t joint, uint32_t *count, snw_arena *arena) {
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, (size_t)group->joint_count + 1);
	*count = 0;
	for (uint32_t i = 0; i < group->joint_count; i++) {
		if (group->joints[i] != joint) {
			joints[(*count)++] = group->joints[i];
		}
	}
	if (*count == group->joint_count) {
		joints[(*count)++] = joint;
	}
	return joints;
}

/* Who chooses what drives a group has chosen it for its examples; a choice of the method may change with them. */
static snw_status set_joints(snw_operation *o, snw_error *error) {
	snw_group group = *group_of(o);
	group.joints = snw_operation_has(o, "toggle")
					   ? toggled(group_of(o), snw_operation_thing(o, "toggle"), &group.joint_count, o->arena)
					   : snw_operation_things(o, "joints", &group.joint_count);
	snw_report_changed(o->report, SNW_NOUN_GROUP, group.name);
	const snw_status status = snw_project_put_group_of(o->project, o->scene, &group, NULL, error);
	return snw_failed(status) || group.joint_count == 0 ? status
														: snw_project_keep_drivers(o->project, o->scene, &group, error);
}

/* ---- order --------------------------------------------------------------------------------------------------------------- */

static snw_status move_group(snw_operation *o, snw_error *error) {
	const uint32_t group = snw_operation_thing(o, "group");
	uint32_t place;
	const snw_status status = snw_operation_place(o, group, o->scene->group_count, &place, error);
	snw_report_changed(o->report, SNW_NOUN_GROUP, group_of(o)->name);
	return snw_failed(status) ? status : snw_project_move_group(o->project, o->scene, group, place, error);
}

/* ---- falloffs ------------------------------------------------------------------------------------------------------------ */

static snw_status save_falloff(const snw_operation *o, const char *name, const char *settings, snw_error *error) {
	const char *path = snw_group_falloffs_path(o->arena);
	if (!path) {
		return snw_fail(error, SNW_ERROR_IO, "there is no folder for falloffs; set HOME or XDG_CONFIG_HOME");
	}
	snw_report_say(o->report, "falloff %s is saved for all your projects", name);
	return snw_group_falloff_save(path, snw_group_falloffs_of_method(o->scene, o->in->registry), name, settings, error);
}

static snw_status falloff(snw_operation *o, snw_error *error) {
	const snw_registry *registry = o->in->registry;
	const uint32_t group = snw_operation_thing(o, "group");
	const char *name = snw_operation_text(o, "falloff"), *save = snw_operation_text(o, "save"), *names = "";
	const char *settings = snw_group_falloff_of(o->scene, registry, group, o->arena);
	if (!name && !save) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"group '%s' needs either a falloff or --save NAME; 'group falloffs' lists the falloffs",
						group_of(o)->name);
	}
	if (!settings) {
		return snw_fail(error, SNW_ERROR_MISSING, "no layer learns from sculpts with a falloff for each group; fit one first");
	}
	if (save) {
		return save_falloff(o, save, settings, error);
	}
	snw_report_changed(o->report, SNW_NOUN_GROUP, group_of(o)->name);
	uint32_t count;
	const snw_group_falloff *falloffs = snw_group_falloffs_list(snw_group_falloffs_of_method(o->scene, registry),
																snw_group_falloffs_path(o->arena), o->arena, &count);
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(falloffs[i].name, name) == 0) {
			return snw_project_put_group_falloff(o->project, o->scene, registry, group, &falloffs[i], error);
		}
		names = snw_arena_format(o->arena, "%s%s%s", names, i ? ", " : "", falloffs[i].name);
	}
	return snw_fail(error, SNW_ERROR_MISSING, "no falloff is named '%s'; there are: %s", name, names);
}

/* ---- combinations and removal -------------------------------------------------------------------------------------------- */

/* A group over both groups' joints, with an example in which both act. */
static snw_status combine(snw_operation *o, snw_error *error) {
	const uint32_t groups[] = {snw_operation_thing(o, "group"), snw_operation_thing(o, "other")};
	snw_new_example made;
	const snw_status status = snw_project_put_combination(o->project, o->scene, o->in->registry, groups, NULL,
														  snw_operation_text(o, "name"), o->arena, &made, error);
	if (!snw_failed(status)) {
		snw_report_made(o->report, SNW_NOUN_POSE, made.pose);
		snw_report_made(o->report, SNW_NOUN_EXAMPLE, made.name);
		snw_report_made(o->report, SNW_NOUN_GROUP, made.group);
		snw_report_say(o->report, "example %s, in the pose of that name, starts as the skin is there; sculpt it", made.name);
	}
	return status;
}

/* "elbow, wrist": the examples that are in this group and in no other; returns how many. */
static uint32_t list_left(const snw_scene *scene, uint32_t group, const char **names, snw_arena *arena) {
	uint32_t count = 0;
	*names = "";
	for (uint32_t i = 0; i < scene->groups[group].member_count && scene->group_count > 1; i++) {
		const uint32_t example = scene->groups[group].members[i].example;
		bool is_elsewhere = false;
		for (uint32_t g = 0; g < scene->group_count; g++) {
			is_elsewhere = is_elsewhere || (g != group && snw_group_member(&scene->groups[g], example) != SNW_NONE);
		}
		if (!is_elsewhere) {
			*names = snw_arena_format(arena, "%s%s%s", *names, count++ > 0 ? ", " : "", scene->examples[example].name);
		}
	}
	return count;
}

static snw_status remove_group(snw_operation *o, snw_error *error) {
	const uint32_t group = snw_operation_thing(o, "group");
	const char *names;
	const uint32_t count = list_left(o->scene, group, &names, o->arena);
	snw_report_removed(o->report, SNW_NOUN_GROUP, group_of(o)->name);
	if (count > 0) {
		snw_report_warn(o->report, "%s %s in no group now and %s no effect; put %s into a group, or undo", names,
						count > 1 ? "are" : "is", count > 1 ? "have" : "has", count > 1 ? "them" : "it");
	}
	return snw_project_drop_group(o->project, o->scene, o->in->registry, group, error);
}

static const snw_operator group_operators[] = {
	{"add", "Add group", "Creates a group: examples that the same joints drive and that are interpolated together.",
	 "add group", CHANGES, add_group_arguments, add_group},
	{"name", "Rename group", "Renames a group, also in the settings for it alone.", "rename group", CHANGES,
	 name_group_arguments, rename_group},
	{"joints", "Joints of group",
	 "Sets the joints that drive a group, or adds or removes one. Without any, the method chooses those that rotate in its "
	 "examples and move the sculpted points.",
	 "change joints of", CHANGES, joints_arguments, set_joints},
	{"move", "Move group", "Groups act one after another; each adds what those before it leave.", "move group", CHANGES,
	 move_group_arguments, move_group},
	{"falloff", "Falloff of group", "Gives a group a falloff by its name, or keeps the one that it has under a name.",
	 "change falloff of", CHANGES, falloff_arguments, falloff},
	{"combine", "Combine groups",
	 "Creates a group driven by the joints of two groups, for a shape that neither gives alone, with an example in which both "
	 "act.",
	 "combine groups $1 and", CHANGES, combine_arguments, combine},
	{"remove", "Delete group", "Deletes a group and the settings for it alone, but not its examples.", "delete group", CHANGES,
	 remove_group_arguments, remove_group},
	{0},
};

const snw_operator_noun snw_operators_group = {
	"group",
	"Lists and changes corrective groups: examples that are interpolated together. 'example join' adds one to a group.",
	group_operators};
