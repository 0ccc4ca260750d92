/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * extras.sinew.bounds of a mesh's node, so that an engine need not cull by the rest's box:
 *
 *     "version":  1,
 *     "step":     0.001,
 *     "joints":   [{"joints": [i], "boxes": [[0, …], …]}, {"joints": [i, j], "boxes": [[c, …], …]}, …]
 *     "clips":    {"walk": […], …}
 *     "allPoses": […]
 *
 * A box is six whole numbers: the least x, y and z, then the most, in steps of so many metres, rounded outward. "joints" index
 * the skin's joints. Their boxes are in the mesh's space and move by the skin's joint matrices, for a pair by (1 − c) M_i + c
 * M_j. Each has c, then a box that includes morph targets of any weights that may be. If morph targets move its points, the box
 * without them follows, and for each morph target its index in the mesh and the box that it adds for a weight of 1. Morph
 * targets that add next to nothing are in the box without morph targets. The boxes of clips and of all poses are in the space
 * of the scene. "allPoses" is left out where it is not known (export/plan/bounds.c).
 */
#include <math.h>

#include "export/gltf/writer.h"

enum { DIGITS = 3 };        /* of the mesh's diagonal */
enum { MOST_OF_SMALL = 2 }; /* the largest weight of morph targets that are in "rest" */
#define SMALL 1e-4          /* of the diagonal: what those add for a weight of 1 */

/* A power of ten. */
static double steps_in_a_metre(const snw_plan_mesh *mesh) {
	return mesh->diagonal > 0 ? pow(10, DIGITS - floor(log10(mesh->diagonal))) : 1;
}

enum { BOX_NUMBERS = 6 };

static void round_box(const snw_plan_mesh *mesh, const snw_box *box, double numbers[BOX_NUMBERS]) {
	const double steps = steps_in_a_metre(mesh);
	for (int c = 0; c < 3; c++) {
		numbers[c] = floor(box->lower[c] * steps);
		numbers[3 + c] = ceil(box->upper[c] * steps);
	}
}

static void put_box(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *object, const char *name,
					const snw_box *box) {
	double numbers[BOX_NUMBERS];
	round_box(mesh, box, numbers);
	snw_gltf_put_numbers(writer->document, object, name, numbers, BOX_NUMBERS);
}

/* What a weight of 1 of the shape adds where its morph target adds `box`: the sides of one are scaled. */
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

/* Of one share and what follows it. There is room for all morph targets. */
typedef struct box_numbers {
	double *list;
	uint32_t count;
} box_numbers;

static void append_box(const snw_plan_mesh *mesh, const snw_box *box, box_numbers *numbers) {
	round_box(mesh, box, numbers->list + numbers->count);
	numbers->count += BOX_NUMBERS;
}

/* The box without morph targets, and what each of them adds; nothing where they add next to nothing. */
static void append_morphs(const snw_plan_mesh *mesh, const snw_slot_box *box, box_numbers *numbers) {
	snw_box rest = box->plain;
	const uint32_t begin = numbers->count;
	numbers->count += BOX_NUMBERS;
	for (uint32_t a = box->addition_begin; a < box->addition_end; a++) {
		const snw_slot_box_addition *addition = &mesh->boxes.additions[a];
		for (uint32_t s = 0; s < mesh->shape_count; s++) {
			const snw_box added = scaled(&addition->box, &mesh->shapes[s]);
			if (mesh->shapes[s].morph == addition->coefficient && !takes_in(&rest, &added, mesh->diagonal)) {
				numbers->list[numbers->count++] = s;
				append_box(mesh, &added, numbers);
			}
		}
	}
	if (numbers->count == begin + BOX_NUMBERS) {
		numbers->count = begin;
	} else {
		round_box(mesh, &rest, numbers->list + begin);
	}
}

static bool is_same_pair(const snw_slot_box *a, const snw_slot_box *b) {
	return a->slot == b->slot && a->other == b->other;
}

typedef struct joint_boxes {
	const snw_gltf_writer *writer;
	const snw_plan_mesh *mesh;
	const uint32_t *places;
	cJSON *list;
	box_numbers numbers;
	bool *is_put; /* [boxes] */
} joint_boxes;

/* All boxes of the joint or pair of the box `first`, which is the first of them. */
static void put_pair(joint_boxes *b, uint32_t first) {
	const snw_slot_box *pair = &b->mesh->boxes.list[first];
	const double joints[2] = {b->places[pair->slot], b->places[pair->other]};
	cJSON *row = snw_gltf_put_object(b->writer->document, b->list, NULL);
	snw_gltf_put_numbers(b->writer->document, row, "joints", joints, pair->other == pair->slot ? 1 : 2);
	cJSON *boxes = snw_gltf_put_array(b->writer->document, row, "boxes");
	for (uint32_t i = first; i < b->mesh->boxes.count; i++) {
		const snw_slot_box *one = &b->mesh->boxes.list[i];
		if (is_same_pair(one, pair)) {
			b->numbers.list[0] = one->share;
			b->numbers.count = 1;
			append_box(b->mesh, &one->box, &b->numbers);
			append_morphs(b->mesh, one, &b->numbers);
			snw_gltf_put_numbers(b->writer->document, boxes, NULL, b->numbers.list, b->numbers.count);
			b->is_put[i] = true;
		}
	}
}

static void put_joints(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, const uint32_t *places, cJSON *bounds) {
	const size_t most = 1 + 2 * BOX_NUMBERS + (size_t)mesh->shape_count * (1 + BOX_NUMBERS);
	joint_boxes b = {.writer = writer,
					 .mesh = mesh,
					 .places = places,
					 .list = snw_gltf_put_array(writer->document, bounds, "joints"),
					 .numbers = {.list = SNW_NEW_ARRAY(writer->arena, double, most)},
					 .is_put = SNW_NEW_ARRAY(writer->arena, bool, mesh->boxes.count)};
	for (uint32_t i = 0; i < mesh->boxes.count; i++) {
		if (!b.is_put[i]) {
			put_pair(&b, i);
		}
	}
}

bool snw_gltf_has_bounds(const snw_plan_mesh *mesh) {
	return mesh->boxes.count > 0 || mesh->clip_boxes;
}

void snw_gltf_write_bounds(const snw_gltf_writer *writer, uint32_t m, cJSON *sinew) {
	const snw_plan *plan = writer->plan;
	const snw_plan_mesh *mesh = &plan->meshes[m];
	snw_gltf_document *document = writer->document;
	cJSON *bounds = snw_gltf_put_object(document, sinew, "bounds");
	snw_gltf_put_number(document, bounds, "version", 1);
	snw_gltf_put_number(document, bounds, "step", 1 / steps_in_a_metre(mesh));
	if (mesh->boxes.count > 0) {
		put_joints(writer, mesh, writer->skins[mesh->skin_set].places, bounds);
	}
	cJSON *clips = snw_gltf_put_object(document, bounds, "clips");
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		put_box(writer, mesh, clips, plan->scene->clips[plan->clips[c]].name, &mesh->clip_boxes[c]);
	}
	if (!snw_box_is_empty(&mesh->box_of_all_poses)) {
		put_box(writer, mesh, bounds, "allPoses", &mesh->box_of_all_poses);
	}
}
