/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skinning arbitrary deformations: any mesh animation becomes a skin (L. Kavan, R. McDonnell, S. Dobbyn, J. Žára, C.
 * O'Sullivan, Skinning arbitrary deformations, 2007). Proxy joints over the rest, or the joints and weights of an existing
 * rig; for each frame the transforms that best map the rest to it; drive plays them back by clip and time. Outside its clips
 * a mesh follows the joints as the weights of the rig say (follow.c); without a rig it is at rest.
 */
#ifndef SINEW_DEFORMERS_SAD
#define SINEW_DEFORMERS_SAD

#include "motion/decompose.h"
#include "motion/transforms.h"
#include "sinew/bytes.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table, and the choices in it. */
enum {
	JOINTS,
	TRANSFORMS,
	BLEND,
	RADIUS,
	INFLUENCES,
	EIGEN,
	REFINE,
	START,
	NORMALS,
	ERROR,
	LARGEST,
	SMOOTHNESS,
	MASK,
	LOCK,
	PARAMETER_COUNT
};
enum { RIGID, AFFINE };
enum { START_AUTO, START_CLUSTERS, START_P_CENTRE };
enum { BLEND_AUTO, BLEND_DUAL_QUATERNION, BLEND_LINEAR };
enum { NORMALS_OFF, NORMALS_ON, NORMALS_QUATERNIONS };

enum { REFINE_AS_NEEDED = -2, REFINE_AUTO = -1, REFINE_FEW = 20 };
enum { INFLUENCES_ALL = 0, USUAL_INFLUENCES = 4, MOST_JOINTS = 1000, MOST_AUTO_JOINTS = 512, JOINTS_AUTO = 0, FEW_FRAMES = 24 };

/* A mesh's part: its influences over the slots [first_slot, first_slot + slot_count) of the model's palette. */
typedef struct sad_mesh {
	uint32_t point_count;
	uint32_t first_slot;
	uint32_t slot_count; /* 0 for a mesh without a sequence */
	const uint32_t *offsets;
	const uint32_t *slots;
	const double *weights;
	const double *centres; /* [slot_count][3]: the mean of the points that a slot moves, at rest, by weight */
	/* How the slots follow those of the rig where there are no frames; NULL without a rig. They are found again when a model is
	 * loaded. */
	const uint32_t *follow_offsets; /* [slot_count + 1] */
	const uint32_t *follow_slots;   /* [follow_offsets[slot_count]]: of the rig */
	const double *follow_matrices;  /* [follow_offsets[slot_count]][16] */
	const uint32_t *sign_slots;     /* [slot_count]: the earlier one that gives a dual quaternion its sign */
	/* Eigen-displacements, each of all points: coefficients [first_detail, first_detail + detail_count) of the model's d. */
	uint32_t first_detail;
	uint32_t detail_count;
	const double *detail_vectors; /* [detail_count][point_count][3] */
	const double *normals_rest;   /* [point_count][3], unit; NULL for normals from the faces */
	/* And those of the normals, the coefficients after these. */
	uint32_t normal_detail_count;
	const double *normal_detail_vectors;
	snw_displacements details, normal_details; /* both in the form of the program */
} sad_mesh;

/* One mesh in one clip. */
typedef struct sad_track {
	uint64_t clip;
	uint32_t mesh;
	uint32_t frame_count;
	const double *seconds; /* [frame_count], rising */
	const double *palette; /* [frame_count][slot_count of the mesh][width] */
	const double *normals; /* [frame_count][slot_count of the mesh][normal width]; NULL where the mesh has none */
	const double *details; /* [frame_count][detail_count + normal_detail_count of the mesh] */
} sad_track;

struct snw_model {
	snw_pool pool;         /* holds the model itself and its arrays */
	uint32_t width;        /* of a slot: 12, a matrix under linear blend, or 8, a dual quaternion */
	uint32_t normal_width; /* of a slot of the normals' palette: 9, a linear map, or 4, a quaternion; 0 without */
	uint32_t slot_count;
	uint32_t detail_count;
	uint32_t mesh_count;
	sad_mesh *meshes;
	uint32_t track_count;
	sad_track *tracks;
};

static inline uint32_t sad_course_count(const sad_mesh *mesh) {
	return mesh->detail_count + mesh->normal_detail_count;
}

/* Finds how the slots of a mesh with centres follow the rig. */
snw_status sad_follow_rig(snw_pool *pool, const snw_mesh_view *view, sad_mesh *mesh);
/* Writes the palettes of such a mesh in a pose into the model's z. */
void sad_follow(const snw_model *model, const sad_mesh *mesh, const snw_pose_view *pose, double *z);

/* What follows from a mesh's influences and displacements: its centres, and the lists for displacements
 * of all points. SNW_ERROR_MEMORY if there is no memory. */
snw_status sad_finish_mesh(snw_pool *pool, const snw_mesh_view *view, sad_mesh *mesh);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* A fit of one mesh in progress: what the settings leave open, its frames, progress and stops, the part for the model and the
 * report (fit.c); its joints and weights, and what a mask and locked joints leave alone (joints.c); the fit for one number of
 * joints, its error, and the number (fit_joints.c); normals (normals.c). */

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
