/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers of a mesh, the passes that find normals, and drawing. Corners are the vertices; they fetch what belongs to their point
 * from buffer textures over the same buffers that transform feedback wrote.
 */
#include "render/mesh/gpu_mesh.h"

#include <assert.h>
#include <math.h>

#include "render/gl/shader.h"
#include "render/mesh/corners.h"

/* One buffer and the buffer texture over it. */
typedef struct stored {
	GLuint buffer, texture;
} stored;

struct snw_surface_shape {
	stored points, areas, normals, tangents;
};

struct snw_surface_draft {
	snw_arena *arena;   /* becomes the surface's */
	snw_arena *sent;    /* of what is only to be sent */
	snw_faces faces;    /* all but the batches in `sent` */
	float *rest;        /* [point_count][3] */
	float *heat_values; /* [point_count][3] */
	double unit;        /* 1 / diagonal of the rest */
	snw_corner_vertex *corners;
};

struct snw_surface {
	snw_arena *arena;
	const snw_surface_shaders *shaders;
	const snw_mesh *mesh;
	uint32_t batch_count, triangle_count, edge_count;
	const snw_batch *batches;
	float *rest;        /* [point_count][3] */
	float *heat_values; /* [point_count][3]: the last heat map, one number a point, scaled to 0 to 1; or the last colours */
	double unit;        /* 1 / diagonal of the rest */
	snw_surface_shape shape, *worn;
	stored corner_points, point_faces, heat;
	GLuint corners, triangles, edges, face_spans, around; /* buffers */
	GLuint face_array, point_array, corner_array, edge_array;
	bool heated, colored; /* a heat map is shown; it is of colours */
	bool is_long;         /* too long for compute */
};

static snw_status link_normals(snw_surface_shaders *shaders, snw_gpu_path path, snw_error *error) {
	const bool compute = path == SNW_GPU_COMPUTE;
	const snw_shader_recipe face = {.vertex = compute ? NULL : "face_normal.vert",
									.compute = compute ? "face_normal.comp" : NULL,
									.captured = {compute ? NULL : "area"},
									.samplers = {"corner_points", "points"}};
	const snw_shader_recipe point = {.vertex = compute ? NULL : "point_normal.vert",
									 .compute = compute ? "point_normal.comp" : NULL,
									 .captured = {compute ? NULL : "normal", compute ? NULL : "tangent"},
									 .samplers = {"point_faces", "areas", "points"}};
	const snw_status status = snw_shader_link(&face, &shaders->face_normal[path], error);
	return status ? status : snw_shader_link(&point, &shaders->point_normal[path], error);
}

snw_status snw_surface_shaders_add_compute(snw_surface_shaders *shaders, snw_error *error) {
	GLint64 bytes = 0;
	if (shaders->has_compute || !snw_shader_has_compute()) {
		return SNW_OK;
	}
	glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
	shaders->storage_limit = (uint64_t)bytes;
	const snw_status status = link_normals(shaders, SNW_GPU_COMPUTE, error);
	shaders->has_compute = status == SNW_OK;
	return status;
}

snw_status snw_surface_shaders_create(snw_surface_shaders *shaders, snw_error *error) {
	const snw_shader_recipe surface = {.vertex = "surface.vert",
									   .fragment = "surface.frag",
									   .samplers = {"points", "normals", "tangents", "areas", "heat", "base_color_texture",
													"metallic_roughness_texture", "heat_ramp", "key_depth", "normal_texture",
													"emissive_texture"}};
	const snw_shader_recipe wire = {.vertex = "wire.vert", .fragment = "wire.frag", .samplers = {"points"}};
	const snw_shader_recipe shadow = {.vertex = "shadow.vert", .fragment = "shadow.frag", .samplers = {"points"}};
	const snw_shader_recipe key_depth = {.vertex = "key_depth.vert", .samplers = {"points"}};
	*shaders = (snw_surface_shaders){0};
	glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &shaders->texel_limit);
	snw_status status = link_normals(shaders, SNW_GPU_FEEDBACK, error);
	status = status ? status : snw_shader_link(&surface, &shaders->surface, error);
	status = status ? status : snw_shader_link(&wire, &shaders->wire, error);
	status = status ? status : snw_shader_link(&key_depth, &shaders->key_depth, error);
	return status ? status : snw_shader_link(&shadow, &shaders->shadow, error);
}

