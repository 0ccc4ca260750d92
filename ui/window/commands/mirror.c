/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An example carried to the other side: the host's mirroring, as one step.
 */
#include <stdio.h>

#include "edit/mirror_examples.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct mirror_order {
	uint32_t example; /* into the document's */
	snw_arena *arena;
	char made[200];
} mirror_order;

static snw_status put(snw_desk_space *desk, void *given, snw_error *error) {
	mirror_order *order = given;
	static const snw_mirror_options middle = {0};
	snw_mirrored mirrored = {0};
	const snw_status status = snw_project_put_mirrored_example(desk->project, desk->document->scene, desk->registry, &middle,
															   order->example, NULL, order->arena, &mirrored, error);
	snprintf(order->made, sizeof order->made, "%s", status >= 0 && mirrored.name ? mirrored.name : "");
	return status;
}

static snw_status mirror(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, put, order, error);
}

static void tell(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	snw_view_state_say(&session->state, "Mirrored: %s.", ((mirror_order *)given)->made);
}

static bool has_sides(const snw_scene *scene) {
	static const snw_mirror_plane middle = {0};
	snw_arena *scratch = snw_arena_create();
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, &middle, 0, scratch, &joints);
	const bool found = joints.pair_count > 0;
	snw_arena_destroy(scratch);
	return found;
}

void snw_do_example_mirror(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, command->text);
	if (example == SNW_NONE) {
		return;
	}
	if (!has_sides(scene)) {
		snw_view_state_warn(&session->state, "No joint has one that answers to it on the other side.");
		return;
	}
	snw_errand *errand = snw_errand_make("example mirror", sizeof(mirror_order));
	mirror_order *order = errand->order;
	order->example = example;
	order->arena = errand->arena;
	errand->what = snw_arena_format(errand->arena, "example mirror %s", scene->examples[example].name);
	errand->run = mirror;
	errand->done = tell;
	snw_session_send(session, errand);
}
