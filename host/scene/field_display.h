/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The display of fields: colours, single numbers, or the lengths of vectors.
 */
#ifndef SINEW_HOST_SCENE_FIELD_DISPLAY_H
#define SINEW_HOST_SCENE_FIELD_DISPLAY_H

#include "scene/scene.h"

/* Whether the unit of a field is that of colours. A checked field then has three components from 0 to 1. */
bool snw_field_is_color(const snw_field *field);

/* Whether it is in metres. It is then shown in millimetres, or in the window's unit of length. */
bool snw_field_is_length(const snw_field *field);

/* The number of an element, or the length of its vector, also for colours. */
double snw_field_number(const snw_field *field, uint32_t element);

/* The title of a legend: "mine.residual (mm)", "mine.velocity (length, m/s)". Truncated to `bytes`. */
void snw_field_title(const snw_field *field, char *title, size_t bytes);

#endif
