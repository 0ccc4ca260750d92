/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew export --crowd: a crowd's files for engines.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/command_line/embedded_texts.h"
#include "cli/output/crowd.h"
#include "export/crowd/crowd_files.h"
#include "file/file.h"

enum { PAGE_MOST = 100000, MEMBER_BYTES = 82 }; /* members of the page; what crowd.json has for each */

static const char *const players[] = {"crowd.js", "crowd.glsl", "crowd.wgsl", "crowd.hlsl"};

static snw_status check_crowd_export(const snw_call *call, const char *folder, snw_error *error) {
	static const char *const others[] = {"-o",           "--pose",    "--fps",       "--from",  "--to",         "--for",
										 "--influences", "--weights", "--hierarchy", "--units", "--vectors",    "--compress",
										 "--live",       "--levels",  "--mesh",      "--each",  "--in-betweens"};
	struct stat found;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (snw_call_option(call, others[i])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s does not go with --crowd", others[i]);
		}
	}
	return stat(folder, &found) != 0 || S_ISDIR(found.st_mode)
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "--crowd %s: this is a file; name a folder", folder);
}

/* Engines place members themselves: these are for the page. */
static snw_status read_members(const snw_call *call, uint32_t *count, snw_error *error) {
	const snw_status status = snw_crowd_number(call, "--members", 1000, count, error);
	return snw_failed(status) || *count <= PAGE_MOST
			   ? status
			   : snw_fail(error, SNW_ERROR_LIMIT,
						  "--members %u: the page would read %.0f MB of members in crowd.json; at most %d fit. An engine that "
						  "places members itself may draw more",
						  *count, 1e-6 * MEMBER_BYTES * *count, (int)PAGE_MOST);
}

static void answer_loss(cJSON *answer, const char *name, const snw_crowd_loss *loss) {
	cJSON *object = answer ? cJSON_AddObjectToObject(answer, name) : NULL;
	snw_answer_number(object, "max_percent", loss->max_percent);
	snw_answer_number(object, "erms", loss->erms);
}

static void report_crowd_levels(const snw_call *call, const snw_scene *scene, const snw_level_scene *levels) {
	const uint32_t most = snw_level_most(scene);
	if (most > 0 && levels) {
		snw_say(call, "%u level%s of detail beside the meshes, with the same palettes; the page chooses by pixels", most,
				snw_plural(most));
	} else if (most > 0) {
		snw_say(call, "levels of detail (%u) are left out: they are of the whole stack, and --method chooses another", most);
	}
	snw_answer_number(call->answer, "levels", levels ? most : 0);
}

static void report_crowd_loss(const snw_call *call, const snw_crowd_files_report *report) {
	snw_say(call, "palettes: %u frame%s of %u texels; %.4g MB in half floats, %.4g MB in floats", report->frame_count,
			snw_plural(report->frame_count), report->width, 1e-6 * (double)report->half_bytes,
			1e-6 * (double)report->single_bytes);
	snw_say(call, "half floats: erms %.4f, at most %.4f %% of the diagonal; floats: erms %.4f, at most %.4f %%",
			report->half.erms, report->half.max_percent, report->single.erms, report->single.max_percent);
	if (report->dropped_influences > 0) {
		snw_say(call, "%u influences beyond four of a point are left out; that is in these errors", report->dropped_influences);
	}
	if (report->left_out_displacements > 0) {
		snw_say(
			call,
			"%u displacement%s left out (correctives, morph targets) of %s; that is in these errors: 'sinew bake' keeps more",
			report->left_out_displacements, report->left_out_displacements == 1 ? " is" : "s are", report->left_out_layers);
	}
	snw_answer_number(call->answer, "frames", report->frame_count);
	snw_answer_number(call->answer, "width", report->width);
	answer_loss(call->answer, "half", &report->half);
	answer_loss(call->answer, "float", &report->single);
	snw_answer_number(call->answer, "dropped_influences", report->dropped_influences);
	snw_answer_number(call->answer, "left_out_displacements", report->left_out_displacements);
}

static snw_status write_text_file(const snw_call *call, const char *folder, const char *name, const char *text,
								  snw_error *error) {
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(snw_path_join(call->arena, folder, name), &file, error);
	if (snw_failed(status)) {
		return status;
	}
	fputs(text, snw_file_write_stream(file));
	return snw_file_write_commit(file, error);
}

static snw_status write_folder(const snw_call *call, const snw_crowd_files *files, const char *folder, snw_error *error) {
	snw_status status = snw_crowd_files_write(files, folder, error);
	for (size_t i = 0; i < sizeof players / sizeof *players && !snw_failed(status); i++) {
		status = write_text_file(call, folder, players[i], snw_cli_embedded(players[i]), error);
	}
	status = snw_failed(status) ? status : write_text_file(call, folder, "index.html", snw_cli_embedded("crowd.html"), error);
	if (!snw_failed(status)) {
		snw_say(call, "%s: a crowd's files; index.html plays them", folder);
		snw_answer_text(call->answer, "folder", folder);
	}
	return status;
}

snw_status snw_crowd_export(const snw_call *call, const snw_opened *opened, const char *folder, snw_error *error) {
	uint32_t count = 0;
	snw_cli_crowd made = {0};
	snw_crowd_files *files = NULL;
	snw_status status = check_crowd_export(call, folder, error);
	status = snw_failed(status) ? status : read_members(call, &count, error);
	status = snw_failed(status) ? status : snw_cli_crowd_make(call, opened, count, true, &made, error);
	status = snw_failed(status) ? status : snw_crowd_files_make(&made.character, &made.crowd, &call->task, &files, error);
	if (!snw_failed(status)) {
		report_crowd_loss(call, snw_crowd_files_reported(files));
		report_crowd_levels(call, opened->scene, made.character.levels);
		status = write_folder(call, files, folder, error);
	}
	snw_crowd_files_destroy(files);
	snw_cli_crowd_free(&made);
	return status;
}
