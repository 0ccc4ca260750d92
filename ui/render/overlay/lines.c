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
#include "render/view/view.h"
#include "sinew/algebra.h"

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

#define FULL_TURN 6.283185307179586

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

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

/* ---- drawing ------------------------------------------------------------------------------------------------------------- */

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

/* ---- bones --------------------------------------------------------------------------------------------------------------- */

/* There are few bones, so their facets are computed on the CPU for each picture. */

enum { FACETS = 8, VERTEX_FLOATS = 9, BONE_FLOATS = FACETS * 3 * VERTEX_FLOATS };

snw_status snw_bones_create(snw_bones *bones, snw_error *error) {
	const snw_shader_recipe recipe = {.vertex = "bone.vert", .fragment = "bone.frag"};
	*bones = (snw_bones){0};
	const snw_status status = snw_shader_link(&recipe, &bones->program, error);
	if (snw_failed(status)) {
		return status;
	}
	const GLsizei stride = VERTEX_FLOATS * sizeof(float);
	glGenVertexArrays(1, &bones->array);
	glBindVertexArray(bones->array);
	bones->vertices = snw_buffer_make(GL_ARRAY_BUFFER, NULL, 0, GL_STREAM_DRAW);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, NULL);
	glEnableVertexAttribArray(2);
	glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (const void *)(3 * sizeof(float)));
	glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, stride, (const void *)(6 * sizeof(float)));
	return SNW_OK;
}

void snw_bones_destroy(snw_bones *bones) {
	glDeleteProgram(bones->program);
	glDeleteVertexArrays(1, &bones->array);
	glDeleteBuffers(1, &bones->vertices);
	*bones = (snw_bones){0};
}

static void put_facet(double corners[3][3], const float color[3], float *vertices) {
	double ab[3], ac[3], normal[3];
	for (int c = 0; c < 3; c++) {
		ab[c] = corners[1][c] - corners[0][c];
		ac[c] = corners[2][c] - corners[0][c];
	}
	snw_normalize3(ab);
	snw_normalize3(ac);
	snw_cross3(ab, ac, normal);
	snw_normalize3(normal);
	for (int v = 0; v < 3; v++) {
		for (int c = 0; c < 3; c++) {
			vertices[VERTEX_FLOATS * v + c] = (float)corners[v][c];
			vertices[VERTEX_FLOATS * v + 3 + c] = (float)normal[c];
			vertices[VERTEX_FLOATS * v + 6 + c] = color[c];
		}
	}
}

/* An octahedron from head to tail, widest at `waist` of its length. */
static void put_octahedron(const double head[3], const double tail[3], double waist, double radius, const float color[3],
						   float *vertices) {
	double along[3], across[3], over[3], ring[4][3];
	for (int c = 0; c < 3; c++) {
		along[c] = tail[c] - head[c];
	}
	snw_normalize3(along);
	const double other[3] = {fabs(along[1]) > 0.9, fabs(along[1]) <= 0.9, 0};
	snw_cross3(along, other, across);
	snw_normalize3(across);
	snw_cross3(along, across, over);
	for (int i = 0; i < 4; i++) {
		const double a = i == 0 ? 1 : i == 2 ? -1 : 0, o = i == 1 ? 1 : i == 3 ? -1 : 0;
		for (int c = 0; c < 3; c++) {
			ring[i][c] = head[c] + waist * (tail[c] - head[c]) + radius * (a * across[c] + o * over[c]);
		}
	}
	for (int i = 0; i < 4; i++) {
		double lower[3][3], upper[3][3];
		memcpy(lower[0], head, sizeof lower[0]);
		memcpy(lower[1], ring[(i + 1) % 4], sizeof lower[1]);
		memcpy(lower[2], ring[i], sizeof lower[2]);
		memcpy(upper[0], tail, sizeof upper[0]);
		memcpy(upper[1], ring[i], sizeof upper[1]);
		memcpy(upper[2], ring[(i + 1) % 4], sizeof upper[2]);
		put_facet(lower, color, vertices + (size_t)(2 * i) * 3 * VERTEX_FLOATS);
		put_facet(upper, color, vertices + (size_t)(2 * i + 1) * 3 * VERTEX_FLOATS);
	}
}

