/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The skin whose weights are being painted, before the project has them.
 */
#include "task/task.h"
#include "window/display/display.h"

enum { POINT_GRAIN = 4096 };

/* Memory for the skin of the painted joint: created when another joint or mesh is painted, and kept between redraws. */
static bool find_skin(snw_display *display, int which) {
	snw_display_painting *painting = &display->paintings[which];
	const uint32_t mesh = display->values_meshes[which], joint = display->values_joints[which];
	if (!painting->skin || painting->mesh != mesh || painting->joint != joint) {
		snw_arena_destroy(painting->arena);
		*painting = (snw_display_painting){.arena = snw_arena_create(), .mesh = mesh, .joint = joint};
		(void)snw_painted_skin_make(display->scene, mesh, joint, display->locked_joints, painting->arena, &painting->skin,
									NULL);
		painting->points = SNW_NEW_ARRAY(painting->arena, float, 3 * (size_t)display->scene->meshes[mesh].point_count);
	}
	return painting->skin;
}

const snw_mesh *snw_display_painted_skin(snw_display *display, int which) {
	const bool is_painted = display->values && display->values_joints[which] != SNW_NONE && find_skin(display, which);
	return is_painted ? snw_painted_skin_apply(display->paintings[which].skin, display->values[display->values_meshes[which]])
					  : NULL;
}

/* Adds `sign` times the linear blend of a point to `dest`. */
static void add_blend(const snw_display *display, const snw_mesh *mesh, uint32_t point, double sign, double dest[3]) {
	const double *rest = mesh->points_rest + 3 * (size_t)point;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const double *m = display->palette + 12 * (size_t)mesh->influence_slots[k];
		const double weight = sign * mesh->influence_weights[k];
		for (size_t r = 0; r < 3; r++) {
			dest[r] += weight * (m[4 * r] * rest[0] + m[4 * r + 1] * rest[1] + m[4 * r + 2] * rest[2] + m[4 * r + 3]);
		}
	}
}

typedef struct move_work {
	const snw_display *display;
	const snw_mesh *before, *after;
	const float *from;
	float *to;
} move_work;

static void move_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const move_work *work = argument;
	for (uint32_t p = begin; p < end; p++) {
		double step[3] = {0};
		add_blend(work->display, work->after, p, 1, step);
		add_blend(work->display, work->before, p, -1, step);
		for (size_t c = 0; c < 3; c++) {
			work->to[3 * (size_t)p + c] = work->from[3 * (size_t)p + c] + (float)step[c];
		}
	}
}

const float *const *snw_display_edited_points(snw_display *display) {
	const bool moves = display->sculpt && display->values_move && display->view.pose;
	bool is_any = false;
	for (uint32_t m = 0; m < display->scene->mesh_count && moves; m++) {
		display->painted[m] = display->sculpt[m];
	}
	for (int i = 0; i < SNW_PAINTED_MESHES && moves; i++) {
		const snw_mesh *skin = snw_display_painted_skin(display, i);
		if (!skin) {
			continue;
		}
		const uint32_t mesh = display->values_meshes[i];
		move_work work = {.display = display,
						  .before = &display->scene->meshes[mesh],
						  .after = skin,
						  .from = display->sculpt[mesh],
						  .to = display->paintings[i].points};
		snw_parallel_for(skin->point_count, POINT_GRAIN, move_points, &work);
		display->painted[mesh] = work.to;
		is_any = true;
	}
	return is_any ? display->painted : display->sculpt;
}
