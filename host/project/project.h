/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The project file: an SQLite database with a scene and the journal of all changes to it.
 *
 * A change is a command: begin, put and remove, commit. A commit writes the change and its inverse (an SQLite changeset) in one
 * transaction. So undo, redo, history and crash recovery are one mechanism, and they work across sessions. If the process is
 * killed, only the open command is lost.
 */
#ifndef SINEW_HOST_PROJECT_PROJECT_H
#define SINEW_HOST_PROJECT_PROJECT_H

#include "plugin/registry.h"
#include "scene/scene.h"
#include "task/task.h"
#include "transfer/transfer.h"

typedef struct snw_project snw_project;

/* Writes a scene as a new project, atomically replacing any file at `path`; ids are assigned in the file. The history starts
 * with one entry, `label` ("import arm.glb"), which cannot be undone. */
snw_status snw_project_write(const char *path, const snw_scene *scene, const char *label, snw_error *error);
/* The same for a scene that has passed snw_scene_check, such as a result of snw_import, with progress for each frame of mesh
 * animations. After SNW_CANCELLED the file at `path` is unchanged. */
snw_status snw_project_write_checked(const char *path, const snw_scene *scene, const char *label, const snw_task *task,
									 snw_error *error);

/* Replaces any file at `path` by a finished project, as snw_project_write does: waits for programs that are using the old one,
 * and removes the journal of a killed program, which would otherwise be applied to the new one. Both are on the same file
 * system. */
snw_status snw_project_move(const char *finished, const char *path, snw_error *error);

/* Copies the project at `path`, after its last committed command, to the empty file `copy`. */
snw_status snw_project_copy(const char *path, const char *copy, snw_error *error);

/* Opens an existing project; migrates an older schema forward in one transaction; refuses newer ones, those from before the
 * first release, and files that are not projects. */
snw_status snw_project_open(const char *path, bool read_only, snw_project **project, snw_error *error);
/* Opens a project for reading without most of its bytes. Its scenes are outlines: they have everything but the points of frames
 * and the bytes of pictures, and the points of sculpts that were not edited are 0. Damage is found only in what is read. */
snw_status snw_project_open_outline(const char *path, snw_project **project, snw_error *error);
void snw_project_close(snw_project *project); /* stores a finished command, rolls back an open one; NULL does nothing */

/* The current scene, in its arena and checked (scene/scene.h): a damaged file gives an error, never an invalid scene. */
snw_status snw_project_scene(snw_project *project, snw_scene **scene, snw_error *error);
/* The same with progress for each frame of mesh animations. There is no scene after SNW_CANCELLED. */
snw_status snw_project_read_scene(snw_project *project, const snw_task *task, snw_scene **scene, snw_error *error);

/* There is one command at a time. Indices inside the structs (the pose of an example, the members of a group) refer to `scene`,
 * from which ids are taken. `put` replaces the row of that id or, if the id is 0, of that name; if there is none, it adds a
 * row. After the commit the command is durable; after a rollback there is no trace of it. If a put or remove fails, the commit
 * fails too and nothing is changed. A command that changes nothing adds no entry and leaves the file as it is. Put data are
 * checked as by snw_scene_check. Begin returns SNW_ERROR_CONFLICT if another program has changed the file since the last
 * snw_project_scene. */
snw_status snw_project_begin(snw_project *project, const char *label, snw_error *error);
/* The same without SNW_ERROR_CONFLICT, for a change that is valid whatever another program has changed, such as the model of a
 * long fit. */
snw_status snw_project_begin_beside(snw_project *project, const char *label, snw_error *error);
/* Continues the command that was committed last through `project`: what follows is committed as a part of it and undone with
 * it. Use it for consequences of a change. SNW_ERROR_MISSING if that command changed nothing, was undone, or is not the newest
 * of the history. */
snw_status snw_project_begin_amend(snw_project *project, snw_error *error);
/* A part of the open command that can be taken back alone, also if a put or remove of it failed. Parts do not nest. */
snw_status snw_project_begin_part(snw_project *project, snw_error *error);
snw_status snw_project_end_part(snw_project *project, bool is_kept, snw_error *error);
/* Another label for the open command. */
snw_status snw_project_relabel(snw_project *project, const char *label, snw_error *error);
snw_status snw_project_commit(snw_project *project, snw_error *error);
/* The first half of a commit: ends the command without writing it to the disk. Until snw_project_store does that, only
 * `project` can read the change, other programs can read but not write, and no other command can begin. If the process ends
 * before, or if storing fails, there is no trace of the change. */
