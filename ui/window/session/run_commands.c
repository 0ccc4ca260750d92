/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the queued commands. Those that must wait for the job thread stay in the queue, and keep what was chosen when they were
 * given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example/groups.h"
#include "example/sculpts.h"
#include "operators/operator.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

/* ---- which wait ---------------------------------------------------------------------------------------------------------- */

/* Which kinds of commands wait at the front of the queue. */
typedef struct waiting_commands {
	bool strokes, edits, restorations, takes_pose, chooses;
} waiting_commands;

/* Whether it is a stroke that changes the weights of a joint. */
static bool paints_weights(const snw_session *session, const snw_command *command) {
	const snw_brush brush = snw_brush_with_keys(&session->sculpting.brush, (int)command->n[3] & 1, false);
	return command->id == SNW_DO_STROKE && snw_brush_changes(brush.kind) == SNW_BRUSH_FIELD &&
		   snw_painted_values_are_weights(session);
}

/* Strokes wait until the mesh is prepared, and changes of the project until earlier ones are done. A change also waits for the
 * strokes before it, a stroke for an undo before it, and another pose for what changes or stores this one. */
static bool must_wait(const snw_session *session, const snw_command *command, waiting_commands *waiting) {
	const snw_command_id id = command->id;
	const bool edits = snw_command_edits(id), strokes = snw_command_has(command, SNW_COMMAND_STROKES);
	const bool is_stroking = snw_sculpting_is_stroking(&session->sculpting);
	/* A stroke stores the weights of all points as they were when it began: a typed weight is set after it. */
	const bool is_in_stroke = id == SNW_DO_WEIGHT && is_stroking;
	const bool is_held = edits && (is_in_stroke || waiting->edits || waiting->strokes || snw_session_holds_edits(session));
	/* Another mesh waits until the strokes on this one are stored, so that they stay in view, and until what is for this one is
	 * done. */
	const bool leaves_strokes =
		snw_command_has(command, SNW_COMMAND_TAKES_MESHES) && session->state.sculpting &&
		((waiting->edits && !is_stroking) || (snw_session_holds_edits(session) && snw_sculpting_is_ahead(&session->sculpting)));
	/* Weights are painted on the skin that the project will have: by strokes, mirrored, pruned, typed. */
	const bool follows_edit = paints_weights(session, command) && (waiting->edits || snw_session_holds_edits(session));
	const bool is_unprepared =
		strokes && (snw_sculpting_is_preparing(session) || leaves_strokes || follows_edit || waiting->strokes);
	const bool restores_first = session->is_restoring || (waiting->restorations && !is_stroking);
	const bool is_early = strokes && session->state.sculpting && restores_first;
	const bool leaves_early = snw_command_has(command, SNW_COMMAND_LEAVES_POSE) && (waiting->takes_pose || waiting->strokes);
	/* A picture shows what was done before it. */
	const bool hurries = id == SNW_DO_PICTURE && (waiting->strokes || waiting->edits || waiting->restorations);
	const bool waits = is_held || is_unprepared || is_early || leaves_early || hurries;
	waiting->edits = waiting->edits || (waits && edits);
	waiting->strokes = waiting->strokes || (waits && strokes);
	waiting->restorations = waiting->restorations || (waits && snw_command_has(command, SNW_COMMAND_RESTORES));
	waiting->takes_pose = waiting->takes_pose || (waits && snw_command_has(command, SNW_COMMAND_TAKES_POSE));
	return waits;
}

/* A command that takes the pose, or a stroke, is for the moment at which it was given: while it waits, a clip that plays stands
 * still. */
static void hold_moment(snw_session *session, const snw_command *command) {
	const bool takes_moment = snw_command_has(command, SNW_COMMAND_TAKES_POSE) || command->id == SNW_DO_STROKE;
	session->state.playing = session->state.playing && !takes_moment;
}

/* A stroke takes the mesh under its ray. That is known when it begins: while a job has the sculpt, the mouse cannot
 * tell. Returns whether the mesh must be changed first; the command that does so is then before the stroke. */
static bool takes_other_mesh(snw_session *session, uint32_t index) {
	snw_sculpting *s = &session->sculpting;
	const snw_command *stroke = &session->queue.commands[index];
	snw_view_state_use_side(&session->state, (int)stroke->n[3] & 4 ? 1 : 0);
	const uint32_t mesh = snw_sculpting_mesh_at(session, stroke->n[0], stroke->n[1]);
	snw_command change = {.id = SNW_DO_MESH};
	if (mesh == SNW_NONE || mesh == s->mesh_index || s->has_chosen_mesh) {
		s->has_chosen_mesh = false; /* once a stroke: picks in two sessions may differ */
		return false;
	}
	snprintf(change.text, sizeof change.text, "%s", session->document->scene->meshes[mesh].name);
	s->has_chosen_mesh = snw_queue_insert(&session->queue, index, &change);
	return s->has_chosen_mesh;
}

