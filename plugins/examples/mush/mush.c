/* SPDX-License-Identifier: MIT
 *
 * Delta mush: the deformed mesh is smoothed, and the detail that smoothing takes from the rest is added back in local axes (J.
 * Mancewicz, M. L. Derksen, H. Rijpkema, C. A. Wilson: Delta Mush: smoothing deformations while preserving detail, 2014):
 *
 *     v_i = s_i + F_i δ_i        δ_i = F̂_iᵀ (x_i − ŝ_i)        s, ŝ: the deformed points and the rest after n passes of
 *     smoothing
 *
 * F_i has the axes of two edges at point i. A pass moves every point to the mean of its neighbours by half; the last one adds
 * the detail.
 */
#include "sinew/algebra.h"
#include "sinew/plugin.h"

enum { PASSES, PARAMETER_COUNT };

typedef struct mush_mesh {
	uint32_t point_count;
	const uint32_t *offsets;    /* [point_count + 1], into neighbours */
	const uint32_t *neighbours; /* ascending at each point */
	const uint32_t *edges;      /* [point_count][2]: the neighbours that give the axes; the point itself where there are none */
	const double *details;      /* [point_count][3] */
} mush_mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t passes;
	uint32_t mesh_count;
	mush_mesh *meshes;
};

/* Adds a neighbour to a sorted list that does not have it; returns the list's length. */
static uint32_t insert(uint32_t *list, uint32_t count, uint32_t point) {
	uint32_t at = count;
	while (at > 0 && list[at - 1] > point) {
		at--;
	}
	if (at > 0 && list[at - 1] == point) {
		return count;
	}
	memmove(list + at + 1, list + at, (count - at) * sizeof *list);
	list[at] = point;
	return count + 1;
}

/* Both ends of each edge of a face are neighbours: two rows for each corner are enough. */
static int find_neighbours(const snw_mesh_view *view, snw_pool *pool, mush_mesh *mesh) {
	const uint32_t corner_count = view->face_count ? view->face_offsets[view->face_count] : 0;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)view->point_count + 1);
	uint32_t *counts = SNW_POOL_ARRAY(pool, uint32_t, view->point_count), used = 0;
	uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, 2 * (size_t)corner_count);
	if (pool->failed) {
		return 0;
	}
	for (uint32_t c = 0; c < corner_count; c++) {
		offsets[view->face_points[c] + 1] += 2;
	}
	for (uint32_t i = 0; i < view->point_count; i++) {
		offsets[i + 1] += offsets[i];
	}
	for (uint32_t f = 0; f < view->face_count; f++) {
		const uint32_t first = view->face_offsets[f], last = view->face_offsets[f + 1];
		for (uint32_t c = first; c < last; c++) {
			const uint32_t a = view->face_points[c], b = view->face_points[c + 1 < last ? c + 1 : first];
			if (a != b) {
				counts[a] = insert(neighbours + offsets[a], counts[a], b);
				counts[b] = insert(neighbours + offsets[b], counts[b], a);
			}
		}
	}
	for (uint32_t i = 0; i < view->point_count; i++) { /* close the gaps */
		memmove(neighbours + used, neighbours + offsets[i], counts[i] * sizeof *neighbours);
		offsets[i] = used;
		used += counts[i];
	}
	offsets[view->point_count] = used;
	*mesh = (mush_mesh){.point_count = view->point_count, .offsets = offsets, .neighbours = neighbours};
	return 1;
}

static void smooth_point(const mush_mesh *mesh, const double *points, uint32_t i, double dest[3]) {
	const uint32_t first = mesh->offsets[i], last = mesh->offsets[i + 1];
	double sum[3] = {0, 0, 0};
	for (uint32_t k = first; k < last; k++) {
		for (size_t c = 0; c < 3; c++) {
			sum[c] += points[3 * (size_t)mesh->neighbours[k] + c];
		}
	}
	for (size_t c = 0; c < 3; c++) {
		const double x = points[3 * (size_t)i + c];
		dest[c] = last > first ? 0.5 * x + 0.5 * sum[c] / (last - first) : x;
	}
}

static void subtract(const double a[3], const double b[3], double dest[3]) {
	for (size_t c = 0; c < 3; c++) {
		dest[c] = a[c] - b[c];
	}
}

/* From point i to point k. */
static void find_edge(const double *points, uint32_t i, uint32_t k, double edge[3]) {
	subtract(points + 3 * (size_t)k, points + 3 * (size_t)i, edge);
}

/* The axes at a point as rows; 0 where the edges have no plane. */
static int find_axes(const double *points, uint32_t i, const uint32_t edges[2], double axes[3][3]) {
	double second[3];
	find_edge(points, i, edges[0], axes[0]);
	find_edge(points, i, edges[1], second);
	snw_cross3(axes[0], second, axes[1]);
	if (!(snw_length3(axes[1]) > 1e-6 * snw_length3(axes[0]) * snw_length3(second))) {
		return 0;
	}
	snw_normalize3(axes[0]);
	snw_normalize3(axes[1]);
	snw_cross3(axes[0], axes[1], axes[2]);
	return 1;
}

