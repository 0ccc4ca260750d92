/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX 7, binary and text.
 *
 * Imported: models with their whole transform (pivots, offsets, pre- and post-rotation, orders, geometric transforms, how
 * scale is inherited), polygons with normals, the first UVs and colours, hard edges, materials and their PNG and JPEG
 * pictures, all clusters of all skins, blend shapes with in-betweens, and every animation stack with its layers. Units
 * become metres; the axes become right-handed with Y up.
 *
 * A curve that a clip can hold stays as it is: its keys, and cubic tangents without weights. Others become cubic keys, added
 * where they are needed to stay within SNW_FBX_TOLERANCE. Rotations are of this kind, because FBX moves Euler angles.
 *
 * Ignored with a notice: UV sets but the first, layers of pivots and other properties. Ignored without: cameras, lights,
 * NURBS, constraints, custom properties.
 *
 * The rest pose is the bind pose of the clusters (import/common/rig.c).
 *
 * Each step has its file.
 */
#include "import/import.h"

#include <string.h>

#include "import/common/reading.h"
#include "import/fbx/fbx_internal.h"

static bool is_fbx(const char *path, const unsigned char *head, size_t head_count) {
	static const char magic[] = SNW_FBX_MAGIC;
	return (head_count >= sizeof magic && memcmp(head, magic, sizeof magic - 1) == 0) ||
		   snw_path_has_extension(path, snw_import_fbx.file.extensions);
}

/* The joints: bones, what skins follow, what clips move, rigid meshes, and all their parents. */
static void choose_joints(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_models *models, const snw_fbx_skins *skins,
						  snw_rig *rig, snw_scene *scene) {
	bool *chosen = SNW_NEW_ARRAY(f->reading.scratch, bool, rig->count);
	const char **names = SNW_NEW_ARRAY(f->reading.scratch, const char *, rig->count);
	snw_fbx_mark_animated(objects, models, chosen);
	for (uint32_t m = 0; m < models->count; m++) {
		const snw_fbx_model *model = &models->models[m];
		const bool is_skinned_mesh = rig->nodes[snw_fbx_full_node(models, m)].skin != SNW_NONE;
		/* The node of a skinned mesh does not move it. */
		chosen[m] = model->is_bone || (chosen[m] && !is_skinned_mesh);
		names[m] = model->name;
		if (model->scaled_node != SNW_NONE) {
			chosen[model->scaled_node] = chosen[m];
			names[model->scaled_node] = snw_arena_format(f->reading.arena, "%s-scale", model->name ? model->name : "node");
		}
	}
	for (uint32_t s = 0; s < skins->count; s++) {
		for (uint32_t j = 0; j < skins->rig_skins[s].joint_count + skins->skins[s].has_loose_points; j++) {
			chosen[skins->rig_skins[s].nodes[j]] = true;
		}
	}
	snw_rig_choose_joints(rig, chosen, names, scene);
}

static bool make_rest(snw_fbx *f, const snw_fbx_skins *skins, snw_rig *rig, snw_rig_slots *slots, snw_scene *scene) {
	snw_error error = {0};
	const snw_status status = snw_rig_rest(rig, scene, &error);
	if (snw_failed(status)) {
		return snw_reading_fail(&f->reading, status, "%s", error.text);
	}
	if (!snw_reading_reserve(&f->reading, snw_rig_slot_limit(rig, skins->rig_skins, skins->count), 13 * sizeof(double))) {
		return false;
	}
	const uint32_t flat = snw_rig_list_slots(rig, skins->rig_skins, skins->count, scene, slots);
	return flat == SNW_NONE ||
		   snw_reading_fail(&f->reading, SNW_ERROR_DATA, "a skin is bound by a matrix without an inverse; bind it again");
}

/* Whether a layer has a curve node with a curve, for a model or a blend shape channel. */
static bool moves_a_model(const snw_fbx_objects *objects, uint32_t layer) {
	uint32_t at = 0, node;
	while ((node = snw_fbx_next_source(objects, layer, "AnimationCurveNode", NULL, NULL, &at)) != SNW_NONE) {
		uint32_t curve_at = 0;
		if (snw_fbx_next_source(objects, node, "AnimationCurve", NULL, NULL, &curve_at) != SNW_NONE &&
			(snw_fbx_owner(objects, node, "Model", NULL) != SNW_NONE ||
			 snw_fbx_owner(objects, node, "Deformer", NULL) != SNW_NONE)) {
			return true;
		}
	}
	return false;
}

