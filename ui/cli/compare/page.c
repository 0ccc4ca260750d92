/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare/page.h"

#include <string.h>

#include "base/error.h"
#include "file/file.h"
#include "pose/clip_times.h"

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
	snw_page_spread_chart(page);
	snw_page_tables(page);
	fputs("<h2>More training poses</h2>\n", page->out);
	snw_page_curve_chart(page);
	fputs("<h2>Error and cost</h2>\n", page->out);
	snw_page_cost_chart(page);
	const snw_status status = snw_page_pictures(page, error);
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
