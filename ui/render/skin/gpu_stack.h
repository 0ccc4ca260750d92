/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stack on the GPU, for the meshes of one scene: the programs of its segments, run one after another. A mesh with a black
 * box, or with a program that is too large for the driver, is run on the CPU and its points are uploaded. All functions need
 * the context to be current; only creation allocates.
 */
#ifndef SINEW_UI_RENDER_SKIN_GPU_STACK_H
#define SINEW_UI_RENDER_SKIN_GPU_STACK_H

#include "base/numbers.h"
#include "render/skin/gpu_program.h"
#include "stack/stack.h"

typedef struct snw_gpu_stack snw_gpu_stack;

/* The stack must outlive it; the scene is only read here. `previous` (NULL: none) is that of a stack which this one
 * replaces, for meshes with the same numbers of points: equal data of their programs are taken from it instead of being sent
 * again. It can then only be destroyed. */
snw_gpu_stack *snw_gpu_stack_create(const snw_skin_shaders *shaders, const snw_stack *stack, const snw_scene *scene,
									snw_gpu_stack *previous);
void snw_gpu_stack_destroy(snw_gpu_stack *gpu_stack); /* NULL: does nothing */
const snw_stack *snw_gpu_stack_source(const snw_gpu_stack *gpu_stack);

/* Drives the stack at a pose, for the functions below, unless it was last driven for that pose. */
snw_status snw_gpu_stack_drive(snw_gpu_stack *gpu_stack, const snw_pose_view *pose, snw_error *error);
/* The evaluation that was driven, for the CPU's evaluators. */
const snw_evaluation *snw_gpu_stack_evaluation(const snw_gpu_stack *gpu_stack);
uint64_t snw_gpu_stack_drives(const snw_gpu_stack *gpu_stack); /* how often it was driven */
/* A hash of a stack, of everything in a pose that driving may read, and of the pose's address; never 0. */
uint64_t snw_gpu_stack_drive_hash(const snw_stack *stack, const snw_pose_view *pose);
/* The posed points of a mesh, into a buffer of [point_count][3] floats. */
snw_status snw_gpu_stack_pose(snw_gpu_stack *gpu_stack, uint32_t mesh, GLuint points_out, snw_error *error);
/* A box that contains the mesh as it was last posed: its bounds where the GPU ran it, of its points where the CPU did. */
snw_box snw_gpu_stack_box(const snw_gpu_stack *gpu_stack, uint32_t mesh);
/* The normals of the mesh's program, into a buffer of [point_count][3] floats; does nothing if it has none. */
void snw_gpu_stack_normals(snw_gpu_stack *gpu_stack, uint32_t mesh, GLuint normals_out);
/* ---- crowds: the stack at many frames at once ---------------------------------------------------------------------------- */

/* Keeps the input of `count` frames on the GPU: begin, then drive and add each of them, then end, which returns the bytes sent.
 * Every mesh has programs alone; SNW_ERROR_LIMIT if the driver's buffer textures are too small. The stack can afterwards only
 * pose instances. */
snw_status snw_gpu_stack_begin_frames(snw_gpu_stack *gpu_stack, uint32_t count, snw_error *error);
void snw_gpu_stack_add_frame(snw_gpu_stack *gpu_stack, const snw_evaluation *evaluation);
size_t snw_gpu_stack_end_frames(snw_gpu_stack *gpu_stack);
/* The posed points of instances of a mesh, one after another; and the normals of its program, if it has some that the GPU
 * finds. Needs the shaders for crowds. */
void snw_gpu_stack_pose_instances(snw_gpu_stack *gpu_stack, uint32_t mesh, const snw_gpu_instances *instances,
								  GLuint points_out);
void snw_gpu_stack_normals_of_instances(snw_gpu_stack *gpu_stack, uint32_t mesh, const snw_gpu_instances *instances,
										GLuint normals_out);

/* The bytes sent to the GPU for the mesh by the last pose, including normals. */
size_t snw_gpu_stack_bytes_sent(const snw_gpu_stack *gpu_stack, uint32_t mesh);

/* ---- program normals ----------------------------------------------------------------------------------------------------- */

/* The normals of a skin program on the GPU: a pose sends their palette and d. Within 1e-4 of snw_normals_of_program. All
 * functions need the context to be current. */

typedef struct snw_gpu_program_normals snw_gpu_program_normals;

/* The program must outlive it. NULL if the program has no normals, if its quaternions follow the rule "shortest" (which
 * depends on the last bit of a double, so the CPU finds them), or if the driver's buffer textures are too small. */
snw_gpu_program_normals *snw_gpu_program_normals_create(const snw_skin_shaders *shaders, const snw_program *program);
void snw_gpu_program_normals_destroy(snw_gpu_program_normals *normals); /* NULL: does nothing */

/* Into a buffer of [point_count][3] floats. */
void snw_gpu_program_normals_run(snw_gpu_program_normals *channel, const snw_program_input *input, GLuint normals);

/* The bytes sent to the GPU in a run: 36 a slot for matrices, 16 for quaternions; 4 for each d if any moves normals. */
size_t snw_gpu_program_normals_bytes_sent(const snw_gpu_program_normals *normals);

#endif
