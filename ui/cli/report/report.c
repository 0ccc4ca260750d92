/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew report: a page to show, with the character in it.
 */
#include "cli/report/report.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_line/embedded_texts.h"
#include "cli/command_line/verb.h"
#include "cli/output/output.h"
#include "cli/stack/tables.h"
#include "file/file.h"
#include "lod/lod.h"

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
static void write_report_table(const snw_review *review, const char *title, const char *words, const char *none,
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
static void list_levels(const snw_review *review) {
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

static snw_status review_tables(const snw_review *review, snw_error *error) {
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

static snw_status write_example_rows(const snw_review *review, snw_error *error) {
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
static snw_status review_examples(const snw_review *review, snw_error *error) {
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

static void write_intro(const snw_review *review) {
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

static snw_status write_parts(const snw_review *review, snw_error *error) {
	snw_review_curves *curves = NULL;
	snw_page_begin(review->out, "Skin review", snw_path_name(review->opened->path), snw_cli_embedded("review.css"));
	write_intro(review);
	snw_status status = snw_review_measure_frames(review, &curves, error);
	status = snw_failed(status) ? status : snw_review_character(review, error);
	if (!snw_failed(status)) {
		snw_review_write_curves(review, curves);
		status = review_tables(review, error);
	}
	status = snw_failed(status) ? status : review_examples(review, error);
	snw_page_end(review->out);
	return status;
}

/* The stack that is "before": there is none where no mesh has a skin. */
static snw_status build_before(snw_review *review, snw_error *error) {
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
	snw_review review = {.call = call,
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
