/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Correctives of a stack that the file cannot play completely: a black box is left out, or another blend plays as linear blend.
 * Their displacements were inverted through the missing layers, so each sculpt is inverted again, for the blend of the file.
 *
 * At example k the morph targets have the coefficients c_k, and a point is off by x_k in rest space. Changes Δ of the morph
 * targets with Σ_t c_kt Δ_t = x_k at all examples move it to its position in the stack; the smallest of them is Δ = Cᵀ (C Cᵀ)⁻¹
 * x. Only points that a morph target moves already are changed.
 */
#include <string.h>

#include "base/numbers.h"
#include "export/plan/passes.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* The largest change of a point in rest space, relative to its error: where the blend is nearly singular, larger ones would be
 * visible between the sculpts. */
static const double FARTHEST = 10;
static const double LEAST_REGULARISATION = 1e-6, MOST_REGULARISATION = 0.1;
static const double RIDGE = 1e-12;     /* relative to the coefficients' products, for examples at the same pose */
static const double NEGLIGIBLE = 1e-7; /* relative to the diagonal */

typedef struct again {
	snw_plan *plan;
	snw_plan_mesh *mesh;
	snw_arena *arena;
	uint32_t example_count;
	const snw_pose **poses; /* [example_count] */
	uint32_t morph_count;
	uint32_t *morphs;     /* [morph_count]: those that were not imported */
	double *coefficients; /* [example_count][morph_count] */
	double *shares;       /* [morph_count][example_count]: the part of x_k for each morph target */
	uint32_t point_count;
	uint32_t *points;       /* [point_count]: the points that morph targets move, ascending */
	double *changes;        /* [morph_count][point_count][3] */
	double *truth, *played; /* [points of the mesh][3] */
	double *weights;        /* [weight_count] */
} again;

/* Whether the file differs from the stack, on the joints of the scene. */
static bool plays_another(const snw_plan *plan, const snw_plan_mesh *mesh) {
	bool another = mesh->program && mesh->program->blend == SNW_BLEND_DUAL_QUATERNION && !mesh->dual_quaternions;
	for (uint32_t s = 0; s < snw_stack_segment_count(plan->stack, mesh->index); s++) {
		const snw_segment_info info = snw_stack_segment(plan->stack, mesh->index, s);
		another = another || !info.is_program || (s != mesh->segment && info.program->blend != SNW_BLEND_NONE);
	}
	return another && mesh->proxy_count == 0;
}

/* The examples that a coefficient belongs to. */
static void find_examples(again *a) {
	const snw_scene *scene = a->plan->scene;
	double *acting = SNW_NEW_ARRAY(a->arena, double, scene->example_count);
	snw_stack_example_weights(a->plan->evaluation, acting);
	a->poses = SNW_NEW_ARRAY(a->arena, const snw_pose *, scene->example_count);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (example->mesh == a->mesh->index && !example->muted && !isnan(acting[i]) && a->plan->is_playable[example->pose]) {
			a->poses[a->example_count++] = &scene->poses[example->pose];
		}
	}
}

static void find_morphs(again *a) {
	const snw_plan_mesh *mesh = a->mesh;
	bool *moves = SNW_NEW_ARRAY(a->arena, bool, mesh->mesh->point_count);
	a->morphs = SNW_NEW_ARRAY(a->arena, uint32_t, mesh->morph_count);
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		if (morph->channel != SNW_NONE) {
			continue;
		}
		a->morphs[a->morph_count++] = t;
		for (uint32_t i = 0; i < morph->count; i++) {
			a->point_count += !moves[morph->points[i]];
			moves[morph->points[i]] = true;
		}
	}
	a->points = SNW_NEW_ARRAY(a->arena, uint32_t, a->point_count);
	for (uint32_t p = 0, n = 0; p < mesh->mesh->point_count; p++) {
		if (moves[p]) {
			a->points[n++] = p;
		}
	}
}

