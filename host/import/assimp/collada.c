/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collada, as Assimp 5.2 should have it. A skin without a bind shape matrix gets the identity, which Assimp takes for zero. A
 * morph, or a skin over one, makes Assimp lose the mesh: such a controller is replaced by its mesh, and each target by a node
 * of its own, whose vertices are compared with the mesh's afterwards (meshes.c). Curves of the weights are read here, since
 * Assimp has no place for them: <channel target="CONTROLLER/WEIGHTS(2)"> is that of the third target.
 */
#include <assimp/cimport.h>
#include <limits.h>
#include <string.h>

#include "base/numbers.h"
#include "file/file.h"
#include "import/assimp/assimp_internal.h"

/* A piece of the file's text. */
typedef struct span {
	const char *begin, *end;
} span;

typedef struct tag {
	span whole, name;       /* from '<' to behind '>'; "skin" */
	bool closes, is_single; /* </skin>; <skin/> */
} tag;

/* A source of a morph: the text of its array. */
typedef struct array {
	span id, text;
	struct array *next;
} array;

/* A controller that is a morph. */
typedef struct morph {
	span id, base;
	bool is_relative;
	span targets, weights; /* ids of the arrays */
	array *arrays;
	struct morph *next;
} morph;

/* A sampler of an animation: the ids of its arrays. */
typedef struct sampler {
	span id, times, values, interpolation;
	struct sampler *next;
} sampler;

/* What a sampler drives. */
typedef struct curve {
	span sampler, target;
	struct curve *next;
} curve;

typedef struct rewriter {
	snw_assimp *a;
	const char *at, *end;
	morph *morphs;
	array *arrays; /* of animations */
	sampler *samplers;
	curve *curves;
	char *out;
	size_t count, room;
	bool changes;
} rewriter;

/* ---- tags ---------------------------------------------------------------------------------------------------------------- */

static bool is_same(span a, span b) {
	return a.end - a.begin == b.end - b.begin && memcmp(a.begin, b.begin, (size_t)(a.end - a.begin)) == 0;
}

static bool is_text(span a, const char *text) {
	return is_same(a, (span){text, text + strlen(text)});
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

/* The next tag of an element. False at the end. */
static bool next_tag(const char **at, const char *end, tag *t) {
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
			*t = (tag){.whole = {begin, close}, .closes = begins(begin, end, "</")};
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

/* The value of an attribute; empty without it. */
static span attribute(const tag *t, const char *name) {
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
				return close ? (span){equals + 1, close} : (span){equals, equals};
			}
		}
	}
	return (span){t->whole.end, t->whole.end};
}

/* Of a reference in the same file, "#body". */
static span reference(const tag *t, const char *name) {
	span value = attribute(t, name);
	value.begin += value.begin < value.end && *value.begin == '#';
	return value;
}

/* ---- morphs -------------------------------------------------------------------------------------------------------------- */

/* The arrays of sources, listed by the ids of these. */
static bool read_array(rewriter *r, array **arrays, const tag *t, span *source) {
	if (is_text(t->name, "source")) {
		*source = attribute(t, "id");
	} else if (is_text(t->name, "IDREF_array") || is_text(t->name, "Name_array") || is_text(t->name, "float_array")) {
		array *item = SNW_NEW(r->a->scratch, array);
		const char *close = memchr(t->whole.end, '<', (size_t)(r->end - t->whole.end));
		*item = (array){.id = *source, .text = {t->whole.end, close ? close : r->end}, .next = *arrays};
		*arrays = item;
	} else {
		return false;
	}
	return true;
}

static void read_morph_tag(rewriter *r, morph *m, const tag *t, span *source) {
	if (read_array(r, &m->arrays, t, source)) {
		return;
	}
	if (is_text(t->name, "input") && is_text(attribute(t, "semantic"), "MORPH_TARGET")) {
		m->targets = reference(t, "source");
	} else if (is_text(t->name, "input") && is_text(attribute(t, "semantic"), "MORPH_WEIGHT")) {
		m->weights = reference(t, "source");
	}
}

static void read_animation_tag(rewriter *r, const tag *t, span *source) {
	if (read_array(r, &r->arrays, t, source)) {
		return;
	}
	if (is_text(t->name, "sampler")) {
		sampler *made = SNW_NEW(r->a->scratch, sampler);
		*made = (sampler){.id = attribute(t, "id"), .next = r->samplers};
		r->samplers = made;
	} else if (is_text(t->name, "channel")) {
		curve *made = SNW_NEW(r->a->scratch, curve);
		*made = (curve){.sampler = reference(t, "source"), .target = attribute(t, "target"), .next = r->curves};
		r->curves = made;
	} else if (is_text(t->name, "input") && r->samplers) {
		const span semantic = attribute(t, "semantic");
		span *of = is_text(semantic, "INPUT")           ? &r->samplers->times
				   : is_text(semantic, "OUTPUT")        ? &r->samplers->values
				   : is_text(semantic, "INTERPOLATION") ? &r->samplers->interpolation
														: NULL;
		if (of) {
			*of = reference(t, "source");
		}
	}
}

