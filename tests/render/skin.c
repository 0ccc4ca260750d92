/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The GPU's evaluator against the truth: random programs of every blend, then whole stacks.
 */
#include "skin.h"
#include "fit/fit.h"
#include "import/import.h"
#include "pose/pose.h"
#include "render/gl/shader.h"
#include "render/skin/gpu_program.h"
#include "sample/sample.h"

/* ---- programs ----------------------------------------------------------------------------------------------------- */

static double largest_distance(const double *truth, const float *points, uint32_t count) {
	double most = 0;
	for (size_t i = 0; i < count; i++) {
		double between[3];
		for (size_t c = 0; c < 3; c++) {
			between[c] = truth[3 * i + c] - (double)points[3 * i + c];
		}
		const double distance = snw_length3(between);
		most = distance <= most ? most : distance; /* a NaN stays */
	}
	return most;
}

static const snw_program *replaced; /* by the programs that are run; NULL: none */

/* Runs a program on the GPU; points_in may be NULL. Returns the number of bytes sent. */
static size_t run_on_gpu(snw_gpu_path path, const snw_program *program, const snw_program_input *input, const float *points_in,
						 float *points_out) {
	snw_skin_shaders shaders;
	snw_gpu_program *gpu = NULL, *previous = NULL;
	snw_error error;
	skin_shaders_open(&shaders);
	shaders.path = path;
	if (replaced) {
		check_ok(snw_gpu_program_create(&shaders, replaced, NULL, &previous, &error), error);
	}
	check_ok(snw_gpu_program_create(&shaders, program, previous, &gpu, &error), error);
	snw_gpu_program_destroy(previous);
	const size_t bytes = 3 * (size_t)program->point_count * sizeof(float);
	const GLuint out = snw_buffer_make(GL_ARRAY_BUFFER, NULL, bytes, GL_DYNAMIC_COPY);
	const GLuint in = points_in ? snw_buffer_make(GL_ARRAY_BUFFER, points_in, bytes, GL_STATIC_DRAW) : 0;
	snw_gpu_program_run(gpu, input, in, out);
	snw_gpu_program_run(gpu, input, in, out); /* a second run over the buffers of the first */
	glBindBuffer(GL_ARRAY_BUFFER, out);
	glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, points_out);
	glDeleteBuffers(1, &out);
	glDeleteBuffers(1, &in);
	const size_t sent = snw_gpu_program_bytes_sent(gpu);
	snw_gpu_program_destroy(gpu);
	snw_skin_shaders_destroy(&shaders);
	assert_int_equal(glGetError(), GL_NO_ERROR);
	return sent;
}

/* ---- crowds ------------------------------------------------------------------------------------------------------- */

enum { FRAMES = 2, INSTANCES = 3 };

/* The frames of instances: the second is the fixture's, the first that without a palette's motion and with other coefficients.
 * */
static const float instances_shown[INSTANCES + 1][SNW_INSTANCE_FLOATS] = {
	{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 1}};

static double *identities(snw_arena *arena, size_t slots) {
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * slots);
	for (size_t i = 0; i < 3 * slots; i++) {
		matrices[4 * i + i % 3] = 1;
	}
	return matrices;
}

static double *doubled(snw_arena *arena, const double *values, size_t count) {
	double *made = SNW_NEW_ARRAY(arena, double, count);
	for (size_t i = 0; i < count; i++) {
		made[i] = 2 * values[i];
	}
	return made;
}

static snw_program_input first_frame(const fixture *f) {
	snw_program_input input = f->input;
	input.matrices = identities(f->arena, f->program.slot_count);
	input.d = doubled(f->arena, f->input.d, f->program.d_count);
	input.e = doubled(f->arena, f->input.e, f->program.e_count);
	return input;
}

