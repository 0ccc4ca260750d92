/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/gpu_crowd.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "render/draw/renderer.h"
#include "render/gl/shader.h"
#include "sinew/algebra.h"

/* ---- gpu crowd ----------------------------------------------------------------------------------------------------------- */

enum { CENTERING = 12 }; /* steps */
#define FILLED 0.94      /* of the picture, by the boxes of the clips */

struct snw_gpu_crowd {
	snw_arena *arena;
	snw_renderer *renderer;
	snw_crowd *crowd;
	snw_crowd_character character;
	const snw_scene *posed; /* the character's scene, or that with its levels */
	snw_gpu_scene gpu_scene;
	snw_gpu_stack *gpu_stack;
	snw_gpu_mesh_pose **poses; /* [mesh_count] */
	uint32_t *rooms;           /* [mesh_count]: instances that they have room for */
	snw_gpu_instances *shown;  /* [mesh_count] */
	GLuint buffer, texture;    /* of instances */
	float *sent;               /* [count][SNW_INSTANCE_FLOATS] */
	uint32_t *order;           /* [count + 1]: the members in view, by level */
	unsigned char *level_of;   /* [count]: while they are sorted */
	uint32_t level_count;
	uint32_t *at_level; /* [level_count]: members */
	double side;        /* metres: the longest of the rest */
	snw_box box;        /* of all members at all frames */
	snw_box seen;       /* of those in view */
	uint32_t count;     /* of those */
	size_t kept_bytes;
	snw_target_buffers target; /* width 0: none yet */
};

/* ---- room ---------------------------------------------------------------------------------------------------------------- */

enum { NVX_TOTAL = 0x9048, ATI_FREE = 0x87FC }; /* of GL_NVX_gpu_memory_info and GL_ATI_meminfo, KiB */

static uint64_t card_memory(const char *device) {
	GLint kibibytes[4] = {0};
	if (snw_device_is_software(device)) {
		return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
	}
	if (GLEW_NVX_gpu_memory_info) {
		glGetIntegerv(NVX_TOTAL, kibibytes);
	} else if (GLEW_ATI_meminfo) {
		glGetIntegerv(ATI_FREE, kibibytes);
	}
	return (uint64_t)kibibytes[0] * 1024;
}

snw_status snw_gpu_crowd_room(snw_renderer *renderer, const snw_crowd_character *character, snw_crowd_room *room,
							  snw_error *error) {
	const snw_status status = snw_context_enter(&renderer->context, error);
	if (snw_failed(status)) {
		return status;
	}
	*room = (snw_crowd_room){.count = UINT32_MAX, .memory = card_memory(snw_renderer_device(renderer))};
	for (uint32_t m = 0; m < character->scene->mesh_count; m++) {
		const snw_mesh *mesh = &character->scene->meshes[m];
		const uint64_t most = mesh->point_count > mesh->face_count ? mesh->point_count : mesh->face_count;
		const uint64_t fit = most > 0 ? (uint64_t)renderer->mesh_shaders.texel_limit / most : UINT32_MAX;
		room->count = fit < room->count ? fit : room->count;
		room->bytes += snw_gpu_mesh_instance_bytes(mesh);
	}
	const uint64_t fit = room->memory > 0 && room->bytes > 0 ? room->memory / room->bytes : UINT32_MAX;
	room->count = fit < room->count ? fit : room->count;
	return SNW_OK;
}

