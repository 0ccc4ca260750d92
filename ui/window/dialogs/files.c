/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file browser of Open, Save as and Export: folders and the files of a chosen kind. The worker does the rest.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/export.h"
#include "file/file.h"
#include "import/import.h"
#include "window/dialogs/dialogs.h"
#include "window/panels/panels.h"

enum { ENTRIES = 4000, NAME_SIZE = 256, MOST_FILTERS = 16 };

typedef struct entry {
	char name[NAME_SIZE];
	bool is_folder;
} entry;

/* A kind of file by its extensions; "" lists all files. */
typedef struct file_filter {
	char label[80], extensions[160];
} file_filter;

/* The contents of the browser; read again when the folder or the filter changes. */
static struct {
	char folder[2048], name[NAME_SIZE], search[80], fault[200];
	uint32_t filter, filter_count, chosen, count;
	file_filter filters[MOST_FILTERS];
	entry entries[ENTRIES];
} browser;

enum { MOST_EXTENSION = 32 };

/* The extension that new files of this kind get: the first of "glb|gltf". */
static void first_extension(const file_filter *filter, char extension[MOST_EXTENSION]) {
	snprintf(extension, MOST_EXTENSION, "%.*s", (int)strcspn(filter->extensions, "|"), filter->extensions);
}

static void add_filter(const char *label, const char *extensions) {
	if (browser.filter_count < MOST_FILTERS) {
		file_filter *filter = &browser.filters[browser.filter_count++];
		snprintf(filter->label, sizeof filter->label, "%s", label);
		snprintf(filter->extensions, sizeof filter->extensions, "%s", extensions);
	}
}

static void add_open_filters(snw_arena *arena) {
	const char *all = snw_file_extensions(snw_import_formats, UINT32_MAX, arena);
	add_filter("All supported files", snw_arena_format(arena, "sinew|%s", all));
	add_filter("Projects", "sinew");
	add_filter("Characters", snw_file_extensions(snw_import_formats, SNW_FILE_MESH, arena));
	add_filter("Sequences (or a name with *)", snw_file_extensions(snw_import_formats, SNW_FILE_FRAMES, arena));
	add_filter("All files", "");
}

/* One for each format whose files are not numbered. */
static void add_export_filters(snw_arena *arena) {
	const snw_file_format *format;
	for (uint32_t i = 0; (format = snw_export_formats(i)); i++) {
		if (!format->is_numbered) {
			add_filter(snw_arena_format(arena, "%s (.%s)", format->label, format->extensions), format->extensions);
		}
	}
}

static void make_filters(int32_t dialog) {
	snw_arena *arena = snw_arena_create();
	browser.filter = browser.filter_count = 0;
	if (dialog == SNW_DIALOG_SAVE_AS) {
		add_filter("Projects", "sinew");
	} else if (dialog == SNW_DIALOG_EXPORT) {
		add_export_filters(arena);
	} else if (dialog == SNW_DIALOG_CHOOSE) {
		add_filter("All files", "");
	} else {
		add_open_filters(arena);
	}
	snw_arena_destroy(arena);
}

static bool passes(const char *name, const file_filter *filter) {
	return !filter->extensions[0] || snw_path_has_extension(name, filter->extensions);
}

static int compare(const void *a, const void *b) {
	const entry *one = a, *other = b;
	return one->is_folder != other->is_folder ? other->is_folder - one->is_folder : strcasecmp(one->name, other->name);
}

static void read_folder(const file_filter *filter) {
	browser.count = 0;
	browser.chosen = SNW_NONE;
	browser.fault[0] = '\0';
	DIR *folder = opendir(browser.folder);
	if (!folder) {
		snprintf(browser.fault, sizeof browser.fault, "This folder cannot be read.");
		return;
	}
	for (struct dirent *found; (found = readdir(folder)) && browser.count < ENTRIES;) {
		char path[2400];
		struct stat about;
		snprintf(path, sizeof path, "%s/%s", browser.folder, found->d_name);
		if (found->d_name[0] == '.' || stat(path, &about) != 0) {
			continue;
		}
		const bool is_folder = S_ISDIR(about.st_mode);
		if (is_folder || passes(found->d_name, filter)) {
			entry *row = &browser.entries[browser.count++];
			snprintf(row->name, sizeof row->name, "%s", found->d_name);
			row->is_folder = is_folder;
		}
	}
	closedir(folder);
	qsort(browser.entries, browser.count, sizeof *browser.entries, compare);
}

static void enter(const char *path, const file_filter *filter) {
	char *whole = realpath(path, NULL);
	if (whole) {
		snprintf(browser.folder, sizeof browser.folder, "%s", whole);
		free(whole);
	}
	browser.search[0] = '\0';
	read_folder(filter);
}

