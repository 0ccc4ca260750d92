/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inner loops of the fits, over one block of frames, compiled once for each instruction set. All of them give the same
 * bits.
 *
 * Points are those of the motion, relative to its centre. Normal equations are blocks of size × size lanes, numbered by the
 * graph, and right sides [joint_count][size], by place in the elimination order.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_H
#define SINEW_DEFORMERS_MOTION_KERNELS_H

#include <stdint.h>

#include "motion/animation.h"
#include "motion/blend_graph.h"

/* ---- mesh normals -------------------------------------------------------------------------------------------------------- */

/* The faces around each point of a mesh, and its normals at rest. */

typedef struct snk_mesh_normals {
	const uint32_t *offsets, *faces;            /* faces [offsets[i], offsets[i + 1]) are around point i */
	const uint32_t *face_offsets, *face_points; /* of the mesh */
	const double *normals_rest;                 /* [point_count][3], unit */
} snk_mesh_normals;

/* The transforms of all joints in a block of frames, rest → posed. */
typedef snk_lanes snk_lane_matrix[12];
typedef snk_lanes snk_lane_vector[3];
typedef snk_lanes snk_lane_dual_quaternion[8]; /* real x, y, z, w, then dual */

typedef struct snk_lane_kernels {
	const char *name;

	/* targets [joint_count][12]: Σ w v' v̂ᵀ (3 × 4, v̂ as in the graph's moments); squares: Σ |v'|². */
	void (*target_moments)(const snk_motion *motion, const snk_blend_graph *graph, uint32_t block, snk_lane_matrix *targets,
						   snk_lanes *squares);

	/* In place: L, with the inverse of its diagonal on the diagonal. size: 3, 4, 6, 7 or 8. A pivot is at least 1e-13 of its
	 * original value. */
	void (*factor)(const snk_blend_graph *graph, uint32_t size, snk_lanes *blocks);
	/* In place, for `count` right sides. */
	void (*solve)(const snk_blend_graph *graph, uint32_t size, const snk_lanes *blocks, uint32_t count, snk_lanes *right);

	/* The Gauss-Newton normal equations of rigid transforms under linear blend, size 6: a rotation about the joint's posed
	 * centre, then a translation. `matrices` act on v̂. From moments alone. squares: Σ |v'|² on entry, the squared error on
	 * return. Blocks and right sides can be NULL, for the error alone. */
	void (*rigid_equations)(const snk_blend_graph *graph, const snk_lane_matrix *matrices, const snk_lane_matrix *targets,
							snk_lanes *blocks, snk_lanes *right, snk_lanes *squares);

	/* The linear system of dual quaternions x q (Kavan et al. 2007, equation 6, for x), q unit, size 7: with a and b the first
	 * three and the last three unknowns and s between, x = 1 + a + ε (s + b + c × a), a rotation about c, the joint's posed
	 * centre. */
	void (*dual_linear_equations)(const snk_motion *motion, const snk_blend_graph *graph, uint32_t block,
								  const snk_lane_dual_quaternion *q, const snk_lane_vector *centres, snk_lanes *blocks,
								  snk_lanes *right);
	/* The Gauss-Newton normal equations of the distance, for x q, size 8: x = 1 + r + a + ε (s + b + c × a). */
	void (*dual_equations)(const snk_motion *motion, const snk_blend_graph *graph, uint32_t block,
						   const snk_lane_dual_quaternion *q, const snk_lane_vector *centres, snk_lanes *blocks,
						   snk_lanes *right);

	/* distances [end − begin]: |v' − blend|², of the points [begin, end). */
	void (*linear_distances)(const snk_motion *motion, const snk_influences *influences, uint32_t block,
							 const snk_lane_matrix *matrices, uint32_t begin, uint32_t end, snk_lanes *distances);
	void (*dual_distances)(const snk_motion *motion, const snk_influences *influences, uint32_t block,
						   const snk_lane_dual_quaternion *q, uint32_t begin, uint32_t end, snk_lanes *distances);

	/* columns [count][3 · block_count]: the error of a point under joint k alone in each frame, blend − v'; `joints` NULL for
	 * all in order. `transforms` are those of all blocks. */
	void (*linear_columns)(const snk_motion *motion, const snk_lanes *transforms, uint32_t joint_count, uint32_t point,
						   uint32_t count, const uint32_t *joints, snk_lanes *columns);
	/* The same for dual quaternions, v' − blend, with the length and rotation of the blend fixed to those for `current`. */
	void (*dual_columns)(const snk_motion *motion, const snk_influences *current, const snk_lanes *transforms,
						 uint32_t joint_count, uint32_t point, uint32_t count, const uint32_t *joints, snk_lanes *columns);
	/* gram [count][count] of the chosen columns (NULL: the first `count`). */
	void (*column_gram)(size_t length, uint32_t count, const snk_lanes *columns, const uint32_t *chosen, double *gram);
	/* slopes [count]: columns · their mean by the members' weights; squares [count]: columns · columns; `mixed` [length] is
	 * scratch. */
	void (*column_slopes)(size_t length, uint32_t count, const snk_lanes *columns, uint32_t member_count,
						  const uint32_t *members, const double *weights, snk_lanes *mixed, double *slopes, double *squares);

	/* For the points [begin, end): gaps [end − begin][block_count][3], v' − blend in each frame, 0 after the last; linear [end
	 * − begin][block_count][9]: the linear part of the blend there. `width` and `transforms` as in snk_transforms. */
	void (*blend_gaps)(const snk_motion *motion, const snk_influences *influences, uint32_t width, const snk_lanes *transforms,
					   uint32_t begin, uint32_t end, snk_lanes *gaps, snk_lanes *linear);
	/* errors [count][3]: the gaps mapped to rest space by the inverse, with a ridge for nearly singular ones. */
	void (*rest_errors)(size_t count, const snk_lanes *linear, double ridge, const snk_lanes *gaps, snk_lanes *errors);
	/* For each of `count` courses over time, [count][blocks]: along = errorsᵀ course, and products (may be NULL), of the size
	 * of the courses, += errors · along. */
	void (*along_courses)(uint32_t blocks, uint32_t count, const snk_lanes *courses, const snk_lanes *errors,
						  snk_lanes *products, double (*along)[3]);
	/* Improves vectors [count] in rest space, for given courses over time, so that they reduce the gaps more. If the initial
	 * ones do not reduce them, starts from zero. `scratch` [blocks][12]. */
	void (*fit_details)(uint32_t blocks, const snk_lanes *linear, uint32_t count, const snk_lanes *courses,
						const snk_lanes *gaps, snk_lanes *scratch, double (*vectors)[3]);
	/* As linear_distances and dual_distances, with rest points displaced by Σ course · details. */
	void (*detailed_distances)(const snk_motion *motion, const snk_influences *influences, uint32_t width,
							   const snk_lanes *values, uint32_t block, uint32_t begin, uint32_t end, uint32_t count,
							   const snk_lanes *courses, const double *details, snk_lanes *distances);

	/* Normals by separate transforms, `width` 9 for linear maps or 4 for rotations, [block_count][joint_count][width]; the
	 * targets are area-weighted normals of the faces around points; points without area are ignored. Right sides of maps,
	 * [3][joint_count][3] by place, += Σ w n' nᵀ. */
	void (*normal_maps)(const snk_motion *motion, const snk_mesh_normals *rings, const snk_blend_graph *graph, uint32_t block,
						snk_lanes *right);
	/* Normal equations of rotations, size 3, += those of n' q − q n = 0 with (1 + a) q in place of q, at the block's
	 * `rotations`. */
	void (*normal_rotations)(const snk_motion *motion, const snk_mesh_normals *rings, const snk_blend_graph *graph,
							 uint32_t block, const snk_lanes *rotations, snk_lanes *blocks, snk_lanes *right);
	/* As blend_gaps. The target normal is scaled to the length of the blended one. */
	void (*normal_gaps)(const snk_motion *motion, const snk_mesh_normals *rings, const snk_influences *influences,
						uint32_t width, const snk_lanes *values, uint32_t begin, uint32_t end, snk_lanes *gaps,
						snk_lanes *linear);
	/* cosines [end − begin]: between the blended normal, with rest normals displaced by Σ course · details, and the target; 1
	 * without a target. */
	void (*normal_cosines)(const snk_motion *motion, const snk_mesh_normals *rings, const snk_influences *influences,
						   uint32_t width, const snk_lanes *values, uint32_t block, uint32_t begin, uint32_t end,
						   uint32_t count, const snk_lanes *courses, const double *details, snk_lanes *cosines);
} snk_lane_kernels;

/* The best kernels for this machine. */
const snk_lane_kernels *snk_lane_kernels_best(void);

#endif
