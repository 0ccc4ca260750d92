/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons guided by a drawing: they have its bones, and the joints and motions of the truth.
 */
#include "known_data.h"
#include "random_skeleton.h"

static const char *write_file(const char *text) {
	const char *path = check_scratch("drawing.tgf");
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	fclose(file);
	return path;
}

/* The true skeleton, with its joints displaced by so much of the diagonal. The first bones are named, the prefix and their
 * number. */
static const char *draw(const known_skeleton *known, double percent, const char *prefix, uint32_t named_count) {
	const double most = percent / 100 * snw_scene_diagonal(known->scene, 0);
	uint64_t random = 7;
	const char *path = check_scratch("drawing.tgf");
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (uint32_t j = 0; j <= known->bone_count; j++) {
		double away[3];
		random_direction(&random, away);
		fprintf(file, "%u %.9g %.9g %.9g\n", 10 + j, known->joints[j][0] + most * away[0], known->joints[j][1] + most * away[1],
				known->joints[j][2] + most * away[2]);
	}
	fputs("#\n", file);
	for (uint32_t b = 0; b < known->bone_count; b++) {
		fprintf(file, "%u %u", 10 + known->ends[b][0], 10 + known->ends[b][1]);
		if (b < named_count) {
			fprintf(file, " %s%u", prefix, b);
		}
		fputc('\n', file);
	}
	fclose(file);
	return path;
}

static snw_scene *must_follow(const snw_scene *scene, const char *path) {
	char setting[200];
	snprintf(setting, sizeof setting, "drawing=%s", path);
	return must_fit(scene, "motion-skeleton", setting);
}

/* Drawn 3 % of the diagonal beside the truth. */
static void true_joints_are_found_near_the_drawn_ones(void **state) {
	(void)state;
	static const known_limit limits[] = {{0, 0.1, 0.2}, {0.1, 0.4, 0.25}, {1, 4, 1.5}};
	for (uint64_t seed = 1; seed <= 4; seed++) {
		for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
			known_skeleton known = make_random(seed, limits[i].noise);
			check_random(&known, must_follow(known.scene, draw(&known, 3, "", 0)), seed, &limits[i]);
		}
	}
}

