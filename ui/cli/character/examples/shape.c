/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew shape: the blend shapes that came with the file.
 */
#include "base/plural.h"
#include "cli/character/examples/read_sculpt.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/options/worker_limits.h"
#include "edit/examples/edit_shape.h"

static snw_status list(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
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

/* edit NAME --mesh SHAPE.obj: the mesh at rest with the shape fully on. */
static snw_status edit(const snw_call *call, const snw_opened *opened, uint32_t channel, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const double *wanted;
	uint32_t mesh, count;
	snw_status status = snw_opened_mesh(call, opened, &mesh, error);
	status = snw_failed(status) ? status : snw_call_read_sculpt(call, &scene->meshes[mesh], &wanted, error);
	if (snw_failed(status)) {
		return status;
	}
	/* What the shape makes of the rest now: the skin is the identity there. */
	const snw_mesh *m = &scene->meshes[mesh];
	double *shown = snw_arena_copy(call->arena, m->points_rest, 3 * (size_t)m->point_count * sizeof *shown);
	const uint32_t at = snw_mesh_shape(m, channel);
	for (uint32_t k = 0; at != SNW_NONE && k < m->morphs[at].count; k++) {
		for (size_t c = 0; c < 3; c++) {
			shown[3 * (size_t)m->morphs[at].points[k] + c] += m->morphs[at].vectors[3 * (size_t)k + c];
		}
	}
	status = snw_project_put_shape_sculpt(opened->project, scene, mesh, channel, 1, wanted, shown, &count, error);
	if (!snw_failed(status)) {
		snw_say(call, "%u point%s moved by the shape", count, snw_plural(count));
		snw_answer_number(call->answer, "points", count);
	}
	return status;
}

static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE, NULL},
	{"edit", edit, SNW_ACTION_CHANGES, "sculpt shape"},
	{0},
};

static const snw_action_table shapes = {
	.noun = "shape", .listed_by = "shape list", .find = snw_scene_find_channel, .actions = actions};

static const snw_option options[] = {
	{"--mesh", "SHAPE.obj", "edit: the mesh at rest with the shape fully on, its points in order"},
	{"--on", "MESH", "which mesh, if there are several"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_shape = {
	.name = "shape",
	.usage = "P.sinew list | edit NAME --mesh SHAPE.obj [--on MESH]",
	.help = "Lists and edits the blend shapes that came with the file. 'pose add --shape' sets their weights.",
	.table = &shapes,
	.least_arguments = 1,
	.most_arguments = 3,
	.options = options,
};
