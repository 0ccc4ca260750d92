/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/output_path.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "file/file.h"
#include "project/project.h"

static bool has_ending(const char *path, const char *endings) {
	const char *extension = snw_path_extension(path);
	const size_t length = strlen(extension);
	for (const char *ending = endings; length && ending; ending = strchr(ending, '|')) {
		ending += *ending == '|';
		if (strncasecmp(ending, extension, length) == 0 && (ending[length] == '|' || ending[length] == '\0')) {
			return true;
		}
	}
	return false;
}

static bool is_same_file(const char *a, const char *b) {
	struct stat of_a, of_b;
	return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* The option whose value this is; -o for the name of a file that is made from another's. */
static const char *option_of(const snw_call *call, const char *path) {
	const char *name = "-o";
	for (int i = 0; i < call->option_count; i++) {
		name = call->option_values[i] == path ? call->option_names[i] : name;
	}
	return name;
}

/* Every argument, and every value of an option except -o and this one, may name an input file. */
static bool is_read(const snw_call *call, const char *path) {
	bool same = false;
	for (int i = 0; i < call->argument_count; i++) {
		same = same || is_same_file(call->arguments[i], path);
	}
	for (int i = 0; i < call->option_count; i++) {
		const bool is_written = strcmp(call->option_names[i], "-o") == 0 || call->option_values[i] == path;
		same = same || (!is_written && is_same_file(call->option_values[i], path));
	}
	return same;
}

/* Checked before the work begins: the folder exists and is writable, and the file's name is not a folder. */
static snw_status check_place(const snw_call *call, const char *path, snw_error *error) {
	const char *name = snw_path_name(path), *option = option_of(call, path);
	const int length = (int)(name - path);
	const char *folder = length > 1 ? snw_arena_format(call->arena, "%.*s", length - 1, path) : length > 0 ? "/" : ".";
	struct stat about;
	if (stat(path, &about) != 0 && errno == ENAMETOOLONG) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: %s; choose a shorter one", option, path, strerror(errno));
	}
	if (stat(folder, &about) != 0) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: folder %s: %s; create it first, or name another", option, path, folder,
						strerror(errno));
	}
	if (!S_ISDIR(about.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: %s is not a folder; name one", option, path, folder);
	}
	if (access(folder, W_OK | X_OK) != 0) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: cannot write to folder %s: %s; name another", option, path, folder,
						strerror(errno));
	}
	if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s %s: this is a folder; name a file in it", option, path);
	}
	return SNW_OK;
}

snw_status snw_output_file(const snw_call *call, const char *path, const char *endings, snw_error *error) {
	if (!has_ending(path, endings)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s %s: its name must end in one of: %s", option_of(call, path), path,
						endings);
	}
	if (is_read(call, path)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s %s: this is the input file; write to another file",
						option_of(call, path), path);
	}
	return check_place(call, path, error);
}

snw_status snw_output_project(const snw_call *call, const char *path, snw_error *error) {
	enum { LONGEST = NAME_MAX - (sizeof "-journal" - 1) };
	if (strlen(snw_path_name(path)) > LONGEST) {
		return snw_fail(
			error, SNW_ERROR_ARGUMENT,
			"%s: its name is longer than %d bytes, so SQLite could write no journal beside it; choose a shorter one", path,
			LONGEST);
	}
	snw_status status = snw_output_file(call, path, "sinew", error);
	if (snw_failed(status) || !snw_file_exists(path) || snw_call_option(call, "--replace")) {
		return status;
	}
	snw_project *project = NULL;
	snw_history_entry *entries;
	uint32_t count = 0;
	status = snw_project_open(path, true, &project, error);
	if (status == SNW_ERROR_DATA) {
		return SNW_OK; /* not a project */
	}
	if (!snw_failed(status)) {
		status = snw_project_history(project, call->arena, &entries, &count, error);
	}
	snw_project_close(project);
	if (!snw_failed(status) && count > 1) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"%s: this project holds %u change%s that would be lost; write to another file, or give --replace", path,
						count - 1, snw_plural(count - 1));
	}
	return status;
}
