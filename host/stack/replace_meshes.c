/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stack that drives other meshes than those that it was built for, such as levels of detail of them.
 */
#include "stack/stack_internal.h"

/* Of a mesh whose own segments are not one program: its palette is that of the pose. */
static const snw_program_part joints_part = {
	.size = sizeof joints_part, .blend = SNW_BLEND_LINEAR, .palette = SNW_PALETTE_JOINTS};

static stack_mesh with_program(const snw_stack *stack, const stack_mesh *from, const snw_program *program) {
	stack_mesh made = {.segment_count = 1, .segments = SNW_NEW(stack->arena, stack_segment)};
	stack_segment *segment = made.segments;
	if (from->segment_count == 1 && !from->has_black_box) {
		*segment = from->segments[0];
	} else {
		*segment = (stack_segment){.part = &joints_part, .info = {.is_program = true, .layers = "level"}};
	}
	segment->program = *program;
	segment->program.d_count = stack->d_count;
	segment->program.e_count = stack->e_count;
	segment->part = program->blend == SNW_BLEND_NONE ? NULL : segment->part;
	segment->info.program = &segment->program;
	return made;
}

void snw_stack_replace_meshes(snw_stack *stack, const snw_scene *scene, const snw_stack_mesh *meshes) {
	const stack_mesh *before = stack->meshes;
	stack->meshes = SNW_NEW_ARRAY(stack->arena, stack_mesh, scene->mesh_count);
	stack->scene = scene;
	stack->most_points = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const stack_mesh *from = &before[meshes[m].origin];
		const uint32_t points = scene->meshes[m].point_count;
		stack->meshes[m] = meshes[m].program ? with_program(stack, from, meshes[m].program) : *from;
		stack->most_points = points > stack->most_points ? points : stack->most_points;
	}
}
