/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reader of pose spaces, as an engine would have: coefficients from the JSON and a pose, by docs/pose-space.md alone.
 */
#ifndef SINEW_TESTS_POSE_SPACE_H
#define SINEW_TESTS_POSE_SPACE_H

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "scene/scene.h"

#ifdef TEST_DOCS
enum { POSE_SPACE_PAGE_BYTES = 1 << 16 };

/* The page that defines the format. */
static inline void read_pose_space_page(char text[POSE_SPACE_PAGE_BYTES]) {
	FILE *file = fopen(TEST_DOCS "/pose-space.md", "rb");
	assert_non_null(file);
	const size_t count = fread(text, 1, POSE_SPACE_PAGE_BYTES - 1, file);
	text[count] = 0;
	assert_int_equal(fclose(file), 0);
}
#endif

static inline double number_at(const cJSON *array, int index) {
	return cJSON_GetArrayItem(array, index)->valuedouble;
}

static inline void rotation_vector_to_quaternion(const double v[3], double q[4]) {
	const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int c = 0; c < 3; c++) {
		q[c] = angle > 0 ? v[c] / angle * sin(angle / 2) : 0;
	}
	q[3] = cos(angle / 2);
}

/* The rotation vector from rotation a to rotation b, the shorter way or on the double cover. */
static inline void vector_between(const double a[3], const double b[3], bool unwound, double u[3]) {
	double p[4], q[4];
	rotation_vector_to_quaternion(a, p);
	rotation_vector_to_quaternion(b, q);
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

static inline double log_of_scale(double scale) {
	return log(fmax(fabs(scale), 1e-9));
}

static inline double gain_at(const cJSON *group, const char *key, int joint) {
	return number_at(cJSON_GetObjectItem(group, key), joint);
}

/* A joint's rotation and place away from another, as nine numbers whose squares sum to the squared distance. */
static inline void joint_coordinates(const cJSON *group, int j, double vectors[2][3], double places[2][6], double x[9]) {
	const cJSON *axis = cJSON_GetArrayItem(cJSON_GetObjectItem(group, "axes"), j);
	const double swing = gain_at(group, "swing", j), twist = gain_at(group, "twist", j);
	double u[3], along = 0;
	const bool is_unwound = cJSON_IsTrue(cJSON_GetArrayItem(cJSON_GetObjectItem(group, "unwound"), j));
	vector_between(vectors[0], vectors[1], is_unwound, u);
	if (is_unwound && vectors[0][0] == 0 && vectors[0][1] == 0 && vectors[0][2] == 0) {
		memcpy(u, vectors[1], sizeof u); /* the way from rest */
	}
	for (int i = 0; i < 3; i++) {
		along += u[i] * number_at(axis, i);
	}
	for (int i = 0; i < 3; i++) {
		x[i] = swing * u[i] + (twist - swing) * along * number_at(axis, i);
		x[3 + i] = gain_at(group, "translation", j) * (places[1][i] - places[0][i]);
		x[6 + i] = gain_at(group, "scale", j) * (log_of_scale(places[1][3 + i]) - log_of_scale(places[0][3 + i]));
	}
}

static inline double kernel_at(const cJSON *group, double r) {
	const char *kernel = cJSON_GetStringValue(cJSON_GetObjectItem(group, "kernel"));
	const double ratio = r / cJSON_GetObjectItem(group, "width")->valuedouble;
	return strcmp(kernel, "gaussian") == 0     ? exp(-ratio * ratio)
		   : strcmp(kernel, "linear") == 0     ? -r
		   : strcmp(kernel, "thin-plate") == 0 ? (ratio > 0 ? ratio * ratio * log(ratio) : 0)
											   : 1 / sqrt(1 + ratio * ratio);
}

/* The cone of a centre, from the pose's and the centre's coordinates away from rest. */
static inline double cone_at(const cJSON *group, int count, const double *x, const double *c) {
	const double width = cJSON_GetObjectItem(group, "width")->valuedouble;
	double xx = 0, cc = 0, xc = 0;
	for (int i = 0; i < count; i++) {
		xx += x[i] * x[i];
		cc += c[i] * c[i];
		xc += x[i] * c[i];
	}
	return xx > 0 && cc > 0 ? pow(fmin(sqrt(xx), sqrt(cc)), 1.5) * exp((xc / sqrt(xx * cc) - 1) / (width * width)) : 0;
}

enum { POSE_SPACE_JOINTS = 16 };

/* Coordinates away from rest: of the pose, or of centre c if `pose` is NULL. */
static inline void coordinates_from_rest(const snw_scene *scene, const cJSON *group, int c, const snw_pose *pose, double *x) {
	const cJSON *joints = cJSON_GetObjectItem(group, "joints"), *examples = cJSON_GetObjectItem(group, "examples");
	const cJSON *places = cJSON_GetObjectItem(group, "places");
	const int rest = cJSON_GetArraySize(cJSON_GetObjectItem(group, "targets"));
	for (int j = 0; j < cJSON_GetArraySize(joints); j++) {
		const uint32_t joint = snw_scene_find_joint(scene, cJSON_GetStringValue(cJSON_GetArrayItem(joints, j)));
		double vectors[2][3] = {{0}}, spots[2][6];
		for (int i = 0; i < 6; i++) {
			vectors[1][i % 3] = pose ? pose->rotation_vectors[3 * (size_t)joint + (size_t)(i % 3)]
									 : number_at(cJSON_GetArrayItem(examples, c), 3 * j + i % 3);
			spots[0][i] = number_at(cJSON_GetArrayItem(places, rest), 6 * j + i);
			spots[1][i] = !pose   ? number_at(cJSON_GetArrayItem(places, c), 6 * j + i)
						  : i < 3 ? pose->local[joint].translation[i]
								  : pose->local[joint].scale[i - 3];
		}
		joint_coordinates(group, j, vectors, spots, x + 9 * j);
	}
}

/* Target k of a group at a pose. */
static inline double pose_space_coefficient(const snw_scene *scene, const cJSON *group, int k, const snw_pose *pose) {
	const cJSON *joints = cJSON_GetObjectItem(group, "joints"), *examples = cJSON_GetObjectItem(group, "examples");
	const cJSON *places = cJSON_GetObjectItem(group, "places");
	const cJSON *weights = cJSON_GetArrayItem(cJSON_GetObjectItem(group, "weights"), k);
	const cJSON *slopes = cJSON_GetArrayItem(cJSON_GetObjectItem(group, "slopes"), k);
	double sum = number_at(cJSON_GetObjectItem(group, "constants"), k), x[9], vectors[2][3] = {{0}}, spots[2][6];
	const bool is_cone = strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(group, "kernel")), "cone") == 0;
	double way[9 * POSE_SPACE_JOINTS], centre_way[9 * POSE_SPACE_JOINTS];
	assert_true(cJSON_GetArraySize(joints) <= POSE_SPACE_JOINTS);
	if (is_cone && cJSON_GetArraySize(examples) > 0) {
		coordinates_from_rest(scene, group, 0, pose, way);
	}
	for (int c = 0; c <= cJSON_GetArraySize(examples); c++) {
		const bool is_slope = c == cJSON_GetArraySize(examples);
		double square = 0;
		for (int j = 0; j < cJSON_GetArraySize(joints); j++) {
			const uint32_t joint = snw_scene_find_joint(scene, cJSON_GetStringValue(cJSON_GetArrayItem(joints, j)));
			for (int i = 0; i < 6; i++) {
				const snw_transform *local = &pose->local[joint];
				vectors[1][i % 3] = pose->rotation_vectors[3 * (size_t)joint + (size_t)(i % 3)];
				spots[1][i] = i < 3 ? local->translation[i] : local->scale[i - 3];
				vectors[0][i % 3] = is_slope ? 0 : number_at(cJSON_GetArrayItem(examples, c), 3 * j + i % 3);
				const int scales = i / 3; /* 0 for translations, 1 for scales: where a joint at rest stands */
				spots[0][i] = is_slope ? scales : number_at(cJSON_GetArrayItem(places, c), 6 * j + i);
			}
			joint_coordinates(group, j, vectors, spots, x);
			for (int i = 0; i < 9; i++) {
				square += x[i] * x[i];
				sum += is_slope && cJSON_GetArraySize(slopes) > 0 ? number_at(slopes, 9 * j + i) * x[i] : 0;
			}
		}
		if (is_cone && !is_slope) {
			coordinates_from_rest(scene, group, c, NULL, centre_way);
			sum += number_at(weights, c) * cone_at(group, 9 * cJSON_GetArraySize(joints), way, centre_way);
		} else if (!is_slope) {
			sum += number_at(weights, c) * kernel_at(group, sqrt(square));
		}
	}
	return cJSON_IsTrue(cJSON_GetObjectItem(group, "clamp")) ? fmin(fmax(sum, 0), 1) : sum;
}

#endif
