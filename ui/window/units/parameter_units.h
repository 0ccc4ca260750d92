/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units of parameters, which plug-ins write, as the window shows them: angles in degrees.
 */
#ifndef SINEW_UI_WINDOW_UNITS_PARAMETER_UNITS_H
#define SINEW_UI_WINDOW_UNITS_PARAMETER_UNITS_H

#include <stddef.h>

/* How many of what is shown are one of the unit. */
double snw_parameter_unit_scale(const char *unit);
/* What stands behind a number: " m", "°", "°/m", " %". A long unit is cut. */
void snw_parameter_unit_words(const char *unit, char *words, size_t size);
/* A printf format: `number` ("%.4g", or "" for none), then `words` as they are, cut where there is no room. */
void snw_parameter_unit_format(const char *number, const char *words, char *format, size_t size);

#endif
