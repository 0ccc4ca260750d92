/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew compare: fits methods to one clip and measures them on another, side by side.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_line/verb.h"
#include "cli/compare/page.h"
#include "compare/compare.h"
#include "pose/clip.h"
#include "scene/scene.h"

/* ---- compare ------------------------------------------------------------------------------------------------------------- */

enum { FOLDS = 5, PICTURES = 3, MOST_CURVE = 16, MOST_METHODS = 64 };

/* ---- the request --------------------------------------------------------------------------------------------------------- */

/* The target of the clip that an option names, of the mesh. */
static snw_status find_target(const snw_call *call, const snw_scene *scene, const char *option, uint32_t mesh, uint32_t *target,
							  snw_error *error) {
	const char *name = snw_call_option(call, option);
	if (!name) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the clip is missing; name it with %s CLIP", option);
	}
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *candidate = &scene->targets[t];
		const uint32_t clip = snw_target_clip(scene, candidate);
		if (candidate->mesh == mesh && clip != SNW_NONE && strcmp(scene->clips[clip].name, name) == 0) {
			*target = t;
			return SNW_OK;
		}
	}
	uint32_t clip;
	const snw_status status = snw_noun_find(scene, SNW_NOUN_CLIP, name, &clip, error);
	return snw_failed(status)
			   ? status
			   : snw_fail(error, SNW_ERROR_MISSING,
						  "%s %s: the clip has no target to learn from or measure against; add one with 'sinew target'", option,
						  name);
}

/* The parts of a text between commas. */
static uint32_t split(const snw_call *call, const char *text, uint32_t most, const char **parts) {
	uint32_t count = 0;
	while (*text && count < most) {
		const size_t length = strcspn(text, ",");
		if (length > 0) {
			parts[count++] = snw_arena_format(call->arena, "%.*s", (int)length, text);
		}
		text += length + (text[length] == ',');
	}
	return count;
}

static void read_methods(const snw_call *call, snw_compare_request *request) {
	const char **methods = SNW_NEW_ARRAY(call->arena, const char *, MOST_METHODS);
	const char *text;
	for (int i = 0; (text = snw_call_option_at(call, "--methods", i)); i++) {
		request->method_count += split(call, text, MOST_METHODS - request->method_count, methods + request->method_count);
	}
	request->methods = methods;
}

static snw_status read_curve(const snw_call *call, snw_compare_request *request, snw_error *error) {
	const char *text = snw_call_option(call, "--curve"), *parts[MOST_CURVE];
	text = text ? text : "4,8,16,32,64";
	uint32_t *curve = SNW_NEW_ARRAY(call->arena, uint32_t, MOST_CURVE);
	const uint32_t count = strcmp(text, "none") == 0 ? 0 : split(call, text, MOST_CURVE, parts);
	for (uint32_t i = 0; i < count; i++) {
		char *end;
		const unsigned long number = strtoul(parts[i], &end, 10);
		if (*end || number == 0 || number > 1000000 || (i > 0 && number <= curve[i - 1])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "--curve %s: expected ascending numbers of frames, as 4,8,16, or none",
							text);
		}
		curve[i] = (uint32_t)number;
	}
	request->curve_count = count;
	request->curve = curve;
	return SNW_OK;
}

static snw_status read_count(const snw_call *call, const char *option, double least, double most, uint32_t otherwise,
							 uint32_t *count, snw_error *error) {
	double number;
	const snw_status status = snw_call_number(call, option, least, most, otherwise, &number, error);
	if (!snw_failed(status)) {
		*count = (uint32_t)number;
	}
	return status;
}