/* The instances after the first in the buffer, so that theirs begin later; posed [INSTANCES][points][3]. */
static void run_instances_on_gpu(const snw_program *program, const snw_program_input *const inputs[FRAMES],
								 const float *points_in, float *posed) {
	snw_skin_shaders shaders;
	snw_gpu_program *gpu = NULL;
	snw_gpu_frames *frames = NULL;
	snw_error error;
	skin_shaders_open(&shaders);
	check_ok(snw_skin_shaders_add_instanced(&shaders, &error), error);
	check_ok(snw_gpu_program_create(&shaders, program, NULL, &gpu, &error), error);
	check_ok(snw_gpu_frames_begin(gpu, FRAMES, &frames, &error), error);
	for (int i = 0; i < FRAMES; i++) {
		snw_gpu_frames_add(frames, inputs[i]);
	}
	assert_true(snw_gpu_frames_end(frames) > 0);
	const size_t bytes = 3 * (size_t)program->point_count * sizeof(float);
	const GLuint out = snw_buffer_make(GL_ARRAY_BUFFER, NULL, INSTANCES * bytes, GL_DYNAMIC_COPY);
	const GLuint below = snw_buffer_make(GL_TEXTURE_BUFFER, NULL, INSTANCES * bytes, GL_STATIC_DRAW);
	for (GLintptr i = 0; i < INSTANCES && points_in; i++) {
		glBufferSubData(GL_TEXTURE_BUFFER, i * (GLintptr)bytes, (GLsizeiptr)bytes, points_in);
	}
	const GLuint shown = snw_buffer_make(GL_TEXTURE_BUFFER, instances_shown, sizeof instances_shown, GL_STATIC_DRAW);
	const GLuint textures[2] = {snw_texture_buffer_make(below, GL_RGB32F), snw_texture_buffer_make(shown, GL_RGBA32F)};
	const snw_gpu_instances instances = {textures[1], 1, INSTANCES};
	snw_gpu_program_run_instances(gpu, &instances, points_in ? textures[0] : 0, out);
	glBindBuffer(GL_ARRAY_BUFFER, out);
	glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(INSTANCES * bytes), posed);
	const GLuint buffers[] = {out, below, shown};
	glDeleteTextures(2, textures);
	glDeleteBuffers(3, buffers);
	snw_gpu_program_destroy(gpu);
	snw_skin_shaders_destroy(&shaders);
	assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Each instance is the truth at its own frame. */
static void check_instances(const fixture *f, const float *points_in, const double *in, double size) {
	const size_t count = f->program.point_count;
	const snw_program_input first = first_frame(f), *const inputs[FRAMES] = {&first, &f->input};
	float *posed = SNW_NEW_ARRAY(f->arena, float, INSTANCES * 3 * count);
	double *truth = SNW_NEW_ARRAY(f->arena, double, 3 * count);
	run_instances_on_gpu(&f->program, inputs, points_in, posed);
	for (size_t i = 0; i < INSTANCES; i++) {
		snw_program_reference(&f->program, inputs[(int)instances_shown[i + 1][3]], in, truth);
		check_near(largest_distance(truth, posed + 3 * count * i, (uint32_t)count), 0, 1e-5 * size);
	}
}

/* A program over the rest or over other points, on both paths, and for the instances of a crowd. */
static size_t check_fixture(const fixture *f, const float *points_in) {
	const uint32_t count = f->program.point_count;
	float *posed = SNW_NEW_ARRAY(f->arena, float, 3 * (size_t)count);
	double *truth = SNW_NEW_ARRAY(f->arena, double, 3 * (size_t)count),
		   *in = points_in ? SNW_NEW_ARRAY(f->arena, double, 3 * (size_t)count) : NULL;
	const double size = fmax(fixture_diagonal(&f->program), 0.1); /* the box of a single point has none */
	size_t bytes = 0;
	for (size_t i = 0; i < 3 * (size_t)count && in; i++) {
		in[i] = (double)points_in[i];
	}
	snw_program_reference(&f->program, &f->input, in, truth);
	for (snw_gpu_path path = 0; path < SNW_GPU_PATH_COUNT; path++) {
		memset(posed, 0, 3 * (size_t)count * sizeof *posed);
		if (path == SNW_GPU_COMPUTE && !snw_shader_has_compute()) {
			print_message("no compute shaders here: transform feedback alone\n");
			continue;
		}
		bytes = run_on_gpu(path, &f->program, &f->input, points_in, posed);
		check_near(largest_distance(truth, posed, count), 0, 1e-5 * size);
	}
	check_instances(f, points_in, in, size);
	return bytes;
}

static void check_program(const fixture_options *options, uint64_t seed) {
	fixture f = fixture_make(seed, options);
	check_fixture(&f, NULL);
	fixture_destroy(&f);
}

