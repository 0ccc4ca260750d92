/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: a mark, a revision, the rings of each mesh, a seal.
 */
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"
#include "smooth/smooth.h"

static const char mark[SNK_MARK_BYTES] = "SNWSMTH";
enum { REVISION = 1 };

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snw_write_u32(&writer, model->mesh_count);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		const rings *around = &model->meshes[m];
		snw_write_u32(&writer, around->point_count);
		snw_write(&writer, around->offsets, ((size_t)around->point_count + 1) * sizeof *around->offsets);
		snw_write(&writer, around->neighbours, (size_t)around->offsets[around->point_count] * sizeof *around->neighbours);
	}
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status read_rings(snw_reader *reader, uint32_t point_count, snw_pool *pool, rings *around) {
	snw_status status = snw_read_u32(reader) == point_count ? SNW_OK : SNW_ERROR_DATA;
	const uint32_t *offsets = snk_read_offsets(reader, pool, point_count, &status);
	const uint32_t *neighbours = snk_read_indices(reader, pool, offsets ? offsets[point_count] : 0, point_count, &status);
	*around = (rings){.point_count = point_count, .offsets = offsets, .neighbours = neighbours};
	return status;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	const uint32_t mesh_count = snw_read_u32(reader);
	if (reader->failed || mesh_count != character->mesh_count) {
		return SNW_ERROR_DATA;
	}
	rings *meshes = SNW_POOL_ARRAY(&model->pool, rings, mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < mesh_count; m++) {
		status = read_rings(reader, character->meshes[m]->point_count, &model->pool, &meshes[m]);
	}
	model->mesh_count = mesh_count;
	model->meshes = meshes;
	return status;
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}
