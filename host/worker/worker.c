/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault/fault.h"
#include "file/file.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "isolation/confine.h"
#include "isolation/isolated_deformer.h"
#include "message/message.h"
#include "project/project.h"
#include "sinew/kit/clock.h"
#include "worker/job/job.h"
#include "worker/program/sandbox.h"

/* ---- result folder ------------------------------------------------------------------------------------------------------- */

/* The folder in which an import writes its project, beside the final path. The worker can write nowhere else. The program
 * reads and checks the result before it moves it to the final path. */

typedef struct snw_result_folder {
	snw_arena *arena;
	const char *path;    /* the final path of the project */
	char *folder;        /* on the same file system, so that its files can be renamed to `path` */
	const char *project; /* the file that the worker writes */
	int lock;            /* locked while the folder is in use */
} snw_result_folder;

/* Removes folders that killed programs left beside `path`, and makes a new one. After SNW_OK, close it in any case. */
static snw_status result_folder_open(const char *path, snw_arena *arena, snw_result_folder *result, snw_error *error) {
	snw_file_sweep(path);
	char *folder = snw_file_unfinished_name(path, arena);
	if (!mkdtemp(folder)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
	}
	*result = (snw_result_folder){
		.arena = arena,
		.path = path,
		.folder = folder,
		.project = snw_path_join(arena, folder, "project.sinew"),
		.lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
	(void)flock(result->lock, LOCK_EX | LOCK_NB);
	return SNW_OK;
}

/* Removes the folder with everything in it. */
static void result_folder_close(snw_result_folder *result) {
	snw_file_remove_folder(result->folder);
	if (result->lock >= 0) {
		close(result->lock);
	}
}

/* ---- the worker's result ------------------------------------------------------------------------------------------------- */

/* An exploited reader could leave a link to one of the user's files, or a pipe without a writer. */
static snw_status check_kind(const snw_result_folder *result, snw_error *error) {
	struct stat info;
	if (lstat(result->project, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the import wrote no regular file; the old file is unchanged", result->path);
	}
	return SNW_OK;
}

/* Checks the result as an untrusted project and moves it to `path`, with progress while it is read. The caller destroys the
 * scene. On failure, SNW_CANCELLED included, there is none, and the old file is unchanged. */
static snw_status result_folder_accept(const snw_result_folder *result, const snw_task *task, snw_scene **scene,
									   snw_error *error) {
	snw_scene *read = NULL;
	snw_status status = check_kind(result, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_error fault = {0};
	status = snw_job_open(result->project, task, &read, &fault);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s: cancelled", result->path);
	}
	if (snw_failed(status)) {
		snw_error_rename(&fault, result->project, result->path);
		return snw_fail(error, status, "%s (in the result of the import; the old file is unchanged)", fault.text);
	}
	status = snw_project_move(result->project, result->path, error);
	if (snw_failed(status)) {
		snw_scene_destroy(read);
		return status;
	}
	read->folder = snw_path_absolute(read->arena, NULL, snw_path_folder(result->path, read->arena));
	*scene = read;
	return status;
}

/* ---- worker -------------------------------------------------------------------------------------------------------------- */

static const double DEFAULT_IDLE_SECONDS = 60, DEFAULT_TOTAL_SECONDS = 3600;

static snw_worker_limits with_defaults(const snw_worker_limits *limits) {
	snw_worker_limits complete = limits ? *limits : (snw_worker_limits){0};
	if (complete.memory_bytes == 0) {
		complete.memory_bytes = SNW_PROCESS_MEMORY;
	}
#ifdef __SANITIZE_ADDRESS__
	complete.memory_bytes = 0; /* the sanitizer reserves more address space than any limit */
#endif
	complete.idle_seconds =
		complete.idle_seconds > 0 ? complete.idle_seconds : fmax(DEFAULT_IDLE_SECONDS, complete.total_seconds);
	complete.total_seconds = complete.total_seconds > 0 ? complete.total_seconds : DEFAULT_TOTAL_SECONDS;
	return complete;
}

/* The CPU time that all threads together can use in the total time. */
static uint64_t cpu_seconds(const snw_worker_limits *limits) {
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	return (uint64_t)ceil(limits->total_seconds) * (uint64_t)(cores > 0 ? cores : 1);
}

/* ---- a job --------------------------------------------------------------------------------------------------------------- */

/* A file in memory, whose descriptor the worker gets; below 0 on failure. */
static int make_file(const char *subject, snw_error *error) {
	const int file = memfd_create("sinew-worker", MFD_CLOEXEC);
	if (file < 0) {
		snw_fail(error, SNW_ERROR_IO, "%s: there is no room for the result: %s; %s", subject, strerror(errno),
				 errno == EMFILE ? "raise the limit on open files (ulimit -n)" : "close other programs and try again");
	}
	return file;
}

/* `result` is the file for the result; below 0 if the job has none. */
static snw_status run_worker(const snw_worker_request *request, int result, const snw_worker_limits *limits,
							 const snw_process_texts *texts, const snw_task *task, bool *was_stopped, snw_error *error) {
	snw_process process = {0};
	const int file = make_file(texts->subject, error);
	if (file < 0) {
		return SNW_ERROR_IO;
	}
	snw_stream out = snw_stream_file_begin(file);
	if (!out.is_broken) {
		snw_worker_request_put(&out, request);
	}
	snw_status status = snw_stream_file_end(&out, "the request to the worker", error);
	status = snw_failed(status) ? status : snw_process_start(file, result, &process, error);
	close(file);
	if (!snw_failed(status)) {
		status = snw_process_watch(&process, limits, texts, task, error);
		*was_stopped = process.was_stopped;
	}
	return status;
}

/* Warns once, because the answer is the same for every file. */
static void warn_of_missing_sandbox(const snw_task *task) {
	static atomic_flag warned = ATOMIC_FLAG_INIT;
	if (!snw_sandbox_available() && !atomic_flag_test_and_set(&warned)) {
		snw_task_notice(
			task, SNW_LOG_WARNING,
			"this kernel lacks Landlock or seccomp, so files and pictures are read without a sandbox; read only those that you "
			"trust");
	}
}

static snw_status import_in_worker(const snw_import_request *request, const char *project, const snw_worker_limits *limits,
								   const snw_task *task, snw_error *error) {
	const snw_worker_limits complete = with_defaults(limits);
	const snw_process_texts texts = {
		.subject = request->file ? request->file : request->sequence,
		.part = "the reader",
		.advice = "the file is malformed or unsupported; open it in another program and export it as .glb",
		.grace_seconds = 0.5,
	};
	const snw_worker_request job = {.job = SNW_WORKER_IMPORT,
									.memory_bytes = complete.memory_bytes,
									.cpu_seconds = cpu_seconds(&complete),
									.path = project,
									.import = *request};
	warn_of_missing_sandbox(task);
	bool was_stopped = false;
	return run_worker(&job, -1, &complete, &texts, task, &was_stopped, error);
}

snw_status snw_worker_import(const snw_import_request *request, const char *path, const snw_worker_limits *limits,
							 const snw_task *task, snw_scene **scene, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_result_folder result = {0};
	snw_status status = result_folder_open(path, arena, &result, error);
	if (!snw_failed(status)) {
		snw_scene *made = NULL;
		status = limits && limits->in_process ? snw_job_import(request, result.project, task, error)
											  : import_in_worker(request, result.project, limits, task, error);
		if (snw_failed(status)) {
			snw_error_rename(error, result.project, path);
		} else {
			status = result_folder_accept(&result, task, &made, error);
		}
		if (scene && !snw_failed(status)) {
			*scene = made;
		} else {
			snw_scene_destroy(made);
		}
		result_folder_close(&result);
	}
	snw_arena_destroy(arena);
	return status;
}

/* ---- single files -------------------------------------------------------------------------------------------------------- */

static snw_status read_in_worker(const snw_read_request *request, const char *path, int file, const snw_worker_limits *limits,
								 const snw_task *task, snw_arena *arena, snw_read_result *result, snw_error *error) {
	const snw_worker_limits complete = with_defaults(limits);
	const snw_process_texts texts = {
		.subject = path,
		.part = "the reader",
		.advice = "the file is malformed; write it again",
		.has_fixed_limits = request->kind == SNW_FILE_KIND_PICTURES,
		.grace_seconds = 0.5,
	};
	const snw_worker_request job = {.job = SNW_WORKER_READ,
									.memory_bytes = complete.memory_bytes,
									.cpu_seconds = cpu_seconds(&complete),
									.path = path,
									.read = *request};
	bool was_stopped = false;
	warn_of_missing_sandbox(task);
	const snw_status status = run_worker(&job, file, &complete, &texts, task, &was_stopped, error);
	return snw_failed(status) ? status : snw_read_get_result(request, path, file, arena, result, error);
}

static snw_status run_reader(const snw_read_request *request, const char *path, const snw_worker_limits *limits,
							 const snw_task *task, snw_arena *arena, snw_read_result *result, snw_error *error) {
	const int file = make_file(path, error);
	if (file < 0) {
		return SNW_ERROR_IO;
	}
	const snw_status status = read_in_worker(request, path, file, limits, task, arena, result, error);
	close(file);
	return status;
}

snw_status snw_worker_read_mesh(const char *path, const snw_worker_limits *limits, const snw_task *task, snw_arena *arena,
								snw_mesh *mesh, snw_error *error) {
	const snw_read_request request = {.kind = SNW_FILE_KIND_MESH};
	snw_read_result result;
	const snw_status status = run_reader(&request, path, limits, task, arena, &result, error);
	if (!snw_failed(status)) {
		*mesh = result.mesh;
	}
	return status;
}

snw_status snw_worker_read_frames(const char *path, uint32_t point_count, double frames_per_second,
								  const snw_worker_limits *limits, const snw_task *task, snw_arena *arena,
								  snw_point_frames *frames, snw_error *error) {
	const snw_read_request request = {
		.kind = SNW_FILE_KIND_FRAMES, .count = point_count, .frames_per_second = frames_per_second};
	snw_read_result result;
	const snw_status status = run_reader(&request, path, limits, task, arena, &result, error);
	if (!snw_failed(status)) {
		*frames = result.frames;
	}
	return status;
}

snw_status snw_worker_read_pose(const snw_scene *scene, const char *path, const snw_worker_limits *limits, const snw_task *task,
								snw_arena *arena, snw_pose **pose, snw_error *error) {
	const snw_read_request request = {.kind = SNW_FILE_KIND_POSE};
	snw_read_result result;
	const snw_status status = run_reader(&request, path, limits, task, arena, &result, error);
	return snw_failed(status) ? status : snw_pose_from_values(scene, path, &result.values, arena, pose, error);
}

static snw_status decode_in_worker(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task,
								   snw_arena *arena, snw_mipmap *decoded, snw_error *error) {
	const char *subject = count == 1 ? uses[0].name : "pictures";
	const snw_read_request request = {.kind = SNW_FILE_KIND_PICTURES, .count = count, .picture_bytes = budget};
	const int file = make_file(subject, error);
	if (file < 0) {
		return SNW_ERROR_IO;
	}
	snw_read_result result;
	snw_status status = snw_read_put_pictures(file, uses, count, error);
	status = snw_failed(status) ? status : read_in_worker(&request, subject, file, NULL, task, arena, &result, error);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		decoded[i] = result.pictures[i];
	}
	close(file);
	return status;
}

/* A picture that ends the worker costs only itself: then each is decoded by a worker of its own. */
void snw_worker_decode_pictures(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task,
								snw_arena *arena, snw_mipmap *decoded) {
	snw_error error;
	if (count == 0 || !snw_failed(decode_in_worker(uses, count, budget, task, arena, decoded, &error))) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		decoded[i] = (snw_mipmap){0};
		if (count == 1 || snw_failed(decode_in_worker(&uses[i], 1, budget / count, task, arena, &decoded[i], &error))) {
			snw_task_notice(task, SNW_LOG_WARNING, "picture %s: %s; its material is shown without it", uses[i].name,
							error.text);
		}
	}
}

