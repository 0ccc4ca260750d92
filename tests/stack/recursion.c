/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack against its definition: random stacks of test layers equal S_n evaluated by recursion, layer by layer, without
 * merging anything; and its evaluators against each other.
 */
#include "random.h"
#include "setup.h"

#include "layers.h"

enum { STACKS = 30 };

/* ---- the definition ------------------------------------------------------------------------------------------------------ */

typedef enum test_layer { TEST_BLEND, TEST_CORRECTIVE, TEST_TWIST, TEST_RING } test_layer;

typedef struct definition {
	uint32_t layer_count;
	struct {
		test_layer layer;
		uint32_t seed, kind, passes;
		double strength;
	} layers[MOST_LAYERS];
	const snw_mesh *mesh;
	const snw_pose_view *pose;
} definition;

/* T_s of a blend with a palette of matrices. */
static void slot_matrix(const definition *def, uint32_t n, uint32_t slot, const double *z, double matrix[12]) {
	switch (def->layers[n].kind) {
	case KIND_JOINTS:
		memcpy(matrix, def->pose->palette + 12 * slot, 12 * sizeof *matrix);
		break;
	case KIND_COMBINED:
	case KIND_SPARSE:
	case KIND_ZEROS:
		for (uint32_t r = 0; r < 3; r++) {
			for (uint32_t c = 0; c < 4; c++) {
				double sum = 0;
				for (uint32_t k = 0; k < LAYER_COMBINED; k++) {
					sum += layer_constant(def->layers[n].seed, (int)def->layers[n].kind, 4 * slot + c, k) * z[3 * k + r];
				}
				matrix[4 * r + c] = sum;
			}
		}
		break;
	default:
		memcpy(matrix, z + 12 * slot, 12 * sizeof *matrix);
		break;
	}
}

static void blend_point(const definition *def, uint32_t n, const double *z, uint32_t point, const double x[3], double out[3]) {
	const uint32_t seed = def->layers[n].seed;
	const double *rest = def->mesh->points_rest + 3 * (size_t)point;
	double weights[LAYER_SLOTS], sum[3] = {0, 0, 0};
	layer_weights(seed, point, weights);
	for (uint32_t s = 0; s < LAYER_SLOTS; s++) {
		double m[12], p[4] = {weights[s] * x[0], weights[s] * x[1], weights[s] * x[2], weights[s]};
		slot_matrix(def, n, s, z, m);
		if (def->layers[n].kind == KIND_AFFINE) {
			layer_row(seed, point, s, rest, p);
			for (int c = 0; c < 3; c++) {
				p[c] += p[3] * (x[c] - rest[c]);
			}
		}
		for (int r = 0; r < 3; r++) {
			sum[r] += m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3] * p[3];
		}
	}
	memcpy(out, sum, sizeof sum);
}

/* (q x q* + 2 d q*) over |q|², for the blended q + ε d: by quaternion products, as the papers write it. */
static void dual_quaternion_point(const definition *def, uint32_t n, const double *z, uint32_t point, const double x[3],
								  double out[3]) {
	double weights[LAYER_SLOTS], q[8] = {0}, pure[4] = {x[0], x[1], x[2], 0}, conjugate[4], rotated[4], dual_part[4];
	layer_weights(def->layers[n].seed, point, weights);
	for (uint32_t s = 0; s < LAYER_SLOTS; s++) {
		for (int c = 0; c < 8; c++) {
			q[c] += weights[s] * z[8 * s + c];
		}
	}
	const double square = snw_quat_dot(q, q);
	snw_quat_conjugate(q, conjugate);
	snw_quat_multiply(q, pure, rotated);
	snw_quat_multiply(rotated, conjugate, rotated);
	snw_quat_multiply(q + 4, conjugate, dual_part);
	for (int c = 0; c < 3; c++) {
		out[c] = (rotated[c] + 2 * dual_part[c]) / square;
	}
}

