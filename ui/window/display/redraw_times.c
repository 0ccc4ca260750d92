/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two clocks, read a few times in each pass of the loop.
 */
#include "window/display/redraw_times.h"

#include <stdio.h>
#include <string.h>

#include "sinew/kit/clock.h"

const char *const snw_redraw_part_names[SNW_REDRAW_PARTS] = {"collect", "commands", "pose", "draw"};

void snw_redraw_times_begin(snw_redraw_times *times) {
	times->current = (snw_redraw_row){0};
	times->wall_mark = 1e3 * snk_clock_seconds();
	times->cpu_mark = 1e3 * snk_clock_thread_seconds();
}

/* The row of that name, a new one where there is none yet; NULL where there is no room for it. */
static snw_redraw_row *row_of(snw_redraw_times *times, const char *name) {
	for (uint32_t i = 0; i < times->row_count; i++) {
		if (strncmp(times->rows[i].name, name, SNW_REDRAW_NAME - 1) == 0) {
			return &times->rows[i];
		}
	}
	if (times->row_count == SNW_REDRAW_ROWS) {
		return NULL;
	}
	snw_redraw_row *row = &times->rows[times->row_count++];
	*row = (snw_redraw_row){0};
	snprintf(row->name, sizeof row->name, "%s", name);
	return row;
}

void snw_redraw_times_name(snw_redraw_times *times, const char *name) {
	snw_redraw_row *row = row_of(times, name);
	if (row) {
		row->redraws++;
	}
	if (!times->current.name[0]) {
		snprintf(times->current.name, sizeof times->current.name, "%s", name);
	}
}

void snw_redraw_times_mark(snw_redraw_times *times, snw_redraw_part part) {
	const double wall = 1e3 * snk_clock_seconds(), cpu = 1e3 * snk_clock_thread_seconds();
	times->current.wall[part] += wall - times->wall_mark;
	times->current.cpu[part] += cpu - times->cpu_mark;
	times->wall_mark = wall;
	times->cpu_mark = cpu;
}

void snw_redraw_times_end(snw_redraw_times *times) {
	snw_redraw_row *current = &times->current;
	if (!current->name[0]) {
		snw_redraw_times_name(times, "redraw");
	}
	for (int part = 0; part < SNW_REDRAW_PARTS; part++) {
		current->wall_whole += current->wall[part];
		current->cpu_whole += current->cpu[part];
	}
	snw_redraw_row *row = row_of(times, current->name);
	if (row && current->wall_whole >= row->wall_whole) {
		current->redraws = row->redraws;
		*row = *current;
	}
}
