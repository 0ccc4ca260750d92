/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The project file: an SQLite database that holds a scene, and the journal of every change to it.
 *
 * A change is a command: begin, put and remove, commit. It is in the file at once, with what undoes it (an SQLite changeset), so
 * undo, redo, history and crash recovery are one mechanism, and they survive the program. A process that is killed
 * loses the command in hand and nothing else.
 */
#ifndef SINEW_HOST_PROJECT_PROJECT_H
#define SINEW_HOST_PROJECT_PROJECT_H

#include "base/task.h"
#include "scene/scene.h"
#include "transfer/transfer.h"

typedef struct snw_project snw_project;

/* Writes a scene as a new project, atomically over what was at `path`; ids are assigned in the file. Its history starts
 * with one entry, `label` ("import arm.glb"), that cannot be undone. */
snw_status snw_project_write(const char *path, const snw_scene *scene, const char *label, snw_error *error);
/* The same for a scene that has passed snw_scene_check, as what snw_import gives has. */
snw_status snw_project_write_checked(const char *path, const snw_scene *scene, const char *label, snw_error *error);

/* Moves a finished project into the place of whatever is at `path`, as snw_project_write does: a program that has the old one
 * open is waited for, and what a killed one left half done is not played into the new one. Both on one file system. */
snw_status snw_project_move(const char *finished, const char *path, snw_error *error);

/* The whole project at `path`, as its last finished command left it, into the empty file `copy`. */
snw_status snw_project_copy(const char *path, const char *copy, snw_error *error);

/* Opens an existing project; migrates an older schema forward in one transaction; refuses a newer one, and anything that is
 * not a project, with words. */
snw_status snw_project_open(const char *path, bool read_only, snw_project **project, snw_error *error);
void snw_project_close(snw_project *project); /* an open command is rolled back; NULL does nothing */

/* The scene as it stands, in an arena of its own, checked (scene/scene.h): a damaged file gives an error, never a bad scene. */
snw_status snw_project_scene(snw_project *project, snw_scene **scene, snw_error *error);
/* The same with its progress told, frame by frame of mesh animations; SNW_CANCELLED leaves no scene. */
snw_status snw_project_read_scene(snw_project *project, const snw_task *task, snw_scene **scene, snw_error *error);

/* One command at a time. Indices inside the structs (a pose of an example, the members of a group) refer to `scene`, from which
 * ids are taken. `put` replaces the row of that id, or of that name where id is 0, else adds one. On commit the command is
 * durable; on rollback it never was. A put or remove that fails spoils its command: the commit then fails too, and nothing of it
 * is kept. A command that changed nothing leaves no entry. What is put is checked as snw_scene_check does. Begin gives
 * SNW_ERROR_CONFLICT where another program has changed the file since snw_project_scene read it here. */
snw_status snw_project_begin(snw_project *project, const char *label, snw_error *error);
/* The same for a change that stands beside whatever another program has changed since, as the model of a long fit does: there is no
 * SNW_ERROR_CONFLICT. */
snw_status snw_project_begin_beside(snw_project *project, const char *label, snw_error *error);
/* Goes on with the command that was committed last: what follows is committed as a part of it, and undone with it. For what a
 * change brings about by itself. SNW_ERROR_MISSING where the last command was undone, or made the file. */
snw_status snw_project_begin_amend(snw_project *project, snw_error *error);
snw_status snw_project_commit(snw_project *project, snw_error *error);
void snw_project_rollback(snw_project *project);

snw_status snw_project_put_pose(snw_project *project, const snw_pose *pose, int64_t *id, snw_error *error);
/* `pose` and `mesh` are ids; the struct's own indices are not read. */
snw_status snw_project_put_example(snw_project *project, const snw_example *example, int64_t pose, int64_t mesh,
								   uint32_t point_count, int64_t *id, snw_error *error);
/* Members as ids: examples[i] with masks[i] (a field's id, 0 for none). */
snw_status snw_project_put_group(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
								 int64_t *id, snw_error *error);
