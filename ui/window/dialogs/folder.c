/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads and sorts a folder.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "file/file.h"
#include "window/dialogs/dialogs.h"

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

void snw_folder_read(snw_folder *folder, const char *extensions) {
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
	snw_folder_sort(folder, folder->order, folder->is_reversed);
}

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

void snw_folder_sort(snw_folder *folder, snw_folder_order order, bool is_reversed) {
	static int (*const orders[SNW_FOLDER_ORDERS][2])(const void *, const void *) = {
		{by_name, by_name_back}, {by_date, by_date_back}, {by_size, by_size_back}};
	folder->order = order;
	folder->is_reversed = is_reversed;
	qsort(folder->entries, folder->count, sizeof *folder->entries, orders[order][is_reversed]);
}

/* ---- as text ------------------------------------------------------------------------------------------------------------- */

void snw_folder_write_date(int64_t modified, char text[24]) {
	const time_t seconds = (time_t)modified;
	struct tm parts;
	text[0] = '\0';
	if (localtime_r(&seconds, &parts)) {
		strftime(text, 24, "%Y-%m-%d %H:%M", &parts);
	}
}

void snw_folder_write_size(uint64_t bytes, char text[24]) {
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

void snw_folder_path_of(const char *folder, const char *typed, char *path, size_t size) {
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

void snw_folder_complete(const char *folder, const char *extensions, const char *typed, char rest[SNW_FOLDER_NAME]) {
	char path[SNW_FOLDER_PATH + SNW_FOLDER_NAME], above[SNW_FOLDER_PATH + SNW_FOLDER_NAME], common[SNW_FOLDER_NAME] = "";
	const char *name = snw_path_name(typed);
	const size_t length = strlen(name);
	bool is_found = false;
	rest[0] = '\0';
	snw_folder_path_of(folder, typed, path, sizeof path);
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
