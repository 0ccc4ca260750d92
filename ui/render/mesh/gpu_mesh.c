/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffers of a mesh, the passes that find normals, and drawing. The vertices are corners; they read the data of their
 * point from buffer textures over the buffers that transform feedback wrote.
 */
#include "render/mesh/gpu_mesh.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "render/gl/shader.h"

/* One buffer and the buffer texture over it. */
typedef struct stored {
	GLuint buffer, texture;
} stored;

struct snw_gpu_mesh_pose {
	stored points, areas, normals, tangents;
	bool is_instanced;
	snw_gpu_instances instances; /* of a crowd */
};

enum { UNIT_INSTANCES = 11 }; /* of surface.vert; those of materials come before it */

struct snw_gpu_mesh_data {
	snw_arena *arena; /* becomes the GPU mesh's */
	snw_arena *sent;  /* for data that is only uploaded */
	snw_faces faces;  /* all but the material_spans in `sent` */
	float *rest;      /* [point_count][3] */
	snw_box rest_box;
	double unit; /* 1 / diagonal of the rest */
	snw_corner_vertex *corners;
};

struct snw_gpu_mesh {
	snw_arena *arena;
	const snw_gpu_mesh_shaders *shaders;
	const snw_mesh *mesh;
	uint32_t material_span_count, triangle_count, edge_count;
	const snw_material_span *material_spans;
	float *rest; /* [point_count][3] */
	/* [point_count][3]: the last heat map, one number a point, scaled to 0 to 1; or the last colours. NULL before the first. */
	float *heat_values;
	snw_box rest_box;
	double unit; /* 1 / diagonal of the rest */
	snw_gpu_mesh_pose pose, *shown;
	stored indices, heat; /* `indices` of snw_faces in one buffer: a driver keeps kilobytes for a buffer and its texture */
	GLuint corners, triangles, edges, face_spans, around; /* buffers */
	bool heated, colored;                                 /* a heat map is shown; it has colours */
	bool is_long;                                         /* too long for compute */
};

/* `defines`: "" for the mesh alone. */
static snw_status link_normals(snw_gpu_path path, const char *defines, snw_normal_shaders *normals, snw_error *error) {
	const bool compute = path == SNW_GPU_COMPUTE;
	const snw_shader_recipe face = {.vertex = compute ? NULL : "face_normal.vert",
									.compute = compute ? "face_normal.comp" : NULL,
									.defines = defines,
									.captured = {compute ? NULL : "area"},
									.samplers = {"corner_points", "points"}};
	snw_status status = snw_shader_link(&face, &normals->face_normal, error);
	for (int tangents = 0; tangents < 2 && !snw_failed(status); tangents++) {
		char both[80];
		snprintf(both, sizeof both, "%s%s", defines, tangents ? "#define TANGENTS\n" : "");
		const snw_shader_recipe point = {.vertex = compute ? NULL : "point_normal.vert",
										 .compute = compute ? "point_normal.comp" : NULL,
										 .defines = both,
										 .captured = {compute ? NULL : "normal", compute || !tangents ? NULL : "tangent"},
										 .samplers = {"point_faces", "areas", "points"}};
		status = snw_shader_link(&point, &normals->point_normal[tangents], error);
	}
	return status;
}

static void drop_normals(snw_normal_shaders *normals) {
	glDeleteProgram(normals->face_normal);
	glDeleteProgram(normals->point_normal[0]);
	glDeleteProgram(normals->point_normal[1]);
}

snw_status snw_gpu_mesh_shaders_add_compute(snw_gpu_mesh_shaders *shaders, snw_error *error) {
	GLint64 bytes = 0;
	if (shaders->has_compute || !snw_shader_has_compute()) {
		return SNW_OK;
	}
	glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
	shaders->storage_limit = (uint64_t)bytes;
	const snw_status status = link_normals(SNW_GPU_COMPUTE, "", &shaders->normals[SNW_GPU_COMPUTE], error);
	shaders->has_compute = !snw_failed(status);
	return status;
}

static snw_status link_surface(const char *defines, GLuint *program, snw_error *error) {
	const snw_shader_recipe surface = {.vertex = "surface.vert",
									   .fragment = "surface.frag",
									   .defines = defines,
									   .samplers = {"points", "normals", "tangents", "areas", "heat", "base_color_texture",
													"metallic_roughness_texture", "heat_ramp", "key_depth", "normal_texture",
													"emissive_texture", "instances"}};
	return snw_shader_link(&surface, program, error);
}

