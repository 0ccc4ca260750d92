/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene on the GPU: created, refined, posed, coloured.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "render/draw/renderer.h"
#include "render/gl/shader.h"
#include "render/overlay/canvas.h"
#include "sample/sample.h"
#include "sinew/kit/clock.h"

/* ---- gpu scene ----------------------------------------------------------------------------------------------------------- */

static snw_gpu_mesh_data *take_mesh(snw_gpu_scene_data *data, uint32_t mesh) {
	snw_gpu_mesh_data *taken = data ? data->meshes[mesh] : NULL;
	if (taken) {
		data->meshes[mesh] = NULL;
	}
	return taken;
}

snw_status snw_gpu_scene_create(snw_renderer *renderer, const snw_scene *scene, snw_gpu_scene_data *data, snw_uploads *uploads,
								snw_arena *arena, snw_gpu_scene *gpu_scene, snw_error *error) {
	*gpu_scene = (snw_gpu_scene){.scene = scene, .arena = arena};
	gpu_scene->meshes = SNW_NEW_ARRAY(arena, snw_gpu_mesh *, scene->mesh_count);
	gpu_scene->drawn = SNW_NEW_ARRAY(arena, snw_gpu_mesh *, scene->mesh_count);
	gpu_scene->boxes = SNW_NEW_ARRAY(arena, snw_box, scene->mesh_count);
	gpu_scene->materials = snw_materials_create(scene, data ? data->materials : NULL, uploads);
	if (data) {
		data->materials = NULL;
	}
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		status = snw_gpu_mesh_create(&renderer->mesh_shaders, &scene->meshes[m], take_mesh(data, m), uploads,
									 &gpu_scene->meshes[m], error);
		gpu_scene->drawn[m] = gpu_scene->meshes[m];
		gpu_scene->boxes[m] = snw_failed(status) ? snw_box_empty() : *snw_gpu_mesh_rest_box(gpu_scene->meshes[m]);
	}
	if (!snw_failed(status) && data) {
		(void)snw_gpu_scene_refine(renderer, gpu_scene, data, uploads, NULL); /* the scene can be shown without them */
	}
	if (snw_failed(status)) {
		snw_gpu_scene_destroy(gpu_scene);
	}
	return status;
}

void snw_gpu_scene_destroy(snw_gpu_scene *gpu_scene) {
	for (uint32_t m = 0; gpu_scene->scene && m < gpu_scene->scene->mesh_count; m++) {
		for (uint32_t g = 0; g < SNW_GHOST_MOST && gpu_scene->ghost_poses[g]; g++) {
			snw_gpu_mesh_pose_destroy(gpu_scene->ghost_poses[g][m]);
		}
		for (uint32_t level = 1; level <= SNW_SUBDIVISION_MOST; level++) {
			snw_gpu_subdivision_destroy(gpu_scene->subdivision[level] ? gpu_scene->subdivision[level][m] : NULL);
		}
		snw_gpu_mesh_destroy(gpu_scene->meshes[m]);
	}
	snw_materials_destroy(gpu_scene->materials);
	*gpu_scene = (snw_gpu_scene){0};
}

/* The stencils of another scene's meshes would read points that do not exist. */
static snw_status check_refined(const snw_scene *scene, const snw_gpu_scene_data *data, snw_error *error) {
	bool fits = data->mesh_count == scene->mesh_count;
	for (uint32_t m = 0; fits && m < scene->mesh_count; m++) {
		const snw_gpu_subdivision_data *refined = data->subdivision[m];
		fits = !refined || snw_gpu_subdivision_data_point_count(refined) == scene->meshes[m].point_count;
	}
	return fits ? SNW_OK : snw_fail(error, SNW_ERROR_DATA, "the subdivided meshes belong to another character");
}

