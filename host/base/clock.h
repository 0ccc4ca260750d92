/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The old name of the kit's clock, for edits that are becoming operators.
 */
#ifndef SINEW_HOST_BASE_CLOCK_H
#define SINEW_HOST_BASE_CLOCK_H

#include "sinew/kit/clock.h"

#define snw_clock_seconds snk_clock_seconds

#endif
