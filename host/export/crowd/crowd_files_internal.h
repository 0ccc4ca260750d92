/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is packed for the files of a crowd. For host/export/crowd alone.
 */
#ifndef SINEW_HOST_EXPORT_CROWD_CROWD_FILES_INTERNAL_H
#define SINEW_HOST_EXPORT_CROWD_CROWD_FILES_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "export/crowd/crowd_files.h"

enum { SNW_CROWD_INFLUENCES = 4 };

typedef struct snw_crowd_mesh {
	const snw_mesh *mesh;
	const snw_program *program;
	bool is_dual, is_shortest;        /* dual quaternions; their sign is that nearest to the first influence */
	uint32_t first_texel, slot_count; /* a mesh and its levels have the same */
	uint32_t *slots;                  /* [slot_count]: the program's, ascending */
	uint32_t *joints;                 /* [point_count][4]: places in `slots`, the heaviest first; ties to the lowest */
	float *weights;                   /* [point_count][4], with a sum of 1 */
} snw_crowd_mesh;

struct snw_crowd_files {
	snw_arena *arena;
	const snw_crowd_character *character;
	const snw_scene *posed; /* the character's scene, or that with its levels */
	const snw_crowd *crowd;
	snw_crowd_mesh *meshes; /* [mesh_count of `posed`] */
	float *palettes;        /* [frame_count][width][4] */
	uint16_t *halves;       /* the same */
	snw_crowd_files_report report;
};

/* Whether a mesh is a level of another. */
bool snw_crowd_is_level(const snw_crowd_files *files, uint32_t mesh);

/* The static glTF. */
snw_status snw_crowd_mesh_write(const snw_crowd_files *files, const char *path, snw_error *error);

/* ---- ktx2 ---------------------------------------------------------------------------------------------------------------- */

/* KTX 2.0 files of one two-dimensional RGBA texture in half floats or floats, without mipmaps and compression (Khronos, "KTX
 * File Format Specification", version 2.0; the descriptor is that of the "Khronos Data Format Specification" 1.3, section
 * 5). */

/* `texels` [height][width][4]: uint16_t half floats, or floats. Atomic. */
snw_status snw_ktx2_write(const char *path, bool is_half, uint32_t width, uint32_t height, const void *texels,
						  snw_error *error);

/* To the nearest half float, ties to even; beyond the largest, infinite. And back. */
uint16_t snw_half_of(float value);
float snw_half_value(uint16_t half);

#endif
