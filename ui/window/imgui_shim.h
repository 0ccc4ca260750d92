/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dear ImGui behind C: the few widgets and strokes that the window's panels are made of, in Sinew's dark theme. There is one
 * at a time, since Dear ImGui keeps its own state. Sizes are in the desktop's units, from the window's top left corner.
 */
#ifndef SINEW_UI_WINDOW_IMGUI_SHIM_H
#define SINEW_UI_WINDOW_IMGUI_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct SDL_Window;
union SDL_Event;

/* `font` is a TrueType file, or NULL for plain letters; `scale` is that of the display. */
bool snw_gui_create(struct SDL_Window *window, void *gl, const char *font, float scale);
void snw_gui_destroy(void);

void snw_gui_event(const union SDL_Event *event);
bool snw_gui_wants_mouse(void); /* a panel is under it, or is being dragged */
bool snw_gui_wants_keys(void);  /* text is being typed */

void snw_gui_frame_begin(void);
void snw_gui_frame_end(void); /* draws the panels over what is in the window */

typedef enum snw_panel_kind {
	SNW_PANEL_PADDED = 0,
	SNW_PANEL_BARE = 1,  /* without padding: for strips and strokes */
	SNW_PANEL_GLASS = 2, /* strokes over the viewport; the mouse goes through */
} snw_panel_kind;

/* What lies between begin and end stands in the panel, line by line. */
void snw_gui_panel_begin(const char *name, float x, float y, float width, float height, snw_panel_kind kind);
void snw_gui_panel_end(void);
void snw_gui_heading(const char *text);
void snw_gui_words(const char *text);
void snw_gui_hint(const char *text); /* of the widget before: while the mouse rests on it */

/* Each returns whether it was used in this frame. */
bool snw_gui_row(const char *text, const char *key, bool chosen); /* a line of a list, its key at the right */
bool snw_gui_switch(const char *text, const char *key, bool on);
bool snw_gui_list_begin(const char *name, const char *current); /* a list that unfolds; end it only when true */
void snw_gui_list_end(void);
/* A strip to drag along: while held, *fraction (0 to 1) is where the mouse is. */
bool snw_gui_strip(const char *name, float x, float y, float width, float height, float *fraction);

/* Strokes on the panel that is open. Colours are 0xRRGGBBAA. */
void snw_gui_fill(float x, float y, float width, float height, float rounding, uint32_t color);
void snw_gui_gradient(float x, float y, float width, float height, uint32_t top, uint32_t bottom);
void snw_gui_triangle(float x0, float y0, float x1, float y1, float x2, float y2, uint32_t color);
void snw_gui_write(float x, float y, uint32_t color, const char *text);
float snw_gui_width_of(const char *text);
float snw_gui_line_height(void);

#ifdef __cplusplus
}
#endif

#endif
