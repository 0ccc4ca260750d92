/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The least squares of every point for itself; then the mesh as a whole takes the places or leaves them.
 */
#include <math.h>
#include <string.h>

#include "motion/learn_weights.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"
#include "sinew/put.h"

enum { GRAIN = 64 };

static const double ridge = 1e-3;       /* beside the identity: the linear part of a blend squared */
static const double most_after = 0.1;   /* of the squares: wrong weights, and what changes with the pose, leave more */
static const double least_error = 1e-5; /* root mean square, of the diagonal */

/* A mesh whose places are sought. */
typedef struct search {
	const snw_mesh_view *mesh;
	const snk_sample *samples;
	uint32_t sample_count;
	double *vectors;        /* [point_count][3] */
	double *before, *after; /* [point_count]: squares over all samples */
} search;

static void search_point(const search *s, uint32_t point) {
	const snw_mesh_view *mesh = s->mesh;
	double normal[12] = {0}, right[3] = {0}, inverse[12], *vector = s->vectors + 3 * (size_t)point, back[3];
	s->before[point] = 0;
	for (uint32_t f = 0; f < s->sample_count; f++) {
		const double *palette = s->samples[f].pose->palette;
		double a[9], posed[3], error[3];
		snk_linear_part(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, palette, point, a);
		snk_blend_point(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, palette, point,
						mesh->points_rest + 3 * (size_t)point, posed);
		snk_sample_point(&s->samples[f], point, error);
		for (int c = 0; c < 3; c++) {
			error[c] -= posed[c];
			s->before[point] += error[c] * error[c];
		}
		for (int i = 0; i < 9; i++) {
			const int r = i / 3, c = i % 3;
			normal[4 * r + c] += a[r] * a[c] + a[3 + r] * a[3 + c] + a[6 + r] * a[6 + c];
			right[c] += a[i] * error[r];
		}
	}
	for (int c = 0; c < 3; c++) {
		normal[5 * c] += ridge * s->sample_count;
	}
	memset(vector, 0, 3 * sizeof *vector);
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, vector);
	}
	snw_mat34_vector(normal, vector, back);
	s->after[point] = s->before[point] - 2 * snw_dot3(vector, right) + snw_dot3(vector, back);
}

static void SNW_CALL search_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		search_point(argument, i);
	}
}

static snw_status search_mesh(const snw_host *host, snw_pool *scratch, search *s) {
	const uint32_t points = s->mesh->point_count;
	s->vectors = SNW_POOL_ARRAY(scratch, double, 3 * (size_t)points);
	s->before = SNW_POOL_ARRAY(scratch, double, points);
	s->after = SNW_POOL_ARRAY(scratch, double, points);
	if (scratch->failed) {
		return SNW_ERROR_MEMORY;
	}
	snk_ranges_run(host, points, GRAIN, search_points, s);
	return SNW_OK;
}

/* Whether the mesh is to be moved. */
static int is_gained(const search *s) {
	const uint32_t points = s->mesh->point_count;
	const double least = least_error * snk_bounds_diagonal(s->mesh->points_rest, points);
	double before = 0, after = 0;
	for (uint32_t i = 0; i < points; i++) {
		before += s->before[i];
		after += s->after[i];
	}
	return before > least * least * points * s->sample_count && after < most_after * before;
}

/* The displacement of all points. */
static snw_status open_displacement(uint32_t point_count, snw_pool *pool, snw_displacements *dest, double **vectors) {
	uint32_t *coefficients = SNW_POOL_ARRAY(pool, uint32_t, 1);
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, 2);
	*vectors = SNW_POOL_ARRAY(pool, double, 3 * (size_t)point_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	offsets[1] = point_count;
	*dest = (snw_displacements){
		.size = sizeof *dest, .count = 1, .coefficients = coefficients, .offsets = offsets, .vectors = *vectors};
	return SNW_OK;
}

static void add_vectors(const search *s, double *points, double *vectors) {
	for (size_t i = 0; i < 3 * (size_t)s->mesh->point_count; i++) {
		points[i] += s->vectors[i];
		vectors[i] += s->vectors[i];
	}
}

static snw_status move_mesh(const search *s, uint32_t m, snw_pool *scratch, snw_pool *pool, snk_new_rest *at,
							snw_mesh_view *mesh, snw_displacements *dest) {
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *points = SNW_POOL_ARRAY(scratch, double, numbers);
	const snw_status status = points ? open_displacement(mesh->point_count, pool, dest, &at->vectors[m]) : SNW_ERROR_MEMORY;
	if (!snk_failed(status)) {
		memcpy(points, mesh->points_rest, numbers * sizeof *points);
		add_vectors(s, points, at->vectors[m]);
		mesh->points_rest = at->points[m] = points;
	}
	return status;
}