/* ---- what they are for --------------------------------------------------------------------------------------------------- */

/* Commands that choose something, for themselves or for the commands after them. */
static bool chooses(const snw_command *command) {
	return snw_command_has(command, SNW_COMMAND_CHOOSES) || snw_command_has(command, SNW_COMMAND_TAKES_MESHES) ||
		   snw_command_has(command, SNW_COMMAND_LEAVES_POSE);
}

/* What is chosen; and what is meant if no mesh or sculpt layer is. */
static snw_choices choices_of(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	snw_choices choices = snw_view_state_choices(&session->state);
	choices.at[SNW_CHOICE_MESH] = scene->mesh_count > 0 ? snw_session_mesh(session) : SNW_NONE;
	if (choices.at[SNW_CHOICE_EXAMPLE] < scene->example_count) {
		const snw_example *example = &scene->examples[choices.at[SNW_CHOICE_EXAMPLE]];
		const uint32_t layer = snw_sculpt_layer_of_id(example, choices.sculpt_layer);
		choices.sculpt_layer = layer == SNW_NONE ? 0 : example->layers[layer].id;
	}
	return choices;
}

/* A change of the project keeps what is chosen, unless it has done so before. */
static void keep_choices(const snw_session *session, snw_command *command) {
	if (snw_command_edits(command->id) && !command->waits) {
		command->waits = true;
		command->kept = choices_of(session);
	}
}

/* An outline is a part of the picture that it was drawn over, which may turn while the outline waits. */
static void keep_view(const snw_session *session, snw_command *command) {
	if (command->id == SNW_DO_MASK_OUTLINE && !command->has_view) {
		command->has_view = true;
		command->camera = session->state.camera;
		command->aspect = session->aspect;
	}
}

void snw_session_keep_choices(snw_session *session) {
	for (uint32_t i = 0; i < session->queue.count && !chooses(&session->queue.commands[i]); i++) {
		keep_choices(session, &session->queue.commands[i]);
	}
}

/* What a command is for: what it keeps. Where nothing was chosen it takes what is chosen now, such as what the command before
 * it has made. */
static snw_choices meant_choices(const snw_command *command, const snw_choices *present) {
	snw_choices meant = *present;
	for (int c = 0; command->waits && c < SNW_CHOICE_COUNT; c++) {
		meant.at[c] = command->kept.at[c] != SNW_NONE || command->has_lost ? command->kept.at[c] : present->at[c];
	}
	meant.sculpt_layer = command->waits && command->kept.sculpt_layer != 0 ? command->kept.sculpt_layer : present->sculpt_layer;
	return meant;
}

/* Runs a command on what it is for. What was chosen later stays chosen, unless the command itself chooses something. False if
 * it refuses because what it was for has been deleted. */
static bool run(snw_session *session, const snw_command *command) {
	snw_view_state *state = &session->state;
	const snw_choices later = snw_view_state_choices(state), meant = meant_choices(command, &later);
	if (command->has_lost) {
		state->message[0] = '\0';
		state->alarmed = false;
	}
	snw_view_state_choose(state, &meant);
	snw_command_infos[command->id].apply(session, command);
	snw_choices after = snw_view_state_choices(state);
	for (int c = 0; c < SNW_CHOICE_COUNT; c++) {
		after.at[c] = after.at[c] == meant.at[c] ? later.at[c] : after.at[c];
	}
	after.sculpt_layer = after.sculpt_layer == meant.sculpt_layer ? later.sculpt_layer : after.sculpt_layer;
	snw_view_state_choose(state, &after);
	const bool is_refused = command->has_lost && state->alarmed;
	if (is_refused) {
		char words[200];
		snprintf(words, sizeof words, "%s was dropped: what it was for has been deleted.", snw_command_title(command->id));
		snw_view_state_warn(state, words);
	}
	return !is_refused;
}

