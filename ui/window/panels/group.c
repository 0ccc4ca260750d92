/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "example/groups.h"
#include "sinew/algebra.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

/* ---- driver -------------------------------------------------------------------------------------------------------------- */

/* Which joint drives the chosen example, the others that could, and a warning if the joint does not move its points. */

enum { MOST_OFFERED = 2 };

#define UNKNOWN (-1.0) /* no share */

/* The group that drives the example: the chosen one if it contains it, otherwise the first that does; NULL for none. */
static const snw_group *find_group(const snw_session *session, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	const uint32_t chosen = session->state.group;
	const snw_group *found = NULL;
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const bool contains = snw_group_member(&scene->groups[g], example) != SNW_NONE;
		found = contains && (!found || g == chosen) ? &scene->groups[g] : found;
	}
	return found;
}

static bool drives(const snw_group *group, uint32_t joint) {
	for (uint32_t i = 0; i < group->joint_count; i++) {
		if (group->joints[i] == joint) {
			return true;
		}
	}
	return false;
}

/* The share of the sculpt that a joint moves; UNKNOWN where it is hardly bent in the sculpt's pose, or not yet
 * measured. */
static double share_of(const snw_drivers *known, uint32_t joint) {
	double share = UNKNOWN;
	for (uint32_t i = 0; known && i < known->count; i++) {
		share = known->items[i].joint == joint ? known->items[i].share : share;
	}
	return share;
}

/* Whether each joint of the group was measured, and none moves the sculpt's points. */
static bool is_idle(const snw_group *group, const snw_drivers *known) {
	bool are_all = group->joint_count > 0; /* else the method chooses them by the same rule */
	for (uint32_t i = 0; i < group->joint_count; i++) {
		const double share = share_of(known, group->joints[i]);
		are_all = are_all && share != UNKNOWN && share < SNW_LEAST_DRIVEN;
	}
	return are_all;
}

/* Returns whether it is a warning. */
static bool write_state(const snw_scene *scene, const snw_group *group, const snw_drivers *known, char *words, size_t size) {
	const bool is_warning = group && is_idle(group, known);
	if (!group) {
		snprintf(words, size, "Not driven: the example is in no group");
	} else if (group->joint_count == 0) {
		snprintf(words, size, "Driven by: chosen automatically");
	} else if (is_warning) {
		char title[200];
		snprintf(words, size, "%.100s does not move these points",
				 snw_joint_words(&scene->skeleton, group->joints[0], title, sizeof title));
	} else {
		snprintf(words, size, "Driven by");
	}
	return is_warning;
}

/* `keeps`: it drives the example, until a symmetric stroke parts the sides, and a click keeps it. */
static void offer_driver(snw_session *session, uint32_t joint, double share, bool is_current, bool keeps) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const char *name = skeleton->names[joint];
	char label[420], text[440], hint[400];
	snprintf(text, sizeof text, "%s-driver", snw_joint_label(skeleton, joint, label, sizeof label));
	const bool is_known = share != UNKNOWN;
	const bool is_offered = !is_current || keeps;
	if (snw_gui_row_meter(text, is_current, is_offered, is_known ? share : 0, (uint32_t)SNW_AMBER) && is_offered) {
		snw_emit_text(&session->queue, SNW_DO_DRIVER, name);
	}
	if (is_known) {
		snprintf(hint, sizeof hint, "%.200s moves %.0f %% of what is sculpted here.%s", name, 100 * share,
				 keeps        ? " Click to keep it as the driver of both sides under Symmetry."
				 : is_current ? ""
							  : " Click to let it drive the example.");
	} else {
		snprintf(hint, sizeof hint, "How much of the sculpt %.200s moves is not known.", name);
	}
	snw_gui_hint(hint);
}

/* Whether a group of the example is driven by the joint: each group may take a part of the sculpt. */
static bool drives_example(const snw_scene *scene, uint32_t example, uint32_t joint) {
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (snw_group_member(&scene->groups[g], example) != SNW_NONE && drives(&scene->groups[g], joint)) {
			return true;
		}
	}
	return false;
}

/* The joints of its groups, then those that would drive the example best. */
static void offer_drivers(snw_session *session, uint32_t example, const snw_drivers *known) {
	const snw_scene *scene = session->document->scene;
	uint32_t offered = 0;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (drives_example(scene, example, j)) {
			offer_driver(session, j, share_of(known, j), true, snw_group_to_part(scene, example) != SNW_NONE);
		}
	}
	for (uint32_t i = 0; known && i < known->count && offered < MOST_OFFERED; i++) {
		const snw_driver *driver = &known->items[i];
		if (!drives_example(scene, example, driver->joint) && driver->share >= SNW_LEAST_DRIVEN) {
			offer_driver(session, driver->joint, driver->share, false, false);
			offered++;
		}
	}
}

