/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin programs for linear blend skins with known weights and matrices: the wolf and the cylinder of Hyperspectral Inverse
 * Skinning (Liu, Tan, Deng and Gingold 2020).
 *
 * Their files are text with few digits: rest.obj has six decimals, most points of the poses have seven significant digits,
 * the matrices six, which for a translation of some metres is 5e-6. So an agreement of 1e-6 of the diagonal (10.3 and 4.2)
 * is about the best possible.
 */
#include "fixture.h"

typedef struct skin {
	snw_arena *arena;
	snw_program program;
	const char *name;
} skin;

/* All numbers of a file of nothing else. */
static double *read_numbers(const char *path, snw_arena *arena, size_t *count) {
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	size_t room = 1024;
	double *numbers = malloc(room * sizeof *numbers), number;
	for (*count = 0; fscanf(file, "%lf", &number) == 1; (*count)++) {
		if (*count == room) {
			room *= 2;
			numbers = realloc(numbers, room * sizeof *numbers);
			assert_non_null(numbers);
		}
		numbers[*count] = number;
	}
	assert_true(feof(file));
	fclose(file);
	double *values = snw_arena_copy(arena, numbers, *count * sizeof *numbers);
	free(numbers);
	return values;
}

/* The points of an .obj file in its order. */
static double *read_points(const char *path, uint32_t count, snw_arena *arena) {
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	char line[256];
	uint32_t filled = 0;
	while (fgets(line, sizeof line, file) != NULL) {
		if (strncmp(line, "v ", 2) == 0) {
			assert_true(filled < count);
			double *p = points + 3 * (size_t)filled++;
			assert_int_equal(sscanf(line + 2, "%lf %lf %lf", p, p + 1, p + 2), 3);
		}
	}
	assert_int_equal(filled, count);
	fclose(file);
	return points;
}

static const char *skin_file(const char *skin_name, const char *name) {
	char path[64];
	snprintf(path, sizeof path, "%s/%s", skin_name, name);
	return check_data(path);
}

static skin skin_read(const char *name) {
	const char *weights_path = skin_file(name, "weights.dmat"), *rest_path = skin_file(name, "rest.obj");
	skin skinning = {.arena = snw_arena_create(), .name = name};
	size_t number_count;
	const double *numbers = read_numbers(weights_path, skinning.arena, &number_count);
	const uint32_t bones = (uint32_t)numbers[0], points = (uint32_t)numbers[1];
	assert_int_equal(number_count, 2 + (size_t)bones * points);
	uint32_t *offsets = SNW_NEW_ARRAY(skinning.arena, uint32_t, points + 1u),
			 *slots = SNW_NEW_ARRAY(skinning.arena, uint32_t, number_count);
	double *weights = SNW_NEW_ARRAY(skinning.arena, double, number_count);
	for (uint32_t i = 0; i < points; i++) {
		offsets[i + 1] = offsets[i];
		for (uint32_t b = 0; b < bones; b++) {
			const double weight = numbers[2 + (size_t)b * points + i];
			if (weight != 0) {
				slots[offsets[i + 1]] = b;
				weights[offsets[i + 1]++] = weight;
			}
		}
	}
	skinning.program = (snw_program){.point_count = points,
									 .blend = SNW_BLEND_LINEAR,
									 .slot_count = bones,
									 .points_rest = read_points(rest_path, points, skinning.arena),
									 .influence_offsets = offsets,
									 .influence_slots = slots,
									 .influence_weights = weights};
	return skinning;
}

/* 12 numbers a bone, the 3×4 matrix column by column. */
static double *read_matrices(const skin *skinning, uint32_t pose) {
	char name[32];
	size_t count;
	snprintf(name, sizeof name, "pose-%u.tmat", pose);
	const double *numbers = read_numbers(skin_file(skinning->name, name), skinning->arena, &count);
	assert_int_equal(count, 12 * (size_t)skinning->program.slot_count);
	double *matrices = SNW_NEW_ARRAY(skinning->arena, double, count);
	for (uint32_t b = 0; b < skinning->program.slot_count; b++) {
		for (size_t c = 0; c < 12; c++) {
			matrices[12 * (size_t)b + 4 * (c % 3) + c / 3] = numbers[12 * (size_t)b + c];
		}
	}
	return matrices;
}

static void check_skin(const char *name, uint32_t pose_count) {
	skin skinning = skin_read(name);
	const size_t numbers = 3 * (size_t)skinning.program.point_count;
	const double diagonal = fixture_diagonal(&skinning.program);
	double *truth = SNW_NEW_ARRAY(skinning.arena, double, numbers), most = 0, most_fast = 0;
	float *fast = SNW_NEW_ARRAY(skinning.arena, float, numbers);
	snw_packed_program *packed = snw_program_pack(&skinning.program);
	for (uint32_t pose = 1; pose <= pose_count; pose++) {
		char file[32];
		snprintf(file, sizeof file, "pose-%u.obj", pose);
		const double *expected = read_points(skin_file(name, file), skinning.program.point_count, skinning.arena);
		const snw_program_input input = {.matrices = read_matrices(&skinning, pose)};
		snw_program_reference(&skinning.program, &input, NULL, truth);
		snw_program_run(packed, &input, NULL, fast);
		for (size_t i = 0; i < numbers; i++) {
			most = fmax(most, fabs(truth[i] - expected[i]));
			most_fast = fmax(most_fast, fabs((double)fast[i] - truth[i]));
		}
	}
	print_message("%s: truth %.3g, fast %.3g from truth, of the diagonal %g\n", name, most / diagonal, most_fast / diagonal,
				  diagonal);
	assert_true(most / diagonal < 1e-6);
	assert_true(most_fast / diagonal < 1e-5);
	snw_packed_program_destroy(packed);
	snw_arena_destroy(skinning.arena);
}

static void wolf_is_reproduced(void **state) {
	(void)state;
	check_skin("wolf", 21);
}

static void cylinder_is_reproduced(void **state) {
	(void)state;
	check_skin("cylinder", 4);
}

TEST_GROUP(skins) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(wolf_is_reproduced), cmocka_unit_test(cylinder_is_reproduced)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
