/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a full model: the gradients of all triangles, then the points that fit them and the learned blend best, by conjugate
 * gradients from that blend. `prepare` does it; `deform` copies its result. A reduced model blends its proxies, as the program
 * that it lowers to.
 */
#include <string.h>

#include "rotational-regression/rotational-regression.h"

enum { MOST_STEPS = 2000 };
static const double tolerance = 1e-5;

/* [point_count][3] each, in the prepared memory; the solution first. */
typedef struct poisson {
	const regressed_mesh *mesh;
	double *solution, *residual, *direction, *product;
	double *diagonal; /* [point_count] */
} poisson;

enum { VECTORS = 4 };

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	size_t most = 0;
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		const regressed_mesh *mesh = &model->meshes[m];
		const size_t numbers =
			model->is_reduced ? 12 * (size_t)mesh->slot_count : (3 * (size_t)VECTORS + 1) * mesh->skin.point_count;
		most = numbers > most ? numbers : most;
	}
	SNW_PUT(layout, snw_model_layout, .z_count = model->is_reduced ? 9 * model->predictor_count + 12 * model->slot_count : 0,
			.scratch_bytes = model->joint_count * sizeof(posed_joint), .prepared_bytes = most * sizeof(double));
}

void combine_palette(const snw_sparse_rows *rows, const double *z, double *palette) {
	memset(palette, 0, 3 * (size_t)rows->row_count * sizeof *palette);
	for (size_t r = 0; r < rows->row_count; r++) {
		for (uint32_t k = rows->offsets[r]; k < rows->offsets[r + 1]; k++) {
			for (size_t c = 0; c < 3; c++) {
				palette[12 * (r / 4) + 4 * c + r % 4] += rows->values[k] * z[3 * (size_t)rows->columns[k] + c];
			}
		}
	}
}

void blend_points(const snk_base_skin_mesh *skin, const double *palette, const double *points, uint32_t begin, uint32_t end,
				  double *dest) {
	for (uint32_t i = begin; i < end; i++) {
		snk_blend_point(skin->offsets, skin->slots, skin->weights, palette, i, points + 3 * (size_t)i, dest + 3 * (size_t)i);
	}
}

/* residual = right side: the sums of what the gradients make of the edges, and the pull toward the solution as it is. */
static void sum_right(const snw_deform_call *call, const posed_joint *posed, const poisson *p) {
	const regressed_mesh *mesh = p->mesh;
	for (size_t i = 0; i < mesh->skin.point_count; i++) {
		p->diagonal[i] = mesh->pulls[i];
		for (size_t c = 0; c < 3; c++) {
			p->residual[3 * i + c] = mesh->pulls[i] * p->solution[3 * i + c];
		}
	}
	double gradients[LANES][9];
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *corners = mesh->triangles + 3 * t;
		const double *gradient = gradients[t % LANES];
		if (t % LANES == 0) {
			predict_gradients(posed, &mesh->groups[t / LANES], LANES, gradients);
		}
		for (size_t e = 0; e < 3; e++) {
			const uint32_t a = corners[e], b = corners[(e + 1) % 3];
			const double weight = mesh->weights[3 * t + e];
			double edge[3];
			for (size_t c = 0; c < 3; c++) {
				edge[c] = call->points_below[3 * (size_t)b + c] - call->points_below[3 * (size_t)a + c];
			}
			for (size_t c = 0; c < 3; c++) {
				const double image = weight * (gradient[c] * edge[0] + gradient[3 + c] * edge[1] + gradient[6 + c] * edge[2]);
				p->residual[3 * (size_t)b + c] += image;
				p->residual[3 * (size_t)a + c] -= image;
			}
			p->diagonal[a] += weight;
			p->diagonal[b] += weight;
		}
	}
}

/* dest = system · x; 0 at fixed points. */
static void multiply(const poisson *p, const double *x, double *dest) {
	const regressed_mesh *mesh = p->mesh;
	for (size_t i = 0; i < 3 * (size_t)mesh->skin.point_count; i++) {
		dest[i] = mesh->pulls[i / 3] * x[i];
	}
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *corners = mesh->triangles + 3 * t;
		for (size_t e = 0; e < 3; e++) {
			const size_t a = 3 * (size_t)corners[e], b = 3 * (size_t)corners[(e + 1) % 3];
			const double weight = mesh->weights[3 * t + e];
			for (size_t c = 0; weight > 0 && c < 3; c++) {
				const double difference = weight * (x[b + c] - x[a + c]);
				dest[b + c] += difference;
				dest[a + c] -= difference;
			}
		}
	}
	for (size_t i = 0; i < mesh->skin.point_count; i++) {
		if (mesh->is_fixed[i]) {
			memset(dest + 3 * i, 0, 3 * sizeof *dest);
		}
	}
}