snw_status snw_gpu_scene_refine(snw_renderer *renderer, snw_gpu_scene *gpu_scene, snw_gpu_scene_data *data,
								snw_uploads *uploads, snw_error *error) {
	const uint32_t level = data->level, mesh_count = gpu_scene->scene->mesh_count;
	snw_status status = check_refined(gpu_scene->scene, data, error);
	if (snw_failed(status)) {
		return status;
	}
	if (level > 0 && !gpu_scene->subdivision[level]) {
		gpu_scene->subdivision[level] = SNW_NEW_ARRAY(gpu_scene->arena, snw_gpu_subdivision *, mesh_count);
	}
	for (uint32_t m = 0; m < mesh_count && level > 0 && !snw_failed(status); m++) {
		snw_gpu_subdivision_data *taken = data->subdivision[m];
		if (taken && !gpu_scene->subdivision[level][m]) {
			data->subdivision[m] = NULL;
			status = snw_gpu_subdivision_create(&renderer->mesh_shaders, &renderer->stencil, taken, uploads,
												&gpu_scene->subdivision[level][m], error);
		}
	}
	return status;
}

bool snw_gpu_scene_has_level(const snw_gpu_scene *gpu_scene, uint32_t level) {
	bool has = level == 0 || gpu_scene->subdivision[level];
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && level > 0 && has; m++) {
		has = gpu_scene->subdivision[level][m];
	}
	return has;
}

snw_status snw_gpu_scene_subdivide(snw_renderer *renderer, snw_gpu_scene *gpu_scene, uint32_t level, snw_error *error) {
	snw_status status = SNW_OK;
	assert(level <= SNW_SUBDIVISION_MOST);
	if (!snw_gpu_scene_has_level(gpu_scene, level)) {
		snw_gpu_scene_data *data = NULL;
		status = snw_gpu_scene_data_refine(gpu_scene->scene, level, &data, error);
		status = snw_failed(status) ? status : snw_gpu_scene_refine(renderer, gpu_scene, data, NULL, error);
		snw_gpu_scene_data_destroy(data);
	}
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && !snw_failed(status); m++) {
		gpu_scene->drawn[m] = level > 0 ? snw_gpu_subdivision_mesh(gpu_scene->subdivision[level][m]) : gpu_scene->meshes[m];
	}
	gpu_scene->level = snw_failed(status) ? gpu_scene->level : level;
	return status;
}

void snw_gpu_scene_hide_faces(snw_gpu_scene *gpu_scene, uint32_t mesh, const bool *hidden) {
	snw_gpu_mesh_hide_faces(gpu_scene->meshes[mesh], hidden);
	for (uint32_t level = 1; level <= SNW_SUBDIVISION_MOST; level++) {
		if (gpu_scene->subdivision[level] && gpu_scene->subdivision[level][mesh]) {
			snw_gpu_subdivision_hide_faces(gpu_scene->subdivision[level][mesh], hidden);
		}
	}
}

/* ---- posing -------------------------------------------------------------------------------------------------------------- */

/* Poses a mesh by a stack that was driven, by points from the CPU, or at rest. */
static snw_status pose_mesh(snw_gpu_mesh *gpu_mesh, uint32_t mesh, snw_gpu_stack *gpu_stack, const float *points,
							snw_error *error) {
	if (points || !gpu_stack) {
		snw_gpu_mesh_send_points(gpu_mesh, points);
		snw_gpu_mesh_find_normals(gpu_mesh);
		return SNW_OK;
	}
	const snw_status status = snw_gpu_stack_pose(gpu_stack, mesh, snw_gpu_mesh_points(gpu_mesh), error);
	if (!snw_failed(status)) {
		snw_gpu_mesh_find_normals(gpu_mesh);
		snw_gpu_stack_normals(gpu_stack, mesh, snw_gpu_mesh_normals(gpu_mesh));
	}
	return status;
}

static snw_status pose_meshes(snw_gpu_scene *gpu_scene, snw_gpu_stack *gpu_stack, const snw_pose_view *pose,
							  const float *const *points, snw_error *error) {
	snw_status status = gpu_stack ? snw_gpu_stack_drive(gpu_stack, pose, error) : SNW_OK;
	gpu_scene->bytes_sent = 0;
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && !snw_failed(status); m++) {
		const float *given = points ? points[m] : NULL;
		status = pose_mesh(gpu_scene->meshes[m], m, gpu_stack, given, error);
		gpu_scene->bytes_sent += given || !gpu_stack ? 3 * (size_t)gpu_scene->scene->meshes[m].point_count * sizeof(float)
													 : snw_gpu_stack_bytes_sent(gpu_stack, m);
	}
	return status;
}

