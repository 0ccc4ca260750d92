/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew group: corrective groups, the joints that drive them, and their order.
 */
#include "cli/character/group.h"

#include <string.h>

#include "cli/command_line/actions.h"
#include "edit/drivers/groups.h"
#include "edit/examples/falloffs.h"
#include "edit/examples/new_examples.h"

snw_status snw_group_joints(const snw_call *call, const snw_scene *scene, const char *names, uint32_t *count, uint32_t **joints,
							snw_error *error) {
	char *rest = snw_arena_text(call->arena, names), *name;
	*joints = SNW_NEW_ARRAY(call->arena, uint32_t, strlen(names) + 1);
	*count = 0;
	while (names[0] && (name = strsep(&rest, ",")) != NULL) {
		const uint32_t joint = snw_scene_find_joint(scene, name);
		if (joint == SNW_NONE) {
			return snw_fail(error, SNW_ERROR_MISSING, "--joints %s: no joint is named %s; 'sinew info' lists them", names,
							name);
		}
		(*joints)[(*count)++] = joint;
	}
	return SNW_OK;
}

static snw_status list(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "groups");
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		const char *joints = "", *examples = "";
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", group->name);
		cJSON *joint_list = snw_answer_list(row, "joints"), *example_list = snw_answer_list(row, "examples");
		for (uint32_t j = 0; j < group->joint_count; j++) {
			const char *name = scene->skeleton.names[group->joints[j]];
			joints = snw_arena_format(call->arena, "%s%s%s", joints, j ? "," : "", name);
			snw_answer_text(snw_answer_row(joint_list), "name", name);
		}
		for (uint32_t m = 0; m < group->member_count; m++) {
			const snw_member *member = &group->members[m];
			const char *mask = member->mask == SNW_NONE ? NULL : scene->fields[member->mask].name;
			examples = snw_arena_format(call->arena, "%s %s%s%s%s", examples, scene->examples[member->example].name,
										mask ? " (" : "", mask ? mask : "", mask ? ")" : "");
			cJSON *one = snw_answer_row(example_list);
			snw_answer_text(one, "name", scene->examples[member->example].name);
			snw_answer_text(one, "mask", mask);
		}
		snw_say(call, "%3u  %-20s driven by %s; examples:%s", g, group->name,
				group->joint_count ? joints : "joints chosen by the method", group->member_count ? examples : " none");
	}
	return SNW_OK;
}

/* The group with the joints given by --joints. */
static snw_status put_driven(const snw_call *call, const snw_opened *opened, snw_group *group, snw_error *error) {
	const char *joints = snw_call_option(call, "--joints");
	uint32_t *list_of = NULL;
	const snw_status status = snw_group_joints(call, opened->scene, joints ? joints : "", &group->joint_count, &list_of, error);
	group->joints = list_of;
	return snw_failed(status) ? status : snw_project_put_group_of(opened->project, opened->scene, group, NULL, error);
}

