/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Refined meshes, and the pass that poses them.
 */
#include "render/mesh/subdivide.h"

#include "render/gl/shader.h"
#include "render/mesh/opensubdiv_shim.h"

#define WHOLE_LIMIT (1u << 24)

struct snw_subdivided_draft {
	snw_subdivided *subdivided; /* without what is on the GPU */
	snw_surface_draft *surface; /* of its mesh */
	snw_arena *sent;
	float *texels; /* [entries][2], in `sent` */
};

struct snw_subdivided {
	snw_arena *arena;
	const snw_stencil_shader *shader;
	snw_mesh mesh;
	snw_surface *surface;
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

/* Every number of faces and corners fits in 32 bits with room to spare, and no point is on a face twice. */
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

static void spread_points(const snw_subdivided *subdivided, const double *values, size_t width, double *made) {
	for (size_t p = 0; p < subdivided->mesh.point_count; p++) {
		for (size_t i = 0; i < width; i++) {
			double sum = 0;
			for (uint32_t j = subdivided->offsets[p]; j < subdivided->offsets[p + 1]; j++) {
				sum += (double)subdivided->weights[j] * values[width * subdivided->indices[j] + i];
			}
			made[width * p + i] = sum;
		}
	}
}

static void keep_mesh(snw_subdivided *subdivided, const snw_mesh *control, const snw_refinement *refined) {
	snw_arena *arena = subdivided->arena;
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
	subdivided->offsets = snw_arena_copy(arena, refined->points.offsets, ((size_t)count + 1) * sizeof *offsets);
	subdivided->indices = snw_arena_copy(arena, refined->points.indices, entries * sizeof *offsets);
	subdivided->weights = snw_arena_copy(arena, refined->points.weights, entries * sizeof(float));
	subdivided->heat = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	subdivided->mesh = (snw_mesh){.name = snw_arena_text(arena, control->name),
								  .point_count = count,
								  .points_rest = rest,
								  .face_count = quads,
								  .face_offsets = offsets,
								  .face_points = snw_arena_copy(arena, refined->quads, 4 * (size_t)quads * sizeof *offsets),
								  .face_materials = materials,
								  .corner_uvs = spread_corners(refined, control->corner_uvs, 2, arena),
								  .corner_colors = spread_corners(refined, control->corner_colors, 4, arena)};
	spread_points(subdivided, control->points_rest, 3, rest);
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

static void draft_stencils(snw_subdivided_draft *draft) {
	const snw_subdivided *subdivided = draft->subdivided;
	const size_t entries = subdivided->offsets[subdivided->mesh.point_count];
	draft->texels = SNW_NEW_ARRAY(draft->sent, float, 2 * entries);
	for (size_t j = 0; j < entries; j++) {
		draft->texels[2 * j] = (float)subdivided->indices[j];
		draft->texels[2 * j + 1] = subdivided->weights[j];
	}
}

snw_status snw_subdivided_draft_create(const snw_mesh *mesh, uint32_t level, snw_subdivided_draft **draft, snw_error *error) {
	snw_refinement refined;
	const snw_status status = check(mesh, level, error);
	if (status < 0) {
		return status;
	}
	if (!snw_refine(mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points, (int)level, &refined)) {
		return snw_fail(error, SNW_ERROR_DATA, "mesh %s cannot be shown subdivided: OpenSubdiv does not take its faces",
						mesh->name);
	}
	snw_arena *arena = snw_arena_create();
	snw_subdivided_draft *made = SNW_NEW(arena, snw_subdivided_draft);
	made->sent = snw_arena_create();
	made->subdivided = SNW_NEW(arena, snw_subdivided);
	made->subdivided->arena = arena;
	keep_mesh(made->subdivided, mesh, &refined);
	draft_stencils(made);
	made->surface = snw_surface_draft_create(&made->subdivided->mesh);
	snw_refinement_free(&refined);
	*draft = made;
	return SNW_OK;
}

void snw_subdivided_draft_destroy(snw_subdivided_draft *draft) {
	if (draft) {
		snw_surface_draft_destroy(draft->surface);
		snw_arena_destroy(draft->sent);
		snw_arena_destroy(draft->subdivided->arena);
	}
}

static void upload(snw_subdivided *subdivided, const snw_subdivided_draft *draft, snw_uploads *uploads) {
	const size_t count = subdivided->mesh.point_count, entries = subdivided->offsets[count];
	subdivided->entries =
		snw_uploads_buffer(uploads, GL_TEXTURE_BUFFER, draft->texels, 2 * entries * sizeof *draft->texels, GL_STATIC_DRAW);
	subdivided->texture = snw_texture_buffer_make(subdivided->entries, GL_RG32F);
	glGenVertexArrays(1, &subdivided->array);
	glBindVertexArray(subdivided->array);
	subdivided->spans =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, subdivided->offsets, (count + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, sizeof(uint32_t), NULL); /* each offset and the one behind it */
}

snw_status snw_subdivided_create(const snw_surface_shaders *shaders, const snw_stencil_shader *stencil,
								 snw_subdivided_draft *draft, snw_uploads *uploads, snw_subdivided **subdivided,
								 snw_error *error) {
	snw_subdivided *made = draft->subdivided;
	made->shader = stencil;
	if (made->offsets[made->mesh.point_count] > (uint32_t)shaders->texel_limit) {
		const snw_status status = snw_fail(
			error, SNW_ERROR_LIMIT, "mesh %s has more points when subdivided than this graphics driver takes", made->mesh.name);
		snw_subdivided_draft_destroy(draft);
		return status;
	}
	upload(made, draft, uploads);
	const snw_status status = snw_surface_create(shaders, &made->mesh, draft->surface, uploads, &made->surface, error);
	if (status < 0) {
		snw_arena_destroy(draft->sent);
		snw_subdivided_destroy(made);
		return status;
	}
	snw_uploads_hold(uploads, draft->sent);
	*subdivided = made;
	return SNW_OK;
}

void snw_subdivided_destroy(snw_subdivided *subdivided) {
	if (!subdivided) {
		return;
	}
	const GLuint buffers[2] = {subdivided->spans, subdivided->entries};
	snw_surface_destroy(subdivided->surface);
	glDeleteTextures(1, &subdivided->texture);
	glDeleteBuffers(2, buffers);
	glDeleteVertexArrays(1, &subdivided->array);
	snw_arena_destroy(subdivided->arena);
}

snw_surface *snw_subdivided_surface(const snw_subdivided *subdivided) {
	return subdivided->surface;
}

const snw_mesh *snw_subdivided_mesh(const snw_subdivided *subdivided) {
	return &subdivided->mesh;
}

/* ---- posing ------------------------------------------------------------------------------------------------------- */

void snw_subdivided_pose(snw_subdivided *subdivided, const snw_surface *control) {
	glUseProgram(subdivided->shader->program);
	snw_texture_buffer_bind(0, subdivided->texture);
	snw_texture_buffer_bind(1, snw_surface_points_texture(control));
	snw_capture_points(subdivided->array, subdivided->mesh.point_count, snw_surface_points(subdivided->surface));
	snw_surface_find_normals(subdivided->surface);
}

void snw_subdivided_set_heat(snw_subdivided *subdivided, const double *values, double minimum, double maximum) {
	if (values) {
		spread_points(subdivided, values, 1, subdivided->heat);
	}
	snw_surface_set_heat(subdivided->surface, values ? subdivided->heat : NULL, minimum, maximum);
}

void snw_subdivided_set_colors(snw_subdivided *subdivided, const double *colors) {
	if (colors) {
		spread_points(subdivided, colors, 3, subdivided->heat);
	}
	snw_surface_set_colors(subdivided->surface, colors ? subdivided->heat : NULL);
}
