/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/actions.h"

#include <string.h>

#include "cli/command_line/operate.h"

static snw_status act(const snw_call *call, const snw_opened *opened, const snw_action_table *table, const snw_action *action,
					  snw_error *error) {
	const char *name;
	uint32_t index = SNW_NONE;
	snw_status status = SNW_OK;
	if (action->flags & SNW_ACTION_NAMED) {
		status = snw_call_argument(call, 2, snw_arena_format(call->arena, "the %s's name", snw_noun_word(table->noun)), &name,
								   error);
		status = snw_failed(status) ? status : snw_noun_find(opened->scene, table->noun, name, &index, error);
	}
	return snw_failed(status) ? status : action->act(call, opened, index, error);
}

static snw_status run_table(const snw_call *call, const snw_action_table *table, snw_error *error) {
	const snw_action *action = table->actions;
	while (call->argument_count > 1 && action->name && strcmp(action->name, call->arguments[1]) != 0) {
		action++;
	}
	if (!action->name) {
		return snw_call_unknown_action(call, call->arguments[1], error);
	}
	snw_opened opened;
	snw_status status = snw_open_project(call->arguments[0], action->flags, &call->task, &opened, error);
	if (!snw_failed(status)) {
		status = act(call, &opened, table, action, error);
		snw_opened_close(&opened);
	}
	return status;
}

snw_status snw_verb_run(snw_call *call, snw_error *error) {
	if (call->operation && !(snw_verb_is_operator(call->verb) && call->verb->run)) {
		return snw_operate(call, error);
	}
	return call->verb->table ? run_table(call, call->verb->table, error) : call->verb->run(call, error);
}

const char *snw_verb_actions(const snw_verb *verb, snw_arena *arena) {
	const char *names = verb->actions ? verb->actions : "";
	for (const snw_action *action = verb->table ? verb->table->actions : NULL; action && action->name; action++) {
		names = snw_arena_format(arena, "%s%s%s", names, names[0] ? "|" : "", action->name);
	}
	for (const snw_operator *row = verb->noun ? verb->noun->operators : NULL; row && row->name && row->name[0]; row++) {
		names = snw_arena_format(arena, "%s%s%s", names, names[0] ? "|" : "", row->name);
	}
	return names;
}

const char *snw_verb_help(const snw_verb *verb) {
	return verb->help ? verb->help : verb->noun->help;
}

/* "METHOD P.sinew [--layer NAME] … [-o OUT.sinew]": the operator's arguments, the project at its place, the verb's options. */
static const char *operator_usage(const snw_verb *verb, snw_arena *arena) {
	const char *rest = snw_operator_usage(verb->noun->operators, arena), *usage = "";
	for (int i = 0; i < verb->project_place; i++) {
		const size_t length = strcspn(rest, " ");
		usage = snw_arena_format(arena, "%s%.*s ", usage, (int)length, rest);
		rest += length + strspn(rest + length, " ");
	}
	usage = snw_arena_format(arena, "%sP.sinew %s", usage, rest);
	for (const snw_option *option = verb->options; option->name; option++) {
		usage = snw_arena_format(arena, "%s [%s%s%s]", usage, option->name, option->value ? " " : "",
								 option->value ? option->value : "");
	}
	return usage;
}

const char *snw_verb_usage(const snw_verb *verb, snw_arena *arena) {
	return verb->usage                  ? verb->usage
		   : snw_verb_is_operator(verb) ? operator_usage(verb, arena)
										: snw_arena_format(arena, "P.sinew %s …", snw_verb_actions(verb, arena));
}
