/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The examples by group, with how much each acts at the pose that is shown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/panels.h"

static void draw_row(snw_session *session, uint32_t example) {
	const snw_document *document = session->document;
	const snw_example_bar *bar = &session->studio.bars[example];
	const char *name = document->scene->examples[example].name;
	const bool muted = document->muted[example];
	snw_gui_grey_begin(false);
	if (snw_gui_row_meter(name, session->state.example == example, muted || !bar->is_fitted ? 0 : fabs(bar->weight),
						  muted ? (uint32_t)SNW_TICK : (uint32_t)SNW_AMBER)) {
		snw_emit_text(&session->queue, SNW_DO_EXAMPLE, name);
		if (snw_gui_double_clicked()) {
			snw_emit_text(&session->queue, SNW_DO_EXAMPLE_GO, name);
		}
	}
	snw_gui_grey_end();
	char words[200];
	snprintf(words, sizeof words, "%s%s: weight %.3f here. Double-click goes to its pose.", muted ? "Muted. " : "", name,
			 bar->weight);
	snw_gui_hint(bar->is_fitted ? words : "Not fitted yet. Double-click goes to its pose.");
}

static void list_examples(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const float line = snw_gui_line_height() * 1.35f;
	const float wanted = line * (float)(scene->example_count + scene->group_count) + 14;
	snw_gui_box_begin("examples", fminf(fmaxf(wanted, 3 * line), 13 * line));
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		snw_gui_quiet_words(group->name);
		snw_gui_push((int)g);
		for (uint32_t i = 0; i < group->member_count; i++) {
			draw_row(session, group->members[i].example);
		}
		snw_gui_pop();
	}
	for (uint32_t i = 0; i < scene->example_count; i++) {
		bool grouped = false;
		for (uint32_t g = 0; g < scene->group_count; g++) {
			for (uint32_t m = 0; m < scene->groups[g].member_count; m++) {
				grouped = grouped || scene->groups[g].members[m].example == i;
			}
		}
		if (!grouped) {
			draw_row(session, i);
		}
	}
	if (scene->example_count == 0) {
		snw_gui_quiet_words("None yet. Bend a joint, then sculpt what the skin should look like there.");
	}
	snw_gui_box_end();
}

void snw_panel_examples(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const bool chosen = session->state.example < scene->example_count;
	const bool here = chosen && session->state.clip == SNW_NONE && !session->hand &&
					  scene->examples[session->state.example].pose == session->state.pose;
	char title[60];
	snprintf(title, sizeof title, "EXAMPLES  %u###EXAMPLES", scene->example_count);
	if (!snw_gui_section(title)) {
		return;
	}
	list_examples(session);
	const struct {
		snw_command_id id;
		const char *text;
		bool usable;
	} buttons[] = {{SNW_DO_EXAMPLE_ADD, "Add", scene->mesh_count > 0},
				   {SNW_DO_EXAMPLE_GO, "Go to", chosen},
				   {SNW_DO_EXAMPLE_UPDATE, "Update", here},
				   {SNW_DO_EXAMPLE_REMOVE, "Delete", chosen},
				   {SNW_DO_EXAMPLE_SOLO, "Solo", chosen},
				   {SNW_DO_EXAMPLE_MUTE, "Mute", chosen},
				   {SNW_DO_EXAMPLE_MIRROR, "Mirror", chosen},
				   {SNW_DO_SUGGEST, "Suggest", scene->example_count > 1 || snw_session_clip_target(session) != SNW_NONE}};
	const float gap = snw_gui_line_height() * 0.4f, width = (snw_gui_room() - 3 * gap) / 4;
	float x = 0, y = 0;
	snw_gui_cursor(&x, &y);
	for (uint32_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
		if (i % 4 > 0) {
			snw_gui_move_to(x + (float)(i % 4) * (width + gap), y);
		} else {
			snw_gui_cursor(&x, &y);
		}
		snw_panel_tile(session, buttons[i].id, buttons[i].text, width, buttons[i].usable);
	}
}
