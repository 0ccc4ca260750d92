/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the brush, and strokes. At its end a stroke is stored in the example of the pose; the first stroke creates the
 * example.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/commands/store_sculpt.h"
#include "window/document/titles.h"
#include "window/jobs/project_edit.h"
#include "window/session/painted_values.h"
#include "window/session/session.h"

#define LARGER 1.2

/* ---- the brush ---------------------------------------------------------------------------------------------------- */

static void choose_brush(snw_session *session, uint32_t kind) {
	snw_sculpting *s = &session->sculpting;
	s->strengths[s->brush.kind] = s->brush.strength;
	s->brush.kind = (snw_brush_kind)kind;
	s->brush.strength = s->strengths[kind];
	snw_painted_values_show(session);
}

void snw_do_brush(snw_session *session, const snw_command *command) {
	for (uint32_t i = 0; i < SNW_BRUSH_COUNT; i++) {
		if (strcmp(snw_brush_infos[i].name, command->text) == 0) {
			choose_brush(session, i);
			return;
		}
	}
	snw_view_state_warn(&session->state, "No brush has this name.");
}

void snw_do_brush_row(snw_session *session, const snw_command *command) {
	choose_brush(session, command->id - SNW_DO_BRUSH_GRAB);
}

void snw_do_brush_number(snw_session *session, const snw_command *command) {
	if (command->n[0] >= 0 && command->n[0] < SNW_BRUSH_COUNT) {
		choose_brush(session, (uint32_t)command->n[0]);
	}
}

/* A brush that is larger than the character reaches no more. */
static void set_radius(snw_session *session, double metres) {
	const double size = session->document->size;
	session->sculpting.brush.radius = fmin(fmax(metres, 1e-5), size > 1e-5 ? size : 1e4);
	session->sculpting.has_radius = true;
}

void snw_do_radius(snw_session *session, const snw_command *command) {
	set_radius(session, command->n[0] / 100);
}

void snw_do_larger(snw_session *session, const snw_command *command) {
	(void)command;
	set_radius(session, session->sculpting.brush.radius * LARGER);
}

void snw_do_smaller(snw_session *session, const snw_command *command) {
	(void)command;
	set_radius(session, session->sculpting.brush.radius / LARGER);
}

void snw_do_strength(snw_session *session, const snw_command *command) {
	session->sculpting.brush.strength = fmin(fmax(command->n[0], 0), 1);
}

void snw_do_paint_value(snw_session *session, const snw_command *command) {
	session->sculpting.brush.value = fmin(fmax(command->n[0], -1e6), 1e6);
}

/* Without a joint it is a switch. */
void snw_do_paint_weights(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	uint32_t layer = SNW_NONE;
	s->paints_weights = command->text[0] || !s->paints_weights;
	if (command->text[0]) {
		snw_do_joint(session, command);
		session->state.tab = SNW_TAB_SHAPE;
	}
	if (command->text[0] && !session->state.sculpting) {
		snw_sculpting_enter(session);
	}
	if (s->paints_weights && snw_brush_changes(s->brush.kind) != SNW_BRUSH_FIELD) {
		choose_brush(session, SNW_BRUSH_PAINT);
	}
	if (s->paints_weights && session->state.joint == SNW_NONE) {
		snw_view_state_say(&session->state, "In the list of joints, select the joint whose weights to paint.");
	} else if (s->paints_weights && !snw_painted_values_show_through(session, &layer)) {
		char title[200];
		snw_view_state_say(&session->state,
						   "%.150s has learned weights, so painted ones do not show. Use Take learned weights to paint those.",
						   snw_layer_title(session->registry, &session->document->scene->layers[layer], title, sizeof title));
	}
	snw_painted_values_read(session);
	snw_painted_values_show(session);
}

void snw_do_paint_field(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	snprintf(s->requested_field, sizeof s->requested_field, "%.150s", command->text);
	s->paints_weights = false;
	snw_do_field(session, command);
	session->state.tab = SNW_TAB_SHAPE;
	if (!session->state.sculpting) {
		snw_sculpting_enter(session);
	}
	choose_brush(session, SNW_BRUSH_PAINT);
	snw_painted_values_read(session);
	snw_painted_values_show(session);
}

void snw_do_falloff(snw_session *session, const snw_command *command) {
	session->sculpting.brush.falloff = (snw_falloff)fmin(fmax(command->n[0], 0), SNW_FALLOFF_COUNT - 1);
}

void snw_do_morph_to(snw_session *session, const snw_command *command) {
	static const char prefix[] = "example ";
	const char *words = command->text;
	const bool is_example = strncmp(words, prefix, strlen(prefix)) == 0;
	if (is_example ? snw_scene_find_example(session->document->scene, words + strlen(prefix)) == SNW_NONE
				   : strcmp(words, "below") != 0 && strcmp(words, "rest") != 0) {
		snw_view_state_warn(&session->state, "Morph moves towards below, rest, or 'example' and the name of one.");
		return;
	}
	snprintf(session->sculpting.morph_to, sizeof session->sculpting.morph_to, "%.199s", words);
	snw_sculpting_follow(session, false); /* which finds that shape in this pose */
}

void snw_do_volume(snw_session *session, const snw_command *command) {
	(void)command;
	session->sculpting.brush.volume = !session->sculpting.brush.volume;
}

