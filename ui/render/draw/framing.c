/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Framing views before they are drawn, on the CPU.
 */
#include "render/overlay/legend.h"
#include "render/render.h"

#define LEAST_PART 0.5 /* of a mask: a point that counts as inside */

/* Points to be framed, gathered over meshes and views. */
typedef struct gathering {
	double *points; /* [most][3] */
	size_t count;
} gathering;

/* The points of one mesh that the part holds: as the view gives them, or posed where its stack can, else the rest. */
static void add_mesh(gathering *all, const snw_view *view, snw_evaluation *evaluation, uint32_t mesh, const double *part) {
	const snw_mesh *m = &view->scene->meshes[mesh];
	snw_arena *scratch = snw_arena_create();
	const float *given = view->points ? view->points[mesh] : NULL;
	float *posed = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)m->point_count);
	if (!given && evaluation && !snw_failed(snw_stack_run(view->stack, evaluation, mesh, posed, NULL))) {
		given = posed;
	}
	for (size_t i = 0; i < m->point_count; i++) {
		if (part && !(part[i] >= LEAST_PART)) {
			continue;
		}
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			all->points[3 * all->count + c % 3] = given ? (double)given[c] : m->points_rest[c];
		}
		all->count++;
	}
	snw_arena_destroy(scratch);
}

static void add_joints(gathering *all, const snw_view *view) {
	const snw_skeleton *skeleton = &view->scene->skeleton;
	const double *global = view->pose ? view->pose->global : skeleton->rest_global;
	for (size_t j = 0; j < skeleton->joint_count; j++) {
		for (size_t c = 0; c < 3; c++) {
			all->points[3 * all->count + c] = global[12 * j + 4 * c + 3];
		}
		all->count++;
	}
}

static void add_view(gathering *all, const snw_view *view, const double *const *part) {
	const snw_scene *scene = view->scene;
	snw_evaluation *evaluation = view->stack && view->pose ? snw_evaluation_create(view->stack) : NULL;
	const bool is_driven = evaluation && !snw_failed(snw_stack_drive(view->stack, view->pose, evaluation, NULL));
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (!part || part[m]) {
			add_mesh(all, view, is_driven ? evaluation : NULL, m, part ? part[m] : NULL);
		}
	}
	if (scene->mesh_count == 0) {
		add_joints(all, view);
	}
	if (evaluation) {
		snw_evaluation_destroy(evaluation);
	}
}

static size_t most_points(const snw_scene *scene) {
	size_t count = scene->skeleton.joint_count;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		count += scene->meshes[m].point_count;
	}
	return count;
}

snw_camera snw_camera_frame_all(const snw_view *views, size_t count, const double *const *part, uint32_t width,
								uint32_t height) {
	snw_arena *scratch = snw_arena_create();
	size_t most = 0;
	bool has_label = false, has_scale = false;
	for (size_t i = 0; i < count; i++) {
		most += most_points(views[i].scene);
		has_label = has_label || views[i].flags & SNW_VIEW_SCALE_BAR;
		has_scale = has_scale || (views[i].flags & SNW_VIEW_SCALE_BAR && !views[i].heat_is_color);
	}
	gathering all = {.points = SNW_NEW_ARRAY(scratch, double, 3 * most)};
	for (size_t i = 0; i < count; i++) {
		add_view(&all, &views[i], part);
	}
	const snw_camera_margins margins = snw_legend_margins(width, height, has_label, has_scale);
	snw_camera camera = views[0].camera;
	snw_camera_fit_within(&camera, all.points, all.count, (double)width / height, &margins);
	snw_arena_destroy(scratch);
	return camera;
}

snw_camera snw_camera_frame(const snw_view *view, uint32_t width, uint32_t height) {
	return snw_camera_frame_all(view, 1, NULL, width, height);
}
