/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Refined meshes, and the pass that poses them.
 */
#include "render/mesh/subdivide.h"

#include "render/gl/shader.h"
#include "render/mesh/opensubdiv_shim.h"

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
	uint32_t *offsets, *indices; /* of the points' stencils, for heat maps */
	float *weights;
	double *heat; /* [mesh.point_count][3] */
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

/* ---- refining ----------------------------------------------------------------------------------------------------- */

/* Every number of faces and corners fits in 32 bits, and no face has a point twice. */
static snw_status check(const snw_mesh *mesh, uint32_t level, snw_error *error) {
	const uint64_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	if (mesh->face_count == 0 || corners << 2 * level >= UINT32_MAX / 8 || mesh->point_count >= WHOLE_LIMIT) {
		return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s cannot be shown subdivided: it has %s", mesh->name,
						mesh->face_count ? "too many faces" : "no faces");
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		for (uint32_t i = begin + 1; i < end; i++) {
			if (mesh->face_points[i] == mesh->face_points[i - 1] || mesh->face_points[i] == mesh->face_points[begin]) {
				return snw_fail(error, SNW_ERROR_DATA, "mesh %s cannot be shown subdivided: face %u has a point twice",
								mesh->name, f);
			}
		}
	}
	return SNW_OK;
}

/* `width` numbers for each row, from values of that width, into rows of quads' corners. */
static const float *spread_corners(const snw_refinement *refined, const float *values, size_t width, snw_arena *arena) {
	const snw_stencils *rows = &refined->corners;
	float *made = values ? SNW_NEW_ARRAY(arena, float, 4 * width * refined->quad_count) : NULL;
	for (size_t c = 0; c < 4 * (size_t)refined->quad_count && values; c++) {
		const uint32_t row = refined->quad_corners[c];
		for (uint32_t j = rows->offsets[row]; j < rows->offsets[row + 1]; j++) {
			for (size_t i = 0; i < width; i++) {
				made[width * c + i] += rows->weights[j] * values[width * rows->indices[j] + i];
			}
		}
	}
	return made;
}

static void spread_points(const snw_gpu_subdivision *subdivision, const double *values, size_t width, double *made) {
	for (size_t p = 0; p < subdivision->mesh.point_count; p++) {
		for (size_t i = 0; i < width; i++) {
			double sum = 0;
			for (uint32_t j = subdivision->offsets[p]; j < subdivision->offsets[p + 1]; j++) {
				sum += (double)subdivision->weights[j] * values[width * subdivision->indices[j] + i];
			}
			made[width * p + i] = sum;
		}
	}
}

static void store_mesh(snw_gpu_subdivision *subdivision, const snw_mesh *control, const snw_refinement *refined) {
	snw_arena *arena = subdivision->arena;
	const uint32_t count = refined->points.count, quads = refined->quad_count, entries = refined->points.offsets[count];
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)quads + 1);
	uint32_t *materials = control->face_materials ? SNW_NEW_ARRAY(arena, uint32_t, quads) : NULL;
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	for (uint32_t f = 0; f < quads; f++) {
		offsets[f + 1] = 4 * (f + 1);
		if (materials) {
			materials[f] = control->face_materials[refined->parents[f]];
		}
	}
	subdivision->offsets = snw_arena_copy(arena, refined->points.offsets, ((size_t)count + 1) * sizeof *offsets);
	subdivision->indices = snw_arena_copy(arena, refined->points.indices, entries * sizeof *offsets);
	subdivision->weights = snw_arena_copy(arena, refined->points.weights, entries * sizeof(float));
	subdivision->heat = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	subdivision->mesh = (snw_mesh){.name = snw_arena_text(arena, control->name),
								   .point_count = count,
								   .points_rest = rest,
								   .face_count = quads,
								   .face_offsets = offsets,
								   .face_points = snw_arena_copy(arena, refined->quads, 4 * (size_t)quads * sizeof *offsets),
								   .face_materials = materials,
								   .corner_uvs = spread_corners(refined, control->corner_uvs, 2, arena),
								   .corner_colors = spread_corners(refined, control->corner_colors, 4, arena)};
	spread_points(subdivision, control->points_rest, 3, rest);
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static void prepare_stencils(snw_gpu_subdivision_data *data) {
	const snw_gpu_subdivision *subdivision = data->subdivision;
	const size_t entries = subdivision->offsets[subdivision->mesh.point_count];
	data->texels = SNW_NEW_ARRAY(data->sent, float, 2 * entries);
	for (size_t j = 0; j < entries; j++) {
		data->texels[2 * j] = (float)subdivision->indices[j];
		data->texels[2 * j + 1] = subdivision->weights[j];
	}
}

