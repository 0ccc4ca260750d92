/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mirrors a dab in a pose whose sides differ. It compares the corresponding edges around a point and around its partner in the
 * tangent planes. The angle that best maps one set onto the reflection of the other, in the least-squares sense, has a closed
 * form. With the normals it gives an orthogonal matrix of determinant -1. It is computed from the skin at the start of the
 * sculpt, so it does not drift while one side is sculpted.
 */
#include "sculpt/sculpt_internal.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "task/parallel.h"

/* A matrix that differs from the plain reflection by less is replaced by it. */
static const double PLAIN_TOLERANCE = 1e-6;

/* Two axes in the tangent plane of a point, and its normal. */
typedef struct point_axes {
	double axes[3][3];
} point_axes;

static point_axes axes_of(const snw_sculpt *sculpt, uint32_t point) {
	point_axes made;
	memcpy(made.axes[2], sculpt->normals + 3 * (size_t)point, sizeof made.axes[2]);
	snw_perpendicular3(made.axes[2], made.axes[0]);
	snw_cross3(made.axes[2], made.axes[0], made.axes[1]);
	return made;
}

static void edge_in(const snw_sculpt *sculpt, const point_axes *axes, uint32_t from, uint32_t to, double plane[2]) {
	double edge[3];
	for (size_t c = 0; c < 3; c++) {
		edge[c] = sculpt->points[3 * (size_t)to + c] - sculpt->points[3 * (size_t)from + c];
	}
	plane[0] = snw_dot3(edge, axes->axes[0]);
	plane[1] = snw_dot3(edge, axes->axes[1]);
}

/* False if no edges around the two points correspond. */
static bool find_matrix(const snw_sculpt *sculpt, uint32_t point, uint32_t partner, double matrix[9]) {
	const point_axes here = axes_of(sculpt, point), there = axes_of(sculpt, partner);
	if (snw_dot3(here.axes[2], here.axes[2]) == 0 || snw_dot3(there.axes[2], there.axes[2]) == 0) {
		return false;
	}
	/* In complex numbers: the sum of (edge of the partner) · (edge of the point); a reflection is a conjugate. */
	double real = 0, imaginary = 0;
	for (uint32_t k = sculpt->around.neighbour_starts[point]; k < sculpt->around.neighbour_starts[point + 1]; k++) {
		const uint32_t end = sculpt->around.neighbours[k], other = sculpt->mirror.partners[end];
		if (other == SNW_NONE) {
			continue;
		}
		double a[2], b[2];
		edge_in(sculpt, &here, point, end, a);
		edge_in(sculpt, &there, partner, other, b);
		real += b[0] * a[0] - b[1] * a[1];
		imaginary += b[0] * a[1] + b[1] * a[0];
	}
	const double length = hypot(real, imaginary);
	if (!(length > 0)) {
		return false;
	}
	const double cosine = real / length, sine = imaginary / length;
	/* partner's axes · (rotation of the reflected tangent plane) · point's axes transposed */
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			const double first = cosine * here.axes[0][c] + sine * here.axes[1][c];
			const double second = sine * here.axes[0][c] - cosine * here.axes[1][c];
			matrix[3 * r + c] = there.axes[0][r] * first + there.axes[1][r] * second + there.axes[2][r] * here.axes[2][c];
		}
	}
	return true;
}

/* Whether the neighbours of the two points are exact reflections, so that no matrix is needed. */
static bool is_reflected(const snw_sculpt *sculpt, uint32_t point, uint32_t partner) {
	const size_t axis = sculpt->mirror.axis;
	for (uint32_t k = sculpt->around.neighbour_starts[point]; k < sculpt->around.neighbour_starts[point + 1]; k++) {
		const uint32_t end = sculpt->around.neighbours[k], other = sculpt->mirror.partners[end];
		for (size_t c = 0; c < 3 && other != SNW_NONE; c++) {
			const double here = sculpt->points[3 * (size_t)end + c] - sculpt->points[3 * (size_t)point + c];
			const double there = sculpt->points[3 * (size_t)other + c] - sculpt->points[3 * (size_t)partner + c];
			if (fabs(c == axis ? here + there : here - there) > PLAIN_TOLERANCE * PLAIN_TOLERANCE * sculpt->view.longest) {
				return false;
			}
		}
	}
	return true;
}

