/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A review page: the character, live, with what is known of its skin. One HTML file, as that of a comparison.
 *
 *   report     the verb, and the order of the page's parts
 *   character  the exported file, its camera and controls (review.html, review.css, review.js)
 *   errors     over the frames of mesh animations: curves, and heat maps for the character
 *   tables     measures, contact, levels of detail
 *   examples   a row of pictures for each
 */
#ifndef SINEW_UI_CLI_REPORT_REPORT_H
#define SINEW_UI_CLI_REPORT_REPORT_H

#include "cli/command_line/verb.h"
#include "cli/page.h"

typedef struct snw_review {
	const snw_call *call;
	const snw_opened *opened;
	FILE *out;
	snw_stack *before; /* the baseline; NULL where no mesh has a skin, or the stack is the baseline alone */
	snw_stack *after;
	const char *baseline; /* its name; NULL without one */
	cJSON *facts;         /* for review.js */
	cJSON *numbers;       /* the answer of the verb, with --json or without */
} snw_review;

/* Where the stack cannot be exported, the page says why in its place. */
snw_status snw_review_character(const snw_review *review, snw_error *error);
/* Adds to the facts, and writes the heat maps; the curves are written after the character. */
typedef struct snw_review_curves snw_review_curves;
snw_status snw_review_measure_frames(const snw_review *review, snw_review_curves **curves, snw_error *error);
void snw_review_write_curves(const snw_review *review, const snw_review_curves *curves);

#endif
