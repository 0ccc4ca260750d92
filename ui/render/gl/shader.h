/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPU programs from the embedded shaders, and their uniforms by name.
 */
#ifndef SINEW_UI_RENDER_GL_SHADER_H
#define SINEW_UI_RENDER_GL_SHADER_H

#include <GL/glew.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The files of shaders/ with includes resolved; ends with a NULL name. */
typedef struct snw_shader_source {
	const char *name; /* "surface.frag" */
	const char *text;
} snw_shader_source;
extern const snw_shader_source snw_shader_sources[];

/* The parts of a program: files by name, a line of defines, and the varyings that transform feedback captures, each into its
 * own buffer. */
typedef struct snw_shader_recipe {
	const char *vertex;      /* NULL with `compute` */
	const char *compute;     /* needs snw_shader_has_compute; the other stages are NULL */
	const char *fragment;    /* NULL: rasterizes nothing */
	const char *defines;     /* "#define BLEND 1\n"; NULL for none */
	const char *captured[2]; /* NULL for none */
	/* Samplers in the order of their texture units, "" for an unused unit; ends with NULL. */
	const char *samplers[14];
} snw_shader_recipe;

/* Whether the current context runs compute shaders (OpenGL 4.3). */
bool snw_shader_has_compute(void);

void snw_compute_run(uint32_t count);
/* Whether `count` elements of this size exceed one run, for a driver with this limit on storage buffers. */
bool snw_compute_is_too_long(uint64_t count, uint64_t bytes, uint64_t storage_limit);

/* Compiles in the current context. SNW_ERROR_INTERNAL: the message is the compiler's. */
snw_status snw_shader_link(const snw_shader_recipe *recipe, GLuint *program, snw_error *error);

/* Draws `count` points of a vertex array with the program in use, capturing into one buffer or two. */
void snw_capture(GLuint array, uint32_t count, GLuint first, GLuint second);
void snw_capture_points(GLuint array, uint32_t count, GLuint into);
/* The same of several instances, one after another. */
void snw_capture_instances(GLuint array, uint32_t count, uint32_t instances, GLuint first, GLuint second);

/* Uniforms of the program in use; ignored if the compiler has removed it. */
void snw_uniform_float(GLuint program, const char *name, double value);
void snw_uniform_whole(GLuint program, const char *name, int value);
void snw_uniform_vector(GLuint program, const char *name, int components, const float *values);
void snw_uniform_matrix(GLuint program, const char *name, int columns, const float *values);

/* Binds a buffer texture to a unit. */
void snw_texture_buffer_bind(int unit, GLuint texture);
/* Replaces the contents of a buffer of the same size, without waiting for commands that read the old ones. */
void snw_buffer_send(GLuint buffer, const void *data, size_t bytes);
/* A buffer of `bytes` (NULL data: uninitialised), and a buffer texture over it. At least one texel. */
GLuint snw_buffer_make(GLenum target, const void *data, size_t bytes, GLenum usage);
GLuint snw_texture_buffer_make(GLuint buffer, GLenum format);
/* An attribute of the bound vertex array: the begin and end of each point's part of a list, from a buffer of offsets. */
void snw_attribute_span(GLuint attribute, GLuint offsets);

#endif
