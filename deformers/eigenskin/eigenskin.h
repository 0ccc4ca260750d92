/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * EigenSkin: for each joint, a few displacements of the rest pose whose coefficients are radial basis functions of the joint's
 * rotation.
 *
 *     v_i = below(p_i + Σ_k Σ_e d_ke(r_k) u_ke,i),   d_ke(r) = Σ_c w_kec (κ(r, c) − κ(r, 0) − κ(c, 0) + 1)
 *
 * κ is a Gaussian of the angle between two rotations, as a pose space has it (docs/pose-space.md), so players drive it live.
 *
 * after P. Kry, D. James and D. Pai, EigenSkin: Real time large deformation character skinning in hardware, 2002. The offsets
 * below⁻¹(target) − p of the samples are explained by the joints near each point; a joint's eigendisplacements u_k are the best
 * in the least-squares sense over its part of all points and samples.
 *
 * Where we depart:
 *   - The paper rotates one joint at a time, so that each residual has one cause. Here samples may be any motion: the functions
 *     of all joints near a point are fitted together, so that each explains what the others do not.
 *   - Centres are a few of the samples' rotations, chosen farthest first, beside the rest. The functions are 0 at rest,
 *     exactly, and their norm in the kernel's own space is penalized.
 *   - Displacements are shared out among the joints by what each is worth.
 *   - Points that a displacement moves by less than three millionths of the diagonal are left out of it.
 *   - What was learned shrinks where the layers below are better (sinew/kit/fit/guard.h).
 */
#ifndef SINEW_DEFORMERS_EIGENSKIN
#define SINEW_DEFORMERS_EIGENSKIN

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { DISPLACEMENTS, CENTRES, WIDTH, RIDGE, GUARD, PARAMETER_COUNT };

enum { MOST_CENTRES = 16 };

/* A joint whose rotation drives displacements. It has as many functions as centres beside the rest. */
typedef struct driver {
	const char *name;
	uint32_t joint, count, unwound;
	uint32_t coefficient_count;
	const double *weights;               /* [coefficient_count][count]: of the functions */
	double centres[MOST_CENTRES + 1][3]; /* rotation vectors: `count`, then that of the rest */
	/* As snk_pose_squared_distances takes them, and κ(c, 0) of each. */
	_Alignas(16) double quaternions[SNK_POSE_FEATURES * (MOST_CENTRES + 2)];
	double at_rest[MOST_CENTRES];
} driver;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t joint_count;
	double width; /* of the kernel, radians */
	uint32_t driver_count;
	driver *drivers;
	uint32_t coefficient_count; /* of all drivers, in their order */
	uint32_t mesh_count;
	uint32_t *point_counts;    /* [mesh_count] */
	snw_displacements *meshes; /* [mesh_count] */
};

/* Fills what follows from a driver's centres. */
void driver_prepare(driver *one, double width);

/* κ(r, c) − κ(r, 0) − κ(c, 0) + 1 at each centre: [count]. They are 0 at rest. */
void driver_functions(const driver *from, double width, const double rotation_vector[3], double *values);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* A fit of one mesh in progress:
 *
 *   fit.c       the functions of each joint; the joints near each point; the offsets of the samples; one model. Shrinks numbers
 *               where samples that were left out show that the layers below are better
 *   regress.c   the numbers of each point; the eigendisplacements of each joint */

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

/* The displacements of a mesh, in the pool. */
snw_status reduce(const mesh_fit *f, snw_pool *pool, reduced *to);

#endif
