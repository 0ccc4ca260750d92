/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Merges the parts of all layers into the segments of one mesh. The rest displacements of all layers act first, on the rest.
 * Then the layers act from the lowest up: a blend or a black box acts on the points from below, and posed displacements join
 * the current program. A blend above a blend, or above posed displacements, starts a new program.
 */
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "stack/stack_internal.h"

/* ---- check lowered ------------------------------------------------------------------------------------------------------- */

/* Checks a lowered part before any of its indices are used. */

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

/* merge_segments.c: checks one layer's part and converts it to a program. */
static snw_status stack_part_check(const snw_stack *stack, const stack_layer *layer, uint32_t mesh, snw_program *program,
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

/* ---- merge segments ------------------------------------------------------------------------------------------------------ */

/* One layer's displacements that become part of a segment. */
typedef struct contribution {
	const snw_displacements *displacements;
	uint32_t offset; /* of the layer's coefficients among all coefficients */
} contribution;

/* The program under construction. */
typedef struct builder {
	snw_program blend; /* from the part with a blend; SNW_BLEND_NONE without one */
	const lowered_part *lowered;
	uint32_t layer;
	uint32_t rest_count, posed_count;
	contribution *rest, *posed; /* [layer_count + 1] */
	bool *named;                /* [layer_count]: layers that `text` names already */
	char text[1000];
} builder;

static void append_name(builder *b, const char *name) {
	const size_t used = strlen(b->text);
	snprintf(b->text + used, sizeof b->text - used, "%s%s", used > 0 ? " + " : "", name);
}

static void name_layer(const snw_stack *stack, builder *b, uint32_t index) {
	if (!b->named[index]) {
		b->named[index] = true;
		append_name(b, stack->layers[index].name);
	}
}

static void add_contribution(contribution *list, uint32_t *count, const snw_displacements *displacements, uint32_t offset) {
	list[(*count)++] = (contribution){displacements, offset};
}

/* ---- displacements ------------------------------------------------------------------------------------------------------- */

static snw_status sum_counts(const contribution *list, uint32_t list_count, uint32_t *count, uint64_t *entries,
							 snw_error *error) {
	uint64_t displacements = 0, entry_count = 0;
	for (uint32_t i = 0; i < list_count; i++) {
		const snw_displacements *one = list[i].displacements;
		displacements += one->count;
		entry_count += one->count > 0 ? one->offsets[one->count] : 0;
	}
	if (displacements >= UINT32_MAX) {
		return snw_fail(error, SNW_ERROR_LIMIT, "the stack has more than %u displacements", UINT32_MAX);
	}
	*count = (uint32_t)displacements;
	*entries = entry_count;
	return SNW_OK;
}

/* Concatenates all contributions, with coefficients indexed among all of the stack. */
static snw_status concatenate(snw_arena *arena, const contribution *list, uint32_t list_count, bool has_joints,
							  snw_displacements *dest, snw_error *error) {
	uint32_t count = 0;
	uint64_t entries = 0;
	const snw_status status = sum_counts(list, list_count, &count, &entries, error);
	if (snw_failed(status) || count == 0) {
		*dest = (snw_displacements){0};
		return status;
	}
	uint32_t *coefficients = SNW_NEW_ARRAY(arena, uint32_t, count);
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, (size_t)count + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, entries);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * entries);
	uint32_t *joints = has_joints ? SNW_NEW_ARRAY(arena, uint32_t, count) : NULL;
	const char **names = SNW_NEW_ARRAY(arena, const char *, count);
	uint32_t k = 0;
	uint64_t entry = 0;
	for (uint32_t i = 0; i < list_count; i++) {
		const snw_displacements *one = list[i].displacements;
		const uint64_t entry_count = one->count > 0 ? one->offsets[one->count] : 0;
		for (uint32_t j = 0; j < one->count; j++, k++) {
			coefficients[k] = one->coefficients[j] + list[i].offset;
			offsets[k + 1] = entry + one->offsets[j + 1];
			names[k] = one->names ? snw_arena_text(arena, one->names[j]) : NULL;
			if (has_joints) {
				joints[k] = one->joints ? one->joints[j] : SNW_NONE;
			}
		}
		if (entry_count > 0) {
			memcpy(points + entry, one->points, entry_count * sizeof *points);
			memcpy(vectors + 3 * entry, one->vectors, 3 * entry_count * sizeof *vectors);
		}
		entry += entry_count;
	}
	*dest = (snw_displacements){
		.count = count,
		.coefficients = coefficients,
		.offsets = offsets,
		.points = points,
		.vectors = vectors,
		.joints = joints,
		.names = names,
	};
	return SNW_OK;
}