/* A place in a list is that of the row that is there; it may have moved, but a place at the end stays. */
static void follow_place(const snw_session *session, snw_command *command, const snw_document *old, const snw_document *next) {
	const snw_noun noun = snw_command_place(command);
	const uint32_t index = command->n[0] >= 0 && command->n[0] < SNW_NONE ? (uint32_t)command->n[0] : SNW_NONE;
	const uint32_t group = command->waits ? command->kept.at[SNW_CHOICE_GROUP] : session->state.group;
	snw_choices at = {.at = {SNW_NONE, SNW_NONE, SNW_NONE, index, index}};
	if (noun == SNW_NOUN_EXAMPLE && group < old->scene->group_count && index < old->scene->groups[group].member_count) {
		at.at[SNW_CHOICE_GROUP] = group;
		at.at[SNW_CHOICE_EXAMPLE] = old->scene->groups[group].members[index].example;
	}
	snw_choices_follow(&at, old, next);
	uint32_t found = SNW_NONE;
	if (noun == SNW_NOUN_LAYER || noun == SNW_NOUN_GROUP) {
		found = at.at[noun == SNW_NOUN_LAYER ? SNW_CHOICE_LAYER : SNW_CHOICE_GROUP];
	} else if (noun == SNW_NOUN_EXAMPLE && at.at[SNW_CHOICE_GROUP] != SNW_NONE) {
		found = snw_group_member(&next->scene->groups[at.at[SNW_CHOICE_GROUP]], at.at[SNW_CHOICE_EXAMPLE]);
	}
	command->n[0] = found == SNW_NONE ? command->n[0] : found;
}

static bool has_sculpt_layer(const snw_scene *scene, uint32_t example, int64_t id) {
	bool has = false;
	for (uint32_t i = 0; example < scene->example_count && i < scene->examples[example].layer_count; i++) {
		has = has || scene->examples[example].layers[i].id == id;
	}
	return has;
}

/* Converts what a command keeps. */
static void follow_kept(snw_command *command, const snw_document *old, const snw_document *next) {
	const snw_choices before = command->kept;
	snw_choices *kept = &command->kept;
	if (next) {
		snw_choices_follow(kept, old, next);
	}
	for (int c = 0; c < SNW_CHOICE_COUNT; c++) {
		kept->at[c] = next ? kept->at[c] : SNW_NONE;
		command->has_lost = command->has_lost || (kept->at[c] == SNW_NONE && before.at[c] != SNW_NONE);
	}
	/* Without that, the topmost would be meant. */
	if (snw_command_has(command, SNW_COMMAND_TAKES_SCULPT_LAYER) && kept->sculpt_layer != 0 &&
		!(next && has_sculpt_layer(next->scene, kept->at[SNW_CHOICE_EXAMPLE], kept->sculpt_layer))) {
		kept->at[SNW_CHOICE_EXAMPLE] = SNW_NONE;
		command->has_lost = true;
	}
}

void snw_session_follow_commands(snw_session *session, const snw_document *old, const snw_document *next) {
	for (uint32_t i = 0; i <= session->queue.count; i++) {
		snw_command *command = i == session->queue.count ? &session->asking : &session->queue.commands[i];
		if (next && i < session->queue.count) {
			follow_place(session, command, old, next);
		}
		if (command->waits) {
			follow_kept(command, old, next);
		}
	}
}

/* ---- the record ---------------------------------------------------------------------------------------------------------- */

static void record_line(snw_session *session, const char *line) {
	const size_t length = strlen(line) + 1;
	if (session->record_used + length + 1 > session->record_size) {
		const size_t size = 2 * session->record_size + length + 4096;
		char *larger = realloc(session->record, size);
		if (!larger) {
			return;
		}
		session->record = larger;
		session->record_size = size;
	}
	memcpy(session->record + session->record_used, line, length);
	session->record[session->record_used + length - 1] = '\n';
	session->record[session->record_used + length] = '\0';
	session->record_used += length;
}

void snw_session_record(snw_session *session, const snw_operator_call *call) {
	snw_arena *scratch = snw_arena_create();
	record_line(session, snw_operator_line(call, scratch));
	snw_arena_destroy(scratch);
}

void snw_session_record_step(snw_session *session, const char *word) {
	record_line(session, word);
}

/* Lines that it has recorded meanwhile stay. */
void snw_session_forget_record(snw_session *session, const snw_operator_call *call) {
	snw_arena *scratch = snw_arena_create();
	const char *line = snw_arena_format(scratch, "%s\n", snw_operator_line(call, scratch));
	const size_t length = strlen(line);
	bool is_found = false;
	for (size_t at = session->record_used; at >= length && !is_found; at--) {
		char *from = session->record + at - length;
		is_found = (from == session->record || from[-1] == '\n') && strncmp(from, line, length) == 0;
		if (is_found) {
			memmove(from, from + length, session->record_used - at + 1);
			session->record_used -= length;
		}
	}
	snw_arena_destroy(scratch);
}

/* As a line of a script. */
static void record(snw_session *session, const snw_command *command) {
	static const char prefix[] = "window ";
	char line[SNW_COMMAND_WORDS + 100];
	snw_script_step step;
	snprintf(line, sizeof line, "%s", prefix);
	snw_command_write(command, line + strlen(prefix), sizeof line - strlen(prefix));
	record_line(session, snw_script_is_step(line + strlen(prefix), &step) ? line + strlen(prefix) : line);
}