snw_status snw_gpu_mesh_shaders_create(snw_gpu_mesh_shaders *shaders, snw_error *error) {
	const snw_shader_recipe wire = {.vertex = "wire.vert", .fragment = "wire.frag", .samplers = {"points"}};
	const snw_shader_recipe shadow = {.vertex = "shadow.vert", .fragment = "shadow.frag", .samplers = {"points"}};
	const snw_shader_recipe key_depth = {.vertex = "key_depth.vert", .samplers = {"points"}};
	*shaders = (snw_gpu_mesh_shaders){0};
	glGenVertexArrays(1, &shaders->face_array);
	glGenVertexArrays(1, &shaders->point_array);
	glGenVertexArrays(1, &shaders->edge_array);
	glGenVertexArrays(1, &shaders->corner_array);
	glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &shaders->texel_limit);
	snw_status status = link_normals(SNW_GPU_FEEDBACK, "", &shaders->normals[SNW_GPU_FEEDBACK], error);
	for (int shadows = 0; shadows < 2 && !snw_failed(status); shadows++) {
		status = link_surface(snw_key_light_defines[shadows], &shaders->surface[shadows], error);
	}
	status = snw_failed(status) ? status : snw_shader_link(&wire, &shaders->wire, error);
	status = snw_failed(status) ? status : snw_shader_link(&key_depth, &shaders->key_depth, error);
	return snw_failed(status) ? status : snw_shader_link(&shadow, &shaders->shadow, error);
}

snw_status snw_gpu_mesh_shaders_add_instanced(snw_gpu_mesh_shaders *shaders, snw_error *error) {
	const char *const defines = "#define INSTANCED\n";
	const snw_shader_recipe shadow = {
		.vertex = "shadow.vert", .fragment = "shadow.frag", .defines = defines, .samplers = {"points", "instances"}};
	const snw_shader_recipe key_depth = {.vertex = "key_depth.vert", .defines = defines, .samplers = {"points", "instances"}};
	if (shaders->instanced.key_depth) {
		return SNW_OK;
	}
	snw_status status = link_normals(SNW_GPU_FEEDBACK, defines, &shaders->instanced.normals, error);
	for (int shadows = 0; shadows < 2 && !snw_failed(status); shadows++) {
		char both[80];
		snprintf(both, sizeof both, "%s%s", defines, snw_key_light_defines[shadows] ? snw_key_light_defines[shadows] : "");
		status = link_surface(both, &shaders->instanced.surface[shadows], error);
	}
	status = snw_failed(status) ? status : snw_shader_link(&shadow, &shaders->instanced.shadow, error);
	return snw_failed(status) ? status : snw_shader_link(&key_depth, &shaders->instanced.key_depth, error);
}

