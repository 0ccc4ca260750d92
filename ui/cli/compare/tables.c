/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "cli/compare/page.h"

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
