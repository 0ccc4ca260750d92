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

snw_status snw_operation_place(const snw_operation *operation, uint32_t present, uint32_t count, uint32_t *place,
							   snw_error *error) {
	const bool is_given = snw_operation_has(operation, "to");
	const double wished = is_given ? snw_operation_number(operation, "to") : present + snw_operation_number(operation, "by");
	if (is_given == snw_operation_has(operation, "by")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "where to? give either a place from 0 to %u, or --by N", count - 1);
	}
	if (is_given && wished >= count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "there is no place %g; choose one from 0 to %u", wished, count - 1);
	}
	*place = (uint32_t)fmin(fmax(wished, 0), count - 1);
	return SNW_OK;
}

snw_worker_limits snw_operation_limits(const snw_operation *operation) {
	snw_worker_limits limits = {0};
	if (snw_operation_has(operation, "memory")) {
		limits.memory_bytes = (uint64_t)(snw_operation_number(operation, "memory") * (1u << 30));
	}
	if (snw_operation_has(operation, "seconds")) {
		limits.total_seconds = snw_operation_number(operation, "seconds");
	}
	return limits;
}