static void program_of_displacements_alone_equals_truth(void **state) {
	(void)state;
	graphics_need();
	const fixture_options options = skin_options(SNW_BLEND_NONE);
	check_program(&options, random_seed());
}

static void linear_program_equals_truth(void **state) {
	(void)state;
	graphics_need();
	fixture_options options = skin_options(SNW_BLEND_LINEAR);
	check_program(&options, random_seed());
	options.loose_weights = true;
	options.scale = 0.3;
	check_program(&options, random_seed() + 1);
}

static void affine_program_equals_truth(void **state) {
	(void)state;
	graphics_need();
	const fixture_options options = skin_options(SNW_BLEND_AFFINE);
	check_program(&options, random_seed());
}

static void dual_quaternion_program_equals_truth(void **state) {
	(void)state;
	graphics_need();
	fixture_options options = skin_options(SNW_BLEND_DUAL_QUATERNION);
	options.largest_angle = 1.2;
	options.sign_rule = SNW_SIGN_SHORTEST;
	check_program(&options, random_seed());
	options.scale = 0.3;
	check_program(&options, random_seed() + 1);
	options.scale = 0;
	options.dual_quaternion_palette = true;
	check_program(&options, random_seed() + 2);
	options.sign_rule = SNW_SIGN_AS_GIVEN;
	check_program(&options, random_seed() + 3);
}

/* Programs that replace another one, which differs in one number, in some lists, or in kind. */
static void program_that_takes_the_place_of_another_equals_truth(void **state) {
	(void)state;
	graphics_need();
	const int32_t blends[] = {SNW_BLEND_NONE, SNW_BLEND_LINEAR, SNW_BLEND_AFFINE, SNW_BLEND_DUAL_QUATERNION};
	for (int i = 0; i < 4; i++) {
		fixture_options options = skin_options(blends[i]), other = skin_options(blends[(i + 1) % 4]);
		options.largest_angle = other.largest_angle = 1.2;
		fixture f = fixture_make(random_seed(), &options), same = fixture_make(random_seed(), &options);
		fixture kind = fixture_make(random_seed(), &other);
		replaced = &same.program;
		check_fixture(&f, NULL);
		const uint64_t count = same.program.rest.offsets[same.program.rest.count];
		double *vectors = snw_arena_copy(same.arena, same.program.rest.vectors, 3 * (size_t)count * sizeof *vectors);
		vectors[3 * (size_t)count - 1] += 1;
		same.program.rest.vectors = vectors;
		check_fixture(&f, NULL);
		if (same.program.influence_weights) {
			const size_t influences = same.program.influence_offsets[same.program.point_count];
			double *weights = snw_arena_copy(same.arena, same.program.influence_weights, influences * sizeof *weights);
			weights[influences - 1] += 0.5;
			same.program.influence_weights = weights;
			check_fixture(&f, NULL);
		}
		double *rest = snw_arena_copy(same.arena, same.program.points_rest, 3ul * same.program.point_count * sizeof *rest);
		rest[0] += 1;
		same.program.points_rest = rest;
		check_fixture(&f, NULL);
		replaced = &kind.program;
		check_fixture(&f, NULL);
		replaced = NULL;
		fixture_destroy(&kind);
		fixture_destroy(&same);
		fixture_destroy(&f);
	}
}

static void program_with_any_influence_count_equals_truth(void **state) {
	(void)state;
	graphics_need();
	for (int32_t blend = SNW_BLEND_LINEAR; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options options = skin_options(blend);
		options.least_influences = 0;
		options.most_influences = 30;
		options.largest_angle = 1.2;
		if (blend == SNW_BLEND_DUAL_QUATERNION) {
			options.least_influences = 1;
		}
		check_program(&options, random_seed() + (uint64_t)blend);
	}
}

static void program_over_other_points_equals_truth(void **state) {
	(void)state;
	graphics_need();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options options = skin_options(blend);
		options.largest_angle = 1.2;
		fixture f = fixture_make(random_seed() + (uint64_t)blend, &options);
		float *in = SNW_NEW_ARRAY(f.arena, float, 3 * (size_t)f.program.point_count);
		for (size_t i = 0; i < 3 * (size_t)f.program.point_count; i++) {
			in[i] = (float)(f.program.points_rest[i] + 0.1 * sin((double)i));
		}
		check_fixture(&f, in);
		fixture_destroy(&f);
	}
}

