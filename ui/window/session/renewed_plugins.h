/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New versions of plug-ins while the window is open: a file that is built again, or is new in a plug-in folder, is loaded, and
 * the character is shown with it. Its settings and its fitted model stay, since they are in the project. If the new version
 * cannot be loaded, or cannot show the character although the old one could, the old one stays active and a message says why.
 *
 * Earlier versions stay loaded until the window closes: what was made with them may still be in use.
 */
#ifndef SINEW_UI_WINDOW_SESSION_RENEWED_PLUGINS_H
#define SINEW_UI_WINDOW_SESSION_RENEWED_PLUGINS_H

#include "base/arena.h"
#include "plugin/registry.h"

struct snw_session;

/* A registry that was opened while the window is. */
typedef struct snw_renewal {
	struct snw_renewal *previous;
	snw_registry *registry;
} snw_renewal;

typedef struct snw_renewed_plugins {
	uint64_t known, seen; /* stamps of the search path: as loaded, and at the last look */
	double looked;        /* seconds of the clock */
	bool is_loading;
	snw_arena *arena;
	snw_renewal *last; /* NULL: none */
} snw_renewed_plugins;

void snw_renewed_plugins_start(snw_renewed_plugins *plugins);
void snw_renewed_plugins_end(snw_renewed_plugins *plugins);
/* How long the window may sleep between two looks, in milliseconds. */
int snw_renewed_plugins_interval(const struct snw_session *session);
/* Looks at the files now and then. Once what has changed is no longer being written, it is loaded. */
void snw_renewed_plugins_follow(struct snw_session *session);

#endif
