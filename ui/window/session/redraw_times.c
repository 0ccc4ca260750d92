/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two clocks, read a few times in each pass of the loop.
 */
#include "window/session/redraw_times.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

const char *const snw_redraw_part_names[SNW_REDRAW_PARTS] = {"collect", "commands", "pose", "draw"};

void snw_redraw_times_begin(snw_redraw_times *times) {
	times->current = (snw_redraw_row){.redraws = 1};
	times->wall_mark = 1e3 * snw_clock_seconds();
	times->cpu_mark = 1e3 * snw_clock_thread_seconds();
}

void snw_redraw_times_name(snw_redraw_times *times, const char *name) {
	if (!times->current.name[0]) {
		snprintf(times->current.name, sizeof times->current.name, "%s", name);
	}
}

void snw_redraw_times_mark(snw_redraw_times *times, snw_redraw_part part) {
	const double wall = 1e3 * snw_clock_seconds(), cpu = 1e3 * snw_clock_thread_seconds();
	times->current.wall[part] += wall - times->wall_mark;
	times->current.cpu[part] += cpu - times->cpu_mark;
	times->wall_mark = wall;
	times->cpu_mark = cpu;
}

void snw_redraw_times_end(snw_redraw_times *times) {
	snw_redraw_row *current = &times->current, *row = times->rows;
	snw_redraw_times_name(times, "redraw");
	for (int part = 0; part < SNW_REDRAW_PARTS; part++) {
		current->wall_whole += current->wall[part];
		current->cpu_whole += current->cpu[part];
	}
	while (row < times->rows + times->row_count && strcmp(row->name, current->name) != 0) {
		row++;
	}
	if (row == times->rows + SNW_REDRAW_ROWS) {
		return;
	}
	times->row_count += row == times->rows + times->row_count;
	const uint32_t redraws = row->redraws + 1;
	if (current->wall_whole >= row->wall_whole) {
		*row = *current;
	}
	row->redraws = redraws;
}
