/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples muted, which the project keeps and undoes; and one of them alone, which is a way of looking: it lasts over changes and
 * fits, until it is ended.
 */
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

/* ---- muted -------------------------------------------------------------------------------------------------------- */

typedef struct mute_order {
	uint32_t example; /* into the document's */
} mute_order;

static snw_status mute(snw_desk_space *desk, void *order, snw_error *error) {
	const snw_scene *scene = desk->document->scene;
	snw_example example = scene->examples[((mute_order *)order)->example];
	const snw_mesh *mesh = &scene->meshes[example.mesh];
	int64_t id;
	example.muted = !example.muted;
	return snw_project_put_example(desk->project, &example, scene->poses[example.pose].id, mesh->id, mesh->point_count, &id,
								   error);
}

static snw_status commit_mute(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, mute, order, error);
}

void snw_do_example_mute(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const snw_example *row = &session->document->scene->examples[example];
		snw_errand *errand = snw_errand_make("mute", sizeof(mute_order));
		((mute_order *)errand->order)->example = example;
		errand->what = snw_arena_format(errand->arena, "example %s %s", row->muted ? "unmute" : "mute", row->name);
		errand->run = commit_mute;
		snw_session_send(session, errand);
	}
}

/* ---- alone -------------------------------------------------------------------------------------------------------- */

typedef struct solo_order {
	int64_t id; /* 0: all of them again */
} solo_order;

static snw_status look(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	(void)errand, (void)error;
	desk->look.solo = ((solo_order *)order)->id;
	return SNW_OK;
}

static void tell(snw_session *session, const snw_errand *errand, void *order) {
	(void)errand, (void)order;
	const snw_document *document = session->document;
	if (document->solo != SNW_NONE) {
		snw_view_state_say(&session->state, "Only %s is shown, until Solo is pressed again; the project has them all.",
						   document->scene->examples[document->solo].name);
	}
}

void snw_do_example_solo(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const bool ends = session->document->solo == example;
		snw_errand *errand = snw_errand_make(ends ? "showing all examples" : "showing one example", sizeof(solo_order));
		((solo_order *)errand->order)->id = ends ? 0 : session->document->scene->examples[example].id;
		errand->run = look;
		errand->done = tell;
		snw_session_send(session, errand);
	}
}
