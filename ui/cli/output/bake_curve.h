/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curve of error over bytes, as a picture.
 */
#ifndef SINEW_UI_CLI_OUTPUT_BAKE_CURVE_H
#define SINEW_UI_CLI_OUTPUT_BAKE_CURVE_H

#include "bake/bake.h"

/* Writes an SVG, atomically: a point for each variant, the budget's bytes (0: none) and the chosen one. */
snw_status snw_bake_curve_write(const char *path, const snw_baked *baked, uint64_t most_bytes, snw_error *error);

#endif
