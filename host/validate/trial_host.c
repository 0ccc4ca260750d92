/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/trial_host.h"

#include <string.h>

/* A plug-in hands every service the host that it was given, so the trial is found behind it. */
static trial_host *trial_of(const snw_host *host) {
	return (trial_host *)host;
}

static void *acquire(const snw_host *host, size_t bytes) {
	trial_host *trial = trial_of(host);
	const snw_memory_service *memory = trial->real->service(trial->real, SNW_SERVICE_MEMORY);
	const uint32_t count = atomic_fetch_add(&trial->allocations, 1) + 1;
	return count == trial->refused ? NULL : memory->acquire(trial->real, bytes);
}

static void release(const snw_host *host, void *memory) {
	const snw_host *real = trial_of(host)->real;
	((const snw_memory_service *)real->service(real, SNW_SERVICE_MEMORY))->release(real, memory);
}

static int32_t progress(const snw_host *host, double fraction, const char *step) {
	trial_host *trial = trial_of(host);
	const snw_task_service *task = trial->real->service(trial->real, SNW_SERVICE_TASK);
	const uint32_t count = atomic_fetch_add(&trial->reports, 1) + 1;
	const int32_t go_on = task->progress(trial->real, fraction, step);
	if (trial->stopped > 0 && count == trial->stopped) {
		atomic_store(&trial->stopped_at_end, fraction >= 1);
	}
	return trial->stopped > 0 && count >= trial->stopped ? 0 : go_on;
}

static snw_status fail(const snw_host *host, snw_status status, const char *text) {
	const snw_host *real = trial_of(host)->real;
	return ((const snw_task_service *)real->service(real, SNW_SERVICE_TASK))->fail(real, status, text);
}

static const snw_memory_service memory_table = {sizeof memory_table, acquire, release};
static const snw_task_service task_table = {sizeof task_table, progress, fail};

static const void *find_service(const snw_host *host, const char *id) {
	trial_host *trial = trial_of(host);
	if (trial->withheld && strcmp(trial->withheld, id) == 0) {
		return NULL;
	}
	return strcmp(id, SNW_SERVICE_MEMORY) == 0 ? &memory_table
		   : strcmp(id, SNW_SERVICE_TASK) == 0 ? (const void *)&task_table
											   : trial->real->service(trial->real, id);
}

void trial_host_open(trial_host *trial, const snw_host *real) {
	*trial = (trial_host){.host = *real, .real = real};
	trial->host.service = find_service;
}

void trial_host_reset(trial_host *trial) {
	trial->withheld = NULL;
	trial->refused = trial->stopped = 0;
	atomic_store(&trial->allocations, 0);
	atomic_store(&trial->reports, 0);
	atomic_store(&trial->stopped_at_end, false);
}

const char *trial_host_service(uint32_t index) {
	static const char *const ids[] = {
		SNW_SERVICE_LOG,    SNW_SERVICE_TASK,  SNW_SERVICE_MEASUREMENT,  SNW_SERVICE_MEMORY,   SNW_SERVICE_PARALLEL,
		SNW_SERVICE_SOLVER, SNW_SERVICE_BELOW, SNW_SERVICE_BELOW_AFFINE, SNW_SERVICE_PROPOSAL, SNW_SERVICE_THREAD_ROLE,
	};
	return index < sizeof ids / sizeof ids[0] ? ids[index] : NULL;
}
