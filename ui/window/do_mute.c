/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples muted and alone: the corrective is fitted without some of them, to look at. The project stays as it is, and the next
 * change to it brings them all back.
 */
#include <string.h>

#include "scene/copy.h"
#include "stack/fit.h"
#include "window/errands.h"
#include "window/session.h"

typedef struct mute_order {
	uint32_t layer; /* into the document's */
	bool *muted;    /* [example_count] */
} mute_order;

/* The groups without the muted ones; a group that is left empty is gone. */
static void leave_out(snw_scene *scene, const bool *muted) {
	snw_group *groups = SNW_NEW_ARRAY(scene->arena, snw_group, scene->group_count);
	uint32_t count = 0;
	for (uint32_t g = 0; g < scene->group_count; g++) {
		snw_member *members = SNW_NEW_ARRAY(scene->arena, snw_member, scene->groups[g].member_count);
		uint32_t kept = 0;
		for (uint32_t i = 0; i < scene->groups[g].member_count; i++) {
			if (!muted[scene->groups[g].members[i].example]) {
				members[kept++] = scene->groups[g].members[i];
			}
		}
		if (kept > 0) {
			groups[count] = scene->groups[g];
			groups[count].members = members;
			groups[count++].member_count = kept;
		}
	}
	scene->groups = groups;
	scene->group_count = count;
}

/* The scene without them, fitted. */
static snw_status fit_without(snw_desk_space *desk, const mute_order *order, snw_arena *arena, snw_scene **result,
							  snw_error *error) {
	const snw_scene *all = desk->document->scene;
	const snw_layer *layer = &all->layers[order->layer];
	snw_scene *scene = snw_scene_copy(all);
	leave_out(scene, order->muted);
	if (scene->group_count == 0) {
		snw_layer *layers = snw_arena_copy(scene->arena, scene->layers, scene->layer_count * sizeof *scene->layers);
		layers[order->layer].muted = true;
		scene->layers = layers;
		*result = scene;
		return SNW_OK;
	}
	const snw_fit_request request = {.method = layer->deformer,
									 .layer = layer->name,
									 .setting_count = layer->setting_count,
									 .settings = layer->settings,
									 .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = arena};
	snw_status status = snw_fit_run(scene, desk->registry, &request, desk->task, &outcome, error);
	status = status < 0 || status == SNW_CANCELLED ? status : snw_fit_apply(scene, &outcome, result, error);
	snw_scene_destroy(scene);
	return status;
}

/* The project's document, with that stack in place of its own. */
static snw_status show_without(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	const mute_order *order = given;
	snw_scene *scene = NULL;
	snw_stack *stack = NULL;
	const snw_stack_options options = {0};
	snw_status status = fit_without(desk, order, errand->arena, &scene, error);
	if (status >= 0 && status != SNW_CANCELLED) {
		status = snw_stack_build(scene, desk->registry, &options, desk->task, &stack, error);
	}
	if (status >= 0 && status != SNW_CANCELLED) {
		status = snw_document_load(desk->project, desk->path, desk->registry, desk->task, &errand->document, NULL, error);
	}
	if (status >= 0 && status != SNW_CANCELLED && errand->document->scene->example_count != scene->example_count) {
		status = snw_fail(error, SNW_ERROR_CONFLICT, "the examples have changed in another program meanwhile; try again");
	}
	if (status < 0 || status == SNW_CANCELLED) {
		snw_stack_destroy(stack);
		snw_scene_destroy(scene);
		return status;
	}
	snw_document_mute(errand->document, scene, stack, order->muted);
	return SNW_OK;
}

static void tell(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand, (void)given;
	const snw_document *document = session->document;
	uint32_t muted = 0;
	for (uint32_t i = 0; i < document->scene->example_count; i++) {
		muted += document->muted[i];
	}
	if (muted > 0) {
		snw_view_state_say(&session->state, "Shown without %u of the %u examples; the project has them all.", muted,
						   document->scene->example_count);
	}
}

static snw_status show_all(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)desk, (void)errand, (void)given, (void)error;
	return SNW_OK;
}

static void send(snw_session *session, const bool *muted) {
	const snw_scene *scene = session->document->scene;
	const uint32_t layer = snw_errand_corrective(scene, session->registry);
	if (layer == SNW_NONE || scene->layers[layer].model == SNW_NONE) {
		snw_view_state_warn(&session->state, "Nothing has been fitted from the examples yet.");
		return;
	}
	snw_errand *errand = snw_errand_make("fitting without some examples", sizeof(mute_order));
	mute_order *order = errand->order;
	order->layer = layer;
	order->muted = snw_arena_copy(errand->arena, muted, scene->example_count * sizeof *muted);
	errand->run = show_all;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (muted[i]) {
			errand->run = show_without;
			errand->reloads = false;
		}
	}
	errand->done = tell;
	snw_session_send(session, errand);
}

static uint32_t example_of(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = command->text[0] ? snw_scene_find_example(scene, command->text) : session->state.example;
	if (example >= scene->example_count) {
		snw_view_state_warn(&session->state, "Choose an example first.");
		return SNW_NONE;
	}
	return example;
}

void snw_do_example_mute(snw_session *session, const snw_command *command) {
	const uint32_t example = example_of(session, command), count = session->document->scene->example_count;
	if (example != SNW_NONE) {
		snw_arena *scratch = snw_arena_create();
		bool *muted = snw_arena_copy(scratch, session->document->muted, count * sizeof *muted);
		muted[example] = !muted[example];
		send(session, muted);
		snw_arena_destroy(scratch);
	}
}

void snw_do_example_solo(snw_session *session, const snw_command *command) {
	const uint32_t example = example_of(session, command), count = session->document->scene->example_count;
	if (example != SNW_NONE) {
		snw_arena *scratch = snw_arena_create();
		bool *muted = SNW_NEW_ARRAY(scratch, bool, count), alone = !session->document->muted[example];
		for (uint32_t i = 0; i < count; i++) {
			muted[i] = i != example;
			alone = alone && session->document->muted[i] == muted[i];
		}
		if (alone) {
			memset(muted, 0, count * sizeof *muted);
		}
		send(session, muted);
		snw_arena_destroy(scratch);
	}
}