/* Two joints rotated by π against each other: the direction of the blend depends on the sign of a zero. */
static void half_turn_takes_the_sign_of_the_truth(void **state) {
	(void)state;
	graphics_need();
	fixture_options options = skin_options(SNW_BLEND_DUAL_QUATERNION);
	options.slot_count = 2;
	options.least_influences = options.most_influences = 2;
	options.posed_displacements = options.rest_displacements = 0;
	options.dual_quaternion_palette = true;
	for (int sign = -1; sign <= 1; sign += 2) {
		fixture f = fixture_make(random_seed(), &options);
		const double half_turn[16] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, sign * 1e-12, 0, 0, 0, 0};
		f.input.dual_quaternions = half_turn;
		check_fixture(&f, NULL);
		fixture_destroy(&f);
	}
}

/* Any blend, any sign rule, with and without displacements: small programs, many of them. */
static void random_programs_equal_truth(void **state) {
	(void)state;
	graphics_need();
	const uint64_t seed = random_seed();
	uint64_t random = seed;
	for (uint64_t round = 0; round < 40; round++) {
		const int32_t blend = (int32_t)random_below(&random, 4);
		fixture_options options = skin_options(blend);
		options.point_count = 1 + random_below(&random, 300);
		options.slot_count = 12 + random_below(&random, 40);
		options.most_influences = 1 + random_below(&random, 12);
		options.least_influences = 1 + random_below(&random, options.most_influences);
		options.rest_displacements = random_below(&random, 3) * 4;
		options.posed_displacements = random_below(&random, 3) * 4;
		options.scale = random_below(&random, 2) ? 0.3 : 0;
		options.largest_angle = blend == SNW_BLEND_DUAL_QUATERNION ? 1.2 : 3.1;
		options.sign_rule = random_below(&random, 2) ? SNW_SIGN_AS_GIVEN : SNW_SIGN_SHORTEST;
		options.dual_quaternion_palette = blend == SNW_BLEND_DUAL_QUATERNION && random_below(&random, 2);
		if (blend == SNW_BLEND_DUAL_QUATERNION && !options.dual_quaternion_palette) {
			options.sign_rule = SNW_SIGN_SHORTEST;
		}
		check_program(&options, seed + round);
	}
}

/* ---- palettes of which a mesh has a part --------------------------------------------------------------------------------- */

/* [slots][width] numbers as every seventh row of a palette; the others must not be read. */
static double *spread_rows(snw_arena *arena, const double *rows, size_t slots, size_t width) {
	double *spread = rows ? SNW_NEW_ARRAY(arena, double, 7 * slots * width) : NULL;
	for (size_t i = 0; rows && i < 7 * slots * width; i++) {
		spread[i] = i / width % 7 == 3 ? rows[i / width / 7 * width + i % width] : (double)NAN;
	}
	return spread;
}

/* The slots of other meshes take no room beside those of this one. */
static void program_of_a_few_slots_sends_those_alone(void **state) {
	(void)state;
	graphics_need();
	for (int32_t blend = SNW_BLEND_LINEAR; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options options = skin_options(blend);
		options.sign_rule = SNW_SIGN_SHORTEST;
		fixture f = fixture_make(random_seed() + (uint64_t)blend, &options);
		const size_t bytes = check_fixture(&f, NULL), slots = f.program.slot_count;
		const size_t count = f.program.influence_offsets[f.program.point_count];
		uint32_t *places = SNW_NEW_ARRAY(f.arena, uint32_t, count);
		for (size_t i = 0; i < count; i++) {
			places[i] = 7 * f.program.influence_slots[i] + 3;
		}
		f.program.influence_slots = places;
		f.program.slot_count *= 7;
		f.input.matrices = spread_rows(f.arena, f.input.matrices, slots, 12);
		f.input.dual_quaternions = spread_rows(f.arena, f.input.dual_quaternions, slots, 8);
		assert_int_equal(check_fixture(&f, NULL), bytes);
		fixture_destroy(&f);
	}
}

