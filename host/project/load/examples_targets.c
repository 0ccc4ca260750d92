/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads the ground truth: examples, their groups, and targets.
 */
#include <string.h>

#include "pose/base_blend.h"
#include "pose/pose.h"
#include "project/load/load.h"
#include "scene/check.h"

/* The memory limit for the points of all examples: some megabytes for a small file, otherwise a multiple of the file's size.
 * Examples with more than a few edited points in a thousand need less. */
enum { FILLED_FREE = 1 << 22, FILLED_TIMES = 256 };

/* Examples with some edited points are completed to whole meshes. Checks their total size first. */
static snw_status check_filled(snw_load *load) {
	uint64_t points = 0;
	const uint64_t limit = FILLED_FREE + load->file_bytes / (3 * sizeof(double)) * FILLED_TIMES;
	snw_rows rows =
		snw_load_rows(load, "example", "SELECT mesh, count(*) FROM example WHERE edited IS NOT NULL GROUP BY mesh", NULL, 0);
	while (snw_rows_next(&rows)) {
		const uint32_t mesh = snw_rows_index(&rows, 0, &load->meshes, false), count = snw_rows_count(&rows, 1);
		points += snw_failed(rows.status) ? 0 : (uint64_t)count * load->scene->meshes[mesh].point_count;
		if (points > limit || points > SNW_LARGEST_COUNT) {
			snw_rows_fail(&rows, "its examples claim more points than the file can hold");
		}
	}
	return snw_rows_end(&rows);
}

/* Loads the edited points; the others are computed once the scene is checked. */
static void load_sculpt(snw_load *load, snw_rows *rows, uint32_t point_count, snw_example *example) {
	if (!snw_rows_null(rows, 5)) {
		example->edited = snw_rows_counted_array(rows, 5, sizeof(uint32_t), &example->edited_count);
	}
	if (!example->edited) {
		example->points_posed = snw_rows_array(rows, 4, point_count, 3 * sizeof(double));
		return;
	}
	if (example->edited_count > point_count) {
		snw_rows_fail(rows, "it has more edited points than its mesh has points");
		return;
	}
	const double *sculpted = snw_rows_array(rows, 4, example->edited_count, 3 * sizeof(double));
	double *points = snw_arena_array(load->scene->arena, point_count, 3 * sizeof *points);
	for (uint32_t i = 0; sculpted && i < example->edited_count; i++) {
		if (example->edited[i] >= point_count) {
			snw_rows_fail(rows, "an edited point is out of range");
			break;
		}
		memcpy(points + 3 * (size_t)example->edited[i], sculpted + 3 * (size_t)i, 3 * sizeof *points);
	}
	example->points_posed = points;
}

static snw_status load_sculpt_layers(snw_load *load, snw_example *example) {
	snw_load_table table = snw_load_list_begin(
		load, "sculpt_layer", "example", example->id,
		"SELECT id, name, opacity, muted, points, vectors FROM sculpt_layer WHERE example = ?1 ORDER BY position, id",
		sizeof(snw_sculpt_layer));
	for (snw_sculpt_layer *layer; (layer = snw_load_next(&table));) {
		layer->id = snw_rows_integer(&table.rows, 0);
		layer->name = snw_rows_text(&table.rows, 1);
		layer->opacity = snw_rows_real(&table.rows, 2);
		layer->muted = snw_rows_integer(&table.rows, 3) != 0;
		layer->points = snw_rows_counted_array(&table.rows, 4, sizeof(uint32_t), &layer->count);
		layer->vectors = snw_rows_array(&table.rows, 5, layer->count, 3 * sizeof(double));
	}
	example->layers = table.elements;
	example->layer_count = table.count;
	return snw_rows_end(&table.rows);
}

static snw_status load_examples(snw_load *load) {
	const snw_status checked = check_filled(load);
	if (snw_failed(checked)) {
		return checked;
	}
	snw_load_table table = snw_load_table_begin(
		load, "example", "SELECT id, name, pose, mesh, points_posed, edited, muted, has_chosen_driver FROM example ORDER BY id",
		sizeof(snw_example));
	for (snw_example *example; (example = snw_load_next(&table));) {
		example->id = snw_rows_integer(&table.rows, 0);
		example->name = snw_rows_text(&table.rows, 1);
		example->pose = snw_rows_index(&table.rows, 2, &load->poses, false);
		example->mesh = snw_rows_index(&table.rows, 3, &load->meshes, false);
		example->muted = snw_rows_integer(&table.rows, 6) != 0;
		example->has_chosen_driver = snw_rows_integer(&table.rows, 7) != 0;
		const uint32_t point_count = snw_failed(table.rows.status) ? 0 : load->scene->meshes[example->mesh].point_count;
		load_sculpt(load, &table.rows, point_count, example);
	}
	snw_example *examples = table.elements;
	load->scene->examples = examples;
	load->scene->example_count = table.count;
	load->examples = snw_id_map_make(&examples->id, table.count, sizeof *examples, load->scratch);
	snw_status status = snw_rows_end(&table.rows);
	for (uint32_t i = 0; !snw_failed(status) && i < load->scene->example_count; i++) {
		status = load_sculpt_layers(load, &examples[i]);
	}
	return status;
}

