/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What most verbs begin and end with: opening a project, loading its scene, finding deformers; and fitting stale layers
 * again after a change.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPEN_PROJECT_H
#define SINEW_UI_CLI_COMMAND_LINE_OPEN_PROJECT_H

#include "cli/command_line/verb.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "scene/scene.h"
#include "stack/stack.h"

typedef struct snw_opened {
	const char *path; /* as given */
	const char *name; /* in messages: the path, or where the copy that this is will be */
	snw_project *project;
	snw_scene *scene;
	snw_registry *registry; /* NULL unless asked for */
	/* Whose meshes stacks pose in place of the project's: its scene is the one above (snw_opened_at_level). NULL */
	const struct snw_level_scene *levels;
	int queue_lock; /* a locked file descriptor: one command at a time changes the project; -1 if none */
} snw_opened;

enum {
	SNW_OPEN_READ = 0,
	SNW_OPEN_WRITE = 1 << 0, /* waits for other commands that change the project, up to 30 seconds */
	SNW_OPEN_PLUGINS = 1 << 1,
	SNW_OPEN_LONG = 1 << 2,    /* with SNW_OPEN_WRITE: other commands need not wait for this one */
	SNW_OPEN_OUTLINE = 1 << 3, /* to read: without the points of frames and the bytes of pictures (snw_project_open_outline) */
};

/* `flags`: SNW_OPEN_…. `task` gets progress for each frame of mesh animations that is read. On failure `opened` is empty. */
snw_status snw_open_project(const char *path, int flags, const snw_task *task, snw_opened *opened, snw_error *error);
void snw_opened_close(snw_opened *opened);

/* The mesh that --mesh names, or the only one. SNW_ERROR_ARGUMENT, with a list of the meshes, if there are several. */
snw_status snw_opened_mesh(const snw_call *call, const snw_opened *opened, uint32_t *mesh, snw_error *error);

/* Adds a warning that names the layers whose plug-ins are missing. */
snw_status snw_opened_stack(const snw_call *call, const snw_opened *opened, const char *method, snw_stack **stack,
							snw_error *error);

/* The same project, at a level of detail. SNW_ERROR_MISSING without it. */
snw_status snw_opened_at_level(const snw_call *call, const snw_opened *opened, uint32_t number, snw_opened *at_level,
							   snw_error *error);

/* Warns of each stale layer of a method's stack (NULL: the whole stack). snw_opened_stack includes this. */
void snw_opened_warn_stale(const snw_call *call, const snw_opened *opened, const char *method);

/* After a commit: fits stale layers again (worker/refresh.h) and prints their names. */
snw_status snw_opened_refit(const snw_call *call, const snw_opened *opened, snw_error *error);

/* ", stale: the examples changed" for a layer; "" if it is current. Needs SNW_OPEN_PLUGINS. */
const char *snw_opened_stale_text(const snw_call *call, const snw_opened *opened, uint32_t layer);

/* ---- output path --------------------------------------------------------------------------------------------------------- */

/* Checks output paths: a verb never overwrites its input, nor a project with changes by mistake. */

/* A path for a new project: it ends in .sinew, is none of the files that the call names, and is not a project with changes
 * unless --replace is given; its folder exists and is writable. SNW_ERROR_ARGUMENT, SNW_ERROR_CONFLICT or SNW_ERROR_IO, with
 * a message. */
snw_status snw_output_project(const snw_call *call, const char *path, snw_error *error);

/* A path for any other file: it has one of the `endings` ("png" or "glb|gltf|obj"), is none of the files that the call
 * names, and its folder exists and is writable. */
snw_status snw_output_file(const snw_call *call, const char *path, const char *endings, snw_error *error);

/* ---- work in copy -------------------------------------------------------------------------------------------------------- */

/* -o OUT.sinew of verbs that change a project: the work is done in a copy, which gets its name when it is done. */

/* Changes the project at `path`. */
typedef snw_status snw_project_work(snw_call *call, const char *path, void *context, snw_error *error);

/* Copies the project at `path`, works in the copy, and renames it to `out`. After an error nothing has changed. */
snw_status snw_work_in_copy(snw_call *call, const char *path, const char *out, snw_project_work *work, void *context,
							snw_error *error);

/* ---- run with plugins ---------------------------------------------------------------------------------------------------- */

/* Runs a verb with plug-ins that may end in the middle of it. */

/* Plug-ins that do not ship with Sinew get processes of their own. If that of a layer ends, one line says so, and the verb
 * starts again without the layer, unless it has changed a file or is one that runs once. */
snw_status snw_run_with_plugins(snw_call *call, snw_error *error);

/* ---- actions ------------------------------------------------------------------------------------------------------------- */

/* Verbs that show something, such as "sinew example P.sinew layers EXAMPLE". Each has a table of actions: the second
 * argument names one (without it the first runs), on the project that the first argument names. What changes a project is an
 * operator (operate.h). */

typedef struct snw_action {
	const char *name;
	/* `index` is that of the thing named by the third argument; SNW_NONE without SNW_ACTION_NAMED. */
	snw_status (*act)(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error);
	int flags; /* SNW_OPEN_… and SNW_ACTION_… */
} snw_action;

enum { SNW_ACTION_NAMED = 1 << 4 /* the third argument names a thing */ };

/* The actions of a verb, and the kind of thing that they are about. */
typedef struct snw_action_table {
	snw_noun noun;
	const snw_action *actions; /* the first is the default; ends with a NULL name */
} snw_action_table;

#endif
