/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long redraws take: for each operation, the longest pass of the loop, by its parts. The report (F11, `report` in a
 * script) shows it. Waiting for events and for the screen does not count.
 */
#ifndef SINEW_UI_WINDOW_DISPLAY_REDRAW_TIMES_H
#define SINEW_UI_WINDOW_DISPLAY_REDRAW_TIMES_H

#include <stdint.h>

typedef enum snw_redraw_part {
	SNW_REDRAW_COLLECT, /* replacing the document */
	SNW_REDRAW_COMMANDS,
	SNW_REDRAW_POSE, /* posing, with uploads to the GPU */
	SNW_REDRAW_DRAW,
	SNW_REDRAW_PARTS,
} snw_redraw_part;
extern const char *const snw_redraw_part_names[SNW_REDRAW_PARTS];

enum { SNW_REDRAW_ROWS = 96, SNW_REDRAW_NAME = 64 };

/* Milliseconds of wall clock time and of the thread's CPU time. If they differ much, the thread waited, or other programs
 * had the processor. */
typedef struct snw_redraw_row {
	char name[SNW_REDRAW_NAME];
	uint32_t redraws;                                     /* that had this name, be it the first or not */
	double wall[SNW_REDRAW_PARTS], cpu[SNW_REDRAW_PARTS]; /* of its longest pass */
	double wall_whole, cpu_whole;
} snw_redraw_row;

typedef struct snw_redraw_times {
	uint32_t row_count;
	snw_redraw_row rows[SNW_REDRAW_ROWS];
	/* The current pass. */
	snw_redraw_row current;
	double wall_mark, cpu_mark;
} snw_redraw_times;

void snw_redraw_times_begin(snw_redraw_times *times);
/* Names the current pass, whose time belongs to its first name. Each name has one redraw more. */
void snw_redraw_times_name(snw_redraw_times *times, const char *name);
/* Adds the time since the last mark to `part`. */
void snw_redraw_times_mark(snw_redraw_times *times, snw_redraw_part part);
/* An unnamed pass counts as "redraw". When the table is full, new names are ignored. */
void snw_redraw_times_end(snw_redraw_times *times);

#endif
