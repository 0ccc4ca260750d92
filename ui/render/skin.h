/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The GPU's evaluator of skin programs. A program is uploaded once; per frame only the palette, d, e and F cross, and transform
 * feedback leaves the posed points in a buffer. Within 1e-5 of the bounding box of program/truth.h.
 *
 * Influences and displacements lie in buffer textures, gathered by point, so there may be any number of each. All functions
 * need the context to be current.
 */
#ifndef SINEW_UI_RENDER_SKIN_H
#define SINEW_UI_RENDER_SKIN_H

#include "program/program.h"
#include "render/context.h"

/* The shaders, one for each blend. */
typedef struct snw_skin_shaders {
	GLuint blends[4];  /* by snw_blend */
	GLint texel_limit; /* of a buffer texture */
} snw_skin_shaders;
snw_status snw_skin_shaders_create(snw_skin_shaders *shaders, snw_error *error);
void snw_skin_shaders_destroy(snw_skin_shaders *shaders);

typedef struct snw_gpu_program snw_gpu_program;

/* The program must outlive it. SNW_ERROR_LIMIT where the driver's buffer textures are too small for it. */
snw_status snw_gpu_program_create(const snw_skin_shaders *shaders, const snw_program *program, snw_gpu_program **gpu,
								  snw_error *error);
void snw_gpu_program_destroy(snw_gpu_program *gpu); /* NULL does nothing */

/* points_in: a buffer of [point_count][3] floats, 0 for the rest; points_out: another one. */
void snw_gpu_program_run(snw_gpu_program *gpu, const snw_program_frame *frame, GLuint points_in, GLuint points_out);

#endif
