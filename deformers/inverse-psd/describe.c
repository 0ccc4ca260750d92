/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pose spaces as JSON, for engines that evaluate them live; the form is laid down at snw_deformer.describe.
 */
#include <stdarg.h>
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

static void print_group(snw_writer *writer, const snw_model *model, const pose_space *space) {
	const size_t poses = space->pose_count, joints = space->joint_count;
	print(writer, "{\"name\":");
	print_text(writer, space->name);
	print(writer, ",\"joints\":[");
	for (size_t j = 0; j < joints; j++) {
		print(writer, j ? "," : "");
		print_text(writer, model->joint_names[space->joints[j]]);
	}
	print(writer, "],\"unwound\":[");
	for (size_t j = 0; j < joints; j++) {
		print(writer, "%s%s", j ? "," : "", space->unwound[j] ? "true" : "false");
	}
	print(writer, "],\"kernel\":\"%s\",\"width\":%.17g,\"examples\":[",
		  space->kernel == SNW_KERNEL_GAUSSIAN ? "gaussian" : "linear", space->width);
	for (size_t p = 0; p < poses; p++) {
		print(writer, p ? "," : "");
		print_numbers(writer, 3 * joints, space->turns + 3 * p * joints);
	}
	print(writer, "],\"targets\":[");
	for (size_t k = 0; k < space->coefficient_count; k++) {
		print(writer, k ? "," : "");
		print_text(writer, space->names[k]);
	}
	print(writer, "],\"weights\":[");
	for (size_t k = 0; k < space->coefficient_count; k++) {
		print(writer, k ? "," : "");
		print_numbers(writer, poses, space->weights + k * (poses + 1));
	}
	print(writer, "],\"constants\":[");
	for (size_t k = 0; k < space->coefficient_count; k++) {
		print(writer, "%s%.17g", k ? "," : "", space->weights[k * (poses + 1) + poses]);
	}
	print(writer, "]}");
}

snw_status describe(const snw_model *model, const double *values, const snw_sink *sink) {
	(void)values;
	snw_writer writer = {.sink = sink};
	print(&writer, "{\"poseSpace\":{\"version\":1,\"groups\":[");
	for (uint32_t g = 0; g < model->group_count; g++) {
		print(&writer, g ? "," : "");
		print_group(&writer, model, &model->groups[g]);
	}
	print(&writer, "]}}");
	return writer.status;
}
