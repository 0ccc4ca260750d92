/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew import: creates a project from a character or a mesh animation.
 */
#include "import/import.h"

#include "base/plural.h"
#include "cli/command_line/open_project.h"
#include "cli/command_line/output_path.h"
#include "cli/command_line/verb.h"
#include "cli/command_line/worker_limits.h"

/* What the frames of the mesh were taken for. */
static const char *frames_text(const snw_call *call, const snw_import_request *request, uint32_t count) {
	return request->is_set ? snw_arena_format(call->arena, "%u pose%s without order", count, snw_plural(count))
		   : request->sequence
			   ? snw_arena_format(call->arena, "%u frame%s in order (--poses: a set without order)", count, snw_plural(count))
			   : snw_arena_format(call->arena, "%u frame%s of mesh animation", count, snw_plural(count));
}

static void report(const snw_call *call, const char *path, const snw_import_request *request, const snw_import_counts *counts) {
	snw_say(call, "%s: %u %s, %u point%s, %u joint%s, %u clip%s, %s", path, counts->meshes,
			counts->meshes == 1 ? "mesh" : "meshes", counts->points, snw_plural(counts->points), counts->joints,
			snw_plural(counts->joints), counts->clips, snw_plural(counts->clips), frames_text(call, request, counts->frames));
	snw_answer_text(call->answer, "project", path);
	snw_answer_number(call->answer, "meshes", counts->meshes);
	snw_answer_number(call->answer, "points", counts->points);
	snw_answer_number(call->answer, "joints", counts->joints);
	snw_answer_number(call->answer, "clips", counts->clips);
	snw_answer_number(call->answer, "frames", counts->frames);
	if (request->sequence) {
		snw_answer_bool(call->answer, "in_order", !request->is_set);
	}
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	const char *in_order = snw_call_option(call, "--sequence"), *poses = snw_call_option(call, "--poses");
	const char *sequence = in_order ? in_order : poses;
	const char *file = call->argument_count ? call->arguments[0] : NULL;
	if (!path || !file == !sequence || (in_order && poses)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: sinew import %s",
						path ? "name a file, a --sequence or --poses, and not two of them"
							 : "the output is missing; name it with -o",
						call->verb->usage);
	}
	snw_import_request request = {
		.file = file,
		.sequence = sequence,
		.rest = snw_call_option(call, "--rest"),
		.keep_points = snw_call_option(call, "--keep-points") != NULL,
		.is_set = poses != NULL,
	};
	snw_worker_limits limits;
	snw_status status = snw_call_number(call, "--fps", 0.001, 100000, 0, &request.frames_per_second, error);
	if (!snw_failed(status)) {
		status = snw_call_limits(call, &limits, error);
	}
	if (!snw_failed(status)) {
		status = snw_output_project(call, path, error);
	}
	if (!snw_failed(status)) {
		snw_import_counts counts;
		status = snw_worker_import(&request, path, &limits, &call->task, &counts, error);
		if (!snw_failed(status)) {
			report(call, path, &request, &counts);
		}
	}
	return status;
}

static const snw_option options[] = {
	{"-o", "P.sinew", "the project to write"},
	{"--sequence", "FRAMES", "an animated mesh: a file of frames, or numbered files: 'frames/*.obj'"},
	{"--poses", "FRAMES", "a set of meshes in no order: nothing is taken to follow from one to the next"},
	{"--rest", "FILE.obj", "the mesh at rest, for frames without faces"},
	{"--fps", "N", "frames per second of the sequence (default: 24)"},
	{"--keep-points", NULL, "keep points apart that the file splits at seams"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--replace", NULL, "overwrite a project even if it holds changes"},
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_import = {
	.name = "import",
	.usage = "FILE -o P.sinew | --sequence FRAMES|--poses FRAMES [--rest FILE.obj] -o P.sinew",
	.help = "Imports glTF, FBX, Collada, OBJ and others, or a sequence of meshes.",
	.actions = "",
	.least_arguments = 0,
	.most_arguments = 1,
	.options = options,
	.formats = snw_import_formats,
	.run = run,
};
