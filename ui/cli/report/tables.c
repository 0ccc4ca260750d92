/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cli/report/report.h"
#include "cli/stack/contact.h"
#include "cli/stack/error_table.h"
#include "lod/lod.h"

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

snw_status snw_review_tables(const snw_review *review, snw_error *error) {
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
