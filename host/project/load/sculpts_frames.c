/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is more than rows: sculpts, of which a project has the edited points alone, and the frames of targets, which are one
 * array.
 */
#include <string.h>

#include "pose/pose.h"
#include "project/load/load.h"
#include "scene/check.h"

/* ---- sculpts ------------------------------------------------------------------------------------------------------------- */

/* The memory limit for the points of all examples: some megabytes for a small file, otherwise a multiple of the file's size.
 * Examples with more than a few edited points in a thousand need less. */
enum { FILLED_FREE = 1 << 22, FILLED_TIMES = 256 };

/* Examples with some edited points are completed to whole meshes. Checks their total size first. */
static snw_status check_filled(snw_load *load) {
	const snw_scene *scene = load->scene;
	const uint64_t limit = FILLED_FREE + load->file_bytes / (3 * sizeof(double)) * FILLED_TIMES;
	uint64_t points = 0;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		points += example->edited ? scene->meshes[example->mesh].point_count : 0;
		if (points > limit || points > SNW_LARGEST_COUNT) {
			return snw_load_fail(load, SNW_TABLE_EXAMPLE, "its examples claim more points than the file can hold");
		}
	}
	return SNW_OK;
}

/* Puts the edited points in their places. The others are computed once the scene is checked. */
static snw_status spread_points(const snw_load *load, snw_example *example) {
	const uint32_t point_count = load->scene->meshes[example->mesh].point_count;
	if (example->edited_count > point_count) {
		return snw_load_fail(load, SNW_TABLE_EXAMPLE, "it has more edited points than its mesh has points");
	}
	double *points = snw_arena_array(load->scene->arena, point_count, 3 * sizeof *points);
	for (uint32_t i = 0; i < example->edited_count; i++) {
		if (example->edited[i] >= point_count) {
			return snw_load_fail(load, SNW_TABLE_EXAMPLE, "an edited point is out of range");
		}
		memcpy(points + 3 * (size_t)example->edited[i], example->points_posed + 3 * (size_t)i, 3 * sizeof *points);
	}
	example->points_posed = points;
	return SNW_OK;
}

snw_status snw_load_examples(snw_load *load) {
	snw_status status = snw_load_list(load, SNW_TABLE_EXAMPLE);
	status = snw_failed(status) ? status : check_filled(load);
	for (uint32_t i = 0; !snw_failed(status) && i < load->scene->example_count; i++) {
		/* The array was allocated by the load, so it can be written. */
		snw_example *example = (snw_example *)(uintptr_t)&load->scene->examples[i];
		status = example->edited ? spread_points(load, example) : SNW_OK;
	}
	return status;
}

void snw_load_fill_examples(snw_load *load) {
	const snw_scene *scene = load->scene;
	uint32_t most = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		most = scene->meshes[m].point_count > most ? scene->meshes[m].point_count : most;
	}
	double *points = snw_arena_array(load->scratch, most, 3 * sizeof *points);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (!example->edited) {
			continue;
		}
		const snw_pose_view *pose = snw_pose_view_make(scene, &scene->poses[example->pose], load->scratch);
		snw_blend_points(scene, example->mesh, pose, points);
		snw_example_apply_edited(example, scene->meshes[example->mesh].point_count, points);
		/* The array was allocated here, so it can be written. */
		memcpy((double *)(uintptr_t)example->points_posed, points,
			   3 * (size_t)scene->meshes[example->mesh].point_count * sizeof *points);
	}
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

static size_t numbers_of_frame(const snw_load *load, const snw_target *target) {
	return 3 * (size_t)load->scene->meshes[target->mesh].point_count;
}

static snw_rows begin_frames(snw_load *load, const char *sql, const snw_cell *cells, size_t cell_count) {
	return snw_rows_begin(load->project, load->scene->arena, "target_frame", sql, cells, cell_count, load->error);
}

