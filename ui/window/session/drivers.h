/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints that could drive the chosen example, for the panel: found by the job that stores a new example, or in the background.
 */
#ifndef SINEW_UI_WINDOW_SESSION_DRIVERS_H
#define SINEW_UI_WINDOW_SESSION_DRIVERS_H

#include "edit/choose_driver.h"

struct snw_session;

typedef struct snw_drivers {
	snw_arena *arena; /* NULL: none are known */
	int64_t example;  /* whose they are: its id */
	uint32_t count;
	const snw_driver *items; /* the best first */
	int64_t requested;       /* the example for which a background job finds them; 0: none */
} snw_drivers;

/* Those of an example, copied. */
void snw_drivers_take(struct snw_session *session, uint32_t example, uint32_t count, const snw_driver *items);
/* Finds those of the chosen example, if they are not known. */
void snw_drivers_follow(struct snw_session *session);
void snw_drivers_forget(struct snw_session *session);
/* Those of the chosen example; NULL if they are not known. */
const snw_drivers *snw_drivers_known(const struct snw_session *session);

#endif
