/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running: a pass for each iteration of the smoothing, and one that puts the detail back. Neighbours are summed in a fixed
 * order, so any split into ranges gives the same bits. It does not lower.
 */
#include <math.h>
#include <string.h>

#include "delta-mush/delta-mush.h"
#include "sinew/algebra.h"

/* The sine of the angle between u and v below which they count as parallel. */
#define PARALLEL 1e-6

uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values) {
	(void)values;
	return model->iterations + 1;
}

void smooth_points(const mush_mesh *mesh, double strength, uint32_t begin, uint32_t end, const double *in, double *out) {
	for (size_t i = begin; i < end; i++) {
		const uint32_t first = mesh->offsets[i], last = mesh->smooth_ends[i];
		const double *point = in + 3 * i, part = last > first ? strength / (last - first) : 0;
		double sum[3] = {0, 0, 0};
		for (uint32_t k = first; k < last; k++) {
			const double *neighbour = in + 3 * (size_t)mesh->neighbours[k];
			sum[0] += neighbour[0] - point[0];
			sum[1] += neighbour[1] - point[1];
			sum[2] += neighbour[2] - point[2];
		}
		out[3 * i] = point[0] + part * sum[0];
		out[3 * i + 1] = point[1] + part * sum[1];
		out[3 * i + 2] = point[2] + part * sum[2];
	}
}

/* u and v, as long as 1. Returns 0 where they have no length. */
static int find_tangents(const mush_mesh *mesh, uint32_t point, const double *smoothed, double u[3], double v[3]) {
	const double *origin = smoothed + 3 * (size_t)point;
	memset(u, 0, 3 * sizeof *u);
	memset(v, 0, 3 * sizeof *v);
	for (uint32_t k = mesh->offsets[point]; k < mesh->offsets[point + 1]; k++) {
		const double *neighbour = smoothed + 3 * (size_t)mesh->neighbours[k], *tangents = mesh->tangents + 2 * (size_t)k;
		for (int c = 0; c < 3; c++) {
			const double edge = neighbour[c] - origin[c];
			u[c] += tangents[0] * edge;
			v[c] += tangents[1] * edge;
		}
	}
	const double u_length = snw_length3(u), v_length = snw_length3(v);
	const double u_scale = 1 / u_length, v_scale = 1 / v_length;
	for (int c = 0; c < 3; c++) {
		u[c] *= u_scale;
		v[c] *= v_scale;
	}
	return u_length > 0 && v_length > 0;
}

int find_axes(const mush_mesh *mesh, uint32_t point, const double *smoothed, double axes[9]) {
	double u[3], v[3], normal[3], sum[3], difference[3];
	if (!find_tangents(mesh, point, smoothed, u, v)) {
		return 0;
	}
	snw_cross3(u, v, normal);
	const double sine = snw_length3(normal);
	if (!(sine > PARALLEL)) {
		return 0;
	}
	/* The perpendicular pair nearest to u and v has the same bisector. */
	for (int c = 0; c < 3; c++) {
		sum[c] = u[c] + v[c];
		difference[c] = u[c] - v[c];
	}
	const double along = sqrt(0.5) / snw_length3(sum), across = sqrt(0.5) / snw_length3(difference);
	for (size_t c = 0; c < 3; c++) {
		axes[3 * c] = along * sum[c] + across * difference[c];
		axes[3 * c + 1] = along * sum[c] - across * difference[c];
		axes[3 * c + 2] = normal[c] / sine;
	}
	return 1;
}

static void restore_detail(const mush_mesh *mesh, const snw_deform_call *call) {
	for (uint32_t i = call->begin; i < call->end; i++) {
		const double *below = call->points_below + 3 * (size_t)i, *smoothed = call->points_in + 3 * (size_t)i;
		const double *delta = mesh->deltas + 3 * (size_t)i;
		double *out = call->points_out + 3 * (size_t)i, axes[9];
		memcpy(out, below, 3 * sizeof *out);
		if (mesh->mask[i] > 0 && find_axes(mesh, i, call->points_in, axes)) {
			for (size_t c = 0; c < 3; c++) {
				out[c] += mesh->mask[i] * (smoothed[c] + snw_dot3(axes + 3 * c, delta) - below[c]);
			}
		}
	}
}

snw_status SNW_CALL deform(const snw_deform_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count || call->end > model->meshes[call->mesh].point_count || call->begin > call->end) {
		return SNW_ERROR_ARGUMENT;
	}
	const mush_mesh *mesh = &model->meshes[call->mesh];
	if (call->pass < model->iterations) {
		smooth_points(mesh, model->strength, call->begin, call->end, call->points_in, call->points_out);
	} else {
		restore_detail(mesh, call);
	}
	return SNW_OK;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	*call->reason = "each point depends on its neighbours, and a skin program moves every point independently";
	return SNW_ERROR_UNSUPPORTED;
}
