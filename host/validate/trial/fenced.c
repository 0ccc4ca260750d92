/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/trial/fenced.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* An index that is wrong may be far too large. */
enum { FENCE_BYTES = 1 << 20 };

/* In front of each block, at any alignment. */
typedef struct mapping {
	void *begin;
	size_t bytes;
} mapping;

void *fenced_acquire(size_t bytes, size_t alignment) {
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
