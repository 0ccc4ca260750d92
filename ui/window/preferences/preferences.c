/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads and writes the files. A file that is missing or cannot be written does not affect the others.
 */
#include "window/preferences/preferences.h"

#include <SDL.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

/* Names of SDL keys, and parsing of typed ones. */

static const struct {
	uint32_t bits;
	const char *name;
} modifier_names[] = {{KMOD_CTRL, "Ctrl+"}, {KMOD_ALT, "Alt+"}, {KMOD_SHIFT, "Shift+"}};
enum { MODIFIERS = sizeof modifier_names / sizeof *modifier_names };

static const char HOLD[] = "hold:";

static void write_key_name(uint32_t modifiers, SDL_Keycode key, char text[SNW_KEY_SIZE]) {
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < MODIFIERS; i++) {
		used += modifiers & modifier_names[i].bits
					? (size_t)snprintf(text + used, SNW_KEY_SIZE - used, "%s", modifier_names[i].name)
					: 0;
	}
	for (const char *c = SDL_GetKeyName(key); *c && used + 1 < SNW_KEY_SIZE; c++) {
		if (*c != ' ') {
			text[used++] = *c;
		}
	}
	text[used] = '\0';
}

void snw_key_name(const struct SDL_KeyboardEvent *event, char text[SNW_KEY_SIZE]) {
	write_key_name(event->keysym.mod, event->keysym.sym, text);
}

bool snw_keys_contain(const char *keys, const char *before, const char *text) {
	const size_t skipped = strlen(before), length = strlen(text);
	for (const char *at = keys; *at;) {
		const size_t next = strcspn(at, " ");
		if (next == skipped + length && strncmp(at, before, skipped) == 0 && strncmp(at + skipped, text, length) == 0) {
			return true;
		}
		at += next + strspn(at + next, " ");
	}
	return false;
}

/* Some of SDL's names contain a space ("Keypad 1"); these do not. */
static SDL_Keycode key_named(const char *name) {
	static const char pad[] = "Keypad";
	char sdl_name[SNW_KEY_SIZE];
	const bool is_pad = strncasecmp(name, pad, strlen(pad)) == 0;
	snprintf(sdl_name, sizeof sdl_name, "%s%s%s", is_pad ? pad : "", is_pad ? " " : "", name + (is_pad ? strlen(pad) : 0));
	return SDL_GetKeyFromName(sdl_name);
}

static bool read_one(const char *typed, char text[SNW_KEY_SIZE]) {
	uint32_t modifiers = 0;
	for (bool found = true; found;) {
		found = false;
		for (int i = 0; i < MODIFIERS && !found; i++) {
			const size_t length = strlen(modifier_names[i].name);
			if (strncasecmp(typed, modifier_names[i].name, length) == 0 && typed[length]) {
				modifiers |= modifier_names[i].bits;
				typed += length;
				found = true;
			}
		}
	}
	const SDL_Keycode key = key_named(typed);
	write_key_name(modifiers, key, text);
	return key != SDLK_UNKNOWN;
}

/* Normalises keys that a person typed ("shift+ctrl+z"). On failure returns false, and `keys` becomes the invalid one. */
static bool keys_parse(const char *typed, char *keys, size_t size) {
	char rest[256], text[SNW_KEY_SIZE], *cursor;
	size_t used = 0;
	snprintf(rest, sizeof rest, "%s", typed);
	keys[0] = '\0';
	for (char *word = strtok_r(rest, " ", &cursor); word; word = strtok_r(NULL, " ", &cursor)) {
		const bool acts_while_down = strncasecmp(word, HOLD, strlen(HOLD)) == 0;
		if (!read_one(word + (acts_while_down ? strlen(HOLD) : 0), text)) {
			snprintf(keys, size, "%s", word);
			return false;
		}
		used += (size_t)snprintf(keys + used, used < size ? size - used : 0, "%s%s%s", used ? " " : "",
								 acts_while_down ? HOLD : "", text);
	}
	if (used >= size) {
		snprintf(keys, size, "%s", typed);
	}
	return used < size;
}

/* ---- preferences --------------------------------------------------------------------------------------------------------- */

enum { LINE_MOST = 2048 };

/* ---- folders ------------------------------------------------------------------------------------------------------------- */

/* Creates a folder and its parents. */
static bool make_folder(const char *path) {
	char part[1100];
	snprintf(part, sizeof part, "%s", path);
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(part, 0700);
		*slash = '/';
	}
	return mkdir(part, 0700) == 0 || errno == EEXIST;
}

