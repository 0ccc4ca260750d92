/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew clip: lists the clips of a project. Its operators change them.
 */
#include "base/error.h"
#include "cli/command_line/actions.h"
#include "operators/nouns.h"
#include "pose/clip_times.h"

static uint32_t count_joints(const snw_call *call, const snw_scene *scene, const snw_clip *clip) {
	bool *is_moved = SNW_NEW_ARRAY(call->arena, bool, scene->skeleton.joint_count);
	uint32_t count = 0;
	for (uint32_t t = 0; t < clip->track_count; t++) {
		const snw_track *track = &clip->tracks[t];
		if (track->path != SNW_PATH_CHANNEL && !is_moved[track->target]) {
			is_moved[track->target] = true;
			count++;
		}
	}
	return count;
}

static snw_status list_clips(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "clips");
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		const snw_clip *clip = &scene->clips[c];
		const uint32_t joints = count_joints(call, scene, clip);
		double *seconds;
		uint32_t times;
		snw_clip_times(scene, c, call->arena, &seconds, &times);
		snw_say(call, "%s %.4g s, %u time%s of keys, moves %u joint%s", snw_padded(call, clip->name, 24),
				clip->duration_seconds, times, snw_plural(times), joints, snw_plural(joints));
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", clip->name);
		snw_answer_number(row, "seconds", clip->duration_seconds);
		snw_answer_number(row, "times", times);
		snw_answer_number(row, "joints", joints);
		snw_answer_number(row, "tracks", clip->track_count);
	}
	return SNW_OK;
}

static const snw_action clip_actions[] = {
	{"list", list_clips, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table clip_table = {.noun = SNW_NOUN_CLIP, .actions = clip_actions};

static const snw_option clip_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_clip = {
	.name = "clip",
	.table = &clip_table,
	.noun = &snw_operators_clip,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = clip_options,
};
