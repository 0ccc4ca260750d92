/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/actions.h"

#include <string.h>

/* The thing that the third word names. */
static snw_status find(const snw_call *call, const snw_desk *desk, const snw_things *things, uint32_t *thing,
					   snw_error *error) {
	const char *name;
	const snw_status status =
		snw_call_word(call, 2, snw_arena_format(call->arena, "the %s's name", things->noun), &name, error);
	if (status != SNW_OK) {
		return status;
	}
	*thing = things->find(desk->scene, name);
	return *thing != SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "%s: no such %s; '%s' names them", name, things->noun, things->listed_by);
}

/* The name of what is acted on: the option's, where it names a new thing, else the third word; NULL where neither is given. */
static const char *name_of(const snw_call *call, const snw_things *things, const snw_action *action) {
	const bool is_new = !(action->does & SNW_ACTION_FINDS);
	const char *named = is_new && things->name_option ? snw_call_option(call, things->name_option) : NULL;
	return named ? named : call->word_count > 2 ? call->words[2] : NULL;
}

/* On an open desk. Where it fails, the desk's closing takes the step back. */
static snw_status act(const snw_call *call, const snw_desk *desk, const snw_things *things, const snw_action *action,
					  snw_error *error) {
	const char *name = name_of(call, things, action);
	const bool steps = action->does & SNW_ACTION_STEPS;
	uint32_t thing = SNW_NONE;
	snw_status status = SNW_OK;
	if (action->does & SNW_ACTION_FINDS) {
		status = find(call, desk, things, &thing, error);
	}
	if (status == SNW_OK && steps) {
		const char *label = snw_arena_format(call->arena, "%s %s %s", call->verb->name, action->name, name ? name : "");
		status = snw_project_begin(desk->project, label, error);
	}
	status = status ? status : action->act(call, desk, thing, error);
	if (status == SNW_OK && steps) {
		status = snw_project_commit(desk->project, error);
	}
	if (status == SNW_OK && action->does & SNW_ACTION_TELLS) {
		snw_say(call, "%s %s: %s", call->verb->name, action->name, name);
		snw_answer_text(call->answer, things->noun, name);
	}
	return status == SNW_OK && action->does & SNW_ACTION_REFITS ? snw_desk_refresh(call, desk, error) : status;
}

snw_status snw_actions_run(const snw_call *call, const snw_things *things, snw_error *error) {
	const snw_action *action = things->actions;
	while (call->word_count > 1 && action->name && strcmp(action->name, call->words[1]) != 0) {
		action++;
	}
	if (!action->name) {
		return snw_call_unknown_action(call, call->words[1], error);
	}
	snw_desk desk;
	snw_status status = snw_desk_open(call->words[0], action->does, &desk, error);
	if (status == SNW_OK) {
		status = act(call, &desk, things, action, error);
		snw_desk_close(&desk);
	}
	return status;
}
