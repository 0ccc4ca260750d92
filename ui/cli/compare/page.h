/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a comparison: one HTML file with its tables, charts and pictures inside, that needs no network.
 *
 *   page      the document: its head, its words, and the order of its parts
 *   tables    sortable tables
 *   charts    SVG
 *   pictures  a contact sheet with error maps, as PNG in the page
 */
#ifndef SINEW_UI_CLI_COMPARE_PAGE_H
#define SINEW_UI_CLI_COMPARE_PAGE_H

#include <stdio.h>

#include "cli/command_line/verb.h"
#include "cli/page.h"
#include "compare/compare.h"

typedef struct snw_compare_page {
	const snw_call *call;
	const snw_opened *opened;
	const snw_compare_request *request;
	const snw_comparison *comparison;
	FILE *out;
} snw_compare_page;

/* Writes the page, atomically. Where nothing can be drawn it has no pictures, and a notice says why. */
snw_status snw_compare_page_write(const snw_call *call, const snw_opened *opened, const snw_compare_request *request,
								  const snw_comparison *comparison, const char *path, snw_error *error);

void snw_page_tables(const snw_compare_page *page);

#endif
