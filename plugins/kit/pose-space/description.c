/* SPDX-License-Identifier: MIT */
#include "sinew/kit/pose-space/description.h"

#include <stddef.h>

/* Rows of `width` numbers. */
static void write_rows(snk_json *json, const char *key, size_t rows, size_t width, const double *numbers) {
	snk_json_open_array(json, key);
	for (size_t r = 0; r < rows; r++) {
		snk_json_numbers(json, NULL, width, numbers + r * width);
	}
	snk_json_close_array(json);
}

/* One number of each joint's metric, `offset` bytes into it. */
static void write_metrics(snk_json *json, const char *key, const snk_pose_group *group, size_t offset) {
	snk_json_open_array(json, key);
	for (uint32_t j = 0; j < group->joint_count; j++) {
		snk_json_number(json, NULL, *(const double *)((const char *)&group->metrics[j] + offset));
	}
	snk_json_close_array(json);
}

static void write_joints(snk_json *json, const snk_pose_group *group) {
	snk_json_open_array(json, "joints");
	for (uint32_t j = 0; j < group->joint_count; j++) {
		snk_json_text(json, NULL, group->joint_names[group->joints[j]]);
	}
	snk_json_close_array(json);
	snk_json_open_array(json, "unwound");
	for (uint32_t j = 0; j < group->joint_count; j++) {
		snk_json_boolean(json, NULL, group->metrics[j].unwound != 0);
	}
	snk_json_close_array(json);
	snk_json_open_array(json, "axes");
	for (uint32_t j = 0; j < group->joint_count; j++) {
		snk_json_numbers(json, NULL, 3, group->metrics[j].axis);
	}
	snk_json_close_array(json);
	write_metrics(json, "swing", group, offsetof(snk_joint_metric, swing));
	write_metrics(json, "twist", group, offsetof(snk_joint_metric, twist));
	write_metrics(json, "translation", group, offsetof(snk_joint_metric, translation));
	write_metrics(json, "scale", group, offsetof(snk_joint_metric, scale));
}

static void write_kernel(snk_json *json, const snk_pose_group *group) {
	static const char *const kernels[SNK_KERNELS] = {"gaussian", "linear", "thin-plate", "inverse-multiquadric", "cone"};
	static const char *const polynomials[] = {"none", "constant", "linear"};
	snk_json_text(json, "kernel", kernels[group->kernel]);
	snk_json_number(json, "width", group->width);
	snk_json_text(json, "polynomial", polynomials[group->polynomial]);
	snk_json_boolean(json, "clamp", group->is_clamped);
}

/* Weights of one kind of term, for each coefficient: the terms from `first` on. */
static void write_weights(snk_json *json, const char *key, const snk_pose_group *group, size_t first, size_t count) {
	const size_t coefficients = group->coefficient_count;
	snk_json_open_array(json, key);
	for (size_t k = 0; k < coefficients; k++) {
		snk_json_open_array(json, NULL);
		for (size_t t = 0; t < count; t++) {
			snk_json_number(json, NULL, group->weights[(first + t) * coefficients + k]);
		}
		snk_json_close_array(json);
	}
	snk_json_close_array(json);
}

static void write_targets(snk_json *json, const snk_pose_group *group) {
	snk_json_open_array(json, "targets");
	for (uint32_t k = 0; k < group->coefficient_count; k++) {
		snk_json_text(json, NULL, group->names[k]);
	}
	snk_json_close_array(json);
}

void snk_pose_space_open(snk_json *json) {
	snk_json_open_object(json, "poseSpace");
	snk_json_text(json, "format", "org.sinew.pose-space");
	snk_json_integer(json, "version", 2);
	snk_json_integer(json, "kernelVersion", SNK_KERNEL_VERSION);
	snk_json_open_array(json, "groups");
}

void snk_pose_space_group(snk_json *json, const snk_pose_group *group) {
	const size_t poses = group->pose_count, joints = group->joint_count, coefficients = group->coefficient_count;
	const size_t slopes = poses > 0 && group->polynomial == SNK_POLYNOMIAL_LINEAR ? SNK_POSE_COORDINATES * joints : 0;
	snk_json_open_object(json, NULL);
	snk_json_text(json, "name", group->name);
	write_joints(json, group);
	write_kernel(json, group);
	write_rows(json, "examples", poses, 3 * joints, group->rotation_vectors);
	write_rows(json, "places", poses, 6 * joints, group->places);
	write_targets(json, group);
	write_weights(json, "weights", group, 0, poses);
	snk_json_numbers(json, "constants", poses > 0 ? coefficients : 0, group->weights + poses * coefficients);
	write_weights(json, "slopes", group, poses + 1, slopes);
	snk_json_close_object(json);
}

void snk_pose_space_close(snk_json *json) {
	snk_json_close_array(json);
	snk_json_close_object(json);
}
