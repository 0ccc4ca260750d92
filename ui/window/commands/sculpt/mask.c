/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the whole mask: cleared, inverted, by the weights of a joint, by an outline on the screen.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/pick.h"
#include "weights/paint_weights.h"
#include "window/session/painted_values.h"
#include "window/session/session.h"

enum { OUTLINE_MOST = 200 };

/* The mask to change, in `arena`; NULL while none can be changed. */
static double *mask_of(const snw_session *session, snw_arena *arena) {
	const snw_sculpt *sculpt = session->sculpting.sculpt;
	if (!sculpt || snw_sculpt_is_stroking(sculpt)) {
		return NULL;
	}
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	return snw_arena_copy(arena, view->mask, view->point_count * sizeof(double));
}

/* A mask that is the same already makes no step of the history. */
static void put_mask(snw_session *session, const double *mask, const char *verb) {
	const snw_sculpt_view *view = snw_sculpt_get_view(session->sculpting.sculpt);
	if (memcmp(mask, view->mask, view->point_count * sizeof *mask) == 0) {
		return;
	}
	(void)snw_sculpt_reset(session->sculpting.sculpt, NULL, mask, NULL, NULL);
	snw_painted_values_show(session);
	snw_painted_values_commit(session, verb, true);
}

static void change_points(double *mask, uint32_t count, bool inverts) {
	for (uint32_t i = 0; i < count; i++) {
		mask[i] = inverts ? 1 - mask[i] : 0;
	}
}

/* Under symmetry that of the counterpart too. */
static void change_mask(snw_session *session, bool inverts) {
	const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, SNW_BRUSH_MASKING);
	snw_arena *scratch = snw_arena_create();
	double *mask = mask_of(session, scratch);
	if (mask) {
		change_points(mask, session->sculpting.point_count, inverts);
	}
	if (mask && counterpart) {
		const uint32_t count = session->document->scene->meshes[counterpart->mesh].point_count;
		change_points(mask + counterpart->first_point, count, inverts);
	}
	if (mask) {
		put_mask(session, mask, inverts ? "invert the mask" : "clear the mask");
	}
	snw_arena_destroy(scratch);
}

void snw_do_mask_clear(snw_session *session, const snw_command *command) {
	(void)command;
	change_mask(session, false);
}

void snw_do_mask_invert(snw_session *session, const snw_command *command) {
	(void)command;
	change_mask(session, true);
}

/* Adds what a joint moves of a mesh. */
static void add_joint(const snw_scene *scene, uint32_t mesh, uint32_t joint, double *mask, snw_arena *scratch) {
	const uint32_t count = scene->meshes[mesh].point_count;
	double *weights = SNW_NEW_ARRAY(scratch, double, count);
	snw_sculpt_weights(scene, mesh, joint, weights);
	for (uint32_t i = 0; i < count; i++) {
		mask[i] = fmax(mask[i], fmin(weights[i], 1));
	}
}

/* Under symmetry also what its partner moves of the counterpart. */
void snw_do_mask_joint(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (joint == SNW_NONE) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	double *mask = mask_of(session, scratch);
	if (mask) {
		const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, SNW_BRUSH_MASKING);
		const uint32_t partner = counterpart ? snw_painted_values_partner(session, joint) : SNW_NONE;
		add_joint(scene, session->sculpting.mesh_index, joint, mask, scratch);
		if (partner != SNW_NONE) {
			add_joint(scene, counterpart->mesh, partner, mask + counterpart->first_point, scratch);
		}
		put_mask(session, mask, "mask by joint");
	}
	snw_arena_destroy(scratch);
}

/* ---- outlines ------------------------------------------------------------------------------------------------------------ */

static void choose_outline(snw_session *session, snw_outline_kind kind) {
	snw_sculpting *s = &session->sculpting;
	s->outline = s->outline == kind ? SNW_OUTLINE_NONE : kind;
}

