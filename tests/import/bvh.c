/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * BVH: what its words mean, and what is refused, each in one line.
 */
#include "check.h"
#include "import/import.h"
#include "mutate.h"
#include "pose/pose.h"
#include "random.h"
#include "sinew/algebra.h"

#define ROOT_LINES                                                                                                             \
	"HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
#define LEG_LINES                                                                                                              \
	"\tJOINT Left Leg {\n\t\tOFFSET 1 -2 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET "  \
	"0 "                                                                                                                       \
	"-3 0\n\t\t}\n\t}\n}\n"
#define MOTION_LINES "MOTION\nFrames: 2\nFrame Time: 0.5\n"
#define FRAME_LINES "0 5 0 0 0 0 0 0 0\r\n2 6 1 90 0 0 0 90 90\r\n"

static snw_status read_with(const char *text, bool is_motion, const snw_task *task, snw_scene **scene, snw_error *error) {
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch("walk.bvh"));
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	const snw_import_request request = {.file = path, .is_motion = is_motion};
	*scene = NULL;
	return snw_import(&request, task, scene, error);
}

static snw_status read_text(const char *text, bool is_motion, snw_scene **scene, snw_error *error) {
	return read_with(text, is_motion, NULL, scene, error);
}

static void keep_line(void *line, snw_log_level level, const char *notice) {
	(void)level;
	snprintf(line, 300, "%s", notice);
}

/* Also what is told, into 300 characters. */
static snw_status read_with_line(const char *text, char *line, snw_scene **scene, snw_error *error) {
	const snw_task task = {.notice = keep_line, .context = line};
	return read_with(text, true, &task, scene, error);
}

static void check_place(const double *globals, uint32_t joint, double x, double y, double z) {
	assert_true(fabs(globals[12 * joint + 3] - x) < 1e-12);
	assert_true(fabs(globals[12 * joint + 7] - y) < 1e-12);
	assert_true(fabs(globals[12 * joint + 11] - z) < 1e-12);
}

static void joints_channels_and_frames_are_read(void **unused) {
	(void)unused;
	snw_error error = {0};
	snw_scene *scene;
	check_ok(read_text(ROOT_LINES LEG_LINES MOTION_LINES FRAME_LINES, true, &scene, &error), error);
	assert_int_equal(scene->skeleton.joint_count, 2);
	assert_string_equal(scene->skeleton.names[1], "Left Leg");
	assert_string_equal(scene->clips[0].name, "walk");
	assert_true(scene->clips[0].duration_seconds == 0.5);
	check_place(scene->skeleton.rest_global, 0, 0, 5, 0); /* its end is on the ground */
	check_place(scene->skeleton.rest_global, 1, 1, 3, 0);
	double globals[24];
	snw_pose_view view;
	snw_pose_solve(scene, snw_pose_sample(scene, 0, 0.5, scene->arena), globals, NULL, &view);
	check_place(globals, 0, 2, 6, 1);
	check_place(globals, 1, 4, 7, 1); /* 90 degrees about z */
	/* Of the leg first y, then x, then z: 90 degrees about x and y take z to y by way of x. */
	double end[3] = {0, 0, 1};
	snw_mat34_vector(globals + 12, end, end);
	const double expected[3] = {0, 1, 0};
	for (int i = 0; i < 3; i++) {
		assert_true(fabs(end[i] - expected[i]) < 1e-12);
	}
	snw_scene_destroy(scene);
}

/* The channels of a joint may follow the blocks of its children. The numbers of a frame are in the order of CHANNELS. */
static void order_of_channels_is_that_of_the_file(void **unused) {
	(void)unused;
	snw_error error = {0};
	snw_scene *scene;
	check_ok(read_text("HIERARCHY\nROOT Hips\n{\nJOINT Leg\n{\nCHANNELS 1 Zrotation\nOFFSET 1 -2 0\n}\n"
					   "CHANNELS 3 Xposition Yposition Zposition\nOFFSET 0 0 0\n}\n" MOTION_LINES "0 0 0 0\n90 2 6 1\n",
					   true, &scene, &error),
			 error);
	double globals[24];
	snw_pose_view view;
	check_place(scene->skeleton.rest_global, 0, 0, 2, 0);
	snw_pose_solve(scene, snw_pose_sample(scene, 0, 0.5, scene->arena), globals, NULL, &view);
	check_place(globals, 0, 2, 6, 1);
	check_place(globals, 1, 3, 4, 1);
	assert_true(fabs(globals[12 + 4] - 1) < 1e-12); /* x to y */
	snw_scene_destroy(scene);
}

static void joints_without_offsets_are_at_their_parents(void **unused) {
	(void)unused;
	snw_error error = {0};
	snw_scene *scene;
	check_ok(read_text("HIERARCHY\nROOT Hips\n{\nCHANNELS 1 Zrotation\n}\n" MOTION_LINES "0\n90\n", true, &scene, &error),
			 error);
	check_place(scene->skeleton.rest_global, 0, 0, 0, 0);
	snw_scene_destroy(scene);
}

static void blocks_on_one_line_are_read(void **unused) {
	(void)unused;
	snw_error error = {0};
	snw_scene *scene;
	check_ok(read_text("HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 1 Zrotation JOINT Left Leg {OFFSET 1 -2 0 CHANNELS 1 "
					   "Xrotation End Site { OFFSET 0 -3 0 } } }\n" MOTION_LINES "0 0\n90 0\n",
					   true, &scene, &error),
			 error);
	assert_string_equal(scene->skeleton.names[0], "Hips");
	assert_string_equal(scene->skeleton.names[1], "Left Leg");
	check_place(scene->skeleton.rest_global, 0, 0, 5, 0);
	check_place(scene->skeleton.rest_global, 1, 1, 3, 0);
	snw_scene_destroy(scene);
}