snw_status snw_project_finish(snw_project *project, snw_error *error);
snw_status snw_project_store(snw_project *project, snw_error *error); /* SNW_OK if nothing is to be stored */
bool snw_project_is_unstored(const snw_project *project);
void snw_project_rollback(snw_project *project); /* of the open command, or of one that is not stored */

snw_status snw_project_put_pose(snw_project *project, const snw_pose *pose, int64_t *id, snw_error *error);
/* `pose` and `mesh` are ids; the struct's indices are ignored. */
snw_status snw_project_put_example(snw_project *project, const snw_example *example, int64_t pose, int64_t mesh,
								   uint32_t point_count, int64_t *id, snw_error *error);
/* Members as ids: examples[i] with masks[i] (a field's id, 0 for none). */
snw_status snw_project_put_group(snw_project *project, const snw_group *group, const int64_t *examples, const int64_t *masks,
								 int64_t *id, snw_error *error);
/* The order in which groups act, as the ids of all groups. */
snw_status snw_project_put_group_order(snw_project *project, uint32_t count, const int64_t *groups, snw_error *error);
snw_status snw_project_put_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error);
/* `clip` is 0 for a sequence. */
snw_status snw_project_put_target(snw_project *project, const snw_target *target, int64_t mesh, uint32_t point_count,
								  int64_t clip, int64_t *id, snw_error *error);
snw_status snw_project_put_clip(snw_project *project, const snw_clip *clip, int64_t *id, snw_error *error);
snw_status snw_project_put_model(snw_project *project, const snw_saved_model *model, int64_t *id, snw_error *error);
/* `mesh` is an id, and materials are ids of `scene`, whose indices the level has; with the same number and mesh it takes the
 * place of that row. */
snw_status snw_project_put_level(snw_project *project, const snw_scene *scene, const snw_level *level, int64_t mesh,
								 snw_error *error);
/* Of a mesh (an id, 0 for all) the level of that number, 0 for all. */
snw_status snw_project_remove_levels(snw_project *project, int64_t mesh, uint32_t number, snw_error *error);
/* `model` is an id or 0. `position` counts from the bottom; -1 keeps a layer's position, or puts a new one on top. */
snw_status snw_project_put_layer(snw_project *project, const snw_layer *layer, int64_t model, int32_t position, int64_t *id,
								 snw_error *error);
/* The whole base skin of a mesh; and a whole skeleton with its slots, which must come before skins that use them. Joints with
 * the same name are the same joint: poses, tracks and groups keep them. A new joint is at rest in every pose.
 * SNW_ERROR_CONFLICT if a clip or a group uses a joint that is removed. The commit checks the whole scene, because other data
 * depend on joints and slots. */
snw_status snw_project_put_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
								const uint32_t *influence_slots, const double *influence_weights, snw_error *error);
snw_status snw_project_put_skeleton(snw_project *project, const snw_scene *scene, snw_error *error);
/* The tangents of all corners of a mesh, [corner_count][4], and the materials of its faces as ids, [face_count], 0 for none. */
snw_status snw_project_put_shading(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t corner_count,
								   const float *corner_tangents, uint32_t face_count, const uint32_t *face_materials,
								   snw_error *error);
/* The UVs of all corners of a mesh, [corner_count][2]; its tangents, which followed from the UVs before, go. */
snw_status snw_project_put_uvs(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t corner_count,
							   const float *corner_uvs, snw_error *error);
/* A picture; of the id that is not 0, in place of that row. */
snw_status snw_project_put_image(snw_project *project, const snw_image *image, int64_t *id, snw_error *error);
/* A material in place of the row of its id, or a new one (0). The indices of its pictures refer to `images`, ids. `id` may be
 * NULL. */
snw_status snw_project_put_material(snw_project *project, const snw_material *material, uint32_t image_count,
									const int64_t *images, int64_t *id, snw_error *error);
