/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file browser of Open, Save as, Export, and of commands that take a file or a folder: folders and the files of a chosen
 * kind. A job does the rest.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "export/export.h"
#include "file/file.h"
#include "import/import.h"
#include "window/dialogs/dialogs.h"
#include "window/panels/panels.h"

/* ---- a folder ------------------------------------------------------------------------------------------------------------ */

/* What is in it, as the browser lists it. */

/* ---- sorting ------------------------------------------------------------------------------------------------------------- */

static int sign_of(int64_t difference) {
	return (difference > 0) - (difference < 0);
}

static int compare(const snw_folder_entry *one, const snw_folder_entry *other, snw_folder_order order) {
	const int by = order == SNW_BY_DATE   ? sign_of(other->modified - one->modified) /* the latest first */
				   : order == SNW_BY_SIZE ? sign_of((int64_t)(other->bytes - one->bytes))
										  : 0;
	return by != 0 ? by : snw_natural_compare_ignoring_case(one->name, other->name);
}

static int in_order(const void *a, const void *b, snw_folder_order order, int direction) {
	const snw_folder_entry *one = a, *other = b;
	return one->is_folder != other->is_folder ? other->is_folder - one->is_folder : direction * compare(one, other, order);
}

static int by_name(const void *a, const void *b) {
	return in_order(a, b, SNW_BY_NAME, 1);
}

static int by_name_back(const void *a, const void *b) {
	return in_order(a, b, SNW_BY_NAME, -1);
}

static int by_date(const void *a, const void *b) {
	return in_order(a, b, SNW_BY_DATE, 1);
}

static int by_date_back(const void *a, const void *b) {
	return in_order(a, b, SNW_BY_DATE, -1);
}

static int by_size(const void *a, const void *b) {
	return in_order(a, b, SNW_BY_SIZE, 1);
}

static int by_size_back(const void *a, const void *b) {
	return in_order(a, b, SNW_BY_SIZE, -1);
}

