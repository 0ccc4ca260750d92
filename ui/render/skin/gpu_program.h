/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The GPU's evaluator of skin programs. A program is uploaded once; for each pose only its input is sent: z or the palette,
 * d, e, the rotations F and, for dual quaternions, a sign bit for each pair of slots. The posed points stay in a buffer for
 * later passes. They are within 1e-5 of the bounding box of program/reference_evaluator.h.
 *
 * Two paths give the same points: transform feedback, which every OpenGL 4.1 has, and compute shaders (4.3), used if they
 * were measured to be faster (render/draw/gpu_path.h). Influences and displacements are in buffer textures, sorted by point,
 * so their number is not limited. All functions need the context to be current.
 */
#ifndef SINEW_UI_RENDER_SKIN_GPU_PROGRAM_H
#define SINEW_UI_RENDER_SKIN_GPU_PROGRAM_H

#include <GL/glew.h>

#include "program/program.h"
#include "render/skin/gpu_instances.h"

typedef enum snw_gpu_path { SNW_GPU_FEEDBACK = 0, SNW_GPU_COMPUTE = 1, SNW_GPU_PATH_COUNT = 2 } snw_gpu_path;
extern const char *const snw_gpu_path_names[SNW_GPU_PATH_COUNT]; /* "transform-feedback", "compute" */

/* The shaders, one for each path and blend. */
typedef struct snw_skin_shaders {
	GLuint blends[SNW_GPU_PATH_COUNT][4];  /* by snw_blend */
	GLuint palette[SNW_GPU_PATH_COUNT][2]; /* T = C z, C dense or sparse */
	GLuint program_normal;                 /* of program_normals.h: only transform feedback */
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

#endif
