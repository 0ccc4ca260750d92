/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blend, and whether to refine. A few poses lie far apart, and proxy weights alone leave most of the error there, while
 * refining takes seconds; so that is the default for them. A number that is set is obeyed. Weights of a rig are kept, unless
 * the settings ask for refining or for a bound; what a bound alone refines starts from them.
 */
#include "sad/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The most frames that a mesh has, in all its sequences and targets. */
static uint32_t most_frames(const snw_fit_input *input) {
	uint32_t most = 0;
	for (uint32_t m = 0; m < input->character->mesh_count; m++) {
		uint32_t count = 0;
		for (uint32_t s = 0; s < input->sequence_count; s++) {
			count += input->sequences[s]->mesh == m ? input->sequences[s]->frame_count : 0;
		}
		for (uint32_t t = 0; t < input->target_count; t++) {
			count += input->targets[t]->mesh == m ? input->targets[t]->frame_count : 0;
		}
		most = count > most ? count : most;
	}
	return most;
}

static int keeps_rig(const snw_fit_input *input) {
	int any = 0;
	for (uint32_t m = 0; m < input->character->mesh_count; m++) {
		any |= has_rig(input->character->meshes[m]);
	}
	return any && input->values[JOINTS].numbers[0] == JOINTS_AUTO;
}

snw_status choose_fit(const snw_host *host, const snw_fit_input *input, fit_choice *choice) {
	const snw_value *values = input->values;
	const int blend = (int)values[BLEND].numbers[0], is_affine = values[TRANSFORMS].numbers[0] == AFFINE;
	const int is_bounded = values[LARGEST].numbers[0] > 0;
	if (is_affine && blend == BLEND_DUAL_QUATERNION) {
		return snw_report_fail(host, SNW_ERROR_ARGUMENT,
							   "affine transforms need linear blend; leave out blend=dual-quaternion, or set transforms=rigid");
	}
	if (is_bounded && blend == BLEND_DUAL_QUATERNION) {
		return snw_report_fail(
			host, SNW_ERROR_ARGUMENT,
			"a bound on the largest distance needs linear blend; leave out blend=dual-quaternion or largest");
	}
	if (is_bounded && values[REFINE].numbers[0] == 0) {
		return snw_report_fail(host, SNW_ERROR_ARGUMENT,
							   "a bound on the largest distance needs refining; leave out refine=0 or largest");
	}
	const int is_dense = values[INFLUENCES].numbers[0] == INFLUENCES_ALL;
	if (is_dense &&
		(blend == BLEND_DUAL_QUATERNION || is_bounded || values[SMOOTHNESS].numbers[0] > 0 || values[REFINE].numbers[0] == 0)) {
		return snw_report_fail(
			host, SNW_ERROR_ARGUMENT,
			"influences=all blends affine transforms linearly, and fits weights and transforms to the mean error alone; "
			"leave out blend=dual-quaternion, largest, smoothness and refine=0");
	}
	int has_held;
	const snw_status held = check_held(host, input, &has_held);
	if (snk_failed(held)) {
		return held;
	}
	const int has_few_frames = blend == BLEND_AUTO && most_frames(input) <= FEW_FRAMES && !keeps_rig(input);
	const int is_linear = blend == BLEND_LINEAR || is_bounded || has_few_frames || has_held;
	choice->is_dense = is_dense;
	choice->kind = is_affine || is_dense ? SNK_TRANSFORMS_AFFINE
				   : is_linear           ? SNK_TRANSFORMS_RIGID
										 : SNK_TRANSFORMS_DUAL_QUATERNION;
	choice->refinements = (int)values[REFINE].numbers[0];
	choice->start = (int)values[START].numbers[0];
	if (choice->refinements == REFINE_AS_NEEDED) {
		choice->start = choice->start == START_AUTO && keeps_rig(input) ? START_P_CENTRE : choice->start;
		choice->refinements = is_bounded || is_dense ? REFINE_AUTO : has_few_frames ? REFINE_FEW : 0;
	}
	return SNW_OK;
}
