/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The metrics of points over poses: expectations against random poses within their error bars, bounds that no pose breaks, and
 * models that are scaled and moved.
 */
#include "check.h"

#include "measure/point_metric.h"
#include "random.h"

enum { JOINTS = 6, ROWS = 5, SAMPLES = 40, TRIES = 20000, POSES = 100000 };

/* Two roots; parents may stand behind their children. */
static const uint32_t parents[JOINTS] = {3, SNW_NONE, 0, 1, 3, SNW_NONE}, order[JOINTS] = {1, 3, 0, 2, 4, 5};

typedef struct fixture {
	uint64_t random;
	snw_joint_motion motions[JOINTS];
	double samples[JOINTS][SAMPLES][12], axes[JOINTS][3];
	double blocks[JOINTS * JOINTS * 16], means[JOINTS * 12], rows[4 * ROWS];
	uint32_t joints[ROWS];
	snw_point_metric metric;
	snw_joint_rows difference;
} fixture;

static void random_matrix(uint64_t *random, double largest_angle, double largest_scale, double matrix[12]) {
	double vector[3], quaternion[4];
	for (int c = 0; c < 3; c++) {
		vector[c] = random_between(random, -largest_angle, largest_angle);
	}
	snw_quat_from_rotation_vector(vector, quaternion);
	snw_quat_to_mat34(quaternion, matrix);
	for (int i = 0; i < 12; i++) {
		matrix[i] =
			i % 4 == 3 ? random_between(random, -1, 1) : matrix[i] * random_between(random, 1 / largest_scale, largest_scale);
	}
}

/* A difference of weight 0, some of its rows of one joint. */
static void open_fixture(fixture *f) {
	*f = (fixture){.random = random_seed()};
	f->metric = (snw_point_metric){JOINTS, parents, order, f->blocks, f->means};
	double sum = 0;
	for (uint32_t i = 0; i < ROWS; i++) {
		f->joints[i] = random_below(&f->random, JOINTS);
		for (uint32_t c = 0; c < 4; c++) {
			f->rows[4 * i + c] = random_between(&f->random, -1, 1);
		}
		sum += i + 1 < ROWS ? f->rows[4 * i + 3] : 0;
	}
	f->rows[4 * ROWS - 1] = -sum;
	f->difference = (snw_joint_rows){ROWS, f->joints, f->rows};
	for (uint32_t j = 0; j < JOINTS; j++) {
		double vector[3] = {random_between(&f->random, -1, 1), random_between(&f->random, -1, 1), 1};
		snw_normalize3(vector);
		memcpy(f->axes[j], vector, sizeof vector);
		random_matrix(&f->random, 1, 1, f->motions[j].mean);
	}
}

static void globals_of(double locals[JOINTS][12], double globals[JOINTS][12]) {
	for (uint32_t i = 0; i < JOINTS; i++) {
		const uint32_t j = order[i];
		if (parents[j] == SNW_NONE) {
			memcpy(globals[j], locals[j], sizeof globals[j]);
		} else {
			snw_mat34_multiply(globals[parents[j]], locals[j], globals[j]);
		}
	}
}

/* Where a pose takes the difference. */
static double length_at(const fixture *f, double globals[JOINTS][12]) {
	double sum[3] = {0, 0, 0};
	for (uint32_t i = 0; i < ROWS; i++) {
		const double *g = globals[f->joints[i]], *row = f->rows + 4 * (size_t)i;
		for (size_t r = 0; r < 3; r++) {
			sum[r] += g[4 * r] * row[0] + g[4 * r + 1] * row[1] + g[4 * r + 2] * row[2] + g[4 * r + 3] * row[3];
		}
	}
	return snw_length3(sum);
}

