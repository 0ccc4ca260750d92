/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lengths, parameters and errors as the window shows them.
 */
#ifndef SINEW_UI_WINDOW_UNITS_UNITS_H
#define SINEW_UI_WINDOW_UNITS_UNITS_H

#include <stddef.h>

#include "window/session/session.h"

/* ---- lengths ------------------------------------------------------------------------------------------------------------- */

/* Lengths in the window have one unit: that of the preferences, or one that fits the size of the character. */

/* "mm" */
const char *snw_length_unit_name(const snw_session *session);
/* How many of the unit are a metre. */
double snw_lengths_per_metre(const snw_session *session);
/* "0.52 mm", to a hundredth of a millimetre. */
void snw_length_write(const snw_session *session, double metres, char *words, size_t size);
/* The printf format of a number of the unit, to this part of a millimetre: 1, 10 or 100. */
void snw_length_format(const snw_session *session, int part, char *format, size_t size);

/* Mean errors, as the preferences say: the root mean square distance, in the unit of lengths, or E_RMS, which has none. */
bool snw_errors_are_lengths(const snw_session *session);
/* What a mean error is called with the number: "mean error" or "E_RMS". */
const char *snw_error_name(const snw_session *session);
/* What an E_RMS of 1 is as it is shown; `diagonal` of the mesh's box at rest, metres. */
double snw_errors_per_erms(const snw_session *session, double diagonal);
/* "0.52 mm" or "1.734" */
void snw_error_write(const snw_session *session, double erms, double diagonal, char *words, size_t size);

/* ---- parameter units ----------------------------------------------------------------------------------------------------- */

/* Units of parameters, which plug-ins write, as the window shows them: angles in degrees. */

/* How many of what is shown are one of the unit. */
double snw_parameter_unit_scale(const char *unit);
/* What stands behind a number: " m", "°", "°/m", " %". A long unit is cut. */
void snw_parameter_unit_words(const char *unit, char *words, size_t size);
/* A printf format: `number` ("%.4g", or "" for none), then `words` as they are, cut where there is no room. */
void snw_parameter_unit_format(const char *number, const char *words, char *format, size_t size);

/* ---- error scale --------------------------------------------------------------------------------------------------------- */

/* The upper end of the error map's colours. Every method and every moment of a clip has the same scale: the error of the
 * baseline over the clip, rounded up. It takes a dozen evaluations of the whole character, so the background thread computes
 * it. Until then the scale is that of the moment that is shown. */

struct snw_session;

/* Requests the scale if the display shows errors and has none yet. */
void snw_error_scale_request(struct snw_session *session);

#endif
