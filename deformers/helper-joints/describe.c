/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The motion of the helpers as JSON, for engines that drive them live. docs/pose-space.md defines the format.
 */
#include "helper-joints/helper-joints.h"
#include "sinew/kit/bytes/json.h"

static void write_driver(snk_json *json, const snw_model *model, const helper *one, uint32_t k) {
	static const char *const names[MOTIONS] = {"rotationX",    "rotationY", "rotationZ", "translationX", "translationY",
											   "translationZ", "stretchX",  "stretchY",  "stretchZ"};
	const size_t first = (size_t)JOINT_FEATURES * k;
	snk_json_open_object(json, NULL);
	snk_json_text(json, "joint", model->joint_names[one->drivers[k]]);
	snk_json_numbers(json, "axes", 9, model->axes + 9 * (size_t)one->drivers[k]);
	snk_json_numbers(json, "lowest", JOINT_FEATURES, one->lowest + first);
	snk_json_numbers(json, "highest", JOINT_FEATURES, one->highest + first);
	for (int m = 0; m < MOTIONS; m++) {
		snk_json_numbers(json, names[m], JOINT_FEATURES, one->factors[m] + first);
	}
	snk_json_close_object(json);
}

snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)values;
	snk_json json = snk_json_start(sink);
	snk_json_open_object(&json, NULL);
	snk_json_open_object(&json, "helperJoints");
	snk_json_integer(&json, "version", 2);
	snk_json_text(&json, "format", "org.sinew.helper-joints");
	snk_json_open_array(&json, "helpers");
	for (uint32_t h = 0; h < model->helper_count; h++) {
		const helper *one = &model->helpers[h];
		snk_json_open_object(&json, NULL);
		snk_json_text(&json, "name", model->listed[h]->name);
		snk_json_numbers(&json, "place", 3, one->place);
		snk_json_numbers(&json, "stretchAxes", 9, model->axes + 9 * (size_t)one->parent);
		if (one->toward != SNW_NONE) {
			snk_json_text(&json, "toward", model->joint_names[one->toward]);
			snk_json_numbers(&json, "share", 1, &one->share);
		}
		snk_json_open_array(&json, "drivers");
		for (uint32_t k = 0; k < one->driver_count; k++) {
			write_driver(&json, model, one, k);
		}
		snk_json_close_array(&json);
		snk_json_close_object(&json);
	}
	snk_json_close_array(&json);
	snk_json_close_object(&json);
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}
