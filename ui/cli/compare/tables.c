/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cli/compare/page.h"

/* A column of numbers; the best one, the smallest, is marked. */
typedef struct column {
	const char *head;
	double (*value)(const snw_compare_row *row);
	int digits; /* after the point */
	bool has_best;
} column;

typedef const snw_compare_score *score_of(const snw_compare_row *row);

static const snw_compare_score *test_of(const snw_compare_row *row) {
	return &row->test;
}

static const snw_compare_score *train_of(const snw_compare_row *row) {
	return &row->train;
}

static const snw_compare_score *left_out_of(const snw_compare_row *row) {
	return &row->left_out;
}

/* ---- cells ------------------------------------------------------------------------------------------------------------ */

static void write_number(const snw_compare_page *page, double value, int digits, bool is_best) {
	if (isfinite(value)) {
		fprintf(page->out, "<td%s data-v=\"%.9g\">%.*f</td>", is_best ? " class=\"best\"" : "", value, digits, value);
	} else {
		fputs("<td data-v=\"\">–</td>", page->out);
	}
}

static void write_words(const snw_compare_page *page, const char *words) {
	fputs("<td class=\"words\">", page->out);
	snw_page_text(page, words ? words : "");
	fputs("</td>", page->out);
}

static void begin_table(const snw_compare_page *page) {
	fputs("<div class=\"scroll\"><table class=\"sortable\"><thead><tr><th scope=\"col\"><button>method</button></th>",
		  page->out);
}

static void write_head(const snw_compare_page *page, const char *head) {
	fprintf(page->out, "<th scope=\"col\"><button>%s</button></th>", head);
}

static void begin_row(const snw_compare_page *page, const snw_compare_row *row) {
	fputs(row->failure ? "<tr class=\"failed\"><td>" : "<tr><td>", page->out);
	snw_page_text(page, row->name);
	fputs("</td>", page->out);
}

static void write_failure(const snw_compare_page *page, const snw_compare_row *row, size_t columns) {
	fprintf(page->out, "<td class=\"words\" colspan=\"%zu\">failed: ", columns);
	snw_page_text(page, row->failure);
	fputs("</td>", page->out);
}

static void end_table(const snw_compare_page *page) {
	fputs("</tbody></table></div>\n", page->out);
}

/* ---- errors ------------------------------------------------------------------------------------------------------------- */

enum { SCORE_COLUMNS = 7 };
static const char *const score_heads[SCORE_COLUMNS] = {"erms",      "distortion %",   "enveloping", "max %",
													   "normals °", "points: mean %", "± spread"};

static void score_values(const snw_compare_score *score, double values[SCORE_COLUMNS]) {
	const double list[SCORE_COLUMNS] = {
		score->measure.erms,        score->measure.distortion_percent, score->measure.enveloping_error,
		score->measure.max_percent, score->measure.normals_degrees,    score->point_mean_percent,
		score->point_spread_percent};
	for (int i = 0; i < SCORE_COLUMNS; i++) {
		values[i] = score->is_known ? list[i] : (double)NAN;
	}
}

static void find_best(const snw_comparison *comparison, score_of *score, double best[SCORE_COLUMNS]) {
	for (int c = 0; c < SCORE_COLUMNS; c++) {
		best[c] = INFINITY;
	}
	for (uint32_t r = 0; r < comparison->row_count; r++) {
		double values[SCORE_COLUMNS];
		score_values(score(&comparison->rows[r]), values);
		for (int c = 0; c < SCORE_COLUMNS; c++) {
			best[c] = fmin(best[c], values[c]); /* of a number and NaN it is the number */
		}
	}
}

static void write_scores(const snw_compare_page *page, const char *title, const char *words, score_of *score) {
	double best[SCORE_COLUMNS];
	const bool has_left_out = score == left_out_of;
	find_best(page->comparison, score, best);
	fprintf(page->out, "<h2>%s</h2>\n<p class=\"quiet\">%s</p>\n", title, words);
	begin_table(page);
	for (int c = 0; c < SCORE_COLUMNS; c++) {
		write_head(page, score_heads[c]);
	}
	if (has_left_out) {
		write_head(page, "left out");
	}
	fputs("</tr></thead><tbody>\n", page->out);
	for (uint32_t r = 0; r < page->comparison->row_count; r++) {
		const snw_compare_row *row = &page->comparison->rows[r];
		double values[SCORE_COLUMNS];
		score_values(score(row), values);
		begin_row(page, row);
		if (row->failure) {
			write_failure(page, row, SCORE_COLUMNS + has_left_out);
		}
		for (int c = 0; c < SCORE_COLUMNS && !row->failure; c++) {
			write_number(page, values[c], c == SCORE_COLUMNS - 1 || c == SCORE_COLUMNS - 2 ? 1 : 3, values[c] <= best[c]);
		}
		if (has_left_out && !row->failure) {
			write_words(page, row->left_out_words);
		}
		fputs("</tr>\n", page->out);
	}
	end_table(page);
}

