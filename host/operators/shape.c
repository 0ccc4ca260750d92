/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The morph targets that came with the file.
 */
#include "base/error.h"
#include "example/new_examples.h"
#include "example/sculpt_files.h"
#include "operators/arguments.h"
#include "operators/nouns.h"

static const snw_argument edit_arguments[] = {
	{"shape", SNW_ARGUMENT_THING, "SHAPE", "the morph target", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_SHAPE},
	{"file", SNW_ARGUMENT_FILE, "SHAPE.obj", "the mesh at rest with the morph target fully on, its points in order",
	 .flags = SNW_ARGUMENT_NEEDED, .was = "mesh"},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh, if there are several", .flags = SNW_ARGUMENT_ONLY, .noun = SNW_NOUN_MESH,
	 .was = "on"},
	SNW_LIMIT_ARGUMENTS,
	{0},
};

/* What the morph target makes of the rest now: the skin is the identity there. */
static const double *shown_points(const snw_operation *o, const snw_mesh *mesh, uint32_t channel) {
	double *shown = snw_arena_copy(o->arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *shown);
	const uint32_t at = snw_mesh_shape(mesh, channel);
	for (uint32_t k = 0; at != SNW_NONE && k < mesh->morphs[at].count; k++) {
		for (size_t c = 0; c < 3; c++) {
			shown[3 * (size_t)mesh->morphs[at].points[k] + c] += mesh->morphs[at].vectors[3 * (size_t)k + c];
		}
	}
	return shown;
}

static snw_status edit(snw_operation *o, snw_error *error) {
	const uint32_t mesh = snw_operation_thing(o, "mesh"), channel = snw_operation_thing(o, "shape");
	const snw_mesh *edited = &o->scene->meshes[mesh];
	const snw_worker_limits limits = snw_operation_limits(o);
	const double *wanted;
	uint32_t count = 0;
	snw_status status = snw_sculpt_read(snw_operation_text(o, "file"), edited, &limits, o->in->task, o->arena, &wanted, error);
	status = snw_failed(status) ? status
								: snw_project_put_shape_sculpt(o->project, o->scene, mesh, channel, 1, wanted,
															   shown_points(o, edited, channel), &count, error);
	snw_report_changed(o->report, SNW_NOUN_SHAPE, o->scene->channels[channel].name);
	snw_report_say(o->report, "%s moves %u point%s", o->scene->channels[channel].name, count, snw_plural(count));
	snw_report_number(o->report, "points", count);
	return status;
}

static const snw_operator shape_operators[] = {
	{"edit", "Change morph target", "Changes a morph target to what was sculpted.", "sculpt morph target", SNW_OPERATOR_REFITS,
	 edit_arguments, edit},
	{0},
};

const snw_operator_noun snw_operators_shape = {
	"shape", "Lists and edits the morph targets that came with the file. 'pose add --shape' sets their weights.",
	shape_operators};