static void blend_all(const definition *def, uint32_t n, double *points) {
	double z[64] = {0};
	layer_z(def->layers[n].seed, (int)def->layers[n].kind, def->pose, z);
	for (uint32_t i = 0; i < def->mesh->point_count; i++) {
		double *x = points + 3 * (size_t)i;
		if (def->layers[n].kind == KIND_DUAL_QUATERNION) {
			dual_quaternion_point(def, n, z, i, x, x);
		} else {
			blend_point(def, n, z, i, x, x);
		}
	}
}

/* Adds the displacements of a corrective: d before (first 0), e and its rotations after (first 2). */
static void displace_all(const definition *def, uint32_t n, uint32_t first, double *points) {
	double axes[9];
	snw_mat34_rotation(def->pose->global + 12 * LAYER_ELBOW, axes);
	for (uint32_t k = 0; k < 2; k++) {
		const double coefficient = layer_coefficient(def->layers[n].seed, def->pose, k + first);
		for (uint32_t i = 0; i < def->mesh->point_count; i++) {
			double v[3];
			if (!layer_moves(i, k)) {
				continue;
			}
			layer_displacement(def->layers[n].seed, i, k, v);
			for (int r = 0; r < 3; r++) {
				const bool rotates = first == 2 && k == 0;
				points[3 * (size_t)i + r] += coefficient * (rotates ? snw_dot3(axes + 3 * r, v) : v[r]);
			}
		}
	}
}

static void box_all(const definition *def, uint32_t n, double *points) {
	const uint32_t count = def->mesh->point_count;
	double *before = malloc(3 * count * sizeof *before);
	for (uint32_t p = 0; p < def->layers[n].passes; p++) {
		memcpy(before, points, 3 * count * sizeof *before);
		for (uint32_t i = 0; i < count; i++) {
			if (def->layers[n].layer == TEST_TWIST) {
				layer_twist(def->layers[n].strength, before + 3 * (size_t)i, points + 3 * (size_t)i);
			} else {
				layer_ring(def->layers[n].strength, before, count, i, points + 3 * (size_t)i);
			}
		}
	}
	free(before);
}

/* S_n of `points`, in place: layers 0 to n − 1. */
static void evaluate(const definition *def, uint32_t n, double *points) {
	if (n == 0) {
		for (uint32_t k = 0; k < def->mesh->morph_count; k++) {
			const snw_morph *morph = &def->mesh->morphs[k];
			for (uint32_t j = 0; j < morph->count; j++) {
				for (int c = 0; c < 3; c++) {
					points[3 * (size_t)morph->points[j] + c] += def->pose->channels[morph->channel] * morph->vectors[3 * j + c];
				}
			}
		}
		return;
	}
	switch (def->layers[n - 1].layer) {
	case TEST_CORRECTIVE:
		displace_all(def, n - 1, 0, points);
		evaluate(def, n - 1, points);
		displace_all(def, n - 1, 2, points);
		break;
	case TEST_BLEND:
		evaluate(def, n - 1, points);
		blend_all(def, n - 1, points);
		break;
	default:
		evaluate(def, n - 1, points);
		box_all(def, n - 1, points);
		break;
	}
}

/* ---- random stacks ------------------------------------------------------------------------------------------------------- */

static snw_registry *registry;

static int open_registry(void **state) {
	(void)state;
	registry = setup_registry(TEST_LAYERS);
	return 0;
}

static int close_registry(void **state) {
	(void)state;
	snw_registry_close(registry);
	return 0;
}

static definition random_stack(snw_scene *scene, uint64_t random) {
	static const char *const methods[] = {"test-blend", "test-corrective", "test-twist", "test-ring"};
	static const char *const kinds[] = {"joints", "matrices", "combined", "affine", "dual-quaternion", "sparse", "zeros"};
	definition def = {.mesh = &scene->meshes[0]};
	def.layer_count = random_below(&random, 6);
	for (uint32_t n = 0; n < def.layer_count; n++) {
		char name[40], settings[160];
		def.layers[n].layer = (test_layer)random_below(&random, 4);
		def.layers[n].seed = random_below(&random, 1000);
		def.layers[n].kind = random_below(&random, KIND_COUNT);
		def.layers[n].passes = random_below(&random, 4);
		def.layers[n].strength = 0.25 * random_below(&random, 5);
		snprintf(name, sizeof name, "layer-%u", n);
		snprintf(settings, sizeof settings, "seed=%u kind=%s passes=%u strength=%g", def.layers[n].seed,
				 kinds[def.layers[n].kind], def.layers[n].passes, def.layers[n].strength);
		setup_add_layer(scene, registry, methods[def.layers[n].layer], name, settings);
	}
	return def;
}

