/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Built once for a mesh, from its rest.
 */
#include "render/mesh/gpu_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/mesh.h"
#include "render/gl/shader.h"
#include "sinew/algebra.h"
#include "subdivision/subdivide.h"

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

/* Triangles are sorted into buckets: 0 for no material, then one for each material. */
static uint32_t bucket_of(const snw_mesh *mesh, uint32_t face) {
	return mesh->face_materials ? mesh->face_materials[face] + 1 : 0; /* SNW_NONE + 1 is 0 */
}

static uint32_t corner_count(const snw_mesh *mesh, uint32_t face) {
	return mesh->face_offsets[face + 1] - mesh->face_offsets[face];
}

/* Writes each triangle at next[bucket of its face], and advances that. */
static void cut_faces(const snw_mesh *mesh, uint32_t largest_face, uint32_t *next, uint32_t *triangle_corners) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *remaining = SNW_NEW_ARRAY(scratch, uint32_t, largest_face);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], filled = 3 * (corner_count(mesh, f) - 2);
		uint32_t *out = triangle_corners + next[bucket_of(mesh, f)];
		snw_polygon_triangulate(mesh->points_rest, mesh->face_points + begin, corner_count(mesh, f), out, remaining);
		for (uint32_t i = 0; i < filled; i++) {
			out[i] += begin;
		}
		next[bucket_of(mesh, f)] += filled;
	}
	snw_arena_destroy(scratch);
}

static void make_triangles(const snw_mesh *mesh, snw_arena *arena, snw_faces *faces) {
	uint32_t largest_face = 3, buckets = 1;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		faces->triangle_count += corner_count(mesh, f) - 2;
		largest_face = corner_count(mesh, f) > largest_face ? corner_count(mesh, f) : largest_face;
		buckets = bucket_of(mesh, f) >= buckets ? bucket_of(mesh, f) + 1 : buckets;
	}
	uint32_t *next = SNW_NEW_ARRAY(arena, uint32_t, (size_t)buckets + 1);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		next[bucket_of(mesh, f) + 1] += 3 * (corner_count(mesh, f) - 2);
	}
	faces->material_spans = SNW_NEW_ARRAY(arena, snw_material_span, buckets);
	for (uint32_t b = 0; b < buckets; b++) {
		if (next[b + 1] > 0) {
			faces->material_spans[faces->material_span_count++] =
				(snw_material_span){.material = b - 1, .begin = next[b], .count = next[b + 1]};
		}
		next[b + 1] += next[b];
	}
	faces->triangle_corners = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)faces->triangle_count);
	cut_faces(mesh, largest_face, next, faces->triangle_corners);
}

static int compare_edges(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void make_edges(const snw_mesh *mesh, snw_arena *arena, snw_faces *faces) {
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	snw_arena *scratch = snw_arena_create();
	uint64_t *edges = SNW_NEW_ARRAY(scratch, uint64_t, corners);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const uint32_t after = c + 1 < mesh->face_offsets[f + 1] ? c + 1 : mesh->face_offsets[f];
			const uint64_t a = mesh->face_points[c], b = mesh->face_points[after];
			edges[c] = a < b ? a << 32 | b : b << 32 | a;
		}
	}
	qsort(edges, corners, sizeof *edges, compare_edges);
	faces->edges = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)corners);
	for (uint32_t i = 0; i < corners; i++) {
		if (i == 0 || edges[i] != edges[i - 1]) {
			faces->edges[2 * (size_t)faces->edge_count] = (uint32_t)(edges[i] >> 32);
			faces->edges[2 * (size_t)faces->edge_count + 1] = (uint32_t)edges[i];
			faces->edge_count++;
		}
	}
	snw_arena_destroy(scratch);
}

