/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chosen group: the joints that drive it, and which points of the chosen example it moves.
 */
#include <stdio.h>
#include <string.h>

#include "example/groups.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"

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
		snw_panel_group_curve(session);
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
