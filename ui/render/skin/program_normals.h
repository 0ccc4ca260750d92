/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The normals of a skin program on the GPU: a pose sends their palette and d. Within 1e-4 of snw_normals_of_program. All
 * functions need the context to be current.
 */
#ifndef SINEW_UI_RENDER_SKIN_PROGRAM_NORMALS_H
#define SINEW_UI_RENDER_SKIN_PROGRAM_NORMALS_H

#include "render/skin/gpu_program.h"

typedef struct snw_gpu_program_normals snw_gpu_program_normals;

/* The program must outlive it. NULL if the program has no normals, if its quaternions follow the rule "shortest" (which
 * depends on the last bit of a double, so the CPU finds them), or if the driver's buffer textures are too small. */
snw_gpu_program_normals *snw_gpu_program_normals_create(const snw_skin_shaders *shaders, const snw_program *program);
void snw_gpu_program_normals_destroy(snw_gpu_program_normals *normals); /* NULL: does nothing */

/* Into a buffer of [point_count][3] floats. */
void snw_gpu_program_normals_run(snw_gpu_program_normals *channel, const snw_program_input *input, GLuint normals);
/* The input of many frames, kept on the GPU as with snw_gpu_frames. The end returns the bytes sent. SNW_ERROR_LIMIT if the
 * driver's buffer textures are too small. */
snw_status snw_gpu_program_normals_keep(snw_gpu_program_normals *channel, uint32_t frame_count, snw_error *error);
void snw_gpu_program_normals_add(snw_gpu_program_normals *channel, const snw_program_input *input);
size_t snw_gpu_program_normals_end(snw_gpu_program_normals *channel);
/* Of all instances, [count][point_count][3], after the input of their frames was kept. */
void snw_gpu_program_normals_run_instances(snw_gpu_program_normals *channel, const snw_gpu_instances *instances,
										   GLuint normals);
/* The bytes sent to the GPU in a run: 36 a slot for matrices, 16 for quaternions; 4 for each d if any moves normals. */
size_t snw_gpu_program_normals_bytes_sent(const snw_gpu_program_normals *normals);

#endif