/* A byte order mark, numbers right behind colons, an end without channels, and frames beyond those announced. */
static void styles_of_other_programs_are_read(void **unused) {
	(void)unused;
	static char line[300];
	snw_error error = {0};
	snw_scene *scene;
	check_ok(read_text("\xef\xbb\xbfHIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 -3 0\n"
					   "CHANNELS 0\n}\n}\nMOTION\nFrames:2\nFrame Time:0.5\n0\n90\n",
					   true, &scene, &error),
			 error);
	check_place(scene->skeleton.rest_global, 0, 0, 3, 0);
	assert_true(scene->clips[0].duration_seconds == 0.5);
	snw_scene_destroy(scene);
	check_ok(read_with_line(ROOT_LINES LEG_LINES MOTION_LINES FRAME_LINES "0 5 0 0 0 0 0 0 0\n", line, &scene, &error), error);
	assert_string_equal(line, "walk.bvh: 'Frames:' is 2; what follows from line 20 on is left out");
	assert_true(scene->clips[0].duration_seconds == 0.5);
	snw_scene_destroy(scene);
}

static void utf_16_is_called_that(void **unused) {
	(void)unused;
	snw_scene *scene;
	snw_error error = {0};
	assert_int_equal(read_text("\xff\xfeH", true, &scene, &error), SNW_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error.text, "is UTF-16 text, which is not read; save it as UTF-8"));
}

static void malformed_is_refused_in_one_line(void **unused) {
	(void)unused;
	static const struct {
		const char *text, *part;
	} cases[] = {
		{"HIERARCHY\n", "no 'MOTION'"},
		{"HIERARCHY\nMOTION\nFrames: 1\n", "no joints"},
		{ROOT_LINES "\tJOINT a\n", "expected '{'"},
		{ROOT_LINES "\tCHANNELS 3 Xrotation Yrotation Zrotation\n", "one list of at most 6 channels"},
		{"HIERARCHY\nROOT a {\nCHANNELS 1 Wrotation\n", "unknown channel 'Wrotation'"},
		{"HIERARCHY\nROOT a {\nOFFSET 0 x 0\n", "line 3: expected a number"},
		{ROOT_LINES "}\n}\n", "unexpected '}'"},
		{ROOT_LINES "}\nMOTION\nFrames: 0\nFrame Time: 0.1\n", "whole number from 1 on"},
		{ROOT_LINES "}\nMOTION\nFrames: 1\nFrame Time: 0\n0 0 0 0 0 0", "more than 0"},
		{ROOT_LINES "}\nMOTION\nFrames: 1000000000\nFrame Time: 0.1\n0 0 0 0 0 0", "shorter than that"},
		{ROOT_LINES "}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0.00 0.00 0.00 0.00 0.00 0.00\n1 2 3", "frame 1 of 2 is not whole"},
		{ROOT_LINES "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 nan 0 0", "frame 0 of 1 is not whole"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snw_scene *scene;
		snw_error error = {0};
		assert_int_equal(read_text(cases[i].text, true, &scene, &error), SNW_ERROR_DATA);
		if (!strstr(error.text, cases[i].part) || strchr(error.text, '\n')) {
			fail_msg("'%s' does not say '%s'", error.text, cases[i].part);
		}
	}
}

static void import_as_a_character_says_what_to_do(void **unused) {
	(void)unused;
	snw_scene *scene;
	snw_error error = {0};
	assert_int_equal(read_text(ROOT_LINES LEG_LINES MOTION_LINES FRAME_LINES, false, &scene, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "has clips but no mesh; 'sinew clip CHARACTER.sinew add "));
}

static void damaged_is_read_or_refused(void **unused) {
	(void)unused;
	const char *text = ROOT_LINES LEG_LINES MOTION_LINES FRAME_LINES;
	const uint64_t seed = random_seed();
	for (uint64_t i = 0; i < 300; i++) {
		size_t count = 0;
		unsigned char *damaged = mutate_copy((const unsigned char *)text, strlen(text), seed + i, &count);
		char *words = calloc(count + 1, 1);
		assert_non_null(words);
		memcpy(words, damaged, count);
		snw_scene *scene;
		snw_error error = {0};
		const snw_status status = read_text(words, true, &scene, &error);
		if (status != SNW_OK && (status > 0 || !error.text[0] || strchr(error.text, '\n'))) {
			fail_msg("seed %llu: status %d with '%s'", (unsigned long long)(seed + i), status, error.text);
		}
		snw_scene_destroy(scene);
		free(words);
		free(damaged);
	}
}

TEST_GROUP(bvh) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_channels_and_frames_are_read),
		cmocka_unit_test(order_of_channels_is_that_of_the_file),
		cmocka_unit_test(joints_without_offsets_are_at_their_parents),
		cmocka_unit_test(blocks_on_one_line_are_read),
		cmocka_unit_test(styles_of_other_programs_are_read),
		cmocka_unit_test(utf_16_is_called_that),
		cmocka_unit_test(malformed_is_refused_in_one_line),
		cmocka_unit_test(import_as_a_character_says_what_to_do),
		cmocka_unit_test(damaged_is_read_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
