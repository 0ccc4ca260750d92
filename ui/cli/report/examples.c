/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/picture.h"
#include "cli/report/report.h"

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

snw_status snw_review_examples(const snw_review *review, snw_error *error) {
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
