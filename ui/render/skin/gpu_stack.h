/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One mesh's stack on the GPU: the programs of its segments, run one over another. A mesh with a black box among its segments,
 * or with a program that is too large for the driver, is run on the CPU and its points are uploaded. All functions need the
 * context to be current.
 */
#ifndef SINEW_UI_RENDER_SKIN_GPU_STACK_H
#define SINEW_UI_RENDER_SKIN_GPU_STACK_H

#include "render/skin/program_normals.h"
#include "stack/stack.h"

typedef struct snw_gpu_mesh_stack snw_gpu_mesh_stack;

/* The stack must outlive it. `previous` (NULL: none) poses the same mesh by a stack that this one replaces; what their programs
 * have alike is taken from it. Afterwards it can only be destroyed. */
snw_gpu_mesh_stack *snw_gpu_mesh_stack_create(const snw_skin_shaders *shaders, const snw_stack *stack, uint32_t mesh,
											  uint32_t point_count, snw_gpu_mesh_stack *previous);
void snw_gpu_mesh_stack_destroy(snw_gpu_mesh_stack *gpu); /* NULL does nothing */
bool snw_gpu_mesh_stack_is_on_gpu(const snw_gpu_mesh_stack *gpu);

/* What crossed to the GPU in the last run, bytes. */
size_t snw_gpu_mesh_stack_bytes_sent(const snw_gpu_mesh_stack *gpu);

/* The normals that the mesh's program brings itself, at the frame's pose, into a buffer of [point_count][3] floats; false where it
 * brings none, or the CPU is to find them. Counts among the bytes that crossed. */
bool snw_gpu_mesh_stack_find_normals(snw_gpu_mesh_stack *gpu, snw_stack_frame *frame, GLuint normals);

/* The mesh at the frame's pose into a buffer of [point_count][3] floats. */
snw_status snw_gpu_mesh_stack_run(snw_gpu_mesh_stack *gpu, snw_stack_frame *frame, GLuint points_out, snw_error *error);

#endif