static void find_surroundings(const snw_mesh *mesh, snw_arena *arena, snw_faces *faces) {
	snw_arena *scratch = snw_arena_create();
	const snw_point_corners at = snw_point_corners_make(mesh, scratch);
	const uint32_t *far_ends = snw_longest_edges(mesh, scratch), corners = mesh->face_offsets[mesh->face_count];
	faces->corner_faces = snw_corner_faces(mesh, arena);
	faces->indices = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)corners);
	memcpy(faces->indices, mesh->face_points, corners * sizeof *faces->indices);
	memcpy(faces->indices + corners, at.faces, corners * sizeof *faces->indices);
	faces->face_spans = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		faces->face_spans[2 * (size_t)f] = mesh->face_offsets[f];
		faces->face_spans[2 * (size_t)f + 1] = corner_count(mesh, f);
	}
	faces->around = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)mesh->point_count);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		uint32_t *around = faces->around + 3 * (size_t)p;
		around[0] = corners + at.starts[p];
		around[1] = at.starts[p + 1] - at.starts[p];
		around[2] = far_ends[p] == SNW_NONE ? p : far_ends[p];
	}
	snw_arena_destroy(scratch);
}

snw_faces *snw_faces_make(const snw_mesh *mesh, snw_arena *arena) {
	snw_faces *faces = SNW_NEW(arena, snw_faces);
	if (mesh->face_count > 0) {
		make_triangles(mesh, arena, faces);
		make_edges(mesh, arena, faces);
		find_surroundings(mesh, arena, faces);
	}
	return faces;
}

/* ---- corners ------------------------------------------------------------------------------------------------------------- */

/* The axes of points at rest, computed as in the shaders: newell.glsl and axes.glsl in double. */

static void unit_or(double v[3], const double otherwise[3]) {
	const double size = snw_length3(v);
	for (int c = 0; c < 3; c++) {
		v[c] = size > 1e-18 ? v[c] / size : otherwise[c];
	}
}

/* The points divided by the size of the mesh, as in the shaders. */
typedef struct sized_mesh {
	const snw_mesh *mesh;
	double unit;
} sized_mesh;

static void between(const sized_mesh *sized, uint32_t from, uint32_t to, double dest[3]) {
	const double *points = sized->mesh->points_rest;
	for (size_t c = 0; c < 3; c++) {
		dest[c] = sized->unit * (double)((float)points[3 * (size_t)to + c] - (float)points[3 * (size_t)from + c]);
	}
}

static void add_area(const sized_mesh *mesh, const uint32_t span[2], double area[3]) {
	const uint32_t *points = mesh->mesh->face_points + span[0];
	double before[3] = {0}, here[3], part[3];
	for (uint32_t i = 1; i < span[1]; i++) {
		between(mesh, points[0], points[i], here);
		snw_cross3(before, here, part);
		for (int c = 0; c < 3; c++) {
			area[c] += part[c];
		}
		memcpy(before, here, sizeof before);
	}
}

static void make_square(double v[3], const double normal[3]) {
	const double along = snw_dot3(v, normal);
	for (int c = 0; c < 3; c++) {
		v[c] -= along * normal[c];
	}
}

/* Rows: normal, tangent, their cross product. */
static void find_axes(const sized_mesh *mesh, const snw_faces *faces, uint32_t point, double axes[3][3]) {
	static const double up[3] = {0, 1, 0}, front[3] = {0, 0, 1};
	const uint32_t *around = faces->around + 3 * (size_t)point;
	memset(axes[0], 0, sizeof axes[0]);
	for (uint32_t i = around[0]; i < around[0] + around[1]; i++) {
		add_area(mesh, faces->face_spans + 2 * (size_t)faces->indices[i], axes[0]);
	}
	unit_or(axes[0], front);
	double any[3] = {fabs(axes[0][0]) < 0.7, !(fabs(axes[0][0]) < 0.7), 0};
	any[0] -= axes[0][0] * axes[0][0];
	any[1] -= axes[0][0] * axes[0][1];
	any[2] -= axes[0][0] * axes[0][2];
	unit_or(any, up);
	between(mesh, point, around[2], axes[1]);
	make_square(axes[1], axes[0]);
	unit_or(axes[1], any);
	make_square(axes[1], axes[0]);
	unit_or(axes[1], up);
	snw_cross3(axes[0], axes[1], axes[2]);
}

