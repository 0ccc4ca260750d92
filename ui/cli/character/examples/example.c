/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew example: sculpts, and the groups that they belong to.
 */
#include "cli/character/examples/example_layers.h"
#include "cli/character/examples/example_sources.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/options/worker_limits.h"
#include "operators/nouns.h"

static snw_status list(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "examples");
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		const char *groups = "";
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", example->name);
		snw_answer_text(row, "pose", scene->poses[example->pose].name);
		snw_answer_text(row, "mesh", scene->meshes[example->mesh].name);
		cJSON *group_list = snw_answer_list(row, "groups");
		for (uint32_t g = 0; g < scene->group_count; g++) {
			for (uint32_t m = 0; m < scene->groups[g].member_count; m++) {
				if (scene->groups[g].members[m].example == i) {
					groups = snw_arena_format(call->arena, "%s %s", groups, scene->groups[g].name);
					if (group_list) {
						cJSON_AddItemToArray(group_list, cJSON_CreateString(scene->groups[g].name));
					}
				}
			}
		}
		const uint32_t points = scene->meshes[example->mesh].point_count;
		const uint32_t edited = example->edited ? example->edited_count : points;
		const bool is_one_mesh = scene->mesh_count == 1;
		snw_say(call, "%s pose %s %7u of %u points edited%s%s, groups%s%s", snw_padded(call, example->name, 24),
				snw_padded(call, scene->poses[example->pose].name, 20), edited, points, is_one_mesh ? "" : " of the mesh ",
				is_one_mesh ? "" : scene->meshes[example->mesh].name, groups, example->muted ? "  (muted)" : "");
		snw_answer_number(row, "edited", edited);
		snw_answer_bool(row, "muted", example->muted);
	}
	return SNW_OK;
}

static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE, NULL},
	{"folder", snw_example_folder, SNW_OPEN_WRITE | SNW_OPEN_PLUGINS | SNW_ACTION_REFITS, NULL},
	{"layers", snw_example_layers, SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_ACTION_NAMED, NULL},
	{0},
};

static const snw_action_table examples = {
	.noun = "example", .listed_by = "example list", .find = snw_scene_find_example, .actions = actions};

static const snw_option options[] = {
	{"--group", "G", "folder: the group of new examples (default: that of the joint that drives each)"},
	{"--on", "MESH", "folder: which mesh, if there are several"},
	{"--mirror", NULL, "folder: mirror the examples that have a side in their name, unless the folder has the other side too"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_example = {
	.name = "example",
	.usage = "P.sinew list | folder DIR [--group G] [--mirror] | layers N | "
			 "add|update|between|mirror|split|merge|join|move|leave|mask|place|drive|layer|mute|unmute|name|remove …",
	.table = &examples,
	.noun = &snw_operators_example,
	.least_arguments = 1,
	.most_arguments = 4,
	.options = options,
};
