/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times the renderer: crowds, skins, the card, and redraws of a view.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "benchmark/graphics.h"
#include "fit/fit.h"
#include "pose/pose.h"
#include "render/draw/gpu_crowd.h"
#include "render/draw/renderer.h"
#include "render/gl/shader.h"
#include "render/mesh/gpu_mesh.h"
#include "render/skin/gpu_stack.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"

/* ---- crowds -------------------------------------------------------------------------------------------------------------- */

/* Times the three ways of drawing a crowd in turn, at the same moments. */

enum { WIDTH = 1280, HEIGHT = 720 };
#define STEP (1 / 60.0) /* seconds of the clips between redraws */

static const char *const way_names[SNW_CROWD_WAYS] = {"at once", "one by one", "points sent"};

typedef struct crowd_timing {
	snw_gpu_crowd *gpu_crowd;
	const snw_crowd_points *points;
	snw_view view;
	snw_crowd_way way;
	double seconds; /* of the clips */
	size_t bytes_sent;
} crowd_timing;

static void redraw(void *argument) {
	crowd_timing *b = argument;
	b->bytes_sent = snw_gpu_crowd_draw_way(b->gpu_crowd, b->way, b->points, &b->view, b->seconds);
	b->seconds += STEP;
}

static void time_ways(crowd_timing *b, const snw_crowd *crowd, const snw_crowd_character *character, double seconds,
					  snw_crowd_bench *result) {
	for (snw_crowd_way way = 0; way < SNW_CROWD_WAYS; way++) {
		snw_crowd_bench_row *row = &result->rows[way];
		b->way = way;
		b->seconds = 0;
		row->way = way_names[way];
		row->members = crowd->count;
		for (uint32_t m = 0; m < character->scene->mesh_count; m++) {
			row->points += (uint64_t)character->scene->meshes[m].point_count * crowd->count;
		}
		row->draw_calls = (way == SNW_CROWD_ONE_BY_ONE ? crowd->count : 1) * character->scene->mesh_count;
		row->seconds = snw_gpu_time(redraw, b, seconds);
		row->bytes_sent = b->bytes_sent;
		row->times = row->seconds / result->rows[0].seconds;
		row->share = (double)result->rows[0].bytes_sent / (double)row->bytes_sent;
	}
}

snw_status snw_bench_crowd(snw_renderer *renderer, snw_crowd *crowd, const snw_crowd_character *character, double seconds,
						   const snw_task *task, snw_crowd_bench *result, snw_error *error) {
	crowd_timing b = {.view = {.scene = character->scene, .camera = {.yaw = 0.6, .pitch = 0.4}}};
	*result = (snw_crowd_bench){.device = snw_renderer_device(renderer)};
	snw_status status = snw_gpu_crowd_create(renderer, crowd, character, task, &b.gpu_crowd, error);
	status = snw_failed(status) ? status : snw_gpu_crowd_fit_target(b.gpu_crowd, WIDTH, HEIGHT, error);
	if (!snw_failed(status)) {
		snw_crowd_points *points = snw_crowd_points_create(b.gpu_crowd);
		b.points = points;
		b.view.camera = snw_gpu_crowd_frame_camera(b.gpu_crowd, &b.view.camera, WIDTH, HEIGHT);
		result->kept_bytes = snw_gpu_crowd_shown(b.gpu_crowd).kept_bytes;
		time_ways(&b, crowd, character, seconds, result);
		snw_crowd_points_destroy(points);
		status = snw_context_check(&renderer->context, "timing the crowd", error);
	}
	snw_gpu_crowd_destroy(b.gpu_crowd);
	return status;
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

/* Times the skins of a character on the card, each compared with its linear blend. */

enum { POSES = 16, LEAST_ROUNDS = 5 };

typedef struct skin_timing {
	snw_renderer *renderer;
	const snw_scene *scene;
	const snw_registry *registry;
	double seconds; /* about, for each part of a row */
	snw_arena *arena;
	uint32_t pose_count;
	const snw_pose_view **poses; /* [pose_count] */
	GLuint *points;              /* [mesh_count] */
} skin_timing;

/* Moments of the first clip; the rest if there is none. */
static void make_poses(skin_timing *b) {
	b->pose_count = b->scene->clip_count > 0 ? POSES : 1;
	b->poses = SNW_NEW_ARRAY(b->arena, const snw_pose_view *, b->pose_count);
	for (uint32_t i = 0; i < b->pose_count; i++) {
		const snw_pose *pose =
			b->scene->clip_count > 0
				? snw_pose_sample(b->scene, 0, b->scene->clips[0].duration_seconds * (i + 0.5) / POSES, b->arena)
				: snw_pose_rest(b->scene, b->arena);
		b->poses[i] = snw_pose_view_make(b->scene, pose, b->arena);
	}
}

/* At all poses once: each pose is new to the stack. Adds the seconds of its two parts. */
static snw_status run_poses(const skin_timing *b, const snw_stack *stack, snw_evaluation *evaluation, double *drives,
							double *boxes, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < b->pose_count && !snw_failed(status); i++) {
		const double start = snk_clock_seconds();
		status = snw_stack_drive(stack, b->poses[i], evaluation, error);
		const double driven = snk_clock_seconds();
		for (uint32_t m = 0; m < b->scene->mesh_count && !snw_failed(status); m++) {
			(void)snw_stack_bounds_posed(evaluation, m);
		}
		*drives += driven - start;
		*boxes += snk_clock_seconds() - driven;
	}
	return status;
}

