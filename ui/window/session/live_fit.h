/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Methods whose fit takes too long to be stored with a stroke (those without SNW_REFITS) are fitted to changed sculpts all the
 * same while the window is idle, and shown. Nothing of that is stored: the layers stay stale until they are fitted (Ctrl+F).
 * Any job of the user ends such a fit.
 */
#ifndef SINEW_UI_WINDOW_SESSION_LIVE_FIT_H
#define SINEW_UI_WINDOW_SESSION_LIVE_FIT_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;

typedef struct snw_live_fit {
	uint64_t asked;  /* the number of the document that is to be shown so; 0 for none */
	bool is_running; /* the job thread has it */
} snw_live_fit;

/* For the document that is shown now, which follows a change of the project. */
void snw_live_fit_ask(struct snw_session *session);
/* Begins the fit that was asked for once nothing else runs or waits. */
void snw_live_fit_follow(struct snw_session *session);
/* Lets a job or a command that waits for the job thread go first. */
void snw_live_fit_yield(struct snw_session *session);

#endif