static snw_status add(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	snw_group group = {0};
	const snw_status status = snw_call_argument(call, 2, "the group's name", &group.name, error);
	if (!snw_failed(status) && snw_scene_find_group(opened->scene, group.name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: a group with this name exists; choose another name", group.name);
	}
	return snw_failed(status) ? status : put_driven(call, opened, &group, error);
}

static snw_status set_joints(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	snw_group group = opened->scene->groups[index];
	const snw_status status = put_driven(call, opened, &group, error);
	return snw_failed(status) ? status : snw_project_keep_drivers(opened->project, opened->scene, &group, error);
}

static snw_status rename_group(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *name;
	const snw_status status = snw_call_argument(call, 3, "the new name", &name, error);
	return snw_failed(status) ? status
							  : snw_project_rename_group(opened->project, opened->scene, opened->registry, index, name, error);
}

static snw_status move(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	uint32_t place;
	const snw_status status = snw_call_place(call, "the first to act", opened->scene->group_count, &place, error);
	return snw_failed(status) ? status : snw_project_move_group(opened->project, opened->scene, index, place, error);
}

static snw_status leave(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *name;
	const snw_status status = snw_call_argument(call, 3, "the example's name", &name, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_group group = snw_group_copy(opened->scene, index, call->arena);
	const uint32_t example = snw_scene_find_example(opened->scene, name);
	const uint32_t at = example == SNW_NONE ? SNW_NONE : snw_group_member(&group, example);
	if (at == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: not in group %s; 'group list' shows its examples", name, group.name);
	}
	snw_group_leave(&group, at);
	return snw_project_put_group_of(opened->project, opened->scene, &group, NULL, error);
}

/* combine A B: a group over both groups' joints, with an example in which both are on. */
static snw_status combine(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *other;
	snw_status status = snw_call_argument(call, 3, "the other group's name", &other, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t groups[] = {index, snw_scene_find_group(opened->scene, other)};
	if (groups[1] == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no such group; 'group list' lists them", other);
	}
	snw_new_example made;
	status = snw_project_put_combination(opened->project, opened->scene, opened->registry, groups, NULL,
										 snw_call_option(call, "--name"), call->arena, &made, error);
	if (!snw_failed(status)) {
		snw_say(call,
				"group %s: its example %s, in the pose of that name, starts as the skin looks there; sculpt it with 'example "
				"update'",
				made.group, made.name);
		snw_answer_text(call->answer, "combination", made.group);
		snw_answer_text(call->answer, "example", made.name);
		snw_answer_text(call->answer, "pose", made.pose);
	}
	return status;
}

/* falloff GROUP [NAME] [--save NAME]: lists, sets, or saves the one that the group has. */
static snw_status falloff(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const char *name = call->argument_count > 3 ? call->arguments[3] : NULL, *save = snw_call_option(call, "--save");
	const char *path = snw_group_falloffs_path(call->arena);
	const char *settings = snw_group_falloff_of(opened->scene, opened->registry, index, call->arena);
	uint32_t count;
	const snw_group_falloffs *of_method = snw_group_falloffs_of_method(opened->scene, opened->registry);
	const snw_group_falloff *list_of = snw_group_falloffs_list(of_method, path, call->arena, &count);
	if (!settings) {
		return snw_fail(error, SNW_ERROR_MISSING, "no layer learns from sculpts with a falloff for each group; fit one first");
	}
	if (save) {
		return path ? snw_group_falloff_save(path, of_method, save, settings, error)
					: snw_fail(error, SNW_ERROR_IO, "there is no folder for falloffs; set HOME or XDG_CONFIG_HOME");
	}
	cJSON *rows = name ? NULL : snw_answer_list(call->answer, "falloffs");
	for (uint32_t i = 0; i < count; i++) {
		if (name && strcmp(name, list_of[i].name) == 0) {
			return snw_project_put_group_falloff(opened->project, opened->scene, opened->registry, index, &list_of[i], error);
		}
		if (!name) {
			snw_say(call, "%s %s%s", snw_padded(call, list_of[i].name, 16), list_of[i].settings,
					list_of[i].is_saved ? "  (saved)" : "");
			cJSON *row = snw_answer_row(rows);
			snw_answer_text(row, "name", list_of[i].name);
			snw_answer_text(row, "settings", list_of[i].settings);
		}
	}
	if (name) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no falloff has this name; 'group falloff %s' lists them", name,
						opened->scene->groups[index].name);
	}
	snw_say(call, "%s has: %s", opened->scene->groups[index].name, settings);
	snw_answer_text(call->answer, "settings", settings);
	return SNW_OK;
}

static snw_status remove_group(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	(void)call;
	return snw_project_drop_group(opened->project, opened->scene, opened->registry, index, error);
}

static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE, NULL},
	{"add", add, SNW_ACTION_CHANGES & ~SNW_ACTION_NAMED, "add group"},
	{"name", rename_group, SNW_ACTION_CHANGES, "rename group"},
	{"joints", set_joints, SNW_ACTION_CHANGES, "change joints of"},
	{"move", move, SNW_ACTION_CHANGES, "move group"},
	{"leave", leave, SNW_ACTION_CHANGES, "remove an example from"},
	{"falloff", falloff, SNW_ACTION_CHANGES & ~SNW_ACTION_REPORTS, "change falloff of"},
	{"combine", combine, SNW_ACTION_CHANGES & ~SNW_ACTION_REPORTS, "combine groups with"},
	{"remove", remove_group, SNW_ACTION_CHANGES, "delete group"},
	{0},
};

static const snw_action_table groups = {
	.noun = "group", .listed_by = "group list", .find = snw_scene_find_group, .actions = actions};

static const snw_option options[] = {
	{"--joints", "A,B", "the joints that drive it (default: chosen by the method)"},
	{"--save", "NAME", "falloff: save the group's falloff under a name, for all your projects"},
	{"--name", "N", "combine: name of the new group, its example and pose (default: GROUP+OTHER)"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_group = {
	.name = "group",
	.usage = "P.sinew list | add GROUP [--joints A,B] | name GROUP NEW | joints GROUP [--joints A,B] | move GROUP POSITION | "
			 "leave GROUP EXAMPLE | falloff GROUP [NAME] [--save NAME] | combine GROUP OTHER [--name N] | remove GROUP",
	.help = "Lists and changes corrective groups: examples that are interpolated together. 'example join' adds one to a group.",
	.table = &groups,
	.least_arguments = 1,
	.most_arguments = 4,
	.options = options,
};
