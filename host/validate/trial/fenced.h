/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of memory with a fence: whoever reads or writes past the end of one crashes there. In front of a block is other
 * memory.
 */
#ifndef SINEW_HOST_VALIDATE_TRIAL_FENCED_H
#define SINEW_HOST_VALIDATE_TRIAL_FENCED_H

#include <stddef.h>

/* Zeroed, and aligned to a power of two of at most a page: the fence is at the end, rounded up to the alignment. NULL where
 * there is no memory. */
void *fenced_acquire(size_t bytes, size_t alignment);
/* A copy with the fence at its end, aligned to 8 where the count is a multiple of 8; NULL of NULL. */
void *fenced_copy(const void *bytes, size_t count);
/* NULL does nothing. Its content must not be used after. */
void fenced_release(void *memory);

#endif
