/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The GPU objects of a skin program. For gpu_program.c and gpu_program_pack.c alone.
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
	snw_arena *arena; /* holds this struct and its arrays */
	bool combines;    /* the palette is computed on the GPU */
	bool is_long;     /* too long for compute */
	GLuint points_rest, influence_offsets, rest_offsets, posed_offsets;
	GLuint buffers[SNW_SKIN_UNIT_COUNT], textures[SNW_SKIN_UNIT_COUNT];
	uint32_t slot_count; /* of the palette: the slots that influences have, unless it is computed on the GPU */
	uint32_t *slots;     /* [slot_count]: the program's, ascending; NULL: they are all of them */
	uint32_t pair_count;
	uint64_t *pairs; /* dual quaternions: slot and pivot's slot in the upper and lower half; unique, ascending */
	uint32_t rotation_count;
	uint32_t *rotation_displacements; /* [rotation_count]: a posed displacement with this rotation */
	float *palette;                   /* [slot_count][…]: the part that is sent, or z */
	uint32_t *signs;                  /* [(pair_count + 31) / 32] */
	double *dual_quaternions;         /* [slot_count][8] */
	float *scales, *posed_scales;     /* [d_count], [e_count] */
	float *rotations;                 /* [rotation_count][9] */
	bool stretched;                   /* by the last pose, or by any frame that is kept */
	size_t bytes_sent;
};

/* Creates what does not depend on the pose: buffers, textures, the vertex array. Equal data of `previous` (NULL: none) are
 * taken over. */
void snw_gpu_program_pack(snw_gpu_program *gpu, snw_gpu_program *previous);

/* Binds the shaders' array of points with the buffers of a program in it: a driver keeps kilobytes for an array. Who runs it
 * describes and enables attributes 0, the points below, and 1, the rest. */
void snw_gpu_program_fill_array(const snw_gpu_program *gpu);

/* Fills the members from palette to stretched by an input. Its matrices, also where the palette is computed on the GPU. */
void snw_gpu_program_narrow(snw_gpu_program *gpu, const snw_program_input *input);
size_t snw_gpu_program_slot_floats(const snw_gpu_program *gpu); /* of the palette, as it is now */

#endif
