/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/finish_mesh.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "mesh/merge_points.h"

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
