/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points at the same place that poses pull apart, in percent of the diagonal.
 */
#include "cli/project/info_seams.h"

#include "base/plural.h"
#include "measure/seams.h"

void snw_info_seams(const snw_call *call, const snw_scene *scene, const snw_stack *stack) {
	snw_seams seams;
	snw_seams_measure(scene, stack, call->arena, &seams);
	const double percent = 100 / snw_scene_diagonal(scene, SNW_NONE);
	cJSON *list = snw_answer_list(call->answer, "seams");
	for (uint32_t i = 0; i < seams.count; i++) {
		const snw_seam *seam = &seams.list[i];
		const char *a = scene->meshes[seam->meshes[0]].name, *b = scene->meshes[seam->meshes[1]].name;
		snw_say(call, "seam      %s and %s: %u pair%s of points at the same place, %u move apart", a, b, seam->pair_count,
				snw_plural(seam->pair_count), seam->opening_count);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "mesh", a);
		snw_answer_text(row, "other", b);
		snw_answer_number(row, "pairs", seam->pair_count);
		snw_answer_number(row, "opening", seam->opening_count);
		if (seam->opening_count > 0) {
			snw_say(call,
					"          points %u and %u by %.4f %% of the diagonal over %u poses, %.4f %% with joints shuffled, at "
					"most %.4f %%",
					seam->points[0], seam->points[1], percent * seam->clips, seams.pose_count, percent * seam->shuffled,
					percent * seam->bound);
			snw_answer_number(row, "point", seam->points[0]);
			snw_answer_number(row, "other_point", seam->points[1]);
			snw_answer_number(row, "clips_percent", percent * seam->clips);
			snw_answer_number(row, "shuffled_percent", percent * seam->shuffled);
			snw_answer_number(row, "bound_percent", percent * seam->bound);
		}
	}
	if (seams.count == 0) {
		snw_say(call, "seam      none: no two points are at the same place");
	}
}
