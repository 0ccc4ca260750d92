/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers that slide. What smooths a skin takes a point to the mean of places around it, and each joint takes another part of
 * them: at an elbow the upper arm takes places further up the arm, the forearm places further down. So between joints p and q a
 * point lacks (T_p − T_q) δ, which no weights give, with δ along the limb, in rest space. A helper in the middle that slides by
 * Δ along p, and by −Δ along q,
 *
 *     H = ½ T_p (I + Δ) + ½ T_q (I − Δ),
 *
 * has it for all points with δ along Δ: with the weight w beside the joints' weights, it adds w (T_p − T_q) Δ / 2.
 */
#include <math.h>
#include <string.h>

#include "helper-joints/fit.h"
#include "sinew/algebra.h"

static const double ridge = 1e-3;      /* of the mean of the diagonal: what the samples do not say of δ */
static const double most_weight = 0.5; /* of the helper in the point with the longest δ */

static void lacking(const mesh_fit *f, uint32_t sample, uint32_t point, double error[3]) {
	double posed[3];
	snk_blend_point(f->skin.offsets, f->skin.slots, f->skin.weights, f->samples[sample].pose->palette, point,
					f->mesh->points_rest + 3 * (size_t)point, posed);
	snk_sample_point(&f->samples[sample], point, error);
	for (int c = 0; c < 3; c++) {
		error[c] -= posed[c];
	}
}

/* δ of a point by least squares over the samples, between two slots. */
static void find_delta(const mesh_fit *f, uint32_t first, uint32_t second, uint32_t point, double delta[3]) {
	double normal[12] = {0}, right[3] = {0}, inverse[12];
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const double *palette = f->samples[s].pose->palette;
		double error[3], apart[9];
		lacking(f, s, point, error);
		for (int i = 0; i < 9; i++) {
			const int at = 4 * (i / 3) + i % 3;
			apart[i] = palette[12 * (size_t)first + at] - palette[12 * (size_t)second + at];
		}
		for (int i = 0; i < 9; i++) {
			const int r = i / 3, c = i % 3;
			normal[4 * r + c] += apart[r] * apart[c] + apart[3 + r] * apart[3 + c] + apart[6 + r] * apart[6 + c];
			right[c] += apart[i] * error[r];
		}
	}
	const double pull = ridge * (normal[0] + normal[5] + normal[10]) / 3;
	for (int c = 0; c < 3; c++) {
		normal[5 * c] += pull;
		delta[c] = 0;
	}
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, delta);
	}
}

void find_slide(const mesh_fit *f, uint32_t first, uint32_t second, uint32_t count, const uint32_t *points, double (*deltas)[3],
				double slide[3]) {
	double most = 0;
	memset(slide, 0, 3 * sizeof *slide);
	for (uint32_t n = 0; n < count; n++) {
		find_delta(f, first, second, points[n], deltas[n]);
		for (int c = 0; c < 3; c++) {
			slide[c] += deltas[n][c];
		}
	}
	const double length = snw_length3(slide);
	for (uint32_t n = 0; n < count && length > 0; n++) {
		most = fmax(most, snw_dot3(deltas[n], slide) / length);
	}
	for (int c = 0; c < 3 && length > 0; c++) {
		slide[c] *= 2 * most / (most_weight * length);
	}
}

void slide_matrix(const double first[12], const double second[12], const double slide[3], double matrix[12]) {
	double by[3], other[3];
	snw_mat34_vector(first, slide, by);
	snw_mat34_vector(second, slide, other);
	for (int i = 0; i < 12; i++) {
		matrix[i] = 0.5 * (first[i] + second[i]) + (i % 4 == 3 ? 0.5 * (by[i / 4] - other[i / 4]) : 0);
	}
}
