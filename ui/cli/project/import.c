/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew import: creates a project from a character or a mesh animation.
 */
#include "import/import.h"
#include "base/error.h"
#include "cli/command_line/verb.h"
#include "file/file.h"
#include "fit/samples.h"
#include "project/project.h"
#include "remesh/remesh.h"
#include "sample/sample.h"
#include "scene/scene.h"
#include "transfer/transfer.h"
#include "worker/worker.h"

/* ---- import -------------------------------------------------------------------------------------------------------------- */

#define SNW_MEMORY_OPTION                                                                                                      \
	{ "--memory", "GIB", "memory limit of the worker, which reads and fits (default: 8)" }
#define SNW_SECONDS_OPTION                                                                                                     \
	{ "--seconds", "N", "time limit of the worker (default: 3600)" }

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
	.part = SNW_VERB_MAKES,
	.usage = "FILE -o P.sinew | --sequence FRAMES|--poses FRAMES [--rest FILE.obj] -o P.sinew",
	.help = "Imports glTF, FBX, Collada, OBJ and others, or a sequence of meshes.",
	.actions = "",
	.least_arguments = 0,
	.most_arguments = 1,
	.options = import_options,
	.formats = snw_import_formats,
	.run = run_import,
};

/* ---- reimport ------------------------------------------------------------------------------------------------------------ */

/* sinew reimport: replaces a character that was changed in another program, and keeps the work on it. */

