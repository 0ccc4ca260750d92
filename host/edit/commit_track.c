/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/commit_track.h"

#include "pose/clip_from_poses.h"
#include "pose/clip_times.h"

/* The name of what belongs to one of the meshes, the first of which needs no words of its own. */
static const char *name_for(const snw_scene *scene, const snw_tracked_motion *motion, uint32_t k, const char *name,
							snw_arena *arena) {
	return k == 0 ? name : snw_sequence_name(name, scene->meshes[motion->meshes[k].mesh].name, arena);
}

static const char *numbered(const snw_tracked_motion *motion, uint32_t frame, snw_arena *arena) {
	return snw_arena_format(arena, "%s-%u", motion->name, frame + 1);
}

static snw_status put_clip(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion, snw_arena *arena,
						   snw_error *error) {
	const snw_clip clip = snw_clip_from_poses(scene, motion->name, motion->frame_count, motion->seconds, motion->poses, arena);
	int64_t clip_id, target_id;
	snw_status status = snw_project_put_clip(project, &clip, &clip_id, error);
	for (uint32_t k = 0; k < motion->mesh_count && !motion->is_stored && !snw_failed(status); k++) {
		const snw_mesh *mesh = &scene->meshes[motion->meshes[k].mesh];
		const snw_target target = {.name = name_for(scene, motion, k, motion->name, arena),
								   .mesh = motion->meshes[k].mesh,
								   .frame_count = motion->frame_count,
								   .seconds = motion->seconds,
								   .points_posed = motion->meshes[k].points_posed};
		status = snw_project_put_target(project, &target, mesh->id, mesh->point_count, clip_id, &target_id, error);
	}
	return status;
}

static snw_status put_example(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion, uint32_t k,
							  uint32_t frame, int64_t pose, snw_arena *arena, snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[motion->meshes[k].mesh];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *points = SNW_NEW_ARRAY(arena, double, numbers);
	int64_t id;
	for (size_t i = 0; i < numbers; i++) {
		points[i] = (double)motion->meshes[k].points_posed[frame * numbers + i];
	}
	const snw_example example = {.name = name_for(scene, motion, k, numbered(motion, frame, arena), arena),
								 .mesh = motion->meshes[k].mesh,
								 .points_posed = points};
	return snw_project_put_example(project, &example, pose, mesh->id, mesh->point_count, &id, error);
}

static snw_status put_examples(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion, uint32_t frame,
							   snw_arena *arena, snw_error *error) {
	snw_pose pose = motion->poses[frame];
	int64_t pose_id;
	pose.id = 0;
	pose.name = numbered(motion, frame, arena);
	snw_status status = snw_project_put_pose(project, &pose, &pose_id, error);
	for (uint32_t k = 0; k < motion->mesh_count && !snw_failed(status); k++) {
		status = put_example(project, scene, motion, k, frame, pose_id, arena, error);
	}
	return status;
}

static const char advice[] = "exists; choose another name with --clip, or add --replace";

static snw_status expect_free_clip(const snw_scene *scene, const snw_tracked_motion *motion, snw_arena *arena,
								   snw_error *error) {
	bool is_taken = snw_scene_find_clip(scene, motion->name) != SNW_NONE;
	for (uint32_t k = 0; k < motion->mesh_count; k++) {
		is_taken = is_taken || snw_scene_find_target(scene, name_for(scene, motion, k, motion->name, arena)) != SNW_NONE;
	}
	return is_taken ? snw_fail(error, SNW_ERROR_CONFLICT, "clip '%s' %s", motion->name, advice) : SNW_OK;
}

static snw_status expect_free_poses(const snw_scene *scene, const snw_tracked_motion *motion, snw_arena *arena,
									snw_error *error) {
	for (uint32_t f = 0; f < motion->frame_count; f++) {
		const char *pose = numbered(motion, f, arena);
		if (snw_scene_find_pose(scene, pose) != SNW_NONE) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "pose '%s' %s", pose, advice);
		}
		for (uint32_t k = 0; k < motion->mesh_count; k++) {
			const char *example = name_for(scene, motion, k, pose, arena);
			if (snw_scene_find_example(scene, example) != SNW_NONE) {
				return snw_fail(error, SNW_ERROR_CONFLICT, "example '%s' %s", example, advice);
			}
		}
	}
	return SNW_OK;
}

snw_status snw_track_names_are_free(const snw_scene *scene, const snw_tracked_motion *motion, bool is_set, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_status status =
		is_set ? expect_free_poses(scene, motion, arena, error) : expect_free_clip(scene, motion, arena, error);
	snw_arena_destroy(arena);
	return status;
}

static snw_status commit(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion, bool is_set,
						 snw_arena *arena, snw_error *error) {
	snw_status status = snw_project_begin(project, snw_arena_format(arena, "track %s", motion->name), error);
	if (snw_failed(status)) {
		return status;
	}
	if (!motion->replaces && !motion->is_stored) {
		status = snw_track_names_are_free(scene, motion, is_set, error);
	}
	status = snw_failed(status) || is_set ? status : put_clip(project, scene, motion, arena, error);
	for (uint32_t f = 0; is_set && f < motion->frame_count && !snw_failed(status); f++) {
		status = put_examples(project, scene, motion, f, arena, error);
	}
	if (snw_failed(status)) {
		snw_project_rollback(project);
		return status;
	}
	return snw_project_commit(project, error);
}

snw_status snw_project_commit_tracked_clip(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion,
										   snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_status status = commit(project, scene, motion, false, arena, error);
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_project_commit_tracked_poses(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion,
											snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_status status = commit(project, scene, motion, true, arena, error);
	snw_arena_destroy(arena);
	return status;
}
