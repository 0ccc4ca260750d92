/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/reading.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "file/file.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "task/task.h"

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

/* The budget of a document is a fixed amount, and a multiple of the file's size: a corner of a triangle, two bytes of index,
 * becomes forty bytes; each instance of a mesh becomes a mesh. */
#define SNW_READING_BUDGET ((uint64_t)64 << 20)
#define SNW_READING_GROWTH ((uint64_t)256)

snw_reading snw_reading_begin(const char *path, const snw_task *task, snw_scene *scene, snw_error *error) {
	return (snw_reading){.path = path,
						 .scratch = snw_arena_create(),
						 .arena = scene->arena,
						 .task = task,
						 .error = error,
						 .budget = SNW_READING_BUDGET};
}

void snw_reading_end(snw_reading *reading) {
	snw_arena_destroy(reading->scratch);
	reading->scratch = NULL;
}

void snw_reading_add_file(snw_reading *reading, uint64_t bytes) {
	reading->file_bytes += bytes;
	reading->budget += SNW_READING_GROWTH * bytes;
}

bool snw_reading_fail(snw_reading *reading, snw_status status, const char *format, ...) {
	char text[800];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	reading->status = snw_fail(reading->error, status, "%s: %s", reading->path, text);
	return false;
}

bool snw_reading_progress(snw_reading *reading, double fraction, const char *activity) {
	if (snw_task_progress(reading->task, fraction, activity)) {
		return true;
	}
	return snw_reading_fail(reading, SNW_CANCELLED, "the import was cancelled; nothing was written");
}

bool snw_reading_reserve(snw_reading *reading, uint64_t count, uint64_t element_bytes) {
	uint64_t bytes;
	if (__builtin_mul_overflow(count, element_bytes, &bytes) || bytes > reading->budget) {
		return snw_reading_fail(
			reading, SNW_ERROR_LIMIT,
			"the scene needs far more memory than a file of %llu bytes should; it may be damaged, or has too many "
			"instances: export fewer",
			(unsigned long long)reading->file_bytes);
	}
	reading->budget -= bytes;
	return true;
}

bool snw_reading_check_size(snw_reading *reading, uint32_t joint_count, uint32_t mesh_count) {
	snw_error reason = {0};
	const snw_status status = snw_scene_check_size(joint_count, mesh_count, &reason);
	return !snw_failed(status) || snw_reading_fail(reading, status, "%s", reason.text);
}

/* ---- text lines ---------------------------------------------------------------------------------------------------------- */

snw_text_lines snw_text_start(snw_bytes bytes) {
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors write */
	const char *at = (const char *)bytes.data;
	const size_t skipped = bytes.count >= 3 && memcmp(at, mark, 3) == 0 ? 3 : 0;
	return (snw_text_lines){.at = at + skipped, .end = at + bytes.count, .line = 1};
}

static bool is_line_end(char c) {
	return c == '\n' || c == '\r';
}

/* The bytes that end a word. A zero byte ends the text, or counts as a break inside it. */
static bool is_break(char c) {
	return c == ' ' || c == '\t' || is_line_end(c) || c == '\0';
}

/* The position after a line end: \n, \r\n, or a lone \r. */
static const char *after_line_end(const char *at) {
	return at + (at[0] == '\r' && at[1] == '\n' ? 2 : 1);
}

static bool is_continuation(const char *at) {
	return at[0] == '\\' && is_line_end(at[1]);
}

static void skip_blanks(snw_text_lines *text) {
	for (;;) {
		if (*text->at == ' ' || *text->at == '\t') {
			text->at++;
		} else if (is_continuation(text->at)) {
			text->at = after_line_end(text->at + 1);
			text->line++;
		} else {
			return;
		}
	}
}

bool snw_text_line_done(snw_text_lines *text) {
	skip_blanks(text);
	return text->at >= text->end || is_line_end(*text->at) || *text->at == '#';
}

void snw_text_next_line(snw_text_lines *text) {
	bool comment = false; /* a backslash at the end of a comment continues nothing */
	while (text->at < text->end) {
		const char c = *text->at;
		if (is_line_end(c)) {
			text->at = after_line_end(text->at);
			text->line++;
			return;
		}
		comment = comment || c == '#';
		if (!comment && is_continuation(text->at)) {
			text->at = after_line_end(text->at + 1);
			text->line++;
		} else {
			text->at++;
		}
	}
}

bool snw_text_word(snw_text_lines *text, const char **word, size_t *length) {
	if (snw_text_line_done(text)) {
		return false;
	}
	*word = text->at;
	while (text->at < text->end && !is_break(*text->at) && !is_continuation(text->at)) {
		text->at++;
	}
	*length = (size_t)(text->at - *word);
	if (*length == 0) { /* a zero byte inside the text is a word */
		*length = 1;
		text->at++;
	}
	return true;
}