snw_status snw_gpu_subdivision_data_create(const snw_mesh *mesh, uint32_t level, snw_gpu_subdivision_data **data,
										   snw_error *error) {
	snw_refinement refined;
	const snw_status status = check(mesh, level, error);
	if (snw_failed(status)) {
		return status;
	}
	if (!snw_refine(mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points, (int)level, &refined)) {
		return snw_fail(error, SNW_ERROR_DATA, "mesh %s cannot be shown subdivided: OpenSubdiv does not accept its faces",
						mesh->name);
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

static void upload(snw_gpu_subdivision *subdivision, const snw_gpu_subdivision_data *data, snw_uploads *uploads) {
	const size_t count = subdivision->mesh.point_count, entries = subdivision->offsets[count];
	subdivision->entries =
		snw_uploads_buffer(uploads, GL_TEXTURE_BUFFER, data->texels, 2 * entries * sizeof *data->texels, GL_STATIC_DRAW);
	subdivision->texture = snw_texture_buffer_make(subdivision->entries, GL_RG32F);
	glGenVertexArrays(1, &subdivision->array);
	glBindVertexArray(subdivision->array);
	subdivision->spans =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, subdivision->offsets, (count + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, sizeof(uint32_t), NULL); /* each offset and the next one */
}

snw_status snw_gpu_subdivision_create(const snw_gpu_mesh_shaders *shaders, const snw_stencil_shader *stencil,
									  snw_gpu_subdivision_data *data, snw_uploads *uploads, snw_gpu_subdivision **subdivision,
									  snw_error *error) {
	snw_gpu_subdivision *made = data->subdivision;
	made->shader = stencil;
	if (made->offsets[made->mesh.point_count] > (uint32_t)shaders->texel_limit) {
		const snw_status status =
			snw_fail(error, SNW_ERROR_LIMIT, "mesh %s has more points when subdivided than this graphics driver supports",
					 made->mesh.name);
		snw_gpu_subdivision_data_destroy(data);
		return status;
	}
	upload(made, data, uploads);
	const snw_status status = snw_gpu_mesh_create(shaders, &made->mesh, data->gpu_mesh, uploads, &made->gpu_mesh, error);
	if (snw_failed(status)) {
		snw_arena_destroy(data->sent);
		snw_gpu_subdivision_destroy(made);
		return status;
	}
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

/* ---- posing ------------------------------------------------------------------------------------------------------- */

void snw_gpu_subdivision_pose(snw_gpu_subdivision *subdivision, const snw_gpu_mesh *control) {
	glUseProgram(subdivision->shader->program);
	snw_texture_buffer_bind(0, subdivision->texture);
	snw_texture_buffer_bind(1, snw_gpu_mesh_points_texture(control));
	snw_capture_points(subdivision->array, subdivision->mesh.point_count, snw_gpu_mesh_points(subdivision->gpu_mesh));
	snw_gpu_mesh_find_normals(subdivision->gpu_mesh);
}

void snw_gpu_subdivision_set_heat(snw_gpu_subdivision *subdivision, const double *values, double minimum, double maximum) {
	if (values) {
		spread_points(subdivision, values, 1, subdivision->heat);
	}
	snw_gpu_mesh_set_heat(subdivision->gpu_mesh, values ? subdivision->heat : NULL, minimum, maximum);
}

void snw_gpu_subdivision_set_colors(snw_gpu_subdivision *subdivision, const double *colors) {
	if (colors) {
		spread_points(subdivision, colors, 3, subdivision->heat);
	}
	snw_gpu_mesh_set_colors(subdivision->gpu_mesh, colors ? subdivision->heat : NULL);
}