static void find_folder(const char *variable, const char *otherwise, const char *below, char *folder, size_t size) {
	const char *base = getenv(variable), *home = getenv("HOME");
	folder[0] = '\0';
	if (base && base[0] == '/') {
		snprintf(folder, size, "%s/sinew%s", base, below);
	} else if (home && home[0]) {
		snprintf(folder, size, "%s/%s/sinew%s", home, otherwise, below);
	}
}

const char *snw_preferences_data_folder(const snw_preferences *preferences) {
	return preferences->data[0] && make_folder(preferences->data) ? preferences->data : ".";
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

typedef void take_line(snw_preferences *preferences, const char *line);

static void read_lines(snw_preferences *preferences, const char *folder, const char *name, take_line *take) {
	char path[1200], line[LINE_MOST];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = folder[0] ? fopen(path, "r") : NULL;
	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] && line[0] != '#') {
			take(preferences, line);
		}
	}
	if (file) {
		fclose(file);
	}
}

typedef void write_lines(const snw_preferences *preferences, FILE *file);

static void write_file(snw_preferences *preferences, const char *folder, const char *name, write_lines *write) {
	char path[1200];
	snw_error error = {0};
	snw_file_write *file = NULL;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (!folder[0] || !make_folder(folder) || snw_failed(snw_file_write_begin(path, &file, &error))) {
		snprintf(preferences->fault, sizeof preferences->fault, "Preferences cannot be saved in %.120s.", folder);
		return;
	}
	write(preferences, snw_file_write_stream(file));
	if (snw_failed(snw_file_write_commit(file, &error))) {
		snprintf(preferences->fault, sizeof preferences->fault, "%.190s", error.text);
	}
}

/* ---- preferences --------------------------------------------------------------------------------------------------------- */

/* A preference that is yes or no; NULL if the key is another. */
static bool *switch_of(snw_preferences *preferences, const char *key) {
	const struct {
		const char *key;
		bool *value;
	} rows[] = {{"drag-orbits", &preferences->drag_orbits}, {"antialiasing", &preferences->antialiasing},
				{"shadows", &preferences->shadows},         {"pen-strength", &preferences->pen_strength},
				{"pen-radius", &preferences->pen_radius},   {"pen-tilt", &preferences->pen_tilt}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(key, rows[i].key) == 0) {
			return rows[i].value;
		}
	}
	return NULL;
}

static const char *const error_names[SNW_ERROR_UNITS] = {"length", "erms"};
static const char *const length_names[SNW_LENGTH_UNITS] = {"automatic", "mm", "cm", "m"};

/* The index of the value; −1 if it is none of the names. */
static int find_name(const char *const *names, int count, const char *value) {
	for (int i = 0; i < count; i++) {
		if (strcmp(value, names[i]) == 0) {
			return i;
		}
	}
	return -1;
}

static bool take_unit(snw_preferences *preferences, const char *key, const char *value) {
	const bool is_length = strcmp(key, "length-unit") == 0;
	const int found =
		is_length ? find_name(length_names, SNW_LENGTH_UNITS, value) : find_name(error_names, SNW_ERROR_UNITS, value);
	if (found >= 0 && is_length) {
		preferences->length_unit = (snw_length_unit)found;
	} else if (found >= 0) {
		preferences->error_unit = (snw_error_unit)found;
	}
	return found >= 0;
}

static bool take_preference(snw_preferences *preferences, const char *line) {
	char key[40], value[200];
	if (sscanf(line, "%39s %199[^\n]", key, value) != 2) {
		return false;
	}
	if (strcmp(key, "navigation") == 0 && (strcmp(value, "maya") == 0 || strcmp(value, "blender") == 0)) {
		preferences->navigation = strcmp(value, "maya") == 0 ? SNW_NAVIGATION_MAYA : SNW_NAVIGATION_BLENDER;
	} else if (strcmp(key, "text-size") == 0) {
		preferences->text_size = fmin(fmax(strtod(value, NULL), 0.7), 3);
	} else if (strcmp(key, "pixel-size") == 0 && strchr("124", value[0]) && value[1] == '\0') {
		preferences->pixel_size = (uint32_t)(value[0] - '0');
	} else if (switch_of(preferences, key) && (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0)) {
		*switch_of(preferences, key) = strcmp(value, "yes") == 0;
	} else if (strcmp(key, "error-unit") == 0 || strcmp(key, "length-unit") == 0) {
		return take_unit(preferences, key, value);
	} else if (strcmp(key, "stabiliser") == 0) {
		preferences->stabiliser = fmin(fmax(strtod(value, NULL), 0), 200);
	} else if (strcmp(key, "outliner-width") == 0 || strcmp(key, "side-width") == 0) {
		const double width = strtod(value, NULL);
		*(key[0] == 'o' ? &preferences->outliner_width : &preferences->side_width) = width > 0 ? fmin(width, 4000) : 0;
	} else {
		return false;
	}
	return true;
}