/* ---- T = C z, and the bytes sent ----------------------------------------------------------------------------------------- */

enum { Z_ROWS = 50 };

/* Replaces the fixture's palette by C z for a random C that blends Z_ROWS rows, like methods with proxy joints. `zeros` is
 * the share of C that is 0. */
static void combine(fixture *f, uint64_t seed, double zeros) {
	uint64_t random = seed;
	const size_t slots = f->program.slot_count;
	double *combined = SNW_NEW_ARRAY(f->arena, double, 4 * slots * Z_ROWS), *z = SNW_NEW_ARRAY(f->arena, double, 3ul * Z_ROWS);
	double *matrices = SNW_NEW_ARRAY(f->arena, double, 12 * slots);
	for (size_t i = 0; i < 3ul * Z_ROWS; i++) {
		z[i] = random_between(&random, -1, 1);
	}
	for (size_t i = 0; i < 4 * slots * Z_ROWS; i++) {
		combined[i] = random_between(&random, 0, 1) < zeros ? 0 : random_between(&random, -0.3, 0.3);
	}
	for (size_t row = 0; row < 4 * slots; row++) {
		for (size_t k = 0; k < Z_ROWS; k++) {
			for (size_t r = 0; r < 3; r++) {
				matrices[12 * (row / 4) + 4 * r + row % 4] += combined[row * Z_ROWS + k] * z[3 * k + r];
			}
		}
	}
	f->program.combined = combined;
	f->program.combined_count = Z_ROWS;
	f->input.z = z;
	f->input.matrices = matrices;
}

static void palette_that_is_combined_on_the_gpu_equals_truth(void **state) {
	(void)state;
	graphics_need();
	for (int32_t blend = SNW_BLEND_LINEAR; blend <= SNW_BLEND_AFFINE; blend++) {
		const fixture_options options = skin_options(blend);
		fixture f = fixture_make(random_seed() + (uint64_t)blend, &options);
		combine(&f, random_seed(), 0);
		check_fixture(&f, NULL);
		const double *matrices = f.input.matrices;
		float *posed = SNW_NEW_ARRAY(f.arena, float, 3 * (size_t)f.program.point_count);
		f.input.matrices = NULL; /* they must not be read */
		for (snw_gpu_path path = 0; path < SNW_GPU_PATH_COUNT; path++) {
			run_on_gpu(path, &f.program, &f.input, NULL, posed);
		}
		f.input.matrices = matrices;
		fixture_destroy(&f);
	}
}

/* The fixture's C in compressed rows, in place of the dense one. */
static void make_sparse(fixture *f) {
	const size_t rows = 4 * (size_t)f->program.slot_count;
	uint32_t *offsets = SNW_NEW_ARRAY(f->arena, uint32_t, rows + 1);
	uint32_t *columns = SNW_NEW_ARRAY(f->arena, uint32_t, rows * Z_ROWS);
	double *values = SNW_NEW_ARRAY(f->arena, double, rows *Z_ROWS);
	for (size_t row = 0; row < rows; row++) {
		offsets[row + 1] = offsets[row];
		for (uint32_t k = 0; k < Z_ROWS; k++) {
			if (f->program.combined[row * Z_ROWS + k] != 0) {
				columns[offsets[row + 1]] = k;
				values[offsets[row + 1]++] = f->program.combined[row * Z_ROWS + k];
			}
		}
	}
	const snw_sparse_rows sparse = {(uint32_t)rows, Z_ROWS, offsets, columns, values};
	f->program.combined = NULL;
	f->program.combined_slots = snw_combined_slots_make(&sparse, f->arena);
}

