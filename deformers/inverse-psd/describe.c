/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pose spaces as JSON, for engines that evaluate them live. docs/pose-space.md defines the format.
 */
#include <stddef.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/kit/bytes/json.h"

static void write_texts(snk_json *json, const char *key, size_t count, const char *const *texts) {
	snk_json_open_array(json, key);
	for (size_t i = 0; i < count; i++) {
		snk_json_text(json, NULL, texts[i]);
	}
	snk_json_close_array(json);
}

/* Rows of `width` numbers. */
static void write_rows(snk_json *json, const char *key, size_t rows, size_t width, const double *numbers) {
	snk_json_open_array(json, key);
	for (size_t r = 0; r < rows; r++) {
		snk_json_numbers(json, NULL, width, numbers + r * width);
	}
	snk_json_close_array(json);
}

/* One number of each joint's metric, `offset` bytes into it. */
static void write_metrics(snk_json *json, const char *key, const pose_space *space, size_t offset) {
	snk_json_open_array(json, key);
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_number(json, NULL, *(const double *)((const char *)&space->metrics[j] + offset));
	}
	snk_json_close_array(json);
}

static void write_joints(snk_json *json, const snw_model *model, const pose_space *space) {
	snk_json_open_array(json, "joints");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_text(json, NULL, model->joint_names[space->joints[j]]);
	}
	snk_json_close_array(json);
	snk_json_open_array(json, "unwound");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_boolean(json, NULL, space->metrics[j].unwound != 0);
	}
	snk_json_close_array(json);
	snk_json_open_array(json, "axes");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		snk_json_numbers(json, NULL, 3, space->metrics[j].axis);
	}
	snk_json_close_array(json);
	write_metrics(json, "swing", space, offsetof(snk_joint_metric, swing));
	write_metrics(json, "twist", space, offsetof(snk_joint_metric, twist));
	write_metrics(json, "translation", space, offsetof(snk_joint_metric, translation));
	write_metrics(json, "scale", space, offsetof(snk_joint_metric, scale));
}

/* Weights of one kind of term, for each coefficient: the terms from `first` on. */
static void write_weights(snk_json *json, const char *key, const pose_space *space, size_t first, size_t count) {
	const size_t coefficients = space->coefficient_count;
	snk_json_open_array(json, key);
	for (size_t k = 0; k < coefficients; k++) {
		snk_json_open_array(json, NULL);
		for (size_t t = 0; t < count; t++) {
			snk_json_number(json, NULL, space->weights[(first + t) * coefficients + k]);
		}
		snk_json_close_array(json);
	}
	snk_json_close_array(json);
}

static void write_kernel(snk_json *json, const pose_space *space) {
	static const char *const kernels[SNK_KERNELS] = {"gaussian", "linear", "thin-plate", "inverse-multiquadric", "cone"};
	static const char *const polynomials[] = {"none", "constant", "linear"};
	snk_json_text(json, "kernel", kernels[space->kernel]);
	snk_json_number(json, "width", space->width);
	snk_json_text(json, "polynomial", polynomials[space->polynomial]);
	snk_json_boolean(json, "clamp", space->clamps != 0);
}

static void write_group(snk_json *json, const snw_model *model, const pose_space *space) {
	const size_t poses = space->pose_count, joints = space->joint_count, coefficients = space->coefficient_count;
	snk_json_open_object(json, NULL);
	snk_json_text(json, "name", space->name);
	write_joints(json, model, space);
	write_kernel(json, space);
	write_rows(json, "examples", poses, 3 * joints, space->rotation_vectors);
	write_rows(json, "places", poses, 6 * joints, space->places);
	write_texts(json, "targets", coefficients, space->names);
	write_weights(json, "weights", space, 0, poses);
	snk_json_numbers(json, "constants", poses > 0 ? coefficients : 0, space->weights + poses * coefficients);
	write_weights(json, "slopes", space, poses + 1, poses > 0 ? term_count(space) - poses - 1 : 0);
	snk_json_close_object(json);
}

snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)values;
	snk_json json = snk_json_start(sink);
	snk_json_open_object(&json, NULL);
	/* Coefficients of single points drive no morph target that could be named. */
	if (!model->is_weighted) {
		snk_json_open_object(&json, "poseSpace");
		snk_json_text(&json, "format", "org.sinew.pose-space");
		snk_json_integer(&json, "version", 2);
		snk_json_integer(&json, "kernelVersion", SNK_KERNEL_VERSION);
		snk_json_open_array(&json, "groups");
		for (uint32_t g = 0; g < model->group_count; g++) {
			write_group(&json, model, &model->groups[g]);
		}
		snk_json_close_array(&json);
		snk_json_close_object(&json);
	}
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}