/* The work of the CPU for one pose: the shortest of several rounds over all. */
static snw_status time_poses(const skin_timing *b, const snw_stack *stack, snw_skin_bench_row *row, snw_error *error) {
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const double begin = snk_clock_seconds();
	snw_status status = SNW_OK;
	row->drive_seconds = row->box_seconds = INFINITY;
	for (int round = 0; (round < LEAST_ROUNDS || snk_clock_seconds() - begin < b->seconds) && !snw_failed(status); round++) {
		double drives = 0, boxes = 0;
		status = run_poses(b, stack, evaluation, &drives, &boxes, error);
		row->drive_seconds = fmin(row->drive_seconds, drives / b->pose_count);
		row->box_seconds = fmin(row->box_seconds, boxes / b->pose_count);
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

typedef struct timed_skin {
	const skin_timing *bench;
	snw_gpu_stack *gpu_stack;
	snw_error *error;
	snw_status status;
} timed_skin;

static void pose_meshes(void *argument) {
	timed_skin *measured = argument;
	for (uint32_t m = 0; m < measured->bench->scene->mesh_count && !snw_failed(measured->status); m++) {
		measured->status = snw_gpu_stack_pose(measured->gpu_stack, m, measured->bench->points[m], measured->error);
	}
}

static snw_status time_skin(const skin_timing *b, const char *method, snw_skin_bench_row *row, snw_error *error) {
	const snw_stack_options options = {.method = method};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(b->scene, b->registry, &options, NULL, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	*row = (snw_skin_bench_row){.method = method};
	timed_skin measured = {.bench = b, .error = error};
	measured.gpu_stack = snw_gpu_stack_create(&b->renderer->skin_shaders, stack, b->scene, NULL);
	status = time_poses(b, stack, row, error);
	status = snw_failed(status) ? status : snw_gpu_stack_drive(measured.gpu_stack, b->poses[b->pose_count / 2], error);
	if (!snw_failed(status)) {
		row->skin_seconds = snw_gpu_time(pose_meshes, &measured, b->seconds);
		status =
			snw_failed(measured.status) ? measured.status : snw_context_check(&b->renderer->context, "timing the GPU", error);
	}
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		row->points += b->scene->meshes[m].point_count;
		row->bytes_sent += (uint32_t)snw_gpu_stack_bytes_sent(measured.gpu_stack, m);
	}
	snw_gpu_stack_destroy(measured.gpu_stack);
	snw_stack_destroy(stack);
	return status;
}

static snw_status time_all(const skin_timing *b, const snw_task *task, snw_skin_bench_row *rows, uint32_t *count,
						   snw_error *error) {
	const char *baseline = snw_registry_trait_name(b->registry, SNW_BASELINE);
	const uint32_t layers = b->scene->layer_count;
	snw_status status = time_skin(b, baseline, &rows[(*count)++], error);
	for (uint32_t i = 0; i < layers && !snw_failed(status); i++) {
		const snw_layer *layer = &b->scene->layers[i];
		if (layer->muted || strcmp(layer->name, baseline) == 0) {
			continue;
		}
		if (!snw_task_progress(task, (double)i / layers, "timing")) {
			return snw_fail(error, SNW_CANCELLED, "stopped");
		}
		snw_skin_bench_row *row = &rows[(*count)++];
		status = time_skin(b, layer->name, row, error);
		row->ratio = (row->drive_seconds + row->skin_seconds) / (rows[0].drive_seconds + rows[0].skin_seconds);
	}
	return status;
}

snw_status snw_bench_skins(snw_renderer *renderer, const snw_scene *scene, const snw_registry *registry, double seconds,
						   const snw_task *task, snw_arena *arena, snw_skin_bench *result, snw_error *error) {
	skin_timing b = {renderer, scene, registry, seconds, snw_arena_create(), 0, NULL, NULL};
	snw_status status = snw_context_enter(&renderer->context, error);
	status = snw_failed(status) ? status : snw_path_choose(&renderer->skin_shaders, &renderer->mesh_shaders, error);
	*result = (snw_skin_bench){.device = snw_renderer_device(renderer),
							   .path = snw_gpu_path_names[renderer->skin_shaders.path],
							   .rows = SNW_NEW_ARRAY(arena, snw_skin_bench_row, (size_t)scene->layer_count + 1)};
	if (!snw_failed(status)) {
		make_poses(&b);
		b.points = SNW_NEW_ARRAY(b.arena, GLuint, scene->mesh_count);
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			b.points[m] = snw_buffer_make(GL_ARRAY_BUFFER, NULL, 3 * sizeof(float) * (size_t)scene->meshes[m].point_count,
										  GL_DYNAMIC_COPY);
		}
		status = time_all(&b, task, result->rows, &result->row_count, error);
		glDeleteBuffers((GLsizei)scene->mesh_count, b.points);
	}
	snw_arena_destroy(b.arena);
	return status;
}

/* ---- the card ------------------------------------------------------------------------------------------------------------ */

/* Times skin programs and normals on both paths, compared with a copy from buffer to buffer. */

enum { SLOTS = 60, INFLUENCE_STEPS = 5, BLENDS = 3, SIZES = 3, MEBI = 1 << 20 };

static const uint32_t influence_steps[INFLUENCE_STEPS] = {1, 2, 4, 8, 12};
static const char *const blend_names[4] = {"none", "linear", "affine", "dual-quaternion"};

/* ---- copying ------------------------------------------------------------------------------------------------------------- */

enum { COPY_THREADS = 1 << 20 };

typedef struct copy {
	GLuint from, to;
	GLsizeiptr bytes;
	GLuint shader; /* 0: the driver copies */
} copy;

static void run_copy(void *argument) {
	const copy *buffers = argument;
	if (buffers->shader) {
		glUseProgram(buffers->shader);
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers->from);
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers->to);
		snw_compute_run(COPY_THREADS);
		return;
	}
	glBindBuffer(GL_COPY_READ_BUFFER, buffers->from);
	glBindBuffer(GL_COPY_WRITE_BUFFER, buffers->to);
	glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, buffers->bytes);
}

