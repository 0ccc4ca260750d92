/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress (fit.c): its frames (gather_frames.c), how many joints it gets (joint_count.c), which ones and
 * whose weights (joints.c), their transforms and eigen-displacements (fit_transforms.c), weights and transforms together
 * (refine.c), how near they come (fit_error.c), normals (rest_normals.c, normals.c, normal_displacements.c), what of it goes
 * into the model (build_model.c), progress and stops (progress.c), and the report (report.c).
 */
#ifndef SINEW_DEFORMERS_SAD_FIT
#define SINEW_DEFORMERS_SAD_FIT

#include "motion/decompose/eigen_displacements.h"
#include "sad/sad.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/samples.h"

/* Seconds that the parts took. */
typedef struct part_seconds {
	double reading, joints, transforms, steps, refining, details, normals, measuring;
} part_seconds;

/* What was found for one number of joints. */
typedef struct joints_fit {
	snw_pool pool; /* holds it */
	snk_influences influences;
	snk_blend_graph graph; /* of the influences of mesh_fit.current */
	int has_graph;
	int has_transforms; /* of all frames: a stop keeps them */
	snk_transforms transforms;
	snk_eigen_details details;
	uint32_t flat_joints;
	uint32_t refinements;    /* done */
	double *residuals;       /* [point_count]: root of the mean squared distance over frames, metres */
	double *squares;         /* [frame_count]: squared error of each frame */
	double distortion, erms; /* percent, NaN where nothing moves; as in the literature */
	double error_percent; /* what a search of joints goes by: the distortion, of a still mesh against its way from the rest */
} joints_fit;

/* The part under way: its share [from, to] of the mesh's time, and the task's name. */
typedef struct fit_part {
	double from, to;
	const char *task;
	int after_stop; /* begun after the stop */
} fit_part;

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	uint32_t mesh;             /* into the character's */
	snw_pool pool;             /* frames */
	snk_animations animations; /* of this mesh, in the order of the frames below */
	snk_motion motion;         /* all frames of all sequences */
	double spread; /* Σ |v' − its mean over frames|², of a still mesh Σ |v' − rest|²; −1 before it is known */
	int is_still;  /* over its frames */
	joints_fit current;
	joints_fit best; /* while the number of joints is sought: the best that was fitted whole */
	snk_mesh_normals mesh_normals;
	snk_lanes *normal_values; /* [block_count][joint_count][9], linear maps, or [4], rotations; NULL without normals */
	snk_eigen_details normal_details;
	double normal_angle;         /* root of the mean squared angle that is left, radians; −1 without normals */
	double share_from, share_to; /* of the mesh's own time that the number of joints in hand takes */
	fit_part part;
	double stopped_at; /* by the user, as snk_clock_seconds; 0 while nobody has */
	int is_thorough;   /* refined, or its number of joints sought: what a stop finds is worth keeping */
	int must_finish;   /* another mesh is: this one does not end before it is fitted, be it after the stop */
	part_seconds seconds;
} mesh_fit;

/* ---- progress.c ------------------------------------------------------------------------------------------------------------ */

/* Between the steps of a fit: how far it is, 0 to 1 of the share of the joints in hand. SNW_CANCELLED where the user has
 * stopped it and there is no result yet; else the stop is recorded, and the rest is done quickly. */
snw_status go_on(mesh_fit *f, double done, const char *task);

/* The same without reporting progress: what a stop means for the fit as it stands. */
snw_status status_of_stop(const mesh_fit *f);

/* Progress for a long call, between `from` and `to` of the same share. It ends the call where the user stops the fit or, if
 * the call began after the stop, when the time is up. */
snk_steps begin_part(mesh_fit *f, double from, double to, const char *task);

/* Whether there is time for another part: the host waits a few seconds for what a stop leaves to do. */
int has_time(const mesh_fit *f);

/* Where parts of the fit for a number of joints begin. */
static const double closer_from = 0.2, refining_from = 0.3, details_from = 0.85;

/* ---- a fit's parts, in order ----------------------------------------------------------------------------------------------- */

/* Whether the number of proxy joints is for the fit to find. */
int seeks_joint_count(const mesh_fit *f);

/* The smallest number of proxy joints that meets the error asked for, or the nearest that there is. */
snw_status find_joint_count(mesh_fit *f);

/* Whether the error is larger than `error`. */
int misses_error(const mesh_fit *f, const joints_fit *fit);

/* Joints, weights, transforms and displacements for one number of proxy joints (0: the rig's own), then measured, as
 * f->current. What was there is dropped. */
snw_status fit_joints(mesh_fit *f, uint32_t joint_count);

snk_transform_kind kind_of_transforms(const snw_value *values);

void open_joints(const snw_host *host, joints_fit *fit);
void drop_joints(joints_fit *fit);

/* The joints and weights to fit to: proxy joints, or the rig's own. */
snw_status choose_joints(mesh_fit *f, uint32_t joint_count);

/* How many joints have points that leave their motion open, over the graph as it is. */
snw_status count_flat_joints(mesh_fit *f);

/* Whether the mesh has joints and weights of a rig. */
int has_rig(const mesh_fit *f);

/* Weights and transforms fitted to each other, where that is asked for, from clusters, from the joints as they are, or from the
 * better of both. The transforms as they are stay where they are better. */
snw_status refine_fit(mesh_fit *f);

/* Residuals, squares, distortion, erms, error_percent. */
snw_status measure_fit(mesh_fit *f);

/* Transforms of normals, where they are asked for and there are faces, and their eigen-displacements. */
snw_status fit_normals(mesh_fit *f);

/* The faces around points, and the normals of the rest. */
snw_status find_mesh_normals(mesh_fit *f);

/* Eigen-displacements of the normals, as many as asked for, and what angle is left. */
snw_status find_normal_details(mesh_fit *f);

/* Adds the mesh to the model: its part and a track for each clip. */
snw_status add_mesh_to_model(const mesh_fit *f, snw_model *model);

/* ---- report.c -------------------------------------------------------------------------------------------------------------- */

/* Lines for the user, and the fields of the mesh. */
void report_mesh(const mesh_fit *f);

/* What a stopped fit has reached. */
snw_status report_stop(const mesh_fit *f);

/* Root of the mean squared distance in each frame, metres, at the frames' places among those of all sequences, then all
 * targets. */
void write_frame_errors(const mesh_fit *f, double *errors);

#endif
