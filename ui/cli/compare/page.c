/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare/page.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/page.h"
#include "file/file.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "render/render.h"

/* ---- charts -------------------------------------------------------------------------------------------------------------- */

enum { COLORS = 10, LABEL_GAP = 16 };

/* The room that the names of the rows take. */
static double label_width(const snw_comparison *comparison) {
	enum { LETTER = 7, GAP = 26 };
	size_t longest = 0;
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const size_t length = strlen(comparison->rows[r].name);
		longest = length > longest ? length : longest;
	}
	return fmin(GAP + LETTER * (double)longest, SNW_CHART_WIDTH / 2.0);
}

static const char *color_of(uint32_t row) {
	static const char *const names[COLORS] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"};
	return names[row % COLORS];
}

/* After all colours are used, lines are dashed. */
static const char *dash_of(uint32_t row) {
	static const char *const dashes[] = {"none", "6 4", "2 3"};
	return dashes[row / COLORS % 3];
}

/* ---- errors of points ---------------------------------------------------------------------------------------------------- */

static double bar_end(const snw_compare_score *score) {
	return score->is_known && isfinite(score->point_mean_percent) ? score->point_mean_percent + score->point_spread_percent : 0;
}

static void write_bar(const snw_compare_page *page, const snw_chart_axes *a, const snw_compare_score *score, uint32_t row,
					  double y, double height, bool is_faint) {
	if (!score->is_known || !isfinite(score->point_mean_percent)) {
		return;
	}
	const double mean = score->point_mean_percent, spread = score->point_spread_percent;
	fprintf(page->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"var(--%s)\"%s><title>%.1f ± %.1f "
			"%%</title></rect>\n",
			a->left, y, snw_chart_x(a, mean) - a->left, height, color_of(row), is_faint ? " opacity=\".45\"" : "", mean,
			spread);
	const double middle = y + height / 2, begin = snw_chart_x(a, fmax(0, mean - spread)), end = snw_chart_x(a, mean + spread);
	snw_chart_line(page->out, begin, middle, end, middle, "ink", 1.2);
	snw_chart_line(page->out, end, middle - 3, end, middle + 3, "ink", 1.2);
	snw_chart_line(page->out, begin, middle - 3, begin, middle + 3, "ink", 1.2);
}

/* Charts of the errors of points (Figure 11), over the number of training poses, and over the cost. */
static void page_spread_chart(const snw_compare_page *page) {
	enum { ROW = 34 };
	const snw_comparison *comparison = page->comparison;
	double most = 0, step;
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		most = fmax(most, fmax(bar_end(&comparison->rows[r].train), bar_end(&comparison->rows[r].test)));
	}
	const double labels = label_width(comparison);
	const snw_chart_axes a = {.left = labels,
							  .top = 12,
							  .width = SNW_CHART_WIDTH - labels - 30,
							  .height = ROW * (double)comparison->row_count,
							  .x_most = snw_chart_end(most, &step)};
	snw_chart_begin(page->out, a.height + 44, "Errors of points, mean and spread");
	for (double x = 0; x <= a.x_most + 1e-9 * step; x += step) {
		snw_chart_tick(page->out, &a, x, "%");
	}
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const snw_compare_row *row = &comparison->rows[r];
		const double y = a.top + r * (double)ROW;
		snw_chart_label(page->out, a.left - 10, y + 21, "end", row->name);
		write_bar(page, &a, &row->test, r, y + 4, 14, false);
		write_bar(page, &a, &row->train, r, y + 20, 9, true);
	}
	snw_chart_finish(page->out,
					 "Mean and standard deviation over the points of each point's error, in percent of the best rigid "
					 "prediction (Wang, Pulli "
					 "and Popović 2007, Figure 11). Upper bars: the test clip. Lower, faint bars: the training clip.");
}

/* ---- curves -------------------------------------------------------------------------------------------------------------- */

