/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints that could drive the chosen example, for the panel: found by the job that stores a new example, or in the
 * background for each new document. Until the search is done, those of the document before it are shown.
 */
#ifndef SINEW_UI_WINDOW_SESSION_DRIVERS_H
#define SINEW_UI_WINDOW_SESSION_DRIVERS_H

#include "example/driver.h"

struct snw_document;
struct snw_session;

/* An example of a document. */
typedef struct snw_drivers_key {
	int64_t example;   /* its id; 0: none */
	uint64_t document; /* its number */
} snw_drivers_key;

typedef struct snw_drivers {
	snw_arena *arena;    /* NULL: none are known */
	snw_drivers_key key; /* what they were found for */
	uint32_t count;
	snw_driver *items;         /* the best first; their joints are those of the document that is shown */
	snw_drivers_key requested; /* what a background job was sent for */
} snw_drivers;

/* Those of an example, copied. */
void snw_drivers_take(struct snw_session *session, uint32_t example, uint32_t count, const snw_driver *items);
/* Finds those of the chosen example, if they are not known. */
void snw_drivers_follow(struct snw_session *session);
void snw_drivers_forget(struct snw_session *session);
/* After a new document: finds their joints in it by their names. */
void snw_drivers_succeed(struct snw_session *session, const struct snw_document *former);
/* Those of the chosen example; NULL if they are not known. */
const snw_drivers *snw_drivers_known(const struct snw_session *session);

#endif
