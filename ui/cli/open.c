/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/open.h"

#include <stdio.h>
#include <string.h>

snw_status snw_desk_open(const char *path, int flags, snw_desk *desk, snw_error *error) {
	*desk = (snw_desk){0};
	snw_status status = snw_project_open(path, !(flags & SNW_DESK_WRITE), &desk->project, error);
	if (status == SNW_OK) {
		status = snw_project_scene(desk->project, &desk->scene, error);
	}
	if (status == SNW_OK && flags & SNW_DESK_PLUGINS) {
		desk->registry = snw_registry_open();
	}
	if (status != SNW_OK) {
		snw_desk_close(desk);
	}
	return status;
}

void snw_desk_close(snw_desk *desk) {
	if (desk->registry) {
		snw_registry_close(desk->registry);
	}
	snw_scene_destroy(desk->scene);
	snw_project_close(desk->project);
	*desk = (snw_desk){0};
}

snw_status snw_desk_mesh(const snw_call *call, const snw_desk *desk, uint32_t *mesh, snw_error *error) {
	const snw_scene *scene = desk->scene;
	const char *name = snw_call_option(call, "--on");
	if (scene->mesh_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "the project has no mesh; import one first");
	}
	const uint32_t found = name ? snw_scene_find_mesh(scene, name) : 0;
	if (found != SNW_NONE && (name || scene->mesh_count == 1)) {
		*mesh = found;
		return SNW_OK;
	}
	const char *names = "";
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		names = snw_arena_format(call->arena, "%s%s%s", names, i ? ", " : "", scene->meshes[i].name);
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT,
					name ? "--on %s: no such mesh; there are: %s" : "%sthere are several meshes; choose with --on: %s",
					name ? name : "", names);
}

snw_status snw_desk_stack(const snw_call *call, const snw_desk *desk, const char *method, snw_stack **stack, snw_error *error) {
	const snw_stack_options options = {.method = method};
	return snw_stack_build(desk->scene, desk->registry, &options, &call->task, stack, error);
}
