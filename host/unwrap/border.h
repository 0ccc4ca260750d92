/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the borders of a flat chart meet each other or themselves. A map that turns no triangle over covers nothing twice if
 * they do not. Private to host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_BORDER_H
#define SINEW_HOST_UNWRAP_BORDER_H

#include "unwrap/charts.h"

/* `faces` gets those of two edges that meet. */
bool unwrap_border_crosses(const unwrap_chart *chart, const double (*uvs)[2], uint32_t faces[2]);

#endif
