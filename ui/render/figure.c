/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene on the GPU, posed.
 */
#include <math.h>

#include "render/heat.h"
#include "render/renderer.h"

snw_status snw_figure_create(snw_renderer *renderer, const snw_scene *scene, snw_arena *arena, snw_figure *figure,
							 snw_error *error) {
	*figure = (snw_figure){.scene = scene};
	figure->surfaces = SNW_NEW_ARRAY(arena, snw_surface *, scene->mesh_count);
	figure->materials = snw_materials_create(scene);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_status status = snw_surface_create(&renderer->surface, &scene->meshes[m], &figure->surfaces[m], error);
		if (status < 0) {
			snw_figure_destroy(figure);
			return status;
		}
	}
	return SNW_OK;
}

void snw_figure_destroy(snw_figure *figure) {
	for (uint32_t m = 0; figure->scene && m < figure->scene->mesh_count; m++) {
		snw_surface_destroy(figure->surfaces[m]);
	}
	snw_materials_destroy(figure->materials);
	*figure = (snw_figure){0};
}

static void show_heat(snw_figure *figure, const snw_view *view) {
	double minimum, maximum;
	snw_view_heat_range(view, &minimum, &maximum);
	for (uint32_t m = 0; m < figure->scene->mesh_count; m++) {
		snw_surface_set_heat(figure->surfaces[m], view->heat ? view->heat[m] : NULL, minimum, maximum);
	}
}

snw_status snw_figure_pose(snw_figure *figure, const snw_view *view, snw_poser *const *posers, snw_stack_frame *frame,
						   snw_error *error) {
	if (view->stack) {
		const snw_status status = snw_stack_drive(view->stack, view->pose, frame, error);
		if (status < 0) {
			return status;
		}
	}
	for (uint32_t m = 0; m < figure->scene->mesh_count; m++) {
		snw_surface *surface = figure->surfaces[m];
		const float *points = view->points ? view->points[m] : NULL;
		if (points || !view->stack) {
			snw_surface_send_points(surface, points);
		} else {
			const snw_status status = snw_poser_run(posers[m], frame, snw_surface_points(surface), error);
			if (status < 0) {
				return status;
			}
		}
		snw_surface_find_normals(surface);
	}
	show_heat(figure, view);
	return SNW_OK;
}

void snw_view_heat_range(const snw_view *view, double *minimum, double *maximum) {
	*minimum = view->heat_minimum;
	*maximum = view->heat_maximum;
	if (!view->heat || *maximum > *minimum) {
		return;
	}
	*minimum = INFINITY;
	*maximum = -INFINITY;
	for (uint32_t m = 0; m < view->scene->mesh_count; m++) {
		if (view->heat[m]) {
			snw_heat_range_add(view->heat[m], view->scene->meshes[m].point_count, minimum, maximum);
		}
	}
	if (!(*maximum > *minimum)) {
		*minimum = isfinite(*minimum) ? *minimum : 0;
		*maximum = *minimum + 1;
	}
}
