/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GPU programs made of the embedded shaders, and their uniforms by name.
 */
#ifndef SINEW_UI_RENDER_SHADER_H
#define SINEW_UI_RENDER_SHADER_H

#include <GL/glew.h>

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
	const char *vertex;
	const char *fragment;    /* NULL: nothing is drawn */
	const char *defines;     /* "#define BLEND 1\n"; NULL for none */
	const char *captured[2]; /* NULL for none */
	/* Samplers in the order of their texture units, "" for a unit that is not read; ends with NULL. */
	const char *samplers[10];
} snw_shader_recipe;

/* The current context's. SNW_ERROR_INTERNAL holds the compiler's words. */
snw_status snw_shader_link(const snw_shader_recipe *recipe, GLuint *program, snw_error *error);

/* Uniforms of the program in use; one that the compiler has left out is passed over. */
void snw_uniform_float(GLuint program, const char *name, double value);
void snw_uniform_whole(GLuint program, const char *name, int value);
void snw_uniform_vector(GLuint program, const char *name, int components, const float *values);
void snw_uniform_matrix(GLuint program, const char *name, int columns, const float *values);

/* Binds a buffer texture to a unit. */
void snw_texture_buffer_bind(int unit, GLuint texture);
/* A buffer of `bytes` (NULL data: left unset), and a buffer texture over it. At least one texel. */
GLuint snw_buffer_make(GLenum target, const void *data, size_t bytes, GLenum usage);
GLuint snw_texture_buffer_make(GLuint buffer, GLenum format);

#endif
