/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading the stack: models as bytes that only their plug-in understands, and layers.
 */
#include "project/load/load.h"

static snw_status load_models(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "model", &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_saved_model *models = SNW_NEW_ARRAY(load->scene->arena, snw_saved_model, count);
	snw_rows rows = snw_load_rows(load, "model",
								  "SELECT id, name, deformer, deformer_version, bytes, reads FROM model ORDER BY id", NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		models[i].id = snw_rows_integer(&rows, 0);
		models[i].name = snw_rows_text(&rows, 1);
		models[i].deformer = snw_rows_text(&rows, 2);
		models[i].deformer_version = snw_rows_text(&rows, 3);
		models[i].bytes = snw_rows_bytes(&rows, 4, &models[i].byte_count);
		models[i].reads = snw_rows_optional_array(&rows, 5, SNW_READ_KINDS, sizeof(uint64_t));
	}
	load->scene->models = models;
	load->scene->model_count = i;
	load->models = snw_id_map_make(&models->id, i, sizeof *models, load->scratch);
	return snw_rows_end(&rows);
}

static snw_status load_settings(snw_load *load, snw_layer *layer) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count_of(load, "layer_setting", "layer", layer->id, &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_setting *settings = SNW_NEW_ARRAY(load->scene->arena, snw_setting, count);
	snw_rows rows = snw_load_rows(load, "layer_setting",
								  "SELECT key, value, y, z, text FROM layer_setting WHERE layer = ?1 ORDER BY position",
								  SNW_CELLS(snw_integer(layer->id)));
	for (; i < count && snw_rows_next(&rows); i++) {
		settings[i].key = snw_rows_text(&rows, 0);
		for (int n = 0; n < 3; n++) {
			settings[i].value.numbers[n] = snw_rows_real(&rows, 1 + n);
		}
		settings[i].value.text = snw_rows_null(&rows, 4) ? NULL : snw_rows_text(&rows, 4);
	}
	layer->settings = settings;
	layer->setting_count = i;
	return snw_rows_end(&rows);
}

static snw_status load_layers(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "layer", &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_layer *layers = SNW_NEW_ARRAY(load->scene->arena, snw_layer, count);
	snw_rows rows = snw_load_rows(
		load, "layer", "SELECT id, name, deformer, deformer_version, model, muted, samples FROM layer ORDER BY position, id",
		NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		layers[i].id = snw_rows_integer(&rows, 0);
		layers[i].name = snw_rows_text(&rows, 1);
		layers[i].deformer = snw_rows_text(&rows, 2);
		layers[i].deformer_version = snw_rows_text(&rows, 3);
		layers[i].model = snw_rows_index(&rows, 4, &load->models, true);
		layers[i].muted = snw_rows_integer(&rows, 5) != 0;
		layers[i].samples = snw_rows_null(&rows, 6) ? NULL : snw_rows_text(&rows, 6);
	}
	load->scene->layers = layers;
	load->scene->layer_count = i;
	status = snw_rows_end(&rows);
	for (uint32_t l = 0; !snw_failed(status) && l < i; l++) {
		status = load_settings(load, &layers[l]);
	}
	return status;
}

snw_status snw_load_stack(snw_load *load) {
	const snw_status status = load_models(load);
	return snw_failed(status) ? status : load_layers(load);
}
