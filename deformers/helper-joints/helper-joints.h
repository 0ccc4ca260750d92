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
void SNW_CALL layout(const snw_model *model, snw_model_layout *layout);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);
snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model);
snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink);

#endif
