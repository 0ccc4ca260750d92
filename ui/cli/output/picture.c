/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "measure/measure.h"

enum { MOST_PIXELS = 1 << 28 };

snw_status snw_picture_points(const snw_call *call, const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose,
							  double ***points, snw_error *error) {
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double **all = SNW_NEW_ARRAY(call->arena, double *, scene->mesh_count);
	snw_status status = snw_stack_drive(stack, pose, evaluation, error);
	for (uint32_t m = 0; !snw_failed(status) && m < scene->mesh_count; m++) {
		all[m] = SNW_NEW_ARRAY(call->arena, double, 3 * (size_t)scene->meshes[m].point_count);
		status = snw_stack_reference(stack, evaluation, m, NULL, all[m], error);
	}
	snw_evaluation_destroy(evaluation);
	*points = all;
	return status;
}

float *snw_picture_floats(const snw_call *call, const double *values, size_t count) {
	float *floats = SNW_NEW_ARRAY(call->arena, float, count);
	for (size_t i = 0; i < count; i++) {
		floats[i] = (float)values[i];
	}
	return floats;
}

double **snw_picture_distances(const snw_call *call, const snw_scene *scene, double *const *points,
							   const snw_ground_truth *truth, double *most) {
	double **distances = SNW_NEW_ARRAY(call->arena, double *, scene->mesh_count);
	*most = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t count = scene->meshes[m].point_count;
		distances[m] = SNW_NEW_ARRAY(call->arena, double, count);
		if (truth[m].sculpt || truth[m].frame) {
			const float *floats = snw_picture_floats(call, points[m], 3 * (size_t)count);
			*most = fmax(*most, snw_ground_truth_distances(&truth[m], floats, count, distances[m]));
		}
	}
	/* What is exact but for rounding is to look so: the scale does not end below a hundred-thousandth of the character. */
	*most = fmax(*most, 1000 * 1e-5 * snw_scene_diagonal(scene, SNW_NONE));
	return distances;
}

snw_status snw_picture_write(const snw_view *views, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height,
							 const char *path, const snw_call *call, snw_error *error) {
	snw_renderer *renderer = NULL;
	const uint64_t count = (uint64_t)width * columns * height * rows;
	if (count > MOST_PIXELS) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"%s would have %" PRIu64 " million pixels, more than %d: give a smaller --size, or draw fewer views",
						path, count >> 20, MOST_PIXELS >> 20);
	}
	snw_status status = snw_renderer_create(&renderer, error);
	if (snw_failed(status)) {
		return status;
	}
	unsigned char *pixels = snw_arena_array(call->arena, (size_t)width * columns, (size_t)height * rows * 4);
	status = snw_renderer_sheet(renderer, views, columns, rows, width, height, pixels, &call->task, error);
	if (!snw_failed(status)) {
		status = snw_png_write(path, pixels, width * columns, height * rows, error);
	}
	if (!snw_failed(status)) {
		snw_say(call, "%s: %u × %u, drawn by %s", path, width * columns, height * rows, snw_renderer_device(renderer));
		snw_answer_text(call->answer, "file", path);
		snw_answer_number(call->answer, "width", width * columns);
		snw_answer_number(call->answer, "height", height * rows);
		snw_answer_text(call->answer, "device", snw_renderer_device(renderer));
	}
	snw_renderer_destroy(renderer);
	return status;
}