void snw_gpu_mesh_shaders_destroy(snw_gpu_mesh_shaders *shaders) {
	for (int path = 0; path < SNW_GPU_PATH_COUNT; path++) {
		drop_normals(&shaders->normals[path]);
	}
	for (int shadows = 0; shadows < 2; shadows++) {
		glDeleteProgram(shaders->surface[shadows]);
		glDeleteProgram(shaders->instanced.surface[shadows]);
	}
	drop_normals(&shaders->instanced.normals);
	glDeleteProgram(shaders->instanced.shadow);
	glDeleteProgram(shaders->instanced.key_depth);
	glDeleteProgram(shaders->wire);
	glDeleteProgram(shaders->shadow);
	glDeleteProgram(shaders->key_depth);
	const GLuint arrays[] = {shaders->face_array, shaders->point_array, shaders->edge_array, shaders->corner_array};
	glDeleteVertexArrays(4, arrays);
	*shaders = (snw_gpu_mesh_shaders){0};
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static stored store(snw_uploads *uploads, const void *data, size_t bytes, GLenum format, GLenum usage) {
	stored made;
	made.buffer = snw_uploads_buffer(uploads, GL_TEXTURE_BUFFER, data, bytes, usage);
	made.texture = snw_texture_buffer_make(made.buffer, format);
	return made;
}

static void drop(stored *stored_data) {
	glDeleteTextures(1, &stored_data->texture);
	glDeleteBuffers(1, &stored_data->buffer);
}

/* Binds a vertex array with one buffer of whole numbers in it. A driver keeps kilobytes for an array, so meshes share them. */
static GLuint fill_array(GLuint array, GLuint buffer, GLuint attribute, GLint components, GLuint divisor) {
	glBindVertexArray(array);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glEnableVertexAttribArray(attribute);
	glVertexAttribIPointer(attribute, components, GL_UNSIGNED_INT, 0, NULL);
	glVertexAttribDivisor(attribute, divisor);
	return array;
}

static GLuint fill_face_array(const snw_gpu_mesh *gpu_mesh) {
	return fill_array(gpu_mesh->shaders->face_array, gpu_mesh->face_spans, 0, 2, 0);
}

static GLuint fill_point_array(const snw_gpu_mesh *gpu_mesh) {
	return fill_array(gpu_mesh->shaders->point_array, gpu_mesh->around, 1, 3, 0);
}

/* Normals and tangents of corners are kept in the axes of their points. */
static bool has_tangents(const snw_mesh *mesh) {
	return mesh->corner_normals || mesh->corner_tangents;
}

static void make_pose(const snw_mesh *mesh, size_t instances, snw_gpu_mesh_pose *pose) {
	const size_t vector = 3 * sizeof(float) * instances, points = mesh->point_count * vector;
	pose->points = store(NULL, NULL, points, GL_RGB32F, GL_DYNAMIC_COPY);
	pose->areas = store(NULL, NULL, mesh->face_count * vector, GL_RGB32F, GL_DYNAMIC_COPY);
	pose->normals = store(NULL, NULL, points, GL_RGB32F, GL_DYNAMIC_COPY);
	if (has_tangents(mesh)) {
		pose->tangents = store(NULL, NULL, points, GL_RGB32F, GL_DYNAMIC_COPY);
	}
}

static void drop_pose(snw_gpu_mesh_pose *pose) {
	drop(&pose->points);
	drop(&pose->areas);
	drop(&pose->normals);
	drop(&pose->tangents);
}

static void make_buffers(snw_gpu_mesh *gpu_mesh, const snw_faces *faces, snw_uploads *uploads) {
	const snw_mesh *mesh = gpu_mesh->mesh;
	const size_t points = mesh->point_count, corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	const size_t whole = sizeof(uint32_t);
	make_pose(mesh, 1, &gpu_mesh->pose);
	gpu_mesh->shown = &gpu_mesh->pose;
	gpu_mesh->indices = store(uploads, faces->indices, 2 * corners * whole, GL_R32UI, GL_STATIC_DRAW);
	gpu_mesh->face_spans =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, faces->face_spans, 2 * mesh->face_count * whole, GL_STATIC_DRAW);
	gpu_mesh->around = snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, faces->around, 3 * points * whole, GL_STATIC_DRAW);
	gpu_mesh->edges = snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, faces->edges, 2 * faces->edge_count * whole, GL_STATIC_DRAW);
}

static void fill_corner_array(const snw_gpu_mesh *gpu_mesh) {
	const GLsizei stride = sizeof(snw_corner_vertex);
	glBindVertexArray(gpu_mesh->shaders->corner_array);
	glBindBuffer(GL_ARRAY_BUFFER, gpu_mesh->corners);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gpu_mesh->triangles);
	for (GLuint attribute = 0; attribute < 5; attribute++) {
		glEnableVertexAttribArray(attribute);
	}
	glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, stride, (const void *)offsetof(snw_corner_vertex, point));
	glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(snw_corner_vertex, uv));
	glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(snw_corner_vertex, normal));
	glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(snw_corner_vertex, color));
	glVertexAttribPointer(4, 4, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(snw_corner_vertex, tangent));
}

static void make_corners(snw_gpu_mesh *gpu_mesh, const snw_gpu_mesh_data *data, snw_uploads *uploads) {
	const snw_mesh *mesh = gpu_mesh->mesh;
	const size_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	gpu_mesh->corners =
		snw_uploads_buffer(uploads, GL_ARRAY_BUFFER, data->corners, corners * sizeof *data->corners, GL_STATIC_DRAW);
	glBindVertexArray(0);
	gpu_mesh->triangles = snw_uploads_buffer(uploads, GL_ELEMENT_ARRAY_BUFFER, data->faces.triangle_corners,
											 3 * (size_t)data->faces.triangle_count * sizeof(uint32_t), GL_STATIC_DRAW);
}

static void prepare_rest(snw_gpu_mesh_data *data, const snw_mesh *mesh) {
	data->rest = SNW_NEW_ARRAY(data->arena, float, 3 * (size_t)mesh->point_count);
	data->rest_box = snw_box_empty();
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		data->rest[i] = (float)mesh->points_rest[i];
	}
	snw_box_add_points(&data->rest_box, mesh->points_rest, mesh->point_count);
	const double diagonal = snw_box_diagonal(&data->rest_box);
	data->unit = diagonal > 0 ? 1 / diagonal : 1;
}

