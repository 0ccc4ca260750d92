/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data that glTF does not define: the names of morph targets in the extras of the mesh, where importers look for them; and in
 * those of its node, which gltfpack keeps where it drops a mesh's, descriptions of what drives correctives, so that an engine
 * can evaluate them live, and bounds. The mesh has a copy of the descriptions, for programs that drop those of
 * nodes.
 *
 * extras.sinew is {"version": 1, "poseSpace": {…}, …}: the members that the layers' models describe (snw_deformer.describe). If
 * several layers have a pose space, their groups are in one list, lowest layer first, each with its "layer". "targets" are
 * names of the mesh's morph targets; null for those of other meshes. "joints" is how the joints that they name are at rest.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/gltf/writer.h"
#include "export/plan/plan.h"

/* ---- bounds -------------------------------------------------------------------------------------------------------------- */

/* extras.sinew.bounds of a mesh's node, so that an engine need not cull by the rest's box:
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
 * of the scene. "allPoses" is left out where it is not known (export/plan/shapes.c). */

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

static bool gltf_has_bounds(const snw_plan_mesh *mesh) {
	return mesh->boxes.count > 0 || mesh->clip_boxes;
}

static void write_mesh_bounds(const snw_gltf_writer *writer, uint32_t m, cJSON *sinew) {
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

/* ---- extras -------------------------------------------------------------------------------------------------------------- */

/* Replaces the model's names of morph targets by the mesh's. Each morph target is used for one name, in order. */
static void rename_morphs(const snw_plan_mesh *mesh, cJSON *names, bool *claimed) {
	for (int i = 0; i < cJSON_GetArraySize(names); i++) {
		const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(names, i));
		cJSON *replaced = NULL;
		for (uint32_t t = 0; t < mesh->morph_count && name && !replaced; t++) {
			const snw_plan_morph *morph = &mesh->morphs[t];
			if (!claimed[t] && morph->channel == SNW_NONE && morph->model_name && strcmp(morph->model_name, name) == 0) {
				claimed[t] = true;
				replaced = cJSON_CreateString(morph->name);
			}
		}
		cJSON_ReplaceItemInArray(names, i, replaced ? replaced : cJSON_CreateNull());
	}
}

/* Appends the groups of one layer's pose space to the list. */
static void join_groups(snw_gltf_document *document, const snw_plan_mesh *mesh, cJSON *sinew, cJSON *space, const char *layer,
						bool *claimed) {
	cJSON *existing = cJSON_GetObjectItemCaseSensitive(sinew, "poseSpace");
	cJSON *groups = cJSON_GetObjectItemCaseSensitive(space, "groups"), *group;
	cJSON_ArrayForEach(group, groups) {
		snw_gltf_put_text(document, group, "layer", layer);
		rename_morphs(mesh, cJSON_GetObjectItemCaseSensitive(group, "targets"), claimed);
	}
	if (!existing) {
		snw_gltf_put_item(document, sinew, "poseSpace", space);
		return;
	}
	while ((group = cJSON_DetachItemFromArray(groups, 0))) {
		snw_gltf_put_item(document, cJSON_GetObjectItemCaseSensitive(existing, "groups"), NULL, group);
	}
	cJSON_Delete(space);
}

static void add_description(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *sinew,
							const snw_stack_description *description, bool *claimed) {
	cJSON *parsed = cJSON_Parse(description->json), *member;
	if (!cJSON_IsObject(parsed)) {
		snw_task_notice(writer->plan->task, SNW_LOG_WARNING,
						"layer %s: the description from %s is not a JSON object; it is left out of extras", description->layer,
						description->deformer);
	}
	while (cJSON_IsObject(parsed) && (member = parsed->child)) {
		cJSON_DetachItemViaPointer(parsed, member);
		const bool is_space = member->string && strcmp(member->string, "poseSpace") == 0 &&
							  cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(member, "groups"));
		char *name = strdup(member->string ? member->string : "");
		if (is_space) {
			join_groups(writer->document, mesh, sinew, member, description->layer, claimed);
		} else if (name && !cJSON_GetObjectItemCaseSensitive(sinew, name)) {
			snw_gltf_put_item(writer->document, sinew, name, member);
		} else {
			cJSON_Delete(member);
		}
		free(name);
	}
	cJSON_Delete(parsed);
}

void snw_gltf_write_morph_names(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *mesh_object) {
	if (mesh->shape_count == 0) {
		return;
	}
	cJSON *extras = snw_gltf_put_object(writer->document, mesh_object, "extras");
	cJSON *names = snw_gltf_put_array(writer->document, extras, "targetNames");
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		snw_gltf_put_text(writer->document, names, NULL, snw_plan_shape_name(mesh, &mesh->shapes[s], writer->arena));
	}
}

