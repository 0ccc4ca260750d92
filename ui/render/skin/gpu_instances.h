/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SINEW_UI_RENDER_SKIN_GPU_INSTANCES_H
#define SINEW_UI_RENDER_SKIN_GPU_INSTANCES_H

#include <GL/glew.h>
#include <stdint.h>

/* Instances of one mesh in a crowd: a part of a buffer of four floats each. They are x and z of its place in metres, a turn
 * about the vertical in radians, and its frame, a whole number. */
typedef struct snw_gpu_instances {
	GLuint texture; /* a buffer texture of the whole buffer */
	uint32_t first, count;
} snw_gpu_instances;
enum { SNW_INSTANCE_FLOATS = 4 };

#endif