/* A local matrix as its joint's motion has it; ranges of angles are from −0.4 to 1.2. */
static void draw(fixture *f, uint32_t joint, const double rest[12], double local[12]) {
	const snw_joint_motion *motion = &f->motions[joint];
	double quaternion[4], rotation[12];
	memcpy(local, rest, 12 * sizeof *local);
	if (motion->kind == SNW_MOTION_SAMPLED) {
		memcpy(local, motion->samples + 12 * (size_t)random_below(&f->random, motion->sample_count), 12 * sizeof *local);
	} else if (motion->kind == SNW_MOTION_ROTATION) {
		const double angle = random_between(&f->random, -0.4, 1.2);
		const double vector[3] = {angle * f->axes[joint][0], angle * f->axes[joint][1], angle * f->axes[joint][2]};
		snw_quat_from_rotation_vector(vector, quaternion);
		snw_quat_to_mat34(quaternion, rotation);
		snw_mat34_multiply(rest, rotation, local);
	} else if (motion->kind == SNW_MOTION_UNIFORM) {
		double length = 2;
		while (length > 1 || length < 1e-3) { /* a direction in a ball of four dimensions */
			for (int c = 0; c < 4; c++) {
				quaternion[c] = random_between(&f->random, -1, 1);
			}
			length = sqrt(snw_quat_dot(quaternion, quaternion));
		}
		snw_quat_normalize(quaternion);
		snw_quat_to_mat34(quaternion, rotation);
		for (int i = 0; i < 12; i++) {
			local[i] = i % 4 == 3 ? rest[i] : rotation[i];
		}
	}
}

/* The mean squared length of the difference by P is that over random poses, within five standard errors. */
static void check_expectation(const int kinds[JOINTS]) {
	fixture f;
	double rest[JOINTS][12], sum = 0, of_squares = 0;
	open_fixture(&f);
	for (uint32_t j = 0; j < JOINTS; j++) {
		snw_joint_motion *motion = &f.motions[j];
		motion->kind = kinds[j];
		memcpy(rest[j], motion->mean, sizeof rest[j]);
		if (motion->kind == SNW_MOTION_SAMPLED) {
			for (uint32_t s = 0; s < SAMPLES; s++) {
				random_matrix(&f.random, 1, 1.3, f.samples[j][s]);
			}
			motion->sample_count = SAMPLES;
			motion->samples = f.samples[j][0];
		} else if (motion->kind == SNW_MOTION_ROTATION) {
			snw_mean_of_range(rest[j], f.axes[j], -0.4, 1.2, motion->mean);
		}
	}
	snw_metric_of_motions(f.motions, &f.metric);
	for (uint32_t n = 0; n < TRIES; n++) {
		double locals[JOINTS][12], globals[JOINTS][12];
		for (uint32_t j = 0; j < JOINTS; j++) {
			draw(&f, j, rest[j], locals[j]);
		}
		globals_of(locals, globals);
		const double square = length_at(&f, globals) * length_at(&f, globals);
		sum += square;
		of_squares += square * square;
	}
	const double mean = sum / TRIES, deviation = sqrt(fmax(of_squares / TRIES - mean * mean, 0) / TRIES);
	const double expected = snw_metric_inner(&f.metric, &f.difference, &f.difference);
	if (fabs(expected - mean) > 5 * deviation + 1e-9) {
		fail_msg("expected %.6g, found %.6g ± %.2g", expected, mean, deviation);
	}
}

static void expectations_are_the_means_of_random_poses(void **state) {
	(void)state;
	static const int rows[][JOINTS] = {
		{SNW_MOTION_SAMPLED, SNW_MOTION_SAMPLED, SNW_MOTION_SAMPLED, SNW_MOTION_SAMPLED, SNW_MOTION_SAMPLED,
		 SNW_MOTION_SAMPLED},
		{SNW_MOTION_ROTATION, SNW_MOTION_ROTATION, SNW_MOTION_ROTATION, SNW_MOTION_ROTATION, SNW_MOTION_ROTATION,
		 SNW_MOTION_ROTATION},
		{SNW_MOTION_UNIFORM, SNW_MOTION_UNIFORM, SNW_MOTION_UNIFORM, SNW_MOTION_UNIFORM, SNW_MOTION_UNIFORM,
		 SNW_MOTION_UNIFORM},
		{SNW_MOTION_FIXED, SNW_MOTION_FIXED, SNW_MOTION_FIXED, SNW_MOTION_FIXED, SNW_MOTION_FIXED, SNW_MOTION_FIXED},
		{SNW_MOTION_UNIFORM, SNW_MOTION_FIXED, SNW_MOTION_SAMPLED, SNW_MOTION_ROTATION, SNW_MOTION_ROTATION,
		 SNW_MOTION_UNIFORM},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		check_expectation(rows[i]);
	}
}

