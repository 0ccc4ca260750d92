/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much a model may ask for in its layout. Whoever allocates for a layout asks here first: the numbers are a plug-in's,
 * often read from a file.
 */
#ifndef SINEW_HOST_BASE_LAYOUT_LIMITS_H
#define SINEW_HOST_BASE_LAYOUT_LIMITS_H

#include "base/error.h"
#include "sinew/sinew.h"

enum { SNW_MOST_DRIVEN = 1 << 26 };        /* numbers in each of z, d and e */
#define SNW_MOST_SCRATCH ((size_t)1 << 32) /* bytes for each thread, and for each pass */

/* SNW_ERROR_LIMIT beyond the limits, SNW_ERROR_INTERNAL for coefficients without a drive. The error's text goes on after the
 * name of a layer or a model: "has more than 67108864 coefficients". */
snw_status snw_layout_check(const snw_deformer *deformer, const snw_model_layout *layout, snw_error *error);

#endif
