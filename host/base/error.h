/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the host reports a failure: a status from the ABI's table, and one line of text with what failed, where, and what to do.
 *
 * Every host function that can fail returns snw_status and takes an snw_error last (it may be NULL). A status has one of three
 * meanings:
 *
 *   - SNW_OK: the result is there.
 *   - An error (negative), or SNW_CANCELLED: there is no result. Outputs are untouched, and the error's text is filled.
 *   - A caveat (positive, but not SNW_CANCELLED): the result is there and may be used; the text says what is wrong with it.
 *
 * Callers ask snw_failed() which of them they have, and pass a failure on like this:
 *
 *     snw_status status = first(…, error);
 *     status = snw_failed(status) ? status : second(…, error);
 *     if (snw_failed(status)) {
 *         return status;
 *     }
 *
 * So a caveat does not stop the work, and the next status replaces it. Only functions that call a method (fit, drive, deform)
 * return one. A caller that has to report it compares with SNW_OK and keeps it in its own variable (snw_fit_outcome has such a
 * member).
 */
#ifndef SINEW_HOST_BASE_ERROR_H
#define SINEW_HOST_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "sinew/base.h"

typedef struct snw_error {
	snw_status status;
	char text[1000];
} snw_error;

/* Fills the error (unless it is NULL) and returns the status, for `return snw_fail(…)`. */
snw_status snw_fail(snw_error *error, snw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether a call has no result: an error, or cancelled. */
static inline bool snw_failed(snw_status status) {
	return status < 0 || status == SNW_CANCELLED;
}

/* Where the text has the path `from`, puts `to` in its place: for errors about temporary files. */
void snw_error_rename(snw_error *error, const char *from, const char *to);

/* The text of a status, from the ABI's table: "did not converge". */
const char *snw_status_words(snw_status status);

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* Checks text from files: UTF-8, and control characters, which can affect terminals. */

/* The number of bytes of the UTF-8 character at `text`; 0 at the end or if it is invalid. */
size_t snw_text_letter(const char *text);

/* The number of bytes of the control character at `text` (U+0000 to U+001F, U+007F to U+009F); 0 if it is not one. */
size_t snw_text_control(const char *text);

/* Replaces control characters and invalid bytes by `instead`. Returns whether there were control characters. */
bool snw_text_clean(char *text, char instead);

/* The text, or its beginning with "…" if it is long: for messages that name what somebody has typed. */
const char *snw_text_short(const char *text, snw_arena *arena);

/* ---- plural -------------------------------------------------------------------------------------------------------------- */

/* Plurals in messages. */

/* The ending of a noun after a count: "%u frame%s", count, snw_plural(count). */
static inline const char *snw_plural(uint64_t count) {
	return count == 1 ? "" : "s";
}

#endif
