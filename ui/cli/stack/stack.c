/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew stack: lists the layers, from the bottom up. Its operators change them.
 */
#include "stack/stack.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/options/settings.h"
#include "operators/nouns.h"

/* Words about a layer whose plug-in is missing. */
static const char *missing_text(const snw_call *call, const snw_opened *opened, uint32_t index) {
	const uint32_t replaced = snw_replaced_blend(opened->scene, opened->registry, index);
	return replaced == SNW_NONE ? "  (its plug-in is missing; the layer is kept but does not run)"
								: snw_arena_format(call->arena,
												   "  (its plug-in is missing; the layer is kept but does not run, and '%s', "
												   "which it replaced, is muted: unmute it)",
												   opened->scene->layers[replaced].name);
}

static snw_status list_layers(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	cJSON *rows = snw_answer_list(call->answer, "layers");
	for (uint32_t i = 0; i < opened->scene->layer_count; i++) {
		const snw_layer *layer = &opened->scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(opened->registry, layer->deformer);
		const char *stale = snw_opened_stale_text(call, opened, i);
		snw_say(call, "%3u  %s %s%s%s%s%s", i, snw_padded(call, layer->name, 20),
				deformer ? deformer->descriptor->name : layer->deformer, snw_settings_text(call, deformer, layer),
				layer->muted ? "  (muted)" : "", stale, deformer ? "" : missing_text(call, opened, i));
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", layer->name);
		snw_answer_text(row, "deformer", layer->deformer);
		snw_answer_bool(row, "muted", layer->muted);
		snw_answer_bool(row, "available", deformer != NULL);
		snw_answer_bool(row, "stale", stale[0] != 0);
		snw_answer_settings(row, deformer, layer);
	}
	return SNW_OK;
}

static const snw_action stack_actions[] = {
	{"list", list_layers, SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_OPEN_PLUGINS},
	{0},
};

static const snw_action_table stack_table = {.noun = SNW_NOUN_LAYER, .actions = stack_actions};

static const snw_option stack_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_stack = {
	.name = "stack",
	.table = &stack_table,
	.noun = &snw_operators_stack,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = stack_options,
};
