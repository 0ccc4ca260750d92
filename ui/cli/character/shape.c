/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew shape: lists the morph targets that came with the file.
 */
#include "base/error.h"
#include "cli/command_line/actions.h"
#include "example/new_examples.h"
#include "operators/nouns.h"

static snw_status list_shapes(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "shapes");
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		uint32_t points = 0;
		const char *meshes = "";
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			const uint32_t at = snw_mesh_shape(&scene->meshes[m], c);
			if (at != SNW_NONE) {
				points += scene->meshes[m].morphs[at].count;
				meshes = snw_arena_format(call->arena, "%s%s%s", meshes, meshes[0] ? ", " : "", scene->meshes[m].name);
			}
		}
		snw_say(call, "%s moves %u point%s of %s", snw_padded(call, scene->channels[c].name, 24), points, snw_plural(points),
				meshes[0] ? meshes : "no mesh");
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", scene->channels[c].name);
		snw_answer_number(row, "points", points);
	}
	return SNW_OK;
}

static const snw_action shape_actions[] = {
	{"list", list_shapes, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table shape_table = {.noun = SNW_NOUN_SHAPE, .actions = shape_actions};

static const snw_option shape_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_shape = {
	.name = "shape",
	.table = &shape_table,
	.noun = &snw_operators_shape,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = shape_options,
};
