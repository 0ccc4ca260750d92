/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is chosen in the window, for commands that act on it. A command that waits keeps what was chosen when it was given,
 * whatever is chosen later: by another command, or because a job has made something.
 */
#ifndef SINEW_UI_WINDOW_COMMAND_TABLE_CHOICES_H
#define SINEW_UI_WINDOW_COMMAND_TABLE_CHOICES_H

#include <stdint.h>

/* Each kind of choice has an index in the scene of the document; SNW_NONE for none. */
typedef enum snw_choice {
	SNW_CHOICE_MESH = 0,
	SNW_CHOICE_JOINT,
	SNW_CHOICE_EXAMPLE,
	SNW_CHOICE_GROUP,
	SNW_CHOICE_LAYER,
	SNW_CHOICE_COUNT
} snw_choice;

typedef struct snw_choices {
	uint32_t at[SNW_CHOICE_COUNT];
	int64_t sculpt_layer; /* the id of the chosen one */
} snw_choices;

#endif