/* A new name that does not exist in this folder. */
static void name_copy(const char *title) {
	char path[2400];
	int number = 2;
	do {
		snprintf(browser.name, sizeof browser.name, "%.200s-%d.sinew", title, number++);
		snprintf(path, sizeof path, "%s/%s", browser.folder, browser.name);
	} while (snw_file_exists(path));
}

static void begin(const snw_session *session) {
	const snw_document *document = session->document;
	const char *path = document->path                      ? document->path
					   : session->preferences.recent_count ? session->preferences.recent[0]
														   : NULL;
	char folder[2048] = ".";
	make_filters(session->state.dialog);
	browser.name[0] = '\0';
	if (session->folder[0]) {
		snprintf(folder, sizeof folder, "%s", session->folder);
	} else if (path) {
		snprintf(folder, sizeof folder, "%.*s", (int)(snw_path_name(path) - path), path);
	}
	enter(folder[0] ? folder : ".", browser.filters);
	if (session->state.dialog == SNW_DIALOG_SAVE_AS) {
		name_copy(document->title);
	} else if (session->state.dialog == SNW_DIALOG_EXPORT) {
		char extension[MOST_EXTENSION];
		first_extension(browser.filters, extension);
		snprintf(browser.name, sizeof browser.name, "%.200s-skinned.%s", document->title, extension);
	}
}

/* The path of the folder, and buttons to others. */
static void draw_places(const snw_session *session, const file_filter *filter) {
	char above[2100];
	snprintf(above, sizeof above, "%s/..", browser.folder);
	if (snw_gui_button("Up", false)) {
		enter(above, filter);
	}
	snw_gui_hint("The parent folder.");
	snw_gui_same_line(0);
	if (snw_gui_button("Home", false) && getenv("HOME")) {
		enter(getenv("HOME"), filter);
	}
	snw_gui_hint("Your home folder.");
	snw_gui_same_line(0);
	if (snw_gui_button("Here", false)) {
		enter(".", filter);
	}
	snw_gui_hint("The folder where the program was started.");
	snw_gui_same_line(0);
	snw_gui_width(150 * snw_gui_line_height() / 15);
	if (snw_gui_list_begin_labelled("##recent-folders", "Recent")) {
		for (uint32_t i = 0; i < session->preferences.recent_count; i++) {
			char folder[1100];
			const char *path = session->preferences.recent[i];
			snprintf(folder, sizeof folder, "%.*s", (int)(snw_path_name(path) - path), path);
			if (snw_gui_row(folder, NULL, false)) {
				enter(folder, filter);
			}
		}
		snw_gui_list_end();
	} else {
		snw_gui_hint("A recently used folder.");
	}
	snw_gui_same_line(0);
	snw_gui_width(-1);
	snw_gui_text_input("##search", "search in this folder", browser.search, sizeof browser.search, false);
	snw_gui_hint("Lists only matching names.");
	snw_gui_quiet_text(browser.folder);
}

/* Returns true if a file was chosen by a double-click. */
static bool draw_entries(const file_filter *filter, float height) {
	bool done = false;
	char into[2400] = "";
	uint32_t listed = 0;
	snw_gui_child_begin("files", height);
	for (uint32_t i = 0; i < browser.count; i++) {
		const entry *row = &browser.entries[i];
		if (browser.search[0] && !strcasestr(row->name, browser.search)) {
			continue;
		}
		listed++;
		snw_gui_push((int)i);
		if (snw_gui_row_quiet(row->name, row->is_folder ? "folder" : "", browser.chosen == i, false)) {
			browser.chosen = i;
			if (row->is_folder && snw_gui_double_clicked()) {
				snprintf(into, sizeof into, "%s/%s", browser.folder, row->name);
			} else if (!row->is_folder) {
				snprintf(browser.name, sizeof browser.name, "%s", row->name);
				done = snw_gui_double_clicked();
			}
		}
		snw_gui_hint(row->is_folder ? "Double-click to open the folder." : "Click to select, double-click to open.");
		snw_gui_pop();
	}
	if (listed == 0) {
		snw_gui_quiet_text(browser.fault[0]    ? browser.fault
						   : browser.search[0] ? "No matching names."
											   : "No files of this kind.");
	}
	snw_gui_child_end();
	if (into[0]) {
		enter(into, filter);
	}
	return done;
}

/* Gives the name the extension of the filter. */
static void change_filter(uint32_t filter, bool is_writing) {
	browser.filter = filter;
	char *dot = strrchr(browser.name, '.');
	if (is_writing && dot) {
		char extension[MOST_EXTENSION];
		first_extension(&browser.filters[filter], extension);
		snprintf(dot, sizeof browser.name - (size_t)(dot - browser.name), ".%s", extension);
	}
	read_folder(&browser.filters[filter]);
}

/* A name may be a path: /tmp/a.glb, ~/a.glb, ../a.glb. A file that is written gets the filter's extension if the name has
 * none. */
