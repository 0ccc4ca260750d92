/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: the pages of the documentation as they are installed, at the place that says most about what is selected. About.
 */
#include <SDL.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "window/about/about.h"
#include "window/dialogs/dialogs.h"
#include "window/panels/panels.h"

enum { PAGE_TEXT = 24000, PAGES_MOST = 100, PAGE_BYTES = 1 << 20 };

/* How well a line fits what is looked for. */
typedef enum page_rank { PAGE_LACKS, PAGE_MENTIONS, PAGE_BEGINS, PAGE_HEADING } page_rank;

typedef struct page_place {
	page_rank rank;
	char path[2048];
	char text[PAGE_TEXT]; /* from there to the next heading */
} page_place;

/* ---- where they are ------------------------------------------------------------------------------------------------------ */

static char *pages_folder(snw_arena *arena) {
	const char *program = snw_program_folder(arena);
	if (snw_build_tree()) {
		return snw_arena_text(arena, snw_source_pages);
	}
	char *beside = program ? snw_arena_format(arena, "%s/../%s", program, snw_installed_pages) : NULL;
	return beside && snw_file_exists(beside) ? beside : snw_path_join(arena, snw_installed_prefix, snw_installed_pages);
}

/* First those that explain, then the others by name. */
static int page_order(const char *name) {
	return strcmp(name, "artist.md") == 0 ? 0 : strcmp(name, "rigger.md") == 0 ? 1 : 2;
}

static int compare_pages(const void *a, const void *b) {
	const char *one = *(const char *const *)a, *other = *(const char *const *)b;
	const int order = page_order(one) - page_order(other);
	return order ? order : strcmp(one, other);
}

static uint32_t list_pages(const char *folder, snw_arena *arena, const char *names[PAGES_MOST]) {
	uint32_t count = 0;
	DIR *open = opendir(folder);
	for (struct dirent *entry = open ? readdir(open) : NULL; entry && count < PAGES_MOST; entry = readdir(open)) {
		if (strcmp(snw_path_extension(entry->d_name), "md") == 0) {
			names[count++] = snw_arena_text(arena, entry->d_name);
		}
	}
	if (open) {
		closedir(open);
	}
	qsort(names, count, sizeof *names, compare_pages);
	return count;
}

/* ---- what they say ------------------------------------------------------------------------------------------------------- */

static int letter_of(char c) {
	return c == '-' ? ' ' : tolower((unsigned char)c);
}

static bool is_word_end(const char *at, const char *end) {
	return at == end || !isalnum((unsigned char)*at);
}

/* Whether a line has these words, or their plural. "-" is a space. */
static bool line_has(const char *line, size_t length, const char *words) {
	const size_t wanted = strlen(words);
	for (size_t i = 0; i + wanted <= length; i++) {
		size_t same = 0;
		while (same < wanted && letter_of(line[i + same]) == letter_of(words[same])) {
			same++;
		}
		const char *after = line + i + same, *end = line + length;
		if (same == wanted && (i == 0 || !isalnum((unsigned char)line[i - 1])) &&
			(is_word_end(after, end) || (*after == 's' && is_word_end(after + 1, end)))) {
			return true;
		}
	}
	return false;
}

static bool is_heading(const char *line) {
	return line[0] == '#' && line[strspn(line, "#")] == ' ';
}

static size_t length_to_heading(const char *text) {
	const char *at = text + strcspn(text, "\n");
	while (*at && !is_heading(at + 1)) {
		at += 1 + strcspn(at + 1, "\n");
	}
	return (size_t)(at - text);
}

static page_rank rank_of_line(const char *line, size_t length, const char *words) {
	const bool is_item = strncmp(line, "- ", 2) == 0;
	const char *end = is_item ? line + 2 + strlen(words) : strncmp(line, "**", 2) == 0 ? strstr(line + 2, "**") : NULL;
	if (!line_has(line, length, words)) {
		return PAGE_LACKS;
	}
	return is_heading(line)                                                             ? PAGE_HEADING
		   : end && end <= line + length && line_has(line, (size_t)(end - line), words) ? PAGE_BEGINS
																						: PAGE_MENTIONS;
}

/* The best place of a page, if it is better than `place`. */
static void search_page(const char *path, const char *text, const char *words, page_place *place) {
	const char *paragraph = text, *best = NULL;
	for (const char *line = text; *line;) {
		const size_t length = strcspn(line, "\n");
		const page_rank rank = rank_of_line(line, length, words);
		paragraph = length == 0 ? line + 1 : is_heading(line) || strncmp(line, "- ", 2) == 0 ? line : paragraph;
		if (rank > place->rank) {
			place->rank = rank;
			best = paragraph;
		}
		line += length + (line[length] == '\n');
	}
	if (best) {
		snprintf(place->path, sizeof place->path, "%s", path);
		snprintf(place->text, sizeof place->text, "%.*s", (int)length_to_heading(best), best);
	}
}

static void search_pages(const char *words, page_place *place) {
	const char *names[PAGES_MOST];
	snw_arena *arena = snw_arena_create();
	const char *folder = pages_folder(arena);
	const uint32_t count = list_pages(folder, arena, names);
	*place = (page_place){0};
	for (uint32_t i = 0; i < count && words[0]; i++) {
		snw_bytes bytes;
		snw_error error = {0};
		const char *path = snw_path_join(arena, folder, names[i]);
		if (!snw_failed(snw_file_read_limited(path, PAGE_BYTES, arena, &bytes, &error))) {
			search_page(path, (const char *)bytes.data, words, place);
		}
		if (place->rank >= PAGE_BEGINS && page_order(names[i]) < 2) {
			break;
		}
	}
	if (count == 0) {
		snprintf(place->text, sizeof place->text, "There are no pages in %.1000s. Install Sinew with its documentation.",
				 folder);
	} else if (!place->path[0]) {
		snprintf(place->text, sizeof place->text, "No page has these words.");
	}
	snw_arena_destroy(arena);
}

