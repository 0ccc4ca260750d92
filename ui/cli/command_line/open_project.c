/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/verb.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "file/file.h"
#include "fit/stale.h"
#include "isolation/isolated_deformer.h"
#include "lod/lod.h"
#include "operators/operator.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "scene/scene.h"
#include "worker/worker.h"

/* ---- open project -------------------------------------------------------------------------------------------------------- */

/* Commands that run at the same time each read the project and then change it, so all but the first would fail because the
 * project has changed. They take turns by this lock. Failing to get it in time is no error: SQLite's own locks protect the
 * file. */
static int lock_queue(const char *path, const snw_task *task) {
	enum { WAIT_MILLISECONDS = 30000, QUIET_MILLISECONDS = 5000, STEP_MILLISECONDS = 10 };
	const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	for (int waited = 0; file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0 && waited < WAIT_MILLISECONDS;
		 waited += STEP_MILLISECONDS) {
		if (waited == QUIET_MILLISECONDS) {
			snw_task_notice(task, SNW_LOG_WARNING, "%s: waiting for other commands that change it, for up to %d seconds", path,
							WAIT_MILLISECONDS / 1000);
		}
		(void)poll(NULL, 0, STEP_MILLISECONDS);
	}
	return file;
}

snw_status snw_open_project(const char *path, int flags, const snw_task *task, snw_opened *opened, snw_error *error) {
	const bool takes_turns = flags & SNW_OPEN_WRITE && !(flags & SNW_OPEN_LONG);
	*opened = (snw_opened){.path = path, .name = path, .queue_lock = takes_turns ? lock_queue(path, task) : -1};
	snw_status status = flags & SNW_OPEN_OUTLINE ? snw_project_open_outline(path, &opened->project, error)
												 : snw_project_open(path, !(flags & SNW_OPEN_WRITE), &opened->project, error);
	if (!snw_failed(status)) {
		status = snw_project_read_scene(opened->project, task, &opened->scene, error);
	}
	if (!snw_failed(status) && flags & SNW_OPEN_PLUGINS) {
		opened->registry = snw_registry_open();
	}
	if (snw_failed(status)) {
		snw_opened_close(opened);
	}
	return status;
}

void snw_opened_close(snw_opened *opened) {
	if (opened->registry) {
		snw_registry_close(opened->registry);
	}
	snw_scene_destroy(opened->scene);
	snw_project_close(opened->project);
	if (opened->queue_lock >= 0) {
		close(opened->queue_lock); /* after the project: closing any descriptor of the file releases SQLite's locks */
	}
	*opened = (snw_opened){.queue_lock = -1};
}

snw_status snw_opened_mesh(const snw_call *call, const snw_opened *opened, uint32_t *mesh, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const char *name = snw_call_option(call, "--mesh");
	if (scene->mesh_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "the project has no mesh; import one first");
	}
	if (name) {
		return snw_noun_find(scene, SNW_NOUN_MESH, name, mesh, error);
	}
	if (scene->mesh_count == 1) {
		*mesh = 0;
		return SNW_OK;
	}
	const char *names = "";
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		names = snw_arena_format(call->arena, "%s%s%s", names, i ? ", " : "", scene->meshes[i].name);
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "there are several meshes; choose one with --mesh: %s", names);
}

const char *snw_opened_stale_text(const snw_call *call, const snw_opened *opened, uint32_t layer) {
	const uint32_t stale = snw_layer_stale(opened->scene, opened->registry, layer);
	return stale == 0 || stale == SNW_STALE_UNKNOWN
			   ? ""
			   : snw_arena_format(call->arena, ", stale: %s since it was fitted", snw_stale_words(stale, call->arena));
}

/* Edits of the rest of a mesh animation since its fit are visible in every frame; a new fit would remove them. */
static bool is_edited_rest(const snw_scene *scene, uint32_t stale) {
	bool has_sequence = false;
	for (uint32_t i = 0; i < scene->target_count; i++) {
		has_sequence = has_sequence || scene->targets[i].clip == SNW_NONE;
	}
	return has_sequence && stale == 1u << SNW_READ_MESHES;
}

