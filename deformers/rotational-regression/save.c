/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes and back: a mark, the joints, the learned blend, the predictors of each mesh, and its triangles or its
 * proxies; a seal.
 */
#include <math.h>

#include "rotational-regression/rotational-regression.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'R', 'O', 'T', 'R', 'G'};
enum { REVISION = 2 };

static void write_skin(snw_writer *writer, const snk_base_skin_mesh *skin) {
	snw_write_u32(writer, skin->offsets != NULL);
	if (skin->offsets) {
		const size_t count = skin->offsets[skin->point_count];
		snw_write(writer, skin->offsets, ((size_t)skin->point_count + 1) * sizeof *skin->offsets);
		snw_write(writer, skin->slots, count * sizeof *skin->slots);
		snw_write(writer, skin->weights, count * sizeof *skin->weights);
	}
}

static void write_mesh(snw_writer *writer, const snw_model *model, const regressed_mesh *mesh) {
	snw_write_u32(writer, mesh->skin.point_count);
	write_skin(writer, &mesh->skin);
	snw_write_u32(writer, mesh->predictor_count);
	for (uint32_t k = 0; k < mesh->predictor_count; k++) {
		predictor one;
		read_predictor(&mesh->groups[k / LANES], k % LANES, &one);
		snw_write(writer, &one, sizeof one);
	}
	if (mesh->predictor_count > 0 && model->is_reduced) {
		write_skin(writer, &mesh->proxies);
		snw_write_u32(writer, mesh->slot_count);
		snw_write(writer, mesh->rows.offsets, ((size_t)mesh->rows.row_count + 1) * sizeof(uint32_t));
		snw_write(writer, mesh->rows.columns, mesh->rows.offsets[mesh->rows.row_count] * sizeof(uint32_t));
		snw_write(writer, mesh->rows.values, mesh->rows.offsets[mesh->rows.row_count] * sizeof(double));
	} else if (mesh->predictor_count > 0) {
		snw_write(writer, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof(uint32_t));
		snw_write(writer, mesh->weights, 3 * (size_t)mesh->triangle_count * sizeof(double));
		snw_write(writer, mesh->is_fixed, mesh->skin.point_count);
		snw_write(writer, mesh->pulls, mesh->skin.point_count * sizeof *mesh->pulls);
	}
}

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snw_write_u32(&writer, model->anchors);
	snw_write_u32(&writer, model->features);
	snw_write_u32(&writer, model->is_reduced);
	snw_write_u32(&writer, model->slot_count);
	snw_write_u32(&writer, model->joint_count);
	for (uint32_t j = 0; j < model->joint_count; j++) {
		snw_write_u32(&writer, model->joints[j].parent);
		snw_write_u32(&writer, model->joints[j].bends);
		snw_write(&writer, model->joints[j].axes, sizeof model->joints[j].axes);
	}
	snw_write_u32(&writer, model->mesh_count);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		write_mesh(&writer, model, &model->meshes[m]);
	}
	snw_write_seal(&writer);
	return writer.status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static snw_status read_skin(snw_reader *reader, snw_pool *pool, uint32_t slot_count, snk_base_skin_mesh *skin) {
	const uint32_t is_there = snw_read_u32(reader);
	snw_status status = SNW_OK;
	if (reader->failed || is_there > 1 || !is_there) {
		return reader->failed || is_there > 1 ? SNW_ERROR_DATA : SNW_OK;
	}
	skin->offsets = snk_read_offsets(reader, pool, skin->point_count, &status);
	const size_t count = skin->offsets ? skin->offsets[skin->point_count] : 0;
	skin->slots = snk_read_indices(reader, pool, count, slot_count, &status);
	skin->weights = snk_read_numbers(reader, pool, count, &status);
	return status;
}

static int are_finite(size_t count, const float *numbers) {
	int finite = 1;
	for (size_t i = 0; i < count; i++) {
		finite &= isfinite(numbers[i]) != 0;
	}
	return finite;
}

static int is_whole(const predictor *p, uint32_t joint_count) {
	int whole = p->joint_count <= MOST_JOINTS;
	for (uint32_t k = 0; whole && k < p->joint_count; k++) {
		whole &= p->joints[k] < joint_count && p->is_above[k] <= 1;
	}
	return whole && are_finite((size_t)9 * MOST_JOINTS, p->rotations[0]) && are_finite((size_t)9 * SHEAR_COLUMNS, p->shear[0]);
}