static snw_status read_comparison(const snw_call *call, const snw_opened *opened, snw_compare_request *request,
								  snw_error *error) {
	const uint32_t pictures = snw_call_option(call, "-o") ? PICTURES : 0;
	uint32_t mesh;
	*request = (snw_compare_request){0};
	read_methods(call, request);
	snw_status status = snw_opened_mesh(call, opened, &mesh, error);
	status = snw_failed(status) ? status : find_target(call, opened->scene, "--train", mesh, &request->train, error);
	if (!snw_failed(status)) {
		const bool is_both = opened->scene->targets[request->train].is_set && !snw_call_option(call, "--test");
		request->test = request->train;
		status = is_both ? SNW_OK : find_target(call, opened->scene, "--test", mesh, &request->test, error);
	}
	status = snw_failed(status) ? status : read_curve(call, request, error);
	status = snw_failed(status) ? status : read_count(call, "--folds", 0, 10000, FOLDS, &request->fold_count, error);
	status = snw_failed(status) ? status : read_count(call, "--sculpts", 1, 1000, 0, &request->sculpt_count, error);
	return snw_failed(status)
			   ? status
			   : read_count(call, "--pictures", 0, SNW_COMPARE_MOST_PICTURES, pictures, &request->picture_count, error);
}

/* ---- the answer ---------------------------------------------------------------------------------------------------------- */

static void answer_score(cJSON *row, const char *name, const snw_compare_score *score) {
	if (!row || !score->is_known) {
		return;
	}
	cJSON *object = cJSON_AddObjectToObject(row, name);
	snw_answer_number(object, "frames", score->measure.frame_count);
	snw_answer_number(object, "erms", score->measure.erms);
	snw_answer_number(object, "distortion_percent", score->measure.distortion_percent);
	snw_answer_number(object, "enveloping_error", score->measure.enveloping_error);
	snw_answer_number(object, "max_percent", score->measure.max_percent);
	snw_answer_number(object, "normals_degrees", score->measure.normals_degrees);
	snw_answer_number(object, "normals_max_degrees", score->measure.normals_max_degrees);
	snw_answer_number(object, "point_mean_percent", score->point_mean_percent);
	snw_answer_number(object, "point_spread_percent", score->point_spread_percent);
}

static void answer_cost(cJSON *row, const snw_compare_cost *cost) {
	cJSON *object = row ? cJSON_AddObjectToObject(row, "cost") : NULL;
	snw_answer_number(object, "influences", (double)cost->influences);
	snw_answer_number(object, "displaced_points", (double)cost->displaced);
	snw_answer_number(object, "combined_entries", (double)cost->combined);
	snw_answer_number(object, "operations", cost->is_counted ? (double)cost->operations : (double)NAN);
	snw_answer_number(object, "program_bytes", cost->is_counted ? (double)cost->bytes : (double)NAN);
	snw_answer_number(object, "seconds", cost->seconds);
	snw_answer_number(object, "ratio", cost->ratio);
}

static void answer_loss(cJSON *row, const snw_compare_loss *loss) {
	cJSON *object = row ? cJSON_AddObjectToObject(row, "export") : NULL;
	if (loss->is_known) {
		snw_answer_number(object, "erms", loss->erms);
		snw_answer_number(object, "max_percent", loss->max_percent);
		snw_answer_number(object, "normals_degrees", loss->normals_degrees);
		snw_answer_number(object, "source_erms", loss->source_erms >= 0 ? loss->source_erms : (double)NAN);
		snw_answer_number(object, "morphs", loss->morph_count);
		snw_answer_number(object, "proxy_joints", loss->proxy_count);
	}
	snw_answer_text(object, "notes", loss->words);
}

