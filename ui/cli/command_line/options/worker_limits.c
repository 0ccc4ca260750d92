/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/options/worker_limits.h"

snw_status snw_call_limits(const snw_call *call, snw_worker_limits *limits, snw_error *error) {
	double memory_gib = 0;
	*limits = (snw_worker_limits){.in_process = snw_call_option(call, "--in-process") != NULL};
	snw_status status = snw_call_number(call, "--memory", 0.05, 1024, 0, &memory_gib, error);
	limits->memory_bytes = snw_failed(status) ? 0 : (uint64_t)(memory_gib * (1u << 30));
	return snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.01, 1e6, 0, &limits->total_seconds, error);
}
