/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/below_folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"

static bool is_below(const char *folder, const char *file) {
	const size_t length = strlen(folder);
	return strncmp(folder, file, length) == 0 && (file[length] == '/' || (length > 0 && folder[length - 1] == '/'));
}

snw_status snw_below_folder(const char *folder, const char *file, snw_error *error) {
	char *real_folder = realpath(folder, NULL), *real_file = realpath(file, NULL);
	const bool below = real_folder && real_file && is_below(real_folder, real_file);
	const bool missing = !real_file;
	free(real_folder);
	free(real_file);
	if (below) {
		return SNW_OK;
	}
	return missing ? snw_fail(error, SNW_ERROR_MISSING, "the file %.200s is missing from its folder; copy it there", file)
				   : snw_fail(error, SNW_ERROR_DATA, "%.200s is outside the folder of the imported file; copy it there", file);
}
