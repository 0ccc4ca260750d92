/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress:
 *
 *   fit.c       the functions of each joint; the joints near each point; the offsets of the samples; one model. Shrinks numbers
 *               where samples that were left out show that the layers below are better
 *   regress.c   the numbers of each point; the eigendisplacements of each joint
 */
#ifndef SINEW_DEFORMERS_EIGENSKIN_FIT
#define SINEW_DEFORMERS_EIGENSKIN_FIT

#include "eigenskin/eigenskin.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"

/* Joints near a point, at most. */
enum { MOST_NEAR = 12 };

/* Added to K and to the mean of φ φᵀ, in units of 1: kernels nearby are nearly dependent. */
#define JITTER 1e-6

typedef struct near_joints {
	uint32_t count;
	uint32_t joints[MOST_NEAR];
} near_joints;

typedef double (*point_numbers)[MOST_NEAR][MOST_CENTRES][3];

/* Of one mesh. */
typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	const snw_mesh_view *mesh;
	uint32_t mesh_index, joint_count;
	double width, ridge, diagonal;
	uint32_t *numbers_given; /* [joint_count]: the displacements that a joint has, of the meshes so far too */
	const unsigned char *bends;
	uint32_t sample_count;
	snk_sample *samples;
	driver *drivers;  /* [joint_count]: without the rest among their centres; none where a joint stays */
	uint32_t *firsts; /* [joint_count]: the first feature of a joint */
	uint32_t feature_count;
	double *features;      /* [sample_count][feature_count] */
	float *offsets;        /* [point_count][sample_count][3] */
	near_joints *near;     /* [point_count] */
	point_numbers numbers; /* [point_count] */
} mesh_fit;

/* A mesh's displacements. */
typedef struct reduced {
	uint32_t count;
	uint32_t *joints;             /* [count] */
	double (*rows)[MOST_CENTRES]; /* [count] */
	uint64_t *offsets;            /* [count + 1] */
	uint32_t *points;
	double *vectors;
	const char **names;
} reduced;

/* Of all samples, or of those outside a fold. */
typedef struct regression {
	const mesh_fit *f;
	const unsigned char *folds; /* of the samples; NULL: all are learned from */
	uint32_t fold;
	double *gram; /* [feature_count][feature_count], with the penalty in each joint's block */
	point_numbers numbers;
} regression;

/* The numbers of all points. */
snw_status regress(regression *r, const snk_stretch *stretch);

/* Shrinks the numbers of a fit; `progress` is where the guard is in it. */
snw_status shrink(mesh_fit *f, double progress);

/* The displacements of a mesh, in the pool. */
snw_status reduce(const mesh_fit *f, snw_pool *pool, reduced *to);

#endif
