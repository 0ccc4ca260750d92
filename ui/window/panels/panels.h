/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The panels, one file each; in folders those of the tabs Shape and Stack, and the timeline. They read the session and queue
 * commands. Their only state is text that is being typed and which lists are open.
 */
#ifndef SINEW_UI_WINDOW_PANELS_PANELS_H
#define SINEW_UI_WINDOW_PANELS_PANELS_H

#include <stdint.h>

#include "window/imgui/shim.h"
#include "window/input/input.h"
#include "window/session/session.h"

enum {
	SNW_INK = (int)0xe1e3e8ff,
	SNW_QUIET = (int)0x8f949eff,
	SNW_PALE = (int)0xb3b8bfff,
	SNW_AMBER = (int)0xeda847ff,
	SNW_ALARM = (int)0xf0705aff,
	SNW_GROOVE = 0x2a2c32ff,
	SNW_TICK = 0x4a4e57ff,
	SNW_TRUTH = (int)0x8f6c3cff,
	SNW_SHADE = 0x000000a0,
	SNW_GLASS = 0x14151aa8, /* behind text over the viewport */
};

/* Draws all panels; `menu_height` receives the height of the menu. */
void snw_panels_draw(const snw_layout *layout, snw_session *session, const snw_input *input, float *menu_height);

void snw_panel_menu(snw_session *session, float *height);

void snw_panel_outliner(const snw_layout *layout, snw_session *session);
void snw_panel_timeline(const snw_layout *layout, snw_session *session);

/* The menu of what is under the mouse, once it is asked for. */
void snw_panel_viewport_menu(snw_session *session);
void snw_panel_viewport(const snw_layout *layout, snw_session *session, const snw_input *input);
/* In the right panel. */
void snw_panel_joint(snw_session *session);
void snw_panel_brush(snw_session *session);
void snw_panel_weights(snw_session *session);
void snw_panel_shape_weights(snw_session *session);
void snw_panel_examples(snw_session *session);
void snw_panel_sculpt_layers(snw_session *session); /* of the chosen example */
void snw_panel_driver(snw_session *session);
void snw_panel_group(snw_session *session, bool is_revealed);

void snw_panel_stack(snw_session *session);
void snw_panel_parameters(snw_session *session, const snw_layer *layer);
void snw_panel_samples(snw_session *session, const snw_layer *layer); /* what its fits read */

/* The switch between lengths and E_RMS. */
void snw_panel_error_unit(snw_session *session);
void snw_panel_bake(snw_session *session);

void snw_panel_view(snw_session *session);

/* The edge of a panel, which can be dragged: 0 for the right edge of the left panel, 1 for the left edge of the right one. */
void snw_panel_edge(snw_session *session, const snw_layout *layout, int panel);

/* A button for a command without values, with its help; grey while the command cannot run. What deletes is drawn fainter. */
bool snw_panel_button(snw_session *session, snw_command_id id, const char *text, bool usable);
/* The same as a tile of this width, which may be lit. */
void snw_panel_tile(snw_session *session, snw_command_id id, const char *text, float width, bool usable, bool on);
/* A switch for a command without values. */
void snw_panel_switch(snw_session *session, snw_command_id id, bool on);

/* ---- row menu ------------------------------------------------------------------------------------------------------------ */

/* What rows of lists share: a menu at a right click, and renaming in place. */

/* An entry of a row's menu: the row is selected, then the command runs. `text`: NULL for the command's title. */
void snw_row_menu_item(snw_session *session, const snw_command *select, snw_command_id id, const char *text, bool usable);
/* "Rename": the row becomes a field. `id` renames what is selected. */
void snw_row_menu_rename(const snw_command *select, snw_command_id id, const char *name);
/* In place of the row with this name while it is being renamed: draws the field and returns true. */
bool snw_row_rename_draw(snw_session *session, snw_command_id id, const char *name);

/* ---- scene menus --------------------------------------------------------------------------------------------------------- */

/* What menus offer for a mesh and for a joint: in the outliner's rows and in the viewport. */

/* Between the beginning and the end of a menu. */
void snw_mesh_menu_items(snw_session *session, uint32_t mesh);
void snw_joint_menu_items(snw_session *session, uint32_t joint);

#endif
