/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What runs at each redraw, joints and gradients side by side, compiled for each instruction set.
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_LANES_H
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_LANES_H

#include <math.h>

#include "sinew/plugin.h"
#include "sinew/sinew.h"

enum {
	MOST_JOINTS = 4, /* of a predictor */
	LANES = 16,      /* gradients that lie side by side */
};

/* Features of a joint's rotation R: the entries of R − I, or the rotation vector. */
enum { FEATURES_MATRICES, FEATURES_VECTORS, FEATURE_KINDS };

/* A joint of the skeleton. */
typedef struct regressed_joint {
	uint32_t parent; /* SNW_NONE at a root */
	uint32_t bends;  /* 0 for a joint above all of the skin, which moves the character as a whole and predicts nothing */
	double axes[9];  /* joint axes → axes of the rest space */
} regressed_joint;

/* A joint in a pose, in the axes of the rest space. */
typedef struct posed_joint {
	double rotation[9]; /* away from rest */
	double vector[3];   /* relative to the parent, unwound */
	float features[12]; /* φ, then the vector */
} posed_joint;

/* The predictors of LANES gradients as they run, a lane each. */
typedef struct predictor_group {
	_Alignas(64) uint32_t joints[MOST_JOINTS + 1][LANES]; /* SNW_NONE for no further joint; the last: the first one's parent */
	float sides[MOST_JOINTS][LANES];           /* 1 for a factor after those found before it, −1 for one before them */
	float rotations[MOST_JOINTS][9][LANES];    /* u W */
	float shear[MOST_JOINTS + 1][9][9][LANES]; /* H by joint, feature and entry; 0 for features that are not read */
	float constants[9][LANES];                 /* the last column of H */
	uint32_t most_joints;                      /* of a predictor */
} predictor_group;

/* All joints in a pose. */
void pose_joints(uint32_t features, uint32_t count, const regressed_joint *joints, const snw_pose_view *pose,
				 posed_joint *posed);

/* D of the first `count` lanes, by columns. */
void predict_gradients(const posed_joint *posed, const predictor_group *group, uint32_t count, double (*gradients)[9]);

/* Both with one instruction set. */
typedef struct lane_kernels {
	const char *name;
	void (*pose)(uint32_t features, uint32_t count, const regressed_joint *joints, const snw_pose_view *pose,
				 posed_joint *posed);
	void (*predict)(const posed_joint *posed, const predictor_group *group, uint32_t count, double (*gradients)[9]);
} lane_kernels;

/* Those that this machine can run, the fastest last; `count` of them. */
const lane_kernels *const *lane_kernels_available(uint32_t *count);

#endif