static snw_status check_room(snw_renderer *renderer, const snw_crowd_character *character, uint32_t count, snw_error *error) {
	snw_crowd_room room;
	const snw_status status = snw_gpu_crowd_room(renderer, character, &room, error);
	return snw_failed(status) || count <= room.count
			   ? status
			   : snw_fail(error, SNW_ERROR_LIMIT,
						  "a crowd of %u needs %.1f GB on the graphics card, %.2f MB for each; at most %llu fit", count,
						  1e-9 * (double)room.bytes * count, 1e-6 * (double)room.bytes, (unsigned long long)room.count);
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static snw_status keep_frame(void *context, uint32_t frame, snw_evaluation *evaluation, snw_error *error) {
	snw_gpu_crowd *gpu_crowd = context;
	(void)frame;
	(void)error;
	snw_gpu_stack_add_frame(gpu_crowd->gpu_stack, evaluation);
	return SNW_OK;
}

static snw_status keep_frames(snw_gpu_crowd *gpu_crowd, const snw_task *task, snw_error *error) {
	const snw_crowd_character *character = &gpu_crowd->character;
	snw_status status = snw_gpu_stack_begin_frames(gpu_crowd->gpu_stack, gpu_crowd->crowd->frame_count, error);
	status = snw_failed(status) ? status
								: snw_crowd_drive(character->scene, gpu_crowd->posed, character->stack, gpu_crowd->crowd,
												  keep_frame, gpu_crowd, task, error);
	if (!snw_failed(status)) {
		gpu_crowd->kept_bytes = snw_gpu_stack_end_frames(gpu_crowd->gpu_stack);
	}
	return status;
}

static void make_lists(snw_gpu_crowd *gpu_crowd) {
	const size_t count = gpu_crowd->crowd->count, meshes = gpu_crowd->posed->mesh_count;
	snw_arena *arena = gpu_crowd->arena;
	gpu_crowd->poses = SNW_NEW_ARRAY(arena, snw_gpu_mesh_pose *, meshes);
	gpu_crowd->rooms = SNW_NEW_ARRAY(arena, uint32_t, meshes);
	gpu_crowd->shown = SNW_NEW_ARRAY(arena, snw_gpu_instances, meshes);
	gpu_crowd->sent = SNW_NEW_ARRAY(arena, float, SNW_INSTANCE_FLOATS *count);
	gpu_crowd->order = SNW_NEW_ARRAY(arena, uint32_t, count + 1);
	gpu_crowd->level_of = SNW_NEW_ARRAY(arena, unsigned char, count);
	gpu_crowd->level_count = 1 + (gpu_crowd->character.levels ? snw_level_most(gpu_crowd->character.scene) : 0);
	gpu_crowd->at_level = SNW_NEW_ARRAY(arena, uint32_t, gpu_crowd->level_count);
	gpu_crowd->buffer = snw_buffer_make(GL_TEXTURE_BUFFER, NULL, SNW_INSTANCE_FLOATS * count * sizeof(float), GL_STREAM_DRAW);
	gpu_crowd->texture = snw_texture_buffer_make(gpu_crowd->buffer, GL_RGBA32F);
}

static void find_box(snw_gpu_crowd *gpu_crowd) {
	gpu_crowd->box = snw_box_empty();
	for (uint32_t i = 0; i < gpu_crowd->crowd->count; i++) {
		const snw_box box = snw_crowd_member_box(gpu_crowd->crowd, &gpu_crowd->crowd->members[i]);
		snw_box_add_box(&gpu_crowd->box, &box);
	}
}

snw_status snw_gpu_crowd_create(snw_renderer *renderer, snw_crowd *crowd, const snw_crowd_character *character,
								const snw_task *task, snw_gpu_crowd **gpu_crowd, snw_error *error) {
	const snw_scene *posed = character->levels ? &character->levels->scene : character->scene;
	snw_status status = snw_crowd_check(posed, character->stack, error);
	status = snw_failed(status) ? status : check_room(renderer, character, crowd->count, error);
	status = snw_failed(status) ? status : snw_skin_shaders_add_instanced(&renderer->skin_shaders, error);
	status = snw_failed(status) ? status : snw_gpu_mesh_shaders_add_instanced(&renderer->mesh_shaders, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	snw_gpu_crowd *made = SNW_NEW(arena, snw_gpu_crowd);
	*made = (snw_gpu_crowd){.arena = arena, .renderer = renderer, .crowd = crowd, .posed = posed, .character = *character};
	made->side = snw_level_side(character->scene);
	make_lists(made);
	status = snw_gpu_scene_create(renderer, made->posed, NULL, NULL, arena, &made->gpu_scene, error);
	if (!snw_failed(status)) {
		made->gpu_stack = snw_gpu_stack_create(&renderer->skin_shaders, character->stack, made->posed, NULL);
		status = keep_frames(made, task, error);
	}
	status = snw_failed(status) ? status : snw_context_check(&renderer->context, "uploading the crowd", error);
	if (snw_failed(status)) {
		snw_gpu_crowd_destroy(made);
		return status;
	}
	find_box(made);
	*gpu_crowd = made;
	return SNW_OK;
}

void snw_gpu_crowd_destroy(snw_gpu_crowd *gpu_crowd) {
	if (!gpu_crowd) {
		return;
	}
	for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count; m++) {
		snw_gpu_mesh_pose_destroy(gpu_crowd->poses[m]);
	}
	snw_target_buffers_destroy(&gpu_crowd->target);
	snw_gpu_stack_destroy(gpu_crowd->gpu_stack);
	snw_gpu_scene_destroy(&gpu_crowd->gpu_scene);
	glDeleteTextures(1, &gpu_crowd->texture);
	glDeleteBuffers(1, &gpu_crowd->buffer);
	snw_arena_destroy(gpu_crowd->arena);
}

/* A crowd is deep: what leaves equal metres on all sides leaves unequal parts of the picture. So the camera is moved until the
 * points are in its middle and fill it, all but a margin. */
static void center(snw_camera *camera, const double *points, size_t count, double aspect) {
	const double tangent = snw_camera_tangent(camera, aspect);
	double axes[3][3];
	snw_camera_axes(camera, axes);
	for (int step = 0; step < CENTERING; step++) {
		double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
		for (size_t i = 0; i < count; i++) {
			double from_target[3];
			for (int c = 0; c < 3; c++) {
				from_target[c] = points[3 * i + c] - camera->target[c];
			}
			const double depth = fmax(camera->distance - snw_dot3(axes[2], from_target), 0.02 * camera->distance);
			for (int c = 0; c < 2; c++) {
				const double part = snw_dot3(axes[c], from_target) / (depth * tangent * (c == 0 ? aspect : 1));
				least[c] = fmin(least[c], part);
				most[c] = fmax(most[c], part);
			}
		}
		for (int c = 0; c < 3; c++) {
			camera->target[c] += camera->distance * tangent *
								 (aspect * axes[0][c] * (least[0] + most[0]) / 2 + axes[1][c] * (least[1] + most[1]) / 2);
		}
		camera->distance *= fmax(most[0] - least[0], most[1] - least[1]) / 2 / FILLED;
	}
}

snw_camera snw_gpu_crowd_frame_camera(const snw_gpu_crowd *gpu_crowd, const snw_camera *camera, uint32_t width,
									  uint32_t height) {
	const snw_crowd *crowd = gpu_crowd->crowd;
	snw_camera framed = *camera;
	snw_arena *scratch = snw_arena_create();
	double *corners = SNW_NEW_ARRAY(scratch, double, 24 * (size_t)crowd->count);
	for (size_t i = 0; i < crowd->count; i++) {
		const snw_box box = snw_crowd_member_box(crowd, &crowd->members[i]);
		for (int corner = 0; corner < 8; corner++) {
			snw_box_corner(&box, corner, corners + 24 * i + 3 * corner);
		}
	}
	snw_camera_fit(&framed, corners, 8 * (size_t)crowd->count, (double)width / height);
	center(&framed, corners, 8 * (size_t)crowd->count, (double)width / height);
	snw_arena_destroy(scratch);
	return framed;
}

/* ---- posing -------------------------------------------------------------------------------------------------------------- */

static snw_extent extent_of(const snw_box *box) {
	return (snw_extent){.box = *box, .ground = snw_ground_place_under(box)};
}

static uint32_t level_at(const snw_gpu_crowd *gpu_crowd, const snw_box *box, const snw_camera_matrices *matrices,
						 double pixels_at_a_metre) {
	if (gpu_crowd->level_count < 2) {
		return 0;
	}
	double away = 0;
	for (int c = 0; c < 3; c++) {
		const double middle = (box->lower[c] + box->upper[c]) / 2 - (double)matrices->eye[c];
		away += middle * middle;
	}
	return snw_level_of_pixels(gpu_crowd->character.scene, gpu_crowd->side * pixels_at_a_metre / fmax(sqrt(away), 1e-9));
}

/* The members in view, ordered by level, and in a level as they are in the crowd. */
static void choose_members(snw_gpu_crowd *gpu_crowd, const snw_camera *camera, uint32_t width, uint32_t height) {
	const snw_crowd *crowd = gpu_crowd->crowd;
	const double aspect = (double)width / height;
	const double pixels_at_a_metre = height / (2 * snw_camera_tangent(camera, aspect));
	const uint32_t levels = gpu_crowd->level_count;
	snw_camera_matrices matrices;
	snw_camera_matrices_make(camera, aspect, &gpu_crowd->box, &matrices);
	memset(gpu_crowd->at_level, 0, levels * sizeof *gpu_crowd->at_level);
	gpu_crowd->seen = snw_box_empty();
	for (uint32_t i = 0; i < crowd->count; i++) {
		const snw_box box = snw_crowd_member_box(crowd, &crowd->members[i]);
		const bool is_seen = snw_camera_sees(&matrices, &box);
		const uint32_t level = is_seen ? level_at(gpu_crowd, &box, &matrices, pixels_at_a_metre) : levels;
		gpu_crowd->level_of[i] = (unsigned char)level;
		if (is_seen) {
			gpu_crowd->at_level[level]++;
			snw_box_add_box(&gpu_crowd->seen, &box);
		}
	}
	gpu_crowd->count = 0;
	for (uint32_t level = 0; level < levels; level++) {
		for (uint32_t i = 0; i < crowd->count && gpu_crowd->at_level[level] > 0; i++) {
			gpu_crowd->order[gpu_crowd->count] = i;
			gpu_crowd->count += gpu_crowd->level_of[i] == level;
		}
	}
}

static void send_instances(snw_gpu_crowd *gpu_crowd, double seconds) {
	for (uint32_t i = 0; i < gpu_crowd->count; i++) {
		const snw_crowd_member *member = &gpu_crowd->crowd->members[gpu_crowd->order[i]];
		float *to = gpu_crowd->sent + SNW_INSTANCE_FLOATS * (size_t)i;
		to[0] = member->place[0];
		to[1] = member->place[1];
		to[2] = member->yaw;
		to[3] = (float)snw_crowd_frame(gpu_crowd->crowd, member, seconds);
	}
	glBindBuffer(GL_TEXTURE_BUFFER, gpu_crowd->buffer);
	glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)(SNW_INSTANCE_FLOATS * (size_t)gpu_crowd->count * sizeof(float)),
					gpu_crowd->sent);
}