void snw_surface_shaders_destroy(snw_surface_shaders *shaders) {
	for (int path = 0; path < SNW_GPU_PATH_COUNT; path++) {
		glDeleteProgram(shaders->face_normal[path]);
		glDeleteProgram(shaders->point_normal[path]);
	}
	glDeleteProgram(shaders->surface);
	glDeleteProgram(shaders->wire);
	glDeleteProgram(shaders->shadow);
	glDeleteProgram(shaders->key_depth);
	*shaders = (snw_surface_shaders){0};
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

static stored store(snw_uploads *uploads, const void *data, size_t bytes, GLenum format, GLenum usage) {
	stored made;
	made.buffer = snw_uploads_buffer(uploads, GL_TEXTURE_BUFFER, data, bytes, usage);
	made.texture = snw_texture_buffer_make(made.buffer, format);
	return made;
}

static void drop(stored *what) {
	glDeleteTextures(1, &what->texture);
	glDeleteBuffers(1, &what->buffer);
}

static void whole_attribute(GLuint buffer, GLuint attribute, GLint components, GLuint divisor) {
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glEnableVertexAttribArray(attribute);
	glVertexAttribIPointer(attribute, components, GL_UNSIGNED_INT, 0, NULL);
	glVertexAttribDivisor(attribute, divisor);
}

static void make_shape(const snw_mesh *mesh, snw_surface_shape *shape) {
	const size_t vector = 3 * sizeof(float), points = mesh->point_count * vector;
	shape->points = store(NULL, NULL, points, GL_RGB32F, GL_DYNAMIC_COPY);
	shape->areas = store(NULL, NULL, mesh->face_count * vector, GL_RGB32F, GL_DYNAMIC_COPY);
	shape->normals = store(NULL, NULL, points, GL_RGB32F, GL_DYNAMIC_COPY);
	shape->tangents = store(NULL, NULL, points, GL_RGB32F, GL_DYNAMIC_COPY);
}

static void drop_shape(snw_surface_shape *shape) {
	drop(&shape->points);
	drop(&shape->areas);
	drop(&shape->normals);
	drop(&shape->tangents);
}

static void make_buffers(snw_surface *surface, const snw_faces *faces, snw_uploads *uploads) {
	const snw_mesh *mesh = surface->mesh;
	const size_t points = mesh->point_count, corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	const size_t whole = sizeof(uint32_t);
	make_shape(mesh, &surface->shape);
	surface->worn = &surface->shape;
	surface->heat = store(NULL, NULL, 3 * points * sizeof(float), GL_R32F, GL_DYNAMIC_DRAW);
	surface->corner_points = store(uploads, mesh->face_points, corners * whole, GL_R32UI, GL_STATIC_DRAW);
	surface->point_faces = store(uploads, faces->point_faces, corners * whole, GL_R32UI, GL_STATIC_DRAW);
	surface->face_spans =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, faces->face_spans, 2 * mesh->face_count * whole, GL_STATIC_DRAW);
	surface->around = snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, faces->around, 3 * points * whole, GL_STATIC_DRAW);
	surface->edges = snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, faces->edges, 2 * faces->edge_count * whole, GL_STATIC_DRAW);
	glGenVertexArrays(1, &surface->face_array);
	glBindVertexArray(surface->face_array);
	whole_attribute(surface->face_spans, 0, 2, 0);
	glGenVertexArrays(1, &surface->point_array);
	glBindVertexArray(surface->point_array);
	glEnableVertexAttribArray(0);
	whole_attribute(surface->around, 1, 3, 0);
	glGenVertexArrays(1, &surface->edge_array);
	glBindVertexArray(surface->edge_array);
	whole_attribute(surface->edges, 0, 2, 1);
}

