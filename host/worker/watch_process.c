/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Watching a worker: what it says, how long it is silent, whether it should stop, and how it ended.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "worker/encoding.h"
#include "worker/message.h"
#include "worker/process.h"

static const double DEFAULT_IDLE_SECONDS = 60;
/* A cancel is a message first, then SIGTERM, then SIGKILL; so long apart. */
static const double SECONDS_TO_KILL = 2; /* … from being asked to end */
enum { TICK_MILLISECONDS = 50 };

typedef struct watch {
	snw_process *process;
	const snw_process_words *words;
	const snw_task *task;
	double idle_seconds, total_seconds;
	double started, last_message, stopped; /* seconds; stopped is 0 until the job is to end */
	bool terminated, killed, gone;
	int ended; /* as waitpid tells it, once `gone` */
	snw_message_queue queue;
	double fraction;
	char activity[256];
	char complaint[512]; /* the last line on standard error */
	size_t complaint_length;
	bool complaint_ended;
	bool confused; /* it sent something that is no message */
	bool done;     /* the job has sent its status and text */
	snw_status status;
	char text[900];
	snw_status stop_status; /* why it was stopped */
	char stop_text[300];
} watch;

/* ---- what it says ------------------------------------------------------------------------------------------------- */

/* Keeps the last line that is not empty. */
static void keep_complaint(watch *w, const char *bytes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] == '\n' || bytes[i] == '\r') {
			w->complaint_ended = true;
		} else {
			if (w->complaint_ended) {
				w->complaint_length = 0;
				w->complaint_ended = false;
			}
			if (w->complaint_length < sizeof w->complaint - 1) {
				w->complaint[w->complaint_length++] = bytes[i] ? bytes[i] : ' ';
			}
		}
	}
	w->complaint[w->complaint_length] = '\0';
}

static void read_complaints(watch *w) {
	char bytes[4096];
	for (int i = 0; i < 64; i++) { /* a flood must not keep us from the clock */
		const ssize_t got = read(w->process->errors, bytes, sizeof bytes);
		if (got <= 0) {
			return;
		}
		keep_complaint(w, bytes, (size_t)got);
	}
}

/* A text of a message, as one line. */
static void get_line(snw_reader *reader, char *line, size_t room) {
	const uint32_t length = snw_read_count(reader, 1);
	const size_t copied = length < room ? length : room - 1;
	snw_read(reader, line, copied);
	line[reader->failed ? 0 : copied] = '\0';
	(void)snw_text_clean(line, ' ');
}

/* False where the message makes no sense. */
static bool take_message(watch *w, const snw_message *message) {
	snw_reader reader = {.bytes = message->payload, .count = message->count};
	char line[900];
	switch (message->kind) {
	case SNW_MESSAGE_PROGRESS:
		w->fraction = snw_read_f64(&reader);
		get_line(&reader, w->activity, sizeof w->activity);
		w->fraction = w->fraction > 0 ? (w->fraction < 1 ? w->fraction : 1) : 0;
		break;
	case SNW_MESSAGE_NOTICE: {
		const uint32_t level = snw_read_u32(&reader);
		get_line(&reader, line, sizeof line);
		if (!reader.failed && level <= SNW_LOG_ERROR) {
			snw_task_notice(w->task, (snw_log_level)level, "%s", line);
		}
		break;
	}
	case SNW_MESSAGE_DONE:
		w->status = (snw_status)snw_read_u32(&reader);
		get_line(&reader, w->text, sizeof w->text);
		w->done = !reader.failed;
		break;
	default:
		return false;
	}
	return !reader.failed;
}

/* False at the end of what it has to say. */
static bool hear(watch *w) {
	const bool open = snw_message_queue_receive(&w->queue, w->process->channel, false, NULL);
	snw_message message;
	snw_status status = SNW_OK;
	while (!w->done && (status = snw_message_queue_take(&w->queue, &message, NULL)) == SNW_OK) {
		w->last_message = snw_clock_seconds();
		if (!take_message(w, &message)) {
			status = SNW_ERROR_DATA;
			break;
		}
	}
	if (snw_failed(status) && status != SNW_ERROR_MISSING) {
		w->confused = true;
		return false;
	}
	return open && !w->done;
}

/* ---- how it ends -------------------------------------------------------------------------------------------------- */

static void send_signal(watch *w, int number) {
	if (!w->gone) {
		(void)kill(-w->process->id, number);
		(void)kill(w->process->id, number); /* before it has a group of its own */
	}
}

static void reap(watch *w, bool wait) {
	if (w->gone) {
		return;
	}
	pid_t result;
	do {
		result = waitpid(w->process->id, &w->ended, wait ? 0 : WNOHANG);
	} while (result < 0 && errno == EINTR);
	if (result < 0) {
		w->ended = 0; /* somebody else has taken its status */
	}
	w->gone = result != 0;
}

/* Lets it end by itself for a while; it has nothing more to say. */
static void wait_for_end(watch *w) {
	const double begun = snw_clock_seconds();
	for (reap(w, false); !w->gone && snw_clock_seconds() - begun < SECONDS_TO_KILL; reap(w, false)) {
		(void)poll(NULL, 0, 2);
	}
	if (!w->gone) {
		send_signal(w, SIGKILL);
		w->killed = true;
	}
	reap(w, true);
}

