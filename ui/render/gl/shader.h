/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPU programs made of the embedded shaders, and their uniforms by name.
 */
#ifndef SINEW_UI_RENDER_GL_SHADER_H
#define SINEW_UI_RENDER_GL_SHADER_H

#include <GL/glew.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The files of shaders/, includes resolved; ends with a NULL name. */
typedef struct snw_shader_source {
	const char *name; /* "surface.frag" */
	const char *text;
} snw_shader_source;
extern const snw_shader_source snw_shader_sources[];

/* What makes a program: files by name, a line of defines, and the varyings that transform feedback captures, each into a
 * buffer of its own. */
typedef struct snw_shader_recipe {
	const char *vertex;      /* NULL with `compute` */
	const char *compute;     /* a program of its own, where snw_shader_has_compute */
	const char *fragment;    /* NULL: nothing is drawn */
	const char *defines;     /* "#define BLEND 1\n"; NULL for none */
	const char *captured[2]; /* NULL for none */
	/* Samplers in the order of their texture units, "" for a unit that is not read; ends with NULL. */
	const char *samplers[12];
} snw_shader_recipe;

/* Whether the current context runs compute shaders (OpenGL 4.3). */
bool snw_shader_has_compute(void);
/* Runs one: `count` invocations in groups of SNW_COMPUTE_GROUP, then whatever reads what it wrote may follow. */
enum { SNW_COMPUTE_GROUP = 64 };
void snw_compute_run(uint32_t count);
/* Whether `count` elements of so many bytes are more than one run takes, of a driver that shows shaders that much of a buffer. */
bool snw_compute_is_too_long(uint64_t count, uint64_t bytes, uint64_t storage_limit);

/* The current context's. SNW_ERROR_INTERNAL: the message is the compiler's. */
snw_status snw_shader_link(const snw_shader_recipe *recipe, GLuint *program, snw_error *error);

/* Draws `count` points of a vertex array with the program in use, which captures into one buffer, or into two. */
void snw_capture(GLuint array, uint32_t count, GLuint first, GLuint second);
void snw_capture_points(GLuint array, uint32_t count, GLuint into);

/* Uniforms of the program in use; one that the compiler has left out is passed over. */
void snw_uniform_float(GLuint program, const char *name, double value);
void snw_uniform_whole(GLuint program, const char *name, int value);
void snw_uniform_vector(GLuint program, const char *name, int components, const float *values);
void snw_uniform_matrix(GLuint program, const char *name, int columns, const float *values);

/* Binds a buffer texture to a unit. */
void snw_texture_buffer_bind(int unit, GLuint texture);
/* Gives a buffer new contents, of the size it was made with; it need not wait for what still reads the old ones. */
void snw_buffer_send(GLuint buffer, const void *data, size_t bytes);
/* A buffer of `bytes` (NULL data: left unset), and a buffer texture over it. At least one texel. */
GLuint snw_buffer_make(GLenum target, const void *data, size_t bytes, GLenum usage);
GLuint snw_texture_buffer_make(GLuint buffer, GLenum format);
/* An attribute of the bound vertex array: begin and end of each point's part of a list, from a buffer of offsets. */
void snw_attribute_span(GLuint attribute, GLuint offsets);

#endif