/* The imported morph targets: the lowest layer, driven by the pose's channels. */
static const snw_displacements *morph_displacements(snw_arena *arena, const snw_mesh *mesh) {
	snw_displacements *all = SNW_NEW(arena, snw_displacements);
	uint64_t entries = 0;
	for (uint32_t k = 0; k < mesh->morph_count; k++) {
		entries += mesh->morphs[k].count;
	}
	uint32_t *coefficients = SNW_NEW_ARRAY(arena, uint32_t, mesh->morph_count);
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, (size_t)mesh->morph_count + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, entries);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * entries);
	const char **names = SNW_NEW_ARRAY(arena, const char *, mesh->morph_count);
	uint64_t entry = 0;
	for (uint32_t k = 0; k < mesh->morph_count; k++) {
		const snw_morph *morph = &mesh->morphs[k];
		coefficients[k] = morph->channel;
		names[k] = morph->name;
		if (morph->count > 0) {
			memcpy(points + entry, morph->points, morph->count * sizeof *points);
			memcpy(vectors + 3 * entry, morph->vectors, (size_t)3 * morph->count * sizeof *vectors);
		}
		entry += morph->count;
		offsets[k + 1] = entry;
	}
	*all = (snw_displacements){.count = mesh->morph_count,
							   .coefficients = coefficients,
							   .offsets = offsets,
							   .points = points,
							   .vectors = vectors,
							   .names = names};
	return all;
}

static bool moves_rest(const snw_stack *stack, uint32_t mesh, uint32_t index) {
	const stack_layer *layer = &stack->layers[index];
	return !layer->reasons[mesh] && layer->parts[mesh].rest.count > 0;
}

/* ---- segments ------------------------------------------------------------------------------------------------------------ */

static void open_builder(const snw_stack *stack, builder *b) {
	*b = (builder){.rest = b->rest, .posed = b->posed, .named = b->named};
	memset(b->named, 0, stack->layer_count * sizeof *b->named);
}

/* A layer's normals are valid only if no other layer moves the points of the program. */
static bool drives_normals(const builder *b) {
	bool is_only = b->lowered && b->blend.normals.palette != SNW_NORMALS_FROM_FACES;
	for (uint32_t i = 0; is_only && i < b->rest_count; i++) {
		is_only = b->rest[i].displacements == &b->lowered->rest;
	}
	for (uint32_t i = 0; is_only && i < b->posed_count; i++) {
		is_only = b->posed[i].displacements == &b->lowered->posed;
	}
	return is_only;
}

/* Finishes the current program. An empty program makes no segment. */
static snw_status close_builder(snw_stack *stack, uint32_t mesh, builder *b, snw_error *error) {
	if (b->blend.blend == SNW_BLEND_NONE && b->rest_count + b->posed_count == 0) {
		return SNW_OK;
	}
	stack_mesh *target = &stack->meshes[mesh];
	for (uint32_t i = 0; target->segment_count == 0 && i < stack->layer_count; i++) {
		if (moves_rest(stack, mesh, i)) {
			name_layer(stack, b, i);
		}
	}
	stack_segment *segment = &target->segments[target->segment_count];
	segment->program = b->blend;
	snw_program *program = &segment->program;
	program->point_count = stack->scene->meshes[mesh].point_count;
	program->points_rest = stack->scene->meshes[mesh].points_rest;
	program->d_count = stack->d_count;
	program->e_count = stack->e_count;
	snw_status status = concatenate(stack->arena, b->rest, b->rest_count, false, &program->rest, error);
	status = snw_failed(status) ? status : concatenate(stack->arena, b->posed, b->posed_count, true, &program->posed, error);
	if (!snw_failed(status) && drives_normals(b)) {
		const contribution term = {&b->lowered->rest_normals, stack->layers[b->layer].d_offset};
		status = concatenate(stack->arena, &term, 1, false, &program->normals.displacements, error);
	} else {
		program->normals = (snw_program_normals){0};
	}
	if (snw_failed(status)) {
		return status;
	}
	segment->part = b->lowered ? &b->lowered->part : NULL;
	segment->layer = b->layer;
	segment->info = (snw_segment_info){.is_program = true,
									   .layers = snw_arena_text(stack->arena, b->text),
									   .has_palette = b->lowered && b->lowered->part.palette != SNW_PALETTE_JOINTS};
	if (b->lowered && b->lowered->part.palette == SNW_PALETTE_MATRICES) {
		segment->info.helper_count = stack->layers[b->layer].helper_count;
		segment->info.helpers = stack->layers[b->layer].helpers;
	}
	target->segment_count++;
	open_builder(stack, b);
	return SNW_OK;
}