/* A mesh without a skin or samples stays. */
static snw_status learn_mesh(const snw_host *host, const snw_fit_input *input, uint32_t m, snw_pool *scratch, snw_pool *pool,
							 snk_new_rest *at, snw_mesh_view *mesh, snw_displacements *dest) {
	search s = {.mesh = input->character->meshes[m]};
	snk_sample *samples = NULL;
	const uint32_t points = mesh->point_count;
	if (!mesh->influence_offsets || points == 0) {
		return SNW_OK;
	}
	const snw_status status = snk_samples_gather(input, m, scratch, &samples, &s.sample_count);
	if (snk_failed(status) || s.sample_count == 0) {
		return status;
	}
	s.samples = samples;
	const snw_status found = search_mesh(host, scratch, &s);
	return !snk_failed(found) && is_gained(&s) ? move_mesh(&s, m, scratch, pool, at, mesh, dest) : found;
}

snw_status snk_learn_rest_shape(const snw_host *host, const snw_fit_input *input, snw_pool *scratch, snw_pool *pool,
								snk_new_rest *at_new_rest, snk_rest_shape *shape) {
	const uint32_t count = input->character->mesh_count;
	snw_character_view *character = SNW_POOL_ARRAY(scratch, snw_character_view, 1);
	snw_mesh_view *views = SNW_POOL_ARRAY(scratch, snw_mesh_view, count);
	const snw_mesh_view **meshes = (const snw_mesh_view **)snw_pool_acquire(scratch, count, sizeof *meshes);
	snw_displacements *displacements = SNW_POOL_ARRAY(pool, snw_displacements, count);
	*shape = (snk_rest_shape){0};
	*at_new_rest = (snk_new_rest){.input = {.size = sizeof at_new_rest->input},
								  .points = (double **)snw_pool_acquire(scratch, count, sizeof(double *)),
								  .vectors = (double **)snw_pool_acquire(scratch, count, sizeof(double *))};
	snw_put(&at_new_rest->input, input);
	snw_status status = scratch->failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; m < count && !snk_failed(status); m++) {
		views[m].size = sizeof *views;
		snw_put(&views[m], input->character->meshes[m]);
		meshes[m] = &views[m];
		status = learn_mesh(host, input, m, scratch, pool, at_new_rest, &views[m], &displacements[m]);
		shape->coefficient_count |= displacements[m].count;
	}
	if (!snk_failed(status)) {
		character->size = sizeof *character;
		snw_put(character, input->character);
		character->meshes = meshes;
		at_new_rest->input.character = character;
		shape->mesh_count = count;
		shape->meshes = displacements;
	}
	return status;
}

snw_status snk_refine_rest_shape(const snw_host *host, const snk_base_skin_mesh *skin, uint32_t sample_count,
								 const snk_sample *samples, uint32_t mesh, snk_new_rest *at, double *residuals) {
	snw_pool scratch = snw_pool_open(host);
	const snw_mesh_view skinned = {.size = sizeof skinned,
								   .point_count = skin->point_count,
								   .points_rest = at->points[mesh],
								   .influence_offsets = skin->offsets,
								   .influence_slots = skin->slots,
								   .influence_weights = skin->weights};
	search s = {.mesh = &skinned, .samples = samples, .sample_count = sample_count};
	const snw_status status = search_mesh(host, &scratch, &s);
	if (!snk_failed(status)) {
		add_vectors(&s, at->points[mesh], at->vectors[mesh]);
		for (uint32_t i = 0; i < skin->point_count; i++) {
			residuals[i] = sqrt(fmax(s.after[i], 0) / sample_count);
		}
	}
	snw_pool_release(&scratch);
	return status;
}

void snk_rest_shape_drive(const snk_rest_shape *shape, double *d) {
	for (uint32_t k = 0; k < shape->coefficient_count; k++) {
		d[k] = 1;
	}
}

void snk_rest_shape_lower(const snk_rest_shape *shape, uint32_t mesh, snw_program_part *part) {
	if (mesh < shape->mesh_count && shape->meshes[mesh].count > 0) {
		part->rest = &shape->meshes[mesh];
	}
}

void snk_rest_shape_bytes(snk_bytes *bytes, snk_rest_shape *shape) {
	if (snk_failed(bytes->status) || (bytes->is_load ? bytes->reader.count == 0 : shape->coefficient_count == 0)) {
		return;
	}
	snk_bytes_mesh_count(bytes, &shape->mesh_count);
	if (bytes->is_load) {
		shape->coefficient_count = 1;
		shape->meshes = snk_bytes_acquire(bytes, shape->mesh_count, sizeof *shape->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < shape->mesh_count; m++) {
		snw_displacements *d = &shape->meshes[m];
		uint32_t points = d->count > 0 ? (uint32_t)d->offsets[1] : 0;
		double *vectors = (double *)d->vectors;
		snk_bytes_count(bytes, 3 * sizeof *vectors, &points);
		if (bytes->is_load && points > 0 && snk_bytes_need(bytes, points == bytes->character->meshes[m]->point_count)) {
			bytes->status = open_displacement(points, bytes->pool, d, &vectors);
		}
		if (!snk_failed(bytes->status) && points > 0) {
			snk_bytes_f64(bytes, 3 * (size_t)points, vectors);
		}
	}
}

snw_status snk_rest_shape_transfer(const snw_transfer_call *call, snw_pool *pool, snk_rest_shape *shape) {
	return snk_transfer_displacements(call, pool, shape->mesh_count, NULL, shape->meshes);
}
