/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deformer for the tests of baking: the base skin over a palette of its own that is far larger than the skeleton's, and whose
 * last slots alone move points. By its name it is the first of the methods that learn a blend.
 */
#include <string.h>

#include "sinew/plugin.h"

enum { SLOTS = 70000 };

struct snw_model {
	snw_pool pool;
	uint32_t first; /* of the slots that move points */
	uint32_t slot_count;
	const uint32_t *offsets;
	uint32_t *slots;
	const double *weights;
};

static snw_status make_model(const snw_host *host, const snw_character_view *character, snw_model **model) {
	const snw_mesh_view *mesh = character->meshes[0];
	const uint32_t count = mesh->influence_offsets[mesh->point_count];
	snw_pool pool = snw_pool_open(host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	uint32_t *offsets = SNW_POOL_ARRAY(&pool, uint32_t, mesh->point_count + 1), *slots = SNW_POOL_ARRAY(&pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(&pool, double, count);
	if (!made || !offsets || !slots || !weights) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	*made = (snw_model){pool, SLOTS - character->slot_count, character->slot_count, offsets, slots, weights};
	memcpy(offsets, mesh->influence_offsets, (mesh->point_count + 1) * sizeof *offsets);
	memcpy(weights, mesh->influence_weights, count * sizeof *weights);
	for (uint32_t k = 0; k < count; k++) {
		slots[k] = made->first + mesh->influence_slots[k];
	}
	*model = made;
	return SNW_OK;
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	return make_model(instance->host, input->character, model);
}

static snw_status save(const snw_model *model, const snw_sink *sink) {
	return sink->write(sink->context, &model->first, sizeof model->first);
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return make_model(call->host, call->character, model);
}

static void release(snw_model *model) {
	snw_pool_release(&model->pool);
}

static void layout(const snw_model *model, snw_model_layout *dest) {
	(void)model;
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout), .z_count = 12 * SLOTS});
}

static snw_status drive(const snw_drive_call *call) {
	memset(call->output->z, 0, 12 * (size_t)SLOTS * sizeof(double));
	memcpy(call->output->z + 12 * (size_t)call->model->first, call->pose->palette,
		   12 * (size_t)call->model->slot_count * sizeof(double));
	return SNW_OK;
}

static snw_status lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part),
											.blend = SNW_BLEND_LINEAR,
											.palette = SNW_PALETTE_MATRICES,
											.slot_count = SLOTS,
											.influence_offsets = model->offsets,
											.influence_slots = model->slots,
											.influence_weights = model->weights});
	return SNW_OK;
}

static const snw_parameter *const parameters[] = {
	SNW_COUNT("influences", "Influences", "At most.", 4, 1, 8, SNW_STAGE_FIT, .role = SNW_ROLE_INFLUENCES)};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.test.wide-blend",
	.short_name = "a-wide-blend",
	.name = "Wide blend",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = 1,
	.parameters = parameters,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
};

SNW_PLUGIN(deformer)