static void describe_corners(snw_surface *surface) {
	const GLsizei stride = sizeof(snw_corner_vertex);
	glGenVertexArrays(1, &surface->corner_array);
	glBindVertexArray(surface->corner_array);
	glBindBuffer(GL_ARRAY_BUFFER, surface->corners);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, surface->triangles);
	for (GLuint attribute = 0; attribute < 4; attribute++) {
		glEnableVertexAttribArray(attribute);
	}
	glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, stride, (const void *)offsetof(snw_corner_vertex, point));
	glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(snw_corner_vertex, uv));
	glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(snw_corner_vertex, normal));
	glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(snw_corner_vertex, color));
}

static void make_corners(snw_surface *surface, const snw_surface_draft *draft, snw_uploads *uploads) {
	const snw_mesh *mesh = surface->mesh;
	const size_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	surface->corners =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, draft->corners, corners * sizeof *draft->corners, GL_STATIC_DRAW);
	glBindVertexArray(0);
	surface->triangles = snw_uploads_buffer(uploads, GL_ELEMENT_ARRAY_BUFFER, draft->faces.triangle_corners,
											3 * (size_t)draft->faces.triangle_count * sizeof(uint32_t), GL_STATIC_DRAW);
	describe_corners(surface);
}

static void draft_rest(snw_surface_draft *draft, const snw_mesh *mesh) {
	draft->rest = SNW_NEW_ARRAY(draft->arena, float, 3 * (size_t)mesh->point_count);
	draft->heat_values = SNW_NEW_ARRAY(draft->arena, float, 3 * (size_t)mesh->point_count);
	snw_box box = snw_box_empty();
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		draft->rest[i] = (float)mesh->points_rest[i];
	}
	for (size_t p = 0; p < mesh->point_count; p++) {
		snw_box_add(&box, mesh->points_rest + 3 * p);
	}
	draft->unit = snw_box_diagonal(&box) > 0 ? 1 / snw_box_diagonal(&box) : 1;
}

snw_surface_draft *snw_surface_draft_create(const snw_mesh *mesh) {
	snw_arena *arena = snw_arena_create();
	snw_surface_draft *draft = SNW_NEW(arena, snw_surface_draft);
	draft->arena = arena;
	draft->sent = snw_arena_create();
	draft->faces = *snw_faces_make(mesh, draft->sent);
	if (draft->faces.batch_count > 0) {
		draft->faces.batches = snw_arena_copy(arena, draft->faces.batches, draft->faces.batch_count * sizeof(snw_batch));
	}
	draft_rest(draft, mesh);
	draft->corners = snw_corners_make(mesh, &draft->faces, draft->unit, draft->sent);
	return draft;
}

void snw_surface_draft_destroy(snw_surface_draft *draft) {
	if (draft) {
		snw_arena_destroy(draft->sent);
		snw_arena_destroy(draft->arena);
	}
}

snw_status snw_surface_create(const snw_surface_shaders *shaders, const snw_mesh *mesh, snw_surface_draft *draft,
							  snw_uploads *uploads, snw_surface **surface, snw_error *error) {
	const uint32_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	if (corners > (uint32_t)shaders->texel_limit || mesh->point_count > (uint32_t)shaders->texel_limit) {
		snw_surface_draft_destroy(draft);
		return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s has more points than this graphics driver draws (%d)", mesh->name,
						shaders->texel_limit);
	}
	draft = draft ? draft : snw_surface_draft_create(mesh);
	snw_surface *made = SNW_NEW(draft->arena, snw_surface);
	*made = (snw_surface){.arena = draft->arena,
						  .shaders = shaders,
						  .mesh = mesh,
						  .batch_count = draft->faces.batch_count,
						  .triangle_count = draft->faces.triangle_count,
						  .edge_count = draft->faces.edge_count,
						  .batches = draft->faces.batches,
						  .rest = draft->rest,
						  .heat_values = draft->heat_values,
						  .unit = draft->unit};
	made->is_long = snw_compute_is_too_long(mesh->point_count > mesh->face_count ? mesh->point_count : mesh->face_count, 12,
											shaders->storage_limit);
	make_buffers(made, &draft->faces, uploads);
	make_corners(made, draft, uploads);
	snw_uploads_hold(uploads, draft->sent);
	*surface = made;
	return SNW_OK;
}

