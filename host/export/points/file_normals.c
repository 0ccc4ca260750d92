/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/points/file_normals.h"

#include "measure/normal_angles.h"

struct snw_file_normals {
	uint32_t point_count;
	snw_normal_comparison *comparison;
	snw_normal_angles angles;
	double *expected, *written; /* [point_count][3]: relative to the first point, because normals are found in floats */
};

snw_file_normals *snw_file_normals_create(const snw_mesh *mesh, snw_arena *arena) {
	snw_file_normals *made = SNW_NEW(arena, snw_file_normals);
	const size_t numbers = 3 * (size_t)mesh->point_count;
	*made = (snw_file_normals){
		.point_count = mesh->point_count,
		.comparison = snw_normal_comparison_create(mesh),
		.expected = SNW_NEW_ARRAY(arena, double, numbers),
		.written = SNW_NEW_ARRAY(arena, double, numbers),
	};
	return made;
}

void snw_file_normals_destroy(snw_file_normals *normals) {
	if (normals) {
		snw_normal_comparison_destroy(normals->comparison);
	}
}

void snw_file_normals_add(snw_file_normals *normals, const double *points, const snw_stack *stack,
						  const snw_evaluation *evaluation, uint32_t mesh) {
	for (size_t i = 0; i < 3 * (size_t)normals->point_count; i++) {
		normals->expected[i] = points[i] - points[i % 3];
		normals->written[i] = (double)(float)points[i] - points[i % 3];
	}
	if (evaluation) {
		snw_normal_angles_add_stack(normals->comparison, normals->written, normals->expected, stack, evaluation, mesh, NULL,
									&normals->angles);
	} else {
		snw_normal_angles_add(normals->comparison, normals->written, normals->expected, NULL, &normals->angles);
	}
}

void snw_file_normals_report(const snw_file_normals *normals, snw_export_report *report) {
	report->playback_normals_degrees = snw_normal_angles_mean(&normals->angles);
	report->playback_normals_max_degrees = snw_normal_angles_most(&normals->angles);
}
