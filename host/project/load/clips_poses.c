/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading clips and poses.
 */
#include "project/load/load.h"

/* The numbers of a track's key; 0 for a path or interpolation that does not exist. */
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
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count_of(load, "track", "clip", clip->id, &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_track *tracks = SNW_NEW_ARRAY(load->scene->arena, snw_track, count);
	snw_rows rows = snw_load_rows(load, "track",
								  "SELECT joint, channel, path, interpolation, key_seconds, key_values FROM track "
								  "WHERE clip = ?1 ORDER BY position",
								  SNW_CELLS(snw_integer(clip->id)));
	for (; i < count && snw_rows_next(&rows); i++) {
		load_track(load, &rows, &tracks[i]);
	}
	clip->tracks = tracks;
	clip->track_count = i;
	return snw_rows_end(&rows);
}

static snw_status load_clips(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "clip", &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_clip *clips = SNW_NEW_ARRAY(load->scene->arena, snw_clip, count);
	snw_rows rows = snw_load_rows(load, "clip", "SELECT id, name, duration_seconds FROM clip ORDER BY id", NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		clips[i].id = snw_rows_integer(&rows, 0);
		clips[i].name = snw_rows_text(&rows, 1);
		clips[i].duration_seconds = snw_rows_real(&rows, 2);
	}
	load->scene->clips = clips;
	load->scene->clip_count = i;
	load->clips = snw_id_map_make(&clips->id, i, sizeof *clips, load->scratch);
	status = snw_rows_end(&rows);
	for (uint32_t c = 0; !snw_failed(status) && c < i; c++) {
		status = load_tracks(load, &clips[c]);
	}
	return status;
}

static snw_status load_poses(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "pose", &count);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t joint_count = load->scene->skeleton.joint_count;
	snw_pose *poses = SNW_NEW_ARRAY(load->scene->arena, snw_pose, count);
	/* The rest comes first, also where a skeleton came later than other poses. */
	snw_rows rows = snw_load_rows(load, "pose",
								  "SELECT id, name, clip, seconds, joint_locals, joint_turns, channels FROM pose "
								  "ORDER BY name <> 'rest', id",
								  NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		snw_pose *pose = &poses[i];
		pose->id = snw_rows_integer(&rows, 0);
		pose->name = snw_rows_text(&rows, 1);
		pose->clip = snw_rows_integer(&rows, 2);
		pose->seconds = snw_rows_real(&rows, 3);
		pose->local = snw_rows_array(&rows, 4, joint_count, sizeof(snw_transform));
		pose->rotation_vectors = snw_rows_array(&rows, 5, joint_count, 3 * sizeof(double));
		pose->channels = snw_rows_array(&rows, 6, load->scene->channel_count, sizeof(double));
	}
	load->scene->poses = poses;
	load->scene->pose_count = i;
	load->poses = snw_id_map_make(&poses->id, i, sizeof *poses, load->scratch);
	return snw_rows_end(&rows);
}

snw_status snw_load_motion(snw_load *load) {
	const snw_status status = load_clips(load);
	return snw_failed(status) ? status : load_poses(load);
}
