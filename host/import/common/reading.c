/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/reading.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "file/file.h"
#include "mesh/mesh.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

/* The budget of a document is a fixed amount, and a multiple of the file's size: a corner of a triangle, two bytes of index,
 * becomes forty bytes; each instance of a mesh becomes a mesh. */
#define SNW_READING_BUDGET ((uint64_t)64 << 20)
#define SNW_READING_GROWTH ((uint64_t)256)

snw_reading snw_reading_begin(const char *path, const snw_task *task, snw_scene *scene, snw_error *error) {
	return (snw_reading){.path = path,
						 .scratch = snw_arena_create(),
						 .arena = scene->arena,
						 .task = task,
						 .error = error,
						 .budget = SNW_READING_BUDGET};
}

void snw_reading_end(snw_reading *reading) {
	snw_arena_destroy(reading->scratch);
	reading->scratch = NULL;
}

void snw_reading_add_file(snw_reading *reading, uint64_t bytes) {
	reading->file_bytes += bytes;
	reading->budget += SNW_READING_GROWTH * bytes;
}

bool snw_reading_fail(snw_reading *reading, snw_status status, const char *format, ...) {
	char text[800];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	reading->status = snw_fail(reading->error, status, "%s: %s", reading->path, text);
	return false;
}

bool snw_reading_progress(snw_reading *reading, double fraction, const char *activity) {
	if (snw_task_progress(reading->task, fraction, activity)) {
		return true;
	}
	return snw_reading_fail(reading, SNW_CANCELLED, "the import was cancelled; nothing was written");
}

bool snw_reading_reserve(snw_reading *reading, uint64_t count, uint64_t element_bytes) {
	uint64_t bytes;
	if (__builtin_mul_overflow(count, element_bytes, &bytes) || bytes > reading->budget) {
		return snw_reading_fail(
			reading, SNW_ERROR_LIMIT,
			"the scene needs far more memory than a file of %llu bytes should; it may be damaged, or has too many "
			"instances: export fewer",
			(unsigned long long)reading->file_bytes);
	}
	reading->budget -= bytes;
	return true;
}

bool snw_reading_check_size(snw_reading *reading, uint32_t joint_count, uint32_t mesh_count) {
	snw_error reason = {0};
	const snw_status status = snw_scene_check_size(joint_count, mesh_count, &reason);
	return !snw_failed(status) || snw_reading_fail(reading, status, "%s", reason.text);
}

/* ---- text lines ---------------------------------------------------------------------------------------------------------- */

snw_text_lines snw_text_start(snw_bytes bytes) {
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors write */
	const char *at = (const char *)bytes.data;
	const size_t skipped = bytes.count >= 3 && memcmp(at, mark, 3) == 0 ? 3 : 0;
	return (snw_text_lines){.at = at + skipped, .end = at + bytes.count, .line = 1};
}

static bool is_line_end(char c) {
	return c == '\n' || c == '\r';
}

/* The bytes that end a word. A zero byte ends the text, or counts as a break inside it. */
static bool is_break(char c) {
	return c == ' ' || c == '\t' || is_line_end(c) || c == '\0';
}

/* The position after a line end: \n, \r\n, or a lone \r. */
static const char *after_line_end(const char *at) {
	return at + (at[0] == '\r' && at[1] == '\n' ? 2 : 1);
}

static bool is_continuation(const char *at) {
	return at[0] == '\\' && is_line_end(at[1]);
}

static void skip_blanks(snw_text_lines *text) {
	for (;;) {
		if (*text->at == ' ' || *text->at == '\t') {
			text->at++;
		} else if (is_continuation(text->at)) {
			text->at = after_line_end(text->at + 1);
			text->line++;
		} else {
			return;
		}
	}
}

bool snw_text_line_done(snw_text_lines *text) {
	skip_blanks(text);
	return text->at >= text->end || is_line_end(*text->at) || *text->at == '#';
}

void snw_text_next_line(snw_text_lines *text) {
	bool comment = false; /* a backslash at the end of a comment continues nothing */
	while (text->at < text->end) {
		const char c = *text->at;
		if (is_line_end(c)) {
			text->at = after_line_end(text->at);
			text->line++;
			return;
		}
		comment = comment || c == '#';
		if (!comment && is_continuation(text->at)) {
			text->at = after_line_end(text->at + 1);
			text->line++;
		} else {
			text->at++;
		}
	}
}

bool snw_text_word(snw_text_lines *text, const char **word, size_t *length) {
	if (snw_text_line_done(text)) {
		return false;
	}
	*word = text->at;
	while (text->at < text->end && !is_break(*text->at) && !is_continuation(text->at)) {
		text->at++;
	}
	*length = (size_t)(text->at - *word);
	if (*length == 0) { /* a zero byte inside the text is a word */
		*length = 1;
		text->at++;
	}
	return true;
}