/* The levels that show a mesh follow each other, and so do their members. */
static snw_gpu_instances instances_of(const snw_gpu_crowd *gpu_crowd, uint32_t mesh) {
	const snw_level_scene *levels = gpu_crowd->character.levels;
	snw_gpu_instances instances = {.texture = gpu_crowd->texture};
	uint32_t begin = 0;
	for (uint32_t level = 0; level < gpu_crowd->level_count; level++) {
		if (!levels || snw_level_scene_shows(levels, mesh, level)) {
			instances.first = instances.count > 0 ? instances.first : begin;
			instances.count += gpu_crowd->at_level[level];
		}
		begin += gpu_crowd->at_level[level];
	}
	return instances;
}

static void make_room(snw_gpu_crowd *gpu_crowd, uint32_t mesh, uint32_t count) {
	if (count <= gpu_crowd->rooms[mesh]) {
		return;
	}
	const uint32_t doubled = gpu_crowd->crowd->count / 2 < count ? gpu_crowd->crowd->count : 2 * count;
	snw_gpu_mesh_use_pose(gpu_crowd->gpu_scene.meshes[mesh], NULL);
	snw_gpu_mesh_pose_destroy(gpu_crowd->poses[mesh]);
	gpu_crowd->rooms[mesh] = doubled;
	gpu_crowd->poses[mesh] = snw_gpu_mesh_pose_create_instances(gpu_crowd->gpu_scene.meshes[mesh], doubled);
}