snw_gpu_mesh_data *snw_gpu_mesh_data_create(const snw_mesh *mesh) {
	snw_arena *arena = snw_arena_create();
	snw_gpu_mesh_data *data = SNW_NEW(arena, snw_gpu_mesh_data);
	data->arena = arena;
	data->sent = snw_arena_create();
	data->faces = *snw_faces_make(mesh, data->sent);
	if (data->faces.material_span_count > 0) {
		data->faces.material_spans =
			snw_arena_copy(arena, data->faces.material_spans, data->faces.material_span_count * sizeof(snw_material_span));
	}
	prepare_rest(data, mesh);
	data->corners = snw_corners_make(mesh, &data->faces, data->unit, data->sent);
	return data;
}

void snw_gpu_mesh_data_destroy(snw_gpu_mesh_data *data) {
	if (data) {
		snw_arena_destroy(data->sent);
		snw_arena_destroy(data->arena);
	}
}

snw_status snw_gpu_mesh_create(const snw_gpu_mesh_shaders *shaders, const snw_mesh *mesh, snw_gpu_mesh_data *data,
							   snw_uploads *uploads, snw_gpu_mesh **gpu_mesh, snw_error *error) {
	const uint32_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	if (corners > (uint32_t)shaders->texel_limit / 2 || mesh->point_count > (uint32_t)shaders->texel_limit) {
		snw_gpu_mesh_data_destroy(data);
		return snw_fail(error, SNW_ERROR_LIMIT, "mesh %s has more points than this graphics driver draws (%d)", mesh->name,
						shaders->texel_limit);
	}
	data = data ? data : snw_gpu_mesh_data_create(mesh);
	snw_gpu_mesh *made = SNW_NEW(data->arena, snw_gpu_mesh);
	*made = (snw_gpu_mesh){.arena = data->arena,
						   .shaders = shaders,
						   .mesh = mesh,
						   .material_span_count = data->faces.material_span_count,
						   .triangle_count = data->faces.triangle_count,
						   .edge_count = data->faces.edge_count,
						   .material_spans = data->faces.material_spans,
						   .rest = data->rest,
						   .rest_box = data->rest_box,
						   .unit = data->unit};
	made->is_long = snw_compute_is_too_long(mesh->point_count > mesh->face_count ? mesh->point_count : mesh->face_count, 12,
											shaders->storage_limit);
	make_buffers(made, &data->faces, uploads);
	make_corners(made, data, uploads);
	snw_uploads_adopt(uploads, data->sent);
	*gpu_mesh = made;
	return SNW_OK;
}

void snw_gpu_mesh_destroy(snw_gpu_mesh *gpu_mesh) {
	if (!gpu_mesh) {
		return;
	}
	drop_pose(&gpu_mesh->pose);
	drop(&gpu_mesh->indices);
	drop(&gpu_mesh->heat);
	const GLuint buffers[] = {gpu_mesh->corners, gpu_mesh->triangles, gpu_mesh->edges, gpu_mesh->face_spans, gpu_mesh->around};
	glDeleteBuffers(5, buffers);
	snw_arena_destroy(gpu_mesh->arena);
}

void snw_gpu_mesh_replace(snw_gpu_mesh *gpu_mesh, const snw_mesh *mesh) {
	assert(mesh->point_count == gpu_mesh->mesh->point_count && mesh->face_count == gpu_mesh->mesh->face_count);
	gpu_mesh->mesh = mesh;
}

snw_gpu_mesh_pose *snw_gpu_mesh_pose_create(const snw_gpu_mesh *gpu_mesh) {
	snw_gpu_mesh_pose *pose = SNW_NEW(gpu_mesh->arena, snw_gpu_mesh_pose);
	make_pose(gpu_mesh->mesh, 1, pose);
	return pose;
}

snw_gpu_mesh_pose *snw_gpu_mesh_pose_create_instances(const snw_gpu_mesh *gpu_mesh, uint32_t room) {
	snw_gpu_mesh_pose *pose = SNW_NEW(gpu_mesh->arena, snw_gpu_mesh_pose);
	make_pose(gpu_mesh->mesh, room, pose);
	pose->is_instanced = true;
	return pose;
}

void snw_gpu_mesh_pose_set_instances(snw_gpu_mesh_pose *pose, const snw_gpu_instances *instances) {
	pose->instances = *instances;
}

size_t snw_gpu_mesh_instance_bytes(const snw_mesh *mesh) {
	return 3 * sizeof(float) * ((has_tangents(mesh) ? 3 : 2) * (size_t)mesh->point_count + mesh->face_count);
}

void snw_gpu_mesh_pose_destroy(snw_gpu_mesh_pose *pose) {
	if (pose) {
		drop_pose(pose);
	}
}

void snw_gpu_mesh_use_pose(snw_gpu_mesh *gpu_mesh, snw_gpu_mesh_pose *pose) {
	gpu_mesh->shown = pose ? pose : &gpu_mesh->pose;
}

/* ---- posing -------------------------------------------------------------------------------------------------------------- */

