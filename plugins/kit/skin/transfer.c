/* SPDX-License-Identifier: MIT */
#include "sinew/kit/skin/transfer.h"

#include <string.h>

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/status.h"

snw_status snk_transfer_model(const snk_model_format *format, const snw_transfer_call *call,
							  snw_status (*follow)(const snw_transfer_call *call, snw_model *model), snw_model **model) {
	const snw_load_call load = {
		.size = sizeof load, .host = call->host, .character = call->before, .bytes = call->bytes, .count = call->count};
	snw_model *made = NULL;
	const snw_status status = snk_load_model(format, &load, &made);
	return snk_model_finish(snk_failed(status) ? status : follow(call, made), made, model);
}

/* NULL where the mesh is as it was. */
static const snw_stencils_view *stencils_of(const snw_transfer_call *call, uint32_t mesh) {
	return call->stencils[mesh]->offsets ? call->stencils[mesh] : NULL;
}

static uint32_t new_points(const snw_transfer_call *call, uint32_t mesh) {
	return call->character->meshes[mesh]->point_count;
}

/* ---- influences ---------------------------------------------------------------------------------------------------------- */

typedef struct transferred_influences {
	const snw_stencils_view *stencils;
	uint32_t slot_count, point_count;
	size_t width;
	const uint32_t *offsets, *slots; /* of the points before */
	const double *numbers;
	uint32_t *marks, *places; /* [slot_count]: the point, from 1, that has found a slot last; and its place there */
} transferred_influences;

/* How many slots a point has, and which, in any order. */
static uint32_t find_slots(const transferred_influences *c, uint32_t point, uint32_t *found) {
	uint32_t count = 0;
	for (uint32_t j = c->stencils->offsets[point]; j < c->stencils->offsets[point + 1]; j++) {
		const uint32_t source = c->stencils->sources[j];
		for (uint32_t k = c->offsets[source]; k < c->offsets[source + 1]; k++) {
			if (c->marks[c->slots[k]] != point + 1) {
				c->marks[c->slots[k]] = point + 1;
				found[count++] = c->slots[k];
			}
		}
	}
	return count;
}

static void sort_slots(uint32_t count, uint32_t *slots) {
	for (uint32_t k = 1; k < count; k++) {
		const uint32_t slot = slots[k];
		uint32_t at = k;
		for (; at > 0 && slots[at - 1] > slot; at--) {
			slots[at] = slots[at - 1];
		}
		slots[at] = slot;
	}
}

static void sum_numbers(const transferred_influences *c, uint32_t point, uint32_t count, const uint32_t *slots, double *sums) {
	for (uint32_t k = 0; k < count; k++) {
		c->places[slots[k]] = k;
	}
	for (uint32_t j = c->stencils->offsets[point]; j < c->stencils->offsets[point + 1]; j++) {
		const uint32_t source = c->stencils->sources[j];
		for (uint32_t k = c->offsets[source]; k < c->offsets[source + 1]; k++) {
			for (size_t i = 0; i < c->width; i++) {
				sums[c->width * c->places[c->slots[k]] + i] += c->stencils->shares[j] * c->numbers[c->width * k + i];
			}
		}
	}
}

static snw_status transfer_all(const transferred_influences *c, snw_pool *scratch, snw_pool *pool, const uint32_t **offsets,
							   const uint32_t **slots, const double **numbers) {
	uint32_t *found = SNW_POOL_ARRAY(scratch, uint32_t, c->slot_count);
	uint32_t *made = SNW_POOL_ARRAY(pool, uint32_t, (size_t)c->point_count + 1);
	uint64_t total = 0;
	for (uint32_t p = 0; found && made && p < c->point_count && total <= UINT32_MAX; p++) {
		total += find_slots(c, p, found);
		made[p + 1] = (uint32_t)total;
	}
	uint32_t *list = SNW_POOL_ARRAY(pool, uint32_t, total);
	double *sums = SNW_POOL_ARRAY(pool, double, c->width *total);
	if (total > UINT32_MAX || scratch->failed || pool->failed) {
		return total > UINT32_MAX ? SNW_ERROR_LIMIT : SNW_ERROR_MEMORY;
	}
	memset(c->marks, 0, c->slot_count * sizeof *c->marks);
	for (uint32_t p = 0; p < c->point_count; p++) {
		uint32_t *at = list + made[p];
		const uint32_t count = find_slots(c, p, at);
		sort_slots(count, at);
		sum_numbers(c, p, count, at, sums + c->width * made[p]);
	}
	*offsets = made;
	*slots = list;
	*numbers = sums;
	return SNW_OK;
}

