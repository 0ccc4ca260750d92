/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A review page: the character, live, with what is known of its skin. One HTML file, as that of a comparison.
 *
 *   character  the exported file, its camera and controls (review.html, review.css, review.js)
 *   errors     over the frames of mesh animations: curves, and heat maps for the character
 *   tables     measures, contact, levels of detail
 *   examples   a row of pictures for each
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_line/embedded_texts.h"
#include "cli/command_line/verb.h"
#include "cli/output/output.h"
#include "cli/page.h"
#include "cli/stack/tables.h"
#include "export/export.h"
#include "file/file.h"
#include "lod/lod.h"
#include "measure/measure.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "render/overlay/canvas.h"

typedef struct review_page {
	const snw_call *call;
	const snw_opened *opened;
	FILE *out;
	snw_stack *before; /* the baseline; NULL where no mesh has a skin, or the stack is the baseline alone */
	snw_stack *after;
	const char *baseline; /* its name; NULL without one */
	cJSON *facts;         /* for review.js */
	cJSON *numbers;       /* the answer of the verb, with --json or without */
} review_page;

/* ---- errors -------------------------------------------------------------------------------------------------------------- */

/* Heat maps of all mesh animations together take this many bytes, a byte a point, before they are packed; frames between are
 * interpolated. */
enum { HEAT_BYTES = 2600000, MOST_HEATS = 48 };

/* The errors of both stacks over the frames of one mesh animation. */
typedef struct curve {
	const snw_target *target;
	const char *clip;
	uint32_t frame_count;
	double *erms[2]; /* before (NULL) and after: [frame_count] */
} curve;

typedef struct review_curves {
	uint32_t count;
	curve *curves;
} review_curves;

/* One mesh animation being measured. */
typedef struct frames {
	const review_page *review;
	snw_series series;
	uint32_t heat_count, *heats; /* frames that have a heat map */
	uint32_t row_count;          /* of each: stacks */
	double *distances;           /* [heat_count][row_count][point_count], metres */
	double most;
} frames;

static void choose_heats(frames *f, uint32_t budget) {
	const uint32_t points = f->series.mesh->point_count, frame_count = f->series.frame_count;
	const uint64_t room = (uint64_t)budget / ((uint64_t)f->row_count * points);
	f->heat_count = room < 2 ? 2 : room > MOST_HEATS ? MOST_HEATS : (uint32_t)room;
	f->heat_count = f->heat_count < frame_count ? f->heat_count : frame_count;
	f->heats = SNW_NEW_ARRAY(f->review->call->arena, uint32_t, f->heat_count);
	for (uint32_t h = 0; h < f->heat_count; h++) {
		f->heats[h] = f->heat_count > 1 ? (uint32_t)((uint64_t)h * (frame_count - 1) / (f->heat_count - 1)) : 0;
	}
	f->distances =
		SNW_NEW_ARRAY(f->review->call->arena, double, (size_t)f->heat_count * f->row_count * f->series.mesh->point_count);
}

/* The errors of one stack, row `row` of the heat maps. */
static snw_status measure_stack(frames *f, const snw_stack *stack, uint32_t mesh, uint32_t row, double *erms,
								snw_error *error) {
	const size_t points = f->series.mesh->point_count;
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_arena *arena = snw_arena_create();
	double *expected = SNW_NEW_ARRAY(arena, double, 3 * points), *actual = SNW_NEW_ARRAY(arena, double, 3 * points);
	double *distances = SNW_NEW_ARRAY(arena, double, points);
	snw_status status = SNW_OK;
	for (uint32_t i = 0, heat = 0; i < f->series.frame_count && !snw_failed(status); i++) {
		const bool goes_on = snw_task_progress(&f->review->call->task, (double)i / f->series.frame_count, "measuring frames");
		double squares = 0;
		status = goes_on ? snw_stack_drive(stack, f->series.frames[i].pose, evaluation, error) : SNW_CANCELLED;
		status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, actual, error);
		if (snw_failed(status)) {
			break;
		}
		snw_series_points(&f->series, i, expected);
		snw_measure_distances((uint32_t)points, expected, actual, distances);
		for (size_t p = 0; p < points; p++) {
			squares += distances[p] * distances[p];
			f->most = fmax(f->most, distances[p]);
		}
		erms[i] = 1000 * sqrt(squares / (3.0 * (double)points)) / (f->series.diagonal / 2);
		if (heat < f->heat_count && f->heats[heat] == i) {
			memcpy(f->distances + (heat * f->row_count + row) * points, distances, points * sizeof *distances);
			heat++;
		}
	}
	snw_arena_destroy(arena);
	snw_evaluation_destroy(evaluation);
	return status;
}

