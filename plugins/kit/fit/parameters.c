/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/parameters.h"

double snk_parameter_value(const snw_fit_input *input, uint32_t parameter, uint32_t group, uint32_t joint) {
	double value = input->values[parameter].numbers[0];
	int is_of_joint = 0;
	for (uint32_t i = 0; i < input->override_count; i++) {
		const snw_override *override = input->overrides[i];
		const int for_joint = override->scope == SNW_SCOPE_JOINT && joint != SNW_NONE && override->index == joint;
		const int for_group = override->scope == SNW_SCOPE_GROUP && group != SNW_NONE && override->index == group;
		if (override->parameter == parameter && (for_joint || (for_group && !is_of_joint))) {
			value = override->value.numbers[0];
			is_of_joint |= for_joint;
		}
	}
	return value;
}