static void bones_have_the_names_and_parents_of_the_drawing(void **state) {
	(void)state;
	known_skeleton known = make_random(2, 0.1);
	snw_scene *fitted = must_follow(known.scene, draw(&known, 1, "part-", BONES));
	const snw_skeleton *skeleton = &fitted->skeleton;
	assert_int_equal(skeleton->joint_count, BONES + 1);
	assert_string_equal(skeleton->names[0], "root");
	for (uint32_t b = 0; b < BONES; b++) {
		char name[20];
		snprintf(name, sizeof name, "part-%u", b);
		assert_string_equal(skeleton->names[b + 1], name);
		assert_int_equal(skeleton->parents[b + 1], parents[b] == SNW_NONE ? 0 : parents[b] + 1);
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

static void names_may_begin_with_digits(void **state) {
	(void)state;
	known_skeleton known = make_random(2, 0.1);
	snw_scene *fitted = must_follow(known.scene, draw(&known, 1, "0_", BONES));
	assert_int_equal(fitted->skeleton.joint_count, BONES + 1);
	assert_string_equal(fitted->skeleton.names[1], "0_0");
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* Bones without a name get one that no drawn bone has. */
static void names_of_an_earlier_result_may_be_drawn(void **state) {
	(void)state;
	known_skeleton known = make_random(2, 0.1);
	snw_scene *fitted = must_follow(known.scene, draw(&known, 1, "bone-", 3));
	assert_string_equal(fitted->skeleton.names[3], "bone-2");
	for (uint32_t b = 4; b <= BONES; b++) {
		assert_string_not_equal(fitted->skeleton.names[b], "bone-1");
		assert_string_not_equal(fitted->skeleton.names[b], "bone-2");
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* A field with each bone's name: 1 where it moves a point alone. */
static void paint_cores(const known_skeleton *known) {
	snw_scene *scene = known->scene;
	const uint32_t points = scene->meshes[0].point_count;
	snw_field *fields = SNW_NEW_ARRAY(scene->arena, snw_field, BONES);
	for (uint32_t b = 0; b < BONES; b++) {
		double *values = SNW_NEW_ARRAY(scene->arena, double, points);
		for (uint32_t i = 0; i < points; i++) {
			values[i] = known->weights[(size_t)b * points + i] > 0.95;
		}
		fields[b] = (snw_field){.name = snw_arena_format(scene->arena, "part-%u", b),
								.unit = "",
								.domain = SNW_DOMAIN_POINTS,
								.components = 1,
								.count = points,
								.values = values};
	}
	scene->fields = fields;
	scene->field_count = BONES;
}

/* Drawn half a bone's length aside, so that many points are nearest to another bone. */
static void masks_say_which_points_a_bone_moves(void **state) {
	(void)state;
	known_skeleton known = make_random(3, 0);
	for (uint32_t j = 0; j <= BONES; j++) {
		known.joints[j][0] += 0.5;
	}
	const char *path = draw(&known, 0, "part-", BONES);
	for (uint32_t j = 0; j <= BONES; j++) {
		known.joints[j][0] -= 0.5;
	}
	paint_cores(&known);
	snw_scene *fitted = must_follow(known.scene, path);
	const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
	if (gap.misplaced > 0 || gap.joints != BONES - 1 || !(gap.degrees < 1)) {
		fail_msg("%g degrees, %u joints, %u misplaced", gap.degrees, gap.joints, gap.misplaced);
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* All points of each part are in one plane, so that its affine motion is not determined, and a reflection fits it as well. */
static void flat_parts_are_not_mirrored(void **state) {
	(void)state;
	enum { WIDTH = 9, HEIGHT = 5, FLAT = WIDTH * HEIGHT, OPENED = 12 };
	double rest[3 * FLAT];
	static float posed[OPENED * 3 * FLAT];
	for (uint32_t i = 0; i < FLAT; i++) {
		const uint32_t column = i % WIDTH, row = i / WIDTH;
		const double x = column / 4.0 - 1;
		memcpy(rest + (size_t)3 * i, (double[]){x, row / 4.0, 0}, 3 * sizeof *rest);
		for (uint32_t f = 0; f < OPENED; f++) {
			const double angle = x > 0 ? 0.2 * f : 0;
			float *p = posed + (size_t)3 * (f * FLAT + i);
			p[0] = (float)(x * cos(angle));
			p[1] = (float)rest[3 * i + 1];
			p[2] = (float)(x * sin(angle));
		}
	}
	snw_scene *flat = sequence_scene(FLAT, rest, 0, (uint32_t[1]){0}, (uint32_t[1]){0}, OPENED, posed);
	snw_scene *fitted = must_follow(flat, write_file("1 -1 0.5 0\n2 0 0.5 0\n3 1 0.5 0\n#\n1 2 still\n2 3 lid\n"));
	assert_true(distances_to(&fitted->targets[0], fitted, NULL).rms < 1e-5);
	snw_scene_destroy(fitted);
	snw_scene_destroy(flat);
}

/* ---- untrusted files ----------------------------------------------------------------------------------------------------- */

static const struct bad_file {
	const char *text, *words;
} bad_files[] = {
	{"", "has no bones"},
	{"1 0 0 0\n#\n", "has no bones"},
	{"1 0 0\n", "line 1: expected a joint"},
	{"1 0 0 nan\n", "line 1: expected a joint"},
	{"1 0 0 1e300\n", "line 1: expected a joint"},
	{"-1 0 0 0\n", "line 1: expected a joint"},
	{"99999999999999999999 0 0 0\n", "line 1: expected a joint"},
	{"1 0 0 0\n\n1 1 0 0\n", "line 3: another joint has this number"},
	{"1 0 0 0\n2 1 0 0\n#\n1 3\n", "line 4: no joint has the number"},
	{"1 0 0 0\n2 1 0 0\n#\n1\n", "line 4: expected a bone"},
	{"1 0 0 0\n2 1 0 0\n#\n1 2 root\n", "line 4: the bone's name is taken"},
	{"1 0 0 0\n2 1 0 0\n3 2 0 0\n#\n1 2 a\n2 3 a\n", "line 6: the bone's name is taken"},
	{"1 0 0 0\n2 1 0 0\n#\n1 2 a\033[31m\n", "line 4: the bone's name has a control character"},
	{"1 0 0 0\n2 1 0 0\n3 2 0 0\n#\n1 3\n2 3\n", "joint 3 ends two bones"},
	{"1 0 0 0\n2 1 0 0\n#\n1 2\n2 1\n", "circle of bones"},
	{"1 0 0 0\n#\n1 1\n", "circle of bones"},
	{"1 0 0 0\n2 1 0 0\n3 0 0 0\n4 1 0 0\n#\n1 2\n3 4\n", "joint 3 is a second beginning"},
	{"1 0 0 0\n2 900 0 0\n#\n1 2\n", "joint 2 is far from the mesh"},
	{"1 0 0 0\n2 1 0 0\n#\n1 2 0 1 0\n", "has no bones"},
};

static void expect_refused(const snw_scene *scene, const char *path, const char *words) {
	char setting[200];
	snw_setting settings[8];
	snw_error error;
	snprintf(setting, sizeof setting, "drawing=%s", path);
	const uint32_t count = settings_of("motion-skeleton", setting, settings);
	assert_null(fitting_try(scene, registry, "motion-skeleton", count, settings, &error));
	if (!strstr(error.text, words)) {
		fail_msg("'%s' was expected in: %s", words, error.text);
	}
}

static void bad_drawings_are_refused_by_line_or_joint(void **state) {
	(void)state;
	known_skeleton known = make_random(1, 0);
	for (size_t k = 0; k < sizeof bad_files / sizeof *bad_files; k++) {
		expect_refused(known.scene, write_file(bad_files[k].text), bad_files[k].words);
	}
	static char text[40000];
	memset(text, '1', 1500);
	expect_refused(known.scene, write_file(text), "line 1: the line is too long");
	size_t used = 0;
	for (int j = 0; j < 1001; j++) {
		used += (size_t)snprintf(text + used, sizeof text - used, "%d 0 0 0\n", j);
	}
	expect_refused(known.scene, write_file(text), "line 1001: too many joints");
	used = 0;
	for (int j = 0; j < 130; j++) {
		used += (size_t)snprintf(text + used, sizeof text - used, "%d %g 0 0\n", j, j / 100.0);
	}
	used += (size_t)snprintf(text + used, sizeof text - used, "#\n");
	for (int j = 0; j < 129; j++) {
		used += (size_t)snprintf(text + used, sizeof text - used, "%d %d\n", j, j + 1);
	}
	expect_refused(known.scene, write_file(text), "line 260: too many bones");
	known_drop(&known);
}

static void bone_that_is_nearest_to_nothing_is_named(void **state) {
	(void)state;
	known_skeleton known = make_random(1, 0);
	expect_refused(known.scene, write_file("1 0 0 0\n2 1 0 0\n3 1 0 5\n4 2 0 5\n#\n1 2 arm\n2 3 bridge\n3 4 far\n"),
				   "bone bridge");
	known_drop(&known);
}

static void fit_stops_while_drawn_bones_are_measured(void **state) {
	(void)state;
	known_skeleton known = make_random(1, 0);
	char setting[200];
	snprintf(setting, sizeof setting, "drawing=%s", draw(&known, 0, "", 0));
	must_stop_at(known.scene, "motion-skeleton", setting, "measuring drawn bones");
	known_drop(&known);
}

static void decimal_points_are_read_in_any_locale(void **state) {
	(void)state;
	check_comma_locale();
	setlocale(LC_NUMERIC, "C");
	known_skeleton known = make_random(1, 0);
	const char *path = draw(&known, 0, "", 0);
	snw_scene *usual = must_follow(known.scene, path);
	setlocale(LC_NUMERIC, "comma");
	snw_scene *comma = must_follow(known.scene, path);
	setlocale(LC_NUMERIC, "C");
	assert_memory_equal(usual->skeleton.rest_global, comma->skeleton.rest_global,
						(BONES + 1) * 12 * sizeof *usual->skeleton.rest_global);
	snw_scene_destroy(comma);
	snw_scene_destroy(usual);
	known_drop(&known);
}

/* ---- real data with a known skeleton ------------------------------------------------------------------------------------- */

static skeleton_gap follow(const char *name, uint32_t frames) {
	known_skeleton known = read_known(name, frames);
	char path[100];
	snprintf(path, sizeof path, "%s/skeleton.tgf", name);
	snw_scene *fitted = must_follow(known.scene, check_data(path));
	const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
	print_message("%s: rotations %.3g degrees on average, at most %.3g; %u joints %.3g %% on average, at most %.3g; "
				  "%u misplaced\n",
				  name, gap.mean_degrees, gap.degrees, gap.joints, gap.mean_percent, gap.percent, gap.misplaced);
	snw_scene_destroy(fitted);
	known_drop(&known);
	return gap;
}

static void wolf_follows_its_drawing(void **state) {
	(void)state;
	const skeleton_gap gap = follow("wolf", 21);
	assert_int_equal(gap.misplaced, 0);
	assert_true(gap.mean_degrees < 1 && gap.degrees < 3.5);
	assert_true(gap.mean_percent < 1 && gap.percent < 3.5);
	print_message("wolf: %u bones with parts, rotations within %.3g degrees, joints between them within %.3g %%\n", gap.parts,
				  gap.part_degrees, gap.part_percent);
	assert_int_equal(gap.parts, 16);
	assert_true(gap.part_degrees < 1 && gap.part_percent < 2);
}

static void cylinder_follows_its_drawing(void **state) {
	(void)state;
	const skeleton_gap gap = follow("cylinder", 4);
	assert_int_equal(gap.misplaced, 0);
	assert_true(gap.degrees < 0.1 && gap.percent < 0.1);
}

TEST_GROUP(drawn_skeleton) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(true_joints_are_found_near_the_drawn_ones),
		cmocka_unit_test(bones_have_the_names_and_parents_of_the_drawing),
		cmocka_unit_test(names_may_begin_with_digits),
		cmocka_unit_test(names_of_an_earlier_result_may_be_drawn),
		cmocka_unit_test(masks_say_which_points_a_bone_moves),
		cmocka_unit_test(flat_parts_are_not_mirrored),
		cmocka_unit_test(bad_drawings_are_refused_by_line_or_joint),
		cmocka_unit_test(bone_that_is_nearest_to_nothing_is_named),
		cmocka_unit_test(fit_stops_while_drawn_bones_are_measured),
		cmocka_unit_test(decimal_points_are_read_in_any_locale),
		cmocka_unit_test(wolf_follows_its_drawing),
		cmocka_unit_test(cylinder_follows_its_drawing),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
