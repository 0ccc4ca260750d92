/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on examples and groups: which are selected, and the sculpt that is shown.
 */
#include "example/sculpt_layers.h"
#include "pose/clip_times.h"
#include "window/commands/commands.h"
#include "window/jobs/job_thread.h"
#include "window/session/session.h"

/* ---- example ------------------------------------------------------------------------------------------------------------- */

void snw_do_example(snw_session *session, const snw_command *command) {
	session->state.example = snw_scene_find_example(session->document->scene, command->text);
}

void snw_do_group(snw_session *session, const snw_command *command) {
	session->state.group = snw_scene_find_group(session->document->scene, command->text);
}

void snw_do_example_go(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		session->state.example = example;
		snw_session_choose_pose(session, session->document->scene->examples[example].pose);
		snw_sculpting_take_mesh(session, session->document->scene->examples[example].mesh);
	}
}

/* ---- from what is shown -------------------------------------------------------------------------------------------------- */

/* With the skin of the method that is shown. */
static void operate_on_skin(snw_session *session, const snw_command *command, const char *line) {
	const uint32_t shown = snw_display_method(&session->display, &session->state);
	const char *method = shown < session->document->method_count ? session->document->methods[shown].method : NULL;
	snw_arena *scratch = snw_arena_create();
	snw_session_operate(session, command,
						method ? snw_arena_format(scratch, "%s --method=%s", line, snw_word_quoted(method, scratch)) : line);
	snw_arena_destroy(scratch);
}

/* Whether this pose has no example of the mesh yet, and may have one. */
static bool may_add(snw_session *session, uint32_t mesh) {
	const uint32_t here = snw_session_example_here(session, mesh);
	if (here != SNW_NONE) {
		session->state.example = here;
		snw_view_state_say(&session->state, "This pose already has an example: %s. Sculpt to change it.",
						   session->document->scene->examples[here].name);
		return false;
	}
	return snw_may_store_sculpt(session, mesh);
}

void snw_do_example_add(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is no mesh; open a character first.");
		return;
	}
	if (command->text[0] && snw_scene_find_example(scene, command->text) != SNW_NONE) {
		snw_view_state_warn(&session->state, "An example with this name already exists; Update changes it.");
		return;
	}
	if (may_add(session, snw_session_mesh(session))) {
		operate_on_skin(session, command, command->text[0] ? "example add --name=$t" : "example add");
	}
}

/* The target of the mesh that is chosen, or else the first, in the clip that is shown. */
static uint32_t find_target(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	uint32_t found = SNW_NONE;
	for (uint32_t i = scene->target_count; i-- > 0 && session->state.clip != SNW_NONE;) {
		const bool is_here = snw_target_clip(scene, &scene->targets[i]) == session->state.clip;
		const bool is_chosen = found != SNW_NONE && scene->targets[found].mesh == snw_session_mesh(session);
		found = is_here && (!is_chosen || scene->targets[i].mesh == scene->targets[found].mesh) ? i : found;
	}
	return found;
}

void snw_do_example_target(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t target = find_target(session);
	if (target == SNW_NONE) {
		snw_view_state_warn(&session->state,
							"No target has frames of what is shown. Choose its clip; File > Add target… adds one.");
		return;
	}
	if (may_add(session, scene->targets[target].mesh)) {
		snw_arena *scratch = snw_arena_create();
		snw_session_operate(session, command,
							snw_arena_format(scratch, "example add --mesh=%s --target=%s",
											 snw_word_quoted(scene->meshes[scene->targets[target].mesh].name, scratch),
											 snw_word_quoted(scene->targets[target].name, scratch)));
		snw_arena_destroy(scratch);
	}
}

void snw_do_example_update(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example == SNW_NONE) {
		return;
	}
	if (!snw_session_shows_example(session, example)) {
		snw_view_state_warn(&session->state, "Go to the example first: it can only be updated in its pose.");
		return;
	}
	session->state.example = example;
	operate_on_skin(session, command, "example update");
}

/* ---- sculpt layers ------------------------------------------------------------------------------------------------------- */

/* Commands on the sculpt layers of the selected example. The active one takes the strokes. */

/* The example and the active layer; NULL, with a message, if there is none. */
static const snw_example *active_layer(snw_session *session, uint32_t *layer) {
	const uint32_t index = snw_session_example(session, "");
	const snw_example *example = index == SNW_NONE ? NULL : &session->document->scene->examples[index];
	*layer = example ? snw_sculpt_layer_of_id(example, session->state.sculpt_layer) : SNW_NONE;
	if (example && *layer == SNW_NONE) {
		snw_view_state_warn(&session->state, "The example has no sculpt layers yet. Add one first.");
		return NULL;
	}
	return example;
}

void snw_do_sculpt_layer(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	layer = example ? snw_sculpt_layer_find(example, command->text) : SNW_NONE;
	if (layer != SNW_NONE) {
		session->state.sculpt_layer = example->layers[layer].id;
		snw_sculpting_follow(session, false); /* Erase restores the sculpt without this layer */
	} else if (example) {
		snw_view_state_warn(&session->state, "The example has no sculpt layer with this name.");
	}
}

void snw_do_sculpt_layer_add(snw_session *session, const snw_command *command) {
	session->state.sculpt_layer = 0; /* the new one is the topmost */
	snw_session_operate(session, command, "example layer --add --layer=$t");
}

void snw_do_sculpt_layer_name(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	if (example && !snw_session_asks(session, command, example->layers[layer].name)) {
		snw_session_operate(session, command, "example layer --rename=$t");
	}
}

void snw_do_sculpt_layer_mute(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	if (example) {
		snw_session_operate(session, command, example->layers[layer].muted ? "example layer --unmute" : "example layer --mute");
	}
}

/* ---- solo ---------------------------------------------------------------------------------------------------------------- */

/* Mute and solo. Solo shows one example alone; it belongs to the view, not to the project, and outlasts changes and fits. */

void snw_do_example_mute(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const bool is_muted = session->document->scene->examples[example].muted;
		snw_session_operate(session, command, is_muted ? "example unmute --example=$t" : "example mute --example=$t");
	}
}

typedef struct solo_request {
	int64_t id; /* the example that is shown alone; 0: all are shown */
} solo_request;

static snw_status preview_solo(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job, (void)error;
	context->preview.solo = ((solo_request *)request)->id;
	return SNW_OK;
}

static void report_result(void *owner, const snw_job *job, void *request) {
	snw_session *session = owner;
	(void)job, (void)request;
	const snw_document *document = session->document;
	if (document->solo != SNW_NONE) {
		snw_view_state_say(&session->state, "Solo: only %s is shown. The project does not change.",
						   document->scene->examples[document->solo].name);
	}
}

void snw_do_example_solo(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const bool ends = session->document->solo == example;
		snw_job *job = snw_job_create(ends ? "showing all examples" : "showing one example", sizeof(solo_request));
		((solo_request *)job->request)->id = ends ? 0 : session->document->scene->examples[example].id;
		job->run = preview_solo;
		job->done = report_result;
		snw_session_send(session, job);
	}
}