GLuint snw_gpu_mesh_points(const snw_gpu_mesh *gpu_mesh) {
	return gpu_mesh->shown->points.buffer;
}

GLuint snw_gpu_mesh_normals(const snw_gpu_mesh *gpu_mesh) {
	return gpu_mesh->shown->normals.buffer;
}

GLuint snw_gpu_mesh_points_texture(const snw_gpu_mesh *gpu_mesh) {
	return gpu_mesh->shown->points.texture;
}

static GLsizeiptr point_bytes(const snw_gpu_mesh *gpu_mesh) {
	return (GLsizeiptr)(3 * (size_t)gpu_mesh->mesh->point_count * sizeof(float));
}

void snw_gpu_mesh_send_points(snw_gpu_mesh *gpu_mesh, const float *points) {
	const snw_gpu_mesh_pose *pose = gpu_mesh->shown;
	const GLsizeiptr bytes = point_bytes(gpu_mesh);
	glBindBuffer(GL_TEXTURE_BUFFER, pose->points.buffer);
	for (GLsizeiptr i = 0; i < (pose->is_instanced ? (GLsizeiptr)pose->instances.count : 1); i++) {
		glBufferSubData(GL_TEXTURE_BUFFER, i * bytes, bytes, points ? points : gpu_mesh->rest);
	}
}

const snw_box *snw_gpu_mesh_rest_box(const snw_gpu_mesh *gpu_mesh) {
	return &gpu_mesh->rest_box;
}

void snw_gpu_mesh_read_points(const snw_gpu_mesh *gpu_mesh, float *points) {
	glBindBuffer(GL_TEXTURE_BUFFER, gpu_mesh->shown->points.buffer);
	glGetBufferSubData(GL_TEXTURE_BUFFER, 0, point_bytes(gpu_mesh), points);
}

