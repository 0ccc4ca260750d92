/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pose regression: the residual of the layers below is inverted to the rest pose and predicted there, for each point, as a
 * linear function of the rotations of a few joints nearby.
 *
 *     v_i = below(p_i + B_i φ(pose)),   B_i = argmin Σ_f |B φ(pose_f) − d_i^f|² + ridge |B|²
 *
 * with d_i^f = below⁻¹(target_f) − p_i, and φ for each joint the nine numbers of R − I, R its rotation away from rest: the pose
 * blend shapes of M. Loper et al., SMPL: A skinned multi-person linear model, 2015 (equation 9), but with a few chosen joints
 * for each point instead of all.
 *
 * Where we depart:
 *   - Each point has at most `joints` joints, found one after another among those near it: the one that leaves least comes
 *     next.
 *   - The ridge is chosen by cross-validation over blocks of time. Neighbouring frames are alike, so single frames would tell
 *     nothing. The joints of a point are chosen from all samples, the blocks that are held out included.
 *   - Where no sample is at rest, the rest is one without an offset, of the weight of all samples.
 *   - B shrinks where the layers below are better (sinew/kit/fit/guard.h).
 *   - On a symmetric character, samples are used mirrored as well where that lowers the validated error.
 *   - Features outside the range of the samples are clamped, a quarter of the range beyond it.
 *   - A refit keeps the ridge, whether samples are used mirrored, and what the guard found of each region.
 *   - The regression is reduced to a few displacements: for each region the best in the least-squares sense over the samples,
 *     as P. Kry, D. James and D. Pai's EigenSkin (2002) does it, shared out among the regions by what each is worth.
 */
#ifndef SINEW_DEFORMERS_POSE_REGRESSION
#define SINEW_DEFORMERS_POSE_REGRESSION

#include "sinew/kit/fit/guard.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { JOINTS, FEATURES, RIDGE, DISPLACEMENTS, MIRROR, CLAMP, GUARD, PARAMETER_COUNT };

/* Choices of FEATURES. */
enum { FEATURES_MATRICES, FEATURES_VECTORS, FEATURE_KINDS };

/* Choices of MIRROR. */
enum { MIRROR_AUTO, MIRROR_OFF };

enum { JOINT_FEATURES = SNK_ROTATION_FEATURES };

/* A joint whose rotation drives displacements. */
typedef struct driver {
	const char *name;
	uint32_t joint;
	double axes[9]; /* joint axes → axes of the rest space: the rotation of its rest_global */
	double lowest[JOINT_FEATURES], highest[JOINT_FEATURES]; /* what its features are clamped to */
} driver;

/* What a fit has chosen for a mesh, which a refit keeps. */
typedef struct mesh_choices {
	uint32_t is_made; /* 0: nothing, since the mesh had no samples */
	uint32_t uses_mirrored;
	double ridge;
	uint32_t region_count;     /* that of joints; 0 without a guard */
	snk_guard_region *regions; /* [region_count] */
} mesh_choices;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t joint_count;
	uint32_t kind; /* of features */
	uint32_t driver_count;
	driver *drivers;
	snw_sparse_rows rows; /* d = rows · φ, φ the features of all drivers, then 1 */
	uint32_t mesh_count;
	uint32_t *point_counts;    /* [mesh_count] */
	snw_displacements *meshes; /* [mesh_count] */
	mesh_choices *choices;     /* [mesh_count] */
};

/* φ of a pose: [JOINT_FEATURES count + 1]. */
void pose_features(uint32_t kind, uint32_t count, const driver *drivers, const snw_pose_view *pose, int clamps,
				   double *features);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* A fit in progress, mesh by mesh: the joints and points that mirror each other (symmetry.c); the offset of each rest point in
 * each sample (fit.c); its candidate joints, those chosen of them and their ridge regression (regress.c); how much of it stays
 * (fit.c); and the displacements that the regression is reduced to (reduce.c), of which fit.c makes a model. */

