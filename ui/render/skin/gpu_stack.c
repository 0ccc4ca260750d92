/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The segments of a stack, one after another.
 */
#include "render/skin/gpu_stack.h"

#include "base/numbers.h"
#include "render/gl/shader.h"
#include "render/skin/gpu_program.h"
#include "stack/stack.h"

/* ---- program normals ----------------------------------------------------------------------------------------------------- */

/* Influences, displacements and palettes of normals in buffer textures, and the pass that blends them. */

#define NORMAL_WHOLE_LIMIT (1u << 24)

/* Texture units, in the order of the recipe's samplers. */
typedef enum normals_unit { PALETTE, INFLUENCES, ENTRIES, SCALES, UNIT_COUNT } normals_unit;

struct snw_gpu_program_normals {
	snw_arena *arena;
	const snw_skin_shaders *shaders;
	const snw_program *program;
	GLuint array, rest, influence_offsets, entry_offsets;
	GLuint buffers[UNIT_COUNT], textures[UNIT_COUNT];
	size_t palette_floats; /* of the whole palette */
	float *sent;           /* [palette_floats], or d */
	/* Frames that are kept for a crowd, until they are sent. */
	snw_arena *frames;
	uint32_t frame_count;
	float *palettes, *scales; /* [frame_count][palette_floats], [frame_count][d_count] */
};

static bool has_quaternions(const snw_program *program) {
	return program->normals.palette == SNW_NORMALS_QUATERNIONS;
}

static size_t normal_entry_count(const snw_program *program) {
	const snw_displacements *list = &program->normals.displacements;
	return list->count > 0 ? list->offsets[list->count] : 0;
}

static bool normals_fit(const snw_skin_shaders *shaders, const snw_program *program) {
	const size_t most = (size_t)shaders->texel_limit;
	return 3 * (size_t)program->slot_count <= most && program->influence_offsets[program->point_count] <= most &&
		   normal_entry_count(program) <= most && program->d_count <= most && program->slot_count < NORMAL_WHOLE_LIMIT &&
		   program->d_count < NORMAL_WHOLE_LIMIT;
}

static void upload_normals(snw_gpu_program_normals *normals, normals_unit at, const void *data, size_t bytes, GLenum format,
						   GLenum usage) {
	normals->buffers[at] = snw_buffer_make(GL_TEXTURE_BUFFER, data, bytes, usage);
	normals->textures[at] = snw_texture_buffer_make(normals->buffers[at], format);
}

