/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two clocks, read a few times a round.
 */
#include "window/session/frame_times.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char *const snw_pace_part_names[SNW_PACE_PARTS] = {"take", "do", "pose", "draw"};

static double milliseconds(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

void snw_pace_begin(snw_pace *pace) {
	pace->round = (snw_pace_row){.rounds = 1};
	pace->wall_mark = milliseconds(CLOCK_MONOTONIC);
	pace->busy_mark = milliseconds(CLOCK_THREAD_CPUTIME_ID);
}

void snw_pace_name(snw_pace *pace, const char *what) {
	if (!pace->round.what[0]) {
		snprintf(pace->round.what, sizeof pace->round.what, "%s", what);
	}
}

void snw_pace_mark(snw_pace *pace, snw_pace_part part) {
	const double wall = milliseconds(CLOCK_MONOTONIC), busy = milliseconds(CLOCK_THREAD_CPUTIME_ID);
	pace->round.wall[part] += wall - pace->wall_mark;
	pace->round.busy[part] += busy - pace->busy_mark;
	pace->wall_mark = wall;
	pace->busy_mark = busy;
}

void snw_pace_end(snw_pace *pace) {
	snw_pace_row *round = &pace->round, *row = pace->rows;
	snw_pace_name(pace, "frame");
	for (int part = 0; part < SNW_PACE_PARTS; part++) {
		round->wall_whole += round->wall[part];
		round->busy_whole += round->busy[part];
	}
	while (row < pace->rows + pace->row_count && strcmp(row->what, round->what) != 0) {
		row++;
	}
	if (row == pace->rows + SNW_PACE_ROWS) {
		return;
	}
	pace->row_count += row == pace->rows + pace->row_count;
	const uint32_t rounds = row->rounds + 1;
	if (round->wall_whole >= row->wall_whole) {
		*row = *round;
	}
	row->rounds = rounds;
}