/* Labels at the ends of lines, moved apart: y [count], ascending order in `order`. */
static void spread_labels(uint32_t count, double *y, uint32_t *order, double gap) {
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;
		for (; at > 0 && y[order[at - 1]] > y[i]; at--) {
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
	for (uint32_t i = 1; i < count; i++) {
		y[order[i]] = fmax(y[order[i]], y[order[i - 1]] + gap);
	}
}

/* What a method has in a chart: points from left to right, and its name at the right. */
typedef struct chart_line {
	uint32_t row, count;
	double *x, *y; /* [count]; a y that is not finite is left out */
} chart_line;

static void write_dot(const snw_compare_page *page, const snw_chart_axes *a, const chart_line *line, uint32_t i,
					  const char *unit) {
	const char *name = page->comparison->rows[line->row].name;
	fprintf(page->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=\"var(--%s)\"><title>", snw_chart_x(a, line->x[i]),
			snw_chart_y(a, fmin(line->y[i], a->y_most)), line->count > 1 ? 3.5 : 5, color_of(line->row));
	snw_page_text(page->out, name);
	fprintf(page->out, ", %.4g %s: %.3f</title></circle>\n", line->x[i], unit, line->y[i]);
}

static void write_chart_line(const snw_compare_page *page, const snw_chart_axes *a, const chart_line *line, const char *unit,
							 double label_y) {
	double x = a->left, y = label_y;
	if (line->count > 1) {
		fprintf(page->out, "<polyline fill=\"none\" stroke=\"var(--%s)\" stroke-width=\"2\" stroke-dasharray=\"%s\" points=\"",
				color_of(line->row), dash_of(line->row));
		for (uint32_t i = 0; i < line->count; i++) {
			if (isfinite(line->y[i])) {
				fprintf(page->out, "%.1f,%.1f ", snw_chart_x(a, line->x[i]), snw_chart_y(a, fmin(line->y[i], a->y_most)));
			}
		}
		fputs("\"/>\n", page->out);
	}
	for (uint32_t i = 0; i < line->count; i++) {
		if (isfinite(line->y[i])) {
			x = snw_chart_x(a, line->x[i]);
			y = snw_chart_y(a, fmin(line->y[i], a->y_most));
			write_dot(page, a, line, i, unit);
		}
	}
	snw_chart_line(page->out, x + 5, y, a->left + a->width + 14, label_y, color_of(line->row), 0.7);
	snw_chart_label(page->out, a->left + a->width + 18, label_y + 4, "start", page->comparison->rows[line->row].name);
}

typedef struct chart {
	const char *title, *x_title, *unit, *caption;
	double x_least, x_most, y_most; /* of the numbers that are shown; what is above y_most is drawn at the upper edge */
	double first_tick;              /* others are 2, 4, 8 … times as far */
	bool has_last_tick;             /* and one at the end */
	uint32_t count;
	chart_line *lines;
} chart;

static void write_chart(const snw_compare_page *page, const chart *c) {
	enum { HEIGHT = 330 };
	double step, *labels = SNW_NEW_ARRAY(page->call->arena, double, c->count);
	uint32_t *order = SNW_NEW_ARRAY(page->call->arena, uint32_t, c->count);
	const snw_chart_axes a = {.left = 60,
							  .top = 16,
							  .width = SNW_CHART_WIDTH - 60 - label_width(page->comparison),
							  .height = HEIGHT,
							  .x_least = c->x_least,
							  .x_most = c->x_most,
							  .y_most = snw_chart_end(c->y_most, &step),
							  .x_is_logarithmic = true};
	for (uint32_t i = 0; i < c->count; i++) {
		const double last = c->lines[i].y[c->lines[i].count - 1];
		labels[i] = snw_chart_y(&a, isfinite(last) ? fmin(last, a.y_most) : a.y_most);
	}
	spread_labels(c->count, labels, order, LABEL_GAP);
	snw_chart_begin(page->out, HEIGHT + 70, c->title);
	snw_chart_grid(page->out, &a, step);
	for (double x = c->first_tick; x < (c->has_last_tick ? 0.99 : 1) * c->x_most; x *= 2) {
		snw_chart_tick(page->out, &a, x, "");
	}
	if (c->has_last_tick) {
		snw_chart_tick(page->out, &a, c->x_most, "");
	}
	for (uint32_t i = 0; i < c->count; i++) {
		write_chart_line(page, &a, &c->lines[i], c->unit, labels[i]);
	}
	snw_chart_label(page->out, a.left + a.width / 2, HEIGHT + 56, "middle", c->x_title);
	snw_chart_finish(page->out, c->caption);
}

static chart_line *add_line(const snw_compare_page *page, chart *c, uint32_t row, uint32_t count) {
	chart_line *line = &c->lines[c->count++];
	*line = (chart_line){row, count, SNW_NEW_ARRAY(page->call->arena, double, count),
						 SNW_NEW_ARRAY(page->call->arena, double, count)};
	return line;
}

/* The baseline's row; NULL where it is not compared, or failed. */
static const snw_compare_row *find_baseline(const snw_compare_page *page) {
	const char *name = snw_registry_trait_name(page->opened->registry, SNW_BASELINE);
	for (uint32_t r = 0; name && r < page->comparison->row_count; r++) {
		const snw_compare_row *row = &page->comparison->rows[r];
		if (strcmp(row->name, name) == 0 && row->test.is_known) {
			return row;
		}
	}
	return NULL;
}

/* Methods with few frames can be far off: the axis ends at twice the baseline's error, or without it at twice the largest error
 * of a fit to all frames. Such errors are on the scale in any case. */
static double curve_limit(const snw_compare_page *page) {
	const snw_compare_row *baseline = find_baseline(page);
	double most = 0, most_of_whole = 0;
	for (uint32_t r = 0; r < page->comparison->row_count; r++) {
		const snw_compare_row *row = &page->comparison->rows[r];
		for (uint32_t i = 0; i < row->curve_count; i++) {
			most = isfinite(row->curve[i].erms) ? fmax(most, row->curve[i].erms) : most;
		}
		const double whole = row->curve_count > 0 ? row->curve[row->curve_count - 1].erms : 0;
		most_of_whole = isfinite(whole) ? fmax(most_of_whole, whole) : most_of_whole;
	}
	return fmin(most, baseline ? fmax(2 * baseline->test.measure.erms, most_of_whole) : 2 * most_of_whole);
}

static void page_curve_chart(const snw_compare_page *page) {
	const snw_comparison *comparison = page->comparison;
	chart c = {.title = "Error over the number of training poses",
			   .x_title = "training frames, those that cover pose space best",
			   .unit = "frames",
			   .caption = "The erms on the test clip after a fit to so many frames of the training clip. What is off the scale "
						  "is drawn at its upper edge. Methods that learn from the project's sculpts alone, or need no fit, "
						  "have no curve.",
			   .x_least = INFINITY,
			   .y_most = curve_limit(page),
			   .has_last_tick = true,
			   .lines = SNW_NEW_ARRAY(page->call->arena, chart_line, comparison->row_count)};
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const snw_compare_row *row = &comparison->rows[r];
		const chart_line *line = row->curve_count > 0 ? add_line(page, &c, r, row->curve_count) : NULL;
		for (uint32_t i = 0; i < row->curve_count; i++) {
			line->x[i] = row->curve[i].frame_count;
			line->y[i] = row->curve[i].erms;
			c.x_least = fmin(c.x_least, line->x[i]);
			c.x_most = fmax(c.x_most, line->x[i]);
		}
	}
	c.first_tick = c.x_least;
	if (c.count == 0 || !(c.x_most > c.x_least)) {
		fputs("<p class=\"quiet\">No method was fitted to several numbers of frames.</p>\n", page->out);
		return;
	}
	write_chart(page, &c);
}

