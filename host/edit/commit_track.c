/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/commit_track.h"

#include "pose/clip_from_poses.h"

static snw_status put_clip(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion, snw_arena *arena,
						   snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[motion->mesh];
	const snw_clip clip = snw_clip_from_poses(scene, motion->name, motion->frame_count, motion->seconds, motion->poses, arena);
	int64_t clip_id, target_id;
	const snw_status status = snw_project_put_clip(project, &clip, &clip_id, error);
	const snw_target target = {.name = motion->name,
							   .mesh = motion->mesh,
							   .frame_count = motion->frame_count,
							   .seconds = motion->seconds,
							   .points_posed = motion->points_posed};
	return snw_failed(status) || !motion->points_posed
			   ? status
			   : snw_project_put_target(project, &target, mesh->id, mesh->point_count, clip_id, &target_id, error);
}

static snw_status put_example(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion, uint32_t frame,
							  snw_arena *arena, snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[motion->mesh];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *points = SNW_NEW_ARRAY(arena, double, numbers);
	for (size_t i = 0; i < numbers; i++) {
		points[i] = (double)motion->points_posed[frame * numbers + i];
	}
	snw_pose pose = motion->poses[frame];
	pose.id = 0;
	pose.name = snw_arena_format(arena, "%s-%u", motion->name, frame + 1);
	const snw_example example = {.name = pose.name, .mesh = motion->mesh, .points_posed = points};
	int64_t pose_id, example_id;
	const snw_status status = snw_project_put_pose(project, &pose, &pose_id, error);
	return snw_failed(status)
			   ? status
			   : snw_project_put_example(project, &example, pose_id, mesh->id, mesh->point_count, &example_id, error);
}

snw_status snw_track_names_are_free(const snw_scene *scene, const char *name, bool is_set, uint32_t frame_count,
									snw_error *error) {
	static const char advice[] = "exists; choose another name with --clip, or add --replace";
	if (!is_set) {
		const bool is_taken = snw_scene_find_clip(scene, name) != SNW_NONE || snw_scene_find_target(scene, name) != SNW_NONE;
		return is_taken ? snw_fail(error, SNW_ERROR_CONFLICT, "clip '%s' %s", name, advice) : SNW_OK;
	}
	snw_arena *arena = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t f = 0; !snw_failed(status) && f < frame_count; f++) {
		const char *numbered = snw_arena_format(arena, "%s-%u", name, f + 1);
		const bool is_pose = snw_scene_find_pose(scene, numbered) != SNW_NONE;
		if (is_pose || snw_scene_find_example(scene, numbered) != SNW_NONE) {
			status = snw_fail(error, SNW_ERROR_CONFLICT, "%s '%s' %s", is_pose ? "pose" : "example", numbered, advice);
		}
	}
	snw_arena_destroy(arena);
	return status;
}

static snw_status commit(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion, bool is_set,
						 snw_arena *arena, snw_error *error) {
	snw_status status = snw_project_begin(project, snw_arena_format(arena, "track %s", motion->name), error);
	if (snw_failed(status)) {
		return status;
	}
	if (!motion->replaces && motion->points_posed) {
		status = snw_track_names_are_free(scene, motion->name, is_set, motion->frame_count, error);
	}
	status = snw_failed(status) || is_set ? status : put_clip(project, scene, motion, arena, error);
	for (uint32_t f = 0; is_set && f < motion->frame_count && !snw_failed(status); f++) {
		status = put_example(project, scene, motion, f, arena, error);
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
