/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A black box that moves points beyond x = 0.3 with the joint of index 2, and that no skin program can show.
 */
#include <stdlib.h>

#include "sinew/plugin.h"
#include "sinew/sinew.h"

enum { JOINT = 2 };

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.test.joint-box",
	.short_name = "test-joint-box",
	.name = "Joint box",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH,
	.traits = SNW_BINDS,
};

struct snw_model {
	int unused;
};

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	(void)input;
	*model = calloc(1, sizeof **model);
	return *model ? SNW_OK : SNW_ERROR_MEMORY;
}

static void release(snw_model *model) {
	free(model);
}

static snw_status deform(const snw_deform_call *call) {
	for (size_t i = call->begin; i < call->end; i++) {
		for (size_t c = 0; c < 3; c++) {
			const double moves = call->points_rest[3 * i] > 0.3 ? call->pose->global[12 * JOINT + 4 * c + 3] : 0;
			call->points_out[3 * i + c] = call->points_in[3 * i + c] + moves;
		}
	}
	return SNW_OK;
}

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.deform = deform,
	.release = release,
};

SNW_PLUGIN(deformer)