static void warn_stale(const snw_call *call, const snw_opened *opened, const snw_layer *layer, uint32_t stale) {
	if (is_edited_rest(opened->scene, stale)) {
		snw_task_notice(
			&call->task, SNW_LOG_WARNING,
			"layer %s was fitted before the mesh changed; the animation plays with the change, and a new fit would undo it",
			layer->name);
		return;
	}
	if (snw_layer_is_baked(layer)) {
		snw_task_notice(&call->task, SNW_LOG_WARNING,
						"layer %s is stale: %s since it was baked; 'sinew bake %s' bakes it again", layer->name,
						snw_stale_words(stale, call->arena), opened->name);
		return;
	}
	const char *method_name = snw_registry_find(opened->registry, layer->deformer)->descriptor->short_name;
	const char *option = strcmp(method_name, layer->name) == 0 ? "" : " --layer ";
	snw_task_notice(&call->task, SNW_LOG_WARNING, "layer %s is stale: %s since it was fitted; 'sinew fit %s %s%s%s' fits it",
					layer->name, snw_stale_words(stale, call->arena), method_name, opened->name, option,
					option[0] ? layer->name : "");
}

void snw_opened_warn_stale(const snw_call *call, const snw_opened *opened, const char *method) {
	const snw_scene *scene = opened->scene;
	const uint32_t named = method ? snw_scene_find_layer(scene, method) : SNW_NONE;
	for (uint32_t i = 0; i < scene->layer_count && (named == SNW_NONE || i <= named); i++) {
		const snw_layer *layer = &scene->layers[i];
		const uint32_t stale = layer->muted && i != named ? 0 : snw_layer_stale(scene, opened->registry, i);
		if (stale != 0 && stale != SNW_STALE_UNKNOWN) {
			warn_stale(call, opened, layer, stale);
		}
	}
}

snw_status snw_opened_refit(const snw_call *call, const snw_opened *opened, snw_error *error) {
	snw_registry *found = opened->registry || opened->scene->model_count == 0 ? NULL : snw_registry_open();
	const snw_registry *registry = opened->registry ? opened->registry : found;
	if (!registry) {
		return SNW_OK;
	}
	snw_refresh refresh = {0};
	const snw_status status =
		snw_worker_refresh(opened->project, opened->path, registry, NULL, &call->task, call->arena, &refresh, error);
	cJSON *list = cJSON_GetObjectItem(call->answer, "refitted"); /* of what was refitted before the work */
	list = list ? list : snw_answer_list(call->answer, "refitted");
	for (uint32_t i = 0; i < refresh.fitted_count; i++) {
		snw_say(call, "refitted %s", refresh.fitted[i]);
		if (list) {
			cJSON_AddItemToArray(list, cJSON_CreateString(refresh.fitted[i]));
		}
	}
	for (uint32_t i = 0; i < refresh.failed_count; i++) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "a layer could not be refitted and stays stale: %s", refresh.failed[i]);
	}
	snw_registry_close(found);
	return status;
}

snw_status snw_opened_stack(const snw_call *call, const snw_opened *opened, const char *method, snw_stack **stack,
							snw_error *error) {
	const snw_stack_options options = {.method = method};
	const snw_level_scene *levels = opened->levels;
	snw_stack *built = NULL;
	snw_opened_warn_stale(call, opened, method);
	snw_status status =
		snw_stack_build(levels ? levels->before : opened->scene, opened->registry, &options, &call->task, &built, error);
	status = snw_failed(status) || !levels ? status : snw_stack_take_levels(built, levels, call->arena, error);
	if (snw_failed(status)) {
		snw_stack_destroy(built);
		return status;
	}
	*stack = built;
	return status;
}

