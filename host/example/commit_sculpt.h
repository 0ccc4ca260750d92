/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commit of a sculpt: the sculpt becomes an example of the project and is fitted, as one undoable
 * step.
 */
#ifndef SINEW_HOST_EXAMPLE_COMMIT_SCULPT_H
#define SINEW_HOST_EXAMPLE_COMMIT_SCULPT_H

#include "mesh/mirror.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "task/task.h"
#include "weights/paint_weights.h"

/* What a stroke over a seam changed of another mesh. Its example, of the same pose, is updated, or made and joins the same
 * group. */
typedef struct snw_sculpt_beside {
	const char *example;
	uint32_t mesh;
	const double *points_posed, *points_original; /* as below */
} snw_sculpt_beside;

typedef struct snw_sculpt_commit {
	const char *label;   /* for the history: "inflate elbow" */
	bool stores_later;   /* the caller stores it (snw_project_store) */
	bool amends;         /* it becomes a part of the command that was committed last, without a label of its own */
	const char *example; /* its name; an example of that name is updated, otherwise a new one is made */
	bool keeps_example;  /* it is there and stays as it is: what is beside it is put, in its groups */
	uint32_t mesh;
	const double *points_posed;    /* [point_count][3] */
	const double *points_original; /* those of the snw_sculpt; a point at its original position was not sculpted */
	uint32_t beside_count;
	const snw_sculpt_beside *beside;
	/* Of an example that has sculpt layers: the change goes to the one with this id (0, or no longer there: the topmost). */
	int64_t layer;
	/* For a new example; without a group, one beside an example that is there joins its groups. The pose is found by its name,
	 * otherwise by its id (and renamed), otherwise it is added. The example joins the group, which is made if there is none of
	 * that name, driven by these joints (none: the method chooses). */
	const snw_pose *pose;
	const char *group;
	uint32_t joint_count;
	const uint32_t *joints;
	/* Of a symmetric sculpt: the group of the other side, to which the example belongs as well (NULL: none). Each group takes
	 * the half on its side of the plane of symmetry (example/sides.h). */
	const char *other_group;
	uint32_t other_joint_count;
	const uint32_t *other_joints;
	bool other_is_left;
	snw_mirror_plane plane; /* also between the halves of an example that is kept */
	/* The layer to fit (an index). With SNW_NONE, a new layer of `method`; NULL: no fit. */
	uint32_t corrective;
	const char *method;
} snw_sculpt_commit;

typedef struct snw_sculpt_committed {
	int64_t example;     /* its id */
	const char *fitted;  /* the layer's name; NULL if nothing was fitted */
	const char *warning; /* why there is no fit, or the fit's caveat; NULL for none */
	double seconds, fit_seconds;
} snw_sculpt_committed;

/* Fits in this process, then commits example and fit as one step. If the fit fails, the example is committed without it and
 * `warning` says why. `scene` is the project's current scene. It is not updated: read it again afterwards. Texts are in
 * `arena`. SNW_ERROR_CONFLICT if the project has changed since the scene was read. */
snw_status snw_sculpt_commit_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									 const snw_sculpt_commit *sculpt, const snw_task *task, snw_arena *arena,
									 snw_sculpt_committed *committed, snw_error *error);

/* The scene as a commit without a fit would leave it: new rows are at the end of its lists, with the id 0. It shares the arrays
 * of the scene; the others are in `arena`. */
void snw_sculpt_scene_after(const snw_scene *scene, const snw_sculpt_commit *sculpt, snw_arena *arena, snw_scene *after);

/* Within an open command, and without a fit. */
snw_status snw_sculpt_put_example(snw_project *project, const snw_scene *scene, const snw_sculpt_commit *sculpt,
								  snw_error *error);

/* Commits masks or a painted field as the meshes' fields of that name, as one step. SNW_ERROR_CONFLICT if a field of that name
 * has another shape. */
snw_status snw_sculpt_commit_field(snw_project *project, const snw_scene *scene, const char *label, const char *name,
								   uint32_t count, const snw_painted_mesh *painted, snw_error *error);

#endif