static GLuint begin_normals(const snw_gpu_mesh *gpu_mesh, GLuint program, const GLuint textures[], int count) {
	glUseProgram(program);
	snw_uniform_float(program, "unit", gpu_mesh->unit);
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

static void find_instance_normals(const snw_gpu_mesh *gpu_mesh) {
	const snw_gpu_mesh_pose *pose = gpu_mesh->shown;
	const snw_normal_shaders *normals = &gpu_mesh->shaders->instanced.normals;
	const uint32_t face_count = gpu_mesh->mesh->face_count, point_count = gpu_mesh->mesh->point_count;
	const GLuint of_faces[] = {gpu_mesh->indices.texture, pose->points.texture};
	const GLuint of_points[] = {gpu_mesh->indices.texture, pose->areas.texture, pose->points.texture};
	const GLuint face_program = begin_normals(gpu_mesh, normals->face_normal, of_faces, 2);
	snw_uniform_whole(face_program, "point_count", (int)point_count);
	snw_capture_instances(fill_face_array(gpu_mesh), face_count, pose->instances.count, pose->areas.buffer, 0);
	const GLuint point_program = begin_normals(gpu_mesh, normals->point_normal[pose->tangents.buffer != 0], of_points, 3);
	snw_uniform_whole(point_program, "point_count", (int)point_count);
	snw_uniform_whole(point_program, "face_count", (int)face_count);
	const GLuint point_array = fill_point_array(gpu_mesh);
	glDisableVertexAttribArray(0);
	snw_capture_instances(point_array, point_count, pose->instances.count, pose->normals.buffer, pose->tangents.buffer);
}

void snw_gpu_mesh_find_normals(snw_gpu_mesh *gpu_mesh) {
	if (gpu_mesh->shown->is_instanced) {
		find_instance_normals(gpu_mesh);
		return;
	}
	const snw_gpu_mesh_shaders *shaders = gpu_mesh->shaders;
	const snw_gpu_mesh_pose *pose = gpu_mesh->shown;
	const uint32_t face_count = gpu_mesh->mesh->face_count, point_count = gpu_mesh->mesh->point_count;
	const bool computes = shaders->path == SNW_GPU_COMPUTE && shaders->has_compute && !gpu_mesh->is_long;
	const snw_gpu_path path = computes ? SNW_GPU_COMPUTE : SNW_GPU_FEEDBACK;
	const GLuint of_faces[] = {gpu_mesh->indices.texture, pose->points.texture};
	const GLuint of_points[] = {gpu_mesh->indices.texture, pose->areas.texture, pose->points.texture};
	const GLuint face_program = begin_normals(gpu_mesh, shaders->normals[path].face_normal, of_faces, 2);
	if (computes) {
		const GLuint buffers[] = {gpu_mesh->face_spans, pose->areas.buffer};
		compute(face_program, "face_count", face_count, buffers, 2);
	} else {
		snw_capture_points(fill_face_array(gpu_mesh), face_count, pose->areas.buffer);
	}
	const GLuint point_program =
		begin_normals(gpu_mesh, shaders->normals[path].point_normal[pose->tangents.buffer != 0], of_points, 3);
	if (computes) {
		const GLuint buffers[] = {gpu_mesh->around, pose->normals.buffer, pose->tangents.buffer};
		compute(point_program, "point_count", point_count, buffers, pose->tangents.buffer ? 3 : 2);
	} else {
		const GLuint point_array = fill_point_array(gpu_mesh);
		glBindBuffer(GL_ARRAY_BUFFER, pose->points.buffer);
		glEnableVertexAttribArray(0);
		glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
		snw_capture(point_array, point_count, pose->normals.buffer, pose->tangents.buffer);
	}
}

double snw_gpu_mesh_normal_bytes(const snw_gpu_mesh *gpu_mesh) {
	const snw_mesh *mesh = gpu_mesh->mesh;
	const double corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	const double faces = 8 + 12 + 12;                                    /* span; area written and read */
	const double points = 12 + 12 + 12 + (has_tangents(mesh) ? 24 : 12); /* position twice, surroundings, normal or axes */
	return faces * mesh->face_count + points * mesh->point_count + 8 * corners;
}

void snw_gpu_mesh_read_normals(const snw_gpu_mesh *gpu_mesh, float *normals) {
	glBindBuffer(GL_TEXTURE_BUFFER, gpu_mesh->shown->normals.buffer);
	glGetBufferSubData(GL_TEXTURE_BUFFER, 0, point_bytes(gpu_mesh), normals);
}

/* The same buffer, seen as one number a point or as three. */
/* Most meshes never show one, and a driver keeps kilobytes for a buffer and its texture. */
static void make_heat(snw_gpu_mesh *gpu_mesh) {
	const size_t count = 3 * (size_t)gpu_mesh->mesh->point_count;
	if (!gpu_mesh->heat_values) {
		gpu_mesh->heat_values = SNW_NEW_ARRAY(gpu_mesh->arena, float, count);
		gpu_mesh->heat = store(NULL, NULL, count * sizeof(float), GL_R32F, GL_DYNAMIC_DRAW);
	}
}

static void send_heat(snw_gpu_mesh *gpu_mesh, size_t components) {
	const bool colored = components == 3;
	if (colored != gpu_mesh->colored) {
		glBindTexture(GL_TEXTURE_BUFFER, gpu_mesh->heat.texture);
		glTexBuffer(GL_TEXTURE_BUFFER, colored ? GL_RGB32F : GL_R32F, gpu_mesh->heat.buffer);
		gpu_mesh->colored = colored;
	}
	glBindBuffer(GL_TEXTURE_BUFFER, gpu_mesh->heat.buffer);
	glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)(components * gpu_mesh->mesh->point_count * sizeof(float)),
					gpu_mesh->heat_values);
}

void snw_gpu_mesh_set_heat(snw_gpu_mesh *gpu_mesh, const double *values, double minimum, double maximum) {
	gpu_mesh->heated = values != NULL;
	if (!values) {
		return;
	}
	make_heat(gpu_mesh);
	for (size_t p = 0; p < gpu_mesh->mesh->point_count; p++) {
		gpu_mesh->heat_values[p] = (float)((values[p] - minimum) / (maximum > minimum ? maximum - minimum : 1));
	}
	send_heat(gpu_mesh, 1);
}

void snw_gpu_mesh_set_colors(snw_gpu_mesh *gpu_mesh, const double *colors) {
	gpu_mesh->heated = colors != NULL;
	if (!colors) {
		return;
	}
	make_heat(gpu_mesh);
	for (size_t i = 0; i < 3 * (size_t)gpu_mesh->mesh->point_count; i++) {
		gpu_mesh->heat_values[i] = (float)colors[i];
	}
	send_heat(gpu_mesh, 3);
}

/* ---- hidden faces -------------------------------------------------------------------------------------------------------- */

/* An edge is hidden if all faces at one of its ends are. */
static void hide_edges(const snw_mesh *mesh, const snw_faces *faces, const bool *hidden, snw_arena *arena) {
	bool *is_seen = SNW_NEW_ARRAY(arena, bool, mesh->point_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1] && !hidden[f]; c++) {
			is_seen[mesh->face_points[c]] = true;
		}
	}
	for (size_t e = 0; e < faces->edge_count; e++) {
		uint32_t *ends = faces->edges + 2 * e;
		ends[1] = is_seen[ends[0]] && is_seen[ends[1]] ? ends[1] : ends[0];
	}
}

