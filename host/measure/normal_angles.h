/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The angles between the normals of two shapes of one mesh: of a result and its ground truth, or of a file and the stack that
 * it was exported from. A point's normal is the area-weighted one of its faces (mesh/normals.h), unless the result has its
 * own.
 */
#ifndef SINEW_HOST_MEASURE_NORMAL_ANGLES_H
#define SINEW_HOST_MEASURE_NORMAL_ANGLES_H

#include "stack/stack.h"

/* Sums over points and frames. A point without a normal in one of the shapes is not counted. */
typedef struct snw_normal_angles {
	double squares; /* Σ angle², degrees */
	double most;    /* degrees */
	uint64_t count;
} snw_normal_angles;

/* The root mean square angle, degrees; NaN if nothing was counted. And the largest one, likewise. */
double snw_normal_angles_mean(const snw_normal_angles *angles);
double snw_normal_angles_most(const snw_normal_angles *angles);

/* The memory to compare shapes of one mesh in, which must outlive it. For one call at a time. */
typedef struct snw_normal_comparison snw_normal_comparison;
snw_normal_comparison *snw_normal_comparison_create(const snw_mesh *mesh);
void snw_normal_comparison_destroy(snw_normal_comparison *comparison); /* NULL does nothing */

/* Adds the angles between the normals of two shapes, both [point_count][3]. `region` [point_count]: only points where it is 0.5
 * or more; NULL: all. */
void snw_normal_angles_add(snw_normal_comparison *comparison, const double *expected, const double *actual,
						   const double *region, snw_normal_angles *angles);
/* The same for a result that was just evaluated: a stack that brings normals (snw_stack_has_normals) is compared by these. */
void snw_normal_angles_add_stack(snw_normal_comparison *comparison, const double *expected, const double *actual,
								 const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, const double *region,
								 snw_normal_angles *angles);
/* Adds the angles between the normals of a shape and given ones, [point_count][3], of any length; zero for none. */
void snw_normal_angles_add_normals(snw_normal_comparison *comparison, const double *expected, const float *normals,
								   const double *region, snw_normal_angles *angles);

#endif