/* By the driver or by a compute shader, whichever is faster. */
static snw_status copy_rate(bool is_software, double seconds, double *rate, snw_error *error) {
	static const snw_shader_recipe recipe = {.compute = "copy.comp"};
	copy buffers = {.bytes = (GLsizeiptr)(is_software ? 64 : 256) * MEBI};
	if (snw_shader_has_compute()) {
		const snw_status status = snw_shader_link(&recipe, &buffers.shader, error);
		if (snw_failed(status)) {
			return status;
		}
		snw_uniform_whole(buffers.shader, "thread_count", COPY_THREADS);
	}
	buffers.from = snw_buffer_make(GL_COPY_READ_BUFFER, NULL, (size_t)buffers.bytes, GL_STATIC_COPY);
	buffers.to = snw_buffer_make(GL_COPY_WRITE_BUFFER, NULL, (size_t)buffers.bytes, GL_STATIC_COPY);
	double time = INFINITY;
	if (buffers.shader) {
		time = snw_gpu_time(run_copy, &buffers, seconds);
		glDeleteProgram(buffers.shader);
		buffers.shader = 0;
	}
	time = fmin(time, snw_gpu_time(run_copy, &buffers, seconds));
	glDeleteBuffers(1, &buffers.from);
	glDeleteBuffers(1, &buffers.to);
	*rate = 2 * (double)buffers.bytes / time;
	return SNW_OK;
}