/* Gives a mesh its instances, and room for them. */
static void choose_instances(snw_gpu_crowd *gpu_crowd, uint32_t mesh) {
	const snw_gpu_instances instances = instances_of(gpu_crowd, mesh);
	gpu_crowd->shown[mesh] = instances;
	gpu_crowd->gpu_scene.boxes[mesh] = instances.count > 0 ? gpu_crowd->seen : snw_box_empty();
	make_room(gpu_crowd, mesh, instances.count > 0 ? instances.count : 1);
	snw_gpu_mesh_pose_set_instances(gpu_crowd->poses[mesh], &instances);
	snw_gpu_mesh_use_pose(gpu_crowd->gpu_scene.meshes[mesh], gpu_crowd->poses[mesh]);
}

/* The points and normals of the chosen members that show a mesh. */
static void gpu_crowd_skin(snw_gpu_crowd *gpu_crowd, uint32_t mesh) {
	snw_gpu_mesh *gpu_mesh = gpu_crowd->gpu_scene.meshes[mesh];
	const snw_gpu_instances *instances = &gpu_crowd->shown[mesh];
	if (instances->count == 0) {
		return;
	}
	if (snw_stack_segment_count(gpu_crowd->character.stack, mesh) == 0) {
		snw_gpu_mesh_send_points(gpu_mesh, NULL);
	}
	snw_gpu_stack_pose_instances(gpu_crowd->gpu_stack, mesh, instances, snw_gpu_mesh_points(gpu_mesh));
	snw_gpu_mesh_find_normals(gpu_mesh);
	snw_gpu_stack_normals_of_instances(gpu_crowd->gpu_stack, mesh, instances, snw_gpu_mesh_normals(gpu_mesh));
}

