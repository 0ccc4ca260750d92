/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helper joints: linear blend over the character's joints and a few more, which move with the pose. Each is the child of a
 * joint of the skeleton. So riggers make muscles, creases and the volume of elbows for engines that play joints alone; here
 * they are learned from samples.
 *
 *     v_i = Σ_s w_is T_s (r_i, 1) + Σ_h w_ih T_p(h) S_h M_h (r_i, 1),    M_h x = exp(ρ_h) D_h (x − c_h) + c_h + τ_h
 *
 * with T_p the motion of the parent from rest and c_h the helper's place at rest. S_h goes a fixed share of the way from the
 * parent to another joint q: the screw motion (T_p⁻¹ T_q)^share, or the identity. A dual quaternion goes the same way, so
 * helpers between two joints are to it what the corners of a polygon are to an arc. D_h stretches along the axes of the parent
 * at rest, by 1 + σ_h: the chords of that polygon then run on both sides of the arc. (ρ_h, τ_h, σ_h) = B_h φ, φ the entries of
 * R − I of the drivers, R the rotation of a joint away from rest: the features of M. Loper et al., SMPL: A skinned multi-person
 * linear model, 2015, here of joints in place of displacements. Weights are not negative, sum to one, and are at most
 * `influences` a point.
 *
 * The fit alternates, as B. Le and Z. Deng's Smooth skinning decomposition with rigid bones (2012) does, but with the
 * skeleton's joints held and every other motion a function of the pose. A mesh that the samples show elsewhere in all poses is
 * moved there first (motion/learn_weights.h), and again after each fit of weights. It starts from learned weights without
 * helpers:
 *   - helpers are put between joints that move points together, one after another, each where it saves most; with a mesh
 *     that was moved, they begin by sliding along both joints (between_joints.c);
 *   - once that saves little, the others are placed by k-means of the points, weighted by the squared error there (fit.c);
 *   - for each helper in turn, the Gauss–Newton step of ρ, τ and σ in each sample, with everything else held (motions.c). The
 *     step is found in the rest axes of the parent, where its matrix is the same in every sample; so least squares over all
 *     samples is to regress these steps on φ, in the metric of that matrix;
 *   - weights, with helpers where B puts them (motion/learn_weights.h).
 * In the end weights go back towards the rig's where these are better (sinew/kit/fit/guard.h).
 */
#ifndef SINEW_DEFORMERS_HELPER_JOINTS
#define SINEW_DEFORMERS_HELPER_JOINTS

#include "motion/learn_weights.h"
#include "sinew/helper_joints.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { INFLUENCES, HELPERS, DRIVERS, RIDGE, JOINTS, REST, GUARD, PARAMETER_COUNT };

enum {
	JOINT_FEATURES = SNK_ROTATION_FEATURES, /* φ of one joint: R − I row by row, in rest axes */
	MOST_DRIVERS = 4,                       /* of a helper */
	MOST_FEATURES = MOST_DRIVERS * JOINT_FEATURES,
	MOTIONS = 9, /* ρ in radians, τ in metres, σ */
};

typedef struct helper {
	uint32_t parent;
	uint32_t toward; /* q; SNW_NONE: S_h is the identity */
	double share;    /* of the way from the parent to q */
	uint32_t driver_count;
	uint32_t drivers[MOST_DRIVERS];
	double place[3];                                      /* c, in rest space */
	double factors[MOTIONS][MOST_FEATURES];               /* B */
	double lowest[MOST_FEATURES], highest[MOST_FEATURES]; /* what φ is clamped to */
} helper;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t joint_count, slot_count;
	const char **joint_names;    /* [joint_count] */
	const double *rest_inverses; /* [joint_count][12]: rest space → joint space */
	const double *axes;          /* [joint_count][9]: joint axes → axes of the rest space */
	uint32_t helper_count;
	helper *helpers;
	const snw_helper_joint *const *listed; /* [helper_count] */
	snk_base_skin skin;                    /* over the character's slots, then the helpers */
	snk_rest_shape rest;
};