snw_status snk_transfer_influences(const snw_transfer_call *call, uint32_t mesh, uint32_t slot_count, size_t width,
								   snw_pool *pool, const uint32_t **offsets, const uint32_t **slots, const double **numbers) {
	const snw_stencils_view *stencils = stencils_of(call, mesh);
	if (!stencils || !*offsets) {
		return SNW_OK;
	}
	snw_pool scratch = snw_pool_open(call->host);
	const transferred_influences c = {.stencils = stencils,
									  .slot_count = slot_count,
									  .point_count = new_points(call, mesh),
									  .width = width,
									  .offsets = *offsets,
									  .slots = *slots,
									  .numbers = *numbers,
									  .marks = SNW_POOL_ARRAY(&scratch, uint32_t, slot_count),
									  .places = SNW_POOL_ARRAY(&scratch, uint32_t, slot_count)};
	const snw_status status = scratch.failed ? SNW_ERROR_MEMORY : transfer_all(&c, &scratch, pool, offsets, slots, numbers);
	snw_pool_release(&scratch);
	return status;
}

snw_status snk_transfer_base_skin(const snw_transfer_call *call, snw_pool *pool, snk_base_skin *skin) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < skin->mesh_count; m++) {
		snk_base_skin_mesh *mesh = &skin->meshes[m];
		status = snk_transfer_influences(call, m, skin->slot_count, 1, pool, &mesh->offsets, &mesh->slots, &mesh->weights);
		mesh->point_count = new_points(call, m);
	}
	return status;
}

/* ---- numbers of each point ----------------------------------------------------------------------------------------------- */

static void sum_point(const snw_stencils_view *stencils, uint32_t point, size_t width, const double *values, double *sum) {
	for (size_t i = 0; i < width; i++) {
		sum[i] = 0;
	}
	for (uint32_t j = stencils->offsets[point]; j < stencils->offsets[point + 1]; j++) {
		for (size_t i = 0; i < width; i++) {
			sum[i] += stencils->shares[j] * values[width * stencils->sources[j] + i];
		}
	}
}

/* Rows have the rest in them. A point that is beside its place on the old mesh is moved there, as a displacement moves it. */
static void add_offsets(const snw_transfer_call *call, uint32_t mesh, snk_row_skin_mesh *skin, double *rows) {
	const double *rest = call->character->meshes[mesh]->points_rest;
	for (uint32_t p = 0; p < skin->point_count; p++) {
		double place[3];
		sum_point(stencils_of(call, mesh), p, 3, call->before->meshes[mesh]->points_rest, place);
		for (uint32_t k = skin->offsets[p]; k < skin->offsets[p + 1]; k++) {
			for (size_t c = 0; c < 3; c++) {
				rows[4 * (size_t)k + c] += rows[4 * (size_t)k + 3] * (rest[3 * (size_t)p + c] - place[c]);
			}
		}
	}
}

snw_status snk_transfer_row_skin(const snw_transfer_call *call, snw_pool *pool, snk_row_skin *skin) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < skin->mesh_count; m++) {
		snk_row_skin_mesh *mesh = &skin->meshes[m];
		status = snk_transfer_influences(call, m, skin->slot_count, 4, pool, &mesh->offsets, &mesh->slots, &mesh->rows);
		mesh->point_count = new_points(call, m);
		if (!snk_failed(status) && mesh->offsets && stencils_of(call, m)) {
			add_offsets(call, m, mesh, (double *)mesh->rows);
		}
	}
	return status;
}