static void check_arrival(const snw_fbx *f, const snw_fbx_objects *objects, const snw_scene *scene) {
	snw_arrival contents = {0};
	for (uint32_t o = 0; o < objects->count; o++) {
		contents.skinned_joints += snw_fbx_object_is(objects, o, "Deformer", "Cluster");
		contents.shapes += snw_fbx_object_is(objects, o, "Geometry", "Shape");
		contents.clips += snw_fbx_object_is(objects, o, "AnimationLayer", NULL) && moves_a_model(objects, o);
	}
	snw_check_arrival(scene, &contents, f->reading.task);
}

/* Properties that a user added: their flags have a U, and no H, which hides what programs note for themselves. Maya's
 * currentUVSet has no H; "sinew" is of our own exports. */
static bool is_custom(const snw_fbx_node *property) {
	const snw_fbx_value *flags = property->value_count > 3 ? &property->values[3] : NULL;
	return flags && flags->kind == SNW_FBX_TEXT && memchr(flags->bytes.data, 'U', flags->bytes.count) &&
		   !memchr(flags->bytes.data, 'H', flags->bytes.count) && !snw_fbx_text_is(property, 0, "currentUVSet") &&
		   !snw_fbx_text_is(property, 0, "sinew");
}

/* One line for all of them, with the first. */
static void tell_custom_properties(snw_fbx *f, const snw_fbx_objects *objects) {
	uint32_t count = 0, owner = 0;
	const snw_fbx_node *first = NULL;
	for (uint32_t o = 0; o < objects->count; o++) {
		const bool is_model = snw_fbx_object_is(objects, o, "Model", NULL);
		const snw_fbx_node *list = is_model ? snw_fbx_child(objects->objects[o].node, "Properties70") : NULL;
		for (const snw_fbx_node *property = list ? list->child : NULL; property; property = property->next) {
			const bool is_left_out = is_custom(property);
			owner = is_left_out && !first ? o : owner;
			first = is_left_out && !first ? property : first;
			count += is_left_out;
		}
	}
	if (first) {
		const char *name = snw_fbx_text(f, first, 0), *of = snw_fbx_object_name(f, objects, owner);
		snw_task_notice(f->reading.task, SNW_LOG_INFO, "left out: %u custom %s, such as '%s' of %s", count,
						count == 1 ? "property" : "properties", name ? name : "", of ? of : "");
	}
}

static bool read_scene(snw_fbx *f, bool keep_points, snw_scene *scene) {
	snw_fbx_objects objects;
	snw_fbx_models models;
	snw_fbx_shapes shapes;
	snw_fbx_skins skins;
	snw_fbx_materials materials;
	snw_rig rig;
	snw_rig_slots slots = {0};
	uint32_t node_count;
	if (!snw_reading_progress(&f->reading, 0, "reading") || !snw_fbx_open(f) || !snw_fbx_read_objects(f, &objects)) {
		return false;
	}
	const snw_fbx_space space = snw_fbx_read_space(f);
	if (!snw_fbx_read_models(f, &objects, &space, &models) || !snw_fbx_split_scales(f, &objects, &models, &node_count) ||
		!snw_fbx_make_nodes(f, &models, &space, node_count, &rig) ||
		!snw_fbx_read_shapes(f, &objects, &space, &models, &shapes) ||
		!snw_fbx_read_skins(f, &objects, &space, &models, &shapes, &rig, &skins)) {
		return false;
	}
	choose_joints(f, &objects, &models, &skins, &rig, scene);
	if (!snw_reading_check_size(&f->reading, rig.joint_count, 0)) {
		return false;
	}
	snw_fbx_place_skins(&rig, &skins);
	if (!make_rest(f, &skins, &rig, &slots, scene) || !snw_fbx_read_materials(f, &objects, &materials, scene) ||
		!snw_fbx_make_meshes(f, &objects, &space, &models, &shapes, &skins, &materials, &rig, &slots, keep_points, scene) ||
		!snw_fbx_read_clips(f, &objects, &space, &models, &shapes, &rig, scene)) {
		return false;
	}
	snw_rig_poses(&rig, scene);
	snw_fbx_choose_blend(f, &skins, scene);
	check_arrival(f, &objects, scene);
	tell_custom_properties(f, &objects);
	return true;
}

static snw_status read_fbx(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
						   snw_error *error) {
	snw_fbx f = {.reading = snw_reading_begin(path, task, scene, error)};
	read_scene(&f, request->keep_points, scene);
	snw_reading_end(&f.reading);
	return f.reading.status;
}

const snw_import_format snw_import_fbx = {
	.file = {.extensions = "fbx", .label = "FBX", .holds = SNW_FILE_MESH | SNW_FILE_SKIN | SNW_FILE_ANIMATION},
	.recognizes = is_fbx,
	.read = read_fbx,
};