/* What follows from the character; then, with the helpers known, what follows from them. SNW_ERROR_MEMORY. */
snw_status open_model(const snw_character_view *character, snw_model *model);
snw_status list_helpers(const snw_character_view *character, snw_model *model);

/* A character with slots for so many helpers behind its own; the first `count` of `helpers` say which joints they follow. */
snw_status widen_character(const snw_character_view *character, uint32_t count, const helper *helpers, snw_pool *pool,
						   snw_character_view *wider);

/* ρ, τ and σ of a helper. */
void helper_motion(const snw_model *model, const helper *from, const snw_pose_view *pose, double motion[MOTIONS]);

/* T_p, and T_q of a helper between two joints. */
void helper_ends(const snw_model *model, const helper *from, const snw_pose_view *pose, double first[12], double second[12]);

/* T_p S_h: rest space → posed space for no motion. */
void helper_base(const snw_model *model, const helper *from, const snw_pose_view *pose, double base[12]);

/* D_h, row by row. */
void helper_stretch(const snw_model *model, const helper *from, const double motion[MOTIONS], double stretched[9]);

/* Rest space → posed space for a motion. */
void helper_matrix(const snw_model *model, const helper *from, const snw_pose_view *pose, const double motion[MOTIONS],
				   double matrix[12]);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* A fit of one mesh in progress: weights without helpers; places of the helpers, and weights that begin with them
 * (between_joints.c, fit.c); and in turn motions of the helpers (motions.c) and weights. */

/* How a helper moves in a sample. */
typedef struct helper_sample {
	double motion[MOTIONS];
} helper_sample;

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	snk_new_rest *new_rest;
	const snw_model *model;
	uint32_t mesh_index;
	const snw_mesh_view *mesh;
	double diagonal; /* of its rest bounding box, metres */
	uint32_t sample_count;
	snk_sample *samples;
	const double *features; /* [sample_count][joint_count][JOINT_FEATURES] */
	const unsigned char
		*bends;               /* [joint_count]: whether the joint's rotation moves points of the character relative to others */
	double *residuals_before; /* [point_count]: root of the mean squared distance over samples, metres, with the base weights */
	double *residuals;        /* [point_count]: likewise, with the learned ones */
	double energy;            /* their squares, of all points and samples, without helpers */
	snk_base_skin_mesh skin;  /* over the wide character's slots */
	uint32_t helper_count;    /* of this mesh; their slots follow those of the character */
	uint32_t between_count;   /* of them between two joints, which come first */
	helper *helpers;          /* [helper_count] */
	double (*slides)[3];      /* [between_count]: Δ, metres; zero for those that do not slide */
	double *radii;            /* [helper_count]: of the points around the place that begin with the helper, metres */
	snw_character_view wide;  /* the character with slots for the helpers */
	double *palettes;         /* [sample_count][the wide slot_count][12] */
	snk_sample *wide_samples; /* [sample_count]: with these palettes */
	helper_sample *motions;   /* [helper_count][sample_count] */
	const unsigned char *kept; /* [the wide slot_count]: whether a slot may move points; NULL: all may */
} mesh_fit;

/* The pull of weights with helpers toward what they are, of the squared diagonal: a helper may take over a point at once. */
static const double helped_ridge = 1e-7;

/* The first `count` helpers, each between two joints, and the skin and residuals with them: at most helper_count.
 * SNW_ERROR_MEMORY. */
snw_status place_between(mesh_fit *f, snw_pool *pool, uint32_t *count);

/* H for the motions T of two joints. */
void slide_matrix(const double first[12], const double second[12], const double slide[3], double matrix[12]);

/* The motions of helpers that slide: as near to H as helpers come. Their palettes follow. SNW_ERROR_MEMORY. */
snw_status start_slides(mesh_fit *f);

/* Moves each helper in turn: what is best in each sample, regressed on the drivers. Their palettes follow. */
snw_status move_helpers(mesh_fit *f, uint32_t sweeps);

#endif
