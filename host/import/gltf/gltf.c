/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a glTF file into a scene. Each step has its file.
 */
#include "import/gltf/gltf.h"

#include <string.h>
#include <strings.h>

#include "import/gltf/gltf_internal.h"

static bool is_gltf(const char *path, const unsigned char *head, size_t head_count) {
	return (head_count >= 4 && memcmp(head, "glTF", 4) == 0) || snw_path_has_extension(path, snw_import_gltf.file.extensions);
}

static bool make_rest(snw_gltf *g, const snw_rig *nodes, snw_scene *scene) {
	snw_error error = {0};
	const snw_status status = snw_rig_rest(nodes, scene, &error);
	return !snw_failed(status) || snw_reading_fail(&g->reading, status, "%s", error.text);
}

static bool list_slots(snw_gltf *g, snw_rig *nodes, snw_rig_skin *skins, const snw_scene *scene, snw_rig_slots *slots) {
	if (!snw_reading_reserve(&g->reading, snw_rig_slot_limit(nodes, skins, g->skins.count), 13 * sizeof(double))) {
		return false;
	}
	const uint32_t flat = snw_rig_list_slots(nodes, skins, g->skins.count, scene, slots);
	return flat == SNW_NONE ||
		   snw_reading_fail(&g->reading, SNW_ERROR_INTERNAL, "skin %u: the transform of its node has no inverse", flat);
}

static bool read_scene(snw_gltf *g, bool keep_points, snw_scene *scene) {
	snw_rig nodes;
	snw_gltf_shape *shapes;
	snw_rig_skin *skins;
	snw_rig_slots slots = {0};
	if (!snw_reading_progress(&g->reading, 0, "reading") || !snw_gltf_open(g) || !snw_gltf_read_nodes(g, &nodes) ||
		!snw_gltf_choose_joints(g, &nodes, scene) || !snw_gltf_read_uv_sets(g) || !snw_gltf_read_shapes(g, &nodes, &shapes) ||
		!snw_gltf_read_skins(g, &nodes, shapes, &skins) || !make_rest(g, &nodes, scene) ||
		!list_slots(g, &nodes, skins, scene, &slots) ||
		!snw_gltf_meshes(g, &nodes, shapes, skins, &slots, keep_points, scene) || !snw_gltf_clips(g, &nodes, shapes, scene) ||
		!snw_gltf_read_materials(g, scene)) {
		return false;
	}
	snw_rig_poses(&nodes, scene);
	snw_gltf_keep_nodes(g, &nodes, scene);
	snw_gltf_tell_left_out(g, &nodes);
	return true;
}

static snw_status read_gltf(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
							snw_error *error) {
	snw_gltf g = {.reading = snw_reading_begin(path, task, scene, error)};
	read_scene(&g, request->keep_points, scene);
	snw_gltf_close(&g);
	snw_reading_end(&g.reading);
	return g.reading.status;
}

const snw_import_format snw_import_gltf = {
	.file = {.extensions = "glb|gltf", .label = "glTF", .holds = SNW_FILE_MESH | SNW_FILE_SKIN | SNW_FILE_ANIMATION},
	.recognizes = is_gltf,
	.read = read_gltf,
};
