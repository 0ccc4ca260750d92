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
 * has what each target of the mesh adds for a weight of 1. Boxes that no target moves have neither, and targets that add next to
 * nothing are in "rest". The boxes of clips and of all poses are in the space of the scene. Numbers are rounded outward.
 */
#include <math.h>

#include "export/gltf/writer.h"

enum { DIGITS = 4 };        /* of the mesh's diagonal */
enum { MOST_OF_SMALL = 2 }; /* the largest weight of targets that are in "rest" */
#define SMALL 1e-4          /* of the diagonal: what those add for a weight of 1 */

static void put_box(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *object, const snw_box *box) {
	const double steps = pow(10, DIGITS - floor(log10(mesh->diagonal))); /* in a metre: a power of ten */
	double lower[3], upper[3];
	for (int c = 0; c < 3; c++) {
		lower[c] = floor(box->lower[c] * steps) / steps;
		upper[c] = ceil(box->upper[c] * steps) / steps;
	}
	snw_gltf_put_numbers(writer->document, object, "min", lower, 3);
	snw_gltf_put_numbers(writer->document, object, "max", upper, 3);
}

/* What a weight of 1 of the shape adds where its target adds `box`: the sides of one are scaled. */
static snw_box scaled(const snw_box *box, const snw_plan_shape *shape) {
	snw_box of;
	for (int c = 0; c < 3; c++) {
		const snw_interval added = snw_interval_times(shape->reach, (snw_interval){box->lower[c], box->upper[c]});
		of.lower[c] = added.least;
		of.upper[c] = added.most;
	}
	return of;
}

/* Whether the box is small; then `rest` is made wide enough for it. */
static bool takes_in(snw_box *rest, const snw_box *added, double diagonal) {
	double most[3];
	bool is_small = true;
	for (int c = 0; c < 3; c++) {
		most[c] = fmax(fabs(added->lower[c]), fabs(added->upper[c]));
		is_small = is_small && most[c] < SMALL * diagonal;
	}
	for (int c = 0; c < 3 && is_small; c++) {
		rest->lower[c] -= MOST_OF_SMALL * most[c];
		rest->upper[c] += MOST_OF_SMALL * most[c];
	}
	return is_small;
}

static void put_targets(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, const snw_slot_box *box, cJSON *row) {
	snw_box rest = box->plain;
	cJSON *list = NULL;
	for (uint32_t a = box->addition_begin; a < box->addition_end; a++) {
		const snw_slot_box_addition *addition = &mesh->boxes.additions[a];
		for (uint32_t s = 0; s < mesh->shape_count; s++) {
			const snw_box added = scaled(&addition->box, &mesh->shapes[s]);
			if (mesh->shapes[s].target == addition->coefficient && !takes_in(&rest, &added, mesh->diagonal)) {
				list = list ? list : snw_gltf_put_array(writer->document, row, "targets");
				cJSON *target = snw_gltf_put_object(writer->document, list, NULL);
				snw_gltf_put_number(writer->document, target, "target", s);
				put_box(writer, mesh, target, &added);
			}
		}
	}
	if (box->addition_begin < box->addition_end) {
		put_box(writer, mesh, snw_gltf_put_object(writer->document, row, "rest"), &rest);
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
		put_box(writer, mesh, row, &one->box);
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
		put_box(writer, mesh, clip, &mesh->clip_boxes[c]);
	}
	put_box(writer, mesh, snw_gltf_put_object(document, bounds, "allPoses"), &mesh->box_of_all_poses);
}
