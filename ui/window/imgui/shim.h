/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dear ImGui behind C: the widgets and strokes of the window's panels, in Sinew's dark theme. There is one instance, because
 * Dear ImGui has global state. Sizes are in the desktop's units, from the window's top left corner.
 */
#ifndef SINEW_UI_WINDOW_IMGUI_SHIM_H
#define SINEW_UI_WINDOW_IMGUI_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct SDL_Window;
union SDL_Event;

/* The scale of everything: `scale` times its size in the desktop's units, each of which is `density` pixels. */
typedef struct snw_gui_size {
	float scale, density;
} snw_gui_size;

/* `font` is a TrueType file, or NULL for a plain built-in font. */
bool snw_gui_create(struct SDL_Window *window, void *gl, const char *font, snw_gui_size size);
bool snw_gui_rescale(const char *font, snw_gui_size size); /* text and spacing of another size */
void snw_gui_destroy(void);
/* Releases the objects on the GPU, and creates them again in another context. */
void snw_gui_release_context(void);
bool snw_gui_use_context(void);

void snw_gui_event(const union SDL_Event *event);
bool snw_gui_wants_mouse(void); /* it is over a panel, or drags one */
bool snw_gui_holds_ctrl(void);
bool snw_gui_wants_keys(void);    /* text is being typed */
bool snw_gui_alt_up(void);        /* Alt and the upper arrow key were pressed in this redraw */
void snw_gui_release_focus(void); /* ends typing or dragging */
bool snw_gui_close_lists(void); /* closes open menus and lists, but not the dialog that they may be in; false if none is open */

void snw_gui_redraw_begin(void);
bool snw_gui_redraw_end(void);    /* whether the panels look different from those of the last redraw */
bool snw_gui_is_outdated(void);   /* whether they look different from those that were drawn last */
bool snw_gui_lacks_letters(void); /* the next redraw has characters that this one lacked */
/* A character that is drawn as a box with its number, because no font of the system has it; 0: none. */
uint32_t snw_gui_boxed_letter(void);
void snw_gui_draw(void); /* draws the panels over the window's contents */

/* Of the panels, which have no background of their own: the window is filled with it before the panels are drawn. To fill a
 * pixel with a colour costs less than to blend a panel over it. */
extern const float snw_gui_panel_color[3];

typedef enum snw_panel_kind {
	SNW_PANEL_PADDED = 0,
	SNW_PANEL_BARE = 1,  /* without padding: for strips and strokes */
	SNW_PANEL_GLASS = 2, /* strokes over the viewport; the mouse goes through */
	SNW_PANEL_CARD = 3,  /* padded, over the viewport, which it covers */
} snw_panel_kind;

/* Widgets between begin and end are in the panel, one below another. */
void snw_gui_panel_begin(const char *name, float x, float y, float width, float height, snw_panel_kind kind);
void snw_gui_panel_end(void);
void snw_gui_child_begin(const char *name,
						 float height);      /* scrolls separately; 0: the remaining height; below 0: all but this much */
void snw_gui_scroll_begin(const char *name); /* the rest of the panel, which looks as before but scrolls */
void snw_gui_child_end(void);                /* of either */
void snw_gui_title(const char *text);        /* large, for a single name */
void snw_gui_heading(const char *text);
void snw_gui_text(const char *text);
void snw_gui_quiet_text(const char *text);
void snw_gui_alarm_text(const char *text);
void snw_gui_label(const char *text); /* before a widget in the same line */
void snw_gui_hide_help(bool hides);   /* for pictures: no help is drawn */
void snw_gui_hint(const char *text);  /* help for the previous widget, shown while the mouse rests on it */
void snw_gui_spacing(void);
void snw_gui_line_of_fields(void); /* switches and rows in the line that begins stand in the middle of its fields */
void snw_gui_same_line(float x);   /* the next widget is on the same line, at x from the panel's edge; 0: directly after */
/* The next button or switch with this text is on the same line if there is room for it. */
void snw_gui_same_line_for(const char *text);
void snw_gui_width(float width);     /* of the next widget; below 0: up to this far from the right edge */
float snw_gui_available_width(void); /* the remaining width of the line */
void snw_gui_indent(float by);       /* of what follows; below 0: back */
void snw_gui_push(int id);           /* distinguishes widgets with the same name */
void snw_gui_pop(void);
void snw_gui_quiet_begin(void); /* text of less importance */
void snw_gui_quiet_end(void);
void snw_gui_disabled_begin(bool grey); /* widgets that cannot be used */
void snw_gui_disabled_end(void);

/* The menu bar along the top; `height` receives its height. */
bool snw_gui_menu_bar_begin(float *height);
void snw_gui_menu_bar_end(void);
bool snw_gui_menu_begin(const char *text); /* end it only if true */
void snw_gui_menu_end(void);
bool snw_gui_menu_item(const char *text, const char *keys, bool chosen, bool usable);
void snw_gui_menu_separator(void);

