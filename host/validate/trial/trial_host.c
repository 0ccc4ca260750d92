/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/trial/trial_host.h"

#include <string.h>
#include <sys/mman.h>

#include "validate/trial/fenced.h"

/* A plug-in hands every service the host that it was given, so the trial is found behind it. */
static trial_host *trial_of(const snw_host *host) {
	return (trial_host *)host;
}

enum { ALIGNMENT = 64 };
#define REGION_BYTES ((size_t)1 << 32) /* of addresses: a page is taken when it is first written to */

/* NULL once the region is full. What was in it before is not used again. */
static void *acquire_in_region(trial_host *trial, size_t bytes) {
	if (bytes > REGION_BYTES) {
		return NULL;
	}
	const size_t whole = (bytes / ALIGNMENT + 1) * ALIGNMENT, at = atomic_fetch_add(&trial->region_used, whole);
	return at + whole <= REGION_BYTES ? trial->region + at : NULL;
}

static bool is_in_region(const trial_host *trial, const void *memory) {
	const unsigned char *byte = memory;
	return trial->region && byte >= trial->region && byte < trial->region + REGION_BYTES;
}

static void *acquire(const snw_host *host, size_t bytes) {
	trial_host *trial = trial_of(host);
	const snw_memory_service *memory = trial->real->service(trial->real, SNW_SERVICE_MEMORY);
	const uint32_t count = atomic_fetch_add(&trial->allocations, 1) + 1;
	if (count == trial->refused) {
		return NULL;
	}
	if (trial->region || trial->is_fenced) {
		memory->release(trial->real, memory->acquire(trial->real, 1)); /* which watches the thread rules */
	}
	return trial->is_fenced ? fenced_acquire(bytes, ALIGNMENT)
		   : trial->region  ? acquire_in_region(trial, bytes)
							: memory->acquire(trial->real, bytes);
}

static void release(const snw_host *host, void *memory) {
	const snw_host *real = trial_of(host)->real;
	if (trial_of(host)->is_fenced) {
		fenced_release(memory);
	} else if (!is_in_region(trial_of(host), memory)) {
		((const snw_memory_service *)real->service(real, SNW_SERVICE_MEMORY))->release(real, memory);
	}
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

static void line(const snw_host *host, int32_t level, const char *text) {
	const snw_host *real = trial_of(host)->real;
	((const snw_task_service *)real->service(real, SNW_SERVICE_TASK))->line(real, level, text);
}

static void measure(const snw_host *host, const char *name, double value, const char *unit) {
	const snw_host *real = trial_of(host)->real;
	((const snw_task_service *)real->service(real, SNW_SERVICE_TASK))->measure(real, name, value, unit);
}

static const snw_memory_service memory_table = {sizeof memory_table, acquire, release};
static const snw_task_service task_table = {sizeof task_table, progress, fail, line, measure};

const char *trial_host_service(uint32_t index) {
	static const char *const ids[] = {
		SNW_SERVICE_TASK,    SNW_SERVICE_MEMORY, SNW_SERVICE_PARALLEL, SNW_SERVICE_SOLVER,
		SNW_SERVICE_PROGRAM, SNW_SERVICE_BELOW,  SNW_SERVICE_PROPOSAL,
	};
	return index < sizeof ids / sizeof ids[0] ? ids[index] : NULL;
}

static const void *find_service(const snw_host *host, const char *id) {
	trial_host *trial = trial_of(host);
	for (uint32_t i = 0; trial_host_service(i); i++) {
		if (strcmp(trial_host_service(i), id) == 0) {
			atomic_fetch_or(&trial->asked, 1u << i);
		}
	}
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
	atomic_store(&trial->asked, 0);
	atomic_store(&trial->allocations, 0);
	atomic_store(&trial->reports, 0);
	atomic_store(&trial->stopped_at_end, false);
}

bool trial_host_open_region(trial_host *trial) {
	void *region = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	trial->region = region == MAP_FAILED ? NULL : region;
	atomic_store(&trial->region_used, 0);
	return trial->region != NULL;
}

void trial_host_lock_region(const trial_host *trial, bool is_locked) {
	mprotect(trial->region, REGION_BYTES, is_locked ? PROT_READ : PROT_READ | PROT_WRITE);
}

void trial_host_close_region(trial_host *trial) {
	munmap(trial->region, REGION_BYTES);
	trial->region = NULL;
}
