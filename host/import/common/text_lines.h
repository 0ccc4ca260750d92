/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads text files of lines with words and numbers (.obj, .mtl, .bvh). The result does not depend on the locale. Any line end
 * is accepted, a backslash continues a line, and lines are counted for error messages. A byte order mark is left out.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_TEXT_LINES_H
#define SINEW_HOST_IMPORT_COMMON_TEXT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "file/file.h"

typedef struct snw_text_lines {
	const char *at;
	const char *end; /* a zero byte follows */
	uint32_t line;   /* of `at`, from 1 */
} snw_text_lines;

snw_text_lines snw_text_start(snw_bytes bytes);

/* Skips blanks. True at the end of the line, or at a comment. */
bool snw_text_line_done(snw_text_lines *text);
/* Moves to the start of the next line. */
void snw_text_next_line(snw_text_lines *text);

/* The next word of the line, inside the text and not terminated. False at the end of the line. */
bool snw_text_word(snw_text_lines *text, const char **word, size_t *length);
/* The rest of the line without surrounding blanks, for names with spaces; "" if nothing follows. */
char *snw_text_rest(snw_text_lines *text, snw_arena *arena);
/* The next word as a number. False, without reading it, if it is not a finite number. */
bool snw_text_number(snw_text_lines *text, double *number);

#endif