/* Of a mesh that has been posed by the same arguments. */
static snw_box posed_box(const snw_gpu_scene *gpu_scene, uint32_t mesh, const snw_gpu_stack *gpu_stack, const float *points) {
	if (!points) {
		return gpu_stack ? snw_gpu_stack_box(gpu_stack, mesh) : *snw_gpu_mesh_rest_box(gpu_scene->meshes[mesh]);
	}
	snw_box box = snw_box_empty();
	snw_box_add_floats(&box, points, gpu_scene->scene->meshes[mesh].point_count);
	return box;
}

snw_status snw_gpu_scene_pose(snw_gpu_scene *gpu_scene, const snw_view *view, snw_gpu_stack *gpu_stack, snw_error *error) {
	const snw_status status = pose_meshes(gpu_scene, gpu_stack, view->pose, view->points, error);
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && !snw_failed(status); m++) {
		gpu_scene->boxes[m] = posed_box(gpu_scene, m, gpu_stack, view->points ? view->points[m] : NULL);
	}
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && gpu_scene->level > 0 && !snw_failed(status); m++) {
		snw_gpu_subdivision_pose(gpu_scene->subdivision[gpu_scene->level][m], gpu_scene->meshes[m]);
	}
	return status;
}

static void use_ghost(snw_gpu_scene *gpu_scene, uint32_t ghost) {
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		snw_gpu_mesh_use_pose(gpu_scene->meshes[m], ghost == SNW_NONE ? NULL : gpu_scene->ghost_poses[ghost][m]);
	}
}

snw_status snw_gpu_scene_pose_ghosts(snw_gpu_scene *gpu_scene, const snw_view *view, snw_gpu_cache *cache, snw_error *error) {
	const uint32_t mesh_count = gpu_scene->scene->mesh_count;
	const uint32_t count = view->ghost_count < SNW_GHOST_MOST ? view->ghost_count : SNW_GHOST_MOST;
	snw_status status = SNW_OK;
	for (uint32_t g = 0; g < count && !snw_failed(status); g++) {
		const snw_ghost *ghost = &view->ghosts[g];
		const bool is_posed = ghost->stack && ghost->pose;
		const uint64_t drive = is_posed && !ghost->points ? snw_gpu_stack_drive_hash(ghost->stack, ghost->pose) : 0;
		if (drive != 0 && drive == gpu_scene->ghost_drives[g]) {
			continue;
		}
		if (!gpu_scene->ghost_poses[g]) {
			gpu_scene->ghost_poses[g] = SNW_NEW_ARRAY(gpu_scene->arena, snw_gpu_mesh_pose *, mesh_count);
			for (uint32_t m = 0; m < mesh_count; m++) {
				gpu_scene->ghost_poses[g][m] = snw_gpu_mesh_pose_create(gpu_scene->meshes[m]);
			}
		}
		use_ghost(gpu_scene, g);
		status = pose_meshes(gpu_scene, is_posed ? snw_gpu_cache_stack(cache, gpu_scene->scene, ghost->stack) : NULL,
							 ghost->pose, ghost->points, error);
		gpu_scene->ghost_drives[g] = snw_failed(status) ? 0 : drive;
	}
	use_ghost(gpu_scene, SNW_NONE);
	gpu_scene->ghost_count = snw_failed(status) ? 0 : count;
	return status;
}

snw_box snw_gpu_scene_rest_box(const snw_gpu_scene *gpu_scene) {
	snw_box box = snw_box_empty();
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		snw_box_add_box(&box, snw_gpu_mesh_rest_box(gpu_scene->meshes[m]));
	}
	return box;
}

snw_box snw_gpu_scene_posed_box(const snw_gpu_scene *gpu_scene) {
	snw_box box = snw_box_empty();
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		snw_box_add_box(&box, &gpu_scene->boxes[m]);
	}
	return box;
}

void snw_gpu_scene_show_heat(snw_gpu_scene *gpu_scene, const snw_view *view) {
	double minimum, maximum;
	snw_view_heat_range(view, &minimum, &maximum);
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		const double *values = view->heat ? view->heat[m] : NULL;
		snw_gpu_subdivision *subdivision = gpu_scene->level > 0 ? gpu_scene->subdivision[gpu_scene->level][m] : NULL;
		if (view->heat_is_color) {
			snw_gpu_mesh_set_colors(gpu_scene->meshes[m], values);
		} else {
			snw_gpu_mesh_set_heat(gpu_scene->meshes[m], values, minimum, maximum);
		}
		if (subdivision && view->heat_is_color) {
			snw_gpu_subdivision_set_colors(subdivision, values);
		} else if (subdivision) {
			snw_gpu_subdivision_set_heat(subdivision, values, minimum, maximum);
		}
	}
}

