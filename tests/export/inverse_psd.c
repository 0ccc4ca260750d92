/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last step of the main workflow: an arm with its sculpts learned by inverse PSD, exported as glTF. The baked weights
 * give the stack's result, and the pose space in the extras gives the same weights when evaluated live.
 */
#include "fixture.h"

#include "pose_space.h"

static void the_fitted_arm_plays_as_the_stack_does(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = fitted_arm();
	check_ok(export_to(&f, place("fitted.glb"), 4, NULL, &error), error);
	const double worst = compare(&f, 40);
	print_message(
		"fitted arm: %u morph targets, %u folded; %.2g of the diagonal from the truth; the report: %.2g %%, folded %.2g %%\n",
		f.report.morph_count, f.report.folded_count, worst, f.report.playback_max_percent, f.report.folded_max_percent);
	assert_int_equal(f.report.morph_count, f.scene->example_count);
	check_near(worst, 0, 1e-4);
	check_near(f.report.playback_max_percent, 0, 1e-2);
	end(&f);
}

/* ---- the pose space, as an engine reads it ------------------------------------------------------------------------------ */

static int find_text(const cJSON *array, const char *text) {
	for (int i = 0; i < cJSON_GetArraySize(array); i++) {
		if (strcmp(cJSON_GetStringValue(cJSON_GetArrayItem(array, i)), text) == 0) {
			return i;
		}
	}
	return -1;
}

/* The largest difference between the weights from the pose space and those in the file, over all targets. */
static double compare_weights(const fixture *f, const player *p, const snw_pose *pose, int *compared) {
	const cJSON *extras = cJSON_GetObjectItem(player_list(p, "nodes", player_node_of_mesh(p, 0)), "extras"), *group;
	const cJSON *space = cJSON_GetObjectItem(cJSON_GetObjectItem(extras, "sinew"), "poseSpace");
	const cJSON *names = cJSON_GetObjectItem(cJSON_GetObjectItem(player_list(p, "meshes", 0), "extras"), "targetNames");
	double worst = 0;
	assert_int_equal(cJSON_GetObjectItem(space, "version")->valueint, 2);
	cJSON_ArrayForEach(group, cJSON_GetObjectItem(space, "groups")) {
		const cJSON *targets = cJSON_GetObjectItem(group, "targets");
		for (int k = 0; k < cJSON_GetArraySize(targets); k++) {
			const int t = find_text(names, cJSON_GetStringValue(cJSON_GetArrayItem(targets, k)));
			assert_true(t >= 0);
			worst =
				fmax(worst, fabs(pose_space_coefficient(f->scene, group, k, pose) - p->weights[player_node_of_mesh(p, 0)][t]));
			++*compared;
		}
	}
	return worst;
}

static void the_pose_space_in_extras_gives_the_baked_weights(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = fitted_arm();
	check_ok(export_to(&f, check_scratch("space.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	double worst = 0;
	int compared = 0;
	for (uint32_t c = 0; c < f.scene->clip_count; c++) {
		for (int i = 0; i < 25; i++) {
			const double seconds = f.scene->clips[c].duration_seconds * (i + 0.37) / 25;
			player_pose(p, (int)c, seconds);
			worst = fmax(worst, compare_weights(&f, p, snw_pose_sample(f.scene, c, seconds, f.scene->arena), &compared));
		}
	}
	assert_int_equal(compared, 25 * f.scene->clip_count * f.report.morph_count);
	check_near(worst, 0, 1e-3);
	player_close(p);
	end(&f);
}

TEST_GROUP(inverse_psd) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fitted_arm_plays_as_the_stack_does),
		cmocka_unit_test(the_pose_space_in_extras_gives_the_baked_weights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