/* A hidden triangle or edge becomes one without extent, so that the spans of the materials stay as they are. */
void snw_gpu_mesh_hide_faces(snw_gpu_mesh *gpu_mesh, const bool *hidden) {
	snw_arena *scratch = snw_arena_create();
	const snw_faces *faces = snw_faces_make(gpu_mesh->mesh, scratch);
	for (size_t t = 0; t < faces->triangle_count && hidden; t++) {
		uint32_t *corners = faces->triangle_corners + 3 * t;
		if (hidden[faces->corner_faces[corners[0]]]) {
			corners[1] = corners[2] = corners[0];
		}
	}
	if (hidden) {
		hide_edges(gpu_mesh->mesh, faces, hidden, scratch);
	}
	glBindBuffer(GL_ARRAY_BUFFER, gpu_mesh->triangles);
	glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(3 * (size_t)faces->triangle_count * sizeof(uint32_t)),
					faces->triangle_corners);
	glBindBuffer(GL_ARRAY_BUFFER, gpu_mesh->edges);
	glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(2 * (size_t)faces->edge_count * sizeof(uint32_t)), faces->edges);
	snw_arena_destroy(scratch);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------- */

static void into_eye(const snw_camera_matrices *camera, const double place[3], float eye[3]) {
	for (int r = 0; r < 3; r++) {
		eye[r] = 0;
		for (int c = 0; c < 3; c++) {
			eye[r] += camera->eye_from_world[3 * c + r] * (float)(place[c] - (double)camera->eye[c]);
		}
	}
}

/* The brush in eye axes, and how much shows through. */
static void set_appearance(GLuint program, const snw_draw_settings *settings) {
	const snw_brush_ring *brush = settings->brush;
	float middle[3] = {0}, other[3] = {0}, color[4] = {0}, sizes[3] = {0};
	if (brush) {
		into_eye(settings->camera, brush->place, middle);
		into_eye(settings->camera, brush->other, other);
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
	snw_uniform_vector(program, "tint", 4, settings->tint);
	snw_uniform_float(program, "opacity", (double)settings->opacity);
}

static void use_camera(GLuint program, const snw_camera_matrices *camera) {
	snw_uniform_matrix(program, "clip_from_world", 4, camera->clip_from_world);
	snw_uniform_matrix(program, "eye_from_world", 3, camera->eye_from_world);
	snw_uniform_vector(program, "eye", 3, camera->eye);
}

/* The program for the mesh alone, or that for its instances. */
static GLuint use_program(const snw_gpu_mesh *gpu_mesh, GLuint alone, GLuint instanced, int unit) {
	const snw_gpu_mesh_pose *pose = gpu_mesh->shown;
	const GLuint program = pose->is_instanced ? instanced : alone;
	glUseProgram(program);
	if (pose->is_instanced) {
		snw_uniform_whole(program, "first_instance", (int)pose->instances.first);
		snw_uniform_whole(program, "point_count", (int)gpu_mesh->mesh->point_count);
		snw_uniform_whole(program, "face_count", (int)gpu_mesh->mesh->face_count);
		snw_texture_buffer_bind(unit, pose->instances.texture);
	}
	return program;
}

static void draw_corners(const snw_gpu_mesh *gpu_mesh, uint32_t begin, uint32_t count) {
	const snw_gpu_mesh_pose *pose = gpu_mesh->shown;
	const void *const first = (const void *)((size_t)begin * sizeof(uint32_t));
	glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_INT, first,
							pose->is_instanced ? (GLsizei)pose->instances.count : 1);
}

static GLuint surface_of(const snw_gpu_mesh *gpu_mesh, const snw_draw_settings *settings) {
	const snw_gpu_mesh_shaders *shaders = gpu_mesh->shaders;
	const bool shadows = settings->key->casts_shadows;
	return gpu_mesh->shown->is_instanced ? shaders->instanced.surface[shadows] : shaders->surface[shadows];
}

void snw_gpu_mesh_begin_draw(const snw_gpu_mesh *gpu_mesh, const snw_draw_settings *settings) {
	const GLuint program = surface_of(gpu_mesh, settings);
	glUseProgram(program);
	use_camera(program, settings->camera);
	snw_key_light_use(settings->light, settings->key, program);
	snw_uniform_whole(program, "flat_shaded", settings->flat);
	snw_uniform_whole(program, "warns", settings->warns);
	snw_uniform_whole(program, "matcap", settings->matcap);
	set_appearance(program, settings);
	glActiveTexture(GL_TEXTURE0 + SNW_UNIT_HEAT_RAMP);
	glBindTexture(GL_TEXTURE_2D, settings->heat_ramp);
}

