/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_line/embedded_texts.h"
#include "cli/page.h"
#include "cli/report/report.h"
#include "export/export.h"
#include "measure/measure.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "render/overlay/canvas.h"

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

struct snw_review_curves {
	uint32_t count;
	curve *curves;
};

/* One mesh animation being measured. */
typedef struct frames {
	const snw_review *review;
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

static snw_status measure_target(const snw_review *review, uint32_t t, uint32_t budget, curve *c, unsigned char *bytes,
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

snw_status snw_review_measure_frames(const snw_review *review, snw_review_curves **curves, snw_error *error) {
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
	*curves = SNW_NEW(arena, snw_review_curves);
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

static void write_line(const snw_review *review, const curve *c, const snw_chart_axes *axes, int stack) {
	static const char *const colors[] = {"c0", "c2"};
	fprintf(review->out, "<polyline fill=\"none\" stroke=\"var(--%s)\" stroke-width=\"2\" points=\"", colors[stack]);
	for (uint32_t i = 0; i < c->frame_count; i++) {
		if (isfinite(c->erms[stack][i])) {
			fprintf(review->out, "%.1f,%.1f ", snw_chart_x(axes, c->target->seconds[i]), snw_chart_y(axes, c->erms[stack][i]));
		}
	}
	fputs("\"/>\n", review->out);
}

static void write_names(const snw_review *review, const snw_chart_axes *axes) {
	const char *names[] = {review->baseline, "the stack"};
	for (int s = review->before ? 0 : 1; s < 2; s++) {
		const double x = axes->left + (review->before ? 180 * s : 0), y = axes->top - 12;
		snw_chart_line(review->out, x, y - 4, x + 26, y - 4, s == 0 ? "c0" : "c2", 3);
		snw_chart_label(review->out, x + 34, y, "start", names[s]);
	}
}

/* The line that follows the character's clip (review.js). */
static void write_cursor(const snw_review *review, const curve *c, const snw_chart_axes *axes) {
	fputs("<path class=\"cursor\" data-clip=\"", review->out);
	snw_page_text(review->out, c->clip);
	fprintf(review->out,
			"\" data-left=\"%.1f\" data-width=\"%.1f\" data-end=\"%.9g\" transform=\"translate(-99 0)\" d=\"M0 %.1fV%.1f\" "
			"stroke=\"var(--ink)\"/>\n",
			axes->left, axes->width, axes->x_most, axes->top, axes->top + axes->height);
}

static void write_curve(const snw_review *review, const curve *c) {
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

void snw_review_write_curves(const snw_review *review, const snw_review_curves *curves) {
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
static snw_camera frame_all(const snw_review *review) {
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

static void add_camera(const snw_review *review) {
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
static snw_scene *make_bare(const snw_review *review) {
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
static snw_status write_file(const snw_review *review, const char *method, const char *id, snw_export_report *report,
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

static void write_loss(const snw_review *review, const snw_export_report *report) {
	const bool is_far = snw_export_is_far_off(report);
	fprintf(review->out,
			"<p class=\"%s\">This is what an engine plays of the skin, linear blend over morph targets: at most %.3f %% of the "
			"diagonal from the stack.%s</p>\n",
			is_far ? "warning" : "quiet", report->playback_max_percent,
			is_far ? " That is another skin; the errors and pictures below are the stack's." : "");
}

/* JSON in a script element, which ends at the first "</". */
static void write_facts(const snw_review *review) {
	char *text = cJSON_PrintUnformatted(review->facts);
	fputs("<script type=\"application/json\" id=\"facts\">", review->out);
	for (const char *c = text ? text : "{}"; *c; c++) {
		fputs(*c == '<' ? "\\u003c" : (char[]){*c, 0}, review->out);
	}
	fputs("</script>\n", review->out);
	cJSON_free(text);
}

static snw_status write_scripts(const snw_review *review, snw_error *error) {
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	const snw_status status = snw_page_data(review->out, "ramp", ramp[0], sizeof ramp, error);
	fprintf(review->out, "<script type=\"module\">\n%s%s</script>\n", snw_cli_embedded("sinew.js"),
			snw_cli_embedded("review.js"));
	return status;
}

snw_status snw_review_character(const snw_review *review, snw_error *error) {
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
