/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend: each point goes where its joints' transforms take it, averaged by its weights. The rig as it came: nothing is
 * learned, nothing is driven but the pose's own palette.
 */
#include "math/skin_model.h"
#include "sinew/sinew.h"

static const char mark[8] = "SNWLINB";

static snw_status lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part,
						const char **reason) {
	(void)values;
	(void)reason;
	return snw_skin_model_lower(model, mesh, SNW_BLEND_LINEAR, part);
}

static snw_status save(const snw_model *model, const snw_sink *sink) {
	return snw_skin_model_save(model, mark, sink);
}

static snw_status load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count,
					   snw_model **model) {
	return snw_skin_model_load(host, character, bytes, count, mark, model);
}

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.linear-blend",
	.short_name = "linear-blend",
	.name = "Linear blend",
	.version = "1.0",
	.paper = "N. Magnenat-Thalmann, R. Laperrière, D. Thalmann: Joint-dependent local deformations for hand animation and "
			 "object grasping, 1988",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN,
	.traits = SNW_BINDS,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = snw_skin_model_copy,
	.lower = lower,
	.save = save,
	.load = load,
	.release = snw_skin_model_release,
};

SNW_PLUGIN(deformer)
