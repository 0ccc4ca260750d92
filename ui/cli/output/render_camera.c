/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The camera of sinew render.
 */
#include <math.h>
#include <stdio.h>

#include "cli/output/render.h"
#include "example/sides.h"

/* The points that --focus frames: NULL for all. */
static snw_status find_focus(const snw_call *call, const snw_scene *scene, const double *const **part, snw_error *error) {
	const char *spec = snw_call_option(call, "--focus");
	*part = NULL;
	if (!spec) {
		return SNW_OK;
	}
	const double **values = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	bool found = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_error problem; /* a mesh without a skin has no weights for joints */
		const snw_status status = snw_mask_values(scene, m, spec, call->arena, &values[m], &problem);
		values[m] = snw_failed(status) ? NULL : values[m];
		for (uint32_t i = 0; values[m] && i < scene->meshes[m].point_count && !found; i++) {
			found = values[m][i] >= 0.5;
		}
		if (snw_failed(status) && m + 1 == scene->mesh_count && !found) {
			*error = problem;
			return status;
		}
	}
	*part = values;
	return found ? SNW_OK
				 : snw_fail(error, SNW_ERROR_MISSING, "--focus %s: this mask covers no point by half or more; choose another",
							spec);
}

/* Moves the view, in heights of the picture. */
static snw_status pan(const snw_call *call, double aspect, snw_camera *camera, snw_error *error) {
	const char *text = snw_call_option(call, "--pan");
	double right, up, axes[3][3];
	int end = 0;
	if (!text) {
		return SNW_OK;
	}
	if (sscanf(text, "%lf,%lf%n", &right, &up, &end) != 2 || text[end] || !(fabs(right) + fabs(up) < 100)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--pan %s: expected RIGHT,UP, in heights of the view", text);
	}
	snw_camera_axes(camera, axes);
	const double height = 2 * camera->distance * snw_camera_tangent(camera, aspect);
	for (int c = 0; c < 3; c++) {
		camera->target[c] -= height * (right * axes[0][c] + up * axes[1][c]);
	}
	return SNW_OK;
}

snw_status snw_render_aim(const snw_call *call, snw_view *views, uint32_t count, uint32_t width, uint32_t height,
						  snw_camera *camera, snw_error *error) {
	const double *const *part;
	double zoom = 1;
	snw_status status = snw_call_number(call, "--zoom", 0.01, 100, 1, &zoom, error);
	status = snw_failed(status) ? status : find_focus(call, views[0].scene, &part, error);
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		snw_view_run_black_boxes(&views[i], call->arena);
	}
	if (!snw_failed(status)) {
		*camera = snw_camera_frame_all(views, count, part, width, height);
		camera->distance /= zoom;
		status = pan(call, (double)width / height, camera, error);
	}
	return status;
}
