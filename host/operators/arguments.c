/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/arguments.h"

snw_mirror_plane snw_operation_plane(const snw_operation *operation, snw_mirror_plane found) {
	const uint32_t axis = snw_operation_count(operation, "axis");
	snw_mirror_plane plane = axis == 0 ? found : (snw_mirror_plane){.axis = axis};
	if (snw_operation_has(operation, "plane")) {
		plane.offset = snw_operation_number(operation, "plane");
	}
	return plane;
}
