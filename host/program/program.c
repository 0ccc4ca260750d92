/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks a skin program, whose arrays come from plug-ins.
 */
#include "program/program.h"

#include "base/numbers.h"

const char *snw_program_unknown(const snw_program_part *part) {
	return part->blend < SNW_BLEND_NONE || part->blend > SNW_BLEND_DUAL_QUATERNION
			   ? "it lowers to a blend that this version of Sinew does not know"
		   : part->blend != SNW_BLEND_NONE && (part->palette < SNW_PALETTE_JOINTS || part->palette > SNW_PALETTE_COMBINED)
			   ? "it lowers to a palette that this version of Sinew does not know"
		   : part->sign_rule < SNW_SIGN_SHORTEST || part->sign_rule > SNW_SIGN_AS_GIVEN
			   ? "it lowers to a sign rule that this version of Sinew does not know"
		   : part->normal_palette < SNW_NORMALS_FROM_FACES || part->normal_palette > SNW_NORMALS_QUATERNIONS
			   ? "it lowers to normals that this version of Sinew does not know"
			   : NULL;
}

static snw_status check_kinds(const snw_program *program, snw_error *error) {
	if (program->blend < SNW_BLEND_NONE || program->blend > SNW_BLEND_DUAL_QUATERNION) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: unknown blend %d", program->blend);
	}
	if (program->sign_rule != SNW_SIGN_SHORTEST && program->sign_rule != SNW_SIGN_AS_GIVEN) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: unknown sign rule %d", program->sign_rule);
	}
	if (program->dual_quaternion_palette && program->blend != SNW_BLEND_DUAL_QUATERNION) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: a palette of dual quaternions needs the dual quaternion blend");
	}
	return SNW_OK;
}

static snw_status check_influences(const snw_program *program, snw_error *error) {
	if (program->blend == SNW_BLEND_NONE || program->point_count == 0) {
		return SNW_OK;
	}
	const uint32_t *offsets = program->influence_offsets;
	if (offsets == NULL || offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: its influence offsets must start at 0");
	}
	for (uint32_t i = 0; i < program->point_count; i++) {
		if (offsets[i + 1] < offsets[i]) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: the influence offsets fall at point %u", i);
		}
	}
	const uint32_t count = offsets[program->point_count];
	const bool has_rows = program->blend == SNW_BLEND_AFFINE;
	if (count > 0 && (program->influence_slots == NULL || program->influence_weights == NULL ||
					  (has_rows && program->influence_rows == NULL))) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: it has influences without slots, weights or rows");
	}
	for (uint32_t k = 0; k < count; k++) {
		if (program->influence_slots[k] >= program->slot_count) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: influence %u names slot %u of %u", k,
							program->influence_slots[k], program->slot_count);
		}
	}
	const size_t weight = snw_first_not_finite(program->influence_weights, count);
	if (weight < count) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: the weight of influence %zu is not a finite number", weight);
	}
	const size_t row_numbers = has_rows ? 4 * (size_t)count : 0;
	const size_t number = snw_first_not_finite(program->influence_rows, row_numbers);
	if (number < row_numbers) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: the row of influence %zu is not finite", number / 4);
	}
	return SNW_OK;
}

static snw_status check_displacements(const snw_displacements *displacements, const char *which, uint32_t coefficient_count,
									  uint32_t point_count, snw_error *error) {
	if (displacements->count == 0) {
		return SNW_OK;
	}
	if (displacements->offsets == NULL || displacements->coefficients == NULL || displacements->offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: the offsets of its %s displacements must start at 0", which);
	}
	for (uint32_t k = 0; k < displacements->count; k++) {
		const uint64_t begin = displacements->offsets[k], end = displacements->offsets[k + 1];
		if (displacements->coefficients[k] >= coefficient_count) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: %s displacement %u names coefficient %u of %u", which, k,
							displacements->coefficients[k], coefficient_count);
		}
		if (end < begin || (end > begin && (displacements->points == NULL || displacements->vectors == NULL))) {
			return snw_fail(error, SNW_ERROR_DATA, "skin program: the offsets fall at %s displacement %u", which, k);
		}
		for (uint64_t j = begin; j < end; j++) {
			const bool rises = j == begin || displacements->points[j] > displacements->points[j - 1];
			if (!rises || displacements->points[j] >= point_count) {
				return snw_fail(error, SNW_ERROR_DATA,
								"skin program: %s displacement %u names point %u of %u; points must rise and be in range",
								which, k, displacements->points[j], point_count);
			}
		}
	}
	const size_t numbers = 3 * displacements->offsets[displacements->count];
	const size_t number = snw_first_not_finite(displacements->vectors, numbers);
	if (number < numbers) {
		return snw_fail(error, SNW_ERROR_DATA, "skin program: a %s displacement of point %u is not finite", which,
						displacements->points[number / 3]);
	}
	return SNW_OK;
}

snw_status snw_program_check(const snw_program *program, snw_error *error) {
	snw_status status = check_kinds(program, error);
	if (!snw_failed(status)) {
		status = check_influences(program, error);
	}
	if (!snw_failed(status) && program->point_count > 0 && program->points_rest == NULL) {
		status = snw_fail(error, SNW_ERROR_DATA, "skin program: it has %u points but no rest", program->point_count);
	}
	if (!snw_failed(status)) {
		const size_t numbers = 3 * (size_t)program->point_count, number = snw_first_not_finite(program->points_rest, numbers);
		if (number < numbers) {
			status = snw_fail(error, SNW_ERROR_DATA, "skin program: the rest of point %zu is not finite", number / 3);
		}
	}
	if (!snw_failed(status)) {
		status = check_displacements(&program->rest, "rest", program->d_count, program->point_count, error);
	}
	if (!snw_failed(status)) {
		status = check_displacements(&program->posed, "posed", program->e_count, program->point_count, error);
	}
	if (!snw_failed(status)) {
		status = check_displacements(&program->normals.displacements, "normal", program->d_count, program->point_count, error);
	}
	return status;
}

double snw_program_weight(const snw_program *program, uint32_t influence) {
	return program->blend == SNW_BLEND_AFFINE ? program->influence_rows[4 * (size_t)influence + 3]
											  : program->influence_weights[influence];
}

snw_point_displacements snw_point_displacements_list(const snw_displacements *source, uint32_t point_count, snw_arena *arena) {
	const uint64_t count = source->count > 0 ? source->offsets[source->count] : 0;
	snw_point_displacements list = {SNW_NEW_ARRAY(arena, uint32_t, (size_t)point_count + 1),
									SNW_NEW_ARRAY(arena, uint32_t, count), SNW_NEW_ARRAY(arena, uint64_t, count)};
	uint32_t *filled = SNW_NEW_ARRAY(arena, uint32_t, point_count);
	for (uint64_t i = 0; i < count; i++) {
		list.starts[source->points[i] + 1]++;
	}
	for (uint32_t p = 0; p < point_count; p++) {
		list.starts[p + 1] += list.starts[p];
	}
	for (uint32_t k = 0; k < source->count; k++) {
		for (uint64_t i = source->offsets[k]; i < source->offsets[k + 1]; i++) {
			const uint32_t place = list.starts[source->points[i]] + filled[source->points[i]]++;
			list.displacements[place] = k;
			list.entries[place] = i;
		}
	}
	return list;
}
