/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes of each mesh: of its program, or of its points.
 */
#include "stack/bounds.h"

#include "program/bounds.h"

enum { POINTS_OF_A_BOX = 16 }; /* neighbours in the order of points, where they are run */

struct snw_stack_bounds {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_program_bounds **programs; /* [mesh_count]; NULL where the points are run */
};

snw_stack_bounds *snw_stack_bounds_make(const snw_scene *scene, const snw_stack *stack, snw_arena *arena) {
	snw_stack_bounds *bounds = SNW_NEW(arena, snw_stack_bounds);
	*bounds = (snw_stack_bounds){.scene = scene, .stack = stack};
	bounds->programs = SNW_NEW_ARRAY(arena, snw_program_bounds *, scene->mesh_count);
	for (uint32_t m = 0; stack && m < scene->mesh_count; m++) {
		if (snw_stack_segment_count(stack, m) == 1) {
			const snw_segment_info segment = snw_stack_segment(stack, m, 0);
			bounds->programs[m] = segment.is_program ? snw_program_bounds_make(segment.program, arena) : NULL;
		}
	}
	return bounds;
}

static uint32_t box_points(const double *points, uint32_t count, snw_arena *scratch, snw_box **boxes) {
	*boxes = SNW_NEW_ARRAY(scratch, snw_box, count / POINTS_OF_A_BOX + 1);
	for (uint32_t p = 0; p < count; p++) {
		snw_box *box = &(*boxes)[p / POINTS_OF_A_BOX];
		*box = p % POINTS_OF_A_BOX == 0 ? snw_box_empty() : *box;
		snw_box_add(box, points + 3 * (size_t)p);
	}
	return count / POINTS_OF_A_BOX + (count % POINTS_OF_A_BOX > 0);
}

uint32_t snw_stack_bounds_posed(const snw_stack_bounds *bounds, snw_evaluation *evaluation, uint32_t mesh, snw_arena *scratch,
								snw_box **boxes) {
	const snw_mesh *m = &bounds->scene->meshes[mesh];
	const snw_program_bounds *program = bounds->programs[mesh];
	if (evaluation && program) {
		const uint32_t count = snw_program_bounds_group_count(program);
		*boxes = SNW_NEW_ARRAY(scratch, snw_box, count);
		snw_program_bounds_posed(program, snw_stack_program_input(evaluation, mesh, 0), scratch, *boxes);
		return count;
	}
	double *points = evaluation ? SNW_NEW_ARRAY(scratch, double, 3 * (size_t)m->point_count) : NULL;
	const bool is_run = evaluation && !snw_failed(snw_stack_reference(bounds->stack, evaluation, mesh, NULL, points, NULL));
	return box_points(is_run ? points : m->points_rest, m->point_count, scratch, boxes);
}