/* Into the facts, and the bytes after those that are there. */
static void add_heat(const frames *f, const curve *c, unsigned char *bytes, size_t *count) {
	const size_t numbers = (size_t)f->heat_count * f->row_count * f->series.mesh->point_count;
	cJSON *row = snw_answer_row(cJSON_GetObjectItemCaseSensitive(f->review->facts, "errors"));
	cJSON *seconds = snw_answer_list(row, "seconds");
	snw_answer_text(row, "clip", c->clip);
	snw_answer_text(row, "mesh", f->series.mesh->name);
	snw_answer_number(row, "points", f->series.mesh->point_count);
	snw_answer_number(row, "rows", f->row_count);
	snw_answer_number(row, "begin", (double)*count);
	snw_answer_number(row, "millimetres", 1000 * f->most);
	for (uint32_t h = 0; h < f->heat_count; h++) {
		cJSON_AddItemToArray(seconds, cJSON_CreateNumber(c->target->seconds[f->heats[h]]));
	}
	for (size_t i = 0; i < numbers; i++) {
		const double share = f->most > 0 ? f->distances[i] / f->most : 0;
		bytes[(*count)++] = (unsigned char)lround(255 * (isfinite(share) ? share : 1));
	}
}

static snw_status measure_target(const review_page *review, uint32_t t, uint32_t budget, curve *c, unsigned char *bytes,
								 size_t *count, snw_error *error) {
	const snw_scene *scene = review->opened->scene;
	const snw_target *target = &scene->targets[t];
	frames f = {.review = review, .row_count = review->before ? 2 : 1};
	snw_status status = snw_series_of_target(scene, t, review->call->arena, &f.series, error);
	if (snw_failed(status)) {
		return status;
	}
	*c = (curve){target, scene->clips[snw_target_clip(scene, target)].name, target->frame_count, {NULL, NULL}};
	choose_heats(&f, budget);
	for (uint32_t s = review->before ? 0 : 1; s < 2 && !snw_failed(status); s++) {
		c->erms[s] = SNW_NEW_ARRAY(review->call->arena, double, target->frame_count);
		status =
			measure_stack(&f, s == 0 ? review->before : review->after, target->mesh, s + f.row_count - 2, c->erms[s], error);
	}
	if (!snw_failed(status)) {
		add_heat(&f, c, bytes, count);
	}
	return status;
}

static bool is_shown(const snw_scene *scene, const snw_target *target) {
	return target->frame_count > 0 && snw_target_clip(scene, target) != SNW_NONE;
}

/* Adds to the facts, and writes the heat maps; the curves are written after the character. */
static snw_status measure_frames(const review_page *review, review_curves **curves, snw_error *error) {
	const snw_scene *scene = review->opened->scene;
	snw_arena *arena = review->call->arena;
	uint32_t shown = 0;
	size_t count = 0, room = HEAT_BYTES;
	snw_status status = SNW_OK;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		shown += is_shown(scene, &scene->targets[t]);
		room += 4 * (size_t)scene->meshes[scene->targets[t].mesh].point_count; /* two frames, before and after, in any case */
	}
	const uint32_t budget = shown > 0 ? HEAT_BYTES / shown : 0;
	unsigned char *bytes = snw_arena_array(arena, room, 1);
	*curves = SNW_NEW(arena, review_curves);
	(*curves)->curves = SNW_NEW_ARRAY(arena, curve, shown);
	cJSON_AddArrayToObject(review->facts, "errors");
	for (uint32_t t = 0; t < scene->target_count && !snw_failed(status); t++) {
		if (is_shown(scene, &scene->targets[t])) {
			curve *c = &(*curves)->curves[(*curves)->count++];
			status = measure_target(review, t, budget, c, bytes, &count, error);
		}
	}
	return snw_failed(status) ? status : snw_page_data(review->out, "heat", bytes, count, error);
}

/* ---- curves -------------------------------------------------------------------------------------------------------------- */

