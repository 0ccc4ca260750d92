/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks a lowered part before any of its indices are used.
 */

#include "base/numbers.h"
#include "stack/stack_internal.h"

enum { MOST_SLOTS = 1 << 24 };

static snw_status part_fault(const snw_stack *stack, const stack_layer *layer, uint32_t mesh, const char *problem,
							 snw_error *error) {
	return stack_layer_fail(layer, SNW_ERROR_DATA, error, "failed in lower: its program for mesh '%s' is invalid: %s",
							stack->scene->meshes[mesh].name, problem);
}

static const char *sparse_fault(const snw_sparse_rows *rows, uint64_t row_count, uint32_t column_count) {
	if (rows->row_count != row_count || rows->column_count != column_count) {
		return "the shape of its sparse C does not match its palette and z";
	}
	if (!rows->offsets || rows->offsets[0] != 0) {
		return "the offsets of its sparse C are missing or do not start at 0";
	}
	for (uint32_t r = 0; r < row_count; r++) {
		if (rows->offsets[r + 1] < rows->offsets[r]) {
			return "the offsets of its sparse C decrease";
		}
	}
	const uint32_t count = rows->offsets[row_count];
	if (count > 0 && (!rows->columns || !rows->values)) {
		return "the entries of its sparse C are missing";
	}
	for (uint32_t r = 0; r < row_count; r++) {
		for (uint32_t i = rows->offsets[r]; i < rows->offsets[r + 1]; i++) {
			if (rows->columns[i] >= column_count) {
				return "its sparse C has a column out of range";
			}
			if (i > rows->offsets[r] && rows->columns[i] <= rows->columns[i - 1]) {
				return "the columns of its sparse C are not ascending within a row";
			}
		}
	}
	return snw_all_finite(rows->values, count) ? NULL : "its C is not finite";
}

static const char *combined_fault(const snw_program_part *part) {
	const size_t numbers = (size_t)4 * part->slot_count * part->combined_count;
	if (part->combined && part->combined_rows) {
		return "its C is both dense and sparse";
	}
	if (part->combined_rows) {
		return sparse_fault(part->combined_rows, (uint64_t)4 * part->slot_count, part->combined_count);
	}
	if (numbers > 0 && !part->combined) {
		return "its C is missing";
	}
	return snw_all_finite(part->combined, numbers) ? NULL : "its C is not finite";
}

/* Why the palette is invalid, or NULL. Sets the program's slots. */
static const char *palette_fault(const snw_stack *stack, const stack_layer *layer, const snw_program_part *part,
								 snw_program *program) {
	const uint64_t z_count = layer->layout.z_count, slot_count = part->slot_count;
	program->slot_count = part->slot_count;
	if (slot_count > MOST_SLOTS) {
		return "its palette has too many slots";
	}
	switch (part->palette) {
	case SNW_PALETTE_JOINTS:
		program->slot_count = stack->scene->slot_count;
		return NULL;
	case SNW_PALETTE_MATRICES:
		return 12 * slot_count > z_count ? "z is too short for its matrices" : NULL;
	case SNW_PALETTE_DUAL_QUATERNIONS:
		program->dual_quaternion_palette = true;
		return 8 * slot_count > z_count ? "z is too short for its dual quaternions" : NULL;
	default: /* combined: an unknown one is not lowered to (snw_program_unknown) */
		if (3 * (uint64_t)part->combined_count > z_count) {
			return "z is too short for its combined palette";
		}
		program->combined = part->combined;
		program->combined_count = part->combined_count;
		if (combined_fault(part)) {
			return combined_fault(part);
		}
		program->combined_slots = part->combined_rows ? snw_combined_slots_make(part->combined_rows, stack->arena) : NULL;
		return NULL;
	}
}

/* Why the part's normals are invalid, or NULL. */
static const char *normals_fault(const stack_layer *layer, const lowered_part *lowered, uint32_t point_count,
								 snw_program *program) {
	const snw_program_part *part = &lowered->part;
	static const uint32_t widths[] = {[SNW_NORMALS_MATRICES] = 9, [SNW_NORMALS_QUATERNIONS] = 4};
	if (part->normal_palette == SNW_NORMALS_FROM_FACES) {
		return NULL;
	}
	if (part->blend == SNW_BLEND_NONE) {
		return "it has normals but no blend";
	}
	const uint64_t width = widths[part->normal_palette];
	if (part->normal_z + width * program->slot_count > layer->layout.z_count) {
		return "z is too short for the palette of its normals";
	}
	if (point_count > 0 && !part->normals_rest) {
		return "its rest normals are missing";
	}
	if (!snw_all_finite(part->normals_rest, (size_t)3 * point_count)) {
		return "its rest normals are not finite";
	}
	program->normals = (snw_program_normals){part->normal_palette, part->normals_rest, lowered->rest_normals};
	return NULL;
}

/* The weights of an affine blend: the fourth components of its rows. */
static const double *weights_of_rows(snw_arena *arena, const snw_program_part *part, uint32_t point_count) {
	const uint32_t *offsets = part->influence_offsets;
	if (!offsets || !part->influence_rows) {
		return NULL;
	}
	for (uint32_t i = 0; i < point_count; i++) {
		if (offsets[i + 1] < offsets[i]) {
			return NULL;
		}
	}
	double *weights = SNW_NEW_ARRAY(arena, double, offsets[point_count]);
	for (uint32_t k = 0; k < offsets[point_count]; k++) {
		weights[k] = part->influence_rows[(size_t)4 * k + 3];
	}
	return weights;
}

static const char *joints_fault(const snw_stack *stack, const snw_displacements *posed) {
	for (uint32_t k = 0; posed->joints && k < posed->count; k++) {
		if (posed->joints[k] != SNW_NONE && posed->joints[k] >= stack->scene->skeleton.joint_count) {
			return "a posed displacement has a joint out of range";
		}
	}
	return NULL;
}

snw_status stack_part_check(const snw_stack *stack, const stack_layer *layer, uint32_t mesh, snw_program *program,
							snw_error *error) {
	const lowered_part *lowered = &layer->parts[mesh];
	const snw_program_part *part = &lowered->part;
	const snw_mesh *geometry = &stack->scene->meshes[mesh];
	*program = (snw_program){
		.point_count = geometry->point_count,
		.blend = part->blend,
		.sign_rule = part->sign_rule,
		.points_rest = geometry->points_rest,
		.rest = lowered->rest,
		.posed = lowered->posed,
		.d_count = layer->layout.d_count,
		.e_count = layer->layout.e_count,
	};
	const char *fault = joints_fault(stack, &lowered->posed);
	if (!fault && part->blend != SNW_BLEND_NONE) {
		fault = palette_fault(stack, layer, part, program);
		program->influence_offsets = part->influence_offsets;
		program->influence_slots = part->influence_slots;
		program->influence_weights = part->influence_weights;
		if (part->blend == SNW_BLEND_AFFINE) {
			program->influence_rows = part->influence_rows;
			program->influence_weights = weights_of_rows(stack->arena, part, geometry->point_count);
		}
	}
	fault = fault ? fault : normals_fault(layer, lowered, geometry->point_count, program);
	if (fault) {
		return part_fault(stack, layer, mesh, fault, error);
	}
	snw_error detail;
	return snw_failed(snw_program_check(program, &detail)) ? part_fault(stack, layer, mesh, detail.text, error) : SNW_OK;
}