void snw_view_heat_range(const snw_view *view, double *minimum, double *maximum) {
	*minimum = view->heat_minimum;
	*maximum = view->heat_maximum;
	if (!view->heat || view->heat_is_color || *maximum > *minimum) {
		return;
	}
	*minimum = INFINITY;
	*maximum = -INFINITY;
	for (uint32_t m = 0; m < view->scene->mesh_count; m++) {
		if (view->heat[m]) {
			snw_heat_range_add(view->heat[m], view->scene->meshes[m].point_count, minimum, maximum);
		}
	}
	if (!(*maximum > *minimum)) {
		*minimum = isfinite(*minimum) ? *minimum : 0;
		*maximum = *minimum + 1;
	}
}

/* ---- gpu cache ----------------------------------------------------------------------------------------------------------- */

void snw_gpu_cache_begin(snw_gpu_cache *cache, snw_renderer *renderer, size_t most) {
	*cache = (snw_gpu_cache){.renderer = renderer, .arena = snw_arena_create()};
	cache->scenes = SNW_NEW_ARRAY(cache->arena, snw_gpu_scene, most);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_gpu_stack *, most);
}

void snw_gpu_cache_end(snw_gpu_cache *cache) {
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		snw_gpu_stack_destroy(cache->stacks[i]);
	}
	for (uint32_t i = 0; i < cache->scene_count; i++) {
		snw_gpu_scene_destroy(&cache->scenes[i]);
	}
	snw_arena_destroy(cache->stack_arena);
	snw_arena_destroy(cache->arena);
	*cache = (snw_gpu_cache){0};
}

snw_status snw_gpu_cache_find(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene **gpu_scene, snw_error *error) {
	for (uint32_t i = 0; i < cache->scene_count; i++) {
		if (cache->scenes[i].scene == scene) {
			*gpu_scene = &cache->scenes[i];
			return SNW_OK;
		}
	}
	return snw_gpu_cache_start(cache, scene, NULL, NULL, gpu_scene, error);
}

snw_status snw_gpu_cache_start(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene_data *data, snw_uploads *uploads,
							   snw_gpu_scene **gpu_scene, snw_error *error) {
	*gpu_scene = &cache->scenes[cache->scene_count];
	const snw_status status = snw_gpu_scene_create(cache->renderer, scene, data, uploads, cache->arena, *gpu_scene, error);
	cache->scene_count += !snw_failed(status);
	return status;
}

static snw_gpu_stack *find_stack(snw_gpu_stack *const *stacks, uint32_t count, const snw_stack *source) {
	for (uint32_t i = 0; i < count; i++) {
		if (snw_gpu_stack_source(stacks[i]) == source) {
			return stacks[i];
		}
	}
	return NULL;
}

static snw_gpu_stack *add_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack, snw_gpu_stack *previous) {
	snw_gpu_stack *made = snw_gpu_stack_create(&cache->renderer->skin_shaders, stack, scene, previous);
	cache->stacks[cache->stack_count++] = made;
	return made;
}

snw_gpu_stack *snw_gpu_cache_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack) {
	snw_gpu_stack *found = find_stack(cache->stacks, cache->stack_count, stack);
	return found ? found : add_stack(cache, scene, stack, NULL);
}

static void replace_meshes(snw_gpu_scene *gpu_scene, const snw_scene *scene) {
	gpu_scene->scene = scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_gpu_mesh_replace(gpu_scene->meshes[m], &scene->meshes[m]);
	}
	snw_materials_replace(gpu_scene->materials, scene);
	memset(gpu_scene->ghost_drives, 0, sizeof gpu_scene->ghost_drives);
}

