/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/folds.h"

#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"

static int compare_pairs(const void *a, const void *b) {
	const snw_contact_pair *x = a, *y = b;
	const int first = x->triangles[0] < y->triangles[0] ? -1 : x->triangles[0] > y->triangles[0];
	return first ? first : x->triangles[1] < y->triangles[1] ? -1 : x->triangles[1] > y->triangles[1];
}

typedef struct pair_list {
	snw_arena *arena;
	uint32_t count, room;
	snw_contact_pair *pairs;
} pair_list;

static bool list_pair(void *context, uint32_t first, uint32_t second, double distance) {
	pair_list *list = context;
	list->pairs = snw_arena_grow(list->arena, list->pairs, list->count, &list->room, sizeof *list->pairs);
	list->pairs[list->count++] = (snw_contact_pair){{first, second}, distance};
	return list->count < SNW_CONTACT_MOST_PAIRS;
}

snw_meeting snw_meeting_at_rest(snw_contact_mesh_pose *first, snw_contact_mesh_pose *second, snw_arena *arena) {
	pair_list list = {.arena = arena};
	if (second) {
		snw_contact_pairs(first, second, 0, list_pair, &list);
	} else {
		snw_contact_self_pairs(first, 0, list_pair, &list);
	}
	if (list.count > 0) {
		qsort(list.pairs, list.count, sizeof *list.pairs, compare_pairs);
	}
	return (snw_meeting){list.count, list.pairs};
}

typedef struct marking {
	const snw_meeting *meeting;
	const snw_contact_tree *trees[2];
	bool *marks[2];
} marking;

static bool mark_pair(void *context, uint32_t first, uint32_t second, double distance) {
	const marking *m = context;
	const snw_contact_pair pair = {{first, second}, distance};
	const snw_meeting *meeting = m->meeting;
	if (meeting->count > 0 && bsearch(&pair, meeting->at_rest, meeting->count, sizeof pair, compare_pairs)) {
		return true;
	}
	for (int k = 0; k < 6; k++) {
		m->marks[k / 3][snw_contact_tree_corners(m->trees[k / 3], pair.triangles[k / 3])[k % 3]] = true;
	}
	return true;
}

void snw_meeting_mark(const snw_meeting *meeting, snw_contact_mesh_pose *first, snw_contact_mesh_pose *second,
					  bool *first_marks, bool *second_marks) {
	marking m = {meeting, {first->tree, second->tree}, {first_marks, second_marks}};
	if (first == second) {
		snw_contact_self_pairs(first, 0, mark_pair, &m);
	} else {
		snw_contact_pairs(first, second, 0, mark_pair, &m);
	}
}

void snw_folds_mark(const snw_meeting *meeting, snw_contact_mesh_pose *pose, snw_contact_neighbours *neighbours,
					uint32_t point_count, bool *marks) {
	snw_arena *scratch = snw_arena_create();
	bool *meets = SNW_NEW_ARRAY(scratch, bool, point_count);
	snw_meeting_mark(meeting, pose, pose, meets, meets);
	memcpy(marks, meets, point_count * sizeof *marks);
	for (uint32_t p = 0; p < point_count; p++) {
		const uint32_t *near, count = meets[p] ? snw_contact_neighbours_of(neighbours, p, &near) : 0;
		for (uint32_t i = 0; i < count; i++) {
			marks[near[i]] = true;
		}
	}
	snw_arena_destroy(scratch);
}
