/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collada, as Assimp 5.2 should have it. A skin without a bind shape matrix gets the identity, which Assimp takes for zero. A
 * morph, or a skin over one, makes Assimp lose the mesh: such a controller is replaced by its mesh, and each target by a node
 * of its own, whose vertices are compared with the mesh's afterwards (meshes.c). Curves of the weights are read apart, since
 * Assimp has no place for them: <channel target="CONTROLLER/WEIGHTS(2)"> is that of the third target. Blanks before the first
 * number of an element are left out: Assimp refuses such a colour or bind shape matrix, and takes a zero for such a count.
 */
#include <assimp/cimport.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "file/file.h"
#include "import/assimp/assimp_internal.h"

/* ---- collada text -------------------------------------------------------------------------------------------------------- */

bool snw_span_is_same(snw_span a, snw_span b) {
	const size_t count = (size_t)(a.end - a.begin);
	return count == (size_t)(b.end - b.begin) && (count == 0 || memcmp(a.begin, b.begin, count) == 0);
}

bool snw_span_is(snw_span a, const char *text) {
	return snw_span_is_same(a, (snw_span){text, text + strlen(text)});
}

/* The place behind a text; the end of all if it does not follow. */
static const char *behind(const char *at, const char *end, const char *text) {
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
			*at = behind(begin, end, "-->");
		} else if (begins(begin, end, "<![CDATA[")) {
			*at = behind(begin, end, "]]>");
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

/* ---- collada ------------------------------------------------------------------------------------------------------------- */

/* A source of a morph: the text of its array. */
typedef struct array {
	snw_span id, text;
	struct array *next;
} array;

/* A controller that is a morph. */
typedef struct morph_element {
	snw_span id, base;
	uint32_t first_target, target_count; /* of the file's, in order */
	bool is_relative;
	snw_span targets, weights; /* ids of the arrays */
	array *arrays;
} morph_element;

typedef struct rewriter {
	snw_assimp *a;
	const char *at, *end;
	uint32_t morph_count, morph_room;
	morph_element *morphs;
	snw_id_table morph_ids, weight_ids;
	snw_collada_animations *animations;
	uint32_t target_room;
	snw_assimp_target **targets; /* [a->target_count] */
	snw_written_text out;
	bool changes;
} rewriter;

/* ---- morphs -------------------------------------------------------------------------------------------------------------- */

/* The arrays of sources, listed by the ids of these. */
static bool read_source_array(rewriter *r, array **arrays, const snw_tag *t, snw_span *source) {
	if (snw_span_is(t->name, "source")) {
		*source = snw_tag_attribute(t, "id");
	} else if (snw_span_is(t->name, "IDREF_array") || snw_span_is(t->name, "Name_array") ||
			   snw_span_is(t->name, "float_array")) {
		array *item = SNW_NEW(r->a->scratch, array);
		const char *close = memchr(t->whole.end, '<', (size_t)(r->end - t->whole.end));
		*item = (array){.id = *source, .text = {t->whole.end, close ? close : r->end}, .next = *arrays};
		*arrays = item;
	} else {
		return false;
	}
	return true;
}

static void read_morph_tag(rewriter *r, morph_element *m, const snw_tag *t, snw_span *source) {
	if (read_source_array(r, &m->arrays, t, source)) {
		return;
	}
	if (snw_span_is(t->name, "input") && snw_span_is(snw_tag_attribute(t, "semantic"), "MORPH_TARGET")) {
		m->targets = snw_tag_reference(t, "source");
	} else if (snw_span_is(t->name, "input") && snw_span_is(snw_tag_attribute(t, "semantic"), "MORPH_WEIGHT")) {
		m->weights = snw_tag_reference(t, "source");
	}
}

static void list_morphs(rewriter *r) {
	snw_span controller = {0}, source = {0};
	morph_element *open = NULL;
	snw_tag t;
	for (const char *at = r->at; snw_next_tag(&at, r->end, &t);) {
		if (!t.closes && snw_span_is(t.name, "controller")) {
			controller = snw_tag_attribute(&t, "id");
		} else if (snw_span_is(t.name, "morph")) {
			open = NULL;
			if (!t.closes && !t.is_single) {
				r->morphs = snw_arena_grow(r->a->scratch, r->morphs, r->morph_count, &r->morph_room, sizeof *r->morphs);
				open = &r->morphs[r->morph_count++];
				*open = (morph_element){.id = controller,
										.base = snw_tag_reference(&t, "source"),
										.is_relative = snw_span_is(snw_tag_attribute(&t, "method"), "RELATIVE")};
			}
		} else if (open && !t.closes) {
			read_morph_tag(r, open, &t, &source);
		}
	}
	r->morph_ids = snw_id_table_make(r->morphs, r->morph_count, sizeof *r->morphs, r->a->scratch);
	r->weight_ids = snw_id_table_make(r->morphs ? &r->morphs->weights : NULL, r->morph_count, sizeof *r->morphs, r->a->scratch);
}

static const morph_element *find_morph(const rewriter *r, snw_span id) {
	const uint32_t found = id.begin < id.end ? snw_id_table_find(&r->morph_ids, id) : SNW_NONE;
	return found == SNW_NONE ? NULL : &r->morphs[found];
}

static snw_span array_text(const array *arrays, snw_span id) {
	for (const array *item = arrays; item; item = item->next) {
		if (snw_span_is_same(item->id, id)) {
			return item->text;
		}
	}
	return (snw_span){0};
}

/* ---- the new text -------------------------------------------------------------------------------------------------------- */

/* <NAME KEY="#base"> in place of a tag. */
static void put_instead(rewriter *r, const snw_tag *t, const char *name, const char *key, snw_span base) {
	snw_write_text(&r->out, snw_arena_format(r->a->scratch, "<%s %s=\"#%.*s\"%s>", name, key, (int)(base.end - base.begin),
											 base.begin, t->is_single ? "/" : ""));
	r->changes = true;
}

static bool has_bind_shape(const rewriter *r, const char *at) {
	snw_tag t;
	while (snw_next_tag(&at, r->end, &t) && !(t.closes && snw_span_is(t.name, "skin"))) {
		if (snw_span_is(t.name, "bind_shape_matrix")) {
			return true;
		}
	}
	return false;
}

static void put_skin(rewriter *r, const snw_tag *t) {
	const morph_element *m = find_morph(r, snw_tag_reference(t, "source"));
	if (m) {
		put_instead(r, t, "skin", "source", m->base);
	} else {
		snw_write_span(&r->out, t->whole);
	}
	if (!t->is_single && !has_bind_shape(r, t->whole.end)) {
		snw_write_text(&r->out, "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>");
		r->changes = true;
	}
}

static void list_targets(rewriter *r, morph_element *m) {
	snw_assimp *a = r->a;
	snw_span ids = array_text(m->arrays, m->targets), weights = array_text(m->arrays, m->weights), id, weight;
	m->first_target = a->target_count;
	for (uint32_t index = 0; snw_next_word(&ids, &id); index++) {
		snw_assimp_target *target = SNW_NEW(a->scratch, snw_assimp_target);
		double value = 0;
		if (snw_next_word(&weights, &weight)) {
			(void)snw_read_number(weight.begin, &value);
		}
		*target = (snw_assimp_target){
			.node_name = snw_arena_format(a->scratch, "sinew-morph-%u", a->target_count++),
			.base = snw_arena_format(a->scratch, "%.*s", (int)(m->base.end - m->base.begin), m->base.begin),
			.name = snw_arena_format(a->scratch, "%.*s", (int)(id.end - id.begin), id.begin),
			.weight = value,
			.is_relative = m->is_relative,
			.node = SNW_NONE,
		};
		r->targets = snw_arena_grow(a->scratch, r->targets, a->target_count - 1, &r->target_room, sizeof *r->targets);
		r->targets[a->target_count - 1] = target;
		m->target_count = index + 1;
		*a->targets_end = target;
		a->targets_end = &target->next;
	}
}

/* ---- curves of weights --------------------------------------------------------------------------------------------------- */

/* The morph target whose weight a curve moves: its address is "CONTROLLER/WEIGHTS(2)", or either alone. */
static snw_assimp_target *find_target(const rewriter *r, snw_span address) {
	const char *open = memchr(address.begin, '(', (size_t)(address.end - address.begin));
	double number = -1;
	if (!open || !snw_read_number(open + 1, &number)) {
		return NULL;
	}
	const char *slash = memchr(address.begin, '/', (size_t)(open - address.begin));
	const snw_span first = {address.begin, slash ? slash : open}, second = {slash ? slash + 1 : open, open};
	uint32_t found = snw_id_table_find(&r->morph_ids, first);
	found = found == SNW_NONE ? snw_id_table_find(&r->weight_ids, first) : found;
	found = found == SNW_NONE ? snw_id_table_find(&r->weight_ids, second) : found;
	const morph_element *m = found == SNW_NONE ? NULL : &r->morphs[found];
	return m && number >= 0 && number < m->target_count ? r->targets[m->first_target + (uint32_t)number] : NULL;
}

static void list_curves(rewriter *r) {
	uint32_t count;
	snw_collada_curve *curves = snw_collada_curves(r->animations, &count);
	for (uint32_t i = 0; i < count; i++) {
		snw_assimp_target *target = r->morph_count > 0 ? find_target(r, curves[i].target) : NULL;
		curves[i].is_of_morph = target != NULL;
		if (target) {
			snw_assimp_curve *made = SNW_NEW(r->a->scratch, snw_assimp_curve);
			snw_collada_read_keys(r->animations, i, made);
			made->next = target->curves;
			target->curves = made;
		}
	}
}

/* ---- the whole text ------------------------------------------------------------------------------------------------------ */

/* A node for each target, which is no part of the scene. */
static void put_targets(rewriter *r) {
	for (const snw_assimp_target *target = r->a->targets; target; target = target->next) {
		snw_write_text(&r->out,
					   snw_arena_format(r->a->scratch, "<node id=\"%s\" name=\"%s\"><instance_geometry url=\"#%s\"/></node>",
										target->node_name, target->node_name, target->name));
	}
}

/* What is before a tag. */
static void put_before(rewriter *r, const char *from, const snw_tag *t) {
	const size_t blanks = strspn(from, " \t\r\n"), count = (size_t)(t->whole.begin - from);
	const bool begins_blank = t->closes && blanks > 0 && blanks < count;
	r->changes |= begins_blank;
	snw_write_span(&r->out, (snw_span){begins_blank ? from + blanks : from, t->whole.begin});
}

static bool is_of_animations(const snw_tag *t) {
	return snw_span_is(t->name, "library_animations") || snw_span_is(t->name, "library_animation_clips");
}

static void rewrite(rewriter *r) {
	const char *at = r->at, *from = at;
	const char *animations = snw_collada_animations_write(r->animations);
	r->changes = r->changes || animations;
	bool is_mesh_now = false; /* in a controller's instance that has become a mesh's */
	snw_tag t;
	for (; snw_next_tag(&at, r->end, &t); from = at) {
		put_before(r, from, &t);
		if (!t.closes && snw_span_is(t.name, "controller") && find_morph(r, snw_tag_attribute(&t, "id"))) {
			at = behind(at, r->end, "</controller>");
			continue;
		}
		if (animations && !t.closes && is_of_animations(&t)) {
			at = t.is_single ? at
							 : behind(at, r->end,
									  snw_span_is(t.name, "library_animations") ? "</library_animations>"
																				: "</library_animation_clips>");
			continue;
		}
		if (animations && t.closes && snw_span_is(t.name, "COLLADA")) {
			snw_write_text(&r->out, animations);
		}
		const bool is_instance = snw_span_is(t.name, "instance_controller");
		const morph_element *m = is_instance && !t.closes ? find_morph(r, snw_tag_reference(&t, "url")) : NULL;
		if (!t.closes && snw_span_is(t.name, "skin")) {
			put_skin(r, &t);
		} else if (m) {
			put_instead(r, &t, "instance_geometry", "url", m->base);
			is_mesh_now = !t.is_single;
		} else if (t.closes && is_instance && is_mesh_now) {
			snw_write_text(&r->out, "</instance_geometry>");
			is_mesh_now = false;
		} else {
			if (t.closes && snw_span_is(t.name, "visual_scene")) {
				put_targets(r);
			}
			snw_write_span(&r->out, t.whole);
		}
	}
	snw_write_span(&r->out, (snw_span){from, r->end});
}

/* Whether each <p> is a list of whole numbers. Assimp reads one that is not without an end. */
static bool has_whole_indices(const char *at, const char *end, snw_span *word) {
	snw_tag t;
	while (snw_next_tag(&at, end, &t)) {
		if (t.closes || t.is_single || !snw_span_is(t.name, "p")) {
			continue;
		}
		snw_span rest = {at, memchr(at, '<', (size_t)(end - at))};
		rest.end = rest.end ? rest.end : end;
		while (snw_next_word(&rest, word)) {
			const char *digits = word->begin + (*word->begin == '-' || *word->begin == '+');
			while (digits < word->end && *digits >= '0' && *digits <= '9') {
				digits++;
			}
			if (digits < word->end) {
				return false;
			}
		}
	}
	return true;
}

snw_status snw_assimp_load_collada(snw_assimp *a) {
	snw_bytes bytes;
	snw_span word;
	a->targets_end = &a->targets;
	if (snw_failed(snw_file_read(a->path, a->scratch, &bytes, NULL)) || bytes.count > INT_MAX ||
		memchr(bytes.data, '\0', bytes.count)) { /* UTF-16: as it is */
		a->file = aiImportFile(a->path, 0);
		return SNW_OK;
	}
	if (!has_whole_indices((const char *)bytes.data, (const char *)bytes.data + bytes.count, &word)) {
		return snw_assimp_fail(a, SNW_ERROR_DATA, "an index of its faces is '%.*s'; it is damaged: export it again",
							   (int)(word.end - word.begin < 40 ? word.end - word.begin : 40), word.begin);
	}
	rewriter r = {
		.a = a, .at = (const char *)bytes.data, .end = (const char *)bytes.data + bytes.count, .out = {.arena = a->scratch}};
	list_morphs(&r);
	for (uint32_t m = 0; m < r.morph_count; m++) {
		list_targets(&r, &r.morphs[m]);
	}
	r.animations = snw_collada_animations_read(a, r.at, r.end);
	list_curves(&r);
	rewrite(&r);
	a->file = r.changes ? aiImportFileFromMemory(r.out.text, (unsigned)r.out.count, 0, "dae") : aiImportFile(a->path, 0);
	return SNW_OK;
}