void snw_do_symmetry(snw_session *session, const snw_command *command) {
	(void)command;
	snw_sculpting *s = &session->sculpting;
	s->brush.symmetric = !s->brush.symmetric;
	if (!snw_sculpting_is_stroking(s)) {
		snw_sculpting_hide_faces(session, SNW_BRUSH_POINTS);
		snw_painted_values_show(session);
	}
	if (s->brush.symmetric && s->sculpt && !s->partners) {
		snw_view_state_warn(&session->state, "This mesh is not symmetric, and no other mesh is its mirror image.");
	}
}

void snw_do_carry_along(snw_session *session, const snw_command *command) {
	(void)command;
	session->sculpting.carries = !session->sculpting.carries;
}

/* The other meshes are prepared with the sculpted one. */
void snw_do_stay_outside(snw_session *session, const snw_command *command) {
	(void)command;
	snw_brush *brush = &session->sculpting.brush;
	brush->stays_outside = !brush->stays_outside;
	snw_sculpting_follow(session, false);
}

/* ---- strokes ------------------------------------------------------------------------------------------------------ */

/* The radius by the pressure and tilt of a pen. */
static double sized_radius(const snw_brush *brush, double factor) {
	return brush->radius * (factor > 0 ? fmin(factor, 10) : 1);
}

/* Whether the joint whose weights are painted is locked; if so, a message says so. */
static bool is_joint_locked(snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.joint;
	const bool is_locked =
		session->sculpting.paints_weights && joint < skeleton->joint_count && session->display.locked_joints[joint];
	if (is_locked) {
		snw_view_state_say(&session->state, "%s is locked; unlock it to paint its weights.", skeleton->names[joint]);
	}
	return is_locked;
}

void snw_do_stroke(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	snw_error error = {0};
	if (!session->state.sculpting || !s->sculpt || snw_sculpt_is_stroking(s->sculpt)) {
		return;
	}
	if (session->display.hidden[s->mesh_index] || session->display.locked[s->mesh_index]) {
		snw_view_state_say(&session->state, "%s is %s.", s->mesh->name,
						   session->display.locked[s->mesh_index] ? "locked" : "hidden");
		return;
	}
	const int keys = (int)command->n[3];
	snw_view_state_use_side(&session->state, keys & 4 ? 1 : 0);
	snw_brush brush = snw_brush_with_keys(&s->brush, keys & 1, keys & 2);
	brush.radius = sized_radius(&brush, command->n[4]);
	const snw_ray ray = snw_session_ray(session, command->n[0], command->n[1]);
	const snw_pick pick = snw_sculpt_pick(s->sculpt, &ray);
	if (pick.face == SNW_NONE) {
		return;
	}
	if (snw_brush_changes(brush.kind) == SNW_BRUSH_POINTS &&
		!(snw_may_store_sculpt(session, s->mesh_index) && snw_would_stroke_show(session, s->mesh_index))) {
		return;
	}
	if (snw_brush_changes(brush.kind) == SNW_BRUSH_FIELD && is_joint_locked(session)) {
		return;
	}
	if (snw_brush_changes(brush.kind) == SNW_BRUSH_FIELD && !snw_painted_values_follow(session)) {
		snw_view_state_say(&session->state, "The previous stroke is still being stored; try again.");
		return;
	}
	if (s->part_count > 0) { /* over a seam, masks and fields belong to one mesh */
		snw_sculpting_hide_faces(session, snw_brush_changes(brush.kind));
	}
	if (snw_failed(snw_sculpt_begin(s->sculpt, &brush, &pick, &error))) {
		snw_view_state_warn(&session->state, error.text);
		return;
	}
	s->stroke = brush;
	session->display.sculpt = s->shown;
	if (!snw_brush_drags(brush.kind) && brush.kind != SNW_BRUSH_SLIDE) {
		const snw_dab dab = {.pick = pick, .pressure = command->n[2]};
		snw_sculpt_dab(s->sculpt, &dab);
	}
	session->display.is_stale = true;
}

void snw_do_dab(snw_session *session, const snw_command *command) {
	if (snw_sculpting_is_stroking(&session->sculpting)) {
		const snw_ray ray = snw_session_ray(session, command->n[0], command->n[1]);
		double axes[3][3];
		snw_camera_axes(&session->state.camera, axes);
		snw_sculpt_set_radius(session->sculpting.sculpt, sized_radius(&session->sculpting.brush, command->n[3]));
		snw_sculpt_move(session->sculpting.sculpt, &ray, axes[2], command->n[2]);
		snw_sculpting_point(&session->sculpting, &ray);
		session->display.is_stale = true;
	}
}

void snw_do_stroke_end(snw_session *session, const snw_command *command) {
	(void)command;
	snw_sculpting *s = &session->sculpting;
	bool changed = false;
	if (!snw_sculpting_is_stroking(s)) {
		return;
	}
	snw_sculpt_end(s->sculpt, &changed);
	if (s->part_count > 0) {
		snw_sculpting_hide_faces(session, SNW_BRUSH_POINTS);
	}
	session->display.is_stale = true;
	const snw_brush_target target = snw_brush_changes(s->stroke.kind);
	const char *name = snw_brush_infos[s->stroke.kind].name;
	if (!changed) {
		snw_sculpting_rest(session);
	} else if (target == SNW_BRUSH_POINTS) {
		s->made[target]++;
		snw_store_sculpt(session, name, s->mesh_index, snw_sculpt_get_view(s->sculpt)->points, s->made[target]);
	} else {
		snw_painted_values_commit(session, name, target == SNW_BRUSH_MASKING);
	}
}