/* Reads the file as a scene: imports it in the worker, into a temporary project beside this one. */
static snw_status read_file(snw_call *call, snw_scene **fresh, snw_error *error) {
	snw_file_write *file = NULL;
	snw_worker_limits limits;
	snw_status status = snw_call_limits(call, &limits, error);
	status = snw_failed(status) ? status : snw_file_write_begin(call->arguments[0], &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *path = snw_file_write_path(file);
	const snw_import_request request = {
		.file = call->arguments[1],
		.keep_points = snw_call_option(call, "--keep-points") != NULL,
		.is_lossy = snw_call_option(call, "--lossy") != NULL,
	};
	status = snw_worker_import(&request, path, &limits, &call->task, fresh, error);
	snw_file_write_abandon(file);
	return status;
}

static const char *counted(const snw_call *call, uint32_t count, const char *one, const char *many) {
	return snw_arena_format(call->arena, "%u %s", count, count == 1 ? one : many);
}

static void report_reimport(const snw_call *call, const snw_transfer *transfer) {
	const snw_scene *scene = &transfer->scene;
	snw_say(call, "%s: %u new, %u gone, %u moved", counted(call, scene->skeleton.joint_count, "joint", "joints"),
			transfer->joints_added, transfer->joints_gone, transfer->joints_moved);
	snw_say(call, "%s: %u new, %u gone; %s moved at rest, weights changed on %u",
			counted(call, scene->mesh_count, "mesh", "meshes"), transfer->meshes_added, transfer->meshes_gone,
			counted(call, transfer->points_moved, "point", "points"), transfer->skins_changed);
	if (transfer->meshes_ordered > 0) {
		snw_say(call, "%s in another order, as if another program or an older Sinew had read the file: matched by their places",
				counted(call, transfer->meshes_ordered, "mesh has its points", "meshes have their points"));
	}
	if (transfer->meshes_replaced > 0) {
		snw_say(
			call, "%s, with weights from the file",
			counted(call, transfer->meshes_replaced, "mesh has other points or faces", "meshes have other points or faces"));
	}
	snw_say(call, "%s: %u from the file again, %u new, %u kept", counted(call, scene->clip_count, "clip", "clips"),
			transfer->clips_renewed, transfer->clips_added, transfer->clips_kept);
	snw_say(call, "%s kept, %u of them moved with the rig", counted(call, scene->example_count, "example", "examples"),
			transfer->examples_moved);
	snw_answer_number(call->answer, "joints", scene->skeleton.joint_count);
	snw_answer_number(call->answer, "joints_added", transfer->joints_added);
	snw_answer_number(call->answer, "joints_gone", transfer->joints_gone);
	snw_answer_number(call->answer, "joints_moved", transfer->joints_moved);
	snw_answer_number(call->answer, "meshes_added", transfer->meshes_added);
	snw_answer_number(call->answer, "meshes_gone", transfer->meshes_gone);
	snw_answer_number(call->answer, "meshes_ordered", transfer->meshes_ordered);
	snw_answer_number(call->answer, "meshes_replaced", transfer->meshes_replaced);
	snw_answer_number(call->answer, "points_moved", transfer->points_moved);
	snw_answer_number(call->answer, "skins_changed", transfer->skins_changed);
	snw_answer_number(call->answer, "clips_renewed", transfer->clips_renewed);
	snw_answer_number(call->answer, "clips_added", transfer->clips_added);
	snw_answer_number(call->answer, "clips_kept", transfer->clips_kept);
	snw_answer_number(call->answer, "examples", scene->example_count);
	snw_answer_number(call->answer, "examples_moved", transfer->examples_moved);
}

/* What a reimport makes of the project. */
typedef struct reimported {
	snw_scene *old; /* a copy, with the unedited points of examples in place */
	snw_remesh remesh;
	snw_transfer transfer;
	snw_saved_model *models; /* [layer_count] */
	bool *is_transferred;    /* [layer_count] */
} reimported;

static void report_remesh(const snw_call *call, const reimported *made) {
	const snw_remesh *remesh = &made->remesh;
	const snw_scene *old = made->old;
	snw_say(call, "%s: sculpts, fields and models follow the nearest place at rest within the same shell",
			counted(call, remesh->mesh_count, "mesh has other faces", "meshes have other faces"));
	if (remesh->target_count > 0) {
		snw_say(call, "%s resampled from the old surface; take a new one of what made it where it has to be exact",
				counted(call, remesh->target_count, "target or sequence is", "targets and sequences are"));
	}
	for (uint32_t i = 0; i < old->layer_count; i++) {
		if (made->is_transferred[i]) {
			snw_say(call, "layer %s keeps what it learned, at the new points", old->layers[i].name);
		}
	}
	if (remesh->far_count > 0) {
		snw_say(call, "%s no partner: farther than %g %% of the diagonal from the old shell, at most %.3g m",
				counted(call, remesh->far_count, "point has", "points have"), 100 * SNW_REMESH_FAR, remesh->farthest);
	}
	snw_answer_number(call->answer, "meshes_remeshed", remesh->mesh_count);
	snw_answer_number(call->answer, "points_without_partner", remesh->far_count);
	snw_answer_number(call->answer, "targets_resampled", remesh->target_count);
}

static snw_status make(const snw_call *call, const snw_opened *opened, const snw_scene *fresh, reimported *made,
					   snw_error *error) {
	made->old = snw_scene_copy(opened->scene);
	made->models = SNW_NEW_ARRAY(call->arena, snw_saved_model, made->old->layer_count);
	made->is_transferred = SNW_NEW_ARRAY(call->arena, bool, made->old->layer_count);
	snw_status status = snw_examples_place_unedited(made->old, opened->registry, error);
	status = snw_failed(status) ? status : snw_remesh_make(made->old, fresh, &call->task, call->arena, &made->remesh, error);
	status = snw_failed(status) ? status
								: snw_scene_transfer(made->remesh.mesh_count > 0 ? &made->remesh.scene : opened->scene, fresh,
													 call->arena, &made->transfer, error);
	for (uint32_t i = 0; !snw_failed(status) && made->remesh.mesh_count > 0 && i < made->old->example_count; i++) {
		made->transfer.example_moved[i] = true; /* it has other points, even where it is in place */
	}
	return snw_failed(status) || made->remesh.mesh_count == 0
			   ? status
			   : snw_remesh_models(&made->remesh, made->old, &made->transfer.scene, opened->registry, &call->task, call->arena,
								   made->models, made->is_transferred, error);
}

static snw_status put_remeshed(const snw_call *call, snw_opened *opened, const reimported *made, snw_error *error) {
	snw_status status = snw_project_put_points(opened->project, &made->transfer.scene, &call->task, error);
	for (uint32_t i = 0; !snw_failed(status) && i < made->old->layer_count; i++) {
		int64_t model = 0;
		if (made->is_transferred[i]) {
			status = snw_project_put_model(opened->project, &made->models[i], &model, error);
			status = snw_failed(status) ? status
										: snw_project_put_layer(opened->project, &made->old->layers[i], model, -1, NULL, error);
		}
	}
	return status;
}

static snw_status put(const snw_call *call, snw_opened *opened, const reimported *made, snw_error *error) {
	const char *label = snw_arena_format(call->arena, "reimport %s", snw_path_name(call->arguments[1]));
	snw_status status = snw_project_begin(opened->project, label, error);
	if (!snw_failed(status)) {
		status = snw_project_put_character(opened->project, &made->transfer, error);
		status = snw_failed(status) || made->remesh.mesh_count == 0 ? status : put_remeshed(call, opened, made, error);
		status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
		snw_project_rollback(opened->project);
	}
	return status;
}

static snw_status run_reimport(snw_call *call, snw_error *error) {
	snw_opened opened;
	snw_scene *fresh = NULL;
	reimported made = {0};
	snw_error why = {0};
	snw_status status = snw_open_project(call->arguments[0], SNW_OPEN_WRITE | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = read_file(call, &fresh, error);
	if (!snw_failed(status)) {
		status = make(call, &opened, fresh, &made, &why);
		if (snw_failed(status)) {
			snw_fail(error, status, "%s: %s", call->arguments[1], why.text);
		}
	}
	status = snw_failed(status) ? status : put(call, &opened, &made, error);
	if (!snw_failed(status)) {
		report_reimport(call, &made.transfer);
		if (made.remesh.mesh_count > 0) {
			report_remesh(call, &made);
		}
		status = snw_opened_refit(call, &opened, error);
	}
	if (made.old) {
		snw_scene_destroy(made.old);
	}
	snw_scene_destroy(fresh);
	snw_opened_close(&opened);
	return status;
}

static const snw_option reimport_options[] = {
	{"--keep-points", NULL, "do not merge the points that the file splits at seams; give it if the import had it"},
	{"--lossy", NULL, "take the mesh of a file whose joints are known not to be read (.iqm, .ms3d)"},
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{"--in-process", NULL, "run without a worker process, for debuggers"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_reimport = {
	.name = "reimport",
	.part = SNW_VERB_MAKES,
	.usage = "P.sinew FILE [--keep-points]",
	.help = "Imports a changed character again; poses, examples, groups, targets and layers are kept.",
	.actions = "",
	.least_arguments = 2,
	.most_arguments = 2,
	.options = reimport_options,
	.run = run_reimport,
};

/* ---- sample -------------------------------------------------------------------------------------------------------------- */

/* sinew sample: creates a sample character or mesh animation. */

static snw_status run_sample(snw_call *call, snw_error *error) {
	const char *name = call->arguments[0];
	const char *path = snw_call_option(call, "-o");
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the output is missing; name it: sinew sample %s -o P.sinew", name);
	}
	snw_scene *scene = NULL;
	snw_status status = snw_output_project(call, path, error);
	if (!snw_failed(status)) {
		status = snw_sample_make(name, &scene, error);
	}
	if (!snw_failed(status)) {
		status = snw_project_write(path, scene, snw_arena_format(call->arena, "sample %s", name), error);
	}
	if (!snw_failed(status)) {
		uint32_t points = 0;
		for (uint32_t i = 0; i < scene->mesh_count; i++) {
			points += scene->meshes[i].point_count;
		}
		snw_say(call, "%s: %u point%s, %u joint%s, %u clip%s, %u example%s", path, points, snw_plural(points),
				scene->skeleton.joint_count, snw_plural(scene->skeleton.joint_count), scene->clip_count,
				snw_plural(scene->clip_count), scene->example_count, snw_plural(scene->example_count));
		snw_answer_text(call->answer, "project", path);
		snw_answer_number(call->answer, "points", points);
		snw_answer_number(call->answer, "joints", scene->skeleton.joint_count);
	}
	snw_scene_destroy(scene);
	return status;
}

static const snw_option sample_options[] = {
	{"-o", "P.sinew", "the project to write"},
	{"--replace", NULL, "overwrite a project even if it has changes"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_sample = {
	.name = "sample",
	.part = SNW_VERB_MAKES,
	.usage = "arm|small-arm|tiny-arm|bar|cloth|face|tube|twist-bar|elbow|muscle-arm|dressed|limbs -o P.sinew",
	.help = "Creates a sample character or mesh animation.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = sample_options,
	.run = run_sample,
};
