/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/examples/example_layers.h"

snw_status snw_example_layers(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error) {
	(void)error;
	const snw_example *row = &opened->scene->examples[example];
	cJSON *rows = snw_answer_list(call->answer, "layers");
	for (uint32_t i = row->layer_count; i-- > 0;) {
		const snw_sculpt_layer *layer = &row->layers[i];
		cJSON *answer = snw_answer_row(rows);
		snw_say(call, "%s opacity %4.2f %7u points%s", snw_padded(call, layer->name, 24), layer->opacity, layer->count,
				layer->muted ? "  (muted)" : "");
		snw_answer_text(answer, "name", layer->name);
		snw_answer_number(answer, "opacity", layer->opacity);
		snw_answer_bool(answer, "muted", layer->muted);
		snw_answer_number(answer, "points", layer->count);
	}
	if (row->layer_count == 0) {
		snw_say(call, "%s has no sculpt layers; 'example layer %s NAME --add' adds one", row->name, row->name);
	}
	return SNW_OK;
}
