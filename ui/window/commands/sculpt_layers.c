/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the sculpt layers of the selected example. The active one takes the strokes.
 */
#include "example/sculpt_layers.h"

#include "window/session/session.h"

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
