/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/picture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"

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