/* The next direction: the preconditioned residual plus `share` of the one before. */
static void next_direction(const poisson *p, double share) {
	for (size_t i = 0; i < p->mesh->skin.point_count; i++) {
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			p->direction[c] = (p->diagonal[i] > 0 ? p->residual[c] / p->diagonal[i] : 0) + share * p->direction[c];
		}
	}
}

/* The length of the residual, preconditioned. */
static double squared_residual(const poisson *p) {
	double sum = 0;
	for (size_t i = 0; i < p->mesh->skin.point_count; i++) {
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			sum += p->diagonal[i] > 0 ? p->residual[c] * p->residual[c] / p->diagonal[i] : 0;
		}
	}
	return sum;
}

static void solve(const poisson *p) {
	const size_t numbers = 3 * (size_t)p->mesh->skin.point_count;
	multiply(p, p->solution, p->product);
	for (size_t i = 0; i < numbers; i++) {
		p->residual[i] = p->mesh->is_fixed[i / 3] ? 0 : p->residual[i] - p->product[i];
		p->direction[i] = 0;
	}
	double error = squared_residual(p), share = 0;
	const double enough = tolerance * tolerance * error;
	for (int step = 0; step < MOST_STEPS && error > enough; step++) {
		next_direction(p, share);
		multiply(p, p->direction, p->product);
		double along = 0;
		for (size_t i = 0; i < numbers; i++) {
			along += p->direction[i] * p->product[i];
		}
		if (!(along > 0)) {
			return;
		}
		const double length = error / along, before = error;
		for (size_t i = 0; i < numbers; i++) {
			p->solution[i] += length * p->direction[i];
			p->residual[i] -= length * p->product[i];
		}
		error = squared_residual(p);
		share = error / before;
	}
}

static void solve_mesh(const snw_deform_call *call, const regressed_mesh *mesh) {
	const snw_model *model = call->model;
	const size_t numbers = 3 * (size_t)mesh->skin.point_count;
	double *memory = call->prepared;
	const poisson p = {.mesh = mesh,
					   .solution = memory,
					   .residual = memory + numbers,
					   .direction = memory + 2 * numbers,
					   .product = memory + 3 * numbers,
					   .diagonal = memory + VECTORS * numbers};
	blend_points(&mesh->skin, call->pose->palette, call->points_below, 0, mesh->skin.point_count, p.solution);
	if (mesh->predictor_count > 0) {
		pose_joints(model->features, model->joint_count, model->joints, call->pose, call->scratch);
		sum_right(call, call->scratch, &p);
		solve(&p);
	}
}

snw_status SNW_CALL prepare(const snw_deform_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count || call->pose->joint_count != model->joint_count ||
		call->pose->slot_count != model->slot_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const regressed_mesh *mesh = &model->meshes[call->mesh];
	if (!model->is_reduced) {
		solve_mesh(call, mesh);
	} else if (mesh->proxies.offsets) {
		combine_palette(&mesh->rows, call->driven->z, call->prepared);
	}
	return SNW_OK;
}

snw_status SNW_CALL deform(const snw_deform_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count || call->end > model->meshes[call->mesh].skin.point_count || call->begin > call->end) {
		return SNW_ERROR_ARGUMENT;
	}
	const regressed_mesh *mesh = &model->meshes[call->mesh];
	if (!model->is_reduced) {
		const double *solution = call->prepared;
		memcpy(call->points_out + 3 * (size_t)call->begin, solution + 3 * (size_t)call->begin,
			   3 * (size_t)(call->end - call->begin) * sizeof *solution);
	} else if (mesh->proxies.offsets) {
		blend_points(&mesh->proxies, call->prepared, call->points_below, call->begin, call->end, call->points_out);
	} else {
		blend_points(&mesh->skin, call->pose->palette, call->points_below, call->begin, call->end, call->points_out);
	}
	return SNW_OK;
}
