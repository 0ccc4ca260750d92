/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit in progress, mesh by mesh: the joints and points that mirror each other (symmetry.c); the offset of each rest point in
 * each sample (fit.c); its candidate joints, those chosen of them and their ridge regression (regress.c); how much of it stays
 * (fit.c); and the displacements that the regression is reduced to (reduce.c), of which fit.c makes a model.
 */
#ifndef SINEW_DEFORMERS_POSE_REGRESSION_FIT
#define SINEW_DEFORMERS_POSE_REGRESSION_FIT

#include "pose-regression/pose-regression.h"
#include "sinew/kit/fit/samples.h"

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

/* Shrinks the regressions where the layers below are better. What is chosen for that is the model pool's. */
snw_status shrink(mesh_fit *f, snw_pool *model_pool, double progress);

/* Fills residuals and their sums. */
void measure_residuals(mesh_fit *f);

/* The whole regression as displacements, one for each feature; or the `most` best ones. */
snw_status list_all(const mesh_fit *f, snw_pool *pool, reduced *all);
snw_status reduce(const mesh_fit *f, uint32_t most, double progress, double share, snw_pool *pool, reduced *best);

#endif