static void stop(watch *w, snw_status status, const char *why) {
	if (w->stopped == 0) {
		w->stopped = snw_clock_seconds();
		w->stop_status = status;
		snprintf(w->stop_text, sizeof w->stop_text, "%s", why);
		(void)snw_message_send(w->process->channel, SNW_MESSAGE_CANCEL, NULL, 0, NULL);
	}
}

static void press_stop(watch *w) {
	const double grace = w->words->grace_seconds;
	if (w->stopped > 0 && !w->terminated && snw_clock_seconds() - w->stopped > grace) {
		send_signal(w, SIGTERM);
		w->terminated = true;
	}
	if (w->stopped > 0 && !w->killed && snw_clock_seconds() - w->stopped > grace + SECONDS_TO_KILL) {
		send_signal(w, SIGKILL);
		w->killed = true;
	}
}

static void check_limits(watch *w) {
	char why[300];
	const double time = snw_clock_seconds();
	if (w->stopped > 0) {
		return;
	}
	if (!snw_task_progress(w->task, w->fraction, w->activity)) {
		stop(w, SNW_CANCELLED, "cancelled");
	} else if (time - w->last_message > w->idle_seconds) {
		snprintf(why, sizeof why, "%s reported nothing for %g seconds and was stopped; raise the limit, or give it less to do",
				 w->words->part, w->idle_seconds);
		stop(w, SNW_ERROR_LIMIT, why);
	} else if (time - w->started > w->total_seconds) {
		snprintf(why, sizeof why, "%s took longer than %g seconds and was stopped; raise the limit, or give it less to do",
				 w->words->part, w->total_seconds);
		stop(w, SNW_ERROR_LIMIT, why);
	}
}

/* What a signal's number means to people. */
static const char *signal_words(int number) {
	switch (number) {
	case SIGSEGV:
		return "segmentation fault";
	case SIGABRT:
		return "it aborted";
	case SIGKILL:
		return "it was killed, probably because the system ran out of memory";
	default:
		return strsignal(number);
	}
}

static snw_status report_crash(const watch *w, const snw_worker_limits *limits, snw_error *error) {
	const snw_process_words *words = w->words;
	if (WIFEXITED(w->ended) && WEXITSTATUS(w->ended) == 1 && limits->memory_bytes > 0) {
		/* Where memory is out, the host's own allocations end the process with this status. */
		return snw_fail(error, SNW_ERROR_LIMIT,
						"%s: %s needs more than %llu MiB of memory, the limit; make the mesh smaller, or raise the limit",
						words->subject, words->part, (unsigned long long)(limits->memory_bytes >> 20));
	}
	const char *how = w->confused             ? "it sent an invalid message"
					  : WIFSIGNALED(w->ended) ? signal_words(WTERMSIG(w->ended))
											  : "it ended early";
	const char *mark = w->complaint[0] ? ": " : "";
	return snw_fail(error, SNW_ERROR_CRASH, "%s: %s crashed (%s%s%.300s); %s", words->subject, words->part, how, mark,
					w->complaint, words->advice);
}

static snw_status report(const watch *w, const snw_worker_limits *limits, snw_error *error) {
	/* Asked to stop, it may end with the best that it has so far, which is then what counts. */
	const bool keeps = w->done && w->status > 0 && w->status != SNW_CANCELLED && w->stop_status == SNW_CANCELLED;
	if (w->stopped > 0 && !keeps) {
		return snw_fail(error, w->stop_status, "%s: %s", w->words->subject, w->stop_text);
	}
	if (!w->done) {
		return report_crash(w, limits, error);
	}
	return w->status == SNW_OK ? SNW_OK : snw_fail(error, w->status, "%s", w->text);
}

snw_status snw_process_watch(snw_process *process, const snw_worker_limits *limits, const snw_process_words *words,
							 const snw_task *task, snw_error *error) {
	watch w = {
		.process = process,
		.words = words,
		.task = task,
		.idle_seconds = limits->idle_seconds > 0 ? limits->idle_seconds : DEFAULT_IDLE_SECONDS,
		.total_seconds = limits->total_seconds,
		.activity = "starting",
	};
	w.started = w.last_message = snw_clock_seconds();
	bool open = true, complains = true;
	while (open) {
		struct pollfd files[2] = {{process->channel, POLLIN, 0}, {complains ? process->errors : -1, POLLIN, 0}};
		(void)poll(files, 2, TICK_MILLISECONDS);
		complains = complains && (files[1].revents & (POLLIN | POLLHUP)) != POLLHUP;
		read_complaints(&w);
		open = hear(&w);
		if (open) {
			check_limits(&w);
			press_stop(&w);
		}
	}
	if (w.confused) {
		send_signal(&w, SIGKILL);
	}
	wait_for_end(&w);
	read_complaints(&w);
	(void)snw_text_clean(w.complaint, ' ');
	close(process->channel);
	close(process->errors);
	snw_message_queue_release(&w.queue);
	return report(&w, limits, error);
}
