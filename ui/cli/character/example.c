/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew example: sculpts, and the groups that they belong to.
 */
#include "cli/command_line/actions.h"
#include "operators/nouns.h"

static snw_status list_examples(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
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

/* The sculpt layers of an example. */
static snw_status list_layers(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error) {
	(void)error;
	const snw_example *row = &opened->scene->examples[example];
	cJSON *rows = snw_answer_list(call->answer, "layers");
	for (uint32_t i = row->layer_count; i-- > 0;) {
		const snw_sculpt_layer *layer = &row->layers[i];
		cJSON *answer = snw_answer_row(rows);
		snw_say(call, "%s opacity %4.2f %7u points%s", snw_padded(call, layer->name, 24), layer->opacity, layer->count,
				layer->muted ? "  (muted)" : "");
		snw_answer_text(answer, "name", layer->name);
		snw_answer_number(answer, "opacity", layer->opacity);
		snw_answer_bool(answer, "muted", layer->muted);
		snw_answer_number(answer, "points", layer->count);
	}
	if (row->layer_count == 0) {
		snw_say(call, "%s has no sculpt layers; 'example layer %s NAME --add' adds one", row->name, row->name);
	}
	return SNW_OK;
}

static const snw_action example_actions[] = {
	{"list", list_examples, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{"layers", list_layers, SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_ACTION_NAMED},
	{0},
};

static const snw_action_table example_table = {.noun = SNW_NOUN_EXAMPLE, .actions = example_actions};

static const snw_option example_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_example = {
	.name = "example",
	.usage = "P.sinew list | layers N | "
			 "add|update|folder|transfer|between|mirror|split|merge|join|move|leave|mask|place|drive|layer|mute|unmute|name|"
			 "remove …",
	.table = &example_table,
	.noun = &snw_operators_example,
	.least_arguments = 1,
	.most_arguments = 3,
	.options = example_options,
};
