/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What most verbs start and end with: a project opened, its scene loaded, the deformers found; and one command committed.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPEN_PROJECT_H
#define SINEW_UI_CLI_COMMAND_LINE_OPEN_PROJECT_H

#include "cli/command_line/verb.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "stack/stack.h"

typedef struct snw_desk {
	const char *path; /* of the project, as it was given */
	snw_project *project;
	snw_scene *scene;
	snw_registry *registry; /* NULL unless asked for */
} snw_desk;

enum { SNW_DESK_READ = 0, SNW_DESK_WRITE = 1 << 0, SNW_DESK_PLUGINS = 1 << 1 };

/* Opens the project named by the call's first word, or by `path`. On failure the desk is empty. */
snw_status snw_desk_open(const char *path, int flags, snw_desk *desk, snw_error *error);
void snw_desk_close(snw_desk *desk);

/* The mesh that --on names, or the only one. SNW_ERROR_ARGUMENT lists the meshes where there are several. */
snw_status snw_desk_mesh(const snw_call *call, const snw_desk *desk, uint32_t *mesh, snw_error *error);

/* Adds a warning that names them where layers need plug-ins that are not there. */
snw_status snw_desk_stack(const snw_call *call, const snw_desk *desk, const char *method, snw_stack **stack, snw_error *error);

/* A warning for each stale layer of a method's stack (NULL: the whole). snw_desk_stack gives them too. */
void snw_desk_warn(const snw_call *call, const snw_desk *desk, const char *method);

/* After a committed change: fits stale layers again by themselves (worker/refresh.h), and says which. */
snw_status snw_desk_refresh(const snw_call *call, const snw_desk *desk, snw_error *error);

/* ", stale: the examples changed" behind a layer; "" where it is current. The desk has plug-ins. */
const char *snw_desk_stale(const snw_call *call, const snw_desk *desk, uint32_t layer);

#endif
