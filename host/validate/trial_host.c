/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/trial_host.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- memory with a fence ------------------------------------------------------------------------------------------------- */

/* An index that is wrong may be far too large. */
enum { FENCE_BYTES = 1 << 20 };

/* In front of each block, at any alignment. */
typedef struct mapping {
	void *begin;
	size_t bytes;
} mapping;

/* Blocks of memory with a fence: whoever reads or writes past the end of one crashes there. In front of a block is other
 * memory. Zeroed, and aligned to a power of two of at most a page: the fence is at the end, rounded up to the alignment. NULL
 * where there is no memory. */
static void *fenced_acquire(size_t bytes, size_t alignment) {
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (bytes > SIZE_MAX / 2) {
		return NULL;
	}
	const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
	const size_t open = (sizeof(mapping) + rounded + page - 1) / page * page;
	const mapping made = {mmap(NULL, open + FENCE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
						  open + FENCE_BYTES};
	if (made.begin == MAP_FAILED) {
		return NULL;
	}
	if (mprotect(made.begin, open, PROT_READ | PROT_WRITE) != 0) {
		munmap(made.begin, made.bytes);
		return NULL;
	}
	unsigned char *memory = (unsigned char *)made.begin + open - rounded;
	memcpy(memory - sizeof made, &made, sizeof made);
	return memory;
}

void *fenced_copy(const void *bytes, size_t count) {
	void *copy = bytes ? fenced_acquire(count, count % 8 == 0 ? 8 : 1) : NULL;
	if (bytes && !copy) {
		abort();
	}
	if (copy && count > 0) {
		memcpy(copy, bytes, count);
	}
	return copy;
}

void fenced_release(void *memory) {
	mapping made;
	if (memory) {
		memcpy(&made, (unsigned char *)memory - sizeof made, sizeof made);
		munmap(made.begin, made.bytes);
	}
}

/* ---- the host ------------------------------------------------------------------------------------------------------------ */

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
	if (!trial->region && !trial->is_fenced) {
		return memory->acquire(trial->real, bytes);
	}
	memory->release(trial->real, memory->acquire(trial->real, 1)); /* which watches the thread rules */
	return trial->is_fenced ? fenced_acquire(bytes, ALIGNMENT) : acquire_in_region(trial, bytes);
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

static const void *find_service(const snw_host *host, const char *id) {
	const trial_host *trial = trial_of(host);
	return strcmp(id, SNW_SERVICE_MEMORY) == 0 ? &trial->memory
		   : strcmp(id, SNW_SERVICE_TASK) == 0 ? (const void *)&trial->task
											   : trial->real->service(trial->real, id);
}

void trial_host_open(trial_host *trial, const snw_host *real) {
	*trial = (trial_host){.host = *real,
						  .real = real,
						  .memory = {sizeof trial->memory, acquire, release},
						  .task = *(const snw_task_service *)real->service(real, SNW_SERVICE_TASK)};
	trial->host.service = find_service;
	trial->task.progress = progress;
}

void trial_host_stop_at(trial_host *trial, uint32_t report) {
	trial->stopped = report;
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