/* ---- skinning ------------------------------------------------------------------------------------------------------------ */

/* A square grid of quads with about this many points. */
static snw_mesh make_grid(uint32_t point_count, snw_arena *arena) {
	const uint32_t side = (uint32_t)sqrt((double)point_count), quads = (side - 1) * (side - 1);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)side * side);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)quads + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)quads);
	for (uint32_t i = 0; i < side * side; i++) {
		const uint32_t column = i % side, row = i / side;
		points[3 * (size_t)i] = column;
		points[3 * (size_t)i + 1] = row;
	}
	for (uint32_t f = 0; f < quads; f++) {
		const uint32_t first = f / (side - 1) * side + f % (side - 1);
		const uint32_t indices[4] = {first, first + 1, first + side + 1, first + side};
		memcpy(corners + 4 * (size_t)f, indices, sizeof indices);
		offsets[f + 1] = 4 * (f + 1);
	}
	return (snw_mesh){.name = "bench",
					  .point_count = side * side,
					  .points_rest = points,
					  .face_count = quads,
					  .face_offsets = offsets,
					  .face_points = corners};
}

typedef struct subject {
	snw_gpu_program *program;
	const snw_program_input *input;
	snw_gpu_mesh *gpu_mesh;
	bool normals;
} subject;

static void run_subject(void *argument) {
	const subject *measured = argument;
	snw_gpu_program_run(measured->program, measured->input, 0, snw_gpu_mesh_points(measured->gpu_mesh));
	if (measured->normals) {
		snw_gpu_mesh_find_normals(measured->gpu_mesh);
	}
}

typedef struct bench {
	snw_renderer *renderer;
	const snw_gpu_bench_options *options;
	const snw_task *task;
	snw_gpu_bench *result;
} bench;

static void time_subject(const bench *b, subject *measured, snw_gpu_bench_row shared) {
	const double skin_bytes = snw_gpu_program_bytes_a_point(measured->program);
	const double normal_bytes = snw_gpu_mesh_normal_bytes(measured->gpu_mesh) / shared.points;
	for (int normals = 0; normals <= 1; normals++) {
		for (snw_gpu_path path = 0; path <= (b->renderer->skin_shaders.has_compute ? SNW_GPU_COMPUTE : SNW_GPU_FEEDBACK);
			 path++) {
			snw_gpu_bench_row *row = &b->result->rows[b->result->row_count++];
			*row = shared;
			measured->normals = normals;
			b->renderer->skin_shaders.path = b->renderer->mesh_shaders.path = path;
			row->path = snw_gpu_path_names[path];
			row->normals = normals;
			row->seconds = snw_gpu_time(run_subject, measured, b->options->seconds);
			row->points_a_second = row->points / row->seconds;
			row->bytes_a_point = skin_bytes + (normals ? normal_bytes : 0);
			row->bytes_a_second = row->bytes_a_point * row->points_a_second;
			row->share = row->bytes_a_second / b->result->copy_bytes_a_second;
			row->bytes_sent = (uint32_t)snw_gpu_program_bytes_sent(measured->program);
		}
	}
}