static void take_preference_line(snw_preferences *preferences, const char *line) {
	(void)take_preference(preferences, line);
}

static void write_preferences(const snw_preferences *preferences, FILE *file) {
	fprintf(file, "# Sinew's window; Edit > Preferences writes this.\n");
	fprintf(file, "navigation %s\n", preferences->navigation == SNW_NAVIGATION_MAYA ? "maya" : "blender");
	fprintf(file, "text-size %g\n", preferences->text_size);
	fprintf(file, "length-unit %s\n", length_names[preferences->length_unit]);
	fprintf(file, "error-unit %s\n", error_names[preferences->error_unit]);
	fprintf(file, "drag-orbits %s\n", preferences->drag_orbits ? "yes" : "no");
	fprintf(file, "antialiasing %s\n", preferences->antialiasing ? "yes" : "no");
	fprintf(file, "shadows %s\n", preferences->shadows ? "yes" : "no");
	fprintf(file, "pixel-size %u\n", preferences->pixel_size);
	fprintf(file, "pen-strength %s\npen-radius %s\npen-tilt %s\n", preferences->pen_strength ? "yes" : "no",
			preferences->pen_radius ? "yes" : "no", preferences->pen_tilt ? "yes" : "no");
	fprintf(file, "stabiliser %g\n", preferences->stabiliser);
	fprintf(file, "outliner-width %g\nside-width %g\n", preferences->outliner_width, preferences->side_width);
}

bool snw_preferences_set(snw_preferences *preferences, const char *line) {
	if (!take_preference(preferences, line)) {
		snprintf(preferences->fault, sizeof preferences->fault,
				 "%.100s: unknown preference; known are navigation maya|blender, text-size 1.2, drag-orbits yes|no, "
				 "antialiasing yes|no, shadows yes|no, pixel-size 1|2|4, pen-strength yes|no, pen-radius yes|no, "
				 "pen-tilt yes|no, length-unit automatic|mm|cm|m, error-unit length|erms, stabiliser 20, outliner-width 240, "
				 "side-width 300",
				 line);
		return false;
	}
	write_file(preferences, preferences->config, "preferences", write_preferences);
	return true;
}

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

bool snw_preferences_read_keys(snw_preferences *preferences, const char *line, snw_command_id *id, char keys[SNW_KEYS_SIZE]) {
	const size_t length = strcspn(line, " \t");
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		const char *name = snw_command_infos[i].name;
		if (strlen(name) != length || strncmp(name, line, length) != 0) {
			continue;
		}
		if (!keys_parse(line + length + strspn(line + length, " \t"), keys, SNW_KEYS_SIZE)) {
			snprintf(preferences->fault, sizeof preferences->fault,
					 "%.80s is not a key. Write keys as F5, Ctrl+J or Shift+Left, separated by spaces.", keys);
			return false;
		}
		*id = (snw_command_id)i;
		return true;
	}
	snprintf(preferences->fault, sizeof preferences->fault, "%.100s: there is no such command", line);
	return false;
}

static void take_keys_line(snw_preferences *preferences, const char *line) {
	snw_command_id id;
	char keys[SNW_KEYS_SIZE];
	if (snw_preferences_read_keys(preferences, line, &id, keys)) {
		memcpy(preferences->keys[id], keys, sizeof keys);
	}
	preferences->fault[0] = '\0'; /* it may be of another version: keeps what can be read */
}

static void write_keys(const snw_preferences *preferences, FILE *file) {
	fprintf(file, "# COMMAND KEYS: what differs from Sinew's defaults. Several keys are separated by spaces.\n");
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		if (strcmp(preferences->keys[i], snw_command_infos[i].keys) != 0) {
			fprintf(file, "%s %s\n", snw_command_infos[i].name, preferences->keys[i]);
		}
	}
}

void snw_preferences_bind(snw_preferences *preferences, snw_command_id id, const char keys[SNW_KEYS_SIZE]) {
	memcpy(preferences->keys[id], keys, SNW_KEYS_SIZE);
	write_file(preferences, preferences->config, "keys", write_keys);
}

/* Blender's keys for what it has too, as in the keys file: brushes of its sculpt mode (manual of 2.82), views, hiding, masks.
 * Brushes keep their numbers too; what loses its key to them has another one. Every other key is the table's. */