/* The edge that is most perpendicular to the first. */
static void choose_edges(const mush_mesh *mesh, const double *points, uint32_t i, uint32_t edges[2]) {
	double best = 0, first[3], other[3], normal[3];
	edges[0] = edges[1] = mesh->offsets[i] < mesh->offsets[i + 1] ? mesh->neighbours[mesh->offsets[i]] : i;
	find_edge(points, i, edges[0], first);
	for (uint32_t k = mesh->offsets[i]; k < mesh->offsets[i + 1]; k++) {
		find_edge(points, i, mesh->neighbours[k], other);
		snw_normalize3(other);
		snw_cross3(first, other, normal);
		if (snw_length3(normal) > best) {
			best = snw_length3(normal);
			edges[1] = mesh->neighbours[k];
		}
	}
}

static int bind_mesh(const snw_mesh_view *view, uint32_t pass_count, const snw_host *host, snw_pool *pool, mush_mesh *mesh) {
	snw_pool scratch = snw_pool_open(host);
	double *points = SNW_POOL_ARRAY(&scratch, double, 3 * (size_t)view->point_count);
	double *next = SNW_POOL_ARRAY(&scratch, double, 3 * (size_t)view->point_count);
	uint32_t *edges = SNW_POOL_ARRAY(pool, uint32_t, 2 * (size_t)view->point_count);
	double *details = SNW_POOL_ARRAY(pool, double, 3 * (size_t)view->point_count);
	const int has_room = find_neighbours(view, pool, mesh) && !scratch.failed && !pool->failed;
	if (has_room) {
		memcpy(points, view->points_rest, 3 * sizeof *points * view->point_count);
	}
	for (uint32_t n = 0; has_room && n < pass_count; n++) {
		for (uint32_t i = 0; i < view->point_count; i++) {
			smooth_point(mesh, points, i, next + 3 * (size_t)i);
		}
		memcpy(points, next, 3 * sizeof *points * view->point_count);
	}
	for (uint32_t i = 0; has_room && i < view->point_count; i++) {
		double axes[3][3], offset[3];
		choose_edges(mesh, points, i, edges + 2 * (size_t)i);
		subtract(view->points_rest + 3 * (size_t)i, points + 3 * (size_t)i, offset);
		for (size_t a = 0; a < 3; a++) {
			details[3 * (size_t)i + a] = find_axes(points, i, edges + 2 * (size_t)i, axes) ? snw_dot3(axes[a], offset) : 0;
		}
	}
	*mesh = (mush_mesh){mesh->point_count, mesh->offsets, mesh->neighbours, edges, details};
	snw_pool_release(&scratch);
	return has_room;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	mush_mesh *meshes = SNW_POOL_ARRAY(&pool, mush_mesh, input->character->mesh_count);
	int good = !pool.failed;
	const uint32_t pass_count = (uint32_t)input->values[PASSES].numbers[0];
	for (uint32_t m = 0; good && m < input->character->mesh_count; m++) {
		good = bind_mesh(input->character->meshes[m], pass_count, instance->host, &pool, &meshes[m]);
	}
	if (!good) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_model){pool, pass_count, input->character->mesh_count, meshes};
	*model = made;
	return SNW_OK;
}

static void SNW_CALL release(snw_model *model) {
	snw_pool_release(&model->pool);
}

static uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values) {
	(void)values;
	return model->passes + 1;
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	const mush_mesh *mesh = &call->model->meshes[call->mesh];
	for (uint32_t i = call->begin; i < call->end; i++) {
		double *out = call->points_out + 3 * (size_t)i, axes[3][3];
		const double *d = mesh->details + 3 * (size_t)i;
		if (call->pass < call->model->passes) {
			smooth_point(mesh, call->points_in, i, out);
			continue;
		}
		const int has_axes = find_axes(call->points_in, i, mesh->edges + 2 * (size_t)i, axes);
		for (size_t c = 0; c < 3; c++) {
			const double back = has_axes ? axes[0][c] * d[0] + axes[1][c] * d[1] + axes[2][c] * d[2] : 0;
			out[c] = call->points_in[3 * (size_t)i + c] + back;
		}
	}
	return SNW_OK;
}

/* Of stage fit: the detail is what so many passes take from the rest. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	SNW_COUNT("passes", "Passes", "How often the mesh is smoothed.", 8, 1, 200, SNW_STAGE_FIT, SNW_SOFT(1, 30))};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "com.example.mush",
	.short_name = "example-mush",
	.name = "Mush",
	.version = "1.0",
	.paper = "J. Mancewicz, M. L. Derksen, H. Rijpkema, C. A. Wilson: Delta Mush, 2014",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES,
	.traits = SNW_BINDS,
	.rings = 1,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNW_DEFORMER(.fit = fit, .passes = passes, .deform = deform, .release = release)