void snw_do_mask_box(snw_session *session, const snw_command *command) {
	(void)command;
	choose_outline(session, SNW_OUTLINE_BOX);
}

void snw_do_mask_lasso(snw_session *session, const snw_command *command) {
	(void)command;
	choose_outline(session, SNW_OUTLINE_LASSO);
}

/* Reads "x y x y …" into points [OUTLINE_MOST][2]; returns how many there are. */
static uint32_t read_outline(const char *text, double (*points)[2]) {
	uint32_t count = 0;
	char *end = NULL;
	while (count < OUTLINE_MOST) {
		const double x = strtod(text, &end);
		if (end == text) {
			break;
		}
		text = end;
		const double y = strtod(text, &end);
		if (end == text || !isfinite(x) || !isfinite(y)) {
			break;
		}
		text = end;
		points[count][0] = x;
		points[count++][1] = y;
	}
	return count;
}

/* By the parity of the edges to the right. */
static bool is_inside(double (*outline)[2], uint32_t count, double x, double y) {
	bool inside = false;
	for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
		const double *a = outline[i], *b = outline[j];
		inside ^= (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
	}
	return inside;
}

/* A closed line over the picture that it was drawn over. */
typedef struct mask_outline {
	uint32_t count;
	double (*points)[2];
	snw_camera camera;
	double aspect;
} mask_outline;

/* Points of the sculpt, from `first` to before `end`. */
typedef struct point_range {
	uint32_t first, end;
} point_range;

/* Sets the mask inside an outline for points of one mesh and, under symmetry, for their partners within the same two ranges.
 * Returns whether the outline holds any. */
static bool set_inside(const snw_session *session, const mask_outline *outline, const point_range ranges[2], double value,
					   double *mask) {
	const snw_sculpting *s = &session->sculpting;
	const double *points = snw_sculpt_get_view(s->sculpt)->points;
	const snw_picture_size size = {outline->aspect > 0 ? outline->aspect : 1, 1};
	bool holds_any = false;
	for (uint32_t r = 0; r < 2; r++) {
		for (uint32_t i = ranges[r].first; i < ranges[r].end; i++) {
			double x, y;
			if (!snw_camera_project(&outline->camera, size, points + 3 * (size_t)i, &x, &y) ||
				!is_inside(outline->points, outline->count, x / size.width, y)) {
				continue;
			}
			const uint32_t partner = s->brush.symmetric && s->partners ? s->partners[i] : SNW_NONE;
			mask[i] = value;
			holds_any = true;
			for (uint32_t k = 0; k < 2; k++) {
				if (partner >= ranges[k].first && partner < ranges[k].end) {
					mask[partner] = value;
				}
			}
		}
	}
	return holds_any;
}

/* On the sculpted mesh, and under symmetry on its counterpart too. */
void snw_do_mask_outline(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	double points[OUTLINE_MOST][2];
	const mask_outline outline = {.count = read_outline(command->text, points),
								  .points = points,
								  .camera = command->has_view ? command->camera : session->state.camera,
								  .aspect = command->has_view ? command->aspect : session->aspect};
	snw_arena *scratch = snw_arena_create();
	double *mask = mask_of(session, scratch);
	s->outline = SNW_OUTLINE_NONE;
	if (mask && outline.count > 2) {
		const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, SNW_BRUSH_MASKING);
		point_range ranges[2] = {{0, s->point_count}};
		if (counterpart) {
			const uint32_t first = counterpart->first_point;
			ranges[1] = (point_range){first, first + session->document->scene->meshes[counterpart->mesh].point_count};
		}
		if (set_inside(session, &outline, ranges, command->n[0] > 0 ? 1 : 0, mask)) {
			put_mask(session, mask, command->n[0] > 0 ? "mask inside an outline" : "unmask inside an outline");
		} else {
			snw_view_state_say(&session->state,
							   "The outline holds no point of %s. To mask another mesh, select it in the list.",
							   session->document->scene->meshes[s->mesh_index].name);
		}
	}
	snw_arena_destroy(scratch);
}