void snw_panel_driver(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = session->state.example;
	if (example >= scene->example_count) {
		return;
	}
	const snw_group *group = find_group(session, example);
	const snw_drivers *known = snw_drivers_known(session);
	char words[200];
	if (write_state(scene, group, known, words, sizeof words)) {
		snw_gui_alarm_text(words);
	} else {
		snw_gui_quiet_text(words);
	}
	offer_drivers(session, example, known);
}

/* ---- group curve --------------------------------------------------------------------------------------------------------- */

/* How much the group's example acts: on the way from rest to its pose and beyond, and to the sides, where a handle sets the
 * width. */

#define DEGREES (180 / M_PI)

/* A box of the panel with room for a curve: weights up to `top` above its floor. */
typedef struct plot {
	float x, y, width, height;
	double top;
} plot;

static void draw_curve(const plot *box, const double *weights) {
	float points[2 * SNW_GROUP_CURVE_POINTS];
	for (int i = 0; i < SNW_GROUP_CURVE_POINTS; i++) {
		const double height = fmin(fmax(weights[i] / box->top, 0), 1);
		points[2 * i] = box->x + box->width * (float)i / (SNW_GROUP_CURVE_POINTS - 1);
		points[2 * i + 1] = box->y + box->height * (float)(1 - height);
	}
	snw_gui_fill(box->x, box->y, box->width, box->height, 3, SNW_GROOVE);
	snw_gui_polyline(points, SNW_GROUP_CURVE_POINTS, 1.6f, (uint32_t)SNW_AMBER, false);
}

static void write_below(const plot *box, double part, const char *text) {
	const float width = snw_gui_small_width_of(text), x = box->x + (float)part * box->width - (float)part * width;
	snw_gui_write_small(x, box->y + box->height + 2, (uint32_t)SNW_QUIET, text);
}

/* Drags the width of the group's kernel; the fit follows when it is released, as one step of the history. */
static void drag_width(snw_session *session, const snw_group_curve *curve, const plot *box) {
	static double dragged; /* the edge, radians; 0: not dragged */
	const double shown = dragged > 0 ? dragged : curve->edge;
	const float x = box->x + box->width * (float)fmin(shown / M_PI, 1);
	char words[300];
	float at;
	snw_gui_fill(x - 1, box->y, 2, box->height, 0, (uint32_t)SNW_PALE);
	snw_gui_disc(x, box->y + box->height / 2, 4 * snw_gui_line_height() / 15, (uint32_t)SNW_AMBER);
	const snw_edit_state change = snw_gui_edge("group-width", x, box->y, box->height, &at);
	snprintf(words, sizeof words, "%.0f°: how far to the sides the examples of the group act. Drag to change it.",
			 shown * DEGREES);
	snw_gui_hint(words);
	const double edge = fmin(fmax((double)((at - box->x) / box->width), 0.02), 1) * M_PI;
	if (change == SNW_EDIT_DONE || change == SNW_EDIT_CANCELLED) {
		dragged = 0;
	}
	if (change == SNW_EDIT_DONE) {
		snw_emit_number(&session->queue, SNW_DO_LAYER, curve->layer);
		snprintf(words, sizeof words, "%s@%.200s=%.4g", curve->width_key, session->document->scene->groups[curve->group].name,
				 snw_group_curve_width(curve, edge));
		snw_emit_text(&session->queue, SNW_DO_SET, words);
	} else if (change == SNW_EDIT_LIVE) {
		dragged = edge;
	}
}

static void panel_group_curve(snw_session *session) {
	const snw_group_curve *curve = snw_group_curve_read(session);
	if (!curve) {
		return;
	}
	const float line = snw_gui_line_height(), gap = line * 0.6f, room = snw_gui_available_width();
	float x, y;
	char words[300];
	snprintf(words, sizeof words, "Weight of %.150s", session->document->scene->examples[curve->example].name);
	snw_gui_quiet_text(words);
	snw_gui_cursor(&x, &y);
	double top = 1;
	for (int i = 0; i < SNW_GROUP_CURVE_POINTS; i++) {
		top = fmax(top, fmax(curve->along[i], curve->around[i]));
	}
	const plot along = {x, y, (room - gap) / 2, 3.2f * line, 1.05 * top};
	const plot around = {x + along.width + gap, y, along.width, along.height, along.top};
	draw_curve(&along, curve->along);
	draw_curve(&around, curve->around);
	write_below(&along, 0, "rest");
	write_below(&along, 1 / curve->end, "pose");
	write_below(&around, 0, "0°");
	write_below(&around, 0.5, "to the side");
	write_below(&around, 1, "180°");
	if (curve->layer != SNW_NONE && curve->edge > 0) {
		drag_width(session, curve, &around);
	}
	snw_gui_move_to(x, y);
	snw_gui_reserve(room, along.height + 1.2f * line);
}

