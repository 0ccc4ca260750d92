/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture that the brush stamps.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "window/session/session.h"
#include "worker/worker.h"

enum { MOST_BYTES = 16 << 20, MOST_PIXEL_BYTES = 16 << 20 };

/* How bright each pixel is, times its opacity. */
static const float *read_values(const snw_mipmap *picture, snw_arena *arena) {
	const size_t count = (size_t)picture->width * picture->height;
	float *values = SNW_NEW_ARRAY(arena, float, count);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *pixel = picture->pixels + 4 * i;
		values[i] = (0.2126f * (float)pixel[0] + 0.7152f * (float)pixel[1] + 0.0722f * (float)pixel[2]) * (float)pixel[3] /
					(255.0f * 255.0f);
	}
	return values;
}

/* Reads a picture, in the worker process: it is an untrusted file. */
static snw_status read_alpha(const char *path, snw_arena *arena, snw_brush_alpha *alpha, snw_error *error) {
	snw_bytes bytes;
	snw_mipmap picture = {0};
	snw_arena *scratch = snw_arena_create();
	snw_status status = snw_file_read_limited(path, MOST_BYTES, scratch, &bytes, error);
	if (!snw_failed(status)) {
		const snw_picture_use use = {snw_path_name(path), bytes.data, bytes.count, false};
		snw_worker_decode_pictures(&use, 1, MOST_PIXEL_BYTES, NULL, scratch, &picture);
		if (!picture.pixels) {
			status = snw_fail(error, SNW_ERROR_DATA, "%s cannot be read as a PNG or JPEG picture", snw_path_name(path));
		}
	}
	if (!snw_failed(status)) {
		*alpha = (snw_brush_alpha){picture.width, picture.height, read_values(&picture, arena)};
	}
	snw_arena_destroy(scratch);
	return status;
}

void snw_do_brush_alpha(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	const bool removes = strcmp(command->text, "none") == 0;
	snw_brush_alpha alpha = {0};
	snw_error error = {0};
	if (!command->text[0]) {
		snw_session_open_dialog(session, SNW_DIALOG_ALPHA);
		return;
	}
	if (snw_sculpting_is_stroking(s)) {
		snw_view_state_say(&session->state, "Release the mouse button first.");
		return;
	}
	snw_arena *arena = snw_arena_create();
	if (!removes && snw_failed(read_alpha(command->text, arena, &alpha, &error))) {
		snw_view_state_warn(&session->state, error.text);
		snw_arena_destroy(arena);
		return;
	}
	snw_arena_destroy(s->alpha_arena);
	s->alpha_arena = arena;
	s->alpha = alpha;
	s->brush.alpha = removes ? NULL : &s->alpha;
	snprintf(s->alpha_path, sizeof s->alpha_path, "%s", removes ? "" : command->text);
}
