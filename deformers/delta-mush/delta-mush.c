/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delta mush: smooths what the layers below make of the skin and puts the detail of the rest back, in local axes.
 *
 * After Mancewicz, Derksen, Rijpkema and Wilson, "Delta Mush: smoothing deformations while preserving detail", 2014. With L^n
 * the smoothing of n iterations, and R_i the axes of the smoothed surface at point i,
 *
 *     at binding:  δ_i = R_i(L^n rest)ᵀ (rest_i − (L^n rest)_i)
 *     at a pose:   result_i = (L^n below)_i + R_i(L^n below) δ_i,  mixed with below_i by the mask.
 *
 * Where we depart:
 *   - The paper takes R from the normal and one edge. Here it is the rotation of all neighbours together: u = Σ a_k e_k and
 *     v = Σ b_k e_k over the edges e_k to the neighbours, with a and b such that at rest u and v are the two directions in
 *     which the neighbours spread furthest; R is nearest to (u, v). So R does not depend on which edge comes first.
 *   - A point on a border is smoothed along the border alone, as by `smooth`.
 *   - A point whose neighbours span no plane, at rest or at the pose, stays where the layers below put it.
 *
 * δ keeps its length: detail does not grow with a joint's scale. The rest is the undisplaced one, so what a corrective above
 * adds is smoothed too; inverse-psd takes that into account when it inverts through this layer.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

typedef struct mush_mesh {
	uint32_t point_count;
	/* Neighbours of point i: [offsets[i], offsets[i + 1]); those before smooth_ends[i] smooth it. */
	const uint32_t *offsets;     /* [point_count + 1] */
	const uint32_t *smooth_ends; /* [point_count] */
	const uint32_t *neighbours;
	const double *tangents; /* [2] beside each neighbour: a and b */
	const double *deltas;   /* [point_count][3] */
	const double *mask;     /* [point_count], 0 to 1; 0 where the neighbours span no plane */
} mush_mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t iterations;
	double strength;
	uint32_t mesh_count;
	const mush_mesh *meshes;
};

/* The field that it reads. */
#define MASK_FIELD "delta-mush-mask"

/* Rows of the parameter table. */
enum { ITERATIONS, STRENGTH, PARAMETER_COUNT };

/* One iteration of the smoothing for the points [begin, end). */
static void smooth_points(const mush_mesh *mesh, double strength, uint32_t begin, uint32_t end, const double *in, double *out) {
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

/* The sine of the angle between u and v below which they count as parallel. */
#define PARALLEL 1e-6

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

/* The axes of a smoothed surface at a point, as columns of `axes`; 0 where the neighbours span no plane. */
static int find_axes(const mush_mesh *mesh, uint32_t point, const double *smoothed, double axes[9]) {
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

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

/* Binding: neighbours, the rest smoothed, and from both what each point's detail is in its local axes. */

/* How far a point's neighbours must spread in the second direction, as a part of the first. */
#define LEAST_SPREAD 1e-4

/* Points that one thread takes at a time. */
enum { GRAIN = 1024 };

/* A mesh while it is bound. Its model's arrays are filled through the pointers that may be written. */
typedef struct binding {
	const snw_host *host;
	const snw_mesh_view *view;
	double strength;
	mush_mesh mesh;
	double *tangents, *deltas, *mask;
	double *smoothed, *next; /* [point_count][3] */
} binding;

/* ---- neighbours ---------------------------------------------------------------------------------------------------------- */

static snw_status find_neighbours(binding *b, snw_pool *pool) {
	const uint32_t points = b->view->point_count;
	const snk_faces faces = snk_faces_of(b->view);
	snw_pool scratch = snw_pool_open(b->host);
	snk_adjacency all;
	snw_status status = snk_adjacency_find(&faces, &scratch, &all);
	if (!snk_failed(status)) {
		const uint32_t count = all.offsets[points];
		uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *ends = SNW_POOL_ARRAY(pool, uint32_t, points);
		uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, count);
		b->tangents = SNW_POOL_ARRAY(pool, double, 2 * (size_t)count);
		for (uint32_t i = 0; !pool->failed && i < points; i++) {
			ends[i] = offsets[i] + snk_smoothing_neighbours(&all, i, neighbours + offsets[i]);
			offsets[i + 1] = all.offsets[i + 1];
		}
		b->mesh = (mush_mesh){
			.point_count = points, .offsets = offsets, .smooth_ends = ends, .neighbours = neighbours, .tangents = b->tangents};
		status = pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&scratch);
	return status;
}

/* ---- detail -------------------------------------------------------------------------------------------------------------- */

static void SNW_CALL smooth_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const binding *b = argument;
	smooth_points(&b->mesh, b->strength, begin, end, b->smoothed, b->next);
}

static void smooth_rest(binding *b, uint32_t iterations) {
	const uint32_t points = b->view->point_count;
	memcpy(b->smoothed, b->view->points_rest, 3 * (size_t)points * sizeof *b->smoothed);
	for (uint32_t n = 0; n < iterations; n++) {
		snk_ranges_run(b->host, points, GRAIN, smooth_range, b);
		double *done = b->next;
		b->next = b->smoothed;
		b->smoothed = done;
	}
}

/* a and b of a point: with C = Σ e eᵀ = V S Vᵀ over its edges, a_k = e_k · v_0 / s_0 and b_k = e_k · v_1 / s_1, so that Σ a_k
 * e_k is v_0 and Σ b_k e_k is v_1. Returns 0 where the edges span no plane. */
