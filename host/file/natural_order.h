/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Natural order: names compare by their letters, but numbers in them by value, so that 2 stands before 10.
 */
#ifndef SINEW_HOST_FILE_NATURAL_ORDER_H
#define SINEW_HOST_FILE_NATURAL_ORDER_H

#include <stddef.h>

int snw_natural_compare(const char *a, const char *b);
void snw_natural_sort(char **names, size_t count);

#endif