/* ---- fits ---------------------------------------------------------------------------------------------------------------- */

/* A fit may be silent for as long as any call into a plug-in may take. */
static snw_worker_limits limits_of_fit(const snw_worker_limits *limits) {
	snw_worker_limits complete = with_defaults(limits);
	const uint32_t seconds = snw_call_limit_seconds();
	if (!limits || !(limits->idle_seconds > 0)) {
		complete.idle_seconds = seconds == 0 ? (double)INFINITY : limits ? fmax(seconds, limits->total_seconds) : seconds;
	}
	return complete;
}

static snw_status fit_in_worker(const char *path, const snw_scene *scene, const snw_fit_request *request,
								const snw_worker_limits *limits, const snw_task *task, snw_fit_outcome *outcome,
								snw_error *error) {
	const snw_worker_limits complete = limits_of_fit(limits);
	const snw_process_texts texts = {
		.subject = request->method,
		.part = "the fit",
		.advice = "the project is unchanged; tell the plug-in's author, who can debug it with --in-process",
		.grace_seconds = 5,
	};
	bool was_stopped = false;
	const int file = make_file(request->method, error);
	if (file < 0) {
		return SNW_ERROR_IO;
	}
	const snw_worker_request job = {.job = SNW_WORKER_FIT,
									.memory_bytes = complete.memory_bytes,
									.cpu_seconds = cpu_seconds(&complete),
									.path = path,
									.fit = *request,
									.needs_all_layers = snw_layers_are_required()};
	snw_status status = run_worker(&job, file, &complete, &texts, task, &was_stopped, error);
	if (!snw_failed(status)) {
		const snw_status read = snw_outcome_read(file, scene, outcome, error);
		status = snw_failed(read) ? read : status;
		outcome->place = snw_fit_place(scene);
		outcome->was_stopped = was_stopped;
	}
	close(file);
	return status;
}

