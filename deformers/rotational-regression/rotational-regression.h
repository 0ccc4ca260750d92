/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rotational regression: the deformation gradient of each triangle is predicted from the rotations of joints, and the points
 * are those that fit the gradients best. Reduced, it runs as linear blend over proxy joints.
 *
 * After R. Wang, K. Pulli and J. Popović, "Real-time enveloping with rotational regression", 2007. A gradient D is a rotation
 * times a scale and shear. With θ the rotation vector of a joint relative to its parent, and Q the rotation of that parent,
 *
 *     D = Q exp(u W θ) (I + H φ)
 *
 * where u is a number, W a constant rotation (section 3.2) and φ are features of the joint and its parent (section 3.3).
 * Further joints predict what the first leaves: factors of the same form, before exp(u W θ) for joints above the first, else
 * after it. The points follow from a Poisson equation (sections 4.1 and 4.2). It is linear, so with a blend of P key gradients
 * in place of the triangles' and a linear blend of P proxy joints in place of the points, the proxies' transforms are T = C z
 * with C constant and z the key gradients and the joints' matrices (sections 4.3 and 5).
 *
 * Where we depart:
 *   - Every point is drawn softly to a linear blend with learned weights, where the paper fixes those that it predicts well
 *     (`anchors=fixed`). The pull is inversely proportional to the squared error of the blend there over the samples: what the
 *     blend predicts well keeps errors of the gradients from adding up along the surface. Edges are weighted by cotangents,
 *     where the paper takes two edges of each triangle alike.
 *   - Where the samples move no joint, nothing is learned of it (anchors.c): points keep the slots that they follow across it,
 *     wholly where no joint of their own part of the skeleton moves, and clusters, blends and predictors stay within a part. A
 *     reduction must not decide that a finger stays straight.
 *   - Joints and the ridge of a gradient, and the factor of all pulls, are chosen by cross-validation, over folds of several
 *     blocks of consecutive samples.
 *   - φ are the entries of R − I of all joints of the predictor and the first one's parent, where the paper has the rotation
 *     vectors of the first and its parent (`features=vectors`). H is fitted by ridge regression, to all that the rotations
 *     leave of the gradient, so that it corrects small rotations as well. A gradient has up to four joints, where the paper has
 *     two (`joints=2`).
 *   - Distances between gradients include the normal: with cotangent weights a triangle's edges measure the gradient's distance
 *     in its plane by area, and the normal adds the third direction.
 *   - With soft pulls C is fitted to the samples again, with a ridge to what the Poisson equation gives (refit.c). It
 *     is chosen by cross-validation; with few samples the equation's C stays.
 *   - Where the layers below are better, points go back towards the slots of the skin (sinew/kit/fit/guard.h), unless fewer
 *     proxies than slots were asked for.
 *   - C is made sparse: a proxy drops key gradients and joints that move its points by next to nothing. What it drops is added
 *     to those that it keeps, so that rigid motions stay exact.
 *   - The full model (`proxies=0`) solves its system by conjugate gradients, where the paper has a factor: what runs at each
 *     redraw may not allocate, as CHOLMOD does when it solves. On the sample arm the points are within 2e-7 of the diagonal of
 *     the exact solution.
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION

#include "rotational-regression/lanes.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { PROXIES, ERROR, JOINTS, ANCHORS, PULL, FEATURES, RIDGE, INFLUENCES, GUARD, PARAMETER_COUNT };

/* Choices of ANCHORS; those of FEATURES are in lanes.h. */
enum { ANCHORS_SOFT, ANCHORS_FIXED, ANCHOR_KINDS };

/* Features of the first joint, of the others and of the first one's parent, then 1. */
enum { SHEAR_COLUMNS = 9 * (MOST_JOINTS + 1) + 1 };

/* Of one gradient, as it is fitted and saved. */
typedef struct predictor {
	uint32_t joint_count;
	uint32_t joints[MOST_JOINTS];
	/* Whether the joint is above the first: its factor then comes before those found before it. */
	uint32_t is_above[MOST_JOINTS];
	float rotations[9][MOST_JOINTS]; /* u W, by number */
	float shear[SHEAR_COLUMNS][9];   /* H, by column */
} predictor;

/* The predictors of a mesh are those of its triangles, or, reduced, of its key gradients. */
typedef struct regressed_mesh {
	snk_base_skin_mesh skin;       /* of learned weights; offsets NULL for a mesh without */
	uint32_t predictor_count;      /* 0 for a mesh without samples, which keeps the base skin */
	uint32_t first_predictor;      /* its place among those of all meshes */
	const predictor_group *groups; /* of the predictors, in their order */
	/* Full. */
	uint32_t triangle_count;
	const uint32_t *triangles; /* [triangle_count][3] */
	const double *weights;     /* [triangle_count][3]: of the edges from each corner to the next */
	unsigned char *is_fixed;   /* [point_count]: to the learned blend */
	const double *pulls;       /* [point_count]: of the others toward it; the edges' weights are near 1 */
	/* Reduced: influences over proxies, and after them the character's slots, which fixed points follow. */
	snk_base_skin_mesh proxies;
	uint32_t slot_count;  /* of the mesh's palette */
	snw_sparse_rows rows; /* C */
} regressed_mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t anchors, features;
	uint32_t is_reduced;
	uint32_t joint_count, slot_count;
	const regressed_joint *joints;
	uint32_t predictor_count; /* of all meshes */
	uint32_t mesh_count;
	regressed_mesh *meshes;
};

/* ---- deform.c ---- */

/* NULL if memory ran out. */
const predictor_group *group_predictors(const snw_model *model, uint32_t count, const predictor *predictors, snw_pool *pool);

/* A predictor as it was before it was grouped. */
void read_predictor(const predictor_group *group, uint32_t lane, predictor *dest);

/* The product of the factors exp(u W θ), as a unit quaternion. */
void predict_rotation(const posed_joint *posed, const predictor *from, double rotation[4]);

/* φ, with the joints of a predictor. */
void shear_features(uint32_t kind, const regressed_joint *joints, const posed_joint *posed, const predictor *from,
					float features[SHEAR_COLUMNS]);

/* The part of z that is a mesh's key gradients, and the part that is the character's slots. */
void write_key_gradients(const regressed_mesh *mesh, const posed_joint *posed, double *z);
void write_slot_columns(uint32_t count, const double *palette, double *z);

/* The palette C z of a mesh, [slot_count][12]. */
void combine_palette(const snw_sparse_rows *rows, const double *z, double *palette);

/* The points [begin, end) under linear blend; as they are without influences. */
void blend_points(const snk_base_skin_mesh *skin, const double *palette, const double *points, uint32_t begin, uint32_t end,
				  double *dest);

/* Numbers the predictors of all meshes. */
void number_predictors(snw_model *model);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void SNW_CALL layout(const snw_model *model, snw_model_layout *layout);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL prepare(const snw_deform_call *call);
snw_status SNW_CALL deform(const snw_deform_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);

#endif
