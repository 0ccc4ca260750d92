/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes of each mesh: of its programs, one over another.
 */
#include "stack/bounds.h"

#include <assert.h>

#include "stack/stack_internal.h"

static snw_program_bounds *make_rest(const snw_mesh *mesh, snw_arena *arena) {
	const snw_program rest = {.point_count = mesh->point_count, .points_rest = mesh->points_rest};
	return snw_program_bounds_make(&rest, arena);
}

/* `boxes` is [clusters]. */
static snw_stack_bounds pose_rest(const snw_program_bounds *bounds, snw_program_bounds_scratch *scratch, snw_box *boxes) {
	const snw_program_input none = {0};
	const bool are_whole = snw_program_bounds_posed(bounds, &none, NULL, scratch, boxes);
	return (snw_stack_bounds){boxes, snw_program_bounds_cluster_count(bounds), are_whole};
}

snw_stack_bounds snw_stack_bounds_rest(const snw_mesh *mesh, snw_arena *arena) {
	const snw_program_bounds *bounds = make_rest(mesh, arena);
	return pose_rest(bounds, snw_program_bounds_scratch_make(bounds, arena),
					 SNW_NEW_ARRAY(arena, snw_box, snw_program_bounds_cluster_count(bounds)));
}

void stack_bounds_make(const snw_stack *stack, uint32_t mesh) {
	stack_mesh *made = &stack->meshes[mesh];
	bool has_program = false;
	for (uint32_t s = 0; s < made->segment_count; s++) {
		stack_segment *segment = &made->segments[s];
		segment->bounds = segment->info.is_program ? snw_program_bounds_make(&segment->program, stack->arena) : NULL;
		has_program = has_program || segment->info.is_program;
	}
	made->rest_bounds = has_program ? NULL : make_rest(&stack->scene->meshes[mesh], stack->arena);
}

/* NULL without bounds. Raises `most` to their number of clusters. */
static snw_program_bounds_scratch *open_program(const snw_program_bounds *bounds, snw_arena *arena, uint32_t *most) {
	if (!bounds) {
		return NULL;
	}
	const uint32_t count = snw_program_bounds_cluster_count(bounds);
	*most = count > *most ? count : *most;
	return snw_program_bounds_scratch_make(bounds, arena);
}

void stack_bounds_open(snw_evaluation *evaluation) {
	const snw_stack *stack = evaluation->stack;
	uint32_t most = 0;
	evaluation->rest_bounds = SNW_NEW_ARRAY(evaluation->arena, snw_program_bounds_scratch *, stack->scene->mesh_count);
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		const stack_mesh *mesh = &stack->meshes[m];
		evaluation->rest_bounds[m] = open_program(mesh->rest_bounds, evaluation->arena, &most);
		for (uint32_t s = 0; s < mesh->segment_count; s++) {
			evaluation->segments[m][s].bounds = open_program(mesh->segments[s].bounds, evaluation->arena, &most);
		}
	}
	evaluation->boxes = SNW_NEW_ARRAY(evaluation->arena, snw_box, most);
}

snw_stack_bounds snw_stack_bounds_posed(const snw_evaluation *evaluation, uint32_t mesh) {
	const stack_mesh *bounded = &evaluation->stack->meshes[mesh];
	snw_stack_bounds found = {.boxes = evaluation->boxes, .are_whole = !bounded->has_black_box};
	assert(evaluation->pose);
	for (uint32_t s = 0; s < bounded->segment_count; s++) {
		const stack_segment *segment = &bounded->segments[s];
		if (segment->bounds) {
			const segment_state *state = &evaluation->segments[mesh][s];
			const snw_box below = snw_stack_bounds_join(&found);
			found.are_whole = snw_program_bounds_posed(segment->bounds, &state->program, found.count > 0 ? &below : NULL,
													   state->bounds, evaluation->boxes) &&
							  found.are_whole;
			found.count = snw_program_bounds_cluster_count(segment->bounds);
		}
	}
	if (bounded->rest_bounds) { /* no program poses it */
		found = pose_rest(bounded->rest_bounds, evaluation->rest_bounds[mesh], evaluation->boxes);
		found.are_whole = !bounded->has_black_box;
	}
	return found;
}

snw_box snw_stack_bounds_join(const snw_stack_bounds *bounds) {
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < bounds->count; i++) {
		snw_box_add_box(&box, &bounds->boxes[i]);
	}
	return box;
}
