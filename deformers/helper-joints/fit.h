/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress: weights without helpers; places of the helpers, and weights that begin with them
 * (between_joints.c, fit.c); and in turn motions of the helpers (motions.c) and weights.
 */
#ifndef SINEW_DEFORMERS_HELPER_JOINTS_FIT
#define SINEW_DEFORMERS_HELPER_JOINTS_FIT

#include "helper-joints/helper-joints.h"
#include "sinew/kit/fit/samples.h"

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