static void write_line(const review_page *review, const curve *c, const snw_chart_axes *axes, int stack) {
	static const char *const colors[] = {"c0", "c2"};
	fprintf(review->out, "<polyline fill=\"none\" stroke=\"var(--%s)\" stroke-width=\"2\" points=\"", colors[stack]);
	for (uint32_t i = 0; i < c->frame_count; i++) {
		if (isfinite(c->erms[stack][i])) {
			fprintf(review->out, "%.1f,%.1f ", snw_chart_x(axes, c->target->seconds[i]), snw_chart_y(axes, c->erms[stack][i]));
		}
	}
	fputs("\"/>\n", review->out);
}

static void write_names(const review_page *review, const snw_chart_axes *axes) {
	const char *names[] = {review->baseline, "the stack"};
	for (int s = review->before ? 0 : 1; s < 2; s++) {
		const double x = axes->left + (review->before ? 180 * s : 0), y = axes->top - 12;
		snw_chart_line(review->out, x, y - 4, x + 26, y - 4, s == 0 ? "c0" : "c2", 3);
		snw_chart_label(review->out, x + 34, y, "start", names[s]);
	}
}

/* The line that follows the character's clip (review.js). */
static void write_cursor(const review_page *review, const curve *c, const snw_chart_axes *axes) {
	fputs("<path class=\"cursor\" data-clip=\"", review->out);
	snw_page_text(review->out, c->clip);
	fprintf(review->out,
			"\" data-left=\"%.1f\" data-width=\"%.1f\" data-end=\"%.9g\" transform=\"translate(-99 0)\" d=\"M0 %.1fV%.1f\" "
			"stroke=\"var(--ink)\"/>\n",
			axes->left, axes->width, axes->x_most, axes->top, axes->top + axes->height);
}

static void write_curve(const review_page *review, const curve *c) {
	enum { HEIGHT = 200 };
	double most = 0, step, tick;
	for (uint32_t i = 0; i < c->frame_count; i++) {
		for (int s = 0; s < 2; s++) {
			most = c->erms[s] && isfinite(c->erms[s][i]) ? fmax(most, c->erms[s][i]) : most;
		}
	}
	snw_chart_axes axes = {.left = 60, .top = 34, .width = SNW_CHART_WIDTH - 90, .height = HEIGHT};
	axes.y_most = snw_chart_end(most, &step);
	axes.x_most = c->target->seconds[c->frame_count - 1] > 0 ? c->target->seconds[c->frame_count - 1] : 1;
	(void)snw_chart_end(axes.x_most, &tick);
	snw_chart_begin(review->out, HEIGHT + 66, "Error over time");
	snw_chart_grid(review->out, &axes, step);
	for (double x = 0; x <= axes.x_most * (1 + 1e-9); x += tick) {
		snw_chart_tick(review->out, &axes, x, "");
	}
	for (int s = 0; s < 2; s++) {
		if (c->erms[s]) {
			write_line(review, c, &axes, s);
		}
	}
	write_names(review, &axes);
	write_cursor(review, c, &axes);
	fputs("</svg><figcaption>", review->out);
	snw_page_text(review->out, c->target->name);
	fputs(": erms of each frame, over seconds.</figcaption></figure>\n", review->out);
}

static void write_curves(const review_page *review, const review_curves *curves) {
	if (curves->count > 0) {
		fputs("<h2>Errors over time</h2>\n", review->out);
	}
	for (uint32_t i = 0; i < curves->count; i++) {
		write_curve(review, &curves->curves[i]);
	}
}

/* ---- the camera ---------------------------------------------------------------------------------------------------------- */

enum { MOMENTS = 4, SIDE = 600 }; /* a square fits into a picture of any shape */

/* One that shows the rest, the examples and moments of all clips. */
static snw_camera frame_all(const review_page *review) {
	const snw_scene *scene = review->opened->scene;
	snw_arena *arena = review->call->arena;
	const size_t most = 1 + (size_t)scene->example_count + MOMENTS * (size_t)scene->clip_count;
	snw_view *views = SNW_NEW_ARRAY(arena, snw_view, most);
	const snw_pose **poses = SNW_NEW_ARRAY(arena, const snw_pose *, most);
	size_t count = 0;
	poses[count++] = snw_pose_rest(scene, arena);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		poses[count++] = &scene->poses[scene->examples[i].pose];
	}
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		for (int m = 0; m < MOMENTS; m++) {
			poses[count++] = snw_pose_sample(scene, c, scene->clips[c].duration_seconds * m / (MOMENTS - 1), arena);
		}
	}
	for (size_t i = 0; i < count; i++) {
		views[i] = (snw_view){.scene = scene,
							  .stack = review->after,
							  .pose = snw_pose_view_make(scene, poses[i], arena),
							  .camera = {.yaw = 0.6, .pitch = 0.15}};
	}
	return snw_camera_frame_all(views, count, NULL, SIDE, SIDE);
}

