/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bake that the session has.
 */
#include <string.h>

#include "fit/baked_layers.h"
#include "window/session/session.h"

bool snw_shown_bake_is_current(const snw_session *session) {
	const snw_shown_bake *bake = session->bake;
	const snw_document *document = session->document;
	return bake && document->path && strcmp(bake->path, document->path) == 0 && bake->change == document->change;
}

void snw_bake_budget_take(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t first = snw_scene_first_baked(scene);
	snw_arena *scratch = snw_arena_create();
	const char *text = first == SNW_NONE ? NULL : snw_bake_record_read(&scene->layers[first], scratch).budget;
	snw_budget budget;
	if (text && !snw_failed(snw_budget_parse(text, &budget, NULL))) {
		session->bake_budget = budget;
	}
	snw_arena_destroy(scratch);
}

void snw_shown_bake_drop(snw_session *session) {
	if (session->bake) {
		snw_arena_destroy(session->bake->arena);
	}
	session->bake = NULL;
}