/* Chooses the members in view and their levels, and sends them: returns the bytes. */
static size_t gpu_crowd_choose(snw_gpu_crowd *gpu_crowd, const snw_camera *camera, uint32_t width, uint32_t height,
							   double seconds) {
	choose_members(gpu_crowd, camera, width, height);
	send_instances(gpu_crowd, seconds);
	for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count; m++) {
		choose_instances(gpu_crowd, m);
	}
	return SNW_INSTANCE_FLOATS * (size_t)gpu_crowd->count * sizeof(float);
}

snw_status snw_gpu_crowd_pose(snw_gpu_crowd *gpu_crowd, const snw_camera *camera, uint32_t width, uint32_t height,
							  double seconds, snw_error *error) {
	gpu_crowd_choose(gpu_crowd, camera, width, height, seconds);
	for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count; m++) {
		gpu_crowd_skin(gpu_crowd, m);
	}
	return snw_context_check(&gpu_crowd->renderer->context, "skinning the crowd", error);
}

snw_crowd_shown snw_gpu_crowd_shown(const snw_gpu_crowd *gpu_crowd) {
	snw_crowd_shown shown = {.count = gpu_crowd->count,
							 .level_count = gpu_crowd->level_count,
							 .levels = gpu_crowd->at_level,
							 .bytes_sent = SNW_INSTANCE_FLOATS * (size_t)gpu_crowd->count * sizeof(float),
							 .kept_bytes = gpu_crowd->kept_bytes};
	for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count; m++) {
		const snw_mesh *mesh = &gpu_crowd->posed->meshes[m];
		const uint64_t triangles = mesh->face_count ? mesh->face_offsets[mesh->face_count] - 2ull * mesh->face_count : 0;
		shown.triangles += triangles * gpu_crowd->shown[m].count;
	}
	return shown;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------- */

