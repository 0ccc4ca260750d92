/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/open_project.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "fit/stale.h"
#include "lod/level_scene.h"
#include "scene/scene.h"
#include "worker/refresh.h"

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
