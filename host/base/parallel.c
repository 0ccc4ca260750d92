/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chunks are numbered by position and handed out from one counter. Which thread runs a chunk differs from run to run; what
 * the chunk is does not. Work often comes in short runs close together: so a worker looks for the next one a while before it
 * goes to sleep, and a caller that has found no chunk left waits for the workers that have come, not for those still waking up.
 */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum { MAX_THREADS = 64, LOOKS = 1000 }; /* a few ten microseconds */

typedef void chunk_function(void *argument, uint32_t begin, uint32_t end, uint32_t thread);

static struct pool {
	pthread_mutex_t mutex;
	pthread_cond_t work_arrived, work_done;
	pthread_t threads[MAX_THREADS];
	uint32_t thread_count; /* the caller included; 0 before the pool is started */
	/* Changed under the mutex; who waits may look without. */
	atomic_uint round; /* which run this is */
	atomic_uint busy;  /* workers in it */
	atomic_bool stopping;
	bool is_open; /* the run takes workers */
	uint32_t sleeping;

	chunk_function *chunk;
	void *argument;
	uint32_t count, grain, chunk_count;
	atomic_uint next_chunk;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .work_arrived = PTHREAD_COND_INITIALIZER, .work_done = PTHREAD_COND_INITIALIZER};

/* One run at a time; a second caller waits. */
static pthread_mutex_t one_run = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool inside_run;

static void run_chunks(uint32_t thread) {
	inside_run = true;
	for (;;) {
		const uint32_t i = atomic_fetch_add_explicit(&pool.next_chunk, 1, memory_order_relaxed);
		if (i >= pool.chunk_count) {
			break;
		}
		const uint32_t begin = i * pool.grain;
		const uint32_t end = pool.count - begin < pool.grain ? pool.count : begin + pool.grain;
		pool.chunk(pool.argument, begin, end, thread);
	}
	inside_run = false;
}

/* A moment in a loop that waits for another thread. */
static inline void pause_briefly(void) {
#if defined __x86_64__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("yield");
#endif
}

/* With the mutex held when it begins and when it ends. */
static void wait_for_round(unsigned seen) {
	pthread_mutex_unlock(&pool.mutex);
	for (int i = 0; i < LOOKS && atomic_load(&pool.round) == seen && !atomic_load(&pool.stopping); i++) {
		pause_briefly();
	}
	pthread_mutex_lock(&pool.mutex);
	pool.sleeping++;
	while (pool.round == seen && !pool.stopping) {
		pthread_cond_wait(&pool.work_arrived, &pool.mutex);
	}
	pool.sleeping--;
}

static void *worker(void *argument) {
	const uint32_t thread = (uint32_t)(uintptr_t)argument;
	unsigned seen = 0;
	pthread_mutex_lock(&pool.mutex);
	while (true) {
		wait_for_round(seen);
		if (pool.stopping) {
			break;
		}
		seen = pool.round;
		if (!pool.is_open) {
			continue; /* it was over before this thread was awake */
		}
		pool.busy++;
		pthread_mutex_unlock(&pool.mutex);
		run_chunks(thread);
		pthread_mutex_lock(&pool.mutex);
		if (--pool.busy == 0) {
			pthread_cond_signal(&pool.work_done);
		}
	}
	pthread_mutex_unlock(&pool.mutex);
	return NULL;
}

/* No more workers come in, and those that have are waited for. */
static void close_run(void) {
	pthread_mutex_lock(&pool.mutex);
	pool.is_open = false;
	pthread_mutex_unlock(&pool.mutex);
	for (int i = 0; i < LOOKS && atomic_load(&pool.busy) > 0; i++) {
		pause_briefly();
	}
	pthread_mutex_lock(&pool.mutex);
	while (pool.busy > 0) {
		pthread_cond_wait(&pool.work_done, &pool.mutex);
	}
	pthread_mutex_unlock(&pool.mutex);
}

static void stop_workers(void) {
	pthread_mutex_lock(&pool.mutex);
	pool.stopping = true;
	pthread_cond_broadcast(&pool.work_arrived);
	pthread_mutex_unlock(&pool.mutex);
	for (uint32_t i = 1; i < pool.thread_count; i++) {
		pthread_join(pool.threads[i], NULL);
	}
	pool.stopping = false;
	pool.thread_count = 0;
	pool.round = 0;
}

/* A child process has none of the threads: it starts its own when it first needs them. */
static void forget_workers(void) {
	pthread_mutex_init(&one_run, NULL);
	pthread_mutex_init(&pool.mutex, NULL);
	pthread_cond_init(&pool.work_arrived, NULL);
	pthread_cond_init(&pool.work_done, NULL);
	pool.thread_count = 0;
	pool.round = 0;
	pool.busy = 0;
	pool.sleeping = 0;
	pool.is_open = false;
	pool.stopping = false;
}

static void watch_forks(void) {
	pthread_atfork(NULL, NULL, forget_workers);
}

static void start_workers(uint32_t count) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, watch_forks);
	if (count == 0) {
		const long cores = sysconf(_SC_NPROCESSORS_ONLN);
		count = cores < 1 ? 1 : (uint32_t)cores;
	}
	count = count > MAX_THREADS ? MAX_THREADS : count;
	pool.thread_count = 1;
	while (pool.thread_count < count &&
		   pthread_create(&pool.threads[pool.thread_count], NULL, worker, (void *)(uintptr_t)pool.thread_count) == 0) {
		pool.thread_count++;
	}
}

void snw_parallel_threads(uint32_t count) {
	pthread_mutex_lock(&one_run);
	stop_workers();
	start_workers(count);
	pthread_mutex_unlock(&one_run);
}

uint32_t snw_parallel_thread_count(void) {
	if (inside_run) {
		return pool.thread_count; /* it cannot change during a run, whose caller holds the lock */
	}
	pthread_mutex_lock(&one_run);
	if (pool.thread_count == 0) {
		start_workers(0);
	}
	const uint32_t count = pool.thread_count;
	pthread_mutex_unlock(&one_run);
	return count;
}

static void run_in_caller(uint32_t count, uint32_t grain, chunk_function *chunk, void *argument) {
	for (uint32_t begin = 0; begin < count; begin = count - begin < grain ? count : begin + grain) {
		chunk(argument, begin, count - begin < grain ? count : begin + grain, 0);
	}
}

void snw_parallel_for(uint32_t count, uint32_t grain, chunk_function *chunk, void *argument) {
	grain = grain == 0 ? 1 : grain;
	if (inside_run || count <= grain) {
		run_in_caller(count, grain, chunk, argument);
		return;
	}
	pthread_mutex_lock(&one_run);
	if (pool.thread_count == 0) {
		start_workers(0);
	}
	pthread_mutex_lock(&pool.mutex);
	pool.chunk = chunk;
	pool.argument = argument;
	pool.count = count;
	pool.grain = grain;
	pool.chunk_count = (count - 1) / grain + 1;
	atomic_store(&pool.next_chunk, 0);
	pool.is_open = true;
	pool.round++;
	if (pool.sleeping > 0) {
		pthread_cond_broadcast(&pool.work_arrived);
	}
	pthread_mutex_unlock(&pool.mutex);

	run_chunks(0);
	close_run();
	pthread_mutex_unlock(&one_run);
}