static void sparse_palette_equals_the_dense_one_on_the_gpu(void **state) {
	(void)state;
	graphics_need();
	static const double shares[] = {0, 0.5, 0.95, 1};
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		const fixture_options options = skin_options(SNW_BLEND_LINEAR);
		fixture f = fixture_make(random_seed() + i, &options);
		combine(&f, random_seed() + i, shares[i]);
		const size_t numbers = 3 * (size_t)f.program.point_count;
		float *dense = SNW_NEW_ARRAY(f.arena, float, numbers), *sparse = SNW_NEW_ARRAY(f.arena, float, numbers);
		for (snw_gpu_path path = 0; path < SNW_GPU_PATH_COUNT; path++) {
			fixture thin = f;
			make_sparse(&thin);
			const size_t sent = run_on_gpu(path, &f.program, &f.input, NULL, dense);
			assert_int_equal(run_on_gpu(path, &thin.program, &thin.input, NULL, sparse), sent);
			for (size_t n = 0; n < numbers; n++) {
				check_near(sparse[n], dense[n], 1e-6 * fmax(fixture_diagonal(&f.program), 0.1));
			}
		}
		make_sparse(&f);
		check_fixture(&f, NULL);
		replaced = &f.program; /* whose C is taken over */
		check_fixture(&f, NULL);
		replaced = NULL;
		fixture_destroy(&f);
	}
}

static void pose_sends_z_d_and_e_and_nothing_else(void **state) {
	(void)state;
	graphics_need();
	for (int32_t blend = SNW_BLEND_NONE; blend <= SNW_BLEND_DUAL_QUATERNION; blend++) {
		fixture_options options = skin_options(blend);
		options.largest_angle = 1.2;
		fixture f = fixture_make(random_seed(), &options);
		const size_t slots = f.program.slot_count;
		/* Of five posed displacements the first, third and fifth are rotated, each by a different joint. */
		const size_t coefficients = 4 * (f.program.d_count + f.program.e_count) + 3 * 9 * 4;
		const size_t sent = check_fixture(&f, NULL);
		if (blend == SNW_BLEND_NONE) {
			assert_int_equal(sent, coefficients);
		} else if (blend == SNW_BLEND_DUAL_QUATERNION) {
			/* At most a bit for each slot and pivot. */
			assert_in_range(sent, coefficients + 32 * slots, coefficients + 32 * slots + 4 * ((slots * slots + 31) / 32));
			f.program.sign_rule = SNW_SIGN_AS_GIVEN;
			f.program.dual_quaternion_palette = true;
			f.input.dual_quaternions = SNW_NEW_ARRAY(f.arena, double, 8 * slots);
			float *posed = SNW_NEW_ARRAY(f.arena, float, 3 * (size_t)f.program.point_count);
			assert_int_equal(run_on_gpu(SNW_GPU_FEEDBACK, &f.program, &f.input, NULL, posed), coefficients + 32 * slots);
		} else {
			assert_int_equal(sent, coefficients + 48 * slots);
			combine(&f, random_seed(), 0);
			assert_int_equal(check_fixture(&f, NULL), coefficients + 12 * Z_ROWS);
		}
		fixture_destroy(&f);
	}
}

/* ---- stacks ------------------------------------------------------------------------------------------------------- */

static snw_registry *registry;

static int open_all(void **state) {
	registry = snw_registry_open();
	return graphics_open(state);
}

static int close_all(void **state) {
	snw_registry_close(registry);
	return graphics_close(state);
}

/* All meshes at one pose: the GPU compared with the reference evaluator. */
static void check_pose(const snw_scene *scene, const snw_stack *stack, const snw_pose *pose) {
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_error error;
	const snw_pose_view *posed_view = snw_pose_view_make(scene, pose, arena);
	check_ok(snw_stack_drive(stack, posed_view, evaluation, &error), error);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		double *truth = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
		float *posed = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
		check_ok(snw_stack_reference(stack, evaluation, m, NULL, truth, &error), error);
		check_ok(snw_renderer_skin(graphics_renderer, scene, stack, posed_view, m, posed, &error), error);
		check_near(largest_distance(truth, posed, count), 0, 1e-5 * snw_scene_diagonal(scene, m));
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
}

static snw_stack *build(const snw_scene *scene, const char *method) {
	const snw_stack_options options = {.method = method};
	snw_stack *stack = NULL;
	snw_error error;
	check_ok(snw_stack_build(scene, registry, &options, NULL, &stack, &error), error);
	return stack;
}

/* One method on every example's pose of the arm. */
static void check_arm(const char *method) {
	graphics_need();
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_sample_make("small-arm", &scene, &error), error);
	snw_stack *stack = build(scene, method);
	assert_true(scene->example_count > 0);
	for (uint32_t e = 0; e < scene->example_count; e++) {
		check_pose(scene, stack, &scene->poses[scene->examples[e].pose]);
	}
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
}