/* A modal dialog in the middle; it dims everything behind it. Height 0: as needed. `close` is set when its close button is
 * clicked. */
void snw_gui_dialog_begin(const char *title, float width, float height, bool *close);
void snw_gui_dialog_end(void);

/* Each returns whether it was used in this redraw. */
bool snw_gui_button(const char *text, bool is_main);              /* Return uses the main button of a dialog */
bool snw_gui_quiet_button(const char *text);                      /* for what is used less than the buttons beside it */
bool snw_gui_row(const char *text, const char *key, bool chosen); /* a row of a list, with a key at the right */
/* Whether the next row of a list is scrolled out of sight; it then has its place, and nothing is to be drawn of it. Never
 * during a drag, or while a menu is open, which may belong to the row. */
bool snw_gui_row_is_out(const char *text);
bool snw_gui_double_clicked(void); /* the previous widget */
/* With a bar at the right. */
bool snw_gui_row_meter(const char *text, bool chosen, bool is_quiet, double fraction, uint32_t color);
/* A row with quiet texts in columns, of these widths, at the right. */
bool snw_gui_row_columns(const char *text, const char *const *columns, const float *widths, uint32_t count, bool chosen);
bool snw_gui_row_quiet(const char *text, const char *note, bool chosen, bool is_quiet);
bool snw_gui_row_narrow(const char *text, float width, bool chosen, bool is_quiet); /* a row that leaves room at its right */
/* A square to click, in which the caller draws; `text` is its name for scripts. */
bool snw_gui_icon(const char *text, float side);
bool snw_gui_tile(const char *text, float width, bool chosen); /* a button that stays pressed */
/* A tile with its text small, at its foot; the caller draws above it. */
bool snw_gui_picture_tile(const char *text, float width, float height, bool chosen);
bool snw_gui_quiet_tile(const char *text, float width); /* for what is used less than the tiles beside it */
bool snw_gui_small_button(const char *text);
bool snw_gui_switch(const char *text, const char *key, bool on);
/* Side by side, one of them selected, each with its hint. */
bool snw_gui_choice(const char *const *texts, const char *const *hints, uint32_t count, uint32_t *chosen);
bool snw_gui_list_begin(const char *name, const char *current);          /* a drop-down list; end it only if true */
bool snw_gui_list_begin_labelled(const char *name, const char *current); /* with the given width, and its name after it */
void snw_gui_list_end(void);
bool snw_gui_popup_begin(const char *text); /* a small button that opens a list over the panel; end it only if true */
void snw_gui_popup_end(void);
bool snw_gui_context_menu_begin(void); /* of the previous widget, at a right click; end it, with popup_end, only if true */
/* A menu at the mouse, from the redraw on in which it `opens`; end it, with popup_end, only if true. */
bool snw_gui_menu_at_mouse_begin(const char *name, bool opens);
/* The last widget can be dragged, with two numbers as data, which count in the document of that number; or accepts a drop of
 * this kind. */
void snw_gui_drag(const char *kind, uint64_t document, const int values[2], const char *words);
bool snw_gui_dropped(const char *kind, uint64_t document, int values[2]);
bool snw_gui_section(const char *text); /* a section that can be folded; true while it is open */
/* A row of a tree at a depth; text that is too long ends in …. `open` NULL for a leaf. */
bool snw_gui_tree_row(const char *text, float indent, bool *open, bool chosen);
void snw_gui_scroll_into_view(void); /* to the previous widget, if it is not visible */
/* A strip to drag along: while pressed, *fraction (0 to 1) is the mouse's position. */
bool snw_gui_scrubber(const char *name, float x, float y, float width, float height, float *fraction);
bool snw_gui_scrubber_pressed(void); /* the button was pressed in this redraw */
/* Text to type. */
typedef enum snw_typed {
	SNW_TYPED_NOTHING = 0,
	SNW_TYPED_SOME = 1,
	SNW_TYPED_RETURN = 2,
	SNW_TYPED_ENDED = 3, /* by Escape, or by a click elsewhere */
	SNW_TYPED_UP = 4,    /* an arrow key, in a field with a completion */
	SNW_TYPED_DOWN = 5,
} snw_typed;
snw_typed snw_gui_text_input(const char *name, const char *hint, char *text, size_t size, bool take_keys);

/* The same with a completion, which is shown after the text, and which Tab adds. `text` may be replaced while it is typed. */
snw_typed snw_gui_completed_input(const char *name, const char *hint, const char *completion, char *text, size_t size,
								  bool take_keys);

