/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A host that fails on purpose: it withholds a service, refuses the n-th allocation, or asks to stop at the n-th report of
 * progress. Everything else is the host behind it.
 */
#ifndef SINEW_HOST_VALIDATE_TRIAL_TRIAL_HOST_H
#define SINEW_HOST_VALIDATE_TRIAL_TRIAL_HOST_H

#include <stdatomic.h>
#include <stdbool.h>

#include "sinew/sinew.h"

typedef struct trial_host {
	snw_host host; /* what the plug-in gets; it has the context of the real one */
	const snw_host *real;
	const char *withheld;    /* the id of a service; NULL for none */
	uint32_t refused;        /* the allocation that fails, from 1; 0 for none */
	uint32_t stopped;        /* the report that is answered with a stop, as all later ones are, from 1; 0 for none */
	atomic_uint asked;       /* a bit for each service that was asked for, by its index */
	atomic_uint allocations; /* so far */
	atomic_uint reports;
	atomic_bool stopped_at_end; /* the first report that was answered with a stop said that all is done */
	/* Memory that can be made read-only; NULL for the real host's. */
	unsigned char *region;
	atomic_size_t region_used;
	/* Memory ends at a fence (fenced.h). What is acquired while it is set is released before it is not. */
	bool is_fenced;
} trial_host;

/* The trial host must not be copied afterwards. */
void trial_host_open(trial_host *trial, const snw_host *real);
/* Counts from 0 again and fails nothing. */
void trial_host_reset(trial_host *trial);

/* From here on what plug-ins acquire is in a region of its own. False if there is no memory for one. */
bool trial_host_open_region(trial_host *trial);
/* Whether the region may be written to. */
void trial_host_lock_region(const trial_host *trial, bool is_locked);
/* After everything in it was released. */
void trial_host_close_region(trial_host *trial);

/* Ids of the services that a plug-in may be without; NULL after the last. */
const char *trial_host_service(uint32_t index);

#endif
