/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts a layer into the stack, at a position.
 */
#include "project/journal/command.h"
#include "project/store/store.h"
#include "scene/check.h"

/* The position of the layer among the others. */
static snw_status find_position(snw_project *project, int64_t id, int32_t requested, int64_t *place, snw_error *error) {
	int64_t others = 0, current = -1;
	snw_status status = snw_database_integer(project, "SELECT count(*) FROM layer WHERE id <> ?1", SNW_CELLS(snw_integer(id)),
											 0, &others, error);
	if (!snw_failed(status) && id != 0) {
		status = snw_database_integer(project, "SELECT position FROM layer WHERE id = ?1", SNW_CELLS(snw_integer(id)), -1,
									  &current, error);
	}
	const int64_t fallback = current >= 0 ? current : others;
	*place = requested < 0 ? fallback : requested;
	*place = *place > others ? others : *place;
	return status;
}

/* Closes the gap at the layer's old position, and opens one at the new position. */
static snw_status shift_layers(snw_project *project, int64_t id, int64_t place, snw_error *error) {
	snw_status status = SNW_OK;
	if (id != 0) {
		status = snw_database_run(project,
								  "UPDATE layer SET position = position - 1 "
								  "WHERE id <> ?1 AND position > (SELECT position FROM layer WHERE id = ?1)",
								  SNW_CELLS(snw_integer(id)), error);
	}
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "UPDATE layer SET position = position + 1 WHERE id <> ?1 AND position >= ?2",
								  SNW_CELLS(snw_integer(id), snw_integer(place)), error);
}

static snw_status put_layer(snw_project *project, const snw_layer *layer, int64_t model, int32_t position, int64_t *id,
							snw_error *error) {
	int64_t place = 0, known = 1;
	snw_status status = snw_layer_check(layer, error);
	if (!snw_failed(status) && model != 0) {
		status = snw_database_integer(project, "SELECT count(*) FROM model WHERE id = ?1", SNW_CELLS(snw_integer(model)), 0,
									  &known, error);
	}
	if (!snw_failed(status) && !known) {
		status = snw_fail(error, SNW_ERROR_MISSING, "layer '%s': no model with id %lld", layer->name, (long long)model);
	}
	status = snw_failed(status) ? status : snw_command_resolve(project, "layer", layer->name, id, error);
	status = snw_failed(status) ? status : find_position(project, *id, position, &place, error);
	status = snw_failed(status) ? status : shift_layers(project, *id, place, error);
	return snw_failed(status) ? status : snw_store_layer(project, layer, place, model, id, error);
}

snw_status snw_project_put_layer(snw_project *project, const snw_layer *layer, int64_t model, int32_t position, int64_t *id,
								 snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (!snw_failed(status)) {
		int64_t row = layer->id;
		status = snw_command_result(project, put_layer(project, layer, model, position, &row, error));
		if (id) {
			*id = row;
		}
	}
	return status;
}
