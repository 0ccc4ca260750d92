/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew track: the frames that its operator (operators/track.c) has tracked, a line each.
 */
#include "operators/track.h"

#include "cli/command_line/operate.h"
#include "import/import.h"
#include "operators/nouns.h"

static snw_status show_tracked(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	(void)path, (void)error;
	const snw_tracked_motion *motion = work->tracked;
	cJSON *rows = snw_answer_list(call->answer, "frames");
	for (uint32_t f = 0; f < motion->request.frame_count; f++) {
		const snw_tracked_frame *frame = &motion->found.frames[f];
		const double percent = 100 * frame->rms / motion->found.diagonal;
		snw_say(call, "%-10s %9.4g s  off by %8.4f %% of the diagonal%s", snw_tracked_frame_label(motion, f, call->arena),
				motion->seconds[f], percent, frame->is_lost ? ", lost" : "");
		cJSON *row = snw_answer_row(rows);
		snw_answer_number(row, "seconds", motion->seconds[f]);
		snw_answer_number(row, "rms_percent", percent);
		snw_answer_bool(row, "lost", frame->is_lost);
	}
	return SNW_OK;
}

static const snw_option track_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_track = {
	.name = "track",
	.noun = &snw_operators_track,
	.show = show_tracked,
	.options = track_options,
	.formats = snw_import_formats,
	.formats_hold = SNW_FILE_FRAMES,
};
