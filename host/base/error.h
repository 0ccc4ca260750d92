/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the host says that something failed: a status from the ABI's table and one line that tells what, where and what to do.
 *
 * Every host function that can fail returns snw_status and takes an snw_error last (it may be NULL). A negative status means
 * that outputs are untouched and `text` is filled; a positive one is a result with a caveat, told in `text`.
 */
#ifndef SINEW_HOST_BASE_ERROR_H
#define SINEW_HOST_BASE_ERROR_H

#include "sinew/base.h"

typedef struct snw_error {
	snw_status status;
	char text[1000];
} snw_error;

/* Fills the error (if there is one) and returns the status, so that one can `return snw_fail(…)`. */
snw_status snw_fail(snw_error *error, snw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Lets a text that begins with one path name another: of what is made aside and belongs elsewhere. */
void snw_error_rename(snw_error *error, const char *from, const char *to);

/* The words of a status, from the one table: "did not converge". */
const char *snw_status_words(snw_status status);

#endif