static void list_morphs(rewriter *r) {
	span controller = {0}, source = {0};
	morph *open = NULL;
	uint32_t animations = 0; /* that are open: they can be nested */
	tag t;
	for (const char *at = r->at; next_tag(&at, r->end, &t);) {
		if (is_text(t.name, "animation") && !t.is_single) {
			animations = !t.closes ? animations + 1 : animations > 0 ? animations - 1 : 0;
		} else if (animations > 0 && !t.closes) {
			read_animation_tag(r, &t, &source);
		} else if (!t.closes && is_text(t.name, "controller")) {
			controller = attribute(&t, "id");
		} else if (is_text(t.name, "morph")) {
			open = t.closes || t.is_single ? NULL : SNW_NEW(r->a->scratch, morph);
			if (open) {
				*open = (morph){.id = controller, .base = reference(&t, "source"), .next = r->morphs};
				open->is_relative = is_text(attribute(&t, "method"), "RELATIVE");
				r->morphs = open;
			}
		} else if (open && !t.closes) {
			read_morph_tag(r, open, &t, &source);
		}
	}
}

static const morph *find_morph(const rewriter *r, span id) {
	for (const morph *m = r->morphs; m && id.begin < id.end; m = m->next) {
		if (is_same(m->id, id)) {
			return m;
		}
	}
	return NULL;
}

static span array_text(const array *arrays, span id) {
	for (const array *item = arrays; item; item = item->next) {
		if (is_same(item->id, id)) {
			return item->text;
		}
	}
	return (span){0};
}