static bool has_black_box(const definition *def) {
	for (uint32_t n = 0; n < def->layer_count; n++) {
		if (def->layers[n].layer >= TEST_TWIST) {
			return true;
		}
	}
	return false;
}

static double *other_rest(const snw_mesh *mesh, uint32_t seed) {
	double *points = malloc(3 * mesh->point_count * sizeof *points);
	for (uint32_t i = 0; i < 3 * mesh->point_count; i++) {
		points[i] = mesh->points_rest[i] + 0.03 * layer_random(seed, 777, i);
	}
	return points;
}

static double size_of(const double *points, size_t numbers) {
	double most = 1;
	for (size_t i = 0; i < numbers; i++) {
		most = fmax(most, fabs(points[i]));
	}
	return most;
}

/* One stack at one pose, driven. */
typedef struct trial {
	uint32_t seed;
	definition def;
	snw_stack *stack;
	snw_evaluation *evaluation;
	size_t numbers;
} trial;

static void check_truth(const trial *t) {
	snw_error error = {0};
	double *wanted = malloc(t->numbers * sizeof *wanted), *got = malloc(t->numbers * sizeof *got);
	double *rest = other_rest(t->def.mesh, t->seed);
	for (int other = 0; other < 2; other++) {
		memcpy(wanted, other ? rest : t->def.mesh->points_rest, t->numbers * sizeof *wanted);
		evaluate(&t->def, t->def.layer_count, wanted);
		check_ok(snw_stack_reference(t->stack, t->evaluation, 0, other ? rest : NULL, got, &error), error);
		const double distance = setup_distance(wanted, got, t->numbers);
		if (!(distance <= 1e-12 * size_of(wanted, t->numbers))) {
			fail_msg("stack %u: the truth is %g from the definition", t->seed, distance);
		}
	}
	free(rest);
	free(got);
	free(wanted);
}

static void check_fast(const trial *t) {
	snw_error error = {0};
	double *truth = malloc(t->numbers * sizeof *truth);
	float *fast = malloc(t->numbers * sizeof *fast);
	check_ok(snw_stack_reference(t->stack, t->evaluation, 0, NULL, truth, &error), error);
	check_ok(snw_stack_run(t->stack, t->evaluation, 0, fast, &error), error);
	double most = 0;
	for (size_t i = 0; i < t->numbers; i++) {
		most = fmax(most, fabs(truth[i] - (double)fast[i]));
	}
	/* Each program of a long stack may cost 1e-5 of the box. */
	const uint32_t pairs = t->def.layer_count / 2;
	const double allowed = 1e-5 * size_of(truth, t->numbers) * (1 + pairs);
	if (!(most <= allowed)) {
		fail_msg("stack %u: the fast evaluator is %g from the truth, more than %g", t->seed, most, allowed);
	}
	free(fast);
	free(truth);
}

static void check_listed(const trial *t) {
	snw_error error = {0};
	const uint32_t count = t->def.mesh->point_count;
	enum { LISTED = 40 };
	uint32_t indices[LISTED];
	double listed_rest[3 * LISTED], listed[3 * LISTED];
	double *displaced = other_rest(t->def.mesh, t->seed), *wanted = malloc(t->numbers * sizeof *wanted);
	memcpy(wanted, t->def.mesh->points_rest, t->numbers * sizeof *wanted);
	for (uint32_t i = 0; i < LISTED; i++) {
		indices[i] = (i * 37 + t->seed) % count;
		memcpy(listed_rest + 3 * i, displaced + 3 * (size_t)indices[i], 3 * sizeof *displaced);
		memcpy(wanted + 3 * (size_t)indices[i], displaced + 3 * (size_t)indices[i], 3 * sizeof *displaced);
	}
	evaluate(&t->def, t->def.layer_count, wanted);
	check_ok(snw_stack_reference_at(t->stack, t->evaluation, 0, LISTED, indices, listed_rest, listed, &error), error);
	for (uint32_t i = 0; i < LISTED; i++) {
		const double distance = setup_distance(wanted + 3 * (size_t)indices[i], listed + 3 * i, 3);
		if (!(distance <= 1e-12 * size_of(wanted, t->numbers))) {
			fail_msg("stack %u: listed point %u is %g from the definition", t->seed, indices[i], distance);
		}
	}
	free(wanted);
	free(displaced);
}