static void add_camera(const review_page *review) {
	const snw_camera camera = frame_all(review);
	cJSON *object = cJSON_AddObjectToObject(review->facts, "camera");
	cJSON_AddItemToObject(object, "target", cJSON_CreateDoubleArray(camera.target, 3));
	cJSON_AddNumberToObject(object, "yaw", camera.yaw);
	cJSON_AddNumberToObject(object, "pitch", camera.pitch);
	cJSON_AddNumberToObject(object, "distance", camera.distance);
}

/* ---- the files ----------------------------------------------------------------------------------------------------------- */

/* The scene with nothing that divides points into vertices, and no pictures: the page draws points, in the colours of
 * materials. */
static snw_scene *make_bare(const review_page *review) {
	const snw_scene *scene = review->opened->scene;
	snw_scene *bare = snw_arena_copy(review->call->arena, scene, sizeof *scene);
	snw_mesh *meshes = snw_arena_copy(review->call->arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		meshes[m].corner_uvs = meshes[m].corner_normals = meshes[m].corner_tangents = meshes[m].corner_colors = NULL;
	}
	snw_material *materials = snw_arena_copy(review->call->arena, scene->materials, scene->material_count * sizeof *materials);
	for (uint32_t m = 0; m < scene->material_count; m++) {
		snw_material *material = &materials[m];
		material->base_color_image = material->metallic_roughness_image = SNW_NONE;
		material->normal_image = material->emissive_image = SNW_NONE;
		material->kept = NULL;
		material->kept_image_count = 0;
	}
	bare->meshes = meshes;
	bare->materials = materials;
	bare->image_count = 0;
	return bare;
}

/* A binary glTF in the page, named `id`. */
static snw_status write_file(const review_page *review, const char *method, const char *id, snw_export_report *report,
							 snw_error *error) {
	const snw_scene *bare = make_bare(review);
	const snw_stack_options options = {.method = method};
	snw_export_request request = {.mesh = SNW_NONE, .clip = SNW_NONE, .influences = 8, .unmeasured = report == NULL};
	snw_export_report unmeasured;
	snw_stack *stack = NULL;
	char *bytes = NULL;
	size_t count = 0;
	snw_status status = snw_stack_build(bare, review->opened->registry, &options, &review->call->task, &stack, error);
	request.stream = snw_failed(status) ? NULL : open_memstream(&bytes, &count);
	if (request.stream) {
		status = snw_export_binary(bare, stack, &request, &review->call->task, report ? report : &unmeasured, error);
		const bool is_whole = !ferror(request.stream);
		if (fclose(request.stream) != 0 || !is_whole) {
			status =
				snw_failed(status) ? status : snw_fail(error, SNW_ERROR_MEMORY, "out of memory for the exported character");
		}
	} else if (!snw_failed(status)) {
		status = snw_fail(error, SNW_ERROR_MEMORY, "out of memory for the exported character");
	}
	status = snw_failed(status) ? status : snw_page_data(review->out, id, (const unsigned char *)bytes, count, error);
	free(bytes);
	snw_stack_destroy(stack);
	return status;
}

/* ---- the page ------------------------------------------------------------------------------------------------------------ */

static void write_loss(const review_page *review, const snw_export_report *report) {
	const bool is_far = snw_export_is_far_off(report);
	fprintf(review->out,
			"<p class=\"%s\">This is what an engine plays of the skin, linear blend over morph targets: at most %.3f %% of the "
			"diagonal from the stack.%s</p>\n",
			is_far ? "warning" : "quiet", report->playback_max_percent,
			is_far ? " That is another skin; the errors and pictures below are the stack's." : "");
}