static void path_of_name(bool is_writing, char *path, size_t size) {
	const char *typed = browser.name, *name = snw_path_name(typed), *home = getenv("HOME");
	const bool at_home = strncmp(typed, "~/", 2) == 0 && home;
	const char *base = at_home ? home : typed[0] == '/' ? "" : browser.folder;
	char folder[2400];
	typed += at_home ? 2 : 0;
	snprintf(folder, sizeof folder, "%.2000s/%.*s", base, (int)(name - typed), typed);
	char *straight = realpath(folder, NULL);
	bool is_ended = !is_writing || !name[0];
	for (uint32_t i = 0; i < browser.filter_count && !is_ended; i++) {
		is_ended = passes(name, &browser.filters[i]);
	}
	snprintf(path, size, "%.2000s/%s%s%s", straight ? straight : folder, name, is_ended ? "" : ".",
			 is_ended ? "" : browser.filters[browser.filter].extensions);
	free(straight);
}

static void finish(snw_session *session, const char *path) {
	const snw_command_id id = session->state.dialog == SNW_DIALOG_OPEN      ? SNW_DO_OPEN
							  : session->state.dialog == SNW_DIALOG_SAVE_AS ? SNW_DO_SAVE_AS
							  : session->state.dialog == SNW_DIALOG_CHOOSE  ? SNW_DO_SET
																			: SNW_DO_EXPORT;
	char words[SNW_COMMAND_WORDS];
	snprintf(words, sizeof words, id == SNW_DO_SET ? "%s=%s" : "%s%s", id == SNW_DO_SET ? session->asking.text : "", path);
	session->state.dialog = SNW_DIALOG_NONE;
	snprintf(session->folder, sizeof session->folder, "%s", browser.folder);
	snw_emit_text(&session->queue, id, words);
}

static void choose_filter(bool is_writing, float width) {
	snw_gui_width(width);
	if (!snw_gui_list_begin_labelled("##filter", browser.filters[browser.filter].label)) {
		snw_gui_hint(is_writing ? "The format. A file extension in the name decides too."
								: "The kinds of files that are listed.");
		return;
	}
	for (uint32_t i = 0; i < browser.filter_count; i++) {
		if (snw_gui_row(browser.filters[i].label, NULL, browser.filter == i)) {
			change_filter(i, is_writing);
		}
	}
	snw_gui_list_end();
}

/* Cancel and the action's button. Returns true if the latter was pressed. */
static bool draw_buttons(snw_session *session, const char *verb, bool usable, float k) {
	snw_gui_same_line(snw_gui_panel_width() - 60 * k - snw_gui_width_of("Cancel") - snw_gui_width_of(verb));
	if (snw_gui_button("Cancel", false)) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	snw_gui_hint("Changes nothing (Escape).");
	snw_gui_same_line(0);
	snw_gui_disabled_begin(!usable);
	const bool done = snw_gui_button(verb, true);
	snw_gui_disabled_end();
	snw_gui_hint(strcmp(verb, "Replace") == 0 ? "Replaces the existing file." : "Uses this file (Return).");
	return done;
}

void snw_dialog_files(const snw_layout *layout, snw_session *session) {
	static const char *const titles[] = {"Open", "Save as", "Export", "Choose a file"};
	const bool saves = session->state.dialog == SNW_DIALOG_SAVE_AS, exports = session->state.dialog == SNW_DIALOG_EXPORT;
	const bool writes = saves || exports, chooses = session->state.dialog == SNW_DIALOG_CHOOSE;
	const float k = layout->scale;
	char path[2400];
	bool close = false;
	if (session->dialog_is_new) {
		begin(session);
	}
	snw_gui_dialog_begin(titles[saves ? 1 : exports ? 2 : chooses ? 3 : 0], 720 * k, 520 * k, &close);
	draw_places(session, &browser.filters[browser.filter]);
	bool done = draw_entries(&browser.filters[browser.filter], -66 * k);
	snw_gui_width(-1);
	done =
		snw_gui_text_input("##name", "name", browser.name, sizeof browser.name, session->dialog_is_new) == SNW_TYPED_RETURN ||
		done;
	snw_gui_hint("A name in this folder, or a path: ~/a.glb, ../a.glb.");
	choose_filter(writes, 230 * k);
	path_of_name(writes, path, sizeof path);
	const bool there = browser.name[0] && snw_file_exists(path);
	const char *verb = writes ? (there ? "Replace" : saves ? "Save" : "Export") : chooses ? "Choose" : "Open";
	const bool usable = browser.name[0] && (writes || there || (!chooses && strchr(browser.name, '*')));
	done = draw_buttons(session, verb, usable, k) || done;
	snw_gui_dialog_end();
	if (close) {
		session->state.dialog = SNW_DIALOG_NONE;
	} else if (done && usable && session->state.dialog != SNW_DIALOG_NONE) {
		finish(session, path);
	}
}