/* ---- how they are drawn -------------------------------------------------------------------------------------------------- */

/* A line without the marks of its format: links are their words. */
static void add_plain(const char *line, size_t length, char *words, size_t size) {
	size_t used = strlen(words);
	bool is_code = false;
	for (size_t i = 0; i < length && used + 1 < size; i++) {
		is_code = is_code != (line[i] == '`');
		const char *end =
			!is_code && line[i] == ']' && i + 1 < length && line[i + 1] == '(' ? memchr(line + i, ')', length - i) : NULL;
		if (end) {
			i = (size_t)(end - line);
		} else if (is_code ? line[i] != '`' : !strchr("*`[]#", line[i])) {
			words[used++] = line[i];
		}
	}
	words[used] = '\0';
}

static void end_paragraph(char *words) {
	if (words[0]) {
		snw_gui_text(words);
		snw_gui_spacing();
	}
	words[0] = '\0';
}

static void draw_page(const char *text) {
	char words[6000] = "", alone[1000];
	bool is_code = false;
	for (const char *line = text; *line;) {
		const size_t length = strcspn(line, "\n");
		const char *first = line + strspn(line, " ");
		const bool fences = strncmp(line, "```", 3) == 0, is_row = *first == '|' || is_heading(line) || is_code;
		is_code = is_code != fences;
		if (length == 0 || is_row || fences || strncmp(line, "- ", 2) == 0 || strncmp(line, "**", 2) == 0) {
			end_paragraph(words);
		}
		alone[0] = '\0';
		add_plain(line, length, alone, sizeof alone);
		if (is_heading(line) && !is_code) {
			snw_gui_heading(alone + strspn(alone, " "));
		} else if (is_row && !fences && strncmp(first, "|---", 4) != 0) {
			snw_gui_quiet_text(alone);
		} else if (!is_row && !fences && line[0] != '!') {
			snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", words[0] ? " " : "",
					 alone + strspn(alone, " "));
		}
		line += length + (line[length] == '\n');
	}
	end_paragraph(words);
}

/* ---- the dialogs --------------------------------------------------------------------------------------------------------- */

/* Words for what is selected that stand in a heading, or at the beginning of a paragraph. */
static const char *selected_words(const snw_session *session) {
	const snw_view_state *state = &session->state;
	const snw_scene *scene = session->document->scene;
	const bool has_layer = scene && state->layer < scene->layer_count;
	const snw_deformer *method = has_layer ? snw_registry_find(session->registry, scene->layers[state->layer].deformer) : NULL;
	switch (state->tab) {
	case SNW_TAB_STACK:
		return method ? method->descriptor->short_name : "Fit";
	case SNW_TAB_VIEW:
		return "View";
	case SNW_TAB_HISTORY:
		return "Undo";
	case SNW_TAB_SHAPE:
		break;
	}
	if (state->sculpting) {
		return session->sculpting.paints_weights ? "Skin weights" : snw_brush_infos[session->sculpting.brush.kind].label;
	}
	return state->group != SNW_NONE || state->example != SNW_NONE ? "Examples" : "Pose it";
}

void snw_dialog_pages(const snw_layout *layout, snw_session *session) {
	static char words[80];
	static page_place place;
	const float k = layout->scale;
	bool close = false;
	if (session->dialog_is_new) {
		snprintf(words, sizeof words, "%.79s", session->asking.text[0] ? session->asking.text : selected_words(session));
		search_pages(words, &place);
	}
	snw_gui_dialog_begin("Help", 640 * k, 560 * k, &close);
	snw_gui_width(-1);
	const snw_typed typed = snw_gui_text_input("##words", "Words to find in the pages", words, sizeof words, false);
	snw_gui_hint("Shows the heading or the paragraph that has these words.");
	if (typed == SNW_TYPED_SOME || typed == SNW_TYPED_RETURN) {
		search_pages(words, &place);
	}
	if (place.path[0]) {
		snw_gui_quiet_text(snw_path_name(place.path));
	}
	snw_gui_child_begin("page", -40 * k);
	draw_page(place.text);
	snw_gui_child_end();
	snw_gui_disabled_begin(!place.path[0]);
	if (snw_gui_button("Open page", false)) {
		char url[sizeof place.path + 10];
		snprintf(url, sizeof url, "file://%s", place.path);
		if (SDL_OpenURL(url) != 0) {
			snw_view_state_warn(&session->state, SDL_GetError());
		}
	}
	snw_gui_disabled_end();
	snw_gui_hint("Opens the whole page in the program that the desktop has for it.");
	snw_gui_same_line(0);
	if (snw_gui_button("Close", true) || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	snw_gui_hint("Closes the help (Return, Escape).");
	snw_gui_dialog_end();
}

void snw_dialog_about(const snw_layout *layout, snw_session *session) {
	bool close = false;
	snw_gui_dialog_begin("About", 520 * layout->scale, 0, &close);
	for (const char *line = snw_about; *line;) {
		char words[2000];
		const size_t length = strcspn(line, "\n");
		snprintf(words, sizeof words, "%.*s", (int)length, line);
		snw_gui_text(words);
		line += length + (line[length] == '\n');
	}
	snw_gui_spacing();
	if (snw_gui_button("Close", true) || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	snw_gui_hint("Closes it (Return, Escape).");
	snw_gui_dialog_end();
}