/* The order in which groups act, as ids; all of them. */
snw_status snw_project_put_group_order(snw_project *project, uint32_t count, const int64_t *groups, snw_error *error);
snw_status snw_project_put_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error);
/* `clip` is 0 for a sequence. */
snw_status snw_project_put_target(snw_project *project, const snw_target *target, int64_t mesh, uint32_t point_count,
								  int64_t clip, int64_t *id, snw_error *error);
snw_status snw_project_put_clip(snw_project *project, const snw_clip *clip, int64_t *id, snw_error *error);
snw_status snw_project_put_model(snw_project *project, const snw_saved_model *model, int64_t *id, snw_error *error);
/* `model` is an id or 0. `position` counts from the bottom; -1 keeps a layer where it is, or puts a new one on top. */
snw_status snw_project_put_layer(snw_project *project, const snw_layer *layer, int64_t model, int32_t position, int64_t *id,
								 snw_error *error);
/* The whole base skin of one mesh; and a whole skeleton with its slots, before the skins that count them. Joints are the same
 * where their names are: poses, tracks and groups keep them; a new joint stands at rest in every pose; one that would go while a
 * clip or a group uses it is SNW_ERROR_CONFLICT. The commit checks the whole scene, since others count joints and slots. */
snw_status snw_project_put_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
								const uint32_t *influence_slots, const double *influence_weights, snw_error *error);
snw_status snw_project_put_skeleton(snw_project *project, const snw_scene *scene, snw_error *error);
/* A whole character under the work that was done on the old one (transfer/transfer.h). The commit checks the whole scene. */
snw_status snw_project_put_character(snw_project *project, const snw_transfer *transferred, snw_error *error);

typedef enum snw_project_kind {
	SNW_PROJECT_POSE,
	SNW_PROJECT_EXAMPLE, /* leaves its groups as well; a group left empty goes with it */
	SNW_PROJECT_GROUP,
	SNW_PROJECT_FIELD,
	SNW_PROJECT_TARGET,
	SNW_PROJECT_CLIP,
	SNW_PROJECT_MODEL,
	SNW_PROJECT_LAYER, /* and its model, when no other layer uses it */
} snw_project_kind;
/* SNW_ERROR_CONFLICT, with names, where something still refers to the row, and for the pose "rest". */
snw_status snw_project_remove(snw_project *project, snw_project_kind kind, int64_t id, snw_error *error);

/* The journal. Undo and redo give the label of what they undid or redid, in a buffer of the project's that is valid until the next
 * call; SNW_ERROR_MISSING where there is nothing left. A new command drops what was undone. */
snw_status snw_project_undo(snw_project *project, const char **label, snw_error *error);
snw_status snw_project_redo(snw_project *project, const char **label, snw_error *error);

typedef struct snw_history_entry {
	int64_t id;
	const char *label;
	const char *time; /* UTC, ISO 8601 */
	bool undone;
	bool checkpoint; /* saved here */
} snw_history_entry;
snw_status snw_project_history(snw_project *project, snw_arena *arena, snw_history_entry **entries, uint32_t *count,
							   snw_error *error);
/* Marks the present state as one to come back to. */
snw_status snw_project_checkpoint(snw_project *project, snw_error *error);

/* The project that the calling thread has changed last, by a commit, undo or redo; NULL: none. What fails afterwards leaves that
 * change as it is, and its message must not say otherwise. */
const char *snw_project_last_changed(void);

/* How many rows have been written since it was opened, those that were rolled back too: where that is the same as before, nothing
 * has changed through this connection. */
uint64_t snw_project_changes(const snw_project *project);

/* History is bounded by bytes, not by count: a commit forgets the oldest changes where all of them together take more than this
 * (where it is not set, sixteen times the scene, from 16 MiB to 1 GiB). The scene stays as it is; the oldest entry that is left cannot be undone. */
void snw_project_limit_history(snw_project *project, uint64_t bytes);
/* Forgets every change, done and undone, and gives their room in the file back. */
snw_status snw_project_forget(snw_project *project, snw_error *error);

#endif
