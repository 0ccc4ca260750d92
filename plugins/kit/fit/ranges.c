/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/ranges.h"

#include "sinew/report.h"

enum { PARTS_PER_THREAD = 4 }; /* between two reports */

void snk_ranges_run(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument) {
	const snw_parallel_service *parallel = (const snw_parallel_service *)host->service(host, SNW_SERVICE_PARALLEL);
	if (parallel && count > grain) {
		parallel->run(host, count, grain, range, argument);
		return;
	}
	for (uint32_t begin = 0; begin < count; begin += count - begin < grain ? count - begin : grain) {
		range(argument, begin, count - begin < grain ? count : begin + grain, 0);
	}
}

/* A range that begins elsewhere than at 0. */
typedef struct shifted_range {
	snk_range *range;
	void *argument;
	uint32_t first;
} shifted_range;

static void SNW_CALL run_shifted(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const shifted_range *s = argument;
	s->range(s->argument, s->first + begin, s->first + end, thread);
}

void snk_ranges_run_from(const snw_host *host, uint32_t first, uint32_t count, uint32_t grain, snk_range *range,
						 void *argument) {
	shifted_range shifted = {range, argument, first};
	snk_ranges_run(host, count, grain, run_shifted, &shifted);
}

snw_status snk_ranges_run_reported(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument,
								   const snk_stretch *stretch) {
	const snw_parallel_service *parallel = (const snw_parallel_service *)host->service(host, SNW_SERVICE_PARALLEL);
	const uint64_t most = (uint64_t)grain * PARTS_PER_THREAD * (parallel ? parallel->thread_count(host) : 1);
	for (uint32_t first = 0; first < count;) {
		const double done = stretch->begin + (stretch->end - stretch->begin) * first / count;
		if (!snw_report_progress(host, done, stretch->activity)) {
			return SNW_CANCELLED;
		}
		const uint32_t remaining = count - first, size = remaining < most ? remaining : (uint32_t)most;
		snk_ranges_run_from(host, first, size, grain, range, argument);
		first += size;
	}
	return SNW_OK;
}
