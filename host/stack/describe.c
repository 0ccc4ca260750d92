/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collects the descriptions of the models of a stack.
 */
#include <string.h>

#include "plugin/memory_sink.h"
#include "stack/stack_internal.h"

snw_status snw_stack_describe(const snw_stack *stack, snw_arena *arena, snw_stack_description **descriptions, uint32_t *count,
							  snw_error *error) {
	snw_stack_description *found = SNW_NEW_ARRAY(arena, snw_stack_description, stack->layer_count);
	uint32_t found_count = 0;
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		const stack_layer *layer = &stack->layers[i];
		if (!layer->deformer->describe) {
			continue;
		}
		snw_memory_sink sink;
		snw_memory_sink_open(&sink);
		const snw_thread_call previous = snw_thread_enter(stack_call_of(layer, SNW_ROLE_OWNER, "describe"));
		snw_thread_function("describe");
		snw_status status = snw_deny_caveat(layer->deformer->describe(layer->model, layer->values, &sink.sink));
		snw_thread_leave(previous);
		status = snw_failed(status) ? status : snw_memory_sink_write(&sink, "", 1);
		if (snw_failed(status)) {
			snw_memory_sink_close(&sink);
			return stack_layer_fail(layer, status, error, "failed in describe: %s",
									snw_services_failure(stack->services, status));
		}
		found[found_count++] = (snw_stack_description){
			.layer = snw_arena_text(arena, layer->name),
			.deformer = snw_arena_text(arena, layer->deformer->descriptor->id),
			.deformer_version = snw_arena_text(arena, layer->deformer->descriptor->version),
			.json = snw_arena_copy(arena, sink.bytes, sink.count),
		};
		snw_memory_sink_close(&sink);
	}
	*descriptions = found;
	*count = found_count;
	return SNW_OK;
}