/* ---- group --------------------------------------------------------------------------------------------------------------- */

/* The chosen group: the joints that drive it, and which points of the chosen example it moves. */

static bool is_driver(const snw_group *group, uint32_t joint) {
	for (uint32_t i = 0; i < group->joint_count; i++) {
		if (group->joints[i] == joint) {
			return true;
		}
	}
	return false;
}

static void offer_group_joint(snw_session *session, uint32_t joint, const char *key) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	char label[420];
	if (snw_gui_row(snw_joint_label(skeleton, joint, label, sizeof label), key, false)) {
		snw_emit_text(&session->queue, SNW_DO_GROUP_JOINT, skeleton->names[joint]);
	}
	snw_gui_hint(skeleton->names[joint]);
}

/* Any joint of the skeleton; the chosen one comes first. */
static void offer_group_joints(snw_session *session, const snw_group *group) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t chosen = session->state.joint;
	snw_gui_width(-1);
	if (!snw_gui_list_begin("##group-joint", "Add a driving joint…")) {
		snw_gui_hint(snw_command_help(SNW_DO_GROUP_JOINT));
		return;
	}
	if (chosen < skeleton->joint_count && !is_driver(group, chosen)) {
		offer_group_joint(session, chosen, "Selected");
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (j != chosen && !is_driver(group, j)) {
			offer_group_joint(session, j, NULL);
		}
	}
	snw_gui_list_end();
}

static void list_joints(snw_session *session, const snw_group *group) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	snw_gui_quiet_text(group->joint_count ? "Joints of the group" : "Joints of the group: chosen automatically");
	for (uint32_t i = 0; i < group->joint_count; i++) {
		const char *name = skeleton->names[group->joints[i]];
		char text[200], title[200];
		snprintf(text, sizeof text, "×##joint-%.150s", name);
		snw_gui_push((int)i);
		if (snw_gui_small_button(text)) {
			snw_emit_text(&session->queue, SNW_DO_GROUP_JOINT, name);
		}
		snw_gui_hint("Removes this joint from those that drive the group. Without any, they are chosen automatically.");
		snw_gui_same_line(0);
		snw_gui_text(snw_joint_words(skeleton, group->joints[i], title, sizeof title));
		snw_gui_hint(name);
		snw_gui_pop();
	}
	offer_group_joints(session, group);
}

/* Which of the example's points the group moves. */
static void choose_mask(snw_session *session, const snw_group *group, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	const uint32_t at = snw_group_member(group, example), mask = group->members[at].mask;
	const uint32_t mesh = scene->examples[example].mesh;
	char words[300], painted[200];
	snprintf(words, sizeof words, "Points of %.200s that the group moves:", scene->examples[example].name);
	snw_gui_quiet_text(words);
	snw_gui_width(-1);
	if (snw_gui_list_begin("##mask", mask == SNW_NONE ? "All points" : scene->fields[mask].name)) {
		if (snw_gui_row("All points", NULL, mask == SNW_NONE)) {
			snw_emit(&session->queue, SNW_DO_EXAMPLE_MASK);
		}
		for (uint32_t i = 0; i < scene->field_count; i++) {
			const snw_field *field = &scene->fields[i];
			if (field->mesh == mesh && field->domain == SNW_DOMAIN_POINTS && field->components == 1 &&
				snw_gui_row(field->name, NULL, mask == i)) {
				snw_emit_text(&session->queue, SNW_DO_EXAMPLE_MASK, field->name);
			}
		}
		snw_gui_list_end();
	} else {
		snw_gui_hint(snw_command_help(SNW_DO_EXAMPLE_MASK));
	}
	snprintf(painted, sizeof painted, "%s%.150s", mask == SNW_NONE ? "mask-" : "",
			 mask == SNW_NONE ? group->name : scene->fields[mask].name);
	if (snw_gui_small_button(mask == SNW_NONE ? "Paint mask" : "Edit mask")) {
		snw_emit_text(&session->queue, SNW_DO_PAINT_FIELD, painted);
	}
	snw_gui_hint("Selects the paint brush: paint 1 where the group moves the skin, 0 elsewhere. Then choose the field above.");
	snw_gui_same_line_for("Remove from group");
	if (snw_gui_small_button("Remove from group")) {
		snw_emit_text(&session->queue, SNW_DO_EXAMPLE_LEAVE, group->name);
	}
	snw_gui_hint(snw_command_help(SNW_DO_EXAMPLE_LEAVE));
}