snw_status snw_opened_at_level(const snw_call *call, const snw_opened *opened, uint32_t number, snw_opened *at_level,
							   snw_error *error) {
	snw_level_scene *made = SNW_NEW(call->arena, snw_level_scene);
	const snw_status status = snw_scene_at_level(opened->scene, number, call->arena, made, error);
	if (!snw_failed(status)) {
		*at_level = *opened;
		at_level->scene = &made->scene;
		at_level->levels = made;
	}
	return status;
}

/* ---- output path --------------------------------------------------------------------------------------------------------- */

static bool has_ending(const char *path, const char *endings) {
	const char *extension = snw_path_extension(path);
	const size_t length = strlen(extension);
	for (const char *ending = endings; length && ending; ending = strchr(ending, '|')) {
		ending += *ending == '|';
		if (strncasecmp(ending, extension, length) == 0 && (ending[length] == '|' || ending[length] == '\0')) {
			return true;
		}
	}
	return false;
}

static bool is_same_file(const char *a, const char *b) {
	struct stat of_a, of_b;
	return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* The option whose value this is; -o for the name of a file that is made from another's. */
static const char *option_of(const snw_call *call, const char *path) {
	const char *name = "-o";
	for (int i = 0; i < call->option_count; i++) {
		name = call->option_values[i] == path ? call->option_names[i] : name;
	}
	return name;
}

/* Every argument, and every value of an option except -o and this one, may name an input file. */
static bool is_read(const snw_call *call, const char *path) {
	bool same = false;
	for (int i = 0; i < call->argument_count; i++) {
		same = same || is_same_file(call->arguments[i], path);
	}
	for (int i = 0; i < call->option_count; i++) {
		const bool is_written = strcmp(call->option_names[i], "-o") == 0 || call->option_values[i] == path;
		same = same || (!is_written && is_same_file(call->option_values[i], path));
	}
	return same;
}

/* Checked before the work begins: the folder exists and is writable, and the file's name is not a folder. */
static snw_status check_place(const snw_call *call, const char *path, snw_error *error) {
	const char *name = snw_path_name(path), *option = option_of(call, path);
	const int length = (int)(name - path);
	const char *folder = length > 1 ? snw_arena_format(call->arena, "%.*s", length - 1, path) : length > 0 ? "/" : ".";
	struct stat about;
	if (stat(path, &about) != 0 && errno == ENAMETOOLONG) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: %s; choose a shorter one", option, path, strerror(errno));
	}
	if (stat(folder, &about) != 0) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: folder %s: %s; create it first, or name another", option, path, folder,
						strerror(errno));
	}
	if (!S_ISDIR(about.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: %s is not a folder; name one", option, path, folder);
	}
	if (access(folder, W_OK | X_OK) != 0) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: cannot write to folder %s: %s; name another", option, path, folder,
						strerror(errno));
	}
	if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: this is a folder; name a file in it", option, path);
	}
	return SNW_OK;
}

snw_status snw_output_file(const snw_call *call, const char *path, const char *endings, snw_error *error) {
	if (!has_ending(path, endings)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: its name must end in one of: %s", option_of(call, path), path,
						endings);
	}
	if (is_read(call, path)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s %s: this is the input file; write to another file",
						option_of(call, path), path);
	}
	return check_place(call, path, error);
}

snw_status snw_output_project(const snw_call *call, const char *path, snw_error *error) {
	enum { LONGEST = NAME_MAX - (sizeof "-journal" - 1) };
	if (strlen(snw_path_name(path)) > LONGEST) {
		return snw_fail(
			error, SNW_ERROR_ARGUMENT,
			"%s: its name is longer than %d bytes, so SQLite could write no journal beside it; choose a shorter one", path,
			LONGEST);
	}
	snw_status status = snw_output_file(call, path, "sinew", error);
	if (snw_failed(status) || !snw_file_exists(path) || snw_call_option(call, "--replace")) {
		return status;
	}
	snw_project *project = NULL;
	snw_history_entry *entries;
	uint32_t count = 0;
	status = snw_project_open(path, true, &project, error);
	if (status == SNW_ERROR_DATA) {
		return SNW_OK; /* not a project */
	}
	if (!snw_failed(status)) {
		status = snw_project_history(project, call->arena, &entries, &count, error);
	}
	snw_project_close(project);
	if (!snw_failed(status) && count > 1) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"%s: this project holds %u change%s that would be lost; write to another file, or give --replace", path,
						count - 1, snw_plural(count - 1));
	}
	return status;
}

