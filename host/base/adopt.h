/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies a struct from a plug-in that may be of another version: common members are copied, others are zero.
 */
#ifndef SINEW_HOST_BASE_ADOPT_H
#define SINEW_HOST_BASE_ADOPT_H

#include <string.h>

#include "sinew/base.h"

/* Fills `bytes` at dest from a growable struct, which begins with its size. */
static inline void snw_adopt(void *dest, size_t bytes, const void *foreign) {
	uint32_t size;
	memcpy(&size, foreign, sizeof size);
	memset(dest, 0, bytes);
	memcpy(dest, foreign, size < bytes ? size : bytes);
}

#endif
