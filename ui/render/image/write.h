/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures to files.
 */
#ifndef SINEW_UI_RENDER_IMAGE_WRITE_H
#define SINEW_UI_RENDER_IMAGE_WRITE_H

#include <stdint.h>

#include "base/error.h"

/* Atomic; pixels are 8-bit RGBA, sRGB, [height][width][4], top row first. */
snw_status snw_png_write(const char *path, const unsigned char *pixels, uint32_t width, uint32_t height, snw_error *error);

#endif