char *snw_text_rest(snw_text_lines *text, snw_arena *arena) {
	skip_blanks(text);
	const char *start = text->at;
	while (text->at < text->end && !is_line_end(*text->at)) {
		text->at++;
	}
	const char *stop = text->at;
	while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t')) {
		stop--;
	}
	char *rest = snw_arena_acquire(arena, (size_t)(stop - start) + 1);
	memcpy(rest, start, (size_t)(stop - start));
	return rest;
}

bool snw_text_number(snw_text_lines *text, double *number) {
	double value;
	const char *at = snw_text_line_done(text) ? NULL : snw_read_number(text->at, &value);
	if (!at || !(is_break(*at) || is_continuation(at)) || !isfinite(value)) {
		return false;
	}
	text->at = at;
	*number = value;
	return true;
}

/* ---- picture ------------------------------------------------------------------------------------------------------------- */

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

const char *snw_picture_media(const unsigned char *bytes, size_t count) {
	static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, jpeg[] = {0xff, 0xd8, 0xff};
	if (count > sizeof png && memcmp(bytes, png, sizeof png) == 0) {
		return "image/png";
	}
	return count > sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0 ? "image/jpeg" : NULL;
}

snw_status snw_picture_read(const char *path, snw_arena *arena, snw_image *image, snw_error *error) {
	snw_bytes bytes;
	const snw_status status = snw_file_read(path, arena, &bytes, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *media = snw_picture_media(bytes.data, bytes.count);
	if (!media) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: neither PNG nor JPEG; convert it", path);
	}
	*image = (snw_image){
		.name = snw_arena_text(arena, snw_path_name(path)),
		.media = media,
		.bytes = bytes.data,
		.byte_count = bytes.count,
	};
	return SNW_OK;
}

snw_status snw_picture_find(const char *imported_file, const char *path, snw_arena *arena, snw_image *image, snw_error *error) {
	const char *folder = snw_path_folder(imported_file, arena), *beside = snw_path_join(arena, folder, snw_path_name(path));
	const bool relative = path[0] != '/' && path[0] != '\0' && path[1] != ':' && strncmp(path, "file:", 5) != 0;
	const char *named = relative ? snw_path_join(arena, folder, path) : beside;
	if (!snw_failed(snw_below_folder(folder, named, error)) && !snw_failed(snw_picture_read(named, arena, image, error))) {
		return SNW_OK;
	}
	const snw_status status = snw_below_folder(folder, beside, error);
	return snw_failed(status) ? status : snw_picture_read(beside, arena, image, error);
}

/* ---- base64 -------------------------------------------------------------------------------------------------------------- */

static int base64_value(unsigned char c) {
	if (c >= 'A' && c <= 'Z') {
		return c - 'A';
	}
	if (c >= 'a' && c <= 'z') {
		return c - 'a' + 26;
	}
	if (c >= '0' && c <= '9') {
		return c - '0' + 52;
	}
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

bool snw_base64_decode(snw_base64 *state, const char *text, size_t length) {
	for (size_t i = 0; i < length && !state->is_done; i++) {
		const unsigned char c = (unsigned char)text[i];
		const int value = base64_value(c);
		state->is_done = c == '=';
		if (value < 0) {
			if (state->is_done || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
				continue;
			}
			return false;
		}
		state->bits = state->bits << 6 | (uint32_t)value;
		state->bit_count += 6;
		if (state->bit_count >= 8) {
			state->bit_count -= 8;
			state->dest[state->count++] = (unsigned char)(state->bits >> state->bit_count);
		}
	}
	return true;
}

/* ---- finish mesh --------------------------------------------------------------------------------------------------------- */

#define SUM_TOLERANCE 5e-3 /* 8-bit weights round to sums within one step of 1/255 */

static int influence_compare(const void *a, const void *b) {
	const snw_influence *x = a, *y = b;
	if (x->point != y->point) {
		return x->point < y->point ? -1 : 1;
	}
	if (x->slot != y->slot) {
		return x->slot < y->slot ? -1 : 1;
	}
	/* Equal keys are ordered by weight, so that sums have the same bits with any qsort. */
	return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Drops weights that are not positive and finite; returns the new count. Marks points with a negative or non-finite one. */
static size_t drop_invalid(snw_influence *list, size_t count, unsigned char *is_repaired) {
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		const double weight = list[i].weight;
		if (isfinite(weight) && weight > 0) {
			list[used++] = list[i];
		} else if (weight != 0) {
			is_repaired[list[i].point] = 1;
		}
	}
	return used;
}

/* Merges consecutive influences of the same point and slot; returns the new count. */
static size_t merge_sorted(snw_influence *list, size_t count) {
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		if (used > 0 && list[used - 1].point == list[i].point && list[used - 1].slot == list[i].slot) {
			list[used - 1].weight += list[i].weight;
		} else {
			list[used++] = list[i];
		}
	}
	return used;
}

