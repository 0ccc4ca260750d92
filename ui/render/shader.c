/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiling, linking, and the few GL calls that everything else would repeat.
 */
#include "render/shader.h"

#include <assert.h>
#include <string.h>

#define LEAST_BYTES 64 /* drivers dislike empty buffers */

static const char *source_text(const char *name) {
	const snw_shader_source *source = snw_shader_sources;
	while (source->name && strcmp(source->name, name) != 0) {
		source++;
	}
	assert(source->name);
	return source->text;
}

static snw_status compile(GLenum kind, const char *name, const char *defines, GLuint *shader, snw_error *error) {
	const char *const texts[] = {"#version 410 core\n", defines ? defines : "", source_text(name)};
	*shader = glCreateShader(kind);
	glShaderSource(*shader, 3, texts, NULL);
	glCompileShader(*shader);
	GLint compiled = 0;
	glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled);
	if (!compiled) {
		char words[700] = "";
		glGetShaderInfoLog(*shader, sizeof words, NULL, words);
		return snw_fail(error, SNW_ERROR_INTERNAL, "shader %s does not compile on this driver: %s", name, words);
	}
	return SNW_OK;
}

static snw_status link(const snw_shader_recipe *recipe, GLuint program, snw_error *error) {
	const int captured = recipe->captured[0] ? (recipe->captured[1] ? 2 : 1) : 0;
	if (captured) {
		glTransformFeedbackVaryings(program, captured, recipe->captured, GL_SEPARATE_ATTRIBS);
	}
	glLinkProgram(program);
	GLint linked = 0;
	glGetProgramiv(program, GL_LINK_STATUS, &linked);
	if (!linked) {
		char words[700] = "";
		glGetProgramInfoLog(program, sizeof words, NULL, words);
		return snw_fail(error, SNW_ERROR_INTERNAL, "shader %s does not link on this driver: %s", recipe->vertex, words);
	}
	glUseProgram(program);
	for (int unit = 0; recipe->samplers[unit]; unit++) {
		if (recipe->samplers[unit][0]) {
			snw_uniform_whole(program, recipe->samplers[unit], unit);
		}
	}
	return SNW_OK;
}

snw_status snw_shader_link(const snw_shader_recipe *recipe, GLuint *program, snw_error *error) {
	GLuint vertex = 0, fragment = 0;
	const GLuint made = glCreateProgram();
	snw_status status = compile(GL_VERTEX_SHADER, recipe->vertex, recipe->defines, &vertex, error);
	if (status == SNW_OK && recipe->fragment) {
		status = compile(GL_FRAGMENT_SHADER, recipe->fragment, recipe->defines, &fragment, error);
	}
	if (status == SNW_OK) {
		glAttachShader(made, vertex);
		if (fragment) {
			glAttachShader(made, fragment);
		}
		status = link(recipe, made, error);
	}
	glDeleteShader(vertex);
	glDeleteShader(fragment);
	if (status < 0) {
		glDeleteProgram(made);
		return status;
	}
	*program = made;
	return SNW_OK;
}

void snw_uniform_float(GLuint program, const char *name, double value) {
	glUniform1f(glGetUniformLocation(program, name), (float)value);
}

void snw_uniform_whole(GLuint program, const char *name, int value) {
	glUniform1i(glGetUniformLocation(program, name), value);
}

void snw_uniform_vector(GLuint program, const char *name, int components, const float *values) {
	const GLint place = glGetUniformLocation(program, name);
	switch (components) {
	case 2:
		glUniform2fv(place, 1, values);
		break;
	case 3:
		glUniform3fv(place, 1, values);
		break;
	default:
		glUniform4fv(place, 1, values);
	}
}

void snw_uniform_matrix(GLuint program, const char *name, int columns, const float *values) {
	const GLint place = glGetUniformLocation(program, name);
	if (columns == 3) {
		glUniformMatrix3fv(place, 1, GL_FALSE, values);
	} else {
		glUniformMatrix4fv(place, 1, GL_FALSE, values);
	}
}

void snw_texture_buffer_bind(int unit, GLuint texture) {
	glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
	glBindTexture(GL_TEXTURE_BUFFER, texture);
}

GLuint snw_buffer_make(GLenum target, const void *data, size_t bytes, GLenum usage) {
	GLuint buffer = 0;
	glGenBuffers(1, &buffer);
	glBindBuffer(target, buffer);
	if (bytes >= LEAST_BYTES) {
		glBufferData(target, (GLsizeiptr)bytes, data, usage);
	} else {
		const char nothing[LEAST_BYTES] = {0};
		glBufferData(target, LEAST_BYTES, nothing, usage);
		if (data && bytes) {
			glBufferSubData(target, 0, (GLsizeiptr)bytes, data);
		}
	}
	return buffer;
}

GLuint snw_texture_buffer_make(GLuint buffer, GLenum format) {
	GLuint texture = 0;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_BUFFER, texture);
	glTexBuffer(GL_TEXTURE_BUFFER, format, buffer);
	return texture;
}