/* JSON in a script element, which ends at the first "</". */
static void write_facts(const review_page *review) {
	char *text = cJSON_PrintUnformatted(review->facts);
	fputs("<script type=\"application/json\" id=\"facts\">", review->out);
	for (const char *c = text ? text : "{}"; *c; c++) {
		fputs(*c == '<' ? "\\u003c" : (char[]){*c, 0}, review->out);
	}
	fputs("</script>\n", review->out);
	cJSON_free(text);
}

static snw_status write_scripts(const review_page *review, snw_error *error) {
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	const snw_status status = snw_page_data(review->out, "ramp", ramp[0], sizeof ramp, error);
	fprintf(review->out, "<script type=\"module\">\n%s%s</script>\n", snw_cli_embedded("sinew.js"),
			snw_cli_embedded("review.js"));
	return status;
}

/* Where the stack cannot be exported, the page says why in its place. */
static snw_status write_character(const review_page *review, snw_error *error) {
	snw_export_report report = {0};
	snw_error reason = {0};
	snw_status status = write_file(review, NULL, "after", &report, &reason);
	if (!snw_failed(status) && review->before) {
		status = write_file(review, review->baseline, "before", NULL, &reason);
	}
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", reason.text);
	}
	if (snw_failed(status)) {
		fputs("<p class=\"warning\">The character cannot be shown, because no engine plays this skin: ", review->out);
		snw_page_text(review->out, reason.text);
		fputs("</p>\n", review->out);
		return SNW_OK;
	}
	add_camera(review);
	write_facts(review);
	write_loss(review, &report);
	fputs(snw_cli_embedded("review.html"), review->out);
	return write_scripts(review, error);
}

/* ---- the page ------------------------------------------------------------------------------------------------------------ */

/* sinew report: a page to show, with the character in it. */

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

/* A column that is a member of an answer's rows. */
typedef struct report_column {
	const char *head, *key;
	int digits; /* after the point; −1: a text */
} report_column;

static void write_cell(FILE *out, const cJSON *row, const report_column *c) {
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(row, c->key);
	if (c->digits < 0) {
		snw_page_name(out, cJSON_IsString(member) ? member->valuestring : "");
	} else {
		snw_page_number(out, cJSON_IsNumber(member) ? member->valuedouble : (double)NAN, c->digits, false);
	}
}

/* For an empty list the line `none`, or nothing where that is NULL. */
static void write_report_table(const review_page *review, const char *title, const char *words, const char *none,
							   const char *list, const report_column *columns, size_t count) {
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(review->numbers, list), *row;
	if (!rows || !rows->child) {
		if (none) {
			fprintf(review->out, "<p class=\"quiet\">%s</p>\n", none);
		}
		return;
	}
	snw_page_begin_table(review->out, title, words);
	for (size_t c = 0; c < count; c++) {
		snw_page_head(review->out, columns[c].head);
	}
	snw_page_begin_rows(review->out);
	cJSON_ArrayForEach(row, rows) {
		fputs("<tr>", review->out);
		for (size_t c = 0; c < count; c++) {
			write_cell(review->out, row, &columns[c]);
		}
		fputs("</tr>\n", review->out);
	}
	snw_page_end_table(review->out);
}

/* As a list of the answer, of one row a level: of its meshes together, where they are several. */
static void list_levels(const review_page *review) {
	const snw_scene *scene = review->opened->scene;
	cJSON *list = scene->level_count > 0 ? cJSON_AddArrayToObject(review->numbers, "levels") : NULL;
	for (uint32_t i = 0; i < scene->level_count; i++) {
		const snw_level *level = &scene->levels[i];
		cJSON *row = snw_answer_row(list);
		snw_answer_number(row, "level", level->number);
		snw_answer_text(row, "mesh", scene->meshes[level->mesh].name);
		snw_answer_number(row, "points", level->shape.point_count);
		snw_answer_number(row, "triangles", snw_triangle_count(&level->shape));
		snw_answer_number(row, "joints", level->joint_count);
		snw_answer_number(row, "rms_percent", level->rms_percent);
		snw_answer_number(row, "largest_percent", level->largest_percent);
		snw_answer_number(row, "screen_percent", 100 * level->screen_share);
	}
}