static snw_status bench_program(const bench *b, snw_gpu_mesh *gpu_mesh, uint32_t points, int32_t blend, uint32_t influences,
								snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_synthetic_program made = snw_synthetic_program_make(points, SLOTS, blend, influences, SNW_SLOTS_SHARED, 0, scratch);
	subject measured = {.input = &made.input, .gpu_mesh = gpu_mesh};
	snw_status status = snw_gpu_program_create(&b->renderer->skin_shaders, &made.program, NULL, &measured.program, error);
	if (status == SNW_ERROR_LIMIT) {
		snw_task_notice(b->task, SNW_LOG_WARNING, "%s; skipped", error->text);
		status = SNW_OK;
	} else if (!snw_failed(status)) {
		time_subject(b, &measured,
					 (snw_gpu_bench_row){.blend = blend_names[blend], .points = points, .influences = influences});
		status = snw_context_check(&b->renderer->context, "timing the GPU", error);
	}
	snw_gpu_program_destroy(measured.program);
	snw_packed_program_destroy(made.packed);
	snw_arena_destroy(scratch);
	return status;
}

static snw_status bench_size(const bench *b, uint32_t point_count, double begun, double share, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_mesh grid = make_grid(point_count, scratch);
	snw_gpu_mesh *gpu_mesh = NULL;
	snw_status status = snw_gpu_mesh_create(&b->renderer->mesh_shaders, &grid, NULL, NULL, &gpu_mesh, error);
	for (int i = 0; i < BLENDS * INFLUENCE_STEPS && !snw_failed(status); i++) {
		if (!snw_task_progress(b->task, begun + share * i / (BLENDS * INFLUENCE_STEPS), "timing")) {
			status = snw_fail(error, SNW_CANCELLED, "stopped");
			continue;
		}
		status = bench_program(b, gpu_mesh, grid.point_count, SNW_BLEND_LINEAR + i / INFLUENCE_STEPS,
							   influence_steps[i % INFLUENCE_STEPS], error);
	}
	snw_gpu_mesh_destroy(gpu_mesh);
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_bench_gpu(snw_renderer *renderer, const snw_gpu_bench_options *options, const snw_task *task, snw_arena *arena,
						 snw_gpu_bench *result, snw_error *error) {
	static const uint32_t sizes[SIZES] = {10000, 100000, 1000000};
	const bench b = {renderer, options, task, result};
	const int size_count = options->point_count ? 1 : SIZES;
	snw_status status = snw_context_enter(&renderer->context, error);
	if (snw_failed(status)) {
		return status;
	}
	*result = (snw_gpu_bench){.device = snw_renderer_device(renderer)};
	result->is_software = snw_device_is_software(result->device);
	result->rows = SNW_NEW_ARRAY(arena, snw_gpu_bench_row, (size_t)SIZES * BLENDS * INFLUENCE_STEPS * 2 * SNW_GPU_PATH_COUNT);
	status = snw_path_choose(&renderer->skin_shaders, &renderer->mesh_shaders, error);
	const snw_gpu_path chosen = renderer->skin_shaders.path;
	result->chosen = snw_gpu_path_names[chosen];
	status =
		snw_failed(status) ? status : copy_rate(result->is_software, options->seconds, &result->copy_bytes_a_second, error);
	for (int i = 0; i < size_count && !snw_failed(status); i++) {
		status = bench_size(&b, options->point_count ? options->point_count : sizes[i], (double)i / size_count,
							1.0 / size_count, error);
	}
	renderer->skin_shaders.path = renderer->mesh_shaders.path = chosen;
	return status;
}

/* ---- redraws ------------------------------------------------------------------------------------------------------------- */

/* Times the parts of a redraw: each ends in a glFinish, so that its work on the GPU is not counted for the next part. */

enum { USUAL_WIDTH = 1280, USUAL_HEIGHT = 720, WARM_REDRAWS = 2, LEAST_REDRAWS = 5, MOST_REDRAWS = 500 };

typedef enum part { CPU, UPLOAD, DRAW, REDRAW, THREAD, PART_COUNT } part;

typedef struct redraw_bench {
	snw_renderer *renderer;
	snw_arena *arena;
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_evaluation *evaluation; /* separate, so that the work of the CPU can be timed */
	snw_viewport *viewport;
	snw_pose *pose;
	double *global, *palette;
	snw_pose_view posed;
	snw_view view;
	snw_viewport_place place;
} redraw_bench;

/* All joints but the first swing. */
static void move(redraw_bench *b, int index) {
	const double rotation[3] = {0.9 * sin(0.2 * index), 0, 0};
	for (uint32_t j = 1; j < b->scene->skeleton.joint_count; j++) {
		snw_quat_from_rotation_vector(rotation, b->pose->local[j].rotation);
	}
}

static snw_status one_redraw(redraw_bench *b, int index, double seconds[PART_COUNT], snw_error *error) {
	const double start = snk_clock_seconds(), thread_start = snk_clock_thread_seconds();
	move(b, index);
	snw_pose_solve(b->scene, b->pose, b->global, b->palette, &b->posed);
	snw_status status = snw_stack_drive(b->stack, &b->posed, b->evaluation, error);
	const double driven = snk_clock_seconds();
	status = snw_failed(status) ? status : snw_viewport_pose(b->viewport, &b->view, error);
	glFinish();
	const double uploaded = snk_clock_seconds();
	bool changed;
	status = snw_failed(status) ? status : snw_viewport_draw(b->viewport, &b->view, &b->place, &changed, error);
	status = snw_failed(status) ? status : snw_viewport_put_on_window(b->viewport, &b->place, error);
	glFinish();
	const double drawn = snk_clock_seconds();
	seconds[CPU] = driven - start;
	seconds[UPLOAD] = uploaded - driven;
	seconds[DRAW] = drawn - uploaded;
	seconds[REDRAW] = drawn - start;
	seconds[THREAD] = snk_clock_thread_seconds() - thread_start;
	return status;
}

static snw_status time_redraws(redraw_bench *b, double seconds, const snw_task *task, snw_view_bench_row *row,
							   snw_error *error) {
	double *times[PART_COUNT];
	snw_status status = SNW_OK;
	for (int p = 0; p < PART_COUNT; p++) {
		times[p] = SNW_NEW_ARRAY(b->arena, double, MOST_REDRAWS);
	}
	const double begin = snk_clock_seconds();
	for (int i = -WARM_REDRAWS;
		 i < MOST_REDRAWS && !snw_failed(status) && (i < LEAST_REDRAWS || snk_clock_seconds() - begin < seconds); i++) {
		double values[PART_COUNT];
		status = one_redraw(b, i, values, error);
		for (int p = 0; p < PART_COUNT && i >= 0; p++) {
			times[p][i] = values[p];
		}
		row->redraws = (uint32_t)(i + 1);
		if (!snw_failed(status) && !snw_task_progress(task, -1, "drawing")) {
			status = snw_fail(error, SNW_CANCELLED, "stopped");
		}
	}
	for (int p = 0; p < PART_COUNT && !snw_failed(status); p++) {
		snw_sort_numbers(times[p], row->redraws);
	}
	row->cpu_seconds = times[CPU][row->redraws / 2];
	row->upload_seconds = times[UPLOAD][row->redraws / 2];
	row->draw_seconds = times[DRAW][row->redraws / 2];
	row->redraw_seconds = times[REDRAW][row->redraws / 2];
	row->thread_seconds = times[THREAD][row->redraws / 2];
	row->worst_seconds = times[REDRAW][row->redraws > 0 ? row->redraws - 1 : 0];
	row->bytes_sent = (uint32_t)snw_viewport_bytes_sent(b->viewport);
	return status;
}

/* The scene with a layer fitted to its examples. */
static snw_status fit_examples(redraw_bench *b, const snw_task *task, snw_error *error) {
	const snw_fit_request request = {.method = snw_registry_trait_name(b->registry, SNW_CORRECTS),
									 .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = b->arena};
	snw_scene *fitted = NULL;
	snw_status status = snw_fit_run(b->scene, b->registry, &request, task, &outcome, error);
	status = snw_failed(status) ? status : snw_fit_apply(b->scene, &outcome, &fitted, error);
	if (!snw_failed(status)) {
		snw_scene_destroy(b->scene);
		b->scene = fitted;
	}
	return status;
}

static snw_status make_character(redraw_bench *b, const snw_view_bench_options *options, const snw_task *task,
								 snw_error *error) {
	const snw_limbs_size *limbs = &options->limbs;
	if (limbs->meshes == 1 && limbs->joints == 0) {
		b->scene = snw_limb_make(limbs->points);
		return SNW_OK;
	}
	b->scene = snw_scene_create();
	const snw_status status = snw_limbs_make(b->scene, limbs, error);
	return snw_failed(status) || limbs->examples == 0 ? status : fit_examples(b, task, error);
}

static snw_status open_bench(redraw_bench *b, const snw_view_bench_options *options, const snw_task *task, snw_error *error) {
	snw_status status = snw_context_enter(&b->renderer->context, error);
	status = snw_failed(status)
				 ? status
				 : snw_path_choose(&b->renderer->skin_shaders, &b->renderer->mesh_shaders, error); /* as a window */
	b->arena = snw_arena_create();
	b->registry = snw_registry_open();
	status = snw_failed(status) ? status : make_character(b, options, task, error);
	if (snw_failed(status)) {
		return status;
	}
	const bool learns = options->limbs.examples > 0 && !options->method;
	const char *method = options->method ? options->method : snw_registry_trait_name(b->registry, SNW_BASELINE);
	const snw_stack_options stack = {.method = learns ? NULL : method};
	b->pose = snw_pose_rest(b->scene, b->arena);
	b->global = SNW_NEW_ARRAY(b->arena, double, 12 * (size_t)b->scene->skeleton.joint_count);
	b->palette = SNW_NEW_ARRAY(b->arena, double, 12 * (size_t)b->scene->slot_count);
	status = snw_stack_build(b->scene, b->registry, &stack, NULL, &b->stack, error);
	if (snw_failed(status)) {
		return status;
	}
	b->evaluation = snw_evaluation_create_reference(b->stack);
	b->view = (snw_view){.scene = b->scene,
						 .stack = b->stack,
						 .pose = &b->posed,
						 .flags = SNW_VIEW_GRID | SNW_VIEW_DARK,
						 .camera = options->limbs.joints == 0 ? (snw_camera){.yaw = 0.9, .pitch = 0.3, .distance = 7}
															  : (snw_camera){.target = {0, 0.5, 0}, .distance = 2}};
	b->place = (snw_viewport_place){.width = options->width > 0 ? options->width : USUAL_WIDTH,
									.height = options->height > 0 ? options->height : USUAL_HEIGHT};
	return snw_viewport_create(b->renderer, b->scene, 1, NULL, &b->viewport, error);
}

static void count_character(const snw_scene *scene, snw_view_bench_row *row) {
	row->meshes = scene->mesh_count;
	row->joints = scene->skeleton.joint_count;
	row->examples = scene->example_count;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		row->points += scene->meshes[m].point_count;
		row->triangles += 2 * scene->meshes[m].face_count;
	}
}

snw_status snw_bench_view(snw_renderer *renderer, const snw_view_bench_options *options, const snw_task *task,
						  snw_view_bench_row *row, snw_error *error) {
	redraw_bench b = {.renderer = renderer};
	*row = (snw_view_bench_row){0};
	snw_status status = open_bench(&b, options, task, error);
	if (!snw_failed(status)) {
		count_character(b.scene, row);
		status = time_redraws(&b, options->seconds, task, row, error);
	}
	snw_viewport_destroy(b.viewport);
	snw_evaluation_destroy(b.evaluation);
	snw_stack_destroy(b.stack);
	snw_registry_close(b.registry);
	snw_scene_destroy(b.scene);
	snw_arena_destroy(b.arena);
	return status;
}