static void find_plain(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t partner = sculpt->mirror.partners[i];
		sculpt->mirror.matrix_of[i] = partner == SNW_NONE || is_reflected(sculpt, i, partner) ? SNW_NONE : 0;
	}
}

static void find_matrices(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	snw_mirror *mirror = &sculpt->mirror;
	for (uint32_t i = begin; i < end; i++) {
		if (mirror->matrix_of[i] == SNW_NONE) {
			continue;
		}
		double *matrix = mirror->matrices[mirror->matrix_of[i]];
		bool is_plain = true;
		if (find_matrix(sculpt, i, mirror->partners[i], matrix)) {
			for (uint32_t k = 0; k < 9; k++) {
				const double plain = k % 4 == 0 ? (k / 4 == mirror->axis ? -1 : 1) : 0;
				is_plain &= fabs(matrix[k] - plain) < PLAIN_TOLERANCE;
			}
		}
		mirror->matrix_of[i] = is_plain ? SNW_NONE : mirror->matrix_of[i];
	}
}

void snw_mirror_make(snw_sculpt *sculpt, const uint32_t *partners, uint32_t axis) {
	const uint32_t count = sculpt->mesh->point_count;
	sculpt->mirror = (snw_mirror){
		.partners = snw_arena_copy(sculpt->arena, partners, count * sizeof *partners),
		.axis = axis,
		.matrix_of = SNW_NEW_ARRAY(sculpt->arena, uint32_t, count),
	};
	snw_parallel_for(count, SNW_SCULPT_GRAIN, find_plain, sculpt);
	uint32_t matrix_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		sculpt->mirror.matrix_of[i] = sculpt->mirror.matrix_of[i] == SNW_NONE ? SNW_NONE : matrix_count++;
	}
	sculpt->mirror.matrices = snw_arena_array(sculpt->arena, matrix_count, sizeof *sculpt->mirror.matrices);
	snw_parallel_for(count, SNW_SCULPT_GRAIN, find_matrices, sculpt);
}

/* Mirrors the displacement of a point to its partner. */
static void mirror_displacement(const snw_mirror *mirror, uint32_t from, const double displacement[3], double dest[3]) {
	memcpy(dest, displacement, 3 * sizeof *dest);
	if (mirror->matrix_of[from] == SNW_NONE) {
		dest[mirror->axis] = -dest[mirror->axis];
		return;
	}
	const double *matrix = mirror->matrices[mirror->matrix_of[from]];
	for (int r = 0; r < 3; r++) {
		dest[r] = matrix[3 * r] * displacement[0] + matrix[3 * r + 1] * displacement[1] + matrix[3 * r + 2] * displacement[2];
	}
}

/* How much a point's own displacement counts beside that of its partner. An elastic field is wide and its weight is flat: only
 * where the two fields are about as strong, near the plane, may they share, or the point under the pointer would stay behind
 * it. */
static double pair_weight(const snw_sculpt *sculpt, uint32_t place) {
	if (sculpt->stroke.brush.kind != SNW_BRUSH_ELASTIC) {
		return sculpt->region.weights[place];
	}
	const double *displacement = sculpt->result + 3 * (size_t)place;
	const double square = snw_dot3(displacement, displacement);
	return square * square;
}

static void mirror_pairs(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	const snw_region *region = &sculpt->region;
	for (uint32_t i = begin; i < end; i++) {
		const double *displacement = sculpt->result + 3 * (size_t)i;
		double *dest = sculpt->partial + 3 * (size_t)i;
		memcpy(dest, displacement, 3 * sizeof *dest);
		const uint32_t other_point = sculpt->mirror.partners[region->points[i]];
		const uint32_t partner = other_point == SNW_NONE ? i : region->places[other_point];
		const double weight = pair_weight(sculpt, i), other = pair_weight(sculpt, partner);
		if (other_point == SNW_NONE || !(weight + other > 0)) {
			continue;
		}
		double mirrored[3];
		mirror_displacement(&sculpt->mirror, other_point, sculpt->result + 3 * (size_t)partner, mirrored);
		for (int c = 0; c < 3; c++) {
			dest[c] = (weight * displacement[c] + other * mirrored[c]) / (weight + other);
		}
	}
}

void snw_mirror_region(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, mirror_pairs, sculpt);
	double *result = sculpt->result;
	sculpt->result = sculpt->partial;
	sculpt->partial = result;
}
