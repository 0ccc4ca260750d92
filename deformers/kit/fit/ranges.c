/* SPDX-License-Identifier: MIT */
#include "sinew/kit/ranges.h"

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
