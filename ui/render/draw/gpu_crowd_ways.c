/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/gpu_crowd_ways.h"

#include <string.h>

#include "render/draw/gpu_crowd_internal.h"
#include "render/gl/shader.h"

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

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

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
	const size_t bytes = snw_gpu_crowd_choose(gpu_crowd, &view->camera, target->width, target->height, seconds);
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
			snw_gpu_crowd_skin(gpu_crowd, m);
			draw_mesh(gpu_crowd, m, &settings);
		}
	}
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_FRAMEBUFFER_SRGB);
	return sent;
}
