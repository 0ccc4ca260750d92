/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bake that the session has.
 */
#include <string.h>

#include "fit/stale.h"
#include "window/session/session.h"

bool snw_shown_bake_is_current(const snw_session *session) {
	const snw_shown_bake *bake = session->bake;
	const snw_document *document = session->document;
	return bake && document->path && strcmp(bake->path, document->path) == 0 && bake->change == document->change;
}

void snw_bake_record_take(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t first = snw_scene_first_baked(scene);
	snw_arena *scratch = snw_arena_create();
	const snw_bake_record record =
		first != SNW_NONE ? snw_bake_record_read(&scene->layers[first], scratch) : (snw_bake_record){0};
	if (!record.budget || snw_failed(snw_budget_parse(record.budget, &session->bake_budget, NULL))) {
		(void)snw_budget_parse("morphs=8", &session->bake_budget, NULL);
	}
	session->engine = record.engine ? snw_engine_find(record.engine) : NULL;
	snw_arena_destroy(scratch);
}

void snw_shown_bake_drop(snw_session *session) {
	if (session->bake) {
		snw_arena_destroy(session->bake->arena);
	}
	session->bake = NULL;
}