/* ---- costs -------------------------------------------------------------------------------------------------------------- */

static double train_seconds(const snw_compare_row *row) {
	return row->trained_on ? row->train_seconds : (double)NAN;
}
static double model_kilobytes(const snw_compare_row *row) {
	return (double)row->model_bytes / 1000;
}
static double program_kilobytes(const snw_compare_row *row) {
	return row->cost.is_counted ? (double)row->cost.bytes / 1000 : (double)NAN;
}
static double influences(const snw_compare_row *row) {
	return (double)row->cost.influences;
}
static double displaced(const snw_compare_row *row) {
	return (double)row->cost.displaced;
}
static double operations(const snw_compare_row *row) {
	return row->cost.is_counted ? (double)row->cost.operations / 1e6 : (double)NAN;
}
static double milliseconds(const snw_compare_row *row) {
	return 1000 * row->cost.seconds;
}
static double ratio(const snw_compare_row *row) {
	return row->cost.ratio;
}
static double export_erms(const snw_compare_row *row) {
	return row->loss.is_known ? row->loss.erms : (double)NAN;
}
static double export_most(const snw_compare_row *row) {
	return row->loss.is_known ? row->loss.max_percent : (double)NAN;
}
static double export_normals(const snw_compare_row *row) {
	return row->loss.is_known ? row->loss.normals_degrees : (double)NAN;
}
static double file_erms(const snw_compare_row *row) {
	return row->loss.is_known && row->loss.source_erms >= 0 ? row->loss.source_erms : (double)NAN;
}
static double morphs(const snw_compare_row *row) {
	return row->loss.is_known ? row->loss.morph_count : (double)NAN;
}

static const column costs[] = {
	{"seconds to train", train_seconds, 2, false}, {"model, kB", model_kilobytes, 0, false},
	{"program, kB", program_kilobytes, 0, false},  {"influences", influences, 0, false},
	{"displaced points", displaced, 0, false},     {"operations, millions", operations, 2, false},
	{"ms a pose", milliseconds, 3, false},         {"ratio to linear blend", ratio, 2, false},
};
static const column losses[] = {
	{"export: erms", export_erms, 3, false}, {"max %", export_most, 3, false},    {"normals °", export_normals, 2, true},
	{"file erms", file_erms, 3, true},       {"morph targets", morphs, 0, false},
};

static double best_of(const snw_comparison *comparison, const column *c) {
	double best = c->has_best ? INFINITY : -INFINITY;
	for (uint32_t r = 0; r < comparison->row_count && c->has_best; r++) {
		best = comparison->rows[r].failure ? best : fmin(best, c->value(&comparison->rows[r]));
	}
	return best;
}

/* A table of numbers, with the words of each row at its end. */
static void write_columns(const snw_compare_page *page, const column *columns, size_t count, const char *words_head,
						  const char *(*words)(const snw_compare_row *row)) {
	begin_table(page);
	for (size_t c = 0; c < count; c++) {
		write_head(page, columns[c].head);
	}
	write_head(page, words_head);
	fputs("</tr></thead><tbody>\n", page->out);
	for (uint32_t r = 0; r < page->comparison->row_count; r++) {
		const snw_compare_row *row = &page->comparison->rows[r];
		begin_row(page, row);
		if (row->failure) {
			write_failure(page, row, count + 1);
		}
		for (size_t c = 0; c < count && !row->failure; c++) {
			const double value = columns[c].value(row);
			write_number(page, value, columns[c].digits, value <= best_of(page->comparison, &columns[c]));
		}
		if (!row->failure) {
			write_words(page, words(row));
		}
		fputs("</tr>\n", page->out);
	}
	end_table(page);
}

static const char *training_words(const snw_compare_row *row) {
	return row->caveat ? row->caveat : row->trained_on ? row->trained_on : "it needs no fit";
}

static const char *loss_words(const snw_compare_row *row) {
	return row->loss.words;
}

void snw_page_tables(const snw_compare_page *page) {
	write_scores(page, "On the test clip", "Poses that no fit has read. The best of each column is marked.", test_of);
	write_scores(page, "On the training clip", "What the methods can represent.", train_of);
	if (page->request->fold_count > 0) {
		write_scores(page, "Left out of the training", "Each figure is of data that its fit did not read.", left_out_of);
	}
	fputs("<h2>Training and cost</h2>\n", page->out);
	write_columns(page, costs, sizeof costs / sizeof *costs, "trained on", training_words);
	fputs("<h2>Export</h2>\n", page->out);
	write_columns(page, losses, sizeof losses / sizeof *losses, "what the file leaves out", loss_words);
}