void snw_gpu_cache_replace_scene(snw_gpu_cache *cache, const snw_scene *scene, size_t most, const snw_stack_change *changes,
								 uint32_t change_count) {
	snw_arena *replaced_arena = cache->stack_arena;
	snw_gpu_stack **replaced = cache->stacks;
	const uint32_t replaced_count = cache->stack_count;
	assert(cache->scene_count == 1 && change_count <= most);
	replace_meshes(&cache->scenes[0], scene);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_gpu_stack *, most);
	cache->stack_count = 0;
	for (uint32_t i = 0; i < change_count; i++) {
		snw_gpu_stack *previous = find_stack(replaced, replaced_count, changes[i].from);
		if (previous) {
			add_stack(cache, scene, changes[i].to, previous);
		}
	}
	for (uint32_t i = 0; i < replaced_count; i++) {
		cache->previous_drives += snw_gpu_stack_drives(replaced[i]);
		snw_gpu_stack_destroy(replaced[i]);
	}
	snw_arena_destroy(replaced_arena);
}

uint64_t snw_gpu_cache_drives(const snw_gpu_cache *cache) {
	uint64_t count = cache->previous_drives;
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		count += snw_gpu_stack_drives(cache->stacks[i]);
	}
	return count;
}

/* ---- gpu path ------------------------------------------------------------------------------------------------------------ */

/* Times by the clock around glFinish: the timer queries of some drivers return nothing useful. */

enum { POINTS = 20000, SLOTS = 60, INFLUENCES = 4, MOST_RUNS = 64 };

#define SECONDS 0.004 /* a path */
#define GAIN 0.9      /* compute must take less than this part of transform feedback's time */
#define LEAST_BATCH 2e-4

static double batch(void (*run)(void *argument), void *argument, int runs) {
	glFinish();
	const double start = snk_clock_seconds();
	for (int i = 0; i < runs; i++) {
		run(argument);
	}
	glFinish();
	return (snk_clock_seconds() - start) / runs;
}

double snw_gpu_time(void (*run)(void *argument), void *argument, double seconds) {
	const double begin = snk_clock_seconds();
	double shortest = batch(run, argument, 1); /* the driver finishes compiling in it */
	int runs = 1;
	for (int i = 0; i < 3 || snk_clock_seconds() - begin < seconds; i++) {
		const double values = batch(run, argument, runs);
		shortest = i == 0 ? values : fmin(shortest, values);
		runs = values * runs < LEAST_BATCH && runs < MOST_RUNS ? 2 * runs : runs;
	}
	return shortest;
}

typedef struct subject {
	snw_gpu_program *program;
	const snw_program_input *input;
	GLuint points;
} subject;

static void pose(void *argument) {
	const subject *measured = argument;
	snw_gpu_program_run(measured->program, measured->input, 0, measured->points);
}

snw_status snw_path_choose(snw_skin_shaders *skin, snw_gpu_mesh_shaders *gpu_mesh, snw_error *error) {
	snw_status status = snw_skin_shaders_add_compute(skin, error);
	status = snw_failed(status) ? status : snw_gpu_mesh_shaders_add_compute(gpu_mesh, error);
	if (snw_failed(status) || !skin->has_compute) {
		return status;
	}
	snw_arena *scratch = snw_arena_create();
	snw_synthetic_program made =
		snw_synthetic_program_make(POINTS, SLOTS, SNW_BLEND_LINEAR, INFLUENCES, SNW_SLOTS_SHARED, 0, scratch);
	subject measured = {.input = &made.input};
	double seconds[SNW_GPU_PATH_COUNT] = {0};
	status = snw_gpu_program_create(skin, &made.program, NULL, &measured.program, error);
	if (!snw_failed(status)) {
		measured.points = snw_buffer_make(GL_ARRAY_BUFFER, NULL, POINTS * 3 * sizeof(float), GL_DYNAMIC_COPY);
		for (skin->path = 0; skin->path < SNW_GPU_PATH_COUNT; skin->path++) {
			seconds[skin->path] = snw_gpu_time(pose, &measured, SECONDS);
		}
		skin->path = seconds[SNW_GPU_COMPUTE] < GAIN * seconds[SNW_GPU_FEEDBACK] ? SNW_GPU_COMPUTE : SNW_GPU_FEEDBACK;
		gpu_mesh->path = skin->path;
		glDeleteBuffers(1, &measured.points);
	}
	snw_gpu_program_destroy(measured.program);
	snw_packed_program_destroy(made.packed);
	snw_arena_destroy(scratch);
	return status;
}
