/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The looks of the character and the lights, by name, for the window and for pictures. One look is active at a time.
 */
#ifndef SINEW_UI_RENDER_SHADING_LOOK_H
#define SINEW_UI_RENDER_SHADING_LOOK_H

#include <stdint.h>

typedef struct snw_look {
	const char *word;  /* "x-ray": in scripts and options */
	const char *label; /* "X-ray": shown to people */
	uint32_t flags;    /* snw_view_flags */
} snw_look;

/* Those from SNW_LOOK_MATCAPS on are matcaps. */
enum { SNW_LOOK_MATCAPS = 4, SNW_LOOK_COUNT = 7 };
extern const snw_look snw_looks[SNW_LOOK_COUNT];

/* The names of snw_lights, in order; ends with NULL. */
extern const char *const snw_lights_words[];

/* The look with this name; NULL if there is none. */
const snw_look *snw_look_find(const char *word);
/* The look of a view with these flags. */
uint32_t snw_look_of(uint32_t flags);
/* The flags with another look, and everything else unchanged. */
uint32_t snw_look_put(uint32_t flags, uint32_t look);

#endif