static void pack_normal_influences(snw_gpu_program_normals *normals, snw_arena *scratch) {
	const snw_program *program = normals->program;
	const size_t count = program->influence_offsets[program->point_count];
	float *texels = SNW_NEW_ARRAY(scratch, float, 2 * count);
	for (size_t i = 0; i < count; i++) {
		texels[2 * i] = (float)program->influence_slots[i];
		texels[2 * i + 1] = (float)program->influence_weights[i];
	}
	upload_normals(normals, INFLUENCES, texels, 2 * count * sizeof(float), GL_RG32F, GL_STATIC_DRAW);
	normals->influence_offsets = snw_buffer_make(GL_ARRAY_BUFFER, program->influence_offsets,
												 ((size_t)program->point_count + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
}

static void pack_entries(snw_gpu_program_normals *normals, snw_arena *scratch) {
	const uint32_t points = normals->program->point_count;
	const snw_by_point by_point =
		snw_displacements_by_point(&normals->program->normals.displacements, points, SNW_ENTRY_COEFFICIENT, scratch);
	upload_normals(normals, ENTRIES, by_point.entries, 4 * by_point.count * sizeof(float), GL_RGBA32F, GL_STATIC_DRAW);
	upload_normals(normals, SCALES, NULL, normals->program->d_count * sizeof(float), GL_R32F, GL_STREAM_DRAW);
	normals->entry_offsets =
		snw_buffer_make(GL_ARRAY_BUFFER, by_point.offsets, ((size_t)points + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
}

static void pack_normal_rest(snw_gpu_program_normals *normals, snw_arena *scratch) {
	const size_t count = 3 * (size_t)normals->program->point_count;
	float *rest = SNW_NEW_ARRAY(scratch, float, count);
	for (size_t i = 0; i < count; i++) {
		rest[i] = (float)normals->program->normals.rest[i];
	}
	normals->rest = snw_buffer_make(GL_ARRAY_BUFFER, rest, count * sizeof *rest, GL_STATIC_DRAW);
}

static void describe_normals(snw_gpu_program_normals *normals) {
	glGenVertexArrays(1, &normals->array);
	glBindVertexArray(normals->array);
	glBindBuffer(GL_ARRAY_BUFFER, normals->rest);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	snw_attribute_span(1, normals->influence_offsets);
	snw_attribute_span(2, normals->entry_offsets);
}

snw_gpu_program_normals *snw_gpu_program_normals_create(const snw_skin_shaders *shaders, const snw_program *program) {
	if (program->normals.palette == SNW_NORMALS_FROM_FACES ||
		(has_quaternions(program) && program->sign_rule != SNW_SIGN_AS_GIVEN) || !normals_fit(shaders, program)) {
		return NULL;
	}
	snw_arena *arena = snw_arena_create(), *scratch = snw_arena_create();
	snw_gpu_program_normals *normals = SNW_NEW(arena, snw_gpu_program_normals);
	*normals = (snw_gpu_program_normals){.arena = arena, .shaders = shaders, .program = program};
	normals->palette_floats = (size_t)(has_quaternions(program) ? 4 : 9) * program->slot_count;
	normals->sent =
		SNW_NEW_ARRAY(arena, float, normals->palette_floats > program->d_count ? normals->palette_floats : program->d_count);
	upload_normals(normals, PALETTE, NULL, normals->palette_floats * sizeof(float),
				   has_quaternions(program) ? GL_RGBA32F : GL_RGB32F, GL_STREAM_DRAW);
	pack_normal_influences(normals, scratch);
	pack_entries(normals, scratch);
	pack_normal_rest(normals, scratch);
	describe_normals(normals);
	snw_arena_destroy(scratch);
	return normals;
}

void snw_gpu_program_normals_destroy(snw_gpu_program_normals *normals) {
	if (!normals) {
		return;
	}
	const GLuint buffers[] = {normals->rest, normals->influence_offsets, normals->entry_offsets};
	glDeleteTextures(UNIT_COUNT, normals->textures);
	glDeleteBuffers(UNIT_COUNT, normals->buffers);
	glDeleteBuffers(3, buffers);
	glDeleteVertexArrays(1, &normals->array);
	snw_arena_destroy(normals->arena);
}

static void send_numbers(snw_gpu_program_normals *normals, normals_unit to, const double *from, size_t count) {
	for (size_t i = 0; i < count; i++) {
		normals->sent[i] = (float)from[i];
	}
	snw_buffer_send(normals->buffers[to], normals->sent, count * sizeof(float));
}

void snw_gpu_program_normals_run(snw_gpu_program_normals *channel, const snw_program_input *input, GLuint normals) {
	const GLuint shader = channel->shaders->program_normal;
	send_numbers(channel, PALETTE, input->normal_palette, channel->palette_floats);
	if (normal_entry_count(channel->program) > 0) {
		send_numbers(channel, SCALES, input->d, channel->program->d_count);
	}
	glUseProgram(shader);
	snw_uniform_whole(shader, "is_quaternion", has_quaternions(channel->program));
	for (int i = 0; i < UNIT_COUNT; i++) {
		snw_texture_buffer_bind(i, channel->textures[i]);
	}
	snw_capture_points(channel->array, channel->program->point_count, normals);
}

size_t snw_gpu_program_normals_bytes_sent(const snw_gpu_program_normals *normals) {
	return (normals->palette_floats + (normal_entry_count(normals->program) > 0 ? normals->program->d_count : 0)) *
		   sizeof(float);
}

/* ---- the frames of a crowd ----------------------------------------------------------------------------------------------- */

static size_t kept_scales(const snw_gpu_program_normals *channel) {
	return normal_entry_count(channel->program) > 0 ? channel->program->d_count : 0;
}

/* The input of many frames, kept on the GPU as with snw_gpu_frames. The end returns the bytes sent. SNW_ERROR_LIMIT if the
 * driver's buffer textures are too small. */
static snw_status gpu_program_normals_keep(snw_gpu_program_normals *channel, uint32_t frame_count, snw_error *error) {
	const size_t palette = channel->palette_floats / (has_quaternions(channel->program) ? 4 : 3);
	const size_t most = palette > kept_scales(channel) ? palette : kept_scales(channel);
	if (most * frame_count > (size_t)channel->shaders->texel_limit) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"the clips have %u frames, but this graphics driver keeps the normals of %zu; choose fewer clips",
						frame_count, (size_t)channel->shaders->texel_limit / most);
	}
	channel->frames = snw_arena_create();
	channel->palettes = SNW_NEW_ARRAY(channel->frames, float, frame_count * channel->palette_floats);
	channel->scales = SNW_NEW_ARRAY(channel->frames, float, frame_count *kept_scales(channel));
	return SNW_OK;
}

static void keep_normal_frame(const double *from, size_t count, uint32_t frame, float *to) {
	for (size_t i = 0; i < count; i++) {
		to[frame * count + i] = (float)from[i];
	}
}

static void gpu_program_normals_add(snw_gpu_program_normals *channel, const snw_program_input *input) {
	keep_normal_frame(input->normal_palette, channel->palette_floats, channel->frame_count, channel->palettes);
	keep_normal_frame(input->d, kept_scales(channel), channel->frame_count, channel->scales);
	channel->frame_count++;
}

static size_t upload_again(snw_gpu_program_normals *channel, normals_unit at, const float *data, size_t count, GLenum format) {
	glDeleteTextures(1, &channel->textures[at]);
	glDeleteBuffers(1, &channel->buffers[at]);
	upload_normals(channel, at, data, count * sizeof *data, format, GL_STATIC_DRAW);
	return count * sizeof *data;
}

static size_t gpu_program_normals_end(snw_gpu_program_normals *channel) {
	const size_t count = channel->frame_count;
	const size_t bytes = upload_again(channel, PALETTE, channel->palettes, count * channel->palette_floats,
									  has_quaternions(channel->program) ? GL_RGBA32F : GL_RGB32F) +
						 upload_again(channel, SCALES, channel->scales, count * kept_scales(channel), GL_R32F);
	snw_arena_destroy(channel->frames);
	channel->frames = NULL;
	return bytes;
}

/* Of all instances, [count][point_count][3], after the input of their frames was kept. */
static void gpu_program_normals_run_instances(snw_gpu_program_normals *channel, const snw_gpu_instances *instances,
											  GLuint normals) {
	const GLuint shader = channel->shaders->instanced_normal;
	glUseProgram(shader);
	snw_uniform_whole(shader, "is_quaternion", has_quaternions(channel->program));
	snw_uniform_whole(shader, "first_instance", (int)instances->first);
	snw_uniform_whole(shader, "palette_size", (int)channel->palette_floats / (has_quaternions(channel->program) ? 4 : 3));
	snw_uniform_whole(shader, "scales_size", (int)kept_scales(channel));
	for (int i = 0; i < UNIT_COUNT; i++) {
		snw_texture_buffer_bind(i, channel->textures[i]);
	}
	snw_texture_buffer_bind(UNIT_COUNT, instances->texture);
	snw_capture_instances(channel->array, channel->program->point_count, instances->count, normals, 0);
}

/* ---- gpu stack ----------------------------------------------------------------------------------------------------------- */

typedef struct mesh_stack {
	uint32_t point_count, segment_count;
	snw_gpu_program **segments;             /* [segment_count]; NULL if the CPU runs the mesh */
	snw_gpu_program_normals *normals;       /* NULL: none on the GPU */
	GLuint between[2];                      /* the points between segments */
	snw_gpu_frames **frames;                /* [segment_count]: of a crowd, until they are sent */
	GLuint all_between[2], all_textures[2]; /* the points between segments of all instances */
	uint32_t room;                          /* instances in those */
	size_t bytes_sent;
	snw_box box; /* as it was last posed */
} mesh_stack;

struct snw_gpu_stack {
	snw_arena *arena;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	uint64_t driven; /* snw_gpu_stack_drive_hash of the evaluation; 0: not driven */
	uint64_t drives;
	uint32_t mesh_count;
	mesh_stack *meshes; /* [mesh_count] */
	float *computed;    /* [points of the largest mesh][3]: computed on the CPU; NULL if nothing is */
};

static size_t bytes_of(const mesh_stack *mesh) {
	return 3 * (size_t)mesh->point_count * sizeof(float);
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static void drop_segments(mesh_stack *mesh) {
	for (uint32_t s = 0; s < mesh->segment_count && mesh->segments; s++) {
		snw_gpu_program_destroy(mesh->segments[s]);
	}
	mesh->segments = NULL;
}

static void make_segments(snw_gpu_stack *gpu_stack, uint32_t index, const snw_skin_shaders *shaders,
						  const mesh_stack *previous) {
	mesh_stack *mesh = &gpu_stack->meshes[index];
	if (mesh->segment_count == 0) {
		return;
	}
	mesh->segments = SNW_NEW_ARRAY(gpu_stack->arena, snw_gpu_program *, mesh->segment_count);
	for (uint32_t s = 0; s < mesh->segment_count; s++) {
		const snw_segment_info info = snw_stack_segment(gpu_stack->stack, index, s);
		snw_gpu_program *replaced =
			previous && previous->segments && s < previous->segment_count ? previous->segments[s] : NULL;
		if (!info.is_program || snw_failed(snw_gpu_program_create(shaders, info.program, replaced, &mesh->segments[s], NULL))) {
			drop_segments(mesh);
			return;
		}
	}
}

static void make_mesh(snw_gpu_stack *gpu_stack, uint32_t index, uint32_t point_count, const snw_skin_shaders *shaders,
					  const mesh_stack *previous) {
	mesh_stack *mesh = &gpu_stack->meshes[index];
	mesh->point_count = point_count;
	mesh->segment_count = snw_stack_segment_count(gpu_stack->stack, index);
	make_segments(gpu_stack, index, shaders, previous);
	if (mesh->segments && snw_stack_has_normals(gpu_stack->stack, index)) {
		mesh->normals = snw_gpu_program_normals_create(shaders, snw_stack_segment(gpu_stack->stack, index, 0).program);
	}
	for (uint32_t i = 0; i < 2 && mesh->segments && i + 1 < mesh->segment_count; i++) {
		mesh->between[i] = snw_buffer_make(GL_ARRAY_BUFFER, NULL, bytes_of(mesh), GL_DYNAMIC_COPY);
	}
}

snw_gpu_stack *snw_gpu_stack_create(const snw_skin_shaders *shaders, const snw_stack *stack, const snw_scene *scene,
									snw_gpu_stack *previous) {
	snw_arena *arena = snw_arena_create();
	snw_gpu_stack *made = SNW_NEW(arena, snw_gpu_stack);
	*made = (snw_gpu_stack){.arena = arena, .stack = stack, .mesh_count = scene->mesh_count};
	made->meshes = SNW_NEW_ARRAY(arena, mesh_stack, made->mesh_count);
	bool is_on_gpu = true;
	uint32_t largest = 0;
	for (uint32_t m = 0; m < made->mesh_count; m++) {
		const uint32_t points = scene->meshes[m].point_count;
		make_mesh(made, m, points, shaders, previous ? &previous->meshes[m] : NULL);
		const mesh_stack *mesh = &made->meshes[m];
		const bool computes = !mesh->segments || (!mesh->normals && snw_stack_has_normals(stack, m));
		largest = computes && points > largest ? points : largest;
		is_on_gpu = is_on_gpu && mesh->segments;
	}
	/* Programs are packed for the CPU only if it runs them: with a million points, packing alone would delay the window. */
	made->evaluation = is_on_gpu ? snw_evaluation_create_reference(stack) : snw_evaluation_create(stack);
	made->computed = largest > 0 ? SNW_NEW_ARRAY(arena, float, 3 * (size_t)largest) : NULL;
	return made;
}

static void drop_all_between(const mesh_stack *mesh) {
	glDeleteTextures(2, mesh->all_textures);
	glDeleteBuffers(2, mesh->all_between);
}

void snw_gpu_stack_destroy(snw_gpu_stack *gpu_stack) {
	if (!gpu_stack) {
		return;
	}
	for (uint32_t m = 0; m < gpu_stack->mesh_count; m++) {
		drop_segments(&gpu_stack->meshes[m]);
		snw_gpu_program_normals_destroy(gpu_stack->meshes[m].normals);
		glDeleteBuffers(2, gpu_stack->meshes[m].between);
		drop_all_between(&gpu_stack->meshes[m]);
	}
	snw_evaluation_destroy(gpu_stack->evaluation);
	snw_arena_destroy(gpu_stack->arena);
}

const snw_stack *snw_gpu_stack_source(const snw_gpu_stack *gpu_stack) {
	return gpu_stack->stack;
}

/* ---- posing -------------------------------------------------------------------------------------------------------------- */

uint64_t snw_gpu_stack_drive_hash(const snw_stack *stack, const snw_pose_view *pose) {
	snw_hash hash = {0};
	snw_hash_u64(&hash, (uint64_t)(uintptr_t)stack);
	snw_hash_u64(&hash, (uint64_t)(uintptr_t)pose);
	snw_hash_bytes(&hash, pose->local, pose->joint_count * sizeof *pose->local);
	snw_hash_f64s(&hash, pose->rotation_vectors, 3 * (size_t)pose->joint_count);
	snw_hash_f64s(&hash, pose->global, 12 * (size_t)pose->joint_count);
	snw_hash_f64s(&hash, pose->palette, 12 * (size_t)pose->slot_count);
	snw_hash_f64s(&hash, pose->channels, pose->channel_count);
	snw_hash_u64(&hash, pose->clip);
	snw_hash_f64s(&hash, &pose->seconds, 1);
	const uint64_t value = snw_hash_value(&hash);
	return value ? value : 1;
}

snw_status snw_gpu_stack_drive(snw_gpu_stack *gpu_stack, const snw_pose_view *pose, snw_error *error) {
	const uint64_t hash = snw_gpu_stack_drive_hash(gpu_stack->stack, pose);
	if (gpu_stack->driven == hash) {
		return SNW_OK;
	}
	const snw_status status = snw_stack_drive(gpu_stack->stack, pose, gpu_stack->evaluation, error);
	gpu_stack->driven = snw_failed(status) ? 0 : hash;
	gpu_stack->drives++;
	return status;
}

const snw_evaluation *snw_gpu_stack_evaluation(const snw_gpu_stack *gpu_stack) {
	return gpu_stack->evaluation;
}

uint64_t snw_gpu_stack_drives(const snw_gpu_stack *gpu_stack) {
	return gpu_stack->drives;
}

static void send_computed(const snw_gpu_stack *gpu_stack, mesh_stack *mesh, GLuint buffer) {
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes_of(mesh), gpu_stack->computed);
	mesh->bytes_sent += bytes_of(mesh);
}

snw_status snw_gpu_stack_pose(snw_gpu_stack *gpu_stack, uint32_t mesh, GLuint points_out, snw_error *error) {
	mesh_stack *posed = &gpu_stack->meshes[mesh];
	posed->bytes_sent = 0;
	if (!posed->segments) {
		const snw_status status = snw_stack_run(gpu_stack->stack, gpu_stack->evaluation, mesh, gpu_stack->computed, error);
		if (!snw_failed(status)) {
			send_computed(gpu_stack, posed, points_out);
			posed->box = snw_box_empty();
			snw_box_add_floats(&posed->box, gpu_stack->computed, posed->point_count);
		}
		return status;
	}
	const snw_stack_bounds bounds = snw_stack_bounds_posed(gpu_stack->evaluation, mesh);
	posed->box = snw_stack_bounds_join(&bounds);
	GLuint from = 0;
	for (uint32_t s = 0; s < posed->segment_count; s++) {
		const GLuint to = s + 1 == posed->segment_count ? points_out : posed->between[s % 2];
		snw_gpu_program_run(posed->segments[s], snw_stack_program_input(gpu_stack->evaluation, mesh, s), from, to);
		posed->bytes_sent += snw_gpu_program_bytes_sent(posed->segments[s]);
		from = to;
	}
	return SNW_OK;
}

snw_box snw_gpu_stack_box(const snw_gpu_stack *gpu_stack, uint32_t mesh) {
	return gpu_stack->meshes[mesh].box;
}

void snw_gpu_stack_normals(snw_gpu_stack *gpu_stack, uint32_t mesh, GLuint normals_out) {
	mesh_stack *posed = &gpu_stack->meshes[mesh];
	if (posed->normals) {
		snw_gpu_program_normals_run(posed->normals, snw_stack_program_input(gpu_stack->evaluation, mesh, 0), normals_out);
		posed->bytes_sent += snw_gpu_program_normals_bytes_sent(posed->normals);
	} else if (snw_stack_normals(gpu_stack->stack, gpu_stack->evaluation, mesh, gpu_stack->computed)) {
		send_computed(gpu_stack, posed, normals_out);
	}
}

size_t snw_gpu_stack_bytes_sent(const snw_gpu_stack *gpu_stack, uint32_t mesh) {
	return gpu_stack->meshes[mesh].bytes_sent;
}

/* ---- crowds -------------------------------------------------------------------------------------------------------------- */

static snw_status begin_mesh(snw_gpu_stack *gpu_stack, mesh_stack *mesh, uint32_t count, snw_error *error) {
	if (!mesh->segments) {
		return mesh->segment_count == 0
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_LIMIT,
							  "the skin program of a mesh with %u points is too large for this graphics driver",
							  mesh->point_count);
	}
	snw_status status = SNW_OK;
	mesh->frames = SNW_NEW_ARRAY(gpu_stack->arena, snw_gpu_frames *, mesh->segment_count);
	for (uint32_t s = 0; s < mesh->segment_count && !snw_failed(status); s++) {
		status = snw_gpu_frames_begin(mesh->segments[s], count, &mesh->frames[s], error);
	}
	return snw_failed(status) || !mesh->normals ? status : gpu_program_normals_keep(mesh->normals, count, error);
}

snw_status snw_gpu_stack_begin_frames(snw_gpu_stack *gpu_stack, uint32_t count, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < gpu_stack->mesh_count && !snw_failed(status); m++) {
		status = begin_mesh(gpu_stack, &gpu_stack->meshes[m], count, error);
	}
	return status;
}

