/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation/plugin_process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault/fault.h"
#include "isolation/confine.h"
#include "isolation/isolated_deformer.h"
#include "services/services.h"
#include "sinew/kit/clock.h"
#include "task/task.h"

/* ---- plugin process ------------------------------------------------------------------------------------------------------ */

/* A fit's plug-in process may run a model of another one (its stack below), so that two processes may want it at once. The lock
 * is in memory that the plug-in process itself does not have. */
struct snw_plugin_process {
	struct snw_plugin_process *next; /* of all */
	pthread_mutex_t *lock;
	snw_region *region;
	const char *who;
	pid_t process;
	int socket;
	int errors; /* a pipe from its standard error; -1 once it has closed that */
	bool has_ended;
	char problem[300]; /* how it ended */
};

const char *const snw_plugin_functions[SNW_FUNCTION_COUNT] = {
#define NAME(name) #name,
	SNW_PLUGIN_FUNCTIONS(NAME)
#undef NAME
};

enum { MOST_STARTS = 5, START_MILLISECONDS = 5000, WATCH_MILLISECONDS = 250, MOST_READS = 64, MOST_PRINTED_BYTES = 1 << 20 };

static snw_plugin_process *processes;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* one fork at a time, and the list */

/* ---- starting ------------------------------------------------------------------------------------------------------------ */

