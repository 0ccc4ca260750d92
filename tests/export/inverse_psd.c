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

/* The rotation vector from turn a to turn b, the shorter way or on the double cover. */
static void vector_between(const double a[3], const double b[3], bool unwound, double u[3]) {
	double p[4], q[4];
	turn_to_quaternion(a, p);
	turn_to_quaternion(b, q);
	const double s = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
	const double v[3] = {p[3] * q[0] - q[3] * p[0] - (p[1] * q[2] - p[2] * q[1]),
						 p[3] * q[1] - q[3] * p[1] - (p[2] * q[0] - p[0] * q[2]),
						 p[3] * q[2] - q[3] * p[2] - (p[0] * q[1] - p[1] * q[0])};
	const double sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	const double angle = 2 * atan2(sine, unwound ? s : fabs(s)), sign = !unwound && s < 0 ? -1 : 1;
	for (int i = 0; i < 3; i++) {
		u[i] = sine > 0 ? sign * angle * v[i] / sine : 0;
	}
}

static double gain_at(const cJSON *group, const char *key, int joint) {
	return number_at(cJSON_GetObjectItem(group, key), joint);
}

/* A joint's turn and place away from another, as nine numbers whose squares sum to the squared distance. */
static void joint_coordinates(const cJSON *group, int j, double turns[2][3], double places[2][6], double x[9]) {
	const cJSON *axis = cJSON_GetArrayItem(cJSON_GetObjectItem(group, "axes"), j);
	const double swing = gain_at(group, "swing", j), twist = gain_at(group, "twist", j);
	double u[3], along = 0;
	vector_between(turns[0], turns[1], cJSON_IsTrue(cJSON_GetArrayItem(cJSON_GetObjectItem(group, "unwound"), j)), u);
	for (int i = 0; i < 3; i++) {
		along += u[i] * number_at(axis, i);
	}
	for (int i = 0; i < 3; i++) {
		x[i] = swing * u[i] + (twist - swing) * along * number_at(axis, i);
		x[3 + i] = gain_at(group, "translation", j) * (places[1][i] - places[0][i]);
		x[6 + i] = gain_at(group, "scale", j) * (log(fabs(places[1][3 + i])) - log(fabs(places[0][3 + i])));
	}
}

static double kernel_at(const cJSON *group, double r) {
	const char *kernel = cJSON_GetStringValue(cJSON_GetObjectItem(group, "kernel"));
	const double ratio = r / cJSON_GetObjectItem(group, "width")->valuedouble;
	return strcmp(kernel, "gaussian") == 0     ? exp(-ratio * ratio)
		   : strcmp(kernel, "linear") == 0     ? -r
		   : strcmp(kernel, "thin-plate") == 0 ? (ratio > 0 ? ratio * ratio * log(ratio) : 0)
											   : 1 / sqrt(1 + ratio * ratio);
}

/* What is at a joint in the pose; and at rest, from where coordinates count. */
static void joint_at(const snw_pose *pose, uint32_t joint, double turn[3], double place[6]) {
	for (size_t i = 0; i < 3; i++) {
		turn[i] = pose->turns[3 * (size_t)joint + i];
		place[i] = pose->local[joint].translation[i];
		place[3 + i] = pose->local[joint].scale[i];
	}
}

static double coefficient(const fixture *f, const cJSON *group, int k, const snw_pose *pose) {
	const cJSON *joints = cJSON_GetObjectItem(group, "joints"), *examples = cJSON_GetObjectItem(group, "examples");
	const cJSON *places = cJSON_GetObjectItem(group, "places");
	const cJSON *weights = cJSON_GetArrayItem(cJSON_GetObjectItem(group, "weights"), k);
	const cJSON *slopes = cJSON_GetArrayItem(cJSON_GetObjectItem(group, "slopes"), k);
	double sum = number_at(cJSON_GetObjectItem(group, "constants"), k), x[9], turns[2][3] = {{0}}, spots[2][6];
	for (int c = 0; c <= cJSON_GetArraySize(examples); c++) {
		const bool is_slope = c == cJSON_GetArraySize(examples);
		double square = 0;
		for (int j = 0; j < cJSON_GetArraySize(joints); j++) {
			const uint32_t joint = snw_scene_find_joint(f->scene, cJSON_GetStringValue(cJSON_GetArrayItem(joints, j)));
			joint_at(pose, joint, turns[1], spots[1]);
			for (int i = 0; i < 6; i++) {
				turns[0][i % 3] = is_slope ? 0 : number_at(cJSON_GetArrayItem(examples, c), 3 * j + i % 3);
				const int scales = i / 3; /* 0 for translations, 1 for scales: where a joint at rest stands */
				spots[0][i] = is_slope ? scales : number_at(cJSON_GetArrayItem(places, c), 6 * j + i);
			}
			joint_coordinates(group, j, turns, spots, x);
			for (int i = 0; i < 9; i++) {
				square += x[i] * x[i];
				sum += is_slope && cJSON_GetArraySize(slopes) > 0 ? number_at(slopes, 9 * j + i) * x[i] : 0;
			}
		}
		sum += is_slope ? 0 : number_at(weights, c) * kernel_at(group, sqrt(square));
	}
	return cJSON_IsTrue(cJSON_GetObjectItem(group, "clamp")) ? fmin(fmax(sum, 0), 1) : sum;
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
	assert_int_equal(cJSON_GetObjectItem(space, "version")->valueint, 2);
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
