/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpts from files: the points of a mesh, in its order. A folder of them is taken in by name within an open command.
 *
 * "elbow_l.obj" is the sculpt of the example "elbow_l", which is updated; if there is none, of a new example in the pose
 * "elbow_l". A new example joins the group of the joint that drives it (driver.h, snw_choose_group).
 */
#ifndef SINEW_HOST_EXAMPLE_SCULPT_FILES_H
#define SINEW_HOST_EXAMPLE_SCULPT_FILES_H

#include "plugin/registry.h"
#include "project/project.h"
#include "worker/worker.h"

/* Reads the points of a sculpt of the mesh, in `arena`. A notice says if it has other polygons or another size. SNW_ERROR_DATA
 * if it has another number of points. */
snw_status snw_sculpt_read(const char *path, const snw_mesh *mesh, const snw_worker_limits *limits, const snw_task *task,
						   snw_arena *arena, const double **points, snw_error *error);

/* A file of the folder, and what became of it. */
typedef struct snw_sculpt_file {
	const char *path, *name; /* the file's name without its extension */
	const char *skipped;     /* why nothing was done with it; NULL */
	const char *group;       /* that a new example joined; NULL for an update */
	const char *mirrored;    /* the example of the other side; NULL */
	const char *unmirrored;  /* why that could not be made; NULL */
	uint32_t edited_count;
} snw_sculpt_file;

typedef struct snw_sculpt_folder {
	/* In. */
	const char *folder;
	uint32_t mesh;     /* of new examples; SNW_NONE: the only mesh with that many points */
	const char *group; /* of new examples; NULL: chosen */
	bool is_mirrored;  /* examples with a side in their name are mirrored, unless the folder has the other side too */
	const snw_worker_limits *limits;
	/* Out, in the caller's arena; in the natural order of the names. */
	uint32_t count, taken_count;
	snw_sculpt_file *files;
} snw_sculpt_folder;

/* Files that cannot be read, fit no example and no pose, or have another number of points, are skipped with a reason.
 * SNW_ERROR_MISSING if the folder has no .obj file, or if none of them fits. */
snw_status snw_project_put_sculpt_folder(snw_project *project, const snw_registry *registry, const snw_task *task,
										 snw_arena *arena, snw_sculpt_folder *folder, snw_error *error);

#endif
