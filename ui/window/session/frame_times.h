/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the window's thread was held up, and by what: the longest round of the loop for each thing that was done, by its
 * parts. The report (F11, `report` in a script) tells it. Waiting for events and for the screen is no part of a round.
 */
#ifndef SINEW_UI_WINDOW_SESSION_FRAME_TIMES_H
#define SINEW_UI_WINDOW_SESSION_FRAME_TIMES_H

#include <stdint.h>

typedef enum snw_pace_part {
	SNW_PACE_TAKE, /* a new document is taken up */
	SNW_PACE_DO,   /* commands */
	SNW_PACE_POSE, /* posing, with what is sent to the GPU */
	SNW_PACE_DRAW,
	SNW_PACE_PARTS,
} snw_pace_part;
extern const char *const snw_pace_part_names[SNW_PACE_PARTS];

enum { SNW_PACE_ROWS = 96, SNW_PACE_NAME = 64 };

/* Milliseconds by the clock, and those that the thread itself was running: where they are far apart, it was waiting, or other
 * programs had the processor. */
typedef struct snw_pace_row {
	char what[SNW_PACE_NAME];
	uint32_t rounds;
	double wall[SNW_PACE_PARTS], busy[SNW_PACE_PARTS]; /* of its longest round */
	double wall_whole, busy_whole;
} snw_pace_row;

typedef struct snw_pace {
	uint32_t row_count;
	snw_pace_row rows[SNW_PACE_ROWS];
	/* Of the round under way. */
	snw_pace_row round;
	double wall_mark, busy_mark;
} snw_pace;

void snw_pace_begin(snw_pace *pace);
/* What the round is about; the first name stands. */
void snw_pace_name(snw_pace *pace, const char *what);
/* What has passed since the last mark belongs to `part`. */
void snw_pace_mark(snw_pace *pace, snw_pace_part part);
void snw_pace_end(snw_pace *pace); /* an unnamed round counts as "frame"; with the table full, new names are left out */

#endif
