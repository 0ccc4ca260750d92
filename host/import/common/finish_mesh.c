/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/reading.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

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
