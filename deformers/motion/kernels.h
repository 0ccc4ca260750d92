/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fits compute for each block of frames: the joints that share points, and the kernels over them.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_H
#define SINEW_DEFORMERS_MOTION_KERNELS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "motion/animation.h"
#include "sinew/pool.h"

/* ---- graphs of joints ---------------------------------------------------------------------------------------------------- */

/* The joints that share points, and the parts of a fit's normal equations that depend on the rest points alone: the elimination
 * order of the joints, the blocks that elimination fills in, and the second moments of the rest points for each pair of
 * joints. */

/* A symmetric matrix of blocks, one for each pair of joints that share points or are filled in. Block k < joint_count is the
 * diagonal one of joint order[k]; the row of the others is the joint that is eliminated later. */
typedef struct snk_blend_graph {
	snw_pool pool;
	const snk_influences *influences;
	const double *points_rest;
	uint32_t joint_count;
	uint32_t block_count;
	uint32_t *order;      /* [joint_count]: the joint at each place of the elimination order */
	uint32_t *places;     /* [joint_count]: the place of each joint */
	uint32_t *offsets;    /* [joint_count + 1]: blocks below the diagonal, of the column at each place */
	uint32_t *rows;       /* [block_count − joint_count]: places, ascending in each column; of block joint_count + i */
	uint32_t *blocks;     /* [joint_count][joint_count]: the block of two places, SNW_NONE for none */
	double (*centres)[3]; /* [joint_count]: the weighted mean of its points */
	double *masses;       /* [joint_count]: Σ w */
	double (*moments)[16]; /* [block_count]: Σ w_r w_c v̂_r v̂_cᵀ, v̂ = (v − centre of the joint, 1); 0 for blocks filled in */
	uint32_t *visit; /* [point_count]: points, ordered so that consecutive ones share joints */
} snk_blend_graph;

/* SNW_ERROR_MEMORY if memory runs out. `points_rest` and `influences` must outlive the graph. */
snw_status snk_blend_graph_make(const snw_host *host, const double *points_rest, const snk_influences *influences,
								snk_blend_graph *graph);
void snk_blend_graph_drop(snk_blend_graph *graph);

/* The block of two joints; *is_transposed if it is stored with `a` as its column. */
static inline uint32_t snk_blend_graph_block(const snk_blend_graph *graph, uint32_t a, uint32_t b, int *is_transposed) {
	const uint32_t row = graph->places[a], column = graph->places[b];
	*is_transposed = row < column;
	return graph->blocks[(size_t)row * graph->joint_count + column];
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------- */

/* The inner loops of the fits, over one block of frames, compiled once for each instruction set. All of them give the same
 * bits.
 *
 * Points are those of the motion, relative to its centre. Normal equations are blocks of size × size lanes, numbered by the
 * graph, and right sides [joint_count][size], by place in the elimination order. */

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

/* ---- lanes --------------------------------------------------------------------------------------------------------------- */

/* Vector and quaternion algebra over lanes. Private to the kernels. */

#define LANE_INLINE static inline __attribute__((always_inline))

LANE_INLINE snk_lanes lane_sqrt(snk_lanes x) {
	snk_lanes root;
	for (int i = 0; i < SNK_LANES; i++) {
		root[i] = sqrt(x[i]);
	}
	return root;
}

LANE_INLINE snk_lanes lane_max(snk_lanes a, snk_lanes b) {
	snk_lanes most;
	for (int i = 0; i < SNK_LANES; i++) {
		most[i] = a[i] > b[i] ? a[i] : b[i];
	}
	return most;
}

LANE_INLINE void lane_point(const snk_float_lanes *source, snk_lanes dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = __builtin_convertvector(source[c], snk_lanes);
	}
}