static snw_status review_tables(const review_page *review, snw_error *error) {
	static const report_column measures[] = {
		{"against", "against", -1},
		{"method", "method", -1},
		{"frames", "frames", 0},
		{"erms", "erms", 3},
		{"max %", "max_percent", 3},
		{"distortion %", "distortion_percent", 3},
		{"normals °", "normals_degrees", 2},
	};
	static const report_column contact[] = {
		{"mesh", "mesh", -1},         {"with", "other", -1},         {"at", "at", -1},
		{"mm deep", "deepest_mm", 2}, {"mm before", "before_mm", 2}, {"moments", "moments", 0},
	};
	static const report_column levels[] = {
		{"level", "level", 0},
		{"mesh", "mesh", -1},
		{"points", "points", 0},
		{"triangles", "triangles", 0},
		{"joints", "joints", 0},
		{"rms %", "rms_percent", 4},
		{"largest %", "largest_percent", 4},
		{"screen %", "screen_percent", 1},
	};
	snw_call call = *review->call;
	const char *methods[] = {NULL};
	call.answer = review->numbers;
	snw_status status = snw_error_table_print(&call, review->opened, methods, 1, NULL, error);
	status = snw_failed(status) ? status : snw_contact_made_print(&call, review->opened, NULL, error);
	if (snw_failed(status)) {
		return status;
	}
	list_levels(review);
	write_report_table(
		review, "Errors",
		"<b>erms</b>: 1000 × the root mean square distance from the ground truth, per coordinate, over half the diagonal of "
		"the rest's bounding box. <b>max</b>: the largest distance in percent of the diagonal. <b>distortion</b>: in percent "
		"of the distance from the points' means over time. <b>normals</b>: the root mean square angle between the normals.",
		NULL, "errors", measures, sizeof measures / sizeof *measures);
	write_report_table(review, "Contact", "Where the stack goes deeper into itself or another mesh than its base blend does.",
					   "Contact: at no moment does the stack go deeper into itself or another mesh than its base blend does.",
					   "contact", contact, sizeof contact / sizeof *contact);
	write_report_table(review, "Levels of detail",
					   "Distances in percent of the diagonal, from surface to surface both ways, in poses that were held out. "
					   "<b>screen</b>: up to this share of the screen's height the largest is within one pixel of 1080.",
					   "Levels of detail: the project has none.", "levels", levels, sizeof levels / sizeof *levels);
	return SNW_OK;
}

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

enum { WIDTH = 190, HEIGHT = 240, MOST_ROWS = 12 };

static snw_status write_example_rows(const review_page *review, snw_error *error) {
	const snw_view base = {.scene = review->opened->scene, .camera = {.yaw = 0.6, .pitch = 0.25}, .flags = SNW_VIEW_CLAY};
	snw_view *views = NULL;
	snw_renderer *renderer = NULL;
	uint32_t count = 0;
	snw_status status =
		snw_picture_example_views(review->call, &base, review->before, review->after, WIDTH, HEIGHT, &views, &count, error);
	status = snw_failed(status) ? status : snw_renderer_create(&renderer, error);
	for (uint32_t i = 0; i < count && i < MOST_ROWS && !snw_failed(status); i++) {
		status = snw_page_picture(review->out, review->call, renderer, views + (size_t)i * SNW_EXAMPLE_COLUMNS,
								  SNW_EXAMPLE_COLUMNS, WIDTH, HEIGHT, review->opened->scene->examples[i].name, error);
	}
	snw_renderer_destroy(renderer);
	return status;
}

/* Without a way to draw, the page says so. */
static snw_status review_examples(const review_page *review, snw_error *error) {
	const uint32_t count = review->opened->scene->example_count;
	snw_error reason = {0};
	if (count == 0 || !review->before) {
		return SNW_OK;
	}
	fprintf(review->out,
			"<h2>Examples</h2>\n<p class=\"quiet\">At rest, by linear blend, the sculpt, the result, and the errors of linear "
			"blend and of the result on one scale%s.</p>\n",
			count > MOST_ROWS ? ". The first 12 are shown" : "");
	const snw_status status = write_example_rows(review, &reason);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", reason.text);
	}
	if (snw_failed(status)) {
		fputs("<p class=\"quiet\">No pictures: ", review->out);
		snw_page_text(review->out, reason.text);
		fputs("</p>\n", review->out);
		snw_task_notice(&review->call->task, SNW_LOG_WARNING, "the page has no pictures of examples: %s", reason.text);
	}
	return SNW_OK;
}