/* The bytes in the file bound the allocation. */
static snw_status count_frames(snw_load *load, const snw_target *target, uint32_t *count) {
	const size_t numbers = numbers_of_frame(load, target);
	int64_t bytes = 0;
	size_t needed;
	snw_status status = snw_load_count(load, SNW_TABLE_TARGET_FRAME, target->id, count);
	if (!snw_failed(status)) {
		status = snw_database_integer(load->project, "SELECT sum(length(points_posed)) FROM target_frame WHERE target = ?1",
									  SNW_CELLS(snw_integer(target->id)), 0, &bytes, load->error);
	}
	if (!snw_failed(status) && (__builtin_mul_overflow(*count, numbers * sizeof(float), &needed) || needed != (size_t)bytes)) {
		return snw_fail(load->error, SNW_ERROR_DATA,
						"%s: the table 'target_frame' is damaged: the frames of '%s' have %lld bytes for %u frames of %zu "
						"points; use a backup",
						load->project->path, target->name, (long long)bytes, *count, numbers / 3);
	}
	return status;
}

/* Loads the frames of a target as one array. */
static snw_status load_frames(snw_load *load, snw_target *target) {
	const size_t numbers = numbers_of_frame(load, target);
	uint32_t count = 0, i = 0;
	const snw_status status = count_frames(load, target, &count);
	if (snw_failed(status)) {
		return status;
	}
	double *seconds = SNW_NEW_ARRAY(load->scene->arena, double, count);
	float *points = snw_arena_array(load->scene->arena, count, numbers * sizeof *points);
	snw_rows rows = begin_frames(load, "SELECT seconds, points_posed FROM target_frame WHERE target = ?1 ORDER BY position",
								 SNW_CELLS(snw_integer(target->id)));
	for (; i < count && snw_rows_next(&rows); i++) {
		if (!snw_task_progress(load->task, (double)i / count, "reading frames")) {
			sqlite3_finalize(rows.statement);
			return snw_fail(load->error, SNW_CANCELLED, "cancelled");
		}
		seconds[i] = snw_rows_real(&rows, 0);
		snw_rows_array_into(&rows, 1, numbers, sizeof(float), points + i * numbers);
	}
	target->seconds = seconds;
	target->points_posed = points;
	target->frame_count = i;
	return snw_rows_end(&rows);
}

/* Adds a row to the frames of its target. Rows come in the order of targets, so those of a target are consecutive in
 * `seconds`. */
static void add_frame_time(snw_load *load, snw_rows *rows, snw_target *targets, double *seconds) {
	const uint32_t index = snw_rows_index(rows, 0, &load->maps[SNW_TABLE_TARGET], false);
	*seconds = snw_rows_real(rows, 1);
	if (snw_failed(rows->status)) {
		return;
	}
	snw_target *target = &targets[index];
	if (snw_rows_integer(rows, 2) != (int64_t)(numbers_of_frame(load, target) * sizeof(float))) {
		snw_rows_fail(rows, "a frame has a different number of points than its mesh");
	} else if (target->frame_count > 0 && target->seconds + target->frame_count != seconds) {
		snw_rows_fail(rows, "the frames of a target are not in order");
	}
	target->seconds = target->frame_count > 0 ? target->seconds : seconds;
	target->frame_count++;
}

/* Loads the times of the frames of all targets. A condition on the target would make SQLite read the points for the
 * comparison. */
static snw_status load_frame_times(snw_load *load, snw_target *targets) {
	uint32_t count = 0;
	const snw_status status = snw_load_count(load, SNW_TABLE_TARGET_FRAME, 0, &count);
	if (snw_failed(status)) {
		return status;
	}
	double *seconds = SNW_NEW_ARRAY(load->scene->arena, double, count);
	snw_rows rows =
		begin_frames(load, "SELECT target, seconds, length(points_posed) FROM target_frame ORDER BY target, position", NULL, 0);
	for (uint32_t i = 0; i < count && snw_rows_next(&rows); i++) {
		add_frame_time(load, &rows, targets, seconds + i);
	}
	return snw_rows_end(&rows);
}

snw_status snw_load_frames(snw_load *load) {
	/* The array was allocated by the load, so it can be written. */
	snw_target *targets = (snw_target *)(uintptr_t)load->scene->targets;
	if (load->scene->is_outline) {
		return load_frame_times(load, targets);
	}
	snw_status status = SNW_OK;
	for (uint32_t t = 0; !snw_failed(status) && t < load->scene->target_count; t++) {
		status = load_frames(load, &targets[t]);
	}
	return status;
}
