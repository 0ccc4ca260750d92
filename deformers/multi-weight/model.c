/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: driven, lowered to the affine blend over its own palette, and as bytes: a mark, the rows, a seal. Slot (s, r)
 * of the palette holds R's column r times row r of Rᵀ T_s, so that the results of the three slots sum to R y. The root is the
 * character's.
 */
#include "multi-weight/multi-weight.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"
#include "sinew/put.h"

void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	SNW_PUT(dest, snw_model_layout, .z_count = 12 * COMPONENTS * model->slot_count);
}

void root_rotation(const snw_model *model, const snw_pose_view *pose, double rotation[9]) {
	double posed[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	if (model->root != SNW_NONE) {
		snw_mat34_rotation(pose->global + (size_t)12 * model->root, posed);
		snw_mat34_rotation(model->root_rest, rest);
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			rotation[3 * r + c] =
				posed[3 * r] * rest[3 * c] + posed[3 * r + 1] * rest[3 * c + 1] + posed[3 * r + 2] * rest[3 * c + 2];
		}
	}
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	double rotation[9];
	root_rotation(call->model, call->pose, rotation);
	for (uint32_t s = 0; s < call->model->slot_count; s++) {
		const double *t = call->pose->palette + (size_t)12 * s;
		for (int r = 0; r < COMPONENTS; r++) {
			double *z = call->output->z + ((size_t)s * COMPONENTS + (size_t)r) * 12;
			for (int c = 0; c < 4; c++) {
				const double row = rotation[r] * t[c] + rotation[3 + r] * t[4 + c] + rotation[6 + r] * t[8 + c];
				for (int a = 0; a < 3; a++) {
					z[4 * a + c] = rotation[3 * a + r] * row;
				}
			}
		}
	}
	return SNW_OK;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	if (call->mesh >= call->model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_row_skin_lower(&call->model->skin, call->mesh, SNW_PALETTE_MATRICES, call->part);
	return SNW_OK;
}

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'M', 'U', 'L', 'T', 'I'};
enum { REVISION = 1 };

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snk_row_skin_write(&model->skin, &writer);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	const snw_status status = open_model(character, model);
	return snk_failed(status)
			   ? status
			   : snk_row_skin_read(reader, character, COMPONENTS * model->slot_count, &model->pool, &model->skin);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
