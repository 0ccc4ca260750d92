/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joint drives the chosen example, the others that could, and a warning if the joint does not move its points.
 */
#include <stdio.h>

#include "edit/groups.h"
#include "window/panels/panels.h"
#include "window/session/drivers.h"

enum { MOST_OFFERED = 2 };

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

/* Whether a joint of the group moves points of the sculpt, at the sculpt's pose. */
static bool moves_sculpt(const snw_group *group, const snw_drivers *drivers) {
	for (uint32_t i = 0; i < drivers->count; i++) {
		if (drivers->items[i].share >= SNW_LEAST_DRIVEN && drives(group, drivers->items[i].joint)) {
			return true;
		}
	}
	return group->joint_count == 0; /* the method chooses them by the same rule */
}

static void write_state(const snw_scene *scene, const snw_group *group, const snw_drivers *known, char *words, size_t size) {
	if (!group) {
		snprintf(words, size, "Not driven: the example is in no group");
	} else if (group->joint_count == 0) {
		snprintf(words, size, "Driven by: chosen automatically");
	} else if (known && !moves_sculpt(group, known)) {
		snprintf(words, size, "%.100s does not move these points", scene->skeleton.names[group->joints[0]]);
	} else {
		snprintf(words, size, "Driven by");
	}
}

static void offer_joint(snw_session *session, uint32_t joint, double share, bool is_current) {
	const char *name = session->document->scene->skeleton.names[joint];
	char text[200], hint[200];
	snprintf(text, sizeof text, "%.150s##driver", name);
	if (snw_gui_row_meter(text, is_current, !is_current, share, (uint32_t)SNW_AMBER) && !is_current) {
		snw_emit_text(&session->queue, SNW_DO_DRIVER, name);
	}
	snprintf(hint, sizeof hint, "Moves %.0f %% of what is sculpted here.%s", 100 * share,
			 is_current ? "" : " Click to let it drive the example.");
	snw_gui_hint(hint);
}

/* The group's joints, then those that would drive the example best. */
static void offer_joints(snw_session *session, const snw_group *group, const snw_drivers *known) {
	uint32_t offered = 0;
	for (uint32_t i = 0; group && i < group->joint_count; i++) {
		double share = 0;
		for (uint32_t k = 0; k < known->count; k++) {
			share = known->items[k].joint == group->joints[i] ? known->items[k].share : share;
		}
		offer_joint(session, group->joints[i], share, true);
	}
	for (uint32_t i = 0; i < known->count && offered < MOST_OFFERED; i++) {
		const snw_driver *driver = &known->items[i];
		if ((!group || !drives(group, driver->joint)) && driver->share >= SNW_LEAST_DRIVEN) {
			offer_joint(session, driver->joint, driver->share, false);
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
	write_state(scene, group, known, words, sizeof words);
	if (group && group->joint_count > 0 && known && !moves_sculpt(group, known)) {
		snw_gui_alarm_text(words);
	} else {
		snw_gui_quiet_text(words);
	}
	const snw_drivers none = {0};
	offer_joints(session, group, known ? known : &none);
}
