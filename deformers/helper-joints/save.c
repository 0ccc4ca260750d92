/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, the helpers, the influences, the rest shape if there is one, a seal.
 */
#include "helper-joints/helper-joints.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'H', 'E', 'L', 'P', 'J'};
enum { REVISION = 2 };

static size_t feature_count(const helper *one) {
	return (size_t)JOINT_FEATURES * one->driver_count;
}

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snw_write_u32(&writer, model->helper_count);
	for (uint32_t h = 0; h < model->helper_count; h++) {
		const helper *one = &model->helpers[h];
		const size_t bytes = feature_count(one) * sizeof(double);
		snw_write_u32(&writer, one->parent);
		snw_write_u32(&writer, one->toward);
		snw_write(&writer, &one->share, sizeof one->share);
		snw_write(&writer, one->place, sizeof one->place);
		snw_write_u32(&writer, one->driver_count);
		snw_write(&writer, one->drivers, one->driver_count * sizeof *one->drivers);
		for (int m = 0; m < MOTIONS; m++) {
			snw_write(&writer, one->factors[m], bytes);
		}
		snw_write(&writer, one->lowest, bytes);
		snw_write(&writer, one->highest, bytes);
	}
	snk_base_skin_write(&model->skin, &writer);
	snk_rest_shape_write(&model->rest, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_helper(snw_reader *reader, uint32_t joint_count, helper *one) {
	snw_status status = SNW_OK;
	one->parent = snw_read_u32(reader);
	one->toward = snw_read_u32(reader);
	snk_read_numbers_into(reader, 1, &one->share, &status);
	snk_read_numbers_into(reader, 3, one->place, &status);
	one->driver_count = snw_read_u32(reader);
	if (reader->failed || one->driver_count > MOST_DRIVERS || one->parent >= joint_count ||
		(one->toward >= joint_count && one->toward != SNW_NONE) || !(one->share >= 0 && one->share <= 1)) {
		return SNW_ERROR_DATA;
	}
	snw_read(reader, one->drivers, one->driver_count * sizeof *one->drivers);
	for (uint32_t k = 0; k < one->driver_count; k++) {
		status = one->drivers[k] < joint_count ? status : SNW_ERROR_DATA;
	}
	for (int m = 0; m < MOTIONS; m++) {
		snk_read_numbers_into(reader, feature_count(one), one->factors[m], &status);
	}
	snk_read_numbers_into(reader, feature_count(one), one->lowest, &status);
	snk_read_numbers_into(reader, feature_count(one), one->highest, &status);
	return status;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	snw_status status = open_model(character, model);
	model->helper_count = snw_read_count(reader, 3 * sizeof(uint32_t) + 4 * sizeof(double));
	helper *helpers = SNW_POOL_ARRAY(&model->pool, helper, model->helper_count);
	if (snk_failed(status) || !helpers) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t h = 0; h < model->helper_count; h++) {
		status = read_helper(reader, model->joint_count, &helpers[h]);
		if (snk_failed(status)) {
			return status;
		}
	}
	model->helpers = helpers;
	snw_character_view wider;
	status = widen_character(character, model->helper_count, helpers, &model->pool, &wider);
	status = snk_failed(status) ? status : snk_base_skin_read(reader, &wider, &model->pool, &model->skin);
	status = snk_failed(status) ? status : snk_rest_shape_read(reader, character, &model->pool, &model->rest);
	return snk_failed(status) ? status : list_helpers(character, model);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