static void answer_row(cJSON *list, const snw_compare_row *row) {
	cJSON *object = snw_answer_row(list);
	snw_answer_text(object, "method", row->name);
	if (row->failure) {
		snw_answer_text(object, "failure", row->failure);
		return;
	}
	snw_answer_text(object, "trained_on", row->trained_on);
	snw_answer_text(object, "caveat", row->caveat);
	snw_answer_number(object, "train_seconds", row->train_seconds);
	snw_answer_number(object, "model_bytes", (double)row->model_bytes);
	answer_score(object, "train", &row->train);
	answer_score(object, "test", &row->test);
	answer_score(object, "left_out", &row->left_out);
	snw_answer_text(object, "left_out_of_training", row->left_out_words);
	answer_cost(object, &row->cost);
	answer_loss(object, &row->loss);
	cJSON *curve = snw_answer_list(object, "curve");
	for (uint32_t i = 0; i < row->curve_count; i++) {
		cJSON *point = snw_answer_row(curve);
		snw_answer_number(point, "frames", row->curve[i].frame_count);
		snw_answer_number(point, "erms", row->curve[i].erms);
	}
}

static const char *compared_number(const snw_call *call, bool is_known, double value, int digits) {
	return is_known && isfinite(value) ? snw_arena_format(call->arena, "%9.*f", digits, value) : "        –";
}

static void say_row(const snw_call *call, const snw_compare_row *row) {
	if (row->failure) {
		snw_say(call, "%s failed: %s", snw_padded(call, row->name, 30), row->failure);
		return;
	}
	snw_say(call, "%s %s %s %s %s %s %s %s %s", snw_padded(call, row->name, 30),
			compared_number(call, true, row->train.measure.erms, 4), compared_number(call, true, row->test.measure.erms, 4),
			compared_number(call, row->left_out.is_known, row->left_out.measure.erms, 4),
			compared_number(call, true, row->test.measure.max_percent, 3),
			compared_number(call, true, row->test.measure.normals_degrees, 2),
			compared_number(call, row->trained_on != NULL, row->train_seconds, 2),
			compared_number(call, true, row->cost.ratio, 2), compared_number(call, row->loss.is_known, row->loss.erms, 4));
}

static void report_comparison(const snw_call *call, const snw_comparison *comparison) {
	cJSON *list = snw_answer_list(call->answer, "methods");
	snw_answer_number(call->answer, "train_rigid_erms", comparison->train_rigid_erms);
	snw_answer_number(call->answer, "test_rigid_erms", comparison->test_rigid_erms);
	snw_say(call, "%-30s %9s %9s %9s %9s %10s %9s %9s %9s", "method", "train", "test", "left out", "test max%", "normals °",
			"seconds", "cost ×", "export");
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		say_row(call, &comparison->rows[r]);
		answer_row(list, &comparison->rows[r]);
	}
}