static const char *const blender_keys[] = {
	"brush-draw X 5",
	"brush-clay C 6",
	"brush-inflate I 7",
	"brush-crease Shift+C Shift+2",
	"brush-smooth S 3",
	"brush-flatten Shift+T 8",
	"brush-pinch P Shift+3",
	"brush-grab G 1",
	"brush-mask M Shift+6",
	"brush-morph Shift+M 0",
	"mask-box B",
	"weights-point Shift+X",
	"wireframe Shift+Z",
	"skeleton Alt+Shift+Z",
	"grid",
	"before hold:Z",
	"frame Home",
	"frame-chosen Keypad.",
	"mesh-hide H",
	"mesh-isolate Shift+H Keypad/",
	"mesh-show-all Alt+H",
	"heat E",
	"panels N Ctrl+Space",
	"space ,",
	"picture F12",
	"help F1",
	"keys Shift+F1",
};
enum { BLENDER_KEYS = sizeof blender_keys / sizeof *blender_keys };

const char *const snw_key_presets[SNW_KEY_PRESETS] = {"sinew", "blender"};

/* The keys of all commands under a preset. */
static void write_preset(uint32_t preset, char keys[SNW_DO_COUNT][SNW_KEYS_SIZE]) {
	snw_preferences read = {0};
	snw_command_id id;
	char line[SNW_KEYS_SIZE];
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		snprintf(keys[i], SNW_KEYS_SIZE, "%s", snw_command_infos[i].keys);
	}
	for (int i = 0; preset == 1 && i < BLENDER_KEYS; i++) {
		if (snw_preferences_read_keys(&read, blender_keys[i], &id, line)) {
			memcpy(keys[id], line, sizeof line);
		}
	}
}

uint32_t snw_preferences_key_preset(const snw_preferences *preferences) {
	char keys[SNW_DO_COUNT][SNW_KEYS_SIZE];
	for (uint32_t preset = 0; preset < SNW_KEY_PRESETS; preset++) {
		bool same = true;
		write_preset(preset, keys);
		for (int i = 0; i < SNW_DO_COUNT && same; i++) {
			same = strcmp(keys[i], preferences->keys[i]) == 0;
		}
		if (same) {
			return preset;
		}
	}
	return SNW_KEY_PRESETS;
}

bool snw_preferences_use_key_preset(snw_preferences *preferences, const char *name) {
	for (uint32_t preset = 0; preset < SNW_KEY_PRESETS; preset++) {
		if (strcmp(name, snw_key_presets[preset]) == 0) {
			write_preset(preset, preferences->keys);
			write_file(preferences, preferences->config, "keys", write_keys);
			return true;
		}
	}
	snprintf(preferences->fault, sizeof preferences->fault, "%.80s: there are no such keys; choose sinew or blender", name);
	return false;
}

/* ---- recent projects and sessions ---------------------------------------------------------------------------------------- */

static void take_recent(snw_preferences *preferences, const char *line) {
	if (preferences->recent_count < SNW_RECENT_MOST && snw_file_exists(line)) {
		snprintf(preferences->recent[preferences->recent_count++], sizeof preferences->recent[0], "%s", line);
	}
}

static void write_recent(const snw_preferences *preferences, FILE *file) {
	for (uint32_t i = 0; i < preferences->recent_count; i++) {
		fprintf(file, "%s\n", preferences->recent[i]);
	}
}

/* Moves the path to the front of the list, or adds it there; of a full list the last one goes. */
static void put_first(char (*list)[1024], uint32_t most, uint32_t *count, const char *path) {
	uint32_t at = 0;
	while (at < *count && strcmp(list[at], path) != 0) {
		at++;
	}
	if (at == *count) {
		*count += at < most;
		at = *count - 1;
	}
	memmove(list[1], list[0], at * sizeof *list);
	snprintf(list[0], sizeof *list, "%s", path);
}

static void take_folder(snw_preferences *preferences, const char *line) {
	if (preferences->folder_count < SNW_FOLDERS_MOST && snw_file_exists(line)) {
		snprintf(preferences->folders[preferences->folder_count++], sizeof preferences->folders[0], "%s", line);
	}
}

static void write_folders(const snw_preferences *preferences, FILE *file) {
	for (uint32_t i = 0; i < preferences->folder_count; i++) {
		fprintf(file, "%s\n", preferences->folders[i]);
	}
}

void snw_preferences_used_folder(snw_preferences *preferences, const char *folder) {
	put_first(preferences->folders, SNW_FOLDERS_MOST, &preferences->folder_count, folder);
	write_file(preferences, preferences->state, "folders", write_folders);
}

