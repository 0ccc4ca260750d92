/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "task/task.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* ---- task ---------------------------------------------------------------------------------------------------------------- */

bool snw_task_progress(const snw_task *task, double fraction, const char *activity) {
	return !task || !task->progress || task->progress(task->context, fraction, activity);
}

void snw_task_measurement(const snw_task *task, const char *name, double value, const char *unit) {
	if (task && task->measurement) {
		task->measurement(task->context, name, value, unit);
	}
}

void snw_task_notice(const snw_task *task, snw_log_level level, const char *format, ...) {
	if (!task || !task->notice) {
		return;
	}
	char line[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	task->notice(task->context, level, line);
}

static bool part_progress(void *context, double fraction, const char *activity) {
	const snw_subtask *part = context;
	return snw_task_progress(part->whole, part->begin + fraction * (part->end - part->begin), activity);
}

static void part_notice(void *context, snw_log_level level, const char *line) {
	const snw_subtask *part = context;
	snw_task_notice(part->whole, level, "%s", line);
}

static void part_measurement(void *context, const char *name, double value, const char *unit) {
	const snw_subtask *part = context;
	snw_task_measurement(part->whole, name, value, unit);
}

snw_task snw_task_of_subtask(snw_subtask *part) {
	return (snw_task){part, part_progress, part_notice, part_measurement};
}

/* ---- parallel ------------------------------------------------------------------------------------------------------------ */

/* Each run has a counter from which threads take chunks. The thread of a chunk varies, but its range does not. Several runs
 * can be open at the same time: a thread of the pool joins the one with the fewest, and each caller works on its own run, so
 * that no caller waits for another.
 *
 * Short runs often follow each other closely. So such a thread spins for a while before it sleeps, and a caller without
 * chunks left waits only for threads that have joined, not for those that are waking up. */

enum { MAX_THREADS = 64, SPINS = 1000 }; /* spins of some 10 µs in total */

typedef void chunk_function(void *argument, uint32_t begin, uint32_t end, uint32_t thread);

/* One call of snw_parallel_for, on its caller's stack. */
typedef struct run {
	struct run *next; /* of the open runs */
	chunk_function *chunk;
	void *argument;
	uint32_t count, grain, chunk_count;
	atomic_uint next_chunk;
	atomic_uint threads; /* of the pool, in this run; changed under the pool's mutex */
} run;

static struct pool {
	pthread_mutex_t mutex;
	pthread_cond_t work_arrived, work_done;
	pthread_t threads[MAX_THREADS];
	uint32_t thread_count; /* including a caller; 0 before the pool starts */
	run *open;             /* runs that take threads */
	uint32_t sleeping;
	/* Changed under the mutex; read without it while waiting. */
	atomic_uint round; /* the number of runs so far */
	atomic_bool stopping;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .work_arrived = PTHREAD_COND_INITIALIZER, .work_done = PTHREAD_COND_INITIALIZER};

/* Callers hold it for reading during a run, so that the number of threads does not change. */
static pthread_rwlock_t threads_lock = PTHREAD_RWLOCK_INITIALIZER;
static _Thread_local bool inside_run;

static void run_chunks(run *joined, uint32_t thread) {
	inside_run = true;
	for (;;) {
		const uint32_t i = atomic_fetch_add_explicit(&joined->next_chunk, 1, memory_order_relaxed);
		if (i >= joined->chunk_count) {
			break;
		}
		const uint32_t begin = i * joined->grain;
		const uint32_t end = joined->count - begin < joined->grain ? joined->count : begin + joined->grain;
		joined->chunk(joined->argument, begin, end, thread);
	}
	inside_run = false;
}

/* A pause in a loop that waits for another thread. */
static inline void pause_briefly(void) {
#if defined __x86_64__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("yield");
#endif
}

/* ---- the pool: functions are called and return with the mutex held ------------------------------------------------------- */

/* The open run with chunks left and the fewest threads; NULL for none. */
static run *find_run(void) {
	run *found = NULL;
	for (run *r = pool.open; r; r = r->next) {
		if (atomic_load_explicit(&r->next_chunk, memory_order_relaxed) < r->chunk_count &&
			(!found || r->threads < found->threads)) {
			found = r;
		}
	}
	return found;
}

static void wait_for_round(unsigned seen) {
	pthread_mutex_unlock(&pool.mutex);
	for (int i = 0; i < SPINS && atomic_load(&pool.round) == seen && !atomic_load(&pool.stopping); i++) {
		pause_briefly();
	}
	pthread_mutex_lock(&pool.mutex);
	pool.sleeping++;
	while (pool.round == seen && !pool.stopping) {
		pthread_cond_wait(&pool.work_arrived, &pool.mutex);
	}
	pool.sleeping--;
}

static void *run_thread(void *argument) {
	const uint32_t thread = (uint32_t)(uintptr_t)argument;
	pthread_mutex_lock(&pool.mutex);
	while (!pool.stopping) {
		const unsigned seen = pool.round;
		run *joined = find_run();
		if (!joined) {
			wait_for_round(seen);
			continue;
		}
		joined->threads++;
		pthread_mutex_unlock(&pool.mutex);
		run_chunks(joined, thread);
		pthread_mutex_lock(&pool.mutex);
		if (--joined->threads == 0) {
			pthread_cond_broadcast(&pool.work_done);
		}
	}
	pthread_mutex_unlock(&pool.mutex);
	return NULL;
}

/* ---- the threads --------------------------------------------------------------------------------------------------------- */

static void stop_threads(void) {
	pthread_mutex_lock(&pool.mutex);
	pool.stopping = true;
	pthread_cond_broadcast(&pool.work_arrived);
	pthread_mutex_unlock(&pool.mutex);
	for (uint32_t i = 1; i < pool.thread_count; i++) {
		pthread_join(pool.threads[i], NULL);
	}
	pool.stopping = false;
	pool.thread_count = 0;
}

/* A child process has none of the threads. It starts its own when it needs them. */
static void forget_threads(void) {
	pthread_rwlock_init(&threads_lock, NULL);
	pthread_mutex_init(&pool.mutex, NULL);
	pthread_cond_init(&pool.work_arrived, NULL);
	pthread_cond_init(&pool.work_done, NULL);
	pool.thread_count = 0;
	pool.open = NULL;
	pool.sleeping = 0;
	pool.stopping = false;
}

static void watch_forks(void) {
	pthread_atfork(NULL, NULL, forget_threads);
}

static void start_threads(uint32_t count) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, watch_forks);
	if (count == 0) {
		const long cores = sysconf(_SC_NPROCESSORS_ONLN);
		count = cores < 1 ? 1 : (uint32_t)cores;
	}
	count = count > MAX_THREADS ? MAX_THREADS : count;
	pool.thread_count = 1;
	while (pool.thread_count < count &&
		   pthread_create(&pool.threads[pool.thread_count], NULL, run_thread, (void *)(uintptr_t)pool.thread_count) == 0) {
		pool.thread_count++;
	}
}