static snw_status fit_target(snw_gpu_crowd *gpu_crowd, uint32_t width, uint32_t height, snw_error *error) {
	if (gpu_crowd->target.width == width && gpu_crowd->target.height == height) {
		return SNW_OK;
	}
	snw_target_buffers_destroy(&gpu_crowd->target);
	const snw_status status = snw_target_buffers_create(&gpu_crowd->target, width, height, SNW_TARGET_SAMPLES, error);
	if (snw_failed(status)) {
		snw_target_buffers_destroy(&gpu_crowd->target);
	}
	return status;
}

/* The grid has the step of one character. */
static snw_extent drawn_extent(const snw_gpu_crowd *gpu_crowd) {
	const snw_box *box = gpu_crowd->count > 0 ? &gpu_crowd->seen : &gpu_crowd->box;
	snw_extent extent = extent_of(box);
	extent.ground.grid_step = snw_ground_place_under(&gpu_crowd->crowd->clips[0].box).grid_step;
	return extent;
}

snw_status snw_gpu_crowd_picture(snw_gpu_crowd *gpu_crowd, const snw_view *view, uint32_t width, uint32_t height,
								 unsigned char *pixels, snw_error *error) {
	const snw_status status = fit_target(gpu_crowd, width, height, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_extent extent = drawn_extent(gpu_crowd);
	const snw_canvas canvas = {pixels, width, width, height};
	snw_view_draw(gpu_crowd->renderer, &gpu_crowd->gpu_scene, view, &view->camera, &extent, &gpu_crowd->target, &canvas);
	return snw_context_check(&gpu_crowd->renderer->context, "drawing the crowd", error);
}

snw_status snw_gpu_crowd_draw_window(snw_gpu_crowd *gpu_crowd, const snw_view *view, uint32_t width, uint32_t height,
									 snw_error *error) {
	const snw_status status = fit_target(gpu_crowd, width, height, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_extent extent = drawn_extent(gpu_crowd);
	snw_view_paint(gpu_crowd->renderer, &gpu_crowd->gpu_scene, view, &view->camera, &extent, &gpu_crowd->target);
	snw_target_buffers_resolve(&gpu_crowd->target);
	const snw_viewport_place place = {.width = (int)width, .height = (int)height};
	snw_renderer_put_on_window(gpu_crowd->renderer, &gpu_crowd->target, &place, false);
	return snw_context_check(&gpu_crowd->renderer->context, "drawing the window", error);
}

static void read_floats(GLuint buffer, size_t first, size_t count, float *values) {
	glBindBuffer(GL_TEXTURE_BUFFER, buffer);
	glGetBufferSubData(GL_TEXTURE_BUFFER, (GLintptr)(first * sizeof(float)), (GLsizeiptr)(count * sizeof(float)), values);
}

bool snw_gpu_crowd_read(const snw_gpu_crowd *gpu_crowd, uint32_t member, uint32_t *mesh, float *points, float *normals) {
	uint32_t place = 0;
	while (place < gpu_crowd->count && gpu_crowd->order[place] != member) {
		place++;
	}
	for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count && place < gpu_crowd->count; m++) {
		const snw_gpu_instances *shown = &gpu_crowd->shown[m];
		if (place >= shown->first && place < shown->first + shown->count) {
			const size_t floats = 3 * (size_t)gpu_crowd->posed->meshes[m].point_count, first = floats * (place - shown->first);
			*mesh = m;
			read_floats(snw_gpu_mesh_points(gpu_crowd->gpu_scene.meshes[m]), first, floats, points);
			read_floats(snw_gpu_mesh_normals(gpu_crowd->gpu_scene.meshes[m]), first, floats, normals);
			return true;
		}
	}
	return false;
}

/* ---- gpu crowd ways ------------------------------------------------------------------------------------------------------ */

struct snw_crowd_points {
	snw_arena *arena;
	uint32_t mesh_count;
	float **points, **normals; /* [mesh_count][frame_count][point_count][3] */
};

static size_t floats_of(const snw_gpu_crowd *gpu_crowd, uint32_t mesh) {
	return 3 * (size_t)gpu_crowd->posed->meshes[mesh].point_count;
}

/* ---- the points of all frames -------------------------------------------------------------------------------------------- */

static void read_frame(snw_gpu_crowd *gpu_crowd, uint32_t mesh, uint32_t frame, snw_gpu_mesh_pose *pose, float *points,
					   float *normals) {
	const float instance[SNW_INSTANCE_FLOATS] = {0, 0, 0, (float)frame};
	const snw_gpu_instances instances = {.texture = gpu_crowd->texture, .count = 1};
	snw_gpu_mesh *gpu_mesh = gpu_crowd->gpu_scene.meshes[mesh];
	glBindBuffer(GL_TEXTURE_BUFFER, gpu_crowd->buffer);
	glBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof instance, instance);
	snw_gpu_mesh_pose_set_instances(pose, &instances);
	snw_gpu_stack_pose_instances(gpu_crowd->gpu_stack, mesh, &instances, snw_gpu_mesh_points(gpu_mesh));
	snw_gpu_mesh_find_normals(gpu_mesh);
	snw_gpu_stack_normals_of_instances(gpu_crowd->gpu_stack, mesh, &instances, snw_gpu_mesh_normals(gpu_mesh));
	snw_gpu_mesh_read_points(gpu_mesh, points);
	snw_gpu_mesh_read_normals(gpu_mesh, normals);
}

