/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The looks that a character can have, and how it can be lit, by name: one at a time, in the window and in pictures.
 */
#ifndef SINEW_UI_RENDER_SHADING_LOOK_H
#define SINEW_UI_RENDER_SHADING_LOOK_H

#include <stdint.h>

typedef struct snw_look {
	const char *word;  /* "x-ray": what scripts write */
	const char *label; /* "X-ray": what people read */
	uint32_t flags;    /* snw_view_flags */
} snw_look;

enum { SNW_LOOK_COUNT = 4 };
extern const snw_look snw_looks[SNW_LOOK_COUNT];

/* The words for snw_lights, in its order; ends with NULL. */
extern const char *const snw_lights_words[];

/* The look with that word; NULL where there is none. */
const snw_look *snw_look_find(const char *word);
/* Which of them a view's flags show. */
uint32_t snw_look_of(uint32_t flags);
/* The flags with another look, everything else as it was. */
uint32_t snw_look_put(uint32_t flags, uint32_t look);

#endif