snw_status snw_worker_fit(const char *path, const snw_fit_request *request, const snw_worker_limits *limits,
						  const snw_task *task, snw_fit_outcome *outcome, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_job_open(path, task, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	if (limits && limits->in_process) {
		status = snw_job_fit(scene, request, task, outcome, error);
	} else {
		status = fit_in_worker(path, scene, request, limits, task, outcome, error);
	}
	snw_scene_destroy(scene);
	return status;
}

/* ---- refitting ----------------------------------------------------------------------------------------------------------- */

typedef struct refreshing {
	snw_project *project;
	const char *path;
	const snw_registry *registry;
	const snw_worker_limits *limits;
	const snw_task *task;
	snw_arena *arena;
	snw_refresh *refresh;
	snw_error *error;
} refreshing;

/* Whether nothing reads the layer. A bake reads layers below it that it has muted. */
static bool is_unread(const snw_scene *scene, uint32_t layer) {
	snw_arena *scratch = snw_arena_create();
	const snw_scene *seen = snw_scene_of_layer(scene, scene->layers[layer].name, scratch);
	const bool is = seen->layers[layer].muted;
	snw_arena_destroy(scratch);
	return is;
}

static bool reads_frames(const snw_scene *scene, const snw_descriptor *descriptor, const char *samples) {
	bool reads = false;
	for (uint32_t t = 0; t < scene->target_count && !reads; t++) {
		reads = snw_samples_can_have_target(descriptor->needs, &scene->targets[t]) &&
				snw_samples_have_target(scene, samples, &scene->targets[t]);
	}
	return reads;
}

/* Whether a layer of SNW_REFITS_EXAMPLES is stale only by what a refit follows, and has nothing else to learn from, which may
 * be long. */
static bool needs_refit(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer, uint32_t stale) {
	const uint32_t followed = 1u << SNW_READ_EXAMPLES | 1u << SNW_READ_GROUPS | 1u << SNW_READ_BELOW;
	return stale != 0 && (stale & ~followed) == 0 && snw_scene_active_example_count(scene) > 0 &&
		   snw_samples_include_examples(descriptor->needs, layer->samples) && !reads_frames(scene, descriptor, layer->samples);
}

static bool needs_fit(const snw_registry *registry, const snw_scene *scene, uint32_t index) {
	const snw_layer *layer = &scene->layers[index];
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
	if (!(traits & (SNW_REFITS | SNW_REFITS_EXAMPLES)) || is_unread(scene, index) || snw_layer_is_baked(layer)) {
		return false;
	}
	const uint32_t stale = snw_layer_stale(scene, registry, index);
	return traits & SNW_REFITS ? stale != 0 && snw_scene_active_example_count(scene) + scene->target_count > 0
							   : needs_refit(scene, deformer->descriptor, layer, stale);
}

static snw_fit_request request_of(const snw_scene *scene, uint32_t layer) {
	return (snw_fit_request){.method = scene->layers[layer].deformer,
							 .layer = scene->layers[layer].name,
							 .left_out_example = SNW_NONE,
							 .refits = true};
}

/* Fits one layer. SNW_OK even if the fit fails: the failure is reported in `refresh`. */
static snw_status fit_layer(refreshing *r, const snw_scene *scene, uint32_t layer) {
	const char *name = snw_arena_text(r->arena, scene->layers[layer].name);
	const snw_fit_request request = request_of(scene, layer);
	snw_fit_outcome outcome = {.arena = r->arena};
	snw_error why = {0};
	const bool in_process = r->limits && r->limits->in_process;
	snw_status status = in_process ? snw_fit_run(scene, r->registry, &request, r->task, &outcome, &why)
								   : snw_worker_fit(r->path, &request, r->limits, r->task, &outcome, &why);
	if (snw_failed(status)) {
		r->refresh->failed[r->refresh->failed_count++] = snw_arena_format(r->arena, "%s: %s", name, why.text);
		return SNW_OK;
	}
	status = snw_project_commit_fit(r->project, NULL, &outcome, NULL, &why);
	if (status == SNW_ERROR_CONFLICT) { /* who changed it meanwhile fits it again */
		r->refresh->failed[r->refresh->failed_count++] = snw_arena_format(r->arena, "%s: %s", name, why.text);
		return SNW_OK;
	}
	if (snw_failed(status)) {
		return snw_fail(r->error, status, "%s", why.text);
	}
	r->refresh->fitted[r->refresh->fitted_count++] = name;
	return SNW_OK;
}

snw_status snw_worker_refresh(snw_project *project, const char *path, const snw_registry *registry,
							  const snw_worker_limits *limits, const snw_task *task, snw_arena *arena, snw_refresh *refresh,
							  snw_error *error) {
	const double begun = snk_clock_seconds();
	snw_scene *scene = NULL;
	refreshing r = {project, path, registry, limits, task, arena, refresh, error};
	snw_status status = snw_project_scene(project, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	*refresh = (snw_refresh){.fitted = SNW_NEW_ARRAY(arena, const char *, scene->layer_count),
							 .failed = SNW_NEW_ARRAY(arena, const char *, scene->layer_count)};
	for (uint32_t layer = 0; !snw_failed(status) && layer < scene->layer_count; layer++) {
		if (!needs_fit(registry, scene, layer)) {
			continue;
		}
		const uint32_t fitted = refresh->fitted_count;
		status = fit_layer(&r, scene, layer);
		if (!snw_failed(status) && refresh->fitted_count > fitted) {
			snw_scene_destroy(scene);
			scene = NULL;
			status = snw_project_scene(project, &scene, error);
		}
	}
	snw_scene_destroy(scene);
	refresh->seconds = snk_clock_seconds() - begun;
	return status;
}

/* Replaces the scene by one with the layer refitted. SNW_OK, with the scene as it was, if the fit fails. */
static snw_status refit_copy(snw_scene **scene, uint32_t layer, const snw_registry *registry, const snw_task *task,
							 snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_fit_request request = request_of(*scene, layer);
	snw_fit_outcome outcome = {.arena = arena};
	snw_scene *next = NULL;
	snw_status status = snw_fit_run(*scene, registry, &request, task, &outcome, NULL);
	if (!snw_failed(status)) {
		status = snw_fit_apply(*scene, &outcome, &next, error);
	} else if (status != SNW_CANCELLED) {
		status = SNW_OK;
	}
	if (next) {
		snw_scene_destroy(*scene);
		*scene = next;
	}
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_scene_after_fit(const snw_scene *scene, const snw_registry *registry, const snw_fit_outcome *outcome,
							   const snw_task *task, snw_scene **result, snw_error *error) {
	snw_scene *after = NULL;
	snw_status status = snw_fit_apply(scene, outcome, &after, error);
	for (uint32_t layer = 0; !snw_failed(status) && layer < after->layer_count; layer++) {
		if (needs_fit(registry, after, layer)) {
			status = refit_copy(&after, layer, registry, task, error);
		}
	}
	if (snw_failed(status)) {
		snw_scene_destroy(after);
		after = NULL;
	}
	*result = after;
	return status;
}
