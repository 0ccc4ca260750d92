/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How most verbs begin and end: a project is opened, its scene is loaded, deformers are found; after a change, stale layers are
 * fitted again.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPEN_PROJECT_H
#define SINEW_UI_CLI_COMMAND_LINE_OPEN_PROJECT_H

#include "cli/command_line/verb.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "stack/stack.h"

typedef struct snw_opened {
	const char *path; /* as it was given */
	snw_project *project;
	snw_scene *scene;
	snw_registry *registry; /* NULL unless asked for */
	int queue_lock;         /* a locked file descriptor: one command at a time changes the project; -1 if none */
} snw_opened;

enum {
	SNW_OPEN_READ = 0,
	SNW_OPEN_WRITE = 1 << 0, /* waits while other commands change the project, up to five seconds */
	SNW_OPEN_PLUGINS = 1 << 1,
	SNW_OPEN_LONG = 1 << 2, /* with SNW_OPEN_WRITE: others need not wait until this one is closed */
};

/* `flags`: SNW_OPEN_…. On failure `opened` is empty. */
snw_status snw_open_project(const char *path, int flags, snw_opened *opened, snw_error *error);
void snw_opened_close(snw_opened *opened);

/* The mesh that --on names, or the only one. SNW_ERROR_ARGUMENT lists the meshes where there are several. */
snw_status snw_opened_mesh(const snw_call *call, const snw_opened *opened, uint32_t *mesh, snw_error *error);

/* Adds a warning that names them where layers need plug-ins that are not there. */
snw_status snw_opened_stack(const snw_call *call, const snw_opened *opened, const char *method, snw_stack **stack,
							snw_error *error);

/* A warning for each stale layer of a method's stack (NULL: the whole). snw_opened_stack gives them too. */
void snw_opened_warn_stale(const snw_call *call, const snw_opened *opened, const char *method);

/* After a committed change: fits stale layers again by themselves (worker/refresh.h), and says which. */
snw_status snw_opened_refit(const snw_call *call, const snw_opened *opened, snw_error *error);

/* ", stale: the examples changed" behind a layer; "" where it is current. Needs SNW_OPEN_PLUGINS. */
const char *snw_opened_stale_text(const snw_call *call, const snw_opened *opened, uint32_t layer);

#endif
