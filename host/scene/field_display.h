/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is shown of a field: its colours where it is one, its numbers, or, of several to an element, their length.
 */
#ifndef SINEW_HOST_SCENE_FIELD_DISPLAY_H
#define SINEW_HOST_SCENE_FIELD_DISPLAY_H

#include "scene/scene.h"

/* Whether its unit says so. A field that has been checked has three components then, each from 0 to 1. */
bool snw_field_is_color(const snw_field *field);

/* The number of an element, or the length of its numbers; for a colour too. */
double snw_field_number(const snw_field *field, uint32_t element);

/* What snw_field_number or its colours are, for a legend: "sad.residual (m)", "mine.velocity (length, m/s)". Cut to `bytes`. */
void snw_field_words(const snw_field *field, char *words, size_t bytes);

#endif
