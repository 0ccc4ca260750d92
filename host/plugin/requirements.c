/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/requirements.h"

static bool any_faces(const snw_scene *scene) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].face_count > 0) {
			return true;
		}
	}
	return false;
}

static bool any_skin(const snw_scene *scene) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].influence_offsets) {
			return true;
		}
	}
	return false;
}

static bool any_target(const snw_scene *scene, bool of_clip) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		if ((scene->targets[t].clip != SNW_NONE) == of_clip) {
			return true;
		}
	}
	return false;
}

snw_status snw_needs_check(const snw_scene *scene, const snw_descriptor *descriptor, snw_error *error) {
	const struct {
		uint32_t need;
		bool is_present;
		const char *requirement, *command;
	} rows[] = {
		{SNW_NEEDS_MESH, scene->mesh_count > 0, "a mesh", "sinew import FILE -o P.sinew"},
		{SNW_NEEDS_FACES, any_faces(scene), "a mesh with faces", "sinew import FILE -o P.sinew"},
		{SNW_NEEDS_SKELETON, scene->skeleton.joint_count > 0, "a skeleton",
		 "sinew import RIGGED.glb -o P.sinew (a skeleton comes with its file; a mesh animation has none)"},
		{SNW_NEEDS_SKIN, any_skin(scene), "skin weights",
		 "sinew import FILE -o P.sinew, of a file whose mesh is bound to its skeleton"},
		{SNW_NEEDS_EXAMPLES, snw_scene_active_example_count(scene) > 0, "examples",
		 "sinew example P.sinew add --name N --pose POSE --file TARGET.obj"},
		{SNW_NEEDS_SEQUENCE, any_target(scene, false), "a mesh animation", "sinew import --sequence 'frames/*.obj' -o P.sinew"},
		{SNW_NEEDS_SAMPLES, snw_scene_active_example_count(scene) + scene->target_count > 0,
		 "examples, targets or a mesh animation",
		 "sinew target P.sinew add --clip NAME --file TARGET.pc2, or sinew example P.sinew add"},
		{SNW_NEEDS_FRAMES, scene->target_count > 0, "a mesh animation or targets",
		 "sinew import --sequence 'frames/*.obj' -o P.sinew, or sinew target P.sinew add --clip NAME --file TARGET.pc2"},
		{SNW_NEEDS_TARGETS, any_target(scene, true), "targets", "sinew target P.sinew add --clip NAME --file TARGET.pc2"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if ((descriptor->needs & rows[i].need) && !rows[i].is_present) {
			return snw_fail(error, SNW_ERROR_MISSING, "%s needs %s, which this project lacks; add it with %s",
							descriptor->short_name, rows[i].requirement, rows[i].command);
		}
	}
	return SNW_OK;
}

bool snw_proposes_only(const snw_descriptor *descriptor) {
	return descriptor->traits & (SNW_MAKES_SKELETON | SNW_MAKES_WEIGHTS);
}

bool snw_layer_is_active(const snw_scene *scene, const snw_descriptor *descriptor) {
	return !(descriptor->traits & SNW_REFITS) || !(descriptor->needs & SNW_NEEDS_EXAMPLES) ||
		   snw_scene_active_example_count(scene) > 0;
}
