/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stack on the GPU, for the meshes of one scene: the programs of its segments, run one over another. A mesh with a black box
 * among its segments, or with a program that is too large for the driver, is run on the CPU and its points are uploaded. All
 * functions need the context to be current; only creating allocates.
 */
#ifndef SINEW_UI_RENDER_SKIN_GPU_STACK_H
#define SINEW_UI_RENDER_SKIN_GPU_STACK_H

#include "base/box.h"
#include "render/skin/gpu_program.h"
#include "stack/stack.h"

typedef struct snw_gpu_stack snw_gpu_stack;

/* The stack must outlive it; the scene is only read here. `previous` (NULL: none) is that of a stack which this one replaces, for
 * meshes with as many points: what their programs have alike is taken from it, not sent again. Afterwards it can only be
 * destroyed. */
snw_gpu_stack *snw_gpu_stack_create(const snw_skin_shaders *shaders, const snw_stack *stack, const snw_scene *scene,
									snw_gpu_stack *previous);
void snw_gpu_stack_destroy(snw_gpu_stack *gpu_stack); /* NULL does nothing */
const snw_stack *snw_gpu_stack_source(const snw_gpu_stack *gpu_stack);

/* Drives the stack at a pose, for the functions below, unless it is driven for that pose. */
snw_status snw_gpu_stack_drive(snw_gpu_stack *gpu_stack, const snw_pose_view *pose, snw_error *error);
/* What was driven, for the CPU's evaluators. */
const snw_evaluation *snw_gpu_stack_evaluation(const snw_gpu_stack *gpu_stack);
uint64_t snw_gpu_stack_drives(const snw_gpu_stack *gpu_stack); /* how often it was driven */
/* Of a stack and everything in a pose that driving it may read, and of where the pose is stored; never 0. */
uint64_t snw_gpu_stack_drive_hash(const snw_stack *stack, const snw_pose_view *pose);
/* The posed points of a mesh, into a buffer of [point_count][3] floats. */
snw_status snw_gpu_stack_pose(snw_gpu_stack *gpu_stack, uint32_t mesh, GLuint points_out, snw_error *error);
/* A box that contains the mesh as it was last posed: its bounds where the GPU ran it, of its points where the CPU did. */
snw_box snw_gpu_stack_box(const snw_gpu_stack *gpu_stack, uint32_t mesh);
/* The normals that the mesh's program brings itself, into a buffer of [point_count][3] floats; leaves it where it brings none. */
void snw_gpu_stack_normals(snw_gpu_stack *gpu_stack, uint32_t mesh, GLuint normals_out);
/* What crossed to the GPU for the mesh when it was last posed, normals included, bytes. */
size_t snw_gpu_stack_bytes_sent(const snw_gpu_stack *gpu_stack, uint32_t mesh);

#endif
