/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KTX 2.0 files of one two-dimensional RGBA texture in half floats or floats, without mipmaps and compression (Khronos, "KTX
 * File Format Specification", version 2.0; the descriptor is that of the "Khronos Data Format Specification" 1.3, section 5).
 */
#ifndef SINEW_HOST_EXPORT_CROWD_KTX2_H
#define SINEW_HOST_EXPORT_CROWD_KTX2_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* `texels` [height][width][4]: uint16_t half floats, or floats. Atomic. */
snw_status snw_ktx2_write(const char *path, bool is_half, uint32_t width, uint32_t height, const void *texels,
						  snw_error *error);

/* To the nearest half float, ties to even; beyond the largest, infinite. And back. */
uint16_t snw_half_of(float value);
float snw_half_value(uint16_t half);

#endif