/* ---- error and cost ------------------------------------------------------------------------------------------------------ */

static bool has_cost(const snw_compare_row *row) {
	return !row->failure && row->test.is_known && isfinite(row->test.measure.erms) && row->cost.ratio > 0;
}

static void page_cost_chart(const snw_compare_page *page) {
	const snw_comparison *comparison = page->comparison;
	chart c = {.title = "Error on the test clip over the time of a pose",
			   .x_title = "time of a pose, as a multiple of linear blend's",
			   .unit = "times",
			   .caption = "The erms on the test clip over the measured time of a pose on this processor.",
			   .x_least = 0.9,
			   .x_most = 2,
			   .first_tick = 1,
			   .lines = SNW_NEW_ARRAY(page->call->arena, chart_line, comparison->row_count)};
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		const snw_compare_row *row = &comparison->rows[r];
		if (has_cost(row)) {
			const chart_line *line = add_line(page, &c, r, 1);
			line->x[0] = row->cost.ratio;
			line->y[0] = row->test.measure.erms;
			c.x_least = fmin(c.x_least, line->x[0] / 1.1);
			c.x_most = fmax(c.x_most, line->x[0] * 1.1);
			c.y_most = fmax(c.y_most, line->y[0]);
		}
	}
	write_chart(page, &c);
}

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

