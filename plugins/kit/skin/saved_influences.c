/* SPDX-License-Identifier: MIT */
#include "kit/skin/saved_influences.h"

#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

void snk_write_influences_head(snw_writer *writer, uint32_t slot_count, uint32_t mesh_count) {
	snw_write_u32(writer, slot_count);
	snw_write_u32(writer, mesh_count);
}

void snk_write_influences(snw_writer *writer, const snk_saved_influences *mesh, size_t width) {
	snw_write_u32(writer, mesh->point_count);
	snw_write_u32(writer, mesh->offsets ? 1 : 0);
	if (mesh->offsets) {
		const size_t count = mesh->offsets[mesh->point_count];
		snw_write(writer, mesh->offsets, ((size_t)mesh->point_count + 1) * sizeof *mesh->offsets);
		snw_write(writer, mesh->slots, count * sizeof *mesh->slots);
		snw_write(writer, mesh->numbers, count * width * sizeof *mesh->numbers);
	}
}

snw_status snk_read_influences_head(snw_reader *reader, const snw_character_view *character, uint32_t slot_count) {
	const uint32_t found_slots = snw_read_u32(reader), mesh_count = snw_read_u32(reader);
	const int fits = !reader->failed && found_slots == slot_count && mesh_count == character->mesh_count;
	return fits ? SNW_OK : SNW_ERROR_DATA;
}

snw_status snk_read_influences(snw_reader *reader, const snw_mesh_view *mesh, uint32_t slot_count, size_t width, snw_pool *pool,
							   snk_saved_influences *dest) {
	*dest = (snk_saved_influences){.point_count = snw_read_u32(reader)};
	const uint32_t has_skin = snw_read_u32(reader);
	if (reader->failed || dest->point_count != mesh->point_count || has_skin > 1) {
		return SNW_ERROR_DATA;
	}
	snw_status status = SNW_OK;
	if (has_skin) {
		dest->offsets = snk_read_offsets(reader, pool, dest->point_count, &status);
		const size_t count = dest->offsets ? dest->offsets[dest->point_count] : 0;
		dest->slots = snk_read_indices(reader, pool, count, slot_count, &status);
		dest->numbers = snk_read_numbers(reader, pool, width * count, &status);
	}
	return status;
}
