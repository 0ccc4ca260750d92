/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact sheet: the frames of the test clip that cover its poses best, a row for each method, painted with the error.
 */
#include <math.h>
#include <string.h>

#include "cli/compare/page.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "render/render.h"

enum { VIEW_WIDTH = 280, VIEW_HEIGHT = 320 };

/* What all rows share. */
typedef struct sheet {
	const snw_compare_page *page;
	snw_renderer *renderer;
	snw_stack *baseline; /* poses the other meshes */
	uint32_t count;      /* columns */
	const snw_pose_view **poses;
	const float **truth; /* [count]: the ground truth's points */
	snw_camera *cameras; /* [count] */
	double heat_maximum; /* mm: the baseline's */
} sheet;

static const snw_target *test_target(const snw_compare_page *page) {
	return &page->opened->scene->targets[page->request->test];
}

/* The views of one row: points[column]. */
static snw_view *make_views(const sheet *s, float *const *points) {
	const snw_compare_page *page = s->page;
	const snw_scene *scene = page->opened->scene;
	snw_arena *arena = page->call->arena;
	snw_view *views = SNW_NEW_ARRAY(arena, snw_view, s->count);
	for (uint32_t c = 0; c < s->count; c++) {
		const float **shown = SNW_NEW_ARRAY(arena, const float *, scene->mesh_count);
		shown[page->comparison->mesh] = points[c];
		views[c] = (snw_view){.scene = scene,
							  .stack = s->baseline,
							  .pose = s->poses[c],
							  .points = shown,
							  .camera = {.yaw = 0.5, .pitch = 0.15},
							  .flags = SNW_VIEW_CLAY};
	}
	return views;
}

static double *distances_from(const sheet *s, const float *points, const float *truth) {
	const size_t count = s->page->opened->scene->meshes[s->page->comparison->mesh].point_count;
	double *distances = SNW_NEW_ARRAY(s->page->call->arena, double, count);
	for (size_t i = 0; i < count; i++) {
		double sum = 0;
		for (size_t c = 0; c < 3; c++) {
			const double gap = (double)points[3 * i + c] - (double)truth[3 * i + c];
			sum += gap * gap;
		}
		distances[i] = 1000 * sqrt(sum);
	}
	return distances;
}

static void paint_errors(const sheet *s, const snw_compare_row *row, snw_view *views) {
	const snw_scene *scene = s->page->opened->scene;
	for (uint32_t c = 0; c < s->count; c++) {
		const double **heat = SNW_NEW_ARRAY(s->page->call->arena, const double *, scene->mesh_count);
		heat[s->page->comparison->mesh] = distances_from(s, row->pictures[c], s->truth[c]);
		views[c].heat = heat;
		views[c].heat_maximum = s->heat_maximum;
		views[c].heat_label = "error (mm)";
		views[c].flags |= c == 0 ? SNW_VIEW_SCALE_BAR : 0;
	}
}

static snw_status write_picture_row(const sheet *s, const char *name, snw_view *views, snw_error *error) {
	for (uint32_t c = 0; c < s->count; c++) {
		views[c].camera = s->cameras[c];
	}
	return snw_page_picture(s->page->out, s->page->call, s->renderer, views, s->count, VIEW_WIDTH, VIEW_HEIGHT, name, error);
}

