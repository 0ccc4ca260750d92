/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joint drives the chosen example, the others that could, and a warning if the joint does not move its points.
 */
#include <stdio.h>

#include "example/groups.h"
#include "example/sides.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"
#include "window/session/drivers.h"

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
