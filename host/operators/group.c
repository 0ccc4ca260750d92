/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/groups.h"

#include <string.h>

#include "example/examples.h"
#include "fit/samples.h"
#include "operators/arguments.h"
#include "pose/pose.h"

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* Corrective groups: their joints, their order and their falloffs. Their members are examples, whose operators put them in. */

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

/* ---- membership ---------------------------------------------------------------------------------------------------------- */

/* Examples in groups: which they are in, under which masks, in which order, and by which joint they are driven. */

/* The group that an argument gives, or the only one that the example is in; and its place there. */
static snw_status find_membership(const snw_operation *o, const char *argument, const snw_group **group, uint32_t *at,
								  snw_error *error) {
	const uint32_t example = snw_operation_thing(o, "example"), given = snw_operation_thing(o, argument);
	const char *names = "", *name = snw_example_given(o)->name;
	uint32_t count = 0;
	for (uint32_t g = 0; g < o->scene->group_count; g++) {
		const uint32_t member = snw_group_member(&o->scene->groups[g], example);
		if (member != SNW_NONE && (given == SNW_NONE || g == given)) {
			*group = &o->scene->groups[g];
			*at = member;
			names = snw_arena_format(o->arena, "%s%s%s", names, count++ > 0 ? ", " : "", (*group)->name);
		}
	}
	if (count == 0 && given != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "example '%s' is not in group '%s'; 'example join' adds it", name,
						o->scene->groups[given].name);
	}
	if (count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "example '%s' is in no group; 'example join' adds it to one", name);
	}
	return count == 1 ? SNW_OK
					  : snw_fail(error, SNW_ERROR_ARGUMENT, "example '%s' is in several groups; choose one with --%s: %s", name,
								 argument, names);
}

static int64_t mask_id(const snw_scene *scene, const snw_member *member) {
	return member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
}

snw_status snw_example_put_member(const snw_operation *o, const snw_group *group, uint32_t example, int64_t id, uint32_t place,
								  int64_t mask, snw_error *error) {
	int64_t *examples = SNW_NEW_ARRAY(o->arena, int64_t, (size_t)group->member_count + 1);
	int64_t *masks = SNW_NEW_ARRAY(o->arena, int64_t, (size_t)group->member_count + 1);
	snw_group changed = *group;
	changed.member_count = 0;
	for (uint32_t i = 0; i <= group->member_count; i++) {
		if (changed.member_count == place) {
			examples[changed.member_count] = id;
			masks[changed.member_count++] = mask;
		}
		if (i < group->member_count && group->members[i].example != example) {
			examples[changed.member_count] = o->scene->examples[group->members[i].example].id;
			masks[changed.member_count++] = mask_id(o->scene, &group->members[i]);
		}
	}
	return snw_project_put_group(o->project, &changed, examples, masks, NULL, error);
}

static snw_status put_membership(const snw_operation *o, const snw_group *group, uint32_t place, int64_t mask,
								 snw_error *error) {
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, snw_example_given(o)->name);
	snw_report_changed(o->report, SNW_NOUN_GROUP, group->name);
	return snw_example_put_member(o, group, snw_operation_thing(o, "example"), snw_example_given(o)->id, place, mask, error);
}

/* The field of the mask that is given; 0 for none. */
static snw_status store_mask(const snw_operation *o, int64_t *mask, snw_error *error) {
	const char *text = snw_operation_text(o, "mask");
	*mask = 0;
	return text ? snw_mask_store(o->project, o->scene, snw_example_given(o)->mesh, text, o->arena, mask, error) : SNW_OK;
}

/* The example joins a group; what drives it then is what the user has chosen. */
static snw_status add_member(const snw_operation *o, const snw_group *group, int64_t mask, snw_error *error) {
	const uint32_t example = snw_operation_thing(o, "example");
	if (snw_group_member(group, example) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "example '%s' is already in group '%s'; 'example mask' changes its mask",
						snw_example_given(o)->name, group->name);
	}
	const snw_status status = put_membership(o, group, group->member_count, mask, error);
	return snw_failed(status) ? status : snw_project_keep_driver(o->project, o->scene, example, error);
}

snw_status snw_example_join(snw_operation *o, snw_error *error) {
	int64_t mask;
	const snw_status status = store_mask(o, &mask, error);
	return snw_failed(status) ? status : add_member(o, &o->scene->groups[snw_operation_thing(o, "group")], mask, error);
}

