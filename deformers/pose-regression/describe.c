/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The regression as JSON, for engines that evaluate it live. docs/pose-space.md defines the format.
 */
#include "pose-regression/pose-regression.h"
#include "sinew/kit/bytes/json.h"

static const char *const kinds[FEATURE_KINDS] = {"matrices", "vectors"};

static void write_drivers(snk_json *json, const snw_model *model) {
	snk_json_open_array(json, "joints");
	for (uint32_t k = 0; k < model->driver_count; k++) {
		const driver *from = &model->drivers[k];
		snk_json_open_object(json, NULL);
		snk_json_text(json, "name", from->name);
		snk_json_numbers(json, "axes", 9, from->axes);
		snk_json_numbers(json, "lowest", JOINT_FEATURES, from->lowest);
		snk_json_numbers(json, "highest", JOINT_FEATURES, from->highest);
		snk_json_close_object(json);
	}
	snk_json_close_array(json);
}

static void write_mesh(snk_json *json, const snw_model *model, const snw_displacements *list) {
	const snw_sparse_rows *rows = &model->rows;
	for (uint32_t k = 0; k < list->count; k++) {
		const uint32_t row = list->coefficients[k], first = rows->offsets[row], end = rows->offsets[row + 1];
		snk_json_open_object(json, NULL);
		snk_json_text(json, "name", list->names[k]);
		snk_json_open_array(json, "features");
		for (uint32_t n = first; n < end; n++) {
			snk_json_integer(json, NULL, rows->columns[n]);
		}
		snk_json_close_array(json);
		snk_json_numbers(json, "factors", end - first, rows->values + first);
		snk_json_close_object(json);
	}
}

snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	snk_json json = snk_json_start(sink);
	snk_json_open_object(&json, NULL);
	snk_json_open_object(&json, "poseRegression");
	snk_json_integer(&json, "version", 1);
	snk_json_text(&json, "format", "org.sinew.pose-regression");
	snk_json_text(&json, "features", kinds[model->kind]);
	snk_json_boolean(&json, "clamp", values[CLAMP].numbers[0] != 0);
	write_drivers(&json, model);
	snk_json_open_array(&json, "coefficients");
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		write_mesh(&json, model, &model->meshes[m]);
	}
	snk_json_close_array(&json);
	snk_json_close_object(&json);
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}