void snw_surface_destroy(snw_surface *surface) {
	if (!surface) {
		return;
	}
	drop_shape(&surface->shape);
	drop(&surface->corner_points);
	drop(&surface->point_faces);
	drop(&surface->heat);
	const GLuint buffers[] = {surface->corners, surface->triangles, surface->edges, surface->face_spans, surface->around};
	const GLuint arrays[] = {surface->face_array, surface->point_array, surface->corner_array, surface->edge_array};
	glDeleteBuffers(5, buffers);
	glDeleteVertexArrays(4, arrays);
	snw_arena_destroy(surface->arena);
}

void snw_surface_follow(snw_surface *surface, const snw_mesh *mesh) {
	assert(mesh->point_count == surface->mesh->point_count && mesh->face_count == surface->mesh->face_count);
	surface->mesh = mesh;
}

snw_surface_shape *snw_surface_shape_create(const snw_surface *surface) {
	snw_surface_shape *shape = SNW_NEW(surface->arena, snw_surface_shape);
	make_shape(surface->mesh, shape);
	return shape;
}

void snw_surface_shape_destroy(snw_surface_shape *shape) {
	if (shape) {
		drop_shape(shape);
	}
}

void snw_surface_wear(snw_surface *surface, snw_surface_shape *shape) {
	surface->worn = shape ? shape : &surface->shape;
}

/* ---- posing ------------------------------------------------------------------------------------------------------- */

GLuint snw_surface_points(const snw_surface *surface) {
	return surface->worn->points.buffer;
}

GLuint snw_surface_normals(const snw_surface *surface) {
	return surface->worn->normals.buffer;
}

GLuint snw_surface_points_texture(const snw_surface *surface) {
	return surface->worn->points.texture;
}

static GLsizeiptr point_bytes(const snw_surface *surface) {
	return (GLsizeiptr)(3 * (size_t)surface->mesh->point_count * sizeof(float));
}

void snw_surface_send_points(snw_surface *surface, const float *points) {
	glBindBuffer(GL_TEXTURE_BUFFER, surface->worn->points.buffer);
	glBufferSubData(GL_TEXTURE_BUFFER, 0, point_bytes(surface), points ? points : surface->rest);
}

void snw_surface_read_points(const snw_surface *surface, float *points) {
	glBindBuffer(GL_TEXTURE_BUFFER, surface->worn->points.buffer);
	glGetBufferSubData(GL_TEXTURE_BUFFER, 0, point_bytes(surface), points);
}

static GLuint begin_normals(const snw_surface *surface, GLuint program, const GLuint textures[], int count) {
	glUseProgram(program);
	snw_uniform_float(program, "unit", surface->unit);
	for (int unit = 0; unit < count; unit++) {
		snw_texture_buffer_bind(unit, textures[unit]);
	}
	return program;
}

static void compute(GLuint program, const char *counter, uint32_t count, const GLuint buffers[], GLuint buffer_count) {
	snw_uniform_whole(program, counter, (int)count);
	for (GLuint i = 0; i < buffer_count; i++) {
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
	}
	snw_compute_run(count);
}

void snw_surface_find_normals(snw_surface *surface) {
	const snw_surface_shaders *shaders = surface->shaders;
	const snw_surface_shape *shape = surface->worn;
	const uint32_t face_count = surface->mesh->face_count, point_count = surface->mesh->point_count;
	const bool computes = shaders->path == SNW_GPU_COMPUTE && shaders->has_compute && !surface->is_long;
	const snw_gpu_path path = computes ? SNW_GPU_COMPUTE : SNW_GPU_FEEDBACK;
	const GLuint of_faces[] = {surface->corner_points.texture, shape->points.texture};
	const GLuint of_points[] = {surface->point_faces.texture, shape->areas.texture, shape->points.texture};
	const GLuint face_program = begin_normals(surface, shaders->face_normal[path], of_faces, 2);
	if (computes) {
		const GLuint buffers[] = {surface->face_spans, shape->areas.buffer};
		compute(face_program, "face_count", face_count, buffers, 2);
	} else {
		snw_capture_points(surface->face_array, face_count, shape->areas.buffer);
	}
	const GLuint point_program = begin_normals(surface, shaders->point_normal[path], of_points, 3);
	if (computes) {
		const GLuint buffers[] = {surface->around, shape->normals.buffer, shape->tangents.buffer};
		compute(point_program, "point_count", point_count, buffers, 3);
	} else {
		glBindVertexArray(surface->point_array);
		glBindBuffer(GL_ARRAY_BUFFER, shape->points.buffer);
		glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
		snw_capture(surface->point_array, point_count, shape->normals.buffer, shape->tangents.buffer);
	}
}

