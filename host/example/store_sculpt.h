/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores what a stroke made, or the skin as it is, as the example of a pose: finds the joint that drives it, and names the
 * example, its pose and its group after that.
 */
#ifndef SINEW_HOST_EXAMPLE_STORE_SCULPT_H
#define SINEW_HOST_EXAMPLE_STORE_SCULPT_H

#include "example/commit_sculpt.h"
#include "example/driver.h"
#include "example/sides.h"

typedef struct snw_stored_sculpt {
	const char *verb;      /* for the history: "inflate" */
	const char *name;      /* of the example; NULL until the joint that drives it is known, after which it is called */
	const char *pose_name; /* NULL: the example's */
	snw_pose *pose;        /* with the id of a stored one that gets the name; 0: a new one */
	uint32_t mesh;
	const double *points; /* [point_count][3] */
	uint32_t beside_count;
	snw_sculpt_beside *beside; /* of other meshes: what the stroke moved over a seam */
	uint32_t counterpart;      /* the mesh of the other side, if symmetry moved it; else SNW_NONE */
	const double *counterpart_points;
	bool is_symmetric;      /* the stroke was repeated on the other side of the mesh itself */
	snw_mirror_plane plane; /* between the sides */
	bool stores_later;      /* the caller stores it (snw_project_store); not with a counterpart */
	bool must_be_driven;    /* a new example is stored only if a joint that the pose moves drives it */
	int64_t layer;          /* the active sculpt layer */
	/* The result. */
	bool is_new;
	uint32_t driver_count; /* of a new example: the joints that could drive it, the chosen one first */
	snw_driver *drivers;
	snw_group_choice group; /* of a new example */
	snw_groups_of_sides sides;
	bool leaves_counterpart; /* nothing would drive what symmetry made of it, so it was not stored */
	const char *warning;     /* why there is no fit, or the fit's caveat; NULL for none */
} snw_stored_sculpt;

/* Whether a joint that the pose moves also moves the points of a new example. */
bool snw_stored_sculpt_is_driven(const snw_stored_sculpt *sculpt);

/* What is sculpted of several meshes in one pose is driven by the same joints, else body and clothes part between poses. So a
 * new sculpt joins the groups of an example of another mesh in that pose, if what drives one of them (`group`) moves it. That
 * example; SNW_NONE if there is none. `group_count`: how many groups it is in. `drivers` are the sculpt's. */
uint32_t snw_sculpt_leader(const snw_scene *scene, uint32_t mesh, const snw_pose *pose, uint32_t driver_count,
						   const snw_driver *drivers, uint32_t *group, uint32_t *group_count);

/* What an example in a named pose is called: as the pose, and as its mesh if another mesh has an example in this pose. */
const char *snw_example_name_in_pose(const snw_scene *scene, const snw_pose *pose, uint32_t mesh, snw_arena *arena);

/* Stores the example within an open command, without a fit, and nothing of a counterpart. `scene` and texts are as below. */
snw_status snw_put_sculpt_as_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									 snw_stored_sculpt *sculpt, snw_arena *arena, snw_error *error);

/* Stores the example and fits the corrective in one step. `scene` is the project's current scene. Texts are in `arena`. */
snw_status snw_store_sculpt_as_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   snw_stored_sculpt *sculpt, const snw_task *task, snw_arena *arena, snw_error *error);

#endif