static snw_status compare(const snw_call *call, const snw_opened *opened, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	snw_compare_request request;
	snw_comparison comparison = {0};
	snw_status status = read_comparison(call, opened, &request, error);
	if (!snw_failed(status)) {
		status = snw_compare_run(opened->scene, opened->registry, &request, &call->task, call->arena, &comparison, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	report_comparison(call, &comparison);
	if (path) {
		status = snw_compare_page_write(call, opened, &request, &comparison, path, error);
	}
	if (path && !snw_failed(status)) {
		snw_say(call, "%s: the page with tables, charts and pictures", path);
		snw_answer_text(call->answer, "file", path);
	}
	return snw_failed(status) ? status : snw_comparison_check(&comparison, request.method_count > 0, error);
}

/* ---- by the sculpts ------------------------------------------------------------------------------------------------------ */

static void say_sculpts_row(const snw_call *call, const snw_sculpts_row *row) {
	const char *name = snw_padded(call, row->method ? row->method : "without learning", 30);
	if (row->failure) {
		snw_say(call, "%s failed: %s", name, row->failure);
		return;
	}
	snw_say(call, "%s %s %s %s %s%s%s", name, compared_number(call, true, row->left_out.erms, 4),
			compared_number(call, true, row->left_out.max_percent, 3), compared_number(call, true, row->learned.erms, 4),
			compared_number(call, row->method != NULL, row->seconds, 2), row->caveat ? "  " : "",
			row->caveat ? row->caveat : "");
}

static void answer_sculpts_measure(cJSON *row, const char *name, const snw_measure *measure) {
	cJSON *object = row ? cJSON_AddObjectToObject(row, name) : NULL;
	snw_answer_number(object, "erms", measure->erms);
	snw_answer_number(object, "max_percent", measure->max_percent);
	snw_answer_number(object, "normals_degrees", measure->normals_degrees);
	snw_answer_number(object, "spill_mm", measure->spill_mm);
}

static void answer_sculpts_row(cJSON *list, const snw_sculpts_row *row) {
	cJSON *object = snw_answer_row(list);
	snw_answer_text(object, "method", row->method);
	snw_answer_text(object, "failure", row->failure);
	if (!row->failure) {
		snw_answer_text(object, "caveat", row->caveat);
		snw_answer_number(object, "seconds", row->seconds);
		answer_sculpts_measure(object, "left_out", &row->left_out);
		answer_sculpts_measure(object, "learned", &row->learned);
	}
}

static void report_sculpts(const snw_call *call, const snw_sculpts_comparison *comparison) {
	cJSON *list = snw_answer_list(call->answer, "methods");
	snw_answer_number(call->answer, "sculpts", comparison->sculpt_count);
	snw_answer_number(call->answer, "parts", comparison->part_count);
	snw_say(call, "%-30s %9s %9s %9s %9s  (%u sculpts, left out in %u parts)", "method", "left out", "max%", "learned",
			"seconds", comparison->sculpt_count, comparison->part_count);
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		say_sculpts_row(call, &comparison->rows[r]);
		answer_sculpts_row(list, &comparison->rows[r]);
	}
}

/* Without clips the methods are compared by the sculpts. */
static bool is_by_sculpts(const snw_call *call) {
	return !snw_call_option(call, "--train") && !snw_call_option(call, "--test");
}

static snw_status compare_sculpts(const snw_call *call, const snw_opened *opened, snw_error *error) {
	static const char *const of_clips[] = {"-o", "--folds", "--curve", "--sculpts", "--pictures", "--mesh"};
	snw_compare_request request = {0};
	snw_sculpts_comparison comparison;
	for (size_t i = 0; i < sizeof of_clips / sizeof *of_clips; i++) {
		if (snw_call_option(call, of_clips[i])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s goes with a clip; name it with --train CLIP", of_clips[i]);
		}
	}
	read_methods(call, &request);
	const snw_status status = snw_compare_sculpts(opened->scene, opened->registry, request.method_count, request.methods,
												  &call->task, call->arena, &comparison, error);
	if (!snw_failed(status)) {
		report_sculpts(call, &comparison);
	}
	return status;
}

static snw_status run_compare(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	snw_opened opened;
	snw_status status = path ? snw_output_file(call, path, "html", error) : SNW_OK;
	if (!snw_failed(status)) {
		status = snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	status = is_by_sculpts(call) ? compare_sculpts(call, &opened, error) : compare(call, &opened, error);
	snw_opened_close(&opened);
	return status;
}

static const snw_option compare_options[] = {
	{"--train", "CLIP",
	 "the clip whose target the methods learn from; without it, they learn from the sculpts, over the layers of the project, "
	 "and "
	 "are measured at each sculpt by a fit that has not read it"},
	{"--test", "CLIP",
	 "the clip that no fit reads; a set of poses needs none: it is tested at the parts that --folds leaves out"},
	{"--methods", "METHOD,…",
	 "which methods, and stacks of them: a+b is b over a (default: every method that learns from poses or needs no "
	 "fit, and sculpts over each blend that needs none)"},
	{"-o", "PAGE.html", "write a page with tables, charts and pictures, in one file"},
	{"--folds", "N",
	 "divide the training clip into N parts, and leave each out of a fit in turn; 0: none (default: 5). A clip is cut into "
	 "ranges of frames, a set of poses is dealt out in turn. With as many parts as frames, each frame is left out"},
	{"--curve", "N,…", "also fit to this many frames, those that cover the poses best, or none (default: 4,8,16,32,64)"},
	{"--sculpts", "N",
	 "methods that learn from sculpts alone get N frames of the training clip, also if the project has sculpts (default: the "
	 "project's, or 12 frames if it has none)"},
	{"--pictures", "N", "frames of the test clip in the page's contact sheet, 0 to 12 (default: 3)"},
	{"--mesh", "MESH", "which mesh, if there are several"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_compare = {
	.name = "compare",
	.part = SNW_VERB_FITS,
	.usage = "P.sinew [--train CLIP] [--test CLIP] [--methods METHOD[,METHOD+METHOD…]] [-o PAGE.html]",
	.help = "Compares methods by what they learn from one clip and show on another, or by the sculpts. The project is not "
			"changed.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = compare_options,
	.run = run_compare,
};

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 8 };

typedef struct compare_column {
	const char *head;
	int digits;    /* after the point */
	bool has_best; /* the smallest number is marked */
} compare_column;

/* A row for each contender: its numbers, NaN where one is not known, and words at the end of the row. */
typedef struct table {
	uint32_t count;
	const compare_column *columns;
	void (*numbers)(const snw_compare_row *row, double *numbers); /* fills [count] */
	const char *words_head;                                       /* NULL: there are no words */
	const char *(*words)(const snw_compare_row *row);
} table;

/* ---- what is in them ----------------------------------------------------------------------------------------------------- */

#define FILL(NUMBERS, ...)                                                                                                     \
	do {                                                                                                                       \
		const double list[] = {__VA_ARGS__};                                                                                   \
		memcpy(NUMBERS, list, sizeof list);                                                                                    \
	} while (0)

static const compare_column scores[] = {{"erms", 3, true},    {"distortion %", 3, true}, {"enveloping", 3, true},
										{"max %", 3, true},   {"normals °", 3, true},    {"points: mean %", 1, true},
										{"± spread", 1, true}};
enum { SCORE_COUNT = sizeof scores / sizeof *scores };

static void score_numbers(const snw_compare_score *score, double *numbers) {
	const double unknown = score->is_known ? 0 : (double)NAN;
	FILL(numbers, score->measure.erms, score->measure.distortion_percent, score->measure.enveloping_error,
		 score->measure.max_percent, score->measure.normals_degrees, score->point_mean_percent, score->point_spread_percent);
	for (int i = 0; i < SCORE_COUNT; i++) {
		numbers[i] += unknown;
	}
}

static void test_numbers(const snw_compare_row *row, double *numbers) {
	score_numbers(&row->test, numbers);
}

static void train_numbers(const snw_compare_row *row, double *numbers) {
	score_numbers(&row->train, numbers);
}

static void left_out_numbers(const snw_compare_row *row, double *numbers) {
	score_numbers(&row->left_out, numbers);
}

static const char *left_out_words(const snw_compare_row *row) {
	return row->left_out_words;
}

static const compare_column costs[] = {
	{"seconds to train", 2, false}, {"model, kB", 0, false},
	{"program, kB", 0, false},      {"influences", 0, false},
	{"displaced points", 0, false}, {"operations, millions", 2, false},
	{"ms a pose", 3, false},        {"ratio to linear blend", 2, false},
};

static void cost_numbers(const snw_compare_row *row, double *numbers) {
	const snw_compare_cost *cost = &row->cost;
	const double uncounted = cost->is_counted ? 0 : (double)NAN;
	FILL(numbers, row->trained_on ? row->train_seconds : (double)NAN, (double)row->model_bytes / 1000,
		 (double)cost->bytes / 1000 + uncounted, cost->influences, cost->displaced, (double)cost->operations / 1e6 + uncounted,
		 1000 * cost->seconds, cost->ratio);
}

static const char *training_words(const snw_compare_row *row) {
	return row->caveat ? row->caveat : row->trained_on ? row->trained_on : "it needs no fit";
}

static const compare_column losses[] = {{"export: erms", 3, false},
										{"max %", 3, false},
										{"normals °", 2, true},
										{"file erms", 3, true},
										{"morph targets", 0, false}};

static void loss_numbers(const snw_compare_row *row, double *numbers) {
	const snw_compare_loss *loss = &row->loss;
	const double unknown = loss->is_known ? 0 : (double)NAN;
	FILL(numbers, loss->erms + unknown, loss->max_percent + unknown, loss->normals_degrees + unknown,
		 (loss->source_erms >= 0 ? loss->source_erms : (double)NAN) + unknown, loss->morph_count + unknown);
}

static const char *loss_words(const snw_compare_row *row) {
	return row->loss.words;
}

/* ---- writing them -------------------------------------------------------------------------------------------------------- */

static void find_best(const snw_comparison *comparison, const table *t, double *best) {
	for (uint32_t c = 0; c < t->count; c++) {
		best[c] = t->columns[c].has_best ? INFINITY : -INFINITY;
	}
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		double numbers[MOST_COLUMNS];
		t->numbers(&comparison->rows[r], numbers);
		for (uint32_t c = 0; c < t->count && !comparison->rows[r].failure; c++) {
			best[c] = fmin(best[c], numbers[c]); /* of a number and NaN it is the number */
		}
	}
}

static void write_table_row(const snw_compare_page *page, const table *t, const snw_compare_row *row, const double *best) {
	double numbers[MOST_COLUMNS];
	t->numbers(row, numbers);
	fputs(row->failure ? "<tr class=\"failed\">" : "<tr>", page->out);
	snw_page_name(page->out, row->name);
	if (row->failure) {
		fprintf(page->out, "<td class=\"words\" colspan=\"%u\">failed: ", t->count + (t->words != NULL));
		snw_page_text(page->out, row->failure);
		fputs("</td>", page->out);
	}
	for (uint32_t c = 0; c < t->count && !row->failure; c++) {
		snw_page_number(page->out, numbers[c], t->columns[c].digits, numbers[c] <= best[c]);
	}
	const char *words = t->words && !row->failure ? t->words(row) : NULL;
	if (t->words && !row->failure) {
		snw_page_words(page->out, words ? words : "");
	}
	fputs("</tr>\n", page->out);
}

static void write_compared(const snw_compare_page *page, const char *title, const char *words, const table *t) {
	double best[MOST_COLUMNS];
	find_best(page->comparison, t, best);
	snw_page_begin_table(page->out, title, words);
	snw_page_head(page->out, "method");
	for (uint32_t c = 0; c < t->count; c++) {
		snw_page_head(page->out, t->columns[c].head);
	}
	if (t->words) {
		snw_page_head(page->out, t->words_head);
	}
	snw_page_begin_rows(page->out);
	for (uint32_t r = 0; r < page->comparison->row_count; r++) {
		write_table_row(page, t, &page->comparison->rows[r], best);
	}
	snw_page_end_table(page->out);
}

void snw_page_tables(const snw_compare_page *page) {
	write_compared(page, "On the test clip", "Poses that no fit has read. The best of each column is marked.",
				   &(table){.count = SCORE_COUNT, .columns = scores, .numbers = test_numbers});
	write_compared(page, "On the training clip", "What the methods can represent.",
				   &(table){.count = SCORE_COUNT, .columns = scores, .numbers = train_numbers});
	if (page->request->fold_count > 0) {
		write_compared(page, "Left out of the training", "Each figure is of data that its fit did not read.",
					   &(table){SCORE_COUNT, scores, left_out_numbers, "left out", left_out_words});
	}
	write_compared(page, "Training and cost", NULL,
				   &(table){sizeof costs / sizeof *costs, costs, cost_numbers, "trained on", training_words});
	write_compared(page, "Export", NULL,
				   &(table){sizeof losses / sizeof *losses, losses, loss_numbers, "what the file leaves out", loss_words});
}
