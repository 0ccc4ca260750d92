/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpts: committed, stored as examples, in layers, from files, and carried to other meshes.
 */
#ifndef SINEW_HOST_EXAMPLE_SCULPTS_H
#define SINEW_HOST_EXAMPLE_SCULPTS_H

#include "example/groups.h"
#include "mesh/mesh.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "task/task.h"
#include "weights/weights.h"
#include "worker/worker.h"

/* ---- commits ------------------------------------------------------------------------------------------------------------- */

/* The commit of a sculpt: the sculpt becomes an example of the project and is fitted, as one undoable
 * step. */

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
	 * the half on its side of the plane of symmetry (example/groups.h). */
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

/* ---- strokes ------------------------------------------------------------------------------------------------------------- */

/* Stores what a stroke made, or the skin as it is, as the example of a pose: finds the joint that drives it, and names the
 * example, its pose and its group after that. */

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

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

/* Sculpt layers: named parts of an example's sculpt, each with an opacity and a mute. The example's points are always their
 * sum, so that fits, exports and everything else read the points and know nothing of layers. A change of a layer changes the
 * points by the difference. What was not made in a layer (a sculpt that was read from a file, say) stays in the points. */

/* A stroke on a layer of less opacity would be stored many times as large. */
#define SNW_LEAST_STROKE_OPACITY 0.05

/* By name; SNW_NONE for none. */
uint32_t snw_sculpt_layer_find(const snw_example *example, const char *name);
/* By id; the topmost one if none has it; SNW_NONE without layers. */
uint32_t snw_sculpt_layer_of_id(const snw_example *example, int64_t id);
/* How much of the layer is in the points: 0 if it is muted. */
double snw_sculpt_layer_amount(const snw_sculpt_layer *layer);

/* The changes below are within an open command. `scene` is the project's current scene, `example` and `layer` indices.
 * SNW_ERROR_CONFLICT, with what to do, if they are not possible. */

/* Adds an empty layer on top, as `name` or, if that is empty, under a free name. In an example without layers, the sculpt so
 * far becomes the layer "base" below it. */
snw_status snw_project_add_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, const char *name, snw_error *error);
/* Its name, opacity and mute become those of `changed`. */
snw_status snw_project_set_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, uint32_t layer, const snw_sculpt_layer *changed, snw_error *error);
/* Merges it with the one below. The sum stays. */
snw_status snw_project_merge_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										  uint32_t example, uint32_t layer, snw_error *error);
snw_status snw_project_remove_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t example, uint32_t layer, snw_error *error);

/* ---- files --------------------------------------------------------------------------------------------------------------- */

/* Sculpts from files: the points of a mesh, in its order. A folder of them is taken in by name within an open command.
 *
 * "elbow_l.obj" is the sculpt of the example "elbow_l", which is updated; if there is none, of a new example in the pose
 * "elbow_l". A new example joins the group of the joint that drives it (groups.h, snw_choose_group). */

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

/* ---- carrying ------------------------------------------------------------------------------------------------------------ */

/* Carries sculpts of a mesh to the meshes over it, such as from a body to its clothes, within an open command.
 *
 * Each point takes the motion of the nearest place on the sculpted mesh at rest: the way that the sculpt moves this place, and
 * the turn that it gives to the surface's normal there, which what is off the surface follows. That fades from half the reach
 * on, and is nothing beyond it. */

/* An example of another mesh that got a sculpt. */
typedef struct snw_carried_example {
	const char *name, *from; /* its name, and that of the example that was carried */
	uint32_t mesh, moved_count;
	double most;     /* the largest move, metres */
	bool is_updated; /* the mesh had an example in that pose: where the sculpt reaches, its own edits gave way */
} snw_carried_example;

typedef struct snw_carry {
	/* In. */
	uint32_t example_count;
	const char *const *examples; /* names */
	uint32_t mesh_count;         /* that may get them; 0: all others */
	const uint32_t *meshes;
	double reach; /* metres */
	/* Out, in the caller's arena. */
	uint32_t carried_count;
	snw_carried_example *carried;
} snw_carry;

/* The usual reach: 3 % of the diagonal of the largest mesh. */
double snw_carry_usual_reach(const snw_scene *scene);

/* A new example is in the pose and the groups of the one that it comes from, under the masks of the same sides. */
snw_status snw_project_put_carried(snw_project *project, const snw_registry *registry, const snw_task *task, snw_arena *arena,
								   snw_carry *order, snw_error *error);

#endif
