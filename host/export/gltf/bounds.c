/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * extras.sinew.bounds of a mesh's node, so that an engine need not cull by the rest's box:
 *
 *     "joints":   [{"joints": [i], "min": […], "max": […]}, {"joints": [i, j], "share": c, "min": […], "max": […],
 *                   "rest": {"min": […], "max": […]}, "targets": [{"target": t, "min": […], "max": […]}, …]}, …]
 *     "clips":    {"walk": {"min": […], "max": […]}, …}
 *     "allPoses": {"min": […], "max": […]}
 *
 * "joints" index the skin's joints. Their boxes are in the mesh's space and move by the skin's joint matrices, for a pair by
 * (1 − c) M_i + c M_j. "min" and "max" include morph targets of any weights that may be. "rest" is without them, and "targets"
 * has what each target of the mesh adds for a weight of 1. Boxes that no target moves have neither. Those of clips and of all poses
 * are in the space of the scene. Numbers are rounded outward.
 */
#include <math.h>

#include "export/gltf/writer.h"

enum { DIGITS = 4 }; /* of a box's diagonal */

static void put_box(snw_gltf_document *document, cJSON *object, const snw_box *box) {
	const double diagonal = snw_box_diagonal(box);
	const double steps = diagonal > 0 ? pow(10, DIGITS - floor(log10(diagonal))) : 1e6; /* in a metre: a power of ten */
	double lower[3], upper[3];
	for (int c = 0; c < 3; c++) {
		lower[c] = floor(box->lower[c] * steps) / steps;
		upper[c] = ceil(box->upper[c] * steps) / steps;
	}
	snw_gltf_put_numbers(document, object, "min", lower, 3);
	snw_gltf_put_numbers(document, object, "max", upper, 3);
}

/* What the shapes of a target add: the sides of one are scaled. */
static void put_addition(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, const snw_slot_box_addition *addition,
						 cJSON *list) {
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_plan_shape *shape = &mesh->shapes[s];
		if (shape->target == addition->coefficient) {
			snw_box box;
			for (int c = 0; c < 3; c++) {
				const snw_interval vector = {addition->box.lower[c], addition->box.upper[c]};
				const snw_interval added = snw_interval_times(shape->reach, vector);
				box.lower[c] = added.least;
				box.upper[c] = added.most;
			}
			cJSON *row = snw_gltf_put_object(writer->document, list, NULL);
			snw_gltf_put_number(writer->document, row, "target", s);
			put_box(writer->document, row, &box);
		}
	}
}

static void put_targets(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, const snw_slot_box *box, cJSON *row) {
	if (box->addition_begin < box->addition_end) {
		put_box(writer->document, snw_gltf_put_object(writer->document, row, "rest"), &box->plain);
		cJSON *list = snw_gltf_put_array(writer->document, row, "targets");
		for (uint32_t a = box->addition_begin; a < box->addition_end; a++) {
			put_addition(writer, mesh, &mesh->boxes.additions[a], list);
		}
	}
}

static void put_joints(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, const uint32_t *places, cJSON *bounds) {
	cJSON *list = snw_gltf_put_array(writer->document, bounds, "joints");
	for (uint32_t i = 0; i < mesh->boxes.count; i++) {
		const snw_slot_box *one = &mesh->boxes.list[i];
		cJSON *row = snw_gltf_put_object(writer->document, list, NULL);
		const double joints[2] = {places[one->slot], places[one->other]};
		snw_gltf_put_numbers(writer->document, row, "joints", joints, one->other == one->slot ? 1 : 2);
		if (one->other != one->slot) {
			snw_gltf_put_number(writer->document, row, "share", one->share);
		}
		put_box(writer->document, row, &one->box);
		put_targets(writer, mesh, one, row);
	}
}

bool snw_gltf_has_bounds(const snw_plan_mesh *mesh) {
	return mesh->boxes.count > 0 || !snw_box_is_empty(&mesh->box_of_all_poses);
}

void snw_gltf_write_bounds(const snw_gltf_writer *writer, uint32_t m, cJSON *sinew) {
	const snw_plan *plan = writer->plan;
	const snw_plan_mesh *mesh = &plan->meshes[m];
	snw_gltf_document *document = writer->document;
	cJSON *bounds = snw_gltf_put_object(document, sinew, "bounds");
	if (mesh->boxes.count > 0) {
		put_joints(writer, mesh, writer->skins[mesh->skin_set].places, bounds);
	}
	cJSON *clips = snw_gltf_put_object(document, bounds, "clips");
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		cJSON *clip = snw_gltf_put_object(document, clips, plan->scene->clips[plan->clips[c]].name);
		put_box(document, clip, &mesh->clip_boxes[c]);
	}
	put_box(document, snw_gltf_put_object(document, bounds, "allPoses"), &mesh->box_of_all_poses);
}