void snw_surface_send_normals(snw_surface *surface, const float *normals) {
	glBindBuffer(GL_TEXTURE_BUFFER, surface->worn->normals.buffer);
	glBufferSubData(GL_TEXTURE_BUFFER, 0, point_bytes(surface), normals);
}

double snw_surface_normal_bytes(const snw_surface *surface) {
	const snw_mesh *mesh = surface->mesh;
	const double corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	const double faces = 8 + 12 + 12;        /* span; area written and read */
	const double points = 12 + 12 + 12 + 24; /* position twice, surroundings, frame */
	return faces * mesh->face_count + points * mesh->point_count + 8 * corners;
}

void snw_surface_read_normals(const snw_surface *surface, float *normals) {
	glBindBuffer(GL_TEXTURE_BUFFER, surface->worn->normals.buffer);
	glGetBufferSubData(GL_TEXTURE_BUFFER, 0, point_bytes(surface), normals);
}

/* The same buffer, seen as one number a point or as three. */
static void send_heat(snw_surface *surface, size_t components) {
	const bool colored = components == 3;
	if (colored != surface->colored) {
		glBindTexture(GL_TEXTURE_BUFFER, surface->heat.texture);
		glTexBuffer(GL_TEXTURE_BUFFER, colored ? GL_RGB32F : GL_R32F, surface->heat.buffer);
		surface->colored = colored;
	}
	glBindBuffer(GL_TEXTURE_BUFFER, surface->heat.buffer);
	glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)(components * surface->mesh->point_count * sizeof(float)),
					surface->heat_values);
}

void snw_surface_set_heat(snw_surface *surface, const double *values, double minimum, double maximum) {
	surface->heated = values != NULL;
	if (!values) {
		return;
	}
	for (size_t p = 0; p < surface->mesh->point_count; p++) {
		surface->heat_values[p] = (float)((values[p] - minimum) / (maximum > minimum ? maximum - minimum : 1));
	}
	send_heat(surface, 1);
}

