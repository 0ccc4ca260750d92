/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a stroke to a corrective: what a session begins with, and how what was sculpted becomes an example of the project and is
 * fitted, as one undoable step.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_SCULPT_H
#define SINEW_HOST_EDIT_COMMIT_SCULPT_H

#include "base/task.h"
#include "plugin/registry.h"
#include "project/project.h"

/* The layer that sculpts go into: the topmost one that is not muted and whose method learns from examples. SNW_NONE for none. */
uint32_t snw_sculpt_corrective(const snw_scene *scene, const snw_registry *registry);

/* The example of a mesh in a pose; SNW_NONE where there is none. */
uint32_t snw_sculpt_example(const snw_scene *scene, uint32_t mesh, uint32_t pose);

/* What a session on a mesh in a pose begins with, [point_count][3] each, in `arena`. Original: the skin without sculpts, which
 * is what lies below the corrective. Points: the example (an index, SNW_NONE for none) where it was edited, else the original;
 * without an example the skin as it is shown. `corrective` as above. */
snw_status snw_sculpt_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
							 uint32_t example, uint32_t corrective, snw_arena *arena, double **points, double **original,
							 snw_error *error);

typedef struct snw_sculpt_commit {
	const char *label;   /* for the history: "inflate elbow" */
	const char *example; /* its name: that one is updated, or it is new */
	uint32_t mesh;
	const double *points_posed;    /* [point_count][3] */
	const double *points_original; /* the same as the session's; a point that stands there is not part of the sculpt */
	/* Of a new example: its pose, by name where the scene has one of that name, else the scene's of its id, which gets the name,
	 * else a new one; and the group that it joins, which is made where there is none of that name, driven by these joints (none:
	 * the method chooses). */
	const snw_pose *pose;
	const char *group;
	uint32_t joint_count;
	const uint32_t *joints;
	/* What is fitted: a layer of the scene (an index), or where there is none a new one of a method; NULL: nothing. */
	uint32_t corrective;
	const char *method;
} snw_sculpt_commit;

typedef struct snw_sculpt_committed {
	int64_t example;     /* its id */
	const char *fitted;  /* the layer; NULL where nothing was fitted */
	const char *trouble; /* a line that says why there is no fit, or its caveat; NULL for none */
	double seconds, fit_seconds;
} snw_sculpt_committed;

/* Fits in this process, then commits example and fit as one step. A fit that fails loses no sculpt: the example is kept alone
 * and `trouble` says why. `scene` is the project's as it is now; it is not changed, and must be read again. Texts are in
 * `arena`. SNW_ERROR_CONFLICT where the project has been changed since the scene was read. */
snw_status snw_sculpt_commit_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									 const snw_sculpt_commit *sculpt, const snw_task *task, snw_arena *arena,
									 snw_sculpt_committed *committed, snw_error *error);

/* The mask or a painted field as the mesh's field of that name, as one step. A field of that name with another shape is
 * SNW_ERROR_CONFLICT. */
snw_status snw_sculpt_commit_field(snw_project *project, const snw_scene *scene, const char *label, uint32_t mesh,
								   const char *name, const double *values, snw_error *error);

#endif