/* Folders come first. Names are compared without case, and the numbers in them by value. */
static void sort_folder(snw_folder *folder, snw_folder_order order, bool is_reversed) {
	static int (*const orders[SNW_FOLDER_ORDERS][2])(const void *, const void *) = {
		{by_name, by_name_back}, {by_date, by_date_back}, {by_size, by_size_back}};
	folder->order = order;
	folder->is_reversed = is_reversed;
	qsort(folder->entries, folder->count, sizeof *folder->entries, orders[order][is_reversed]);
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static bool read_entry(const char *folder, const char *name, const char *extensions, snw_folder_entry *entry) {
	char path[SNW_FOLDER_PATH + SNW_FOLDER_NAME];
	struct stat about;
	snprintf(path, sizeof path, "%.2000s/%s", folder, name);
	if (name[0] == '.' || stat(path, &about) != 0) {
		return false;
	}
	*entry = (snw_folder_entry){.is_folder = S_ISDIR(about.st_mode),
								.modified = (int64_t)about.st_mtime,
								.bytes = about.st_size > 0 ? (uint64_t)about.st_size : 0};
	snprintf(entry->name, sizeof entry->name, "%s", name);
	return entry->is_folder || !extensions[0] || snw_path_has_extension(name, extensions);
}

/* Reads the folders and the files with one of the extensions ("glb|gltf"; "" for all) of folder->path; hidden ones are left
 * out. */
static void list_folder(snw_folder *folder, const char *extensions) {
	folder->count = 0;
	folder->is_cut = false;
	folder->fault[0] = '\0';
	DIR *open = opendir(folder->path);
	if (!open) {
		snprintf(folder->fault, sizeof folder->fault, "This folder cannot be read.");
		return;
	}
	for (struct dirent *found; (found = readdir(open));) {
		snw_folder_entry entry;
		if (!read_entry(folder->path, found->d_name, extensions, &entry)) {
			continue;
		}
		if (folder->count == SNW_FOLDER_ENTRIES) {
			folder->is_cut = true;
			break;
		}
		folder->entries[folder->count++] = entry;
	}
	closedir(open);
	sort_folder(folder, folder->order, folder->is_reversed);
}

/* ---- as text ------------------------------------------------------------------------------------------------------------- */

/* "2026-03-09 14:05" */
static void write_date(int64_t modified, char text[24]) {
	const time_t seconds = (time_t)modified;
	struct tm parts;
	text[0] = '\0';
	if (localtime_r(&seconds, &parts)) {
		strftime(text, 24, "%Y-%m-%d %H:%M", &parts);
	}
}

/* "1.2 MB" */
static void write_size(uint64_t bytes, char text[24]) {
	static const char *const units[] = {"kB", "MB", "GB", "TB"};
	double size = (double)bytes / 1000;
	int unit = 0;
	while (size >= 999.5 && unit < 3) {
		size /= 1000;
		unit++;
	}
	if (bytes < 1000) {
		snprintf(text, 24, "%u B", (unsigned)bytes);
	} else {
		snprintf(text, 24, size < 9.95 ? "%.1f %s" : "%.0f %s", size, units[unit]);
	}
}

/* ---- typed names --------------------------------------------------------------------------------------------------------- */

/* The path of a typed name. */
static void path_of_typed(const char *folder, const char *typed, char *path, size_t size) {
	const char *home = getenv("HOME");
	const bool is_home = typed[0] == '~' && (typed[1] == '/' || !typed[1]) && home;
	typed += is_home ? 1 + (typed[1] == '/') : 0;
	const char *name = snw_path_name(typed), *base = is_home ? home : typed[0] == '/' ? "" : folder;
	char above[SNW_FOLDER_PATH + SNW_FOLDER_NAME];
	snprintf(above, sizeof above, "%.2000s/%.*s", base, (int)(name - typed), typed);
	char *straight = realpath(above, NULL);
	snprintf(path, size, "%.2000s/%s", straight ? (straight[1] ? straight : "") : above, name);
	free(straight);
}

/* Shortens `common`, the first name that was found, to what it shares with this one. */
static void share(const snw_folder_entry *entry, bool is_first, char common[SNW_FOLDER_NAME]) {
	char name[SNW_FOLDER_NAME + 1];
	size_t same = 0;
	snprintf(name, sizeof name, "%s%s", entry->name, entry->is_folder ? "/" : "");
	if (is_first) {
		snprintf(common, SNW_FOLDER_NAME, "%.255s", name);
		return;
	}
	while (common[same] && common[same] == name[same]) {
		same++;
	}
	while (same > 0 && (common[same] & 0xc0) == 0x80) { /* not within a letter */
		same--;
	}
	common[same] = '\0';
}

/* What a typed name may be continued by: "her" by "o.glb", if all names that begin so continue so. A folder ends with a slash.
 * `typed` may be a path: "~/her", "../her", "/home/her". The rest is empty if there is none. */
static void complete_typed(const char *folder, const char *extensions, const char *typed, char rest[SNW_FOLDER_NAME]) {
	char path[SNW_FOLDER_PATH + SNW_FOLDER_NAME], above[SNW_FOLDER_PATH + SNW_FOLDER_NAME], common[SNW_FOLDER_NAME] = "";
	const char *name = snw_path_name(typed);
	const size_t length = strlen(name);
	bool is_found = false;
	rest[0] = '\0';
	path_of_typed(folder, typed, path, sizeof path);
	snprintf(above, sizeof above, "%.*s", (int)(snw_path_name(path) - path), path);
	DIR *open = length > 0 ? opendir(above) : NULL;
	for (struct dirent *found; open && (found = readdir(open));) {
		snw_folder_entry entry;
		if (strncmp(found->d_name, name, length) == 0 && read_entry(above, found->d_name, extensions, &entry)) {
			share(&entry, !is_found, common);
			is_found = true;
		}
	}
	if (open) {
		closedir(open);
	}
	if (strlen(common) > length) {
		snprintf(rest, SNW_FOLDER_NAME, "%s", common + length);
	}
}

/* ---- the browser --------------------------------------------------------------------------------------------------------- */

enum { MOST_FILTERS = 24 };

/* A kind of file by its extensions; "" lists all files. */
typedef struct file_filter {
	char label[80], extensions[160];
} file_filter;

/* The contents of the browser; read again when the folder or the filter changes. */
static struct {
	snw_folder folder;
	char name[SNW_FOLDER_NAME], kept[SNW_FOLDER_NAME], search[80]; /* kept: the file's name while a folder is selected */
	char completed[SNW_FOLDER_NAME], completion[SNW_FOLDER_NAME];  /* the name that is completed, and by what */
	uint32_t filter, filter_count, chosen;
	bool scrolls_to_chosen, takes_keys;
	file_filter filters[MOST_FILTERS];
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

/* "glTF (.glb, .gltf)" */
static void add_format(const snw_file_format *format) {
	char label[80];
	size_t used = (size_t)snprintf(label, sizeof label, "%.40s (", format->label);
	for (const char *at = format->extensions; *at && used < sizeof label;) {
		const int length = (int)strcspn(at, "|");
		used +=
			(size_t)snprintf(label + used, sizeof label - used, "%s.%.*s", at == format->extensions ? "" : ", ", length, at);
		at += length + (at[length] == '|');
	}
	if (used < sizeof label) {
		snprintf(label + used, sizeof label - used, ")");
	}
	add_filter(label, format->extensions);
}

static void add_frames_filter(snw_arena *arena) {
	add_filter("Sequences (or a name with *)", snw_file_extensions(snw_import_formats, SNW_FILE_FRAMES, arena));
}

static void add_open_filters(snw_arena *arena) {
	const char *all = snw_file_extensions(snw_import_formats, UINT32_MAX, arena);
	add_filter("All supported files", snw_arena_format(arena, "sinew|%s", all));
	add_filter("Projects", "sinew");
	add_filter("Characters", snw_file_extensions(snw_import_formats, SNW_FILE_MESH, arena));
	add_frames_filter(arena);
	const snw_file_format *format;
	for (uint32_t i = 0; (format = snw_import_formats(i)); i++) {
		if (!format->is_numbered) {
			add_format(format);
		}
	}
	add_filter("All files", "");
}

/* One for each format whose files are not numbered. */
static void add_export_filters(void) {
	const snw_file_format *format;
	for (uint32_t i = 0; (format = snw_export_formats(i)); i++) {
		if (!format->is_numbered) {
			add_format(format);
		}
	}
}

static void make_filters(int32_t dialog) {
	snw_arena *arena = snw_arena_create();
	browser.filter = browser.filter_count = 0;
	if (dialog == SNW_DIALOG_SAVE_AS || dialog == SNW_DIALOG_PROJECT) {
		add_filter("Projects", "sinew");
	} else if (dialog == SNW_DIALOG_EXPORT) {
		add_export_filters();
	} else if (dialog == SNW_DIALOG_CHOOSE) {
		add_filter("All files", "");
	} else if (dialog == SNW_DIALOG_ALPHA) {
		add_filter("Pictures (.png, .jpg, .jpeg)", "png|jpg|jpeg");
	} else if (dialog == SNW_DIALOG_FOLDER) {
		add_filter("Sculpts (.obj)", "obj");
	} else if (dialog == SNW_DIALOG_FRAMES) {
		add_frames_filter(arena);
		add_filter("All files", "");
	} else {
		add_open_filters(arena);
	}
	snw_arena_destroy(arena);
}

static bool passes(const char *name, const file_filter *filter) {
	return !filter->extensions[0] || snw_path_has_extension(name, filter->extensions);
}

static void read_folder(const file_filter *filter) {
	list_folder(&browser.folder, filter->extensions);
	browser.chosen = SNW_NONE;
	browser.completed[0] = browser.completion[0] = '\0';
}

static void enter(const char *path, const file_filter *filter) {
	char *whole = realpath(path, NULL);
	if (whole) {
		snprintf(browser.folder.path, sizeof browser.folder.path, "%s", whole);
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
		snprintf(path, sizeof path, "%s/%s", browser.folder.path, browser.name);
	} while (snw_file_exists(path));
}

static void begin(const snw_session *session) {
	const snw_document *document = session->document;
	const char *path = document->path                      ? document->path
					   : session->preferences.recent_count ? session->preferences.recent[0]
														   : NULL;
	char folder[2048] = ".";
	make_filters(session->state.dialog);
	browser.name[0] = browser.kept[0] = '\0';
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

/* The folders that were used last: those of dialogs, then those of recent projects. */
static void list_recent_folders(const snw_session *session, const file_filter *filter) {
	const snw_preferences *preferences = &session->preferences;
	const uint32_t count = preferences->folder_count + preferences->recent_count;
	char listed[SNW_FOLDERS_MOST + SNW_RECENT_MOST][1100];
	for (uint32_t i = 0; i < count; i++) {
		const char *path =
			i < preferences->folder_count ? preferences->folders[i] : preferences->recent[i - preferences->folder_count];
		const size_t length = i < preferences->folder_count ? strlen(path) : (size_t)(snw_path_name(path) - path);
		snprintf(listed[i], sizeof listed[i], "%.*s", (int)(length > 1 && path[length - 1] == '/' ? length - 1 : length), path);
		bool is_listed = false;
		for (uint32_t j = 0; j < i; j++) {
			is_listed = is_listed || strcmp(listed[j], listed[i]) == 0;
		}
		if (!is_listed && snw_gui_row(listed[i], NULL, false)) {
			enter(listed[i], filter);
		}
	}
	if (count == 0) {
		snw_gui_quiet_text("None yet");
	}
}

static void enter_above(const file_filter *filter) {
	char above[SNW_FOLDER_PATH + 4];
	snprintf(above, sizeof above, "%s/..", browser.folder.path);
	enter(above, filter);
}

/* The path of the folder, and buttons to others. */
static void draw_places(const snw_session *session, const file_filter *filter) {
	if (snw_gui_button("Up", false)) {
		enter_above(filter);
	}
	snw_gui_hint("The parent folder (Alt+Up).");
	snw_gui_same_line(0);
	if (snw_gui_button("Home", false) && getenv("HOME")) {
		enter(getenv("HOME"), filter);
	}
	snw_gui_hint("Your home folder.");
	snw_gui_same_line(0);
	if (snw_gui_button("Start folder", false)) {
		enter(".", filter);
	}
	snw_gui_hint("The folder where the program was started.");
	snw_gui_same_line(0);
	snw_gui_width(150 * snw_gui_line_height() / 15);
	if (snw_gui_list_begin_labelled("##recent-folders", "Recent folders")) {
		list_recent_folders(session, filter);
		snw_gui_list_end();
	} else {
		snw_gui_hint("A recently used folder.");
	}
	snw_gui_same_line(0);
	snw_gui_width(-1);
	snw_gui_text_input("##search", "Search in this folder", browser.search, sizeof browser.search, false);
	snw_gui_hint("Lists only matching names.");
	snw_gui_quiet_text(browser.folder.path);
}

static bool is_entry_listed(const snw_folder_entry *row) {
	return !browser.search[0] || strcasestr(row->name, browser.search);
}

static void choose_row(uint32_t index) {
	const snw_folder_entry *row = &browser.folder.entries[index];
	const size_t length = strlen(browser.name);
	browser.chosen = index;
	if (length > 0 && browser.name[length - 1] != '/') {
		memcpy(browser.kept, browser.name, sizeof browser.kept);
	}
	snprintf(browser.name, sizeof browser.name, "%.250s%s", row->name, row->is_folder ? "/" : "");
}

/* To the next listed row, up (-1) or down (1). */
static void step_row(int by) {
	const int64_t count = browser.folder.count;
	int64_t at = browser.chosen == SNW_NONE ? (by > 0 ? -1 : count) : browser.chosen;
	do {
		at += by;
	} while (at >= 0 && at < count && !is_entry_listed(&browser.folder.entries[at]));
	if (at >= 0 && at < count) {
		choose_row((uint32_t)at);
		browser.scrolls_to_chosen = true;
	}
}

/* The headings of the columns, which sort the list. */
static void draw_headings(const float widths[2]) {
	static const char *const titles[] = {"Name", "Modified", "Size"};
	static const char *const hints[] = {"Sorts by name. Click again to reverse.",
										"Sorts by date, newest first. Click again to reverse.",
										"Sorts by size, largest first. Click again to reverse."};
	const float right = snw_gui_panel_width() - 18 * snw_gui_line_height() / 15;
	for (int i = 0; i < SNW_FOLDER_ORDERS; i++) {
		const bool is_sorted = browser.folder.order == (snw_folder_order)i;
		const bool is_up = (i == SNW_BY_NAME) != browser.folder.is_reversed;
		char text[60];
		snprintf(text, sizeof text, "%s%s##sort-%s", titles[i], !is_sorted ? "" : is_up ? " ↑" : " ↓", titles[i]);
		if (i > 0) {
			snw_gui_same_line(right - (i == 1 ? widths[0] + widths[1] : widths[1]) + 20);
		}
		if (snw_gui_small_button(text)) {
			sort_folder(&browser.folder, (snw_folder_order)i, is_sorted && !browser.folder.is_reversed);
			browser.chosen = SNW_NONE;
		}
		snw_gui_hint(hints[i]);
	}
}

/* Returns true if the row was double-clicked. */
static bool draw_entry(uint32_t index, const float widths[2]) {
	const snw_folder_entry *row = &browser.folder.entries[index];
	char date[24], size[24] = "folder";
	write_date(row->modified, date);
	if (!row->is_folder) {
		write_size(row->bytes, size);
	}
	snw_gui_push((int)index);
	const char *const columns[] = {date, size};
	const bool is_clicked = snw_gui_row_columns(row->name, columns, widths, 2, browser.chosen == index);
	const bool is_double = is_clicked && snw_gui_double_clicked();
	if (is_clicked) {
		choose_row(index);
	}
	if (browser.scrolls_to_chosen && browser.chosen == index) {
		snw_gui_scroll_into_view();
		browser.scrolls_to_chosen = false;
	}
	snw_gui_hint(row->is_folder ? "Double-click, or Return, to open the folder." : "Click to select, double-click to open.");
	snw_gui_pop();
	return is_double;
}

/* Returns true if a row was double-clicked. */
static bool draw_entries(float height) {
	const float k = snw_gui_line_height() / 15, widths[] = {140 * k, 80 * k};
	bool done = false;
	uint32_t listed = 0;
	draw_headings(widths);
	snw_gui_child_begin("files", height);
	for (uint32_t i = 0; i < browser.folder.count; i++) {
		if (is_entry_listed(&browser.folder.entries[i])) {
			listed++;
			done = draw_entry(i, widths) || done;
		}
	}
	if (listed == 0) {
		snw_gui_quiet_text(browser.folder.fault[0] ? browser.folder.fault
						   : browser.search[0]     ? "No matching names."
												   : "No files of this kind.");
	} else if (browser.folder.is_cut) {
		snw_gui_quiet_text("There are more files here than are listed. Type a name.");
	}
	snw_gui_child_end();
	return done;
}

/* The name, with its completion, and what the arrow keys choose. Returns true at Return. */
static bool type_name(snw_session *session, const file_filter *filter) {
	const bool takes_keys = session->dialog_is_new || browser.takes_keys;
	browser.takes_keys = false;
	if (strcmp(browser.completed, browser.name) != 0) {
		snprintf(browser.completed, sizeof browser.completed, "%s", browser.name);
		complete_typed(browser.folder.path, filter->extensions, browser.name, browser.completion);
	}
	snw_gui_width(-1);
	const snw_typed typed =
		snw_gui_completed_input("##name", "name", browser.completion, browser.name, sizeof browser.name, takes_keys);
	snw_gui_hint("A name in this folder, or a path: ~/a.glb, ../a.glb. Tab completes it, Up and Down select a file.");
	if (typed == SNW_TYPED_UP || typed == SNW_TYPED_DOWN) {
		step_row(typed == SNW_TYPED_UP ? -1 : 1);
	}
	return typed == SNW_TYPED_RETURN;
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
	const char *name = snw_path_name(browser.name);
	char plain[SNW_FOLDER_PATH + SNW_FOLDER_NAME];
	path_of_typed(browser.folder.path, browser.name, plain, sizeof plain);
	bool is_ended = !is_writing || !name[0];
	for (uint32_t i = 0; i < browser.filter_count && !is_ended; i++) {
		is_ended = passes(name, &browser.filters[i]);
	}
	char extension[MOST_EXTENSION] = "";
	if (!is_ended) {
		first_extension(&browser.filters[browser.filter], extension);
	}
	snprintf(path, size, "%.2200s%s%s", plain, is_ended ? "" : ".", extension);
}

/* What each dialog is for. */
static const struct {
	const char *title;
	snw_command_id id;
} purposes[] = {[SNW_DIALOG_OPEN] = {"Open", SNW_DO_OPEN},
				[SNW_DIALOG_SAVE_AS] = {"Save as", SNW_DO_SAVE_AS},
				[SNW_DIALOG_EXPORT] = {"Export", SNW_DO_EXPORT},
				[SNW_DIALOG_CHOOSE] = {"Choose a file", SNW_DO_SET},
				[SNW_DIALOG_ALPHA] = {"Choose a picture", SNW_DO_BRUSH_ALPHA},
				[SNW_DIALOG_PROJECT] = {"Choose a project", SNW_DO_TRANSFER},
				[SNW_DIALOG_FRAMES] = {"Choose the frames of a target", SNW_DO_TARGET_ADD},
				[SNW_DIALOG_FOLDER] = {"Choose a folder of sculpts", SNW_DO_EXAMPLE_FOLDER}};

static void finish(snw_session *session, const char *path) {
	const snw_dialog dialog = session->state.dialog;
	const bool is_for_asking = dialog == SNW_DIALOG_PROJECT || dialog == SNW_DIALOG_FRAMES || dialog == SNW_DIALOG_FOLDER;
	const snw_command_id id = is_for_asking ? session->asking.id : purposes[dialog].id;
	char words[SNW_COMMAND_WORDS];
	snprintf(words, sizeof words, id == SNW_DO_SET ? "%s=%s" : "%s%s", id == SNW_DO_SET ? session->asking.text : "", path);
	session->state.dialog = SNW_DIALOG_NONE;
	const size_t length = dialog == SNW_DIALOG_FOLDER ? strlen(path) + 1 : (size_t)(snw_path_name(path) - path);
	snprintf(session->folder, sizeof session->folder, "%.*s", (int)(length > 1 ? length - 1 : length), path);
	snw_preferences_used_folder(&session->preferences, session->folder);
	snw_emit_text(&session->queue, id, words);
}

static bool is_folder_at(const char *path) {
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
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
	snw_gui_hint(strcmp(verb, "Replace") == 0           ? "Replaces the existing file."
				 : strcmp(verb, "Use this folder") == 0 ? "Uses the folder that is listed (Return)."
														: "Uses this file (Return).");
	return done;
}

void snw_dialog_files(const snw_layout *layout, snw_session *session) {
	const bool saves = session->state.dialog == SNW_DIALOG_SAVE_AS, exports = session->state.dialog == SNW_DIALOG_EXPORT;
	const bool writes = saves || exports;
	const bool takes_folder = session->state.dialog == SNW_DIALOG_FOLDER;
	const bool chooses = !writes && !takes_folder && session->state.dialog != SNW_DIALOG_OPEN;
	const float k = layout->scale;
	char path[2400];
	bool close = false;
	if (session->dialog_is_new) {
		begin(session);
	}
	snw_gui_dialog_begin(purposes[session->state.dialog].title, 720 * k, 520 * k, &close);
	const file_filter *filter = &browser.filters[browser.filter];
	draw_places(session, filter);
	bool done = draw_entries(-66 * k);
	done = type_name(session, filter) || done;
	choose_filter(writes, 230 * k);
	path_of_name(writes, path, sizeof path);
	const bool is_folder = browser.name[0] && is_folder_at(path);
	const bool there = browser.name[0] && !is_folder && snw_file_exists(path);
	const char *verb = is_folder      ? "Open"
					   : takes_folder ? "Use this folder"
					   : writes       ? (there   ? "Replace"
										 : saves ? "Save"
												 : "Export")
					   : chooses      ? "Choose"
									  : "Open";
	const bool is_named = is_folder || writes || there || (!chooses && strchr(browser.name, '*'));
	const bool is_here = !browser.name[0] || (there && !strchr(browser.name, '/')); /* a file of the listed folder is as good */
	const bool usable = takes_folder ? is_folder || is_here : browser.name[0] && is_named;
	done = draw_buttons(session, verb, usable, k) || done;
	if (snw_gui_alt_up()) {
		enter_above(filter);
		snprintf(browser.name, sizeof browser.name, "%s", writes ? browser.kept : "");
	}
	snw_gui_dialog_end();
	if (close) {
		session->state.dialog = SNW_DIALOG_NONE;
	} else if (done && is_folder) {
		enter(path, filter);
		snprintf(browser.name, sizeof browser.name, "%s", writes ? browser.kept : "");
		browser.takes_keys = true;
	} else if (done && usable && session->state.dialog != SNW_DIALOG_NONE) {
		finish(session, takes_folder ? browser.folder.path : path);
	}
}
