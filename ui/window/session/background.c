/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One thread more, first come first served.
 */
#include "window/session/background.h"

#include <string.h>

#include "window/session/session.h"

static void send_next(snw_session *session) {
	if (session->aside_count > 0 && !snw_clerk_is_busy(session->aide)) {
		snw_clerk_send(session->aide, session->aside[0], session->document, session->state.subdivision);
		session->aside_count--;
		memmove(session->aside, session->aside + 1, session->aside_count * sizeof(snw_errand *));
	}
}

void snw_aside_send(snw_session *session, snw_errand *errand) {
	if (session->aside_count == sizeof session->aside / sizeof *session->aside) {
		snw_view_state_warn(&session->state, "Too much is waiting to be done; this was left out.");
		snw_errand_destroy(errand);
		return;
	}
	errand->reloads = false;
	session->aside[session->aside_count++] = errand;
	send_next(session);
}

void snw_aside_collect(snw_session *session) {
	snw_errand *errand = snw_clerk_collect(session->aide);
	if (errand) {
		snw_pace_name(&session->pace, errand->what);
		if (errand->status < 0) {
			snw_view_state_warn(&session->state, errand->error.text);
		}
		if (errand->done) {
			errand->done(session, errand, errand->order);
		}
		snw_errand_destroy(errand);
	}
	send_next(session);
}

bool snw_aside_is_busy(const snw_session *session) {
	return session->aside_count > 0 || snw_clerk_is_busy(session->aide);
}

void snw_aside_end(snw_session *session) {
	snw_clerk_destroy(session->aide);
	while (session->aside_count > 0) {
		snw_errand_destroy(session->aside[--session->aside_count]);
	}
}

/* ---- documents ---------------------------------------------------------------------------------------------------- */

static void give_back(void *order) {
	snw_document **document = order;
	snw_document_destroy(*document);
	*document = NULL;
}

static snw_status tidy(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	(void)desk, (void)errand, (void)error;
	give_back(order);
	return SNW_OK;
}

void snw_aside_dispose(snw_session *session, snw_document *document) {
	snw_errand *errand = snw_errand_make("tidying up", sizeof(snw_document *));
	*(snw_document **)errand->order = document;
	errand->run = tidy;
	errand->drop = give_back;
	snw_aside_send(session, errand);
}