/* Whether a span is drawn with these settings: `material` becomes its material. */
static bool draws_span(const snw_gpu_mesh *gpu_mesh, uint32_t span, const snw_materials *materials,
					   const snw_draw_settings *settings, bool blended, uint32_t *material) {
	*material = settings->clay ? SNW_NONE : gpu_mesh->material_spans[span].material;
	const bool is_blended = (!gpu_mesh->heated || settings->shaded) && snw_material_is_blended(materials, *material);
	return settings->opacity < 1 || is_blended == blended;
}

static void use_mesh(const snw_gpu_mesh *gpu_mesh, const snw_draw_settings *settings, GLuint program) {
	const GLuint textures[5] = {gpu_mesh->shown->points.texture, gpu_mesh->shown->normals.texture,
								gpu_mesh->shown->tangents.texture, gpu_mesh->shown->areas.texture, gpu_mesh->heat.texture};
	const bool heated = gpu_mesh->heated && settings->tint[3] <= 0;
	use_program(gpu_mesh, program, program, UNIT_INSTANCES);
	snw_uniform_whole(program, "heated", heated && !settings->shaded);
	snw_uniform_whole(program, "shaded", heated && settings->shaded);
	snw_uniform_whole(program, "heat_is_color", gpu_mesh->colored);
	for (int unit = 0; unit < 5; unit++) {
		snw_texture_buffer_bind(unit, textures[unit]);
	}
	fill_corner_array(gpu_mesh);
}

void snw_gpu_mesh_draw(const snw_gpu_mesh *gpu_mesh, const snw_materials *materials, const snw_draw_settings *settings,
					   bool blended) {
	const GLuint program = surface_of(gpu_mesh, settings);
	bool is_used = false;
	for (uint32_t b = 0; b < gpu_mesh->material_span_count; b++) {
		uint32_t material;
		if (draws_span(gpu_mesh, b, materials, settings, blended, &material)) {
			if (!is_used) {
				use_mesh(gpu_mesh, settings, program);
				is_used = true;
			}
			snw_material_use(materials, material, program);
			draw_corners(gpu_mesh, gpu_mesh->material_spans[b].begin, gpu_mesh->material_spans[b].count);
		}
	}
}

void snw_gpu_mesh_begin_key_depth(const snw_gpu_mesh *gpu_mesh, const snw_draw_settings *settings) {
	const snw_gpu_mesh_shaders *shaders = gpu_mesh->shaders;
	const GLuint program = gpu_mesh->shown->is_instanced ? shaders->instanced.key_depth : shaders->key_depth;
	glUseProgram(program);
	use_camera(program, settings->camera);
	snw_uniform_matrix(program, "key_from_eye", 4, settings->key->key_from_eye);
}

void snw_gpu_mesh_draw_key_depth(const snw_gpu_mesh *gpu_mesh) {
	use_program(gpu_mesh, gpu_mesh->shaders->key_depth, gpu_mesh->shaders->instanced.key_depth, 1);
	snw_texture_buffer_bind(0, gpu_mesh->shown->points.texture);
	fill_corner_array(gpu_mesh);
	draw_corners(gpu_mesh, 0, 3 * gpu_mesh->triangle_count);
}

void snw_gpu_mesh_draw_wire(const snw_gpu_mesh *gpu_mesh, const snw_camera_matrices *camera, uint32_t picture_width,
							uint32_t picture_height, const float color[4], double width) {
	const GLuint program = gpu_mesh->shaders->wire;
	const float viewport[2] = {(float)picture_width, (float)picture_height};
	glUseProgram(program);
	snw_uniform_matrix(program, "clip_from_world", 4, camera->clip_from_world);
	snw_uniform_vector(program, "viewport", 2, viewport);
	snw_uniform_vector(program, "wire_color", 4, color);
	snw_uniform_float(program, "width", width);
	snw_texture_buffer_bind(0, gpu_mesh->shown->points.texture);
	fill_array(gpu_mesh->shaders->edge_array, gpu_mesh->edges, 0, 2, 1);
	glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)gpu_mesh->edge_count);
}

void snw_gpu_mesh_draw_shadow(const snw_gpu_mesh *gpu_mesh, const float middle[3], double reach) {
	const GLuint program = use_program(gpu_mesh, gpu_mesh->shaders->shadow, gpu_mesh->shaders->instanced.shadow, 1);
	snw_uniform_vector(program, "middle", 3, middle);
	snw_uniform_float(program, "shadow_reach", reach);
	snw_texture_buffer_bind(0, gpu_mesh->shown->points.texture);
	fill_corner_array(gpu_mesh);
	draw_corners(gpu_mesh, 0, 3 * gpu_mesh->triangle_count);
}
