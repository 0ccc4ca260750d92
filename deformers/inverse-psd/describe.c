/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pose spaces as JSON, for engines that evaluate them live; the form is laid down at snw_deformer.describe.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/bytes.h"

__attribute__((format(printf, 2, 3))) static void print(snw_writer *writer, const char *format, ...) {
	char text[256];
	va_list arguments;
	va_start(arguments, format);
	const int count = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	snw_write(writer, text, count > 0 ? (size_t)count : 0);
}

static void print_text(snw_writer *writer, const char *text) {
	print(writer, "\"");
	for (const char *c = text; *c; c++) {
		if (*c == '"' || *c == '\\') {
			print(writer, "\\%c", *c);
		} else if ((unsigned char)*c < 0x20) {
			print(writer, "\\u%04x", *c);
		} else {
			snw_write(writer, c, 1);
		}
	}
	print(writer, "\"");
}

static void print_numbers(snw_writer *writer, size_t count, const double *numbers) {
	print(writer, "[");
	for (size_t i = 0; i < count; i++) {
		print(writer, "%s%.17g", i ? "," : "", numbers[i]);
	}
	print(writer, "]");
}

static void print_texts(snw_writer *writer, const char *key, size_t count, const char *const *texts) {
	print(writer, ",\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		print(writer, i ? "," : "");
		print_text(writer, texts[i]);
	}
	print(writer, "]");
}

/* Rows of `width` numbers; row r begins at numbers + r * stride. */
static void print_rows(snw_writer *writer, const char *key, size_t rows, size_t width, size_t stride, const double *numbers) {
	print(writer, ",\"%s\":[", key);
	for (size_t r = 0; r < rows; r++) {
		print(writer, r ? "," : "");
		print_numbers(writer, width, numbers + r * stride);
	}
	print(writer, "]");
}

/* One number of each joint's metric, `offset` bytes into it. */
static void print_metrics(snw_writer *writer, const char *key, const pose_space *space, size_t offset) {
	print(writer, ",\"%s\":[", key);
	for (uint32_t j = 0; j < space->joint_count; j++) {
		print(writer, "%s%.17g", j ? "," : "", *(const double *)((const char *)&space->metrics[j] + offset));
	}
	print(writer, "]");
}

static void print_joints(snw_writer *writer, const snw_model *model, const pose_space *space) {
	print(writer, ",\"joints\":[");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		print(writer, j ? "," : "");
		print_text(writer, model->joint_names[space->joints[j]]);
	}
	print(writer, "],\"unwound\":[");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		print(writer, "%s%s", j ? "," : "", space->metrics[j].unwound ? "true" : "false");
	}
	print(writer, "],\"axes\":[");
	for (uint32_t j = 0; j < space->joint_count; j++) {
		print(writer, j ? "," : "");
		print_numbers(writer, 3, space->metrics[j].axis);
	}
	print(writer, "]");
	print_metrics(writer, "swing", space, offsetof(snk_joint_metric, swing));
	print_metrics(writer, "twist", space, offsetof(snk_joint_metric, twist));
	print_metrics(writer, "translation", space, offsetof(snk_joint_metric, translation));
	print_metrics(writer, "scale", space, offsetof(snk_joint_metric, scale));
}

/* Weights of one kind of term, for each coefficient: the terms from `first` on. */
static void print_weights(snw_writer *writer, const char *key, const pose_space *space, size_t first, size_t count) {
	const size_t coefficients = space->coefficient_count;
	print(writer, ",\"%s\":[", key);
	for (size_t k = 0; k < coefficients; k++) {
		print(writer, k ? ",[" : "[");
		for (size_t t = 0; t < count; t++) {
			print(writer, "%s%.17g", t ? "," : "", space->weights[(first + t) * coefficients + k]);
		}
		print(writer, "]");
	}
	print(writer, "]");
}

static void print_group(snw_writer *writer, const snw_model *model, const pose_space *space) {
	static const char *const kernels[SNK_KERNELS] = {"gaussian", "linear", "thin-plate", "inverse-multiquadric"};
	static const char *const polynomials[] = {"none", "constant", "linear"};
	const size_t poses = space->pose_count, joints = space->joint_count, coefficients = space->coefficient_count;
	print(writer, "{\"name\":");
	print_text(writer, space->name);
	print_joints(writer, model, space);
	print(writer, ",\"kernel\":\"%s\",\"width\":%.17g,\"polynomial\":\"%s\",\"clamp\":%s", kernels[space->kernel], space->width,
		  polynomials[space->polynomial], space->clamps ? "true" : "false");
	print_rows(writer, "examples", poses, 3 * joints, 3 * joints, space->turns);
	print_rows(writer, "places", poses, 6 * joints, 6 * joints, space->places);
	print_texts(writer, "targets", coefficients, space->names);
	print_weights(writer, "weights", space, 0, poses);
	print(writer, ",\"constants\":");
	print_numbers(writer, poses > 0 ? coefficients : 0, space->weights + poses * coefficients);
	print_weights(writer, "slopes", space, poses + 1, poses > 0 ? term_count(space) - poses - 1 : 0);
	print(writer, "}");
}

snw_status describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)values;
	snw_writer writer = {.sink = sink};
	print(&writer, "{");
	/* Coefficients of single points drive nothing that an engine could name. */
	if (!model->is_weighted) {
		print(&writer, "\"poseSpace\":{\"version\":2,\"kernelVersion\":%d,\"groups\":[", SNK_KERNEL_VERSION);
		for (uint32_t g = 0; g < model->group_count; g++) {
			print(&writer, g ? "," : "");
			print_group(&writer, model, &model->groups[g]);
		}
		print(&writer, "]}");
	}
	print(&writer, "}");
	return writer.status;
}