/* A number to drag or to type. */
typedef struct snw_number {
	double least, most;           /* what may be typed */
	double soft_least, soft_most; /* a slider's ends; equal: it is dragged by `step` a unit instead */
	double step;
	bool is_log, is_whole;
	const char *format; /* "%.1f°" */
	const char *zero;   /* what is shown for 0: "None"; NULL: its digits */
	float name_width;   /* of the name after the field, which is shortened to it; 0: as wide as it is */
} snw_number;
typedef enum snw_edit_state {
	SNW_EDIT_NONE = 0,
	SNW_EDIT_LIVE = 1,
	SNW_EDIT_DONE = 2,
	SNW_EDIT_CANCELLED = 3, /* by Escape or snw_gui_cancel_drag, or it ends as it began: it is what it was before the edit */
} snw_edit_state;
/* An upright edge of the current panel, at x, to drag: *at becomes its new position. */
snw_edit_state snw_gui_edge(const char *name, float x, float y, float height, float *at);
/* While it is edited it shows what the edit has made of it, whatever `value` is. */
snw_edit_state snw_gui_number(const char *name, const snw_number *kind, double *value);
/* Whether a number, an edge, a colour or a row is dragged; ends that drag without its effect, false if there is none. */
bool snw_gui_is_dragging(void);
bool snw_gui_cancel_drag(void);
/* A colour in sRGB, 0 to 1: text to type (#ff8800), and a swatch that opens a picker. */
snw_edit_state snw_gui_color(const char *name, float color[3]);
/* A line of text that takes effect when its field loses the focus. */
snw_edit_state snw_gui_line(const char *name, const char *hint, char *text, size_t size);
void snw_gui_progress(double fraction, const char *words);

/* Carets do not blink, so that pictures are reproducible. */
void snw_gui_freeze_carets(void);

/* The places of all named widgets in the last redraw, for scripts. They are recorded after snw_gui_track. */
typedef struct snw_gui_place {
	char name[256]; /* "panel/text" */
	float x, y, width, height;
	bool is_explained; /* it has a hint */
	bool is_words;     /* to be read, not used */
	bool is_out;       /* a row that is scrolled out of sight: it was not drawn */
} snw_gui_place;
void snw_gui_track(bool on);
void snw_gui_track_text(const char *name, float x, float y, float width, float height); /* for what is written by strokes */
uint32_t snw_gui_places(const snw_gui_place **places);

/* Strokes on the current panel. Colours are 0xRRGGBBAA. */
void snw_gui_fill(float x, float y, float width, float height, float rounding, uint32_t color);
void snw_gui_gradient(float x, float y, float width, float height, uint32_t top, uint32_t bottom);
void snw_gui_triangle(float x0, float y0, float x1, float y1, float x2, float y2, uint32_t color);
void snw_gui_write(float x, float y, uint32_t color, const char *text);
void snw_gui_write_small(float x, float y, uint32_t color, const char *text);
/* `points` [count][2]. */
void snw_gui_polyline(const float *points, uint32_t count, float thickness, uint32_t color, bool closed);
void snw_gui_polygon(const float *points, uint32_t count, uint32_t color);                  /* convex */
void snw_gui_write_within(float x, float y, float width, uint32_t color, const char *text); /* truncated with … */
/* Text in a box over everything, with as many lines as needed in `width`: its lower left corner at (x, bottom), `name` for
 * scripts. */
void snw_gui_floating_text(const char *name, float x, float bottom, float width, uint32_t color, const char *text);
/* An sRGB texture of the window's context, as it is stored. */
void snw_gui_picture(uint32_t texture, float x, float y, float width, float height);
void snw_gui_move_to(float x, float y); /* the place of the next widget */
float snw_gui_panel_width(void);
void snw_gui_disc(float x, float y, float radius, uint32_t color);
void snw_gui_cursor(float *x, float *y);           /* the place of the next widget */
void snw_gui_reserve(float width, float height);   /* space for strokes, like a widget */
bool snw_gui_reserved_hovered(float *x, float *y); /* the mouse is over that space, at (x, y) from its corner */
float snw_gui_width_of(const char *text);
float snw_gui_small_width_of(const char *text);
float snw_gui_line_height(void);

/* ---- wrapping ------------------------------------------------------------------------------------------------------------ */

/* Lines of a text. Dear ImGui also breaks lines after a dot, which would part "4.12", and between a number and its unit. */

/* Replaces blanks by line ends, so that no line of several words is wider than `width`, as `measure` has it. */
void snw_wrap(char *text, float width, float (*measure)(const char *begin, const char *end));

/* ---- packages of fonts --------------------------------------------------------------------------------------------------- */

/* Which package has a font for a character that no installed font has. */

/* The name that Debian and Ubuntu give the package; NULL if none is known, as for private characters. */
const char *snw_font_package(uint32_t character);

#ifdef __cplusplus
}
#endif

#endif