static void check_matrices(const trial *t) {
	snw_error error = {0};
	const uint32_t count = t->def.mesh->point_count;
	double *matrices = malloc(12 * count * sizeof *matrices);
	const snw_status status = snw_stack_matrices(t->stack, t->evaluation, 0, count, NULL, matrices, &error);
	assert_int_equal(status, has_black_box(&t->def) ? SNW_ERROR_UNSUPPORTED : SNW_OK);
	assert_int_equal(snw_stack_is_affine(t->stack, 0), !has_black_box(&t->def));
	if (!snw_failed(status)) {
		double *rest = other_rest(t->def.mesh, t->seed), *wanted = malloc(t->numbers * sizeof *wanted);
		memcpy(wanted, rest, t->numbers * sizeof *wanted);
		evaluate(&t->def, t->def.layer_count, wanted);
		for (uint32_t i = 0; i < count; i++) {
			double posed[3];
			snw_mat34_point(matrices + 12 * (size_t)i, rest + 3 * (size_t)i, posed);
			const double distance = setup_distance(posed, wanted + 3 * (size_t)i, 3);
			if (!(distance <= 1e-11 * size_of(wanted, t->numbers))) {
				fail_msg("stack %u: the matrix of point %u is off by %g", t->seed, i, distance);
			}
		}
		free(wanted);
		free(rest);
	}
	free(matrices);
}

static void for_random_stacks(void (*check)(const trial *t)) {
	for (uint32_t seed = 0; seed < STACKS; seed++) {
		snw_error error = {0};
		snw_scene *scene = snw_trial_character();
		trial t = {.seed = seed, .def = random_stack(scene, random_seed() + seed)};
		t.stack = setup_stack(scene, registry, NULL);
		t.evaluation = snw_evaluation_create(t.stack);
		t.numbers = 3 * (size_t)t.def.mesh->point_count;
		for (uint32_t p = 0; p < scene->pose_count; p++) {
			t.def.pose = snw_pose_view_make(scene, &scene->poses[p], scene->arena);
			check_ok(snw_stack_drive(t.stack, t.def.pose, t.evaluation, &error), error);
			check(&t);
		}
		snw_evaluation_destroy(t.evaluation);
		snw_stack_destroy(t.stack);
		snw_scene_destroy(scene);
	}
}

static void random_stack_equals_its_definition(void **state) {
	(void)state;
	for_random_stacks(check_truth);
}

static void fast_evaluator_agrees_with_truth(void **state) {
	(void)state;
	for_random_stacks(check_fast);
}

static void listed_points_leave_the_others_at_rest(void **state) {
	(void)state;
	for_random_stacks(check_listed);
}

static void matrices_move_points_as_the_truth_does(void **state) {
	(void)state;
	for_random_stacks(check_matrices);
}

/* ---- sparse C ------------------------------------------------------------------------------------------------------------ */

/* All poses of one blend, in double and then in float, behind each other. */
static void run_blend(const char *settings, double *truth, float *fast) {
	snw_error error = {0};
	snw_scene *scene = snw_trial_character();
	setup_add_layer(scene, registry, "test-blend", "blend", settings);
	const size_t numbers = 3 * (size_t)scene->meshes[0].point_count;
	snw_stack *stack = setup_stack(scene, registry, NULL);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	for (uint32_t p = 0; p < scene->pose_count; p++) {
		check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, &scene->poses[p], scene->arena), evaluation, &error), error);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, truth + p * numbers, &error), error);
		check_ok(snw_stack_run(stack, evaluation, 0, fast + p * numbers, &error), error);
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
}

