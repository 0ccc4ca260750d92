/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Refined meshes, and the pass that poses them.
 */
#include "render/mesh/subdivide.h"

#include "render/gl/shader.h"
#include "subdivision/refinement.h"

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

/* ---- refining ----------------------------------------------------------------------------------------------------- */

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
