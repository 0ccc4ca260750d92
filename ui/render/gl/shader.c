/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiling and linking, and the GL calls that several files share.
 */
#include "render/gl/shader.h"

#include <GL/glew.h>
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/* Runs a compute program: `count` invocations in groups of SNW_COMPUTE_GROUP, and a barrier, so that later passes can read
 * the result. */
enum { SNW_COMPUTE_GROUP = 64 };

#define LEAST_BYTES 64 /* some drivers fail on empty buffers */

enum { LONGEST_DISPATCH = 65535 }; /* groups: the number that OpenGL guarantees */

static const char *source_text(const char *name) {
	const snw_shader_source *source = snw_shader_sources;
	while (source->name && strcmp(source->name, name) != 0) {
		source++;
	}
	assert(source->name);
	return source->text;
}

static snw_status compile(GLenum kind, const char *name, const char *defines, GLuint *shader, snw_error *error) {
	const char *version = kind == GL_COMPUTE_SHADER ? "#version 430 core\n" : "#version 410 core\n";
	const char *const texts[] = {version, defines ? defines : "", source_text(name)};
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
		return snw_fail(error, SNW_ERROR_INTERNAL, "shader %s does not link on this driver: %s",
						recipe->vertex ? recipe->vertex : recipe->compute, words);
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
	const struct {
		GLenum kind;
		const char *name;
	} stages[] = {
		{GL_VERTEX_SHADER, recipe->vertex}, {GL_FRAGMENT_SHADER, recipe->fragment}, {GL_COMPUTE_SHADER, recipe->compute}};
	const GLuint made = glCreateProgram();
	snw_status status = SNW_OK;
	for (size_t i = 0; i < sizeof stages / sizeof *stages && !snw_failed(status); i++) {
		GLuint shader = 0;
		if (stages[i].name) {
			status = compile(stages[i].kind, stages[i].name, recipe->defines, &shader, error);
			glAttachShader(made, shader);
			glDeleteShader(shader); /* the program keeps it */
		}
	}
	status = snw_failed(status) ? status : link(recipe, made, error);
	if (snw_failed(status)) {
		glDeleteProgram(made);
		return status;
	}
	*program = made;
	return SNW_OK;
}

bool snw_shader_has_compute(void) {
	return GLEW_VERSION_4_3 && glDispatchCompute && glMemoryBarrier;
}

void snw_capture_instances(GLuint array, uint32_t count, uint32_t instances, GLuint first, GLuint second) {
	glBindVertexArray(array);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, first);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 1, second);
	glEnable(GL_RASTERIZER_DISCARD);
	glBeginTransformFeedback(GL_POINTS);
	glDrawArraysInstanced(GL_POINTS, 0, (GLsizei)count, (GLsizei)instances);
	glEndTransformFeedback();
	glDisable(GL_RASTERIZER_DISCARD);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 1, 0);
}

void snw_capture(GLuint array, uint32_t count, GLuint first, GLuint second) {
	snw_capture_instances(array, count, 1, first, second);
}

void snw_capture_points(GLuint array, uint32_t count, GLuint into) {
	snw_capture(array, count, into, 0);
}

bool snw_compute_is_too_long(uint64_t count, uint64_t bytes, uint64_t storage_limit) {
	return count * bytes > storage_limit || count > (uint64_t)LONGEST_DISPATCH * SNW_COMPUTE_GROUP;
}

void snw_compute_run(uint32_t count) {
	glDispatchCompute((count + SNW_COMPUTE_GROUP - 1) / SNW_COMPUTE_GROUP, 1, 1);
	glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |
					GL_BUFFER_UPDATE_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT);
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

void snw_buffer_send(GLuint buffer, const void *data, size_t bytes) {
	if (bytes == 0) {
		return;
	}
	glBindBuffer(GL_TEXTURE_BUFFER, buffer);
	if (bytes >= LEAST_BYTES) {
		glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)bytes, data, GL_STREAM_DRAW);
	} else {
		glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)bytes, data);
	}
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

void snw_attribute_span(GLuint attribute, GLuint offsets) {
	glBindBuffer(GL_ARRAY_BUFFER, offsets);
	glEnableVertexAttribArray(attribute);
	glVertexAttribIPointer(attribute, 2, GL_UNSIGNED_INT, sizeof(uint32_t), NULL);
}