static snw_status leave_group(const snw_operation *o, const snw_group *group, uint32_t at, snw_error *error) {
	snw_group left = snw_group_copy(o->scene, (uint32_t)(group - o->scene->groups), o->arena);
	snw_group_leave(&left, at);
	return snw_project_put_group_of(o->project, o->scene, &left, NULL, error);
}

/* It keeps its mask. */
snw_status snw_example_move(snw_operation *o, snw_error *error) {
	const snw_group *from;
	uint32_t at;
	snw_status status = find_membership(o, "from", &from, &at, error);
	status = snw_failed(status)
				 ? status
				 : add_member(o, &o->scene->groups[snw_operation_thing(o, "to")], mask_id(o->scene, &from->members[at]), error);
	return snw_failed(status) ? status : leave_group(o, from, at, error);
}

snw_status snw_example_leave(snw_operation *o, snw_error *error) {
	const snw_group *group;
	uint32_t at;
	const snw_status status = find_membership(o, "group", &group, &at, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, snw_example_given(o)->name);
	snw_report_changed(o->report, SNW_NOUN_GROUP, group->name);
	return leave_group(o, group, at, error);
}

snw_status snw_example_mask(snw_operation *o, snw_error *error) {
	const snw_group *group;
	uint32_t at;
	int64_t mask;
	snw_status status = find_membership(o, "group", &group, &at, error);
	status = snw_failed(status) ? status : store_mask(o, &mask, error);
	return snw_failed(status) ? status : put_membership(o, group, at, mask, error);
}

snw_status snw_example_place(snw_operation *o, snw_error *error) {
	const snw_group *group;
	uint32_t at, place;
	snw_status status = find_membership(o, "group", &group, &at, error);
	status = snw_failed(status) ? status : snw_operation_place(o, at, group->member_count, &place, error);
	return snw_failed(status) ? status : put_membership(o, group, place, mask_id(o->scene, &group->members[at]), error);
}

/* ---- the joint that drives it -------------------------------------------------------------------------------------------- */

/* The group that is given if the example is in it, otherwise the first that it is in; SNW_NONE for none. */
static uint32_t find_driven(const snw_operation *o, uint32_t example) {
	const uint32_t given = snw_operation_thing(o, "group");
	uint32_t found = SNW_NONE;
	for (uint32_t g = 0; g < o->scene->group_count; g++) {
		const bool is_in = snw_group_member(&o->scene->groups[g], example) != SNW_NONE;
		found = is_in && (found == SNW_NONE || g == given) ? g : found;
	}
	return found;
}

/* The joint, and the others that could drive the example: they may have to tell it from others of the joint's group. */
static snw_status list_joints(const snw_operation *o, uint32_t example, uint32_t joint, uint32_t **joints, uint32_t *count,
							  snw_error *error) {
	const uint32_t corrective = snw_reference_layer(o->scene, o->in->registry), mesh = o->scene->examples[example].mesh;
	const snw_pose *pose = &o->scene->poses[o->scene->examples[example].pose];
	double *points, *original;
	snw_driver *drivers;
	uint32_t found = 0;
	snw_status status =
		snw_sculpt_points(o->scene, o->in->registry, mesh, pose, example, corrective, o->arena, &points, &original, error);
	const snw_driver_query query = {
		.mesh = mesh, .pose = pose, .points_posed = points, .points_original = original, .corrective = corrective};
	status =
		snw_failed(status) ? status : snw_find_drivers(o->scene, o->in->registry, &query, o->arena, &drivers, &found, error);
	*joints = SNW_NEW_ARRAY(o->arena, uint32_t, (size_t)found + 1);
	*count = 0;
	(*joints)[(*count)++] = joint;
	for (uint32_t i = 0; i < found && !snw_failed(status); i++) {
		if (drivers[i].joint != joint) {
			(*joints)[(*count)++] = drivers[i].joint;
		}
	}
	return status;
}

/* The group of the joint alone, if it tells the example from the group's others; else of the joint and a second one. */
static snw_status choose_group(const snw_operation *o, uint32_t example, uint32_t joint, snw_group_choice *choice,
							   snw_error *error) {
	const uint32_t mesh = o->scene->examples[example].mesh;
	const snw_pose *pose = &o->scene->poses[o->scene->examples[example].pose];
	uint32_t *joints, count;
	*choice = snw_choose_group(o->scene, mesh, pose, example, 1, &joint, o->arena);
	if (choice->twin == SNW_NONE) {
		return SNW_OK;
	}
	const snw_status status = list_joints(o, example, joint, &joints, &count, error);
	if (!snw_failed(status)) {
		*choice = snw_choose_group(o->scene, mesh, pose, example, count, joints, o->arena);
	}
	return status;
}