/* Named falloffs; the one that the group has is marked. */
static void offer_falloffs(snw_session *session, uint32_t group) {
	snw_gui_width(-1);
	if (!snw_gui_list_begin("##falloff", "Falloff…")) {
		snw_gui_hint("A named falloff: how the examples of the group fade in and out with the pose. The curves above show it.");
		return;
	}
	snw_arena *scratch = snw_arena_create();
	uint32_t count;
	const snw_group_falloffs *of_method = snw_group_falloffs_of_method(session->document->scene, session->registry);
	const snw_group_falloff *list = snw_group_falloffs_list(of_method, snw_group_falloffs_path(scratch), scratch, &count);
	const char *settings = snw_group_falloff_of(session->document->scene, session->registry, group, scratch);
	for (uint32_t i = 0; i < count && settings; i++) {
		char title[200];
		const char *name = list[i].is_saved ? list[i].name : snw_sentence_case(list[i].name, title, sizeof title);
		if (snw_gui_row(name, list[i].is_saved ? "Yours" : NULL, strcmp(list[i].settings, settings) == 0)) {
			snw_emit_text(&session->queue, SNW_DO_GROUP_FALLOFF, list[i].name);
		}
	}
	if (settings && snw_gui_row("Save this one…", NULL, false)) {
		snw_emit(&session->queue, SNW_DO_GROUP_FALLOFF_SAVE);
	}
	snw_arena_destroy(scratch);
	snw_gui_list_end();
}

static void offer_combination(snw_session *session, uint32_t group) {
	const snw_scene *scene = session->document->scene;
	snw_gui_width(-1);
	if (!snw_gui_list_begin("##combine", "Combine with group…")) {
		snw_gui_hint("Creates a group driven by the joints of both, for a shape that neither gives alone, with an example in "
					 "which both act.");
		return;
	}
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (g != group && snw_gui_row(scene->groups[g].name, NULL, false)) {
			snw_emit_text(&session->queue, SNW_DO_GROUP_COMBINE, scene->groups[g].name);
		}
	}
	snw_gui_list_end();
}

static void offer_group(snw_session *session, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	snw_gui_width(-1);
	if (!snw_gui_list_begin("##join", "Add example to group…")) {
		snw_gui_hint("An example may be in several groups, each of which moves some of its points.");
		return;
	}
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (snw_group_member(&scene->groups[g], example) == SNW_NONE && snw_gui_row(scene->groups[g].name, NULL, false)) {
			snw_emit_text(&session->queue, SNW_DO_EXAMPLE_JOIN, scene->groups[g].name);
		}
	}
	snw_gui_list_end();
}

void snw_panel_group(snw_session *session, bool is_revealed) {
	const snw_scene *scene = session->document->scene;
	const uint32_t index = session->state.group, example = session->state.example;
	const bool chosen = index < scene->group_count;
	char title[300];
	snprintf(title, sizeof title, "GROUP  %.200s###GROUP", chosen ? scene->groups[index].name : "");
	if (!snw_gui_section(title)) {
		return;
	}
	snw_panel_button(session, SNW_DO_GROUP_ADD, "New…", scene->mesh_count > 0);
	snw_gui_same_line_for("Rename…");
	snw_panel_button(session, SNW_DO_GROUP_NAME, "Rename…", chosen);
	snw_gui_same_line_for("Delete##group");
	snw_panel_button(session, SNW_DO_GROUP_REMOVE, "Delete##group", chosen);
	if (chosen) {
		panel_group_curve(session);
		offer_falloffs(session, index);
		list_joints(session, &scene->groups[index]);
		if (example < scene->example_count && snw_group_member(&scene->groups[index], example) != SNW_NONE) {
			choose_mask(session, &scene->groups[index], example);
		}
	}
	if (chosen && scene->group_count > 1) {
		offer_combination(session, index);
	}
	if (example < scene->example_count && scene->group_count > 0) {
		offer_group(session, example);
	}
	if (is_revealed) {
		snw_gui_scroll_into_view();
	}
}