static snw_status load_group_joints(snw_load *load, snw_group *group) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count_of(load, "group_joint", "corrective_group", group->id, &count);
	if (snw_failed(status)) {
		return status;
	}
	uint32_t *joints = SNW_NEW_ARRAY(load->scene->arena, uint32_t, count);
	snw_rows rows =
		snw_load_rows(load, "group_joint", "SELECT joint FROM group_joint WHERE corrective_group = ?1 ORDER BY position",
					  SNW_CELLS(snw_integer(group->id)));
	for (; i < count && snw_rows_next(&rows); i++) {
		joints[i] = snw_rows_index(&rows, 0, &load->joints, false);
	}
	group->joints = joints;
	group->joint_count = i;
	return snw_rows_end(&rows);
}

static snw_status load_group_members(snw_load *load, snw_group *group) {
	snw_load_table table = snw_load_list_begin(
		load, "group_member", "corrective_group", group->id,
		"SELECT example, mask FROM group_member WHERE corrective_group = ?1 ORDER BY position", sizeof(snw_member));
	for (snw_member *member; (member = snw_load_next(&table));) {
		member->example = snw_rows_index(&table.rows, 0, &load->examples, false);
		member->mask = snw_rows_index(&table.rows, 1, &load->fields, true);
	}
	group->members = table.elements;
	group->member_count = table.count;
	return snw_rows_end(&table.rows);
}

static snw_status load_groups(snw_load *load) {
	snw_load_table table = snw_load_table_begin(
		load, "corrective_group", "SELECT id, name FROM corrective_group ORDER BY position, id", sizeof(snw_group));
	for (snw_group *group; (group = snw_load_next(&table));) {
		group->id = snw_rows_integer(&table.rows, 0);
		group->name = snw_rows_text(&table.rows, 1);
	}
	snw_group *groups = table.elements;
	load->scene->groups = groups;
	load->scene->group_count = table.count;
	snw_status status = snw_rows_end(&table.rows);
	for (uint32_t g = 0; !snw_failed(status) && g < table.count; g++) {
		status = load_group_joints(load, &groups[g]);
		status = snw_failed(status) ? status : load_group_members(load, &groups[g]);
	}
	return status;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

static size_t numbers_of_frame(const snw_load *load, const snw_target *target) {
	return 3 * (size_t)load->scene->meshes[target->mesh].point_count;
}

/* The bytes in the file bound the allocation. */
static snw_status count_frames(snw_load *load, const snw_target *target, uint32_t *count) {
	const size_t numbers = numbers_of_frame(load, target);
	int64_t bytes = 0;
	size_t needed;
	snw_status status = snw_load_count_of(load, "target_frame", "target", target->id, count);
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
	snw_rows rows = snw_load_rows(load, "target_frame",
								  "SELECT seconds, points_posed FROM target_frame WHERE target = ?1 ORDER BY position",
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

/* Adds a row to the frames of its target. Rows come in the order of targets, so those of a target are consecutive in `seconds`. */
static void add_frame_time(snw_load *load, snw_rows *rows, snw_target *targets, double *seconds) {
	const uint32_t index = snw_rows_index(rows, 0, &load->targets, false);
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

/* Loads the times of the frames of all targets. A condition on the target would make SQLite read the points for the comparison. */
static snw_status load_frame_times(snw_load *load, snw_target *targets) {
	uint32_t count = 0;
	const snw_status status = snw_load_count(load, "target_frame", &count);
	if (snw_failed(status)) {
		return status;
	}
	double *seconds = SNW_NEW_ARRAY(load->scene->arena, double, count);
	snw_rows rows =
		snw_load_rows(load, "target_frame",
					  "SELECT target, seconds, length(points_posed) FROM target_frame ORDER BY target, position", NULL, 0);
	for (uint32_t i = 0; i < count && snw_rows_next(&rows); i++) {
		add_frame_time(load, &rows, targets, seconds + i);
	}
	return snw_rows_end(&rows);
}

/* ---- targets ------------------------------------------------------------------------------------------------------------- */

static snw_status load_targets(snw_load *load) {
	snw_load_table table = snw_load_table_begin(
		load, "target", "SELECT id, name, mesh, clip, frames_hash, is_set FROM target ORDER BY id", sizeof(snw_target));
	for (snw_target *target; (target = snw_load_next(&table));) {
		target->id = snw_rows_integer(&table.rows, 0);
		target->name = snw_rows_text(&table.rows, 1);
		target->mesh = snw_rows_index(&table.rows, 2, &load->meshes, false);
		target->clip = snw_rows_index(&table.rows, 3, &load->clips, true);
		target->frames_hash = (uint64_t)snw_rows_integer(&table.rows, 4);
		target->is_set = snw_rows_integer(&table.rows, 5) != 0;
	}
	snw_target *targets = table.elements;
	load->scene->targets = targets;
	load->scene->target_count = table.count;
	load->targets = snw_id_map_make(&targets->id, table.count, sizeof *targets, load->scratch);
	snw_status status = snw_rows_end(&table.rows);
	const bool is_outline = load->scene->is_outline;
	status = snw_failed(status) || !is_outline ? status : load_frame_times(load, targets);
	for (uint32_t t = 0; !snw_failed(status) && !is_outline && t < table.count; t++) {
		status = load_frames(load, &targets[t]);
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

snw_status snw_load_shapes(snw_load *load) {
	snw_status status = load_examples(load);
	status = snw_failed(status) ? status : load_groups(load);
	return snw_failed(status) ? status : load_targets(load);
}
