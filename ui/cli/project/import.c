/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew import: creates a project from a character or a mesh animation.
 */
#include "import/import.h"

#include "base/error.h"
#include "cli/command_line/open_project.h"
#include "cli/command_line/options/worker_limits.h"
#include "cli/command_line/output_path.h"
#include "cli/command_line/verb.h"

/* What the frames of the mesh were taken for. */
static const char *frames_text(const snw_call *call, const snw_import_request *request, uint32_t count) {
	return request->is_set ? snw_arena_format(call->arena, "%u pose%s without order", count, snw_plural(count))
		   : request->sequence
			   ? snw_arena_format(call->arena, "%u frame%s in order (--poses: a set without order)", count, snw_plural(count))
			   : snw_arena_format(call->arena, "%u frame%s of mesh animation", count, snw_plural(count));
}

static void report_import(const snw_call *call, const char *path, const snw_import_request *request, const snw_scene *scene) {
	uint32_t points = 0, frames = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		points += scene->meshes[i].point_count;
	}
	for (uint32_t i = 0; i < scene->target_count; i++) {
		frames += scene->targets[i].frame_count;
	}
	frames /= 1 + request->further_count; /* of each mesh */
	const uint32_t joints = scene->skeleton.joint_count;
	snw_say(call, "%s: %u %s, %u point%s, %u joint%s, %u clip%s, %s", path, scene->mesh_count,
			scene->mesh_count == 1 ? "mesh" : "meshes", points, snw_plural(points), joints, snw_plural(joints),
			scene->clip_count, snw_plural(scene->clip_count), frames_text(call, request, frames));
	snw_answer_text(call->answer, "project", path);
	snw_answer_number(call->answer, "meshes", scene->mesh_count);
	snw_answer_number(call->answer, "points", points);
	snw_answer_number(call->answer, "joints", joints);
	snw_answer_number(call->answer, "clips", scene->clip_count);
	snw_answer_number(call->answer, "frames", frames);
	if (request->sequence) {
		snw_answer_bool(call->answer, "in_order", !request->is_set);
	}
}

/* The sequences behind the first, each with the --rest in the same place. */
static snw_status read_further(const snw_call *call, const char *option, snw_import_request *request, snw_error *error) {
	uint32_t sequences = 0, rests = 0;
	while (snw_call_option_at(call, option, (int)sequences)) {
		sequences++;
	}
	while (snw_call_option_at(call, "--rest", (int)rests)) {
		rests++;
	}
	if (sequences > 1 && rests > 0 && rests != sequences) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%u meshes and %u --rest; give one --rest for each %s, in the same order",
						sequences, rests, option);
	}
	snw_import_frames_of_mesh *further = SNW_NEW_ARRAY(call->arena, snw_import_frames_of_mesh, sequences);
	for (uint32_t i = 1; i < sequences; i++) {
		further[request->further_count++] =
			(snw_import_frames_of_mesh){snw_call_option_at(call, option, (int)i), snw_call_option_at(call, "--rest", (int)i)};
	}
	request->further = further;
	return SNW_OK;
}

static snw_status run_import(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	const char *in_order = snw_call_option_at(call, "--sequence", 0), *poses = snw_call_option_at(call, "--poses", 0);
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
		.rest = snw_call_option_at(call, "--rest", 0),
		.keep_points = snw_call_option(call, "--keep-points") != NULL,
		.is_lossy = snw_call_option(call, "--lossy") != NULL,
		.is_set = poses != NULL,
	};
	snw_worker_limits limits;
	snw_status status = snw_call_number(call, "--fps", 0.001, 100000, 0, &request.frames_per_second, error);
	status = snw_failed(status) ? status : read_further(call, poses ? "--poses" : "--sequence", &request, error);
	if (!snw_failed(status)) {
		status = snw_call_limits(call, &limits, error);
	}
	if (!snw_failed(status)) {
		status = snw_output_project(call, path, error);
	}
	if (!snw_failed(status)) {
		snw_scene *scene = NULL;
		status = snw_worker_import(&request, path, &limits, &call->task, &scene, error);
		if (!snw_failed(status)) {
			report_import(call, path, &request, scene);
		}
		snw_scene_destroy(scene);
	}
	return status;
}

static const snw_option import_options[] = {
	{"-o", "P.sinew", "the project to write"},
	{"--sequence", "FRAMES",
	 "an animated mesh: a file of frames, or numbered files: 'frames/*.obj'; once for each mesh of the body"},
	{"--poses", "FRAMES", "a set of meshes in no order, with no motion from one to the next"},
	{"--rest", "FILE.obj", "the mesh at rest, for frames without faces; one for each --sequence, in the same order"},
	{"--fps", "N", "frames per second of the sequence (default: 24)"},
	{"--keep-points", NULL, "do not merge the points that the file splits at seams"},
	{"--lossy", NULL, "take the mesh of a file whose joints are known not to be read (.iqm, .ms3d)"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--replace", NULL, "overwrite a project even if it has changes"},
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
	.options = import_options,
	.formats = snw_import_formats,
	.run = run_import,
};
