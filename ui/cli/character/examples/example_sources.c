/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/examples/example_sources.h"

#include "base/plural.h"
#include "cli/command_line/options/worker_limits.h"
#include "example/sculpt_files.h"

static void report_file(const snw_call *call, const snw_sculpt_file *file, cJSON *rows) {
	cJSON *row = snw_answer_row(rows);
	snw_answer_text(row, "name", file->name);
	snw_answer_text(row, "skipped", file->skipped);
	snw_answer_text(row, "group", file->group);
	snw_answer_text(row, "mirrored", file->mirrored);
	snw_answer_text(row, "unmirrored", file->unmirrored);
	snw_answer_number(row, "edited", file->edited_count);
	if (file->skipped) {
		snw_say(call, "%s skipped: %s", snw_padded(call, file->name, 24), file->skipped);
		return;
	}
	snw_say(call, "%s %s: %u point%s edited%s%s%s%s", snw_padded(call, file->name, 24), file->group ? "added" : "updated",
			file->edited_count, snw_plural(file->edited_count), file->group ? ", group " : "", file->group ? file->group : "",
			file->mirrored     ? ", mirrored: "
			: file->unmirrored ? ", not mirrored: "
							   : "",
			file->mirrored     ? file->mirrored
			: file->unmirrored ? file->unmirrored
							   : "");
}

snw_status snw_example_folder(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	snw_sculpt_folder folder = {.mesh = SNW_NONE, .group = snw_call_option(call, "--group")};
	snw_worker_limits limits;
	snw_status status = snw_call_argument(call, 2, "the folder", &folder.folder, error);
	status = snw_failed(status) ? status : snw_call_limits(call, &limits, error);
	if (!snw_failed(status) && snw_call_option(call, "--on")) {
		status = snw_opened_mesh(call, opened, &folder.mesh, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	folder.limits = &limits;
	folder.is_mirrored = snw_call_option(call, "--mirror") != NULL;
	status = snw_project_begin(opened->project, snw_arena_format(call->arena, "import sculpts from %s", folder.folder), error);
	status = snw_failed(status)
				 ? status
				 : snw_project_put_sculpt_folder(opened->project, opened->registry, &call->task, call->arena, &folder, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_project_commit(opened->project, error);
	cJSON *rows = snw_failed(status) ? NULL : snw_answer_list(call->answer, "files");
	for (uint32_t i = 0; i < folder.count && !snw_failed(status); i++) {
		report_file(call, &folder.files[i], rows);
	}
	return status;
}
