/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads clips and poses.
 */
#include "project/load/load.h"

/* How many numbers a key of a track has; 0 for an invalid path or interpolation. */
static size_t key_width(const snw_track *track) {
	static const size_t widths[] = {3, 4, 3, 1};
	if (track->path < SNW_PATH_TRANSLATION || track->path > SNW_PATH_CHANNEL || track->interpolation < SNW_STEP ||
		track->interpolation > SNW_CUBIC) {
		return 0;
	}
	return widths[track->path] * (track->interpolation == SNW_CUBIC ? 3 : 1);
}

static void load_track(snw_load *load, snw_rows *rows, snw_track *track) {
	track->path = (int32_t)snw_rows_count(rows, 2);
	track->interpolation = (int32_t)snw_rows_count(rows, 3);
	const bool over_channel = track->path == SNW_PATH_CHANNEL;
	track->target = snw_rows_index(rows, over_channel, over_channel ? &load->channels : &load->joints, false);
	track->seconds = snw_rows_counted_array(rows, 4, sizeof(double), &track->key_count);
	track->values = snw_rows_array(rows, 5, track->key_count, key_width(track) * sizeof(double));
}

static snw_status load_tracks(snw_load *load, snw_clip *clip) {
	snw_load_table table = snw_load_list_begin(load, "track", "clip", clip->id,
											   "SELECT joint, channel, path, interpolation, key_seconds, key_values FROM track "
											   "WHERE clip = ?1 ORDER BY position",
											   sizeof(snw_track));
	for (snw_track *track; (track = snw_load_next(&table));) {
		load_track(load, &table.rows, track);
	}
	clip->tracks = table.elements;
	clip->track_count = table.count;
	return snw_rows_end(&table.rows);
}

static snw_status load_clips(snw_load *load) {
	snw_load_table table =
		snw_load_table_begin(load, "clip", "SELECT id, name, duration_seconds FROM clip ORDER BY id", sizeof(snw_clip));
	for (snw_clip *clip; (clip = snw_load_next(&table));) {
		clip->id = snw_rows_integer(&table.rows, 0);
		clip->name = snw_rows_text(&table.rows, 1);
		clip->duration_seconds = snw_rows_real(&table.rows, 2);
	}
	snw_clip *clips = table.elements;
	load->scene->clips = clips;
	load->scene->clip_count = table.count;
	load->clips = snw_id_map_make(&clips->id, table.count, sizeof *clips, load->scratch);
	snw_status status = snw_rows_end(&table.rows);
	for (uint32_t c = 0; !snw_failed(status) && c < table.count; c++) {
		status = load_tracks(load, &clips[c]);
	}
	return status;
}

static snw_status load_poses(snw_load *load) {
	const uint32_t joint_count = load->scene->skeleton.joint_count;
	/* The rest pose is first, even if the skeleton was added after other poses. */
	snw_load_table table =
		snw_load_table_begin(load, "pose",
							 "SELECT id, name, clip, seconds, joint_locals, joint_rotation_vectors, channels FROM pose "
							 "ORDER BY name <> 'rest', id",
							 sizeof(snw_pose));
	for (snw_pose *pose; (pose = snw_load_next(&table));) {
		pose->id = snw_rows_integer(&table.rows, 0);
		pose->name = snw_rows_text(&table.rows, 1);
		pose->clip = snw_rows_integer(&table.rows, 2);
		pose->seconds = snw_rows_real(&table.rows, 3);
		pose->local = snw_rows_array(&table.rows, 4, joint_count, sizeof(snw_transform));
		pose->rotation_vectors = snw_rows_array(&table.rows, 5, joint_count, 3 * sizeof(double));
		pose->channels = snw_rows_array(&table.rows, 6, load->scene->channel_count, sizeof(double));
	}
	snw_pose *poses = table.elements;
	load->scene->poses = poses;
	load->scene->pose_count = table.count;
	load->poses = snw_id_map_make(&poses->id, table.count, sizeof *poses, load->scratch);
	return snw_rows_end(&table.rows);
}

snw_status snw_load_motion(snw_load *load) {
	const snw_status status = load_clips(load);
	return snw_failed(status) ? status : load_poses(load);
}