static void components_and_given_matrices_are_the_sampled_ones(void **state) {
	(void)state;
	fixture f;
	double blocks[JOINTS * JOINTS * 16];
	open_fixture(&f);
	for (uint32_t j = 0; j < JOINTS; j++) {
		f.motions[j] = (snw_joint_motion){.kind = SNW_MOTION_SAMPLED, .sample_count = SAMPLES, .samples = f.samples[j][0]};
		double rotation[12], translation[3];
		for (uint32_t s = 0; s < SAMPLES; s++) {
			/* Half of the rotations with each of two translations: independent components. */
			if (s % 2 == 0) {
				random_matrix(&f.random, 1, 1.3, rotation);
			}
			memcpy(f.samples[j][s], rotation, sizeof rotation);
			for (size_t c = 0; c < 3; c++) {
				translation[c] = (double)(s % 2) + (double)c * 0.3 + j;
				f.samples[j][s][4 * c + 3] = translation[c];
			}
		}
	}
	snw_metric_of_motions(f.motions, &f.metric);
	memcpy(blocks, f.blocks, sizeof blocks);
	for (uint32_t j = 0; j < JOINTS; j++) {
		static const double of_model[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
		const double *a = parents[j] == SNW_NONE ? of_model : blocks + ((size_t)parents[j] * JOINTS + parents[j]) * 16;
		const double *gram = blocks + ((size_t)j * JOINTS + j) * 16;
		snw_joint_motion *motion = &f.motions[j];
		snw_mean_of_joint(motion, motion->mean);
		motion->length_square = 0;
		for (int s = 0; s < 2; s++) {
			for (size_t i = 0; i < 9; i++) {
				motion->length_square +=
					f.samples[j][s][4 * (i / 3) + 3] * a[4 * (i / 3) + i % 3] * f.samples[j][s][4 * (i % 3) + 3] / 2;
				motion->linear_gram[i] = gram[4 * (i / 3) + i % 3];
			}
		}
		memcpy(motion->gram, gram, sizeof motion->gram);
		motion->kind = j % 2 ? SNW_MOTION_COMPONENTS : SNW_MOTION_GIVEN;
	}
	snw_metric_of_motions(f.motions, &f.metric);
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		check_near(f.blocks[i], blocks[i], 1e-9 * (1 + fabs(blocks[i])));
	}
}

/* Fills the metric with that of random poses, and `locals` with the last one. */
static double mean_of_poses(fixture *f, uint32_t count, double globals[][JOINTS][12]) {
	double sum = 0;
	for (uint32_t n = 0; n < count; n++) {
		double locals[JOINTS][12];
		for (uint32_t j = 0; j < JOINTS; j++) {
			random_matrix(&f->random, 2, 1.2, locals[j]);
		}
		globals_of(locals, globals[n]);
		sum += length_at(f, globals[n]) * length_at(f, globals[n]) / count;
	}
	snw_metric_of_poses(count, globals[0][0], &f->metric);
	return sum;
}

static void metric_of_a_clip_is_the_mean_over_its_poses(void **state) {
	(void)state;
	fixture f;
	double globals[SAMPLES][JOINTS][12];
	open_fixture(&f);
	const double mean = mean_of_poses(&f, SAMPLES, globals);
	check_near(snw_metric_length(&f.metric, &f.difference), sqrt(mean), 1e-9);
}

