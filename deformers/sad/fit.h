/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress: what the settings leave open, its frames, progress and stops, the part for the model and the
 * report (fit.c); its joints and weights, and what a mask and locked joints leave alone (joints.c); the fit for one number of
 * joints, its error, and the number (fit_joints.c); normals (normals.c).
 */
#ifndef SINEW_DEFORMERS_SAD_FIT
#define SINEW_DEFORMERS_SAD_FIT

#include "motion/decompose.h"
#include "sad/sad.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"

/* The seconds of each part. */
typedef struct part_seconds {
	double reading, joints, transforms, steps, refining, details, normals, measuring;
} part_seconds;

/* The result for one number of joints. */
typedef struct joints_fit {
	snw_pool pool; /* holds it */
	snk_influences influences;
	snk_blend_graph graph; /* of the influences of mesh_fit.current */
	int has_graph;
	int has_transforms;    /* of all frames: a stop keeps them */
	unsigned char *locked; /* [joint_count]: joints whose transforms are given; NULL without any */
	snk_lanes *given;      /* [block_count][joint_count][12] */
	snk_transforms transforms;
	snk_eigen_details details;
	uint32_t flat_joints;
	uint32_t refinements;    /* how many were done */
	double *residuals;       /* [point_count]: root of the mean squared distance over frames, metres */
	double *squares;         /* [frame_count]: squared error of each frame */
	double distortion, erms; /* percent, NaN where nothing moves; as in the literature */
	double largest;          /* distance of a point in a frame, percent of the rest's diagonal */
	/* For the search of a number of joints: the distortion, or for a still mesh the error relative to its distance from the
	 * rest. */
	double error_percent;
} joints_fit;

/* The current part: its share [from, to] of the mesh's time, and the task's name. */
typedef struct fit_part {
	double from, to;
	const char *task;
	int after_stop; /* it began after the stop */
} fit_part;

/* How all meshes are fitted: from the settings and, where these leave it open, the number of frames. */
typedef struct fit_choice {
	snk_transform_kind kind;
	int is_dense;    /* every joint moves every point */
	int refinements; /* 0: none; REFINE_AUTO: until the error stalls */
	int start;       /* where refining starts: START_AUTO … */
} fit_choice;

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	fit_choice choice;
	uint32_t mesh;             /* into the character's */
	snk_adjacency adjacency;   /* of its points, if weights are to be smooth */
	snw_pool pool;             /* frames */
	snk_animations animations; /* of this mesh, in the order of the frames below */
	snk_motion motion;         /* all frames of all sequences */
	unsigned char *held;       /* [point_count]: points outside the mask; NULL without one */
	double spread; /* Σ |v' − its mean over frames|², for a still mesh Σ |v' − rest|²; −1 before it is known */
	int is_still;  /* its frames are all the same */
	joints_fit current;
	joints_fit best; /* in the search of a number of joints: the best complete fit */
	snk_mesh_normals mesh_normals;
	uint32_t normal_width;    /* 9, linear maps, or 4, rotations */
	snk_lanes *normal_values; /* [block_count][joint_count][normal_width]; NULL without normals */
	snk_eigen_details normal_details;
	double normal_angle;         /* root of the mean squared angle that remains, radians; −1 without normals */
	double share_from, share_to; /* the part of the mesh's time for the current number of joints */
	fit_part part;
	double stopped_at; /* when the user stopped it, as snk_clock_seconds; 0: not stopped */
	int is_thorough;   /* it is refined, or its number of joints is searched: the result at a stop is worth keeping */
	int must_finish;   /* another mesh is thorough: this one is fitted to the end even after a stop */
	part_seconds seconds;
} mesh_fit;

/* ---- progress ------------------------------------------------------------------------------------------------------------ */

/* Called between the steps of a fit with its progress, 0 to 1 of the current share. SNW_CANCELLED if the user has stopped it
 * and there is no result yet; otherwise the stop is recorded, and the rest is done quickly. */
snw_status go_on(mesh_fit *f, double done, const char *task);

/* The same without reporting progress: applies a stop to the current state of the fit. */
snw_status status_of_stop(const mesh_fit *f);

/* Progress for a long call, between `from` and `to` of the same share. It ends the call if the user stops the fit or, if the
 * call began after the stop, when the time is up. */
snk_steps begin_part(mesh_fit *f, double from, double to, const char *task);

/* Whether there is time for another part: after a stop the host waits only a few seconds. */
int has_time(const mesh_fit *f);

/* ---- a fit's parts, in order --------------------------------------------------------------------------------------------- */

/* Whether the fit chooses the number of proxy joints. */
int seeks_joint_count(const mesh_fit *f);

/* The smallest number of proxy joints that meets the requested error, or the one with the nearest error. */
snw_status find_joint_count(mesh_fit *f);

/* Whether the error is larger than `error`. */
int misses_error(const mesh_fit *f, const joints_fit *fit);

/* Joints, weights, transforms and displacements for one number of proxy joints (0: the rig's own), measured, as f->current.
 * Replaces the previous result. */
snw_status fit_joints(mesh_fit *f, uint32_t joint_count);

void open_joints(const snw_host *host, joints_fit *fit);
void drop_joints(joints_fit *fit);

/* The joints and weights to fit to: proxy joints, or the rig's own. */
snw_status choose_joints(mesh_fit *f, uint32_t joint_count);

/* The points that the mask holds. Under proxy joints these stand still: their frames become the rest, so that they count for
 * nothing. */
snw_status find_held(mesh_fit *f);

/* Puts the transforms of locked joints among the current ones. */
void put_given(const mesh_fit *f);

/* Fails, with a message, if settings do not go with a mask or with locks. */
snw_status check_held(const snw_host *host, const snw_fit_input *input, int *has_held);

/* The number of joints whose points do not determine their motion, in the current graph. */
snw_status count_flat_joints(mesh_fit *f);

/* Whether a mesh has joints and weights of a rig. */
int has_rig(const snw_mesh_view *mesh);

/* The most joints of a point in the weights that the fit starts from. */
uint32_t most_influences(const mesh_fit *f);

/* Transforms of normals, if requested and if there are faces, and their eigen-displacements. */
snw_status fit_normals(mesh_fit *f);

#endif