static pthread_mutex_t *make_lock(void) {
	pthread_mutex_t *lock = mmap(NULL, sizeof *lock, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (lock == MAP_FAILED) {
		return NULL;
	}
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(lock, &kind);
	pthread_mutexattr_destroy(&kind);
	return lock;
}

/* What the program has open is not the plug-in's, but for what leads to other plug-in processes: a fit may use what is below
 * it. */
static void close_files(int socket) {
	int keep[512], count = 0, first = 3;
	keep[count++] = socket;
	for (const snw_plugin_process *p = processes; p && count + 2 <= 512; p = p->next) {
		keep[count++] = p->socket;
		keep[count++] = p->errors;
	}
	for (;;) {
		int next = -1;
		for (int i = 0; i < count; i++) {
			next = keep[i] >= first && (next < 0 || keep[i] < next) ? keep[i] : next;
		}
		if (next < 0) {
			(void)close_range((unsigned)first, ~0U, 0);
			return;
		}
		if (next > first) {
			(void)close_range((unsigned)first, (unsigned)next - 1, 0);
		}
		first = next + 1;
	}
}

/* What a plug-in starts may outlive it. So it gets no descriptor of the program's: who waits for the end of the program's
 * output does not wait for that. */
static bool open_channels(int ends[2], int errors[2]) {
	if (!snw_message_open_sockets(ends)) {
		return false;
	}
	if (pipe2(errors, O_CLOEXEC) != 0) {
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	(void)fcntl(errors[0], F_SETFL, O_NONBLOCK);
	return true;
}

/* Forks. False if there is no process. */
static bool start_process(const snw_plugin_start *start, snw_plugin_process *process) {
	int ends[2], errors[2];
	const uint32_t threads = snw_parallel_thread_count();
	pthread_mutex_lock(&starting);
	if (!open_channels(ends, errors)) {
		pthread_mutex_unlock(&starting);
		return false;
	}
	const pid_t child = fork();
	if (child == 0) {
		munmap(process->lock, sizeof *process->lock);
		dup2(errors[1], STDERR_FILENO);
		close_files(ends[1]);
		pthread_mutex_init(&starting, NULL);
		snw_plugin_child_run(start, process->region, ends[1], threads);
	}
	close(ends[1]);
	close(errors[1]);
	process->process = child;
	process->socket = ends[0];
	process->errors = errors[0];
	if (child > 0) {
		process->next = processes;
		processes = process;
	} else {
		close(ends[0]);
		close(errors[0]);
	}
	pthread_mutex_unlock(&starting);
	return child > 0;
}

static bool write_whole(int file, const char *bytes, ssize_t count) {
	ssize_t written = 0;
	for (ssize_t done = 0; done < count && written >= 0; done += written > 0 ? written : 0) {
		written = write(file, bytes + done, (size_t)(count - done));
		written = written < 0 && errno == EINTR ? 0 : written;
	}
	return written >= 0;
}

/* A terminal would obey its escape sequences: they clear the screen, or name the window. */
static void disarm(char *bytes, ssize_t count) {
	for (ssize_t i = 0; i < count; i++) {
		const bool is_control = ((unsigned char)bytes[i] < ' ' && bytes[i] != '\n' && bytes[i] != '\t') || bytes[i] == 0x7f;
		bytes[i] = is_control ? '?' : bytes[i];
	}
}

/* False once all plug-ins together have printed too much, or nobody reads it. */
static bool print_output(const char *bytes, ssize_t count) {
	static const char line[] = "\nwarning: further output of plug-ins on standard error is left out\n";
	static _Atomic long left = MOST_PRINTED_BYTES;
	const long before = atomic_load(&left) >= 0 ? atomic_fetch_sub(&left, count) : -1;
	if (before >= 0 && before < count) {
		(void)write_whole(STDERR_FILENO, line, sizeof line - 1);
	}
	return before >= count && write_whole(STDERR_FILENO, bytes, count);
}

/* Passes on what the plug-in has printed: not all at once, so that one that prints without an end is still looked at. */
static void pass_errors_on(snw_plugin_process *process) {
	char bytes[1 << 14];
	ssize_t count = 1;
	for (int i = 0; i < MOST_READS && process->errors >= 0 && count > 0; i++) {
		count = read(process->errors, bytes, sizeof bytes);
		disarm(bytes, count);
		if (count == 0 || (count > 0 && !print_output(bytes, count))) {
			close(process->errors);
			process->errors = -1;
		}
	}
}

static void forget_process(snw_plugin_process *process) {
	pass_errors_on(process);
	pthread_mutex_lock(&starting);
	for (snw_plugin_process **link = &processes; *link; link = &(*link)->next) {
		if (*link == process) {
			*link = process->next;
			close(process->socket);
			if (process->errors >= 0) {
				close(process->errors);
			}
			break;
		}
	}
	pthread_mutex_unlock(&starting);
}

/* A fork copies the locks that other threads hold at that moment, those of a sanitizer's allocator among them. A process that
 * waits for one before it is ready is forked again. */
static bool start_ready_process(const snw_plugin_start *start, snw_plugin_process *process) {
	for (int attempt = 1;; attempt++) {
		if (!start_process(start, process)) {
			return false;
		}
		struct pollfd polled = {.fd = process->socket, .events = POLLIN};
		if (attempt == MOST_STARTS || poll(&polled, 1, START_MILLISECONDS) != 0) {
			return true;
		}
		snw_confined_end(process->process);
		forget_process(process);
		waitpid(process->process, NULL, 0);
	}
}

static void destroy(snw_plugin_process *process) {
	forget_process(process);
	if (process->lock) {
		munmap(process->lock, sizeof *process->lock);
	}
	snw_shared_memory_release(process->region);
	free(process);
}

/* ---- faults -------------------------------------------------------------------------------------------------------------- */

static const void *service_of(const snw_host *host, const char *id) {
	return host ? host->service(host, id) : NULL;
}

static void reap(snw_plugin_process *process, int *ending, bool *is_known) {
	pid_t found;
	do {
		found = waitpid(process->process, ending, 0);
	} while (found < 0 && errno == EINTR);
	*is_known = found == process->process;
}

/* Ends the process, if it has not ended, and records why. `seconds` is how long it was waited for; 0 if it ended by itself. */
static snw_status record_fault(snw_plugin_process *process, const snw_host *host, uint32_t seconds) {
	int ending = 0;
	bool is_known;
	char *problem = process->problem;
	const size_t room = sizeof process->problem;
	const uint32_t index = process->region->function;
	const char *function = snw_plugin_functions[index < SNW_FUNCTION_COUNT ? index : SNW_FUNCTION_dlopen];
	snw_confined_end(process->process); /* with what it has started */
	reap(process, &ending, &is_known);
	if (seconds > 0) {
		snprintf(problem, room, "has not returned from %s after %u seconds ($SINEW_PLUGIN_SECONDS)", function, seconds);
	} else if (is_known && WIFSIGNALED(ending) && WTERMSIG(ending) == SIGKILL) {
		snprintf(problem, room, "was killed in %s (by the system, if memory ran out)", function);
	} else if (is_known && WIFSIGNALED(ending)) {
		const char *words = process->region->overflowed ? SNW_STACK_OVERFLOW : snw_crash_words(WTERMSIG(ending));
		snprintf(problem, room, "crashed in %s (%s)", function, words ? words : strsignal(WTERMSIG(ending)));
	} else {
		snprintf(problem, room, "ended its process in %s%s", function, is_known ? " (exit())" : "");
	}
	process->has_ended = true;
	snw_plugin_fault_add(process->who, problem, index != SNW_FUNCTION_release);
	const snw_task_service *task = service_of(host, SNW_SERVICE_TASK);
	return task ? task->fail(host, SNW_ERROR_CRASH, problem) : SNW_ERROR_CRASH;
}

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

/* Passes on what the plug-in process reports. */
static void hand_on(const snw_plugin_process *process, const snw_host *host, const snw_message *message) {
	const snw_task_service *task = service_of(host, SNW_SERVICE_TASK);
	if (message->kind == SNW_MESSAGE_PROGRESS) {
		const char goes_on = (char)(!task || task->progress(host, message->number, message->text));
		(void)send(process->socket, &goes_on, 1, MSG_NOSIGNAL);
	} else if (message->kind == SNW_MESSAGE_NOTICE && task) {
		task->line(host, message->status, message->text);
	} else if (message->kind == SNW_MESSAGE_MEASUREMENT && task) {
		task->measure(host, message->text, message->number, message->unit);
	}
}

/* The time of a call. */
typedef struct call_time {
	double at, computed; /* when it was last looked at, and the processor time of the process then */
	double used;         /* of the limit */
} call_time;

/* More than the time between two looks does not count: the program was stopped. */
static void look_at_time(const snw_plugin_process *process, call_time *time) {
	const double at = snk_clock_seconds();
	double computed = time->computed;
	(void)snk_clock_read_process(process->process, &computed);
	time->used += snw_call_limit_used(fmin(at - time->at, WATCH_MILLISECONDS / 1000.0), computed - time->computed);
	time->at = at;
	time->computed = computed;
}

/* What a call ends with. */
static snw_status take_answer(const snw_host *host, const snw_message *message) {
	const snw_task_service *task = service_of(host, SNW_SERVICE_TASK);
	if (task && message->text[0]) {
		task->fail(host, message->status, message->text);
	}
	if (!host || message->is_whole) {
		snw_plugin_problem_set(message->text);
	}
	return message->status;
}

/* Waits for the end of a call, or until the process is ready. If the call `reports`, its time counts from its last report;
 * nothing else that the process says makes it longer. */
static snw_status wait_for_answer(snw_plugin_process *process, const snw_host *host, snw_message_kind wanted, bool reports) {
	const uint32_t seconds = host ? snw_call_limit_seconds() : snw_call_limit_of_evaluation();
	call_time time = {0};
	look_at_time(process, &time);
	time.used = 0;
	for (;;) {
		struct pollfd polled[] = {{process->socket, POLLIN, 0}, {process->errors, POLLIN, 0}};
		snw_message message;
		const bool has_ended = snw_confined_has_ended(process->process);
		(void)poll(polled, 2, has_ended ? 0 : WATCH_MILLISECONDS);
		look_at_time(process, &time);
		pass_errors_on(process);
		if (polled[0].revents || has_ended) {
			if (snw_message_receive(process->socket, !has_ended, &message) != SNW_MESSAGE_ARRIVED) {
				return record_fault(process, host, 0); /* it has ended already, unless it wrote to the socket itself */
			}
			if (message.kind == (uint32_t)wanted) {
				return take_answer(host, &message);
			}
			hand_on(process, host, &message);
			time.used = reports && message.kind == SNW_MESSAGE_PROGRESS ? 0 : time.used;
		}
		if (seconds > 0 && time.used >= seconds) {
			return record_fault(process, host, seconds);
		}
	}
}

/* A trace does not see the call twice. */
static snw_status wait_untraced(snw_plugin_process *process, const snw_host *host, snw_message_kind wanted, bool reports) {
	snw_thread_call call = snw_thread_current_call();
	call.who = NULL;
	const snw_thread_call previous = snw_thread_enter(call);
	snw_plugin_problem_set("");
	const snw_status status = wait_for_answer(process, host, wanted, reports);
	snw_thread_leave_chunk(previous);
	return status;
}

static snw_status send_order(snw_plugin_process *process, snw_plugin_order order, const snw_host *host,
							 snw_message_kind wanted) {
	const int32_t word = (int32_t)order;
	if (send(process->socket, &word, sizeof word, MSG_NOSIGNAL) != (ssize_t)sizeof word) {
		return record_fault(process, host, 0);
	}
	return wait_untraced(process, host, wanted, false);
}

/* A process that has ended in its call may have left an answer, or one that is still to come: it would be taken for that of the
 * next call. */
static void enter(snw_plugin_process *process) {
	if (pthread_mutex_lock(process->lock) == EOWNERDEAD) {
		pthread_mutex_consistent(process->lock);
		if (!process->has_ended) {
			(void)send_order(process, SNW_ORDER_NOTHING, NULL, SNW_MESSAGE_READY);
		}
	}
}

snw_status snw_plugin_process_start(const snw_plugin_start *start, snw_stream *answer, snw_plugin_process **process) {
	snw_plugin_process *started = calloc(1, sizeof *started);
	if (!started) {
		return SNW_ERROR_MEMORY;
	}
	started->who = start->who;
	started->socket = -1;
	started->errors = -1;
	started->lock = make_lock();
	started->region = snw_shared_memory_acquire(SNW_REGION_BYTES);
	if (!started->lock || !started->region || !start_ready_process(start, started)) {
		destroy(started);
		return SNW_ERROR_MEMORY;
	}
	const snw_status status = wait_untraced(started, start->host, SNW_MESSAGE_DONE, start->reports);
	*answer = snw_region_answer(started->region);
	if (snw_failed(status)) {
		snw_plugin_process_end(started);
		return status;
	}
	*process = started;
	return status;
}

void snw_plugin_process_end(snw_plugin_process *process) {
	if (!process) {
		return;
	}
	if (!process->has_ended) {
		snw_stream answer;
		int ending;
		bool is_known;
		snw_plugin_process_open(process);
		const snw_status status = snw_plugin_process_run(process, SNW_ORDER_RELEASE, NULL, &answer);
		snw_plugin_process_close(process);
		if (status != SNW_ERROR_CRASH) {
			snw_confined_end(process->process); /* it has nothing left to do */
			reap(process, &ending, &is_known);
		}
	}
	destroy(process);
}

snw_stream snw_plugin_process_open(snw_plugin_process *process) {
	enter(process);
	return snw_region_request(process->region);
}

snw_status snw_plugin_process_run(snw_plugin_process *process, snw_plugin_order order, const snw_host *host,
								  snw_stream *answer) {
	*answer = snw_region_answer(process->region);
	if (process->has_ended) {
		snw_plugin_problem_set(process->problem);
		return SNW_ERROR_CRASH;
	}
	return send_order(process, order, host, SNW_MESSAGE_DONE);
}

void snw_plugin_process_close(snw_plugin_process *process) {
	pthread_mutex_unlock(process->lock);
}

/* ---- shared memory ------------------------------------------------------------------------------------------------------- */

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