static void dot_products_in_normalised_space_are_the_inner_products(void **state) {
	(void)state;
	fixture f;
	double factor[16 * JOINTS * JOINTS], s[4 * JOINTS], t[4 * JOINTS], other[4 * ROWS];
	open_fixture(&f);
	/* Fixed joints see three dimensions in all, rotations with fixed translations three for each joint: P is singular. */
	for (int rotates = 0; rotates < 2; rotates++) {
		for (uint32_t j = 0; j < JOINTS; j++) {
			const double rest[12] = {1, 0, 0, 0.5, 0, 1, 0, j, 0, 0, 1, -1};
			f.motions[j].kind = rotates ? SNW_MOTION_ROTATION : SNW_MOTION_FIXED;
			snw_mean_of_range(rest, f.axes[j], 0, rotates, f.motions[j].mean);
		}
		for (uint32_t i = 0; i < 4 * ROWS; i++) {
			other[i] = random_between(&f.random, -1, 1);
		}
		const snw_joint_rows rows = {ROWS, f.joints, other};
		snw_metric_of_motions(f.motions, &f.metric);
		snw_metric_normalize(&f.metric, factor);
		snw_metric_to_normalized(&f.metric, factor, &f.difference, s);
		snw_metric_to_normalized(&f.metric, factor, &rows, t);
		double dot = 0;
		for (uint32_t i = 0; i < 4 * JOINTS; i++) {
			dot += s[i] * t[i];
		}
		check_near(dot, snw_metric_inner(&f.metric, &f.difference, &rows), 1e-6);
	}
}

/* What a point as a whole sees, weight and all, after the model was scaled, rotated and moved. */
static void transformed_models_have_the_metric_of_their_poses(void **state) {
	(void)state;
	fixture f;
	double globals[SAMPLES][JOINTS][12], rigid[12], quaternion[4], blocks[JOINTS * JOINTS * 16], means[JOINTS * 12];
	open_fixture(&f);
	mean_of_poses(&f, SAMPLES, globals);
	snw_quat_from_rotation_vector((const double[3]){0.5, -1, 2}, quaternion);
	snw_quat_to_mat34(quaternion, rigid);
	for (size_t c = 0; c < 3; c++) {
		rigid[4 * c + 3] = 1.5 - (double)c;
	}
	snw_metric_scale(&f.metric, 2.5);
	snw_metric_move(&f.metric, rigid);
	memcpy(blocks, f.blocks, sizeof blocks);
	memcpy(means, f.means, sizeof means);
	for (uint32_t n = 0; n < SAMPLES; n++) {
		for (uint32_t j = 0; j < JOINTS; j++) {
			for (size_t c = 0; c < 3; c++) {
				globals[n][j][4 * c + 3] *= 2.5;
			}
			snw_mat34_multiply(rigid, globals[n][j], globals[n][j]);
		}
	}
	snw_metric_of_poses(SAMPLES, globals[0][0], &f.metric);
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		check_near(blocks[i], f.blocks[i], 1e-9 * (1 + fabs(blocks[i])));
	}
	for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
		check_near(means[i], f.means[i], 1e-9 * (1 + fabs(means[i])));
	}
}

