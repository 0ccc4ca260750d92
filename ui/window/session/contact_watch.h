/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact in what is shown, found in a thread of its own: which points touch in the pose (contact/touching.h), and, once the
 * character rests, how deep contact is at the keys of the clip (measure/contact_moments.h).
 *
 * A pose is answered at once by testing what has moved differently since the last one. If no other pose comes for a while, all
 * is tested.
 */
#ifndef SINEW_UI_WINDOW_SESSION_CONTACT_WATCH_H
#define SINEW_UI_WINDOW_SESSION_CONTACT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;
typedef struct snw_contact_watch snw_contact_watch;

snw_contact_watch *snw_contact_watch_create(uint32_t wake_event); /* NULL: no memory; then nothing is found */
/* Waits for what the thread is at. NULL: does nothing. */
void snw_contact_watch_destroy(snw_contact_watch *watch);

/* Before the display is updated: gives it the points that touch, if the session shows contact. */
void snw_contact_watch_take(snw_contact_watch *watch, struct snw_session *session);
/* Afterwards: lets the thread find contact in what the display shows. */
void snw_contact_watch_send(snw_contact_watch *watch, struct snw_session *session);
/* Before the document is disposed of: the background thread waits for what the thread is at. The points that touched stay shown
 * until they are known in the next document, if its meshes have as many points. */
void snw_contact_watch_leave(snw_contact_watch *watch, struct snw_session *session);

/* The keys of the clip that is shown. */
typedef struct snw_contact_marks {
	uint32_t clip;
	uint32_t count; /* 0: not known yet, or there is no clip */
	const double *seconds;
	const double *deepest; /* metres; 0 where nothing is in contact */
	uint32_t worst;        /* the deepest */
	double place[3];       /* there */
} snw_contact_marks;
/* Valid until the next call of take or leave. */
snw_contact_marks snw_contact_watch_marks(const snw_contact_watch *watch);
/* How many points are shown as touching. */
uint32_t snw_contact_watch_touching(const snw_contact_watch *watch);
/* Seconds from when the pose was last changed until all of it was tested and shown; 0: not yet. */
double snw_contact_watch_seconds(const snw_contact_watch *watch);

#endif