static snw_status find_coefficients(again *a, snw_error *error) {
	a->coefficients = SNW_NEW_ARRAY(a->arena, double, (size_t)a->example_count * a->morph_count);
	for (uint32_t k = 0; k < a->example_count; k++) {
		const snw_pose_view *view;
		const snw_status status = snw_plan_drive(a->plan, a->poses[k], a->arena, &view, error);
		if (snw_failed(status)) {
			return status;
		}
		snw_plan_driven_weights(a->plan, a->weights);
		for (uint32_t t = 0; t < a->morph_count; t++) {
			a->coefficients[(size_t)k * a->morph_count + t] = a->weights[a->mesh->first_weight + a->morphs[t]];
		}
	}
	return SNW_OK;
}

/* (C Cᵀ)⁻¹ C; false if it is singular. */
static bool find_shares(again *a) {
	const uint32_t n = a->example_count, width = a->morph_count;
	double *products = SNW_NEW_ARRAY(a->arena, double, (size_t)n *n), trace = 0;
	a->shares = SNW_NEW_ARRAY(a->arena, double, (size_t)n *width);
	for (size_t k = 0; k < n; k++) {
		for (size_t t = 0; t < width; t++) {
			a->shares[t * n + k] = a->coefficients[k * width + t];
		}
	}
	for (size_t r = 0; r < n; r++) {
		for (size_t c = 0; c < n; c++) {
			for (size_t t = 0; t < width; t++) {
				products[r * n + c] += a->coefficients[r * width + t] * a->coefficients[c * width + t];
			}
		}
		trace += products[r * n + r];
	}
	for (size_t r = 0; r < n; r++) {
		products[r * n + r] += RIDGE * trace;
	}
	return snw_solve_positive(n, width, products, a->shares);
}

/* The matrix that moves a point in the file. */
static void file_matrix(const snw_plan_mesh *mesh, const double *palette, uint32_t point, double matrix[12]) {
	if (mesh->placement == SNW_PLAN_STILL) {
		snw_mat34_identity(matrix);
		return;
	}
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t i = 0; i < mesh->width; i++) {
		const double weight = (double)mesh->weights[(size_t)point * mesh->width + i];
		const double *transform = palette + 12 * (size_t)mesh->slots[(size_t)point * mesh->width + i];
		for (int c = 0; c < 12 && weight != 0; c++) {
			matrix[c] += weight * transform[c];
		}
	}
}

/* Evaluates an example in the stack and in the file. */
static snw_status show(again *a, uint32_t k, snw_arena *arena, const snw_pose_view **view, snw_error *error) {
	snw_status status = snw_plan_drive(a->plan, a->poses[k], arena, view, error);
	if (!snw_failed(status)) {
		status = snw_stack_reference(a->plan->stack, a->plan->evaluation, a->mesh->index, NULL, a->truth, error);
	}
	if (!snw_failed(status)) {
		snw_plan_driven_weights(a->plan, a->weights);
		snw_plan_apply_morphs(a->mesh, a->weights, a->played);
	}
	return status;
}

/* The posed error of a point in the file at the evaluated example. */
static void find_gap(const again *a, uint32_t point, const double matrix[12], double gap[3]) {
	snw_mat34_point(matrix, a->played + 3 * (size_t)point, gap);
	for (size_t c = 0; c < 3; c++) {
		gap[c] = a->truth[3 * (size_t)point + c] - gap[c];
	}
}

/* The error in rest space, with the least regularisation that bounds it. */
static void invert_gap(const double matrix[12], const double gap[3], double vector[3]) {
	double regularisation = LEAST_REGULARISATION;
	snw_plan_invert_blend(matrix, gap, regularisation, vector);
	while (snw_length3(vector) > FARTHEST * snw_length3(gap) && regularisation < MOST_REGULARISATION) {
		regularisation *= 2;
		snw_plan_invert_blend(matrix, gap, regularisation, vector);
	}
}

