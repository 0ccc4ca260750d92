/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The host that a plug-in gets while it is checked: it can ask to stop at the n-th report of progress, and its memory can be
 * made read-only or end at fences. Everything else is the host behind it. Private to host/validate.
 */
#ifndef SINEW_HOST_VALIDATE_TRIAL_HOST_H
#define SINEW_HOST_VALIDATE_TRIAL_HOST_H

#include <stdatomic.h>
#include <stdbool.h>

#include "sinew/sinew.h"

typedef struct trial_host {
	snw_host host; /* what the plug-in gets; it has the context of the real one */
	const snw_host *real;
	snw_memory_service memory;
	snw_task_service task;
	uint32_t stopped;           /* the report that is answered with a stop, as all later ones are, from 1; 0 for none */
	atomic_uint reports;        /* so far */
	atomic_bool stopped_at_end; /* the first report that was answered with a stop said that all is done */
	/* Memory that can be made read-only; NULL for the real host's. */
	unsigned char *region;
	atomic_size_t region_used;
	/* Memory ends at a fence. What is acquired while it is set is released before it is not. */
	bool is_fenced;
} trial_host;

/* The trial host must not be copied afterwards. */
void trial_host_open(trial_host *trial, const snw_host *real);
/* Counts from 0 again, and asks to stop at this report. */
void trial_host_stop_at(trial_host *trial, uint32_t report);

/* From here on what plug-ins acquire is in a region of its own. False if there is no memory for one. */
bool trial_host_open_region(trial_host *trial);
/* Whether the region may be written to. */
void trial_host_lock_region(const trial_host *trial, bool is_locked);
/* After everything in it was released. */
void trial_host_close_region(trial_host *trial);

/* A copy with the fence at its end, aligned to 8 where the count is a multiple of 8; NULL of NULL. */
void *fenced_copy(const void *bytes, size_t count);
/* NULL does nothing. Its content must not be used after. */
void fenced_release(void *memory);

#endif
