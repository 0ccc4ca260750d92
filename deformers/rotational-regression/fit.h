/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress:
 *
 *   fit.c                    the learned blend; the guard
 *   anchors.c                what points keep of the slots, and which are fixed
 *   samples.c                gradients of triangles
 *   predictors.c             their predictors, and the joints that these may depend on
 *   anchors.c                how strongly the blend draws points
 *
 * For a reduced model also:
 *
 *   clusters.c               clusters of points
 *   proxies.c                the weights of their proxies; key gradients and their predictors
 *   combine.c, refit.c       C
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_FIT
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_FIT

#include <stddef.h>

#include "motion/animation.h"
#include "rotational-regression/rotational-regression.h"
#include "sinew/host.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"

enum {
	MOST_CANDIDATES = 24,
	MOST_INFLUENCES = 8, /* of a point over proxies */
	MOST_KEYS = 12,      /* that a triangle's gradient is blended of */
	FOLDS = 5,           /* of the samples, for cross-validation */
	VALIDATED = 12,      /* at most, samples that choose the pull */
	BLOCKS = 15,         /* of consecutive samples, dealt to folds in turn */
};

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	const snw_model *model;
	const snw_mesh_view *mesh;
	regressed_mesh *dest;
	snw_pool *dest_pool; /* of its arrays */
	int is_trial; /* the guard's, without a fold: as many proxies and the pull that all samples have found; says nothing */
	uint32_t mesh_index, sample_count;
	double share, progress; /* of the whole fit: this mesh's, and what is done */
	snk_sample *samples;
	double diagonal;
	const posed_joint *posed;     /* [sample_count][joint_count] */
	const double (*rotations)[4]; /* [sample_count][joint_count]: theirs, as unit quaternions */
	uint32_t fold_count, fold_sizes[FOLDS];
	const unsigned char *folds; /* [sample_count] */
	snk_faces triangles;
	const double *edge_weights;    /* [triangles][3] */
	const double *areas;           /* [triangles], at rest */
	const unsigned char *is_moved; /* [joint_count]: 0 for a joint that bends the mesh and that no sample moves */
	const unsigned char *is_fixed; /* [point_count]: to the learned blend */
	const uint32_t *parts;         /* [point_count]: of the skeleton between joints that are not moved, by its first joint */
	snk_base_skin_mesh kept;       /* influences over slots of other parts */
	const double *blend_residuals; /* [point_count]: root of the mean squared error of the learned blend, metres */
	double *gradient_squares;      /* [triangles]: mean squared error of their gradients, predicted as held_out is */
	uint32_t validated_count;      /* samples spread over all, that choose the pull */
	float (*held_out)[9];          /* [triangles][validated_count]: their gradients, held out as in predictors.c */
	double pull;                   /* on the whole; 0: to be found */
	uint32_t proxy_count;          /* 0: to be found */
	const double *pulls;           /* [point_count]: as in regressed_mesh */
	uint32_t degenerate;           /* triangles without area at rest */
	uint32_t collapsed, inverted;  /* triangles in a sample without area there, and on their other side */
} mesh_fit;

/* The proxies of a mesh: influences over them, and the triangles' blends of their key gradients. */
typedef struct reduction {
	uint32_t count;
	const uint32_t *clusters; /* [point_count] */
	snk_influences influences;
	double (*gradients)[9];           /* [count][sample_count]: key gradients, then their predictions of held-out samples */
	uint32_t *key_counts;             /* [triangles] */
	uint32_t (*keys)[MOST_KEYS];      /* [triangles] */
	double (*key_weights)[MOST_KEYS]; /* [triangles] */
	double proxy_error;               /* root of the mean squared distance of the influences' blend, metres */
} reduction;

/* ---- anchors.c ---- */

/* Of the learned blend: root mean square over points, metres. */
double mean_residual(const mesh_fit *f);

/* Points that the learned blend predicts well over the samples, at least one of each shell; with ANCHORS_SOFT, reduced, those
 * of which nothing was learned. */
snw_status choose_fixed(mesh_fit *f, snw_pool *pool);

/* How strongly the learned blend draws each point. The gradients are predicted by then. */
snw_status find_pulls(mesh_fit *f, snw_pool *pool);

/* Of the samples that choose the pull, the n-th. */
uint32_t validated_sample(const mesh_fit *f, uint32_t n);

/* ---- parts ---- */

/* Fills `parts` and `kept`. */
snw_status keep_unmoved(mesh_fit *f, snw_pool *pool);

/* The first joint of a joint's part: it, or the nearest above it, is not moved, or has no parent. */
uint32_t part_of_joint(const mesh_fit *f, uint32_t joint);

/* The slot of a part that takes the place of another: in all samples the two move alike. The slot itself where there is
 * none. */
uint32_t slot_within(const mesh_fit *f, uint32_t slot, uint32_t part);

/* What the kept influences of a point leave to proxies. */
double proxy_share(const mesh_fit *f, uint32_t point);

/* Adds `sign` times the kept influences of a point in a sample. */
void add_kept(const mesh_fit *f, uint32_t sample, uint32_t point, double sign, double dest[3]);

/* With soft anchors, reduced: whether no proxy moves a point. */
static inline int is_left_out(const mesh_fit *f, uint32_t point) {
	return f->is_fixed[point] && f->model->anchors == ANCHORS_SOFT;
}

/* ---- samples.c ---- */

/* Triangles, the weights of their edges and their areas. The triangles are the pool's. */
snw_status open_triangles(mesh_fit *f, snw_pool *pool);