static void session_folder(const snw_preferences *preferences, char *folder, size_t size) {
	snprintf(folder, size, "%s/sessions", preferences->state);
}

static void add_crashed(snw_preferences *preferences, const char *path) {
	bool known = false;
	for (uint32_t i = 0; i < preferences->crashed_count; i++) {
		known = known || strcmp(preferences->crashed[i], path) == 0;
	}
	const size_t length = strlen(path);
	if (!known && preferences->crashed_count < SNW_CRASHED_MOST && length < sizeof preferences->crashed[0]) {
		memcpy(preferences->crashed[preferences->crashed_count++], path, length + 1);
	}
}

/* Finds the session files of processes that no longer run. Removes those of the given project (NULL: none) and those whose
 * project no longer exists. Lists the others. */
static bool clear_crashed(snw_preferences *preferences, const char *path, bool clears_all) {
	char folder[1100], name[1400], line[LINE_MOST];
	bool found = false;
	preferences->crashed_count = 0;
	session_folder(preferences, folder, sizeof folder);
	DIR *entries = preferences->state[0] ? opendir(folder) : NULL;
	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		const long pid = strtol(entry->d_name, NULL, 10);
		snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
		FILE *file = pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH ? fopen(name, "r") : NULL;
		if (!file) {
			continue;
		}
		const bool is_whole = fgets(line, sizeof line, file);
		const bool is_this = is_whole && path && strcmp(line, path) == 0;
		if (is_this || clears_all || !is_whole || !snw_file_exists(line)) {
			remove(name);
		} else {
			add_crashed(preferences, line);
		}
		found = found || is_this;
		fclose(file);
	}
	if (entries) {
		closedir(entries);
	}
	return found;
}

void snw_preferences_forget_crashed(snw_preferences *preferences) {
	(void)clear_crashed(preferences, NULL, true);
}

static char session_file[1200]; /* of this process; "" for none */
static pid_t session_process;

/* A window that is asked to end has not crashed. */
static void end_session(int number) {
	if (session_file[0] && getpid() == session_process) {
		unlink(session_file);
	}
	(void)signal(number, SIG_DFL);
	raise(number);
}

static void watch_signals(const char *name) {
	static const int ends[] = {SIGTERM, SIGINT, SIGHUP};
	snprintf(session_file, sizeof session_file, "%s", name);
	session_process = getpid();
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		(void)signal(ends[i], end_session);
	}
}

bool snw_preferences_opened(snw_preferences *preferences, const char *path) {
	char folder[1100], name[1200];
	if (!path) {
		return false;
	}
	const bool fell = clear_crashed(preferences, path, false);
	put_first(preferences->recent, SNW_RECENT_MOST, &preferences->recent_count, path);
	write_file(preferences, preferences->state, "recent", write_recent);
	session_folder(preferences, folder, sizeof folder);
	snprintf(name, sizeof name, "%s/%d", folder, (int)getpid());
	FILE *file = preferences->state[0] && make_folder(folder) ? fopen(name, "w") : NULL;
	if (file) {
		fputs(path, file);
		fclose(file);
		watch_signals(name);
	}
	return fell;
}

void snw_preferences_forget_open(snw_preferences *preferences) {
	char folder[1100], name[1200];
	session_folder(preferences, folder, sizeof folder);
	snprintf(name, sizeof name, "%s/%d", folder, (int)getpid());
	if (preferences->state[0]) {
		remove(name);
	}
}

void snw_preferences_load(snw_preferences *preferences) {
	*preferences = (snw_preferences){
		.text_size = 1, .drag_orbits = true, .antialiasing = true, .shadows = true, .pixel_size = 1, .pen_strength = true};
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		snprintf(preferences->keys[i], SNW_KEYS_SIZE, "%s", snw_command_infos[i].keys);
	}
	find_folder("XDG_CONFIG_HOME", ".config", "", preferences->config, sizeof preferences->config);
	find_folder("XDG_STATE_HOME", ".local/state", "", preferences->state, sizeof preferences->state);
	find_folder("XDG_DATA_HOME", ".local/share", "/projects", preferences->data, sizeof preferences->data);
	read_lines(preferences, preferences->config, "preferences", take_preference_line);
	read_lines(preferences, preferences->config, "keys", take_keys_line);
	read_lines(preferences, preferences->state, "recent", take_recent);
	read_lines(preferences, preferences->state, "folders", take_folder);
	(void)clear_crashed(preferences, NULL, false);
}