static snw_status add_black_box(snw_stack *stack, uint32_t mesh, uint32_t index, builder *b, snw_error *error) {
	const snw_status status = close_builder(stack, mesh, b, error);
	if (snw_failed(status)) {
		return status;
	}
	const stack_layer *layer = &stack->layers[index];
	/* Prepared data may depend on all points. */
	const uint64_t rings = layer->deformer->prepare ? SNW_NONE : layer->deformer->descriptor->rings;
	const uint64_t reach = rings * layer->passes;
	stack_mesh *target = &stack->meshes[mesh];
	target->segments[target->segment_count++] = (stack_segment){
		.info = {.layers = layer->name, .reason = layer->reasons[mesh], .rings = reach < SNW_NONE ? (uint32_t)reach : SNW_NONE},
		.layer = index,
	};
	target->has_black_box = true;
	return SNW_OK;
}

static snw_status add_program(snw_stack *stack, uint32_t mesh, uint32_t index, builder *b, snw_error *error) {
	const stack_layer *layer = &stack->layers[index];
	const lowered_part *lowered = &layer->parts[mesh];
	if (lowered->part.blend != SNW_BLEND_NONE) {
		snw_status status = SNW_OK;
		if (b->blend.blend != SNW_BLEND_NONE || b->posed_count > 0) {
			status = close_builder(stack, mesh, b, error);
		}
		status = snw_failed(status) ? status : stack_part_check(stack, layer, mesh, &b->blend, error);
		if (snw_failed(status)) {
			return status;
		}
		b->lowered = lowered;
		b->layer = index;
		name_layer(stack, b, index);
	}
	if (lowered->posed.count > 0) {
		add_contribution(b->posed, &b->posed_count, &lowered->posed, layer->e_offset);
		name_layer(stack, b, index);
	}
	return SNW_OK;
}

/* Checks every part before it is used. */
static snw_status check_parts(const snw_stack *stack, uint32_t mesh, snw_error *error) {
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		snw_program program;
		if (!stack->layers[i].reasons[mesh]) {
			const snw_status status = stack_part_check(stack, &stack->layers[i], mesh, &program, error);
			if (snw_failed(status)) {
				return status;
			}
		}
	}
	return SNW_OK;
}

static void gather_rest(snw_stack *stack, uint32_t mesh, builder *b) {
	if (stack->scene->meshes[mesh].morph_count > 0) {
		add_contribution(b->rest, &b->rest_count, morph_displacements(stack->arena, &stack->scene->meshes[mesh]), 0);
		append_name(b, "morph");
	}
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		const stack_layer *layer = &stack->layers[i];
		if (moves_rest(stack, mesh, i)) {
			add_contribution(b->rest, &b->rest_count, &layer->parts[mesh].rest, layer->d_offset);
		}
	}
}

/* Thousands of meshes have a segment each, and room for more while it is unknown how many there are. */
static void keep_segments(snw_arena *arena, stack_mesh *mesh) {
	mesh->segments = snw_arena_copy(arena, mesh->segments, mesh->segment_count * sizeof *mesh->segments);
	for (uint32_t s = 0; s < mesh->segment_count; s++) {
		stack_segment *segment = &mesh->segments[s];
		segment->info.program = segment->info.is_program ? &segment->program : NULL;
	}
}

snw_status stack_merge(snw_stack *stack, uint32_t mesh, snw_error *error) {
	snw_status status = check_parts(stack, mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	/* At most a program and a black box for each layer, and a last program. */
	snw_arena *scratch = snw_arena_create();
	stack->meshes[mesh].segments = SNW_NEW_ARRAY(scratch, stack_segment, (size_t)2 * stack->layer_count + 2);
	builder *b = SNW_NEW(scratch, builder);
	b->rest = SNW_NEW_ARRAY(scratch, contribution, (size_t)stack->layer_count + 1);
	b->posed = SNW_NEW_ARRAY(scratch, contribution, (size_t)stack->layer_count + 1);
	b->named = SNW_NEW_ARRAY(scratch, bool, stack->layer_count);
	gather_rest(stack, mesh, b);
	for (uint32_t i = 0; !snw_failed(status) && i < stack->layer_count; i++) {
		const bool is_black_box = stack->layers[i].reasons[mesh] != NULL;
		status = is_black_box ? add_black_box(stack, mesh, i, b, error) : add_program(stack, mesh, i, b, error);
	}
	status = snw_failed(status) ? status : close_builder(stack, mesh, b, error);
	keep_segments(stack->arena, &stack->meshes[mesh]);
	snw_arena_destroy(scratch);
	return status;
}
