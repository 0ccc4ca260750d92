/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/fit.h"

#include <string.h>

#include "base/arena.h"
#include "fit/stale.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "services/services.h"

typedef struct model_transfer {
	const snw_model_transfer *transfer;
	const snw_layer *layer;
	const snw_saved_model *saved;
	const snw_deformer *deformer;
	snw_services *services;
	snw_model *model;
	snw_error *error;
} model_transfer;

static snw_status transfer_failed(const model_transfer *c, const char *function, snw_status status) {
	return snw_fail(c->error, status, "layer '%s' cannot follow the changed meshes: %s of %s failed: %s", c->layer->name,
					function, c->deformer->descriptor->short_name, snw_services_failure(c->services, status));
}

/* What was read is what is there now, unless it had changed before. */
static const uint64_t *transfer_reads(const model_transfer *c, uint32_t layer_before, uint32_t layer_after) {
	const uint64_t *stored = c->saved->reads;
	if (!stored) {
		return NULL;
	}
	uint64_t before[SNW_READ_KINDS], *reads = SNW_NEW_ARRAY(c->transfer->arena, uint64_t, SNW_READ_KINDS);
	const bool reads_below = stored[SNW_READ_BELOW] != 0;
	snw_fit_reads(c->transfer->before, c->transfer->registry, c->deformer, c->layer, layer_before, reads_below, before);
	snw_fit_reads(c->transfer->after, c->transfer->registry, c->deformer, c->layer, layer_after, reads_below, reads);
	for (uint32_t k = 0; k < SNW_READ_KINDS; k++) {
		reads[k] = stored[k] == before[k] ? reads[k] : stored[k];
	}
	return reads;
}

/* The bytes are what runs, so they must load. */
static snw_status save_transferred(model_transfer *c, const snw_character_view *character, snw_saved_model *made) {
	snw_memory_sink sink;
	snw_memory_sink_open(&sink);
	snw_status status = snw_deny_caveat(snw_deformer_save(c->deformer, c->model, &sink.sink));
	*made = *c->saved;
	made->id = 0;
	made->bytes = snw_failed(status) ? NULL : snw_arena_copy(c->transfer->arena, sink.bytes, sink.count);
	made->byte_count = sink.count;
	snw_memory_sink_close(&sink);
	if (snw_failed(status)) {
		return transfer_failed(c, "save", status);
	}
	snw_model *loaded = NULL;
	status = snw_deny_caveat(
		snw_deformer_load(c->deformer, snw_services_host(c->services), character, made->bytes, made->byte_count, &loaded));
	if (snw_failed(status) || !loaded) {
		return transfer_failed(c, "load", snw_failed(status) ? status : SNW_ERROR_INTERNAL);
	}
	snw_thread_function("release");
	c->deformer->release(loaded);
	return SNW_OK;
}

static snw_status transfer_and_save(model_transfer *c, snw_saved_model *made) {
	const snw_model_transfer *from = c->transfer;
	const snw_character_view *character = snw_character_view_make(from->after, from->arena);
	const snw_transfer_call call = {.size = sizeof call,
									.host = snw_services_host(c->services),
									.before = snw_character_view_make(from->before, from->arena),
									.bytes = c->saved->bytes,
									.count = c->saved->byte_count,
									.character = character,
									.stencils = from->stencils};
	snw_status status = snw_deny_caveat(snw_deformer_transfer(c->deformer, &call, &c->model));
	if (snw_failed(status) || !c->model) {
		return transfer_failed(c, "transfer", snw_failed(status) ? status : SNW_ERROR_INTERNAL);
	}
	status = save_transferred(c, character, made);
	snw_thread_function("release");
	c->deformer->release(c->model);
	return status;
}

snw_status snw_transfer_model(const snw_model_transfer *transfer, uint32_t layer_before, uint32_t layer_after,
							  snw_saved_model *model, snw_error *error) {
	const snw_layer *layer = &transfer->before->layers[layer_before];
	model_transfer c = {.transfer = transfer,
						.layer = layer,
						.saved = &transfer->before->models[layer->model],
						.deformer = snw_registry_find(transfer->registry, layer->deformer),
						.error = error};
	if (!c.deformer) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "layer '%s' cannot follow the changed meshes: %s is not loaded",
						layer->name, layer->deformer);
	}
	const char *name = c.deformer->descriptor->short_name;
	if (!c.deformer->transfer || strcmp(c.saved->deformer_version, c.deformer->descriptor->version) != 0) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "layer '%s' cannot follow the changed meshes: %s", layer->name,
						snw_arena_format(transfer->arena,
										 c.deformer->transfer ? "its model is of another version of %s"
															  : "%s takes no model to other meshes",
										 name));
	}
	c.services = snw_services_create(transfer->task, transfer->after, NULL, NULL);
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = name, .function = "transfer", .layer = layer->name, .reports = true});
	const snw_status status = transfer_and_save(&c, model);
	snw_thread_leave(previous);
	snw_services_destroy(c.services);
	if (!snw_failed(status)) {
		model->reads = transfer_reads(&c, layer_before, layer_after);
	}
	return status;
}
