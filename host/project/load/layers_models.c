/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads the stack: models as bytes for their plug-in, and layers.
 */
#include "project/load/load.h"

static snw_status load_models(snw_load *load) {
	snw_load_table table =
		snw_load_table_begin(load, "model", "SELECT id, name, deformer, deformer_version, bytes, reads FROM model ORDER BY id",
							 sizeof(snw_saved_model));
	for (snw_saved_model *model; (model = snw_load_next(&table));) {
		model->id = snw_rows_integer(&table.rows, 0);
		model->name = snw_rows_text(&table.rows, 1);
		model->deformer = snw_rows_text(&table.rows, 2);
		model->deformer_version = snw_rows_text(&table.rows, 3);
		model->bytes = snw_rows_bytes(&table.rows, 4, &model->byte_count);
		model->reads = snw_rows_optional_array(&table.rows, 5, SNW_READ_KINDS, sizeof(uint64_t));
	}
	snw_saved_model *models = table.elements;
	load->scene->models = models;
	load->scene->model_count = table.count;
	load->models = snw_id_map_make(&models->id, table.count, sizeof *models, load->scratch);
	return snw_rows_end(&table.rows);
}

static snw_status load_settings(snw_load *load, snw_layer *layer) {
	snw_load_table table = snw_load_list_begin(
		load, "layer_setting", "layer", layer->id,
		"SELECT key, value, y, z, text FROM layer_setting WHERE layer = ?1 ORDER BY position", sizeof(snw_setting));
	for (snw_setting *setting; (setting = snw_load_next(&table));) {
		setting->key = snw_rows_text(&table.rows, 0);
		for (int n = 0; n < 3; n++) {
			setting->value.numbers[n] = snw_rows_real(&table.rows, 1 + n);
		}
		setting->value.text = snw_rows_null(&table.rows, 4) ? NULL : snw_rows_text(&table.rows, 4);
	}
	layer->settings = table.elements;
	layer->setting_count = table.count;
	return snw_rows_end(&table.rows);
}

static snw_status load_layers(snw_load *load) {
	snw_load_table table = snw_load_table_begin(
		load, "layer", "SELECT id, name, deformer, deformer_version, model, muted, samples FROM layer ORDER BY position, id",
		sizeof(snw_layer));
	for (snw_layer *layer; (layer = snw_load_next(&table));) {
		layer->id = snw_rows_integer(&table.rows, 0);
		layer->name = snw_rows_text(&table.rows, 1);
		layer->deformer = snw_rows_text(&table.rows, 2);
		layer->deformer_version = snw_rows_text(&table.rows, 3);
		layer->model = snw_rows_index(&table.rows, 4, &load->models, true);
		layer->muted = snw_rows_integer(&table.rows, 5) != 0;
		layer->samples = snw_rows_null(&table.rows, 6) ? NULL : snw_rows_text(&table.rows, 6);
	}
	snw_layer *layers = table.elements;
	load->scene->layers = layers;
	load->scene->layer_count = table.count;
	snw_status status = snw_rows_end(&table.rows);
	for (uint32_t l = 0; !snw_failed(status) && l < table.count; l++) {
		status = load_settings(load, &layers[l]);
	}
	return status;
}

snw_status snw_load_stack(snw_load *load) {
	const snw_status status = load_models(load);
	return snw_failed(status) ? status : load_layers(load);
}
