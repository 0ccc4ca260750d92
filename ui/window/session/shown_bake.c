/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bake that the session has.
 */
#include <string.h>

#include "window/session/session.h"

bool snw_shown_bake_is_current(const snw_session *session) {
	const snw_shown_bake *bake = session->bake;
	const snw_document *document = session->document;
	return bake && document->path && strcmp(bake->path, document->path) == 0 && bake->change == document->change;
}

void snw_shown_bake_drop(snw_session *session) {
	if (session->bake) {
		snw_arena_destroy(session->bake->arena);
	}
	session->bake = NULL;
}
