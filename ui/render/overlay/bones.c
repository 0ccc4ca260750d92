/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * There are few bones, so their facets are computed on the CPU for each picture.
 */
#include "render/overlay/bones.h"

#include <math.h>

#include "render/gl/shader.h"
#include "render/view/view.h"
#include "sinew/algebra.h"

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
