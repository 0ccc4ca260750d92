/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: lowered to the affine blend over the pose's own palette (a pose drives nothing else), and as bytes.
 */
#include "animation-space/animation-space.h"

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	return snk_row_skin_lower(&call->model->skin, call, SNW_PALETTE_JOINTS);
}

static void choices_bytes(snk_bytes *bytes, mesh_choices *choices) {
	snk_bytes_index(bytes, 2, &choices->is_made);
	snk_bytes_f64(bytes, 1, &choices->ridge);
	snk_bytes_f64(bytes, 1, &choices->smoothness);
	snk_guard_regions_bytes(bytes, &choices->region_count, &choices->regions);
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	if (bytes->is_load) {
		model->skin.slot_count = bytes->character->slot_count;
	}
	snk_row_skin_bytes(bytes, &model->skin);
	if (bytes->is_load) {
		model->choices = snk_bytes_acquire(bytes, model->skin.mesh_count, sizeof *model->choices);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->skin.mesh_count; m++) {
		choices_bytes(bytes, &model->choices[m]);
	}
}

static const snk_model_format format = {"SNWASPCE", 2, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	return snk_transfer_row_skin(call, &model->pool, &model->skin);
}

static snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

static const char *const set_choices[] = {"skin", "motion", NULL};
static const char *const choose_choices[] = {"given", "leave-one-out", NULL};

/* Defaults: learned from a human's range of motion, the erms of a held-out dance is 0.422 without smoothness, 0.429 with 1e-7,
 * 0.469 with 1e-6 and 0.563 with 1e-5. Ridges from 1e-5 to 1e-4 differ by less than 0.001; 1e-3 gives 0.447. Fewer samples need
 * more of both: the smoothness is not 0 because of a character with nine poses. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[INFLUENCES] =
		SNW_COUNT("influences", "Influences", "The most joints that may move one point; those of its skin always may.", 4, 1,
				  12, SNW_STAGE_FIT, SNW_SOFT(1, 8)),
	[RINGS] = SNW_COUNT("rings", "Rings", "How many edges beyond the points of its skin a joint's influence may reach.", 2, 0,
						32, SNW_STAGE_FIT, SNW_SOFT(0, 8)),
	[SETS] = SNW_CHOICE("sets", "Influence sets",
						"Influences start from the skin's weights, or from the joint that explains a point's motion best.",
						set_choices, SETS_FROM_SKIN, SNW_STAGE_FIT),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge",
						 "How strongly points stay with the blend that the fit starts from where the samples say little.", "",
						 1e-4, 1e-9, 1e6, SNW_STAGE_FIT, SNW_SOFT(1e-6, 1e-2)),
	[SMOOTHNESS] = SNW_NUMBER("smoothness", "Smoothness",
							  "How strongly neighbouring points depart alike from the blend that the fit starts from.", "",
							  1e-7, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1e-4)),
	[CHOOSE] = SNW_CHOICE("choose", "Choose", "Uses ridge and smoothness as given, or chooses them by holding samples out.",
						  choose_choices, CHOOSE_GIVEN, SNW_STAGE_FIT),
	[MEMORY] = SNW_COUNT("memory", "Memory",
						 "The memory limit of a factor in MiB; larger systems are solved by iteration, which takes longer.",
						 1024, 1, 65536, SNW_STAGE_FIT, SNW_SOFT(64, 4096)),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_field_info *const fields[] = {
	SNW_MASK_FIELD(MASK_FIELD, "Animation space mask", "How much the samples count at each point: 0 keeps its original skin."),
	SNK_RESIDUAL_FIELD,
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.animation-space",
	.short_name = "animation-space",
	.name = "Animation space",
	.version = "1.0",
	.paper = "B. Merry, P. Marais, J. Gain: Animation space: a truly linear framework for character animation, 2006",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND | SNW_REFITS_EXAMPLES,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .lower = lower, .save = save, .load = load, .release = snk_model_release, .reskin = reskin,
			 .transfer = transfer)