void snw_gpu_stack_add_frame(snw_gpu_stack *gpu_stack, const snw_evaluation *evaluation) {
	for (uint32_t m = 0; m < gpu_stack->mesh_count; m++) {
		const mesh_stack *mesh = &gpu_stack->meshes[m];
		for (uint32_t s = 0; s < mesh->segment_count; s++) {
			snw_gpu_frames_add(mesh->frames[s], snw_stack_program_input(evaluation, m, s));
		}
		if (mesh->normals) {
			gpu_program_normals_add(mesh->normals, snw_stack_program_input(evaluation, m, 0));
		}
	}
}

size_t snw_gpu_stack_end_frames(snw_gpu_stack *gpu_stack) {
	size_t bytes = 0;
	for (uint32_t m = 0; m < gpu_stack->mesh_count; m++) {
		mesh_stack *mesh = &gpu_stack->meshes[m];
		for (uint32_t s = 0; s < mesh->segment_count; s++) {
			bytes += snw_gpu_frames_end(mesh->frames[s]);
		}
		bytes += mesh->normals ? gpu_program_normals_end(mesh->normals) : 0;
	}
	return bytes;
}

static void make_room_between(mesh_stack *mesh, uint32_t room) {
	if (mesh->segment_count < 2 || room <= mesh->room) {
		return;
	}
	drop_all_between(mesh);
	mesh->room = room;
	for (int i = 0; i < 2; i++) {
		mesh->all_between[i] = snw_buffer_make(GL_ARRAY_BUFFER, NULL, room * bytes_of(mesh), GL_DYNAMIC_COPY);
		mesh->all_textures[i] = snw_texture_buffer_make(mesh->all_between[i], GL_RGB32F);
	}
}

void snw_gpu_stack_pose_instances(snw_gpu_stack *gpu_stack, uint32_t mesh, const snw_gpu_instances *instances,
								  GLuint points_out) {
	mesh_stack *posed = &gpu_stack->meshes[mesh];
	GLuint below = 0;
	make_room_between(posed, instances->count);
	for (uint32_t s = 0; s < posed->segment_count; s++) {
		const bool is_last = s + 1 == posed->segment_count;
		snw_gpu_program_run_instances(posed->segments[s], instances, below, is_last ? points_out : posed->all_between[s % 2]);
		below = posed->all_textures[s % 2];
	}
}

void snw_gpu_stack_normals_of_instances(snw_gpu_stack *gpu_stack, uint32_t mesh, const snw_gpu_instances *instances,
										GLuint normals_out) {
	const mesh_stack *posed = &gpu_stack->meshes[mesh];
	if (posed->normals) {
		gpu_program_normals_run_instances(posed->normals, instances, normals_out);
	}
}
