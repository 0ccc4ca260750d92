/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lengths in the window have one unit: that of the preferences, or one that fits the size of the character.
 */
#ifndef SINEW_UI_WINDOW_SESSION_LENGTHS_H
#define SINEW_UI_WINDOW_SESSION_LENGTHS_H

#include "window/session/session.h"

/* "mm" */
const char *snw_length_unit_name(const snw_session *session);
/* How many of the unit are a metre. */
double snw_lengths_per_metre(const snw_session *session);
/* "0.52 mm", to a hundredth of a millimetre. */
void snw_length_write(const snw_session *session, double metres, char *words, size_t size);
/* The printf format of a number of the unit, to this part of a millimetre: 1, 10 or 100. */
void snw_length_format(const snw_session *session, int part, char *format, size_t size);
/* The root mean square distance of points, metres, from their E_RMS, which counts coordinates, three for a point, and half
 * diagonals. */
double snw_length_of_erms(double erms, double diagonal);

/* Mean errors, as the preferences say: the root mean square distance, in the unit of lengths, or E_RMS, which has none. */
bool snw_errors_are_lengths(const snw_session *session);
/* What a mean error is called with the number: "mean error" or "E_RMS". */
const char *snw_error_name(const snw_session *session);
/* What an E_RMS of 1 is as it is shown; `diagonal` of the mesh's box at rest, metres. */
double snw_errors_per_erms(const snw_session *session, double diagonal);
/* "0.52 mm" or "1.734" */
void snw_error_write(const snw_session *session, double erms, double diagonal, char *words, size_t size);

#endif
