/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points at the same place that poses pull apart, in percent of the diagonal.
 */
#include "cli/project/info_seams.h"

#include "base/error.h"
#include "measure/seams.h"

static void say_left_out(const snw_call *call, const snw_scene *scene, const snw_seams *seams) {
	cJSON *list = snw_answer_list(call->answer, "seams_left_out");
	for (uint32_t i = 0; i < seams->left_out_count; i++) {
		const char *mesh = scene->meshes[seams->left_out[i].mesh].name;
		snw_say(call, "seam      %s is left out: %s", mesh, seams->left_out[i].reason);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "mesh", mesh);
		snw_answer_text(row, "reason", seams->left_out[i].reason);
	}
	if (seams->count == 0 && seams->left_out_count < scene->mesh_count) {
		snw_say(call, "seam      none: no two points%s are at the same place",
				seams->left_out_count > 0 ? " of the other meshes" : "");
	}
}

snw_status snw_info_seams(const snw_call *call, const snw_scene *scene, const snw_stack *stack, snw_error *error) {
	const double diagonal = snw_scene_diagonal(scene, SNW_NONE), percent = diagonal > 0 ? 100 / diagonal : 0;
	cJSON *list = snw_answer_list(call->answer, "seams");
	if (diagonal == 0) {
		snw_say(call, "seam      none: all points are at one place, so there is no diagonal to measure by");
		return SNW_OK;
	}
	snw_seams seams;
	const snw_status status = snw_seams_measure(scene, stack, &call->task, call->arena, &seams, error);
	if (snw_failed(status)) {
		return status;
	}
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
	say_left_out(call, scene, &seams);
	return SNW_OK;
}