LANE_INLINE snk_lanes lane_dot3(const snk_lanes *a, const snk_lanes *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Quaternions x, y, z, w; dest must not be an input. */
LANE_INLINE void lane_multiply(const snk_lanes a[4], const snk_lanes b[4], snk_lanes dest[4]) {
	dest[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
	dest[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
	dest[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
	dest[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* a · conjugate(b) */
LANE_INLINE void lane_multiply_conjugate(const snk_lanes a[4], const snk_lanes b[4], snk_lanes dest[4]) {
	dest[0] = -a[3] * b[0] + a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
	dest[1] = -a[3] * b[1] + a[0] * b[2] + a[1] * b[3] - a[2] * b[0];
	dest[2] = -a[3] * b[2] - a[0] * b[1] + a[1] * b[0] + a[2] * b[3];
	dest[3] = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* q · v with v a pure quaternion of plain numbers. */
LANE_INLINE void lane_multiply_point(const snk_lanes q[4], const double v[3], snk_lanes dest[4]) {
	dest[0] = q[3] * v[0] + q[1] * v[2] - q[2] * v[1];
	dest[1] = q[3] * v[1] - q[0] * v[2] + q[2] * v[0];
	dest[2] = q[3] * v[2] + q[0] * v[1] - q[1] * v[0];
	dest[3] = -q[0] * v[0] - q[1] * v[1] - q[2] * v[2];
}

/* The rotation of a quaternion as 3 × 3; `two` is 2 over its squared length. */
LANE_INLINE void lane_rotation(const snk_lanes q[4], snk_lanes two, snk_lanes dest[9]) {
	const snk_lanes x = q[0], y = q[1], z = q[2], w = q[3];
	dest[0] = 1 - two * (y * y + z * z);
	dest[1] = two * (x * y - z * w);
	dest[2] = two * (x * z + y * w);
	dest[3] = two * (x * y + z * w);
	dest[4] = 1 - two * (x * x + z * z);
	dest[5] = two * (y * z - x * w);
	dest[6] = two * (x * z - y * w);
	dest[7] = two * (y * z + x * w);
	dest[8] = 1 - two * (x * x + y * y);
}

/* b ← G⁻¹ b of a symmetric G: 00, 10, 11, 20, 21, 22. */
LANE_INLINE void lane_solve3(const snk_lanes g[6], snk_lanes b[3]) {
	const snk_lanes c0 = g[2] * g[5] - g[4] * g[4], c1 = g[4] * g[3] - g[1] * g[5], c2 = g[1] * g[4] - g[2] * g[3];
	const snk_lanes inverse = 1.0 / (g[0] * c0 + g[1] * c1 + g[3] * c2), x = b[0], y = b[1], z = b[2];
	b[0] = inverse * (c0 * x + c1 * y + c2 * z);
	b[1] = inverse * (c1 * x + (g[0] * g[5] - g[3] * g[3]) * y + (g[3] * g[1] - g[0] * g[4]) * z);
	b[2] = inverse * (c2 * x + (g[3] * g[1] - g[0] * g[4]) * y + (g[0] * g[2] - g[1] * g[1]) * z);
}

/* gap ← A⁻¹ gap, by (AᵀA + ridge · trace)⁻¹ Aᵀ, which is bounded if A is nearly singular. */
LANE_INLINE void lane_divide(const snk_lanes a[9], double ridge, snk_lanes gap[3]) {
	snk_lanes g[6], b[3];
	for (int r = 0, at = 0; r < 3; r++) {
		for (int c = 0; c <= r; c++) {
			g[at++] = a[r] * a[c] + a[3 + r] * a[3 + c] + a[6 + r] * a[6 + c];
		}
		b[r] = a[r] * gap[0] + a[3 + r] * gap[1] + a[6 + r] * gap[2];
	}
	const snk_lanes added = (g[0] + g[2] + g[5]) * ridge + 1e-30;
	g[0] += added;
	g[2] += added;
	g[5] += added;
	lane_solve3(g, b);
	memcpy(gap, b, sizeof b);
}

/* block += aᵀ b over `rows` rows; a and b are [rows][size]. */
LANE_INLINE void lane_add_gram(uint32_t rows, uint32_t size, const snk_lanes *a, const snk_lanes *b, snk_lanes *block) {
	for (uint32_t i = 0; i < size; i++) {
		for (uint32_t j = 0; j < size; j++) {
			snk_lanes sum = a[i] * b[j];
			for (uint32_t r = 1; r < rows; r++) {
				sum += a[r * size + i] * b[r * size + j];
			}
			block[i * size + j] += sum;
		}
	}
}

#endif
