/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew group: which examples learn together, what drives them, in which order they act.
 */
#include "cli/group.h"

#include <stdlib.h>
#include <string.h>

#include "cli/open.h"
#include "project/edit_group.h"

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

static snw_status list(const snw_call *call, const snw_desk *desk, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = desk->scene;
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
				group->joint_count ? joints : "joints that the method chooses", group->member_count ? examples : " none");
	}
	return SNW_OK;
}

static snw_status add(const snw_call *call, const snw_desk *desk, uint32_t unused, snw_error *error) {
	(void)unused;
	const char *name = call->words[2], *joints = snw_call_option(call, "--joints");
	snw_group group = {.name = name};
	uint32_t *list_of = NULL;
	if (snw_scene_find_group(desk->scene, name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: there is a group of that name", name);
	}
	const snw_status status = snw_group_joints(call, desk->scene, joints ? joints : "", &group.joint_count, &list_of, error);
	group.joints = list_of;
	return status ? status : snw_project_put_group_of(desk->project, desk->scene, &group, NULL, error);
}

static snw_status set_joints(const snw_call *call, const snw_desk *desk, uint32_t index, snw_error *error) {
	const char *joints = snw_call_option(call, "--joints");
	snw_group group = desk->scene->groups[index];
	uint32_t *list_of = NULL;
	const snw_status status = snw_group_joints(call, desk->scene, joints ? joints : "", &group.joint_count, &list_of, error);
	group.joints = list_of;
	return status ? status : snw_project_put_group_of(desk->project, desk->scene, &group, NULL, error);
}

static snw_status rename_group(const snw_call *call, const snw_desk *desk, uint32_t index, snw_error *error) {
	const char *name;
	const snw_status status = snw_call_word(call, 3, "the new name", &name, error);
	return status ? status : snw_project_rename_group(desk->project, desk->scene, desk->registry, index, name, error);
}

static snw_status move(const snw_call *call, const snw_desk *desk, uint32_t index, snw_error *error) {
	const char *text;
	const snw_status status = snw_call_word(call, 3, "the place, counted from 0", &text, error);
	if (status != SNW_OK) {
		return status;
	}
	char *end;
	const long place = strtol(text, &end, 10);
	if (end == text || *end || place < 0 || place >= (long)desk->scene->group_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: it takes a place from 0, the first to act, to %u", text,
						desk->scene->group_count - 1);
	}
	return snw_project_move_group(desk->project, desk->scene, index, (uint32_t)place, error);
}

static snw_status leave(const snw_call *call, const snw_desk *desk, uint32_t index, snw_error *error) {
	const char *name;
	const snw_status status = snw_call_word(call, 3, "the example's name", &name, error);
	if (status != SNW_OK) {
		return status;
	}
	snw_group group = snw_group_copy(desk->scene, index, call->arena);
	const uint32_t example = snw_scene_find_example(desk->scene, name);
	const uint32_t at = example == SNW_NONE ? SNW_NONE : snw_group_member(&group, example);
	if (at == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: it is not in group %s; 'group list' tells who is", name, group.name);
	}
	snw_group_leave(&group, at);
	return snw_project_put_group_of(desk->project, desk->scene, &group, NULL, error);
}

static snw_status remove_group(const snw_call *call, const snw_desk *desk, uint32_t index, snw_error *error) {
	(void)call;
	return snw_project_drop_group(desk->project, desk->scene, desk->registry, index, error);
}

static const struct {
	const char *name;
	snw_status (*act)(const snw_call *call, const snw_desk *desk, uint32_t group, snw_error *error);
	bool is_new; /* the group that it names is not there yet */
} actions[] = {{"list", list, true},  {"add", add, true},      {"name", rename_group, false},  {"joints", set_joints, false},
			   {"move", move, false}, {"leave", leave, false}, {"remove", remove_group, false}};

/* One change, as one step of the history. */
static snw_status change(const snw_call *call, const snw_desk *desk, size_t action, snw_error *error) {
	const char *name;
	uint32_t group = SNW_NONE;
	snw_status status = snw_call_word(call, 2, "the group's name", &name, error);
	if (status == SNW_OK && !actions[action].is_new) {
		group = snw_scene_find_group(desk->scene, name);
		status =
			group == SNW_NONE ? snw_fail(error, SNW_ERROR_MISSING, "%s: no such group; 'group list' names them", name) : SNW_OK;
	}
	if (status == SNW_OK) {
		const char *label = snw_arena_format(call->arena, "group %s %s", actions[action].name, name);
		status = snw_project_begin(desk->project, label, error);
	}
	status = status ? status : actions[action].act(call, desk, group, error);
	status = status ? status : snw_project_commit(desk->project, error);
	if (status == SNW_OK) {
		snw_say(call, "group %s: %s", actions[action].name, name);
		snw_answer_text(call->answer, "group", name);
		status = snw_desk_refresh(call, desk, error);
	}
	return status;
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *action = call->word_count > 1 ? call->words[1] : "list";
	size_t found = 0;
	while (found < sizeof actions / sizeof *actions && strcmp(actions[found].name, action) != 0) {
		found++;
	}
	if (found == sizeof actions / sizeof *actions) {
		return snw_call_unknown_action(call, action, error);
	}
	snw_desk desk;
	snw_status status =
		snw_desk_open(call->words[0], SNW_DESK_PLUGINS | (found ? SNW_DESK_WRITE : SNW_DESK_READ), &desk, error);
	if (status == SNW_OK) {
		status = found ? change(call, &desk, found, error) : list(call, &desk, SNW_NONE, error);
		snw_desk_close(&desk);
	}
	return status;
}

static const snw_option options[] = {
	{"--joints", "A,B", "the joints that drive it; none: the method chooses"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_group = {
	.name = "group",
	.usage = "P.sinew list | add GROUP [--joints A,B] | name GROUP NEW | joints GROUP [--joints A,B] | move GROUP PLACE | "
			 "leave GROUP EXAMPLE | remove GROUP",
	.help = "Lists and changes corrective groups: examples that learn together. 'example join' puts one in.",
	.actions = "list|add|name|joints|move|leave|remove",
	.least_words = 1,
	.most_words = 4,
	.options = options,
	.run = run,
};