static void record_choice(snw_session *session, snw_choice kind, uint32_t at) {
	static const struct {
		snw_command_id id;
		snw_noun noun;
	} choices[SNW_CHOICE_COUNT] = {{SNW_DO_MESH, SNW_NOUN_MESH},
								   {SNW_DO_JOINT, SNW_NOUN_JOINT},
								   {SNW_DO_EXAMPLE, SNW_NOUN_EXAMPLE},
								   {SNW_DO_GROUP, SNW_NOUN_GROUP},
								   {SNW_DO_LAYER, SNW_NOUN_LAYER}};
	const snw_scene *scene = session->document->scene;
	snw_command choose = {.id = choices[kind].id, .n = {at}};
	if (at != SNW_NONE) {
		snprintf(choose.text, sizeof choose.text, "%s", snw_noun_name(scene, choices[kind].noun, at));
		record(session, &choose);
	}
}

static void record_sculpt_layer(snw_session *session, uint32_t example, int64_t id) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t i = 0; example < scene->example_count && i < scene->examples[example].layer_count; i++) {
		const snw_sculpt_layer *layer = &scene->examples[example].layers[i];
		snw_command choose = {.id = SNW_DO_SCULPT_LAYER};
		snprintf(choose.text, sizeof choose.text, "%s", layer->name);
		if (layer->id == id) {
			record(session, &choose);
		}
	}
}

/* Chooses in a script what is chosen in `to` and not in `from`. */
static void record_choices(snw_session *session, const snw_choices *from, const snw_choices *to) {
	for (int c = 0; c < SNW_CHOICE_COUNT; c++) {
		if (from->at[c] != to->at[c]) {
			record_choice(session, (snw_choice)c, to->at[c]);
		}
	}
	if (from->sculpt_layer != to->sculpt_layer) {
		record_sculpt_layer(session, to->at[SNW_CHOICE_EXAMPLE], to->sculpt_layer);
	}
}

/* The point under the mouse follows as a command with its index, which a script can repeat without a mouse. An operator is
 * recorded once it has its values (commands/operate.c). */
static bool is_recorded(const snw_command *command) {
	return !snw_command_operator(command) && !snw_command_has(command, SNW_COMMAND_OPERATES) &&
		   (command->id != SNW_DO_WEIGHTS_POINT || command->text[0]);
}

/* With what it is for, so that a script repeats it. */
static void record_command(snw_session *session, const snw_command *command) {
	const snw_choices present = choices_of(session), meant = meant_choices(command, &present);
	if (!session->is_starting && is_recorded(command)) {
		record_choices(session, &present, &meant);
		record(session, command);
		record_choices(session, &meant, &present);
	}
	session->is_starting = false;
}

/* Removes the last lines of the record: of a command that did nothing. */
static void forget_lines(snw_session *session, size_t used) {
	session->record_used = used;
	if (session->record) {
		session->record[used] = '\0';
	}
}

/* ---- messages ------------------------------------------------------------------------------------------------------------ */

/* Removes what an earlier command has said. A drag is many commands: what one of them has warned of stays until it is over and
 * another command follows. */
static void clear_message(snw_session *session, const snw_command *command, bool is_first) {
	if (snw_command_has(command, SNW_COMMAND_QUIET)) {
		return;
	}
	if (is_first && !snw_command_continues(session->last, command->id)) {
		session->state.message[0] = '\0';
		session->state.alarmed = false;
	}
	session->last = command->id;
}

void snw_session_apply(snw_session *session, snw_command_queue *done) {
	snw_command_queue *queue = &session->queue;
	waiting_commands waiting = {0};
	snw_sculpting_follow_pose(session);
	for (uint32_t i = 0; i < queue->count && !session->picture_requested;) {
		const snw_command_id id = queue->commands[i].id;
		if (must_wait(session, &queue->commands[i], &waiting)) {
			snw_live_fit_yield(session);
			if (!waiting.chooses) {
				keep_choices(session, &queue->commands[i]);
			}
			keep_view(session, &queue->commands[i]);
			hold_moment(session, &queue->commands[i]);
			waiting.chooses = waiting.chooses || chooses(&queue->commands[i]);
			i++;
			continue;
		}
		if (id == SNW_DO_STROKE && takes_other_mesh(session, i)) {
			continue;
		}
		snw_command command;
		snw_queue_take(queue, i, &command);
		clear_message(session, &command, done->count == 0);
		const size_t recorded = session->record_used;
		record_command(session, &command);
		snw_redraw_times_name(&session->redraw_times, snw_command_infos[id].name);
		if (!run(session, &command)) {
			forget_lines(session, recorded);
		}
		snw_sculpting_follow_pose(session);
		snw_queue_add(done, &command);
	}
}
