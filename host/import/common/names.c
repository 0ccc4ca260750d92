/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/names.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

enum { LONGEST_NAME = 200 }; /* bytes */

char *snw_name_clean(snw_arena *arena, const char *text, const snw_task *task) {
	if (!text || text[strspn(text, " \t\r\n")] == '\0') {
		return NULL;
	}
	char *clean = snw_arena_format(arena, "%.*s", LONGEST_NAME, text);
	if (snw_text_clean(clean, '_')) {
		snw_task_notice(task, SNW_LOG_WARNING, "a name has control characters; they were replaced: '%s'", clean);
	}
	return clean;
}

/* ---- a set of names ------------------------------------------------------------------------------------------------------ */

typedef struct entry {
	const char *name;
	uint32_t next_suffix;
} entry;

typedef struct name_set {
	entry *entries;
	size_t mask;
} name_set;

static name_set set_make(snw_arena *arena, uint32_t count) {
	size_t size = 16;
	while (size < 4 * (size_t)count) {
		size *= 2;
	}
	return (name_set){.entries = SNW_NEW_ARRAY(arena, entry, size), .mask = size - 1};
}

/* The entry of the name, or the free entry that it would use. */
static entry *set_find(const name_set *set, const char *name) {
	snw_hash hash = {0};
	snw_hash_text(&hash, name);
	size_t at = (size_t)snw_hash_value(&hash) & set->mask;
	while (set->entries[at].name && strcmp(set->entries[at].name, name) != 0) {
		at = (at + 1) & set->mask;
	}
	return &set->entries[at];
}

/* ---- unique names -------------------------------------------------------------------------------------------------------- */

static const char *name_with_suffix(snw_arena *arena, const name_set *set, const char *name) {
	entry *first = set_find(set, name);
	for (;;) {
		const char *with_suffix = snw_arena_format(arena, "%s-%u", name, first->next_suffix++);
		entry *item = set_find(set, with_suffix);
		if (!item->name) {
			*item = (entry){with_suffix, 2};
			return with_suffix;
		}
	}
}

void snw_names_make_unique(snw_arena *arena, const char **names, uint32_t count, const char *kind, const snw_task *task) {
	snw_arena *scratch = snw_arena_create();
	const name_set set = set_make(scratch, count);
	bool *repeats = SNW_NEW_ARRAY(scratch, bool, (size_t)count + 1);
	uint32_t repeat_count = 0, first_repeat = 0;
	for (uint32_t i = 0; i < count; i++) {
		entry *item = names[i] ? set_find(&set, names[i]) : NULL;
		if (item && !item->name) {
			*item = (entry){names[i], 2};
		} else if (item) {
			repeats[i] = true;
			first_repeat = repeat_count++ == 0 ? i : first_repeat;
		}
	}
	const char *shown = repeat_count > 0 ? names[first_repeat] : NULL;
	for (uint32_t i = 0; i < count; i++) {
		if (repeats[i]) {
			names[i] = name_with_suffix(arena, &set, names[i]);
		} else if (!names[i]) {
			const char *numbered = snw_arena_format(arena, "%s-%u", kind, i);
			entry *item = set_find(&set, numbered);
			names[i] = item->name ? name_with_suffix(arena, &set, numbered) : numbered;
			if (!item->name) {
				*item = (entry){numbered, 2};
			}
		}
	}
	if (repeat_count > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "%u of %u %s names are duplicates and got a suffix: one %s is now %s",
						repeat_count, count, kind, shown, names[first_repeat]);
	}
	snw_arena_destroy(scratch);
}
