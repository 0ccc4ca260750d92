/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A struct that a plug-in filled, as this host knows it: what both know is copied, the rest is zero.
 */
#ifndef SINEW_HOST_BASE_ADOPT_H
#define SINEW_HOST_BASE_ADOPT_H

#include <string.h>

#include "sinew/base.h"

/* `bytes` at dest, of a growable struct that begins with its size. */
static inline void snw_adopt(void *dest, size_t bytes, const void *foreign) {
	uint32_t size;
	memcpy(&size, foreign, sizeof size);
	memset(dest, 0, bytes);
	memcpy(dest, foreign, size < bytes ? size : bytes);
}

#endif