/* ---- work in copy -------------------------------------------------------------------------------------------------------- */

static snw_status rebase_files(const snw_call *call, const char *path, const char *copy, snw_error *error) {
	snw_registry *registry = snw_registry_open();
	const char *folder = snw_path_absolute(call->arena, NULL, snw_path_folder(path, call->arena));
	const snw_status status = snw_project_rebase_files(copy, folder, registry, error);
	snw_registry_close(registry);
	return status;
}

snw_status snw_work_in_copy(snw_call *call, const char *path, const char *out, snw_project_work *work, void *context,
							snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(out, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *copy = snw_file_write_path(file);
	status = snw_project_copy(path, copy, error);
	status = snw_failed(status) ? status : rebase_files(call, path, copy, error);
	status = snw_failed(status) ? status : work(call, copy, context, error);
	if (!snw_failed(status)) {
		status = snw_project_move(copy, out, error);
	}
	snw_error_rename(error, copy, out);
	snw_file_write_abandon(file); /* the renamed file no longer exists under this name */
	return status;
}

/* ---- whether there are such plug-ins ------------------------------------------------------------------------------------- */

static bool has_plugins(snw_arena *arena) {
	size_t count;
	bool any = false;
	const snw_plugin_path *paths = snw_plugin_search(arena, &count);
	for (size_t i = 0; i < count; i++) {
		any = any || (!paths[i].is_shipped && !paths[i].reason);
	}
	return any;
}

/* They run in this process for those who debug them. */
static void isolate_plugins(const snw_call *call) {
	const char *in_process = getenv("SINEW_PLUGINS_IN_PROCESS");
	if (snw_call_option(call, "--in-process") || (in_process && in_process[0]) || !has_plugins(call->arena)) {
		return;
	}
	if (!snw_registry_isolate(SNW_ISOLATE_FOREIGN)) {
		snw_task_notice(
			&call->task, SNW_LOG_WARNING,
			"plug-ins run in this program itself, so one that crashes ends it: memory to share with processes of their own "
			"cannot be reserved (%s); raise the limits of this shell ('ulimit -v', 'ulimit -f')",
			strerror(errno));
	}
}

/* ---- what a verb prints, held back until it has ended, since it may start again or fail ---------------------------------- */

/* Returns the original standard output, or -1. */
static int hold_output(void) {
	fflush(stdout);
	const int held = memfd_create("sinew-output", MFD_CLOEXEC);
	const int output = held >= 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
	if (output >= 0) {
		dup2(held, STDOUT_FILENO);
	}
	if (held >= 0) {
		close(held);
	}
	return output;
}

static void forget_output(int output) {
	fflush(stdout);
	if (output >= 0 && ftruncate(STDOUT_FILENO, 0) == 0) {
		(void)lseek(STDOUT_FILENO, 0, SEEK_SET);
	}
}

static void release_output(int output) {
	char bytes[1 << 14];
	ssize_t count;
	if (output < 0) {
		return;
	}
	fflush(stdout);
	const int held = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	dup2(output, STDOUT_FILENO);
	close(output);
	(void)lseek(held, 0, SEEK_SET);
	while ((count = read(held, bytes, sizeof bytes)) > 0) {
		fwrite(bytes, 1, (size_t)count, stdout);
	}
	close(held);
}

/* ---- faults -------------------------------------------------------------------------------------------------------------- */

typedef struct attempt {
	const snw_call *call;
	const snw_task *task; /* the terminal's */
	uint32_t reported;    /* of the faults */
} attempt;

/* The method that --method names, of the verb or of its operator; NULL for none. */
static const char *named_method(const snw_call *call) {
	const snw_operator_call *operation = call->operation;
	for (uint32_t i = 0; operation && i < operation->count; i++) {
		const snw_argument *argument = &operation->row->arguments[operation->given[i].argument];
		if (strcmp(argument->name, "method") == 0 && !(argument->flags & SNW_ARGUMENT_BARE)) {
			return operation->given[i].text;
		}
	}
	return snw_call_option(call, "--method");
}

/* Whether the verb is to start again without the layers whose plug-ins have ended, which --strict forbids. A method that it is
 * asked for by name, or that it is to compare, cannot be left out: where that has happened, it has ended once more. */
static bool is_to_repeat(const attempt *a) {
	const char *method = named_method(a->call);
	bool any = false;
	for (uint32_t i = a->reported; i < snw_plugin_fault_count(); i++) {
		const snw_plugin_fault fault = snw_plugin_fault_at(i);
		const bool is_wanted = method && (strcmp(method, fault.layer) == 0 || strcmp(method, fault.who) == 0);
		any = any || (fault.is_first && fault.layer[0] && !is_wanted);
	}
	return any && !snw_layers_are_required() && !snw_project_last_changed() && strcmp(a->call->verb->name, "compare") != 0;
}

static bool report_progress(void *context, double fraction, const char *activity) {
	const attempt *a = context;
	return !is_to_repeat(a) && snw_task_progress(a->task, fraction, activity);
}

/* What an attempt that starts again has to say is said again. */
static void report_notice(void *context, snw_log_level level, const char *line) {
	const attempt *a = context;
	if (!is_to_repeat(a)) {
		snw_task_notice(a->task, level, "%s", line);
	}
}

static void report_measurement(void *context, const char *name, double value, const char *unit) {
	const attempt *a = context;
	snw_task_measurement(a->task, name, value, unit);
}

/* Whether an earlier fault was the same, as where several models of one layer end. */
static bool is_repeated(uint32_t index) {
	const snw_plugin_fault fault = snw_plugin_fault_at(index);
	bool found = false;
	for (uint32_t i = 0; i < index && !found; i++) {
		const snw_plugin_fault other = snw_plugin_fault_at(i);
		found = strcmp(other.layer, fault.layer) == 0 && strcmp(other.problem, fault.problem) == 0;
	}
	return found;
}

static void report_faults(attempt *a, bool are_left_out) {
	snw_terminal_clear();
	for (; a->reported < snw_plugin_fault_count(); a->reported++) {
		const snw_plugin_fault fault = snw_plugin_fault_at(a->reported);
		if (fault.layer[0] && !is_repeated(a->reported)) {
			fprintf(stderr,
					"sinew: layer '%s' (%s) %s%s; mute it ('sinew stack P.sinew mute %s'), or check its plug-in with 'sinew "
					"validate'\n",
					fault.layer, fault.who, fault.problem, are_left_out && fault.costs_layer ? "; it is left out" : "",
					fault.layer);
		}
	}
}

snw_status snw_run_with_plugins(snw_call *call, snw_error *error) {
	isolate_plugins(call);
	if (call->verb->runs_once) {
		return snw_verb_run(call, error);
	}
	const snw_task task = call->task;
	const int output = call->json ? -1 : hold_output();
	attempt a = {.call = call, .task = &task};
	call->task = (snw_task){&a, report_progress, report_notice, report_measurement};
	snw_status status = snw_verb_run(call, error);
	while (is_to_repeat(&a)) {
		report_faults(&a, true);
		snw_plugin_faults_leave_out();
		*error = (snw_error){0};
		forget_output(output);
		if (call->answer) {
			cJSON_Delete(call->answer);
			call->answer = cJSON_CreateObject();
		}
		status = snw_verb_run(call, error);
	}
	if (snw_failed(status) && snw_layers_are_required()) {
		forget_output(output);
	}
	release_output(output);
	call->task = task;
	if (!snw_failed(status)) {
		report_faults(&a, false);
	}
	return status;
}
