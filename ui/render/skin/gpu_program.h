/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The GPU's evaluator of skin programs. A program is uploaded once; for each pose only its input is sent: z or the palette,
 * d, e, the rotations F and, for dual quaternions, a sign bit for each pair of slots. The posed points stay in a buffer for
 * later passes. They are within 1e-5 of the bounding box of the reference evaluator's.
 *
 * Two paths give the same points: transform feedback, which every OpenGL 4.1 has, and compute shaders (4.3), used if they
 * were measured to be faster (render/draw/renderer.h). Influences and displacements are in buffer textures, sorted by point,
 * so their number is not limited. All functions need the context to be current.
 */
#ifndef SINEW_UI_RENDER_SKIN_GPU_PROGRAM_H
#define SINEW_UI_RENDER_SKIN_GPU_PROGRAM_H

#include <GL/glew.h>
#include <stdint.h>

#include "base/arena.h"
#include "program/program.h"
#include "sinew/program.h"

/* Instances of one mesh in a crowd: a part of a buffer of four floats each. They are x and z of its place in metres, a turn
 * about the vertical in radians, and its frame, a whole number. */
typedef struct snw_gpu_instances {
	GLuint texture; /* a buffer texture of the whole buffer */
	uint32_t first, count;
} snw_gpu_instances;
enum { SNW_INSTANCE_FLOATS = 4 };

/* ---- gpu program --------------------------------------------------------------------------------------------------------- */

typedef enum snw_gpu_path { SNW_GPU_FEEDBACK = 0, SNW_GPU_COMPUTE = 1, SNW_GPU_PATH_COUNT = 2 } snw_gpu_path;
extern const char *const snw_gpu_path_names[SNW_GPU_PATH_COUNT]; /* "transform-feedback", "compute" */

/* The shaders, one for each path and blend. */
typedef struct snw_skin_shaders {
	GLuint blends[SNW_GPU_PATH_COUNT][4];  /* by snw_blend */
	GLuint palette[SNW_GPU_PATH_COUNT][2]; /* T = C z, C dense or sparse */
	GLuint program_normal;                 /* of gpu_stack.h: only transform feedback */
	GLuint instanced[4], instanced_normal; /* for crowds, by transform feedback */
	bool has_compute;
	snw_gpu_path path;               /* the one that is used */
	GLint texel_limit;               /* of a buffer texture */
	uint64_t storage_limit;          /* bytes of a buffer that compute shaders can access */
	GLuint empty_array, point_array; /* vertex arrays: each program puts its buffers in the second */
} snw_skin_shaders;
/* Creates those for transform feedback, and sets it as the path. */
snw_status snw_skin_shaders_create(snw_skin_shaders *shaders, snw_error *error);
/* Adds those for compute, if the driver supports it; the path does not change. */
snw_status snw_skin_shaders_add_compute(snw_skin_shaders *shaders, snw_error *error);
/* Adds those for crowds. */
snw_status snw_skin_shaders_add_instanced(snw_skin_shaders *shaders, snw_error *error);
void snw_skin_shaders_destroy(snw_skin_shaders *shaders);

typedef struct snw_gpu_program snw_gpu_program;

/* The program must outlive it. SNW_ERROR_LIMIT if the driver's buffer textures are too small. `previous` (NULL: none) is
 * that of a program which this one replaces: equal data are taken from it instead of being sent again. It can then only be
 * destroyed. */
snw_status snw_gpu_program_create(const snw_skin_shaders *shaders, const snw_program *program, snw_gpu_program *previous,
								  snw_gpu_program **gpu, snw_error *error);
void snw_gpu_program_destroy(snw_gpu_program *gpu); /* NULL: does nothing */

/* points_in: a buffer of [point_count][3] floats, 0 for the rest; points_out: another one. */
void snw_gpu_program_run(snw_gpu_program *gpu, const snw_program_input *input, GLuint points_in, GLuint points_out);

/* A crowd shows the program at many frames at once. Their input is kept on the GPU: the numbers of each frame are those that a
 * run sends, but for a palette C z, which is kept as matrices. A run of instances then sends nothing. The program can do no
 * other run afterwards. */
typedef struct snw_gpu_frames snw_gpu_frames;
/* SNW_ERROR_LIMIT if the driver's buffer textures are too small for so many frames; the message says how many fit. */
snw_status snw_gpu_frames_begin(snw_gpu_program *gpu, uint32_t frame_count, snw_gpu_frames **frames, snw_error *error);
void snw_gpu_frames_add(snw_gpu_frames *frames, const snw_program_input *input); /* the next one */
/* Sends them and frees what was kept in memory. Returns the bytes sent. */
size_t snw_gpu_frames_end(snw_gpu_frames *frames);
/* All instances, one after another, into points_out [count][point_count][3]. `points_below`: a buffer texture of the points
 * that come in, of all instances; 0 for the rest. Needs snw_skin_shaders_add_instanced. */
void snw_gpu_program_run_instances(snw_gpu_program *gpu, const snw_gpu_instances *instances, GLuint points_below,
								   GLuint points_out);

/* The bytes sent to the GPU in the last run. For linear and affine blends: 48 a slot that an influence has, or 12 a row of z
 * if the palette is C z. For dual quaternions: 32 a slot, 80 if any slot stretches, and 1 bit a pair of slots under the rule
 * "shortest". In addition 4 for each d and e, and 36 for each joint that rotates posed displacements. */
size_t snw_gpu_program_bytes_sent(const snw_gpu_program *gpu);
/* The bytes of GPU memory read and written for each point, on average, over the rest. */
double snw_gpu_program_bytes_a_point(const snw_gpu_program *gpu);

/* ---- gpu program pack ---------------------------------------------------------------------------------------------------- */

/* The GPU objects of a skin program. For gpu_program.c and gpu_program_pack.c alone. */

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

/* ---- by point ------------------------------------------------------------------------------------------------------------ */

/* Displacements sorted by point, as shaders read them. Indices are stored as whole numbers in floats, exact up to 2^24. */

/* The fourth number of each entry, after the vector. */
typedef enum snw_entry_index { SNW_ENTRY_COEFFICIENT, SNW_ENTRY_DISPLACEMENT } snw_entry_index;

typedef struct snw_by_point {
	size_t count;            /* entries */
	const float *entries;    /* [count][4]: vector, index; sorted by point, then in the order of the displacements */
	const uint32_t *offsets; /* [points + 1]: where the entries of each point begin */
} snw_by_point;

snw_by_point snw_displacements_by_point(const snw_displacements *list, uint32_t points, snw_entry_index index,
										snw_arena *arena);

#endif
