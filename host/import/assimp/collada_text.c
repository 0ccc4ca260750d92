/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/assimp/collada_text.h"

#include <stdlib.h>
#include <string.h>

bool snw_span_is_same(snw_span a, snw_span b) {
	const size_t count = (size_t)(a.end - a.begin);
	return count == (size_t)(b.end - b.begin) && (count == 0 || memcmp(a.begin, b.begin, count) == 0);
}

bool snw_span_is(snw_span a, const char *text) {
	return snw_span_is_same(a, (snw_span){text, text + strlen(text)});
}

const char *snw_behind(const char *at, const char *end, const char *text) {
	const char *found = memmem(at, (size_t)(end - at), text, strlen(text));
	return found ? found + strlen(text) : end;
}

static bool begins(const char *at, const char *end, const char *text) {
	return (size_t)(end - at) >= strlen(text) && memcmp(at, text, strlen(text)) == 0;
}

static const char *end_of_tag(const char *at, const char *end) {
	char quote = '\0';
	for (; at < end && (quote || *at != '>'); at++) {
		quote = quote ? (*at == quote ? '\0' : quote) : *at == '"' || *at == '\'' ? *at : '\0';
	}
	return at < end ? at + 1 : end;
}

bool snw_next_tag(const char **at, const char *end, snw_tag *t) {
	while ((*at = memchr(*at, '<', (size_t)(end - *at))) != NULL) {
		const char *begin = *at;
		if (begins(begin, end, "<!--")) {
			*at = snw_behind(begin, end, "-->");
		} else if (begins(begin, end, "<![CDATA[")) {
			*at = snw_behind(begin, end, "]]>");
		} else if (begins(begin, end, "<?") || begins(begin, end, "<!")) {
			*at = end_of_tag(begin, end);
		} else {
			const char *close = end_of_tag(begin, end);
			*t = (snw_tag){.whole = {begin, close}, .closes = begins(begin, end, "</")};
			t->name.begin = begin + (t->closes ? 2 : 1);
			t->name.end = t->name.begin;
			while (t->name.end < close && !strchr(" \t\r\n/>", *t->name.end)) {
				t->name.end++;
			}
			t->is_single = close - begin > 2 && close[-2] == '/';
			*at = close;
			return true;
		}
	}
	*at = end;
	return false;
}

snw_span snw_tag_attribute(const snw_tag *t, const char *name) {
	const size_t length = strlen(name);
	for (const char *at = t->name.end; at + length < t->whole.end; at++) {
		if (strchr(" \t\r\n", *at) && begins(at + 1, t->whole.end, name)) {
			const char *equals = at + 1 + length;
			while (equals < t->whole.end && strchr(" \t\r\n=", *equals)) {
				equals++;
			}
			const char quote = equals < t->whole.end ? *equals : '\0';
			if (quote == '"' || quote == '\'') {
				const char *close = memchr(equals + 1, quote, (size_t)(t->whole.end - equals - 1));
				return close ? (snw_span){equals + 1, close} : (snw_span){equals, equals};
			}
		}
	}
	return (snw_span){t->whole.end, t->whole.end};
}

snw_span snw_tag_reference(const snw_tag *t, const char *name) {
	snw_span value = snw_tag_attribute(t, name);
	value.begin += value.begin < value.end && *value.begin == '#';
	return value;
}

bool snw_next_word(snw_span *text, snw_span *word) {
	while (text->begin < text->end && strchr(" \t\r\n", *text->begin)) {
		text->begin++;
	}
	word->begin = text->begin;
	while (text->begin < text->end && !strchr(" \t\r\n", *text->begin)) {
		text->begin++;
	}
	word->end = text->begin;
	return word->begin < word->end;
}

int snw_span_compare(snw_span a, snw_span b) {
	const size_t x = (size_t)(a.end - a.begin), y = (size_t)(b.end - b.begin);
	const int order = memcmp(a.begin, b.begin, x < y ? x : y);
	return order != 0 ? order : (x > y) - (x < y);
}

void snw_write_span(snw_written_text *written, snw_span text) {
	const size_t length = (size_t)(text.end - text.begin);
	if (written->count + length + 1 > written->room) {
		const size_t room = 2 * (written->count + length) + 4096;
		char *grown = snw_arena_acquire(written->arena, room);
		if (written->count > 0) {
			memcpy(grown, written->text, written->count);
		}
		written->text = grown;
		written->room = room;
	}
	if (length > 0) {
		memcpy(written->text + written->count, text.begin, length);
	}
	written->count += length;
}

void snw_write_text(snw_written_text *written, const char *text) {
	snw_write_span(written, (snw_span){text, text + strlen(text)});
}

static int compare_rows(const void *a, const void *b) {
	const snw_id_row *x = a, *y = b;
	const int order = snw_span_compare(x->id, y->id);
	return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

snw_id_table snw_id_table_make(const void *ids, uint32_t count, size_t stride, snw_arena *arena) {
	snw_id_table table = {.rows = SNW_NEW_ARRAY(arena, snw_id_row, count)};
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&table.rows[table.count].id, (const char *)ids + stride * i, sizeof(snw_span));
		table.rows[table.count].index = i;
		table.count += table.rows[table.count].id.begin < table.rows[table.count].id.end;
	}
	if (table.count > 0) {
		qsort(table.rows, table.count, sizeof *table.rows, compare_rows);
	}
	return table;
}

uint32_t snw_id_table_find(const snw_id_table *table, snw_span id) {
	uint32_t low = 0, high = table->count;
	while (low < high) { /* the first that is greater */
		const uint32_t middle = low + (high - low) / 2;
		if (snw_span_compare(table->rows[middle].id, id) <= 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low > 0 && snw_span_compare(table->rows[low - 1].id, id) == 0 ? table->rows[low - 1].index : SNW_NONE;
}