snw_crowd_points *snw_crowd_points_create(snw_gpu_crowd *gpu_crowd) {
	snw_arena *arena = snw_arena_create();
	snw_crowd_points *made = SNW_NEW(arena, snw_crowd_points);
	const uint32_t meshes = gpu_crowd->posed->mesh_count, frames = gpu_crowd->crowd->frame_count;
	*made = (snw_crowd_points){.arena = arena, .mesh_count = meshes};
	made->points = SNW_NEW_ARRAY(arena, float *, meshes);
	made->normals = SNW_NEW_ARRAY(arena, float *, meshes);
	for (uint32_t m = 0; m < meshes; m++) {
		const size_t floats = floats_of(gpu_crowd, m);
		snw_gpu_mesh_pose *pose = snw_gpu_mesh_pose_create_instances(gpu_crowd->gpu_scene.meshes[m], 1);
		made->points[m] = SNW_NEW_ARRAY(arena, float, frames *floats);
		made->normals[m] = SNW_NEW_ARRAY(arena, float, frames *floats);
		snw_gpu_mesh_use_pose(gpu_crowd->gpu_scene.meshes[m], pose);
		for (uint32_t f = 0; f < frames; f++) {
			read_frame(gpu_crowd, m, f, pose, made->points[m] + f * floats, made->normals[m] + f * floats);
		}
		snw_gpu_mesh_use_pose(gpu_crowd->gpu_scene.meshes[m], NULL);
		snw_gpu_mesh_pose_destroy(pose);
	}
	return made;
}

void snw_crowd_points_destroy(snw_crowd_points *points) {
	if (points) {
		snw_arena_destroy(points->arena);
	}
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------- */

static void draw_mesh(const snw_gpu_crowd *gpu_crowd, uint32_t mesh, const snw_draw_settings *settings) {
	snw_gpu_mesh_begin_draw(gpu_crowd->gpu_scene.meshes[mesh], settings);
	snw_gpu_mesh_draw(gpu_crowd->gpu_scene.meshes[mesh], gpu_crowd->gpu_scene.materials, settings, false);
	snw_gpu_mesh_draw(gpu_crowd->gpu_scene.meshes[mesh], gpu_crowd->gpu_scene.materials, settings, true);
}

/* The buffers of one member are used again for the next. */
static void draw_one_by_one(snw_gpu_crowd *gpu_crowd, const snw_draw_settings *settings) {
	for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count; m++) {
		snw_gpu_mesh *gpu_mesh = gpu_crowd->gpu_scene.meshes[m];
		const snw_gpu_instances all = gpu_crowd->shown[m];
		for (uint32_t i = 0; i < all.count; i++) {
			const snw_gpu_instances one = {all.texture, all.first + i, 1};
			snw_gpu_mesh_pose_set_instances(gpu_crowd->poses[m], &one);
			snw_gpu_stack_pose_instances(gpu_crowd->gpu_stack, m, &one, snw_gpu_mesh_points(gpu_mesh));
			snw_gpu_mesh_find_normals(gpu_mesh);
			snw_gpu_stack_normals_of_instances(gpu_crowd->gpu_stack, m, &one, snw_gpu_mesh_normals(gpu_mesh));
			draw_mesh(gpu_crowd, m, settings);
		}
		snw_gpu_mesh_pose_set_instances(gpu_crowd->poses[m], &all);
	}
}