/* The contact sheet: the frames of the test clip that cover its poses best, a row for each method, painted with the error. */

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

/* SNW_CANCELLED, or OK. */
static snw_status page_pictures(const snw_compare_page *page, snw_error *error) {
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

/* ---- page ---------------------------------------------------------------------------------------------------------------- */

static const char *clip_name(const snw_scene *scene, const snw_target *target) {
	return scene->clips[snw_target_clip(scene, target)].name;
}

static void write_head(const snw_compare_page *page) {
	const snw_scene *scene = page->opened->scene;
	const snw_target *train = &scene->targets[page->request->train], *test = &scene->targets[page->request->test];
	const snw_mesh *mesh = &scene->meshes[page->comparison->mesh];
	FILE *out = page->out;
	snw_page_begin(out, "Skins compared", snw_path_name(page->opened->path), "");
	fputs("<p>Mesh ", out);
	snw_page_text(out, mesh->name);
	fprintf(out, ": %u points, %u joints. Trained on clip <b>", mesh->point_count, scene->skeleton.joint_count);
	snw_page_text(out, clip_name(scene, train));
	fprintf(out, "</b> (%u frame%s), tested on clip <b>", train->frame_count, snw_plural(train->frame_count));
	snw_page_text(out, clip_name(scene, test));
	fprintf(out,
			"</b> (%u frame%s), which no fit has read. \xe2\x80\x9c"
			"a+b\xe2\x80\x9d is b over a. Made by <code>sinew compare</code>, version " SINEW_VERSION ".</p>\n",
			test->frame_count, snw_plural(test->frame_count));
}

static void write_definitions(const snw_compare_page *page) {
	fputs(
		"<h2>What the numbers are</h2>\n"
		"<p><b>erms</b>: 1000 × the root mean square distance of the points from the ground truth, per coordinate, over half "
		"the "
		"diagonal of the rest's bounding box. <b>distortion</b>: in percent of the distance from the points' means over time. "
		"<b>enveloping</b>: the ratio to the best rigid prediction, in which each point follows one joint. <b>max</b>: the "
		"largest "
		"distance in percent of the diagonal. <b>normals</b>: the root mean square angle between the normals. <b>points, mean "
		"± "
		"spread</b>: the mean and the standard deviation of the errors of single points, in percent of the best rigid "
		"prediction.</p>\n"
		"<p><b>left out</b>: parts of the training clip, or sculpts, are left out of a fit in turn, and the fits are measured "
		"there. "
		"<b>operations</b>: additions and multiplications of one pose's skin program in floats, without normals and without "
		"what the "
		"method does once a pose. <b>ratio</b>: the time of a pose over that of linear blend, measured in turn in one run on "
		"the "
		"processor, on one thread. <b>export</b>: what a glTF file plays against the stack, over the test clip, and against "
		"the ground truth "
		"(<b>file erms</b>). A dash is a number that is not defined or not known.</p>\n",
		page->out);
}

static snw_status write_parts(const snw_compare_page *page, snw_error *error) {
	write_head(page);
	fputs("<h2>Errors of single points</h2>\n", page->out);
	page_spread_chart(page);
	snw_page_tables(page);
	fputs("<h2>More training poses</h2>\n", page->out);
	page_curve_chart(page);
	fputs("<h2>Error and cost</h2>\n", page->out);
	page_cost_chart(page);
	const snw_status status = page_pictures(page, error);
	write_definitions(page);
	snw_page_end(page->out);
	return status;
}

snw_status snw_compare_page_write(const snw_call *call, const snw_opened *opened, const snw_compare_request *request,
								  const snw_comparison *comparison, const char *path, snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_compare_page page = {
		.call = call, .opened = opened, .request = request, .comparison = comparison, .out = snw_file_write_stream(file)};
	status = write_parts(&page, error);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	return snw_file_write_commit(file, error);
}