/* Replaces the points and vectors of a mesh's morph target (an index); its name and channel stay. */
snw_status snw_project_put_morph(snw_project *project, int64_t mesh, uint32_t point_count, uint32_t index,
								 const snw_morph *morph, snw_error *error);
/* Gives a joint another name. SNW_ERROR_MISSING if no joint has the old one, SNW_ERROR_CONFLICT if another has the new one. */
snw_status snw_project_put_joint_name(snw_project *project, const char *name, const char *new_name, snw_error *error);
/* Replaces the character and keeps the work done on the old one (transfer/transfer.h). The commit checks the whole scene. */
snw_status snw_project_put_character(snw_project *project, const snw_transfer *transferred, snw_error *error);
/* Replaces the fields over points and faces, and the targets, of a character whose points have changed. SNW_CANCELLED. */
snw_status snw_project_put_points(snw_project *project, const snw_scene *scene, const snw_task *task, snw_error *error);

typedef enum snw_project_kind {
	SNW_PROJECT_POSE,
	SNW_PROJECT_EXAMPLE, /* also from its groups; an empty group is removed */
	SNW_PROJECT_GROUP,
	SNW_PROJECT_FIELD,
	SNW_PROJECT_TARGET,
	SNW_PROJECT_CLIP,
	SNW_PROJECT_MODEL,
	SNW_PROJECT_LAYER, /* and its model, if no other layer uses it */
} snw_project_kind;
/* SNW_ERROR_CONFLICT if something refers to the row, with its names, and for the pose "rest". */
snw_status snw_project_remove(snw_project *project, snw_project_kind kind, int64_t id, snw_error *error);

/* Whether the command that was committed last through `project` has changed anything. */
bool snw_project_has_changed(const snw_project *project);

/* The journal. Undo and redo return the label of the command in a buffer of the project, valid until the next call;
 * SNW_ERROR_MISSING if there is none. After a new command, nothing can be redone. */
snw_status snw_project_undo(snw_project *project, const char **label, snw_error *error);
snw_status snw_project_redo(snw_project *project, const char **label, snw_error *error);

/* Undoes the command that was committed last through `project` and removes it from the history, so that what could be redone
 * before it can be redone again; does nothing if there was none, or if it changed nothing. SNW_ERROR_MISSING, and nothing is
 * undone, if it is no longer the newest of the history. */
snw_status snw_project_take_back(snw_project *project, snw_error *error);

typedef struct snw_history_entry {
	int64_t id;
	const char *label;
	const char *time; /* UTC, ISO 8601 */
	bool undone;
	bool checkpoint; /* saved here */
} snw_history_entry;
snw_status snw_project_history(snw_project *project, snw_arena *arena, snw_history_entry **entries, uint32_t *count,
							   snw_error *error);
/* Marks the current state as saved. */
snw_status snw_project_checkpoint(snw_project *project, snw_error *error);

/* The project that this process has changed last, by a commit, undo or redo; NULL for none. A later error leaves that
 * change in place, so its message must not claim that nothing was changed. */
const char *snw_project_last_changed(void);

/* The number of rows written since the project was opened, including rolled-back ones. If it is unchanged, nothing has changed
 * through this connection. */
uint64_t snw_project_changes(const snw_project *project);

/* The limit of the history in bytes (default: sixteen times the scene, from 16 MiB to 1 GiB): a commit removes the oldest
 * changes beyond it. The scene is unaffected; the oldest remaining entry cannot be undone. */
void snw_project_limit_history(snw_project *project, uint64_t bytes);
/* Removes all changes, done and undone, from the history and frees their space in the file. */
snw_status snw_project_forget(snw_project *project, snw_error *error);

/* ---- files of another plug-in -------------------------------------------------------------------------------------------- */

/* A project that is copied into another folder continues to read the files that its settings name. */

/* Paths in the settings of the project at `copy`, which begin at `folder`, become paths as seen from its own folder. One
 * command, or none where there is nothing to change. Settings of deformers that are not there stay as they are. */
snw_status snw_project_rebase_files(const char *copy, const char *folder, const snw_registry *registry, snw_error *error);

#endif
