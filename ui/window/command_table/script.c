/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a script.
 */
#include "window/command_table/script.h"

#include <string.h>

#include "file/file.h"

snw_status snw_script_read(const char *path, snw_arena *arena, snw_script *script, snw_error *error) {
	snw_bytes bytes;
	const snw_status status = snw_file_read(path, arena, &bytes, error);
	if (snw_failed(status)) {
		return status;
	}
	char *text = snw_arena_copy(arena, bytes.data, bytes.count + 1), *line;
	size_t most = 1;
	for (size_t i = 0; i < bytes.count; i++) {
		most += text[i] == '\n';
	}
	snw_command *commands = SNW_NEW_ARRAY(arena, snw_command, most);
	uint32_t *lines = SNW_NEW_ARRAY(arena, uint32_t, most), number = 0;
	*script = (snw_script){.name = snw_path_name(path), .commands = commands, .lines = lines};
	while ((line = strsep(&text, "\n")) != NULL) {
		char fault[400];
		number++;
		line += strspn(line, " \t\r");
		if (!*line || *line == '#') {
			continue;
		}
		if (!snw_command_parse(line, &commands[script->count], fault, sizeof fault)) {
			return snw_fail(error, SNW_ERROR_DATA, "%s, line %u: %s", script->name, number, fault);
		}
		lines[script->count++] = number;
	}
	return SNW_OK;
}