void snw_surface_set_colors(snw_surface *surface, const double *colors) {
	surface->heated = colors != NULL;
	if (!colors) {
		return;
	}
	for (size_t i = 0; i < 3 * (size_t)surface->mesh->point_count; i++) {
		surface->heat_values[i] = (float)colors[i];
	}
	send_heat(surface, 3);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

static void into_eye(const snw_camera_matrices *camera, const double place[3], float eye[3]) {
	for (int r = 0; r < 3; r++) {
		eye[r] = 0;
		for (int c = 0; c < 3; c++) {
			eye[r] += camera->eye_from_world[3 * c + r] * (float)(place[c] - (double)camera->eye[c]);
		}
	}
}

/* The brush in eye axes, and how much shows through. */
static void use_looks(GLuint program, const snw_surface_setting *setting) {
	const snw_brush_ring *brush = setting->brush;
	float middle[3] = {0}, other[3] = {0}, color[4] = {0}, sizes[3] = {0};
	if (brush) {
		into_eye(setting->camera, brush->place, middle);
		into_eye(setting->camera, brush->other, other);
		for (int c = 0; c < 3; c++) {
			color[c] = powf(brush->color[c], 2.2f);
		}
		color[3] = brush->color[3];
		sizes[0] = (float)brush->radius;
		sizes[1] = (float)(brush->radius * brush->core);
		sizes[2] = (float)brush->other_radius;
	}
	snw_uniform_vector(program, "brush_middle", 3, middle);
	snw_uniform_vector(program, "brush_other", 3, other);
	snw_uniform_vector(program, "brush_sizes", 3, sizes);
	snw_uniform_vector(program, "brush_color", 4, color);
	snw_uniform_vector(program, "tint", 4, setting->tint);
	snw_uniform_float(program, "opacity", (double)setting->opacity);
}

static void use_camera(GLuint program, const snw_camera_matrices *camera) {
	snw_uniform_matrix(program, "clip_from_world", 4, camera->clip_from_world);
	snw_uniform_matrix(program, "eye_from_world", 3, camera->eye_from_world);
	snw_uniform_vector(program, "eye", 3, camera->eye);
}

void snw_surface_draw(const snw_surface *surface, const snw_materials *materials, const snw_surface_setting *setting,
					  bool blended) {
	const GLuint program = surface->shaders->surface;
	const GLuint textures[5] = {surface->worn->points.texture, surface->worn->normals.texture, surface->worn->tangents.texture,
								surface->worn->areas.texture, surface->heat.texture};
	glUseProgram(program);
	use_camera(program, setting->camera);
	snw_key_light_use(setting->light, setting->key, program);
	snw_uniform_whole(program, "flat_shaded", setting->flat);
	const bool heated = surface->heated && setting->tint[3] <= 0;
	snw_uniform_whole(program, "heated", heated && !setting->shaded);
	snw_uniform_whole(program, "shaded", heated && setting->shaded);
	snw_uniform_whole(program, "heat_is_color", surface->colored);
	use_looks(program, setting);
	for (int unit = 0; unit < 5; unit++) {
		snw_texture_buffer_bind(unit, textures[unit]);
	}
	glActiveTexture(GL_TEXTURE0 + SNW_UNIT_HEAT_RAMP);
	glBindTexture(GL_TEXTURE_2D, setting->heat_ramp);
	glBindVertexArray(surface->corner_array);
	for (uint32_t b = 0; b < surface->batch_count; b++) {
		const snw_batch *batch = &surface->batches[b];
		const uint32_t material = setting->clay ? SNW_NONE : batch->material;
		const bool is_blended = (!surface->heated || setting->shaded) && snw_material_is_blended(materials, material);
		if (setting->opacity < 1 || is_blended == blended) {
			snw_material_use(materials, material, program);
			glDrawElements(GL_TRIANGLES, (GLsizei)batch->count, GL_UNSIGNED_INT,
						   (const void *)((size_t)batch->begin * sizeof(uint32_t)));
		}
	}
}

void snw_surface_draw_key_depth(const snw_surface *surface, const snw_surface_setting *setting) {
	const GLuint program = surface->shaders->key_depth;
	glUseProgram(program);
	use_camera(program, setting->camera);
	snw_uniform_matrix(program, "key_from_eye", 4, setting->key->key_from_eye);
	snw_texture_buffer_bind(0, surface->worn->points.texture);
	glBindVertexArray(surface->corner_array);
	glDrawElements(GL_TRIANGLES, (GLsizei)(3 * surface->triangle_count), GL_UNSIGNED_INT, NULL);
}

void snw_surface_draw_wire(const snw_surface *surface, const snw_camera_matrices *camera, uint32_t picture_width,
						   uint32_t picture_height, const float color[4], double width) {
	const GLuint program = surface->shaders->wire;
	const float viewport[2] = {(float)picture_width, (float)picture_height};
	glUseProgram(program);
	snw_uniform_matrix(program, "clip_from_world", 4, camera->clip_from_world);
	snw_uniform_vector(program, "viewport", 2, viewport);
	snw_uniform_vector(program, "wire_color", 4, color);
	snw_uniform_float(program, "width", width);
	snw_texture_buffer_bind(0, surface->worn->points.texture);
	glBindVertexArray(surface->edge_array);
	glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)surface->edge_count);
}

void snw_surface_draw_shadow(const snw_surface *surface, const float middle[3], double reach) {
	const GLuint program = surface->shaders->shadow;
	glUseProgram(program);
	snw_uniform_vector(program, "middle", 3, middle);
	snw_uniform_float(program, "shadow_reach", reach);
	snw_texture_buffer_bind(0, surface->worn->points.texture);
	glBindVertexArray(surface->corner_array);
	glDrawElements(GL_TRIANGLES, (GLsizei)(3 * surface->triangle_count), GL_UNSIGNED_INT, NULL);
}
