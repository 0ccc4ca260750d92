/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The terminal: a progress bar if standard error is one, Ctrl-C as a request to stop, notices.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "cli/command_line/verb.h"
#include "sinew/kit/clock.h"

enum { BAR_WIDTH = 30 };

static volatile sig_atomic_t stop_requested;
static bool bar_drawn;

static void request_stop(int signal_number) {
	(void)signal_number;
	stop_requested = 1;
}

/* Drawn at most ten times a second, and not at all if the work is done within a third of a second. */
static void draw_bar(double fraction, const char *step) {
	static double started, drawn;
	const double time = snk_clock_seconds();
	if (started == 0) {
		started = time;
	}
	if (time - started < 0.3 || time - drawn < 0.1) {
		return;
	}
	drawn = time;
	const int filled = fraction < 0 ? 0 : fraction > 1 ? BAR_WIDTH : (int)(fraction * BAR_WIDTH);
	char bar[BAR_WIDTH + 1];
	memset(bar, '#', (size_t)filled);
	memset(bar + filled, '.', (size_t)(BAR_WIDTH - filled));
	bar[BAR_WIDTH] = '\0';
	fprintf(stderr, "\r\033[K[%s] %3.0f %% %s", bar, 100 * fraction, step ? step : "");
	fflush(stderr);
	bar_drawn = true;
}

/* {"progress": 0.42, "activity": "fitting weights"}, at most ten times a second. */
static void print_json(double fraction, const char *step) {
	static double printed;
	const double time = snk_clock_seconds();
	if (time - printed < 0.1) {
		return;
	}
	printed = time;
	cJSON *line = cJSON_CreateObject();
	snw_answer_number(line, "progress", fraction < 0 ? 0 : fraction > 1 ? 1 : fraction);
	snw_answer_text(line, "activity", step ? step : "");
	char *text = cJSON_PrintUnformatted(line);
	if (text) {
		fprintf(stderr, "%s\n", text);
		cJSON_free(text);
	}
	cJSON_Delete(line);
}

void snw_terminal_clear(void) {
	if (bar_drawn) {
		fprintf(stderr, "\r\033[K");
		fflush(stderr);
		bar_drawn = false;
	}
}

/* What is printed besides the answer. */
typedef struct output_mode {
	bool quiet, as_json, shows_debug;
} output_mode;

static bool show_progress(void *context, double fraction, const char *step) {
	const output_mode *mode = context;
	if (mode->as_json) {
		print_json(fraction, step);
	} else if (!mode->quiet && isatty(STDERR_FILENO)) {
		draw_bar(fraction, step);
	}
	return !stop_requested;
}

/* Every stack that is built reports the layers that it leaves out; print each report once. */
static bool was_shown(const char *line) {
	static uint64_t shown[64];
	static unsigned next;
	snw_hash hash = {0};
	snw_hash_text(&hash, line);
	for (unsigned i = 0; i < sizeof shown / sizeof *shown; i++) {
		if (shown[i] == snw_hash_value(&hash)) {
			return true;
		}
	}
	shown[next++ % (sizeof shown / sizeof *shown)] = snw_hash_value(&hash);
	return false;
}

static void show_notice(void *context, snw_log_level level, const char *line) {
	const output_mode *mode = context;
	if ((level == SNW_LOG_DEBUG && !mode->shows_debug) || (mode->quiet && level < SNW_LOG_ERROR)) {
		return;
	}
	if (was_shown(line)) {
		return;
	}
	snw_terminal_clear();
	snw_arena *arena = snw_arena_create();
	fprintf(stderr, "%s: %s\n",
			level >= SNW_LOG_WARNING ? "warning"
			: level == SNW_LOG_DEBUG ? "debug"
									 : "note",
			snw_without_control(arena, line));
	snw_arena_destroy(arena);
}

bool snw_terminal_forget_stop(void) {
	const bool was_requested = stop_requested;
	struct sigaction action = {.sa_handler = request_stop, .sa_flags = (int)SA_RESETHAND};
	sigemptyset(&action.sa_mask);
	stop_requested = 0;
	sigaction(SIGINT, &action, NULL);
	return was_requested;
}

snw_task snw_terminal_task(bool quiet, bool as_json) {
	static output_mode mode;
	const char *log = getenv("SINEW_LOG");
	mode = (output_mode){quiet, as_json, log && strcmp(log, "debug") == 0};
	(void)snw_terminal_forget_stop();
	return (snw_task){.context = &mode, .progress = show_progress, .notice = show_notice};
}
