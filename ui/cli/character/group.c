/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew group: lists corrective groups and falloffs. Its operators change them.
 */
#include "cli/command_line/actions.h"
#include "example/groups.h"
#include "operators/nouns.h"

static snw_status list_groups(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
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

/* falloffs GROUP: those that it may have, and the one that it has. */
static snw_status list_falloffs(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const char *settings = snw_group_falloff_of(scene, opened->registry, index, call->arena);
	uint32_t count;
	const snw_group_falloff *falloffs = snw_group_falloffs_list(snw_group_falloffs_of_method(scene, opened->registry),
																snw_group_falloffs_path(call->arena), call->arena, &count);
	if (!settings) {
		return snw_fail(error, SNW_ERROR_MISSING, "no layer learns from sculpts with a falloff for each group; fit one first");
	}
	cJSON *rows = snw_answer_list(call->answer, "falloffs");
	for (uint32_t i = 0; i < count; i++) {
		snw_say(call, "%s %s%s", snw_padded(call, falloffs[i].name, 16), falloffs[i].settings,
				falloffs[i].is_saved ? "  (saved)" : "");
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", falloffs[i].name);
		snw_answer_text(row, "settings", falloffs[i].settings);
	}
	snw_say(call, "%s has: %s", scene->groups[index].name, settings);
	snw_answer_text(call->answer, "settings", settings);
	return SNW_OK;
}

static const snw_action group_actions[] = {
	{"list", list_groups, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{"falloffs", list_falloffs, SNW_OPEN_READ | SNW_OPEN_PLUGINS | SNW_ACTION_NAMED},
	{0},
};

static const snw_action_table group_table = {.noun = SNW_NOUN_GROUP, .actions = group_actions};

static const snw_option group_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_group = {
	.name = "group",
	.table = &group_table,
	.noun = &snw_operators_group,
	.least_arguments = 1,
	.most_arguments = 3,
	.options = group_options,
};
