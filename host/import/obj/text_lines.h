/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading text files of lines that hold words and numbers (.obj, .mtl): whatever the locale, with any line ends, with lines
 * that a backslash continues, and with the line number at hand for an error.
 */
#ifndef SINEW_HOST_IMPORT_OBJ_TEXT_LINES_H
#define SINEW_HOST_IMPORT_OBJ_TEXT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "file/file.h"

typedef struct snw_text {
	const char *at;
	const char *end; /* a zero byte stands here */
	uint32_t line;   /* of `at`, from 1 */
} snw_text;

snw_text snw_text_start(snw_bytes bytes);

/* Skips blanks, and tells whether nothing but a comment is left on the line. */
bool snw_text_line_done(snw_text *text);
/* To the start of the next line. */
void snw_text_next_line(snw_text *text);

/* The next word of the line; false where there is none. It lies in the text and is not terminated. */
bool snw_text_word(snw_text *text, const char **word, size_t *length);
/* What is left of the line without blanks around it, for names with spaces in them; "" where there is nothing. */
char *snw_text_rest(snw_text *text, snw_arena *arena);
/* The next word as a number; false, and nothing read, where it is none or not finite. */
bool snw_text_number(snw_text *text, double *number);

#endif
