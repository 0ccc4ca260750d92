/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main job's last step: an arm with its sculpts learned by inverse PSD, out to glTF. The baked weights play as the stack does,
 * and the pose space in the extras says the same to an engine that evaluates it live.
 */
#include "fixture.h"

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

static double number_at(const cJSON *array, int index) {
	return cJSON_GetArrayItem(array, index)->valuedouble;
}

static void turn_to_quaternion(const double turn[3], double q[4]) {
	const double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
	for (int c = 0; c < 3; c++) {
		q[c] = angle > 0 ? turn[c] / angle * sin(angle / 2) : 0;
	}
	q[3] = cos(angle / 2);
}

static double angle_between(const double a[3], const double b[3], bool unwound) {
	double p[4], q[4];
	turn_to_quaternion(a, q);
	turn_to_quaternion(b, p);
	const double s = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
	const double v[3] = {p[3] * q[0] - q[3] * p[0] - (p[1] * q[2] - p[2] * q[1]),
						 p[3] * q[1] - q[3] * p[1] - (p[2] * q[0] - p[0] * q[2]),
						 p[3] * q[2] - q[3] * p[2] - (p[0] * q[1] - p[1] * q[0])};
	return 2 * atan2(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), unwound ? s : fabs(s));
}

static double coefficient(const fixture *f, const cJSON *group, int k, const snw_pose *pose) {
	const cJSON *joints = cJSON_GetObjectItem(group, "joints"), *examples = cJSON_GetObjectItem(group, "examples");
	const cJSON *weights = cJSON_GetArrayItem(cJSON_GetObjectItem(group, "weights"), k);
	const bool gaussian = strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(group, "kernel")), "gaussian") == 0;
	const double width = cJSON_GetObjectItem(group, "width")->valuedouble;
	double sum = number_at(cJSON_GetObjectItem(group, "constants"), k);
	for (int c = 0; c < cJSON_GetArraySize(examples); c++) {
		double square = 0;
		for (int j = 0; j < cJSON_GetArraySize(joints); j++) {
			double centre[3];
			for (int i = 0; i < 3; i++) {
				centre[i] = number_at(cJSON_GetArrayItem(examples, c), 3 * j + i);
			}
			const uint32_t joint = snw_scene_find_joint(f->scene, cJSON_GetStringValue(cJSON_GetArrayItem(joints, j)));
			const bool unwound = cJSON_IsTrue(cJSON_GetArrayItem(cJSON_GetObjectItem(group, "unwound"), j));
			const double angle = angle_between(pose->turns + 3 * (size_t)joint, centre, unwound);
			square += angle * angle;
		}
		sum += number_at(weights, c) * (gaussian ? exp(-square / (width * width)) : -sqrt(square));
	}
	return sum;
}

static int find_text(const cJSON *array, const char *text) {
	for (int i = 0; i < cJSON_GetArraySize(array); i++) {
		if (strcmp(cJSON_GetStringValue(cJSON_GetArrayItem(array, i)), text) == 0) {
			return i;
		}
	}
	return -1;
}

/* The largest gap between the weights that a pose space gives and those that the file plays, over all targets. */
static double compare_weights(const fixture *f, const player *p, const cJSON *extras, const snw_pose *pose, int *compared) {
	const cJSON *space = cJSON_GetObjectItem(cJSON_GetObjectItem(extras, "sinew"), "poseSpace"), *group;
	double worst = 0;
	assert_int_equal(cJSON_GetObjectItem(space, "version")->valueint, 1);
	cJSON_ArrayForEach(group, cJSON_GetObjectItem(space, "groups")) {
		const cJSON *targets = cJSON_GetObjectItem(group, "targets");
		for (int k = 0; k < cJSON_GetArraySize(targets); k++) {
			const int t =
				find_text(cJSON_GetObjectItem(extras, "targetNames"), cJSON_GetStringValue(cJSON_GetArrayItem(targets, k)));
			assert_true(t >= 0);
			worst = fmax(worst, fabs(coefficient(f, group, k, pose) - p->weights[player_node_of_mesh(p, 0)][t]));
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
	const cJSON *extras = cJSON_GetObjectItem(player_list(p, "meshes", 0), "extras");
	double worst = 0;
	int compared = 0;
	for (uint32_t c = 0; c < f.scene->clip_count; c++) {
		for (int i = 0; i < 25; i++) {
			const double seconds = f.scene->clips[c].duration_seconds * (i + 0.37) / 25;
			player_pose(p, (int)c, seconds);
			worst =
				fmax(worst, compare_weights(&f, p, extras, snw_pose_sample(f.scene, c, seconds, f.scene->arena), &compared));
		}
	}
	assert_int_equal(compared, 25 * f.scene->clip_count * f.report.morph_count);
	check_near(worst, 0, 1e-3);
	player_close(p);
	end(&f);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fitted_arm_plays_as_the_stack_does),
		cmocka_unit_test(the_pose_space_in_extras_gives_the_baked_weights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