static void sparse_palette_gives_the_bits_of_the_dense_one(void **state) {
	(void)state;
	snw_scene *scene = snw_trial_character();
	const size_t numbers = 3 * (size_t)scene->meshes[0].point_count * scene->pose_count;
	double *truth[2];
	float *fast[2];
	for (int i = 0; i < 2; i++) {
		truth[i] = malloc(numbers * sizeof **truth);
		fast[i] = malloc(numbers * sizeof **fast);
	}
	for (uint32_t seed = 0; seed < 8; seed++) {
		char sparse[40], dense[40];
		snprintf(sparse, sizeof sparse, "kind=sparse seed=%u", seed);
		snprintf(dense, sizeof dense, "kind=zeros seed=%u", seed);
		run_blend(sparse, truth[0], fast[0]);
		run_blend(dense, truth[1], fast[1]);
		assert_memory_equal(truth[0], truth[1], numbers * sizeof **truth);
		assert_memory_equal(fast[0], fast[1], numbers * sizeof **fast);
	}
	run_blend("kind=combined seed=7", truth[1], fast[1]);
	assert_true(setup_distance(truth[0], truth[1], numbers) > 0.01); /* the zeros count */
	for (int i = 0; i < 2; i++) {
		free(truth[i]);
		free(fast[i]);
	}
	snw_scene_destroy(scene);
}

/* ---- threads ------------------------------------------------------------------------------------------------------------- */

static void run_with_threads(const snw_scene *scene, uint32_t threads, double *truth, float *fast) {
	snw_error error = {0};
	snw_parallel_threads(threads);
	snw_stack *stack = setup_stack(scene, registry, NULL);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, &scene->poses[3], scene->arena), evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, truth, &error), error);
	check_ok(snw_stack_run(stack, evaluation, 0, fast, &error), error);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
}

static void one_thread_and_many_give_the_same_bits(void **state) {
	(void)state;
	for (uint32_t seed = 0; seed < 12; seed++) {
		snw_scene *scene = snw_trial_character();
		random_stack(scene, random_seed() + seed);
		const size_t numbers = 3 * (size_t)scene->meshes[0].point_count;
		double *truth[2];
		float *fast[2];
		for (uint32_t i = 0; i < 2; i++) {
			truth[i] = malloc(numbers * sizeof **truth);
			fast[i] = malloc(numbers * sizeof **fast);
			run_with_threads(scene, i == 0 ? 1 : 4, truth[i], fast[i]);
		}
		assert_memory_equal(truth[0], truth[1], numbers * sizeof **truth);
		assert_memory_equal(fast[0], fast[1], numbers * sizeof **fast);
		for (uint32_t i = 0; i < 2; i++) {
			free(truth[i]);
			free(fast[i]);
		}
		snw_scene_destroy(scene);
	}
	snw_parallel_threads(0);
}

static void more_threads_than_the_evaluation_knew_give_the_same_bits(void **state) {
	(void)state;
	snw_error error = {0};
	snw_scene *scene = snw_trial_character();
	setup_add_layer(scene, registry, "test-twist", "twist", "passes=2");
	const size_t numbers = 3 * (size_t)scene->meshes[0].point_count;
	double *few = malloc(numbers * sizeof *few), *many = malloc(numbers * sizeof *many);
	snw_parallel_threads(1);
	snw_stack *stack = setup_stack(scene, registry, NULL);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, &scene->poses[1], scene->arena), evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, few, &error), error);
	snw_parallel_threads(4);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, many, &error), error);
	assert_memory_equal(few, many, numbers * sizeof *few);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	free(few);
	free(many);
	snw_parallel_threads(0);
}

TEST_GROUP(recursion) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_stack_equals_its_definition),
		cmocka_unit_test(fast_evaluator_agrees_with_truth),
		cmocka_unit_test(listed_points_leave_the_others_at_rest),
		cmocka_unit_test(matrices_move_points_as_the_truth_does),
		cmocka_unit_test(sparse_palette_gives_the_bits_of_the_dense_one),
		cmocka_unit_test(one_thread_and_many_give_the_same_bits),
		cmocka_unit_test(more_threads_than_the_evaluation_knew_give_the_same_bits),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
