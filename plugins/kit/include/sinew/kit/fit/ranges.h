/* SPDX-License-Identifier: MIT
 *
 * Work over a range of numbers, split into parts of a fixed size. The parts depend on the count and the grain alone: a sum for
 * each part, added up in order afterwards, has the same bits on any number of threads.
 */
#ifndef SINEW_KIT_FIT_RANGES_H
#define SINEW_KIT_FIT_RANGES_H

#include "sinew/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The work on the numbers [begin, end). Part p begins at p · grain. `thread` as in snw_parallel_service; 0 where there is
 * none. */
typedef void SNW_CALL snk_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread);

/* Calls `range` for each part of [0, count): on the host's threads where it has the parallel service and there is more than one
 * part, else in order on this thread. Returns when all parts are done. Call it from the thread that may use the host's parallel
 * service, and not from within a range. */
void snk_ranges_run(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument);

/* The same for [first, first + count), in parts that begin at `first`. */
void snk_ranges_run_from(const snw_host *host, uint32_t first, uint32_t count, uint32_t grain, snk_range *range,
						 void *argument);

/* How far a fit has come while a range runs, and what it is doing: for snw_report_progress. */
typedef struct snk_stretch {
	double begin, end; /* fractions of the fit */
	const char *activity;
} snk_stretch;

/* The same parts, some for each thread between two reports of progress. Errors: SNW_CANCELLED; some parts have then not run. */
snw_status snk_ranges_run_reported(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument,
								   const snk_stretch *stretch);

/* The number of parts. */
static inline uint32_t snk_ranges_count(uint32_t count, uint32_t grain) {
	return count / grain + (count % grain > 0);
}

#ifdef __cplusplus
}
#endif

#endif