static snw_status add_example(again *a, uint32_t k, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view;
	const snw_status status = show(a, k, arena, &view, error);
	for (uint32_t i = 0; i < a->point_count && !snw_failed(status); i++) {
		double matrix[12], gap[3], vector[3];
		file_matrix(a->mesh, view->palette, a->points[i], matrix);
		find_gap(a, a->points[i], matrix, gap);
		invert_gap(matrix, gap, vector);
		for (uint32_t t = 0; t < a->morph_count; t++) {
			double *change = a->changes + 3 * ((size_t)t * a->point_count + i);
			for (int c = 0; c < 3; c++) {
				change[c] += a->shares[(size_t)t * a->example_count + k] * vector[c];
			}
		}
	}
	snw_arena_destroy(arena);
	return status;
}

static void change_morph(const again *a, uint32_t t) {
	uint32_t *points = SNW_NEW_ARRAY(a->plan->arena, uint32_t, a->point_count);
	double *vectors = SNW_NEW_ARRAY(a->plan->arena, double, 3 * (size_t)a->point_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < a->point_count; i++) {
		const double *change = a->changes + 3 * ((size_t)t * a->point_count + i);
		if (snw_length3(change) > NEGLIGIBLE * a->mesh->diagonal) {
			points[count] = a->points[i];
			memcpy(vectors + 3 * (size_t)count++, change, 3 * sizeof *change);
		}
	}
	snw_plan_add_to_morph(a->plan, &a->mesh->morphs[a->morphs[t]], count, points, vectors);
}

/* The remaining error of the file at the examples, where its correctives act. */
static snw_status measure(again *a, snw_error *error) {
	snw_export_report *report = &a->plan->report;
	for (uint32_t k = 0; k < a->example_count; k++) {
		snw_arena *arena = snw_arena_create();
		const snw_pose_view *view;
		const snw_status status = show(a, k, arena, &view, error);
		for (uint32_t i = 0; i < a->point_count && !snw_failed(status); i++) {
			double matrix[12], gap[3];
			file_matrix(a->mesh, view->palette, a->points[i], matrix);
			find_gap(a, a->points[i], matrix, gap);
			report->inverted_again_max_metres = fmax(report->inverted_again_max_metres, snw_length3(gap));
			report->inverted_again_max_percent =
				fmax(report->inverted_again_max_percent, 100 * snw_length3(gap) / a->mesh->diagonal);
		}
		snw_arena_destroy(arena);
		if (snw_failed(status)) {
			return status;
		}
	}
	return SNW_OK;
}

static snw_status invert_mesh(again *a, snw_error *error) {
	const size_t numbers = 3 * (size_t)a->mesh->mesh->point_count;
	a->truth = SNW_NEW_ARRAY(a->arena, double, numbers);
	a->played = SNW_NEW_ARRAY(a->arena, double, numbers);
	a->weights = SNW_NEW_ARRAY(a->arena, double, a->plan->weight_count);
	find_morphs(a);
	find_examples(a);
	snw_status status = find_coefficients(a, error);
	if (snw_failed(status) || a->example_count == 0 || a->point_count == 0 || !find_shares(a)) {
		return status;
	}
	a->changes = SNW_NEW_ARRAY(a->arena, double, 3 * (size_t)a->morph_count * a->point_count);
	for (uint32_t k = 0; k < a->example_count && !snw_failed(status); k++) {
		status = add_example(a, k, error);
	}
	for (uint32_t t = 0; t < a->morph_count && !snw_failed(status); t++) {
		change_morph(a, t);
	}
	a->plan->report.inverted_again_count += a->example_count;
	return snw_failed(status) ? status : measure(a, error);
}

snw_status snw_plan_invert_again(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		if (plan->meshes[m].morph_count > 0 && plays_another(plan, &plan->meshes[m])) {
			again a = {.plan = plan, .mesh = &plan->meshes[m], .arena = snw_arena_create()};
			status = invert_mesh(&a, error);
			snw_arena_destroy(a.arena);
		}
	}
	return status;
}