static void send_members(const snw_gpu_crowd *gpu_crowd, GLuint buffer, const float *frames, size_t floats, double seconds) {
	const size_t bytes = floats * sizeof *frames;
	glBindBuffer(GL_TEXTURE_BUFFER, buffer);
	for (uint32_t i = 0; i < gpu_crowd->count; i++) {
		const snw_crowd_member *member = &gpu_crowd->crowd->members[gpu_crowd->order[i]];
		glBufferSubData(GL_TEXTURE_BUFFER, (GLintptr)(i * bytes), (GLsizeiptr)bytes,
						frames + floats * snw_crowd_frame(gpu_crowd->crowd, member, seconds));
	}
}

static size_t draw_points_sent(const snw_gpu_crowd *gpu_crowd, const snw_crowd_points *points,
							   const snw_draw_settings *settings, double seconds) {
	size_t bytes = 0;
	for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count; m++) {
		const snw_gpu_mesh *gpu_mesh = gpu_crowd->gpu_scene.meshes[m];
		const size_t floats = floats_of(gpu_crowd, m);
		send_members(gpu_crowd, snw_gpu_mesh_points(gpu_mesh), points->points[m], floats, seconds);
		send_members(gpu_crowd, snw_gpu_mesh_normals(gpu_mesh), points->normals[m], floats, seconds);
		draw_mesh(gpu_crowd, m, settings);
		bytes += 2 * floats * sizeof(float) * gpu_crowd->count;
	}
	return bytes;
}

snw_status snw_gpu_crowd_fit_target(snw_gpu_crowd *gpu_crowd, uint32_t width, uint32_t height, snw_error *error) {
	snw_target_buffers_destroy(&gpu_crowd->target);
	return snw_target_buffers_create(&gpu_crowd->target, width, height, SNW_TARGET_SAMPLES, error);
}

size_t snw_gpu_crowd_draw_way(snw_gpu_crowd *gpu_crowd, snw_crowd_way way, const snw_crowd_points *points, const snw_view *view,
							  double seconds) {
	const snw_target_buffers *target = &gpu_crowd->target;
	const size_t bytes = gpu_crowd_choose(gpu_crowd, &view->camera, target->width, target->height, seconds);
	snw_camera_matrices matrices;
	snw_camera_matrices_make(&view->camera, (double)target->width / target->height, &gpu_crowd->box, &matrices);
	snw_key_view key = snw_key_view_make(&matrices, &gpu_crowd->box, view->lights, view->light_turn);
	key.casts_shadows = false;
	const snw_draw_settings settings = {.camera = &matrices,
										.light = &gpu_crowd->renderer->key_light,
										.key = &key,
										.heat_ramp = gpu_crowd->renderer->heat_ramp,
										.opacity = 1};
	glEnable(GL_FRAMEBUFFER_SRGB);
	glEnable(GL_DEPTH_TEST);
	snw_target_buffers_enter(target);
	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	size_t sent = bytes;
	if (way == SNW_CROWD_ONE_BY_ONE) {
		draw_one_by_one(gpu_crowd, &settings);
	} else if (way == SNW_CROWD_POINTS_SENT) {
		sent += draw_points_sent(gpu_crowd, points, &settings, seconds);
	} else {
		for (uint32_t m = 0; m < gpu_crowd->posed->mesh_count; m++) {
			gpu_crowd_skin(gpu_crowd, m);
			draw_mesh(gpu_crowd, m, &settings);
		}
	}
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_FRAMEBUFFER_SRGB);
	return sent;
}