/* Two roots that walk together, with a point each at the same place, joints shuffled: apart without what is taken out. */
static void motion_of_the_whole_character_is_taken_out_of_each_pose(void **state) {
	(void)state;
	fixture f;
	double rest[2][12], rigid[12], found[2];
	static const uint32_t roots[2] = {1, 5};
	open_fixture(&f);
	random_matrix(&f.random, 2, 1, rest[0]);
	random_matrix(&f.random, 2, 1, rest[1]);
	for (int takes_out = 0; takes_out < 2; takes_out++) {
		for (uint32_t j = 0; j < JOINTS; j++) {
			f.motions[j] = (snw_joint_motion){.kind = SNW_MOTION_SAMPLED, .sample_count = SAMPLES, .samples = f.samples[j][0]};
			memset(f.samples[j], 0, sizeof f.samples[j]);
		}
		for (uint32_t n = 0; n < SAMPLES; n++) {
			double posed[2][12], body[12];
			random_matrix(&f.random, 3, 1, rigid);
			for (size_t i = 0; i < 2; i++) {
				snw_mat34_multiply(rigid, rest[i], posed[i]);
			}
			memcpy(body, posed[0], sizeof body);
			if (takes_out) {
				snw_metric_take_out(rest[0], body, 2, posed[0]);
			}
			memcpy(f.samples[roots[0]][n], posed[0], sizeof posed[0]);
			memcpy(f.samples[roots[1]][n], posed[1], sizeof posed[1]);
		}
		snw_metric_of_motions(f.motions, &f.metric);
		double inverse[12] = {0}, rows[2][4] = {{0}};
		const double place[3] = {0.3, -0.2, 0.9};
		for (int i = 0; i < 2; i++) {
			assert_true(snw_mat34_invert(rest[i], inverse));
			snw_mat34_point(inverse, place, rows[i]);
			rows[i][3] = 1;
			for (int c = 0; c < 4; c++) {
				rows[i][c] *= i == 0 ? 1 : -1;
			}
		}
		found[takes_out] = snw_metric_length(&f.metric, &(snw_joint_rows){2, roots, rows[0]});
	}
	print_message("apart %.3g, with the motion taken out %.3g\n", found[0], found[1]);
	assert_true(found[0] > 0.1);
	assert_true(found[1] < 1e-7);
}

/* Joints that rotate at will and translate within a ball. */
static void no_pose_breaks_the_bound(void **state) {
	(void)state;
	fixture f;
	snw_joint_range ranges[JOINTS];
	snw_row_sphere spheres[JOINTS];
	double longest = 0;
	open_fixture(&f);
	for (uint32_t j = 0; j < JOINTS; j++) {
		ranges[j] = (snw_joint_range){.stretch = j % 2 ? 1 : 1.2, .radius = 0.5};
		for (size_t c = 0; c < 3; c++) {
			ranges[j].centre[c] = random_between(&f.random, -0.3, 0.3);
		}
	}
	const double bound = snw_metric_bound(&f.metric, ranges, &f.difference, spheres);
	for (uint32_t n = 0; n < POSES; n++) {
		double locals[JOINTS][12], globals[JOINTS][12];
		for (uint32_t j = 0; j < JOINTS; j++) {
			double beside[3] = {random_between(&f.random, -1, 1), random_between(&f.random, -1, 1),
								random_between(&f.random, -1, 1)};
			random_matrix(&f.random, 3, 1, locals[j]);
			snw_normalize3(beside);
			for (size_t i = 0; i < 12; i++) {
				locals[j][i] = i % 4 == 3 ? ranges[j].centre[i / 4] + 0.5 * beside[i / 4] : locals[j][i] * ranges[j].stretch;
			}
		}
		globals_of(locals, globals);
		longest = fmax(longest, length_at(&f, globals));
	}
	print_message("bound %.4g, the longest of %d poses %.4g\n", bound, POSES, longest);
	assert_true(longest <= bound);
	assert_true(longest > 0.3 * bound);
}

TEST_GROUP(point_metric) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expectations_are_the_means_of_random_poses),
		cmocka_unit_test(components_and_given_matrices_are_the_sampled_ones),
		cmocka_unit_test(metric_of_a_clip_is_the_mean_over_its_poses),
		cmocka_unit_test(dot_products_in_normalised_space_are_the_inner_products),
		cmocka_unit_test(transformed_models_have_the_metric_of_their_poses),
		cmocka_unit_test(motion_of_the_whole_character_is_taken_out_of_each_pose),
		cmocka_unit_test(no_pose_breaks_the_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
