/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Builds a model from the displacements of all meshes: the joints that drive any of them, their ranges, and one list of
 * coefficients.
 */
#include <string.h>

#include "pose-regression/fit.h"
#include "sinew/kit/status.h"

/* places [joint_count]: of the joints that the rows read, among the drivers; SNW_NONE for the others. Returns the number of
 * drivers. */
static uint32_t find_drivers(uint32_t mesh_count, const reduced *meshes, uint32_t joint_count, uint32_t *places) {
	const size_t n = (size_t)JOINT_FEATURES * joint_count + 1;
	uint32_t count = 0;
	for (uint32_t j = 0; j < joint_count; j++) {
		int used = 0;
		for (uint32_t m = 0; m < mesh_count; m++) {
			for (uint32_t k = 0; k < meshes[m].count; k++) {
				for (size_t i = 0; i < JOINT_FEATURES; i++) {
					used |= meshes[m].rows[k * n + JOINT_FEATURES * (size_t)j + i] != 0;
				}
			}
		}
		places[j] = used ? count++ : SNW_NONE;
	}
	return count;
}

static char *copy_text(snw_pool *pool, const char *text) {
	const size_t bytes = strlen(text) + 1;
	char *copy = SNW_POOL_ARRAY(pool, char, bytes);
	if (copy) {
		memcpy(copy, text, bytes);
	}
	return copy;
}

static snw_status copy_drivers(const driver *joints, uint32_t joint_count, const uint32_t *places, snw_model *model) {
	driver *drivers = SNW_POOL_ARRAY(&model->pool, driver, model->driver_count);
	for (uint32_t j = 0; drivers && j < joint_count; j++) {
		if (places[j] != SNW_NONE) {
			drivers[places[j]] = joints[j];
			drivers[places[j]].name = copy_text(&model->pool, joints[j].name);
		}
	}
	model->drivers = drivers;
	return model->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* Writes a row's entries to columns and values, unless they are NULL. Returns the number of entries. */
static uint32_t write_row(const double *row, uint32_t joint_count, const uint32_t *places, uint32_t driver_count,
						  uint32_t *columns, double *values) {
	uint32_t count = 0;
	for (uint32_t c = 0; c <= JOINT_FEATURES * joint_count; c++) {
		if (row[c] != 0) {
			if (columns) {
				columns[count] = c == JOINT_FEATURES * joint_count
									 ? JOINT_FEATURES * driver_count
									 : JOINT_FEATURES * places[c / JOINT_FEATURES] + c % JOINT_FEATURES;
				values[count] = row[c];
			}
			count++;
		}
	}
	return count;
}

/* Places rise with the joints, so columns rise too. */
static snw_status gather_rows(uint32_t mesh_count, const reduced *meshes, uint32_t joint_count, const uint32_t *places,
							  snw_model *model) {
	const size_t n = (size_t)JOINT_FEATURES * joint_count + 1;
	uint32_t rows = 0, entries = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		for (uint32_t k = 0; k < meshes[m].count; k++, rows++) {
			entries += write_row(meshes[m].rows + k * n, joint_count, places, model->driver_count, NULL, NULL);
		}
	}
	uint32_t *offsets = SNW_POOL_ARRAY(&model->pool, uint32_t, (size_t)rows + 1);
	uint32_t *columns = SNW_POOL_ARRAY(&model->pool, uint32_t, entries);
	double *values = SNW_POOL_ARRAY(&model->pool, double, entries);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t at = 0;
	for (uint32_t m = 0; m < mesh_count; m++) {
		for (uint32_t k = 0; k < meshes[m].count; k++, at++) {
			offsets[at + 1] = offsets[at] + write_row(meshes[m].rows + k * n, joint_count, places, model->driver_count,
													  columns + offsets[at], values + offsets[at]);
		}
	}
	model->rows = (snw_sparse_rows){.row_count = rows,
									.column_count = JOINT_FEATURES * model->driver_count + 1,
									.offsets = offsets,
									.columns = columns,
									.values = values};
	return SNW_OK;
}

/* `first` is the coefficient of the mesh's first displacement. */
static snw_status copy_displacements(const reduced *from, uint32_t first, snw_pool *pool, snw_displacements *dest) {
	const uint32_t total = from->count > 0 ? from->offsets[from->count] : 0;
	uint32_t *coefficients = SNW_POOL_ARRAY(pool, uint32_t, from->count);
	uint64_t *offsets = SNW_POOL_ARRAY(pool, uint64_t, (size_t)from->count + 1);
	uint32_t *points = SNW_POOL_ARRAY(pool, uint32_t, total);
	double *vectors = SNW_POOL_ARRAY(pool, double, 3 * (size_t)total);
	const char **names = (const char **)snw_pool_acquire(pool, from->count, sizeof *names);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; k < from->count; k++) {
		coefficients[k] = first + k;
		offsets[k + 1] = from->offsets[k + 1];
		names[k] = copy_text(pool, from->names[k]);
	}
	if (total > 0) {
		memcpy(points, from->points, total * sizeof *points);
		memcpy(vectors, from->vectors, 3 * (size_t)total * sizeof *vectors);
	}
	*dest = (snw_displacements){.size = sizeof *dest,
								.count = from->count,
								.coefficients = coefficients,
								.offsets = offsets,
								.points = points,
								.vectors = vectors,
								.names = names};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status gather_meshes(const snw_character_view *character, const reduced *meshes, snw_model *model) {
	uint32_t *counts = SNW_POOL_ARRAY(&model->pool, uint32_t, character->mesh_count), first = 0;
	snw_displacements *lists = SNW_POOL_ARRAY(&model->pool, snw_displacements, character->mesh_count);
	snw_status status = model->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		counts[m] = character->meshes[m]->point_count;
		status = copy_displacements(&meshes[m], first, &model->pool, &lists[m]);
		first += meshes[m].count;
	}
	model->mesh_count = character->mesh_count;
	model->point_counts = counts;
	model->meshes = lists;
	return status;
}

snw_status build_model(const snw_fit_input *input, const driver *joints, uint32_t kind, const reduced *meshes,
					   snw_model *model) {
	const snw_character_view *character = input->character;
	const uint32_t joint_count = character->skeleton->joint_count;
	snw_pool scratch = snw_pool_open(model->pool.host);
	uint32_t *places = SNW_POOL_ARRAY(&scratch, uint32_t, joint_count);
	snw_status status = places ? SNW_OK : SNW_ERROR_MEMORY;
	model->joint_count = joint_count;
	model->kind = kind;
	if (!snk_failed(status)) {
		model->driver_count = find_drivers(character->mesh_count, meshes, joint_count, places);
		status = copy_drivers(joints, joint_count, places, model);
	}
	status = snk_failed(status) ? status : gather_rows(character->mesh_count, meshes, joint_count, places, model);
	status = snk_failed(status) ? status : gather_meshes(character, meshes, model);
	snw_pool_release(&scratch);
	return status;
}
