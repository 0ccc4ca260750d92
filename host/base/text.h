/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text as UTF-8.
 */
#ifndef SINEW_HOST_BASE_TEXT_H
#define SINEW_HOST_BASE_TEXT_H

#include <stddef.h>

/* The bytes of the sequence that `text` begins with: 1 to 4, the closing zero byte counts as one; 0 where it is not UTF-8. */
size_t snw_utf8_length(const char *text);

#endif