static float along(const float *direction, const double axis[3]) {
	return (float)((double)direction[0] * axis[0] + (double)direction[1] * axis[1] + (double)direction[2] * axis[2]);
}

/* Custom normals and tangents relative to the axes of their points. */
static void localize(const snw_mesh *mesh, const snw_faces *faces, double unit, snw_corner_vertex *vertices, size_t corners) {
	const sized_mesh sized = {mesh, unit};
	snw_arena *scratch = snw_arena_create();
	double(*axes)[3][3] = snw_arena_array(scratch, mesh->point_count, sizeof *axes);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		find_axes(&sized, faces, p, axes[p]);
	}
	for (size_t c = 0; c < corners; c++) {
		for (int k = 0; k < 3; k++) {
			const double *axis = axes[mesh->face_points[c]][k];
			if (mesh->corner_normals) {
				vertices[c].normal[k] = along(mesh->corner_normals + 3 * c, axis);
			}
			if (mesh->corner_tangents) {
				vertices[c].tangent[k] = along(mesh->corner_tangents + 4 * c, axis);
			}
		}
		vertices[c].tangent[3] = mesh->corner_tangents ? mesh->corner_tangents[4 * c + 3] : 0;
	}
	snw_arena_destroy(scratch);
}

snw_corner_vertex *snw_corners_make(const snw_mesh *mesh, const snw_faces *faces, double unit, snw_arena *arena) {
	const size_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	snw_corner_vertex *vertices = SNW_NEW_ARRAY(arena, snw_corner_vertex, corners);
	for (size_t c = 0; c < corners; c++) {
		snw_corner_vertex *v = &vertices[c];
		*v = (snw_corner_vertex){mesh->face_points[c], faces->corner_faces[c], {0}, {1, 0, 0}, {1, 1, 1, 1}, {0}};
		for (int i = 0; i < 2 && mesh->corner_uvs; i++) {
			v->uv[i] = mesh->corner_uvs[2 * c + (size_t)i];
		}
		for (int i = 0; i < 4 && mesh->corner_colors; i++) {
			v->color[i] = mesh->corner_colors[4 * c + (size_t)i];
		}
	}
	if ((mesh->corner_normals || mesh->corner_tangents) && corners > 0) {
		localize(mesh, faces, unit, vertices, corners);
	}
	return vertices;
}

/* ---- subdivide ----------------------------------------------------------------------------------------------------------- */

/* Refined meshes, and the pass that poses them. */

#define WHOLE_LIMIT (1u << 24)

struct snw_gpu_subdivision_data {
	snw_gpu_subdivision *subdivision; /* without its objects on the GPU */
	snw_gpu_mesh_data *gpu_mesh;      /* of the refined mesh */
	snw_arena *sent;
	float *texels;          /* [entries][2], in `sent` */
	uint32_t control_count; /* points of the original mesh */
};

struct snw_gpu_subdivision {
	snw_arena *arena;
	const snw_stencil_shader *shader;
	snw_mesh mesh;
	snw_gpu_mesh *gpu_mesh;
	snw_stencils stencils; /* of the points */
	uint32_t *parents;     /* [mesh.face_count]: faces of the original mesh */
	double *heat;          /* [mesh.point_count][3] */
	GLuint array, spans, entries, texture;
};

snw_status snw_stencil_shader_create(snw_stencil_shader *shader, snw_error *error) {
	const snw_shader_recipe recipe = {.vertex = "stencil.vert", .captured = {"point_made"}, .samplers = {"stencils", "points"}};
	return snw_shader_link(&recipe, &shader->program, error);
}

void snw_stencil_shader_destroy(snw_stencil_shader *shader) {
	glDeleteProgram(shader->program);
	*shader = (snw_stencil_shader){0};
}

