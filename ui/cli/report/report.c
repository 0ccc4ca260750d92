/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew report: a page to show, with the character in it.
 */
#include "cli/report/report.h"

#include <string.h>

#include "base/error.h"
#include "cli/command_line/embedded_texts.h"
#include "cli/command_line/output_path.h"
#include "file/file.h"

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
		status = snw_review_tables(review, error);
	}
	status = snw_failed(status) ? status : snw_review_examples(review, error);
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
	.usage = "P.sinew -o PAGE.html",
	.help = "Writes a page to show: the character live, its errors, examples, contact and levels of detail.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = report_options,
	.run = run_report,
};