void snw_mesh_bind(snw_mesh *mesh, snw_influence *list, size_t count, uint32_t fallback_slot, snw_arena *arena,
				   const snw_task *task) {
	const uint32_t point_count = mesh->point_count;
	assert(count < UINT32_MAX - point_count);
	snw_arena *scratch = snw_arena_create();
	unsigned char *is_repaired = SNW_NEW_ARRAY(scratch, unsigned char, (size_t)point_count + 1);
	count = drop_invalid(list, count, is_repaired);
	qsort(list, count, sizeof list[0], influence_compare);
	count = merge_sorted(list, count);

	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, count + point_count);
	double *weights = SNW_NEW_ARRAY(arena, double, count + point_count);
	uint32_t repaired_count = 0, unweighted_count = 0, next = 0;
	size_t at = 0;
	for (uint32_t p = 0; p < point_count; p++) {
		const size_t begin = at;
		double sum = 0;
		while (at < count && list[at].point == p) {
			sum += list[at++].weight;
		}
		offsets[p] = next;
		if (begin == at || !isfinite(sum)) {
			slots[next] = fallback_slot;
			weights[next++] = 1;
			unweighted_count++;
			continue;
		}
		repaired_count += is_repaired[p] || fabs(sum - 1) > SUM_TOLERANCE;
		for (size_t i = begin; i < at; i++) {
			slots[next] = list[i].slot;
			weights[next++] = list[i].weight / sum;
		}
	}
	assert(at == count);
	offsets[point_count] = next;
	snw_arena_destroy(scratch);
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
	if (repaired_count > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "mesh %s: the weights of %u of %u points did not sum to 1 and were normalised",
						mesh->name, repaired_count, point_count);
	}
	if (unweighted_count > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "mesh %s: %u of %u points have no weights and follow the skin's first joint",
						mesh->name, unweighted_count, point_count);
	}
}

void snw_mesh_finish(snw_mesh *mesh, bool keep_points, bool repeats_points, snw_arena *arena, const snw_task *task) {
	if (!keep_points) {
		(void)snw_mesh_merge_points(mesh, repeats_points, arena);
	}
	const uint32_t dropped = snw_mesh_drop_degenerate_faces(mesh, arena);
	if (dropped > 0) {
		snw_task_notice(task, SNW_LOG_INFO, "mesh %s: %u faces repeat a point and are left out", mesh->name, dropped);
	}
}

/* ---- arrival ------------------------------------------------------------------------------------------------------------- */

static void check_kind(uint32_t in_file, uint32_t arrived, const char *kind, const snw_task *task) {
	if (in_file > 0 && arrived == 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "the file has %s (%u), but none arrived; export it again, or as .glb", kind,
						in_file);
	}
}

void snw_check_arrival(const snw_scene *scene, const snw_arrival *file, const snw_task *task) {
	check_kind(file->skinned_joints, scene->slot_count, "joints that move points", task);
	check_kind(file->shapes, scene->channel_count, "morph targets", task);
	check_kind(file->clips, scene->clip_count, "clips", task);
}

/* ---- rest places --------------------------------------------------------------------------------------------------------- */

/* The distance between two boxes; 0 where they meet. */
static double gap_between(const snw_box *a, const snw_box *b) {
	double gap[3];
	for (int i = 0; i < 3; i++) {
		gap[i] = fmax(fmax(a->lower[i] - b->upper[i], b->lower[i] - a->upper[i]), 0);
	}
	return snw_length3(gap);
}

#define FAR 2 /* times the size of the mesh and its joints */

void snw_check_rest_places(const snw_scene *scene, const snw_task *task) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const snw_box points = snw_scene_box(scene, m);
		snw_box joints = snw_box_empty();
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		bool has_several = false;
		for (uint32_t i = 0; i < count; i++) {
			const double *global = scene->skeleton.rest_global + 12 * (size_t)scene->slot_joints[mesh->influence_slots[i]];
			has_several |= mesh->influence_slots[i] != mesh->influence_slots[0];
			snw_box_add(&joints, (const double[3]){global[3], global[7], global[11]});
		}
		/* A mesh on one joint may be anywhere: a prop, a hat. */
		if (has_several && gap_between(&points, &joints) > FAR * (snw_box_diagonal(&points) + snw_box_diagonal(&joints))) {
			snw_task_notice(
				task, SNW_LOG_WARNING,
				"mesh %s rests far from the joints that move it; its file may bind it in another unit or place: bind it "
				"again, or export it as .glb",
				mesh->name);
		}
	}
}

/* ---- names --------------------------------------------------------------------------------------------------------------- */

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