snw_status snk_transfer_numbers(const snw_transfer_call *call, uint32_t mesh, size_t count, size_t width, snw_pool *pool,
								const double **numbers) {
	const snw_stencils_view *stencils = stencils_of(call, mesh);
	if (!stencils || !*numbers) {
		return SNW_OK;
	}
	const uint32_t points = new_points(call, mesh);
	double *made = SNW_POOL_ARRAY(pool, double, count *width *points);
	for (size_t n = 0; made && n < count; n++) {
		const double *values = *numbers + n * width * stencils->source_count;
		for (uint32_t p = 0; p < points; p++) {
			sum_point(stencils, p, width, values, made + width * (n * points + p));
		}
	}
	*numbers = made;
	return made ? SNW_OK : SNW_ERROR_MEMORY;
}

/* ---- displacements ------------------------------------------------------------------------------------------------------- */

static snw_status transfer_dense(const snw_transfer_call *call, uint32_t mesh, snw_pool *pool, snw_displacements *list) {
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, (size_t)list->count + 1);
	for (size_t k = 0; offsets && k <= list->count; k++) {
		offsets[k] = k * new_points(call, mesh);
	}
	list->offsets = offsets;
	return offsets ? snk_transfer_numbers(call, mesh, list->count, 3, pool, &list->vectors) : SNW_ERROR_MEMORY;
}

/* A displacement as vectors of all points. */
static void spread(const snw_displacements *list, uint32_t k, double *all) {
	for (uint64_t n = list->offsets[k]; n < list->offsets[k + 1]; n++) {
		memcpy(all + 3 * (size_t)list->points[n], list->vectors + 3 * n, 3 * sizeof *all);
	}
}

static void clear(const snw_displacements *list, uint32_t k, double *all) {
	for (uint64_t n = list->offsets[k]; n < list->offsets[k + 1]; n++) {
		memset(all + 3 * (size_t)list->points[n], 0, 3 * sizeof *all);
	}
}

/* The points that a displacement moves, from entry `first` on; `points` and `vectors` are NULL to count them. */
static uint64_t gather(const snw_stencils_view *stencils, uint32_t point_count, const double *all, uint64_t first,
					   uint32_t *points, double *vectors) {
	uint64_t count = 0;
	for (uint32_t p = 0; p < point_count; p++) {
		double sum[3];
		sum_point(stencils, p, 3, all, sum);
		if (sum[0] != 0 || sum[1] != 0 || sum[2] != 0) {
			if (points) {
				points[first + count] = p;
				memcpy(vectors + 3 * (first + count), sum, sizeof sum);
			}
			count++;
		}
	}
	return count;
}

static snw_status transfer_list(const snw_transfer_call *call, uint32_t mesh, snw_pool *pool, snw_displacements *list) {
	const snw_stencils_view *stencils = stencils_of(call, mesh);
	if (!stencils || list->count == 0) {
		return SNW_OK;
	}
	if (!list->points) {
		return transfer_dense(call, mesh, pool, list);
	}
	snw_pool scratch = snw_pool_open(call->host);
	double *all = SNW_POOL_ARRAY(&scratch, double, 3 * (size_t)stencils->source_count);
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, (size_t)list->count + 1);
	uint32_t *points = NULL;
	double *vectors = NULL;
	snw_status status = all && offsets ? SNW_OK : SNW_ERROR_MEMORY;
	for (int pass = 0; !snk_failed(status) && pass < 2; pass++) {
		for (uint32_t k = 0; k < list->count; k++) {
			spread(list, k, all);
			offsets[k + 1] = offsets[k] + gather(stencils, new_points(call, mesh), all, offsets[k], points, vectors);
			clear(list, k, all);
		}
		if (pass == 0) {
			points = SNW_POOL_ARRAY(pool, uint32_t, offsets[list->count]);
			vectors = SNW_POOL_ARRAY(pool, double, 3 * offsets[list->count]);
			status = offsets[list->count] > UINT32_MAX ? SNW_ERROR_LIMIT : vectors ? SNW_OK : SNW_ERROR_MEMORY;
		}
	}
	list->offsets = offsets;
	list->points = points;
	list->vectors = vectors;
	snw_pool_release(&scratch);
	return status;
}

snw_status snk_transfer_displacements(const snw_transfer_call *call, snw_pool *pool, uint32_t mesh_count,
									  uint32_t *point_counts, snw_displacements *lists) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < mesh_count; m++) {
		status = transfer_list(call, m, pool, &lists[m]);
		if (point_counts) {
			point_counts[m] = call->character->meshes[m]->point_count;
		}
	}
	return status;
}
