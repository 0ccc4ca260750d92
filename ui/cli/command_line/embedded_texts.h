/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that the program writes: templates and the reference of `sinew plugin`, the scripts of pages. embed.py makes them.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_EMBEDDED_TEXTS_H
#define SINEW_UI_CLI_COMMAND_LINE_EMBEDDED_TEXTS_H

#include <string.h>

typedef struct snw_embedded_text {
	const char *name; /* "blend.c", "plugin-reference", "sinew.js" */
	const char *text; /* UTF-8 */
} snw_embedded_text;

extern const snw_embedded_text snw_embedded_texts[]; /* ends with a NULL name */

/* The text of a name that there is. */
static inline const char *snw_cli_embedded(const char *name) {
	const snw_embedded_text *row = snw_embedded_texts;
	while (strcmp(row->name, name) != 0) {
		row++;
	}
	return row->text;
}

#endif
