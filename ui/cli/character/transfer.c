/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew transfer: examples of another project, which may have another character or topology.
 */
#include "example/transfer.h"
#include "base/plural.h"
#include "cli/command_line/open_project.h"
#include "file/file.h"

/* The mesh of the other project: the one that --from-mesh names, or the only one with examples. */
static snw_status find_mesh(const snw_call *call, const snw_scene *from, uint32_t *mesh, snw_error *error) {
	const char *name = snw_call_option(call, "--from-mesh");
	*mesh = name ? snw_scene_find_mesh(from, name) : SNW_NONE;
	if (name) {
		return *mesh != SNW_NONE
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_MISSING, "--from-mesh %s: the other project has no such mesh", name);
	}
	for (uint32_t i = 0; i < from->example_count; i++) {
		if (*mesh != SNW_NONE && from->examples[i].mesh != *mesh) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"several meshes of the other project have examples; name one with --from-mesh MESH");
		}
		*mesh = from->examples[i].mesh;
	}
	return *mesh != SNW_NONE ? SNW_OK : snw_fail(error, SNW_ERROR_MISSING, "the other project has no examples");
}

/* The examples that --example names. */
static snw_status find_examples(const snw_call *call, snw_example_transfer *transfer, snw_error *error) {
	const char *name;
	uint32_t *list = SNW_NEW_ARRAY(call->arena, uint32_t, (size_t)call->option_count + 1);
	while ((name = snw_call_option_at(call, "--example", (int)transfer->example_count))) {
		const uint32_t found = snw_scene_find_example(transfer->from, name);
		if (found == SNW_NONE || transfer->from->examples[found].mesh != transfer->from_mesh) {
			return snw_fail(error, SNW_ERROR_MISSING, "--example %s: mesh %s of the other project has no such example", name,
							transfer->from->meshes[transfer->from_mesh].name);
		}
		list[transfer->example_count++] = found;
	}
	transfer->examples = list;
	return SNW_OK;
}

static void report(const snw_call *call, const snw_example_transfer *transfer, double diagonal) {
	snw_say(call, "%u of %u joints paired%s%s", transfer->paired_count, transfer->joint_count,
			transfer->unpaired[0] ? "; without a partner: " : "", transfer->unpaired);
	snw_say(call, "the surfaces at rest are %.3g m apart in the mean, %.3g m at most (%.2f %% of the diagonal)",
			transfer->mean_distance, transfer->most_distance, 100 * transfer->most_distance / diagonal);
	snw_answer_number(call->answer, "joints", transfer->joint_count);
	snw_answer_number(call->answer, "paired", transfer->paired_count);
	snw_answer_number(call->answer, "mean_distance", transfer->mean_distance);
	snw_answer_number(call->answer, "most_distance", transfer->most_distance);
	cJSON *rows = snw_answer_list(call->answer, "examples");
	for (uint32_t i = 0; i < transfer->taken_count; i++) {
		const snw_taken_example *taken = &transfer->taken[i];
		snw_say(call, "%s %s: %u point%s edited, residual %.2f %% of the sculpt", snw_padded(call, taken->name, 24),
				taken->is_updated ? "updated" : "added", taken->edited_count, snw_plural(taken->edited_count),
				100 * taken->residual);
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", taken->name);
		snw_answer_text(row, "pose", taken->pose);
		snw_answer_bool(row, "updated", taken->is_updated);
		snw_answer_number(row, "edited", taken->edited_count);
		snw_answer_number(row, "residual", taken->residual);
	}
}

static snw_status transfer_to(const snw_call *call, const snw_opened *opened, const snw_scene *from, snw_error *error) {
	snw_example_transfer transfer = {.from = from};
	snw_status status = find_mesh(call, from, &transfer.from_mesh, error);
	status = snw_failed(status) ? status : find_examples(call, &transfer, error);
	status = snw_failed(status) ? status : snw_opened_mesh(call, opened, &transfer.mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *label = snw_arena_format(call->arena, "transfer sculpts from %s", snw_path_name(call->arguments[1]));
	status = snw_project_begin(opened->project, label, error);
	status = snw_failed(status) ? status
								: snw_project_put_transferred(opened->project, opened->scene, opened->registry, &call->task,
															  call->arena, &transfer, error);
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	if (!snw_failed(status)) {
		report(call, &transfer, snw_scene_diagonal(opened->scene, transfer.mesh));
		status = snw_opened_refit(call, opened, error);
	}
	return status;
}

static snw_status run(snw_call *call, snw_error *error) {
	snw_opened opened, other;
	snw_status status = snw_open_project(call->arguments[0], SNW_OPEN_WRITE | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_open_project(call->arguments[1], SNW_OPEN_READ, &call->task, &other, error);
	if (!snw_failed(status)) {
		status = transfer_to(call, &opened, other.scene, error);
		snw_opened_close(&other);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option options[] = {
	{"--example", "N", "an example to copy; may be repeated (default: all that are not muted)"},
	{"--on", "MESH", "which mesh gets them, if there are several"},
	{"--from-mesh", "MESH", "which mesh of the other project, if several have examples"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_transfer = {
	.name = "transfer",
	.usage = "P.sinew OTHER.sinew [--example N]… [--on MESH] [--from-mesh MESH]",
	.help = "Copies the sculpts of another project, by the nearest places at rest; its character may differ in points, faces "
			"and shape.",
	.actions = "",
	.least_arguments = 2,
	.most_arguments = 2,
	.options = options,
	.run = run,
};
