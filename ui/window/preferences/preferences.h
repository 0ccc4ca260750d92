/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preferences, keys, recent projects and open sessions, as editable text under XDG paths.
 *
 *     $XDG_CONFIG_HOME/sinew/preferences   "navigation maya"
 *     $XDG_CONFIG_HOME/sinew/keys          "undo Ctrl+Z", for what differs from the table
 *     $XDG_STATE_HOME/sinew/recent         a path a line, the latest first
 *     $XDG_STATE_HOME/sinew/folders        the same for folders of the file dialog
 *     $XDG_STATE_HOME/sinew/sessions/PID   the project that a running window has open
 *
 * (Views of projects are in view_file.h.)
 */
#ifndef SINEW_UI_WINDOW_PREFERENCES_PREFERENCES_H
#define SINEW_UI_WINDOW_PREFERENCES_PREFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/command_table/command.h"

enum { SNW_RECENT_MOST = 12, SNW_CRASHED_MOST = 4, SNW_FOLDERS_MOST = 8, SNW_KEYS_SIZE = 64 };

typedef enum snw_navigation { SNW_NAVIGATION_BLENDER = 0, SNW_NAVIGATION_MAYA = 1 } snw_navigation;

/* The unit of lengths in the window. Automatic: by the size of the character. */
typedef enum snw_length_unit {
	SNW_LENGTH_AUTOMATIC = 0,
	SNW_LENGTH_MILLIMETRES,
	SNW_LENGTH_CENTIMETRES,
	SNW_LENGTH_METRES,
	SNW_LENGTH_UNITS
} snw_length_unit;

/* What the error table shows: lengths, or the E_RMS of the papers. */
typedef enum snw_error_unit { SNW_ERRORS_AS_LENGTHS = 0, SNW_ERRORS_AS_ERMS, SNW_ERROR_UNITS } snw_error_unit;

typedef struct snw_preferences {
	snw_navigation navigation;
	snw_length_unit length_unit;
	snw_error_unit error_unit;
	double text_size;    /* the factor for the text size; 1 */
	bool drag_orbits;    /* the left button orbits if there is nothing else to drag */
	bool antialiasing;   /* smooth edges in the viewport */
	uint32_t pixel_size; /* of the viewport's picture: the window's pixels, to a side, that each of its pixels covers */
	bool shadows;        /* on the character and on the ground */
	/* A pen's pressure changes the brush's strength and radius, and its tilt widens the brush. */
	bool pen_strength, pen_radius, pen_tilt;
	double stabiliser;                      /* the length of the string by which the mouse or pen pulls the brush; 0: none */
	double outliner_width, side_width;      /* of the panels, for text of the usual size; 0: the usual ones */
	char keys[SNW_DO_COUNT][SNW_KEYS_SIZE]; /* as in the command table */
	uint32_t recent_count;
	char recent[SNW_RECENT_MOST][1024];
	uint32_t folder_count;
	char folders[SNW_FOLDERS_MOST][1024]; /* of the file dialog, the latest first */
	uint32_t crashed_count;               /* projects of crashed sessions, found at the start */
	char crashed[SNW_CRASHED_MOST][1024];
	char config[1024], state[1024], data[1024]; /* folders; empty: none */
	char fault[500];                            /* why a file could not be written; empty: no error */
} snw_preferences;

void snw_preferences_load(snw_preferences *preferences);
/* "navigation maya". False, with a message in `fault`, if it is no preference. It is saved at once. */
bool snw_preferences_set(snw_preferences *preferences, const char *line);
/* "undo Ctrl+Z": the command and its keys, as the table writes them. False, with a message in `fault`, if it cannot be read. */
bool snw_preferences_read_keys(snw_preferences *preferences, const char *line, snw_command_id *id, char keys[SNW_KEYS_SIZE]);
/* Gives the keys to the command, and saves them. */
void snw_preferences_bind(snw_preferences *preferences, snw_command_id id, const char keys[SNW_KEYS_SIZE]);

/* Keys for all commands: Sinew's own, and those that follow Blender's. */
enum { SNW_KEY_PRESETS = 2 };
extern const char *const snw_key_presets[SNW_KEY_PRESETS];
/* The preset that the keys are; SNW_KEY_PRESETS: none. */
uint32_t snw_preferences_key_preset(const snw_preferences *preferences);
/* Replaces all keys by those of a preset, by name, and saves them. False, with a message in `fault`, if there is none. */
bool snw_preferences_use_key_preset(snw_preferences *preferences, const char *name);

/* A project was opened: it becomes the most recent one, and that of this process. True if another session with it ended
 * without closing it. */
bool snw_preferences_opened(snw_preferences *preferences, const char *path);
/* A file was chosen in this folder: it becomes the most recent one. */
void snw_preferences_used_folder(snw_preferences *preferences, const char *folder);
/* Removes the files of crashed sessions. */
void snw_preferences_forget_crashed(snw_preferences *preferences);
/* After this process has closed its project. */
void snw_preferences_forget_open(snw_preferences *preferences);
/* The folder for projects whose folder was not chosen. */
const char *snw_preferences_data_folder(const snw_preferences *preferences);

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

/* Keys as text: "Ctrl+Shift+Z", "Keypad1"; several are separated by spaces. "hold:B" acts until the key is released. */

enum { SNW_KEY_SIZE = 64 };

struct SDL_KeyboardEvent;

/* A pressed key. */
void snw_key_name(const struct SDL_KeyboardEvent *event, char key[SNW_KEY_SIZE]);
/* Whether a key is among these; `before` is its prefix: "" or "hold:". */
bool snw_keys_contain(const char *keys, const char *before, const char *key);

#endif
