/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of strokes, and the pass that draws them: one instance a stroke.
 */
#include "render/overlay/lines.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "render/gl/shader.h"
#include "render/overlay/line_drawer.h"
#include "sinew/algebra.h"

#define FULL_TURN 6.283185307179586

/* ---- lists -------------------------------------------------------------------------------------------------------- */

void snw_lines_add(snw_lines *lines, const double from[3], const double to[3], const snw_pen *pen) {
	if (lines->count == lines->most) {
		return;
	}
	snw_line *line = &lines->lines[lines->count++];
	for (int c = 0; c < 3; c++) {
		line->from[c] = (float)from[c];
		line->to[c] = (float)to[c];
	}
	memcpy(line->color, pen->color, sizeof line->color);
	line->width = pen->width;
	line->behind = pen->behind;
}

void snw_lines_dot(snw_lines *lines, const double place[3], double width, const snw_pen *pen) {
	snw_pen wide = *pen;
	wide.width = (float)width;
	snw_lines_add(lines, place, place, &wide);
}

void snw_circle_directions(const double axis[3], double across[3], double over[3]) {
	const double other[3] = {fabs(axis[1]) > 0.9, fabs(axis[1]) <= 0.9, 0};
	snw_cross3(other, axis, across);
	snw_normalize3(across);
	snw_cross3(axis, across, over);
}

void snw_lines_circle(snw_lines *lines, const double middle[3], const double axis[3], double radius, double from_angle,
					  double to_angle, const snw_pen *pen) {
	double unit[3] = {axis[0], axis[1], axis[2]}, across[3], over[3], before[3] = {0};
	const bool whole = to_angle - from_angle == 0;
	const double span = whole ? FULL_TURN : to_angle - from_angle;
	snw_normalize3(unit);
	snw_circle_directions(unit, across, over);
	for (int i = 0; i <= SNW_CIRCLE_LINES; i++) {
		const double angle = from_angle + span * i / SNW_CIRCLE_LINES;
		double here[3];
		for (int c = 0; c < 3; c++) {
			here[c] = middle[c] + radius * (cos(angle) * across[c] + sin(angle) * over[c]);
		}
		if (i > 0) {
			snw_lines_add(lines, before, here, pen);
		}
		memcpy(before, here, sizeof before);
	}
}

void snw_lines_arrow(snw_lines *lines, const double from[3], const double to[3], double head, const snw_pen *pen) {
	double along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, across[3], over[3];
	snw_lines_add(lines, from, to, pen);
	snw_normalize3(along);
	snw_circle_directions(along, across, over);
	for (int i = 0; i < 8; i++) {
		const double a = 0.35 * head * cos(FULL_TURN * i / 8), o = 0.35 * head * sin(FULL_TURN * i / 8);
		double rim[3];
		for (int c = 0; c < 3; c++) {
			rim[c] = to[c] - head * along[c] + a * across[c] + o * over[c];
		}
		snw_lines_add(lines, rim, to, pen);
	}
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

snw_status snw_line_drawer_create(snw_line_drawer *drawer, snw_error *error) {
	static const struct {
		GLint components;
		size_t offset;
	} attributes[] = {{3, offsetof(snw_line, from)},
					  {3, offsetof(snw_line, to)},
					  {4, offsetof(snw_line, color)},
					  {2, offsetof(snw_line, width)}}; /* width and behind */
	const snw_shader_recipe recipe = {.vertex = "line.vert", .fragment = "line.frag"};
	*drawer = (snw_line_drawer){0};
	const snw_status status = snw_shader_link(&recipe, &drawer->program, error);
	if (snw_failed(status)) {
		return status;
	}
	glGenVertexArrays(1, &drawer->array);
	glBindVertexArray(drawer->array);
	drawer->instances = snw_buffer_make(GL_ARRAY_BUFFER, NULL, 0, GL_STREAM_DRAW);
	for (GLuint a = 0; a < sizeof attributes / sizeof *attributes; a++) {
		glEnableVertexAttribArray(a);
		glVertexAttribPointer(a, attributes[a].components, GL_FLOAT, GL_FALSE, sizeof(snw_line),
							  (const void *)attributes[a].offset);
		glVertexAttribDivisor(a, 1);
	}
	return SNW_OK;
}

void snw_line_drawer_destroy(snw_line_drawer *drawer) {
	glDeleteProgram(drawer->program);
	glDeleteVertexArrays(1, &drawer->array);
	glDeleteBuffers(1, &drawer->instances);
	*drawer = (snw_line_drawer){0};
}

void snw_lines_draw(const snw_line_drawer *drawer, const snw_lines *lines, const snw_camera_matrices *camera, uint32_t width,
					uint32_t height) {
	const float viewport[2] = {(float)width, (float)height};
	if (!lines || lines->count == 0) {
		return;
	}
	glBindVertexArray(drawer->array);
	glBindBuffer(GL_ARRAY_BUFFER, drawer->instances);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(lines->count * sizeof *lines->lines), lines->lines, GL_STREAM_DRAW);
	glUseProgram(drawer->program);
	snw_uniform_matrix(drawer->program, "clip_from_world", 4, camera->clip_from_world);
	snw_uniform_vector(drawer->program, "viewport", 2, viewport);
	glEnable(GL_BLEND);
	glDepthMask(GL_FALSE);
	for (int covered = 1; covered >= 0; covered--) { /* hidden parts first, so that ends that meet do not show through */
		snw_uniform_whole(drawer->program, "covered", covered);
		glDepthFunc(covered ? GL_GREATER : GL_LEQUAL);
		glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)lines->count);
	}
	glDepthFunc(GL_LESS);
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
}