char *snw_text_rest(snw_text_lines *text, snw_arena *arena) {
	skip_blanks(text);
	const char *start = text->at;
	while (text->at < text->end && !is_line_end(*text->at)) {
		text->at++;
	}
	const char *stop = text->at;
	while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t')) {
		stop--;
	}
	char *rest = snw_arena_acquire(arena, (size_t)(stop - start) + 1);
	memcpy(rest, start, (size_t)(stop - start));
	return rest;
}

bool snw_text_number(snw_text_lines *text, double *number) {
	double value;
	const char *at = snw_text_line_done(text) ? NULL : snw_read_number(text->at, &value);
	if (!at || !(is_break(*at) || is_continuation(at)) || !isfinite(value)) {
		return false;
	}
	text->at = at;
	*number = value;
	return true;
}

/* ---- picture ------------------------------------------------------------------------------------------------------------- */

static bool is_below(const char *folder, const char *file) {
	const size_t length = strlen(folder);
	return strncmp(folder, file, length) == 0 && (file[length] == '/' || (length > 0 && folder[length - 1] == '/'));
}

snw_status snw_below_folder(const char *folder, const char *file, snw_error *error) {
	char *real_folder = realpath(folder, NULL), *real_file = realpath(file, NULL);
	const bool below = real_folder && real_file && is_below(real_folder, real_file);
	const bool missing = !real_file;
	free(real_folder);
	free(real_file);
	if (below) {
		return SNW_OK;
	}
	return missing ? snw_fail(error, SNW_ERROR_MISSING, "the file %.200s is missing from its folder; copy it there", file)
				   : snw_fail(error, SNW_ERROR_DATA, "%.200s is outside the folder of the imported file; copy it there", file);
}

const char *snw_picture_media(const unsigned char *bytes, size_t count) {
	static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, jpeg[] = {0xff, 0xd8, 0xff};
	if (count > sizeof png && memcmp(bytes, png, sizeof png) == 0) {
		return "image/png";
	}
	return count > sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0 ? "image/jpeg" : NULL;
}

snw_status snw_picture_read(const char *path, snw_arena *arena, snw_image *image, snw_error *error) {
	snw_bytes bytes;
	const snw_status status = snw_file_read(path, arena, &bytes, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *media = snw_picture_media(bytes.data, bytes.count);
	if (!media) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: neither PNG nor JPEG; convert it", path);
	}
	*image = (snw_image){
		.name = snw_arena_text(arena, snw_path_name(path)),
		.media = media,
		.bytes = bytes.data,
		.byte_count = bytes.count,
	};
	return SNW_OK;
}

snw_status snw_picture_find(const char *imported_file, const char *path, snw_arena *arena, snw_image *image, snw_error *error) {
	const char *folder = snw_path_folder(imported_file, arena), *beside = snw_path_join(arena, folder, snw_path_name(path));
	const bool relative = path[0] != '/' && path[0] != '\0' && path[1] != ':' && strncmp(path, "file:", 5) != 0;
	const char *named = relative ? snw_path_join(arena, folder, path) : beside;
	if (!snw_failed(snw_below_folder(folder, named, error)) && !snw_failed(snw_picture_read(named, arena, image, error))) {
		return SNW_OK;
	}
	const snw_status status = snw_below_folder(folder, beside, error);
	return snw_failed(status) ? status : snw_picture_read(beside, arena, image, error);
}

/* ---- base64 -------------------------------------------------------------------------------------------------------------- */

static int base64_value(unsigned char c) {
	if (c >= 'A' && c <= 'Z') {
		return c - 'A';
	}
	if (c >= 'a' && c <= 'z') {
		return c - 'a' + 26;
	}
	if (c >= '0' && c <= '9') {
		return c - '0' + 52;
	}
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

bool snw_base64_decode(snw_base64 *state, const char *text, size_t length) {
	for (size_t i = 0; i < length && !state->is_done; i++) {
		const unsigned char c = (unsigned char)text[i];
		const int value = base64_value(c);
		state->is_done = c == '=';
		if (value < 0) {
			if (state->is_done || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
				continue;
			}
			return false;
		}
		state->bits = state->bits << 6 | (uint32_t)value;
		state->bit_count += 6;
		if (state->bit_count >= 8) {
			state->bit_count -= 8;
			state->dest[state->count++] = (unsigned char)(state->bits >> state->bit_count);
		}
	}
	return true;
}