/* The joints that the descriptions name, and all above them, parents first. An engine has
 * no other place to find the rest pose: nodes may be in another one, and skins do not have all joints. */
static void write_joints(const snw_gltf_writer *writer, cJSON *sinew) {
	const snw_skeleton *skeleton = &writer->plan->scene->skeleton;
	uint32_t *places = SNW_NEW_ARRAY(writer->arena, uint32_t, skeleton->joint_count), count = 0;
	bool *has = SNW_NEW_ARRAY(writer->arena, bool, skeleton->joint_count);
	for (uint32_t i = skeleton->joint_count; i-- > 0;) {
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		has[joint] = has[joint] || snw_plan_description_names(sinew, skeleton->names[joint]);
		has[parent == SNW_NONE ? joint : parent] |= has[joint];
	}
	cJSON *list = snw_gltf_put_array(writer->document, sinew, "joints");
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		if (has[joint]) {
			const snw_transform *rest = &skeleton->rest_local[joint];
			cJSON *object = snw_gltf_put_object(writer->document, list, NULL);
			snw_gltf_put_text(writer->document, object, "name", skeleton->names[joint]);
			snw_gltf_put_number(writer->document, object, "parent", parent == SNW_NONE ? -1.0 : (double)places[parent]);
			snw_gltf_put_numbers(writer->document, object, "translation", rest->translation, 3);
			snw_gltf_put_numbers(writer->document, object, "rotation", rest->rotation, 4);
			snw_gltf_put_numbers(writer->document, object, "scale", rest->scale, 3);
			places[joint] = count++;
		}
	}
}

/* How the weight of a morph target becomes those of the shapes that it is written as. */
static void write_sides(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *sinew) {
	cJSON *list = NULL;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_plan_shape *shape = &mesh->shapes[s];
		if (shape->is_side) {
			list = list ? list : snw_gltf_put_array(writer->document, sinew, "sides");
			cJSON *side = snw_gltf_put_object(writer->document, list, NULL);
			snw_gltf_put_text(writer->document, side, "target", mesh->morphs[shape->morph].name);
			snw_gltf_put_text(writer->document, side, "shape", snw_plan_shape_name(mesh, shape, writer->arena));
			snw_gltf_put_number(writer->document, side, "reach", shape->reach);
		}
	}
}

static bool has_sides(const snw_plan_mesh *mesh) {
	bool has = false;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		has = has || mesh->shapes[s].is_side;
	}
	return has;
}

/* Into the extras that the mesh may have. */
static void copy_to_mesh(const snw_gltf_writer *writer, const cJSON *sinew, cJSON *mesh_object) {
	cJSON *extras = cJSON_GetObjectItemCaseSensitive(mesh_object, "extras");
	extras = extras ? extras : snw_gltf_put_object(writer->document, mesh_object, "extras");
	snw_gltf_put_item(writer->document, extras, "sinew", cJSON_Duplicate(sinew, true));
}

bool snw_gltf_write_description(const snw_gltf_writer *writer, uint32_t m, cJSON *sinew) {
	const snw_plan *plan = writer->plan;
	const snw_plan_mesh *mesh = &plan->meshes[m];
	bool is_driven = false;
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		is_driven = is_driven || mesh->morphs[t].channel == SNW_NONE;
	}
	const bool is_helped = m == plan->helper_mesh && plan->helper_count > 0;
	const bool is_described = ((mesh->shape_count > 0 && is_driven) || is_helped) && plan->description_count > 0;
	bool *claimed = SNW_NEW_ARRAY(writer->arena, bool, mesh->morph_count);
	for (uint32_t d = 0; is_described && d < plan->description_count; d++) {
		add_description(writer, mesh, sinew, &plan->descriptions[d], claimed);
	}
	if (is_described) {
		write_joints(writer, sinew);
	}
	write_sides(writer, mesh, sinew);
	return is_described || has_sides(mesh);
}

void snw_gltf_write_extras(const snw_gltf_writer *writer, uint32_t m, cJSON *node, cJSON *mesh_object) {
	const bool has_bounds = gltf_has_bounds(&writer->plan->meshes[m]);
	cJSON *sinew = cJSON_CreateObject();
	snw_gltf_put_number(writer->document, sinew, "version", 1);
	const bool is_described = snw_gltf_write_description(writer, m, sinew);
	if (!is_described && !has_bounds) {
		cJSON_Delete(sinew);
		return;
	}
	snw_gltf_put_item(writer->document, snw_gltf_put_object(writer->document, node, "extras"), "sinew", sinew);
	if (is_described) {
		copy_to_mesh(writer, sinew, mesh_object);
	}
	if (has_bounds) {
		write_mesh_bounds(writer, m, sinew);
	}
}
