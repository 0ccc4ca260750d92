/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation/shared_memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define RESERVED ((size_t)1 << 40) /* bytes of addresses */
enum { PAGE = 4096 };

/* A piece in use, in the order of addresses. This list is private: what a plug-in process writes cannot damage it. */
typedef struct piece {
	struct piece *next;
	size_t begin, end; /* with a page in front and one behind */
} piece;

static unsigned char *base;
static piece *pieces;
static bool has_left; /* in a plug-in process */
static pthread_mutex_t memory_mutex = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void) {
	pthread_mutex_lock(&memory_mutex);
}

static void after_fork(void) {
	pthread_mutex_unlock(&memory_mutex);
}

static void *reserve(void) {
	const int file = memfd_create("sinew-plugins", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (file < 0) {
		return MAP_FAILED;
	}
	/* A plug-in that finds the file all the same cannot make it smaller below the program. */
	void *memory =
		ftruncate(file, (off_t)RESERVED) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0
			? mmap(NULL, RESERVED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0)
			: MAP_FAILED;
	close(file); /* the mapping remains */
	return memory;
}

bool snw_shared_memory_open(void) {
	pthread_mutex_lock(&memory_mutex);
	if (!base) {
		void *memory = reserve();
		base = memory == MAP_FAILED ? NULL : memory;
		if (base) {
			(void)madvise(base, RESERVED, MADV_DONTDUMP);
			pthread_atfork(before_fork, after_fork, after_fork);
		}
	}
	pthread_mutex_unlock(&memory_mutex);
	return base != NULL;
}

void snw_shared_memory_leave(void) {
	has_left = true;
}

void *snw_shared_memory_acquire(size_t bytes) {
	if (!base || has_left || bytes > RESERVED / 2) {
		return NULL;
	}
	const size_t wanted = (bytes + PAGE - 1) / PAGE * PAGE + 2 * (size_t)PAGE;
	piece *added = malloc(sizeof *added);
	if (!added) {
		return NULL;
	}
	pthread_mutex_lock(&memory_mutex);
	piece **link = &pieces;
	size_t begin = 0;
	while (*link && (*link)->begin - begin < wanted) {
		begin = (*link)->end;
		link = &(*link)->next;
	}
	const bool fits = RESERVED - begin >= wanted;
	if (fits) {
		*added = (piece){*link, begin, begin + wanted};
		*link = added;
	}
	pthread_mutex_unlock(&memory_mutex);
	if (!fits) {
		free(added);
		return NULL;
	}
	return base + begin + PAGE;
}

/* Gives the pages back to the system; they are zero when they are written again. */
static void forget_pages(void *memory, size_t bytes) {
	(void)madvise(memory, (bytes + PAGE - 1) / PAGE * PAGE, MADV_REMOVE);
}

void snw_shared_memory_release(void *memory) {
	if (!memory || has_left) {
		return;
	}
	const size_t begin = (size_t)((unsigned char *)memory - base) - PAGE;
	pthread_mutex_lock(&memory_mutex);
	piece **link = &pieces;
	while (*link && (*link)->begin != begin) {
		link = &(*link)->next;
	}
	piece *removed = *link;
	if (removed) {
		/* Before another can acquire it: it is zeroed then. */
		forget_pages(base + removed->begin, removed->end - removed->begin);
		*link = removed->next;
	}
	pthread_mutex_unlock(&memory_mutex);
	free(removed);
}

bool snw_shared_memory_has(const void *memory, size_t bytes) {
	const uintptr_t at = (uintptr_t)memory, first = (uintptr_t)base;
	return base && at >= first && at - first < RESERVED && bytes <= RESERVED - (at - first);
}
