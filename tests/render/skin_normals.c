/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals found on the GPU against those of the CPU: from the faces, and from the channel of a skin program.
 */
#include "mesh/mesh.h"
#include "program/program.h"
#include "render/gl/shader.h"
#include "render/mesh/gpu_mesh.h"
#include "render/skin/gpu_stack.h"
#include "sample/sample.h"
#include "skin.h"

static void normals_of_the_faces_equal_those_of_the_cpu(void **state) {
	(void)state;
	graphics_need();
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_sample_make("arm", &scene, &error), error);
	snw_arena *arena = snw_arena_create();
	const snw_mesh *mesh = &scene->meshes[0];
	const size_t count = mesh->point_count;
	float *points = SNW_NEW_ARRAY(arena, float, 3 * count);
	float *normals = SNW_NEW_ARRAY(arena, float, 3 * count), *expected = SNW_NEW_ARRAY(arena, float, 3 * count);
	for (size_t i = 0; i < 3 * count; i++) {
		points[i] = (float)scene->examples[0].points_posed[i];
	}
	snw_normal_plan *plan = snw_normal_plan_create(mesh);
	snw_normals_of_points(plan, points, expected);
	snw_gpu_mesh_shaders shaders;
	snw_gpu_mesh *gpu_mesh = NULL;
	check_ok(snw_gpu_mesh_shaders_create(&shaders, &error), error);
	check_ok(snw_gpu_mesh_shaders_add_compute(&shaders, &error), error);
	check_ok(snw_gpu_mesh_create(&shaders, mesh, NULL, NULL, &gpu_mesh, &error), error);
	for (shaders.path = 0; shaders.path < SNW_GPU_PATH_COUNT; shaders.path++) {
		snw_gpu_mesh_send_points(gpu_mesh, NULL);
		snw_gpu_mesh_find_normals(gpu_mesh);
		snw_gpu_mesh_send_points(gpu_mesh, points);
		snw_gpu_mesh_find_normals(gpu_mesh);
		snw_gpu_mesh_read_normals(gpu_mesh, normals);
		for (size_t i = 0; i < 3 * count; i++) {
			check_near(normals[i], expected[i], 1e-4);
		}
	}
	snw_gpu_mesh_destroy(gpu_mesh);
	snw_gpu_mesh_shaders_destroy(&shaders);
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void check_program_normals(const fixture *f, int32_t palette, uint64_t *random) {
	const size_t count = f->program.point_count, slots = f->program.slot_count;
	snw_program program = f->program;
	snw_program_input input = f->input;
	double *rest = SNW_NEW_ARRAY(f->arena, double, 3 * count), *normal_palette = SNW_NEW_ARRAY(f->arena, double, 9 * slots);
	float *expected = SNW_NEW_ARRAY(f->arena, float, 3 * count), *normals = SNW_NEW_ARRAY(f->arena, float, 3 * count);
	for (size_t i = 0; i < count; i++) {
		random_direction(random, rest + 3 * i);
	}
	for (size_t i = 0; i < 9 * slots; i++) {
		normal_palette[i] = random_between(random, -1, 1);
	}
	program.normals = (snw_program_normals){.palette = palette, .rest = rest, .displacements = program.rest};
	input.normal_palette = normal_palette;
	snw_normals_of_program(&program, &input, expected);
	snw_skin_shaders shaders;
	skin_shaders_open(&shaders);
	snw_gpu_program_normals *gpu = snw_gpu_program_normals_create(&shaders, &program);
	assert_non_null(gpu);
	const size_t bytes = 3 * count * sizeof(float);
	const GLuint out = snw_buffer_make(GL_ARRAY_BUFFER, NULL, bytes, GL_DYNAMIC_COPY);
	snw_gpu_program_normals_run(gpu, &input, out);
	snw_gpu_program_normals_run(gpu, &input, out);
	glBindBuffer(GL_ARRAY_BUFFER, out);
	glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, normals);
	const size_t floats = (palette == SNW_NORMALS_MATRICES ? 9 : 4) * slots + program.d_count;
	assert_int_equal(snw_gpu_program_normals_bytes_sent(gpu), 4 * floats);
	for (size_t i = 0; i < count; i++) {
		double between[3];
		for (size_t c = 0; c < 3; c++) {
			between[c] = (double)normals[3 * i + c] - (double)expected[3 * i + c];
		}
		check_near(snw_length3(between), 0, 2e-3); /* palettes that nearly cancel lose digits in floats */
	}
	glDeleteBuffers(1, &out);
	snw_gpu_program_normals_destroy(gpu);
	snw_skin_shaders_destroy(&shaders);
}

static void normals_of_a_program_equal_those_of_the_cpu(void **state) {
	(void)state;
	graphics_need();
	uint64_t random = 7;
	fixture_options options = skin_options(SNW_BLEND_LINEAR);
	options.sign_rule = SNW_SIGN_AS_GIVEN;
	fixture f = fixture_make(11, &options);
	check_program_normals(&f, SNW_NORMALS_MATRICES, &random);
	check_program_normals(&f, SNW_NORMALS_QUATERNIONS, &random);
	fixture_destroy(&f);
}

static void normals_by_shortest_quaternions_are_not_found_on_the_gpu(void **state) {
	(void)state;
	graphics_need();
	const fixture_options options = skin_options(SNW_BLEND_LINEAR);
	fixture f = fixture_make(11, &options);
	snw_skin_shaders shaders;
	skin_shaders_open(&shaders);
	assert_null(snw_gpu_program_normals_create(&shaders, &f.program));
	f.program.sign_rule = SNW_SIGN_SHORTEST;
	f.program.normals = (snw_program_normals){.palette = SNW_NORMALS_QUATERNIONS, .rest = f.program.points_rest};
	assert_null(snw_gpu_program_normals_create(&shaders, &f.program));
	snw_skin_shaders_destroy(&shaders);
	fixture_destroy(&f);
}

TEST_GROUP(skin_normals) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normals_of_the_faces_equal_those_of_the_cpu),
		cmocka_unit_test(normals_of_a_program_equal_those_of_the_cpu),
		cmocka_unit_test(normals_by_shortest_quaternions_are_not_found_on_the_gpu),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