static snw_status read_predictors(snw_reader *reader, snw_model *model, regressed_mesh *mesh) {
	snw_pool scratch = snw_pool_open(model->pool.host);
	snw_status status = SNW_OK;
	mesh->predictor_count = snw_read_count(reader, sizeof(predictor));
	const predictor *predictors = snk_read_array(reader, &scratch, mesh->predictor_count, sizeof *predictors, &status);
	for (uint32_t k = 0; !snk_failed(status) && k < mesh->predictor_count; k++) {
		status = is_whole(&predictors[k], model->joint_count) ? SNW_OK : SNW_ERROR_DATA;
	}
	if (!snk_failed(status)) {
		mesh->groups = group_predictors(model, mesh->predictor_count, predictors, &model->pool);
		status = mesh->groups ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status read_triangles(snw_reader *reader, snw_model *model, regressed_mesh *mesh) {
	const size_t numbers = 3 * (size_t)mesh->predictor_count;
	snw_status status = SNW_OK;
	mesh->triangle_count = mesh->predictor_count;
	mesh->triangles = snk_read_indices(reader, &model->pool, numbers, mesh->skin.point_count, &status);
	mesh->weights = snk_read_numbers(reader, &model->pool, numbers, &status);
	mesh->is_fixed = snk_read_array(reader, &model->pool, mesh->skin.point_count, 1, &status);
	mesh->pulls = snk_read_numbers(reader, &model->pool, mesh->skin.point_count, &status);
	for (size_t n = 0; !snk_failed(status) && n < numbers; n++) {
		status = mesh->weights[n] >= 0 ? SNW_OK : SNW_ERROR_DATA;
	}
	for (uint32_t i = 0; !snk_failed(status) && i < mesh->skin.point_count; i++) {
		status = mesh->pulls[i] >= 0 ? SNW_OK : SNW_ERROR_DATA;
	}
	return status;
}

/* The columns of C are checked by `check_columns` when all meshes are there. */
static snw_status read_proxies(snw_reader *reader, snw_model *model, regressed_mesh *mesh) {
	mesh->proxies.point_count = mesh->skin.point_count;
	snw_status status = read_skin(reader, &model->pool, UINT32_MAX, &mesh->proxies);
	if (snk_failed(status) || !mesh->proxies.offsets) {
		return snk_failed(status) ? status : SNW_ERROR_DATA;
	}
	mesh->slot_count = snw_read_u32(reader);
	if (reader->failed || mesh->slot_count > reader->count / sizeof(uint32_t) / 4) {
		return SNW_ERROR_DATA;
	}
	snw_sparse_rows *rows = &mesh->rows;
	rows->row_count = 4 * mesh->slot_count;
	rows->offsets = snk_read_offsets(reader, &model->pool, rows->row_count, &status);
	const size_t count = rows->offsets ? rows->offsets[rows->row_count] : 0;
	rows->columns = snk_read_indices(reader, &model->pool, count, UINT32_MAX, &status);
	rows->values = snk_read_numbers(reader, &model->pool, count, &status);
	const size_t influences = mesh->proxies.offsets[mesh->proxies.point_count];
	for (size_t k = 0; !snk_failed(status) && k < influences; k++) {
		status = mesh->proxies.slots[k] < mesh->slot_count ? SNW_OK : SNW_ERROR_DATA;
	}
	return status;
}

static snw_status check_columns(snw_model *model, regressed_mesh *mesh) {
	snw_sparse_rows *rows = &mesh->rows;
	if (!rows->offsets) {
		return SNW_OK;
	}
	rows->column_count = 3 * model->predictor_count + 4 * model->slot_count;
	for (uint32_t r = 0; r < rows->row_count; r++) {
		for (uint32_t k = rows->offsets[r]; k < rows->offsets[r + 1]; k++) {
			if (rows->columns[k] >= rows->column_count || (k > rows->offsets[r] && rows->columns[k] <= rows->columns[k - 1])) {
				return SNW_ERROR_DATA;
			}
		}
	}
	return SNW_OK;
}

static snw_status read_mesh(snw_reader *reader, const snw_mesh_view *view, snw_model *model, regressed_mesh *mesh) {
	mesh->skin.point_count = snw_read_u32(reader);
	if (reader->failed || mesh->skin.point_count != view->point_count) {
		return SNW_ERROR_DATA;
	}
	snw_status status = read_skin(reader, &model->pool, model->slot_count, &mesh->skin);
	status = snk_failed(status) ? status : read_predictors(reader, model, mesh);
	if (snk_failed(status) || mesh->predictor_count == 0) {
		return status;
	}
	return model->is_reduced ? read_proxies(reader, model, mesh) : read_triangles(reader, model, mesh);
}

static snw_status read_joints(snw_reader *reader, snw_model *model) {
	regressed_joint *joints = SNW_POOL_ARRAY(&model->pool, regressed_joint, model->joint_count);
	for (uint32_t j = 0; joints && j < model->joint_count; j++) {
		joints[j].parent = snw_read_u32(reader);
		joints[j].bends = snw_read_u32(reader);
		snw_read(reader, joints[j].axes, sizeof joints[j].axes);
		if (reader->failed || (joints[j].parent != SNW_NONE && joints[j].parent >= model->joint_count) || joints[j].bends > 1 ||
			!snk_all_finite(9, joints[j].axes)) {
			return SNW_ERROR_DATA;
		}
	}
	model->joints = joints;
	return joints ? SNW_OK : SNW_ERROR_MEMORY;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	model->anchors = snw_read_u32(reader);
	model->features = snw_read_u32(reader);
	model->is_reduced = snw_read_u32(reader);
	model->slot_count = snw_read_u32(reader);
	model->joint_count = snw_read_u32(reader);
	if (reader->failed || model->anchors >= ANCHOR_KINDS || model->features >= FEATURE_KINDS || model->is_reduced > 1 ||
		model->slot_count != character->slot_count || model->joint_count != character->skeleton->joint_count) {
		return SNW_ERROR_DATA;
	}
	snw_status status = read_joints(reader, model);
	model->mesh_count = snw_read_u32(reader);
	if (snk_failed(status) || reader->failed || model->mesh_count != character->mesh_count) {
		return snk_failed(status) ? status : SNW_ERROR_DATA;
	}
	model->meshes = SNW_POOL_ARRAY(&model->pool, regressed_mesh, model->mesh_count);
	status = model->meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < model->mesh_count; m++) {
		status = read_mesh(reader, character->meshes[m], model, &model->meshes[m]);
	}
	if (!snk_failed(status)) {
		number_predictors(model);
	}
	for (uint32_t m = 0; !snk_failed(status) && m < model->mesh_count; m++) {
		status = check_columns(model, &model->meshes[m]);
	}
	return status;
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