/* Puts the example into the group that was chosen, under the mask that it has in the group that it leaves. */
static snw_status put_driven(const snw_operation *o, uint32_t example, const snw_group_choice *to, uint32_t from,
							 snw_error *error) {
	const snw_group *left = from == SNW_NONE ? NULL : &o->scene->groups[from];
	snw_group joined = to->group == SNW_NONE
						   ? (snw_group){.name = to->name, .joint_count = to->joint_count, .joints = to->joints}
						   : o->scene->groups[to->group];
	const uint32_t at = left ? snw_group_member(left, example) : SNW_NONE;
	const int64_t mask = at == SNW_NONE ? 0 : mask_id(o->scene, &left->members[at]);
	snw_report_made(o->report, SNW_NOUN_GROUP, joined.name);
	snw_status status = SNW_OK;
	if (snw_group_member(&joined, example) == SNW_NONE) {
		status = snw_example_put_member(o, &joined, example, o->scene->examples[example].id, joined.member_count, mask, error);
	}
	if (snw_failed(status) || !left) {
		return status;
	}
	if (left->member_count > 1) {
		return leave_group(o, left, at, error);
	}
	snw_report_removed(o->report, SNW_NOUN_GROUP, left->name);
	return snw_project_drop_group(o->project, o->scene, o->in->registry, from, error);
}

/* The example's name after the joint; NULL if the user named it, so that it keeps its own. */
static const char *name_after(const snw_operation *o, uint32_t from, uint32_t example, uint32_t joint) {
	const snw_pose *pose = &o->scene->poses[o->scene->examples[example].pose];
	const snw_group *group = from == SNW_NONE ? NULL : &o->scene->groups[from];
	const bool follows = group && group->joint_count > 0 &&
						 snw_sculpt_is_named_after(o->scene, pose, group->joints[0], o->scene->examples[example].name);
	return follows ? snw_sculpt_example_name(o->scene, pose, joint, o->arena) : NULL;
}

/* Renames the example, and its pose if that has the same name. The user has chosen its driver. */
static snw_status put_name(const snw_operation *o, uint32_t index, const char *name, snw_error *error) {
	snw_example example = o->scene->examples[index];
	snw_pose pose = o->scene->poses[example.pose];
	const snw_mesh *mesh = &o->scene->meshes[example.mesh];
	const bool is_also_pose = strcmp(pose.name, example.name) == 0;
	example.name = pose.name = name;
	example.has_chosen_driver = true;
	const snw_status status = snw_project_put_example(o->project, &example, pose.id, mesh->id, mesh->point_count, NULL, error);
	return snw_failed(status) || !is_also_pose ? status : snw_project_put_pose(o->project, &pose, NULL, error);
}

/* A symmetric stroke does not part the sides of an example whose driver was chosen. */
snw_status snw_example_drive(snw_operation *o, snw_error *error) {
	const uint32_t example = snw_operation_thing(o, "example"), joint = snw_operation_thing(o, "joint");
	const uint32_t from = find_driven(o, example);
	const char *name = snw_example_given(o)->name, *title = snw_joint_title(&o->scene->skeleton, joint, o->arena);
	snw_group_choice to;
	const snw_status found = choose_group(o, example, joint, &to, error);
	const bool is_current = to.group != SNW_NONE && to.group == from;
	if (snw_failed(found)) {
		return found;
	}
	if (is_current && snw_group_to_part(o->scene, example) != from) {
		snw_report_say(o->report, "%s already drives %s", title, name);
		return SNW_OK;
	}
	if (to.twin != SNW_NONE && !is_current) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s cannot tell %s from %s: it is bent alike in both; choose another joint",
						snw_joint_title(&o->scene->skeleton, to.joints[0], o->arena), name, o->scene->examples[to.twin].name);
	}
	/* The present driver, given again, is chosen: the groups and the name stay. */
	const char *renamed = is_current ? NULL : name_after(o, from, example, joint);
	snw_status status = is_current ? SNW_OK : put_driven(o, example, &to, from, error);
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, renamed ? renamed : name);
	snw_report_say(o->report, "%s drives %s, in group %s", title, renamed ? renamed : name, to.name);
	if (snw_failed(status)) {
		return status;
	}
	return renamed ? put_name(o, example, renamed, error) : snw_project_keep_driver(o->project, o->scene, example, error);
}
