/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A method that uses very little of the ABI, so that nearly every struct can lose members: those that grown.c needs are
 * removed here (grow_headers.py, modes `tables` and `calls`). It must give the same bits as with the complete headers.
 *
 * Each point moves up by the height, and by 1 cm more for each override of the height. With BARE_BINDS it binds, and
 * declares a field.
 */
#include BARE_HEADER

#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"
#include "struct_sizes.h"

static const snw_parameter *const parameters[] = {
	&(const snw_parameter){.size = sizeof(snw_parameter),
						   .key = "height",
						   .label = "Height",
						   .help = "",
						   .unit = "m",
						   .kind = SNW_PARAMETER_NUMBER,
						   .stage = SNW_STAGE_FIT,
						   .initial = SNW_VALUE(0.25),
						   .maximum = 1,
						   .soft_maximum = 1,
#if !BARE_BINDS
						   .scopes = SNW_SCOPE_JOINT
#endif
	},
};

#if BARE_BINDS
static const snw_field_info *const fields[] = {
	&(const snw_field_info){.size = sizeof(snw_field_info),
							.name = "mask",
							.label = "Mask",
							.help = "",
							.unit = "",
							.domain = SNW_DOMAIN_POINTS,
							.components = 1},
};
#endif

static const snw_descriptor descriptor = {.size = sizeof descriptor,
										  .id = "org.sinew.test.bare",
										  .short_name = "test-bare",
										  .name = "Bare",
										  .version = "1.0",
										  .paper = "",
										  .needs = SNW_NEEDS_MESH,
										  .parameter_count = 1,
										  .parameters = parameters,
#if BARE_BINDS
										  .traits = SNW_BINDS,
										  .field_count = 1,
										  .fields = fields
#endif
};

struct snw_instance {
	int unused;
};

struct snw_model {
	double height;
};

static snw_status SNW_CALL create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	(void)self;
	(void)host;
	*instance = calloc(1, sizeof **instance);
	return *instance ? SNW_OK : SNW_ERROR_MEMORY;
}

static void SNW_CALL destroy(snw_instance *instance) {
	free(instance);
}

static void SNW_CALL release(snw_model *model) {
	free(model);
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	snw_model *made = calloc(1, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	made->height = input->values[0].numbers[0];
#if !BARE_BINDS
	for (uint32_t i = 0; i < input->override_count; i++) {
		made->height += input->overrides[i]->parameter == 0 ? 0.01 : 0;
	}
#endif
	*model = made;
	return SNW_OK;
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	for (size_t k = 3 * (size_t)call->begin; k < 3 * (size_t)call->end; k++) {
		call->points_out[k] = call->points_in[k] + (k % 3 == 1 ? call->model->height : 0);
	}
	return SNW_OK;
}

#if !BARE_BINDS
static const char mark[8] = "BARE";

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	char bytes[2 * sizeof mark + sizeof *model];
	memcpy(bytes, mark, sizeof mark);
	memcpy(bytes + sizeof mark, model, sizeof *model);
	/* Written twice, so that damage shows. */
	const snw_status status = sink->write(sink->context, bytes, sizeof mark + sizeof *model);
	return status == SNW_OK ? sink->write(sink->context, bytes, sizeof mark + sizeof *model) : status;
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	const size_t half = sizeof mark + sizeof **model;
	const char *bytes = call->bytes;
	if (call->count != 2 * half || memcmp(bytes, mark, sizeof mark) != 0 || memcmp(bytes, bytes + half, half) != 0) {
		return SNW_ERROR_DATA;
	}
	snw_model *made = malloc(sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(made, bytes + sizeof mark, sizeof *made);
	*model = made;
	return SNW_OK;
}
#endif

static const snw_deformer deformer = {.size = sizeof deformer,
									  .descriptor = &descriptor,
									  .create = create,
									  .destroy = destroy,
									  .fit = fit,
									  .deform = deform,
#if !BARE_BINDS
									  .save = save,
									  .load = load,
#endif
									  .release = release};

static const snw_deformer *SNW_CALL deformer_at(uint32_t index) {
	return index == 0 ? &deformer : NULL;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {.size = sizeof(snw_entry),
									.abi_major = SNW_ABI_MAJOR,
									.abi_minor = SNW_ABI_MINOR,
									.deformer_count = 1,
									.deformer = deformer_at};
