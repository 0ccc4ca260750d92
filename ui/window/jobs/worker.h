/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clerk: a thread that holds the project's file and does all that takes time, one errand after another, so that the window
 * stays alive. After an errand that changed the project it reads it anew and hands a fresh document over.
 */
#ifndef SINEW_UI_WINDOW_JOBS_WORKER_H
#define SINEW_UI_WINDOW_JOBS_WORKER_H

#include "window/document/document.h"

/* What an errand has to work with. Only its own thread touches it. */
typedef struct snw_desk_space {
	snw_project *project; /* NULL: nothing is open */
	char path[4096];      /* of the project */
	/* What is looked at lasts over errands, but for what is being dragged, which is gone with the next one. */
	snw_document_look look;
	const snw_registry *registry;
	const snw_document *document; /* as the window sees it; the errand may read it */
	uint32_t subdivision;         /* how often the meshes that the window shows are refined */
	const snw_task *task;         /* progress goes to the window; it says stop when the window cancels */
} snw_desk_space;

struct snw_session;
typedef struct snw_errand snw_errand;
struct snw_errand {
	snw_arena *arena; /* its own; goes with it */
	const char *what; /* "saving": stands in the status line; and the label in the journal */
	bool is_long;     /* shown with a bar and a Cancel */
	bool reloads;     /* the project is read anew when it has succeeded */
	bool renames;     /* what is read is the same project in another file */
	snw_status (*run)(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error);
	/* In the window's thread, once the new document is in place; may be NULL. */
	void (*done)(struct snw_session *session, const snw_errand *errand, void *order);
	void *order; /* what is asked for, in the arena */
	/* Gives back what the order holds outside the arena when the errand goes, whatever became of it; may be NULL. */
	void (*drop)(void *order);
	/* The answer. */
	snw_status status;
	snw_error error, caveat;
	snw_document *document; /* what there is now, also where the errand failed half way */
};
snw_errand *snw_errand_make(const char *what, size_t order_size); /* with an empty order */
void snw_errand_destroy(snw_errand *errand);

typedef struct snw_clerk snw_clerk;
/* `event` is the SDL event type that wakes the window when there is news. */
snw_status snw_clerk_create(const snw_registry *registry, uint32_t event, snw_clerk **clerk, snw_error *error);
void snw_clerk_destroy(snw_clerk *clerk); /* cancels and waits */

/* Takes an errand up; the clerk must be free. `document` is what the window shows, refined `subdivision` times. */
void snw_clerk_send(snw_clerk *clerk, snw_errand *errand, const snw_document *document, uint32_t subdivision);
/* The errand that is finished, now the caller's; NULL while there is none. */
snw_errand *snw_clerk_collect(snw_clerk *clerk);
bool snw_clerk_is_busy(snw_clerk *clerk);
void snw_clerk_cancel(snw_clerk *clerk);

/* How far the errand is: what, 0 to 1, and since when (seconds). */
typedef struct snw_progress {
	const char *what; /* NULL: nothing is being done */
	bool is_long;
	char step[120];
	double fraction, seconds;
	char notice[400]; /* the last warning; empty: none */
} snw_progress;
void snw_clerk_progress(snw_clerk *clerk, snw_progress *progress);

#endif