/* gradients [sample_count][9] of a triangle. Returns 0 for one without area at rest. In a sample in which it has none it
 * rotates with the learned blend. */
int find_gradients(const mesh_fit *f, uint32_t triangle, double (*gradients)[9]);

/* Which joints the samples move. */
snw_status find_moved(mesh_fit *f, snw_pool *pool);

/* Reports what is wrong with the samples. SNW_CANCELLED if the fit is to stop. */
snw_status check_samples(mesh_fit *f);

/* ---- predictors.c ---- */

/* The unit quaternion of a rotation, row-major. */
void quaternion_of(const double rotation[9], double quaternion[4]);

typedef struct joint_candidates {
	uint32_t count;
	uint32_t joints[MOST_CANDIDATES];
} joint_candidates;

/* The predictor of a course of gradients. Returns the root of the mean squared distance between each gradient and what the fit
 * without its fold predicts; negative if memory ran out. `held_out` [sample_count] receives these predictions, or is NULL. */
double fit_predictor(const mesh_fit *f, const double (*gradients)[9], const joint_candidates *candidates, predictor *made,
					 double (*held_out)[9]);

/* Adds the weights of a point in the learned blend to `weights` [joint_count]. */
void add_weights(const mesh_fit *f, uint32_t point, double *weights);

/* The joints with weight, the heaviest first, then their parents, then their children: a joint with many children crowds out
 * none that moves the points. Only those of a part of the skeleton. Clears the weights. */
void choose_candidates(const mesh_fit *f, uint32_t part, double *weights, joint_candidates *list);

/* Gradients of a triangle as they are predicted, over all samples: those that choose the pull are stored. */
snw_status open_validated(mesh_fit *f, snw_pool *pool);

/* Stores those of one triangle, [sample_count][9]. */
void store_validated(const mesh_fit *f, uint32_t triangle, const double (*gradients)[9]);

/* The predictors of all triangles. */
snw_status fit_triangles(mesh_fit *f, snk_stretch stretch, snw_pool *model_pool);

/* ---- reduction ---- */

/* Clusters of points, at first one for each; then joined until at most `count` are there, with `labels` [point_count], SNW_NONE
 * for points that are left out. More remain where the parts of the skeleton are more. */
typedef struct clustering clustering;
snw_status open_clusters(const mesh_fit *f, snw_pool *pool, clustering **made);
snw_status join_clusters(clustering *c, uint32_t count, uint32_t *labels, uint32_t *label_count);

/* The proxies and their weights: as few as have the error that was asked for or, where none was, as do as well as the number
 * that was. */
snw_status find_proxies(mesh_fit *f, const snk_motion *motion, snw_pool *pool, reduction *r);

/* The key gradients of the proxies over the samples, and the triangles' blends of them; then these blends alone, for other
 * gradients. */
snw_status find_key_gradients(const mesh_fit *f, snk_stretch stretch, snw_pool *pool, reduction *r);
snw_status blend_key_gradients(const mesh_fit *f, snk_stretch stretch, snw_pool *pool, reduction *r);

/* Predictors of the key gradients. The keys become what these predict. */
snw_status predict_keys(mesh_fit *f, snk_stretch stretch, const reduction *r, snw_pool *model_pool);

/* C of a mesh with its influences; numbered over the key gradients of all meshes, which are known by then. */
snw_status combine(const mesh_fit *f, const reduction *r, snw_pool *pool);

/* Gives the palette of a mesh the character's slots after its proxies, unless it has them. */
snw_status append_slots(const mesh_fit *f, snw_pool *pool);

/* ---- the system ---------------------------------------------------------------------------------------------------------- */

/* C while it is found: first by the Poisson equation (combine.c), then from the samples (refit.c). */

typedef struct proxy_system {
	const mesh_fit *f;
	const reduction *r;
	size_t n, key_inputs, slot_inputs; /* 4 a proxy; 3 a key; 4 a slot */
	double (*centres)[3], *radii;      /* [proxies] */
	double *matrix;                    /* [n][n] */
	double *rights;                    /* [key_inputs + slot_inputs][n]; solved, C by columns, about the centres */
	unsigned char *selected;           /* [proxies][key_inputs + slot_inputs]: inputs that are not dropped */
	size_t *strongest;                 /* [proxies]: the first input of the key that moves a proxy's points most */
} proxy_system;

static inline size_t input_count(const proxy_system *s) {
	return s->key_inputs + s->slot_inputs;
}

/* Fits C to the samples. */
snw_status refit(const proxy_system *s);

/* ---- ridge --------------------------------------------------------------------------------------------------------------- */

/* M X (F Fᵀ + ridge) = B Fᵀ, for coefficients X of features F that come nearest to B, where M says how much the rows of X
 * weigh. Of the two systems that give X it takes the smaller: that of the features, or, where there are fewer columns than
 * features, M G (Fᵀ F + ridge) = B with X = G Fᵀ. */

typedef struct ridge_equation {
	size_t feature_count, width;
	const double *features; /* F, [feature_count][width] */
	const double *sums;     /* B, [4][width] */
	const double *counts;   /* [width]: 1, or 0 for a column that is left out */
	double ridge;           /* above 0 */
	double *gram, *right;   /* scratch: [order][order] and [8][order], order the less of feature_count and width */
} ridge_equation;

/* Writes X, [4][feature_count]; `moments`: M, [4][4], symmetric and positive definite. */
snw_status solve_ridge(const snw_host *host, const ridge_equation *e, const double moments[16], double *solution);

#endif
