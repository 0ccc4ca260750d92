/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worked example of docs/pose-space.md: its JSON, evaluated by a reader written from the page alone, gives the
 * coefficients of its table.
 */
#include "check.h"
#include "pose_space.h"

static cJSON *example_of(const char *page) {
	const char *begin = strstr(page, "```json\n");
	assert_non_null(begin);
	cJSON *example = cJSON_Parse(begin + strlen("```json\n"));
	assert_non_null(example);
	return example;
}

/* The coefficient of the only target where the only joint has this rotation vector. */
static double coefficient_at(const cJSON *group, double rotation_vector[3]) {
	const char *names[] = {"lower_arm"};
	snw_scene scene = {.skeleton = {.joint_count = 1, .names = names}};
	snw_transform local = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	const snw_pose pose = {.local = &local, .rotation_vectors = rotation_vector};
	return pose_space_coefficient(&scene, group, 0, &pose);
}

static void page_example_names_its_format(void **state) {
	(void)state;
	char page[POSE_SPACE_PAGE_BYTES];
	read_pose_space_page(page);
	cJSON *example = example_of(page);
	const cJSON *space = cJSON_GetObjectItem(example, "poseSpace");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(space, "format")), "org.sinew.pose-space");
	assert_int_equal(cJSON_GetObjectItem(space, "version")->valueint, 2);
	cJSON_Delete(example);
}

static void page_example_gives_the_coefficients_of_its_table(void **state) {
	(void)state;
	char page[POSE_SPACE_PAGE_BYTES];
	read_pose_space_page(page);
	cJSON *example = example_of(page);
	const cJSON *group = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(example, "poseSpace"), "groups"), 0);
	const char *row = strstr(page, "| rotation vector |");
	int rows = 0;
	assert_non_null(row);
	for (; *row == '|'; row = strchr(row, '\n') + 1) {
		double rotation_vector[3], expected;
		if (sscanf(row, "| %lf, %lf, %lf | %*f, %*f | %lf", &rotation_vector[0], &rotation_vector[1], &rotation_vector[2],
				   &expected) == 4) {
			check_near(coefficient_at(group, rotation_vector), expected, 2e-6);
			rows++;
		}
	}
	assert_int_equal(rows, 4);
	cJSON_Delete(example);
}

TEST_GROUP(pose_space_page) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_example_names_its_format),
		cmocka_unit_test(page_example_gives_the_coefficients_of_its_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