/* Linear light, by snw_joint_mark. */
static const float *mark_color(const unsigned char *marks, uint32_t joint) {
	static const float colors[3][3] = {{0.02f, 0.28f, 0.50f}, {0.30f, 0.62f, 0.85f}, {0.95f, 0.36f, 0.03f}};
	return colors[marks && marks[joint] <= SNW_JOINT_SELECTED ? marks[joint] : SNW_JOINT_PLAIN];
}

static void joint_place(const double *global, uint32_t joint, double place[3]) {
	for (int c = 0; c < 3; c++) {
		place[c] = global[12 * (size_t)joint + 4 * (size_t)c + 3];
	}
}

/* How thick bones are: shares of their length and of the character's size, and at least so many pixels, which a bone far away
 * or in a small viewport needs to be seen and clicked. */
static const double slimness = 0.1, thickest = 0.016, joint_size = 0.0075, least_bone_pixels = 3.5, least_joint_pixels = 4.5;

/* No bone is wider than this share of its length, however small it is drawn. */
static const double widest_bone = 0.3;

/* The size of a pixel at a place, in metres. */
static double pixel_at(const snw_camera_matrices *camera, double height, const double place[3]) {
	const float *m = camera->clip_from_world;
	const double up[3] = {(double)m[1], (double)m[5], (double)m[9]};
	const double depth = (double)m[3] * place[0] + (double)m[7] * place[1] + (double)m[11] * place[2] + (double)m[15];
	return fmax(depth, 0) * 2 / (snw_length3(up) * height);
}

/* Returns the number of octahedra. */
static uint32_t put_bones(const snw_skeleton *skeleton, const double *global, const unsigned char *marks, double size,
						  const snw_camera_matrices *camera, double height, float *vertices, bool *has_child) {
	uint32_t count = 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const uint32_t parent = skeleton->parents[j];
		double head[3], tail[3], between[3];
		if (parent == SNW_NONE) {
			continue;
		}
		joint_place(global, parent, head);
		joint_place(global, j, tail);
		for (int c = 0; c < 3; c++) {
			between[c] = tail[c] - head[c];
		}
		const double length = snw_length3(between);
		if (length > 1e-4 * size) {
			has_child[parent] = true;
			const double seen = fmin(least_bone_pixels * pixel_at(camera, height, head), widest_bone * length);
			put_octahedron(head, tail, 0.14, fmax(fmin(slimness * length, thickest * size), seen), mark_color(marks, parent),
						   vertices + (size_t)BONE_FLOATS * count++);
		}
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		double head[3], tail[3];
		joint_place(global, j, head);
		const double radius = fmax(joint_size * size, least_joint_pixels * pixel_at(camera, height, head));
		memcpy(tail, head, sizeof tail);
		head[1] -= radius;
		tail[1] += radius;
		if (!has_child[j]) {
			put_octahedron(head, tail, 0.5, radius, mark_color(marks, j), vertices + (size_t)BONE_FLOATS * count++);
		}
	}
	return count;
}

void snw_bones_draw(const snw_bones *bones, const snw_skeleton *skeleton, const double *global, const unsigned char *marks,
					double size, const snw_camera_matrices *camera, uint32_t height) {
	snw_arena *scratch = snw_arena_create();
	float *vertices = SNW_NEW_ARRAY(scratch, float, 2 * (size_t)skeleton->joint_count * BONE_FLOATS);
	bool *has_child = SNW_NEW_ARRAY(scratch, bool, skeleton->joint_count);
	const uint32_t count = put_bones(skeleton, global, marks, size, camera, height, vertices, has_child);
	glBindVertexArray(bones->array);
	glBindBuffer(GL_ARRAY_BUFFER, bones->vertices);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * BONE_FLOATS * sizeof(float)), vertices, GL_STREAM_DRAW);
	snw_arena_destroy(scratch);

	glUseProgram(bones->program);
	snw_uniform_matrix(bones->program, "clip_from_world", 4, camera->clip_from_world);
	snw_uniform_matrix(bones->program, "eye_from_world", 3, camera->eye_from_world);
	glClear(GL_DEPTH_BUFFER_BIT);
	glDepthFunc(GL_LEQUAL);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE); /* depth first, so that only the front facets are blended */
	glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(count * FACETS * 3));
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glEnable(GL_BLEND);
	glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(count * FACETS * 3));
	glDisable(GL_BLEND);
	glDepthFunc(GL_LESS);
}