enum {
	MOST_JOINTS = 4, /* of a point */
	MOST_COLUMNS = MOST_JOINTS * JOINT_FEATURES + 1,
	MOST_BLOCKS = 6, /* of samples, for cross-validation */
	SIDES = 2,       /* samples as they are, and mirrored */
};

enum { MOST_CANDIDATES = 14 };

/* The candidate joints of a point. */
typedef struct candidate_list {
	uint32_t count;
	uint32_t joints[MOST_CANDIDATES];
} candidate_list;

/* The regression of one point: columns are the features of its joints in this order, then 1. */
typedef struct point_regression {
	uint32_t joint_count;
	uint32_t joints[MOST_JOINTS];
	double numbers[MOST_COLUMNS][3]; /* metres */
	double squares, both, predicted; /* over the samples: of offsets, with the predicted ones, of these */
} point_regression;

typedef struct symmetry {
	const uint32_t
		*joints; /* the joint on the other side, itself in the middle; SNW_NONE; NULL if the character is not symmetric */
	const uint32_t *points; /* the same for the mesh's points; SNW_NONE for a point without a partner */
} symmetry;

/* The displacements of a mesh, and for each the row of its coefficient: over all joints' features, then 1. */
typedef struct reduced {
	uint32_t count;
	const char **names;
	double *rows;      /* [count][feature_count] */
	uint32_t *offsets; /* [count + 1] */
	uint32_t *points;
	double *vectors;
} reduced;

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	const snw_mesh_view *mesh;
	uint32_t mesh_index;
	const driver *joints;                      /* [joint_count]: all joints of the skeleton */
	uint32_t joint_count, kind, feature_count; /* feature_count: of all joints, and 1 */
	uint32_t sample_count;
	snk_sample *samples;
	const mesh_choices *kept; /* of a refit; NULL in a fit */
	mesh_choices *choices;    /* the model's: to be filled */
	double diagonal;
	const unsigned char *bends; /* [joint_count]: whether the joint's rotation moves points of the mesh relative to others */
	symmetry mirror;
	double *features[SIDES]; /* [sample_count][feature_count] */
	float *offsets;          /* [point_count][sample_count][3]: added to the rest point, metres */
	uint32_t block_count;
	uint32_t block_ends[MOST_BLOCKS]; /* samples of block b begin where those of block b − 1 end */
	double *grams[SIDES];             /* [block_count + 1][feature_count][feature_count]: by block, then of all */
	double ridge;
	int uses_mirrored;
	int adds_rest; /* whether no sample is at rest, so that the rest is one more */
	double validated_before,
		validated; /* mean squared offset and error over held-out blocks, square metres; 0 where none was held out. What is held
					  out is not solved for, but joints are chosen with it */
	point_regression *points;       /* [point_count] */
	double *residuals;              /* [point_count]: root of the mean squared error over samples, at rest, metres */
	double squares_before, squares; /* sums over points and samples */
} mesh_fit;

/* Finds the partners of joints and points at the plane x = 0. */
snw_status find_symmetry(const mesh_fit *f, snw_pool *pool, symmetry *found);

candidate_list find_candidates(const mesh_fit *f, uint32_t point);

/* Fills features, blocks and grams. */
snw_status find_features(mesh_fit *f, snw_pool *pool, double progress, double share);

/* Chooses joints, ridge and sides; fills points. */
snw_status regress(mesh_fit *f, double progress, double share);

/* The same regressions without the samples of some blocks, a bit each, with the same joints: points [point_count]. */
void regress_without(const mesh_fit *f, uint32_t blocks, point_regression *points);

/* Fills residuals and their sums. */
void measure_residuals(mesh_fit *f);

/* The whole regression as displacements, one for each feature; or the `most` best ones. */
snw_status list_all(const mesh_fit *f, snw_pool *pool, reduced *all);
snw_status reduce(const mesh_fit *f, uint32_t most, double progress, double share, snw_pool *pool, reduced *best);

#endif