/* ---- report -------------------------------------------------------------------------------------------------------------- */

static void write_intro(const review_page *review) {
	const snw_scene *scene = review->opened->scene;
	uint64_t points = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		points += scene->meshes[m].point_count;
	}
	fprintf(review->out, "<p>%u mesh%s, %llu points, %u joint%s, %u example%s. The stack, from below:", scene->mesh_count,
			scene->mesh_count == 1 ? "" : "es", (unsigned long long)points, scene->skeleton.joint_count,
			snw_plural(scene->skeleton.joint_count), scene->example_count, snw_plural(scene->example_count));
	for (uint32_t l = 0; l < scene->layer_count; l++) {
		fputs(l > 0 ? ", " : " ", review->out);
		snw_page_text(review->out, scene->layers[l].name);
		fputs(scene->layers[l].muted ? " (muted)" : "", review->out);
	}
	fputs(". Made by <code>sinew report</code>, version " SINEW_VERSION ".</p>\n", review->out);
}

static snw_status write_parts(const review_page *review, snw_error *error) {
	review_curves *curves = NULL;
	snw_page_begin(review->out, "Skin review", snw_path_name(review->opened->path), snw_cli_embedded("review.css"));
	write_intro(review);
	snw_status status = measure_frames(review, &curves, error);
	status = snw_failed(status) ? status : write_character(review, error);
	if (!snw_failed(status)) {
		write_curves(review, curves);
		status = review_tables(review, error);
	}
	status = snw_failed(status) ? status : review_examples(review, error);
	snw_page_end(review->out);
	return status;
}

/* The stack that is "before": there is none where no mesh has a skin. */
static snw_status build_before(review_page *review, snw_error *error) {
	const snw_scene *scene = review->opened->scene;
	bool has_skin = false;
	review->baseline = snw_registry_trait_name(review->opened->registry, SNW_BASELINE);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		has_skin = has_skin || scene->meshes[m].influence_offsets;
	}
	const bool is_alone = scene->layer_count == 1 && review->baseline && strcmp(scene->layers[0].name, review->baseline) == 0;
	return has_skin && review->baseline && !is_alone
			   ? snw_opened_stack(review->call, review->opened, review->baseline, &review->before, error)
			   : SNW_OK;
}

static snw_status write_page(const snw_call *call, const snw_opened *opened, const char *path, uint64_t *bytes,
							 snw_error *error) {
	snw_file_write *file = NULL;
	review_page review = {.call = call,
						  .opened = opened,
						  .facts = cJSON_CreateObject(),
						  .numbers = call->answer ? call->answer : cJSON_CreateObject()};
	snw_status status = snw_opened_stack(call, opened, NULL, &review.after, error);
	status = snw_failed(status) ? status : build_before(&review, error);
	status = snw_failed(status) ? status : snw_file_write_begin(path, &file, error);
	if (!snw_failed(status)) {
		review.out = snw_file_write_stream(file);
		status = write_parts(&review, error);
		*bytes = (uint64_t)ftell(review.out);
		if (snw_failed(status)) {
			snw_file_write_abandon(file);
		} else {
			status = snw_file_write_commit(file, error);
		}
	}
	snw_stack_destroy(review.before);
	snw_stack_destroy(review.after);
	cJSON_Delete(review.facts);
	if (!call->answer) {
		cJSON_Delete(review.numbers);
	}
	return status;
}

static snw_status run_report(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	snw_opened opened;
	uint64_t bytes = 0;
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the output is missing; name it with -o PAGE.html");
	}
	snw_status status = snw_output_file(call, path, "html", error);
	status = snw_failed(status)
				 ? status
				 : snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = write_page(call, &opened, path, &bytes, error);
	if (!snw_failed(status)) {
		snw_say(call, "%s: %.1f MB", path, (double)bytes / 1e6);
		snw_answer_text(call->answer, "file", path);
		snw_answer_number(call->answer, "bytes", (double)bytes);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option report_options[] = {
	{"-o", "PAGE.html", "the page, in one file that needs no network"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_report = {
	.name = "report",
	.part = SNW_VERB_SHOWS,
	.usage = "P.sinew -o PAGE.html",
	.help = "Writes a page to show: the character live, its errors, examples, contact and levels of detail.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = report_options,
	.run = run_report,
};