static void arm_in_linear_blend_equals_truth(void **state) {
	(void)state;
	check_arm("linear-blend");
}

static void arm_in_dual_quaternions_equals_truth(void **state) {
	(void)state;
	check_arm("dual-quaternion");
}

static void arm_under_a_black_box_equals_truth(void **state) {
	(void)state;
	check_arm("smooth");
}

/* Proxy joints that a fit has made: their palette is combined from what drive writes, at poses that the fit has not read. */
static void fitted_rotational_regression_equals_truth(void **state) {
	(void)state;
	graphics_need();
	static const snw_setting proxies = {"proxies", {.numbers = {6}}};
	const snw_fit_request request = {.method = "rotational-regression",
									 .samples = "train",
									 .setting_count = 1,
									 .settings = &proxies,
									 .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_scene *bar = NULL, *fitted = NULL;
	snw_error error = {0};
	check_ok(snw_sample_make("twist-bar", &bar, &error), error);
	check_ok(snw_fit_run(bar, registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(bar, &outcome, &fitted, &error), error);
	snw_stack *stack = build(fitted, NULL);
	assert_true(snw_stack_segment(stack, 0, 0).program->combined_slots != NULL);
	for (uint32_t f = 0; f < bar->targets[1].frame_count; f += 5) {
		check_pose(fitted, stack, snw_pose_sample(fitted, bar->targets[1].clip, bar->targets[1].seconds[f], outcome.arena));
	}
	snw_stack_destroy(stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(bar);
	snw_arena_destroy(outcome.arena);
}

/* Morphs, several meshes and many joints, at five times of a file's last clip. */
static void check_file(const char *file, const char *method) {
	graphics_need();
	const snw_import_request request = {.file = check_data(file)};
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	snw_stack *stack = build(scene, method);
	snw_arena *arena = snw_arena_create();
	assert_true(scene->clip_count > 0);
	for (int i = 0; i < 5; i++) {
		const uint32_t last = scene->clip_count - 1;
		check_pose(scene, stack, snw_pose_sample(scene, last, scene->clips[last].duration_seconds * (i + 0.37) / 5, arena));
	}
	snw_arena_destroy(arena);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
}

static void human_in_linear_blend_equals_truth(void **state) {
	(void)state;
	check_file("human-rig/human.glb", "linear-blend");
}

static void human_in_dual_quaternions_equals_truth(void **state) {
	(void)state;
	check_file("human-rig/human.glb", "dual-quaternion");
}

static void knight_equals_truth(void **state) {
	(void)state;
	check_file("characters/Knight.glb", NULL);
}

static void morphs_equal_truth(void **state) {
	(void)state;
	check_file("characters/MorphStressTest.glb", NULL);
}

TEST_GROUP(skin) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(program_of_displacements_alone_equals_truth),
		cmocka_unit_test(linear_program_equals_truth),
		cmocka_unit_test(affine_program_equals_truth),
		cmocka_unit_test(dual_quaternion_program_equals_truth),
		cmocka_unit_test(program_that_takes_the_place_of_another_equals_truth),
		cmocka_unit_test(program_of_a_few_slots_sends_those_alone),
		cmocka_unit_test(program_with_any_influence_count_equals_truth),
		cmocka_unit_test(program_over_other_points_equals_truth),
		cmocka_unit_test(random_programs_equal_truth),
		cmocka_unit_test(palette_that_is_combined_on_the_gpu_equals_truth),
		cmocka_unit_test(sparse_palette_equals_the_dense_one_on_the_gpu),
		cmocka_unit_test(pose_sends_z_d_and_e_and_nothing_else),
		cmocka_unit_test(half_turn_takes_the_sign_of_the_truth),
		cmocka_unit_test(arm_in_linear_blend_equals_truth),
		cmocka_unit_test(arm_in_dual_quaternions_equals_truth),
		cmocka_unit_test(arm_under_a_black_box_equals_truth),
		cmocka_unit_test(fitted_rotational_regression_equals_truth),
		cmocka_unit_test(human_in_linear_blend_equals_truth),
		cmocka_unit_test(human_in_dual_quaternions_equals_truth),
		cmocka_unit_test(knight_equals_truth),
		cmocka_unit_test(morphs_equal_truth),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