static bool next_word(span *text, span *word) {
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

/* ---- the new text -------------------------------------------------------------------------------------------------------- */

static void put(rewriter *r, span text) {
	const size_t length = (size_t)(text.end - text.begin);
	if (r->count + length > r->room) {
		const size_t room = 2 * (r->count + length);
		char *grown = snw_arena_acquire(r->a->scratch, room + 1);
		if (r->count > 0) {
			memcpy(grown, r->out, r->count);
		}
		r->out = grown;
		r->room = room;
	}
	if (length > 0) {
		memcpy(r->out + r->count, text.begin, length);
	}
	r->count += length;
}

static void put_text(rewriter *r, const char *text) {
	put(r, (span){text, text + strlen(text)});
}

/* <NAME KEY="#base"> in place of a tag. */
static void put_instead(rewriter *r, const tag *t, const char *name, const char *key, span base) {
	put_text(r, snw_arena_format(r->a->scratch, "<%s %s=\"#%.*s\"%s>", name, key, (int)(base.end - base.begin), base.begin,
								 t->is_single ? "/" : ""));
	r->changes = true;
}

static bool has_bind_shape(const rewriter *r, const char *at) {
	tag t;
	while (next_tag(&at, r->end, &t) && !(t.closes && is_text(t.name, "skin"))) {
		if (is_text(t.name, "bind_shape_matrix")) {
			return true;
		}
	}
	return false;
}

static void put_skin(rewriter *r, const tag *t) {
	const morph *m = find_morph(r, reference(t, "source"));
	if (m) {
		put_instead(r, t, "skin", "source", m->base);
	} else {
		put(r, t->whole);
	}
	if (!t->is_single && !has_bind_shape(r, t->whole.end)) {
		put_text(r, "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>");
		r->changes = true;
	}
}

/* ---- curves -------------------------------------------------------------------------------------------------------------- */

/* Whether an address is that of a morph's weight: "CONTROLLER/WEIGHTS(2)", or either alone. */
static bool is_weight(const morph *m, span address, uint32_t index) {
	const char *open = memchr(address.begin, '(', (size_t)(address.end - address.begin));
	double number = -1;
	if (!open || !snw_read_number(open + 1, &number) || number != index) {
		return false;
	}
	const char *slash = memchr(address.begin, '/', (size_t)(open - address.begin));
	const span first = {address.begin, slash ? slash : open}, second = {slash ? slash + 1 : open, open};
	return is_same(first, m->id) || is_same(first, m->weights) || is_same(second, m->weights);
}

static const sampler *find_sampler(const rewriter *r, span id) {
	const sampler *found = r->samplers;
	while (found && !is_same(found->id, id)) {
		found = found->next;
	}
	return found;
}

static uint32_t count_words(span text) {
	span word;
	uint32_t count = 0;
	while (next_word(&text, &word)) {
		count++;
	}
	return count;
}

static void read_numbers(span text, uint32_t count, double *numbers) {
	span word;
	for (uint32_t i = 0; i < count && next_word(&text, &word); i++) {
		(void)snw_read_number(word.begin, &numbers[i]);
	}
}

/* The keys of a weight. Lines are straight between them, or stepped, as Assimp has those of joints. */
static void read_curve(const rewriter *r, const morph *m, uint32_t index, snw_assimp_target *target) {
	const curve *found = r->curves;
	while (found && !is_weight(m, found->target, index)) {
		found = found->next;
	}
	const sampler *from = found ? find_sampler(r, found->sampler) : NULL;
	if (!from) {
		return;
	}
	const span times = array_text(r->arrays, from->times), values = array_text(r->arrays, from->values);
	span interpolation = array_text(r->arrays, from->interpolation), word = {0};
	const uint32_t time_count = count_words(times), value_count = count_words(values);
	target->key_count = time_count < value_count ? time_count : value_count;
	target->seconds = SNW_NEW_ARRAY(r->a->scratch, double, target->key_count);
	target->weights = SNW_NEW_ARRAY(r->a->scratch, double, target->key_count);
	read_numbers(times, target->key_count, target->seconds);
	read_numbers(values, target->key_count, target->weights);
	target->is_stepped = next_word(&interpolation, &word) && is_text(word, "STEP");
}

static void list_targets(const rewriter *r, const morph *m) {
	snw_assimp *a = r->a;
	span ids = array_text(m->arrays, m->targets), weights = array_text(m->arrays, m->weights), id, weight;
	for (uint32_t index = 0; next_word(&ids, &id); index++) {
		snw_assimp_target *target = SNW_NEW(a->scratch, snw_assimp_target);
		double value = 0;
		if (next_word(&weights, &weight)) {
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
		read_curve(r, m, index, target);
		*a->targets_end = target;
		a->targets_end = &target->next;
	}
}

/* A node for each target, which is no part of the scene. */
static void put_targets(rewriter *r) {
	for (const snw_assimp_target *target = r->a->targets; target; target = target->next) {
		put_text(r, snw_arena_format(r->a->scratch, "<node id=\"%s\" name=\"%s\"><instance_geometry url=\"#%s\"/></node>",
									 target->node_name, target->node_name, target->name));
	}
}

static void rewrite(rewriter *r) {
	const char *at = r->at, *from = at;
	bool is_mesh_now = false; /* in a controller's instance that has become a mesh's */
	tag t;
	for (; next_tag(&at, r->end, &t); from = at) {
		put(r, (span){from, t.whole.begin});
		if (!t.closes && is_text(t.name, "controller") && find_morph(r, attribute(&t, "id"))) {
			at = behind(at, r->end, "</controller>");
			continue;
		}
		const bool is_instance = is_text(t.name, "instance_controller");
		const morph *m = is_instance && !t.closes ? find_morph(r, reference(&t, "url")) : NULL;
		if (!t.closes && is_text(t.name, "skin")) {
			put_skin(r, &t);
		} else if (m) {
			put_instead(r, &t, "instance_geometry", "url", m->base);
			is_mesh_now = !t.is_single;
		} else if (t.closes && is_instance && is_mesh_now) {
			put_text(r, "</instance_geometry>");
			is_mesh_now = false;
		} else {
			if (t.closes && is_text(t.name, "visual_scene")) {
				put_targets(r);
			}
			put(r, t.whole);
		}
	}
	put(r, (span){from, r->end});
}

/* Whether each <p> is a list of whole numbers. Assimp reads one that is not without an end. */
static bool has_whole_indices(const char *at, const char *end, span *word) {
	tag t;
	while (next_tag(&at, end, &t)) {
		if (t.closes || t.is_single || !is_text(t.name, "p")) {
			continue;
		}
		span rest = {at, memchr(at, '<', (size_t)(end - at))};
		rest.end = rest.end ? rest.end : end;
		while (next_word(&rest, word)) {
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
	span word;
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
	rewriter r = {.a = a, .at = (const char *)bytes.data, .end = (const char *)bytes.data + bytes.count};
	list_morphs(&r);
	for (const morph *m = r.morphs; m; m = m->next) {
		list_targets(&r, m);
	}
	rewrite(&r);
	a->file = r.changes ? aiImportFileFromMemory(r.out, (unsigned)r.count, 0, "dae") : aiImportFile(a->path, 0);
	return SNW_OK;
}
