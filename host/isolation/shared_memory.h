/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that this process shares with the plug-in processes that it starts later, at the same addresses. It is reserved once
 * and takes room only where it is written.
 */
#ifndef SINEW_HOST_ISOLATION_SHARED_MEMORY_H
#define SINEW_HOST_ISOLATION_SHARED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Reserves it. Called before the first plug-in process is started. False if the system does not allow it. */
bool snw_shared_memory_open(void);

/* In a plug-in process, from here on: what the program has acquired stays where it is, and nothing is acquired, since the
 * program, which does not know of it, could acquire it too. */
void snw_shared_memory_leave(void);

/* Zeroed memory, aligned to a page, with unused pages around it; NULL if there is no room. Any thread. */
void *snw_shared_memory_acquire(size_t bytes);
/* What was acquired; NULL does nothing. */
void snw_shared_memory_release(void *memory);

/* Whether all of these bytes are in it. */
bool snw_shared_memory_has(const void *memory, size_t bytes);

#endif
