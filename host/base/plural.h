/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plurals in messages.
 */
#ifndef SINEW_HOST_BASE_PLURAL_H
#define SINEW_HOST_BASE_PLURAL_H

#include <stdint.h>

/* The ending of a noun after a count: "%u frame%s", count, snw_plural(count). */
static inline const char *snw_plural(uint64_t count) {
	return count == 1 ? "" : "s";
}

#endif
