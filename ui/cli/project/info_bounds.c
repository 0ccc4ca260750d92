/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes of each mesh: of its joints, its clips and all poses, in metres. What is not a linear blend of joints has no boxes of
 * joints, and a black box none of all poses, because it is not known where other poses take it.
 */
#include "cli/project/info_bounds.h"

#include "stack/bounds.h"

static void put_numbers(cJSON *row, const char *name, const double values[3]) {
	if (row) {
		cJSON_AddItemToObject(row, name, cJSON_CreateDoubleArray(values, 3));
	}
}

/* `label` names it in a line, `row` (NULL without --json) gets it. */
static void print_box(const snw_call *call, const char *kind, const char *label, const snw_box *box, cJSON *row) {
	snw_say(call, "%-9s %s %.4g %.4g %.4g to %.4g %.4g %.4g", kind, snw_padded(call, label, 30), box->lower[0], box->lower[1],
			box->lower[2], box->upper[0], box->upper[1], box->upper[2]);
	put_numbers(row, "min", box->lower);
	put_numbers(row, "max", box->upper);
}

/* What displacements add to a box, for a coefficient of 1. */
static void print_additions(const snw_call *call, const snw_program *program, const snw_slot_boxes *boxes,
							const snw_slot_box *one, cJSON *row) {
	const char *const *names = program->rest.names;
	if (one->addition_begin == one->addition_end) {
		return;
	}
	print_box(call, "", "without displacements", &one->plain, row ? cJSON_AddObjectToObject(row, "rest") : NULL);
	cJSON *list = snw_answer_list(row, "displacements");
	for (uint32_t a = one->addition_begin; a < one->addition_end; a++) {
		const snw_slot_box_addition *addition = &boxes->additions[a];
		const char *known = names ? names[addition->displacement] : NULL;
		const char *name = known ? known : snw_arena_format(call->arena, "displacement %u", addition->displacement + 1);
		cJSON *added = snw_answer_row(list);
		snw_answer_text(added, "name", name);
		print_box(call, "", snw_arena_format(call->arena, "1 of %s adds", name), &addition->box, added);
	}
}

static void print_joints(const snw_call *call, const snw_scene *scene, const snw_program *program, const snw_slot_boxes *boxes,
						 cJSON *row) {
	cJSON *list = snw_answer_list(row, "joints");
	for (uint32_t i = 0; i < boxes->count; i++) {
		const snw_slot_box *one = &boxes->list[i];
		const char *name = scene->skeleton.names[scene->slot_joints[one->slot]];
		const char *other = scene->skeleton.names[scene->slot_joints[one->other]];
		const bool is_pair = one->other != one->slot;
		const char *label = is_pair ? snw_arena_format(call->arena, "%s, %g of %s", name, one->share, other) : name;
		cJSON *joint = snw_answer_row(list);
		snw_answer_text(joint, "joint", name);
		if (is_pair) {
			snw_answer_text(joint, "other", other);
			snw_answer_number(joint, "share", one->share);
		}
		print_box(call, "box", label, &one->box, joint);
		print_additions(call, program, boxes, one, joint);
	}
}

/* The program whose palette is the joints', of a mesh with no other; NULL without. */
static const snw_program *program_of_joints(const snw_stack *stack, uint32_t mesh) {
	const uint32_t count = snw_stack_segment_count(stack, mesh);
	const snw_segment_info only = count == 1 ? snw_stack_segment(stack, mesh, 0) : (snw_segment_info){0};
	return only.is_program && !only.has_palette && only.program->posed.count == 0 ? only.program : NULL;
}

static void print_mesh_bounds(const snw_call *call, const snw_scene *scene, const snw_stack *stack,
							  const snw_motion_bounds *bounds, uint32_t m, cJSON *row) {
	const snw_program *program = program_of_joints(stack, m);
	const snw_coefficient_samples samples = {bounds->sample_count, bounds->d, bounds->ranges};
	const snw_slot_boxes boxes = program ? snw_slot_boxes_make(program, &samples, call->arena) : (snw_slot_boxes){0};
	snw_box all = bounds->poses[m];
	const bool is_of_poses = !snw_box_is_empty(&all);
	const char *name = scene->meshes[m].name;
	snw_say(call, "bounds    %s %s", snw_padded(call, name, 20),
			boxes.count > 0
				? "boxes of the points that joints move, at rest, then boxes of the mesh over the clips"
				: "boxes of the mesh over the clips; its joints have none, because its stack is not a linear blend of them");
	snw_answer_text(row, "mesh", name);
	snw_answer_bool(row, "sampled", !bounds->are_whole[m]);
	print_joints(call, scene, program, &boxes, row);
	cJSON *list = snw_answer_list(row, "clips");
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		const snw_box *box = &bounds->clips[m][c];
		if (!snw_box_is_empty(box)) {
			cJSON *clip = snw_answer_row(list);
			snw_answer_text(clip, "name", scene->clips[c].name);
			print_box(call, "clip", scene->clips[c].name, box, clip);
			snw_box_add_box(&all, box);
		}
	}
	if (!snw_box_is_empty(&all)) {
		print_box(call, "box", is_of_poses ? "all poses" : "all clips", &all,
				  row ? cJSON_AddObjectToObject(row, is_of_poses ? "all_poses" : "all_clips") : NULL);
	}
}

snw_status snw_info_bounds(const snw_call *call, const snw_scene *scene, const snw_stack *stack, snw_error *error) {
	snw_motion_bounds bounds;
	snw_error failure = {0};
	const snw_status status = snw_motion_bounds_make(scene, stack, SNW_NONE, &call->task, call->arena, &bounds, &failure);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", failure.text);
	}
	if (snw_failed(status)) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "the bounds are left out: %s", failure.text);
		return SNW_OK;
	}
	cJSON *list = snw_answer_list(call->answer, "bounds");
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		print_mesh_bounds(call, scene, stack, &bounds, m, snw_answer_row(list));
	}
	return SNW_OK;
}
