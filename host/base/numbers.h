/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays of numbers: checked and sorted. Numbers in text.
 */
#ifndef SINEW_HOST_BASE_NUMBERS_H
#define SINEW_HOST_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* The index of the first number that is not finite, or `count`. */
size_t snw_first_not_finite(const double *numbers, size_t count);
bool snw_all_finite(const double *numbers, size_t count);

/* Ascending. The numbers may be NULL if there are none. */
void snw_sort_numbers(double *numbers, size_t count);

/* The decimal number that `text` begins with, in any locale; returns its end. NULL if there is none. */
const char *snw_read_number(const char *text, double *number);

#endif
