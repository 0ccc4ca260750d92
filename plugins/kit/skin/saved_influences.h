/* SPDX-License-Identifier: MIT
 *
 * The influences of all meshes as bytes, for every kind of skin: counts, and of each mesh with a skin offsets, slots, and
 * `width` numbers for each influence. Private to the kit.
 */
#ifndef SINEW_KIT_SKIN_SAVED_INFLUENCES_H
#define SINEW_KIT_SKIN_SAVED_INFLUENCES_H

#include "sinew/bytes.h"
#include "sinew/pool.h"

typedef struct snk_saved_influences {
	uint32_t point_count;
	const uint32_t *offsets; /* [point_count + 1]; NULL where the mesh has no skin */
	const uint32_t *slots;   /* [offsets[point_count]] */
	const double *numbers;   /* [offsets[point_count]][width] */
} snk_saved_influences;

void snk_write_influences_head(snw_writer *writer, uint32_t slot_count, uint32_t mesh_count);
void snk_write_influences(snw_writer *writer, const snk_saved_influences *mesh, size_t width);

/* SNW_ERROR_DATA for damaged bytes, another number of slots, and another character than the one saved with. */
snw_status snk_read_influences_head(snw_reader *reader, const snw_character_view *character, uint32_t slot_count);
snw_status snk_read_influences(snw_reader *reader, const snw_mesh_view *mesh, uint32_t slot_count, size_t width, snw_pool *pool,
							   snk_saved_influences *dest);

#endif
