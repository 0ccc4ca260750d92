/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A course of gradients over the samples, while its predictor is fitted: first its rotations (predictors.c), then what they
 * leave (shear.c).
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_COURSE
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_COURSE

#include "rotational-regression/fit.h"

/* Arrays are [sample_count]. */
typedef struct course {
	const mesh_fit *f;
	const double (*gradients)[9];
	const joint_candidates *candidates;
	double (*rotations)[4]; /* of the gradients */
	double (*targets)[4];   /* what a joint is to explain */
	double (*held_out)[9];  /* receives each gradient as fits to the other folds predict it; or NULL */
} course;

static inline const double *rotation_at(const mesh_fit *f, uint32_t sample, uint32_t joint) {
	return f->rotations[(size_t)sample * f->model->joint_count + joint];
}

static inline const posed_joint *joints_at(const mesh_fit *f, uint32_t sample) {
	return f->posed + (size_t)sample * f->model->joint_count;
}

/* Fits the predictor's scale and shear; its joints are known. Returns the sum over samples of the squared distances between
 * each gradient and what fits to the other folds predict, or, with a single sample, what is left of it; negative if memory ran
 * out. */
double fit_shear(const course *c, predictor *p);

#endif
