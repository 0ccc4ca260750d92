/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/work_in_copy.h"

#include "file/file.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "project/rebase_files.h"

static snw_status rebase_files(const snw_call *call, const char *path, const char *copy, snw_error *error) {
	snw_registry *registry = snw_registry_open();
	const char *folder = snw_path_absolute(call->arena, NULL, snw_path_folder(path, call->arena));
	const snw_status status = snw_project_rebase_files(copy, folder, registry, error);
	snw_registry_close(registry);
	return status;
}

snw_status snw_work_in_copy(snw_call *call, const char *path, const char *out, snw_project_work *work, void *context,
							snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(out, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *copy = snw_file_write_path(file);
	status = snw_project_copy(path, copy, error);
	status = snw_failed(status) ? status : rebase_files(call, path, copy, error);
	status = snw_failed(status) ? status : work(call, copy, context, error);
	if (!snw_failed(status)) {
		status = snw_project_move(copy, out, error);
	}
	snw_error_rename(error, copy, out);
	snw_file_write_abandon(file); /* the renamed file no longer exists under this name */
	return status;
}