/* The poses, the ground truth's row, and the cameras, which all rows share. */
static snw_status write_truth(sheet *s, snw_error *error) {
	const snw_compare_page *page = s->page;
	const snw_scene *scene = page->opened->scene;
	const snw_target *target = test_target(page);
	const size_t numbers = 3 * (size_t)scene->meshes[page->comparison->mesh].point_count;
	snw_arena *arena = page->call->arena;
	s->poses = SNW_NEW_ARRAY(arena, const snw_pose_view *, s->count);
	s->truth = SNW_NEW_ARRAY(arena, const float *, s->count);
	s->cameras = SNW_NEW_ARRAY(arena, snw_camera, s->count);
	for (uint32_t c = 0; c < s->count; c++) {
		const uint32_t frame = page->comparison->picture_frames[c];
		s->poses[c] = snw_pose_view_make(
			scene, snw_pose_sample(scene, snw_target_clip(scene, target), target->seconds[frame], arena), arena);
		s->truth[c] = target->points_posed + frame * numbers;
	}
	float **points = SNW_NEW_ARRAY(arena, float *, s->count);
	for (uint32_t c = 0; c < s->count; c++) {
		points[c] = snw_arena_copy(arena, s->truth[c], numbers * sizeof(float));
	}
	snw_view *views = make_views(s, points);
	for (uint32_t c = 0; c < s->count; c++) {
		snw_view framed = views[c];
		framed.flags |= SNW_VIEW_SCALE_BAR; /* leaves room for it */
		s->cameras[c] = snw_camera_frame_all(&framed, 1, NULL, VIEW_WIDTH, VIEW_HEIGHT);
	}
	return write_picture_row(s, "ground truth", views, error);
}

/* The largest error of the first row that has one. Other rows are painted on the same scale. */
static double find_heat_maximum(const sheet *s) {
	const snw_comparison *comparison = s->page->comparison;
	const snw_scene *scene = s->page->opened->scene;
	double most = 0;
	for (uint32_t r = 0; r < comparison->row_count && most == 0; r++) {
		for (uint32_t c = 0; c < s->count && comparison->rows[r].pictures; c++) {
			const double *distances = distances_from(s, comparison->rows[r].pictures[c], s->truth[c]);
			for (uint32_t i = 0; i < scene->meshes[comparison->mesh].point_count; i++) {
				most = fmax(most, distances[i]);
			}
		}
	}
	return fmax(most, 1000 * 1e-5 * snw_scene_diagonal(scene, SNW_NONE));
}

static snw_status write_picture_rows(sheet *s, snw_error *error) {
	const snw_comparison *comparison = s->page->comparison;
	snw_status status = write_truth(s, error);
	s->heat_maximum = find_heat_maximum(s);
	for (uint32_t r = 0; r < comparison->row_count && !snw_failed(status); r++) {
		const snw_compare_row *row = &comparison->rows[r];
		if (row->pictures) {
			snw_view *views = make_views(s, row->pictures);
			paint_errors(s, row, views);
			status = write_picture_row(s, row->name, views, error);
		}
	}
	return status;
}

static void write_heading(const snw_compare_page *page) {
	fputs("<h2>Error maps</h2>\n<p class=\"quiet\">The frames of the test clip that cover its poses best:", page->out);
	for (uint32_t c = 0; c < page->comparison->picture_count; c++) {
		fprintf(page->out, "%s %u", c > 0 ? "," : "", page->comparison->picture_frames[c]);
	}
	fputs(". All rows have one scale, which ends at the largest error of the first method.</p>\n", page->out);
}

snw_status snw_page_pictures(const snw_compare_page *page, snw_error *error) {
	sheet s = {.page = page, .count = page->comparison->picture_count};
	const char *baseline = snw_registry_trait_name(page->opened->registry, SNW_BASELINE);
	snw_error reason = {0};
	if (s.count == 0) {
		return SNW_OK;
	}
	snw_status status = snw_renderer_create(&s.renderer, &reason);
	if (!snw_failed(status)) {
		const snw_stack_options options = {.method = baseline};
		status = snw_stack_build(page->opened->scene, page->opened->registry, &options, NULL, &s.baseline, &reason);
	}
	if (!snw_failed(status)) {
		write_heading(page);
		status = write_picture_rows(&s, &reason);
	}
	snw_stack_destroy(s.baseline);
	snw_renderer_destroy(s.renderer);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", reason.text);
	}
	if (snw_failed(status)) {
		fputs("<p class=\"quiet\">No pictures: ", page->out);
		snw_page_text(page->out, reason.text);
		fputs("</p>\n", page->out);
		snw_task_notice(&page->call->task, SNW_LOG_WARNING, "the page has no pictures: %s", reason.text);
	}
	return SNW_OK;
}