/* ---- refining ------------------------------------------------------------------------------------------------------------ */

/* The GPU reads the numbers of points from floats. */
static snw_status check(const snw_mesh *mesh, snw_error *error) {
	return mesh->point_count < WHOLE_LIMIT
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_LIMIT, "mesh '%s' cannot be shown subdivided: it has too many points", mesh->name);
}

static void store_mesh(snw_gpu_subdivision *subdivision, const snw_mesh *control, const snw_refinement *refined) {
	snw_arena *arena = subdivision->arena;
	const uint32_t count = refined->points.count, entries = refined->points.offsets[count];
	subdivision->mesh = snw_refined_mesh(refined, control, arena);
	subdivision->stencils = (snw_stencils){
		.count = count,
		.offsets = snw_arena_copy(arena, refined->points.offsets, ((size_t)count + 1) * sizeof(uint32_t)),
		.indices = snw_arena_copy(arena, refined->points.indices, entries * sizeof(uint32_t)),
		.weights = snw_arena_copy(arena, refined->points.weights, entries * sizeof(double)),
	};
	subdivision->parents = snw_arena_copy(arena, refined->parents, refined->face_count * sizeof(uint32_t));
	subdivision->heat = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static void prepare_stencils(snw_gpu_subdivision_data *data) {
	const snw_stencils *stencils = &data->subdivision->stencils;
	const size_t entries = stencils->offsets[stencils->count];
	data->texels = SNW_NEW_ARRAY(data->sent, float, 2 * entries);
	for (size_t j = 0; j < entries; j++) {
		data->texels[2 * j] = (float)stencils->indices[j];
		data->texels[2 * j + 1] = (float)stencils->weights[j];
	}
}

snw_status snw_gpu_subdivision_data_create(const snw_mesh *mesh, uint32_t level, snw_gpu_subdivision_data **data,
										   snw_error *error) {
	snw_refinement refined;
	snw_status status = check(mesh, error);
	status = snw_failed(status) ? status : snw_refinement_make(mesh, SNW_CATMULL_CLARK, level, &refined, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	snw_gpu_subdivision_data *made = SNW_NEW(arena, snw_gpu_subdivision_data);
	made->sent = snw_arena_create();
	made->control_count = mesh->point_count;
	made->subdivision = SNW_NEW(arena, snw_gpu_subdivision);
	made->subdivision->arena = arena;
	store_mesh(made->subdivision, mesh, &refined);
	prepare_stencils(made);
	made->gpu_mesh = snw_gpu_mesh_data_create(&made->subdivision->mesh);
	snw_refinement_free(&refined);
	*data = made;
	return SNW_OK;
}

void snw_gpu_subdivision_data_destroy(snw_gpu_subdivision_data *data) {
	if (data) {
		snw_gpu_mesh_data_destroy(data->gpu_mesh);
		snw_arena_destroy(data->sent);
		snw_arena_destroy(data->subdivision->arena);
	}
}

uint32_t snw_gpu_subdivision_data_point_count(const snw_gpu_subdivision_data *data) {
	return data->control_count;
}

static void upload_subdivision(snw_gpu_subdivision *subdivision, const snw_gpu_subdivision_data *data, snw_uploads *uploads) {
	const size_t count = subdivision->stencils.count, entries = subdivision->stencils.offsets[count];
	subdivision->entries =
		snw_uploads_buffer(uploads, GL_TEXTURE_BUFFER, data->texels, 2 * entries * sizeof *data->texels, GL_STATIC_DRAW);
	subdivision->texture = snw_texture_buffer_make(subdivision->entries, GL_RG32F);
	glGenVertexArrays(1, &subdivision->array);
	glBindVertexArray(subdivision->array);
	subdivision->spans = snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, subdivision->stencils.offsets,
											(count + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, sizeof(uint32_t), NULL); /* each offset and the next one */
}

snw_status snw_gpu_subdivision_create(const snw_gpu_mesh_shaders *shaders, const snw_stencil_shader *stencil,
									  snw_gpu_subdivision_data *data, snw_uploads *uploads, snw_gpu_subdivision **subdivision,
									  snw_error *error) {
	snw_gpu_subdivision *made = data->subdivision;
	made->shader = stencil;
	if (made->stencils.offsets[made->stencils.count] > (uint32_t)shaders->texel_limit) {
		const snw_status status =
			snw_fail(error, SNW_ERROR_LIMIT, "mesh %s has more points when subdivided than this graphics driver supports",
					 made->mesh.name);
		snw_gpu_subdivision_data_destroy(data);
		return status;
	}
	const snw_status status = snw_gpu_mesh_create(shaders, &made->mesh, data->gpu_mesh, uploads, &made->gpu_mesh, error);
	if (snw_failed(status)) { /* before anything waits to be uploaded */
		snw_arena_destroy(data->sent);
		snw_gpu_subdivision_destroy(made);
		return status;
	}
	upload_subdivision(made, data, uploads);
	snw_uploads_adopt(uploads, data->sent);
	*subdivision = made;
	return SNW_OK;
}

void snw_gpu_subdivision_destroy(snw_gpu_subdivision *subdivision) {
	if (!subdivision) {
		return;
	}
	const GLuint buffers[2] = {subdivision->spans, subdivision->entries};
	snw_gpu_mesh_destroy(subdivision->gpu_mesh);
	glDeleteTextures(1, &subdivision->texture);
	glDeleteBuffers(2, buffers);
	glDeleteVertexArrays(1, &subdivision->array);
	snw_arena_destroy(subdivision->arena);
}

snw_gpu_mesh *snw_gpu_subdivision_mesh(const snw_gpu_subdivision *subdivision) {
	return subdivision->gpu_mesh;
}

const snw_mesh *snw_gpu_subdivision_refined(const snw_gpu_subdivision *subdivision) {
	return &subdivision->mesh;
}

/* ---- posing -------------------------------------------------------------------------------------------------------------- */

void snw_gpu_subdivision_pose(snw_gpu_subdivision *subdivision, const snw_gpu_mesh *control) {
	glUseProgram(subdivision->shader->program);
	snw_texture_buffer_bind(0, subdivision->texture);
	snw_texture_buffer_bind(1, snw_gpu_mesh_points_texture(control));
	snw_capture_points(subdivision->array, subdivision->mesh.point_count, snw_gpu_mesh_points(subdivision->gpu_mesh));
	snw_gpu_mesh_find_normals(subdivision->gpu_mesh);
}

void snw_gpu_subdivision_set_heat(snw_gpu_subdivision *subdivision, const double *values, double minimum, double maximum) {
	if (values) {
		snw_stencils_apply(&subdivision->stencils, values, 1, subdivision->heat);
	}
	snw_gpu_mesh_set_heat(subdivision->gpu_mesh, values ? subdivision->heat : NULL, minimum, maximum);
}

void snw_gpu_subdivision_set_colors(snw_gpu_subdivision *subdivision, const double *colors) {
	if (colors) {
		snw_stencils_apply(&subdivision->stencils, colors, 3, subdivision->heat);
	}
	snw_gpu_mesh_set_colors(subdivision->gpu_mesh, colors ? subdivision->heat : NULL);
}

void snw_gpu_subdivision_hide_faces(snw_gpu_subdivision *subdivision, const bool *hidden) {
	snw_arena *scratch = snw_arena_create();
	bool *refined = hidden ? SNW_NEW_ARRAY(scratch, bool, subdivision->mesh.face_count) : NULL;
	for (uint32_t f = 0; hidden && f < subdivision->mesh.face_count; f++) {
		refined[f] = hidden[subdivision->parents[f]];
	}
	snw_gpu_mesh_hide_faces(subdivision->gpu_mesh, refined);
	snw_arena_destroy(scratch);
}
