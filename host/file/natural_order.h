/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Natural order: names are compared by characters, and numbers in them by value, so that 2 is before 10.
 */
#ifndef SINEW_HOST_FILE_NATURAL_ORDER_H
#define SINEW_HOST_FILE_NATURAL_ORDER_H

#include <stddef.h>

int snw_natural_compare(const char *a, const char *b);
int snw_natural_compare_ignoring_case(const char *a, const char *b);
void snw_natural_sort(char **names, size_t count);

#endif
