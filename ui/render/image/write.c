/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures to files, through libpng's simplified interface.
 */
#include "render/image/write.h"

#include <errno.h>
#include <png.h>
#include <string.h>

#include "file/file.h"

snw_status snw_png_write(const char *path, const unsigned char *pixels, uint32_t width, uint32_t height, snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
	errno = 0;
	if (!png_image_write_to_stdio(&image, snw_file_write_stream(file), 0, pixels, 0, NULL)) {
		status = snw_fail(error, SNW_ERROR_IO, "%s: could not be written: %s; the old file is unchanged", path,
						  errno ? strerror(errno) : image.message);
		snw_file_write_abandon(file);
		return status;
	}
	return snw_file_write_commit(file, error);
}