/* Until the lock is released, the number of threads is positive and does not change. */
static void lock_threads(void) {
	pthread_rwlock_rdlock(&threads_lock);
	while (pool.thread_count == 0) {
		pthread_rwlock_unlock(&threads_lock);
		pthread_rwlock_wrlock(&threads_lock);
		if (pool.thread_count == 0) {
			start_threads(0);
		}
		pthread_rwlock_unlock(&threads_lock);
		pthread_rwlock_rdlock(&threads_lock);
	}
}

void snw_parallel_threads(uint32_t count) {
	pthread_rwlock_wrlock(&threads_lock);
	stop_threads();
	start_threads(count);
	pthread_rwlock_unlock(&threads_lock);
}

uint32_t snw_parallel_thread_count(void) {
	if (inside_run) {
		return pool.thread_count; /* it cannot change during a run, whose caller holds the lock */
	}
	lock_threads();
	const uint32_t count = pool.thread_count;
	pthread_rwlock_unlock(&threads_lock);
	return count;
}

/* ---- a run --------------------------------------------------------------------------------------------------------------- */

static void run_in_caller(uint32_t count, uint32_t grain, chunk_function *chunk, void *argument) {
	for (uint32_t begin = 0; begin < count; begin = count - begin < grain ? count : begin + grain) {
		chunk(argument, begin, count - begin < grain ? count : begin + grain, 0);
	}
}

static void open_run(run *r) {
	pthread_mutex_lock(&pool.mutex);
	r->next = pool.open;
	pool.open = r;
	pool.round++;
	if (pool.sleeping > 0) {
		pthread_cond_broadcast(&pool.work_arrived);
	}
	pthread_mutex_unlock(&pool.mutex);
}

/* Lets no more threads join, and waits for those that have. */
static void close_run(run *r) {
	pthread_mutex_lock(&pool.mutex);
	run **link = &pool.open;
	while (*link != r) {
		link = &(*link)->next;
	}
	*link = r->next;
	pthread_mutex_unlock(&pool.mutex);
	for (int i = 0; i < SPINS && atomic_load(&r->threads) > 0; i++) {
		pause_briefly();
	}
	pthread_mutex_lock(&pool.mutex);
	while (r->threads > 0) {
		pthread_cond_wait(&pool.work_done, &pool.mutex);
	}
	pthread_mutex_unlock(&pool.mutex);
}

void snw_parallel_for(uint32_t count, uint32_t grain, chunk_function *chunk, void *argument) {
	grain = grain == 0 ? 1 : grain;
	if (inside_run || count <= grain) {
		run_in_caller(count, grain, chunk, argument);
		return;
	}
	lock_threads();
	run r = {.chunk = chunk, .argument = argument, .count = count, .grain = grain, .chunk_count = (count - 1) / grain + 1};
	open_run(&r);
	run_chunks(&r, 0);
	close_run(&r);
	pthread_rwlock_unlock(&threads_lock);
}
