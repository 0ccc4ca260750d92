/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A skin program in the GPU's memory, from the inside: for gpu_program.c and gpu_program_pack.c alone.
 */
#ifndef SINEW_UI_RENDER_SKIN_GPU_PROGRAM_PACK_H
#define SINEW_UI_RENDER_SKIN_GPU_PROGRAM_PACK_H

#include "render/skin/gpu_program.h"

enum { SNW_MATRIX_FLOATS = 12, SNW_DUAL_FLOATS = 8, SNW_STRETCHED_FLOATS = 20 }; /* of one slot in the palette */

/* Texture units, in the order of the recipe's samplers. */
typedef enum snw_skin_unit {
	SNW_SKIN_PALETTE,
	SNW_SKIN_INFLUENCES,
	SNW_SKIN_ROWS,
	SNW_SKIN_SIGNS,
	SNW_SKIN_REST_ENTRIES,
	SNW_SKIN_REST_SCALES,
	SNW_SKIN_POSED_ENTRIES,
	SNW_SKIN_POSED_SOURCES,
	SNW_SKIN_POSED_SCALES,
	SNW_SKIN_POSED_ROTATIONS,
	SNW_SKIN_COMBINED,
	SNW_SKIN_Z,
	SNW_SKIN_COMBINED_OFFSETS,
	SNW_SKIN_COMBINED_COLUMNS,
	SNW_SKIN_UNIT_COUNT,
} snw_skin_unit;

struct snw_gpu_program {
	const snw_program *program;
	const snw_skin_shaders *shaders;
	snw_arena *arena; /* owns this struct and what follows */
	bool combines;    /* the palette is made on the GPU */
	bool is_long;     /* too long for compute */
	GLuint vertices;  /* vertex array */
	GLuint points_rest, influence_offsets, rest_offsets, posed_offsets;
	GLuint buffers[SNW_SKIN_UNIT_COUNT], textures[SNW_SKIN_UNIT_COUNT];
	uint32_t pair_count;
	uint64_t *pairs; /* dual quaternions: (slot, pivot's slot) in the upper and the lower half; each once, rising */
	uint32_t rotation_count;
	uint32_t *rotation_displacements; /* [frame_count]: a posed displacement that this joint turns */
	float *palette;                   /* [slot_count][…]: what is sent of it, or z */
	uint32_t *signs;                  /* [(pair_count + 31) / 32] */
	double *dual_quaternions;         /* [slot_count][8] */
	float *scales, *posed_scales;     /* [d_count], [e_count] */
	float *rotations;                 /* [frame_count][9] */
	bool stretched;                   /* in the last frame */
	size_t bytes_sent;
};

/* Everything that stays: buffers, textures, the vertex array. What `previous` (NULL: none) holds alike is taken from it. */
void snw_gpu_program_pack(snw_gpu_program *gpu, snw_gpu_program *previous);

#endif
