/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/replace_skeleton.h"

#include <string.h>

#include "scene/copy.h"

static snw_status expect_free(const snw_scene *scene, snw_error *error) {
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (scene->groups[g].joint_count > 0) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "group '%s' names joints of the skeleton; remove the group first",
							scene->groups[g].name);
		}
	}
	if (scene->example_count > 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"example '%s' is a sculpt in a pose of the skeleton; remove the examples first",
						scene->examples[0].name);
	}
	uint32_t skins = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		skins += scene->meshes[m].influence_offsets != NULL;
	}
	return skins < 2 ? SNW_OK
					 : snw_fail(error, SNW_ERROR_CONFLICT,
								"the skeleton moves %u meshes, and another would move one of them alone", skins);
}

void snw_scene_drop_joint_tracks(snw_scene *scene) {
	snw_clip *clips = snw_arena_copy(scene->arena, scene->clips, scene->clip_count * sizeof *clips);
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, clips[i].track_count);
		uint32_t kept = 0;
		for (uint32_t t = 0; t < clips[i].track_count; t++) {
			if (clips[i].tracks[t].path == SNW_PATH_CHANNEL) {
				tracks[kept++] = clips[i].tracks[t];
			}
		}
		clips[i].tracks = tracks;
		clips[i].track_count = kept;
	}
	scene->clips = clips;
}

snw_status snw_scene_without_skeleton(const snw_scene *scene, snw_scene **bare, snw_error *error) {
	const snw_status status = expect_free(scene, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_scene *copy = snw_scene_copy(scene);
	snw_mesh *meshes = snw_arena_copy(copy->arena, copy->meshes, copy->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < copy->mesh_count; m++) {
		meshes[m].influence_offsets = NULL;
		meshes[m].influence_slots = NULL;
		meshes[m].influence_weights = NULL;
	}
	copy->meshes = meshes;
	copy->skeleton = (snw_skeleton){0};
	copy->slot_count = 0;
	snw_scene_drop_joint_tracks(copy);
	*bare = copy;
	return SNW_OK;
}
