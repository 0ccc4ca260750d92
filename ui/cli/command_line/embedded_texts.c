/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/embedded_texts.h"

#include <string.h>

const char *snw_cli_embedded(const char *name) {
	const snw_embedded_text *row = snw_embedded_texts;
	while (strcmp(row->name, name) != 0) {
		row++;
	}
	return row->text;
}