static int find_coefficients(const binding *b, uint32_t point) {
	const mush_mesh *mesh = &b->mesh;
	const double *origin = b->smoothed + 3 * (size_t)point;
	double covariance[9] = {0};
	for (uint32_t k = mesh->offsets[point]; k < mesh->offsets[point + 1]; k++) {
		const double *neighbour = b->smoothed + 3 * (size_t)mesh->neighbours[k];
		const double edge[3] = {neighbour[0] - origin[0], neighbour[1] - origin[1], neighbour[2] - origin[2]};
		for (int c = 0; c < 9; c++) {
			covariance[c] += edge[c / 3] * edge[c % 3];
		}
	}
	snk_svd3 svd;
	snk_svd3_compute(covariance, &svd);
	if (!(svd.s[1] > LEAST_SPREAD * LEAST_SPREAD * svd.s[0])) {
		return 0;
	}
	for (uint32_t k = mesh->offsets[point]; k < mesh->offsets[point + 1]; k++) {
		const double *neighbour = b->smoothed + 3 * (size_t)mesh->neighbours[k];
		for (size_t t = 0; t < 2; t++) {
			double along = 0;
			for (size_t c = 0; c < 3; c++) {
				along += (neighbour[c] - origin[c]) * svd.v[3 * c + t];
			}
			b->tangents[2 * (size_t)k + t] = along / svd.s[t];
		}
	}
	return 1;
}

static void SNW_CALL find_deltas(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const binding *b = argument;
	for (uint32_t i = begin; i < end; i++) {
		const double *rest = b->view->points_rest + 3 * (size_t)i, *smoothed = b->smoothed + 3 * (size_t)i;
		double axes[9];
		if (!find_coefficients(b, i) || !find_axes(&b->mesh, i, b->smoothed, axes)) {
			b->mask[i] = 0;
			continue;
		}
		for (size_t c = 0; c < 3; c++) {
			b->deltas[3 * (size_t)i + c] = axes[c] * (rest[0] - smoothed[0]) + axes[3 + c] * (rest[1] - smoothed[1]) +
										   axes[6 + c] * (rest[2] - smoothed[2]);
		}
	}
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

static snw_status bind_mesh(const snw_host *host, const snw_mesh_view *view, snw_model *model, mush_mesh *mesh) {
	const size_t numbers = 3 * (size_t)view->point_count;
	snw_pool scratch = snw_pool_open(host);
	binding b = {.host = host,
				 .view = view,
				 .strength = model->strength,
				 .deltas = SNW_POOL_ARRAY(&model->pool, double, numbers),
				 .mask = SNW_POOL_ARRAY(&model->pool, double, view->point_count),
				 .smoothed = SNW_POOL_ARRAY(&scratch, double, numbers),
				 .next = SNW_POOL_ARRAY(&scratch, double, numbers)};
	snw_status status = scratch.failed || model->pool.failed ? SNW_ERROR_MEMORY : find_neighbours(&b, &model->pool);
	if (!snk_failed(status)) {
		snk_mask_fill(view, MASK_FIELD, 1, b.mask);
		smooth_rest(&b, model->iterations);
		snk_ranges_run(host, view->point_count, GRAIN, find_deltas, &b);
		*mesh = b.mesh;
		mesh->deltas = b.deltas;
		mesh->mask = b.mask;
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_character_view *character = input->character;
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	mush_mesh *meshes = SNW_POOL_ARRAY(&made->pool, mush_mesh, character->mesh_count);
	*made = (snw_model){.pool = made->pool,
						.iterations = (uint32_t)input->values[ITERATIONS].numbers[0],
						.strength = input->values[STRENGTH].numbers[0],
						.mesh_count = character->mesh_count,
						.meshes = meshes};
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = bind_mesh(instance->host, character->meshes[m], made, &meshes[m]);
	}
	return snk_model_finish(status, made, model);
}

/* ---- deform -------------------------------------------------------------------------------------------------------------- */

/* Running: a pass for each iteration of the smoothing, and one that puts the detail back. Neighbours are summed in a fixed
 * order, so any split into ranges gives the same bits. It does not lower. */

static uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values) {
	(void)values;
	return model->iterations + 1;
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

static snw_status SNW_CALL deform(const snw_deform_call *call) {
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

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	*call->reason = "each point depends on its neighbours, and a skin program moves every point independently";
	return SNW_ERROR_UNSUPPORTED;
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[ITERATIONS] =
		SNW_COUNT("iterations", "Iterations", "How many times the skin is smoothed: more reaches further around a joint.", 10,
				  0, 1000, SNW_STAGE_FIT, SNW_SOFT(0, 40)),
	[STRENGTH] = SNW_NUMBER("strength", "Strength",
							"How far a point moves in each iteration: 0 stays, 1 moves to the mean of its neighbours.", "", 0.5,
							0, 1, SNW_STAGE_FIT),
};

static const snw_field_info *const fields[] = {
	SNW_MASK_FIELD(MASK_FIELD, "Delta mush mask",
				   "How much of the effect each point gets: 0 leaves it where the layers below put it."),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.delta-mush",
	.short_name = "delta-mush",
	.name = "Delta mush",
	.version = "1.0",
	.paper =
		"J. Mancewicz, M. L. Derksen, H. Rijpkema, C. A. Wilson: Delta Mush: smoothing deformations while preserving detail, "
		"2014",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES,
	.traits = SNW_BINDS,
	.rings = 1,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .passes = passes, .deform = deform, .lower = lower, .release = snk_model_release)
